//! Rows of items, one below the other, with the rest of each in grey. Each line of device pixels shows the row at its
//! place, so drawing takes O(height).

use super::{Area, Frame, Hues, Pen, Rgb};

/// Distance between two columns of rows.
const GUTTER: f64 = 28.0;
/// Maximum width of a column.
const WIDEST: f64 = 360.0;
/// Rows at least this high have gaps between their items.
const ITEMS_SEEN: f64 = 5.0;

/// Returns the left edges of two columns of rows side by side, and their width.
pub(super) fn columns(frame: &Frame) -> ([f64; 2], f64) {
    let width = ((frame.width - GUTTER) / 2.0).clamp(20.0, WIDEST);
    ([0.0, width + GUTTER], width)
}

/// Several equal rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alike<'a> {
    /// (length, times in the row), longest first.
    pub runs: &'a [(u32, u32)],
    /// The number of rows.
    pub count: u64,
    /// The slots to which the rows are padded, where that is less than all.
    pub end: Option<u32>,
}

impl Alike<'_> {
    fn used(&self) -> u64 {
        self.runs
            .iter()
            .map(|(length, n)| u64::from(*length) * u64::from(*n))
            .sum()
    }
}

/// A stack of rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stack {
    /// The area, as wide as a row.
    pub area: Area,
    /// The number of rows that fit.
    pub rows: u64,
    /// Slots of a row.
    pub slots: u32,
    /// The colours of lengths.
    pub hues: Hues,
    /// The colour of the empty slots of a row; `None` if the row ends with its items.
    pub rest: Option<Rgb>,
}

impl Stack {
    fn x(&self, slots: u64) -> f64 {
        self.area.left + self.area.width() * slots as f64 / f64::from(self.slots.max(1))
    }

    /// Draws rows from the top down; returns their lower end.
    pub(super) fn draw<'a>(&self, pen: &mut Pen, order: impl Iterator<Item = Alike<'a>>) -> f64 {
        let area = self.area;
        let rows = self.rows.max(1) as f64;
        let (first, last) = (pen.frame.device(area.top), pen.frame.device(area.bottom));
        let lines = f64::from((last - first).max(1));
        let css = |line: i32| f64::from(line) / pen.frame.scale;
        let (mut seen, mut top) = (0u64, first);
        for alike in order {
            seen += alike.count;
            // A line of pixels shows the row at its middle, so equal rows end at the last line with its middle in them.
            let end = first + (seen as f64 / rows * lines).round() as i32;
            if end > top {
                // One more pixel, which the next row covers, avoids seams when an image is scaled.
                let area = Area {
                    top: css(top),
                    bottom: css((end + 1).min(last)),
                    ..area
                };
                self.row(pen, &alike, area);
                if area.height() / alike.count as f64 >= ITEMS_SEEN {
                    self.gaps(
                        pen,
                        &alike,
                        Area {
                            bottom: css(end),
                            ..area
                        },
                    );
                }
                top = end;
            }
        }
        css(top)
    }

    /// Draws equal rows: their items, then the empty slots. Each part reaches to the end of the last one and is covered
    /// by the next, which avoids seams.
    fn row(&self, pen: &mut Pen, alike: &Alike, area: Area) {
        let used = alike.used();
        // Items beyond the slots are cut at the end of the row.
        let right = self.x(used).min(area.right);
        if used < u64::from(self.slots) {
            let seam = 1.0 / pen.frame.scale;
            let left = (right - seam).max(area.left);
            let rest = self.rest.unwrap_or(pen.theme.background);
            pen.rect(Area { left, ..area }, rest);
            if let Some(end) = alike.end.filter(|end| *end < self.slots) {
                let left = self.x(u64::from(end)).max(right - seam);
                pen.rect(Area { left, ..area }, pen.theme.background);
            }
        }
        let (mut at, mut last) = (0, None);
        for &(length, times) in alike.runs {
            let colour = pen.theme.length_colour(length, self.hues);
            // Neighbours of one colour are one rectangle, which was drawn to the end of the items.
            if last != Some(colour) {
                pen.rect(
                    Area {
                        left: self.x(at),
                        right,
                        ..area
                    },
                    colour,
                );
            }
            at += u64::from(length) * u64::from(times);
            last = Some(colour);
        }
    }

    /// Draws lines between items and between rows, if rows are high enough to be told apart.
    fn gaps(&self, pen: &mut Pen, alike: &Alike, area: Area) {
        let (ground, height) = (pen.theme.background, area.height() / alike.count as f64);
        // Rows are at least five pixels high here, so that few are drawn item by item.
        let items = alike
            .runs
            .iter()
            .flat_map(|&(l, n)| (0..n).map(move |_| u64::from(l)));
        let mut at = 0;
        for length in items {
            at += length;
            let x = self.x(at);
            if x < area.right - 1.0 {
                pen.rule((x, area.top), (x, area.bottom), 1.0, ground);
            }
        }
        for i in 1..=alike.count {
            let y = area.top + height * i as f64 - 1.0;
            pen.rule((area.left, y), (area.right, y), 1.0, ground);
        }
    }
}
