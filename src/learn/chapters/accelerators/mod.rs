//! Many accelerators: they wait for the slowest, unless all rows take equally long.

mod curve;
mod lanes;
mod steps;

use crate::learn::data::lengths;
use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Knob, KnobKind,
    Notes, Opens, Paper,
};
use crate::query::{Answer, Query, Request};
use crate::state::View;
use crate::state::findings::number_in_words;
use packscope::api::{self, Settings};
use packscope::cost::waiting::{ACCELERATORS, Crew, Population, WaitingPoint, WaitingQuestion};
use packscope::cost::{Assumptions, Method};
use packscope::words::{count, factor, percent, plural};
use std::rc::Rc;

/// Slots of a row.
const LIMIT: u32 = 512;
/// The number of accelerators of the exercise, as a power of two.
const SIXTY_FOUR: u32 = 6;
/// The exercise: a smaller share of a step in waiting than this.
const QUARTER: f64 = 0.25;
/// The words of the knob, in the order of [`RowLayout`].
const WAYS: [&str; 4] = [
    "padded",
    "unpadded",
    "unpadded, assigned by length",
    "packed",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowLayout {
    /// A row for each sequence, padded to the limit.
    Padded,
    /// No padding is computed: a row takes as long as its sequence.
    Unpadded,
    /// As [`RowLayout::Unpadded`], with the rows of a step dealt out by length.
    Dealt,
    /// Several sequences in a row.
    Packed,
}

pub const CHAPTER: Chapter = Chapter {
    id: "accelerators",
    title: "Many accelerators",
    keep: "A step lasts as long as its slowest accelerator; rows of equal length do not wait.",
    notes: Notes {
        aim: "To see waiting as a cost beside padding.",
        usual: "Most expect four times the rows to leave a quarter of the waiting; it is about half.",
        exam: "Two accelerators work through 300 and 500 slots in a step. Which share of the time of both is waiting? (20 %: 200 of 1,000.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        Knob {
            name: "way",
            label: "Rows",
            kind: KnobKind::Words(&WAYS),
            start: &[1],
        },
        Knob {
            name: "crew",
            label: "Accelerators",
            kind: KnobKind::Number {
                least: 0,
                most: 12,
                step: 1,
                shown: |i| count(power(i)),
            },
            start: &[3],
        },
        Knob {
            name: "rows",
            label: "Rows for each accelerator in a step",
            kind: KnobKind::Number {
                least: 0,
                most: 6,
                step: 1,
                shown: |i| count(power(i)),
            },
            start: &[2],
        },
        Knob::number("step", "Step of the training", [0, lanes::LAST], &[0]),
    ],
    show,
    asks,
    opens: |here| {
        let settings = format!(
            "data=wikipedia_bert_512&cost.accelerators={}",
            power(here.number("crew"))
        );
        Opens::built_in(View::Sequences, &settings)
    },
    sources: &[Citation {
        paper: Paper::Packing,
        at: "§4.4 and Figure 5",
        says: "accelerators that finish early wait for the slowest before gradients are exchanged, so that unpadding \
                   loses its advantage as their number grows; packed rows are balanced by themselves; on one accelerator \
                   unpadding can exceed the bound of packing, 2.013 on Wikipedia, since it saves attention as well",
    }],
};

fn power(exponent: u32) -> u64 {
    1 << exponent.min(12)
}

fn way(here: &ChapterContext<'_>) -> RowLayout {
    match here.number("way") {
        0 => RowLayout::Padded,
        1 => RowLayout::Unpadded,
        2 => RowLayout::Dealt,
        _ => RowLayout::Packed,
    }
}

fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let rows = here.number("rows");
    let packed = api::Request {
        counts: lengths("wikipedia_bert_512"),
        settings: Settings::default(),
        // Steps are drawn from the listed packs: those that are not listed never appear in one.
        listed: 400,
    };
    let mut all = vec![
        ("packed", packed.into()),
        ("one", waiting(Crew::Added(1))),
        ("sixteen", waiting(Crew::Added(1 << SIXTEEN))),
        ("rows", waiting(Crew::Added(1 << rows))),
    ];
    if rows > 0 {
        // For the exercise: half the rows must not do, or there would be fewer that solve it.
        all.push(("fewer", waiting(Crew::Added(1 << (rows - 1)))));
    }
    if way(here) == RowLayout::Dealt {
        all.push(("dealt", waiting(Crew::Balanced(1 << rows))));
    }
    all
}

