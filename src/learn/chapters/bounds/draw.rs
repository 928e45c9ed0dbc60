//! Prices poured into rows like water.

use super::{LENGTHS, LIMIT, PriceProof};
use crate::learn::Figure;
use packscope::words::count;
use packscope_chart::{Area, Pen, label_width};

/// Height of a row, and the distance between rows.
const ROW: f64 = 24.0;
const STEP: f64 = 30.0;
/// Width of the row numbers, left of the rows.
const LEFT: f64 = 24.0;
/// Height of the heading above rows.
const HEAD: f64 = 24.0;
/// The largest number of rows: no bound exceeds the number of packs.
const ROWS: usize = 8;

/// All sequences in a line that is cut into rows.
struct PouredLine {
    /// Capacity of a row.
    row: u64,
    /// The amount that a sequence of each length takes.
    takes: [u32; 3],
}

impl PouredLine {
    fn rows(&self) -> usize {
        let sum: u64 = LENGTHS
            .iter()
            .zip(self.takes)
            .map(|((_, n), t)| n * u64::from(t))
            .sum();
        if self.row == 0 {
            0
        } else {
            sum.div_ceil(self.row) as usize
        }
    }

    fn draw(&self, pen: &mut Pen, top: f64) {
        let unit = (pen.frame.width - LEFT) / self.row.max(1) as f64;
        let mut at = 0;
        for ((length, n), takes) in LENGTHS.iter().zip(self.takes) {
            for _ in 0..*n {
                let end = at + u64::from(takes);
                self.piece(pen, [at, end], (*length, takes), (top, unit));
                at = end;
            }
        }
    }

    /// Draws a sequence, cut where a row ends, with its number on the longest piece.
    fn piece(
        &self,
        pen: &mut Pen,
        [mut from, end]: [u64; 2],
        (length, takes): (u32, u32),
        (top, unit): (f64, f64),
    ) {
        let mut parts: Vec<Area> = Vec::new();
        // A row of 0, where nothing has a price, would never advance.
        while from < end && self.row > 0 {
            let row = from / self.row;
            let to = end.min((row + 1) * self.row);
            let x = |at: u64| LEFT + (at - row * self.row) as f64 * unit;
            let y = top + row as f64 * STEP;
            parts.push(Area {
                left: x(from),
                top: y,
                right: x(to),
                bottom: y + ROW,
            });
            from = to;
        }
        let (last, words) = (parts.len().saturating_sub(1), count(u64::from(takes)));
        for (i, area) in parts.iter().enumerate() {
            // A cut piece shows no gap where it continues.
            let right = if i == last {
                area.right - 1.0
            } else {
                area.right
            };
            pen.rect(
                Area { right, ..*area },
                pen.theme.length_colour(length, LIMIT),
            );
        }
        // Of a sequence that is cut, one piece alone has the number, or it would seem to be two
        // sequences.
        let longest = parts.iter().max_by(|a, b| a.width().total_cmp(&b.width()));
        if let Some(area) = longest.filter(|a| a.width() > label_width(&words, true) + 4.0) {
            number(pen, &words, area, length);
        }
    }
}

fn number(pen: &mut Pen, words: &str, area: &Area, length: u32) {
    let at = (
        (area.left + area.right) / 2.0,
        (area.top + area.bottom) / 2.0,
    );
    pen.label(words, at, 0, pen.theme.on_length(length, LIMIT), true);
}

