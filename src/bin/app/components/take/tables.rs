//! The tables of a view, to be saved.

use crate::shared::SharedState;
use packscope::export::{self, Table};
use packscope_page::state::batches::SamplerRow;
use packscope_page::state::graphs::findings;
use packscope_page::state::{Baseline, View};

/// The name of the file of a table and its title, and the table.
pub type NamedTable = ((&'static str, &'static str), Table);

/// Returns the tables of the view: the names of their files, their titles, and the rows that are
/// known.
pub fn tables(state: &SharedState, data: &str) -> Vec<NamedTable> {
    let mut tables = match state.view {
        View::Sequences => of_sequences(state, data),
        View::Graphs => of_graphs(state, data),
        View::Ranks => of_ranks(state, data),
        // Lessons have no exports, so this is the view of batches.
        _ => of_batches(state, data),
    };
    let accelerators = state.speedup.assumptions().accelerators;
    let estimates = state.priced(&state.speedup_cases(), accelerators).estimates;
    if !estimates.is_empty() {
        tables.push((
            ("speedup", "Speed-up, estimated"),
            export::methods(&estimates, accelerators, data),
        ));
    }
    tables
}

fn of_ranks(state: &SharedState, data: &str) -> Vec<NamedTable> {
    let step = state.ranked().map(|ranked| {
        (
            ("ranks", "One step by rank"),
            export::ranks(ranked.report, data),
        )
    });
    let ways = state.dealings().map(|table| {
        (
            ("dealings", "Ways to assign"),
            export::dealings(&table.rows, data),
        )
    });
    step.into_iter().chain(ways).collect()
}

fn of_sequences(state: &SharedState, data: &str) -> Vec<NamedTable> {
    let Some(answer) = &state.sequences.answer else {
        return Vec::new();
    };
    let f = &answer.report.figures;
    let mut figures = export::figures(f, &["length".to_owned()], data);
    let batches = state.padded(Baseline::Batches);
    if let Some(padded) = &batches {
        export::add_batches(&mut figures, f, padded, state.sequences.settings.batch);
    }
    let rows = state
        .sequences
        .all_rows()
        .into_iter()
        .filter_map(|row| state.sequences.row(row));
    let rows = rows.map(|r| {
        (
            r.row.0.name(),
            r.row.0.depth(r.row.1),
            &r.figures,
            r.seconds,
        )
    });
    vec![
        (("figures", "Figures"), figures),
        (
            ("algorithms", "Algorithms and depths"),
            export::algorithms(rows, batches.as_ref(), data),
        ),
    ]
}

fn of_graphs(state: &SharedState, data: &str) -> Vec<NamedTable> {
    let graphs = &state.graphs;
    let Some(answer) = &graphs.answer else {
        return Vec::new();
    };
    let words = graphs.words();
    let names = words.names().map(str::to_owned);
    let figures = export::figures(&answer.report.figures, &names, data);
    let rows = graphs.all_rows().into_iter().filter_map(|row| {
        let by = row
            .heuristic
            .map(|heuristic| format!(" by {heuristic}"))
            .unwrap_or_default();
        let point = graphs.row(row)?;
        let ignored = findings::of_ignored(row, &words);
        let ignored = ignored
            .map(|limit| format!(", ignores the limit of {limit}"))
            .unwrap_or_default();
        Some((
            format!("{}{by}{ignored}", row.algorithm),
            &point.figures,
            point.seconds,
        ))
    });
    let mut tables = vec![
        (("figures", "Figures"), figures),
        (
            ("algorithms", "Algorithms"),
            export::graph_algorithms(rows, &names, data),
        ),
    ];
    let points = &graphs.course.points;
    if !points.is_empty() {
        let rows = points
            .iter()
            .map(|p| (p.limits, p.packs, p.efficiency, p.harmonic));
        tables.push((
            ("limits", "Limits tried"),
            export::sweep(rows, &names, data),
        ));
    }
    tables
}

fn of_batches(state: &SharedState, data: &str) -> Vec<NamedTable> {
    let rows = state.batch_rows();
    let reports: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((named(*row), state.priced_report(*row)?)))
        .collect();
    let epochs = reports
        .iter()
        .flat_map(|(sampler, report)| report.epochs.iter().map(move |e| (*sampler, e)));
    vec![(
        (
            "samplers",
            if state.trains() {
                "Samplers, epoch by epoch"
            } else {
                "Samplers"
            },
        ),
        export::samplers(epochs, data),
    )]
}

/// Returns the name of a sampler in a table; the bucket sampler has two names.
fn named(row: SamplerRow) -> &'static str {
    match row.merging {
        Some(false) => "bucket without merging",
        _ => row.sampler.name(),
    }
}
