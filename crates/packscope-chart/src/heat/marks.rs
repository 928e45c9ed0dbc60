//! Limits with a name: corners on the map to press.

use super::{Input, Layout};
use crate::{Area, Mark, Pen, Point, label_area};

/// Length of the two lines of a corner, in pixels.
const ARM: f64 = 11.0;

/// Returns the places of the marks other than the present limits, with their names and limits.
fn places<'a>(
    input: &'a Input,
    layout: &'a Layout,
) -> impl Iterator<Item = (Point, &'static str, [u32; 2])> + 'a {
    let place = |(name, limits): &(&'static str, [u32; 2])| {
        let at = layout.map.point(limits.map(f64::from));
        let hidden = layout
            .inset
            .as_ref()
            .is_some_and(|inset| inset.area.grown(2.0).contains(at.0, at.1));
        // Limits in force have the handle there, which bears their name.
        let shown = *limits != input.limits && layout.map.area.contains(at.0, at.1) && !hidden;
        shown.then_some((at, *name, *limits))
    };
    input.marks.iter().filter_map(place)
}

/// Returns the limits of the mark within a distance of a place.
pub(super) fn near(input: &Input, layout: &Layout, (x, y): Point, reach: f64) -> Option<[u32; 2]> {
    let distance = |at: &Point| (at.0 - x).hypot(at.1 - y);
    let near = places(input, layout).filter(|(at, ..)| distance(at) <= reach);
    near.min_by(|a, b| distance(&a.0).total_cmp(&distance(&b.0)))
        .map(|(.., limits)| limits)
}

/// Draws the corners, with a rim that sets them off from cells.
pub(super) fn draw(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (background, ink) = (pen.theme.background, pen.theme.ink);
    for ((x, y), ..) in places(input, layout) {
        let (left, bottom) = (
            (x - ARM).max(layout.map.area.left),
            (y + ARM).min(layout.map.area.bottom),
        );
        // The rim first, and the corner on it.
        for (width, colour) in [(4.5, background), (1.5, ink)] {
            pen.rule(
                (left, y - width / 2.0),
                (x + width / 2.0, y - width / 2.0),
                width,
                colour,
            );
            pen.rule(
                (x - width / 2.0, y - width / 2.0),
                (x - width / 2.0, bottom),
                width,
                colour,
            );
        }
    }
}

/// Writes the names that do not meet other words.
pub(super) fn names(pen: &mut Pen, input: &Input, layout: &Layout) {
    for ((x, y), name, _) in places(input, layout) {
        let sides = [
            ((x + 5.0, y - 9.0), -1),
            ((x - 5.0, y - 9.0), 1),
            ((x + 6.0, y + 9.0), -1),
        ];
        let free = sides.into_iter().find(|(at, anchor)| {
            let area = label_area(name, *at, *anchor, true, 8.0);
            let within = area.left >= 0.0 && area.right <= pen.frame.width && area.top >= 0.0;
            // Names are drawn last, so that the scene has all words and discs that they may meet.
            within && pen.scene.marks.iter().all(|mark| !is_on(mark, &area))
        });
        if let Some((at, anchor)) = free {
            pen.rect(
                label_area(name, at, anchor, true, 8.0),
                pen.theme.background,
            );
            pen.label(name, at, anchor, pen.theme.ink, true);
        }
    }
}

/// Whether a mark is a word or a disc on an area.
fn is_on(mark: &Mark, area: &Area) -> bool {
    match mark {
        Mark::Disc((x, y), radius, _) => area.grown(*radius).contains(*x, *y),
        Mark::Text {
            text,
            at,
            anchor,
            bold,
            ..
        } => label_area(text, *at, *anchor, *bold, 8.0).meets(area),
        _ => false,
    }
}
