//! Sizes of batches along the training, with their learning rates. Epochs stand side by side, each as wide as its
//! number of steps.

use super::{
    Area, BELOW, Chart, Frame, OccupiedAreas, Pen, Point, Rgb, Scale, Spot, Table, Theme, Tick,
    ValueAxis, axis, fitting, further, label_width, mix, widest,
};
use packscope::order::Map;
use packscope::words;

/// One epoch.
#[derive(Debug, Clone, PartialEq)]
pub struct Epoch {
    /// Sequences of its batches in order, or of an evenly spaced sample of them.
    pub sizes: Vec<u64>,
    /// One batch in this many of the epoch is in the sample.
    pub every: u64,
    /// Batches of the epoch.
    pub steps: u64,
    /// The largest batch that its BatchCap allows.
    pub cap: Option<u64>,
    /// The learning rate for each size, if rates follow the size; in proportion to its square root.
    pub rates: Option<Vec<f64>>,
}

impl Epoch {
    /// Returns the smallest and the largest batch.
    fn ends(&self) -> [u64; 2] {
        [self.sizes.iter().min(), self.sizes.iter().max()].map(|size| *size.unwrap_or(&0))
    }
}

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The epochs.
    pub epochs: Vec<Epoch>,
    /// The index of the selected epoch.
    pub chosen: usize,
    /// The learning rate of batches of the usual size; `None` at inference.
    pub rate: Option<f64>,
}

/// A spot is an epoch, and the place of a batch in its sizes.
impl Chart for Input {
    /// Takes O(points log points) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        // Marks are painted in the order in which they are drawn: words come after the points and
        // lines that they stand on, and the ring of the pointer comes last.
        pen.grid(layout.plot, &layout.sizes.count_ticks());
        rate_axis(pen, self, &layout);
        steps(pen, self, &layout);
        points(pen, self, &layout);
        caps(pen, self, &layout);
        cap_labels(pen, self, &layout);
        fixed(pen, self, &layout);
        epochs(pen, self, &layout);
        hover(pen, self, &layout);
    }

    fn summary(&self) -> String {
        let of = self.epochs.iter().enumerate().map(|(i, epoch)| {
            let [least, most] = epoch.ends();
            let cap = epoch
                .cap
                .map_or_else(String::new, |cap| format!(", cap {}", words::count(cap)));
            let steps = words::batches(epoch.steps);
            format!(
                " Epoch {}: {steps}, {} to {} sequences{cap}.",
                i + 1,
                words::count(least),
                words::count(most)
            )
        });
        format!(
            "Sequences in a batch, in the order of the batches.{}",
            of.collect::<String>()
        )
    }

    fn table(&self) -> Option<Table> {
        let row = |(i, epoch): (usize, &Epoch)| {
            let [least, most] = epoch.ends();
            [i as u64 + 1, epoch.steps, least, most]
                .map(words::count)
                .to_vec()
        };
        let head = ["epoch", "steps", "smallest batch", "largest batch"];
        Some(Table::new(
            "Batches in their order",
            head,
            self.epochs.iter().enumerate().map(row),
        ))
    }

    fn hit(&self, (x, y): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let inside = layout.plot.contains(x, y);
        // Epochs lie edge to edge, so the first one that ends at the pointer or after it has it.
        let found = layout
            .epochs
            .iter()
            .position(|(_, right, _)| x <= *right)
            .filter(|_| inside)?;
        let (left, right, points) = layout
            .epochs
            .get(found)
            .filter(|(_, _, points)| *points > 0)?;
        let share = (x - left) / (right - left).max(1e-9);
        Some([found, ((share * *points as f64) as usize).min(points - 1)].map(|at| at as u32))
    }

    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let Some([epoch, batch]) = from else {
            return Some([self.chosen as u32, 0]);
        };
        let epoch = further(epoch, up, self.epochs.len())?;
        Some([
            epoch,
            further(batch, right, self.epochs[epoch as usize].sizes.len())?,
        ])
    }

    /// Returns words such as "Epoch 2, step 14: 128 sequences, learning rate 4.2e-5."
    fn reading(&self, [epoch, batch]: Spot) -> Option<String> {
        let of = self.epochs.get(epoch as usize)?;
        let size = words::plural(*of.sizes.get(batch as usize)?, "sequence");
        let step = words::count(u64::from(batch) * of.every + 1);
        let rate = of
            .rates
            .as_ref()
            .and_then(|rates| rates.get(batch as usize))
            .copied()
            .or(self.rate);
        Some(match rate.map(words::rate) {
            Some(rate) => format!(
                "Epoch {}, step {step}: {size}, learning rate {rate}.",
                epoch + 1
            ),
            None => format!("Batch {step}: {size}."),
        })
    }
}

