//! The weight of a token: a loss as mean over a micro-batch, a rank's step, a step, or each sequence.

mod draw;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterTable, ChapterView, Citation, Condition, Guess,
    Knob, KnobKind, Notes, Opens, Paper, data,
};
use crate::state::View;
use packscope::supervision::SampledItem;
use packscope::supervision::weights::{
    Epoch, Reduction, Steps, Weighed, Weights, of_epoch, of_first_step,
};
use packscope::words::{count, factor, plural, significant};

/// Ranks that train side by side.
const RANKS: u32 = 2;
/// Slots of packed rows; no conversation is longer.
const SLOTS: u32 = 8_192;
/// The exercise: conversations of an update, and the most that the weights of tokens differ.
const UPDATE: u32 = 32;
const ALIKE: f64 = 2.0;
/// The question, by name, and its micro-batches of a rank: one packed row each.
const PACKED: &str = "packed-tokens";
const ASKED: u32 = 4;
/// The words of the knobs; means in the order of [`Reduction::ALL`].
const MEANS: [&str; 4] = [
    "each micro-batch",
    "each rank's step",
    "the whole step",
    "each conversation",
];
const ROWS: [&str; 2] = ["a conversation", "a pack"];

const TRANSFORMERS: Paper = Paper::Other(
    "Hugging Face Transformers",
    "https://github.com/huggingface/transformers",
);
const MEGATRON: Paper = Paper::Other("Megatron-LM", "https://github.com/NVIDIA/Megatron-LM");
const VERL: Paper = Paper::Other("verl", "https://github.com/volcengine/verl");

/// Numbers are powers of two.
const fn power(name: &'static str, label: &'static str, most: u32, start: &'static [u32]) -> Knob {
    Knob {
        name,
        label,
        kind: KnobKind::Number {
            least: 0,
            most,
            step: 1,
            shown: |power| count(1 << power),
        },
        start,
    }
}

pub const CHAPTER: Chapter = Chapter {
    id: "weights",
    title: "What a token weighs",
    keep: "A mean over micro-batches gives more weight to tokens of the emptier ones; a mean over the step weighs all alike.",
    notes: Notes {
        aim: "To know over which tokens a library takes the mean of its loss.",
        usual: "Most say that packed rows weigh all tokens alike, since they are full. They are full of prompts too.",
        exam: "Two micro-batches have 10 and 90 supervised tokens. How many times as much does a token of the first weigh by the mean over each micro-batch? And by that over the step? (9 times; as much.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        Knob {
            name: "mean",
            label: "The loss is a mean over",
            kind: KnobKind::Words(&MEANS),
            start: &[0],
        },
        power("rows", "Rows of a micro-batch", 4, &[1]),
        power("accumulation", "Micro-batches of a rank in a step", 4, &[3]),
        Knob {
            name: "packed",
            label: "A row holds",
            kind: KnobKind::Words(&ROWS),
            start: &[0],
        },
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let steps = steps(here);
        let settings = format!(
            "limit={SLOTS}&ranks={RANKS}&unit={}&accumulation={}&micro-batch={}",
            if steps.packed.is_some() {
                "rows"
            } else {
                "sequences"
            },
            steps.accumulation,
            steps.rows
        );
        Opens {
            view: View::Ranks,
            ..Opens::lengths(
                &format!("Conversations of Azure, {} of them", data::pairs().len()),
                &settings,
                data::pair_lengths(),
            )
        }
        .saying("the same conversations in such steps, with the time that ranks wait")
    },
    sources: &[
        Citation {
            paper: TRANSFORMERS,
            at: "num_items_in_batch, average_tokens_across_devices",
            says: "the sum of the loss divided by the tokens of a whole step, over all ranks unless it is set otherwise",
        },
        Citation {
            paper: MEGATRON,
            at: "calculate_per_token_loss",
            says: "a mean over each micro-batch, unless this is set",
        },
        Citation {
            paper: VERL,
            at: "loss_agg_mode",
            says: "means over tokens, or over sequences first",
        },
    ],
};

fn items() -> Vec<SampledItem> {
    let item = |[prompt, response]: [u32; 2]| SampledItem {
        tokens: prompt + response,
        supervised: response,
    };
    data::pairs().into_iter().map(item).collect()
}

fn steps(here: &ChapterContext<'_>) -> Steps {
    Steps {
        rows: 1 << here.number("rows"),
        accumulation: 1 << here.number("accumulation"),
        ranks: RANKS,
        packed: (here.number("packed") == 1).then_some(SLOTS),
        ..Steps::default()
    }
}

