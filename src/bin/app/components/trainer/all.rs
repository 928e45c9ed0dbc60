//! All libraries side by side: rows against lost tokens, since one of them alone misleads, and the table of both.

use super::chosen;
use crate::components::explained::terms;
use crate::components::take::save::save_button;
use crate::components::tied;
use crate::plot::{Draw, Plot};
use crate::shared::{Props, Same};
use packscope::api::trainer::Shown;
use packscope::chart::lines::{self, Dot, Input, Quantity};
use packscope::chart::{Frame, Look, Scale};
use packscope::export;
use packscope::export::libraries::{self, Place};
use packscope::state::trainer::Action as Trained;
use packscope::state::{Action, AppState};
use packscope::trainer::{LIBRARIES, Library};
use packscope::words::{count, percent, tick_percent};
use std::rc::Rc;
use yew::prelude::*;

/// Items up to which all are computed without being asked for.
pub const FEW: u64 = 200_000;

type Known = Vec<(&'static Library, Rc<Shown>)>;

/// Returns what is known of all libraries; `None` until they are asked for, which small data are by themselves.
#[hook]
fn use_known(props: &Props) -> Option<Same<Known>> {
    let state = &props.state;
    let items = state.sequences.data.as_ref().map_or(0, |data| data.histogram.items());
    let asked = !state.trainer.beside.is_empty();
    let by_itself = !asked && items <= FEW && state.background.works();
    let ask = asking(props);
    use_effect_with(by_itself, move |now| {
        if *now {
            ask.emit(());
        }
    });
    let of = |library: &&'static Library| Some((*library, Rc::clone(state.trainer.shown(library.id)?)));
    asked.then(|| Same(Rc::new(LIBRARIES.iter().filter_map(of).collect())))
}

/// Asks about all libraries.
fn asking(props: &Props) -> Callback<()> {
    props.dispatch.reform(|()| {
        let all = LIBRARIES.iter().map(|library| library.id.to_owned()).collect();
        Action::Trainer(Trained::Beside(Rc::new(all)))
    })
}

/// The picture, or the button that asks for it.
#[component]
pub fn Beside(props: &Props) -> Html {
    let Some(known) = use_known(props) else {
        let words = format!("Compare all {} libraries", LIBRARIES.len());
        let onclick = asking(props).reform(|_: MouseEvent| ());
        return html! { <div><p><button type="button" class="solid" {onclick}>{ words }</button></p></div> };
    };
    html! { <div><Picture {known} state={props.state.clone()} /></div> }
}

/// The table of all libraries, once they are asked for.
#[component]
pub fn Table(props: &Props) -> Html {
    if props.state.trainer.beside.is_empty() {
        return Html::default();
    }
    let state = props.state.clone();
    html! { <>
        <div class="scroll"><table class="compare of-trainers">
            <thead><tr><th>{ "Library" }</th><th>{ terms("Rows") }</th><th>{ "Above best" }</th><th>{ terms("Padding") }</th><th>{ "Cut off" }</th><th>{ "Dropped" }</th><th>{ "Cut apart" }</th></tr></thead>
            <tbody>{ for LIBRARIES.iter().map(|library| row(props, library)) }</tbody>
        </table></div>
        <p class="small">{ "Each at its defaults with packing on, the chosen one at its settings, all at the limit above. Above best: rows more than the best plan for the sequences that it keeps. In brackets: rows are not padded, their room costs nothing. Cut off and dropped: tokens that are not trained; cut apart: trained without the beginning of their sequence. " }{ save_button("CSV", "trainers.csv".to_owned(), move || table(&state)) }</p>
    </> }
}

fn row(props: &Props, library: &'static Library) -> Html {
    let state = &props.state;
    let is_chosen = chosen(state).is_some_and(|other| other.id == library.id);
    let onclick = props
        .dispatch
        .reform(move |_: MouseEvent| Action::Trainer(Trained::Choose(Some(library.id.to_owned()))));
    let shown = state.trainer.shown(library.id);
    let figures = shown.and_then(|shown| shown.figures.as_ref());
    let refused = shown.is_some_and(|shown| shown.refused.is_some());
    let cell = |name: &'static str, value: Option<(f64, String)>| match value {
        Some((exact, words)) => {
            html! { <td data-figure={name} data-value={exact.to_string()}>{ words }</td> }
        }
        None => html! { <td>{ if refused { "refused" } else { "–" } }</td> },
    };
    html! {
        <tr class={classes!(is_chosen.then_some("chosen"))} data-library={library.id}>
            <th scope="row"><button type="button" class="name" aria-pressed={is_chosen.to_string()} {onclick}>{ library.title }</button></th>
            { cell("rows", shown.and_then(|shown| rows(state, shown))) }
            { cell("above_best", shown.and_then(|shown| of_rows(shown, shown.figures.as_ref()?.above_best?.max(0.0)))) }
            { cell("padding_share", shown.and_then(|shown| of_rows(shown, shown.figures.as_ref()?.padding_share))) }
            { cell("truncated_share", figures.map(|f| (f.truncated_share, percent(f.truncated_share)))) }
            { cell("dropped_share", figures.map(|f| (f.dropped_share, percent(f.dropped_share)))) }
            { cell("cut_share", figures.map(|f| (f.cut_share, percent(f.cut_share)))) }
        </tr>
    }
}

