//! One judge over all advice: what a training does today, the change that is worth making, and what it saves.
//!
//! A [`Case`] is a training as it is set up now: a library as it is installed, or shuffled batches padded to their longest
//! sequence, with a model, its accelerators and the tokens of a step. An [`Advisor`] tries candidates (one setting of the
//! library, packing switched on, several settings, samplers, packs, other limits) and describes each by the same
//! [`Outcome`]. Ranks that wait for each other have the same judge ([`advise_ranks`]). The judge's rules, of which a broken one is a [`Ruling`]:
//!
//! - The memory of an accelerator holds its batch.
//! - It loses no more tokens (of those that bear loss, where [`Case::supervision`] says which do) than what is set, but for half a percent that it names and pays for; it cuts no more sequences apart, and keeps sequences of a row apart where they
//!   are now. Cutting apart is taken only in place of cutting off, where no limit that fits keeps the loss below 2 %.
//! - It keeps the shuffle.
//! - All candidates have the tokens a step of now, or of the case, as far as rows in whole numbers allow it; where a tenth
//!   is missing, the [`Verdict`] says so.
//! - It is at least a percent better than what is set, by [`Outcome::charge`], and no other candidate that keeps to the rules
//!   is better by more than half a percent, or a percent where its change is of a larger kind. Of those that are as good
//!   the smallest change is advised.
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

mod answers;
mod case;
mod graphs;
mod judge;
mod libraries;
mod limits;
mod outcome;
mod packs;
mod pass;
mod plain;
mod price;
mod ranks;
mod samplers;
mod words;

pub use case::{
    Case, GraphCase, Hardware, LoaderCase, SharedCurves, shared_out, suited_model, usual_limit,
};
pub use limits::lost_at;
pub use outcome::{Change, Considered, Effort, Outcome, Ruling, SamplerChoice};
pub use ranks::{RanksCase, advise_ranks};
pub use words::{duration, money};

use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;
use crate::words::{percent, singular_unit};
use judge::Now;
use price::Pricer;
use serde::{Deserialize, Serialize};
use words::Named;

/// The judge's answer: now, then, and all that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The present settings, and the advice with its outcome, or that nothing is to be changed.
    pub sentence: String,
    /// Sentences on the price of the advice, and on what is assumed of now.
    pub notes: Vec<String>,
    /// The present settings; `None` where the library refuses the data.
    pub now: Option<Outcome>,
    /// The advice; `None` where nothing is worth a change.
    pub then: Option<Outcome>,
    /// The best candidate of those that change less than the advice, such as another sampler where packing is advised;
    /// `None` where none of them is worth a change, or the advice changes no more than settings.
    pub lighter: Option<Outcome>,
    /// Where the advice, or what is set where there is none, loses much: a candidate that loses less, with its price.
    pub keeps: Option<Outcome>,
    /// The candidate of the least charge of all that fit the memory, with its ruling: the advice, or one that breaks a rule or
    /// is a larger change. `None` where no candidate fits.
    pub best: Option<Considered>,
    /// All candidates with the judge's rulings, in the order in which they were tried.
    pub considered: Vec<Considered>,
    /// Of graphs without a loader: the best packs for shapes that are fixed, where the accelerator takes any shape.
    pub fixed: Option<Outcome>,
    /// Every row padded to the limit, as in papers on BERT: a scenario, not what loaders do. Of sequences without a library.
    pub padded_to_limit: Option<Outcome>,
}

impl Verdict {
    /// Leaves out all that was looked at, with its lines, which is most of a verdict.
    #[must_use]
    pub fn without_candidates(self) -> Self {
        Self {
            considered: Vec::new(),
            ..self
        }
    }
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
        match &case.library {
            Some(id) if samplers::makes_batches(id) => advise_sampler(self.data, case, progress),
            Some(id) => {
                let answers = &mut self.answers;
                let found =
                    libraries::library(self.data, answers, (case, id), case.pricer(), progress)?;
                Ok(on_library(case, found))
            }
            None => on_loader(self.data, &mut self.known, case, progress),
        }
    }
}

/// Returns the verdict on a library that makes batches of sequences, as [`Advisor::advise`] with it, for programs that are
/// to be small. [`LoaderCase::rows`] is the size of a batch, or its slots in sequences of the limit.
///
/// # Errors
/// Names and values that no library of batches has, a limit of 0, [`Error::Cancelled`](crate::error::Error::Cancelled).
pub fn advise_sampler(
    data: &Histogram<1>,
    case: &Case,
    progress: &mut Progress,
) -> Result<Verdict> {
    let id = case.library.as_deref().unwrap_or_default();
    let found = samplers::sampler(data, (case, id), case.pricer(), progress)?;
    Ok(on_library(case, found))
}

