//! The drawings: lengths, efficiency against depth, one epoch to scale, the strategies as a matrix.
//!
//! Each drawing is a pure function from an input and a [`Frame`] to a [`Scene`] (marks in CSS pixels)
//! and a layout (where things are, for the pointer). Only [`Scene::paint`] knows plotters, and it is
//! generic over the backend: canvas in the page, SVG in tests and exports. Grey is padding, colour is
//! length, the accent is the current setting; nothing else has a meaning.

pub mod depth;
pub mod epoch;
pub mod histogram;
pub mod matrix;
mod paint;
mod scene;
mod theme;
mod ticks;

pub use scene::{Area, Frame, Mark, Point, Scene};
pub use theme::{Rgb, Theme, hex};

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
