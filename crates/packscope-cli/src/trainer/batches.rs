//! Samplers that make batches: `packscope trainer --batches`.

use super::text::spread;
use super::{TextReport, Trainer, TrainerData, lengths};
use packscope::api::trainer::LibraryAnswer;
use packscope::error::Result;
use packscope::trainer::batches::{LibraryLimits, SamplerLibraries};
use packscope::words::{count, mean, percent, plural};

impl TextReport for SamplerLibraries {
    fn read(command: &Trainer) -> Result<TrainerData<u32>> {
        lengths(command)
    }

    fn lines(answer: &LibraryAnswer<Self>, room: LibraryLimits) -> Vec<(&'static str, String)> {
        let Some(figures) = &answer.figures else {
            return Vec::new();
        };
        let spread = spread(answer.runs.iter().map(|run| run.tally.batches));
        let sample = answer.own.sample.map_or_else(String::new, |n| {
            format!(", as {} of the sequences have them", count(n))
        });
        let (least, most) = figures.size;
        let mut lines = vec![
            (
                "batches",
                format!("{}{spread}{sample}", mean(figures.batches)),
            ),
            (
                "sequences",
                format!(
                    "{} in a batch, {} to {}",
                    mean(figures.sequences_per_batch),
                    count(least),
                    count(most)
                ),
            ),
            ("padding", percent(figures.padding_share)),
            ("slots", mean(figures.slots)),
            (
                "largest",
                format!(
                    "{} slots; {} of {} tokens have {}",
                    count(figures.largest_slots),
                    plural(u64::from(room.batch), "sequence"),
                    count(u64::from(room.limit)),
                    count(room.slots())
                ),
            ),
            (
                "truncated",
                format!("{} of the tokens", percent(figures.truncated_share)),
            ),
            (
                "dropped",
                format!(
                    "{} of the tokens, {}",
                    percent(figures.dropped_share),
                    // Means over seeds, so that there may be a part of a sequence.
                    plural(figures.dropped_sequences.round() as u64, "sequence")
                ),
            ),
        ];
        // Some samplers exceed what is set, and these batches may not fit the memory.
        if figures.above > 0.0 {
            lines.push((
                "too large",
                format!(
                    "{} batches have more slots than is set",
                    mean(figures.above)
                ),
            ));
        }
        lines
    }

    fn notes(room: LibraryLimits) -> String {
        format!(
            "tokens that are cut off or left out. Every batch has {}, or as many slots as so many of {} tokens: {}; the best \
             plan is sorted.",
            plural(u64::from(room.batch), "sequence"),
            count(u64::from(room.limit)),
            count(room.slots())
        )
    }
}
