//! The map itself: cells of a grid, or dots; a few dots are joined in the order in which they were tried.

use super::{Input, Layout};
use crate::{Area, Pen, Point as Place, ValueAxis, viridis};
use packscope::sweep::spacing;

/// A plane of limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The area of the plane.
    pub area: Area,
    /// Whether there is a cell for each pair of limits.
    pub grid: bool,
    /// Edges of the cells per component, or the two ends of each axis, in sizes; ascending.
    pub(super) edges: [Vec<f64>; 2],
    limits: [Vec<u32>; 2],
    pub(super) axes: [ValueAxis; 2],
}

impl Field {
    pub(super) fn new(input: &Input, area: Area) -> Self {
        let edges: [Vec<f64>; 2] = std::array::from_fn(|k| {
            if input.grid {
                cell_edges(&input.axes[k])
            } else {
                ends(&input.axes[k])
            }
        });
        let span = |edges: &Vec<f64>| {
            [
                edges.first().copied().unwrap_or(0.0),
                edges.last().copied().unwrap_or(1.0),
            ]
        };
        let axes = ValueAxis::both(area, [span(&edges[0]), span(&edges[1])]);
        Self {
            area,
            grid: input.grid,
            edges,
            limits: input.axes.clone(),
            axes,
        }
    }

    /// Returns the place of a pair of limits.
    pub fn point(&self, limits: [u32; 2]) -> Place {
        self.place(limits.map(f64::from))
    }

    fn place(&self, [x, y]: [f64; 2]) -> Place {
        (self.axes[0].beyond(x), self.axes[1].beyond(y))
    }

    /// Returns the cell at a place.
    pub(super) fn cell_at(&self, x: f64, y: f64) -> Option<[u32; 2]> {
        let at = |k: usize, place: f64| {
            let value = self.axes[k].value(place);
            let edge = self.edges[k].partition_point(|edge| *edge <= value);
            self.limits[k].get(edge.saturating_sub(1)).copied()
        };
        if self.area.contains(x, y) {
            Some([at(0, x)?, at(1, y)?])
        } else {
            None
        }
    }

    /// Returns the cell of limits that were tried; `None` for others.
    pub(super) fn cell(&self, limits: [u32; 2]) -> Option<Area> {
        self.cells(self.index(limits)?, 1)
    }

    fn index(&self, limits: [u32; 2]) -> Option<[usize; 2]> {
        // The limits of an axis ascend, as the search needs.
        let index = |k: usize| self.limits[k].binary_search(&limits[k]).ok();
        Some([index(0)?, index(1)?])
    }

    /// Returns the area of `many` cells to the right and upwards, this one the first; fewer at the
    /// edges.
    fn cells(&self, [i, j]: [usize; 2], many: usize) -> Option<Area> {
        // A cell has one edge more than it has a limit; beyond the last one all cells end there.
        let edge = |k: usize, i: usize| self.edges[k].get(i.min(self.limits[k].len())).copied();
        let (left, bottom) = self.place([edge(0, i)?, edge(1, j)?]);
        let (right, top) = self.place([edge(0, i + many)?, edge(1, j + many)?]);
        Some(Area {
            left,
            top,
            right,
            bottom,
        })
    }
}

/// Returns edges half-way between neighbours, and as far beyond the first and the last; half a size from a single one.
fn cell_edges(limits: &[u32]) -> Vec<f64> {
    let Some([first, last]) = first_and_last(limits) else {
        return vec![0.0, 1.0];
    };
    let mut edges: Vec<f64> = limits
        .windows(2)
        .map(|w| f64::midpoint(f64::from(w[0]), f64::from(w[1])))
        .collect();
    let [low, high] = [edges.first(), edges.last()].map(|edge| edge.copied());
    edges.insert(0, low.map_or(first - 0.5, |edge| first - (edge - first)));
    edges.push(high.map_or(last + 0.5, |edge| last + (last - edge)));
    edges
}

/// Returns ends a little beyond the first and the last.
fn ends(limits: &[u32]) -> Vec<f64> {
    let Some([first, last]) = first_and_last(limits) else {
        return vec![0.0, 1.0];
    };
    let more = ((last - first) * 0.06).max(0.02 * last).max(1.0);
    vec![(first - more).max(0.0), last + more]
}

fn first_and_last(limits: &[u32]) -> Option<[f64; 2]> {
    Some([f64::from(*limits.first()?), f64::from(*limits.last()?)])
}

pub(super) fn draw(pen: &mut Pen, input: &Input, layout: &Layout) {
    if input.grid {
        cells(pen, input, layout)
    } else {
        dots(pen, input, layout)
    }
}

/// Draws the known cells in the colours of their efficiencies, on an empty grid. Until all are known, a point stands for
/// the cells up to those that were tried with it: the map is coarse at first.
fn cells(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (field, hairline) = (&layout.field, pen.theme.hairline);
    let area = field.area;
    let partial = input.points.len() < input.axes[0].len() * input.axes[1].len();
    if partial {
        for edge in &field.edges[0] {
            let x = field.axes[0].beyond(*edge);
            pen.rule((x, area.top), (x, area.bottom), 1.0, hairline);
        }
        for edge in &field.edges[1] {
            let y = field.axes[1].beyond(*edge);
            pen.rule((area.left, y), (area.right, y), 1.0, hairline);
        }
    }
    let Some(range) = layout.range else { return };
    let known = input.points.iter().filter_map(|point| {
        let at = field.index(point.limits)?;
        let many = if partial {
            spacing(at.map(|index| index as u32))
        } else {
            1
        };
        Some((many, at, point.harmonic))
    });
    let mut known: Vec<(u32, [usize; 2], f64)> = known.collect();
    // Finer cells lie over coarser ones.
    known.sort_by_key(|(many, ..)| std::cmp::Reverse(*many));
    for (many, at, harmonic) in known {
        if let Some(cell) = field.cells(at, many as usize) {
            pen.rect(cell, viridis(range.share(harmonic)));
        }
    }
}

/// Maximum number of dots that are joined; more would be a tangle.
const JOINED: usize = 40;

/// Draws dots; a few of them are joined in the order in which they were tried.
fn dots(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (field, theme) = (&layout.field, pen.theme);
    pen.outline(field.area, 1.0, theme.hairline);
    let places: Vec<Place> = input
        .points
        .iter()
        .map(|point| field.point(point.limits))
        .collect();
    let radius = if places.len() > 400 { 2.5 } else { 4.0 };
    if (2..=JOINED).contains(&places.len()) {
        pen.path(places.clone(), 1.0, theme.control);
    }
    let Some(range) = layout.range else { return };
    for (at, point) in places.into_iter().zip(&*input.points) {
        // A rim, since the ends of viridis are hardly seen on the light or on the dark page.
        pen.disc(at, radius + 1.0, theme.second_ink);
        pen.disc(at, radius, viridis(range.share(point.harmonic)));
    }
}
