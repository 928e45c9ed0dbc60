//! Samplers on the view of batches, loaders on that of graphs: the chosen one, and all side by side. Answers are words and
//! numbers, whichever kind they are about.

use super::all::{FEW, named_dots, picture};
use super::own::{self, choose, own, plain, values};
use super::{acting, unknown};
use crate::components::explained::terms;
use crate::components::{cell, tied, titled};
use crate::plot::{Draw, Plot};
use crate::shared::{Props, Shared};
use packscope::api::trainer::Given;
use packscope::chart::Frame;
use packscope::chart::lines;
use packscope::export::libraries::{Place, Sheet, Shown, Side};
use packscope::state::View;
use packscope::state::trainer::{Action as Trained, Choice, Sealed};
use packscope::trainer::batches::{Batches, SAMPLERS};
use packscope::trainer::graphs::{Graphs, LOADERS};
use packscope::wire::decode;
use packscope::words::{capital, count};
use std::rc::Rc;
use yew::prelude::*;

/// The libraries of a view, by id and displayed name.
fn named(view: View) -> Vec<(&'static str, &'static str)> {
    match view {
        View::Graphs => LOADERS.iter().map(|library| (library.id, library.title)).collect(),
        _ => SAMPLERS.iter().map(|library| (library.id, library.title)).collect(),
    }
}

/// Opens an answer; `None` where there is none yet.
#[hook]
fn use_opened(sealed: Option<Sealed>) -> Rc<Option<Shown>> {
    use_memo(sealed, |sealed| sealed.as_ref().and_then(|sealed| decode(sealed).ok()))
}

/// Choice, the chosen library, all of them.
#[component]
pub fn Kinds(props: &Props) -> Html {
    let state = &props.state;
    let (view, act) = (state.view, acting(props));
    let all = named(view);
    let Choice { library, settings } = state.kind(view).map(|kind| kind.choice.clone()).unwrap_or_default();
    let chosen = library.as_deref().filter(|id| all.iter().any(|(other, _)| other == id));
    let (one, side) = (state.of_kind(false), state.of_kind(true));
    let is_current = one.is_some_and(|(_, is_current)| is_current);
    let opened = use_opened(one.filter(|_| chosen.is_some()).map(|(sealed, _)| Rc::clone(sealed)));
    let sheet = match &*opened {
        Some(Shown::One(sheet)) => Some(sheet),
        _ => None,
    };
    let of = chosen.zip(state.kind_given()).and_then(|(id, given)| match given {
        Given::Batches(room) => values::<Batches>(id, room, &settings),
        Given::Graphs(limits) => values::<Graphs>(id, limits, &settings),
    });
    let of = of.map(|mut of| {
        // How many graphs fit is known by who has packed them.
        if let Some(sheet) = sheet.filter(|sheet| is_current && !sheet.lines.is_empty()) {
            of.lines.clone_from(&sheet.lines);
        }
        of
    });
    let title = sheet.map_or_else(|| super::title(view).to_owned(), |sheet| sheet.title.clone());
    html! { <>
        <h2>{ titled(&title) }</h2>
        <div class="pair even">
            <div class="of-one">
                { choose(all.iter().copied(), chosen, &act) }
                if let (Some(sheet), true) = (sheet, chosen.is_some()) {
                    { outcome(sheet, is_current, &act) }
                } else if chosen.is_some() {
                    <p class="wait" role="status">{ "Batching as it does …" }</p>
                } else {
                    <p class="small">{ introduction(view, all.len()) }</p>
                }
            </div>
            <Beside state={state.clone()} dispatch={props.dispatch.clone()} />
        </div>
        if let Some(of) = &of { { own(of, &act) } }
        if let Some((sealed, _)) = side { <Table state={state.clone()} {act} sealed={Rc::clone(sealed)} /> }
        { unknown(library.as_deref().filter(|_| chosen.is_none())) }
    </> }
}

fn introduction(view: View, libraries: usize) -> String {
    match view {
        View::Graphs => format!(
            "{libraries} loaders of graph libraries fill batches in ways of their own. Choose yours: its settings have its own names, its algorithm is the one in its code. The limits are those above."
        ),
        _ => format!(
            "{libraries} samplers of training libraries sort, bucket and batch sequences in ways of their own. Choose yours: its settings have its own names, its algorithm is the one in its code. Limit and batch are those above."
        ),
    }
}

