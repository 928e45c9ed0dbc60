//! All libraries side by side: wasted computation against lost tokens, since either figure alone is
//! misleading, and a table of the changes to make.

use super::{acting, doing};
use crate::components::explained::terms;
use crate::components::figure::{Figure, drawn};
use crate::components::take::save::save_button;
use crate::components::waiting::use_left;
use crate::components::{PENDING, button, framed, tied};
use crate::shared::{Props, Same, SharedState};
use packscope::api::trainer::{LibraryKind, LibraryQuery};
use packscope::export::Cell;
use packscope::export::libraries::{self, Sheet, headline, in_one_look};
use packscope::trainer::PackingLibraries;
use packscope::words::{capital, count};
use packscope_chart::lines::{Dot, Quantity};
use packscope_chart::scatter::{Input, shares};
use packscope_chart::{Look, Scale};
use packscope_page::state::trainer::{Action as Trained, library_names};
use packscope_page::state::{Action, Theme};
use std::rc::Rc;
use yew::prelude::*;

/// The number of items up to which all libraries are computed without a request.
const FEW: u64 = 200_000;

#[derive(Clone, PartialEq, Properties)]
pub struct ComparedProps {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    pub sheets: Same<Vec<Sheet>>,
}

/// The plot of all libraries with the progress of their comparison, or the button that requests it;
/// for small data it is requested automatically.
#[component]
pub fn Compared(props: &ComparedProps) -> Html {
    let (state, view) = (&props.state, props.state.view);
    let asked = !state.libraries(view).beside.is_empty();
    let few = state.trained_items(view).is_some_and(|items| items <= FEW);
    let all = move || {
        library_names(view)
            .iter()
            .map(|(id, _)| (*id).to_owned())
            .collect()
    };
    let ask = acting(state, &props.dispatch).reform(move |()| Trained::Beside(Rc::new(all())));
    // Nobody has asked for this, so it is background work.
    use_effect_with(!asked && few && state.background.works(), {
        let ask = ask.clone();
        move |now| {
            if *now {
                ask.emit(());
            }
        }
    });
    let given = state.library_limits(view);
    if !asked {
        let of = if given.is_some_and(|given| given.words().packs) {
            " libraries"
        } else {
            ""
        };
        let words = format!(
            "Compare all {}{of}",
            count(library_names(view).len() as u64)
        );
        let onclick = ask.reform(|_: MouseEvent| ());
        return html! {
            <div>
                <p>
                    <button type="button" class="solid" {onclick}>{ words }</button>
                </p>
            </div>
        };
    }
    let chosen = state.libraries(view).choice.library.clone();
    html! {
        <div>
            <Course state={state.clone()} dispatch={props.dispatch.clone()} />
            if let Some(given) = given.filter(|_| !props.sheets.is_empty()) {
                <Picture sheets={props.sheets.clone()} {given} {chosen} theme={state.theme} />
            }
        </div>
    }
}

