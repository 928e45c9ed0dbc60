//! Histograms in JSON: edges of bins and their counts, ranges as keys, records of bins; one for each column in the
//! statistics of Hugging Face's dataset viewer.

use super::super::bins::{self, BinRange};
use super::super::names;
use super::{NamedHistogram, Span, ranges, whole};
use serde_json::{Map, Value};

const EDGES: [&str; 4] = ["bin_edges", "bins", "bin_boundaries", "binEdges"];
const COUNTS: [&str; 8] = [
    "hist",
    "counts",
    "count",
    "values",
    "bin_counts",
    "frequencies",
    "freq",
    "n",
];

/// Whether JSON with this beginning has statistics of the dataset viewer.
pub(super) fn begins(head: &str) -> bool {
    head.trim_start().starts_with('{')
        && head.contains("\"column_statistics\"")
        && bins::has_edges(head.as_bytes())
}

/// Returns the histograms in a single JSON value, or in objects on lines.
///
/// With `said`, a pair of lists is a histogram, too.
pub(super) fn find(text: &str, said: bool) -> Option<Vec<NamedHistogram>> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let value = serde_json::from_str(text).or_else(|error| {
        let lines = || {
            text.lines()
                .map(serde_json::from_str)
                .collect::<Result<Vec<Value>, _>>()
        };
        if text.contains('\n') {
            lines().map(Value::Array)
        } else {
            Err(error)
        }
    });
    let (value, mut found) = (value.ok()?, Vec::new());
    if let Some(spans) = of_pair(&value, said) {
        return Some(vec![NamedHistogram::new("", spans)]);
    }
    search(&value, "", &mut found);
    Some(found).filter(|found| !found.is_empty())
}

fn search(value: &Value, name: &str, found: &mut Vec<NamedHistogram>) {
    match value {
        Value::Object(fields) => {
            if let Some(spans) = of_edges(fields).or_else(|| of_keys(fields, name)) {
                return found.push(NamedHistogram::new(name, spans));
            }
            let column = fields.get("column_name").and_then(Value::as_str);
            for (key, inner) in fields {
                let before = found.len();
                // The viewer has the name of the column beside its histogram, not as a key.
                search(
                    inner,
                    column.unwrap_or(if key == "histogram" { name } else { key }),
                    found,
                );
                if let Some(column) = column {
                    let kind = fields
                        .get("column_type")
                        .and_then(Value::as_str)
                        .unwrap_or_default();
                    found[before..]
                        .iter_mut()
                        .for_each(|one| kinds(one, column, kind));
                }
            }
        }
        // A list of records is one histogram; other lists may hold one in each object.
        Value::Array(all) => match of_records(all) {
            Some(spans) => found.push(NamedHistogram::new(name, spans)),
            None => all
                .iter()
                .filter(|one| one.is_object())
                .for_each(|one| search(one, name, found)),
        },
        _ => {}
    }
}

/// The question about two lists.
const PAIR: &str = "two lists, of which the second ascends and has one number more: counts and edges of bins, as \
                    numpy.histogram returns them, or two sequences of tokens? Say which: --input-format histogram, or \
                    --input-format json";

/// Returns the bins of `[counts, edges]`, if that is `said`, or else the question.
fn of_pair(value: &Value, said: bool) -> Option<Result<Vec<Span>, String>> {
    let [counts, edges] = &value.as_array()?[..] else {
        return None;
    };
    let numbers = |list: &Value| {
        list.as_array()?
            .iter()
            .map(real)
            .collect::<Option<Vec<f64>>>()
    };
    let (counts, edges) = (numbers(counts)?, numbers(edges)?);
    let is_pair =
        counts.len() > 2 && edges.len() == counts.len() + 1 && edges.is_sorted_by(|a, b| a < b);
    is_pair.then(|| {
        if said {
            between(&edges, &counts)
        } else {
            Err(PAIR.to_owned())
        }
    })
}

/// Sets what the viewer measures: texts in characters, lists in elements.
fn kinds(found: &mut NamedHistogram, column: &str, kind: &str) {
    let is_text = kind.starts_with("string");
    let is_length = is_text || kind == "list" || is_of_lengths(column);
    found.are_lengths = Some(is_length);
    if is_text {
        found.unit = "characters";
    }
}

