//! The speed-up of each method over the number of accelerators, with their waiting for each other.

use super::xy::{Axis, Shape, Stroke, Upright, Xy};
use super::{
    Chart, EndName, EndNames, Frame, Grip, Look, Pen, Point, Spot, Strokes, Table, ValueAxis,
    end_names::LINE, label_width, mix, widest,
};
use packscope::cost::waiting::{ACCELERATORS, MOST};
use packscope::{order, words};

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

    /// Returns the curve shifted by a number of standard errors.
    fn points(&self, errors: f64) -> Vec<Option<Point>> {
        let point = |(i, n): (usize, u32)| {
            let finite = |value: &f64| value.is_finite();
            let value = self.values.get(i).copied().filter(finite)?;
            let error = self.errors.get(i).copied().filter(finite).unwrap_or(0.0);
            Some((power(n), value + errors * error))
        };
        ACCELERATORS.into_iter().enumerate().map(point).collect()
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
        let (plane, _) = self.xy(pen.frame).draw(pen);
        // The handle of the needle names the unit; the axis does so only if no number gives way to it.
        let (last, unit) = (words::count(u64::from(MOST)), "accelerators");
        let left = plane.plot.right + label_width(&last, false) / 2.0 + 12.0;
        if left + label_width(unit, false) <= pen.frame.width {
            pen.note(unit, (left, plane.plot.bottom + 15.0), -1);
        }
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

    fn plot(&self, frame: &Frame) -> Option<Xy<'_>> {
        Some(self.xy(frame))
    }

    fn grip(&self, at: Point, frame: &Frame) -> Option<Grip> {
        self.hit(at, frame).map(|_| [true, false])
    }

    fn drag(&self, (x, _): Point, frame: &Frame) -> Spot {
        self.xy(frame).nearest(x, frame).unwrap_or_default()
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
    fn xy(&self, frame: &Frame) -> Xy<'_> {
        let theme = frame.theme;
        let powers = |along: &ValueAxis| {
            let tick = |(i, n): (usize, u32)| {
                let text = if i % NAMED == 0 {
                    words::count(u64::from(n))
                } else {
                    String::new()
                };
                (along.place_of(power(n)), text)
            };
            ACCELERATORS.into_iter().enumerate().map(tick).collect()
        };
        // As many decimals as tell two levels apart.
        let level = |level: f64, step: f64| {
            let digits = (-step.log10().floor()).clamp(0.0, 3.0) as usize;
            format!("{level:.digits$}×")
        };
        let up = Axis::linear(self.ends(), move |up| {
            up.even_ticks(40.0, [1.0, 6.0], level)
        });
        // Above 1 a method gains and below it loses, so that the line is as dark as the edge.
        let mut shapes = vec![Shape::Level(1.0, theme.second_ink)];
        let mut order: Vec<usize> = (0..self.curves.len()).collect();
        // `false` sorts first: the chosen line is painted over the others.
        order::sort_by_key(&mut order, |i| self.chosen == Some(*i));
        for i in order {
            self.add_curve(i, frame, &mut shapes);
        }
        let pointed = frame.hover.filter(|[n, _]| *n != self.accelerators);
        let pointed = pointed.map(|[n, _]| Upright {
            beyond: [0.0, 3.0],
            ..Upright::new(power(n), Stroke::Rule(1.0), theme.second_ink)
        });
        // Beside the handle of the needle: "1.92× with 64 accelerators", or less in a narrow frame.
        let n = words::plural(u64::from(self.accelerators), "accelerator");
        let value = self
            .chosen
            .and_then(|i| self.curves.get(i)?.value_at(self.accelerators));
        let long = value.map(|value| format!("{} with {n}", words::about_factor(value)));
        let said = long.into_iter().chain([n]).collect();
        let needle = Upright::needle(power(self.accelerators), said, frame);
        let beside = EndNames {
            strokes: Some(Strokes {
                from: 3.0,
                least: LINE * 0.4,
                at_edge: false,
                colour: theme.control,
            }),
            ..EndNames::new(GAP, [LINE / 2.0; 2])
        };
        Xy {
            right: margin(self, frame),
            baseline: Some((theme.second_ink, "".into())),
            uprights: pointed.into_iter().chain([needle]).collect(),
            names: Some((beside, self.names(frame))),
            stops: ACCELERATORS.map(|n| (power(n), [n, 0])).to_vec(),
            present: self.accelerators.checked_ilog2().map(|at| at as usize),
            reach: 14.0,
            ..Xy::new(Axis::linear([0.0, power(MOST)], powers), vec![(up, shapes)])
        }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        let values = self
            .curves
            .iter()
            .flat_map(|curve| curve.values.iter().take(ACCELERATORS.len()));
        values.copied().filter(|value| value.is_finite())
    }

    /// Returns the speed-ups at the ends of the axis: from 1, or from 0 if a method is slower than the baseline.
    fn ends(&self) -> [f64; 2] {
        // A value that rounds to 1.00 is not slower.
        let low = if self.values().any(|value| value < 0.995) {
            0.0
        } else {
            1.0
        };
        // A bound on what absurd assumptions give, so that labels stay short.
        let most = self.values().fold(low, f64::max).min(1e9);
        [low, (most + 0.04 * (most - low)).max(1.0).max(low + SPAN)]
    }

    /// Adds a curve, with one standard error to each side, and dots at the needle and at the pointer.
    fn add_curve(&self, i: usize, frame: &Frame, shapes: &mut Vec<Shape>) {
        let (curve, chosen, theme) = (&self.curves[i], self.chosen == Some(i), frame.theme);
        if !curve.errors.is_empty() {
            let colour = if chosen {
                mix(theme.accent, theme.background, 0.2)
            } else {
                theme.hairline
            };
            let ends = curve.points(1.0).into_iter().zip(curve.points(-1.0));
            shapes.push(Shape::Band(
                ends.map(|(a, b)| Some([a?, b?])).collect(),
                colour,
            ));
        }
        let look = Look::of_curve(i, chosen);
        shapes.push(Shape::Line(curve.points(0.0), look));
        let radius = if chosen { 4.5 } else { 3.0 };
        let pointed = frame.hover.map(|[n, _]| n);
        for n in pointed.into_iter().chain([self.accelerators]) {
            let at = curve.value_at(n).map(|value| (power(n), value));
            shapes.extend(at.map(|at| Shape::Dot(at, radius, frame.colour(look))));
        }
    }

    /// Returns the names at the right, the chosen method first, which has its name whatever the height.
    fn names(&self, frame: &Frame) -> Vec<EndName> {
        let theme = frame.theme;
        let mut order: Vec<usize> = (0..self.curves.len()).collect();
        // `false` sorts first.
        order::sort_by_key(&mut order, |i| self.chosen != Some(*i));
        let named = |lines: Vec<&str>, end, colour, bold| EndName {
            margins: [if lines.len() > 1 { PAIRED } else { 0.0 }; 2],
            lines: lines
                .into_iter()
                .map(|line| (line.to_owned(), colour, bold))
                .collect(),
            end,
        };
        let of_curve = |i: usize| {
            let (curve, bold) = (&self.curves[i], self.chosen == Some(i));
            let colour = if bold { theme.accent } else { theme.ink };
            let end = *curve.points(0.0).iter().flatten().last()?;
            Some(named(lines(curve.name, frame), end, colour, bold))
        };
        let across = (power(MOST), 1.0);
        let baseline = named(vec![self.baseline], across, theme.second_ink, false);
        order
            .into_iter()
            .filter_map(of_curve)
            .chain([baseline])
            .collect()
    }
}

/// Returns the binary logarithm of 1 to [`MOST`] accelerators, the place on the axis.
fn power(accelerators: u32) -> f64 {
    f64::from(accelerators.clamp(1, MOST)).log2()
}

/// Minimum span of the axis, so that equal values are no zigzag.
const SPAN: f64 = 0.25;
/// One label for this many powers of two on the axis.
const NAMED: usize = 3;
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
