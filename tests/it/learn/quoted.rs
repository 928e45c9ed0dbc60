//! Numerals in the prose of chapters: each is computed, quoted from a passage that its chapter cites, or a number of
//! the chapter's own scene. A number that is new, changed, or no longer true fails here.

use super::{Reader, figure};
use packscope::cost::Assumptions;
use packscope::histogram::{Histogram, Preset, Sizes};
use packscope::metrics::{ExpectedPadding, PublishedEstimate};
use packscope::packing::{Algorithm, Depth};
use packscope::sampler::HwCap;
use packscope::words::{count, percent};
use packscope_page::learn::data;
use packscope_page::learn::{CHAPTERS, Chapter, Paper};
use packscope_page::query::{QueryData, Request};
use std::path::{Path, PathBuf};

/// Why a numeral in prose is right.
enum Why {
    /// A paper says so, in a passage that the chapter cites.
    Quoted(Paper, &'static str),
    /// A size of the chapter's own data, or a number of its own settings.
    Scene,
    /// Computed: these words, or these numbers.
    Is(fn() -> Vec<String>),
    /// Part of a name, of a citation, of a key on the keyboard or of grammar: true of any data.
    Name,
}
use Paper::{Buckets, Packing, Tuples};
use Why::{Is, Name, Quoted, Scene};

fn lengths(id: &str) -> Histogram<1> {
    Histogram::from_counts(data::lengths(id).into_iter().map(|(l, n)| ([l], n))).unwrap()
}

fn wikipedia() -> Histogram<1> {
    lengths("wikipedia_bert_512")
}

fn packs(algorithm: Algorithm) -> u64 {
    algorithm
        .pack(&wikipedia(), 512, Depth::Unlimited)
        .unwrap()
        .packs()
}

fn all(numbers: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
    numbers.into_iter().map(|n| n.to_string()).collect()
}

const HUGGING_FACE: Paper = Paper::Other(
    "Hugging Face Transformers, LengthGroupedSampler",
    "https://github.com/huggingface/transformers",
);

const GRAPHCORE: Paper = Paper::Other(
    "Graphcore, examples",
    "https://github.com/graphcore/examples",
);

const ZHAO: Paper = Paper::Other(
    "Zhao et al. 2024, Analysing The Impact of Sequence Composition on Language Model Pre-Training",
    "https://arxiv.org/abs/2402.13991",
);
const DING: Paper = Paper::Other(
    "Ding et al. 2024, Fewer Truncations Improve Language Modeling",
    "https://arxiv.org/abs/2404.10830",
);
const DONG: Paper = Paper::Other(
    "Dong et al. 2025, Threshold Filtering Packing for Supervised Fine-Tuning",
    "https://aclanthology.org/2025.naacl-long.226/",
);

/// (file below `learn`, words around the numerals, why they are right).
const KNOWN: &[(&str, &str, Why)] = &[
    // Sentences to keep, and questions for an examination: what is given, then the answer.
    ("chapters/rectangle.rs", "padding = 1 − mean", Name),
    (
        "chapters/rectangle.rs",
        "32 sequences of 100 tokens and one of 400 share a batch. Which share of its slots is padding? (72.7 %: 1 − 3,600 ÷ 13,200.)",
        Is(|| {
            let (tokens, slots) = (32 * 100 + 400, 33 * 400);
            let share = 100.0 * (1.0 - f64::from(tokens) / f64::from(slots));
            all([
                "32".to_owned(),
                "100".to_owned(),
                "400".to_owned(),
                format!("{share:.1}"),
                "1".to_owned(),
                count(tokens as u64),
                count(slots as u64),
            ])
        }),
    ),
    (
        "chapters/skew/mod.rs",
        "100 sequences have 300 tokens each, and rows have 512 slots. How much is padding, and what does packing win? (41.4 %",
        Is(|| {
            let lengths = vec![300; 100];
            let pairs = lengths.iter().zip(&lengths[1..]);
            assert!(pairs.clone().all(|(a, b)| a + b > 512));
            all([
                "100".to_owned(),
                "300".to_owned(),
                "512".to_owned(),
                format!("{:.1}", 100.0 * (1.0 - 300.0 / 512.0)),
            ])
        }),
    ),
    (
        "chapters/buckets/mod.rs",
        "600 sequences have 100 different lengths, six of each. How many batches of at most 64 do buckets of one length make, and how many are there at random? (100, and 10.)",
        Is(|| {
            let lengths: Vec<u32> = (0..600).map(|i| i % 100).collect();
            let each = |length| {
                lengths
                    .iter()
                    .filter(|l| **l == length)
                    .count()
                    .div_ceil(64)
            };
            let buckets: usize = (0..100).map(each).sum();
            all([600, 100, 64, buckets, lengths.len().div_ceil(64)])
        }),
    ),
    (
        "chapters/few_shapes/mod.rs",
        "90 sequences have 10 tokens, 10 have 100. Which two lengths waste nothing, and what do 64 and 128 waste? (10 and 100; 73.0 %: 1 − 1,900 ÷ 7,040.)",
        Is(|| {
            let (tokens, slots) = (90 * 10 + 10 * 100, 90 * 64 + 10 * 128);
            let share = 100.0 * (1.0 - f64::from(tokens) / f64::from(slots));
            let given = ["90", "10", "10", "100", "64", "128", "10", "100"].map(str::to_owned);
            let answer = [
                format!("{share:.1}"),
                "1".to_owned(),
                count(tokens as u64),
                count(slots as u64),
            ];
            given.into_iter().chain(answer).collect()
        }),
    ),
    (
        "chapters/by_hand.rs",
        "Pack 9, 8, 7, 6, 5 and 5 into rows of 20. How many rows are needed, and how do you know that fewer cannot do? (Two: 40 tokens",
        Is(|| {
            let rows = [vec![9, 6, 5], vec![8, 7, 5]];
            assert!(rows.iter().all(|row| row.iter().sum::<u32>() == 20));
            all([9, 8, 7, 6, 5, 5, 20, 9 + 8 + 7 + 6 + 5 + 5])
        }),
    ),
    (
        "chapters/watch/mod.rs",
        "Three packs have 3, 5 and 9 free slots. Where does a sequence of 4 go by SPFHP, and where by LPFHP? (Into the 9; into the 5.)",
        Is(|| {
            let room = [3, 5, 9].map(|free| (free >= 4).then_some(free));
            let [most, least] = [room.iter().flatten().max(), room.iter().flatten().min()];
            all([3, 5, 9, 4, *most.unwrap(), *least.unwrap()])
        }),
    ),
    (
        "chapters/bounds/mod.rs",
        "Five sequences of 12 tokens, packs of 20. What does the bound of tokens say, and what is true? (Three; five, since no two fit.)",
        Is(|| {
            assert!((5_u32 * 12).div_ceil(20) == 3 && 2 * 12 > 20);
            all([12, 20])
        }),
    ),
    (
        "chapters/apart/mod.rs",
        "Sequences of 3, 2 and 1 tokens share a row. Write down cu_seqlens and the position ids. (0 3 5 6; 0 1 2 0 1 0.)",
        Is(|| {
            let lengths = [3, 2, 1];
            let ends = lengths.iter().scan(0, |end, n| {
                *end += n;
                Some(*end)
            });
            let ids = lengths.iter().flat_map(|n| 0..*n);
            all(lengths.into_iter().chain([0]).chain(ends).chain(ids))
        }),
    ),
    (
        "chapters/optimiser/mod.rs",
        "A packing factor of 3, batches of 96 rows, β₁ = 0.9. Name both remedies. (32 rows; β₁ = 0.729.)",
        Is(|| {
            all([
                "3".to_owned(),
                "96".to_owned(),
                "0.9".to_owned(),
                (96 / 3).to_string(),
                format!("{:.3}", 0.9f64 * 0.9 * 0.9),
            ])
        }),
    ),
    (
        "chapters/quality/mod.rs",
        "(3 standard errors: 9 ÷ √9.)",
        Is(|| {
            all([
                (9.0 / 9f64.sqrt()).to_string(),
                "9".to_owned(),
                "9".to_owned(),
            ])
        }),
    ),
    (
        "chapters/accelerators/mod.rs",
        "Two accelerators work through 300 and 500 slots in a step. Which share of the time of both is waiting? (20 %: 200 of 1,000.)",
        Is(|| {
            all([
                "300".to_owned(),
                "500".to_owned(),
                (100 * (500 - 300) / (2 * 500)).to_string(),
                (500 - 300).to_string(),
                count(2 * 500),
            ])
        }),
    ),
    (
        "chapters/equal_work/mod.rs",
        "Work is n + n² ÷ 8,000. One rank has a sequence of 8,000 tokens, the other eight of 1,000. How many times as long does the first work? (1.78: 16,000 against 9,000.)",
        Is(|| {
            let work = |n: u64| n + n * n / 8_000;
            let (long, short) = (work(8_000), 8 * work(1_000));
            all([
                count(8_000),
                count(8_000),
                count(1_000),
                format!("{:.2}", long as f64 / short as f64),
                count(long),
                count(short),
            ])
        }),
    ),
    (
        "chapters/trainer/mod.rs",
        "Nine documents have 100 tokens, one has 900. Rows have 512 slots, and what is longer is dropped. Which share of the tokens is lost? (Half: 900 of 1,800.)",
        Is(|| {
            all([
                "100".to_owned(),
                "900".to_owned(),
                "512".to_owned(),
                "900".to_owned(),
                count(9 * 100 + 900),
            ])
        }),
    ),
    (
        "chapters/which_train/mod.rs",
        "Three prompts of 600 tokens have responses of 100, 400 and 600. A limit of 900 cuts the end. Which share of the responses' tokens trains? (63.6 %: 700 of 1,100.)",
        Is(|| {
            let responses = [100, 400, 600];
            let kept: u32 = responses.iter().map(|r| (900u32 - 600).min(*r)).sum();
            let whole: u32 = responses.iter().sum();
            all([
                "600".to_owned(),
                "100".to_owned(),
                "400".to_owned(),
                "600".to_owned(),
                "900".to_owned(),
                format!("{:.1}", 100.0 * f64::from(kept) / f64::from(whole)),
                kept.to_string(),
                count(u64::from(whole)),
            ])
        }),
    ),
    (
        "chapters/which_train/mod.rs",
        "conversations, one in 32 of a log",
        Is(|| {
            let whole = Preset::find("azure_llm_trace_conv").unwrap();
            let whole = super::fetched(whole.id).items();
            all([whole.div_ceil(data::pairs().len() as u64)])
        }),
    ),
    ("chapters/which_train/mod.rs", "max(0, L − p)", Name),
    ("chapters/which_train/mod.rs", "the label −100", Name),
    ("chapters/which_train/mod.rs", "inference trace 2023", Name),
    ("chapters/which_train/mod.rs", "Patel et al. 2024", Name),
    ("chapters/which_train/mod.rs", "CC BY 4.0", Name),
    (
        "chapters/weights/mod.rs",
        "Two micro-batches have 10 and 90 supervised tokens. How many times as much does a token of the first weigh by the mean over each micro-batch? And by that over the step? (9 times; as much.)",
        Is(|| all([10, 90, 90 / 10])),
    ),
    ("chapters/weights/mod.rs", "weighs 1 ÷ (n × m)", Name),
    ("chapters/weights/mod.rs", "weighs 1 ÷ N", Name),
    (
        "chapters/mixes.rs",
        "Documents of A have 100 tokens, those of B 900. They are drawn with equal probability. Which share of the tokens is of A? With which probability would it be half? (10 %; 90 %.)",
        Is(|| {
            let [a, b] = [100, 900];
            // With p · a = (1 − p) · b.
            all([a, b, 100 * a / (a + b), 100 * b / (a + b)])
        }),
    ),
    ("glossary.rs", "labels of −100", Name),
    (
        "chapters/graphs/mod.rs",
        "Packs hold 20 nodes and 40 edges. May graphs of 12 nodes and 30 edges and of 8 nodes and 12 edges share one? (No: they have 42 edges.)",
        Is(|| all([20, 40, 12, 30, 8, 12, 30 + 12])),
    ),
    (
        "chapters/limits/mod.rs",
        "Graphs have 2.2 edges for each node on average, and a pack has 100 nodes. Which limit of edges goes with them? (About 220.)",
        Is(|| {
            all([
                "2.2".to_owned(),
                "100".to_owned(),
                format!("{:.0}", 2.2 * 100.0),
            ])
        }),
    ),
    ("chapters/accelerators/curve.rs", "1 row each", Name),
    (
        "chapters/accelerators/mod.rs",
        "the bound of packing, 2.013 on Wikipedia",
        Quoted(Packing, "§4.4"),
    ),
    (
        "chapters/accelerators/mod.rs",
        "64 × 32 rows are 2,048",
        Is(|| all(["64", "32", &count(64 * 32)])),
    ),
    ("chapters/apart/draw.rs", "50.0 % × loss 0.30", Name),
    (
        "chapters/apart/mod.rs",
        "overhead of 4.287 % at depth 3: 1.913 times as fast with a packing factor of 2.00",
        Quoted(Packing, "Table 1"),
    ),
    (
        "chapters/apart/mod.rs",
        "stalled at 71.8 % accuracy and missed the 72.1 %",
        Quoted(Packing, "§4.2.1"),
    ),
    (
        "chapters/apart/mod.rs",
        "F1 fell by 0.35 % on average",
        Quoted(Packing, "§1"),
    ),
    (
        "chapters/apart/mod.rs",
        "overhead] of 4.3 %, measured on an IPU, makes a [packing factor] of 2.00 a [realised speed-up] of 1.91×",
        Quoted(Packing, "Table 1"),
    ),
    (
        "chapters/apart/mod.rs",
        "at depth 2, 1.61 by 1.04283 makes 1.544, and the packs that it counts, 1.6116 sequences each, make 1.545",
        Is(|| {
            let plan = Algorithm::Spfhp.pack(&wikipedia(), 512, Depth::AtMost(2));
            let factor = wikipedia().items() as f64 / plan.unwrap().packs() as f64;
            let overhead = 1.0 + packscope::cost::Overhead::Ipu.at_depth(2);
            all([
                "2".to_owned(),
                format!("{factor:.2}"),
                format!("{overhead:.5}"),
                format!("{:.3}", (100.0 * factor).round() / 100.0 / overhead),
                format!("{factor:.4}"),
                format!("{:.3}", factor / overhead),
            ])
        }),
    ),
    ("chapters/apart/mod.rs", "1 slot is", Name),
    ("chapters/apart/mod.rs", "Su et al. 2021", Name),
    (
        "chapters/bounds/mod.rs",
        "Price of a sequence of 18 tokens",
        Scene,
    ),
    (
        "chapters/bounds/mod.rs",
        "Price of a sequence of 10 tokens",
        Scene,
    ),
    (
        "chapters/bounds/mod.rs",
        "Price of a sequence of 8 tokens",
        Scene,
    ),
    ("chapters/bounds/mod.rs", "Gilmore, Gomory 1961", Name),
    ("chapters/bounds/mod.rs", "Operations Research 9", Name),
    ("chapters/bounds/mod.rs", "Farley 1990", Name),
    ("chapters/bounds/mod.rs", "Operations Research 38", Name),
    ("chapters/bounds/mod.rs", "Martello, Toth 1990", Name),
    (
        "chapters/bounds/mod.rs",
        "https://doi.org/10.1016/0166-218X(90)90094-S",
        Name,
    ),
    (
        "chapters/bounds/mod.rs",
        "calls 99.7 % at depth 3 nearly optimal",
        Quoted(Packing, "§1"),
    ),
    (
        "chapters/bounds/mod.rs",
        "the optimum that is proven here fills 99.88 %",
        Is(|| {
            let packs = figure(&Reader::opens("bounds").sees(), "optimum_depth_3").unwrap();
            let share = 100.0 * wikipedia().total()[0] as f64 / (packs * 512.0);
            vec![format!("{share:.2}")]
        }),
    ),
    (
        "chapters/bounds/words.rs",
        "a sequence of 18 tokens costs {}, one of 10 costs {}, one of 8 costs",
        Scene,
    ),
    (
        "chapters/bounds/words.rs",
        "nothing fits beside an 18, and no third sequence beside two of 10",
        Scene,
    ),
    (
        "chapters/bounds/words.rs",
        "four each of 18, 10 and 8 tokens",
        Scene,
    ),
    (
        "chapters/bounds/words.rs",
        "of 18 tokens need a pack each",
        Scene,
    ),
    (
        "chapters/bounds/words.rs",
        "their last 6 slots",
        Is(|| all([24 - sizes("bounds")[2][0]])),
    ),
    ("chapters/bounds/words.rs", "At depth 3 they prove", Name),
    (
        "chapters/buckets/mod.rs",
        "largest batch of 125 tokens is 64",
        Quoted(Buckets, "Table 6"),
    ),
    (
        "chapters/buckets/mod.rs",
        "and this page take 50",
        Is(|| all([HwCap::default().batch_at(125)])),
    ),
    (
        "chapters/buckets/mod.rs",
        "where it says nearly 50 %",
        Is(|| {
            let sst2 = lengths("glue_sst2");
            let estimate = PublishedEstimate::new(&sst2, &ExpectedPadding::random(&sst2, 64))
                .padding_fraction_est;
            vec![if (0.45..0.5).contains(&estimate) {
                "50".to_owned()
            } else {
                percent(estimate)
            }]
        }),
    ),
    (
        "chapters/buckets/mod.rs",
        "the mean over all orders is 70.1 %",
        Is(|| {
            vec![
                percent(ExpectedPadding::random(&lengths("glue_sst2"), 64).padding_share)
                    .replace("\u{a0}%", "")
                    .replace(" %", ""),
            ]
        }),
    ),
    (
        "chapters/buckets/words.rs",
        "Make the buckets 1 token wide",
        Name,
    ),
    (
        "chapters/buckets/words.rs",
        "sequences of 15 tokens at once, but {} of 128 (an RTX 2080 Ti",
        Name,
    ),
    (
        "chapters/buckets/words.rs",
        "the paper itself prints 64",
        Quoted(Buckets, "Table 6"),
    ),
    (
        "chapters/buckets/words.rs",
        "64 sequences in the first epoch",
        Quoted(Buckets, "Table 6"),
    ),
    (
        "chapters/buckets/words.rs",
        "fall from 81.62 at random to 76.9; merging brings them to 78.42, caps to 81.29, rates to 81.64, 5.2× as fast",
        Quoted(Buckets, "Tables 3, 4 and 5"),
    ),
    (
        "chapters/buckets/words.rs",
        "Table 5</> has 81.67 and 5.1×",
        Quoted(Buckets, "Tables 3, 4 and 5"),
    ),
    (
        "chapters/buckets/words.rs",
        "the paper takes buckets of 5 lengths",
        Quoted(Buckets, "Choice of buckets"),
    ),
    (
        "chapters/buckets/words.rs",
        "With 5, the paper counts 0.2 % of padding in training",
        Quoted(Buckets, "§3.1 and Appendix A"),
    ),
    (
        "chapters/buckets/mod.rs",
        "why not wider; 0.2 % of padding",
        Quoted(Buckets, "§3.1 and Appendix A"),
    ),
    ("chapters/equal_work/mod.rs", "Llama 3.2 1B", Name),
    ("chapters/equal_work/mod.rs", "Llama 3.1 8B", Name),
    ("chapters/equal_work/mod.rs", "Llama 3.1 70B", Name),
    ("chapters/by_hand.rs", "and 0 takes it out", Name),
    (
        "chapters/by_hand.rs",
        "the shortest sequence has 3 tokens",
        Is(|| all([sizes("by-hand")[0][0]])),
    ),
    (
        "chapters/by_hand.rs",
        "comes to the 5s, 6 slots are free beside the 14, and a 5 fits best",
        Is(|| {
            let has = |length| sizes("by-hand").iter().any(|size| size[0] == length);
            all(if has(5) && has(14) {
                [5, 20 - 14, 14, 5]
            } else {
                [0; 4]
            })
        }),
    ),
    ("chapters/by_hand.rs", "the two 3s", Scene),
    ("chapters/by_hand.rs", "in the end neither 3 finds", Scene),
    (
        "chapters/by_hand.rs",
        "{} of 12 placed",
        Is(|| all([items("by-hand")])),
    ),
    (
        "chapters/graphs/mod.rs",
        "on ogbg-molhiv at 222 × 502 and at most 256 graphs a pack",
        Quoted(Tuples, "§3.1"),
    ),
    (
        "chapters/graphs/mod.rs",
        "packs of 21 nodes and 46 edges",
        Scene,
    ),
    (
        "chapters/graphs/mod.rs",
        "here 21 nodes and 46 edges",
        Scene,
    ),
    (
        "chapters/graphs/mod.rs",
        "hardly a node is left, and 14 edges are",
        Is(|| vec![beside(1, 14)]),
    ),
    (
        "chapters/graphs/mod.rs",
        "hardly an edge is left, and 7 nodes are",
        Is(|| vec![beside(0, 7)]),
    ),
    (
        "chapters/histograms/mod.rs",
        "36 sequences",
        Is(|| all([small().iter().map(|(_, n)| n).sum::<u64>()])),
    ),
    (
        "chapters/histograms/stages.rs",
        "36 sequences of 2 to {} tokens",
        Is(|| {
            all([
                small().iter().map(|(_, n)| n).sum(),
                u64::from(small()[0].0),
            ])
        }),
    ),
    (
        "chapters/histograms/mod.rs",
        "about 0.03 s by histogram at any depth, 28.4 s by least squares",
        Quoted(Packing, "§4.1"),
    ),
    (
        "chapters/histograms/mod.rs",
        "first-fit decreasing, one by one, 87 to 120 s",
        Quoted(Packing, "§4.1"),
    ),
    (
        "chapters/histograms/mod.rs",
        "87 to 120 s for first-fit decreasing, one by one; about 0.03 s",
        Quoted(Packing, "§4.1"),
    ),
    (
        "chapters/histograms/mod.rs",
        "Rounded up to 16 tokens there are 32 of them",
        Is(|| all([16, 512 / 16])),
    ),
    ("chapters/histograms/mod.rs", "multiples of 8 or 16", Name),
    (
        "chapters/histograms/mod.rs",
        "uses 509 (about 600 in the article), and the plan, after a repair that holds each sequence exactly once, 990",
        Is(|| {
            let task = packscope::packing::Task::new(512, Depth::AtMost(3));
            let run = &mut packscope::packing::go_on;
            let packed = Algorithm::Nnlshp.run(&wikipedia(), &task, run).unwrap();
            let plan = packed.listing.plan.strategies().len() as u64;
            all([packed.least_squares.unwrap(), 600, plan])
        }),
    ),
    (
        "chapters/histograms/mod.rs",
        "weights, 0.09 for lengths up to 8 and 1 for all others, change less than 1 %",
        Quoted(Packing, "§3.1.2"),
    ),
    (
        "chapters/histograms/mod.rs",
        "about 600 strategies are used",
        Quoted(Paper::Article, "Figure 4"),
    ),
    (
        "chapters/histograms/mod.rs",
        "a weight of 0.09 for lengths up to 8, which changes less than 1 %",
        Quoted(Packing, "§3.1.2"),
    ),
    (
        "chapters/histograms/mod.rs",
        "24.3 s and 284.0 s for an efficiency of 0.9975 each",
        Quoted(GRAPHCORE, "Readme"),
    ),
    (
        "chapters/histograms/mod.rs",
        "it takes 284 s instead of 24 s for the same 99.75 % of Wikipedia",
        Quoted(GRAPHCORE, "Readme"),
    ),
    (
        "chapters/histograms/mod.rs",
        "made 8,155,055 rows of it instead of 8,155,059, and of SQuAD 40,965 instead of 40,782",
        Quoted(GRAPHCORE, "ennlshp.py"),
    ),
    (
        "chapters/accelerators/curve.rs",
        "The paper says so of its bound, 2.013",
        Quoted(Packing, "§4.4"),
    ),
    (
        "chapters/histograms/mod.rs",
        "at most 512 tokens",
        Is(|| all([wikipedia().max()[0]])),
    ),
    (
        "chapters/limits/mod.rs",
        "best limits at 30 nodes and 62 edges: a harmonic mean of 98.8 %, 11 % more than at the limits of the data, closely followed by 45 and 96",
        Quoted(Tuples, "§3.2"),
    ),
    (
        "chapters/limits/mod.rs",
        "ogbg-molhiv, 222, and the most edges, 502",
        Quoted(Tuples, "Table 1"),
    ),
    (
        "chapters/optimiser/mod.rs",
        "with batches of 1,500 and changed β",
        Quoted(Packing, "§4.2"),
    ),
    (
        "chapters/optimiser/mod.rs",
        "unpacked BERT with 3,000 sequences in an update and changed β fell behind more than packed BERT with 1,500",
        Quoted(Packing, "§4.2"),
    ),
    (
        "chapters/optimiser/mod.rs",
        "names 71.2 % for it in §4.2 and 72.1 % in §4.2.1 and Figure 4",
        Quoted(Packing, "§4.2"),
    ),
    (
        "chapters/optimiser/mod.rs",
        "Wikipedia's 16,279,552 sequences",
        Is(|| vec![count(wikipedia().items())]),
    ),
    (
        "chapters/optimiser/mod.rs",
        "comes nearest to 1,500 sequences",
        Quoted(Packing, "§4.2"),
    ),
    (
        "chapters/optimiser/mod.rs",
        "here {} / 1,500",
        Quoted(Packing, "§4.2"),
    ),
    (
        "chapters/optimiser/mod.rs",
        "As 0.9 to that power",
        Is(|| all([Assumptions::default().beta1])),
    ),
    (
        "chapters/optimiser/mod.rs",
        "six batches make 1,500",
        Is(|| vec![count(6 * 250)]),
    ),
    (
        "chapters/optimiser/mod.rs",
        "packed for BERT, has a factor of 2.0",
        Is(|| {
            vec![format!(
                "{:.1}",
                wikipedia().items() as f64 / packs(Algorithm::Lpfhp) as f64
            )]
        }),
    ),
    (
        "chapters/quality/mod.rs",
        "+11.6 % learning in context, +9.8 % knowledge, +7.2 % use of context",
        Quoted(ZHAO, "the abstract"),
    ),
    (
        "chapters/quality/mod.rs",
        "+4.7 % reading, +16.8 % following the context, +9.2 % writing programs, up to 58.3 % fewer hallucinations",
        Quoted(DING, "the abstract"),
    ),
    (
        "chapters/quality/mod.rs",
        "up to +7 % on GSM8K and +4 % on HumanEval",
        Quoted(DONG, "the abstract"),
    ),
    (
        "chapters/quality/mod.rs",
        "packed at 128 and then at 384 tokens",
        Quoted(Packing, "Tables 2 and 3"),
    ),
    (
        "chapters/quality/mod.rs",
        "speaks of +0.3 for the exact matches",
        Quoted(Packing, "§4.3"),
    ),
    (
        "chapters/quality/mod.rs",
        "F1 fell by 1.31 % and exact matches by 1.15 %",
        Quoted(Packing, "§4.2.1"),
    ),
    (
        "chapters/quality/mod.rs",
        "neurons to 0.025, or to 0 for less than 10,000 texts",
        Quoted(Buckets, "Tables 6 and 8"),
    ),
    (
        "chapters/quality/mod.rs",
        "scores fell by 5.2 % before and by 0.3 % after, summaries by 3.1 and 0.06 in ROUGE-1",
        Quoted(Buckets, "§3.1"),
    ),
    (
        "chapters/quality/mod.rs",
        "gained 0.26 on XSum and 0.30 on CNN/DailyMail",
        Is(|| {
            all([
                format!("{:.2}", 32.84 - 32.58),
                format!("{:.2}", 24.81 - 24.51),
            ])
        }),
    ),
    (
        "chapters/quality/mod.rs",
        "8.62 and 7.77 times as fast",
        Quoted(Buckets, "Tables 1 and 2"),
    ),
    ("chapters/quality/mod.rs", "Scores on SQuAD 1.1 after", Name),
    (
        "chapters/quality/mod.rs",
        "On the 2,500 texts of RTE, Roberta-base did so with a dropout of 0.1",
        Quoted(Buckets, "Figures 1, 5 and 6"),
    ),
    (
        "chapters/quality/mod.rs",
        "lost next to nothing when 40 % of the stopwords",
        Quoted(Buckets, "Figure 4"),
    ),
    (
        "chapters/quality/mod.rs",
        "40 % cost next to nothing",
        Quoted(Buckets, "Figure 4"),
    ),
    (
        "chapters/quality/mod.rs",
        "half within 9 %, only if all random batches are padded to 128 tokens",
        Is(|| {
            let near = packscope::cost::calibrated::SCORES
                .iter()
                .find(|score| score.sources == ["p3"]);
            all([
                format!("{:.0}", near.map_or(1.0, |score| score.median) * 100.0),
                "128".to_owned(),
            ])
        }),
    ),
    (
        "chapters/quality/mod.rs",
        "a mean of 81.98 that is Roberta-base's",
        Quoted(Buckets, "Appendix B, Table 7"),
    ),
    ("chapters/quality/mod.rs", "Zhao et al. 2024", Name),
    ("chapters/quality/mod.rs", "Ding et al. 2024", Name),
    ("chapters/quality/mod.rs", "Wang et al. 2025", Name),
    ("chapters/quality/mod.rs", "Dong et al. 2025", Name),
    (
        "chapters/rectangle.rs",
        "at a maximum length of 512",
        Quoted(Packing, "§1"),
    ),
    (
        "chapters/skew/mod.rs",
        "half of the slots of a row of 512 stay empty, a sixth or so at 128",
        Quoted(Packing, "§2 and the abstract"),
    ),
    (
        "chapters/skew/mod.rs",
        "up to 89 % is padding at 128; the sentences that are counted here make 91.2 %",
        Is(|| {
            let cola = lengths("glue_cola");
            let counted = 100.0 * (1.0 - cola.mean() / 128.0);
            all(["89".to_owned(), "128".to_owned(), format!("{counted:.1}")])
        }),
    ),
    (
        "chapters/skew/mod.rs",
        "up to 89 % of CoLA; sequences made of whole sentences, 10 % of them cut short",
        Quoted(Packing, "§2 and the abstract"),
    ),
    // 120, 76, 140 and 96 tokens are drawn, and 104 more would be 536.
    (
        "chapters/skew/reasons.rs",
        "the next sentence, of 104, has no room",
        Is(|| {
            all([if 120 + 76 + 140 + 96 + 104 > 512 {
                104
            } else {
                0
            }])
        }),
    ),
    (
        "chapters/skew/mod.rs",
        "1.2 and 1.7 for Wikipedia at 128 and 384",
        Quoted(Packing, "§2"),
    ),
    (
        "chapters/skew/mod.rs",
        "A thousand sequences, 128 on average",
        Is(|| all([mean("skew")])),
    ),
    (
        "chapters/skew/mod.rs",
        "2.0 for Wikipedia at 512, 2.2 for SQuAD, 1.6 for QM9; 1.6 for LibriSpeech audio, of which 1.3 were reached",
        Quoted(Packing, "§2"),
    ),
    (
        "chapters/skew/mod.rs",
        "is given as 2.001 and, beside un-padding, as 2.013",
        Quoted(Packing, "§4.1 and §4.4"),
    ),
    (
        "chapters/skew/mod.rs",
        "has a mean of 255.8, which makes 2.001",
        Is(|| {
            let mean = wikipedia().mean();
            vec![format!("{mean:.1}"), format!("{:.3}", 512.0 / mean)]
        }),
    ),
    (
        "chapters/skew/mod.rs",
        "Here are 1,000 [sequences] that always hold 128,000 tokens: **128 on average",
        Is(|| {
            let (items, mean) = (items("skew"), mean("skew"));
            vec![count(items), count(items * mean), mean.to_string()]
        }),
    ),
    (
        "chapters/skew/mod.rs",
        "drag: 999 sequences hardly change",
        Is(|| all([items("skew") - 1])),
    ),
    (
        "chapters/skew/mod.rs",
        "its longest sequence has 66 tokens, and the usual limit is 128",
        Is(|| {
            let limit = packscope::histogram::Preset::find("glue_sst2")
                .unwrap()
                .limit();
            all([lengths("glue_sst2").max()[0], limit])
        }),
    ),
    (
        "chapters/skew/mod.rs",
        "Krell et al. reached 1.3 of a possible 1.6",
        Quoted(Packing, "§2"),
    ),
    (
        "chapters/skew/mod.rs",
        "{} rows instead of 1,000",
        Is(|| vec![count(items("skew"))]),
    ),
    (
        "chapters/skew/rectangle.rs",
        "1,000 rows of {} slots",
        Is(|| vec![count(items("skew"))]),
    ),
    ("chapters/skew/sets.rs", "SQuAD 1.1", Name),
    ("chapters/skew/sets.rs", "10.00×", Name),
    ("chapters/sorting/groups.rs", "GSM8K, batches of 32", Scene),
    (
        "chapters/sorting/mod.rs",
        "sorted batches of Wikipedia are 99.9 % efficient",
        Quoted(Packing, "Table 1"),
    ),
    (
        "chapters/sorting/mod.rs",
        "an overhead of ≫ 100 % and a speed-up of ≪ 1",
        Quoted(Packing, "Table 1"),
    ),
    (
        "chapters/sorting/mod.rs",
        "sorted batches of Wikipedia 99.9 % full",
        Quoted(Packing, "Table 1"),
    ),
    (
        "chapters/sorting/mod.rs",
        "groups of at most 50 batches",
        Quoted(HUGGING_FACE, "trainer_pt_utils.py"),
    ),
    (
        "chapters/sorting/mod.rs",
        "an epoch of GSM8K in batches of 32",
        Scene,
    ),
    ("chapters/watch/mod.rs", "Sequences of 12 tokens", Scene),
    ("chapters/watch/mod.rs", "Sequences of 9 tokens", Scene),
    ("chapters/watch/mod.rs", "Sequences of 8 tokens", Scene),
    ("chapters/watch/mod.rs", "Sequences of 5 tokens", Scene),
    ("chapters/watch/mod.rs", "Sequences of 3 tokens", Scene),
    (
        "chapters/watch/mod.rs",
        "at each depth, in about 0.03 s",
        Quoted(Packing, "§4.1"),
    ),
    (
        "chapters/watch/mod.rs",
        "sixteen million take about 0.03 s",
        Quoted(Packing, "§4.1"),
    ),
    (
        "chapters/watch/mod.rs",
        "on Wikipedia at 512 tokens they make 8,166,708 and 8,138,483 packs",
        Is(|| {
            vec![
                "512".to_owned(),
                count(packs(Algorithm::Spfhp)),
                count(packs(Algorithm::Lpfhp)),
            ]
        }),
    ),
    (
        "chapters/watch/mod.rs",
        "8,166,708 packs instead of 8,138,483",
        Is(|| {
            [Algorithm::Spfhp, Algorithm::Lpfhp]
                .map(|a| count(packs(a)))
                .to_vec()
        }),
    ),
    ("chapters/watch/mod.rs", "Here packs have 20 slots", Scene),
    (
        "chapters/watch/mod.rs",
        "sequences of 12 tokens, {} of 9, {} of 8, {} of 5 and {} of 3",
        Scene,
    ),
    ("chapters/watch/words.rs", "1 sequence waits", Name),
    ("chapters/watch/words.rs", "1 sequence goes in", Name),
    ("chapters/watch/words.rs", "1 sequence is left over", Name),
    ("glossary.rs", "divided by (1 + overhead)", Name),
];

/// Settings that a chapter hands to the tool, and its own data if it has any.
fn opened(id: &str) -> (String, Option<Sizes>) {
    let reader = Reader::opens(id);
    let opens = reader
        .chapter
        .opened(&reader.chapter.context(&reader.state.learn));
    (opens.settings, opens.own.map(|(_, sizes)| sizes))
}

/// The few sequences of the chapter on histograms: (length, sequences), ascending.
fn small() -> Vec<(u32, u64)> {
    let reader = Reader::opens("histograms");
    let asked = (reader.chapter.asks)(&reader.chapter.context(&reader.state.learn));
    let small = asked.into_iter().find_map(|(name, request)| match request {
        Request {
            data: QueryData::Lengths(counts),
            ..
        } if name == "small" => Some(counts),
        _ => None,
    });
    let mut small = small.unwrap();
    small.sort_unstable();
    small
}

/// Sizes and counts of a chapter's own data, ascending.
fn rows(id: &str) -> Vec<Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = match opened(id).1 {
        Some(Sizes::Lengths(lengths)) => lengths
            .entries()
            .iter()
            .map(|([length], n)| vec![*length, *n as u32])
            .collect(),
        Some(Sizes::Graphs(sizes) | Sizes::Texts(sizes)) => sizes
            .entries()
            .iter()
            .map(|([a, b], n)| vec![*a, *b, *n as u32])
            .collect(),
        None => Vec::new(),
    };
    rows.sort();
    rows
}

