//! Errors and progress, above the previous result.

use super::announce::Announce;
use super::another;
use crate::address::load_again;
use crate::engine::Waiting;
use crate::files::Opened;
use crate::lazy::{Draw, Loading, Part, use_part};
use crate::shared::{Files, Shared};
use crate::watch::{Message, Watch};
use packscope::histogram::Preset;
use packscope::part;
use packscope::state::{Action, View};
use yew::prelude::*;

/// The choices after a refusal, which few see.
static ANOTHER: Part<Draw<another::Props>> = Part::new(|| Box::pin(load_another()));

part! { another:
    fn load_another() -> Loading<Draw<another::Props>> {
        Ok(|props| html! { <another::Another ..props /> })
    }
}

/// Properties of [`Notices`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Dispatches actions.
    pub dispatch: Callback<Action>,
    /// The task in progress.
    pub waiting: Option<Waiting>,
    /// Cancels the task.
    pub cancel: Callback<()>,
    /// Reads files.
    pub files: Files,
    /// The notice about workers that do not answer.
    pub lost: Option<Message>,
    /// Retries them, or closes the notice.
    pub watch: Watch,
}

/// Errors and progress.
#[component]
pub fn Notices(props: &Props) -> Html {
    let state = &props.state;
    let refusal = match state.view {
        View::Sequences => state.sequences.refusal(),
        View::Graphs => state.graphs.refusal(),
        View::Batches => state.batch_refusal(),
        View::Learn => None,
    };
    let loaded = match state.view {
        View::Graphs => state.graphs.data.is_some(),
        _ => state.sequences.data.is_some(),
    };
    // The problem of files begins with their name.
    let is_about =
        |files: &Opened| state.problem.as_ref().is_some_and(|p| p.starts_with(&format!("{}: ", files.name)));
    let refused = state.problem.as_ref().and_then(|_| props.files.last.emit(())).filter(is_about);
    let another = use_part(&ANOTHER, refused.is_some());
    html! { <>
        if let Some(problem) = &state.problem {
            <div class="notice" role="alert" data-notice="problem">
                <div>
                    <p>{ problem }</p>
                    if let (Some(files), Ok(draw)) = (refused, another) {
                        // What was chosen after one refusal is not after the next.
                        <div key={problem.clone()}>
                            { draw(another::Props { files, problem: problem.clone(), again: props.files.again.clone() }) }
                        </div>
                    }
                </div>
                <button type="button" class="word" onclick={props.dispatch.reform(|_| Action::Dismiss)}>{ "Close" }</button>
            </div>
        }
        if let Some(ignored) = &state.ignored {
            <div class="notice" role="alert" data-notice="ignored">
                <p>{ ignored }</p>
                <button type="button" class="word" onclick={props.dispatch.reform(|_| Action::Dismiss)}>{ "Close" }</button>
            </div>
        }
        if let Some(preset) = state.absent {
            <div class="notice" role="alert" data-notice="absent">
                <p>{ format!("{} could not be loaded; is the connection gone?", preset.title) }</p>
                <span class="line">
                    <button type="button" class="word" onclick={load(props, preset)}>{ "Try again" }</button>
                    if loaded {
                        <button type="button" class="word" onclick={props.dispatch.reform(|_| Action::Absent(None))}>{ "Close" }</button>
                    }
                </span>
            </div>
        }
        if let Some(message) = &props.lost {
            <div class="notice" role="alert" data-notice="lost">
                <p>{ &message.words }</p>
                <span class="line">
                    if let Some(again) = message.again {
                        <button type="button" class="word" onclick={act(&props.watch, Watch::again)}>{ again }</button>
                    }
                    <button type="button" class="word" onclick={act(&props.watch, Watch::close)}>{ "Close" }</button>
                </span>
            </div>
        }
        if let Some(refusal) = refusal {
            <div class="notice" role="alert" data-notice="refusal"><p>{ refusal }</p></div>
        }
        if let Some(waiting) = &props.waiting {
            <div class="over"><div class="notice" data-notice="waiting">
                // The progress changes often; only the start is announced.
                <Announce words={waiting.what.split(':').next().unwrap_or_default().to_owned()} />
                <p>{ &waiting.what }</p>
                <progress max="1" value={waiting.share.map(|s| format!("{s:.3}"))} aria-label={waiting.what.clone()} />
                <button type="button" class="word" onclick={props.cancel.reform(|_| ())}>{ "Cancel (Esc)" }</button>
            </div></div>
        }
    </> }
}

fn load(props: &Props, preset: &'static Preset) -> Callback<MouseEvent> {
    let (state, dispatch) = (props.state.clone(), props.dispatch.clone());
    Callback::from(move |_| load_again(preset, &state, dispatch.clone()))
}

fn act(watch: &Watch, act: fn(&Watch)) -> Callback<MouseEvent> {
    let watch = watch.clone();
    Callback::from(move |_| act(&watch))
}
