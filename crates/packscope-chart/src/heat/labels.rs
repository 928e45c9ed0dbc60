//! Labels round the map, and those on its empty parts.

use super::{Cell, Input, LINE, Layout, Map, average_area, share};
use crate::{
    Area, OccupiedAreas, Pen, Plate, axis, colour_bar, label_width, nearest, singular, widest,
};
use packscope::histogram::Attention;
use packscope::words;

/// Pixels between the ticks of the vertical axis, and of the horizontal one.
pub(super) const UP: f64 = 64.0;
const ACROSS: f64 = 72.0;

/// Draws ticks and names of both axes.
pub(super) fn axes(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (map, plot) = (&layout.map, layout.map.area);
    let end = (plot.right + label_width(&input.names[0], false) + 6.0).min(pen.frame.width);
    pen.ticks_below(plot, &map.axes[0].round_ticks(ACROSS), &input.names[0], end);
    // The lowest tick would touch that of the other axis.
    pen.ticks_beside(
        plot,
        map.axes[1].round_ticks(UP).get(1..).unwrap_or_default(),
    );
    pen.name_above(plot, &input.names[1]);
}

/// Returns mean and largest size of a component in words.
fn figures(input: &Input, component: usize) -> [String; 2] {
    let (mean, name) = (words::mean(input.mean[component]), &input.names[component]);
    let mean = match Attention::named(name) {
        Some(_) => format!("mean {} {mean}", singular(name)),
        None => format!("mean {mean} {name}"),
    };
    [
        mean,
        format!(
            "largest {}",
            words::count(u64::from(input.largest()[component]))
        ),
    ]
}

/// Returns the width of the column at the right of the map.
pub(super) fn column(input: &Input) -> f64 {
    widest(figures(input, 1), false).clamp(56.0, 150.0) + 24.0
}

/// Draws both distributions with their figures; those of the second are beside its tail, in the corner above it, or
/// below those of the first.
pub(super) fn margins(pen: &mut Pen, input: &Input, layout: &Layout) {
    let left = layout.map.area.left;
    layout.margins[0].draw(pen, layout.above, true);
    pen.note(figures(input, 0).join(", "), (left, 8.0), -1);
    let Some(right) = layout.right else {
        return pen.note(figures(input, 1).join(", "), (left, 8.0 + LINE), -1);
    };
    layout.margins[1].draw(pen, right, false);
    let quiet = layout.margins[1].quiet((2.0 * LINE + 8.0) / right.height().max(1.0));
    let first = quiet.map_or(right.top - 8.0 - LINE, |from| {
        right.bottom - from * right.height() - LINE * 1.5 - 4.0
    });
    let at = (right.left + 6.0, first - LINE / 2.0);
    pen.labels(
        figures(input, 1),
        at,
        LINE,
        -1,
        (pen.theme.second_ink, false),
    );
}

/// Writes the meaning of the rectangles, each in a free place.
pub(super) fn grey(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    let grey = Area {
        right: layout.corner.0,
        top: layout.corner.1,
        ..layout.map.area
    };
    let Some(average) = average_area(input, &layout.map) else {
        return;
    };
    let item = singular(input.items);
    let text = format!("the average {item}");
    let wide = label_width(&text, true);
    let y = (average.bottom - 14.0).max(average.top);
    let lens = layout
        .inset
        .as_ref()
        .map(|inset| layout.map.point(inset.ends).0);
    let beyond = lens.map_or(90.0, |x| x + 12.0 - average.right);
    // The last place is to the right of the dotted box, whose lines would cross the words.
    for lead in [60.0, 24.0, 12.0, beyond] {
        let left = average.right + lead;
        let place = Area {
            left: average.right + 3.0,
            top: y - 9.0,
            right: left + wide,
            bottom: y + 9.0,
        };
        // The right edge of the dotted box may be beside the words, but not within them.
        let crossed = lens.is_some_and(|x| x > left - 4.0 && x < place.right);
        if !crossed && is_free(layout, &place, &grey) {
            if lead > 16.0 {
                pen.rule(
                    (average.right + 4.0, y),
                    (left - 6.0, y),
                    1.0,
                    theme.second_ink,
                );
            }
            pen.label(text, (left, y), -1, theme.ink, true);
            break;
        }
    }
    let left = match Attention::named(&input.names[1]) {
        Some(_) => "leaves of both limits",
        None => "leaves empty in its row",
    };
    let lines = [format!("grey: what the average {item}"), left.to_owned()];
    let (right, bottom) = (grey.right - 14.0, grey.bottom - 40.0);
    let place = Area {
        left: right - widest(&lines, false),
        top: bottom - 2.0 * LINE,
        right,
        bottom,
    };
    if !average.meets(&place) && is_free(layout, &place, &grey) {
        pen.labels(lines, (right, place.top), LINE, 1, (theme.on_wash, false));
    }
}

