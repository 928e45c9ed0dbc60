//! The resources for counting tokens besides the state: the reader, the files, the latest lengths.

use super::beside::{BesideFile, ChatFile, beside, may_be_beside};
use crate::browser;
use crate::due;
use crate::files::DroppedFiles;
use crate::job_queue::{Job, JobOutcome, JobQueue};
use crate::watchdog::Watch;
use js_sys::{Array, Uint8Array};
use packscope::histogram::{Histogram, Sizes};
use packscope::ingest::Description;
use packscope::tokens::{self, CountOptions};
use packscope_page::state::tokens::{Action, LoadedTokenizer, Progress};
use packscope_page::state::{self, Source, Ticket};
use packscope_page::wire::{
    ChatFiles, TokenizerPart, TokenizerRequest, TokensCounted, WorkerRequest, WorkerResponse,
};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;
use yew::prelude::*;

/// Bytes at the start of a file that distinguish a tokenizer from other files.
const HEAD: f64 = 4096.0;

pub type File = (String, Blob);

/// A file whose tokens were counted, kept so that its records can be read again.
#[derive(Clone)]
pub struct CountedFile {
    name: String,
    pub tokenizer: TokenizerPart,
    pub options: CountOptions,
    /// The tokenizer followed by the file, in one blob.
    pub both: Blob,
}

/// The lengths so far, and the description of their file.
type CountedLengths = (Histogram<1>, Description);

#[derive(Default)]
struct CounterState {
    /// The number of tokenizers and files so far.
    number: u64,
    tokenizer: Option<(TokenizerPart, Blob)>,
    /// The tokenizer that is being read.
    coming: Option<(TokenizerPart, Blob)>,
    /// The files with the chat template of its model.
    chat: ChatFiles,
    file: Option<File>,
    /// Reads a file without texts.
    plain: Callback<DroppedFiles>,
    so_far: Option<(Progress, CountedLengths)>,
    counted: Option<CountedFile>,
    // Milliseconds by the clock of the page.
    begun: f64,
}

impl CounterState {
    fn has_tokenizer(&self) -> bool {
        self.tokenizer.is_some() || self.coming.is_some()
    }
}

/// Sends requests to the reader, and its replies to the panel.
pub struct CounterHandle {
    queue: JobQueue,
    // Shared with the listener of the queue.
    held: Rc<RefCell<CounterState>>,
    act: Callback<Action>,
    dispatch: Callback<state::Action>,
}

impl CounterHandle {
    /// Dispatches to the panel with `act` and to the page with `dispatch`.
    pub fn new(act: Callback<Action>, dispatch: Callback<state::Action>, watch: &Watch) -> Self {
        let held = Rc::<RefCell<CounterState>>::default();
        let on_outcome = {
            let (held, act, dispatch) = (Rc::clone(&held), act.clone(), dispatch.clone());
            move |job: &Job, heard| on_outcome(job, heard, &held, &act, &dispatch)
        };
        Self {
            queue: JobQueue::remembering(watch, on_outcome),
            held,
            act,
            dispatch,
        }
    }

