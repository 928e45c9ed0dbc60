//! The number of items of each length, with the limit as a needle to drag.

mod axes;
mod bars;
pub(super) mod bins;
mod places;

use super::{
    Area, Chart, Frame, Grip, Hues, Pen, Point, Scale, Spot, fitting, further, label_width,
};
use axes::{CountAxis, Horizontal};
pub use bins::{Bin, Width};
use packscope::{order, words};
pub use places::places;
use std::fmt::Debug;
use std::rc::Rc;

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// (length, items), ascending.
    pub entries: Vec<(u32, u64)>,
    /// The limit; longer items are drawn pale.
    pub limit: u32,
    /// Last length of the axis, which keeps it in place while the limit is dragged; else the longest item or the limit,
    /// whichever is longer.
    pub end: Option<u32>,
    /// The scale of the counts.
    pub scale: Scale,
    /// The scale of the lengths.
    pub across: Across,
    /// The colours of lengths.
    pub hues: Hues,
    /// Lengths to point out, such as those in the pack under the pointer.
    pub lit: Vec<u32>,
    /// The noun for the items: "sequences".
    pub items: &'static str,
    /// The unit of lengths: "tokens".
    pub unit: String,
}

/// The scale of lengths.
#[derive(Debug, Clone, PartialEq)]
pub enum Across {
    /// Equal steps are equal differences, from 1.
    Linear,
    /// Equal steps are equal factors, from the shortest item.
    Log,
    /// As the places say: with about equally many items in equal steps, or a part of the
    /// lengths.
    Placed(BarPlaces),
}

/// Places shared by drawings of the same data; equal only if they are the same.
#[derive(Debug, Clone)]
pub struct BarPlaces(pub Rc<dyn Places>);

impl PartialEq for BarPlaces {
    fn eq(&self, other: &Self) -> bool {
        // What is behind the interface cannot be compared by value.
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// An axis of lengths. [`places()`] returns the only ones; this is an interface so that a page can load them when it needs
/// them.
pub trait Places: Debug {
    /// Returns the first and the last length on the axis, both at least 1.
    fn ends(&self) -> [u32; 2];

    /// Returns the share of the width before a length, 0 to 1 on the axis.
    fn share(&self, length: f64) -> f64;

    /// Returns the length at a share of the width: the inverse of [`share`](Self::share).
    fn length(&self, share: f64) -> f64;

    /// Returns the non-empty bars and their width, for about this many pixels. O(entries × log pixels).
    fn bars(&self, entries: &[(u32, u64)], pixels: f64) -> (Width, Vec<Bin>);

    /// Returns round lengths about equally far from each other, at most this many.
    fn ticks(&self, most: f64) -> Vec<u32>;

    /// Returns words after those on the width of bars.
    fn note(&self) -> &'static str;
}

/// Maximum distance from the needle at which a press grips it.
const REACH: f64 = 16.0;

/// A spot is a length.
impl Chart for Input {
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        axes::grid(pen, &layout);
        bars::draw(pen, self, &layout);
        axes::lengths(pen, self, &layout);
        towers(pen, self, &layout);
        limit(pen, self, &layout);
    }

    fn hit(&self, (x, _): Point, frame: &Frame) -> Option<Spot> {
        Some([layout(self, frame).length_at(x), 0])
    }

    fn grip(&self, (x, _): Point, frame: &Frame) -> Option<Grip> {
        let layout = layout(self, frame);
        let near = (layout.handle.0 - x).abs() < REACH;
        // A limit out of view has no needle to drag.
        (near && layout.side_of(self.limit).is_none()).then_some([true, false])
    }

    /// Steps from bar to bar, starting at that of the limit.
    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], frame: &Frame) -> Option<Spot> {
        let (bins, [length, _]) = (layout(self, frame).bins, from.unwrap_or([self.limit, 0]));
        // Keys move between bars, so that every step is seen; a length between two bars counts as
        // the one before it.
        let at = bins.iter().rposition(|bin| bin.from <= length).unwrap_or(0);
        Some([
            bins[further(at as u32, right + up, bins.len())? as usize].from,
            0,
        ])
    }
}

