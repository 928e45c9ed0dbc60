//! Converts JSON values into sizes and counts, for the elements of an array and for lines.

use super::cell_sizes::{CellFault, count, measured, quoted_value};
use super::column_choice::{self, Question, Unclear};
use super::column_stats::{self, ColumnStats, Holds, ROWS};
use super::columnar;
use super::computed;
use super::decoder::RecordSink;
use super::first_records::FirstRecords;
use super::formulae;
use super::lines;
use super::names;
use super::nested::{self, Inner};
use super::notes::Note;
use super::number::{self, Fault};
use super::options::{Column, Counts, FLAGS, Options};
use super::problem::{Place, Why, shorten};
use super::split::JsonShape;
use super::splitter::{RawRecord, RecordSplitter};
use super::tally::Tally;
use super::value::{self, ObjectField, Pick, Value};
use crate::formula::{Formula, Operand};
use memchr::memmem::Finder;
use packscope_core::error::{Error, UncountedTexts};
use packscope_core::histogram::Size;
use packscope_core::words::{literal, shell_word};

/// The reader of JSON values.
#[derive(Debug)]
pub(super) struct Records {
    /// The columns of the sizes; empty until the first record is read, and if whole values are lengths.
    sizes: Vec<Column>,
    count: Option<Column>,
    /// Whether the sizes of the first record were numbers; then texts and lists are not sizes.
    numbers: bool,
    options: Options,
    computed: Vec<Option<Formula>>,
    first: FirstRecords,
    scratch: Vec<u8>,
    /// Names of counts that no record at the beginning has.
    late: Vec<(&'static str, Finder<'static>)>,
    /// Whether no record has been read yet.
    untried: bool,
    shape: JsonShape,
}

impl<const K: usize> RecordSink<K> for Records {
    fn take(&mut self, place: Place, raw: RawRecord<'_>, tally: &mut Tally<K>) {
        match raw {
            RawRecord::Json(b"") => tally.problem(place, b"", tally.wrong(0, Fault::Missing)),
            RawRecord::Json(text) if self.shape == JsonShape::Map => {
                self.member(&value::without_surrogates(text), place, tally);
            }
            RawRecord::Json(text) => self.record(&value::without_surrogates(text), place, tally),
            RawRecord::Line(_) | RawRecord::Row(_) => {}
        }
    }
}

impl Records {
    /// Creates a reader of values in this shape, given the first records.
    pub fn new<const K: usize>(
        options: &Options,
        shape: JsonShape,
        first: FirstRecords,
        tally: &mut Tally<K>,
    ) -> Self {
        let count = match &options.count {
            Some(Counts::Column(column)) => Some(column.clone()),
            _ => None,
        };
        tally.selected(options.sizes.clone(), count.clone());
        offer(&first, tally);
        let sizes = options.sizes.clone();
        // A field that has the name of a formula is a field.
        let known = |name: &str| first.has(name);
        let computed = sizes
            .iter()
            .map(|column| column.formula(known))
            .collect::<packscope_core::error::Result<_>>();
        let computed: Vec<_> = computed
            .map_err(|error| tally.fail(error))
            .unwrap_or_default();
        tally.computes(computed.iter().any(Option::is_some));
        let late = LATE.iter().filter(|(name, _)| !first.has(name));
        let late = late.map(|(name, key)| (*name, Finder::new(*key))).collect();
        Self {
            computed,
            sizes,
            count,
            numbers: false,
            options: options.clone(),
            first,
            scratch: Vec::new(),
            late,
            untried: true,
            shape,
        }
    }

    fn record<const K: usize>(&mut self, text: &[u8], place: Place, tally: &mut Tally<K>) {
        // Only the first record can hold all others, and only if none follows it.
        if std::mem::take(&mut self.untried)
            && self.first.is_alone()
            && let Some(records) = columnar::records(text)
        {
            let lines = records
                .iter()
                .take(ROWS)
                .cloned()
                .collect::<Vec<_>>()
                .join(&b"\n"[..]);
            // The columns are judged by their own rows now, not by the one object around them.
            self.first = FirstRecords::new(
                RecordSplitter::lines(true, lines::is_silent),
                JsonShape::Values,
                (&lines, true),
            );
            offer(&self.first, tally);
            return records
                .iter()
                .for_each(|record| self.push_record(record, place, tally));
        }
        self.push_record(text, place, tally);
    }

