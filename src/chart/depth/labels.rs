//! Names at the ends of the lines, moved apart; what the needle points at; what the hatch means.

use super::axis::Vertical;
use super::curves::parts;
use super::{Curve, Input, Layout};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Point, Rgb, Scene, apart};
use crate::order;
use crate::packing::Depth;
use crate::words;

/// Height of a line of text.
const LINE: f64 = 15.0;
/// From the end of a line to its name.
const GAP: f64 = 12.0;
/// Lines nearer than this at every depth are one line to the eye.
const SAME: f64 = 0.75;
/// What the hatch means, on two lines.
const NO_PLAN: [&str; 2] = ["no plan", "is above"];

/// The names of all curves that coincide.
struct Label {
    lines: Vec<String>,
    /// The end of the curves.
    end: Point,
    /// The middle of the first line, once moved.
    y: f64,
    colour: Rgb,
    bold: bool,
}

impl Label {
    fn height(&self) -> f64 {
        LINE * self.lines.len() as f64 + 2.0
    }

    fn width(&self) -> f64 {
        self.lines.iter().map(|line| label_width(line, self.bold)).fold(0.0, f64::max)
    }
}

/// Room that the names need at the right.
pub(super) fn margin(input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) -> f64 {
    let widest = grouped(input, vertical, layout, frame).iter().map(Label::width).fold(0.0, f64::max);
    // Whether this needs room is known only when the room is.
    let widest = widest.max(label_width(NO_PLAN[1], false));
    // Widths are estimates: in the widest fonts a name is a few pixels longer.
    (widest + GAP + 7.0).clamp(14.0, frame.width * 0.4)
}

/// Writes the names.
pub(super) fn names(scene: &mut Scene, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    let mut labels = grouped(input, vertical, layout, frame);
    order::sort_by(&mut labels, |a, b| a.end.1.total_cmp(&b.end.1));
    let wants: Vec<_> = labels.iter().map(|label| (label.end.1 - LINE / 2.0, label.height())).collect();
    let tops = apart::moved(&wants, layout.plot.top - 4.0, layout.plot.bottom + 10.0);
    labels.iter_mut().zip(tops).for_each(|(label, top)| label.y = top + LINE / 2.0);
    for label in labels {
        let x = layout.plot.right + GAP;
        if (label.y - label.end.1).abs() > LINE * 0.6 && label.end.0 >= layout.plot.right - 1.0 {
            scene.path(vec![(label.end.0 + 4.0, label.end.1), (x - 3.0, label.y)], 1.0, frame.theme.hairline);
        }
        for (i, line) in label.lines.into_iter().enumerate() {
            let lesser = i > 0 && label.bold;
            let colour = if lesser { frame.theme.second_ink } else { label.colour };
            scene.label(line, (x, label.y + LINE * i as f64), -1, colour, label.bold && !lesser);
        }
    }
}

