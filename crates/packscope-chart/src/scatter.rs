//! Dots over two axes, every one named: dots that are close to each other share a name.

use super::lines::{self, Dot, Quantity};
use super::{
    Area, Chart, LABEL, Look, OccupiedAreas, Pen, Plane, Point, Scale, label_area, label_width,
    nearest,
};
use packscope::words::tick_percent;

/// Data and settings of the drawing.
#[derive(Debug, Clone)]
pub struct Input {
    /// The axes.
    plane: lines::Input,
    /// The dots; the first ones are above the others, and named first.
    dots: Vec<Dot>,
}

/// Shares up to this are at the lower end of their axis.
const LEAST: f64 = 1e-3;
/// Radius of a dot.
const DOT: f64 = 4.0;
/// Distance from a dot to its name.
const GAP: f64 = 10.0;
/// Height of a line of words.
const LINE: f64 = 15.0;
/// Maximum share of the width for a name, and its maximum width in pixels.
const WIDEST: (f64, f64) = (0.42, 230.0);

/// Returns a logarithmic axis of shares, which begins at a power of ten, but not below a thousandth.
pub fn shares(name: &'static str, values: impl Iterator<Item = f64> + Clone) -> Quantity {
    let least = values.clone().fold(1.0, f64::min);
    let most = values.fold(0.0, f64::max);
    let low = [0.1, 0.01]
        .into_iter()
        .find(|low| least >= *low)
        .unwrap_or(LEAST);
    let label = |share: f64| {
        let words = tick_percent(share);
        if share <= LEAST {
            format!("≤ {words}")
        } else {
            words
        }
    };
    Quantity {
        name: name.into(),
        range: [low, (most * 1.5).max(10.0 * low)],
        scale: Scale::Log,
        label,
    }
}

impl Input {
    /// Creates a drawing of named dots.
    pub fn new(x: Quantity, y: Quantity, dots: Vec<Dot>) -> Self {
        Self {
            plane: lines::Input {
                x,
                y,
                lines: Vec::new(),
                needle: None,
                dots: Vec::new(),
            },
            dots,
        }
    }
}

impl Chart for Input {
    /// Takes O(dots³) time.
    fn draw(&self, pen: &mut Pen) {
        self.plane.draw(pen);
        let layout = lines::layout(&self.plane, pen.frame);
        let places: Vec<Point> = self.dots.iter().map(|dot| layout.point(dot.at)).collect();
        let names = names(&self.dots, &places, &layout, pen.frame.width);
        for name in names.iter().filter(|name| name.moved) {
            pen.path(
                vec![name.dot, nearest(name.area, name.dot)],
                1.0,
                pen.theme.control,
            );
        }
        // Backwards, so that the first dots lie above the others.
        for (dot, at) in self.dots.iter().zip(&places).rev() {
            pen.dot(*at, DOT, pen.colour(dot.look));
        }
        for PlacedName {
            words, area, look, ..
        } in names
        {
            pen.label(
                words,
                (area.left, area.middle().1),
                -1,
                pen.colour(look),
                look == Look::Accent,
            );
        }
    }
}

/// A name in its place.
struct PlacedName {
    words: String,
    area: Area,
    look: Look,
    /// The dot that is named, the first of several.
    dot: Point,
    /// Whether the name is not beside it.
    moved: bool,
}

/// Returns the names of all dots. Dots share one within a distance, which grows until all names have room.
fn names(dots: &[Dot], places: &[Point], layout: &Plane, width: f64) -> Vec<PlacedName> {
    let mut near = DOT;
    loop {
        // Ends: a distance as wide as the drawing puts all dots into one group.
        let groups = groups(places, near);
        let (names, all) = place_names(&groups, dots, places, (layout.plot, width));
        if all || groups.len() < 2 {
            return names;
        }
        near *= 1.4;
    }
}

/// Returns the dots in groups, each within a distance of its first.
fn groups(places: &[Point], near: f64) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, (x, y)) in places.iter().enumerate() {
        let is_near = |group: &&mut Vec<usize>| {
            let first = places[group[0]];
            (first.0 - x).abs() <= near && (first.1 - y).abs() <= near
        };
        match groups.iter_mut().find(is_near) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    groups
}

/// Places a name for each group; returns those that have room, and whether all have.
fn place_names(
    groups: &[Vec<usize>],
    dots: &[Dot],
    places: &[Point],
    (plot, width): (Area, f64),
) -> (Vec<PlacedName>, bool) {
    let mut taken = OccupiedAreas(
        places
            .iter()
            .map(|at| Area::around(*at, DOT + 1.0, DOT + 1.0))
            .collect(),
    );
    // Widths are estimates.
    let within = Area {
        top: 0.0,
        right: width - 4.0,
        ..plot
    };
    let place = |group: &Vec<usize>| {
        let (dot, look) = (places[group[0]], dots[group[0]].look);
        let bold = look == Look::Accent;
        let words = words(group, dots, (width * WIDEST.0).min(WIDEST.1), bold);
        // At the height of the dot first, then ever farther above and below, each time right before
        // left.
        let off = (0..8).flat_map(|k| [-LINE * f64::from(k), LINE * f64::from(k)]);
        let beside = off.flat_map(|y| [(GAP, y, -1), (-GAP, y, 1)]);
        let areas = beside.map(|(x, y, anchor)| {
            (
                label_area(&words, (dot.0 + x, dot.1 + y), anchor, bold, LABEL / 2.0),
                y != 0.0,
            )
        });
        let (area, moved) =
            // The block moves the iterator out of its binding, since `find` needs it mutable.
            { areas }.find(|(area, _)| within.holds(area) && taken.take(*area, 1.0))?;
        Some(PlacedName {
            words,
            area,
            look,
            dot,
            moved,
        })
    };
    let names: Vec<PlacedName> = groups.iter().filter_map(place).collect();
    let all = names.len() == groups.len();
    (names, all)
}

/// Returns the names of a group that fit a width, at least the first, and the number of the others: "TRL, Axolotl +3".
fn words(group: &[usize], dots: &[Dot], width: f64, bold: bool) -> String {
    let joined = |n: usize| {
        let names: Vec<&str> = group[..n].iter().map(|i| dots[*i].name.as_str()).collect();
        let more = if n < group.len() {
            format!(" +{}", group.len() - n)
        } else {
            String::new()
        };
        names.join(", ") + &more
    };
    let fits = (1..=group.len())
        .rev()
        .map(joined)
        .find(|words| label_width(words, bold) <= width);
    fits.unwrap_or_else(|| joined(1))
}
