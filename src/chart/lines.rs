//! Lines over two axes, linear or logarithmic, with their names at their ends: for what has no drawing of its own.

use super::axes::{self, Tick};
use super::scene::{PATTERNS, fitted, label_width};
use super::{Area, Frame, Point, Rgb, Scale, Scene, apart, ticks};
use crate::order;

/// An axis.
#[derive(Debug, Clone, Copy)]
pub struct Axis<'a> {
    /// What is along it.
    pub name: &'a str,
    /// The least and the most.
    pub range: [f64; 2],
    /// How it runs.
    pub scale: Scale,
    /// How its numbers are written.
    pub label: fn(f64) -> String,
}

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// What is chosen, or proven.
    Accent,
    /// What it is compared with.
    Ink,
    /// The same in one of six kinds of dashes.
    Dashed(usize),
}

/// A line.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// Its name; none for an empty one.
    pub name: &'a str,
    /// Its corners, from left to right.
    pub points: Vec<(f64, f64)>,
    /// How it looks.
    pub look: Look,
}

/// What is drawn.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// The axis to the right.
    pub x: Axis<'a>,
    /// The axis upwards.
    pub y: Axis<'a>,
    /// The lines.
    pub lines: Vec<Line<'a>>,
    /// A needle across, with what stands beside it.
    pub needle: Option<(f64, String)>,
    /// Dots, with what stands beside them.
    pub dots: Vec<(f64, f64, String)>,
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The plot within its axes.
    pub plot: Area,
    x: ([f64; 2], Scale),
    y: ([f64; 2], Scale),
}

/// Above the plot.
const ABOVE: f64 = 26.0;
/// From the end of a line to its name.
const GAP: f64 = 8.0;
/// Height of a line of text.
const LINE: f64 = 15.0;
/// Names take up no more of the width than this.
const NAMES: f64 = 0.36;

impl Axis<'_> {
    fn ticks(&self, length: f64) -> Vec<f64> {
        let [low, high] = self.range;
        match self.scale {
            Scale::Linear => {
                let step = ticks::round_step((high - low) / (length / 60.0).clamp(2.0, 10.0));
                ticks::every(low, high, step)
            }
            Scale::Log => {
                let first = low.max(1e-12).log10().ceil() as i32;
                let powers = (first..first + 40).map(|power| 10f64.powi(power));
                let all: Vec<f64> = powers.take_while(|value| *value <= high * 1.0001).collect();
                let every = (all.len() as f64 * 44.0 / length.max(1.0)).ceil().max(1.0) as usize;
                all.into_iter().step_by(every).collect()
            }
        }
    }
}

/// Where a value is between the ends of an axis, in [0, 1].
fn share(value: f64, ([low, high], scale): ([f64; 2], Scale)) -> f64 {
    let share = match scale {
        Scale::Linear => (value - low) / (high - low),
        Scale::Log => (value.max(1e-300) / low).ln() / (high / low).ln(),
    };
    share.clamp(0.0, 1.0)
}

impl Layout {
    /// Where a value of the axis to the right is.
    pub fn x(&self, value: f64) -> f64 {
        self.plot.left + self.plot.width() * share(value, self.x)
    }

    /// Where a value of the axis upwards is.
    pub fn y(&self, value: f64) -> f64 {
        self.plot.bottom - self.plot.height() * share(value, self.y)
    }

    /// The value of the axis to the right at a place.
    pub fn value(&self, x: f64) -> f64 {
        let ([low, high], scale) = self.x;
        let share = ((x - self.plot.left) / self.plot.width().max(1.0)).clamp(0.0, 1.0);
        match scale {
            Scale::Linear => low + (high - low) * share,
            Scale::Log => low * (high / low).powf(share),
        }
    }
}

/// Where things are.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let labels: Vec<String> = input.y.ticks(frame.height).into_iter().map(input.y.label).collect();
    let left = axes::margin(labels.iter().map(String::as_str));
    let names = input.lines.iter().map(|line| label_width(line.name, true)).fold(0.0, f64::max);
    let right = if names > 0.0 { (names + GAP + 2.0).min(frame.width * NAMES) } else { 12.0 };
    let plot =
        Area { left, top: ABOVE, right: frame.width - right, bottom: frame.height - axes::BELOW - 2.0 };
    Layout { plot, x: (input.x.range, input.x.scale), y: (input.y.range, input.y.scale) }
}

