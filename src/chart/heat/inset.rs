//! The crowded corner, enlarged where the map is empty.

use super::{Input, Layout, Map, Margin, cells, labels, limits};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Scene, axes, singular};

/// The corner is enlarged if it covers less than this share of each axis.
const CROWDED: f64 = 1.0 / 3.0;
/// Shares of the map that the inset may have, the best first.
const SHARES: [f64; 7] = [0.5, 0.47, 0.44, 0.41, 0.38, 0.34, 0.3];
/// A lesser enlargement would say nothing new.
const ENLARGED: f64 = 1.25;
/// Least pixels of a cell.
const CELL: f64 = 1.5;
/// From the edges of the map.
const OFF: f64 = 10.0;
/// An inset less wide or high could not be read.
const SMALL: f64 = 72.0;

/// The inset, if a corner is crowded and a place is empty.
pub(super) fn place(
    input: &Input,
    steps: [u32; 2],
    map: &Map,
    largest: [u32; 2],
    margins: &[Margin; 2],
) -> Option<Map> {
    let ends = crowded(steps, margins);
    let shares: [f64; 2] = std::array::from_fn(|k| ends[k] / map.ends[k]);
    if map.cells.len() < 2 || shares.iter().any(|share| *share > CROWDED) {
        return None;
    }
    let covered = Area { top: map.point(ends).1, right: map.point(ends).0, ..map.area };
    let (end, top) = map.point(largest.map(f64::from));
    let fits = |area: &Area| map.is_clear(&area.grown(4.0)) && !covered.grown(8.0).meets(area);
    let enlarging = SHARES.into_iter().filter(|s| shares.iter().all(|share| s / share >= ENLARGED));
    let places = enlarging.flat_map(|s| {
        let (width, height) = (s * map.area.width(), s * map.area.height());
        let put = |left: f64, top: f64| Area { left, top, right: left + width, bottom: top + height };
        let under = map.area.bottom - OFF - height;
        [put(map.area.left + OFF, top + OFF), put(end - OFF - width, under)]
    });
    let area = places.filter(|a| a.width() >= SMALL && a.height() >= SMALL).find(fits)?;
    Some(Map::new(input.entries, steps, area, ends, CELL))
}

/// The box from the origin that holds about 99 of 100 items, rounded up to whole steps.
fn crowded(steps: [u32; 2], margins: &[Margin; 2]) -> [f64; 2] {
    std::array::from_fn(|k| {
        let step = f64::from(steps[k]);
        (margins[k].quantile(0.99) / step).ceil() * step
    })
}

pub(super) fn draw(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some(inset) = &layout.inset else { return };
    lens(scene, &layout.map, inset, frame);
    scene.rect(inset.area, frame.theme.background);
    if let Some(average) = limits::average_area(input, inset) {
        scene.outline(average, 1.0, frame.theme.accent);
    }
    cells(scene, input, inset, frame);
    limits::mean_dot(scene, input, inset, frame);
    limit_lines(scene, input, inset, frame);
    scene.outline(inset.area.grown(1.0), 1.0, frame.theme.control);
    words(scene, input, inset, frame);
}

/// From where the corner is to where it is enlarged.
fn lens(scene: &mut Scene, map: &Map, inset: &Map, frame: &Frame) {
    let (colour, dots) = (frame.theme.second_ink, [2.0, 3.0]);
    let (right, top) = map.point(inset.ends);
    let Area { left, bottom, .. } = map.area;
    scene.dashed(&[(left, top), (right, top), (right, bottom)], &dots, 1.0, colour);
    let area = inset.area;
    let leads = if area.bottom < top {
        [((left, top), (area.left, area.bottom)), ((right, top), (area.right, area.bottom))]
    } else {
        [((right, top), (area.left, area.top)), ((right, bottom), (area.left, area.bottom))]
    };
    for (from, to) in leads {
        scene.dashed(&[from, to], &dots, 1.0, colour);
    }
}

/// The limits, where they are within the inset.
fn limit_lines(scene: &mut Scene, input: &Input, inset: &Map, frame: &Frame) {
    let limits = input.limits.map(f64::from);
    let area = inset.area;
    let (x, y) = inset.point(limits);
    let (x, y) = (x.min(area.right), y.max(area.top));
    if limits[0] < inset.ends[0] {
        scene.rule((x - 0.75, y), (x - 0.75, area.bottom), 1.5, frame.theme.accent);
    }
    if limits[1] < inset.ends[1] {
        scene.rule((area.left, y - 0.75), (x, y - 0.75), 1.5, frame.theme.accent);
    }
}

/// What it shows, and ticks, each only where no cell is.
fn words(scene: &mut Scene, input: &Input, inset: &Map, frame: &Frame) {
    let (area, colour) = (inset.area, frame.theme.second_ink);
    let one = (0..2).all(|k| inset.bin[k] <= 2);
    let size = format!("one cell = one size of {}", singular(input.items));
    let lines = ["the crowded corner", size.as_str()];
    let mut used: Vec<Area> = vec![];
    for (i, line) in lines.into_iter().take(if one { 2 } else { 1 }).enumerate() {
        let top = area.top + 6.0 + 16.0 * i as f64;
        let shorter = if i == 0 { "enlarged" } else { "one size a cell" };
        for text in [line, shorter] {
            let right = area.left + 8.0 + label_width(text, false);
            let place = Area { left: area.left + 8.0, top, right, bottom: top + 16.0 };
            if right < area.right && inset.is_clear(&place) {
                scene.label(text, (place.left, top + 8.0), -1, colour, false);
                used.push(place);
                break;
            }
        }
    }
    ticks(scene, inset, &used, frame);
}

fn ticks(scene: &mut Scene, inset: &Map, used: &[Area], frame: &Frame) {
    let area = inset.area;
    let values =
        |k: usize, pixels: f64, each: f64| labels::ticks(inset.ends[k], pixels, each).into_iter().skip(1);
    let (x, y) = (|v: f64| inset.point([v, 0.0]).0, |v: f64| inset.point([0.0, v]).1);
    let across = values(0, area.width(), 44.0).map(|v| (v, x(v), area.bottom - 9.0, 0));
    let up = values(1, area.height(), 56.0).map(|v| (v, area.left + 5.0, y(v), -1i8));
    let mut used = used.to_vec();
    for (value, x, y, anchor) in across.chain(up) {
        let text = axes::label(value);
        let wide = label_width(&text, false);
        let left = if anchor == 0 { x - wide / 2.0 } else { x };
        let place = Area { left, top: y - 8.0, right: left + wide, bottom: y + 8.0 };
        let inside = place.left > area.left
            && place.right < area.right
            && place.top > area.top
            && place.bottom < area.bottom + 1.0;
        if inside && inset.is_clear(&place) && !used.iter().any(|other| other.meets(&place)) {
            scene.label(text, (x, y), anchor, frame.theme.second_ink, false);
            used.push(place);
        }
    }
}
