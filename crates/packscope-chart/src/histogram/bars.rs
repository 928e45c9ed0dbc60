//! The bars: filled with the colour of their length, and outlined along the top.

use super::{Bin, Input, Layout};
use crate::{Area, Mark, Pen, Point, Rgb, Theme, mix};

/// Minimum width of a bar that has to be seen by itself.
const SEEN: f64 = 4.0;

pub(super) fn draw(pen: &mut Pen, input: &Input, layout: &Layout) {
    // Bars first, then what has to be seen over them: outlines, cut bars, lengths pointed out, and
    // the pointer.
    fill(pen, input, layout);
    outline(pen, input, layout);
    for bin in layout.bins.iter().filter(|bin| layout.vertical.is_cut(bin)) {
        tower(pen, bin, input, layout);
    }
    for length in &input.lit {
        if let Some(bin) = layout.bin_of(*length) {
            lit(pen, bin, input, layout);
        }
    }
    let in_view = |length: &u32| (layout.start..=layout.end).contains(length);
    if let Some([length, _]) = pen.frame.hover.filter(|[length, _]| in_view(length)) {
        hover(pen, length, layout);
    }
}

fn colour(bin: &Bin, input: &Input, theme: &Theme) -> Rgb {
    theme.length_colour(bin.from + (bin.to - bin.from) / 2, input.hues)
}

/// Returns the colour beyond the limit, which stands for no length: such items are not trained on as they are.
fn pale(theme: &Theme) -> Rgb {
    mix(theme.hairline, theme.background, 0.7)
}

/// Fills the bars that are not cut, with one polygon for each run of a colour, which avoids seams. The part beyond the
/// limit is pale, so that no bar changes its height while the limit is dragged.
fn fill(pen: &mut Pen, input: &Input, layout: &Layout) {
    let mut run: Option<(Rgb, Vec<Point>)> = None;
    let mut add = |colour: Rgb, left: f64, right: f64, top: f64| match &mut run {
        Some((same, points)) if *same == colour => points.extend(bar(left, right, top, layout)),
        _ => {
            let next = (colour, bar(left, right, top, layout).to_vec());
            pen.scene.marks.extend(
                run.replace(next)
                    .map(|(colour, points)| Mark::Polygon(points, colour)),
            );
        }
    };
    for bin in layout
        .bins
        .iter()
        .filter(|bin| !layout.vertical.is_cut(bin))
    {
        let ((left, right), top) = (layout.sides(bin), layout.vertical.y(bin.height));
        // A bar that the limit divides has a part of each colour.
        let limit = layout
            .edge(f64::from(input.limit) + 0.5)
            .max(left)
            .min(right);
        if bin.from <= input.limit {
            add(colour(bin, input, &pen.theme), left, limit, top);
        }
        if bin.to > input.limit {
            add(pale(&pen.theme), limit, right, top);
        }
    }
    pen.scene
        .marks
        .extend(run.map(|(colour, points)| Mark::Polygon(points, colour)));
}

/// Returns the corners of a bar, from the baseline to the baseline.
fn bar(left: f64, right: f64, top: f64, layout: &Layout) -> [Point; 4] {
    let bottom = layout.plot.bottom;
    [(left, bottom), (left, top), (right, top), (right, bottom)]
}

/// Draws the outline along the tops, with its rises and falls; lighter beyond the limit.
fn outline(pen: &mut Pen, input: &Input, layout: &Layout) {
    let bottom = layout.plot.bottom;
    let (mut x, mut y) = (layout.plot.left, bottom);
    for bin in layout
        .bins
        .iter()
        .filter(|bin| !layout.vertical.is_cut(bin))
    {
        let ink = if bin.from > input.limit {
            pen.theme.control
        } else {
            pen.theme.ink
        };
        let ((left, right), top) = (layout.sides(bin), layout.vertical.y(bin.height));
        // Empty lengths have no bar: the outline goes down and leaves the gap open.
        if left - x > 0.01 {
            step(pen, x, y, bottom, ink);
            y = bottom;
        }
        step(pen, left, y, top, ink);
        pen.rule((left, top), (right, top), 1.0, ink);
        (x, y) = (right, top);
    }
    step(pen, x, y, bottom, pen.theme.ink);
}