    /// Opens files: keeps a tokenizer, takes a configuration, opens a text that comes with or after a
    /// tokenizer, and passes other files to `plain`. `shown` are the texts on screen, which a tokenizer that comes alone is
    /// for.
    pub fn open(
        self: &Rc<Self>,
        files: Vec<File>,
        shown: Vec<File>,
        plain: &Callback<DroppedFiles>,
    ) {
        let may_be = files
            .iter()
            .any(|(name, _)| tokens::may_be_tokenizer(name) || may_be_beside(name));
        if !may_be && !self.held.borrow().has_tokenizer() {
            return plain.emit(files);
        }
        let (counter, plain) = (Rc::clone(self), plain.clone());
        due::load(async move {
            let (mut rest, mut alone) = (Vec::new(), None);
            for (name, blob) in files {
                match beside(&name, &blob).await {
                    Some(BesideFile::Acts(action)) => counter.dispatch.emit(action),
                    Some(BesideFile::OfTokenizer(file)) => {
                        alone = Some(file.alone.clone());
                        counter.keep_chat(&name, file);
                    }
                    None if tokens::is_tokenizer(&name, &head(&blob).await) => {
                        counter.keep(name, blob);
                    }
                    None => rest.push((name, blob)),
                }
            }
            // Its template counts nothing by itself; it is kept for the tokenizer that comes.
            if let Some(why) = alone.filter(|_| !counter.held.borrow().has_tokenizer()) {
                counter.dispatch.emit(state::Action::Unreadable(why));
            }
            if rest.is_empty() && counter.held.borrow().coming.is_some() {
                rest = shown;
            }
            // Tokens are counted in single files only; several files are read as one, without the
            // tokenizer.
            match rest.len() {
                0 => {}
                1 => rest
                    .into_iter()
                    .for_each(|file| counter.open_texts(file, plain.clone())),
                _ => plain.emit(rest),
            }
        });
    }

    /// Reads a tokenizer, which replaces the previous one.
    fn keep(&self, name: String, blob: Blob) {
        let part = TokenizerPart {
            version: self.number(),
            name: name.clone(),
            size: blob.size() as u64,
            chat: None,
        };
        self.held.borrow_mut().coming = Some((part.clone(), blob.clone()));
        // What is still being counted is counted with the tokenizer before this one.
        self.act.emit(Action::Brought(name));
        self.queue.stop();
        self.ask(WorkerRequest::Tokens(part, TokenizerRequest::About), blob);
    }

    /// Keeps a file with a chat template, in place of one of the same kind.
    fn keep_chat(&self, name: &str, file: ChatFile) {
        let number = self.number();
        let named = {
            let mut held = self.held.borrow_mut();
            if file.is_template {
                held.chat.template = Some((name.to_owned(), file.text));
            } else {
                held.chat.config = Some(file.text);
            }
            let ChatFiles { config, template } = &held.chat;
            let in_config = config
                .as_ref()
                .filter(|config| config.contains("\"chat_template\""));
            let own = template.as_ref().map(|(name, _)| name.clone());
            own.or(in_config.map(|_| "tokenizer_config.json".to_owned()))
        };
        self.act.emit(Action::Chat(named, number));
    }

    // The tokenizer may have gone while the first bytes of the files were read.
    fn open_texts(&self, file: File, plain: Callback<DroppedFiles>) {
        if !self.held.borrow().has_tokenizer() {
            return plain.emit(vec![file]);
        }
        let (number, name) = (self.number(), file.0.clone());
        {
            let mut held = self.held.borrow_mut();
            (held.file, held.plain, held.so_far) = (Some(file), plain, None);
        }
        self.act.emit(Action::Opened(number, name));
        // The question that a tokenizer answers is asked no more.
        self.dispatch.emit(state::Action::Dismiss);
    }

    /// Requests a preview of the file with these options; `chat`: of conversations as their chat template writes them.
    pub fn look(&self, options: CountOptions, chat: bool) {
        if let Some((tokenizer, blob)) = self.tokenizer_and_blob(chat) {
            self.ask(
                WorkerRequest::Tokens(tokenizer, TokenizerRequest::Look(options)),
                blob,
            );
        }
    }

    /// Starts counting the tokens of the file with these options; `chat`: of conversations as their chat template writes them.
    pub fn count(&self, options: CountOptions, chat: bool) {
        let Some((tokenizer, blob)) = self.tokenizer_and_blob(chat) else {
            return;
        };
        {
            let mut held = self.held.borrow_mut();
            (held.so_far, held.begun) = (None, browser::milliseconds());
        }
        self.act.emit(Action::Counting(Progress {
            of: blob.size() as u64,
            ..Progress::default()
        }));
        self.queue.stop();
        self.ask(
            WorkerRequest::Tokens(tokenizer, TokenizerRequest::Count(options)),
            blob,
        );
    }

