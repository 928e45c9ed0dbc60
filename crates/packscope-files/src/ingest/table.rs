//! Tables: CSV, TSV and semicolons. The columns are chosen once, from the first records; then each
//! record becomes a size.

use super::cell_sizes::DATA;
use super::cell_sizes::{CellFault, measured};
use super::column_stats::{self, Cell, ColumnStats, Holds};
use super::columns::{self, ColumnIndices};
use super::computed::{self, FormulaColumns, operand};
use super::decoder::{RecordSink, SplitDecoder};
use super::dialect::Dialect;
use super::formats::Delimiter;
use super::lines;
use super::names;
use super::notes::Note;
use super::number::{self, Fault};
use super::options::{Column, Options};
use super::plain_rows::PlainRows;
use super::problem::{Place, Why, shorten};
use super::rows::{Record, RowSplitter};
use super::sample::Sample;
use super::splitter::{RawRecord, RecordSplitter};
use super::tally::Tally;
use super::value::{Pick, Value};
use packscope_core::error::Error;
use packscope_core::words::plural;

/// Returns a reader of a table of this dialect that begins with `head`, which is all of it if `complete`.
pub(super) fn table<const K: usize>(
    dialect: &Dialect,
    options: Options,
    (head, complete): (&[u8], bool),
) -> SplitDecoder<Sizes<K>> {
    let (delimiter, titles) = (dialect.delimiter, dialect.titles);
    let rows = || match dialect.words {
        Some(words) => RowSplitter::words(words, lines::is_silent),
        None => RowSplitter::new(delimiter, lines::is_silent, head),
    };
    let sizes = Sizes {
        columns: None,
        texts: false,
        fractions: false,
        computed: Vec::new(),
        options,
        delimiter,
        sample: Sample::new((delimiter, rows()), head, complete),
        above: titles,
        titles,
        sums: [0; 3],
        apart: None,
    };
    SplitDecoder {
        cut: RecordSplitter::Table(Box::new(rows())),
        of: sizes,
    }
}

#[derive(Debug)]
pub(super) struct Sizes<const K: usize> {
    columns: Option<ColumnIndices<K>>,
    /// Whether the sizes are texts, to be measured.
    texts: bool,
    /// Whether a size has a fraction below 1, so that points do not separate thousands.
    fractions: bool,
    /// Computed columns, after those of the table.
    computed: Vec<FormulaColumns>,
    options: Options,
    delimiter: Delimiter,
    sample: Sample,
    /// Lines above the table, and the number of them still to come.
    above: usize,
    titles: usize,
    /// The sizes and the counts of the rows so far, added up, and the number of rows.
    sums: [u64; 3],
    /// Of a reader of records some way behind others.
    apart: Option<LaterRows>,
}

/// A reader that does not know all rows before its own.
#[derive(Debug, Clone, Copy)]
struct LaterRows {
    /// The sums that it began with: at most those of the rows before.
    from: [u64; 3],
    /// Whether a row may be the total or the mean of those before it.
    has_total: bool,
}

impl<const K: usize> RecordSink<K> for Sizes<K> {
    fn take(&mut self, place: Place, raw: RawRecord<'_>, tally: &mut Tally<K>) {
        if let RawRecord::Row(row) = raw {
            self.row(place.line, row, tally);
        }
    }

    fn take_plain(&mut self, delimiter: u8, bytes: &[u8], tally: &mut Tally<K>) -> (u64, usize) {
        let Some(form) = self.plain_rows(delimiter, tally) else {
            return (0, 0);
        };
        let (mut rows, mut read) = (0, 0);
        while let Some(row) = form.first(&bytes[read..]) {
            let [sizes, counts, all] = self.sums;
            // A row with a name may be the total of those before it.
            if row.has_letters && u64::from(row.length) >= sizes {
                break;
            }
            self.sums = [
                sizes.saturating_add(u64::from(row.length)),
                counts.saturating_add(1),
                all.saturating_add(1),
            ];
            tally.add([row.length; K], 1);
            (rows, read) = (rows + 1, read + row.read);
        }
        (rows, read)
    }

