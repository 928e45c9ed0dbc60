//! The texts of the panels of Speed-up, computed from the data, and the format and parser of their numbers.

use super::findings::{model_name, name_of, noun, short_accelerator};
use crate::state::findings::share_in_words;
use crate::state::speedup::{self, SHARDED};
use crate::state::{Action, AppState, View};
use packscope::accepts;
use packscope::api::speedup::Case;
use packscope::cost::{
    Assumptions, Bill, CostField, FieldUnit, Memory, Method, Regime, Regimes, Workload,
    largest_batch,
};
use packscope::error::Error;
use packscope::metrics::Column;
use packscope::metrics::FigureValue::{Real, Whole};
use packscope::words::{
    about, about_percent, capital, count, factor, mean, plural, significant, whole,
};

impl AppState {
    /// Returns the case of the panels: the view's method, or else the first case after that compared with.
    pub fn speedup_case<'a>(&self, cases: &'a [Case]) -> Option<&'a Case> {
        let chosen = self.speedup_chosen();
        let find = |method: Method| cases.iter().find(|case| case.work.method == method);
        find(chosen).or(cases.get(1)).or(cases.first())
    }
}

/// Formats the value of a field for typing: in the unit on screen, without its name.
pub fn typed_value(field: &CostField, value: f64) -> String {
    field.unit.number(value).to_string()
}

/// Formats the value with its unit, for people: `50 %`, `312 TFLOP/s`; `yes` or `no`.
pub fn value_with_unit(field: &CostField, value: f64) -> String {
    let (unit, _) = field.unit.displayed_unit();
    match field.unit {
        FieldUnit::Switch if value == 1.0 => "yes".to_owned(),
        FieldUnit::Switch => "no".to_owned(),
        FieldUnit::Choice(names) => names
            .get(value as usize)
            .copied()
            .unwrap_or_default()
            .to_owned(),
        // The label names the unit.
        FieldUnit::Count(_) => typed_value(field, value),
        _ => format!("{} {unit}", typed_value(field, value))
            .trim_end()
            .to_owned(),
    }
}

