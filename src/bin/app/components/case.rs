//! The visitor's case, above the answer: the data, the library that trains on them, and the model.

use super::data::{DataPicker, picked};
use super::{controls, filtered, list};
use crate::coming::load;
use crate::shared::FileCallbacks;
use packscope::cost::presets::{self, GNNS, Preset as Named, TRANSFORMERS};
use packscope::histogram::Preset;
use packscope_page::state::speedup::Action as Priced;
use packscope_page::state::trainer::{Action as Trained, library_names};
use packscope_page::state::{Action, AppState, View};
use yew::prelude::*;

/// Draws the case. `picker` chooses the data; on the view of ranks it also has the scheduler, as its list is a part of that view.
pub fn case(state: &AppState, dispatch: &Callback<Action>, picker: Html) -> Html {
    let model = match state.view {
        View::Graphs => state.speedup.gnn.id,
        _ => state.speedup.transformer.id,
    };
    let library = state.libraries(state.view).choice.library.clone();
    html! {
        <section class="case" aria-label="Your case">
            { picker }
            <Choices view={state.view} {library} {model} dispatch={dispatch.clone()} />
        </section>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    view: View,
    library: Option<String>,
    /// The id of the model that the estimates are for.
    model: &'static str,
    dispatch: Callback<Action>,
}

/// The choice of a library and of a model, which no slider changes.
#[component]
fn Choices(props: &Props) -> Html {
    html! {
        <>
            if props.view != View::Ranks {
                { library(props) }
            }
            { model(props) }
        </>
    }
}

fn library(props: &Props) -> Html {
    let (view, now) = (props.view, props.library.as_deref());
    let set = props.dispatch.reform(move |id: String| {
        // The empty value is “no library”.
        Action::Trainer(view, Trained::Choose(Some(id).filter(|id| !id.is_empty())))
    });
    let none = ("".into(), "no library".into(), now.is_none());
    let all = library_names(view)
        .iter()
        .map(|(id, title)| ((*id).into(), (*title).into(), now == Some(*id)));
    // An address may come from a version of the page with other libraries.
    let unknown = now.filter(|id| !library_names(view).iter().any(|(other, _)| other == id));
    let label = if view == View::Graphs {
        "You load with"
    } else {
        "You train with"
    };
    html! {
        <div class="control">
            <label for="library">{ label }</label>
            { list("library", std::iter::once(none).chain(all), &set) }
            if let Some(name) = unknown {
                <p class="hint" role="alert">
                    // The name comes from an address, and may be of any length.
                    { format!(
                        "The address names the library “{}”, which is not in this list.",
                        name.chars().take(40).collect::<String>()
                    ) }
                </p>
            }
        </div>
    }
}

fn model(props: &Props) -> Html {
    fn options<T>(all: &'static [Named<T>], now: &str) -> Vec<(AttrValue, AttrValue, bool)> {
        all.iter()
            .map(|p| (p.id.into(), p.name.into(), p.id == now))
            .collect()
    }
    let of_graphs = props.view == View::Graphs;
    let set = filtered(&props.dispatch, move |id: String| {
        let action = match of_graphs {
            true => presets::named(GNNS, &id).map(Priced::Gnn),
            false => presets::named(TRANSFORMERS, &id).map(Priced::Transformer),
        };
        action.map(Action::SpeedUp)
    });
    let (id, all) = match of_graphs {
        true => ("cost-gnn", options(GNNS, props.model)),
        false => ("cost-model", options(TRANSFORMERS, props.model)),
    };
    html! {
        <div class="control">
            <label for={id}>{ "Your model" }</label>
            { list(id, all, &set) }
        </div>
    }
}

/// The picker of sequences.
pub fn lengths(state: &AppState, files: &FileCallbacks, pick: Callback<&'static Preset>) -> Html {
    let (data, absent) = (state.sequences.data.as_ref(), state.absent);
    let Some((source, sentence)) = picked(data, absent, controls::sentence) else {
        return Html::default();
    };
    html! {
        <DataPicker
            {source}
            {absent}
            {sentence}
            presets={Preset::ALL}
            pasted={controls::PASTED}
            {pick}
            open={files.open.clone()}
            reread={files.reread.clone()}
        />
    }
}

/// Returns the callback that loads a built-in set of sequences at its limit.
#[hook]
pub fn use_pick(dispatch: &Callback<Action>) -> Callback<&'static Preset> {
    // The same callback in every rendering: callbacks are equal only by address, and the picker
    // compares its properties.
    let pick = use_memo(dispatch.clone(), |dispatch| {
        let dispatch = dispatch.clone();
        Callback::from(move |preset: &'static Preset| {
            load(preset, Some(preset.limit()), dispatch.clone())
        })
    });
    (*pick).clone()
}
