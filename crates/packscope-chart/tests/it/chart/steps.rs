//! How long many steps take.

use super::{assert_placed, drawn, texts};
use packscope_chart::steps::Input;
use packscope_chart::{Chart, Frame, Theme};

/// The most bins.
const MOST: u32 = 96;

/// The steps in a bin, as its words begin; nothing beyond the last.
fn steps(input: &Input, bin: u32) -> Option<u64> {
    let words = input.reading([bin, 0])?;
    words
        .split(' ')
        .next()
        .unwrap()
        .replace(',', "")
        .parse()
        .ok()
}

fn input(factors: &[f64], bound: f64) -> Input {
    let mean = factors.iter().sum::<f64>() / factors.len().max(1) as f64;
    Input {
        factors: factors.to_vec(),
        mean,
        bound,
    }
}

#[test]
fn every_step_is_in_one_bin() {
    for factors in [
        &[1.2, 1.25, 1.31, 2.0][..],
        &[1.0; 64],
        &[1.0, f64::NAN, 1e12],
        &[],
    ] {
        let input = input(factors, 1.0);
        let input = Input {
            mean: if input.mean.is_finite() {
                input.mean
            } else {
                1.0
            },
            ..input
        };
        let known = factors.iter().filter(|factor| factor.is_finite()).count() as u64;
        assert_eq!(
            (0..MOST).filter_map(|bin| steps(&input, bin)).sum::<u64>(),
            known,
            "{factors:?}"
        );
        assert_eq!([steps(&input, 0), steps(&input, MOST)], [Some(0), None]);
        assert_placed("small-steps", &[&input], [1, 0]);
    }
}

#[test]
fn keys_go_from_bin_to_bin_and_read_it() {
    let input = input(&[1.1, 1.1, 1.5], 1.05);
    for (name, scene, _) in drawn("steps", &input, &[(330.0, 200.0), (700.0, 200.0)]) {
        for said in ["mean 1.23×", "best possible 1.05×"] {
            assert!(texts(&scene).contains(&said), "{name}: {:?}", texts(&scene));
        }
    }
    let frame = Frame::canvas(300.0, 200.0, 1.0, Theme::LIGHT);
    let first = input.step(None, [1, 0], &frame);
    let last = input.step(first, [1, 0], &frame);
    assert_ne!(first, last);
    assert_eq!(input.step(last, [1, 0], &frame), last);
    let words = first.and_then(|at| input.reading(at)).unwrap_or_default();
    assert!(words.starts_with("2 of 3 steps take 1.10× to "), "{words}");
    assert!(input.summary().contains("best possible 1.05×"));
}
