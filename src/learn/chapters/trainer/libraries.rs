//! Every library at its defaults: rows against tokens lost, and the one setting that mends most.

use super::{EMPTY, LIMIT, LessonOutcome, OF_TOKENS, TrainerScene, excess_rows, lost};
use crate::learn::prose::figure;
use crate::learn::{ChapterPart, ChapterTable, Figure, Guess};
use packscope::api::trainer::Figures;
use packscope::words::{capital, count, percent, tick_percent};
use packscope_chart::lines::{self, Dot, Quantity};
use packscope_chart::{Chart, Look, Pen, Scale, scatter};

/// Round shares of the tokens.
const CHOICES: [f64; 5] = [0.15, 0.25, 0.4, 0.55, 0.7];
/// A share of lost tokens that nobody would accept knowingly.
const MUCH: f64 = 0.1;
/// The title of the section on settings, and its first paragraph.
const MENDS: &str = "One setting mends most of it";
const CHANGE: &str = "For each library the tool tries every other value of every setting, one at a time, and names the one that \
    helps most. Axolotl's is what it does with conversations above the limit. **Change it.**";

/// Returns the section, with the question about tokens. `both`: whether all answers may be shown.
pub fn parts(scene: &TrainerScene<'_>, both: bool) -> Vec<ChapterPart> {
    let of = scene.libraries.len() as u64;
    let revealed = scene.here.is_revealed(OF_TOKENS);
    let many = scene
        .libraries
        .iter()
        // A library that refuses the data loses nothing in training: it is not counted among those
        // that lose much.
        .filter(|(_, outcome)| outcome.figures.is_some() && lost(outcome) > MUCH)
        .count();
    let title = if revealed {
        format!("{many} of {of} libraries lose more than a tenth of these tokens")
    } else {
        format!("What {of} libraries do with packing switched on")
    };
    let mut parts = vec![
        ChapterPart::Title(title),
        ChapterPart::Text(format!(
            "Now each of {of} libraries with packing switched on and all else at its defaults, at the same {} slots.",
            count(u64::from(LIMIT)),
        )),
        ChapterPart::Guess(question(scene)),
        ChapterPart::Figure(picture(scene.libraries, both)),
        ChapterPart::Table(table(scene.libraries, both)),
        ChapterPart::Text(if both {
            misled(scene)
        } else {
            format!("{EMPTY}.")
        }),
    ];
    parts.push(ChapterPart::Title(MENDS.to_owned()));
    parts.push(ChapterPart::Text(CHANGE.to_owned()));
    parts.push(ChapterPart::Words("excess"));
    if both {
        parts.push(ChapterPart::Text(mended(scene)));
    }
    parts
}

fn question(scene: &TrainerScene<'_>) -> Guess {
    let (longer, items) = (scene.longer(), scene.items().max(1));
    let answer = lost(scene.values[0]);
    Guess {
        id: OF_TOKENS,
        question: format!(
            "By default Axolotl drops a conversation that is longer than a row, all of it: {} of {}, or {} of the \
             conversations. Which share of the tokens is that?",
            count(longer),
            count(scene.items()),
            percent(longer as f64 / items as f64),
        ),
        choices: &CHOICES,
        answer: Some(answer),
        reveal: format!(
            "{} of the tokens: those that are dropped are the longest. Training runs, the rows are full, and no message \
             says how much is missing in tokens.",
            Guess::figure(answer)
        ),
    }
}

/// Draws rows above the best plan by tokens lost; only the axes before the answers are revealed.
fn picture(libraries: &[(String, LessonOutcome)], both: bool) -> Figure {
    let dots = if both { places(libraries) } else { Vec::new() };
    let label = if both {
        let each = libraries
            .iter()
            .filter(|(_, outcome)| outcome.figures.is_some())
            .map(|(title, outcome)| {
                format!(
                    "{title} {} of the tokens, {} more rows",
                    percent(lost(outcome)),
                    percent(excess_rows(outcome))
                )
            });
        format!(
            "Tokens lost, and rows above the best plan, by library: {}.",
            each.collect::<Vec<_>>().join("; ")
        )
    } else {
        "Rows above the best plan by tokens lost. The libraries are drawn once both answers are revealed."
            .to_owned()
    };
    let tall = |width: f64| if width < 480.0 { 300.0 } else { 380.0 };
    Figure::new(label, tall, move |frame| {
        let mut pen = Pen::new(frame);
        if dots.is_empty() {
            axes().draw(&mut pen);
            pen.note(EMPTY, (frame.width / 2.0, frame.height / 2.0), 0);
        } else {
            plot(&dots).draw(&mut pen);
        }
        pen.scene
    })
}

/// Returns the libraries by lost share and rows above the best. Where several share a name, the outliers are named first.
fn places(libraries: &[(String, LessonOutcome)]) -> Vec<Dot> {
    let mut all: Vec<Dot> = libraries
        .iter()
        .filter(|(_, outcome)| outcome.figures.is_some())
        .map(|(title, outcome)| Dot {
            at: (lost(outcome), excess_rows(outcome)),
            name: title.clone(),
            look: Look::Ink,
        })
        .collect();
    let far = |dot: &Dot| dot.at.0 + dot.at.1;
    all.sort_by(|a, b| far(b).total_cmp(&far(a)));
    all
}

/// The names of both axes. Most libraries need a few rows more than the best plan, and differ by factors.
const AXES: [&str; 2] = ["tokens lost", "rows above the best plan, log axis"];

fn tokens_lost(most: f64) -> Quantity {
    Quantity {
        name: AXES[0].into(),
        range: [0.0, most * 1.08],
        scale: Scale::Linear,
        label: tick_percent,
    }
}

