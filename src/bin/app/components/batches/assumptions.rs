//! What the estimate of time is made of.

use super::controls::Props;
use crate::components::exact::Exact;
use crate::components::slider::whole;
use packscope::api::batch::Settings;
use packscope::cost::StepCost;
use packscope::state::batches::Action;
use yew::prelude::*;

/// The width of the model, and what a step costs however small it is.
pub fn cost(props: &Props, settings: &Settings) -> Html {
    let now = settings.cost;
    let width = whole(&props.dispatch.reform(move |width| Action::Cost(StepCost { width, ..now })));
    let step = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |text: String| {
            if let Some(step_slots) = text.parse().ok().filter(|s: &f64| s.is_finite() && *s >= 0.0) {
                dispatch.emit(Action::Cost(StepCost { step_slots, ..now }));
            }
        })
    };
    html! {
        <fieldset class="control plain">
            <legend>{ "Estimate: assumptions" }</legend>
            <div class="line">
                <label for="model">{ "Model width h" }</label>
                <Exact id="model" name="Model width" value={now.width.to_string()} typed={width} />
            </div>
            <div class="line">
                <label for="step">{ "Step overhead, slots" }</label>
                <Exact id="step" name="Step overhead, slots" min={0} step="any" value={now.step_slots.to_string()} typed={step} />
            </div>
            <p class="hint">{ "Time of a batch: slots × (1 + longest / 6h), and the overhead." }</p>
        </fieldset>
    }
}
