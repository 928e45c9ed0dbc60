//! Batch sizes and learning rates along the training.

use super::Props;
use crate::components::figure::{Figure, Keys, drawn, use_hover};
use crate::components::titled;
use crate::shared::Same;
use packscope::api::batch::{Mode, Report};
use packscope::sampler::{Drawn, Sampler};
use packscope_chart::Chart;
use packscope_chart::along::{Epoch, Input};
use packscope_page::state::batches::{Action, findings};
use std::rc::Rc;
use yew::prelude::*;

#[component]
pub fn Along(props: &Props) -> Html {
    let state = &props.state;
    let (hover, onhover) = use_hover();
    let report = state
        .batch_report(state.batch_row())
        // A report that was asked for the table alone has no pictures.
        .filter(|r| !r.pictures.is_empty())
        .cloned()
        .map(Same);
    let chart = use_memo((report, state.shown_epoch()), |(report, chosen)| {
        report
            .as_ref()
            .map(|report| Rc::new(input(report, *chosen)))
    });
    let Some(chart) = &*chart else {
        return html! { <section class="along" /> };
    };
    let onpick = props
        .dispatch
        .reform(|[epoch, _]: [u32; 2]| Action::Epoch(epoch));
    let title = findings::of_along(state).unwrap_or_default();
    let several = chart.epochs.len() > 1;
    let hint = if several {
        "Click to choose the epoch."
    } else {
        "Batches in their order."
    };
    let under = hover.and_then(|at| chart.reading(at));
    html! {
        <section class="along">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>{ under.unwrap_or_else(|| hint.to_owned()) }</p>
            </div>
            <Figure
                name="training"
                {title}
                theme={state.theme}
                class="tall-along"
                chart={drawn(chart)}
                keys={Keys::Point}
                {hover}
                {onhover}
                {onpick}
            />
        </section>
    }
}

fn input(report: &Report, chosen: u32) -> Input {
    let settings = &report.settings;
    let trains = settings.mode == Mode::Training;
    // The rates of the other samplers, and of inference, do not follow the batch.
    let follows = trains && settings.learning_rate.modulated && settings.sampler == Sampler::Bucket;
    let epochs = report
        .epochs
        .iter()
        .zip(&report.pictures)
        .map(|(figures, picture)| {
            let sizes: Vec<u64> = picture.batches.iter().map(Drawn::size).collect();
            let rates = follows.then(|| {
                sizes
                    .iter()
                    .filter_map(|size| settings.rate_of(*size))
                    .collect()
            });
            // A picture of many batches has every so many of them.
            let (every, steps, cap) = (picture.every, figures.batches, figures.batch_cap);
            Epoch {
                sizes,
                every,
                steps,
                cap,
                rates,
            }
        });
    let rate = trains.then_some(settings.learning_rate.base);
    Input {
        epochs: epochs.collect(),
        chosen: chosen as usize,
        rate,
    }
}
