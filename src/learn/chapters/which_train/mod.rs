//! Which tokens train: padding, prompts and responses of what is computed, and what a limit cuts of them.

mod draw;

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterView, Citation, Condition, Guess, Knob, KnobKind,
    Notes, Opens, Paper, data,
};
use packscope::histogram::Overlong;
use packscope::supervision::{CurveBuilder, Curves, Truncation};
use packscope::words::{count, percent};
use std::slice;

/// Limits on offer, in equal steps; the last is longer than the longest conversation.
const STEP: u32 = 64;
const MOST: u32 = 6_528;
const START: u32 = 2_048;
/// Conversations of a batch.
const BATCH: usize = 8;
/// The exercise: so much of the responses' tokens is to be left.
const ENOUGH: f64 = 0.95;
/// The question, by name, and its limit.
const LEFT: &str = "responses-left";
const ASKED: u32 = 1_024;
/// The words of the knob, in the order of [`Truncation::ALL`].
const CUTS: [&str; 3] = ["the end", "the beginning", "both, in shares"];

const AZURE: Paper = Paper::Other(
    "Azure LLM inference trace 2023, of Patel et al. 2024, Splitwise; CC BY 4.0",
    "https://github.com/Azure/AzurePublicDataset",
);
const FACTORY: Paper = Paper::Other("LLaMA-Factory", "https://github.com/hiyouga/LLaMA-Factory");
const TRL: Paper = Paper::Other("TRL", "https://github.com/huggingface/trl");

pub const CHAPTER: Chapter = Chapter {
    id: "which-train",
    title: "Which tokens train",
    keep: "Responses stand at the end, where a limit cuts: count the tokens that train, not those that are computed.",
    notes: Notes {
        aim: "To count the tokens that bear loss, before and after a limit cuts.",
        usual: "Most take the share of the tokens that a limit cuts for the share of the training that it costs.",
        exam: "Three prompts of 600 tokens have responses of 100, 400 and 600. A limit of 900 cuts the end. Which share of the responses' tokens trains? (63.6 %: 700 of 1,100.)",
    },
    minutes: 5,
    needs: &[],
    knobs: &[
        Knob {
            name: "limit",
            label: "Maximum length, tokens",
            kind: KnobKind::Number {
                least: STEP,
                most: MOST,
                step: STEP,
                shown: |limit| count(u64::from(limit)),
            },
            start: &[START],
        },
        Knob {
            name: "cut",
            label: "Of what is longer, the limit cuts",
            kind: KnobKind::Words(&CUTS),
            start: &[0],
        },
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let settings = format!("limit={}&overlong=truncate", here.number("limit"));
        Opens::lengths(&format!("Conversations of Azure, {} of them", data::pairs().len()), &settings, data::pair_lengths())
            .saying("the lengths of these conversations, with the tokens that each limit loses; a file of your own with prompts and responses says there which of them train")
    },
    sources: &[
        Citation {
            paper: AZURE,
            at: "data/AzureLLMInferenceTrace_conv.csv",
            says: "tokens of context and answer of the requests to a service of conversations; no texts",
        },
        Citation {
            paper: FACTORY,
            at: "infer_seqlen in data/processor/processor_utils.py",
            says: "a limit that is shared between prompt and response",
        },
        Citation {
            paper: TRL,
            at: "truncation_mode, completion_only_loss, assistant_only_loss",
            says: "which end is cut off, and which tokens bear loss",
        },
    ],
};

/// The conversations at a limit.
struct Cut {
    pairs: Vec<[u32; 2]>,
    truncation: Truncation,
    limit: u32,
    curves: Curves,
}

/// Returns the curves of conversations; empty ones of conversations that cannot be, which a test rules out.
fn curves(pairs: &[[u32; 2]], truncation: Truncation) -> Curves {
    let mut builder = CurveBuilder::new(truncation);
    for [prompt, response] in pairs {
        let tokens = prompt + response;
        if builder
            .add(tokens, slice::from_ref(&(*prompt..tokens)), 1)
            .is_err()
        {
            break;
        }
    }
    builder.finish()
}

impl Cut {
    fn new(here: &ChapterContext<'_>) -> Self {
        let pairs = data::pairs();
        let truncation = Truncation::ALL
            .get(here.number("cut") as usize)
            .copied()
            .unwrap_or_default();
        Self {
            curves: curves(&pairs, truncation),
            pairs,
            truncation,
            limit: here.number("limit"),
        }
    }

