//! The length that a formula computes, in words: frames of recordings, patches of pictures, a prompt with its response.

use super::component_names;
use super::names;
use crate::formula::{Formula, Operand};
use packscope_core::words::mean;

/// The length that a formula computes, for buttons, units and axes.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputedLength {
    /// The words for a button: `frames of 10 ms`, `prompt and response in one sequence`.
    pub label: String,
    /// The unit of the lengths, in the plural.
    pub unit: &'static str,
    /// Units in a second, of lengths that are times.
    pub per_second: Option<f64>,
}

/// Samples a second from which lengths are sound itself and no longer frames.
const SAMPLES: f64 = 4000.0;

/// A large time, of which a formula shows its rate whatever it rounds.
const LONG: f64 = 1e9;

impl ComputedLength {
    /// Returns the length that a formula computes, judged by the names in it and its rate. `None` for names of columns, and
    /// for formulae that may compute anything.
    pub fn of(text: &str) -> Option<Self> {
        let formula = Formula::parse(text).ok()?;
        if !Formula::is_meant(formula.text()) {
            return None;
        }
        let names = formula.fields().iter().map(|field| match field {
            Operand::Name(name) => Some(name.as_str()),
            Operand::Number(_) => None,
        });
        let names: Option<Vec<&str>> = names.collect();
        time(&formula, names.as_deref())
            .or_else(|| picture(&formula, names.as_deref()?))
            .or_else(|| conversation(&formula, names.as_deref()?))
    }
}

/// Frames or samples of a time, or of what is between two times.
fn time(formula: &Formula, names: Option<&[&str]>) -> Option<ComputedLength> {
    let rate = match formula.fields().len() {
        1 => formula.value(&[LONG]) / LONG,
        2 => {
            let [first, second] = [[LONG, 0.0], [0.0, LONG]].map(|of| formula.value(&of) / LONG);
            // A difference grows with its end as it falls with its beginning.
            if first + second != 0.0 {
                return None;
            }
            first.max(second)
        }
        _ => return None,
    };
    let is_end = |name: &str, other: &str| names::ends_of(other).contains(&names::words(name));
    let are_times = match names {
        Some([time]) => names::is_duration(time),
        Some([a, b]) => is_end(a, b) || is_end(b, a),
        Some(_) => false,
        // Columns without names: nothing else is rounded at such a rate.
        None => formula.text().starts_with("round("),
    };
    // Without a rate, what is between two places is a number of anything.
    if !are_times || !rate.is_finite() || rate <= 0.0 || rate == 1.0 {
        return None;
    }
    let in_ms = names.is_some_and(|names| names.iter().any(|name| names::is_in_milliseconds(name)));
    // Frames that last more than 200 ms are none: so few in a unit are in a millisecond, as are 16 samples.
    let per_second = if in_ms || rate < 5.0 || (names.is_none() && rate == 16.0) {
        1000.0 * rate
    } else {
        rate
    };
    Some(if per_second < SAMPLES {
        ComputedLength {
            label: format!("frames of {} ms", short(1000.0 / per_second)),
            unit: "frames",
            per_second: Some(per_second),
        }
    } else {
        ComputedLength {
            label: format!("samples of {} kHz", short(per_second / 1000.0)),
            unit: "samples",
            per_second: Some(per_second),
        }
    })
}

/// Patches of a picture.
fn picture(formula: &Formula, names: &[&str]) -> Option<ComputedLength> {
    let [first, second] = names else {
        return None;
    };
    let is = |name: &str, word: &str| names::words(name).iter().any(|known| known == word);
    let are_sides = |a: &str, b: &str| is(a, "width") && is(b, "height");
    if !are_sides(first, second) && !are_sides(second, first) {
        return None;
    }
    // Of a picture whose sides any usual patch divides.
    let side = LONG / formula.value(&[LONG, LONG]).sqrt();
    (side.is_finite() && side >= 1.0).then(|| {
        let side = short(side);
        ComputedLength {
            label: format!("patches of {side} × {side} pixels"),
            unit: "patches",
            per_second: None,
        }
    })
}

/// The sum of a prompt and its response.
fn conversation(formula: &Formula, names: &[&str]) -> Option<ComputedLength> {
    component_names::prompt_and_response(names)?;
    let is_sum = formula.value(&[1.0, 2.0]) == 3.0 && names.len() == 2;
    is_sum.then(|| ComputedLength {
        label: "prompt and response in one sequence".to_owned(),
        unit: names::unit(names[0]),
        per_second: None,
    })
}

/// Returns a number of few digits, without a fraction where there is none.
fn short(number: f64) -> String {
    if (number - number.round()).abs() < 0.005 * number {
        format!("{}", number.round())
    } else {
        mean(number)
    }
}
