//! The largest batch by length: what fits into memory, and the caps of the epochs.

use super::Props;
use crate::components::figure::{Figure, Keys, drawn, use_hover};
use crate::components::{hues, titled};
use packscope::sampler::HwCap;
use packscope_chart::Chart;
use packscope_chart::caps::Input;
use packscope_page::state::AppState;
use packscope_page::state::batches::findings::{self, CAPS_OF};
use std::rc::Rc;
use yew::prelude::*;

#[component]
pub fn Caps(props: &Props) -> Html {
    let state = &props.state;
    let (hover, onhover) = use_hover();
    // What the drawing depends on; settings that only price batches leave it as it is.
    let key = (
        state.sequences.version(),
        state.batches_asked(),
        state.shown_epoch(),
    );
    let chart = use_memo(key, |_| input(state).map(Rc::new));
    let Some(chart) = &*chart else {
        return html! { <section class="caps" /> };
    };
    let title = findings::of_caps(state).unwrap_or_default();
    let under = hover.and_then(|at| chart.reading(at));
    html! {
        <section class="caps" id="largest-batches" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>{ under.unwrap_or_else(|| caption(chart)) }</p>
            </div>
            <Figure
                name="caps"
                {title}
                theme={state.theme}
                class="tall-caps"
                chart={drawn(chart)}
                keys={Keys::Point}
                {hover}
                {onhover}
            />
        </section>
    }
}

fn input(state: &AppState) -> Option<Input> {
    let (data, settings) = (state.sequences.data.as_ref()?, state.batch_settings());
    let caps = (0..settings.runs())
        .filter_map(|e| Some((format!("epoch {}", e + 1), settings.cap_of(e)?)));
    let published = HwCap::default();
    let limit = settings.limit;
    Some(Input {
        buckets: settings.buckets(),
        // Only beside one’s own caps: the same curve drawn twice would show nothing.
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

/// Returns the caption: the subject of the plot, and the source of its caps.
fn caption(chart: &Input) -> String {
    let subject = "What a bucket may hold, by the longest of its sequences";
    match chart.published {
        None => format!("{subject}: {CAPS_OF}, the table of the paper’s code."),
        Some(_) => format!("{subject}."),
    }
}
