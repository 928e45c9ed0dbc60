//! The scale of a heat map's colours.

use super::{Area, OccupiedAreas, Pen, Rgb, centred, label_width};

const STEPS: u32 = 60;

/// Draws colours from 0 to 1 along an area: to the right if it is wide, upwards if it is tall. Labels are at shares,
/// ascending; the first and the last are always drawn, others only if they do not touch a neighbour.
pub(super) fn draw(
    pen: &mut Pen,
    area: Area,
    colour: impl Fn(f64) -> Rgb,
    labels: &[(f64, String)],
) {
    let wide = area.width() > area.height();
    for i in 0..STEPS {
        let (from, colour) = (
            f64::from(i) / f64::from(STEPS),
            colour((f64::from(i) + 0.5) / f64::from(STEPS)),
        );
        // Each step reaches to the end and is covered by the next, which avoids seams.
        let step = if wide {
            Area {
                left: area.left + area.width() * from,
                ..area
            }
        } else {
            Area {
                bottom: area.bottom - area.height() * from,
                ..area
            }
        };
        pen.rect(step, colour);
    }
    let last = labels.len().saturating_sub(1);
    // Both ends take their places before the labels between them. A single label is first and last.
    let mut ends: Vec<usize> = [0, last].into_iter().chain(1..last).collect();
    ends.dedup();
    let mut taken = OccupiedAreas::default();
    for (share, text) in ends.into_iter().filter_map(|i| labels.get(i)) {
        let (half, at, ends) = if wide {
            let at = area.left + area.width() * share;
            (label_width(text, false) / 2.0, at, [area.left, area.right])
        } else {
            (
                6.0,
                area.bottom - area.height() * share,
                [area.top, area.bottom],
            )
        };
        let at = centred(at, half, ends);
        // Only the extent along the bar counts: across it, all labels have the same.
        if !taken.take(
            Area {
                left: at - half,
                top: 0.0,
                right: at + half,
                bottom: 1.0,
            },
            6.0,
        ) {
            continue;
        }
        let below = area.bottom + 11.0;
        match () {
            () if !wide => pen.note(text, (area.right + 8.0, at), -1),
            () if at - half <= area.left => pen.note(text, (area.left, below), -1),
            () if at + half >= area.right - 0.01 => pen.note(text, (area.right, below), 1),
            () => pen.note(text, (at, below), 0),
        }
    }
}
