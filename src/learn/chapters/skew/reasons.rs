//! Why rows of BERT are not full: three sequences, each short for another reason.

use crate::learn::Figure;
use packscope_chart::{Area, Frame, Pen, Scene, label_width};

/// Slots of a row.
const ROW: u32 = 512;
/// Height of a sequence with its words, and of its bar.
const TALL: f64 = 50.0;
const BAR: f64 = 16.0;

/// A sequence that is shorter than its row: the tokens of its sentences, and the reason. Made up; sentences are whole.
const SEQUENCES: [(&[u32], &str); 3] = [
    (&[64, 88, 52], "the document ends"),
    (
        &[120, 76, 140, 96],
        "the next sentence, of 104, has no room",
    ),
    (&[92, 60], "cut short on purpose, one in ten"),
];

/// Draws the three sequences, sentence by sentence.
pub fn figure() -> Figure {
    let each = SEQUENCES.map(|(sentences, why)| format!("{} tokens, since {why}", sum(sentences)));
    let label = format!(
        "Three rows of {ROW} slots that are not full: {}.",
        each.join("; ")
    );
    Figure::new(label, |_| SEQUENCES.len() as f64 * TALL, scene)
}

fn sum(sentences: &[u32]) -> u32 {
    sentences.iter().sum()
}

fn scene(frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let x = |tokens: u32| frame.width * f64::from(tokens) / f64::from(ROW);
    for (i, (sentences, why)) in SEQUENCES.iter().enumerate() {
        let y = i as f64 * TALL;
        let bar = |left: f64, right: f64| Area {
            left,
            top: y + 20.0,
            right,
            bottom: y + 20.0 + BAR,
        };
        let words = format!("{} tokens", sum(sentences));
        let at = label_width(&words, true) + 12.0;
        pen.label(words, (0.0, y + 10.0), -1, theme.ink, true);
        pen.note(*why, (at, y + 10.0), -1);
        pen.rect(bar(0.0, frame.width), theme.padding);
        let mut from = 0;
        for sentence in *sentences {
            // A pixel between sentences shows that they are whole.
            let area = bar(x(from), x(from + sentence) - 1.0);
            pen.rect(area, theme.length_colour(sum(sentences), ROW));
            from += sentence;
        }
    }
    pen.scene
}
