//! Dropped files without lengths: those that stand beside a tokenizer, and configurations of
//! trainings.

use crate::lazy::{LazyPart, PartLoad};
use js_sys::Uint8Array;
use packscope::config;
use packscope::ingest::TokenizerFile;
use packscope_page::part;
use packscope_page::state::{Action, Configuration};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// A file without lengths.
pub enum BesideFile {
    /// It changes the page, or is refused with a reason.
    Acts(Action),
    /// It lies beside a tokenizer, and may have the chat template of its model.
    OfTokenizer(ChatFile),
}

/// A file that may have a chat template.
pub struct ChatFile {
    pub text: String,
    /// Whether the whole of it is a template.
    pub is_template: bool,
    /// The words about it where there is no tokenizer.
    pub alone: String,
}

/// Recognises a file by its name and its text.
type Recognise = fn(&str, &[u8]) -> Option<BesideFile>;

static RECOGNISE: LazyPart<Recognise> = LazyPart::new(|| Box::pin(load_recognise()));

part! { own:
    fn load_recognise() -> PartLoad<Recognise> {
        Ok(recognised)
    }
}

/// The most bytes of such a file; larger ones are data.
const MOST: f64 = 4_000_000.0;

/// Whether a file may have no lengths, by its name alone.
pub fn may_be_beside(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let endings = [".json", ".yaml", ".yml", ".jinja", ".jinja2", ".sh"];
    endings.into_iter().any(|ending| name.ends_with(ending))
}

/// Returns what a file is that has no lengths in it; `None` for all others.
pub async fn beside(name: &str, blob: &Blob) -> Option<BesideFile> {
    if !may_be_beside(name) || blob.size() > MOST {
        return None;
    }
    let recognise = match RECOGNISE.get() {
        Some(recognise) => recognise,
        // Without the part, the reader says what it finds.
        None => RECOGNISE.load().await.ok()?,
    };
    let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
    recognise(name, &Uint8Array::new(&buffer).to_vec())
}

fn recognised(name: &str, text: &[u8]) -> Option<BesideFile> {
    let acts = |action| Some(BesideFile::Acts(action));
    let kind = TokenizerFile::of(name, text);
    let text = String::from_utf8_lossy(text);
    match kind {
        // It counts tokens, or says why it cannot.
        Some(TokenizerFile::Tokenizer) => return None,
        Some(TokenizerFile::ModelConfig) => return acts(of_model(name, &text)),
        Some(file) if file.may_have_template() => {
            // Some keep nothing but the template in an object of JSON.
            let is_json = name.to_ascii_lowercase().ends_with(".json");
            return Some(BesideFile::OfTokenizer(ChatFile {
                is_template: file == TokenizerFile::Template && !is_json,
                alone: of_tokenizer(name, file),
                text: text.into_owned(),
            }));
        }
        Some(file) => return acts(Action::Unreadable(of_tokenizer(name, file))),
        None => {}
    }
    // A script begins with anything; of other files, the beginning tells data apart.
    let is_script = name.to_ascii_lowercase().ends_with(".sh");
    if !is_script && config::library_of(&text).is_none() {
        return None;
    }
    let config = config::read(&text).ok()?;
    let configuration = Box::new(Configuration::new(name, &config));
    acts(Action::Configure(Some(configuration)))
}

/// Takes the shape of a model, or says why it cannot be taken.
fn of_model(name: &str, text: &str) -> Action {
    let shape = config::model_shape(text);
    let configuration = match shape {
        Ok(Some(shape)) => Configuration::of_model(name, &shape),
        Ok(None) => return Action::Unreadable(of_tokenizer(name, TokenizerFile::ModelConfig)),
        Err(why) => Err(why),
    };
    match configuration {
        Ok(configuration) => Action::Configure(Some(Box::new(configuration))),
        Err(why) => Action::Unreadable(format!("{name}: {why}.")),
    }
}

fn of_tokenizer(name: &str, file: TokenizerFile) -> String {
    format!(
        "{name}: this is {}; drop the tokenizer.json of the model, which counts tokens.",
        file.words()
    )
}
