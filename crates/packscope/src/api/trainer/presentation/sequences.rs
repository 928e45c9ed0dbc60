//! Libraries that pack sequences into rows.

use super::{AnswerContext, LibraryFigure, Presentation, always, average, rounded, share, signed};
use crate::api::trainer::{Basis, Figures, LibraryKind};
use crate::trainer::batches::LibraryLimits;
use crate::trainer::{Library, PackingLibraries};
use crate::words::{count, factor, mean, percent, plural};

type Context<'a> = AnswerContext<'a, PackingLibraries>;
type Figure = LibraryFigure<PackingLibraries>;

/// Shares below this are not worth reporting.
const LITTLE: f64 = 0.001;
/// Shares above this are worth reporting beside a larger one.
const MUCH: f64 = 0.01;

pub(in crate::api::trainer) const PACKING: Presentation<PackingLibraries> = Presentation {
    figures: FIGURES,
    title,
    lost: Figures::lost_share,
    excess: |_, _, figures| figures.computed_above,
    // A library that makes rows longer than the limit has no place: it would be among the best for that.
    place: |f| (f.exceeding_share <= LITTLE).then_some((f.lost_share(), f.computed_above?)),
    sample: |own| own.sample,
    // The batch has no part in a limit.
    least: |own| {
        let room = |limit| LibraryLimits { limit, batch: 1 };
        own.least.map(|limit| LibraryKind::Sequences(room(limit)))
    },
    longer: |of| {
        (of.figures.exceeding_share > 0.0).then(|| (of.figures.exceeding_share, of.longest()))
    },
    losses: |_| {
        "tokens that are cut off, dropped, or left over at the end. cut apart: tokens that are trained without the beginning \
         of their sequence."
            .to_owned()
    },
};

const FIGURES: &[Figure] = &[
    Figure::new("rows", "rows", |f| Some(average(f.rows)))
        .on_page(1, "trainer_rows", "Rows", below_rows)
        .in_text(1, "rows", |of| of.over_seeds(|tally| tally.rows))
        .formatted(Some(rounded), None),
    Figure::new("steps", "steps", |f| Some(average(f.steps))).in_text(4, "steps", |_| {
        always(" on one device, without accumulation")
    }),
    Figure::new("above_best", "above best", |f| f.above_best.map(signed)).in_text(
        2,
        "above best",
        |of| {
            let best = of
                .answer
                .own
                .reference
                .as_ref()
                .filter(|_| !of.is_alone())?;
            let by = best.algorithm.as_deref().unwrap_or("rows without room");
            let [rows, bound] = [best.rows, best.bound].map(count);
            Some(format!(" ({by}: {rows}, bound {bound})"))
        },
    ),
    Figure::new("padding_share", "padding", |f| Some(share(f.padding_share)))
        .on_page(2, "trainer_padding", "Padding", |of| {
            of.if_padded(true, "of the slots")
        })
        .in_text(5, "padding", |of| of.if_padded(true, " of the slots")),
    Figure::new("unfilled_share", "unfilled", |f| {
        Some(share(f.unfilled_share))
    })
    .on_page(2, "trainer_unfilled", "Unfilled room", |of| {
        of.if_padded(false, "room that is not computed: it costs nothing")
    })
    .in_text(5, "unfilled", |of| {
        of.if_padded(false, " of the room in rows, which is not computed")
    }),
    Figure::new("truncated_share", "truncated", |f| {
        Some(share(f.truncated_share))
    })
    .in_text(7, "truncated", |_| always(" of the tokens")),
    Figure::new("dropped_share", "dropped", |f| Some(share(f.dropped_share))).in_text(
        8,
        "dropped",
        |of| {
            let sequences = plural(of.figures.dropped_sequences.round() as u64, "sequence");
            Some(format!(" of the tokens, {sequences}"))
        },
    ),
    Figure::new("cut_share", "cut apart", |f| Some(share(f.cut_share)))
        .on_page(4, "trainer_cut", "Cut apart", |of| {
            match of.figures.cut_sequences {
                0.0 => always("every sequence stays in one row"),
                _ => Some(of.pieces()),
            }
        })
        // Without a cut sequence the mean of pieces is 0.
        .in_text(9, "cut apart", |of| match of.figures.mean_pieces {
            0.0 => always(""),
            _ => Some(format!(" of the tokens: {}", of.pieces())),
        }),
    Figure::new("exceeding_share", "rows above the limit", |f| {
        Some(share(f.exceeding_share))
    })
    .in_text(6, "too long", |of| {
        let (f, longest) = (of.figures, factor(of.longest()));
        (f.exceeding_share > 0.0).then(|| {
            format!(
                " of the rows are longer than the limit, the longest has {} tokens, {longest}",
                mean(f.longest_row)
            )
        })
    }),
    Figure::new("longest_row", "the longest", |f| {
        (f.longest_row > 0.0).then_some(average(f.longest_row))
    }),
    Figure::untabulated(|f| Some(share(f.lost_share()))).on_page(
        3,
        "trainer_lost",
        "Tokens lost",
        |of| {
            let (cut, dropped) = (of.figures.truncated_share, of.figures.dropped_share);
            Some(match (cut > 0.0, dropped > 0.0) {
                (false, false) => "nothing is thrown away".to_owned(),
                (true, false) => "cut off".to_owned(),
                (false, true) => "dropped with their sequences".to_owned(),
                (true, true) => format!("{} cut off, {} dropped", percent(cut), percent(dropped)),
            })
        },
    ),
    Figure::untabulated(|f| f.computed_above.map(share)).in_text(3, "computed", |_| {
        always(" more slots than the best plan for as many tokens")
    }),
    Figure::untabulated(|f| Some(average(f.mean_context))).in_text(10, "context", |of| {
        let whole = mean(of.figures.whole_context);
        Some(format!(
            " tokens of its own sequence that a token sees, on average; {whole} in whole sequences"
        ))
    }),
];

