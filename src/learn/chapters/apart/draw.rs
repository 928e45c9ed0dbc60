//! Attention as a matrix with the position ids below it, and the weight of each sequence in the loss.

use super::pack::{LossPart, Pack, SLOTS};
use packscope::words::percent;
use packscope_chart::{Area, Frame, Pen, Scene, label_width};

/// Height of the line of words above the matrix.
const ABOVE: f64 = 22.0;
/// Thickness of the strips of tokens along the matrix, and their distance from it.
const STRIP: f64 = 9.0;
const GAP: f64 = 4.0;
/// Space between the matrix and the position ids, with a line of words.
const BETWEEN: f64 = 26.0;
/// The largest side of a cell.
const CELL: f64 = 27.0;
/// Height of a row of the weights, and of the space below the rows.
const ROW: f64 = 27.0;
const BELOW: f64 = 24.0;

fn cell(width: f64) -> f64 {
    ((width - STRIP - GAP) / f64::from(SLOTS)).min(CELL)
}

pub fn matrix_tall(width: f64) -> f64 {
    (ABOVE + STRIP + GAP + cell(width) * f64::from(SLOTS + 1) + BETWEEN + 4.0).ceil()
}

fn corner(row: usize, column: usize, size: f64) -> (f64, f64) {
    (
        STRIP + GAP + column as f64 * size,
        ABOVE + STRIP + GAP + row as f64 * size,
    )
}

/// Returns the row at a height, from 0.
pub fn row_at(y: f64, frame: &Frame) -> Option<u32> {
    let row = ((y - ABOVE - STRIP - GAP) / cell(frame.width)).floor();
    (row >= 0.0 && row < f64::from(SLOTS)).then_some(row as u32)
}

/// Draws the matrix: a row for each token, a column for each token it may attend to.
pub fn matrix(pack: &Pack, token: u32, frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let size = cell(frame.width);
    let n = SLOTS as usize;
    let words = if frame.width < 330.0 {
        "Rows look at columns"
    } else {
        "Each row is a token: what it looks at"
    };
    pen.note(words, (STRIP + GAP, 7.0), -1);
    for i in 0..n {
        let colour = pack.token(i).map_or(theme.padding, |t| {
            theme.length_colour(pack.lengths[t.sequence], SLOTS)
        });
        let (x, y) = corner(i, i, size);
        pen.rect(
            Area {
                left: x,
                top: ABOVE,
                right: x + size,
                bottom: ABOVE + STRIP,
            },
            colour,
        );
        pen.rect(
            Area {
                left: 0.0,
                top: y,
                right: STRIP,
                bottom: y + size,
            },
            colour,
        );
    }
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        cell_of(&mut pen, pack, [row, column], size);
    }
    grid(&mut pen, size);
    let (x, y) = corner(token as usize, 0, size);
    let row = Area {
        left: x - 1.0,
        top: y - 1.0,
        right: x + size * f64::from(SLOTS) + 1.0,
        bottom: y + size + 1.0,
    };
    pen.outline(row, 2.0, theme.ink);
    positions(&mut pen, pack, size);
    pen.scene
}

fn cell_of(pen: &mut Pen, pack: &Pack, [row, column]: [usize; 2], size: f64) {
    let theme = pen.theme;
    let (x, y) = corner(row, column, size);
    let whole = Area {
        left: x,
        top: y,
        right: x + size,
        bottom: y + size,
    };
    let (Some(token), Some(_)) = (pack.token(row), pack.token(column)) else {
        return pen.rect(whole, theme.padding_wash);
    };
    match pack.looks(row, column) {
        Some(true) => pen.rect(
            whole,
            theme.length_colour(pack.lengths[token.sequence], SLOTS),
        ),
        Some(false) => pen.disc((x + size / 2.0, y + size / 2.0), size * 0.27, theme.accent),
        None => {}
    }
}