/// The drawing.
pub fn scene(input: &Input, frame: &Frame) -> Scene {
    let (mut scene, theme) = (Scene::default(), frame.theme);
    let layout = layout(input, frame);
    let plot = layout.plot;
    let tick = |value: f64, at: f64, label: fn(f64) -> String| -> Tick { (at, label(value)) };
    let up = input.y.ticks(plot.height()).into_iter().map(|v| tick(v, layout.y(v), input.y.label));
    let up: Vec<Tick> = up.collect();
    for (y, _) in &up {
        scene.rule((plot.left, y - 0.5), (plot.right, y - 0.5), 1.0, theme.hairline);
    }
    axes::beside(&mut scene, plot, &up, frame);
    // Clear of the uppermost tick.
    axes::above(&mut scene, Area { top: plot.top - 5.0, ..plot }, input.y.name, frame);
    scene.rule((plot.left, plot.bottom), (plot.right, plot.bottom), 1.0, theme.ink);
    let along = input.x.ticks(plot.width()).into_iter().map(|v| tick(v, layout.x(v), input.x.label));
    axes::below(&mut scene, plot, &along.collect::<Vec<_>>(), input.x.name, frame.width, frame);
    for line in &input.lines {
        let (pattern, width, colour) = look(line.look, frame);
        let points: Vec<Point> = line.points.iter().map(|(x, y)| (layout.x(*x), layout.y(*y))).collect();
        scene.dashed(&points, pattern, width, colour);
    }
    if let Some((x, words)) = &input.needle {
        needle(&mut scene, layout.x(*x), words, plot, frame);
    }
    for (x, y, words) in &input.dots {
        let at = (layout.x(*x), layout.y(*y));
        scene.dot(at, 4.0, theme.accent, &theme);
        let anchor = if at.0 + 10.0 + label_width(words, true) <= frame.width { -1 } else { 1 };
        scene.label(words, (at.0 - 10.0 * f64::from(anchor), at.1), anchor, theme.ink, true);
    }
    names(&mut scene, input, &layout, frame);
    scene
}

fn look(look: Look, frame: &Frame) -> (&'static [f64], f64, Rgb) {
    match look {
        Look::Accent => (&[], 2.0, frame.theme.accent),
        Look::Ink => (&[], 1.5, frame.theme.ink),
        Look::Dashed(i) => (PATTERNS[i % PATTERNS.len()], 1.5, frame.theme.second_ink),
    }
}

fn needle(scene: &mut Scene, x: f64, words: &str, plot: Area, frame: &Frame) {
    let accent = frame.theme.accent;
    scene.needle((x, 9.0), plot.bottom + 5.0, accent);
    let fits = x + 12.0 + label_width(words, true) <= frame.width;
    let (at, anchor) = if fits { (x + 12.0, -1) } else { (x - 12.0, 1) };
    scene.label(words, (at, 8.0), anchor, accent, true);
}

/// Names at the ends of the lines, which give way to each other.
fn names(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let named = input.lines.iter().filter(|line| !line.name.is_empty());
    let mut named: Vec<_> =
        named.filter_map(|l| l.points.last().map(|p| (l, (layout.x(p.0), layout.y(p.1))))).collect();
    order::sort_by(&mut named, |a, b| a.1.1.total_cmp(&b.1.1));
    let wants: Vec<_> = named.iter().map(|(_, end)| (end.1 - LINE / 2.0, LINE)).collect();
    let tops = apart::moved(&wants, 0.0, layout.plot.bottom + LINE / 2.0);
    let x = layout.plot.right + GAP;
    for ((line, _), top) in named.into_iter().zip(tops) {
        let (accent, colour) = (line.look == Look::Accent, look(line.look, frame).2);
        scene.label(fitted(line.name, frame.width - x, accent), (x, top + LINE / 2.0), -1, colour, accent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Mark, Theme};

    fn input(scale: Scale) -> Input<'static> {
        let axis = |name| Axis { name, range: [1.0, 1000.0], scale, label: |v| format!("{v:.0}") };
        let line = |name, look| Line { name, points: vec![(1.0, 1.0), (1000.0, 1000.0)], look };
        Input {
            x: axis("items"),
            y: axis("steps"),
            lines: vec![line("chosen", Look::Accent), line("other", Look::Dashed(1))],
            needle: Some((100.0, "here".to_owned())),
            dots: vec![(10.0, 10.0, "a dot".to_owned())],
        }
    }

    #[test]
    fn places_and_values_are_inverse() {
        let frame = Frame::canvas(600.0, 300.0, 1.0, Theme::LIGHT);
        for scale in [Scale::Linear, Scale::Log] {
            let layout = layout(&input(scale), &frame);
            for value in [1.0, 20.0, 700.0, 1000.0] {
                assert!((layout.value(layout.x(value)) - value).abs() < 1e-6);
            }
            assert_eq!((layout.x(1.0), layout.y(1.0)), (layout.plot.left, layout.plot.bottom));
        }
    }

    #[test]
    fn everything_is_named_and_within() {
        for width in [300.0, 900.0] {
            let frame = Frame::canvas(width, 300.0, 1.0, Theme::LIGHT);
            let scene = scene(&input(Scale::Log), &frame);
            let texts: Vec<&str> = scene.marks.iter().filter_map(text).collect();
            for words in ["chosen", "other", "here", "a dot", "items", "steps", "10", "100"] {
                assert!(texts.contains(&words), "{words} {texts:?}");
            }
        }
    }

    fn text(mark: &Mark) -> Option<&str> {
        if let Mark::Text { text, .. } = mark { Some(text) } else { None }
    }
}
