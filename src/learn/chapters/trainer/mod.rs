//! Libraries with `packing: true`: four ways to pack, the tokens that they lose, and the window.

mod libraries;
mod ways;
mod windows;

use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Knob, KnobKind, Notes,
    Opens, Paper,
};
use crate::query::{Query, QueryData, Request};
use crate::state::View;
use crate::state::trainer::{ORDERS, library_names};
use packscope::api::trainer::{Figures, LessonOutcome, LibraryQuery};
use packscope::words::{count, percent};
use std::rc::Rc;

/// Conversations with a model: many of them are longer than a row.
const DATA: &str = "sharegpt_8k_llama2";
/// Slots of a row.
const LIMIT: u32 = 4096;
/// The library with the setting to change.
const AXOLOTL: &str = "axolotl";
/// The library whose window is drawn.
const TRL: &str = "trl";
/// The setting of [`AXOLOTL`] to change, and its values, the initial one first.
const EXCESS: &str = "excess_length_strategy";
/// The setting of [`AXOLOTL`] that switches packing on.
const PACKING: &str = "sample_packing";
const VALUES: [&str; 2] = ["drop", "truncate"];
/// Ranks, each of which packs once: on fewer ranks, rows beyond the fewest of four trials are not trained.
const RANKS: (&str, &str) = ("WORLD_SIZE", "4");
/// The exercise: a smaller share of the tokens lost than this …
const LOST: f64 = 0.2;
/// … and at most this share of rows more than the best plan has.
const MORE: f64 = 0.03;
/// The words in a figure until its answer is revealed.
const EMPTY: &str = "Predict above, then this fills";
/// The questions, by name.
const OF_ROWS: &str = "first-fit";
const OF_TOKENS: &str = "lost-by-default";

pub const CHAPTER: Chapter = Chapter {
    id: "trainer",
    title: "What your trainer does",
    keep: "Read two numbers of your library: the rows that it makes, and the tokens that it loses.",
    notes: Notes {
        aim: "To look at a library's defaults before a training, not after it.",
        usual: "Most take the share of conversations that are too long for the share of tokens that are lost.",
        exam: "Nine documents have 100 tokens, one has 900. Rows have 512 slots, and what is longer is dropped. Which share of the tokens is lost? (Half: 900 of 1,800.)",
    },
    minutes: 6,
    needs: &[DATA],
    knobs: &[
        Knob {
            name: "way",
            label: "Rows are filled by",
            kind: KnobKind::Words(&ways::NAMES),
            start: &[0],
        },
        Knob {
            name: "excess",
            label: EXCESS,
            kind: KnobKind::Words(&VALUES),
            start: &[0],
        },
        Knob {
            name: windows::KNOB,
            label: "Sequences that are packed together",
            kind: KnobKind::Number {
                least: 0,
                most: windows::ALL,
                step: 1,
                shown: windows::words,
            },
            start: &[windows::ALL],
        },
    ],
    show,
    asks,
    opens: |here| {
        let value = if here.number("excess") == 0 {
            ""
        } else {
            "&trainer.excess_length_strategy=truncate"
        };
        let ranks = format!("&trainer.{}={}", RANKS.0, RANKS.1);
        // As installed, the library packs nothing; the chapter is about packing.
        let about = format!(
            "data={DATA}&limit={LIMIT}&trainer={AXOLOTL}&trainer.{PACKING}=true{value}{ranks}"
        );
        Opens::built_in(View::Sequences, &about)
    },
    sources: &[
        Citation {
            paper: Paper::Other("Axolotl", "https://github.com/axolotl-ai-cloud/axolotl"),
            at: "src/axolotl/utils/samplers/multipack.py",
            says: "first fit in the order of arrival, in groups of sequences; longer ones are dropped before, unless \
                   excess_length_strategy says otherwise",
        },
        Citation {
            paper: Paper::Other("TRL", "https://github.com/huggingface/trl"),
            at: "trl/data_utils.py",
            says: "best-fit decreasing, or concatenate and cut, a window of map at a time",
        },
        Citation {
            paper: Paper::Other(
                "Ding et al., Fewer Truncations Improve Language Modeling",
                "https://arxiv.org/abs/2404.10830",
            ),
            at: "the abstract",
            says: "concatenate and cut breaks documents into pieces; whole ones, packed by best fit, are trained as \
                   efficiently, and models read better and make up less",
        },
    ],
};

fn asks(here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
    let mut all = vec![("rows", ways::rows())];
    // The twelve sequences need no data, so the chapter begins before its set is loaded.
    let Some(counts) = here.set(DATA) else {
        return all;
    };
    let ask = |asked| Request {
        data: QueryData::Lengths(counts.to_vec()),
        query: Query::Trainers(asked),
    };
    all.push(("ways", ask(ways::queries(LIMIT))));
    let libraries = library_names(View::Sequences).iter();
    let libraries = libraries.map(|(id, _)| LibraryQuery::about(id, &[], LIMIT, ORDERS));
    all.push(("libraries", ask(libraries.collect())));
    let settings =
        VALUES.map(|value| LibraryQuery::about(AXOLOTL, &[(EXCESS, value), RANKS], LIMIT, ORDERS));
    let thorough = settings
        .into_iter()
        .chain([LibraryQuery::about(TRL, &[], LIMIT, ORDERS)]);
    all.push((
        "thorough",
        // Only these three need a curve over windows, which takes longer than all other figures
        // together.
        ask(thorough.map(LibraryQuery::thoroughly).collect()),
    ));
    all
}

