//! The model: operations for each token and each pair of tokens, for each node and each edge.

use super::arithmetic::{Arithmetic, Name, Noun, Number, PlainNumber, QuantityKind};
use serde::{Deserialize, Serialize};

/// Bytes that a pass moves for each logit, a third of a training step's: written at 16 bits, read and written again at
/// 32, then read at 32 for the softmax and the loss, and written and read as gradients.
const LOGIT: f64 = 12.0;

/// A transformer, by its shapes.
///
/// A forward pass costs 2 operations for each weight that multiplies a token, and 4 · width of the queries operations in
/// each layer for each pair of tokens in attention (queries times keys, weights times values). With a feed-forward width of 4 h
/// and two matrices that is 24 h² for a token and 4 h for a pair, in each layer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Transformer {
    /// Number of layers.
    pub layers: f64,
    /// Width h of the model: the features of a token.
    pub width: f64,
    /// Features of the keys, and of the values: fewer than the width if heads share them.
    pub key_width: f64,
    /// Features of the queries ÷ width: heads · size of a head ÷ h. 1 for most models.
    #[serde(default = "as_wide")]
    pub queries: f64,
    /// Features inside the feed-forward part.
    pub feed_forward: f64,
    /// Matrices of the feed-forward part: 2, or 3 if it is gated.
    pub matrices: f64,
    /// Entries of the vocabulary.
    pub vocabulary: f64,
    /// Share of the tokens whose output is computed over the vocabulary: 1 for a language model, 0.15 for a masked one.
    pub predicted: f64,
    /// Whether a token attends only to earlier ones: half of the pairs.
    pub causal: bool,
    /// Whether input and output share one table of embeddings.
    pub tied: bool,
    /// Feed-forward weights in memory for each one that a token takes, beside it: experts ÷ experts of a token − 1; 0
    /// without experts. `feed_forward` has the features of the experts of a token together.
    #[serde(default)]
    pub idle_experts: f64,
    /// Share of layers whose attention covers all tokens of a sequence. Local attention of the others is left out.
    pub global: f64,
}

/// Returns the ratio of models whose queries are as wide as they are: all that were stored without one.
fn as_wide() -> f64 {
    1.0
}

impl Transformer {
    /// Returns the features of all queries of a token.
    fn query_width<A: Arithmetic>(&self, a: &A) -> A::Number {
        let width = a.count("width", self.width);
        // A factor of 1 would only lengthen the displayed formula.
        if self.queries == 1.0 {
            width
        } else {
            width * a.given("queries for the width", self.queries, QuantityKind::Number)
        }
    }

    /// Returns the number of weights that multiply every token.
    pub(super) fn weights<A: Arithmetic>(&self, a: &A) -> A::Number {
        // Queries and output are width × query width, keys and values width × key width.
        let attention = a.constant(2.0)
            * a.count("width", self.width)
            * (self.query_width(a) + a.count("key width", self.key_width));
        let feed_forward = self.feed_forward_of(a);
        a.step(
            "weights",
            QuantityKind::Count,
            a.count("layers", self.layers) * (attention + feed_forward),
        )
    }

    /// Returns the weights of the feed-forward part of a layer that multiply every token.
    fn feed_forward_of<A: Arithmetic>(&self, a: &A) -> A::Number {
        a.count("matrices", self.matrices)
            * a.count("width", self.width)
            * a.count("feed-forward width", self.feed_forward)
    }

    /// Returns the number of weights in memory: those that multiply every token, the experts that a token does not take,
    /// and the vocabulary once, or twice if input and output are not tied. Biases, norms, learned positions and routers,
    /// below 2 % together, are left out.
    pub fn parameters(&self) -> f64 {
        self.parameters_of(&PlainNumber, self.weights(&PlainNumber))
    }

    /// Returns the operations of a forward pass for a token, without attention, and for a pair of tokens.
    pub fn operations(&self) -> [f64; 2] {
        [
            self.token_operations(&PlainNumber, self.weights(&PlainNumber)),
            self.pair_operations(&PlainNumber),
        ]
    }

    pub(super) fn parameters_of<A: Arithmetic>(&self, a: &A, weights: A::Number) -> A::Number {
        let table = a.count("vocabulary", self.vocabulary) * a.count("width", self.width);
        let tables = if self.tied {
            table
        } else {
            a.constant(2.0) * table
        };
        // Experts that a token does not take need memory and updates, but multiply nothing.
        let idle = a.given("idle experts", self.idle_experts, QuantityKind::Number)
            * a.count("layers", self.layers)
            * self.feed_forward_of(a);
        let idle = a.part("weights of idle experts", QuantityKind::Count, idle);
        a.step(
            "parameters",
            QuantityKind::Count,
            (weights + tables).plus(idle),
        )
    }

