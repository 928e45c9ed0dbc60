//! One judge over all advice: what a training does today, the change that is worth making, and what it saves.
//!
//! A [`Case`] is a training as it is set up now: a library as it is installed, or shuffled batches padded to their longest
//! sequence, with a model, its accelerators and the tokens of a step. An [`Advisor`] tries candidates (one setting of the
//! library, packing switched on, several settings, samplers, packs, other limits) and describes each by the same
//! [`Outcome`]. The judge's rules, of which a broken one is a [`Ruling`]:
//!
//! - The memory of an accelerator holds its batch.
//! - It loses no more tokens than what is set, but for half a percent that it names and pays for; it cuts no more sequences apart, and keeps sequences of a row apart where they
//!   are now. Cutting apart is taken only in place of cutting off, where no limit that fits keeps the loss below 2 %.
//! - It keeps the shuffle.
//! - All candidates have the tokens a step of now, or of the case, as far as rows in whole numbers allow it; where a tenth
//!   is missing, the [`Verdict`] says so.
//! - It is at least a percent better than what is set, by [`Outcome::charge`], and no other candidate that keeps to the rules
//!   is better by more than half a percent. Of those within half a percent the smallest change is advised.
//! - A limit is tried only where more than 2 % of the tokens are lost, where the library refuses the data, or where no
//!   batch fits.
//!
//! ```
//! use packscope::advice::{Advisor, Case};
//! use packscope::{Histogram, packing::go_on};
//!
//! let data = Histogram::from_lengths([(100, 9000), (900, 1000)])?;
//! let verdict = Advisor::new(&data).advise(&Case::new(&data, Some("trl")), &mut go_on)?;
//! let then = verdict.then.unwrap();
//! assert!(then.change.words.contains("`packing=True`"));
//! assert!(verdict.now.unwrap().padding_share > 0.5 && then.padding_share == 0.0);
//! # Ok::<(), packscope::Error>(())
//! ```

mod case;
mod graphs;
mod judge;
mod libraries;
mod limits;
mod outcome;
mod pass;
mod plain;
mod price;
mod words;

pub use case::{Case, GraphCase, Hardware, shared_out, suited_model, usual_limit};
pub use limits::lost_at;
pub use outcome::{Change, Considered, Effort, Outcome, Ruling};
pub use words::{duration, money};

use crate::cost::Workload;
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;
use judge::Now;
use price::Pricer;
use serde::{Deserialize, Serialize};

/// The judge's answer: now, then, and all that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What is set now, and the advice with its outcome, or that nothing is to be changed.
    pub sentence: String,
    /// Sentences on the price of the advice, and on what is assumed of now.
    pub notes: Vec<String>,
    /// What is set now; `None` where the library refuses the data.
    pub now: Option<Outcome>,
    /// The advice; `None` where nothing is worth a change.
    pub then: Option<Outcome>,
    /// All candidates with the judge's rulings, in the order in which they were tried.
    pub considered: Vec<Considered>,
    /// Every row padded to the limit, as in papers on BERT: a scenario, not what loaders do. Of sequences without a library.
    pub padded_to_limit: Option<Outcome>,
}

/// Gives advice on the same sequences under many cases: what was packed for one case is kept for the next, so that another
/// model or accelerator only prices anew.
#[derive(Debug)]
pub struct Advisor<'a> {
    data: &'a Histogram<1>,
    answers: libraries::Answers,
    known: plain::PlainCache,
}

impl<'a> Advisor<'a> {
    /// Creates an advisor on these lengths.
    pub fn new(data: &'a Histogram<1>) -> Self {
        Self {
            data,
            answers: libraries::Answers::default(),
            known: plain::PlainCache::default(),
        }
    }

    /// Returns the verdict on a case. Packs for each candidate that was not seen before, a dozen at most at each of a few
    /// limits.
    ///
    /// # Errors
    /// Names and values that the library does not have, a limit of 0, [`Error::Cancelled`](crate::error::Error::Cancelled).
    pub fn advise(&mut self, case: &Case, progress: &mut Progress) -> Result<Verdict> {
        let Hardware {
            assumptions,
            overhead,
        } = &case.hardware;
        let workload = Workload::Transformer(assumptions.transformer);
        let pricer = || Pricer::new(assumptions, workload, *overhead, case.seed);
        match &case.library {
            Some(id) => {
                let answers = &mut self.answers;
                let found = libraries::library(self.data, answers, (case, id), pricer(), progress)?;
                let verdict = verdict(&pricer(), (&found.title, "tokens"), found.now, found.tried);
                let notes = found.notes.into_iter().chain(verdict.notes).collect();
                Ok(Verdict { notes, ..verdict })
            }
            None => {
                let found = plain::plain(self.data, &mut self.known, case, pricer(), progress)?;
                let verdict = verdict(
                    &pricer(),
                    (&found.title, "tokens"),
                    Ok(found.now),
                    found.tried,
                );
                Ok(Verdict {
                    padded_to_limit: found.padded,
                    ..verdict
                })
            }
        }
    }
}

/// Returns the verdict on a training on graphs.
///
/// # Errors
/// Names and values that the loader does not have; [`Error::Cancelled`](crate::error::Error::Cancelled).
pub fn advise_graphs(
    data: &Histogram<2>,
    case: &GraphCase,
    progress: &mut Progress,
) -> Result<Verdict> {
    let Hardware {
        assumptions,
        overhead,
    } = &case.hardware;
    let pricer = || {
        let workload = Workload::Gnn(assumptions.gnn);
        Pricer::new(assumptions, workload, *overhead, case.seed)
    };
    let found = graphs::graphs(data, case, pricer(), progress)?;
    Ok(verdict(
        &pricer(),
        (&found.title, "nodes"),
        found.now,
        found.tried,
    ))
}

/// Judges what was tried, and puts it in words.
fn verdict(
    pricer: &Pricer,
    (title, unit): (&str, &str),
    now: std::result::Result<Outcome, String>,
    mut tried: Vec<Outcome>,
) -> Verdict {
    if let Ok(now) = &now {
        tried.iter_mut().for_each(|then| pricer.compare(now, then));
    }
    let runs = now.as_ref().ok();
    let judged = match runs {
        Some(now) if now.fits => Now::Runs(now),
        _ => Now::Stops,
    };
    let (considered, advised) = judge::judged(judged, tried);
    let then = advised.map(|at| considered[at].outcome.clone());
    let begin = match &now {
        Ok(now) => words::of_now(title, now, unit),
        Err(why) => words::of_refusal(title, why),
    };
    let (end, mut notes) = match &then {
        Some(then) => (
            words::of_then(runs, then, unit),
            words::prices(runs, then, unit),
        ),
        None => {
            let beyond = considered.iter().map(|one| &one.outcome);
            let beyond = beyond
                .filter(|one| !one.fits)
                .min_by(|a, b| a.memory.total_cmp(&b.memory));
            (words::of_nothing(runs, beyond), Vec::new())
        }
    };
    let plan = then.as_ref().or(runs.filter(|now| now.fits));
    if let Some(plan) = plan.filter(|plan| plan.lost_share > judge::MUCH) {
        let keeps = judge::keeps_most(plan, &considered);
        notes.push(words::of_loss(plan, keeps, unit));
    }
    Verdict {
        sentence: format!("{begin} {end}"),
        notes,
        now: now.ok(),
        then,
        considered,
        padded_to_limit: None,
    }
}
