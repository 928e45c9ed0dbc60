//! A batch at a limit, all slots as one bar, and what each limit loses.

use super::{BATCH, CUTS, Cut, MOST, STEP};
use crate::learn::{Figure, Move, bars};
use packscope::histogram::Overlong;
use packscope::words::{count, percent, tick_percent};
use packscope_chart::lines::{self, Line, Quantity};
use packscope_chart::{Area, Chart, Frame, Look, Pen, Rgb, Scale, Scene, Theme, label_width};
use std::rc::Rc;

/// The batch that is drawn, one with prompts of many lengths.
const DRAWN: usize = 5;
/// Heights of a row and of the line above the rows.
const ROW: f64 = 16.0;
const HEAD: f64 = 20.0;

/// Names and colours of the parts of all slots.
const PARTS: [&str; 3] = ["responses", "prompts", "padding"];

fn colour(theme: &Theme, part: usize) -> Rgb {
    [theme.accent, theme.marginal, theme.padding][part.min(2)]
}

/// Draws a batch: what is left of each conversation with its padding, and in outline what is cut off.
pub(super) fn batch(cut: &Cut) -> Figure {
    let pairs = cut.pairs.iter().skip(DRAWN * BATCH).take(BATCH);
    // What is left of prompt and response, then what is cut off of either.
    let rows: Vec<[u32; 4]> = pairs
        .map(|pair| {
            let [prompt, response] = cut.left(*pair);
            [prompt, response, pair[0] - prompt, pair[1] - response]
        })
        .collect();
    let limit = cut.limit;
    let none = rows.iter().filter(|row| row[1] == 0).count();
    let label = format!(
        "{BATCH} conversations at a limit of {} tokens, of which {} is cut: {none} of them have no token left that trains",
        count(u64::from(limit)),
        CUTS[cut.truncation as usize],
    );
    Figure::new(
        label,
        |_| HEAD + BATCH as f64 * ROW + 4.0,
        move |frame| draw(&rows, limit, frame),
    )
}

fn draw(rows: &[[u32; 4]], limit: u32, frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let longest = |of: &dyn Fn(&[u32; 4]) -> u32| rows.iter().map(of).max().unwrap_or(1);
    let padded = longest(&|row| row[0] + row[1]);
    let scale = (frame.width - 2.0) / f64::from(longest(&|row| row.iter().sum()).max(1));
    for (at, row) in rows.iter().enumerate() {
        let top = HEAD + at as f64 * ROW;
        let mut left = 0.0;
        let mut part = |pen: &mut Pen, tokens: u32, kind: usize, is_left: bool| {
            let area = Area::sized((left, top), f64::from(tokens) * scale, ROW - 3.0);
            left = area.right;
            if tokens == 0 {
            } else if is_left {
                pen.rect(area, colour(&theme, kind));
            } else {
                pen.outline(area, 1.0, colour(&theme, kind));
            }
        };
        part(&mut pen, row[0], 1, true);
        part(&mut pen, row[1], 0, true);
        part(&mut pen, padded - row[0] - row[1], 2, true);
        // Beyond the longest row only what is cut off stands.
        part(&mut pen, row[2], 1, false);
        part(&mut pen, row[3], 0, false);
    }
    let x = f64::from(limit) * scale;
    if x < frame.width - 2.0 {
        pen.rule(
            (x, HEAD - 4.0),
            (x, HEAD + rows.len() as f64 * ROW),
            1.5,
            theme.ink,
        );
        let words = "cut off";
        let is_room = x + label_width(words, false) + 8.0 < frame.width;
        let (at, anchor) = if is_room { (x + 6.0, -1) } else { (x - 6.0, 1) };
        pen.note(words, (at, HEAD / 2.0 - 2.0), anchor);
    }
    pen.scene
}

/// Draws all slots as one bar.
pub(super) fn computed(cut: &Cut) -> Figure {
    let shares = cut.shares();
    let words: Vec<String> = PARTS
        .iter()
        .zip(&shares)
        .map(|(part, share)| format!("{part} {}", percent(*share)))
        .collect();
    let label = format!(
        "All slots that are computed, as one bar: {}",
        words.join(", ")
    );
    let name = "all slots that are computed".to_owned();
    bars::figure(label, vec![(name, shares)], &PARTS, colour)
}

/// Draws what each limit loses; a press and the arrow keys choose a limit.
pub(super) fn curves(cut: &Cut) -> Figure {
    let of = &cut.curves;
    let line = |name: &'static str, look, share: &dyn Fn(u32) -> f64| Line {
        name: name.into(),
        points: (STEP..=MOST)
            .step_by(STEP as usize)
            .map(|limit| (f64::from(limit), share(limit)))
            .collect(),
        look,
    };
    let limit = cut.limit;
    let drawn = Rc::new(lines::Input {
        x: Quantity {
            name: "limit, tokens".into(),
            range: [0.0, f64::from(MOST)],
            scale: Scale::Linear,
            label: |limit| count(limit.max(0.0) as u64),
        },
        y: Quantity {
            name: "lost".into(),
            range: [0.0, 1.0],
            scale: Scale::Linear,
            label: tick_percent,
        },
        lines: vec![
            line("all tokens", Look::Ink, &|limit| {
                of.tokens_lost_share(limit, Overlong::Truncate)
            }),
            line("conversations", Look::Dashed(1), &|limit| {
                of.untrained_share(limit)
            }),
            line("responses", Look::Accent, &|limit| {
                of.lost_share(limit, Overlong::Truncate)
            }),
        ],
        needle: Some((f64::from(limit), count(u64::from(limit)))),
        dots: Vec::new(),
    });
    let label = format!(
        "Lost by the limit: the responses' tokens, all tokens, and conversations that train nothing. At {}: {}, {} and {}",
        count(u64::from(limit)),
        percent(of.lost_share(limit, Overlong::Truncate)),
        percent(of.tokens_lost_share(limit, Overlong::Truncate)),
        percent(of.untrained_share(limit)),
    );
    let pressed = Rc::clone(&drawn);
    let tall = |width: f64| (width * 0.44).clamp(230.0, 320.0);
    let mut figure = Figure::new(label, tall, move |frame| drawn.scene(frame));
    figure.press = Some(Rc::new(move |x, y, frame| -> Option<Move> {
        let [at, _] = pressed.hit((x, y), frame)?;
        Some(("limit", vec![STEP * (at + 1)]))
    }));
    figure.step = Some(Rc::new(move |[right, up]| {
        let by = (right + up) * STEP as i32;
        Some((
            "limit",
            vec![limit.saturating_add_signed(by).clamp(STEP, MOST)],
        ))
    }));
    figure
}
