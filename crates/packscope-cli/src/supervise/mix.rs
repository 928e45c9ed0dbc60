//! A mix of sources: what its weights come to, and lines that set it.

use clap::{Args, ValueEnum};
use packscope::error::{Error, Result};
use packscope::supervision::sources::{Mix, Weighted};
use packscope::supervision::{Curves, words};
use serde::Serialize;

#[derive(Args)]
pub struct MixArgs {
    /// Weights of a mix of the sources, such as web=0.7,code=0.3: what they come to, and lines that set it. Sources that are not
    /// named are left out.
    #[arg(long, value_name = "SOURCE=WEIGHT,…")]
    mix: Option<String>,
    /// What the weights are shares of.
    #[arg(long, default_value = "documents", requires = "mix")]
    mix_of: MixOf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum MixOf {
    /// Documents, as HF interleave_datasets draws them.
    Documents,
    /// Tokens, as Megatron-LM and torchtitan mix rows of one length.
    Tokens,
}

/// The sources as they are, and as they are to be mixed.
#[derive(Serialize)]
pub struct Mixed {
    pub sources: Vec<String>,
    /// The mix of all documents, each once.
    pub now: Mix,
    pub then: Mix,
    pub lines: String,
}

impl MixArgs {
    /// Returns the mix that is asked for, if one is.
    pub fn mixed(&self, sources: &[(String, Curves)], limit: u32) -> Result<Option<Mixed>> {
        let Some(text) = &self.mix else {
            return Ok(None);
        };
        let (mut names, mut curves, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for part in text.split(',') {
            let refused = |message: String| Error::Input {
                place: "--mix".to_owned(),
                message,
            };
            let known = || {
                let names: Vec<&str> = sources
                    .iter()
                    .map(|(name, _)| name.as_str())
                    .take(20)
                    .collect();
                names.join(", ")
            };
            let given = part.rsplit_once('=');
            let given = given
                .and_then(|(name, weight)| Some((name.trim(), weight.trim().parse::<f64>().ok()?)));
            let Some((name, weight)) = given else {
                let message = format!(
                    "{part:?} is no weight; expected SOURCE=WEIGHT, such as web=0.7, with commas between them"
                );
                return Err(refused(message));
            };
            let Some((name, of)) = sources.iter().find(|(known, _)| known == name) else {
                let message = match sources {
                    [] => "no field of the file names a source; expected --by with its name"
                        .to_owned(),
                    _ => format!("there is no source {name:?}; the sources are: {}", known()),
                };
                return Err(refused(message));
            };
            names.push(name.clone());
            curves.push(of);
            weights.push(weight);
        }
        let by = match self.mix_of {
            MixOf::Documents => Weighted::Documents,
            MixOf::Tokens => Weighted::Tokens,
        };
        let then = Mix::new(&curves, &weights, by, limit)?;
        Ok(Some(Mixed {
            now: Mix::as_they_are(&curves, limit)?,
            lines: words::lines(&names, &then),
            sources: names,
            then,
        }))
    }
}
