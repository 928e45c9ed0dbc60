//! Limits on the work of a chat template for one conversation: instructions, work in filters and methods, sizes of values. All
//! grow with the conversation, and are far above what templates of models use.

use super::guard::{COUNTED, TIMES, WITHIN};
use minijinja::value::{Object, Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters};
use minijinja_contrib::pycompat;
use std::sync::atomic::{AtomicU64, Ordering};

type MeterResult<T> = Result<T, Error>;

/// Instructions for a conversation: at least, and for each of its bytes.
const INSTRUCTIONS: [u64; 2] = [4 << 20, 64];
/// Instructions for each byte, or element, that a value may have.
const SIZE: u64 = 16;
/// Work in filters for each instruction.
const WORK: u64 = 16;
/// Levels of lists in lists; JSON has at most 128.
const DEPTH: u32 = 200;
/// The widest padding or indentation, and the most parts of a list.
const WIDTH: usize = 9999;

/// Returns the instructions for a conversation of this size in bytes.
pub(super) fn instructions(bytes: usize) -> u64 {
    INSTRUCTIONS[0] + INSTRUCTIONS[1] * bytes as u64
}

/// Returns the largest value for a conversation of this size in bytes.
pub(super) fn size(bytes: usize) -> u64 {
    instructions(bytes) / SIZE
}

/// The work that is left for a conversation.
#[derive(Debug)]
struct Meter {
    work: AtomicU64,
    size: u64,
}

impl Object for Meter {}

fn exhausted(what: &str) -> Error {
    Error::new(
        ErrorKind::InvalidOperation,
        format!("it {what} than a conversation of this size may need"),
    )
}

/// Takes work off what is left; returns the largest size that a value may have.
fn spend(state: &State<'_, '_>, work: u64) -> MeterResult<u64> {
    // Made at first use, for each rendering: the state is that of one template.
    let meter = state.get_or_set_temp_object("packscope_meter", || {
        let all = state
            .fuel_levels()
            // Without fuel there is no limit on instructions, but still one on work.
            .map_or(INSTRUCTIONS[0], |(used, left)| used.saturating_add(left));
        Meter {
            work: AtomicU64::new(all * WORK),
            size: all / SIZE,
        }
    });
    let left = meter
        .work
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            // At 0 nothing may be spent; a subtraction that wraps would give it all back.
            left.checked_sub(work)
        });
    left.map_err(|_| exhausted("works longer"))?;
    Ok(meter.size)
}

/// Counts text that is written.
pub(super) fn write(state: &State<'_, '_>, value: &Value) -> MeterResult<()> {
    match value.as_str() {
        Some(text) => spend(state, text.len() as u64).map(drop),
        None => measured(state, value).map(drop),
    }
}

/// Returns the bytes and elements of a value with all values in it, which are counted as work.
fn measured(state: &State<'_, '_>, value: &Value) -> MeterResult<u64> {
    // Spends nothing, and returns the largest size.
    let most = spend(state, 0)?;
    let (mut left, mut work) = (most, 0);
    let small = take(value, 0, &mut left, &mut work);
    // The work is counted before the value is judged, so that looking at large ones is not free.
    spend(state, work)?;
    if small {
        Ok(most - left)
    } else {
        Err(exhausted("makes larger values"))
    }
}

/// Takes the size of a value off what is left; false if it is larger.
fn take(value: &Value, depth: u32, left: &mut u64, work: &mut u64) -> bool {
    // Each element counts 1, so that a list of empty lists has a size too.
    let own = 1 + value.as_str().map_or(0, str::len) as u64;
    *work += 1;
    if depth > DEPTH || own > *left {
        return false;
    }
    *left -= own;
    let Some(object) = value
        .as_object()
        .filter(|_| value.kind() != ValueKind::String)
    else {
        return true;
    };
    if value.kind() == ValueKind::Map
        && let Some(mut pairs) = object.try_iter_pairs()
    {
        return pairs.all(|(key, of)| {
            take(&key, depth + 1, left, work) && take(&of, depth + 1, left, work)
        });
    }
    object
        .try_iter()
        .is_none_or(|mut all| all.all(|of| take(&of, depth + 1, left, work)))
}

/// Returns the bytes of a text, or the elements of a list, up to the size that values may have.
fn length(value: &Value, most: u64) -> u64 {
    let elements = || {
        let all = value.as_object().and_then(|object| object.try_iter());
        // At most one element more than allowed is looked at.
        all.map_or(1, |all| all.take(most as usize + 1).count() as u64)
    };
    value
        .as_str()
        .map_or_else(elements, |text| text.len() as u64)
}

/// Counts the work of a filter or a method by the size of its arguments.
fn charge_arguments(state: &State<'_, '_>, values: &[Value]) -> MeterResult<()> {
    let most = spend(state, 0)?;
    for value in values {
        let length = length(value, most);
        if length > most {
            return Err(exhausted("makes larger values"));
        }
        spend(state, length)?;
    }
    Ok(())
}

