//! Bands: how far figures of a histogram in bins may be from those of its items spread evenly.
//!
//! ```
//! use packscope::api::{Bands, Settings, run_on};
//! use packscope::histogram::{Bin, Bins, Histogram};
//! let bins = [Bin { low: 1, high: 100, items: 40 }, Bin { low: 101, high: 200, items: 10 }];
//! let even = Histogram::from_lengths(bins.iter().flat_map(|bin| bin.spread()))?;
//! let settings = Settings { limit: 200, ..Settings::default() };
//! let figures = run_on(&even, &settings, 0, &mut packscope::go_on)?.figures;
//! let bands = Bands::new(&Bins::new(&even, &bins).unwrap(), &settings, &figures);
//! let [least, most] = bands.baseline_padding_share;
//! assert_eq!((least, most), (1.0 - 0.6, 1.0 - 0.105));
//! assert!(bands.packs[0] <= figures.packs as f64 && figures.packs as f64 <= bands.packs[1]);
//! # Ok::<(), packscope::error::Error>(())
//! ```

use super::{Settings, SimpleSequences, problem, tuple};
use crate::bounds;
use crate::histogram::{Band, Bins};
use crate::metrics::Figures;
use crate::packing::{Algorithm, go_on};
use serde::{Deserialize, Serialize};

/// The least and the most that figures of a packing are over the arrangements of items within their bins. How well any
/// lengths can be packed ends at the best lower bound of their packs, so that the better end is there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bands {
    /// Packs.
    pub packs: Band,
    /// Share of slots that are empty.
    pub padding_share: Band,
    /// Real tokens / slots.
    pub efficiency: Band,
    /// Share of slots that are empty with one item a row.
    pub baseline_padding_share: Band,
    /// Items / packs.
    pub packing_factor: Band,
}

impl Bands {
    /// Returns the bands of these figures, which are those of the items spread evenly. In place of an algorithm that takes
    /// long LPFHP packs the other arrangements.
    pub fn new(bins: &Bins, settings: &Settings, shown: &Figures) -> Self {
        let is_quick = settings.algorithm.is_simple() && !settings.algorithm.takes_long();
        let quick = if is_quick { settings.algorithm } else { Algorithm::Lpfhp };
        let settings = Settings { algorithm: quick, ..settings.clone() };
        let of = |f: &Figures| {
            let packs = f.lower_bound.unwrap_or(f.packs) as f64;
            let saved = f.packs as f64 / packs;
            let best = (f.efficiency[0] * saved).min(1.0);
            [
                packs,
                f.packs as f64,
                f.efficiency[0],
                best,
                f.baseline_padding_share(),
                f.packing_factor,
                f.packing_factor * saved,
            ]
        };
        let mut all = bins.bands(settings.limit, true, |lengths| {
            let report = problem::report::<SimpleSequences>(lengths, &settings, 0, &mut go_on);
            report.ok().map(|report| of(&report.figures))
        });
        for ([least, most], value) in all.iter_mut().zip(of(shown)) {
            (*least, *most) = (least.min(value), most.max(value));
        }
        let [fewest, packs, efficiency, best, before, factor, best_factor] = all;
        Self {
            packs: [fewest[0], packs[1]],
            padding_share: [1.0 - best[1], 1.0 - efficiency[0]],
            efficiency: [efficiency[0], best[1]],
            baseline_padding_share: before,
            packing_factor: [factor[0], best_factor[1]],
        }
    }

    /// Returns the band of the efficiency at one point of a sweep over limits of one component.
    pub fn at_point(bins: &Bins, settings: &tuple::Settings, limit: u32, shown: f64) -> Band {
        let [worst, best] = bins.bands(limit, true, |lengths| {
            let point = tuple::evaluate(lengths, settings, [limit]).ok()?;
            let fitted = lengths.fit([limit], settings.overlong).ok()?.histogram;
            let bound = bounds::best(&fitted, limit, settings.depth.get()).packs;
            let real = fitted.total()[0] as f64;
            Some([point.efficiency[0], (real / (bound as f64 * f64::from(limit))).min(1.0)])
        });
        [worst[0].min(shown), best[1].max(shown)]
    }
}
