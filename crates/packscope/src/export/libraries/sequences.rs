//! Libraries that pack sequences into rows.

use super::{Figure, LibraryReport, LibrarySheetRow, figure, rounded, signed_share};
use crate::api::trainer::{Basis, Figures, LibraryAnswer, LibraryKind};
use crate::metrics::Column;
use crate::metrics::FigureValue::Real;
use crate::trainer::batches::LibraryLimits;
use crate::trainer::{Library, PackingLibraries};
use crate::words::{count, factor, mean, percent, plural};

/// Shares below this are not worth reporting.
const LITTLE: f64 = 0.001;
/// Shares above this are worth reporting beside a larger one.
const MUCH: f64 = 0.01;

impl LibraryReport for PackingLibraries {
    const COLUMNS: &'static [Column<Figures>] = &[
        Column::new("rows", "rows", |f| Some(Real(f.rows, mean))),
        Column::new("steps", "steps", |f| Some(Real(f.steps, mean))),
        Column::new("above_best", "above best", |f| {
            f.above_best.map(|x| Real(x, signed_share))
        }),
        Column::new("padding_share", "padding", |f| {
            Some(Real(f.padding_share, percent))
        }),
        Column::new("unfilled_share", "unfilled", |f| {
            Some(Real(f.unfilled_share, percent))
        }),
        Column::new("truncated_share", "truncated", |f| {
            Some(Real(f.truncated_share, percent))
        }),
        Column::new("dropped_share", "dropped", |f| {
            Some(Real(f.dropped_share, percent))
        }),
        Column::new("cut_share", "cut apart", |f| {
            Some(Real(f.cut_share, percent))
        }),
        Column::new("exceeding_share", "rows above the limit", |f| {
            Some(Real(f.exceeding_share, percent))
        }),
        Column::new("longest_row", "the longest", |f| {
            (f.longest_row > 0.0).then_some(Real(f.longest_row, mean))
        }),
    ];

    fn given(given: LibraryLimits) -> LibraryKind {
        LibraryKind::Sequences(given)
    }

    fn look(of: &LibrarySheetRow<Self>) -> (f64, Option<f64>) {
        (of.figures.lost_share(), of.figures.computed_above)
    }

    fn title(of: &LibrarySheetRow<Self>) -> String {
        let (f, title) = (of.figures, &of.answer.about.title);
        let limit = count(u64::from(of.given.limit));
        let costs = costs(of);
        let does = match costs.as_slice() {
            [] if f.real_tokens == 0.0 => "trains nothing of these data".to_owned(),
            [] if of.answer.own.padded => "packs these data as well as the best plan".to_owned(),
            [] if f.most > 1.0 => "pads nothing".to_owned(),
            [] => "packs nothing, and pads nothing,".to_owned(),
            costs => costs.join(" and "),
        };
        // "as installed" only where installing and packing differ.
        let off = Library::named(&of.answer.about.library)
            .is_ok_and(|library| !library.packing().is_empty());
        let installed = if off && of.answer.about.basis == Basis::Defaults {
            " as installed"
        } else {
            ""
        };
        format!("{title}{installed} {does} at a limit of {limit}")
    }

    fn figures(of: &LibrarySheetRow<Self>) -> Vec<Figure> {
        let f = of.figures;
        let room = match of.answer.own.padded {
            true => figure(
                "trainer_padding",
                "Padding",
                f.padding_share,
                percent,
                "of the slots".to_owned(),
            ),
            false => {
                let note = "room that is not computed: it costs nothing".to_owned();
                figure(
                    "trainer_unfilled",
                    "Unfilled room",
                    f.unfilled_share,
                    percent,
                    note,
                )
            }
        };
        let lost = match (f.truncated_share > 0.0, f.dropped_share > 0.0) {
            (false, false) => "nothing is thrown away".to_owned(),
            (true, false) => "cut off".to_owned(),
            (false, true) => "dropped with their sequences".to_owned(),
            (true, true) => {
                format!(
                    "{} cut off, {} dropped",
                    percent(f.truncated_share),
                    percent(f.dropped_share)
                )
            }
        };
        let cut = match f.cut_sequences {
            0.0 => "every sequence stays in one row".to_owned(),
            cut => format!(
                "{} in {:.1} pieces each",
                plural(cut.round() as u64, "sequence"),
                f.mean_pieces
            ),
        };
        vec![
            figure("trainer_rows", "Rows", f.rows, rounded, below_rows(of)),
            room,
            figure("trainer_lost", "Tokens lost", f.lost_share(), percent, lost),
            figure("trainer_cut", "Cut apart", f.cut_share, percent, cut),
        ]
    }

    /// A library that makes rows longer than the limit has no place: it would be among the best for that.
    fn place(f: &Figures) -> Option<(f64, f64)> {
        if f.exceeding_share > LITTLE {
            None
        } else {
            Some((f.lost_share(), f.computed_above?))
        }
    }

    fn least(answer: &LibraryAnswer) -> Option<LibraryKind> {
        // The batch has no part in a limit.
        let room = |limit| LibraryKind::Sequences(LibraryLimits { limit, batch: 1 });
        answer.own.least.map(room)
    }

    fn longer(of: &LibrarySheetRow<Self>) -> Option<(f64, f64)> {
        let f = of.figures;
        (f.exceeding_share > 0.0).then(|| {
            (
                f.exceeding_share,
                f.longest_row / f64::from(of.answer.own.limit),
            )
        })
    }

    fn sample(answer: &LibraryAnswer) -> Option<u64> {
        answer.own.sample
    }
}

