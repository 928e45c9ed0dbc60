//! The settings of shapes: their number, multiples, slots of a batch, and lengths of one's own.

use crate::components::exact::{Exact, text, use_typed};
use crate::components::filtered;
use crate::components::slider::{Slider, optional, slider};
use crate::shared::{Same, SharedState};
use packscope::api::fields::SettingField;
use packscope::api::fields::shapes::{GIVEN, MULTIPLE, SHAPES, TOKENS};
use packscope::api::shapes::{GivenShapes, SHOWN, Settings};
use packscope::shapes::{ShapeMethod, parse};
use packscope::words::{capital, count, plural};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub set: Callback<Settings>,
    pub given: Option<Same<GivenShapes>>,
    /// The reason why the given lengths cannot be judged.
    pub refused: Option<String>,
}

#[component]
pub fn Controls(props: &Props) -> Html {
    let now = props.state.shapes();
    let changed = |field: &'static SettingField<Settings>| {
        let now = now.clone();
        filtered(&props.set, move |text: String| {
            let mut next = now.clone();
            field.value.set(&mut next, &text).then_some(next)
        })
    };
    let tokens = {
        let now = now.clone();
        optional(&props.set.reform(move |tokens| Settings {
            tokens,
            ..now.clone()
        }))
    };
    let moved = {
        let now = now.clone();
        props.set.reform(move |shapes| Settings {
            shapes,
            ..now.clone()
        })
    };
    let number = slider(Slider {
        id: SHAPES.value.id,
        label: SHAPES.label.to_owned(),
        unit: SHAPES.unit.to_owned(),
        value: now.shapes.to_string(),
        most: SHAPES.largest_accepted(),
        at: (now.shapes.min(SHOWN), [1, SHOWN]),
        // Evenly spaced on a slider that ends at `SHOWN`.
        marks: [1, 16, 32, 48, 64].map(count).to_vec(),
        typed: changed(&SHAPES),
        moved,
    });
    let unit = props.state.sequences.unit();
    html! {
        <div class="few-set">
            <div>
                <p class="small">
                    { "Where every length is compiled by itself (XLA, HPU graphs, CUDA graphs, torch.compile), sequences are padded to a few. These are the ones that waste least, provably, beside the usual ways to choose." }
                </p>
                { number }
            </div>
            <div class="beneath">
                <div class="line">
                    <label for="shapes-multiple">{ MULTIPLE.label }</label>
                    <Exact
                        id="shapes-multiple"
                        name={format!("{}, {unit}", MULTIPLE.label)}
                        value={now.multiple.to_string()}
                        typed={changed(&MULTIPLE)}
                        about={MULTIPLE.about}
                    />
                </div>
                <div class="line">
                    <label for="shapes-tokens">{ TOKENS.label }</label>
                    <Exact
                        id="shapes-tokens"
                        name={format!("{}, {unit}", TOKENS.label)}
                        value={now.tokens.map(|tokens| tokens.to_string()).unwrap_or_default()}
                        placeholder={count(props.state.shape_slots())}
                        typed={tokens}
                        about={TOKENS.about}
                    />
                </div>
            </div>
            <Own ..props.clone() />
        </div>
    }
}

/// A text area for lengths of one's own, as they are in the settings of a library.
#[component]
fn Own(props: &Props) -> Html {
    let now = props.state.shapes();
    let (typed, take) = use_typed(&(GIVEN.value.get)(&now), |a, b| {
        // An empty field is no list that could be parsed, and equals having none.
        a.trim().is_empty() && b.is_empty()
            || parse(a).is_ok_and(|a| parse(b).is_ok_and(|b| a == b))
    });
    let outcome = parse(&typed).map_err(|error| error.to_string());
    let wrong = outcome
        .err()
        .filter(|_| !typed.trim().is_empty())
        // A refusal is about the last list that could be read, so an error in the text comes first.
        .or_else(|| props.refused.clone());
    let oninput = {
        let (set, now) = (props.set.clone(), now.clone());
        Callback::from(move |e: InputEvent| {
            let Some(text) = text(&e) else { return };
            if text.trim().is_empty() {
                // Without a method the given lengths are in use, of which there are none now.
                let method = now.method.or(Some(ShapeMethod::Best));
                set.emit(Settings {
                    given: Vec::new(),
                    method,
                    ..now.clone()
                });
            } else if let Ok(given) = parse(&text) {
                set.emit(Settings {
                    given,
                    method: None,
                    ..now.clone()
                });
            }
            take.emit(Some(text));
        })
    };
    let said = match (props.given.as_deref(), wrong) {
        (_, Some(wrong)) => html! { <span class="needle">{ capital(&wrong) }{ "." }</span> },
        (Some(given), None) if given.added > 0 => html! {
            { format!("The longest is added: {} longer than all of these.", match given.added {
                1 => "a sequence is".to_owned(),
                n => format!("{} are", plural(n, "sequence")),
            }) }
        },
        _ => {
            html! {
                "128,256,512, a list in JSON or YAML, or bucket_duration_bins=[128,256], pasted as it is."
            }
        }
    };
    let invalid = parse(&typed).is_err() && !typed.trim().is_empty();
    html! {
        <div class="own">
            <label for="shapes-given">{ GIVEN.label }</label>
            <textarea
                id="shapes-given"
                class="field lines"
                rows="2"
                spellcheck="false"
                aria-invalid={invalid.to_string()}
                aria-describedby="shapes-said"
                value={typed}
                {oninput}
            />
            <small id="shapes-said" role="status">{ said }</small>
        </div>
    }
}
