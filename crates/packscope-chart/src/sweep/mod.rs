//! Efficiency of both components over both limits: a map that fills in while it is computed.

mod field;
mod marks;

use super::{
    Area, BELOW, Chart, Frame, OccupiedAreas, Pen, Point as Place, Spot, Theme, axis, both_short,
    colour_bar, further, singular, viridis, widest,
};
pub use field::Field;
use packscope::histogram::Attention;
use packscope::sweep::SweepPoint;
use packscope::words;
use std::rc::Rc;

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The limits tried per component, ascending; if points form no grid, the limits that occur.
    pub axes: [Vec<u32>; 2],
    /// Whether every limit of one component is tried with every limit of the other: cells instead of dots.
    pub grid: bool,
    /// The points known so far, in the order in which they were tried.
    pub points: Rc<Vec<SweepPoint<2>>>,
    /// The current limits.
    pub adopted: [u32; 2],
    /// The limits with the highest efficiency.
    pub best: Option<[u32; 2]>,
    /// The smallest limits that reach the target.
    pub smallest: Option<[u32; 2]>,
    /// The limits of the Pareto front, ascending.
    pub front: Vec<[u32; 2]>,
    /// The nouns for the two components: "nodes", "edges".
    pub names: [String; 2],
}

impl Input {
    fn point(&self, limits: [u32; 2]) -> Option<&SweepPoint<2>> {
        self.points
            .iter()
            .find(|point| point.limits == limits && point.harmonic.is_finite())
    }

    fn known_efficiencies(&self) -> impl Iterator<Item = f64> {
        self.points
            .iter()
            .map(|point| point.harmonic)
            .filter(|e| e.is_finite())
    }

    /// Returns the singular nouns of the components.
    fn nouns(&self) -> [&str; 2] {
        self.names.each_ref().map(|name| singular(name))
    }
}

/// A spot is a pair of limits.
impl Chart for Input {
    /// Takes O(points) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        field::draw(pen, self, &layout);
        axes(pen, self, &layout);
        let corners = corners(pen, self, &layout);
        marks::front(pen, self, &layout);
        marks::hover(pen, self, &layout);
        marks::named(pen, self, &layout, corners);
        colours(pen, &layout);
    }

    fn summary(&self) -> String {
        let [first, second] = self.nouns();
        let of = self.axes[0].len() * self.axes[1].len();
        let mut words = format!("Harmonic efficiency by {first} limit and {second} limit: ");
        words += &match self.points.len() {
            0 => "nothing is computed yet.".to_owned(),
            n if self.grid && n < of => {
                format!(
                    "{} of {} limits so far.",
                    words::count(n as u64),
                    words::count(of as u64)
                )
            }
            n => format!("{} limits.", words::count(n as u64)),
        };
        let named = [
            ("Best", self.best),
            ("Smallest that is good enough", self.smallest),
            ("Adopted", Some(self.adopted)),
        ];
        for (name, limits) in named
            .into_iter()
            .filter_map(|(name, limits)| Some((name, limits?)))
        {
            words += &match self.point(limits) {
                Some(point) => format!(
                    " {name}: {} with {} in {}.",
                    both_short(limits),
                    words::percent(point.harmonic),
                    words::plural(point.packs, "pack")
                ),
                None => format!(" {name}: {}.", both_short(limits)),
            };
        }
        words
    }

    /// Returns the limits at a place: those of the cell there, even if still unknown, or of the nearest dot.
    fn hit(&self, (x, y): Place, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        // Every place of a grid has a cell, but dots have to be hit.
        if layout.field.grid {
            return layout.field.cell_at(x, y);
        }
        let distance = |limits: &[u32; 2]| {
            let at = layout.field.point(*limits);
            (at.0 - x).hypot(at.1 - y)
        };
        let near = self
            .points
            .iter()
            .map(|point| (distance(&point.limits), point.limits));
        let nearest = near
            .filter(|(d, _)| *d <= REACH)
            .min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, limits)| limits)
    }

    /// Starts at the limits in force, or the nearest ones on the map.
    fn step(&self, from: Option<Spot>, by: [i32; 2], _: &Frame) -> Option<Spot> {
        // The first key shows where the present limits are, the next ones move from there.
        let (limits, steps) = from.map_or((self.adopted, [0, 0]), |from| (from, by));
        let to = |k: usize| {
            let axis = &self.axes[k];
            let near = axis
                .iter()
                .rposition(|value| *value <= limits[k])
                .unwrap_or(0);
            further(near as u32, steps[k], axis.len()).map(|at| axis[at as usize])
        };
        Some([to(0)?, to(1)?])
    }
}

/// The efficiencies with the first and the last colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The efficiency up to which the colour is darkest.
    pub low: f64,
    /// The highest efficiency.
    pub high: f64,
    /// Whether some efficiencies are below `low`.
    pub cut: bool,
}

impl Range {
    /// Returns the range from the lowest to the highest efficiency, but from at least 0.7 of the highest.
    fn new(input: &Input) -> Option<Self> {
        let high = input.known_efficiencies().fold(f64::NEG_INFINITY, f64::max);
        let low = input.known_efficiencies().fold(f64::INFINITY, f64::min);
        // A few very poor limits would take up most of the colours.
        let from = low.max(0.7 * high);
        high.is_finite().then_some(Self {
            low: from,
            high,
            cut: low < from,
        })
    }

