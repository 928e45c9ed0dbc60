//! Numbers as people read them: the one place where a share becomes a percentage.

/// A whole number with separators: `88,641`.
///
/// ```
/// assert_eq!(packscope::words::count(1_234_567), "1,234,567");
/// ```
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in [0, 1] with one decimal: `61.3%`; an en dash for what is not a number.
///
/// ```
/// assert_eq!(packscope::words::percent(0.6125), "61.3%");
/// assert_eq!(packscope::words::percent(f64::NAN), "–");
/// ```
pub fn percent(share: f64) -> String {
    // Rounded half away from zero, as people do; formatting alone would round half to even.
    finite(share, |s| format!("{:.1}%", (s * 1000.0).round() / 10.0))
}

/// A factor with two decimals: `2.00×`; an en dash for what is not a number.
///
/// ```
/// assert_eq!(packscope::words::factor(1.997), "2.00×");
/// ```
pub fn factor(x: f64) -> String {
    finite(x, |x| format!("{x:.2}×"))
}

/// A mean: whole from 100 up, one decimal below.
///
/// ```
/// assert_eq!(packscope::words::mean(9.24), "9.2");
/// assert_eq!(packscope::words::mean(1150.7), "1,151");
/// ```
pub fn mean(x: f64) -> String {
    finite(x, |x| if x < 100.0 { format!("{x:.1}") } else { count(x.round() as u64) })
}

/// A noun with its number: `1 line`, `12 lines`.
///
/// ```
/// assert_eq!(packscope::words::plural(12, "line"), "12 lines");
/// ```
pub fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

fn finite(x: f64, show: impl FnOnce(f64) -> String) -> String {
    if x.is_finite() { show(x) } else { "–".to_owned() }
}
