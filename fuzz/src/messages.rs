//! Messages to shells: messages of the page's workers, and requests as JSON.

use crate::plan::alike;
use packscope::api::{self, batch, speedup, tuple};
use packscope_page::query::{Answer, Question, Request};
use packscope_page::wire::{WorkerRequest, WorkerResponse, decode, encode};
use serde_json::Value;

/// Any bytes as a message: none panics, and what is read is written and read again as the same.
pub fn messages(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else {
        return;
    };
    match kind % 12 {
        0 => message(bytes, decode::<WorkerRequest>, encode),
        1 => message(bytes, decode::<WorkerResponse>, encode),
        2 => json::<Request>(bytes),
        3 => json::<api::Request>(bytes),
        4 => json::<tuple::TupleRequest>(bytes),
        5 => json::<batch::BatchRequest>(bytes),
        6 => json::<speedup::SpeedupRequest>(bytes),
        7 => json::<api::Report>(bytes),
        8 => json::<tuple::Report>(bytes),
        9 => message(bytes, decode::<Request>, encode),
        10 => message(bytes, decode::<Question<tuple::Settings>>, encode),
        _ => message(bytes, decode::<Answer>, encode),
    }
}

/// Bytes are compared, for what is no number is not equal to itself.
fn message<T, E>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<T, E>,
    write: impl Fn(&T) -> Result<Vec<u8>, E>,
) {
    let Ok(message) = read(bytes) else { return };
    let Ok(written) = write(&message) else {
        panic!("a message cannot be written")
    };
    let Ok(again) = read(&written) else {
        panic!("a message cannot be read again")
    };
    assert!(
        write(&again).is_ok_and(|again| again == written),
        "read, written and read"
    );
}

fn json<T: serde::Serialize + serde::de::DeserializeOwned>(bytes: &[u8]) {
    let Ok(request) = serde_json::from_slice::<T>(bytes) else {
        return;
    };
    let value = |request: &T| serde_json::to_value(request).unwrap_or(Value::Null);
    let written = serde_json::to_vec(&request).unwrap_or_default();
    match serde_json::from_slice::<T>(&written) {
        Ok(again) => assert!(
            alike(&value(&again), &value(&request)),
            "read, written and read"
        ),
        Err(error) => panic!("{error}: {}", String::from_utf8_lossy(&written)),
    }
}