fn sizes(id: &str) -> Vec<[u32; 2]> {
    // Of lengths the second number is the count.
    rows(id).into_iter().map(|row| [row[0], row[1]]).collect()
}

fn items(id: &str) -> u64 {
    rows(id)
        .iter()
        .map(|row| u64::from(*row.last().unwrap()))
        .sum()
}

fn mean(id: &str) -> u64 {
    let tokens: u64 = rows(id)
        .iter()
        .map(|row| u64::from(row[0]) * u64::from(row[1]))
        .sum();
    tokens / items(id)
}

/// The number that is said to be left of a component beside two of the molecules, if two leave so much and hardly any of
/// the other component.
fn beside(component: usize, said: u32) -> String {
    let (sizes, limits) = (sizes("graphs"), [21u32, 46]);
    let pairs = (0..sizes.len()).flat_map(|a| (0..a).map(move |b| [a, b]));
    let left = |[a, b]: [usize; 2], k: usize| limits[k].checked_sub(sizes[a][k] + sizes[b][k]);
    let is_said = |pair: &[usize; 2]| {
        left(*pair, component) == Some(said)
            && left(*pair, 1 - component).is_some_and(|hardly| hardly <= 4)
    };
    pairs
        .into_iter()
        .find(is_said)
        .map_or_else(|| "no such pair".to_owned(), |_| said.to_string())
}

