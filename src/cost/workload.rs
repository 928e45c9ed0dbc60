//! What is trained: operations for each token and each pair of tokens, for each node and each edge.

use serde::{Deserialize, Serialize};

/// A transformer, by its shapes.
///
/// A forward pass costs 2 operations for each weight that multiplies a token, and 4 · width operations in each layer for
/// each pair of tokens that attention looks at (queries times keys, weights times values). With a feed-forward width of
/// 4 h and two matrices that is 24 h² for a token and 4 h for a pair, in each layer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Transformer {
    /// Layers.
    pub layers: f64,
    /// Width h of the model: features of a token.
    pub width: f64,
    /// Features of the keys, and of the values: less than the width where heads share them.
    pub key_width: f64,
    /// Features inside the feed-forward part.
    pub feed_forward: f64,
    /// Matrices of the feed-forward part: 2, or 3 where it is gated.
    pub matrices: f64,
    /// Entries of the vocabulary.
    pub vocabulary: f64,
    /// Share of the tokens whose output is computed over the vocabulary: 1 for a language model, 0.15 for a masked one.
    pub predicted: f64,
    /// Whether a token looks only at those before it: half of the pairs.
    pub causal: bool,
    /// Whether the vocabulary has one table for input and output, not two.
    pub tied: bool,
}

impl Transformer {
    /// Weights that multiply every token.
    pub fn weights(&self) -> f64 {
        let attention = 2.0 * self.width * (self.width + self.key_width);
        self.layers * (attention + self.matrices * self.width * self.feed_forward)
    }

    /// Weights in memory: those, and the vocabulary once, or twice where input and output are not tied. Biases, norms and
    /// learned positions, below 2 % together, are left out.
    pub fn parameters(&self) -> f64 {
        let tables = if self.tied { 1.0 } else { 2.0 };
        self.weights() + tables * self.vocabulary * self.width
    }

    /// Operations of a forward pass for a token, attention between tokens set aside.
    pub fn token_operations(&self) -> f64 {
        2.0 * (self.weights() + self.predicted * self.vocabulary * self.width)
    }

    /// Operations of a forward pass for a pair of tokens, in both directions counted as two.
    pub fn pair_operations(&self) -> f64 {
        let half = if self.causal { 0.5 } else { 1.0 };
        4.0 * self.width * self.layers * half
    }
}

/// A graph neural network: a·nodes + b·edges.
///
/// Each layer multiplies the features of each node and of each edge so many times with a width × width matrix, and moves
/// features of nodes and edges through memory, which is what sparse layers wait for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gnn {
    /// Layers.
    pub layers: f64,
    /// Features of a node.
    pub width: f64,
    /// Products with a width × width matrix for each node, in each layer.
    pub node_products: f64,
    /// The same for each edge.
    pub edge_products: f64,
    /// Bytes of a feature.
    pub feature_bytes: f64,
}

impl Gnn {
    /// Weights in memory.
    pub fn parameters(&self) -> f64 {
        self.layers * (self.node_products + self.edge_products) * self.width * self.width
    }

    /// Operations of a forward pass for a node, and for an edge.
    pub fn operations(&self) -> [f64; 2] {
        let product = 2.0 * self.width * self.width * self.layers;
        [self.node_products * product, self.edge_products * product]
    }

    /// Bytes that a forward pass moves for a node (read, written), and for an edge (the neighbour's features and the
    /// edge's own are gathered, their sum is scattered), as in Open Graph Benchmark's baselines.
    pub fn moved_bytes(&self) -> [f64; 2] {
        [2.0, 3.0].map(|features| features * self.width * self.feature_bytes * self.layers)
    }
}

/// What is trained.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// Sequences, by a transformer: tokens, and pairs of tokens.
    Transformer(Transformer),
    /// Graphs, by a graph neural network: nodes, and edges.
    Gnn(Gnn),
}

impl Workload {
    /// Weights in memory.
    pub fn parameters(&self) -> f64 {
        match self {
            Self::Transformer(model) => model.parameters(),
            Self::Gnn(model) => model.parameters(),
        }
    }
}
