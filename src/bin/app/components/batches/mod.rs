//! The view of batches: samplers side by side.

mod along;
mod answer;
mod caps;
mod controls;
mod dropping;
mod epochs;
mod hwcap;
mod notes;
mod picture;
mod real_time;
mod said;
mod samplers;
mod shapes;
mod table;

use crate::components::{advice, case, rooms, tied, trainer};
use crate::shared::{Same, SharedState, ViewProps};
use packscope::api::batch::{Mode, Pricing, Report};
use packscope::metrics::EpochFigures;
use packscope::order::Map;
use packscope_page::state::batches::{self, SamplerRow};
use packscope_page::state::{Action, Tab};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<batches::Action>,
}

#[derive(Clone, PartialEq, Properties)]
pub struct ControlsProps {
    pub state: SharedState,
    pub dispatch: Callback<batches::Action>,
    /// Dispatches actions on the whole page: data, limit, policy, seed, batch.
    pub shared: Callback<Action>,
}

/// All that the estimates of a row depend on: its report, the version of the data, the epoch, the assumptions.
type PricedBy = (Option<Same<Report>>, u64, u32, Pricing);

/// Returns the figures of rows with their estimates, recomputed only when an answer or an
/// assumption changes.
#[hook]
pub fn use_priced(state: &SharedState, rows: &[SamplerRow]) -> Rc<Map<SamplerRow, EpochFigures>> {
    let answers: Vec<_> = rows
        .iter()
        .map(|row| (*row, state.batch_report(*row).cloned().map(Same)))
        .collect();
    // Comparing what the figures depend on costs less than pricing every row.
    let key = (
        answers,
        state.sequences.version(),
        state.shown_epoch(),
        state.batch_pricing(),
    );
    let state = state.clone();
    // Answers come one by one, and each row takes long: a row is priced anew for its own answer alone.
    let known = use_mut_ref(Map::<SamplerRow, (PricedBy, Option<EpochFigures>)>::default);
    use_memo(key, move |(answers, version, epoch, pricing)| {
        let (mut known, mut priced) = (known.borrow_mut(), Map::default());
        for (row, report) in answers {
            let by = (report.clone(), *version, *epoch, *pricing);
            if known.get(row).is_none_or(|(before, _)| *before != by) {
                let figures = state.priced_figures(&[*row]).get(row).cloned();
                known.insert(*row, (by, figures));
            }
            if let Some((_, Some(figures))) = known.get(row) {
                priced.insert(*row, figures.clone());
            }
        }
        priced
    })
}

#[component]
pub fn Batches(props: &ViewProps) -> Html {
    let state = &props.state;
    let dispatch = {
        let dispatch = props.dispatch.clone();
        use_memo((), |()| {
            Callback::from(move |action| dispatch.emit(Action::Batches(action)))
        })
    };
    // The same callback in every rendering, as the parts compare their properties.
    let dispatch = (*dispatch).clone();
    let priced = use_priced(state, &state.batch_rows());
    let several = state.batch_settings().mode != Mode::RealTime;
    let (room, pick) = (state.room, case::use_pick(&props.dispatch));
    let own = html! { <answer::Headline state={state.clone()} dispatch={dispatch.clone()} /> };
    let (headline, settings) = trainer::use_library(state, &props.dispatch, own);
    let has_library = settings.is_some();
    html! {
        <>
            { case::case(state, &props.dispatch, case::lengths(state, &props.files, pick)) }
            { headline }
            <controls::Controls
                state={state.clone()}
                dispatch={dispatch.clone()}
                shared={props.dispatch.clone()}
            />
            <div class="body">
                { rooms::line(state, &props.dispatch) }
                { props.notices.clone() }
                if several && !has_library {
                    <advice::OfTraining state={state.clone()} dispatch={props.dispatch.clone()} />
                } else {
                    { advice::printed(state) }
                }
                if several && room.shows(Tab::Answer) {
                    <div class="pair">
                        <picture::Picture state={state.clone()} dispatch={dispatch.clone()} />
                        if let Some(settings) = settings {
                            { settings }
                        } else {
                            <along::Along state={state.clone()} dispatch={dispatch.clone()} />
                        }
                    </div>
                }
                // Queries one by one are not batched, so there is nothing to draw, and the table is
                // the answer.
                if room.shows(Tab::Compare) || !several && room == Tab::Answer {
                    if let Some(faster) = state.of_faster_samplers(&priced).filter(|_| !has_library) {
                        <p class="small">{ tied(&faster) }</p>
                    }
                    <table::Table
                        state={state.clone()}
                        dispatch={dispatch.clone()}
                        priced={Same(priced)}
                    />
                }
                if several && room.shows(Tab::Compare) {
                    <caps::Caps state={state.clone()} dispatch={dispatch.clone()} />
                    <shapes::Shapes state={state.clone()} {dispatch} />
                    <div class="pair folds">
                        <trainer::Trainer state={state.clone()} dispatch={props.dispatch.clone()} />
                        <notes::Notes />
                    </div>
                }
                { props.speedup.clone() }
            </div>
        </>
    }
}
