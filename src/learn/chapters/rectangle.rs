//! A batch is a rectangle: twelve sequences with draggable ends.

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, End, Ends, Guess, Knob,
    KnobKind, Notes, Opens, Paper,
};
use crate::state::findings::share_in_words;
use packscope::histogram::Histogram;
use packscope::words::{count, percent};

/// Slots of the full width.
const SLOTS: u32 = 64;
const LENGTHS: [u32; 12] = [14, 30, 9, 22, 48, 12, 17, 26, 11, 19, 8, 36];
/// The exercise: a smaller share of padding than this.
const LITTLE: f64 = 0.05;
/// The question: a batch without padding (sequences, tokens of each), and the length of the sequence that replaces one.
const ALIKE: [u32; 2] = [32, 64];
const OUTLIER: u32 = 512;

pub const CHAPTER: Chapter = Chapter {
    id: "rectangle",
    title: "A batch is a rectangle",
    keep: "A row is padded to the longest beside it: padding = 1 − mean ÷ longest.",
    notes: Notes {
        aim: "To see that padding is decided by the longest row, not by the number of tokens.",
        usual: "Most say far too little. They count the tokens of the one long sequence, and forget that all the others grow with it.",
        exam: "32 sequences of 100 tokens and one of 400 share a batch. Which share of its slots is padding? (72.7 %: 1 − 3,600 ÷ 13,200.)",
    },
    minutes: 4,
    needs: &[],
    knobs: &[Knob {
        name: "lengths",
        label: "Length, tokens",
        kind: KnobKind::Numbers {
            least: 1,
            most: SLOTS,
        },
        start: &LENGTHS,
    }],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let lengths = here.numbers("lengths");
        let longest = longest(&lengths);
        Opens::lengths(
            "Twelve sequences",
            &format!("limit={longest}"),
            lengths.into_iter().map(|l| (l, 1)),
        )
    },
    sources: &[
        Citation {
            paper: Paper::Packing,
            at: "§1 and Figure 1",
            says: "up to half of the tokens of a Wikipedia batch for BERT are padding at a maximum length of 512",
        },
        Citation {
            paper: Paper::Article,
            at: "the opening",
            says: "why sequences of many lengths are padded",
        },
    ],
};

fn longest(lengths: &[u32]) -> u32 {
    lengths.iter().copied().max().unwrap_or(1)
}

/// Returns the share of the slots that are empty, in rows as long as the longest.
fn share_of_padding(lengths: &[u32]) -> f64 {
    let real: u64 = lengths.iter().map(|l| u64::from(*l)).sum();
    1.0 - real as f64 / (u64::from(longest(lengths)) * lengths.len() as u64) as f64
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let lengths = here.numbers("lengths");
    let longest = longest(&lengths);
    let real = lengths.iter().map(|l| u64::from(*l)).sum::<u64>();
    // The width is the longest of these, not `SLOTS`: that is only how far ends can be dragged.
    let slots = u64::from(longest) * lengths.len() as u64;
    let padding = share_of_padding(&lengths);
    let mean = Histogram::from_lengths(lengths.iter().map(|l| (*l, 1))).map_or(0.0, |h| h.mean());
    let share = figure("padding", padding, &percent(padding));
    ChapterView {
        finding: format!("~{}~ of this batch is padding", share_in_words(padding)),
        parts: vec![
            ChapterPart::Text(
                "A model is trained on many sequences at once: a [batch]. The accelerator that does the work wants \
                 them as a rectangle of numbers, every row as long as the longest. What is missing at the end of a \
                 row is filled with a token that means nothing. That is [padding], and it is computed like all the \
                 rest. **Drag the ends of the rows.**"
                    .to_owned(),
            ),
            ChapterPart::Ends(Ends {
                label: "Twelve sequences in one batch".to_owned(),
                knob: "lengths",
                slots: SLOTS,
                rows: (0..lengths.len()).map(|index| End { index, padded: longest, apart: false }).collect(),
            }),
            ChapterPart::Text(format!(
                "The longest has {longest} tokens, so the rectangle has {} × {longest} = {} slots. {} of them hold \
                 a token, {} are grey: {share} of the slots are for nothing. The rows hold {} tokens on average. In a \
                 batch of BERT's Wikipedia, with rows as long as the limit, it is half.",
                lengths.len(),
                figure("slots", slots, &count(slots)),
                figure("real_tokens", real, &count(real)),
                figure("padding_tokens", slots - real, &count(slots - real)),
                figure("mean_length", mean, &format!("{mean:.1}")),
            )),
            ChapterPart::Guess(outlier()),
            ChapterPart::Code("The formula, in Python", include_str!("../code/padding.py").to_owned(), false),
        ],
        notice: "Make the longest row longer: eleven other rows grow with it, in grey. Make any other row longer, \
                 and grey turns into colour at no cost at all."
            .to_owned(),
        task: format!(
            "This batch began with {} of padding: bring it under {} without making any row longer than {} tokens, its longest then.",
            percent(share_of_padding(&LENGTHS)),
            percent(LITTLE),
            self::longest(&LENGTHS),
        ),
        // The second condition excludes the way out of a wider rectangle, whose share of padding
        // could be small as well.
        conditions: vec![
            Condition::new(padding < LITTLE, format!("padding under {}", percent(LITTLE)))
                .almost("No row has grown too long, but there is still too much grey: make short rows longer, or the longest shorter."),
            Condition::new(longest <= self::longest(&LENGTHS), format!("no row longer than {} tokens", self::longest(&LENGTHS)))
                .almost(format!(
                    "There is hardly any grey, but the rectangle has grown: {} slots in place of {}.",
                    count(slots),
                    count(u64::from(self::longest(&LENGTHS)) * LENGTHS.len() as u64),
                )),
        ],
        found: "Equal lengths leave no grey. Nobody can change the lengths of real data, but one can choose which \
                of them share a batch, or a row: that is what <sorting>sorting</> and <by-hand>packing</> do."
            .to_owned(),
    }
}

fn outlier() -> Guess {
    let [sequences, tokens] = ALIKE;
    let mut lengths = vec![tokens; sequences as usize];
    // Which one is exchanged makes no difference to the share.
    lengths[0] = OUTLIER;
    let share = share_of_padding(&lengths);
    Guess {
        id: "outlier",
        question: format!(
            "Take a batch of {sequences} sequences of {tokens} tokens each: nothing is padding. Now exchange one of \
             them for a sequence of {OUTLIER} tokens. Which share of the batch is padding then?"
        ),
        choices: &[0.15, 0.4, 0.65, 0.85],
        answer: Some(share),
        reveal: format!(
            "{} is padding. All other rows grow from {tokens} to {OUTLIER} slots, and what they grow by is empty: one \
             long sequence is paid for by every row beside it.",
            Guess::figure(share)
        ),
    }
}
