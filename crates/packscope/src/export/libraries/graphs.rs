//! Loaders of graphs.

use super::words::limits;
use super::{Figure, LibraryReport, LibrarySheetRow, figure, number, rounded, signed_share};
use crate::api::trainer::graphs::Figures;
use crate::api::trainer::{LibraryAnswer, LibraryKind};
use crate::histogram::Size;
use crate::metrics::Column;
use crate::metrics::FigureValue::{Real, Whole};
use crate::trainer::graphs::GraphLibraries;
use crate::words::{count, mean, percent};

impl LibraryReport for GraphLibraries {
    const COLUMNS: &'static [Column<Figures>] = &[
        Column::new("batches", "batches", |f| Some(Real(f.batches, number))),
        Column::new("above_best", "above best", |f| {
            f.above_best.map(|x| Real(x, signed_share))
        }),
        Column::new("graphs_per_batch", "graphs each", |f| {
            Some(Real(f.graphs_per_batch, mean))
        }),
        Column::new("padding_share_nodes", "unfilled nodes", |f| {
            f.padding_share[0].map(|x| Real(x, percent))
        }),
        Column::new("padding_share_edges", "unfilled edges", |f| {
            f.padding_share[1].map(|x| Real(x, percent))
        }),
        Column::new("skipped_share", "skipped", |f| {
            Some(Real(f.skipped_share, percent))
        }),
        Column::new("repeated_share", "twice", |f| {
            Some(Real(f.repeated_share, percent))
        }),
        Column::new("largest_nodes", "most nodes", |f| Some(Whole(f.largest[0]))),
        Column::new("largest_edges", "most edges", |f| Some(Whole(f.largest[1]))),
    ];

    fn given(given: Size<2>) -> LibraryKind {
        LibraryKind::Graphs(given)
    }

    fn least(answer: &LibraryAnswer<Self>) -> Option<LibraryKind> {
        answer.own.least.map(LibraryKind::Graphs)
    }

    /// Without padding, nothing is computed beyond the best plan.
    fn look(of: &LibrarySheetRow<Self>) -> (f64, Option<f64>) {
        let padded = of.answer.own.shape.is_some_and(|shape| shape.padded);
        let above = if padded {
            of.figures.above_best.map(|above| above.max(0.0))
        } else {
            Some(0.0)
        };
        (of.figures.skipped_share, above)
    }

    fn title(of: &LibrarySheetRow<Self>) -> String {
        let (f, name) = (of.figures, &of.answer.about.title);
        let padded = of.answer.own.shape.is_some_and(|shape| shape.padded);
        // The least share that advice names, too.
        let skipped = (f.skipped_share >= 0.0005).then(|| {
            format!(
                "; {} of the graphs are skipped in a pass",
                percent(f.skipped_share)
            )
        });
        let skipped = skipped.unwrap_or_default();
        match (padded, f.padding_share) {
            (true, [Some(of_nodes), Some(of_edges)]) => format!(
                "With {name}, {} of the node slots and {} of the edge slots are padding at {}{skipped}",
                percent(of_nodes),
                percent(of_edges),
                limits(LibraryKind::Graphs(of.given))
            ),
            _ => {
                let [most_nodes, most_edges] = f.largest.map(count);
                let batches = count(f.batches.round() as u64);
                format!(
                    "{name} makes {batches} batches without padding, the largest of {most_nodes} nodes and {most_edges} edges{skipped}"
                )
            }
        }
    }

    fn figures(of: &LibrarySheetRow<Self>) -> Vec<Figure> {
        let f = of.figures;
        let Some(shape) = of.answer.own.shape else {
            return Vec::new();
        };
        let spread = super::spread(of.answer.runs.iter().map(|run| run.tally.batches));
        let best = f.above_best.map(|share| match share {
            share if share < 0.0005 => "as the best plan found in batches of this size".to_owned(),
            share => format!(
                "{} above the best plan found in batches of this size",
                signed_share(share)
            ),
        });
        let note = [best, spread]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("; ");
        let mut all = vec![figure("batches", "Batches", f.batches, rounded, note)];
        let names = match shape.padded {
            true => [
                ("padding_share_nodes", "Node padding"),
                ("padding_share_edges", "Edge padding"),
            ],
            false => [
                ("padding_share_nodes", "Unfilled nodes"),
                ("padding_share_edges", "Unfilled edges"),
            ],
        };
        for ((k, (id, name)), share) in (0..).zip(names).zip(f.padding_share) {
            let Some(share) = share else { continue };
            let note = match shape.padded {
                true => format!(
                    "of {} slots in a batch",
                    shape.slots[k].map_or_else(String::new, count)
                ),
                false => "room that is not computed: it costs nothing".to_owned(),
            };
            all.push(figure(id, name, share, percent, note));
        }
        if !shape.padded {
            let (nodes, edges) = (f.largest[0] as f64, count(f.largest[1]));
            all.push(figure(
                "largest_nodes",
                "Largest batch",
                nodes,
                rounded,
                format!("nodes; {edges} edges"),
            ));
        }
        let note = match f.repeated_share {
            0.0 => "not trained in a pass".to_owned(),
            twice => format!(
                "not trained in a pass; {} are trained twice",
                percent(twice)
            ),
        };
        all.push(figure(
            "skipped_share",
            "Graphs skipped",
            f.skipped_share,
            percent,
            note,
        ));
        all
    }

    fn place(f: &Figures) -> Option<(f64, f64)> {
        Some((f.skipped_share, f.above_best?.max(0.0)))
    }
}
