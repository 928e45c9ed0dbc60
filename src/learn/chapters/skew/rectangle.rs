//! The sequences as a histogram, and below it the padded rectangle of their rows.

use super::KNOB;
use super::shapes::{MEAN, SEQUENCES, counts};
use crate::learn::Figure;
use packscope::words::{count, percent};
use packscope_chart::{Area, Frame, Pen, Scene, label_width};
use std::rc::Rc;

/// The end of the axis, tokens.
pub const END: u32 = 1024;
/// The length with the last colour.
const DARKEST: u32 = 512;
/// The step of the knob, tokens.
pub const STEP: u32 = 4;
/// Width of a bar, tokens.
const BIN: u32 = 16;
/// Height and top of the histogram, whose bars share the axis of the rows.
const BARS: f64 = 66.0;
const TOP: f64 = 34.0;
/// Space between the histogram and the rows, and below the rows.
const BETWEEN: f64 = 26.0;
const BELOW: f64 = 24.0;

/// Draws histogram and rows; the edge of the rectangle can be dragged.
pub fn figure(lengths: Vec<u32>) -> Figure {
    let longest = lengths.first().copied().unwrap_or(1);
    let padding = 1.0 - MEAN as f64 / f64::from(longest);
    let label = format!(
        "1,000 rows of {longest} slots, the longest sequence first: {} are filled, {} are padding. Above them a \
         histogram of the lengths, with a mean of {MEAN} tokens.",
        percent(1.0 - padding),
        percent(padding),
    );
    let moved = |to: f64| {
        let steps = (to.clamp(MEAN as f64, f64::from(END)) / f64::from(STEP)).round() as u32;
        Some((KNOB, vec![steps * STEP]))
    };
    Figure {
        press: Some(Rc::new(move |x, _, frame: &Frame| {
            moved(x / frame.width * f64::from(END))
        })),
        step: Some(Rc::new(move |[right, up]: [i32; 2]| {
            moved(f64::from(longest) + f64::from((right + up) * STEP as i32))
        })),
        ..Figure::new(label, tall, move |frame| scene(&lengths, padding, frame))
    }
}

fn tall(width: f64) -> f64 {
    if width < 480.0 { 300.0 } else { 340.0 }
}

fn x(tokens: f64, frame: &Frame) -> f64 {
    frame.width * tokens / f64::from(END)
}

fn scene(lengths: &[u32], padding: f64, frame: &Frame) -> Scene {
    let mut pen = Pen::new(frame);
    let longest = lengths.first().copied().unwrap_or(1);
    let edge = x(f64::from(longest), frame);
    let top = TOP + BARS + BETWEEN;
    let rows = Area {
        left: 0.0,
        top,
        right: edge,
        bottom: frame.height - BELOW,
    };
    bars(&mut pen, lengths);
    pen.rect(rows, frame.theme.padding);
    stairs(&mut pen, lengths, rows);
    axis(&mut pen, rows.bottom);
    names(&mut pen, longest, padding, rows);
    pen.scene
}

fn bars(pen: &mut Pen, lengths: &[u32]) {
    let bottom = TOP + BARS;
    let mut bins = vec![0_u64; (END / BIN) as usize];
    for (length, n) in counts(lengths) {
        if let Some(bin) = bins.get_mut(((length - 1) / BIN) as usize) {
            *bin += n;
        }
    }
    let most = bins.iter().copied().max().unwrap_or(1) as f64;
    for (i, n) in (0..).zip(bins).filter(|(_, n)| *n > 0) {
        let (from, to): (u32, u32) = (i * BIN, (i + 1) * BIN);
        // A single sequence among a thousand stays visible.
        let height = (n as f64 / most * BARS).max(2.0);
        let [left, right] = [from, to].map(|tokens| x(f64::from(tokens), pen.frame));
        let bar = Area {
            left,
            top: bottom - height,
            right: right - 1.0,
            bottom,
        };
        pen.rect(bar, pen.theme.length_colour((from + to) / 2, DARKEST));
    }
    pen.rule((0.0, bottom), (pen.frame.width, bottom), 1.0, pen.theme.ink);
}

