//! Numbers in readable form: separators, percent, factors, times. Exact values stay in the figures.

/// Formats a number with separators, as in `16,279,552`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let first = (digits.len() - 1) % 3 + 1;
    let (head, tail) = digits.split_at(first);
    let mut words = head.to_owned();
    for group in tail.as_bytes().chunks(3) {
        words.push(',');
        words.extend(group.iter().map(|b| char::from(*b)));
    }
    words
}

/// Formats a share as percent: one decimal, two for shares near 0 or 1 (`0.12 %`, `99.88 %`, `< 0.01 %`).
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    // 0.005 would round to 0.01, and 99.995 to 100.00.
    if percent > 0.0 && percent < 0.005 {
        "< 0.01 %".to_owned()
    } else if percent < 100.0 && percent > 99.995 {
        "> 99.99 %".to_owned()
    } else if percent == 0.0 || percent == 100.0 {
        format!("{percent:.0} %")
    } else if !(0.995..=99.0).contains(&percent) && percent < 100.0 {
        format!("{percent:.2} %")
    } else {
        // Half of a tenth that is exact goes up, as readers expect: 9 / 16 are 56.3 %. `format!` takes the even digit.
        // Of the halves of a tenth only .25 and .75 are exact in binary; others lie above or below.
        let is_half = (percent * 4.0).fract() == 0.0 && (percent * 2.0).fract() != 0.0;
        format!("{:.1} %", if is_half { percent + 0.01 } else { percent })
    }
}

/// Formats the band of a share: `(35.1 to 38.0 %)`.
pub fn band([least, most]: [f64; 2]) -> String {
    let (least, most) = (percent(least), percent(most));
    format!("({} to {most})", least.strip_suffix(" %").unwrap_or(&least))
}

/// Formats a mean: whole from 1,000 up, one decimal below; an en dash if not finite.
pub fn mean(x: f64) -> String {
    match x {
        x if !x.is_finite() => "–".to_owned(),
        x if x < 1000.0 => format!("{x:.1}"),
        x => whole(x),
    }
}

/// Formats a number with its noun: `1 line`, `12 lines`.
pub fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// Returns a unit in the singular: `token` of `tokens`.
pub fn singular_unit(unit: &str) -> &str {
    unit.strip_suffix('s').unwrap_or(unit)
}

/// Formats a number of batches: `1 batch`, `1,053 batches`.
pub fn batches(n: u64) -> String {
    if n == 1 {
        "1 batch".to_owned()
    } else {
        format!("{} batches", count(n))
    }
}

/// Returns the singular of a plural, as "node" of "nodes". A quantity that is counted in units has
/// none: "units of attention" gives "attention".
pub fn singular(name: &str) -> &str {
    let name = name.strip_prefix("units of ").unwrap_or(name);
    name.strip_suffix('s')
        .filter(|one| !one.ends_with('s'))
        .unwrap_or(name)
}

/// Formats a gap to a bound: `0`, or `+0.38 %`.
pub fn gap(gap: f64) -> String {
    let words = percent(gap);
    if gap == 0.0 {
        "0".to_owned()
    } else if words.starts_with('<') {
        words
    } else {
        format!("+{words}")
    }
}

/// Capitalises the first letter if it is ASCII, for the beginning of a sentence; a β stays as it is.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_uppercase())
            .chain(letters)
            .collect()
    })
}

/// Formats an efficiency in percent; two decimals, more if these are needed to distinguish it from 100 %.
pub fn efficiency(efficiency: f64) -> String {
    if efficiency >= 1.0 {
        return "100 %".to_owned();
    }
    let written = |digits: usize| format!("{:.digits$}", efficiency * 100.0);
    // At 7 digits, shares nearer to 1 may read as 100 after all.
    let digits = (2..7)
        .find(|d| !written(*d).starts_with("100"))
        .unwrap_or(7);
    format!("{} %", written(digits))
}

/// Formats a tick of a percent axis, without trailing zeros: `99.9 %`.
pub fn tick_percent(share: f64) -> String {
    // Without the noise of the product: 0.999 · 100 is 99.9 and not 99.90000000000001.
    let rounded = (share * 1e9).round() / 1e7;
    format!("{rounded} %")
}

