//! The exercise of a chapter, the link to the tool, and the sources.

use super::ChapterScene;
use super::prose::prose;
use crate::components::tied;
use crate::{browser, jump};
use packscope::words::capital;
use packscope_page::learn::{ChapterView, Condition, Opens};
use packscope_page::state::Action;
use packscope_page::state::learn::{Action as Learn, YOURS};
use yew::prelude::*;

/// The exercise: an observation and a task, and the conclusion once it is done.
pub fn exercise(
    shown: &ChapterView,
    scene: &ChapterScene<'_>,
    dispatch: &Callback<Action>,
) -> Html {
    // Before the first move nobody has attempted anything; data of one's own are no move of a knob.
    let is_begun = !scene.state.moved.is_empty() || scene.chapter.id == YOURS;
    let again = dispatch.reform(|_: MouseEvent| Action::Learn(Learn::Reset));
    html! {
        <aside class="exercise" aria-label="Exercise">
            <p class="to-notice">
                <b>{ "Notice" }</b>
                { " " }
                { prose(&shown.notice, scene) }
            </p>
            <div class="to-try">
                <p>
                    <b>{ "Try" }</b>
                    { " " }
                    { prose(&shown.task, scene) }
                </p>
                <ul class="conditions" aria-label="Conditions">
                    { for shown.conditions.iter().map(|condition| self::condition(condition, scene)) }
                </ul>
                <p class="found-it" role="status">
                    if shown.is_done() {
                        <b>{ "Done." }</b>
                        { " " }
                        { prose(&shown.found, scene) }
                    } else if is_begun {
                        { prose(shown.almost(), scene) }
                    }
                </p>
                <button type="button" class="word" onclick={again}>{ "Begin again" }</button>
            </div>
            <p class="keep">
                <b>{ "Keep" }</b>
                { " " }
                { tied(scene.chapter.keep) }
            </p>
        </aside>
    }
}

/// A condition, ticked when it is met.
fn condition(condition: &Condition, scene: &ChapterScene<'_>) -> Html {
    let heard = if condition.met { "met: " } else { "not yet: " };
    html! {
        <li data-met={condition.met.to_string()}>
            <span class="unseen">{ heard }</span>
            { prose(&condition.words, scene) }
        </li>
    }
}

/// The link that opens the scene in the tool, and the sources of the chapter.
pub fn leads(scene: &ChapterScene<'_>, open: &Callback<Opens>) -> Html {
    let opens = scene.chapter.opened(&scene.here);
    let (words, about) = (
        format!("Open this in {}", capital(opens.view.name())),
        opens.about,
    );
    // Built-in data have a name in the address, so a link does; others are handed over by the
    // press.
    let lead = if opens.own.is_none() && !opens.as_it_stands {
        let part = opens.part;
        let onclick = Callback::from(move |_: MouseEvent| part.into_iter().for_each(jump::go_to));
        html! { <a href={format!("#{}", opens.address())} {onclick}>{ words }</a> }
    } else {
        let open = open.clone();
        html! {
            <button
                type="button"
                class="word"
                onclick={Callback::from(move |_: MouseEvent| open.emit(opens.clone()))}
            >
                { words }
            </button>
        }
    };
    html! {
        <>
            <p class="opens">
                { lead }
                { format!(": {about}.") }
            </p>
            if !scene.chapter.sources.is_empty() {
            <section class="sources">
                <h2>{ "Where it is written" }</h2>
                <ul>
                    {
                        for scene
                            .chapter
                            .sources
                            .iter()
                            .map(|cited| html! {
                                <li>
                                    <a href={cited.paper.address()} rel="noopener noreferrer">
                                        { cited.paper.title() }
                                    </a>
                                    { format!(", {}: {}.", cited.at, cited.says) }
                                </li>
                            })
                    }
                </ul>
            </section>
            }
        </>
    }
}

/// Opens the tool with the settings of a chapter, and with its data.
pub fn hand(opens: &Opens, dispatch: &Callback<Action>) {
    opens
        .actions()
        .into_iter()
        .for_each(|action| dispatch.emit(action));
    // Another page to the reader, so from its top, unless the chapter names a part.
    browser::window().scroll_to_with_x_and_y(0.0, 0.0);
    opens.part.into_iter().for_each(jump::go_to);
}
