//! The parts of the page, one file each. They show the state and dispatch actions, but compute
//! nothing.
//!
//! Most of them get the whole state, which equals another one only by address (`shared::Same`), so
//! that every action renders them. What costs more than rendering is in a `use_memo`, by the ticket
//! of an answer or the version of data. Titles and sentences are functions of the state
//! (`findings`), drawings those of packscope-chart. Of attributes, `data-figure` and `data-value`
//! hold a figure exactly, and `data-state` says whether a part is current: the browser tests read
//! them. Code in a `part!` is loaded when it is first needed.

pub mod advice;
pub mod another;
pub mod answer;
pub mod batches;
pub mod below;
pub mod case;
pub mod controls;
pub mod data;
pub mod depths;
pub mod epoch;
pub mod exact;
pub mod explained;
pub mod figure;
mod find;
pub mod fold;
pub mod frame;
pub mod graphs;
pub mod keys;
pub mod learn;
pub mod lengths;
pub mod limits;
pub mod notices;
pub mod of_bins;
pub mod pin;
pub mod plot_out;
pub mod plot_saved;
pub mod ranks;
pub mod read_as;
pub mod rooms;
pub mod rounding;
pub mod rows;
pub mod settings;
pub mod share;
pub mod sheets;
pub mod side_by_side;
pub mod slider;
pub mod speedup;
pub mod stage;
pub mod stopwords;
pub mod strategies;
pub mod supervision;
pub mod table;
pub mod take;
pub mod tokens;
pub mod trainer;
pub mod unseen;
pub mod waiting;
pub mod zoom;

use packscope::metrics::{Column, FigureValue};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Returns whether a `<details>` is open, so that costly content is rendered only then, and its
/// `ontoggle` callback.
#[hook]
pub fn use_open() -> (bool, Callback<Event>) {
    let open = use_state_eq(|| false);
    let set = open.setter();
    (*open, Callback::from(move |e: Event| set.set(is_open(&e))))
}

/// Whether the `<details>` of a `toggle` event is open.
fn is_open(e: &Event) -> bool {
    e.target_dyn_into::<web_sys::Element>()
        // `toggle` comes after the change, so the attribute is the new state.
        .is_some_and(|d| d.has_attribute("open"))
}

/// Stands in a table for what is being computed.
pub const PENDING: &str = "…";
/// Stands in a table for what does not apply, or is not to be computed.
pub const NONE: &str = "–";

/// Draws a word that can be pressed.
pub fn button(words: &str, onclick: Callback<MouseEvent>) -> Html {
    html! { <button type="button" class="word" {onclick}>{ words.to_owned() }</button> }
}

/// Draws a figure with its exact value, under the report's field name.
pub fn figure(name: &'static str, value: impl ToString, shown: String) -> Html {
    // The text is rounded; browser tests compare the attribute with the engine’s figures.
    html! { <span data-figure={name} data-value={value.to_string()}>{ shown }</span> }
}

/// Draws a figure of the headline: name, value, and a note below.
pub fn cell(name: &str, value: Html, below: Html) -> Html {
    html! {
        <div>
            <dt>{ explained::terms(name) }</dt>
            <dd class="value">{ value }</dd>
            <dd class="below">{ below }</dd>
        </div>
    }
}

/// Draws a figure with its exact value, whose text is a sentence with terms in it.
pub fn figure_in_terms(name: &'static str, value: impl ToString, shown: &str) -> Html {
    html! {
        <span data-figure={name} data-value={value.to_string()}>{ explained::terms(shown) }</span>
    }
}

/// Draws a [`figure()`] of one component: 0 for nodes, 1 for edges.
pub fn figure_of(
    name: &'static str,
    component: usize,
    value: impl ToString,
    shown: String,
) -> Html {
    html! {
        <span
            data-figure={name}
            data-component={component.to_string()}
            data-value={value.to_string()}
        >
            { shown }
        </span>
    }
}

/// Returns a title with no-break spaces between numbers and units, and behind "<".
pub fn tied(title: &str) -> String {
    const UNITS: [&str; 6] = ["%", "ms", "s", "min", "h", "days"];
    let mut words = title.split(' ');
    let mut tied = words.next().unwrap_or_default().to_owned();
    for word in words {
        let unit = UNITS.contains(&word.trim_end_matches([',', ';', ':', '.']));
        // Only behind a digit, since some of the units are words as well.
        let of_number = unit && tied.ends_with(|c: char| c.is_ascii_digit());
        tied.push(if of_number || tied.ends_with('<') {
            '\u{a0}'
        } else {
            ' '
        });
        tied.push_str(word);
    }
    tied
}

/// Draws a computed title with explanations of its terms.
pub fn titled(title: &str) -> Html {
    explained::quiet(&tied(title))
}

pub fn scale(log: bool) -> packscope_chart::Scale {
    if log {
        packscope_chart::Scale::Log
    } else {
        packscope_chart::Scale::Linear
    }
}