impl Input {
    fn end(&self) -> u32 {
        // Entries ascend by length.
        let longest = self.entries.last().map_or(1, |(length, _)| *length);
        if let Across::Placed(placed) = &self.across {
            return placed.0.ends()[1];
        }
        self.end.unwrap_or(longest.max(self.limit)).max(1)
    }

    fn start(&self) -> u32 {
        match &self.across {
            Across::Linear => 1,
            Across::Placed(placed) => placed.0.ends()[0],
            Across::Log => self
                .entries
                .first()
                .map_or(1, |(length, _)| (*length).clamp(1, self.end())),
        }
    }

    fn total(&self) -> u64 {
        self.entries.iter().map(|(_, n)| n).sum()
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The area inside the axes.
    pub plot: Area,
    /// First length of the axis.
    pub start: u32,
    /// Last length of the axis.
    pub end: u32,
    /// The width of a bar or, if bars differ, the width to which their heights are scaled.
    pub bin: Width,
    /// The bars, ascending; none is empty.
    pub bins: Vec<Bin>,
    /// The centre of the limit's handle.
    pub handle: Point,
    across: Horizontal,
    vertical: CountAxis,
}

impl Layout {
    /// Returns the horizontal middle of a length.
    pub fn x_of(&self, length: u32) -> f64 {
        self.edge(f64::from(length))
    }

    /// Returns the length at a horizontal position; the nearest one if the position is outside the plot.
    pub fn length_at(&self, x: f64) -> u32 {
        let [start, end] = [self.start, self.end].map(f64::from);
        self.across.length(x).round().clamp(start, end) as u32
    }

    /// Returns the bar of a length; `None` if there are no items.
    pub fn bin_of(&self, length: u32) -> Option<&Bin> {
        // Bars ascend and do not overlap, but there may be gaps between them.
        let at = self.bins.partition_point(|bin| bin.to < length);
        self.bins.get(at).filter(|bin| bin.from <= length)
    }

    /// Returns the quantity that a bar shows: "sequences of each length", "sequences per 512 tokens", "sequences per 9
    /// % of length".
    pub fn caption(&self, items: &str, unit: &str) -> String {
        let note = self.across.note();
        match self.bin {
            Width::Lengths(1) => format!("{items} of each length"),
            Width::Lengths(n) => format!("{items} per {} {unit}", words::count(u64::from(n))),
            Width::Factor(factor) => {
                format!(
                    "{items} per {} % of length{note}",
                    ((factor - 1.0) * 100.0).round() as u32
                )
            }
        }
    }

    /// Returns the side on which a length is out of view, if it is.
    fn side_of(&self, length: u32) -> Option<bool> {
        let beyond = [length < self.start, length > self.end]
            .iter()
            .position(|beyond| *beyond)?;
        self.across.is_placed().then_some(beyond == 1)
    }

    /// Returns the place of a length on the axis: length l covers l − ½ to l + ½, and the axis first − ½ to last + ½.
    fn edge(&self, length: f64) -> f64 {
        self.across.place_of(length)
    }

