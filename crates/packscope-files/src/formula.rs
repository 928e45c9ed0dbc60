//! Small formulae over the fields of a record: `prompt_tokens + completion_tokens`, `ceil(width / 16) * ceil(height / 16)`.
//!
//! Numbers, names of fields (also paths, `a.b`, and words, `a b`; between backticks where a name has other
//! characters, with two backticks for one in the name; `$2` for the second column), `+ - * / //`,
//! parentheses, and `abs`, `ceil`, `floor`, `round` (halves away from zero), `max`, `min`. Crates
//! that do this bring variables in braces, a hash map, or a licence of their own.

use packscope_core::words::shell_word;

/// A formula, as it was written and as it is computed.
#[derive(Debug, Clone)]
pub struct Formula {
    text: String,
    root: Node,
    fields: Vec<Operand>,
}

/// A value that a formula takes from a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// The field of this name.
    Name(String),
    /// The column of this number, from 1.
    Number(u32),
}

#[derive(Debug, Clone)]
enum Node {
    Number(f64),
    /// A field, by its index among those of the formula.
    Field(usize),
    One(Factor, Box<Node>),
    /// Two or more operands, evaluated from the left.
    Fold(Two, Vec<Node>),
}

type Factor = fn(f64) -> f64;
type Two = fn(f64, f64) -> f64;

const ONE: [(&str, Factor); 4] = [
    ("abs", f64::abs),
    ("ceil", f64::ceil),
    ("floor", f64::floor),
    ("round", f64::round),
];
const SEVERAL: [(&str, Two); 2] = [("max", f64::max), ("min", f64::min)];
const SUMS: [(&str, Two); 2] = [("+", |a, b| a + b), ("-", |a, b| a - b)];
// The first sign that fits is taken, so `//` stands before `/`.
const PRODUCTS: [(&str, Two); 3] = [
    ("//", |a, b| (a / b).floor()),
    ("*", |a, b| a * b),
    ("/", |a, b| a / b),
];

/// The most parentheses and signs within each other, as the parser calls itself for each, and the
/// most bytes.
const DEEPEST: u32 = 64;
const LONGEST: usize = 1000;

impl Formula {
    /// Parses a formula over at least one field, of at most 1,000 bytes.
    ///
    /// # Errors
    /// A sentence with the fault, its position counted in characters, and the syntax that is
    /// accepted.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!(
                "a formula is longer than {LONGEST} bytes; expected a shorter one"
            ));
        }
        let mut parser = Parser {
            text,
            at: 0,
            depth: 0,
            fields: Vec::new(),
        };
        let root = parser.sum()?;
        match parser.unread_text() {
            "" if parser.fields.is_empty() => {
                Err(format!("\"{text}\" names no field; expected one at least"))
            }
            "" => Ok(Self {
                text: text.trim().to_owned(),
                root,
                fields: parser.fields,
            }),
            _ => Err(parser.wrong()),
        }
    }

    /// Whether a text that is the name of no field looks like a formula.
    pub fn is_meant(text: &str) -> bool {
        text.contains(['+', '-', '*', '/', '(', '`', '$'])
    }

    /// Returns the formula as it was written, without the space around it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the fields that the formula reads, each once, in the order that
    /// [`value`](Self::value) expects.
    pub fn fields(&self) -> &[Operand] {
        &self.fields
    }

    /// Says how to turn fractions into lengths: by a rate where a field seems to hold seconds, else
    /// by rounding.
    pub fn rates(&self) -> String {
        let is_time = |field: &Operand| match field {
            Operand::Name(name) => name
                .to_lowercase()
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| TIMES.contains(&word)),
            // A number says nothing about its column.
            Operand::Number(_) => true,
        };
        let text = &self.text;
        match self.fields.iter().any(is_time) {
            true => rates(&format!("({text})")).0,
            false => format!(
                "{text} is no whole number; round it: --length {}, {} or {}",
                shell_word(&format!("ceil({text})")),
                shell_word(&format!("floor({text})")),
                shell_word(&format!("round({text})")),
            ),
        }
    }

    /// Computes the formula from the values of its [`fields`](Self::fields), in their order; NaN if
    /// one is missing.
    pub fn value(&self, fields: &[f64]) -> f64 {
        self.root.value(fields)
    }
}

