//! One epoch to scale, padded beside packed.

use super::colours;
use crate::app::AnswerProps;
use crate::plot::{Draw, Plot, Room};
use packscope::chart::epoch::{Input, draw};
use packscope::packing::Algorithm;
use packscope::words::{count, percent};
use plotters_canvas::CanvasBackend;
use std::rc::Rc;
use yew::prelude::*;

/// Both epochs.
#[component]
pub fn Epoch(props: &AnswerProps) -> Html {
    let shown = props.state.answer.as_ref().map(|a| a.ticket);
    let draw = use_memo((shown, props.state.theme), |_| drawing(props));
    let Some(answer) = &props.state.answer else { return Html::default() };
    let f = &answer.report.figures;
    let label = format!(
        "One epoch drawn to scale: {} rows padded, {} of the slots padding; {} rows packed, {} padding.",
        count(f.items),
        percent(f.baseline_padding_share()),
        count(f.packs),
        percent(f.padding_share()),
    );
    html! {
        <section class="epoch">
            <h2>{ "One epoch, to scale" }</h2>
            <Plot class="tall-epoch" {label} draw={(*draw).clone()} />
        </section>
    }
}

fn drawing(props: &AnswerProps) -> Draw {
    let state = props.state.clone();
    Rc::new(move |backend: &mut CanvasBackend, room: Room| {
        let (Some(answer), Some(data)) = (&state.answer, &state.data) else { return };
        let report = &answer.report;
        // The rows of the report's own settings, which may be a step behind the slider.
        let Ok(fitted) = data.histogram.fit([report.settings.limit], report.settings.overlong) else {
            return;
        };
        let sorted = report.settings.algorithm == Algorithm::Sort;
        let input = Input {
            entries: &fitted.histogram.lengths(),
            shapes: &report.strategies,
            unlisted: report.unlisted_packs,
            limit: report.settings.limit,
            padded: report.figures.baseline_padding_share(),
            packed: report.figures.padding_share(),
            name: if sorted { "Sorted" } else { "Packed" },
            shortened: sorted,
            unit: "tokens",
        };
        // A canvas that cannot be drawn on stays empty; its label still says what it shows.
        let _ = draw(backend, &input, &room.frame(colours(state.theme)));
    })
}
