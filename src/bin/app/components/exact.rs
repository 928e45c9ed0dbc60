//! Fields that are typed into: what is half typed stays as it is, whatever else happens on the page.

use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What is typed, and what was in force when it was.
#[derive(Debug, Clone, PartialEq)]
struct Typed {
    text: String,
    before: String,
}

/// What a field shows, and what takes what is typed. The text that is typed stays as long as it says what is in force,
/// or what is in force has not changed since: then it is refused, or half typed. Leaving the field (`None`) shows
/// what is in force.
#[hook]
pub fn use_typed(now: &str, same: impl Fn(&str, &str) -> bool) -> (String, Callback<Option<String>>) {
    let typed = use_state_eq(|| None::<Typed>);
    let text = typed.as_ref().filter(|t| t.before == now || same(&t.text, now)).map(|t| t.text.clone());
    let set = typed.setter();
    {
        // Text that something else has overtaken does not come back.
        let (set, overtaken) = (set.clone(), typed.is_some() && text.is_none());
        use_effect_with(overtaken, move |overtaken| {
            if *overtaken {
                set.set(None);
            }
        });
    }
    let before = now.to_owned();
    let take = move |text: Option<String>| set.set(text.map(|text| Typed { text, before: before.clone() }));
    (text.unwrap_or_else(|| now.to_owned()), Callback::from(take))
}

/// The text of a field that was typed into.
pub fn text(e: &InputEvent) -> Option<String> {
    let line = e.target_dyn_into::<HtmlInputElement>().map(|i| i.value());
    line.or_else(|| e.target_dyn_into::<HtmlTextAreaElement>().map(|t| t.value()))
}

/// Properties of [`Exact`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Its id, where a label of its own names it.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// What it is, with its unit, for those who do not see what stands beside it.
    pub name: AttrValue,
    /// The number in force; empty for none.
    pub value: String,
    /// What is used where it is empty.
    #[prop_or_default]
    pub placeholder: AttrValue,
    /// The least number.
    #[prop_or(1.0)]
    pub min: f64,
    /// The largest.
    #[prop_or_default]
    pub max: Option<f64>,
    /// By how much the arrow keys change it.
    #[prop_or(AttrValue::Static("1"))]
    pub step: AttrValue,
    /// Takes every text that is typed; what is no such number changes nothing.
    pub typed: Callback<String>,
    /// The field is left: what is in force is shown again.
    #[prop_or_default]
    pub left: Callback<()>,
    /// The id of what says that a text is refused, while it is.
    #[prop_or_default]
    pub refused: Option<String>,
}

/// A number, exactly.
#[component]
pub fn Exact(props: &Props) -> Html {
    let number = |text: &str| text.parse::<f64>().ok();
    let (value, take) = use_typed(&props.value, |a, b| number(a).is_some() && number(a) == number(b));
    let oninput = {
        let (typed, take) = (props.typed.clone(), take.clone());
        Callback::from(move |e: InputEvent| {
            if let Some(text) = text(&e) {
                take.emit(Some(text.clone()));
                typed.emit(text);
            }
        })
    };
    let onblur = {
        let left = props.left.clone();
        Callback::from(move |_: FocusEvent| {
            take.emit(None);
            left.emit(());
        })
    };
    html! {
        <input id={props.id.clone()} type="number" class="exact" inputmode="decimal" min={props.min.to_string()} max={props.max.map(|m| m.to_string())}
            step={props.step.clone()} placeholder={props.placeholder.clone()} aria-label={props.name.clone()} aria-invalid={props.refused.is_some().then_some("true")}
            aria-describedby={props.refused.clone()} {value} {oninput} {onblur} />
    }
}
