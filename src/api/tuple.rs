//! Requests and reports for items of several components, and for points of a sweep over their limits.

use crate::bounds::{self, Bound};
use crate::cost::{self, Overhead};
use crate::error::{Error, Result};
use crate::histogram::{FREE, Fitted, Histogram, Overlong, Size};
use crate::metrics::{Counts, Figures, harmonic_mean};
use crate::packing::tuple::{Algorithm, Heuristic, Packed, Task};
use crate::packing::{Depth, Progress, STEPS, go_on};
use crate::plan::Plan;
use crate::sweep::Point;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How the data are to be packed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Slots of a pack per component (nodes, edges); [`FREE`] for a component without a limit.
    pub limits: Vec<u32>,
    /// Items in a pack at most.
    pub depth: Depth,
    /// The packing algorithm.
    pub algorithm: Algorithm,
    /// How a size becomes one number for priority.
    pub heuristic: Heuristic,
    /// What to do with items above a limit.
    pub overlong: Overlong,
    /// What keeping packed items apart costs.
    pub overhead: Overhead,
}

impl Default for Settings {
    /// The settings of Krell et al. 2022, *Tuple Packing*, for ogbg-molhiv.
    fn default() -> Self {
        Self {
            limits: vec![222, 502],
            depth: Depth::AtMost(256),
            algorithm: Algorithm::Optimal,
            heuristic: Heuristic::Component(0),
            overlong: Overlong::Drop,
            overhead: Overhead::Free,
        }
    }
}

impl Settings {
    /// What decides the packs: the settings with the overhead, which only prices them, set aside.
    pub fn unpriced(&self) -> Self {
        Self { overhead: Overhead::default(), ..self.clone() }
    }
}

/// Data and settings: everything a report depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// (size, number of items), in any order; every size has as many components as there are limits.
    pub counts: Vec<(Vec<u32>, u64)>,
    /// How they are to be packed.
    pub settings: Settings,
    /// Distinct strategies the report keeps at most.
    pub listed: u32,
}

/// The answer: figures and the plan they are of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The settings it answers.
    pub settings: Settings,
    /// Items that were above a limit, before the policy was applied.
    pub overlong_items: u64,
    /// The figures.
    pub figures: Figures,
    /// The strategies, most packs first.
    pub strategies: Vec<Shape>,
    /// Packs whose strategy is not in the list.
    pub unlisted_packs: u64,
    /// (items in a pack, packs that hold so many), ascending; all packs, listed or not.
    pub packs_by_depth: Vec<(u64, u64)>,
}

/// One strategy: sizes with how often each occurs in the pack, largest first; and the packs of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// (size, times in one pack), largest first.
    pub runs: Vec<(Vec<u32>, u32)>,
    /// Packs of this shape.
    pub count: u64,
}

impl Report {
    /// A number that changes when anything in the report does: native and browser must agree on it.
    pub fn digest(&self) -> u64 {
        super::digest(self)
    }
}

/// Answers a request of 1, 2 or 3 components. Deterministic: the same request gives the same report on every
/// machine.
///
/// # Errors
/// [`Error::Components`] when sizes and limits do not agree; what [`Histogram::from_counts`], [`Histogram::fit`]
/// and [`Algorithm::run`] refuse.
pub fn run(request: &Request, progress: &mut Progress) -> Result<Report> {
    match request.settings.limits.len() {
        1 => run_counted::<1>(request, progress),
        2 => run_counted::<2>(request, progress),
        3 => run_counted::<3>(request, progress),
        limits => {
            let components = request.counts.first().map_or(0, |(size, _)| size.len());
            Err(Error::Components { limits, components })
        }
    }
}

/// As [`run`], for items of two components only: what packs one and three is not part of a program that asks for two.
///
/// # Errors
/// As [`run`].
pub fn run_pairs(request: &Request, progress: &mut Progress) -> Result<Report> {
    match request.settings.limits.len() {
        2 => run_counted::<2>(request, progress),
        limits => Err(Error::Components { limits, components: 2 }),
    }
}

fn run_counted<const K: usize>(request: &Request, progress: &mut Progress) -> Result<Report> {
    let count = |(size, count): &(Vec<u32>, u64)| Ok((sized(size, K)?, *count));
    let counts: Vec<_> = request.counts.iter().map(count).collect::<Result<_>>()?;
    run_on::<K>(&Histogram::from_counts(counts)?, &request.settings, request.listed, progress)
}

/// As [`run`], for a histogram at hand.
///
/// # Errors
/// As [`run`].
pub fn run_on<const K: usize>(
    histogram: &Histogram<K>,
    settings: &Settings,
    listed: u32,
    progress: &mut Progress,
) -> Result<Report> {
    let prepared = Prepared::new(histogram, settings)?;
    let packed = prepared.pack(settings, STEPS, progress)?;
    Ok(prepared.report(settings, packed, listed))
}

/// `K` numbers, where that is how many there are; `limits` are given for the error.
fn sized<const K: usize>(numbers: &[u32], limits: usize) -> Result<Size<K>> {
    numbers.try_into().map_err(|_| Error::Components { limits, components: numbers.len() })
}

