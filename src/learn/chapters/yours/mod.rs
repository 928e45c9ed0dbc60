//! Your data: what the ideas of all chapters are worth on data of the reader's own, and the sentences to keep.

mod told;

use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Knob, KnobKind,
    Notes, Opens, Paper, data,
};
use crate::query::{Query, QueryData, Request};
use crate::state::View;
use crate::state::findings::share_in_words;
use crate::state::learn::{Prediction, YOURS};
use packscope::advice::{Case, Hardware, LoaderCase};
use packscope::api::batch::Settings as BatchSettings;
use packscope::api::shapes::ShapesQuery;
use packscope::api::{self, Settings};
use packscope::cost::{Assumptions, Overhead};
use packscope::histogram::Preset;
use packscope::sampler::Sampler;
use packscope::words::count;
use std::rc::Rc;

/// The data that stand here until the reader's own are read.
const EXAMPLE: &str = "alpaca_5000";
/// Lengths on offer where only a few are allowed.
const SHAPES: u32 = 8;
/// The question, by name.
const PADDING: &str = "your-padding";
/// The words of the knob, and the libraries that they name; none for the first.
const WORDS: [&str; 6] = [
    "none of these",
    "TRL",
    "Axolotl",
    "LLaMA-Factory",
    "Megatron-LM",
    "verl",
];
const LIBRARIES: [&str; WORDS.len() - 1] =
    ["trl", "axolotl", "llama-factory", "megatron-lm", "verl"];

pub const CHAPTER: Chapter = Chapter {
    id: YOURS,
    title: "Your data",
    keep: "Measure your own lengths first; then change one line, and measure again.",
    notes: Notes {
        aim: "To use the course on data of one's own.",
        usual: "Most change the algorithm first; the limit, and what becomes of longer sequences, often decide more.",
        exam: "Bring the lengths of a set of your own. How much is padding now, what does your library lose, and which one line changes most?",
    },
    minutes: 4,
    needs: &[],
    knobs: &[Knob {
        name: "library",
        label: "You train with",
        kind: KnobKind::Words(&WORDS),
        start: &[0],
    }],
    show,
    asks,
    opens: |here| {
        if here.yours().is_some() {
            return Opens::as_it_stands(View::Sequences);
        }
        // Batches padded to their longest, with which the tool begins, and not rows of the limit.
        Opens {
            settings: format!(
                "data={EXAMPLE}&limit={}&batch={}",
                limit(),
                example().loader.rows
            ),
            ..Opens::built_in(View::Sequences, "")
        }
    },
    sources: &[Citation {
        paper: Paper::Packing,
        at: "§2",
        says: "the theoretical speed-up of many data sets: the longest sequence divided by the mean",
    }],
};

fn limit() -> u32 {
    Preset::find(EXAMPLE).map_or(512, Preset::limit)
}

/// The data that the chapter is about, and the training on them.
struct Subject {
    lengths: Rc<Vec<(u32, u64)>>,
    case: Case,
    /// The title of an example; `None` for data that the reader has brought.
    title: Option<&'static str>,
}

impl Subject {
    fn new(here: &ChapterContext<'_>) -> Self {
        let library = LIBRARIES
            .get((here.number("library") as usize).wrapping_sub(1))
            .map(|id| (*id).to_owned());
        let (lengths, case, title) = here.yours().map_or_else(
            || {
                let title = Preset::find(EXAMPLE).map(|preset| preset.title);
                (Rc::new(data::lengths(EXAMPLE)), example(), title)
            },
            |yours| (Rc::clone(&yours.lengths), yours.case.clone(), yours.title),
        );
        // What no library reads is left at its default, as in the tool.
        let loader = match library {
            Some(_) => LoaderCase::default(),
            None => case.loader.clone(),
        };
        Self {
            lengths,
            case: Case {
                library,
                loader,
                ..case
            },
            title,
        }
    }

    fn is_own(&self) -> bool {
        self.title.is_none()
    }

    fn ask(&self, query: Query) -> Request {
        Request {
            data: QueryData::Lengths(self.lengths.to_vec()),
            query,
        }
    }

    fn batches(&self, sampler: Sampler) -> Request {
        self.ask(Query::Batches(
            Box::new(BatchSettings {
                limit: self.case.limit,
                sampler,
                batch: self.case.loader.rows,
                epochs: 1,
                ..BatchSettings::default()
            }),
            false,
        ))
    }
}

