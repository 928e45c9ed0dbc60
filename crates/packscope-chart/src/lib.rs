//! The drawings. For sequences: lengths, efficiency against depth, what a limit costs, one epoch to scale, and the
//! strategies as a matrix.
//! For items with two sizes: a heat map of both, efficiency over both limits, and packs along their diagonal. For
//! batches: one epoch to scale, their sizes along the training, the largest ones possible, and a few lengths to pad to.
//! For ranks: the work of each in one step, and how long many steps take. For all of them: the parts of the time of an
//! epoch, and the speed-up with more accelerators. Lessons draw all else with [`lines`] and with the marks themselves.
//!
//! Each drawing is a module (a file, or a folder if it is longer) of the same form: `Input` holds
//! data and settings, `layout` returns the places in a [`Frame`], and every input is a [`Chart`],
//! which draws it as a [`Scene`] of marks in CSS pixels, finds the spot at a place, moves by keys,
//! and reads in words. All of it is pure. Drawings share their parts: a [`Pen`] for the marks,
//! `ValueAxis` for places and ticks, `EndNames` for the names of lines, and `OccupiedAreas` for
//! words that must not overlap. Curves and bars over two axes ([`lines`], [`crew`], [`depth`], [`limits`],
//! [`limits_line`], [`steps`]) have these from one plot, which each describes in the units of its data, instead of a layout of
//! their own.
//!
//! Only [`Scene::paint`] uses plotters, and it is generic over the backend: canvas in the page, SVG in tests and
//! exports. Grey is padding, colour is length or, in heat maps, a quantity, and the accent is the current setting;
//! nothing else has a meaning.

#![warn(missing_docs)]

pub mod along;
mod axis;
pub mod batches;
pub mod caps;
pub mod card;
mod colour_bar;
pub mod crew;
pub mod depth;
pub mod diagonal;
mod end_names;
pub mod epoch;
mod hatch;
pub mod heat;
pub mod histogram;
mod hues;
pub mod limits;
pub mod limits_line;
pub mod lines;
pub mod matrix;
mod paint;
pub mod parts;
mod pen;
pub mod ranks;
mod rows;
pub mod scatter;
mod scene;
pub mod shapes;
pub mod steps;
pub mod svg;
pub mod sweep;
mod taken;
mod theme;
mod xy;

pub use hues::Hues;
pub use pen::{Look, Pen};
pub use scene::{Area, Frame, Mark, Point, Scene, label_width};
pub use theme::{Rgb, Theme, contrast, viridis};
pub use xy::Plane;

// The shared parts of drawings.
use axis::{BELOW, BESIDE, Tick, ValueAxis};
use end_names::{EndName, EndNames, Strokes};
use packscope::words::{self, singular};
use pen::runs;
use rows::{Alike, Stack, columns};
use scene::{LABEL, fitted, fitting, widest};
use std::fmt::Display;
use taken::{OccupiedAreas, Plate, centred, label_area, nearest};
use theme::mix;
use xy::Xy;

/// A place in the data of a drawing, as two numbers whose meaning depends on the drawing: a length and a number without
/// meaning, or an epoch and the index of a batch.
pub type Spot = [u32; 2];
/// Flags for the numbers of a [`Spot`] that a pressed pointer moves: one for the line of a limit,
/// both for the corner of a heat map.
pub type Grip = [bool; 2];

/// A drawing with its data: it can be drawn, pointed at, and read in words.
pub trait Chart {
    /// Draws the marks, with the spot of [`Frame::hover`] highlighted.
    fn draw(&self, pen: &mut Pen);

    /// Returns the drawing as marks, which [`Scene::paint`] paints in their order.
    fn scene(&self, frame: &Frame) -> Scene {
        let mut pen = Pen::new(frame);
        self.draw(&mut pen);
        pen.scene
    }

    /// Returns a summary in words, with numbers: the text alternative of the drawing.
    fn summary(&self) -> String {
        String::new()
    }

    /// Returns the figures as a table, for people who cannot see the drawing.
    fn table(&self) -> Option<Table> {
        None
    }

    /// Returns the drawing as a plot over two axes, if it describes itself so; pointer and keys then find its stops.
    #[doc(hidden)]
    fn plot(&self, _frame: &Frame) -> Option<Xy<'_>> {
        None
    }

    /// Returns the places of a plot over two axes; `None` for other drawings.
    fn plane(&self, frame: &Frame) -> Option<Plane> {
        Some(self.plot(frame)?.plane(frame))
    }

    /// Returns the spot at a place, for pointing and pressing; `None` where there is none.
    fn hit(&self, at: Point, frame: &Frame) -> Option<Spot> {
        self.plot(frame)?.hit(at, frame)
    }

    /// Returns the spot that arrow keys lead to, by steps to the right and upwards; the first one if `from` is `None`. A
    /// plot over two axes begins at its present spot instead.
    fn step(&self, _from: Option<Spot>, by: [i32; 2], frame: &Frame) -> Option<Spot> {
        self.plot(frame)?.step(by)
    }

    /// Returns the numbers of a spot that a press at a place grips.
    fn grip(&self, _at: Point, _frame: &Frame) -> Option<Grip> {
        None
    }

    /// Returns the spot that a drag leads to, with the pointer at a place inside or outside the drawing.
    fn drag(&self, at: Point, frame: &Frame) -> Spot {
        self.hit(at, frame).unwrap_or_default()
    }

    /// Returns the description of a spot in words; `None` for a spot that the data do not have.
    fn reading(&self, _at: Spot) -> Option<String> {
        None
    }

    /// Returns the height in CSS pixels that suits a width; 0 for drawings that fill any
    /// height.
    fn height(&self, _width: f64) -> f64 {
        0.0
    }
}

/// The figures of a drawing; the first cell of a row is its heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The caption: the figures, and what they are of.
    pub caption: String,
    /// The headings of the columns, as many as the cells of a row.
    pub head: Vec<String>,
    /// The rows of cells, as people read them.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table from headings that can be written, and rows of cells.
    pub fn new(
        caption: impl Into<String>,
        head: impl IntoIterator<Item = impl ToString>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let head = head.into_iter().map(|name| name.to_string()).collect();
        Self {
            caption: caption.into(),
            head,
            rows: rows.into_iter().collect(),
        }
    }
}

/// Returns the index moved by `by` in a list of `many`, clamped at the ends; `None` for an empty list.
fn further(at: u32, by: i32, many: usize) -> Option<u32> {
    // Both steps saturate: a key held down stays at the end. An empty list has no index at all.
    Some(
        at.saturating_add_signed(by)
            .min(many.checked_sub(1)? as u32),
    )
}

/// The scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal factors.
    Log,
}

/// Returns sizes in words: `222 nodes × 502 edges`.
fn sizes_in_words(sizes: [u32; 2], names: &[impl Display; 2]) -> String {
    let [first, second] = sizes.map(|size| words::count(u64::from(size)));
    format!("{first} {} × {second} {}", names[0], names[1])
}

/// Returns sizes as numbers: `222 × 502`.
fn both_short(sizes: [u32; 2]) -> String {
    let [first, second] = sizes.map(|size| words::count(u64::from(size)));
    format!("{first} × {second}")
}