    fn copy(&self) -> Option<Self> {
        // The first row chooses the columns.
        self.columns?;
        Some(Self {
            columns: self.columns,
            computed: self.computed.clone(),
            options: self.options.clone(),
            sample: Sample::default(),
            apart: Some(LaterRows {
                from: self.sums,
                has_total: false,
            }),
            ..*self
        })
    }

    fn sums(&self) -> [u64; 3] {
        self.sums
    }

    fn follows(&mut self, before: [u64; 3]) -> bool {
        let Some(LaterRows { from, has_total }) = self.apart.take() else {
            return false;
        };
        for ((sum, from), before) in self.sums.iter_mut().zip(from).zip(before) {
            *sum = before.saturating_add(*sum - from);
        }
        !has_total
    }
}

impl<const K: usize> Sizes<K> {
    /// Returns the form of rows that are one length each, in digits; `None` if rows are more than that.
    fn plain_rows(&self, delimiter: u8, tally: &Tally<K>) -> Option<PlainRows> {
        let ColumnIndices {
            sizes, count: None, ..
        } = self.columns.as_ref()?
        else {
            return None;
        };
        let width = tally.description.width as usize;
        // Computed lengths have indices after those of the table.
        let length = match sizes[..] {
            [length] if !self.texts && length < width => length,
            _ => return None,
        };
        Some(PlainRows {
            delimiter,
            width,
            length,
        })
    }

    fn row(&mut self, line: u64, cells: &Record, tally: &mut Tally<K>) {
        let Some(columns) = self.columns else {
            return self.choose_columns(line, cells, tally);
        };
        let width = tally.description.width as usize;
        // A trailing delimiter adds an empty cell.
        let fits = cells.len() == width || (cells.len() > width && cells.cells().len() <= width);
        // A text in the only column may have commas in it.
        if !fits && (width > 1 || !self.texts) {
            return tally.fail(ragged(line, cells.len(), width));
        }
        let mut size = [0; K];
        for (k, (slot, at)) in size.iter_mut().zip(columns.sizes).enumerate() {
            // Computed columns have indices after those of the table.
            let one = at
                .checked_sub(tally.description.width as usize)
                .and_then(|one| self.computed.get(one));
            let size = match one {
                Some(one) => self.compute(one, cells, k, tally),
                None if self.texts => self
                    .words(cells, at, tally)
                    .map_err(|why| (at, (None, why))),
                None => {
                    match self.number(
                        cells.get(at),
                        |text| number::size(text, u32::from(k == 0)),
                        Fault::Wrong,
                    ) {
                        Ok(n) => Ok(n),
                        Err(fault) => return self.wrong((line, at, k), fault, cells, tally),
                    }
                }
            };
            match size {
                Ok(n) => *slot = n,
                Err((at, (found, why))) => {
                    return tally.problem(
                        cell(line, at),
                        found.as_deref().unwrap_or(cells.get(at)),
                        why,
                    );
                }
            }
        }
        // The count is parsed before the size is added: the row counts as one problem only.
        let count = columns
            .count
            .map(|at| (at, self.number(cells.get(at), number::count, Why::Count)));
        let number = count
            .as_ref()
            .map_or(Some(1), |(_, count)| count.as_ref().ok().copied());
        // Before `add`: a total would double the number of items.
        if self.is_total(&columns, cells, size[0], number) {
            let message =
                "this row is called a total or a mean, or has no name, and its number is that of the rows before; leave it out"
                    .to_owned();
            return tally.fail(Error::Input {
                place: format!("line {line}"),
                message,
            });
        }
        let Some((at, count)) = count else {
            return tally.add(size, 1);
        };
        match count {
            Ok(count) => tally.add(size, count),
            Err(why) => tally.problem(cell(line, at), cells.get(at), why),
        }
    }

