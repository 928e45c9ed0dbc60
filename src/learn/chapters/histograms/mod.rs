//! Histograms instead of items: the reason why millions of sequences are packed in thousands of steps.

mod data;
mod stages;
mod work;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterTable, ChapterView, Citation, Condition, Guess,
    Knob, KnobKind, Notes, Opens, Paper,
};
use crate::query::Request;
use crate::state::View;
use data::{DECADES, PILOT, WIKIPEDIA};
use packscope::api::{self, Report};
use packscope::words::{self, count, percent};

/// The exercise: fewer steps than this …
const STEPS: u64 = 100;
/// … and a smaller share of empty slots than this.
const EMPTY: f64 = 0.04;
/// The question: lengths are told apart in steps of so many tokens.
const EIGHT: u32 = 8;
/// Slots of a row of Wikipedia.
const ROW: usize = 512;
const STAGES: [&str; 4] = ["as they come", "sorted", "counted", "packed"];

pub const CHAPTER: Chapter = Chapter {
    id: "histograms",
    title: "Histograms instead of items",
    keep: "Pack lengths, not sequences: the work depends on how many lengths there are.",
    notes: Notes {
        aim: "To see why millions of sequences are packed in a moment.",
        usual: "Most expect twice the work for twice the sequences.",
        exam: "A set doubles, and its lengths stay the same. What becomes of the steps of packing, and of counting? (The steps stay nearly as many; counting takes twice as long.)",
    },
    minutes: 6,
    needs: &[],
    knobs: &[
        Knob {
            name: "stage",
            label: "36 sequences",
            kind: KnobKind::Words(&STAGES),
            start: &[0],
        },
        Knob {
            name: "n",
            label: "Sequences",
            kind: KnobKind::Number {
                least: 0,
                most: 31,
                step: 1,
                shown: |i| count(data::sequences(i)),
            },
            start: &[16],
        },
        Knob {
            name: "grain",
            label: "Lengths are told apart in steps of, tokens",
            kind: KnobKind::Number {
                least: 0,
                most: 7,
                step: 1,
                shown: |i| count(u64::from(data::tokens(i))),
            },
            start: &[0],
        },
        Knob::number("small", "Slots of a small row", [2, 12], &[8]),
    ],
    show,
    asks,
    opens: |here| {
        let (n, grain) = (
            data::sequences(here.number("n")),
            data::tokens(here.number("grain")),
        );
        if n == WIKIPEDIA {
            return Opens::built_in(
                View::Sequences,
                &format!("data=wikipedia_bert_512&align={grain}"),
            );
        }
        let name = format!("{} sequences like Wikipedia's", count(n));
        Opens::lengths(
            &name,
            &format!("limit=512&align={grain}"),
            data::like_wikipedia(n),
        )
    },
    sources: &[
        Citation {
            paper: Paper::Packing,
            at: "§3.1.1",
            says: "packing works on the histogram of lengths instead of the sequences; time O(n + s²), memory O(s²) for \
                   rows of s tokens",
        },
        Citation {
            paper: Paper::Article,
            at: "Packing",
            says: "why least squares stop at three sequences: 22K shapes of a row, and 940K of four",
        },
        Citation {
            paper: Paper::Article,
            at: "Figure 4 and Non-Negative Least Squares Histogram-Packing",
            says: "about 600 strategies are used; the matrix of a row of eight with three sequences; the variant that took much longer",
        },
        Citation {
            paper: Paper::Packing,
            at: "§3.1.2",
            says: "a weight of 0.09 for lengths up to 8, which changes less than 1 %",
        },
        Citation {
            paper: Paper::Other(
                "Graphcore, examples",
                "https://github.com/graphcore/examples",
            ),
            at: "packedBERT: Readme, nnlshp.py and ennlshp.py",
            says: "24.3 s and 284.0 s for an efficiency of 0.9975 each; a matrix of ones where the comment has a negative diagonal",
        },
        Citation {
            paper: Paper::Packing,
            at: "§4.1",
            says: "on Wikipedia about 0.03 s by histogram at any depth, 28.4 s by least squares; first-fit decreasing, one \
                   by one, 87 to 120 s and almost linear in the number of sequences",
        },
    ],
};

fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let grain = data::tokens(here.number("grain"));
    let mut all = vec![
        ("small", data::small_request()),
        ("each", data::request(WIKIPEDIA, 1)),
        ("eighths", data::request(WIKIPEDIA, EIGHT)),
    ];
    all.extend(
        DECADES
            .iter()
            .map(|&(name, n)| (name, data::request(n, grain))),
    );
    // Last, when the program is warm: these are timed.
    all.extend([("one by one", data::one_by_one()), ("here", request(here))]);
    all
}