    /// Returns what is left of prompt and response.
    fn left(&self, [prompt, response]: [u32; 2]) -> [u32; 2] {
        let tokens = prompt + response;
        let kept = self
            .truncation
            .kept(tokens, slice::from_ref(&(prompt..tokens)), self.limit);
        [tokens.min(self.limit) - kept, kept]
    }

    /// Returns the slots of batches that are padded to their longest.
    fn slots(&self) -> u64 {
        let batch = |batch: &[[u32; 2]]| {
            let rows = batch.iter().map(|pair| self.left(*pair));
            let longest = rows.map(|[prompt, response]| prompt + response).max();
            u64::from(longest.unwrap_or_default()) * batch.len() as u64
        };
        self.pairs.chunks(BATCH).map(batch).sum()
    }

    /// Returns the shares of responses, prompts and padding in the slots.
    fn shares(&self) -> Vec<f64> {
        let [kept, tokens] = [
            self.curves.kept(self.limit),
            self.curves.tokens_kept(self.limit),
        ];
        let slots = self.slots();
        let parts = [kept, tokens - kept, slots.saturating_sub(tokens)];
        parts.map(|part| part as f64 / slots.max(1) as f64).to_vec()
    }
}

/// Returns the share of the responses' tokens that is left.
fn share_left(curves: &Curves, limit: u32) -> f64 {
    1.0 - curves.lost_share(limit, Overlong::Truncate)
}

/// Whether enough is left, and every conversation trains.
fn does(curves: &Curves, limit: u32) -> bool {
    share_left(curves, limit) >= ENOUGH && curves.untrained(limit) == 0
}

/// Returns the smallest limit that does; the last one if none does.
fn least(curves: &Curves) -> u32 {
    let mut limits = (STEP..MOST).step_by(STEP as usize);
    limits.find(|limit| does(curves, *limit)).unwrap_or(MOST)
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let cut = Cut::new(here);
    let of = &cut.curves;
    let all = Truncation::ALL.map(|truncation| least(&curves(&cut.pairs, truncation)));
    let smallest = all.iter().min().is_some_and(|best| cut.limit <= *best) && does(of, cut.limit);
    ChapterView {
        finding: format!("{} of what is computed trains", percent(cut.shares()[0])),
        parts: parts(here, &cut),
        notice: "Drag the limit down slowly, with the end cut off. Many prompts of this log end within a short range of lengths: \
                 as the limit passes them, nearly all tokens that train go, and of the others only few."
            .to_owned(),
        task: format!(
            "Find the smallest limit at which at least {} of the responses' tokens are left and every conversation trains. You \
             may choose what is cut.",
            percent(ENOUGH),
        ),
        conditions: vec![
            Condition::new(
                share_left(of, cut.limit) >= ENOUGH,
                format!("{} of the responses' tokens left", percent(ENOUGH)),
            ),
            Condition::new(of.untrained(cut.limit) == 0, "every conversation trains")
                .almost("Small, and most tokens are left, but some conversations have none that trains."),
            Condition::new(smallest, "no smaller limit does both, whatever is cut").almost(
                if least(of) < cut.limit {
                    "These do both, and a smaller limit does as well."
                } else {
                    "The smallest for this way of cutting. What if something else is cut?"
                },
            ),
        ],
        found: format!(
            "With the beginning cut off, {} tokens are enough; with the end cut off it takes {}. What goes instead is the \
             beginning of the prompt: the system message, the instruction, the first turns. No count says what a response \
             teaches without its question, so read some of what is left before you train on it.",
            count(u64::from(all[1])),
            count(u64::from(all[0])),
        ),
    }
}

