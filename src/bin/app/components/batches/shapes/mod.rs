//! A few static shapes: which lengths to pad to where each costs a compilation. Loaded when it is
//! unfolded.

mod controls;
mod drawn;
mod lines;
mod ways;

use super::Props;
use crate::components::fold::{Fold, Folded, use_room_fold};
use crate::components::titled;
use crate::lazy::{self, DrawPart, LazyPart, PartLoad, use_part};
use crate::plot::use_in_view;
use crate::shared::{Same, SharedState};
use packscope::api::shapes::{GivenShapes, Methods, Settings};
use packscope::shapes::Shape;
use packscope::words::capital;
use packscope_page::part;
use packscope_page::state::AppState;
use packscope_page::state::batches::Action;
use packscope_page::state::batches::shapes;
use std::rc::Rc;
use yew::prelude::*;

static SHAPES: LazyPart<DrawPart<Props>> = LazyPart::new(|| Box::pin(load_shapes()));

part! { batches:
    fn load_shapes() -> PartLoad<DrawPart<Props>> {
        Ok(|props| html! { <UnfoldedShapes ..props /> })
    }
}

/// The part, folded until it is wanted, or an address has settings of it.
#[component]
pub fn Shapes(props: &Props) -> Html {
    let Fold { open, ontoggle } = use_room_fold("shapes");
    // An address with settings of shapes unfolds the part, until it is folded by hand.
    let named = use_state_eq(|| !props.state.shapes_pairs().is_empty());
    let unnamed = named.setter();
    let ontoggle = Callback::from(move |e: Event| {
        unnamed.set(false);
        ontoggle.emit(e);
    });
    let open = open || *named;
    html! {
        <details
            class="panel few"
            id="few-shapes"
            data-state={stage(&props.state)}
            {open}
            {ontoggle}
        >
            <summary>
                <h2>{ "A few static shapes: which lengths to pad to?" }</h2>
            </summary>
            if open {
                <Unfolded ..props.clone() />
            }
        </details>
    }
}

/// Returns whether the shapes in view are known, requested, or not wanted yet.
fn stage(state: &AppState) -> &'static str {
    match (state.are_shapes_asked(), state.shapes_wanted().is_empty()) {
        (false, _) => "none",
        (true, false) => "computing",
        (true, true) => "current",
    }
}

#[component]
fn Unfolded(props: &Props) -> Html {
    match use_part(&SHAPES, true) {
        Ok(draw) => draw(props.clone()),
        Err(absent) => lazy::missing(absent),
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct ShownShapes {
    state: SharedState,
    set: Callback<Settings>,
    methods: Same<Methods>,
    given: Option<Same<GivenShapes>>,
    /// Whether the methods are about the present settings.
    current: bool,
}

impl ShownShapes {
    fn settings(&self) -> Settings {
        self.state.shapes()
    }

    fn chosen(&self) -> &[Shape] {
        shapes::chosen(&self.methods, self.given.as_deref(), &self.settings())
    }

    fn title(&self) -> String {
        shapes::title(&self.methods, self.given.as_deref(), &self.settings())
    }
}

#[component]
fn UnfoldedShapes(props: &Props) -> Html {
    let (state, node, seen) = (&props.state, use_node_ref(), use_state_eq(|| false));
    let set_seen = seen.setter();
    use_in_view(&node, 0.0, Callback::from(move |now| set_seen.set(now)));
    // What is asked follows settings, limit and data while it is in view.
    let dispatch = props.dispatch.clone();
    use_effect_with((*seen).then(|| state.shapes_queries()), move |queries| {
        if let Some(queries) = queries {
            dispatch.emit(Action::AskShapes(Rc::new(queries.clone())));
        }
    });
    let (found, current) = state.found_shapes().unzip();
    let (methods, refused) = opened(found);
    let (given, given_refused) = opened(state.given_shapes());
    let set = props
        .dispatch
        .reform(|settings: Settings| Action::Shapes(shapes::pairs(&settings)));
    let ignored = state.refused_shapes();
    let controls = html! {
        <>
            if let Some(ignored) = ignored {
                <p class="wrong" role="alert" data-wrong="shapes">{ ignored }</p>
            }
            <controls::Controls
                state={state.clone()}
                set={set.clone()}
                given={given.clone()}
                refused={given_refused}
            />
        </>
    };
    let Some(methods) = methods else {
        let words = refused.map_or("Finding the lengths …".to_owned(), |why| {
            format!("{}.", capital(&why))
        });
        return html! {
            <div ref={node}>
                { controls }
                <p class="wait" role="status">{ words }</p>
            </div>
        };
    };
    let known = ShownShapes {
        state: state.clone(),
        set,
        methods,
        given,
        current: current.unwrap_or_default(),
    };
    let many = known.chosen().len();
    html! {
        <div ref={node}>
            { controls }
            <h3 class="finding">{ titled(&known.title()) }</h3>
            <div class="pair">
                <drawn::Steps ..known.clone() />
                <drawn::Along ..known.clone() />
            </div>
            <ways::Ways ..known.clone() />
            <Folded
                id="few-each"
                title={html! { { format!("All {many} shapes, and the batch that each may have") } }}
            >
                <ways::Each ..known.clone() />
            </Folded>
            <Folded id="few-lines" title={html! { { "Lines for lhotse, NeMo, XLA and HPU" } }}>
                <lines::Lines ..known />
            </Folded>
        </div>
    }
}

/// Returns the contents of an answer, and otherwise why there are none.
fn opened<T>(answer: Option<Result<&Rc<T>, &str>>) -> (Option<Same<T>>, Option<String>) {
    match answer {
        Some(Ok(contents)) => (Some(Same(Rc::clone(contents))), None),
        Some(Err(why)) => (None, Some(why.to_owned())),
        None => (None, None),
    }
}
