//! `packscope sweep`: tries many limits and shows the best.

use crate::args::FigureFormat;
use crate::input::Input;
use crate::ledger;
use crate::limits::{by_components, limits_in_words, limits_to_json};
use crate::options::{ParsedOptions, SweepOptions};
use crate::output::say;
use crate::shell::{clock, pretty};
use crate::sizes::{Sizes, items_above, read_sizes};
use clap::Args;
use packscope::api::Bands;
use packscope::api::fields::graphs;
use packscope::api::tuple::{Settings, evaluate};
use packscope::error::{Error, Result};
use packscope::export::Table;
use packscope::histogram::{Band, Bins, Histogram, Overlong, Size};
use packscope::ingest::Account;
use packscope::sweep::{self, Range, SweepMethod, SweepPoint};
use packscope::words::{band, count, efficiency, percent, plural, seconds};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The most points of a sweep.
const MOST_POINTS: u64 = 1_000_000;

/// The most points of the front in text; JSON has all.
const FRONT_ROWS: usize = 20;

#[derive(Args)]
pub struct Sweep {
    #[command(flatten)]
    input: Input,
    /// One range of limits for each component, from:to:step or one limit, such as 222:444:10,502:1004:10. Left out, for
    /// lengths: what the usual limits lose (powers of two and quantiles), by policy for longer ones.
    #[arg(long, value_delimiter = ',')]
    limits: Vec<Range>,
    #[arg(long, help = methods(), default_value_t = SweepMethod::Grid)]
    method: SweepMethod,
    #[command(flatten)]
    given: ParsedOptions<SweepOptions>,
    /// Efficiency that the smallest limits have to reach in every component, a share above 0.
    #[arg(long, default_value_t = 0.95, value_parser = share)]
    target: f64,
    /// Points that are packed at the same time; as many as there are processors when left out. What comes out is
    /// the same.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    #[arg(long, default_value = "text")]
    format: FigureFormat,
}

fn methods() -> String {
    SweepMethod::ALL
        .map(|method| format!("{}: {}", method.name(), method.about()))
        .join("; ")
}

fn share(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("expected a share above 0 and at most 1, such as 0.95".to_owned()),
    }
}

struct Outcome<const K: usize> {
    names: Vec<String>,
    read: Account,
    /// The points, ascending by limits.
    points: Vec<SweepPoint<K>>,
    refused: usize,
    seconds: f64,
    /// The data, with the policy for items above the limits of a point.
    histogram: Histogram<K>,
    policy: Overlong,
    /// The bins of binned lengths, and the settings.
    bins: Option<Bins>,
    settings: Settings,
}

impl<const K: usize> Outcome<K> {
    fn items_above(&self, point: &SweepPoint<K>) -> u64 {
        items_above(&self.histogram, &point.limits)
    }

    /// Returns the participle for items above the limits.
    fn lost(&self) -> &'static str {
        if self.policy == Overlong::Drop {
            "dropped"
        } else {
            "cut"
        }
    }

    /// Returns the name of a point, with the items that are not packed, or not whole, at its limits.
    fn named(&self, name: &str, point: Option<&SweepPoint<K>>) -> String {
        match point.map_or(0, |point| self.items_above(point)) {
            _ if self.policy == Overlong::Reject => name.to_owned(),
            0 => name.to_owned(),
            n => {
                format!(
                    "{name}, {} of {} {}",
                    count(n),
                    plural(self.histogram.items(), "item"),
                    self.lost()
                )
            }
        }
    }

    /// Returns the smallest limits that reach the target and leave no item out.
    fn smallest_whole(&self, target: f64) -> Option<&SweepPoint<K>> {
        sweep::smallest(
            self.points
                .iter()
                .filter(|point| self.items_above(point) == 0),
            target,
        )
    }

    /// Returns the band of the efficiency of a point.
    fn band(&self, point: &SweepPoint<K>) -> Option<Band> {
        let bins = self.bins.as_ref()?;
        Some(Bands::at_point(
            bins,
            &self.settings,
            point.limits[0],
            point.efficiency[0],
        ))
    }
}

pub fn run(command: &Sweep) -> Result<String> {
    let settings = command.given.onto(
        graphs::ALL,
        Settings {
            // The ranges of the command stand in for limits.
            limits: Vec::new(),
            ..Settings::default()
        },
    )?;
    if command.limits.is_empty() {
        return ledger::run(&command.input, settings.depth, &command.format);
    }
    by_components!(command.limits.len(), sweep(command, &settings))
}

