//! The assignment of the items of the visitor's file to packs.

use super::subject::ExportSubject;
use crate::files::AssignRequest;
use packscope::export::Form;
use yew::prelude::*;

/// A list item with the buttons that save the assignment; nothing without a plan.
pub fn assignment(subject: &ExportSubject, assign: &Callback<AssignRequest>) -> Html {
    let Ok(plan) = &subject.plan else {
        return html! {};
    };
    let items = subject.items;
    let button = |form: Form, words: &'static str| {
        let name = subject.file(&format!("assignment.{}", form.name()));
        let (file, label) = (name.clone(), format!("Save as {words}: {name}"));
        let plan = plan.clone();
        let onclick = assign.reform(move |_: MouseEvent| AssignRequest {
            plan: plan.json(),
            form,
            name: name.clone(),
            items,
        });
        html! {
            <button type="button" class="word" aria-label={label} data-file={file} {onclick}>
                { words }
            </button>
        }
    };
    html! {
        <div class="panel files">
            <ul>
                <li>
                    <span>{ "Assignment" }</span>
                    { button(Form::Csv, "CSV") }
                    { button(Form::Npy, "npy") }
                    <span class="hint">
                        { "the pack, place and offset of each item of your file, in its order; items are numbered from 0" }
                    </span>
                </li>
            </ul>
        </div>
    }
}