    /// Whether a row is the total of the rows before it: by its number, and by a name in another
    /// cell. Adds the row to the sums.
    fn is_total(
        &mut self,
        columns: &ColumnIndices<K>,
        cells: &Record,
        size: u32,
        count: Option<u64>,
    ) -> bool {
        let [sizes, counts, rows] = self.sums;
        let is_apart = self.apart.is_some();
        // Apart, the sums are too small, so that more rows may be totals.
        let is_sum = (sizes > 0 || is_apart)
            && (u64::from(size) >= sizes
                || (columns.count.is_some() && count.is_some_and(|n| n >= counts)));
        let is_other = |at: &usize| !columns.sizes.contains(at) && columns.count != Some(*at);
        // Spreadsheets leave the name before a sum empty; two rows may be alike by chance.
        let is_exact = (u64::from(size) == sizes && rows > 2) || (is_apart && is_sum);
        // Rounded, a mean is off by less than one item's worth.
        let is_mean =
            is_apart || (rows > 1 && u64::from(size).saturating_mul(rows).abs_diff(sizes) <= rows);
        let names_total = |at: usize| {
            if !is_sum && !may_be_mean(cells.get(at)) {
                return false;
            }
            let name = lines::lossy(cells.get(at)).to_lowercase();
            let name = name.trim_matches(|c: char| !c.is_alphabetic());
            (is_exact && at == 0 && name.is_empty() && cells.get(at).is_empty())
                || (is_sum && TOTALS.contains(&name))
                || (is_mean && MEANS.contains(&name))
        };
        let places = || (0..cells.len().min(LOOKED_AT)).filter(is_other);
        self.sums = [
            sizes.saturating_add(u64::from(size)),
            counts.saturating_add(count.unwrap_or(0)),
            rows.saturating_add(1),
        ];
        let is_total = (is_sum || is_mean) && places().any(names_total);
        match &mut self.apart {
            Some(apart) => {
                apart.has_total |= is_total;
                false
            }
            None => is_total,
        }
    }

    /// Reports a cell that is not a size; a second header, and thousands separated by points, end the reading.
    fn wrong(
        &self,
        (line, at, k): (u64, usize, usize),
        fault: Fault,
        row: &Record,
        tally: &mut Tally<K>,
    ) {
        let text = row.get(at);
        let is_point =
            self.delimiter != Delimiter::Semicolon && !self.fractions && number::is_in_points(text);
        let names: Vec<&String> = tally.description.columns.iter().flatten().collect();
        let cells: Vec<String> = row.cells().iter().map(|cell| lines::lossy(cell)).collect();
        let is_name = !text.iter().any(u8::is_ascii_digit);
        let is_other = is_name
            && names
                .get(at)
                .is_some_and(|name| **name != lines::lossy(text))
            && (cells.iter().all(|cell| names.contains(&cell))
                || names::is_known(&lines::lossy(text)));
        let message = match () {
            () if is_point => number::POINTS,
            () if is_other => {
                "this is a header, and another than the first; bring the tables one by one"
            }
            () => return tally.problem(cell(line, at), text, tally.wrong(k, fault)),
        };
        tally.fail(Error::Input {
            place: format!("line {line}"),
            message: message.to_owned(),
        });
    }

    fn words(&self, cells: &Record, at: usize, tally: &mut Tally<K>) -> Result<u32, Why> {
        // A table of one column is text, not split at its commas.
        let is_split = tally.description.width == 1 && cells.cells().len() > 1;
        let text = if is_split {
            cells.cells().join(&b", "[..])
        } else {
            cells.get(at).to_vec()
        };
        text_size(&text, tally)
    }

    /// Computes a size, or returns the cell at fault, with its text if not the whole cell, and the reason.
    fn compute(
        &self,
        one: &FormulaColumns,
        cells: &Record,
        k: usize,
        tally: &mut Tally<K>,
    ) -> Result<u32, (usize, CellFault)> {
        let number = |at: usize| {
            let whole = self
                .number(cells.get(at), number::count, Why::Count)
                .ok()
                .map(Value::Whole);
            operand(whole.or_else(|| number::real(cells.get(at)).map(Value::Real))?)
        };
        let value = one.value(number).map_err(|at| {
            let name = tally
                .description
                .columns
                .iter()
                .flatten()
                .nth(at)
                .map(|name| format!("\"{name}\""));
            (
                at,
                (
                    None,
                    Why::Operand(name.unwrap_or_else(|| format!("column {}", at + 1))),
                ),
            )
        })?;
        measured(value, k, false, tally).map_err(|found| (one.of[0], found))
    }

