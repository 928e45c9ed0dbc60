//! The drawings: the tokens of two ranks above their work, and waiting against the longest sequence.

use super::{IDS, LEAST, MODELS, MOST, SHORT, TOKENS, operations, waits, work};
use crate::learn::{Figure, Move};
use packscope::words::{count, percent, tick_percent};
use packscope_chart::lines::{self, Line, Quantity};
use packscope_chart::{Area, Chart, Frame, Look, Pen, Scale, Scene, label_width};
use std::rc::Rc;

/// Height of a rank, and of the line above two of them.
const RANK: f64 = 24.0;
const HEAD: f64 = 22.0;
/// Distance between ranks.
const GAP: f64 = 4.0;

/// Draws the ranks: their sequences as wide as their tokens, and below as wide as their work.
pub(super) fn ranks(of: [f64; 2], long: u32) -> Figure {
    let share = waits(of, long);
    let label = format!(
        "Two ranks with {} tokens each: the one with sequences of {} waits {} of the time for the one with sequences of {}.",
        count(u64::from(TOKENS)),
        count(u64::from(SHORT)),
        percent(share),
        count(u64::from(long))
    );
    let tall = |_| 2.0 * (HEAD + 2.0 * (RANK + GAP)) + 12.0;
    Figure::new(label, tall, move |frame| draw(of, long, frame))
}

fn draw(of: [f64; 2], long: u32, frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let name = |rank: usize| format!("rank {rank}");
    let left = label_width(&name(2), false) + 10.0;
    // The work of the rank with long sequences, which takes the whole width: it is never less than
    // the other's.
    let most = f64::from(TOKENS / long) * work(of, long);
    let measures: [(&str, &dyn Fn(u32) -> f64); 2] = [
        ("equal tokens", &|length| {
            f64::from(length) / f64::from(TOKENS)
        }),
        ("unequal work", &|length| work(of, length) / most),
    ];
    let mut top = 0.0;
    for (words, measure) in measures {
        pen.label(words, (left, top + 10.0), -1, theme.ink, true);
        top += HEAD;
        for (at, length) in [long, SHORT].into_iter().enumerate() {
            let area = Area {
                left,
                top,
                right: frame.width - 2.0,
                bottom: top + RANK,
            };
            pen.note(name(at + 1), (0.0, top + RANK / 2.0), -1);
            rank(&mut pen, area, length, measure(length));
            top += RANK + GAP;
        }
        top += 6.0;
    }
    pen.scene
}

/// Draws the sequences of a rank, each `each` of the width, and the waiting after them.
fn rank(pen: &mut Pen, area: Area, length: u32, each: f64) {
    let colour = pen
        .theme
        // Colours by powers of two: on a linear scale all but the longest would look alike.
        .length_colour(length.ilog2() - LEAST + 1, MOST - LEAST + 1);
    let wide = each * area.width();
    let many = TOKENS / length;
    for at in 0..many {
        let left = area.left + wide * f64::from(at);
        let apart = if wide > 3.0 { 1.0 } else { 0.0 };
        pen.rect(
            Area {
                left,
                right: left + wide - apart,
                ..area
            },
            colour,
        );
    }
    let end = area.left + wide * f64::from(many);
    let (middle, words) = (f64::midpoint(area.top, area.bottom), "waiting");
    if area.right - end > 3.0 {
        pen.dashed(
            &[(end + 2.0, middle), (area.right, middle)],
            &[1.5, 2.5],
            1.0,
            pen.theme.control,
        );
    }
    if area.right - end > label_width(words, false) + 24.0 {
        let at = (f64::midpoint(end, area.right), middle);
        pen.rect(
            Area::around(at, label_width(words, false) / 2.0 + 4.0, 7.0),
            pen.theme.background,
        );
        pen.note(words, at, 0);
    }
}

/// Draws the share of the time that is waited for each model against the longest sequence; a press and the arrow keys
/// choose its length.
pub(super) fn curves(model: usize, long: u32) -> Figure {
    let line = |at: usize| Line {
        name: MODELS[at].into(),
        points: (LEAST..=MOST)
            .map(|power| (f64::from(power), waits(operations(at), 1 << power)))
            .collect(),
        look: if at == model {
            Look::Accent
        } else {
            Look::Dashed(at)
        },
    };
    let now = long.ilog2();
    let drawn = Rc::new(lines::Input {
        x: Quantity::doubling(
            "tokens of the longest".into(),
            [f64::from(LEAST), f64::from(MOST)],
        ),
        y: Quantity {
            name: "waiting".into(),
            range: [0.0, 1.0],
            scale: Scale::Linear,
            label: tick_percent,
        },
        lines: (0..IDS.len()).map(line).collect(),
        needle: Some((f64::from(now), count(u64::from(long)))),
        dots: Vec::new(),
    });
    let pressed = Rc::clone(&drawn);
    let label =
        "Time that the second rank waits, by the length of the sequences of the first.".to_owned();
    let tall = |width: f64| (width * 0.44).clamp(230.0, 320.0);
    let mut figure = Figure::new(label, tall, move |frame| drawn.scene(frame));
    figure.press = Some(Rc::new(move |x, y, frame| -> Option<Move> {
        let [at, _] = pressed.hit((x, y), frame)?;
        Some(("longest", vec![LEAST + at]))
    }));
    figure.step = Some(Rc::new(move |[right, up]| {
        Some((
            "longest",
            vec![now.saturating_add_signed(right + up).clamp(LEAST, MOST)],
        ))
    }));
    figure
}