impl Context<'_> {
    /// Whether rows are single sequences without padding, which waste nothing that packing could save: no plan is better.
    fn is_alone(&self) -> bool {
        !self.answer.own.padded && self.figures.most <= 1.0
    }

    /// Returns these words if rows are padded, or are not.
    fn if_padded(&self, padded: bool, words: &str) -> Option<String> {
        (self.answer.own.padded == padded).then(|| words.to_owned())
    }

    /// Returns the longest of the rows that are longer than the limit, in limits.
    fn longest(&self) -> f64 {
        self.figures.longest_row / f64::from(self.answer.own.limit)
    }

    fn pieces(&self) -> String {
        let cut = plural(self.figures.cut_sequences.round() as u64, "sequence");
        format!("{cut} in {:.1} pieces each", self.figures.mean_pieces)
    }
}

fn title(of: &Context) -> String {
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
    let off =
        Library::named(&of.answer.about.library).is_ok_and(|library| !library.packing().is_empty());
    let installed = if off && of.answer.about.basis == Basis::Defaults {
        " as installed"
    } else {
        ""
    };
    format!("{title}{installed} {does} at a limit of {limit}")
}

/// Returns the largest cost of the library in words, and a second one that matters too: of rows
/// above the limit, padding or slots beyond the best plan, tokens lost, and half of the tokens that
/// are cut apart.
fn costs(of: &Context) -> Vec<String> {
    let (f, packs) = (of.figures, of.figures.most > 1.0);
    // As a share of what is computed, as the others are shares of all.
    let waste = f.computed_above.map_or(0.0, |above| above / (1.0 + above));
    let computed = f.computed_above.map(percent).unwrap_or_default();
    let words =
        |share: f64, verb: &str, what: &str| (share, format!("{verb} {} {what}", percent(share)));
    let longer = format!(
        "of its rows longer than the limit (up to {})",
        factor(of.longest())
    );
    let (_, cut) = words(
        f.cut_share,
        "trains",
        "of the tokens without the beginning of their sequence",
    );
    let mut costs = [
        words(f.exceeding_share, "makes", &longer),
        if packs {
            (
                waste,
                format!("computes {computed} more than the best plan"),
            )
        } else {
            words(f.padding_share, "fills", "of the slots with padding")
        },
        words(f.dropped_share, "drops", "of the tokens"),
        words(f.truncated_share, "cuts off", "of the tokens"),
        // Half, as `PassCost::worth` counts them: trained, but without their beginning.
        (f.cut_share / 2.0, cut),
    ];
    costs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named = costs.into_iter().zip([LITTLE, MUCH]);
    let named = named.filter(|((share, _), least)| share > least);
    named.map(|((_, words), _)| words).collect()
}

/// Returns the words below the rows on the page: above the best plan, by order, and steps.
fn below_rows(of: &Context) -> Option<String> {
    let above = of.figures.above_best.map(|above| match above {
        _ if of.is_alone() => "one sequence each, none padded".to_owned(),
        above if above < 0.0005 => "as the best plan".to_owned(),
        above => format!("{} above the best plan", percent(above)),
    });
    let steps = plural(of.figures.steps.round() as u64, "step");
    let steps = format!("{steps} on one device");
    let parts = [above, of.by_order(|tally| tally.rows), Some(steps)];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}
