//! What is written round the two drawings.

use super::{Input, Layout};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Scene, axes};
use crate::words;

/// Height of a line of text.
const LINE: f64 = 17.0;

/// The names of the two drawings and their rows.
pub(super) fn heads(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    for (name, rows, area) in
        [("Padded", input.items(), layout.padded), (input.name, input.packs(), layout.packed)]
    {
        scene.label(name, (area.left, 9.0), -1, theme.ink, true);
        let rows = format!("{} rows", words::count(rows));
        scene.label(rows, (area.left, 9.0 + LINE), -1, theme.second_ink, false);
    }
}

/// Slots from 0 to the limit, below the padded rows.
pub(super) fn axis(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Area { left, right, bottom, .. } = layout.packed;
    scene.rule((left, bottom), (right, bottom), 1.0, frame.theme.ink);
    axes::slots(scene, layout.padded, input.limit, input.unit, frame);
}

/// How much is padding: in the grey of the padded rows if there is room, below the packed ones.
pub(super) fn padding(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let ink = frame.theme.ink;
    let words = format!("{} padding", words::percent(input.padded));
    let (area, y) = (layout.padded, layout.padded.bottom - 16.0);
    let grey = area.width() * (1.0 - longest_at(input, &area, y - 9.0) / f64::from(input.limit.max(1)));
    if label_width(&words, true) + 18.0 < grey && y - 9.0 > area.top {
        let left = area.right - 14.0 - label_width(&words, true);
        let chip = Area { left, top: y - 9.0, right: area.right - 6.0, bottom: y + 9.0 };
        scene.rect(chip, frame.theme.padding);
        scene.label(words, (area.right - 10.0, y), 1, ink, true);
    }
    if room_below(layout) >= 22.0 {
        let words = format!("{} padding", words::percent(input.packed));
        scene.label(words, (layout.packed.left, layout.packed.bottom + 15.0), -1, ink, true);
    }
}

/// The length of the item whose row is at a height of the padded drawing.
fn longest_at(input: &Input, area: &Area, y: f64) -> f64 {
    let share = ((area.bottom - y) / area.height().max(1.0)).clamp(0.0, 1.0);
    let rank = share * input.items() as f64;
    let mut seen = 0.0;
    let reached = input.entries.iter().find(|(_, n)| {
        seen += *n as f64;
        seen >= rank
    });
    reached.map_or(0.0, |(length, _)| f64::from(*length))
}

/// Pixels between the packed rows and the lower edge of the padded ones, with the line of words there.
fn room_below(layout: &Layout) -> f64 {
    layout.padded.bottom + 22.0 - layout.packed.bottom
}

/// Packs whose shapes are not at hand: an outline with their number, no colour that would mean a length.
pub(super) fn unlisted(scene: &mut Scene, input: &Input, from: f64, layout: &Layout, frame: &Frame) {
    let (theme, Area { left, right, bottom, .. }) = (frame.theme, layout.packed);
    if input.unlisted == 0 || bottom - from < 2.0 {
        return;
    }
    for x in [left, right - 1.0] {
        scene.rule((x, from), (x, bottom), 1.0, theme.control);
    }
    scene.rule((left, from), (right, from), 1.0, theme.control);
    let words = format!("{} rows of other shapes", words::short(input.unlisted));
    if bottom - from >= LINE && label_width(&words, false) < right - left - 8.0 {
        let at = (f64::midpoint(left, right), f64::midpoint(from, bottom));
        scene.label(words, at, 0, theme.second_ink, false);
    }
}

/// A bracket as high as the rows that packing saves.
pub(super) fn saved(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    let (left, top, bottom) = (layout.packed.left + 6.0, layout.packed.bottom + 30.0, layout.padded.bottom);
    let saved = input.items().saturating_sub(input.packs());
    if saved == 0 || bottom - top < 2.0 * LINE {
        return saved_in_words(scene, saved, layout, frame);
    }
    scene.rule((left, top), (left, bottom), 1.0, theme.control);
    for y in [top, bottom] {
        scene.rule((left - 4.0, y), (left + 5.0, y), 1.0, theme.control);
    }
    let middle = f64::midpoint(top, bottom);
    let rows = format!("{} rows", words::count(saved));
    scene.label(rows, (left + 14.0, middle - LINE / 2.0), -1, theme.ink, true);
    scene.label("that need not be run", (left + 14.0, middle + LINE / 2.0), -1, theme.second_ink, false);
}

/// The same without the bracket, where it would be too low to read.
fn saved_in_words(scene: &mut Scene, saved: u64, layout: &Layout, frame: &Frame) {
    if saved > 0 && room_below(layout) >= 22.0 + LINE {
        let words = format!("{} rows fewer", words::count(saved));
        let at = (layout.packed.left, layout.packed.bottom + 15.0 + LINE);
        scene.label(words, at, -1, frame.theme.second_ink, false);
    }
}