fn on_library(case: &Case, found: libraries::LibraryCandidates) -> Verdict {
    let lost = case.lost_unit();
    let named = Named {
        title: &found.title,
        unit: &case.unit,
        lost: &lost,
        pass: "an epoch",
    };
    let verdict = verdict(&case.pricer(), named, found.now, found.tried);
    let notes = found.notes.into_iter().chain(verdict.notes).collect();
    said_what_trains(case, Verdict { notes, ..verdict })
}

/// Returns the verdict on batches of single sequences, whatever library the case names: as [`Advisor::advise`] without
/// one, for programs that are to be small.
///
/// # Errors
/// A limit of 0, [`Error::Cancelled`](crate::error::Error::Cancelled).
pub fn advise_loader(data: &Histogram<1>, case: &Case, progress: &mut Progress) -> Result<Verdict> {
    on_loader(data, &mut plain::PlainCache::default(), case, progress)
}

fn on_loader(
    data: &Histogram<1>,
    known: &mut plain::PlainCache,
    case: &Case,
    progress: &mut Progress,
) -> Result<Verdict> {
    let found = plain::plain(data, known, case, case.pricer(), progress)?;
    let lost = case.lost_unit();
    let named = Named {
        title: &found.title,
        unit: &case.unit,
        lost: &lost,
        pass: if case.loader.shuffles {
            "an epoch"
        } else {
            "a pass"
        },
    };
    let verdict = verdict(&case.pricer(), named, Ok(found.now), found.tried);
    Ok(said_what_trains(
        case,
        Verdict {
            padded_to_limit: found.padded,
            ..verdict
        },
    ))
}

/// Adds the sequences that train nothing at the limit of the advice, where it is known which tokens bear loss and they are
/// more than a few.
fn said_what_trains(case: &Case, mut verdict: Verdict) -> Verdict {
    let plan = verdict.then.as_ref().or(verdict.now.as_ref());
    if let (Some(curves), Some([limit])) = (case.curves(), plan.map(|of| of.limit.as_slice())) {
        let share = curves.untrained_share(*limit);
        if share >= judge::LITTLE {
            verdict.notes.push(format!(
                "At {}, {} of the sequences have no supervised {} left, and train nothing.",
                words::limit_in_words(&[*limit]),
                percent(share),
                singular_unit(&case.unit)
            ));
        }
    }
    verdict
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
    let found = graphs::graphs(data, case, case.pricer(), progress)?;
    let named = Named {
        title: &found.title,
        unit: "nodes",
        lost: "nodes",
        pass: "an epoch",
    };
    let verdict = verdict(&case.pricer(), named, found.now, found.tried);
    let fixed = found
        .fixed
        .iter()
        .map(|fixed| words::of_fixed(fixed, named));
    Ok(Verdict {
        notes: verdict.notes.into_iter().chain(fixed).collect(),
        fixed: found.fixed,
        ..verdict
    })
}

/// Judges what was tried, and puts it in words.
fn verdict(
    pricer: &Pricer,
    named: Named,
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
    let judge::Judged {
        considered,
        advised,
        lighter,
    } = judge::judged(judged, tried);
    let [then, lighter] = [advised, lighter].map(|at| at.map(|at| considered[at].outcome.clone()));
    let begin = match &now {
        Ok(now) => words::of_now(named, now),
        Err(why) => words::of_refusal(named.title, why),
    };
    let (end, mut notes) = match &then {
        Some(then) => (
            words::of_then(runs, then, named),
            words::prices(runs, then, named),
        ),
        None => {
            let beyond = considered.iter().map(|one| &one.outcome);
            let beyond = beyond
                .filter(|one| !one.fits)
                .min_by(|a, b| a.memory.total_cmp(&b.memory));
            (words::of_nothing(runs, beyond), Vec::new())
        }
    };
    notes.extend(
        lighter
            .iter()
            .map(|lighter| words::of_lighter(runs, lighter, named)),
    );
    let plan = then.as_ref().or(runs.filter(|now| now.fits));
    let mut keeps = None;
    if let Some(plan) = plan.filter(|plan| plan.lost_share > judge::MUCH) {
        keeps = judge::keeps_most(plan, &considered).cloned();
        notes.push(words::of_loss(plan, keeps.as_ref(), named.lost));
    }
    let fit = considered.iter().filter(|one| one.outcome.fits);
    let best = fit.min_by(|a, b| a.outcome.charge.total_cmp(&b.outcome.charge));
    Verdict {
        sentence: format!("{begin} {end}"),
        notes,
        now: now.ok(),
        then,
        lighter,
        keeps,
        best: best.cloned(),
        considered,
        fixed: None,
        padded_to_limit: None,
    }
}
