//! The histogram of lengths: hover reads it, dragging the needle sets the limit.

use super::behind::behind;
use super::{choice, hues, scale};
use crate::plot::{Draw, Plot, Room, further};
use crate::shared::{Same, Shared};
use packscope::api::Shape;
use packscope::chart::histogram::{Bin, Input, Layout, layout, scene};
use packscope::chart::{Frame, Hues};
use packscope::histogram::{Groups, Histogram};
use packscope::state::{Action, AppState, findings};
use packscope::words::{count, percent};
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Properties of [`Lengths`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Dispatches actions.
    pub dispatch: Callback<Action>,
    /// The length under the pointer, here or in the packs.
    pub hover: Option<u32>,
    /// Reports the length under the pointer.
    pub onhover: Callback<Option<u32>>,
}

/// Distance from the needle within which a press grabs it, CSS pixels.
const GRIP: f64 = 16.0;

/// The size assumed until it is known.
const ROOM: Room = Room { width: 660.0, height: 300.0, scale: 1.0, dark: false };

/// The histogram.
#[component]
pub fn Lengths(props: &Props) -> Html {
    let held = use_mut_ref(|| false);
    let tip = use_node_ref();
    let room = use_state_eq(|| None::<Room>);
    let (state, hover) = (&props.state, props.hover);
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
    let chart = use_memo(key, |_| Some(Rc::new(Chart::new(state, (*groups).as_ref()?)?)));
    let draw = use_memo((key, hover), |_| (*chart).as_ref().map(|chart| Chart::drawing(chart, hover)));
    let (Some(data), Some(chart), Some(draw)) = (&state.sequences.data, &*chart, &*draw) else {
        return Html::default();
    };
    let onpoint = {
        let (chart, held) = (Rc::clone(chart), Rc::clone(&held));
        let (dispatch, onhover) = (props.dispatch.clone(), props.onhover.clone());
        Callback::from(move |at: Option<(f64, f64, Room)>| match at {
            Some((x, _, space)) if *held.borrow() => dispatch.emit(Action::Limit(chart.length_at(x, space))),
            Some((x, _, space)) => onhover.emit(Some(chart.length_at(x, space))),
            None => onhover.emit(None),
        })
    };
    let onpress = {
        let (chart, held) = (Rc::clone(chart), Rc::clone(&held));
        Callback::from(move |(x, _, space): (f64, f64, Room)| {
            *held.borrow_mut() = (chart.handle(space) - x).abs() < GRIP;
        })
    };
    let onrelease = Callback::from(move |()| *held.borrow_mut() = false);
    let onstep = {
        let (chart, onhover) = (Rc::clone(chart), props.onhover.clone());
        let (room, limit) = (*room, state.sequences.settings.limit);
        Callback::from(move |[right, up]: [i32; 2]| {
            onhover.emit(chart.stepped(hover.unwrap_or(limit), right + up, room.unwrap_or(ROOM)));
        })
    };
    let onroom = {
        let room = room.setter();
        Callback::from(move |space| room.set(Some(space)))
    };
    let histogram = &data.histogram;
    let unit = props.state.sequences.unit();
    let title = findings::of_lengths(histogram, props.state.sequences.settings.limit, unit);
    let label = format!(
        "Histogram of {} sequences by length, {} to {} {unit}, limit {}. {title}.",
        count(histogram.items()),
        count(u64::from(histogram.entries()[0].0[0])),
        count(u64::from(histogram.max()[0])),
        count(u64::from(props.state.sequences.settings.limit)),
    );
    html! {
        <section class="lengths">
            <h2>{ crate::components::titled(&title) }</h2>
            <div class="caption">
                <p>{ chart.caption(*room) }</p>
                { scales(props) }
            </div>
            <div class="plot-with-tip">
                <Plot name="lengths" title={title.clone()} theme={state.theme} class="tall" {label} draw={draw.clone()} {onpoint} {onpress} {onrelease} {onstep} {onroom} />
                <Tip node={tip} state={props.state.clone()} chart={Same(Rc::clone(chart))} hover={props.hover} room={*room} />
            </div>
            { table(chart) }
        </section>
    }
}

