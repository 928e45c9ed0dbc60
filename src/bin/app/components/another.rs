//! Other ways to read files that were refused: lengths that can be computed, each read by one press,
//! or the first records with a choice of what to read.

use super::read_as::layouts;
use super::tokens::invitation;
use crate::browser;
use crate::due;
use crate::files::OpenFiles;
use js_sys::Uint8Array;
use packscope::accepts::number;
use packscope::error::{ChoiceNeeded, ColumnOffer, UncountedTexts};
use packscope::formula::{self, Formula, Operand};
use packscope::ingest::{Column, ComputedLength, Counts, Options, PairReading, PromptAndResponse};
use packscope::words::plural;
use packscope_page::state::question;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Element, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Bytes in which the first records are looked for; then the records shown, and the most characters
/// of each.
const HEAD: f64 = 16384.0;
const RECORDS: usize = 10;
const LONGEST: usize = 200;

/// The value of the option for no count.
const NONE: &str = "0";

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub files: OpenFiles,
    /// The reason why they were refused, after their name.
    pub problem: String,
    /// Reads them with these options.
    pub again: Callback<Options>,
    /// Estimates the lengths of their texts.
    pub estimate: Callback<()>,
}

/// The question with its answers, and choices of format, length and count beside the first records.
#[component]
pub fn Another(props: &Props) -> Html {
    let (records, typed) = (use_state(Vec::<String>::new), use_state(String::new));
    let OpenFiles {
        name,
        files,
        options,
        asked,
        ..
    } = &props.files;
    // The problem reads `files: file, reason` where there are several files.
    let is_refused =
        |(one, _): &&(String, Blob)| props.problem.starts_with(&format!("{name}: {one}, "));
    let refused = files.iter().find(is_refused).or(files.first());
    use_effect_with(refused.map(|(_, blob)| blob.clone()), {
        let set = records.setter();
        move |blob| {
            blob.clone().map_or((), |blob| {
                due::load(async move { set.set(first_lines(&blob).await) })
            })
        }
    });
    let in_view = use_in_view();
    let (format, [length, times]) = (use_node_ref(), [use_node_ref(), use_node_ref()]);
    // Layout and count are those of the lists, which say what is likely also while they are folded.
    let read_length = {
        let (format, times, options) = (format.clone(), times.clone(), options.clone());
        props.again.reform(move |length: String| {
            chosen(&options, &value(&format), &length, value(&times).trim())
        })
    };
    let read = {
        let (length, typed) = (length.clone(), typed.clone());
        read_length.reform(move |_: MouseEvent| {
            if typed.is_empty() {
                value(&length)
            } else {
                (*typed).clone()
            }
        })
    };
    let set = typed.setter();
    let oninput = Callback::from(move |e: InputEvent| {
        let line = e.target_dyn_into::<HtmlInputElement>();
        set.set(
            line.map(|line| line.value().trim().to_owned())
                .unwrap_or_default(),
        );
    });
    let computed = computed(asked);
    let choice = html! {
        <>
            { beginning(props, refused.map(|(one, _)| one), &records) }
            { lists(&props.files, [&format, &length, &times], oninput) }
            if let Some(results) = results(&typed, &asked.fields) {
                <p class="hint" role="status" data-results="">{ results }</p>
            }
            <button type="button" class="solid" onclick={read}>{ "Read it this way" }</button>
        </>
    };
    let folds = !computed.is_empty() || asked.texts == Some(UncountedTexts::Conversations);
    html! {
        <div data-another="" ref={in_view}>
            <p>
                // A problem without a question has no answers that its words could leave out.
                if *asked == ChoiceNeeded::default() {
                    { &props.problem }
                } else {
                    { question::on_page(&props.problem) }
                }
            </p>
            { presses(props) }
            if computed.is_empty() {
                { uncounted(props) }
            } else {
                <p class="answers">
                    { "Read as " }
                    { for computed.iter().map(|(length, label)| {
                        let length = length.clone();
                        let onclick = read_length.reform(move |_: MouseEvent| length.clone());
                        html! { <button type="button" class="solid" {onclick}>{ label }</button> }
                    }) }
                </p>
            }
            if folds {
                <details class="source" data-otherwise="">
                    <summary>{ "Read it another way" }</summary>
                    if !computed.is_empty() {
                        { uncounted(props) }
                    }
                    { choice }
                </details>
            } else {
                { choice }
            }
        </div>
    }
}

