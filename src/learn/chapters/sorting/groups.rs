//! One epoch of real data, sorted in groups of batches.

use crate::learn::prose::figure;
use crate::learn::{
    ChapterContext, ChapterPart, ChapterTable, Condition, Figure, Guess, Knob, KnobKind, data,
};
use crate::query::{Query, QueryData, Request};
use packscope::api::batch::{Report, Settings};
use packscope::histogram::Preset;
use packscope::sampler::{Drawn, Sampler};
use packscope::words::{count, percent};
use packscope_chart::{Area, Frame, Pen, Scene, label_width};

const DATA: &str = "gsm8k_train";
/// Sequences in a batch.
const BATCH: u32 = 32;
/// The question: the number of batches that are sorted together.
const TOGETHER: u32 = 10;
/// Batches of an epoch: 7,473 sequences.
const ALL: u32 = 234;
/// The exercise: the share of the padding to remove …
pub const REMOVED: f64 = 0.9;
/// … and the largest chance of two sequences that met to meet again.
pub const AGAIN: f64 = 0.1;

pub const GROUP: Knob = Knob {
    name: "group",
    label: "Batches that are sorted together",
    kind: KnobKind::Number {
        least: 1,
        most: ALL,
        step: 1,
        shown: |n| count(u64::from(n)),
    },
    start: &[1],
};

fn limit() -> u32 {
    Preset::find(DATA).map_or(1, Preset::limit)
}

// At the usual limit of the set, to which longer sequences are cut.
fn request(sampler: Sampler, group: Option<u32>) -> Request {
    let settings = Settings {
        limit: limit(),
        sampler,
        batch: BATCH,
        epochs: 1,
        mega: group,
        ..Settings::default()
    };
    Request {
        data: QueryData::Lengths(data::lengths(DATA)),
        query: Query::Batches(Box::new(settings), true),
    }
}

/// Returns the requests: random order, the chosen groups, and full sorting.
pub fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    vec![
        ("random", request(Sampler::Random, None)),
        ("group", chosen(here)),
        ("sorted", request(Sampler::Sorted, None)),
        ("ten", request(Sampler::LengthGrouped, Some(TOGETHER))),
    ]
}

fn chosen(here: &ChapterContext<'_>) -> Request {
    request(Sampler::LengthGrouped, Some(here.number(GROUP.name)))
}

/// Returns the settings for the address of the batch view.
pub fn settings(here: &ChapterContext<'_>) -> String {
    let group = here.number(GROUP.name);
    format!(
        "data={DATA}&batch={BATCH}&limit={}&sampler=length-grouped&group={group}&epochs=1",
        limit()
    )
}

/// Returns the probability that two sequences are drawn into the same group of batches: only there can they meet.
fn again(items: u64, group: u32) -> f64 {
    // The last group is smaller, unless the size divides the number of sequences.
    let size = (u64::from(group) * u64::from(BATCH)).min(items);
    let pairs = |n: u64| n as f64 * n.saturating_sub(1) as f64;
    let (whole, rest) = (items / size.max(1), items % size.max(1));
    (whole as f64 * pairs(size) + pairs(rest)) / pairs(items)
}

/// Returns the share of the mean padding of random batches that is removed.
fn removed(report: &Report) -> f64 {
    let Some(epoch) = report.epochs.first() else {
        return 0.0;
    };
    // Against the mean over all random orders, so that the luck of one order does not count.
    let before = report.random.slots - epoch.real_tokens as f64;
    // A group of one batch is a random order, which may have more padding than the mean: that
    // removes nothing.
    (1.0 - epoch.padding_tokens as f64 / before.max(1.0)).max(0.0)
}

/// Returns the conditions of the exercise: little padding, and still a new mixture in every epoch.
pub fn conditions(here: &ChapterContext<'_>) -> Vec<Condition> {
    let fresh = here
        .batches("group")
        .filter(|_| here.is_answer_to("group", &chosen(here)));
    let little = fresh.is_some_and(|report| removed(report) >= REMOVED);
    let items = |report: &Report| report.epochs.first().map_or(0, |e| e.items);
    let new = fresh.is_some_and(|report| again(items(report), here.number(GROUP.name)) < AGAIN);
    vec![
        Condition::new(
            little,
            format!("{} of the padding removed", percent(REMOVED)),
        )
        .almost("The mixture changes enough from epoch to epoch, but too much padding is left: sort more batches at a time."),
        Condition::new(
            new,
            format!("a chance below {} to meet again", percent(AGAIN)),
        )
        .almost("Enough padding is gone, but the same sequences meet too often: sort fewer batches at a time."),
    ]
}