    /// Ends the counting; loads the lengths so far if `keep`.
    pub fn stop(&self, keep: bool) {
        self.queue.stop();
        let so_far = self.held.borrow_mut().so_far.take().filter(|_| keep);
        match so_far {
            Some((progress, lengths)) => {
                self.held.borrow_mut().counted = None;
                self.act.emit(Action::Counted(progress));
                load(lengths, &self.held, &self.dispatch);
            }
            None => self.act.emit(Action::Choosing),
        }
    }

    /// Returns the file of this name, if its tokens were all counted.
    pub fn counted_file(&self, name: &str) -> Option<CountedFile> {
        self.held
            .borrow()
            .counted
            .clone()
            .filter(|counted| counted.name == name)
    }

    pub fn read_plainly(&self) {
        self.queue.stop();
        self.act.emit(Action::Closed);
        plainly(&self.held);
    }

    pub fn remove(&self) {
        self.queue.stop();
        // Numbers go on: an answer that is still on its way must not match a later question. The
        // right side is evaluated before the left one borrows.
        *self.held.borrow_mut() = CounterState {
            number: self.number(),
            ..CounterState::default()
        };
        self.act.emit(Action::Removed);
    }

    fn number(&self) -> u64 {
        let mut held = self.held.borrow_mut();
        held.number += 1;
        held.number
    }

    /// Returns the tokenizer, and one blob of tokenizer and file; `None` unless both are loaded.
    fn tokenizer_and_blob(&self, chat: bool) -> Option<(TokenizerPart, Blob)> {
        let held = self.held.borrow();
        let ((part, tokenizer), (_, file)) = (held.tokenizer.as_ref()?, held.file.as_ref()?);
        // A job carries one file; the worker knows the size of the tokenizer, and cuts there. A
        // blob of blobs copies no bytes.
        let both = Blob::new_with_blob_sequence(&Array::of2(tokenizer, file)).ok()?;
        let chat = chat.then(|| Box::new(held.chat.clone()));
        let part = TokenizerPart {
            chat,
            ..part.clone()
        };
        Some((part, both))
    }

    fn ask(&self, ask: WorkerRequest, blob: Blob) {
        let ticket = Ticket {
            data: 0,
            number: self.number(),
        };
        self.queue.ask(Job {
            files: vec![blob],
            ..Job::new(ticket, ask)
        });
    }
}

/// Returns the first bytes of a file; empty if it cannot be read, which is reported when it is read
/// later.
async fn head(blob: &Blob) -> Vec<u8> {
    let Ok(part) = blob.slice_with_f64_and_f64(0.0, HEAD) else {
        return Vec::new();
    };
    let buffer = JsFuture::from(part.array_buffer()).await;
    buffer
        .map(|buffer| Uint8Array::new(&buffer).to_vec())
        .unwrap_or_default()
}

