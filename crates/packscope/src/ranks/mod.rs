//! Ranks that work on one step and wait for the slowest: what their work is, how it is dealt, when they wait.
//!
//! Equal tokens are not equal work: attention grows with the square of each sequence. A length histogram and a seed are
//! enough to say what that costs: steps are drawn, dealt ([`Dealing`]) by a [`Weight`], and timed ([`SyncPoint`]) with the
//! true work, that of the model. A [`Dealing`] is a way of one's own (the setting `dealing`); a [`Scheduler`] is that of a
//! library (the setting `library`), which then replaces it.
//!
//! ```
//! use packscope::Histogram;
//! use packscope::ranks::{Binds, Change, Dealing, Settings, run};
//!
//! let lengths = Histogram::from_lengths((1..=4096).map(|length| (length, 20)))?;
//! let settings = Settings { ranks: 8, ..Settings::default() };
//! let report = run(&lengths, &settings)?;
//! assert_eq!((report.binds, report.what_if[0].change), (Binds::Dealing, Change::Dealing(Dealing::Greedy)));
//! assert!(report.factor > 1.1 && report.what_if[0].factor < 1.02);
//! # Ok::<(), packscope::Error>(())
//! ```

mod cap;
mod context;
mod deal;
mod libraries;
mod report;
mod settings;
mod simulate;
mod step;
mod units;
mod work;

pub use cap::{CappedMicroBatches, MicroBatchCounts};
pub use context::{ContextReport, ContextWay, LINKS};
pub use deal::{Dealing, UnitAssignment, UnitCount, deal};
pub use libraries::{Assignment, Scheduler, SchedulerTask};
pub use report::{
    Binds, Change, DealingRow, DealingTable, Figures, LibraryRow, NOTHING, Report, Untrained,
    WeightRow, WhatIf,
};
pub use settings::{
    MICRO_BATCHES, RANKS, ROW_PACKERS, RankUnit, STEPS, Settings, SyncPoint, UNITS,
};
pub use step::{Loads, bound, idle};
pub use work::{Weight, WorkCoefficients};

use crate::error::{Error, Result};
use crate::histogram::Histogram;
use simulate::{DealingWay, Simulation, Split, TimedWay, place};

/// Returns the report on these lengths. O(units of all steps · log units of a step) for each of about ten ways.
///
/// # Errors
/// Errors of [`Settings::check`], of [`Histogram::fit`], of packing rows, and of [`Scheduler::assign`].
pub fn run(lengths: &Histogram<1>, settings: &Settings) -> Result<Report> {
    settings.check()?;
    let fitted = lengths.fit([settings.limit], settings.overlong)?;
    let simulation = Simulation::new(&fitted.histogram, settings)?;
    let all = simulation.times(simulation.chosen())?;
    let times = &all.times[place(settings.waiting)];
    let (factor, factors) = (times.factor(), times.factors());
    let mut ordered: Vec<usize> = (0..factors.len()).collect();
    ordered.sort_by(|a, b| factors[*a].total_cmp(&factors[*b]));
    let at = |q: f64| ordered[((ordered.len() - 1) as f64 * q).round() as usize];
    let bound = all.bounds[place(settings.waiting)];
    let what_if = what_if(&fitted.histogram, &simulation, &all)?;
    let sequences = settings.unit == RankUnit::Sequences;
    let shared = settings
        .context
        .filter(|_| sequences)
        .map(|most| context::context(&simulation, most, longest(&simulation)));
    let mut report = Report {
        factor,
        error: times.error(),
        quantiles: [0.05, 0.5, 0.95].map(|q| factors[at(q)]),
        idle: idle(factor),
        bound,
        longest: all.longest,
        untrained: all.untrained,
        padding: all.padding,
        binds: binds(&simulation, &all, &what_if)?,
        what_if,
        rank_bars: Vec::new(),
        rank_longest: Vec::new(),
        rank_tokens: Vec::new(),
        weights: weights(&simulation)?,
        cap: settings
            .cap
            .filter(|_| sequences)
            .map(|cap| cap::capped(&simulation, cap))
            .transpose()?,
        context: shared,
        units: settings.units(),
        population: simulation.units.population,
        overlong_items: fitted.overlong_items,
        factors: Vec::new(),
    };
    look(&simulation, &simulation.steps[at(0.5)], &mut report)?;
    report.factors = factors;
    Ok(report)
}

