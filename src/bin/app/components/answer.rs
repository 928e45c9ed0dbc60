//! The answer in a sentence, with its figures.

use super::of_bins::OfBins;
use super::unseen::Announce;
use super::{cell, figure, figure_in_terms, pin, stated};
use crate::components::explained::{terms, why};
use crate::shared::{AnswerProps, SharedState};
use packscope::api::{Report, Settings};
use packscope::metrics::Figures;
use packscope::words::{count, efficiency, factor, percent, plural};
use packscope_page::state::{StudyAnswer, findings};
use yew::prelude::*;

#[component]
pub fn Headline(props: &AnswerProps) -> Html {
    let apart = pin::use_apart(&props.state);
    let Some(answer) = &props.state.sequences.answer else {
        return html! {
            <section class="answer">
                <h1>{ "How much of your training is padding?" }</h1>
            </section>
        };
    };
    let unit = props.state.sequences.unit();
    html! {
        <section class="answer">
            <Announce
                words={announcement(&answer.report, unit)}
                // Or each better plan of a running search would be announced.
                held={props.state.sequences.searching().is_some()}
            />
            { sentence(&answer.report, props) }
            { figures(answer, props, apart) }
            { small_print(&answer.report, unit) }
        </section>
    }
}

fn announcement(report: &Report, unit: &str) -> String {
    let f = &report.figures;
    format!(
        "{}{} padding, {} of {}.",
        findings::of_waste(report, unit),
        percent(f.padding_share()),
        plural(f.packs, "row"),
        plural(f.items, "sequence")
    )
}

fn sentence(report: &Report, props: &AnswerProps) -> Html {
    let state = &props.state;
    let unit = state.sequences.unit();
    if state.compared_with().is_none() {
        return Html::default();
    }
    let other = state.padded(state.baseline.other());
    let other = other.map(|padded| {
        super::tied(&findings::of_other_baseline(
            &priced(report, state),
            state.baseline.other(),
            &padded,
        ))
    });
    html! {
        <>
            <h1>{ sentence_of(state) }</h1>
            <OfBins state={state.clone()} />
            <p class="second">{ rows(report, unit) }{ other }{ " " }{ optimum(report, unit) }</p>
            { slots_of(report, state) }
        </>
    }
}

/// Draws the slots of an epoch, padded and as answered.
fn slots_of(report: &Report, state: &SharedState) -> Html {
    let (f, padded) = (&report.figures, state.compared_with());
    let tokens = f.real_tokens[0] as f64;
    let before = padded.map_or(tokens, |padded| padded.slots);
    let after = tokens / (1.0 - f.padding_share());
    to_scale(
        "Slots of an epoch, padded and as answered",
        &[[tokens, before], [tokens, after]],
    )
}

/// Draws tokens and slots of epochs, one below the other to the scale of the largest: on a phone, whose first screen has
/// no room for a plot.
pub fn to_scale(label: &'static str, epochs: &[[f64; 2]]) -> Html {
    let most = epochs.iter().map(|[_, slots]| *slots).fold(0.0, f64::max);
    // Thousandths, as the view box has them.
    let wide = |n: f64| (1000.0 * n / most).round().to_string();
    let bar = |(y, [tokens, slots]): (usize, &[f64; 2])| {
        let y = (12 * y).to_string();
        html! {
            <>
                <rect class="padding" y={y.clone()} width={wide(*slots)} height="8" />
                <rect {y} width={wide(*tokens)} height="8" />
            </>
        }
    };
    html! {
        <svg
            class="to-scale" role="img" aria-label={label}
            viewBox="0 0 1000 20" preserveAspectRatio="none"
        >
            { for epochs.iter().enumerate().map(bar) }
        </svg>
    }
}

/// Returns the settings of a report with the present batch: a report is not asked for again for another one, which decides
/// no packing, but the baseline is of the present one.
fn priced(report: &Report, state: &SharedState) -> Settings {
    Settings {
        batch: state.sequences.settings.batch,
        ..report.settings.clone()
    }
}

