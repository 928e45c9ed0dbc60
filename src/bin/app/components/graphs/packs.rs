//! Packs as rectangles along the diagonal: the first component to the right, the second upwards.

use super::Props;
use crate::components::behind::behind;
use crate::plot::{Draw, Plot, Room, further, use_height};
use crate::shared::Same;
use packscope::api::tuple::{Report, Shape};
use packscope::chart::Frame;
use packscope::chart::diagonal::{self, Input, Pack};
use packscope::state::GraphState;
use packscope::state::graphs::{Words, findings};
use packscope::words::count;
use std::rc::Rc;
use yew::prelude::*;

/// The most packs drawn, apart from the average graph.
const SQUARES: usize = 8;
/// The most strategies to choose the drawn packs from.
const AMONG: usize = 3000;

/// The plot of packs.
#[component]
pub fn Packs(props: &Props) -> Html {
    let hover = use_state_eq(|| None::<(usize, usize)>);
    let node = use_node_ref();
    let state = &props.state.graphs;
    let shown = state.answer.as_ref().map(|a| a.ticket);
    let squares = use_memo(shown, |_| Rc::new(Squares::new(state)));
    let draw = use_memo((shown, *hover), |_| Squares::drawing(&squares, *hover));
    let many = squares.packs.len() + 1;
    use_height(&node, many, move |width| diagonal::height_for(width, many));
    let Some(answer) = &state.answer else { return Html::default() };
    let onpoint = {
        let (squares, hover) = (Rc::clone(&squares), hover.setter());
        Callback::from(move |at: Option<(f64, f64, Room)>| {
            let layout = |room: Room| diagonal::layout(&squares.input(None), &room.measure());
            hover.set(at.and_then(|(x, y, room)| layout(room).at(x, y)));
        })
    };
    let onstep = {
        let (squares, hover) = (Rc::clone(&squares), hover.clone());
        Callback::from(move |step| hover.set(squares.stepped(*hover, step)))
    };
    let label = diagonal::summary(&squares.input(None));
    let title = findings::of_packs(&answer.report.figures, &state.words());
    html! {
        <section class="diagonal">
            <h2>{ crate::components::titled(&title) }</h2>
            <div class="caption"><p>{ squares.readout(*hover) }</p></div>
            <div ref={node} class="tall-packs"><Plot name="packs" title={title.clone()} theme={props.state.theme} class="filled" {label} draw={(*draw).clone()} {onpoint} {onstep} /></div>
            { squares.table() }
        </section>
    }
}

/// The data of the plot, independent of the state.
struct Squares {
    packs: Vec<Pack>,
    limits: [u32; 2],
    unpacked: Option<([f64; 2], u64)>,
    words: Words,
}

impl Squares {
    fn new(state: &GraphState) -> Self {
        let words = state.words();
        let (Some(answer), Some(data)) = (&state.answer, &state.data) else {
            return Self { packs: Vec::new(), limits: [0; 2], unpacked: None, words };
        };
        let report = &answer.report;
        let strategies: Vec<_> = report.strategies.iter().take(AMONG).map(|s| (sizes(s), s.count)).collect();
        let pack = |i: usize| strategies.get(i).map(|(sizes, n)| Pack { sizes: sizes.clone(), count: *n });
        Self {
            packs: diagonal::choose(&strategies, SQUARES).into_iter().filter_map(pack).collect(),
            limits: limits(report),
            unpacked: Some((data.histogram.mean_size(), report.figures.items)),
            words,
        }
    }

    fn input(&self, hover: Option<(usize, usize)>) -> Input<'_> {
        Input {
            packs: &self.packs,
            limits: self.limits,
            unpacked: self.unpacked,
            names: self.words.names(),
            items: self.words.items,
            hover,
        }
    }

    /// Returns the item after steps to the right, to another pack, or up within its pack; initially the first one.
    fn stepped(&self, now: Option<(usize, usize)>, [right, up]: [i32; 2]) -> Option<(usize, usize)> {
        let Some((pack, item)) = now else { return Some((0, 0)) };
        let pack = further(pack, right, self.packs.len())?;
        Some((pack, further(item, up, self.packs[pack].sizes.len())?))
    }

    fn table(&self) -> Html {
        let row = |pack: &Pack| {
            let of = |k: usize| count(pack.sizes.iter().map(|s| u64::from(s[k])).sum());
            vec![count(pack.sizes.len() as u64), count(pack.count), of(0), of(1)]
        };
        let [first, second] = self.words.names();
        behind("Packs", [self.words.items, "packs like this", first, second], self.packs.iter().map(row))
    }

    /// The item under the pointer in words, or a caption.
    fn readout(&self, hover: Option<(usize, usize)>) -> String {
        let [first, second] = self.words.names();
        let at = hover.and_then(|(pack, item)| Some((self.packs.get(pack)?, item)));
        let Some((pack, size)) = at.and_then(|(pack, item)| Some((pack, pack.sizes.get(item)?))) else {
            return format!("{first} to the right, {second} upwards; grey stays empty");
        };
        let [a, b] = size.map(|s| count(u64::from(s)));
        let times = count(pack.count);
        let items = self.words.count(pack.sizes.len() as u64);
        format!("{a} {first}, {b} {second}, in a pack of {items} × {times}")
    }

    fn drawing(squares: &Rc<Self>, hover: Option<(usize, usize)>) -> Draw {
        let squares = Same(Rc::clone(squares));
        Rc::new(move |frame: &Frame| diagonal::scene(&squares.input(hover), frame).0)
    }
}

/// Slots of a pack, per component: the limit, or the largest sum where there is none.
fn limits(report: &Report) -> [u32; 2] {
    let f = &report.figures;
    std::array::from_fn(|k| {
        let slots = f.slots.get(k).copied().unwrap_or(1) / f.packs.max(1);
        u32::try_from(slots).unwrap_or(u32::MAX).max(1)
    })
}

/// The sizes of the items of a pack, one by one.
fn sizes(shape: &Shape) -> Vec<[u32; 2]> {
    let size = |s: &[u32]| [s.first().copied().unwrap_or(0), s.get(1).copied().unwrap_or(0)];
    shape.runs.iter().flat_map(|(s, times)| std::iter::repeat_n(size(s), *times as usize)).collect()
}
