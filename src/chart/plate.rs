//! Words on a plate: a rectangle of the page with a hairline, placed where nothing else is.

use super::scene::label_width;
use super::{Area, Frame, Point, Scene};

/// Height of a line.
const LINE: f64 = 16.0;
/// Between words and edge.
const MARGIN: f64 = 7.0;

/// Places a side that are tried where nothing is free nearby.
const GRID: u32 = 9;

/// Lines of words, the first of them heavier.
pub(super) struct Plate<'a> {
    /// The lines, from above.
    pub lines: &'a [String],
}

impl Plate<'_> {
    /// Width and height.
    fn size(&self) -> (f64, f64) {
        let widths = self.lines.iter().enumerate().map(|(i, line)| label_width(line, i == 0));
        (widths.fold(0.0, f64::max) + 2.0 * MARGIN, LINE * self.lines.len() as f64 + MARGIN)
    }

    /// A place near a point, within an area and off what is taken; at worst over some of that.
    pub(super) fn place(&self, at: Point, within: Area, taken: &[Area]) -> Area {
        let (width, height) = self.size();
        let put = |left: f64, top: f64| Area { left, top, right: left + width, bottom: top + height };
        let steps = [16.0, 30.0, 50.0, 80.0, 120.0, 170.0, 230.0].into_iter();
        let places = steps.flat_map(|d| {
            let (right, left) = (at.0 + d, at.0 - d - width);
            let (over, under, level) = (at.1 - d - height, at.1 + d, at.1 - height / 2.0);
            let middle = at.0 - width / 2.0;
            [
                put(right, level),
                put(right, over),
                put(left, over),
                put(middle, over),
                put(right, under),
                put(left, level),
                put(left, under),
                put(middle, under),
            ]
        });
        let inside = |a: &Area| {
            a.left >= within.left
                && a.right <= within.right
                && a.top >= within.top
                && a.bottom <= within.bottom
        };
        let near = places.filter(inside);
        // Where nothing is free nearby, anywhere; and at worst where least is covered.
        let (wide, high) = (within.width() - width, within.height() - height);
        let anywhere = (0..GRID * GRID).map(|i| {
            let (column, row) = (f64::from(i % GRID), f64::from(i / GRID));
            let part = f64::from(GRID - 1);
            put(within.left + wide.max(0.0) * column / part, within.top + high.max(0.0) * row / part)
        });
        let covered = |a: &Area| taken.iter().map(|other| other.overlap(&a.grown(3.0))).sum::<f64>();
        let mut least = (f64::INFINITY, put(within.left, within.top));
        for place in near.chain(anywhere) {
            let covers = covered(&place);
            if covers < least.0 {
                least = (covers, place);
            }
            if covers == 0.0 {
                break;
            }
        }
        least.1
    }

    /// Draws it there.
    pub(super) fn draw(&self, scene: &mut Scene, area: Area, frame: &Frame) {
        let theme = frame.theme;
        scene.rect(area, theme.background);
        scene.outline(area, 1.0, theme.control);
        for (i, line) in self.lines.iter().enumerate() {
            let y = area.top + MARGIN / 2.0 + LINE * (i as f64 + 0.5);
            let colour = if i == 0 { theme.ink } else { theme.second_ink };
            scene.label(line, (area.left + MARGIN, y), -1, colour, i == 0);
        }
    }
}

/// Where a line from a point meets a plate: the nearest place of its edge.
pub(super) fn nearest(area: Area, at: Point) -> Point {
    (at.0.clamp(area.left, area.right), at.1.clamp(area.top, area.bottom))
}
