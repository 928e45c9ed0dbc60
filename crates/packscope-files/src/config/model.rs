//! The `config.json` of a model of Hugging Face: its shape, from which its cost follows.

use packscope_core::error::{Error, Result};
use packscope_core::words::count;
use serde_json::{Map, Value};

/// The shape of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelShape {
    /// Its `model_type`, such as `qwen3`.
    pub kind: String,
    /// Each number by the name that the assumptions of estimates have for it, such as `layers`.
    pub numbers: Vec<(&'static str, f64)>,
}

impl ModelShape {
    /// Lists in one line what was taken: `qwen3 model: layers 28, width 1,024`.
    pub fn sentence(&self) -> String {
        let number = |value: f64| match value.fract() == 0.0 {
            true => count(value as u64),
            false => format!("{value:.3}"),
        };
        let all: Vec<String> = self
            .numbers
            .iter()
            .map(|(name, value)| format!("{name} {}", number(*value)))
            .collect();
        format!("{} model: {}", self.kind, all.join(", "))
    }
}

/// Encoders, whose tokens look in both directions, and of which 15 % are predicted.
const ENCODERS: [&str; 9] = [
    "albert",
    "bert",
    "camembert",
    "deberta",
    "deberta-v2",
    "distilbert",
    "electra",
    "roberta",
    "xlm-roberta",
];
/// Decoders without a gate in the feed-forward part.
const UNGATED: [&str; 11] = [
    "bloom",
    "falcon",
    "gpt2",
    "gpt_bigcode",
    "gpt_neo",
    "gpt_neox",
    "gptj",
    "mpt",
    "opt",
    "phi",
    "starcoder2",
];
/// Decoders that share one table of embeddings where their configuration does not say.
const TIED: [&str; 7] = [
    "gemma",
    "gemma2",
    "gemma3",
    "gemma3_text",
    "gpt2",
    "opt",
    "bloom",
];

/// Returns the shape of a model; `None` if this is the configuration of none.
///
/// # Errors
/// [`Error::Input`] for a shape whose cost is not known, or that lacks a number.
pub fn model_shape(text: &str) -> Result<Option<ModelShape>> {
    let Ok(Value::Object(object)) = serde_json::from_str(text.trim_start_matches('\u{feff}'))
    else {
        return Ok(None);
    };
    let has = |keys: &[&str]| keys.iter().any(|key| object.contains_key(*key));
    let is_model = has(&["model_type", "architectures"])
        && has(&["num_hidden_layers", "n_layer", "text_config"]);
    if !is_model {
        return Ok(None);
    }
    // Of a model that also sees, the part that reads.
    let of = match object.get("text_config") {
        Some(Value::Object(inner)) => inner,
        _ => &object,
    };
    let kind = of.get("model_type").or_else(|| object.get("model_type"));
    let kind = kind.and_then(Value::as_str).unwrap_or("").to_owned();
    Config { of, kind }.shape().map(Some)
}

struct Config<'a> {
    of: &'a Map<String, Value>,
    kind: String,
}

/// The feed-forward part of the mean of all layers: features that a token takes, and features in memory for each of them
/// beside it.
struct FeedForward {
    taken: f64,
    idle: f64,
}

