//! Plan, figures and tables as files, and the assignment of the items of the visitor's file to packs.

use super::Props;
use super::save::{Copy, save_button};
use super::subject::ExportSubject;
use super::tables::{NamedTable, tables};
use super::whole::Whole;
use crate::files::AssignRequest;
use crate::shared::SharedState;
use packscope::bounds::BoundKind;
use packscope::export::{Form, Table};
use packscope::metrics::Figures;
use packscope::words::count;
use packscope_page::state::View;
use yew::prelude::*;

pub fn files(props: &Props, subject: &ExportSubject) -> Html {
    let state = &props.state;
    let table = |(about, table): NamedTable| match about {
        // Tables of which some rows may not be known yet.
        (name @ ("algorithms" | "samplers"), words) => {
            html! {
                <Whole state={state.clone()} dispatch={props.dispatch.clone()} {name} {words} />
            }
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

fn plan(subject: &ExportSubject) -> Html {
    let plan = match &subject.plan {
        None => return html! {},
        Some(Ok(plan)) => plan,
        Some(Err(why)) => {
            return html! {
                <li>
                    <span>{ "Plan" }</span>
                    <span class="hint">{ why }</span>
                </li>
            };
        }
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
fn certificate(state: &SharedState, subject: &ExportSubject, certify: &Callback<String>) -> Html {
    let figures = match state.view {
        View::Sequences => state
            .sequences
            .answer
            .as_ref()
            .map(|answer| &answer.report.figures),
        View::Graphs => state
            .graphs
            .answer
            .as_ref()
            .map(|answer| &answer.report.figures),
        View::Batches | View::Ranks | View::Learn => None,
    };
    // Only bounds by a linear program have a certificate: prices of sizes that anyone can check.
    let proven =
        |f: &&Figures| f.gap == Some(0.0) && f.bound_kind == Some(BoundKind::LinearProgram);
    if figures.filter(proven).is_none() {
        return html! {};
    }
    let name = subject.file("certificate.json");
    let (file, label) = (name.clone(), format!("Save as JSON: {name}"));
    let onclick = certify.reform(move |_: MouseEvent| name.clone());
    html! {
        <li>
            <span>{ "Certificate" }</span>
            <button type="button" class="word" aria-label={label} data-file={file} {onclick}>
                { "JSON" }
            </button>
            <span class="hint">
                { "the proof in whole numbers: no pack is worth more than “most”, so fewer packs cannot hold all items" }
            </span>
        </li>
    }
}

fn row(subject: &ExportSubject, (name, words): (&str, &str), table: Table) -> Html {
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

/// A list item with the buttons that save the assignment; nothing without a plan.
pub fn assignment(subject: &ExportSubject, assign: &Callback<AssignRequest>) -> Html {
    let Some(Ok(plan)) = &subject.plan else {
        return html! {};
    };
    let items = subject.items;
    let button = |form: Form, words: &'static str| {
        let name = subject.file(&format!("assignment.{}", form.name()));
        let (file, label) = (name.clone(), format!("Save as {words}: {name}"));
        let plan = plan.clone();
        let onclick = assign.reform(move |_: MouseEvent| AssignRequest {
            plan: plan.json(),
            form,
            name: name.clone(),
            items,
        });
        html! {
            <button type="button" class="word" aria-label={label} data-file={file} {onclick}>
                { words }
            </button>
        }
    };
    html! {
        <div class="panel files">
            <ul>
                <li>
                    <span>{ "Assignment" }</span>
                    { button(Form::Csv, "CSV") }
                    { button(Form::Npy, "npy") }
                    <span class="hint">
                        { "the pack, place and offset of each item of your file, in its order; items are numbered from 0" }
                    </span>
                </li>
            </ul>
        </div>
    }
}
