//! Every number behind an estimate, with name, unit and range: the list used by page, address and command line.

use super::presets::{firsts, seconds};
use super::{Assumptions, RowExecution, Tuning};
use crate::accepts::number;
use crate::error::{Error, Result, named};

/// The unit of a number. Values are in the unit without prefix; displayed and typed numbers are scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldUnit {
    /// A count of something.
    Count(&'static str),
    /// A share, 0 to 1; percent on screen.
    Share,
    /// Operations per second; TFLOP/s on screen.
    Operations,
    /// Bytes per second; GB/s on screen.
    Bandwidth,
    /// Bytes; GB on screen.
    Memory,
    /// Bytes for each item of this kind.
    Bytes(&'static str),
    /// Watts.
    Power,
    /// Seconds; milliseconds on screen.
    Time,
    /// Money for an hour of an accelerator.
    Price,
    /// A plain number.
    Number,
    /// 0 or 1: yes or no.
    Switch,
    /// The index of a name in this list.
    Choice(&'static [&'static str]),
}

impl FieldUnit {
    /// Converts a typed number to a value in the plain unit.
    pub fn plain(self, number: f64) -> f64 {
        tidy(number * self.displayed_unit().1)
    }

    /// Converts a value in the plain unit to the displayed number.
    pub fn number(self, value: f64) -> f64 {
        tidy(value / self.displayed_unit().1)
    }

    /// Returns the displayed unit, and its size in the plain unit.
    pub fn displayed_unit(self) -> (&'static str, f64) {
        match self {
            Self::Count(of) => (of, 1.0),
            Self::Share => ("%", 0.01),
            Self::Operations => ("TFLOP/s", 1e12),
            Self::Bandwidth => ("GB/s", 1e9),
            Self::Memory => ("GB", 1e9),
            Self::Bytes(of) => (of, 1.0),
            Self::Power => ("W", 1.0),
            Self::Time => ("ms", 1e-3),
            Self::Price => ("per hour", 1.0),
            Self::Number | Self::Switch | Self::Choice(_) => ("", 1.0),
        }
    }
}

/// Removes rounding errors of scaling: 29 % are 0.29, though 29 × 0.01 is not.
fn tidy(value: f64) -> f64 {
    number(format!("{value:.12e}")).unwrap_or(value)
}

/// The group of a field on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldGroup {
    /// The model for sequences.
    Transformer,
    /// The model for graphs.
    Gnn,
    /// The accelerator.
    Accelerator,
    /// The number of accelerators, and their use.
    Training,
    /// Money.
    Bill,
    /// The optimiser.
    Optimiser,
}

/// A number that can be changed.
#[derive(Clone, Copy)]
pub struct CostField {
    /// The name in the address and on the command line.
    pub id: &'static str,
    /// The name on the page.
    pub label: &'static str,
    /// Its unit.
    pub unit: FieldUnit,
    /// Its group on the page.
    pub group: FieldGroup,
    /// The smallest and largest value, in the plain unit.
    pub range: [f64; 2],
    /// Whether only whole numbers are accepted.
    pub whole: bool,
    /// Its value.
    pub get: fn(&Assumptions) -> f64,
    set: fn(&mut Assumptions, f64),
}

impl std::fmt::Debug for CostField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl CostField {
    /// Returns the field of an id.
    pub fn named(id: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.id == id)
    }

    /// Returns a description in a sentence, with the source of the usual value.
    pub fn about(&self) -> &'static str {
        FIELDS
            .iter()
            .position(|field| field.id == self.id)
            .map_or("", |at| ABOUT[at])
    }

    /// Returns the field of an id, or an error with the known ones.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    pub fn find(id: &str) -> Result<&'static Self> {
        let all: Vec<&'static Self> = FIELDS.iter().collect();
        named("assumption", id, &all, |field| field.id)
    }

    /// Returns the assumptions with another value for this field.
    ///
    /// # Errors
    /// [`Error::Assumption`] for a value out of range.
    pub fn with(&self, assumptions: &Assumptions, value: f64) -> Result<Assumptions> {
        let [least, most] = self.range;
        if !(least..=most).contains(&value) || self.whole && value.fract() != 0.0 {
            let (unit, _) = self.unit.displayed_unit();
            let whole = if self.whole {
                "a whole number from "
            } else {
                ""
            };
            let expected = format!(
                "{whole}{} to {} {unit}",
                self.unit.number(least),
                self.unit.number(most)
            );
            // Numbers without a unit leave a space at the end.
            let expected = expected.trim_end().to_owned();
            return Err(Error::Assumption {
                what: self.label,
                given: as_typed(self.unit.number(value)),
                expected,
            });
        }
        let mut changed = *assumptions;
        (self.set)(&mut changed, value);
        Ok(changed)
    }
}

