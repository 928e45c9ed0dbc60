//! Prose: text with numbers to drag, figures, terms and links.

use super::Scene;
use super::scrub::Scrub;
use crate::components::tied;
use packscope_page::learn::glossary::Term;
use packscope_page::learn::prose::{Piece, pieces};
use packscope_page::learn::{Chapter, Kind};
use yew::prelude::*;

/// Draws a text in markup.
pub fn prose(text: &str, scene: &Scene<'_>) -> Html {
    pieces(text).into_iter().map(|piece| shown(&piece, scene)).collect()
}

fn shown(piece: &Piece<'_>, scene: &Scene<'_>) -> Html {
    match *piece {
        Piece::Words(words) => html! { { tied(words) } },
        Piece::Grey(words) => html! { <mark>{ tied(words) }</mark> },
        Piece::Bold(words) => html! { <b>{ tied(words) }</b> },
        Piece::Figure { name, value, shown } => html! {
            <span data-figure={name.to_owned()} data-value={value.to_owned()}>{ tied(shown) }</span>
        },
        Piece::Term { words, term } => match Term::named(term) {
            Some(term) => crate::components::explained::term(words, term),
            None => html! { { words.to_owned() } },
        },
        Piece::Chapter { words, id } => {
            let address = format!("#{}", Chapter::named(id).address());
            html! { <a href={address}>{ words.to_owned() }</a> }
        }
        Piece::Knob(name) => number(name, scene),
    }
}

/// Draws a number to drag, or a plain one if a teacher's link hides its knob.
fn number(name: &str, scene: &Scene<'_>) -> Html {
    let Some(knob) = scene.chapter.knob(name) else { return Html::default() };
    let Kind::Number { step, shown, .. } = knob.kind else { return Html::default() };
    let value = scene.here.number(name);
    if scene.hides(name) {
        return html! { <b>{ shown(value) }</b> };
    }
    html! {
        <Scrub name={knob.name} label={knob.label} range={knob.range()} {step} {value} shown={shown(value)} moves={scene.moves.clone()} />
    }
}
