//! Cases: a training as it is set up now, and model and hardware that suit data where nobody names them.

use super::limits::Losses;
use super::price::Pricer;
use crate::api::limits::practical;
use crate::api::tuple;
use crate::cost::presets::{self, Preset};
use crate::cost::{Assumptions, Memory, Overhead, Training, Transformer, Workload, largest_batch};
use crate::histogram::{Histogram, Overlong, Size};
use crate::packing::{Algorithm, Depth};
use crate::supervision::Curves;
use crate::trainer::SettingValue;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Model, accelerators, and what keeping packed sequences apart costs.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Hardware {
    /// The model, the accelerators with their number and price, and how the training uses them.
    pub assumptions: Assumptions,
    /// The measured cost of masking, where rows are computed in whole.
    pub overhead: Overhead,
}

/// Which tokens of the sequences bear loss, the same for many cases. Two are equal where they are one in memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SharedCurves(pub Arc<Curves>);

// Comparing all limits would be code, and time, wherever a page compares cases.
impl PartialEq for SharedCurves {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A training on sequences as it is set up now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The library that packs or pads, by its name on the command line; `None`: shuffled batches, each padded to its
    /// longest sequence.
    pub library: Option<String>,
    /// Values that replace the library's defaults.
    pub settings: Vec<SettingValue>,
    /// The maximum sequence length, tokens.
    pub limit: u32,
    /// Model and accelerators.
    pub hardware: Hardware,
    /// Batches without a library.
    pub loader: LoaderCase,
    /// The unit of lengths, plural, as sentences name it.
    pub unit: String,
    /// Tokens of a step of all accelerators, the same for all candidates; `None`: those of what is set now, but at least a
    /// row of the limit for each accelerator, so that rows of packed sequences can keep to it.
    pub batch_tokens: Option<u64>,
    /// The seed of the order of arrival, and of the simulation of waiting.
    pub seed: u64,
    /// Which tokens bear loss, of the same sequences; `None` where that is not known, and every token counts. Losses are then
    /// shares of the supervised tokens. Not part of a serialized case: whoever has the sequences has them too.
    #[serde(skip)]
    pub supervision: Option<SharedCurves>,
}

/// A training without a library: batches of single sequences, and what is set to be tried in their place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoaderCase {
    /// Sequences of a batch of one accelerator, of which the memory may hold fewer.
    pub rows: u32,
    /// The policy for sequences that are longer than the limit.
    pub overlong: Overlong,
    /// A packing that is tried beside the usual ones. Where it is as good as they are, it is the smaller change.
    pub packing: Option<(Algorithm, Depth)>,
    /// Whether the order of the sequences has to stay random, as training wants it and inference does not.
    pub shuffles: bool,
}

impl Default for LoaderCase {
    fn default() -> Self {
        Self {
            rows: USUAL_ROWS,
            overlong: Overlong::Truncate,
            packing: None,
            shuffles: true,
        }
    }
}

/// A training on graphs as it is set up now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphCase {
    /// The loader, by its name on the command line; `None`: PyTorch Geometric's `DataLoader`, which pads nothing.
    pub loader: Option<String>,
    /// Values that replace the loader's defaults.
    pub settings: Vec<SettingValue>,
    /// Slots of a batch for nodes and for edges, for loaders that pad.
    pub limits: Size<2>,
    /// Model and accelerators.
    pub hardware: Hardware,
    /// Graphs of a batch of a loader without limits.
    pub batch: u32,
    /// Packs for shapes that are fixed once, those that are set first. Without a loader, they are weighed against each
    /// other; where the accelerator knows no other shapes, against single graphs that are padded to the limits.
    pub packs: Vec<tuple::Settings>,
    /// The seed of the order of arrival.
    pub seed: u64,
}

/// Rows of a batch at least: a batch of one row has nothing to be padded to.
const LEAST_ROWS: u32 = 2;
/// Rows of a batch at most, where nobody sets another number.
pub(super) const USUAL_ROWS: u32 = 64;
/// Tokens that BERT reads at most.
const BERT_LIMIT: u32 = 512;
/// Models for data that BERT cannot read, the largest first.
const LONG_MODELS: [&str; 3] = ["llama-3.1-8b", "llama-3.2-3b", "llama-3.2-1b"];

impl GraphCase {
    /// Returns what prices the candidates of this case.
    pub(super) fn pricer(&self) -> Pricer<'_> {
        let workload = Workload::Gnn(self.hardware.assumptions.gnn);
        self.hardware.pricer(workload, self.seed)
    }
}