/// Parses a value typed in the unit on screen, and returns it in the base unit.
///
/// # Errors
/// The accepted values, in words, if the text is not one of them.
pub fn typed(field: &CostField, text: &str) -> Result<f64, String> {
    // A text that is no number is refused by the field like any other value: with what it accepts.
    let value = accepts::number(text.trim()).map_or(f64::NAN, |number| field.unit.plain(number));
    // A field accepts a value independently of the others.
    match field.with(&Assumptions::default(), value) {
        Ok(_) => Ok(value),
        Err(Error::Assumption { expected, .. }) => Err(format!("Expected: {expected}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Names of a view's items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Items {
    /// A sequence, or a graph.
    pub item: &'static str,
    /// Tokens, or nodes.
    pub tokens: String,
    /// A row, or a pack.
    pub row: &'static str,
}

impl Items {
    pub fn new(state: &AppState) -> Self {
        match state.view {
            View::Graphs => {
                let words = state.graphs.words();
                Self {
                    item: words.item,
                    tokens: words.components[0].clone(),
                    row: "pack",
                }
            }
            _ => Self {
                item: "sequence",
                tokens: "tokens".to_owned(),
                row: "row",
            },
        }
    }
}

/// Returns what the estimates keep, where the judge keeps something else and so has other hours; `None` where both are the
/// same.
pub fn of_step(regimes: &Regimes, items: &Items, rows: u32) -> Option<String> {
    let Items { item, row, .. } = items;
    let [now, then] = [&regimes.same_rows, &regimes.before].map(|r| number(r.sequences));
    (now != then).then(|| {
        format!(
            "Packed batches keep their {} here, and an update sees {now} {item}s instead of {then}; the table above keeps \
             the {then}, in more and smaller batches.",
            plural(u64::from(rows), row)
        )
    })
}

pub fn of_optimiser(regimes: &Regimes, items: &Items) -> String {
    let (before, after) = (&regimes.before, &regimes.same_rows);
    let Items { item, row, .. } = items;
    // At least one update: the number of an epoch without batches is 0.
    let left = after.updates as f64 / before.updates.max(1) as f64;
    let [now, then] = [after, before].map(|r| number(r.sequences));
    // As written: a difference that nobody sees is none.
    if now == then && before.updates == after.updates {
        return format!("A {row} holds one {item}: for the optimiser nothing changes");
    }
    if before.updates == after.updates {
        let updates = plural(before.updates, "update");
        return format!(
            "Packed, an update has room for {now} {item}s instead of {then}; an epoch is {updates} all the same"
        );
    }
    let updates = match share_in_words(left) {
        words if words.ends_with('%') => format!("{words} of the updates"),
        words => format!("{} the updates", words.to_ascii_lowercase()),
    };
    format!("Packed, an update sees {now} {item}s instead of {then}, and an epoch has {updates}")
}

/// Returns the mean number of items in a row: the factor of the changes to updates and epochs.
pub fn packing_factor(regimes: &Regimes) -> f64 {
    regimes.same_rows.sequences / regimes.before.sequences
}

pub fn of_fewer_steps(regimes: &Regimes, items: &Items) -> String {
    let Items { item, row, .. } = items;
    format!(
        "Why fewer steps? A step takes as many {row}s as before, and a {row} holds {} {item}s on average. No {item} is lost: the same epoch comes in fewer, larger updates. Whatever is counted in steps (warm-up, decay, logging, saving, the end of the training) comes later in the data unless it is divided by {} too.",
        mean_of(packing_factor(regimes)),
        mean_of(packing_factor(regimes)),
    )
}

/// Returns the two remedies: the same items in an update, or the same rows.
pub fn of_choices(regimes: &Regimes, items: &Items) -> [String; 2] {
    let Items { item, row, .. } = items;
    let p = mean_of(packing_factor(regimes));
    [
        format!(
            "The same {item}s: divide the batch or the accumulated batches by the packing factor {p}. Updates and all other settings stay, and the training goes as before; smaller batches may use the accelerator less well (Krell et al. 2022, §3.3)."
        ),
        format!(
            "The same {row}s: each β becomes β to the power of {p}, so that the moments forget as much per {item} as before; the learning rate stays. This is a heuristic for the optimiser LAMB, tried with packing factors of about 2: convergence is comparable, not identical. {RATES}"
        ),
    ]
}

/// The findings of two papers about learning rates and larger batches, reconciled.
pub const RATES: &str = "Scaling the learning rate with the batch slowed BERT’s pre-training with LAMB (Krell et al. 2022, §4.2), where every batch had grown alike; scaling it with the square root of each batch helped fine-tuning, where sizes differ from batch to batch (Nagarajan and Raghunathan 2023, §2.2): neither tried the other’s case.";

/// Returns a warning if the packing factor is beyond those for which changed βs were tried.
pub fn of_untried(regimes: &Regimes, items: &Items) -> Option<String> {
    let factor = regimes.untried()?;
    Some(format!(
        "Changed βs were tried with packing factors of about 2, for LAMB; here it is {}, which would make β₁ {}. Keep the same {}s in an update.",
        mean_of(factor),
        decay(regimes.same_rows.beta1),
        items.item
    ))
}

/// Formats with two decimals, without trailing zeros.
fn mean_of(x: f64) -> String {
    significant((x * 100.0).round() / 100.0, 5)
}

/// Formats a number of sequences or rows: with one decimal where it is small.
fn number(x: f64) -> String {
    if x < 10.0 { mean(x) } else { whole(x) }
}

/// Formats a decay: up to four decimals; six near 1.
fn decay(beta: f64) -> String {
    // Near 1 the digits behind the nines are those that differ.
    let digits = if beta > 0.999 { 1e6 } else { 1e4 };
    ((beta * digits).round() / digits).to_string()
}

/// The names of the regimes on the page.
pub const REGIMES: [&str; 3] = ["before", "same-sequences", "same-rows"];

/// Returns the rows of the table of the optimiser, with their names.
pub fn compared(items: &Items) -> [(String, Column<Regime>); 6] {
    // Columns have no heads of their own: their names depend on what the view calls its items.
    let each = "per update";
    [
        (
            format!("{}s {each}", capital(items.row)),
            Column::new("rows_per_update", "", |r| Some(Real(r.rows, number))),
        ),
        (
            format!("{}s {each}", capital(items.item)),
            Column::new("sequences_per_update", "", |r| {
                Some(Real(r.sequences, number))
            }),
        ),
        (
            format!("{} {each}", capital(&items.tokens)),
            Column::new("tokens_per_update", "", |r| Some(Real(r.tokens, mean))),
        ),
        (
            "Updates per epoch".to_owned(),
            Column::new("updates", "", |r| Some(Whole(r.updates))),
        ),
        (
            "β₁".to_owned(),
            Column::new("beta1", "", |r| Some(Real(r.beta1, decay))),
        ),
        (
            "β₂".to_owned(),
            Column::new("beta2", "", |r| Some(Real(r.beta2, decay))),
        ),
    ]
}

/// Returns the title of the panel if nothing is packed.
pub fn of_updates(updates: u64, each: f64) -> String {
    format!(
        "An epoch is {} of {} sequences on average",
        plural(updates, "update"),
        number(each)
    )
}

/// Returns the title of the panel in inference.
pub fn of_passes(batches: u64, each: f64) -> String {
    format!(
        "A pass over the data is {} of {} sequences on average",
        packscope::words::batches(batches),
        number(each)
    )
}

/// Returns a paragraph about the batches of inference.
pub fn of_asked_batches(chosen: Method, view: View, batches: u64, accelerators: u32) -> String {
    let at_once = at_once(accelerators);
    format!(
        "{}: {}, {at_once}. A sampler decides which sequences meet in a batch and, where batches differ in size, how many. \
         Nothing is trained.",
        name_of(chosen, view),
        packscope::words::batches(batches),
    )
}

fn at_once(accelerators: u32) -> String {
    match accelerators {
        1 => "one after another".to_owned(),
        n => format!("{} at a time, one on each accelerator", count(u64::from(n))),
    }
}

pub fn of_batches(chosen: Method, view: View, batches: u64, assumptions: &Assumptions) -> String {
    let at_once = at_once(assumptions.accelerators);
    let update = match assumptions.accumulation {
        1 => "each time the weights are updated".to_owned(),
        n => format!(
            "the weights are updated every {} times",
            count(u64::from(n))
        ),
    };
    format!(
        "{}: {}, {at_once}; {update}. A sampler decides which sequences meet in an update and, where batches differ in size, how many; β₁, β₂ and what is counted in steps stay as long as the number of updates does.",
        name_of(chosen, view),
        packscope::words::batches(batches),
    )
}

/// Returns the unit of times, and how many make an hour: seconds if hours would be small numbers.
fn time_unit(hours: f64) -> (&'static str, f64) {
    if hours < 0.1 {
        ("seconds", 3600.0)
    } else {
        ("hours", 1.0)
    }
}

/// Returns the title of the bill for a run, an epoch or a pass over the data.
pub fn of_bill(chosen: Method, view: View, trains: bool, padded: &Bill, bill: &Bill) -> String {
    let run = if trains {
        "epoch"
    } else {
        "pass over the data"
    };
    let saved = bill.saved_from(padded).accelerator_hours;
    let subject = capital(noun(chosen, view));
    // “Batches save”, but “packing saves”.
    let many = subject.contains("atches") || subject.contains("rows");
    let (unit, scale) = time_unit(padded.accelerator_hours);
    let [all, less] = [padded.accelerator_hours, saved].map(|time| about(time.abs() * scale));
    if saved == 0.0 {
        let verb = if many { "take" } else { "takes" };
        format!("{subject} {verb} an estimated {all} accelerator {unit} in each {run}")
    } else if saved > 0.0 {
        let verb = if many { "save" } else { "saves" };
        format!("{subject} {verb} an estimated {less} of {all} accelerator {unit} in each {run}")
    } else {
        let verb = if many { "cost" } else { "costs" };
        format!("{subject} {verb} an estimated {less} accelerator {unit} more in each {run}")
    }
}

pub struct BillRow {
    /// The quantity, with its unit.
    pub name: String,
    /// The id of the saving's figure on the page.
    pub figure: &'static str,
    /// Exact values, in hours, money and kilowatt-hours: padded, this method, saved.
    pub values: [f64; 3],
    /// The factor from these values to the unit on screen.
    scale: f64,
}

impl BillRow {
    pub fn in_words(&self) -> [String; 3] {
        self.values.map(|value| about(value * self.scale))
    }
}

pub fn due(padded: &Bill, bill: &Bill) -> [BillRow; 4] {
    let saved = bill.saved_from(padded);
    let row = |name: String, figure, get: fn(&Bill) -> f64, scale| {
        let values = [padded, bill, &saved].map(get);
        BillRow {
            name,
            figure,
            values,
            scale,
        }
    };
    let (unit, scale) = time_unit(padded.accelerator_hours);
    let (energy, watts) = if padded.energy < 0.1 {
        ("Watt-hours", 1000.0)
    } else {
        ("Kilowatt-hours", 1.0)
    };
    [
        row(capital(unit), "saved_wall_hours", |b| b.hours, scale),
        row(
            format!("Accelerator {unit}"),
            "saved_hours",
            |b| b.accelerator_hours,
            scale,
        ),
        row("Money".to_owned(), "saved_money", |b| b.money, 1.0),
        row(energy.to_owned(), "saved_energy", |b| b.energy, watts),
    ]
}

/// Returns a published factor in words: one number, a range, or a bound.
pub fn measured([from, to]: [f64; 2]) -> String {
    match (from, to) {
        (from, f64::INFINITY) => format!("over {}", factor(from)),
        (0.0, to) => format!("up to {}", factor(to)),
        (from, to) if from == to => factor(to),
        (from, to) => format!("{from:.2}–{}", factor(to)),
    }
}

impl AppState {
    /// Returns the sentence that a batch is the largest that fits the memory, or does not fit, with the batch to take
    /// instead and what changes it; `None` if more rows fit, or none does.
    pub fn of_fit(&self) -> Option<(String, Vec<Action>)> {
        let (s, a) = (&self.sequences.settings, self.speedup.assumptions());
        let workload = Workload::Transformer(a.transformer);
        // One row more than the present batch tells whether more would fit.
        let batch = largest_batch(&workload, a, s.limit, 1..=s.batch.saturating_add(1))?;
        if self.view == View::Graphs || !batch.shards && batch.rows > s.batch {
            return None;
        }
        if !batch.shards && batch.rows == s.batch {
            let sharded = if a.training.sharded {
                ", with weights shared out (sharded)"
            } else {
                ""
            };
            return Some((
                format!("The largest batch that fits the memory{sharded}."),
                Vec::new(),
            ));
        }
        let most = batch.rows.min(s.batch);
        let slots = f64::from(s.batch) * f64::from(s.limit);
        let share = about_percent(Memory::new(&workload, a, slots).share);
        let with = if batch.shards {
            " with weights shared out"
        } else {
            ""
        };
        let shard = batch
            .shards
            .then_some(Action::SpeedUp(speedup::Action::Set(SHARDED, 1.0)));
        let take = shard
            .into_iter()
            .chain((most < s.batch).then_some(Action::Batch(most)))
            .collect();
        let sentence = format!(
            "{} {} {share} of the memory; {}{with} would fit.",
            plural(u64::from(s.batch), "row"),
            if s.batch == 1 { "needs" } else { "need" },
            plural(u64::from(most), "row")
        );
        Some((sentence, take))
    }

    /// Returns the title of the estimates where not one row fits the memory, so that no time is estimated; `None` where
    /// one does, or nothing is loaded.
    pub fn of_unfit(&self) -> Option<String> {
        let (s, a) = (&self.sequences.settings, self.speedup.assumptions());
        self.sequences
            .data
            .as_ref()
            .filter(|_| matches!(self.view, View::Sequences | View::Batches))?;
        let fits =
            largest_batch(&Workload::Transformer(a.transformer), a, s.limit, 1..=1).is_some();
        (!fits).then(|| {
            capital(&format!(
                "at a limit of {} {}",
                count(u64::from(s.limit)),
                self.of_no_fit(1)
            ))
        })
    }

    /// Returns the clause that fewer rows than these fit the memory.
    pub(in crate::state) fn of_no_fit(&self, least: u32) -> String {
        let (rows, fit) = match least {
            0 | 1 => ("not one row".to_owned(), "fits"),
            n => (format!("fewer than {} rows", count(u64::from(n))), "fit"),
        };
        let accelerator = short_accelerator(self.speedup.accelerator.name);
        format!(
            "{rows} of {} {fit} the memory of one {accelerator}",
            model_name(self)
        )
    }
}
