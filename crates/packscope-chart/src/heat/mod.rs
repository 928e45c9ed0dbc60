//! The number of items of each pair of sizes, with both limits as a corner to drag.

mod grid;
mod inset;
mod labels;
mod margin;
mod marks;

use super::{
    Area, BELOW, Chart, Frame, Grip, Pen, Point, Spot, Table, ValueAxis, axis, both_short,
    label_area, label_width, sizes_in_words,
};
pub use grid::{Cell, Map};
use margin::Margin;
use packscope::words::{self, capital, count};
use std::rc::Rc;

/// Height of a line of words.
const LINE: f64 = 17.0;

/// A pair of sizes and its number of items.
type Entry = ([u32; 2], u64);

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// (sizes, items), in any order.
    pub entries: Rc<[Entry]>,
    /// The limits.
    pub limits: [u32; 2],
    /// Minimum sizes at the ends of the axes, which keep them in place while a limit is dragged; else the largest size
    /// or the limit, whichever is larger. The axes are a twentieth longer.
    pub ends: Option<[u32; 2]>,
    /// The nouns for the two components: "nodes", "edges".
    pub names: [String; 2],
    /// The noun for the items: "graphs".
    pub items: &'static str,
    /// The average item.
    pub mean: [f64; 2],
    /// Whether colours have equal factors instead of equal differences.
    pub log: bool,
    /// Limits with a name, such as those that hold 99 % of the items: they can be pressed, and the corner snaps to them.
    pub marks: Vec<(&'static str, [u32; 2])>,
}

/// Number of ranges of each size in the table.
const RANGES: usize = 4;

/// A spot is a size in the cell under the pointer, such as [`Cell::from`], or both limits while they are dragged.
impl Chart for Input {
    /// Takes O(entries + pixels) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        ground(pen, self, &layout);
        labels::axes(pen, self, &layout);
        labels::margins(pen, self, &layout);
        cells(pen, self, &layout.map);
        if let Some(average) = average_area(self, &layout.map) {
            pen.outline(average, 1.5, pen.theme.accent);
        }
        labels::grey(pen, self, &layout);
        lines(pen, &layout);
        inset::draw(pen, self, &layout);
        labels::colours(pen, self, &layout);
        marks::draw(pen, self, &layout);
        handle(pen, self, &layout);
        labels::hover(pen, self, &layout);
        marks::names(pen, self, &layout);
    }

    fn summary(&self) -> String {
        let [first, second] = &self.names;
        let [mean, largest] = [
            self.mean.map(words::mean),
            self.largest().map(|size| words::count(u64::from(size))),
        ];
        format!(
            "Heat map of {} {} by {first} and {second}. On average {} {first} and {} {second}, at most {} and {}. \
             The limits are {}.",
            words::count(self.total()),
            self.items,
            mean[0],
            mean[1],
            largest[0],
            largest[1],
            sizes_in_words(self.limits, &self.names),
        )
    }

    fn table(&self) -> Option<Table> {
        let [first, second] = &self.names;
        let part = self.largest().map(|most| most.div_ceil(RANGES as u32));
        let range = |k: usize, i: usize| {
            let [from, to] = [i, i + 1].map(|i| i as u64 * u64::from(part[k]));
            format!("{} to {to}", from + u64::from(i > 0))
        };
        // A part is rounded up, so that the largest size falls into the last range; 0 is in the
        // first.
        let mut cells = [[0; RANGES]; RANGES];
        for (size, items) in &*self.entries {
            let at: [usize; 2] =
                std::array::from_fn(|k| (size[k].saturating_sub(1) / part[k]) as usize);
            cells[at[0]][at[1]] += items;
        }
        let columns = (0..RANGES).map(|i| format!("{} {second}", range(1, i)));
        let row = |i: usize| {
            std::iter::once(range(0, i))
                .chain(cells[i].map(count))
                .collect()
        };
        let caption = format!("{} by {first} and {second}", capital(self.items));
        Some(Table::new(
            caption,
            std::iter::once(first.clone()).chain(columns),
            (0..RANGES).map(row),
        ))
    }

    /// Returns the limits of the mark at a place.
    fn hit(&self, at: Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        // At the corner a press drags it, also where a mark is near.
        let is_corner = layout.near_corner(at.0, at.1) == Some(Corner::Both);
        marks::near(self, &layout, at, REACH).filter(|_| !is_corner)
    }

    fn grip(&self, (x, y): Point, frame: &Frame) -> Option<Grip> {
        let layout = layout(self, frame);
        let corner = layout.near_corner(x, y)?;
        let is_mark = corner != Corner::Both && marks::near(self, &layout, (x, y), REACH).is_some();
        (!is_mark).then_some(match corner {
            Corner::Both => [true, true],
            Corner::First => [true, false],
            Corner::Second => [false, true],
        })
    }

    fn drag(&self, (x, y): Point, frame: &Frame) -> Spot {
        let layout = layout(self, frame);
        marks::near(self, &layout, (x, y), SNAP).unwrap_or_else(|| layout.limits_at(x, y))
    }
}

