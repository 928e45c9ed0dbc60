//! The first step: a bar for each micro-batch, as wide as its supervised tokens, as high as each of them weighs.

use super::{MEANS, Weighing};
use crate::learn::Figure;
use packscope::supervision::weights::Weighed;
use packscope::words::{count, factor, short};
use packscope_chart::lines::{self, Input, Quantity};
use packscope_chart::{Area, Chart, Frame, Pen, Scale, Scene};

pub(super) fn first_step(set: &Weighing) -> Figure {
    let all = set.first.clone();
    let tokens: u64 = all.iter().map(|item| u64::from(item.supervised)).sum();
    let [least, most] = range(&all, tokens);
    let label = format!(
        "The first step, with {} supervised tokens; the loss is a mean over {}. A token weighs {} to {} the mean",
        count(tokens),
        MEANS[set.reduction as usize],
        factor(least),
        factor(most),
    );
    let tall = |width: f64| (width * 0.42).clamp(220.0, 320.0);
    Figure::new(label, tall, move |frame| draw(&all, tokens, frame))
}

/// Returns the least and the largest weight, as multiples of the mean: the weights of a step add up to 1.
fn range(all: &[Weighed], tokens: u64) -> [f64; 2] {
    let weights = all.iter().map(|item| item.weight * tokens as f64);
    weights.fold([f64::MAX, 0.0], |[least, most], weight| {
        [least.min(weight), most.max(weight)]
    })
}

fn draw(all: &[Weighed], tokens: u64, frame: &Frame) -> Scene {
    let [_, most] = range(all, tokens);
    let input = Input {
        x: Quantity {
            name: "supervised tokens of the step".into(),
            range: [0.0, tokens as f64],
            scale: Scale::Linear,
            label: |value| short(value.max(0.0) as u64),
        },
        y: Quantity {
            name: "weight of a token, as a multiple of the mean".into(),
            range: [0.0, (most * 1.05).max(1.5)],
            scale: Scale::Linear,
            label: factor,
        },
        lines: Vec::new(),
        needle: None,
        dots: Vec::new(),
    };
    let layout = lines::layout(&input, frame);
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    input.draw(&mut pen);
    let mut from = 0.0;
    let mut before = None;
    for item in all {
        let to = from + f64::from(item.supervised);
        // A gap begins a micro-batch; neighbours have two tones.
        let gap = if before == Some(item.micro_batch) {
            0.0
        } else {
            1.0
        };
        before = Some(item.micro_batch);
        let area = Area {
            left: layout.x(from) + gap,
            top: layout.y(item.weight * tokens as f64),
            right: layout.x(to),
            bottom: layout.plot.bottom,
        };
        let tones = [theme.accent, theme.second_accent];
        pen.rect(area, tones[item.micro_batch % 2]);
        from = to;
    }
    let y = layout.y(1.0);
    let ends = [(layout.plot.left, y), (layout.plot.right, y)];
    pen.dashed(&ends, &[3.0, 3.0], 1.0, theme.ink);
    pen.scene
}
