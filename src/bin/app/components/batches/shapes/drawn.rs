//! The drawings: sequences under the chosen shapes, and the padding of each method by the number of
//! shapes.

use super::ShownShapes;
use crate::components::figure::{Figure, Keys, drawn, use_hover};
use crate::components::hues;
use packscope::api::shapes::{Settings, batch};
use packscope::shapes::{ShapeMethod, padding_share};
use packscope::words::{count, tick_percent};
use packscope_chart::lines::{Dot, Line, Quantity};
use packscope_chart::{Chart, Look, Scale, lines, shapes};
use packscope_page::state::batches::shapes::of_method;
use std::rc::Rc;
use yew::prelude::*;

/// The sequences from the shortest to the longest, padded to the chosen shapes.
#[component]
pub fn Steps(props: &ShownShapes) -> Html {
    let (hover, onhover) = use_hover();
    let (sequences, slots) = (&props.state.sequences, props.state.shape_slots());
    let (limit, policy) = (sequences.settings.limit, sequences.settings.overlong);
    let lengths = use_memo((sequences.version(), limit, policy), |_| {
        let fitted = sequences
            .data
            .as_ref()
            .and_then(|data| data.histogram.fit_roughly(limit, policy).ok());
        fitted.map_or_else(Vec::new, |lengths| lengths.grouped(limit).entries)
    });
    let (hues, unit) = (hues(sequences, limit), sequences.unit().to_owned());
    let chart = use_memo(
        (lengths, props.chosen().to_vec(), slots, hues),
        |(lengths, chosen, slots, hues)| shapes::Input {
            lengths: lengths.to_vec(),
            shapes: chosen.clone(),
            batches: chosen.iter().map(|shape| batch(shape, *slots)).collect(),
            hues: *hues,
            unit,
        },
    );
    let under = hover.and_then(|at| chart.reading(at));
    let caption = "Every sequence beside the next longer one; coloured are tokens, grey is padding up to its shape.";
    html! {
        <section>
            <div class="caption">
                <p>{ under.unwrap_or_else(|| caption.to_owned()) }</p>
            </div>
            <Figure
                name="shapes"
                title={props.title()}
                theme={props.state.theme}
                class="tall-few"
                chart={drawn(&chart)}
                keys={Keys::Point}
                {hover}
                {onhover}
            />
        </section>
    }
}

/// The padding of each method against the number of shapes; a press takes a number.
#[component]
pub fn Along(props: &ShownShapes) -> Html {
    let settings = props.settings();
    let chart = Rc::new(curves(props));
    let most = props.methods[0].len() as u32;
    let onpick = props.set.reform(move |[at, _]: [u32; 2]| Settings {
        shapes: at + 1,
        method: settings.method,
        ..settings.clone()
    });
    let label = format!(
        "Padding against the number of shapes, from 1 to {most}. {}.",
        props.title()
    );
    // Its table is that of the methods.
    html! {
        <div>
            <div class="caption">
                <p>{ "More shapes, less padding, more to compile. A press takes a number." }</p>
            </div>
            <Figure
                name="shapes-along"
                title={props.title()}
                theme={props.state.theme}
                class="tall-few"
                {label}
                chart={drawn(&chart)}
                keys={Keys::Pick}
                {onpick}
            />
        </div>
    }
}

fn curves(props: &ShownShapes) -> lines::Input {
    let settings = props.settings();
    let most = props.methods[0].len() as u32;
    let log = |shapes: u32| f64::from(shapes).log2();
    let share = |method, shapes| padding_share(of_method(&props.methods, method, shapes));
    let line = |(at, method): (usize, ShapeMethod)| Line {
        name: method.long_name().into(),
        points: (1..=most)
            .map(|shapes| (log(shapes), share(method, shapes)))
            .collect(),
        look: if settings.method == Some(method) {
            Look::Accent
        } else {
            Look::Dashed(at)
        },
    };
    let highest = ShapeMethod::ALL
        .map(|method| share(method, 1))
        .into_iter()
        // Where nothing is padded, the axis still has a length.
        .fold(0.01, f64::max);
    let given = props.given.as_deref().map(|given| Dot {
        at: (
            // A longer list, or one that pads more than any curve, has its dot at the edge.
            log((given.shapes.len() as u32).clamp(1, most)),
            padding_share(&given.shapes).min(highest),
        ),
        name: "yours".to_owned(),
        look: if settings.method.is_none() {
            Look::Accent
        } else {
            Look::Ink
        },
    });
    let now = settings.shapes.min(most);
    lines::Input {
        x: Quantity::doubling("shapes".into(), [0.0, log(most).max(1.0)]),
        y: Quantity {
            name: "padding".into(),
            range: [0.0, highest],
            scale: Scale::Linear,
            label: tick_percent,
        },
        lines: ShapeMethod::ALL.into_iter().enumerate().map(line).collect(),
        needle: Some((log(now), count(u64::from(now)))),
        dots: given.into_iter().collect(),
    }
}
