//! A picture of the batches of an epoch: random ones beside those of the chosen sampler.

use super::Props;
use crate::components::figure::{Figure, Keys, drawn, use_hover};
use crate::components::{choice, hues, titled};
use crate::shared::SharedState;
use packscope_chart::batches::{Column, Input};
use packscope_chart::{Chart, Frame, Pen, Point, Spot, Table};
use packscope_page::state::AppState;
use packscope_page::state::batches::{Action, SamplerRow, findings};
use std::rc::Rc;
use yew::prelude::*;

/// The number of batches drawn while only the first ones are chosen.
const FIRST: usize = 12;

#[component]
pub fn Picture(props: &Props) -> Html {
    let state = &props.state;
    let (hover, onhover) = use_hover();
    // By ticket: epochs of a million batches are too long to be compared.
    let key = state.pictured_rows().map(|row| {
        state
            .batched(row)
            .map(|b| (b.ticket, state.is_pictured(row)))
    });
    let key = (
        key,
        state.pictured_rows(),
        state.shown_epoch(),
        state.batches.first_batches,
    );
    let chart = use_memo(key, |_| {
        // The input borrows the batches, so it is made anew from the state for each drawing.
        input(state).map(|_| Rc::new(BatchPicture(state.clone())))
    });
    let Some(chart) = &*chart else {
        return html! { <section class="epoch" /> };
    };
    let first = state.batches.first_batches;
    let set = |first| props.dispatch.reform(move |_| Action::FirstBatches(first));
    let title = findings::of_picture(state).unwrap_or_default();
    let whole = if state.trains() { "whole epoch" } else { "all" };
    let under = hover.and_then(|at| chart.reading(at));
    html! {
        <section class="epoch">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>
                    { under.unwrap_or_else(
                        || "Each block is a batch: as high as it has rows, as wide as its longest.".to_owned(),
                    ) }
                </p>
                { choice(
                    "Batches drawn",
                    &[
                        (whole, !first, set(false)),
                        ("first twelve", first, set(true)),
                    ],
                ) }
            </div>
            <Figure
                name="batches"
                {title}
                theme={state.theme}
                class="tall-batches"
                chart={drawn(chart)}
                keys={Keys::Point}
                {hover}
                {onhover}
            />
        </section>
    }
}

/// The picture of a state, which is shared because its batches are too many to copy.
struct BatchPicture(SharedState);

impl Chart for BatchPicture {
    fn draw(&self, pen: &mut Pen) {
        if let Some(input) = input(&self.0) {
            input.draw(pen);
        }
    }

    fn summary(&self) -> String {
        input(&self.0)
            .map(|input| input.summary())
            .unwrap_or_default()
    }

    fn table(&self) -> Option<Table> {
        input(&self.0)?.table()
    }

    fn hit(&self, at: Point, frame: &Frame) -> Option<Spot> {
        input(&self.0)?.hit(at, frame)
    }

    fn step(&self, from: Option<Spot>, by: [i32; 2], frame: &Frame) -> Option<Spot> {
        input(&self.0)?.step(from, by, frame)
    }

    fn reading(&self, at: Spot) -> Option<String> {
        input(&self.0)?.reading(at)
    }
}

/// Returns the input of the picture; `None` until both columns have batches.
fn input(state: &AppState) -> Option<Input<'_>> {
    let column = |row: SamplerRow| {
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
        unit: state.sequences.unit(),
    })
}
