//! The histogram of lengths: hovering reads it, dragging the needle sets the limit. It depends on the data
//! and the limit, never on packs; only the tip names the pack that uses a length most.

use super::figure::{Figure, Keys, ROOM, drawn};
use super::unseen::behind;
use super::zoom::{self, Window};
use super::{choice, hues, scale};
use crate::lazy::{DrawPart, LazyPart, PartLoad, use_part};
use crate::plot::CanvasSize;
use crate::shared::{Same, SharedState};
use packscope::api::PackShape;
use packscope::histogram::{Groups, Histogram, Spread};
use packscope::words::{count, percent};
use packscope_chart::Grip;
use packscope_chart::histogram::{Across, BarPlaces, Bin, Input, Layout, layout, places};
use packscope_page::part;
use packscope_page::state::{Action, AppState, findings};
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

type PlaceFn = fn(Spread, &[(u32, u64)], u32, [u32; 2]) -> BarPlaces;

/// Axes other than the linear and the logarithmic one, and zooming: loaded when the data or a hand
/// need them.
#[derive(Clone, Copy)]
struct ZoomPart {
    place: PlaceFn,
    zoom: DrawPart<zoom::Props>,
}

static ZOOM: LazyPart<ZoomPart> = LazyPart::new(|| Box::pin(load_zoom()));

