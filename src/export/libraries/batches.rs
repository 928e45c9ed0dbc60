//! Samplers.

use super::{Figure, Look, Picture, Place, Sheet, Shown, Side, ends, figure, most_used, number};
use crate::api::Query;
use crate::api::trainer::batches::Figures;
use crate::api::trainer::{self, Wanted};
use crate::error::Result;
use crate::export::{Cell, Table};
use crate::histogram::Histogram;
use crate::packing::Progress;
use crate::sampler::Sampler;
use crate::trainer::batches::{Batches, Room};
use crate::words::{count, mean, percent, plural};

type Report = trainer::Report<Batches>;
type Answer = trainer::Answer<Batches>;

/// (name in CSV, name for people).
const COLUMNS: [(&str, &str); 9] = [
    ("batches", "batches"),
    ("sequences_per_batch", "sequences each"),
    ("least", "least"),
    ("most", "most"),
    ("padding_share", "padding"),
    ("largest_slots", "largest batch"),
    ("above", "too large"),
    ("truncated_share", "truncated"),
    ("dropped_share", "dropped"),
];

/// Returns a row for each sampler, then for those to compare with. Sorted batches are the best plan.
pub fn table(report: &Report) -> Table {
    let looks = looks(report).into_iter().zip(report.answers.iter().map(|answer| answer.figures.as_ref()));
    let mut table = super::table(&COLUMNS, looks.map(|(look, figures)| (look, figures.map(cells))));
    for (sampler, figures) in &report.beside {
        let look = Look {
            library: format!("packscope {}", sampler.name()),
            title: String::new(),
            algorithm: "to compare with".to_owned(),
            settings: Vec::new(),
            lost: Some(figures.truncated_share),
            above: above(report, figures),
            change: None,
            gain: (String::new(), 0.0),
        };
        table.rows.push(look.cells().into_iter().chain(cells(figures)).collect());
    }
    table
}

/// Returns what every sampler loses and computes in vain.
fn looks(report: &Report) -> Vec<Look> {
    let look = |answer: &Answer| {
        let f = answer.figures.as_ref();
        let lost = f.map(|f| f.truncated_share + f.dropped_share);
        Look::new(&answer.about, answer.advice.as_ref(), lost, f.and_then(|f| above(report, f)))
    };
    report.answers.iter().map(look).collect()
}

/// Returns the share by which more slots are computed for each token than in sorted batches.
fn above(report: &Report, figures: &Figures) -> Option<f64> {
    let sorted = report.beside.iter().find(|(sampler, _)| *sampler == Sampler::Sorted);
    let full = 1.0 - figures.padding_share;
    sorted.filter(|_| full > 0.0).map(|(_, best)| ((1.0 - best.padding_share) / full - 1.0).max(0.0))
}

/// Returns the sampler that is used most, in a sentence.
pub fn headline(report: &Report, room: Room) -> String {
    let limit = format!("a limit of {}", count(u64::from(room.limit)));
    let look = most_used::<Batches>(looks(report).into_iter());
    look.map_or_else(String::new, |look| look.headline("tokens", &limit, false))
}

fn cells(figures: &Figures) -> Vec<Cell> {
    let share = |share: f64| Cell::new(share, percent(share));
    let whole = |n: u64| Cell::new(n, count(n));
    vec![
        Cell::new(figures.batches, number(figures.batches)),
        Cell::new(figures.sequences_per_batch, mean(figures.sequences_per_batch)),
        whole(figures.size.0),
        whole(figures.size.1),
        share(figures.padding_share),
        whole(figures.largest_slots),
        Cell::new(figures.above, number(figures.above)),
        share(figures.truncated_share),
        share(figures.dropped_share),
    ]
}

/// Answers a page's question about samplers. A library or a setting that does not exist gives a refusal as the answer.
///
/// # Errors
/// [`Error::Cancelled`](crate::error::Error::Cancelled); limits of 0.
pub fn shown(wanted: &Wanted, room: Room, data: &Histogram<1>, progress: &mut Progress) -> Result<Shown> {
    let request = trainer::Request::<Batches> {
        counts: data.lengths(),
        order: Vec::new(),
        given: room,
        question: wanted.question(),
        seed: 0,
        seeds: wanted.seeds,
        optimum: false,
    };
    Shown::new(wanted, request.run(progress), |report| side(report, room), |report| sheet(report, room))
}

