//! The map itself: cells of a grid, or dots, a few of them joined in the order they were tried.

use super::{Input, Layout, Place};
use crate::chart::{Area, Frame, Scene, viridis};

/// A plane of limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Where it is.
    pub area: Area,
    /// Whether there is a cell for each pair of limits.
    pub grid: bool,
    /// Edges of the cells per component, or the two ends of each axis, in sizes; ascending.
    pub(super) edges: [Vec<f64>; 2],
    limits: [Vec<u32>; 2],
}

impl Field {
    pub(super) fn new(input: &Input, area: Area) -> Self {
        let edges =
            std::array::from_fn(|k| if input.grid { cell_edges(input.axes[k]) } else { ends(input.axes[k]) });
        Self { area, grid: input.grid, edges, limits: input.axes.map(<[u32]>::to_vec) }
    }

    /// From the left and from below, in [0, 1] if it is inside.
    fn share(&self, component: usize, value: f64) -> f64 {
        let [first, last] = self.span(component);
        (value - first) / (last - first)
    }

    /// The ends of an axis.
    pub(super) fn span(&self, component: usize) -> [f64; 2] {
        let edges = &self.edges[component];
        [edges.first().copied().unwrap_or(0.0), edges.last().copied().unwrap_or(1.0)]
    }

    /// Where limits are.
    pub fn point(&self, limits: [u32; 2]) -> Place {
        self.place(limits.map(f64::from))
    }

    pub(super) fn place(&self, values: [f64; 2]) -> Place {
        let Area { left, bottom, .. } = self.area;
        let x = left + self.share(0, values[0]) * self.area.width();
        (x, bottom - self.share(1, values[1]) * self.area.height())
    }

    /// The cell at a place.
    pub(super) fn cell_at(&self, x: f64, y: f64) -> Option<[u32; 2]> {
        let across = (x - self.area.left) / self.area.width().max(1.0);
        let up = (self.area.bottom - y) / self.area.height().max(1.0);
        let at = |k: usize, share: f64| {
            let [first, last] = self.span(k);
            let edge = self.edges[k].partition_point(|e| *e <= first + share * (last - first));
            self.limits[k].get(edge.saturating_sub(1)).copied()
        };
        if self.area.contains(x, y) { Some([at(0, across)?, at(1, up)?]) } else { None }
    }

    /// The cell of limits that were tried; `None` for others.
    pub(super) fn cell(&self, limits: [u32; 2]) -> Option<Area> {
        let index = |k: usize| self.limits[k].binary_search(&limits[k]).ok();
        let [i, j] = [index(0)?, index(1)?];
        let edge = |k: usize, i: usize| self.edges[k].get(i).copied();
        let (left, bottom) = self.place([edge(0, i)?, edge(1, j)?]);
        let (right, top) = self.place([edge(0, i + 1)?, edge(1, j + 1)?]);
        Some(Area { left, top, right, bottom })
    }
}

/// Half-way between neighbours, and as far beyond the first and the last.
fn cell_edges(limits: &[u32]) -> Vec<f64> {
    let [Some(first), Some(last)] = [limits.first(), limits.last()].map(|l| l.map(|l| f64::from(*l))) else {
        return vec![0.0, 1.0];
    };
    let mut edges: Vec<f64> =
        limits.windows(2).map(|w| f64::midpoint(f64::from(w[0]), f64::from(w[1]))).collect();
    let [low, high] = [edges.first(), edges.last()].map(|edge| edge.copied());
    edges.insert(0, low.map_or(first - 0.5, |edge| first - (edge - first)));
    edges.push(high.map_or(last + 0.5, |edge| last + (last - edge)));
    edges
}

/// A little beyond the first and the last.
fn ends(limits: &[u32]) -> Vec<f64> {
    let [Some(first), Some(last)] = [limits.first(), limits.last()].map(|l| l.map(|l| f64::from(*l))) else {
        return vec![0.0, 1.0];
    };
    let more = ((last - first) * 0.06).max(0.02 * last).max(1.0);
    vec![(first - more).max(0.0), last + more]
}

pub(super) fn draw(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    if input.grid { cells(scene, input, layout, frame) } else { dots(scene, input, layout, frame) }
}

/// What is computed in its colour, on an empty grid.
fn cells(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (field, hairline) = (&layout.field, frame.theme.hairline);
    let area = field.area;
    if input.points.len() < input.axes[0].len() * input.axes[1].len() {
        for edge in &field.edges[0] {
            let x = field.place([*edge, 0.0]).0;
            scene.rule((x, area.top), (x, area.bottom), 1.0, hairline);
        }
        for edge in &field.edges[1] {
            let y = field.place([0.0, *edge]).1;
            scene.rule((area.left, y), (area.right, y), 1.0, hairline);
        }
    }
    let Some(range) = layout.range else { return };
    for point in input.points {
        if let Some(cell) = field.cell(point.limits) {
            scene.rect(cell, viridis(range.share(point.harmonic)));
        }
    }
}

/// More dots than this would be a tangle.
const JOINED: usize = 40;

/// Dots on the page; a few are joined in the order they were tried.
fn dots(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (field, theme) = (&layout.field, frame.theme);
    scene.outline(field.area, 1.0, theme.hairline);
    let places: Vec<Place> = input.points.iter().map(|point| field.point(point.limits)).collect();
    let radius = if places.len() > 400 { 2.5 } else { 4.0 };
    if (2..=JOINED).contains(&places.len()) {
        scene.path(places.clone(), 1.0, theme.control);
    }
    let Some(range) = layout.range else { return };
    for (at, point) in places.into_iter().zip(input.points) {
        scene.disc(at, radius + 1.0, theme.second_ink);
        scene.disc(at, radius, viridis(range.share(point.harmonic)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_meet_half_way() {
        assert_eq!(cell_edges(&[10, 20, 40]), [5.0, 15.0, 30.0, 50.0]);
        assert_eq!(cell_edges(&[7]), [6.5, 7.5]);
        assert_eq!(cell_edges(&[]), [0.0, 1.0]);
        assert_eq!(ends(&[100, 200]), [94.0, 206.0]);
        assert_eq!(ends(&[5]), [4.0, 6.0]);
    }
}