/// Returns the group of an answer, which may be an older one.
fn group_of(report: &Report) -> u32 {
    report.settings.mega.unwrap_or(1)
}

pub fn title(here: &ChapterContext<'_>) -> String {
    let Some(report) = here.batches("group") else {
        return "Sort a little at a time".to_owned();
    };
    let gone = removed(report);
    let gone = figure("removed", gone, &percent(gone));
    match group_of(report) {
        1 => format!(
            "Random batches are {} padding",
            figure(
                "random_padding",
                report.random.padding_share,
                &percent(report.random.padding_share)
            )
        ),
        ALL => {
            format!("All sorted as one group: {gone} of the padding goes, and so does all chance")
        }
        n => format!("Sorted {n} batches at a time, {gone} of the padding goes"),
    }
}

pub fn describe_groups(here: &ChapterContext<'_>) -> String {
    let Some((report, epoch)) = here
        .batches("group")
        .and_then(|r| Some((r, r.epochs.first()?)))
    else {
        return String::new();
    };
    let chance = again(epoch.items, group_of(report));
    let slots = || epoch.shapes.iter().map(|s| s.slots);
    let [least, most] = [slots().min().unwrap_or(1), slots().max().unwrap_or(1)];
    let ratio = most as f64 / least.max(1) as f64;
    format!(
        "Random batches have {} padding, these {}. Two of a length that met in this epoch can meet in the next one \
         only if they are drawn into the same group again: a chance of {}. The slowest step works on {} times as many \
         slots as the fastest.",
        figure(
            "random_padding_share",
            report.random.padding_share,
            &percent(report.random.padding_share)
        ),
        figure(
            "padding_share",
            epoch.padding_share,
            &percent(epoch.padding_share)
        ),
        figure("again", chance, &percent(chance)),
        figure("slowest_of_epoch", ratio, &format!("{ratio:.1}")),
    )
}

fn mean_of(batch: &Drawn) -> f64 {
    let row = |r: &packscope::sampler::PictureRow| {
        let used = r
            .runs
            .iter()
            .map(|(length, n)| u64::from(*length) * u64::from(*n))
            .sum::<u64>();
        used * u64::from(r.count)
    };
    batch.rows.iter().map(row).sum::<u64>() as f64 / batch.height().max(1) as f64
}

fn batches(report: &Report) -> Vec<(u32, f64)> {
    let drawn = report.pictures.first().map_or(&[][..], |p| &p.batches);
    drawn
        .iter()
        .map(|batch| (batch.width, mean_of(batch)))
        .collect()
}

pub fn table(here: &ChapterContext<'_>) -> Option<ChapterPart> {
    let row = |name: String, report: &Report, group: u32, random: bool| -> Option<Vec<String>> {
        let epoch = report.epochs.first()?;
        let means: Vec<f64> = batches(report).iter().map(|b| b.1).collect();
        let [low, high] = [
            means.iter().copied().fold(f64::MAX, f64::min),
            means.iter().copied().fold(0.0, f64::max),
        ];
        let padding = if random {
            report.random.padding_share
        } else {
            epoch.padding_share
        };
        let chance = again(epoch.items, group);
        let shapes = count(epoch.shapes.len() as u64);
        Some(vec![
            name,
            percent(padding),
            shapes,
            format!("{low:.0} to {high:.0}"),
            percent(chance),
        ])
    };
    let group = here.batches("group")?;
    let n = group_of(group);
    Some(ChapterPart::Table(ChapterTable {
        label: "Random, grouped and sorted batches".to_owned(),
        head: [
            "GSM8K, batches of 32",
            "padding",
            "shapes",
            "mean length of a step",
            "meet again",
        ]
        .map(str::to_owned)
        .to_vec(),
        // Random batches are groups of one batch, sorted ones one group of all: so the chance to
        // meet again is the same formula.
        rows: vec![
            row(
                "random, on average".to_owned(),
                here.batches("random")?,
                1,
                true,
            )?,
            row(format!("groups of {n}, as drawn"), group, n, false)?,
            row("sorted".to_owned(), here.batches("sorted")?, ALL, false)?,
        ],
        chosen: Some(1),
    }))
}

