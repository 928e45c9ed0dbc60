//! The packs: one row per strategy, segments coloured by length, padding in grey.

use super::explained::why;
use super::fold::{Fold, use_room_fold};
use super::{choice, hues};
use crate::shared::SharedState;
use packscope::api::{PackShape, Report};
use packscope::order;
use packscope::words::{count, percent};
use packscope_chart::Hues;
use packscope_page::state::findings;
use yew::prelude::*;

#[derive(Clone, Properties)]
pub struct Props {
    pub state: SharedState,
    /// The length under the pointer, here or in the histogram.
    pub hover: Option<u32>,
    pub onhover: Callback<Option<u32>>,
}

impl PartialEq for Props {
    /// Only the answer and the pointer change the packs.
    fn eq(&self, other: &Self) -> bool {
        self.state.same_answer(&other.state) && self.hover == other.hover
    }
}

const MOST_USED: usize = 7;
const MOST_PADDING: usize = 3;
/// The most strategies shown under "all".
const ALL: usize = 300;
/// The most segments drawn in a row; more would be thinner than a pixel.
const SEGMENTS: usize = 400;
/// Segments of this share of the row in percent would be thinner than a pixel: those of a length
/// are drawn as one.
const THIN: f64 = 0.3;

#[component]
pub fn Rows(props: &Props) -> Html {
    let all = use_state_eq(|| false);
    let Fold { open, ontoggle } = use_room_fold("shared-rows");
    let Some(answer) = &props.state.sequences.answer else {
        return Html::default();
    };
    let report = &answer.report;
    let set = |on: bool| {
        let all = all.setter();
        Callback::from(move |_| all.set(on))
    };
    let hues = hues(&props.state.sequences, report.settings.limit);
    let row = |shape: &PackShape| row(shape, report, hues, props.hover, &props.onhover);
    // Strategies are sorted by use, and the first ones are listed above.
    let mut padded: Vec<&PackShape> = report.strategies.iter().skip(MOST_USED).collect();
    let padding = |s: &PackShape| (u64::from(report.settings.limit) - s.used()) * s.count;
    // The program’s own sort: the standard one is compiled anew for every type, at some six
    // kilobytes.
    order::sort_by_key(&mut padded, |s| std::cmp::Reverse(padding(s)));
    padded.retain(|s| padding(s) > 0);
    let n = report
        .figures
        .strategies
        .unwrap_or(report.strategies.len() as u64);
    let every = format!("all {}", count(n));
    html! {
        <details class="panel rows" id="shared-rows" {open} {ontoggle}>
            <summary>
                <h2>{ crate::components::titled(&findings::of_rows(report)) }</h2>
            </summary>
            <div class="caption">
                <p>{ "one row per shape of pack, widths to scale" }</p>
                { choice("Shapes shown", &[("top", !*all, set(false)), (&every, *all, set(true))]) }
            </div>
            <table class="packs">
                <thead>
                    <tr>
                        <th>{ "Lengths" }</th>
                        <th class="wide">{ scale(report.settings.limit) }</th>
                        <th>{ "Rows" }</th>
                        <th class="extra">{ "Share" }</th>
                        <th class="extra">{ "Empty" }</th>
                    </tr>
                </thead>
                if *all {
                    <tbody>{ for report.strategies.iter().take(ALL).map(row) }</tbody>
                } else {
                    <tbody>
                        <tr class="part">
                            <th colspan="5">{ "Most used" }</th>
                        </tr>
                        { for report.strategies.iter().take(MOST_USED).map(row) }
                        if !padded.is_empty() {
                            <tr class="part">
                                <th colspan="5">{ "Most padding among the others" }</th>
                            </tr>
                            { for padded.into_iter().take(MOST_PADDING).map(row) }
                        }
                    </tbody>
                }
            </table>
            if *all && n as usize > ALL {
                <p class="small">{ format!("The first {ALL} of {}, by rows.", count(n)) }</p>
            }
            <p class="small key">
                <i class="swatches" aria-hidden="true">
                    { for (0..8).map(|i| html! { <i class={format!("b{i}")} /> }) }
                </i>
                { "Colour is length, as in the histogram." }
                <i class="swatch" aria-hidden="true" />
                { "Grey is padding, here and everywhere." }
            </p>
        </details>
    }
}

