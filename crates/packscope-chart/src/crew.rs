//! The speed-up of each method over the number of accelerators, with their waiting for each other.

use super::{
    Area, BELOW, Chart, EndName, EndNames, Frame, Grip, Look, Pen, Point, Scale, Spot, Strokes,
    Table, Tick, ValueAxis, axis, end_names::LINE, fitted, fitting, further, label_width, mix,
    runs, widest,
};
use packscope::cost::waiting::{ACCELERATORS, MOST};
use packscope::{order, words};

/// Height of the needle's handle.
const HANDLE: f64 = 9.0;

/// One method at every number of accelerators.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodCurve {
    /// The name of the method.
    pub name: &'static str,
    /// Speed-up against the baseline at each of [`ACCELERATORS`]; missing and infinite values are not drawn.
    pub values: Vec<f64>,
    /// Standard error of each value, if waiting was simulated; may be empty.
    pub errors: Vec<f64>,
}

impl MethodCurve {
    /// Returns the value at any number of accelerators, interpolated between its neighbours.
    fn value_at(&self, accelerators: u32) -> Option<f64> {
        let place = power(accelerators);
        let value = |i: f64| {
            self.values
                .get(i as usize)
                .copied()
                .filter(|value| value.is_finite())
        };
        // Values are known at powers of two; between them they are linear along the axis, as the
        // line is.
        let (low, high) = (value(place.floor())?, value(place.ceil())?);
        Some(low + (high - low) * place.fract())
    }
}

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The methods; the index of a method gives the pattern of its dashes.
    pub curves: Vec<MethodCurve>,
    /// The method that the others are compared with; names the line at 1.
    pub baseline: &'static str,
    /// The chosen method.
    pub chosen: Option<usize>,
    /// The present number of accelerators.
    pub accelerators: u32,
}

/// A spot is a number of accelerators.
impl Chart for Input {
    /// Takes O(methods) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        axes(pen, &layout);
        bands(pen, self, &layout);
        needle(pen, self, &layout);
        curves(pen, self, &layout);
        names(pen, self, &layout);
        needle_label(pen, self, &layout);
    }

    fn summary(&self) -> String {
        let ends = [ACCELERATORS[0], MOST].map(|n| words::count(u64::from(n)));
        format!(
            "Estimated speed-up of {} methods over {} accelerators.",
            self.curves.len(),
            ends.join(" to ")
        )
    }

    fn table(&self) -> Option<Table> {
        let head = ACCELERATORS.iter().map(|n| words::count(u64::from(*n)));
        let row = |curve: &MethodCurve| {
            let values = curve
                .values
                .iter()
                .map(|speedup| words::about_factor(*speedup));
            std::iter::once(curve.name.to_owned())
                .chain(values)
                .collect()
        };
        let caption = format!(
            "Estimated speed-up against {}, by number of accelerators",
            self.baseline
        );
        let head = std::iter::once("method".to_owned()).chain(head);
        Some(Table::new(caption, head, self.curves.iter().map(row)))
    }

    fn hit(&self, at: Point, frame: &Frame) -> Option<Spot> {
        Some([layout(self, frame).accelerators_at(at)?, 0])
    }

    fn grip(&self, at: Point, frame: &Frame) -> Option<Grip> {
        self.hit(at, frame).map(|_| [true, false])
    }

    fn drag(&self, (x, _): Point, frame: &Frame) -> Spot {
        [layout(self, frame).nearest(x), 0]
    }

    /// Steps by doublings from the present number.
    fn step(&self, _: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let to = further(
            self.accelerators.checked_ilog2()?,
            right + up,
            ACCELERATORS.len(),
        )?;
        Some([ACCELERATORS[to as usize], 0])
    }

    /// Returns every method in words, the fastest first.
    fn reading(&self, [accelerators, _]: Spot) -> Option<String> {
        let at = ACCELERATORS.iter().position(|n| *n == accelerators)?;
        let mut known: Vec<(f64, &str)> = self
            .curves
            .iter()
            .filter_map(|curve| Some((*curve.values.get(at)?, curve.name)))
            .collect();
        order::sort_by(&mut known, |a, b| b.0.total_cmp(&a.0));
        let known = known
            .into_iter()
            .map(|(speedup, name)| format!("{name} {}", words::about_factor(speedup)));
        let known: Vec<String> = known.collect();
        Some(format!(
            "{}: {}, estimated.",
            words::count(u64::from(accelerators)),
            known.join(", ")
        ))
    }
}

