//! Which data: built in, a file, or pasted numbers; what was read, and how.

use super::chosen;
use packscope::histogram::Preset;
use packscope::ingest::{Column, Counts, Delimiter, Description, Format, Options};
use packscope::state::Source;
use packscope::words::{capital, count};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::{Blob, HtmlDialogElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Properties of [`DataPicker`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Where the data come from.
    pub source: Source,
    /// What they are, in a sentence.
    pub sentence: String,
    /// Built-in data to choose from.
    pub presets: &'static [Preset],
    /// What can be pasted.
    pub pasted: Pasted,
    /// Reads a file.
    pub open: Callback<(String, Blob)>,
    /// Reads the file at hand another way.
    pub reread: Callback<Options>,
    /// Loads built-in data.
    pub pick: Callback<&'static Preset>,
}

/// What can be pasted, in words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pasted {
    /// What is wanted.
    pub label: &'static str,
    /// An example.
    pub example: &'static str,
    /// What else is understood.
    pub hint: &'static str,
}

/// The picker with what belongs to it.
#[component]
pub fn DataPicker(props: &Props) -> Html {
    let dialog = use_node_ref();
    let onchange = {
        let (pick, presets) = (props.pick.clone(), props.presets);
        Callback::from(move |e: Event| {
            let value = chosen(&e);
            if let Some(preset) = presets.iter().find(|p| p.id == value) {
                pick.emit(preset);
            }
        })
    };
    let onfile = {
        let open = props.open.clone();
        Callback::from(move |e: Event| {
            let Some(input) = e.target_dyn_into::<HtmlInputElement>() else { return };
            if let Some(file) = input.files().and_then(|f| f.get(0)) {
                open.emit((file.name(), file.into()));
                // So that the same file can be opened again after it was changed.
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
    html! {
        <section class="control first">
            <label for="data">{ "Dataset" }</label>
            <select id="data" {onchange}>
                if let Source::Own { name, .. } = &props.source { <option value="" selected=true>{ name }</option> }
                { for groups(props.presets).into_iter().map(|(group, presets)| html! {
                    <optgroup label={group}>{ for presets.into_iter().map(|p| html! {
                        <option value={p.id} selected={props.source == Source::Preset(p)}>{ p.title }</option>
                    }) }</optgroup>
                }) }
            </select>
            <p class="hint" data-description="">{ &props.sentence }</p>
            <p class="hint ways">
                <label class="word" for="file">{ "Open a file" }</label>
                <input id="file" type="file" class="unseen" onchange={onfile} />
                { ", drop one anywhere, or " }
                <button type="button" class="word" onclick={show}>{ "paste numbers" }</button>{ "." }
            </p>
            { match &props.source {
                Source::Preset(preset) => html! {
                    <details class="source"><summary>{ "Source" }</summary><p>{ preset.about }</p><p>{ preset.source }</p><p><a href="datasets/PROVENANCE.md">{ "Provenance of all data" }</a></p></details>
                },
                Source::Own { description, .. } => own(description, &props.reread),
            } }
            <Paste {dialog} pasted={props.pasted} open={props.open.clone()} />
        </section>
    }
}

fn groups(all: &'static [Preset]) -> Vec<(&'static str, Vec<&'static Preset>)> {
    let mut groups = Vec::<(&str, Vec<&Preset>)>::new();
    for preset in all {
        match groups.last_mut() {
            Some((group, presets)) if *group == preset.group => presets.push(preset),
            _ => groups.push((preset.group, vec![preset])),
        }
    }
    groups
}

/// The layouts on offer: a table by what separates its cells.
const LAYOUTS: [(&str, &str, Format, Option<Delimiter>); 6] = [
    ("csv", "table, commas", Format::Table, Some(Delimiter::Comma)),
    ("tsv", "table, tabs", Format::Table, Some(Delimiter::Tab)),
    ("semicolons", "table, semicolons", Format::Table, Some(Delimiter::Semicolon)),
    ("numbers", "plain numbers", Format::Numbers, None),
    ("json", "JSON", Format::Json, None),
    ("json-lines", "JSON Lines", Format::JsonLines, None),
];

/// The name of a column as options have it.
fn name(column: &Column) -> String {
    match column {
        Column::Number(n) => n.to_string(),
        Column::Name(name) => name.clone(),
    }
}

/// How the visitor's file was read, to be changed.
fn own(description: &Rc<Description>, reread: &Callback<Options>) -> Html {
    let options = Options {
        format: Some(description.format),
        delimiter: description.delimiter,
        header: (description.format == Format::Table).then_some(description.columns.is_some()),
        sizes: description.sizes.clone(),
        count: Some(description.count.clone().map_or(Counts::One, Counts::Column)),
    };
    let changed = |change: fn(&mut Options, &str)| {
        let (reread, options) = (reread.clone(), options.clone());
        Callback::from(move |e: Event| {
            let list = e.target_dyn_into::<HtmlSelectElement>().map(|s| s.value());
            let value = list.or_else(|| e.target_dyn_into::<HtmlInputElement>().map(|i| i.value()));
            let mut options = options.clone();
            change(&mut options, &value.unwrap_or_default());
            reread.emit(options);
        })
    };
    let layout = changed(|o, v| {
        let chosen = LAYOUTS.iter().find(|l| l.0 == v);
        *o = Options {
            format: chosen.map(|l| l.2),
            delimiter: chosen.and_then(|l| l.3),
            ..Options::default()
        };
    });
    let is_layout = |l: &(&str, &str, Format, Option<Delimiter>)| {
        l.2 == description.format && (l.3.is_none() || l.3 == description.delimiter)
    };
    let length = changed(|o, v| o.sizes = (!v.is_empty()).then(|| v.into()).into_iter().collect());
    let counts =
        changed(|o, v| o.count = Some(if v.is_empty() { Counts::One } else { Counts::Column(v.into()) }));
    html! { <>
        <div class="read-as">
            <label for="format">{ "Read as" }</label>
            <select id="format" onchange={layout}>
                { for LAYOUTS.iter().map(|l| html! { <option value={l.0} selected={is_layout(l)}>{ l.1 }</option> }) }
            </select>
            { column("length-column", "Length", description, description.sizes.first(), length) }
            { column("count-column", "Count", description, description.count.as_ref(), counts) }
        </div>
        { for description.notes.iter().map(|n| html! { <p class="hint">{ capital(&n.to_string()) }{ "." }</p> }) }
        if description.skipped > 0 {
            <details class="source" data-skipped={description.skipped.to_string()}>
                <summary>{ format!("{} skipped: see why", count(description.skipped)) }</summary>
                <ul>{ for description.problems.iter().map(|p| html! { <li>{ p.to_string() }</li> }) }</ul>
            </details>
        }
    </> }
}

/// A choice among the columns of a table, or the name of a field of JSON; nothing for plain numbers.
fn column(
    id: &'static str,
    label: &'static str,
    description: &Description,
    chosen: Option<&Column>,
    onchange: Callback<Event>,
) -> Html {
    let chosen = chosen.map(name);
    let input = match description.format {
        Format::Numbers => return Html::default(),
        Format::Json | Format::JsonLines => {
            let value = chosen.unwrap_or_default();
            html! { <input {id} class="field" type="text" {value} placeholder="field, a.b, or a number" {onchange} /> }
        }
        Format::Table => {
            let numbers = || (1..=2).map(|n| n.to_string()).collect();
            let columns = description.columns.clone().unwrap_or_else(numbers);
            html! {
                <select {id} {onchange}>
                    <option value="" selected={chosen.is_none()}>{ if id == "length-column" { "detect" } else { "none" } }</option>
                    { for columns.into_iter().map(|c| html! { <option value={c.clone()} selected={chosen.as_ref() == Some(&c)}>{ c }</option> }) }
                </select>
            }
        }
    };
    html! { <><label for={id}>{ label }</label>{ input }</> }
}

/// Properties of [`Paste`].
#[derive(Clone, PartialEq, Properties)]
pub struct PasteProps {
    /// The dialog, to be shown by others.
    pub dialog: NodeRef,
    /// What can be pasted.
    pub pasted: Pasted,
    /// Reads what was pasted.
    pub open: Callback<(String, Blob)>,
}

/// Numbers typed or pasted.
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
            let value = text.cast::<HtmlTextAreaElement>().map(|t| t.value()).unwrap_or_default();
            let parts = js_sys::Array::of1(&JsValue::from_str(&value));
            if let Ok(blob) = Blob::new_with_str_sequence(&parts) {
                open.emit(("pasted numbers".to_owned(), blob));
            }
            close();
        })
    };
    html! {
        <dialog ref={props.dialog.clone()} class="paste" aria-label="Paste numbers">
            <label for="pasted">{ props.pasted.label }</label>
            <textarea id="pasted" ref={text} rows="12" spellcheck="false" placeholder={props.pasted.example} />
            <p class="hint">{ props.pasted.hint }</p>
            <div class="line">
                <button type="button" class="word" onclick={cancel}>{ "Cancel" }</button>
                <button type="button" class="solid" onclick={read}>{ "Read" }</button>
            </div>
        </dialog>
    }
}
