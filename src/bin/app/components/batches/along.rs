//! Batch sizes and learning rates along the training.

use super::Props;
use crate::components::behind::behind;
use crate::components::{filtered, titled};
use crate::plot::{Draw, Plot, Room, further};
use packscope::api::batch::{Mode, Report};
use packscope::chart::Frame;
use packscope::chart::along::{Epoch, Input, layout, scene, summary};
use packscope::sampler::{Drawn, Sampler};
use packscope::state::batches::{Action, findings};
use packscope::words::{count, plural, rate};
use std::rc::Rc;
use yew::prelude::*;

/// The plot of batch sizes and learning rates.
#[component]
pub fn Along(props: &Props) -> Html {
    let state = &props.state;
    let hover = use_state_eq(|| None::<(usize, usize)>);
    let report = state.batch_report(state.batch_row()).filter(|r| !r.pictures.is_empty()).cloned();
    let key = (report.clone().map(crate::shared::Same), state.shown_epoch());
    let series =
        use_memo(key.clone(), |_| report.as_ref().map(|r| Rc::new(Series::new(r, state.shown_epoch()))));
    let draw = use_memo((key, *hover), |_| {
        let (series, hover) = ((*series).clone(), *hover);
        Rc::new(move |frame: &Frame| {
            let drawn = series.as_ref().map(|series| series.with(hover, |input| scene(input, frame).0));
            drawn.unwrap_or_default()
        }) as Draw
    });
    let Some(series) = (*series).clone() else { return html! { <section class="along"></section> } };
    let onpoint = {
        let (series, hover) = (Rc::clone(&series), hover.setter());
        Callback::from(move |at: Option<(f64, f64, Room)>| {
            hover.set(at.and_then(|(x, y, room)| series.with(None, |i| layout(i, &room.measure()).at(x, y))));
        })
    };
    let onpress = {
        let series = Rc::clone(&series);
        filtered(&props.dispatch, move |(x, y, room): (f64, f64, Room)| {
            let (epoch, _) = series.with(None, |input| layout(input, &room.measure()).at(x, y))?;
            Some(Action::Epoch(epoch as u32))
        })
    };
    let onstep = {
        let (series, hover) = (Rc::clone(&series), hover.clone());
        let first = state.shown_epoch() as usize;
        Callback::from(move |step| hover.set(series.stepped(*hover, first, step)))
    };
    let title = findings::of_along(state).unwrap_or_default();
    let label = series.with(None, summary);
    let under = hover.and_then(|at| series.of_batch(at));
    html! {
        <section class="along">
            <h2>{ titled(&title) }</h2>
            <div class="caption"><p>{ under.unwrap_or_else(|| series.hint().to_owned()) }</p></div>
            <Plot name="training" title={title.clone()} theme={state.theme} class="tall-along" {label} draw={(*draw).clone()} {onpoint} {onpress} {onstep} />
            { series.table() }
        </section>
    }
}

/// The data of the plot, independent of the state.
struct Series {
    epochs: Vec<Batches>,
    chosen: usize,
    rate: Option<f64>,
}

/// The batches of one epoch.
struct Batches {
    sizes: Vec<u64>,
    every: u64,
    steps: u64,
    cap: Option<u64>,
    rates: Option<Vec<f64>>,
}

impl Series {
    fn new(report: &Report, chosen: u32) -> Self {
        let settings = &report.settings;
        let trains = settings.mode == Mode::Training;
        let follows = trains && settings.learning_rate.modulated && settings.sampler == Sampler::Bucket;
        let epochs = report.epochs.iter().zip(&report.pictures).map(|(figures, picture)| {
            let sizes: Vec<u64> = picture.batches.iter().map(Drawn::size).collect();
            let rates = follows.then(|| sizes.iter().filter_map(|size| settings.rate_of(*size)).collect());
            let (every, steps, cap) = (picture.every, figures.batches, figures.batch_cap);
            Batches { sizes, every, steps, cap, rates }
        });
        Self {
            epochs: epochs.collect(),
            chosen: chosen as usize,
            rate: trains.then_some(settings.learning_rate.base),
        }
    }

    /// Calls `then` with the plot's input, which borrows from `self`.
    fn with<T>(&self, hover: Option<(usize, usize)>, then: impl FnOnce(&Input) -> T) -> T {
        let epochs: Vec<Epoch> = self
            .epochs
            .iter()
            .map(|e| Epoch { sizes: &e.sizes, steps: e.steps, cap: e.cap, rates: e.rates.as_deref() })
            .collect();
        then(&Input { epochs: &epochs, chosen: self.chosen, rate: self.rate, hover })
    }

    /// Returns the batch after steps to the right or up, to another epoch; initially the first one of epoch `first`.
    fn stepped(
        &self,
        now: Option<(usize, usize)>,
        first: usize,
        [right, up]: [i32; 2],
    ) -> Option<(usize, usize)> {
        let Some((epoch, batch)) = now else { return Some((first, 0)) };
        let epoch = further(epoch, up, self.epochs.len())?;
        Some((epoch, further(batch, right, self.epochs[epoch].sizes.len())?))
    }

    fn table(&self) -> Html {
        let row = |(i, epoch): (usize, &Batches)| {
            let [least, most] =
                [epoch.sizes.iter().min(), epoch.sizes.iter().max()].map(|n| *n.unwrap_or(&0));
            vec![count(i as u64 + 1), count(epoch.steps), count(least), count(most)]
        };
        let head = ["epoch", "steps", "smallest batch", "largest batch"];
        behind("Batches along the training", head, self.epochs.iter().enumerate().map(row))
    }

    fn hint(&self) -> &'static str {
        if self.epochs.len() > 1 { "Click to choose the epoch." } else { "Batches in their order." }
    }

    /// "Epoch 2, step 14: 128 sequences, learning rate 4.2e-5."
    fn of_batch(&self, (epoch, index): (usize, usize)) -> Option<String> {
        let batches = self.epochs.get(epoch)?;
        let size = plural(*batches.sizes.get(index)?, "sequence");
        let step = count(index as u64 * batches.every + 1);
        let learning = batches.rates.as_ref().and_then(|rates| rates.get(index)).copied().or(self.rate);
        Some(match learning {
            Some(learning) => {
                format!("Epoch {}, step {step}: {size}, learning rate {}.", epoch + 1, rate(learning))
            }
            None => format!("Batch {step}: {size}."),
        })
    }
}
