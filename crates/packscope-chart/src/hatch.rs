//! Hatches: an area of waiting or of masking, and the side of a bound that nothing reaches.

use super::{Area, Pen, Point, Rgb, mix};

/// Distance between the strokes of a hatch, along an area or a line.
const STEP: f64 = 6.0;

impl Pen<'_> {
    /// Draws strokes through an area, rising to the right, or falling with −1.
    pub(super) fn hatched(&mut self, area: &Area, rise: f64, colour: Rgb) {
        // The ends of strokes stay within an outline.
        let Area {
            left,
            top,
            right,
            bottom,
        } = area.grown(-1.0);
        let height = bottom - top;
        // A rising stroke begins at the lower edge, a falling one at the upper edge.
        let count = ((right - left + height) / STEP).floor().max(0.0) as u32;
        for i in 0..=count {
            let from = left - height + STEP * (f64::from(i) + 0.5);
            let (a, b) = (from.max(left), (from + height).min(right));
            if b - a > 0.5 {
                let y = |x: f64| {
                    if rise > 0.0 {
                        bottom - (x - from)
                    } else {
                        top + (x - from)
                    }
                };
                self.path(vec![(a, y(a)), (b, y(b))], 1.0, colour);
            }
        }
    }

    /// Draws a bound, with short strokes at its left (above a line that runs to the right): the side that nothing
    /// reaches.
    pub(super) fn bound(&mut self, line: Vec<Point>) {
        let theme = self.theme;
        for (from, to) in strokes(&line) {
            self.path(
                vec![from, to],
                1.0,
                mix(theme.second_ink, theme.background, 0.5),
            );
        }
        self.path(line, 1.0, theme.second_ink);
    }
}

/// Returns short strokes along a line, at its left.
fn strokes(line: &[Point]) -> Vec<(Point, Point)> {
    let (mut strokes, mut next) = (vec![], STEP / 2.0);
    for pair in line.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let length = dx.hypot(dy).max(1e-9);
        let (dx, dy) = (dx / length, dy / length);
        while next <= length {
            let (x, y) = (pair[0].0 + dx * next, pair[0].1 + dy * next);
            // The left of a direction (dx, dy) is (dy, −dx) where y grows downwards; strokes lean
            // forward.
            strokes.push(((x, y), (x + 6.0 * dy + 3.5 * dx, y - 6.0 * dx + 3.5 * dy)));
            next += STEP;
        }
        // The rest of a step is carried round the corner, so that strokes stay evenly apart.
        next -= length;
    }
    strokes
}
