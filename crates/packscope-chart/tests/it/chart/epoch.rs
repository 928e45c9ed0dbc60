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
            ends: &[],
            before: "Padded",
            moved: 1.0,
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
        ends: &[],
        before: "Padded",
        moved: 1.0,
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
fn rows_of_batches_are_grey_up_to_the_end_of_their_batch() {
    let entries = [(20, 3), (60, 1)];
    let shapes = [api::PackShape {
        runs: vec![(60, 1), (20, 2)],
        count: 1,
    }];
    let frame = Frame::svg(420.0, 300.0, Theme::LIGHT);
    let input = epoch::Input {
        entries: &entries,
        ends: &[40, 60],
        before: "In batches of 2",
        moved: 1.0,
        limit: 100,
        hues: 100.into(),
        shapes: &shapes,
        unlisted: 1,
        padded: 0.4,
        packed: 0.0,
        name: "Packed",
        shortened: false,
        unit: "tokens",
    };
    let (scene, layout) = (input.scene(&frame), epoch::layout(&input, &frame));
    assert!(texts(&scene).contains(&"In batches of 2"));
    // Of the last row in the left drawing: what is grey, and where the ground begins again.
    let at = |colour| {
        let last = |mark: &&Mark| matches!(mark, Mark::Rect(area, c) if *c == colour && area.bottom >= layout.padded.bottom && area.left < layout.packed.left);
        match scene.marks.iter().find(last) {
            Some(Mark::Rect(area, _)) => (area.left - layout.padded.left) / layout.padded.width(),
            _ => panic!("no such part of the row"),
        }
    };
    let [grey, ground] = [Theme::LIGHT.padding, Theme::LIGHT.background].map(at);
    assert!(
        (grey - 0.2).abs() < 0.01 && (ground - 0.4).abs() < 0.01,
        "{grey}, {ground}"
    );
}

#[test]
fn items_move_from_their_own_rows_into_the_packs() {
    let entries = [(20, 4), (60, 2)];
    let shapes = [api::PackShape {
        runs: vec![(60, 1), (20, 2)],
        count: 2,
    }];
    let frame = Frame::svg(420.0, 300.0, Theme::LIGHT);
    let at = |moved| {
        let input = epoch::Input {
            entries: &entries,
            ends: &[],
            before: "Padded",
            moved,
            limit: 100,
            hues: 100.into(),
            shapes: &shapes,
            unlisted: 0,
            padded: 0.6,
            packed: 0.0,
            name: "Packed",
            shortened: false,
            unit: "tokens",
        };
        let layout = epoch::layout(&input, &frame);
        let scene = input.scene(&frame);
        let colours = [60, 20].map(|length| Theme::LIGHT.length_colour(length, 100u32));
        // The last of each colour is what moves, which is drawn above the rows.
        let last = colours.map(|colour| {
            let mut marks = scene.marks.iter().rev();
            marks
                .find_map(|mark| match mark {
                    Mark::Rect(area, c) if *c == colour => Some(*area),
                    _ => None,
                })
                .unwrap()
        });
        (layout, last, texts(&scene).contains(&"saved"))
    };
    let area = |of: &packscope_chart::Area| of.width() * of.height();
    let (layout, begin, _) = at(0.0);
    assert!(
        begin
            .iter()
            .all(|of| (of.left - layout.padded.left).abs() < 1e-9)
    );
    let (_, end, named) = at(0.999_999);
    assert!(!named, "nothing is saved before all have come");
    assert!((end[0].left - layout.packed.left).abs() < 0.1);
    assert!((end[1].right - layout.packed.right).abs() < 0.1);
    // Tokens are as large on both sides.
    for (begin, end) in begin.iter().zip(&end) {
        assert!(
            (area(begin) / area(end) - 1.0).abs() < 0.01,
            "{begin:?} {end:?}"
        );
    }
    let (_, middle, _) = at(0.3);
    assert!(middle[1].left > begin[1].left && middle[1].left < end[1].left);
    assert!(at(1.0).2);
}

/// The divider stands where the share of its way is, within the packed rows, and nothing else changes.
#[test]
fn the_divider_stands_at_its_share_of_the_packed_rows() {
    let frame = Frame::svg(420.0, 380.0, Theme::LIGHT);
    let [left, right] = epoch::divider(&frame);
    for moved in [0.0, 0.25, 1.0] {
        let input = epoch::Input {
            entries: &[(100, 4), (300, 2)],
            ends: &[],
            before: "Padded",
            moved,
            limit: 512,
            hues: 512.into(),
            shapes: &[],
            unlisted: 3,
            padded: 0.5,
            packed: 0.0,
            name: "Packed",
            shortened: false,
            unit: "tokens",
        };
        let layout = epoch::layout(&input, &frame);
        assert!(left >= layout.packed.left && right <= layout.packed.right);
        let mut pen = packscope_chart::Pen::new(&frame);
        input.divide(&mut pen);
        let line = pen.scene.marks.iter().find_map(|mark| match mark {
            Mark::Rule { from, colour, .. } if *colour == Theme::LIGHT.accent => Some(from.0),
            _ => None,
        });
        assert_eq!(line, Some(left + (right - left) * moved));
    }
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
            ends: &[],
            before: "Padded",
            moved: 1.0,
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
                ends: &[],
                before: "Padded",
                moved: 1.0,
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