/// Draws the words of the headline; nothing before the first answer.
pub fn sentence_of(state: &SharedState) -> Html {
    let (Some(answer), Some(padded)) = (&state.sequences.answer, state.compared_with()) else {
        return Html::default();
    };
    let (report, unit) = (&answer.report, state.sequences.unit());
    let (f, settings) = (&report.figures, priced(report, state));
    let after = if f.padding_tokens[0] == 0 {
        "0 %".to_owned()
    } else {
        percent(f.padding_share())
    };
    // Sorted batches are no packing, and have no bound.
    let verb = if f.lower_bound.is_some() {
        "Packed"
    } else {
        "Sorted"
    };
    html! {
        <>
            { super::tied(&findings::of_waste(report, unit)) }
            { super::tied(&findings::of_baseline(&settings, state.baseline, &padded, unit)) }
            <mark>{ terms("padding") }</mark>
            { ". " }
            { verb }
            // A no-break space: the figure stays on the line of its verb.
            { ":\u{a0}" }
            <em class="needle">{ super::tied(&after) }</em>
            { "." }
        </>
    }
}

fn rows(report: &Report, unit: &str) -> Html {
    let f = &report.figures;
    if f.lower_bound.is_none() {
        // Sorting keeps the number of rows; its factor is that of the slots.
        let slots = percent(1.0 / f.packing_factor);
        return html! {
            <>
                { findings::of_data(report, unit) }
                { " as many rows, " }
                <b>{ count(f.items) }</b>
                { ", shorter ones: " }
                { figure("packing_factor", f.packing_factor, slots) }
                { " of the slots. " }
            </>
        };
    }
    html! {
        <>
            { findings::of_data(report, unit) }
            { " " }
            <b>{ count(f.packs) }</b>
            { " rows instead of " }
            { count(f.items) }
            { ", " }
            { figure("packing_factor", f.packing_factor, format!("{:.2}", f.packing_factor)) }
            { " sequences a row. " }
        </>
    }
}

/// The lower bound in words, with its derivation as an explanation.
fn optimum(report: &Report, unit: &str) -> Html {
    let f = &report.figures;
    let Some(bound) = f.bound() else {
        return html! {};
    };
    let known = format!("How that is known: {}.", bound.kind.words());
    let (than, words) = match f.packs == bound.packs {
        true => (": ", "this is proven".to_owned()),
        false => (" than ", count(bound.packs)),
    };
    html! {
        <span class="optimum">
            { terms(&findings::of_optimum(&report.settings, unit)) }
            { than }
            { why(words, &known) }
            { "." }
        </span>
    }
}