/// The rows, with the limits that each is long where it is longer than one.
fn rows(state: &AppState, shown: &Shown) -> Option<(f64, String)> {
    let f = shown.figures.as_ref()?;
    let slots = f.real_tokens / (1.0 - f.padding_share).max(f64::MIN_POSITIVE);
    let times = slots / (f.rows * f64::from(state.sequences.settings.limit)).max(1.0);
    let long = if shown.padded && times > 1.5 { format!(" × {times:.0}") } else { String::new() };
    Some((f.rows, count(f.rows.round() as u64) + &long))
}

/// A share of rows or slots, in brackets where room is not computed.
fn of_rows(shown: &Shown, share: f64) -> Option<(f64, String)> {
    Some((share, libraries::of_rows(shown.padded, percent(share))))
}

/// The table as CSV.
fn table(state: &AppState) -> String {
    let names =
        ["library", "rows", "above_best", "padding_share", "truncated_share", "dropped_share", "cut_share"];
    let figures = |library: &Library| state.trainer.shown(library.id)?.figures.as_ref();
    let row = |library: &&Library| {
        let f = figures(library)?;
        let above = f.above_best.map_or_else(String::new, |above| above.to_string());
        let shares = [f.padding_share, f.truncated_share, f.dropped_share, f.cut_share];
        let cells = [library.id.to_owned(), f.rows.to_string(), above];
        Some(cells.into_iter().chain(shares.map(|share| share.to_string())).collect())
    };
    export::Table::of_words(names, LIBRARIES.iter().filter_map(row)).csv()
}

#[derive(Clone, Properties)]
struct PictureProps {
    known: Same<Known>,
    state: crate::shared::Shared,
}

impl PartialEq for PictureProps {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&(_, Rc<Shown>), &(_, Rc<Shown>))| Rc::ptr_eq(&one.1, &other.1);
        self.known.len() == other.known.len()
            && self.known.iter().zip(other.known.iter()).all(same)
            && self.state.theme == other.state.theme
            && self.state.trainer.choice.library == other.state.trainer.choice.library
    }
}

/// Rows above the best plan against lost tokens.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let named = chosen(&props.state).map(|library| library.id);
    let of = |(library, shown): &(&'static Library, Rc<Shown>)| {
        let f = shown.figures.as_ref()?;
        Some(Place {
            library: library.id.to_owned(),
            title: library.title.to_owned(),
            x: f.lost_share(),
            y: f.above_best?.max(0.0),
        })
    };
    let places = named_dots(&props.known.iter().filter_map(of).collect::<Vec<_>>(), named);
    let title = of_all(&props.known);
    let draw: Rc<Draw> = use_memo(places, |places| {
        let places = places.clone();
        let draw: Draw = Rc::new(move |frame: &Frame| {
            picture(&places, "tokens lost", true, |input| lines::scene(input, frame).0)
        });
        draw
    });
    let label =
        format!("Rows above the best plan against tokens lost, by {} libraries. {title}.", props.known.len());
    html! { <>
        <p class="caption">{ "rows above the best plan, by share of the tokens that is lost; the best is at the lower left" }</p>
        <Plot name="trainers" title={title.clone()} theme={props.state.theme} class="tall-limits" {label} draw={(*draw).clone()} />
        <p>{ tied(&title) }{ "." }</p>
    </> }
}