    /// Parses a number; between semicolons, commas may be decimal marks and points may separate thousands.
    fn number<T, E>(
        &self,
        text: &[u8],
        parse: impl Fn(&[u8]) -> Result<T, E>,
        wrong: E,
    ) -> Result<T, E> {
        // "1.234" or "1,234" may be a thousand or a fraction in files of either region.
        let is_either = self.delimiter == Delimiter::Semicolon
            && text.iter().any(|b| matches!(b, b',' | b'.'))
            && number::is_in_thousands(text);
        if is_either { Err(wrong) } else { parse(text) }
    }

    /// Decides from the first record, which may be the header, on the columns to read.
    fn choose_columns(&mut self, line: u64, row: &Record, tally: &mut Tally<K>) {
        let mut cells = row.cells();
        if self.titles > 0 {
            self.titles -= 1;
            return tally.note(Note::Title {
                text: shorten(cells.first().copied().unwrap_or_default()),
            });
        }
        let below = |at| self.sample.column("", at, self.above + 1).is_whole();
        let header = self
            .options
            .header
            .unwrap_or_else(|| columns::is_header(&cells, &self.options, below));
        if header {
            // A last column without a name counts as one if it has values.
            let held = row.len().min(self.sample.width()).max(cells.len());
            cells.resize(held, &[]);
        }
        let from = self.above + usize::from(header);
        // Rows with one cell more than the header: R's names of rows, or a name that is missing.
        match self.sample.names_rows(cells.len(), from) {
            Some(true) if header => cells.insert(0, &[]),
            None if header => {
                let (place, message) = (format!("line {line}"), MORE_CELLS.to_owned());
                return tally.fail(Error::Input { place, message });
            }
            _ => {}
        }
        let names = header.then(|| cells.iter().map(|c| lines::lossy(c)).collect::<Vec<_>>());
        let no_names = || vec![String::new(); cells.len()];
        let mut seen = self
            .sample
            .columns(&names.clone().unwrap_or_else(no_names), from);
        let all = seen
            .iter()
            .map(|column| column.name.clone())
            .collect::<Vec<_>>();
        match FormulaColumns::find(&self.options, &all) {
            Ok(computed) => self.computed = computed,
            Err(error) => return tally.fail(error),
        }
        tally.offers(column_stats::offered(&seen, true));
        computed::add_computed_columns(&mut seen, &self.computed);
        let chosen = match &names {
            Some(_) => columns::named(&seen, &self.options, line, tally),
            None if K == 1 && self.sample.uniq && cells.len() == 2 && self.is_free() => {
                tally.note(Note::Uniq);
                Ok(ColumnIndices {
                    sizes: [1; K],
                    count: Some(0),
                    // Checked at the end: of sorted lines, `uniq -c` never prints a value twice.
                    if_distinct: true,
                })
            }
            None if self.is_manifest(&seen) => Ok(ColumnIndices {
                sizes: [1; K],
                count: None,
                if_distinct: false,
            }),
            None => columns::unnamed(&seen, &self.options, line, tally),
        };
        match chosen {
            Err(error) => tally.fail(error),
            Ok(columns) => {
                self.texts = names.is_some() && columns::are_texts(&seen, &columns);
                let is_fraction =
                    |cell: &Cell| matches!(cell, Cell::Real(x) if *x > 0.0 && *x < 1.0);
                let mut sizes = columns.sizes.iter().filter_map(|at| seen.get(*at));
                self.fractions = sizes.any(|size| size.cells.iter().any(is_fraction));
                tally.once |= columns.if_distinct;
                self.describe(columns, cells.len(), names.as_deref(), tally);
            }
        }
        // Without a header the first record is data.
        if !header && self.columns.is_some() {
            self.row(line, row, tally);
        }
    }

