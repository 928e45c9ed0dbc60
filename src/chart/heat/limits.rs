//! The limits with their corner, the average item, and the grey between them.

use super::{Input, Layout, Map};
use crate::chart::scene::label_width;
use crate::chart::{Area, Frame, Scene, both, both_short};

/// Radius of the handle.
const HANDLE: f64 = 7.0;

/// What the average item leaves empty of its row; the item itself is on the page.
pub(super) fn ground(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (right, top) = layout.corner;
    scene.rect(Area { right, top, ..layout.map.area }, frame.theme.padding_wash);
    if let Some(average) = average_area(input, &layout.map) {
        scene.rect(average, frame.theme.background);
    }
}

/// The average item from the origin.
pub(super) fn average_area(input: &Input, map: &Map) -> Option<Area> {
    let known = input.mean.iter().all(|mean| mean.is_finite() && *mean > 0.0);
    let (x, y) = map.point(input.mean);
    let Area { left, bottom, right, top } = map.area;
    known.then(|| Area { left, top: y.max(top), right: x.min(right), bottom })
}

/// Its outline, over the cells.
pub(super) fn average(scene: &mut Scene, input: &Input, map: &Map, frame: &Frame) {
    if let Some(average) = average_area(input, map) {
        scene.outline(average, 1.5, frame.theme.accent);
    }
}

/// The corner of the average item.
pub(super) fn mean_dot(scene: &mut Scene, input: &Input, map: &Map, frame: &Frame) {
    let Some(Area { right, top, .. }) = average_area(input, map) else { return };
    if right < map.area.right - 4.0 && top > map.area.top + 4.0 {
        scene.disc((right, top), 4.0, frame.theme.background);
        scene.disc((right, top), 3.0, frame.theme.accent);
    }
}

/// The lines of both limits, from the axes to the corner.
pub(super) fn lines(scene: &mut Scene, layout: &Layout, frame: &Frame) {
    let ((x, y), accent) = (layout.corner, frame.theme.accent);
    let Area { left, bottom, .. } = layout.map.area;
    scene.rule((x - 0.75, y), (x - 0.75, bottom + 5.0), 1.5, accent);
    scene.rule((left - 5.0, y - 0.75), (x, y - 0.75), 1.5, accent);
}

/// The handle, and what the limits are.
pub(super) fn corner(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let ((x, y), theme) = (layout.corner, frame.theme);
    scene.disc((x, y), HANDLE + 2.0, theme.background);
    scene.disc((x, y), HANDLE, theme.accent);
    let (long, short) = (both(input.limits, input.names), both_short(input.limits));
    let (before, after) = (x - HANDLE - 6.0, x + HANDLE + 6.0);
    let left = |text: &str| before - label_width(text, true) >= layout.map.area.left + 2.0;
    let right = |text: &str| after + label_width(text, true) <= frame.width;
    let (text, anchor) = match () {
        () if left(&long) => (long, 1),
        () if right(&long) => (long, -1),
        () if left(&short) => (short, 1),
        () => (short, -1),
    };
    let wide = label_width(&text, true);
    let from = if anchor > 0 { before - wide } else { after };
    let at = y - 13.0;
    // Above the corner there is no grey; cells stop at the words.
    scene.rect(
        Area { left: from - 2.0, top: at - 8.0, right: from + wide + 2.0, bottom: at + 8.0 },
        theme.background,
    );
    scene.label(text, (if anchor > 0 { before } else { after }, at), anchor, theme.accent, true);
}
