//! Which tokens of each row of Parquet or Arrow bear loss: of data sets that Hugging Face keeps, and that trainers have
//! prepared.

use super::record::{self, add_to};
use super::{
    FieldKind, Labels, ReadOptions, SupervisedProgress, SupervisedRecord, SupervisedVisitor,
    TOKENS, labels_among, source_among,
};
use crate::ingest::parquet::typed_rows;
use crate::ingest::parts::{FieldValue, Holds, Place, RowSink, Tally, TypedRows};
use crate::ingest::{File, Ingested, Why};
use packscope_core::error::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

/// Returns the columns that tell which tokens bear loss, and the one that names where a row is from; `None` if none tells, and
/// unless all files are Parquet or Arrow.
///
/// # Errors
/// [`Error::Input`] when a file is damaged.
pub fn found_in_columns(files: &[File<'_>]) -> Result<Option<(Labels, Option<String>)>> {
    let opened = typed_rows(files)?;
    let Some(first) = opened.as_ref().and_then(|opened| opened.first()) else {
        return Ok(None);
    };
    let fields: Vec<(String, FieldKind)> = first
        .table()
        .fields
        .iter()
        .map(|column| {
            let kind = match column.holds {
                Holds::Lists => FieldKind::List,
                Holds::Numbers => FieldKind::Number,
                Holds::Texts => FieldKind::Text,
                Holds::Other(_) => FieldKind::Other,
            };
            (column.name.clone(), kind)
        })
        .collect();
    // Texts in columns are counted by no tokenizer here.
    let labels = labels_among(&fields).filter(|labels| *labels != Labels::Texts);
    Ok(labels.map(|labels| (labels, source_among(&fields))))
}

/// Goes through the rows of files that [`found_in_columns`] knows, as [`read`](super::read) does through records. O(bytes) time,
/// memory for one group of rows.
///
/// # Errors
/// Errors of `each`; [`Error::Input`] where a file is damaged or lacks a column, or no row is usable.
pub fn read_columns(
    files: &[File<'_>],
    options: &ReadOptions,
    labels: &Labels,
    progress: &mut SupervisedProgress<'_>,
    each: &mut SupervisedVisitor<'_>,
) -> Result<Ingested> {
    let mut tally = Tally::new();
    options
        .sample
        .into_iter()
        .for_each(|records| tally.want(records));
    let of = files.iter().map(|file| file.source.size()).sum();
    let mut reading = ColumnReading {
        labels,
        columns: WantedColumns::default(),
        tally,
        rows: 0,
        spans: Vec::new(),
        position: (0, of),
        ended: false,
        progress,
        each,
    };
    for (mut rows, file) in typed_rows(files)?
        .unwrap_or_default()
        .into_iter()
        .zip(files)
    {
        let (columns, wanted) = WantedColumns::find(rows.as_ref(), labels, options)
            .map_err(|error| error.within_place(file.name))?;
        reading.columns = columns;
        reading.tally.description.format = rows.table().format;
        rows.typed_rows(&wanted, &mut reading)
            .and_then(|()| reading.tally.check())
            .map_err(|error| error.within_place(file.name))?;
        reading.position.0 += file.source.size();
        if reading.ended {
            break;
        }
    }
    let mut tally = reading.tally;
    tally.description.bytes = of;
    let mut read = tally.finish()?;
    read.description.sizes = labels.columns();
    Ok(read)
}

/// The places of columns among those that are read.
#[derive(Debug, Clone, Copy, Default)]
struct WantedColumns {
    /// Lists of tokens, which have as many elements as the labels.
    tokens: Option<usize>,
    /// The field that names where a row is from.
    source: Option<usize>,
}

impl WantedColumns {
    /// Returns the places, and the columns to read: first those of the labels.
    fn find(
        rows: &dyn TypedRows,
        labels: &Labels,
        options: &ReadOptions,
    ) -> Result<(Self, Vec<usize>)> {
        let fields = &rows.table().fields;
        let place = |name: &str| fields.iter().position(|column| column.name == name);
        let mut wanted = Vec::new();
        for name in labels.names() {
            wanted.push(place(name).ok_or_else(|| Error::Input {
                place: "the columns".to_owned(),
                message: format!("there is no \"{name}\"; expected the same columns in all files"),
            })?);
        }
        let mut also = |at: Option<usize>| {
            at.map(|at| {
                wanted.push(at);
                wanted.len() - 1
            })
        };
        // Lengths of a prompt and its response are told by themselves.
        let beside = match labels {
            Labels::Ignored { .. } | Labels::Mask { .. } => TOKENS.into_iter().find_map(place),
            Labels::Pair { .. } | Labels::Texts => None,
        };
        let columns = Self {
            tokens: also(beside),
            source: also(options.source.as_deref().and_then(place)),
        };
        Ok((columns, wanted))
    }
}

/// The reading of rows.
struct ColumnReading<'r, 'p, 'v> {
    labels: &'r Labels,
    columns: WantedColumns,
    tally: Tally<1>,
    rows: u64,
    spans: Vec<Range<u32>>,
    /// Bytes of the files before, and of all.
    position: (u64, u64),
    ended: bool,
    progress: &'r mut SupervisedProgress<'p>,
    each: &'r mut SupervisedVisitor<'v>,
}

impl ColumnReading<'_, '_, '_> {
    /// Returns the tokens of a row, and writes its spans.
    fn tokens(&mut self, values: &[FieldValue]) -> std::result::Result<u32, Why> {
        self.spans.clear();
        let none = &FieldValue::Other;
        let value = |at: usize| values.get(at).unwrap_or(none);
        let Some(ignored) = self.labels.ignored() else {
            let [prompt, response] = [0, 1].map(|at| record::length(value(at)));
            let names = self.labels.names();
            // Texts have no names: no column tells.
            let missing = names.get(usize::from(prompt.is_some()));
            let no_number =
                || missing.map_or(Why::UnknownFields, |name| Why::NoNumber((*name).clone()));
            let (prompt, response) = prompt.zip(response).ok_or_else(no_number)?;
            return record::pair(prompt, response, &mut self.spans);
        };
        let FieldValue::Numbers(list) = value(0) else {
            let message = "it has no list of labels; expected one number for each token";
            return Err(Why::Refused(message.to_owned()));
        };
        if list.iter().any(|x| x.is_nan()) {
            return Err(Why::Refused(
                "an element has no number; expected one number for each token".to_owned(),
            ));
        }
        let trained = list.iter().enumerate().filter(|(_, x)| **x != ignored);
        for (at, _) in trained {
            add_to(
                &mut self.spans,
                u32::try_from(at).map_err(|_| Why::TooLong)?,
            );
        }
        let tokens = self.columns.tokens.and_then(|at| match value(at) {
            FieldValue::Numbers(tokens) => Some(tokens.len() as u64),
            _ => None,
        });
        record::labelled(list.len() as u64, tokens)
    }
}

impl RowSink<FieldValue> for ColumnReading<'_, '_, '_> {
    fn row(&mut self, values: &[FieldValue]) -> bool {
        self.rows += 1;
        match self.tokens(values) {
            Ok(tokens) => {
                let source = self.columns.source.map(|at| match values.get(at) {
                    Some(FieldValue::Text(text)) => String::from_utf8_lossy(text),
                    Some(FieldValue::Number(x)) => Cow::Owned(x.to_string()),
                    _ => Cow::Borrowed(""),
                });
                let item = SupervisedRecord {
                    tokens,
                    spans: &self.spans,
                    source: source.as_deref(),
                };
                if let Err(error) = (self.each)(item) {
                    self.tally.fail(error);
                    self.ended = true;
                    return true;
                }
                self.tally.add([tokens], 1);
            }
            Err(why) => self.tally.problem(Place::row(self.rows), b"", why),
        }
        self.ended = self.tally.is_full();
        self.ended
    }

    fn reached(&mut self, position: u64) -> bool {
        let (before, of) = self.position;
        self.ended |= (self.progress)(before.saturating_add(position).min(of), of).is_break();
        self.ended
    }
}