impl Hardware {
    fn pricer(&self, workload: Workload, seed: u64) -> Pricer<'_> {
        Pricer::new(&self.assumptions, workload, self.overhead, seed)
    }
}

impl Case {
    /// Returns what prices the candidates of this case.
    pub(super) fn pricer(&self) -> Pricer<'_> {
        let workload = Workload::Transformer(self.hardware.assumptions.transformer);
        let pricer = self.hardware.pricer(workload, self.seed);
        pricer.supervised(self.curves())
    }

    /// Returns what limits lose of these sequences under a policy.
    pub(super) fn losses<'a>(
        &'a self,
        lengths: &'a Histogram<1>,
        overlong: Overlong,
    ) -> Losses<'a> {
        Losses {
            lengths,
            overlong,
            supervision: self.curves(),
        }
    }

    /// Returns which tokens bear loss, where that is known.
    pub(super) fn curves(&self) -> Option<&Curves> {
        self.supervision.as_ref().map(|shared| &*shared.0)
    }

    /// Returns the unit of what is lost, in the plural: supervised tokens where they are known.
    pub(super) fn lost_unit(&self) -> String {
        match self.supervision {
            Some(_) => format!("supervised {}", self.unit),
            None => self.unit.clone(),
        }
    }

    /// Creates a case with the [usual limit](usual_limit) and the usual hardware, with weights shared out if they have to be.
    pub fn new(data: &Histogram<1>, library: Option<&str>) -> Self {
        let limit = usual_limit(data);
        let usual = Assumptions::default();
        let transformer = suited_model(limit, library).value;
        let assumptions = Assumptions {
            transformer,
            ..usual
        };
        Self {
            library: library.map(str::to_owned),
            settings: Vec::new(),
            limit,
            hardware: Hardware {
                assumptions: shared_out(&assumptions, limit),
                ..Hardware::default()
            },
            loader: LoaderCase::default(),
            unit: "tokens".to_owned(),
            batch_tokens: None,
            seed: 0,
            supervision: None,
        }
    }
}

/// Returns the limit that is assumed where nobody names one: the smallest power of two that holds 99 % of the sequences
/// whole, or the longest sequence if that is shorter, rounded up to a multiple of 64, or of 8 below.
pub fn usual_limit(data: &Histogram<1>) -> u32 {
    let limit = practical(data);
    let multiple = if limit < 64 { 8 } else { 64 };
    limit.checked_next_multiple_of(multiple).unwrap_or(limit)
}

/// Returns the model that is assumed where nobody names one: ModernBERT for its own loader; BERT large for sequences that
/// it can read, where no library for language models is named; else the largest Llama of which two rows of the limit fit
/// eight A100 of 80 GB.
pub fn suited_model(limit: u32, library: Option<&str>) -> &'static Preset<Transformer> {
    let first = &presets::TRANSFORMERS[0];
    let named = |id: &str| presets::named(presets::TRANSFORMERS, id);
    match library {
        Some("modernbert") => return named("modernbert-base").unwrap_or(first),
        None if limit <= BERT_LIMIT => return named("bert-large").unwrap_or(first),
        _ => {}
    }
    let mut long = LONG_MODELS.iter().filter_map(|id| named(id));
    let fits = |model: &&Preset<Transformer>| {
        largest_batch(
            &Workload::Transformer(model.value),
            &Assumptions::default(),
            limit,
            LEAST_ROWS..=USUAL_ROWS,
        )
        .is_some_and(|batch| batch.rows >= LEAST_ROWS)
    };
    // None fits: the smallest comes nearest.
    let last = long.clone().next_back();
    long.find(fits).or(last).unwrap_or(first)
}

/// Returns the assumptions with weights shared out over the accelerators where fewer than two rows of the limit fit one
/// otherwise.
pub fn shared_out(assumptions: &Assumptions, limit: u32) -> Assumptions {
    let workload = Workload::Transformer(assumptions.transformer);
    let alone = Memory::new(&workload, assumptions, 0.0).most_slots;
    let few = alone < f64::from(LEAST_ROWS) * f64::from(limit);
    let sharded = assumptions.training.sharded || few && assumptions.accelerators > 1;
    Assumptions {
        training: Training {
            sharded,
            ..assumptions.training
        },
        ..*assumptions
    }
}