fn sweep<const K: usize>(command: &Sweep, settings: &Settings) -> Result<String> {
    let ranges: [Range; K] = std::array::from_fn(|k| command.limits[k]);
    let sweep = sweep::Sweep::new(command.method, ranges);
    // Before the data are read; `search` tries few points of many.
    if sweep.at_most() > MOST_POINTS {
        let points = plural(sweep.at_most(), "point");
        return Err(Error::Input {
            place: "--limits".to_owned(),
            message: format!("these are {points}; take larger steps, or --method search"),
        });
    }
    let sizes = read_sizes::<K>(&command.input)?;
    warn(settings.overlong, &ranges, &sizes);
    let start = clock();
    let (mut points, mut refused) =
        evaluate_all((command.threads, settings), &sizes.histogram, sweep);
    let seconds = start.elapsed().as_secs_f64();
    // Threads answer in any order.
    points.sort_by_key(|p| p.limits);
    refused.sort_by_key(|(limits, _)| *limits);
    // Some refused points are normal (all items dropped); only if all are is there nothing to show.
    if let (true, Some((_, error))) = (points.is_empty(), refused.first()) {
        return Err(error.clone());
    }
    let bins = sizes.bins();
    let Sizes {
        names,
        read,
        histogram,
        ..
    } = sizes;
    let (policy, settings, refused) = (settings.overlong, settings.clone(), refused.len());
    let outcome = Outcome {
        names,
        read,
        points,
        refused,
        seconds,
        histogram,
        policy,
        bins,
        settings,
    };
    Ok(match command.format {
        FigureFormat::Json => pretty(&to_json((command, &outcome.settings), &outcome)),
        FigureFormat::Text => to_text(command, &outcome),
    })
}

/// Warns of dropped items, which efficiency alone does not show.
fn warn<const K: usize>(policy: Overlong, ranges: &[Range; K], sizes: &Sizes<K>) {
    let overlong = items_above(&sizes.histogram, &ranges.map(|range| range.from));
    if overlong > 0 && policy != Overlong::Reject {
        say(&format!(
            "{} above the smallest limits; what is above the limits of a point is not packed there ({})",
            plural(overlong, "item"),
            policy.name()
        ));
    }
}

/// A sweep shared by threads, and the refused limits.
type SharedSweep<const K: usize> = (sweep::Sweep<K>, Vec<(Size<K>, Error)>);

/// Packs all points on several threads. The points do not depend on the number of threads.
fn evaluate_all<const K: usize>(
    (threads, settings): (Option<NonZeroUsize>, &Settings),
    histogram: &Histogram<K>,
    sweep: sweep::Sweep<K>,
) -> (Vec<SweepPoint<K>>, Vec<(Size<K>, Error)>) {
    let shared: (Mutex<SharedSweep<K>>, Condvar) =
        (Mutex::new((sweep, Vec::new())), Condvar::new());
    let threads = threads.or_else(|| std::thread::available_parallelism().ok());
    // Scoped, so that the data are borrowed and not copied for each thread.
    std::thread::scope(|scope| {
        for _ in 0..threads.map_or(1, NonZeroUsize::get) {
            scope.spawn(|| work(&shared.0, &shared.1, histogram, settings));
        }
    });
    let (sweep, refused) = shared
        .0
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    (sweep.points().to_vec(), refused)
}

