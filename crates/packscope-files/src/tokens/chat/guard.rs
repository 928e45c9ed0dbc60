//! Makes a chat template harmless before it is compiled: limits on its own size, and checks inserted into it, so
//! that its values cannot grow without bound.
//!
//! The engine of templates limits instructions (its fuel), but an instruction may work on values of any size, and
//! operators cannot be replaced. A value grows by operators within an expression, whose number is limited here, or from
//! one expression to the next, in what names hold: so all that gets a name is measured ([`WITHIN`]). Text is counted
//! where it is long ([`COUNTED`]), since blocks of text can be captured; `*` becomes a filter ([`TIMES`]), since it can
//! repeat a list as often as it likes.
//!
//! Names of tests and filters are apart from those of variables: a template cannot redefine them.

use std::ops::Range;

/// The test that a value is not too large.
pub(super) const WITHIN: &str = "packscope_within_bounds";
/// The test that counts text that is about to be written.
pub(super) const COUNTED: &str = "packscope_counted";
/// The filter in place of `*`.
pub(super) const TIMES: &str = "packscope_times";

/// The largest template, in bytes; the largest of models have 30 KB.
const SIZE: usize = 256 << 10;
/// Operators, calls and filters in a tag, each of which may be a step deeper for the compiler.
// Deep expressions overflowed the stack of the compiler.
const STEPS: usize = 300;
/// Operators in a tag that make a value as large as both of theirs.
const GROWING: usize = 64;
/// Branches in a template, each of which is a step deeper for the compiler.
const BRANCHES: usize = 100;
/// Bytes of text that a template may write without being counted.
const UNCOUNTED: usize = 64;
/// Bytes of white space that it may write.
const BLANK: usize = 512;

/// Tags that name other templates, or parts of them: no tokenizer brings any.
const OTHERS: [&str; 5] = ["include", "import", "from", "extends", "block"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Name,
    Number,
    Text,
    Sign,
}

#[derive(Clone)]
struct Token<'t> {
    kind: TokenKind,
    text: &'t str,
    at: usize,
}

impl Token<'_> {
    fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Name | TokenKind::Sign) && self.text == text
    }

    fn opens(&self) -> bool {
        self.kind == TokenKind::Sign && matches!(self.text, "(" | "[" | "{")
    }

    fn closes(&self) -> bool {
        self.kind == TokenKind::Sign && matches!(self.text, ")" | "]" | "}")
    }

    /// Whether an operator after it has two operands.
    fn ends_operand(&self) -> bool {
        self.kind != TokenKind::Sign || self.closes()
    }
}

/// Returns the template with its checks.
///
/// # Errors
/// The reason why it is refused, with the line. Other faults are for the compiler to tell.
pub(super) fn guarded(template: &str) -> Result<String, String> {
    if template.len() > SIZE {
        return Err(format!(
            "it has {} bytes, and at most {SIZE} are read",
            template.len()
        ));
    }
    let (mut out, mut at, mut branches) = (String::new(), 0, 0);
    // Only errors need a line, so it is counted when one occurs.
    let line = |at: usize| template[..at].matches('\n').count() + 1;
    while let Some(start) = next_tag(template, at) {
        text(&mut out, &template[at..start]).map_err(|why| format!("{why}, line {}", line(at)))?;
        let rest = &template[start..];
        let skipped = match &rest[..2] {
            "{#" => comment(rest),
            "{%" => raw(rest),
            _ => None,
        };
        if let Some(length) = skipped {
            // Text in a raw block cannot get a check inside it.
            if length > UNCOUNTED && !rest.starts_with("{#") {
                return Err(format!(
                    "its raw block has more than {UNCOUNTED} bytes, line {}",
                    line(start)
                ));
            }
            out.push_str(&rest[..length]);
            at = start + length;
            continue;
        }
        // Tags are read as the compiler reads them: a check in the wrong place would be text.
        let Some(tag) = Tag::read(rest) else {
            return Err(format!(
                "a tag never ends, or holds what no tag does, line {}",
                line(start)
            ));
        };
        if let Some(other) = tag
            .tokens
            .first()
            .filter(|first| rest.starts_with("{%") && OTHERS.contains(&first.text))
        {
            return Err(format!(
                "it has the tag {}, which is for several templates, line {}",
                other.text,
                line(start)
            ));
        }
        branches += usize::from(tag.tokens.first().is_some_and(|first| first.is("elif")));
        if branches > BRANCHES {
            return Err(format!(
                "it has more than {BRANCHES} branches \"elif\", line {}",
                line(start)
            ));
        }
        tag.write(&mut out)
            .map_err(|why| format!("{why}, line {}", line(start)))?;
        at = start + tag.text.len();
    }
    text(&mut out, &template[at..]).map_err(|why| format!("{why}, line {}", line(at)))?;
    Ok(out)
}

