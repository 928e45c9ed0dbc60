//! Rows of items with the rest of each in grey, one below the other: for each line of device pixels the row that is
//! there, O(height).

use super::{Area, Frame, Rgb, Scene};

/// Rows at least this high have gaps between their items.
const ITEMS_SEEN: f64 = 5.0;

/// Rows that are alike.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alike<'a> {
    /// (length, times in the row), longest first.
    pub runs: &'a [(u32, u32)],
    /// How many there are.
    pub count: u64,
}

impl Alike<'_> {
    fn used(&self) -> u64 {
        self.runs.iter().map(|(length, n)| u64::from(*length) * u64::from(*n)).sum()
    }
}

/// Where rows are stacked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stack {
    /// As wide as a row.
    pub area: Area,
    /// How many there is room for.
    pub rows: u64,
    /// Slots of a row.
    pub slots: u32,
    /// The length that has the last colour.
    pub limit: u32,
    /// What is left of a row; `None` for nothing there.
    pub rest: Option<Rgb>,
}

impl Stack {
    fn x(&self, slots: u64) -> f64 {
        self.area.left + self.area.width() * slots as f64 / f64::from(self.slots.max(1))
    }

    /// Draws rows from the top down; returns where they end.
    pub(super) fn draw<'a>(
        &self,
        scene: &mut Scene,
        order: impl Iterator<Item = Alike<'a>>,
        frame: &Frame,
    ) -> f64 {
        let area = self.area;
        let rows = self.rows.max(1) as f64;
        let (first, last) = (frame.device(area.top), frame.device(area.bottom));
        let lines = f64::from((last - first).max(1));
        let css = |line: i32| f64::from(line) / frame.scale;
        let (mut seen, mut top) = (0u64, first);
        for alike in order {
            seen += alike.count;
            // A line of pixels shows the row at its middle, so alike rows end where their last such line does.
            let end = first + (seen as f64 / rows * lines).round() as i32;
            if end > top {
                // A pixel more, which the next row covers: an image that is scaled shows no seams.
                let area = Area { top: css(top), bottom: css((end + 1).min(last)), ..area };
                self.row(scene, &alike, area, frame);
                if area.height() / alike.count as f64 >= ITEMS_SEEN {
                    self.gaps(scene, &alike, Area { bottom: css(end), ..area }, frame);
                }
                top = end;
            }
        }
        css(top)
    }

    /// Rows that are alike: their items, then what is left. Each part reaches to the end of the last and is covered
    /// by the next, so that there are no seams.
    fn row(&self, scene: &mut Scene, alike: &Alike, area: Area, frame: &Frame) {
        let used = alike.used();
        let right = self.x(used).min(area.right);
        if used < u64::from(self.slots) {
            let left = (right - 1.0 / frame.scale).max(area.left);
            scene.rect(Area { left, ..area }, self.rest.unwrap_or(frame.theme.background));
        }
        let (mut at, mut last) = (0, None);
        for &(length, times) in alike.runs {
            let colour = frame.theme.length_colour(length, self.limit);
            if last != Some(colour) {
                scene.rect(Area { left: self.x(at), right, ..area }, colour);
            }
            at += u64::from(length) * u64::from(times);
            last = Some(colour);
        }
    }

    /// Where rows are high enough to be seen one by one: lines between items and between rows.
    fn gaps(&self, scene: &mut Scene, alike: &Alike, area: Area, frame: &Frame) {
        let (ground, height) = (frame.theme.background, area.height() / alike.count as f64);
        let items = alike.runs.iter().flat_map(|&(l, n)| (0..n).map(move |_| u64::from(l)));
        let mut at = 0;
        for length in items {
            at += length;
            let x = self.x(at);
            if x < area.right - 1.0 {
                scene.rule((x, area.top), (x, area.bottom), 1.0, ground);
            }
        }
        for i in 1..=alike.count {
            let y = area.top + height * i as f64 - 1.0;
            scene.rule((area.left, y), (area.right, y), 1.0, ground);
        }
    }
}
