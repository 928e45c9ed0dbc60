//! Names at the ends of the lines, the figure at the needle, and the key to the hatch.

use super::{Input, Layout, parts};
use crate::{
    Area, EndName, EndNames, Frame, Pen, Point, Strokes, centred, end_names::LINE, label_width,
};
use packscope::packing::Depth;
use packscope::words;

/// Distance from the end of a line to its name.
const GAP: f64 = 12.0;
/// Lines closer than this at every depth look like one line.
const SAME: f64 = 0.75;
/// The key to the hatch, on two lines.
const NO_PLAN: [&str; 2] = ["no plan", "is above"];

/// Returns the room for the names at the right.
pub(super) fn margin(input: &Input, layout: &Layout, frame: &Frame) -> f64 {
    let names = grouped(input, layout, frame);
    let widest = names.iter().map(EndName::width).fold(0.0, f64::max);
    // Whether the key needs room is known only once the room is.
    let widest = widest.max(label_width(NO_PLAN[1], false));
    // Widths are estimates: in the widest fonts a name is a few pixels longer.
    (widest + GAP + 7.0).clamp(14.0, frame.width * 0.4)
}

pub(super) fn names(pen: &mut Pen, input: &Input, layout: &Layout) {
    let names = grouped(input, layout, pen.frame);
    let strokes = Strokes {
        from: 4.0,
        least: LINE * 0.6,
        at_edge: true,
        colour: pen.theme.hairline,
    };
    EndNames {
        gap: GAP,
        beyond: [4.0, 10.0],
        first_line: true,
        strokes: Some(strokes),
    }
    .write(pen, layout.plot, names);
}

