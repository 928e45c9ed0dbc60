//! Token lengths of records, from bytes in chunks.

use super::characters::Characters;
use super::columns::TableHeader;
use super::fields::{Fields, Wrong};
use super::look::look;
use super::measure::TextMeasure;
use super::options::CountOptions;
use super::template::Template;
use super::writer::{RecordWriter, SpecialTokens};
use crate::ingest::parts::{LOOKED_AT, Place, RawRecord, Raws, Record, Stream, Tally, shorten};
use crate::ingest::{self, Column, Format, Ingested, Note, RecordVisitor, Source, Why};
use packscope_core::error::{Error, Result};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Bytes read at once, which take a tokenizer some hundredths of a second.
const CHUNK: usize = 256 << 10;

/// Counts the tokens of records, from bytes in chunks. The result does not depend on where the
/// chunks are cut.
pub struct Counter<'t> {
    raws: Option<Raws>,
    head: Vec<u8>,
    options: CountOptions,
    reading: CountState<'t>,
}

/// The parameters of counting, and the results so far.
struct CountState<'t> {
    measure: &'t dyn TextMeasure,
    template: Template,
    /// Whether the tokenizer adds special tokens.
    special: bool,
    columns: TableHeader,
    tally: Tally<1>,
    tokens: u64,
    each: Option<Box<dyn FnMut(u32) + 't>>,
    /// Writes the texts in place of the template.
    writer: Option<RecordWriter<'t>>,
}

impl<'t> Counter<'t> {
    /// Creates a counter that uses a tokenizer, called `name` in the description, or an estimate. Without a template, whole
    /// records are counted; [`look`](super::look()) finds a default template.
    pub fn new(measure: &'t dyn TextMeasure, name: &str, options: &CountOptions) -> Self {
        let mut tally = Tally::new();
        options
            .sample
            .into_iter()
            .for_each(|records| tally.want(records));
        let template = options.template.clone().unwrap_or_else(Template::whole);
        for note in measure.opening_notes(name, &template, options) {
            tally.note(note);
        }
        let fields = template.names().filter(|name| !name.is_empty());
        tally.description.sizes = fields.map(|name| Column::Name(name.to_owned())).collect();
        let columns = TableHeader::new(options.header);
        let reading = CountState {
            measure,
            template,
            special: options.special,
            columns,
            tally,
            tokens: 0,
            each: None,
            writer: None,
        };
        Self {
            raws: None,
            head: Vec::new(),
            options: options.clone(),
            reading,
        }
    }

    /// Calls `each` with every length in the order of the input, and with 0 for a skipped record to keep them aligned.
    #[must_use]
    pub fn telling(mut self, each: impl FnMut(u32) + 't) -> Self {
        self.reading.each = Some(Box::new(each));
        self
    }

    /// Counts the texts of a writer, if there is one, in place of a template. Rows of tables are converted to JSON.
    #[must_use]
    pub fn writing(mut self, writer: Option<&RecordWriter<'t>>) -> Self {
        let Some(writer) = writer else { return self };
        let reading = &mut self.reading;
        for note in &mut reading.tally.description.notes {
            if let Note::Tokens { texts, special, .. } = note {
                *texts = vec![writer.words.to_owned()];
                *special = writer.specials != SpecialTokens::Left;
            }
        }
        reading.tally.description.sizes.clear();
        reading.special = writer.specials == SpecialTokens::Added;
        reading.writer = Some(*writer);
        self
    }