    /// Returns the operations of a forward pass for a token, without attention.
    pub(super) fn token_operations<A: Arithmetic>(&self, a: &A, weights: A::Number) -> A::Number {
        let predicted = a.given("predicted", self.predicted, QuantityKind::Share);
        let output =
            predicted * a.count("vocabulary", self.vocabulary) * a.count("width", self.width);
        a.step(
            "operations for a token",
            QuantityKind::Operations,
            a.constant(2.0) * (weights + output),
        )
    }

    /// Returns the bytes of a forward pass for a token, beside matrix products, at `each` bytes for each layer and
    /// feature, and for the output over the vocabulary.
    pub(super) fn token_bytes<A: Arithmetic>(&self, a: &A, each: f64) -> A::Number {
        let each = a.given("bytes moved for a feature", each, QuantityKind::Number);
        let features = a.count("layers", self.layers) * a.count("width", self.width);
        let logits = a.given("predicted", self.predicted, QuantityKind::Share)
            * a.count("vocabulary", self.vocabulary);
        let logit = a.given("bytes moved for a logit", LOGIT, QuantityKind::Number);
        a.step(
            "bytes moved for a token",
            QuantityKind::Bytes,
            (each * features).plus(logit * logits),
        )
    }

    /// Returns the operations of a forward pass for a pair of tokens; both directions count as two pairs.
    pub(super) fn pair_operations<A: Arithmetic>(&self, a: &A) -> A::Number {
        let both = a.constant(4.0) * self.query_width(a) * a.count("layers", self.layers);
        // A factor of 1 would only lengthen the displayed formula.
        let far = if self.global == 1.0 {
            both
        } else {
            both * a.given("global layers", self.global, QuantityKind::Share)
        };
        let operations = if self.causal {
            far / a.constant(2.0)
        } else {
            far
        };
        a.step(
            "operations for a pair",
            QuantityKind::Operations,
            operations,
        )
    }
}

/// A graph neural network: a·nodes + b·edges.
///
/// Each layer multiplies the features of each node and of each edge a number of times by a width × width matrix, and
/// moves features of nodes and edges through memory, which limits sparse layers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gnn {
    /// Number of layers.
    pub layers: f64,
    /// Features of a node.
    pub width: f64,
    /// Products with a width × width matrix for each node, in each layer.
    pub node_products: f64,
    /// Products for each edge, in each layer.
    pub edge_products: f64,
    /// Bytes of a feature.
    pub feature_bytes: f64,
}

impl Gnn {
    /// Returns the number of weights in memory.
    pub fn parameters(&self) -> f64 {
        self.parameters_of(&PlainNumber)
    }

    pub(super) fn parameters_of<A: Arithmetic>(&self, a: &A) -> A::Number {
        let edge = a.count("for an edge", self.edge_products);
        let products = a.count("products for a node", self.node_products) + edge;
        let width = || a.count("width", self.width);
        a.step(
            "parameters",
            QuantityKind::Count,
            a.count("layers", self.layers) * products * width() * width(),
        )
    }

    /// Returns the operations of a forward pass for a node (`k` = 0) or an edge (1).
    pub(super) fn operations<A: Arithmetic>(&self, a: &A, k: usize) -> A::Number {
        let width = || a.count("width", self.width);
        let product = a.constant(2.0) * width() * width() * a.count("layers", self.layers);
        let products = a.count("products", [self.node_products, self.edge_products][k]);
        a.step(
            Name("operations for one", Some(Noun::One(k))),
            QuantityKind::Operations,
            products * product,
        )
    }

    /// Returns the bytes that a forward pass moves for a node (`k` = 0: read, written) or an edge (1: the neighbour's
    /// features and the edge's own are gathered, their sum is scattered), as in Open Graph Benchmark's baselines.
    pub(super) fn moved_bytes<A: Arithmetic>(&self, a: &A, k: usize) -> A::Number {
        let feature = a.given(
            "bytes of a feature",
            self.feature_bytes,
            QuantityKind::Number,
        );
        let features = a.constant([2.0, 3.0][k]) * a.count("width", self.width);
        let bytes = features * feature * a.count("layers", self.layers);
        a.step(
            Name("bytes moved for one", Some(Noun::One(k))),
            QuantityKind::Bytes,
            bytes,
        )
    }
}

/// The model that is trained.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// Sequences, by a transformer: tokens, and pairs of tokens.
    Transformer(Transformer),
    /// Graphs, by a graph neural network: nodes, and edges.
    Gnn(Gnn),
}

impl Workload {
    /// Returns the number of weights in memory.
    pub fn parameters(&self) -> f64 {
        match self {
            Self::Transformer(model) => model.parameters(),
            Self::Gnn(model) => model.parameters(),
        }
    }
}
