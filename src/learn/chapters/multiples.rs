//! Lengths rounded up to a multiple: twelve sequences with draggable ends.

use crate::learn::prose::figure;
use crate::learn::{Chapter, Cited, End, Ends, Here, Kind, Knob, Opens, Paper, Part, Shown};
use crate::state::findings::share_in_words;
use crate::words::{count, percent};

/// Slots of the full width.
const SLOTS: u32 = 64;
/// The initial lengths.
const LENGTHS: [u32; 12] = [61, 30, 9, 45, 48, 12, 17, 26, 23, 39, 8, 52];
/// The multiples on offer, and their names.
const MULTIPLES: [u32; 5] = [1, 8, 16, 32, 64];
const NAMES: [&str; 5] = ["1", "8", "16", "32", "64"];
/// The exercise: a smaller share of padding than this.
const LITTLE: f64 = 0.1;

const GUIDE: Paper = Paper::Other(
    "NVIDIA, Matrix Multiplication Background User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-matrix-multiplication/index.html",
);

/// The chapter.
pub const CHAPTER: Chapter = Chapter {
    id: "multiples",
    title: "Round numbers have a price",
    needs: &[],
    knobs: &[
        Knob {
            name: "lengths",
            label: "Length, tokens",
            kind: Kind::Numbers { least: 1, most: SLOTS },
            start: &LENGTHS,
        },
        Knob { name: "multiple", label: "Lengths in multiples of", kind: Kind::Words(&NAMES), start: &[4] },
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let lengths = here.numbers("lengths").into_iter().map(|length| (length, 1));
        let settings = format!("limit={SLOTS}&align={}", multiple(here));
        Opens::lengths("Twelve sequences to round up", &settings, lengths)
    },
    sources: &[Cited {
        paper: GUIDE,
        at: "§2.2, Tensor Core Requirements",
        says: "matrices are multiplied fastest where their sides are multiples of 16 bytes, which are 8 numbers of 16 bits",
    }],
};

/// Returns the chosen multiple.
fn multiple(here: &Here<'_>) -> u32 {
    MULTIPLES.get(here.number("multiple") as usize).copied().unwrap_or(1)
}

/// Returns the tokens, and the slots that they take in multiples of `multiple`.
fn sums(lengths: &[u32], multiple: u32) -> [u64; 2] {
    let slots = |length: &u32| u64::from(length.next_multiple_of(multiple));
    [lengths.iter().map(|length| u64::from(*length)).sum(), lengths.iter().map(slots).sum()]
}

/// Returns the share of the slots that rounding adds.
fn share_of_padding(lengths: &[u32], multiple: u32) -> f64 {
    let [real, slots] = sums(lengths, multiple);
    1.0 - real as f64 / slots as f64
}

/// Whether a multiple is the largest that costs little at the initial lengths.
fn is_largest(multiple: u32) -> bool {
    MULTIPLES.into_iter().rev().find(|m| share_of_padding(&LENGTHS, *m) < LITTLE) == Some(multiple)
}

fn show(here: &Here<'_>) -> Shown {
    let (lengths, multiple) = (here.numbers("lengths"), multiple(here));
    let [real, slots] = sums(&lengths, multiple);
    let padding = share_of_padding(&lengths, multiple);
    let rows = lengths.iter().enumerate();
    let rows =
        rows.map(|(index, length)| End { index, padded: length.next_multiple_of(multiple), apart: false });
    Shown {
        finding: format!("~{}~ of these slots only makes lengths round", share_in_words(padding)),
        parts: vec![
            Part::Text(
                "Hardware likes round numbers: matrices are multiplied fastest where their sides are multiples of 8 or \
                 more, and ranks that share a [sequence] want equal parts of it. So each is [padded] up to the next \
                 multiple, even in a row that it shares. **Choose the multiple, and drag the ends.**"
                    .to_owned(),
            ),
            Part::Words("multiple"),
            Part::Ends(Ends {
                label: "Twelve sequences, rounded up".to_owned(),
                knob: "lengths",
                slots: SLOTS,
                rows: rows.collect(),
            }),
            Part::Text(format!(
                "In multiples of {multiple}, {} tokens take {} slots. {} of them are grey: {}.",
                figure("real_tokens", real, &count(real)),
                figure("slots", slots, &count(slots)),
                figure("padding_tokens", slots - real, &count(slots - real)),
                figure("padding", padding, &percent(padding)),
            )),
        ],
        notice: "What a sequence loses is half a multiple on average, however long it is: short ones pay the largest share."
            .to_owned(),
        task: format!(
            "With the lengths as they were, which is the largest multiple that makes less than {} of the slots grey?",
            percent(LITTLE)
        ),
        done: lengths == LENGTHS && is_largest(multiple),
        found: "Where only the row has to be round, round up the row: then a [pack] loses less than one multiple, and not \
                each sequence in it."
            .to_owned(),
    }
}
