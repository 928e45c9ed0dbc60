//! Bands: how far figures of a binned histogram may be from the figures of its items spread evenly over the bins.
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

/// The smallest and the largest values of a packing's figures over arrangements of items within their bins: spread, at
/// the edges, and just above a half, a third … of the limit ([`Bins::arrangements`]). The better end is proven if longer
/// items are cut: it combines the smallest lower bound of packs with the largest possible number of tokens. The worse end
/// is that of the most wasteful of these arrangements; that no other wastes more is tested, not proven.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bands {
    /// Packs: from the smallest lower bound to the most that an arrangement needs.
    pub packs: Band,
    /// Share of slots that are empty.
    pub padding_share: Band,
    /// Tokens that are no padding, as a share of the slots.
    pub efficiency: Band,
    /// Share of slots that are empty with one item a row.
    pub baseline_padding_share: Band,
    /// Mean number of items in a pack.
    pub packing_factor: Band,
}

impl Bands {
    /// Returns the bands around these figures of the items spread evenly. If the algorithm is slow, LPFHP packs the
    /// other arrangements.
    pub fn new(bins: &Bins, settings: &Settings, shown: &Figures) -> Self {
        let quick = if settings.algorithm.takes_long() {
            Algorithm::Lpfhp
        } else {
            settings.algorithm
        };
        let settings = Settings {
            algorithm: quick,
            ..settings.clone()
        };
        let of = |f: &Figures| {
            // Rows of different lengths have no bound.
            let saved = f
                .lower_bound
                .map_or(1.0, |bound| f.packs as f64 / bound as f64);
            let (packs, slots, real) = (f.packs as f64, f.slots[0] as f64, f.real_tokens[0] as f64);
            let (before, factor) = (f.baseline_padding_share(), f.packing_factor);
            [
                // As few packs as the bound, and their slots: for the proven end.
                packs / saved,
                packs,
                slots / saved,
                real,
                f.efficiency[0],
                before,
                factor,
                factor * saved,
            ]
        };
        let mut all = bins.bands(settings.limit, true, |lengths| {
            let report = problem::report::<SimpleSequences>(lengths, &settings, 0, &mut go_on);
            report.ok().map(|report| of(&report.figures))
        });
        // The figures on screen lie within their own band, whatever the arrangements gave.
        for ([least, most], value) in all.iter_mut().zip(of(shown)) {
            (*least, *most) = (least.min(value), most.max(value));
        }
        let [
            fewest,
            packs,
            slots,
            real,
            efficiency,
            before,
            factor,
            best_factor,
        ] = all;
        // The most tokens of one arrangement over the fewest slots of another: no arrangement is
        // better.
        let best = (real[1] / slots[0]).min(1.0);
        Self {
            packs: [fewest[0], packs[1]],
            padding_share: [1.0 - best, 1.0 - efficiency[0]],
            efficiency: [efficiency[0], best],
            baseline_padding_share: before,
            packing_factor: [factor[0], best_factor[1]],
        }
    }

    /// Returns the band of the efficiency at one point of a sweep over limits of one component.
    pub fn at_point(bins: &Bins, settings: &tuple::Settings, limit: u32, shown: f64) -> Band {
        let [worst, real, packs] = bins.bands(limit, true, |lengths| {
            let point = tuple::evaluate(lengths, settings, [limit]).ok()?;
            let fitted = lengths.fit([limit], settings.overlong).ok()?.histogram;
            let bound = bounds::best(&fitted, limit, settings.depth.get()).packs;
            Some([point.efficiency[0], fitted.total()[0] as f64, bound as f64])
        });
        [
            worst[0].min(shown),
            (real[1] / (packs[0] * f64::from(limit)))
                .min(1.0)
                .max(shown),
        ]
    }
}
