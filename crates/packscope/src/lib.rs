//! How much of a model's training is padding, and the packing that cures it.
//!
//! Sequences and graphs come in many sizes, but accelerators need rectangles, whose empty parts are padding. Packscope
//! measures the padding, packs items into rows of a fixed size, and says how far a plan can be from the best one.
//!
//! One idea underlies all of it: the engine works on a [`Histogram`], the number of items of each size, and never on
//! the items. Sixteen million sequences become 512 numbers, packed in milliseconds.
//!
//! ```
//! use packscope::{Algorithm, Depth, Request, Settings, go_on, run};
//!
//! // (length, sequences), much like BERT's Wikipedia data: many short ones, and a quarter that was cut at 512.
//! let shorter = (1..512).map(|length| (length, 30_000 - 40 * u64::from(length)));
//! let counts = shorter.chain([(512, 3_800_000)]).collect();
//! let (depth, algorithm) = (Depth::AtMost(3), Algorithm::AverageTarget);
//! let settings = Settings { limit: 512, depth, algorithm, ..Settings::default() };
//! let report = run(&Request { counts, settings, listed: 10 }, &mut go_on)?;
//!
//! let figures = &report.figures;
//! // Efficiency with one sequence a row, and with at most three.
//! assert_eq!(format!("{:.3}", figures.baseline_efficiency[0]), "0.574");
//! assert_eq!(format!("{:.3}", figures.efficiency[0]), "0.997");
//! assert_eq!(figures.packs, 8_002_787);
//! // No plan has fewer packs than this.
//! assert_eq!(figures.lower_bound, Some(7_979_980));
//! # Ok::<(), packscope::Error>(())
//! ```
//!
//! [`run`] does everything at once and returns figures; an [`Algorithm`] by itself packs a [`Histogram`] into a
//! [`Plan`]:
//!
//! ```
//! use packscope::{Algorithm, Depth, Histogram};
//!
//! let histogram = Histogram::from_lengths([(300, 2), (200, 2), (12, 1)])?;
//! let plan = Algorithm::Lpfhp.pack(&histogram, 512, Depth::Unlimited)?;
//! assert_eq!(plan.packs(), 2);
//! assert_eq!(plan.strategies()[0].runs, [([300], 1), ([200], 1), ([12], 1)]);
//! # Ok::<(), packscope::Error>(())
//! ```
//!
//! # Algorithms for sequences
//!
//! Every plan is recounted before it is returned: each item is in exactly one pack, and no pack exceeds the limit or
//! the depth. Only [`Greedy`](Algorithm::Greedy) goes item by item: the time of all others depends on the number of
//! distinct lengths, and hardly on the number of items. Guarantees are in packs; multiples of the fewest packs hold at
//! unlimited depth.
//!
//! | [`Algorithm`] | guarantee | source |
//! |---|---|---|
//! | [`Optimal`](Algorithm::Optimal) | a bound with its proof beside the plan, which has the fewest packs if it meets the bound | column generation: Gilmore and Gomory 1961; rounding: Wäscher and Gau 1996, Belov and Scheithauer 2002 |
//! | [`AverageTarget`](Algorithm::AverageTarget) | never more than `Lpfhp` | ours |
//! | [`Nnlshp`](Algorithm::Nnlshp) | at most three items a pack, and no more packs than the published repair | Krell et al. 2022 (a), §3.1.2; the repair that covers every item exactly is ours |
//! | [`Lpfhp`](Algorithm::Lpfhp) | the fewest at depth 2; as many as `BestFitDecreasing` at unlimited depth | Krell et al. 2022 (a), appendix |
//! | [`BestFitDecreasing`](Algorithm::BestFitDecreasing) | at most 11/9 of the fewest, + 4 | Johnson 1973, Johnson et al. 1974 |
//! | [`FirstFitDecreasing`](Algorithm::FirstFitDecreasing) | at most 11/9 of the fewest, + 2/3 | Johnson 1973, Dósa 2007 |
//! | [`Spfhp`](Algorithm::Spfhp) | none: many short items may get a pack each | Krell et al. 2022 (a), §3.1.1 and appendix |
//! | [`Greedy`](Algorithm::Greedy) | at most twice the fewest, in any order of arrival | next fit: Johnson 1973; Krell et al. 2022 (a), Table 1 |
//! | [`None`](Algorithm::None) | one item a pack: the baseline | |
//! | [`Sort`](Algorithm::Sort) | no packing: batches of like length, padded to the longest | Krell et al. 2022 (a), Table 1 |
//!
//! # Algorithms for graphs
//!
//! [`packing::tuple`] packs under one to three limits at once, such as nodes and edges.
//!
//! | [`TupleAlgorithm`](packing::tuple::TupleAlgorithm) | guarantee | source |
//! |---|---|---|
//! | [`Optimal`](packing::tuple::TupleAlgorithm::Optimal) | a bound beside the plan, with its proof if limits are not too large; the plan has the fewest packs if it meets the bound | Gilmore and Gomory 1965 |
//! | [`Search`](packing::tuple::TupleAlgorithm::Search) | the fewest packs of `BestFit` by several heuristics and of many other plans | ours; weighted heuristics: Krell et al. 2022 (b), §2.3 |
//! | [`BestFit`](packing::tuple::TupleAlgorithm::BestFit) | every pack keeps to all limits | Krell et al. 2022 (b), §2.4; repeats and closed packs are ours |
//! | [`FirstFit`](packing::tuple::TupleAlgorithm::FirstFit) | every pack keeps to all limits | Krell et al. 2022 (b), §2.4, which calls worst fit by this name; repeats and closed packs are ours |
//! | [`BestFitPublished`](packing::tuple::TupleAlgorithm::BestFitPublished) | the packs of the published code, except with the heuristic "minimum", which was a maximum there | Krell et al. 2022 (b), §2.4 and Listing 2 |
//! | [`NodesOnly`](packing::tuple::TupleAlgorithm::NodesOnly), [`EdgesOnly`](packing::tuple::TupleAlgorithm::EdgesOnly) | keep to one limit, and ignore the other | Krell et al. 2022 (b): baselines |
//! | [`None`](packing::tuple::TupleAlgorithm::None) | one item a pack: the baseline | |
//!
//! (a) Krell, Kosec, Perez, Fitzgibbon, *Efficient Sequence Packing without Cross-contamination* (arXiv 2107.02027).
//! (b) Krell, Lopez, Anand, Helal, Fitzgibbon, *Tuple Packing: Efficient Batching of Small Graphs in Graph Neural
//! Networks* (arXiv 2209.06354).
//!
//! # Where to go on
//!
//! | | |
//! |---|---|
//! | efficiency, and distance from the best plan | [`api`] for one [`Report`] of everything, [`metrics`] for its figures, [`bounds`] |
//! | sizes from files (feature `files`) | `ingest::read` for bytes, `ingest::open` for files, `ingest::parquet::open` for Parquet, Arrow and Megatron as well |
//! | sequences longer than the limit | [`Histogram::fit`], [`Overlong`] |
//! | batches of like length instead of packs | [`sampler`], [`api::batch`] |
//! | the choice of limits | [`api::limits`] for sequences, with the losses at each limit; [`sweep`] for graphs |
//! | graphs, pairs, and other items of several sizes | [`api::tuple`], [`packing::tuple`] |
//! | training libraries on the same data, with their settings and losses | [`api::trainer`] to ask; [`trainer`] for libraries, settings and algorithms |
//! | which tokens train, at every limit, and how much they weigh in the loss | [`supervision`] |
//! | time and money on accelerators, estimated | [`cost`], [`api::speedup`] |
//! | the pack of every item, a plan as a file | [`export::Assigner`], [`export::Document`] |
//! | an algorithm's decisions, one by one | [`packing::watch`] |
//!
//! Short programs to start with are in `examples`: `cargo run --package packscope --example pack`, `assign`, `prove`, `graphs`, `batches`,
//! `sweep`. Searches take twelve times as long in builds without optimisation: while you debug your own code,
//! `[profile.dev.package.packscope] opt-level = 2` in its `Cargo.toml` keeps this crate fast.
//!
//! The same input gives the same output on every machine: the engine uses no clock, threads or random hash order, it
//! reads files only with the feature `files`, and all draws take a seed. Searches count steps, report their progress
//! and can be stopped ([`Progress`]), in which case they return their best result so far.
//!
//! # Features
//!
//! No feature is on by default; without `files`, the engine reads no files.
//!
//! | | |
//! |---|---|
//! | `files` | `ingest`: histograms from tables, JSON, plain text, NumPy, gzip, ZIP, TU folders, edge lists; `tokens`: records as templates; in `export`, the assignment of items while they are read |
//! | `parquet`, `tokenizer` | Parquet, Arrow, indices of Megatron and fairseq, and zstd among these files; texts counted with the tokenizer of a model |
//!
//! Drawings are in `packscope-chart`, the command line in `packscope-cli`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

pub mod advice;
pub mod api;
pub mod bounds;
pub mod cost;
pub mod export;
#[doc(hidden)]
pub mod lp;
pub mod metrics;
pub mod packing;
pub mod plan;
pub mod ranks;
pub mod sampler;
pub mod shapes;
pub mod supervision;
pub mod sweep;
pub mod trainer;

#[doc(no_inline)]
pub use packscope_core::{accepts, names, order, words};
#[doc(inline)]
pub use packscope_core::{error, histogram, rng};
#[cfg(feature = "files")]
#[doc(inline)]
pub use packscope_files::{config, formula, ingest, tokens};

#[doc(inline)]
pub use api::{Report, Request, Settings, run};
#[doc(inline)]
pub use error::{Error, Result};
#[doc(inline)]
pub use histogram::{Histogram, Overlong};
#[doc(inline)]
pub use packing::{Algorithm, Depth, Progress, Step, go_on};
#[doc(inline)]
pub use plan::Plan;
