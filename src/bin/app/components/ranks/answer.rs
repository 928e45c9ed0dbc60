//! The answer in a sentence, with its figures.

use super::{Props, limits};
use crate::components::explained::{terms, why};
use crate::components::unseen::Announce;
use crate::components::{cell, figure, tied};
use packscope::advice::Verdict;
use packscope::api::ranks::{RankUnit, Report, Settings};
use packscope::words::{count, factor, percent, plural};
use packscope_page::state::ranks::findings;
use yew::prelude::*;

/// The headline with its figures; a question until there is a report.
pub fn headline(
    shown: Option<&Props>,
    verdict: Option<&Verdict>,
    apart: impl Fn(&'static str) -> Html,
) -> Html {
    let Some(
        shown @ Props {
            state,
            settings,
            report,
            ..
        },
    ) = shown
    else {
        return html! {
            <section class="answer">
                <h1>{ "How evenly are your ranks loaded?" }</h1>
            </section>
        };
    };
    let (wait, idle) = (
        findings::of_waiting(report),
        findings::idle(findings::factor_of(report)),
    );
    let words = format!("{wait} {} of the time.", percent(idle));
    html! {
        <section class="answer">
            <Announce {words} />
            <h1>
                { wait }
                { " " }
                <em class="needle">{ figure("idle", idle, tied(&percent(idle))) }</em>
                { " of the time." }
                if let Some(then) = verdict.and_then(|verdict| verdict.then.as_ref()) {
                    { format!(" With {}: ", then.change.words) }
                    { figure("what_if", then.padding_share, tied(&percent(then.padding_share))) }
                    { "." }
                }
            </h1>
            <p class="second">
                { terms(&findings::of_setting(state, settings)) }
                { " " }
                <b data-binds={format!("{:?}", report.binds)}>
                    { findings::of_binding(state, settings, report) }
                </b>
                if let (Some(library), Some(lost)) =
                    (settings.library, findings::untrained(&report.untrained))
                {
                    { " " }
                    <b data-figure="untrained" data-value={report.untrained.dropped[0].to_string()}>
                        { format!("{}: {lost}.", library.long_name()) }
                    </b>
                }
                if settings.unit == RankUnit::Rows {
                    { " " }
                    { limits::of_attention(shown) }
                }
            </p>
            { figures(settings, report, apart) }
            { small_print(settings, report) }
        </section>
    }
}

fn figures(settings: &Settings, report: &Report, apart: impl Fn(&'static str) -> Html) -> Html {
    // Quantiles of 5, 50 and 95 %.
    let ([few, _, most], now) = (report.quantiles.map(factor), findings::factor_of(report));
    let reason = findings::of_bound(settings);
    // Steps with shared sequences are not told apart.
    let (spread, bound) = match report.context {
        Some(_) => (
            "the mean rank’s".to_owned(),
            why("if no sequence were shared", reason),
        ),
        None => (
            format!("the mean rank’s; {few} to {most} in nine of ten"),
            html! { <>{ terms("the bound") }{ ": " }{ why("why", reason) }</> },
        ),
    };
    let each = u64::from(settings.micro_batches) * u64::from(settings.units_of_micro_batch());
    let unit = if settings.unit == RankUnit::Rows {
        "row"
    } else {
        "sequence"
    };
    html! {
        <dl class="figures">
            { cell(
                "Work done",
                figure("worth", findings::worth(settings, report), findings::of_worth(settings, report)),
                html! {
                    format!("ranks, of {}", count(u64::from(settings.ranks)))
                },
            ) }
            { cell(
                "Time of a step",
                figure("factor", now, factor(now)),
                html! { <>{ spread }{ apart("factor") }</> },
            ) }
            { cell("Best possible", figure("bound", report.bound, factor(report.bound)), bound) }
            { cell(
                &format!("Heaviest {unit}"),
                figure("longest", report.longest, factor(report.longest)),
                html! { "a rank’s work in a step" },
            ) }
            { cell(
                &format!("{}s a step", packscope::words::capital(unit)),
                figure("units", report.units, count(report.units)),
                html! {
                    <>
                        { format!(
                            "{} a rank in {}",
                            count(each),
                            findings::micro_batches(settings.micro_batches)
                        ) }
                    </>
                },
            ) }
            { cell(
                "Steps an epoch",
                figure(
                    "steps",
                    report.population.div_ceil(report.units.max(1)),
                    count(report.population.div_ceil(report.units.max(1))),
                ),
                html! { plural(report.population, unit) },
            ) }
        </dl>
    }
}

fn small_print(settings: &Settings, report: &Report) -> Html {
    html! {
        <p class="small">
            if report.overlong_items > 0 {
                <b>
                    { format!(
                        "{} longer than the limit: {}",
                        plural(report.overlong_items, "sequence"),
                        settings.overlong.long_name().to_lowercase()
                    ) }
                </b>
                { ". " }
            }
            if let Some(repeated) = findings::repeated(settings, report) {
                <b>
                    { format!(
                        "The data hold {}, {repeated}",
                        plural(
                            report.population,
                            if settings.unit == RankUnit::Rows {
                                "row"
                            } else {
                                "sequence"
                            }
                        )
                    ) }
                </b>
                { ". " }
            }
            { format!(
                "Simulated: {} drawn from these lengths, ",
                plural(report.factors.len() as u64, "step")
            ) }
            { "factor ± " }
            { figure("error", report.error, packscope::words::significant(report.error, 1)) }
            { ". Work is a · L + L² with the model’s own a; communication, and what it hides, is left out." }
        </p>
    }
}