/// Returns the request for the waiting of accelerators whose rows take as long as their tokens.
fn waiting(crew: Crew) -> Request {
    let draws = lengths("wikipedia_bert_512")
        .into_iter()
        .map(|(l, n)| ([f64::from(l), 0.0], n as f64));
    let question = WaitingQuestion {
        population: Population::new(draws),
        crew,
        // Only tokens have a weight here; the second weight, for attention, is 0, as the chapter's
        // text says.
        weights: [1.0, 0.0],
        accelerators: ACCELERATORS.to_vec(),
        seed: 0,
    };
    // The one answer needs no method to be told by.
    Query::Waiting(Rc::new(vec![(Method::Packed, question)])).into()
}

/// Returns the slowdown by number of accelerators; empty before the first answer.
fn points<'a>(here: &'a ChapterContext<'_>, name: &str) -> &'a [WaitingPoint] {
    match here.answer(name) {
        Some(Answer::Waiting(curves)) => curves.first().map_or(&[], |curve| &curve.points),
        _ => &[],
    }
}

/// Returns the mean ratio of a step's time to an accelerator's own work; `None` before the first answer.
fn longer(here: &ChapterContext<'_>) -> Option<f64> {
    let name = match way(here) {
        RowLayout::Padded | RowLayout::Packed => return Some(1.0),
        RowLayout::Unpadded => "rows",
        RowLayout::Dealt => "dealt",
    };
    points(here, name)
        .get(here.number("crew") as usize)
        .map(|p| p.factor)
}

/// Returns slots of a row / mean length: the speed-up of unpadding without waiting.
fn unpadded() -> f64 {
    let counts = lengths("wikipedia_bert_512");
    let all: u64 = counts.iter().map(|(_, n)| n).sum();
    let tokens: u64 = counts.iter().map(|(l, n)| u64::from(*l) * n).sum();
    f64::from(LIMIT) * all as f64 / tokens.max(1) as f64
}

/// Returns how many times as fast one accelerator is that skips all padding, attention between it included, by the operations
/// of BERT large.
fn unpadded_with_attention() -> f64 {
    let [token, pair] = Assumptions::default().transformer.operations();
    let work = |length: u32| {
        let length = f64::from(length);
        token * length + pair * length * length
    };
    let counts = lengths("wikipedia_bert_512");
    let all: f64 = counts.iter().map(|(_, n)| *n as f64).sum();
    let unpadded: f64 = counts.iter().map(|(l, n)| work(*l) * *n as f64).sum();
    work(LIMIT) * all / unpadded.max(1.0)
}

/// Converts the ratio of a step's time to an accelerator's own work to the share of waiting.
fn share(longer: f64) -> f64 {
    1.0 - 1.0 / longer
}

/// Returns the conditions of the exercise: the fewest rows with which 64 accelerators wait less than a quarter of a step.
fn conditions(here: &ChapterContext<'_>) -> Vec<Condition> {
    let rows = here.number("rows");
    let waits = |name: &str, rows: u32| {
        let point = points(here, name).get(SIXTY_FOUR as usize);
        // The answer of this name may still be about other rows, right after the knob has moved.
        let fresh = here.is_answer_to(name, &waiting(Crew::Added(1 << rows)));
        point.filter(|_| fresh).map(|p| share(p.factor))
    };
    // 32 rows are the answer: the largest of 64 sums of 32 lengths is about 2.4 standard deviations
    // above the mean.
    let few = rows == 0 || waits("fewer", rows - 1).is_some_and(|w| w >= QUARTER);
    let there = way(here) == RowLayout::Unpadded && here.number("crew") == SIXTY_FOUR;
    let now = waits("rows", rows);
    let little = now.is_some_and(|w| w < QUARTER);
    vec![
        Condition::new(
            there,
            format!(
                "{} accelerators, unpadded, each with rows of its own",
                power(SIXTY_FOUR)
            ),
        ),
        Condition::new(
            there && little,
            format!("less than {} waiting", percent(QUARTER)),
        )
        .almost(format!(
            "{} of a step is still waiting: more rows even out.",
            now.map_or_else(|| "Too much".to_owned(), percent),
        )),
        Condition::new(there && little && few, "fewer rows do not")
            .almost("That little is waiting, and half as many rows would do as well."),
    ]
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let mut parts = vec![
        ChapterPart::Text(
            "Many accelerators train one model together. Each takes some rows of the [batch]; at the end of a step they exchange gradients, and all wait for the last. A step lasts as long as its slowest accelerator."
                .to_owned(),
        ),
        ChapterPart::Words("way"),
        ChapterPart::Text(
            "Here {crew} accelerators take {rows} rows each from Wikipedia. A lane is an accelerator, colour is length, \
             and a dotted line is [waiting]: no padding, since nothing is computed, but the time is gone all the same."
                .to_owned(),
        ),
    ];
    parts.extend(lanes::parts(here));
    parts.push(ChapterPart::Guess(guess(here)));
    parts.extend(curve::parts(here));
    ChapterView {
        finding: finding(here),
        parts,
        conditions: conditions(here),
        notice: "Step on: each time another lane is the slowest, but there always is one. The more lanes there are, the \
                 surer it is that one of them has drawn long rows. Packed rows are all equally long, whoever draws them."
            .to_owned(),
        task: "Sixty-four accelerators, unpadded, each with rows of its own. Find the fewest rows for each, in powers of two, with which less \
               than a quarter of a step is waiting, on average."
            .to_owned(),
        found: "Long rows and short rows even out in a sum, but slowly: to halve what a step takes beyond the mean, it takes about four times the rows. And 64 × 32 rows are 2,048 in one update, which <optimiser>the optimiser</> \
                has to bear. Assigned by length, two rows each do, if somebody looks at all of them first. Packed rows \
                need neither, as far as equal rows are <equal-work>equal work</>."
            .to_owned(),
    }
}