/// The steps of an epoch as they are set, with their weights. All conversations train, so that there always are some.
struct Weighing {
    steps: Steps,
    reduction: Reduction,
    epoch: Option<Epoch>,
    first: Vec<Weighed>,
}

impl Weighing {
    fn new(here: &ChapterContext<'_>) -> Self {
        let (items, steps) = (items(), steps(here));
        let reduction = Reduction::ALL
            .get(here.number("mean") as usize)
            .copied()
            .unwrap_or(Reduction::MicroBatch);
        Self {
            epoch: of_epoch(&items, &steps).ok(),
            first: of_first_step(&items, &steps, reduction).unwrap_or_default(),
            steps,
            reduction,
        }
    }

    fn of(&self, reduction: Reduction) -> Option<Weights> {
        self.epoch.as_ref().map(|epoch| epoch.of(reduction))
    }

    /// Returns the weight of a token of the emptiest micro-batch as a multiple of one of the fullest, in the median step.
    fn ratio(&self) -> f64 {
        self.of(self.reduction)
            .map_or(1.0, |weights| weights.within_step.median)
    }

    fn rows_of_update(&self) -> u32 {
        self.steps.rows * self.steps.accumulation * RANKS
    }
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let set = Weighing::new(here);
    let by_micro_batch = set.reduction == Reduction::MicroBatch && set.steps.packed.is_none();
    let update = set.rows_of_update() == UPDATE && set.steps.packed.is_none();
    let alike = set.ratio() <= ALIKE;
    // Twice as many micro-batches of half as many rows make the same update.
    let halved = Steps {
        rows: set.steps.rows / 2,
        accumulation: set.steps.accumulation * 2,
        ..set.steps
    };
    let by_half =
        of_epoch(&items(), &halved).map(|epoch| epoch.of(Reduction::MicroBatch).within_step.median);
    let smallest = alike && !by_half.is_ok_and(|ratio| ratio <= ALIKE);
    ChapterView {
        finding: finding(&set),
        parts: parts(here, &set),
        notice: "Choose the mean over each conversation: now conversations weigh alike, and their tokens do not, since a short \
                 response has as much weight as a long one. No mean makes both alike."
            .to_owned(),
        task: format!(
            "Your library takes the mean over each micro-batch, and rows hold a conversation. Keep {UPDATE} conversations in an \
             update, and find the smallest micro-batches with which, in half of the steps, no token weighs more than {} any \
             other.",
            times(ALIKE),
        ),
        conditions: vec![
            Condition::new(by_micro_batch, "a mean over each micro-batch, a conversation in each row")
                .almost("So it is with another mean, or in packs. Now as your library has it."),
            Condition::new(update, format!("{UPDATE} conversations in an update"))
                .almost(format!(
                    "Tokens weigh nearly alike, but an update has {} conversations.",
                    set.rows_of_update()
                )),
            Condition::new(alike, format!("at most {} in half of the steps", times(ALIKE))),
            Condition::new(smallest, "smaller micro-batches would not do")
                .almost("Alike enough, and with half as many rows as well, which need less memory."),
        ],
        found: "Fewer and larger micro-batches of the same update have means of more tokens, which differ less. They are never \
                quite alike: a sum over the step, divided by all its tokens, needs no such care, and it makes accumulation give the \
                gradients of one large batch."
            .to_owned(),
    }
}

/// Formats a factor with two digits: `8.2×`.
fn times(x: f64) -> String {
    format!("{}×", significant(x, 2))
}

fn finding(set: &Weighing) -> String {
    let ratio = set.ratio();
    // Of sums of floats, equal weights differ in their last digits.
    if ratio < 1.0 + 1e-9 {
        return "In each step all tokens weigh alike".to_owned();
    }
    format!("A token may weigh {} another of its step", times(ratio))
}

fn parts(here: &ChapterContext<'_>, set: &Weighing) -> Vec<ChapterPart> {
    let mut parts = vec![
        ChapterPart::Text(opening(set)),
        ChapterPart::Words("mean"),
        ChapterPart::Figure(draw::first_step(set)),
        ChapterPart::Text(described(set)),
        ChapterPart::Text(FORMULA.to_owned()),
        ChapterPart::Guess(guess()),
    ];
    if here.is_revealed(PACKED) {
        parts.extend([
            ChapterPart::Title("Full rows are not full of responses".to_owned()),
            ChapterPart::Text(FULL.to_owned()),
            ChapterPart::Words("packed"),
            ChapterPart::Table(table(set)),
        ]);
    }
    parts.extend([
        ChapterPart::Code(
            "Both weights in Python",
            include_str!("../../code/weights.py").to_owned(),
            false,
        ),
        ChapterPart::Aside("Which library takes which mean", libraries()),
    ]);
    parts
}

