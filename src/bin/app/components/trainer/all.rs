//! All libraries side by side: rows against lost tokens, since one of them alone misleads, and the table of both.

use super::chosen;
use crate::components::explained::terms;
use crate::components::take::save::save_button;
use crate::components::tied;
use crate::plot::{Draw, Plot};
use crate::shared::{Props, Same};
use packscope::api::trainer::Shown;
use packscope::chart::lines::{self, Input, Quantity};
use packscope::chart::{Frame, Scale};
use packscope::state::Action;
use packscope::state::trainer::Action as Trained;
use packscope::trainer::{LIBRARIES, Library};
use packscope::words::{count, percent, tick_percent};
use std::rc::Rc;
use yew::prelude::*;

/// Items up to which all are computed without being asked for.
const FEW: u64 = 200_000;

type Known = Vec<(&'static Library, Rc<Shown>)>;

/// The picture and the table.
#[component]
pub fn All(props: &Props) -> Html {
    let state = &props.state;
    let items = state.sequences.data.as_ref().map_or(0, |data| data.histogram.items());
    let ask = props.dispatch.reform(|()| {
        let all = LIBRARIES.iter().map(|library| library.id.to_owned()).collect();
        Action::Trainer(Trained::Beside(Rc::new(all)))
    });
    let asked = !state.trainer.beside.is_empty();
    let by_itself = !asked && items <= FEW && state.background.works();
    {
        let ask = ask.clone();
        use_effect_with(by_itself, move |now| {
            if *now {
                ask.emit(());
            }
        });
    }
    if !asked {
        let words = format!("Compare all {} libraries", LIBRARIES.len());
        return html! { <div class="of-all"><p><button type="button" class="solid" onclick={ask.reform(|_: MouseEvent| ())}>{ words }</button></p></div> };
    }
    let known: Known = LIBRARIES
        .iter()
        .filter_map(|library| Some((*library, Rc::clone(state.trainer.shown(library.id)?))))
        .collect();
    let rows = known.clone();
    html! {
        <div class="of-all">
            <Picture known={Same(Rc::new(known))} state={state.clone()} />
            <div class="scroll"><table class="compare of-trainers">
                <thead><tr><th>{ "Library" }</th><th>{ terms("Rows") }</th><th>{ "Above best" }</th><th>{ terms("Padding") }</th><th>{ "Cut off" }</th><th>{ "Dropped" }</th><th>{ "Cut apart" }</th></tr></thead>
                <tbody>{ for LIBRARIES.iter().map(|library| row(props, library)) }</tbody>
            </table></div>
            <p class="small">{ "Each at its own defaults with packing on, at the limit on the left. Above best: rows more than the best plan for the sequences that it keeps. Cut off and dropped: tokens that are not trained; cut apart: trained without the beginning of their sequence. " }{ save_button("CSV", "trainers.csv".to_owned(), move || table(&rows)) }</p>
        </div>
    }
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
            { cell("rows", figures.map(|f| (f.rows, count(f.rows.round() as u64)))) }
            { cell("above_best", figures.and_then(|f| f.above_best).map(|above| (above, percent(above.max(0.0))))) }
            { cell("padding_share", figures.map(|f| (f.padding_share, percent(f.padding_share)))) }
            { cell("truncated_share", figures.map(|f| (f.truncated_share, percent(f.truncated_share)))) }
            { cell("dropped_share", figures.map(|f| (f.dropped_share, percent(f.dropped_share)))) }
            { cell("cut_share", figures.map(|f| (f.cut_share, percent(f.cut_share)))) }
        </tr>
    }
}

/// The table as CSV.
fn table(known: &Known) -> String {
    let mut text =
        "library,rows,above_best,padding_share,truncated_share,dropped_share,cut_share\n".to_owned();
    for (library, shown) in known {
        let Some(f) = &shown.figures else { continue };
        let above = f.above_best.map_or_else(String::new, |above| above.to_string());
        text += &format!(
            "{},{},{above},{},{},{},{}\n",
            library.id, f.rows, f.padding_share, f.truncated_share, f.dropped_share, f.cut_share
        );
    }
    text
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
            && self.state.trainer.library == other.state.trainer.library
    }
}

/// Rows above the best plan against lost tokens.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let named = chosen(&props.state).map(|library| library.id);
    let places = places(&props.known, named);
    let title = of_all(&props.known);
    let draw: Rc<Draw> = use_memo(places, |places| {
        let places = places.clone();
        let draw: Draw = Rc::new(move |frame: &Frame| lines::scene(&input(&places), frame).0);
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

/// A library in the picture: lost share, rows above the best, its name where there is room for it.
type Place = (f64, f64, String);

/// Parts of either axis within which two names would meet.
const NEAR: (f64, f64) = (0.3, 0.07);

fn places(known: &Known, named: Option<&str>) -> Vec<Place> {
    let at = |(library, shown): &(&'static Library, Rc<Shown>)| {
        let f = shown.figures.as_ref()?;
        Some((f.lost_share(), f.above_best?.max(0.0), library.id, library.title))
    };
    let mut all: Vec<_> = known.iter().filter_map(at).collect();
    // The chosen one is named first, then those that stand out.
    all.sort_by(|a, b| {
        (Some(b.2) == named).cmp(&(Some(a.2) == named)).then((b.0 + b.1).total_cmp(&(a.0 + a.1)))
    });
    let most = all.iter().fold((0.05, 0.05), |(x, y): (f64, f64), p| (x.max(p.0), y.max(p.1)));
    let mut places: Vec<Place> = Vec::new();
    for (x, y, _, title) in all {
        let meets = |p: &&Place| {
            !p.2.is_empty() && (p.0 - x).abs() < NEAR.0 * most.0 && (p.1 - y).abs() < NEAR.1 * most.1
        };
        let name = if places.iter().any(|p| meets(&p)) { String::new() } else { title.to_owned() };
        places.push((x, y, name));
    }
    places
}

fn input(places: &[Place]) -> Input<'static> {
    let most = places.iter().fold((0.05, 0.05), |(x, y): (f64, f64), p| (x.max(p.0), y.max(p.1)));
    Input {
        x: Quantity {
            name: "tokens lost",
            range: [0.0, most.0 * 1.08],
            scale: Scale::Linear,
            label: tick_percent,
        },
        y: Quantity {
            name: "rows above the best plan",
            range: [0.0, most.1 * 1.08],
            scale: Scale::Linear,
            label: tick_percent,
        },
        lines: Vec::new(),
        needle: None,
        dots: places.to_vec(),
    }
}

/// What the libraries have between them, as a sentence.
fn of_all(known: &Known) -> String {
    let figures =
        || known.iter().filter_map(|(library, shown)| Some((library.title, shown.figures.as_ref()?)));
    let lost = figures().max_by(|a, b| a.1.lost_share().total_cmp(&b.1.lost_share()));
    let above =
        figures().filter_map(|(title, f)| Some((title, f.above_best?))).max_by(|a, b| a.1.total_cmp(&b.1));
    let mut parts = Vec::new();
    if let Some((title, above)) = above.filter(|(_, above)| *above > 0.001) {
        parts.push(format!("up to {} more rows ({title})", percent(above)));
    }
    if let Some((title, f)) = lost.filter(|(_, f)| f.lost_share() > 0.001) {
        parts.push(format!("up to {} of the tokens lost ({title})", percent(f.lost_share())));
    }
    match parts.as_slice() {
        [] => "At their defaults all of them do about as well as the best plan".to_owned(),
        parts => format!("At their defaults: {}", parts.join(", ")),
    }
}
