//! The largest batch by the length of its longest sequence: what fits the accelerator's memory, and the epochs' caps.

mod labels;

use super::histogram::bins;
use super::{
    Area, BELOW, Chart, Frame, Hues, Pen, Point, Scale, Spot, Table, ValueAxis, axis, mix,
};
use packscope::sampler::{Buckets, HwCap};
use packscope::{order, words};
use std::cmp::Reverse;

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The largest batch by length.
    pub hwcap: HwCap,
    /// The table of the paper, if another one is in use.
    pub published: Option<HwCap>,
    /// The lengths that share a batch.
    pub buckets: Buckets,
    /// The maximum length.
    pub limit: u32,
    /// The names of the epochs, and the largest batch of each.
    pub caps: Vec<(String, u64)>,
    /// The index of the selected epoch.
    pub chosen: usize,
    /// (length, sequences), ascending.
    pub lengths: Vec<(u32, u64)>,
    /// The colours of lengths.
    pub hues: Hues,
    /// Sequences in a batch of the samplers with a fixed size.
    pub batch: u64,
    /// The unit of lengths: "tokens".
    pub unit: String,
}

/// A spot is a length.
impl Chart for Input {
    /// Takes O(width log rows + distinct) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        pen.grid(layout.plot, &layout.sizes.count_ticks());
        let bars = bars(pen, self, &layout);
        labels::data(pen, bars, &layout);
        labels::axes(pen, self, &layout);
        // The line of the pointer is below the curves, its dots are above them.
        hover(pen, self, &layout);
        lines(pen, self, &layout);
        hover_dots(pen, self, &layout);
        labels::names(pen, self, &layout);
    }

    fn summary(&self) -> String {
        let of = |length: u32| words::count(self.in_force(length));
        let [short, long] = [self.limit.div_ceil(4).max(1), self.limit.max(1)];
        let mut words = format!(
            "The largest batch by length: {} sequences of {short} {unit}, {} of {long}",
            of(short),
            of(long),
            unit = self.unit
        );
        if let Some((name, cap)) = self.caps.get(self.chosen) {
            words += &format!("; in {name} at most {}", words::count(*cap));
        }
        words + "."
    }

    /// Returns the largest batch at eight lengths.
    fn table(&self) -> Option<Table> {
        let lengths = (1..=8).map(|i| (u64::from(self.limit) * i / 8).max(1) as u32);
        let row = |length| {
            vec![
                words::count(u64::from(length)),
                words::count(self.in_force(length)),
            ]
        };
        let head = [&self.unit, "sequences at most"];
        Some(Table::new(
            "The largest batch by length",
            head,
            lengths.map(row),
        ))
    }

    fn hit(&self, (x, _): Point, frame: &Frame) -> Option<Spot> {
        Some([layout(self, frame).length_at(x), 0])
    }

    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let to = from.map_or(1, |[at, _]| {
            at.saturating_add_signed(right + up)
                .clamp(1, self.limit.max(1))
        });
        Some([to, 0])
    }

    /// Returns words such as "The bucket up to 65 tokens: 125 sequences fit, 64 in this epoch."
    fn reading(&self, [length, _]: Spot) -> Option<String> {
        let bucket = self.buckets.bucket_of(length);
        let cap = u64::from(bucket.cap);
        let longest = words::count(u64::from(bucket.longest.min(self.limit)));
        // The cap is worth a word only where it is what binds.
        let now = Some(self.cap()).filter(|now| *now < cap);
        let now = now.map_or_else(String::new, |now| {
            format!(", {} in this epoch", words::count(now))
        });
        let fit = words::plural(cap, "sequence");
        Some(format!(
            "The bucket up to {longest} {}: {fit} fit{now}.",
            self.unit
        ))
    }
}

impl Input {
    fn tables(&self) -> impl Iterator<Item = &HwCap> {
        std::iter::once(&self.hwcap).chain(&self.published)
    }

    /// Returns the cap of the selected epoch.
    fn cap(&self) -> u64 {
        self.caps.get(self.chosen).map_or(u64::MAX, |(_, cap)| *cap)
    }

    /// Returns the largest batch of a length in the selected epoch.
    pub fn in_force(&self, length: u32) -> u64 {
        u64::from(self.hwcap.batch_at(length)).min(self.cap())
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The area inside the axes.
    pub plot: Area,
    /// The area below it with the lengths of the data.
    pub data: Area,
    sizes: ValueAxis,
    lengths: ValueAxis,
}

impl Layout {
    /// Returns the length at a horizontal position; the nearest one if the position is outside the plot.
    pub fn length_at(&self, x: f64) -> u32 {
        self.lengths
            .value(x)
            .ceil()
            .clamp(1.0, self.lengths.ends[1]) as u32
    }

