//! The crowded corner, enlarged in an empty part of the map.

use super::{Input, Layout, Map, Margin, average_area, cells, mean_dot};
use crate::{Area, OccupiedAreas, Pen, label_area, label_width, singular};

/// Maximum share of each axis that a crowded corner covers.
const CROWDED: f64 = 1.0 / 3.0;
/// Possible shares of the map for the inset, the best first.
const SHARES: [f64; 7] = [0.5, 0.47, 0.44, 0.41, 0.38, 0.34, 0.3];
/// Minimum enlargement; a smaller one would show nothing new.
const ENLARGED: f64 = 1.25;
/// Minimum size of a cell in pixels.
const CELL: f64 = 1.5;
/// Distance from the edges of the map.
const OFF: f64 = 10.0;
/// Minimum width and height of a legible inset.
const SMALL: f64 = 72.0;

/// Returns the inset, if a corner is crowded and there is an empty place for it.
pub(super) fn place(
    input: &Input,
    steps: [u32; 2],
    map: &Map,
    largest: [u32; 2],
    margins: &[Margin; 2],
) -> Option<Map> {
    let ends = crowded(steps, margins);
    let shares: [f64; 2] = std::array::from_fn(|k| ends[k] / map.ends[k]);
    // A corner that covers much of the map is not crowded, and a single cell shows all there is.
    if map.cells.len() < 2 || shares.iter().any(|share| *share > CROWDED) {
        return None;
    }
    let covered = Area {
        top: map.point(ends).1,
        right: map.point(ends).0,
        ..map.area
    };
    let (end, top) = map.point(largest.map(f64::from));
    let fits = |area: &Area| map.is_clear(&area.grown(4.0)) && !covered.grown(8.0).meets(area);
    let enlarging = SHARES
        .into_iter()
        .filter(|s| shares.iter().all(|share| s / share >= ENLARGED));
    // Sizes lie along the diagonal, which leaves two corners: above it at the left, and below it at
    // the right, before the largest item.
    let places = enlarging.flat_map(|s| {
        let (width, height) = (s * map.area.width(), s * map.area.height());
        let put = |left: f64, top: f64| Area::sized((left, top), width, height);
        let under = map.area.bottom - OFF - height;
        [
            put(map.area.left + OFF, top + OFF),
            put(end - OFF - width, under),
        ]
    });
    let area = places
        .filter(|a| a.width() >= SMALL && a.height() >= SMALL)
        .find(fits)?;
    Some(Map::new(&input.entries, steps, area, ends, CELL))
}

/// Returns the box from the origin that holds about 99 % of the items, rounded up to whole steps.
fn crowded(steps: [u32; 2], margins: &[Margin; 2]) -> [f64; 2] {
    std::array::from_fn(|k| {
        let step = f64::from(steps[k]);
        (margins[k].quantile(0.99) / step).ceil() * step
    })
}

pub(super) fn draw(pen: &mut Pen, input: &Input, layout: &Layout) {
    let Some(inset) = &layout.inset else { return };
    lens(pen, &layout.map, inset);
    pen.rect(inset.area, pen.theme.background);
    if let Some(average) = average_area(input, inset) {
        pen.outline(average, 1.0, pen.theme.accent);
    }
    cells(pen, input, inset);
    mean_dot(pen, input, inset);
    limit_lines(pen, input, inset);
    pen.outline(inset.area.grown(1.0), 1.0, pen.theme.control);
    words(pen, input, inset);
}

/// Draws lines from the corner to the inset.
fn lens(pen: &mut Pen, map: &Map, inset: &Map) {
    let (colour, dots) = (pen.theme.second_ink, [2.0, 3.0]);
    let (right, top) = map.point(inset.ends);
    let Area { left, bottom, .. } = map.area;
    pen.dashed(
        &[(left, top), (right, top), (right, bottom)],
        &dots,
        1.0,
        colour,
    );
    let area = inset.area;
    // From two corners of the box to those of the inset that face it, so that no line crosses
    // either.
    let leads = if area.bottom < top {
        [
            ((left, top), (area.left, area.bottom)),
            ((right, top), (area.right, area.bottom)),
        ]
    } else {
        [
            ((right, top), (area.left, area.top)),
            ((right, bottom), (area.left, area.bottom)),
        ]
    };
    for (from, to) in leads {
        pen.dashed(&[from, to], &dots, 1.0, colour);
    }
}

/// Draws the limits that are within the inset.
fn limit_lines(pen: &mut Pen, input: &Input, inset: &Map) {
    let limits = input.limits.map(f64::from);
    let area = inset.area;
    let (x, y) = inset.point(limits);
    let (x, y) = (x.min(area.right), y.max(area.top));
    if limits[0] < inset.ends[0] {
        pen.rule(
            (x - 0.75, y),
            (x - 0.75, area.bottom),
            1.5,
            pen.theme.accent,
        );
    }
    if limits[1] < inset.ends[1] {
        pen.rule((area.left, y - 0.75), (x, y - 0.75), 1.5, pen.theme.accent);
    }
}

/// Writes its name and ticks, each only where no cell is.
fn words(pen: &mut Pen, input: &Input, inset: &Map) {
    let area = inset.area;
    // A cell of two has one size where all are even, as the edges of molecules are.
    let one = (0..2).all(|k| inset.bin[k] <= 2);
    let size = format!("one cell = one size of {}", singular(input.items));
    let lines = ["the crowded corner", size.as_str()];
    let mut taken = OccupiedAreas::default();
    for (i, line) in lines.into_iter().take(if one { 2 } else { 1 }).enumerate() {
        let top = area.top + 6.0 + 16.0 * i as f64;
        let shorter = if i == 0 {
            "enlarged"
        } else {
            "one size a cell"
        };
        for text in [line, shorter] {
            let place = Area::sized((area.left + 8.0, top), label_width(text, false), 16.0);
            if place.right < area.right && inset.is_clear(&place) {
                pen.note(text, (place.left, top + 8.0), -1);
                taken.0.push(place);
                break;
            }
        }
    }
    // The first tick is 0, which both axes would write into the same corner.
    let across = inset.axes[0]
        .round_ticks(44.0)
        .into_iter()
        .skip(1)
        .map(|(x, text)| (text, (x, area.bottom - 9.0), 0));
    let up = inset.axes[1]
        .round_ticks(56.0)
        .into_iter()
        .skip(1)
        .map(|(y, text)| (text, (area.left + 5.0, y), -1));
    for (text, at, anchor) in across.chain(up) {
        let place = label_area(&text, at, anchor, false, 8.0);
        let inside = place.left > area.left
            && place.right < area.right
            && place.top > area.top
            && place.bottom < area.bottom + 1.0;
        if inside && inset.is_clear(&place) && taken.take(place, 0.0) {
            pen.note(text, at, anchor);
        }
    }
}
