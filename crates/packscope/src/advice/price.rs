//! A pass over the data, priced: rows, steps, time, memory and money.

use super::outcome::{Change, Outcome};
use crate::api::speedup::{Case, WaitingCurve, curves, estimate, questions};
use crate::cost::waiting::{Population, WaitingQuestion};
use crate::cost::{Assumptions, Bill, Memory, Method, Overhead, Rates, Work, Workload, calibrated};
use crate::error::Result;
use crate::supervision::Curves;

/// The rows of a batch of one accelerator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BatchRows {
    /// The work was counted for batches of so many rows.
    Fixed(u32),
    /// Any number; so many where nothing else asks for another. `side_by_side`: whether each has its own length.
    Any { usual: u32, side_by_side: bool },
}

/// One pass over the data under a candidate, without any price.
#[derive(Debug, Clone)]
pub(super) struct Pass {
    /// Slots of a row, or of a batch of graphs.
    pub limit: Vec<u32>,
    /// Work of the epoch. Batches and the largest one are found when it is priced, but of [`BatchRows::Fixed`].
    pub work: Work,
    /// Loads of an accelerator, where they differ.
    pub population: Option<Population>,
    /// Rows of a batch.
    pub rows: BatchRows,
    /// Slots of the longest row.
    pub longest: f64,
    /// Pairs of slots of all rows.
    pub row_pairs: f64,
    /// Tokens of a step of all accelerators, where a library sets it and not the rows of a batch.
    pub step_tokens: Option<f64>,
    pub lost: Lost,
    pub cut_share: f64,
    pub apart: bool,
    pub shuffles: bool,
}

/// Shares of the tokens that are not trained.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lost {
    /// Cut off at the limit.
    pub cut_off: f64,
    /// Dropped with their sequence, or left over.
    pub dropped: f64,
}

impl Pass {
    /// Returns the same pass in batches of so many rows.
    pub fn in_batches_of(self, rows: u32) -> Self {
        let each = self.work.useful[0] / (self.work.rows as f64).max(1.0);
        let (batches, largest) = batch_of(&self, each, rows.max(1));
        Self {
            work: Work {
                batches,
                largest,
                ..self.work
            },
            rows: BatchRows::Fixed(rows.max(1)),
            ..self
        }
    }
}

/// Hardware and model, and what is known of waiting.
#[derive(Debug)]
pub(super) struct Pricer<'a> {
    assumptions: &'a Assumptions,
    workload: Workload,
    overhead: Overhead,
    seed: u64,
    /// Which tokens bear loss, of sequences where that is known.
    supervision: Option<&'a Curves>,
    // A simulation takes up to a tenth of a second; candidates often ask the same.
    waits: Vec<(WaitingQuestion, WaitingCurve)>,
}

impl<'a> Pricer<'a> {
    pub fn new(
        assumptions: &'a Assumptions,
        workload: Workload,
        overhead: Overhead,
        seed: u64,
    ) -> Self {
        Self {
            assumptions,
            workload,
            overhead,
            seed,
            supervision: None,
            waits: Vec::new(),
        }
    }

    /// Counts losses in supervised tokens.
    pub fn supervised(self, supervision: Option<&'a Curves>) -> Self {
        Self {
            supervision,
            ..self
        }
    }

    /// Returns the share of what trains that a pass loses: of the supervised tokens where they are known.
    fn lost_share(&self, pass: &Pass) -> f64 {
        let Lost { cut_off, dropped } = pass.lost;
        match (self.supervision, pass.limit.as_slice()) {
            (Some(curves), [limit]) => curves.lost_of(*limit, cut_off, dropped),
            _ => cut_off + dropped,
        }
    }

    /// Returns the number of slots that fit an accelerator beside weights and optimiser.
    pub fn most_slots(&self) -> f64 {
        Memory::new(&self.workload, self.assumptions, 0.0).most_slots
    }

    /// Returns the tokens of a step that all candidates can keep to: those of what is set now, and at least a row of the
    /// limit for each accelerator.
    pub fn step_at_least(&self, own: f64, limit: u32) -> f64 {
        own.max(self.accelerators() * f64::from(limit))
    }

