//! The grid of the map: the sizes that share a cell.

use super::Entry;
use crate::{Area, Point, ValueAxis, axis};

/// One cell of the map that holds items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The smallest size of each component in the cell.
    pub from: [u32; 2],
    /// The largest size of each component in the cell.
    pub to: [u32; 2],
    /// The items in the cell.
    pub count: u64,
}

/// Maximum number of cells; beyond it cells are made larger.
const MOST: usize = 5000;
/// Marks a place of the grid without items.
const NONE: u32 = u32::MAX;

/// A plane of sizes, both from 0, divided into cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// The area of the plane.
    pub area: Area,
    /// The sizes at its right edge and at its upper edge.
    pub ends: [f64; 2],
    /// Sizes in one cell. Cell i holds those above i × bin, up to (i + 1) × bin, so that a size equal to a limit is
    /// within it. Size 0 is in the first cell.
    pub bin: [u32; 2],
    /// The cells that hold items.
    pub cells: Vec<Cell>,
    columns: [usize; 2],
    slots: Vec<u32>,
    pub(super) axes: [ValueAxis; 2],
}

impl Map {
    /// Creates cells of at least `least` pixels in each direction that hold whole `steps` of the sizes; larger ones if
    /// there would be too many. Items beyond the ends are left out. O(entries + cells).
    pub(super) fn new(
        entries: &[Entry],
        steps: [u32; 2],
        area: Area,
        ends: [f64; 2],
        least: f64,
    ) -> Self {
        let sides = [area.width(), area.height()];
        let bin = std::array::from_fn(|k| bin(steps[k], sides[k].max(1.0) / ends[k], least));
        let columns =
            std::array::from_fn(|k| ((ends[k] / f64::from(bin[k])).ceil() as usize).max(1));
        // One number for every place of the plane, also the empty ones: a pointer finds its cell in
        // O(1).
        let slots = vec![NONE; columns[0] * columns[1]];
        let axes = ValueAxis::both(area, ends.map(|end| [0.0, end]));
        let mut map = Self {
            area,
            ends,
            bin,
            cells: vec![],
            columns,
            slots,
            axes,
        };
        for (size, count) in entries.iter().filter(|(_, count)| *count > 0) {
            if let Some(slot) = map.slot(*size) {
                map.add(slot, *size, *count);
            }
        }
        // Cells grow by half at each try, so that a dozen tries reach 100 pixels, where cells are
        // few.
        let many = map.cells.len() > MOST && least <= 100.0;
        if many {
            Self::new(entries, steps, area, ends, least * 1.5)
        } else {
            map
        }
    }

    fn add(&mut self, slot: usize, size: [u32; 2], count: u64) {
        // `NONE` is beyond the end of every list: a place without items finds no cell, and gets
        // one.
        if let Some(cell) = self.cells.get_mut(self.slots[slot] as usize) {
            // The sizes that occur, not those that the cell could hold: words name the former.
            cell.from = std::array::from_fn(|k| cell.from[k].min(size[k]));
            cell.to = std::array::from_fn(|k| cell.to[k].max(size[k]));
            cell.count = cell.count.saturating_add(count);
        } else {
            self.slots[slot] = self.cells.len() as u32;
            self.cells.push(Cell {
                from: size,
                to: size,
                count,
            });
        }
    }

    /// Returns column and row of a size.
    fn index(&self, size: [u32; 2]) -> [usize; 2] {
        std::array::from_fn(|k| (size[k].saturating_sub(1) / self.bin[k]) as usize)
    }

    fn slot(&self, size: [u32; 2]) -> Option<usize> {
        let [column, row] = self.index(size);
        let inside = column < self.columns[0] && row < self.columns[1];
        inside.then_some(row * self.columns[0] + column)
    }

    /// Returns the cell of a size; `None` if it has no items.
    pub fn cell_of(&self, size: [u32; 2]) -> Option<Cell> {
        self.cells
            .get(*self.slots.get(self.slot(size)?)? as usize)
            .copied()
    }

    /// Returns the cell at a place; `None` if it has no items.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<Cell> {
        let values = self.values(x, y);
        let within = self.area.contains(x, y) && values.iter().all(|v| *v >= 0.0);
        // The upper edge of a cell belongs to it.
        within
            .then(|| self.cell_of(values.map(|v| v.ceil() as u32)))
            .flatten()
    }

    /// Returns the place of a pair of sizes.
    pub fn point(&self, [x, y]: [f64; 2]) -> Point {
        (self.axes[0].beyond(x), self.axes[1].beyond(y))
    }

    /// Returns the sizes at a place, also outside the plane.
    pub fn values(&self, x: f64, y: f64) -> [f64; 2] {
        [self.axes[0].value(x), self.axes[1].value(y)]
    }

    /// Returns the area of the cell of a size, clipped at the edges.
    pub fn cell_area(&self, size: [u32; 2]) -> Area {
        let index = self.index(size);
        let edge = |k: usize, i: usize| (i as f64 * f64::from(self.bin[k])).min(self.ends[k]);
        let (left, bottom) = self.point([edge(0, index[0]), edge(1, index[1])]);
        let (right, top) = self.point([edge(0, index[0] + 1), edge(1, index[1] + 1)]);
        Area {
            left,
            top,
            right,
            bottom,
        }
    }

    /// Returns the most items in a cell.
    pub fn most_items(&self) -> u64 {
        self.cells.iter().map(|cell| cell.count).max().unwrap_or(0)
    }

    /// Whether no cell is in an area.
    pub(super) fn is_clear(&self, area: &Area) -> bool {
        !self
            .cells
            .iter()
            .any(|cell| self.cell_area(cell.from).meets(area))
    }
}

/// Returns the smallest round multiple of a step that takes up at least `least` pixels.
fn bin(step: u32, pixels_each: f64, least: f64) -> u32 {
    let times = axis::round_step((least / (pixels_each * f64::from(step))).max(1.0));
    (times * f64::from(step)).min(f64::from(u32::MAX)) as u32
}

/// Returns the number of which (nearly) all sizes of a component are multiples, 2 for the edges of molecules: narrower
/// cells would show stripes. Returns 1 if cells would be coarse. O(entries).
pub(super) fn step(entries: &[Entry], component: usize, end: f64) -> u32 {
    let sizes = || {
        entries
            .iter()
            .map(|(size, count)| (size[component], *count))
    };
    // A single odd graph makes the common divisor 1, so that twice the divisor also counts where
    // nearly all sizes are multiples of it.
    let all = sizes().fold(0, |g, (size, _)| gcd(g, size)).max(1);
    let even = all.saturating_mul(2);
    let total = sizes().fold(0.0, |sum, (_, count)| sum + count as f64);
    let of_even = sizes().filter(|(size, _)| size.is_multiple_of(even));
    let nearly = of_even.fold(0.0, |sum, (_, count)| sum + count as f64) >= NEARLY * total;
    let step = if nearly { even } else { all };
    if f64::from(step) > end / 8.0 { 1 } else { step }
}

/// The share of the items that counts as nearly all.
const NEARLY: f64 = 0.95;

fn gcd(a: u32, b: u32) -> u32 {
    if a == 0 { b } else { gcd(b % a, a) }
}
