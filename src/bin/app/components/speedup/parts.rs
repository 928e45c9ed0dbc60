//! The parts of an epoch's time, by method: stacked bars on one scale.

use super::{PricedProps, on};
use crate::components::behind::behind;
use crate::components::titled;
use crate::plot::{Draw, Plot, Room, use_height};
use crate::shared::Same;
use packscope::chart::Frame;
use packscope::chart::parts::{self, Bar, BarPart, Input, height, layout, scene};
use packscope::cost::{Estimate, Parts as Spent};
use packscope::state::speedup::findings::{self, banded, name_of};
use packscope::state::{AppState, View};
use packscope::words::about_duration;
use std::rc::Rc;
use yew::prelude::*;

/// The chart of an epoch's time.
#[component]
pub fn Parts(props: &PricedProps) -> Html {
    let state = &props.state;
    let hover = use_state_eq(|| None::<BarPart>);
    let chart = use_memo(Chart::new(state, &props.now.estimates), Clone::clone);
    let draw = use_memo((Same(Rc::clone(&chart)), *hover), |_| drawing(&chart, *hover));
    let onpoint = {
        let (hover, chart) = (hover.setter(), Rc::clone(&chart));
        Callback::from(move |at: Option<_>| hover.set(at.and_then(|at| chart.part_at(at))))
    };
    let onpress = onpoint.reform(Some);
    let onstep = {
        let (hover, chart) = (hover.clone(), Rc::clone(&chart));
        Callback::from(move |step| hover.set(chart.stepped(*hover, step)))
    };
    let node = use_node_ref();
    {
        let chart = Rc::clone(&chart);
        use_height(&node, Same(Rc::clone(&chart)), move |width| {
            chart.with(None, |input| height(input, width))
        });
    }
    let title = findings::of_parts(state, &props.now.estimates).unwrap_or_default();
    let under = hover.and_then(|part| readout(state, &props.now.estimates, part));
    let label = format!("What an epoch is spent on by {} methods, {}. {title}.", chart.bars.len(), on(state));
    let hint = "Point at a part, or use the arrow keys, to read it. Grey is padding.";
    html! {
        <section class="parts">
            <h2>{ titled(&title) }</h2>
            <div class="caption"><p>{ format!("time of an epoch {}", on(state)) }</p>if !props.waited { <span>{ "simulating who waits …" }</span> }</div>
            <div ref={node} class="bars"><Plot name="time" title={title.clone()} theme={state.theme} class="filled" {label} draw={(*draw).clone()} {onpoint} {onpress} {onstep} /></div>
            <p class="small told" aria-live="polite">{ under.map_or_else(|| hint.to_owned(), |s| format!("{s}.")) }</p>
            { table(state, &props.now.estimates) }
        </section>
    }
}

/// Returns the names of the parts in the chart.
fn names(graphs: bool) -> [&'static str; 6] {
    let mut names = parts::names(graphs);
    if !graphs {
        names[0] = "tokens";
    }
    names
}

/// A part in words.
fn readout(state: &AppState, estimates: &[Estimate], (bar, name): BarPart) -> Option<String> {
    let part = names(state.view == View::Graphs).iter().position(|other| *other == name)?;
    let (name, _) = Spent::default().named()[part];
    findings::of_share(state, estimates.get(bar)?, name)
}

/// The data of the chart, independent of the state.
#[derive(Clone, PartialEq)]
struct Chart {
    bars: Vec<(&'static str, Option<Spent>, String)>,
    chosen: Option<usize>,
    graphs: bool,
}

impl Chart {
    fn new(state: &AppState, estimates: &[Estimate]) -> Self {
        let bar = |e: &Estimate| {
            let text = match e.possible {
                true => format!("{} · {}", about_duration(e.seconds), banded(e)),
                false => "not where shapes are fixed".to_owned(),
            };
            (name_of(e.method, state.view), e.possible.then_some(e.parts), text)
        };
        Self {
            bars: estimates.iter().map(bar).collect(),
            chosen: estimates.iter().position(|e| e.method == state.speedup_chosen()),
            graphs: state.view == View::Graphs,
        }
    }

    /// Calls `then` with the chart's input, which borrows from `self`.
    fn with<T>(&self, hover: Option<BarPart>, then: impl FnOnce(&Input) -> T) -> T {
        let bars = self.bars.iter().map(|(name, parts, text)| Bar { name, parts: *parts, text });
        let bars: Vec<Bar> = bars.collect();
        then(&Input { bars: &bars, names: names(self.graphs), chosen: self.chosen, hover })
    }

    fn part_at(&self, (x, y, room): (f64, f64, Room)) -> Option<BarPart> {
        self.with(None, |input| layout(input, &room.measure()).part_at((x, y)))
    }

    /// Returns the part after steps to the right and up; initially the padding of the first method.
    fn stepped(&self, now: Option<BarPart>, [right, up]: [i32; 2]) -> Option<BarPart> {
        let names = names(self.graphs);
        let Some((bar, name)) = now else { return Some((0, names[2])) };
        let part = names.iter().position(|other| *other == name)?;
        let within = |at: usize, by: i32, of: usize| at.saturating_add_signed(by as isize).min(of - 1);
        let bar = within(bar, -up, self.bars.len());
        Some((bar, names[within(part, right, names.len())]))
    }
}

fn drawing(chart: &Rc<Chart>, hover: Option<BarPart>) -> Draw {
    let chart = Rc::clone(chart);
    Rc::new(move |frame: &Frame| chart.with(hover, |input| scene(input, frame).0))
}

fn table(state: &AppState, estimates: &[Estimate]) -> Html {
    let parts = Spent::default().named();
    let head = parts.iter().map(|(part, _)| findings::of_part(state, part));
    let head = std::iter::once("method".to_owned()).chain(head);
    let row = |e: &Estimate| {
        let times = e.parts.named().into_iter().map(|(_, seconds)| about_duration(seconds));
        std::iter::once(name_of(e.method, state.view).to_owned()).chain(times).collect()
    };
    behind(&format!("Parts of an epoch {}", on(state)), head, estimates.iter().map(row))
}