    /// Returns left and right edge of a bar.
    fn sides(&self, bin: &Bin) -> (f64, f64) {
        (
            self.edge(f64::from(bin.from) - 0.5),
            self.edge(f64::from(bin.to.min(self.end)) + 0.5),
        )
    }
}

/// Space round the plot: the needle's handle above, lengths below, and half a handle at the right.
const ABOVE: f64 = 30.0;
const BELOW: f64 = 28.0;
const RIGHT: f64 = 14.0;

/// Returns the layout of the drawing in a frame.
///
/// The number of bars depends on the width of the plot, and the width on the labels of their heights. So the plot is
/// measured twice, first with labels of an ordinary width.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let end = input.end();
    // Labels of an ordinary width, for the first measure.
    let mut plot = Area {
        left: 40.0,
        top: ABOVE.min(frame.height / 3.0),
        right: (frame.width - RIGHT).max(60.0),
        bottom: (frame.height - BELOW).max(frame.height / 2.0),
    };
    let (start, ends) = (
        input.start(),
        [f64::from(input.start()) - 0.5, f64::from(end) + 0.5],
    );
    let (bin, bins) = bars_of(input, ends, plot.width());
    let vertical = CountAxis::new(&bins, input.scale, plot, 0.0);
    plot.left = (vertical.label_width() + 8.0).min(plot.right - 20.0);
    let across = Horizontal::new(plot, ends, &input.across);
    let mut layout = Layout {
        plot,
        start,
        end,
        bin,
        bins,
        handle: (0.0, 0.0),
        across,
        vertical,
    };
    // Labels are placed against bars that have all of the height. The room they ask for only makes
    // bars lower, so that one more round is enough.
    layout.handle = (needle(input, &layout), 11.0);
    let head = headroom(input, &layout);
    layout.vertical = CountAxis::new(&layout.bins, input.scale, plot, head);
    layout
}

fn bars_of(
    Input {
        entries, across, ..
    }: &Input,
    ends: [f64; 2],
    pixels: f64,
) -> (Width, Vec<Bin>) {
    match across {
        Across::Linear => {
            let end = ends[1] as u32;
            let width = bins::width(entries, end, pixels);
            (Width::Lengths(width), bins::count(entries, end, width))
        }
        Across::Log => {
            let factor = bins::factor(entries, ends, pixels);
            (Width::Factor(factor), bins::count_by(entries, ends, factor))
        }
        Across::Placed(placed) => placed.0.bars(entries, pixels),
    }
}

/// Height of one label of a cut bar, two lines.
const TOWER: f64 = 34.0;

/// Returns the place of the needle: the upper edge of the limit, moved off bars that end there.
fn needle(input: &Input, layout: &Layout) -> f64 {
    // At the end of the axis the last bars, often the highest, would hide the needle.
    let gap = if input.limit >= layout.end { 5.0 } else { 0.0 };
    layout.edge(f64::from(input.limit.min(layout.end)) + 0.5) + gap
}

/// Draws the limit's line with its handle and name, and the number of longer items.
fn limit(pen: &mut Pen, input: &Input, layout: &Layout) {
    let ((x, y), accent) = (layout.handle, pen.theme.accent);
    let name = format!("limit {}", words::count(u64::from(input.limit)));
    let name = match layout.side_of(input.limit) {
        Some(true) => format!("{name} →"),
        Some(false) => format!("← {name}"),
        None => {
            pen.needle((x, y), layout.plot.bottom + 1.0, accent);
            name
        }
    };
    let width = label_width(&name, true);
    // The name is before the needle, so that the words on longer sequences are on their side of it.
    let fits_left = x - 12.0 - width >= 0.0;
    let (at, anchor) = if fits_left {
        (x - 12.0, 1)
    } else {
        (x + 12.0, -1)
    };
    pen.label(name, (at, y - 1.0), anchor, accent, true);

    let longer: u64 = input
        .entries
        .iter()
        .filter(|(l, _)| *l > input.limit)
        .map(|(_, n)| n)
        .sum();
    if longer > 0 {
        let from = if fits_left {
            x + 12.0
        } else {
            at + width + 10.0
        };
        over(pen, longer, input, from, y - 1.0);
    }
}

/// Writes how many items are longer than the limit, in as many words as fit.
fn over(pen: &mut Pen, longer: u64, input: &Input, from: f64, y: f64) {
    let share = words::percent(longer as f64 / input.total().max(1) as f64);
    let long = format!(
        "{} {} are longer: {share}",
        words::count(longer),
        input.items
    );
    let words = [long, format!("{share} are longer"), share];
    if let Some(words) = fitting(words, pen.frame.width - from, false) {
        pen.note(words, (from, y), -1);
    }
}