/// Returns every way side by side, on the same steps: the first steps of [`run`], in the number of
/// [`Settings::compared`]. The cost is that of [`run`], for about 30 ways and thirteen schedulers.
///
/// # Errors
/// As [`run`]; a scheduler that stops says so in its row.
pub fn table(lengths: &Histogram<1>, settings: &Settings) -> Result<DealingTable> {
    settings.check()?;
    let settings = &settings.compared();
    let fitted = lengths.fit([settings.limit], settings.overlong)?;
    let simulation = Simulation::new(&fitted.histogram, settings)?;
    let factors = |timed: &TimedWay| [0, 1].map(|at| timed.times[at].factor());
    let mut rows = Vec::new();
    for dealing in Dealing::ALL {
        let weights = if dealing.is_blind() {
            &[Weight::Tokens][..]
        } else {
            &Weight::ALL
        };
        for &weight in weights {
            let [micro_batch, step] = factors(&simulation.times(DealingWay::By(dealing, weight))?);
            rows.push(DealingRow {
                dealing,
                weight,
                micro_batch,
                step,
            });
        }
    }
    let listed = if settings.unit == RankUnit::Sequences {
        &Scheduler::ALL[..]
    } else {
        &[]
    };
    let row = |&library: &Scheduler| {
        let timed = simulation.times(DealingWay::As(library));
        let factors = timed.as_ref().map(factors).map_err(ToString::to_string);
        let TimedWay {
            bounds: [micro_batch, step, _],
            untrained,
            padding,
            ..
        } = timed.unwrap_or_default();
        LibraryRow {
            library,
            factors,
            bound: [micro_batch, step],
            untrained,
            padding,
        }
    };
    Ok(DealingTable {
        rows,
        libraries: listed.iter().map(row).collect(),
        bound: simulation.bounds(),
        steps: settings.steps,
    })
}

/// Returns the schedule of one step of these sequences, in their order of arrival: by the library of the settings, or by
/// their dealing and weight. Positions are those of the sequences.
///
/// # Errors
/// Errors of [`Settings::check`] and [`Scheduler::assign`]; [`Error::Empty`].
pub fn assign(lengths: &[u32], settings: &Settings) -> Result<Assignment> {
    settings.check()?;
    if lengths.is_empty() {
        return Err(Error::Empty);
    }
    if let Some(library) = settings.library {
        let task = SchedulerTask {
            micro_batch: settings.micro_batch,
            ..library.task(settings)
        };
        return library.assign(lengths, &task);
    }
    let cost = settings.weight.cost(&settings.model);
    let weights: Vec<f64> = lengths.iter().map(|length| cost.work_of(*length)).collect();
    let dealt = deal(settings.dealing, &weights, settings.ranks, settings.size());
    let mut ranks = vec![vec![Vec::new(); dealt.micro_batches as usize]; settings.ranks as usize];
    for (unit, (rank, micro_batch)) in dealt.rank.iter().zip(&dealt.micro_batch).enumerate() {
        ranks[*rank as usize][*micro_batch as usize].push(unit as u32);
    }
    Ok(Assignment {
        ranks,
        ..Assignment::default()
    })
}

/// Returns the work of the heaviest unit ÷ the mean work of a rank, over all steps.
fn longest(simulation: &Simulation) -> f64 {
    let (mut most, mut mean) = (0.0, 0.0);
    for step in &simulation.steps {
        let work = Simulation::of_step(step, &simulation.work);
        most += work.iter().copied().fold(0.0, f64::max);
        mean += work.iter().sum::<f64>() / f64::from(simulation.settings.ranks);
    }
    if mean > 0.0 { most / mean } else { 0.0 }
}

/// Fills in the step to look at.
fn look(simulation: &Simulation, step: &[u32], report: &mut Report) -> Result<()> {
    let way = simulation.chosen();
    let split = simulation.split(way, step, &simulation.weights(way), None)?;
    let loads = simulation.loads(&split, step);
    let mean = loads.mean().max(f64::MIN_POSITIVE);
    report.rank_bars = loads
        .ranks()
        .map(|rank| rank.iter().map(|work| work / mean).collect())
        .collect();
    report.rank_longest = vec![vec![0; loads.micro_batches]; report.rank_bars.len()];
    report.rank_tokens = vec![0; report.rank_bars.len()];
    let (lengths, tokens) = (
        simulation.lengths(step),
        Simulation::of_step(step, &simulation.units.tokens()),
    );
    let mut put = |rank: usize, micro_batch: usize, unit: usize, sharing: u64| {
        let longest = &mut report.rank_longest[rank][micro_batch];
        *longest = (*longest).max(lengths[unit]);
        // Ranks that share a sequence have equal parts of it.
        report.rank_tokens[rank] += tokens[unit] / sharing.max(1);
    };
    match &split {
        Split::By(dealt) => {
            for (unit, (rank, micro_batch)) in dealt.rank.iter().zip(&dealt.micro_batch).enumerate()
            {
                put(*rank as usize, *micro_batch as usize, unit, 1);
            }
        }
        Split::As(_, assignment) => {
            let mut sharing = vec![0; step.len()];
            let all = assignment.ranks.iter().flatten().flatten();
            all.for_each(|unit| sharing[*unit as usize] += 1);
            for (rank, own) in assignment.ranks.iter().enumerate() {
                for (micro_batch, units) in own.iter().enumerate() {
                    units.iter().for_each(|unit| {
                        put(rank, micro_batch, *unit as usize, sharing[*unit as usize]);
                    });
                }
            }
        }
    }
    Ok(())
}