impl Input {
    fn values(&self) -> impl Iterator<Item = f64> {
        let values = self
            .curves
            .iter()
            .flat_map(|curve| curve.values.iter().take(ACCELERATORS.len()));
        values.copied().filter(|value| value.is_finite())
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The area inside the axes.
    pub plot: Area,
    speedups: ValueAxis,
}

impl Layout {
    /// Returns the number of accelerators nearest to a press on the plot or at its edges.
    pub fn accelerators_at(&self, (x, y): Point) -> Option<u32> {
        let room = Area {
            top: 0.0,
            ..self.plot.grown(14.0)
        };
        room.contains(x, y).then(|| self.nearest(x))
    }

    /// Returns the number of accelerators nearest to a horizontal position, also outside the plot, for a drag.
    pub fn nearest(&self, x: f64) -> u32 {
        let distance = |n: &u32| (self.x(*n) - x).abs();
        ACCELERATORS
            .into_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or(1)
    }

    fn x(&self, accelerators: u32) -> f64 {
        self.plot.left + power(accelerators) / power(MOST) * self.plot.width()
    }

    fn point(&self, accelerators: u32, speedup: f64) -> Point {
        (self.x(accelerators), self.speedups.place_of(speedup))
    }
}

/// Returns the binary logarithm of 1 to [`MOST`] accelerators, the place on the axis.
fn power(accelerators: u32) -> f64 {
    f64::from(accelerators.clamp(1, MOST)).log2()
}

/// Height of the line with the needle's handle.
const ABOVE: f64 = 28.0;
/// Minimum distance between ticks of speed-ups.
const APART: f64 = 40.0;
/// Minimum span of the axis, so that equal values are no zigzag.
const SPAN: f64 = 0.25;
/// One label for this many powers of two on the axis.
const NAMED: usize = 3;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let ends = ends(input);
    let axis = |plot| ValueAxis::up(plot, ends, Scale::Linear);
    let plot = frame.plot(ABOVE.min(frame.height / 3.0), BELOW, |plot| {
        [
            axis::margin(&levels(&axis(plot), plot.height())),
            margin(input, frame),
        ]
    });
    Layout {
        plot,
        speedups: axis(plot),
    }
}

/// Returns the speed-ups at the ends of the axis: from 1, or from 0 if a method is slower than the baseline.
fn ends(input: &Input) -> [f64; 2] {
    // A value that rounds to 1.00 is not slower.
    let low = if input.values().any(|value| value < 0.995) {
        0.0
    } else {
        1.0
    };
    // A bound on what absurd assumptions give, so that labels stay short.
    let most = input.values().fold(low, f64::max).min(1e9);
    [low, (most + 0.04 * (most - low)).max(1.0).max(low + SPAN)]
}

/// Returns the speed-ups with a line across, and their labels.
fn levels(axis: &ValueAxis, height: f64) -> Vec<Tick> {
    let [low, high] = axis.ends;
    let step = axis::round_step((high - low) / (height / APART).clamp(1.0, 6.0));
    // As many decimals as tell two levels apart.
    let digits = (-step.log10().floor()).clamp(0.0, 3.0) as usize;
    axis.ticks(axis::every(low, high, step), |level| {
        format!("{level:.digits$}×")
    })
}

