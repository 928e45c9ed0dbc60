//! The drawings: lengths, efficiency against depth, one epoch to scale, the strategies as a matrix; for
//! items with two sizes a heat map of both, efficiency over both limits, and packs along their diagonal; for
//! batches one epoch of them to scale, their sizes along the training, and how large they may be; for all of
//! them what the time of an epoch is spent on, and how it goes down with more accelerators. Lessons draw what has no
//! drawing of its own with [`lines`] and with the marks themselves.
//!
//! Each drawing is a module (a file, or a folder where it is longer) with the same three: `Input` is what it draws,
//! data and settings; `layout` says where things are in a [`Frame`]; and every input is a [`Chart`], which draws it, as a
//! [`Scene`] of marks in CSS pixels, and says what is at a place, where keys lead, and what there is to read. All of it is
//! pure. Drawings are made of the same parts: a [`Pen`] for the marks, `Axis` for places and ticks, `EndNames` for the
//! names of lines, `Taken` for words that keep off each other.
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
use std::fmt::Display;
use taken::{Plate, Taken, centred, label_area, nearest};
use theme::mix;

/// A place in the data of a drawing, as two numbers whose meaning the drawing says: a length, and nothing; an epoch, and
/// one of its batches.
pub type Spot = [u32; 2];
/// Which numbers of a [`Spot`] a pressed pointer moves.
pub type Grip = [bool; 2];

/// A drawing with its data: all that it takes to show it, to point at it, and to read it without seeing it.
pub trait Chart {
    /// Draws it, with what [`Frame::hover`] points at.
    fn draw(&self, pen: &mut Pen);

    /// Returns it as marks.
    fn scene(&self, frame: &Frame) -> Scene {
        let mut pen = Pen::new(frame);
        self.draw(&mut pen);
        pen.scene
    }

    /// Returns it in words, with numbers.
    fn summary(&self) -> String {
        String::new()
    }

    /// Returns its figures as a table, for those who do not see it.
    fn table(&self) -> Option<Table> {
        None
    }

    /// Returns what is at a place.
    fn hit(&self, _at: Point, _frame: &Frame) -> Option<Spot> {
        None
    }

    /// Returns what arrow keys lead to, by steps to the right and upwards; without anything to begin from, the first.
    fn step(&self, _from: Option<Spot>, _by: [i32; 2], _frame: &Frame) -> Option<Spot> {
        None
    }

    /// Returns what a press at a place takes hold of.
    fn grip(&self, _at: Point, _frame: &Frame) -> Option<Grip> {
        None
    }

    /// Returns where what is held goes when the pointer is at a place, also beside the drawing.
    fn drag(&self, at: Point, frame: &Frame) -> Spot {
        self.hit(at, frame).unwrap_or_default()
    }

    /// Returns what is at a spot, in words.
    fn reading(&self, _at: Spot) -> Option<String> {
        None
    }

    /// Returns the height it needs at a width.
    fn height(&self, _width: f64) -> f64 {
        0.0
    }
}

/// The figures of a drawing; the first cell of a row is its heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What the figures are.
    pub caption: String,
    /// The headings of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table.
    pub fn new(
        caption: impl Into<String>,
        head: impl IntoIterator<Item = impl ToString>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let head = head.into_iter().map(|name| name.to_string()).collect();
        Self { caption: caption.into(), head, rows: rows.into_iter().collect() }
    }
}

/// The index moved by `by` in a list of `many`, clamped at the ends; `None` for an empty list.
fn further(at: u32, by: i32, many: usize) -> Option<u32> {
    Some(at.saturating_add_signed(by).min(many.checked_sub(1)? as u32))
}

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
fn both(sizes: [u32; 2], names: &[impl Display; 2]) -> String {
    let [first, second] = sizes.map(|size| words::count(u64::from(size)));
    format!("{first} {} × {second} {}", names[0], names[1])
}

/// `222 × 502`.
fn both_short(sizes: [u32; 2]) -> String {
    let [first, second] = sizes.map(|size| words::count(u64::from(size)));
    format!("{first} × {second}")
}
