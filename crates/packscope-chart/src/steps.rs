//! How much longer than the mean rank many steps take: their number by the factor, with the mean, and with the bound
//! that no dealing can beat.

use super::xy::{Axis, Shape, Stroke, Upright, Xy};
use super::{Chart, Frame, Pen, Point, Spot, Table, axis, further};
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
        self.xy(pen.frame).draw(pen);
    }

    fn summary(&self) -> String {
        let steps = words::plural(self.factors.len() as u64, "step");
        format!(
            "How long {steps} take, the work of the mean rank being 1: {} on average; best possible {}.",
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
        let plane = self.xy(frame).plane(frame);
        let factor = plane.along.value(x);
        let at = bins(self).iter().position(|bin| factor < bin.ends[1])?;
        let inside = plane.plot.grown(2.0).contains(x, y);
        inside.then_some([at as u32, 0])
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

impl Input {
    fn xy(&self, frame: &Frame) -> Xy<'static> {
        let (bins, theme) = (bins(self), frame.theme);
        let most = bins.iter().map(|bin| bin.steps).max().unwrap_or(0).max(1) as f64;
        let up = Axis::linear([0.0, most * 1.05], |up| up.round_ticks(40.0));
        // There are at least four bins.
        let ends = [bins[0].ends[0], bins[bins.len() - 1].ends[1]];
        let across = Axis::linear(ends, |across| {
            across.even_ticks(1.0, [6.0; 2], |factor, step| {
                let digits = (-step.log10().floor()).clamp(1.0, 4.0) as usize;
                format!("{factor:.digits$}×")
            })
        });
        let bar = |(i, bin): (usize, &FactorBin)| {
            let hovered = frame.hover == Some([i as u32, 0]);
            let colour = if hovered { theme.ink } else { theme.marginal };
            Shape::Bar(bin.ends, bin.steps as f64, colour)
        };
        let full = bins.iter().enumerate().filter(|(_, bin)| bin.steps > 0);
        let shapes = full.map(bar).collect();
        // The names have a line each: mean and bound may be at one place.
        let bound = Upright {
            words: vec![format!("best possible {}", words::factor(self.bound))],
            lanes: &[28.0],
            ..Upright::new(self.bound, Stroke::Bound, theme.second_ink)
        };
        let mean = Upright {
            beyond: [4.0, 0.0],
            words: vec![format!("mean {}", words::factor(self.mean))],
            lanes: &[12.0],
            ..Upright::new(self.mean, Stroke::Rule(2.0), theme.accent)
        };
        Xy {
            above: 36.0,
            right: 2.0,
            baseline: Some((theme.ink, "".into())),
            uprights: vec![bound, mean],
            ..Xy::new(across, vec![(up, shapes)])
        }
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
