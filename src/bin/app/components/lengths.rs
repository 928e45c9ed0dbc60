//! The histogram of lengths: hover reads it, dragging the needle sets the limit.

use super::{choice, colours};
use crate::plot::{Draw, Plot, Room};
use packscope::api::Shape;
use packscope::chart::lengths::{Frame, Lengths as Chart, bars, draw};
use packscope::histogram::Histogram;
use packscope::state::{Action, AppState, findings};
use packscope::words::{count, percent};
use plotters::prelude::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Lengths`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Rc<AppState>,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// The length under the pointer, here or in the packs.
    pub hover: Option<u32>,
    /// Reports the length under the pointer.
    pub onhover: Callback<Option<u32>>,
}

/// CSS pixels from the needle within which a press takes hold of it.
const GRIP: f64 = 14.0;

/// The histogram.
#[component]
pub fn Lengths(props: &Props) -> Html {
    let held = use_mut_ref(|| false);
    let Some(data) = &props.state.data else { return Html::default() };
    let (histogram, limit) = (Rc::clone(&data.histogram), props.state.settings.limit);
    let frame = {
        let histogram = Rc::clone(&histogram);
        move |room: Room| Frame::new(room.width, room.height, histogram.entries(), limit)
    };
    let onpoint = {
        let (frame, held) = (frame.clone(), Rc::clone(&held));
        let (dispatch, onhover) = (props.dispatch.clone(), props.onhover.clone());
        Callback::from(move |at: Option<(f64, f64, Room)>| match at {
            Some((x, _, room)) if *held.borrow() => dispatch.emit(Action::Limit(frame(room).length_at(x))),
            Some((x, _, room)) => onhover.emit(Some(frame(room).length_at(x))),
            None => onhover.emit(None),
        })
    };
    let onpress = {
        let (frame, held) = (frame.clone(), Rc::clone(&held));
        Callback::from(move |(x, _, room): (f64, f64, Room)| {
            *held.borrow_mut() = (frame(room).limit_x(limit) - x).abs() < GRIP;
        })
    };
    let onrelease = Callback::from(move |()| *held.borrow_mut() = false);
    let draw = drawing(props);
    let title = findings::of_lengths(&histogram, limit);
    let label = format!(
        "Histogram of {} sequences by length, {} to {} tokens, limit {}. {title}.",
        count(histogram.items()),
        count(u64::from(histogram.entries()[0].0[0])),
        count(u64::from(histogram.max()[0])),
        count(u64::from(limit)),
    );
    let log = props.state.log_counts;
    let set = |log| props.dispatch.reform(move |_| Action::LogCounts(log));
    let bin = Frame::new(700.0, 300.0, histogram.entries(), limit).bin;
    html! {
        <section class="lengths">
            <h2>{ title }</h2>
            <div class="caption">
                <p>{ if bin == 1 { "sequences of each length".to_owned() } else { format!("sequences per {} lengths", count(u64::from(bin))) } }</p>
                { choice("Scale of counts", &[("linear", !log, set(false)), ("log", log, set(true))]) }
            </div>
            <Plot class="tall" {label} {draw} version={0} {onpoint} {onpress} {onrelease} />
            <div class="unseen">{ behind(&histogram, limit) }</div>
        </section>
    }
}

fn drawing(props: &Props) -> Draw {
    let (state, hover) = (Rc::clone(&props.state), props.hover);
    Rc::new(move |backend: CanvasBackend, room: Room| {
        let Some(data) = &state.data else { return };
        let (entries, limit) = (data.histogram.entries(), state.settings.limit);
        let frame = Frame::new(room.width, room.height, entries, limit);
        let hover = hover.map(|length| (length, words(&state, &data.histogram, &frame, length)));
        let chart = Chart { entries, limit, log: state.log_counts, hover, lit: &[] };
        // A canvas that cannot be drawn on stays empty; its label and table still say what it shows.
        let _ = draw(&backend.into_drawing_area(), room.scale, colours(state.theme), &frame, &chart);
    })
}

/// Length, count, share, and the pack it is most used in.
fn words(state: &AppState, histogram: &Histogram<1>, frame: &Frame, length: u32) -> Vec<String> {
    let first = frame.bar_of(length);
    let last = first.saturating_add(frame.bin - 1);
    let within = histogram.entries().iter().filter(|([l], _)| (first..=last).contains(l));
    let n: u64 = within.map(|(_, n)| n).sum();
    let head = if frame.bin == 1 {
        format!("{} tokens", count(u64::from(length)))
    } else {
        format!("{} to {} tokens", count(u64::from(first)), count(u64::from(last)))
    };
    let mut words =
        vec![head, format!("{} sequences · {}", count(n), percent(n as f64 / histogram.items() as f64))];
    let uses = |s: &&Shape| s.runs.iter().any(|(l, _)| (first..=last).contains(l));
    if let Some(shape) = state.answer.as_ref().and_then(|a| a.report.strategies.iter().find(uses)) {
        words.push(format!("most often in {}", super::rows::name(shape, 4)));
    }
    words
}

/// The histogram as a table of eight parts, for those who do not see the plot.
fn behind(histogram: &Histogram<1>, limit: u32) -> Html {
    let bin = limit.div_ceil(8).max(1);
    html! {
        <table>
            <caption>{ "Sequences by length" }</caption>
            <thead><tr><th>{ "tokens" }</th><th>{ "sequences" }</th></tr></thead>
            <tbody>
                { for bars(bin, histogram.entries()).into_iter().take(64).map(|(bar, n)| html! {
                    <tr><td>{ format!("{bar} to {}", bar.saturating_add(bin - 1)) }</td><td>{ n }</td></tr>
                }) }
            </tbody>
        </table>
    }
}