fn next_tag(template: &str, from: usize) -> Option<usize> {
    let found = ["{{", "{%", "{#"].map(|start| template[from..].find(start));
    found.into_iter().flatten().min().map(|at| from + at)
}

/// Writes text outside of tags, which is counted if it is long: between two characters that no tag strips.
fn text(out: &mut String, text: &str) -> Result<(), String> {
    if text.len() <= UNCOUNTED {
        out.push_str(text);
        return Ok(());
    }
    // The check stands between two characters that no tag strips, and not within "{{".
    let plain = |c: char| !c.is_whitespace() && c != '{';
    let pairs = text.char_indices().zip(text.chars().skip(1));
    let Some(((at, first), _)) = pairs.into_iter().find(|((_, a), b)| plain(*a) && plain(*b))
    else {
        // White space, as a rule: the tags beside it may strip it.
        if text.len() > BLANK {
            return Err(format!(
                "it has more than {BLANK} bytes of white space in one place"
            ));
        }
        out.push_str(text);
        return Ok(());
    };
    let (before, after) = text.split_at(at + first.len_utf8());
    // `+` keeps the white space around the check, which `trim_blocks` would remove.
    out.push_str(&format!(
        "{before}{{%+ if {} is {COUNTED} +%}}{{%+ endif +%}}{after}",
        text.len()
    ));
    Ok(())
}

/// Returns the length of the comment at the start, if it ends.
fn comment(rest: &str) -> Option<usize> {
    let start = if rest[2..].starts_with(['-', '+']) {
        3
    } else {
        2
    };
    // Comments cannot be nested.
    Some(start + rest[start..].find("#}")? + 2)
}

/// Returns the length of a raw block at the start, if one is there.
fn raw(rest: &str) -> Option<usize> {
    let inner = |tag: &str| {
        Some(
            tag.trim_start_matches(['-', '+'])
                .split_once("%}")?
                .0
                .to_owned(),
        )
    };
    let is = |tag: &str, name: &str| {
        inner(tag).is_some_and(|inner| inner.trim_end_matches(['-', '+']).trim_ascii() == name)
    };
    if !is(&rest[2..], "raw") {
        return None;
    }
    let ends = rest
        .match_indices("{%")
        .skip(1)
        .find(|(at, _)| is(&rest[at + 2..], "endraw"));
    let (at, _) = ends?;
    Some(at + rest[at..].find("%}")? + 2)
}

struct Tag<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    /// How it ends: `-%}`, and the like.
    end: &'t str,
}

impl<'t> Tag<'t> {
    /// Reads the tag at the start, as the compiler reads it; `None` if it never ends.
    fn read(rest: &'t str) -> Option<Self> {
        let (is_block, bytes) = (rest.starts_with("{%"), rest.as_bytes());
        let close = if is_block { "%}" } else { "}}" };
        // A sign after the opening bracket belongs to the tag, and is no operator.
        let mut at = 2 + usize::from(matches!(bytes.get(2), Some(b'-' | b'+')));
        let (mut tokens, mut open) = (Vec::new(), 0_isize);
        loop {
            let here = rest.get(at..)?;
            let first = *here.as_bytes().first()?;
            let signed = usize::from(matches!(first, b'-' | b'+'));
            // "}}" may also end two dictionaries; only outside of brackets it ends the tag.
            if open == 0 && here.as_bytes().get(signed..)?.starts_with(close.as_bytes()) {
                let (text, end) = (&rest[..at + signed + 2], &here[..signed + 2]);
                return Some(Self { text, tokens, end });
            }
            if first.is_ascii_whitespace() {
                at += 1;
                continue;
            }
            let (kind, length) = token(here)?;
            let text = here.get(..length)?;
            if kind == TokenKind::Sign {
                open += match text {
                    "(" | "[" | "{" => 1,
                    ")" | "]" | "}" => -1,
                    _ => 0,
                };
            }
            tokens.push(Token { kind, text, at });
            at += length;
        }
    }