/// The question: rows for each of so many accelerators, as powers of two.
const SIXTEEN: u32 = 4;
const EIGHT: u32 = 3;

fn guess(here: &ChapterContext<'_>) -> Guess {
    let waits = points(here, "sixteen")
        .get(EIGHT as usize)
        .map(|point| share(point.factor));
    Guess {
        id: "sixteen-rows",
        question: format!(
            "Give each of {} accelerators {} rows instead of four, unpadded and as they come. Which share of an average step is \
             waiting?",
            number_in_words(power(EIGHT)),
            power(SIXTEEN),
        ),
        choices: &[0.05, 0.1, 0.2, 0.3],
        answer: waits,
        reveal: format!(
            "{}. Four times the rows halve how much longer a step lasts than an accelerator's own work: sums even out with the \
             root of their number.",
            Guess::figure(waits.unwrap_or_default())
        ),
    }
}

fn finding(here: &ChapterContext<'_>) -> String {
    let crew = power(here.number("crew"));
    let grey = 1.0 - 1.0 / unpadded();
    let waits = longer(here).map(|longer| percent(share(longer)));
    match way(here) {
        RowLayout::Padded => format!(
            "Nobody waits, and ~{}~ of the work is padding",
            percent(grey)
        ),
        RowLayout::Packed => "Packed, nobody waits for anybody".to_owned(),
        _ if crew == 1 => "One accelerator waits for nobody".to_owned(),
        RowLayout::Unpadded => match waits {
            Some(waits) => format!(
                "{} accelerators spend {waits} of an average step waiting",
                count(crew)
            ),
            None => "A step lasts as long as its slowest".to_owned(),
        },
        RowLayout::Dealt => match waits {
            Some(waits) => format!(
                "Assigned by length, {} accelerators spend {waits} of a step waiting",
                count(crew)
            ),
            None => "Assigned by length, accelerators wait less".to_owned(),
        },
    }
}

/// Describes this step, and steps on average.
fn in_words(here: &ChapterContext<'_>, step: &steps::AcceleratorStep) -> String {
    let (slowest, mean) = (step.slowest(), step.mean());
    // Before the first answer nothing is drawn, and there is no waiting.
    let waits = if slowest == 0 {
        0.0
    } else {
        1.0 - mean / slowest as f64
    };
    let crew = power(here.number("crew"));
    let now = format!(
        "In this step the slowest works through {} slots, and {} on average: {} of the time of {} is waiting.",
        figure("slowest", slowest, &count(slowest)),
        figure("mean", mean, &count(mean.round() as u64)),
        figure("waiting_now", waits, &percent(waits)),
        plural(crew, "accelerator"),
    );
    let Some(longer) = longer(here) else {
        return now;
    };
    format!(
        "{now} Over many steps it is {}: a step lasts {} as long as an accelerator's own work.",
        figure("waiting", share(longer), &percent(share(longer))),
        figure("longer", longer, &factor(longer)),
    )
}
