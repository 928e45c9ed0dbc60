//! Packing from the optimiser's side: more sequences in an update, fewer updates, a momentum that forgets more slowly.

mod draw;
mod training;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterTable, ChapterView, Citation, Condition, Figure,
    Guess, Knob, KnobKind, Notes, Opens, Paper,
};
use crate::state::View;
use packscope::cost::Regime;
use packscope::words::{count, percent};
use training::{BATCH, BEFORE, BETA2, LATER, OptimiserSettings};

/// The packing factor of the exercise, which does not divide six batches.
const ODD: f64 = 2.5;
// 2 × 250 × 2.5 = 1,250 sequences; three batches, 1,875, are farther from 1,500.
/// Batches per update that come closest to the sequences per update before packing.
const NEAREST: u32 = 2;
/// Tolerance of the share of a gradient that is left.
const CLOSE: f64 = 0.01;

pub const CHAPTER: Chapter = Chapter {
    id: "optimiser",
    title: "What the optimiser sees",
    keep: "Packing puts more sequences into an update: divide the rows by the packing factor, or raise β to its power.",
    notes: Notes {
        aim: "To keep a training comparable when packing changes its batches.",
        usual: "Many change nothing and compare by steps, of which an epoch then has fewer.",
        exam: "A packing factor of 3, batches of 96 rows, β₁ = 0.9. Name both remedies. (32 rows; β₁ = 0.729.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        Knob {
            name: "factor",
            label: "Packing factor",
            kind: KnobKind::Number {
                least: 10,
                most: 160,
                step: 1,
                shown: |n| format!("{:.1}", f64::from(n) / 10.0),
            },
            start: &[20],
        },
        Knob::number(
            "accumulation",
            "Batches accumulated in an update",
            [1, 12],
            &[6],
        ),
        Knob {
            name: "beta",
            label: "β₁ of the packed training",
            kind: KnobKind::Number {
                least: 1,
                most: 999,
                step: 1,
                shown: |n| format!("{:.3}", f64::from(n) / 1000.0),
            },
            start: &[900],
        },
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let accumulated = here.number("accumulation");
        let settings = format!(
            "data=wikipedia_bert_512&batch={BATCH}&cost.accelerators=1&cost.accumulation={accumulated}"
        );
        Opens::built_in(View::Sequences, &settings)
    },
    sources: &[
        Citation {
            paper: Paper::Packing,
            at: "§3.3",
            says: "the packing factor in the batch size; the batch divided by it, or β to its power; both only heuristics",
        },
        Citation {
            paper: Paper::Packing,
            at: "§4.2 and Figure 3",
            says: "learning curves with half the accumulation, and with batches of 1,500 and changed β; scaling the learning rate did not help",
        },
        Citation {
            paper: Paper::Packing,
            at: "§4.3",
            says: "packing slightly violates the assumption of independent samples; what became of it in a full training",
        },
    ],
};

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let set = OptimiserSettings::new(here);
    let [left_before, left] = [&BEFORE, &set.packed].map(|training| training.share_left(LATER));
    ChapterView {
        finding: finding(&set),
        parts: vec![
            ChapterPart::Text(update_in_words(&set)),
            ChapterPart::Figure(steps(&set)),
            ChapterPart::Text(format!(
                "This is an epoch of Wikipedia's 16,279,552 sequences in {} updates; unpacked it has {}. Everything that counts updates notices, momentum first: with each update it keeps β₁ of what it was, {} before packing. The picture shows what it is made of: a bar for each update, the wider the more sequences it has, as high as each of them weighs.",
                figure("updates", set.updates, &count(set.updates)),
                figure("updates_before", set.regimes.before.updates, &count(set.regimes.before.updates)),
                BEFORE.beta,
            )),
            ChapterPart::Text(format!(
                "With a packed β₁ of {{beta}}, {} of a gradient is left after {} sequences; unpacked it was {}.",
                figure("left", left, &percent(left)),
                count(LATER as u64),
                figure("left_before", left_before, &percent(left_before)),
            )),
            ChapterPart::Guess(guess()),
            ChapterPart::Figure(momentum(&set)),
            ChapterPart::Title("Fewer rows, or a lower β".to_owned()),
            ChapterPart::Text(ways_in_words(&set)),
            ChapterPart::Table(ways(&set)),
            ChapterPart::Code("Both remedies in Python", include_str!("../../code/remedies.py").to_owned(), false),
            ChapterPart::Text(counted_in_updates(&set)),
            ChapterPart::Text(GUARANTEED.to_owned()),
        ],
        // The factor is a whole number of tenths divided by ten: it is compared with room for the
        // rounding.
        conditions: vec![
            Condition::new((set.factor - ODD).abs() < 1e-9, format!("a packing factor of {ODD:.1}")),
            Condition::new(set.packed.accumulated == NEAREST, format!("no other number of batches comes nearer to {} sequences", count(BEFORE.sequences as u64)))
                .almost(format!(
                    "Momentum reaches as far as before, but {} sequences are not the nearest to {}.",
                    count(set.packed.sequences.round() as u64),
                    count(BEFORE.sequences as u64),
                )),
            Condition::new((left - left_before).abs() <= CLOSE, "as much of a gradient left as unpacked, within one percentage point")
                .almost(format!(
                    "The batches are right; of a gradient {} is left, and {} before packing.",
                    percent(left),
                    percent(left_before),
                )),
        ],
        notice: "With all settings as they were, a larger packing factor makes the bars of the packed training wide and \
                 low: momentum reaches further back in the data. Lower β₁, and they grow where the data is new."
            .to_owned(),
        task: format!(
            "At a packing factor of {ODD:.1} six batches cannot be divided. Accumulate the whole number of batches that \
             comes nearest to 1,500 sequences, and let β₁ make up for the rest: as much of a gradient left as unpacked, \
             within one percentage point."
        ),
        found: format!(
            "The power is not always the packing factor: it is the sequences of an update now divided by those before, \
             here {} / 1,500. As 0.9 to that power is {}, β₁ has to rise, since these updates are smaller than they were.",
            count(set.packed.sequences.round() as u64),
            figure("beta_needed", needed(&set), &format!("{:.3}", needed(&set))),
        ),
    }
}

