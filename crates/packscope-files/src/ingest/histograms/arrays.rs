//! Histograms in typed columns: counts beside edges in NumPy arrays, counts by length from 0, rows of bins.

use super::super::cells::{Cells, Holds, RowSink};
use super::super::formats::Format;
use super::super::options::Options;
use super::super::tally::Tally;
use super::super::value::Value;
use super::printed::by_length;
use super::{NamedHistogram, Span, json, ranges, tell};
use packscope_core::error::Result;

/// Counts the items of a histogram in columns; returns `false` if there is none.
///
/// # Errors
/// If it cannot be read.
pub(in crate::ingest) fn in_cells<const K: usize>(
    cells: &mut dyn Cells,
    options: &Options,
    tally: &mut Tally<K>,
) -> Result<bool> {
    let is_said = options.format == Some(Format::Histogram);
    // With a chosen column the array is a list of lengths.
    let is_chosen = !options.sizes.is_empty() || (options.count.is_some() && !is_said);
    if is_chosen {
        return Ok(false);
    }
    let is_array = cells.layout().format == Format::Array;
    let names: Vec<String> = cells
        .layout()
        .fields
        .iter()
        .map(|field| field.name.to_lowercase())
        .collect();
    let at = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    let spans = match (
        at(&["hist", "counts", "count"]),
        at(&["bin_edges", "edges", "bins"]),
    ) {
        // Edges in two columns of a table, in any format with names.
        _ if cells.layout().named && ranges::edges(&names).is_some() => {
            match rows(cells, &names)? {
                Some(spans) => spans,
                None => return Ok(false),
            }
        }
        (Some(counts), Some(edges)) if is_array => {
            // NumPy's `histogram` returns (hist, bin_edges), which `savez` stores under these
            // names.
            let counts = column(cells, counts, false)?;
            json::between(&column(cells, edges, false)?, &counts)
        }
        _ if is_array
            && names.len() == 1
            && !cells.layout().named
            && options.format != Some(Format::Numbers) =>
        {
            // Unless it is said, an array that does not begin with 0 is not read further: it may be
            // long.
            match by_length(&column(cells, 0, !is_said)?, is_said) {
                Some(spans) => spans,
                None => return Ok(false),
            }
        }
        _ => return Ok(false),
    };
    tally.description.format = Format::Histogram;
    tally.description.bytes = cells.layout().size;
    tell(vec![NamedHistogram::new("", spans)], options, tally).map(|()| true)
}

type Spans = std::result::Result<Vec<Span>, String>;

/// The maximum number of bins; more rows are not a histogram.
const MOST: usize = 1 << 16;

/// Returns the bins in rows of numbers.
fn rows(cells: &mut dyn Cells, names: &[String]) -> Result<Option<Spans>> {
    let fields = &cells.layout().fields;
    let numbers: Vec<usize> = (0..names.len())
        .filter(|at| fields[*at].holds == Holds::Numbers)
        .collect();
    let columns = numbers
        .iter()
        .map(|at| column(cells, *at, false))
        .collect::<Result<Vec<_>>>()?;
    let length = columns.iter().map(Vec::len).min().unwrap_or(0);
    let row = |at: usize| {
        columns
            .iter()
            .map(|column| column[at].to_string())
            .collect::<Vec<_>>()
    };
    let names: Vec<String> = numbers.iter().map(|at| names[*at].clone()).collect();
    let few = length < MOST;
    Ok(few
        .then(|| ranges::of_rows(Some(&names), &(0..length).map(row).collect::<Vec<_>>()))
        .flatten())
}

/// Returns the numbers of a column; with `only_from_zero`, stops after a first number that is not 0.
fn column(cells: &mut dyn Cells, at: usize, only_from_zero: bool) -> Result<Vec<f64>> {
    let mut numbers = HistogramArrays {
        all: Vec::new(),
        only_from_zero,
    };
    cells.rows(&[at], &mut numbers)?;
    Ok(numbers.all)
}

struct HistogramArrays {
    all: Vec<f64>,
    only_from_zero: bool,
}

impl RowSink<Value> for HistogramArrays {
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
