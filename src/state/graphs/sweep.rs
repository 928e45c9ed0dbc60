//! The sweep over limits: its settings and its points.

use super::{Action, GraphState, TupleRow};
use packscope::api::PackingSettings;
use packscope::api::tuple::{FAST_PLANS, Report, Settings};
use packscope::order::Set;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::sweep::{self, Range, SweepMethod, SweepPoint};
use std::rc::Rc;

/// Steps of each component's default range.
const STEPS: u32 = 24;
/// A gain in the harmonic mean below this is not worth a change of limits.
const WORTH: f64 = 0.01;
/// Maximum seconds of work for a sweep that starts by itself.
const CHEAP: f64 = 3.0;
/// Maximum seconds for packing points of a sweep again with the search.
const CHECKS: f64 = 10.0;

/// A sweep over limits: its settings, and the points so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Limits to try for nodes and edges; `None` for the default ranges.
    pub ranges: [Option<Range>; 2],
    pub method: SweepMethod,
    /// The target efficiency in both components.
    pub target: f64,
    pub running: bool,
    /// Counts sweeps, so that points of an older sweep are recognised.
    pub run: u64,
    /// The ranges of the points.
    pub swept: Option<[Range; 2]>,
    /// The search method of the points.
    swept_by: Option<SweepMethod>,
    /// Points so far, in order of arrival.
    pub points: Rc<Vec<SweepPoint<2>>>,
    /// Points of answers at limits that the sweep has not tried.
    beside: Vec<SweepPoint<2>>,
    /// Limits whose points were packed by the search or the optimum.
    checked: Set<[u32; 2]>,
    /// Limits on which the findings depend, and which are to be packed with the search as well.
    pub doubtful: Rc<Vec<[u32; 2]>>,
    /// The state for which the doubtful limits were chosen: run, points, checked limits, target, affordable checks.
    followed: Option<(u64, usize, usize, u64, usize)>,
    /// The reason why the sweep ended early.
    pub trouble: Option<String>,
    // Version of the data and settings of the points, without the limits in which they differ.
    about: Option<(u64, Settings)>,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            ranges: [None; 2],
            method: SweepMethod::Grid,
            target: 0.95,
            running: false,
            run: 0,
            swept: None,
            swept_by: None,
            points: Rc::default(),
            beside: Vec::new(),
            checked: Set::new(),
            doubtful: Rc::default(),
            followed: None,
            trouble: None,
            about: None,
        }
    }
}

impl Course {
    pub(super) fn take(&mut self, run: u64, points: Vec<SweepPoint<2>>, over: bool) {
        // Points of a sweep that was stopped or replaced come too late.
        if run == self.run && self.running {
            if !points.is_empty() {
                Rc::make_mut(&mut self.points).extend(points);
            }
            self.running = !over;
        }
    }

    /// Replaces points by those of the search if these have fewer packs.
    pub(super) fn check(&mut self, run: u64, points: Vec<SweepPoint<2>>) {
        if run == self.run {
            points.into_iter().for_each(|point| self.put_checked(point));
        }
    }

    fn put_checked(&mut self, point: SweepPoint<2>) {
        self.checked.insert(point.limits, ());
        let fewer = |known: &SweepPoint<2>| point.packs < known.packs;
        if let Some(at) = self.points.iter().position(|p| p.limits == point.limits) {
            // The search need not find fewer packs than the heuristics before it.
            if fewer(&self.points[at]) {
                Rc::make_mut(&mut self.points)[at] = point;
            }
        } else if let Some(at) = self.beside.iter().position(|p| p.limits == point.limits) {
            if fewer(&self.beside[at]) {
                self.beside[at] = point;
            }
        } else {
            self.beside.push(point);
        }
    }

    /// Returns the number of limits packed with the search or the optimum.
    pub fn checked(&self) -> u64 {
        self.checked.len() as u64
    }

    /// Returns the points of the map, and those of answers at other limits.
    fn known_points(&self) -> impl Iterator<Item = &SweepPoint<2>> + Clone {
        self.from([0; 2])
    }

    /// Returns the known points with no limit below these: smaller limits hold fewer graphs, so they are fuller.
    pub(in crate::state) fn from(
        &self,
        limits: [u32; 2],
    ) -> impl Iterator<Item = &SweepPoint<2>> + Clone {
        let points = self.points.iter().chain(&self.beside);
        points.filter(move |p| (0..2).all(|k| p.limits[k] >= limits[k]))
    }

    /// Whether the point at these limits was packed by the search or the optimum.
    pub fn is_checked(&self, limits: [u32; 2]) -> bool {
        self.checked.contains_key(&limits)
    }

    pub(super) fn fail(&mut self, run: u64, why: String) {
        if run == self.run && self.running {
            self.running = false;
            self.trouble = Some(why);
        }
    }

