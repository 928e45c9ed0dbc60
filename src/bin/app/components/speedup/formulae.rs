//! The formulae of an estimate, with the current numbers substituted.

use super::PartProps;
use crate::components::fold::{Fold, use_fold};
use packscope_page::state::speedup::formulae::{FormulaLine, FormulaPart, LEFT_OUT};
use yew::prelude::*;

/// The panel of formulae, rendered when opened.
#[component]
pub fn Formulae(props: &PartProps) -> Html {
    let Fold { open, ontoggle } = use_fold("formulae");
    html! {
        <details class="panel formulae" id="formulae" {open} {ontoggle}>
            <summary>
                <h2>{ "How is this computed?" }</h2>
            </summary>
            if open {
                {
                    for props
                        .state
                        .formulae(&props.cases)
                        .into_iter()
                        .flatten()
                        .map(|part| section(&part))
                }
                <h3>{ "What the model leaves out" }</h3>
                <ul class="small">
                    { for LEFT_OUT.iter().map(|what| html! { <li>{ *what }</li> }) }
                </ul>
            }
        </details>
    }
}

fn section(part: &FormulaPart) -> Html {
    html! {
        <>
            <h3>{ &part.title }</h3>
            <dl class="steps">{ for part.lines.iter().map(line) }</dl>
        </>
    }
}

fn line(line: &FormulaLine) -> Html {
    // A formula that consists of a number is shown once.
    let both = line.formula != line.numbers;
    html! {
        <div>
            <dt>{ &line.name }</dt>
            <dd>
                if both {
                    <span class="words">{ &line.formula }</span>
                }
                <span class="numbers">
                    { format!("= {} = ", line.numbers) }
                    <b data-value={line.value.to_string()}>{ &line.result }</b>
                </span>
                if let Some(note) = &line.note {
                    <span class="words">{ note }</span>
                }
            </dd>
        </div>
    }
}
