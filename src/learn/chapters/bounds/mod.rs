//! How good can it get? A dozen sequences, and prices that prove how many packs they need.

mod draw;
mod words;

use crate::learn::data::lengths;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Item, Knob,
    KnobKind, Notes, Opens, Packs, Paper,
};
use crate::query::Request;
use crate::state::findings::number_in_words;
use packscope::api::{self, Settings};
use packscope::bounds;
use packscope::histogram::Histogram;
use packscope::packing::{Algorithm, Depth};

/// Slots of a pack.
const LIMIT: u32 = 24;
// Nothing fits beside an 18, and no third sequence beside two 10s. The bound of long sequences sees
// only the first, and proves seven.
/// (length, sequences), longest first. By tokens alone six full packs would do; eight are needed.
const LENGTHS: [(u32, u64); 3] = [(18, 4), (10, 4), (8, 4)];
/// The knob for the price of each length, in the same order.
const PRICES: [&str; 3] = ["long", "middle", "short"];
const DEAREST: u32 = 32;

const fn price(name: &'static str, label: &'static str, start: &'static [u32]) -> Knob {
    let kind = KnobKind::Number {
        least: 0,
        most: DEAREST,
        step: 1,
        shown: |n| n.to_string(),
    };
    Knob {
        name,
        label,
        kind,
        start,
    }
}

pub const CHAPTER: Chapter = Chapter {
    id: "bounds",
    title: "How good can it get?",
    keep: "A plan is proven best where a bound meets it; prices of lengths make such bounds, and anyone can check them.",
    notes: Notes {
        aim: "To know when to stop looking for a better plan.",
        usual: "Most divide tokens by slots, and are sure of six packs.",
        exam: "Five sequences of 12 tokens, packs of 20. What does the bound of tokens say, and what is true? (Three; five, since no two fit.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        price("long", "Price of a sequence of 18 tokens", &[18]),
        price("middle", "Price of a sequence of 10 tokens", &[10]),
        price("short", "Price of a sequence of 8 tokens", &[8]),
        Knob::number("depth", "Maximum depth", [1, 6], &[3]),
    ],
    show,
    asks: |here| vec![("plan", plan()), ("wikipedia", wikipedia(here))],
    opens: |_| {
        Opens::lengths(
            "Twelve sequences",
            &format!("limit={LIMIT}&algorithm=optimal"),
            LENGTHS,
        )
    },
    sources: &[
        Citation {
            paper: Paper::Other(
                "Gilmore, Gomory 1961, A Linear Programming Approach to the Cutting-Stock Problem",
                "https://doi.org/10.1287/opre.9.6.849",
            ),
            at: "Operations Research 9",
            says: "prices of lengths, and the knapsack that finds the pack worth most",
        },
        Citation {
            paper: Paper::Other(
                "Farley 1990, A Note on Bounding a Class of Linear Programming Problems, Including Cutting Stock Problems",
                "https://doi.org/10.1287/opre.38.5.922",
            ),
            at: "Operations Research 38",
            says: "any prices give a bound: divide by the worth of the dearest pack",
        },
        Citation {
            paper: Paper::Other(
                "Martello, Toth 1990, Lower Bounds and Reduction Procedures for the Bin Packing Problem",
                "https://doi.org/10.1016/0166-218X(90)90094-S",
            ),
            at: "the bound L2",
            says: "long sequences that cannot share a pack",
        },
        Citation {
            paper: Paper::Packing,
            at: "§1 and Table 1",
            says: "calls 99.7 % at depth 3 nearly optimal; the optimum that is proven here fills 99.88 % of the slots",
        },
    ],
};

/// Returns the request for an optimal plan, found by search.
fn plan() -> Request {
    Request::from(api::Request {
        counts: LENGTHS.to_vec(),
        settings: Settings {
            limit: LIMIT,
            algorithm: Algorithm::Optimal,
            ..Settings::default()
        },
        listed: 16,
    })
}

/// Returns the request for real data with a fast algorithm, judged by the inexpensive bounds.
fn wikipedia(here: &ChapterContext<'_>) -> Request {
    let depth = Depth::AtMost(here.number("depth"));
    Request::from(api::Request {
        counts: lengths("wikipedia_bert_512"),
        settings: Settings {
            limit: 512,
            depth,
            algorithm: Algorithm::Lpfhp,
            ..Settings::default()
        },
        listed: 1,
    })
}

/// The lower bound that prices prove.
struct PriceProof {
    prices: [u32; 3],
    /// The pack of the highest price: the number of sequences of each length.
    pack: [u32; 3],
    most: u64,
    sum: u64,
    /// The lower bound on the packs of any plan.
    bound: u64,
}

