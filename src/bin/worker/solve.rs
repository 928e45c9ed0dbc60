//! Answers to questions about packing.

use crate::{milliseconds, send, ticks};
use packscope::api::{PackingSettings, Problem};
use packscope::error::{Error, Result};
use packscope::packing::{self, PATIENCE, Step};
use packscope_page::query::{Answer, ComparisonRow, Finding, Question, TimedAnswer};
use packscope_page::wire::{Answers, WorkerResponse};
use serde_json::Value;
use std::cell::Cell;
use std::ops::ControlFlow;

thread_local! {
    static WARM: Cell<bool> = const { Cell::new(false) };
}

/// Seconds below which a solve is timed several times.
const FAST: f64 = 0.02;
/// Seconds below which the worker's first solve is repeated.
const COLD: f64 = 0.3;
/// Seconds after which a search reports its result so far.
const GLANCE: f64 = 0.2;
/// Seconds for an optimum that is requested as a plain report.
const BUDGET: f64 = 10.0;
/// Seconds for an optimum whose certificate is requested, which was found before.
const CERTIFY: f64 = 120.0;
/// Milliseconds after which the rows of a comparison so far are sent.
const PART: f64 = 100.0;

type FindingOf<P> = Finding<<P as Problem>::Settings>;

/// Answers questions about packs, and sends pieces of answers before they are complete.
pub struct Packer<P: Problem> {
    /// The place of the question in its message.
    at: usize,
    wrap: fn(FindingOf<P>) -> Answer,
}

impl<P: Problem> Packer<P> {
    pub fn new(at: usize, wrap: fn(FindingOf<P>) -> Answer) -> Self {
        Self { at, wrap }
    }

    /// Returns the answer, and the seconds that packing took.
    pub fn answer(
        &self,
        question: &Question<P::Settings>,
        data: &P::Histogram,
    ) -> Result<(Answer, f64)> {
        let prepared = P::prepare(data, question.settings())?;
        let (finding, seconds) = match question {
            Question::Report { settings, listed } => report(&prepared, settings, *listed)?,
            Question::Compare {
                settings,
                rows,
                budget,
            } => (self.compare(&prepared, settings, rows, *budget)?, 0.0),
            Question::Prove {
                settings,
                listed,
                budget,
            } => self.prove(&prepared, settings, *listed, *budget)?,
        };
        Ok(((self.wrap)(finding), seconds))
    }

    fn send(&self, finding: FindingOf<P>, seconds: f64) {
        let outcome = Ok((self.wrap)(finding));
        send(&WorkerResponse::Answers(Answers {
            first: self.at,
            answers: vec![TimedAnswer { outcome, seconds }],
            more: true,
        }));
    }

    fn prove(
        &self,
        prepared: &P,
        settings: &P::Settings,
        listed: u32,
        budget: f64,
    ) -> Result<(FindingOf<P>, f64)> {
        let (settings, start) = (settings.optimal(), milliseconds());
        // An optimum that is proven at a glance needs no long search; otherwise the page soon has a plan and a bound to
        // show.
        let (packed, seconds) = pack(prepared, &settings, listed, budget.min(GLANCE))?;
        let known = P::packs_and_bound(&packed);
        let report = Box::new(prepared.report(&settings, packed, listed));
        if report.figures.gap == Some(0.0) || budget <= GLANCE {
            return Ok((Finding::Report(report), seconds));
        }
        // This plan is shown while the long search, which starts anew, is running.
        self.send(Finding::Report(report), seconds);
        let (packed, seconds) = timed(prepared, &settings, listed, budget, (start, known))?;
        let report = Box::new(prepared.report(&settings, packed, listed));
        Ok((Finding::Report(report), seconds))
    }

    fn compare(
        &self,
        prepared: &P,
        settings: &P::Settings,
        rows: &[<P::Settings as PackingSettings>::Row],
        budget: f64,
    ) -> Result<FindingOf<P>> {
        let mut compared = Vec::with_capacity(rows.len());
        let mut sent = milliseconds();
        for &row in rows {
            let settings = settings.with_row(row);
            let solve = || pack(prepared, &settings, 0, budget);
            let (packed, mut seconds) = match solve() {
                // An algorithm that would not end on these data is left out of the table, and the
                // others are shown.
                Err(error) if error.is_too_much() => continue,
                solved => solved?,
            };
            // A first run is dominated by the browser's compiler: fast solves are repeated, and the best time is kept.
            if seconds < FAST {
                seconds = seconds.min(solve()?.1).min(solve()?.1);
            }
            compared.push(ComparisonRow {
                row,
                figures: prepared.figures(&settings, &packed),
                seconds,
            });
            if milliseconds() - sent > PART {
                sent = milliseconds();
                self.send(Finding::Rows(std::mem::take(&mut compared)), 0.0);
            }
        }
        Ok(Finding::Rows(compared))
    }
}

/// Computes the optimum again for its proof, and returns the certificate that `write` makes of it.
pub fn certify<P: Problem>(
    settings: &P::Settings,
    data: &P::Histogram,
    write: fn(&P::Settings, &P::Packed) -> Option<Value>,
) -> Result<String> {
    // The proof is not kept with the answer: it is large, and few visitors ask for it.
    let settings = settings.optimal();
    let (packed, _) = pack(&P::prepare(data, &settings)?, &settings, 0, CERTIFY)?;
    let proof = write(&settings, &packed).ok_or_else(|| Error::Input {
        place: "the certificate".to_owned(),
        message: "there is none: only a bound by the LP relaxation has one".to_owned(),
    })?;
    Ok(format!("{proof}\n"))
}

fn report<P: Problem>(
    prepared: &P,
    settings: &P::Settings,
    listed: u32,
) -> Result<(FindingOf<P>, f64)> {
    let solve = || pack(prepared, settings, listed, BUDGET);
    let (packed, mut seconds) = solve()?;
    // The worker's first solve is dominated by the browser's compiler; its time is not shown.
    if !WARM.replace(true) && seconds < COLD {
        seconds = solve()?.1;
    }
    let report = Box::new(prepared.report(settings, packed, listed));
    Ok((Finding::Report(report), seconds))
}

/// Packs, and returns the plan and the seconds taken. `budget`, in seconds, limits the optimum's search by its steps.
fn pack<P: Problem>(
    prepared: &P,
    settings: &P::Settings,
    listed: u32,
    budget: f64,
) -> Result<(P::Packed, f64)> {
    timed(
        prepared,
        settings,
        listed,
        budget,
        (milliseconds(), (u64::MAX, 0)),
    )
}

/// Like [`pack`], for work that began at `start`, where a number of packs and a bound are already known.
fn timed<P: Problem>(
    prepared: &P,
    settings: &P::Settings,
    listed: u32,
    budget: f64,
    (start, known): (f64, (u64, u64)),
) -> Result<(P::Packed, f64)> {
    // The budget counts steps, which makes the outcome the same on every machine; the clock only
    // ends a search on a machine much slower than these steps assume.
    let late = budget * 1e3 * PATIENCE;
    let mut tick = ticks();
    let mut ask = |step| {
        tick(match step {
            Step::Found { packs, bound } => Step::Found {
                // The search starts anew, so its first plans may be worse than the one on screen,
                // which must not seem to get worse.
                packs: packs.min(known.0),
                bound: bound.max(known.1),
            },
            step => step,
        });
        match step {
            Step::Found { .. } if milliseconds() - start > late => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let packed = prepared.pack(settings, listed, packing::steps(budget), &mut ask)?;
    Ok((packed, (milliseconds() - start) / 1e3))
}
