//! All libraries side by side: slots computed in vain against lost tokens, since one of them alone misleads, and the table
//! of what to change.

use super::chosen;
use super::own::Beside;
use crate::components::tied;
use crate::plot::{Draw, Plot};
use crate::shared::{Props, Same};
use packscope::api::trainer::Shown;
use packscope::chart::lines::{self, Dot, Input, Quantity};
use packscope::chart::{Frame, Look, Scale};
use packscope::export::libraries::{Place, sequences};
use packscope::state::trainer::Action as Trained;
use packscope::state::{Action, AppState};
use packscope::trainer::{Field, LIBRARIES, Library};
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
pub fn Compared(props: &Props) -> Html {
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
    let Some(known) = use_known(props) else { return Html::default() };
    let state = &props.state;
    let looks =
        || known.iter().map(|(library, shown)| sequences::of_shown(library, settings(state, library), shown));
    let headline = sequences::headline(looks().map(|(look, _)| look), state.sequences.settings.limit);
    let sample = known.iter().find_map(|(_, shown)| shown.sample).map_or_else(String::new, |sample| {
        format!(" {} sequences stand for all, in proportion.", count(sample))
    });
    let waiting = match LIBRARIES.len() - known.len() {
        0 => String::new(),
        left => format!(" {left} to come."),
    };
    let note = format!(
        "Each at its defaults with packing on, the chosen one at its settings, all at the limit above.{sample}{waiting}"
    );
    let of = Beside { all: &all(), chosen: chosen(state).map(|library| library.id), file: "trainers.csv" };
    of.table(&headline, &sequences::table(looks()), &note, &props.dispatch.reform(Action::Trainer))
}

fn all() -> Vec<(&'static str, &'static str)> {
    LIBRARIES.iter().map(|library| (library.id, library.title)).collect()
}

/// The settings of a library that differ from those to begin with: of the chosen one.
fn settings<'a>(state: &'a AppState, library: &Library) -> &'a [Field] {
    let choice = &state.trainer.choice;
    if choice.library.as_deref() == Some(library.id) { &choice.settings } else { &[] }
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

/// Slots computed above the best plan against lost tokens.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let named = chosen(&props.state).map(|library| library.id);
    let of = |(library, shown): &(&'static Library, Rc<Shown>)| {
        let f = shown.figures.as_ref()?;
        Some(Place {
            library: library.id.to_owned(),
            title: library.title.to_owned(),
            x: f.lost_share(),
            y: f.computed_above?,
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
    let label = format!(
        "Slots computed above the best plan against tokens lost, by {} libraries. {title}.",
        props.known.len()
    );
    html! { <>
        <p class="caption">{ "slots computed above the best plan, by share of the tokens that is lost; the best is at the lower left" }</p>
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
        || known.iter().filter_map(|(library, shown)| Some((library.title, shown.figures.as_ref()?)));
    let lost = figures().max_by(|a, b| a.1.lost_share().total_cmp(&b.1.lost_share()));
    let above = figures().filter_map(|(title, f)| Some((title, f.computed_above?)));
    let above = above.max_by(|a, b| a.1.total_cmp(&b.1));
    let mut parts = Vec::new();
    if let Some((title, above)) = above.filter(|(_, above)| *above > 0.001) {
        parts.push(format!("up to {} more is computed than in the best plan ({title})", percent(above)));
    }
    if let Some((title, f)) = lost.filter(|(_, f)| f.lost_share() > 0.001) {
        parts.push(format!("up to {} of the tokens lost ({title})", percent(f.lost_share())));
    }
    match parts.as_slice() {
        [] => "At their defaults all of them do about as well as the best plan".to_owned(),
        parts => format!("At their defaults: {}", parts.join(", ")),
    }
}