/// How counts are drawn; and lengths, where a drawing to scale shows little.
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

/// The data of the plot, independent of the state.
struct Chart {
    histogram: Rc<Histogram<1>>,
    /// Lengths in groups where there are very many.
    entries: Vec<(u32, u64)>,
    limit: u32,
    end: u32,
    log: bool,
    across: bool,
    hues: Hues,
    unit: String,
}

impl Chart {
    fn new(state: &AppState, groups: &Groups) -> Option<Self> {
        let limit = state.sequences.settings.limit;
        let histogram = Rc::clone(&state.sequences.data.as_ref()?.histogram);
        Some(Self {
            entries: histogram.apart(groups, limit),
            histogram,
            limit,
            end: state.sequences.largest_limit(),
            log: state.log_counts,
            across: state.has_log_lengths(),
            hues: hues(&state.sequences, limit),
            unit: state.sequences.unit().to_owned(),
        })
    }

    fn input(&self, hover: Option<u32>) -> Input<'_> {
        Input {
            entries: &self.entries,
            limit: self.limit,
            end: Some(self.end),
            scale: scale(self.log),
            across: scale(self.across),
            hues: self.hues,
            hover,
            lit: &[],
            items: "sequences",
            unit: &self.unit,
        }
    }

    fn layout(&self, room: Room) -> Layout {
        layout(&self.input(None), &room.measure())
    }

    fn length_at(&self, x: f64, room: Room) -> u32 {
        self.layout(room).length_at(x)
    }

    fn handle(&self, room: Room) -> f64 {
        self.layout(room).handle.0
    }

    fn caption(&self, room: Option<Room>) -> String {
        self.layout(room.unwrap_or(ROOM)).caption("sequences", &self.unit)
    }

    fn drawing(chart: &Rc<Self>, hover: Option<u32>) -> Draw {
        let chart = Rc::clone(chart);
        Rc::new(move |frame: &Frame| scene(&chart.input(hover), frame).0)
    }

    /// Returns the first length of the bar `by` bars to the right, clamped to the ends.
    fn stepped(&self, length: u32, by: i32, room: Room) -> Option<u32> {
        let bins = self.layout(room).bins;
        let at = bins.iter().rposition(|bin| bin.from <= length).unwrap_or(0);
        further(at, by, bins.len()).map(|to| bins[to].from)
    }

    /// Returns the bar of a length, after the x of its middle.
    fn bar(&self, length: u32, room: Room) -> Option<(f64, Bin)> {
        let layout = self.layout(room);
        let bin = *layout.bin_of(length)?;
        Some(((layout.x_of(bin.from) + layout.x_of(bin.to)) / 2.0, bin))
    }
}

#[derive(Clone, PartialEq, Properties)]
struct TipProps {
    node: NodeRef,
    state: Shared,
    chart: Same<Chart>,
    hover: Option<u32>,
    room: Option<Room>,
}

/// The bar under the pointer, described beside it.
#[component]
fn Tip(props: &TipProps) -> Html {
    let bar = props.hover.zip(props.room).and_then(|(length, room)| props.chart.0.bar(length, room));
    let (node, place) = (props.node.clone(), bar.zip(props.room).map(|((x, _), room)| (x, room.width)));
    use_effect_with(place, move |place| {
        // Through the object model: the page's policy allows no style attribute.
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

/// Length, count, share, and the pack it is most used in.
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
fn table(chart: &Chart) -> Html {
    let part = chart.end.div_ceil(8).max(1);
    let row = |i: u32| {
        let (from, to) = (i * part + 1, (i + 1).saturating_mul(part));
        let [shorter, all] = [from - 1, to].map(|length| chart.histogram.items_within(length));
        vec![format!("{from} to {to}"), count(all - shorter)]
    };
    behind("Sequences by length", [chart.unit.as_str(), "sequences"], (0..8).map(row))
}
