//! The weights of a weighted sum.

use crate::components::controls::number;
use packscope::packing::tuple::Heuristic;
use packscope::state::graphs::Words;
use packscope::words::capital;
use yew::prelude::*;

/// A field for each weight; what is no weight, perhaps because it is half typed, changes nothing.
pub fn weights(now: [f64; 3], words: &Words, set: &Callback<Heuristic>) -> Html {
    let field = |k: usize| {
        let set = set.clone();
        let oninput = Callback::from(move |e: InputEvent| {
            let mut weights = now;
            let Some(weight) = number::<f64>(&e).filter(|w| w.is_finite() && *w >= 0.0) else { return };
            weights[k] = weight;
            if weights.iter().any(|w| *w > 0.0) {
                set.emit(Heuristic::Weighted(weights));
            }
        });
        let label = format!("Weight of {}", words.components[k]);
        html! { <input class="field" type="number" min="0" step="any" id={format!("weight-{}", k + 1)} aria-label={label} value={now[k].to_string()} {oninput} /> }
    };
    html! {
        <span class="weights" role="group" aria-label="Weights" title={format!("{} : {}", capital(words.short(0)), words.short(1))}>
            { field(0) }{ ":" }{ field(1) }
        </span>
    }
}
