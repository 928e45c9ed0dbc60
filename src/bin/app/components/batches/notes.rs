//! Differences from *TokenDrop + BucketSampler* (Nagarajan and Raghunathan 2023, here “the paper”)
//! and its code.

use crate::components::explained::terms;
use crate::components::fold::Folded;
use crate::components::tied;
use packscope_page::state::speedup::words::RATES;
use yew::prelude::*;

/// For each difference: the behaviour here, in bold; that of the paper or its code; and its source.
const NOTES: [(&str, &str, &str); 13] = [
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
    (
        "The rate follows the square root of each batch.",
        RATES,
        "§2.2; P1 §4.2",
    ),
    (
        "87.5 % of the sequences are shorter than L₈₇.₅.",
        "The paper says longer, which its own estimate of padding contradicts.",
        "Appendix E.2",
    ),
    (
        "Padding is counted.",
        "The paper has 38.9 % for random batches in training and 40.1 % in inference. On CoLA, SST-2, STS-B, RTE and WNLI its own estimate is 39.7 % on average, and a count 59.0 %: its figures look like the estimate. Its 9.3 % for buckets is below their count too, 14.1 %. Of MRPC, QQP, QNLI and MNLI, its other sets of GLUE, it has no counts.",
        "§3.1, Table 3; Appendix E.2; recomputed",
    ),
    (
        "Speed-ups are smaller.",
        "The paper measured 10.61× for SST-2, 9.87× for SQuAD and 5.9× on average, and as much on Roberta-large. Padding alone does not explain that: if every slot held a token, SST-2 would have 9.6 times fewer than rows of 128, and SQuAD 2.2 times fewer than rows of 384; random batches, padded to their longest, have less to lose.",
        "§3.1, Table 1; Appendix B, Table 7; recomputed",
    ),
    (
        "Packed rows come before BucketSampler on SST-2.",
        "In the paper packing is behind: 4.2× to 5.1×, with the time that its packs and their attention take in three epochs. Here packs are made once, in milliseconds, and the caps of BucketSampler’s first epochs count.",
        "§4, Table 5",
    ),
    (
        "A sequence has one length.",
        "For summaries the paper puts sources into buckets and pads targets: T5-small, 8.62× on XSum and 7.77× on CNN/DailyMail. Pairs of two lengths are packed in the view of graphs.",
        "§3.1, Table 2",
    ),
    (
        "What is done once costs no time.",
        "Finding stopwords and filling buckets takes the paper part of the gain, most on small data: with ten seeds, for which it is done once, it has 6.8× instead of 5.9×. Dropout, which it lowers to 0.025 or 0 where stopwords are dropped, takes none.",
        "Appendix E.1; Appendix A, Table 6",
    ),
];

#[component]
pub fn Notes() -> Html {
    let title = html! { "Where we differ from the paper and its code" };
    html! {
        <Folded id="differences" class="differences" {title}>
            <ul>
                { for NOTES.iter().map(|(here, there, source)| html! {
                    <li>
                        <b>{ terms(&tied(here)) }</b>
                        { " " }
                        { terms(&tied(there)) }
                        { " " }
                        <span class="where">{ *source }</span>
                    </li>
                }) }
            </ul>
            <p class="small">
                { "The paper: Nagarajan and Raghunathan 2023, " }
                <i>{ "TokenDrop + BucketSampler" }</i>
                { ", and the code its authors published." }
            </p>
        </Folded>
    }
}
