//! The histogram of lengths: hovering reads it, dragging the needle sets the limit.

use super::behind::behind;
use super::figure::{Figure, Keys, ROOM, drawn};
use super::{choice, hues, scale};
use crate::plot::Room;
use crate::shared::{Same, Shared};
use packscope::api::Shape;
use packscope::chart::Grip;
use packscope::chart::histogram::{Bin, Input, layout};
use packscope::histogram::{Groups, Histogram};
use packscope::state::{Action, AppState, findings};
use packscope::words::{count, percent};
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: Shared,
    pub dispatch: Callback<Action>,
    /// The length under the pointer, here or in the packs.
    pub hover: Option<u32>,
    /// Receives the length under the pointer.
    pub onhover: Callback<Option<u32>>,
}

#[component]
pub fn Lengths(props: &Props) -> Html {
    let tip = use_node_ref();
    let room = use_state_eq(|| None::<Room>);
    let state = &props.state;
    let key = (
        state.sequences.version(),
        state.sequences.settings.limit,
        state.sequences.largest_limit(),
        state.log_counts,
        state.has_log_lengths(),
    );
    let groups = use_memo((key.0, key.2), |(_, end)| {
        state.sequences.data.as_ref().map(|data| data.histogram.grouped(*end))
    });
    let chart = use_memo(key, |_| Some(Rc::new(input(state, (*groups).as_ref()?)?)));
    let (Some(data), Some(chart)) = (&state.sequences.data, &*chart) else { return Html::default() };
    let onhover = props.onhover.reform(|at: Option<[u32; 2]>| at.map(|[length, _]| length));
    let ondrag = props.dispatch.reform(|(_, [length, _]): (Grip, [u32; 2])| Action::Limit(length));
    let onroom = {
        let room = room.setter();
        Callback::from(move |space| room.set(Some(space)))
    };
    let histogram = &data.histogram;
    let unit = props.state.sequences.unit();
    let title = findings::of_lengths(histogram, chart.limit, unit);
    let label = format!(
        "Histogram of {} sequences by length, {} to {} {unit}, limit {}. {title}.",
        count(histogram.items()),
        count(u64::from(histogram.entries()[0].0[0])),
        count(u64::from(histogram.max()[0])),
        count(u64::from(chart.limit)),
    );
    html! {
        <section class="lengths">
            <h2>{ crate::components::titled(&title) }</h2>
            <div class="caption">
                <p>{ layout(chart, &room.unwrap_or(ROOM).measure()).caption(chart.items, unit) }</p>
                { scales(props) }
            </div>
            <div class="plot-with-tip">
                <Figure name="lengths" {title} theme={state.theme} class="tall" {label} chart={drawn(chart)} keys={Keys::Point} hover={props.hover.map(|length| [length, 0])} {onhover} {ondrag} {onroom} />
                <Tip node={tip} state={state.clone()} chart={Same(Rc::clone(chart))} hover={props.hover} room={*room} />
            </div>
            { table(histogram, chart.end.unwrap_or_default(), unit) }
        </section>
    }
}

fn input(state: &AppState, groups: &Groups) -> Option<Input> {
    let limit = state.sequences.settings.limit;
    Some(Input {
        entries: state.sequences.data.as_ref()?.histogram.apart(groups, limit),
        limit,
        end: Some(state.sequences.largest_limit()),
        scale: scale(state.log_counts),
        across: scale(state.has_log_lengths()),
        hues: hues(&state.sequences, limit),
        lit: Vec::new(),
        items: "sequences",
        unit: state.sequences.unit().to_owned(),
    })
}

/// The choice of the scale of counts; and of that of lengths, if a linear one would show little.
fn scales(props: &Props) -> Html {
    let state = &props.state;
    let of = |label, log: bool, action: fn(bool) -> Action| {
        let set = |log| props.dispatch.reform(move |_| action(log));
        choice(label, &[("linear", !log, set(false)), ("log", log, set(true))])
    };
    let lengths = of("Scale of lengths", state.has_log_lengths(), Action::LogLengths);
    let counts = of("Scale of counts", state.log_counts, Action::LogCounts);
    html! {
        <span class="scales">
            if state.log_lengths.is_some() || state.sequences.is_long_tailed() {
                <span>{ "lengths " }{ lengths }</span>
                <span>{ "counts " }{ counts }</span>
            } else {
                { counts }
            }
        </span>
    }
}

/// Returns the bar of a length, with the x of its middle first.
fn bar(chart: &Input, length: u32, room: Room) -> Option<(f64, Bin)> {
    let layout = layout(chart, &room.measure());
    let bin = *layout.bin_of(length)?;
    Some(((layout.x_of(bin.from) + layout.x_of(bin.to)) / 2.0, bin))
}

#[derive(Clone, PartialEq, Properties)]
struct TipProps {
    node: NodeRef,
    state: Shared,
    chart: Same<Input>,
    hover: Option<u32>,
    room: Option<Room>,
}

/// The description of the bar under the pointer, beside it.
#[component]
fn Tip(props: &TipProps) -> Html {
    let bar = props.hover.zip(props.room).and_then(|(length, room)| bar(&props.chart, length, room));
    let (node, place) = (props.node.clone(), bar.zip(props.room).map(|((x, _), room)| (x, room.width)));
    use_effect_with(place, move |place| {
        // Set through the DOM: the page's content security policy allows no style attribute.
        if let (Some((x, width)), Some(tip)) = (*place, node.cast::<HtmlElement>()) {
            let wide = f64::from(tip.offset_width());
            let left = if x + 14.0 + wide < width { x + 14.0 } else { (x - 14.0 - wide).max(0.0) };
            let _ = tip.style().set_property("left", &format!("{left}px"));
        }
    });
    let Some((_, bin)) = bar else { return Html::default() };
    let (head, below) = words(&props.state, &bin);
    html! {
        <div class="tip" ref={props.node.clone()} aria-hidden="true"><b>{ head }</b>{ for below.into_iter().map(|w| html! { <span>{ w }</span> }) }</div>
    }
}

/// Returns the words on a bar: its length, then its count, its share, and the pack that uses it most.
fn words(state: &AppState, bin: &Bin) -> (String, Vec<String>) {
    let unit = state.sequences.unit();
    let head = if bin.from == bin.to {
        format!("{} {unit}", count(u64::from(bin.from)))
    } else {
        format!("{} to {} {unit}", count(u64::from(bin.from)), count(u64::from(bin.to)))
    };
    let items = state.sequences.data.as_ref().map_or(1, |d| d.histogram.items());
    let mut below =
        vec![format!("{} sequences · {}", count(bin.count), percent(bin.count as f64 / items as f64))];
    let uses = |s: &&Shape| s.runs.iter().any(|(l, _)| (bin.from..=bin.to).contains(l));
    if let Some(shape) = state.sequences.answer.as_ref().and_then(|a| a.report.strategies.iter().find(uses)) {
        below.push(format!("most often in {}", super::rows::name(shape, 4)));
    }
    (head, below)
}

/// The histogram as a table of eight ranges.
fn table(histogram: &Histogram<1>, end: u32, unit: &str) -> Html {
    let part = end.div_ceil(8).max(1);
    let row = |i: u32| {
        let (from, to) = (i * part + 1, (i + 1).saturating_mul(part));
        let [shorter, all] = [from - 1, to].map(|length| histogram.items_within(length));
        vec![format!("{from} to {to}"), count(all - shorter)]
    };
    behind("Sequences by length", [unit, "sequences"], (0..8).map(row))
}
