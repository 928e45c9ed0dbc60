//! Sequences at different limits: the losses at each limit, and the number of rows.
//!
//! ```
//! use packscope::{api::{Settings, limits}, histogram::Histogram};
//! // Nine short sequences and one of 900 tokens.
//! let data = Histogram::from_lengths([(100, 9), (900, 1)])?;
//! let at = limits::at_limit(&data, &Settings::default(), 500)?;
//! assert_eq!((at.above, at.truncated.lost, at.dropped.unwrap().lost), (1, 400, 900));
//! assert_eq!((at.split.lost, at.truncated.packs), (0, 3));
//! # Ok::<(), packscope::error::Error>(())
//! ```

use super::speedup::mask_work;
use super::{Problem, Settings, SimpleSequences};
use crate::cost::Work;
use crate::error::Result;
use crate::histogram::{Histogram, Overlong};
use crate::metrics::Figures;
use crate::packing::{Algorithm, go_on};
use crate::words::{count, percent};
use serde::{Deserialize, Serialize};

/// Exponents of the smallest and the largest power of two on offer.
const POWERS: std::ops::RangeInclusive<u32> = 5..=20;
/// Shares of the sequences that the limits on offer hold whole.
const QUANTILES: [f64; 5] = [0.5, 0.9, 0.95, 0.99, 0.999];
/// The share of the sequences that a practical limit holds whole.
const PRACTICAL: f64 = 0.99;
/// Powers of two below the largest one that are on offer.
const BELOW: usize = 8;

/// The sequences and tokens that a policy for longer sequences leaves at a limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RetainedShare {
    /// Tokens cut off, or dropped with their sequence.
    pub lost: u64,
    /// Tokens that are in rows.
    pub real: u64,
    /// Rows that the kept tokens are packed into.
    pub packs: u64,
}

impl RetainedShare {
    fn new(f: &Figures) -> Self {
        Self {
            lost: f.waste_tokens[0],
            real: f.real_tokens[0],
            packs: f.packs,
        }
    }

    /// Returns the share of the tokens that is lost.
    pub fn lost_share(&self) -> f64 {
        self.lost as f64 / ((self.lost + self.real) as f64).max(1.0)
    }

    /// Returns the share of the slots that is filled, at the limit of the rows.
    pub fn efficiency(&self, limit: u32) -> f64 {
        self.real as f64 / (self.packs as f64 * f64::from(limit)).max(1.0)
    }
}

/// The data at one limit, under each policy for longer sequences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AtLimit {
    /// Slots in a row.
    pub limit: u32,
    /// Sequences longer than the limit.
    pub above: u64,
    /// The result of cutting off longer sequences.
    pub truncated: RetainedShare,
    /// The result of dropping longer sequences; `None` if none would be left.
    pub dropped: Option<RetainedShare>,
    /// The result of splitting longer sequences over rows.
    pub split: RetainedShare,
    /// The work of an epoch of rows with longer sequences cut off, from which [`estimates`](crate::cost::estimates)
    /// derive its time.
    pub work: Work,
}

impl AtLimit {
    /// Returns the result of a policy; `None` if nothing is left. Sequences that are to be refused are cut off.
    pub fn under(&self, policy: Overlong) -> Option<RetainedShare> {
        match policy {
            Overlong::Drop => self.dropped,
            Overlong::Split => Some(self.split),
            Overlong::Truncate | Overlong::Reject => Some(self.truncated),
        }
    }

    /// Returns in words: the limit, and the share of `items` that it holds whole; rows, padding and loss if longer
    /// sequences are cut off; loss if they are dropped; rows if they are split.
    pub fn in_words(&self, items: u64) -> [String; 7] {
        let lost = |kept: Option<&RetainedShare>| {
            kept.map_or_else(|| "all".to_owned(), |kept| percent(kept.lost_share()))
        };
        [
            count(u64::from(self.limit)),
            percent(1.0 - self.above as f64 / items as f64),
            count(self.truncated.packs),
            percent(1.0 - self.truncated.efficiency(self.limit)),
            lost(Some(&self.truncated)),
            lost(self.dropped.as_ref()),
            count(self.split.packs),
        ]
    }
}

/// Returns the data at a limit, packed with the depth, alignment and algorithm of the settings; their limit and policy
/// are ignored. LPFHP replaces an algorithm that is slow, does not pack, or shortens rows. Packs three times.
///
/// # Errors
/// As [`run_on`](super::run_on) at that limit.
pub fn at_limit(histogram: &Histogram<1>, settings: &Settings, limit: u32) -> Result<AtLimit> {
    let chosen = settings.algorithm;
    // Three packings for each limit on show must not take long, and a limit is compared by full
    // rows.
    let fast = chosen.fills_rows() && !chosen.takes_long() && chosen != Algorithm::None;
    let algorithm = if fast { chosen } else { Algorithm::Lpfhp };
    let above = histogram.items() - histogram.items_within(limit);
    let figures = |overlong| {
        let settings = Settings {
            limit,
            algorithm,
            overlong,
            ..settings.clone()
        };
        let problem = SimpleSequences::prepare(histogram, &settings)?;
        let packed = problem.pack(&settings, 0, u64::MAX, &mut go_on)?;
        Ok::<Figures, crate::error::Error>(problem.figures(&settings, &packed))
    };
    let kept = |overlong| figures(overlong).map(|f| RetainedShare::new(&f));
    let cut = figures(Overlong::Truncate)?;
    let work = mask_work(
        // Of very many distinct lengths a few that stand for them: enough for an estimate.
        &histogram.fit_roughly(limit, Overlong::Truncate)?,
        limit,
        settings.batch,
        &cut,
    );
    let truncated = RetainedShare::new(&cut);
    let [dropped, split] = match above {
        // No sequence is longer, so all policies are the same.
        0 => [Some(truncated); 2],
        // All are longer: to drop them would leave nothing, which is an error.
        n if n == histogram.items() => [None, Some(kept(Overlong::Split)?)],
        _ => [Some(kept(Overlong::Drop)?), Some(kept(Overlong::Split)?)],
    };
    Ok(AtLimit {
        limit,
        above,
        truncated,
        dropped,
        split: split.unwrap_or(truncated),
        work,
    })
}

/// Returns limits worth considering, ascending: up to nine powers of two within 32 to 2^20, ending with the first that
/// holds all sequences; the quantiles of 50, 90, 95, 99 and 99.9 %; and the longest sequence.
pub fn usual(histogram: &Histogram<1>) -> Vec<u32> {
    let longest = histogram.max()[0];
    let powers: Vec<u32> = POWERS.map(|power| 1 << power).collect();
    let last = powers
        .iter()
        .position(|p| *p >= longest)
        .unwrap_or(powers.len() - 1);
    // A power above the first that holds all would only add padding.
    let mut limits = powers[last.saturating_sub(BELOW)..=last].to_vec();
    limits.extend(QUANTILES.map(|q| histogram.quantile(q)));
    limits.push(longest);
    limits.sort_unstable();
    limits.dedup();
    limits
}

/// Returns the default limit for data: the smallest power of two that holds 99 % of the sequences whole, or the longest
/// sequence if that is shorter, with which nothing is lost.
pub fn practical(histogram: &Histogram<1>) -> u32 {
    let longest = histogram.max()[0];
    let enough = histogram.quantile(PRACTICAL).max(1);
    enough
        .checked_next_power_of_two()
        .map_or(longest, |power| power.min(longest))
}
