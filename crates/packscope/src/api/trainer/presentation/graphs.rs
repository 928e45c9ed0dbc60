//! Loaders of graphs.

use super::{
    AnswerContext, LibraryFigure, Presentation, amount, average, rounded, share, signed,
    signed_share,
};
use crate::api::trainer::LibraryKind;
use crate::api::trainer::figures::GraphFigures;
use crate::metrics::FigureValue::{self, Whole};
use crate::trainer::graphs::GraphLibraries;
use crate::words::{count, mean, percent};

type Context<'a> = AnswerContext<'a, GraphLibraries>;
type Figure = LibraryFigure<GraphLibraries>;

pub(in crate::api::trainer) const LOADING: Presentation<GraphLibraries> = Presentation {
    figures: FIGURES,
    title,
    lost: |f| f.skipped_share,
    // Without padding, nothing is computed beyond the best plan.
    excess: |_, own, f| match own.is_some_and(|own| own.is_padded()) {
        true => f.above_best.map(|above| above.max(0.0)),
        false => Some(0.0),
    },
    place: |f| Some((f.skipped_share, f.above_best?.max(0.0))),
    sample: |_| None,
    least: |own| own.least.map(LibraryKind::Graphs),
    longer: |_| None,
    losses: |_| {
        "graphs that are not trained in a pass. The best plan has batches of the same size."
            .to_owned()
    },
};

const FIGURES: &[Figure] = &[
    Figure::line(1, "batch", |of| {
        // A loader may limit nodes or edges alone.
        let slots = |slots: Option<u64>| slots.map_or_else(|| "any number of".to_owned(), count);
        let [nodes, edges] = of.answer.own.shape?.slots.map(slots);
        Some(format!("{nodes} nodes, {edges} edges"))
    }),
    Figure::new("batches", "batches", |f| Some(amount(f.batches)))
        .on_page(1, "batches", "Batches", below_batches)
        .in_text(2, "batches", |of| of.over_seeds(|tally| tally.batches))
        .formatted(Some(rounded), Some(mean)),
    Figure::new("above_best", "above best", |f| f.above_best.map(signed)).in_text(
        3,
        "above best",
        |of| {
            let (packs, alone) = of.answer.own.best?;
            let (packs, too_large) = (count(packs), count(alone));
            let alone = match alone {
                0 => String::new(),
                _ => format!(" and {too_large} too large for it"),
            };
            Some(format!(" (a plan in batches of this size: {packs}{alone})"))
        },
    ),
    Figure::new("graphs_per_batch", "graphs each", |f| {
        Some(average(f.graphs_per_batch))
    })
    .in_text(4, "graphs", |of| {
        // The extremes of all seeds; the figure is a mean.
        let ((least, _), (_, most)) = (of.range(|t| t.depth.0), of.range(|t| t.depth.1));
        let [least, most] = [least, most].map(count);
        Some(format!(" in a batch, {least} to {most}"))
    }),
    Figure::new("padding_share_nodes", "unfilled nodes", unfilled::<0>).on_page(
        2,
        "padding_share_nodes",
        "Node padding",
        slots_of_batch::<0>,
    ),
    Figure::new("padding_share_edges", "unfilled edges", unfilled::<1>).on_page(
        3,
        "padding_share_edges",
        "Edge padding",
        slots_of_batch::<1>,
    ),
    Figure::new("skipped_share", "skipped", |f| Some(share(f.skipped_share)))
        .on_page(5, "skipped_share", "Graphs skipped", |of| {
            Some(match of.figures.repeated_share {
                0.0 => "not trained in a pass".to_owned(),
                twice => format!(
                    "not trained in a pass; {} are trained twice",
                    percent(twice)
                ),
            })
        })
        .in_text(7, "skipped", |of| {
            let [nodes, edges] = of.figures.lost_share.map(percent);
            Some(format!(
                " of the graphs, {nodes} of the nodes, {edges} of the edges"
            ))
        }),
    Figure::new("repeated_share", "twice", |f| Some(share(f.repeated_share))).in_text(
        8,
        "twice",
        |of| (of.figures.repeated_share > 0.0).then(|| " of the graphs".to_owned()),
    ),
    Figure::new("largest_nodes", "most nodes", |f| Some(Whole(f.largest[0])))
        .on_page(4, "largest_nodes", "Largest batch", |of| {
            let edges = count(of.figures.largest[1]);
            (!of.is_padded()).then(|| format!("nodes; {edges} edges"))
        })
        .in_text(6, "largest", |of| {
            let edges = count(of.figures.largest[1]);
            Some(format!(" nodes, {edges} edges in a batch"))
        }),
    Figure::new("largest_edges", "most edges", |f| Some(Whole(f.largest[1]))),
    // The same shares as above, under other names where the room is not computed.
    Figure::untabulated(unfilled::<0>).on_page(
        2,
        "padding_share_nodes",
        "Unfilled nodes",
        costs_nothing,
    ),
    Figure::untabulated(unfilled::<1>).on_page(
        3,
        "padding_share_edges",
        "Unfilled edges",
        costs_nothing,
    ),
    Figure::line(5, "padding", |of| of.is_padded().then(|| shares(of))),
    Figure::line(5, "unfilled", |of| {
        let shares = shares(of);
        (!of.is_padded()).then(|| format!("{shares} of the room, which is not computed"))
    }),
    Figure::untabulated(|f| Some(average(f.above))).in_text(9, "too large", |of| {
        (of.figures.above > 0.0).then(|| " batches are larger than they are to be".to_owned())
    }),
    Figure::untabulated(|f| Some(average(f.empty))).in_text(10, "empty", |of| {
        (of.figures.empty > 0.0).then(|| " batches have no graph".to_owned())
    }),
];

