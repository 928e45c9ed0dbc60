//! The answer in a sentence, with its figures.

use super::said::{assumed, part, waste};
use super::{Props, real_time, use_priced};
use crate::components::explained::{terms, why};
use crate::components::rooms::to_cost;
use crate::components::unseen::Announce;
use crate::components::{cell, figure, figure_of, stated, tied};
use packscope::api::batch::{Mode, Report};
use packscope::metrics::EpochFigures;
use packscope::sampler::Sampler;
use packscope::words::{count, percent, plural, rate};
use packscope_page::state::AppState;
use packscope_page::state::batches::findings;
use yew::prelude::*;

#[component]
pub fn Headline(props: &Props) -> Html {
    // A sampler chosen for the first time has no figures yet: the previous ones stay until they
    // arrive.
    let kept = use_mut_ref(|| props.state.clone());
    if props.state.batch_report(props.state.batch_row()).is_some() {
        *kept.borrow_mut() = props.state.clone();
    }
    let state = kept.borrow().clone();
    let row = state.batch_row();
    let f = use_priced(&state, &[row]).get(&row).cloned();
    let (Some(report), Some(f)) = (state.batch_report(row), &f) else {
        return html! {
            <section class="answer">
                <h1>{ awaited(&state) }</h1>
            </section>
        };
    };
    if report.settings.mode == Mode::RealTime {
        return html! {
            <real_time::Headline state={state.clone()} dispatch={props.dispatch.clone()} />
        };
    }
    let words = format!(
        "{}: {} padding, {}.",
        findings::name_of(row),
        percent(f.padding_share),
        findings::steps(f.batches, report.settings.mode)
    );
    html! {
        <section class="answer">
            <Announce {words} />
            <h1>
                { tied(&findings::of_random(report.random.padding_share)) }
                { " " }
                <mark>{ terms("padding") }</mark>
                { "." }
                if let Some((before, share)) = findings::of_chosen(&state, f) {
                    { " " }
                    { before }
                    <em class="needle">{ tied(&percent(share)) }</em>
                    { "." }
                }
            </h1>
            <p class="second">{ second(report, f) }</p>
            { figures(&state, report, f) }
            { small_print(&state, report, f) }
        </section>
    }
}

/// The headline while the batches of the sampler are being made: what random batches pad is known
/// at once.
fn awaited(state: &AppState) -> Html {
    let several = state.batch_settings().mode != Mode::RealTime;
    match state.random_padding().filter(|_| several) {
        Some(share) => {
            html! {
                <>
                    { tied(&findings::of_random(share)) }
                    { " " }
                    <mark>{ terms("padding") }</mark>
                    { "." }
                </>
            }
        }
        None => html! { "How much of your batches is padding?" },
    }
}

/// Steps and the effective batch; the steps of the first epoch are in bold.
fn second(report: &Report, f: &EpochFigures) -> Html {
    let sentence = findings::of_steps(report, f);
    let first = report.epochs.first().map_or(f.batches, |e| e.batches);
    let steps = findings::steps(first, report.settings.mode);
    match sentence.split_once(&steps) {
        Some((before, after)) => html! {
            <>
                { before }
                <b>{ &steps }</b>
                { after }
            </>
        },
        None => html! { sentence },
    }
}

