//! Another reading of files that were refused: their first records, and what to read of them.

use super::read_as::layouts;
use crate::due;
use crate::files::Opened;
use js_sys::Uint8Array;
use packscope::formula;
use packscope::ingest::{Column, Counts, Options};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Bytes in which the first records are looked for, those that are shown, and characters of each.
const HEAD: f64 = 16384.0;
const RECORDS: usize = 10;
const LONGEST: usize = 200;

/// Properties of [`Another`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The files.
    pub files: Opened,
    /// Reads them.
    pub again: Callback<Options>,
}

/// Choices of format, length and count beside the first records.
#[component]
pub fn Another(props: &Props) -> Html {
    let records = use_state(Vec::<String>::new);
    let blob = props.files.files.first().map(|(_, blob)| blob.clone());
    let set = records.setter();
    use_effect_with(blob, move |blob| {
        if let Some(blob) = blob.clone() {
            due::load(async move { set.set(first(&blob).await) });
        }
    });
    let (format, [sizes, count]) = (use_node_ref(), [use_node_ref(), use_node_ref()]);
    let read = {
        let (format, sizes, count) = (format.clone(), sizes.clone(), count.clone());
        props.again.reform(move |_: MouseEvent| {
            let layout = format.cast::<HtmlSelectElement>().map(|list| list.value()).unwrap_or_default();
            chosen(&layout, &typed(&sizes), &typed(&count))
        })
    };
    let line = |id: &'static str, label: &'static str, line: NodeRef, placeholder: &'static str| {
        html! { <>
            <label for={id}>{ label }</label>
            <input {id} ref={line} class="field" type="text" spellcheck="false" {placeholder} />
        </> }
    };
    html! {
        <div data-another="">
            if !records.is_empty() {
                <p class="hint">{ "It begins so:" }</p>
                <pre data-records={records.len().to_string()}>{ records.join("\n") }</pre>
            }
            <div class="read-as">
                <label for="another-format">{ "Read as" }</label>
                <select id="another-format" ref={format}>
                    <option value="" selected=true>{ "detect" }</option>
                    { for layouts().map(|(name, title, ..)| html! { <option value={name}>{ title }</option> }) }
                </select>
                { line("another-length", "Length", sizes, "field, a.b, a number, or a formula; two sizes: nodes, edges") }
                { line("another-count", "Count", count, "field or number; empty: each record is one item") }
            </div>
            <button type="button" class="solid" onclick={read}>{ "Read it so" }</button>
        </div>
    }
}

fn typed(line: &NodeRef) -> String {
    line.cast::<HtmlInputElement>().map(|line| line.value().trim().to_owned()).unwrap_or_default()
}

/// Returns the options for a layout, sizes and a count: with a length and no count each record is one item.
fn chosen(layout: &str, sizes: &str, count: &str) -> Options {
    let layout = layouts().find(|one| one.0 == layout);
    let sizes: Vec<Column> = formula::split(sizes)
        .into_iter()
        .map(str::trim)
        .filter(|one| !one.is_empty())
        .map(Column::from)
        .collect();
    let counts = match count {
        "" => (!sizes.is_empty()).then_some(Counts::One),
        column => Some(Counts::Column(column.into())),
    };
    Options {
        format: layout.as_ref().map(|one| one.2),
        delimiter: layout.and_then(|one| one.3),
        sizes,
        count: counts,
        guess: true,
        ..Options::default()
    }
}

/// Returns the first lines of a file; none of one that is no text.
async fn first(blob: &Blob) -> Vec<String> {
    let Ok(part) = blob.slice_with_f64_and_f64(0.0, HEAD) else { return Vec::new() };
    let Ok(buffer) = JsFuture::from(part.array_buffer()).await else { return Vec::new() };
    let bytes = Uint8Array::new(&buffer).to_vec();
    if bytes.contains(&0) {
        return Vec::new();
    }
    let shown = |line: &str| line.chars().filter(|c| !c.is_control() || *c == '\t').take(LONGEST).collect();
    String::from_utf8_lossy(&bytes).lines().take(RECORDS).map(shown).collect()
}
