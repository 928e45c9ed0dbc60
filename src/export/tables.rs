//! The tables of the views: columns have the names of the report's fields.

use super::table::{Cell, Table};
use crate::cost::Estimate;
use crate::metrics::{EpochFigures, Figures};
use crate::packing::Depth;
use crate::words::{
    about_factor, count, duration, efficiency, factor, gap, percent, plural, seconds, singular,
};

/// Tabulates the headline figures, one a row; `names` are the names of the components.
pub fn figures(f: &Figures, names: &[String], data: &str) -> Table {
    let mut table =
        Table::new(format!("Figures of {data}"), [("figure", "figure"), ("value", "value"), ("is", "is")]);
    let mut row = |name: &str, cell: Cell, words: &str| {
        table.rows.push(vec![Cell::words(name), cell, Cell::words(words)]);
    };
    let whole = |n: u64| Cell::new(n, count(n));
    row("items", whole(f.items), "items placed");
    row("packs", whole(f.packs), "packs they are placed in");
    row("packing_factor", Cell::new(f.packing_factor, factor(f.packing_factor)), "items / packs");
    for (k, real) in f.real_tokens.iter().enumerate() {
        let what = component(names, k);
        let of =
            |name: &str| if f.real_tokens.len() == 1 { name.to_owned() } else { format!("{name}_{what}") };
        let at = |list: &[u64]| list.get(k).copied().unwrap_or_default();
        let share = |list: &[f64]| list.get(k).copied().unwrap_or(1.0);
        let slots = at(&f.slots).max(1);
        let padding = at(&f.padding_tokens) as f64 / slots as f64;
        let before = 1.0 - share(&f.baseline_efficiency);
        let now = share(&f.efficiency);
        row(&of("real_tokens"), whole(*real), &format!("{what} trained on"));
        row(&of("slots"), whole(at(&f.slots)), "slots of all packs");
        row(&of("padding_tokens"), whole(at(&f.padding_tokens)), "slots that carry nothing");
        row(&of("padding_share"), Cell::new(padding, percent(padding)), "padding / slots");
        row(
            &of("baseline_padding_share"),
            Cell::new(before, percent(before)),
            "the same with one item a pack",
        );
        row(&of("efficiency"), Cell::new(now, efficiency(now)), "real / slots");
        row(&of("waste_tokens"), whole(at(&f.waste_tokens)), "thrown away, never part of padding");
    }
    row("lower_bound", Cell::maybe(f.lower_bound, count), "packs that no plan can go below");
    row("gap", Cell::maybe(f.gap, gap), "(packs − bound) / bound");
    row("strategies", Cell::maybe(f.strategies, count), "shapes of packs");
    row("max_depth", whole(f.max_depth), "items in the deepest pack");
    row("overhead", Cell::maybe(f.overhead, percent), "what keeping items apart costs");
    row("realised_speedup", Cell::maybe(f.realised_speedup, factor), "packing factor / (1 + overhead)");
    table
}

fn component(names: &[String], k: usize) -> String {
    match names.get(k) {
        None => format!("component {}", k + 1),
        Some(_) if names.len() == 1 => "tokens".to_owned(),
        Some(name) => name.clone(),
    }
}

const COMPARED: [(&str, &str); 7] = [
    ("packs", "packs"),
    ("padding_share", "padding"),
    ("efficiency", "efficiency"),
    ("packing_factor", "packing factor"),
    ("realised_speedup", "speed-up"),
    ("gap", "gap to bound"),
    ("seconds", "time"),
];

fn compared(f: &Figures, taken: f64) -> Vec<Cell> {
    let now = f.efficiency.first().copied().unwrap_or(1.0);
    vec![
        Cell::new(f.packs, count(f.packs)),
        Cell::new(f.padding_share(), percent(f.padding_share())),
        Cell::new(now, efficiency(now)),
        Cell::new(f.packing_factor, factor(f.packing_factor)),
        Cell::maybe(f.realised_speedup, factor),
        Cell::maybe(f.gap, gap),
        Cell::new(taken, seconds(taken)),
    ]
}

/// Tabulates algorithms at depths, in the given order: name, depth, figures, seconds.
pub fn algorithms<'a>(
    rows: impl IntoIterator<Item = (&'a str, Depth, &'a Figures, f64)>,
    data: &str,
) -> Table {
    let columns = [("algorithm", "algorithm"), ("depth", "depth")].into_iter().chain(COMPARED);
    let mut table = Table::new(format!("Algorithms on {data}"), columns);
    for (name, depth, figures, taken) in rows {
        let first = [Cell::words(name), Cell::words(depth.to_string())];
        table.rows.push(first.into_iter().chain(compared(figures, taken)).collect());
    }
    table
}

