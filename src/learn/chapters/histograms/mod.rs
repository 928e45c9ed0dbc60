//! Histograms instead of items: the reason why millions of sequences are packed in thousands of steps.

mod data;
mod stages;
mod work;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterTable, ChapterView, Citation, Knob, KnobKind,
    Opens, Paper,
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
/// Slots of a row of Wikipedia.
const ROW: usize = 512;
const STAGES: [&str; 4] = ["as they come", "sorted", "counted", "packed"];

pub const CHAPTER: Chapter = Chapter {
    id: "histograms",
    title: "Histograms instead of items",
    minutes: 5,
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
            paper: Paper::Packing,
            at: "§4.1",
            says: "on Wikipedia about 0.03 s by histogram at any depth, 28.4 s by least squares; first-fit decreasing, one \
                   by one, 87 to 120 s and almost linear in the number of sequences",
        },
    ],
};

fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let grain = data::tokens(here.number("grain"));
    let mut all = vec![("small", data::small_request())];
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
    let few = steps_here.is_some_and(|s| s < STEPS) && empty.is_some_and(|e| e < EMPTY);
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
        done: fresh && few && n >= WIKIPEDIA,
        conditions: vec![
            (n >= WIKIPEDIA, "as many sequences as Wikipedia has".to_owned()),
            (fresh && steps_here.is_some_and(|s| s < STEPS), format!("fewer than {STEPS} steps")),
            (fresh && empty.is_some_and(|e| e < EMPTY), format!("less than {} empty", percent(EMPTY))),
        ],
        found: "Taking sequences away is no help; what counts is how many lengths are told apart. Rounded up to 16 \
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
        work::figure(here),
        ChapterPart::Text(
            "The flat line is a bound from plans: the engine packed each of these numbers of sequences. The others are formulae: \
             first fit that looks through every open pack takes up to n² steps, a good search n log n. And somebody has \
             to count the lengths, once: n."
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
    ]
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
         {} that fill {ROW} slots with at most three sequences, and {} with at most four, too many for its solver. That is why \
         it stops at three. Its extension, which sees to every sequence while it solves, is left out here: it took its authors \
         much longer for hardly better plans, and <bounds>the optimum</> needs neither.",
        // 22,102 and 959,631, the columns of the public code; the article rounds them to 22K and
        // 940K.
        figure("shapes_of_three", three, &count(three)),
        figure("shapes_of_four", four, &count(four)),
    )
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
