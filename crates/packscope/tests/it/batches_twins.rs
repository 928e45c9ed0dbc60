//! Reference implementations of the samplers, item by item on tiny data: the methods as published, without shortcuts.

use crate::batches::{Listed, listed, settings, task, with_stopwords};
use packscope::histogram::Histogram;
use packscope::sampler::{EpochTask, Sampler};
use proptest::prelude::*;
use std::collections::BTreeMap;

type Batches = Vec<Vec<usize>>;

fn ours(sampler: Sampler, data: &Histogram<2>, task: &EpochTask) -> Batches {
    listed(sampler, data, task)
        .iter()
        .map(|batch| Listed::items(batch).collect())
        .collect()
}

/// The shuffled items: what random batches of one hand on.
fn stream(data: &Histogram<2>, task: &EpochTask) -> Vec<usize> {
    ours(
        Sampler::Random,
        data,
        &EpochTask {
            batch: 1,
            ..task.clone()
        },
    )
    .concat()
}

/// All items in order of length.
fn ascending(data: &Histogram<2>) -> Vec<usize> {
    let copies = |(entry, (_, n)): (usize, &(_, u64))| std::iter::repeat_n(entry, *n as usize);
    data.entries().iter().enumerate().flat_map(copies).collect()
}

fn chunks(items: &[usize], batch: u32) -> Batches {
    items
        .chunks(batch as usize)
        .map(<[usize]>::to_vec)
        .collect()
}

/// In order of length, a batch ends when one item more would exceed the budget.
fn by_budget(data: &Histogram<2>, tokens: u64) -> Batches {
    let mut batches = vec![Vec::new()];
    for item in ascending(data) {
        let last = batches.last_mut().unwrap();
        if (last.len() as u64 + 1) * u64::from(data.entries()[item].0[0]) > tokens {
            batches.push(vec![item]);
        } else {
            last.push(item);
        }
    }
    batches
}

/// `get_length_grouped_indices` of Hugging Face: sorted groups, the longest item of all first.
fn grouped(items: &[usize], task: &EpochTask) -> Batches {
    let mut groups: Batches = chunks(items, task.batch * task.mega);
    groups
        .iter_mut()
        .for_each(|group| group.sort_by(|a, b| b.cmp(a)));
    let longest = groups.iter().map(|group| group[0]).max().unwrap();
    let at = groups.iter().position(|group| group[0] == longest).unwrap();
    let first = std::mem::replace(&mut groups[0][0], longest);
    if at > 0 {
        groups[at][0] = first;
    }
    chunks(&groups.concat(), task.batch)
}

/// `bucket_by_sequence_length` of tf.data: a bucket that is full is handed on, and what is left at the end.
fn by_bucket(items: &[usize], data: &Histogram<2>, task: &EpochTask) -> Batches {
    let mut open = BTreeMap::<u32, Vec<usize>>::new();
    let mut batches = Vec::new();
    for &item in items {
        let bucket = task.buckets.half_open(data.entries()[item].0[0]);
        let batch = open.entry(bucket.longest).or_default();
        batch.push(item);
        if batch.len() == bucket.cap as usize {
            batches.push(std::mem::take(batch));
        }
    }
    batches.extend(open.into_values().filter(|batch| !batch.is_empty()));
    batches
}

/// P3, Algorithm 2, lines 5 to 18, line by line.
fn residual_batch_merging(
    mut batches: Batches,
    residual_batches: &[(Vec<usize>, usize)],
) -> Batches {
    let mut new_batch = Vec::new();
    for (residual_batch, bucket_batch_size) in residual_batches {
        if new_batch.len() >= *bucket_batch_size {
            batches.push(std::mem::take(&mut new_batch));
        }
        for sequence in residual_batch {
            new_batch.push(*sequence);
            if !new_batch.is_empty() && new_batch.len() % bucket_batch_size == 0 {
                batches.push(std::mem::take(&mut new_batch));
            }
        }
    }
    if !new_batch.is_empty() {
        batches.push(new_batch);
    }
    batches
}

/// Batches of one epoch in any order, items in any order.
fn unordered(mut batches: Batches) -> Batches {
    batches.iter_mut().for_each(|batch| batch.sort_unstable());
    batches.sort_unstable();
    batches
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn samplers_equal_their_twins(data in with_stopwords(40, 10, 20), settings in settings(), epoch in 0..4u32) {
        let task = task(&settings, data.items(), epoch);
        let items = stream(&data, &task);
        for (sampler, wanted) in [
            (Sampler::Random, chunks(&items, task.batch)),
            (Sampler::Sorted, chunks(&ascending(&data), task.batch)),
            (Sampler::LengthGrouped, grouped(&items, &task)),
            (Sampler::BucketByLength, by_bucket(&items, &data, &task)),
        ] {
            prop_assert_eq!(ours(sampler, &data, &task), wanted, "{}", sampler);
        }
        let tokens = task.tokens.max(40);
        let found = ours(Sampler::TokenBudget, &data, &EpochTask { tokens, ..task });
        prop_assert_eq!(found, by_budget(&data, tokens));
    }

    /// Without merging, every bucket hands on its residual batch: Algorithm 2 goes on from there.
    #[test]
    fn residual_batches_are_merged_as_published(data in with_stopwords(40, 14, 30), s in settings(), epoch in 0..4u32) {
        let task = |merging| EpochTask { merging, ..task(&s, data.items(), epoch) };
        let size = |batch: &Vec<usize>| {
            let bucket = task(true).buckets.bucket_of(data.entries()[batch[0]].0[0]);
            task(true).cap.map_or(bucket.cap, |cap| cap.min(bucket.cap)) as usize
        };
        let apart = ours(Sampler::Bucket, &data, &task(false));
        let (whole, residual): (Batches, Batches) = apart.into_iter().partition(|b| b.len() == size(b));
        let residual: Vec<_> = residual.into_iter().map(|batch| (size(&batch), batch)).map(|(n, b)| (b, n)).collect();
        let wanted = residual_batch_merging(whole, &residual);
        let found = ours(Sampler::Bucket, &data, &task(true));
        prop_assert_eq!(unordered(found), unordered(wanted));
    }
}
