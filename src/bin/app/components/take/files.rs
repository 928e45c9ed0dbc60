//! Plan, figures and tables as files.

use super::Props;
use super::save::{Copy, save_button};
use super::subject::{PLANLESS, Subject};
use super::whole::Whole;
use crate::shared::Shared;
use packscope::api::ranks::{Part, Table as Ways};
use packscope::bounds::BoundKind;
use packscope::export::{self, Table};
use packscope::metrics::Figures;
use packscope::state::View;
use packscope::state::batches::Row;
use packscope::state::graphs::findings;
use packscope::wire::decode;
use packscope::words::count;
use serde::de::DeserializeOwned;
use yew::prelude::*;

/// The list of files, each in its formats.
pub fn files(props: &Props, subject: &Subject) -> Html {
    let state = &props.state;
    let table = |(about, table): Named| match about {
        (name @ ("algorithms" | "samplers"), words) => {
            html! { <Whole state={state.clone()} dispatch={props.dispatch.clone()} {name} {words} /> }
        }
        _ => row(subject, about, table),
    };
    html! {
        <div class="panel files">
            <h3>{ "Files" }</h3>
            <ul>
                { plan(subject) }
                { certificate(state, subject, &props.certify) }
                { for tables(state, &subject.data).into_iter().map(table) }
            </ul>
        </div>
    }
}

fn plan(subject: &Subject) -> Html {
    let plan = match &subject.plan {
        Ok(plan) => plan,
        // Batches and ranks have no plan.
        Err(why) if why.ends_with(PLANLESS) => return html! {},
        Err(why) => return html! { <li><span>{ "Plan" }</span><span class="hint">{ why }</span></li> },
    };
    let (json, csv) = (plan.clone(), plan.clone());
    html! {
        <li>
            <span>{ "Plan" }</span>
            { save_button("JSON", subject.file("plan.json"), move || json.json()) }
            { save_button("CSV", subject.file("plan.csv"), move || csv.csv()) }
            <span class="hint">{ "shapes of packs, and how many of each" }</span>
        </li>
    }
}

/// The button for the certificate; nothing unless the plan on screen meets a bound that has one.
fn certificate(state: &Shared, subject: &Subject, certify: &Callback<String>) -> Html {
    let figures = match state.view {
        View::Sequences => state.sequences.answer.as_ref().map(|answer| &answer.report.figures),
        View::Graphs => state.graphs.answer.as_ref().map(|answer| &answer.report.figures),
        View::Batches | View::Ranks | View::Learn => None,
    };
    let proven = |f: &&Figures| f.gap == Some(0.0) && f.bound_kind == Some(BoundKind::LinearProgram);
    if figures.filter(proven).is_none() {
        return html! {};
    }
    let name = subject.file("certificate.json");
    let (file, label) = (name.clone(), format!("Save as JSON: {name}"));
    let onclick = certify.reform(move |_: MouseEvent| name.clone());
    html! {
        <li>
            <span>{ "Certificate" }</span>
            <button type="button" class="word" aria-label={label} data-file={file} {onclick}>{ "JSON" }</button>
            <span class="hint">{ "the proof in whole numbers: no pack is worth more than “most”, so fewer packs cannot hold all items" }</span>
        </li>
    }
}

fn row(subject: &Subject, (name, words): (&str, &str), table: Table) -> Html {
    let rows = count(table.rows.len() as u64);
    let markdown = table.markdown();
    let (csv, text) = (table, markdown.clone());
    html! {
        <li data-rows={rows}>
            <span>{ words.to_owned() }</span>
            { save_button("CSV", subject.file(&format!("{name}.csv")), move || csv.csv()) }
            { save_button("Markdown", subject.file(&format!("{name}.md")), move || text.clone()) }
            <Copy text={markdown} label={format!("{words} as Markdown")} />
        </li>
    }
}

pub type Named = ((&'static str, &'static str), Table);

/// Returns the tables of the view: the names of their files, their titles, and the rows that are known.
pub fn tables(state: &Shared, data: &str) -> Vec<Named> {
    let mut tables = match state.view {
        View::Sequences => of_sequences(state, data),
        View::Graphs => of_graphs(state, data),
        View::Ranks => of_ranks(state, data),
        _ => of_batches(state, data),
    };
    let accelerators = state.speedup.assumptions().accelerators;
    let estimates = state.priced(&state.speedup_cases(), accelerators).estimates;
    if !estimates.is_empty() {
        tables.push((("speedup", "Speed-up, estimated"), export::methods(&estimates, accelerators, data)));
    }
    tables
}

fn of_ranks(state: &Shared, data: &str) -> Vec<Named> {
    fn opened<T: DeserializeOwned>(state: &Shared, part: Part) -> Option<T> {
        decode(state.ranked(part)?.sealed).ok()
    }
    let step = opened(state, Part::Report)
        .map(|report| (("ranks", "One step by rank"), export::ranks(&report, data)));
    let ways = opened::<Ways>(state, Part::Table)
        .map(|table| (("dealings", "Ways to deal"), export::dealings(&table.rows, data)));
    step.into_iter().chain(ways).collect()
}

fn of_sequences(state: &Shared, data: &str) -> Vec<Named> {
    let Some(answer) = &state.sequences.answer else { return Vec::new() };
    let figures = export::figures(&answer.report.figures, &["length".to_owned()], data);
    let rows = state.sequences.all_rows().into_iter().filter_map(|row| state.sequences.row(row));
    let rows = rows.map(|r| (r.row.0.name(), r.row.0.depth(r.row.1), &r.figures, r.seconds));
    vec![
        (("figures", "Figures"), figures),
        (("algorithms", "Algorithms and depths"), export::algorithms(rows, data)),
    ]
}

fn of_graphs(state: &Shared, data: &str) -> Vec<Named> {
    let graphs = &state.graphs;
    let Some(answer) = &graphs.answer else { return Vec::new() };
    let words = graphs.words();
    let names = words.names().map(str::to_owned);
    let figures = export::figures(&answer.report.figures, &names, data);
    let rows = graphs.all_rows().into_iter().filter_map(|row| {
        let by = row.heuristic.map(|heuristic| format!(" by {heuristic}")).unwrap_or_default();
        let point = graphs.row(row)?;
        let ignored = findings::of_ignored(row, &words);
        let ignored = ignored.map(|limit| format!(", ignores the limit of {limit}")).unwrap_or_default();
        Some((format!("{}{by}{ignored}", row.algorithm), &point.figures, point.seconds))
    });
    let mut tables = vec![
        (("figures", "Figures"), figures),
        (("algorithms", "Algorithms"), export::graph_algorithms(rows, &names, data)),
    ];
    let points = &graphs.course.points;
    if !points.is_empty() {
        let rows = points.iter().map(|p| (p.limits, p.packs, p.efficiency, p.harmonic));
        tables.push((("limits", "Limits tried"), export::sweep(rows, &names, data)));
    }
    tables
}

fn of_batches(state: &Shared, data: &str) -> Vec<Named> {
    let rows = state.batch_rows();
    let reports: Vec<_> =
        rows.iter().filter_map(|row| Some((named(*row), state.priced_report(*row)?))).collect();
    let epochs =
        reports.iter().flat_map(|(sampler, report)| report.epochs.iter().map(move |e| (*sampler, e)));
    vec![(("samplers", "Samplers, epoch by epoch"), export::samplers(epochs, data))]
}

/// Returns the name of a sampler in a table; the bucket sampler has two names.
fn named(row: Row) -> &'static str {
    match row.merging {
        Some(false) => "bucket without merging",
        _ => row.sampler.name(),
    }
}
