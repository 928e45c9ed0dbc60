//! The answer in a sentence, with its figures.

use super::{Props, bars};
use crate::components::answer::bound;
use crate::components::explained::{quiet, terms, why};
use crate::components::rooms::to_cost;
use crate::components::unseen::Announce;
use crate::components::{cell, figure, figure_of, pin, stated, tied};
use packscope::api::PackingSettings;
use packscope::histogram::Overlong;
use packscope::ingest::ItemWords;
use packscope::metrics::Figures;
use packscope::packing::Depth;
use packscope::words::{count, factor, percent, plural};
use packscope_page::state::GraphState;
use packscope_page::state::graphs::{GraphAnswer, findings};
use yew::prelude::*;

#[component]
pub fn Headline(props: &Props) -> Html {
    let state = &props.state.graphs;
    let names = state.words();
    let apart = pin::use_apart(&props.state);
    let Some(answer) = &state.answer else {
        return html! {
            <section class="answer">
                <h1>{ format!("How much of your batches of {} is padding?", names.items) }</h1>
            </section>
        };
    };
    let f = &answer.report.figures;
    let words = findings::announced(&answer.report, &names);
    let [before, second_figure, after] = findings::of_second(f, &names);
    html! {
        <section class="answer">
            <Announce {words} held={state.searching().is_some()} />
            <h1>
                { tied(&findings::of_waste(&answer.report, &names)) }
                { tied(&findings::of_baseline(f, &names)) }
                <mark>{ terms("padding") }</mark>
                { format!(
                    ". {}:\u{a0}",
                    findings::of_packed(answer.report.settings.row(), &names)
                ) }
                <em class="needle">{ tied(&percent(findings::padding(f, 0))) }</em>
                { before }
                <em class="needle">{ tied(&second_figure) }</em>
                { after }
                { "." }
            </h1>
            <p class="second">{ second(state, answer, &names) }</p>
            { bars::bars(f, &names) }
            { figures(state, answer, &names, apart) }
            { small_print(answer, &names) }
        </section>
    }
}

/// Limits, packs, bound, and other packs.
fn second(state: &GraphState, answer: &GraphAnswer, names: &ItemWords) -> Html {
    let (f, settings) = (&answer.report.figures, &answer.report.settings);
    let bound = findings::of_bound(f, names, settings, state.searching().is_some());
    let known = f.bound().map_or_else(String::new, |b| {
        format!("How that is known: {}.", b.kind.words())
    });
    html! {
        <>
            {
                for findings::of_limits(settings, names)
                    .map(|[words, figure, end]| html! {
                        <>{ words }<b>{ figure }</b>{ end }</>
                    })
            }
            if let Depth::AtMost(depth) = settings.depth {
                { ", and no more than " }
                <b>{ count(u64::from(depth)) }</b>
                { format!(" {} in each", if depth == 1 { names.item } else { names.items }) }
            }
            { ", " }
            { findings::of_items(&answer.report, names) }
            { " fit into " }
            <b>
                { plural(f.packs, "pack") }
            </b>
            { ": " }
            { findings::of_rows(f, names) }
            { ". " }
            if !bound.is_empty() {
                // With its full stop: on a phone both are left out.
                <span class="optimum">{ why(bound, &known) }{ ". " }</span>
            }
            // The sentence takes its place before its number is known, so that the content below
            // does not move.
            { terms(&findings::of_others(state)) }
        </>
    }
}

fn figures(
    state: &GraphState,
    answer: &GraphAnswer,
    names: &ItemWords,
    apart: impl Fn(&'static str) -> Html,
) -> Html {
    let f = &answer.report.figures;
    let none = || html! { "–" };
    let overhead = match f.overhead {
        // Costs are estimated for graphs; items with computed attention are sequences, which have
        // theirs on another view.
        Some(0.0) | None if names.attention.is_some() => terms("no overhead assumed"),
        Some(0.0) | None => html! { <>{ terms("no overhead assumed") }{ to_cost() }</> },
        Some(o) => {
            html! {
                <>
                    { "after " }
                    { figure("overhead", o, percent(o)) }
                    { terms(" overhead") }
                    { to_cost() }
                </>
            }
        }
    };
    html! {
        <dl class="figures">
            { cell(
                "Packs",
                stated(&Figures::PACKS, f),
                html! {
                    <>{ "was " }{ stated(&Figures::ITEMS, f) }{ apart("packs") }</>
                },
            ) }
            { cell(
                "Harmonic efficiency",
                stated(&Figures::HARMONIC, f),
                html! {
                    <>
                        { format!("of {} and {}", names.short(0), names.short(1)) }
                        { apart("efficiency_harmonic") }
                    </>
                },
            ) }
            { cell(
                "Packing factor",
                stated(&Figures::FACTOR, f),
                html! {
                    <>{ quiet(&format!("{} per pack", names.items)) }{ apart("packing_factor") }</>
                },
            ) }
            { cell(
                "Speed-up by slots",
                f.realised_speedup
                    .map_or_else(none, |s| figure("realised_speedup", s, factor(s))),
                html! { <>{ overhead }{ apart("realised_speedup") }</> },
            ) }
            { bound(f, "pack", state.searching().is_some()) }
        </dl>
    }
}

fn small_print(answer: &GraphAnswer, names: &ItemWords) -> Html {
    let (f, report) = (&answer.report.figures, &answer.report);
    let of = |name, values: &[u64], k: usize| {
        let value = values.get(k).copied().unwrap_or(0);
        figure_of(name, k, value, count(value))
    };
    let overlong = report.overlong_items;
    let what = match report.settings.overlong {
        Overlong::Truncate => "cut",
        _ => "dropped",
    };
    html! {
        <p class="small">
            { stated(&Figures::STRATEGIES, f) }
            { " distinct packs, up to " }
            { figure("max_depth", f.max_depth, names.count(f.max_depth)) }
            { " each. " }
            if overlong > 0 {
                <b>{ format!("{} above a limit: {what}. ", names.count(overlong)) }</b>
            }
            { terms("Waste: ") }
            { of("waste_tokens", &f.waste_tokens, 0) }
            { format!(" {} and ", names.names()[0]) }
            { of("waste_tokens", &f.waste_tokens, 1) }
            { format!(" {}", names.names()[1]) }
            { if overlong > 0 { " thrown away, which is no padding." } else { "." } }
        </p>
    }
}