fn grid(pen: &mut Pen, size: f64) {
    let (start, n) = (corner(0, 0, size), SLOTS as usize);
    let end = corner(n, n, size);
    for i in 0..=n {
        let (x, y) = corner(i, i, size);
        pen.rule(
            (x - 0.5, start.1),
            (x - 0.5, end.1),
            1.0,
            pen.theme.hairline,
        );
        pen.rule(
            (start.0, y - 0.5),
            (end.0, y - 0.5),
            1.0,
            pen.theme.hairline,
        );
    }
}

/// Draws the position ids, wrong ones in the accent colour.
fn positions(pen: &mut Pen, pack: &Pack, size: f64) {
    let theme = pen.theme;
    let (left, bottom) = corner(SLOTS as usize, 0, size);
    pen.note("position ids", (left, bottom + BETWEEN - 11.0), -1);
    for slot in 0..SLOTS as usize {
        let (left, top) = (corner(0, slot, size).0, bottom + BETWEEN);
        let area = Area {
            left,
            top,
            right: left + size,
            bottom: top + size,
        };
        let Some(token) = pack.token(slot) else {
            pen.rect(area, theme.padding_wash);
            continue;
        };
        let length = pack.lengths[token.sequence];
        let Some((id, right)) = pack.position(slot) else {
            continue;
        };
        let ink = if right {
            pen.rect(area, theme.length_colour(length, SLOTS));
            theme.on_length(length, SLOTS)
        } else {
            pen.outline(area, 1.5, theme.accent);
            theme.accent
        };
        let text = if size < 15.0 {
            9.5
        } else {
            (size * 0.58).min(13.0)
        };
        pen.text(
            id.to_string(),
            (left + size / 2.0, top + size / 2.0),
            0,
            (text, true),
            ink,
        );
    }
}

pub fn weights_tall(_: f64) -> f64 {
    ROW * 5.0 + BELOW
}

pub fn name(part: &LossPart) -> String {
    match part.sequence {
        Some(i) => format!("Sequence {}", i + 1),
        None => "Other pack".to_owned(),
    }
}

/// Draws a bar for each sequence, as long as its weight in the loss, with a rule at equal weights.
pub fn weights(parts: &[LossPart], frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let names = parts
        .iter()
        .map(|part| label_width(&name(part), false))
        .fold(0.0, f64::max)
        .ceil()
        + 10.0;
    // The widest words: the sequence alone in its pack has half of the weight.
    let values = label_width("50.0 % × loss 0.30", true).ceil() + 10.0;
    // A bar of weight 0.5, the largest there is, takes all of the width.
    let wide = (frame.width - names - values).max(20.0) / 0.5;
    for (i, part) in parts.iter().enumerate() {
        let top = i as f64 * ROW + 3.0;
        let (middle, right) = (top + ROW / 2.0 - 3.0, names + part.weight * wide);
        pen.note(name(part), (0.0, middle), -1);
        let bar = Area {
            left: names,
            top,
            right,
            bottom: top + ROW - 6.0,
        };
        pen.rect(bar, theme.length_colour(part.length, SLOTS));
        let words = format!("{} × loss {:.2}", percent(part.weight), part.loss);
        pen.label(
            words,
            (right.max(names + wide / parts.len() as f64) + 8.0, middle),
            -1,
            theme.ink,
            true,
        );
    }
    // Equal weights: 1 divided by the number of sequences.
    let (fair, bottom) = (names + wide / parts.len() as f64, ROW * parts.len() as f64);
    pen.rule((fair - 0.75, 0.0), (fair - 0.75, bottom), 1.5, theme.ink);
    let words = format!("once each: {}", percent(1.0 / parts.len() as f64));
    let at = fair.clamp(
        label_width(&words, false) / 2.0,
        frame.width - label_width(&words, false) / 2.0,
    );
    pen.label(words, (at, bottom + 10.0), 0, theme.ink, false);
    pen.scene
}
