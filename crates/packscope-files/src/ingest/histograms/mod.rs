//! Histograms as input: in bins, or printed. They are short, so each is read at once.
//!
//! A file is recognised as one only by positive evidence: edges beside one count fewer, ranges beside counts, the form
//! in which Python, pandas, Polars and DuckDB print counts, buckets of Prometheus.

mod arrays;
mod json;
mod metrics;
mod printed;
mod ranges;

pub(super) use arrays::in_cells;
pub(super) use printed::refused;

use super::bins::BinRange;
use super::decoder::Decoder;
use super::dialect::Dialect;
use super::formats::{Delimiter, Format};
use super::lines::LONGEST;
use super::names;
use super::notes::Note;
use super::number;
use super::options::{Column, Options};
use super::problem::{Place, Why, shorten};
use super::table::table;
use super::tally::Tally;
use packscope_core::error::{Error, Result};
use packscope_core::histogram::Bin;
use packscope_core::words::{count, plural};

/// The items between two ends.
type Span = (BinRange, u64);

#[derive(Debug, Clone, PartialEq)]
pub(super) struct NamedHistogram {
    /// Its name; empty if it has none.
    pub name: String,
    /// Whether its name or description denotes lengths; `None` if it has neither.
    pub are_lengths: Option<bool>,
    /// The unit of its lengths.
    pub unit: &'static str,
    /// The items, or the reason why there are none.
    pub spans: std::result::Result<Vec<Span>, String>,
}

impl NamedHistogram {
    fn new(name: &str, spans: std::result::Result<Vec<Span>, String>) -> Self {
        Self {
            name: name.to_owned(),
            are_lengths: None,
            unit: names::unit(name),
            spans,
        }
    }
}

/// Returns a count of items, refusing fractions: densities and shares are no counts.
fn whole(count: f64) -> Result<u64, String> {
    let refused = || {
        format!("{count} is no count of items: shares and densities are not enough, bring counts")
    };
    number::integral(count).ok_or_else(refused)
}

#[derive(Debug)]
enum HistogramContents {
    /// Histograms, of which one is read.
    Histograms(Vec<NamedHistogram>),
    /// A table, converted to CSV.
    Table(String),
}

/// Whether an input is a histogram, judged by its beginning (all of it if `complete`); the only one, unless `named`.
pub(super) fn is_held(head: &[u8], complete: bool, named: bool) -> bool {
    // The last line of an incomplete beginning is cut, perhaps within a character of UTF-8.
    let whole = if complete {
        None
    } else {
        memchr::memrchr(b'\n', head)
    };
    let Ok(text) = std::str::from_utf8(&head[..whole.unwrap_or(head.len())]) else {
        return false;
    };
    let begins = || json::begins(text) || metrics::is_text(text) || printed::begins(text);
    let rows = || (!named && ranges::find(text).is_some()) || printed::table(text).is_some();
    match complete {
        true => match holding(text, false) {
            Some(HistogramContents::Histograms(all)) => {
                !named || all.iter().all(|found| !found.name.is_empty())
            }
            found => found.is_some(),
        },
        // A part of JSON does not parse, so only the beginning of the text can tell.
        false => begins() || (whole.is_some() && rows()),
    }
}

/// Returns the histograms or the table in a text; with `said`, any counts are accepted as counts by length.
fn holding(text: &str, said: bool) -> Option<HistogramContents> {
    let one = |spans| HistogramContents::Histograms(vec![NamedHistogram::new("", spans)]);
    let found = json::find(text, said)
        .or_else(|| metrics::find(text))
        .map(HistogramContents::Histograms);
    found
        .or_else(|| ranges::find(text).map(one))
        .or_else(|| printed::find(text, said).map(one))
        .or_else(|| {
            printed::table(text)
                .map(|table| ranges::find(&table).map_or(HistogramContents::Table(table), one))
        })
}

/// The reader of histograms. O(bytes) time and memory, for at most 16 MiB.
#[derive(Debug)]
pub(super) struct HistogramReader {
    text: Vec<u8>,
    options: Options,
}

impl HistogramReader {
    pub fn new(options: &Options) -> Self {
        Self {
            text: Vec::new(),
            options: options.clone(),
        }
    }
}

impl<const K: usize> Decoder<K> for HistogramReader {
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        match self.text.len() + bytes.len() {
            // The text is held as a whole, unlike all other formats.
            long if long > LONGEST => {
                tally.fail(wrong("a histogram of more than 16 MiB; expected counts"))
            }
            _ => self.text.extend_from_slice(bytes),
        }
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        let text = String::from_utf8_lossy(&self.text).into_owned();
        let told = match holding(&text, self.options.format == Some(Format::Histogram)) {
            Some(HistogramContents::Histograms(all)) => tell(all, &self.options, tally),
            Some(HistogramContents::Table(csv)) => {
                let dialect = Dialect::table(Delimiter::Comma);
                // A printed box may be an ordinary table, which the reader of tables takes over.
                let mut table = table(&dialect, self.options.clone(), (csv.as_bytes(), true));
                table.push(csv.as_bytes(), tally);
                table.finish(tally);
                Ok(())
            }
            None => Err(wrong(
                "no histogram is found: expected bins or lengths, with a count for each",
            )),
        };
        told.unwrap_or_else(|error| tally.fail(error));
    }
}

