//! The weights of a weighted sum.

use crate::components::exact::Exact;
use crate::components::filtered;
use crate::components::slider::real;
use packscope::ingest::ItemWords;
use packscope::packing::tuple::Heuristic;
use yew::prelude::*;

/// Draws a field for each weight; invalid text, such as an unfinished number, changes nothing.
pub fn weights(now: [f64; 3], words: &ItemWords, set: &Callback<Heuristic>) -> Html {
    let field = |k: usize| {
        let changed = filtered(set, move |weight| {
            let mut weights = now;
            weights[k] = weight;
            weights
                .iter()
                .any(|w| *w > 0.0)
                .then_some(Heuristic::Weighted(weights))
        });
        let typed = real(0.0.., &changed);
        let label = format!("Weight of {}", words.components[k]);
        html! {
            <Exact
                class="field"
                id={format!("weight-{}", k + 1)}
                about={label.clone()}
                name={label}
                min=0.0
                step="any"
                value={now[k].to_string()}
                {typed}
            />
        }
    };
    html! {
        <span class="weights" role="group" aria-label="Weights">
            { field(0) }
            { ":" }
            { field(1) }
        </span>
    }
}
