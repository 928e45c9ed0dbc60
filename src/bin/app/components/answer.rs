//! The answer in words, and the figures behind it.

use super::announce::Announce;
use super::{cell, figure, figure_in_terms, pin, speedup};
use crate::components::explained::{terms, why};
use crate::shared::AnswerProps;
use packscope::api::Report;
use packscope::metrics::Figures;
use packscope::state::pin::Comparison;
use packscope::state::{Answer, findings};
use packscope::words::{count, efficiency, factor, percent, seconds};
use yew::prelude::*;

/// The headline with its six figures.
#[component]
pub fn Headline(props: &AnswerProps) -> Html {
    let Some(answer) = &props.state.sequences.answer else {
        return html! { <section class="answer"><h1>{ "How much of your training is padding?" }</h1></section> };
    };
    html! {
        <section class="answer">
            <Announce words={announcement(&answer.report)} held={props.state.sequences.searching().is_some()} />
            { sentence(&answer.report) }
            { figures(answer, props.state.sequences.searching().is_some(), props.state.against().as_ref()) }
            { small_print(&answer.report) }
        </section>
    }
}

/// The announcement of a new answer to screen readers.
fn announcement(report: &Report) -> String {
    let f = &report.figures;
    format!(
        "{} padding, {} rows of {} sequences.",
        percent(f.padding_share()),
        count(f.packs),
        count(f.items)
    )
}

fn sentence(report: &Report) -> Html {
    let f = &report.figures;
    let before = findings::share_in_words(f.baseline_padding_share());
    let after = if f.padding_tokens[0] == 0 { "0 %".to_owned() } else { percent(f.padding_share()) };
    let verb = if f.lower_bound.is_some() { "Packed" } else { "Sorted" };
    let second = if f.lower_bound.is_some() {
        html! { <>
            { "The same data in " }<b>{ count(f.packs) }</b>{ " rows instead of " }{ count(f.items) }{ ": " }
            { figure("packing_factor", f.packing_factor, factor(f.packing_factor)) }{ " fewer steps. " }
            { optimum(f) }
        </> }
    } else {
        html! { <>
            { "The same " }<b>{ count(f.items) }</b>{ " rows, shorter ones, in " }
            { figure("packing_factor", f.packing_factor, factor(f.packing_factor)) }{ " fewer slots." }
        </> }
    };
    html! { <>
        <h1>
            { before }{ " of every batch is " }<mark>{ terms("padding") }</mark>{ ". " }{ verb }{ ": " }
            <em class="needle">{ after }</em>{ "." }
        </h1>
        <p class="second">{ second }</p>
    </> }
}

/// The lower bound in words, with its derivation as explanation.
fn optimum(f: &Figures) -> Html {
    let Some(bound) = f.bound() else { return html! {} };
    let known = format!("How that is known: {}.", bound.kind.words());
    let (than, words) = match f.packs == bound.packs {
        true => (": ", "this is proven".to_owned()),
        false => (" than ", count(bound.packs)),
    };
    html! { <span class="optimum">{ terms("No plan can do better") }{ than }{ why(words, &known) }{ "." }</span> }
}

fn figures(answer: &Answer, searching: bool, against: Option<&Comparison>) -> Html {
    let f = &answer.report.figures;
    let apart = |name| pin::apart(against, name);
    let none = || "–".to_owned();
    html! {
        <dl class="figures">
            { cell(
                "Padding",
                figure("padding_share", f.padding_share(), percent(f.padding_share())),
                html! { <>{ "was " }{ figure("baseline_padding_share", f.baseline_padding_share(), percent(f.baseline_padding_share())) }{ apart("padding_share") }</> },
            ) }
            { cell(
                "Rows",
                figure("packs", f.packs, count(f.packs)),
                html! { <>{ "was " }{ figure("items", f.items, count(f.items)) }{ apart("packs") }</> },
            ) }
            { cell(
                "Efficiency",
                figure("efficiency", f.efficiency[0], efficiency(f.efficiency[0])),
                html! { <>{ "was " }{ figure("baseline_efficiency", f.baseline_efficiency[0], efficiency(f.baseline_efficiency[0])) }{ apart("efficiency") }</> },
            ) }
            { cell(
                "Speed-up, realised",
                f.realised_speedup.map_or_else(|| html! { none() }, |s| figure("realised_speedup", s, factor(s))),
                f.overhead.map_or_else(
                    || html! { "row lengths change from step to step" },
                    |o| html! { <>{ "after " }{ figure("overhead", o, percent(o)) }{ terms(" overhead; ") }{ speedup::link() }{ apart("realised_speedup") }</> },
                ),
            ) }
            { cell(
                "Lower bound",
                bound(f).unwrap_or_else(|| html! { none() }),
                gap(f, searching),
            ) }
            { cell("Computed in", figure("seconds", answer.seconds, seconds(answer.seconds)), html! { "in this page" }) }
        </dl>
    }
}

fn gap(f: &Figures, searching: bool) -> Html {
    let (Some(gap), Some(bound)) = (f.gap, f.bound()) else {
        return html! { "rows are not of equal length" };
    };
    let words = match f.packs - bound.packs {
        0 => "gap 0: no plan needs fewer".to_owned(),
        n if searching => format!("gap {}, still looking …", count(n)),
        n => format!("gap {} rows, {}", count(n), percent(gap)),
    };
    figure_in_terms("gap", gap, &words)
}

/// The lower bound, with its derivation as explanation.
fn bound(f: &Figures) -> Option<Html> {
    let (packs, bound) = (f.lower_bound?, f.bound()?);
    let more = match f.packs - bound.packs {
        0 => "This plan has as few rows as any plan can have",
        _ => "The gap is what this plan has above the bound: a better plan, or a better bound, may close it",
    };
    let known = format!("How the bound is known: {}. {more}.", bound.kind.words());
    Some(why(figure("lower_bound", packs, count(packs)), &known))
}

fn small_print(report: &Report) -> Html {
    let f = &report.figures;
    let shapes = f.strategies.map_or_else(
        || html! { <>{ "more than " }{ count(report.strategies.len() as u64) }</> },
        |s| figure("strategies", s, count(s)),
    );
    let many = if report.overlong_items == 1 { "sequence is" } else { "sequences are" };
    html! {
        <p class="small">
            { figure("real_tokens", f.real_tokens[0], count(f.real_tokens[0])) }{ " real tokens in " }
            { figure("slots", f.slots[0], count(f.slots[0])) }{ " slots, " }
            { figure("padding_tokens", f.padding_tokens[0], count(f.padding_tokens[0])) }{ " of them padding. Rows of " }
            { shapes }{ " shapes; the deepest holds " }{ figure("max_depth", f.max_depth, count(f.max_depth)) }{ ". " }
            if report.overlong_items > 0 {
                <b>{ format!("{} {many} longer than the limit; ", count(report.overlong_items)) }</b>
            }
            { terms(if report.overlong_items > 0 { "waste" } else { "Waste" }) }{ ": " }{ figure("waste_tokens", f.waste_tokens[0], count(f.waste_tokens[0])) }
            { if f.waste_tokens[0] > 0 { " tokens thrown away." } else { " tokens." } }
            if let Some(published) = f.published_packs {
                { " With the repair of the paper, which adds sequences that do not exist, it would be " }
                { figure("published_packs", published, count(published)) }{ " rows." }
            }
        </p>
    }
}
