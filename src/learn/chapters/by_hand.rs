//! Pack by hand: twelve sequences, with the results of two algorithms and a proof.

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterTable, ChapterView, Citation, Condition, Guess,
    Item, Knob, KnobKind, Notes, Opens, Packs, Paper,
};
use crate::query::Request;
use crate::state::findings::number_in_words;
use packscope::api::{self, Settings};
use packscope::packing::Algorithm;
use packscope::words::{capital, count, percent, plural};

/// Slots of a pack.
const LIMIT: u32 = 20;
// As many as SPFHP needs, and two more than the optimum.
/// Packs on offer.
const PACKS: u32 = 7;
// 99 tokens in rows of 20 need five packs at least. The optimum has five, LPFHP six, SPFHP seven.
/// The sequences, in an order that gives no hint.
const LENGTHS: [u32; 12] = [7, 12, 3, 14, 5, 8, 13, 3, 10, 7, 12, 5];
const OTHERS: [(&str, Algorithm); 3] = [
    (Algorithm::Spfhp.long_name(), Algorithm::Spfhp),
    (Algorithm::Lpfhp.long_name(), Algorithm::Lpfhp),
    ("optimum", Algorithm::Optimal),
];
const WHOSE: [&str; 4] = ["yours", OTHERS[0].0, OTHERS[1].0, OTHERS[2].0];

pub const CHAPTER: Chapter = Chapter {
    id: "by-hand",
    title: "Pack by hand",
    keep: "A pack is a row that several sequences share: filled from long to short it comes near the best, not always to it.",
    notes: Notes {
        aim: "To feel why packing is hard, and that good answers are near.",
        usual: "Most reach six packs. Five need the two shortest beside the longest.",
        exam: "Pack 9, 8, 7, 6, 5 and 5 into rows of 20. How many rows are needed, and how do you know that fewer cannot do? (Two: 40 tokens fill exactly two.)",
    },
    minutes: 4,
    needs: &[],
    knobs: &[
        Knob {
            name: "packs",
            label: "Where the sequences are",
            kind: KnobKind::Numbers {
                least: 0,
                most: PACKS,
            },
            start: &[0; 12],
        },
        Knob {
            name: "whose",
            label: "Whose packs",
            kind: KnobKind::Words(&WHOSE),
            start: &[0],
        },
    ],
    show,
    asks: |_| {
        OTHERS
            .iter()
            .map(|(name, algorithm)| (*name, request(*algorithm)))
            .collect()
    },
    opens: |_| {
        let settings = format!("limit={LIMIT}&algorithm=optimal");
        Opens::lengths(
            "Twelve sequences to pack",
            &settings,
            LENGTHS.map(|length| (length, 1)),
        )
    },
    sources: &[
        Citation {
            paper: Paper::Packing,
            at: "§3.1",
            says: "packing as a bin-packing problem: exact solutions are hard, so heuristics are used",
        },
        Citation {
            paper: Paper::Packing,
            at: "§3.1.1",
            says: "shortest-pack-first, which is SPFHP",
        },
        Citation {
            paper: Paper::Article,
            at: "Packing",
            says: "why an exact solution is out of reach for sixteen million sequences",
        },
    ],
};

fn request(algorithm: Algorithm) -> Request {
    let settings = Settings {
        limit: LIMIT,
        algorithm,
        ..Settings::default()
    };
    Request::from(api::Request {
        counts: LENGTHS.map(|l| (l, 1)).to_vec(),
        settings,
        listed: 100,
    })
}

/// Returns the reader's packs. An address may overfill packs: sequences that do not fit are in none.
fn yours(here: &ChapterContext<'_>) -> Packs {
    let items: Vec<Item> = LENGTHS
        .iter()
        .map(|l| Item {
            size: vec![*l],
            name: l.to_string(),
        })
        .collect();
    let packs = Packs {
        label: "Your packs".to_owned(),
        knob: Some("packs"),
        places: vec![0; items.len()],
        items,
        limits: vec![LIMIT],
        units: &["tokens"],
        packs: PACKS,
        depth: None,
    };
    packs.filled_with(&here.numbers("packs"))
}