impl Context<'_> {
    fn is_padded(&self) -> bool {
        self.answer.own.is_padded()
    }
}

/// Returns the share of empty slots of a component; `None` for one without a limit.
fn unfilled<const K: usize>(f: &GraphFigures) -> Option<FigureValue> {
    f.padding_share[K].map(share)
}

fn slots_of_batch<const K: usize>(of: &Context) -> Option<String> {
    let shape = of.answer.own.shape.filter(|shape| shape.padded)?;
    let slots = shape.slots[K].map_or_else(String::new, count);
    Some(format!("of {slots} slots in a batch"))
}

fn costs_nothing(of: &Context) -> Option<String> {
    let words = "room that is not computed: it costs nothing";
    (!of.is_padded()).then(|| words.to_owned())
}

/// Returns the shares of empty slots of both components.
fn shares(of: &Context) -> String {
    let share = |share: Option<f64>| share.map_or_else(|| "not limited".to_owned(), percent);
    let [nodes, edges] = of.figures.padding_share.map(share);
    format!("nodes {nodes}, edges {edges}")
}

/// Returns the words below the batches on the page: above the best plan, and by order.
fn below_batches(of: &Context) -> Option<String> {
    let best = of.figures.above_best.map(|share| match share {
        share if share < 0.0005 => "as the best plan found in batches of this size".to_owned(),
        share => format!(
            "{} above the best plan found in batches of this size",
            signed_share(share)
        ),
    });
    let parts = [best, of.by_order(|tally| tally.batches)];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

fn title(of: &Context) -> String {
    let (f, name) = (of.figures, &of.answer.about.title);
    // The least share that advice names, too.
    let skipped = (f.skipped_share >= 0.0005).then(|| {
        format!(
            "; {} of the graphs are skipped in a pass",
            percent(f.skipped_share)
        )
    });
    let skipped = skipped.unwrap_or_default();
    match (of.is_padded(), f.padding_share) {
        (true, [Some(of_nodes), Some(of_edges)]) => format!(
            "With {name}, {} of the node slots and {} of the edge slots are padding at {}{skipped}",
            percent(of_nodes),
            percent(of_edges),
            LibraryKind::Graphs(of.given).limits()
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