    /// Returns the number of accelerators.
    pub fn accelerators(&self) -> f64 {
        f64::from(self.assumptions.accelerators.max(1))
    }

    /// Returns the price of a pass at so many tokens a step of all accelerators; `None`: at those of the pass itself.
    pub fn price(&mut self, pass: &Pass, change: Change, step: Option<f64>) -> Result<Outcome> {
        let crew = self.accelerators();
        let [real, _] = pass.work.useful;
        let each = real / (pass.work.rows as f64).max(1.0);
        let rows_of_step = self.rows_of_step(pass, each, step);
        let (rows, accumulation) = match pass.rows {
            BatchRows::Fixed(rows) => {
                let batches = (pass.work.batches as f64).max(1.0);
                let own = pass.work.rows as f64 / batches;
                (rows, nearest(rows_of_step / own, u32::MAX))
            }
            BatchRows::Any { .. } => split(rows_of_step, self.most_rows(pass)),
        };
        let (batches, largest) = batch_of(pass, each, rows);
        let batch_tokens = real / (batches as f64).max(1.0);
        let work = Work {
            batches,
            largest,
            ..self.executed(pass)
        };
        let assumptions = Assumptions {
            accumulation,
            ..*self.assumptions
        };
        let case = Case {
            work,
            population: pass.population.clone(),
        };
        let waits = self.waits(&case, rows, &assumptions)?;
        let estimates = estimate(
            &[case],
            waits.as_slice(),
            &self.workload,
            self.overhead,
            &assumptions,
        );
        let per_step = crew * f64::from(accumulation);
        let step_tokens = batch_tokens * per_step;
        let asked = rows_of_step * each * crew;
        let (hours, money) = estimates.first().map_or((0.0, 0.0), |estimate| {
            let mut estimate = *estimate;
            // Rows in whole numbers make more updates, or fewer, than the step that is asked for: with few rows to a step
            // that would decide between plans that differ in their packs alone.
            if matches!(pass.rows, BatchRows::Any { .. }) {
                let updates = estimate.parts.overhead;
                estimate.seconds += updates * (step_tokens / asked.max(1e-9) - 1.0);
            }
            let bill = Bill::new(&estimate, &assumptions);
            (bill.hours, bill.money)
        });
        let memory = Memory::new(&self.workload, &assumptions, largest).share;
        let [slots, _] = work.computed();
        let row = pass.limit.first().map_or(0.0, |limit| f64::from(*limit));
        let most = (1.5 * asked).max(1.1 * crew * row);
        let lost_share = self.lost_share(pass);
        let whole = (1.0 - lost_share - pass.cut_share / 2.0).max(0.01);
        Ok(Outcome {
            change,
            limit: pass.limit.clone(),
            hours,
            money,
            speedup: 1.0,
            band: [1.0; 2],
            slots,
            padding_share: (work.padding[0] / slots.max(1.0)).max(0.0),
            trained_tokens: real,
            lost_share,
            cut_share: pass.cut_share,
            apart: pass.apart,
            shuffles: pass.shuffles,
            memory,
            fits: memory <= 1.0,
            rows,
            accumulation,
            step_tokens,
            keeps_step: step_tokens <= most && step_tokens >= asked / 2.0,
            steps: batches as f64 / per_step,
            charge: hours * 3600.0 / real.max(1.0) / whole,
        })
    }

    /// Returns the rows of an accelerator in a step: those of the tokens that are asked for, or those of the pass itself.
    fn rows_of_step(&self, pass: &Pass, each: f64, step: Option<f64>) -> f64 {
        match (step.or(pass.step_tokens), pass.rows) {
            (Some(tokens), _) => tokens / (self.accelerators() * each.max(1e-9)),
            (None, BatchRows::Fixed(_)) => {
                pass.work.rows as f64 / (pass.work.batches as f64).max(1.0)
            }
            (None, BatchRows::Any { usual, .. }) => f64::from(usual),
        }
    }

    /// Returns the most rows of a batch that fit the memory; one even where it does not.
    pub fn most_rows(&self, pass: &Pass) -> u32 {
        // What exceeds a whole number of 32 bits becomes the largest.
        ((self.most_slots() / pass.longest.max(1.0)) as u32).max(1)
    }

