//! Differences from the paper and its code.

use crate::components::explained::terms;
use crate::components::fold::Folded;
use crate::components::tied;
use packscope::state::speedup::words::RATES;
use yew::prelude::*;

/// The behaviour here, in bold; that of the paper or its code; and its source.
const NOTES: [(&str, &str, &str); 8] = [
    (
        "Every length has a bucket.",
        "In the paper buckets do not hold their upper edge, so the last one, up to 128, loses the sequences of exactly 128 tokens: 314 of 2,490 in RTE.",
        "§2.2, Algorithm 2",
    ),
    (
        "The caps are those of the code.",
        "Its last buckets take 50 sequences where the paper’s Table 6 says 64; data that are nearly all long need more steps than random batches of 64.",
        "§2.2; its code",
    ),
    (
        "The cap grows in every epoch.",
        "The paper’s is 64, 128, 256; its code takes 64, 256, 512, and stays at 64 unless tokens are dropped as well.",
        "§2.2; its code",
    ),
    (
        "Memory is as the table says.",
        "The paper says that it grows with the square of the length; in its own table a full batch has 12,625 slots at 5 tokens, 5,000 at 100 and 6,500 at 130, which is nearly in proportion.",
        "§2.2; its code",
    ),
    (
        "Merging residuals is not free.",
        "It makes fewer batches, 11 instead of 16 for CoLA and 4 instead of 18 for WNLI, but padding goes from 14.7 to 20.2 % and from 5.1 to 22.5 % (without BatchCap).",
        "§2.2; recomputed with its code",
    ),
    (
        "Stopwords go down to the shortest of the batch.",
        "The code drops length mod 5 of them before batches are made, not what the paper describes.",
        "§2.3; its code",
    ),
    ("The rate follows the square root of each batch.", RATES, "§2.2; P1 §4.2"),
    (
        "87.5 % of the sequences are shorter than L₈₇.₅.",
        "The paper says longer, which its own estimate of padding contradicts.",
        "Appendix E.2",
    ),
];

/// The notes on differences, folded.
#[component]
pub fn Notes() -> Html {
    let title = html! { "Where we differ from the paper and its code" };
    html! {
        <Folded id="differences" class="differences" {title}>
            <ul>
                { for NOTES.iter().map(|(here, there, source)| html! {
                    <li><b>{ terms(&tied(here)) }</b>{ " " }{ terms(&tied(there)) }{ " " }<span class="where">{ *source }</span></li>
                }) }
            </ul>
            <p class="small">{ "The paper: Nagarajan and Raghunathan 2023, " }<i>{ "TokenDrop + BucketSampler" }</i>{ ", and the code its authors published." }</p>
        </Folded>
    }
}