/// Returns one name for each line that can be told from the others; the chosen one and the bound are among them.
fn grouped(input: &Input, layout: &Layout, frame: &Frame) -> Vec<EndName> {
    let theme = frame.theme;
    let mut groups: Vec<Vec<usize>> = vec![];
    // Each is compared with the first of a group alone: by chains of near lines a group would come
    // to hold lines that are far apart.
    for i in 0..input.curves.len() {
        let same = |group: &&mut Vec<usize>| {
            coincide(
                &input.curves[group[0]].values,
                &input.curves[i].values,
                layout,
            )
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    let end = |values: &[Option<f64>]| parts(values, layout).last().and_then(|p| p.last().copied());
    // If the drawing has no room for the key, the name of the bound includes it; not on a phone.
    let unplaced = frame.width >= 400.0 && free_above(input, layout).is_none();
    let unplaced = || {
        NO_PLAN
            .iter()
            .filter(|_| unplaced)
            .map(|line| (*line).to_owned())
    };
    let name = |lines: Vec<String>, end, colour, bold| {
        let style = |(i, line)| {
            // Only the chosen name is in bold and in the accent, which is the first of its group.
            if bold && i > 0 {
                (line, theme.second_ink, false)
            } else {
                (line, colour, bold)
            }
        };
        EndName {
            lines: lines.into_iter().enumerate().map(style).collect(),
            margins: [0.0, 2.0],
            end,
        }
    };
    let mut bounded = false;
    let mut names = vec![];
    for group in groups {
        let values = &input.curves[group[0]].values;
        let Some(end) = end(values) else { continue };
        let bold = input.chosen.is_some_and(|chosen| group.contains(&chosen));
        let mut lines = lines(&group, input, frame);
        if coincide(values, &input.bound, layout) {
            bounded = true;
            lines.extend(std::iter::once("= bound".to_owned()).chain(unplaced()));
        }
        names.push(name(
            lines,
            end,
            if bold { theme.accent } else { theme.ink },
            bold,
        ));
    }
    if let Some(end) = end(&input.bound).filter(|_| !bounded) {
        let lines = std::iter::once("bound".to_owned())
            .chain(unplaced())
            .collect();
        names.push(name(lines, end, theme.second_ink, false));
    }
    names
}

/// Returns the names of a group, the chosen one first, on as few lines as the width allows.
fn lines(group: &[usize], input: &Input, frame: &Frame) -> Vec<String> {
    let chosen = group.iter().filter(|i| input.chosen == Some(**i));
    let others = group.iter().filter(|i| input.chosen != Some(**i));
    let mut lines: Vec<String> = vec![];
    for (n, i) in chosen.chain(others).enumerate() {
        let name = input.curves[*i].name;
        // The chosen name has a line of its own, as only it has the accent.
        let alone = n == 1 && group.iter().any(|i| input.chosen == Some(*i));
        match lines.last_mut() {
            Some(line)
                if !alone && label_width(&format!("{line}, {name}"), false) < frame.width * 0.2 =>
            {
                *line = format!("{line}, {name}");
            }
            _ => lines.push(name.to_owned()),
        }
    }
    lines
}

fn coincide(a: &[Option<f64>], b: &[Option<f64>], layout: &Layout) -> bool {
    a.len() == b.len()
        && a.iter().any(Option::is_some)
        && a.iter().zip(b).all(|pair| match pair {
            (Some(a), Some(b)) => (layout.vertical.y(*a) - layout.vertical.y(*b)).abs() < SAME,
            (a, b) => a.is_none() && b.is_none(),
        })
}

/// Writes "89.48 % at depth 3" above the needle.
pub(super) fn needle(pen: &mut Pen, input: &Input, layout: &Layout) {
    let Some((index, value)) = input.depth.zip(input.needle()) else {
        return;
    };
    let Some((x, depth)) = layout.xs.get(index).zip(input.depths.get(index)) else {
        return;
    };
    let at = match depth {
        Depth::AtMost(n) => format!("at depth {n}"),
        Depth::Unlimited => "with no limit on depth".to_owned(),
    };
    let words = format!("{} {at}", words::efficiency(value));
    let x = centred(*x, label_width(&words, true) / 2.0, [0.0, pen.frame.width]);
    pen.label(words, (x, 9.0), 0, pen.theme.accent, true);
}

/// Writes "no plan is above" at the first free place above the bound.
pub(super) fn no_plan(pen: &mut Pen, input: &Input, layout: &Layout) {
    if let Some(area) = free_above(input, layout) {
        pen.rect(area, pen.theme.background);
        pen.labels(
            NO_PLAN,
            (area.left, area.top),
            LINE,
            -1,
            (pen.theme.second_ink, false),
        );
    }
}

/// Returns the first place above the bound, off the needle, with room for the words.
fn free_above(input: &Input, layout: &Layout) -> Option<Area> {
    let bound = parts(&input.bound, layout).concat();
    let width = label_width(NO_PLAN[1], false);
    let needle = input.depth.and_then(|i| layout.xs.get(i)).copied();
    let free = |area: &Area| {
        let clear = needle.is_none_or(|x| x < area.left - 4.0 || x > area.right + 4.0);
        clear
            && bound.len() > 1
            && area.right < layout.plot.right
            && highest(&bound, area) > area.bottom + 10.0
    };
    // From the left: more depth allows at least as much, so the bound rises to the right, and the
    // room above it is largest at the left.
    let columns = (0..)
        .map(|i| layout.plot.left + 8.0 + 6.0 * f64::from(i))
        .take_while(|x| *x < layout.plot.right);
    let mut places = columns.flat_map(|left| {
        let tops = [34.0, 14.0, 4.0].map(|d| layout.plot.top + d);
        tops.map(|top| Area::sized((left, top), width, 2.0 * LINE))
    });
    places.find(free)
}

/// Returns the smallest y of a line over the width of an area.
fn highest(line: &[Point], area: &Area) -> f64 {
    let y_at = |x: f64| {
        let pair = line.windows(2).find(|p| p[0].0 <= x && x <= p[1].0)?;
        let share = (x - pair[0].0) / (pair[1].0 - pair[0].0).max(1e-9);
        Some(pair[0].1 + (pair[1].1 - pair[0].1) * share)
    };
    // y grows downwards. Between its corners a line is highest at the ends of the range.
    let (left, right) = (area.left - 6.0, area.right + 6.0);
    let corners = line
        .iter()
        .filter(|p| (left..=right).contains(&p.0))
        .map(|p| p.1);
    corners
        .chain(y_at(left))
        .chain(y_at(right))
        .fold(f64::INFINITY, f64::min)
}
