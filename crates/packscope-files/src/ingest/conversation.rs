//! Lengths of prompts and their responses, and the ways to read the two.

use super::component_names;
use super::names;
use super::options::Column;
use crate::formula::quoted;
use serde::{Deserialize, Serialize};

/// The columns of a prompt and its response in each record, found by their names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptAndResponse {
    /// The column with the length of the prompt.
    pub prompt: String,
    /// The column with the length of the response.
    pub response: String,
    /// A column that names the prompt, if there is one: records with the same name share their prompt.
    pub group: Option<String>,
}

/// A way to read a prompt and its response, the likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PairReading {
    /// Both are one sequence, as most trainings have it.
    OneSequence,
    /// Several responses share one prompt in a row, and see only it and themselves.
    SharedPrompt,
    /// Each has a limit of its own, as the encoder and the decoder of a model have.
    TwoBudgets,
}

impl PairReading {
    /// Every way, the likeliest first.
    pub const ALL: [Self; 3] = [Self::OneSequence, Self::SharedPrompt, Self::TwoBudgets];

    /// Returns the words for a button.
    pub fn label(self) -> &'static str {
        match self {
            Self::OneSequence => "prompt and response in one sequence",
            Self::SharedPrompt => "responses that share their prompt",
            Self::TwoBudgets => "a limit for each",
        }
    }
}

impl PromptAndResponse {
    /// Finds the columns among those of a file. `None` if there are not both.
    pub fn of<S: AsRef<str>>(columns: &[S]) -> Option<Self> {
        let names: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
        let [prompt, response] = component_names::prompt_and_response(&names)?;
        let is_other = |at: &usize| *at != prompt && *at != response;
        let mut others = (0..names.len()).filter(is_other);
        let group = others.find(|at| names::names_prompts(names[*at]));
        Some(Self {
            prompt: names[prompt].to_owned(),
            response: names[response].to_owned(),
            group: group.map(|at| names[at].to_owned()),
        })
    }

    /// Returns the columns to read for a way: one that is computed, or those of the prompt and the response.
    pub fn columns(&self, reading: PairReading) -> Vec<Column> {
        let both = [&self.prompt, &self.response];
        match reading {
            PairReading::OneSequence => {
                let sum = both.map(|name| quoted(name)).join(" + ");
                vec![Column::Name(sum)]
            }
            PairReading::SharedPrompt | PairReading::TwoBudgets => {
                both.map(|name| Column::Name(name.clone())).to_vec()
            }
        }
    }
}
