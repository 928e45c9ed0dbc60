//! The tables of the views: columns have the names of the report's fields.

use super::table::{Cell, Table};
use crate::api::ranks;
use crate::cost::Estimate;
use crate::histogram::Attention;
use crate::metrics::FigureValue::{Real, Whole};
use crate::metrics::{Column, EpochFigures, Figures, PaddedBaseline, SECONDS};
use crate::packing::Depth;
use crate::words::{about_factor, duration, efficiency, factor, mean, percent, plural};

/// Tabulates the headline figures, one a row; `names` are the names of the components.
pub fn figures(f: &Figures, names: &[String], data: &str) -> Table {
    let mut rows = Vec::new();
    let mut add = |columns: &'static [Column<Figures>], f: &Figures, end: &str, of: &str| {
        let row = |c: &Column<Figures>| {
            (
                format!("{}{end}", c.id),
                (c.get)(f),
                c.why.replace("{}", of),
            )
        };
        rows.extend(columns.iter().map(row));
    };
    let [packs, each, others] = Figures::HEADLINE;
    add(packs, f, "", "");
    for k in 0..f.real_tokens.len() {
        let of = component(names, k);
        let end = if f.real_tokens.len() == 1 {
            String::new()
        } else {
            format!("_{of}")
        };
        let each = if Attention::named(&of).is_some() {
            // Attention has no slots that could be empty: its limit caps the work of a pack.
            &SLOTLESS[..]
        } else {
            each
        };
        add(each, &f.of(k), &end, &of);
    }
    add(others, f, "", "");
    let table = Table::of(format!("Figures of {data}"), &rows).words("figure", |row| row.0.clone());
    table
        .column(("value", "value"), |row| row.1.into())
        .words("is", |row| row.2.clone())
        .table
}

/// Adds to a table of [`figures`] the same sequences in random batches, each padded to its longest.
pub fn add_batches(table: &mut Table, f: &Figures, padded: &PaddedBaseline, batch: u32) {
    let share = Some(Real(padded.padding_share, percent));
    let why = format!("the same in random batches of {batch}, padded to their longest");
    let speedup = padded.realised_speedup(f).map(|s| Real(s, factor));
    let over = "slots of those batches / slots / (1 + overhead)".to_owned();
    let rows = [
        ("batched_padding_share", share, why),
        ("speedup_over_batches", speedup, over),
    ];
    table.rows.extend(
        rows.map(|(name, value, is)| vec![Cell::words(name), value.into(), Cell::words(is)]),
    );
}

/// The figures of a component without slots.
const SLOTLESS: [Column<Figures>; 3] = [
    Figures::REAL,
    Column {
        why: "mean of packs / limit",
        ..Figures::EFFICIENCY
    },
    Figures::WASTE,
];

fn component(names: &[String], k: usize) -> String {
    match names.get(k) {
        None => format!("component {}", k + 1),
        Some(_) if names.len() == 1 => "tokens".to_owned(),
        Some(name) => name.clone(),
    }
}

/// Tabulates algorithms at depths, in the given order: name, depth, figures, the speed-up over batches where they are
/// known, seconds.
pub fn algorithms<'a>(
    rows: impl IntoIterator<Item = (&'a str, Depth, &'a Figures, f64)>,
    batches: Option<&PaddedBaseline>,
    data: &str,
) -> Table {
    let rows: Vec<_> = rows.into_iter().collect();
    let table = Table::of(format!("Algorithms on {data}"), &rows)
        .words("algorithm", |row| row.0.to_owned());
    let table = table
        .words("depth", |row| row.1.to_string())
        .figures(Figures::SAVED, |row| row.2);
    let over = |row: &(&str, Depth, &Figures, f64)| batches?.realised_speedup(row.2);
    let table = match batches {
        Some(_) => table.column(("speedup_over_batches", "over batches"), |row| {
            over(row).map(|s| Real(s, factor)).into()
        }),
        None => table,
    };
    table.figures(&[SECONDS], |row| &row.3).table
}

/// Tabulates the same for sizes of several components: name with heuristic, figures, seconds. Padding is that of the
/// first component; each component has a column for its efficiency.
pub fn graph_algorithms<'a>(
    rows: impl IntoIterator<Item = (String, &'a Figures, f64)>,
    names: &[String],
    data: &str,
) -> Table {
    let rows: Vec<_> = rows.into_iter().collect();
    let table =
        Table::of(format!("Algorithms on {data}"), &rows).words("algorithm", |row| row.0.clone());
    let table = table
        .figures(Figures::SAVED, |row| row.1)
        .figures(&[SECONDS], |row| &row.2);
    let table = table.each("efficiency", names, |row, k| {
        (Figures::EFFICIENCY.get)(&row.1.of(k))
    });
    table.figures(&[Figures::HARMONIC], |row| row.1).table
}