impl Input {
    fn sizes(&self) -> impl Iterator<Item = u64> {
        self.epochs.iter().flat_map(|epoch| &epoch.sizes).copied()
    }

    /// Returns the learning rate of a batch of one sequence, if rates follow the sizes.
    fn unit_rate(&self) -> Option<f64> {
        let pairs = self
            .epochs
            .iter()
            .filter_map(|epoch| Some((&epoch.sizes, epoch.rates.as_ref()?)));
        // Rates go with the square root of the size (Nagarajan and Raghunathan 2023, §2.2), so that
        // any one batch gives the factor for all.
        let mut units = pairs.flat_map(|(sizes, rates)| sizes.iter().zip(rates));
        let (size, rate) =
            units.find(|(size, rate)| **size > 0 && rate.is_finite() && **rate > 0.0)?;
        Some(rate / (*size as f64).sqrt())
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The area inside the axes.
    pub plot: Area,
    sizes: ValueAxis,
    /// Left and right edge of each epoch, and the number of its points.
    epochs: Vec<(f64, f64, usize)>,
}

impl Layout {
    fn point(&self, epoch: usize, index: usize, size: u64) -> Point {
        let (left, right, points) = self.epochs.get(epoch).copied().unwrap_or((0.0, 0.0, 1));
        let x = left + (right - left) * (index as f64 + 0.5) / points.max(1) as f64;
        (x, self.sizes.place_of(size as f64))
    }
}

/// Height above the plot: a line with the names of the axes, and one with those of the epochs.
const ABOVE: f64 = 42.0;
/// Caps beyond this factor of the largest batch are not on the plot.
const FAR: f64 = 4.0;
/// Room for the label of the highest cap, as a factor.
const HEAD: f64 = 1.25;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let plot = frame.plot(ABOVE.min(frame.height / 3.0), BELOW, |plot| {
        let sizes = sizes(input, plot);
        let rates = rates(input, &sizes);
        let right = if rates.is_empty() {
            6.0
        } else {
            widest(rates.iter().map(|(_, text)| text), false) + 10.0
        };
        [axis::margin(&sizes.count_ticks()), right]
    });
    let steps = input
        .epochs
        .iter()
        .map(|epoch| epoch.steps)
        .sum::<u64>()
        .max(1) as f64;
    // Epochs are as wide as their steps, not their points: samples of two epochs may be equally
    // long.
    let edge = |before: u64| plot.left + plot.width() * before as f64 / steps;
    let epochs = input.epochs.iter().scan(0, |before, epoch| {
        let left = edge(*before);
        *before += epoch.steps;
        Some((left, edge(*before), epoch.sizes.len()))
    });
    Layout {
        plot,
        sizes: sizes(input, plot),
        epochs: epochs.collect(),
    }
}

fn sizes(input: &Input, plot: Area) -> ValueAxis {
    let least = input.sizes().min().unwrap_or(1) as f64;
    let most = input.sizes().max().unwrap_or(1) as f64;
    let caps = input
        .epochs
        .iter()
        .filter_map(|epoch| epoch.cap)
        .map(|cap| cap as f64);
    // A cap far above all batches would leave these a strip at the lower edge; its label says it.
    let cap = caps
        .filter(|cap| *cap <= most * FAR)
        .fold(0.0, |a, b| f64::max(a, b * HEAD));
    ValueAxis::counts(plot, least, cap.max(most * HEAD))
}

/// Width and height of a dot where there are many.
const CELL: f64 = 3.0;
/// The least share of the ink in a dot.
const FAINT: f64 = 0.4;
/// Batches at least this far apart are drawn as discs.
const SINGLE: f64 = 7.0;
/// Thickness of a cap, and of the cap of the selected epoch.
const CAPS: [f64; 2] = [1.0, 2.0];

/// Returns the ink of an epoch, which is darker for the selected one.
fn ink(input: &Input, epoch: usize, theme: &Theme) -> Rgb {
    if input.chosen == epoch {
        theme.ink
    } else {
        mix(theme.second_ink, theme.background, 0.65)
    }
}