    /// Writes the tag, with `*` replaced, and the check of the names that it assigns.
    fn write(&self, out: &mut String) -> Result<(), String> {
        let count =
            |is: fn(&Token<'_>) -> bool| self.tokens.iter().filter(|token| is(token)).count();
        if count(is_step) > STEPS {
            return Err(format!("it has more than {STEPS} operators in a tag"));
        }
        if count(|token| matches!(token.text, "+" | "~") && token.kind == TokenKind::Sign) > GROWING
        {
            return Err(format!(
                "it has more than {GROWING} of the operators + and ~ in a tag"
            ));
        }
        let inner = self.replaced(0..self.tokens.len())?;
        let start = &self.text[..self
            .tokens
            .first()
            .map_or(self.text.len() - self.end.len(), |first| first.at)];
        let last = self
            .tokens
            .last()
            .map_or(start.len(), |last| last.at + last.text.len());
        let tail = &self.text[last..];
        out.push_str(&format!("{start}{inner}{tail}"));
        // After the tag, as the names do not exist before it. In the loop or macro that the tag
        // begins, the check runs each time.
        if let Some(names) = self.names() {
            out.push_str(&format!(
                "{{% if [{names}] is {WITHIN} %}}{{% endif {}",
                self.end
            ));
        }
        Ok(())
    }

    /// Returns the tokens with `a * b` as a filter: both bind their operands equally, if nothing was divided before.
    fn replaced(&self, range: Range<usize>) -> Result<String, String> {
        let (mut out, mut at, mut divided) = (String::new(), range.start, vec![false]);
        while at < range.end {
            let token = &self.tokens[at];
            let binary = at > 0 && self.tokens[at - 1].ends_operand();
            match token.text {
                _ if token.kind == TokenKind::Text => {}
                "**" if binary => return Err("it has the operator **".to_owned()),
                "*" if binary => {
                    // A filter binds closer than `/`: a / b * c would become a / (b * c).
                    if divided.last() == Some(&true) {
                        return Err(
                            "it multiplies what was divided; put the quotient in parentheses"
                                .to_owned(),
                        );
                    }
                    let end = self.operand(at + 1, range.end);
                    // The operand may have products of its own, in brackets.
                    let operand = self.replaced(at + 1..end)?;
                    out.push_str(&format!("|{TIMES}({operand})"));
                    at = end;
                    continue;
                }
                "/" | "//" | "%" => *divided.last_mut().unwrap_or(&mut false) = true,
                _ if token.opens() => divided.push(false),
                _ if token.closes() && divided.len() > 1 => drop(divided.pop()),
                "." | "|" => {}
                "-" | "+" if !binary => {}
                _ if token.kind == TokenKind::Sign || is_word(token.text) => {
                    *divided.last_mut().unwrap_or(&mut false) = false;
                }
                _ => {}
            }
            // White space is kept, as tokens such as `is` and `not` need it.
            let gap = at
                .checked_sub(1)
                .filter(|_| at > range.start)
                .map(|before| {
                    let before = &self.tokens[before];
                    &self.text[before.at + before.text.len()..token.at]
                });
            out.push_str(gap.unwrap_or_default());
            out.push_str(token.text);
            at += 1;
        }
        Ok(out)
    }

    /// Returns the end of the operand that starts here: signs, a value, its attributes and calls, its filters.
    fn operand(&self, mut at: usize, end: usize) -> usize {
        let is = |at: usize, text: &str| at < end && self.tokens[at].is(text);
        while is(at, "-") {
            at += 1;
        }
        at = self.matched(at, end);
        loop {
            let text = |at: usize| self.tokens[at].kind == TokenKind::Text;
            at = match () {
                // A name follows the point, or a filter its bar.
                () if is(at, ".") || is(at, "|") => (at + 2).min(end),
                () if is(at, "[") || is(at, "(") => self.matched(at, end),
                // Texts side by side are one.
                () if at < end && text(at) && text(at - 1) => at + 1,
                () => return at,
            };
        }
    }

    /// Returns the end of a token, or of the brackets that it opens.
    fn matched(&self, from: usize, end: usize) -> usize {
        let mut open = 0;
        for at in from..end {
            open += usize::from(self.tokens[at].opens());
            open -= usize::from(self.tokens[at].closes() && open > 0);
            if open == 0 {
                return at + 1;
            }
        }
        end
    }

    /// Returns the names that this tag assigns, as a list.
    fn names(&self) -> Option<String> {
        let tokens = &self.tokens;
        let depths = tokens.iter().scan(0_usize, |open, token| {
            *open = open.saturating_sub(usize::from(token.closes()));
            let depth = *open;
            *open += usize::from(token.opens());
            Some(depth)
        });
        let depths: Vec<usize> = depths.collect();
        let until =
            |end: &str| (1..tokens.len()).find(|at| depths[*at] == 0 && tokens[*at].is(end));
        let written = |from: usize, to: usize| {
            (from < to).then(|| {
                self.text[tokens[from].at..tokens[to].at]
                    .trim_end()
                    .to_owned()
            })
        };
        // The parameters between these brackets, without their defaults.
        let parameters = |open: usize| {
            let is_one = |at: &usize| {
                let (token, before) = (&tokens[*at], tokens[at - 1].text);
                depths[*at] == 1 && token.kind == TokenKind::Name && matches!(before, "(" | ",")
            };
            let all = (open + 1..self.matched(open, tokens.len())).filter(is_one);
            let names = all.map(|at| tokens[at].text).collect::<Vec<_>>().join(", ");
            Some(names).filter(|names| !names.is_empty())
        };
        match tokens.first()?.text {
            "set" => written(1, until("=")?),
            "for" => written(1, until("in")?),
            "macro" if tokens.get(2)?.is("(") => parameters(2),
            "call" if tokens.get(1)?.is("(") => parameters(1),
            "with" => {
                let assigned =
                    (1..tokens.len()).filter(|at| depths[*at] == 0 && tokens[*at].is("="));
                let names = assigned.filter_map(|at| {
                    let from = (1..at)
                        .rev()
                        .find(|from| depths[*from] == 0 && tokens[*from].is(","));
                    written(from.map_or(1, |comma| comma + 1), at)
                });
                Some(names.collect::<Vec<_>>().join(", "))
            }
            _ => None,
        }
    }
}

/// Whether a token may take the compiler a step deeper.
fn is_step(token: &Token<'_>) -> bool {
    match token.kind {
        TokenKind::Name => is_word(token.text),
        TokenKind::Sign => !matches!(token.text, "," | ":" | "=" | ")" | "]" | "}" | "{"),
        _ => false,
    }
}

/// Whether a name is an operator.
fn is_word(name: &str) -> bool {
    matches!(name, "and" | "or" | "not" | "in" | "is" | "if" | "else")
}

/// Returns the kind and the length of the token at the start, as the compiler reads it.
fn token(text: &str) -> Option<(TokenKind, usize)> {
    let bytes = text.as_bytes();
    let while_name = |from: usize| {
        from + bytes[from..]
            .iter()
            .take_while(|c| c.is_ascii_alphanumeric() || **c == b'_')
            .count()
    };
    match bytes.first()? {
        quote @ (b'\'' | b'"') => {
            let mut at = 1;
            while bytes.get(at)? != quote {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            Some((TokenKind::Text, at + 1))
        }
        b'0'..=b'9' => {
            let mut end = while_name(0);
            // A point before a name is that of an attribute.
            let is_name = |c: &u8| c.is_ascii_alphabetic() || *c == b'_';
            if bytes.get(end) == Some(&b'.') && !bytes.get(end + 1).is_some_and(is_name) {
                end = while_name(end + 1);
            }
            // In hexadecimal numbers "e" is a digit.
            let exponent = !text.starts_with("0x") && matches!(bytes[end - 1], b'e' | b'E');
            if exponent && matches!(bytes.get(end..end + 2), Some([b'+' | b'-', b'0'..=b'9'])) {
                end = while_name(end + 1);
            }
            Some((TokenKind::Number, end))
        }
        b'_' | b'a'..=b'z' | b'A'..=b'Z' => Some((TokenKind::Name, while_name(0))),
        _ => {
            let two = matches!(
                bytes.get(..2),
                Some(b"//" | b"**" | b"==" | b"!=" | b">=" | b"<=")
            );
            Some((TokenKind::Sign, if two { 2 } else { 1 }))
        }
    }
}