/// Tabulates samplers epoch by epoch: name, figures.
pub fn samplers<'a>(
    rows: impl IntoIterator<Item = (&'a str, &'a EpochFigures)>,
    data: &str,
) -> Table {
    let rows: Vec<_> = rows.into_iter().collect();
    let table =
        Table::of(format!("Samplers on {data}"), &rows).words("sampler", |row| row.0.to_owned());
    let epoch = |row: &(&str, &EpochFigures)| Cell::new(row.1.epoch, (row.1.epoch + 1).to_string());
    table
        .column(("epoch", "epoch"), epoch)
        .figures(EpochFigures::COLUMNS, |row| row.1)
        .table
}

/// A point of a sweep: limits, packs, efficiencies and their harmonic mean.
type SweepRow = ([u32; 2], u64, [f64; 2], f64);

/// Points of a sweep: limits, packs, efficiencies and their harmonic mean.
pub fn sweep(rows: impl IntoIterator<Item = SweepRow>, names: &[String], data: &str) -> Table {
    const POINT: [Column<SweepRow>; 2] = [
        Column::new("packs", "packs", |row| Some(Whole(row.1))),
        Column::new("efficiency_harmonic", "harmonic mean", |row| {
            Some(Real(row.3, efficiency))
        }),
    ];
    let [packs, harmonic] = POINT.map(|column| [column]);
    let rows: Vec<_> = rows.into_iter().collect();
    let table = Table::of(format!("Limits tried on {data}"), &rows);
    let table = table.each("limit", names, |row, k| {
        row.0.get(k).map(|limit| Whole(u64::from(*limit)))
    });
    let table = table.figures(&packs, |row| row);
    let table = table.each("efficiency", names, |row, k| {
        row.2.get(k).map(|share| Real(*share, efficiency))
    });
    table.figures(&harmonic, |row| row).table
}

/// Tabulates the estimated speed-up of methods on this many accelerators.
pub fn methods(estimates: &[Estimate], accelerators: u32, data: &str) -> Table {
    const ESTIMATES: [Column<Estimate>; 5] = [
        Column::new("seconds", "an epoch takes", |e| {
            Some(Real(e.seconds, duration))
        }),
        Column::new("speedup", "speed-up", |e| {
            Some(Real(e.speedup, about_factor))
        }),
        Column::new("tokens_per_second", "tokens a second", |e| {
            Some(Real(e.tokens_per_second, mean))
        }),
        Column::new("steps", "steps", |e| Some(Whole(e.steps))),
        Column::new("updates", "updates", |e| Some(Whole(e.updates))),
    ];
    let title = format!(
        "Estimates for {} on {data}",
        plural(u64::from(accelerators), "accelerator")
    );
    let table = Table::of(title, estimates).words("method", |e| e.method.name().to_owned());
    let words = |possible| {
        if possible {
            "yes"
        } else {
            "not on this accelerator"
        }
    };
    let possible = |e: &Estimate| Cell::new(e.possible, words(e.possible));
    table
        .figures(&ESTIMATES, |e| e)
        .column(("possible", "possible"), possible)
        .table
}

/// Tabulates every way to deal to ranks: dealing, weight, and the time of a step ÷ the mean work of a rank in it, with
/// either waiting.
pub fn dealings(rows: &[ranks::DealingRow], data: &str) -> Table {
    const FACTORS: [Column<ranks::DealingRow>; 2] = [
        Column::new(
            "micro_batch",
            "idle, synchronised after every micro-batch",
            |row| Some(Real(row.micro_batch, factor)),
        ),
        Column::new("step", "idle, synchronised once a step", |row| {
            Some(Real(row.step, factor))
        }),
    ];
    let table = Table::of(format!("Ways to assign {data} to ranks"), rows);
    let table = table.words("dealing", |row| row.dealing.name().to_owned());
    table
        .words("weight", |row| row.weight.name().to_owned())
        .figures(&FACTORS, |row| row)
        .table
}

/// Tabulates one step by rank: the work ÷ that of the mean rank, and the tokens.
pub fn ranks(report: &ranks::Report, data: &str) -> Table {
    const RANK: [Column<(f64, u64)>; 2] = [
        Column::new("work", "work ÷ mean", |row| Some(Real(row.0, factor))),
        Column::new("tokens", "tokens", |row| Some(Whole(row.1))),
    ];
    let works = report.rank_bars.iter().map(|works| works.iter().sum());
    let rows: Vec<(u64, (f64, u64))> = (1..)
        .zip(works.zip(report.rank_tokens.iter().copied()))
        .collect();
    let table = Table::of(format!("One step of {data} by rank"), &rows);
    table
        .column(("rank", "rank"), |row| Cell::new(row.0, row.0.to_string()))
        .figures(&RANK, |row| &row.1)
        .table
}