/// The sentence, the change that mends most, and the figures.
fn outcome(sheet: &Sheet, is_current: bool, act: &Callback<Trained>) -> Html {
    let change = sheet.change.clone().filter(|_| is_current).map(|field| {
        let words = format!("Set {}: {}", field.name, field.value);
        let onclick = act.reform(move |_: MouseEvent| Trained::Set(field.clone()));
        html! { <>{ " " }<button type="button" class="solid" {onclick}>{ words }</button></> }
    });
    html! { <>
        if is_current {
            <p class="advice" data-change={sheet.change.as_ref().map(|field| field.name.clone())}>{ terms(&tied(&plain(&sheet.advice))) }{ change }</p>
        } else {
            <p class="wait" role="status">{ "Batching as it does …" }</p>
        }
        if !sheet.figures.is_empty() {
            <dl class="figures of-trainer">
                { for sheet.figures.iter().map(|f| cell(&f.name, html! { <span data-figure={f.id.clone()} data-value={f.exact.to_string()}>{ &f.shown }</span> }, html! { { &f.note } })) }
            </dl>
            <p class="small">{ format!("Algorithm, as coded: {}.", sheet.algorithm) }</p>
        }
    </> }
}

/// The picture of all, or the button that asks for it; small data are asked about by themselves.
#[component]
fn Beside(props: &Props) -> Html {
    let state = &props.state;
    let items = match state.view {
        View::Graphs => state.graphs.data.as_ref().map(|data| data.histogram.items()),
        _ => state.sequences.data.as_ref().map(|data| data.histogram.items()),
    };
    let asked = state.kind(state.view).is_some_and(|kind| kind.all);
    let by_itself = !asked && items.is_some_and(|items| items <= FEW) && state.background.works();
    let ask = acting(props).reform(|()| Trained::Beside(Rc::default()));
    use_effect_with(by_itself, {
        let ask = ask.clone();
        move |now| {
            if *now {
                ask.emit(());
            }
        }
    });
    let side = use_opened(state.of_kind(true).map(|(sealed, _)| Rc::clone(sealed)));
    match &*side {
        Some(Shown::All(side)) => html! { <div>{ drawn(state, side) }</div> },
        _ if asked => {
            html! { <div><p class="wait" role="status">{ "Batching as each of them does …" }</p></div> }
        }
        _ => {
            let words = format!("Compare all {}", count(named(state.view).len() as u64));
            let onclick = ask.reform(|_: MouseEvent| ());
            html! { <div><p><button type="button" class="solid" {onclick}>{ words }</button></p></div> }
        }
    }
}

fn drawn(state: &Shared, side: &Side) -> Html {
    let of = &side.picture;
    let chosen = state.kind(state.view).and_then(|kind| kind.choice.library.as_deref());
    // Displayed names are too long for a phone.
    let short = |place: &Place| Place { title: place.library.clone(), ..place.clone() };
    let dots = named_dots(&of.places.iter().map(short).collect::<Vec<_>>(), chosen);
    let (x, shares) = (of.x.clone(), of.shares);
    let draw: Draw =
        Rc::new(move |frame: &Frame| picture(&dots, &x, shares, |input| lines::scene(input, frame).0));
    let label = format!("{}, by {}: {} libraries. {}.", capital(&of.y), of.x, of.places.len(), of.sentence);
    html! { <>
        if !of.places.is_empty() {
            <p class="caption">{ format!("{}, by {}", of.y, of.x) }</p>
            <Plot name="trainers" title={of.sentence.clone()} theme={state.theme} class="tall-limits" {label} {draw} />
        }
        <p>{ tied(&of.sentence) }{ "." }</p>
    </> }
}

#[derive(Clone, PartialEq, Properties)]
struct TableProps {
    state: Shared,
    act: Callback<Trained>,
    sealed: Sealed,
}

/// All libraries side by side.
#[component]
fn Table(props: &TableProps) -> Html {
    let side = use_opened(Some(Rc::clone(&props.sealed)));
    let Some(Shown::All(side)) = &*side else { return Html::default() };
    let state = &props.state;
    let (file, note) = match state.view {
        View::Graphs => (
            "loaders.csv",
            "Each at its defaults, at the limits above; the best plan has batches of the same size.",
        ),
        _ => (
            "samplers.csv",
            "Each at its defaults, at the limit above, with batches of the number above, or of as many slots as so many of the limit. The last rows are to compare with; sorted batches are the best plan.",
        ),
    };
    let chosen = state.kind(state.view).and_then(|kind| kind.choice.library.as_deref());
    own::Beside { all: &named(state.view), chosen, file }.table(&side.headline, &side.table, note, &props.act)
}
