//! Lines to paste into a training, written from the present settings. Packscope's tests execute them, except settings
//! of trainers, whose names they check against the documentation ([`Snippet::executed`]).

mod apply;
mod batches;
mod counts;
mod graphs;
mod literal;
mod ranks;
mod sequences;
mod trainers;

pub use counts::{DataLocation, SizeColumn};
pub(super) use literal::comment;
pub use trainers::WINDOW_LOSS;

use crate::api::ranks as of_ranks;
use crate::api::{self, batch, tuple};
use crate::cost::{Assumptions, Regimes};
use crate::error::{Error, Result, named};
use crate::metrics::Figures;
use crate::sampler::Sampler;

/// The tool that a snippet is for, and what it does there. Variants stand in the order shown to
/// people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// PyTorch: packs, collator, mask, loss.
    Torch,
    /// PyTorch Geometric: a sampler.
    Pyg,
    /// DGL: a sampler.
    Dgl,
    /// jraph: budgets and batches.
    Jraph,
    /// PyTorch: BucketSampler.
    Bucket,
    /// PyTorch: length-grouped batches.
    LengthGrouped,
    /// PyTorch: batches by buckets of length.
    BucketByLength,
    /// PyTorch: batches up to a number of slots.
    TokenBudget,
    /// PyTorch: batches of packed rows.
    Packed,
    /// PyTorch: the micro-batches of a rank; or the settings of the library that deals.
    Ranks,
    /// TRL's settings.
    Trl,
    /// Settings of NeMo and Megatron Bridge.
    Nemo,
    /// axolotl's settings.
    Axolotl,
    /// Settings of the optimiser.
    Optimiser,
    /// The plan applied with NumPy.
    Numpy,
    /// The plan applied with Polars.
    Polars,
    /// The plan applied with DuckDB.
    DuckDb,
    /// The plan applied with Spark.
    Spark,
    /// The histogram made by DuckDB.
    CountDuckDb,
    /// The histogram made by Polars.
    CountPolars,
    /// The histogram made by Spark.
    CountSpark,
    /// The histogram made by Hugging Face datasets.
    CountDatasets,
}

impl Tool {
    /// Every tool, in the order shown to people.
    pub const ALL: [Self; 22] = [
        Self::Torch,
        Self::Pyg,
        Self::Dgl,
        Self::Jraph,
        Self::Bucket,
        Self::LengthGrouped,
        Self::BucketByLength,
        Self::TokenBudget,
        Self::Packed,
        Self::Ranks,
        Self::Trl,
        Self::Nemo,
        Self::Axolotl,
        Self::Optimiser,
        Self::Numpy,
        Self::Polars,
        Self::DuckDb,
        Self::Spark,
        Self::CountDuckDb,
        Self::CountPolars,
        Self::CountSpark,
        Self::CountDatasets,
    ];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Torch => "pytorch",
            Self::Pyg => "pyg",
            Self::Dgl => "dgl",
            Self::Jraph => "jraph",
            Self::Bucket => "bucket-sampler",
            Self::LengthGrouped => "length-grouped",
            Self::BucketByLength => "bucket-by-length",
            Self::TokenBudget => "token-budget",
            Self::Packed => "packed",
            Self::Ranks => "ranks",
            Self::Trl => "trl",
            Self::Nemo => "nemo",
            Self::Axolotl => "axolotl",
            Self::Optimiser => "optimiser",
            Self::Numpy => "numpy",
            Self::Polars => "polars",
            Self::DuckDb => "duckdb",
            Self::Spark => "spark",
            Self::CountDuckDb => "count-duckdb",
            Self::CountPolars => "count-polars",
            Self::CountSpark => "count-spark",
            Self::CountDatasets => "count-datasets",
        }
    }

    /// Returns the name on the page.
    pub fn title(self) -> &'static str {
        match self {
            Self::Torch => "PyTorch",
            Self::Pyg => "PyTorch Geometric",
            Self::Dgl => "DGL",
            Self::Jraph => "jraph",
            Self::Bucket => "PyTorch: BucketSampler",
            Self::LengthGrouped => "PyTorch: length-grouped",
            Self::BucketByLength => "PyTorch: bucket by length",
            Self::TokenBudget => "PyTorch: token budget",
            Self::Packed => "PyTorch: packed rows",
            Self::Ranks => "Ranks",
            Self::Trl => "TRL",
            Self::Nemo => "NeMo, Megatron",
            Self::Axolotl => "axolotl",
            Self::Optimiser => "Optimiser",
            Self::Numpy => "NumPy",
            Self::Polars | Self::CountPolars => "Polars",
            Self::DuckDb | Self::CountDuckDb => "DuckDB",
            Self::Spark | Self::CountSpark => "Spark",
            Self::CountDatasets => "datasets",
        }
    }

    /// Returns the sampler that it writes; `None` if it does not write batches.
    pub fn sampler(self) -> Option<Sampler> {
        match self {
            Self::Bucket => Some(Sampler::Bucket),
            Self::LengthGrouped => Some(Sampler::LengthGrouped),
            Self::BucketByLength => Some(Sampler::BucketByLength),
            Self::TokenBudget => Some(Sampler::TokenBudget),
            Self::Packed => Some(Sampler::Packed),
            _ => None,
        }
    }

    /// Whether it makes the histogram where the data are, rather than using a plan.
    pub fn counts(self) -> bool {
        matches!(
            self,
            Self::CountDuckDb | Self::CountPolars | Self::CountSpark | Self::CountDatasets
        )
    }
}

