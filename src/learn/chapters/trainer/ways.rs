//! Four ways to fill rows: on twelve sequences, and on real data.

use super::{
    AXOLOTL, EMPTY, EXCESS, LIMIT, LessonOutcome, OF_ROWS, RANKS, TRL, TrainerScene, VALUES,
    excess_rows, lost,
};
use crate::learn::prose::figure;
use crate::learn::{ChapterContext, ChapterPart, ChapterTable, Guess, Item, Packs};
use crate::query::{Answer, Query, Request};
use crate::state::findings::number_in_words;
use crate::state::trainer::ORDERS;
use packscope::api::trainer::{LibraryQuery, RowsQuery};
use packscope::words::{capital, count, mean, percent, plural};

pub const NAMES: [&str; 4] = [
    "next fit",
    "first fit",
    "best-fit decreasing",
    "concatenate and cut",
];
/// The place of best-fit decreasing among them.
const SORTED: usize = 2;
const BEST: &str = "Best plan";
// Next fit fills eight rows, first fit seven, best-fit decreasing and cutting six; cutting cuts
// four.
/// Twelve sequences in the order of arrival, on which all ways differ.
const LENGTHS: [u32; 12] = [11, 10, 15, 13, 10, 6, 7, 8, 5, 13, 9, 9];
/// Slots of their rows.
const SLOTS: u32 = 20;
/// A window larger than the data, so that all sequences are packed together.
const WINDOW: &str = "100000";
/// Round shares of rows above the best plan.
const CHOICES: [f64; 4] = [0.01, 0.05, 0.12, 0.25];

/// Returns libraries with settings that fill rows in these ways, in one window, with long sequences truncated.
pub fn queries(limit: u32) -> Vec<LibraryQuery> {
    let axolotl = |in_order| {
        let settings = [
            (EXCESS, VALUES[1]),
            ("sample_packing_sequentially", in_order),
            RANKS,
        ];
        LibraryQuery::about(AXOLOTL, &settings, limit, ORDERS)
    };
    let trl = |strategy| {
        // As long as the data: the ways are compared, not the windows, which follow below.
        let settings = [("packing_strategy", strategy), ("map_batch_size", WINDOW)];
        LibraryQuery::about(TRL, &settings, limit, ORDERS)
    };
    vec![
        axolotl("true"),
        axolotl("false"),
        trl("bfd"),
        trl("wrapped"),
    ]
}

pub fn rows() -> Request {
    Query::Rows(RowsQuery {
        order: LENGTHS.to_vec(),
        asked: queries(SLOTS),
    })
    .into()
}

/// Returns the first part: the twelve sequences in rows, as chosen.
pub fn parts(here: &ChapterContext<'_>) -> Vec<ChapterPart> {
    let mut parts = vec![
        ChapterPart::Text(format!(
            "You set **packing: true**, and several [sequences] share a row. Which ones, and what becomes of a sequence \
             that is longer than a row, is left to the library. There are four ways to fill rows. Here is each on \
             {} sequences, in the order in which they come, with {SLOTS} slots a row.",
            number_in_words(LENGTHS.len() as u64),
        )),
        ChapterPart::Words("way"),
    ];
    let way = here.number("way") as usize;
    if let Some(Answer::Rows(all)) = here.answer("rows")
        && let Some(rows) = all.get(way)
    {
        parts.push(ChapterPart::Packs(packs_of_rows(rows, NAMES[way.min(3)])));
        parts.push(ChapterPart::Text(in_words(way, rows)));
    }
    parts
}

fn packs_of_rows(rows: &[Vec<u32>], name: &str) -> Packs {
    let inside = || {
        rows.iter()
            .zip(1..)
            .flat_map(|(row, pack)| row.iter().map(move |length| (*length, pack)))
    };
    Packs {
        label: format!("{} filled by {name}", plural(rows.len() as u64, "row")),
        knob: None,
        places: inside().map(|(_, pack)| pack).collect(),
        items: inside()
            .map(|(length, _)| Item {
                size: vec![length],
                name: length.to_string(),
            })
            .collect(),
        limits: vec![SLOTS],
        units: &["tokens"],
        packs: rows.len() as u32,
        depth: None,
    }
}