/// Draws the axes: lines across, the baseline in ink, and powers of two below.
fn axes(pen: &mut Pen, layout: &Layout) {
    let (plot, ink) = (layout.plot, pen.theme.second_ink);
    pen.grid(plot, &levels(&layout.speedups, plot.height()));
    // Above 1 a method gains and below it loses, so that the line is as dark as the edge.
    for y in [plot.bottom, layout.speedups.place_of(1.0) - 0.5] {
        pen.rule((plot.left, y), (plot.right, y), 1.0, ink);
    }
    for n in ACCELERATORS {
        let x = layout.x(n) - 0.5;
        pen.rule((x, plot.bottom), (x, plot.bottom + 3.0), 1.0, ink);
    }
    let label = |n: u32| (layout.x(n), words::count(u64::from(n)));
    let ticks: Vec<Tick> = ACCELERATORS.into_iter().step_by(NAMED).map(label).collect();
    // The handle of the needle names the unit; the axis does so only if no number gives way to it.
    let (last, unit) = (label(MOST), "accelerators");
    let end = last.0 + label_width(&last.1, false) / 2.0 + 12.0 + label_width(unit, false);
    let unit = if end <= pen.frame.width { unit } else { "" };
    pen.ticks_below(plot, &ticks, unit, end.min(pen.frame.width));
}

/// Bands that are nowhere higher than this are hidden by the line.
const BAND: f64 = 2.0;

/// Returns the parts of a line in which neighbours have values, shifted by a number of standard errors.
fn parts(curve: &MethodCurve, errors: f64, layout: &Layout) -> Vec<Vec<Point>> {
    runs(ACCELERATORS.into_iter().enumerate().map(|(i, n)| {
        let value = curve
            .values
            .get(i)
            .copied()
            .filter(|value| value.is_finite())?;
        let error = curve
            .errors
            .get(i)
            .copied()
            .filter(|error| error.is_finite())
            .unwrap_or(0.0);
        Some(layout.point(n, value + errors * error))
    }))
}

fn end(curve: &MethodCurve, layout: &Layout) -> Option<Point> {
    parts(curve, 0.0, layout).last()?.last().copied()
}

/// Draws one standard error to each side.
fn bands(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    for (i, curve) in input
        .curves
        .iter()
        .enumerate()
        .filter(|(_, curve)| !curve.errors.is_empty())
    {
        let chosen = input.chosen == Some(i);
        let colour = if chosen {
            mix(theme.accent, theme.background, 0.2)
        } else {
            theme.hairline
        };
        // Both are split at the same missing values, so that their parts correspond.
        for (above, below) in parts(curve, 1.0, layout)
            .into_iter()
            .zip(parts(curve, -1.0, layout))
        {
            let high = above
                .iter()
                .zip(&below)
                .map(|(a, b)| b.1 - a.1)
                .fold(0.0, f64::max);
            if high > BAND && above.len() > 1 {
                pen.polygon(
                    above.into_iter().chain(below.into_iter().rev()).collect(),
                    colour,
                );
            }
        }
    }
}

/// Draws the number under the pointer, and the present one with its handle.
fn needle(pen: &mut Pen, input: &Input, layout: &Layout) {
    let plot = layout.plot;
    if let Some([n, _]) = pen.frame.hover.filter(|[n, _]| *n != input.accelerators) {
        let x = layout.x(n) - 0.5;
        pen.rule(
            (x, plot.top),
            (x, plot.bottom + 3.0),
            1.0,
            pen.theme.second_ink,
        );
    }
    pen.needle(
        (layout.x(input.accelerators), HANDLE),
        plot.bottom + 5.0,
        pen.theme.accent,
    );
}

/// Draws the lines, the chosen one last, each with a dot at the needle.
fn curves(pen: &mut Pen, input: &Input, layout: &Layout) {
    let chosen = |i: usize| input.chosen == Some(i);
    let mut order: Vec<usize> = (0..input.curves.len()).collect();
    // `false` sorts first: the chosen line is painted over the others.
    order::sort_by_key(&mut order, |i| chosen(*i));
    for i in order {
        let (curve, look) = (&input.curves[i], Look::of_curve(i, chosen(i)));
        for part in parts(curve, 0.0, layout) {
            pen.curve(&part, look);
        }
        for n in pen
            .frame
            .hover
            .map(|[n, _]| n)
            .into_iter()
            .chain([input.accelerators])
        {
            if let Some(value) = curve.value_at(n) {
                let radius = if chosen(i) { 4.5 } else { 3.0 };
                pen.dot(layout.point(n, value), radius, pen.colour(look));
            }
        }
    }
}