fn parts(here: &ChapterContext<'_>, cut: &Cut) -> Vec<ChapterPart> {
    let of = &cut.curves;
    let mut parts = vec![
        ChapterPart::Text(format!(
            "In supervised fine-tuning a model reads prompts and learns responses: a [loss mask] leaves all other tokens out of the \
             loss. So slots hold [padding], prompts, or responses, and only the last are [supervised tokens]. Here are {} \
             conversations, one in 32 of a log of Azure's service: not a training set, but logs like it are what \
             models are tuned on. These are {BATCH} of them at a [limit] of {{limit}} tokens.",
            count(of.items()),
        )),
        ChapterPart::Words("cut"),
        ChapterPart::Figure(draw::batch(cut)),
        ChapterPart::Text(computed(cut)),
        ChapterPart::Figure(draw::computed(cut)),
        ChapterPart::Guess(guess(&cut.pairs)),
    ];
    if here.is_revealed(LEFT) {
        parts.extend([
            ChapterPart::Title(costs(cut)),
            ChapterPart::Text(lost(cut)),
            ChapterPart::Figure(draw::curves(cut)),
        ]);
    }
    parts.extend([
        ChapterPart::Text(FORMULA.to_owned()),
        ChapterPart::Code(
            "What three ways of cutting leave, in Python",
            include_str!("../../code/kept.py").to_owned(),
            false,
        ),
        ChapterPart::Aside("Where libraries say which tokens train", LABELS.to_owned()),
    ]);
    parts
}

const FORMULA: &str = "Of a prompt of p tokens with a response of r, a limit L that cuts the end leaves min(r, max(0, L − p)) tokens that \
    train, and one that cuts the beginning min(r, L). LLaMA-Factory cuts both in proportion, and leaves the shorter of them \
    whole where it can. A conversation of several turns loses its last responses first.";

const LABELS: &str = "A token with the label −100 bears no loss; some libraries keep a mask beside the tokens instead. With \
    TRL, pairs of prompt and completion train the completions alone, and conversations do so with assistant_only_loss, \
    if their template marks what the assistant says. Where nothing is marked, prompts train as well. Rows without a supervised token \
    are not merely idle: a mean over a batch of such rows divides nothing by nothing, which PyTorch calls NaN.";

fn computed(cut: &Cut) -> String {
    let [responses, prompts, padding] = cut.shares()[..] else {
        return String::new();
    };
    format!(
        "All of them in batches of {BATCH}, each padded to its longest, are {} slots: {} padding, {} prompts, {} responses. \
         Prompts are needed, since responses are read after them; but only responses are learned.",
        figure("slots", cut.slots(), &count(cut.slots())),
        figure("padding", padding, &percent(padding)),
        figure("prompts", prompts, &percent(prompts)),
        figure("responses", responses, &percent(responses)),
    )
}

/// Returns the shares that the limit cuts off of the responses' tokens, and of all.
fn losses(cut: &Cut) -> [f64; 2] {
    let of = &cut.curves;
    [
        of.lost_share(cut.limit, Overlong::Truncate),
        of.tokens_lost_share(cut.limit, Overlong::Truncate),
    ]
}

fn costs(cut: &Cut) -> String {
    let [trains, tokens] = losses(cut);
    let words = if trains > tokens {
        "This limit costs more of what trains than of all tokens"
    } else if trains < tokens {
        "This limit costs less of what trains than of all tokens"
    } else {
        "This limit costs nothing"
    };
    words.to_owned()
}

fn lost(cut: &Cut) -> String {
    let of = &cut.curves;
    let [trains, tokens] = losses(cut);
    format!(
        "At {{limit}} tokens, {} of all tokens are cut off, and {} of the responses'; {} of the {} conversations train nothing. \
         Which share is larger depends on where prompts end, and no histogram of lengths tells.",
        figure("tokens_lost", tokens, &percent(tokens)),
        figure("responses_lost", trains, &percent(trains)),
        figure(
            "untrained",
            of.untrained(cut.limit),
            &count(of.untrained(cut.limit))
        ),
        count(of.items()),
    )
}

fn guess(pairs: &[[u32; 2]]) -> Guess {
    let of = curves(pairs, Truncation::Right);
    let left = share_left(&of, ASKED);
    Guess {
        id: LEFT,
        question: format!(
            "A limit of {} tokens that cuts the end cuts {} of all tokens off. Which share of the responses' tokens is left?",
            count(u64::from(ASKED)),
            percent(of.tokens_lost_share(ASKED, Overlong::Truncate)),
        ),
        choices: &[0.1, 0.25, 0.4, 0.57],
        answer: Some(left),
        reveal: format!(
            "{}: what is cut stands at the end, and that is where the responses are. {} of {} conversations have nothing left \
             that trains; they are computed all the same.",
            Guess::figure(left),
            count(of.untrained(ASKED)),
            count(of.items()),
        ),
    }
}