impl Config<'_> {
    /// Returns the number of the first of these keys that has one.
    fn find(&self, keys: &[&str]) -> Option<f64> {
        let numbers = keys.iter().filter_map(|key| self.of.get(*key)?.as_f64());
        numbers.into_iter().find(|number| *number > 0.0)
    }

    fn number(&self, keys: &[&str]) -> Result<f64> {
        self.find(keys).ok_or_else(|| {
            self.unknown(&format!("it has no {}", keys.first().unwrap_or(&"number")))
        })
    }

    fn unknown(&self, why: &str) -> Error {
        Error::Input {
            place: format!("the config.json of a {} model", self.kind),
            message: format!("{why}; expected the shape of a transformer, or name one of --model"),
        }
    }

    fn shape(&self) -> Result<ModelShape> {
        let layers = self.number(&["num_hidden_layers", "n_layer", "num_layers"])?;
        let width = self.number(&["hidden_size", "n_embd", "d_model", "dim"])?;
        let heads = self.number(&["num_attention_heads", "n_head", "n_heads"])?;
        if self.find(&["kv_lora_rank"]).is_some() {
            return Err(self.unknown("its keys and values are compressed, which is not estimated"));
        }
        let head = self.find(&["head_dim"]).unwrap_or(width / heads);
        // Without a size of its own, heads are as wide as the model together, to the last bit.
        let queries = self
            .find(&["head_dim"])
            .map_or(1.0, |head| heads * head / width);
        let keys = self.find(&["num_key_value_heads"]).unwrap_or(heads);
        let encoder = ENCODERS.contains(&self.kind.as_str()) || self.kind == "modernbert";
        let gated =
            !ENCODERS.contains(&self.kind.as_str()) && !UNGATED.contains(&self.kind.as_str());
        let predicted = match (encoder, self.kind.as_str()) {
            (true, "modernbert") => 0.3,
            (true, _) => 0.15,
            _ => 1.0,
        };
        let tied = self.of.get("tie_word_embeddings").and_then(Value::as_bool);
        let tied = tied.unwrap_or(encoder || TIED.contains(&self.kind.as_str()));
        let flag = |is: bool| if is { 1.0 } else { 0.0 };
        let feed_forward = self.feed_forward(layers, width)?;
        Ok(ModelShape {
            kind: self.kind.clone(),
            numbers: vec![
                ("layers", layers),
                ("width", width),
                ("key-width", (keys * head).round().max(1.0)),
                ("queries", queries),
                ("feed-forward", feed_forward.taken.round().max(1.0)),
                ("matrices", if gated { 3.0 } else { 2.0 }),
                ("vocabulary", self.number(&["vocab_size"])?),
                ("predicted", predicted),
                ("causal", flag(!encoder)),
                ("tied", flag(tied)),
                ("idle-experts", feed_forward.idle),
                ("global", self.global(layers)),
            ],
        })
    }

    fn feed_forward(&self, layers: f64, width: f64) -> Result<FeedForward> {
        let own = &["intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"];
        let Some(experts) = self.find(&["num_local_experts", "num_experts", "n_routed_experts"])
        else {
            let taken = self.find(own).unwrap_or(4.0 * width);
            return Ok(FeedForward { taken, idle: 0.0 });
        };
        let dense = self.find(own).unwrap_or(0.0);
        let each = self.find(&["moe_intermediate_size"]).unwrap_or(dense);
        let chosen = self.number(&["num_experts_per_tok", "experts_per_token", "moe_topk"])?;
        let shared = self
            .find(&["shared_expert_intermediate_size"])
            .or_else(|| self.find(&["n_shared_experts"]).map(|shared| shared * each))
            .unwrap_or(0.0);
        let without = self
            .find(&["first_k_dense_replace"])
            .unwrap_or(0.0)
            .min(layers);
        let with = layers - without;
        let taken = (with * (chosen * each + shared) + without * dense) / layers;
        let idle = with * (experts - chosen).max(0.0) * each / layers;
        if taken <= 0.0 {
            return Err(self.unknown("its experts have no intermediate_size"));
        }
        Ok(FeedForward {
            taken,
            idle: idle / taken,
        })
    }

    /// Returns the share of layers whose attention covers all tokens.
    fn global(&self, layers: f64) -> f64 {
        if let Some(Value::Array(types)) = self.of.get("layer_types") {
            let far = |kind: &&Value| kind.as_str().is_some_and(|kind| kind.starts_with("full"));
            let far = types.iter().filter(far).count();
            return (far as f64 / layers).clamp(0.0, 1.0);
        }
        // Every so many layers one is global.
        let every = ["sliding_window_pattern", "global_attn_every_n_layers"];
        match self.find(&every) {
            Some(every) if self.kind == "modernbert" => (layers / every).ceil() / layers,
            Some(every) => (layers / every).floor() / layers,
            None => 1.0,
        }
    }
}