    /// Returns the right edge of a length, which takes up the step before it.
    fn x(&self, length: u32) -> f64 {
        self.lengths.beyond(f64::from(length))
    }
}

/// Height of the line with the name of the axis.
const ABOVE: f64 = 26.0;
/// Height of the lengths of the data, as a share of the drawing.
const DATA: f64 = 0.13;
/// Factor between the smallest batch and the lower end of the axis.
const FOOT: f64 = 1.6;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let top = ABOVE.min(frame.height / 4.0);
    let floor = (frame.height - BELOW).max(top + 8.0);
    let below = frame.height - floor + frame.height * DATA;
    let plot = frame.plot(top, below, |plot| {
        [axis::margin(&sizes(input, plot).count_ticks()), 10.0]
    });
    let data = Area {
        top: plot.bottom + 4.0,
        bottom: floor,
        ..plot
    };
    let lengths = ValueAxis::across(plot, [0.0, f64::from(input.limit.max(1))], Scale::Linear);
    Layout {
        plot,
        data,
        sizes: sizes(input, plot),
        lengths,
    }
}

/// Returns the axis from the smallest batch to the largest, for the lengths 1 and the limit, and the caps.
fn sizes(input: &Input, plot: Area) -> ValueAxis {
    let ends: Vec<u32> = input
        .tables()
        .flat_map(|table| [table.batch_at(1), table.batch_at(input.limit)])
        .collect();
    let fixed = [input.batch, input.cap()]
        .into_iter()
        .filter(|size| *size > 0 && *size < u64::MAX);
    let values = || {
        ends.iter()
            .map(|size| f64::from(*size))
            .chain(fixed.clone().map(|size| size as f64))
    };
    // The published table, or the cap of a late epoch, may be far above all that fits the memory:
    // they do not stretch the axis.
    let most = f64::from(input.hwcap.batch_at(1)).max(input.batch as f64);
    let least = values().fold(f64::INFINITY, f64::min) / FOOT;
    let most = values()
        .filter(|value| *value <= most * FOOT)
        .fold(most, f64::max);
    ValueAxis::counts(plot, least, most)
}

/// Thickness of the lines: the size in force, HWCap, and the others.
const THICK: [f64; 3] = [3.0, 1.5, 1.0];
const DASHES: [f64; 2] = [6.0, 4.0];
const DOTS: [f64; 2] = [2.0, 3.0];

/// Returns a step line: for each column of pixels the batch of its longest length.
fn steps(layout: &Layout, size: impl Fn(u32) -> u64) -> Vec<Point> {
    let plot = layout.plot;
    let mut line: Vec<Point> = vec![];
    let (mut from, mut last) = (plot.left, None);
    // By pixels, not by lengths: a limit of a million has no more steps than the plot has columns.
    let columns = plot.width().ceil().max(1.0) as u32;
    for column in 0..=columns {
        let x = (plot.left + f64::from(column)).min(plot.right);
        let size = size(layout.length_at(x.max(plot.left + 1e-6)));
        if last != Some(size) {
            if let Some(before) = last {
                let y = layout.sizes.place_of(before as f64);
                line.extend([(from, y), (edge(layout, x), y)]);
                from = edge(layout, x);
            }
            last = Some(size);
        }
    }
    let y = layout.sizes.place_of(last.unwrap_or(1) as f64);
    line.extend([(from, y), (plot.right, y)]);
    line
}

/// Returns where the length of a column of pixels begins.
fn edge(layout: &Layout, x: f64) -> f64 {
    // If lengths are wider than a pixel, the step is at the left end of one; if many share a pixel,
    // it is somewhere after the column before.
    layout.x(layout.length_at(x) - 1).max(x - 1.0)
}

