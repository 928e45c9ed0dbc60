//! Files that stand beside a tokenizer or a model, known by their keys. They have no lengths in them.

use super::value;
use serde::{Deserialize, Serialize};

/// A file of a tokenizer or a model, which has no lengths in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TokenizerFile {
    /// `tokenizer.json`: counts tokens.
    Tokenizer,
    /// `tokenizer_config.json`: names special tokens, and may have the chat template.
    Config,
    /// A chat template: `chat_template.jinja`, or JSON with nothing else.
    Template,
    /// `special_tokens_map.json`.
    SpecialTokens,
    /// The `config.json` of a model.
    ModelConfig,
    /// The `generation_config.json` of a model.
    GenerationConfig,
}

impl TokenizerFile {
    /// Returns the kind of a file, by its name and its text; of a `tokenizer.json`, which may be large, by its name alone.
    /// `None` for any other file.
    pub fn of(name: &str, text: &[u8]) -> Option<Self> {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let begins = |mark: &str| text.trim_ascii_start().starts_with(mark.as_bytes());
        let is_template = || ["{%", "{#", "{{"].into_iter().any(begins);
        match name.as_str() {
            "tokenizer.json" => return Some(Self::Tokenizer),
            name if name.ends_with(".jinja") || name.ends_with(".jinja2") => {
                return Some(Self::Template);
            }
            _ if is_template() => return Some(Self::Template),
            _ => {}
        }
        let fields = value::fields(text).ok()?;
        let keys: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
        Self::of_keys(&keys)
    }

    /// Returns the kind of an object with these keys; `None` if it may be anything.
    pub(crate) fn of_keys(keys: &[&str]) -> Option<Self> {
        let has = |key: &str| keys.contains(&key);
        let is_token = |key: &&str| key.ends_with("_token") || *key == "additional_special_tokens";
        let of_config = [
            "tokenizer_class",
            "model_max_length",
            "added_tokens_decoder",
        ];
        match () {
            () if has("model") && has("added_tokens") => Some(Self::Tokenizer),
            () if of_config.into_iter().any(has)
                || (has("chat_template") && keys.iter().any(is_token)) =>
            {
                Some(Self::Config)
            }
            () if has("architectures") || (has("model_type") && has("vocab_size")) => {
                Some(Self::ModelConfig)
            }
            () if has("eos_token_id") && has("transformers_version") => {
                Some(Self::GenerationConfig)
            }
            () if has("chat_template") && keys.len() < 3 => Some(Self::Template),
            // Of a token one is enough, if there is nothing else.
            () if !keys.is_empty() && keys.iter().all(is_token) => Some(Self::SpecialTokens),
            () => None,
        }
    }

    /// Returns the words that call it by its name, to stand behind "this is".
    pub fn words(self) -> &'static str {
        match self {
            Self::Tokenizer => "a tokenizer.json, which has the vocabulary of a model",
            Self::Config => {
                "a tokenizer_config.json, which has the settings of a tokenizer and not its vocabulary"
            }
            Self::Template => "the template of a chat, without the vocabulary of its tokenizer",
            Self::SpecialTokens => "a special_tokens_map.json, which has no vocabulary",
            Self::ModelConfig => "the config.json of a model",
            Self::GenerationConfig => "the generation_config.json of a model",
        }
    }

    /// Whether it may have the chat template of a model.
    pub fn may_have_template(self) -> bool {
        matches!(self, Self::Config | Self::Template)
    }
}
