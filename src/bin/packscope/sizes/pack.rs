//! `packscope pack --limits`.

use super::{Limits, by_components, each, limits_in_words, limits_to_json, read_sizes, settings};
use crate::pack::{Pack, bound, merged, speedup, write_certificate};
use crate::{Output, pretty};
use packscope::api::tuple::Report;
use packscope::api::{Graphs, Problem};
use packscope::error::Result;
use packscope::packing::tuple::Algorithm;
use packscope::words::{count, efficiency, factor, percent, plural, seconds};
use serde_json::{Value, json};

/// Runs the command; returns what it prints.
pub fn run(command: &Pack, limits: &Limits) -> Result<String> {
    by_components!(limits.0.len(), pack(command, limits))
}

fn pack<const K: usize>(command: &Pack, limits: &Limits) -> Result<String> {
    let algorithm = command.algorithm.as_deref().map_or(Ok(Algorithm::BestFit), str::parse)?;
    let sizes = read_sizes::<K>(&command.input)?;
    let settings = settings(&command.rows, limits, algorithm);
    let prepared = Graphs::prepare(&sizes.histogram, &settings)?;
    let (packed, taken) = command.rows.timed(|steps, ask| prepared.pack(&settings, 0, steps, ask))?;
    if let Some(file) = &command.certificate {
        let about = ("limits", limits_to_json(&limits.0), settings.depth);
        write_certificate(packed.certificate.as_ref(), about, |size| json!(size.as_slice()), file)?;
    }
    let report = prepared.report(&settings, packed, 0);
    Ok(match command.format {
        Output::Json => pretty(&to_json(&report, &sizes.names, taken)),
        Output::Text => to_text(&report, &sizes.names, taken),
    })
}

fn to_json(report: &Report, names: &[String], taken: f64) -> Value {
    let mut all = merged(&report.settings, &report.figures, report.overlong_items, taken);
    all.insert("limits".to_owned(), limits_to_json(&report.settings.limits));
    all.insert("components".to_owned(), json!(names));
    Value::Object(all)
}

fn to_text(report: &Report, names: &[String], taken: f64) -> String {
    let (f, s) = (&report.figures, &report.settings);
    let algorithm = match s.algorithm.has_heuristic() {
        true => format!("{} by {}", s.algorithm, s.heuristic),
        false => s.algorithm.to_string(),
    };
    let padded: Vec<(f64, f64)> =
        f.efficiency.iter().zip(&f.baseline_efficiency).map(|(e, before)| (1.0 - e, 1.0 - before)).collect();
    let padding = each(names, &padded, |name, (now, before)| {
        format!("{name} {} (before: {})", percent(*now), percent(*before))
    });
    let waste = each(names, &f.waste_tokens, |name, waste| format!("{} {name}", count(*waste)));
    let lines = [
        format!("algorithm    {algorithm}, limits {}, depth {}", limits_in_words(&s.limits), s.depth),
        format!("packs        {} (from {})", count(f.packs), plural(f.items, "item")),
        format!("padding      {padding}"),
        format!(
            "efficiency   {}",
            each(names, &f.efficiency, |name, e| format!("{name} {}", efficiency(*e)))
        ),
        format!("harmonic     {} (mean of the efficiencies)", efficiency(f.efficiency_harmonic)),
        format!("factor       {}", factor(f.packing_factor)),
        format!("speed-up     {}", speedup(f)),
        format!("bound        {}", bound(f)),
        format!("strategies   {}, deepest {}", count(f.strategies.unwrap_or(0)), count(f.max_depth)),
        format!("waste        {waste} of {}", plural(report.overlong_items, "overlong item")),
        format!("time         {}", seconds(taken)),
    ];
    lines.join("\n")
}