    fn push_record<const K: usize>(&mut self, text: &[u8], place: Place, tally: &mut Tally<K>) {
        match self.measure(text, tally) {
            Ok(Some((size, count))) => tally.add(size, count),
            Ok(None) => self.each(text, place, tally),
            Err((found, why)) => match self.renamed(text, &why).filter(|_| K == 1) {
                Some(message) => tally.fail(at(place, message)),
                None => tally.problem(place, found.as_deref().unwrap_or(text), why),
            },
        }
        if K == 1
            && let Some(message) = self.late_count(text)
        {
            tally.fail(at(place, message));
        }
    }

    /// Returns the message for a record that lacks the field that was found to be the length, and has another of such a name.
    fn renamed(&self, text: &[u8], why: &Why) -> Option<String> {
        let Why::NoField(name) = why else {
            return None;
        };
        let fields = value::fields(text)
            .ok()
            .filter(|_| self.options.sizes.is_empty())?;
        let (other, _) = fields.iter().find(|(other, value)| {
            value.is_number() && names::is_length(other) && !self.first.has(other)
        })?;
        let other = shorten(other.as_bytes());
        Some(format!(
            "there is no field \"{name}\" from here on, and \"{other}\" may be the length instead; expected one name: jq -c {} FILE \
             > renamed.jsonl",
            shell_word(&format!(
                ".[{0}] //= .[{1}] | del(.[{1}])",
                literal(name),
                literal(&other)
            ))
        ))
    }

    /// Returns the message for a record with a count, which none had when the columns were chosen.
    // The records before it were counted once each, and would be those of another kind.
    fn late_count(&self, text: &[u8]) -> Option<String> {
        let is_open =
            self.count.is_none() && self.options.count.is_none() && !self.sizes.is_empty();
        let (name, _) = self.late.iter().find(|(name, key)| {
            // Found without parsing; in a text the quotes would stand behind backslashes.
            is_open
                && key.find(text).is_some()
                && look(text, Some(&Column::from(*name))).is_ok_and(|value| value.is_number())
        })?;
        Some(format!(
            "\"{name}\" may be the count, and the records before have none; expected it in every record; if each is one \
             item: --count-column \"\""
        ))
    }

    /// Counts each number of a list of lengths, or what a formula makes of lists, element by element.
    fn each<const K: usize>(&self, text: &[u8], place: Place, tally: &mut Tally<K>) {
        let values = match (self.computed.first(), self.sizes.first()) {
            (Some(Some(formula)), _) => computed::of_lists(formula, text)
                .map(|numbers| numbers.into_iter().map(Into::into).collect()),
            (_, Some(Column::Name(path))) => Ok(nested::list(text, path).unwrap_or_default()),
            _ => return,
        };
        let values = match values {
            Ok(values) => values,
            Err(why) => return tally.problem(place, text, Why::Refused(why)),
        };
        tally.note(Note::EachNumber);
        for value in values {
            let whole = value.as_u64().or_else(|| number::integral(value.as_f64()?));
            match whole.and_then(|n| number::narrow(n, 1)) {
                // Only lengths come in lists, so there is one component.
                Some(length) => tally.add([length; K], 1),
                None => tally.problem(
                    place,
                    value.to_string().as_bytes(),
                    tally.wrong(0, Fault::Wrong),
                ),
            }
        }
    }

    /// Counts a member `"length": count` of an object.
    fn member<const K: usize>(&mut self, text: &[u8], place: Place, tally: &mut Tally<K>) {
        self.scratch.clear();
        // A member alone is no JSON; within braces the parser for records reads it.
        self.scratch.extend_from_slice(b"{");
        self.scratch.extend_from_slice(text);
        self.scratch.extend_from_slice(b"}");
        let fields = value::fields(&self.scratch).unwrap_or_default();
        let [(name, value)] = fields.as_slice() else {
            return tally.problem(place, text, Why::NotJson);
        };
        if *value == Value::Object {
            // A record for each row, keyed by its number or its name.
            let record = value::member(text).map_or(&text[..0], |(_, record)| record);
            return self.push_record(record, place, tally);
        }
        // Asked once, about the first record: the question concerns all keys.
        if std::mem::take(&mut self.untried)
            && let Some(question) = self.first.doubt()
        {
            return tally.fail(Error::Input {
                place: "the keys".to_owned(),
                message: question.to_owned(),
            });
        }
        match (number::size(name.as_bytes(), 1), count(*value)) {
            // Only lengths are keys, so there is one component.
            (Ok(length), Ok(count)) => tally.add([length; K], count),
            (Err(fault), _) => tally.problem(place, name.as_bytes(), tally.wrong(0, fault)),
            (_, Err((found, why))) => tally.problem(place, found.as_deref().unwrap_or(text), why),
        }
    }

