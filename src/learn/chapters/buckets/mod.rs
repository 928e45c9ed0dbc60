//! Buckets: batches of similar length, residual batches, and caps on the batch size.

mod words;

use crate::learn::data::lengths;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterTable, ChapterView, Citation, Condition, Figure,
    Guess, Knob, KnobKind, Notes, Opens, Paper,
};
use crate::query::{Query, QueryData, Request};
use crate::state::View;
use crate::state::findings::share_in_words;
use packscope::api::batch::{self, Settings};
use packscope::metrics::EpochFigures;
use packscope::sampler::{Sampler, TokenDrop};
use packscope::words::{count, percent, rate};
use packscope_chart::Chart;
use packscope_chart::batches::{self, Column};
use std::rc::Rc;

/// A small set of real sentences, with lengths of all kinds.
const DATA: &str = "glue_rte";
/// The limit, to which longer sequences are cut.
const LIMIT: u32 = 128;
/// Number of epochs shown: in the last of them only memory limits a batch.
const EPOCHS: u32 = 5;
// Without merging, narrow buckets then have too many batches and wide ones too much padding.
/// The exercise: less padding than this.
const LITTLE: f64 = 0.035;

pub const CHAPTER: Chapter = Chapter {
    id: "buckets",
    title: "Buckets",
    keep: "Narrow buckets pad little and leave many small batches; merging what is left over costs hardly any padding.",
    notes: Notes {
        aim: "To see what buckets save, and what their residual batches cost.",
        usual: "Most make buckets as narrow as they can, and overlook the number of batches.",
        exam: "600 sequences have 100 different lengths, six of each. How many batches of at most 64 do buckets of one length make, and how many are there at random? (100, and 10.)",
    },
    minutes: 6,
    needs: &[],
    knobs: &[
        Knob {
            name: "width",
            label: "Width of a bucket, tokens",
            kind: KnobKind::Number {
                least: 1,
                most: 32,
                step: 1,
                shown: |n| n.to_string(),
            },
            start: &[10],
        },
        Knob {
            name: "merging",
            label: "Residual batches",
            kind: KnobKind::Words(&["on their own", "merged"]),
            start: &[0],
        },
        Knob::number("epoch", "Epoch", [1, EPOCHS], &[1]),
        Knob {
            name: "drop",
            label: "Stopwords",
            kind: KnobKind::Words(&["kept", "dropped"]),
            start: &[0],
        },
        Knob {
            name: "stopwords",
            label: "Share of stopwords that is assumed",
            kind: KnobKind::Number {
                least: 0,
                most: 60,
                step: 5,
                shown: |n| format!("{n} %"),
            },
            start: &[40],
        },
    ],
    show,
    asks: |here| {
        vec![
            ("random", random()),
            ("buckets", buckets(here)),
            ("wide", wide()),
        ]
    },
    opens: |here| {
        let merging = if here.number("merging") == 0 {
            "&merging=off"
        } else {
            ""
        };
        let drop = if here.number("drop") == 0 {
            "off"
        } else {
            "equalise"
        };
        let (width, epoch) = (here.number("width"), here.number("epoch"));
        let share = f64::from(here.number("stopwords")) / 100.0;
        let settings = format!(
            "data={DATA}&limit={LIMIT}&sampler=bucket&width={width}&epochs={EPOCHS}&epoch={epoch}{merging}\
             &drop={drop}&stopwords={share}"
        );
        Opens::built_in(View::Batches, &settings)
    },
    sources: &[
        Citation {
            paper: Paper::Buckets,
            at: "§2.2 and Algorithm 2",
            says: "buckets, merging of residual batches, caps that grow by epoch, learning rates by batch",
        },
        Citation {
            paper: Paper::Buckets,
            at: "§2.3 and Algorithm 3",
            says: "stopwords dropped down to the shortest sequence of each batch",
        },
        Citation {
            paper: Paper::Buckets,
            at: "Tables 3, 4 and 5",
            says: "what each of these does for padding, time and scores of Roberta-base",
        },
        Citation {
            paper: Paper::Buckets,
            at: "Table 6",
            says: "the settings, which are those of this page; its largest batch of 125 tokens is 64, the authors' code \
                   and this page take 50",
        },
        Citation {
            paper: Paper::Buckets,
            at: "§3.1 and Appendix A, Choice of buckets",
            says: "buckets of one length without dropping, of five with it, and why not wider; 0.2 % of padding",
        },
        Citation {
            paper: Paper::Buckets,
            at: "Appendix E.2",
            says: "a formula for the padding of random batches: an estimate, right for RTE and far too low for SST-2, \
                   where it says nearly 50 % and the mean over all orders is 70.1 %",
        },
    ],
};