/// Returns a number; not by `as_f64`, whose parser would be a second one in the page.
fn real(value: &Value) -> Option<f64> {
    value
        .is_number()
        .then(|| packscope_core::accepts::number(value.to_string()))
        .flatten()
}

/// Returns the bins of a list of edges and one of counts.
fn of_edges(fields: &Map<String, Value>) -> Option<Result<Vec<Span>, String>> {
    let numbers = |value: &Value| {
        value
            .as_array()?
            .iter()
            .map(real)
            .collect::<Option<Vec<f64>>>()
    };
    let named = |names: &[&str]| names.iter().find_map(|name| numbers(fields.get(*name)?));
    let counts = named(&COUNTS)?;
    // `packedBins` is the form of evenly spaced bins: least edge and size, instead of all edges.
    let packed = || {
        let packed = fields.get("packedBins")?;
        let field = |name| packed.get(name).and_then(real);
        let (least, size) = (field("min")?, field("size")?);
        Some(
            (0..=counts.len())
                .map(|at| least + size * at as f64)
                .collect(),
        )
    };
    let edges = named(&EDGES).or_else(packed)?;
    Some(between(&edges, &counts))
}

/// Returns the bins between edges, as in NumPy: a bin includes its lower edge, and only the last its upper edge.
pub(super) fn between(edges: &[f64], counts: &[f64]) -> Result<Vec<Span>, String> {
    if edges.len() != counts.len() + 1 {
        let (edges, counts) = (edges.len(), counts.len());
        return Err(format!(
            "there are {edges} edges of bins and {counts} counts; expected one edge more than counts"
        ));
    }
    if !edges.is_sorted() {
        return Err("the edges of bins do not ascend".to_owned());
    }
    let span = |(at, count): (usize, &f64)| {
        // NumPy includes the upper edge in the last bin alone.
        let closed = [true, at + 1 == counts.len()];
        Ok((
            BinRange {
                low: edges[at],
                high: edges[at + 1],
                closed,
                marked: true,
            },
            whole(*count)?,
        ))
    };
    counts.iter().enumerate().map(span).collect()
}

/// Returns the bins of an object with ranges as keys; or its lengths, if its name denotes lengths.
fn of_keys(fields: &Map<String, Value>, name: &str) -> Option<Result<Vec<Span>, String>> {
    let of = |key: &str| match bins::range(key.as_bytes()) {
        // Keys from 0 on number the rows of a column.
        None if is_of_lengths(name) && !fields.contains_key("0") => {
            Some(exact(packscope_core::accepts::number(key)?))
        }
        range => range,
    };
    let spans = fields
        .iter()
        .map(|(key, value)| Some((of(key)?, real(value)?)))
        .collect::<Option<Vec<_>>>()?;
    let (all, counts): (Vec<BinRange>, Vec<f64>) = spans.into_iter().unzip();
    // Ranges that overlap are told as such where they are spread.
    let all = ranges::between(all.clone()).unwrap_or(all);
    let counted = all
        .into_iter()
        .zip(counts)
        .map(|(range, count)| Ok((range, whole(count)?)))
        .collect();
    // All keys of an empty object would be ranges.
    (!fields.is_empty()).then_some(counted)
}

fn is_of_lengths(name: &str) -> bool {
    let known = ["len", "lens", "length", "lengths", "seqlen", "seqlens"];
    names::is_in_tokens(name)
        || names::words(name)
            .iter()
            .any(|word| known.contains(&word.as_str()))
}

/// Returns the range of one length.
pub(super) fn exact(length: f64) -> BinRange {
    BinRange {
        low: length,
        high: length,
        closed: [true, true],
        marked: true,
    }
}

/// Returns the bins of records, which have the same fields as the columns of a table.
fn of_records(all: &[Value]) -> Option<Result<Vec<Span>, String>> {
    let first = all.first()?.as_object()?;
    let names: Vec<String> = first.keys().cloned().collect();
    let cell = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let row = |record: &Value| {
        names
            .iter()
            .map(|name| record.get(name).map(cell))
            .collect::<Option<Vec<_>>>()
    };
    ranges::of_rows(
        Some(&names),
        &all.iter().map(row).collect::<Option<Vec<_>>>()?,
    )
}
