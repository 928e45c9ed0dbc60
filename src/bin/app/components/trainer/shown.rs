//! The plot and the rows of comparisons of libraries, of all kinds.

use crate::components::figure::{Figure, drawn};
use crate::components::take::save::save_button;
use crate::components::{PENDING, tied};
use packscope::export::{Cell, Table};
use packscope::words::{capital, count};
use packscope_chart::Scale;
use packscope_chart::lines::{Dot, Quantity};
use packscope_chart::scatter::{Input, shares};
use packscope_page::state::Theme;
use packscope_page::state::trainer::Action as Trained;
use std::rc::Rc;
use yew::prelude::*;

/// Returns the plot of dots: the y axis is a share, the x axis a share or a number.
fn picture(dots: Vec<Dot>, x: &'static str, in_shares: bool) -> Input {
    let y = shares("", dots.iter().map(|dot| dot.at.1));
    let x = if in_shares {
        shares(x, dots.iter().map(|dot| dot.at.0))
    } else {
        let most = dots.iter().map(|dot| dot.at.0).fold(0.05, f64::max);
        let label = |value: f64| count(value.round() as u64);
        Quantity {
            name: x.into(),
            range: [0.0, most * 1.08],
            scale: Scale::Linear,
            label,
        }
    };
    Input::new(x, y, dots)
}

/// Draws the plot of all libraries under its caption, with its title as a sentence below it; the sentence alone without a
/// dot. `label` is the text alternative before the title.
pub fn plotted(
    (theme, caption): (Theme, &'static str),
    (label, title): (&str, &str),
    (dots, x, in_shares): (Vec<Dot>, &'static str, bool),
) -> Html {
    let is_empty = dots.is_empty();
    let chart = Rc::new(picture(dots, x, in_shares));
    html! {
        <>
            if !is_empty {
                <p class="caption">{ caption }</p>
                <Figure
                    name="trainers"
                    title={title.to_owned()}
                    {theme}
                    class="tall-limits"
                    label={format!("{label}. {title}.")}
                    chart={drawn(&chart)}
                />
            }
            <p>
                { tied(title) }
                { "." }
            </p>
        </>
    }
}

/// Adds a row for each library that is still to come.
pub fn add_coming(table: &mut Table, coming: &[&str]) {
    let columns = table.columns.len();
    table.rows.extend(coming.iter().map(|id| {
        let mut cells = vec![Cell::new("", PENDING); columns];
        // Other cells of a row to come say that it is computed.
        cells[0] = Cell::words(*id);
        cells
    }));
}

/// Returns the button that saves the table; dots while rows are to come, as a file that lacks some would be taken for all.
pub fn saved(name: &'static str, csv: String, coming: &[&str]) -> Html {
    match coming.is_empty() {
        true => save_button("CSV", name.to_owned(), move || csv.clone()),
        false => html! { { PENDING } },
    }
}

/// A row of the table: a press on the name chooses the library.
pub fn row(
    cells: &[Cell],
    columns: &[(String, String)],
    (all, chosen): (&[(&'static str, &'static str)], Option<&str>),
    act: &Callback<Trained>,
) -> Html {
    let id = cells
        .first()
        .map(|cell| cell.exact.clone())
        .unwrap_or_default();
    let is_chosen = chosen == Some(id.as_str());
    let head = match all.iter().find(|(other, _)| *other == id) {
        Some((other, title)) => {
            let onclick = act.reform(|_: MouseEvent| Trained::Choose(Some((*other).to_owned())));
            html! {
                <button type="button" class="name" aria-pressed={is_chosen.to_string()} {onclick}>
                    <span class="long">{ title }</span>
                    <span class="short">{ &id }</span>
                </button>
            }
        }
        // The last rows are plans of Packscope, to compare with.
        None => html! { { capital(id.trim_start_matches("packscope ")) } },
    };
    let cell = |(cell, (name, _)): (&Cell, &(String, String))| match cell.shown.as_str() {
        PENDING => html! { <td data-coming="">{ PENDING }</td> },
        shown => {
            html! {
                <td data-figure={name.clone()} data-value={cell.exact.clone()}>
                    { shown.to_owned() }
                </td>
            }
        }
    };
    html! {
        <tr class={classes!(is_chosen.then_some("chosen"))} data-library={id.clone()}>
            <th scope="row">{ head }</th>
            { for cells.iter().zip(columns).skip(1).map(cell) }
        </tr>
    }
}