/// Returns the largest cost of the library in words, and a second one that matters too: of rows
/// above the limit, padding or slots beyond the best plan, tokens lost, and half of the tokens that
/// are cut apart.
fn costs(of: &LibrarySheetRow<PackingLibraries>) -> Vec<String> {
    let (f, packs) = (of.figures, of.figures.most > 1.0);
    // As a share of what is computed, as the others are shares of all.
    let waste = f.computed_above.map_or(0.0, |above| above / (1.0 + above));
    let padding = format!(
        "fills {} of the slots with padding",
        percent(f.padding_share)
    );
    let computed = f
        .computed_above
        .map(|above| format!("computes {} more than the best plan", percent(above)));
    let longest = f.longest_row / f64::from(of.answer.own.limit);
    let mut costs = [
        (
            f.exceeding_share,
            format!(
                "makes {} of its rows longer than the limit (up to {})",
                percent(f.exceeding_share),
                factor(longest)
            ),
        ),
        if packs {
            (waste, computed.unwrap_or_default())
        } else {
            (f.padding_share, padding)
        },
        (
            f.dropped_share,
            format!("drops {} of the tokens", percent(f.dropped_share)),
        ),
        (
            f.truncated_share,
            format!("cuts off {} of the tokens", percent(f.truncated_share)),
        ),
        (
            // Half, as `PassCost::worth` counts them: trained, but without their beginning.
            f.cut_share / 2.0,
            format!(
                "trains {} of the tokens without the beginning of their sequence",
                percent(f.cut_share)
            ),
        ),
    ];
    costs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let first = costs.first().filter(|(share, _)| *share > LITTLE).cloned();
    let second = costs.get(1).filter(|(share, _)| *share > MUCH).cloned();
    first
        .into_iter()
        .chain(second)
        .map(|(_, words)| words)
        .collect()
}

fn below_rows(of: &LibrarySheetRow<PackingLibraries>) -> String {
    let (f, runs) = (of.figures, &of.answer.runs);
    let alone = !of.answer.own.padded && f.most <= 1.0;
    let above = f.above_best.map(|above| match above {
        _ if alone => "one sequence each, none padded".to_owned(),
        above if above < 0.0005 => "as the best plan".to_owned(),
        above => format!("{} above the best plan", percent(above)),
    });
    let spread = super::spread(runs.iter().map(|run| run.tally.rows));
    let steps = format!("{} on one device", plural(f.steps.round() as u64, "step"));
    [above, spread, Some(steps)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("; ")
}