impl Input {
    fn largest(&self) -> [u32; 2] {
        std::array::from_fn(|k| {
            self.entries
                .iter()
                .map(|(size, _)| size[k])
                .max()
                .unwrap_or(1)
                .max(1)
        })
    }

    fn total(&self) -> u64 {
        self.entries
            .iter()
            .fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }
}

/// A part that a pointer can drag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    /// The corner: both limits.
    Both,
    /// The line of the first limit.
    First,
    /// The line of the second limit.
    Second,
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The map, inside the axes.
    pub map: Map,
    /// The crowded corner, enlarged, if there is one and room for it.
    pub inset: Option<Map>,
    /// The centre of the corner's handle.
    pub corner: Point,
    largest: [u32; 2],
    margins: [Margin; 2],
    /// The areas of the distributions; the second only if there is room.
    above: Area,
    right: Option<Area>,
}

/// Maximum distance from a line at which a pointer grips it.
const REACH: f64 = 12.0;
/// Maximum distance from a mark at which the dragged corner snaps to it.
const SNAP: f64 = 5.0;

impl Layout {
    /// Returns the limits at a place, also outside the map: at least 1, at most twice the largest sizes.
    pub fn limits_at(&self, x: f64, y: f64) -> [u32; 2] {
        let values = self.map.values(x, y);
        // Where the sliders of the limits end as well.
        let most = |k: usize| f64::from(self.largest[k].saturating_mul(2));
        std::array::from_fn(|k| values[k].round().clamp(1.0, most(k)) as u32)
    }

    /// Returns the part that can be dragged from a place.
    pub fn near_corner(&self, x: f64, y: f64) -> Option<Corner> {
        let (dx, dy) = (x - self.corner.0, y - self.corner.1);
        let Area { left, bottom, .. } = self.map.area;
        // The lines of the limits run from the axes to the corner.
        let first = dx.abs() <= REACH && dy >= -REACH && y <= bottom + REACH;
        let second = dy.abs() <= REACH && dx <= REACH && x >= left - REACH;
        let hidden = self
            .inset
            .as_ref()
            .is_some_and(|inset| inset.area.contains(x, y));
        match (first, second) {
            (true, true) => Some(Corner::Both),
            // The inset covers the lines, but the handle is drawn over it.
            _ if hidden => None,
            (true, false) => Some(Corner::First),
            (false, true) => Some(Corner::Second),
            (false, false) => None,
        }
    }

    /// Returns the cell with items at a place, on the map or the inset.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<Cell> {
        let inset = self
            .inset
            .as_ref()
            .filter(|inset| inset.area.contains(x, y));
        inset.unwrap_or(&self.map).cell_at(x, y)
    }
}

/// Draws the cells, each in the colour of its count.
fn cells(pen: &mut Pen, input: &Input, map: &Map) {
    let most = map.most_items();
    for cell in &map.cells {
        pen.rect(
            map.cell_area(cell.from),
            pen.theme.heat(share(cell.count, most, input.log)),
        );
    }
}

/// Returns a count as a share of the largest, in [0, 1].
fn share(count: u64, most: u64, log: bool) -> f64 {
    match log {
        // Before the logarithms: that of 1 is 0, by which the next arm would divide.
        _ if count >= most => 1.0,
        true => (count as f64).ln().max(0.0) / (most as f64).ln(),
        false => count as f64 / most as f64,
    }
}

/// Drawings narrower than this have no distribution at the right.
const NARROW: f64 = 520.0;
/// Minimum size of a cell in pixels.
const CELL: f64 = 3.0;
/// Distance from the distribution above to the map, for the name of the axis and the words of the corner.
const BETWEEN: f64 = 24.0;
/// Height below the axis for the colours with their labels.
const COLOURS: f64 = 36.0;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let largest = input.largest();
    let wished = input.ends.unwrap_or(input.limits);
    // All items are on the map, however small the limits are.
    let reach = |k: usize| largest[k].max(wished[k]);
    let ends: [f64; 2] = std::array::from_fn(|k| f64::from(reach(k)) * 1.05);
    let (area, above, right) = areas(input, ends, frame);
    let steps: [u32; 2] = std::array::from_fn(|k| grid::step(&input.entries, k, ends[k]));
    let map = Map::new(&input.entries, steps, area, ends, CELL);
    let margin = |k, pixels| Margin::new(&input.entries, k, steps[k], ends[k], pixels);
    let margins = [margin(0, area.width()), margin(1, area.height())];
    let inset = inset::place(input, steps, &map, largest, &margins);
    // The corner is kept on the map.
    let (x, y) = map.point(input.limits.map(f64::from));
    let corner = (x.min(area.right), y.max(area.top));
    Layout {
        map,
        inset,
        corner,
        largest,
        margins,
        above,
        right,
    }
}

