//! Histograms of Prometheus, as served by vLLM and SGLang: cumulative counts up to each edge.

use super::super::bins::BinRange;
use super::super::names;
use super::whole;
use super::{NamedHistogram, Span};
use packscope_core::accepts::number;
use std::collections::BTreeMap;

/// Upper edges with counts up to them, by the labels of the series.
type Series = BTreeMap<String, Vec<(f64, f64)>>;

const BUCKET: &str = "_bucket{";

/// Whether a text has histograms of Prometheus.
pub(super) fn is_text(head: &str) -> bool {
    head.lines().any(|line| bucket(line).is_some())
}

/// Returns a histogram for each metric, over all its labels together.
pub(super) fn find(text: &str) -> Option<Vec<NamedHistogram>> {
    let mut metrics: BTreeMap<&str, Series> = BTreeMap::new();
    for (name, labels, edge, items) in text.lines().filter_map(bucket) {
        metrics
            .entry(name)
            .or_default()
            .entry(labels)
            .or_default()
            .push((edge, items));
    }
    let found = |(name, series): (&str, Series)| {
        let spans = series
            .into_values()
            .map(spans)
            .collect::<Result<Vec<_>, _>>()
            .map(|all| all.concat());
        let words = names::words(name);
        let has = |some: &[&str]| words.iter().any(|word| some.contains(&word.as_str()));
        // Seconds per token are no lengths, though they name tokens.
        let are_lengths = has(&["token", "tokens", "length", "len"])
            && !has(&["seconds", "second", "iteration", "per"]);
        NamedHistogram {
            are_lengths: Some(are_lengths),
            ..NamedHistogram::new(name, spans)
        }
    };
    Some(metrics.into_iter().map(found).collect::<Vec<_>>()).filter(|all| !all.is_empty())
}

/// Splits a line into metric, labels without the edge, edge, and items up to it.
fn bucket(line: &str) -> Option<(&str, String, f64, f64)> {
    let (name, rest) = line.trim().split_once(BUCKET)?;
    let (labels, value) = rest.rsplit_once('}')?;
    let (before, edge) = labels.split_once("le=\"")?;
    let (edge, after) = edge.split_once('"')?;
    let value = value.split_ascii_whitespace().next()?;
    Some((
        name,
        format!("{before}{after}"),
        number(edge)?,
        number(value)?,
    ))
}

/// Returns the items between the edges.
fn spans(mut buckets: Vec<(f64, f64)>) -> Result<Vec<Span>, String> {
    // Lines of a metric need not be in order of their edges; +Inf sorts last.
    buckets.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // Lengths are above 0, and `le` includes its edge: open below, closed above.
    let mut before = (0.0, 0.0);
    let span = |(edge, items): (f64, f64)| {
        let (low, held) = std::mem::replace(&mut before, (edge, items));
        if items < held {
            return Err(format!(
                "{items} items are up to {edge}, but {held} up to {low}: expected cumulative counts"
            ));
        }
        Ok((
            BinRange {
                low,
                high: edge,
                closed: [false, true],
                marked: true,
            },
            whole(items - held)?,
        ))
    };
    buckets.into_iter().map(span).collect()
}
