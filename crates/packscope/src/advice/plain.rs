//! Candidates without a library: samplers, packing, and other limits.

use super::case::{Case, USUAL_ROWS};
use super::judge::{MUCH, Now, best};
use super::limits::{larger, lost_at, smaller};
use super::outcome::{Change, Effort, Outcome};
use super::price::{BatchRows, Pass, Pricer};
use super::words::limit_in_words;
use crate::api::batch::{self, BatchCap, PreparedBatches};
use crate::api::speedup::{self, PackWork};
use crate::api::{Settings, run_on};
use crate::cost::Method;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Overlong};
use crate::metrics::Figures;
use crate::packing::{Algorithm, Depth, Progress};
use crate::sampler::Sampler;
use crate::words::plural;
use std::rc::Rc;

/// Depths that are tried by the simplest algorithm: deeper packs fill rows better, and are harder to train.
const DEPTHS: [Depth; 5] = [
    Depth::AtMost(2),
    Depth::AtMost(3),
    Depth::AtMost(4),
    Depth::AtMost(8),
    Depth::Unlimited,
];
/// Samplers that are tried. Sorted batches are tried to be ruled out by name.
const SAMPLERS: [Sampler; 5] = [
    Sampler::Bucket,
    Sampler::BucketByLength,
    Sampler::LengthGrouped,
    Sampler::TokenBudget,
    Sampler::Sorted,
];

/// Packs and batches of the same data that are known already.
#[derive(Debug, Default)]
pub(super) struct PlainCache {
    packs: Vec<((u32, Algorithm, Depth), Rc<Figures>)>,
    batches: Vec<((u32, u32, Sampler), Rc<crate::metrics::EpochFigures>)>,
}

/// What is tried without a library, beside what is done now and what is only a scenario.
pub(super) struct Plain {
    pub title: String,
    pub now: Outcome,
    pub tried: Vec<Outcome>,
    /// Every row padded to the limit, as in the papers on BERT: no one's loader today, so that it is no baseline.
    pub padded: Option<Outcome>,
}

struct Trials<'t, 'p> {
    data: &'t Histogram<1>,
    known: &'t mut PlainCache,
    pricer: Pricer<'p>,
    case: &'t Case,
    step: Option<f64>,
}

/// Tries samplers, packing and limits.
///
/// # Errors
/// A limit of 0; [`Error::Cancelled`].
pub(super) fn plain(
    data: &Histogram<1>,
    known: &mut PlainCache,
    case: &Case,
    pricer: Pricer,
    progress: &mut Progress,
) -> Result<Plain> {
    let dynamic = case.hardware.assumptions.accelerator.dynamic;
    let step = case.batch_tokens.map(|tokens| tokens as f64);
    let mut trials = Trials {
        data,
        known,
        pricer,
        case,
        step,
    };
    if trials.step.is_none() {
        let (own, _) = trials.unpacked(case.limit)?;
        trials.step = Some(trials.pricer.step_at_least(own.step_tokens, case.limit));
    }
    let (now, padded) = trials.unpacked(case.limit)?;
    // Batches in whole numbers: all others keep to the step that comes of them.
    if case.batch_tokens.is_none() {
        trials.step = Some(now.step_tokens);
    }
    // Where shapes are fixed once, batches cannot have a length of their own.
    let (now, padded) = if dynamic {
        (now, Some(padded))
    } else {
        (padded, None)
    };
    let judged = if now.fits {
        Now::Runs(&now)
    } else {
        Now::Stops
    };
    let mut tried = trials.at_limit(case.limit, dynamic, progress)?;
    let lost = match (best(judged, &tried, false), judged) {
        (Some(at), _) => tried[at].lost_share,
        (None, Now::Runs(now)) => now.lost_share,
        (None, Now::Stops) => 1.0,
    };
    if lost > MUCH {
        for limit in trials.limits() {
            tried.extend(trials.at_limit(limit, dynamic, progress)?);
        }
    }
    let how = if dynamic {
        "their longest"
    } else {
        "the limit"
    };
    let title = format!(
        "Shuffled batches padded to {how}, at {}",
        limit_in_words(&[case.limit])
    );
    Ok(Plain {
        title,
        now,
        tried,
        padded,
    })
}

