//! `packscope sweep` without limits: what the usual limits of lengths lose, by policy for longer ones.

use crate::args::Output;
use crate::input::Input;
use crate::shell::pretty;
use packscope::api::limits::{self, AtLimit, Kept};
use packscope::api::{Bands, Settings, tuple};
use packscope::error::Result;
use packscope::export::Table;
use packscope::histogram::{Band, Bins, Overlong};
use packscope::packing::Depth;
use packscope::words::{band, count, percent};
use serde::Serialize;
use serde_json::json;

/// Runs the command; returns the text that it prints.
pub fn run(input: &Input, depth: Depth, format: &Output) -> Result<String> {
    let read = input.read()?;
    let (lengths, settings) = (&read.histogram, Settings { depth, ..Settings::default() });
    let points = limits::usual(lengths).into_iter().map(|limit| limits::at(lengths, &settings, limit));
    let points: Vec<AtLimit> = points.collect::<Result<_>>()?;
    let opens = limits::practical(lengths);
    let bins = Bins::new(lengths, &read.description.bins);
    let bands: Vec<Option<Band>> =
        points.iter().map(|point| padding(bins.as_ref()?, &settings, point)).collect();
    Ok(match format {
        Output::Json => pretty(&json!({
            "limits": points.iter().zip(&bands).map(Row::from).collect::<Vec<_>>(), "practical": opens, "read": read.description.account()
        })),
        Output::Text => to_text(lengths.items(), points.iter().zip(&bands), opens),
    })
}

/// Returns the band of the padding at a limit whose longer sequences are cut off.
fn padding(bins: &Bins, settings: &Settings, point: &AtLimit) -> Option<Band> {
    let settings =
        tuple::Settings { depth: settings.depth, overlong: Overlong::Truncate, ..tuple::Settings::default() };
    let shown = point.truncated.efficiency(point.limit);
    let [worst, best] = Bands::at_point(bins, &settings, point.limit, shown);
    Some([1.0 - best, 1.0 - worst])
}

/// A limit as it is printed: without the work of its rows, which only estimates of time take.
#[derive(Serialize)]
struct Row {
    limit: u32,
    above: u64,
    truncated: Kept,
    dropped: Option<Kept>,
    split: Kept,
    /// The least and the most padding of cut sequences, where lengths are known by bins alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    padding_band: Option<Band>,
}

impl From<(&AtLimit, &Option<Band>)> for Row {
    fn from((point, band): (&AtLimit, &Option<Band>)) -> Self {
        let AtLimit { limit, above, truncated, dropped, split, work: _ } = *point;
        Self { limit, above, truncated, dropped, split, padding_band: *band }
    }
}

fn to_text<'p>(
    items: u64,
    points: impl Iterator<Item = (&'p AtLimit, &'p Option<Band>)>,
    opens: u32,
) -> String {
    let head = ["limit", "whole", "rows", "padding", "cut off", "dropped", "rows if split"];
    let lost = |kept: Option<&Kept>| kept.map_or_else(|| "all".to_owned(), |kept| percent(kept.lost_share()));
    let rows = points.map(|(p, within)| {
        let within = within.map_or_else(String::new, |within| format!(" {}", band(within)));
        vec![
            count(u64::from(p.limit)),
            percent(1.0 - p.above as f64 / items as f64),
            count(p.truncated.packs),
            percent(1.0 - p.truncated.efficiency(p.limit)) + &within,
            lost(Some(&p.truncated)),
            lost(p.dropped.as_ref()),
            count(p.split.packs),
        ]
    });
    let table = Table::of_words(head, rows).text();
    format!(
        "{table}\n\n{} is the smallest power of two that holds 99 % of the sequences whole, or the longest sequence.\nCut off and dropped are shares of all tokens; rows and padding are of cut sequences, packed by LPFHP.",
        count(u64::from(opens))
    )
}