/// The training on the example: that of the tool, before anything is set.
fn example() -> Case {
    Case {
        library: None,
        settings: Vec::new(),
        limit: limit(),
        hardware: Hardware {
            assumptions: Assumptions::default(),
            overhead: Overhead::default(),
        },
        loader: LoaderCase::default(),
        unit: "tokens".to_owned(),
        batch_tokens: None,
        seed: 0,
        supervision: None,
    }
}

fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let subject = Subject::new(here);
    let mut all = vec![("random", subject.batches(Sampler::Random))];
    if here.is_revealed(PADDING) {
        let limit = subject.case.limit;
        let packed = api::Request {
            counts: subject.lengths.to_vec(),
            settings: Settings {
                limit,
                ..Settings::default()
            },
            listed: 1,
        };
        let shapes = ShapesQuery {
            limit,
            overlong: subject.case.loader.overlong,
            most: SHAPES,
            multiple: 1,
        };
        all.extend([
            ("grouped", subject.batches(Sampler::LengthGrouped)),
            ("buckets", subject.batches(Sampler::Bucket)),
            ("shapes", subject.ask(Query::Shapes(shapes))),
            ("packed", packed.into()),
            (
                "advice",
                subject.ask(Query::Advice(Box::new(subject.case.clone()))),
            ),
        ]);
    }
    all
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let subject = Subject::new(here);
    let revealed = here.is_revealed(PADDING);
    let share = here
        .batches("random")
        .map(|report| report.random.padding_share);
    let mut parts = vec![
        ChapterPart::Text(opening(&subject)),
        ChapterPart::Guess(guess(&subject, share)),
    ];
    if revealed {
        parts.extend(told::parts(here));
    }
    parts.push(ChapterPart::Title("What to keep".to_owned()));
    parts.push(ChapterPart::Text(
        "One sentence of each chapter, to print with this page.".to_owned(),
    ));
    parts.push(ChapterPart::Table(told::sentences()));
    let predicted = matches!(here.prediction(PADDING), Some(Prediction::Made(_)));
    ChapterView {
        finding: match share.filter(|_| revealed) {
            Some(share) => format!(
                "~{}~ of {} is padding",
                share_in_words(share),
                if subject.is_own() { "your batches" } else { "these batches" }
            ),
            None => "Now your own data".to_owned(),
        },
        parts,
        notice: "The advice is not always to pack. Where lengths are alike, or most of the time goes elsewhere, it says so, and \
                 what is lost above the limit often weighs more than what is padded below it."
            .to_owned(),
        task: "Drop a file of your own on this page, predict how much of its batches is padding, and read what the judge would \
               change for the library that you use."
            .to_owned(),
        conditions: vec![
            Condition::new(subject.is_own(), "data of your own")
                .almost("That was the example. Now the same with a file of yours: it stays in this browser."),
            Condition::new(predicted, "a prediction of their padding")
                .almost("Your data are in. Predict before you look: it tells you how good your eye has become."),
        ],
        found: "That is the course: measure, change one line, measure again. The whole tool is about these data now, with every \
                setting, export and proof."
            .to_owned(),
    }
}

fn opening(subject: &Subject) -> String {
    let all: u64 = subject.lengths.iter().map(|(_, n)| n).sum();
    let tokens: u64 = subject
        .lengths
        .iter()
        .map(|(length, n)| u64::from(*length) * n)
        .sum();
    let longest = subject.lengths.last().map_or(0, |(length, _)| *length);
    let mean = tokens as f64 / all.max(1) as f64;
    let whose = match subject.title {
        None => "These are your data".to_owned(),
        Some(title) => format!(
            "**Drop a file of yours anywhere on this page**: lengths, texts, conversations. It is read in this browser and \
             sent nowhere. Until then an example stands here, {title}"
        ),
    };
    format!(
        "{whose}: {} sequences of {mean:.1} tokens on average, the longest of {}, in rows of {} at most.",
        count(all),
        count(u64::from(longest)),
        count(u64::from(subject.case.limit)),
    )
}

fn guess(subject: &Subject, share: Option<f64>) -> Guess {
    Guess {
        id: PADDING,
        question: format!(
            "Shuffled, in batches of {}, each padded to its longest: which share of the slots is padding?",
            count(u64::from(subject.case.loader.rows)),
        ),
        choices: &[0.05, 0.2, 0.4, 0.6, 0.8],
        answer: share,
        reveal: format!(
            "{} on average over all orders. What changes it stands below.",
            Guess::figure(share.unwrap_or_default())
        ),
    }
}