    /// Reads the next bytes, decompressed.
    ///
    /// # Errors
    /// As [`finish`](Self::finish), as soon as the rest of the input cannot change the error.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.reading.tally.description.bytes += bytes.len() as u64;
        if self.raws.is_some() {
            self.decode(bytes);
        } else {
            self.head.extend_from_slice(bytes);
            if self.head.len() >= LOOKED_AT {
                self.begin(false)?;
            }
        }
        self.reading.tally.check()
    }

    /// Ends the input and returns the lengths.
    ///
    /// # Errors
    /// [`Error::Input`] when the input is binary or empty, when it lacks a column of the template, or when no record is
    /// usable.
    pub fn finish(mut self) -> Result<Ingested> {
        if self.raws.is_none() {
            self.begin(true)?;
        }
        let Self { raws, reading, .. } = &mut self;
        if let Some(raws) = raws {
            raws.finish(|(place, what)| reading.record(place, what));
        }
        self.reading.end()
    }

    /// Returns the lengths so far, as a sample: `read` of the `of` bytes of an input.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn so_far(&self, read: u64, of: u64) -> Result<Ingested> {
        let mut ingested = self.reading.tally.so_far()?;
        let closing = self.reading.measure.closing_note();
        ingested.description.notes.extend(closing);
        ingested.description.notes.push(Note::Sample { read, of });
        Ok(ingested)
    }

    /// Returns the number of records so far, and of their tokens.
    pub fn counted(&self) -> (u64, u64) {
        (self.reading.tally.description.records, self.reading.tokens)
    }

    /// Whether there were more records than [`CountOptions::sample`].
    pub fn is_full(&self) -> bool {
        self.reading.tally.is_full()
    }

    fn begin(&mut self, complete: bool) -> Result<()> {
        let head = std::mem::take(&mut self.head);
        // Exactly as many as other readers look at, whatever came in the first chunk.
        let looked_at = head.len().min(LOOKED_AT);
        let complete = complete && looked_at == head.len();
        let raws = Raws::new(
            &head[..looked_at],
            complete,
            self.options.format,
            self.options.delimiter,
        )?;
        let description = &mut self.reading.tally.description;
        // Numbers as texts are lines to be counted in tokens.
        description.format = if raws.format == Format::Numbers {
            Format::Text
        } else {
            raws.format
        };
        description.delimiter = (raws.format == Format::Table).then_some(raws.delimiter);
        let mark = raws.mark;
        self.raws = Some(raws);
        self.decode(&head[mark..]);
        Ok(())
    }

    fn decode(&mut self, bytes: &[u8]) {
        let Self {
            raws: Some(raws),
            reading,
            ..
        } = self
        else {
            return;
        };
        raws.push(bytes, |(place, what)| reading.record(place, what));
    }
}

impl CountState<'_> {
    /// Ends the reading, and adds what only all texts together tell.
    fn end(mut self) -> Result<Ingested> {
        if let Some(note) = self.measure.closing_note() {
            self.tally.note(note);
        }
        self.tally.finish()
    }

    fn record(&mut self, place: Place, what: Result<RawRecord<'_>, (&[u8], Why)>) {
        // No records are counted after the sample.
        if self.tally.is_full() || self.tally.check().is_err() {
            return;
        }
        let raw = match what {
            Ok(RawRecord::Row(row))
                if self.columns.are_unknown() && self.read_header(place, row) =>
            {
                return;
            }
            Ok(raw) => raw,
            Err((text, why)) => {
                self.tally.problem(place, text, why);
                // 0 keeps the lengths aligned with the records.
                return self.tell(0);
            }
        };
        match self.length(raw) {
            Ok(length) => {
                self.tokens += u64::from(length);
                self.tally.add([length], 1);
                self.tell(length);
            }
            Err((found, why)) => {
                let found = found
                    .as_deref()
                    .map_or_else(|| unreadable_text(raw), str::as_bytes);
                self.tally.problem(place, found, why);
                self.tell(0);
            }
        }
    }

    /// Calls back with the length of a record, unless it came after the sample.
    fn tell(&mut self, length: u32) {
        if let (Some(each), false) = (&mut self.each, self.tally.is_full()) {
            each(length);
        }
    }

    fn length(&self, raw: RawRecord<'_>) -> Result<u32, Wrong> {
        let fields = Fields::parse(raw, self.columns.names())?;
        let (text, pair) = match &self.writer {
            Some(writer) => {
                let text =
                    (writer.write)(&fields.json()).map_err(|why| (None, Why::Refused(why)))?;
                (Cow::Owned(text), None)
            }
            None => fields.fill(&self.template)?,
        };
        let counted = self
            .measure
            .tokens_of(&text, pair.as_deref(), self.special)
            .map(|tokens| tokens.saturating_add(self.measure.tokens_around(fields.messages())));
        // The text that was counted, not the record: it is what the tokenizer failed on.
        let refused = |why| (Some(text.clone().into_owned()), Why::NotTokenized(why));
        match u32::try_from(counted.map_err(refused)?) {
            Ok(0) => Err((None, Why::NoTokens)),
            Ok(length) => Ok(length),
            Err(_) => Err((None, Why::TooLong)),
        }
    }

    /// Reads the columns from the first row; returns whether it is a header. Missing columns end the reading.
    fn read_header(&mut self, place: Place, row: &Record) -> bool {
        let is_header = self.columns.learn(row);
        let names = self.columns.names();
        let description = &mut self.tally.description;
        description.width = u32::try_from(names.len()).unwrap_or(u32::MAX);
        description.columns = is_header.then(|| names.iter().take(100).map(|n| short(n)).collect());
        // A writer takes what it needs from the record itself.
        let is_missing = |name: &&str| self.writer.is_none() && self.columns.place(name).is_none();
        let missing = self.template.names().find(is_missing);
        if let Some(name) = missing {
            let listed: Vec<String> = names.iter().take(20).map(|name| short(name)).collect();
            let message = format!(
                "there is no column \"{}\"; the columns are: {}",
                short(name),
                listed.join(", ")
            );
            self.tally.fail(Error::Input {
                place: format!("line {}", place.line),
                message,
            });
        }
        is_header
    }
}