/// Draws the rows, one for each line of pixels.
fn stairs(pen: &mut Pen, lengths: &[u32], rows: Area) {
    // In device pixels: a thousand rows are more than the drawing has lines, so each line shows one
    // of them.
    let lines = (rows.height() * pen.frame.scale).max(1.0) as usize;
    let at = |line: usize| lengths[(line * lengths.len() / lines).min(lengths.len() - 1)];
    let mut from = 0;
    for line in 1..=lines {
        // Lines of one length are one rectangle: hundreds of rectangles less, and no seams between
        // them.
        if line < lines && at(line) == at(from) {
            continue;
        }
        let [top, bottom] = [from, line].map(|l| rows.top + l as f64 / pen.frame.scale);
        // A pixel at least, so that the shortest rows are seen.
        let right = x(f64::from(at(from)), pen.frame).max(1.0);
        pen.rect(
            Area {
                left: 0.0,
                top,
                right,
                bottom: bottom.min(rows.bottom),
            },
            pen.theme.length_colour(at(from), DARKEST),
        );
        from = line;
    }
}

fn axis(pen: &mut Pen, bottom: f64) {
    let theme = pen.theme;
    pen.rule((0.0, bottom), (pen.frame.width, bottom), 1.0, theme.ink);
    let every = if pen.frame.width < 480.0 { 512 } else { 256 };
    for tokens in (0..=END).step_by(every) {
        let (at, anchor) = match tokens {
            0 => (0.0, -1),
            END => (pen.frame.width, 1),
            _ => (x(f64::from(tokens), pen.frame), 0),
        };
        let words = count(u64::from(tokens));
        let words = if tokens == END {
            format!("{words} tokens")
        } else {
            words
        };
        pen.note(words, (at, bottom + 14.0), anchor);
    }
}

/// Labels the mean, the longest, the rows, and the padding.
fn names(pen: &mut Pen, longest: u32, padding: f64, rows: Area) {
    let theme = pen.theme;
    let mean = x(MEAN as f64, pen.frame);
    pen.dashed(
        &[(mean, 17.0), (mean, rows.bottom)],
        &[4.0, 3.0],
        1.5,
        theme.ink,
    );
    let edge = rows.right.min(pen.frame.width - 6.0);
    pen.needle((edge, 11.0), rows.bottom + 5.0, theme.accent);
    let words = format!("longest {}", count(u64::from(longest)));
    let room = label_width(&words, true) + 12.0;
    let left = edge + room > pen.frame.width;
    let (at, anchor) = if left {
        (edge - 12.0, 1)
    } else {
        (edge + 12.0, -1)
    };
    pen.label(words, (at, 9.0), anchor, theme.accent, true);
    let words = format!("mean {MEAN}");
    // Not across the label of the longest, which may be close.
    let near = edge < mean + label_width(&words, true) + 16.0;
    let at = if near { edge + 12.0 } else { mean + 6.0 };
    pen.label(words, (at, 24.0), -1, theme.ink, true);
    let words = format!("{} rows, one sequence each", count(SEQUENCES));
    let (at, anchor) = if pen.frame.width < 480.0 {
        (pen.frame.width, 1)
    } else {
        (0.0, -1)
    };
    let ground = label_width(&words, false) + 4.0;
    let place = if anchor < 0 {
        [0.0, ground]
    } else {
        [pen.frame.width - ground, pen.frame.width]
    };
    let band = Area {
        left: place[0],
        right: place[1],
        top: rows.top - 19.0,
        bottom: rows.top - 3.0,
    };
    pen.rect(band, theme.background);
    pen.note(words, (at, rows.top - 11.0), anchor);
    grey(pen, padding, rows);
}

/// Labels the share of padding, inside it if it fits.
fn grey(pen: &mut Pen, padding: f64, rows: Area) {
    let words = format!("{} padding", percent(padding));
    let wide = label_width(&words, true) + 20.0;
    let y = rows.bottom - 18.0;
    let from = x(MEAN as f64, pen.frame) + 8.0;
    if rows.right - from >= wide {
        pen.label(words, (rows.right - 10.0, y), 1, pen.theme.ink, true);
    } else {
        pen.label(words, (rows.right + 10.0, y), -1, pen.theme.ink, true);
    }
}