/// The two lines of a cut bar, and their places.
struct CutLabel {
    lines: [String; 2],
    area: Area,
    anchor: i8,
}

/// Returns the distance of the bars from the upper edge that keeps them clear of labels.
fn headroom(input: &Input, layout: &Layout) -> f64 {
    let labels = stacked_labels(input, layout);
    let behind = |label: &CutLabel| {
        layout
            .bins
            .iter()
            .filter(|bin| !layout.vertical.is_cut(bin))
            // Bars that are cut reach the upper edge anyway, and their labels are beside them.
            .any(|bin| {
                let (left, right) = layout.sides(bin);
                let top = layout.vertical.y(bin.height);
                right > label.area.left && left < label.area.right && top < label.area.bottom + 6.0
            })
    };
    let lowest = labels
        .iter()
        .filter(|l| behind(l))
        .map(|l| l.area.bottom + 6.0 - layout.plot.top);
    lowest.fold(0.0, f64::max)
}

fn towers(pen: &mut Pen, input: &Input, layout: &Layout) {
    for label in stacked_labels(input, layout) {
        let x = if label.anchor > 0 {
            label.area.right
        } else {
            label.area.left
        };
        let [first, second] = label.lines;
        // The ground hides grid lines behind the words.
        pen.rect(label.area, pen.theme.background);
        pen.label(
            first,
            (x, label.area.top + 8.0),
            label.anchor,
            pen.theme.ink,
            true,
        );
        pen.note(second, (x, label.area.top + 25.0), label.anchor);
    }
}

/// Returns the labels one below the other, that of the highest bar first.
fn stacked_labels(input: &Input, layout: &Layout) -> Vec<CutLabel> {
    let mut cut: Vec<&Bin> = layout
        .bins
        .iter()
        .filter(|bin| layout.vertical.is_cut(bin))
        .collect();
    order::sort_by_key(&mut cut, |bin| std::cmp::Reverse(bin.height));
    let place = |(i, bin): (usize, &&Bin)| {
        let lines = words(bin, input);
        let width = label_width(&lines[0], true).max(label_width(&lines[1], false));
        let (left, right) = layout.sides(bin);
        let top = layout.plot.top + TOWER * i as f64;
        // To the left of the bar if there is room: towers mostly stand at the limit, near the right
        // edge.
        let before = left - 10.0 - width >= layout.plot.left;
        let (left, right) = if before {
            (left - 10.0 - width, left - 10.0)
        } else {
            (right + 10.0, right + 10.0 + width)
        };
        let area = Area {
            left,
            top,
            right,
            bottom: top + TOWER - 2.0,
        };
        CutLabel {
            lines,
            area,
            anchor: if before { 1 } else { -1 },
        }
    };
    cut.iter().enumerate().map(place).collect()
}

/// Returns the name of a bar; if nearly all of its items have one length, it is named after that.
fn words(bin: &Bin, input: &Input) -> [String; 2] {
    let within = input
        .entries
        .iter()
        .filter(|(l, _)| (bin.from..=bin.to).contains(l));
    let (length, most) = within
        .max_by_key(|(_, n)| *n)
        .copied()
        .unwrap_or((bin.from, bin.count));
    let one = most as f64 >= 0.9 * bin.count as f64;
    let count = if one { most } else { bin.count };
    let of = match (one, length == input.limit) {
        (true, true) => format!("fill all {}", words::count(u64::from(length))),
        (true, false) => format!("of {} {}", words::count(u64::from(length)), input.unit),
        (false, _) => {
            format!(
                "of {} to {}",
                words::count(u64::from(bin.from)),
                words::count(u64::from(bin.to))
            )
        }
    };
    let share = words::percent(count as f64 / input.total().max(1) as f64);
    [
        format!("{} {} {of}", words::count(count), input.items),
        format!("{share} of the data; bar cut"),
    ]
}
