//! One epoch to scale.

use super::{SETS, bars, entries, svg, texts, themes};
use crate::common::built_in;
use packscope::api::{self, Report, Settings};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope_chart::{Chart, Frame, Mark, Theme, epoch};

fn report(name: &str, limit: u32, algorithm: Algorithm, depth: Depth, listed: u32) -> Report {
    let settings = Settings {
        limit,
        algorithm,
        depth,
        ..Settings::default()
    };
    api::run_on(&built_in(name), &settings, listed, &mut go_on).unwrap()
}

#[test]
fn half_the_steps_are_half_the_height() {
    for (name, limit) in SETS {
        let report = report(name, limit, Algorithm::Lpfhp, Depth::AtMost(3), 4000);
        let whole = built_in(name)
            .fit([limit], packscope::histogram::Overlong::Truncate)
            .unwrap()
            .histogram;
        let entries = whole.lengths();
        let input = epoch::Input {
            entries: &entries,
            limit,
            hues: limit.into(),
            shapes: &report.strategies,
            unlisted: report.unlisted_packs,
            padded: 1.0 - report.figures.baseline_efficiency[0],
            packed: 1.0 - report.figures.efficiency[0],
            unit: "tokens",
            name: "Packed",
            shortened: false,
        };
        for (width, (theme_name, theme)) in [330.0, 420.0, 1100.0]
            .into_iter()
            .flat_map(|w| themes().map(|t| (w, t)))
        {
            let frame = Frame::svg(width, 380.0, theme);
            let (scene, layout) = (input.scene(&frame), epoch::layout(&input, &frame));
            svg(
                &format!("epoch-{name}-{width}-{theme_name}"),
                &scene,
                &frame,
            );
            let ratio = layout.packed.height() / layout.padded.height();
            assert!(
                (ratio - report.figures.packs as f64 / report.figures.items as f64).abs() < 1e-9
            );
            assert!(bars(&scene) < 8000, "{name} has {} bars", bars(&scene));
        }
    }
}

#[test]
fn an_epoch_names_its_padding_and_the_rows_it_saves() {
    let report = report(
        "wikipedia_bert_512",
        512,
        Algorithm::Lpfhp,
        Depth::AtMost(3),
        20,
    );
    let entries = entries("wikipedia_bert_512");
    let input = epoch::Input {
        entries: &entries,
        limit: 512,
        hues: 512.into(),
        shapes: &report.strategies,
        unlisted: report.unlisted_packs,
        padded: 1.0 - report.figures.baseline_efficiency[0],
        packed: 1.0 - report.figures.efficiency[0],
        unit: "tokens",
        name: "Packed",
        shortened: false,
    };
    let frame = Frame::svg(420.0, 420.0, Theme::LIGHT);
    let scene = input.scene(&frame);
    svg("epoch-unlisted", &scene, &frame);
    let texts = texts(&scene);
    for label in ["50.0 % padding", "16,279,552 rows", "saved", "512 tokens"] {
        assert!(texts.contains(&label), "{label} is missing in {texts:?}");
    }
    assert!(texts.iter().any(|t| t.ends_with("rows of other shapes")));
}

#[test]
fn few_rows_are_drawn_one_by_one() {
    let shape = |runs: &[(u32, u32)], count| api::PackShape {
        runs: runs.to_vec(),
        count,
    };
    let shapes = [
        shape(&[(60, 1), (20, 2)], 3),
        shape(&[(100, 1)], 2),
        shape(&[(90, 1)], 1),
    ];
    let entries = [(20, 6), (60, 3), (90, 1), (100, 2)];
    let frame = Frame::svg(420.0, 300.0, Theme::LIGHT);
    for shortened in [false, true] {
        let input = epoch::Input {
            entries: &entries,
            limit: 100,
            hues: 100.into(),
            shapes: &shapes,
            unlisted: 0,
            padded: 0.4,
            packed: 0.02,
            name: "Packed",
            shortened,
            unit: "tokens",
        };
        let (scene, layout) = (input.scene(&frame), epoch::layout(&input, &frame));
        svg(&format!("epoch-few-{shortened}"), &scene, &frame);
        let grey = |m: &&Mark| matches!(m, Mark::Rect(area, c) if *c == Theme::LIGHT.padding && area.left >= layout.packed.left);
        assert_eq!(
            scene.marks.iter().filter(grey).count(),
            usize::from(!shortened),
            "one shape is not full"
        );
    }
}

#[test]
fn nothing_breaks_in_no_space_or_without_data() {
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::LIGHT);
        for entries in [&[][..], &[(1, 1)], &[(7, 3), (400, u64::MAX / 2)]] {
            let input = epoch::Input {
                entries,
                limit: 512,
                hues: 512.into(),
                shapes: &[],
                unlisted: 0,
                padded: 0.5,
                packed: 0.0,
                name: "Packed",
                shortened: false,
                unit: "tokens",
            };
            assert!(!svg("small-epoch", &input.scene(&frame), &frame).contains("NaN"));
        }
    }
}
