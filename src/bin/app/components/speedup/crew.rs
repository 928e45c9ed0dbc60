//! Speed-up over the number of accelerators; a press or a drag chooses it.

use super::PricedProps;
use crate::components::behind::behind;
use crate::components::titled;
use crate::plot::{Draw, Plot, Room};
use crate::shared::Same;
use packscope::chart::Frame;
use packscope::chart::crew::{Curve, Input, Layout, layout, scene};
use packscope::cost::Estimate;
use packscope::cost::waiting::ACCELERATORS;
use packscope::order;
use packscope::state::AppState;
use packscope::state::speedup::findings::{self, baseline, short_name_of};
use packscope::state::speedup::{Action, Priced};
use packscope::words::{about_factor, count};
use std::rc::Rc;
use yew::prelude::*;

/// The chart of speed-up over accelerators.
#[component]
pub fn Crew(props: &PricedProps) -> Html {
    let state = &props.state;
    let held = use_mut_ref(|| false);
    let hover = use_state_eq(|| None::<u32>);
    let chart = use_memo(Chart::new(state, &props.along), Clone::clone);
    let draw = use_memo((Same(Rc::clone(&chart)), *hover), |_| drawing(&chart, *hover));
    let set = props.dispatch.reform(|n: u32| Action::Set("accelerators", f64::from(n)));
    let onpoint = {
        let (hover, held, chart, set) = (hover.setter(), Rc::clone(&held), Rc::clone(&chart), set.clone());
        Callback::from(move |at: Option<(f64, f64, Room)>| {
            if let Some((x, _, room)) = at.filter(|_| *held.borrow()) {
                set.emit(chart.layout(room).nearest(x));
            }
            hover.set(at.and_then(|(x, y, room)| chart.layout(room).accelerators_at((x, y))));
        })
    };
    let onpress = {
        let (held, chart, set) = (Rc::clone(&held), Rc::clone(&chart), set.clone());
        Callback::from(move |(x, y, room): (f64, f64, Room)| {
            if let Some(accelerators) = chart.layout(room).accelerators_at((x, y)) {
                *held.borrow_mut() = true;
                set.emit(accelerators);
            }
        })
    };
    let onrelease = {
        let held = Rc::clone(&held);
        Callback::from(move |()| *held.borrow_mut() = false)
    };
    let onstep = {
        let now = chart.accelerators.ilog2();
        set.reform(move |[right, up]: [i32; 2]| stepped(now, right + up))
    };
    let title = findings::of_crew(state, &props.along).unwrap_or_default();
    let label = format!(
        "Estimated speed-up of {} methods over 1 to 4,096 accelerators. {title}.",
        chart.curves.len()
    );
    let under =
        hover.map_or_else(|| "Click to set the number of accelerators.".to_owned(), |n| chart.readout(n));
    html! {
        <section class="crew">
            <h2>{ titled(&title) }</h2>
            <div class="caption"><p>{ format!("speed-up against {}, estimated, over accelerators", baseline(state.view)) }</p></div>
            <Plot name="accelerators" title={title.clone()} theme={state.theme} class="tall-crew" {label} draw={(*draw).clone()} {onpoint} {onpress} {onrelease} {onstep} />
            <p class="small told">{ under }</p>
            { table(&chart) }
        </section>
    }
}

/// Returns the number of accelerators `by` doublings from `2^power`, clamped to the ends of [`ACCELERATORS`].
fn stepped(power: u32, by: i32) -> u32 {
    let last = ACCELERATORS.len() - 1;
    ACCELERATORS[(power as usize).saturating_add_signed(by as isize).min(last)]
}

/// The data of the chart, independent of the state.
#[derive(Clone, PartialEq)]
struct Chart {
    curves: Vec<Along>,
    chosen: Option<usize>,
    accelerators: u32,
    baseline: &'static str,
}

/// A method at each number of accelerators.
#[derive(Clone, PartialEq)]
struct Along {
    name: &'static str,
    values: Vec<f64>,
    errors: Vec<f64>,
}

impl Chart {
    fn new(state: &AppState, along: &[(u32, Priced)]) -> Self {
        let first = along.first().map_or(&[][..], |(_, at)| &at.estimates);
        // Methods that the accelerator does not support are left out; the first one is the line at 1.
        let usual = first.first().map(|e| e.method);
        let drawn = |e: &Estimate| e.possible && Some(e.method) != usual;
        let possible = || first.iter().enumerate().filter(|(_, e)| drawn(e));
        let curve = |(i, e): (usize, &Estimate)| {
            let at = || along.iter().filter_map(|(_, at)| at.estimates.get(i));
            Along {
                name: short_name_of(e.method, state.view),
                values: at().map(|e| e.speedup).collect(),
                // As much of the speed-up as of the time.
                errors: at().map(|e| e.speedup * e.error / e.seconds).collect(),
            }
        };
        let chosen = state.speedup_chosen();
        Self {
            curves: possible().map(curve).collect(),
            chosen: possible().position(|(_, e)| e.method == chosen),
            accelerators: state.speedup.assumptions().accelerators,
            baseline: baseline(state.view),
        }
    }

    /// Calls `then` with the chart's input, which borrows from `self`.
    fn with<T>(&self, hover: Option<u32>, then: impl FnOnce(&Input) -> T) -> T {
        let curves = self.curves.iter().map(|c| Curve { name: c.name, values: &c.values, errors: &c.errors });
        let curves: Vec<Curve> = curves.collect();
        then(&Input {
            curves: &curves,
            baseline: self.baseline,
            chosen: self.chosen,
            accelerators: self.accelerators,
            hover,
        })
    }

    fn layout(&self, room: Room) -> Layout {
        self.with(None, |input| layout(input, &room.measure()))
    }

    /// Every method at a number of accelerators in words, the fastest first.
    fn readout(&self, accelerators: u32) -> String {
        let Some(at) = ACCELERATORS.iter().position(|n| *n == accelerators) else { return String::new() };
        let mut known: Vec<(f64, &str)> =
            self.curves.iter().filter_map(|c| Some((*c.values.get(at)?, c.name))).collect();
        order::sort_by(&mut known, |a, b| b.0.total_cmp(&a.0));
        let words: Vec<String> =
            known.into_iter().map(|(speedup, name)| format!("{} {}", name, about_factor(speedup))).collect();
        format!("{}: {}, estimated.", count(u64::from(accelerators)), words.join(", "))
    }
}

fn drawing(chart: &Rc<Chart>, hover: Option<u32>) -> Draw {
    let chart = Rc::clone(chart);
    Rc::new(move |frame: &Frame| chart.with(hover, |input| scene(input, frame).0))
}

fn table(chart: &Chart) -> Html {
    let head = ACCELERATORS.iter().map(|n| count(u64::from(*n)));
    let head = std::iter::once("method".to_owned()).chain(head);
    let row = |c: &Along| {
        let values = c.values.iter().map(|speedup| about_factor(*speedup));
        std::iter::once(c.name.to_owned()).chain(values).collect()
    };
    let title = format!("Estimated speed-up against {}, by number of accelerators", chart.baseline);
    behind(&title, head, chart.curves.iter().map(row))
}
