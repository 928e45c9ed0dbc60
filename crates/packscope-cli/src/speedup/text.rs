//! The output of `packscope speedup` as text. Every figure is called an estimate, with its assumptions beside it.

use super::assumed::SpeedupAssumptions;
use super::{DescribedRequest, Report};
use crate::args::TableOutput;
use packscope::cost::accuracy::{banded, of_accuracy, of_dependent, of_throughput, of_unseen};
use packscope::cost::{
    Bill, CostField, Estimate, FieldGroup, Method, Overhead, TimeParts, fields::FIELDS,
};
use packscope::export::Table;
use packscope::words::{about, about_factor, about_percent, count, factor, percent, plural, whole};
use serde_json::Value;

struct Section {
    title: String,
    table: Table,
}

pub fn print(
    format: TableOutput,
    report: &Report,
    asked: &DescribedRequest,
    assumed: &SpeedupAssumptions,
) -> String {
    let methods = detailed_estimates(report);
    // One unit for all rows, by the slowest method.
    let hours = Clock::new(methods.iter().map(|e| e.seconds).fold(0.0, f64::max));
    let packed = methods.iter().any(|e| e.method == Method::Packed);
    let sections = [
        Some(times(report, asked, methods, &hours)),
        Some(parts(asked, methods, &hours)),
        Some(curve(report)),
        packed.then(|| optimiser(report, asked)),
        Some(bills(report, methods)),
    ];
    let section = |s: Section| {
        let table = format.print(&s.table, || Value::Null);
        format!("{}\n\n{table}", s.title)
    };
    let head = head(report, asked, assumed);
    let tables = sections.into_iter().flatten().map(section);
    let all = std::iter::once(head)
        .chain(tables)
        .chain([assumptions(report, asked, assumed)]);
    all.collect::<Vec<_>>().join("\n\n")
}

/// Returns the estimates for the number of accelerators shown in detail.
fn detailed_estimates(report: &Report) -> &[Estimate] {
    // The number set last, see `SpeedupAssumptions::new`: the first of the list.
    let here = report.assumptions.accelerators;
    report
        .estimates
        .iter()
        .find(|priced| priced.accelerators == here)
        .map_or(&[], |priced| &priced.methods)
}

fn head(report: &Report, asked: &DescribedRequest, assumed: &SpeedupAssumptions) -> String {
    let (f, [item, unit]) = (&report.figures, asked.items);
    let total = f.real_tokens.first().copied().unwrap_or(0);
    let lines = [
        format!(
            "data         {} with {}, {}",
            plural(f.items, item),
            plural(total, unit),
            asked.packing
        ),
        format!(
            "packs        {}, packing factor {}",
            count(f.packs),
            factor(f.packing_factor)
        ),
        format!(
            "estimated    one epoch of {} on {} × {}, {} each{}",
            assumed.model_named()[0],
            count(u64::from(report.assumptions.accelerators)),
            assumed.accelerator().name,
            plural(u64::from(asked.batch.0), "row"),
            asked.batch.1,
        ),
    ];
    lines.join("\n")
}

/// Returns a method's name, with a mark if it is impossible.
fn name(e: &Estimate) -> String {
    format!("{}{}", e.method.name(), if e.possible { "" } else { " *" })
}

fn times(
    report: &Report,
    asked: &DescribedRequest,
    methods: &[Estimate],
    hours: &Clock,
) -> Section {
    let [_, unit] = asked.items;
    let rows: Vec<_> = methods.iter().enumerate().collect();
    let table = Table::of("", &rows)
        .words("method", |(_, e)| name(e))
        .words(hours.unit, |(_, e)| hours.words(e.seconds))
        .words("speed-up", |(_, e)| banded(e))
        .words(&format!("{unit}s/s"), |(_, e)| about(e.tokens_per_second))
        .words("steps", |(_, e)| count(e.steps))
        .words("memory", |(i, _)| {
            report
                .memory
                .get(*i)
                .map_or_else(String::new, |m| about_percent(m.share))
        });
    Section {
        title: format!(
            "Estimated time of an epoch, speed-up against padded with its band, {unit}s a second, share of the memory"
        ),
        table: table.table,
    }
}

fn parts(asked: &DescribedRequest, methods: &[Estimate], hours: &Clock) -> Section {
    let [linear, attention] = match asked.items[0] {
        "graph" => ["nodes", "edges"],
        _ => ["linear", "attention"],
    };
    let cell = |seconds: f64, of: f64| match seconds {
        // The method has no such part.
        0.0 => "–".to_owned(),
        _ => format!("{} ({})", hours.words(seconds), about_percent(seconds / of)),
    };
    // The names of the parts are those of any method.
    let table = (0..TimeParts::default().named().len()).fold(
        Table::of("", methods).words("method", name),
        |table, k| {
            // Graphs have names of their own for what grows with tokens and with pairs.
            let head = match TimeParts::default().named()[k].0 {
                "linear" => linear,
                "attention" => attention,
                other => other,
            };
            table.words(head, |e| cell(e.parts.named()[k].1, e.seconds))
        },
    );
    Section {
        title: format!(
            "What the estimated time is spent on: {} and share of the method's time",
            hours.long
        ),
        table: table.table,
    }
}