/// Tabulates the same for sizes of several components: name with heuristic, figures, seconds. Padding is that of the
/// first component; each component has a column for its efficiency.
pub fn graph_algorithms<'a>(
    rows: impl IntoIterator<Item = (String, &'a Figures, f64)>,
    names: &[String],
    data: &str,
) -> Table {
    let columns = std::iter::once(("algorithm", "algorithm")).chain(COMPARED);
    let mut table = Table::new(format!("Algorithms on {data}"), columns);
    for name in names {
        let one = singular(name);
        table.columns.push((format!("efficiency_{name}"), format!("{one} efficiency")));
    }
    table.columns.push(("efficiency_harmonic".to_owned(), "harmonic mean".to_owned()));
    for (name, figures, taken) in rows {
        let mut row = vec![Cell::words(name)];
        row.extend(compared(figures, taken));
        row.extend(names.iter().zip(&figures.efficiency).map(|(_, e)| Cell::new(e, efficiency(*e))));
        row.push(Cell::new(figures.efficiency_harmonic, efficiency(figures.efficiency_harmonic)));
        table.rows.push(row);
    }
    table
}

/// Tabulates samplers epoch by epoch: name, figures.
pub fn samplers<'a>(rows: impl IntoIterator<Item = (&'a str, &'a EpochFigures)>, data: &str) -> Table {
    let columns = [
        ("sampler", "sampler"),
        ("epoch", "epoch"),
        ("padding_share", "padding"),
        ("batches", "batches"),
        ("sequences_per_step", "sequences a step"),
        ("tokens_per_step", "tokens a step"),
        ("largest_slots", "slots of the largest batch"),
        ("dropped_tokens", "dropped tokens"),
        ("estimated_speedup", "estimated speed-up"),
        ("random_speedup", "of random batches as large"),
        ("sorted_speedup", "of sorted batches as large"),
    ];
    let mut table = Table::new(format!("Samplers on {data}"), columns);
    for (sampler, e) in rows {
        table.rows.push(vec![
            Cell::words(sampler),
            Cell::new(e.epoch, (e.epoch + 1).to_string()),
            Cell::new(e.padding_share, percent(e.padding_share)),
            Cell::new(e.batches, count(e.batches)),
            Cell::new(e.sequences_per_step, crate::words::mean(e.sequences_per_step)),
            Cell::new(e.tokens_per_step, crate::words::mean(e.tokens_per_step)),
            Cell::new(e.largest_slots, count(e.largest_slots)),
            Cell::new(e.dropped_tokens, count(e.dropped_tokens)),
            Cell::new(e.estimated_speedup, about_factor(e.estimated_speedup)),
            Cell::maybe(e.same_size.map(|same| same.random_speedup), about_factor),
            Cell::maybe(e.same_size.map(|same| same.sorted_speedup), about_factor),
        ]);
    }
    table
}

/// Tabulates the points of a sweep: limits, packs, efficiencies and their harmonic mean.
pub fn sweep(
    rows: impl IntoIterator<Item = ([u32; 2], u64, [f64; 2], f64)>,
    names: &[String],
    data: &str,
) -> Table {
    let mut table = Table::new(format!("Limits tried on {data}"), []);
    let mut column = |name: String, words: String| table.columns.push((name, words));
    for name in names {
        column(format!("limit_{name}"), format!("{} limit", singular(name)));
    }
    column("packs".to_owned(), "packs".to_owned());
    for name in names {
        column(format!("efficiency_{name}"), format!("{} efficiency", singular(name)));
    }
    column("efficiency_harmonic".to_owned(), "harmonic mean".to_owned());
    for (limits, packs, each, harmonic) in rows {
        let mut row: Vec<Cell> = limits.iter().map(|l| Cell::new(l, count(u64::from(*l)))).collect();
        row.push(Cell::new(packs, count(packs)));
        row.extend(each.iter().map(|e| Cell::new(e, efficiency(*e))));
        row.push(Cell::new(harmonic, efficiency(harmonic)));
        table.rows.push(row);
    }
    table
}

/// Tabulates the estimated speed-up of methods on this many accelerators.
pub fn methods(estimates: &[Estimate], accelerators: u32, data: &str) -> Table {
    let columns = [
        ("method", "method"),
        ("seconds", "an epoch takes"),
        ("speedup", "speed-up"),
        ("tokens_per_second", "tokens a second"),
        ("steps", "steps"),
        ("updates", "updates"),
        ("possible", "possible"),
    ];
    let title = format!("Estimates for {} on {data}", plural(u64::from(accelerators), "accelerator"));
    let mut table = Table::new(title, columns);
    for e in estimates {
        table.rows.push(vec![
            Cell::words(e.method.name()),
            Cell::new(e.seconds, duration(e.seconds)),
            Cell::new(e.speedup, about_factor(e.speedup)),
            Cell::new(e.tokens_per_second, crate::words::mean(e.tokens_per_second)),
            Cell::new(e.steps, count(e.steps)),
            Cell::new(e.updates, count(e.updates)),
            Cell::new(e.possible, if e.possible { "yes" } else { "not on this accelerator" }),
        ]);
    }
    table
}
