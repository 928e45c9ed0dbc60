//! Differences from *TokenDrop + BucketSampler* (Nagarajan and Raghunathan 2023, here “the paper”)
//! and its code.

use crate::components::explained::terms;
use crate::components::fold::Folded;
use crate::components::tied;
use packscope_page::state::speedup::words::RATES;
use yew::prelude::*;

/// For each difference: the behaviour here, in bold; that of the paper or its code; and its source.
const NOTES: [(&str, &str, &str); 15] = [
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
        "The paper says that it grows with the square of the length; in the table of its code a full batch has 12,625 slots at 5 tokens, 5,000 at 100 and 6,500 at 130, which is nearly in proportion.",
        "§2.2; its code",
    ),
    (
        "Merging residuals is not free.",
        "It makes fewer batches, 11 instead of 16 for CoLA and 4 instead of 18 for WNLI, but padding goes from 14.7 to 20.2 % and from 5.1 to 22.5 % (in its code's buckets of five lengths, without BatchCap).",
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
        "The paper has 38.9 % for random batches in training and 40.1 % in inference. On the six of its sets of GLUE that are built in, its own estimate is 36.9 % on average, and a count 55.2 %: its figures look like the estimate. Its 9.3 % for buckets of one length is above their count on these six, 6.7 %. QQP, QNLI and MNLI are not counted here: their texts were not found. With stopwords dropped as well 0.2 % are left in training, in merged residual batches, and 0.3 % in inference.",
        "§3.1, Table 3; Appendix E.2; recomputed",
    ),
    (
        "Speed-ups are smaller.",
        "The paper measured 10.61× for SST-2, 9.87× for SQuAD, 9.39× for CoLA, 7.73× for STS-B, 5.51× for QQP, 4.09× for MNLI, 3.8× for WNLI, 3.18× for QNLI, 2.75× for MRPC, 2.05× for RTE and 5.9× on average, and as much on Roberta-large (10.12× to 2.02×). Padding alone does not explain that: if every slot held a token, SST-2 would have 9.6 times fewer than rows of 128, and SQuAD 2.2 times fewer than rows of 384; random batches, padded to their longest, have less to lose. Our estimates come near these factors only if all random batches are padded to 128. To see the paper’s setup, take RoBERTa base on one RTX 2080 Ti.",
        "§3.1, Table 1; Appendix B, Table 7; recomputed",
    ),
    (
        "Packed rows come before BucketSampler on SST-2.",
        "In the paper packing is behind: 4.2× to 5.1×, with the time that its packs and their attention take in three epochs. Here packs are made once, in milliseconds, and the caps of BucketSampler’s first epochs count.",
        "§4, Table 5",
    ),
    (
        "Buckets need lengths that differ.",
        "Masked language models are pre-trained on text that is cut into blocks of one length: there, the paper says, BucketSampler is of no use. Nor can words be dropped where they decide the label, as in CoLA.",
        "§7",
    ),
    (
        "Other savings are left out.",
        "The paper expects its own to add to frozen layers, adapters and the pruning of tokens layer by layer, and measures none of these together.",
        "§1; §3.2",
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
