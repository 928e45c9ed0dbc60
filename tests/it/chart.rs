//! The drawings, as SVG. The images are left in the target directory's `tmp/` for people to look at.

use crate::common::built_in;
use packscope::api::{self, Report, Settings};
use packscope::chart::{Frame, Mark, Scale, Scene, Theme, depth, epoch, histogram};
use packscope::packing::{Algorithm, Depth};
use plotters_svg::SVGBackend;
use std::ops::ControlFlow;

/// Data sets with the limits they are used with.
const SETS: [(&str, u32); 6] = [
    ("wikipedia_bert_512", 512),
    ("squad_1_1_bert_384", 384),
    ("mol_qm9_allatoms_len", 29),
    ("mooncake_conversation", 131_072),
    ("sharegpt_8k_llama2", 2048),
    ("lima_train_chatml", 1000),
];
const WIDTHS: [f64; 3] = [330.0, 700.0, 1100.0];
const DEPTHS: [Depth; 9] = [
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

fn entries(name: &str) -> Vec<(u32, u64)> {
    built_in(name).entries().iter().map(|&([l], n)| (l, n)).collect()
}

fn lengths(entries: &[(u32, u64)], limit: u32) -> histogram::Input<'_> {
    histogram::Input {
        entries,
        limit,
        end: None,
        scale: Scale::Linear,
        hover: None,
        lit: &[],
        items: "sequences",
        unit: "tokens",
    }
}