/// Returns a filter that counts its work, after a check of its arguments.
fn counted(
    filter: Value,
    check: fn(&State<'_, '_>, &[Value]) -> MeterResult<()>,
) -> impl Fn(&State<'_, '_>, Rest<Value>) -> MeterResult<Value> + Send + Sync + 'static {
    move |state: &State<'_, '_>, values: Rest<Value>| {
        // Before the filter runs: afterwards the memory would be taken already.
        charge_arguments(state, &values)?;
        check(state, &values)?;
        filter.call(state, &values)
    }
}

/// Counts values that a filter or a method prints, with all values in them.
fn printed(state: &State<'_, '_>, values: &[Value]) -> MeterResult<()> {
    values
        .iter()
        .try_for_each(|value| measured(state, value).map(drop))
}

/// Refuses a number of parts, or a width, that is larger than any text needs.
fn narrow(_: &State<'_, '_>, values: &[Value]) -> MeterResult<()> {
    let wide = |value: &Value| {
        value.kind() == ValueKind::Number && value.as_i64().is_none_or(|n| n > WIDTH as i64)
    };
    let named = |value: &Value| {
        value.kind() == ValueKind::Map && value.get_attr("width").is_ok_and(|width| wide(&width))
    };
    let refused = values
        .iter()
        .skip(1)
        .any(|value| wide(value) || named(value));
    if refused { Err(too_wide()) } else { Ok(()) }
}

fn too_wide() -> Error {
    Error::new(
        ErrorKind::InvalidOperation,
        format!("expected a width, or a number of parts, of at most {WIDTH}"),
    )
}

/// Counts the lines that are indented.
fn indented(state: &State<'_, '_>, values: &[Value]) -> MeterResult<()> {
    narrow(state, values)?;
    let lines = values
        .first()
        .and_then(Value::as_str)
        .map_or(0, |text| text.matches('\n').count() + 1);
    let width = values.iter().skip(1).filter_map(|value| {
        let named = || value.get_attr("width").ok()?.as_usize();
        value.as_usize().or_else(named)
    });
    // 4 is the width of `indent` without an argument.
    charge_text(state, (lines * width.max().unwrap_or(4)) as u64)
}

/// Counts a text that is about to be made.
fn charge_text(state: &State<'_, '_>, length: u64) -> MeterResult<()> {
    if length > spend(state, length)? {
        Err(exhausted("makes larger values"))
    } else {
        Ok(())
    }
}

/// Counts the text that replacing makes.
fn replaced(state: &State<'_, '_>, values: &[Value]) -> MeterResult<()> {
    // Arguments that are no texts are printed by the method.
    let [Some(text), Some(from), Some(to)] =
        [0, 1, 2].map(|at| values.get(at).and_then(Value::as_str))
    else {
        return printed(state, values);
    };
    charge_text(
        state,
        // An empty pattern matches between all characters; `matches` counts these too.
        text.len() as u64 + text.matches(from).count() as u64 * to.len() as u64,
    )
}

/// Counts the text that joining makes.
fn joined(state: &State<'_, '_>, values: &[Value]) -> MeterResult<()> {
    printed(state, values)?;
    let between = values.get(1).and_then(Value::as_str).map_or(0, str::len) as u64;
    let parts = values
        .first()
        .map_or(0, |all| length(all, u64::from(u32::MAX)));
    charge_text(state, parts.saturating_mul(between))
}

/// Refuses formats with wide fields.
fn formatted(state: &State<'_, '_>, values: &[Value]) -> MeterResult<()> {
    printed(state, values)?;
    let format = values.first().and_then(Value::as_str).unwrap_or_default();
    // Any number in the format may be a width or a precision.
    let runs = format
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty());
    let widest = runs
        .map(|digits| digits.parse().unwrap_or(usize::MAX))
        .max()
        .unwrap_or(0);
    // `*` takes the width from the arguments.
    let star = format
        .contains('*')
        .then(|| values.iter().skip(1).filter_map(Value::as_usize).max())
        .flatten();
    let widest = widest.max(star.unwrap_or(0));
    if widest > WIDTH {
        return Err(too_wide());
    }
    // Each field is at most as wide, or as its value, whichever is larger.
    let fields = format.matches(['%', '{']).count() as u64;
    let values = values
        .iter()
        .map(|value| measured(state, value))
        .sum::<MeterResult<u64>>()?;
    charge_text(
        state,
        fields.saturating_mul(values.saturating_add(widest as u64)),
    )
}

/// Counts the sums that adding up lists makes.
fn summed(state: &State<'_, '_>, values: &[Value]) -> MeterResult<()> {
    let all = values.first().map_or(Ok(0), |all| measured(state, all))?;
    let parts = values
        .first()
        .map_or(0, |all| length(all, u64::from(u32::MAX)));
    charge_text(
        state,
        // Each sum of lists copies the one before: parts · all. Numbers have size 1 each.
        if all > 2 * parts + 1 {
            parts.saturating_mul(all)
        } else {
            parts
        },
    )
}