/// Returns the packs of an algorithm, without a knob.
fn theirs(report: &api::Report, name: &str) -> Packs {
    let rows = report
        .strategies
        .iter()
        .flat_map(|shape| (0..shape.count).map(move |_| &shape.runs));
    let mut places = vec![0; LENGTHS.len()];
    let mut packs = 0;
    for (row, pack) in rows.zip(1..) {
        for length in row
            .iter()
            .flat_map(|(length, times)| (0..*times).map(move |_| *length))
        {
            // A plan knows lengths, not sequences: of several of a length, the first that is free
            // stands for it.
            let free = (0..places.len()).find(|i| places[*i] == 0 && LENGTHS[*i] == length);
            if let Some(i) = free {
                places[i] = pack;
            }
        }
        packs = pack;
    }
    let items = LENGTHS
        .iter()
        .map(|l| Item {
            size: vec![*l],
            name: l.to_string(),
        })
        .collect();
    let label = format!("Packs of {name}");
    Packs {
        label,
        knob: None,
        places,
        items,
        limits: vec![LIMIT],
        units: &["tokens"],
        packs,
        depth: None,
    }
}

struct Score {
    yours: Packs,
    placed: usize,
    packs: u64,
    /// Empty slots of packs in use.
    padding: u64,
    efficiency: f64,
    /// Packs of the optimum, once it is known.
    best: Option<u64>,
}

impl Score {
    fn new(here: &ChapterContext<'_>) -> Self {
        let yours = yours(here);
        let placed = yours.places.iter().filter(|place| **place > 0).count();
        let packs = yours.filled() as u64;
        let used = (1..=PACKS).map(|pack| yours.used(pack, 0)).sum::<u64>();
        let slots = packs * u64::from(LIMIT);
        // Sequences that are not placed do not count: leaving them out must not look like saving.
        let efficiency = used as f64 / slots.max(1) as f64;
        let known = here.is_answer_to("optimum", &request(Algorithm::Optimal));
        let best = here
            .sequences("optimum")
            // Only the answer to exactly this request decides whether the reader has done it.
            .filter(|_| known)
            .map(|report| report.figures.packs);
        Self {
            yours,
            placed,
            packs,
            padding: slots - used,
            efficiency,
            best,
        }
    }

    fn conditions(&self) -> Vec<Condition> {
        vec![
            Condition::new(self.yours.is_complete(), "all twelve are in a pack"),
            Condition::new(self.is_optimal(), "as few packs as any plan needs").almost(format!(
                "All twelve are in. {} hold them, and fewer can: look at what stays empty.",
                capital(&plural(self.packs, "pack")),
            )),
        ]
    }

    fn is_optimal(&self) -> bool {
        self.yours.is_complete() && self.best == Some(self.packs)
    }
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let score = Score::new(here);
    let told = score.yours.is_complete() || here.is_revealed(EMPTY);
    let whose = here.word("whose");
    // Others' packs are shown only after an attempt, or a prediction.
    let other = here
        .sequences(whose)
        .filter(|_| told)
        .map(|report| theirs(report, whose));
    let tokens = LENGTHS.iter().sum::<u32>();
    let mut parts = vec![ChapterPart::Text(format!(
        "A [pack] is a row that several sequences share. Here it has {LIMIT} slots. Twelve sequences with {tokens} \
         tokens wait below; in rows of their own they would take twelve. **Drag them into packs**, and use as few \
         as you can. Or press a sequence, then a pack; on a keyboard, the arrow keys or a pack's number move it, \
         and 0 takes it out.",
    ))];
    if score.yours.is_complete() || told && here.number("whose") > 0 {
        parts.push(ChapterPart::Words("whose"));
    }
    let finding = finding(
        &score,
        other.as_ref().map(|packs| (whose, packs.filled() as u64)),
    );
    parts.push(ChapterPart::Packs(
        other.unwrap_or_else(|| score.yours.clone()),
    ));
    parts.push(ChapterPart::Guess(guess(here)));
    parts.push(ChapterPart::Table(table(here, &score, told)));
    parts.push(ChapterPart::Text(
        if told { PUBLISHED } else { UNTOLD }.to_owned(),
    ));
    let task = match score.best.filter(|_| told).map(number_in_words) {
        None => "Pack all twelve into as few packs as any plan needs.".to_owned(),
        Some(best) => format!(
            "Do better than both algorithms: pack all twelve into {best}, which is proven to be the least that any plan needs."
        ),
    };
    ChapterView {
        finding,
        parts,
        conditions: score.conditions(),
        notice:
            "One or two slots that stay empty are lost for good, because the shortest sequence has 3 tokens. \
                 Three or more are a promise that something will still come along."
                .to_owned(),
        task,
        found: FOUND.to_owned(),
    }
}

