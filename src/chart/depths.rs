//! Efficiency against depth: one curve per algorithm, and the bound, hatched where no plan can be.

use super::pen::{Pen, Side, text_width};
use super::{Drawn, Theme};
use crate::packing::Depth;
use crate::words::percent;
use plotters::coord::Shift;
use plotters::prelude::*;

/// One algorithm's efficiency at each depth; `None` where it is not known yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Efficiency at each depth, in [0, 1].
    pub efficiency: Vec<Option<f64>>,
    /// Whether it is the chosen one.
    pub chosen: bool,
}

/// What the chart shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Depths {
    /// The depths, ascending.
    pub depths: Vec<Depth>,
    /// One curve per algorithm.
    pub curves: Vec<Curve>,
    /// Efficiency no plan can exceed, at each depth.
    pub bound: Vec<Option<f64>>,
    /// Position of the chosen depth.
    pub chosen: usize,
    /// Whether padding is on a logarithmic scale.
    pub log: bool,
}

const LEFT: f64 = 56.0;
const RIGHT: f64 = 74.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;

/// Where depths and efficiencies stand in a drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    width: f64,
    height: f64,
    depths: usize,
    low: f64,
    high: f64,
    log: bool,
}

impl Frame {
    /// For a drawing of this size.
    pub fn new(width: f64, height: f64, depths: &Depths) -> Self {
        let all = || depths.curves.iter().flat_map(|c| &c.efficiency).chain(&depths.bound).flatten().copied();
        let least = all().fold(1.0, f64::min);
        let mut frame =
            Self { width, height, depths: depths.depths.len(), low: 0.0, high: 1.0, log: depths.log };
        if depths.log {
            let most = all().fold(0.0, f64::max);
            frame.low = level(least).min(4.0);
            frame.high = (level(most) + 0.25).max(frame.low + 0.5);
        } else {
            frame.low = (least * 10.0).floor() / 10.0;
        }
        frame
    }

    /// Where a depth stands, by its position.
    pub fn x(&self, i: usize) -> f64 {
        let steps = (self.depths.max(2) - 1) as f64;
        LEFT + 8.0 + i as f64 / steps * (self.width - LEFT - RIGHT - 16.0)
    }

    /// Position of the depth nearest to a place.
    pub fn nearest(&self, x: f64) -> usize {
        (0..self.depths).min_by(|a, b| (self.x(*a) - x).abs().total_cmp(&(self.x(*b) - x).abs())).unwrap_or(0)
    }

    fn y(&self, efficiency: f64) -> f64 {
        let value = if self.log { level(efficiency) } else { efficiency };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.bottom() - share * (self.bottom() - TOP)
    }

    fn bottom(&self) -> f64 {
        self.height - BOTTOM
    }

    fn ticks(&self) -> Vec<f64> {
        if self.log {
            let ticks = [0.0, 0.1, 0.2, 0.5, 0.75, 0.9, 0.97, 0.99, 0.999, 0.9999, 0.99999];
            return ticks
                .into_iter()
                .filter(|e| (self.low - 0.02..=self.high).contains(&level(*e)))
                .collect();
        }
        (0..=10).map(|i| f64::from(i) / 10.0).filter(|e| *e >= self.low).collect()
    }
}

/// Tenfold less padding is one more.
fn level(efficiency: f64) -> f64 {
    -(1.0 - efficiency).max(1e-5).log10()
}

/// Draws the chart.
///
/// # Errors
/// The backend's.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    scale: f64,
    theme: &Theme,
    frame: &Frame,
    depths: &Depths,
) -> Drawn<B> {
    area.fill(&theme.background)?;
    let pen = Pen::new(area, scale, theme);
    grid(&pen, frame, depths)?;
    bound(&pen, frame, depths)?;
    let x = frame.x(depths.chosen);
    pen.line(&[(x, TOP - 12.0), (x, frame.bottom())], theme.accent, 1.0)?;
    let dashes = [(6.0, 0.0), (5.0, 3.0), (2.0, 3.0), (8.0, 3.0)];
    for (curve, dash) in depths.curves.iter().zip(dashes.into_iter().cycle()) {
        draw_curve(&pen, frame, curve, dash)?;
    }
    labels(&pen, frame, depths)?;
    chosen(&pen, frame, depths)
}

