//! `packscope pack`: the figures of one packing, and the proof of its bound.

use crate::args::{FigureFormat, Rows};
use crate::input::Input;
use crate::options;
use crate::output;
use crate::packing::{Choice, ComparisonLine, FittedData, PrintableProblem, by_limits};
use crate::shell::pretty;
use clap::Args;
use packscope::api::fields::{graphs, sequences};
use packscope::api::{Bands, OF_PACKS, OF_SEQUENCES, RoundingCost};
use packscope::bounds::BoundKind;
use packscope::error::{Error, Result};
use packscope::export::Table;
use packscope::histogram::{Attention, Band};
use packscope::metrics::Figures;
use packscope::words::{band, count, efficiency, factor, gap, percent, plural, seconds};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Pack {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    rows: Rows,
    #[arg(long, help = options::describe_both(&sequences::ALGORITHM, &graphs::ALGORITHM), long_help = options::algorithms())]
    algorithm: Option<String>,
    #[arg(long, help = options::help(&sequences::SEED), default_value_t = 0, conflicts_with = "limits")]
    seed: u64,
    #[arg(long, help = options::help(&sequences::BATCH), default_value_t = 64, conflicts_with = "limits")]
    batch: u32,
    #[arg(long, default_value = "text")]
    format: FigureFormat,
    /// The cost of rounding each sequence or each row up to a multiple, for kernels that want one, with the settings of
    /// libraries that do.
    #[arg(long, conflicts_with = "limits")]
    rounding: bool,
    /// Write the proof of a bound by the linear relaxation (of `optimal`) to this file:
    /// {"limit":n,"depth":"3","worths":[[length,worth],…],"most":n,"packs":n}; with --limits "limits":[…], and sizes
    /// are lists. No pack is worth more than `most`.
    #[arg(long)]
    certificate: Option<PathBuf>,
}

/// The most strategies that are counted: item-by-item algorithms make millions.
const LISTED: u32 = 65_536;

pub fn run(command: &Pack) -> Result<String> {
    by_limits!(command.rows, pack(command))
}

fn pack<P: PrintableProblem>(command: &Pack) -> Result<String> {
    let (seed, batch) = (command.seed, command.batch);
    let choice = Choice {
        rows: &command.rows,
        algorithm: command.algorithm.as_deref(),
        seed,
        batch,
    };
    let settings = P::settings(&choice)?;
    let data = P::read(&command.input, &settings)?;
    let (packed, taken) = command
        .rows
        .timed(|steps, ask| data.prepared.pack(&settings, LISTED, steps, ask))?;
    if let Some(file) = &command.certificate {
        write_certificate(P::proof(&settings, &packed), file)?;
    }
    let figures = data.prepared.figures(&settings, &packed);
    let balance = balance(command, &data, &packed)?;
    let rounded = command
        .rounding
        .then(|| P::rounding(&settings, &figures, &packed))
        .transpose()?;
    let row = (settings, figures, taken);
    Ok(match command.format {
        FigureFormat::Json => {
            let mut all = to_json(&data, &row);
            balance
                .iter()
                .for_each(|balance| all["attention"] = json!(balance));
            rounded
                .iter()
                .for_each(|rounded| all["rounding"] = json!(rounded));
            pretty(&all)
        }
        FigureFormat::Text => {
            let line = balance.map_or_else(String::new, |balance| format!("\n{}", balance.line()));
            let table = rounded.map_or_else(String::new, |rows| format!("\n\n{}", rounding(&rows)));
            to_text(&data, &row) + &line + &table
        }
    })
}

/// How equal packs are in attention, beside packs of the same items under the limit of tokens alone.
#[derive(Serialize)]
struct Balance {
    packs: u64,
    /// The largest attention of a pack, divided by the mean.
    largest_to_mean: f64,
    packs_by_tokens: u64,
    largest_to_mean_by_tokens: f64,
}

