//! Answers to questions about batches.

use crate::{now, send, ticks};
use packscope::api::batch::{Prepared, Report, Settings};
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::wire::Reply;
use std::ops::ControlFlow;

/// Seconds below which the time is taken from a second run.
const FAST: f64 = 0.1;

/// Draws batches for each of these settings; all answers but the last are sent at once.
pub fn answer(
    texts: Option<&Histogram<2>>,
    lengths: &Histogram<1>,
    all: Vec<(Settings, bool)>,
) -> Result<Reply> {
    let plain;
    let (data, known) = match texts {
        Some(texts) => (texts, true),
        None => {
            plain = lengths.with_zero();
            (&plain, false)
        }
    };
    let last = all.len().checked_sub(1).ok_or(Error::Empty)?;
    let mut replies = all.into_iter().enumerate().map(|(i, (settings, drawn))| {
        let timed = |drawn| {
            let start = now();
            let outcome = report(data, known, &settings, drawn);
            (outcome, (now() - start) / 1e3)
        };
        let (outcome, mut seconds) = timed(drawn);
        // A first run is mostly the browser compiling, and drawing is no part of it.
        if seconds < FAST {
            seconds = seconds.min(timed(false).1);
        }
        let outcome = outcome.map(Box::new).map_err(|error| error.to_string());
        Reply::Batches { settings: Box::new(settings), outcome, seconds, more: i < last }
    });
    replies.by_ref().take(last).for_each(|reply| send(&reply));
    replies.next().ok_or(Error::Empty)
}

fn report(data: &Histogram<2>, known: bool, settings: &Settings, drawn: bool) -> Result<Report> {
    let mut tick = ticks();
    let mut tell = |step| {
        tick(step);
        ControlFlow::Continue(())
    };
    Prepared::new(data, known, settings)?.report(settings, drawn, &mut tell)
}
