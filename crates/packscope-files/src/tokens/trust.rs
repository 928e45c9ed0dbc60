//! Refuses a `tokenizer.json` that asks for too much. It comes with a model from anyone, and the library that reads it takes its
//! author at his word: a damaged table of characters ends in a panic, and steps that multiply a text take all memory.
//! Here what could do so is refused before the library sees it; limits are far above those of models.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// How much longer all steps together may make a text.
const GROWTH: u64 = 1024;
/// The most bytes of a text after all steps.
const LONGEST: u64 = 512 << 20;
/// The most steps of all kinds together.
const STEPS: usize = 64;
/// The most bytes of a name, or of what a character becomes.
const NAME: usize = 256;
/// The most parts of a template, and ids of a special token.
const PARTS: usize = 256;
/// The most characters of a word that WordPiece takes apart, which takes the cube of their number.
const WORD: u64 = 1000;

/// The parts of a file that decide how long its work takes; a part that it has twice is an error.
#[derive(Deserialize)]
struct TokenizerFile {
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    post_processor: Value,
    #[serde(default)]
    model: Option<Model>,
}

#[derive(Deserialize)]
struct Model {
    #[serde(default)]
    max_input_chars_per_word: Value,
    #[serde(default)]
    unk_token: Value,
    #[serde(default)]
    continuing_subword_prefix: Value,
    #[serde(default)]
    end_of_word_suffix: Value,
}

type TrustResult<T> = Result<T, String>;

/// Checks the file of a tokenizer, and returns how much longer it may make a text. O(bytes).
///
/// # Errors
/// The step that asks for too much, or the reason why the file cannot be read.
pub(super) fn growth(bytes: &[u8]) -> TrustResult<u64> {
    let file: TokenizerFile = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if let Some(model) = &file.model {
        of_model(model)?;
    }
    // Steps follow each other, so their factors multiply.
    let (mut growth, mut steps) = (1_u64, 0);
    for_each_step(&file.normalizer, &mut |step| {
        growth = growth.saturating_mul(of_normalizer(step)?);
        steps += 1;
        Ok(())
    })?;
    for_each_step(&file.pre_tokenizer, &mut |step| {
        growth = growth.saturating_mul(of_pre_tokenizer(step));
        steps += 1;
        Ok(())
    })?;
    for_each_step(&file.post_processor, &mut |step| {
        growth = growth.saturating_mul(of_processor(step)?);
        steps += 1;
        Ok(())
    })?;
    if growth > GROWTH {
        return Err(format!(
            "its steps may make a text {growth} times as long, and at most {GROWTH} times are allowed"
        ));
    }
    if steps > STEPS {
        return Err(format!(
            "it has {steps} steps before and after its model, and at most {STEPS} are allowed"
        ));
    }
    Ok(growth)
}

/// Checks a text before its steps.
///
/// # Errors
/// That it may become too long.
pub(super) fn text(text: &str, growth: u64) -> TrustResult<()> {
    if (text.len() as u64).saturating_mul(growth) > LONGEST {
        return Err(format!(
            "a text of {} bytes is too long for the steps of this tokenizer",
            text.len()
        ));
    }
    Ok(())
}

/// Calls `step` with each step, also with those in lists of steps.
fn for_each_step(
    value: &Value,
    step: &mut impl FnMut(&Map<String, Value>) -> TrustResult<()>,
) -> TrustResult<()> {
    match value {
        Value::Array(all) => all.iter().try_for_each(|one| for_each_step(one, step)),
        Value::Object(object) => {
            let lists = ["normalizers", "pretokenizers", "processors"]
                .iter()
                .filter_map(|name| object.get(*name));
            for list in lists {
                for_each_step(list, step)?;
            }
            step(object)
        }
        _ => Ok(()),
    }
}

fn of_model(model: &Model) -> TrustResult<()> {
    if let Some(most) = model
        .max_input_chars_per_word
        .as_f64()
        .filter(|most| *most > WORD as f64)
    {
        return Err(format!(
            "its max_input_chars_per_word is {most}, and at most {WORD} is allowed"
        ));
    }
    for (what, name) in [
        ("unk_token", &model.unk_token),
        (
            "continuing_subword_prefix",
            &model.continuing_subword_prefix,
        ),
        ("end_of_word_suffix", &model.end_of_word_suffix),
    ] {
        short(what, name)?;
    }
    Ok(())
}

fn short(what: &str, name: &Value) -> TrustResult<()> {
    let length = name.as_str().map_or(0, str::len);
    if length > NAME {
        Err(format!(
            "its {what} has {length} bytes, and at most {NAME} are allowed"
        ))
    } else {
        Ok(())
    }
}

/// Returns how much longer a step before all others makes a text.
fn of_normalizer(step: &Map<String, Value>) -> TrustResult<u64> {
    let text = |name: &str| step.get(name).and_then(Value::as_str);
    // Before this check, a damaged one ended in a panic, or asked for gigabytes.
    if let Some(map) = text("precompiled_charsmap") {
        return charsmap(map).map_err(|why| format!("its precompiled_charsmap {why}"));
    }
    let content = text("content").map_or(0, str::len);
    let growth = match step.get("pattern") {
        Some(Value::Object(pattern)) => match pattern.get("String").and_then(Value::as_str) {
            Some(old) if !old.is_empty() => content.div_ceil(old.len()).max(1),
            // An expression may match nothing, between any two characters.
            _ => 1 + content,
        },
        Some(_) => 1 + content,
        None => 1 + text("prepend").map_or(0, str::len),
    };
    let is = |name: &str| text("type") == Some(name);
    // A step without a type is taken by the library for any that fits, so the worst is assumed.
    let doubles = is("ByteLevel") || is("BertNormalizer") || !step.contains_key("type");
    Ok(growth as u64 * if doubles { 2 } else { 1 })
}

