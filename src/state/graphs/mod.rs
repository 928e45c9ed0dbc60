//! The view of graphs: packs under a limit for nodes and one for edges.

mod attention;
mod compare;
pub mod findings;
pub(super) mod hash;
mod sweep;

pub use hash::LIMITS;
pub use sweep::Course;

pub use packscope::api::tuple::TupleRow;
use packscope::ingest::ItemWords;

use super::{Data, Source, Study, pin, study};
use packscope::api::PackingSettings;
use packscope::api::fields;
use packscope::api::tuple::Settings;
use packscope::cost::Overhead;
use packscope::histogram::{Histogram, Preset};
use packscope::packing::Depth;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::sweep::{Range, SweepMethod, SweepPoint};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A report on graphs with its solve time.
pub type GraphAnswer = super::StudyAnswer<Settings>;
/// A finding about graphs.
pub type GraphUpdate = super::StudyUpdate<Settings>;

/// The set on which the view opens.
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

/// The study of graphs, with a sweep over its limits: the whole state of the view.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GraphState {
    study: Study<Settings, 2>,
    /// Whether the colours of the heat map have equal steps instead of equal factors.
    pub linear_colours: bool,
    /// The sweep: its limits, and the points so far.
    pub course: Course,
    /// Counts how often limits were taken from the sweep: going back in the history returns to the earlier limits.
    pub(super) adopted: u64,
    /// The weighted heuristic used last.
    weights: Option<Heuristic>,
}

impl Deref for GraphState {
    type Target = Study<Settings, 2>;

    fn deref(&self) -> &Self::Target {
        &self.study
    }
}

impl DerefMut for GraphState {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.study
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Data were read; the flagged limits start from the largest graph.
    Loaded(Source, Rc<Histogram<2>>, [bool; 2]),
    /// One limit: the index of the component, and its slots.
    Limit(usize, u32),
    Pin(pin::Action<2>),
    Limits([u32; 2]),
    /// A change of both limits, for keys that are pressed faster than the page is drawn.
    Step([i32; 2]),
    /// Maximum graphs in a pack.
    Depth(Depth),
    Algorithm(TupleAlgorithm),
    Heuristic(Heuristic),
    /// The algorithm and heuristic of a row of the table.
    Choose(TupleRow),
    /// A setting that affects no other: its name in addresses, and its value as text. Invalid values change nothing.
    Set(&'static str, String),
    /// The cost of keeping packed graphs apart: re-prices, never packs again.
    Overhead(Overhead),
    LinearColours(bool),
    Heard(GraphUpdate),
    /// The visitor stopped the search or sweep: findings stay.
    Cancelled,
    /// The limits to try for one component.
    Range(usize, Range),
    Method(SweepMethod),
    Target(f64),
    Start,
    /// Stops the sweep; points so far stay.
    Stop,
    /// Points of a sweep: its number, the points, and whether it is over.
    Swept(u64, Vec<SweepPoint<2>>, bool),
    /// Points that the search has packed: the number of the sweep, and the points.
    Checked(u64, Vec<SweepPoint<2>>),
    /// The engine refused a sweep: its number, and the reason.
    Unswept(u64, String),
}

impl GraphState {
    pub(super) fn apply(&mut self, action: Action, version: u64) {
        // Before the action, which may replace a weighted heuristic by another: the sum on offer
        // stays.
        self.weights = Some(self.settings.heuristic)
            .filter(Heuristic::is_weighted)
            .or(self.weights);
        let s = &mut self.study.settings;
        match action {
            Action::Loaded(source, histogram, start) => {
                self.load(source, histogram, start, version)
            }
            Action::Limit(k, limit) => {
                if let Some(slot) = s.limits.get_mut(k) {
                    *slot = limit.max(1);
                }
            }
            Action::Pin(action) => self.pin(action, version),
            Action::Limits(limits) => {
                s.limits = limits.map(|l| l.max(1)).to_vec();
                self.adopted += 1;
            }
            Action::Step(steps) => {
                for (limit, step) in s.limits.iter_mut().zip(steps) {
                    *limit = limit.saturating_add_signed(step).max(1);
                }
            }
            Action::Depth(depth) => s.depth = depth,
            Action::Algorithm(algorithm) => s.algorithm = algorithm,
            Action::Heuristic(heuristic) => {
                s.heuristic = heuristic;
                // Choose an algorithm that the heuristic changes, so that its effect is visible.
                if !s.algorithm.has_heuristic() {
                    s.algorithm = TupleAlgorithm::BestFit;
                }
            }
            Action::Choose(row) => *s = s.with_row(row),
            Action::Set(id, text) => _ = fields::set(fields::graphs::VALUES, s, id, &text),
            Action::Overhead(overhead) => self.reprice(overhead),
            Action::LinearColours(linear) => self.linear_colours = linear,
            Action::Heard(heard) => self.take_update(heard),
            Action::Range(..) | Action::Method(_) | Action::Target(_) => self.plan_sweep(action),
            Action::Start => self.start_sweep(),
            Action::Cancelled => {
                self.forget_search();
                self.course.running = false;
                self.course.doubtful = Rc::default();
            }
            Action::Stop => self.course.running = false,
            Action::Swept(run, points, over) => self.course.take(run, points, over),
            Action::Checked(run, points) => self.course.check(run, points),
            Action::Unswept(run, why) => self.course.fail(run, why),
        }
        // In this order: a plan that becomes the answer is a point of the sweep, if that is still
        // about the same data.
        self.adopt_optimum();
        self.end_other_sweep();
        self.follow_up();
    }

