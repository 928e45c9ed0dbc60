//! Fields that are typed into: what is half typed stays as it is, whatever else happens on the page.

use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What is typed, and what is in force because of it.
#[derive(Debug, Clone, PartialEq)]
struct Typed {
    text: String,
    /// What was in force at first, and all that was typed since: the page may come to show any of these after the next
    /// key was pressed.
    own: Vec<String>,
}

/// What a field shows, and what takes what is typed. The text that is typed stays as long as what is in force is what
/// it says, or what was in force or typed before it: then it is refused, half typed, or not gone through yet. Leaving
/// the field (`None`) shows what is in force.
#[hook]
pub fn use_typed(now: &str, same: impl Fn(&str, &str) -> bool) -> (String, Callback<Option<String>>) {
    let redraw = use_force_update();
    // Not a state: keys that are pressed before the page is drawn again must know of each other.
    let kept = use_mut_ref(|| None::<Typed>);
    let mut typed = kept.borrow_mut();
    if let Some(t) = typed.as_mut() {
        if same(&t.text, now) {
            t.own = vec![now.to_owned()];
        } else if !t.own.iter().any(|own| own == now || same(own, now)) {
            // Something else has overtaken the text: it does not come back.
            *typed = None;
        }
    }
    let shown = typed.as_ref().map_or(now, |t| &t.text).to_owned();
    drop(typed);
    let before = now.to_owned();
    let take = move |text: Option<String>| {
        let mut typed = kept.borrow_mut();
        let mut own = typed.take().map_or_else(|| vec![before.clone()], |t| t.own);
        *typed = text.map(|text| {
            own.push(text.clone());
            Typed { text, own }
        });
        redraw.force_update();
    };
    (shown, Callback::from(take))
}

/// The text of a field that was typed into.
pub fn text(e: &InputEvent) -> Option<String> {
    let line = e.target_dyn_into::<HtmlInputElement>().map(|i| i.value());
    line.or_else(|| e.target_dyn_into::<HtmlTextAreaElement>().map(|t| t.value()))
}

/// The value of an input that was changed, as a number.
pub fn number<T: std::str::FromStr>(e: &InputEvent) -> Option<T> {
    e.target_dyn_into::<HtmlInputElement>()?.value().parse().ok()
}

/// Properties of [`Exact`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Its id, where a label of its own names it.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// How it looks.
    #[prop_or(AttrValue::Static("exact"))]
    pub class: AttrValue,
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
    /// What it is, told where the focus is.
    #[prop_or_default]
    pub about: Option<AttrValue>,
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
        <input id={props.id.clone()} type="number" class={props.class.to_string()} inputmode="decimal" min={props.min.to_string()} max={props.max.map(|m| m.to_string())}
            step={props.step.clone()} placeholder={props.placeholder.clone()} aria-label={props.name.clone()} aria-invalid={props.refused.is_some().then_some("true")}
            aria-describedby={props.refused.clone()} data-why={props.about.is_some().then_some("")} aria-description={props.about.clone()} {value} {oninput} {onblur} />
    }
}