/// Formats a value as typed, without hundreds of zeros.
fn as_typed(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-6..1e15).contains(&value.abs());
    if is_plain {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

macro_rules! field {
    ($group:ident, $id:literal, $label:literal, $unit:expr, $range:expr, $whole:literal, $($place:ident).+, $about:literal) => {
        (
            CostField {
                id: $id,
                label: $label,
                unit: $unit,
                group: FieldGroup::$group,
                range: $range,
                whole: $whole,
                get: |a| a.$($place).+ as f64,
                // The cast is exact: `with` has checked the range, and that whole fields are whole.
                set: |a, value| a.$($place).+ = value as _,
            },
            $about,
        )
    };
}

macro_rules! switch {
    ($group:ident, $id:literal, $label:literal, $get:expr, $set:expr, $about:literal) => {
        (
            CostField {
                id: $id,
                label: $label,
                unit: FieldUnit::Switch,
                group: FieldGroup::$group,
                range: [0.0, 1.0],
                whole: true,
                get: |a| f64::from(u8::from($get(a))),
                set: |a, value| $set(a, value == 1.0),
            },
            $about,
        )
    };
}

use FieldUnit::{
    Bandwidth, Bytes, Choice, Count, Memory, Number, Operations, Power, Price, Share, Time,
};

/// Every field, in the order of the page.
pub const FIELDS: &[CostField] = &firsts::<_, _, { ALL.len() }>(ALL);

/// Their descriptions: apart, so that the part of the page that is loaded first is without them.
static ABOUT: [&str; ALL.len()] = seconds(ALL);

#[rustfmt::skip]
const ALL: &[(CostField, &str)] = &[
    field!(Transformer, "layers", "layers", Count("layers"), [1.0, 1000.0], true, transformer.layers, "Layers of the model."),
    field!(Transformer, "width", "width", Count("features"), [1.0, 1e6], true, transformer.width, "Features of a token: the hidden size h."),
    field!(Transformer, "key-width", "key width", Count("features"), [1.0, 1e6], true, transformer.key_width, "Features of the keys, and of the values: heads of keys × size of a head."),
    field!(Transformer, "queries", "queries for the width", Number, [0.01, 100.0], false, transformer.queries, "Features of the queries for each of the width: heads × size of a head ÷ hidden size. 1 for most models."),
    field!(Transformer, "feed-forward", "feed-forward width", Count("features"), [1.0, 1e7], true, transformer.feed_forward, "Features inside the feed-forward part; of experts, of those that a token takes together."),
    field!(Transformer, "matrices", "feed-forward matrices", Count("matrices"), [1.0, 4.0], true, transformer.matrices, "2, or 3 where it is gated (SwiGLU, GeGLU)."),
    field!(Transformer, "vocabulary", "vocabulary", Count("entries"), [1.0, 1e7], true, transformer.vocabulary, "Entries of the vocabulary."),
    field!(Transformer, "predicted", "predicted tokens", Share, [0.0, 1.0], false, transformer.predicted, "Tokens whose output is computed over the vocabulary: 100 % for a language model, 15 % for a masked one."),
    switch!(Transformer, "causal", "causal", |a: &Assumptions| a.transformer.causal, |a: &mut Assumptions, on| a.transformer.causal = on, "A token looks only at those before it: half of the pairs."),
    switch!(Transformer, "tied", "tied embeddings", |a: &Assumptions| a.transformer.tied, |a: &mut Assumptions, on| a.transformer.tied = on, "Input and output share one table of the vocabulary. Matters for memory, and for what an update moves."),
    field!(Transformer, "idle-experts", "idle experts", Number, [0.0, 1e4], false, transformer.idle_experts, "Feed-forward weights in memory for each one that a token takes, beside it: experts ÷ experts of a token − 1. Matters for memory, and for what an update moves."),
    field!(Transformer, "global", "global layers", Share, [0.0, 1.0], false, transformer.global, "Layers whose attention looks at all tokens of a sequence. That of the others looks at near tokens only, and is left out."),
    field!(Gnn, "gnn-layers", "layers", Count("layers"), [1.0, 1000.0], true, gnn.layers, "Layers, or blocks of interaction."),
    field!(Gnn, "gnn-width", "width", Count("features"), [1.0, 1e5], true, gnn.width, "Features of a node."),
    field!(Gnn, "node-products", "products for a node", Count("products"), [0.0, 100.0], false, gnn.node_products, "Products with a width × width matrix for each node, in each layer."),
    field!(Gnn, "edge-products", "products for an edge", Count("products"), [0.0, 100.0], false, gnn.edge_products, "Products with a width × width matrix for each edge, in each layer."),
    field!(Gnn, "feature-bytes", "bytes of a feature", Bytes("bytes"), [1.0, 8.0], true, gnn.feature_bytes, "4 at single precision."),
    field!(Accelerator, "peak", "peak", Operations, [1e9, 1e18], false, accelerator.peak, "Operations per second at most, dense, 16 bits, as its maker publishes. 50 or fewer for each byte of bandwidth are taken for single precision, which reaches another share of it."),
    field!(Accelerator, "bandwidth", "memory bandwidth", Bandwidth, [1e8, 1e15], false, accelerator.bandwidth, "To and from its memory, as its maker publishes."),
    field!(Accelerator, "memory", "memory", Memory, [1e6, 1e13], false, accelerator.memory, "As its maker publishes."),
    field!(Accelerator, "power", "power", Power, [1.0, 1e5], false, accelerator.power, "Watts at most, as its maker publishes."),
    field!(Accelerator, "utilisation", "matrix products reach", Share, [0.001, 1.0], false, accelerator.utilisation, "Share of the peak that large matrix products reach. Fitted for A100, H100 and V100, assumed for others; of a peak of single precision, the share of A100, as trainings on V100, RTX 2080 Ti, Titan RTX and P100 do."),
    field!(Accelerator, "attention", "attention reaches", Share, [0.001, 1.0], false, accelerator.attention_utilisation, "Share of the peak, counting the pairs that matter. Fitted for A100 and H100, assumed for others."),
    field!(Accelerator, "masked", "masked attention reaches", Share, [0.001, 1.0], false, accelerator.masked_utilisation, "Share of the peak where several sequences of a row are kept apart by a mask. An assumption; it does not count where an overhead is given for masks."),
    switch!(Accelerator, "dynamic", "dynamic shapes", |a: &Assumptions| a.accelerator.dynamic, |a: &mut Assumptions, on| a.accelerator.dynamic = on, "Whether batches may have other lengths from step to step, and kernels skip what lies between sequences. Where shapes are compiled once, only padded rows and packs with a mask are possible."),
    field!(Accelerator, "step", "overhead of a step", Time, [0.0, 100.0], false, accelerator.step_seconds, "What a batch takes beside its work, weights and layers: the loader, the host. An assumption: put yours here where a loader or an evaluation costs time."),
    field!(Accelerator, "layer", "start of a layer", Time, [0.0, 100.0], false, accelerator.layer_seconds, "What a pass takes for each layer however small the batch: starting kernels. Fitted (throughputs of the sources in measured.csv); less where a model is compiled, more with LoRA."),
    // Waiting has answers up to `waiting::MOST`.
    field!(Training, "accelerators", "accelerators", Count("accelerators"), [1.0, 4096.0], true, accelerators, "All work on the same step and wait for the slowest."),
    field!(Training, "accumulation", "accumulated batches", Count("batches"), [1.0, 4096.0], true, accumulation, "Batches of an accelerator before the weights are updated."),
    switch!(Training, "parallel", "rows side by side", |a: &Assumptions| a.rows == RowExecution::Parallel, |a: &mut Assumptions, on| a.rows = if on { RowExecution::Parallel } else { RowExecution::Added }, "Without padding a batch takes as long as its longest sequence (Krell et al. 2022, §4.4); else the times of its sequences add up."),
    (
        CostField {
            id: "tuning",
            label: "what is trained",
            unit: Choice(&Tuning::NAMES),
            group: FieldGroup::Training,
            range: [0.0, 2.0],
            whole: true,
            get: |a| a.training.tuning.number(),
            set: |a, value| a.training.tuning = Tuning::of_number(value),
        },
        "All weights; lora: small matrices beside them, so that a pass less is made and updates cost next to nothing; qlora: the same with weights of 4 bits.",
    ),
    field!(Training, "passes", "passes", Number, [1.0, 10.0], false, training.passes, "Forward passes that a step costs: 1 at inference, 3 with the backward one, 4 where activations are computed again. With lora and qlora one less is made."),
    field!(Training, "state-bytes", "state of a parameter", Bytes("bytes"), [0.0, 100.0], false, training.state_bytes, "Weights, gradients and state of Adam in mixed precision: 16 bytes (Rajbhandari et al. 2020, ZeRO, §3.1)."),
    field!(Training, "update-bytes", "moved by an update", Bytes("bytes"), [0.0, 1000.0], false, training.update_bytes, "Bytes that an update reads and writes for each parameter: Adam reads and writes three numbers of 4 bytes, reads a gradient of 2, writes a weight of 2."),
    field!(Training, "activation-bytes", "activations", Bytes("bytes"), [0.0, 1000.0], false, training.activation_bytes, "Bytes kept for each token, layer and feature in blocks as BERT's: 34 (Korthikanti et al. 2022, Eq. (1), without the scores), 2 where all are computed again (Table 2). Gated blocks keep more, in proportion."),
    switch!(Training, "sharded", "sharded (ZeRO, FSDP)", |a: &Assumptions| a.training.sharded, |a: &mut Assumptions, on| a.training.sharded = on, "Weights and their state are shared out over the accelerators (FSDP, ZeRO-3)."),
    field!(Training, "traffic", "moved for a feature", Bytes("bytes"), [0.0, 10_000.0], false, training.traffic_bytes, "Bytes that a pass moves for each token, layer and feature beside matrix products: norms, activation functions, residuals. Fitted."),
    field!(Training, "weight-bytes", "moved for a weight", Bytes("bytes"), [0.0, 10_000.0], false, training.weight_bytes, "Bytes that a pass over a batch moves for each trained parameter, however few tokens the batch has: packing does not touch them. Fitted; 2 where weights are not trained."),
    field!(Training, "gather-bytes", "and where sharded", Bytes("bytes"), [0.0, 10_000.0], false, training.gather_bytes, "The same for a batch, in addition where weights are shared out: communication. Fitted."),
    field!(Training, "unpack-bytes", "and at 4 bits", Bytes("bytes"), [0.0, 10_000.0], false, training.unpack_bytes, "The same for a batch, in addition where weights are of 4 bits: unpacking them. Fitted."),
    field!(Training, "unpack-gather-bytes", "and at 4 bits, sharded", Bytes("bytes"), [0.0, 10_000.0], false, training.unpack_gather_bytes, "The same where weights are of 4 bits and shared out, in place of both. Fitted."),
    field!(Training, "pack", "overhead of a pack", Time, [0.0, 100.0], false, training.pack_seconds, "What a pack takes beside what it holds."),
    field!(Bill, "price", "price", Price, [0.0, 1e6], false, price, "Of one accelerator, for an hour, in any currency. An example."),
    field!(Optimiser, "beta1", "β₁", Number, [0.0, 1.0], false, beta1, "Decay of the first moment."),
    field!(Optimiser, "beta2", "β₂", Number, [0.0, 1.0], false, beta2, "Decay of the second moment."),
];