/// Returns how much longer a step that splits a text makes it.
fn of_pre_tokenizer(step: &Map<String, Value>) -> u64 {
    match step.get("type").and_then(Value::as_str) {
        // Bytes become characters of two bytes.
        Some("ByteLevel") => 2,
        // A space becomes a character of three, and is put before a text.
        Some("Metaspace") | None => 4,
        Some(_) => 1,
    }
}

/// Returns how often a step after the model has a text.
fn of_processor(step: &Map<String, Value>) -> TrustResult<u64> {
    let mut texts = 1;
    for part in ["single", "pair"].iter().filter_map(|name| step.get(*name)) {
        let parts = match part {
            Value::Array(parts) => parts.len(),
            Value::String(words) => words.split_whitespace().count(),
            _ => 0,
        };
        if parts > PARTS {
            return Err(format!(
                "a template of its post_processor has {parts} parts, and at most {PARTS} are allowed"
            ));
        }
        let of = |part: &&Value| part.get("Sequence").is_some();
        texts = texts.max(
            part.as_array()
                .map_or(parts, |parts| parts.iter().filter(of).count()),
        );
    }
    let tokens = step.get("special_tokens").map_or(0, |tokens| {
        let ids = |token: &Value| {
            token
                .get("ids")
                .and_then(Value::as_array)
                .map_or(0, Vec::len)
        };
        match tokens {
            Value::Object(tokens) => tokens.values().map(ids).max().unwrap_or(0),
            Value::Array(tokens) => tokens.iter().map(ids).max().unwrap_or(0),
            _ => 0,
        }
    });
    if tokens > PARTS {
        return Err(format!(
            "a special token of its post_processor has {tokens} ids, and at most {PARTS} are allowed"
        ));
    }
    // A text, and a pair, are in it once each.
    Ok((texts as u64).div_ceil(2))
}

/// Checks a table of characters as SentencePiece writes them, and returns how much longer it makes a text. It is the
/// length of a trie, the trie, and the texts that characters become, each with a zero at its end. A character is looked
/// up in the library without any check: so each place that a look-up may reach is looked at here.
fn charsmap(map: &str) -> TrustResult<u64> {
    let bytes = base64(map).ok_or("is no base64")?;
    let (head, rest) = bytes.split_first_chunk().ok_or("is empty")?;
    let length = u32::from_le_bytes(*head) as usize;
    let damaged = "is damaged: it names places that it does not have";
    if !length.is_multiple_of(4) || length < 4 || length > rest.len() {
        return Err(damaged.to_owned());
    }
    let (trie, texts) = rest.split_at(length);
    let texts = std::str::from_utf8(texts).map_err(|_| "holds texts that are not UTF-8")?;
    let units = trie
        .chunks_exact(4)
        .map(|unit| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]) as usize);
    let units: Vec<usize> = units.collect();
    // Units of a double array as in darts-clone, which SentencePiece uses: offset in the upper
    // bits, bit 9 says that it counts by 256, bit 8 that a value follows, and the lowest byte is
    // the label.
    let offset = |unit: usize| (unit >> 10) << ((unit & (1 << 9)) >> 6);
    let first = units.first().map_or(0, |unit| offset(*unit));
    // Places to look at, each with the bytes of a text that lead there: fewest first.
    let (mut open, mut met, mut growth) = (
        VecDeque::from([(first, 0_usize)]),
        vec![false; units.len()],
        1,
    );
    while let Some((place, depth)) = open.pop_front() {
        // A byte changes the lowest eight bits of a place alone.
        if (place | 0xff) >= units.len() {
            return Err(damaged.to_owned());
        }
        // Places may be reached on several ways; each is looked at once, so this is O(units · 256).
        if std::mem::replace(&mut met[place], true) {
            continue;
        }
        // A zero ends the texts, and is no label.
        for byte in 1..=0xff {
            let unit = units[place ^ byte];
            if unit & ((1 << 31) | 0xff) != byte {
                continue;
            }
            let next = place ^ byte ^ offset(unit);
            if (unit >> 8) & 1 == 1 {
                let value = *units.get(next).ok_or(damaged)? & ((1 << 31) - 1);
                let text = texts
                    .get(value..)
                    .ok_or("is damaged: it names texts that it does not have")?;
                let end = text
                    .bytes()
                    .take(NAME + 1)
                    .position(|byte| byte == 0)
                    .unwrap_or(text.len());
                if end > NAME {
                    return Err(format!("replaces a character by more than {NAME} bytes"));
                }
                // Breadth first, so the first way to a place has the fewest bytes, and the factor
                // is the largest.
                growth = growth.max(end.div_ceil(depth + 1));
            }
            open.push_back((next, depth + 1));
        }
    }
    Ok(growth as u64)
}

/// Returns the bytes of a text in base64.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let (mut bytes, mut bits) = (Vec::with_capacity(text.len() / 4 * 3 + 2), 0_u32);
    for (at, sign) in text.bytes().enumerate() {
        let value = match sign {
            b'A'..=b'Z' => sign - b'A',
            b'a'..=b'z' => sign - b'a' + 26,
            b'0'..=b'9' => sign - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        // Older bits move out at the top; only the last 12 are used.
        bits = bits << 6 | u32::from(value);
        if at % 4 > 0 {
            bytes.push((bits >> (6 - 2 * (at % 4))) as u8);
        }
    }
    Some(bytes)
}