fn step(pen: &mut Pen, x: f64, from: f64, to: f64, ink: Rgb) {
    if (from - to).abs() >= 0.5 {
        pen.rule((x, from.min(to)), (x, from.max(to) + 1.0), 1.0, ink);
    }
}

/// Returns left and right edge of a bar that has to be seen by itself.
fn visible_edges(bin: &Bin, least: f64, layout: &Layout) -> (f64, f64) {
    let (left, right) = layout.sides(bin);
    let wider = (least - (right - left)).max(0.0);
    // At the end of the axis the bar grows inwards, away from the limit's needle.
    let inwards = if bin.to >= layout.end {
        wider
    } else {
        wider / 2.0
    };
    (left - inwards, right + wider - inwards)
}

/// Draws a bar that is higher than the drawing, with a break.
fn tower(pen: &mut Pen, bin: &Bin, input: &Input, layout: &Layout) {
    let (left, right) = visible_edges(bin, SEEN, layout);
    let plot = layout.plot;
    let fill = if bin.from > input.limit {
        pale(&pen.theme)
    } else {
        colour(bin, input, &pen.theme)
    };
    pen.rect(
        Area {
            left,
            top: plot.top,
            right,
            bottom: plot.bottom,
        },
        fill,
    );
    pen.rule((left, plot.top), (right, plot.top), 1.0, pen.theme.ink);
    gap(pen, left, right, layout);
}

/// Draws two slanted lines through a bar as a sign that it is higher than drawn.
fn gap(pen: &mut Pen, left: f64, right: f64, layout: &Layout) {
    let (left, right) = (left - 1.0, right + 1.0);
    for y in [layout.plot.top + 19.0, layout.plot.top + 24.0] {
        let (lower, upper) = (y + 2.5, y - 2.5);
        let band = vec![
            (left, lower),
            (right, upper),
            (right, upper + 2.0),
            (left, lower + 2.0),
        ];
        pen.polygon(band, pen.theme.background);
    }
}

/// Draws a bar in its own colour with an outline of ink, and a mark above it.
fn lit(pen: &mut Pen, bin: &Bin, input: &Input, layout: &Layout) {
    let (left, right) = visible_edges(bin, SEEN, layout);
    let (top, bottom) = (layout.vertical.y(bin.height), layout.plot.bottom);
    let ink = pen.theme.ink;
    pen.rect(
        Area {
            left: left - 1.5,
            top: top - 1.5,
            right: right + 1.5,
            bottom,
        },
        ink,
    );
    pen.rect(
        Area {
            left,
            top,
            right,
            bottom,
        },
        colour(bin, input, &pen.theme),
    );
    let middle = f64::midpoint(left, right);
    let tip = (top - 4.0).max(layout.plot.top + 6.0);
    let mark = vec![
        (middle - 4.0, tip - 6.0),
        (middle + 4.0, tip - 6.0),
        (middle, tip),
    ];
    pen.polygon(mark, ink);
    if layout.vertical.is_cut(bin) {
        gap(pen, left - 1.5, right + 1.5, layout);
    }
}

/// Draws the bar under the pointer in ink, with a line up from it.
fn hover(pen: &mut Pen, length: u32, layout: &Layout) {
    let (plot, ink) = (layout.plot, pen.theme.ink);
    let x = layout.x_of(length);
    pen.rule((x - 0.5, plot.top), (x - 0.5, plot.bottom + 5.0), 1.0, ink);
    if let Some(bin) = layout.bin_of(length) {
        let (left, right) = visible_edges(bin, 3.0, layout);
        pen.rect(
            Area {
                left,
                top: layout.vertical.y(bin.height),
                right,
                bottom: plot.bottom,
            },
            ink,
        );
        if layout.vertical.is_cut(bin) {
            gap(pen, left, right, layout);
        }
    }
}
