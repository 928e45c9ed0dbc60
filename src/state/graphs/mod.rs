//! The view of graphs: packs under a limit for nodes and one for edges.

mod compare;
pub mod findings;
pub(super) mod hash;
mod names;
mod sweep;

pub use compare::{Comparison, Row};
pub use hash::LIMITS;
pub use names::Words;
pub use sweep::Course;

use super::pin::{self, Pin};
use super::{Data, Found, Source, Ticket};
use crate::api::tuple::{Report, Settings};
use crate::cost::{self, Overhead};
use crate::histogram::{Histogram, Overlong, Preset};
use crate::packing::Depth;
use crate::packing::tuple::{Algorithm, Heuristic};
use crate::sweep::{Method, Point, Range};
use std::rc::Rc;

/// A report on graphs with the time its solve took.
pub type Answer = super::Answer<Report>;
/// What a worker has said about graphs.
pub type Told = super::Told<Settings, Report, Row>;
/// What a comparison, or an optimum, is about: version of the data, and settings without algorithm and heuristic.
pub type Subject = (u64, Settings);

/// The set the view opens on.
pub const FIRST: &Preset = &Preset::GRAPHS[0];

/// The depths on offer.
pub const DEPTHS: [Depth; 11] = [
    Depth::AtMost(1),
    Depth::AtMost(2),
    Depth::AtMost(4),
    Depth::AtMost(8),
    Depth::AtMost(16),
    Depth::AtMost(32),
    Depth::AtMost(64),
    Depth::AtMost(128),
    Depth::AtMost(256),
    Depth::AtMost(512),
    Depth::Unlimited,
];

/// What to do with graphs above a limit: a graph cannot be split.
pub const POLICIES: [Overlong; 3] = Overlong::UNSPLIT;

/// Everything the view shows follows from this.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GraphState {
    /// `None` until they are there.
    pub data: Option<Data<2>>,
    /// How they are to be packed.
    pub settings: Settings,
    /// Colours of the heat map in equal steps instead of equal factors.
    pub linear_colours: bool,
    /// The newest answer.
    pub answer: Option<Rc<Answer>>,
    /// The table.
    pub comparison: Rc<Comparison>,
    /// Which limits to try, and what came out.
    pub course: Course,
    /// A result that is kept.
    pub pin: Option<Rc<Pin<Settings, 2>>>,
    /// Weights that were set last.
    weights: Option<Heuristic>,
    /// The question that the engine has refused last, and why.
    refused: Option<(Ticket, Settings, String)>,
    pub(super) found: Option<Found<Settings>>,
    proven: Option<Rc<Answer>>,
}

/// What can happen to graphs.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Data were read; which limits start from the largest graph.
    Loaded(Source, Rc<Histogram<2>>, [bool; 2]),
    /// One limit: the component, and its slots.
    Limit(usize, u32),
    /// What happens to the result that is kept.
    Pin(pin::Action<2>),
    /// Both limits.
    Limits([u32; 2]),
    /// Both limits, by so much more or less: what keys do may come faster than the page is drawn.
    Step([i32; 2]),
    /// Graphs in a pack at most.
    Depth(Depth),
    /// The algorithm.
    Algorithm(Algorithm),
    /// The heuristic.
    Heuristic(Heuristic),
    /// Algorithm and heuristic: a row of the table.
    Choose(Row),
    /// What to do with graphs above a limit.
    Overlong(Overlong),
    /// What keeping packed graphs apart costs: re-prices, never packs again.
    Overhead(Overhead),
    /// Equal steps of colour or not.
    LinearColours(bool),
    /// A worker has said something.
    Told(Told),
    /// The visitor has stopped what takes long: what was found stays.
    Cancelled,
    /// Limits to try, of one component.
    Range(usize, Range),
    /// How limits are chosen.
    Method(Method),
    /// The efficiency that limits shall reach.
    Target(f64),
    /// Begins a sweep.
    Start,
    /// Ends it; points so far stay.
    Stop,
    /// Points of a sweep: of which, what came out, and whether it is over.
    Swept(u64, Vec<Point<2>>, bool),
    /// The engine refused a point of a sweep.
    Unswept(u64, String),
}

