//! The words on and round the map.

use super::{Input, Layout};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Scene, Theme, axes, colour_bar, singular, ticks, viridis};
use crate::words;

/// Ticks and names of both axes.
pub(super) fn axes(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let plot = layout.field.area;
    let ticks = |k: usize, most: f64| {
        if input.axes[k].is_empty() {
            return vec![];
        }
        let [first, last] = layout.field.span(k);
        ticks::whole(first, last, most.max(1.0))
    };
    let across = ticks(0, plot.width() / 80.0).into_iter();
    let across: Vec<_> = across.map(|v| (layout.field.place([v, 0.0]).0, axes::label(v))).collect();
    let up = ticks(1, plot.height() / 56.0).into_iter();
    let up: Vec<_> = up.map(|v| (layout.field.place([0.0, v]).1, axes::label(v))).collect();
    let [first, second] = input.names.map(|name| format!("{} limit", singular(name)));
    axes::below(scene, plot, &across, &first, plot.right, frame);
    axes::beside(scene, plot, &up, frame);
    axes::above(scene, plot, &second, frame);
    if input.points.is_empty() {
        scene.outline(plot, 1.0, frame.theme.hairline);
    }
}

/// Smaller maps have no words in their corners.
const ROOM: f64 = 300.0;
const LINE: f64 = 17.0;
const OFF: f64 = 12.0;

/// What is wrong in two corners, where it is dark and known; returns where words are.
pub(super) fn corners(scene: &mut Scene, input: &Input, layout: &Layout, _frame: &Frame) -> Vec<Area> {
    let area = layout.field.area;
    let [first, second] = input.names.map(singular);
    let said = |full: &str, empty: &str| {
        [format!("{full} slots run out first:"), format!("{empty} slots stay empty")]
    };
    let mut places = vec![];
    for (lines, upper) in [(said(first, second), true), (said(second, first), false)] {
        let wide = lines.iter().map(|line| label_width(line, true)).fold(0.0, f64::max);
        let (left, top) = if upper {
            (area.left + OFF, area.top + OFF)
        } else {
            (area.right - OFF - wide, area.bottom - OFF - 2.0 * LINE)
        };
        let place = Area { left, top, right: left + wide, bottom: top + 2.0 * LINE };
        if area.width() < ROOM || area.height() < ROOM * 0.8 || !is_dark(input, layout, &place) {
            continue;
        }
        for (i, line) in lines.into_iter().enumerate() {
            let y = top + LINE * (i as f64 + 0.5);
            let (x, anchor) = if upper { (left, -1) } else { (place.right, 1) };
            scene.label(line, (x, y), anchor, Theme::LIGHT.background, true);
        }
        places.push(place);
    }
    places
}

/// Whether every cell there is known and so dark that white can be read on it.
fn is_dark(input: &Input, layout: &Layout, place: &Area) -> bool {
    let Some(range) = layout.range.filter(|_| input.grid) else { return false };
    let mut covered = 0.0;
    for point in input.points {
        let Some(cell) = layout.field.cell(point.limits).filter(|cell| cell.meets(place)) else { continue };
        if range.share(point.harmonic) > DARK {
            return false;
        }
        let width = cell.right.min(place.right) - cell.left.max(place.left);
        covered += width * (cell.bottom.min(place.bottom) - cell.top.max(place.top));
    }
    covered >= 0.99 * place.width() * place.height()
}

/// White words can be read up to this share of viridis.
const DARK: f64 = 0.5;

/// The scale of the colours in percent.
pub(super) fn colours(scene: &mut Scene, layout: &Layout, frame: &Frame) {
    let Some(range) = layout.range else { return };
    let span = range.high - range.low;
    let lowest = words::tick_percent((range.low * 1000.0).round() / 1000.0);
    let lowest = if range.cut { format!("≤ {lowest}") } else { lowest };
    let highest = (1.0, words::percent(range.high));
    let labels = if span > 1e-9 {
        let inner = ticks::every(range.low, range.high, ticks::round_step(span / 6.0)).into_iter();
        let inner = inner.map(|tick| (range.share(tick), words::tick_percent(tick)));
        std::iter::once((0.0, lowest)).chain(inner).chain([highest]).collect()
    } else {
        vec![highest]
    };
    colour_bar::draw(scene, layout.colours, viridis, &labels, frame);
}