/// Returns the areas of the map, the distribution above, and the one at the right.
fn areas(input: &Input, ends: [f64; 2], frame: &Frame) -> (Area, Area, Option<Area>) {
    let wide = frame.width >= NARROW;
    let (words, high) = if wide {
        (LINE, 46.0)
    } else {
        (2.0 * LINE, 30.0)
    };
    let top = (words + high + BETWEEN).min(frame.height * 0.45);
    let area = frame.plot(top, BELOW + COLOURS, |plot| {
        let [_, up] = ValueAxis::both(plot, ends.map(|end| [0.0, end]));
        [
            axis::margin(&up.round_ticks(labels::UP)),
            if wide { labels::column(input) } else { 12.0 },
        ]
    });
    let above = Area {
        top: top.min(words),
        bottom: (top - BETWEEN).max(0.0),
        ..area
    };
    let beside = Area {
        left: area.right + 14.0,
        right: (area.right + 70.0).min(frame.width),
        ..area
    };
    (area, above, wide.then_some(beside))
}

/// Radius of the handle.
const HANDLE: f64 = 7.0;

/// Draws the slots that the average item leaves empty in grey; the item itself has the colour of the page.
fn ground(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (right, top) = layout.corner;
    pen.rect(
        Area {
            right,
            top,
            ..layout.map.area
        },
        pen.theme.padding_wash,
    );
    if let Some(average) = average_area(input, &layout.map) {
        pen.rect(average, pen.theme.background);
    }
}

/// Returns the area of the average item, from the origin.
fn average_area(input: &Input, map: &Map) -> Option<Area> {
    let known = input
        .mean
        .iter()
        .all(|mean| mean.is_finite() && *mean > 0.0);
    let (x, y) = map.point(input.mean);
    let Area {
        left,
        bottom,
        right,
        top,
    } = map.area;
    known.then(|| Area {
        left,
        top: y.max(top),
        right: x.min(right),
        bottom,
    })
}

fn mean_dot(pen: &mut Pen, input: &Input, map: &Map) {
    let Some(Area { right, top, .. }) = average_area(input, map) else {
        return;
    };
    // Where the area is clipped, its corner is not the average.
    if right < map.area.right - 4.0 && top > map.area.top + 4.0 {
        pen.dot((right, top), 3.0, pen.theme.accent);
    }
}

/// Draws the lines of both limits, from the axes to the corner.
fn lines(pen: &mut Pen, layout: &Layout) {
    let ((x, y), accent) = (layout.corner, pen.theme.accent);
    let Area { left, bottom, .. } = layout.map.area;
    pen.rule((x - 0.75, y), (x - 0.75, bottom + 5.0), 1.5, accent);
    pen.rule((left - 5.0, y - 0.75), (x, y - 0.75), 1.5, accent);
}

fn handle(pen: &mut Pen, input: &Input, layout: &Layout) {
    let ((x, y), theme) = (layout.corner, pen.theme);
    pen.disc((x, y), HANDLE + 2.0, theme.background);
    pen.disc((x, y), HANDLE, theme.accent);
    let named = input
        .marks
        .iter()
        .find(|(_, limits)| *limits == input.limits);
    let name = named.map_or_else(String::new, |(name, _)| format!(", {name}"));
    let (long, short) = (
        sizes_in_words(input.limits, &input.names) + &name,
        both_short(input.limits) + &name,
    );
    let (before, after) = (x - HANDLE - 6.0, x + HANDLE + 6.0);
    let left = |text: &str| before - label_width(text, true) >= layout.map.area.left + 2.0;
    let right = |text: &str| after + label_width(text, true) <= pen.frame.width;
    let (text, anchor) = match () {
        () if left(&long) => (long, 1),
        () if right(&long) => (long, -1),
        () if left(&short) => (short, 1),
        () => (short, -1),
    };
    let at = (if anchor > 0 { before } else { after }, y - 13.0);
    // There is no grey above the corner; the ground of the words hides cells.
    let ground = label_area(&text, at, anchor, true, 8.0);
    pen.rect(
        Area {
            left: ground.left - 2.0,
            right: ground.right + 2.0,
            ..ground
        },
        theme.background,
    );
    pen.label(text, at, anchor, theme.accent, true);
}