fn grid<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, depths: &Depths) -> Drawn<B> {
    let mut free = f64::INFINITY;
    for tick in frame.ticks() {
        let at = frame.y(tick);
        pen.line(&[(LEFT, at), (frame.width - RIGHT, at)], pen.theme.hairline, 1.0)?;
        if at < free - 14.0 {
            let digits = format!("{:.4}", tick * 100.0);
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            pen.text(&format!("{digits} %"), (LEFT - 8.0, at), Side::Left, pen.note())?;
            free = at;
        }
    }
    for (i, depth) in depths.depths.iter().enumerate() {
        let label = if *depth == Depth::Unlimited { "∞".to_owned() } else { depth.to_string() };
        let look = pen.note();
        let look = if i == depths.chosen { look.bold().in_colour(pen.theme.accent) } else { look };
        pen.text(&label, (frame.x(i), frame.bottom() + 14.0), Side::Middle, look)?;
    }
    let words = "sequences per row at most (depth)";
    pen.text(words, (LEFT, frame.bottom() + 32.0), Side::Right, pen.note())
}

/// Hatching just above the bound: no plan gets there.
fn bound<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, depths: &Depths) -> Drawn<B> {
    let points = points(frame, &depths.bound);
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let steps = ((x1 - x0).hypot(y1 - y0) / 5.0).ceil().max(1.0);
        for i in 0..steps as u32 {
            let part = f64::from(i) / steps;
            let (x, y) = (x0 + (x1 - x0) * part, y0 + (y1 - y0) * part);
            pen.line(&[(x, y - 1.0), (x + 4.0, y - 6.0)], pen.theme.second, 1.0)?;
        }
    }
    if points.len() > 1 { pen.line(&points, pen.theme.second, 1.0) } else { Ok(()) }
}

fn points(frame: &Frame, efficiency: &[Option<f64>]) -> Vec<(f64, f64)> {
    efficiency.iter().enumerate().filter_map(|(i, e)| Some((frame.x(i), frame.y((*e)?)))).collect()
}

fn draw_curve<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, curve: &Curve, dash: (f64, f64)) -> Drawn<B> {
    let points = points(frame, &curve.efficiency);
    if curve.chosen {
        pen.line(&points, pen.theme.accent, 2.0)?;
        return points.iter().try_for_each(|&(x, y)| pen.dot(x, y, 2.5, pen.theme.accent));
    }
    if dash.1 == 0.0 {
        pen.line(&points, pen.theme.ink, 1.3)
    } else {
        pen.dashed(&points, pen.theme.ink, 1.3, dash)
    }
}

/// Names at the right ends, moved apart; curves that end together share a line.
fn labels<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, depths: &Depths) -> Drawn<B> {
    let ends = depths
        .curves
        .iter()
        .filter_map(|c| Some((frame.y((*c.efficiency.last()?)?), c.name.clone(), c.chosen)));
    let bound =
        depths.bound.last().copied().flatten().map(|e| (frame.y(e) - 5.0, "no plan".to_owned(), false));
    let mut ends: Vec<_> = ends.chain(bound).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = 0.0;
    for (end, name, chosen) in ends {
        let at = end.max(free);
        free = at + 15.0;
        let look = pen.note();
        let look = if chosen { look.bold().in_colour(pen.theme.accent) } else { look };
        pen.text(&name, (frame.width - RIGHT + 6.0, at), Side::Right, look)?;
    }
    Ok(())
}

/// The chosen algorithm at the chosen depth, said in words.
fn chosen<B: DrawingBackend>(pen: &Pen<B>, frame: &Frame, depths: &Depths) -> Drawn<B> {
    let curve = depths.curves.iter().find(|c| c.chosen);
    let Some(efficiency) = curve.and_then(|c| c.efficiency.get(depths.chosen).copied().flatten()) else {
        return Ok(());
    };
    let x = frame.x(depths.chosen);
    pen.dot(x, frame.y(efficiency), 4.5, pen.theme.accent)?;
    let words = match depths.depths.get(depths.chosen) {
        Some(Depth::AtMost(d)) => format!("{} at depth {d}", percent(efficiency)),
        _ => format!("{} at any depth", percent(efficiency)),
    };
    let half = text_width(&words, 12.0) / 2.0 + 6.0;
    let at = x.clamp(half, (frame.width - half).max(half));
    pen.text(&words, (at, TOP - 20.0), Side::Middle, pen.note().bold().in_colour(pen.theme.accent))
}
