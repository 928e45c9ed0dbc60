//! Libraries that pack: `packscope trainer`.

use super::text::spread;
use super::{TextReport, Trainer, TrainerData, lengths};
use packscope::api::trainer::LibraryAnswer;
use packscope::error::Result;
use packscope::export::libraries;
use packscope::trainer::PackingLibraries;
use packscope::trainer::batches::LibraryLimits;
use packscope::words::{count, factor, mean, percent, plural};

impl TextReport for PackingLibraries {
    fn read(command: &Trainer) -> Result<TrainerData<u32>> {
        lengths(command)
    }

    fn lines(answer: &LibraryAnswer, _: LibraryLimits) -> Vec<(&'static str, String)> {
        let Some(figures) = &answer.figures else {
            return Vec::new();
        };
        let spread = spread(answer.runs.iter().map(|run| run.tally.rows));
        let sample = answer.own.sample.map_or_else(String::new, |n| {
            format!(", as {} of the sequences have them", count(n))
        });
        let mut lines = vec![("rows", format!("{}{spread}{sample}", mean(figures.rows)))];
        // Single sequences without padding waste nothing that packing could save, so no plan is
        // better.
        let alone = !answer.own.padded && figures.most <= 1.0;
        if let (Some(above), Some(best), false) = (figures.above_best, &answer.own.reference, alone)
        {
            let of = best.algorithm.as_deref().unwrap_or("rows without room");
            lines.push((
                "above best",
                format!(
                    "{} ({of}: {}, bound {})",
                    libraries::signed_share(above),
                    count(best.rows),
                    count(best.bound)
                ),
            ));
        }
        if let Some(above) = figures.computed_above {
            lines.push((
                "computed",
                format!(
                    "{} more slots than the best plan for as many tokens",
                    percent(above)
                ),
            ));
        }
        lines.push((
            "steps",
            format!(
                "{} on one device, without accumulation",
                mean(figures.steps)
            ),
        ));
        lines.push(match answer.own.padded {
            true => (
                "padding",
                format!("{} of the slots", percent(figures.padding_share)),
            ),
            false => {
                let share = percent(figures.unfilled_share);
                (
                    "unfilled",
                    format!("{share} of the room in rows, which is not computed"),
                )
            }
        });
        if figures.exceeding_share > 0.0 {
            let longest = figures.longest_row;
            lines.push((
                "too long",
                format!(
                    "{} of the rows are longer than the limit, the longest has {} tokens, {}",
                    percent(figures.exceeding_share),
                    mean(longest),
                    factor(longest / f64::from(answer.own.limit))
                ),
            ));
        }
        lines.push((
            "truncated",
            format!("{} of the tokens", percent(figures.truncated_share)),
        ));
        let sequences = plural(figures.dropped_sequences.round() as u64, "sequence");
        lines.push((
            "dropped",
            format!(
                "{} of the tokens, {sequences}",
                percent(figures.dropped_share)
            ),
        ));
        // Without a cut sequence the mean of pieces is 0.
        let pieces = match figures.mean_pieces {
            0.0 => String::new(),
            pieces => {
                let cut = plural(figures.cut_sequences.round() as u64, "sequence");
                format!(" of the tokens: {cut} in {pieces:.1} pieces each")
            }
        };
        lines.push((
            "cut apart",
            format!("{}{pieces}", percent(figures.cut_share)),
        ));
        lines.push((
            "context",
            format!(
                "{} tokens of its own sequence that a token sees, on average; {} in whole sequences",
                mean(figures.mean_context),
                mean(figures.whole_context)
            ),
        ));
        lines
    }

    fn notes(_: LibraryLimits) -> String {
        "tokens that are cut off, dropped, or left over at the end. cut apart: tokens that are trained without the beginning of \
         their sequence."
            .to_owned()
    }
}
