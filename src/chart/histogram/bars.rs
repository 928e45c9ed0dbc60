//! The bars: filled with the colour of their length, outlined along the top.

use super::axes::Vertical;
use super::{Bin, Input, Layout};
use crate::chart::theme::mix;
use crate::chart::{Area, Frame, Mark, Point, Rgb, Scene};

/// A bar that is to be seen by itself is at least this wide.
const SEEN: f64 = 4.0;

pub(super) fn draw(scene: &mut Scene, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    fill(scene, input, vertical, layout, frame);
    outline(scene, input, vertical, layout, frame);
    for bin in layout.bins.iter().filter(|bin| vertical.is_cut(bin)) {
        tower(scene, bin, input, layout, frame);
    }
    for length in input.lit {
        if let Some(bin) = layout.bin_of(*length) {
            lit(scene, bin, input, vertical, layout, frame);
        }
    }
    if let Some(length) = input.hover {
        hover(scene, length, vertical, layout, frame);
    }
}

fn colour(bin: &Bin, input: &Input, frame: &Frame) -> Rgb {
    frame.theme.length_colour(bin.from + (bin.to - bin.from) / 2, input.limit)
}

/// What is beyond the limit has no colour of a length: it will not be trained on as it is.
fn pale(frame: &Frame) -> Rgb {
    mix(frame.theme.hairline, frame.theme.background, 0.7)
}

/// The bars that are not cut, one polygon for each run of a colour: no seams between neighbours. The part
/// beyond the limit is pale, so that no bar changes its height as the limit is dragged.
fn fill(scene: &mut Scene, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    let mut run: Option<(Rgb, Vec<Point>)> = None;
    let mut add = |colour: Rgb, left: f64, right: f64, top: f64| match &mut run {
        Some((same, points)) if *same == colour => points.extend(bar(left, right, top, layout)),
        _ => {
            let next = (colour, bar(left, right, top, layout).to_vec());
            scene.marks.extend(run.replace(next).map(|(colour, points)| Mark::Polygon(points, colour)));
        }
    };
    for bin in layout.bins.iter().filter(|bin| !vertical.is_cut(bin)) {
        let ((left, right), top) = (layout.sides(bin), vertical.y(bin.count));
        let limit = layout.edge(f64::from(input.limit) + 0.5).max(left).min(right);
        if bin.from <= input.limit {
            add(colour(bin, input, frame), left, limit, top);
        }
        if bin.to > input.limit {
            add(pale(frame), limit, right, top);
        }
    }
    scene.marks.extend(run.map(|(colour, points)| Mark::Polygon(points, colour)));
}

/// The corners of a bar, from the baseline to the baseline.
fn bar(left: f64, right: f64, top: f64, layout: &Layout) -> [Point; 4] {
    let bottom = layout.plot.bottom;
    [(left, bottom), (left, top), (right, top), (right, bottom)]
}

/// The outline along the tops, with its rises and falls; lighter beyond the limit.
fn outline(scene: &mut Scene, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    let bottom = layout.plot.bottom;
    let (mut x, mut y) = (layout.plot.left, bottom);
    for bin in layout.bins.iter().filter(|bin| !vertical.is_cut(bin)) {
        let ink = if bin.from > input.limit { frame.theme.control } else { frame.theme.ink };
        let ((left, right), top) = (layout.sides(bin), vertical.y(bin.count));
        if left - x > 0.01 {
            step(scene, x, y, bottom, ink);
            y = bottom;
        }
        step(scene, left, y, top, ink);
        scene.rule((left, top), (right, top), 1.0, ink);
        (x, y) = (right, top);
    }
    step(scene, x, y, bottom, frame.theme.ink);
}

fn step(scene: &mut Scene, x: f64, from: f64, to: f64, ink: Rgb) {
    if (from - to).abs() >= 0.5 {
        scene.rule((x, from.min(to)), (x, from.max(to) + 1.0), 1.0, ink);
    }
}

/// Where a bar is drawn that is to be seen by itself.
fn seen(bin: &Bin, least: f64, layout: &Layout) -> (f64, f64) {
    let (left, right) = layout.sides(bin);
    let wider = (least - (right - left)).max(0.0);
    // At the end of the axis it grows inwards, away from the limit's needle.
    let inwards = if bin.to >= layout.end { wider } else { wider / 2.0 };
    (left - inwards, right + wider - inwards)
}

/// A bar that goes on beyond the drawing, with a break.
fn tower(scene: &mut Scene, bin: &Bin, input: &Input, layout: &Layout, frame: &Frame) {
    let (left, right) = seen(bin, SEEN, layout);
    let plot = layout.plot;
    let fill = if bin.from > input.limit { pale(frame) } else { colour(bin, input, frame) };
    scene.rect(Area { left, top: plot.top, right, bottom: plot.bottom }, fill);
    scene.rule((left, plot.top), (right, plot.top), 1.0, frame.theme.ink);
    gap(scene, left, right, layout, frame);
}

/// Two slanted lines through a bar that say that it is higher than it is drawn.
fn gap(scene: &mut Scene, left: f64, right: f64, layout: &Layout, frame: &Frame) {
    let (left, right) = (left - 1.0, right + 1.0);
    for y in [layout.plot.top + 19.0, layout.plot.top + 24.0] {
        let (lower, upper) = (y + 2.5, y - 2.5);
        let band = vec![(left, lower), (right, upper), (right, upper + 2.0), (left, lower + 2.0)];
        scene.marks.push(Mark::Polygon(band, frame.theme.background));
    }
}

/// A bar in its own colour within an outline of ink, and a mark above it.
fn lit(scene: &mut Scene, bin: &Bin, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    let (left, right) = seen(bin, SEEN, layout);
    let (top, bottom) = (vertical.y(bin.count), layout.plot.bottom);
    let ink = frame.theme.ink;
    scene.rect(Area { left: left - 1.5, top: top - 1.5, right: right + 1.5, bottom }, ink);
    scene.rect(Area { left, top, right, bottom }, colour(bin, input, frame));
    let middle = f64::midpoint(left, right);
    let tip = (top - 4.0).max(layout.plot.top + 6.0);
    let mark = vec![(middle - 4.0, tip - 6.0), (middle + 4.0, tip - 6.0), (middle, tip)];
    scene.marks.push(Mark::Polygon(mark, ink));
    if vertical.is_cut(bin) {
        gap(scene, left - 1.5, right + 1.5, layout, frame);
    }
}

/// The bar under the pointer turns to ink, and a line goes up from it.
fn hover(scene: &mut Scene, length: u32, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    let (plot, ink) = (layout.plot, frame.theme.ink);
    let x = layout.x_of(length);
    scene.rule((x - 0.5, plot.top), (x - 0.5, plot.bottom + 5.0), 1.0, ink);
    if let Some(bin) = layout.bin_of(length) {
        let (left, right) = seen(bin, 3.0, layout);
        scene.rect(Area { left, top: vertical.y(bin.count), right, bottom: plot.bottom }, ink);
        if vertical.is_cut(bin) {
            gap(scene, left, right, layout, frame);
        }
    }
}
