//! Axes, and names at the lines.

use super::{Input, Layout, lines};
use crate::chart::axes::{self, Tick};
use crate::chart::scene::{LABEL, label_width};
use crate::chart::{Area, Frame, Point, Rgb, Scene, ticks};
use crate::order;
use crate::sampler::HwCap;
use crate::words;

/// The name of the vertical axis, and lengths below.
pub(super) fn axes(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (theme, data) = (frame.theme, layout.data);
    scene.label("sequences in a batch, at most", (0.0, 9.0), -1, theme.second_ink, false);
    scene.rule((data.left, data.bottom), (data.right, data.bottom), 1.0, theme.ink);
    let widest = label_width(&words::count(u64::from(input.limit)), false);
    let step = ticks::length_step(input.limit.max(1), data.width() / (widest + 26.0)).max(1);
    let rounds = (0..=input.limit / step).map(|i| i * step);
    let ticks: Vec<Tick> = rounds.map(|l| (layout.x(l), words::count(u64::from(l)))).collect();
    let (last, others) = ticks.split_last().map_or((None, &[][..]), |(last, others)| (Some(last), others));
    // The last tick says what is counted.
    let text = last.map_or_else(String::new, |(_, text)| format!("{text} {}", input.unit));
    let wide = label_width(&text, false);
    let right = last.map_or(0.0, |(x, _)| x + wide / 2.0).min(frame.width);
    axes::below(scene, data, others, "", right - wide - 10.0, frame);
    if let Some((x, _)) = last {
        scene.rule((x - 0.5, data.bottom), (x - 0.5, data.bottom + 5.0), 1.0, theme.second_ink);
        scene.label(text, (right, data.bottom + 15.0), 1, theme.second_ink, false);
    }
}

/// A name that wants a place.
struct Name {
    text: String,
    /// Where there is less room.
    short: String,
    colour: Rgb,
    bold: bool,
    /// Left ends of its middle, the best first.
    places: Vec<Point>,
}

/// Names at their lines, each at the first of its places where no other name and no line is.
pub(super) fn names(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    let mut names = vec![Name {
        text: "HWCap".to_owned(),
        short: String::new(),
        colour: theme.ink,
        bold: true,
        places: right_of(input.hwcap, input, layout),
    }];
    names.extend(of_epochs(input, layout, frame));
    names.push(of_batch(input, layout, frame));
    if let Some(table) = input.published {
        let places = right_of(table, input, layout).into_iter().chain(left_of(table, input, layout));
        let text = "table of the paper".to_owned();
        names.push(Name {
            text,
            short: String::new(),
            colour: theme.second_ink,
            bold: false,
            places: places.collect(),
        });
    }
    let lines = obstacles(input, layout);
    let mut taken: Vec<Area> = vec![];
    for name in names {
        let area = |text: &str, (x, y): Point| {
            let right = x + label_width(text, name.bold);
            Area { left: x, top: y - LABEL / 2.0, right, bottom: y + LABEL / 2.0 }
        };
        let within = Area { right: frame.width, ..layout.plot.grown(4.0) };
        let inside = |a: &Area| within.contains(a.left, a.top) && within.contains(a.right, a.bottom);
        let free = |a: &Area| {
            !taken.iter().any(|other| other.meets(&a.grown(2.0))) && !lines.iter().any(|line| line.meets(a))
        };
        let texts = [&name.text, &name.short].into_iter().filter(|text| !text.is_empty());
        let tried = texts.flat_map(|text| name.places.iter().map(move |at| (text, *at)));
        let mut tried = tried.map(|(text, at)| (text, at, area(text, at)));
        if let Some((text, at, area)) = tried.find(|(_, _, area)| inside(area) && free(area)) {
            scene.label(text, at, -1, name.colour, name.bold);
            taken.push(area);
        }
    }
}

/// What the bars are, beside them where they are low.
pub(super) fn data(scene: &mut Scene, bars: &[Area], layout: &Layout, frame: &Frame) {
    let (area, text) = (layout.data, "lengths of the data");
    let (wide, y) = (label_width(text, false), layout.data.bottom - 13.0);
    let behind = |left: f64| {
        let place = Area { left, top: y - 8.0, right: left + wide, bottom: y + 7.0 };
        bars.iter().any(|bar| bar.meets(&place)) || left < area.left || place.right > area.right
    };
    let places =
        (0..=8).map(|i| area.right - wide - 14.0 - (area.width() - wide - 14.0) * f64::from(i) / 8.0);
    if let Some(left) = places.into_iter().find(|left| !behind(*left)).filter(|_| area.height() >= 24.0) {
        scene.label(text, (left, y), -1, frame.theme.second_ink, false);
    }
}

/// Lengths along the axis at which names are tried.
fn tried(input: &Input) -> impl Iterator<Item = u32> {
    let limit = input.limit.max(1);
    (2..24).map(move |i| (u64::from(limit) * i / 24).max(1) as u32)
}

/// Above and to the right of a line that falls.
fn right_of(table: &HwCap, input: &Input, layout: &Layout) -> Vec<Point> {
    let at = |length| (layout.x(length) + 6.0, layout.sizes.y(f64::from(table.at(length))) - 8.0);
    tried(input).map(at).collect()
}

/// Below and to the left of it.
fn left_of(table: &HwCap, input: &Input, layout: &Layout) -> Vec<Point> {
    let at = |length| {
        let x = layout.x(length) - label_width("table of the paper", false);
        (x, layout.sizes.y(f64::from(table.at(length))) + 12.0)
    };
    tried(input).map(at).collect()
}

/// Caps at the left end of their lines, the chosen one first.
fn of_epochs(input: &Input, layout: &Layout, frame: &Frame) -> Vec<Name> {
    let mut order: Vec<usize> = (0..input.caps.len()).collect();
    order::sort_by_key(&mut order, |k| *k != input.chosen);
    let name = |k: usize| {
        let (name, cap) = &input.caps[k];
        let y = layout.sizes.y(*cap as f64);
        let bold = k == input.chosen;
        let x = layout.plot.left + 6.0;
        Name {
            text: format!("{name}: {}", words::count(*cap)),
            short: words::count(*cap),
            colour: if bold { frame.theme.accent } else { frame.theme.second_ink },
            bold,
            places: vec![(x, y - 9.0), (x, y + 10.0)],
        }
    };
    let seen = order.into_iter().filter(|k| layout.sizes.holds(input.caps[*k].1 as f64));
    seen.map(name).collect()
}

/// The fixed batch, at its line: as far to the right as there is room.
fn of_batch(input: &Input, layout: &Layout, frame: &Frame) -> Name {
    let (plot, text) = (layout.plot, format!("batch {}", words::count(input.batch)));
    let y = layout.sizes.y(input.batch as f64);
    let wide = label_width(&text, false);
    let xs = (0..=12).map(|i| plot.right - wide - (plot.width() - wide) * f64::from(i) / 12.0);
    let places = xs.flat_map(|x| [(x, y - 9.0), (x, y + 10.0)]);
    let places = places.filter(|_| layout.sizes.holds(input.batch as f64)).collect();
    Name { text, short: String::new(), colour: frame.theme.second_ink, bold: false, places }
}

/// Where lines are.
fn obstacles(input: &Input, layout: &Layout) -> Vec<Area> {
    let curves = [Some(input.hwcap), input.published].into_iter().flatten();
    curves.flat_map(|table| lines::covered(layout, |length| u64::from(table.at(length)))).collect()
}
