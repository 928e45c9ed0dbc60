//! Results of the rules on the same graphs, and on the training split of ogbg-molhiv.

use super::{LIMITS, MOLHIV, plan};
use crate::learn::prose::figure;
use crate::learn::{ChapterContext, ChapterPart, ChapterTable};
use packscope::api::tuple::Report;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::words::{count, percent};

/// The rule that packs by nodes and ignores the edge limit.
pub(super) const ALONE: &str = "nodes, without an edge limit";
/// The words of the knob, each a rule.
pub(super) const RULES: [&str; 7] = [
    "product", "sum", "maximum", "minimum", "nodes", "edges", ALONE,
];

/// Requests on ogbg-molhiv: names, algorithms and heuristics, in the order of the table.
pub(super) const COMPARED: [(&str, TupleAlgorithm, Heuristic); 11] = [
    ("optimal", TupleAlgorithm::Optimal, Heuristic::Component(0)),
    ("best-fit", TupleAlgorithm::BestFit, Heuristic::Component(0)),
    (
        "nodes",
        TupleAlgorithm::BestFitPublished,
        Heuristic::Component(0),
    ),
    (
        "minimum",
        TupleAlgorithm::BestFitPublished,
        Heuristic::Minimum,
    ),
    (
        "maximum",
        TupleAlgorithm::BestFitPublished,
        Heuristic::Maximum,
    ),
    (
        "edges",
        TupleAlgorithm::BestFitPublished,
        Heuristic::Component(1),
    ),
    ("sum", TupleAlgorithm::BestFitPublished, Heuristic::Sum),
    (
        "product",
        TupleAlgorithm::BestFitPublished,
        Heuristic::Product,
    ),
    (ALONE, TupleAlgorithm::NodesOnly, Heuristic::Component(0)),
    (
        "edges, without a node limit",
        TupleAlgorithm::EdgesOnly,
        Heuristic::Component(1),
    ),
    (
        "one graph a pack",
        TupleAlgorithm::None,
        Heuristic::Component(0),
    ),
];

/// Returns what the table calls a request.
fn called(name: &str) -> &str {
    match name {
        "best-fit" => "nodes, full packs repeated at once",
        "nodes" => "nodes, as published",
        name => name,
    }
}

/// Returns algorithm and heuristic of a word of the knob.
pub(super) fn rule(word: &str) -> (TupleAlgorithm, Heuristic) {
    // The words of the knob are names in the table; an unknown one stands for the first of them.
    let known = COMPARED.iter().find(|(name, ..)| *name == word);
    known.map_or(
        (TupleAlgorithm::BestFitPublished, Heuristic::Product),
        |(_, a, h)| (*a, *h),
    )
}

/// Returns the parts on the rules: the eight graphs, then ogbg-molhiv.
pub(super) fn parts(here: &ChapterContext<'_>) -> Vec<ChapterPart> {
    let word = here.word("rule");
    let mut parts = Vec::new();
    let report = here.graphs("rule");
    parts.push(ChapterPart::Title(
        report.map_or_else(|| "What each rule makes of them".to_owned(), title),
    ));
    parts.push(ChapterPart::Text(
        "To pack the large first, a size of two numbers must become one: a [heuristic]. Each graph then goes into \
         the tightest pack that has room for both its nodes and its edges."
            .to_owned(),
    ));
    parts.push(ChapterPart::Words("rule"));
    if let Some(report) = report {
        parts.push(ChapterPart::Figure(plan::drawing(report)));
        parts.push(ChapterPart::Text(plan_in_words(report)));
    }
    parts.extend(molhiv(here, word));
    parts
}

/// Whether a pack exceeds a limit that was ignored.
fn is_over(report: &Report) -> bool {
    plan::room(report) != LIMITS
}

/// Returns the title from the report's own settings: the knob may have moved on since the request.
fn title(report: &Report) -> String {
    let packs = report.figures.packs;
    if is_over(report) {
        return format!("Nodes alone need {packs} packs, one of them over the edge limit");
    }
    format!(
        "Largest by {} first: {packs} packs",
        report.settings.heuristic
    )
}

fn plan_in_words(report: &Report) -> String {
    let full = |k: usize| {
        report
            .figures
            .efficiency
            .get(k)
            .copied()
            .unwrap_or_default()
    };
    let (nodes, edges) = (full(0), full(1));
    let figures = format!(
        "{} of the node slots are filled, {} of the edge slots.",
        figure("rule_nodes", nodes, &percent(nodes)),
        figure("rule_edges", edges, &percent(edges)),
    );
    if !is_over(report) {
        return format!("{figures} None of the six rules needs fewer than four packs.");
    }
    let [_, needed] = plan::room(report);
    let real = report
        .figures
        .real_tokens
        .get(1)
        .copied()
        .unwrap_or_default();
    // Nodes alone reach a number of packs that the edge limit may not allow: this is what it would
    // be worth.
    let could = real as f64 / (report.figures.packs * u64::from(LIMITS[1])) as f64;
    format!(
        "One pack takes {} edges. Every pack has the same room, so all must grow from {} to that: {figures} As few \
         packs that keep to both limits would have {} of their edge slots filled.",
        figure("edges_needed", needed, &count(u64::from(needed))),
        LIMITS[1],
        percent(could),
    )
}

fn molhiv(here: &ChapterContext<'_>, word: &str) -> Vec<ChapterPart> {
    let reports: Option<Vec<&Report>> = COMPARED
        .iter()
        .map(|(name, ..)| here.graphs(name))
        .collect();
    // All or nothing: a table that fills row by row would move what the reader looks at.
    let Some(reports) = reports else {
        return vec![];
    };
    let row = |(i, report): (usize, &&Report)| {
        let f = &report.figures;
        let full = |k: usize| f.efficiency.get(k).copied().unwrap_or_default();
        vec![
            called(COMPARED[i].0).to_owned(),
            figure("packs", f.packs, &count(f.packs)),
            figure("efficiency", full(0), &percent(full(0))),
            figure("efficiency", full(1), &percent(full(1))),
        ]
    };
    let packs = |name: &str| here.graphs(name).map_or(0, |r| r.figures.packs);
    let needed = here
        .graphs(ALONE)
        .map_or(0, |r| r.figures.slots[1] / r.figures.packs.max(1));
    let spread = packs("product").saturating_sub(packs("nodes"));
    vec![
        ChapterPart::Title(format!(
            "On {} molecules the choice of heuristic is worth {spread} packs",
            count(reports[0].figures.items)
        )),
        ChapterPart::Text(format!(
            "ogbg-molhiv, its training split, with room for every molecule: {} nodes and {} edges. The six rules are those of \
             the published code; its “minimum” was the maximum by a slip, here it is the minimum. Nodes without an edge \
             limit need {needed} edges in a pack, and edge [efficiency] falls to {}. The optimum is [proven:bound]: \
             {} packs, {} fewer than the best of the six.",
            MOLHIV[0],
            MOLHIV[1],
            percent(here.graphs(ALONE).map_or(0.0, |r| r.figures.efficiency[1])),
            count(packs("optimal")),
            packs("nodes").saturating_sub(packs("optimal")),
        )),
        ChapterPart::Table(ChapterTable {
            label: format!(
                "Packs of ogbg-molhiv by rule, at {} nodes and {} edges",
                MOLHIV[0], MOLHIV[1]
            ),
            head: ["rule", "packs", "nodes filled", "edges filled"]
                .map(str::to_owned)
                .to_vec(),
            rows: reports.iter().enumerate().map(row).collect(),
            chosen: COMPARED.iter().position(|(name, ..)| *name == word),
        }),
    ]
}
