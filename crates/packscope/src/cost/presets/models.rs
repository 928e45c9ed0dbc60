//! Models, by their published shapes.

use super::{Preset, SourcedPreset, firsts, seconds, sourced};
use crate::cost::{Gnn, Transformer};

/// Returns a masked language model: attention in both directions, one table of embeddings.
pub(super) const fn masked(
    [layers, width, feed_forward]: [f64; 3],
    matrices: f64,
    vocabulary: f64,
    predicted: f64,
) -> Transformer {
    Transformer {
        layers,
        width,
        key_width: width,
        feed_forward,
        matrices,
        vocabulary,
        predicted,
        causal: false,
        tied: true,
        idle_experts: 0.0,
        global: 1.0,
    }
}

pub(super) const fn bert(layers: f64, width: f64, vocabulary: f64) -> Transformer {
    masked([layers, width, 4.0 * width], 2.0, vocabulary, 0.15)
}

/// Returns a model of the Llama class: layers, width, width of the keys, feed-forward width, vocabulary.
pub(super) const fn llama(shape: [f64; 5], tied: bool) -> Transformer {
    let [layers, width, key_width, feed_forward, vocabulary] = shape;
    Transformer {
        layers,
        width,
        key_width,
        feed_forward,
        matrices: 3.0,
        vocabulary,
        predicted: 1.0,
        causal: true,
        tied,
        idle_experts: 0.0,
        global: 1.0,
    }
}

/// Returns a model of the Llama class whose feed-forward part is a mixture of experts: `chosen` of `experts`, each of the
/// feed-forward width of the shape, take a token.
const fn mixture(shape: [f64; 5], [experts, chosen]: [f64; 2]) -> Transformer {
    let [layers, width, key_width, feed_forward, vocabulary] = shape;
    let active = llama(
        [layers, width, key_width, chosen * feed_forward, vocabulary],
        false,
    );
    Transformer {
        idle_experts: experts / chosen - 1.0,
        ..active
    }
}

const BERT: &str = "Devlin et al. 2019, BERT, §3; vocabulary of bert-uncased";
const ROBERTA: &str = "Liu et al. 2019, RoBERTa, §5; vocabulary of its published weights";
const MODERN: &str = "Warner et al. 2024, ModernBERT, §2.1.3 and §2.2.1; its attention is mostly local, in two layers of \
                      three within 128 tokens (§2.1.2)";
const LOCAL: &str = "Layers that attend within 128 tokens only are estimated without attention. 30 % of the tokens are \
                     predicted (§2.2).";
const MASKED: &str = "15 % of the tokens are predicted (§3.1).";
const LLAMA_2: &str =
    "Touvron et al. 2023, Llama 2, §2.2, and the config.json of its published weights";
const LLAMA_3: &str = "Llama team 2024, The Llama 3 Herd of Models, Table 3";
const LLAMA_32: &str = "Meta 2024, model card and config.json of Llama 3.2";

/// Transformers.
pub const TRANSFORMERS: &[Preset<Transformer>] =
    &firsts::<_, _, { ALL_TRANSFORMERS.len() }>(ALL_TRANSFORMERS);

/// Their sources and notes.
pub(super) static SOURCES: [[&str; 2]; ALL_TRANSFORMERS.len()] = seconds(ALL_TRANSFORMERS);

