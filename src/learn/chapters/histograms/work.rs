//! Steps against the number of sequences, on two logarithmic axes.

use super::data::{self, DECADES, SIZES};
use super::{one_by_one, round, steps};
use crate::learn::{ChapterContext, ChapterPart, Figure};
use packscope::words::count;
use packscope_chart::lines::{self, Input, Line, Quantity};
use packscope_chart::{Chart, Frame, Look, Pen, Scale, Scene, label_width};
use std::rc::Rc;

/// The range of the number of sequences.
const ACROSS: [f64; 2] = [1e2, 1e12];
/// The range of the steps.
const UP: [f64; 2] = [1.0, 1e14];

/// Plots the steps, with a needle at the chosen number of sequences.
pub fn figure(here: &ChapterContext<'_>) -> ChapterPart {
    let place = here.number("n");
    let n = data::sequences(place);
    let counted = steps_of_answers(here);
    let now = here.sequences("here").map(|r| (r.figures.items, steps(r)));
    let all = now.map_or(0, |(_, steps)| steps);
    let label = format!(
        "Steps of packing against the number of sequences, on logarithmic axes. At {} sequences: {} from the histogram, \
         about {} one by one. The line of the histogram is flat, all others rise",
        count(n),
        count(all),
        round(one_by_one(n as f64)),
    );
    let tall = |width: f64| if width < 480.0 { 290.0 } else { 340.0 };
    let draw = move |frame: &Frame| scene(n, now, &counted, frame);
    let drawing = Figure {
        press: Some(Rc::new(move |x, _, frame| {
            let value = lines::layout(&input(n, &[], frame), frame).value(x);
            Some(("n", vec![nearest(value)]))
        })),
        step: Some(Rc::new(move |[right, up]| {
            let last = SIZES.len() as i32 - 1;
            Some(("n", vec![(place as i32 + right + up).clamp(0, last) as u32]))
        })),
        ..Figure::new(label, tall, draw)
    };
    ChapterPart::Figure(drawing)
}

/// Returns (sequences, steps) of every available answer.
fn steps_of_answers(here: &ChapterContext<'_>) -> Vec<(f64, f64)> {
    let answers = DECADES.iter().filter_map(|(name, _)| here.sequences(name));
    answers
        .map(|r| (r.figures.items as f64, steps(r) as f64))
        .collect()
}

fn nearest(n: f64) -> u32 {
    // By ratio, as the axis is logarithmic.
    let away = |size: &u64| (*size as f64 / n).ln().abs();
    let best = SIZES
        .iter()
        .enumerate()
        .min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
    best.map_or(0, |(i, _)| i as u32)
}

fn input(n: u64, counted: &[(f64, f64)], frame: &Frame) -> Input {
    let wide = frame.width >= 480.0;
    let named = |long: &'static str, short: &'static str| if wide { long } else { short }.into();
    let straight = |steps: fn(f64) -> f64| -> Vec<(f64, f64)> {
        DECADES
            .iter()
            .map(|(_, n)| (*n as f64, steps(*n as f64)))
            .collect()
    };
    Input {
        x: Quantity {
            name: "sequences".into(),
            range: ACROSS,
            scale: Scale::Log,
            label: power,
        },
        y: Quantity {
            name: "steps".into(),
            range: UP,
            scale: Scale::Log,
            label: power,
        },
        lines: vec![
            Line {
                name: "".into(),
                // n² from the left edge to where it leaves the plot at the top.
                points: vec![(1e2, 1e4), (1e7, 1e14)],
                look: Look::Dashed(1),
            },
            Line {
                name: named("one by one", "n log n"),
                points: straight(one_by_one),
                look: Look::Ink,
            },
            Line {
                name: named("to count, once", "count"),
                points: straight(|n| n),
                look: Look::Dashed(2),
            },
            Line {
                name: "histogram".into(),
                points: counted.to_vec(),
                look: Look::Accent,
            },
        ],
        needle: Some((n as f64, count(n))),
        dots: Vec::new(),
    }
}

fn scene(n: u64, now: Option<(u64, u64)>, counted: &[(f64, f64)], frame: &Frame) -> Scene {
    let input = input(n, counted, frame);
    let layout = lines::layout(&input, frame);
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    input.draw(&mut pen);
    let words = if frame.width >= 480.0 {
        "every pack looked through: n²"
    } else {
        "n²"
    };
    // On the side without other lines.
    pen.note(words, (layout.x(1e6) - 14.0, layout.y(1e12)), 1);
    if let Some((n, steps)) = now {
        let at = (layout.x(n as f64), layout.y(steps as f64));
        pen.dot(at, 4.5, theme.accent);
        // Below the line, for the others are above it.
        let words = format!("{} steps", count(steps));
        let right = at.0 + 10.0 + label_width(&words, true) < layout.plot.right;
        let (x, anchor) = if right {
            (at.0 + 10.0, -1)
        } else {
            (at.0 - 10.0, 1)
        };
        pen.label(words, (x, at.1 + 15.0), anchor, theme.accent, true);
    }
    pen.scene
}

/// Formats a power of ten as on an axis: "10⁴".
pub fn power(value: f64) -> String {
    let exponent = value.log10().round() as i32;
    let raised = |digit: char| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        // Unicode has ¹, ² and ³ in Latin-1, and only the others in a row from U+2070.
        '4'..='9' => char::from_u32(0x2070 + u32::from(digit) - u32::from('0')).unwrap_or(digit),
        other => other,
    };
    if exponent == 0 {
        return "1".to_owned();
    }
    format!(
        "10{}",
        exponent.to_string().chars().map(raised).collect::<String>()
    )
}