fn request(settings: Settings) -> Request {
    let settings = Settings {
        limit: LIMIT,
        ..settings
    };
    Request {
        // No stopwords are known, so a share of them is assumed instead.
        data: QueryData::Lengths(lengths(DATA)),
        query: Query::Batches(Box::new(settings), true),
    }
}

/// Returns the request for random batches as in the paper: 64 sequences.
fn random() -> Request {
    request(Settings {
        sampler: Sampler::Random,
        epochs: 1,
        ..Settings::default()
    })
}

fn buckets(here: &ChapterContext<'_>) -> Request {
    let drop = here.number("drop") == 1;
    request(Settings {
        sampler: Sampler::Bucket,
        epochs: EPOCHS,
        bucket_width: Some(here.number("width")),
        merging: here.number("merging") == 1,
        token_drop: if drop {
            TokenDrop::Equalise
        } else {
            TokenDrop::Off
        },
        stopword_share: f64::from(here.number("stopwords")) / 100.0,
        ..Settings::default()
    })
}

/// The question: the width of a bucket, tokens.
const WIDE: u32 = 32;

/// Returns the request for wide buckets with their residual batches, in the first epoch.
fn wide() -> Request {
    request(Settings {
        sampler: Sampler::Bucket,
        epochs: 1,
        bucket_width: Some(WIDE),
        merging: false,
        token_drop: TokenDrop::Off,
        ..Settings::default()
    })
}

fn guess(here: &ChapterContext<'_>) -> Guess {
    let share = here
        .batches("wide")
        .and_then(|report| report.epochs.first())
        .map(|epoch| epoch.padding_share);
    Guess {
        id: "wide-buckets",
        question: format!(
            "Make the buckets {WIDE} tokens wide, so that four of them hold all lengths, with residual batches on their own. \
             Which share of the slots of the first epoch is padding?"
        ),
        choices: &[0.03, 0.16, 0.3, 0.42],
        answer: share,
        reveal: format!(
            "{}: a batch is as wide as its longest, and lengths within a bucket differ by {} at most. Even coarse buckets take \
             most of the padding away; fine ones pay for the rest with many small batches.",
            Guess::figure(share.unwrap_or_default()),
            WIDE - 1,
        ),
    }
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let reports = here.batches("random").zip(here.batches("buckets"));
    let epoch = (here.number("epoch") - 1) as usize;
    let answered =
        reports.and_then(|(random, buckets)| Some((random, buckets, buckets.epochs.get(epoch)?)));
    let finding = answered.map_or_else(
        || "Buckets hold sequences of like length".to_owned(),
        |(random, _, now)| {
            // The mean over all orders, not the one order that is drawn: another seed would change
            // it.
            let before = share_in_words(random.random.padding_share).to_ascii_lowercase();
            format!(
                "Random batches are ~{}~ padding, buckets ~{}~",
                tied(&before),
                tied(&percent(now.padding_share))
            )
        },
    );
    let mut parts = vec![
        ChapterPart::Text(words::BUCKETS.to_owned()),
        ChapterPart::Words("merging"),
    ];
    if let Some((random, buckets, now)) = answered {
        parts.push(ChapterPart::Text(words::epoch(now)));
        parts.extend(picture(random, buckets, epoch).map(ChapterPart::Figure));
        parts.push(ChapterPart::Guess(guess(here)));
        parts.push(ChapterPart::Text(words::RESIDUALS.to_owned()));
        parts.push(ChapterPart::Title(
            "Short sequences leave room for more of them".to_owned(),
        ));
        parts.push(ChapterPart::Text(words::caps()));
        parts.push(ChapterPart::Table(table(&buckets.epochs, epoch)));
        parts.push(ChapterPart::Text(words::rates(now, &buckets.settings)));
        parts.push(ChapterPart::Code(
            "The rate, in Python",
            include_str!("../../code/rate.py").to_owned(),
            false,
        ));
        parts.push(ChapterPart::Title(words::dropping_title(
            here.number("drop") == 1,
            here.number("stopwords"),
            now,
        )));
        parts.push(ChapterPart::Words("drop"));
        parts.push(ChapterPart::Text(words::dropping(
            here.number("drop") == 1,
            now,
        )));
        parts.push(ChapterPart::Text(words::WIDTH.to_owned()));
    }
    ChapterView {
        finding,
        parts,
        notice: words::NOTICE.to_owned(),
        task: words::task(),
        conditions: conditions(
            here,
            answered.map(|(random, _, now)| (random.random.batches, now)),
        ),
        found: words::FOUND.to_owned(),
    }
}

