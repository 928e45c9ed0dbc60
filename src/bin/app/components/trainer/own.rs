//! A library of any kind: its choice, its settings under their own names, code to paste, and where
//! its source was read.

use crate::components::list;
use crate::components::take::save::{Copy, save_button};
use packscope::trainer::{Accepts, Language, Library, LibraryFamily, Read, Setting, SettingValue};
use packscope_page::state::trainer::Action as Trained;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// A library with its settings.
pub struct Values {
    id: &'static str,
    title: &'static str,
    settings: &'static [Setting],
    values: Vec<SettingValue>,
    /// The settings as code to paste.
    pub lines: String,
    language: Language,
    read: &'static Read,
    note: &'static str,
    /// Whether any setting differs from the library's default.
    changed: bool,
    /// The reason why the settings in the address are invalid.
    wrong: Option<String>,
}

/// Returns a library with these settings, or with its defaults if a setting is invalid; `None` for
/// an unknown library.
pub fn values<K: LibraryFamily>(
    id: &str,
    limits: K::Limits,
    settings: &[SettingValue],
) -> Option<Values> {
    let library = Library::<K>::find(id).ok()?;
    let (chosen, wrong) = match library.with(limits, settings) {
        Ok(chosen) => (chosen, None),
        Err(error) => (library.installed(limits), Some(error.to_string())),
    };
    Some(Values {
        id: library.id,
        title: library.title,
        settings: library.settings,
        values: chosen.fields(),
        lines: chosen.lines(),
        language: library.language,
        read: &library.read,
        note: library.note,
        changed: !settings.is_empty(),
        wrong,
    })
}

/// The settings, the code to paste, and where the library's source was read.
pub fn library_panel(of: &Values, act: &Callback<Trained>) -> Html {
    let reset = act.reform(|_: MouseEvent| Trained::Reset);
    html! {
        <>
            <div class="own-settings">
                {
                    for of.settings
                        .iter()
                        .zip(&of.values)
                        .map(|(setting, field)| self::field(act, setting, &field.value))
                }
            </div>
            if let Some(wrong) = &of.wrong {
                <p class="hint" role="alert">{ wrong }{ ". The library's own value stands." }</p>
            }
            if of.changed {
                <p>
                    <button type="button" class="word" onclick={reset}>{ "Reset" }</button>
                </p>
            }
            { paste(of) }
            { source(of) }
        </>
    }
}

/// Returns the sentence without backticks, which the page does not render.
pub fn plain(sentence: &str) -> String {
    sentence.replace('`', "")
}

/// Draws a setting as a choice or a field.
fn field(act: &Callback<Trained>, setting: &'static Setting, value: &str) -> Html {
    let id = format!("own-{}", setting.name);
    let usual = match setting.usual {
        usual if usual == value => String::new(),
        usual => format!(" Default: {usual}."),
    };
    // Settings of a few names get a list; what others accept is their tooltip.
    let names: &[&str] = match setting.accepts {
        Accepts::Names(names) => names,
        _ => &[],
    };
    let set = act.reform(|value: String| {
        Trained::Set(SettingValue {
            name: setting.name.to_owned(),
            value,
        })
    });
    let input = if names.is_empty() {
        let onchange = set.reform(|e: Event| {
            e.target_dyn_into::<HtmlInputElement>()
                .map(|input| input.value().trim().to_owned())
                .unwrap_or_default()
        });
        html! {
            <input
                id={id.clone()}
                class="field"
                type="text"
                autocomplete="off"
                value={value.to_owned()}
                title={format!("{}", setting.accepts)}
                {onchange}
            />
        }
    } else {
        list(
            id.clone(),
            names
                .iter()
                .map(|name| ((*name).into(), (*name).into(), *name == value)),
            &set,
        )
    };
    html! {
        <div class="own-setting">
            <label for={id}>
                <code>{ setting.name }</code>
            </label>
            { input }
            <p class="small">{ plain(setting.about) }{ usual }</p>
        </div>
    }
}

/// The settings as code in the library's own names.
fn paste(of: &Values) -> Html {
    let extension = match of.language {
        Language::Python => "py",
        Language::Yaml => "yml",
        Language::Shell => "sh",
    };
    let (text, saved, file) = (
        of.lines.clone(),
        of.lines.clone(),
        format!("{}.{extension}", of.id),
    );
    html! {
        <details class="lines">
            <summary>{ format!("Lines for {}", of.title) }</summary>
            <p class="actions">
                <Copy text={text.clone()} label={format!("the lines for {}", of.title)} />
                { save_button("Save", file, move || saved.clone()) }
            </p>
            <pre class="snippet" tabindex="0" aria-label={format!("Lines for {}", of.title)}>
                <code>{ text }</code>
            </pre>
        </details>
    }
}

/// Where the library's source was read.
fn source(of: &Values) -> Html {
    let read = of.read;
    let href = read.address();
    html! {
        <>
            if !of.note.is_empty() {
                <p class="small">{ plain(of.note) }</p>
            }
            <p class="small">
                { "Read on " }
                { read.date }
                { " in " }
                <a {href} rel="noopener">{ read.to_string() }</a>
                { ": " }
                { read.path }
                { "." }
            </p>
        </>
    }
}
