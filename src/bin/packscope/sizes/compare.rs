//! `packscope compare --limits`: the rows of Krell et al. 2022, *Tuple Packing*, table 2, and ours.

use super::{Limits, by_components, limits_to_json, read_sizes, settings};
use crate::compare::Compare;
use crate::table;
use packscope::api::tuple::Settings;
use packscope::api::{Graphs, Problem};
use packscope::error::Result;
use packscope::metrics::Figures;
use packscope::packing::tuple::{Algorithm, Heuristic};
use packscope::words::{count, efficiency, gap, seconds};
use serde_json::{Value, json};

/// One row: how it was packed, its figures, its time.
type Row = (Settings, Figures, f64);

/// Runs the command; returns what it prints.
pub fn run(command: &Compare, limits: &Limits) -> Result<String> {
    by_components!(limits.0.len(), compare(command, limits))
}

fn compare<const K: usize>(command: &Compare, limits: &Limits) -> Result<String> {
    let sizes = read_sizes::<K>(&command.input)?;
    let asked = settings(&command.rows, limits, Algorithm::BestFit);
    let prepared = Graphs::prepare(&sizes.histogram, &asked)?;
    let mut rows: Vec<Row> = Vec::new();
    for settings in every::<K>(&asked) {
        let (packed, taken) = command.rows.timed(|steps, ask| prepared.pack(&settings, 0, steps, ask))?;
        let figures = prepared.figures(&settings, &packed);
        rows.push((settings, figures, taken));
    }
    rows.sort_by(|(_, f, _), (_, g, _)| g.efficiency_harmonic.total_cmp(&f.efficiency_harmonic));
    let json = Value::Array(rows.iter().map(row_to_json).collect());
    Ok(table::print(command.format, &heads(&sizes.names), rows.iter().map(cells).collect(), &json))
}

/// All algorithms; the published one with every published heuristic, the others with the one that was asked for.
/// The optimum comes first: its bound serves all.
fn every<const K: usize>(asked: &Settings) -> Vec<Settings> {
    let there = |component: u8| usize::from(component) < K;
    let heuristics = |algorithm| match algorithm {
        Algorithm::BestFitPublished => Heuristic::PUBLISHED
            .into_iter()
            .filter(|h| !matches!(h, Heuristic::Component(k) if !there(*k)))
            .collect(),
        Algorithm::EdgesOnly if !there(1) => Vec::new(),
        _ => vec![asked.heuristic],
    };
    let with = |algorithm: Algorithm| {
        let settings = |heuristic| Settings { algorithm, heuristic, ..asked.clone() };
        heuristics(algorithm).into_iter().map(settings).collect::<Vec<_>>()
    };
    Algorithm::ALL.into_iter().flat_map(with).collect()
}

fn heuristic(settings: &Settings) -> Option<Heuristic> {
    settings.algorithm.has_heuristic().then_some(settings.heuristic)
}

fn row_to_json((settings, figures, taken): &Row) -> Value {
    let mut row = json!(figures);
    row["algorithm"] = json!(settings.algorithm);
    row["heuristic"] = json!(heuristic(settings));
    row["limits"] = limits_to_json(&settings.limits);
    row["seconds"] = json!(taken);
    row
}

fn heads(names: &[String]) -> Vec<String> {
    let before = ["algorithm", "heuristic", "packs", "gap to bound"].map(str::to_owned);
    let after = ["harmonic mean", "time"].map(str::to_owned);
    before.into_iter().chain(names.iter().cloned()).chain(after).collect()
}

fn cells((settings, f, taken): &Row) -> Vec<String> {
    let none = || "–".to_owned();
    let before = [
        settings.algorithm.to_string(),
        heuristic(settings).map_or_else(none, |h| h.to_string()),
        count(f.packs),
        f.gap.map_or_else(none, gap),
    ];
    let each = f.efficiency.iter().copied().map(efficiency);
    let after = [efficiency(f.efficiency_harmonic), seconds(*taken)];
    before.into_iter().chain(each).chain(after).collect()
}
