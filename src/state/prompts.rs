//! Lengths of prompts with those of their responses, which can be read in several ways.

use packscope::histogram::Sizes;
use packscope::ingest::{Column, Description, Options, PairReading, PromptAndResponse, Read};

/// The ways that the page reads them in, the likeliest first.
pub const WAYS: [PairReading; 2] = [PairReading::OneSequence, PairReading::TwoBudgets];

/// Returns the options that read a prompt and its response as one sequence, where the columns were
/// not chosen and were read as two sizes.
pub fn guess(read: &Read, options: &Options) -> Option<Options> {
    if !options.sizes.is_empty() || !matches!(read.counted, Sizes::Graphs(_)) {
        return None;
    }
    let (both, reading) = found(&read.description)?;
    (reading == PairReading::TwoBudgets).then(|| Options {
        sizes: both.columns(PairReading::OneSequence),
        ..options.clone()
    })
}

/// Returns the columns of a prompt and its response, and the way in which they were read; `None` of
/// other columns.
pub fn found(description: &Description) -> Option<(PromptAndResponse, PairReading)> {
    let both = PromptAndResponse::of(description.columns.as_deref()?)?;
    let is_read = |way: &PairReading| same(&both.columns(*way), &description.sizes);
    let reading = WAYS.into_iter().find(is_read)?;
    Some((both, reading))
}

/// Whether two lists name the same columns, in any order.
fn same(one: &[Column], other: &[Column]) -> bool {
    one.len() == other.len() && one.iter().all(|column| other.contains(column))
}