/// The packing factor of the question.
const FOUR: f64 = 4.0;

/// Asks how far momentum reaches in packs of four, if nothing else is changed.
fn guess() -> Guess {
    let packed = training::Training {
        sequences: BEFORE.sequences * FOUR,
        ..BEFORE
    };
    let left = packed.share_left(LATER);
    Guess {
        id: "left-at-four",
        question: format!(
            "Let {FOUR} sequences share a row, and change nothing else: six batches, a β₁ of {}. Which share of a gradient is left \
             after {} sequences?",
            BEFORE.beta,
            count(LATER as u64),
        ),
        choices: &[0.35, 0.59, 0.77, 0.9],
        answer: Some(left),
        reveal: format!(
            "{}: {} sequences are now two and a half updates, where they were ten. Only updates make momentum forget.",
            Guess::figure(left),
            count(LATER as u64),
        ),
    }
}

const GUARANTEED: &str = "Neither makes exactly the same training. With the accumulation halved, learning curves of packed BERT \
     matched the unpacked ones almost perfectly. With the same rows and changed β it learned more slowly at first and \
     caught up later. Raising the learning rate with the batch, as is often done, slowed it down, so it stays. And \
     sequences that share a pack always share an update: samples are no longer quite independent. It is the number of sequences that \
    slows, not the packing: unpacked BERT with 3,000 sequences in an update and changed β fell behind more than packed BERT with 1,500 \
    rows of two. All reached the accuracy asked for within three million sequences. \
    (The paper names 71.2 % for it in §4.2 and 72.1 % in §4.2.1 and Figure 4.)";

/// Returns the β₁ with which the packed training, with its batches as set, forgets like the unpacked one.
fn needed(set: &OptimiserSettings) -> f64 {
    // Solves β^(n / sequences) = β_before^(n / sequences_before) for β: the same share is left
    // after any n sequences.
    BEFORE.beta.powf(set.packed.sequences / BEFORE.sequences)
}

/// Whether a ratio is one within 2 %.
fn is_one(ratio: f64) -> bool {
    (ratio - 1.0).abs() < 0.02
}

fn finding(set: &OptimiserSettings) -> String {
    let sequences = count(set.packed.sequences.round() as u64);
    // Two things can be as before: sequences in an update, and how far momentum reaches. The title
    // names both.
    let memory = set.packed.memory(&BEFORE);
    match (
        is_one(set.packed.sequences / BEFORE.sequences),
        is_one(memory),
    ) {
        (true, true) => {
            format!("{sequences} sequences in an update, and a momentum as before packing")
        }
        (false, true) => {
            format!(
                "{sequences} sequences in an update, and momentum reaches as far back as before"
            )
        }
        _ if memory > 1.0 => {
            format!(
                "{sequences} sequences in an update, and momentum remembers {} as far",
                times(memory)
            )
        }
        _ => format!(
            "{sequences} sequences in an update, and momentum forgets {} as fast",
            times(memory.recip())
        ),
    }
}

/// Formats a factor, `1.25×`, `2.0×`; large ones as whole numbers.
fn times(x: f64) -> String {
    if x < 1.995 {
        format!("{x:.2}×")
    } else if x < 20.0 {
        format!("{x:.1}×")
    } else {
        format!("{}×", count(x.round() as u64))
    }
}

