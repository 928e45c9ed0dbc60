//! Histograms in arrays of NumPy: counts beside edges, or counts by length from 0.

use super::super::cells::{Cells, Rows};
use super::super::formats::Format;
use super::super::options::Options;
use super::super::tally::Tally;
use super::super::value::Value;
use super::printed::by_length;
use super::{Found, json, tell};
use crate::error::Result;

/// Counts the items of a histogram in columns; returns false where there is none.
///
/// # Errors
/// When it cannot be read.
pub(in crate::ingest) fn in_cells<const K: usize>(
    cells: &mut dyn Cells,
    options: &Options,
    tally: &mut Tally<K>,
) -> Result<bool> {
    let is_said = options.format == Some(Format::Histogram);
    let is_chosen = !options.sizes.is_empty() || (options.count.is_some() && !is_said);
    if cells.layout().format != Format::Array || is_chosen {
        return Ok(false);
    }
    let names: Vec<String> = cells.layout().fields.iter().map(|field| field.name.to_lowercase()).collect();
    let at = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    let spans = match (at(&["hist", "counts", "count"]), at(&["bin_edges", "edges", "bins"])) {
        (Some(counts), Some(edges)) => {
            let counts = column(cells, counts, false)?;
            json::between(&column(cells, edges, false)?, &counts)
        }
        _ if names.len() == 1 && !cells.layout().named && options.format != Some(Format::Numbers) => {
            match by_length(&column(cells, 0, !is_said)?, is_said) {
                Some(spans) => spans,
                None => return Ok(false),
            }
        }
        _ => return Ok(false),
    };
    tally.description.format = Format::Histogram;
    tally.description.bytes = cells.layout().size;
    tell(vec![Found::new("", spans)], options, tally).map(|()| true)
}

/// Returns the numbers of a column; nothing after a first one that is not 0, if only such columns are `wanted`.
fn column(cells: &mut dyn Cells, at: usize, only_from_zero: bool) -> Result<Vec<f64>> {
    let mut numbers = Numbers { all: Vec::new(), only_from_zero };
    cells.rows(&[at], &mut numbers)?;
    Ok(numbers.all)
}

struct Numbers {
    all: Vec<f64>,
    only_from_zero: bool,
}

impl Rows for Numbers {
    fn row(&mut self, cells: &[Value]) -> bool {
        self.all.push(match cells.first() {
            Some(Value::Whole(n)) => *n as f64,
            Some(Value::Real(x)) => *x,
            _ => f64::NAN,
        });
        self.only_from_zero && self.all[0] != 0.0
    }

    fn reached(&mut self, _: u64) -> bool {
        false
    }
}