fn figures(
    answer: &StudyAnswer,
    props: &AnswerProps,
    apart: impl Fn(&'static str) -> Html,
) -> Html {
    let (f, searching) = (
        &answer.report.figures,
        props.state.sequences.searching().is_some(),
    );
    let padded = props.state.compared_with();
    // There is no chosen baseline while the answer is about other data than those on screen.
    let before = padded.map_or(f.baseline_padding_share(), |p| p.padding_share);
    let speedup = padded
        .and_then(|p| p.realised_speedup(f))
        .or(f.realised_speedup);
    let none = || "–".to_owned();
    let over = props.state.baseline.speedup();
    html! {
        <dl class="figures">
            { cell(
                "Padding",
                stated(&Figures::PADDING, f),
                html! {
                    <>
                        { "was " }
                        { figure("baseline_padding_share", before, percent(before)) }
                        { apart("padding_share") }
                    </>
                },
            ) }
            { cell(
                "Rows",
                stated(&Figures::PACKS, f),
                html! {
                    <>{ "was " }{ stated(&Figures::ITEMS, f) }{ apart("packs") }</>
                },
            ) }
            { cell(
                "Efficiency",
                stated(&Figures::EFFICIENCY, f),
                html! {
                    <>
                        { "was " }
                        { figure("baseline_efficiency", 1.0 - before, efficiency(1.0 - before)) }
                        { apart("efficiency") }
                    </>
                },
            ) }
            { cell(
                "Speed-up by slots",
                speedup.map_or_else(
                    || html! { none() },
                    |s| figure(over, s, factor(s)),
                ),
                f.overhead.map_or_else(
                    || html! { "row lengths change from step to step" },
                    |o| html! {
                        <>
                            { "after " }
                            { figure("overhead", o, percent(o)) }
                            { terms(" overhead") }
                        </>
                    },
                ),
            ) }
            { bound(f, "row", searching) }
        </dl>
    }
}

/// Draws the lower bound of packs (called `unit`) with its derivation as an explanation, and the
/// gap to it.
pub fn bound(f: &Figures, unit: &str, searching: bool) -> Html {
    // Both are missing for sorted batches, whose rows have no common length.
    let (value, below) = match f.bound().zip(f.gap) {
        None => (html! { "–" }, html! { "rows are not of equal length" }),
        Some((bound, gap)) => {
            let above = f.packs.saturating_sub(bound.packs);
            let more = match above {
                0 => format!("This plan has as few {unit}s as any plan can have"),
                _ => "The gap is what this plan has above the bound: a better plan, or a better bound, may close it".to_owned(),
            };
            let words = match above {
                0 => "gap 0: no plan needs fewer".to_owned(),
                n if searching => format!("gap {}, still looking …", count(n)),
                n => format!("gap {}, {}", plural(n, unit), percent(gap)),
            };
            let known = format!("How the bound is known: {}. {more}.", bound.kind.words());
            let value = why(
                figure("lower_bound", bound.packs, count(bound.packs)),
                &known,
            );
            (value, figure_in_terms("gap", gap, &words))
        }
    };
    cell("Lower bound", value, below)
}

fn small_print(report: &Report, unit: &str) -> Html {
    let f = &report.figures;
    // Some reports list the most used strategies only, and do not know how many there are.
    let shapes = f.strategies.map_or_else(
        || html! { <>{ "more than " }{ count(report.strategies.len() as u64) }</> },
        |s| figure("strategies", s, count(s)),
    );
    let many = if report.overlong_items == 1 {
        "sequence is"
    } else {
        "sequences are"
    };
    html! {
        <p class="small">
            { stated(&Figures::REAL, f) }
            { format!(" {unit} in ") }
            { stated(&Figures::SLOTS, f) }
            { " slots, " }
            { stated(&Figures::EMPTY, f) }
            { " empty; " }
            { shapes }
            { " shapes, up to " }
            { stated(&Figures::DEPTH, f) }
            { if f.max_depth == 1 { " sequence each. " } else { " sequences each. " } }
            if report.overlong_items > 0 {
                <b>
                    { format!("{} {many} longer than the limit; ", count(report.overlong_items)) }
                </b>
            }
            { terms(if report.overlong_items > 0 { "waste" } else { "Waste" }) }
            { ": " }
            { stated(&Figures::WASTE, f) }
            { format!(" {unit}{}.", if f.waste_tokens[0] > 0 { " thrown away" } else { "" }) }
            if let Some(used) = f.least_squares {
                { " The least squares use " }
                { figure("least_squares", used, count(used)) }
                { " shapes; repair, which holds each sequence exactly once, makes them more." }
            }
            if let Some(published) = f.published_packs {
                { " With the repair of the paper, which adds sequences that do not exist, it would be " }
                { figure("published_packs", published, count(published)) }
                { " rows, or a few more or fewer: " }
                { why(
                    "its least squares have many solutions",
                    "Which one the published code ends at differs by version of SciPy and by machine: 8,155,057 to 8,155,059 rows on Wikipedia, 40,778 to 40,782 on SQuAD.",
                ) }
                { "." }
            }
        </p>
    }
}
