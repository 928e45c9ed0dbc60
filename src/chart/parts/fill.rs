//! What the parts of a bar look like.

use super::{Bar, Input, Layout, Row};
use crate::chart::theme::mix;
use crate::chart::{Area, Frame, Rgb, Scene};

/// Steps of the length scale for work on tokens, for attention, and behind the hatch of masking.
const LINEAR: usize = 6;
const ATTENTION: usize = 4;
const LIGHT: usize = 0;
/// Between the strokes of a hatch, along the bar.
const STEP: f64 = 6.0;
/// Narrower parts are not drawn.
const LEAST: f64 = 0.25;

/// The parts of a bar from left to right.
pub(super) fn parts(scene: &mut Scene, bar: &Bar, row: &Row, frame: &Frame) {
    if bar.parts.is_none() {
        return;
    }
    let theme = frame.theme;
    for (kind, area) in row.parts.iter().enumerate().filter(|(_, area)| area.width() >= LEAST) {
        match kind {
            0 => scene.rect(*area, theme.lengths[LINEAR]),
            1 => scene.rect(*area, theme.lengths[ATTENTION]),
            2 => scene.rect(*area, theme.padding),
            3 => {
                // The first step: whatever it stands on, dark strokes are seen.
                let (light, dark) = (theme.lengths[LIGHT], theme.on_length(1, 8));
                scene.rect(*area, light);
                hatch(scene, area, -1.0, mix(dark, light, 0.6));
                scene.outline(joined(area), 1.0, theme.ink);
            }
            4 => scene.outline(joined(area), 1.0, theme.ink),
            _ => {
                hatch(scene, area, 1.0, theme.ink);
                scene.outline(joined(area), 1.0, theme.ink);
            }
        }
    }
    // Where the epoch begins.
    scene.rule((row.bar.left, row.bar.top - 2.0), (row.bar.left, row.bar.bottom + 2.0), 1.0, theme.ink);
}

/// With the last pixel of the part before, so that two outlines share a line.
fn joined(area: &Area) -> Area {
    Area { left: area.left - 1.0, ..*area }
}

/// Strokes through an area: rising to the right, or falling with −1.
fn hatch(scene: &mut Scene, area: &Area, rise: f64, colour: Rgb) {
    // Ends of strokes stay within an outline.
    let Area { left, top, right, bottom } = area.grown(-1.0);
    let height = bottom - top;
    // Each stroke begins at the lower edge of a rising hatch, at the upper edge of a falling one.
    let count = ((right - left + height) / STEP).floor().max(0.0) as u32;
    for i in 0..=count {
        let from = left - height + STEP * (f64::from(i) + 0.5);
        let (a, b) = (from.max(left), (from + height).min(right));
        if b - a > 0.5 {
            let y = |x: f64| if rise > 0.0 { bottom - (x - from) } else { top + (x - from) };
            scene.path(vec![(a, y(a)), (b, y(b))], 1.0, colour);
        }
    }
}

/// An outline round the part under the pointer.
pub(super) fn hover(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let found = input.hover.and_then(|(method, name)| {
        let part = input.names.iter().position(|other| *other == name)?;
        layout.rows.get(method).map(|row| row.parts[part])
    });
    if let Some(area) = found.filter(|area| area.width() >= LEAST) {
        scene.outline(area.grown(2.0), 2.0, frame.theme.ink);
    }
}
