//! The choice of data: built in, a file, or pasted numbers.

use super::{chosen, filtered, read_as};
use crate::browser;
use crate::due::{self, PendingKind};
use crate::files::DroppedFiles;
use crate::lazy::{self, DrawPart, LazyPart, PartLoad, use_part};
use crate::storage::{self, StorageKey};
use packscope::histogram::Preset;
use packscope::ingest::Options;
use packscope_page::part;
use packscope_page::state::{Data, Source};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::{Blob, HtmlDialogElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The panel that shows how a file was read, loaded on demand.
static READ_AS: LazyPart<DrawPart<read_as::Props>> = LazyPart::new(|| Box::pin(load_read_as()));

part! { own:
    fn load_read_as() -> PartLoad<DrawPart<read_as::Props>> {
        Ok(|props| html! { <read_as::ReadAs ..props /> })
    }
}

/// Milliseconds until the list of stored data is read again, by which time those just read are
/// stored.
const STORING: u32 = 400;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub source: Source,
    /// The data that were chosen but could not be loaded.
    pub absent: Option<&'static Preset>,
    pub sentence: String,
    pub presets: &'static [Preset],
    pub pasted: PasteHint,
    pub open: Callback<DroppedFiles>,
    pub reread: Callback<Options>,
    pub pick: Callback<&'static Preset>,
}

/// The formats that can be pasted, in words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PasteHint {
    pub label: &'static str,
    pub example: &'static str,
    pub hint: &'static str,
}

/// The picker of data, with their source or how their file was read.
#[component]
pub fn DataPicker(props: &Props) -> Html {
    let (dialog, list) = (use_node_ref(), use_node_ref());
    use_back(&list, props);
    let presets = props.presets;
    let onchange = filtered(&props.pick, move |e: Event| {
        presets.iter().find(|p| p.id == chosen(&e))
    });
    let onfile = {
        let open = props.open.clone();
        Callback::from(move |e: Event| {
            let Some(input) = e.target_dyn_into::<HtmlInputElement>() else {
                return;
            };
            let files = browser::files(input.files());
            if !files.is_empty() {
                open.emit(files);
                // Cleared so that the same file can be opened again after a change.
                input.set_value("");
            }
        })
    };
    let show = {
        let dialog = dialog.clone();
        Callback::from(move |_| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                let _ = dialog.show_modal();
            }
        })
    };
    // Asked in every rendering, as hooks must be; the part loads only for a file.
    let reading = use_part(&READ_AS, matches!(props.source, Source::Own { .. }));
    html! {
        <section class="control first">
            <label for="data">{ "Your data" }</label>
            <select id="data" ref={list} {onchange}>
                if !matches!(props.source, Source::Preset(_)) {
                    <option value="" selected=true>{ props.source.title() }</option>
                }
                {
                    for groups(props.presets)
                        .into_iter()
                        .map(|(group, presets)| html! {
                            <optgroup label={group}>
                                {
                                    for presets
                                        .into_iter()
                                        .map(|p| html! {
                                            <option
                                                value={p.id}
                                                selected={props.source == Source::Preset(p)}
                                            >
                                                { p.title }
                                            </option>
                                        })
                                }
                            </optgroup>
                        })
                }
            </select>
            <p class="hint" data-description="">{ &props.sentence }</p>
            <p class="hint ways">
                // Always out of sight, also while it has the focus: shown then, it moved the column
                // between press and release, and the press was lost.
                <input id="file" type="file" multiple=true class="chooser" onchange={onfile} />
                <label class="word" for="file">{ "Open files" }</label>
                { ", drop some anywhere, or " }
                <button type="button" class="word" onclick={show}>{ "paste numbers" }</button>
                { "." }
            </p>
            <StoredData title={props.source.title().to_owned()} />
            {
                match &props.source {
                    Source::Preset(preset) => html! {
                        <details class="source">
                            <summary>{ "Source" }</summary>
                            <p>{ preset.about }</p>
                            <p>{ preset.source }</p>
                            <p><a href="datasets/PROVENANCE.md">{ "Provenance of all data" }</a></p>
                        </details>
                    },
                    Source::Own { name, description } => match reading {
                        Ok(draw) => draw(read_as::Props {
                            name: name.clone(),
                            description: Rc::clone(description),
                            reread: props.reread.clone(),
                        }),
                        Err(absent) => lazy::failed([Some(absent)]),
                    },
                    // There is no file that could be read again.
                    Source::Kept { .. } => Html::default(),
                }
            }
            <Paste {dialog} pasted={props.pasted} open={props.open.clone()} />
        </section>
    }
}

