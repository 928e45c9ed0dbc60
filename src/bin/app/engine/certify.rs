//! Certificates: the optimum is found once more for its proof, which is saved.

use super::study::about;
use super::{Engine, Waiting};
use crate::files::save_text;
use crate::lane::{Heard, Job, Lane};
use crate::watch::Watch;
use packscope::api::{self, tuple};
use packscope::state::{Action, AppState, View};
use packscope::wire::{Ask, Reply};
use std::cell::RefCell;
use std::rc::Rc;
use yew::Callback;

/// The lane of certificates, and the name of the file that is to come.
pub struct Certifier {
    lane: Lane,
    name: Rc<RefCell<String>>,
}

impl Certifier {
    /// Creates a lane whose worker starts with the first question.
    pub fn new(dispatch: &Callback<Action>, waiting: &Callback<Option<Waiting>>, watch: &Watch) -> Self {
        let name = Rc::<RefCell<String>>::default();
        let (dispatch, waiting, file) = (dispatch.clone(), waiting.clone(), Rc::clone(&name));
        let lane = Lane::new(watch, move |_: &Job, heard| {
            match heard {
                Heard::Reply(Reply::Progress(_)) => {
                    let what = "Finding the proof once more".to_owned();
                    return waiting.emit(Some(Waiting { what, share: None }));
                }
                Heard::Reply(Reply::Certificate(proof)) => save_text(&file.borrow(), &proof),
                Heard::Reply(Reply::Refused(why)) => dispatch.emit(Action::Unreadable(why)),
                _ => {}
            }
            waiting.emit(None);
        });
        Self { lane, name }
    }

    /// Cancels the work.
    pub fn cancel(&self) {
        self.lane.cancel();
    }
}

impl Engine {
    /// Saves the certificate of the optimum on screen as a file of this name.
    pub fn certify(&self, state: &AppState, name: String) {
        let (sequences, graphs) = (&state.sequences, &state.graphs);
        let job = match state.view {
            View::Graphs => graphs.data.as_ref().zip(graphs.answer.as_ref()).map(|(data, answer)| {
                about::<tuple::Settings, 2>(data, Ask::CertifyGraphs(answer.report.settings.clone()))
            }),
            _ => sequences.data.as_ref().zip(sequences.answer.as_ref()).map(|(data, answer)| {
                about::<api::Settings, 1>(data, Ask::CertifyLengths(answer.report.settings.clone()))
            }),
        };
        let Some(job) = job else { return };
        self.certifier.name.replace(name);
        self.certifier.lane.ask(job);
    }
}