fn chapter_of(file: &str) -> Option<&'static Chapter> {
    let name = file
        .strip_prefix("chapters/")?
        .split(['/', '.'])
        .next()?
        .replace('_', "-");
    CHAPTERS.iter().copied().find(|chapter| chapter.id == name)
}

/// The string literals of a source; placeholders are `{}`.
fn literals(source: &str) -> Vec<String> {
    let (mut chars, mut found) = (source.chars().peekable(), Vec::new());
    let mut last = ' ';
    while let Some(c) = chars.next() {
        match c {
            '/' if last == '/' => while chars.next_if(|c| *c != '\n').is_some() {},
            '\'' => {
                // A character, or a lifetime.
                let ahead: Vec<char> = chars.clone().take(2).collect();
                if ahead.first() == Some(&'\\') {
                    chars.next();
                    chars.next();
                    while chars.next().is_some_and(|c| c != '\'') {}
                } else if ahead.get(1) == Some(&'\'') {
                    chars.nth(1);
                }
            }
            '"' => {
                let mut text = String::new();
                while let Some(c) = chars.next_if(|c| *c != '"') {
                    match c {
                        '\\' => match chars.next() {
                            Some('\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                            Some('u') => {
                                while chars.next().is_some_and(|c| c != '}') {}
                                text.push(' ');
                            }
                            Some(c) => text.push(c),
                            None => {}
                        },
                        _ => text.push(c),
                    }
                }
                chars.next();
                found.push(plain(&text));
            }
            _ => {}
        }
        last = c;
    }
    found
}