/// Formats a count for an axis: `20 k`, `1.2 M`, `3 G`.
pub fn short(n: u64) -> String {
    let (unit, name) = match n {
        0..1000 => return count(n),
        1000..1_000_000 => (1e3, "k"),
        1_000_000..1_000_000_000 => (1e6, "M"),
        1_000_000_000.. => (1e9, "G"),
    };
    let tenths = (n as f64 / unit * 10.0).round() / 10.0;
    format!("{tenths} {name}")
}

/// Formats a factor: `2.00×`, `347.1×`, `16,279,552×`.
pub fn factor(x: f64) -> String {
    match x {
        x if !x.is_finite() => "–".to_owned(),
        x if x < 100.0 => format!("{x:.2}×"),
        x if x < 1000.0 => format!("{x:.1}×"),
        x => whole(x) + "×",
    }
}

/// Formats an estimate with two significant digits, its precision: `2.0`, `0.42`, `11`, `290,000`.
pub fn about(x: f64) -> String {
    let size = x.abs();
    let written = match size {
        _ if !x.is_finite() => return "–".to_owned(),
        // What rounds up to the next digit belongs to the next line: 9.95 is written 10.
        size if size >= 9.95 => {
            let unit = 10f64.powi(exponent(size, 2) - 1);
            whole((size / unit).round() * unit)
        }
        size if size >= 0.995 => format!("{size:.1}"),
        size if size >= 0.0995 => format!("{size:.2}"),
        size => significant(size, 2),
    };
    // "−0" would be written where a negative number rounds to nothing.
    if x < 0.0 && written != "0" {
        format!("−{written}")
    } else {
        written
    }
}

/// Formats an estimated factor, as in `2.0×`.
pub fn about_factor(x: f64) -> String {
    format!("{}×", about(x))
}

/// Formats an estimated share as percent: `42 %`, `3.4 %`.
pub fn about_percent(share: f64) -> String {
    if share > 0.0 && share < 0.000_5 {
        return "< 0.1 %".to_owned();
    }
    format!("{} %", about(share * 100.0))
}

/// Formats an estimated time: seconds below a minute, minutes below two hours, hours below two days, then days: `24 ms`,
/// `0.25 s`, `48 min`, `2.1 h`, `12 days`.
pub fn about_duration(seconds: f64) -> String {
    // By the digits that are written: 59.96 s would read "60 s".
    let written = |size: f64, end: f64| about(size) != about(end) && size < end;
    match seconds {
        s if s > 0.0 && s < 0.001 => "< 1 ms".to_owned(),
        s if s < 0.0995 => format!("{} ms", about(s * 1e3)),
        s if written(s, 60.0) => format!("{} s", about(s)),
        s if written(s / 60.0, 120.0) => format!("{} min", about((s / 60.0).max(1.0))),
        s if written(s / 3600.0, 48.0) => format!("{} h", about((s / 3600.0).max(2.0))),
        s => format!("{} days", about((s / 86_400.0).max(2.0))),
    }
}

/// Formats an amount of dollars: `$0.06`, `$2.35`, `$1,234`, and `< $0.01`.
pub fn dollars(x: f64) -> String {
    match x {
        x if x > 0.0 && x < 0.005 => "< $0.01".to_owned(),
        x if x < 9.995 => format!("${x:.2}"),
        x => format!("${}", whole(x)),
    }
}

/// Formats a number of at least 0, rounded: in full below 10^15, `1.8e19` beyond.
pub fn whole(x: f64) -> String {
    if x < 1e15 {
        count(x.round() as u64)
    } else {
        format!("{x:.1e}")
    }
}

/// Formats a number with `digits` significant digits, without trailing zeros: `12,346`, `12.3`, `0.0123`, `1.2e-5`;
/// whole numbers of at least as many digits in full.
pub fn significant(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return "–".to_owned();
    }
    let digits = digits.max(1);
    // Rounding may add a digit before the point: 9.996 is 10.0.
    let exponent = exponent(x, digits);
    let size = x.abs();
    let written = match digits as i32 - 1 - exponent {
        _ if x == 0.0 => "0".to_owned(),
        places if places <= 0 => whole(size),
        _ if exponent < -4 => format!("{size:.*e}", digits - 1),
        places => trimmed(&format!("{size:.*}", places as usize)).to_owned(),
    };
    if x < 0.0 && written != "0" {
        format!("−{written}")
    } else {
        written
    }
}

