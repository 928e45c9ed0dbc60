//! All libraries side by side: wasted computation against lost tokens, since either figure alone is
//! misleading, and a table of the changes to make.

use super::shown::{add_coming, plotted, row, saved};
use super::{acting, doing, judged};
use crate::components::explained::terms;
use crate::components::waiting::use_left;
use crate::components::{button, framed, tied};
use crate::shared::{Props, Same, SharedState};
use packscope::api::trainer::LibraryKind;
use packscope::export::libraries::{self, Sheet, headline, in_one_look};
use packscope::words::{capital, count};
use packscope_chart::Look;
use packscope_chart::lines::Dot;
use packscope_page::state::trainer::{Action as Trained, library_names};
use packscope_page::state::{Action, Theme, View};
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
            if view == View::Sequences {
                { judged::plot(state) }
            } else if let Some(given) = given.filter(|_| !props.sheets.is_empty()) {
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
                <p>{ doing(view) }{ ": " }{ words }</p>
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
    let Some(words) = &props.given.words().picture else {
        return Html::default();
    };
    let sheets: Vec<&Sheet> = props
        .sheets
        .iter()
        .filter(|sheet| !sheet.about.title.is_empty())
        .collect();
    let dots = dots(&sheets, props.chosen.as_deref());
    let label = words.label.replace("{}", &dots.len().to_string());
    plotted(
        (props.theme, words.caption),
        (&label, &words.range(&sheets)),
        (dots, words.x, words.shares),
    )
}

/// Returns the libraries as named dots, the chosen one first, then by their place.
fn dots(all: &[&Sheet], chosen: Option<&str>) -> Vec<Dot> {
    let is_chosen = |sheet: &Sheet| Some(sheet.about.library.as_str()) == chosen;
    let dot = |sheet: &&Sheet| {
        let look = if is_chosen(sheet) {
            Look::Accent
        } else {
            Look::Ink
        };
        Some(Dot {
            at: sheet.place?,
            // The displayed names of samplers and loaders are too long for a phone.
            name: sheet.about.library.clone(),
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

/// The table of losses, wasted computation and recommended changes, after a sentence on the most
/// used library, with rows for those that are still to come.
pub fn table(
    given: LibraryKind,
    (sheets, coming): (&[Sheet], &[&str]),
    (all, chosen): (&[(&'static str, &'static str)], Option<&str>),
    act: &Callback<Trained>,
) -> Html {
    let table = libraries::table(given.words(), sheets);
    let (headline, csv, mut look) = (headline(given, sheets), table.csv(), in_one_look(table));
    add_coming(&mut look, coming);
    let (file, mut note) = match given {
        LibraryKind::Batches(_) | LibraryKind::Sequences(_) => (
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
    let file = saved(file, csv, coming);
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
                    "Loses: cut off, dropped, or left over at the end. Computes more: slots above those of the best plan; a library without padding wastes none. Fewest slots by: the one setting that saves most, with which the list begins; press a library for what is worth changing. ",
                ) }
                { note }
                { " The file has all settings and figures. " }
                { file }
            </p>
        </>
    }
}
