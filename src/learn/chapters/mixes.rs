//! A mix of sources: shares of documents beside shares of tokens.

use crate::learn::prose::figure;
use crate::learn::{
    Chapter, ChapterContext, ChapterPart, ChapterTable, ChapterView, Citation, Condition, Guess,
    Knob, Notes, Opens, Paper, bars, data,
};
use crate::learn::{Figure, KnobKind};
use packscope::supervision::sources::{Mix, Weighted};
use packscope::supervision::{CurveBuilder, Curves, Truncation};
use packscope::words::{count, mean, percent, significant};
use std::slice;

/// The set that is fetched, and the others: by id, and by name.
const LIMA: &str = "lima_train_chatml";
const SETS: [(&str, &str); 3] = [
    ("alpaca_5000", "Alpaca"),
    ("gsm8k_train", "GSM8K"),
    (LIMA, "LIMA"),
];
const NAMES: [&str; SETS.len()] = [SETS[0].1, SETS[1].1, SETS[2].1];
const KNOBS: [&str; SETS.len()] = ["alpaca", "gsm", "lima"];
/// Longer than the longest of them.
const LIMIT: u32 = 4_096;
/// The exercise: each set has a third of the tokens, so closely.
const CLOSE: f64 = 0.02;
/// The question, by name.
const TOKENS: &str = "lima-tokens";

const DATASETS: Paper = Paper::Other(
    "Hugging Face Datasets",
    "https://github.com/huggingface/datasets",
);
const MEGATRON: Paper = Paper::Other("Megatron-LM", "https://github.com/NVIDIA/Megatron-LM");

const fn weight(name: &'static str, label: &'static str) -> Knob {
    Knob::number(name, label, [0, 12], &[1])
}

pub const CHAPTER: Chapter = Chapter {
    id: "mixes",
    title: "What a mix is made of",
    keep: "Weights of a mix are of documents or of tokens; where sources differ in length, these are two different mixes.",
    notes: Notes {
        aim: "To tell shares of documents from shares of tokens, and to set the ones that are meant.",
        usual: "Most take a probability of the next document for a share of the training.",
        exam: "Documents of A have 100 tokens, those of B 900. They are drawn with equal probability. Which share of the tokens is of A? With which probability would it be half? (10 %; 90 %.)",
    },
    minutes: 4,
    needs: &[LIMA],
    knobs: &[
        weight(KNOBS[0], "Weight of Alpaca"),
        weight(KNOBS[1], "Weight of GSM8K"),
        weight(KNOBS[2], "Weight of LIMA"),
        Knob {
            name: "by",
            label: "These are weights of",
            kind: KnobKind::Words(&["documents", "tokens"]),
            start: &[0],
        },
    ],
    show,
    asks: |_| Vec::new(),
    opens: |here| {
        let all = SETS.iter().flat_map(|(id, _)| lengths(here, id));
        Opens::lengths("Alpaca, GSM8K and LIMA", &format!("limit={LIMIT}"), all)
            .saying("all documents of the three sets together, each once")
    },
    sources: &[
        Citation {
            paper: DATASETS,
            at: "interleave_datasets, probabilities",
            says: "the set of the next example is drawn with these probabilities: weights of documents",
        },
        Citation {
            paper: MEGATRON,
            at: "BlendedDataset, --data-path",
            says: "weights of sets whose samples have all the same length: weights of tokens",
        },
    ],
};

/// Returns (length, documents) of a set; empty until it is loaded.
fn lengths(here: &ChapterContext<'_>, id: &str) -> Vec<(u32, u64)> {
    match here.set(id) {
        Some(lengths) => lengths.to_vec(),
        None => data::lengths(id),
    }
}

fn curves(lengths: &[(u32, u64)]) -> Curves {
    // All tokens train here: which of them bear loss is another chapter's question.
    let mut builder = CurveBuilder::new(Truncation::Right);
    for (length, n) in lengths {
        if builder
            .add(*length, slice::from_ref(&(0..*length)), *n)
            .is_err()
        {
            break;
        }
    }
    builder.finish()
}

/// The sets, as they are and as they are mixed.
struct Mixed {
    of: [Curves; SETS.len()],
    as_they_are: Mix,
    /// `None` where all weights are 0.
    set: Option<Mix>,
    by: Weighted,
}