impl std::str::FromStr for Tool {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        // PyTorch is imported as `torch`.
        let s = if s == "torch" { Self::Torch.name() } else { s };
        named("tool", s, &Self::ALL, Self::name)
    }
}

/// Code that follows from the settings, ready to paste.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The tool that runs it.
    pub tool: Tool,
    /// `python`, `sql`, `yaml` or `shell`.
    pub language: &'static str,
    /// The lines to paste.
    pub text: String,
    /// Remarks: requirements, and the limits of the tool.
    pub notes: Vec<String>,
    /// Whether Packscope's tests execute lines like these; otherwise they check the names in them.
    pub executed: bool,
}

/// The view that lines are written for, with its settings.
#[derive(Debug, Clone, Copy)]
pub enum SnippetSetting<'a> {
    /// Packs of sequences.
    Sequences {
        /// The packing settings.
        settings: &'a api::Settings,
        /// The figures of the plan.
        figures: &'a Figures,
    },
    /// Packs of graphs.
    Graphs {
        /// The packing settings.
        settings: &'a tuple::Settings,
        /// The figures of the plan.
        figures: &'a Figures,
    },
    /// Batches of sequences.
    Batches {
        /// The batching settings.
        settings: &'a batch::Settings,
    },
    /// Steps dealt to ranks.
    Ranks {
        /// The settings of ranks.
        settings: &'a of_ranks::Settings,
    },
}

/// All that lines depend on.
#[derive(Debug, Clone, Copy)]
pub struct SnippetContext<'a> {
    /// Name of the data: any text.
    pub data: &'a str,
    /// The file of the plan: see [`Document::json`](super::Document::json).
    pub plan: &'a str,
    /// The view and its settings.
    pub setting: SnippetSetting<'a>,
    /// Rows of an accelerator in a step, before packing.
    pub batch: u32,
    /// The assumptions about the training.
    pub assumptions: &'a Assumptions,
    /// Where the data are that lines count.
    pub lives: &'a DataLocation,
}

impl SnippetContext<'_> {
    /// Returns the first line: the data and the settings that the snippet was written for.
    fn about(&self, words: &str) -> String {
        format!("{}: {words}", literal::comment(self.data))
    }

    /// Returns the effect of packing on the optimiser.
    fn regimes(&self, figures: &Figures) -> Regimes {
        Regimes::from_figures(figures, self.batch, self.assumptions)
    }

    /// Returns the rows of an accelerator that hold as many sequences as before.
    fn rows(&self, figures: &Figures) -> u32 {
        // An update keeps its sequences, so that the learning rate can stay.
        ((f64::from(self.batch) / figures.packing_factor).round() as u32).max(1)
    }
}

/// Returns all snippets for a view and its settings, in the order shown to people.
pub fn snippets(context: &SnippetContext) -> Vec<Snippet> {
    let mut all = match context.setting {
        SnippetSetting::Sequences { settings, figures } if settings.algorithm.fills_rows() => {
            sequences::sequence_snippets(context, settings, figures)
        }
        // Sorted rows are no packs: there is no plan to apply.
        SnippetSetting::Sequences { .. } => Vec::new(),
        SnippetSetting::Graphs { settings, figures } => {
            graphs::graph_snippets(context, settings, figures)
        }
        SnippetSetting::Batches { settings } => batches::batch_snippets(context, settings),
        SnippetSetting::Ranks { settings } => ranks::rank_snippets(context, settings),
    };
    all.extend(counts::count_snippets(context.lives));
    // In the order of the variants of `Tool`, whatever view they come from.
    all.sort_by_key(|snippet| snippet.tool);
    all
}

/// Returns only the snippets that make the histogram.
pub fn counts(lives: &DataLocation) -> Vec<Snippet> {
    counts::count_snippets(lives)
}

/// Returns the snippet for one tool.
///
/// # Errors
/// [`Error::UnknownName`] with the tools available for these settings; where a library deals, those of its settings.
pub fn snippet_for(context: &SnippetContext, tool: Tool) -> Result<Snippet> {
    if let (Tool::Ranks, SnippetSetting::Ranks { settings }) = (tool, context.setting) {
        ranks::check(settings)?;
    }
    let mut all = snippets(context);
    match all.iter().position(|snippet| snippet.tool == tool) {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(Error::UnknownName {
            kind: "tool for these settings",
            name: tool.name().to_owned(),
            expected: all
                .iter()
                .map(|s| s.tool.name())
                .collect::<Vec<_>>()
                .join(", "),
        }),
    }
}