const PUBLISHED: &str =
    "SPFHP and LPFHP are published algorithms, which <watch>the next chapter</> explains.";

const UNTOLD: &str = "What two published algorithms and a search make of the same twelve stands here once all are in packs, or \
    after your prediction.";

/// The question, by name.
const EMPTY: &str = "best-by-hand";

fn guess(here: &ChapterContext<'_>) -> Guess {
    let best = here
        .sequences("optimum")
        .and_then(|report| report.figures.efficiency.first())
        .map(|efficiency| 1.0 - efficiency);
    Guess {
        id: EMPTY,
        question: "How full can packs be? In the best plan for these twelve, which share of the slots of its packs stays empty?"
            .to_owned(),
        choices: &[0.01, 0.18, 0.29, 0.38],
        answer: best,
        reveal: format!(
            "{}: a single slot. Nearly always some combination of lengths fills a row; what is hard is to find enough of \
             them at once.",
            Guess::figure(best.unwrap_or_default())
        ),
    }
}

const FOUND: &str = "Both algorithms go from long to short and take no choice back. When LPFHP comes to the 5s, \
    6 slots are free beside the 14, and a 5 fits best there. One slot is lost, and the two 3s, which would have \
    filled all six, come too late: one of them opens a sixth [pack]. SPFHP goes where most is free, and in the end \
    neither 3 finds a place. The optimum weighs all choices together. <watch>The next chapter</> follows both \
    algorithms step by step; <bounds>another</> shows how one can know that no [plan] does better.";

fn finding(score: &Score, other: Option<(&str, u64)>) -> String {
    let packs = capital(&number_in_words(score.packs));
    match other {
        Some(("optimum", n)) => {
            return format!(
                "{} packs, and no plan needs fewer",
                capital(&number_in_words(n))
            );
        }
        Some((name, n)) => return format!("{name} needs {}", plural(n, "pack")),
        None => {}
    }
    if score.placed == 0 {
        return "Twelve sequences, and as few packs as you can".to_owned();
    }
    if !score.yours.is_complete() {
        let used = plural(score.packs, "pack");
        return format!("{} of 12 placed, in {used}", score.placed);
    }
    if score.is_optimal() {
        return format!("{packs} packs, and no plan needs fewer");
    }
    let better = if score.best.is_some_and(|best| best < score.packs) {
        ": one can do better"
    } else {
        ""
    };
    format!(
        "{packs} packs, ~{} padding~{better}",
        percent(1.0 - score.efficiency)
    )
}

/// Tabulates packs, empty slots and efficiency of the reader and of each algorithm.
fn table(here: &ChapterContext<'_>, score: &Score, told: bool) -> ChapterTable {
    let row = |name: String, packs: u64, padding: u64, efficiency: f64| {
        vec![
            name,
            figure("packs", packs, &count(packs)),
            figure("padding_tokens", padding, &count(padding)),
            figure("efficiency", efficiency, &percent(efficiency)),
        ]
    };
    let placed = figure("placed", score.placed, &count(score.placed as u64));
    let name = if score.yours.is_complete() {
        "yours".to_owned()
    } else {
        format!("yours, {placed} of 12 placed")
    };
    let mut rows = vec![if score.placed == 0 {
        vec![name, "–".to_owned(), "–".to_owned(), "–".to_owned()]
    } else {
        row(name, score.packs, score.padding, score.efficiency)
    }];
    for (name, _) in OTHERS.into_iter().filter(|_| told) {
        rows.push(here.sequences(name).map_or_else(
            || {
                vec![
                    name.to_owned(),
                    "…".to_owned(),
                    "…".to_owned(),
                    "…".to_owned(),
                ]
            },
            |report| {
                let f = &report.figures;
                let proven = f.lower_bound == Some(f.packs) && name == "optimum";
                let name = if proven {
                    format!("{name}, proven")
                } else {
                    name.to_owned()
                };
                let [padding, efficiency] = [
                    f.padding_tokens.first().map(|n| *n as f64),
                    f.efficiency.first().copied(),
                ]
                .map(Option::unwrap_or_default);
                row(name, f.packs, padding as u64, efficiency)
            },
        ));
    }
    let head = ["", "[packs]", "empty slots", "[efficiency]"]
        .map(str::to_owned)
        .to_vec();
    let chosen = told.then(|| here.number("whose") as usize);
    ChapterTable {
        label: "Packs and padding".to_owned(),
        head,
        rows,
        chosen,
    }
}