/// Returns the request for the number of sequences at the needle.
fn request(here: &ChapterContext<'_>) -> Request {
    data::request(
        data::sequences(here.number("n")),
        data::tokens(here.number("grain")),
    )
}

/// Returns an upper bound on the steps of histogram packing: the distinct lengths per strategy, summed over all
/// strategies, since each lasting step puts one length into packs of one kind. O(strategies).
fn steps(report: &Report) -> u64 {
    report
        .strategies
        .iter()
        .map(|shape| shape.runs.len() as u64)
        .sum()
}

/// Estimates the steps of packing one by one: n log₂ n.
fn one_by_one(n: f64) -> f64 {
    // The sort, and a search in a tree for each sequence; the constant is left out.
    n * n.log2()
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let n = data::sequences(here.number("n"));
    let answer = here.sequences("here");
    let steps_here = answer.map(steps);
    let empty = answer
        .and_then(|a| a.figures.efficiency.first())
        .map(|e| 1.0 - e);
    let fresh = here.is_answer_to("here", &request(here));
    // All of it is judged for the answer on screen; `fresh` says that this is the answer to the
    // knobs.
    let packed = answer.map_or(n, |a| a.figures.items);
    let finding = match steps_here {
        Some(steps) => format!(
            "{} sequences are packed in {} steps at most",
            count(packed),
            count(steps)
        ),
        None => "Sequences of one length are packed in one step".to_owned(),
    };
    let mut parts = stages::parts(here);
    parts.extend(measured(here, answer));
    ChapterView {
        finding,
        parts,
        notice: "Drag the needle across ten powers of ten. One by one, the work grows ten billion times and more; \
                 from the histogram it rises while new lengths still turn up, and then stays where it is."
            .to_owned(),
        task: format!(
            "Pack at least as many sequences as Wikipedia has in fewer than {STEPS} steps, and leave less than {} of \
             the slots empty.",
            percent(EMPTY)
        ),
        conditions: vec![
            Condition::new(n >= WIKIPEDIA, "as many sequences as Wikipedia has")
                .almost("Few steps and full rows, but too few sequences: does it hold for all of Wikipedia?"),
            Condition::new(fresh && steps_here.is_some_and(|s| s < STEPS), format!("fewer than {STEPS} steps"))
                .almost("The rows are full enough, but there are too many steps: tell fewer lengths apart."),
            Condition::new(fresh && empty.is_some_and(|e| e < EMPTY), format!("less than {} empty", percent(EMPTY)))
                .almost("There are few enough steps, but rounding up leaves too many slots empty: tell more lengths apart."),
        ],
        found: "Fewer sequences are no help: what counts is how many lengths are told apart. Rounded up to 16 \
                tokens there are 32 of them, and that costs little more than two slots in a hundred. Hardware that wants \
                lengths in multiples of 8 or 16 is no burden on packing."
            .to_owned(),
    }
}

/// Returns the second half: work against the number of sequences, timings, and the plan.
fn measured(here: &ChapterContext<'_>, answer: Option<&Report>) -> Vec<ChapterPart> {
    let n = data::sequences(here.number("n"));
    vec![
        ChapterPart::Title("The work depends on lengths, not on sequences".to_owned()),
        ChapterPart::Text(format!(
            "Take {{n}} sequences with Wikipedia's lengths, at most 512 tokens, told apart in steps of {{grain}} \
             tokens (shorter ones are rounded up). {}",
            answer.map_or_else(String::new, |report| describe_steps(here, report)),
        )),
        ChapterPart::Guess(guess(here)),
        work::figure(here),
        ChapterPart::Text(
            "The flat line is a bound from plans: the engine packed each of these numbers of sequences. The others are formulae: \
             first fit that looks through every open pack takes up to n² steps, a good search n log n. Counting the lengths takes n steps, once."
                .to_owned(),
        ),
        ChapterPart::Text(seconds(here, n)),
        ChapterPart::Title("A plan for millions fits on a few pages".to_owned()),
        ChapterPart::Text(
            "The answer is a histogram too: a [plan] names [strategies], and for each how many packs are filled so."
                .to_owned(),
        ),
        ChapterPart::Table(table(here)),
        ChapterPart::Aside("Why the paper’s least squares stop at three sequences", shapes_in_words()),
        ChapterPart::Aside("Why extended least squares are left out", EXTENDED_LEAST_SQUARES.to_owned()),
        ChapterPart::Aside("What else is left out", LEFT_OUT.to_owned()),
        ChapterPart::Text(matrix_in_words(here)),
        ChapterPart::Table(matrix(here.number("small"))),
    ]
}

