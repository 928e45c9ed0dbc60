//! Packing of sequences under one limit.

use super::Query;
use super::problem::{self, PackShape, PackingSettings, Problem, Report, Request, common};
use crate::bounds::{self, Bound};
use crate::cost::{self, Overhead};
use crate::error::Result;
use crate::histogram::{ClippedHistogram, Histogram, Overlong};
use crate::metrics::{Figures, PlanCounts};
use crate::order::Map;
use crate::packing::{Algorithm, Depth, PackingResult, Progress, Task};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Settings of packing sequences; the defaults are in [`Default`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
// The page always receives every field, and defaults would add 4 KB to it.
#[cfg_attr(not(target_arch = "wasm32"), serde(default))]
pub struct Settings {
    /// Slots in a row (maximum sequence length), tokens.
    pub limit: u32,
    /// Maximum number of items in a row.
    pub depth: Depth,
    /// The packing algorithm.
    pub algorithm: Algorithm,
    /// The policy for items longer than the limit.
    pub overlong: Overlong,
    /// Items begin at multiples of this many tokens; 1 for anywhere.
    pub align: u32,
    /// The seed of the order of arrival, for algorithms that depend on it.
    pub seed: u64,
    /// Rows in a batch, for sorted batches.
    pub batch: u32,
    /// The cost of keeping packed items apart.
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
            overhead: Overhead::Free,
        }
    }
}

/// A row of a comparison: the algorithm and the maximum number of items in a row.
pub type AlgorithmRow = (Algorithm, Depth);

impl PackingSettings for Settings {
    type Size = u32;
    type Row = AlgorithmRow;

    fn row(&self) -> AlgorithmRow {
        (self.algorithm, self.depth)
    }

    fn with_row(&self, (algorithm, depth): AlgorithmRow) -> Self {
        Self {
            algorithm,
            depth,
            ..self.clone()
        }
    }

    common!(Algorithm);

    fn stand_in(&self) -> Option<Self> {
        self.is_optimal().then(|| Self {
            algorithm: Algorithm::AverageTarget,
            ..self.clone()
        })
    }

    /// Resets the overhead, and the batch unless rows are sorted for it.
    fn deciding(&self) -> Self {
        let batch = if self.algorithm == Algorithm::Sort {
            self.batch
        } else {
            Self::default().batch
        };
        Self {
            batch,
            ..self.unpriced()
        }
    }

    fn shared(&self) -> Self {
        Self {
            depth: Depth::Unlimited,
            ..self.problem()
        }
    }

    fn keeps_limits((algorithm, _): AlgorithmRow) -> bool {
        algorithm.fills_rows()
    }
}

/// Lengths that fit the limit, ready to be packed under many settings.
#[derive(Debug)]
pub struct PreparedLengths<const SOLVERS: bool> {
    fitted: ClippedHistogram<1>,
    /// Lengths rounded up to the alignment, never beyond the limit: no padding follows the last item of a row.
    aligned: Histogram<1>,
    /// Lower bounds by depth, computed outside the time of packing.
    bounds: RefCell<Map<Depth, Bound>>,
}

/// Sequences under one limit, for all algorithms.
pub type Sequences = PreparedLengths<true>;

/// Sequences for the algorithms that never take long ([`Algorithm::takes_long`]). A program that only uses these does not
/// contain the others.
pub type SimpleSequences = PreparedLengths<false>;

impl<const SOLVERS: bool> Problem for PreparedLengths<SOLVERS> {
    type Settings = Settings;
    type Histogram = Histogram<1>;
    type Packed = PackingResult;

    fn prepare(histogram: &Histogram<1>, settings: &Settings) -> Result<Self> {
        let fitted = histogram.fit([settings.limit], settings.overlong)?;
        let aligned = match settings.align {
            1 => fitted.histogram.clone(),
            align => {
                fitted
                    .histogram
                    // Rounding can lead above the limit: cut back, the last item of a row ends with
                    // it.
                    .aligned(align)?
                    .fit([settings.limit], Overlong::Truncate)?
                    .histogram
            }
        };
        Ok(Self {
            fitted,
            aligned,
            bounds: RefCell::default(),
        })
    }

    fn pack(
        &self,
        settings: &Settings,
        listed: u32,
        steps: u64,
        progress: &mut Progress,
    ) -> Result<PackingResult> {
        let task = task(settings, listed, steps);
        if SOLVERS {
            settings.algorithm.run(&self.aligned, &task, progress)
        } else {
            settings.algorithm.run_simple(&self.aligned, &task)
        }
    }

    fn figures(&self, settings: &Settings, packed: &PackingResult) -> Figures {
        let items = self.fitted.histogram.items();
        let listing = &packed.listing;
        let counts = PlanCounts {
            items,
            packs: listing.packs,
            // Unlisted packs were counted without their strategies.
            strategies: (listing.unlisted == 0).then_some(listing.plan.strategies().len() as u64),
            max_depth: listing.max_depth(),
            real_tokens: self.fitted.histogram.total(),
            slots: [packed.slots],
            waste_tokens: self.fitted.waste_tokens,
            // In 128 bits: items times limit can exceed 64.
            baseline_slots: [u128::from(items) * u128::from(settings.limit)],
        };
        let bound = settings
            .algorithm
            .fills_rows()
            // Shortened rows have other slots: a bound on rows of the limit says nothing of them.
            .then(|| self.bound(settings, packed));
        let mut figures = Figures::new(&counts, bound);
        figures.published_packs = packed.published_packs;
        figures.least_squares = packed.least_squares;
        cost::price(&mut figures, settings.overhead);
        figures
    }

    fn packs_and_bound(packed: &PackingResult) -> (u64, u64) {
        (packed.listing.packs, packed.bound.map_or(0, |b| b.packs))
    }

    fn overlong_items(&self) -> u64 {
        self.fitted.overlong_items
    }

    fn strategies(packed: &PackingResult, listed: u32) -> Vec<PackShape> {
        problem::shapes(&packed.listing.plan, listed, |[length]| *length)
    }

    fn packs_by_depth(packed: PackingResult) -> Vec<(u64, u64)> {
        packed.listing.by_depth.into_iter().collect()
    }
}

impl<const SOLVERS: bool> PreparedLengths<SOLVERS> {
    fn bound(&self, settings: &Settings, packed: &PackingResult) -> Bound {
        let mut bounds = self.bounds.borrow_mut();
        let known = bounds
            .entry(settings.depth)
            .or_insert_with(|| bounds::best(&self.aligned, settings.limit, settings.depth.get()));
        // A bound from a search holds for every algorithm on the same items and depth: kept for
        // later figures.
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

impl Query for Request {
    type Report = Report;

    fn run(&self, progress: &mut Progress) -> Result<Report> {
        run_on(
            &Histogram::from_lengths(self.counts.iter().copied())?,
            &self.settings,
            self.listed,
            progress,
        )
    }
}

/// Returns the report on a histogram: [`super::run`] for data that are already counted.
///
/// # Errors
/// Errors of [`Problem::prepare`] and [`Problem::pack`].
pub fn run_on(
    histogram: &Histogram<1>,
    settings: &Settings,
    listed: u32,
    progress: &mut Progress,
) -> Result<Report> {
    problem::report::<Sequences>(histogram, settings, listed, progress)
}