const ALL_TRANSFORMERS: &[SourcedPreset<Transformer>] = &[
    sourced(
        "bert-base",
        "BERT base",
        BERT,
        MASKED,
        bert(12.0, 768.0, 30_522.0),
    ),
    sourced(
        "bert-large",
        "BERT large",
        BERT,
        MASKED,
        bert(24.0, 1024.0, 30_522.0),
    ),
    sourced(
        "roberta-base",
        "RoBERTa base",
        ROBERTA,
        "15 % of the tokens are predicted.",
        bert(12.0, 768.0, 50_265.0),
    ),
    sourced(
        "roberta-large",
        "RoBERTa large",
        ROBERTA,
        "15 % of the tokens are predicted.",
        bert(24.0, 1024.0, 50_265.0),
    ),
    sourced(
        "modernbert-base",
        "ModernBERT base",
        MODERN,
        LOCAL,
        Transformer {
            global: 8.0 / 22.0,
            ..masked([22.0, 768.0, 1152.0], 3.0, 50_368.0, 0.3)
        },
    ),
    sourced(
        "modernbert-large",
        "ModernBERT large",
        MODERN,
        LOCAL,
        Transformer {
            global: 10.0 / 28.0,
            ..masked([28.0, 1024.0, 2624.0], 3.0, 50_368.0, 0.3)
        },
    ),
    sourced(
        "gpt-2",
        "GPT-2",
        "Radford et al. 2019, Language Models are Unsupervised Multitask Learners, Table 2",
        "",
        Transformer {
            causal: true,
            predicted: 1.0,
            ..bert(12.0, 768.0, 50_257.0)
        },
    ),
    sourced(
        "llama-3.2-1b",
        "Llama 3.2 1B",
        LLAMA_32,
        "",
        llama([16.0, 2048.0, 512.0, 8192.0, 128_256.0], true),
    ),
    sourced(
        "llama-3.2-3b",
        "Llama 3.2 3B",
        LLAMA_32,
        "",
        llama([28.0, 3072.0, 1024.0, 8192.0, 128_256.0], true),
    ),
    sourced(
        "llama-2-7b",
        "Llama 2 7B",
        LLAMA_2,
        "",
        llama([32.0, 4096.0, 4096.0, 11_008.0, 32_000.0], false),
    ),
    sourced(
        "mistral-7b",
        "Mistral 7B",
        "Jiang et al. 2023, Mistral 7B, Table 1",
        "Its window of 4,096 tokens is left out.",
        llama([32.0, 4096.0, 1024.0, 14_336.0, 32_000.0], false),
    ),
    sourced(
        "llama-3.1-8b",
        "Llama 3.1 8B",
        LLAMA_3,
        "",
        llama([32.0, 4096.0, 1024.0, 14_336.0, 128_256.0], false),
    ),
    sourced(
        "llama-2-13b",
        "Llama 2 13B",
        LLAMA_2,
        "",
        llama([40.0, 5120.0, 5120.0, 13_824.0, 32_000.0], false),
    ),
    sourced(
        "olmoe-1b-7b",
        "OLMoE 1B-7B",
        "Muennighoff et al. 2024, OLMoE, and the config.json of its published weights",
        "8 of 64 experts take a token; memory and updates count all.",
        mixture([16.0, 2048.0, 2048.0, 1024.0, 50_304.0], [64.0, 8.0]),
    ),
    sourced(
        "mixtral-8x7b",
        "Mixtral 8x7B",
        "Jiang et al. 2024, Mixtral of Experts, Table 1",
        "2 of 8 experts take a token; memory and updates count all.",
        mixture([32.0, 4096.0, 1024.0, 14_336.0, 32_000.0], [8.0, 2.0]),
    ),
    sourced(
        "mixtral-8x22b",
        "Mixtral 8x22B",
        "Mistral AI 2024, Cheaper, Better, Faster, Stronger, and the config.json of its published weights",
        "2 of 8 experts take a token; memory and updates count all.",
        mixture([56.0, 6144.0, 1024.0, 16_384.0, 32_000.0], [8.0, 2.0]),
    ),
    sourced(
        "llama-3.1-70b",
        "Llama 3.1 70B",
        LLAMA_3,
        "",
        llama([80.0, 8192.0, 1024.0, 28_672.0, 128_256.0], false),
    ),
];

const OGB: &str = "Hu et al. 2020, Open Graph Benchmark; its baseline for molecules, examples/graphproppred/mol/conv.py: 5 \
                   layers of 300 features, no virtual node";

/// Graph neural networks.
pub const GNNS: &[Preset<Gnn>] = &firsts::<_, _, { ALL_GNNS.len() }>(ALL_GNNS);

/// Their sources and notes.
pub(super) static GNN_SOURCES: [[&str; 2]; ALL_GNNS.len()] = seconds(ALL_GNNS);

const ALL_GNNS: &[SourcedPreset<Gnn>] = &[
    sourced(
        "gin",
        "GIN, OGB's baseline",
        OGB,
        "4 products for a node: from 300 features to 600 and back. Edges are only added up.",
        Gnn {
            layers: 5.0,
            width: 300.0,
            node_products: 4.0,
            edge_products: 0.0,
            feature_bytes: 4.0,
        },
    ),
    sourced(
        "gcn",
        "GCN, OGB's baseline",
        OGB,
        "One product for a node. Edges are only scaled and added up.",
        Gnn {
            layers: 5.0,
            width: 300.0,
            node_products: 1.0,
            edge_products: 0.0,
            feature_bytes: 4.0,
        },
    ),
    sourced(
        "schnet",
        "SchNet, PyTorch Geometric's defaults",
        "Schütt et al. 2017, SchNet; defaults of torch_geometric.nn.models.SchNet: 6 blocks, 128 filters, 50 \
                 Gaussians",
        "3 products for a node; for an edge one from 128 filters and one from 50 Gaussians, 50 / 128 of a product.",
        Gnn {
            layers: 6.0,
            width: 128.0,
            node_products: 3.0,
            edge_products: 1.0 + 50.0 / 128.0,
            feature_bytes: 4.0,
        },
    ),
];
