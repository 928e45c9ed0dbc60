//! The batches of an epoch: random ones beside those of the chosen sampler.

use super::Props;
use crate::components::behind::behind;
use crate::components::{choice, hues, titled};
use crate::plot::{Draw, Plot, Room, further};
use packscope::chart::Frame;
use packscope::chart::batches::{Column, Input, layout, scene, summary};
use packscope::sampler::Drawn;
use packscope::state::AppState;
use packscope::state::batches::{Action, Row, findings};
use packscope::words::{count, percent, plural};
use std::rc::Rc;
use yew::prelude::*;

/// The number of batches drawn when only the first ones are chosen.
const FIRST: usize = 12;

/// The picture of both epochs.
#[component]
pub fn Picture(props: &Props) -> Html {
    let state = &props.state;
    let hover = use_state_eq(|| None::<(usize, usize)>);
    let key = state.pictured_rows().map(|row| state.batched(row).map(|b| (b.ticket, state.is_pictured(row))));
    let key = (key, state.pictured_rows(), state.shown_epoch(), state.batches.first_batches);
    let draw = use_memo((key, *hover), |_| drawing(props, *hover));
    let Some(label) = input(state, None).map(|input| summary(&input)) else {
        return html! { <section class="epoch"></section> };
    };
    let onpoint = {
        let (state, hover) = (state.clone(), hover.setter());
        Callback::from(move |at: Option<(f64, f64, Room)>| {
            let found = at.zip(input(&state, None));
            hover.set(found.and_then(|((x, y, room), input)| layout(&input, &room.measure()).at(x, y)));
        })
    };
    let onstep = {
        let (hover, many) = (hover.clone(), drawn(state));
        Callback::from(move |[right, up]: [i32; 2]| {
            let Some((column, batch)) = *hover else { return hover.set(Some((1, 0))) };
            let column = further(column, right, many.len()).unwrap_or(0);
            hover.set(further(batch, -up, many[column]).map(|batch| (column, batch)));
        })
    };
    let first = state.batches.first_batches;
    let set = |first| props.dispatch.reform(move |_| Action::FirstBatches(first));
    let title = findings::of_picture(state).unwrap_or_default();
    let under = hover.and_then(|at| of_batch(state, at));
    html! {
        <section class="epoch">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>{ under.unwrap_or_else(|| "Each block is a batch: as high as it has rows, as wide as its longest.".to_owned()) }</p>
                { choice("Batches drawn", &[("whole epoch", !first, set(false)), ("first twelve", first, set(true))]) }
            </div>
            <Plot name="batches" title={title.clone()} theme={state.theme} class="tall-batches" {label} draw={(*draw).clone()} {onpoint} {onstep} />
            { table(state) }
        </section>
    }
}

fn table(state: &AppState) -> Html {
    let columns = input(state, None).map(|input| input.columns);
    let row = |c: Column| vec![c.name.to_owned(), count(c.steps), count(c.rows), percent(c.padding)];
    let rows = columns.into_iter().flatten().map(row);
    behind("The batches of one epoch", ["sampler", "batches", "rows", "padding"], rows)
}

/// The number of batches drawn, per column.
fn drawn(state: &AppState) -> [usize; 2] {
    let input = input(state, None);
    std::array::from_fn(|k| {
        let many = input.as_ref().map_or(0, |input| input.columns[k].batches.len());
        input.as_ref().and_then(|input| input.first).map_or(many, |first| many.min(first))
    })
}

/// The input of the picture; `None` until both columns have batches.
fn input(state: &AppState, hover: Option<(usize, usize)>) -> Option<Input<'_>> {
    let column = |row: Row| {
        let (figures, picture) = (state.epoch_figures(row)?, state.epoch_picture(row)?);
        let rows = match picture.batches.first() {
            // Packed rows are as wide as the limit.
            Some(_) if row.sampler == packscope::sampler::Sampler::Packed => {
                figures.slots / u64::from(state.batch_report(row)?.settings.limit.max(1))
            }
            _ => figures.items,
        };
        Some(Column {
            name: findings::name_of(row),
            batches: &picture.batches,
            every: picture.every,
            steps: figures.batches,
            rows,
            padding: figures.padding_share,
        })
    };
    let [left, right] = state.pictured_rows().map(column);
    let limit = state.batch_report(state.batch_row())?.settings.limit;
    Some(Input {
        columns: [left?, right?],
        limit,
        hues: hues(&state.sequences, limit),
        first: state.batches.first_batches.then_some(FIRST),
        hover,
        unit: state.sequences.unit(),
    })
}

fn drawing(props: &Props, hover: Option<(usize, usize)>) -> Draw {
    let state = props.state.clone();
    Rc::new(move |frame: &Frame| {
        let drawn = input(&state, hover).map(|input| scene(&input, frame).0);
        drawn.unwrap_or_default()
    })
}

/// "Batch 13: 64 sequences of 5 to 61 tokens, 47.0 % padding."
fn of_batch(state: &AppState, (column, index): (usize, usize)) -> Option<String> {
    let picture = state.epoch_picture(*state.pictured_rows().get(column)?)?;
    let batch = picture.batches.get(index)?;
    let [shortest, longest] = lengths(batch);
    let slots = batch.height() as f64 * f64::from(batch.width);
    let padding = percent(1.0 - real(batch) as f64 / slots.max(1.0));
    let unit = state.sequences.unit();
    // Where only some are kept, their place in the epoch says nothing.
    let name = match picture.every {
        1 => format!("Batch {}", count(index as u64 + 1)),
        every => format!("One of {} batches", count(every)),
    };
    let of = if shortest == longest {
        format!("{} {unit}", count(u64::from(longest)))
    } else {
        format!("{} to {} {unit}", count(u64::from(shortest)), count(u64::from(longest)))
    };
    Some(format!("{name}: {} of {of}, {padding} padding.", plural(batch.size(), "sequence")))
}

fn lengths(batch: &Drawn) -> [u32; 2] {
    let all = || batch.rows.iter().flat_map(|row| &row.runs).map(|(length, _)| *length);
    [all().min(), all().max()].map(|end| end.unwrap_or(0))
}

fn real(batch: &Drawn) -> u64 {
    let used = |runs: &[(u32, u32)]| runs.iter().map(|(l, n)| u64::from(*l) * u64::from(*n)).sum::<u64>();
    batch.rows.iter().map(|row| used(&row.runs) * u64::from(row.count)).sum()
}