/// Draws every batch; where batches are close, darker means more of them.
fn points(pen: &mut Pen, input: &Input, layout: &Layout) {
    for (k, epoch) in input.epochs.iter().enumerate() {
        let ink = ink(input, k, &pen.theme);
        let Some((left, right, points)) = layout.epochs.get(k).copied() else {
            continue;
        };
        let points = points.max(1);
        // Each column has equally many batches, so that batches of one size form an even line.
        let columns = points.min((((right - left) / CELL) as usize).max(1));
        let wide = (right - left) / columns as f64;
        if wide >= SINGLE {
            let places = epoch
                .sizes
                .iter()
                .enumerate()
                .map(|(i, size)| layout.point(k, i, *size));
            places.for_each(|at| pen.disc(at, 3.0, ink));
            continue;
        }
        let mut cells: Map<(usize, i64), usize> = Map::new();
        for (i, size) in epoch.sizes.iter().enumerate() {
            // Half pixels tell sizes apart on dense screens.
            let (_, y) = layout.point(k, i, *size);
            *cells
                .entry((i * columns / points, (y * 2.0).round() as i64))
                .or_default() += 1;
        }
        // The ink of a dot that has all batches of its column. The root and the least share keep a
        // single batch visible beside it.
        let full = (points / columns).max(1) as f64;
        for ((column, y), count) in cells {
            let share = (count as f64 / full).sqrt().clamp(FAINT, 1.0);
            let (x, y) = (left + column as f64 * wide, y as f64 / 2.0);
            let area = Area {
                left: x,
                top: y - CELL / 2.0,
                right: x + wide,
                bottom: y + CELL / 2.0,
            };
            pen.rect(area, mix(ink, pen.theme.background, share));
        }
    }
}

/// Returns the height of the line of an epoch's cap, if it is on the plot.
fn ceiling(input: &Input, layout: &Layout, epoch: usize) -> Option<f64> {
    let cap = input.epochs.get(epoch)?.cap? as f64;
    layout
        .sizes
        .holds(cap)
        // Clear of the dots of batches that are as large as the cap.
        .then(|| layout.sizes.place_of(cap) - CELL / 2.0 - 2.0)
}

/// Draws the cap of each epoch as a line above its batches.
fn caps(pen: &mut Pen, input: &Input, layout: &Layout) {
    let accent = pen.theme.accent;
    let mut last: Option<f64> = None;
    for (k, (left, right, _)) in layout.epochs.iter().enumerate() {
        let y = ceiling(input, layout, k);
        let wide = CAPS[usize::from(k == input.chosen)];
        if let Some(y) = y {
            pen.rule(
                (*left, y - wide / 2.0),
                (*right, y - wide / 2.0),
                wide,
                accent,
            );
            if let Some(before) = last {
                pen.rule(
                    (left - 0.5, before.min(y)),
                    (left - 0.5, before.max(y)),
                    1.0,
                    accent,
                );
            }
        }
        // An epoch whose cap is off the plot has no line that the next one could join.
        last = y;
    }
}

/// Draws a ring round the batch under the pointer.
fn hover(pen: &mut Pen, input: &Input, layout: &Layout) {
    let Some([k, index]) = pen.frame.hover.map(|spot| spot.map(|at| at as usize)) else {
        return;
    };
    let size = input.epochs.get(k).and_then(|epoch| epoch.sizes.get(index));
    if let Some(size) = size {
        let at = layout.point(k, index, *size);
        pen.dot(at, 4.0, pen.theme.ink);
    }
}

/// Height of the line with the names of the axes.
const NAMES: f64 = 9.0;
/// Minimum distance between ticks of the learning rate.
const APART: f64 = 18.0;

/// Returns ticks for learning rates at the sizes that have them: the base rate, its doubles and its halves.
fn rates(input: &Input, sizes: &ValueAxis) -> Vec<Tick> {
    let Some(unit) = input.unit_rate() else {
        return vec![];
    };
    let base = input
        .rate
        .filter(|base| base.is_finite() && *base > 0.0)
        // The rate of a batch of 64, the usual size: √64 = 8.
        .unwrap_or(unit * 8.0);
    let tick = |power: i32| {
        let rate = base * 2f64.powi(power);
        // The inverse of rate = unit · √size.
        let size = (rate / unit).powi(2);
        sizes
            .holds(size)
            .then(|| (sizes.place_of(size), format!("{rate:.1e}")))
    };
    let all: Vec<Tick> = (-16..=16).filter_map(tick).collect();
    // Places grow downwards, and rates upwards: the difference is that to the rate below.
    let close = all.windows(2).any(|pair| pair[0].0 - pair[1].0 < APART);
    if close {
        (-8..=8).filter_map(|power| tick(2 * power)).collect()
    } else {
        all
    }
}

