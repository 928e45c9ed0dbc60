//! Where axes have their ticks.

/// The smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`.
pub(super) fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1e-12).log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|s| s * power)
        .find(|s| *s >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// Round whole numbers from `low` to `high`, at most about `most` of them.
pub(super) fn whole(low: f64, high: f64, most: f64) -> Vec<f64> {
    let step = round_step(((high - low) / most.max(1.0)).max(1.0));
    every(low, high, step)
}

/// The multiples of a step from `low` to `high`.
pub(super) fn every(low: f64, high: f64, step: f64) -> Vec<f64> {
    let first = (low / step - 1e-9).ceil();
    (0..200).map(|i| (first + f64::from(i)) * step).take_while(|v| *v <= high + step * 1e-9).collect()
}

/// The step of an axis of lengths from 1 to `end` with at most `most` ticks: powers of two (or three
/// times one) where the end is a multiple of 32, as maximum lengths are, else 1, 2, 5, 10 …
pub(super) fn length_step(end: u32, most: f64) -> u32 {
    let least = (f64::from(end) / most.max(1.0)).max(1.0);
    if !end.is_multiple_of(32) {
        return round_step(least).min(f64::from(u32::MAX)) as u32;
    }
    let fits = |step: &u32| f64::from(*step) >= least && end.is_multiple_of(*step);
    (0..31).map(|k| 1u32 << k).find(fits).or_else(|| (0..30).map(|k| 3u32 << k).find(fits)).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_round_and_within() {
        assert_eq!(whole(0.0, 233.1, 5.0), [0.0, 50.0, 100.0, 150.0, 200.0]);
        assert_eq!(whole(222.0, 300.0, 4.0), [240.0, 260.0, 280.0, 300.0]);
        assert_eq!(whole(3.0, 4.0, 9.0), [3.0, 4.0]);
        assert_eq!(every(0.7, 0.99, 0.1).len(), 3);
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(
            [round_step(0.9), round_step(1.0), round_step(21.0), round_step(51.0)],
            [1.0, 1.0, 50.0, 100.0]
        );
        assert_eq!(
            [length_step(512, 10.0), length_step(512, 4.0), length_step(131_072, 9.0)],
            [64, 128, 16_384]
        );
        assert_eq!([length_step(384, 8.0), length_step(384, 2.0), length_step(29, 8.0)], [64, 192, 5]);
        assert_eq!([length_step(126_527, 8.0), length_step(1, 8.0)], [20_000, 1]);
    }
}
