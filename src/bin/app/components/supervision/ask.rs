//! The question to a worker that reads the file once more.

use crate::components::tokens::{CountedFile, Tokens};
use crate::engine::Engine;
use crate::job_queue::{Job, JobOutcome, JobQueue};
use crate::shared::SharedState;
use crate::watchdog::Watch;
use packscope::ingest::Note;
use packscope::supervision::Truncation;
use packscope::tokens::supervised::may_tell;
use packscope_page::state::{Action, Source, Ticket, supervision};
use packscope_page::wire::{
    SupervisionRequest, TokenizerRequest, TrainedTurns, WorkerRequest, WorkerResponse,
};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Blob;
use yew::Callback;

/// A question about a file, with those who hold the file.
pub struct Question {
    /// Version of the data, the part of longer sequences that is kept, and the turns that bear loss.
    pub wanted: Option<(u64, Truncation, TrainedTurns)>,
    pub state: SharedState,
    pub engine: Rc<Engine>,
    pub tokens: Tokens,
    pub dispatch: Callback<Action>,
    pub watch: Watch,
}

thread_local! {
    /// One worker for the life of the page, which is there while it reads.
    static READER: RefCell<Option<JobQueue>> = const { RefCell::new(None) };
}

/// Asks a worker, or answers at once where nothing in the file tells.
pub fn ask(question: &Question) {
    let Some((version, truncation, turns)) = question.wanted else {
        return;
    };
    let Some((ask, files)) = request(question, truncation, turns) else {
        let nothing = supervision::Action::Found(version, None);
        return question.dispatch.emit(Action::Supervision(nothing));
    };
    let reader = READER.with_borrow_mut(|reader| {
        let new = || {
            let dispatch = question.dispatch.clone();
            let listen = move |job: &Job, heard| hear(job, heard, &dispatch);
            JobQueue::reader(&question.watch, listen)
        };
        reader.get_or_insert_with(new).clone()
    });
    // Of data that are no longer on screen nobody wants to know.
    reader.stop();
    let ticket = Ticket {
        data: version,
        number: 0,
    };
    reader.ask(Job {
        files,
        ..Job::new(ticket, ask)
    });
}

/// Returns the request with its files; `None` where nothing can tell.
fn request(
    question: &Question,
    truncation: Truncation,
    turns: TrainedTurns,
) -> Option<(WorkerRequest, Vec<Blob>)> {
    let data = question.state.sequences.data.as_ref()?;
    let Source::Own { name, description } = &data.source else {
        return None;
    };
    let are_counted = |note: &Note| matches!(note, Note::Tokens { .. });
    if description.notes.iter().any(are_counted) {
        let CountedFile {
            tokenizer,
            options,
            both,
            ..
        } = question.tokens.counted_file(name)?;
        let ask = TokenizerRequest::Supervise(options, truncation, turns);
        return Some((WorkerRequest::Tokens(tokenizer, ask), vec![both]));
    }
    let is_told = may_tell(description) && !description.is_estimated();
    // One of several files that is shown alone has its own name, not theirs: it is not there any more by itself.
    let opened = question.engine.shown(name).filter(|_| is_told)?;
    let (names, files) = opened.files.iter().cloned().unzip();
    let asked = SupervisionRequest {
        names,
        options: description.options(),
        truncation,
    };
    Some((WorkerRequest::Supervision(asked), files))
}

fn hear(job: &Job, heard: JobOutcome, dispatch: &Callback<Action>) {
    let found = match heard {
        JobOutcome::Reply(WorkerResponse::Supervised(found)) => found.map(|found| Rc::new(*found)),
        JobOutcome::Reply(WorkerResponse::Progress(_)) => return,
        // The figures of the page do not depend on it: what cannot be read, or is lost, is not told.
        JobOutcome::Reply(_) | JobOutcome::Lost(_) => None,
    };
    let found = supervision::Action::Found(job.ticket.data, found);
    dispatch.emit(Action::Supervision(found));
}