fn themes() -> [(&'static str, Theme); 2] {
    [("light", Theme::LIGHT), ("dark", Theme::DARK)]
}

/// The image, which is also left for people to look at.
fn svg(name: &str, scene: &Scene, frame: &Frame) -> String {
    let mut text = String::new();
    scene.paint(&mut SVGBackend::with_string(&mut text, frame.device_size()), frame).unwrap();
    let path = format!("{}/chart-{name}.svg", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(path, &text).unwrap();
    text
}

fn text(mark: &Mark) -> Option<&str> {
    match mark {
        Mark::Text { text, .. } => Some(text),
        _ => None,
    }
}

fn texts(scene: &Scene) -> Vec<&str> {
    scene.marks.iter().filter_map(text).collect()
}

fn bars(scene: &Scene) -> usize {
    scene.marks.iter().filter(|m| matches!(m, Mark::Rect(..))).count()
}

#[test]
fn histograms_of_every_size_have_their_labels_and_no_more_bars_than_pixels() {
    for (name, limit) in SETS {
        let entries = entries(name);
        for (width, (theme_name, theme)) in WIDTHS.into_iter().flat_map(|w| themes().map(|t| (w, t))) {
            let frame = Frame::svg(width, 300.0, theme);
            let (scene, layout) = histogram::scene(&lengths(&entries, limit), &frame);
            svg(&format!("histogram-{name}-{width}-{theme_name}"), &scene, &frame);
            assert!(bars(&scene) as f64 <= 2.0 * width, "{name} {width}");
            assert!(layout.bins.len() as f64 <= width);
            let texts = texts(&scene);
            assert!(texts.iter().any(|t| t.starts_with("limit ")), "{texts:?}");
            assert!(texts.iter().any(|t| t.ends_with(" tokens")), "{texts:?}");
        }
    }
}

#[test]
fn the_bar_that_towers_over_wikipedia_is_cut_and_named() {
    let entries = entries("wikipedia_bert_512");
    for width in WIDTHS {
        let frame = Frame::svg(width, 300.0, Theme::LIGHT);
        let (scene, layout) = histogram::scene(&lengths(&entries, 512), &frame);
        let texts = texts(&scene);
        assert!(texts.contains(&"3,815,044 sequences fill all 512"), "{texts:?}");
        assert!(texts.contains(&"23.4 % of the data; bar cut"));
        assert!(!texts.iter().any(|t| t.ends_with('M')), "the axis is that of the other bars: {texts:?}");
        assert_eq!(layout.bin, if width < 500.0 { 2 } else { 1 });
    }
    let log = histogram::Input { scale: Scale::Log, ..lengths(&entries, 512) };
    let frame = Frame::svg(700.0, 300.0, Theme::LIGHT);
    let (scene, _) = histogram::scene(&log, &frame);
    svg("histogram-wikipedia-log", &scene, &frame);
    let mooncake = self::entries("mooncake_conversation");
    let log = histogram::Input { scale: Scale::Log, ..lengths(&mooncake, 131_072) };
    svg("histogram-mooncake-log", &histogram::scene(&log, &frame).0, &frame);
    assert!(texts(&scene).contains(&"1 M") && !texts(&scene).iter().any(|t| t.contains("cut")));
}

#[test]
fn lengths_that_are_pointed_out_are_seen_at_every_density() {
    let entries = entries("wikipedia_bert_512");
    let lit = [202, 180, 130, 512];
    let input = histogram::Input { hover: Some(202), lit: &lit, ..lengths(&entries, 512) };
    for (scale, (name, theme)) in [1.0, 2.0].into_iter().flat_map(|s| themes().map(|t| (s, t))) {
        let frame = Frame { font: 1.24, ..Frame::canvas(660.0, 300.0, scale, theme) };
        let (scene, _) = histogram::scene(&input, &frame);
        svg(&format!("histogram-lit-{scale}-{name}"), &scene, &frame);
        let (plain, _) = histogram::scene(&lengths(&entries, 512), &frame);
        assert!(scene.marks.len() >= plain.marks.len() + 3 * lit.len());
    }
}

#[test]
fn a_pointer_finds_the_length_it_is_on() {
    for (name, limit) in SETS {
        let entries = entries(name);
        for width in WIDTHS {
            let layout =
                histogram::layout(&lengths(&entries, limit), &Frame::canvas(width, 300.0, 2.0, Theme::DARK));
            for (length, _) in &entries {
                assert_eq!(layout.length_at(layout.x_of(*length)), *length);
                assert!(layout.bin_of(*length).is_some());
            }
            assert_eq!(layout.length_at(-50.0), 1);
            assert_eq!(layout.length_at(5000.0), layout.end);
        }
    }
}

#[test]
fn a_short_limit_leaves_the_rest_pale_and_says_how_much() {
    let entries = entries("sharegpt_8k_llama2");
    for (width, limit) in [(330.0, 2048), (700.0, 2048), (700.0, 64)] {
        let frame = Frame::svg(width, 300.0, Theme::LIGHT);
        let lit = [500, 900];
        let input = histogram::Input { hover: Some(1200), lit: &lit, ..lengths(&entries, limit) };
        let (scene, layout) = histogram::scene(&input, &frame);
        svg(&format!("histogram-limit-{limit}-{width}"), &scene, &frame);
        assert!(texts(&scene).iter().any(|t| t.ends_with('%') || t.ends_with("are longer")));
        assert!(layout.handle.0 < layout.plot.right);
    }
}

fn report(name: &str, limit: u32, algorithm: Algorithm, depth: Depth, listed: u32) -> Report {
    let settings = Settings { limit, algorithm, depth, ..Settings::default() };
    api::run_on(&built_in(name), &settings, listed, &mut |_, _| ControlFlow::Continue(())).unwrap()
}

/// Efficiencies at [`DEPTHS`].
type Values = Vec<Option<f64>>;

/// Those of the algorithms, and the bound.
fn efficiencies(name: &str, limit: u32) -> (Vec<(Algorithm, Values)>, Values) {
    let algorithms = [Algorithm::Lpfhp, Algorithm::BestFitDecreasing, Algorithm::Spfhp, Algorithm::None];
    let points: Vec<_> = algorithms.iter().flat_map(|a| DEPTHS.map(|d| (*a, d))).collect();
    let (mut curves, mut bound) = (vec![], vec![]);
    let settings = Settings { limit, ..Settings::default() };
    api::compare(&built_in(name), &settings, &points, &mut |algorithm, _, figures| {
        if curves.last().is_none_or(|(a, _)| *a != algorithm) {
            curves.push((algorithm, vec![]));
        }
        curves.last_mut().unwrap().1.push(Some(figures.efficiency[0]));
        if algorithm == Algorithm::Lpfhp {
            let slots = figures.lower_bound.unwrap() as f64 * f64::from(limit);
            bound.push(Some(figures.real_tokens[0] as f64 / slots));
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    (curves, bound)
}

#[test]
fn depth_curves_that_coincide_share_a_name_and_names_never_touch() {
    for (name, limit) in SETS {
        let (values, bound) = efficiencies(name, limit);
        let curves: Vec<_> =
            values.iter().map(|(a, values)| depth::Curve { name: a.name(), values }).collect();
        let sizes = [(330.0, Scale::Log), (430.0, Scale::Linear), (430.0, Scale::Log), (700.0, Scale::Log)];
        for ((width, scale), (theme_name, theme)) in sizes.into_iter().flat_map(|w| themes().map(|t| (w, t)))
        {
            let frame = Frame::svg(width, 330.0, theme);
            let input = depth::Input {
                depths: &DEPTHS,
                curves: &curves,
                bound: &bound,
                chosen: Some(0),
                depth: Some(2),
                hover: None,
                scale,
                caption: "sequences per row at most (depth)",
            };
            let (scene, layout) = depth::scene(&input, &frame);
            svg(&format!("depth-{name}-{width}-{scale:?}-{theme_name}"), &scene, &frame);
            assert!(texts(&scene).iter().any(|t| t.ends_with("% at depth 3")));
            assert_eq!(layout.index_at(layout.xs[4] + 1.0), Some(4));
            names_apart(&scene, layout.plot.right);
        }
    }
}

fn names_apart(scene: &Scene, right: f64) {
    let name = |mark: &Mark| match mark {
        Mark::Text { at, anchor: -1, .. } if at.0 > right => Some(at.1),
        _ => None,
    };
    let mut ys: Vec<f64> = scene.marks.iter().filter_map(name).collect();
    ys.sort_by(f64::total_cmp);
    assert!(ys.windows(2).all(|pair| pair[1] - pair[0] >= 14.9), "{ys:?}");
}

#[test]
fn an_efficiency_of_one_and_missing_points_are_drawn() {
    let full = [Some(0.1), Some(0.7), None, Some(1.0), Some(1.0)];
    let alone = [None, None, Some(0.95), None, None];
    let curves =
        [depth::Curve { name: "full", values: &full }, depth::Curve { name: "alone", values: &alone }];
    let frame = Frame::svg(430.0, 330.0, Theme::LIGHT);
    for scale in [Scale::Log, Scale::Linear] {
        let input = depth::Input {
            depths: &DEPTHS[..5],
            curves: &curves,
            bound: &[],
            chosen: Some(0),
            depth: Some(3),
            hover: Some(1),
            scale,
            caption: "",
        };
        let (scene, layout) = depth::scene(&input, &frame);
        let text = svg(&format!("depth-full-{scale:?}"), &scene, &frame);
        assert!(texts(&scene).contains(&"100 % at depth 4"));
        assert!(texts(&scene).contains(&"100 %"));
        assert!(!text.contains("NaN") && layout.plot.width() > 200.0);
    }
    let nothing = depth::Input {
        depths: &[],
        curves: &[],
        bound: &[],
        chosen: None,
        depth: None,
        hover: None,
        scale: Scale::Log,
        caption: "",
    };
    assert_eq!(depth::layout(&nothing, &frame).index_at(3.0), None);
}

#[test]
fn half_the_steps_are_half_the_height() {
    for (name, limit) in SETS {
        let report = report(name, limit, Algorithm::Lpfhp, Depth::AtMost(3), 4000);
        let whole = built_in(name).fit(limit, packscope::histogram::Overlong::Truncate).unwrap().histogram;
        let entries: Vec<_> = whole.entries().iter().map(|&([l], n)| (l, n)).collect();
        let input = epoch::Input {
            entries: &entries,
            limit,
            shapes: &report.strategies,
            unlisted: report.unlisted_packs,
            padded: 1.0 - report.figures.baseline_efficiency[0],
            packed: 1.0 - report.figures.efficiency[0],
            unit: "tokens",
            name: "Packed",
            shortened: false,
        };
        for (width, (theme_name, theme)) in
            [330.0, 420.0, 1100.0].into_iter().flat_map(|w| themes().map(|t| (w, t)))
        {
            let frame = Frame::svg(width, 380.0, theme);
            let (scene, layout) = epoch::scene(&input, &frame);
            svg(&format!("epoch-{name}-{width}-{theme_name}"), &scene, &frame);
            let ratio = layout.packed.height() / layout.padded.height();
            assert!((ratio - report.figures.packs as f64 / report.figures.items as f64).abs() < 1e-9);
            assert!(bars(&scene) < 8000, "{name} has {} bars", bars(&scene));
        }
    }
}

#[test]
fn an_epoch_names_its_padding_and_the_rows_it_saves() {
    let report = report("wikipedia_bert_512", 512, Algorithm::Lpfhp, Depth::AtMost(3), 20);
    let entries = entries("wikipedia_bert_512");
    let input = epoch::Input {
        entries: &entries,
        limit: 512,
        shapes: &report.strategies,
        unlisted: report.unlisted_packs,
        padded: 1.0 - report.figures.baseline_efficiency[0],
        packed: 1.0 - report.figures.efficiency[0],
        unit: "tokens",
        name: "Packed",
        shortened: false,
    };
    let frame = Frame::svg(420.0, 420.0, Theme::LIGHT);
    let (scene, _) = epoch::scene(&input, &frame);
    svg("epoch-unlisted", &scene, &frame);
    let texts = texts(&scene);
    for label in ["50.0 % padding", "16,279,552 rows", "that need not be run", "512 tokens"] {
        assert!(texts.contains(&label), "{label} is missing in {texts:?}");
    }
    assert!(texts.iter().any(|t| t.ends_with("rows of other shapes")));
}

#[test]
fn few_rows_are_drawn_one_by_one() {
    let shape = |runs: &[(u32, u32)], count| api::Shape { runs: runs.to_vec(), count };
    let shapes = [shape(&[(60, 1), (20, 2)], 3), shape(&[(100, 1)], 2), shape(&[(90, 1)], 1)];
    let entries = [(20, 6), (60, 3), (90, 1), (100, 2)];
    let frame = Frame::svg(420.0, 300.0, Theme::LIGHT);
    for shortened in [false, true] {
        let input = epoch::Input {
            entries: &entries,
            limit: 100,
            shapes: &shapes,
            unlisted: 0,
            padded: 0.4,
            packed: 0.02,
            name: "Packed",
            shortened,
            unit: "tokens",
        };
        let (scene, layout) = epoch::scene(&input, &frame);
        svg(&format!("epoch-few-{shortened}"), &scene, &frame);
        let grey = |m: &&Mark| matches!(m, Mark::Rect(area, c) if *c == Theme::LIGHT.padding && area.left >= layout.packed.left);
        assert_eq!(scene.marks.iter().filter(grey).count(), usize::from(!shortened), "one shape is not full");
    }
}

#[test]
fn the_same_input_gives_the_same_image() {
    let entries = entries("squad_1_1_bert_384");
    for scale in [1.0, 1.5, 2.0, 3.0] {
        let frame = Frame::canvas(411.0, 277.0, scale, Theme::DARK);
        let image = || {
            let mut text = String::new();
            let mut backend = SVGBackend::with_string(&mut text, frame.device_size());
            histogram::draw(&mut backend, &lengths(&entries, 384), &frame).unwrap();
            drop(backend);
            text
        };
        assert_eq!(image(), image());
    }
}

#[test]
fn nothing_breaks_in_no_space_or_without_data() {
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::LIGHT);
        for entries in [&[][..], &[(1, 1)], &[(7, 3), (4_000_000_000, u64::MAX / 2)]] {
            for scale in [Scale::Linear, Scale::Log] {
                let input = histogram::Input { scale, ..lengths(entries, 512) };
                let (scene, _) = histogram::scene(&input, &frame);
                assert!(!svg("small", &scene, &frame).contains("NaN"));
            }
            let rows = epoch::Input {
                entries,
                limit: 512,
                shapes: &[],
                unlisted: 0,
                padded: 0.5,
                packed: 0.0,
                unit: "tokens",
                name: "Packed",
                shortened: true,
            };
            svg("small", &epoch::scene(&rows, &frame).0, &frame);
        }
    }
}
