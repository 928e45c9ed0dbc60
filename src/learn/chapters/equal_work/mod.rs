//! Equal tokens are not equal work: two ranks with as many tokens each, one of which waits.

mod drawn;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Knob, KnobKind,
    Notes, Opens, Paper,
};
use crate::state::View;
use packscope::cost::Transformer;
use packscope::cost::presets;
use packscope::words::{count, factor, percent};

/// Tokens of each rank in a step: as many as the longest sequence has.
const TOKENS: u32 = 1 << MOST;
const SHORT: u32 = 1 << LEAST;
/// The range of the longest sequence, as powers of two.
const LEAST: u32 = 10;
const MOST: u32 = 17;
/// The exercise: a smaller share of the time than this is spent on waiting.
const LITTLE: f64 = 0.1;
/// The question: ranks of a step, of which one has the longest sequence.
const RANKS: u32 = 8;

/// Names and ids of the models on offer.
const MODELS: [&str; 3] = ["Llama 3.2 1B", "Llama 3.1 8B", "Llama 3.1 70B"];
const IDS: [&str; MODELS.len()] = ["llama-3.2-1b", "llama-3.1-8b", "llama-3.1-70b"];
/// The model of the question.
const ASKED: usize = 1;

const VERL: Paper = Paper::Other("verl", "https://github.com/volcengine/verl");
const TRL: Paper = Paper::Other("TRL", "https://github.com/huggingface/trl");

pub const CHAPTER: Chapter = Chapter {
    id: "equal-work",
    title: "Equal tokens are not equal work",
    keep: "Equal tokens are equal work only while attention is small; long sequences need weights of their own.",
    notes: Notes {
        aim: "To know from which length on tokens no longer measure work.",
        usual: "Many say that nobody waits, since all have as many tokens.",
        exam: "Work is n + n² ÷ 8,000. One rank has a sequence of 8,000 tokens, the other eight of 1,000. How many times as long does the first work? (1.78: 16,000 against 9,000.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        Knob {
            name: "model",
            label: "Model",
            kind: KnobKind::Words(&MODELS),
            start: &[0],
        },
        Knob {
            name: "longest",
            label: "Sequences of the first rank, tokens",
            kind: KnobKind::Number {
                least: LEAST,
                most: MOST,
                step: 1,
                shown: |power| count(1 << power),
            },
            start: &[15],
        },
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let long = longest(here);
        let lengths = [
            (SHORT, u64::from(TOKENS / SHORT)),
            (long, u64::from(TOKENS / long)),
        ];
        let model = IDS
            .get(here.number("model") as usize)
            .copied()
            .unwrap_or(IDS[0]);
        // A row of each: packed to equal tokens, one for each rank.
        let settings =
            format!("limit={TOKENS}&ranks=2&unit=rows&accumulation=1&cost.model={model}");
        Opens {
            view: View::Ranks,
            ..Opens::lengths("Two ranks with equal tokens", &settings, lengths)
        }
    },
    sources: &[
        Citation {
            paper: VERL,
            at: "calculate_workload in verl/utils/seqlen_balancing.py",
            says: "the work of a sequence as a multiple of its tokens and their square, with one constant for every model",
        },
        Citation {
            paper: TRL,
            at: "_balance_by_squared_length",
            says: "sequences assigned to ranks by the squares of their lengths",
        },
    ],
};

/// Returns the tokens of a sequence of the first rank.
fn longest(here: &ChapterContext<'_>) -> u32 {
    1 << here.number("longest").clamp(LEAST, MOST)
}

/// Returns the operations of a model for a token and for a pair of tokens.
fn operations(model: usize) -> [f64; 2] {
    let id = IDS.get(model).copied().unwrap_or(IDS[0]);
    let found = presets::find("model", presets::TRANSFORMERS, id);
    found.map_or([1.0, 0.0], |preset| Transformer::operations(&preset.value))
}

/// Returns the work of a sequence: a multiple of its tokens, and of their pairs.
fn work([token, pair]: [f64; 2], length: u32) -> f64 {
    let length = f64::from(length);
    // No token looks ahead, so half of the pairs count; that half is within `pair`.
    token * length + pair * length * length
}