/// Whether words can stand on the grey.
fn is_free(layout: &Layout, place: &Area, grey: &Area) -> bool {
    let inside = place.left > grey.left && place.right < grey.right && place.top > grey.top;
    let inset = layout
        .inset
        .as_ref()
        .is_some_and(|inset| inset.area.grown(4.0).meets(place));
    inside && !inset && layout.map.is_clear(place)
}

/// Draws the scale of the colours below the map.
pub(super) fn colours(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (plot, most, theme) = (layout.map.area, layout.map.most_items(), pen.theme);
    let caption = format!("{} per cell", input.items);
    let top = plot.bottom + axis::BELOW + 8.0;
    let left = plot.left + label_width(&caption, false) + 12.0;
    let right = (left + 180.0).min(plot.right);
    if most == 0 || right - left < 40.0 {
        return;
    }
    pen.note(caption, (plot.left, top + 4.0), -1);
    let area = Area {
        left,
        top,
        right,
        bottom: top + 8.0,
    };
    // Half-way in the colours: in factors that is the root of the largest count.
    let middle = if input.log {
        (most as f64).sqrt()
    } else {
        most as f64 / 2.0
    }
    .round() as u64;
    let mut counts = if input.log {
        vec![1, middle, most]
    } else {
        vec![0, middle, most]
    };
    counts.dedup();
    let place = |count: u64| {
        if most <= 1 {
            1.0
        } else {
            share(count.max(u64::from(input.log)), most, input.log)
        }
    };
    let labels: Vec<_> = counts
        .into_iter()
        .map(|count| (place(count), words::count(count)))
        .collect();
    colour_bar::draw(pen, area, |share| theme.heat(share), &labels);
}

/// Outlines the cell under the pointer on map and inset, and writes its contents.
pub(super) fn hover(pen: &mut Pen, input: &Input, layout: &Layout) {
    let Some(size) = pen.frame.hover else { return };
    let maps = [Some(&layout.map), layout.inset.as_ref()];
    let mut taken = OccupiedAreas::default();
    let mut seen: Option<(&Map, Cell)> = None;
    for (map, cell) in maps
        .into_iter()
        .flatten()
        .filter_map(|map| Some((map, map.cell_of(size)?)))
    {
        let area = map.cell_area(cell.from).grown(2.0);
        pen.outline(area, 2.0, pen.theme.ink);
        taken.0.push(area);
        // The inset comes second: if it has the cell, the words point at the larger of the two.
        seen = Some((map, cell));
    }
    let Some((map, cell)) = seen else { return };
    let at = map.cell_area(cell.from).middle();
    let lines = [
        words::plural(cell.count, singular(input.items)),
        span(&cell, input),
    ];
    let plate = Plate { lines: &lines };
    let place = plate.place(at, pen.frame.area(), &taken);
    let end = nearest(place, at);
    pen.path(vec![at, end], 1.0, pen.theme.ink);
    plate.draw(pen, place);
}

/// Returns the sizes in a cell: `18 nodes, 37 to 38 edges`.
fn span(cell: &Cell, input: &Input) -> String {
    let of = |k: usize| {
        let [from, to] = [cell.from[k], cell.to[k]].map(|size| words::count(u64::from(size)));
        let sizes = if from == to {
            from
        } else {
            format!("{from} to {to}")
        };
        format!("{sizes} {}", input.names[k])
    };
    format!("{}, {}", of(0), of(1))
}