fn plot(dots: &[Dot]) -> scatter::Input {
    // Up to 5 % at least: differences of a thousandth would otherwise fill the plot.
    let most = dots.iter().map(|dot| dot.at.0).fold(0.05, f64::max);
    let rows = scatter::shares(AXES[1], dots.iter().map(|dot| dot.at.1));
    scatter::Input::new(tokens_lost(most), rows, dots.to_vec())
}

/// Draws the axes alone, which carry no information: they span 0 to 1.
fn axes() -> lines::Input {
    lines::Input {
        x: tokens_lost(1.0),
        y: scatter::shares(AXES[1], [1.0].into_iter()),
        lines: Vec::new(),
        needle: None,
        dots: Vec::new(),
    }
}

/// A fate of long sequences: its description, and whether a library's outcome has it.
type Fate = (&'static str, fn(&LessonOutcome) -> bool);

const FATES: [Fate; 5] = [
    ("drops them whole", |outcome| {
        figures(outcome, |f| f.dropped_share > MUCH)
    }),
    ("cuts them off", |outcome| {
        figures(outcome, |f| {
            // A library that drops some and truncates others stands with those that drop.
            f.truncated_share > MUCH && f.dropped_share <= MUCH
        })
    }),
    ("cuts all apart", |outcome| {
        figures(outcome, |f| f.cut_share > MUCH)
    }),
    ("trains them whole", |outcome| {
        // A little is lost or cut by most; it does not decide what a library does.
        figures(outcome, |f| f.lost_share() <= MUCH && f.cut_share <= MUCH)
    }),
    ("refuses them", |outcome| outcome.figures.is_none()),
];

fn figures(outcome: &LessonOutcome, is: impl Fn(&Figures) -> bool) -> bool {
    outcome.figures.as_ref().is_some_and(is)
}

/// Tabulates libraries by the fate of long sequences; cells are empty before the answers are revealed.
fn table(libraries: &[(String, LessonOutcome)], both: bool) -> ChapterTable {
    let row = |(name, is): &Fate| {
        let these: Vec<&(String, LessonOutcome)> = libraries
            .iter()
            .filter(|(_, outcome)| is(outcome))
            .collect();
        if !both {
            return vec![capital(name), String::new(), String::new(), String::new()];
        }
        let names: Vec<&str> = these.iter().map(|(title, _)| title.as_str()).collect();
        let share = |of: fn(&LessonOutcome) -> f64| {
            let all = || {
                these
                    .iter()
                    .filter(|(_, outcome)| outcome.figures.is_some())
                    .map(|(_, outcome)| of(outcome))
            };
            match (all().reduce(f64::min), all().reduce(f64::max)) {
                (Some(least), Some(most)) => range(least, most),
                _ => "–".to_owned(),
            }
        };
        let n = figure("libraries", these.len(), &count(these.len() as u64));
        vec![
            capital(name),
            share(lost),
            share(excess_rows),
            format!("{n}: {}", names.join("; ")),
        ]
    };
    ChapterTable {
        label: "Libraries by what they do with long sequences".to_owned(),
        head: [
            "long sequences",
            "tokens lost",
            "more rows than the best",
            "libraries",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: FATES.iter().map(row).collect(),
        chosen: None,
    }
}

fn range(least: f64, most: f64) -> String {
    let [least, most] = [least, most].map(percent);
    if least == most {
        least
    } else {
        format!("{least} to {most}")
    }
}

/// Describes how far libraries differ, and how each axis misleads without the other.
fn misled(scene: &TrainerScene<'_>) -> String {
    let (drop, sorted) = (scene.values[0], scene.sorted);
    let rows = |outcome: &LessonOutcome| outcome.figures.as_ref().map_or(0.0, |f| f.rows);
    let cut = scene
        .ways
        .last()
        .and_then(|way| way.figures.as_ref())
        .map_or(0.0, |f| f.cut_share);
    let most = |of: fn(&LessonOutcome) -> f64| {
        let all = scene
            .libraries
            .iter()
            .filter(|(_, outcome)| outcome.figures.is_some());
        all.map(|(_, outcome)| of(outcome)).fold(0.0, f64::max)
    };
    format!(
        "Libraries need up to {} more rows than the best plan, and lose up to {} of the tokens. One axis without the \
         other misleads. By rows Axolotl looks far better than TRL, with {} against {}: it has fewer because {} of the \
         tokens are not there. By tokens concatenate and cut looks best, with no token lost and hardly a slot empty: {} \
         of its tokens are trained without the beginning of their conversation.",
        figure("most_above", most(excess_rows), &percent(most(excess_rows))),
        figure("most_lost", most(lost), &percent(most(lost))),
        figure(
            "axolotl_rows",
            rows(drop),
            &count(rows(drop).round() as u64)
        ),
        figure(
            "trl_rows",
            rows(sorted),
            &count(rows(sorted).round() as u64)
        ),
        percent(lost(drop)),
        figure("cut_share", cut, &percent(cut)),
    )
}

fn mended(scene: &TrainerScene<'_>) -> String {
    let now = scene.set();
    let rows = now.figures.as_ref().map_or(0.0, |f| f.rows);
    let share = figure("lost_now", lost(now), &percent(lost(now)));
    let rows = figure("rows_now", rows, &count(rows.round() as u64));
    // The words of the tool, with its names of settings in bold.
    let advice = scene.values[0]
        .advice
        .as_deref()
        .unwrap_or_default()
        .replace('`', "**");
    format!(
        "As it is set here, {share} of the tokens are lost, in {rows} rows. By default: {advice}"
    )
}
