//! Queries one by one: the tokens left after dropping stopwords, in place of the comparison of
//! samplers.

use super::Props;
use super::said::{assumed, waste};
use crate::components::explained::{terms, why};
use crate::components::unseen::Announce;
use crate::components::{cell, entry, figure, framed, stated, tied};
use packscope::api::batch::{Mode, Report, Settings};
use packscope::metrics::EpochFigures;
use packscope::words::{capital, count, mean, percent};
use packscope_page::state::batches::real_time::{RATES, dropping};
use packscope_page::state::batches::{Action, findings};
use std::rc::Rc;
use yew::prelude::*;

/// Returns the figures at each dropping rate, recomputed only when the data, the settings or the
/// rates change.
#[hook]
fn use_rates(props: &Props, rates: Vec<f64>) -> Rc<Vec<(f64, EpochFigures)>> {
    let state = props.state.clone();
    let settings: Settings = state.batch_settings();
    use_memo(
        (state.sequences.version(), settings, rates),
        move |(.., rates)| state.one_by_one(rates),
    )
}

#[component]
pub fn Headline(props: &Props) -> Html {
    let (state, row) = (&props.state, props.state.batch_row());
    let set = state.dropping_rate();
    // Where nothing is dropped, the headline says what dropping every stopword would leave.
    let rate = if set > 0.0 { set } else { 1.0 };
    let rates = use_rates(props, vec![0.0, rate]);
    // Both rates that were asked for, or none where the engine refuses the settings.
    let (Some(report), [(_, before), (_, after)]) = (state.batch_report(row), rates.as_slice())
    else {
        return html! {
            <section class="answer">
                <h1>{ "One by one there is no padding." }</h1>
            </section>
        };
    };
    let shown = if set > 0.0 { after } else { before };
    let (share, unit) = (percent(findings::share_left(after)), state.sequences.unit());
    html! {
        <section class="answer">
            <Announce
                words={format!("Without padding; {} {unit} a query.", mean(shown.tokens_per_step))}
            />
            <h1>
                { "One by one there is no " }
                <mark>{ terms("padding") }</mark>
                { ". " }
                { tied(&findings::of_dropping(rate, set)) }
                { " " }
                <em class="needle">{ tied(&share) }</em>
                { format!(" of the {unit}.") }
            </h1>
            <p class="second">{ tied(&findings::of_queries(report, before, after, unit)) }</p>
            { figures(props, report, before, shown) }
            <p class="small">
                { figure("real_tokens", shown.real_tokens, count(shown.real_tokens)) }
                { format!(" {unit}, ") }
                { stated(&EpochFigures::DROPPED, shown) }
                { " dropped. " }
                { waste(report, unit) }
            </p>
        </section>
    }
}

fn figures(props: &Props, report: &Report, before: &EpochFigures, f: &EpochFigures) -> Html {
    let left = findings::share_left(f);
    let unit = props.state.sequences.unit();
    let stopwords = if report.stopwords_known {
        "stopwords counted"
    } else {
        "stopwords assumed"
    };
    html! {
        <dl class="figures">
            { cell(
                "Padding",
                stated(&EpochFigures::PADDING, f),
                html! { "nothing to be padded to" },
            ) }
            { cell("Queries", stated(&EpochFigures::BATCHES, f), html! { "one after the other" }) }
            { cell(
                &format!("{} a query", capital(unit)),
                stated(&EpochFigures::TOKENS, f),
                html! { <>{ "of " }{ mean(before.tokens_per_step) }</> },
            ) }
            { cell(
                &format!("{} left", capital(unit)),
                figure("left", left, percent(left)),
                html! { stopwords },
            ) }
            { cell("Largest query", stated(&EpochFigures::LARGEST, f), html! { unit.to_owned() }) }
            { cell(
                "Estimated speed-up",
                stated(&EpochFigures::SPEEDUP, f),
                why(
                    format!("against all {unit}"),
                    &assumed(&props.state, Mode::RealTime),
                ),
            ) }
        </dl>
    }
}

#[component]
pub fn Table(props: &Props) -> Html {
    let state = &props.state;
    let rows = use_rates(props, state.dropping_rates());
    let (settings, unit) = (state.batch_settings(), state.sequences.unit());
    let title = findings::of_rates(&rows).unwrap_or_else(|| "What dropping leaves".to_owned());
    let known = state
        .sequences
        .data
        .as_ref()
        .is_some_and(|data| data.texts.is_some());
    html! {
        <section class="algorithms" id="algorithms" tabindex="-1">
            <h2>{ crate::components::titled(&title) }</h2>
            { framed(
                ["compare of-rates", ""],
                Some(state.are_batched()),
                html! {
                    <>
                        <th>{ "Stopwords dropped" }</th>
                        <th>{ format!("{} a query", capital(unit)) }</th>
                        <th>{ format!("{} left", capital(unit)) }</th>
                        <th class="extra">{ "Largest query" }</th>
                        <th>{ "Estimated speed-up" }</th>
                    </>
                },
                rows.iter().map(|(rate, f)| line(props, *rate, f)),
            ) }
            <p class="small">
                { "The speed-up is an estimate: time in proportion to the " }
                { unit.to_owned() }
                { " of a query. " }
                { "The paper measured 1.5× without loss of accuracy and 2.2× at a rate of 1, with less than 1 % of loss, for Roberta-base that was trained with dropping (Fig. 4, nine GLUE tasks and SQuAD). " }
                if !known {
                    { tied(&format!(
                        "These data have no texts: {} of each sequence are assumed to be stopwords.",
                        percent(settings.stopword_share)
                    )) }
                }
            </p>
        </section>
    }
}

fn line(props: &Props, rate: f64, f: &EpochFigures) -> Html {
    // The present rate is in the list of rates bit by bit.
    let chosen = props.state.dropping_rate() == rate;
    let choose = props
        .dispatch
        .reform(move |_| Action::TokenDrop(dropping(rate)));
    let name = if RATES.contains(&rate) {
        format!("{:.0} %", rate * 100.0)
    } else {
        percent(rate)
    };
    let left = findings::share_left(f);
    html! {
        <tr
            key={name.clone()}
            data-rate={rate.to_string()}
            class={classes!(chosen.then_some("chosen"))}
            onclick={choose.clone()}
        >
            <th scope="row">
                <button
                    type="button"
                    class="name"
                    aria-pressed={chosen.to_string()}
                    onclick={choose}
                >
                    { name }
                </button>
            </th>
            { entry(&EpochFigures::TOKENS, "", Some(f), "") }
            <td data-figure="left" data-value={left.to_string()}>{ percent(left) }</td>
            { entry(&EpochFigures::LARGEST, "extra", Some(f), "") }
            { entry(&EpochFigures::SPEEDUP, "", Some(f), "") }
        </tr>
    }
}
