//! Sentences about ranks that the page and the command line share.

use super::{BalancingTable, LibraryRow, RankUnit, Report, Settings, Untrained};
use crate::words::{batches, count, percent, plural};

/// Returns what ranks are in the time above the mean work, at a share of padding.
pub fn idly(padding: f64) -> &'static str {
    if padding > 0.0 {
        "idle or padding"
    } else {
        "idle"
    }
}

/// Returns what a scheduler does not train, in words; `None` where it trains every sequence.
pub fn untrained(untrained: &Untrained) -> Option<String> {
    let of = |[sequences, tokens]: [f64; 2], why: &str| {
        (sequences > 0.0).then(|| {
            format!(
                "{} of the sequences with {} of the tokens {why}",
                percent(sequences),
                percent(tokens)
            )
        })
    };
    let dropped = of(untrained.dropped, "are above the cap, and dropped");
    let left = of(
        untrained.left,
        "are left over at the end of a step, for the next one",
    );
    let all: Vec<String> = dropped.into_iter().chain(left).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Returns how often sequences or rows are in a step that takes more of them than there are, in words.
pub fn repeated(settings: &Settings, report: &Report) -> Option<String> {
    let times = report.units.div_ceil(report.population.max(1));
    (times > 1).then(|| {
        format!(
            "fewer than the {} of a step, which repeats each up to {}",
            units(settings.unit, report.units),
            plural(times, "time")
        )
    })
}

/// Returns what a scheduler does beside dealing, in a few words: what its factors leave out, or have in them.
pub fn note(row: &LibraryRow) -> String {
    let of = |[sequences, _]: [f64; 2], what: &str| {
        (sequences > 0.0).then(|| format!("{what} {}", percent(sequences)))
    };
    let padding =
        (row.padding > 0.0).then(|| format!("{} padding, in the time", percent(row.padding)));
    let shared = row
        .library
        .shares()
        .then(|| "ranks share sequences".to_owned());
    let all = [
        of(row.untrained.dropped, "drops"),
        of(row.untrained.left, "leaves over"),
        padding,
        shared,
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the name of a unit of a step.
pub fn unit_name(unit: RankUnit) -> &'static str {
    if unit == RankUnit::Rows {
        "packed row"
    } else {
        "sequence"
    }
}

/// Returns units with their number: `32 sequences`, `1 packed row`.
pub fn units(unit: RankUnit, many: u64) -> String {
    plural(many, unit_name(unit))
}

/// Returns a number of micro-batches in words.
pub fn micro_batches(many: u32) -> String {
    batches(u64::from(many)).replace("batch", "micro-batch")
}

/// Returns the steps on which all ways are compared, beside those of the report.
pub fn of_compared(settings: &Settings, table: &BalancingTable) -> String {
    let all = plural(u64::from(settings.steps), "step");
    match table.steps < settings.steps {
        true => format!("the first {} of {all}", count(u64::from(table.steps))),
        false => format!("the same {all}"),
    }
}
