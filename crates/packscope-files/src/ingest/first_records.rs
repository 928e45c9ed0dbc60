//! The first records of JSON, which show the contents of its fields.

use super::column_stats::{self, Cell, ColumnStats, Holds, LISTED, ROWS, SHOWN};
use super::names::{self, last_name};
use super::nested::Inner;
use super::split::JsonShape;
use super::splitter::{RawRecord, RecordSplitter, SplitRecord};
use super::value::{self, ObjectField, Pick, Value};

/// The first records: the fields of objects, or the elements of arrays. Bounded by `ROWS` records
/// and `LISTED` fields.
#[derive(Debug, Default)]
pub(super) struct FirstRecords {
    objects: Vec<Vec<ObjectField>>,
    /// Every field of objects and nested objects, by its path, with its first value that is not null.
    fields: Vec<ObjectField>,
    arrays: Vec<(u64, Cell)>,
    /// The keys and values of an object that holds lengths and counts.
    keys: Vec<(Cell, Cell)>,
    /// Whether the input is longer than the part examined.
    is_cut: bool,
}

impl FirstRecords {
    /// Examines the beginning of JSON with this shape.
    pub fn new(mut cut: RecordSplitter, shape: JsonShape, (head, complete): (&[u8], bool)) -> Self {
        let mut first = Self {
            is_cut: !complete,
            ..Self::default()
        };
        let mut each = |(_, found): SplitRecord<'_>| match found {
            Ok(RawRecord::Json(text)) if shape == JsonShape::Map => {
                first.member(&value::without_surrogates(text))
            }
            Ok(RawRecord::Json(text)) => first.take(&value::without_surrogates(text)),
            _ => {}
        };
        cut.push(head, &mut each);
        // Otherwise the last record is cut by the end of the beginning, and no evidence.
        if complete {
            cut.finish(&mut each);
        }
        first
    }

    fn member(&mut self, text: &[u8]) {
        let Some((key, value)) = value::member(text) else {
            return;
        };
        if value.starts_with(b"{") {
            self.take(value);
        } else if self.keys.len() < ROWS {
            self.keys
                .push((Cell::from(key.as_bytes()), Cell::from(value)));
        }
    }

    /// Returns the question about the keys of an object that may be row numbers or names.
    pub fn doubt(&self) -> Option<&'static str> {
        let whole: Option<Vec<[u64; 2]>> = self
            .keys
            .iter()
            .map(|(key, value)| Some([key.whole()?, value.whole()?]))
            .collect();
        let all = whole?;
        let named = || column_stats::may_be_names(&all).then_some(column_stats::NAMED);
        column_stats::may_number_rows(&all)
            .then_some(column_stats::NUMBERED)
            .or_else(named)
    }

    /// Whether there is at most one record, which may hold others.
    pub fn is_alone(&self) -> bool {
        self.objects.len() <= 1 && self.arrays.is_empty()
    }

    fn take(&mut self, text: &[u8]) {
        if self.objects.len() + self.arrays.len() >= ROWS {
            return;
        }
        match Pick::All.look(text) {
            Ok(Value::Object) => {
                self.objects.extend(value::fields(text));
                value::paths(text)
                    .into_iter()
                    .flatten()
                    .for_each(|field| self.list(field));
            }
            Ok(Value::Elements(n)) => {
                let value = |nth| Pick::Nth(nth).look(text).unwrap_or(Value::Missing);
                // A name or a number in quotes before a number begins a row; tokens are all of one
                // kind. `0` stands for any text: rows are only told from lists.
                let is_text = |value| {
                    matches!(
                        value,
                        Value::Quoted(_) | Value::Data | Value::Words(_) | Value::NoSpaces
                    )
                };
                let is_row = is_text(value(1)) && value(2).is_number();
                self.arrays.push((
                    n,
                    if is_row {
                        Cell::Text(0)
                    } else {
                        Cell::from(value(1))
                    },
                ));
            }
            _ => {}
        }
    }

    /// Adds a field to the list, or its value if it had none.
    fn list(&mut self, (name, value): ObjectField) {
        match self.fields.iter().position(|(known, _)| *known == name) {
            Some(at) if self.fields[at].1 == Value::Null => self.fields[at].1 = value,
            None if self.fields.len() < LISTED => self.fields.push((name, value)),
            _ => {}
        }
    }

    /// Returns every field of the first records as a column with its first cells, nested fields by their paths; or the
    /// elements of arrays by their positions.
    pub fn listed(&self) -> Vec<ColumnStats> {
        let places = self
            .arrays
            .first()
            .filter(|_| self.are_rows())
            .map_or(0, |(n, _)| *n);
        let place = |nth: u64| ColumnStats {
            name: nth.to_string(),
            holds: Holds::Numbers,
            cells: Vec::new(),
        };
        let few = |field: &ObjectField| self.column(field, SHOWN);
        self.fields
            .iter()
            .map(few)
            .chain((1..=places).map(place))
            .collect()
    }

    /// Whether there is a field of this name, or at this path.
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, _)| field == name)
    }

    /// Frees the records once they have shown nothing.
    pub fn forget(&mut self) {
        self.objects.clear();
    }

    /// Returns the fields with names of lengths and counts that only later records have.
    pub fn late(&self, fields: &[ObjectField]) -> Vec<ObjectField> {
        let mut late: Vec<ObjectField> = Vec::new();
        for (name, value) in self.objects.iter().flatten() {
            let is_new = |all: &[ObjectField]| !all.iter().any(|(known, _)| known == name);
            let is_known = names::is_length(name) || names::count_rank(name).is_some();
            if value.is_number()
                && is_known
                && late.len() < LISTED
                && is_new(fields)
                && is_new(&late)
            {
                late.push((name.clone(), *value));
            }
        }
        late
    }

    /// Returns the fields of a record as columns.
    pub fn columns(&self, fields: &[ObjectField]) -> Vec<ColumnStats> {
        fields
            .iter()
            .map(|field| self.column(field, ROWS))
            .collect()
    }

    /// Returns a field as a column with at most `most` of its cells.
    fn column(&self, (name, value): &ObjectField, most: usize) -> ColumnStats {
        let cell = |record: &Vec<ObjectField>| {
            record
                .iter()
                .find(|(field, _)| field == name)
                .map_or(Cell::Else, |(_, value)| Cell::from(*value))
        };
        let records = || self.objects.iter().take(most);
        // Numbers in quotes may be names, but not under the name of a length or a count.
        let is_quoted = matches!(value, Value::Quoted(_)) && names::is_known(name);
        let cells = match value.is_number() || is_quoted {
            false => Vec::new(),
            // Fields within fields are listed by their paths, but `objects` has only the outer
            // ones.
            true if records().any(|record| record.iter().any(|(field, _)| field == name)) => {
                records().map(cell).collect()
            }
            true => vec![Cell::from(*value)],
        };
        ColumnStats {
            name: name.clone(),
            holds: if is_quoted {
                Holds::Numbers
            } else {
                holds(*value)
            },
            cells,
        }
    }

    /// Whether the first of equally long lists begins with no number, and all others do: a header above rows.
    pub fn has_header(&self) -> bool {
        let Some(((all, first), rows)) = self.arrays.split_first() else {
            return false;
        };
        let is_row = |(n, cell): &(u64, Cell)| n == all && !matches!(cell, Cell::Else);
        matches!(first, Cell::Else) && !rows.is_empty() && rows.iter().all(is_row)
    }

    /// Whether all records are lists with equally many numbers, so that they may be rows of a table: lists of tokens
    /// are more than two, and not all equally short.
    pub fn are_rows(&self) -> bool {
        let alike = |n: u64| {
            self.arrays
                .iter()
                .all(|(m, first)| *m == n && !matches!(first, Cell::Else))
        };
        let few = self.arrays.len() < 3 && !self.is_cut;
        self.arrays
            .first()
            // Fewer than five numbers, or very few lists: more are tokens that happen to be equally
            // many.
            .is_some_and(|(n, _)| *n > 0 && alike(*n) && (*n < 5 || few))
    }

    /// Returns the field that holds lists of lengths, if there is one.
    pub fn lengths(&self) -> Option<&str> {
        let are_lengths = |field: &&ObjectField| {
            matches!(field.1, Value::Nested(Inner::Lengths, _))
                && names::are_each(last_name(&field.0))
        };
        let mut all = self.fields.iter().filter(are_lengths);
        all.next()
            .filter(|_| all.next().is_none())
            .map(|(name, _)| name.as_str())
    }
}

fn holds(value: Value) -> Holds {
    match value {
        Value::Whole(_) | Value::Real(_) => Holds::Numbers,
        Value::Elements(_) => Holds::Lists,
        Value::Words(_) | Value::NoSpaces => Holds::Texts,
        Value::Nested(inner, _) => Holds::Other(inner.words()),
        Value::Quoted(_) | Value::Data => Holds::Other("numbers or lists as text"),
        Value::Object => Holds::Other("objects"),
        Value::Null | Value::Missing => Holds::Other("nothing"),
        Value::Bool(_) => Holds::Other("true and false"),
    }
}
