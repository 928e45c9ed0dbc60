//! The words round the map, and those on it where it is empty.

use super::{Cell, Input, LINE, Layout, Map, limits, share};
use crate::chart::plate::{Plate, nearest};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Scene, axes, colour_bar, singular, ticks};
use crate::words;

/// Pixels from tick to tick of the vertical axis, and of the horizontal one.
pub(super) const UP: f64 = 64.0;
const ACROSS: f64 = 72.0;

/// Round sizes up to an end.
pub(super) fn ticks(end: f64, pixels: f64, each: f64) -> Vec<f64> {
    ticks::whole(0.0, end, (pixels / each).max(1.0))
}

/// Ticks and names of both axes.
pub(super) fn axes(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (map, plot) = (&layout.map, layout.map.area);
    let across = ticks(map.ends[0], plot.width(), ACROSS);
    let across: Vec<_> = across.into_iter().map(|v| (map.point([v, 0.0]).0, axes::label(v))).collect();
    let end = (plot.right + label_width(input.names[0], false) + 6.0).min(frame.width);
    axes::below(scene, plot, &across, input.names[0], end, frame);
    let up = ticks(map.ends[1], plot.height(), UP);
    // The lowest would touch that of the other axis.
    let up: Vec<_> = up.into_iter().skip(1).map(|v| (map.point([0.0, v]).1, axes::label(v))).collect();
    axes::beside(scene, plot, &up, frame);
    axes::above(scene, plot, input.names[1], frame);
}

/// Mean and largest size of a component.
fn figures(input: &Input, component: usize) -> [String; 2] {
    let mean = format!("mean {} {}", words::mean(input.mean[component]), input.names[component]);
    [mean, format!("largest {}", words::count(u64::from(input.largest()[component])))]
}

/// Width of what is at the right of the map.
pub(super) fn column(input: &Input) -> f64 {
    let widest = figures(input, 1).iter().map(|text| label_width(text, false)).fold(0.0, f64::max);
    widest.clamp(56.0, 150.0) + 24.0
}

/// Both distributions with their figures; those of the second are beside its tail or in the corner above it,
/// or below those of the first.
pub(super) fn margins(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let colour = frame.theme.second_ink;
    let left = layout.map.area.left;
    layout.margins[0].draw_above(scene, layout.above, frame);
    scene.label(figures(input, 0).join(", "), (left, 8.0), -1, colour, false);
    let Some(right) = layout.right else {
        return scene.label(figures(input, 1).join(", "), (left, 8.0 + LINE), -1, colour, false);
    };
    layout.margins[1].draw_right(scene, right, frame);
    let quiet = layout.margins[1].quiet((2.0 * LINE + 8.0) / right.height().max(1.0));
    let first =
        quiet.map_or(right.top - 8.0 - LINE, |from| right.bottom - from * right.height() - LINE * 1.5 - 4.0);
    for (i, text) in figures(input, 1).into_iter().enumerate() {
        scene.label(text, (right.left + 6.0, first + LINE * i as f64), -1, colour, false);
    }
}

/// What the rectangles mean, each said where nothing else is.
pub(super) fn grey(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    let grey = Area { right: layout.corner.0, top: layout.corner.1, ..layout.map.area };
    let Some(average) = limits::average_area(input, &layout.map) else { return };
    let item = singular(input.items);
    let text = format!("the average {item}");
    let wide = label_width(&text, true);
    let y = (average.bottom - 14.0).max(average.top);
    let lens = layout.inset.as_ref().map(|inset| layout.map.point(inset.ends).0);
    let beyond = lens.map_or(90.0, |x| x + 12.0 - average.right);
    for lead in [60.0, 24.0, 12.0, beyond] {
        let left = average.right + lead;
        let place = Area { left: average.right + 3.0, top: y - 9.0, right: left + wide, bottom: y + 9.0 };
        let crossed = lens.is_some_and(|x| x > left - 4.0 && x < place.right);
        if !crossed && is_free(layout, &place, &grey) {
            if lead > 16.0 {
                scene.rule((average.right + 4.0, y), (left - 6.0, y), 1.0, theme.second_ink);
            }
            scene.label(text, (left, y), -1, theme.ink, true);
            break;
        }
    }
    let lines = [format!("grey: what the average {item}"), "leaves empty in its row".to_owned()];
    let wide = lines.iter().map(|line| label_width(line, false)).fold(0.0, f64::max);
    let (right, bottom) = (grey.right - 14.0, grey.bottom - 40.0);
    let place = Area { left: right - wide, top: bottom - 2.0 * LINE, right, bottom };
    if !average.meets(&place) && is_free(layout, &place, &grey) {
        for (i, line) in lines.into_iter().enumerate() {
            scene.label(line, (right, place.top + LINE * (0.5 + i as f64)), 1, theme.on_wash, false);
        }
    }
}