/// Asks for the steps that are left if fewer lengths are told apart.
fn guess(here: &ChapterContext<'_>) -> Guess {
    let [each, eighths] = ["each", "eighths"].map(|name| here.sequences(name).map(steps));
    let left = each
        .zip(eighths)
        .map(|(each, eighths)| eighths as f64 / each.max(1) as f64);
    Guess {
        id: "steps-left",
        question: format!(
            "Round every length of Wikipedia up to a multiple of {EIGHT} tokens. The sequences stay as many as they are. Which \
             share of the steps is left?"
        ),
        choices: &[0.03, 0.12, 0.5, 0.9],
        answer: left,
        reveal: format!(
            "{}: {} steps instead of {}. There is about an eighth of the lengths, and it is lengths that are packed.",
            Guess::figure(left.unwrap_or_default()),
            count(eighths.unwrap_or_default()),
            count(each.unwrap_or_default()),
        ),
    }
}

/// Counts the shapes that fill a row with at most `depth` sequences. O(slots · depth).
fn shapes(slots: usize, depth: usize) -> u64 {
    // Partitions into at most `depth` parts: as many as partitions into parts of at most `depth`.
    let mut ways = vec![1; slots + 1];
    for part in 2..=depth {
        for n in part..=slots {
            ways[n] += ways[n - part];
        }
    }
    ways[slots]
}

fn shapes_in_words() -> String {
    let [three, four] = [3, 4].map(|depth| shapes(ROW, depth));
    format!(
        "These algorithms find their strategies on the way. NNLSHP, the paper's least squares, lists every one first: there are \
         {} that fill {ROW} slots with at most three sequences, and {} with at most four, {} of them with exactly four (the 940K \
         of the article), too many for its solver. That is why it stops at three. Of all these, its solution for Wikipedia uses \
         509 (about 600 in the article), and the plan, after a repair that holds each sequence exactly once, 990. Its \
         weights, 0.09 for lengths up to 8 and 1 for all others, change less than 1 %, by the paper.",
        // 22,102 and 959,631, the columns of the public code; the article rounds the first to 22K.
        figure("shapes_of_three", three, &count(three)),
        figure("shapes_of_four", four, &count(four)),
        figure("shapes_of_exactly_four", four - three, &count(four - three)),
    )
}

const LEFT_OUT: &str = "PyTorch’s PackedSequence stores sequences for recurrent networks step by step: no row is filled, so there \
    is nothing to pack. The code in TensorFlow of the tutorial on packed BERT has no lines here, since tests run all lines, with \
    PyTorch and NumPy; ids, positions and the numbers of sequences are arrays that any framework takes.";

const EXTENDED_LEAST_SQUARES: &str = "Extended NNLSHP sees to every sequence while it solves. By its Readme it takes 284 s instead of 24 s for the \
    same 99.75 % of Wikipedia. The public code, run once to see, made 8,155,055 rows of it instead of 8,155,059, and of SQuAD 40,965 instead \
    of 40,782: where its comment has a negative diagonal, it adds a matrix of ones. <bounds>The optimum</> has fewer rows in less \
    time, so that nothing is lost by leaving it out.";

/// Returns all shapes that fill a row of so many slots with at most three sequences, as the lengths of each.
fn small_shapes(slots: u32) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    for longest in (1..=slots).rev() {
        for second in (0..=longest.min(slots - longest)).rev() {
            let third = slots - longest - second;
            if third <= second {
                all.push(
                    [longest, second, third]
                        .into_iter()
                        .filter(|l| *l > 0)
                        .collect(),
                );
            }
        }
    }
    all
}

fn matrix_in_words(here: &ChapterContext<'_>) -> String {
    let n = small_shapes(here.number("small")).len();
    format!(
        "**All of them at once** can be seen for small rows. A row of {{small}} slots is filled by {} with at most three sequences: \
         a column for each, and in it how often it holds each length. Least squares look for how often to take each column, so that all together hold what the \
         histogram has.",
        figure("small_shapes", n, &words::plural(n as u64, "shape")),
    )
}

