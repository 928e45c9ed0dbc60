//! The table of all algorithms, which is computed whole before it is saved.

use super::save::Copy;
use super::subject::ExportSubject;
use super::tables::tables;
use crate::components::button;
use crate::components::waiting::use_left;
use crate::files::save_text;
use crate::shared::SharedState;
use packscope::export::Table;
use packscope_page::state::Action;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    /// The name of its files, without extension.
    pub name: &'static str,
    pub words: &'static str,
}

/// The forms of the table, with their extensions.
const FORMS: [(&str, &str); 2] = [("CSV", "csv"), ("Markdown", "md")];

/// A list item with the buttons that save the table once all its rows are known, with their number
/// until then.
#[component]
pub fn Whole(props: &Props) -> Html {
    // The name of the file to be saved, of two forms.
    let asked = use_state_eq(|| None::<String>);
    let Props {
        state,
        dispatch,
        name,
        words,
    } = props;
    let [known, all] = state.exported();
    let files = FORMS.map(|(_, form)| file(state, &format!("{name}.{form}")));
    let ask = {
        let (set, state, dispatch) = (asked.setter(), state.clone(), dispatch.clone());
        Callback::from(move |file: Option<String>| {
            let rows = file.is_some().then(|| Rc::new(state.sequences.all_rows()));
            set.set(file);
            dispatch.emit(Action::Whole(rows));
        })
    };
    use_saving(props, &asked, &files, &ask);
    let share = known as f64 / all.max(1) as f64;
    let left = use_left(asked.as_deref().unwrap_or_default(), share);
    let press = |((form, _), file): (&(&'static str, &'static str), &String)| {
        let (label, data, asked) = (
            format!("Save as {form}: {file}"),
            file.clone(),
            file.clone(),
        );
        let onclick = ask.reform(move |_: MouseEvent| Some(asked.clone()));
        html! {
            <button type="button" class="word" aria-label={label} data-file={data} {onclick}>
                { *form }
            </button>
        }
    };
    let these = {
        let (state, table, file, ask) = (state.clone(), *name, (*asked).clone(), ask.clone());
        Callback::from(move |_: MouseEvent| {
            file.iter().for_each(|file| save(&state, table, file));
            ask.emit(None);
        })
    };
    html! {
        <li data-rows={known.to_string()}>
            <span>{ *words }</span>
            { for FORMS.iter().zip(&files).map(press) }
            if asked.is_some() && state.whole.is_some() {
                <span>{ format!("{known} of {all} rows") }</span>
                <progress max="1" value={format!("{share:.3}")} aria-label="Rows computed" />
                // Nothing bounds the time of all rows together; their pace says how long it still
                // takes.
                <small class="left">{ left(f64::INFINITY) }</small>
                { button("Cancel (Esc)", ask.reform(|_: MouseEvent| None)) }
                { button("Save these", these) }
            } else if known == all {
                <Copy
                    text={table(state, name).map(|table| table.markdown()).unwrap_or_default()}
                    label={format!("{words} as Markdown")}
                />
            } else {
                <span class="hint">
                    { format!("{known} of {all} rows are known; the others are computed first") }
                </span>
            }
        </li>
    }
}

/// Saves the file that was asked for once all rows are known. Other settings have other files, and
/// end it, as does the end of the list.
#[hook]
fn use_saving(
    props: &Props,
    asked: &UseStateHandle<Option<String>>,
    files: &[String; 2],
    ask: &Callback<Option<String>>,
) {
    let (state, table, end) = (props.state.clone(), props.name, ask.clone());
    let [known, all] = state.exported();
    use_effect_with(
        ((**asked).clone(), known == all, files.clone()),
        move |(asked, over, files)| {
            let Some(name) = asked else { return };
            if *over {
                save(&state, table, name);
            }
            // The name of a file has the settings in it.
            if *over || !files.contains(name) {
                end.emit(None);
            }
        },
    );
    let dispatch = props.dispatch.clone();
    // When the list leaves the page, nobody waits for its rows.
    use_effect_with((), move |()| move || dispatch.emit(Action::Whole(None)));
}

/// Returns the name of a file about the answer on screen.
fn file(state: &SharedState, what: &str) -> String {
    ExportSubject::new(state).map_or_else(String::new, |subject| subject.file(what))
}

/// Returns the table of this name, with the rows that are known.
fn table(state: &SharedState, name: &str) -> Option<Table> {
    let subject = ExportSubject::new(state)?;
    tables(state, &subject.data)
        .into_iter()
        .find(|((other, _), _)| *other == name)
        .map(|(_, table)| table)
}

fn save(state: &SharedState, name: &str, file: &str) {
    let Some(table) = table(state, name) else {
        return;
    };
    save_text(
        file,
        &if file.ends_with(".md") {
            table.markdown()
        } else {
            table.csv()
        },
    );
}