impl PriceProof {
    /// Computes the bound in whole numbers: a knapsack, a sum, and a division.
    fn new(prices: [u32; 3]) -> Self {
        let worths = prices.map(i64::from);
        let worth = |pack: &[u32; 3]| {
            pack.iter()
                .zip(prices)
                .map(|(n, p)| u64::from(n * p))
                .sum::<u64>()
        };
        let lengths = LENGTHS.map(|(length, _)| length);
        // No limit on depth: the pack may hold any number of sequences, as the plan may.
        let pack = bounds::most_valuable_pack(&lengths, &prices, LIMIT).unwrap_or_default();
        let pack = std::array::from_fn(|i| pack.get(i).copied().unwrap_or(0));
        let (most, counts) = (worth(&pack), LENGTHS.map(|(_, n)| n));
        let sum = counts
            .iter()
            .zip(prices)
            .map(|(n, p)| n * u64::from(p))
            .sum();
        // Farley's bound: every pack is worth at most `most`, so all sequences need at least sum ÷
        // most packs, rounded up.
        let bound = bounds::dual_bound(&counts, &worths, most as i64).unwrap_or(0);
        Self {
            prices,
            pack,
            most,
            sum,
            bound,
        }
    }
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let proof = PriceProof::new(PRICES.map(|knob| here.number(knob)));
    let report = here.sequences("plan");
    let packs = report.map_or(0, |report| report.figures.packs);
    // A bound that meets a plan proves the plan optimal, however either was found.
    let proven = packs > 0 && proof.bound == packs;
    // The plan is shown once its padding was predicted, or once it is proven optimal.
    let told = here.is_revealed(EMPTY) || proven;
    let shown = if told { packs } else { 0 };
    let mut parts = vec![
        ChapterPart::Text(words::question(shown)),
        ChapterPart::Guess(guess(report)),
    ];
    let plan_shown = report.filter(|_| told);
    parts.extend(plan_shown.map(|report| ChapterPart::Packs(packs_of(report))));
    parts.push(ChapterPart::Title(words::water_title()));
    parts.push(ChapterPart::Text(words::water()));
    parts.push(ChapterPart::Figure(draw::water()));
    if let Ok(histogram) = Histogram::from_lengths(LENGTHS) {
        parts.push(ChapterPart::Text(words::long_ones(bounds::martello_toth(
            &histogram, LIMIT,
        ))));
    }
    parts.push(ChapterPart::Title(words::prices_title(&proof)));
    parts.push(ChapterPart::Text(words::PRICES.to_owned()));
    parts.push(ChapterPart::Text(words::dearest(&proof)));
    parts.push(ChapterPart::Figure(draw::prices(&proof, shown)));
    parts.push(ChapterPart::Text(words::CERTIFICATE.to_owned()));
    parts.push(ChapterPart::Code(
        "The proof in Python",
        include_str!("../../code/bound.py").to_owned(),
        false,
    ));
    parts.push(ChapterPart::Title(words::wikipedia_title()));
    parts.extend(
        here.sequences("wikipedia")
            .map(|report| ChapterPart::Text(words::wikipedia(&report.figures))),
    );
    ChapterView {
        finding: words::finding(&proof, shown),
        parts,
        conditions: vec![
            Condition::new(
                proven && here.is_answer_to("plan", &plan()),
                "a bound as high as the plan has packs",
            )
            .almost(words::almost(&proof)),
        ],
        notice: words::NOTICE.to_owned(),
        task: words::task(shown),
        found: words::FOUND.to_owned(),
    }
}

/// The question, by name.
const EMPTY: &str = "best-plan";

fn guess(report: Option<&api::Report>) -> Guess {
    let empty = report
        .and_then(|report| report.figures.efficiency.first())
        .map(|efficiency| 1.0 - efficiency);
    let tokens: u64 = LENGTHS
        .iter()
        .map(|(length, n)| u64::from(*length) * n)
        .sum();
    Guess {
        id: EMPTY,
        question: format!(
            "They have {tokens} tokens, which would fill {} packs to the last slot. Which share of its slots does the best plan \
             leave empty?",
            number_in_words(tokens / u64::from(LIMIT)),
        ),
        choices: &[0.04, 0.14, 0.25, 0.33],
        answer: empty,
        reveal: format!(
            "{}: {} packs. How can one be sure that none does better?",
            Guess::figure(empty.unwrap_or_default()),
            number_in_words(report.map_or(0, |report| report.figures.packs)),
        ),
    }
}

/// Returns the packs of a report, without a knob.
fn packs_of(report: &api::Report) -> Packs {
    let (mut items, mut places, mut pack) = (Vec::new(), Vec::new(), 0);
    let mut shapes: Vec<_> = report.strategies.iter().collect();
    // Packs with the longest sequences first, so that those of 18 tokens stand together.
    shapes.sort_by(|a, b| b.runs.cmp(&a.runs));
    for shape in shapes {
        for _ in 0..shape.count {
            pack += 1;
            for (length, times) in &shape.runs {
                for _ in 0..*times {
                    items.push(Item {
                        size: vec![*length],
                        name: length.to_string(),
                    });
                    places.push(pack);
                }
            }
        }
    }
    Packs {
        label: format!("A plan of {pack} packs for twelve sequences"),
        knob: None,
        places,
        items,
        limits: vec![LIMIT],
        units: &["tokens"],
        packs: pack,
        depth: None,
    }
}
