//! Names at the ends of the lines, and what the needle points at.

use super::{HANDLE, Input, Layout, curves};
use crate::chart::scene::{fitted, label_width};
use crate::chart::{Frame, Point, Rgb, Scene, apart};
use crate::order;
use crate::words;

/// Height of a line of text.
const LINE: f64 = 15.0;
/// Between names on two lines.
const APART: f64 = 4.0;
/// From the end of a line to its name.
const GAP: f64 = 12.0;
/// Narrower drawings have longer names on two lines.
const NARROW: f64 = 480.0;
/// Names take up no more of the width than this.
const NAMES: f64 = 0.36;
/// What the line across at 1 is.
const PADDED: &str = "padded";

struct Label<'a> {
    lines: Vec<&'a str>,
    end: Point,
    colour: Rgb,
    bold: bool,
}

impl Label<'_> {
    fn height(&self) -> f64 {
        LINE * self.lines.len() as f64 + if self.lines.len() > 1 { APART } else { 0.0 }
    }
}

/// Room that the names need at the right.
pub(super) fn margin(input: &Input, frame: &Frame) -> f64 {
    let lines = input.curves.iter().flat_map(|curve| lines(curve.name, frame));
    let widest = lines.chain([PADDED]).map(|line| label_width(line, true)).fold(0.0, f64::max);
    (widest + GAP + 2.0).min(frame.width * NAMES)
}

/// A name on one line, or on narrow drawings on two.
fn lines<'a>(name: &'a str, frame: &Frame) -> Vec<&'a str> {
    let comma = name.find(", ").map(|at| name.split_at(at + 1));
    let parted = comma.or_else(|| name.rsplit_once(' ')).filter(|_| frame.width < NARROW);
    parted.map_or_else(|| vec![name], |(first, second)| vec![first, second.trim_start()])
}

/// Writes the names, the line of padded rows among them.
pub(super) fn names(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let mut labels = wanted(input, layout, frame);
    order::sort_by(&mut labels, |a, b| a.end.1.total_cmp(&b.end.1));
    let want = |label: &Label| (label.end.1 - label.height() / 2.0, label.height());
    let wants: Vec<_> = labels.iter().map(want).collect();
    let tops = apart::moved(&wants, layout.plot.top - LINE / 2.0, layout.plot.bottom + LINE / 2.0);
    let x = layout.plot.right + GAP;
    for (label, top) in labels.into_iter().zip(tops) {
        let middle = top + label.height() / 2.0;
        if (middle - label.end.1).abs() > LINE * 0.4 {
            scene.path(vec![(label.end.0 + 3.0, label.end.1), (x - 3.0, middle)], 1.0, frame.theme.control);
        }
        for (i, line) in label.lines.iter().enumerate() {
            let y = middle + LINE * (i as f64 + 0.5 - label.lines.len() as f64 / 2.0);
            scene.label(fitted(line, frame.width - x, label.bold), (x, y), -1, label.colour, label.bold);
        }
    }
}

/// The names, that of the chosen method first: as many as there is height for.
fn wanted<'a>(input: &Input<'a>, layout: &Layout, frame: &Frame) -> Vec<Label<'a>> {
    let theme = frame.theme;
    let mut order: Vec<usize> = (0..input.curves.len()).collect();
    order::sort_by_key(&mut order, |i| input.chosen != Some(*i));
    let of_curve = |i: usize| {
        let (curve, bold) = (&input.curves[i], input.chosen == Some(i));
        let colour = if bold { theme.accent } else { theme.ink };
        Some(Label { lines: lines(curve.name, frame), end: curves::end(curve, layout)?, colour, bold })
    };
    let padded = (layout.plot.right, layout.y(1.0));
    let padded = Label { lines: vec![PADDED], end: padded, colour: theme.second_ink, bold: false };
    let mut free = layout.plot.height() + LINE;
    let fits = |label: &Label| {
        let fits = label.height() <= free;
        free -= if fits { label.height() } else { 0.0 };
        fits
    };
    order.into_iter().filter_map(of_curve).chain([padded]).filter(fits).collect()
}

/// "1.92× with 64 accelerators", beside the needle's handle.
pub(super) fn needle(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let n = words::plural(u64::from(input.accelerators), "accelerator");
    let value = input.chosen.and_then(|i| input.curves.get(i)?.at(input.accelerators));
    let long = value.map(|value| format!("{} with {n}", words::factor(value)));
    let x = layout.x(input.accelerators);
    let fits = |words: &String| label_width(words, true) + 12.0 <= x.max(frame.width - x);
    let Some(words) = long.into_iter().chain([n]).find(fits) else { return };
    let (at, anchor) =
        if x + 12.0 + label_width(&words, true) <= frame.width { (x + 12.0, -1) } else { (x - 12.0, 1) };
    scene.label(words, (at, HANDLE - 1.0), anchor, frame.theme.accent, true);
}