/// Whether words can stand on the grey.
fn is_free(layout: &Layout, place: &Area, grey: &Area) -> bool {
    let inside = place.left > grey.left && place.right < grey.right && place.top > grey.top;
    let inset = layout.inset.as_ref().is_some_and(|inset| inset.area.grown(4.0).meets(place));
    inside && !inset && layout.map.is_clear(place)
}

/// The scale of the colours, below the map.
pub(super) fn colours(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (plot, most) = (layout.map.area, layout.map.most());
    let caption = format!("{} per cell", input.items);
    let top = plot.bottom + axes::BELOW + 8.0;
    let left = plot.left + label_width(&caption, false) + 12.0;
    let right = (left + 180.0).min(plot.right);
    if most == 0 || right - left < 40.0 {
        return;
    }
    scene.label(caption, (plot.left, top + 4.0), -1, frame.theme.second_ink, false);
    let area = Area { left, top, right, bottom: top + 8.0 };
    let middle = if input.log { (most as f64).sqrt() } else { most as f64 / 2.0 }.round() as u64;
    let mut counts = if input.log { vec![1, middle, most] } else { vec![0, middle, most] };
    counts.dedup();
    let place =
        |count: u64| if most <= 1 { 1.0 } else { share(count.max(u64::from(input.log)), most, input.log) };
    let labels: Vec<_> = counts.into_iter().map(|count| (place(count), words::count(count))).collect();
    colour_bar::draw(scene, area, |share| frame.theme.heat(share), &labels, frame);
}

/// The cell under the pointer: outlined on map and inset, and what is in it.
pub(super) fn hover(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some(size) = input.hover else { return };
    let maps = [Some(&layout.map), layout.inset.as_ref()];
    let mut taken = vec![];
    let mut seen: Option<(&Map, Cell)> = None;
    for (map, cell) in maps.into_iter().flatten().filter_map(|map| Some((map, map.cell_of(size)?))) {
        let area = map.cell_area(cell.from).grown(2.0);
        scene.outline(area, 2.0, frame.theme.ink);
        taken.push(area);
        seen = Some((map, cell));
    }
    let Some((map, cell)) = seen else { return };
    let area = map.cell_area(cell.from);
    let at = (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom));
    let lines = [plural(cell.count, input.items), span(&cell, input)];
    let plate = Plate { lines: &lines };
    let within = Area { left: 0.0, top: 0.0, right: frame.width, bottom: frame.height };
    let place = plate.place(at, within, &taken);
    let end = nearest(place, at);
    scene.path(vec![at, end], 1.0, frame.theme.ink);
    plate.draw(scene, place, frame);
}

fn plural(count: u64, items: &str) -> String {
    words::plural(count, singular(items))
}

/// The sizes in a cell: `18 nodes, 37 to 38 edges`.
fn span(cell: &Cell, input: &Input) -> String {
    let of = |k: usize| {
        let [from, to] = [cell.from[k], cell.to[k]].map(|size| words::count(u64::from(size)));
        let sizes = if from == to { from } else { format!("{from} to {to}") };
        format!("{sizes} {}", input.names[k])
    };
    format!("{}, {}", of(0), of(1))
}
