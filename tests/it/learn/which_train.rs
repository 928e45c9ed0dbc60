//! Which tokens train.

use super::{Reader, fetched, figure};
use packscope_page::learn::data::{pair_lengths, pairs};
use packscope_page::state::learn::Prediction;
use std::collections::BTreeMap;

/// Tokens of the response that a limit leaves: the end cut off, the beginning, both in shares as LLaMA-Factory does.
fn left([prompt, response]: [u32; 2], limit: u32, cut: usize) -> u32 {
    let shared = if 2 * response < limit {
        limit
    } else if 2 * prompt < limit {
        limit - prompt
    } else {
        (f64::from(limit) * (f64::from(response) / f64::from(prompt + response))) as u32
    };
    let of = [limit.saturating_sub(prompt), limit, shared];
    of[cut].min(response)
}

/// The conversations are of the built-in set, one in 32 of it, and as long.
#[test]
fn conversations_are_of_the_trace() {
    let whole = fetched("azure_llm_trace_conv");
    assert_eq!(pairs().len() as u64, whole.items().div_ceil(32));
    let counts: BTreeMap<u32, u64> = whole.lengths().into_iter().collect();
    let mut sampled = BTreeMap::<u32, u64>::new();
    for (length, n) in pair_lengths() {
        *sampled.entry(length).or_default() += n;
    }
    assert!(sampled.iter().all(|(length, n)| counts[length] >= *n));
    let mean = |tokens: u64, n: u64| tokens as f64 / n as f64;
    let tokens: u64 = pair_lengths().map(|(length, _)| u64::from(length)).sum();
    let [part, all] = [
        mean(tokens, pairs().len() as u64),
        mean(whole.total()[0], whole.items()),
    ];
    assert!((part / all - 1.0).abs() < 0.03, "{part} {all}");
    // What the documentation of the set says of responses: 211.1 on average.
    let responses: u32 = pairs().iter().map(|[_, response]| response).sum();
    assert!((f64::from(responses) / pairs().len() as f64 - 211.1).abs() < 5.0);
}

#[test]
fn slots_and_losses_are_those_of_each_conversation() {
    let mut reader = Reader::opens("which-train");
    reader.predicts("responses-left", Some(Prediction::Skipped));
    for cut in 0..3 {
        reader.moves("cut", &[cut as u32]);
        for limit in [64, 512, 1024, 2048, 6528] {
            reader.moves("limit", &[limit]);
            let shown = reader.sees();
            let (mut slots, mut kept, mut rest) = (0, 0, 0);
            for batch in pairs().chunks(8) {
                let longest = batch.iter().map(|[p, r]| (p + r).min(limit)).max().unwrap();
                slots += longest * batch.len() as u32;
            }
            let mut none = 0;
            for pair in pairs() {
                let here = left(pair, limit, cut);
                kept += here;
                rest += (pair[0] + pair[1]).min(limit) - here;
                none += u32::from(here == 0);
            }
            let is = |name: &str, value: f64| {
                let there = figure(&shown, name).unwrap();
                assert!(
                    (there - value).abs() < 1e-12 * value.max(1.0),
                    "{cut} {limit} {name}: {there} {value}"
                );
            };
            let all: u32 = pairs().iter().map(|[_, response]| response).sum();
            is("slots", f64::from(slots));
            is("responses", f64::from(kept) / f64::from(slots));
            is("prompts", f64::from(rest) / f64::from(slots));
            is("padding", f64::from(slots - kept - rest) / f64::from(slots));
            is("responses_lost", f64::from(all - kept) / f64::from(all));
            is("untrained", f64::from(none));
        }
    }
}

#[test]
fn the_smallest_limit_cuts_the_beginning() {
    let mut reader = Reader::opens("which-train");
    assert!(!reader.sees().is_done());
    // The smallest that cuts the end is not the smallest.
    reader.moves("limit", &[6336]);
    assert!(
        reader
            .sees()
            .almost()
            .contains("What if something else is cut?"),
        "{:?}",
        reader.sees().conditions
    );
    reader.moves("cut", &[1]);
    assert!(
        reader
            .sees()
            .almost()
            .contains("a smaller limit does as well")
    );
    reader.moves("limit", &[384]);
    assert!(!reader.sees().is_done());
    reader.moves("limit", &[448]);
    let shown = reader.sees();
    assert!(shown.is_done(), "{:?}", shown.conditions);
    assert!(shown.found.starts_with("With the beginning cut off, 448 tokens are enough; with the end cut off it takes 6,336."), "{}", shown.found);
}
