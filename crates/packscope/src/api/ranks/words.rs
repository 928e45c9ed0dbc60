//! Sentences about ranks that the page and the command line share.

use super::{Dealing, DealingTable, LibraryRow, RankUnit, Report, Settings, Untrained, Weight};
use crate::words::{batches, count, percent, plural};

/// Returns the word for the time of ranks above their mean work: idle, or padding too if there is
/// any.
pub fn idly(padding: f64) -> &'static str {
    if padding > 0.0 {
        "idle or padding"
    } else {
        "idle"
    }
}

/// Returns a weight as the object of "by"; `model` is the name of the model.
pub fn weight(weight: Weight, model: &str) -> String {
    match weight {
        Weight::Tokens => "tokens".to_owned(),
        Weight::Squared => "squared lengths".to_owned(),
        Weight::Verl => "verl’s weight".to_owned(),
        Weight::Slime => "slime’s weight".to_owned(),
        Weight::Model => format!("the work of {model}"),
    }
}

/// Returns a way to assign with the weight that it balances, as a noun: "heaviest-first assignment by tokens".
pub fn assignment(dealing: Dealing, by: Weight, model: &str) -> String {
    let way = match dealing {
        Dealing::AsDrawn => return "assignment in arrival order".to_owned(),
        Dealing::Snake => "zigzag assignment",
        Dealing::Greedy => "heaviest-first assignment",
        Dealing::KarmarkarKarp => "Karmarkar–Karp assignment",
        Dealing::EqualSize => "Karmarkar–Karp assignment of equal numbers",
        Dealing::Groups => "groups of like weight",
    };
    format!("{way} by {}", weight(by, model))
}

/// Returns in words which sequences a scheduler does not train; `None` where it trains all.
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
    // The simulation draws from so many copies of all.
    let times = report.units.div_ceil(report.population.max(1));
    (times > 1).then(|| {
        format!(
            "fewer than the {} of a step, which repeats each up to {}",
            units(settings.unit, report.units),
            plural(times, "time")
        )
    })
}

/// Returns in a few words the effects of a scheduler beside dealing: sequences that its factors
/// leave out, padding and sharing that they include.
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
    // `batches` knows the plural.
    batches(u64::from(many)).replace("batch", "micro-batch")
}

/// Returns in words the steps on which all ways are compared: as many as the report has, or the
/// first of them.
pub fn of_compared(settings: &Settings, table: &DealingTable) -> String {
    let all = plural(u64::from(settings.steps), "step");
    match table.steps < settings.steps {
        true => format!("the first {} of {all}", count(u64::from(table.steps))),
        false => format!("the same {all}"),
    }
}