fn curve(report: &Report) -> Section {
    let first = report
        .estimates
        .first()
        .map_or(&[][..], |priced| &priced.methods);
    let rows: Vec<_> = first.iter().enumerate().collect();
    let table = report.estimates.iter().fold(
        Table::of("", &rows).words("accelerators", |(_, e)| name(e)),
        |table, priced| {
            let at = |i: usize| {
                priced
                    .methods
                    .get(i)
                    .map_or_else(String::new, |e| about_factor(e.speedup))
            };
            table.words(&count(u64::from(priced.accelerators)), |(i, _)| at(*i))
        },
    );
    Section {
        title: "Estimated speed-up by the number of accelerators".to_owned(),
        table: table.table,
    }
}

fn optimiser(report: &Report, asked: &DescribedRequest) -> Section {
    let [item, unit] = asked.items;
    // Before packing these are whole numbers; packed, they are means.
    let mean = |x: f64| {
        if x.fract() == 0.0 {
            count(x as u64)
        } else {
            figure(x)
        }
    };
    let regimes = &report.optimiser;
    let untried = regimes.untried().map_or_else(String::new, |factor| {
        format!(
            " (changed βs were tried with factors of about 2, here it is {}: keep the same {item}s in an update)",
            figure(factor)
        )
    });
    let same_items = format!("packed, same {item}s");
    let rows = [
        ("before packing", &regimes.before),
        (same_items.as_str(), &regimes.same_sequences),
        ("packed, same rows", &regimes.same_rows),
    ];
    let table = Table::of("", &rows)
        .words("batch", |(name, _)| (*name).to_owned())
        .words("rows", |(_, r)| mean(r.rows))
        .words(&format!("{item}s"), |(_, r)| mean(r.sequences))
        .words(&format!("{unit}s"), |(_, r)| mean(r.tokens))
        .words("updates an epoch", |(_, r)| count(r.updates))
        .words("β₁", |(_, r)| r.beta1.to_string())
        .words("β₂", |(_, r)| r.beta2.to_string());
    Section {
        title: format!(
            "Optimiser: packed rows hold more {item}s, so an epoch has fewer updates, unless the batch or the \
             accumulation is divided; with the same rows β becomes β^p, a heuristic for LAMB{untried}; each update has"
        ),
        table: table.table,
    }
}

fn bills(report: &Report, methods: &[Estimate]) -> Section {
    // The first method is padded, against which all others are compared.
    let padded = report.bills.first();
    let saved = |bill: &Bill| padded.map_or(*bill, |padded| bill.saved_from(padded));
    let rows: Vec<_> = methods.iter().zip(&report.bills).collect();
    let table = Table::of("", &rows)
        .words("method", |(e, _)| name(e))
        .words("accelerator-hours", |(_, bill)| due(bill.accelerator_hours))
        .words("price", |(_, bill)| due(bill.money))
        .words("kWh", |(_, bill)| due(bill.energy))
        .words("price saved", |(_, bill)| due(saved(bill).money))
        .words("kWh saved", |(_, bill)| due(saved(bill).energy));
    let title = "Estimated bill of an epoch, and what is saved against padded".to_owned();
    Section {
        title,
        table: table.table,
    }
}

/// Lists the assumptions, with sources.
fn assumptions(report: &Report, asked: &DescribedRequest, assumed: &SpeedupAssumptions) -> String {
    let (accelerator, [model, source]) = (assumed.accelerator(), assumed.model_named());
    let group = |group| fields(assumed, group);
    let lines = [
        accuracy(),
        format!(
            "model        {model} ({source}): {}",
            group(assumed.model_group())
        ),
        format!(
            "accelerator  {} ({}): {}",
            accelerator.name,
            accelerator.source(),
            group(FieldGroup::Accelerator)
        ),
        format!("training     {}", group(FieldGroup::Training)),
        format!("bill         {}", group(FieldGroup::Bill)),
        format!("masking      {}", masking(report, asked)),
        format!("waiting      {}", waiting(report)),
    ];
    let notes = [lacking(report, assumed), idle(report), too_large(report)];
    let last = "--list shows every assumption with its unit and range, --set ID=VALUE changes it."
        .to_owned();
    lines
        .into_iter()
        .chain(notes.into_iter().flatten())
        .chain([last])
        .collect::<Vec<_>>()
        .join("\n")
}

