//! JSON: one array (or one object from length to count), or one value a line. Elements are cut out by a
//! small scanner and parsed one at a time, so that neither file nor array is ever held whole.

use super::tally::{Tally, Why, length, whole_of};
use super::{COUNTS, Description, Format, LENGTHS, Options, known};
use serde_json::Value;

/// A longer element is left out.
const LONGEST: usize = 16 * 1024 * 1024;

/// What to do with a value, and what was found out about the fields.
#[derive(Debug)]
struct Fields {
    options: Options,
    columns: Vec<String>,
    length: Option<String>,
    count: Option<String>,
    strings: bool,
    lists: bool,
}

impl Fields {
    fn new(options: &Options) -> Self {
        let (length, count) = (options.length.clone(), options.count.clone().filter(|c| !c.is_empty()));
        Self { options: options.clone(), columns: Vec::new(), length, count, strings: false, lists: false }
    }

    fn take(&mut self, value: &Value, at: (u64, u64), text: &[u8], tally: &mut Tally) {
        let (mut size, mut items) = (Some(value), Ok(1));
        if let Value::Object(object) = value {
            if self.columns.is_empty() {
                self.look_at(object.keys().cloned().collect(), object);
            }
            size = self.length.as_ref().and_then(|path| find(value, path));
            if let Some(count) = self.count.as_ref().and_then(|path| find(value, path)) {
                items = number(count).map_err(|_| Why::Count);
            }
        }
        match size.map_or(Err(Why::Missing), |v| self.length_of(v)).and_then(|l| Ok((l, items?))) {
            Ok((length, items)) => tally.add(length, items),
            Err(why) => tally.skip(at.0, at.1, text, why),
        }
    }

    /// The fields of the first object decide, where nothing was asked for.
    fn look_at(&mut self, columns: Vec<String>, object: &serde_json::Map<String, Value>) {
        if self.length.is_none() {
            let countable = |c: &&String| matches!(object[c.as_str()], Value::Number(_) | Value::Array(_));
            let named = known(&LENGTHS, &columns).map(|i| &columns[i]);
            self.length = named.or_else(|| columns.iter().find(countable)).cloned();
        }
        if self.options.count.is_none() {
            self.count = known(&COUNTS, &columns).map(|i| columns[i].clone());
        }
        self.columns = columns;
    }

    fn length_of(&mut self, value: &Value) -> Result<u32, Why> {
        let n = match value {
            Value::Array(list) => {
                self.lists = true;
                list.len() as u64
            }
            Value::String(text) => {
                // A number in quotes is a number.
                if let Ok(n) = length(text.as_bytes()) {
                    return Ok(n);
                }
                self.strings = true;
                text.chars().count() as u64
            }
            Value::Null => return Err(Why::Empty),
            other => number(other)?,
        };
        match u32::try_from(n) {
            Ok(0) => Err(Why::Zero),
            Ok(n) => Ok(n),
            Err(_) => Err(Why::TooLarge),
        }
    }

    fn describe(self, format: Format) -> Description {
        let mut description = Description::new(format);
        if self.strings {
            description
                .notes
                .push("the length of a text is its number of characters, not of tokens".to_owned());
        }
        if self.lists {
            description.notes.push("the length of a list is its number of elements".to_owned());
        }
        description.length = self.length;
        description.count = self.count;
        description.columns = self.columns;
        description
    }
}

fn number(value: &Value) -> Result<u64, Why> {
    match value.as_u64() {
        Some(n) => Ok(n),
        None => whole_of(value.as_f64().ok_or(Why::NotANumber)?),
    }
}

/// The field of a path such as `a.b`.
fn find<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    value.get(path).or_else(|| path.split('.').try_fold(value, |v, name| v.get(name)))
}

/// One value a line.
#[derive(Debug)]
pub(super) struct Lines {
    fields: Fields,
    line: Vec<u8>,
    number: u64,
    too_long: bool,
}

impl Lines {
    pub fn new(options: &Options) -> Self {
        Self { fields: Fields::new(options), line: Vec::new(), number: 1, too_long: false }
    }