/// The scale above bars: slots from 0 to the limit.
pub fn scale(limit: u32) -> Html {
    html! {
        <span class="scale">
            <span>{ "0" }</span>
            <span>{ count(u64::from(limit / 2)) }</span>
            <span>{ count(u64::from(limit)) }</span>
        </span>
    }
}

fn row(
    shape: &PackShape,
    report: &Report,
    hues: Hues,
    hover: Option<u32>,
    onhover: &Callback<Option<u32>>,
) -> Html {
    let limit = report.settings.limit;
    html! {
        <tr>
            <th scope="row" class="lengths-of">{ named(shape, 3) }</th>
            <td class="wide">{ bar(shape, limit, hues, true, hover, onhover) }</td>
            <td>{ count(shape.count) }</td>
            <td class="extra">{ percent(shape.count as f64 / report.figures.packs as f64) }</td>
            <td class="extra">{ count(u64::from(limit) - shape.used()) }</td>
        </tr>
    }
}

/// Draws a pack to scale: its lengths, then its padding if it is padded to the limit.
pub fn bar(
    shape: &PackShape,
    limit: u32,
    hues: Hues,
    padded: bool,
    hover: Option<u32>,
    onhover: &Callback<Option<u32>>,
) -> Html {
    html! {
        // SVG, since a bar of CSS would need a style attribute, which the content security policy
        // forbids.
        <svg class="pack" width="100%" height="17" aria-hidden="true">
            if padded && shape.used() < u64::from(limit) {
                <rect class="pad" width="100%" height="17" />
            }
            { segments(shape, limit, hues, hover, onhover) }
        </svg>
    }
}

fn segments(
    shape: &PackShape,
    limit: u32,
    hues: Hues,
    hover: Option<u32>,
    onhover: &Callback<Option<u32>>,
) -> Html {
    let mut used = 0u64;
    let part = |n: u64| n as f64 / f64::from(limit) * 100.0;
    let mut out = Vec::new();
    'runs: for &(length, times) in &shape.runs {
        let thin = part(u64::from(length)) < THIN;
        let (times, slots) = if thin {
            (1, u64::from(length) * u64::from(times))
        } else {
            (times, u64::from(length))
        };
        for _ in 0..times {
            if out.len() >= SEGMENTS {
                break 'runs;
            }
            let (x, width) = (part(used), part(slots));
            used += slots;
            let step = hues.step(length);
            let class = classes!(format!("l{step}"), (hover == Some(length)).then_some("lit"));
            out.push(html! {
                <g
                    onpointerenter={onhover.reform(move |_| Some(length))}
                    onpointerleave={onhover.reform(|_| None)}
                >
                    <rect
                        {class}
                        x={format!("{x:.4}%")}
                        width={format!("{width:.4}%")}
                        height="17"
                    />
                    // In percent of the row: narrower segments have no room for a number.
                    if width > 7.0 && !thin {
                        <text
                            class={classes!(format!("t{step}"), (width < 22.0).then_some("narrow"))}
                            x={format!("{x:.4}%")}
                            dx="5"
                            y="12.5"
                        >
                            { length }
                        </text>
                    }
                </g>
            });
        }
    }
    out.into_iter().collect()
}

/// Draws the lengths of a shape; if there are more than `runs` runs, the full list is in the
/// explanation.
pub fn named(shape: &PackShape, runs: usize) -> Html {
    let short = name(shape, runs);
    if shape.runs.len() > runs {
        why(short, &name(shape, usize::MAX))
    } else {
        html! { short }
    }
}

/// Returns the lengths of a shape, at most `runs` runs: "202 + 180 + 130", "12 × 40".
pub fn name(shape: &PackShape, runs: usize) -> String {
    let run = |(length, times): &(u32, u32)| match times {
        1 => length.to_string(),
        n => format!("{n} × {length}"),
    };
    let mut names: Vec<String> = shape.runs.iter().take(runs).map(run).collect();
    if shape.runs.len() > runs {
        names.push("…".to_owned());
    }
    names.join(" + ")
}
