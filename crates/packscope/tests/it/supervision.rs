//! Which tokens train: curves beside a count of item by item, samples, weights, and mixes.
#![allow(
    clippy::single_range_in_vec_init,
    reason = "an item with one span has a list of one range"
)]

use packscope::advice::{Advisor, Case, SharedCurves};
use packscope::histogram::{Histogram, Overlong};
use packscope::packing::go_on;
use packscope::rng::Random;
use packscope::supervision::sources::{BySource, Mix, Weighted};
use packscope::supervision::weights::{Reduction, Steps, of_epoch, of_first_step};
use packscope::supervision::{
    CurveBuilder, Curves, MOST_LIMIT, Sample, SampledItem, Span, Truncation,
};
use std::sync::Arc;

/// An item: its tokens, its spans, and how often it is there.
type Item = (u32, Vec<Span>, u64);

/// Draws a set of items with up to six turns.
fn items(seed: u64) -> Vec<Item> {
    let mut random = Random::seeded(seed);
    let longest = [3, 8, 20, 40][random.below(4) as usize];
    let one = |random: &mut Random| {
        let (mut at, mut spans) = (0, Vec::new());
        for _ in 0..random.below(5) {
            // Turns without a prompt follow each other, and some have no response.
            let prompt = random.below(longest) as u32;
            let response = random.below(longest) as u32;
            let start = at + prompt;
            if response > 0 {
                spans.push(start..start + response);
            }
            at = start + response;
        }
        let tokens = at + random.below(longest) as u32;
        (tokens.max(1), spans, 1 + random.below(3))
    };
    let number = 1 + random.below(20);
    (0..number).map(|_| one(&mut random)).collect()
}

/// `infer_seqlen` of LLaMA-Factory 0.9.5, written from its source.
fn infer_seqlen(source: usize, target: usize, cutoff: usize) -> (usize, usize) {
    let most = if target * 2 < cutoff {
        cutoff
    } else if source * 2 < cutoff {
        cutoff - source
    } else {
        (cutoff as f64 * (target as f64 / (source + target) as f64)) as usize
    };
    let new_target = most.min(target);
    (source.min(cutoff - new_target.min(cutoff)), new_target)
}

/// The supervised tokens that are left of an item, token by token.
fn left(truncation: Truncation, (tokens, spans, _): &Item, limit: u32) -> u64 {
    let mask: Vec<bool> = (0..*tokens)
        .map(|at| spans.iter().any(|span| span.contains(&at)))
        .collect();
    let limit = limit as usize;
    let kept: Vec<bool> = match truncation {
        Truncation::Right => mask.iter().take(limit).copied().collect(),
        Truncation::Left => mask.iter().rev().take(limit).copied().collect(),
        Truncation::Shared => {
            let (mut all, mut total, mut at) = (Vec::new(), 0, 0);
            for span in spans {
                if total >= limit {
                    break;
                }
                let (start, end) = (span.start as usize, span.end as usize);
                let (source, target) = infer_seqlen(start - at, end - start, limit - total);
                all.extend(std::iter::repeat_n(false, source));
                all.extend(std::iter::repeat_n(true, target));
                total += source + target;
                at = end;
            }
            all
        }
    };
    kept.iter().filter(|trains| **trains).count() as u64
}

fn curves(truncation: Truncation, items: &[Item]) -> Curves {
    let mut builder = CurveBuilder::new(truncation);
    for (tokens, spans, count) in items {
        builder.add(*tokens, spans, *count).unwrap();
    }
    builder.finish()
}

