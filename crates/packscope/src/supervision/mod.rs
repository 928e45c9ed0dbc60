//! Which tokens train: of all that is computed, those that bear loss, at every limit.
//!
//! In supervised fine-tuning only responses bear loss. A limit cuts the end of a sequence, which is where they stand, so
//! that it loses more of what trains than of the tokens, and leaves sequences that train nothing at all. An item is its
//! number of tokens with the [`Span`]s of those that are supervised. [`CurveBuilder`] takes items one after the other, and
//! makes of them the [`Curves`]: for all limits at once, the supervised tokens that are kept, and the items that have none
//! left, under one [`Truncation`]. A slider then costs one look-up.
//!
//! ```
//! use packscope::histogram::Overlong;
//! use packscope::supervision::{CurveBuilder, Truncation};
//!
//! let mut builder = CurveBuilder::new(Truncation::Right);
//! // A prompt of 900 tokens with a response of 100, three times; two turns of 50 and 20.
//! builder.add(1000, &[900..1000], 3)?;
//! builder.add(140, &[50..70, 120..140], 1)?;
//! let curves = builder.finish();
//! assert_eq!((curves.tokens(), curves.supervised()), (3140, 340));
//! assert_eq!((curves.kept(950), curves.untrained(950)), (3 * 50 + 40, 0));
//! assert_eq!((curves.kept(512), curves.untrained(512)), (40, 3));
//! assert_eq!(curves.lost_share(512, Overlong::Truncate), 300.0 / 340.0);
//! # Ok::<(), packscope::Error>(())
//! ```
//!
//! A [`Sample`] keeps items of a stream, each as likely, for what curves do not say: [`weights`] of tokens and sequences in
//! the loss. [`sources`] compares what items of several origins are of the whole, and mixes them.

mod collector;
mod curves;
mod sample;
mod shared;
pub mod sources;
pub mod weights;
pub mod words;

pub use collector::{Collected, Collector};
pub use curves::{Composition, CurveBuilder, Curves, MOST_LIMIT};
pub use sample::{Sample, SampledItem};

use crate::error::{Error, Result};
use crate::names::names;
use std::ops::Range;

/// Supervised tokens that follow each other, by their places from 0 in the item.
pub type Span = Range<u32>;

/// The part of an item that is kept where it is longer than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truncation {
    /// The first tokens: TRL (`truncation_mode="keep_start"`), ms-swift (`truncation_strategy="right"`), tokenizers.
    #[default]
    Right,
    /// The last tokens: ms-swift (`truncation_strategy="left"`), TRL (`truncation_mode="keep_end"`).
    Left,
    /// Prompt and response of each turn in shares of their lengths, turn after turn until the limit is reached:
    /// LLaMA-Factory's `infer_seqlen`. More may be lost at a larger limit.
    Shared,
}

names! { Truncation, "truncation";
    Right: "right", "the end is cut off", "The first tokens are kept";
    Left: "left", "the beginning is cut off", "The last tokens are kept";
    Shared: "shared", "prompts and responses are cut in shares", "Each turn is cut in shares of prompt and response, as LLaMA-Factory does";
}

impl Truncation {
    /// Returns the truncation of a training library as it is installed, by its name on the command line.
    pub fn of_library(id: &str) -> Self {
        match id {
            "llama-factory" => Self::Shared,
            _ => Self::Right,
        }
    }

    /// Returns the number of supervised tokens that an item of so many tokens keeps at a limit. O(spans).
    pub fn kept(self, tokens: u32, spans: &[Span], limit: u32) -> u32 {
        let within = |from: u32, to: u32| {
            let kept = spans.iter().map(|span| {
                let (start, end) = (span.start.max(from), span.end.min(to));
                end.saturating_sub(start)
            });
            kept.sum()
        };
        match self {
            Self::Right => within(0, limit),
            Self::Left => within(tokens.saturating_sub(limit), tokens),
            Self::Shared => shared::kept(spans, limit),
        }
    }
}

/// Checks that spans are in order, apart, not empty and within the item.
///
/// # Errors
/// [`Error::ZeroSize`] for an item without tokens, [`Error::Setting`] for such spans.
fn checked(tokens: u32, spans: &[Span]) -> Result<()> {
    if tokens == 0 {
        return Err(Error::ZeroSize);
    }
    let mut at = 0;
    for span in spans {
        if span.start < at || span.start >= span.end || span.end > tokens {
            return Err(Error::Setting {
                what: "span of supervised tokens",
                given: format!("{}..{} of {tokens} tokens", span.start, span.end),
                expected: "spans in order, none empty, within the tokens of their item",
            });
        }
        at = span.end;
    }
    Ok(())
}
