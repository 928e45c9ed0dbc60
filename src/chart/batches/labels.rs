//! What is written above and below the columns.

use super::{Column, Input, Layout};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Scene, axes};
use crate::words;

/// Height of a line of text.
const LINE: f64 = 17.0;
/// Between a word and the edge of its grey.
const CHIP: f64 = 5.0;

fn steps(column: &Column) -> String {
    words::batches(column.steps)
}

fn padding(column: &Column) -> String {
    format!("{} padding", words::percent(column.padding))
}

fn chip_width(column: &Column) -> f64 {
    label_width(&padding(column), true) + 2.0 * CHIP
}

/// Whether steps and padding stand on one line, in both columns alike.
fn on_one_line(input: &Input, width: f64) -> bool {
    let wide = |column: &Column| label_width(&steps(column), false) + 12.0 + chip_width(column);
    input.columns.iter().all(|column| wide(column) <= width)
}

/// Height of the heads.
pub(super) fn heads_height(input: &Input, width: f64) -> f64 {
    let lines = if on_one_line(input, width) { 2.0 } else { 3.0 };
    lines * LINE + 10.0
}

/// Names, steps, and how much is padding on the grey of the padding.
pub(super) fn heads(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    for (column, area) in input.columns.iter().zip(layout.areas) {
        let (steps, wide) = (steps(column), chip_width(column));
        let (mut left, mut y) = (area.left, 9.0);
        scene.label(column.name, (left, y), -1, theme.ink, true);
        y += LINE;
        scene.label(&steps, (left, y), -1, theme.second_ink, false);
        if on_one_line(input, area.width()) {
            left += label_width(&steps, false) + 12.0;
        } else {
            y += LINE;
        }
        scene.rect(Area { left, top: y - 8.5, right: left + wide, bottom: y + 8.5 }, theme.padding);
        scene.label(padding(column), (left + wide / 2.0, y), 0, theme.ink, true);
    }
}

/// Slots from 0 to the limit, below both columns.
pub(super) fn axes(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    for area in layout.areas {
        axes::slots(scene, area, input.limit, input.unit, frame);
    }
}

/// How many batches are shown where they are not all.
pub(super) fn notes(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    for (k, (column, area)) in input.columns.iter().zip(layout.areas).enumerate() {
        let shown = layout.shown(k) as u64;
        if shown == 0 || shown >= column.steps {
            continue;
        }
        let said = match input.first {
            None => {
                let every = words::count(layout.strides[k]);
                [format!("1 of {every} batches shown"), format!("1 of {every} shown")]
            }
            Some(_) => {
                let [shown, of] = [shown, column.steps].map(words::count);
                [format!("{shown} of {of} batches shown"), format!("{shown} of {of} shown")]
            }
        };
        let fits = |words: &&String| label_width(words, false) <= area.width();
        if let Some(words) = said.iter().find(fits) {
            let y = area.bottom + 14.0 + LINE;
            scene.label(words, (area.left, y), -1, frame.theme.second_ink, false);
        }
    }
}
