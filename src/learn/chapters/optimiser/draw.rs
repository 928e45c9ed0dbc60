//! The content of momentum: a bar for each update, as wide as its sequences, as high as the weight of each.

use super::training::{BEFORE, Training};
use packscope::words::{batches, count, short, tick_percent};
use packscope_chart::lines::{self, Input, Quantity};
use packscope_chart::{Area, Chart, Frame, Pen, Rgb, Scale, Scene, label_width};

/// The range of the axis, in sequences back from now.
pub const SEEN: f64 = 24_000.0;

pub fn tall(width: f64) -> f64 {
    (width * 0.46).clamp(250.0, 380.0)
}

fn input(top: f64) -> Input {
    let x = Quantity {
        name: "sequences ago".into(),
        range: [0.0, SEEN],
        scale: Scale::Linear,
        label: |value| short(value.max(0.0) as u64),
    };
    let y = Quantity {
        name: "weight, as a share of the newest unpacked update".into(),
        range: [0.0, top],
        scale: Scale::Linear,
        label: tick_percent,
    };
    Input {
        x,
        y,
        lines: Vec::new(),
        needle: None,
        dots: Vec::new(),
    }
}

/// Draws the unpacked training as bars, and the packed one as a line over them.
pub fn momentum(packed: &Training, frame: &Frame) -> Scene {
    // Relative to the newest update of the unpacked training, so that this bar is 1.
    let weight = |training: &Training, k| training.weight(k) / BEFORE.weight(0);
    let input = input((weight(packed, 0) * 1.04).max(1.1));
    let layout = lines::layout(&input, frame);
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    input.draw(&mut pen);
    for (k, [from, to]) in updates(&BEFORE) {
        let (left, right) = (layout.x(from) + 0.5, layout.x(to) - 0.5);
        let area = Area {
            left,
            top: layout.y(weight(&BEFORE, k)),
            right,
            bottom: layout.plot.bottom,
        };
        pen.rect(area, theme.marginal);
    }
    let mut line = Vec::new();
    for (k, [from, to]) in updates(packed) {
        let (y, x) = (layout.y(weight(packed, k)), [layout.x(from), layout.x(to)]);
        line.extend(x.map(|x| (x, y)));
        pen.rule(
            (x[1] - 0.5, y),
            (x[1] - 0.5, layout.plot.bottom),
            1.0,
            theme.accent,
        );
    }
    pen.path(line, 2.5, theme.accent);
    let packed = format!(
        "packed: an update every {}",
        count(packed.sequences.round() as u64)
    );
    let before = format!("unpacked: every {}", count(BEFORE.sequences as u64));
    for (words, y, colour) in [(packed, 10.0, theme.accent), (before, 27.0, theme.ink)] {
        write_at_right_edge(&mut pen, &words, y + layout.plot.top, colour);
    }
    pen.scene
}

/// Writes a line at the right edge, on the background colour.
fn write_at_right_edge(pen: &mut Pen, words: &str, y: f64, colour: Rgb) {
    let right = pen.frame.width - 12.0;
    let area = Area {
        left: right - label_width(words, true) - 4.0,
        top: y - 8.0,
        right,
        bottom: y + 8.0,
    };
    pen.rect(area, pen.theme.background);
    pen.label(words, (right, y), 1, colour, true);
}

/// Returns the updates back from now, each with its range of sequences.
fn updates(training: &Training) -> impl Iterator<Item = (u32, [f64; 2])> {
    let each = training.sequences;
    (0u32..)
        .map(move |k| {
            (
                k,
                [f64::from(k) * each, (f64::from(k + 1) * each).min(SEEN)],
            )
        })
        .take_while(|(_, [from, _])| *from < SEEN)
}

/// Returns the number of updates in the sequences that are drawn, in words.
fn updates_in_words(training: &Training) -> String {
    let updates = SEEN / training.sequences;
    if updates.fract() == 0.0 {
        count(updates as u64)
    } else {
        format!("{updates:.1}")
    }
}

pub fn steps_tall(_: f64) -> f64 {
    92.0
}

/// Draws the same sequences in updates, unpacked and packed: a box for each update, divided into its batches.
pub fn steps(packed: &Training, frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let rows = [
        (&BEFORE, "unpacked", theme.ink, theme.marginal),
        (packed, "packed", theme.accent, theme.accent),
    ];
    for (i, (training, name, ink, colour)) in rows.into_iter().enumerate() {
        let top = 46.0 * i as f64;
        let words = format!(
            "{name}: {} updates of {}",
            updates_in_words(training),
            batches(u64::from(training.accumulated))
        );
        pen.label(words, (0.0, top + 7.0), -1, ink, true);
        for (_, [from, to]) in updates(training) {
            let [left, right] = [from, to].map(|at| at / SEEN * frame.width);
            let gap = ((right - left) * 0.2).min(3.0);
            // The last update may be cut at the edge of the drawing: its batches keep the width of
            // whole ones.
            let part = (right - left - gap) / f64::from(training.accumulated)
                * (to - from).recip()
                * training.sequences;
            pen.rect(
                Area {
                    left,
                    top: top + 18.0,
                    right: right - gap,
                    bottom: top + 36.0,
                },
                colour,
            );
            for k in 1..training.accumulated {
                let x = left + f64::from(k) * part;
                if part >= 4.0 && x < right - gap {
                    pen.rule(
                        (x - 0.5, top + 18.0),
                        (x - 0.5, top + 36.0),
                        1.0,
                        theme.background,
                    );
                }
            }
        }
    }
    pen.scene
}