/// Pixels at the lower end of a phone's window that a bar covers.
const BAR: f64 = 48.0;

/// Returns the reference of an element that is brought into the window when it appears below it, as
/// a question there would not be seen. Once it is answered, the window shows what it did before.
#[hook]
fn use_in_view() -> NodeRef {
    let node = use_node_ref();
    let asked = node.clone();
    use_effect_with((), move |()| {
        let window = browser::window();
        let before = window.scroll_y().unwrap_or_default();
        let height = window.inner_height().ok().and_then(|h| h.as_f64());
        let end = height.unwrap_or(f64::MAX) - BAR;
        let is_below = |asked: &Element| asked.get_bounding_client_rect().bottom() > end;
        let below = asked.cast::<Element>().filter(is_below);
        if let Some(asked) = &below {
            asked.scroll_into_view();
        }
        move || {
            if below.is_some() {
                window.scroll_to_with_x_and_y(0.0, before);
            }
        }
    });
    node
}

/// The lists for layout, length and count, with a line for a formula.
fn lists(
    files: &OpenFiles,
    [format, length, times]: [&NodeRef; 3],
    oninput: Callback<InputEvent>,
) -> Html {
    let OpenFiles { options, asked, .. } = files;
    let are_known = !asked.fields.is_empty();
    let is_now = |name: &str| options.format.is_some() && layout(options) == Some(name);
    html! {
        <div class="read-as">
            <label for="another-format">{ "Read as" }</label>
            <select id="another-format" ref={format}>
                <option value="" selected={!layouts().any(|one| is_now(one.0))}>
                    { "detect" }
                </option>
                { for layouts().map(|(name, title, ..)| html! {
                    <option value={name} selected={is_now(name)}>{ title }</option>
                }) }
            </select>
            if are_known {
                <label for="another-field">{ "Length" }</label>
                <select id="another-field" ref={length}>{ for lengths(asked) }</select>
            }
            <label for="another-length">{ if are_known { "or computed" } else { "Length" } }</label>
            <input
                id="another-length"
                class="field"
                type="text"
                spellcheck="false"
                {oninput}
                placeholder="field, a.b, a number, or a formula; two sizes: nodes, edges"
            />
            <label for="another-count">{ "Count" }</label>
            if are_known {
                <select id="another-count" ref={times}>{ for counts(asked) }</select>
            } else {
                <input
                    id="another-count"
                    ref={times}
                    class="field"
                    type="text"
                    spellcheck="false"
                    placeholder="field or number; 0: each record is one item"
                />
            }
        </div>
    }
}

/// The ways to lengths of texts: counted with a tokenizer that is dropped here, or estimated.
fn uncounted(props: &Props) -> Html {
    let OpenFiles { files, asked, .. } = &props.files;
    let what = match asked.texts {
        Some(UncountedTexts::Conversations) => "These are conversations.",
        Some(UncountedTexts::Texts) => "There are texts in it.",
        None => return invitation(asked.fields.iter().any(|field| field.holds == "text")),
    };
    let onclick = props.estimate.reform(|_: MouseEvent| ());
    html! {
        <p class="answers" data-uncounted="">
            { what }
            { " For exact lengths, drop the " }
            <code>{ packscope::tokens::TOKENIZER }</code>
            { " of your model here too" }
            // Texts of several files are not estimated as one.
            if files.len() == 1 {
                { ", or " }
                <button type="button" class="solid" {onclick}>{ "estimate from characters" }</button>
            } else {
                { "." }
            }
        </p>
    }
}

/// Returns the lengths that are on offer where one can be computed, each with the words of its
/// button: else a column is chosen from a list, with its first numbers.
fn computed(asked: &ChoiceNeeded) -> Vec<(String, String)> {
    let is_column = |length: &String| {
        asked
            .fields
            .iter()
            .any(|field| field.choice == *length || field.name == *length)
    };
    if asked.lengths.iter().all(is_column) {
        return Vec::new();
    }
    // Columns come last, and stand in the list.
    let last = asked.lengths.iter().rposition(|length| !is_column(length));
    let formulae = asked.lengths.iter().take(last.map_or(0, |at| at + 1));
    let words = |length: &String| {
        ComputedLength::of(length).map_or_else(|| length.clone(), |computed| computed.label)
    };
    formulae
        .map(|length| (length.clone(), words(length)))
        .chain(two_limits(&asked.fields))
        .collect()
}

