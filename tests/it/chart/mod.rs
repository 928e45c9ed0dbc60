//! The drawings, as SVG. The images are left in the target directory's `tmp/` for people to look at.

mod depth;
mod epoch;
mod histogram;
mod matrix;

use crate::common::built_in;
use packscope::chart::{Frame, Mark, Scene, Theme};
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
