//! One epoch to scale, padded beside packed.

use super::behind::behind;
use super::hues;
use crate::plot::{Draw, Plot};
use crate::shared::AnswerProps;
use packscope::chart::epoch::{Input, scene};
use packscope::chart::{Frame, Scene};
use packscope::packing::Algorithm;
use packscope::words::{count, percent};
use std::rc::Rc;
use yew::prelude::*;

/// The plot of both epochs.
#[component]
pub fn Epoch(props: &AnswerProps) -> Html {
    let shown = props.state.sequences.answer.as_ref().map(|a| a.ticket);
    let draw = use_memo(shown, |_| drawing(props));
    let Some(answer) = &props.state.sequences.answer else { return Html::default() };
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
            <Plot name="epoch" title="One epoch, to scale" theme={props.state.theme} class="tall-epoch" {label} draw={(*draw).clone()} />
            { behind("One epoch", ["way", "rows", "padding"], [
                vec!["Padded".to_owned(), count(f.items), percent(f.baseline_padding_share())],
                vec!["Packed".to_owned(), count(f.packs), percent(f.padding_share())],
            ]) }
        </section>
    }
}

fn drawing(props: &AnswerProps) -> Draw {
    let state = props.state.clone();
    Rc::new(move |frame: &Frame| {
        let (Some(answer), Some(data)) = (&state.sequences.answer, &state.sequences.data) else {
            return Scene::default();
        };
        let report = &answer.report;
        // The rows of the report's own settings, which may be a step behind the slider.
        let Ok(fitted) = data.histogram.fit_roughly(report.settings.limit, report.settings.overlong) else {
            return Scene::default();
        };
        let sorted = report.settings.algorithm == Algorithm::Sort;
        let input = Input {
            entries: &fitted.lengths(),
            shapes: &report.strategies,
            unlisted: report.unlisted_packs,
            limit: report.settings.limit,
            hues: hues(&state.sequences, report.settings.limit),
            padded: report.figures.baseline_padding_share(),
            packed: report.figures.padding_share(),
            name: if sorted { "Sorted" } else { "Packed" },
            shortened: sorted,
            unit: state.sequences.unit(),
        };
        scene(&input, frame).0
    })
}
