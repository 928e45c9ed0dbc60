//! Prose: text with numbers to drag, figures, terms and links.

use super::ChapterScene;
use super::scrub::Scrub;
use crate::components::tied;
use packscope_page::learn::glossary::Term;
use packscope_page::learn::prose::{ProsePiece, pieces};
use packscope_page::learn::{Chapter, KnobKind};
use yew::prelude::*;

/// Draws a text in markup.
pub fn prose(text: &str, scene: &ChapterScene<'_>) -> Html {
    pieces(text)
        .into_iter()
        .map(|piece| piece_view(&piece, scene))
        .collect()
}

fn piece_view(piece: &ProsePiece<'_>, scene: &ChapterScene<'_>) -> Html {
    match *piece {
        ProsePiece::Words(words) => html! { { tied(words) } },
        ProsePiece::Grey(words) => html! { <mark>{ tied(words) }</mark> },
        ProsePiece::Bold(words) => html! { <b>{ tied(words) }</b> },
        ProsePiece::Figure { name, value, shown } => html! {
            <span data-figure={name.to_owned()} data-value={value.to_owned()}>{ tied(shown) }</span>
        },
        ProsePiece::Term { words, term } => match Term::named(term) {
            Some(term) => crate::components::explained::term(words, term),
            None => html! { { words.to_owned() } },
        },
        ProsePiece::Chapter { words, id } => {
            let address = format!("#{}", Chapter::named(id).address());
            html! { <a href={address}>{ words.to_owned() }</a> }
        }
        ProsePiece::Knob(name) => number(name, scene),
    }
}

/// Draws a number to drag, or a plain one if a teacher's link hides its knob.
pub fn number(name: &str, scene: &ChapterScene<'_>) -> Html {
    let Some(knob) = scene.chapter.knob(name) else {
        return Html::default();
    };
    let KnobKind::Number { step, shown, .. } = knob.kind else {
        return Html::default();
    };
    let value = scene.here.number(name);
    if scene.hides(name) {
        return html! { <b>{ shown(value) }</b> };
    }
    html! {
        <Scrub
            name={knob.name}
            label={knob.label}
            range={knob.range()}
            {step}
            {value}
            shown={shown(value)}
            moves={scene.moves.clone()}
        />
    }
}