fn sheet(report: &Report, room: Room) -> Sheet {
    let Some(answer) = report.answers.first() else { return Sheet::none("there is no sampler") };
    let random = report.beside.iter().find(|(sampler, _)| *sampler == Sampler::Random).map(|(_, f)| f);
    let title = answer.figures.as_ref().map(|f| title(answer, f, random, room)).unwrap_or_default();
    let figures = answer.figures.as_ref().map(|f| figures(answer, f, random, room)).unwrap_or_default();
    Sheet::new(&answer.about, answer.advice.as_ref(), title, figures)
}

fn title(answer: &Answer, figures: &Figures, random: Option<&Figures>, room: Room) -> String {
    let beside = random.map(|random| {
        format!(", {} in random batches of {}", percent(random.padding_share), count(u64::from(room.batch)))
    });
    let parts = [(figures.truncated_share, "cut off at it"), (figures.dropped_share, "left out")];
    let lost: Vec<String> = parts
        .iter()
        .filter(|(share, _)| *share > 0.0)
        .map(|(share, how)| format!("{} of the tokens are {how}", percent(*share)))
        .collect();
    let lost = if lost.is_empty() { String::new() } else { format!("; {}", lost.join(", ")) };
    format!(
        "With {}, {} of the slots are padding at a limit of {}{}{}",
        answer.about.title,
        percent(figures.padding_share),
        count(u64::from(room.limit)),
        beside.unwrap_or_default(),
        lost
    )
}

fn figures(answer: &Answer, f: &Figures, random: Option<&Figures>, room: Room) -> Vec<Figure> {
    let beside = random.map(|random| format!("{} in random batches", percent(random.padding_share)));
    let batches = answer.runs.iter().map(|run| run.tally.batches);
    let spread = match (batches.clone().min(), batches.max()) {
        (Some(least), Some(most)) if least < most => {
            format!("; {} to {} by order", count(least), count(most))
        }
        _ => String::new(),
    };
    let (least, most) = f.size;
    let lost = f.truncated_share + f.dropped_share;
    let fate = match (f.truncated_share > 0.0, f.dropped_share > 0.0) {
        (false, false) => "nothing is thrown away".to_owned(),
        (true, false) => "cut off at the limit".to_owned(),
        (false, true) => format!("{} left out", plural(f.dropped_sequences.round() as u64, "sequence")),
        (true, true) => format!(
            "{} cut off at the limit, {} left out",
            percent(f.truncated_share),
            percent(f.dropped_share)
        ),
    };
    let above = match f.above {
        0.0 => String::new(),
        above => format!("; {} batches are larger than is set", mean(above)),
    };
    let largest = format!(
        "slots; {} of {} tokens have {}{above}",
        plural(u64::from(room.batch), "sequence"),
        count(u64::from(room.limit)),
        count(room.slots())
    );
    vec![
        figure(
            "padding_share",
            "Padding",
            f.padding_share,
            percent(f.padding_share),
            beside.unwrap_or_default(),
        ),
        figure(
            "batches",
            "Batches",
            f.batches,
            count(f.batches.round() as u64),
            format!("{} to {} sequences each{spread}", count(least), count(most)),
        ),
        figure("largest_slots", "Largest batch", f.largest_slots as f64, count(f.largest_slots), largest),
        figure("lost_share", "Tokens lost", lost, percent(lost), fate),
    ]
}

fn side(report: &Report, room: Room) -> Side {
    let place = |answer: &Answer| {
        let f = answer.figures.as_ref()?;
        Some(Place::new(&answer.about, f.largest_slots as f64, f.padding_share))
    };
    let places: Vec<_> = report.answers.iter().filter_map(place).collect();
    let ends = ends(&places).map(|ends| format!("At their defaults, {ends} of the slots are padding"));
    Side {
        table: table(report),
        headline: headline(report, room),
        picture: Picture {
            x: "slots of the largest batch".to_owned(),
            y: "padding".to_owned(),
            shares: false,
            places,
            sentence: ends.unwrap_or_else(|| "All of them refuse these data".to_owned()),
        },
    }
}
