//! The parts of a chapter, one after another.

use super::ends::EndRows;
use super::figure::Drawing;
use super::guess::Question;
use super::packs::PackRows;
use super::player::Player;
use super::prose::prose;
use super::{ChapterScene, mover};
use crate::components::{choice, tied};
use crate::shared::Same;
use packscope::order::Map;
use packscope_page::learn::{ChapterPart, ChapterTable, Guess, KnobKind, PREDICTIONS};
use std::rc::Rc;
use yew::prelude::*;

/// Draws the parts. Each has a key, so that inserting one leaves the elements of the others, and
/// the focus, in place.
pub fn parts(parts: &[ChapterPart], scene: &ChapterScene<'_>) -> Html {
    let mut seen = Map::<&str, u32>::new();
    let keyed = |p: &ChapterPart| {
        let kind = kind(p);
        let n = seen.entry(kind).or_default();
        *n += 1;
        html! { <key={format!("{kind} {n}")}>{ part(p, scene) }</> }
    };
    parts.iter().map(keyed).collect()
}

fn kind(part: &ChapterPart) -> &'static str {
    match part {
        ChapterPart::Text(_) => "text",
        ChapterPart::Title(_) => "title",
        ChapterPart::Words(knob) | ChapterPart::Player(knob, ..) => knob,
        ChapterPart::Figure(_) => "figure",
        ChapterPart::Ends(_) => "ends",
        ChapterPart::Packs(_) => "packs",
        ChapterPart::Table(_) => "table",
        ChapterPart::Guess(guess) => guess.id,
        ChapterPart::Aside(..) => "remark",
        ChapterPart::Code(..) => "code",
        ChapterPart::Beside(..) => "beside",
    }
}

/// Draws a part.
pub fn part(part: &ChapterPart, scene: &ChapterScene<'_>) -> Html {
    let theme = scene.theme;
    match part {
        ChapterPart::Text(text) => html! { <p>{ prose(text, scene) }</p> },
        ChapterPart::Title(text) => html! { <h2>{ prose(text, scene) }</h2> },
        ChapterPart::Words(knob) => words(knob, scene),
        ChapterPart::Figure(figure) => {
            let figure = Same(Rc::new(figure.clone()));
            html! { <Drawing {figure} {theme} moves={scene.moves.clone()} /> }
        }
        ChapterPart::Ends(ends) => {
            let lengths = scene.here.numbers(ends.knob);
            let range = scene
                .chapter
                .knob(ends.knob)
                .map_or([1, ends.slots], |k| k.range());
            let fixed = scene.hides(ends.knob);
            html! {
                <EndRows
                    ends={ends.clone()}
                    {lengths}
                    {range}
                    {fixed}
                    moves={scene.moves.clone()}
                />
            }
        }
        ChapterPart::Packs(packs) => {
            let mut packs = packs.clone();
            // Packs of a locked knob are only looked at.
            packs.knob = packs.knob.filter(|knob| !scene.hides(knob));
            html! { <PackRows {packs} moves={scene.moves.clone()} /> }
        }
        ChapterPart::Table(t) => table(t, scene),
        ChapterPart::Player(knob, ..) if scene.hides(knob) => Html::default(),
        ChapterPart::Player(knob, last, step, first) => {
            // Another knob may have made the run shorter than where it stood.
            let at = scene.here.number(knob).min(*last);
            html! {
                <Player
                    knob={*knob}
                    {at}
                    last={*last}
                    step={*step}
                    first={*first}
                    moves={scene.moves.clone()}
                />
            }
        }
        ChapterPart::Guess(_) if scene.hides(PREDICTIONS) => Html::default(),
        ChapterPart::Guess(guess) => question(guess, scene),
        ChapterPart::Aside(about, text) => html! {
            <details class="remark">
                <summary>{ *about }</summary>
                <p>{ prose(text, scene) }</p>
            </details>
        },
        // Wide lines are scrolled to by key, too.
        ChapterPart::Code(about, code, open) => html! {
            <details class="remark" open={*open}>
                <summary>{ *about }</summary>
                <pre tabindex="0"><code>{ code.trim_end().to_owned() }</code></pre>
            </details>
        },
        ChapterPart::Beside(left, right) => html! {
            <div class="aside">
                <div>{ parts(left, scene) }</div>
                <div>{ parts(right, scene) }</div>
            </div>
        },
    }
}

/// A question to predict the answer of.
fn question(guess: &Guess, scene: &ChapterScene<'_>) -> Html {
    let prediction = scene.here.prediction(guess.id);
    // The document contains nothing of the answer before the reader has committed to a prediction.
    let reveal = prediction.map_or_else(Html::default, |prediction| {
        let verdict = guess.verdict(prediction);
        html! {
            <>
                { prose(&guess.reveal, scene) }
                { " " }
                <b>{ tied(&verdict) }</b>
            </>
        }
    });
    let asked = prose(&guess.question, scene);
    let guess = guess.clone();
    html! { <Question {guess} {asked} {reveal} {prediction} predicts={scene.predicts.clone()} /> }
}

fn words(name: &str, scene: &ChapterScene<'_>) -> Html {
    let Some(knob) = scene.chapter.knob(name).filter(|_| !scene.hides(name)) else {
        return Html::default();
    };
    let KnobKind::Words(words) = knob.kind else {
        return Html::default();
    };
    let at = scene.here.number(name) as usize;
    let option = |(i, word): (usize, &&'static str)| {
        let onclick = mover(scene.moves, knob.name, move |_: MouseEvent| {
            Some(vec![i as u32])
        });
        (*word, i == at, onclick)
    };
    let options: Vec<_> = words.iter().enumerate().map(option).collect();
    html! {
        <p class="words" data-knob={knob.name}>
            <span>{ knob.label }</span>
            { choice(knob.label, &options) }
        </p>
    }
}

fn table(table: &ChapterTable, scene: &ChapterScene<'_>) -> Html {
    let row = |(i, cells): (usize, &Vec<String>)| {
        let class = (table.chosen == Some(i)).then_some("chosen");
        html! {
            <tr {class}>
                { for cells.iter().enumerate().map(|(k, cell)| if k == 0 {
                    html! { <th scope="row">{ prose(cell, scene) }</th> }
                } else {
                    html! { <td>{ prose(cell, scene) }</td> }
                }) }
            </tr>
        }
    };
    // By key, too, one comes to columns beyond the window.
    let is_wide = table.head.len() > 5;
    html! {
        <div
            class="scroll"
            tabindex={is_wide.then_some("0")}
            role={is_wide.then_some("region")}
            aria-label={is_wide.then(|| format!("Columns of {}", table.label))}
        >
            <table class="compare still" aria-label={table.label.clone()}>
                <thead>
                    <tr>{ for table.head.iter().map(|name| head(name, scene)) }</tr>
                </thead>
                <tbody>{ for table.rows.iter().enumerate().map(row) }</tbody>
            </table>
        </div>
    }
}

/// The head of a column; an empty cell in the corner above the row names.
fn head(name: &str, scene: &ChapterScene<'_>) -> Html {
    if name.is_empty() {
        return html! { <td /> };
    }
    html! { <th scope="col">{ prose(name, scene) }</th> }
}