impl Node {
    fn value(&self, fields: &[f64]) -> f64 {
        match self {
            Self::Number(number) => *number,
            // NaN is no whole number, so that a missing field is refused as a length.
            Self::Field(at) => fields.get(*at).copied().unwrap_or(f64::NAN),
            Self::One(function, of) => function(of.value(fields)),
            Self::Fold(function, of) => of
                .iter()
                .map(|node| node.value(fields))
                .reduce(function)
                .unwrap_or(f64::NAN),
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
    fields: Vec<Operand>,
}

impl<'t> Parser<'t> {
    /// Returns the unread text, without the space before it.
    fn unread_text(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - rest.trim_start().len();
        rest.trim_start()
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.unread_text().starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    /// Takes characters as long as `is` holds.
    fn while_(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        let rest = self.unread_text();
        let taken = &rest[..rest.find(|c| !is(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn wrong(&mut self) -> String {
        let found = match self.unread_text().chars().next() {
            Some(next) => format!(
                "\"{next}\" at character {}",
                self.text[..self.at].chars().count() + 1
            ),
            None => "its end".to_owned(),
        };
        format!(
            "a formula was understood up to {found}; expected names of fields (`between backticks` where they are no \
             words, $2 for a column by its number), numbers, + - * / //, parentheses, abs, ceil, floor, round, max, min"
        )
    }

    fn chain(
        &mut self,
        signs: &[(&str, Two)],
        inner: fn(&mut Self) -> Result<Node, String>,
    ) -> Result<Node, String> {
        let mut node = inner(self)?;
        while let Some((_, function)) = signs.iter().find(|(sign, _)| self.takes(sign)) {
            node = Node::Fold(*function, vec![node, inner(self)?]);
        }
        Ok(node)
    }

    fn sum(&mut self) -> Result<Node, String> {
        // `*` and `/` bind closer than `+` and `-`; each chain is evaluated from the left.
        self.chain(&SUMS, |parser| parser.chain(&PRODUCTS, Self::deeper))
    }

    fn deeper(&mut self) -> Result<Node, String> {
        // One level for each parenthesis or sign: recursion ends before the stack does.
        self.depth += 1;
        let node = if self.depth > DEEPEST {
            Err(self.wrong())
        } else {
            self.factor()
        };
        self.depth -= 1;
        node
    }

    fn factor(&mut self) -> Result<Node, String> {
        if self.takes("-") {
            return Ok(Node::One(|x| -x, Box::new(self.deeper()?)));
        }
        if self.takes("(") {
            let node = self.sum()?;
            return if self.takes(")") {
                Ok(node)
            } else {
                Err(self.wrong())
            };
        }
        if self.takes("$") {
            let number = self
                .while_(|c| c.is_ascii_digit())
                .parse()
                .ok()
                .filter(|number| *number > 0);
            return number
                .map(|number| self.field(Operand::Number(number)))
                .ok_or_else(|| self.wrong());
        }
        if self.takes("`") {
            let name = self.name().ok_or_else(|| self.wrong())?;
            return Ok(self.field(Operand::Name(name)));
        }
        if self
            .unread_text()
            .starts_with(|c: char| c.is_ascii_digit() || c == '.')
        {
            return self.number();
        }
        match self.words() {
            "" => Err(self.wrong()),
            name if self.takes("(") => self.call(name),
            name => Ok(self.field(Operand::Name(name.to_owned()))),
        }
    }

    /// Takes the words of a name: no sign stands between them, so that they can be nothing else.
    fn words(&mut self) -> &'t str {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let first = self.while_(is_word);
        let begin = self.at - first.len();
        let mut end = self.at;
        while !first.is_empty() && self.unread_text().starts_with(is_word) {
            self.while_(is_word);
            end = self.at;
        }
        self.at = end;
        &self.text[begin..end]
    }

    /// Takes a name up to its closing backtick; two backticks stand for one in the name.
    fn name(&mut self) -> Option<String> {
        // Not `unread_text`: spaces at the beginning of a quoted name belong to it.
        let (mut name, mut rest) = (String::new(), &self.text[self.at..]);
        loop {
            let (before, after) = rest.split_once('`')?;
            name += before;
            let Some(next) = after.strip_prefix('`') else {
                if name.is_empty() {
                    return None;
                }
                self.at = self.text.len() - after.len();
                return Some(name);
            };
            name.push('`');
            rest = next;
        }
    }

    fn number(&mut self) -> Result<Node, String> {
        let start = self.at;
        let digits = self.while_(|c| c.is_ascii_digit() || c == '.');
        let parsed = packscope_core::accepts::number(digits);
        parsed.map(Node::Number).ok_or_else(|| {
            // The message points at the beginning of the number.
            self.at = start;
            self.wrong()
        })
    }

    fn field(&mut self, operand: Operand) -> Node {
        let known = self.fields.iter().position(|field| *field == operand);
        Node::Field(known.unwrap_or_else(|| {
            self.fields.push(operand);
            self.fields.len() - 1
        }))
    }

    /// Parses the arguments of a function, after its opening parenthesis.
    fn call(&mut self, name: &str) -> Result<Node, String> {
        let mut of = vec![self.sum()?];
        while self.takes(",") {
            of.push(self.sum()?);
        }
        if !self.takes(")") {
            return Err(self.wrong());
        }
        let one = ONE
            .iter()
            .find(|(known, _)| *known == name)
            .filter(|_| of.len() == 1);
        let several = SEVERAL.iter().find(|(known, _)| *known == name);
        match (one, several, of.len()) {
            (Some((_, function)), ..) => Ok(Node::One(*function, Box::new(of.remove(0)))),
            (_, Some((_, function)), _) => Ok(Node::Fold(*function, of)),
            (.., number) => Err(format!(
                "there is no function {name} of {number}; expected abs, ceil, floor or round of one, max or min of several"
            )),
        }
    }
}

/// Splits a list at the commas that are in no parentheses and no backticks.
pub fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut quoted) = (0_i32, false);
    let parts = list.split(|c| {
        quoted ^= c == '`';
        depth += match c {
            '(' if !quoted => 1,
            ')' if !quoted => -1,
            _ => 0,
        };
        // `<= 0`: a stray closing parenthesis must not keep the rest together.
        c == ',' && !quoted && depth <= 0
    });
    parts.map(str::trim).collect()
}

/// Words in the names of fields that hold seconds.
const TIMES: [&str; 12] = [
    "duration", "dur", "seconds", "second", "secs", "sec", "start", "end", "begin", "stop",
    "onset", "offset",
];

/// Milliseconds of the frames of speech models.
const FRAMES: [f64; 4] = [10.0, 12.5, 20.0, 40.0];

/// Says that a field, named as formulae name it, holds fractions, and lists the formulae that turn
/// seconds into lengths. Returns the sentence and these formulae.
pub fn rates(field: &str) -> (String, Vec<String>) {
    let (listed, formulae) = rated(field, 1.0);
    let words =
        format!("{field} holds fractions, as seconds do, which are lengths with a rate: {listed}");
    (words, formulae)
}

/// Lists the formulae that turn times into lengths, of which there are so many in a second: as flags in words, and alone.
pub fn rated(field: &str, per_second: f64) -> (String, Vec<String>) {
    let rate = |rate: f64| match rate / per_second {
        // A factor below 1 is a quotient: of milliseconds with a frame each 10, a tenth.
        part if part < 1.0 => format!("round({field} / {})", per_second / rate),
        times => format!("round({field} * {times})"),
    };
    let frames = FRAMES.map(|ms| rate(1000.0 / ms));
    let flag = |formula: &str| format!("--length {}", shell_word(formula));
    let listed = FRAMES
        .iter()
        .zip(&frames)
        .map(|(ms, formula)| format!("of {ms} ms {}", flag(formula)));
    let (listed, samples) = (listed.collect::<Vec<_>>().join(", "), rate(16000.0));
    let words = format!(
        "for frames {listed}, for samples of 16 kHz {}",
        flag(&samples)
    );
    (words, frames.into_iter().chain([samples]).collect())
}

/// Returns a name as a formula writes it: as it is if it is a word, else between backticks.
pub fn quoted(name: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if begins && name.chars().all(is_word) {
        name.to_owned()
    } else {
        format!("`{}`", name.replace('`', "``"))
    }
}
