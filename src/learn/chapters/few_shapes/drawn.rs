//! The drawings: sequences under the steps of their shapes, and padding by the number of shapes.

use super::MOST;
use crate::learn::{Figure, Move};
use packscope::histogram::Histogram;
use packscope::shapes::{self, Shape, ShapeMethod, padding_share};
use packscope::words::{count, tick_percent};
use packscope_chart::lines::{self, Line, Quantity};
use packscope_chart::shapes::Input;
use packscope_chart::{Chart, Hues, Look, Scale};
use std::rc::Rc;

/// Draws the sequences, each padded to the next of the shapes.
pub(super) fn steps(lengths: &Histogram<1>, shapes: &[Shape]) -> Figure {
    let [longest] = lengths.max();
    let drawn = Input {
        lengths: lengths.lengths(),
        shapes: shapes.to_vec(),
        batches: Vec::new(),
        hues: Hues::of(lengths, longest),
        unit: "tokens".to_owned(),
    };
    let tall = |width: f64| (width * 0.5).clamp(240.0, 380.0);
    Figure::new(drawn.summary(), tall, move |frame| drawn.scene(frame))
}

/// Draws the padding of each method by the number of shapes; a press and the arrow keys choose a number.
/// Without `best`, which a question asks for, the line of the best lengths is left out.
pub(super) fn curves(lengths: &Histogram<1>, by: usize, now: u32, best: bool) -> Figure {
    let log = |shapes: usize| (shapes as f64).log2();
    let line = |(at, method): (usize, ShapeMethod)| {
        // All numbers of shapes in one call, which shares its work; one by one it would be done 64
        // times.
        let each = shapes::choose_each(lengths, MOST as usize, method, 1).unwrap_or_default();
        let point =
            |(before, shapes): (usize, &Vec<Shape>)| (log(before + 1), padding_share(shapes));
        Line {
            name: method.long_name().into(),
            points: each.iter().enumerate().map(point).collect(),
            look: if at == by {
                Look::Accent
            } else {
                Look::Dashed(at)
            },
        }
    };
    let lines: Vec<Line> = ShapeMethod::ALL
        .into_iter()
        .enumerate()
        .filter(|(_, method)| best || *method != ShapeMethod::Best)
        .map(line)
        .collect();
    let highest = lines
        .iter()
        .flat_map(|line| &line.points)
        .map(|(_, share)| *share)
        // The axis needs some height even where nothing is padded.
        .fold(0.01, f64::max);
    let drawn = Rc::new(lines::Input {
        x: Quantity::doubling("shapes".into(), [0.0, f64::from(MOST).log2()]),
        y: Quantity {
            name: "padding".into(),
            range: [0.0, highest],
            scale: Scale::Linear,
            label: tick_percent,
        },
        lines,
        needle: Some((log(now as usize), count(u64::from(now)))),
        dots: Vec::new(),
    });
    let pressed = Rc::clone(&drawn);
    let label = format!("Padding of each way to choose lengths, for up to {MOST} of them.");
    let tall = |width: f64| (width * 0.46).clamp(240.0, 340.0);
    let mut figure = Figure::new(label, tall, move |frame| drawn.scene(frame));
    figure.press = Some(Rc::new(move |x, y, frame| -> Option<Move> {
        let [at, _] = pressed.hit((x, y), frame)?;
        Some(("shapes", vec![at + 1]))
    }));
    figure.step = Some(Rc::new(move |[right, up]| {
        Some((
            "shapes",
            vec![now.saturating_add_signed(right + up).clamp(1, MOST)],
        ))
    }));
    figure
}
