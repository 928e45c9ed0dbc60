//! One epoch to scale, padded beside packed.

use super::figure::{Figure, Keys, drawn};
use super::unseen::behind;
use super::{hues, tied};
use crate::motion::use_motion;
use crate::shared::{AnswerProps, SharedState};
use packscope::api::Settings;
use packscope::metrics::random_widths;
use packscope::packing::Algorithm;
use packscope::words::{count, percent};
use packscope_chart::epoch::{Input, divider};
use packscope_chart::{Chart, Frame, Grip, Pen, Point, Spot};
use packscope_page::state::{Baseline, SequenceState};
use std::rc::Rc;
use yew::prelude::*;

#[component]
pub fn Epoch(props: &AnswerProps) -> Html {
    let shown = props.state.sequences.answer.as_ref().map(|a| a.ticket);
    let shown = (shown, props.state.baselines());
    // By the ticket: comparing plans item by item would take longer than drawing them.
    let whole = use_memo(shown, |_| Prepared::new(&props.state));
    // Once for each data: sliders change the picture at once.
    let data = props.state.sequences.answer.as_ref().map(|a| a.ticket.data);
    let moving = (*whole).as_ref().is_some_and(Prepared::moves);
    let motion = use_motion(data);
    let (pulled, pull) = use_pulled(data);
    let moved = if moving {
        pulled.unwrap_or(motion)
    } else {
        1.0
    };
    let chart = use_memo((shown, moved.to_bits()), |_| Whole {
        prepared: Rc::clone(&whole),
        moved,
        divided: moving,
    });
    let ondrag = pull.reform(|(_, [share, _]): (Grip, Spot)| f64::from(share) / WHOLE);
    let steps = pull.reform(move |[right, _]: [i32; 2]| moved + f64::from(right) * STEP);
    let Some(answer) = &props.state.sequences.answer else {
        return Html::default();
    };
    let f = &answer.report.figures;
    let padded = props.state.compared_with();
    let padded = padded.map_or(f.baseline_padding_share(), |p| p.padding_share);
    let label = format!(
        "One epoch drawn to scale: {} rows padded, {} of the slots padding; {} rows packed, {} padding.{}",
        count(f.items),
        percent(padded),
        count(f.packs),
        percent(f.padding_share()),
        if moving {
            " Arrow keys move the items from their own rows into the packs and back."
        } else {
            ""
        },
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
        <section class="epoch" data-motion={if moving && motion < 1.0 { "moving" } else { "rest" }}>
            <h2>{ tied(&title) }</h2>
            <Figure
                name="epoch"
                {title}
                theme={props.state.theme}
                class="tall-epoch"
                {label}
                chart={drawn(&chart)}
                ondrag={moving.then_some(ondrag)}
                keys={if moving { Keys::Act(steps) } else { Keys::None }}
            />
            { behind("One epoch", ["way", "rows", "padding"], [
                vec!["Padded".to_owned(), count(f.items), percent(padded)],
                vec!["Packed".to_owned(), count(f.packs), percent(f.padding_share())],
            ]) }
        </section>
    }
}

/// The share of a divider at its right end, in a [`Spot`].
const WHOLE: f64 = 10_000.0;
/// The share that an arrow key moves the divider by.
const STEP: f64 = 0.05;

/// Returns the share to which the divider was pulled on these data, and the callback that pulls it.
#[hook]
fn use_pulled(data: Option<u64>) -> (Option<f64>, Callback<f64>) {
    let pulled = use_state_eq(|| None::<f64>);
    let (set, fresh) = (pulled.setter(), pulled.setter());
    use_effect_with(data, move |_| fresh.set(None));
    (
        *pulled,
        Callback::from(move |share: f64| set.set(Some(share.clamp(0.0, 1.0)))),
    )
}

/// Returns the picture at rest, for a card.
pub fn still(state: &SharedState) -> Rc<dyn Chart> {
    Rc::new(Whole {
        prepared: Rc::new(Prepared::new(state)),
        moved: 1.0,
        divided: false,
    })
}

/// The rows of an epoch, computed once for each answer.
struct Prepared {
    /// The state, which is shared because its packs are too many to copy.
    state: SharedState,
    entries: Vec<(u32, u64)>,
    ends: Vec<u32>,
    before: String,
}

/// Shapes and lengths up to which the items of a picture move into their packs: of more, a frame takes too long.
const MOVING: usize = 4000;

impl Prepared {
    fn new(state: &SharedState) -> Option<Self> {
        let SequenceState {
            answer: Some(answer),
            data: Some(data),
            settings: Settings { batch, .. },
            ..
        } = &state.sequences
        else {
            return None;
        };
        let settings = &answer.report.settings;
        // The report's own settings are used, as the slider may be a step ahead.
        // Roughly: of very many sizes the neighbours share a mean, which no pixel shows.
        let fitted = data
            .histogram
            .fit_roughly(settings.limit, settings.overlong)
            .ok()?;
        let (ends, before) = match state.baseline {
            Baseline::Limit => (Vec::new(), "Padded".to_owned()),
            Baseline::Batches => {
                // Rows end where their batch does, on average over all orders.
                let ends = random_widths(&fitted, *batch).into_iter();
                let before = format!("In batches of {}", count(u64::from(*batch)));
                (ends.map(|end| end.round() as u32).collect(), before)
            }
        };
        Some(Self {
            entries: fitted.lengths(),
            state: state.clone(),
            ends,
            before,
        })
    }

    /// Whether its items can move: all are known, and they are not too many for a frame.
    fn moves(&self) -> bool {
        self.state.sequences.answer.as_ref().is_some_and(|answer| {
            let report = &answer.report;
            let few = report.strategies.len().max(self.entries.len()) <= MOVING;
            few && report.unlisted_packs == 0 && report.settings.algorithm != Algorithm::Sort
        })
    }
}

/// The plot of an epoch, at rest or on its way there.
struct Whole {
    prepared: Rc<Option<Prepared>>,
    moved: f64,
    /// Whether the divider between rows of their own and packs can be pulled.
    divided: bool,
}

impl Chart for Whole {
    fn draw(&self, pen: &mut Pen) {
        let Some(prepared) = self.prepared.as_ref() else {
            return;
        };
        let sequences = &prepared.state.sequences;
        let Some(answer) = &sequences.answer else {
            return;
        };
        let report = &answer.report;
        let sorted = report.settings.algorithm == Algorithm::Sort;
        let padded = prepared.state.compared_with();
        let input = Input {
            entries: &prepared.entries,
            ends: &prepared.ends,
            before: &prepared.before,
            moved: self.moved,
            shapes: &report.strategies,
            unlisted: report.unlisted_packs,
            limit: report.settings.limit,
            hues: hues(sequences, report.settings.limit),
            padded: padded.map_or(report.figures.baseline_padding_share(), |p| p.padding_share),
            packed: report.figures.padding_share(),
            name: if sorted { "Sorted" } else { "Packed" },
            shortened: sorted,
            unit: sequences.unit(),
        };
        input.draw(pen);
        if self.divided {
            input.divide(pen);
        }
    }

    fn grip(&self, _at: Point, _frame: &Frame) -> Option<Grip> {
        self.divided.then_some([true, false])
    }

    fn drag(&self, (x, _): Point, frame: &Frame) -> Spot {
        let [left, right] = divider(frame);
        let share = ((x - left) / (right - left)).clamp(0.0, 1.0);
        [(share * WHOLE) as u32, 0]
    }
}
