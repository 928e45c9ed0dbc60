//! Samplers that make batches of sequences.

use super::{AnswerContext, LibraryFigure, Presentation, always, amount, average, rounded, share};
use crate::api::trainer::Report;
use crate::api::trainer::figures::{BatchFigures, some_shares};
use crate::metrics::FigureValue::Whole;
use crate::sampler::Sampler;
use crate::trainer::batches::{LibraryLimits, SamplerLibraries};
use crate::words::{count, mean, percent, plural};

type Context<'a> = AnswerContext<'a, SamplerLibraries>;
type Figure = LibraryFigure<SamplerLibraries>;

pub(in crate::api::trainer) const SAMPLING: Presentation<SamplerLibraries> = Presentation {
    figures: FIGURES,
    title,
    lost,
    excess: |report, _, figures| excess_over_sorted(report, figures),
    place: |f| Some((f.largest_slots as f64, f.padding_share)),
    sample: |own| own.sample,
    least: |_| None,
    longer: |_| None,
    losses: |room| {
        format!(
            "tokens that are cut off or left out. Every batch has {}, or as many slots as so many of {} tokens: {}; the best \
             plan is sorted.",
            plural(u64::from(room.batch), "sequence"),
            count(u64::from(room.limit)),
            count(room.slots())
        )
    },
};

const FIGURES: &[Figure] = &[
    Figure::new("batches", "batches", |f| Some(amount(f.batches)))
        .on_page(2, "batches", "Batches", |of| {
            let spread = of.by_order(|tally| tally.batches);
            let spread = spread.map_or_else(String::new, |spread| format!("; {spread}"));
            let (least, most) = of.figures.size;
            let [least, most] = [least, most].map(count);
            Some(format!("{least} to {most} sequences each{spread}"))
        })
        .in_text(1, "batches", |of| of.over_seeds(|tally| tally.batches))
        .formatted(Some(rounded), Some(mean)),
    Figure::new("sequences_per_batch", "sequences each", |f| {
        Some(average(f.sequences_per_batch))
    })
    .in_text(2, "sequences", |of| {
        let (least, most) = of.figures.size;
        let [least, most] = [least, most].map(count);
        Some(format!(" in a batch, {least} to {most}"))
    }),
    Figure::new("least", "least", |f| Some(Whole(f.size.0))),
    Figure::new("most", "most", |f| Some(Whole(f.size.1))),
    Figure::new("padding_share", "padding", |f| Some(share(f.padding_share)))
        .on_page(1, "padding_share", "Padding", |of| {
            let random = figures_of_baseline(of.report, Sampler::Random);
            let beside =
                |f: &BatchFigures| format!("{} in random batches", percent(f.padding_share));
            Some(random.map(beside).unwrap_or_default())
        })
        .in_text(3, "padding", |_| always("")),
    Figure::new("largest_slots", "largest batch", |f| {
        Some(Whole(f.largest_slots))
    })
    .on_page(3, "largest_slots", "Largest batch", |of| {
        let above = match of.figures.above {
            0.0 => String::new(),
            above => format!("; {} batches are larger than is set", mean(above)),
        };
        Some(format!("slots; {}{above}", as_set(of.given)))
    })
    .in_text(5, "largest", |of| {
        Some(format!(" slots; {}", as_set(of.given)))
    }),
    Figure::new("above", "too large", |f| Some(amount(f.above)))
        // Some samplers exceed what is set, and these batches may not fit the memory.
        .in_text(8, "too large", |of| {
            (of.figures.above > 0.0).then(|| " batches have more slots than is set".to_owned())
        })
        .formatted(None, Some(mean)),
    Figure::new("truncated_share", "truncated", |f| {
        Some(share(f.truncated_share))
    })
    .in_text(6, "truncated", |_| always(" of the tokens")),
    Figure::new("dropped_share", "dropped", |f| Some(share(f.dropped_share))).in_text(
        7,
        "dropped",
        |of| Some(format!(" of the tokens, {}", of.dropped())),
    ),
    Figure::untabulated(|f| Some(average(f.slots))).in_text(4, "slots", |_| always("")),
    Figure::untabulated(|f| Some(share(lost(f)))).on_page(4, "lost_share", "Tokens lost", |of| {
        let (cut, dropped) = (of.figures.truncated_share, of.figures.dropped_share);
        Some(match (cut > 0.0, dropped > 0.0) {
            (false, false) => "nothing is thrown away".to_owned(),
            (true, false) => "cut off at the limit".to_owned(),
            (false, true) => format!("{} left out", of.dropped()),
            (true, true) => format!(
                "{} cut off at the limit, {} left out",
                percent(cut),
                percent(dropped)
            ),
        })
    }),
];

impl Context<'_> {
    /// Returns the sequences that are left out.
    fn dropped(&self) -> String {
        // Means over seeds, so that there may be a part of a sequence.
        plural(self.figures.dropped_sequences.round() as u64, "sequence")
    }
}

fn lost(f: &BatchFigures) -> f64 {
    f.truncated_share + f.dropped_share
}

/// Returns the slots of a batch of the longest sequences, in words.
fn as_set(room: LibraryLimits) -> String {
    format!(
        "{} of {} tokens have {}",
        plural(u64::from(room.batch), "sequence"),
        count(u64::from(room.limit)),
        count(room.slots())
    )
}

fn title(of: &Context) -> String {
    let (f, room) = (of.figures, of.given);
    let beside = figures_of_baseline(of.report, Sampler::Random).map(|random| {
        format!(
            ", {} in random batches of {}",
            percent(random.padding_share),
            count(u64::from(room.batch))
        )
    });
    let lost: String = some_shares([
        (f.truncated_share, "of the tokens are cut off at it"),
        (f.dropped_share, "of the tokens are left out"),
    ])
    .join(", ");
    let lost = if lost.is_empty() {
        lost
    } else {
        format!("; {lost}")
    };
    format!(
        "With {}, {} of the slots are padding at a limit of {}{}{lost}",
        of.answer.about.title,
        percent(f.padding_share),
        count(u64::from(room.limit)),
        beside.unwrap_or_default(),
    )
}

fn figures_of_baseline(
    report: &Report<SamplerLibraries>,
    sampler: Sampler,
) -> Option<&BatchFigures> {
    let mut baselines = report.beside.iter();
    let (_, figures) = baselines.find(|(other, _)| *other == sampler)?;
    Some(figures)
}

/// Returns the share by which more slots are computed for each token than in sorted batches.
fn excess_over_sorted(report: &Report<SamplerLibraries>, figures: &BatchFigures) -> Option<f64> {
    // Slots for each token are 1 / (1 − padding): compared so, as samplers train unequal numbers of
    // tokens.
    let full = 1.0 - figures.padding_share;
    let sorted = figures_of_baseline(report, Sampler::Sorted).filter(|_| full > 0.0);
    sorted.map(|best| ((1.0 - best.padding_share) / full - 1.0).max(0.0))
}
