//! The axes, and the names at the lines.

use super::{Input, Layout, covered};
use crate::{
    Area, LABEL, OccupiedAreas, Pen, Point, Rgb, Theme, Tick, axis, label_area, label_width,
};
use packscope::order;
use packscope::sampler::HwCap;
use packscope::words;

/// Draws the name of the vertical axis, and lengths below.
pub(super) fn axes(pen: &mut Pen, input: &Input, layout: &Layout) {
    let data = layout.data;
    pen.note("sequences in a batch, at most", (0.0, 9.0), -1);
    pen.baseline(data);
    let widest = label_width(&words::count(u64::from(input.limit)), false);
    let step = axis::length_step(input.limit.max(1), data.width() / (widest + 26.0)).max(1);
    let rounds = (0..=input.limit / step).map(|i| i * step);
    let mut ticks: Vec<Tick> = rounds
        .map(|l| (layout.x(l), words::count(u64::from(l))))
        .collect();
    // The last tick has the unit.
    let Some((x, last)) = ticks.pop() else { return };
    let text = format!("{last} {}", input.unit);
    let wide = label_width(&text, false);
    let right = (x + wide / 2.0).min(pen.frame.width);
    pen.ticks_below(data, &ticks, "", right - wide - 10.0);
    pen.rule(
        (x - 0.5, data.bottom),
        (x - 0.5, data.bottom + 5.0),
        1.0,
        pen.theme.second_ink,
    );
    pen.note(text, (right, data.bottom + 15.0), 1);
}

/// A name to be placed.
struct CapLabel {
    /// The name, and a shorter one where there is less room.
    texts: Vec<String>,
    colour: Rgb,
    bold: bool,
    /// The candidate places of its left end, in the middle of its height, the best first.
    places: Vec<Point>,
}

/// Draws names at their lines, each at the first of its places that is clear of other names and lines.
pub(super) fn names(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    let name = |text: &str, colour, bold, places| CapLabel {
        texts: vec![text.to_owned()],
        colour,
        bold,
        places,
    };
    let mut names = vec![name(
        "HWCap",
        theme.ink,
        true,
        right_of(&input.hwcap, input, layout),
    )];
    names.extend(of_epochs(input, layout, &theme));
    names.push(name(
        &format!("batch {}", words::count(input.batch)),
        theme.second_ink,
        false,
        places_of_batch(input, layout),
    ));
    // Nagarajan and Raghunathan 2023, App. A, Table 6: found for RoBERTa base on an RTX 2080 Ti.
    if let Some(table) = &input.published {
        let places = [
            right_of(table, input, layout),
            left_of(table, input, layout),
        ]
        .concat();
        names.push(name("table of the paper", theme.second_ink, false, places));
    }
    // Names keep two pixels apart from each other, but may touch a line.
    let lines = OccupiedAreas(obstacles(input, layout));
    let mut taken = OccupiedAreas::default();
    let within = Area {
        right: pen.frame.width,
        ..layout.plot.grown(4.0)
    };
    for CapLabel {
        texts,
        colour,
        bold,
        places,
    } in names
    {
        // The long text is tried at every place before the short one is.
        let mut tried = texts
            .iter()
            .flat_map(|text| places.iter().map(move |at| (text, *at)));
        let found = tried.find(|(text, at)| {
            let area = label_area(text, *at, -1, bold, LABEL / 2.0);
            within.holds(&area) && lines.is_free(&area) && taken.take(area, 2.0)
        });
        if let Some((text, at)) = found {
            pen.label(text, at, -1, colour, bold);
        }
    }
}

/// Names the bars of the data, beside them where they are low.
pub(super) fn data(pen: &mut Pen, bars: Vec<Area>, layout: &Layout) {
    let (area, text, bars) = (layout.data, "lengths of the data", OccupiedAreas(bars));
    let (wide, y) = (label_width(text, false), layout.data.bottom - 13.0);
    let free = |left: &f64| {
        let place = Area {
            left: *left,
            top: y - 8.0,
            right: left + wide,
            bottom: y + 7.0,
        };
        bars.is_free(&place) && *left >= area.left && place.right <= area.right
    };
    // From the right, where the bars of most data are low.
    let mut places = (0..=8)
        .map(|i| area.right - wide - 14.0 - (area.width() - wide - 14.0) * f64::from(i) / 8.0);
    if let Some(left) = places.find(free).filter(|_| area.height() >= 24.0) {
        pen.note(text, (left, y), -1);
    }
}

/// Returns the lengths along the axis at which names are tried.
fn tried_lengths(input: &Input) -> impl Iterator<Item = u32> {
    let limit = input.limit.max(1);
    (2..24).map(move |i| (u64::from(limit) * i / 24).max(1) as u32)
}

/// Returns places above and to the right of a falling line.
fn right_of(table: &HwCap, input: &Input, layout: &Layout) -> Vec<Point> {
    let at = |length| {
        (
            layout.x(length) + 6.0,
            layout.sizes.place_of(f64::from(table.batch_at(length))) - 8.0,
        )
    };
    tried_lengths(input).map(at).collect()
}

/// Returns places below and to the left of a falling line.
fn left_of(table: &HwCap, input: &Input, layout: &Layout) -> Vec<Point> {
    let at = |length| {
        let x = layout.x(length) - label_width("table of the paper", false);
        (
            x,
            layout.sizes.place_of(f64::from(table.batch_at(length))) + 12.0,
        )
    };
    tried_lengths(input).map(at).collect()
}

/// Returns the caps as names at the left end of their lines, the selected one first.
fn of_epochs(input: &Input, layout: &Layout, theme: &Theme) -> Vec<CapLabel> {
    let mut order: Vec<usize> = (0..input.caps.len()).collect();
    // `false` sorts first, and the sort is stable: the others stay in the order of their epochs.
    order::sort_by_key(&mut order, |k| *k != input.chosen);
    let name = |k: usize| {
        let (name, cap) = &input.caps[k];
        let (x, y) = (layout.plot.left + 6.0, layout.sizes.place_of(*cap as f64));
        let bold = k == input.chosen;
        let colour = if bold { theme.accent } else { theme.second_ink };
        let texts = vec![
            format!("{name}: {}", words::count(*cap)),
            words::count(*cap),
        ];
        CapLabel {
            texts,
            colour,
            bold,
            places: vec![(x, y - 9.0), (x, y + 10.0)],
        }
    };
    let seen = order
        .into_iter()
        .filter(|k| layout.sizes.holds(input.caps[*k].1 as f64));
    seen.map(name).collect()
}

/// Returns places at the line of the fixed batch, as far to the right as there is room.
fn places_of_batch(input: &Input, layout: &Layout) -> Vec<Point> {
    let (plot, batch) = (layout.plot, input.batch as f64);
    let y = layout.sizes.place_of(batch);
    let wide = label_width(&format!("batch {}", words::count(input.batch)), false);
    let xs = (0..=12).map(|i| plot.right - wide - (plot.width() - wide) * f64::from(i) / 12.0);
    xs.flat_map(|x| [(x, y - 9.0), (x, y + 10.0)])
        .filter(|_| layout.sizes.holds(batch))
        .collect()
}

/// Returns the areas that lines cover.
fn obstacles(input: &Input, layout: &Layout) -> Vec<Area> {
    let curves = input.tables();
    curves
        .flat_map(|table| covered(layout, |length| u64::from(table.batch_at(length))))
        .collect()
}
