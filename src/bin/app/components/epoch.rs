//! One epoch to scale, padded beside packed.

use super::figure::{Figure, drawn};
use super::unseen::behind;
use super::{hues, tied};
use crate::shared::{AnswerProps, SharedState};
use packscope::packing::Algorithm;
use packscope::words::{count, percent};
use packscope_chart::epoch::Input;
use packscope_chart::{Chart, Pen};
use packscope_page::state::SequenceState;
use yew::prelude::*;

#[component]
pub fn Epoch(props: &AnswerProps) -> Html {
    let shown = props.state.sequences.answer.as_ref().map(|a| a.ticket);
    // By the ticket: comparing plans item by item would take longer than drawing them.
    let chart = use_memo(shown, |_| Whole(props.state.clone()));
    let Some(answer) = &props.state.sequences.answer else {
        return Html::default();
    };
    let f = &answer.report.figures;
    let label = format!(
        "One epoch drawn to scale: {} rows padded, {} of the slots padding; {} rows packed, {} padding.",
        count(f.items),
        percent(f.baseline_padding_share()),
        count(f.packs),
        percent(f.padding_share()),
    );
    // The answer above is that of a library, if one is chosen; the picture is not.
    let title = match (
        &props.state.trainer.choice.library,
        answer.report.settings.algorithm,
    ) {
        (None, _) | (_, Algorithm::Sort) => "One epoch, to scale".to_owned(),
        (Some(_), by) => format!(
            "One epoch, to scale: padded, and packed by {}",
            by.long_name()
        ),
    };
    html! {
        <section class="epoch">
            <h2>{ tied(&title) }</h2>
            <Figure
                name="epoch"
                {title}
                theme={props.state.theme}
                class="tall-epoch"
                {label}
                chart={drawn(&chart)}
            />
            { behind("One epoch", ["way", "rows", "padding"], [
                vec!["Padded".to_owned(), count(f.items), percent(f.baseline_padding_share())],
                vec!["Packed".to_owned(), count(f.packs), percent(f.padding_share())],
            ]) }
        </section>
    }
}

/// The plot of a state, which is shared because its packs are too many to copy; computed when it is
/// drawn.
struct Whole(SharedState);

impl Chart for Whole {
    fn draw(&self, pen: &mut Pen) {
        let SequenceState {
            answer: Some(answer),
            data: Some(data),
            ..
        } = &self.0.sequences
        else {
            return;
        };
        let report = &answer.report;
        // The report's own settings are used, as the slider may be a step ahead.
        // Roughly: of very many sizes the neighbours share a mean, which no pixel shows.
        let Ok(fitted) = data
            .histogram
            .fit_roughly(report.settings.limit, report.settings.overlong)
        else {
            return;
        };
        let sorted = report.settings.algorithm == Algorithm::Sort;
        let input = Input {
            entries: &fitted.lengths(),
            shapes: &report.strategies,
            unlisted: report.unlisted_packs,
            limit: report.settings.limit,
            hues: hues(&self.0.sequences, report.settings.limit),
            padded: report.figures.baseline_padding_share(),
            packed: report.figures.padding_share(),
            name: if sorted { "Sorted" } else { "Packed" },
            shortened: sorted,
            unit: self.0.sequences.unit(),
        };
        input.draw(pen);
    }
}