    /// Returns the work as the accelerator executes it: where shapes are fixed once, rows are computed in whole, and a mask
    /// keeps their sequences apart.
    fn executed(&self, pass: &Pass) -> Work {
        let work = pass.work;
        match work.method {
            Method::PackedBlocks if !self.assumptions.accelerator.dynamic => Work {
                method: Method::Packed,
                between: (pass.row_pairs - work.useful[1] - work.padding[1]).max(0.0),
                ..work
            },
            _ => work,
        }
    }

    /// Returns the curve of waiting of a case; `None` where no accelerator waits.
    fn waits(&mut self, case: &Case, rows: u32, a: &Assumptions) -> Result<Option<WaitingCurve>> {
        let crew = case.work.crew(a.accelerators);
        if crew < 2 {
            return Ok(None);
        }
        let rates = Rates::new(&self.workload, &a.accelerator, &a.training);
        let cases = std::slice::from_ref(case);
        let mut asked = questions(cases, &rates, rows, a, &[crew], self.seed);
        let Some((method, question)) = asked.pop() else {
            return Ok(None);
        };
        let known = self
            .waits
            .iter()
            .find(|(known, curve)| *known == question && curve.method == method);
        if let Some((_, curve)) = known {
            return Ok(Some(curve.clone()));
        }
        let curve = curves(&[(method, question.clone())])?.pop();
        self.waits
            .extend(curve.clone().map(|curve| (question, curve)));
        Ok(curve)
    }

    /// Adds the speed over what is set now to its outcome.
    pub fn compare(&self, now: &Outcome, then: &mut Outcome) {
        let each = |outcome: &Outcome| outcome.hours / outcome.trained_tokens.max(1.0);
        let (before, after) = (each(now), each(then));
        if before > 0.0 && after > 0.0 {
            then.speedup = before / after;
            then.band = calibrated::band(self.assumptions, self.workload.parameters())
                .map(|factor| then.speedup * factor);
        }
    }
}

/// Returns the batches of an epoch, and the slots of the largest, with so many rows in a batch.
fn batch_of(pass: &Pass, each: f64, rows: u32) -> (u64, f64) {
    let batches = || pass.work.rows.div_ceil(u64::from(rows)).max(1);
    match pass.rows {
        BatchRows::Fixed(_) => (pass.work.batches.max(1), pass.work.largest),
        // The batch that has the longest row: the others are as long as any.
        BatchRows::Any {
            side_by_side: true, ..
        } => (batches(), pass.longest + each * f64::from(rows - 1)),
        BatchRows::Any { .. } => (batches(), pass.longest * f64::from(rows)),
    }
}

/// The deviation of a step from the rows that are asked for, up to which larger batches are preferred.
const NEAR: f64 = 0.05;
/// Numbers of accumulated batches that are tried.
const ACCUMULATED: u32 = 16;

/// Splits the rows of a step into batches of at most `most` rows. Returns the rows of a batch and the number of batches:
/// the fewest that come near the rows of the step, else those that come nearest.
fn split(rows: f64, most: u32) -> (u32, u32) {
    // The whole number below, of which the batches can be as large as they may be, or a little too small for the step.
    let first = (rows / f64::from(most))
        .floor()
        .clamp(1.0, f64::from(u32::MAX - ACCUMULATED)) as u32;
    let splits = (first..first + ACCUMULATED).map(|batches| {
        let each = nearest(rows / f64::from(batches), most);
        let ratio = f64::from(each) * f64::from(batches) / rows;
        (ratio.max(1.0 / ratio), each, batches)
    });
    let mut best = (f64::INFINITY, 1, 1);
    for split in splits {
        if split.0 < best.0 && best.0 > 1.0 + NEAR {
            best = split;
        }
    }
    (best.1, best.2)
}

/// Returns the whole number from 1 to `most` whose ratio to a number is nearest to 1.
fn nearest(x: f64, most: u32) -> u32 {
    // A larger float becomes the largest number, and NaN 0.
    let below = (x as u32).clamp(1, most.max(1));
    let above = below.saturating_add(1).min(most.max(1));
    // Of a ratio and its reciprocal: 1.5 is as far from 1 as from 2.25.
    if x * x > f64::from(below) * f64::from(above) {
        above
    } else {
        below
    }
}