    fn measure<const K: usize>(
        &mut self,
        text: &[u8],
        tally: &mut Tally<K>,
    ) -> Result<Option<(Size<K>, u64)>, CellFault> {
        let whole = if self.sizes.is_empty() {
            self.detect(text, tally)?
        } else {
            None
        };
        let mut size = [0; K];
        for (k, slot) in size.iter_mut().enumerate() {
            let column = self.sizes.get(k);
            let value = match self.computed.get(k) {
                // Lists are computed one by one, each of its elements a length.
                Some(Some(formula))
                    if K == 1 && self.count.is_none() && has_lists(formula, text) =>
                {
                    return Ok(None);
                }
                Some(Some(formula)) => compute(formula, text)?,
                _ => whole.map_or_else(|| look(text, column), Ok)?,
            };
            let are_each = || matches!(column, Some(Column::Name(name)) if names::are_each(name));
            // A list of lengths under its name is a data set of its own, unless it stands beside a
            // count.
            if K == 1
                && self.count.is_none()
                && matches!(value, Value::Nested(Inner::Lengths, _))
                && are_each()
            {
                return Ok(None);
            }
            check::<K>(value, text, column).map_err(|why| (None, why))?;
            // By place, an array within an array is no size; nor are lists where the first sizes
            // were numbers.
            let by_place = K > 1 && matches!(column, Some(Column::Number(_)));
            *slot = measured(value, k, !by_place && !self.numbers, tally)
                .map_err(|found| self.missing(found, text, column))?;
        }
        let Some(column) = &self.count else {
            return Ok(Some((size, 1)));
        };
        let count = count(look(text, Some(column))?);
        Ok(Some((
            size,
            count.map_err(|found| self.missing(found, text, Some(column)))?,
        )))
    }

    /// Decides on the columns of the sizes from the first record, or returns a value that is the length itself.
    fn detect<const K: usize>(
        &mut self,
        text: &[u8],
        tally: &mut Tally<K>,
    ) -> Result<Option<Value>, CellFault> {
        match look(text, None)? {
            Value::Object => self.fields(text, tally).map(|()| None),
            Value::Elements(_) if K == 1 && self.first.has_header() => {
                tally.fail(Error::Input {
                    place: "the arrays".to_owned(),
                    message: "the first list has names, and the others numbers: these are rows of a table; write it: jq -r \
                              '.[] | @csv' FILE > table.csv"
                        .to_owned(),
                });
                Err((None, Why::UnknownFields))
            }
            Value::Elements(_)
                // Rows of a table are likelier than sequences of equally few tokens, but not sure.
                if K == 1 && self.first.are_rows() && self.options.count.is_none() =>
            {
                ask_rows(tally)
            }
            value if K == 1 => {
                self.numbers |= value.is_number();
                Ok(Some(value))
            }
            Value::Elements(n) if n >= K as u64 => {
                self.elements(n, tally);
                Ok(None)
            }
            _ => Err((None, Why::NoSizes(K as u32))),
        }
    }

    /// Takes the first elements of arrays for the sizes; one more is the count.
    fn elements<const K: usize>(&mut self, elements: u64, tally: &mut Tally<K>) {
        let sizes = K as u32;
        let count = self.options.count.is_none() && elements == K as u64 + 1;
        if count {
            self.count = Some(Column::Number(sizes + 1));
        }
        self.sizes = (1..=sizes).map(Column::Number).collect();
        tally.note(Note::Arrays {
            elements,
            sizes,
            count,
        });
        tally.selected(self.sizes.clone(), self.count.clone());
    }

