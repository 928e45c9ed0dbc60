//! What is written into the drawing: the limit, and the bars that are cut.

use super::axes::Vertical;
use super::{Bin, Input, Layout};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Scene};
use crate::order;
use crate::words;

/// Height of one label of a cut bar, two lines.
const TOWER: f64 = 34.0;

/// Where the needle is: at the upper edge of the limit, a little off the bars where they end there.
pub(super) fn needle(input: &Input, layout: &Layout) -> f64 {
    let gap = if input.limit >= layout.end { 5.0 } else { 0.0 };
    layout.edge(f64::from(input.limit.min(layout.end)) + 0.5) + gap
}

/// The limit's line with its handle and name, and how much is longer.
pub(super) fn limit(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let ((x, y), accent) = (layout.handle, frame.theme.accent);
    scene.needle((x, y), layout.plot.bottom + 1.0, accent);

    let name = format!("limit {}", words::count(u64::from(input.limit)));
    let width = label_width(&name, true);
    let fits_left = x - 12.0 - width >= 0.0;
    let (at, anchor) = if fits_left { (x - 12.0, 1) } else { (x + 12.0, -1) };
    scene.label(name, (at, y - 1.0), anchor, accent, true);

    let longer: u64 = input.entries.iter().filter(|(l, _)| *l > input.limit).map(|(_, n)| n).sum();
    if longer > 0 {
        let from = if fits_left { x + 12.0 } else { at + width + 10.0 };
        over(scene, longer, input, from, y - 1.0, frame);
    }
}

/// How many items are longer than the limit, in as many words as there is room for.
fn over(scene: &mut Scene, longer: u64, input: &Input, from: f64, y: f64, frame: &Frame) {
    let share = words::percent(longer as f64 / input.total().max(1) as f64);
    let long = format!("{} {} are longer: {share}", words::count(longer), input.items);
    let words = [long, format!("{share} are longer"), share];
    if let Some(words) = words.into_iter().find(|w| from + label_width(w, false) <= frame.width) {
        scene.label(words, (from, y), -1, frame.theme.second_ink, false);
    }
}

/// The two lines of a cut bar, and where they are.
struct Label {
    lines: [String; 2],
    area: Area,
    anchor: i8,
}

/// How far the bars are to stay below the upper edge, so that none is behind a label.
pub(super) fn headroom(input: &Input, vertical: &Vertical, layout: &Layout) -> f64 {
    let labels = placed(input, vertical, layout);
    let behind = |label: &Label| {
        layout.bins.iter().filter(|bin| !vertical.is_cut(bin)).any(|bin| {
            let (left, right) = layout.sides(bin);
            let top = vertical.y(bin.count);
            right > label.area.left && left < label.area.right && top < label.area.bottom + 6.0
        })
    };
    let lowest = labels.iter().filter(|l| behind(l)).map(|l| l.area.bottom + 6.0 - layout.plot.top);
    lowest.fold(0.0, f64::max)
}

/// Writes beside each cut bar what it stands for.
pub(super) fn towers(scene: &mut Scene, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    for label in placed(input, vertical, layout) {
        let x = if label.anchor > 0 { label.area.right } else { label.area.left };
        let [first, second] = label.lines;
        // Grid lines stop at the words.
        scene.rect(label.area, frame.theme.background);
        scene.label(first, (x, label.area.top + 8.0), label.anchor, frame.theme.ink, true);
        scene.label(second, (x, label.area.top + 25.0), label.anchor, frame.theme.second_ink, false);
    }
}

/// The labels, the highest bar first, one below the other.
fn placed(input: &Input, vertical: &Vertical, layout: &Layout) -> Vec<Label> {
    let mut cut: Vec<&Bin> = layout.bins.iter().filter(|bin| vertical.is_cut(bin)).collect();
    order::sort_by_key(&mut cut, |bin| std::cmp::Reverse(bin.count));
    let place = |(i, bin): (usize, &&Bin)| {
        let lines = words(bin, input);
        let width = label_width(&lines[0], true).max(label_width(&lines[1], false));
        let (left, right) = layout.sides(bin);
        let top = layout.plot.top + TOWER * i as f64;
        let before = left - 10.0 - width >= layout.plot.left;
        let (left, right) =
            if before { (left - 10.0 - width, left - 10.0) } else { (right + 10.0, right + 10.0 + width) };
        let area = Area { left, top, right, bottom: top + TOWER - 2.0 };
        Label { lines, area, anchor: if before { 1 } else { -1 } }
    };
    cut.iter().enumerate().map(place).collect()
}

/// A bar of several lengths that is nearly all one length is named after it.
fn words(bin: &Bin, input: &Input) -> [String; 2] {
    let within = input.entries.iter().filter(|(l, _)| (bin.from..=bin.to).contains(l));
    let (length, most) = within.max_by_key(|(_, n)| *n).copied().unwrap_or((bin.from, bin.count));
    let one = most as f64 >= 0.9 * bin.count as f64;
    let count = if one { most } else { bin.count };
    let of = match (one, length == input.limit) {
        (true, true) => format!("fill all {}", words::count(u64::from(length))),
        (true, false) => format!("of {} {}", words::count(u64::from(length)), input.unit),
        (false, _) => {
            format!("of {} to {}", words::count(u64::from(bin.from)), words::count(u64::from(bin.to)))
        }
    };
    let share = words::percent(count as f64 / input.total().max(1) as f64);
    [format!("{} {} {of}", words::count(count), input.items), format!("{share} of the data; bar cut")]
}
