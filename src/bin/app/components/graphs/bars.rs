//! Slots before and after packing, on one scale: the filled part keeps its length while the padding
//! shrinks.

use crate::components::figure_of;
use packscope::ingest::ItemWords;
use packscope::metrics::Figures;
use packscope::words::{capital, count, factor, percent};
use yew::prelude::*;

pub fn bars(f: &Figures, words: &ItemWords) -> Html {
    html! { <div class="before-after">{ for (0..2).map(|k| component(f, k, words)) }</div> }
}

fn component(f: &Figures, k: usize, words: &ItemWords) -> Html {
    let at = |values: &[u64]| values.get(k).copied().unwrap_or(0);
    let (real, slots, empty) = (at(&f.real_tokens), at(&f.slots), at(&f.padding_tokens));
    let before = f.baseline_efficiency.get(k).copied().unwrap_or(1.0);
    let after = f.efficiency.get(k).copied().unwrap_or(1.0);
    // Slots before packing, from the efficiency: 0 where a component has no tokens at all.
    let all = if before > 0.0 {
        real as f64 / before
    } else {
        slots as f64
    };
    // Attention is a sum under a limit: it has no slots that could stay empty.
    if k == 1 && words.attention.is_some() {
        return attention([before, after], words);
    }
    let share = |slots: f64| {
        if all > 0.0 {
            (slots / all).min(1.0)
        } else {
            0.0
        }
    };
    html! {
        <section>
            <h2>{ capital(&words.components[k]) }</h2>
            <p>
                <b>{ figure_of("baseline_efficiency", k, before, percent(before)) }</b>
                { format!(" filled with one {} per row: ", words.item) }
                { figure_of("real_tokens", k, real, count(real)) }
                { " of " }
                { count(all.round() as u64) }
                { " slots" }
                if before > 0.0 {
                    { "; packing wins at most " }
                    { figure_of("potential", k, 1.0 / before, factor(1.0 / before)) }
                }
            </p>
            { bar(before, 1.0) }
            <p>
                <b class="needle">{ figure_of("efficiency", k, after, percent(after)) }</b>
                { " filled when packed: " }
                { figure_of("padding_tokens", k, empty, count(empty)) }
                { " of " }
                { figure_of("slots", k, slots, count(slots)) }
                { " left empty" }
            </p>
            { bar(share(real as f64), share(slots as f64)) }
        </section>
    }
}

/// Draws the mean attention of packs as a share of its limit, before and after packing.
fn attention([before, after]: [f64; 2], words: &ItemWords) -> Html {
    html! {
        <section>
            <h2>{ capital(words.short(1)) }</h2>
            <p>
                <b>{ figure_of("baseline_efficiency", 1, before, percent(before)) }</b>
                { format!(" of the limit on average with one {} per row", words.item) }
            </p>
            { bar(before, 1.0) }
            <p>
                <b class="needle">{ figure_of("efficiency", 1, after, percent(after)) }</b>
                { " of the limit on average when packed; no pack is above it" }
            </p>
            { bar(after, 1.0) }
        </section>
    }
}

/// Draws a bar of filled slots and of all slots, both as shares of the slots before packing.
fn bar(filled: f64, slots: f64) -> Html {
    let width = |share: f64| format!("{:.3}%", share * 100.0);
    html! {
        // SVG, since a bar of CSS would need a style attribute, which the content security policy
        // forbids.
        <svg width="100%" height="16" aria-hidden="true">
            <rect class="pad" width={width(slots)} height="16" />
            <rect class="full" width={width(filled)} height="16" />
        </svg>
    }
}
