//! The caps as lines, and the lengths of the data below them.

use super::{Input, Layout};
use crate::chart::histogram::bins;
use crate::chart::theme::mix;
use crate::chart::{Area, Frame, Point, Scene};

/// Thickness of the lines: what is in force, HWCap, the others.
const THICK: [f64; 3] = [3.0, 1.5, 1.0];
const DASHES: [f64; 2] = [6.0, 4.0];
const DOTS: [f64; 2] = [2.0, 3.0];

/// A step line: for each column of pixels the batch of its longest length.
fn steps(layout: &Layout, size: impl Fn(u32) -> u64) -> Vec<Point> {
    let plot = layout.plot;
    let mut line: Vec<Point> = vec![];
    let (mut from, mut last) = (plot.left, None);
    let columns = plot.width().ceil().max(1.0) as u32;
    for column in 0..=columns {
        let x = (plot.left + f64::from(column)).min(plot.right);
        let size = size(layout.at(x.max(plot.left + 1e-6)));
        if last != Some(size) {
            if let Some(before) = last {
                let y = layout.sizes.y(before as f64);
                line.extend([(from, y), (edge(layout, x), y)]);
                from = edge(layout, x);
            }
            last = Some(size);
        }
    }
    let y = layout.sizes.y(last.unwrap_or(1) as f64);
    line.extend([(from, y), (plot.right, y)]);
    line
}

/// Where the length of a column of pixels begins.
fn edge(layout: &Layout, x: f64) -> f64 {
    layout.x(layout.at(x) - 1).max(x - 1.0)
}

/// All lines, the one in force last.
pub(super) fn draw(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    if let Some(table) = input.published {
        let line = steps(layout, |length| u64::from(table.at(length)));
        scene.dashed(&line, &DASHES, THICK[2], theme.second_ink);
    }
    for (k, (_, cap)) in input.caps.iter().enumerate() {
        if k != input.chosen && layout.sizes.holds(*cap as f64) {
            let y = layout.sizes.y(*cap as f64);
            let right = meets(input, layout, *cap);
            scene.rule((layout.plot.left, y - 0.5), (right, y - 0.5), THICK[2], light(frame));
        }
    }
    if layout.sizes.holds(input.batch as f64) {
        let y = layout.sizes.y(input.batch as f64);
        scene.dashed(&[(layout.plot.left, y), (layout.plot.right, y)], &DOTS, 1.5, theme.second_ink);
    }
    scene.path(steps(layout, |length| u64::from(input.hwcap.at(length))), THICK[1], theme.ink);
    if !input.caps.is_empty() {
        scene.path(steps(layout, |length| input.in_force(length)), THICK[0], theme.accent);
    }
}

/// The accent of epochs that are not chosen.
pub(super) fn light(frame: &Frame) -> crate::chart::Rgb {
    mix(frame.theme.accent, frame.theme.background, 0.55)
}

/// Where HWCap falls below a cap.
pub(super) fn meets(input: &Input, layout: &Layout, cap: u64) -> f64 {
    let (mut low, mut high) = (0, input.limit);
    while low < high {
        let middle = low + (high - low) / 2;
        if u64::from(input.hwcap.at(middle + 1)) < cap {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    layout.x(low)
}

/// How many sequences there are of each length, small and pale; returns the bars.
pub(super) fn data(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) -> Vec<Area> {
    let area = layout.data;
    let limit = input.limit.max(1);
    let width = bins::width(input.lengths, limit, area.width());
    let bars = bins::count(input.lengths, limit, width);
    let most = tallest(bars.iter().map(|bar| bar.count).collect()).max(1) as f64;
    let draw = |bar: bins::Bin| {
        let (left, right) = (layout.x(bar.from - 1), layout.x(bar.to));
        let height = (area.height() * (bar.count as f64 / most).min(1.0)).max(1.0);
        let colour = frame.theme.length_colour(bar.from + (bar.to - bar.from) / 2, limit);
        let gap = if right - left >= 4.0 { 1.0 } else { 0.0 };
        let bar = Area { left, top: area.bottom - height, right: right - gap, bottom: area.bottom };
        scene.rect(bar, mix(colour, frame.theme.background, 0.6));
        bar
    };
    bars.into_iter().map(draw).collect()
}

/// The count that has the full height: not that of a single bar that towers over all others, such as that of the limit.
fn tallest(mut counts: Vec<u64>) -> u64 {
    counts.sort_unstable_by(|a, b| b.cmp(a));
    match counts.as_slice() {
        [first, second, ..] if first / 3 > *second => *second,
        counts => counts.first().copied().unwrap_or(0),
    }
}

/// The middle of the length under the pointer, with a line there.
pub(super) fn hover(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    if let Some((x, _)) = pointed(input, layout) {
        let (top, bottom) = (layout.plot.top, layout.data.bottom);
        scene.rule((x - 0.5, top), (x - 0.5, bottom), 1.0, frame.theme.second_ink);
    }
}

/// Where that line meets what counts.
pub(super) fn hover_dots(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some((x, length)) = pointed(input, layout) else { return };
    let mut sizes = vec![(u64::from(input.hwcap.at(length)), frame.theme.ink)];
    if !input.caps.is_empty() {
        sizes.push((input.in_force(length), frame.theme.accent));
    }
    for (size, colour) in sizes {
        let at = (x, layout.sizes.y(size as f64));
        scene.disc(at, 5.5, frame.theme.background);
        scene.disc(at, 4.0, colour);
    }
}

fn pointed(input: &Input, layout: &Layout) -> Option<(f64, u32)> {
    let length = input.hover.filter(|length| (1..=input.limit).contains(length))?;
    Some((f64::midpoint(layout.x(length - 1), layout.x(length)), length))
}

/// Rectangles that a step line is in.
pub(super) fn covered(layout: &Layout, size: impl Fn(u32) -> u64) -> Vec<Area> {
    let around = |pair: &[Point]| {
        let ((a, b), (c, d)) = (pair[0], pair[1]);
        Area { left: a.min(c), top: b.min(d), right: a.max(c), bottom: b.max(d) }.grown(1.0)
    };
    steps(layout, size).windows(2).map(around).collect()
}
