//! Axes, epochs, caps and learning rates in words.

use super::{Input, Layout, marks};
use crate::chart::axes::{self, Tick};
use crate::chart::log_axis::LogAxis;
use crate::chart::scene::{LABEL, label_width};
use crate::chart::{Area, Frame, Scene, ticks};
use crate::words;

/// The line of the names of the axes.
const NAMES: f64 = 9.0;
/// Between the ticks of the learning rate, at least.
const APART: f64 = 18.0;

/// Learning rates beside the sizes that have them: the base, its doubles and its halves.
pub(super) fn rates(input: &Input, sizes: &LogAxis) -> Vec<Tick> {
    let Some(unit) = input.unit_rate() else { return vec![] };
    let base = input.rate.filter(|base| base.is_finite() && *base > 0.0).unwrap_or(unit * 8.0);
    let tick = |power: i32| {
        let rate = base * 2f64.powi(power);
        let size = (rate / unit).powi(2);
        sizes.holds(size).then(|| (sizes.y(size), format!("{rate:.1e}")))
    };
    let all: Vec<Tick> = (-16..=16).filter_map(tick).collect();
    let close = all.windows(2).any(|pair| pair[0].0 - pair[1].0 < APART);
    if close { (-8..=8).filter_map(|power| tick(2 * power)).collect() } else { all }
}

/// The axis of learning rates at the right, or that there is one rate, above.
pub(super) fn rate_axis(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (ink, plot) = (frame.theme.second_ink, layout.plot);
    let ticks = rates(input, &layout.sizes);
    for (y, text) in &ticks {
        scene.rule((plot.right, y - 0.5), (plot.right + 5.0, y - 0.5), 1.0, ink);
        scene.label(text, (frame.width, *y), 1, ink, false);
    }
    let said = match input.rate {
        _ if !ticks.is_empty() => "learning rate".to_owned(),
        Some(base) => format!("learning rate {} throughout", words::rate(base)),
        None => String::new(),
    };
    let names = ["sequences in a batch", "sequences", ""];
    let room = frame.width - label_width(&said, false) - 16.0;
    let name = names.into_iter().find(|name| label_width(name, false) <= room).unwrap_or_default();
    if !said.is_empty() {
        scene.label(said, (frame.width, NAMES), 1, ink, false);
    }
    scene.label(name, (0.0, NAMES), -1, ink, false);
}

/// The baseline with steps.
pub(super) fn steps(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (plot, theme) = (layout.plot, frame.theme);
    for (left, ..) in layout.epochs.iter().skip(1) {
        scene.rule((left - 0.5, plot.top - 6.0), (left - 0.5, plot.bottom), 1.0, theme.hairline);
    }
    scene.rule((plot.left, plot.bottom), (plot.right, plot.bottom), 1.0, theme.ink);
    let total = input.epochs.iter().map(|epoch| epoch.steps).sum::<u64>();
    let rounds = ticks::whole(0.0, total as f64, (plot.width() / 72.0).max(1.0));
    let x = |step: f64| plot.left + plot.width() * step / total.max(1) as f64;
    let ticks: Vec<Tick> = rounds.into_iter().map(|step| (x(step), axes::label(step))).collect();
    axes::below(scene, plot, &ticks, "batches", frame.width, frame);
}

/// Words that are written unless others are there.
struct Words {
    taken: Vec<Area>,
    within: [f64; 2],
}

impl Words {
    /// The middle of the words at a place, and that the place is taken; moved inwards at the ends of the plot.
    fn place(&mut self, text: &str, bold: bool, middle: f64, y: f64) -> Option<f64> {
        let half = label_width(text, bold) / 2.0;
        let [first, last] = self.within;
        let middle = middle.min(last - half).max(first + half);
        let area =
            Area { left: middle - half, top: y - LABEL / 2.0, right: middle + half, bottom: y + LABEL / 2.0 };
        let free = !self.taken.iter().any(|other| other.meets(&area.grown(3.0)));
        free.then(|| {
            self.taken.push(area);
            middle
        })
    }
}

/// Indices of the epochs, the chosen one first.
fn by_importance(input: &Input) -> impl Iterator<Item = usize> {
    let chosen = input.chosen;
    let all = 0..input.epochs.len();
    all.clone().filter(move |k| *k == chosen).chain(all.filter(move |k| *k != chosen))
}

/// The epochs above the plot; only their number where there is no more room.
pub(super) fn epochs(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    let mut words = Words { taken: vec![], within: [0.0, frame.width] };
    let y = layout.plot.top - 14.0;
    for k in by_importance(input) {
        let Some((left, right, _)) = layout.epochs.get(k).copied() else { continue };
        let bold = k == input.chosen;
        let name = format!("epoch {}", k + 1);
        let fits = bold || label_width(&name, bold) + 6.0 <= right - left;
        let text = if fits { name } else { (k + 1).to_string() };
        if let Some(middle) = words.place(&text, bold, f64::midpoint(left, right), y) {
            let colour = if bold { theme.accent } else { theme.second_ink };
            scene.label(text, (middle, y), 0, colour, bold);
        }
    }
}

/// The caps above their lines: the first with a word, the others as numbers.
pub(super) fn caps(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let mut written = Words { taken: vec![], within: [layout.plot.left, layout.plot.right] };
    let first = input.epochs.iter().position(|epoch| epoch.cap.is_some());
    for k in by_importance(input) {
        let (Some((left, right, _)), Some(cap)) = (layout.epochs.get(k), input.epochs[k].cap) else {
            continue;
        };
        let bold = k == input.chosen;
        let word = if Some(k) == first { "cap " } else { "" };
        let line = marks::ceiling(input, layout, k);
        let beyond = if line.is_none() { " ↑" } else { "" };
        let text = format!("{word}{}{beyond}", words::count(cap));
        let y = line.map_or(layout.plot.top + 8.0, |line| line - 9.0);
        // Where an epoch is short, over the lower line of the one before.
        let middle = f64::midpoint(*left, *right).min(right - label_width(&text, bold) / 2.0);
        if let Some(middle) = written.place(&text, bold, middle, y) {
            scene.label(text, (middle, y), 0, frame.theme.accent, bold);
        }
    }
}

/// The size that all batches but a few have, above their line, where no cap says it.
pub(super) fn fixed(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some((epoch, (left, right, _))) = input.epochs.get(input.chosen).zip(layout.epochs.get(input.chosen))
    else {
        return;
    };
    let Some(most) = epoch.sizes.iter().max().filter(|_| epoch.cap.is_none()) else { return };
    let alike = epoch.sizes.iter().filter(|size| *size == most).count();
    if alike * 10 >= epoch.sizes.len() * 8 {
        let mut written = Words { taken: vec![], within: [layout.plot.left, layout.plot.right] };
        let (text, y) = (format!("batch {}", words::count(*most)), layout.sizes.y(*most as f64) - 11.0);
        if let Some(middle) = written.place(&text, true, f64::midpoint(*left, *right), y) {
            scene.label(text, (middle, y), 0, frame.theme.ink, true);
        }
    }
}