fn figures(state: &AppState, report: &Report, f: &EpochFigures) -> Html {
    let (random, training) = (&report.random, report.settings.mode == Mode::Training);
    let before = figure(
        "random_padding_share",
        random.padding_share,
        percent(random.padding_share),
    );
    // Random batches differ from order to order, so their figures are means.
    let whose = if report.settings.sampler == Sampler::Random {
        "over all orders: "
    } else {
        "random: "
    };
    // Figures are those of the epoch on screen; updates are those of the whole training.
    let updates: u64 = report.epochs.iter().map(|e| e.updates).sum();
    let below = match (training, report.epochs.len()) {
        (false, _) => html! { <>{ "random: " }{ count(random.batches) }</> },
        (true, 1) => html! { "one epoch, one update a step" },
        (true, epochs) => {
            html! {
                <>
                    { figure("updates", updates, plural(updates, "update")) }
                    { format!(" in {epochs} epochs") }
                </>
            }
        }
    };
    let [steps, each] = if training {
        ["Steps in this epoch", "step"]
    } else {
        ["Batches", "batch"]
    };
    html! {
        <dl class="figures">
            { cell(
                "Padding",
                stated(&EpochFigures::PADDING, f),
                html! { <>{ whose }{ before }</> },
            ) }
            { cell(steps, stated(&EpochFigures::BATCHES, f), below) }
            { cell(&format!("Sequences a {each}"), stated(&EpochFigures::SEQUENCES, f), sizes(f)) }
            { cell(
                &format!("Real {} a {each}", state.sequences.unit()),
                stated(&EpochFigures::TOKENS, f),
                html! {
                    <>{ "largest: " }{ stated(&EpochFigures::LARGEST, f) }{ " slots" }</>
                },
            ) }
            { rates(f) }
            { cell(
                "Estimated speed-up",
                stated(&EpochFigures::SPEEDUP, f),
                html! {
                    <>
                        { why("against random batches", &assumed(state, report.settings.mode)) }
                        { to_cost() }
                    </>
                },
            ) }
        </dl>
    }
}

/// Sequences in a step, from the 5 % to the 95 % quantile.
fn sizes(f: &EpochFigures) -> Html {
    let [few, most] = f.batch_sizes([0.05, 0.95]);
    let words = match few == most {
        true => format!("{} in nine of ten", count(most)),
        false => format!("{} to {} in nine of ten", count(few), count(most)),
    };
    figure("batch_size_quantiles", format!("{few},{most}"), words)
}

fn rates(f: &EpochFigures) -> Html {
    let Some([least, most]) = f.learning_rate else {
        return cell(
            "Learning rate",
            html! { "–" },
            html! { "nothing is learnt" },
        );
    };
    let below = match least == most {
        true => html! { "the same for all" },
        false => {
            html! {
                <>{ "at most; at least " }{ figure_of("learning_rate", 0, least, rate(least)) }</>
            }
        }
    };
    cell(
        "Learning rate",
        figure_of("learning_rate", 1, most, rate(most)),
        below,
    )
}

/// The epoch, tokens and slots, dropped stopwords, waste, and P3's estimate.
fn small_print(state: &AppState, report: &Report, f: &EpochFigures) -> Html {
    let (epochs, unit) = (report.epochs.len(), state.sequences.unit());
    let of = |name, value: u64| figure(name, value, count(value));
    html! {
        <p class="small">
            if epochs > 1 {
                <b>
                    { format!(
                        "Epoch {} of {epochs}: ",
                        state.shown_epoch().min(epochs as u32 - 1) + 1
                    ) }
                </b>
            }
            { of("real_tokens", f.real_tokens) }
            { format!(" real {unit} in ") }
            { of("slots", f.slots) }
            { " slots, " }
            { of("padding_tokens", f.padding_tokens) }
            { " of them padding. " }
            if f.dropped_tokens > 0 {
                <b>{ stated(&EpochFigures::DROPPED, f) }{ " stopwords dropped" }</b>
                { tied(&format!(", which is no padding; {}. ", findings::of_stopwords(report))) }
            }
            { part(report) }
            { waste(report, unit) }
            { estimate(report, unit) }
            { " " }
            { tied(
                &findings::of_same_size(&report.settings, f)
                    .map_or_else(String::new, |words| words + " "),
            ) }
            { tied(&findings::of_machines(state, report.settings.mode)) }
        </p>
    }
}

fn estimate(report: &Report, unit: &str) -> Html {
    let e = &report.estimate;
    let wrong = format!(
        "Appendix E.2. L₈₇.₅ is {} {unit} here: 87.5 % of the sequences are no longer. The paper says that they are longer, which its formula contradicts; and the chance that a batch of 64 reaches it is 0.9998, not 0.9999.",
        count(u64::from(e.length_87_5))
    );
    html! {
        <>
            { "The paper’s estimate of random padding, " }
            { why("(L₈₇.₅ − mean) ÷ L₈₇.₅", &wrong) }
            { ", says " }
            { figure(
                "padding_fraction_est",
                e.padding_fraction_est,
                tied(&percent(e.padding_fraction_est)),
            ) }
            { "; truly it is " }
            { figure("padding_fraction", e.padding_fraction, tied(&percent(e.padding_fraction))) }
            { "." }
        </>
    }
}