#[test]
fn curves_equal_a_count_of_every_item_at_every_limit() {
    let mut falls = 0;
    for seed in 0..300 {
        let items = items(seed);
        let longest = items.iter().map(|(tokens, ..)| *tokens).max().unwrap();
        for truncation in Truncation::ALL {
            let curves = curves(truncation, &items);
            assert_eq!(curves.longest(), longest);
            let mut before = 0;
            for limit in 0..=longest + 2 {
                let of = |item: &Item| left(truncation, item, limit);
                let kept: u64 = items.iter().map(|item| of(item) * item.2).sum();
                let none: u64 = items
                    .iter()
                    .filter(|item| of(item) == 0)
                    .map(|item| item.2)
                    .sum();
                let about = format!("seed {seed}, {truncation} at {limit}");
                assert_eq!(
                    (curves.kept(limit), curves.untrained(limit)),
                    (kept, none),
                    "{about}"
                );
                let cut = |item: &Item| u64::from(item.0.min(limit)) * item.2;
                assert_eq!(
                    curves.tokens_kept(limit),
                    items.iter().map(cut).sum::<u64>(),
                    "{about}"
                );
                let whole = items.iter().filter(|item| item.0 <= limit);
                let spans = |item: &Item| {
                    item.1
                        .iter()
                        .map(|s| u64::from(s.end - s.start))
                        .sum::<u64>()
                        * item.2
                };
                assert_eq!(
                    curves.trained(limit, Overlong::Drop),
                    whole.map(spans).sum::<u64>(),
                    "{about}"
                );
                for (tokens, spans, _) in &items {
                    let one = (*tokens, spans.clone(), 1);
                    assert_eq!(
                        u64::from(truncation.kept(*tokens, spans, limit)),
                        of(&one),
                        "{about}"
                    );
                }
                falls += u64::from(kept < before);
                before = kept;
            }
        }
    }
    // A larger limit may keep fewer of the supervised tokens where it is shared; the docs say so.
    assert!(falls > 0);
}

#[test]
fn long_items_are_told_apart_up_to_the_largest_limit() {
    let long = MOST_LIMIT + 10;
    let items = [
        (long, vec![5..10, MOST_LIMIT - 2..long], 2),
        (100, vec![90..100], 1),
    ];
    for truncation in Truncation::ALL {
        let curves = curves(truncation, &items);
        for limit in [4, 6, 95, 100, MOST_LIMIT] {
            let kept: u64 = items
                .iter()
                .map(|(tokens, spans, n)| u64::from(truncation.kept(*tokens, spans, limit)) * n)
                .sum();
            assert_eq!(curves.kept(limit), kept, "{truncation} at {limit}");
        }
        assert_eq!(curves.kept(MOST_LIMIT + 5), curves.kept(MOST_LIMIT));
        assert_eq!(curves.kept(long), curves.supervised());
        assert_eq!(curves.lost_share(long, Overlong::Truncate), 0.0);
    }
}

#[test]
fn faulty_spans_are_refused() {
    let mut builder = CurveBuilder::new(Truncation::Right);
    let refused = |builder: &mut CurveBuilder, tokens, spans: &[Span]| {
        builder.add(tokens, spans, 1).unwrap_err().to_string()
    };
    assert!(refused(&mut builder, 0, &[]).contains("size 0"));
    for spans in [vec![3..3], vec![4..11], vec![5..7, 6..8], vec![5..7, 2..4]] {
        let why = refused(&mut builder, 10, &spans);
        assert!(why.contains("spans in order"), "{why}");
    }
    builder
        .add(u32::MAX, &[], u64::MAX / u64::from(u32::MAX))
        .unwrap();
    assert!(builder.add(u32::MAX, &[], 2).is_err());
}

#[test]
fn a_sample_has_all_of_few_items_and_each_of_many_as_likely() {
    let mut all = Sample::new(1000, 7);
    for at in 1..=500 {
        all.add(at, &[0..at], 1).unwrap();
    }
    assert!(all.is_whole());
    let lengths: Vec<u32> = all
        .at_limit(100, Truncation::Right)
        .iter()
        .map(|item| item.supervised)
        .collect();
    assert_eq!(
        lengths,
        (1..=500).map(|at: u32| at.min(100)).collect::<Vec<_>>()
    );
    // Of a million, of which each tenth is long, in counts and one by one.
    let mut some = Sample::new(4000, 1);
    for _ in 0..100 {
        some.add(10, &[0..1], 9000).unwrap();
        for _ in 0..1000 {
            some.add(20, &[], 1).unwrap();
        }
    }
    assert_eq!(some.seen(), 1_000_000);
    let items = some.at_limit(u32::MAX, Truncation::Right);
    let long = items.iter().filter(|item| item.tokens == 20).count();
    assert_eq!(items.len(), 4000);
    assert!((340..460).contains(&long), "{long}");
}

fn sampled(all: &[(u32, u32)]) -> Vec<SampledItem> {
    let item = |&(tokens, supervised): &(u32, u32)| SampledItem { tokens, supervised };
    all.iter().map(item).collect()
}