impl Mixed {
    /// Mixes the sets; `None` until all are loaded.
    fn new(here: &ChapterContext<'_>) -> Option<Self> {
        let of = SETS.map(|(id, _)| curves(&lengths(here, id)));
        let all: Vec<&Curves> = of.iter().collect();
        let by = match here.number("by") {
            0 => Weighted::Documents,
            _ => Weighted::Tokens,
        };
        let weights = KNOBS.map(|knob| f64::from(here.number(knob)));
        Some(Self {
            as_they_are: Mix::as_they_are(&all, LIMIT).ok()?,
            set: Mix::new(&all, &weights, by, LIMIT).ok(),
            by,
            of,
        })
    }

    /// Whether each set has a third of the tokens.
    fn is_even(&self) -> bool {
        let third = 1.0 / SETS.len() as f64;
        self.set.as_ref().is_some_and(|mix| {
            mix.tokens
                .iter()
                .all(|share| (share - third).abs() <= CLOSE)
        })
    }
}

fn show(here: &ChapterContext<'_>) -> ChapterView {
    let mixed = Mixed::new(here);
    let is_even = mixed.as_ref().is_some_and(Mixed::is_even);
    let by_documents = mixed
        .as_ref()
        .is_some_and(|mixed| mixed.by == Weighted::Documents);
    ChapterView {
        finding: mixed
            .as_ref()
            .and_then(|mixed| mixed.set.as_ref())
            .map_or_else(|| "Weights of documents are no weights of tokens".to_owned(), finding),
        parts: parts(here, mixed.as_ref()),
        notice: "Give all sets the same weight, and change what the weights are of: the same numbers are another training. Where \
                 documents are drawn, long ones count more; where tokens are shared out, short documents have to come more often."
            .to_owned(),
        task: format!(
            "Your library draws documents. Set the weights so that each set has a third of the tokens, within {} percentage points.",
            significant(100.0 * CLOSE, 1),
        ),
        conditions: vec![
            Condition::new(by_documents, "weights of documents")
                .almost("A third each, but these are weights of tokens. Which weights of documents do the same?"),
            Condition::new(is_even, "a third of the tokens for each set")
                .almost("Not yet: the longer the documents of a set, the smaller its weight has to be."),
        ],
        found: found(mixed.as_ref()),
    }
}

fn found(mixed: Option<&Mixed>) -> String {
    let epochs = mixed
        .and_then(|mixed| mixed.set.as_ref())
        .map_or_else(String::new, |mix| {
            let each = NAMES.iter().zip(&mix.epochs);
            let each: Vec<String> = each
                .map(|(name, epochs)| format!("{name} {} times", significant(*epochs, 2)))
                .collect();
            format!(
                " A mix also decides how often each is repeated: in as many documents as there are, {}.",
                each.join(", ")
            )
        });
    format!(
        "Weights of documents go with one divided by the mean length: that is how a blend of tokens is carried over to a library \
         that draws documents.{epochs}"
    )
}

fn finding(mix: &Mix) -> String {
    let [documents, tokens] = [mix.documents[2], mix.tokens[2]].map(percent);
    format!("{documents} of the documents, {tokens} of the tokens: LIMA in this mix")
}

fn parts(here: &ChapterContext<'_>, mixed: Option<&Mixed>) -> Vec<ChapterPart> {
    let Some(mixed) = mixed else {
        let why = if here.is_absent(LIMA) {
            "This chapter needs LIMA, which could not be loaded. It is asked for again when the chapter is opened again."
        } else {
            "LIMA is being loaded; then the chapter stands here."
        };
        return vec![ChapterPart::Text(why.to_owned())];
    };
    let mut parts = vec![
        ChapterPart::Text(opening(mixed)),
        ChapterPart::Guess(guess(mixed)),
    ];
    if here.is_revealed(TOKENS) {
        parts.push(ChapterPart::Table(table(mixed)));
    }
    parts.extend([
        ChapterPart::Title("The same weights, two mixes".to_owned()),
        ChapterPart::Text(
            "A mix is set by weights: Alpaca {alpaca}, GSM8K {gsm}, LIMA {lima}. Libraries mean two things by them. Hugging Face \
             draws the next document by its weight; Megatron-LM blends rows of one length, so its weights are of tokens. One \
             becomes the other by the mean lengths: share of tokens ∝ share of documents × mean length."
                .to_owned(),
        ),
        ChapterPart::Words("by"),
    ]);
    parts.push(match &mixed.set {
        Some(mix) => ChapterPart::Figure(drawn(mix)),
        None => ChapterPart::Text("With no weight above zero there is no mix.".to_owned()),
    });
    if let Some(mix) = &mixed.set {
        parts.push(ChapterPart::Text(described(mix)));
    }
    parts.push(ChapterPart::Code(
        "From one kind of weights to the other, in Python",
        include_str!("../code/mix.py").to_owned(),
        false,
    ));
    parts
}