    pub fn point_at(&self, limits: [u32; 2]) -> Option<&SweepPoint<2>> {
        self.known_points().find(|p| p.limits == limits)
    }

    pub fn limits_tried(&self) -> u64 {
        self.known_points().count() as u64
    }

    /// Returns the point with the highest harmonic mean.
    pub fn best(&self) -> Option<&SweepPoint<2>> {
        sweep::best(self.known_points())
    }

    /// Returns the smallest limits that reach the target in both components.
    pub fn smallest(&self) -> Option<&SweepPoint<2>> {
        sweep::smallest(self.known_points(), self.target)
    }

    /// Whether a point reaches the target in both components.
    pub fn is_reached(&self, point: &SweepPoint<2>) -> bool {
        point.efficiency.iter().all(|e| *e >= self.target)
    }

    /// Returns the point whose lower efficiency is the highest: the nearest to any target in both components.
    pub fn nearest(&self) -> Option<&SweepPoint<2>> {
        let least = |p: &SweepPoint<2>| p.efficiency[0].min(p.efficiency[1]);
        self.known_points()
            .filter(|p| p.is_limited())
            .max_by(|a, b| least(a).total_cmp(&least(b)))
    }

    /// Returns the points that no other beats in limits and in the harmonic mean.
    pub fn front(&self) -> Vec<&SweepPoint<2>> {
        sweep::front(self.known_points())
    }
}

impl GraphState {
    /// Returns the ranges of the next sweep: those that were set, else from the largest graph to twice its size. With
    /// attention the present limit of tokens, and from the mean of full packs, or the largest item, to twice that.
    pub fn ranges(&self) -> [Range; 2] {
        let (maxima, full) = (self.maxima(), self.full());
        std::array::from_fn(|k| {
            let from = maxima[k].max(full.filter(|_| k == 1).unwrap_or(1));
            if full.is_some() && k == 0 && self.course.ranges[k].is_none() {
                let now = self.limits()[k].min(u32::MAX - 1);
                return Range {
                    from: now,
                    to: now,
                    step: 1,
                };
            }
            // The last step reaches the end, or falls short of it by less than a step.
            let step = from.div_ceil(STEPS).max(1);
            self.course.ranges[k].unwrap_or(Range {
                from,
                // `u32::MAX` would be no limit.
                to: from.saturating_mul(2).min(u32::MAX - 1),
                step,
            })
        })
    }

