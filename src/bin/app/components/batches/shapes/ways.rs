//! The tables: all methods side by side, and the chosen shapes one by one.

use super::ShownShapes;
use crate::components::framed;
use crate::components::table::padding;
use crate::components::take::save::save_button;
use packscope::api::shapes::{Settings, batch};
use packscope::export::{Cell, Table};
use packscope::shapes::{Shape, ShapeMethod, padding_share};
use packscope::words::count;
use packscope_page::state::batches::shapes::of_method;
use yew::prelude::*;

/// All methods and the given lengths side by side; a press on one chooses it.
#[component]
pub fn Ways(props: &ShownShapes) -> Html {
    let settings = props.settings();
    let methods = ShapeMethod::ALL.map(|method| {
        (
            Some(method),
            of_method(&props.methods, method, settings.shapes),
        )
    });
    // No method stands for the lengths of one’s own.
    let given = props.given.as_deref().map(|given| (None, &*given.shapes));
    let rows = methods
        .into_iter()
        .chain(given)
        .map(|(method, shapes)| way(props, method, shapes));
    framed(
        ["compare of-few", "Ways to choose shapes"],
        Some(props.current),
        html! {
            <>
                <th scope="col">{ "Chosen by" }</th>
                <th scope="col">{ "Shapes" }</th>
                <th scope="col">{ "Padding" }</th>
                <th scope="col" class="lengths">{ "Lengths" }</th>
            </>
        },
        rows,
    )
}

fn way(props: &ShownShapes, method: Option<ShapeMethod>, shapes: &[Shape]) -> Html {
    let settings = props.settings();
    let chosen = settings.method == method;
    let name = method.map_or("Your lengths", ShapeMethod::long_name);
    let id = method.map_or("given", ShapeMethod::name);
    let onclick = props.set.reform(move |_: MouseEvent| Settings {
        method,
        ..settings.clone()
    });
    let lengths: Vec<String> = shapes
        .iter()
        .map(|shape| shape.length.to_string())
        .collect();
    html! {
        <tr
            key={id}
            data-way={id}
            class={classes!(chosen.then_some("chosen"))}
            onclick={onclick.clone()}
        >
            <th scope="row">
                <button type="button" class="name" aria-pressed={chosen.to_string()} {onclick}>
                    { name }
                </button>
            </th>
            <td data-figure="shapes" data-value={shapes.len().to_string()}>
                { count(shapes.len() as u64) }
            </td>
            { padding(Some(padding_share(shapes))) }
            <td class="lengths" data-figure="lengths" data-value={lengths.join(",")}>
                { lengths.join(", ") }
            </td>
        </tr>
    }
}

/// The chosen shapes one by one, with the batch of each.
#[component]
pub fn Each(props: &ShownShapes) -> Html {
    let (shapes, slots) = (props.chosen(), props.state.shape_slots());
    let items: u64 = shapes.iter().map(|shape| shape.items).sum();
    let row = |shape: &Shape| {
        let (batch, share) = (
            batch(shape, slots),
            padding_share(std::slice::from_ref(shape)),
        );
        html! {
            <tr key={shape.length} data-shape={shape.length.to_string()}>
                <th scope="row">{ count(u64::from(shape.length)) }</th>
                <td data-figure="items" data-value={shape.items.to_string()}>
                    { count(shape.items) }
                </td>
                { padding(Some(share)) }
                <td data-figure="batch" data-value={batch.to_string()}>{ count(batch) }</td>
                <td data-figure="batches">{ count(shape.items.div_ceil(batch)) }</td>
            </tr>
        }
    };
    let csv = table(shapes, slots).csv();
    html! {
        <>
            { framed(
                ["compare still", "Shapes"],
                Some(props.current),
                html! {
                    <>
                        <th scope="col">{ "Length" }</th>
                        <th scope="col">{ "Sequences" }</th>
                        <th scope="col">{ "Padding" }</th>
                        <th scope="col">{ "A batch" }</th>
                        <th scope="col">{ "Batches" }</th>
                    </>
                },
                shapes.iter().map(row),
            ) }
            <p class="small">
                { format!(
                    "{} sequences. A batch: as many as {} slots have room for, at least one.",
                    count(items),
                    count(slots)
                ) }
            </p>
            <p class="actions">
                { save_button("CSV", "shapes.csv".to_owned(), move || csv.clone()) }
            </p>
        </>
    }
}

fn table(shapes: &[Shape], slots: u64) -> Table {
    let row = |shape: &Shape| {
        let share = padding_share(std::slice::from_ref(shape));
        let cells = [
            u64::from(shape.length),
            shape.items,
            shape.tokens,
            batch(shape, slots),
        ]
        .map(|n| Cell::words(n.to_string()));
        cells
            .into_iter()
            .chain([Cell::words(share.to_string())])
            .collect()
    };
    let columns = ["length", "items", "tokens", "batch", "padding_share"];
    Table {
        title: String::new(),
        columns: columns
            .map(|name| (name.to_owned(), name.to_owned()))
            .to_vec(),
        rows: shapes.iter().map(row).collect(),
    }
}
