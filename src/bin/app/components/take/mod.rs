//! Export and code: plan, figures and tables as files, and code to paste into a training script, on
//! every view, for the answer on screen. Files are written only when saved.

mod counting;
mod files;
mod lines;
pub mod save;
mod subject;
mod tables;
mod whole;

use crate::components::use_open;
use crate::files::AssignRequest;
use crate::lazy::{DrawPart, LazyPart, PartLoad, missing, use_part};
use crate::shared::SharedState;
use packscope_page::part;
use packscope_page::state::{Action, View};
use subject::ExportSubject;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    /// Assigns the items of the loaded file to the packs of a plan (its JSON) in a worker, and
    /// saves the result under a name; `None` if the order of the items is unknown, as for built-in
    /// and pasted data and tables of counts.
    #[prop_or_default]
    pub assign: Option<Callback<AssignRequest>>,
    /// Computes the proof of the optimum on screen again in a worker, and saves it under a name.
    pub certify: Callback<String>,
}

#[component]
pub fn Take(props: &Props) -> Html {
    let (open, ontoggle) = use_open();
    let content = match use_part(&TAKE, open) {
        Ok(draw) => draw(props.clone()),
        Err(absent) => missing(absent),
    };
    // Behind the hooks, which must run in every rendering.
    if props.state.view == View::Learn {
        return html! {};
    }
    html! {
        <details class="take" id="take" {ontoggle}>
            <summary>
                <h2>{ "Export and code" }</h2>
                <span class="hint">
                    { "plan, figures and tables as files; lines for your training" }
                </span>
            </summary>
            if open {
                { content }
            }
        </details>
    }
}

static TAKE: LazyPart<DrawPart<Props>> = LazyPart::new(|| Box::pin(load_take()));

part! { own:
    fn load_take() -> PartLoad<DrawPart<Props>> {
        Ok(|props| html! { <Content ..props /> })
    }
}

#[component]
pub fn Content(props: &Props) -> Html {
    let Some(subject) = ExportSubject::new(&props.state) else {
        return html! { <p class="small">{ "Nothing is computed yet." }</p> };
    };
    html! {
        <>
            { files::files(props, &subject) }
            if let (Some(assign), Some(Ok(_))) = (&props.assign, &subject.plan) {
                { files::assignment(&subject, assign) }
            }
            // The lines of this view are for graphs, and items with computed attention are
            // sequences.
            if props.state.view != View::Graphs || props.state.graphs.words().attention.is_none() {
                <lines::Lines state={props.state.clone()} />
                <counting::Counting view={props.state.view} />
            }
        </>
    }
}
