//! Candidates of a library that makes batches of sequences: one changed setting, and other limits where much is lost.

use super::answers::answer_of;
use super::case::Case;
use super::judge::{MUCH, Now, lost_so_far};
use super::libraries::LibraryCandidates;
use super::limits::{larger, smaller};
use super::outcome::{Change, Effort, Outcome};
use super::price::{BatchRows, Lost, Pass, Pricer};
use super::words::{among, limit_in_words, written};
use crate::api::trainer::LibraryAnswer;
use crate::cost::{Method, Work};
use crate::error::Result;
use crate::histogram::{Histogram, Overlong};
use crate::packing::Progress;
use crate::sampler::Sampler;
use crate::trainer::batches::{LibraryLimits, SamplerLibraries};
use crate::trainer::{Library, LibrarySettings};
use crate::words::count;

type SamplerSettings = LibrarySettings<SamplerLibraries>;

/// Whether a library of this name makes batches of sequences.
pub(super) fn makes_batches(id: &str) -> bool {
    Library::<SamplerLibraries>::find(id).is_ok()
}

struct Trials<'t, 'p> {
    data: &'t Histogram<1>,
    pricer: Pricer<'p>,
    case: &'t Case,
    now: SamplerSettings,
    step: Option<f64>,
    outcomes: Vec<Outcome>,
}

/// Tries the settings of a library that makes batches, of as many sequences as the case has rows. All batches have lengths
/// of their own, so that accelerators wait about as long under each; waiting is left out.
///
/// # Errors
/// Names and values that the library does not have, a limit of 0, [`Error::Cancelled`](crate::error::Error::Cancelled).
pub(super) fn sampler(
    data: &Histogram<1>,
    (case, id): (&Case, &str),
    pricer: Pricer,
    progress: &mut Progress,
) -> Result<LibraryCandidates> {
    let library = Library::<SamplerLibraries>::find(id)?;
    let asked = LibraryLimits {
        limit: case.limit,
        batch: case.loader.rows,
    };
    let given = within(asked, data, pricer.most_slots());
    let set = library.with(given, &case.settings)?;
    let own = set.fields() == library.installed(given).fields();
    let mut notes = Vec::new();
    if given.batch < asked.batch {
        notes.push(format!(
            "Batches of {} of the longest do not fit the memory, so {} are assumed.",
            asked.batch, given.batch
        ));
    }
    let mut trials = Trials {
        data,
        pricer,
        case,
        now: set.clone(),
        step: case.batch_tokens.map(|tokens| tokens as f64),
        outcomes: Vec::new(),
    };
    let answer = answer_of(data, &set, case.seed, progress)?;
    let mut now = trials.price(&set, &answer)?;
    if let (None, Some(own)) = (trials.step, &now) {
        trials.step = Some(trials.pricer.step_at_least(own.step_tokens, case.limit));
        now = trials.price(&set, &answer)?;
        trials.step = now.as_ref().map(|now| now.step_tokens);
    }
    let judged = match &now {
        Some(now) if now.fits => Now::Runs(now),
        _ => Now::Stops,
    };
    trials.search(judged, &answer, progress)?;
    Ok(LibraryCandidates {
        title: format!(
            "{} {} at {}, {} a batch",
            library.title,
            if own { "as installed" } else { "as set" },
            limit_in_words(&[case.limit]),
            batch_in_words(&set)
        ),
        now: now.ok_or_else(|| answer.about.refused.clone().unwrap_or_default()),
        tried: trials.outcomes,
        notes,
    })
}

/// Returns limits whose batch of the longest sequences has at most `most` slots, or of one sequence.
fn within(asked: LibraryLimits, data: &Histogram<1>, most: f64) -> LibraryLimits {
    let row = f64::from(asked.limit.min(data.max()[0]).max(1));
    let fit = (most / row) as u32;
    LibraryLimits {
        batch: asked.batch.min(fit).max(1),
        ..asked
    }
}

/// Returns the size of a batch in words: by what the library is given.
fn batch_in_words(set: &SamplerSettings) -> String {
    match set.recipe().ok().and_then(|recipe| recipe.block.slots()) {
        Some(slots) => format!("{} slots", count(slots)),
        None => format!("{} sequences", count(u64::from(set.limit.batch))),
    }
}

impl Trials<'_, '_> {
    /// Returns the outcome of an answer; `None` where the library refuses the data, or trains nothing.
    fn price(
        &mut self,
        chosen: &SamplerSettings,
        answer: &LibraryAnswer<SamplerLibraries>,
    ) -> Result<Option<Outcome>> {
        let Some(pass) = pass_of(self.data, chosen, answer) else {
            return Ok(None);
        };
        let change = self.change(chosen, answer);
        self.pricer.price(&pass, change, self.step).map(Some)
    }