#[test]
fn weights_are_those_of_each_mean() {
    // Two ranks, two micro-batches each, of two sequences; ranks take turns.
    let items = sampled(&[
        (9, 1),
        (9, 3),
        (9, 2),
        (9, 2),
        (9, 6),
        (9, 0),
        (9, 5),
        (9, 5),
    ]);
    let steps = Steps {
        rows: 2,
        accumulation: 2,
        ranks: 2,
        packed: None,
        seed: None,
    };
    let epoch = of_epoch(&items, &steps).unwrap();
    assert_eq!((epoch.steps, epoch.micro_batches, epoch.empty), (1, 4, 0));
    // Micro-batches have 4, 4, 6 and 10 supervised tokens.
    assert_eq!(epoch.of(Reduction::MicroBatch).within_step.most, 10.0 / 4.0);
    assert_eq!(epoch.of(Reduction::Step).within_step.most, 1.0);
    assert!(epoch.of(Reduction::Step).tokens.variation < 1e-12);
    // Ranks have 4 + 6 and 4 + 10.
    assert!((epoch.of(Reduction::Rank).within_step.most - 14.0 / 10.0).abs() < 1e-12);
    // A sequence of one token alone, beside one of six that shares its micro-batch with nobody.
    let sequences = epoch.of(Reduction::Sequence);
    assert!(
        (sequences.within_step.most - (1.0 / 2.0) / (1.0 / 10.0)).abs() < 1e-12,
        "{sequences:?}"
    );
    assert!((sequences.sequences.most / sequences.sequences.least - 2.0).abs() < 1e-12);
}

#[test]
fn weights_of_a_step_add_up_to_one() {
    let mut random = Random::seeded(11);
    let items: Vec<SampledItem> = (0..97)
        .map(|_| {
            let supervised = random.below(40) as u32;
            SampledItem {
                tokens: supervised + 10,
                supervised,
            }
        })
        .collect();
    for (rows, accumulation, ranks, packed) in [
        (1, 1, 1, None),
        (2, 3, 2, None),
        (4, 2, 2, Some(64)),
        (50, 4, 3, None),
    ] {
        let steps = Steps {
            rows,
            accumulation,
            ranks,
            packed,
            seed: Some(5),
        };
        for reduction in Reduction::ALL {
            let all = of_first_step(&items, &steps, reduction).unwrap();
            let sum: f64 = all
                .iter()
                .map(|of| of.weight * f64::from(of.supervised))
                .sum();
            // A micro-batch without a token that trains has its share all the same, of nothing.
            let batches = all.iter().map(|of| of.micro_batch);
            let whole = batches.collect::<std::collections::BTreeSet<_>>().len();
            let step = (accumulation * ranks) as usize;
            assert!(sum < 1.0 + 1e-9, "{steps:?} {reduction:?}: {sum}");
            assert!(
                whole < step || (sum - 1.0).abs() < 1e-9,
                "{steps:?} {reduction:?}: {sum}"
            );
            // The epoch has no smaller and no larger weights, by their quotient.
            let [least, most] = all.iter().fold([f64::MAX, 0.0f64], |[least, most], of| {
                [least.min(of.weight), most.max(of.weight)]
            });
            let epoch = of_epoch(&items, &steps).unwrap().of(reduction);
            assert!(most / least <= epoch.within_step.most * (1.0 + 1e-12));
        }
    }
    let steps = Steps::default();
    assert!(of_first_step(&[], &steps, Reduction::Step).is_err());
    let none = Steps { rows: 0, ..steps };
    assert!(of_first_step(&items, &none, Reduction::Step).is_err());
}

#[test]
fn packing_evens_micro_batches_out_and_an_empty_one_is_counted() {
    let mut random = Random::seeded(3);
    let items: Vec<SampledItem> = (0..4096)
        .map(|_| {
            let supervised = 1 + random.below(200) as u32;
            SampledItem {
                tokens: supervised + 20,
                supervised,
            }
        })
        .collect();
    let steps = Steps {
        rows: 1,
        accumulation: 8,
        ..Steps::default()
    };
    let alone = of_epoch(&items, &steps).unwrap().of(Reduction::MicroBatch);
    let packed = Steps {
        packed: Some(2048),
        ..steps
    };
    let packed = of_epoch(&items, &packed).unwrap().of(Reduction::MicroBatch);
    assert!(
        alone.within_step.median > 10.0 && packed.within_step.median < 1.5,
        "{alone:?} {packed:?}"
    );
    let none = sampled(&[(5, 0), (5, 2)]);
    let steps = Steps {
        rows: 1,
        accumulation: 2,
        seed: None,
        ..Steps::default()
    };
    assert_eq!(of_epoch(&none, &steps).unwrap().empty, 1);
    assert!(of_epoch(&none[..1], &steps).is_err());
    assert!(of_epoch(&none, &Steps { rows: 0, ..steps }).is_err());
}