/// Space above and below a name on two lines.
const PAIRED: f64 = 2.0;
/// Distance from the end of a line to its name.
const GAP: f64 = 12.0;
/// Drawings narrower than this have longer names on two lines.
const NARROW: f64 = 480.0;
/// Maximum share of the width for names.
const NAMES: f64 = 0.36;

/// Returns the room for the names at the right.
fn margin(input: &Input, frame: &Frame) -> f64 {
    let lines = input
        .curves
        .iter()
        .flat_map(|curve| lines(curve.name, frame));
    (widest(lines.chain([input.baseline]), true) + GAP + 2.0).min(frame.width * NAMES)
}

/// Splits a name into two lines on narrow drawings.
fn lines<'a>(name: &'a str, frame: &Frame) -> Vec<&'a str> {
    let comma = name.find(", ").map(|at| name.split_at(at + 1));
    let parted = comma
        .or_else(|| name.rsplit_once(' '))
        .filter(|_| frame.width < NARROW);
    parted.map_or_else(
        || vec![name],
        |(first, second)| vec![first, second.trim_start()],
    )
}

/// Writes the names, with that of the baseline.
fn names(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (plot, x) = (layout.plot, layout.plot.right + GAP);
    let within = [plot.top - LINE / 2.0, plot.bottom + LINE / 2.0];
    let strokes = Strokes {
        from: 3.0,
        least: LINE * 0.4,
        after: 0.0,
        colour: pen.theme.control,
    };
    let names = wanted(input, layout, pen);
    EndNames {
        x,
        within,
        first_line: false,
        strokes: Some(strokes),
    }
    .write(pen, names);
}

/// Returns the names, the chosen method first, as many as fit the height.
fn wanted(input: &Input, layout: &Layout, pen: &Pen) -> Vec<EndName> {
    let (theme, room) = (pen.theme, pen.frame.width - layout.plot.right - GAP);
    let mut order: Vec<usize> = (0..input.curves.len()).collect();
    // `false` sorts first: the chosen method has its name whatever the height.
    order::sort_by_key(&mut order, |i| input.chosen != Some(*i));
    let named = |lines: Vec<&str>, end, colour, bold| {
        let margins = [if lines.len() > 1 { PAIRED } else { 0.0 }; 2];
        let lines = lines
            .into_iter()
            .map(|line| (fitted(line, room, bold), colour, bold))
            .collect();
        EndName {
            lines,
            margins,
            end,
        }
    };
    let of_curve = |i: usize| {
        let (curve, bold) = (&input.curves[i], input.chosen == Some(i));
        let colour = if bold { theme.accent } else { theme.ink };
        Some(named(
            lines(curve.name, pen.frame),
            end(curve, layout)?,
            colour,
            bold,
        ))
    };
    let across = (layout.plot.right, layout.speedups.place_of(1.0));
    let baseline = named(vec![input.baseline], across, theme.second_ink, false);
    let mut free = layout.plot.height() + LINE;
    // A name that does not fit leaves its room to lower ones after it.
    let fits = |name: &EndName| {
        let fits = name.height() <= free;
        free -= if fits { name.height() } else { 0.0 };
        fits
    };
    order
        .into_iter()
        .filter_map(of_curve)
        .chain([baseline])
        .filter(fits)
        .collect()
}

/// Writes "1.92× with 64 accelerators" beside the needle's handle.
fn needle_label(pen: &mut Pen, input: &Input, layout: &Layout) {
    let n = words::plural(u64::from(input.accelerators), "accelerator");
    let value = input
        .chosen
        .and_then(|i| input.curves.get(i)?.value_at(input.accelerators));
    let long = value.map(|value| format!("{} with {n}", words::about_factor(value)));
    let x = layout.x(input.accelerators);
    let room = x.max(pen.frame.width - x) - 12.0;
    if let Some(words) = fitting(long.into_iter().chain([n]), room, true) {
        pen.label_beside(&words, (x, HANDLE - 1.0), 12.0, pen.theme.accent);
    }
}