/// Parts of either axis within which two names would meet.
const NEAR: (f64, f64) = (0.5, 0.07);

/// Returns libraries as dots: named where there is room for it.
pub fn named_dots(all: &[Place], named: Option<&str>) -> Vec<Dot> {
    let mut all: Vec<&Place> = all.iter().collect();
    let most = most(all.iter().map(|place| (place.x, place.y)));
    let far = |place: &Place| place.x / most.0 + place.y / most.1;
    // The chosen one is named first, then those that stand out.
    let is_named = |place: &Place| Some(place.library.as_str()) == named;
    all.sort_by(|a, b| is_named(b).cmp(&is_named(a)).then(far(b).total_cmp(&far(a))));
    let mut dots: Vec<Dot> = Vec::new();
    for place in all {
        let &Place { x, y, .. } = place;
        let meets = |other: &Dot| {
            !other.name.is_empty()
                && (other.at.0 - x).abs() < NEAR.0 * most.0
                && (other.at.1 - y).abs() < NEAR.1 * most.1
        };
        let name = if dots.iter().any(meets) { String::new() } else { place.title.clone() };
        let look = if is_named(place) { Look::Accent } else { Look::Ink };
        dots.push(Dot { at: (x, y), name, look });
    }
    dots
}

/// Returns the most of both figures.
fn most(all: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    all.fold((0.05, 0.05), |(x, y), at| (x.max(at.0), y.max(at.1)))
}

/// Calls `f` with the plot of dots: the figure upwards is a share, that to the right a share or a number.
pub fn picture<T>(dots: &[Dot], x: &str, shares: bool, f: impl FnOnce(&Input) -> T) -> T {
    let most = most(dots.iter().map(|dot| dot.at));
    let label = if shares { tick_percent } else { |value: f64| count(value.round() as u64) };
    f(&Input {
        x: Quantity { name: x, range: [0.0, most.0 * 1.08], scale: Scale::Linear, label },
        y: Quantity { name: "", range: [0.0, most.1 * 1.08], scale: Scale::Linear, label: tick_percent },
        lines: Vec::new(),
        needle: None,
        // The chosen one last, over the others.
        dots: dots.iter().rev().cloned().collect(),
    })
}

/// Returns the range between the libraries, as a sentence.
fn of_all(known: &Known) -> String {
    let figures =
        || known.iter().filter_map(|(library, shown)| Some((library.title, shown, shown.figures.as_ref()?)));
    let lost = figures().max_by(|a, b| a.2.lost_share().total_cmp(&b.2.lost_share()));
    // Rows that are not padded cost nothing by their number.
    let above = figures().filter(|(_, shown, _)| shown.padded);
    let above =
        above.filter_map(|(title, _, f)| Some((title, f.above_best?))).max_by(|a, b| a.1.total_cmp(&b.1));
    let mut parts = Vec::new();
    if let Some((title, above)) = above.filter(|(_, above)| *above > 0.001) {
        parts.push(format!("up to {} more rows ({title})", percent(above)));
    }
    if let Some((title, _, f)) = lost.filter(|(.., f)| f.lost_share() > 0.001) {
        parts.push(format!("up to {} of the tokens lost ({title})", percent(f.lost_share())));
    }
    match parts.as_slice() {
        [] => "At their defaults all of them do about as well as the best plan".to_owned(),
        parts => format!("At their defaults: {}", parts.join(", ")),
    }
}