/// Replaces spaces by no-break spaces, to keep a number and its sign on one line.
fn tied(words: &str) -> String {
    words.replace(' ', "\u{a0}")
}

/// Returns the conditions of the exercise: no more batches than at random, hardly any padding, and no token dropped.
fn conditions(here: &ChapterContext<'_>, now: Option<(u64, &EpochFigures)>) -> Vec<Condition> {
    // An answer to other knobs must not solve the exercise.
    let now = now.filter(|_| here.is_answer_to("buckets", &buckets(here)));
    vec![
        Condition::new(
            now.is_some_and(|(most, now)| now.batches <= most),
            "no more batches than at random",
        )
        .almost("Hardly any padding, but too many batches: where do they come from, and in which epoch are there fewer?"),
        Condition::new(
            now.is_some_and(|(_, now)| now.padding_share < LITTLE),
            format!("less than {} padding", percent(LITTLE)),
        )
        .almost("Few enough batches, but too much padding: make the buckets narrower."),
        Condition::new(here.number("drop") == 0, "no token dropped")
            .almost("Both are met, but by throwing tokens away: keep the stopwords."),
    ]
}

/// Draws one epoch to scale: random batches, and buckets.
fn picture(random: &batch::Report, buckets: &batch::Report, epoch: usize) -> Option<Figure> {
    let column = |name: &'static str, report: &batch::Report, epoch: usize| {
        Some((
            name,
            report.epochs.get(epoch)?.clone(),
            report.pictures.get(epoch)?.clone(),
        ))
    };
    let both = Rc::new([
        // Random batches are alike in every epoch, so one epoch is asked for.
        column("Random", random, 0)?,
        column("Buckets", buckets, epoch)?,
    ]);
    let label = input(&both).summary();
    let tall = |width: f64| if width < 500.0 { 470.0 } else { 540.0 };
    Some(Figure::new(label, tall, move |frame| {
        input(&both).scene(frame)
    }))
}

type Epoch = (&'static str, EpochFigures, packscope::sampler::Picture);

fn input(both: &[Epoch; 2]) -> batches::Input<'_> {
    let columns = [0, 1].map(|k| {
        let (name, figures, picture) = &both[k];
        Column {
            name,
            batches: &picture.batches,
            every: picture.every,
            steps: figures.batches,
            rows: figures.items,
            padding: figures.padding_share,
        }
    });
    batches::Input {
        columns,
        limit: LIMIT,
        hues: LIMIT.into(),
        first: None,
        unit: "tokens",
    }
}

fn table(epochs: &[EpochFigures], chosen: usize) -> ChapterTable {
    let row = |now: &EpochFigures| {
        let [least, most] = now.batch_sizes([0.0, 1.0]);
        let [low, high] = now.learning_rate.unwrap_or_default();
        vec![
            format!("Epoch {}", now.epoch + 1),
            now.batch_cap.map_or_else(String::new, count),
            count(now.updates),
            percent(now.padding_share),
            format!("{} – {}", count(least), count(most)),
            format!("{} – {}", rate(low), rate(high)),
        ]
    };
    let head = [
        "",
        "[BatchCap]",
        "Updates",
        "[Padding]",
        "Batches of",
        "Learning rates",
    ];
    ChapterTable {
        label: "The epochs, with the largest batch that each allows".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: epochs.iter().map(row).collect(),
        chosen: Some(chosen),
    }
}