impl Balance {
    fn line(&self) -> String {
        format!(
            "attention    the largest of {} has {} the mean; by tokens alone {} of {}",
            plural(self.packs, "pack"),
            factor(self.largest_to_mean),
            factor(self.largest_to_mean_by_tokens),
            count(self.packs_by_tokens)
        )
    }
}

/// Compares packs of computed components with those of tokens alone.
fn balance<P: PrintableProblem>(
    command: &Pack,
    data: &FittedData<P>,
    packed: &P::Packed,
) -> Result<Option<Balance>> {
    // Only computed components have packs by tokens alone to be compared with.
    let Some((alone, settings)) = &data.alone else {
        return Ok(None);
    };
    // Each of the two packings has the whole time budget.
    let (by_tokens, _) = command
        .rows
        .timed(|steps, ask| alone.pack(settings, LISTED, steps, ask))?;
    let of = |packed| Some((P::packs_and_bound(packed).0, P::unevenness(packed)?));
    Ok(of(packed)
        .zip(of(&by_tokens))
        .map(|((packs, largest_to_mean), by_tokens)| Balance {
            packs,
            largest_to_mean,
            packs_by_tokens: by_tokens.0,
            largest_to_mean_by_tokens: by_tokens.1,
        }))
}

fn rounding(rows: &[RoundingCost]) -> String {
    let row = |row: &RoundingCost| {
        let added =
            [row.sequence_added, row.pack_added].map(|share| format!("+{}", percent(share)));
        let multiple = vec![count(u64::from(row.multiple))];
        [multiple, added.to_vec(), vec![percent(row.pack_padding)]].concat()
    };
    let head = [
        "rounded up to",
        "each sequence",
        "each row",
        "padding of rows",
    ];
    let table = Table::of_words(head, rows.iter().map(row)).text();
    format!("{table}\n\neach sequence: {OF_SEQUENCES}\neach row: {OF_PACKS}")
}

/// Returns settings and figures in one object, under the names of the report.
fn to_json<P: PrintableProblem>(
    data: &FittedData<P>,
    (settings, figures, taken): &ComparisonLine<P::Settings>,
) -> Value {
    let mut all = Map::new();
    // The figures come second and win where names are equal.
    for part in [json!(settings), json!(figures)] {
        if let Value::Object(fields) = part {
            all.extend(fields.into_iter().map(|(name, value)| match name.as_str() {
                // The report's `overhead` is the share that was applied; the setting is the model of it.
                "overhead" if value.is_string() => ("overhead_model".to_owned(), value),
                _ => (name, value),
            }));
        }
    }
    all.insert(
        "overlong_items".to_owned(),
        json!(data.prepared.overlong_items()),
    );
    all.insert("seconds".to_owned(), json!(taken));
    all.insert("limits".to_owned(), P::limits(settings));
    if let Some(own) = P::own_depth(settings) {
        all.insert("own_depth".to_owned(), json!(own));
    }
    all.insert("read".to_owned(), json!(data.read));
    bands::<P>(data, settings, figures)
        .iter()
        .for_each(|bands| drop(all.insert("bands".to_owned(), json!(bands))));
    if !data.names.is_empty() {
        all.insert("components".to_owned(), json!(data.names));
    }
    Value::Object(all)
}

fn bands<P: PrintableProblem>(
    data: &FittedData<P>,
    settings: &P::Settings,
    figures: &Figures,
) -> Option<Bands> {
    data.bins
        .as_ref()
        .map(|bins| P::bands(settings, bins, figures))
}

fn bound(f: &Figures) -> String {
    match (f.lower_bound, f.gap) {
        (Some(bound), Some(share)) => {
            format!(
                "{} ({}, gap {})",
                count(bound),
                f.bound_kind.map_or("", BoundKind::name),
                gap(share)
            )
        }
        _ => "– (rows are not of equal length)".to_owned(),
    }
}