/// Returns a change without a library.
fn code(effort: Effort, size: u64, words: String) -> Change {
    Change {
        effort,
        size,
        words,
        ..Change::none((String::new(), String::new()))
    }
}

impl Trials<'_, '_> {
    fn fitted(&self, limit: u32) -> Result<Histogram<1>> {
        self.data.fit_roughly(limit, Overlong::Truncate)
    }

    /// Returns the rows of a batch that fit, at most as many as usual; fewer for few tokens a step.
    fn rows(&self, lengths: &Histogram<1>) -> u32 {
        let [longest] = lengths.max();
        let fit = (self.pricer.most_slots() / f64::from(longest.max(1))) as u32;
        let crew = f64::from(self.case.hardware.assumptions.accelerators.max(1));
        let asked = self
            .step
            .map_or(f64::from(USUAL_ROWS), |step| step / crew / lengths.mean());
        fit.min(asked.round() as u32).clamp(1, USUAL_ROWS)
    }

    /// Returns a pass of this work at a limit.
    fn pass(&self, limit: u32, case: speedup::Case, rows: BatchRows) -> Pass {
        let longest = f64::from(self.data.max()[0].min(limit));
        let row = f64::from(limit);
        let packed = !matches!(case.work.method, Method::Batched(_));
        Pass {
            limit: vec![limit],
            population: case.population,
            rows,
            longest: if packed { row } else { longest },
            row_pairs: case.work.rows as f64 * row * row,
            step_tokens: None,
            lost_share: lost_at(self.data, limit, Overlong::Truncate),
            cut_share: 0.0,
            apart: true,
            shuffles: true,
            work: case.work,
        }
    }

    /// Returns random batches padded to their longest sequence, and rows padded to the limit.
    fn unpacked(&mut self, limit: u32) -> Result<(Outcome, Outcome)> {
        let lengths = self.fitted(limit)?;
        let rows = self.rows(&lengths);
        let pass = self.pass(
            limit,
            speedup::random(&lengths, rows),
            BatchRows::Fixed(rows),
        );
        let none = || code(Effort::Nothing, 0, String::new());
        let now = self.pricer.price(&pass, none(), self.step)?;
        let all = speedup::sequences(&lengths, limit, rows, None)?;
        let padded = all
            .into_iter()
            .find(|case| case.work.method == Method::Padded);
        // The first of all methods.
        let padded = padded.ok_or(Error::Empty)?;
        let pass = self.pass(limit, padded, BatchRows::Fixed(rows));
        let padded = self.pricer.price(&pass, none(), Some(now.step_tokens))?;
        Ok((now, padded))
    }