fn update_in_words(set: &OptimiserSettings) -> String {
    let OptimiserSettings { packed, .. } = set;
    format!(
        "The weights of a model change once per update. Here an update is {{accumulation}} batches of {BATCH} rows, \
         one after the other: [gradient accumulation]. Unpacked, a row is a sequence, and six batches make 1,500. \
         Packed, a row holds {{factor}} of them, the [packing factor], and the [effective batch] is {} \
         sequences. Wikipedia, packed for BERT, has a factor of 2.0. Here are {} of its sequences:",
        figure(
            "sequences_per_update",
            packed.sequences,
            &count(packed.sequences.round() as u64)
        ),
        count(draw::SEEN as u64),
    )
}

fn ways_in_words(set: &OptimiserSettings) -> String {
    let beta2 = set.regimes.same_rows.beta2;
    format!(
        "One can divide the batch or the accumulation by the packing factor: as many sequences as before, nothing else \
         to change, but perhaps too little work for the accelerator. Or one keeps the rows and, as the authors did for LAMB, raises \
         every β to the power of the packing factor, so that one update forgets what {:.1} did; β₂ goes from {BETA2} to {}.",
        set.factor,
        figure("beta2_same_rows", beta2, &format!("{beta2:.4}")),
    )
}

/// The warm-up of the example, in updates.
const WARM_UP: f64 = 1000.0;

/// Names the settings that are counted in updates, and so mean other sequences after packing.
fn counted_in_updates(set: &OptimiserSettings) -> String {
    let before = WARM_UP * BEFORE.sequences;
    let same = before / set.packed.sequences;
    format!(
        "Settings counted in updates change their meaning too, and no error says so: warm-up, the schedule of the learning rate, \
         evaluation, checkpoints. A warm-up of {} updates was {} sequences; at {} sequences an update, {} updates reach that number.",
        count(WARM_UP as u64),
        count(before as u64),
        count(set.packed.sequences.round() as u64),
        figure("warm_up", same, &count(same.round() as u64)),
    )
}

/// Tabulates the tool's options after packing, and the reader's settings.
fn ways(set: &OptimiserSettings) -> ChapterTable {
    let OptimiserSettings {
        packed, regimes, ..
    } = set;
    let now = Regime {
        // All else of a regime does not depend on the knobs, and is that of the same rows.
        rows: f64::from(BATCH * packed.accumulated),
        sequences: packed.sequences,
        updates: set.updates,
        beta1: packed.beta,
        ..regimes.same_rows
    };
    let row = |(name, id, r): (&str, &str, &Regime)| {
        let number = |what: &str, value: f64| {
            // A part of a row is shown, or rows times the packing factor would not be the sequences.
            let whole = (value - value.round()).abs() < 0.005;
            let shown = if whole {
                count(value.round() as u64)
            } else {
                format!("{value:.2}")
            };
            figure(&format!("{what}_{id}"), value, &shown)
        };
        vec![
            name.to_owned(),
            number("rows", r.rows),
            number("sequences", r.sequences),
            number("epoch", r.updates as f64),
            figure(&format!("beta1_{id}"), r.beta1, &format!("{:.3}", r.beta1)),
        ]
    };
    let rows = [
        ("Unpacked", "unpacked", &regimes.before),
        ("Fewer rows", "same_sequences", &regimes.same_sequences),
        ("Lower β", "same_rows", &regimes.same_rows),
        ("As set", "set", &now),
    ];
    ChapterTable {
        label: "Ways on after packing".to_owned(),
        head: [
            "",
            "Rows an update",
            "Sequences an update",
            "Updates an [epoch]",
            "β₁",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.into_iter().map(row).collect(),
        chosen: Some(3),
    }
}

fn steps(set: &OptimiserSettings) -> Figure {
    let packed = set.packed;
    let label = format!(
        "{} sequences in updates: {:.1} unpacked, {:.1} packed",
        count(draw::SEEN as u64),
        draw::SEEN / BEFORE.sequences,
        draw::SEEN / packed.sequences,
    );
    Figure::new(label, draw::steps_tall, move |frame| {
        draw::steps(&packed, frame)
    })
}

fn momentum(set: &OptimiserSettings) -> Figure {
    let packed = set.packed;
    let label = format!(
        "What a sequence weighs in momentum against how long ago it was seen. After {} sequences {} of a gradient is \
         left in the packed training, {} in the unpacked one",
        count(LATER as u64),
        percent(packed.share_left(LATER)),
        percent(BEFORE.share_left(LATER)),
    );
    Figure::new(label, draw::tall, move |frame| {
        draw::momentum(&packed, frame)
    })
}
