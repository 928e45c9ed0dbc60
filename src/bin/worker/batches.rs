//! Answers about batches of sequences.

use crate::{HeldData, milliseconds, ticks};
use packscope::api::batch::{PreparedBatches, Settings};
use packscope::error::Result;
use packscope_page::query::Answer;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Seconds below which a second run is timed as well.
const FAST: f64 = 0.1;

/// Answers a question about batches, with the seconds that it took; with `drawn`, they are listed for the picture.
pub fn answer(data: &HeldData, settings: &Settings, drawn: bool) -> Result<(Answer, f64)> {
    let lengths = data.lengths()?;
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
    Ok((Answer::Batches(Rc::new(outcome?)), seconds))
}