fn anything(_: &State<'_, '_>, _: &[Value]) -> MeterResult<()> {
    Ok(())
}

/// Multiplies as the operator does, within bounds.
fn times(state: &State<'_, '_>, a: &Value, b: &Value) -> MeterResult<Value> {
    let many = |value: &Value| {
        matches!(
            value.kind(),
            ValueKind::String | ValueKind::Seq | ValueKind::Iterable
        )
    };
    let number = |value: &Value| matches!(value.kind(), ValueKind::Number | ValueKind::Bool);
    let (whole, factor) = if many(a) { (a, b) } else { (b, a) };
    if many(whole) && number(factor) {
        // As in Python, negative numbers repeat nothing.
        let factor = i64::try_from(factor.clone())?.max(0) as u64;
        charge_text(state, measured(state, whole)?.saturating_mul(factor))?;
        return Ok(match whole.as_str() {
            Some(text) => Value::from(text.repeat(factor as usize)),
            None => {
                let all: Vec<Value> = whole.try_iter()?.collect();
                let repeated = std::iter::repeat_n(all, factor as usize).flatten();
                Value::from(repeated.collect::<Vec<_>>())
            }
        });
    }
    if !number(a) || !number(b) {
        let message = format!("tried to multiply {} by {}", a.kind(), b.kind());
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    }
    let whole = i128::try_from(a.clone())
        .ok()
        .zip(i128::try_from(b.clone()).ok());
    // Booleans multiply as numbers, as in Python; floats only as floats.
    match whole.filter(|_| a.is_integer() && b.is_integer() || !a.is_number() || !b.is_number()) {
        Some((a, b)) => a
            .checked_mul(b)
            .map(Value::from)
            .ok_or_else(|| exhausted("makes larger values")),
        None => Ok(Value::from(
            f64::try_from(a.clone())? * f64::try_from(b.clone())?,
        )),
    }
}

/// Calls the methods of Python, and counts their work.
fn method(
    state: &State<'_, '_>,
    value: &Value,
    name: &str,
    values: &[Value],
) -> MeterResult<Value> {
    // The value itself is worked on, like an argument.
    let all: Vec<Value> = std::iter::once(value).chain(values).cloned().collect();
    // `get` looks up one key, whatever the size of its dictionary.
    if name != "get" {
        charge_arguments(state, &all)?;
    }
    match name {
        "replace" => replaced(state, &all)?,
        // `join` of Python is called on the separator, the filter on the list.
        "join" => joined(state, &all.iter().rev().cloned().collect::<Vec<_>>())?,
        "format" => formatted(state, &all)?,
        "count"
            if value.as_str().is_some() && values.first().and_then(Value::as_str) == Some("") =>
        {
            let message = "nothing is counted in a text";
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
        _ => {}
    }
    pycompat::unknown_method_callback(state, value, name, values)
}

/// Sets up an environment in which all work is counted. Filters that look at one value alone are as they were.
pub(super) fn install(environment: &mut Environment<'static>) {
    macro_rules! filters {
        ($($name:ident $check:ident,)*) => {
            $(environment.add_filter(stringify!($name), counted(Value::from_function(filters::$name), $check));)*
        };
    }
    filters! {
        batch narrow, capitalize anything, chain anything, dictsort printed, escape printed, format formatted,
        groupby printed, indent indented, items anything, join joined, last anything, lines anything, list anything,
        lower anything, map anything, max printed, min printed, pprint printed, reject printed, rejectattr printed,
        replace replaced, reverse anything, safe printed, select printed, selectattr printed, slice narrow,
        sort printed, split anything, string printed, sum summed, title anything, trim anything, unique printed,
        upper anything, zip anything,
    }
    environment.add_filter("e", counted(Value::from_function(filters::escape), printed));
    environment.add_filter(TIMES, |state: &State<'_, '_>, a: &Value, b: &Value| {
        times(state, a, b)
    });
    environment.add_test(WITHIN, |state: &State<'_, '_>, value: &Value| {
        measured(state, value).map(|_| true)
    });
    environment.add_test(COUNTED, |state: &State<'_, '_>, bytes: u64| {
        spend(state, bytes).map(|_| true)
    });
    environment.set_unknown_method_callback(method);
    // Prints all values that there are, without a limit.
    environment.remove_global("debug");
}

/// Counts a value that is about to be written as JSON, with this indentation; returns the most bytes of its text.
pub(super) fn as_json(state: &State<'_, '_>, value: &Value, indent: usize) -> MeterResult<u64> {
    if indent > WIDTH {
        return Err(too_wide());
    }
    measured(state, value)?;
    Ok(4 * spend(state, 0)?)
}
