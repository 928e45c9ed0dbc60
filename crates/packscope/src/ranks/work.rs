//! The work of a sequence: a multiple of its length plus a multiple of its square, by the model or by a library.

use crate::cost::Transformer;
use crate::names::names;
use serde::{Deserialize, Serialize};

/// A measure of the work of a sequence, by which dealing balances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// L, its tokens: what packing to a limit balances.
    #[default]
    Tokens,
    /// L², its pairs: TRL; Megatron-LM divides by the size of context parallelism, a constant.
    Squared,
    /// 24,576 · L + L², whatever the model: verl.
    Verl,
    /// The operations of the model as slime counts them.
    Slime,
    /// a · L + L² with a = operations for a token ÷ operations for a pair of the model: the true work.
    Model,
}

names! { Weight, "weight";
    Tokens: "tokens", "Tokens", "L: packing to a limit balances this";
    Squared: "squared", "Squared lengths", "L²: TRL, Megatron-LM";
    Verl: "verl", "verl's", "24,576 · L + L², whatever the model";
    Slime: "slime", "slime's", "Operations of the model, as slime counts them";
    Model: "model", "Work of the model", "a · L + L² with the model's own a: the true work";
}

/// Coefficients of the work of a sequence: `linear` · L + `square` · L², in any unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WorkCoefficients {
    /// For each token.
    pub linear: f64,
    /// For each pair of tokens of the sequence.
    pub square: f64,
}

impl WorkCoefficients {
    /// Returns the work of a sequence of `length` tokens.
    pub fn work_of(self, length: u32) -> f64 {
        let length = f64::from(length);
        (self.linear + self.square * length) * length
    }
}

impl Weight {
    /// Returns the coefficients for a model.
    ///
    /// Sources: TRL f2cd577, `_balance_by_squared_length`; verl 1dda039, `calculate_workload` in
    /// `verl/utils/seqlen_balancing.py`; slime 624b824, `calculate_fwd_flops` in `slime/utils/flops_utils.py`, which takes
    /// every model for a causal and gated one whose layers all attend to all tokens, and predicts every token.
    pub fn cost(self, model: &Transformer) -> WorkCoefficients {
        let (linear, square) = match self {
            Self::Tokens => (1.0, 0.0),
            Self::Squared => (0.0, 1.0),
            // 24 h² ÷ 4 h, which is 6 h, for the h of 4,096 of a 7B model; verl leaves out the
            // common factor.
            Self::Verl => (24_576.0, 1.0),
            Self::Slime => {
                let Transformer {
                    layers,
                    width,
                    key_width,
                    queries,
                    feed_forward,
                    vocabulary,
                    ..
                } = *model;
                // Weights of a layer ÷ width: queries, output, keys and values, three matrices of the
                // gated part. slime takes the output for as wide as the model, whatever the queries are.
                let query_width = queries * width;
                let layer = query_width + width + 2.0 * key_width + 3.0 * feed_forward;
                (
                    2.0 * width * (layers * layer + vocabulary),
                    // Half of 4 · width for a pair, because slime takes every model for a causal
                    // one.
                    2.0 * query_width * layers,
                )
            }
            Self::Model => {
                let [token, pair] = model.operations();
                (token, pair)
            }
        };
        WorkCoefficients { linear, square }
    }
}
