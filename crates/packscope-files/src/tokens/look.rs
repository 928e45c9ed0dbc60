//! A preview of a file, before it is counted.

use super::columns::TableHeader;
use super::fields::{Fields, Wrong, usual};
use super::measure::TextMeasure;
use super::options::{CountOptions, FilePreview, Preview, TextField};
use super::template::Template;
use super::writer::{RecordWriter, SpecialTokens};
use crate::ingest::parts::{LOOKED_AT, Place, RawRecord, Raws, Stream, damage};
use crate::ingest::{Format, Problem, Source, Why};
use packscope_core::error::{Error, Result};
use std::borrow::Cow;
use std::io::Read;

/// The most records that are examined.
const RECORDS: u32 = 20;
/// Bytes examined if the first record is long.
const LONG: usize = 4 << 20;
/// The most tokens that are shown.
const SHOWN: usize = 400;

/// Examines the beginning of a source: 64 KiB, decompressed; 4 MiB if the first record is longer. `writer` writes the text of
/// the preview, where the template does not.
///
/// # Errors
/// [`Error::Input`] when it is binary, damaged or empty.
pub fn look(
    source: &dyn Source,
    measure: &dyn TextMeasure,
    (options, writer): (&CountOptions, Option<&RecordWriter<'_>>),
) -> Result<FilePreview> {
    let mut head = Head::read(source, LOOKED_AT)?;
    // A record longer than the usual beginning has not ended in it.
    if head.count(options)? == 0 {
        head = Head::read(source, LONG)?;
    }
    let mut fields: Vec<TextField> = Vec::new();
    let (raws, columns) = head.records(options, |record| {
        for field in record.map(|record| record.texts()).unwrap_or_default() {
            if !fields.iter().any(|known| known.name == field.name) {
                fields.push(field);
            }
        }
    })?;
    let template = usual(&fields);
    let chosen = options.template.as_ref().unwrap_or(&template);
    // A second pass: the usual template depends on the fields of all first records.
    let mut preview = None;
    head.records(options, |record| {
        preview.get_or_insert_with(|| {
            record.and_then(|r| show(&r, (chosen, writer), measure, options.special))
        });
    })?;
    // The place is that of no record in the file, and is not shown.
    let message = |(text, why): Wrong| {
        Problem::new(Place::line(1, 1), text.unwrap_or_default().as_bytes(), why).message()
    };
    let preview = preview
        .unwrap_or(Err((None, Why::NoTokens)))
        .map_err(message);
    let is_table = raws.format == Format::Table;
    Ok(FilePreview {
        format: raws.format,
        delimiter: is_table.then_some(raws.delimiter),
        header: columns.header,
        fields,
        template,
        preview,
    })
}

struct Head {
    bytes: Vec<u8>,
    complete: bool,
}

impl Head {
    fn read(source: &dyn Source, length: usize) -> Result<Self> {
        let (mut texts, mut bytes) = (Stream::open(source, None)?, Vec::new());
        // One more byte shows whether the source has ended.
        let read = texts
            .by_ref()
            .take(length as u64 + 1)
            .read_to_end(&mut bytes);
        read.map_err(|error| damage(error, texts.position()))?;
        if bytes.is_empty() {
            let message = "it is empty; expected text, JSON Lines, JSON or a table".to_owned();
            return Err(Error::Input {
                place: "the input".to_owned(),
                message,
            });
        }
        let complete = bytes.len() <= length;
        bytes.truncate(length);
        Ok(Self { bytes, complete })
    }

    /// Returns the number of complete records, at most [`RECORDS`].
    fn count(&self, options: &CountOptions) -> Result<u64> {
        let mut records = 0;
        self.records(options, |_| records += 1)?;
        Ok(records)
    }

    /// Calls `each` for the first records, and returns how they were parsed.
    fn records(
        &self,
        options: &CountOptions,
        mut each: impl FnMut(Result<Fields<'_>, Wrong>),
    ) -> Result<(Raws, TableHeader)> {
        let head = &self.bytes[..self.bytes.len().min(LOOKED_AT)];
        let mut raws = Raws::new(
            head,
            self.complete && head.len() == self.bytes.len(),
            options.format,
            options.delimiter,
        )?;
        let mut columns = TableHeader::new(options.header);
        let mut seen = 0;
        let mut record = |what: Result<RawRecord<'_>, (&[u8], Why)>| {
            if let Ok(RawRecord::Row(row)) = what
                && columns.are_unknown()
                && columns.learn(row)
            {
                return;
            }
            seen += 1;
            if seen <= RECORDS {
                let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
                let what = what.map_err(|(text, why)| (Some(shown(text)), why));
                each(what.and_then(|raw| Fields::parse(raw, columns.names())));
            }
        };
        raws.push(&self.bytes[raws.mark..], |(_, what)| record(what));
        // A record cut by the head does not count, unless it is the only one.
        if self.complete {
            raws.finish(|(_, what)| record(what));
        }
        Ok((raws, columns))
    }
}

fn show(
    record: &Fields<'_>,
    (template, writer): (&Template, Option<&RecordWriter<'_>>),
    measure: &dyn TextMeasure,
    special: bool,
) -> Result<Preview, Wrong> {
    let ((text, pair), special) = match writer {
        Some(writer) => {
            let written =
                (writer.write)(&record.json()).map_err(|why| (None, Why::Refused(why)))?;
            let adds = writer.specials == SpecialTokens::Added;
            ((Cow::Owned(written), None), adds)
        }
        None => (record.fill(template)?, special),
    };
    let refused = |why| (Some(text.clone().into_owned()), Why::NotTokenized(why));
    let tokens = measure
        .tokens_of(&text, pair.as_deref(), special)
        .map_err(refused)?;
    let pieces = measure
        .pieces_of(&text, pair.as_deref(), special, SHOWN)
        .map_err(refused)?;
    Ok(Preview { tokens, pieces })
}
