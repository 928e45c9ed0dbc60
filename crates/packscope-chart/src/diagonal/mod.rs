//! Packs as rectangles along the diagonal (Krell et al. 2022, *Tuple Packing*, figure 4): each item takes up a part of
//! both limits, and only the rest at the right and at the top is padding.

mod choose;

use super::{
    Area, Chart, Frame, Pen, Point, Rgb, Spot, Table, Theme, fitting, further, label_width,
    singular, sizes_in_words,
};
pub use choose::choose;
use packscope::words;

/// One kind of pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// Its items, in the order they are laid out.
    pub sizes: Vec<[u32; 2]>,
    /// Packs of this kind.
    pub count: u64,
}

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The packs.
    pub packs: Vec<Pack>,
    /// The limits.
    pub limits: [u32; 2],
    /// The average item and the number of items, for a first square with only that item.
    pub unpacked: Option<([f64; 2], u64)>,
    /// The nouns for the two components: "nodes", "edges".
    pub names: [String; 2],
    /// The noun for the items: "graphs".
    pub items: &'static str,
}

/// A spot is a pack and one of its items.
impl Chart for Input {
    /// Takes O(items) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        unpacked(pen, self, &layout);
        for i in 0..self.packs.len() {
            pack(pen, self, &layout, i);
        }
        hover(pen, &layout);
    }

    fn summary(&self) -> String {
        let mut words = format!(
            "Packs of at most {}, each item a step along the diagonal.",
            sizes_in_words(self.limits, &self.names)
        );
        for pack in &self.packs {
            let [first, second] = used(pack).map(words::count);
            words += &format!(
                " {}, {}: {first} {}, {second} {}.",
                words::plural(pack.sizes.len() as u64, singular(self.items)),
                times(pack.count),
                self.names[0],
                self.names[1]
            );
        }
        words
    }

    fn table(&self) -> Option<Table> {
        let row = |pack: &Pack| {
            let [first, second] = used(pack).map(words::count);
            vec![
                words::count(pack.sizes.len() as u64),
                words::count(pack.count),
                first,
                second,
            ]
        };
        let head = [
            self.items,
            "packs like this",
            &self.names[0],
            &self.names[1],
        ];
        Some(Table::new("Packs", head, self.packs.iter().map(row)))
    }

    fn hit(&self, (x, y): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let pack = layout
            .squares
            .iter()
            .position(|square| square.contains(x, y))?;
        let square = layout.squares[pack];
        let across = (x - square.left) / square.width().max(1.0);
        let up = (square.bottom - y) / square.height().max(1.0);
        let corners = layout.corners.get(pack)?;
        // Corners ascend in both components: the pointer is on the item that begins at the last
        // corner before it, if it is within that item's height too.
        let item = corners
            .partition_point(|corner| corner[0] <= across)
            .saturating_sub(1);
        let [low, high] = [corners.get(item)?, corners.get(item + 1)?];
        (low[1]..=high[1])
            .contains(&up)
            .then_some([pack as u32, item as u32])
    }

    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let Some([pack, item]) = from else {
            return Some([0, 0]);
        };
        let pack = further(pack, right, self.packs.len())?;
        Some([
            pack,
            further(item, up, self.packs[pack as usize].sizes.len())?,
        ])
    }

    fn reading(&self, [pack, item]: Spot) -> Option<String> {
        let pack = self.packs.get(pack as usize)?;
        let [a, b] = pack
            .sizes
            .get(item as usize)?
            .map(|size| words::count(u64::from(size)));
        let items = words::plural(pack.sizes.len() as u64, singular(self.items));
        let [first, second] = &self.names;
        Some(format!(
            "{a} {first}, {b} {second}, in a pack of {items} × {}",
            words::count(pack.count)
        ))
    }

    fn height(&self, width: f64) -> f64 {
        height_for(width, self.packs.len() + 1)
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The square of the average item.
    pub unpacked: Option<Area>,
    /// The square of each pack.
    pub squares: Vec<Area>,
    corners: Vec<Vec<[f64; 2]>>,
}