/// A text with `{}` for every placeholder, knob and figure.
fn plain(text: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0);
    for c in text.chars() {
        match c {
            '{' => {
                depth += 1;
                out.push_str(if depth == 1 { "{}" } else { "" });
            }
            '}' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// The numerals of a text, by place: digits that are no part of a word such as `SST-2`.
fn numerals(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(at) = text[from..]
        .find(|c: char| c.is_ascii_digit())
        .map(|at| from + at)
    {
        let rest = &text[at..];
        let end = rest
            .find(|c: char| !(c.is_ascii_digit() || ".,".contains(c)))
            .unwrap_or(rest.len());
        let numeral = rest[..end].trim_end_matches(['.', ',']);
        let before = text[..at].chars().next_back();
        let after = rest[numeral.len()..].chars().next();
        let word = before.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '_')
            || after.is_some_and(|c| c.is_alphabetic() && c != 's' || c == '_');
        if !word {
            found.push((at, numeral));
        }
        from = at + end;
    }
    found
}

/// Whether a literal is no prose: an address, a name in the program, the place of a citation.
fn is_code(text: &str) -> bool {
    let program =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_&=.:,{}%/-^".contains(c);
    text.chars().all(program)
        || ["§", "Table", "Appendix", "Figure"]
            .iter()
            .any(|head| text.starts_with(head))
}

fn sources() -> Vec<(String, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/learn");
    let (mut folders, mut found): (Vec<PathBuf>, Vec<_>) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let file = path
                .strip_prefix(&root)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            // Titles of papers have years.
            if file != "papers.rs" {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((
                    file,
                    literals(&text)
                        .into_iter()
                        .filter(|text| !is_code(text))
                        .collect(),
                ));
            }
        }
    }
    assert!(found.len() > 30);
    found
}

