//! The weights of a weighted sum.

use crate::components::exact::Exact;
use packscope::packing::tuple::Heuristic;
use packscope::state::graphs::Words;
use yew::prelude::*;

/// A field for each weight; text that is no weight, perhaps half typed, changes nothing.
pub fn weights(now: [f64; 3], words: &Words, set: &Callback<Heuristic>) -> Html {
    let field = |k: usize| {
        let set = set.clone();
        let typed = Callback::from(move |text: String| {
            let mut weights = now;
            let weight = text.parse::<f64>().ok().filter(|w| w.is_finite() && *w >= 0.0);
            let Some(weight) = weight else { return };
            weights[k] = weight;
            if weights.iter().any(|w| *w > 0.0) {
                set.emit(Heuristic::Weighted(weights));
            }
        });
        let label = format!("Weight of {}", words.components[k]);
        html! { <Exact class="field" id={format!("weight-{}", k + 1)} about={label.clone()} name={label} min={0.0} step="any" value={now[k].to_string()} {typed} /> }
    };
    html! {
        <span class="weights" role="group" aria-label="Weights">
            { field(0) }{ ":" }{ field(1) }
        </span>
    }
}
