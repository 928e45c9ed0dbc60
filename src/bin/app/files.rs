//! Files opened and saved by the visitor.

use crate::browser;
use crate::due;
use js_sys::{Array, Uint8Array};
use packscope::error::ChoiceNeeded;
use packscope::export::Form;
use packscope::ingest::Options;
use packscope::words::count;
use wasm_bindgen::JsCast;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

pub type DroppedFiles = Vec<(String, Blob)>;

/// Files that were read, kept so that they can be read again with other options.
#[derive(Clone, PartialEq)]
pub struct OpenFiles {
    pub name: String,
    pub files: DroppedFiles,
    pub options: Options,
    /// Whether the lengths of their texts are estimated from characters.
    pub estimate: bool,
    /// The question shown to the visitor because they were refused.
    pub asked: ChoiceNeeded,
}

impl OpenFiles {
    /// Returns the files, to be read as they are.
    pub fn without_estimate(self) -> Self {
        Self {
            estimate: false,
            ..self
        }
    }
}

impl From<DroppedFiles> for OpenFiles {
    fn from(files: DroppedFiles) -> Self {
        let first = files.first().map_or("", |(name, _)| name.as_str());
        let name = match files.len() {
            0 | 1 => first.to_owned(),
            n => format!("{first} and {} more", count(n as u64 - 1)),
        };
        Self {
            name,
            files,
            options: Options::default(),
            estimate: false,
            asked: ChoiceNeeded::default(),
        }
    }
}

/// A request to assign the items of a file to the packs of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct AssignRequest {
    /// The plan, as JSON.
    pub plan: String,
    pub form: Form,
    pub name: String,
    pub items: u64,
}

/// Saves a file made of these parts, which together may exceed memory.
pub fn save(name: &str, parts: &Array) {
    let options = BlobPropertyBag::new();
    // A type that every browser saves instead of displaying.
    options.set_type("application/octet-stream");
    let Ok(blob) = Blob::new_with_str_sequence_and_options(parts, &options) else {
        return;
    };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else {
        return;
    };
    let link = browser::document()
        .create_element("a")
        .ok()
        .and_then(|a| a.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(link) = link {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The browser reads the URL later; a download that has begun is not affected when it is revoked.
    due::aside(60_000, move || drop(Url::revoke_object_url(&url))).forget();
}

pub fn save_text(name: &str, text: &str) {
    save(name, &Array::of1(&Uint8Array::from(text.as_bytes())));
}
