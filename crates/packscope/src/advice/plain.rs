//! Candidates without a library: samplers, packing, and other limits.

use super::case::Case;
use super::judge::{MUCH, Now, lost_so_far};
use super::limits::{larger, lost_at, smaller};
use super::outcome::{Change, Effort, Outcome, SamplerChoice};
use super::price::{BatchRows, Lost, Pass, Pricer};
use super::words::limit_in_words;
use crate::api::batch::{self, BatchCap, PreparedBatches};
use crate::api::speedup::{self, PackWork};
use crate::api::{Settings, run_on};
use crate::cost::Method;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Overlong};
use crate::metrics::{EpochFigures, Figures};
use crate::packing::{Algorithm, Depth, Progress};
use crate::sampler::Sampler;
use crate::words::{count, plural};
use std::rc::Rc;

/// Algorithms that are tried: the simplest, and the one that fills rows best of those that need no search.
const ALGORITHMS: [Algorithm; 2] = [Algorithm::Lpfhp, Algorithm::AverageTarget];
/// Depths that are tried: deeper packs fill rows better, and are harder to train.
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

/// Sequences of an epoch of a sampler that are simulated at most: padding comes within a tenth of a point.
const SIMULATED: u64 = 1 << 20;
/// The gap to the bound above which the optimum is searched: below, it cannot be better by more than ties are.
const GAP: f64 = 0.005;

/// Packs and batches of the same data that are known already.
#[derive(Debug, Default)]
pub(super) struct PlainCache {
    packs: Vec<(PackingKey, Rc<Figures>)>,
    batches: Vec<(BatchKey, Rc<EpochFigures>)>,
}

/// Limit, policy, algorithm, depth.
type PackingKey = (u32, Overlong, Algorithm, Depth);
/// Limit, policy, rows of a batch, sampler.
type BatchKey = (u32, Overlong, u32, Sampler);