fn opening(mixed: &Mixed) -> String {
    let sets: Vec<String> = NAMES
        .iter()
        .zip(&mixed.of)
        .map(|(name, of)| format!("{} of {name}", count(of.items())))
        .collect();
    let [tokens, documents] =
        [Curves::tokens, Curves::items].map(|of| mixed.of.iter().map(of).sum::<u64>());
    format!(
        "Few models learn from one set. Three for instruction tuning stand here together, with the tokens that one tokenizer makes \
         of them: {}, in all {} documents of {} tokens. Alpaca has short instructions, GSM8K school mathematics, LIMA long \
         conversations.",
        sets.join(", "),
        figure("documents", documents, &count(documents)),
        figure("tokens", tokens, &count(tokens)),
    )
}

fn guess(mixed: &Mixed) -> Guess {
    let share = mixed.as_they_are.tokens[2];
    Guess {
        id: TOKENS,
        question: format!(
            "LIMA is {} of the documents. Which share of the tokens is it?",
            percent(mixed.as_they_are.documents[2])
        ),
        choices: &[0.04, 0.1, 0.27, 0.5],
        answer: Some(share),
        reveal: format!(
            "{}: its conversations are several times as long. What the loss consists of is tokens, not documents.",
            Guess::figure(share)
        ),
    }
}

fn table(mixed: &Mixed) -> ChapterTable {
    let row = |at: usize| {
        let of = &mixed.of[at];
        let length = of.tokens() as f64 / of.items().max(1) as f64;
        vec![
            NAMES[at].to_owned(),
            count(of.items()),
            figure(&format!("mean_{}", KNOBS[at]), length, &mean(length)),
            percent(mixed.as_they_are.documents[at]),
            percent(mixed.as_they_are.tokens[at]),
        ]
    };
    ChapterTable {
        label: "The sets as they are".to_owned(),
        head: [
            "",
            "Documents",
            "Mean tokens",
            "Of the documents",
            "Of the tokens",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: (0..SETS.len()).map(row).collect(),
        chosen: None,
    }
}

fn drawn(mix: &Mix) -> Figure {
    let words = |shares: &[f64]| {
        let each = NAMES.iter().zip(shares);
        let each: Vec<String> = each
            .map(|(name, share)| format!("{name} {}", percent(*share)))
            .collect();
        each.join(", ")
    };
    let label = format!(
        "The mix. Documents: {}. Tokens: {}",
        words(&mix.documents),
        words(&mix.tokens)
    );
    let all = vec![
        ("documents".to_owned(), mix.documents.clone()),
        ("tokens".to_owned(), mix.tokens.clone()),
    ];
    // The longer the documents of a set, the darker.
    bars::figure(label, all, &NAMES, |theme, at| {
        theme.lengths[[1, 4, 7][at.min(2)]]
    })
}

fn described(mix: &Mix) -> String {
    let each = (0..SETS.len()).map(|at| {
        format!(
            "{} is {} of the documents and {} of the tokens",
            NAMES[at],
            figure(
                &format!("documents_{}", KNOBS[at]),
                mix.documents[at],
                &percent(mix.documents[at])
            ),
            figure(
                &format!("tokens_{}", KNOBS[at]),
                mix.tokens[at],
                &percent(mix.tokens[at])
            ),
        )
    });
    format!("{}.", each.collect::<Vec<_>>().join("; "))
}