/// Sets the list back to the data shown, also after others failed to load. Rendering alone does not
/// do that: it changes only what differs from the last rendering, not what the visitor chose.
#[hook]
fn use_back(list: &NodeRef, props: &Props) {
    let list = list.clone();
    use_effect_with((props.absent, props.source.clone()), move |(_, shown)| {
        if let Some(list) = list.cast::<HtmlSelectElement>() {
            list.set_value(if let Source::Preset(preset) = shown {
                preset.id
            } else {
                ""
            });
        }
    });
}

/// Returns the source that a picker shows, with its description, which is empty for data that
/// failed to load.
pub fn picked<const K: usize>(
    data: Option<&Data<K>>,
    absent: Option<&'static Preset>,
    sentence: impl Fn(&Data<K>) -> String,
) -> Option<(Source, String)> {
    match data {
        Some(data) => Some((data.source.clone(), sentence(data))),
        None => absent.map(|preset| (Source::Preset(preset), String::new())),
    }
}

fn groups(all: &'static [Preset]) -> Vec<(&'static str, Vec<&'static Preset>)> {
    let mut groups = Vec::<(&str, Vec<&Preset>)>::new();
    for preset in all {
        // Presets of a group stand side by side in the list of presets.
        match groups.last_mut() {
            Some((group, presets)) if *group == preset.group => presets.push(preset),
            _ => groups.push((preset.group, vec![preset])),
        }
    }
    groups
}

#[derive(Clone, PartialEq, Properties)]
pub struct PasteProps {
    /// The dialog, which the picker opens.
    pub dialog: NodeRef,
    pub pasted: PasteHint,
    pub open: Callback<DroppedFiles>,
}

#[component]
pub fn Paste(props: &PasteProps) -> Html {
    let text = use_node_ref();
    let close = {
        let dialog = props.dialog.clone();
        move || {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        }
    };
    let cancel = {
        let close = close.clone();
        Callback::from(move |_: MouseEvent| close())
    };
    let read = {
        let (open, text) = (props.open.clone(), text.clone());
        Callback::from(move |_: MouseEvent| {
            let value = text
                .cast::<HtmlTextAreaElement>()
                .map(|t| t.value())
                .unwrap_or_default();
            let parts = js_sys::Array::of1(&JsValue::from_str(&value));
            if let Ok(blob) = Blob::new_with_str_sequence(&parts) {
                // Read as a file, so that pasted text has all formats of files.
                open.emit(vec![("pasted numbers".to_owned(), blob)]);
            }
            close();
        })
    };
    html! {
        <dialog ref={props.dialog.clone()} class="paste" aria-label="Paste numbers">
            <label for="pasted">{ props.pasted.label }</label>
            <textarea
                id="pasted"
                ref={text}
                rows="12"
                spellcheck="false"
                placeholder={props.pasted.example}
            />
            <p class="hint">{ props.pasted.hint }</p>
            <div class="line">
                <button type="button" class="word" onclick={cancel}>{ "Cancel" }</button>
                <button type="button" class="solid" onclick={read}>{ "Read" }</button>
            </div>
        </dialog>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct StoredProps {
    /// The name of the data shown; when it changes, the list is read again.
    pub title: String,
}

/// The visitor's data that this browser stores, as they are too large for an address; to be opened
/// or removed.
#[component]
fn StoredData(props: &StoredProps) -> Html {
    let stored = use_state_eq(Vec::new);
    let again = use_state_eq(|| 0u32);
    {
        let set = stored.setter();
        use_effect_with((props.title.clone(), *again), move |_| {
            // The data shown take a moment to be stored.
            due::after(PendingKind::Pausing, STORING, move || {
                due::load(async move { set.set(storage::list().await) })
            })
            .forget();
        });
    }
    if stored.is_empty() {
        return Html::default();
    }
    let item = |data: &StorageKey| {
        // The view of sequences is the default, and in no address.
        let view = if data.graphs { "view=graphs&" } else { "" };
        let (key, again, count) = (data.key.clone(), again.setter(), *again);
        let remove = Callback::from(move |_: MouseEvent| {
            let (key, again) = (key.clone(), again.clone());
            due::load(async move {
                storage::remove(&key).await;
                // Another number runs the effect above, which reads the list.
                again.set(count + 1);
            });
        });
        html! {
            <li>
                <a href={format!("#{view}data={}", data.key)}>{ &data.name }</a>
                { " " }
                <button
                    type="button"
                    class="word"
                    onclick={remove}
                    aria-label={format!("Remove {} from this browser", data.name)}
                >
                    { "remove" }
                </button>
            </li>
        }
    };
    html! {
        <details class="source stored">
            <summary>{ format!("Your data, in this browser only ({})", stored.len()) }</summary>
            <ul>{ for stored.iter().map(item) }</ul>
        </details>
    }
}
