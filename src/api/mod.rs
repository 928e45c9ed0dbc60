//! The one front door of the engine: [`run`] turns a [`Request`] into a [`Report`]. These are the only
//! types that cross a shell (page, command line, tests).

pub mod any;
pub mod batch;
pub mod fields;
pub mod speedup;
pub mod tuple;

use crate::bounds::{self, Bound};
use crate::cost::{self, Overhead};
use crate::error::Result;
use crate::histogram::{Fitted, Histogram, Overlong};
use crate::metrics::{Counts, Figures};
use crate::packing::{Algorithm, Depth, Packed, Progress, STEPS, Task};
use crate::plan::{Plan, Strategy};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::Hasher;

/// How the data are to be packed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Slots in a row (maximum sequence length), tokens.
    pub limit: u32,
    /// Items in a row at most.
    pub depth: Depth,
    /// The packing algorithm.
    pub algorithm: Algorithm,
    /// What to do with items longer than the limit.
    pub overlong: Overlong,
    /// Items begin at multiples of this many tokens; 1 for anywhere.
    pub align: u32,
    /// Order of arrival, for algorithms that depend on it.
    pub seed: u64,
    /// Rows in a batch, for sorted batches.
    pub batch: u32,
    /// What keeping packed items apart costs.
    pub overhead: Overhead,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limit: 512,
            depth: Depth::Unlimited,
            algorithm: Algorithm::Lpfhp,
            overlong: Overlong::Truncate,
            align: 1,
            seed: 0,
            batch: 64,
            overhead: Overhead::Ipu,
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
    /// (length, number of items), in any order.
    pub counts: Vec<(u32, u64)>,
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
    /// Items that were longer than the limit, before the policy was applied.
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

/// One strategy: lengths with how often each occurs in the pack, longest first; and the packs of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// (length, times in one pack), longest first.
    pub runs: Vec<(u32, u32)>,
    /// Packs of this shape.
    pub count: u64,
}

impl Shape {
    /// Items in one pack.
    pub fn depth(&self) -> u64 {
        self.runs.iter().map(|(_, n)| u64::from(*n)).sum()
    }

    /// Tokens in one pack.
    pub fn used(&self) -> u64 {
        self.runs.iter().map(|(l, n)| u64::from(*l) * u64::from(*n)).sum()
    }
}

/// Answers a request. Deterministic: the same request gives the same report on every machine.
///
/// `progress` is told now and then how far it is, and says whether to go on.
///
/// # Errors
/// What [`Histogram::from_lengths`], [`Histogram::fit`] and [`Algorithm::run`] refuse.
pub fn run(request: &Request, progress: &mut Progress) -> Result<Report> {
    let histogram = Histogram::from_lengths(request.counts.iter().copied())?;
    run_on(&histogram, &request.settings, request.listed, progress)
}

/// As [`run`], for a histogram at hand.
///
/// # Errors
/// As [`run`].
pub fn run_on(
    histogram: &Histogram<1>,
    settings: &Settings,
    listed: u32,
    progress: &mut Progress,
) -> Result<Report> {
    let prepared = Prepared::new(histogram, settings)?;
    let packed = prepared.pack(settings, listed, STEPS, progress)?;
    Ok(prepared.report(settings, packed, listed))
}

/// Data that fit the limit, ready to be packed in many ways: the settings that follow may differ from those
/// given here in algorithm, depth, seed, batch and overhead only.
#[derive(Debug)]
pub struct Prepared {
    fitted: Fitted<1>,
    /// Lengths rounded up to the alignment, never beyond the limit: the last item of a row needs no rest.
    aligned: Histogram<1>,
    /// Bounds by depth: judging takes no part of the time of packing.
    bounds: RefCell<BTreeMap<Depth, Bound>>,
}

