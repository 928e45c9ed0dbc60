//! The libraries that pack side by side, as installed and as the judge advises: a plot of what they compute against what
//! they lose, and a table with the change to make.

use super::shown::{add_coming, plotted, row, saved};
use crate::components::explained::terms;
use crate::shared::SharedState;
use packscope::export::Table;
use packscope::export::libraries::{JudgedLibrary, judged_table};
use packscope::words::{capital, count};
use packscope_chart::Look;
use packscope_chart::lines::Dot;
use packscope_page::state::View;
use packscope_page::state::speedup::findings::{model_name, short_accelerator};
use packscope_page::state::trainer::{Action as Trained, as_rows, library_names};
use yew::prelude::*;

/// The plot, with its sentence; nothing before the first verdict.
pub fn plot(state: &SharedState) -> Html {
    let judged = state.judged_libraries();
    let rows = as_rows(&judged);
    let chosen = state.libraries(View::Sequences).choice.library.as_deref();
    let dots = dots(&rows, chosen);
    if dots.is_empty() {
        return Html::default();
    }
    let title = sentence(&rows);
    let label = format!(
        "Slots computed above the tokens against tokens lost, as advised, by {} libraries",
        rows.len()
    );
    plotted(
        (state.theme, CAPTION),
        (&label, &title),
        (dots, "tokens lost, and half of those cut apart", true),
    )
}

const CAPTION: &str = "as advised: slots computed above the tokens, by the share of the tokens that is lost, half of each that is trained without its beginning; the best is at the lower left";

/// Returns the libraries as named dots, the chosen one first.
fn dots(rows: &[JudgedLibrary], chosen: Option<&str>) -> Vec<Dot> {
    let title = |id: &str| {
        let mut names = library_names(View::Sequences).iter();
        names
            .find(|(other, _)| *other == id)
            .map(|(_, title)| *title)
    };
    let dot = |of: &JudgedLibrary| {
        let look = match chosen == Some(of.id) {
            true => Look::Accent,
            false => Look::Ink,
        };
        Some(Dot {
            at: JudgedLibrary::place(of.plan()?)?,
            name: title(of.id)?.to_owned(),
            look,
        })
    };
    let mut dots: Vec<Dot> = rows.iter().filter_map(dot).collect();
    dots.sort_by_key(|dot| dot.look != Look::Accent);
    dots
}

/// Returns in a sentence how many libraries have something to change, and how many do not take the data.
fn sentence(rows: &[JudgedLibrary]) -> String {
    let advised = |of: &&JudgedLibrary| of.verdict.is_ok_and(|verdict| verdict.then.is_some());
    let padded = |of: &&JudgedLibrary| {
        let now = of.verdict.ok().and_then(|verdict| verdict.now.as_ref());
        now.is_some_and(|now| now.padding_share > 0.1)
    };
    let stops = |of: &&JudgedLibrary| of.plan().is_none_or(|plan| !plan.fits);
    let many = |is: &dyn Fn(&&JudgedLibrary) -> bool| count(rows.iter().filter(is).count() as u64);
    let mut parts = vec![
        format!(
            "As installed {} of {} pad more than a tenth",
            many(&padded),
            count(rows.len() as u64)
        ),
        format!("a change is worth making in {}", many(&advised)),
    ];
    if rows.iter().any(|row| stops(&row)) {
        parts.push(format!("{} cannot train these data here", many(&stops)));
    }
    parts.join("; ")
}

/// The columns that stand on the page: those before the change are of the library as it is set now.
const SHOWN: [&str; 11] = [
    "library",
    "padding_now",
    "lost_now",
    "hours_now",
    "change",
    "computed",
    "lost_share",
    "cut_share",
    "batch",
    "hours",
    "speedup",
];

/// The table, with rows for the libraries that are still to come.
pub fn table(state: &SharedState, act: &Callback<Trained>) -> Html {
    let judged = state.judged_libraries();
    let all = judged_table(&as_rows(&judged));
    let csv = all.csv();
    let mut shown = columns(&all);
    let coming = state.unjudged();
    add_coming(&mut shown, &coming);
    let file = saved("trainers.csv", csv, &coming);
    let names = library_names(View::Sequences);
    let chosen = state.libraries(View::Sequences).choice.library.as_deref();
    let heads = shown.columns.iter();
    let heads = heads.map(|(_, words)| html! { <th>{ capital(words) }</th> });
    let a = state.speedup.assumptions();
    let on = format!(
        "{} on {}",
        model_name(state),
        short_accelerator(state.speedup.accelerator.name)
    );
    let note = format!(
        "{on}, {} of them, with as many rows at a time as the memory holds, at the same tokens a step for both sides of a row. The chosen library is at its settings. Slots a token: slots that are computed for each token that is trained. Cut apart: tokens that are trained without the beginning of their sequence. An epoch and its gain are estimates, the gain for each token. The list begins with what is used most. ",
        count(u64::from(a.accelerators))
    );
    html! {
        <>
            <div class="scroll">
                <table class="compare of-trainers of-judged">
                    <thead>
                        <tr>
                            <td />
                            <th colspan="3" scope="colgroup">{ "As installed" }</th>
                            <th colspan="7" scope="colgroup">{ "As advised" }</th>
                        </tr>
                        <tr>{ for heads }</tr>
                    </thead>
                    <tbody>
                        {
                            for shown
                                .rows
                                .iter()
                                .map(|cells| row(cells, &shown.columns, (names, chosen), act))
                        }
                    </tbody>
                </table>
            </div>
            <p class="small">
                { terms(&note) }
                { "The file has all figures. " }
                { file }
            </p>
        </>
    }
}

fn columns(table: &Table) -> Table {
    let places: Vec<usize> = SHOWN
        .iter()
        .filter_map(|name| table.columns.iter().position(|(other, _)| other == name))
        .collect();
    Table {
        title: String::new(),
        columns: places.iter().map(|at| table.columns[*at].clone()).collect(),
        rows: table
            .rows
            .iter()
            .map(|row| places.iter().map(|at| row[*at].clone()).collect())
            .collect(),
    }
}