/// Data that fit the limits, ready to be packed in many ways: the settings that follow may differ from those given
/// here in algorithm, heuristic, depth and overhead only.
#[derive(Debug)]
pub struct Prepared<const K: usize> {
    fitted: Fitted<K>,
    limits: Size<K>,
    /// Bounds by limits that are kept to, and depth: judging takes no part of the time of packing.
    bounds: RefCell<BTreeMap<(Size<K>, Depth), Bound>>,
}

impl<const K: usize> Prepared<K> {
    /// Applies the policy for overlong items.
    ///
    /// # Errors
    /// [`Error::Components`] when there is not one limit for each component; as [`Histogram::fit`].
    pub fn new(histogram: &Histogram<K>, settings: &Settings) -> Result<Self> {
        let given = settings.limits.as_slice();
        let wrong = Error::Components { limits: given.len(), components: K };
        let limits = given.try_into().map_err(|_| wrong)?;
        Ok(Self { fitted: histogram.fit(limits, settings.overlong)?, limits, bounds: RefCell::default() })
    }

    /// Packs: the part whose time is shown. `steps` are those of [`Task::steps`].
    ///
    /// # Errors
    /// As [`Algorithm::run`].
    pub fn pack(&self, settings: &Settings, steps: u64, progress: &mut Progress) -> Result<Packed<K>> {
        let (depth, heuristic) = (settings.depth, settings.heuristic);
        let task = Task { limits: self.limits, depth, heuristic, steps };
        settings.algorithm.run(&self.fitted.histogram, &task, progress)
    }

    /// Everything there is to say about a packing.
    pub fn report(&self, settings: &Settings, packed: Packed<K>, listed: u32) -> Report {
        let figures = self.figures(settings, &packed);
        let strategies = shapes(&packed.plan, listed);
        Report {
            settings: settings.clone(),
            overlong_items: self.fitted.overlong_items,
            unlisted_packs: figures.packs - strategies.iter().map(|s| s.count).sum::<u64>(),
            figures,
            strategies,
            packs_by_depth: packed.plan.packs_by_depth().into_iter().collect(),
        }
    }

    /// The figures of a packing. Where a component has no limit, its efficiency is against the largest sum that
    /// occurs.
    pub fn figures(&self, settings: &Settings, packed: &Packed<K>) -> Figures {
        let histogram = &self.fitted.histogram;
        let items = histogram.items();
        let plan = &packed.plan;
        let single: Size<K> = std::array::from_fn(|k| match self.limits[k] {
            FREE => histogram.max()[k],
            limit => limit,
        });
        let counts = Counts {
            items,
            packs: plan.packs(),
            strategies: Some(plan.strategies().len() as u64),
            max_depth: plan.max_depth(),
            real_tokens: histogram.total(),
            slots: packed.slots,
            waste_tokens: self.fitted.waste_tokens,
            baseline_slots: single.map(|limit| u128::from(items) * u128::from(limit)),
        };
        let mut figures = Figures::new(&counts, Some(self.bound(settings, packed)));
        cost::price(&mut figures, settings.overhead);
        figures
    }

    fn bound(&self, settings: &Settings, packed: &Packed<K>) -> Bound {
        let mut bounds = self.bounds.borrow_mut();
        let limits = packed.plan.limits();
        let known = bounds
            .entry((limits, settings.depth))
            .or_insert_with(|| bounds::tuple::best(&self.fitted.histogram, &limits, settings.depth.get()));
        if let Some(bound) = packed.bound.filter(|b| b.packs > known.packs) {
            *known = bound;
        }
        *known
    }
}

/// The strategies with the most packs first; ties by the largest sizes.
fn shapes<const K: usize>(plan: &Plan<K>, listed: u32) -> Vec<Shape> {
    let runs = |s: &crate::plan::Strategy<K>| s.runs.iter().map(|(size, n)| (size.to_vec(), *n)).collect();
    plan.by_count(listed as usize).into_iter().map(|s| Shape { runs: runs(s), count: s.count }).collect()
}

/// One point of a sweep: packs the data, already drawn up, at other limits. Items that exceed them follow the
/// policy of the settings.
///
/// # Errors
/// As [`Prepared::new`] and [`Algorithm::run`].
pub fn evaluate<const K: usize>(
    histogram: &Histogram<K>,
    settings: &Settings,
    limits: Size<K>,
) -> Result<Point<K>> {
    let fitted = histogram.fit(limits, settings.overlong)?;
    let task = Task::new(limits, settings.depth, settings.heuristic);
    let packed = settings.algorithm.run(&fitted.histogram, &task, &mut go_on)?;
    let (packs, slots) = (packed.plan.packs(), packed.slots);
    let real = fitted.histogram.total();
    // As in a report: where nothing is needed, nothing is padding.
    let efficiency =
        std::array::from_fn(|k| if slots[k] == 0 { 1.0 } else { real[k] as f64 / slots[k] as f64 });
    // A sum above 32 bits is as good as free.
    let needed = packed.plan.largest().map(|sum| u32::try_from(sum).unwrap_or(FREE));
    Ok(Point { limits, needed, packs, efficiency, harmonic: harmonic_mean(&efficiency) })
}
