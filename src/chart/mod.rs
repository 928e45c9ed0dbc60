//! Drawings on any backend of plotters: a canvas in the page, SVG in tests. All lengths are CSS pixels;
//! `scale` says how many device pixels one of them has.

pub mod depths;
pub mod epoch;
pub mod lengths;
mod pen;
mod theme;

pub use pen::{Drawn, Pen};
pub use theme::{STEPS, Theme};

/// Short counts for axes: `20 k`, `1.2 M`.
pub fn short(n: u64) -> String {
    let one = |x: f64, unit: &str| {
        let text = format!("{x:.1}");
        format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
    };
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => one(n as f64 / 1e3, "k"),
        1_000_000..1_000_000_000 => one(n as f64 / 1e6, "M"),
        1_000_000_000..1_000_000_000_000 => one(n as f64 / 1e9, "G"),
        _ => one(n as f64 / 1e12, "T"),
    }
}

/// The smallest 1, 2 or 5 times a power of ten that is at least `x`; at least 1.
pub fn nice(x: f64) -> u64 {
    let mut step = 1u64;
    for factor in [2, 5, 10].into_iter().cycle() {
        if step as f64 >= x || step > u64::MAX / 10 {
            break;
        }
        let power = 10u64.pow(step.ilog10());
        step = power * factor;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_nice() {
        assert_eq!([0.1, 1.5, 3.0, 7.0, 12.0, 2000.0, 2001.0].map(nice), [1, 2, 5, 10, 20, 2000, 5000]);
        assert_eq!([950, 20_000, 1_200_000].map(short), ["950", "20 k", "1.2 M"]);
    }
}