    /// Takes the fields of a record for sizes and count, judged by the first records of the input.
    fn fields<const K: usize>(
        &mut self,
        text: &[u8],
        tally: &mut Tally<K>,
    ) -> Result<(), CellFault> {
        let mut fields = value::fields(text).map_err(|_| (None, Why::NotJson))?;
        let mut columns = self.first.columns(&fields);
        let mut chosen = column_choice::choose(
            &columns,
            None,
            self.named_count_field(&fields),
            &self.options,
            K,
        );
        // A count that comes late, or a length under another name, must not be left out in silence.
        let late = self.first.late(&fields);
        if chosen.is_ok() && !late.is_empty() {
            fields.extend(late);
            columns = self.first.columns(&fields);
            chosen = column_choice::choose(
                &columns,
                None,
                self.named_count_field(&fields),
                &self.options,
                K,
            );
        }
        let is_text = |value: Value| {
            value.is_measure() && !value.is_number() && !matches!(value, Value::Elements(_))
        };
        let misused = fields
            .iter()
            .find(|(name, value)| is_text(*value) && names::is_length(name));
        if chosen == Err(Unclear::NoSizes)
            && misused.is_none()
            && K == 1
            && let Some(name) = self.first.lengths()
        {
            self.sizes = vec![Column::Name(name.to_owned())];
            tally.selected(self.sizes.clone(), None);
            return Ok(());
        }
        if let Err(unclear) = &chosen {
            chosen = Err(formulae::offered(unclear.clone(), &self.first.listed(), K));
        }
        if let Ok(one) = &chosen
            && let Some(question) = self
                .nested_length(&columns[one.sizes[0]])
                .filter(|_| K == 1)
        {
            chosen = Err(Unclear::Question(question));
        }
        let is_alone = self.first.is_alone();
        if chosen.is_err() {
            self.first.forget();
            // Of a record that is longer than the beginning examined nothing was listed.
            if tally.asked.fields.is_empty() {
                tally.offers(column_stats::offered(&columns, false));
            }
        }
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(unclear) => {
                tally.finds(texts_in(text, &fields));
                if let Unclear::Question(question) = &unclear {
                    let name = |at: &usize| columns[*at].name.clone();
                    let counts = question.counts.iter().map(name).collect();
                    tally.asks(question.lengths(name), counts);
                }
                let record = (text, &fields[..], is_alone);
                return Err(unclear_fields(unclear, record, misused, tally));
            }
        };
        // From now on a text or a list under these names is a problem, not a size.
        self.numbers = chosen.sizes.iter().all(|i| fields[*i].1.is_number());
        let column = |i: usize| Column::Name(fields[i].0.clone());
        self.sizes = chosen.sizes.iter().map(|i| column(*i)).collect();
        if self.options.count.is_none() {
            self.count = chosen.count.map(column);
        }
        let names = chosen
            .sizes
            .iter()
            .map(|i| shorten(fields[*i].0.as_bytes()));
        tally.note(Note::fields(names.collect()));
        if let Some(count) = chosen.count.filter(|_| chosen.if_distinct) {
            tally.once = true;
            tally.note(Note::Counted {
                name: shorten(fields[count].0.as_bytes()),
            });
        }
        tally.selected(self.sizes.clone(), self.count.clone());
        Ok(())
    }

    /// Asks whether a number within a field is the length, by its name, where otherwise the words of a text would be it.
    fn nested_length(&self, chosen: &ColumnStats) -> Option<Question> {
        let is_length = |field: &ColumnStats| {
            field.name.contains('.')
                && field.is_whole()
                && names::is_length(names::last_name(&field.name))
        };
        let all = self.first.listed();
        let nested = all
            .iter()
            .find(|field| chosen.holds == Holds::Texts && is_length(field))?;
        let [name, text] = [nested, chosen].map(|field| shorten(field.name.as_bytes()));
        Some(Question {
            words: format!(
                "beside \"{name}\" the words of \"{text}\" are hardly the length: --length-column {}",
                shell_word(&nested.name)
            ),
            formulae: vec![nested.name.clone()],
            ..Question::default()
        })
    }

    /// Returns the place of the field that was named as the count.
    fn named_count_field(&self, fields: &[ObjectField]) -> Option<usize> {
        match &self.options.count {
            Some(Counts::Column(Column::Name(name))) => {
                fields.iter().position(|(field, _)| field == name)
            }
            _ => None,
        }
    }

    /// Turns a missing field into a problem that lists the present fields.
    fn missing(&self, found: CellFault, text: &[u8], column: Option<&Column>) -> CellFault {
        match (found, column) {
            (
                (None, Why::NoLength | Why::NoCount | Why::NoSize { .. }),
                Some(Column::Name(name)),
            ) => {
                let fields = value::fields(text).map_or_else(|_| text.to_vec(), |f| list(&f));
                (Some(fields), Why::NoField(shorten(name.as_bytes())))
            }
            (found, _) => found,
        }
    }
}

