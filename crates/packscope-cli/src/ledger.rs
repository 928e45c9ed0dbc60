//! `packscope sweep` without limits: the losses at the usual limits of lengths, by policy for longer sequences.

use crate::args::FigureFormat;
use crate::input::Input;
use crate::shell::pretty;
use packscope::api::limits::{self, AtLimit};
use packscope::api::{Bands, Settings, tuple};
use packscope::error::Result;
use packscope::export::Table;
use packscope::histogram::{Band, Bins, Overlong};
use packscope::packing::Depth;
use packscope::words::{band, count};
use serde_json::{Value, json};

pub fn run(input: &Input, depth: Depth, format: &FigureFormat) -> Result<String> {
    let read = input.read()?;
    let (lengths, settings) = (
        &read.histogram,
        Settings {
            depth,
            ..Settings::default()
        },
    );
    let points = limits::usual(lengths)
        .into_iter()
        .map(|limit| limits::at_limit(lengths, &settings, limit));
    let points: Vec<AtLimit> = points.collect::<Result<_>>()?;
    let opens = limits::practical(lengths);
    let bins = Bins::new(lengths, &read.description.bins);
    let bands: Vec<Option<Band>> = points
        .iter()
        .map(|point| padding(bins.as_ref()?, &settings, point))
        .collect();
    Ok(match format {
        FigureFormat::Json => pretty(&json!({
            "limits": points.iter().zip(&bands).map(to_json).collect::<Vec<_>>(), "practical": opens, "read": read.description.account()
        })),
        FigureFormat::Text => to_text(lengths.items(), points.iter().zip(&bands), opens),
    })
}

/// Returns the band of the padding at a limit, with longer sequences truncated.
fn padding(bins: &Bins, settings: &Settings, point: &AtLimit) -> Option<Band> {
    let settings = tuple::Settings {
        depth: settings.depth,
        overlong: Overlong::Truncate,
        ..tuple::Settings::default()
    };
    let shown = point.truncated.efficiency(point.limit);
    // The band of efficiency, turned around.
    let [worst, best] = Bands::at_point(bins, &settings, point.limit, shown);
    Some([1.0 - best, 1.0 - worst])
}

/// Returns a limit in JSON, without the work of its rows, which only estimates of time need; for binned lengths, with
/// the smallest and the largest padding if longer sequences are truncated.
fn to_json((point, band): (&AtLimit, &Option<Band>)) -> Value {
    let mut row = json!(point);
    row.as_object_mut().map(|row| row.remove("work"));
    band.iter()
        .for_each(|band| row["padding_band"] = json!(band));
    row
}

fn to_text<'p>(
    items: u64,
    points: impl Iterator<Item = (&'p AtLimit, &'p Option<Band>)>,
    opens: u32,
) -> String {
    let head = [
        "limit",
        "whole",
        "rows",
        "padding",
        "cut off",
        "dropped",
        "rows if split",
    ];
    let rows = points.map(|(point, within)| {
        let mut cells = point.in_words(items).to_vec();
        within
            .iter()
            // The column of the padding.
            .for_each(|within| cells[3] += &format!(" {}", band(*within)));
        cells
    });
    let table = Table::of_words(head, rows).text();
    format!(
        "{table}\n\n{} is the smallest power of two that holds 99 % of the sequences whole, or the longest sequence.\nCut off and dropped are shares of all tokens; rows and padding are of cut sequences, packed by LPFHP.",
        count(u64::from(opens))
    )
}
