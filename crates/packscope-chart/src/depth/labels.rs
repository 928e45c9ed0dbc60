//! Names at the ends of the lines, and the key to the hatch.

use super::Input;
use super::axis::EfficiencyAxis;
use crate::{Area, EndName, Frame, Pen, Plane, Point, end_names::LINE, label_width};

/// Lines closer than this at every depth look like one line.
const SAME: f64 = 0.75;
/// The key to the hatch, on two lines.
pub(super) const NO_PLAN: [&str; 2] = ["no plan", "is above"];

/// Returns one name for each line that can be told from the others, among them the chosen one and, last, the bound.
/// The name of the bound ends with `key`.
pub(super) fn names(
    input: &Input,
    axis: &EfficiencyAxis,
    key: &[&str],
    frame: &Frame,
) -> Vec<EndName> {
    let theme = frame.theme;
    let mut groups: Vec<Vec<usize>> = vec![];
    // Each is compared with the first of a group alone: by chains of near lines a group would come
    // to hold lines that are far apart.
    for i in 0..input.curves.len() {
        let same = |group: &&mut Vec<usize>| {
            coincide(
                &input.curves[group[0]].values,
                &input.curves[i].values,
                axis,
            )
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    let end = |values: &[Option<f64>]| input.points(values, axis).into_iter().flatten().last();
    let key = || key.iter().map(|line| (*line).to_owned());
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
        if coincide(values, &input.bound, axis) {
            bounded = true;
            lines.extend(std::iter::once("= bound".to_owned()).chain(key()));
        }
        names.push(name(
            lines,
            end,
            if bold { theme.accent } else { theme.ink },
            bold,
        ));
    }
    if let Some(end) = end(&input.bound).filter(|_| !bounded) {
        let lines = std::iter::once("bound".to_owned()).chain(key()).collect();
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

fn coincide(a: &[Option<f64>], b: &[Option<f64>], axis: &EfficiencyAxis) -> bool {
    a.len() == b.len()
        && a.iter().any(Option::is_some)
        && a.iter().zip(b).all(|pair| match pair {
            (Some(a), Some(b)) => axis.distance(*a, *b).abs() < SAME,
            (a, b) => a.is_none() && b.is_none(),
        })
}

/// Writes the key to the hatch in its place.
pub(super) fn write_key(pen: &mut Pen, area: Area) {
    pen.rect(area, pen.theme.background);
    pen.labels(
        NO_PLAN,
        (area.left, area.top),
        LINE,
        -1,
        (pen.theme.second_ink, false),
    );
}

/// Returns the first place above the bound, off the needle, with room for the words.
pub(super) fn free_above(input: &Input, axis: &EfficiencyAxis, plane: &Plane) -> Option<Area> {
    let bound = input.points(&input.bound, axis).into_iter().flatten();
    let bound: Vec<Point> = bound.map(|at| plane.point(at)).collect();
    let width = label_width(NO_PLAN[1], false);
    let needle = input.depth.map(|i| plane.x(i as f64));
    let free = |area: &Area| {
        let clear = needle.is_none_or(|x| x < area.left - 4.0 || x > area.right + 4.0);
        clear
            && bound.len() > 1
            && area.right < plane.plot.right
            && highest(&bound, area) > area.bottom + 10.0
    };
    // From the left: more depth allows at least as much, so the bound rises to the right, and the
    // room above it is largest at the left.
    let columns = (0..)
        .map(|i| plane.plot.left + 8.0 + 6.0 * f64::from(i))
        .take_while(|x| *x < plane.plot.right);
    let mut places = columns.flat_map(|left| {
        let tops = [34.0, 14.0, 4.0].map(|d| plane.plot.top + d);
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
