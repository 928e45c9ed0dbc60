//! Names at the ends of lines, moved apart where they would touch.

use super::{Area, Pen, Point, Rgb, fitted, widest};
use packscope::order;

/// Height of a line of text.
pub(super) const LINE: f64 = 15.0;

/// A name at the end of a line.
#[derive(Debug, Clone)]
pub(super) struct EndName {
    /// Its lines of text, with their colours and whether they are bold.
    pub lines: Vec<(String, Rgb, bool)>,
    /// Space above and below them.
    pub margins: [f64; 2],
    pub end: Point,
}

impl EndName {
    /// Returns the height with margins, in pixels.
    pub(super) fn height(&self) -> f64 {
        LINE * self.lines.len() as f64 + self.margins[0] + self.margins[1]
    }

    /// Returns an upper bound on the width of the widest line.
    pub(super) fn width(&self) -> f64 {
        let bold = self.lines.iter().any(|(.., bold)| *bold);
        widest(self.lines.iter().map(|(line, ..)| line), bold)
    }
}

/// The arrangement of names at the right of a plot.
pub(super) struct EndNames {
    /// Distance from the plot to the names.
    pub gap: f64,
    /// How far above the plot the first name may begin, and how far below it the last may end.
    pub beyond: [f64; 2],
    /// Whether the first line of a name is aligned with the end of its line, instead of the middle of all of them.
    pub first_line: bool,
    /// Strokes from the ends of lines to names that were moved far from them.
    pub strokes: Option<Strokes>,
}

/// Strokes that join lines and their names.
pub(super) struct Strokes {
    /// Distance from the end of a line at which strokes begin.
    pub from: f64,
    /// Minimum distance by which a name was moved.
    pub least: f64,
    /// Whether lines that end before the edge of the plot have no stroke.
    pub at_edge: bool,
    pub colour: Rgb,
}

impl EndNames {
    /// Creates an arrangement of names in the middle of the height of their ends, without strokes.
    pub(super) fn new(gap: f64, beyond: [f64; 2]) -> Self {
        Self {
            gap,
            beyond,
            first_line: false,
            strokes: None,
        }
    }

    /// Writes names beside a plot, each as near to the end of its line as the others let it. The first ones are the most
    /// important: names for which the height has no room are left out, and those wider than the frame are cut.
    /// O(names log names).
    pub(super) fn write(&self, pen: &mut Pen, plot: Area, mut names: Vec<EndName>) {
        let (left, [above, below]) = (plot.right + self.gap, self.beyond);
        let mut free = above + plot.height() + below;
        names.retain(|name| {
            // A name that does not fit leaves its room to lower ones after it.
            let fits = name.height() <= free;
            free -= if fits { name.height() } else { 0.0 };
            fits
        });
        order::sort_by(&mut names, |a, b| a.end.1.total_cmp(&b.end.1));
        let aim = |name: &EndName| {
            if self.first_line {
                name.margins[0] + LINE / 2.0
            } else {
                name.height() / 2.0
            }
        };
        let wants: Vec<_> = names
            .iter()
            .map(|name| (name.end.1 - aim(name), name.height()))
            .collect();
        let tops = moved(&wants, plot.top - above, plot.bottom + below);
        for (name, top) in names.into_iter().zip(tops) {
            let ((x, y), at) = (name.end, top + aim(&name));
            let reaches = |s: &Strokes| !s.at_edge || x >= plot.right - 1.0;
            let moved = |s: &&Strokes| (at - y).abs() > s.least && reaches(s);
            if let Some(Strokes { from, colour, .. }) = self.strokes.as_ref().filter(moved) {
                pen.path(vec![(x + from, y), (left - 3.0, at)], 1.0, *colour);
            }
            let middle = |i: usize| top + name.margins[0] + LINE * (i as f64 + 0.5);
            for (i, (line, colour, bold)) in name.lines.into_iter().enumerate() {
                let line = fitted(&line, pen.frame.width - left, bold);
                if !line.is_empty() {
                    pen.label(line, (left, middle(i)), -1, colour, bold);
                }
            }
        }
    }
}

/// Returns where intervals begin, given their preferred beginnings (ascending) and sizes: as close to these as possible
/// without overlaps, from `low` to `high`. Intervals that touch are joined and centred on the mean of their
/// preferences.
fn moved(wants: &[(f64, f64)], low: f64, high: f64) -> Vec<f64> {
    // A block: the number of intervals, their size, and the preferred beginning.
    let mut blocks: Vec<(usize, f64, f64)> = vec![];
    // `low` counts last: where there is too little room, names begin at its top and leave it below.
    let fit = |want: f64, size: f64| want.min(high - size).max(low);
    // Pool adjacent violators: an interval joins the block before it as long as both overlap. Each
    // is joined once, so that this takes O(n).
    for &(want, size) in wants {
        let mut block = (1, size, want);
        while let Some(&(n, size, want)) = blocks.last() {
            if fit(want, size) + size <= fit(block.2, block.1) {
                break;
            }
            blocks.pop();
            // Each interval of the second block is to begin `size` after the beginning of the first block.
            let mean = (want * n as f64 + (block.2 - size) * block.0 as f64) / (n + block.0) as f64;
            block = (n + block.0, size + block.1, mean);
        }
        blocks.push(block);
    }
    let mut sizes = wants.iter().map(|(_, size)| size);
    let mut begins = vec![];
    for (n, size, want) in blocks {
        let mut at = fit(want, size);
        for size in sizes.by_ref().take(n) {
            begins.push(at);
            at += size;
        }
    }
    begins
}