struct TrainerScene<'a> {
    here: &'a ChapterContext<'a>,
    /// (length, sequences).
    counts: Rc<Vec<(u32, u64)>>,
    /// The four ways, on equal terms.
    ways: Vec<&'a LessonOutcome>,
    /// Every library, by its displayed name, at the values to begin with.
    libraries: &'a [(String, LessonOutcome)],
    /// The library of the exercise at each value of its setting.
    values: [&'a LessonOutcome; 2],
    /// Best-fit decreasing, as TRL has it by default.
    sorted: &'a LessonOutcome,
}

impl<'a> TrainerScene<'a> {
    fn new(here: &'a ChapterContext<'a>) -> Option<Self> {
        let counts = Rc::clone(here.set(DATA)?);
        let ways = here
            .trainers("ways")?
            .iter()
            .map(|(_, outcome)| outcome)
            .collect();
        let libraries = here.trainers("libraries")?;
        // In the order in which `asks` names them.
        let [(_, drop), (_, truncate), (_, sorted)] = here.trainers("thorough")? else {
            return None;
        };
        Some(Self {
            here,
            counts,
            ways,
            libraries,
            values: [drop, truncate],
            sorted,
        })
    }

    /// Returns the outcome of the exercise's library at its current setting.
    fn set(&self) -> &'a LessonOutcome {
        self.values[(self.here.number("excess") as usize).min(1)]
    }

    fn items(&self) -> u64 {
        self.counts.iter().map(|(_, n)| n).sum()
    }

    fn longer(&self) -> u64 {
        self.counts
            .iter()
            .filter(|(length, _)| *length > LIMIT)
            .map(|(_, n)| n)
            .sum()
    }

    fn tokens(&self) -> u64 {
        self.counts
            .iter()
            .map(|(length, n)| u64::from(*length) * n)
            .sum()
    }
}

/// Returns the share of the tokens that are not trained; 1 if the library refuses the data.
fn lost(outcome: &LessonOutcome) -> f64 {
    outcome.figures.as_ref().map_or(1.0, Figures::lost_share)
}

/// Returns the share of rows above the best plan.
fn excess_rows(outcome: &LessonOutcome) -> f64 {
    outcome
        .figures
        .as_ref()
        .and_then(|figures| figures.above_best)
        .unwrap_or(0.0)
        .max(0.0)
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let scene = TrainerScene::new(here);
    // Drawings and tables keep their size while they are empty, so that nothing moves when the
    // answers come.
    let both = here.is_revealed(OF_ROWS) && here.is_revealed(OF_TOKENS);
    let mut parts = ways::parts(here);
    match &scene {
        Some(scene) => {
            parts.extend(ways::on_data(scene));
            parts.extend(libraries::parts(scene, both));
            parts.extend(windows::parts(scene));
        }
        None if here.is_absent(DATA) => parts.push(ChapterPart::Text(
            "The rest of this chapter needs ShareGPT, which could not be loaded. It is asked for again when the chapter \
             is opened again."
                .to_owned(),
        )),
        None => parts.push(ChapterPart::Text(
            "The engine now packs the conversations of ShareGPT in these four ways, as each library does, and in windows of \
             every size. That takes some seconds; then the rest of this chapter stands here."
                .to_owned(),
        )),
    }
    let small = here.number(windows::KNOB);
    ChapterView {
        finding: finding(scene.as_ref()),
        parts,
        notice: "Drag the window to the left and back: both lines fall steeply, then lie nearly flat. The first hundreds of \
                 sequences decide, the last tens of thousands hardly change a row."
            .to_owned(),
        task: format!(
            "{}Mend Axolotl: lose less than {} of the tokens with one setting, then find the smallest window of these with \
             which it needs at most {} more rows than the best plan.",
            if both { "" } else { "Answer both questions above first. " },
            percent(LOST),
            percent(MORE),
        ),
        conditions: vec![
            Condition::new(both, "both questions answered")
                .almost("The settings are right; answer both questions, and the figures show why."),
            Condition::new(
                both && scene.as_ref().is_some_and(|scene| lost(scene.set()) < LOST),
                format!("less than {} of the tokens lost", percent(LOST)),
            )
            .almost("The window is right for these rows, but the longest conversations are still thrown away."),
            Condition::new(
                // The window is judged at the setting as it stands: it is another one with long
                // conversations dropped.
                both && scene.as_ref().is_some_and(|scene| windows::enough(scene.set(), MORE) == Some(small)),
                format!("the smallest window with at most {} more rows", percent(MORE)),
            )
            .almost("Few enough tokens are lost; this window needs too many rows, or a smaller one does as well."),
        ],
        found: scene.as_ref().map_or_else(String::new, |scene| {
            format!(
                "A window of {} is enough, of {} sequences. Windows, orders and algorithms are about a few percent of the \
                 rows; what becomes of long sequences is about half of the tokens. No packing brings back what is thrown \
                 away before: look at rows and at tokens, never at one alone. <limits>A limit</> that is longer loses \
                 less; the tool shows rows and losses at each.",
                windows::words(small),
                count(scene.items()),
            )
        }),
    }
}

fn finding(scene: Option<&TrainerScene<'_>>) -> String {
    let revealed = scene.filter(|scene| scene.here.is_revealed(OF_TOKENS));
    let Some(scene) = revealed else {
        return "One switch, and each library packs in its own way".to_owned();
    };
    let [before, now] = [scene.values[0], scene.set()].map(lost);
    if now < before {
        return format!(
            "One setting brings {} of the tokens back",
            percent(before - now)
        );
    }
    format!(
        "At its defaults a library may drop {} of the tokens",
        percent(now)
    )
}