#[test]
fn every_numeral_in_prose_is_computed_or_quoted() {
    let sources = sources();
    let mut unknown = Vec::new();
    for (file, texts) in &sources {
        for text in texts {
            let spans: Vec<_> = KNOWN
                .iter()
                .filter(|(at, ..)| at == file)
                .flat_map(|(_, words, _)| {
                    text.match_indices(words)
                        .map(|(at, words)| at..at + words.len())
                })
                .collect();
            for (at, numeral) in numerals(text) {
                if !spans.iter().any(|span| span.contains(&at)) {
                    unknown.push(format!("{file}: {numeral} in {text:?}"));
                }
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "neither computed nor quoted:\n{}",
        unknown.join("\n")
    );
    for (file, words, _) in KNOWN {
        let there = sources
            .iter()
            .filter(|(at, _)| at == file)
            .any(|(_, texts)| texts.iter().any(|t| t.contains(words)));
        assert!(there, "{file} no longer says {words:?}");
    }
}

#[test]
fn what_is_known_of_numerals_is_true() {
    for (file, words, why) in KNOWN {
        let said: Vec<&str> = numerals(words)
            .into_iter()
            .map(|(_, numeral)| numeral)
            .collect();
        assert!(!said.is_empty(), "{words:?} has no numeral");
        let chapter = || chapter_of(file).unwrap_or_else(|| panic!("{file} is of no chapter"));
        match why {
            Name => {}
            Quoted(paper, section) => {
                let cites = chapter()
                    .sources
                    .iter()
                    .any(|s| s.paper == *paper && s.at.contains(section));
                assert!(cites, "{file} quotes {words:?} without citing {section}");
            }
            Is(computed) => assert_eq!(said, computed(), "{file}: {words:?}"),
            Scene => {
                let (settings, _) = opened(chapter().id);
                let settings: Vec<&str> = settings.split(['=', '&']).collect();
                let own = rows(chapter().id);
                for numeral in said {
                    let size = |row: &Vec<u32>| {
                        row[..row.len() - 1]
                            .iter()
                            .any(|n| n.to_string() == numeral)
                    };
                    assert!(
                        own.iter().any(size) || settings.contains(&numeral),
                        "{file}: {numeral} in {words:?}"
                    );
                }
            }
        }
    }
}

/// Names of algorithms and samplers in texts are those of the tables: not "best fit decreasing" here and "best-fit
/// decreasing" there.
#[test]
fn names_have_one_spelling() {
    use packscope::packing::tuple;
    use packscope::sampler::Sampler;
    let tables = [
        Algorithm::ALL
            .map(|a| [a.long_name(), a.short_name(), a.name()])
            .to_vec(),
        tuple::TupleAlgorithm::ALL
            .map(|a| [a.long_name(), a.short_name(), a.name()])
            .to_vec(),
        Sampler::ALL
            .map(|s| [s.long_name(), s.short_name(), s.name()])
            .to_vec(),
    ];
    let known: Vec<String> = tables
        .iter()
        .flatten()
        .flatten()
        .map(|name| name.to_lowercase())
        .collect();
    let folded = |text: &str| text.to_lowercase().replace('-', " ");
    let names: Vec<String> = known
        .iter()
        .filter(|n| n.contains(['-', ' ']) && !n.contains('{'))
        .map(|n| folded(n))
        .collect();
    let mut wrong = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|end| end != "rs") {
                continue;
            }
            for text in literals(&std::fs::read_to_string(&path).unwrap()) {
                // Lower case may change the length of a text in other scripts, not in ours.
                let (low, spaced) = (text.to_lowercase(), folded(&text));
                for name in &names {
                    let found = spaced
                        .match_indices(name.as_str())
                        .filter_map(|(at, _)| low.get(at..at + name.len()));
                    wrong.extend(
                        found
                            .filter(|as_written| !known.iter().any(|k| k == as_written))
                            .map(|as_written| {
                                format!("{}: {as_written:?} in {text:?}", path.display())
                            }),
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
