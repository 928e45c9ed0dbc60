//! The parts of the page, one file each. They are given the state and send actions; they compute nothing.

pub mod answer;
pub mod controls;
pub mod data;
pub mod depths;
pub mod epoch;
pub mod lengths;
pub mod notices;
pub mod rows;
pub mod table;
pub mod top;

use crate::browser;
use packscope::chart;
use packscope::state::Theme;
use yew::prelude::*;

/// A figure with its exact value, found by the report's field name.
pub fn figure(name: &'static str, value: impl ToString, shown: String) -> Html {
    html! { <span data-figure={name} data-value={value.to_string()}>{ shown }</span> }
}

/// The colours of drawings: as chosen, or as the system has it.
pub fn colours(theme: Theme) -> &'static chart::Theme {
    let dark = match theme {
        Theme::System => browser::media("(prefers-color-scheme: dark)"),
        theme => theme == Theme::Dark,
    };
    if dark { &chart::Theme::DARK } else { &chart::Theme::LIGHT }
}

/// Two or three words, one of which is chosen.
pub fn choice(label: &'static str, options: &[(&'static str, bool, Callback<MouseEvent>)]) -> Html {
    html! {
        <span class="choice" role="group" aria-label={label}>
            { for options.iter().map(|(name, on, onclick)| html! {
                <button type="button" class="word" aria-pressed={on.to_string()} onclick={onclick.clone()}>{ *name }</button>
            }) }
        </span>
    }
}
