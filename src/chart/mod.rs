//! The drawings: lengths, efficiency against depth, one epoch to scale, the strategies as a matrix; for
//! items with two sizes a heat map of both, efficiency over both limits, and packs along their diagonal; for
//! batches one epoch of them to scale, their sizes along the training, and how large they may be; for all of
//! them what the time of an epoch is spent on, and how it goes down with more accelerators. Lessons draw what has no
//! drawing of its own with [`lines`] and with the marks themselves.
//!
//! Each drawing is a pure function from an input and a [`Frame`] to a [`Scene`] (marks in CSS pixels)
//! and a layout (where things are, for the pointer). Only [`Scene::paint`] knows plotters, and it is
//! generic over the backend: canvas in the page, SVG in tests and exports. Grey is padding, colour is
//! length or, in heat maps, how much, the accent is the current setting; nothing else has a meaning.

pub mod along;
mod apart;
mod axes;
pub mod batches;
pub mod caps;
mod colour_bar;
pub mod crew;
pub mod depth;
pub mod diagonal;
pub mod epoch;
pub mod heat;
pub mod histogram;
pub mod limits_line;
pub mod lines;
mod log_axis;
pub mod matrix;
mod paint;
pub mod parts;
mod plate;
mod rows;
mod scene;
pub mod svg;
pub mod sweep;
mod theme;
mod ticks;

pub use scene::label_width;
pub use scene::{Area, Frame, Mark, Point, Scene};
pub use theme::{Rgb, Theme, contrast, hex, viridis};

use crate::words::{self, singular};
use plotters::prelude::{DrawResult, DrawingBackend};

/// How a vertical axis runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal factors.
    Log,
}

/// Paints a scene and passes the layout on.
fn painted<DB: DrawingBackend, L>(
    (scene, layout): (Scene, L),
    backend: &mut DB,
    frame: &Frame,
) -> DrawResult<L, DB> {
    scene.paint(backend, frame)?;
    Ok(layout)
}

/// `222 nodes × 502 edges`.
fn both(sizes: [u32; 2], names: [&str; 2]) -> String {
    let [first, second] = sizes.map(|size| words::count(u64::from(size)));
    format!("{first} {} × {second} {}", names[0], names[1])
}

/// `222 × 502`.
fn both_short(sizes: [u32; 2]) -> String {
    let [first, second] = sizes.map(|size| words::count(u64::from(size)));
    format!("{first} × {second}")
}