fn short(name: &str) -> String {
    shorten(name.as_bytes())
}

fn unreadable_text(raw: RawRecord<'_>) -> &[u8] {
    match raw {
        RawRecord::Line(text) | RawRecord::Json(text) => text,
        RawRecord::Row(row) => row.begun(),
    }
}

/// Calls back with the tokens of every record in the order of the source, without skipped records, as
/// `ingest::open_telling` does with lengths. `writer` writes the texts, where the template does not. `progress` receives the
/// bytes read and the bytes in total.
///
/// # Errors
/// As [`count`].
pub fn for_each_record(
    source: &dyn Source,
    measure: &dyn TextMeasure,
    (options, writer): (&CountOptions, Option<&RecordWriter<'_>>),
    progress: &mut ingest::ReadProgress<'_>,
    each: &mut RecordVisitor<'_>,
) -> Result<()> {
    let tell = |length| {
        // Skipped records are reported as 0.
        if length > 0 {
            each(&[length], 1);
        }
    };
    let counter = Counter::new(measure, "", options)
        .writing(writer)
        .telling(tell);
    count(source, counter, &mut |done, of, _| progress(done, of)).map(drop)
}

/// A callback that receives the bytes read, the bytes in total, and the counter, and decides whether to go on.
pub type CountProgress<'p> = dyn FnMut(u64, u64, &Counter<'_>) -> ControlFlow<()> + 'p;

/// Counts the tokens of all records of a source, optionally gzip. `progress` is called at least every 256 KiB and
/// decides whether to go on; on a break the lengths so far are the result, labelled as a sample.
///
/// # Errors
/// As [`Counter::finish`], and if the bytes cannot be read or decompressed.
pub fn count(
    source: &dyn Source,
    mut counter: Counter<'_>,
    progress: &mut CountProgress<'_>,
) -> Result<Ingested> {
    let of = source.size();
    let mut texts = Stream::open(source, None)?;
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = texts.next(&mut buffer)?;
        if read == 0 {
            return counter.finish();
        }
        counter.push(&buffer[..read])?;
        let at = texts.position();
        let goes_on = progress(at, of, &counter).is_continue();
        // Checked after the progress, so that it reaches the end of the sample.
        if counter.is_full() {
            return counter.reading.end();
        }
        // At the end it is too late to stop: the result is no sample.
        if !goes_on && at < of {
            return counter.so_far(at, of);
        }
    }
}

/// Estimates the lengths of all records of a source from their characters: no tokenizer is needed. Conversations are
/// measured by the texts of their messages and what a usual chat template writes around each. The note
/// [`Estimated`](Note::Estimated) has the band of the total. `each` gets every length in the order of the source, 0 for a
/// record without one.
///
/// # Errors
/// As [`count`], and if there are no texts in it.
pub fn estimate(
    source: &dyn Source,
    options: &CountOptions,
    progress: &mut CountProgress<'_>,
    each: &mut dyn FnMut(u32),
) -> Result<Ingested> {
    let looked = look(source, &Characters::new(), (options, None))?;
    if !looked.is_text() {
        return Err(Error::Input {
            place: "the input".to_owned(),
            message: "there are numbers and no texts in it, from whose characters lengths could be estimated; expected lines of \
                      text, JSON Lines, JSON or a table with texts"
                .to_owned(),
        });
    }
    let measure = match options.template.is_none() && looked.are_conversations() {
        true => Characters::of_conversations(),
        false => Characters::new(),
    };
    let template = options.template.clone().or(Some(looked.template));
    let options = CountOptions {
        template,
        ..options.clone()
    };
    count(
        source,
        Counter::new(&measure, "", &options).telling(each),
        progress,
    )
}
