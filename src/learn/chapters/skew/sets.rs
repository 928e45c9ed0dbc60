//! Real data, and the largest possible gain on each set.

use crate::learn::Figure;
use crate::learn::data;
use packscope::histogram::Preset;
use packscope::words::{count, factor, mean};
use packscope_chart::{Area, Frame, Pen, Scene, label_width};

/// Built-in sets: identifier and display name.
const SETS: [(&str, &str); 9] = [
    ("wikipedia_bert_512", "Wikipedia, BERT"),
    ("squad_1_1_bert_384", "SQuAD 1.1"),
    ("glue_cola", "CoLA"),
    ("glue_sst2", "SST-2"),
    ("glue_rte", "RTE"),
    ("gsm8k_train", "GSM8K"),
    ("alpaca_5000", "Alpaca"),
    ("mol_qm9_allatoms_len", "QM9 with hydrogens"),
    ("librispeech_devclean_text_bert", "LibriSpeech text"),
];

/// Height of a set, and of its bar.
const TALL: f64 = 45.0;
const BAR: f64 = 14.0;

/// A set, and the length to which its rows are padded.
#[derive(Debug, Clone, PartialEq)]
pub struct SkewSet {
    pub name: &'static str,
    /// Mean length in tokens, with sequences cut at the limit.
    pub mean: f64,
    pub row: u32,
}

impl SkewSet {
    /// Returns the largest possible gain: slots of a row / mean length.
    pub fn factor(&self) -> f64 {
        f64::from(self.row) / self.mean
    }
}

/// Returns every set, by falling gain, in rows of the usual limit or of its longest sequence.
pub fn sets_by_gain(to_limit: bool) -> Vec<SkewSet> {
    let set = |(id, name): (&str, &'static str)| {
        let limit = Preset::find(id)?.limit();
        let cut = data::lengths(id)
            .into_iter()
            .map(|(length, n)| (length.min(limit), n));
        let [mut tokens, mut items, mut longest] = [0; 3];
        for (length, n) in cut {
            tokens += u64::from(length) * n;
            items += n;
            longest = longest.max(u64::from(length));
        }
        let row = if to_limit { limit } else { longest as u32 };
        Some(SkewSet {
            name,
            mean: tokens as f64 / items.max(1) as f64,
            row,
        })
    };
    let mut sets: Vec<SkewSet> = SETS.into_iter().filter_map(set).collect();
    sets.sort_by(|a, b| b.factor().total_cmp(&a.factor()));
    sets
}

/// Draws the gains as bars to one scale.
pub fn figure(sets: Vec<SkewSet>) -> Figure {
    let each = |s: &SkewSet| format!("{} {}", s.name, factor(s.factor()));
    let said = sets.iter().map(each).collect::<Vec<_>>().join(", ");
    let label =
        format!("The most that can be won, slots of a row divided by the mean length: {said}.");
    Figure::new(
        label,
        |_| SETS.len() as f64 * TALL,
        move |frame| scene(&sets, frame),
    )
}

fn scene(sets: &[SkewSet], frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    // One scale for both kinds of rows shows the effect of the limit.
    let widest = sets_by_gain(true)
        .iter()
        .map(SkewSet::factor)
        .fold(1.0, f64::max);
    let unit = (frame.width - label_width("10.00×", true) - 10.0) / widest;
    for (i, set) in sets.iter().enumerate() {
        let y = i as f64 * TALL;
        let [one, end] = [1.0, set.factor()].map(|n| unit * n);
        let bar = Area {
            left: 0.0,
            top: y + 20.0,
            right: end,
            bottom: y + 20.0 + BAR,
        };
        pen.label(set.name, (0.0, y + 10.0), -1, theme.ink, true);
        let words = format!("row {}, mean {}", count(u64::from(set.row)), mean(set.mean));
        let at = label_width(set.name, true) + 12.0;
        pen.note(words, (at, y + 10.0), -1);
        pen.rect(bar, theme.padding);
        pen.rect(
            Area { right: one, ..bar },
            theme.length_colour(set.mean.round() as u32, set.row),
        );
        pen.label(
            factor(set.factor()),
            (end + 8.0, y + 20.0 + BAR / 2.0),
            -1,
            theme.ink,
            true,
        );
    }
    pen.scene
}
