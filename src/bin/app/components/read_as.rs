//! How the visitor's file was understood, in one line from which layout, columns and counts open to
//! be changed.

use super::stopwords::StopwordList;
use super::tokens::invitation;
use super::{filtered, list};
use packscope::ingest::{
    self, Choice, Column, Contents, Counts, Delimiter, Description, Format, Note, Options,
    PairReading,
};
use packscope::words::{capital, count, percent};
use packscope_page::state::{prompts, tokens, understood};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The name of the file, or of what was pasted.
    pub name: String,
    pub description: Rc<Description>,
    pub reread: Callback<Options>,
}

/// A layout on offer: its name, its title, and the format and delimiter that it stands for.
pub type Layout = (&'static str, String, Format, Option<Delimiter>);

/// Returns the layouts on offer: one table per delimiter, and every other text format.
pub fn layouts() -> impl Iterator<Item = Layout> {
    let table = |d: Delimiter| {
        (
            d.name(),
            format!("table, {}", d.long_name()),
            Format::Table,
            Some(d),
        )
    };
    let others = Format::ALL
        .into_iter()
        .filter(|f| f.is_text() && *f != Format::Table);
    let other = |f: Format| (f.name(), f.long_name().to_owned(), f, None);
    Delimiter::ALL
        .into_iter()
        .map(table)
        .chain(others.map(other))
}

/// Returns the options that read a file as before, as the base of a change; unreadable records are
/// refused again.
fn changed(description: &Description) -> Options {
    Options {
        allow_skipped: false,
        ..description.options()
    }
}

/// The line on how the file was understood, with layout, columns and assumptions folded behind it,
/// and what casts doubt on the figures.
#[component]
pub fn ReadAs(props: &Props) -> Html {
    // Columns chosen for this file but not read: the second one is still to be chosen, or they were
    // refused.
    let tried = use_state(|| None::<(Rc<Description>, Vec<String>)>);
    let description = &props.description;
    let pending = tried
        .as_ref()
        // By address: each reading of a file has a description of its own.
        .filter(|(about, _)| Rc::ptr_eq(about, description))
        .map(|(_, c)| c.clone());
    let columns = pending.unwrap_or_else(|| columns_read(description));
    let attempt = {
        let (set, description, reread) =
            (tried.setter(), Rc::clone(description), props.reread.clone());
        Callback::from(move |columns: Vec<String>| {
            let chosen = columns.iter().filter(|c| !c.is_empty());
            let sizes: Vec<Column> = chosen.map(|c| description.column(c)).collect();
            // All detected, or all chosen: one size of two reads nothing yet.
            if sizes.is_empty() || sizes.len() == columns.len() {
                reread.emit(Options {
                    sizes,
                    ..changed(&description)
                });
            }
            set.set(Some((Rc::clone(&description), columns)));
        })
    };
    // Tokens are counted again in a panel of their own, not read in another way.
    let may_change = !tokens::are_tokens(&description.notes) && !description.is_estimated();
    html! {
        <>
            // The key folds the choices again for another file.
            <details key={props.name.clone()} class="understood" data-understood="">
                <summary>
                    { understood(&props.name, description) }
                    if may_change {
                        { " " }
                        <span class="word">{ "change" }</span>
                    }
                </summary>
                if may_change {
                    <div class="read-as">
                        { layout(props) }
                        { number_of_sizes(props, &columns, &attempt) }
                        { sizes(description, &columns, &attempt) }
                        { counts(props) }
                    </div>
                }
                { for description.notes.iter().filter(|note| !is_shown(note)).map(note) }
                { unread_columns(description) }
            </details>
            if let Some(stopwords) = &description.stopwords {
                <StopwordList
                    description={Rc::clone(description)}
                    stopwords={stopwords.clone()}
                    reread={props.reread.clone()}
                />
            }
            { prompts(props) }
            if let Some(doubt) = description.doubt() {
                <p class="hint" role="alert" data-doubt="">
                    <strong>
                        { format!("{}: the figures may be those of other data.", capital(&doubt)) }
                    </strong>
                </p>
            }
            { invitation(tokens::are_words(&description.notes)) }
            { for description.notes.iter().filter(|note| is_shown(note)).map(note) }
            { skipped(description) }
        </>
    }
}

/// The ways to read prompts with their responses, of which the likeliest was taken.
fn prompts(props: &Props) -> Html {
    let Some((both, now)) = prompts::found(&props.description) else {
        return Html::default();
    };
    let way = |way: PairReading| {
        let (sizes, description) = (both.columns(way), Rc::clone(&props.description));
        let onclick = props.reread.reform(move |_: MouseEvent| Options {
            sizes: sizes.clone(),
            ..changed(&description)
        });
        html! {
            <button
                type="button"
                class="word"
                aria-pressed={(way == now).to_string()}
                {onclick}
            >
                { way.label() }
            </button>
        }
    };
    html! {
        <p class="hint answers" data-prompts="">{ "Read as " }{ for prompts::WAYS.map(way) }</p>
    }
}

/// Whether a note says how near lengths are to the tokens of a model, which belongs beside them.
fn is_shown(note: &Note) -> bool {
    matches!(
        note,
        Note::Estimated { .. } | Note::Words | Note::Tokens { .. }
    )
}

fn note(note: &Note) -> Html {
    html! { <p class="hint">{ capital(&note.to_string()) }{ "." }</p> }
}

fn skipped(description: &Description) -> Html {
    if description.skipped == 0 {
        return Html::default();
    }
    let problems = description.problems.iter();
    html! {
        <details class="source" data-skipped={description.skipped.to_string()}>
            <summary>
                { format!(
                    "{} skipped ({}): see why",
                    count(description.skipped),
                    percent(description.skipped_share())
                ) }
            </summary>
            <ul>{ for problems.map(|problem| html! { <li>{ problem.to_string() }</li> }) }</ul>
        </details>
    }
}

fn unread_columns(description: &Description) -> Html {
    let left = description.unread_columns();
    if left.is_empty() {
        return Html::default();
    }
    let more = if left.len() > 8 { ", …" } else { "" };
    let listed = left.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    html! {
        <p class="hint" data-left={left.len().to_string()}>
            { format!("Not read: {listed}{more}.") }
        </p>
    }
}

/// Returns the columns read as sizes, one per component; empty if unknown.
fn columns_read(description: &Description) -> Vec<String> {
    let mut columns: Vec<String> = description.sizes.iter().map(Column::choice).collect();
    columns.resize(description.largest.len(), String::new());
    columns
}

fn layout(props: &Props) -> Html {
    let description = &props.description;
    // Binary formats identify themselves.
    let format = description.format;
    if !format.is_text() {
        return html! {
            <>
                <span>{ "Read as" }</span>
                <span data-format={format.name()}>{ format.long_name() }</span>
            </>
        };
    }
    let set = props.reread.reform(|value: String| {
        let chosen = layouts().find(|l| l.0 == value);
        Options {
            // Columns are those of a layout, so another layout detects them anew.
            format: chosen.as_ref().map(|l| l.2),
            delimiter: chosen.and_then(|l| l.3),
            ..Options::default()
        }
    });
    let is_chosen = |l: &Layout| l.2 == format && (l.3.is_none() || l.3 == description.delimiter);
    html! {
        <>
            <label for="format">{ "Read as" }</label>
            { list(
                "format",
                layouts().map(|l| (l.0.into(), l.1.clone().into(), is_chosen(&l))),
                &set,
            ) }
        </>
    }
}

/// The choice of one length or two sizes. The columns are read at once if detected, else must be
/// chosen.
fn number_of_sizes(props: &Props, columns: &[String], attempt: &Callback<Vec<String>>) -> Html {
    let description = &props.description;
    // A table of one column has no second size.
    let is_wide = description.format != Format::Table || description.width > 1;
    if description.format.choice() == Choice::Fixed || !is_wide {
        return Html::default();
    }
    let set = {
        let (description, first) = (
            Rc::clone(description),
            columns.first().cloned().unwrap_or_default(),
        );
        attempt.reform(
            move |sizes: String| match (sizes.as_str(), description.as_pairs()) {
                ("1", _) => vec![first.clone()],
                (_, Some(options)) => options.sizes.iter().map(Column::choice).collect(),
                (_, None) => vec![first.clone(), String::new()],
            },
        )
    };
    let two = columns.len() == 2;
    let all = [
        ("1".into(), "one length".into(), !two),
        ("2".into(), "two sizes".into(), two),
    ];
    html! {
        <>
            <label for="sizes">{ "Sizes" }</label>
            { list("sizes", all, &set) }
        </>
    }
}

/// A choice for each size, labelled by its component, or by its position if the component is named
/// after the column.
fn sizes(description: &Description, columns: &[String], attempt: &Callback<Vec<String>>) -> Html {
    let names: Vec<&str> = description.components.iter().map(String::as_str).collect();
    let labels = match columns.len() {
        1 => ["Length", ""],
        _ if names.is_empty() || ingest::item(2, &names) == "graph" => ["Nodes", "Edges"],
        _ => ["First size", "Second size"],
    };
    let ids = if columns.len() == 1 {
        ["length-column", ""]
    } else {
        ["size-column-1", "size-column-2"]
    };
    let one = |(k, (id, label)): (usize, (&'static str, &'static str))| {
        let columns = columns.to_vec();
        let now = columns.get(k).cloned().filter(|c| !c.is_empty());
        let set = attempt.reform(move |chosen| {
            let mut columns = columns.clone();
            let before = std::mem::replace(&mut columns[k], chosen);
            // Two sizes from one column are useless: choosing the column of the other size swaps
            // the two. With one size, `other` is `k`.
            let other = columns.len() - 1 - k;
            if other != k && !columns[k].is_empty() && columns[other] == columns[k] {
                columns[other] = before;
            }
            columns
        });
        column(id, label, "detect", description, now, &set)
    };
    let fields = ids.into_iter().zip(labels).take(columns.len()).enumerate();
    html! { <>{ for fields.map(one) }</> }
}

fn counts(props: &Props) -> Html {
    let description = Rc::clone(&props.description);
    if description.format == Format::Histogram {
        return Html::default();
    }
    let now = description.count.as_ref().map(Column::choice);
    let set = props.reread.reform(move |value: String| {
        let count = if value.is_empty() {
            Counts::One
        } else {
            Counts::Column(description.column(&value))
        };
        Options {
            count: Some(count),
            ..changed(&description)
        }
    });
    column(
        "count-column",
        "Count",
        "none",
        &props.description,
        now,
        &set,
    )
}

/// A choice among the columns of a table or the fields of JSON, with their contents; nothing for
/// other formats.
fn column(
    id: &'static str,
    label: &'static str,
    none: &'static str,
    description: &Description,
    chosen: Option<String>,
    set: &Callback<String>,
) -> Html {
    // A length may be measured, of a text or a list; a count is a number.
    let fits = |name: &String| match (id, description.holds(name)) {
        ("count-column", Some(holds)) => holds == Contents::Number,
        _ => true,
    };
    let choices: Vec<String> = description.choices().into_iter().filter(fits).collect();
    let input = match description.format.choice() {
        Choice::Fixed => return Html::default(),
        // Arrays have no fields, and in a very long first record none may have been found.
        Choice::Fields if description.contents.is_empty() => {
            let value = chosen.clone().unwrap_or_default();
            let typed = |e: Event| e.target_dyn_into::<HtmlInputElement>().map(|i| i.value());
            let onchange = set.reform(move |e| typed(e).unwrap_or_default());
            html! {
                <input
                    {id}
                    class="field"
                    type="text"
                    {value}
                    placeholder="field, a.b, a number, or a formula"
                    {onchange}
                />
            }
        }
        _ => {
            // A formula is no column, but stands in the list while it is chosen.
            let others = chosen.iter().filter(|name| !choices.contains(name));
            let all = choices.iter().chain(others).map(|name| {
                let words = description
                    .holds(name)
                    .map(|holds| format!("{name} ({})", holds.word()));
                let words = words.unwrap_or_else(|| name.clone());
                (
                    name.clone().into(),
                    words.into(),
                    chosen.as_ref() == Some(name),
                )
            });
            let none = ("".into(), none.into(), chosen.is_none());
            list(id, std::iter::once(none).chain(all), set)
        }
    };
    let computed = (id != "count-column" && !description.choices().is_empty()).then(|| {
        let is_formula = |name: &String| !description.choices().contains(name);
        formula(id, chosen.filter(is_formula).unwrap_or_default(), set)
    });
    html! {
        <>
            <label for={id}>{ label }</label>
            { input }
            { computed }
        </>
    }
}

/// A field for a formula over the columns, which is used like a column. The notes below show its
/// first results.
fn formula(id: &'static str, value: String, set: &Callback<String>) -> Html {
    let id = format!("{id}-computed");
    let typed = |e: Event| {
        e.target_dyn_into::<HtmlInputElement>()
            .map(|i| i.value().trim().to_owned())
    };
    let onchange = filtered(set, typed);
    html! {
        <>
            <label for={id.clone()}>{ "or computed" }</label>
            <input
                {id}
                class="field"
                type="text"
                spellcheck="false"
                {value}
                placeholder="end - start, ceil(width / 16) …"
                {onchange}
            />
        </>
    }
}