fn in_words(way: usize, rows: &[Vec<u32>]) -> String {
    let n = figure(
        "small_rows",
        rows.len(),
        &capital(&number_in_words(rows.len() as u64)),
    );
    match way {
        0 => format!(
            "{n} rows. **Next fit** has one open row, and what does not fit closes it, however much room is left."
        ),
        1 => format!(
            "{n} rows. **First fit** keeps rows open and tries them one after the other. Nothing is sorted: whoever \
             comes first goes first."
        ),
        2 => format!(
            "{n} rows. **Best-fit decreasing** sorts, takes the longest first, and puts each into the fullest row with \
             room. For that it has to see sequences before it packs them, a window at a time."
        ),
        _ => {
            let cut = rows
                .iter()
                .map(Vec::len)
                // Pieces beyond one for each sequence: each cut makes one more.
                .sum::<usize>()
                .saturating_sub(LENGTHS.len());
            format!(
                "{n} rows. **Concatenate and cut** writes all end to end and cuts where a row ends. Hardly a slot is \
                 empty, and nothing is lost, but {} of the sequences are in two pieces, and the second never sees how \
                 it began.",
                number_in_words(cut as u64),
            )
        }
    }
}

/// Returns the ways on real data, with the question about rows.
pub fn on_data(scene: &TrainerScene<'_>) -> Vec<ChapterPart> {
    let revealed = scene.here.is_revealed(OF_ROWS);
    let [next, first] = [0, 1].map(|way| {
        scene
            .ways
            .get(way)
            .map_or(0.0, |outcome| excess_rows(outcome))
    });
    let title = if revealed {
        let next = figure("next_fit_above", next, &percent(next));
        let first = figure("first_fit_above", first, &percent(first));
        format!("First fit needs {first} more rows than the best plan, next fit {next}")
    } else {
        "The four ways on conversations".to_owned()
    };
    let (items, longer) = (scene.items(), scene.longer());
    let mut parts = vec![
        ChapterPart::Title(title),
        ChapterPart::Text(format!(
            "ShareGPT has {} conversations with {} tokens on average. Rows are to have {} slots, and {} conversations, \
             {} of all, are longer. Let them be cut off at the end of the row, and let each way see all conversations \
             at once. The best plan has the fewest rows that are known for the tokens that a way keeps; concatenate and cut \
             keeps all, and rows without a gap are its best plan.",
            count(items),
            mean(scene.tokens() as f64 / items.max(1) as f64),
            count(u64::from(LIMIT)),
            count(longer),
            percent(longer as f64 / items.max(1) as f64),
        )),
        ChapterPart::Guess(Guess {
            id: OF_ROWS,
            question: "First fit never looks back and sorts nothing. How many more rows does it need than the best plan \
                       for the same conversations?"
                .to_owned(),
            choices: &CHOICES,
            answer: Some(first),
            reveal: format!(
                "{} more rows. Among so many conversations there is nearly always a short one for a gap, as long as rows \
                 stay open. Next fit has closed them, and pays for it.",
                Guess::figure(first)
            ),
        }),
        ChapterPart::Table(table(scene, revealed)),
    ];
    if !revealed {
        parts.push(ChapterPart::Text(format!("{EMPTY}.")));
    }
    parts
}

/// Tabulates the four ways; cells are empty before the answer is revealed.
fn table(scene: &TrainerScene<'_>, revealed: bool) -> ChapterTable {
    let hidden = |name: &str| {
        [capital(name)]
            .into_iter()
            .chain(std::iter::repeat_n(String::new(), 4))
            .collect::<Vec<_>>()
    };
    let row = |(name, way): (&&str, &&LessonOutcome)| {
        let Some(f) = way.figures.as_ref().filter(|_| revealed) else {
            return hidden(name);
        };
        vec![
            capital(name),
            figure("rows", f.rows, &count(f.rows.round() as u64)),
            figure("above_best", excess_rows(way), &percent(excess_rows(way))),
            figure("lost_share", lost(way), &percent(lost(way))),
            figure("cut_share", f.cut_share, &percent(f.cut_share)),
        ]
    };
    // The plan that the three ways are compared with that cut conversations off at the end of a row.
    let sorted = scene.ways.get(SORTED).filter(|_| revealed);
    let best =
        // `excess_rows` is rows ÷ best − 1, so the rows of the best plan follow from it.
        sorted.and_then(|way| Some((way, way.figures.as_ref()?.rows / (1.0 + excess_rows(way)))));
    let best = best.map_or_else(
        || hidden(BEST),
        |(way, rows)| {
            vec![
                BEST.to_owned(),
                figure("best_rows", rows, &count(rows.round() as u64)),
                percent(0.0),
                percent(lost(way)),
                percent(0.0),
            ]
        },
    );
    ChapterTable {
        label: "Rows and tokens by four ways, and of the best plan".to_owned(),
        head: [
            "",
            "rows",
            "more than the best",
            "tokens lost",
            "without their beginning",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: NAMES
            .iter()
            .zip(&scene.ways)
            .map(row)
            .chain([best])
            .collect(),
        chosen: Some(scene.here.number("way") as usize),
    }
}
