//! Thirty-six sequences turned into a histogram, and the histogram packed.

use super::STAGES;
use super::data::{SLOTS, SMALL};
use crate::learn::prose::figure;
use crate::learn::{ChapterContext, ChapterPart, Figure};
use packscope::api::PackShape;
use packscope::histogram::{Draw, Histogram};
use packscope::words::count;
use packscope_chart::{Area, Frame, Pen, Scene};

const ABOVE: f64 = 22.0;
/// Space below the drawing, for lengths.
const BELOW: f64 = 22.0;

/// Returns the prose and the drawing of the current stage.
pub fn parts(here: &ChapterContext<'_>) -> Vec<ChapterPart> {
    let stage = here.number("stage") as usize;
    let packed: Vec<PackShape> = here
        .sequences("small")
        .map(|r| r.strategies.clone())
        .unwrap_or_default();
    let (packs, kinds) = (
        packed.iter().map(|shape| shape.count).sum::<u64>(),
        packed.len() as u64,
    );
    // Counted from the data, although the words and labels say 36: a test compares them.
    let all: u64 = SMALL.iter().map(|(_, n)| n).sum();
    let said = match stage {
        0 => format!(
            "{all} sequences in the order in which they came, each as high as it is long. To pack them one by one means \
             {all} decisions."
        ),
        1 => format!(
            "Sorted by length. From a little way off one sees {} steps, not {all} sequences.",
            SMALL.len()
        ),
        2 => format!(
            "Counted: {} lengths with a number each. Two sequences of one length can change places, and no pack is \
             fuller or emptier for it: for packing, nothing is lost.",
            SMALL.len()
        ),
        _ if packed.is_empty() => String::new(),
        _ => format!(
            "Packed: {} packs, but only {} [strategies]. Equal packs are one strategy with a count, and all of them are \
             filled at once.",
            figure("small_packs", packs, &count(packs)),
            figure("small_strategies", kinds, &count(kinds)),
        ),
    };
    let label = format!(
        "36 sequences of 2 to {SLOTS} tokens, {}",
        STAGES.get(stage).copied().unwrap_or_default()
    );
    let drawing = Figure::new(label, |_| 236.0, move |frame| draw(stage, &packed, frame));
    vec![
        ChapterPart::Text(
            "Packing algorithms of textbooks take one item after the other. For a text data set that is millions of \
             times the same decision, since millions of [sequences] have only some hundred lengths. **Count first.**"
                .to_owned(),
        ),
        ChapterPart::Words("stage"),
        ChapterPart::Figure(drawing),
        ChapterPart::Text(said),
    ]
}

fn draw(stage: usize, packed: &[PackShape], frame: &Frame) -> Scene {
    let mut pen = Pen::new(frame);
    match stage {
        0 => bars(&mut pen, &arrival()),
        1 => {
            let mut lengths = arrival();
            lengths.sort_unstable();
            bars(&mut pen, &lengths);
        }
        2 => columns(&mut pen),
        _ => strategies(&mut pen, packed),
    }
    pen.scene
}

/// Returns the lengths in an arbitrary but fixed order of arrival.
fn arrival() -> Vec<u32> {
    let Ok(histogram) = Histogram::from_lengths(SMALL) else {
        return Vec::new();
    };
    let entries = histogram.entries();
    Draw::new(&histogram, 5)
        .filter_map(|i| entries.get(i))
        .map(|([length], _)| *length)
        .collect()
}

fn bars(pen: &mut Pen, lengths: &[u32]) {
    let theme = pen.theme;
    let bottom = pen.frame.height - BELOW;
    let each = pen.frame.width.min(720.0) / lengths.len().max(1) as f64;
    let slot = (bottom - ABOVE) / f64::from(SLOTS);
    for (i, length) in lengths.iter().enumerate() {
        let left = each * i as f64;
        let top = bottom - slot * f64::from(*length);
        let area = Area {
            left,
            top,
            right: left + (each - 2.0).max(1.0),
            bottom,
        };
        pen.rect(area, theme.length_colour(*length, SLOTS));
    }
    let right = each * lengths.len() as f64;
    pen.rule((0.0, bottom), (right, bottom), 1.0, theme.ink);
    let words = format!("{} sequences", lengths.len());
    pen.note(words, (0.0, bottom + 13.0), -1);
    // The longest is labelled, for scale.
    if let Some(i) = lengths.iter().position(|length| *length == SLOTS) {
        let middle = (each * (i as f64 + 0.5)).clamp(30.0, (right - 30.0).max(30.0));
        pen.note(format!("{SLOTS} tokens"), (middle, ABOVE - 10.0), 0);
    }
}

/// Draws a column for each length, with a block for each of its sequences.
fn columns(pen: &mut Pen) {
    let theme = pen.theme;
    let bottom = pen.frame.height - BELOW;
    let each = (pen.frame.width.min(720.0) - 60.0) / f64::from(SLOTS);
    let most = SMALL.iter().map(|(_, n)| *n).max().unwrap_or(1);
    let block = (bottom - ABOVE) / most as f64;
    for (length, n) in SMALL {
        let left = each * f64::from(length - 1);
        let right = left + each - 4.0;
        for k in 0..n {
            let below = bottom - block * k as f64;
            let area = Area {
                left,
                top: below - block + 1.0,
                right,
                bottom: below,
            };
            pen.rect(area, theme.length_colour(length, SLOTS));
        }
        let middle = f64::midpoint(left, right);
        pen.label(
            count(n),
            (middle, bottom - block * n as f64 - 9.0),
            0,
            theme.ink,
            true,
        );
        pen.note(length.to_string(), (middle, bottom + 13.0), 0);
    }
    let right = each * f64::from(SLOTS) - 4.0;
    pen.rule((0.0, bottom), (right, bottom), 1.0, theme.ink);
    pen.note("tokens", (right + 10.0, bottom + 13.0), -1);
}

/// Draws a row for each strategy, with the number of its packs.
fn strategies(pen: &mut Pen, packed: &[PackShape]) {
    let theme = pen.theme;
    let slot = ((pen.frame.width - 60.0) / f64::from(SLOTS)).min(46.0);
    let each = ((pen.frame.height - 4.0) / packed.len().max(1) as f64).min(25.0);
    for (row, shape) in packed.iter().enumerate() {
        let top = 2.0 + each * row as f64;
        let bottom = top + each - 3.0;
        let end = slot * f64::from(SLOTS);
        pen.rect(
            Area {
                left: 0.0,
                top,
                right: end,
                bottom,
            },
            theme.padding,
        );
        let mut left = 0.0;
        for (length, often) in &shape.runs {
            for _ in 0..*often {
                let right = left + slot * f64::from(*length);
                pen.rect(
                    Area {
                        left,
                        top,
                        right,
                        bottom,
                    },
                    theme.length_colour(*length, SLOTS),
                );
                // Adjacent sequences of one length are kept distinct.
                pen.rule(
                    (right - 1.0, top),
                    (right - 1.0, bottom),
                    1.0,
                    theme.background,
                );
                let at = (f64::midpoint(left, right), f64::midpoint(top, bottom));
                pen.label(
                    length.to_string(),
                    at,
                    0,
                    theme.on_length(*length, SLOTS),
                    false,
                );
                left = right;
            }
        }
        let words = format!("× {}", count(shape.count));
        pen.label(
            words,
            (end + 10.0, f64::midpoint(top, bottom)),
            -1,
            theme.ink,
            true,
        );
    }
    if packed.is_empty() {
        pen.note("packing", (0.0, 20.0), -1);
    }
}
