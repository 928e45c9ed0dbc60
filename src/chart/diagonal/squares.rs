//! One square and the words below it.

use super::{Input, Layout, used};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Rgb, Scene, singular};
use crate::words;

/// Items smaller than this both ways are drawn together with their neighbours.
const SEEN: f64 = 2.0;
/// Height of a line of words.
const LINE: f64 = 16.0;

/// The average item alone.
pub(super) fn unpacked(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (Some(square), Some((mean, count))) = (layout.unpacked, input.unpacked) else { return };
    let end = std::array::from_fn(|k| (mean[k] / f64::from(input.limits[k].max(1))).clamp(0.0, 1.0));
    body(scene, &[[0.0; 2], end], square, frame);
    let [first, second] = mean.map(|mean| words::count(mean.max(0.0).round() as u64));
    let sizes = [format!("the average, {first} × {second}"), format!("{first} × {second}")];
    caption(scene, square, "Unpacked", count, &sizes, frame);
}

/// One pack.
pub(super) fn pack(scene: &mut Scene, input: &Input, layout: &Layout, at: usize, frame: &Frame) {
    let (Some(pack), Some(square)) = (input.packs.get(at), layout.squares.get(at)) else { return };
    let Some(corners) = layout.corners.get(at) else { return };
    body(scene, corners, *square, frame);
    let [first, second] = used(pack).map(words::count);
    let sizes =
        [format!("{first} {}, {second} {}", input.names[0], input.names[1]), format!("{first} × {second}")];
    let items = words::plural(pack.sizes.len() as u64, singular(input.items));
    caption(scene, *square, &items, pack.count, &sizes, frame);
}

/// Where a corner is.
fn place(square: Area, corner: [f64; 2]) -> (f64, f64) {
    (square.left + corner[0] * square.width(), square.bottom - corner[1] * square.height())
}

/// From the lower left corner to the upper right one.
fn between(square: Area, low: [f64; 2], high: [f64; 2]) -> Area {
    let ((left, bottom), (right, top)) = (place(square, low), place(square, high));
    Area { left, top, right, bottom }
}

/// What remains, the items in two tones, the frame.
fn body(scene: &mut Scene, corners: &[[f64; 2]], square: Area, frame: &Frame) {
    let theme = frame.theme;
    let end = corners.last().copied().unwrap_or([0.0; 2]);
    let (right, top) = place(square, end);
    if end[0] < 1.0 {
        scene.rect(Area { left: right, ..square }, theme.padding_wash);
    }
    if end[1] < 1.0 {
        scene.rect(Area { bottom: top, ..square }, theme.padding_wash);
    }
    for (i, (low, high)) in runs(corners, square).into_iter().enumerate() {
        let tone = if i % 2 == 0 { theme.accent } else { theme.second_accent };
        scene.rect(between(square, low, high), tone);
    }
    scene.outline(square.grown(0.0), 1.0, theme.marginal);
}

/// The steps that are drawn: items that are large enough, or several that together are.
fn runs(corners: &[[f64; 2]], square: Area) -> Vec<([f64; 2], [f64; 2])> {
    let mut runs = vec![];
    let mut low = corners.first().copied().unwrap_or([0.0; 2]);
    for (i, corner) in corners.iter().enumerate().skip(1) {
        let area = between(square, low, *corner);
        if area.width() >= SEEN || area.height() >= SEEN || i + 1 == corners.len() {
            runs.push((low, *corner));
            low = *corner;
        }
    }
    runs
}

/// The item under the pointer.
pub(super) fn hover(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some((pack, item)) = input.hover else { return };
    let (Some(corners), Some(square)) = (layout.corners.get(pack), layout.squares.get(pack)) else { return };
    if let (Some(low), Some(high)) = (corners.get(item), corners.get(item + 1)) {
        let area = between(*square, *low, *high);
        scene.rect(area.grown(1.5), frame.theme.ink);
        let tone: Rgb = if item % 2 == 0 { frame.theme.accent } else { frame.theme.second_accent };
        scene.rect(area, tone);
    }
}

/// Two lines: what it is and how often, and what it holds; shorter where the square is small.
fn caption(scene: &mut Scene, square: Area, what: &str, count: u64, sizes: &[String; 2], frame: &Frame) {
    let theme = frame.theme;
    let room = square.width();
    let y = square.bottom + 13.0;
    let fits = |text: &&String| label_width(text, false) <= room;
    let times = [format!("× {}", words::count(count)), format!("× {}", words::short(count))];
    scene.label(what, (square.left, y), -1, theme.ink, true);
    let left = room - label_width(what, true) - 4.0;
    if let Some(text) = times.iter().find(|text| label_width(text, false) <= left) {
        scene.label(text, (square.right, y), 1, theme.second_ink, false);
    }
    if let Some(text) = sizes.iter().find(fits) {
        scene.label(text, (square.left, y + LINE), -1, theme.second_ink, false);
    }
}