impl GraphState {
    pub(super) fn apply(&mut self, action: Action, version: u64) {
        self.weights = Some(self.settings.heuristic).filter(Heuristic::is_weighted).or(self.weights);
        let s = &mut self.settings;
        match action {
            Action::Loaded(source, histogram, start) => self.load(source, histogram, start, version),
            Action::Limit(k, limit) => {
                if let Some(slot) = s.limits.get_mut(k) {
                    *slot = limit.max(1);
                }
            }
            Action::Pin(action) => self.pin(action, version),
            Action::Limits(limits) => s.limits = limits.map(|l| l.max(1)).to_vec(),
            Action::Step(steps) => {
                for (limit, step) in s.limits.iter_mut().zip(steps) {
                    *limit = limit.saturating_add_signed(step).max(1);
                }
            }
            Action::Depth(depth) => s.depth = depth,
            Action::Algorithm(algorithm) => s.algorithm = algorithm,
            Action::Heuristic(heuristic) => {
                s.heuristic = heuristic;
                // Where it would change nothing, who chooses one wants to see what it does.
                if !s.algorithm.has_heuristic() {
                    s.algorithm = Algorithm::BestFit;
                }
            }
            Action::Choose(row) => {
                s.algorithm = row.algorithm;
                s.heuristic = row.heuristic.unwrap_or(s.heuristic);
            }
            Action::Overlong(Overlong::Split) => {}
            Action::Overlong(overlong) => s.overlong = overlong,
            Action::Overhead(overhead) => self.reprice(overhead),
            Action::LinearColours(linear) => self.linear_colours = linear,
            Action::Told(told) => self.hear(told),
            Action::Range(..) | Action::Method(_) | Action::Target(_) => self.plan_sweep(action),
            Action::Start => self.start_sweep(),
            Action::Cancelled => {
                self.found = None;
                self.course.running = false;
            }
            Action::Stop => self.course.running = false,
            Action::Swept(run, points, over) => self.course.take(run, points, over),
            Action::Unswept(run, why) => self.course.fail(run, why),
        }
        self.adopt_proven();
        self.end_other_sweep();
    }

    fn load(&mut self, source: Source, histogram: Rc<Histogram<2>>, start: [bool; 2], version: u64) {
        for (k, largest) in histogram.max().into_iter().enumerate().filter(|(k, _)| start[*k]) {
            // Graphs without edges take room for one.
            self.settings.limits[k] = largest.max(1);
        }
        // Ranges are about the data they were chosen for, or came with data and limits in a link.
        if self.data.is_some() {
            let kept = self.course.ranges;
            self.course.ranges = std::array::from_fn(|k| kept[k].filter(|_| !start[k]));
        }
        self.data = Some(Data::graphs(version, source, histogram));
    }

    /// Version of the data that are loaded; 0 when there are none.
    pub fn version(&self) -> u64 {
        self.data.as_ref().map_or(0, |d| d.version)
    }

    /// The limits for nodes and edges.
    pub fn limits(&self) -> [u32; 2] {
        let limit = |k| self.settings.limits.get(k).copied().unwrap_or(1);
        [limit(0), limit(1)]
    }

    /// The largest limits on offer: twice the largest graph, or what is set.
    pub fn largest_limits(&self) -> [u32; 2] {
        let most = self.maxima().map(|m| m.saturating_mul(2));
        let set = self.limits();
        [most[0].max(set[0]), most[1].max(set[1])]
    }

    /// The most nodes and the most edges of a graph, at least 1.
    pub fn maxima(&self) -> [u32; 2] {
        self.data.as_ref().map_or([1; 2], |d| d.histogram.max().map(|m| m.max(1)))
    }

    /// Depths on the slider: the usual ones, and the present one if it is another.
    pub fn depths(&self) -> Vec<Depth> {
        let mut depths = DEPTHS.to_vec();
        if let Err(at) = depths.binary_search(&self.settings.depth) {
            depths.insert(at, self.settings.depth);
        }
        depths
    }

    /// The weighted sum on offer: the one that is chosen, else the last one, else one that counts the first
    /// component twice, as suits graphs whose edges are listed both ways.
    pub fn weighted(&self) -> Heuristic {
        let chosen = Some(self.settings.heuristic).filter(Heuristic::is_weighted);
        chosen.or(self.weights).unwrap_or(Heuristic::Weighted([2.0, 1.0, 0.0]))
    }

    fn reprice(&mut self, overhead: Overhead) {
        self.settings.overhead = overhead;
        if let Some(answer) = &mut self.answer {
            cost::price(&mut Rc::make_mut(answer).report.figures, overhead);
        }
        self.price_points();
    }

    /// Whether the answer, and the comparison, are about the present data and settings.
    pub fn stands(&self) -> [bool; 2] {
        [self.is_current(), self.is_compared()]
    }

    /// Whether the newest answer is about the present data and settings.
    pub fn is_current(&self) -> bool {
        self.answer.as_ref().is_some_and(|a| {
            a.ticket.data == self.version() && asked(&a.report.settings) == asked(&self.settings)
        })
    }
}

/// What decides the packs: the overhead set aside, and the heuristic where it makes no difference.
pub fn asked(settings: &Settings) -> Settings {
    let mut asked = settings.unpriced();
    if !asked.algorithm.has_heuristic() {
        asked.heuristic = Settings::default().heuristic;
    }
    asked
}

/// The settings without algorithm and heuristic: what an optimum is the optimum of.
fn problem(settings: &Settings) -> Settings {
    asked(&Settings { algorithm: Algorithm::Optimal, ..settings.clone() })
}