/// Returns how far each weight is from the true work, and the factor where units are dealt by it.
fn weights(simulation: &Simulation) -> Result<Vec<WeightRow>> {
    let (counts, truth) = (simulation.units.counts(), &simulation.work);
    let sum = |work: &[f64]| {
        work.iter()
            .zip(counts)
            .map(|(work, count)| work * *count as f64)
            .sum::<f64>()
    };
    let most = |work: &[f64]| work.iter().copied().fold(0.0, f64::max);
    let all = sum(truth);
    // As they come, units would be dealt in the same way by every weight.
    let dealing = match simulation.settings.dealing {
        Dealing::AsDrawn => Dealing::Greedy,
        dealing => dealing,
    };
    let row = |weight: Weight| {
        let work = simulation.units.work(simulation.cost(weight));
        let own = sum(&work);
        let off = work.iter().zip(truth).zip(counts);
        let off =
            off.map(|((work, truth), count)| (work / own - truth / all).abs() * *count as f64);
        Ok(WeightRow {
            weight,
            // Work on the wrong unit is counted twice: where it is too much, and where it lacks.
            misplaced: off.sum::<f64>() / 2.0,
            longest: (most(&work) / own) / (most(truth) / all),
            factor: simulation.factor(DealingWay::By(dealing, weight))?,
        })
    };
    Weight::ALL.into_iter().map(row).collect()
}

/// The least difference of a factor that counts.
const HELPS: f64 = 0.005;

