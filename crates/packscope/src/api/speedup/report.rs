//! A full report, for the command line: packs the data, computes waiting and prices every method.

use super::{PackWork, WaitingCurve, curves, estimate, graphs, questions, sequences};
use crate::api::{self, Query, tuple};
use crate::cost::{Assumptions, Bill, Estimate, Memory, Overhead, Rates, Regimes, Workload};
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size};
use crate::metrics::Figures;
use crate::packing::Progress;
use serde::{Deserialize, Serialize};

/// Packing settings, and the basis of the estimates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings<P> {
    /// The packing settings. For sequences, their seed also seeds the simulation of waiting.
    pub packing: P,
    /// Rows of an accelerator in a step.
    pub batch: u32,
    /// The assumptions of the estimates; their number of accelerators is used for packing, memory and bills.
    pub assumptions: Assumptions,
    /// Numbers of accelerators to estimate for, in any order; the number in the assumptions is added.
    pub accelerators: Vec<u32>,
}

/// Data and settings: everything that a report depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SpeedupRequest {
    /// Sequences: (length, number of items).
    Sequences(Vec<(u32, u64)>, Settings<api::Settings>),
    /// Graphs: (nodes and edges, number of items).
    Graphs(Vec<(Size<2>, u64)>, Settings<tuple::Settings>),
}

/// Estimates at one number of accelerators.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PricedEstimates {
    /// Number of accelerators, 1 to 4,096.
    pub accelerators: u32,
    /// An estimate for each method, padded first.
    pub methods: Vec<Estimate>,
}

/// The answer to a [`SpeedupRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The assumptions of the estimates.
    pub assumptions: Assumptions,
    /// Figures of the packing.
    pub figures: Figures,
    /// Estimates for each number of accelerators.
    pub estimates: Vec<PricedEstimates>,
    /// Waiting factors, where times differ.
    pub waiting: Vec<WaitingCurve>,
    /// Memory of each method, in the order of the estimates.
    pub memory: Vec<Memory>,
    /// The bill of each method at the accelerators of the assumptions.
    pub bills: Vec<Bill>,
    /// The optimiser's regimes, before and after packing.
    pub optimiser: Regimes,
}

impl Report {
    /// Returns the hash, as [`api::Report::digest`] does; decays may differ in their last digit between machines.
    pub fn digest(&self) -> u64 {
        api::digest(self)
    }
}

/// The maximum number of strategies in the simulation of waiting.
const LISTED: u32 = 20_000;

impl Query for SpeedupRequest {
    type Report = Report;

    /// As for packing; [`Error::Setting`] for numbers of accelerators outside 1 to 4,096.
    fn run(&self, progress: &mut Progress) -> Result<Report> {
        match self {
            Self::Sequences(counts, settings) => {
                let data = Histogram::from_lengths(counts.iter().copied())?;
                let Settings { packing, .. } = settings;
                let report = api::run_on(&data, packing, LISTED, progress)?;
                let fitted = data.fit([packing.limit], packing.overlong)?.histogram;
                let packs = PackWork {
                    figures: &report.figures,
                    shapes: &report.strategies,
                };
                let cases = sequences(&fitted, packing.limit, settings.batch, Some(packs))?;
                let workload = Workload::Transformer(settings.assumptions.transformer);
                finish(
                    settings,
                    &workload,
                    packing.overhead,
                    packing.seed,
                    &cases,
                    report.figures,
                )
            }
            Self::Graphs(counts, settings) => {
                let data = Histogram::from_counts(counts.iter().copied())?;
                let Settings { packing, .. } = settings;
                let figures = tuple::run_on(&data, packing, 0, progress)?.figures;
                let limits = packing.limits.as_slice();
                // Estimates are of nodes and edges: packing itself takes other numbers of
                // components.
                let wrong = Error::Components {
                    limits: limits.len(),
                    components: 2,
                };
                let fitted = data
                    .fit(limits.try_into().map_err(|_| wrong)?, packing.overlong)?
                    .histogram;
                let cases = graphs(&fitted, settings.batch, Some(&figures));
                let workload = Workload::Gnn(settings.assumptions.gnn);
                // Settings of graphs have no seed.
                finish(settings, &workload, packing.overhead, 0, &cases, figures)
            }
        }
    }
}

fn finish<P>(
    settings: &Settings<P>,
    workload: &Workload,
    overhead: Overhead,
    seed: u64,
    cases: &[super::Case],
    figures: Figures,
) -> Result<Report> {
    let assumptions = &settings.assumptions;
    let rates = Rates::new(workload, &assumptions.accelerator, &assumptions.training);
    let mut asked = settings.accelerators.clone();
    asked.push(assumptions.accelerators);
    asked.sort_unstable();
    asked.dedup();
    // With fewer batches than accelerators, only those with a batch wait.
    let few = asked
        .iter()
        .flat_map(|&r| cases.iter().map(move |case| case.work.crew(r)));
    let mut waited: Vec<u32> = few.chain(asked.iter().copied()).collect();
    waited.sort_unstable();
    waited.dedup();
    let waiting = curves(&questions(
        cases,
        &rates,
        settings.batch,
        assumptions,
        &waited,
        seed,
    ))?;
    let at = |accelerators: u32| {
        let assumptions = Assumptions {
            accelerators,
            ..*assumptions
        };
        estimate(cases, &waiting, workload, overhead, &assumptions)
    };
    let shown = at(assumptions.accelerators);
    Ok(Report {
        assumptions: *assumptions,
        estimates: asked
            .iter()
            .map(|&r| PricedEstimates {
                accelerators: r,
                methods: at(r),
            })
            .collect(),
        memory: cases
            .iter()
            .map(|c| Memory::new(workload, assumptions, c.work.largest))
            .collect(),
        bills: shown
            .iter()
            .map(|estimate| Bill::new(estimate, assumptions))
            .collect(),
        optimiser: Regimes::from_figures(&figures, settings.batch, assumptions),
        waiting,
        figures,
    })
}
