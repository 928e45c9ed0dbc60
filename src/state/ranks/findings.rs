//! Findings about ranks, in words computed from the report.

use crate::state::AppState;
use crate::state::speedup::findings::model_name;
pub use packscope::api::ranks::idle;
pub use packscope::api::ranks::words::{
    idly, micro_batches, note, of_compared, repeated, unit_name, units, untrained,
};
use packscope::api::ranks::{
    Binds, Change, Dealing, DealingRow, DealingTable, LibraryRow, Loads, Report, Scheduler,
    Settings, SyncPoint, Untrained, Weight, WeightRow, WhatIf,
};
use packscope::order;
use packscope::words::{capital, count, factor, percent, plural};

/// Returns the factor of a report: where long sequences are shared by ranks, that with a size for each sequence.
pub fn factor_of(report: &Report) -> f64 {
    report.figures().factor
}

/// Returns the single change that helps most. Changes are of ranks that share no sequences.
pub fn best(report: &Report) -> Option<&WhatIf> {
    // The list begins with the change that helps most. Where sequences are shared already, sharing
    // them is no change.
    report.what_if.iter().find(|what_if| {
        let again = report.context.is_some() && matches!(what_if.change, Change::Context(_));
        !again && what_if.factor < factor_of(report)
    })
}

/// Returns the share of the time in which ranks wait at a factor, in percent.
pub fn waits(factor: f64) -> String {
    percent(idle(factor))
}

/// Ranks that are idle for less than this share of the time hardly wait.
const HARDLY: f64 = 0.005;

/// Returns the words before the idle share in the headline; "of the time" follows it.
pub fn of_waiting(report: &Report) -> &'static str {
    match (idle(factor_of(report)) < HARDLY, report.padding > 0.0) {
        (true, _) => "Ranks hardly wait:",
        (false, true) => "Ranks wait or compute padding",
        (false, false) => "Ranks wait",
    }
}

/// Returns what ranks do in the time above the mean work, as a verb.
pub fn waiting(report: &Report) -> &'static str {
    if report.padding > 0.0 {
        "wait or compute padding"
    } else {
        "wait"
    }
}

/// Returns why no dealing of what is trained gets below the bound.
pub fn of_bound(settings: &Settings) -> &'static str {
    match settings.library.is_some_and(Scheduler::shares) {
        true => "Ranks may share a long sequence: only the mean rank’s work is a bound.",
        false => {
            "Whatever is dealt to whom: the heaviest unit is on some rank, two of the ranks + 1 heaviest share one, and \
             the mean rank works as long as the mean."
        }
    }
}

/// Returns a weight as the object of "by".
pub fn weight(state: &AppState, weight: Weight) -> String {
    match weight {
        Weight::Tokens => "tokens".to_owned(),
        Weight::Squared => "squared lengths".to_owned(),
        Weight::Verl => "verl’s weight".to_owned(),
        Weight::Slime => "slime’s weight".to_owned(),
        Weight::Model => format!("the work of {}", model_name(state)),
    }
}

/// Returns a way to deal as a participle.
fn dealt(dealing: Dealing) -> &'static str {
    match dealing {
        Dealing::AsDrawn => "dealt as they come",
        Dealing::Snake => "dealt back and forth",
        Dealing::Greedy => "dealt heaviest first",
        Dealing::KarmarkarKarp => "dealt by Karmarkar–Karp",
        Dealing::EqualSize => "dealt by Karmarkar–Karp, as many each",
        Dealing::Groups => "sorted and dealt in groups",
    }
}

/// Returns a way to deal with the weight that it balances.
pub fn balanced(state: &AppState, dealing: Dealing, by: Weight) -> String {
    match dealing {
        Dealing::AsDrawn => dealt(dealing).to_owned(),
        _ => format!("{} by {}", dealt(dealing), weight(state, by)),
    }
}

/// Returns how units are dealt at these settings: by a library, or in a way of one's own.
pub fn way(state: &AppState, settings: &Settings) -> String {
    match settings.library {
        Some(library) => format!("dealt by {}", library.long_name()),
        None => balanced(state, settings.dealing, settings.weight),
    }
}

/// Returns when ranks wait, as an adverb.
pub fn when(waiting: SyncPoint) -> &'static str {
    match waiting {
        SyncPoint::MicroBatch => "after every micro-batch",
        SyncPoint::Step => "once a step",
        SyncPoint::Never => "never",
    }
}

