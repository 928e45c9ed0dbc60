//! The scale of a heat map's colours.

use super::scene::label_width;
use super::{Area, Frame, Rgb, Scene};

/// Steps of colour.
const STEPS: u32 = 60;

/// Colours from 0 to 1 along an area: to the right if it is wide, upwards if it is tall. Labels are at
/// shares, ascending; the first and the last stay, those that would touch a neighbour go.
pub(super) fn draw(
    scene: &mut Scene,
    area: Area,
    colour: impl Fn(f64) -> Rgb,
    labels: &[(f64, String)],
    frame: &Frame,
) {
    let wide = area.width() > area.height();
    for i in 0..STEPS {
        let (from, colour) =
            (f64::from(i) / f64::from(STEPS), colour((f64::from(i) + 0.5) / f64::from(STEPS)));
        // Each step reaches to the end and is covered by the next: no seams.
        let step = if wide {
            Area { left: area.left + area.width() * from, ..area }
        } else {
            Area { bottom: area.bottom - area.height() * from, ..area }
        };
        scene.rect(step, colour);
    }
    let last = labels.len().saturating_sub(1);
    let mut ends: Vec<usize> = [0, last].into_iter().chain(1..last).collect();
    ends.dedup();
    let mut used: Vec<(f64, f64)> = vec![];
    for (share, text) in ends.into_iter().filter_map(|i| labels.get(i)) {
        let (from, to) = span(area, wide, *share, text);
        if used.iter().all(|other| to + 6.0 <= other.0 || other.1 + 6.0 <= from) {
            write(scene, area, wide, (from, to), text, frame);
            used.push((from, to));
        }
    }
}

/// Where a label is along the bar.
fn span(area: Area, wide: bool, share: f64, text: &str) -> (f64, f64) {
    if wide {
        let width = label_width(text, false);
        let at = area.left + area.width() * share - width / 2.0;
        let at = at.min(area.right - width).max(area.left);
        (at, at + width)
    } else {
        let at = (area.bottom - area.height() * share)
            .clamp(area.top + 6.0, (area.bottom - 6.0).max(area.top + 6.0));
        (at - 6.0, at + 6.0)
    }
}

fn write(scene: &mut Scene, area: Area, wide: bool, (from, to): (f64, f64), text: &str, frame: &Frame) {
    let middle = f64::midpoint(from, to);
    if !wide {
        return scene.label(text, (area.right + 8.0, middle), -1, frame.theme.second_ink, false);
    }
    let y = area.bottom + 11.0;
    let (x, anchor) = match () {
        () if from <= area.left => (area.left, -1),
        () if to >= area.right - 0.01 => (area.right, 1),
        () => (middle, 0),
    };
    scene.label(text, (x, y), anchor, frame.theme.second_ink, false);
}
