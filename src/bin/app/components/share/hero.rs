//! One epoch, to scale, on a full screen, with the limit to move.

use super::HeroProps;
use crate::components::answer::sentence_of;
use crate::components::epoch::Epoch;
use crate::components::settings::limit_of;
use crate::components::stage::Stage;
use packscope::api::fields::sequences::LIMIT;
use packscope_page::state::Action;
use yew::prelude::*;

/// CSS pixels of the width that is enlarged: that of both columns of rows.
const WIDE: f64 = 790.0;
/// Steps from the least limit to the largest.
const STEPS: u32 = 32;

#[component]
pub fn Hero(props: &HeroProps) -> Html {
    let state = &props.state;
    let (value, most) = (
        state.sequences.settings.limit,
        state.sequences.largest_limit(),
    );
    let set = props.dispatch.reform(Action::Limit);
    let onkey = {
        let set = set.clone();
        let step = (most / STEPS).max(1);
        Callback::from(move |e: KeyboardEvent| {
            let to = match e.key().as_str() {
                "ArrowRight" => value.saturating_add(step).min(most.max(value)),
                "ArrowLeft" => value.saturating_sub(step).max(1),
                _ => return,
            };
            e.prevent_default();
            if to != value {
                set.emit(to);
            }
        })
    };
    let foot = html! { <span>{ format!("← → {}", LIMIT.label) }</span> };
    html! {
        <Stage label="One epoch, full screen" content="epoch" wide={WIDE} {onkey} onclose={&props.onclose} {foot}>
            <h1>{ sentence_of(state) }</h1>
            <div class="of-epoch">
                <Epoch state={state.clone()} />
                { limit_of("screen-limit", LIMIT.label, state.sequences.unit(), (value, most), &set) }
            </div>
        </Stage>
    }
}
