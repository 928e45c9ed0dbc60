//! Errors and progress, above the previous result.

use super::{another, button, waiting};
use crate::address::load_again;
use crate::engine::{WaitProgress, Work};
use crate::files::OpenFiles;
use crate::lazy::{DrawPart, LazyPart, PartLoad, use_part};
use crate::shared::{FileCallbacks, SharedState};
use crate::watchdog::{Watch, WatchMessage};
use packscope::histogram::Preset;
use packscope_page::learn::TITLES;
use packscope_page::part;
use packscope_page::state::{Action, AppState, View};
use yew::prelude::*;

/// The choices after a refusal, loaded on demand as few visitors see them.
static ANOTHER: LazyPart<DrawPart<another::Props>> = LazyPart::new(|| Box::pin(load_another()));

part! { another:
    fn load_another() -> PartLoad<DrawPart<another::Props>> {
        Ok(|props| html! { <another::Another ..props /> })
    }
}

/// The work that the visitor waits for, loaded with the decoder of its progress.
static BAR: LazyPart<DrawPart<waiting::Props>> = LazyPart::new(|| Box::pin(load_bar()));

part! { replies:
    fn load_bar() -> PartLoad<DrawPart<waiting::Props>> {
        Ok(|props| html! { <waiting::Bar ..props /> })
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    pub waiting: Option<WaitProgress>,
    pub cancel: Callback<()>,
    pub files: FileCallbacks,
    /// The notice about workers that do not answer.
    pub lost: Option<WatchMessage>,
    /// Asks the workers again, or closes the notice.
    pub watch: Watch,
}

fn alert(name: &'static str, words: &str, buttons: Html) -> Html {
    html! {
        <div class="notice" role="alert" data-notice={name}>
            <p>{ words }</p>
            { buttons }
        </div>
    }
}

/// The way back to the chapter whose link opened the tool.
fn from_lesson(state: &AppState) -> Html {
    let from = &state.learn.from;
    let place = TITLES.iter().position(|(id, _)| id == from);
    let Some(place) = place.filter(|_| state.view != View::Learn) else {
        return Html::default();
    };
    html! {
        <p class="from-lesson">
            { format!("From chapter {}, ", place + 1) }
            <a href={format!("#{}", state.learn.back())}>{ TITLES[place].1 }</a>
            { ": the same data and settings. The link leads back." }
        </p>
    }
}

#[component]
pub fn Notices(props: &Props) -> Html {
    let state = &props.state;
    let refusal = match state.view {
        View::Sequences => state.sequences.refusal(),
        View::Graphs => state.graphs.refusal(),
        View::Batches => state.batch_refusal(),
        View::Ranks => state.ranks_refusal(),
        View::Learn => None,
    };
    let graphs = state.view == View::Graphs;
    let loaded = if graphs {
        state.graphs.data.is_some()
    } else {
        state.sequences.data.is_some()
    };
    // The problem of files begins with their name.
    let is_about = |files: &OpenFiles| {
        state
            .problem
            .as_ref()
            .is_some_and(|p| p.starts_with(&format!("{}: ", files.name)))
    };
    let refused = state
        .problem
        .as_ref()
        .and_then(|_| props.files.last.emit(()))
        .filter(is_about);
    let another = use_part(&ANOTHER, refused.is_some());
    // Without its part there is no bar: the work goes on all the same.
    let bar = use_part(&BAR, props.waiting.is_some())
        .ok()
        .zip(props.waiting.clone());
    let bar = bar.map(|(draw, waiting)| {
        let go_on = go_on(props, waiting.work);
        draw(waiting::Props {
            state: state.clone(),
            waiting,
            cancel: props.cancel.clone(),
            go_on,
        })
    });
    let close = props.dispatch.reform(|_| Action::Dismiss);
    let chosen = state.problem.clone().zip(refused).zip(another.ok()).map(
        |((problem, files), draw)| {
            // The key resets the choices for each new refusal.
            let key = problem.clone();
            html! {
                <div {key}>
                    { draw(another::Props { files, problem, again: props.files.again.clone(), estimate: props.files.estimate.clone() }) }
                </div>
            }
        },
    );
    html! {
        <>
            { from_lesson(state) }
            if let Some(problem) = &state.problem {
                <div class="notice" role="alert" data-notice="problem">
                    <div>
                        // With choices, the problem stands above them in words of its own.
                        { chosen.unwrap_or_else(|| html! { <p>{ problem }</p> }) }
                    </div>
                    { button("Close", close.clone()) }
                </div>
            }
            { configured(props) }
            if let Some(ignored) = &state.ignored {
                { alert("ignored", ignored, button("Close", close)) }
            }
            if let Some(preset) = state.absent {
                { alert(
                    "absent",
                    &format!("{} could not be loaded; is the connection gone?", preset.title),
                    html! {
                        <span class="line">
                            { button("Try again", load(props, preset)) }
                            if loaded {
                                { button("Close", props.dispatch.reform(|_| Action::Absent(None))) }
                            }
                        </span>
                    },
                ) }
            }
            if let Some(message) = &props.lost {
                { alert("lost", &message.words, html! {
                    <span class="line">
                        if let Some(again) = message.again {
                            { button(again, act(&props.watch, Watch::again)) }
                        }
                        { button("Close", act(&props.watch, Watch::close)) }
                    </span>
                }) }
            }
            if let Some(refusal) = refusal {
                { alert("refusal", refusal, Html::default()) }
            }
            { bar }
        </>
    }
}

/// The settings that were taken of the configuration of a training.
fn configured(props: &Props) -> Html {
    let Some(configuration) = &props.state.configuration else {
        return Html::default();
    };
    let close = props.dispatch.reform(|_| Action::Configure(None));
    alert(
        "configuration",
        &configuration.words,
        button("Close", close),
    )
}

/// Returns the callback that lets cancelled work go on: files are read again, answers are asked for
/// again.
fn go_on(props: &Props, work: Work) -> Callback<()> {
    let (files, dispatch) = (props.files.clone(), props.dispatch.clone());
    Callback::from(move |()| match (work, files.last.emit(())) {
        (Work::Files, Some(last)) if last.estimate => files.estimate.emit(()),
        (Work::Files, Some(last)) => files.again.emit(last.options),
        _ => dispatch.emit(Action::GoOn),
    })
}

fn load(props: &Props, preset: &'static Preset) -> Callback<MouseEvent> {
    let (state, dispatch) = (props.state.clone(), props.dispatch.clone());
    Callback::from(move |_| load_again(preset, &state, dispatch.clone()))
}

fn act(watch: &Watch, act: fn(&Watch)) -> Callback<MouseEvent> {
    let watch = watch.clone();
    Callback::from(move |_| act(&watch))
}