/// Returns the share of the time that a rank with short sequences waits for one with long ones of as many tokens.
fn waits(operations: [f64; 2], long: u32) -> f64 {
    // Work for a token: both ranks have as many tokens, so this ratio is that of their times.
    let each = |length: u32| work(operations, length) / f64::from(length);
    1.0 - each(SHORT) / each(long)
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let (model, long) = (here.number("model") as usize, longest(here));
    let operations = operations(model);
    let share = waits(operations, long);
    // The longest that is allowed: twice as long waits too much. At the end of the range there is
    // no such step.
    let longest = share < LITTLE && long < TOKENS && waits(operations, 2 * long) >= LITTLE;
    let mut parts = vec![
        ChapterPart::Text(OPENING.to_owned()),
        ChapterPart::Words("model"),
        ChapterPart::Text("The first rank has sequences of {longest} tokens.".to_owned()),
        ChapterPart::Figure(drawn::ranks(operations, long)),
        ChapterPart::Text(describe_operations(operations, long)),
        ChapterPart::Guess(guess()),
    ];
    if here.is_revealed(guess().id) {
        parts.extend([
            ChapterPart::Title(
                "The longer the longest sequence, the longer the others wait".to_owned(),
            ),
            ChapterPart::Figure(drawn::curves(model, long)),
        ]);
    }
    parts.push(ChapterPart::Text(REMEDIES.to_owned()));
    ChapterView {
        finding: finding(share),
        parts,
        conditions: vec![
            Condition::new(share < LITTLE, format!("waits less than {} of its time", percent(LITTLE))),
            Condition::new(longest, "sequences twice as long would wait longer than that")
                .almost("Little waiting, but these are not the longest: twice as long would do as well."),
        ],
        notice: "A larger model is more even: its work for each token grows with the square of its width, for each pair of \
                 tokens with the width alone. At the same lengths, ranks of the smallest model wait longest."
            .to_owned(),
        task: format!(
            "Choose a model and find the longest sequences with which the second rank waits less than {} of its time.",
            percent(LITTLE)
        ),
        found: "Below this length, tokens are a good measure of work, and packs of equal tokens are fair. Above it, weigh each \
                sequence by the work of your model, and look at the longest one: no assignment makes a step shorter than that \
                sequence alone takes."
            .to_owned(),
    }
}

const OPENING: &str = "Two accelerators, two ranks of a training, get the same number of tokens. Then they wait for each other, since \
    the weights move only when both are done. Most of the work is the same for every token. Attention is not: each token looks \
    at those before it in its own [sequence], so its work grows with the square of the length. One rank has few long \
    sequences, the other many short ones.";

const REMEDIES: &str = "So libraries assign sequences by other weights than tokens: by squares, or by tokens and squares together, \
    some with one constant for every model. When ranks wait matters too: one that works through several batches before it \
    waits has long and short sequences among them. And where the longest sequence alone takes longer than the mean rank, only \
    more sequences in a step help, or several ranks that share that one.";

fn finding(share: f64) -> String {
    if share == 0.0 {
        return "At equal lengths, equal tokens are equal work".to_owned();
    }
    format!(
        "Equal tokens, and one of two ranks waits {} of its time",
        percent(share)
    )
}

fn describe_operations(operations: [f64; 2], long: u32) -> String {
    let share = waits(operations, long);
    let [token, pair] = operations;
    // token · n = pair · n² at n = token ÷ pair.
    let even = token / pair;
    let times = 1.0 / (1.0 - share);
    format!(
        "Each has {} tokens: the first {} of {}, the second {} of {}. The first does {} the work of the second, which therefore \
         waits {} of its time; that is {} of the time of both. In a sequence of {} tokens, attention alone is as much work as all the rest of this model.",
        count(u64::from(TOKENS)),
        sequences(TOKENS / long),
        count(u64::from(long)),
        sequences(TOKENS / SHORT),
        count(u64::from(SHORT)),
        figure("times", times, &factor(times)),
        figure("waits", share, &percent(share)),
        figure("waits_of_both", share / 2.0, &percent(share / 2.0)),
        figure("even", even, &count(even.round() as u64)),
    )
}

/// Counts sequences, a single one in words.
fn sequences(n: u32) -> String {
    if n == 1 {
        "one sequence".to_owned()
    } else {
        format!("{} sequences", count(u64::from(n)))
    }
}

fn guess() -> Guess {
    // All ranks but one wait; that one computes all the time.
    let share = waits(operations(ASKED), TOKENS) * f64::from(RANKS - 1) / f64::from(RANKS);
    Guess {
        id: "ranks-wait",
        question: format!(
            "{} ranks train {}, each with {} tokens in a step. One of them has a single sequence, all others have sequences of {}. \
             Which share of the time of all ranks is waiting?",
            count(u64::from(RANKS)),
            MODELS[ASKED],
            count(u64::from(TOKENS)),
            count(u64::from(SHORT)),
        ),
        choices: &[0.1, 0.25, 0.4, 0.6],
        answer: Some(share),
        reveal: format!(
            "{} of the time of all ranks is waiting: all but one are done early, and stand still. The slots are full; nothing \
             here is padding.",
            Guess::figure(share)
        ),
    }
}