/// Returns the power of ten of the first digit, after rounding to `digits` digits.
fn exponent(x: f64, digits: usize) -> i32 {
    // Not by a logarithm: only the formatted digits show whether rounding carries to a new one.
    let written = format!("{:.*e}", digits - 1, x);
    written
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

/// Returns a decimal without trailing zeros.
fn trimmed(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

/// Formats a quantity with the prefix that leaves one to three digits before the point: `302 M`, `312 TFLOP/s`, `11.6
/// µs`.
pub fn prefixed(x: f64, unit: &str, digits: usize) -> String {
    const PREFIXES: [&str; 12] = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];
    let thousands = if x == 0.0 {
        0
    } else {
        // −5 and 6 are the ends of PREFIXES, of which the sixth is no prefix.
        exponent(x, digits.max(1)).div_euclid(3).clamp(-5, 6)
    };
    let prefix = PREFIXES
        .get((thousands + 5) as usize)
        .copied()
        .unwrap_or("");
    let written = significant(x / 1000f64.powi(thousands), digits);
    format!("{written} {prefix}{unit}").trim_end().to_owned()
}

/// Formats a learning rate with two digits: `3e-5`, `2.1e-5`; from a hundredth up in full.
pub fn rate(x: f64) -> String {
    if x >= 0.01 {
        return x.to_string();
    }
    format!("{x:.1e}").replace(".0e", "e")
}

/// Formats a time with its unit: `0.15 s`, `3 ms`, `0.2 ms`; below a clock's resolution `< 0.1 ms`.
pub fn seconds(s: f64) -> String {
    match s {
        s if s < 0.000_1 => "< 0.1 ms".to_owned(),
        s if s < 0.001 => format!("{:.1} ms", s * 1e3),
        s if s < 0.1 => format!("{:.0} ms", s * 1e3),
        s if s < 10.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

/// Formats a time of any length with its unit: `0.2 ms`, `43 s`, `4.3 min`, `2.3 h`, `12 days`.
pub fn duration(s: f64) -> String {
    let (time, unit) = match s {
        s if s < 100.0 => return seconds(s),
        s if s < 90.0 * 60.0 => (s / 60.0, "min"),
        s if s < 48.0 * 3600.0 => (s / 3600.0, "h"),
        s => (s / 86_400.0, "days"),
    };
    match time {
        t if t < 9.95 => format!("{t:.1} {unit}"),
        t => format!("{} {unit}", whole(t)),
    }
}

/// Returns a text as one word of a POSIX shell, for commands to be copied: in single quotes, in which the shell reads
/// nothing, unless every shell takes it as it is.
pub fn shell_word(text: &str) -> String {
    // Names of columns come from files, and a copied line is run: any name must be one word.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    // A word that begins with a dash would be read as an option.
    let is_word = !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain);
    if is_word {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Returns a character as a terminal or a page may show it: controls, which a terminal would obey, and marks of direction,
/// which reorder the text around them, become the replacement character. Line feeds and tabs stay.
pub fn visible(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// Shortens a text from a file or a template to at most `most` characters, of which the last is an
/// ellipsis if any were left out.
pub fn capped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}

/// Returns a literal of JSON, and so of Python, YAML and jq, in which invisible characters, and those that change the
/// direction of reading, are escaped: code must be what it looks like.
pub fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    for c in serde_json::Value::from(text).to_string().chars() {
        match c {
            // JSON escapes 16 bits at a time, so a character beyond them is a pair of surrogates.
            c if is_hidden(c) => literal.extend(
                c.encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|u| format!("\\u{u:04x}")),
            ),
            c => literal.push(c),
        }
    }
    literal
}

/// Whether a character is invisible, or changes how the text around it is read: controls, marks of direction,
/// characters without width.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(
            c,
            '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
        )
}
