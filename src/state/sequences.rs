//! The study of sequences: one limit, and the depth chart.

use super::{Source, Study, study};
use packscope::api::{PackingSettings, Settings};
use packscope::histogram::Spread;
use packscope::order;
use packscope::packing::{Algorithm, Depth};

pub type SequenceState = Study<Settings, 1>;

/// The depths of the slider and of the curve, unless rows hold more sequences.
pub const DEPTHS: [Depth; 9] = [
    Depth::AtMost(1),
    Depth::AtMost(2),
    Depth::AtMost(3),
    Depth::AtMost(4),
    Depth::AtMost(6),
    Depth::AtMost(8),
    Depth::AtMost(12),
    Depth::AtMost(16),
    Depth::Unlimited,
];

impl SequenceState {
    /// Returns the unit of lengths, in the plural: tokens, unless the data say otherwise.
    pub fn unit(&self) -> &str {
        self.data
            .as_ref()
            .map_or("tokens", |data| data.source.unit())
    }

    /// Sets the rows of a batch. Of the rows of the comparison, only sorted batches depend on them.
    pub(super) fn set_batch(&mut self, batch: u32) {
        if batch != self.settings.batch {
            let before = self.settings.clone();
            self.settings.batch = batch;
            self.forget_rows(&before);
        }
    }

    /// Returns the depths on the slider: the usual ones, with the present one inserted if it is another. Where rows hold
    /// more than 16 sequences on average, powers of two up to at least twice as many. O(log distinct).
    pub fn depths(&self) -> Vec<Depth> {
        let mean = self.mean_depth();
        // The usual depths end at 16.
        if mean <= 16 {
            return study::depths(&DEPTHS, self.settings.depth);
        }
        let most = (2 * mean).next_power_of_two().ilog2();
        // At most nine powers: every second or third if there are more.
        let step = most.div_ceil(8);
        let powers = (0..=most).filter(|power| *power == 0 || (most - power).is_multiple_of(step));
        let finite = powers.map(|power| Depth::AtMost(1 << power));
        let depths: Vec<Depth> = finite.chain([Depth::Unlimited]).collect();
        study::depths(&depths, self.settings.depth)
    }

    /// Returns how many sequences a row holds on average if it is full, at most a million.
    fn mean_depth(&self) -> u32 {
        let Some(data) = &self.data else { return 1 };
        let (histogram, limit) = (&data.histogram, self.settings.limit);
        let longer = histogram.items() - histogram.items_within(limit);
        // Longer sequences count as cut to the limit.
        let tokens = histogram.tokens_within(limit) + longer * u64::from(limit);
        let mean = u128::from(limit) * u128::from(histogram.items()) / u128::from(tokens.max(1));
        mean.min(1_000_000) as u32
    }

    /// Returns the largest limit on offer: the longest item, the usual limit of a built-in set, or the present limit.
    pub fn largest_limit(&self) -> u32 {
        let usual = match self.data.as_ref().map(|d| &d.source) {
            Some(Source::Preset(preset)) => preset.limit(),
            _ => 0,
        };
        let longest = self.data.as_ref().map_or(1, |d| d.histogram.max()[0]);
        longest.max(usual).max(self.settings.limit)
    }

    /// Returns the spread of lengths with which a drawing of the data is filled.
    pub fn spread(&self) -> Spread {
        self.data
            .as_ref()
            .map_or(Spread::Linear, |data| data.histogram.spread())
    }

    /// Returns the depths, except the present one, whose optimum is still unknown, for the bound of the depth chart.
    pub fn unsearched_depths(&self) -> Vec<Depth> {
        let unknown =
            |d: &Depth| *d != self.settings.depth && !self.is_answered((Algorithm::Optimal, *d));
        self.depths().into_iter().filter(unknown).collect()
    }

    /// Returns the algorithms with a curve of efficiency against depth.
    pub fn curves(&self) -> Vec<Algorithm> {
        let mut curves = vec![Algorithm::AverageTarget, Algorithm::Lpfhp, Algorithm::Spfhp];
        let chosen = self.settings.algorithm;
        let has_curve = self.settings.is_optimal() || !chosen.takes_long();
        if !curves.contains(&chosen)
            && chosen.fills_rows()
            && has_curve
            && chosen != Algorithm::None
        {
            curves.push(chosen);
        }
        curves
    }

    /// Returns a row for each algorithm at each depth at which it packs in another way, the known one where several
    /// are alike: algorithms that pack nothing have one.
    pub fn all_rows(&self) -> Vec<(Algorithm, Depth)> {
        let depths = self.depths();
        let at = |a: Algorithm, own: Depth| {
            let alike = || {
                depths
                    .iter()
                    .map(move |d| (a, *d))
                    .filter(move |row| a.depth(row.1) == own)
            };
            alike()
                .find(|row| self.is_answered(*row))
                .or_else(|| alike().next())
        };
        let all = Algorithm::ALL
            .into_iter()
            .filter(|a| !a.refuses(self.settings.limit));
        let all = all.flat_map(|a| {
            depths
                .iter()
                // Depths beyond what an algorithm uses give the same packs again.
                .filter(move |d| a.depth(**d) == **d)
                .map(move |d| (a, *d))
        });
        let mut rows: Vec<_> = all.filter_map(|(a, own)| at(a, own)).collect();
        order::sort_by_key(&mut rows, |row| *row);
        rows
    }

    /// Returns the unknown rows of table and curve, except optima, which are searched separately.
    pub fn unknown_rows(&self) -> Vec<(Algorithm, Depth)> {
        self.unknown_beside(&[])
    }

    /// As [`unknown_rows`](Self::unknown_rows), with those of `others` that are unknown too.
    pub(super) fn unknown_beside(&self, others: &[(Algorithm, Depth)]) -> Vec<(Algorithm, Depth)> {
        let here = Algorithm::ALL.map(|a| (a, self.settings.depth));
        let (depths, curves) = (self.depths(), self.curves());
        let along = depths
            .iter()
            .flat_map(|d| curves.iter().map(move |a| (*a, *d)));
        let along = along.filter(|(a, _)| !a.takes_long());
        let all = here.into_iter().chain(along).chain(others.iter().copied());
        let mut rows: Vec<_> = all
            .filter(|r| r.0 != Algorithm::Optimal && !self.is_answered(*r))
            .collect();
        rows.retain(|(a, _)| !a.refuses(self.settings.limit));
        order::sort_by_key(&mut rows, |row| *row);
        rows.dedup();
        rows
    }
}
