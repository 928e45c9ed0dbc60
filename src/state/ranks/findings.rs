//! Findings about ranks, in words computed from the report.

use crate::state::AppState;
use crate::state::speedup::findings::model_name;
pub use packscope::api::ranks::idle;
use packscope::api::ranks::words;
pub use packscope::api::ranks::words::{
    idly, micro_batches, note, of_compared, repeated, unit_name, units, untrained,
};
use packscope::api::ranks::{
    Binds, Dealing, DealingRow, DealingTable, LibraryRow, Loads, Report, Scheduler, Settings,
    SyncPoint, Untrained, Weight, WeightRow,
};
use packscope::order;
use packscope::words::{capital, count, factor, percent, plural};

/// Returns the factor of a report: where long sequences are shared by ranks, that with a size for each sequence.
pub fn factor_of(report: &Report) -> f64 {
    report.figures().factor
}

/// Returns the share of the time in which ranks are idle at a factor, in percent.
pub fn waits(factor: f64) -> String {
    percent(idle(factor))
}

/// Ranks that are idle for less than this share of the time hardly wait.
const HARDLY: f64 = 0.005;

/// Returns the words before the idle share in the headline; "of the time" follows it.
pub fn of_waiting(report: &Report) -> &'static str {
    match (idle(factor_of(report)) < HARDLY, report.padding > 0.0) {
        (true, _) => "Ranks are hardly idle:",
        (false, true) => "Ranks are idle or compute padding",
        (false, false) => "Ranks are idle",
    }
}

/// Returns why no dealing of what is trained gets below the bound.
pub fn of_bound(settings: &Settings) -> &'static str {
    match settings.library.is_some_and(Scheduler::shares) {
        true => "Ranks may share a long sequence: only the mean rank’s work bounds a step.",
        false => {
            "However units are assigned: the heaviest is on some rank, two of the ranks + 1 heaviest share one, and no step \
             is shorter than the mean work of a rank."
        }
    }
}

/// Returns a weight as the object of "by".
pub fn weight(state: &AppState, weight: Weight) -> String {
    words::weight(weight, model_name(state))
}

/// Returns a way to deal as a participle.
fn dealt(dealing: Dealing) -> &'static str {
    match dealing {
        Dealing::AsDrawn => "assigned in arrival order",
        Dealing::Snake => "assigned in zigzag",
        Dealing::Greedy => "assigned heaviest first",
        Dealing::KarmarkarKarp => "assigned by Karmarkar–Karp",
        Dealing::EqualSize => "assigned by Karmarkar–Karp, equal numbers to each",
        Dealing::Groups => "sorted and assigned in groups",
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
        Some(library) => format!("assigned by {}", library.long_name()),
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

/// Returns the sentence about the setting: ranks, their units, how these are dealt, and when ranks wait.
pub fn of_setting(state: &AppState, settings: &Settings) -> String {
    let each = u64::from(settings.micro_batches) * u64::from(settings.units_of_micro_batch());
    format!(
        "{}, {} each a step, {}; they {}.",
        plural(u64::from(settings.ranks), "rank"),
        units(settings.unit, each),
        way(state, settings),
        match settings.waiting {
            SyncPoint::Never => "never synchronise".to_owned(),
            waiting => format!("synchronise {}", when(waiting)),
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
            "The longest {one} is the bottleneck: on average it has {} the work of a rank, so that no assignment gets below {bound}.",
            factor(report.longest)
        ),
        Binds::Synchronisation => {
            format!(
                "Synchronisation is the bottleneck: the slowest rank of every micro-batch counts, and with that {bound} is the best possible."
            )
        }
        Binds::Weight => format!(
            "The weight is the bottleneck: {} are not {}.",
            equal(settings.weight),
            weight(state, Weight::Model)
        ),
        Binds::Padding => format!(
            "Padding is the bottleneck: micro-batches are padded to their longest, which is {} of their work.",
            percent(report.padding)
        ),
        Binds::Dealing => {
            format!("Assignment is the bottleneck: another one could get to {bound}.")
        }
        Binds::Nothing => {
            format!(
                "There is no bottleneck: a step takes {} the mean rank’s time.",
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
            "One step, if no sequence were shared: {} the mean work",
            factor(step)
        );
    }
    match waiting {
        SyncPoint::Step if step < 1.005 => "One step: all ranks have the same work".to_owned(),
        SyncPoint::Step => {
            format!("One step: the straggler has {slowest} the mean work, and all wait for it")
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
        return format!("If no sequence were shared, nine steps in ten would take {few} to {most}");
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
            format!(
                "No assignment is better than arrival order: ranks are idle {drawn_of} of the time"
            )
        }
        false => {
            let way = capital(&balanced(state, best.dealing, best.weight));
            format!("{way}, ranks are idle {best_of} of the time; in arrival order {drawn_of}")
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
                "Ranks are idle least with {first}, {}; most with {last}, {}",
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
        true => format!("Balancing by tokens is enough here: {by_tokens} idle"),
        false => {
            format!(
                "Equal tokens are not equal work: ranks are idle {by_tokens} by tokens, {by_work} by {work}"
            )
        }
    })
}

/// Returns the number of ranks that would do the same if none waited.
pub fn worth(settings: &Settings, report: &Report) -> f64 {
    // No step is faster than its mean rank: a factor below 1 is rounding.
    f64::from(settings.ranks) / factor_of(report).max(1.0)
}

/// Returns that number in words: a tenth of a rank is said where they are few.
pub fn of_worth(settings: &Settings, report: &Report) -> String {
    let work = worth(settings, report);
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
        true => ["Idle time and padding take", "are idle or padding"],
        false => ["Idle time takes", "are idle"],
    };
    match hours * idle {
        ..0.1 => format!("{waiting} {} of what an epoch costs", percent(idle)),
        _ => format!(
            "Of an epoch’s {} rank-hours, {} {passes}",
            packscope::words::about(hours),
            packscope::words::about(hours * idle)
        ),
    }
}