/// Draws all lines, the one in force last.
fn lines(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    if let Some(table) = &input.published {
        let line = steps(layout, |length| u64::from(table.batch_at(length)));
        pen.dashed(&line, &DASHES, THICK[2], theme.second_ink);
    }
    // Epochs that are not selected have a lighter accent.
    let light = mix(theme.accent, theme.background, 0.55);
    for (k, (_, cap)) in input.caps.iter().enumerate() {
        // The line of the chosen epoch is that of the sizes in force, which comes last.
        if k != input.chosen && layout.sizes.holds(*cap as f64) {
            let y = layout.sizes.place_of(*cap as f64);
            let right = meets(input, layout, *cap);
            pen.rule(
                (layout.plot.left, y - 0.5),
                (right, y - 0.5),
                THICK[2],
                light,
            );
        }
    }
    if layout.sizes.holds(input.batch as f64) {
        let y = layout.sizes.place_of(input.batch as f64);
        pen.dashed(
            &[(layout.plot.left, y), (layout.plot.right, y)],
            &DOTS,
            1.5,
            theme.second_ink,
        );
    }
    pen.path(
        steps(layout, |length| u64::from(input.hwcap.batch_at(length))),
        THICK[1],
        theme.ink,
    );
    if !input.caps.is_empty() {
        pen.path(
            steps(layout, |length| input.in_force(length)),
            THICK[0],
            theme.accent,
        );
    }
}

/// Returns where HWCap falls below a cap.
fn meets(input: &Input, layout: &Layout, cap: u64) -> f64 {
    // Longer sequences leave room for fewer, so the table falls and can be searched by halves.
    let (mut low, mut high) = (0, input.limit);
    while low < high {
        let middle = low + (high - low) / 2;
        if u64::from(input.hwcap.batch_at(middle + 1)) < cap {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    layout.x(low)
}

/// Draws the number of sequences of each length, small and pale; returns the bars.
fn bars(pen: &mut Pen, input: &Input, layout: &Layout) -> Vec<Area> {
    let area = layout.data;
    let limit = input.limit.max(1);
    let width = bins::width(&input.lengths, limit, area.width());
    let bars = bins::count(&input.lengths, limit, width);
    let most = tallest(bars.iter().map(|bar| bar.count).collect()).max(1) as f64;
    let draw = |bar: bins::Bin| {
        let (left, right) = (layout.x(bar.from - 1), layout.x(bar.to));
        // A length with a single sequence is still seen.
        let height = (area.height() * (bar.count as f64 / most).min(1.0)).max(1.0);
        let colour = pen
            .theme
            .length_colour(bar.from + (bar.to - bar.from) / 2, input.hues);
        let gap = if right - left >= 4.0 { 1.0 } else { 0.0 };
        let bar = Area {
            left,
            top: area.bottom - height,
            right: right - gap,
            bottom: area.bottom,
        };
        pen.rect(bar, mix(colour, pen.theme.background, 0.6));
        bar
    };
    bars.into_iter().map(draw).collect()
}

/// Returns the count drawn at full height: the largest, or the second if the first towers over it, as at the limit.
fn tallest(mut counts: Vec<u64>) -> u64 {
    order::sort_by_key(&mut counts, |count| Reverse(*count));
    match counts.as_slice() {
        [first, second, ..] if first / 3 > *second => *second,
        counts => counts.first().copied().unwrap_or(0),
    }
}

/// Draws a line at the middle of the length under the pointer.
fn hover(pen: &mut Pen, input: &Input, layout: &Layout) {
    if let Some((x, _)) = pointed(pen, input, layout) {
        let (top, bottom) = (layout.plot.top, layout.data.bottom);
        pen.rule((x - 0.5, top), (x - 0.5, bottom), 1.0, pen.theme.second_ink);
    }
}

fn hover_dots(pen: &mut Pen, input: &Input, layout: &Layout) {
    let Some((x, length)) = pointed(pen, input, layout) else {
        return;
    };
    let mut sizes = vec![(u64::from(input.hwcap.batch_at(length)), pen.theme.ink)];
    if !input.caps.is_empty() {
        sizes.push((input.in_force(length), pen.theme.accent));
    }
    for (size, colour) in sizes {
        let at = (x, layout.sizes.place_of(size as f64));
        pen.disc(at, 5.5, pen.theme.background);
        pen.disc(at, 4.0, colour);
    }
}

fn pointed(pen: &Pen, input: &Input, layout: &Layout) -> Option<(f64, u32)> {
    let [length, _] = pen
        .frame
        .hover
        .filter(|[length, _]| (1..=input.limit).contains(length))?;
    Some((
        f64::midpoint(layout.x(length - 1), layout.x(length)),
        length,
    ))
}

/// Returns rectangles that cover a step line.
fn covered(layout: &Layout, size: impl Fn(u32) -> u64) -> Vec<Area> {
    let around = |pair: &[Point]| {
        let ((a, b), (c, d)) = (pair[0], pair[1]);
        Area {
            left: a.min(c),
            top: b.min(d),
            right: a.max(c),
            bottom: b.max(d),
        }
        .grown(1.0)
    };
    steps(layout, size).windows(2).map(around).collect()
}
