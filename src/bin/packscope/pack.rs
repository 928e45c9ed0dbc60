//! `packscope pack`: the figures of one packing, and its plan.

use crate::{Input, Output, Rows, about, options, pretty, sizes};
use clap::Args;
use packscope::api::fields::{graphs, sequences};
use packscope::api::{Prepared, Report, Settings};
use packscope::bounds::{BoundKind, Certificate};
use packscope::error::Result;
use packscope::histogram::Size;
use packscope::metrics::Figures;
use packscope::packing::{Algorithm, Depth};
use packscope::words::{count, efficiency, factor, gap, percent, seconds};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

#[derive(Args)]
pub struct Pack {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub rows: Rows,
    #[arg(long, help = options::both(&sequences::ALGORITHM, &graphs::ALGORITHM), long_help = options::algorithms())]
    pub algorithm: Option<String>,
    #[arg(long, help = options::of(&sequences::SEED), default_value_t = 0, conflicts_with = "limits")]
    seed: u64,
    #[arg(long, help = options::of(&sequences::BATCH), default_value_t = 64, conflicts_with = "limits")]
    batch: u32,
    #[arg(long, default_value = "text")]
    pub format: Output,
    /// Write the proof of a bound by the linear relaxation (of `optimal`) to this file:
    /// {"limit":n,"depth":"3","worths":[[length,worth],…],"most":n,"packs":n}; with --limits "limits":[…], and sizes
    /// are lists. No pack is worth more than `most`.
    #[arg(long)]
    pub certificate: Option<PathBuf>,
}

/// Strategies that are counted at most: item-by-item algorithms make millions.
const LISTED: u32 = 65_536;

/// Runs the command; returns what it prints.
pub fn run(pack: &Pack) -> Result<String> {
    match &pack.rows.room.limits {
        Some(limits) => sizes::pack(pack, limits),
        None => run_lengths(pack),
    }
}

fn run_lengths(pack: &Pack) -> Result<String> {
    let algorithm = pack.algorithm.as_deref().map_or(Ok(Algorithm::Lpfhp), str::parse)?;
    let histogram = pack.input.read()?.histogram;
    let (seed, batch) = (pack.seed, pack.batch);
    let settings = Settings { algorithm, seed, batch, ..pack.rows.settings() };
    let prepared = Prepared::new(&histogram, &settings)?;
    let (packed, taken) = pack.rows.timed(|steps, ask| prepared.pack(&settings, LISTED, steps, ask))?;
    if let Some(file) = &pack.certificate {
        let about = ("limit", json!(settings.limit), settings.depth);
        write_certificate(packed.certificate.as_ref(), about, |[length]| json!(length), file)?;
    }
    let report = prepared.report(&settings, packed, LISTED);
    Ok(match pack.format {
        Output::Json => pretty(&to_json(&report, taken)),
        Output::Text => to_text(&report, taken),
    })
}

fn to_json(report: &Report, taken: f64) -> Value {
    let mut all = merged(&report.settings, &report.figures, report.overlong_items, taken);
    all.insert("limits".to_owned(), json!([report.settings.limit]));
    Value::Object(all)
}

/// Settings and figures in one object, under the names of the report.
pub fn merged(settings: &impl Serialize, figures: &Figures, overlong: u64, taken: f64) -> Map<String, Value> {
    let mut all = Map::new();
    for part in [json!(settings), json!(figures)] {
        if let Value::Object(fields) = part {
            all.extend(fields.into_iter().map(|(name, value)| match name.as_str() {
                // The report's `overhead` is the share that was applied; the setting is the model of it.
                "overhead" if value.is_string() => ("overhead_model".to_owned(), value),
                _ => (name, value),
            }));
        }
    }
    all.insert("overlong_items".to_owned(), json!(overlong));
    all.insert("seconds".to_owned(), json!(taken));
    all
}

/// The bound in words.
pub fn bound(f: &Figures) -> String {
    match (f.lower_bound, f.gap) {
        (Some(bound), Some(share)) => {
            format!("{} ({}, gap {})", count(bound), f.bound_kind.map_or("", BoundKind::name), gap(share))
        }
        _ => "– (rows are not of equal length)".to_owned(),
    }
}

/// The speed-up in words.
pub fn speedup(f: &Figures) -> String {
    match (f.realised_speedup, f.overhead) {
        (Some(speedup), Some(overhead)) => {
            format!("{} after {} overhead", factor(speedup), percent(overhead))
        }
        _ => "–".to_owned(),
    }
}

fn to_text(report: &Report, taken: f64) -> String {
    let (f, s) = (&report.figures, &report.settings);
    let shapes = f.strategies.map_or_else(|| "too many to list".to_owned(), count);
    let before = percent(f.baseline_padding_share());
    let lines = [
        format!("algorithm    {}, limit {}, depth {}", s.algorithm, s.limit, s.depth),
        format!("packs        {} (from {} sequences)", count(f.packs), count(f.items)),
        format!("padding      {} (before: {before})", percent(f.padding_share())),
        format!("efficiency   {}", efficiency(f.efficiency[0])),
        format!("factor       {}", factor(f.packing_factor)),
        format!("speed-up     {}", speedup(f)),
        format!("bound        {}", bound(f)),
        format!("strategies   {shapes}, deepest {}", count(f.max_depth)),
        format!(
            "waste        {} tokens of {} overlong sequences",
            count(f.waste_tokens[0]),
            count(report.overlong_items)
        ),
        format!("time         {}", seconds(taken)),
    ];
    let published = f.published_packs.map(|packs| {
        format!("published    {} packs with the published repair, which adds sequences", count(packs))
    });
    lines.into_iter().chain(published).collect::<Vec<_>>().join("\n")
}

/// Writes the proof of a bound; `about` is what it holds for.
pub fn write_certificate<const K: usize>(
    certificate: Option<&Certificate<K>>,
    (name, limits, depth): (&str, Value, Depth),
    size: impl Fn(&Size<K>) -> Value,
    file: &std::path::Path,
) -> Result<()> {
    let Some(certificate) = certificate else {
        eprintln!("{}: not written; only a bound by the linear relaxation has a certificate", file.display());
        return Ok(());
    };
    let worths = certificate.worths.iter().map(|(at, worth)| (size(at), worth)).collect::<Vec<_>>();
    let (most, packs) = (certificate.most, certificate.packs);
    let proof = json!({ name: limits, "depth": depth, "worths": worths, "most": most, "packs": packs });
    std::fs::write(file, format!("{proof}\n")).map_err(|e| about(file, &e))
}
