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
        queries: 1.0,
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
        queries: 1.0,
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

/// Returns a model with this many heads of this size: their queries are not as wide as the model.
const fn with_heads(model: Transformer, heads: f64, size: f64) -> Transformer {
    Transformer {
        queries: heads * size / model.width,
        ..model
    }
}

/// Returns DeepSeek-V2-Lite. Each layer is the mean of all: one of 27 has no experts.
const fn deepseek_v2_lite() -> Transformer {
    let (layers, width, heads) = (27.0, 2048.0, 16.0);
    // Of 64 experts of 1,408 features 6 take a token, and two are for all; the layer without has 10,944.
    let taken = 11_252.0;
    let idle = (layers - 1.0) * (64.0 - 6.0) * 1408.0 / layers;
    // For a pair, 192 products of a query with a key and 128 of a weight with a value: as heads of 160.
    let pairs = heads * (192.0 + 128.0) / 2.0;
    // Weights of attention ÷ width: queries; keys and values, compressed to 512 and 64 positions; both from
    // these; output.
    let weights =
        heads * 192.0 + (512.0 + 64.0) + 512.0 * heads * (128.0 + 128.0) / width + heads * 128.0;
    Transformer {
        queries: pairs / width,
        // The rest, so that all weights are counted.
        key_width: weights / 2.0 - pairs,
        idle_experts: idle / taken,
        ..llama([layers, width, 0.0, taken, 102_400.0], false)
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

const QWEN_25: &str =
    "Qwen team 2024, Qwen2.5 Technical Report, and the config.json of its published weights";
const QWEN_3: &str = "Qwen team 2025, Qwen3 Technical Report, Tables 1 and 2, and the config.json of its published weights";
const GEMMA_3: &str =
    "Gemma team 2025, Gemma 3 Technical Report, §2, and the config.json of its published weights";
const GEMMA_LOCAL: &str = "Text only. Five layers of six attend to near tokens only, 512 (1B) or 1,024, and are estimated without \
                           attention.";
const OLMO_2: &str =
    "OLMo team 2024, 2 OLMo 2 Furious, and the config.json of its published weights";
const SMOLLM_2: &str =
    "Ben Allal et al. 2025, SmolLM2, and the config.json of its published weights";

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
        "smollm2-135m",
        "SmolLM2 135M",
        SMOLLM_2,
        "",
        llama([30.0, 576.0, 192.0, 1536.0, 49_152.0], true),
    ),
    sourced(
        "qwen3-0.6b",
        "Qwen3 0.6B",
        QWEN_3,
        "",
        with_heads(
            llama([28.0, 1024.0, 1024.0, 3072.0, 151_936.0], true),
            16.0,
            128.0,
        ),
    ),
    sourced(
        "gemma-3-1b",
        "Gemma 3 1B",
        GEMMA_3,
        GEMMA_LOCAL,
        Transformer {
            global: 4.0 / 26.0,
            ..with_heads(
                llama([26.0, 1152.0, 256.0, 6912.0, 262_144.0], true),
                4.0,
                256.0,
            )
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
        "olmo-2-1b",
        "OLMo 2 1B",
        OLMO_2,
        "",
        llama([16.0, 2048.0, 2048.0, 8192.0, 100_352.0], false),
    ),
    sourced(
        "qwen2.5-1.5b",
        "Qwen2.5 1.5B",
        QWEN_25,
        "",
        llama([28.0, 1536.0, 256.0, 8960.0, 151_936.0], true),
    ),
    sourced(
        "smollm2-1.7b",
        "SmolLM2 1.7B",
        SMOLLM_2,
        "",
        llama([24.0, 2048.0, 2048.0, 8192.0, 49_152.0], true),
    ),
    sourced(
        "smollm3-3b",
        "SmolLM3 3B",
        "Hugging Face 2025, SmolLM3, and the config.json of its published weights",
        "",
        llama([36.0, 2048.0, 512.0, 11_008.0, 128_256.0], true),
    ),
    sourced(
        "llama-3.2-3b",
        "Llama 3.2 3B",
        LLAMA_32,
        "",
        llama([28.0, 3072.0, 1024.0, 8192.0, 128_256.0], true),
    ),
    sourced(
        "gemma-3-4b",
        "Gemma 3 4B",
        GEMMA_3,
        GEMMA_LOCAL,
        Transformer {
            global: 5.0 / 34.0,
            ..with_heads(
                llama([34.0, 2560.0, 1024.0, 10_240.0, 262_208.0], true),
                8.0,
                256.0,
            )
        },
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
        "olmo-2-7b",
        "OLMo 2 7B",
        OLMO_2,
        "",
        llama([32.0, 4096.0, 4096.0, 11_008.0, 100_352.0], false),
    ),
    sourced(
        "qwen2.5-7b",
        "Qwen2.5 7B",
        QWEN_25,
        "",
        llama([28.0, 3584.0, 512.0, 18_944.0, 152_064.0], false),
    ),
    sourced(
        "llama-3.1-8b",
        "Llama 3.1 8B",
        LLAMA_3,
        "",
        llama([32.0, 4096.0, 1024.0, 14_336.0, 128_256.0], false),
    ),
    sourced(
        "qwen3-8b",
        "Qwen3 8B",
        QWEN_3,
        "",
        llama([36.0, 4096.0, 1024.0, 12_288.0, 151_936.0], false),
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
        "deepseek-v2-lite",
        "DeepSeek-V2-Lite",
        "DeepSeek-AI 2024, DeepSeek-V2, appendix B, and the config.json of its published weights",
        "6 of 64 experts and two shared ones take a token; memory and updates count all. Its compressed attention is \
         counted by weights and operations; with context parallelism, what ranks exchange is a rough estimate.",
        deepseek_v2_lite(),
    ),
    sourced(
        "gpt-oss-20b",
        "gpt-oss 20B",
        "OpenAI 2025, gpt-oss-120b & gpt-oss-20b Model Card, and the config.json of the published weights",
        "4 of 32 experts take a token; memory and updates count all, at the bytes of the training, not of the published \
         weights of 4 bits. Every second layer attends within 128 tokens, and is estimated without attention.",
        Transformer {
            global: 0.5,
            ..with_heads(
                mixture([24.0, 2880.0, 512.0, 2880.0, 201_088.0], [32.0, 4.0]),
                64.0,
                64.0,
            )
        },
    ),
    sourced(
        "qwen3-30b-a3b",
        "Qwen3 30B-A3B",
        QWEN_3,
        "8 of 128 experts take a token; memory and updates count all.",
        with_heads(
            mixture([48.0, 2048.0, 512.0, 768.0, 151_936.0], [128.0, 8.0]),
            32.0,
            128.0,
        ),
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
