//! The batches as dots, and what caps them.

use super::{Input, Layout};
use crate::chart::theme::mix;
use crate::chart::{Area, Frame, Rgb, Scene};
use std::collections::BTreeMap;

/// Width and height of a dot where there are many.
const CELL: f64 = 3.0;
/// The least share of the ink.
const FAINT: f64 = 0.4;
/// Batches at least this far apart are discs.
const FAR: f64 = 7.0;
/// Thickness of a cap, and of the one of the chosen epoch.
const CAPS: [f64; 2] = [1.0, 2.0];

/// The ink of an epoch: the chosen one is darker.
fn ink(input: &Input, epoch: usize, frame: &Frame) -> Rgb {
    let theme = frame.theme;
    if input.chosen == epoch { theme.ink } else { mix(theme.second_ink, theme.background, 0.65) }
}

/// Every batch. Where they are close, darker is more of them.
pub(super) fn points(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    for (k, epoch) in input.epochs.iter().enumerate() {
        let ink = ink(input, k, frame);
        let Some((left, right, points)) = layout.epochs.get(k).copied() else { continue };
        let points = points.max(1);
        // Equally many batches in each column, so that batches of one size are an even line.
        let columns = points.min((((right - left) / CELL) as usize).max(1));
        let wide = (right - left) / columns as f64;
        if wide >= FAR {
            let places = epoch.sizes.iter().enumerate().map(|(i, size)| layout.point(k, i, *size));
            places.for_each(|at| scene.disc(at, 3.0, ink));
            continue;
        }
        let mut cells: BTreeMap<(usize, i64), usize> = BTreeMap::new();
        for (i, size) in epoch.sizes.iter().enumerate() {
            // Half pixels tell sizes apart on dense screens.
            let (_, y) = layout.point(k, i, *size);
            *cells.entry((i * columns / points, (y * 2.0).round() as i64)).or_default() += 1;
        }
        let full = (points / columns).max(1) as f64;
        for ((column, y), count) in cells {
            let share = (count as f64 / full).sqrt().clamp(FAINT, 1.0);
            let (x, y) = (left + column as f64 * wide, y as f64 / 2.0);
            let area = Area { left: x, top: y - CELL / 2.0, right: x + wide, bottom: y + CELL / 2.0 };
            scene.rect(area, mix(ink, frame.theme.background, share));
        }
    }
}

/// The height of the line above the batches that a cap allows, where it is on the plot.
pub(super) fn ceiling(input: &Input, layout: &Layout, epoch: usize) -> Option<f64> {
    let cap = input.epochs.get(epoch)?.cap? as f64;
    layout.sizes.holds(cap).then(|| layout.sizes.y(cap) - CELL / 2.0 - 2.0)
}

/// The cap of each epoch, as a ceiling over its batches.
pub(super) fn caps(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let accent = frame.theme.accent;
    let mut last: Option<f64> = None;
    for (k, (left, right, _)) in layout.epochs.iter().enumerate() {
        let y = ceiling(input, layout, k);
        let wide = CAPS[usize::from(k == input.chosen)];
        if let Some(y) = y {
            scene.rule((*left, y - wide / 2.0), (*right, y - wide / 2.0), wide, accent);
            if let Some(before) = last {
                scene.rule((left - 0.5, before.min(y)), (left - 0.5, before.max(y)), 1.0, accent);
            }
        }
        last = y;
    }
}

/// A ring round the batch under the pointer.
pub(super) fn hover(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some((k, index)) = input.hover else { return };
    let size = input.epochs.get(k).and_then(|epoch| epoch.sizes.get(index));
    if let Some(size) = size {
        let at = layout.point(k, index, *size);
        scene.disc(at, 5.0, frame.theme.background);
        scene.disc(at, 4.0, frame.theme.ink);
    }
}