/// Returns the changes of a single setting that help, the one that helps most first; of about equals the one that is
/// easiest to make.
fn what_if(
    lengths: &Histogram<1>,
    simulation: &Simulation,
    timed: &TimedWay,
) -> Result<Vec<WhatIf>> {
    let settings = simulation.settings;
    let at = place(settings.waiting);
    let (now, bound) = (timed.times[at].factor(), timed.bounds[at]);
    if now - 1.0 < HELPS {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    if let DealingWay::By(dealing, weight) = simulation.chosen() {
        if !dealing.is_blind() && weight != Weight::Model {
            all.push((
                Change::Weight(Weight::Model),
                simulation.factor(DealingWay::By(dealing, Weight::Model))?,
            ));
        }
        let mut best: Option<(Dealing, f64)> = None;
        for other in [Dealing::Greedy, Dealing::Groups, Dealing::EqualSize]
            .into_iter()
            .filter(|d| *d != dealing)
        {
            let factor = simulation.factor(DealingWay::By(other, weight))?;
            // In the order of the easiest change: a later one has to be better by more than
            // `HELPS`.
            if best.is_none_or(|(_, least)| factor < least - HELPS) {
                best = Some((other, factor));
            }
        }
        all.extend(best.map(|(dealing, factor)| (Change::Dealing(dealing), factor)));
    }
    if let DealingWay::As(library) = simulation.chosen() {
        all.extend(
            better_scheduler(simulation, library)
                .map(|(library, factor)| (Change::Library(library), factor)),
        );
    }
    if settings.waiting == SyncPoint::MicroBatch {
        all.push((
            Change::Waiting(SyncPoint::Step),
            timed.times[place(SyncPoint::Step)].factor(),
        ));
    }
    if bound - 1.0 > HELPS {
        all.extend(longer(lengths, simulation)?);
    }
    let mut helping: Vec<WhatIf> = all
        .into_iter()
        .map(|(change, factor)| WhatIf { change, factor })
        .collect();
    helping.retain(|what_if| now - what_if.factor > HELPS);
    // Whole steps of `HELPS`, so that about equals stay in their order.
    helping.sort_by_key(|what_if| (what_if.factor / HELPS).round() as u64);
    Ok(helping)
}

/// Returns the scheduler of another library that waits least, and costs nothing else: it trains every sequence, keeps to
/// the cap, and shares none among ranks, which is not timed.
fn better_scheduler(simulation: &Simulation, library: Scheduler) -> Option<(Scheduler, f64)> {
    // There are bounds for two points of waiting; never waiting is compared with that of a step.
    let least =
        simulation.bounds()[usize::from(simulation.settings.waiting != SyncPoint::MicroBatch)];
    // With a sequence above the cap, whoever trains it exceeds the cap.
    let longest = simulation
        .units
        .kinds
        .iter()
        .flatten()
        .map(|run| run.0)
        .max()
        .unwrap_or(0);
    if simulation
        .settings
        .cap
        .is_some_and(|cap| u64::from(longest) > cap)
    {
        return None;
    }
    let mut best: Option<(Scheduler, f64)> = None;
    for other in Scheduler::ALL
        .into_iter()
        .filter(|other| *other != library && !other.shares() && !other.exceeds_cap())
    {
        // None is better than one that is near the bound.
        if best.is_some_and(|(_, factor)| factor - least < HELPS) {
            break;
        }
        // One that stops with these settings is no advice.
        let Ok(timed) = simulation.times(DealingWay::As(other)) else {
            continue;
        };
        let factor = timed.times[place(simulation.settings.waiting)].factor();
        let trains_all = timed.untrained == Untrained::default();
        if trains_all && best.is_none_or(|(_, least)| factor < least - HELPS) {
            best = Some((other, factor));
        }
    }
    best
}

/// Returns the changes by which a long unit weighs less: more units in a step, and context parallelism.
fn longer(lengths: &Histogram<1>, simulation: &Simulation) -> Result<Vec<(Change, f64)>> {
    let (settings, mut all) = (simulation.settings, Vec::new());
    // Four times the units in a quarter of the steps: about as much to simulate.
    let micro_batches = settings.micro_batches * 4;
    let steps = settings.steps.div_ceil(4);
    let more = Settings {
        micro_batches,
        steps,
        ..settings.clone()
    };
    if more.check().is_ok() {
        let simulation = Simulation::new(lengths, &more)?;
        all.push((
            Change::MicroBatches(micro_batches),
            simulation.factor(simulation.chosen())?,
        ));
    }
    if settings.unit == RankUnit::Sequences && settings.scheduler().is_none() && settings.ranks > 1
    {
        // As many ranks as bring the longest sequence to half of a rank's mean work.
        let ranks = (2.0 * longest(simulation))
            .ceil()
            .clamp(2.0, f64::from(settings.ranks)) as u32;
        let most = lengths.max()[0].div_ceil(ranks.next_power_of_two()).max(1);
        all.push((
            Change::Context(most),
            context::context(simulation, most, longest(simulation))
                .each
                .factor,
        ));
    }
    Ok(all)
}

/// Returns what makes a step long, the first of these that holds:
///
/// - nothing, where the factor is close to 1;
/// - padding, where it has most of the time above the mean;
/// - the longest unit, where the bound has most of the waiting;
/// - with a library, the point of waiting, where waiting once a step loses most of it;
/// - with a library, the weight, where units dealt well by it would wait about as long; else its dealing;
/// - without one, what the most helpful change touches; where none helps, nothing if the bound is close to 1, else the
///   longest unit.
fn binds(simulation: &Simulation, timed: &TimedWay, what_if: &[WhatIf]) -> Result<Binds> {
    let at = place(simulation.settings.waiting);
    let (factor, bound) = (timed.times[at].factor(), timed.bounds[at]);
    if factor - 1.0 < NOTHING {
        return Ok(Binds::Nothing);
    }
    // If nobody waits, only padding makes a step longer than its work.
    if timed.times[place(SyncPoint::Never)].factor() - 1.0 > (factor - 1.0) / 2.0 {
        return Ok(Binds::Padding);
    }
    if bound - 1.0 > (factor - 1.0) / 2.0 {
        return Ok(Binds::Longest);
    }
    if let DealingWay::As(library) = simulation.chosen() {
        let rarely = |what_if: &WhatIf| matches!(what_if.change, Change::Waiting(_));
        if what_if
            .iter()
            .any(|other| rarely(other) && other.factor - 1.0 < (factor - 1.0) / 2.0)
        {
            return Ok(Binds::Synchronisation);
        }
        let well = |weight| simulation.factor(DealingWay::By(Dealing::Greedy, weight));
        let ideal = well(Weight::Model)?;
        let weighed = library.weight().map(well).transpose()?.unwrap_or(ideal);
        let is_weight = weighed - ideal > (factor - ideal) / 2.0;
        return Ok(if is_weight {
            Binds::Weight
        } else {
            Binds::Dealing
        });
    }
    Ok(match what_if.first().map(|what_if| what_if.change) {
        Some(Change::Weight(_)) => Binds::Weight,
        Some(Change::Dealing(_) | Change::Library(_)) => Binds::Dealing,
        Some(Change::Waiting(_)) => Binds::Synchronisation,
        None if bound - 1.0 < NOTHING => Binds::Nothing,
        Some(Change::MicroBatches(_) | Change::Context(_)) | None => Binds::Longest,
    })
}