fn speedup(f: &Figures) -> String {
    match (f.realised_speedup, f.overhead) {
        (Some(speedup), Some(overhead)) => {
            format!("{} after {} overhead", factor(speedup), percent(overhead))
        }
        _ => "–".to_owned(),
    }
}

/// Formats one value per component, as in `nodes 12 %, edges 30 %`; without names if there are none.
fn each_component<T>(
    names: &[String],
    figures: impl IntoIterator<Item = T>,
    words: impl Fn(T) -> String,
) -> String {
    let named = |(k, figure): (usize, T)| match names.get(k) {
        Some(name) => format!("{name} {}", words(figure)),
        None => words(figure),
    };
    figures
        .into_iter()
        .enumerate()
        .map(named)
        .collect::<Vec<_>>()
        .join(", ")
}

fn to_text<P: PrintableProblem>(
    data: &FittedData<P>,
    (settings, f, taken): &ComparisonLine<P::Settings>,
) -> String {
    let names = &data.names;
    let bands = bands::<P>(data, settings, f);
    let within = |of: fn(&Bands) -> Band| {
        bands
            .as_ref()
            .map_or_else(String::new, |all| format!(" {}", band(of(all))))
    };
    let (now_within, before_within) = (
        within(|all| all.padding_share),
        within(|all| all.baseline_padding_share),
    );
    // Attention, which is the last component, has no slots, so no padding.
    let slots = f.efficiency.iter().zip(&f.baseline_efficiency);
    let slots = slots.take(
        f.efficiency.len()
            - names
                .iter()
                .filter_map(|name| Attention::named(name))
                .count(),
    );
    let padding = each_component(names, slots, |(now, before)| {
        let now = if names.is_empty() {
            f.padding_share()
        } else {
            1.0 - now
        };
        format!(
            "{}{now_within} (before: {}{before_within})",
            percent(now),
            percent(1.0 - before)
        )
    });
    let unit = |k: usize| names.get(k).map_or("tokens", String::as_str);
    let waste = f
        .waste_tokens
        .iter()
        .enumerate()
        .map(|(k, n)| format!("{} {}", count(*n), unit(k)));
    let shapes = f
        .strategies
        .map_or_else(|| "too many to list".to_owned(), count);
    let lines = [
        Some(format!("algorithm    {}", P::words(settings))),
        Some(format!("packs        {} (from {})", count(f.packs), P::items(f.items, ""))),
        Some(format!("padding      {padding}")),
        Some(format!("efficiency   {}{}", each_component(names, f.efficiency.iter().copied(), efficiency), within(|all| all.efficiency))),
        (!names.is_empty()).then(|| {
            format!("harmonic     {} (mean of the efficiencies)", efficiency(f.efficiency_harmonic))
        }),
        Some(format!("factor       {}", factor(f.packing_factor))),
        Some(format!("speed-up     {}", speedup(f))),
        Some(format!("bound        {}", bound(f))),
        Some(format!("strategies   {shapes}, deepest {}", count(f.max_depth))),
        Some(format!(
            "waste        {} of {}",
            waste.collect::<Vec<_>>().join(", "),
            P::items(data.prepared.overlong_items(), "overlong ")
        )),
        Some(format!("time         {}", seconds(*taken))),
        f.least_squares.map(|used| {
            format!(
                "by squares   {} strategies in the least squares, before they are rounded and repaired",
                count(used)
            )
        }),
        f.published_packs.map(|packs| {
            format!(
                "published    {} packs with the published repair, which adds sequences (by version of SciPy its code has a \
                 few more or fewer)",
                count(packs)
            )
        }),
    ];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn write_certificate(proof: Option<Value>, file: &Path) -> Result<()> {
    let Some(proof) = proof else {
        let message = "there is none to write: only a bound by the linear relaxation has a certificate, which \
                       `--algorithm optimal` finds where a cheap bound is not met";
        return Err(Error::Input {
            place: "--certificate".to_owned(),
            message: message.to_owned(),
        });
    };
    output::write(Some(file), &format!("{proof}\n"))
}
