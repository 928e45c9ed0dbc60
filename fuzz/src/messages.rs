//! What shells are sent: messages of the page's workers, and requests as JSON.

use crate::plan::alike;
use packscope::api::queries::HeldRequest;
use packscope::api::{self, Question, Settings, batch, self_contained, speedup, tuple};
use packscope::tokens;
use packscope_page::wire::{
    Encoded, EncodedRequest, PartResponse, TokenizerPart, TokenizerRequest, WorkerRequest,
    WorkerResponse, decode, encode,
};
use serde_json::Value;
use std::rc::Rc;

/// Any bytes as a message: none panics, and what is read is written and read again as the same.
pub fn messages(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else {
        return;
    };
    match kind % 12 {
        0 => message(bytes, decode::<EncodedRequest>, encode),
        1 => message(bytes, decode::<WorkerResponse<Encoded>>, encode),
        2 => json::<self_contained::SelfContained>(bytes),
        3 => json::<api::Request>(bytes),
        4 => json::<tuple::TupleRequest>(bytes),
        5 => json::<batch::BatchRequest>(bytes),
        6 => json::<speedup::SpeedupRequest>(bytes),
        7 => json::<api::Report>(bytes),
        8 => json::<tuple::Report>(bytes),
        9 => message(bytes, decode::<self_contained::SelfContained>, encode),
        10 => message(bytes, decode::<Question<tuple::Settings>>, encode),
        _ => opened(bytes),
    }
}

/// Any bytes as an answer: none panics.
fn opened(bytes: &[u8]) {
    let each = [
        HeldRequest::Limit(Settings::default(), 9),
        HeldRequest::Batches(Box::default(), true),
        HeldRequest::Waiting(Rc::default()),
        HeldRequest::CertifyLengths(Settings::default()),
    ];
    let graphs = Question::Report {
        settings: tuple::Settings::default(),
        listed: 9,
    };
    let options = tokens::CountOptions::default();
    let part = |asked| {
        WorkerRequest::Tokens(
            TokenizerPart {
                version: 1,
                name: String::new(),
                size: 9,
            },
            asked,
        )
    };
    let asks = [
        WorkerRequest::Each(each.into()),
        WorkerRequest::Graphs(graphs),
        part(TokenizerRequest::About),
        part(TokenizerRequest::Look(options.clone())),
        part(TokenizerRequest::Count(options)),
    ];
    asks.iter()
        .for_each(|ask| drop(PartResponse::decode(bytes, ask)));
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
