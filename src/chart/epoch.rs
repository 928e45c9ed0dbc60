//! One epoch to scale: every row of the padded data beside every row of the packed. Half the height is
//! half the steps.

use super::pen::{Pen, Side, text_width};
use super::{Drawn, Theme};
use crate::api::Shape;
use crate::words::{count, percent};
use plotters::coord::Shift;
use plotters::prelude::*;

/// What the drawing shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Epoch<'a> {
    /// Lengths with their counts, ascending, none above the limit.
    pub items: &'a [([u32; 1], u64)],
    /// The strategies.
    pub shapes: &'a [Shape],
    /// Packs without a strategy in the list.
    pub unlisted: u64,
    /// Slots in a row.
    pub limit: u32,
    /// Share of padding before.
    pub padding_before: f64,
    /// Share of padding after.
    pub padding_after: f64,
}

const TOP: f64 = 40.0;
const BOTTOM: f64 = 22.0;
const GUTTER: f64 = 24.0;

/// Draws both epochs, `width` × `height` CSS pixels.
///
/// # Errors
/// The backend's.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    scale: f64,
    theme: &Theme,
    (width, height): (f64, f64),
    epoch: &Epoch,
) -> Drawn<B> {
    area.fill(&theme.background)?;
    let pen = Pen::new(area, scale, theme);
    let column = (width - GUTTER) / 2.0;
    let full = height - TOP - BOTTOM;
    let items: u64 = epoch.items.iter().map(|(_, n)| n).sum();
    let packs: u64 = epoch.unlisted + epoch.shapes.iter().map(|s| s.count).sum::<u64>();
    let most = items.max(packs).max(1) as f64;
    let padded = full * items as f64 / most;
    let packed = full * packs as f64 / most;
    let line = 1.0 / scale.max(1.0);

    heading(&pen, 0.0, "Padded", items)?;
    let rows: Vec<Row> = epoch.items.iter().rev().map(|&([l], n)| (vec![(l, 1)], n)).collect();
    stack(&pen, (0.0, column), (TOP, padded), line, &rows, 0, epoch.limit)?;
    let words = format!("{} padding", percent(epoch.padding_before));
    if epoch.padding_before > 0.25 && text_width(&words, 12.0) < column * 0.8 {
        let look = pen.note().bold().in_colour(Theme::LIGHT.ink);
        pen.text(&words, (column - 8.0, TOP + padded - 14.0), Side::Left, look)?;
    }

    let left = column + GUTTER;
    heading(&pen, left, "Packed", packs)?;
    let mut rows: Vec<Row> = epoch.shapes.iter().map(|s| (s.runs.clone(), s.count)).collect();
    rows.sort_by(|a, b| b.0.cmp(&a.0));
    stack(&pen, (left, column), (TOP, packed), line, &rows, epoch.unlisted, epoch.limit)?;
    saved(&pen, (left, column), (TOP + packed, TOP + full), epoch, items.saturating_sub(packs))?;

    let base = TOP + full + 13.0;
    pen.text("0", (0.0, base), Side::Right, pen.note())?;
    pen.text(&format!("{} tokens", count(u64::from(epoch.limit))), (column, base), Side::Left, pen.note())
}

/// Runs of lengths, longest first, and how many rows have them.
type Row = (Vec<(u32, u32)>, u64);

fn heading<B: DrawingBackend>(pen: &Pen<B>, x: f64, name: &str, rows: u64) -> Drawn<B> {
    pen.text(name, (x, 9.0), Side::Right, pen.note().bold().in_colour(pen.theme.ink))?;
    pen.text(&format!("{} rows", count(rows)), (x, 26.0), Side::Right, pen.note())
}

/// Rows on top of each other; one drawn line stands for the row in its middle. O(height + rows).
fn stack<B: DrawingBackend>(
    pen: &Pen<B>,
    (left, width): (f64, f64),
    (top, height): (f64, f64),
    line: f64,
    rows: &[Row],
    unlisted: u64,
    limit: u32,
) -> Drawn<B> {
    let total = unlisted + rows.iter().map(|(_, n)| n).sum::<u64>();
    let lines = (height / line).round().max(1.0);
    // Packs that are not listed come last, as an outline: what is in them is not known here.
    let known = (total - unlisted) as f64 / total.max(1) as f64;
    pen.rect((left, top), (left + width, top + height * known), pen.theme.padding)?;
    let (mut at, mut before) = (0, 0);
    let mut drawn = None;
    for i in 0..lines as u64 {
        let wanted = ((i as f64 + 0.5) / lines * total as f64) as u64;
        while at < rows.len() && before + rows[at].1 <= wanted {
            before += rows[at].1;
            at += 1;
        }
        let Some((runs, n)) = rows.get(at) else { break };
        if drawn == Some(at) {
            continue;
        }
        drawn = Some(at);
        // All lines of this row at once.
        let end = (((before + n) as f64 / total as f64 * lines - 0.5).ceil()).clamp(i as f64 + 1.0, lines);
        let y = (top + i as f64 * line, top + end * line);
        draw_row(pen, (left, width), y, runs, limit)?;
    }
    if unlisted > 0 {
        pen.outline((left, top), (left + width - 1.0, top + height), pen.theme.hairline, 1.0)?;
        if height * (1.0 - known) > 18.0 {
            let words = format!("{} more shapes not listed", count(unlisted));
            pen.text(&words, (left + 8.0, top + height - 12.0), Side::Right, pen.note())?;
        }
    }
    Ok(())
}

fn draw_row<B: DrawingBackend>(
    pen: &Pen<B>,
    (left, width): (f64, f64),
    (top, bottom): (f64, f64),
    runs: &[(u32, u32)],
    limit: u32,
) -> Drawn<B> {
    let mut used = 0u64;
    for (length, times) in runs {
        let from = used as f64 / f64::from(limit);
        used += u64::from(*length) * u64::from(*times);
        let to = used as f64 / f64::from(limit);
        let colour = pen.theme.length(*length, limit);
        pen.rect((left + from * width, top), (left + to * width, bottom), colour)?;
    }
    Ok(())
}

/// What need not be run, as a bracket under the packed rows.
fn saved<B: DrawingBackend>(
    pen: &Pen<B>,
    (left, width): (f64, f64),
    (top, bottom): (f64, f64),
    epoch: &Epoch,
    rows: u64,
) -> Drawn<B> {
    let words = format!("{} padding", percent(epoch.padding_after));
    let ink = pen.note().bold().in_colour(pen.theme.ink);
    if bottom - top < 24.0 {
        let below = (left + width, bottom + 13.0);
        return pen.text(&words, below, Side::Left, ink);
    }
    pen.text(&words, (left, top + 13.0), Side::Right, ink)?;
    if bottom - top < 90.0 || rows == 0 {
        return Ok(());
    }
    let (x, from) = (left + 5.0, top + 32.0);
    pen.line(&[(x, from), (x, bottom)], pen.theme.second, 1.0)?;
    for y in [from, bottom] {
        pen.line(&[(x - 4.0, y), (x + 4.0, y)], pen.theme.second, 1.0)?;
    }
    let middle = (from + bottom) / 2.0;
    pen.text(&format!("{} rows", count(rows)), (x + 12.0, middle - 8.0), Side::Right, ink)?;
    pen.text("that need not be run", (x + 12.0, middle + 9.0), Side::Right, pen.note())
}
