//! The cells, the grid they stand in, and the bars above them.

use super::{Input, Layout};
use crate::chart::scene::label_width;
use crate::chart::theme::mix;
use crate::chart::{Area, Frame, Mark, Rgb, Scene};
use crate::words;

/// Height of the longest bar.
const BAR: f64 = 40.0;
/// Share of its colour that the smallest number has at least.
const PALEST: f64 = 0.5;
/// From a bar to its count.
const COUNT: f64 = 9.0;

/// Lines between all rows and all columns.
pub(super) fn grid(scene: &mut Scene, layout: &Layout, frame: &Frame) {
    if layout.columns == 0 {
        return;
    }
    let colour = frame.theme.hairline;
    for (area, rows) in [(layout.cells, layout.lengths.len()), (layout.empty, 1)] {
        for row in 0..=rows {
            let y = area.top + layout.row() * row as f64;
            scene.rule((area.left, y), (area.right + 1.0, y), 1.0, colour);
        }
        for column in 0..=layout.columns {
            let x = area.left + layout.column * column as f64;
            scene.rule((x, area.top), (x, area.bottom), 1.0, colour);
        }
    }
}

/// A number in a cell: what it is, the largest of its kind, and the size of all of its kind.
struct Number {
    n: u64,
    largest: u64,
    size: Option<f64>,
}

/// How often each length is in each strategy, and what stays empty.
pub(super) fn draw(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    let (times, empty) = input.largest();
    for (column, shape) in input.shapes.iter().take(layout.columns).enumerate() {
        for (length, n) in &shape.runs {
            let Ok(row) = layout.lengths.binary_search(length) else { continue };
            let colours = (theme.length_colour(*length, input.limit), theme.on_length(*length, input.limit));
            let number = Number { n: u64::from(*n), largest: u64::from(times), size: layout.times };
            cell(scene, layout.cell(column, row), &number, colours, frame);
        }
        let number = Number { n: input.empty(shape), largest: empty, size: layout.rest };
        if number.n > 0 {
            cell(scene, layout.below(column), &number, (theme.padding, theme.ink), frame);
        }
    }
}

/// A filled cell: with its number, or in a fuller colour the larger its number is.
fn cell(scene: &mut Scene, area: Area, number: &Number, (ground, ink): (Rgb, Rgb), frame: &Frame) {
    let inside = Area { left: area.left + 1.0, top: area.top + 1.0, ..area };
    let Some(size) = number.size.filter(|_| area.height() >= 11.0) else {
        let share = PALEST + (1.0 - PALEST) * number.n as f64 / number.largest.max(1) as f64;
        return scene.rect(inside, mix(ground, frame.theme.background, share));
    };
    scene.rect(inside, ground);
    let at = (f64::midpoint(inside.left, inside.right), f64::midpoint(inside.top, inside.bottom));
    let text = number.n.to_string();
    scene.marks.push(Mark::Text { text, at, anchor: 0, size, bold: false, colour: ink });
}

/// How many packs there are of each strategy: with its count, where there is room for all of them, or
/// with that of the first.
pub(super) fn bars(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    let foot = layout.cells.top - 5.0;
    let shapes = input.shapes.iter().take(layout.columns);
    let most = input.shapes.first().map_or(1, |s| s.count).max(1) as f64;
    let fits = |count: u64| label_width(&words::short(count), false) <= layout.column;
    let all = shapes.clone().all(|s| fits(s.count));
    for (column, shape) in shapes.enumerate() {
        let height = (BAR * shape.count as f64 / most).max(1.0);
        let Area { left, right, .. } = layout.cell(column, 0);
        let inset = ((right - left) * 0.16).max(1.0);
        let bar = Area { left: left + inset, top: foot - height, right: right + 1.0 - inset, bottom: foot };
        scene.rect(bar, theme.second_ink);
        let y = bar.top - COUNT;
        if all {
            let x = f64::midpoint(left, right + 1.0);
            scene.label(words::short(shape.count), (x, y), 0, theme.second_ink, false);
        } else if column == 0 {
            scene.label(words::count(shape.count), (bar.left, y), -1, theme.second_ink, false);
        }
    }
}
