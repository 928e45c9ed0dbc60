//! A number on which an estimate depends: a field with its unit, marked if changed.

use crate::components::exact::Exact;
use crate::components::list;
use packscope::cost::{CostField, FieldUnit};
use packscope::words::capital;
use packscope_page::state::speedup::{Action, words};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The id in [`FIELDS`](packscope::cost::fields::FIELDS).
    pub id: &'static str,
    pub now: f64,
    /// The value from the chosen presets.
    pub usual: f64,
    pub dispatch: Callback<Action>,
    /// Whether the description is shown below the field.
    #[prop_or_default]
    pub about: bool,
}

#[component]
pub fn Number(props: &Props) -> Html {
    let wrong = use_state_eq(|| None::<String>);
    let Some(field) = CostField::named(props.id) else {
        return Html::default();
    };
    let (now, usual) = (props.now, props.usual);
    let (id, (unit, scale)) = (format!("cost-{}", field.id), field.unit.displayed_unit());
    // A description below the field is not repeated as an explanation.
    let about = (!props.about).then_some(AttrValue::Static(field.about()));
    let why = about.is_some().then_some("");
    let input = match field.unit {
        FieldUnit::Switch => switch(props, field, &id),
        FieldUnit::Choice(names) => choice(props, field, &id, names),
        _ => {
            let typed = take(props, field, wrong.setter());
            // Leaving the field shows the value in force again, about which there is no error.
            let left = Callback::from({
                let set = wrong.setter();
                move |()| set.set(None)
            });
            let name = format!("{}, {unit}", capital(field.label))
                // Some numbers have no unit.
                .trim_end_matches([',', ' '])
                .to_owned();
            let [min, max] = field.range.map(|end| end / scale);
            let (step, value) = (
                if field.whole { "1" } else { "any" },
                words::typed_value(field, now),
            );
            let refused = wrong.is_some().then(|| format!("{id}-wrong"));
            html! {
                <>
                    <Exact
                        id={id.clone()}
                        {name}
                        about={about.clone()}
                        {min}
                        max={max}
                        {step}
                        {value}
                        {typed}
                        {left}
                        {refused}
                    />
                    <span class="unit">{ unit }</span>
                </>
            }
        }
    };
    let changed = now != usual;
    let back = props.dispatch.reform(move |_| Action::Set(field.id, usual));
    html! {
        <div
            class="assumption"
            data-changed={changed.to_string()}
            data-why={why}
            aria-description={about.clone()}
        >
            <div class="line">
                <label for={id.clone()}>{ capital(field.label) }</label>
                <span class="typed">{ input }</span>
            </div>
            if let Some(wrong) = &*wrong {
                <p class="small wrong" id={format!("{id}-wrong")} role="alert">{ wrong }</p>
            }
            if changed {
                <p class="small">
                    <b class="needle">{ "changed" }</b>
                    { ", was " }
                    <button type="button" class="word" onclick={back}>
                        { words::value_with_unit(field, usual) }
                    </button>
                </p>
            }
            if props.about {
                <p class="hint">{ field.about() }</p>
            }
        </div>
    }
}

/// Returns a callback for typed text: a valid value changes the field, any other sets the error
/// message.
fn take(
    props: &Props,
    field: &'static CostField,
    wrong: UseStateSetter<Option<String>>,
) -> Callback<String> {
    let dispatch = props.dispatch.clone();
    Callback::from(move |text: String| match words::typed(field, &text) {
        Ok(value) => {
            wrong.set(None);
            dispatch.emit(Action::Set(field.id, value));
        }
        Err(expected) => wrong.set(Some(expected)),
    })
}

fn switch(props: &Props, field: &'static CostField, id: &str) -> Html {
    let onchange = props.dispatch.reform(move |e: Event| {
        let on = e
            .target_dyn_into::<HtmlInputElement>()
            .is_some_and(|i| i.checked());
        Action::Set(field.id, f64::from(u8::from(on)))
    });
    let on = props.now == 1.0;
    html! { <input id={id.to_owned()} type="checkbox" checked={on} {onchange} /> }
}

fn choice(
    props: &Props,
    field: &'static CostField,
    id: &str,
    names: &'static [&'static str],
) -> Html {
    let set = props.dispatch.reform(move |chosen: String| {
        // A choice is kept as its place in the list, as all fields are numbers.
        let place = names
            .iter()
            .position(|name| *name == chosen)
            .unwrap_or_default();
        Action::Set(field.id, place as f64)
    });
    let now = names.get(props.now as usize);
    let all = names
        .iter()
        .map(|name| ((*name).into(), (*name).into(), Some(name) == now));
    list(id.to_owned(), all, &set)
}

/// The [`Number`] of a field, with its values from the state; nothing if no field has this id.
pub fn number(props: &super::PartProps, id: &'static str, about: bool) -> Html {
    let speedup = &props.state.speedup;
    let Some(field) = CostField::named(id) else {
        return Html::default();
    };
    let [now, usual] = [speedup.assumptions(), &speedup.usual()].map(field.get);
    // The key keeps typed text and its error with their field when fields come and go.
    html! { <Number key={id} {id} {now} {usual} {about} dispatch={props.dispatch.clone()} /> }
}