    fn load(
        &mut self,
        source: Source,
        histogram: Rc<Histogram<2>>,
        start: [bool; 2],
        version: u64,
    ) {
        let data = Data::graphs(version, source, histogram);
        let histogram = Rc::clone(&data.histogram);
        for (k, largest) in histogram
            .max()
            .into_iter()
            .enumerate()
            .filter(|(k, _)| start[*k])
        {
            // A graph without edges takes up one edge slot, so a limit is at least 1.
            self.settings.limits[k] = largest.max(1);
        }
        // Ranges hold for the data that they were chosen for, or that came in the same link.
        if self.data.is_some() {
            let kept = self.course.ranges;
            self.course.ranges = std::array::from_fn(|k| kept[k].filter(|_| !start[k]));
        }
        // Data that an address names again are kept, with their file and all answers.
        if !self.data.as_ref().is_some_and(|now| now.stays(&data)) {
            self.data = Some(data);
        }
    }

    pub fn limits(&self) -> [u32; 2] {
        // The engine takes any number of components, and this view two.
        let limit = |k| self.settings.limits.get(k).copied().unwrap_or(1);
        [limit(0), limit(1)]
    }

    /// Returns the names of components and items in the data.
    pub fn words(&self) -> ItemWords {
        ItemWords::new(
            &self
                .data
                .as_ref()
                .map_or_else(Vec::new, |data| data.source.components()),
        )
    }

    /// Whether the data are a built-in set of graphs, such as the ones that the paper has.
    pub fn is_published(&self) -> bool {
        let built_in = self
            .data
            .as_ref()
            .is_some_and(|data| matches!(data.source, Source::Preset(_)));
        built_in && self.words().are_graphs()
    }

    /// Returns the largest limits on offer: twice the largest graph, or the present ones if larger. Of attention also twice
    /// that of a full pack.
    pub fn largest_limits(&self) -> [u32; 2] {
        let [first, second] = self.maxima();
        let most = [first, second.max(self.full().unwrap_or(0))].map(|m| m.saturating_mul(2));
        let set = self.limits();
        [most[0].max(set[0]), most[1].max(set[1])]
    }

    /// Returns the most nodes and the most edges of a graph, at least 1.
    pub fn maxima(&self) -> [u32; 2] {
        self.data
            .as_ref()
            .map_or([1; 2], |d| d.histogram.max().map(|m| m.max(1)))
    }

    /// Returns limits that hold 95, 99 and 100 % of the graphs, as [`Histogram::covering`] chooses them, each with its
    /// share in words; of equal limits only the last. None of attention, whose packs are longer than that. O(distinct log
    /// distinct).
    pub fn coverings(&self) -> Vec<(&'static str, [u32; 2])> {
        let Some(data) = self
            .data
            .as_ref()
            .filter(|_| self.words().attention.is_none())
        else {
            return Vec::new();
        };
        let limits = |share| {
            data.histogram
                .covering(share)
                .map(|limit: u32| limit.max(1))
        };
        // Of equal limits the largest share is named, hence the comparison with the next.
        let all = [("95 %", 0.95), ("99 %", 0.99), ("100 %", 1.0)]
            .map(|(name, share)| (name, limits(share)));
        (0..all.len())
            .filter(|at| all.get(at + 1).is_none_or(|next| next.1 != all[*at].1))
            .map(|at| all[at])
            .collect()
    }

    /// Returns the number of graphs that exceed these limits. O(distinct), O(1) where none can.
    pub fn items_above(&self, limits: [u32; 2]) -> u64 {
        let maxima = self.maxima();
        // The largest graph tells at once whether any can exceed them.
        let exceeds = |size: &[u32; 2]| (0..2).any(|k| size[k] > limits[k]);
        let data = self.data.as_ref().filter(|_| exceeds(&maxima));
        let entries = data.iter().flat_map(|data| data.histogram.entries());
        entries
            .filter(|(size, _)| exceeds(size))
            .map(|(_, n)| n)
            .sum()
    }

    /// Returns the depths on the slider: the usual ones, with the present one inserted if it is another.
    pub fn depths(&self) -> Vec<Depth> {
        study::depths(&DEPTHS, self.settings.depth)
    }

    /// Returns the weighted sum on offer: the chosen one, else the last one, else one that counts the first component
    /// twice, which suits graphs whose edges are listed in both directions.
    pub fn weighted(&self) -> Heuristic {
        let chosen = Some(self.settings.heuristic).filter(Heuristic::is_weighted);
        chosen
            .or(self.weights)
            .unwrap_or(Heuristic::Weighted([2.0, 1.0, 0.0]))
    }
}

/// Returns the name of a row: its algorithm, and its heuristic where there is one.
pub fn row_name(words: &ItemWords, row: TupleRow) -> String {
    let name = words.say(row.algorithm.long_name());
    match row.heuristic {
        Some(heuristic) => format!("{name}, {}", words.say(&heuristic.short_name())),
        None => name,
    }
}