const FORMULA: &str = "With n supervised tokens in a micro-batch, and m micro-batches in the step, each token weighs 1 ÷ (n × m): the \
    emptier the micro-batch, the more. With N of them in the whole step, each weighs 1 ÷ N.";

const FULL: &str = "Packs are full of tokens, and most of these are prompts. A long prompt with a short response nearly fills a row, and many \
    short conversations fill another, with many times its [supervised tokens]. Where prompts are short, packs do make weights more \
    alike. Choose packs, and look at the bars above.";

fn opening(set: &Weighing) -> String {
    format!(
        "Memory holds a few rows at a time, so an update is made of micro-batches: two ranks here, each with {{accumulation}} \
         micro-batches of {{rows}} rows, {} in all. The {} conversations are those of <which-train>the chapter before</>, shuffled. A \
         loss is a mean over [supervised tokens], and libraries take it over different ones: of a micro-batch, whose means are \
         then averaged, or of more.",
        figure(
            "update",
            set.rows_of_update(),
            &plural(u64::from(set.rows_of_update()), "row")
        ),
        count(data::pairs().len() as u64),
    )
}

fn described(set: &Weighing) -> String {
    let heights = "Each bar is a micro-batch of the first step, as wide as it has supervised tokens and as high as each of them \
                   weighs; its area is its share of the update.";
    let epoch = set.epoch.as_ref().map_or(0, |epoch| epoch.steps);
    let ratio = set.ratio();
    format!(
        "{heights} In half of the {} of this epoch, the heaviest token weighs at least {} the lightest.",
        figure("steps", epoch, &plural(epoch, "step")),
        figure("ratio", ratio, &times(ratio)),
    )
}

fn table(set: &Weighing) -> ChapterTable {
    let row = |reduction: Reduction| {
        let Some(weights) = set.of(reduction) else {
            return Vec::new();
        };
        let name = reduction.name().replace('-', "_");
        let band = |low: f64, high: f64| format!("{} to {}", factor(low), factor(high));
        vec![
            MEANS[reduction as usize].to_owned(),
            figure(
                &format!("ratio_{name}"),
                weights.within_step.median,
                &times(weights.within_step.median),
            ),
            band(weights.tokens.low, weights.tokens.high),
            band(weights.sequences.low, weights.sequences.high),
        ]
    };
    ChapterTable {
        label: "Weights by the mean".to_owned(),
        head: [
            "Mean over",
            "Heaviest token of a step by the lightest, median",
            "Nine tenths of tokens",
            "Nine tenths of conversations",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: Reduction::ALL.into_iter().map(row).collect(),
        chosen: Some(set.reduction as usize),
    }
}

/// Returns the libraries of each mean, in sentences.
fn libraries() -> String {
    let of = |reduction: Reduction| {
        format!(
            "**{}**: {}.",
            packscope::words::capital(MEANS[reduction as usize]),
            reduction.taken_by()
        )
    };
    let all: Vec<String> = Reduction::ALL.into_iter().map(of).collect();
    all.join(" ")
}

/// Asks how alike tokens weigh in packs.
fn guess() -> Guess {
    let steps = Steps {
        rows: 1,
        accumulation: ASKED,
        ranks: RANKS,
        packed: Some(SLOTS),
        ..Steps::default()
    };
    let ratio = of_epoch(&items(), &steps).map_or(1.0, |epoch| {
        epoch.of(Reduction::MicroBatch).within_step.median
    });
    let share = 1.0 / ratio;
    Guess {
        id: PACKED,
        question: format!(
            "Now the conversations are packed into rows of {} slots, nearly all of which are full. A micro-batch is one row, a step has {} \
             of them, and the mean is over each micro-batch. In the median step, what does the lightest token weigh, as a share of the \
             heaviest?",
            count(u64::from(SLOTS)),
            ASKED * RANKS,
        ),
        choices: &[0.1, 0.35, 0.6, 0.9],
        answer: Some(share),
        reveal: format!(
            "{}: in the fullest row, full of responses, a token has a small part of the weight of one in the emptiest, although \
             hardly a slot of either is padding.",
            Guess::figure(share)
        ),
    }
}