    /// Returns the packing settings of a sweep. If the chosen algorithm is slow, the best of the fast heuristics packs
    /// every point, and the search packs the points on which the findings depend. Best fit packs every point
    /// [in place](Self::is_swept_by_best_fit) of an algorithm for which limits mean little.
    pub fn sweep_settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        if self.is_swept_by_best_fit() {
            settings.algorithm = TupleAlgorithm::BestFit;
        }
        if settings.algorithm.takes_long() {
            settings.algorithm = TupleAlgorithm::Search;
        }
        settings.deciding()
    }

    /// Whether best fit packs for the sweep in place of the chosen algorithm. No limits can be recommended for packs that
    /// exceed them; and with one graph a pack, the largest graph alone decides.
    pub fn is_swept_by_best_fit(&self) -> bool {
        let chosen = self.settings.algorithm;
        chosen == TupleAlgorithm::None || chosen.only().is_some()
    }

    /// Whether the best of the fast heuristics packs for the sweep, and the search checks its findings.
    pub fn is_sweep_checked(&self) -> bool {
        self.settings.algorithm.takes_long()
    }

    /// Returns limits that are worth a change and hold every graph that the present ones hold: the smallest that reach
    /// the target, or else the fullest. Where the present limits reach it, only smaller and fuller ones are.
    pub fn better_limits(&self) -> Option<&SweepPoint<2>> {
        let (course, here) = (&self.course, self.course.point_at(self.limits()));
        // Without a point at the present limits, any point is a gain.
        let reached = here.is_some_and(|here| course.is_reached(here));
        // Where the target is reached, only less area for fuller packs counts; below it, fuller
        // packs do, or any that reach it.
        let gains = |p: &&SweepPoint<2>| {
            here.is_none_or(|here| match is_fuller(p, here) {
                fuller if reached => fuller && p.area() < here.area(),
                fuller => fuller || p.harmonic > here.harmonic && course.is_reached(p),
            })
        };
        let found = sweep::smallest(
            course.from(self.smallest_holding_limits()).filter(gains),
            course.target,
        );
        found.or_else(|| {
            sweep::best(course.from(self.smallest_holding_limits()))
                .filter(|p| gains(p) && !reached)
        })
    }

    /// Returns the smallest limits that hold every graph which the present ones hold, as far as the largest graph tells.
    pub(super) fn smallest_holding_limits(&self) -> [u32; 2] {
        let (now, maxima) = (self.limits(), self.maxima());
        [now[0].min(maxima[0]), now[1].min(maxima[1])]
    }

    /// Adds the answer to the points, and chooses the limits that the search is to check.
    pub(super) fn follow_up(&mut self) {
        let due = !self.course.running
            && !self.course.points.is_empty()
            && self.course.trouble.is_none()
            && self.is_sweep_checked()
            && self.is_swept();
        if due && let Some(point) = self.own_point() {
            self.course.put_checked(point);
        }
        let most = if due { self.affordable_checks() } else { 0 };
        let course = &mut self.course;
        // Chosen anew only where something has changed: `decisive` looks at all points.
        let depends = (
            course.run,
            course.points.len(),
            course.checked.len(),
            course.target.to_bits(),
            most,
        );
        let depends = (most > 0).then_some(depends);
        if course.followed != depends {
            course.followed = depends;
            let limits = match most {
                0 => Vec::new(),
                _ => sweep::decisive(course.known_points(), course.target),
            };
            // Only as many as the search can pack in time, the most important first.
            let open = limits
                .into_iter()
                .take(most)
                .filter(|limits| !course.checked.contains_key(limits));
            course.doubtful = Rc::new(open.collect());
        }
    }

    /// Returns the answer as a point of the sweep, if it was packed with the settings of a check.
    fn own_point(&self) -> Option<SweepPoint<2>> {
        let answer = self
            .answer
            .as_ref()
            .filter(|a| a.ticket.data == self.version())?;
        let report = &answer.report;
        let packed = Settings {
            limits: Vec::new(),
            ..report.settings.optimal().deciding()
        };
        let (_, about) = self.course.about.as_ref()?;
        let alike = report.settings.takes_long() && packed == about.optimal().deciding();
        alike.then(|| point(report)).flatten()
    }

    /// Returns the number of points that the search can check within [`CHECKS`] seconds.
    fn affordable_checks(&self) -> usize {
        let search = self.row(TupleRow {
            algorithm: TupleAlgorithm::Search,
            heuristic: None,
        });
        // Measured times may be 0.
        search.map_or(0, |row| (CHECKS / row.seconds.max(0.001)) as usize)
    }

    fn sweep_subject(&self) -> (u64, Settings) {
        // Points differ in their limits.
        (
            self.version(),
            Settings {
                limits: Vec::new(),
                ..self.sweep_settings()
            },
        )
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
        course.checked.clear();
        course.beside.clear();
        course.trouble = None;
        course.about = Some(about);
    }

    /// Whether the sweep on offer is missing, and cheap enough to start by itself.
    pub fn is_sweep_due(&self) -> bool {
        // The table comes first: one of its rows tells how long a plan takes.
        let is_new = !(self.is_on_offer() && self.is_swept());
        is_new && !self.course.running && self.is_compared() && self.is_sweep_cheap() == Some(true)
    }

    /// Returns whether the sweep on offer is fast enough to start by itself; `None` until one plan has been timed.
    pub fn is_sweep_cheap(&self) -> Option<bool> {
        // An upper bound: only a grid tries all limits.
        let all: f64 = self.ranges().iter().map(|r| f64::from(r.len())).product();
        let (row, plans) = match self.is_sweep_checked() {
            true => (
                // One of the fast plans stands for all of them.
                TupleRow::new(TupleAlgorithm::BestFit, Heuristic::Component(0)),
                FAST_PLANS,
            ),
            false => (self.sweep_settings().row(), 1),
        };
        self.row(row)
            .map(|p| p.seconds * f64::from(plans) * all < CHEAP)
    }

    /// Whether the points are about the present data, depth and algorithm.
    pub fn is_swept(&self) -> bool {
        self.course.about.as_ref() == Some(&self.sweep_subject())
    }

    /// Stops a sweep about other data or another algorithm, and drops its points if the data differ.
    pub(super) fn end_other_sweep(&mut self) {
        if self.course.about.is_none() || self.is_swept() {
            return;
        }
        self.course.running = false;
        if self
            .course
            .about
            .as_ref()
            .is_some_and(|(version, _)| *version != self.version())
        {
            self.course.points = Rc::default();
            self.course.checked.clear();
            self.course.beside.clear();
            (self.course.swept, self.course.about, self.course.trouble) = (None, None, None);
        }
    }
}

/// Whether a point is so much fuller that a change of limits is worth it.
pub(super) fn is_fuller(p: &SweepPoint<2>, here: &SweepPoint<2>) -> bool {
    p.harmonic >= here.harmonic + WORTH
}

/// Returns a report as a point of a sweep.
fn point(report: &Report) -> Option<SweepPoint<2>> {
    let f = &report.figures;
    let limits = report.settings.limits.as_slice().try_into().ok()?;
    let efficiency = f.efficiency.as_slice().try_into().ok()?;
    Some(SweepPoint {
        limits,
        // A report does not say how much of the limits its packs need.
        needed: limits,
        packs: f.packs,
        efficiency,
        harmonic: f.efficiency_harmonic,
    })
}