/// The progress of the comparison, which can be cancelled and go on. It keeps its place when it is
/// over.
#[component]
fn Course(props: &Props) -> Html {
    let (state, view) = (&props.state, props.state.view);
    let all = state.libraries(view).beside.len();
    let known = all - state.uncompared(view).len();
    let share = known as f64 / all.max(1) as f64;
    let (paused, over) = (state.libraries(view).paused, known == all);
    // Another name while it is paused, or the pause would count as time worked.
    let left = use_left(if paused { "paused" } else { "comparing" }, share);
    let act = acting(state, &props.dispatch).reform(move |_: MouseEvent| Trained::Pause(!paused));
    let words = format!(
        "{known} of {all}{}",
        if paused { ", cancelled" } else { "" }
    );
    html! {
        <div
            class="course"
            data-course={if over { "over" } else if paused { "paused" } else { "running" }}
        >
            if !over {
                <p>{ doing(view) }{ " as each of them does: " }{ words }</p>
                <progress max="1" value={format!("{share:.3}")} aria-label="Libraries compared" />
                <small class="left">{ left(f64::INFINITY).filter(|_| !paused) }</small>
                { button(if paused { "Go on" } else { "Cancel (Esc)" }, act) }
            }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PictureProps {
    sheets: Same<Vec<Sheet>>,
    given: LibraryKind,
    chosen: Option<String>,
    theme: Theme,
}

/// Two figures of each library plotted against each other, and their range.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let words = props.given.words();
    let sheets: Vec<&Sheet> = props
        .sheets
        .iter()
        .filter(|sheet| !sheet.about.title.is_empty())
        .collect();
    let dots = dots(&sheets, words.packs, props.chosen.as_deref());
    let title = words.range(&sheets);
    let libraries = if words.packs {
        sheets.len()
    } else {
        dots.len()
    };
    let label = format!(
        "{}. {title}.",
        words.label.replace("{}", &libraries.to_string())
    );
    let is_empty = dots.is_empty();
    let chart = Rc::new(picture(dots, words.x, words.shares));
    html! {
        <>
            if !is_empty {
                <p class="caption">{ words.caption }</p>
                <Figure
                    name="trainers"
                    title={title.clone()}
                    theme={props.theme}
                    class="tall-limits"
                    {label}
                    chart={drawn(&chart)}
                />
            }
            <p>
                { tied(&title) }
                { "." }
            </p>
        </>
    }
}

/// Returns the libraries as named dots, the chosen one first, then by their place.
fn dots(all: &[&Sheet], packs: bool, chosen: Option<&str>) -> Vec<Dot> {
    let is_chosen = |sheet: &Sheet| Some(sheet.about.library.as_str()) == chosen;
    let dot = |sheet: &&Sheet| {
        // The displayed names of samplers and loaders are too long for a phone.
        let name = if packs {
            &sheet.about.title
        } else {
            &sheet.about.library
        };
        let look = if is_chosen(sheet) {
            Look::Accent
        } else {
            Look::Ink
        };
        Some(Dot {
            at: sheet.place?,
            name: name.clone(),
            look,
        })
    };
    let mut dots: Vec<Dot> = all.iter().filter_map(dot).collect();
    // The first dots lie above the others and are named first.
    dots.sort_by(|a, b| {
        let is_chosen = |dot: &Dot| dot.look == Look::Accent;
        is_chosen(b)
            .cmp(&is_chosen(a))
            .then(b.at.1.total_cmp(&a.at.1))
    });
    dots
}

/// Returns the plot of dots: the y axis is a share, the x axis a share or a number.
fn picture(dots: Vec<Dot>, x: &'static str, in_shares: bool) -> Input {
    let y = shares("", dots.iter().map(|dot| dot.at.1));
    let x = if in_shares {
        shares(x, dots.iter().map(|dot| dot.at.0))
    } else {
        let most = dots.iter().map(|dot| dot.at.0).fold(0.05, f64::max);
        let label = |value: f64| count(value.round() as u64);
        Quantity {
            name: x.into(),
            range: [0.0, most * 1.08],
            scale: Scale::Linear,
            label,
        }
    };
    Input::new(x, y, dots)
}

/// The table of losses, wasted computation and recommended changes, after a sentence on the most
/// used library, with rows for those that are still to come.
pub fn table(
    given: LibraryKind,
    (sheets, coming): (&[Sheet], &[LibraryQuery]),
    (all, chosen): (&[(&'static str, &'static str)], Option<&str>),
    act: &Callback<Trained>,
) -> Html {
    let table = libraries::table(given.words(), sheets);
    let (headline, csv, mut look) = (headline(given, sheets), table.csv(), in_one_look(table));
    look.rows.extend(coming.iter().map(|asked| {
        let mut cells = vec![Cell::new("", PENDING); look.columns.len()];
        // Other cells of a row to come say that it is computed.
        cells[0] = Cell::words(&asked.library);
        cells
    }));
    let (file, mut note) = match given {
        LibraryKind::Sequences(_) => (
            "trainers.csv",
            format!(
                "Cut apart: tokens that are trained without the beginning of their sequence. Each with packing on and all else at its defaults, the chosen one at its settings, all at the limit above. {}",
                libraries::off::<PackingLibraries>()
            ),
        ),
        LibraryKind::Batches(_) => (
            "samplers.csv",
            "Each at its defaults, at the limit above, with batches of the number above, or of as many slots as so many of the limit. The last rows are to compare with; sorted batches are the best plan.".to_owned(),
        ),
        LibraryKind::Graphs(_) => (
            "loaders.csv",
            "Each at its defaults, at the limits above; the best plan has batches of the same size.".to_owned(),
        ),
    };
    if let Some(sample) = sheets.iter().find_map(|sheet| sheet.sample) {
        note += &format!(" {} sequences stand for all, in proportion.", count(sample));
    }
    // A file that lacks some would be taken for all.
    let file = if coming.is_empty() {
        save_button("CSV", file.to_owned(), move || csv.clone())
    } else {
        html! { { PENDING } }
    };
    html! {
        <>
            if !headline.is_empty() {
                <p class="headline">{ tied(&headline) }{ "." }</p>
            }
            { framed(
                ["compare of-trainers of-kinds", ""],
                None,
                look.columns
                    .iter()
                    .map(|(_, words)| html! { <th>{ capital(words) }</th> })
                    .collect(),
                look.rows
                    .iter()
                    .map(|cells| row(cells, &look.columns, (all, chosen), act)),
            ) }
            <p class="small">
                { terms(
                    "Loses: cut off, dropped, or left over at the end. Computes more: slots than the best plan, for the same; what is not padded computes none in vain. The list begins with what gains most. ",
                ) }
                { note }
                { " The file has all settings and figures. " }
                { file }
            </p>
        </>
    }
}

fn row(
    cells: &[Cell],
    columns: &[(String, String)],
    (all, chosen): (&[(&'static str, &'static str)], Option<&str>),
    act: &Callback<Trained>,
) -> Html {
    let id = cells
        .first()
        .map(|cell| cell.exact.clone())
        .unwrap_or_default();
    let is_chosen = chosen == Some(id.as_str());
    let head = match all.iter().find(|(other, _)| *other == id) {
        Some((other, title)) => {
            let onclick = act.reform(|_: MouseEvent| Trained::Choose(Some((*other).to_owned())));
            html! {
                <button type="button" class="name" aria-pressed={is_chosen.to_string()} {onclick}>
                    <span class="long">{ title }</span>
                    <span class="short">{ &id }</span>
                </button>
            }
        }
        // The last rows are plans of Packscope, to compare with.
        None => html! { { capital(id.trim_start_matches("packscope ")) } },
    };
    let cell = |(cell, (name, _)): (&Cell, &(String, String))| match cell.shown.as_str() {
        PENDING => html! { <td data-coming="">{ PENDING }</td> },
        shown => {
            html! {
                <td data-figure={name.clone()} data-value={cell.exact.clone()}>
                    { shown.to_owned() }
                </td>
            }
        }
    };
    html! {
        <tr class={classes!(is_chosen.then_some("chosen"))} data-library={id.clone()}>
            <th scope="row">{ head }</th>
            { for cells.iter().zip(columns).skip(1).map(cell) }
        </tr>
    }
}
