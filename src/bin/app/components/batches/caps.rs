//! The largest batch by length: the room of the accelerator, and the caps of the epochs.

use super::Props;
use crate::components::behind::behind;
use crate::components::{hues, titled};
use crate::plot::{Draw, Plot, Room};
use packscope::chart::caps::{Input, layout, scene, summary};
use packscope::chart::{Frame, Hues};
use packscope::sampler::{Buckets, HwCap};
use packscope::state::AppState;
use packscope::state::batches::findings::{self, CAPS_OF};
use packscope::words::{count, plural};
use std::rc::Rc;
use yew::prelude::*;

/// The plot of the largest batch by length.
#[component]
pub fn Caps(props: &Props) -> Html {
    let state = &props.state;
    let hover = use_state_eq(|| None::<u32>);
    let key = (state.sequences.version(), state.batches_asked(), state.shown_epoch());
    let chart = use_memo(key.clone(), |_| Chart::new(state).map(Rc::new));
    let draw = use_memo((key, *hover), |_| {
        let (chart, hover) = ((*chart).clone(), *hover);
        Rc::new(move |frame: &Frame| {
            let drawn = chart.as_ref().map(|chart| scene(&chart.input(hover), frame).0);
            drawn.unwrap_or_default()
        }) as Draw
    });
    let Some(chart) = (*chart).clone() else { return html! { <section class="caps"></section> } };
    let onpoint = {
        let (chart, hover) = (Rc::clone(&chart), hover.setter());
        Callback::from(move |at: Option<(f64, f64, Room)>| {
            hover.set(at.map(|(x, _, room)| layout(&chart.input(None), &room.measure()).at(x)));
        })
    };
    let onstep = {
        let (hover, limit) = (hover.clone(), chart.limit);
        Callback::from(move |[right, up]: [i32; 2]| {
            let at = hover.map_or(1, |at| at.saturating_add_signed(right + up).clamp(1, limit.max(1)));
            hover.set(Some(at));
        })
    };
    let title = findings::of_caps(state).unwrap_or_default();
    let label = summary(&chart.input(None));
    let under = hover.map(|length| chart.of_length(length));
    html! {
        <section class="caps" id="largest-batches" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            <div class="caption"><p>{ under.unwrap_or_else(|| chart.caption()) }</p></div>
            <Plot name="caps" title={title.clone()} theme={state.theme} class="tall-caps" {label} draw={(*draw).clone()} {onpoint} {onstep} />
            { chart.table() }
        </section>
    }
}

/// The data of the plot, independent of the state.
struct Chart {
    hwcap: HwCap,
    published: Option<HwCap>,
    buckets: Buckets,
    limit: u32,
    caps: Vec<(String, u64)>,
    chosen: usize,
    lengths: Vec<(u32, u64)>,
    batch: u64,
    hues: Hues,
    unit: String,
}

impl Chart {
    fn new(state: &AppState) -> Option<Self> {
        let (data, settings) = (state.sequences.data.as_ref()?, state.batch_settings());
        let caps =
            (0..settings.runs()).filter_map(|e| Some((format!("epoch {}", e + 1), settings.cap_of(e)?)));
        let published = HwCap::default();
        let limit = settings.limit;
        Some(Self {
            buckets: settings.buckets(),
            published: (settings.hwcap != published).then_some(published),
            hwcap: settings.hwcap.clone(),
            limit,
            caps: caps.collect(),
            chosen: state.shown_epoch() as usize,
            lengths: data.histogram.grouped(limit).entries,
            hues: hues(&state.sequences, limit),
            batch: u64::from(settings.batch),
            unit: state.sequences.unit().to_owned(),
        })
    }

    fn input(&self, hover: Option<u32>) -> Input<'_> {
        Input {
            hwcap: &self.hwcap,
            published: self.published.as_ref(),
            limit: self.limit,
            caps: &self.caps,
            chosen: self.chosen,
            lengths: &self.lengths,
            hues: self.hues,
            batch: self.batch,
            hover,
            unit: &self.unit,
        }
    }

    /// The subject of the plot, and where its caps were found.
    fn caption(&self) -> String {
        match self.published {
            None => format!(
                "What a bucket may hold, by the longest of its sequences: {CAPS_OF}, the table of the paper’s code."
            ),
            Some(_) => "What a bucket may hold, by the longest of its sequences.".to_owned(),
        }
    }

    /// The largest batch at eight lengths.
    fn table(&self) -> Html {
        let input = self.input(None);
        let lengths = (1..=8).map(|i| (u64::from(self.limit) * i / 8).max(1) as u32);
        let row = |length: u32| vec![count(u64::from(length)), count(input.in_force(length))];
        behind("The largest batch by length", [&self.unit, "sequences at most"], lengths.map(row))
    }

    /// "Up to 65 tokens: 125 sequences fit, 64 in this epoch."
    fn of_length(&self, length: u32) -> String {
        let bucket = self.buckets.bucket_of(length);
        let fit = plural(u64::from(bucket.cap), "sequence");
        let longest = count(u64::from(bucket.longest.min(self.limit)));
        let now = self.caps.get(self.chosen).map(|(_, cap)| *cap).filter(|cap| *cap < u64::from(bucket.cap));
        let now = now.map_or_else(String::new, |cap| format!(", {} in this epoch", count(cap)));
        format!("The bucket up to {longest} {}: {fit} fit{now}.", self.unit)
    }
}
