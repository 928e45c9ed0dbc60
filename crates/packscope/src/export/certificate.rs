//! The proof of a bound as JSON, to be checked without this program.

use crate::api::{Settings, tuple};
use crate::histogram::FREE;
use crate::packing::{self, Depth};
use serde_json::{Value, json};

/// Returns the proof of the bound of packed sequences: `{"limit":n,"depth":"3","worths":[[length,worth],…],
/// "most":n,"packs":n}`. No pack is worth more than `most`. `None` unless the bound comes from the linear relaxation,
/// the only one with a certificate. O(distinct).
pub fn of_sequences(settings: &Settings, packed: &packing::PackingResult) -> Option<Value> {
    let found = packed.certificate.as_ref()?;
    let worths = found
        .worths
        .iter()
        .map(|([length], worth)| json!([length, worth]))
        .collect();
    Some(proof(
        ("limit", json!(settings.limit), settings.depth),
        worths,
        (found.most, found.packs),
    ))
}

/// Returns the same for items of several components: `"limits":[…]`, `null` for no limit, and sizes as lists.
pub fn of_graphs<const K: usize>(
    settings: &tuple::Settings,
    packed: &packing::tuple::TuplePackingResult<K>,
) -> Option<Value> {
    let found = packed.certificate.as_ref()?;
    let worths = found
        .worths
        .iter()
        .map(|(size, worth)| json!([size.as_slice(), worth]))
        .collect();
    let limit = |limit: &u32| {
        if *limit == FREE {
            Value::Null
        } else {
            json!(limit)
        }
    };
    let limits = settings.limits.iter().map(limit).collect();
    Some(proof(
        ("limits", limits, settings.depth),
        worths,
        (found.most, found.packs),
    ))
}

// Whole numbers throughout: whoever checks the proof needs no rounding.
fn proof(
    (name, limits, depth): (&str, Value, Depth),
    worths: Vec<Value>,
    (most, packs): (i64, u64),
) -> Value {
    json!({ name: limits, "depth": depth, "worths": worths, "most": most, "packs": packs })
}
