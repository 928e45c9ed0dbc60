//! A thousand sequences with a constant number of tokens in all: only their shape changes.

use packscope::order::Map;

pub const SEQUENCES: u64 = 1000;
/// The mean length, which is always exact, tokens.
pub const MEAN: u64 = 128;
/// The approximate length of the short sequences in a mixture of two kinds.
const SHORT: u64 = 16;

/// The distributions of the lengths below the longest.
pub const SHAPES: [&str; 3] = [
    "a long tail",
    "short ones and long ones",
    "all alike but one",
];

/// Returns the lengths, longest first. The longest is exactly as given, but at least the mean.
pub fn lengths(shape: u32, longest: u32) -> Vec<u32> {
    let most = u64::from(longest).max(MEAN);
    let total = SEQUENCES * MEAN;
    let long = match shape {
        // So many long ones that the others average `SHORT` tokens.
        // With k long ones: k · most + (1000 − k) · SHORT = 1000 · MEAN, solved for k and rounded
        // down.
        1 if most > MEAN => SEQUENCES * (MEAN - SHORT) / (most - SHORT),
        1 => SEQUENCES,
        _ => 1,
    };
    let (others, left) = (SEQUENCES - long, total - long * most);
    // The steepness at which the last of the others reaches the longest.
    let steepness = match shape {
        0 => (most - 1) as f64 * others as f64 / (left - others) as f64,
        _ => 1.0,
    };
    let mut lengths = rising(others, left, steepness.max(1.0));
    lengths.extend((0..long).map(|_| most as u32));
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths
}

/// Returns `n` whole numbers of at least 1 with this total, ascending: all equal at steepness 1, a straight line at 2,
/// then ever more small ones. The last is about `steepness` times the mean.
fn rising(n: u64, total: u64, steepness: f64) -> Vec<u32> {
    let (above, whole) = ((total - n) as f64, steepness as u32);
    let share = steepness - f64::from(whole);
    // Interpolate between whole powers: powers of floats differ between machines.
    let sum_to = |i: u64| {
        let at = i as f64 / n as f64;
        let power = (0..whole).fold(1.0, |product, _| product * at);
        // Differences of rounded sums: the total is exact, as at i = n the sum is `above`.
        (above * power * (1.0 - share + share * at)).round() as u32
    };
    (0..n).map(|i| 1 + sum_to(i + 1) - sum_to(i)).collect()
}

/// Returns (length, sequences), ascending.
pub fn counts(lengths: &[u32]) -> Vec<(u32, u64)> {
    let mut counts = Map::new();
    for length in lengths {
        *counts.entry(*length).or_insert(0) += 1;
    }
    counts.into_tuple_vec()
}