/// Returns the columns of a prompt and its response, to be read as two sizes, with the words of the
/// button.
fn two_limits(fields: &[ColumnOffer]) -> Option<(String, String)> {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let both = PromptAndResponse::of(&names)?;
    let both = [both.prompt, both.response];
    // Any other name would have to be quoted, as in a formula.
    let is_plain = |name: &String| {
        name.chars()
            .all(|c| c.is_alphanumeric() || "_.".contains(c))
    };
    let label = PairReading::TwoBudgets.label().to_owned();
    both.iter().all(is_plain).then(|| (both.join(", "), label))
}

/// The first records of the file that was refused, so that a choice is made with them in view.
fn beginning(props: &Props, refused: Option<&String>, records: &[String]) -> Html {
    if records.is_empty() {
        return Html::default();
    }
    let name = refused
        .filter(|_| props.files.files.len() > 1)
        .map_or("It", String::as_str);
    html! {
        <>
            <p class="hint">{ name }{ " begins so:" }</p>
            <pre data-records={records.len().to_string()}>{ records.join("\n") }</pre>
        </>
    }
}

/// Buttons for readings that need no further choice: another layout, and one that skips unreadable
/// records.
fn presses(props: &Props) -> Html {
    let OpenFiles { options, asked, .. } = &props.files;
    let press = |words: String, options: Options| {
        html! {
            <button
                type="button"
                class="word"
                onclick={props.again.reform(move |_: MouseEvent| options.clone())}
            >
                { words }
            </button>
        }
    };
    let of_layout = |name: &String| {
        let (_, title, format, delimiter) = layouts().find(|one| one.0 == name)?;
        let options = Options {
            format: Some(format),
            delimiter,
            ..options.clone()
        };
        Some(press(format!("Read as {title}"), options))
    };
    let without = (asked.skipped > 0).then(|| {
        let words = format!(
            "Read without {} that cannot be read",
            plural(asked.skipped, "record")
        );
        press(
            words,
            Options {
                allow_skipped: true,
                ..options.clone()
            },
        )
    });
    let all: Vec<Html> = asked
        .layouts
        .iter()
        .filter_map(of_layout)
        .chain(without)
        .collect();
    if all.is_empty() {
        Html::default()
    } else {
        html! { <p class="line">{ all }</p> }
    }
}

/// Returns the options for the length: likely fields first, then other fields whose lengths can be
/// measured.
fn lengths(asked: &ChoiceNeeded) -> Vec<Html> {
    let others = asked.fields.iter().filter(|field| {
        ["number", "list", "text"]
            .iter()
            .any(|can| field.holds.starts_with(can))
    });
    let none = asked
        .lengths
        .is_empty()
        .then(|| html! { <option value="" selected=true>{ "detect" }</option> });
    none.into_iter()
        .chain(choices(asked, &asked.lengths, others))
        .collect()
}

/// Returns the options for the count: likely fields first (else detection by name), then none, then
/// other numbers.
fn counts(asked: &ChoiceNeeded) -> Vec<Html> {
    let others = asked
        .fields
        .iter()
        .filter(|field| field.holds.starts_with("number"));
    let mut all = choices(asked, &asked.counts, others);
    // A choice and not the absence of one: without it the reader detects a count by its name.
    let none = html! { <option value={NONE}>{ "none: each record is one item" }</option> };
    let found = asked
        .counts
        .is_empty()
        .then(|| html! { <option value="" selected=true>{ "detect" }</option> });
    // Behind the likely fields: the first of these is selected, not “none”.
    all.splice(
        asked.counts.len()..asked.counts.len(),
        found.into_iter().chain([none]),
    );
    all
}

/// Returns the likely choices, the first of them selected, then the others, each with its contents.
fn choices<'a>(
    asked: &ChoiceNeeded,
    likely: &[String],
    others: impl Iterator<Item = &'a ColumnOffer>,
) -> Vec<Html> {
    let is =
        |field: &ColumnOffer, choice: &String| field.choice == *choice || field.name == *choice;
    let words = |field: &ColumnOffer| match &field.first[..] {
        [] => format!("{} ({})", field.name, field.holds),
        first => format!(
            "{} ({}: {})",
            field.name,
            field.holds,
            first.iter().take(4).cloned().collect::<Vec<_>>().join(", ")
        ),
    };
    let likely = || likely.iter().enumerate();
    let first = likely().map(|(at, choice)| {
        let field = asked.fields.iter().find(|field| is(field, choice));
        let words = field.map_or_else(|| choice.clone(), words);
        html! { <option value={choice.clone()} selected={at == 0}>{ words }</option> }
    });
    let others = others.filter(|field| !likely().any(|(_, choice)| is(field, choice)));
    first
        .chain(
            others.map(
                |field| html! { <option value={field.choice.clone()}>{ words(field) }</option> },
            ),
        )
        .collect()
}