fn on_outcome(
    job: &Job,
    heard: JobOutcome,
    held: &RefCell<CounterState>,
    act: &Callback<Action>,
    dispatch: &Callback<state::Action>,
) {
    let reply = match heard {
        JobOutcome::Reply(reply) => reply,
        JobOutcome::Lost(_) => return lost(&job.ask, held, act),
    };
    match (reply, &job.ask) {
        (
            WorkerResponse::Tokenizer(about),
            WorkerRequest::Tokens(part, TokenizerRequest::About),
        ) => {
            {
                let mut held = held.borrow_mut();
                // The borrow ends with this block, before callbacks that may borrow again.
                held.tokenizer = held.coming.take();
            }
            let (version, name) = (part.version, part.name.clone());
            act.emit(Action::Known(Some(LoadedTokenizer {
                version,
                name,
                about,
            })));
        }
        (
            WorkerResponse::TokensLooked(looked),
            WorkerRequest::Tokens(_, TokenizerRequest::Look(_)),
        ) if looked.is_text() => {
            act.emit(Action::Looked(looked));
        }
        // A template that cannot be used is given up, and the file counted without it.
        (
            WorkerResponse::Refused(why),
            WorkerRequest::Tokens(TokenizerPart { chat: Some(_), .. }, TokenizerRequest::Look(_)),
        ) => {
            held.borrow_mut().chat = ChatFiles::default();
            act.emit(Action::Chat(None, 0));
            dispatch.emit(state::Action::Unreadable(why));
        }
        // A file without texts is read without the tokenizer.
        (
            WorkerResponse::TokensLooked(_) | WorkerResponse::Refused(_),
            WorkerRequest::Tokens(_, TokenizerRequest::Look(_)),
        ) => {
            act.emit(Action::Closed);
            plainly(held);
        }
        (
            WorkerResponse::TokensCounted(counted),
            WorkerRequest::Tokens(tokenizer, TokenizerRequest::Count(options)),
        ) => {
            let TokensCounted {
                done,
                of,
                tokens,
                lengths,
                description,
                more,
            } = *counted;
            let seconds = (browser::milliseconds() - held.borrow().begun) / 1000.0;
            let progress = Progress {
                done,
                of,
                records: description.records,
                tokens,
                seconds,
            };
            let lengths = (lengths, description);
            if more {
                // Kept, so that a count that is ended has lengths to show.
                held.borrow_mut().so_far = Some((progress, lengths));
                return act.emit(Action::Counting(progress));
            }
            act.emit(Action::Counted(progress));
            let (name, tokenizer, options) = (named(held), tokenizer.clone(), options.clone());
            let both = job.files.first().cloned();
            held.borrow_mut().counted = both.map(|both| CountedFile {
                name,
                tokenizer,
                options,
                both,
            });
            load(lengths, held, dispatch);
        }
        (WorkerResponse::Refused(why), WorkerRequest::Tokens(part, TokenizerRequest::About)) => {
            no_tokenizer(held, act);
            dispatch.emit(state::Action::Unreadable(format!("{}: {why}", part.name)));
        }
        (WorkerResponse::Refused(why), _) => {
            let name = named(held);
            act.emit(Action::Choosing);
            dispatch.emit(state::Action::Unreadable(format!("{name}: {why}")));
        }
        _ => {}
    }
}

/// Handles a tokenizer that could not be read; the previous one stays.
fn no_tokenizer(held: &RefCell<CounterState>, act: &Callback<Action>) {
    held.borrow_mut().coming = None;
    act.emit(Action::Known(None));
    // A text that came with it is not read as words instead, which would hide the error.
    if held.borrow().tokenizer.is_none() {
        held.borrow_mut().file = None;
        act.emit(Action::Closed);
    }
}

/// Handles a lost request; the choices stay, and the page shows the notice.
fn lost(ask: &WorkerRequest, held: &RefCell<CounterState>, act: &Callback<Action>) {
    match ask {
        WorkerRequest::Tokens(_, TokenizerRequest::About) => no_tokenizer(held, act),
        WorkerRequest::Tokens(_, TokenizerRequest::Look(_)) => act.emit(Action::Closed),
        _ => act.emit(Action::Choosing),
    }
}

fn plainly(held: &RefCell<CounterState>) {
    let (plain, file) = {
        let mut held = held.borrow_mut();
        // The borrow ends before `plain`, which may open other files at once.
        (held.plain.clone(), held.file.take())
    };
    file.into_iter().for_each(|file| plain.emit(vec![file]));
}

fn named(held: &RefCell<CounterState>) -> String {
    held.borrow()
        .file
        .as_ref()
        .map_or_else(String::new, |(name, _)| name.clone())
}

/// Loads lengths as the data of the page.
fn load(
    (lengths, description): CountedLengths,
    held: &RefCell<CounterState>,
    dispatch: &Callback<state::Action>,
) {
    let source = Source::Own {
        name: named(held),
        description: Rc::new(description),
    };
    dispatch.emit(state::Action::read(
        source,
        Sizes::Lengths(Rc::new(lengths)),
    ));
}
