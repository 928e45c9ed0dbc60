//! Labels and plates in free places.

use super::{Area, LABEL, Pen, Point, Rgb, label_width};

/// The areas that words must not overlap.
#[derive(Debug, Clone, Default)]
pub(super) struct OccupiedAreas(pub Vec<Area>);

impl OccupiedAreas {
    /// Whether an area is free. O(areas).
    pub(super) fn is_free(&self, area: &Area) -> bool {
        !self.0.iter().any(|other| other.meets(area))
    }

    /// Takes an area, with space around it, if it is free. Returns whether it was.
    pub(super) fn take(&mut self, area: Area, space: f64) -> bool {
        let free = self.is_free(&area.grown(space));
        self.0.extend(free.then_some(area));
        free
    }

    /// Writes a label with its middle at a place, or further inwards if it would extend beyond the ends; writes nothing
    /// if other words are there.
    pub(super) fn label(
        &mut self,
        pen: &mut Pen,
        text: &str,
        (x, y): Point,
        ends: [f64; 2],
        colour: Rgb,
        bold: bool,
    ) {
        let half = label_width(text, bold) / 2.0;
        let x = centred(x, half, ends);
        if self.take(Area::around((x, y), half, LABEL / 2.0), 3.0) {
            pen.label(text, (x, y), 0, colour, bold);
        }
    }
}

/// Returns the middle of a label with this half width, as near to `x` as it can be between two ends.
pub(super) fn centred(x: f64, half: f64, [first, last]: [f64; 2]) -> f64 {
    // The first end counts last: words wider than the room begin there and are cut at their end.
    x.min(last - half).max(first + half)
}

/// Returns the area of a label with this half height.
pub(super) fn label_area(text: &str, (x, y): Point, anchor: i8, bold: bool, high: f64) -> Area {
    let wide = label_width(text, bold);
    // Anchors −1, 0 and 1 stand for none, half and all of the width.
    let left = x - wide * f64::from(anchor + 1) / 2.0;
    Area {
        left,
        top: y - high,
        right: left + wide,
        bottom: y + high,
    }
}

const LINE: f64 = 16.0;
/// Distance between words and edge.
const MARGIN: f64 = 7.0;

/// Number of places per side to try if nothing nearby is free.
const GRID: u32 = 9;

/// Lines of words, the first of them in bold.
pub(super) struct Plate<'a> {
    /// The lines, from above.
    pub lines: &'a [String],
}

impl Plate<'_> {
    fn size(&self) -> (f64, f64) {
        let widths = self
            .lines
            .iter()
            .enumerate()
            .map(|(i, line)| label_width(line, i == 0));
        (
            widths.fold(0.0, f64::max) + 2.0 * MARGIN,
            LINE * self.lines.len() as f64 + MARGIN,
        )
    }

    /// Returns a place near a point, within an area and clear of what is taken; at worst it covers a part of that.
    pub(super) fn place(&self, at: Point, within: Area, taken: &OccupiedAreas) -> Area {
        let (width, height) = self.size();
        let put = |left: f64, top: f64| Area::sized((left, top), width, height);
        let steps = [16.0, 30.0, 50.0, 80.0, 120.0, 170.0, 230.0].into_iter();
        let places = steps.flat_map(|d| {
            let (right, left) = (at.0 + d, at.0 - d - width);
            let (over, under, level) = (at.1 - d - height, at.1 + d, at.1 - height / 2.0);
            let middle = at.0 - width / 2.0;
            let places = [
                (right, level),
                (right, over),
                (left, over),
                (middle, over),
                (right, under),
                (left, level),
                (left, under),
                (middle, under),
            ];
            places.map(|(left, top)| put(left, top))
        });
        let near = places.filter(|area| within.holds(area));
        // If nothing nearby is free, any place will do; at worst the one that covers least.
        let (wide, high) = (within.width() - width, within.height() - height);
        let anywhere = (0..GRID * GRID).map(|i| {
            let (column, row) = (f64::from(i % GRID), f64::from(i / GRID));
            let part = f64::from(GRID - 1);
            put(
                within.left + wide.max(0.0) * column / part,
                within.top + high.max(0.0) * row / part,
            )
        });
        let covered = |a: &Area| {
            taken
                .0
                .iter()
                .map(|other| other.overlap(&a.grown(3.0)))
                .sum::<f64>()
        };
        // Near places come first, and the first one that covers nothing ends the search.
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

    /// Draws the plate in an area.
    pub(super) fn draw(&self, pen: &mut Pen, area: Area) {
        let theme = pen.theme;
        pen.rect(area, theme.background);
        pen.outline(area, 1.0, theme.control);
        for (i, line) in self.lines.iter().enumerate() {
            let y = area.top + MARGIN / 2.0 + LINE * (i as f64 + 0.5);
            let colour = if i == 0 { theme.ink } else { theme.second_ink };
            pen.label(line, (area.left + MARGIN, y), -1, colour, i == 0);
        }
    }
}

/// Returns the place on the edge of a plate that is nearest to a point.
pub(super) fn nearest(area: Area, at: Point) -> Point {
    (
        at.0.clamp(area.left, area.right),
        at.1.clamp(area.top, area.bottom),
    )
}
