//! The heat map of graphs by size: hover reads a cell, dragging the corner sets the limits.

use super::Props;
use crate::components::behind::behind;
use crate::components::{choice, titled};
use crate::plot::{Draw, Plot, Room};
use crate::shared::Same;
use packscope::chart::Frame;
use packscope::chart::heat::{self, Cell, Corner, Input, Layout};
use packscope::histogram::Histogram;
use packscope::state::graphs::{Action, Words, findings};
use packscope::state::{Data, GraphState};
use packscope::words::{capital, count, percent};
use std::cell::Cell as Kept;
use std::rc::Rc;
use yew::prelude::*;

/// The heat map.
#[component]
pub fn Heat(props: &Props) -> Html {
    let held = use_memo((), |()| Rc::new(Kept::new(None::<Corner>)));
    let hover = use_state_eq(|| None::<Cell>);
    // Axes stay where they are while a corner is dragged.
    let ends = use_state_eq(|| None::<[u32; 2]>);
    let state = &props.state.graphs;
    let key = (state.version(), state.limits(), !state.linear_colours, *ends);
    let map = use_memo(key, |_| state.data.as_ref().map(|data| Rc::new(Map::new(data, state, *ends))));
    let table = use_memo(state.version(), |_| table(state));
    let at = (*hover).map(|cell| cell.from);
    let draw = use_memo((key, at), |_| (*map).as_ref().map(|map| Map::drawing(map, at)));
    let (Some(map), Some(draw)) = (&*map, &*draw) else { return Html::default() };
    let onpoint = {
        let (map, held, hover, dispatch) =
            (Rc::clone(map), Rc::clone(&held), hover.setter(), props.dispatch.clone());
        Callback::from(move |at: Option<(f64, f64, Room)>| match (at, held.get()) {
            (Some((x, y, room)), Some(corner)) => {
                let [nodes, edges] = map.layout(room).limits_at(x, y);
                dispatch.emit(match corner {
                    Corner::Both => Action::Limits([nodes, edges]),
                    Corner::First => Action::Limit(0, nodes),
                    Corner::Second => Action::Limit(1, edges),
                });
            }
            (Some((x, y, room)), None) => hover.set(map.layout(room).cell_at(x, y)),
            (None, _) => hover.set(None),
        })
    };
    let onpress = {
        let (map, held, ends) = (Rc::clone(map), Rc::clone(&held), ends.setter());
        Callback::from(move |(x, y, room): (f64, f64, Room)| {
            held.set(map.layout(room).near_corner(x, y));
            ends.set(held.get().map(|_| map.reach()));
        })
    };
    let onrelease = {
        let (held, ends) = (Rc::clone(&held), ends.setter());
        Callback::from(move |()| {
            held.set(None);
            ends.set(None);
        })
    };
    let onstep = props.dispatch.reform(Action::Step);
    let is_held: Rc<dyn Fn() -> bool> = {
        let held = Rc::clone(&held);
        Rc::new(move || held.get().is_some())
    };
    let linear = state.linear_colours;
    let set = |linear| props.dispatch.reform(move |_| Action::LinearColours(linear));
    let title = findings::of_sizes(state);
    html! {
        <section class="heat">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>{ readout(state, *hover) }</p>
                { choice("Scale of colours", &[("linear", linear, set(true)), ("log", !linear, set(false))]) }
            </div>
            <Plot name="sizes" {title} theme={props.state.theme} class="tall-heat" label={heat::summary(&map.input(None))} draw={draw.clone()} {onpoint} {onpress} {onrelease}
                {onstep} held={is_held} />
            { (*table).clone() }
        </section>
    }
}

/// The cell under the pointer in words, or a hint.
fn readout(state: &GraphState, cell: Option<Cell>) -> String {
    let Some(cell) = cell else { return "drag the corner, or move it with the arrow keys".to_owned() };
    let items = state.data.as_ref().map_or(1, |d| d.histogram.items());
    let range = |k: usize| match (cell.from[k], cell.to[k]) {
        (from, to) if from == to => count(u64::from(from)),
        (from, to) => format!("{}–{}", count(u64::from(from)), count(u64::from(to))),
    };
    let share = percent(cell.count as f64 / items as f64);
    let names = state.words();
    let [first, second] = names.names();
    format!("{} {first}, {} {second}: {}, {share}", range(0), range(1), names.count(cell.count))
}

/// The data of the map, independent of the state.
struct Map {
    histogram: Rc<Histogram<2>>,
    limits: [u32; 2],
    maxima: [u32; 2],
    ends: Option<[u32; 2]>,
    log: bool,
    words: Words,
}

impl Map {
    fn new(data: &Data<2>, state: &GraphState, ends: Option<[u32; 2]>) -> Self {
        Self {
            histogram: Rc::clone(&data.histogram),
            limits: state.limits(),
            maxima: state.maxima(),
            ends,
            log: !state.linear_colours,
            words: state.words(),
        }
    }

    fn input(&self, hover: Option<[u32; 2]>) -> Input<'_> {
        Input {
            entries: self.histogram.entries(),
            limits: self.limits,
            ends: self.ends,
            names: self.words.names(),
            items: self.words.items,
            mean: self.histogram.mean_size(),
            log: self.log,
            hover,
        }
    }

    fn layout(&self, room: Room) -> Layout {
        heat::layout(&self.input(None), &room.measure())
    }

    /// The end of each axis: the limit or the maximum, whichever is larger.
    fn reach(&self) -> [u32; 2] {
        std::array::from_fn(|k| self.limits[k].max(self.maxima[k]))
    }

    fn drawing(map: &Rc<Self>, hover: Option<[u32; 2]>) -> Draw {
        let map = Same(Rc::clone(map));
        Rc::new(move |frame: &Frame| heat::scene(&map.input(hover), frame).0)
    }
}

/// The map as a table of four by four ranges.
fn table(state: &GraphState) -> Html {
    let Some(data) = &state.data else { return Html::default() };
    let names = state.words();
    let [first, second] = names.names();
    let part = state.maxima().map(|m| m.div_ceil(4).max(1));
    let words = |k: usize, i: u32| format!("{} to {}", i * part[k] + u32::from(i > 0), (i + 1) * part[k]);
    let mut cells = [[0; 4]; 4];
    for (size, items) in data.histogram.entries() {
        let at: [u32; 2] = std::array::from_fn(|k| size[k].saturating_sub(1) / part[k]);
        cells[at[0] as usize][at[1] as usize] += items;
    }
    let head = std::iter::once(first.to_owned()).chain((0..4).map(|i| format!("{} {second}", words(1, i))));
    let row = |i: u32| std::iter::once(words(0, i)).chain(cells[i as usize].map(count)).collect();
    let caption = format!("{} by {first} and {second}", capital(names.items));
    behind(&caption, head, (0..4).map(row))
}