    /// Returns the place of an efficiency in the range, in [0, 1].
    fn share(&self, efficiency: f64) -> f64 {
        if self.high > self.low {
            ((efficiency - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
        } else {
            1.0
        }
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The map, inside the axes, with its scales.
    pub field: Field,
    /// The range of the colours; `None` before the first point.
    pub range: Option<Range>,
    colours: Area,
}

/// Maximum distance of a pointer from a dot to be on it.
const REACH: f64 = 12.0;

/// Drawings narrower than this have their scale of colours below.
const NARROW: f64 = 520.0;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let wide = frame.width >= NARROW;
    // The axis goes a little beyond the last limit.
    let last = f64::from(input.axes[1].last().copied().unwrap_or(0)) * 1.1;
    // Room for "≤ 69.8 %" beside the colours.
    let (below, right) = if wide {
        (BELOW, 104.0)
    } else {
        (BELOW + 40.0, 8.0)
    };
    let left = axis::margin(&[((), axis::label(last))]);
    let plot = frame.plot(22.0_f64.min(frame.height / 4.0), below, |_| [left, right]);
    let colours = if wide {
        Area {
            left: plot.right + 22.0,
            right: plot.right + 32.0,
            ..plot
        }
    } else {
        Area {
            top: plot.bottom + BELOW + 10.0,
            bottom: plot.bottom + BELOW + 18.0,
            ..plot
        }
    };
    let field = Field::new(input, plot);
    Layout {
        field,
        range: Range::new(input),
        colours,
    }
}

/// Draws ticks and names of both axes.
fn axes(pen: &mut Pen, input: &Input, layout: &Layout) {
    let plot = layout.field.area;
    let ticks = |k: usize, apart: f64| {
        if input.axes[k].is_empty() {
            vec![]
        } else {
            layout.field.axes[k].round_ticks(apart)
        }
    };
    let [first, second] = input.nouns().map(|name| format!("{name} limit"));
    pen.ticks_below(plot, &ticks(0, 80.0), &first, plot.right);
    pen.ticks_beside(plot, &ticks(1, 56.0));
    pen.name_above(plot, &second);
    if input.points.is_empty() {
        pen.outline(plot, 1.0, pen.theme.hairline);
    }
}

/// Maps smaller than this have no words in their corners.
const ROOM: f64 = 300.0;
const LINE: f64 = 17.0;
const OFF: f64 = 12.0;

/// Writes in two dark, known corners of the map which limit runs out first; returns the areas of the words.
fn corners(pen: &mut Pen, input: &Input, layout: &Layout) -> OccupiedAreas {
    let area = layout.field.area;
    let [first, second] = input.nouns();
    let said = |full: &str, empty: &str| {
        [
            format!("{full} slots run out first:"),
            format!("{empty} slots stay empty"),
        ]
    };
    let (mut above, mut below) = (said(first, second), said(second, first));
    // Attention has a limit but no slots that could stay empty.
    if Attention::named(second).is_some() {
        above[1] = format!("{second} stays below its limit");
        below[0] = format!("the limit of {second} binds:");
    }
    let mut taken = OccupiedAreas::default();
    for (lines, upper) in [(above, true), (below, false)] {
        let wide = widest(&lines, true);
        let (left, top) = if upper {
            (area.left + OFF, area.top + OFF)
        } else {
            (area.right - OFF - wide, area.bottom - OFF - 2.0 * LINE)
        };
        let place = Area::sized((left, top), wide, 2.0 * LINE);
        if area.width() < ROOM || area.height() < ROOM * 0.8 || !is_dark(input, layout, &place) {
            continue;
        }
        let (x, anchor) = if upper { (left, -1) } else { (place.right, 1) };
        pen.labels(
            lines,
            (x, top),
            LINE,
            anchor,
            (Theme::LIGHT.background, true),
        );
        taken.0.push(place);
    }
    taken
}

/// Whether every cell in an area is known, and dark enough for white words.
fn is_dark(input: &Input, layout: &Layout, place: &Area) -> bool {
    let Some(range) = layout.range.filter(|_| input.grid) else {
        return false;
    };
    let mut covered = 0.0;
    for point in &*input.points {
        let Some(cell) = layout
            .field
            .cell(point.limits)
            .filter(|cell| cell.meets(place))
        else {
            continue;
        };
        if range.share(point.harmonic) > DARK {
            return false;
        }
        covered += cell.overlap(place);
    }
    // The areas of cells are added up, and differ in their last digits.
    covered >= 0.99 * place.width() * place.height()
}

/// Maximum share of viridis on which white words are legible.
const DARK: f64 = 0.5;

/// Draws the scale of the colours in percent.
fn colours(pen: &mut Pen, layout: &Layout) {
    let Some(range) = layout.range else { return };
    let span = range.high - range.low;
    // To a tenth of a percent: the lowest of thousands of points is any number.
    let lowest = words::tick_percent((range.low * 1000.0).round() / 1000.0);
    let lowest = if range.cut {
        format!("≤ {lowest}")
    } else {
        lowest
    };
    let highest = (1.0, words::percent(range.high));
    let labels = if span > 1e-9 {
        let inner = axis::every(range.low, range.high, axis::round_step(span / 6.0)).into_iter();
        let inner = inner.map(|tick| (range.share(tick), words::tick_percent(tick)));
        std::iter::once((0.0, lowest))
            .chain(inner)
            .chain([highest])
            .collect()
    } else {
        vec![highest]
    };
    colour_bar::draw(pen, layout.colours, viridis, &labels);
}