/// Returns a change as the condition of a sentence.
pub fn changed(state: &AppState, settings: &Settings, change: Change) -> String {
    capital(&match change {
        Change::Weight(by) => format!("balanced by {}", weight(state, by)),
        Change::Dealing(dealing) => balanced(state, dealing, settings.weight),
        Change::Library(library) => format!("dealt by {}", library.long_name()),
        Change::Waiting(waiting) => format!("waiting {}", when(waiting)),
        Change::MicroBatches(many) => format!("with {} a step", micro_batches(many)),
        Change::Context(most) => {
            let unit = state.sequences.unit();
            format!(
                "with at most {} {unit} of a sequence on a rank",
                count(u64::from(most))
            )
        }
    })
}

/// Returns the sentence about the setting: ranks, their units, how these are dealt, and when ranks wait.
pub fn of_setting(state: &AppState, settings: &Settings) -> String {
    let each = u64::from(settings.micro_batches) * u64::from(settings.units_of_micro_batch());
    format!(
        "{}, {} each a step, {}; they {}.",
        plural(u64::from(settings.ranks), "rank"),
        units(settings.unit, each),
        way(state, settings),
        match settings.waiting {
            SyncPoint::Never => "never wait".to_owned(),
            waiting => format!("wait {}", when(waiting)),
        }
    )
}

/// Returns the sentence about what binds.
pub fn of_binding(state: &AppState, settings: &Settings, report: &Report) -> String {
    let (bound, one) = (factor(report.bound), unit_name(settings.unit));
    if let Some(context) = &report.context {
        let most = plural(u64::from(context.each.ranks), "rank");
        return format!(
            "Long sequences are shared, each by as many ranks as it needs, up to {most}."
        );
    }
    match report.binds {
        Binds::Longest => format!(
            "What binds is the longest {one}: on average it has {} the work of a rank, and no dealing gets below {bound}.",
            factor(report.longest)
        ),
        Binds::Synchronisation => {
            format!(
                "What binds is the waiting: the slowest of every micro-batch counts, and dealt like that none gets below {bound}."
            )
        }
        Binds::Weight => format!(
            "What binds is the weight: {} are not {}.",
            equal(settings.weight),
            weight(state, Weight::Model)
        ),
        Binds::Padding => format!(
            "What binds is padding: micro-batches are padded to their longest, which is {} of their work.",
            percent(report.padding)
        ),
        Binds::Dealing => format!("What binds is the dealing: another one could get to {bound}."),
        Binds::Nothing => {
            format!(
                "Nothing binds: a step takes {} the mean rank’s time.",
                factor(report.factor)
            )
        }
    }
}

fn equal(weight: Weight) -> &'static str {
    match weight {
        Weight::Tokens => "equal tokens",
        Weight::Squared => "equal squared lengths",
        Weight::Verl | Weight::Slime | Weight::Model => "equal weights",
    }
}

/// Returns the time of a step ÷ the mean work of a rank in it.
pub fn of_step(bars: &[Vec<f64>], waiting: SyncPoint) -> f64 {
    // All ranks have as many.
    let micro_batches = bars.first().map_or(1, Vec::len).max(1);
    Loads {
        micro_batches,
        work: bars.concat(),
    }
    .time(waiting)
}

pub fn of_bars(report: &Report, waiting: SyncPoint) -> String {
    let slowest = factor(of_step(&report.rank_bars, SyncPoint::Step));
    let step = of_step(&report.rank_bars, waiting);
    if report.context.is_some() {
        return format!(
            "One step, were no sequence shared: {} the mean work",
            factor(step)
        );
    }
    match waiting {
        SyncPoint::Step if step < 1.005 => "One step: all ranks have the same work".to_owned(),
        SyncPoint::Step => {
            format!("One step: the slowest rank has {slowest} the mean work, and all wait for it")
        }
        SyncPoint::MicroBatch => {
            format!(
                "One step: all wait for the slowest of each micro-batch, and take {} the mean work",
                factor(step)
            )
        }
        SyncPoint::Never => format!("One step: the slowest rank has {slowest} the mean work"),
    }
}

pub fn of_steps(report: &Report) -> String {
    let [few, _, most] = report.quantiles.map(factor);
    if report.context.is_some() {
        return format!("Were no sequence shared, nine steps in ten would take {few} to {most}");
    }
    match few == most {
        true => format!("Nearly every step takes {few} the mean rank’s time"),
        false => format!("Nine steps in ten take {few} to {most} the mean rank’s time"),
    }
}

