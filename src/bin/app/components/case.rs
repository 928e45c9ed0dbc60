//! The visitor's case, above the answer: the data, the library that trains on them, and the model.

use super::data::{DataPicker, picked};
use super::{controls, filtered, list};
use crate::coming::load;
use crate::shared::{Files, Shared};
use packscope::cost::presets::{self, GNNS, Preset as Named, TRANSFORMERS};
use packscope::histogram::Preset;
use packscope::state::speedup::Action as Priced;
use packscope::state::trainer::Action as Trained;
use packscope::state::{Action, View};
use packscope::trainer::batches::SAMPLERS;
use packscope::trainer::graphs::LOADERS;
use packscope::trainer::{LIBRARIES, names};
use yew::prelude::*;

/// A library: its id and its displayed name.
type Name = (&'static str, &'static str);

// Computed when the page is compiled: all else about libraries is loaded with the part that shows them.
static PACKERS: [Name; LIBRARIES.len()] = names(LIBRARIES);
static BATCHERS: [Name; SAMPLERS.len()] = names(SAMPLERS);
static FILLERS: [Name; LOADERS.len()] = names(LOADERS);

/// Returns the libraries of a view.
pub fn libraries(view: View) -> &'static [Name] {
    match view {
        View::Graphs => &FILLERS,
        View::Batches => &BATCHERS,
        View::Sequences | View::Learn => &PACKERS,
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: Shared,
    pub dispatch: Callback<Action>,
    /// The picker of the data.
    pub children: Html,
}

#[component]
pub fn Case(props: &Props) -> Html {
    let Props { state, dispatch, children } = props;
    let speedup = &state.speedup;
    let model = if state.view == View::Graphs { speedup.gnn.id } else { speedup.transformer.id };
    html! {
        <section class="case" aria-label="Your case">
            { children.clone() }
            <Library view={state.view} now={state.libraries(state.view).choice.library.clone()} dispatch={dispatch.clone()} />
            <Model view={state.view} now={model} dispatch={dispatch.clone()} />
        </section>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct LibraryProps {
    view: View,
    now: Option<String>,
    dispatch: Callback<Action>,
}

/// The choice of a library of the view.
#[component]
fn Library(props: &LibraryProps) -> Html {
    let LibraryProps { view, now, dispatch } = props.clone();
    let set = dispatch.reform(move |id: String| {
        Action::Trainer(view, Trained::Choose(Some(id).filter(|id| !id.is_empty())))
    });
    let none = ("".into(), "no library".into(), now.is_none());
    let all = libraries(view)
        .iter()
        .map(|(id, title)| ((*id).into(), (*title).into(), now.as_deref() == Some(*id)));
    let unknown = now.as_deref().filter(|id| !libraries(view).iter().any(|(other, _)| other == id));
    let label = if view == View::Graphs { "You load with" } else { "You train with" };
    html! {
        <div class="control">
            <label for="library">{ label }</label>
            { list("library", std::iter::once(none).chain(all), &set) }
            if let Some(name) = unknown {
                <p class="hint" role="alert">{ format!("The address names the library “{}”, which is not in this list.", name.chars().take(40).collect::<String>()) }</p>
            }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ModelProps {
    view: View,
    now: &'static str,
    dispatch: Callback<Action>,
}

/// The choice of the model that the estimates are for.
#[component]
fn Model(props: &ModelProps) -> Html {
    fn options<T>(all: &'static [Named<T>], now: &str) -> Vec<(AttrValue, AttrValue, bool)> {
        all.iter().map(|p| (p.id.into(), p.name.into(), p.id == now)).collect()
    }
    let ModelProps { view, now, dispatch } = props.clone();
    let (id, all, set) = match view {
        View::Graphs => {
            let set = filtered(&dispatch, |id: String| {
                presets::named(GNNS, &id).map(|p| Action::SpeedUp(Priced::Gnn(p)))
            });
            ("cost-gnn", options(GNNS, now), set)
        }
        _ => {
            let set = filtered(&dispatch, |id: String| {
                presets::named(TRANSFORMERS, &id).map(|p| Action::SpeedUp(Priced::Transformer(p)))
            });
            ("cost-model", options(TRANSFORMERS, now), set)
        }
    };
    html! { <div class="control"><label for={id}>{ "Your model" }</label>{ list(id, all, &set) }</div> }
}

#[derive(Clone, PartialEq, Properties)]
pub struct LengthsProps {
    pub state: Shared,
    pub dispatch: Callback<Action>,
    pub files: Files,
}

/// The picker of sequences.
#[component]
pub fn Lengths(props: &LengthsProps) -> Html {
    let LengthsProps { state, dispatch, files } = props;
    let pick = use_memo(dispatch.clone(), |dispatch| {
        let dispatch = dispatch.clone();
        Callback::from(move |preset: &'static Preset| load(preset, Some(preset.limit()), dispatch.clone()))
    });
    let (data, absent) = (state.sequences.data.as_ref(), state.absent);
    let Some((source, sentence)) = picked(data, absent, controls::sentence) else { return Html::default() };
    html! {
        <DataPicker {source} {absent} {sentence} presets={Preset::ALL} pasted={controls::PASTED}
            open={files.open.clone()} reread={files.reread.clone()} pick={(*pick).clone()} />
    }
}