/// Draws the axis of learning rates at the right, or a note above that there is only one rate.
fn rate_axis(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (plot, width) = (layout.plot, pen.frame.width);
    let ticks = rates(input, &layout.sizes);
    for (y, text) in &ticks {
        pen.rule(
            (plot.right, y - 0.5),
            (plot.right + 5.0, y - 0.5),
            1.0,
            pen.theme.second_ink,
        );
        pen.note(text, (width, *y), 1);
    }
    let said = match input.rate {
        _ if !ticks.is_empty() => "learning rate".to_owned(),
        Some(base) => format!("learning rate {} throughout", words::rate(base)),
        None => String::new(),
    };
    let room = width - label_width(&said, false) - 16.0;
    let name = fitting(["sequences in a batch", "sequences", ""], room, false).unwrap_or_default();
    if !said.is_empty() {
        pen.note(said, (width, NAMES), 1);
    }
    pen.note(name, (0.0, NAMES), -1);
}

/// Draws the baseline with steps.
fn steps(pen: &mut Pen, input: &Input, layout: &Layout) {
    let plot = layout.plot;
    for (left, ..) in layout.epochs.iter().skip(1) {
        pen.rule(
            (left - 0.5, plot.top - 6.0),
            (left - 0.5, plot.bottom),
            1.0,
            pen.theme.hairline,
        );
    }
    pen.baseline(plot);
    // Steps are counted through all epochs, without a start at each.
    let total = input.epochs.iter().map(|epoch| epoch.steps).sum::<u64>() as f64;
    let rounds = axis::whole(0.0, total, (plot.width() / 72.0).max(1.0));
    let ticks =
        ValueAxis::across(plot, [0.0, total.max(1.0)], Scale::Linear).ticks(rounds, axis::label);
    pen.ticks_below(plot, &ticks, "batches", pen.frame.width);
}

/// Returns the indices of the epochs, the selected one first.
fn by_importance(input: &Input) -> impl Iterator<Item = usize> {
    let chosen = input.chosen;
    let all = 0..input.epochs.len();
    all.clone()
        .filter(move |k| *k == chosen)
        .chain(all.filter(move |k| *k != chosen))
}

/// Draws the names of the epochs above the plot; only their number if names do not fit.
fn epochs(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (mut taken, theme) = (OccupiedAreas::default(), pen.theme);
    for k in by_importance(input) {
        let Some((left, right, _)) = layout.epochs.get(k).copied() else {
            continue;
        };
        let bold = k == input.chosen;
        let name = format!("epoch {}", k + 1);
        let fits = bold || label_width(&name, bold) + 6.0 <= right - left;
        let text = if fits { name } else { (k + 1).to_string() };
        let colour = if bold { theme.accent } else { theme.second_ink };
        let at = (f64::midpoint(left, right), layout.plot.top - 14.0);
        taken.label(pen, &text, at, [0.0, pen.frame.width], colour, bold);
    }
}

/// Draws labels above the lines of caps: the first with a word, the others as numbers.
fn cap_labels(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (mut taken, accent) = (OccupiedAreas::default(), pen.theme.accent);
    let first = input.epochs.iter().position(|epoch| epoch.cap.is_some());
    for k in by_importance(input) {
        let (Some((left, right, _)), Some(cap)) = (layout.epochs.get(k), input.epochs[k].cap)
        else {
            continue;
        };
        let bold = k == input.chosen;
        let word = if Some(k) == first { "cap " } else { "" };
        let line = ceiling(input, layout, k);
        // A cap off the plot is named at its upper edge, with an arrow.
        let beyond = if line.is_none() { " ↑" } else { "" };
        let text = format!("{word}{}{beyond}", words::count(cap));
        let y = line.map_or(layout.plot.top + 8.0, |line| line - 9.0);
        // If an epoch is short, its label reaches over the lower line of the epoch before.
        let x = f64::midpoint(*left, *right).min(right - label_width(&text, bold) / 2.0);
        taken.label(
            pen,
            &text,
            (x, y),
            [layout.plot.left, layout.plot.right],
            accent,
            bold,
        );
    }
}

/// Draws the size that all but a few batches have, above their line, unless a cap shows it.
fn fixed(pen: &mut Pen, input: &Input, layout: &Layout) {
    let Some((epoch, (left, right, _))) = input
        .epochs
        .get(input.chosen)
        .zip(layout.epochs.get(input.chosen))
    else {
        return;
    };
    let Some(most) = epoch.sizes.iter().max().filter(|_| epoch.cap.is_none()) else {
        return;
    };
    let alike = epoch.sizes.iter().filter(|size| *size == most).count();
    // Not all of them: the last batch of an epoch has what is left over.
    if alike * 10 >= epoch.sizes.len() * 8 {
        let at = (
            f64::midpoint(*left, *right),
            layout.sizes.place_of(*most as f64) - 11.0,
        );
        let (text, ends) = (
            format!("batch {}", words::count(*most)),
            [layout.plot.left, layout.plot.right],
        );
        OccupiedAreas::default().label(pen, &text, at, ends, pen.theme.ink, true);
    }
}