#[test]
fn weights_of_documents_and_of_tokens_are_two_mixes() {
    let mut by = BySource::new(Truncation::Right);
    for _ in 0..30 {
        by.add("chat", 100, &[60..100], 1).unwrap();
    }
    for _ in 0..70 {
        by.add("web", 900, &[0..900], 1).unwrap();
    }
    let all = by.finish();
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["web", "chat"]);
    let of: Vec<&Curves> = all.iter().map(|(_, curves)| curves).collect();
    let now = Mix::as_they_are(&of, u32::MAX).unwrap();
    assert!((now.tokens[1] - 3000.0 / 66_000.0).abs() < 1e-12);
    assert!((now.supervised[1] - 1200.0 / 64_200.0).abs() < 1e-12);
    assert_eq!(now.epochs, [1.0, 1.0]);
    // Half of the documents are a tenth of the tokens; half of the tokens are nine tenths of the documents.
    let documents = Mix::new(&of, &[1.0, 1.0], Weighted::Documents, u32::MAX).unwrap();
    assert!((documents.tokens[1] - 0.1).abs() < 1e-12);
    let tokens = Mix::new(&of, &[1.0, 1.0], Weighted::Tokens, u32::MAX).unwrap();
    assert!((tokens.documents[1] - 0.9).abs() < 1e-12 && (tokens.tokens[0] - 0.5).abs() < 1e-12);
    assert!((tokens.epochs[1] - 0.9 * 100.0 / 30.0).abs() < 1e-12);
    for weights in [
        vec![],
        vec![1.0],
        vec![0.0, 0.0],
        vec![-1.0, 2.0],
        vec![f64::NAN, 1.0],
    ] {
        assert!(Mix::new(&of, &weights, Weighted::Tokens, 512).is_err());
    }
}

#[test]
fn the_judge_counts_supervised_tokens() {
    // A tenth of the tokens are responses, at the end of long sequences, which the limit cuts off.
    let data = Histogram::from_lengths([(400, 900), (2000, 100)]).unwrap();
    let items = [(400, vec![380..400], 900), (2000, vec![1000..2000], 100)];
    let curves = curves(Truncation::Right, &items);
    let case = Case {
        limit: 1024,
        ..Case::new(&data, Some("trl"))
    };
    let plain = Advisor::new(&data).advise(&case, &mut go_on).unwrap();
    let known = Case {
        supervision: Some(SharedCurves(Arc::new(curves))),
        ..case
    };
    let verdict = Advisor::new(&data).advise(&known, &mut go_on).unwrap();
    let (of_tokens, of_supervised) = (
        plain.now.unwrap().lost_share,
        verdict.now.unwrap().lost_share,
    );
    assert!(
        (of_tokens - 97_600.0 / 560_000.0).abs() < 1e-9,
        "{of_tokens}"
    );
    assert!(
        (of_supervised - 97_600.0 / 118_000.0).abs() < 1e-9,
        "{of_supervised}"
    );
    assert!(
        verdict.sentence.contains("of the supervised tokens lost"),
        "{}",
        verdict.sentence
    );
    assert!(!plain.sentence.contains("supervised"));
}

#[test]
fn the_judge_says_how_many_train_nothing() {
    let data = Histogram::from_lengths([(400, 900), (2000, 100)]).unwrap();
    let items = [(400, vec![380..400], 900), (2000, vec![1990..2000], 100)];
    let case = Case {
        limit: 512,
        supervision: Some(SharedCurves(Arc::new(curves(Truncation::Right, &items)))),
        ..Case::new(&data, None)
    };
    let verdict = Advisor::new(&data).advise(&case, &mut go_on).unwrap();
    let limit = verdict
        .then
        .as_ref()
        .or(verdict.now.as_ref())
        .unwrap()
        .limit[0];
    let says = verdict
        .notes
        .iter()
        .any(|note| note.contains("train nothing"));
    assert_eq!(
        says,
        limit < 1990,
        "{} {:?}",
        verdict.sentence,
        verdict.notes
    );
}