/// Returns the values of a formula for the first records, or the reason why it has none.
fn results(typed: &str, fields: &[ColumnOffer]) -> Option<String> {
    // Two sizes are two formulae, whose results would not stand in one line.
    if typed.is_empty() || fields.is_empty() || formula::split(typed).len() > 1 {
        return None;
    }
    let computed = Formula::parse(typed).and_then(|formula| {
        let field = |operand: &Operand| {
            let found = match operand {
                Operand::Name(name) => fields
                    .iter()
                    .find(|field| field.choice == *name || field.name == *name),
                // Columns are numbered from 1.
                Operand::Number(n) => fields.get((*n as usize).saturating_sub(1)),
            };
            found.ok_or_else(|| format!("There is no {}.", Column::from(operand)))
        };
        let of = formula
            .fields()
            .iter()
            .map(field)
            .collect::<Result<Vec<_>, _>>()?;
        let value = |row: usize| {
            let numbers = of
                .iter()
                .map(|field| number(field.first.get(row)?))
                .collect::<Option<Vec<f64>>>()?;
            Some(formula.value(&numbers))
        };
        // Fields have as many first values as were kept; the shortest one ends the list.
        Ok((0..RECORDS).map_while(value).collect::<Vec<f64>>())
    });
    Some(match computed {
        Err(why) => why,
        Ok(all) => {
            let listed = all
                .iter()
                .map(f64::to_string)
                .collect::<Vec<_>>()
                .join(", ");
            let are_lengths = all.iter().all(|x| x.fract() == 0.0 && *x >= 1.0);
            let but = if are_lengths {
                ""
            } else {
                "; lengths are whole numbers from 1"
            };
            format!("Of the first records: {listed}{but}.")
        }
    })
}

fn value(of: &NodeRef) -> String {
    // A choice is a list where the fields are known, and else a field to type into.
    let list = of.cast::<HtmlSelectElement>().map(|list| list.value());
    list.or_else(|| of.cast::<HtmlInputElement>().map(|line| line.value()))
        .unwrap_or_default()
}

/// Returns the name of the layout that these options read.
fn layout(options: &Options) -> Option<&'static str> {
    layouts()
        .find(|one| Some(one.2) == options.format && one.3 == options.delimiter)
        .map(|one| one.0)
}

/// Returns the options for a layout, sizes and a count; whatever is empty is detected.
fn chosen(before: &Options, layout: &str, sizes: &str, count: &str) -> Options {
    let layout = layouts().find(|one| one.0 == layout);
    let sizes = formula::split(sizes)
        .into_iter()
        .filter(|one| !one.is_empty())
        .map(Column::from)
        .collect();
    let count = match count {
        "" => None,
        NONE => Some(Counts::One),
        column => Some(Counts::Column(column.into())),
    };
    Options {
        format: layout.as_ref().map(|one| one.2),
        delimiter: layout.and_then(|one| one.3),
        sizes,
        count,
        // A list of stopwords is the visitor’s own. All else belongs to the reading that was
        // refused.
        stopwords: before.stopwords.clone(),
        ..Options::default()
    }
}

/// Returns the first lines of a file; none if it is not text.
async fn first_lines(blob: &Blob) -> Vec<String> {
    let Ok(part) = blob.slice_with_f64_and_f64(0.0, HEAD) else {
        return Vec::new();
    };
    let Ok(buffer) = JsFuture::from(part.array_buffer()).await else {
        return Vec::new();
    };
    let bytes = Uint8Array::new(&buffer).to_vec();
    // Text has no zero bytes.
    if bytes.contains(&0) {
        return Vec::new();
    }
    let shown = |line: &str| {
        line.chars()
            .filter(|c| !c.is_control() || *c == '\t')
            .take(LONGEST)
            .collect()
    };
    // Lossy, since the part may end within a character.
    String::from_utf8_lossy(&bytes)
        .lines()
        .take(RECORDS)
        .map(shown)
        .collect()
}
