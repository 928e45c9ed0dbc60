//! `packscope describe` for several components.

use super::{Limits, by_components, read_sizes};
use crate::{Describe, Output, pretty, table};
use packscope::error::{Error, Result};
use packscope::histogram::{FREE, Histogram, Size};
use packscope::words::{count, mean, percent, plural};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;

/// Statistics of one component.
#[derive(Serialize)]
struct Component {
    name: String,
    total: u64,
    min: u32,
    max: u32,
    mean: f64,
    distinct: u64,
    /// The limit the next two figures are for.
    limit: u32,
    overlong_items: u64,
    /// Share of slots that carry nothing with one item a pack, items above the limit cut to it.
    padding_share: f64,
}

/// Runs the command where it is about several components; returns what it prints.
pub fn run(command: &Describe) -> Option<Result<String>> {
    let columns = command.input.size_columns.len();
    let given = command.components.map(usize::from).or((columns > 0).then_some(columns));
    let components = given.or(command.limits.as_ref().map(|limits| limits.0.len()))?;
    let asked_as_before = components == 1 && columns == 0 && command.limits.is_none();
    (!asked_as_before).then(|| by_components!(components, describe(command)))
}

fn describe<const K: usize>(command: &Describe) -> Result<String> {
    let given: Size<K> = match &command.limits {
        None if command.limit.is_some() => return Err(Error::Components { limits: 1, components: K }),
        None => [FREE; K],
        Some(Limits(given)) => given
            .as_slice()
            .try_into()
            .map_err(|_| Error::Components { limits: given.len(), components: K })?,
    };
    let sizes = read_sizes::<K>(&command.input)?;
    // A component without a limit takes as many slots as its largest size.
    let max = sizes.histogram.max();
    let limits = std::array::from_fn(|k| if given[k] == FREE { max[k] } else { given[k] });
    let components: Vec<Component> =
        (0..K).map(|k| component(&sizes.histogram, k, limits[k], &sizes.names[k])).collect();
    let (items, distinct) = (sizes.histogram.items(), sizes.histogram.distinct() as u64);
    let overlong = above(&sizes.histogram, &limits);
    if let Output::Json = command.format {
        let all = json!({
            "items": items, "distinct": distinct, "overlong_items": overlong, "components": components,
        });
        return Ok(pretty(&all));
    }
    let heads = ["", "total", "min", "mean", "max", "distinct", "limit", "over", "padding"];
    let rows = std::iter::once(heads.map(str::to_owned).to_vec()).chain(components.iter().map(cells));
    let lines = [
        format!("items        {}, {} in all components", count(items), plural(distinct, "distinct size")),
        format!("over         {} above a limit", plural(overlong, "item")),
        String::new(),
        table::columns(&rows.collect::<Vec<_>>()),
        String::new(),
        "Padding is the share of slots that carry nothing with one item a pack.".to_owned(),
    ];
    Ok(lines.join("\n"))
}

/// Items above a limit in some component.
pub fn above<const K: usize>(histogram: &Histogram<K>, limits: &Size<K>) -> u64 {
    let is_above = |size: &Size<K>| size.iter().zip(limits).any(|(s, limit)| s > limit);
    histogram.entries().iter().filter(|(size, _)| is_above(size)).map(|(_, n)| n).sum()
}

fn component<const K: usize>(histogram: &Histogram<K>, k: usize, limit: u32, name: &str) -> Component {
    let sizes = || histogram.entries().iter().map(|(size, n)| (size[k], *n));
    let held: u128 = sizes().map(|(size, n)| u128::from(size.min(limit)) * u128::from(n)).sum();
    let slots = histogram.items() as f64 * f64::from(limit);
    Component {
        name: name.to_owned(),
        total: histogram.total()[k],
        min: sizes().map(|(size, _)| size).min().unwrap_or(0),
        max: histogram.max()[k],
        mean: histogram.mean_size()[k],
        distinct: sizes().map(|(size, _)| size).collect::<BTreeSet<_>>().len() as u64,
        limit,
        overlong_items: sizes().filter(|(size, _)| *size > limit).map(|(_, n)| n).sum(),
        padding_share: if slots > 0.0 { 1.0 - held as f64 / slots } else { 0.0 },
    }
}

fn cells(c: &Component) -> Vec<String> {
    vec![
        c.name.clone(),
        count(c.total),
        count(u64::from(c.min)),
        mean(c.mean),
        count(u64::from(c.max)),
        count(c.distinct),
        count(u64::from(c.limit)),
        count(c.overlong_items),
        percent(c.padding_share),
    ]
}