/// Draws the batches of the epoch, one after the other.
pub fn drawing(here: &ChapterContext<'_>) -> Option<ChapterPart> {
    let report = here.batches("group")?;
    let epoch = report.epochs.first()?;
    let (batches, group) = (batches(report), group_of(report));
    let mean = epoch.real_tokens as f64 / epoch.items.max(1) as f64;
    let label = format!(
        "The {} batches of an epoch in their order, sorted {group} at a time: each as high as its longest sequence, \
         coloured up to its mean length. {} is padding. The mean of all is {mean:.0} tokens.",
        batches.len(),
        percent(epoch.padding_share),
    );
    let tall = |width: f64| if width < 480.0 { 220.0 } else { 270.0 };
    Some(ChapterPart::Figure(Figure::new(
        label,
        tall,
        move |frame| scene(&batches, mean, group, frame),
    )))
}

/// The end of the axis, tokens.
const TOP: u32 = 480;

fn scene(batches: &[(u32, f64)], mean: f64, group: u32, frame: &Frame) -> Scene {
    let (mut pen, theme) = (Pen::new(frame), frame.theme);
    let beside = label_width("mean", true)
        .max(label_width(&format!("{mean:.0}"), true))
        .ceil()
        + 10.0;
    let plot = Area {
        left: 30.0,
        top: 24.0,
        right: frame.width - beside,
        bottom: frame.height - 22.0,
    };
    let y = |tokens: f64| plot.bottom - plot.height() * tokens / f64::from(TOP);
    pen.note("tokens", (0.0, 8.0), -1);
    for tokens in [0.0, 100.0, 200.0, 300.0, 400.0] {
        pen.rule(
            (plot.left, y(tokens)),
            (plot.right, y(tokens)),
            1.0,
            theme.hairline,
        );
        pen.note(format!("{tokens}"), (plot.left - 7.0, y(tokens)), 1);
    }
    let x = |i: usize| plot.left + plot.width() * i as f64 / batches.len().max(1) as f64;
    // Whole pixels: columns have no seams.
    let snap = |at: f64| (at * frame.scale).round() / frame.scale;
    for (i, (longest, mean)) in batches.iter().enumerate() {
        let (left, right) = (snap(x(i)), snap(x(i + 1)));
        let column = Area {
            left,
            top: y(f64::from(*longest)),
            right,
            bottom: plot.bottom,
        };
        pen.rect(column, theme.padding);
        pen.rect(
            Area {
                top: y(*mean),
                ..column
            },
            theme.length_colour(mean.round() as u32, limit()),
        );
    }
    pen.rule(
        (plot.left, plot.bottom),
        (plot.right, plot.bottom),
        1.0,
        theme.ink,
    );
    pen.dashed(
        &[(plot.left, y(mean)), (plot.right + 4.0, y(mean))],
        &[4.0, 3.0],
        1.5,
        theme.ink,
    );
    for (words, dy) in [("mean", -7.0), (&*format!("{mean:.0}"), 7.0)] {
        pen.label(words, (plot.right + 8.0, y(mean) + dy), -1, theme.ink, true);
    }
    let words = format!(
        "{} steps of an epoch, in their order",
        count(batches.len() as u64)
    );
    let fits = label_width(&words, false) <= plot.width();
    let words = if fits {
        words
    } else {
        format!("{} steps", batches.len())
    };
    pen.note(words, (plot.left, plot.bottom + 13.0), -1);
    // Sorted further, the grey is too narrow for a word.
    if group == 1 {
        pen.label(
            "padding",
            ((plot.left + plot.right) / 2.0, y(mean + 42.0)),
            0,
            theme.ink,
            true,
        );
    }
    pen.scene
}

pub fn guess(here: &ChapterContext<'_>) -> Guess {
    let shares = here.batches("ten").and_then(|report| {
        let epoch = report.epochs.first()?;
        Some((epoch.padding_share, report.random.padding_share))
    });
    let left = shares.map(|(grouped, random)| grouped / random);
    let reveal = shares.zip(left).map_or_else(String::new, |((grouped, random), left)| {
        format!(
            "{} of it is left: {} of the slots are padding instead of {}. Sorting need not go far to take most of it \
             away, and batches that are drawn anew in each epoch still differ.",
            Guess::figure(left),
            percent(grouped),
            percent(random),
        )
    });
    Guess {
        id: "groups",
        question: format!(
            "Shuffle these sequences, then sort {TOGETHER} of the {ALL} batches at a time. Which share of the padding of \
             random batches is left?"
        ),
        choices: &[0.05, 0.22, 0.4, 0.6],
        answer: left,
        reveal,
    }
}