/// Minimum distance between squares.
const GAP: f64 = 14.0;
/// Height below a square: two lines of words and some space.
const WORDS: f64 = 40.0;
const BELOW: f64 = WORDS + 14.0;
/// Maximum size of a square; a larger one would show no more.
const LARGEST: f64 = 190.0;

/// Returns the number of squares side by side, their size, and the distance between them.
fn columns(width: f64) -> (usize, f64, f64) {
    let (columns, gap) = match width {
        w if w < 260.0 => (2, GAP),
        w if w < 520.0 => (3, GAP),
        w if w < 700.0 => (4, 20.0),
        w if w < 1100.0 => (5, 28.0),
        _ => (6, 34.0),
    };
    let side = (width - 1.0 - gap * (columns - 1) as f64) / columns as f64;
    (columns, side.clamp(8.0, LARGEST), gap)
}

/// Returns the height for this many squares, including that of the average item.
pub fn height_for(width: f64, squares: usize) -> f64 {
    let (columns, side, _) = columns(width);
    (squares.div_ceil(columns).max(1) as f64 * (side + BELOW) - (BELOW - WORDS)).ceil()
}

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let (columns, side, gap) = columns(frame.width);
    let square = |i: usize| {
        Area::sized(
            (
                (side + gap) * (i % columns) as f64,
                (side + BELOW) * (i / columns) as f64,
            ),
            side,
            side,
        )
    };
    // The average item has the first square, if it is drawn.
    let first = usize::from(input.unpacked.is_some());
    Layout {
        unpacked: input.unpacked.map(|_| square(0)),
        squares: (0..input.packs.len()).map(|i| square(first + i)).collect(),
        corners: input
            .packs
            .iter()
            .map(|pack| corners(&pack.sizes, input.limits))
            .collect(),
    }
}

/// Returns the corners where items end, as shares of the limits: the origin, then one for each item.
fn corners(sizes: &[[u32; 2]], limits: [u32; 2]) -> Vec<[f64; 2]> {
    let mut sum = [0u64; 2];
    let mut corners = vec![[0.0; 2]];
    corners.extend(sizes.iter().map(|size| {
        sum = std::array::from_fn(|k| sum[k].saturating_add(u64::from(size[k])));
        // Packs of algorithms that ignore one limit may exceed it.
        std::array::from_fn(|k| (sum[k] as f64 / f64::from(limits[k].max(1))).min(1.0))
    }));
    corners
}

/// Returns the slots of each component that a pack uses.
fn used(pack: &Pack) -> [u64; 2] {
    std::array::from_fn(|k| pack.sizes.iter().map(|size| u64::from(size[k])).sum())
}

fn times(count: u64) -> String {
    if count == 1 {
        "once".to_owned()
    } else {
        format!("{} times", words::count(count))
    }
}

/// Items smaller than this in both directions are drawn together with their neighbours.
const SEEN: f64 = 2.0;
/// Height of a line of words.
const LINE: f64 = 16.0;

fn unpacked(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (Some(square), Some((mean, count))) = (layout.unpacked, input.unpacked) else {
        return;
    };
    let end =
        std::array::from_fn(|k| (mean[k] / f64::from(input.limits[k].max(1))).clamp(0.0, 1.0));
    body(pen, &[[0.0; 2], end], square);
    let [first, second] = mean.map(|mean| words::count(mean.max(0.0).round() as u64));
    let sizes = [
        format!("the average, {first} × {second}"),
        format!("{first} × {second}"),
    ];
    caption(pen, square, "Unpacked", count, sizes);
}

fn pack(pen: &mut Pen, input: &Input, layout: &Layout, at: usize) {
    let (Some(pack), Some(square)) = (input.packs.get(at), layout.squares.get(at)) else {
        return;
    };
    let Some(corners) = layout.corners.get(at) else {
        return;
    };
    body(pen, corners, *square);
    let [first, second] = used(pack).map(words::count);
    let sizes = [
        format!("{first} {}, {second} {}", input.names[0], input.names[1]),
        format!("{first} × {second}"),
    ];
    let items = words::plural(pack.sizes.len() as u64, singular(input.items));
    caption(pen, *square, &items, pack.count, sizes);
}

