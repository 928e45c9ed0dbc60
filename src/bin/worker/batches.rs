//! Answers about batches of sequences.

use crate::{HeldData, milliseconds, ticks};
use packscope::api::batch::{PreparedBatches, Settings};
use packscope::api::queries::TimedAnswer;
use packscope::error::{Error, Result};
use packscope_page::wire::{Encoded, encode_value};
use std::ops::ControlFlow;

/// Seconds below which a second run is timed as well.
const FAST: f64 = 0.1;

/// Answers a request for batches; with `drawn`, they are listed for the picture.
pub fn answer(data: &HeldData, settings: &Settings, drawn: bool) -> Result<TimedAnswer<Encoded>> {
    let lengths = data.lengths.as_deref().ok_or(Error::Empty)?;
    let sizes = data
        .texts
        .as_deref()
        .unwrap_or_else(|| data.plain.get_or_init(|| lengths.with_zero()));
    let timed = |drawn| {
        let (start, mut tick) = (milliseconds(), ticks());
        let mut tell = |step| {
            tick(step);
            ControlFlow::Continue(())
        };
        let prepared = PreparedBatches::new(sizes, data.texts.is_some(), settings);
        let outcome = prepared.and_then(|prepared| prepared.report(settings, drawn, &mut tell));
        (outcome, (milliseconds() - start) / 1e3)
    };
    let (outcome, mut seconds) = timed(drawn);
    // A first run is dominated by the browser's compiler; and drawing is not part of the time shown.
    if seconds < FAST {
        seconds = seconds.min(timed(false).1);
    }
    let outcome = outcome
        .map(|report| encode_value(&report))
        .map_err(|error| error.to_string());
    Ok(TimedAnswer { outcome, seconds })
}