    pub fn push(&mut self, mut bytes: &[u8], tally: &mut Tally) {
        while let Some(end) = bytes.iter().position(|b| *b == b'\n') {
            self.keep(&bytes[..end]);
            self.end(tally);
            self.number += 1;
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.too_long |= self.line.len() + bytes.len() > LONGEST;
        if !self.too_long {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end(&mut self, tally: &mut Tally) {
        let line = std::mem::take(&mut self.line);
        let text = line.trim_ascii();
        if std::mem::take(&mut self.too_long) {
            tally.skip(self.number, 1, text, Why::TooLong);
        } else if !text.is_empty() {
            match serde_json::from_slice(text) {
                Ok(value) => self.fields.take(&value, (self.number, 1), text, tally),
                Err(error) => tally.skip(self.number, error.column() as u64, text, Why::NotJson),
            }
        }
        self.line = line;
        self.line.clear();
    }

    pub fn finish(mut self, tally: &mut Tally) -> Description {
        self.end(tally);
        self.fields.describe(Format::JsonLines)
    }
}

/// The elements of one array, or the pairs of one object.
#[derive(Debug)]
pub(super) struct Elements {
    fields: Fields,
    element: Vec<u8>,
    /// Where the element begins.
    start: (u64, u64),
    at: (u64, u64),
    depth: u32,
    object: bool,
    quoted: bool,
    escaped: bool,
    too_long: bool,
}

impl Elements {
    pub fn new(options: &Options) -> Self {
        Self {
            fields: Fields::new(options),
            element: Vec::new(),
            start: (1, 1),
            at: (1, 0),
            depth: 0,
            object: false,
            quoted: false,
            escaped: false,
            too_long: false,
        }
    }

    pub fn push(&mut self, bytes: &[u8], tally: &mut Tally) {
        for &byte in bytes {
            // Continuation bytes of UTF-8 are no characters of their own.
            self.at.1 += u64::from(byte & 0xC0 != 0x80);
            self.scan(byte, tally);
            if byte == b'\n' {
                self.at = (self.at.0 + 1, 0);
            }
        }
    }

    fn scan(&mut self, byte: u8, tally: &mut Tally) {
        if self.quoted {
            self.quoted = byte != b'"' || self.escaped;
            self.escaped = byte == b'\\' && !self.escaped;
            return self.keep(byte);
        }
        match byte {
            b'[' | b'{' if self.depth == 0 => {
                self.object = byte == b'{';
                self.depth = 1;
            }
            b'[' | b'{' => {
                self.depth += 1;
                self.keep(byte);
            }
            b']' | b'}' if self.depth > 1 => {
                self.depth -= 1;
                self.keep(byte);
            }
            b']' | b'}' if self.depth == 1 => {
                self.end(tally);
                self.depth = 0;
            }
            b',' if self.depth <= 1 => self.end(tally),
            _ => {
                self.quoted = byte == b'"';
                self.keep(byte);
            }
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.element.is_empty() {
            if byte.is_ascii_whitespace() {
                return;
            }
            self.start = self.at;
        }
        if self.element.len() < LONGEST {
            self.element.push(byte);
        } else {
            self.too_long = true;
        }
    }

    fn end(&mut self, tally: &mut Tally) {
        let element = std::mem::take(&mut self.element);
        let text = element.trim_ascii();
        if std::mem::take(&mut self.too_long) {
            tally.skip(self.start.0, self.start.1, text, Why::TooLong);
        } else if self.object && !text.is_empty() {
            self.pair(text, tally);
        } else if !text.is_empty() {
            match serde_json::from_slice(text) {
                Ok(value) => self.fields.take(&value, self.start, text, tally),
                Err(_) => tally.skip(self.start.0, self.start.1, text, Why::NotJson),
            }
        }
        self.element = element;
        self.element.clear();
    }

    /// `"12": 5` is five items of length 12; `"lengths": [12, 13]` is a list of lengths.
    fn pair(&mut self, text: &[u8], tally: &mut Tally) {
        let braced = [b"{", text, b"}"].concat();
        let pair = serde_json::from_slice::<serde_json::Map<String, Value>>(&braced).ok();
        let Some((key, value)) = pair.and_then(|map| map.into_iter().next()) else {
            return tally.skip(self.start.0, self.start.1, text, Why::NotJson);
        };
        if let Value::Array(list) = &value {
            return list.iter().for_each(|v| self.fields.take(v, self.start, text, tally));
        }
        match length(key.as_bytes()).and_then(|l| Ok((l, number(&value).map_err(|_| Why::Count)?))) {
            Ok((length, count)) => tally.add(length, count),
            Err(why) => tally.skip(self.start.0, self.start.1, text, why),
        }
    }

    pub fn finish(mut self, tally: &mut Tally) -> Description {
        self.end(tally);
        let object = self.object;
        let mut description = self.fields.describe(Format::Json);
        if object {
            description
                .notes
                .push("an object: each key is a length, its value the number of items".to_owned());
        }
        description
    }
}
