//! The drawings, as SVG. The images are left in the target directory's `tmp/` for people to look at.

mod along;
mod axis;
mod batches;
mod caps;
mod card;
mod depth;
mod diagonal;
mod epoch;
mod heat;
mod histogram;
mod legible;
mod limits;
mod limits_line;
mod lines;
mod matrix;
mod pen;
mod ranks;
mod scatter;
mod scene;
mod shapes;
mod speedup;
mod steps;
mod svg;
mod sweep;
mod theme;

use crate::common::built_in;
use packscope::api::batch::{PreparedBatches, Report, Settings};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope::sampler::Sampler;
use packscope_chart::{Area, Chart, Frame, Mark, Scene, Spot, Theme};
use plotters_svg::SVGBackend;

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

fn entries(name: &str) -> Vec<(u32, u64)> {
    built_in(name).lengths()
}

fn themes() -> [(&'static str, Theme); 2] {
    [("light", Theme::LIGHT), ("dark", Theme::DARK)]
}

/// The image, which is also left for people to look at.
fn svg(name: &str, scene: &Scene, frame: &Frame) -> String {
    let mut text = String::new();
    scene
        .paint(
            &mut SVGBackend::with_string(&mut text, frame.device_size()),
            frame,
        )
        .unwrap();
    let path = format!("{}/chart-{name}.svg", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(path, &text).unwrap();
    svg::assert_saved(name, scene, frame);
    legible::assert_legible(name, scene, frame);
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
    scene
        .marks
        .iter()
        .filter(|m| matches!(m, Mark::Rect(..)))
        .count()
}

/// Widths of the drawings with two limits.
const GRAPH_WIDTHS: [f64; 3] = [320.0, 390.0, 840.0];

/// The built-in set of graphs as (nodes, edges) with counts.
fn molhiv() -> Vec<([u32; 2], u64)> {
    let path = format!(
        "{}/static/datasets/ogbg_molhiv.csv",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let row: Vec<u32> = line
            .split(',')
            .map(|number| number.parse().unwrap())
            .collect();
        ([row[0], row[1]], u64::from(row[2]))
    };
    text.lines().skip(1).map(row).collect()
}

/// What a mark covers at least; words are taken a little narrower than most fonts write them.
fn extent(mark: &Mark) -> Area {
    let round = |(x, y): (f64, f64), r: f64| Area {
        left: x - r,
        top: y - r,
        right: x + r,
        bottom: y + r,
    };
    let hull = |points: &[(f64, f64)]| {
        let xs = || points.iter().map(|p| p.0);
        let ys = || points.iter().map(|p| p.1);
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        Area {
            left: xs().fold(low, f64::min),
            top: ys().fold(low, f64::min),
            right: xs().fold(high, f64::max),
            bottom: ys().fold(high, f64::max),
        }
    };
    match mark {
        Mark::Rect(area, _) => *area,
        Mark::Rule { from, to, .. } => hull(&[*from, *to]),
        Mark::Path(points, ..) | Mark::Polygon(points, _) => hull(points),
        Mark::Disc(at, radius, _) => round(*at, *radius),
        Mark::Text {
            text,
            at,
            anchor,
            size,
            ..
        } => {
            let em = |c: char| if " .,·".contains(c) { 0.28 } else { 0.55 };
            let wide = size * text.chars().map(em).sum::<f64>();
            let left = at.0 - wide * f64::from(*anchor + 1) / 2.0;
            Area {
                left,
                top: at.1 - size / 2.0,
                right: left + wide,
                bottom: at.1 + size / 2.0,
            }
        }
    }
}

/// Everything is within the frame, and no words are on others.
fn assert_tidy(name: &str, scene: &Scene, frame: &Frame) {
    for mark in &scene.marks {
        let Area {
            left,
            top,
            right,
            bottom,
        } = extent(mark);
        let inside = left >= -0.5
            && top >= -0.5
            && right <= frame.width + 1.0
            && bottom <= frame.height + 1.0;
        assert!(
            inside,
            "{name}: {mark:?} is outside {} × {}",
            frame.width, frame.height
        );
    }
    let words: Vec<&Mark> = scene
        .marks
        .iter()
        .filter(|mark| text(mark).is_some())
        .collect();
    for (i, one) in words.iter().enumerate() {
        for other in &words[..i] {
            let (a, b) = (extent(one), extent(other));
            let apart =
                a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
            assert!(apart, "{name}: {one:?} is on {other:?}");
        }
    }
}

/// Draws into frames of these sizes: in light colours, and into the first also in dark ones. Everything is within the frame,
/// no words are on others, and all are legible. Returns the names of the drawings, and what was drawn in which frame.
fn drawn(name: &str, chart: &dyn Chart, sizes: &[(f64, f64)]) -> Vec<(String, Scene, Frame)> {
    let light = sizes.iter().map(|size| (*size, "light", Theme::LIGHT));
    let dark = sizes.first().map(|size| (*size, "dark", Theme::DARK));
    let frame = |((width, height), theme_name, theme): ((f64, f64), &str, Theme)| {
        let (name, frame) = (
            format!("{name}-{width}-{theme_name}"),
            Frame::svg(width, height, theme),
        );
        let scene = chart.scene(&frame);
        assert!(!svg(&name, &scene, &frame).contains("NaN"));
        assert_tidy(&name, &scene, &frame);
        (name, scene, frame)
    };
    light.chain(dark).map(frame).collect()
}

/// Draws into frames with hardly any room, with a spot pointed at: whatever the data are, every mark has a place.
fn assert_placed(name: &str, charts: &[&dyn Chart], pointed: Spot) {
    for (width, height) in [(1.0, 1.0), (60.0, 40.0), (300.0, 90.0)] {
        let frame = Frame::svg(width, height, Theme::LIGHT).pointing(pointed);
        for chart in charts {
            assert!(!svg(name, &chart.scene(&frame), &frame).contains("=\"NaN"));
            for x in [3.0, f64::NAN] {
                chart.hit((x, 3.0), &frame);
                chart.drag((x, 3.0), &frame);
            }
            chart.step(None, [1, 0], &frame);
        }
    }
}

/// Rectangles of a colour.
fn rects(scene: &Scene, colour: [u8; 3]) -> Vec<Area> {
    let area = |mark: &Mark| match mark {
        Mark::Rect(area, c) if *c == colour => Some(*area),
        _ => None,
    };
    scene.marks.iter().filter_map(area).collect()
}

/// Widths of the drawings of batches: single columns, and beside each other.
const BATCH_WIDTHS: [(f64, f64); 3] = [(360.0, 300.0), (560.0, 330.0), (900.0, 360.0)];

/// Batches of (length, count), three epochs of them, with batches to look at.
fn batched(lengths: &[(u32, u64)], settings: &Settings) -> Report {
    let data = Histogram::from_counts(lengths.iter().map(|(l, n)| ([*l, 0], *n))).unwrap();
    PreparedBatches::new(&data, false, settings)
        .unwrap()
        .report(settings, true, &mut go_on)
        .unwrap()
}

/// As the page has it at first, with another limit and sampler.
fn usual(limit: u32, sampler: Sampler) -> Settings {
    Settings {
        limit,
        sampler,
        ..Settings::default()
    }
}

/// A dozen sequences, which fit one batch.
const DOZEN: [(u32, u64); 5] = [(5, 3), (9, 4), (17, 2), (40, 2), (64, 1)];
