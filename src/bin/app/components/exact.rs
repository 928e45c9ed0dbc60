//! Fields to type into, which keep unfinished text when the page is rendered again.

use packscope::accepts::number;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The text in a field, and the values that may still result from it.
#[derive(Debug, Clone, PartialEq)]
struct TypedText {
    text: String,
    /// The value before typing and every text typed since: the page may still show any of these
    /// after the next key.
    own: Vec<String>,
}

/// Returns the text of a field, and a callback for typed text. Typed text stays while the current
/// value equals it, or equals an earlier value or text, which means that the text is invalid,
/// unfinished or not yet applied. Leaving the field (`None`) shows the current value.
#[hook]
pub fn use_typed(
    now: &str,
    same: impl Fn(&str, &str) -> bool,
) -> (String, Callback<Option<String>>) {
    let redraw = use_force_update();
    // A `RefCell` rather than a state: keys pressed before the next rendering must see each other's
    // text.
    let kept = use_mut_ref(|| None::<TypedText>);
    let mut typed = kept.borrow_mut();
    if let Some(t) = typed.as_mut() {
        if same(&t.text, now) {
            // The page has caught up: values before this one can come only from elsewhere.
            t.own = vec![now.to_owned()];
        } else if !t.own.iter().any(|own| own == now || same(own, now)) {
            // The value was changed elsewhere, so the text is dropped for good.
            *typed = None;
        }
    }
    // Not the current value: a number that was typed as “1.” would lose its point.
    let shown = typed.as_ref().map_or(now, |t| &t.text).to_owned();
    // The callback borrows as well.
    drop(typed);
    let before = now.to_owned();
    let take = move |text: Option<String>| {
        let mut typed = kept.borrow_mut();
        let mut own = typed.take().map_or_else(|| vec![before.clone()], |t| t.own);
        *typed = text.map(|text| {
            own.push(text.clone());
            TypedText { text, own }
        });
        // A rendering even where the page refuses the text and its state stays as it is.
        redraw.force_update();
    };
    (shown, Callback::from(take))
}

/// Returns the text of the field that raised an input event.
pub fn text(e: &InputEvent) -> Option<String> {
    let line = e.target_dyn_into::<HtmlInputElement>().map(|i| i.value());
    line.or_else(|| {
        e.target_dyn_into::<HtmlTextAreaElement>()
            .map(|t| t.value())
    })
}

/// Parses the value of the field that raised an event; `None` if it is not such a number.
pub fn entered<T: std::str::FromStr>(e: &InputEvent) -> Option<T> {
    e.target_dyn_into::<HtmlInputElement>()?
        .value()
        .parse()
        .ok()
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The id, if a separate label names the field.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    #[prop_or(AttrValue::Static("exact"))]
    pub class: AttrValue,
    /// The accessible name, with the unit.
    pub name: AttrValue,
    /// The current number; empty for none.
    pub value: String,
    /// The default, shown while the field is empty.
    #[prop_or_default]
    pub placeholder: AttrValue,
    #[prop_or(1.0)]
    pub min: f64,
    #[prop_or_default]
    pub max: Option<f64>,
    /// The step of the arrow keys.
    #[prop_or(AttrValue::Static("1"))]
    pub step: AttrValue,
    /// Receives the text after every key; text that is not a valid number must change nothing.
    pub typed: Callback<String>,
    /// The explanation of the field, shown on focus.
    #[prop_or_default]
    pub about: Option<AttrValue>,
    /// Called when the field loses the focus, after which it shows the current value again.
    #[prop_or_default]
    pub left: Callback<()>,
    /// The id of the error message, while the text is refused.
    #[prop_or_default]
    pub refused: Option<String>,
}

#[component]
pub fn Exact(props: &Props) -> Html {
    // Equal as numbers: “1e3” stays as it was typed where the page writes 1000.
    let (value, take) = use_typed(&props.value, |a, b| {
        number(a).is_some() && number(a) == number(b)
    });
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
        <input
            id={props.id.clone()}
            type="number"
            class={props.class.to_string()}
            inputmode="decimal"
            min={props.min.to_string()}
            max={props.max.map(|m| m.to_string())}
            step={props.step.clone()}
            placeholder={props.placeholder.clone()}
            aria-label={props.name.clone()}
            aria-invalid={props.refused.is_some().then_some("true")}
            aria-describedby={props.refused.clone()}
            data-why={props.about.is_some().then_some("")}
            aria-description={props.about.clone()}
            {value}
            {oninput}
            {onblur}
        />
    }
}
