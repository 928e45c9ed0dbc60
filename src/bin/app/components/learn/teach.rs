//! For teachers: the parts that a link may hide.

use super::ChapterScene;
use crate::browser;
use crate::components::tied;
use packscope_page::learn::PREDICTIONS;
use packscope_page::state::Action;
use packscope_page::state::learn::Action as Learn;
use yew::prelude::*;

/// Parts of the page that can be hidden, with their labels.
// The style sheet hides parts by these names, which addresses have as well.
const PARTS: [(&str, &str); 10] = [
    ("tabs", "the other views"),
    ("actions", "sharing, keys and colours"),
    ("contents", "the list of chapters"),
    ("notice", "what to notice"),
    ("task", "what to try"),
    (PREDICTIONS, "what to predict; the answers are shown"),
    ("open", "link to the tool"),
    ("sources", "where it is written"),
    ("turn", "previous and next"),
    ("teach", "this list"),
];

/// The list of parts and knobs to hide, folded at first.
pub fn teach(scene: &ChapterScene<'_>, dispatch: &Callback<Action>) -> Html {
    let knobs = scene.chapter.knobs.iter().map(|k| (k.name, k.label));
    let line = |(name, words): (&'static str, &'static str)| {
        let hidden = scene.hides(name);
        let onchange =
            dispatch.reform(move |_: Event| Action::Learn(Learn::Hide(name.to_owned(), !hidden)));
        let id = format!("hide-{name}");
        html! {
            <li>
                <input type="checkbox" id={id.clone()} checked={hidden} {onchange} />
                <label for={id}>{ words }</label>
            </li>
        }
    };
    let of = scene.chapter.notes;
    let notes = [
        ("Aim", of.aim),
        ("A usual answer", of.usual),
        ("For an examination", of.exam),
    ];
    let notes = notes
        .into_iter()
        .map(|(name, text)| html! { <><dt>{ name }</dt><dd>{ tied(text) }</dd></> });
    let print = Callback::from(|_: MouseEvent| {
        // A browser without printing has no sheet.
        let _ = browser::window().print();
    });
    html! {
        <details class="teach">
            <summary>{ "Teach with this page" }</summary>
            <dl>
                { for notes }
            </dl>
            <p>
                <button type="button" class="word" onclick={print}>{ "Print this chapter as a sheet" }</button>
                { ", without the answers to its questions." }
            </p>
            <p>
                { "The address holds the scene as it stands. Arrange it, choose what a class shall not see or move, and share the link." }
            </p>
            <div class="two">
                <div>
                    <h3>{ "Hide" }</h3>
                    <ul>{ for PARTS.into_iter().map(line) }</ul>
                </div>
                <div>
                    <h3>{ "Lock" }</h3>
                    <ul>{ for knobs.map(line) }</ul>
                </div>
            </div>
        </details>
    }
}