/// Returns the colours that all drawings use for the lengths of these sequences under a limit.
pub fn hues(sequences: &packscope_page::state::SequenceState, limit: u32) -> packscope_chart::Hues {
    sequences.data.as_ref().map_or(limit.into(), |data| {
        packscope_chart::Hues::of(&data.histogram, limit)
    })
}

pub fn chosen(e: &Event) -> String {
    e.target_dyn_into::<HtmlSelectElement>()
        .map(|s| s.value())
        .unwrap_or_default()
}

/// Draws a list that passes on the chosen value. Each option has a value, a text, and whether it is
/// selected.
pub fn list(
    id: impl Into<AttrValue>,
    options: impl IntoIterator<Item = (AttrValue, AttrValue, bool)>,
    set: &Callback<String>,
) -> Html {
    select(id.into(), options.into_iter().map(option).collect(), set)
}

fn option((value, words, selected): (AttrValue, AttrValue, bool)) -> Html {
    html! { <option {value} {selected}>{ words }</option> }
}

// Not generic, unlike `list`, so that it is compiled once.
fn select(id: AttrValue, options: Vec<Html>, set: &Callback<String>) -> Html {
    html! { <select {id} onchange={set.reform(|e: Event| chosen(&e))}>{ options }</select> }
}

/// Returns a callback that passes on the result of `make`, if there is one.
pub fn filtered<E: 'static, T: 'static>(
    to: &Callback<T>,
    make: impl Fn(E) -> Option<T> + 'static,
) -> Callback<E> {
    let to = to.clone();
    Callback::from(move |event| {
        if let Some(made) = make(event) {
            to.emit(made);
        }
    })
}

/// Draws a choice among two or three words.
pub fn choice(label: &'static str, options: &[(&str, bool, Callback<MouseEvent>)]) -> Html {
    html! {
        // Arrow keys go from word to word: `arrows` finds them by the class.
        <span class="choice" role="group" aria-label={label}>
            {
                for options
                    .iter()
                    .map(|(name, on, onclick)| html! {
                        <button
                            type="button"
                            class="word"
                            aria-pressed={on.to_string()}
                            onclick={onclick.clone()}
                        >
                            { name.to_string() }
                        </button>
                    })
            }
        </span>
    }
}

/// The sort order of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Name,
    Padding,
    /// The number of packs or steps.
    Count,
    /// Descending, unlike the others.
    SpeedUp,
    Time,
}

/// Draws the head of a column by which a table can be sorted.
pub fn sorting(order: &UseStateHandle<Order>, name: &str, by: Order, class: &'static str) -> Html {
    let set = order.setter();
    let way = if by == Order::SpeedUp {
        "descending"
    } else {
        "ascending"
    };
    let sorted = if **order == by { way } else { "none" };
    html! {
        <th {class} aria-sort={sorted}>
            <button
                type="button"
                class="word"
                aria-pressed={(**order == by).to_string()}
                onclick={Callback::from(move |_| set.set(by))}
            >
                { explained::quiet(name) }
            </button>
        </th>
    }
}

/// Draws a table that can scroll: class and hidden caption, whether it is up to date, column heads,
/// rows.
pub fn framed(
    [class, caption]: [&str; 2],
    current: Option<bool>,
    heads: Html,
    rows: impl IntoIterator<Item = Html>,
) -> Html {
    let (class, rows) = (class.to_owned(), rows.into_iter().collect::<Html>());
    // For the browser tests, which wait until a table is current.
    let state = current.map(|current| if current { "current" } else { "computing" });
    html! {
        <div class="scroll">
            <table {class} data-state={state}>
                if !caption.is_empty() {
                    <caption class="unseen">{ caption.to_owned() }</caption>
                }
                <thead>
                    <tr>{ heads }</tr>
                </thead>
                <tbody>{ rows }</tbody>
            </table>
        </div>
    }
}

/// Draws a table cell with a figure, or with `nothing` if the figure is unknown.
pub fn entry<T>(
    column: &Column<T>,
    class: &'static str,
    of: Option<&T>,
    nothing: &'static str,
) -> Html {
    entry_of(
        column.id,
        class,
        of.and_then(column.get).map(FigureValue::read),
        nothing,
    )
}

/// Like [`entry`], for a value that is not a column of any table.
pub fn entry_of(
    id: &'static str,
    class: &'static str,
    value: Option<[String; 2]>,
    nothing: &'static str,
) -> Html {
    match value {
        Some([exact, shown]) => {
            html! { <td {class} data-figure={id} data-value={exact}>{ shown }</td> }
        }
        None => html! { <td {class}>{ nothing }</td> },
    }
}

/// Draws a figure with its exact value; nothing if it is unknown.
pub fn stated<T>(column: &Column<T>, of: &T) -> Html {
    let read = (column.get)(of).map(FigureValue::read);
    read.map_or_else(Html::default, |[exact, shown]| {
        figure(column.id, exact, shown)
    })
}
