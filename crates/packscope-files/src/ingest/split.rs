//! Splits JSON text into its elements, without holding it.
//!
//! Written here because the maintained push parsers emit tokens, while an element should fail alone and be parsed by
//! `serde_json` like a line of JSON Lines. Only brackets and strings are followed.

use super::lines::Carry;
use super::problem::{Cursor, Place, Why};

/// The shape of the input, from its first characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonShape {
    /// `[element, …]`
    Array,
    /// `{"key": value, …}`, where each member is an element.
    Map,
    /// Values one after the other.
    Values,
}

/// The end of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Whole,
    Overlong,
    /// The input ended first.
    Unfinished,
    /// It follows the end of the array or the object.
    Trailing,
}

/// An element, its place, and its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'a> {
    pub text: &'a [u8],
    pub place: Place,
    pub fate: Fate,
}

impl Element<'_> {
    /// Returns the problem, if the element did not end whole.
    pub fn fault(&self) -> Option<Why> {
        match self.fate {
            Fate::Whole => None,
            Fate::Overlong => Some(Why::TooLong),
            Fate::Unfinished => Some(Why::Unfinished),
            Fate::Trailing => Some(Why::Trailing),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SplitStage {
    Before,
    Inside,
    After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// No element begins or ends here.
    On,
    /// The element begins at this byte.
    Begin,
    /// It ended before this byte.
    EndBefore,
    /// It ends with this byte.
    EndWith,
}

/// The state of the splitter between chunks.
#[derive(Debug)]
pub(super) struct Splitter {
    shape: JsonShape,
    stage: SplitStage,
    carry: Carry,
    /// Whether an element has begun.
    begun: bool,
    /// Its open brackets.
    depth: u64,
    /// Whether inside a string, and whether after a backslash in it.
    string: bool,
    escape: bool,
    comment: bool,
    after_comma: bool,
    place: Place,
    cursor: Cursor,
}

impl Splitter {
    pub fn new(shape: JsonShape) -> Self {
        Self {
            shape,
            stage: if shape == JsonShape::Values {
                SplitStage::Inside
            } else {
                SplitStage::Before
            },
            carry: Carry::default(),
            begun: false,
            depth: 0,
            string: false,
            escape: false,
            comment: false,
            after_comma: false,
            place: Place::line(1, 1),
            cursor: Cursor::new(),
        }
    }

    /// Calls `each` for each element that ends in the chunk.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Element<'_>)) {
        let mut from = 0;
        for (i, byte) in bytes.iter().enumerate() {
            match self.step(*byte) {
                Step::On => {}
                Step::Begin => from = i,
                Step::EndBefore => self.end(&bytes[from..i], &mut each),
                Step::EndWith => self.end(&bytes[from..=i], &mut each),
            }
            self.cursor.advance(*byte);
            // Bytes already passed on are never part of the next element.
            if !self.begun {
                from = i + 1;
            }
        }
        if self.begun {
            self.carry.keep(&bytes[from..]);
        }
    }

    /// Calls `each` for the element that the end of the input cuts or ends, if any.
    pub fn finish(&mut self, mut each: impl FnMut(Element<'_>)) {
        // Numbers and words have no end of their own, so the end of the input is theirs.
        let scalar = self.shape == JsonShape::Values && self.depth == 0 && !self.string;
        let fate = match self.stage {
            SplitStage::After => Fate::Trailing,
            _ if scalar => Fate::Whole,
            _ => Fate::Unfinished,
        };
        if !self.begun {
            self.place = self.cursor.place();
        }
        // An array cut between two elements lacks its end, too.
        if self.begun || (self.stage == SplitStage::Inside && fate == Fate::Unfinished) {
            let piece = self.carry.complete(&[]);
            let fate = if piece.overlong { Fate::Overlong } else { fate };
            let text = if self.begun { piece.text } else { b"" };
            each(Element {
                text,
                place: self.place,
                fate,
            });
        }
    }

    fn step(&mut self, byte: u8) -> Step {
        if self.string {
            return self.in_string(byte);
        }
        // Everything after the end is one trailing element.
        if self.stage == SplitStage::After && self.begun {
            return Step::On;
        }
        if self.begun {
            self.inside(byte)
        } else {
            self.between(byte)
        }
    }

    fn in_string(&mut self, byte: u8) -> Step {
        match byte {
            _ if self.escape => self.escape = false,
            b'\\' => self.escape = true,
            b'"' => {
                self.string = false;
                // A string among values ends by itself, without a comma.
                if self.shape == JsonShape::Values && self.depth == 0 {
                    return Step::EndWith;
                }
            }
            _ => {}
        }
        Step::On
    }

    fn between(&mut self, byte: u8) -> Step {
        match byte {
            _ if self.comment => self.comment = !matches!(byte, b'\n' | b'\r'),
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'#' => self.comment = true,
            b'[' | b'{' if self.stage == SplitStage::Before => {
                self.stage = SplitStage::Inside;
                // A comma right after the bracket also has no element before it.
                self.after_comma = true;
            }
            b',' if self.stage == SplitStage::Inside => return self.comma(),
            _ if self.closes(byte) => self.stage = SplitStage::After,
            _ => return self.begin(byte),
        }
        Step::On
    }

    /// Ends an element without text, if a comma follows another one.
    fn comma(&mut self) -> Step {
        // Values one after the other may have commas between them or not, so none is missing.
        if self.after_comma && self.shape != JsonShape::Values {
            self.place = self.cursor.place();
            return Step::EndBefore;
        }
        self.after_comma = true;
        Step::On
    }

    fn begin(&mut self, byte: u8) -> Step {
        self.place = self.cursor.place();
        self.begun = true;
        self.after_comma = false;
        if self.stage == SplitStage::Inside {
            // A scalar cannot end with its first byte, nor can anything else, so the step is
            // ignored.
            let _ = self.inside(byte);
        }
        Step::Begin
    }

    fn inside(&mut self, byte: u8) -> Step {
        match byte {
            b'"' => self.string = true,
            // Brackets of either kind count alike: the parser of the element finds those that do
            // not match.
            b'[' | b'{' => self.depth += 1,
            b',' if self.depth == 0 => {
                self.after_comma = true;
                return Step::EndBefore;
            }
            b' ' | b'\t' | b'\n' | b'\r' if self.depth == 0 && self.shape == JsonShape::Values => {
                return Step::EndBefore;
            }
            _ if self.closes(byte) => {
                self.stage = SplitStage::After;
                return Step::EndBefore;
            }
            b']' | b'}' => {
                let open = self.depth > 0;
                self.depth = self.depth.saturating_sub(1);
                if open && self.depth == 0 && self.shape == JsonShape::Values {
                    return Step::EndWith;
                }
            }
            _ => {}
        }
        Step::On
    }

    /// Whether the byte closes the array or the object that holds the elements.
    fn closes(&self, byte: u8) -> bool {
        let closer = match self.shape {
            JsonShape::Array => b']',
            JsonShape::Map => b'}',
            JsonShape::Values => return false,
        };
        byte == closer && self.depth == 0 && self.stage == SplitStage::Inside
    }

    fn end(&mut self, part: &[u8], each: &mut impl FnMut(Element<'_>)) {
        // An element without text never began, so the chunk has no part of it.
        let part = if self.begun { part } else { &[] };
        let piece = self.carry.complete(part);
        let fate = if piece.overlong {
            Fate::Overlong
        } else {
            Fate::Whole
        };
        each(Element {
            text: piece.text,
            place: self.place,
            fate,
        });
        self.begun = false;
    }
}