fn place(square: Area, corner: [f64; 2]) -> (f64, f64) {
    (
        square.left + corner[0] * square.width(),
        square.bottom - corner[1] * square.height(),
    )
}

/// Returns the area from the lower left corner to the upper right one.
fn between(square: Area, low: [f64; 2], high: [f64; 2]) -> Area {
    let ((left, bottom), (right, top)) = (place(square, low), place(square, high));
    Area {
        left,
        top,
        right,
        bottom,
    }
}

/// Draws the padding, the items in two tones, and the frame.
fn body(pen: &mut Pen, corners: &[[f64; 2]], square: Area) {
    let theme = pen.theme;
    let end = corners.last().copied().unwrap_or([0.0; 2]);
    let (right, top) = place(square, end);
    // Both areas have the upper right corner, where slots of both components are left over.
    if end[0] < 1.0 {
        pen.rect(
            Area {
                left: right,
                ..square
            },
            theme.padding_wash,
        );
    }
    if end[1] < 1.0 {
        pen.rect(
            Area {
                bottom: top,
                ..square
            },
            theme.padding_wash,
        );
    }
    let mut low = corners.first().copied().unwrap_or([0.0; 2]);
    for (at, end) in run_ends(corners, square).into_iter().enumerate() {
        pen.rect(between(square, low, corners[end]), tone(theme, at));
        low = corners[end];
    }
    pen.outline(square, 1.0, theme.marginal);
}

/// Returns the corners at which the steps to draw end: items that are large enough, or runs of smaller ones.
fn run_ends(corners: &[[f64; 2]], square: Area) -> Vec<usize> {
    let mut ends = vec![];
    let mut low = corners.first().copied().unwrap_or([0.0; 2]);
    for (i, corner) in corners.iter().enumerate().skip(1) {
        let area = between(square, low, *corner);
        // The last run ends with the pack, however narrow it is.
        if area.width() >= SEEN || area.height() >= SEEN || i + 1 == corners.len() {
            ends.push(i);
            low = *corner;
        }
    }
    ends
}

/// Returns the tone of a run by its place in the pack: each differs from its neighbours.
fn tone(theme: Theme, run: usize) -> Rgb {
    match run % 2 {
        0 => theme.accent,
        _ => theme.second_accent,
    }
}

/// Outlines the item under the pointer, in the tone of its run.
fn hover(pen: &mut Pen, layout: &Layout) {
    let Some([pack, item]) = pen.frame.hover.map(|spot| spot.map(|at| at as usize)) else {
        return;
    };
    let (Some(corners), Some(square)) = (layout.corners.get(pack), layout.squares.get(pack)) else {
        return;
    };
    if let (Some(low), Some(high)) = (corners.get(item), corners.get(item + 1)) {
        let area = between(*square, *low, *high);
        pen.rect(area.grown(1.5), pen.theme.ink);
        // Tones alternate by what is drawn: an item of a run has the tone of all of it.
        let run = run_ends(corners, *square).partition_point(|end| *end <= item);
        pen.rect(area, tone(pen.theme, run));
    }
}

/// Writes two lines: the kind of pack with its count, and its contents; shorter if the square is small.
fn caption(pen: &mut Pen, square: Area, what: &str, count: u64, sizes: [String; 2]) {
    let room = square.width();
    let y = square.bottom + 13.0;
    // From the longest text to the shortest: the first that fits is taken.
    let times = [words::count(count), words::short(count)].map(|count| format!("× {count}"));
    pen.label(what, (square.left, y), -1, pen.theme.ink, true);
    if let Some(text) = fitting(times, room - label_width(what, true) - 4.0, false) {
        pen.note(text, (square.right, y), 1);
    }
    if let Some(text) = fitting(sizes, room, false) {
        pen.note(text, (square.left, y + LINE), -1);
    }
}
