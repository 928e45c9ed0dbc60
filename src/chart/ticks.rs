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
