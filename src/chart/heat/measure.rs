//! How much room each part gets.

use super::grid::step;
use super::{Input, LINE, Layout, Map, Margin, inset, labels};
use crate::chart::{Area, Frame, axes};

/// Narrower drawings have no distribution at the right.
const NARROW: f64 = 520.0;
/// Least pixels of a cell.
const CELL: f64 = 3.0;
/// Between the distribution above and the map: the name of the axis, the words of the corner.
const BETWEEN: f64 = 24.0;
/// Below the axis: the colours with their labels.
pub(super) const COLOURS: f64 = 36.0;

pub(super) fn layout(input: &Input, frame: &Frame) -> Layout {
    let largest = input.largest();
    let wished = input.ends.unwrap_or(input.limits);
    let reach = |k: usize| largest[k].max(wished[k]);
    let ends: [f64; 2] = std::array::from_fn(|k| f64::from(reach(k)) * 1.05);
    let (area, above, right) = areas(input, ends, frame);
    let steps: [u32; 2] = std::array::from_fn(|k| step(input.entries, k, ends[k]));
    let map = Map::new(input.entries, steps, area, ends, CELL);
    let margin = |k, pixels| Margin::new(input.entries, k, steps[k], ends[k], pixels);
    let margins = [margin(0, area.width()), margin(1, area.height())];
    let inset = inset::place(input, steps, &map, largest, &margins);
    let corner = corner(input, &map);
    Layout { map, inset, corner, largest, margins, above, right }
}

/// The corner of the limits, kept on the map.
fn corner(input: &Input, map: &Map) -> (f64, f64) {
    let (x, y) = map.point(input.limits.map(f64::from));
    (x.min(map.area.right), y.max(map.area.top))
}

/// The map, the distribution above, and the one at the right.
fn areas(input: &Input, ends: [f64; 2], frame: &Frame) -> (Area, Area, Option<Area>) {
    let wide = frame.width >= NARROW;
    let (words, high) = if wide { (LINE, 46.0) } else { (2.0 * LINE, 30.0) };
    let top = (words + high + BETWEEN).min(frame.height * 0.45);
    let bottom = (frame.height - axes::BELOW - COLOURS).max(top + 4.0);
    let ticks = labels::ticks(ends[1], bottom - top, labels::UP);
    let names: Vec<String> = ticks.into_iter().map(axes::label).collect();
    let left = axes::margin(names.iter().map(String::as_str)).min(frame.width / 2.0);
    let column = if wide { labels::column(input) } else { 12.0 };
    let right = (frame.width - column).max(left + 4.0);
    let area = Area { left, top, right, bottom };
    let above = Area { top: top.min(words), bottom: (top - BETWEEN).max(0.0), ..area };
    let beside = Area { left: right + 14.0, right: (right + 70.0).min(frame.width), ..area };
    (area, above, wide.then_some(beside))
}