pub fn of_row(row: &DealingRow, waiting: SyncPoint) -> f64 {
    if waiting == SyncPoint::MicroBatch {
        row.micro_batch
    } else {
        row.step
    }
}

/// Ways whose factors differ by less are as good as each other.
const ALIKE: f64 = 1.005;

/// Returns the title of the table of all ways: the best one, against sequences as they come.
pub fn of_table(state: &AppState, table: &DealingTable, waiting: SyncPoint) -> Option<String> {
    let of = |row: &DealingRow| of_row(row, waiting);
    let least = table.rows.iter().map(of).fold(f64::INFINITY, f64::min);
    // The first, which is the simplest, of those that are as good.
    let best = table.rows.iter().find(|row| of(row) <= least * ALIKE)?;
    let drawn = table.rows.iter().find(|row| row.dealing.is_blind())?;
    let [best_of, drawn_of] = [best, drawn].map(|row| waits(of(row)));
    Some(match best == drawn {
        true => {
            format!("No way to deal is better than as they come: ranks wait {drawn_of} of the time")
        }
        false => {
            let way = capital(&balanced(state, best.dealing, best.weight));
            format!("{way} ranks wait {best_of} of the time, as they come {drawn_of}")
        }
    })
}

/// Returns the title of the table of schedulers: of those that train every sequence, the one that waits least, and the one
/// that waits most.
pub fn of_libraries(rows: &[LibraryRow], waiting: SyncPoint) -> String {
    // Rows have two factors: for waiting after each micro-batch, and once a step.
    let at = usize::from(waiting != SyncPoint::MicroBatch);
    // A scheduler that drops sequences has less to balance, and is not compared.
    let whole = rows
        .iter()
        .filter(|row| row.untrained == Untrained::default());
    let known = whole.filter_map(|row| Some((row.library, row.factors.as_ref().ok()?[at])));
    let mut known: Vec<_> = known.collect();
    order::sort_by(&mut known, |a, b| a.1.total_cmp(&b.1));
    match (known.first(), known.last()) {
        (Some((first, least)), Some((last, most))) if waits(*least) != waits(*most) => {
            let (first, last) = (first.long_name(), last.long_name());
            format!(
                "Ranks wait least with {first}, {}; most with {last}, {}",
                waits(*least),
                waits(*most)
            )
        }
        _ => "The schedulers of libraries".to_owned(),
    }
}

/// Returns the title of the table of weights: what equal tokens cost.
pub fn of_weights(state: &AppState, weights: &[WeightRow]) -> Option<String> {
    let of = |wanted| weights.iter().find(|row| row.weight == wanted);
    let (tokens, model) = (of(Weight::Tokens)?, of(Weight::Model)?);
    let [by_tokens, by_work] = [tokens, model].map(|row| waits(row.factor));
    let work = weight(state, Weight::Model);
    Some(match tokens.factor <= model.factor * ALIKE {
        true => format!("Balanced by tokens ranks wait {by_tokens}: here these are nearly {work}"),
        false => {
            format!(
                "Equal tokens are not equal work: ranks wait {by_tokens} by tokens, {by_work} by {work}"
            )
        }
    })
}

/// Returns the number of ranks that would do the same if none waited.
pub fn of_worth(settings: &Settings, report: &Report) -> String {
    // No step is faster than its mean rank: a factor below 1 is rounding.
    let work = f64::from(settings.ranks) / factor_of(report).max(1.0);
    // Of few ranks a tenth of one is worth saying.
    if settings.ranks < 100 {
        format!("{work:.1}")
    } else {
        count(work.round() as u64)
    }
}

/// Returns the title of the cost of waiting.
pub fn of_cost(report: &Report, hours: f64) -> String {
    let idle = idle(factor_of(report));
    let [waiting, passes] = match report.padding > 0.0 {
        true => ["Waiting and padding take", "pass in waiting and padding"],
        false => ["Waiting takes", "pass in waiting"],
    };
    match hours * idle {
        ..0.1 => format!("{waiting} {} of what an epoch costs", percent(idle)),
        _ => format!(
            "Of an epoch’s {} hours of all ranks, {} {passes}",
            packscope::words::about(hours),
            packscope::words::about(hours * idle)
        ),
    }
}
