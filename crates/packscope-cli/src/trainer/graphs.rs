//! Loaders of graphs: `packscope trainer --limits`.

use super::text::spread;
use super::{TextReport, Trainer, TrainerData};
use crate::sizes::{Sizes, read_sizes};
use packscope::api::trainer::LibraryAnswer;
use packscope::error::Result;
use packscope::export::libraries::signed_share;
use packscope::histogram::Size;
use packscope::trainer::graphs::GraphLibraries;
use packscope::words::{count, mean, percent};

impl TextReport for GraphLibraries {
    fn read(command: &Trainer) -> Result<TrainerData<Size<2>>> {
        command.data(
            |input| {
                input.uncomputed()?;
                let Sizes {
                    histogram, read, ..
                } = read_sizes::<2>(input)?;
                Ok((histogram.entries().to_vec(), read))
            },
            |input| (input.sizes(), |size| size),
        )
    }

    fn lines(answer: &LibraryAnswer<Self>, _: Size<2>) -> Vec<(&'static str, String)> {
        let (Some(figures), Some(shape)) = (&answer.figures, &answer.own.shape) else {
            return Vec::new();
        };
        let spread = spread(answer.runs.iter().map(|run| run.tally.batches));
        // A loader may limit nodes or edges alone.
        let slots = |slots: Option<u64>| slots.map_or_else(|| "any number of".to_owned(), count);
        let [nodes, edges] = shape.slots.map(slots);
        let mut lines = vec![("batch", format!("{nodes} nodes, {edges} edges"))];
        lines.push(("batches", format!("{}{spread}", mean(figures.batches))));
        if let (Some(share), Some((packs, alone))) = (figures.above_best, answer.own.best) {
            let alone = if alone == 0 {
                String::new()
            } else {
                format!(" and {} too large for it", count(alone))
            };
            lines.push((
                "above best",
                format!(
                    "{} (a plan in batches of this size: {}{alone})",
                    signed_share(share),
                    count(packs)
                ),
            ));
        }
        // The extremes of all seeds; the figures are means.
        let (least, most) = answer
            .runs
            .iter()
            .fold((u64::MAX, 0), |(least, most), run| {
                (least.min(run.tally.depth.0), most.max(run.tally.depth.1))
            });
        lines.push((
            "graphs",
            format!(
                "{} in a batch, {} to {}",
                mean(figures.graphs_per_batch),
                count(least),
                count(most)
            ),
        ));
        // Loaders that do not pad compute only the nodes and edges that are there.
        let computed = if shape.padded {
            ""
        } else {
            " of the room, which is not computed"
        };
        let [of_nodes, of_edges] = figures
            .padding_share
            .map(|share| share.map_or_else(|| "not limited".to_owned(), percent));
        let name = if shape.padded { "padding" } else { "unfilled" };
        lines.push((
            name,
            format!("nodes {of_nodes}, edges {of_edges}{computed}"),
        ));
        let [largest_nodes, largest_edges] = figures.largest.map(count);
        lines.push((
            "largest",
            format!("{largest_nodes} nodes, {largest_edges} edges in a batch"),
        ));
        let [lost_nodes, lost_edges] = figures.lost_share.map(percent);
        lines.push((
            "skipped",
            format!(
                "{} of the graphs, {lost_nodes} of the nodes, {lost_edges} of the edges",
                percent(figures.skipped_share)
            ),
        ));
        if figures.repeated_share > 0.0 {
            lines.push((
                "twice",
                format!("{} of the graphs", percent(figures.repeated_share)),
            ));
        }
        for (name, value, words) in [
            (
                "too large",
                figures.above,
                "batches are larger than they are to be",
            ),
            ("empty", figures.empty, "batches have no graph"),
        ] {
            if value > 0.0 {
                lines.push((name, format!("{} {words}", mean(value))));
            }
        }
        lines
    }

    fn notes(_: Size<2>) -> String {
        "graphs that are not trained in a pass. The best plan has batches of the same size."
            .to_owned()
    }
}
