//! The sweep over limits: its settings and its points.

use super::{Action, GraphState};
use crate::api::tuple::Settings;
use crate::api::{Compared, Packing};
use crate::packing::tuple::Algorithm;
use crate::sweep::{self, Method, Point, Range};
use std::rc::Rc;

/// Steps of each component's default range.
const STEPS: u32 = 24;
/// Maximum seconds of work for a sweep that starts by itself.
const CHEAP: f64 = 3.0;

/// A sweep over limits: its settings, and the points so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Limits to try for nodes and edges; `None` for the default ranges.
    pub ranges: [Option<Range>; 2],
    /// The search method.
    pub method: Method,
    /// The target efficiency in both components.
    pub target: f64,
    /// Whether it is under way.
    pub running: bool,
    /// Counts sweeps, so that points of an older one are recognised.
    pub run: u64,
    /// The ranges of the points.
    pub swept: Option<[Range; 2]>,
    /// The search method of the points.
    swept_by: Option<Method>,
    /// Points so far, in order of arrival.
    pub points: Rc<Vec<Point<2>>>,
    /// The reason why the sweep ended early.
    pub trouble: Option<String>,
    about: Option<(u64, Settings)>,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            ranges: [None; 2],
            method: Method::Grid,
            target: 0.95,
            running: false,
            run: 0,
            swept: None,
            swept_by: None,
            points: Rc::default(),
            trouble: None,
            about: None,
        }
    }
}

impl Course {
    pub(super) fn take(&mut self, run: u64, points: Vec<Point<2>>, over: bool) {
        if run == self.run && self.running {
            if !points.is_empty() {
                Rc::make_mut(&mut self.points).extend(points);
            }
            self.running = !over;
        }
    }

    pub(super) fn fail(&mut self, run: u64, why: String) {
        if run == self.run && self.running {
            self.running = false;
            self.trouble = Some(why);
        }
    }

    /// Returns the point at these limits.
    pub fn at(&self, limits: [u32; 2]) -> Option<&Point<2>> {
        self.points.iter().find(|p| p.limits == limits)
    }

    /// Returns the point with the highest harmonic mean.
    pub fn best(&self) -> Option<&Point<2>> {
        sweep::best(self.points.iter())
    }

    /// Returns the smallest limits that reach the target in both components.
    pub fn smallest(&self) -> Option<&Point<2>> {
        sweep::smallest(self.points.iter(), self.target)
    }

    /// Returns the points that no other beats in limits and in the harmonic mean.
    pub fn front(&self) -> Vec<&Point<2>> {
        sweep::front(self.points.iter())
    }

    /// Returns the packing settings of the points.
    pub fn settings(&self) -> Option<&Settings> {
        self.about.as_ref().map(|(_, settings)| settings)
    }
}

impl GraphState {
    /// Returns the ranges of the next sweep: from the largest graph to twice that, unless others are set.
    pub fn ranges(&self) -> [Range; 2] {
        let maxima = self.maxima();
        std::array::from_fn(|k| {
            let from = maxima[k];
            // The last step meets the end, or falls short of it by less than a step.
            let step = from.div_ceil(STEPS).max(1);
            self.course.ranges[k].unwrap_or(Range {
                from,
                to: from.saturating_mul(2).min(u32::MAX - 1),
                step,
            })
        })
    }

    /// Returns the packing settings of a sweep: best fit replaces algorithms that take long.
    pub fn sweep_settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        if settings.algorithm.takes_long() {
            settings.algorithm = Algorithm::BestFit;
        }
        settings.deciding()
    }

    fn sweep_subject(&self) -> (u64, Settings) {
        // Limits differ between points.
        (self.version(), Settings { limits: Vec::new(), ..self.sweep_settings() })
    }

    pub(super) fn plan_sweep(&mut self, action: Action) {
        match action {
            Action::Range(k, range) if k < 2 => self.course.ranges[k] = Some(range),
            Action::Method(method) => self.course.method = method,
            Action::Target(target) if (0.0..=1.0).contains(&target) => self.course.target = target,
            _ => {}
        }
        // A sweep with other ranges or another method stops.
        self.course.running &= self.is_on_offer();
    }

    /// Whether the last sweep has the present ranges and method.
    pub fn is_on_offer(&self) -> bool {
        self.course.swept == Some(self.ranges()) && self.course.swept_by == Some(self.course.method)
    }

    pub(super) fn start_sweep(&mut self) {
        if self.data.is_none() {
            return;
        }
        let (ranges, about) = (self.ranges(), self.sweep_subject());
        let course = &mut self.course;
        course.run += 1;
        course.running = true;
        course.swept = Some(ranges);
        course.swept_by = Some(course.method);
        course.points = Rc::default();
        course.trouble = None;
        course.about = Some(about);
    }

    /// Whether the sweep on offer is missing, and cheap enough to start by itself.
    pub fn is_sweep_due(&self) -> bool {
        // An upper bound: only a grid tries all limits.
        let all: f64 = self.ranges().iter().map(|r| f64::from(r.len())).product();
        let cheap = |p: &Compared<Settings>| p.seconds * all < CHEAP;
        let is_new = !(self.is_on_offer() && self.is_swept());
        let known = self.row(self.sweep_settings().row()).is_some_and(cheap);
        is_new && !self.course.running && self.is_compared() && known
    }

    /// Whether the points are about the present data, depth and algorithm.
    pub fn is_swept(&self) -> bool {
        self.course.about.as_ref() == Some(&self.sweep_subject())
    }

    /// Stops a sweep about other data or another algorithm; if about other data, drops its points.
    pub(super) fn end_other_sweep(&mut self) {
        if self.course.about.is_none() || self.is_swept() {
            return;
        }
        self.course.running = false;
        if self.course.about.as_ref().is_some_and(|(version, _)| *version != self.version()) {
            self.course.points = Rc::default();
            (self.course.swept, self.course.about, self.course.trouble) = (None, None, None);
        }
    }
}