    /// Whether this is a manifest of fairseq: a folder, followed by files with their numbers of samples.
    fn is_manifest(&self, columns: &[ColumnStats]) -> bool {
        let is_files = |names: &ColumnStats, numbers: &ColumnStats| {
            names.holds == Holds::Texts && numbers.is_whole()
        };
        K == 1
            && (self.above, self.delimiter) == (1, Delimiter::Tab)
            && self.is_free()
            && matches!(columns, [names, numbers] if is_files(names, numbers) && numbers.holds == Holds::Numbers)
    }

    fn is_free(&self) -> bool {
        self.options.sizes.is_empty() && self.options.count.is_none()
    }

    fn describe(
        &mut self,
        columns: ColumnIndices<K>,
        width: usize,
        names: Option<&[String]>,
        tally: &mut Tally<K>,
    ) {
        let computed = |i: usize| i.checked_sub(width).and_then(|one| self.computed.get(one));
        let column = |i: usize| match (computed(i), names) {
            (Some(one), _) => Column::Name(one.text.clone()),
            (None, Some(names)) => Column::Name(shorten(names[i].as_bytes())),
            (None, None) => Column::Number(u32::try_from(i + 1).unwrap_or(u32::MAX)),
        };
        tally.selected(
            columns.sizes.map(column).to_vec(),
            columns.count.map(column),
        );
        tally.description.width = u32::try_from(width).unwrap_or(u32::MAX);
        tally.description.columns = names.map(|n| {
            n.iter()
                .take(100)
                .map(|name| shorten(name.as_bytes()))
                .collect()
        });
        tally.computes(!self.computed.is_empty());
        self.columns = Some(columns);
    }
}

/// Names of a last row that adds up the others, and the first cells, in which they are looked for.
const TOTALS: [&str; 12] = [
    "total",
    "totals",
    "grand total",
    "subtotal",
    "sum",
    "overall",
    "all",
    "gesamt",
    "summe",
    "somme",
    "suma",
    "σ",
];
const MEANS: [&str; 4] = ["mean", "average", "avg", "mittelwert"];
const LOOKED_AT: usize = 8;

/// Whether a cell may be one of [`MEANS`]: by its first letter, as it is asked of every row.
fn may_be_mean(cell: &[u8]) -> bool {
    let first = cell
        .iter()
        .find(|b| b.is_ascii_alphabetic() || !b.is_ascii());
    first.is_some_and(|b| matches!(b, b'm' | b'M' | b'a' | b'A') || !b.is_ascii())
}

/// The message for rows of numbers that are longer than the header.
const MORE_CELLS: &str = "every row has a cell more than the header, which may be the first or the last; expected a name \
                          for each column";

/// Returns the error for a row with more or fewer cells than the first.
fn ragged(line: u64, cells: usize, width: usize) -> Error {
    let message = format!(
        "this row has {}, and the first has {width}; expected as many: a cell with a comma in it stands in quotes, as pandas and csv.writer write it",
        plural(cells as u64, "cell")
    );
    Error::Input {
        place: format!("line {line}"),
        message,
    }
}

/// Measures a text in words, or a list of tokens by its elements.
fn text_size<const K: usize>(text: &[u8], tally: &mut Tally<K>) -> Result<u32, Why> {
    let list = || {
        Pick::All
            .look(text)
            .ok()
            .filter(|value| matches!(value, Value::Elements(_)))
    };
    let n = match Value::of_text(text) {
        Value::Data => match list() {
            Some(Value::Elements(n)) => {
                tally.note(Note::Elements);
                n
            }
            _ => return Err(Why::Refused(DATA.to_owned())),
        },
        Value::Words(words) => {
            tally.words();
            words
        }
        _ => return Err(Why::NoSpaces),
    };
    number::narrow(n, 1).ok_or(Why::NoLength)
}

fn cell(line: u64, at: usize) -> Place {
    Place::line(line, at as u64 + 1)
}
