//! How much longer than the mean rank many steps take: their number by the factor, with the mean, and with the bound
//! that no dealing can beat.

use super::{
    Area, BELOW, Chart, Frame, Pen, Point, Scale, Spot, Table, Tick, ValueAxis, axis, further,
    label_width,
};
use packscope::words;

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Time ÷ mean work of each step.
    pub factors: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// The factor that no dealing can beat, on average.
    pub bound: f64,
}

/// The number of bins at most, about.
const BINS: f64 = 24.0;
/// The narrowest bin.
const NARROWEST: f64 = 0.001;

/// Steps between two factors.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FactorBin {
    ends: [f64; 2],
    steps: u64,
}

/// A spot is the index of a bin, and 0.
impl Chart for Input {
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        let (plot, theme) = (layout.plot, pen.theme);
        pen.grid(plot, &layout.up.round_ticks(40.0));
        for (i, bin) in layout
            .bins
            .iter()
            .enumerate()
            .filter(|(_, bin)| bin.steps > 0)
        {
            let hovered = pen.frame.hover == Some([i as u32, 0]);
            let colour = if hovered { theme.ink } else { theme.marginal };
            pen.rect(layout.bar(bin), colour);
        }
        pen.baseline(plot);
        let x = layout.across.place_of(self.bound);
        // Upwards, so that the hatch is at the left, on the times that no dealing has on average.
        pen.bound(vec![(x, plot.bottom), (x, plot.top)]);
        let x = layout.across.place_of(self.mean);
        pen.rule(
            (x - 1.0, plot.top - 4.0),
            (x - 1.0, plot.bottom),
            2.0,
            theme.accent,
        );
        names(pen, self, &layout);
        pen.ticks_below(plot, &ticks(&layout.across), "", pen.frame.width);
    }

    fn summary(&self) -> String {
        let steps = words::plural(self.factors.len() as u64, "step");
        format!(
            "How long {steps} take, the work of the mean rank being 1: {} on average; no dealing takes less than {}.",
            words::factor(self.mean),
            words::factor(self.bound)
        )
    }

    fn table(&self) -> Option<Table> {
        let row = |bin: FactorBin| {
            let [from, to] = bin.ends.map(words::factor);
            vec![format!("{from} to {to}"), words::count(bin.steps)]
        };
        let rows = bins(self).into_iter().filter(|bin| bin.steps > 0).map(row);
        Some(Table::new(
            "Steps by their time ÷ mean work",
            ["time ÷ mean", "steps"],
            rows,
        ))
    }

    fn hit(&self, (x, y): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let at = layout
            .bins
            .iter()
            .position(|bin| layout.across.value(x) < bin.ends[1])?;
        layout
            .plot
            .grown(2.0)
            .contains(x, y)
            .then_some([at as u32, 0])
    }

    /// Steps to the next bin with steps in it.
    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let bins = bins(self);
        let full: Vec<u32> = (0..bins.len() as u32)
            .filter(|i| bins[*i as usize].steps > 0)
            .collect();
        let Some([at, _]) = from else {
            return Some([*full.first()?, 0]);
        };
        // The pointer may have been on an empty bin.
        let place = full.iter().position(|i| *i >= at).unwrap_or(0) as u32;
        Some([full[further(place, right + up, full.len())? as usize], 0])
    }

    fn reading(&self, [at, _]: Spot) -> Option<String> {
        let bin = bins(self).into_iter().nth(at as usize)?;
        let [from, to] = bin.ends.map(words::factor);
        let (some, all) = (
            words::count(bin.steps),
            words::plural(self.factors.len() as u64, "step"),
        );
        let take = if bin.steps == 1 { "takes" } else { "take" };
        Some(format!(
            "{some} of {all} {take} {from} to {to} the time of the mean rank."
        ))
    }
}

/// Returns the bins, from below the bound and the fastest step to above the slowest.
fn bins(input: &Input) -> Vec<FactorBin> {
    let known = || {
        input
            .factors
            .iter()
            .copied()
            .filter(|factor| factor.is_finite())
    };
    let least = known()
        .fold(input.bound.min(input.mean), f64::min)
        .clamp(0.0, 1e9);
    let most = known()
        .fold(input.mean.max(input.bound), f64::max)
        .clamp(least, 1e9);
    let width = axis::round_step(((most - least) / BINS).max(NARROWEST));
    // Ratios that fall on an edge belong to the bin above, whatever their last digit.
    let place = |factor: f64| (factor / width + 1e-6).floor();
    // An empty bin at either end, so that the lines of bound and mean are clear of the axes.
    let first = place(least) - 1.0;
    let count = (place(most) - first + 2.0).clamp(4.0, 4.0 * BINS) as usize;
    let end = |i: usize| (first + i as f64) * width;
    let mut bins: Vec<FactorBin> = (0..count)
        .map(|i| FactorBin {
            ends: [end(i), end(i + 1)],
            steps: 0,
        })
        .collect();
    for factor in known() {
        let at = (place(factor) - first).clamp(0.0, count as f64 - 1.0);
        bins[at as usize].steps += 1;
    }
    bins
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
struct Layout {
    plot: Area,
    bins: Vec<FactorBin>,
    across: ValueAxis,
    up: ValueAxis,
}

impl Layout {
    fn bar(&self, bin: &FactorBin) -> Area {
        let [left, right] = bin.ends.map(|end| self.across.place_of(end));
        let gap = if right - left >= 4.0 { 1.0 } else { 0.0 };
        Area {
            left,
            right: right - gap,
            top: self.up.place_of(bin.steps as f64),
            bottom: self.plot.bottom,
        }
    }
}

/// Height above the plot, for two lines of names.
const ABOVE: f64 = 36.0;

fn layout(input: &Input, frame: &Frame) -> Layout {
    let bins = bins(input);
    let most = bins.iter().map(|bin| bin.steps).max().unwrap_or(0).max(1) as f64;
    let up = |plot| ValueAxis::up(plot, [0.0, most * 1.05], Scale::Linear);
    let plot = frame.plot(ABOVE, BELOW, |plot| {
        [axis::margin(&up(plot).round_ticks(40.0)), 2.0]
    });
    // There are at least four bins.
    let ends = [bins[0].ends[0], bins[bins.len() - 1].ends[1]];
    Layout {
        plot,
        bins,
        across: ValueAxis::across(plot, ends, Scale::Linear),
        up: up(plot),
    }
}

/// Returns round factors along the axis.
fn ticks(across: &ValueAxis) -> Vec<Tick> {
    let [low, high] = across.ends;
    let step = axis::round_step((high - low) / 6.0);
    let digits = (-step.log10().floor()).clamp(1.0, 4.0) as usize;
    across.ticks(axis::every(low, high, step), |factor| {
        format!("{factor:.digits$}×")
    })
}

/// Names the mean and the bound above the plot, on a line of its own each: they may be at one place.
fn names(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    let mean = format!("mean {}", words::factor(input.mean));
    let bound = format!("no dealing below {}", words::factor(input.bound));
    let within = |x: f64, text: &str, bold| {
        let half = label_width(text, bold) / 2.0;
        x.clamp(half, (pen.frame.width - half).max(half))
    };
    let at = [(input.mean, &mean, true), (input.bound, &bound, false)]
        .map(|(value, text, bold)| within(layout.across.place_of(value), text, bold));
    pen.label(mean, (at[0], layout.plot.top - 12.0), 0, theme.accent, true);
    pen.note(bound, (at[1], layout.plot.top - 28.0), 0);
}
