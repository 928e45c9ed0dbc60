//! Models, by their published shapes.

use super::Preset;
use crate::cost::{Gnn, Transformer};

const fn bert(layers: f64, width: f64, vocabulary: f64) -> Transformer {
    Transformer {
        layers,
        width,
        key_width: width,
        feed_forward: 4.0 * width,
        matrices: 2.0,
        vocabulary,
        predicted: 0.15,
        causal: false,
    }
}

const fn llama(layers: f64, width: f64, key_width: f64, feed_forward: f64, vocabulary: f64) -> Transformer {
    Transformer {
        layers,
        width,
        key_width,
        feed_forward,
        matrices: 3.0,
        vocabulary,
        predicted: 1.0,
        causal: true,
    }
}

/// Transformers.
pub const TRANSFORMERS: &[Preset<Transformer>] = &[
    Preset {
        id: "bert-base",
        name: "BERT base",
        source: "Devlin et al. 2019, BERT, §3",
        value: bert(12.0, 768.0, 30_522.0),
    },
    Preset {
        id: "bert-large",
        name: "BERT large",
        source: "Devlin et al. 2019, BERT, §3",
        value: bert(24.0, 1024.0, 30_522.0),
    },
    Preset {
        id: "llama-3.1-8b",
        name: "Llama 3.1 8B",
        source: "Llama team 2024, The Llama 3 Herd of Models, Table 3",
        value: llama(32.0, 4096.0, 1024.0, 14_336.0, 128_256.0),
    },
];

/// Graph neural networks.
pub const GNNS: &[Preset<Gnn>] = &[Preset {
    id: "gin",
    name: "GIN, 5 layers of 300",
    source: "Hu et al. 2020, Open Graph Benchmark, App. C",
    value: Gnn { layers: 5.0, width: 300.0, node_products: 4.0, edge_products: 0.0, feature_bytes: 4.0 },
}];