/// One label for each line that the eye can tell from the others, the chosen one and the bound among them.
fn grouped(input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) -> Vec<Label> {
    let theme = frame.theme;
    let mut groups: Vec<Vec<usize>> = vec![];
    for i in 0..input.curves.len() {
        let same = |group: &&mut Vec<usize>| {
            coincide(input.curves[group[0]].values, input.curves[i].values, vertical)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    let end = |values: &[Option<f64>]| parts(values, vertical, layout).last().and_then(|p| p.last().copied());
    // Where the drawing has no room for it, the name of the bound says what it is; not on a phone.
    let unplaced = frame.width >= 400.0 && free_above(input, vertical, layout).is_none();
    let unplaced: Vec<String> = NO_PLAN.iter().filter(|_| unplaced).map(|w| (*w).to_owned()).collect();
    let mut bounded = false;
    let mut labels: Vec<Label> = vec![];
    for group in groups {
        let Curve { values, .. } = input.curves[group[0]];
        let Some(end) = end(values) else { continue };
        let bold = input.chosen.is_some_and(|chosen| group.contains(&chosen));
        let mut lines = lines(&group, input, frame);
        if coincide(values, input.bound, vertical) {
            bounded = true;
            lines.push("= bound".to_owned());
            lines.extend(unplaced.clone());
        }
        labels.push(Label { lines, end, y: 0.0, colour: if bold { theme.accent } else { theme.ink }, bold });
    }
    if let Some(end) = end(input.bound).filter(|_| !bounded) {
        let lines = std::iter::once("bound".to_owned()).chain(unplaced).collect();
        labels.push(Label { lines, end, y: 0.0, colour: theme.second_ink, bold: false });
    }
    labels
}

/// The names of a group: the chosen one first, on as few lines as there is width for.
fn lines(group: &[usize], input: &Input, frame: &Frame) -> Vec<String> {
    let chosen = group.iter().filter(|i| input.chosen == Some(**i));
    let others = group.iter().filter(|i| input.chosen != Some(**i));
    let mut lines: Vec<String> = vec![];
    for (n, i) in chosen.chain(others).enumerate() {
        let name = input.curves[*i].name;
        // The chosen name stands by itself: only it has the accent.
        let alone = n == 1 && group.iter().any(|i| input.chosen == Some(*i));
        match lines.last_mut() {
            Some(line) if !alone && label_width(&format!("{line}, {name}"), false) < frame.width * 0.2 => {
                *line = format!("{line}, {name}");
            }
            _ => lines.push(name.to_owned()),
        }
    }
    lines
}

fn coincide(a: &[Option<f64>], b: &[Option<f64>], vertical: &Vertical) -> bool {
    a.len() == b.len()
        && a.iter().any(Option::is_some)
        && a.iter().zip(b).all(|pair| match pair {
            (Some(a), Some(b)) => (vertical.y(*a) - vertical.y(*b)).abs() < SAME,
            (a, b) => a.is_none() && b.is_none(),
        })
}

/// "89.48 % at depth 3", above the needle.
pub(super) fn needle(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some((index, value)) = input.depth.zip(input.needle()) else { return };
    let Some((x, depth)) = layout.xs.get(index).zip(input.depths.get(index)) else { return };
    let at = match depth {
        Depth::AtMost(n) => format!("at depth {n}"),
        Depth::Unlimited => "at any depth".to_owned(),
    };
    let words = format!("{} {at}", words::efficiency(value));
    let half = label_width(&words, true) / 2.0;
    let x = x.min(frame.width - half).max(half);
    scene.label(words, (x, 9.0), 0, frame.theme.accent, true);
}

/// "no plan is above", in the first free place above the bound.
pub(super) fn no_plan(scene: &mut Scene, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    if let Some(area) = free_above(input, vertical, layout) {
        scene.rect(area, frame.theme.background);
        for (words, y) in NO_PLAN.into_iter().zip([0.5, 1.5]) {
            let at = (area.left, area.top + y * LINE);
            scene.label(words, at, -1, frame.theme.second_ink, false);
        }
    }
}

/// The first place above the bound, and not on the needle, with room for the words.
fn free_above(input: &Input, vertical: &Vertical, layout: &Layout) -> Option<Area> {
    let bound = parts(input.bound, vertical, layout).concat();
    let size = (label_width("is above", false), 2.0 * LINE);
    let needle = input.depth.and_then(|i| layout.xs.get(i)).copied();
    let free = |area: &Area| {
        let clear = needle.is_none_or(|x| x < area.left - 4.0 || x > area.right + 4.0);
        clear
            && bound.len() > 1
            && area.right < layout.plot.right
            && highest(&bound, area) > area.bottom + 10.0
    };
    let columns =
        (0..).map(|i| layout.plot.left + 8.0 + 6.0 * f64::from(i)).take_while(|x| *x < layout.plot.right);
    let mut places = columns.flat_map(|left| {
        let tops = [34.0, 14.0, 4.0].map(|d| layout.plot.top + d);
        tops.map(|top| Area { left, top, right: left + size.0, bottom: top + size.1 })
    });
    places.find(free)
}

/// The smallest y of a line above an area's width.
fn highest(line: &[Point], area: &Area) -> f64 {
    let y_at = |x: f64| {
        let pair = line.windows(2).find(|p| p[0].0 <= x && x <= p[1].0)?;
        let share = (x - pair[0].0) / (pair[1].0 - pair[0].0).max(1e-9);
        Some(pair[0].1 + (pair[1].1 - pair[0].1) * share)
    };
    let (left, right) = (area.left - 6.0, area.right + 6.0);
    let corners = line.iter().filter(|p| (left..=right).contains(&p.0)).map(|p| p.1);
    corners.chain(y_at(left)).chain(y_at(right)).fold(f64::INFINITY, f64::min)
}