/// The most lengths over which all bins together are spread: each is a step of every algorithm.
const LENGTHS: u64 = 1 << 21;

fn wrong(message: &str) -> Error {
    Error::Input {
        place: "the histogram".to_owned(),
        message: message.to_owned(),
    }
}

/// Counts the items of the chosen histogram.
fn tell<const K: usize>(
    all: Vec<NamedHistogram>,
    options: &Options,
    tally: &mut Tally<K>,
) -> Result<()> {
    if K > 1 {
        return Err(wrong(&format!(
            "histograms in bins are of one size, not of {K}"
        )));
    }
    let named: Vec<String> = all.iter().map(|found| found.name.clone()).collect();
    let found = choose(all, options)?;
    let spans = found.spans.map_err(|why| wrong(&why))?;
    if !found.name.is_empty() {
        tally.selected(vec![Column::Name(found.name.clone())], None);
        tally.description.width = named.len() as u32;
        tally.description.columns = Some(named);
    }
    tally.unit(found.unit);
    add(&spans, tally)
}

/// Returns the chosen histogram, or the only one, or the only one of lengths.
fn choose(mut all: Vec<NamedHistogram>, options: &Options) -> Result<NamedHistogram> {
    let names = || {
        all.iter()
            .take(20)
            .map(|found| shorten(found.name.as_bytes()))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let asked = |what: &str| wrong(&format!("{what}: {}; say which: --length-column", names()));
    let likely: Vec<usize> = (0..all.len())
        .filter(|at| all[*at].are_lengths == Some(true))
        .collect();
    let at = match (options.sizes.first(), &likely[..]) {
        (Some(Column::Name(name)), _) => all.iter().position(|found| found.name == *name),
        (Some(Column::Number(n)), _) => (*n as usize).checked_sub(1).filter(|at| *at < all.len()),
        (None, [only]) => Some(*only),
        (None, []) if all.len() == 1 && all[0].are_lengths.is_none() => Some(0),
        (None, _) => return Err(asked("one of these histograms may be that of lengths")),
    };
    match at {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(asked("no histogram has this name; there are")),
    }
}

/// Counts items, spreading those of a bin evenly over it.
fn add<const K: usize>(spans: &[Span], tally: &mut Tally<K>) -> Result<()> {
    let mut bins: Vec<Bin> = Vec::new();
    let mut nothing = 0u64;
    for (at, (range, items)) in spans
        .iter()
        .enumerate()
        .filter(|(_, (_, items))| *items > 0)
    {
        let whole = range.bin(*items);
        match whole {
            _ if range.high == f64::INFINITY => {
                let words = format!(
                    "{} above {} have no upper edge",
                    plural(*items, "item"),
                    range.low
                );
                tally.problem(Place::row(at as u64 + 1), b"", Why::Refused(words));
            }
            None if range.low <= 0.0 => nothing = nothing.saturating_add(*items),
            None => {
                let (low, high) = (range.low, range.high);
                return Err(wrong(&format!(
                    "no whole length is from {low} to {high}, but {} are",
                    plural(*items, "item")
                )));
            }
            Some(bin) => bins.push(bin),
        }
    }
    // Sorted for the test that neighbours do not overlap.
    bins.sort_unstable_by_key(|bin| (bin.low, bin.high));
    // The same bin may come from several series, as of Prometheus's labels.
    let apart = |two: &[Bin]| {
        two[0].high < two[1].low || (two[0].low, two[0].high) == (two[1].low, two[1].high)
    };
    if let Some([one, other]) = bins
        .windows(2)
        .find(|two| !apart(two))
        .and_then(|two| two.first_chunk::<2>())
    {
        let [a, b, c, d] = [one.low, one.high, other.low, other.high];
        return Err(wrong(&format!(
            "the bins {a} to {b} and {c} to {d} overlap; expected bins that do not"
        )));
    }
    // 4,000 wide bins took 2.8 GB before there was a limit.
    let lengths = bins
        .iter()
        .fold(0, |sum: u64, bin| sum.saturating_add(bin.places()));
    if lengths > LENGTHS {
        return Err(wrong(&format!(
            "its {} spread over {} lengths, and at most {} are read; expected fewer or narrower bins",
            plural(bins.len() as u64, "bin"),
            count(lengths),
            count(LENGTHS)
        )));
    }
    bins.into_iter().for_each(|bin| tally.add_bin(bin));
    let is_at =
        |(at, (range, _)): (usize, &Span)| range.low == at as f64 && range.high == range.low;
    if spans.len() > 1 && spans.iter().enumerate().all(is_at) {
        let words = "read as counts by length from 0, as numpy.bincount has them".to_owned();
        tally.note(Note::Histogram { words });
    }
    if nothing > 0 {
        let words = format!(
            "{} of length 0: left out, as they are in no batch",
            plural(nothing, "item")
        );
        tally.note(Note::Histogram { words });
    }
    Ok(())
}