impl Prepared {
    /// Applies the policies for overlong items and alignment.
    ///
    /// # Errors
    /// As [`Histogram::fit`].
    pub fn new(histogram: &Histogram<1>, settings: &Settings) -> Result<Self> {
        let fitted = histogram.fit([settings.limit], settings.overlong)?;
        let aligned = match settings.align {
            1 => fitted.histogram.clone(),
            align => fitted.histogram.aligned(align)?.fit([settings.limit], Overlong::Truncate)?.histogram,
        };
        Ok(Self { fitted, aligned, bounds: RefCell::default() })
    }

    /// Packs: the part whose time is shown. `steps` are those of [`Task::steps`].
    ///
    /// # Errors
    /// As [`Algorithm::run`].
    pub fn pack(
        &self,
        settings: &Settings,
        listed: u32,
        steps: u64,
        progress: &mut Progress,
    ) -> Result<Packed> {
        settings.algorithm.run(&self.aligned, &task(settings, listed, steps), progress)
    }

    /// As [`Prepared::pack`], by an algorithm that solves no system of equations.
    ///
    /// # Errors
    /// As [`Algorithm::run_simple`].
    pub fn pack_simply(&self, settings: &Settings, listed: u32, progress: &mut Progress) -> Result<Packed> {
        settings.algorithm.run_simple(&self.aligned, &task(settings, listed, STEPS), progress)
    }

    /// Everything there is to say about a packing.
    pub fn report(&self, settings: &Settings, packed: Packed, listed: u32) -> Report {
        let figures = self.figures(settings, &packed);
        let strategies = shapes(&packed.listing.plan, listed);
        Report {
            settings: settings.clone(),
            overlong_items: self.fitted.overlong_items,
            unlisted_packs: figures.packs - strategies.iter().map(|s| s.count).sum::<u64>(),
            figures,
            strategies,
            packs_by_depth: packed.listing.by_depth.into_iter().collect(),
        }
    }

    /// The figures of a packing.
    pub fn figures(&self, settings: &Settings, packed: &Packed) -> Figures {
        let items = self.fitted.histogram.items();
        let listing = &packed.listing;
        let counts = Counts {
            items,
            packs: listing.packs,
            strategies: (listing.unlisted == 0).then_some(listing.plan.strategies().len() as u64),
            max_depth: listing.max_depth(),
            real_tokens: self.fitted.histogram.total(),
            slots: [packed.slots],
            waste_tokens: self.fitted.waste_tokens,
            baseline_slots: [u128::from(items) * u128::from(settings.limit)],
        };
        let bound = settings.algorithm.fills_rows().then(|| self.bound(settings, packed));
        let mut figures = Figures::new(&counts, bound);
        figures.published_packs = packed.published_packs;
        cost::price(&mut figures, settings.overhead);
        figures
    }

    fn bound(&self, settings: &Settings, packed: &Packed) -> Bound {
        let mut bounds = self.bounds.borrow_mut();
        let known = bounds
            .entry(settings.depth)
            .or_insert_with(|| bounds::best(&self.aligned, settings.limit, settings.depth.get()));
        if let Some(bound) = packed.bound.filter(|b| b.packs > known.packs) {
            *known = bound;
        }
        *known
    }
}

fn task(settings: &Settings, listed: u32, steps: u64) -> Task {
    Task {
        limit: settings.limit,
        depth: settings.depth,
        seed: settings.seed,
        batch: settings.batch,
        listed: listed as usize,
        steps,
    }
}

/// The strategies with the most packs first; ties by the longest lengths.
fn shapes(plan: &Plan<1>, listed: u32) -> Vec<Shape> {
    let runs = |s: &Strategy<1>| s.runs.iter().map(|&([l], n)| (l, n)).collect();
    plan.by_count(listed as usize).into_iter().map(|s| Shape { runs: runs(s), count: s.count }).collect()
}

impl Report {
    /// A number that changes when anything in the report does (64-bit FNV-1a of its JSON): native and
    /// browser must agree on it.
    pub fn digest(&self) -> u64 {
        digest(self)
    }
}

/// 64-bit FNV-1a of the JSON.
fn digest(report: &impl Serialize) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(&serde_json::to_vec(report).unwrap_or_default());
    hasher.finish()
}