fn work<const K: usize>(
    shared: &Mutex<SharedSweep<K>>,
    answered: &Condvar,
    histogram: &Histogram<K>,
    settings: &Settings,
) {
    // A thread that panicked has told nothing; the state behind the lock is whole.
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let mut guard: MutexGuard<'_, SharedSweep<K>> = lock();
    while !guard.0.is_done() {
        // The next limits depend on points that other threads are packing.
        let Some(limits) = guard.0.ask() else {
            guard = answered.wait(guard).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        // Not held while packing, which is all the work.
        drop(guard);
        let point = evaluate(histogram, settings, limits);
        guard = lock();
        match point {
            Ok(point) => guard.0.tell(point),
            Err(error) => {
                guard.1.push((limits, error));
                guard.0.refuse(limits);
            }
        }
        // An answer may release several questions, or end the sweep.
        answered.notify_all();
    }
}

fn point_to_json<const K: usize>(point: &SweepPoint<K>, outcome: &Outcome<K>) -> Value {
    json!({
        "limits": limits_to_json(&point.limits),
        "needed": limits_to_json(&point.needed),
        "packs": point.packs,
        "overlong_items": outcome.items_above(point),
        "efficiency": point.efficiency.to_vec(),
        "efficiency_harmonic": point.harmonic,
    })
}

fn to_json<const K: usize>(
    (command, settings): (&Sweep, &Settings),
    outcome: &Outcome<K>,
) -> Value {
    let points = &outcome.points;
    let one = |point: &SweepPoint<K>| {
        let mut all = point_to_json(point, outcome);
        outcome
            .band(point)
            .iter()
            .for_each(|band| all["efficiency_band"] = json!(band));
        all
    };
    let maybe = |point: Option<&SweepPoint<K>>| point.map(one);
    json!({
        "method": command.method,
        "ranges": command.limits,
        "components": outcome.names,
        "depth": settings.depth,
        "algorithm": settings.algorithm,
        "heuristic": settings.heuristic,
        "overlong": settings.overlong,
        "target": command.target,
        "tried": points.len(),
        "refused": outcome.refused,
        "seconds": outcome.seconds,
        "best": maybe(sweep::best(points)),
        "best_by_component": (0..K).map(|k| maybe(sweep::best_by(points, k))).collect::<Vec<_>>(),
        "smallest": maybe(sweep::smallest(points, command.target)),
        "smallest_whole": maybe(outcome.smallest_whole(command.target)),
        "front": sweep::front(points).into_iter().map(one).collect::<Vec<_>>(),
        "read": outcome.read,
        "points": points.iter().map(|point| point_to_json(point, outcome)).collect::<Vec<_>>(),
    })
}

fn to_text<const K: usize>(command: &Sweep, outcome: &Outcome<K>) -> String {
    let points = &outcome.points;
    let refused = match outcome.refused {
        0 => String::new(),
        n => format!(", {n} more without an item to pack"),
    };
    let tried = plural(points.len() as u64, "point");
    let target = percent(command.target);
    let mut rows = Vec::new();
    // A column for losses only if the limits of any point lose items.
    let loses = outcome.policy != Overlong::Reject
        && points.iter().any(|point| outcome.items_above(point) > 0);
    let mut add = |what: String, point: Option<&SweepPoint<K>>| {
        let mut cells = cells(what, point);
        // Binned data have one component, so its cell is the last but one, before the mean.
        let at = cells.len().saturating_sub(2);
        point
            .and_then(|point| outcome.band(point))
            .iter()
            .for_each(|of| cells[at] += &format!(" {}", band(*of)));
        cells.extend(
            point
                .filter(|_| loses)
                .map(|point| count(outcome.items_above(point))),
        );
        rows.push(cells);
    };
    add(
        outcome.named("best", sweep::best(points)),
        sweep::best(points),
    );
    for (k, name) in outcome.names.iter().enumerate() {
        let best = sweep::best_by(points, k);
        add(outcome.named(&format!("best in {name}"), best), best);
    }
    // A limit is small by leaving items out, so the smallest that does not comes first.
    let smallest = format!("smallest, all from {target}");
    let (whole, any) = (
        outcome.smallest_whole(command.target),
        sweep::smallest(points, command.target),
    );
    if loses {
        add(format!("{smallest}, no item {}", outcome.lost()), whole);
    }
    if !loses || any.map(|point| point.limits) != whole.map(|point| point.limits) {
        add(outcome.named(&smallest, any), any);
    }
    let front = sweep::front(points);
    for point in front.iter().take(FRONT_ROWS) {
        add("front".to_owned(), Some(point));
    }
    let more = match front.len().saturating_sub(FRONT_ROWS) {
        0 => String::new(),
        n => format!(" {} more with --format json.", count(n as u64)),
    };
    format!(
        "method       {}: {tried} in {}{refused}\n\n{}\n\nFront: no other point has limits as small and an \
         efficiency as high.{more}",
        command.method,
        seconds(outcome.seconds),
        Table::of_words(heads(&outcome.names, outcome.policy, loses), rows).text()
    )
}

fn heads(names: &[String], policy: Overlong, loses: bool) -> Vec<String> {
    let before = ["", "limits", "packs"].map(str::to_owned);
    let lost = match policy {
        Overlong::Drop => "items dropped",
        _ => "items cut",
    };
    let after = ["harmonic mean"]
        .into_iter()
        .chain(loses.then_some(lost))
        .map(str::to_owned);
    before
        .into_iter()
        .chain(names.iter().cloned())
        .chain(after)
        .collect()
}

fn cells<const K: usize>(what: String, point: Option<&SweepPoint<K>>) -> Vec<String> {
    let Some(point) = point else {
        return vec![what, "none".to_owned()];
    };
    let mut cells = vec![what, limits_in_words(&point.limits), count(point.packs)];
    cells.extend(point.efficiency.map(efficiency));
    cells.push(efficiency(point.harmonic));
    cells
}