/// Returns the reason why no fields were chosen; a reason that concerns all records ends the reading.
fn unclear_fields<const K: usize>(
    unclear: Unclear,
    (text, fields, is_alone): (&[u8], &[ObjectField], bool),
    misused: Option<&ObjectField>,
    tally: &mut Tally<K>,
) -> CellFault {
    let message = match (unclear, misused) {
        (Unclear::Question(question), _) => {
            format!(
                "{}; the fields are: {}; {FLAGS}",
                question.words,
                tally.asked.listed()
            )
        }
        (Unclear::Refused(words), _) => words,
        (Unclear::NoSizes, Some((name, _))) if K == 1 => {
            return (Some(list(fields)), Why::NoNumber(shorten(name.as_bytes())));
        }
        (Unclear::NoSizes, _) if fields.is_empty() => {
            return (Some(Vec::new()), Why::UnknownFields);
        }
        (Unclear::NoSizes, _) if K > 1 && nested_field(fields).is_none() => {
            return (Some(list(fields)), Why::UnknownSizes(K as u32));
        }
        (Unclear::NoSizes, _) => {
            let items = named_items(fields).filter(|_| is_alone && K == 1);
            let message = items.unwrap_or_else(|| no_length_message(text, fields, tally));
            return (None, Why::Refused(message));
        }
    };
    // Not a problem of one record: without columns no other record can be read either.
    tally.fail(Error::Input {
        place: "the fields".to_owned(),
        message,
    });
    (None, Why::UnknownFields)
}

/// Returns the message for one record whose fields may be items under their names: all of them numbers, or all lists.
fn named_items(fields: &[ObjectField]) -> Option<String> {
    let are = |is: fn(&Value) -> bool| {
        let are_unknown = fields.iter().all(|(name, _)| !names::is_known(name));
        fields.len() > 2 && are_unknown && fields.iter().all(|(_, value)| is(value))
    };
    match () {
        () if are(|value| matches!(value, Value::Whole(n) if *n > 0)) => Some(
            "this is one object of names with numbers, and nothing says what these count; if each is the length of an item: jq '.[]' \
             FILE > lengths.txt"
                .to_owned(),
        ),
        () if are(|value| matches!(value, Value::Elements(_))) => Some(
            "this is one object of names with lists; if they hold lengths: jq '.[][]' FILE > lengths.txt; if each is a sequence of \
             tokens: jq '.[] | length' FILE > lengths.txt"
                .to_owned(),
        ),
        () => None,
    }
}

/// Returns the message that no field is known to be a length, with the fields and the remedy.
fn no_length_message<const K: usize>(
    text: &[u8],
    fields: &[ObjectField],
    tally: &Tally<K>,
) -> String {
    let refusal = nested_field(fields).map(|(inner, name)| inner.refusal(text, Some(name)));
    if let (1, Some(refusal)) = (fields.len(), &refusal) {
        return refusal.clone();
    }
    let names = tally.asked.listed();
    let what = format!("no field is known to be a length; name one of: {names}: --length-column");
    let texts = fields
        .iter()
        // Of two answers a sequence has one.
        .filter(|(name, value)| {
            matches!(value, Value::Words(_) | Value::NoSpaces) && name != "rejected"
        });
    let texts: Vec<String> = texts.take(4).map(|(name, _)| placeholder(name)).collect();
    let way = refusal.unwrap_or_else(|| match texts.is_empty() {
        true => String::new(),
        false => format!(
            "tokens of texts are counted by: packscope tokens FILE --tokenizer tokenizer.json --template {0}, and estimated by: \
             packscope tokens FILE --estimate --template {0}",
            shell_word(&texts.concat())
        ),
    });
    if way.is_empty() {
        what
    } else {
        format!("{what}; {way}")
    }
}

/// Returns the kind of texts in the fields of a record, if there are any.
fn texts_in(text: &[u8], fields: &[ObjectField]) -> Option<UncountedTexts> {
    let is_list = |(name, value): &ObjectField| {
        matches!(value, Value::Nested(Inner::Objects, _)) && nested::is_conversation(text, name)
    };
    let is_text = |(_, value): &ObjectField| matches!(value, Value::Words(_));
    match fields.iter().any(is_list) {
        true => Some(UncountedTexts::Conversations),
        false => fields.iter().any(is_text).then_some(UncountedTexts::Texts),
    }
}