fn accuracy() -> String {
    format!(
        "All figures are estimates, none is measured. Judged by speed-ups that others measured on GPUs, each source by \
         constants that were fitted without it: {}. {} In brackets is the band. {} Of the times: {}. They rest on these \
         assumptions:",
        of_accuracy(),
        of_dependent(),
        of_unseen(),
        of_throughput()
    )
}

fn fields(assumed: &SpeedupAssumptions, group: FieldGroup) -> String {
    let of = |field: &&CostField| field.group == group;
    let one = |field: &CostField| {
        let changed = if assumed.is_changed(field) {
            " (changed)"
        } else {
            ""
        };
        // The label of a count already names its unit.
        let unit = match field.unit.displayed_unit().0 {
            unit if field.label.contains(unit) => String::new(),
            unit => format!(" {unit}"),
        };
        format!("{} {}{unit}{changed}", field.label, assumed.value(field))
    };
    FIELDS
        .iter()
        .filter(of)
        .map(one)
        .collect::<Vec<_>>()
        .join(", ")
}

fn masking(report: &Report, asked: &DescribedRequest) -> String {
    let share = percent(asked.overhead.at_depth(report.figures.max_depth));
    let source = match asked.overhead {
        Overhead::Ipu => "measured on IPU (Krell et al. 2022, Efficient Sequence Packing, Table 1)",
        Overhead::Free => "none was asked for, and the mask's slower kernel counts",
        Overhead::Own(_) => "as given",
    };
    format!("keeping what shares a masked pack apart takes {share} besides: {source}")
}

fn waiting(report: &Report) -> String {
    let methods = report.estimates.iter().flat_map(|priced| &priced.methods);
    // Where nothing was simulated the error is exactly 0.
    let error = methods.map(|e| e.error / e.seconds).fold(0.0, f64::max);
    let simulated = match error {
        0.0 => "exact".to_owned(),
        error => format!(
            "exact where an accelerator draws once, else simulated, standard error {} at most",
            percent(error)
        ),
    };
    format!("a step takes as long as its slowest accelerator; {simulated}")
}

fn lacking(report: &Report, assumed: &SpeedupAssumptions) -> Option<String> {
    let lacks = detailed_estimates(report).iter().any(|e| !e.possible);
    lacks.then(|| {
        format!(
            "* not possible where shapes are fixed, as on {}: this is what it would give.",
            assumed.accelerator().name
        )
    })
}

fn idle(report: &Report) -> Option<String> {
    let all = report
        .estimates
        .iter()
        .filter(|priced| priced.accelerators > 1);
    let idle = all.flat_map(|priced| &priced.methods).any(|e| e.steps == 1);
    idle.then(|| {
        "Where a method has fewer batches than accelerators, some of these have nothing to do."
            .to_owned()
    })
}

fn too_large(report: &Report) -> Option<String> {
    let large = report.memory.iter().any(|memory| memory.share > 1.0);
    large.then(|| {
        "What takes more than 100 % of the memory does not fit: fewer rows, more accelerators."
            .to_owned()
    })
}

/// Formats money and energy; the rounding error of a difference of equals counts as zero.
fn due(x: f64) -> String {
    // Below any bill: differences of equals in floats.
    about(if x.abs() < 1e-9 { 0.0 } else { x })
}

/// One unit of time for all rows of a table.
struct Clock {
    unit: &'static str,
    long: &'static str,
    seconds: f64,
}

impl Clock {
    fn new(longest: f64) -> Self {
        let (unit, long, seconds) = match longest {
            s if s >= 3600.0 => ("hours", "hours", 3600.0),
            s if s >= 60.0 => ("minutes", "minutes", 60.0),
            s if s >= 1.0 => ("seconds", "seconds", 1.0),
            _ => ("ms", "milliseconds", 1e-3),
        };
        Self {
            unit,
            long,
            seconds,
        }
    }

    fn words(&self, seconds: f64) -> String {
        match seconds / self.seconds {
            small if small > 0.0 && small < 0.005 => "< 0.01".to_owned(),
            time => about(time),
        }
    }
}

/// Formats a number with about three digits.
fn figure(x: f64) -> String {
    match x {
        x if !x.is_finite() => "–".to_owned(),
        x if x < 0.0 && x > -0.005 => "> −0.01".to_owned(),
        x if x < 0.0 => format!("−{}", figure(-x)),
        x if x >= 1000.0 => whole(x),
        x if x >= 100.0 => format!("{x:.0}"),
        x if x >= 10.0 => format!("{x:.1}"),
        x if x > 0.0 && x < 0.005 => "< 0.01".to_owned(),
        x => format!("{x:.2}"),
    }
}