    /// Returns random batches where the limit is another one, samplers, and packs at a limit.
    fn at_limit(
        &mut self,
        limit: u32,
        dynamic: bool,
        progress: &mut Progress,
    ) -> Result<Vec<Outcome>> {
        let lengths = self.fitted(limit)?;
        let mut all = Vec::new();
        let other = limit != self.case.limit;
        let at = if other {
            format!(" at a limit of {}", limit_in_words(&[limit]))
        } else {
            String::new()
        };
        if dynamic {
            if other {
                let (mut now, _) = self.unpacked(limit)?;
                let words = format!("a limit of {}", limit_in_words(&[limit]));
                now.change = code(Effort::Setting, 1, words);
                all.push(now);
            }
            let rows = self.rows(&lengths);
            for sampler in SAMPLERS {
                let figures = self.batched(limit, rows, sampler, progress)?;
                let case = speedup::sampled(&lengths, rows, sampler, &figures);
                let pass = Pass {
                    shuffles: sampler.keeps_shuffle(),
                    ..self.pass(limit, case, BatchRows::Fixed(rows))
                };
                let words = format!("{}{at}", sampler.long_name().to_lowercase());
                let words = if sampler == Sampler::Bucket {
                    format!("BucketSampler{at}")
                } else {
                    format!("{words} batches")
                };
                all.push(
                    self.pricer
                        .price(&pass, code(Effort::Loader, 1, words), self.step)?,
                );
            }
        }
        let tried = DEPTHS.map(|depth| (Algorithm::Lpfhp, depth));
        for (algorithm, depth) in tried
            .into_iter()
            .chain([(Algorithm::AverageTarget, Depth::Unlimited)])
        {
            let figures = self.packed(limit, (algorithm, depth), progress)?;
            let packs = PackWork {
                figures: &figures,
                shapes: &[],
            };
            let cases = speedup::sequences(&lengths, limit, 1, Some(packs))?;
            let find = |method| cases.iter().find(|case| case.work.method == method);
            let Some(blocks) = find(Method::PackedBlocks) else {
                continue;
            };
            let case = speedup::Case::plain(blocks.work);
            let rows = BatchRows::Any {
                usual: 1,
                side_by_side: false,
            };
            let pass = self.pass(limit, case, rows);
            let most = match depth {
                Depth::AtMost(most) => {
                    format!(", at most {} a row", plural(u64::from(most), "sequence"))
                }
                Depth::Unlimited => String::new(),
            };
            let words = format!("packing by {}{most}{at}", algorithm.long_name());
            let change = code(Effort::Model, figures.max_depth, words);
            all.push(self.pricer.price(&pass, change, self.step)?);
        }
        Ok(all)
    }

    fn batched(
        &mut self,
        limit: u32,
        rows: u32,
        sampler: Sampler,
        progress: &mut Progress,
    ) -> Result<Rc<crate::metrics::EpochFigures>> {
        let asked = (limit, rows, sampler);
        if let Some((_, known)) = self.known.batches.iter().find(|(known, _)| *known == asked) {
            return Ok(Rc::clone(known));
        }
        let lengths = self.fitted(limit)?;
        let ([longest], tokens) = (lengths.max(), f64::from(rows) * lengths.mean());
        let settings = batch::Settings {
            limit,
            sampler,
            batch: rows,
            epochs: 1,
            seed: self.case.seed,
            // As many slots as a random batch has tokens, so that a step keeps them: next to none are padding here.
            tokens: Some(tokens.round().max(f64::from(longest)) as u64),
            batch_cap: Some(BatchCap {
                base: Some(rows),
                scaling: 1.0,
            }),
            ..batch::Settings::default()
        };
        let prepared = PreparedBatches::new(&self.data.with_zero(), false, &settings)?;
        let figures = Rc::new(prepared.epoch_of(&settings, 0, progress)?);
        self.known.batches.push((asked, Rc::clone(&figures)));
        Ok(figures)
    }

    fn packed(
        &mut self,
        limit: u32,
        (algorithm, depth): (Algorithm, Depth),
        progress: &mut Progress,
    ) -> Result<Rc<Figures>> {
        let asked = (limit, algorithm, depth);
        if let Some((_, known)) = self.known.packs.iter().find(|(known, _)| *known == asked) {
            return Ok(Rc::clone(known));
        }
        let settings = Settings {
            limit,
            depth,
            algorithm,
            seed: self.case.seed,
            ..Settings::default()
        };
        let figures = Rc::new(run_on(self.data, &settings, 0, progress)?.figures);
        self.known.packs.push((asked, Rc::clone(&figures)));
        Ok(figures)
    }

    /// Returns other limits that fit the memory.
    fn limits(&self) -> Vec<u32> {
        let (most, limit) = (self.pricer.most_slots(), self.case.limit);
        match f64::from(limit.min(self.data.max()[0])) <= most {
            true => larger(self.data, limit, Overlong::Truncate, most),
            false => smaller(limit, most),
        }
    }
}