/// Draws the numbers of the rows; rows that are not proven are dashed outlines.
fn numbers(pen: &mut Pen, rows: usize, all: usize, top: f64) {
    let theme = pen.theme;
    for i in 0..all.max(rows) {
        let (y, seen) = (top + i as f64 * STEP, i < rows);
        let colour = if all > 0 && rows >= all {
            theme.accent
        } else {
            theme.second_ink
        };
        pen.label(
            (i + 1).to_string(),
            (LEFT - 8.0, y + ROW / 2.0),
            1,
            colour,
            seen,
        );
        let (left, right, bottom) = (LEFT, pen.frame.width - 1.0, y + ROW);
        if seen {
            pen.rule(
                (left, bottom - 1.0),
                (pen.frame.width, bottom - 1.0),
                1.0,
                theme.hairline,
            );
        } else {
            let corners = [
                (left, y),
                (right, y),
                (right, bottom),
                (left, bottom),
                (left, y),
            ];
            pen.dashed(&corners, &[3.0, 3.0], 1.0, theme.control);
            pen.note("not proven", (left + 10.0, y + ROW / 2.0), -1);
        }
    }
}

/// Draws all tokens, poured into rows as long as the limit.
pub(super) fn water() -> Figure {
    let poured = || PouredLine {
        row: u64::from(LIMIT),
        takes: LENGTHS.map(|(length, _)| length),
    };
    let rows = poured().rows();
    let label = format!(
        "All tokens in a line, cut after every {LIMIT}: they fill {rows} rows to the last slot."
    );
    Figure::new(
        label,
        |_| HEAD + 6.0 * STEP,
        move |frame| {
            let mut pen = Pen::new(frame);
            let words = format!("Tokens, cut wherever a row of {LIMIT} ends");
            pen.note(words, (LEFT, 8.0), -1);
            numbers(&mut pen, rows, 0, HEAD);
            poured().draw(&mut pen, HEAD);
            pen.scene
        },
    )
}

/// Draws the pack of the highest price, and below it all prices poured into rows of that price.
pub(super) fn prices(proof: &PriceProof, packs: u64) -> Figure {
    let PriceProof {
        prices,
        pack,
        most,
        sum,
        bound,
    } = *proof;
    let inside: Vec<String> = LENGTHS
        .iter()
        .zip(pack)
        .filter(|(_, n)| *n > 0)
        .map(|((length, _), n)| format!("{n} of {length} tokens"))
        .collect();
    let label = format!(
        "The dearest pack, {}, costs {most}. All sequences cost {sum}, which fills {bound} rows of {most}; the plan has {packs}.",
        inside.join(" and ")
    );
    let tall = |_: f64| 2.0 * HEAD + STEP + 14.0 + ROWS as f64 * STEP;
    Figure::new(label, tall, move |frame| {
        let mut pen = Pen::new(frame);
        let theme = frame.theme;
        let words = if most > 0 {
            format!("The dearest pack costs {most}")
        } else {
            "Nothing costs anything".to_owned()
        };
        pen.label(words, (LEFT, 8.0), -1, theme.accent, true);
        dearest(&mut pen, prices, pack);
        let top = 2.0 * HEAD + STEP + 14.0;
        let words = format!("All prices, cut wherever {most} are full");
        pen.note(words, (LEFT, top - HEAD + 8.0), -1);
        let poured = PouredLine {
            row: most,
            takes: prices,
        };
        numbers(&mut pen, poured.rows(), packs as usize, top);
        poured.draw(&mut pen, top);
        pen.scene
    })
}

/// Draws a pack in slots, with the prices of its sequences.
fn dearest(pen: &mut Pen, prices: [u32; 3], pack: [u32; 3]) {
    let unit = (pen.frame.width - LEFT) / f64::from(LIMIT);
    let whole = Area {
        left: LEFT,
        top: HEAD,
        right: pen.frame.width,
        bottom: HEAD + ROW,
    };
    let mut left = LEFT;
    for (((length, _), price), n) in LENGTHS.iter().zip(prices).zip(pack) {
        for _ in 0..n {
            let right = left + f64::from(*length) * unit;
            let area = Area {
                left,
                right: right - 1.0,
                ..whole
            };
            pen.rect(area, pen.theme.length_colour(*length, LIMIT));
            number(pen, &price.to_string(), &area, *length);
            left = right;
        }
    }
    pen.rect(Area { left, ..whole }, pen.theme.padding);
    pen.outline(whole, 2.0, pen.theme.accent);
}