    /// Tries each change of one setting that the library's own table names, and other limits where much is lost.
    fn search(
        &mut self,
        now: Now,
        answer: &LibraryAnswer<SamplerLibraries>,
        progress: &mut Progress,
    ) -> Result<()> {
        let set = self.now.clone();
        let changed = answer.advice.iter().flat_map(|advice| &advice.tried);
        let changed = changed.filter_map(|trial| {
            let mut other = set.clone();
            other.set(&trial.setting, &trial.value).ok()?;
            Some(other)
        });
        for chosen in changed {
            self.attempt(chosen, progress)?;
        }
        if lost_so_far(now, &self.outcomes) <= MUCH {
            return Ok(());
        }
        let (limit, most) = (set.limit.limit, self.pricer.most_slots());
        let limits = match f64::from(limit.min(self.data.max()[0])) <= most {
            true => larger(self.case.losses(self.data, Overlong::Truncate), limit, most),
            false => smaller(limit, most),
        };
        for limit in limits {
            let mut other = set.clone();
            other.limit = within(LibraryLimits { limit, ..set.limit }, self.data, most);
            self.attempt(other, progress)?;
        }
        Ok(())
    }

    fn attempt(&mut self, chosen: SamplerSettings, progress: &mut Progress) -> Result<()> {
        let answer = answer_of(self.data, &chosen, self.case.seed, progress)?;
        let outcome = self.price(&chosen, &answer)?;
        self.outcomes.extend(outcome);
        Ok(())
    }

    /// Returns the way from what is set now to other settings.
    fn change(&self, then: &SamplerSettings, answer: &LibraryAnswer<SamplerLibraries>) -> Change {
        let settings = then.changed_from(&self.now);
        let lines = answer.about.lines.clone();
        let limit = (then.limit.limit != self.now.limit.limit)
            .then(|| format!("a limit of {}", limit_in_words(&[then.limit.limit])));
        let named: Vec<String> = settings
            .iter()
            .map(|set| written(&lines, set))
            .chain(limit)
            .collect();
        Change {
            effort: match named.len() {
                0 => Effort::Nothing,
                1 => Effort::Setting,
                _ => Effort::Settings,
            },
            size: named.len() as u64,
            words: among(&named),
            settings,
            language: answer.about.language.clone(),
            ..Change::none((lines, String::new()))
        }
    }
}

/// Returns the pass of a library that makes batches; `None` where it refuses the data, or trains nothing. A batch is about as
/// wide for each of its sequences, so that pairs grow by the square of slots ÷ tokens.
fn pass_of(
    data: &Histogram<1>,
    chosen: &SamplerSettings,
    answer: &LibraryAnswer<SamplerLibraries>,
) -> Option<Pass> {
    let figures = answer.figures.as_ref()?;
    let limit = chosen.recipe().ok()?.limit;
    let fitted = data.fit_roughly(limit, Overlong::Truncate).ok()?;
    let real = figures.slots * (1.0 - figures.padding_share);
    if real < 1.0 {
        return None;
    }
    let squares = fitted.entries().iter().map(|&([length], n)| {
        let length = f64::from(length);
        length * length * n as f64
    });
    let trained = real / fitted.total()[0] as f64;
    let pairs = squares.sum::<f64>() * trained;
    let batches = figures.batches.round().max(1.0) as u64;
    let rows = figures.batches * figures.sequences_per_batch;
    let sampler = match figures.size {
        (least, most) if least == most => Sampler::LengthGrouped,
        _ => Sampler::TokenBudget,
    };
    Some(Pass {
        limit: vec![limit],
        work: Work {
            method: Method::Batched(sampler),
            items: data.items(),
            rows: rows.round() as u64,
            batches,
            depth: 1,
            useful: [real, pairs],
            padding: [
                (figures.slots - real).max(0.0),
                pairs * ((figures.slots / real).powi(2) - 1.0).max(0.0),
            ],
            between: 0.0,
            largest: figures.largest_slots as f64,
        },
        population: None,
        rows: BatchRows::Fixed(figures.sequences_per_batch.round().max(1.0) as u32),
        longest: f64::from(fitted.max()[0]),
        row_pairs: 0.0,
        step_tokens: None,
        lost: Lost {
            cut_off: figures.truncated_share,
            dropped: figures.dropped_share,
        },
        cut_share: 0.0,
        apart: true,
        shuffles: true,
    })
}
