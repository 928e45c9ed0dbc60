//! Samplers that make batches of sequences.

use super::{Figure, LibraryReport, LibrarySheetRow, Sheet, cells, figure, number, rounded};
use crate::api::trainer::batches::Figures;
use crate::api::trainer::{LibraryAnswer, LibraryAtSettings, LibraryKind, Report};
use crate::metrics::Column;
use crate::metrics::FigureValue::{Real, Whole};
use crate::sampler::Sampler;
use crate::trainer::batches::{LibraryLimits, SamplerLibraries};
use crate::words::{count, mean, percent, plural};

impl LibraryReport for SamplerLibraries {
    const COLUMNS: &'static [Column<Figures>] = &[
        Column::new("batches", "batches", |f| Some(Real(f.batches, number))),
        Column::new("sequences_per_batch", "sequences each", |f| {
            Some(Real(f.sequences_per_batch, mean))
        }),
        Column::new("least", "least", |f| Some(Whole(f.size.0))),
        Column::new("most", "most", |f| Some(Whole(f.size.1))),
        Column::new("padding_share", "padding", |f| {
            Some(Real(f.padding_share, percent))
        }),
        Column::new("largest_slots", "largest batch", |f| {
            Some(Whole(f.largest_slots))
        }),
        Column::new("above", "too large", |f| Some(Real(f.above, number))),
        Column::new("truncated_share", "truncated", |f| {
            Some(Real(f.truncated_share, percent))
        }),
        Column::new("dropped_share", "dropped", |f| {
            Some(Real(f.dropped_share, percent))
        }),
    ];

    fn given(given: LibraryLimits) -> LibraryKind {
        LibraryKind::Batches(given)
    }

    fn look(of: &LibrarySheetRow<Self>) -> (f64, Option<f64>) {
        (
            of.figures.truncated_share + of.figures.dropped_share,
            excess_over_sorted(of.report, of.figures),
        )
    }

    fn sample(answer: &LibraryAnswer<Self>) -> Option<u64> {
        answer.own.sample
    }

    fn title(of: &LibrarySheetRow<Self>) -> String {
        let (f, room) = (of.figures, of.given);
        let beside = figures_of_baseline(of.report, Sampler::Random).map(|random| {
            format!(
                ", {} in random batches of {}",
                percent(random.padding_share),
                count(u64::from(room.batch))
            )
        });
        let parts = [
            (f.truncated_share, "cut off at it"),
            (f.dropped_share, "left out"),
        ];
        let lost: Vec<String> = parts
            .iter()
            .filter(|(share, _)| *share > 0.0)
            .map(|(share, how)| format!("{} of the tokens are {how}", percent(*share)))
            .collect();
        let lost = if lost.is_empty() {
            String::new()
        } else {
            format!("; {}", lost.join(", "))
        };
        format!(
            "With {}, {} of the slots are padding at a limit of {}{}{lost}",
            of.answer.about.title,
            percent(f.padding_share),
            count(u64::from(room.limit)),
            beside.unwrap_or_default(),
        )
    }

    fn figures(of: &LibrarySheetRow<Self>) -> Vec<Figure> {
        let (f, room) = (of.figures, of.given);
        let random = figures_of_baseline(of.report, Sampler::Random);
        let beside =
            random.map(|random| format!("{} in random batches", percent(random.padding_share)));
        let spread = super::spread(of.answer.runs.iter().map(|run| run.tally.batches));
        let spread = spread.map_or_else(String::new, |spread| format!("; {spread}"));
        let (least, most) = f.size;
        let lost = f.truncated_share + f.dropped_share;
        let fate = match (f.truncated_share > 0.0, f.dropped_share > 0.0) {
            (false, false) => "nothing is thrown away".to_owned(),
            (true, false) => "cut off at the limit".to_owned(),
            (false, true) => format!(
                "{} left out",
                plural(f.dropped_sequences.round() as u64, "sequence")
            ),
            (true, true) => format!(
                "{} cut off at the limit, {} left out",
                percent(f.truncated_share),
                percent(f.dropped_share)
            ),
        };
        let above = match f.above {
            0.0 => String::new(),
            above => format!("; {} batches are larger than is set", mean(above)),
        };
        let largest = format!(
            "slots; {} of {} tokens have {}{above}",
            plural(u64::from(room.batch), "sequence"),
            count(u64::from(room.limit)),
            count(room.slots())
        );
        let each = format!("{} to {} sequences each{spread}", count(least), count(most));
        vec![
            figure(
                "padding_share",
                "Padding",
                f.padding_share,
                percent,
                beside.unwrap_or_default(),
            ),
            figure("batches", "Batches", f.batches, rounded, each),
            figure(
                "largest_slots",
                "Largest batch",
                f.largest_slots as f64,
                rounded,
                largest,
            ),
            figure("lost_share", "Tokens lost", lost, percent, fate),
        ]
    }

    fn place(f: &Figures) -> Option<(f64, f64)> {
        Some((f.largest_slots as f64, f.padding_share))
    }

    fn compared(report: &Report<Self>) -> Vec<Sheet> {
        let sheet = |(sampler, figures): &(Sampler, Figures)| Sheet {
            about: LibraryAtSettings {
                // No library: the name of the sampler here, and no title, which puts it last in the
                // table.
                library: format!("packscope {}", sampler.name()),
                algorithm: "to compare with".to_owned(),
                ..LibraryAtSettings::default()
            },
            lost: Some(figures.truncated_share),
            above: excess_over_sorted(report, figures),
            cells: cells::<Self>(figures),
            ..Sheet::default()
        };
        report.beside.iter().map(sheet).collect()
    }
}

fn figures_of_baseline(report: &Report<SamplerLibraries>, sampler: Sampler) -> Option<&Figures> {
    report
        .beside
        .iter()
        .find(|(other, _)| *other == sampler)
        .map(|(_, figures)| figures)
}

/// Returns the share by which more slots are computed for each token than in sorted batches.
fn excess_over_sorted(report: &Report<SamplerLibraries>, figures: &Figures) -> Option<f64> {
    // Slots for each token are 1 / (1 − padding): compared so, as samplers train unequal numbers of
    // tokens.
    let full = 1.0 - figures.padding_share;
    let sorted = figures_of_baseline(report, Sampler::Sorted).filter(|_| full > 0.0);
    sorted.map(|best| ((1.0 - best.padding_share) / full - 1.0).max(0.0))
}