/// A way that is tried without a library, beside the present one and mere scenarios.
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
    if lost_so_far(judged, &tried) > MUCH {
        for limit in trials.limits() {
            tried.extend(trials.at_limit(limit, dynamic, progress)?);
        }
    }
    let how = if dynamic {
        "their longest"
    } else {
        "the limit"
    };
    let batches = match now.rows {
        1 => "Shuffled sequences, one a batch".to_owned(),
        rows => format!("Shuffled batches of {}", count(u64::from(rows))),
    };
    let title = format!(
        "{batches}, padded to {how}, at {}",
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
        self.data.fit_roughly(limit, self.case.loader.overlong)
    }

    /// Returns the rows of a batch that fit, at most as many as usual; fewer for few tokens a step.
    fn rows(&self, lengths: &Histogram<1>) -> u32 {
        let [longest] = lengths.max();
        let fit = (self.pricer.most_slots() / f64::from(longest.max(1))) as u32;
        let crew = f64::from(self.case.hardware.assumptions.accelerators.max(1));
        let most = self.case.loader.rows.max(1);
        let asked = self
            .step
            .map_or(f64::from(most), |step| step / crew / lengths.mean());
        // The last batch of a pass is smaller, so that a step has a little less than the rows of whole batches.
        let asked = match asked > f64::from(most) * 0.95 {
            true => most,
            false => asked.round() as u32,
        };
        fit.min(asked).clamp(1, most)
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
            lost: {
                let lost = lost_at(self.data, limit, self.case.loader.overlong);
                match self.case.loader.overlong {
                    Overlong::Drop => Lost {
                        cut_off: 0.0,
                        dropped: lost,
                    },
                    _ => Lost {
                        cut_off: lost,
                        dropped: 0.0,
                    },
                }
            },
            cut_share: match self.case.loader.overlong {
                // All but the first piece of each begin in the middle.
                Overlong::Split => lost_at(self.data, limit, Overlong::Truncate),
                _ => 0.0,
            },
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
                    shuffles: sampler.keeps_shuffle() || !self.case.loader.shuffles,
                    ..self.pass(limit, case, BatchRows::Fixed(rows))
                };
                let words = match sampler {
                    Sampler::Bucket => format!("{}{at}", sampler.long_name()),
                    _ => format!("{} batches{at}", sampler.long_name().to_lowercase()),
                };
                let change = Change {
                    sampler: Some(SamplerChoice::of(&self.sampling(limit, rows, sampler)?)),
                    ..code(Effort::Loader, 1, words)
                };
                all.push(self.pricer.price(&pass, change, self.step)?);
            }
        }
        all.extend(self.packings(limit, (&lengths, &at), progress)?);
        Ok(all)
    }

    /// Returns packs at a limit, named with it: the usual ones, the one that is set, and the optimum where it may be better.
    fn packings(
        &mut self,
        limit: u32,
        (lengths, at): (&Histogram<1>, &str),
        progress: &mut Progress,
    ) -> Result<Vec<Outcome>> {
        let own = self.case.loader.packing;
        let own = own.filter(|(algorithm, _)| algorithm.fills_rows());
        let usual = DEPTHS
            .into_iter()
            .flat_map(|depth| ALGORITHMS.map(|algorithm| (algorithm, depth)));
        let mut tried: Vec<_> = own
            .into_iter()
            .chain(usual.filter(|one| Some(*one) != own))
            .collect();
        let mut gaps = Vec::new();
        for &one in &tried {
            let figures = self.packed(limit, one, progress)?;
            gaps.extend(figures.and_then(|figures| Some((one.1, figures.gap?))));
        }
        let least = |of: &dyn Fn(Depth) -> bool| {
            let gaps = gaps.iter().filter(|(depth, _)| of(*depth));
            gaps.map(|(_, gap)| *gap).fold(f64::INFINITY, f64::min)
        };
        let mut all = Vec::new();
        for one in tried.clone() {
            all.extend(self.packing(limit, (lengths, at), one, progress)?);
        }
        // The search takes longest: for any rows where none is near the bound, and for the depth of the best ones.
        let best = all.iter().min_by(|a, b| a.charge.total_cmp(&b.charge));
        let best = best.and_then(|best| Some(best.change.packing?.1));
        let any = (least(&|_| true) > GAP).then_some(Depth::Unlimited);
        let deep = best.filter(|best| least(&|depth| depth == *best) > GAP);
        for depth in any.into_iter().chain(deep) {
            let one = (Algorithm::Optimal, depth);
            if !tried.contains(&one) {
                tried.push(one);
                all.extend(self.packing(limit, (lengths, at), one, progress)?);
            }
        }
        Ok(all)
    }

    /// Returns the outcome of one way to pack; `None` where it does not take these lengths.
    fn packing(
        &mut self,
        limit: u32,
        (lengths, at): (&Histogram<1>, &str),
        (algorithm, depth): (Algorithm, Depth),
        progress: &mut Progress,
    ) -> Result<Option<Outcome>> {
        let Some(figures) = self.packed(limit, (algorithm, depth), progress)? else {
            return Ok(None);
        };
        let packs = PackWork {
            figures: &figures,
            shapes: &[],
        };
        let cases = speedup::sequences(lengths, limit, 1, Some(packs))?;
        let find = |method| cases.iter().find(|case| case.work.method == method);
        let Some(blocks) = find(Method::PackedBlocks) else {
            return Ok(None);
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
        // What is set already is no change, and goes before others that are as good.
        let size = match self.case.loader.packing == Some((algorithm, depth)) {
            true => 0,
            false => figures.max_depth,
        };
        let change = Change {
            packing: Some((algorithm, depth)),
            ..code(Effort::Model, size, words)
        };
        self.pricer.price(&pass, change, self.step).map(Some)
    }

    fn batched(
        &mut self,
        limit: u32,
        rows: u32,
        sampler: Sampler,
        progress: &mut Progress,
    ) -> Result<Rc<EpochFigures>> {
        let asked = (limit, self.case.loader.overlong, rows, sampler);
        if let Some((_, known)) = self.known.batches.iter().find(|(known, _)| *known == asked) {
            return Ok(Rc::clone(known));
        }
        let settings = self.sampling(limit, rows, sampler)?;
        let prepared = PreparedBatches::new(&self.data.with_zero(), false, &settings)?;
        let figures = Rc::new(prepared.epoch_in_part(&settings, 0, SIMULATED, progress)?);
        self.known.batches.push((asked, Rc::clone(&figures)));
        Ok(figures)
    }

    /// Returns the settings with which a sampler keeps the tokens of batches of so many rows.
    fn sampling(&self, limit: u32, rows: u32, sampler: Sampler) -> Result<batch::Settings> {
        let lengths = self.fitted(limit)?;
        let ([longest], tokens) = (lengths.max(), f64::from(rows) * lengths.mean());
        Ok(batch::Settings {
            limit,
            overlong: self.case.loader.overlong,
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
        })
    }

    /// Returns the figures of packs; `None` where the algorithm refuses data of this size.
    fn packed(
        &mut self,
        limit: u32,
        (algorithm, depth): (Algorithm, Depth),
        progress: &mut Progress,
    ) -> Result<Option<Rc<Figures>>> {
        let asked = (limit, self.case.loader.overlong, algorithm, depth);
        if let Some((_, known)) = self.known.packs.iter().find(|(known, _)| *known == asked) {
            return Ok(Some(Rc::clone(known)));
        }
        let settings = Settings {
            limit,
            overlong: self.case.loader.overlong,
            depth,
            algorithm,
            seed: self.case.seed,
            ..Settings::default()
        };
        let figures = match run_on(self.data, &settings, 0, progress) {
            Ok(report) => Rc::new(report.figures),
            Err(error) if error.is_too_much() => return Ok(None),
            Err(error) => return Err(error),
        };
        self.known.packs.push((asked, Rc::clone(&figures)));
        Ok(Some(figures))
    }

    /// Returns other limits that fit the memory.
    fn limits(&self) -> Vec<u32> {
        let (most, limit) = (self.pricer.most_slots(), self.case.limit);
        match f64::from(limit.min(self.data.max()[0])) <= most {
            true => larger(
                self.case.losses(self.data, self.case.loader.overlong),
                limit,
                most,
            ),
            false => smaller(limit, most),
        }
    }
}