/// Tabulates the strategy matrix of a small row: lengths against shapes.
fn matrix(slots: u32) -> ChapterTable {
    let shapes = small_shapes(slots);
    let cell = |length: u32, shape: &[u32]| match shape.iter().filter(|l| **l == length).count() {
        0 => String::new(),
        times => times.to_string(),
    };
    let row = |length: u32| {
        let cells = shapes.iter().map(|shape| cell(length, shape));
        std::iter::once(words::plural(length.into(), "token"))
            .chain(cells)
            .collect()
    };
    ChapterTable {
        label: format!(
            "The {} shapes of a row of {slots} slots, by the lengths that they hold",
            shapes.len()
        ),
        head: std::iter::once(String::new())
            .chain((1..=shapes.len()).map(|shape| shape.to_string()))
            .collect(),
        rows: (1..=slots).map(row).collect(),
        chosen: None,
    }
}

/// Describes the steps, compared with packing one by one.
fn describe_steps(here: &ChapterContext<'_>, report: &Report) -> String {
    let n = report.figures.items as f64;
    let lengths = ROW as u32 / data::tokens(here.number("grain"));
    let (steps, alone) = (steps(report), one_by_one(n));
    let times = alone / steps.max(1) as f64;
    let empty = report.figures.efficiency.first().map_or(0.0, |e| 1.0 - e);
    format!(
        "There are at most {lengths} lengths, so packing from the [histogram] is done in {} steps at most: one puts all \
         sequences of one length, or a part of them, into packs of one kind. One by one, with a sort and a search for \
         each, it takes about n log₂ n = {}, {} times as many. {} of the slots stay empty.",
        figure("steps", steps, &count(steps)),
        figure("steps_one_by_one", alone, &round(alone)),
        figure("times", times, &round(times)),
        figure("padding", empty, &percent(empty)),
    )
}

fn seconds(here: &ChapterContext<'_>, n: u64) -> String {
    let times = here.seconds("here").zip(here.seconds("one by one"));
    let measured = times.map_or_else(String::new, |(all, pilot)| {
        let would = pilot / PILOT as f64 * n as f64;
        format!(
            "Measured in this page just now: {} sequences from their histogram in {}; {} sequences one by one, by the \
             plainest way there is (greedy, which looks at one open pack and never back), in {}. At that pace {} would \
             take {}. ",
            count(here.sequences("here").map_or(n, |a| a.figures.items)),
            figure("seconds", all, &words::seconds(all)),
            count(PILOT),
            figure("seconds_one_by_one", pilot, &words::seconds(pilot)),
            count(n),
            figure("seconds_of_all", would, &words::duration(would)),
        )
    });
    format!(
        "{measured}Published times on Wikipedia, on another machine: 87 to 120 s for first-fit decreasing, one by one; \
         about 0.03 s by histogram."
    )
}

/// Tabulates packs, strategies and steps for growing numbers of sequences.
fn table(here: &ChapterContext<'_>) -> ChapterTable {
    let n = data::sequences(here.number("n"));
    let mut names: Vec<(&str, u64)> = DECADES.iter().step_by(2).copied().collect();
    if !names.iter().any(|(_, size)| *size == n) {
        // Unless a row of the table has that size already.
        names.push(("here", n));
    }
    names.sort_by_key(|(_, size)| *size);
    let row = |(name, size): &(&str, u64)| {
        let report = here.sequences(name);
        let cell =
            |number: fn(&api::Report) -> u64| report.map_or_else(String::new, |r| count(number(r)));
        vec![
            if *name == "here" {
                count(report.map_or(*size, |r| r.figures.items))
            } else {
                work::power(*size as f64)
            },
            cell(|r| r.figures.packs),
            cell(|r| r.figures.strategies.unwrap_or_default()),
            cell(steps),
        ]
    };
    ChapterTable {
        label: "Packs, strategies and steps for so many sequences".to_owned(),
        head: ["sequences", "packs", "strategies", "steps"]
            .map(str::to_owned)
            .to_vec(),
        rows: names.iter().map(row).collect(),
        chosen: names.iter().position(|(_, size)| *size == n),
    }
}

/// Formats an estimate with two digits.
fn round(x: f64) -> String {
    // Two digits: an estimate with more would claim to know them.
    let unit = 10f64.powf((x.max(1.0)).log10().floor() - 1.0).max(1.0);
    let rounded = (x / unit).round() * unit;
    if rounded < 1e15 {
        count(rounded as u64)
    } else {
        format!("{x:.1e}")
    }
}