part! { lower:
    fn load_zoom() -> PartLoad<ZoomPart> {
        Ok(ZoomPart { place: places, zoom: |props| html! { <zoom::Zoom ..props /> } })
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    /// The length under the pointer, here or in the packs.
    pub hover: Option<u32>,
    pub onhover: Callback<Option<u32>>,
}

/// The axis of lengths that is shown, and how to zoom once it is known how.
struct ShownAxis {
    across: Rc<Across>,
    /// All lengths, and the part that zooms.
    zoom: Option<(BarPlaces, DrawPart<zoom::Props>)>,
}

/// Returns the axis of these data up to a length: as chosen, or the part of it in a window.
#[hook]
fn use_axis(
    groups: Option<&Groups>,
    of: (u64, u32, Spread),
    near: bool,
    window: Window,
) -> ShownAxis {
    let (version, end, spread) = of;
    let part = use_part(&ZOOM, near || spread == Spread::Even).ok();
    // Functions cannot be compared reliably: the key only says whether they are loaded.
    let key = (version, end, spread, part.is_some());
    let whole = use_memo(key, |_| {
        let (groups, part) = (groups?, part?);
        let first = groups.entries.first().filter(|_| spread != Spread::Linear);
        let ends = [first.map_or(1, |(length, _)| *length), end];
        Some((part.place)(spread, &groups.entries, end, ends))
    });
    let across = use_memo((key, window), |_| {
        match (spread, window, &*whole, groups.zip(part)) {
            (_, Some(ends), _, Some((groups, part))) => {
                Across::Placed((part.place)(spread, &groups.entries, end, ends))
            }
            (Spread::Linear, ..) => Across::Linear,
            (Spread::Even, _, Some(whole), _) => Across::Placed(whole.clone()),
            // An even axis, too, until the part that places it is loaded.
            _ => Across::Log,
        }
    });
    ShownAxis {
        across,
        zoom: (*whole).clone().zip(part.map(|part| part.zoom)),
    }
}

#[component]
pub fn Lengths(props: &Props) -> Html {
    let (tip, place) = (use_node_ref(), use_node_ref());
    let room = use_state_eq(|| None::<CanvasSize>);
    let (near, window) = (use_state_eq(|| false), use_state_eq(|| (0, None)));
    let state = &props.state;
    let (version, limit) = (state.sequences.version(), state.sequences.settings.limit);
    let (end, log_counts) = (state.sequences.largest_limit(), state.log_counts);
    let groups = use_memo((version, end), |(_, end)| {
        state
            .sequences
            .data
            .as_ref()
            .map(|data| data.histogram.grouped(*end))
    });
    // Other data are shown whole.
    let ends = window.1.filter(|_| window.0 == version);
    let spread = *use_memo((version, state.lengths), |_| state.spread());
    let ShownAxis { across, zoom } =
        use_axis((*groups).as_ref(), (version, end, spread), *near, ends);
    let chart = use_memo(
        (version, limit, end, log_counts, Same(Rc::clone(&across))),
        |_| {
            Some(Rc::new(input(
                state,
                (*groups).as_ref()?,
                (*across).clone(),
            )?))
        },
    );
    let (Some(data), Some(chart)) = (&state.sequences.data, &*chart) else {
        return Html::default();
    };
    let onhover = props
        .onhover
        .reform(|at: Option<[u32; 2]>| at.map(|[length, _]| length));
    let ondrag = props
        .dispatch
        .reform(|(_, [length, _]): (Grip, [u32; 2])| Action::Limit(length));
    let onroom = {
        let room = room.setter();
        Callback::from(move |space| room.set(Some(space)))
    };
    let set = {
        let window = window.setter();
        Callback::from(move |ends: Window| window.set((version, ends)))
    };
    let (onpointerenter, onfocusin) = (nearing(&near), nearing(&near));
    let unit = props.state.sequences.unit();
    let title = findings::of_lengths(&data.histogram, chart.limit, unit);
    let label = label(&data.histogram, chart, ends, &title);
    let layout = layout(chart, &room.unwrap_or(ROOM).measure());
    html! {
        <section class="lengths">
            <h2>{ crate::components::titled(&title) }</h2>
            <div class="caption">
                <p>{ layout.caption(chart.items, unit) }</p>
                { scales(props, spread, ends.map(|_| set.reform(|_| None))) }
            </div>
            <div class="plot-with-tip" ref={place.clone()} {onpointerenter} {onfocusin}>
                <Figure
                    name="lengths"
                    {title}
                    theme={state.theme}
                    class="tall"
                    {label}
                    chart={drawn(chart)}
                    keys={Keys::Point}
                    hover={props.hover.map(|length| [length, 0])}
                    {onhover}
                    {ondrag}
                    {onroom}
                />
                <Tip
                    node={tip}
                    state={state.clone()}
                    chart={Same(Rc::clone(chart))}
                    hover={props.hover}
                    room={*room}
                />
                if let Some((whole, zoom)) = zoom {
                    { zoom(zoom::Props {
                        place,
                        chart: Same(Rc::clone(chart)),
                        whole,
                        room: *room,
                        hover: props.hover,
                        window: ends,
                        set,
                    }) }
                }
            </div>
            { table(&data.histogram, chart, &layout, unit) }
        </section>
    }
}

/// Returns a callback for a pointer or a focus that comes near: the part that zooms is loaded
/// before it is used.
fn nearing<E>(near: &UseStateHandle<bool>) -> Callback<E> {
    let near = near.setter();
    Callback::from(move |_| near.set(true))
}

fn label(histogram: &Histogram<1>, chart: &Input, window: Window, title: &str) -> String {
    let shown = window.map_or_else(String::new, |ends| {
        let [from, to] = ends.map(|length| count(u64::from(length)));
        format!(", {from} to {to} shown")
    });
    format!(
        "Histogram of {} sequences by length, {} to {} {}{shown}, limit {}. {title}.",
        count(histogram.items()),
        count(u64::from(histogram.entries()[0].0[0])),
        count(u64::from(histogram.max()[0])),
        chart.unit,
        count(u64::from(chart.limit)),
    )
}

fn input(state: &AppState, groups: &Groups, across: Across) -> Option<Input> {
    let limit = state.sequences.settings.limit;
    Some(Input {
        entries: state
            .sequences
            .data
            .as_ref()?
            .histogram
            .apart(groups, limit),
        limit,
        end: Some(state.sequences.largest_limit()),
        scale: scale(state.log_counts),
        across,
        hues: hues(&state.sequences, limit),
        lit: Vec::new(),
        items: "sequences",
        unit: state.sequences.unit().to_owned(),
    })
}

/// The choice of the scale of counts; and of that of lengths, if a linear one would show little.
/// Before them the way back from a part of the lengths.
fn scales(props: &Props, spread: Spread, back: Option<Callback<MouseEvent>>) -> Html {
    let (state, dispatch) = (&props.state, &props.dispatch);
    let counts = [false, true].map(|log| {
        let name = if log { "log" } else { "linear" };
        (
            name,
            log == state.log_counts,
            dispatch.reform(move |_| Action::LogCounts(log)),
        )
    });
    let lengths = Spread::ALL.map(|one| {
        (
            one.name(),
            one == spread,
            dispatch.reform(move |_| Action::Lengths(one)),
        )
    });
    let counts = choice("Scale of counts", &counts);
    html! {
        <span class="scales">
            if let Some(onclick) = back {
                <button type="button" class="word" {onclick}>{ "show all" }</button>
            }
            if state.lengths.is_some() || spread != Spread::Linear {
                <span>{ "lengths " }{ choice("Scale of lengths", &lengths) }</span>
                <span>{ "counts " }{ counts }</span>
            } else {
                { counts }
            }
        </span>
    }
}

/// Returns the bar of a length, with the x of its middle first.
fn bar(chart: &Input, length: u32, room: CanvasSize) -> Option<(f64, Bin)> {
    let layout = layout(chart, &room.measure());
    let bin = *layout.bin_of(length)?;
    Some(((layout.x_of(bin.from) + layout.x_of(bin.to)) / 2.0, bin))
}

#[derive(Clone, PartialEq, Properties)]
struct TipProps {
    node: NodeRef,
    state: SharedState,
    chart: Same<Input>,
    hover: Option<u32>,
    room: Option<CanvasSize>,
}

/// The description of the bar under the pointer, beside it.
#[component]
fn Tip(props: &TipProps) -> Html {
    let bar = props
        .hover
        .zip(props.room)
        .and_then(|(length, room)| bar(&props.chart, length, room));
    let (node, place) = (
        props.node.clone(),
        bar.zip(props.room).map(|((x, _), room)| (x, room.width)),
    );
    // After rendering, when the words have their width.
    use_effect_with(place, move |place| {
        // Set through the DOM: the page's content security policy allows no style attribute.
        if let (Some((x, width)), Some(tip)) = (*place, node.cast::<HtmlElement>()) {
            let wide = f64::from(tip.offset_width());
            let left = if x + 14.0 + wide < width {
                x + 14.0
            } else {
                (x - 14.0 - wide).max(0.0)
            };
            let _ = tip.style().set_property("left", &format!("{left}px"));
        }
    });
    let Some((_, bin)) = bar else {
        return Html::default();
    };
    let (head, below) = words(&props.state, &bin);
    html! {
        // Screen readers have the table behind the drawing.
        <div class="tip" ref={props.node.clone()} aria-hidden="true">
            <b>{ head }</b>
            { for below.into_iter().map(|w| html! { <span>{ w }</span> }) }
        </div>
    }
}

/// Returns the words on a bar: its length, then its count, its share, and the pack that uses it
/// most.
fn words(state: &AppState, bin: &Bin) -> (String, Vec<String>) {
    let unit = state.sequences.unit();
    let head = if bin.from == bin.to {
        format!("{} {unit}", count(u64::from(bin.from)))
    } else {
        format!(
            "{} to {} {unit}",
            count(u64::from(bin.from)),
            count(u64::from(bin.to))
        )
    };
    let items = state
        .sequences
        .data
        .as_ref()
        .map_or(1, |d| d.histogram.items());
    let mut below = vec![format!(
        "{} sequences · {}",
        count(bin.count),
        percent(bin.count as f64 / items as f64)
    )];
    // Strategies are sorted by use, so the first that is found is used most.
    let uses = |s: &&PackShape| s.runs.iter().any(|(l, _)| (bin.from..=bin.to).contains(l));
    if let Some(shape) = state
        .sequences
        .answer
        .as_ref()
        .and_then(|a| a.report.strategies.iter().find(uses))
    {
        below.push(format!("most often in {}", super::rows::name(shape, 4)));
    }
    (head, below)
}

/// The histogram as a table of eight ranges, equally wide on its axis.
fn table(histogram: &Histogram<1>, chart: &Input, layout: &Layout, unit: &str) -> Html {
    let part = layout.end.div_ceil(8).max(1);
    let end = |i: u32| match chart.across {
        Across::Linear => i.saturating_mul(part),
        _ if i == 0 => layout.start - 1,
        _ => layout.length_at(layout.plot.left + layout.plot.width() * f64::from(i) / 8.0),
    };
    let row = |i: u32| {
        let (before, to) = (end(i), end(i + 1));
        let [shorter, all] = [before, to].map(|length| histogram.items_within(length));
        // Two ends of an axis that is not linear may be the same length.
        (before < to).then(|| vec![format!("{} to {to}", before + 1), count(all - shorter)])
    };
    behind(
        "Sequences by length",
        [unit, "sequences"],
        (0..8).filter_map(row),
    )
}