/// Returns a field as a template has it; braces cannot stand in one.
fn placeholder(name: &str) -> String {
    let is_plain = !name.contains(['{', '}']) && name.len() < NAME;
    format!("{{{}}}", if is_plain { name } else { "…" })
}

/// Names of counts that are looked for in every record, and the keys that they are.
const LATE: [(&str, &[u8]); 4] = [
    ("count", b"\"count\""),
    ("counts", b"\"counts\""),
    ("freq", b"\"freq\""),
    ("frequency", b"\"frequency\""),
];

fn at(place: Place, message: String) -> Error {
    Error::Input {
        place: format!("line {}", place.line),
        message,
    }
}

/// The most bytes of a name in a command to be copied; a longer one is left for the reader to fill
/// in.
const NAME: usize = 200;

/// Asks about lists that may be rows of a table.
fn ask_rows<const K: usize, T>(tally: &mut Tally<K>) -> Result<T, CellFault> {
    let message = format!(
        "all lists have as many numbers, so that they may be rows, such as length and count, or sequences of tokens; of \
         rows, {FLAGS}, by the places of the numbers from 1; of sequences, --count-column \"\" alone"
    );
    tally.fail(Error::Input {
        place: "the arrays".to_owned(),
        message,
    });
    Err((None, Why::UnknownFields))
}

/// Lists the fields, or the elements of arrays, to choose from.
fn offer<const K: usize>(first: &FirstRecords, tally: &mut Tally<K>) {
    let fields = first.listed();
    tally.offers(column_stats::offered(&fields, false));
    let are_fields = fields.first().is_some_and(|field| first.has(&field.name));
    let listed = if are_fields { fields } else { Vec::new() };
    tally.description.contents = listed.iter().map(|field| field.holds.contents()).collect();
    let names: Vec<String> = listed.into_iter().map(|field| field.name).collect();
    tally.description.columns = Some(names).filter(|names| !names.is_empty());
}

fn look(text: &[u8], column: Option<&Column>) -> Result<Value, CellFault> {
    let pick = match column {
        None => Pick::All,
        Some(Column::Number(n)) => Pick::Nth(*n),
        Some(Column::Name(name)) => Pick::Field(name),
    };
    pick.look(text).map_err(|_| {
        (
            None,
            if std::str::from_utf8(text).is_ok() {
                Why::NotJson
            } else {
                Why::NotUtf8
            },
        )
    })
}

/// Whether a field of a formula is a list of lengths, by its name.
fn has_lists(formula: &Formula, text: &[u8]) -> bool {
    formula.fields().iter().any(|field| {
        matches!(field, Operand::Name(name) if names::are_lengths(name))
            && look(text, Some(&Column::from(field)))
                .is_ok_and(|value| matches!(value, Value::Nested(Inner::Lengths, _)))
    })
}

fn compute(formula: &Formula, text: &[u8]) -> Result<Value, CellFault> {
    computed::compute(formula, |at| {
        let column = Column::from(&formula.fields()[at]);
        let value = look(text, Some(&column))?;
        computed::operand(value)
            .ok_or_else(|| (Some(quoted_value(value)), Why::Operand(column.to_string())))
    })
}

/// Refuses a list whose elements are not tokens; a list of lists may have an element for each node.
fn check<const K: usize>(value: Value, text: &[u8], column: Option<&Column>) -> Result<(), Why> {
    let path = match column {
        Some(Column::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    match value {
        Value::Nested(Inner::Lists, _) if K > 1 && path.is_some() => Ok(()),
        Value::Nested(inner, _) => Err(Why::Refused(inner.refusal(text, path))),
        _ => Ok(()),
    }
}

/// Returns the first field that holds such a list, with the kind of its elements.
fn nested_field(fields: &[ObjectField]) -> Option<(Inner, &str)> {
    fields.iter().find_map(|(name, value)| match value {
        Value::Nested(inner, _) => Some((*inner, name.as_str())),
        _ => None,
    })
}

fn list(fields: &[(String, Value)]) -> Vec<u8> {
    let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    names.join(", ").into_bytes()
}
