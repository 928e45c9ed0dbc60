//! The drawings: lengths, efficiency against depth, one epoch to scale, the strategies as a matrix; for
//! items with two sizes a heat map of both, efficiency over both limits, and packs along their diagonal; for
//! batches one epoch of them to scale, their sizes along the training, and how large they may be; for all of
//! them what the time of an epoch is spent on, and how it goes down with more accelerators. Lessons draw what has no
//! drawing of its own with [`lines`] and with the marks themselves.
//!
//! Each drawing is a module (a file, or a folder where it is longer) with the same three: `Input` is what it draws,
//! data and settings; `layout` says where things are in a [`Frame`], for the pointer; `scene` draws them, as a
//! [`Scene`] of marks in CSS pixels. All three are pure. Drawings are made of the same parts: a [`Pen`] for the marks,
//! `Axis` for places and ticks, `EndNames` for the names of lines, `Taken` for words that keep off each other.
//!
//! Only [`Scene::paint`] knows plotters, and it is generic over the backend: canvas in the page, SVG in tests and
//! exports. Grey is padding, colour is length or, in heat maps, how much, the accent is the current setting; nothing
//! else has a meaning.

pub mod along;
mod axis;
pub mod batches;
pub mod caps;
mod colour_bar;
pub mod crew;
pub mod depth;
pub mod diagonal;
mod end_names;
pub mod epoch;
pub mod heat;
pub mod histogram;
mod hues;
pub mod limits_line;
pub mod lines;
pub mod matrix;
mod paint;
pub mod parts;
mod pen;
mod rows;
mod scene;
pub mod svg;
pub mod sweep;
mod taken;
mod theme;

pub use hues::Hues;
pub use pen::{Look, Pen};
pub use scene::{Area, Frame, Mark, Point, Scene, label_width};
pub use theme::{Rgb, Theme, contrast, viridis};

// The parts that drawings are made of.
use crate::words::{self, singular};
use axis::{Axis, BELOW, BESIDE, Tick};
use end_names::{EndName, EndNames, Strokes};
use pen::runs;
use rows::{Alike, Stack, columns};
use scene::{LABEL, fitted, fitting, widest};
use taken::{Plate, Taken, centred, label_area, nearest};
use theme::mix;

/// How an axis runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal factors.
    Log,
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
