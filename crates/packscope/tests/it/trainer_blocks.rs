//! Every building block of trainers against a reference implementation, written item by item from the source it names.

use packscope::histogram::{Histogram, Overlong};
use packscope::packing::go_on;
use packscope::trainer::{Block, Fit, Last, Order, Recipe, RowTally, Window};
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};

type Rows = Vec<Vec<u32>>;

fn counts(items: &[u32]) -> Histogram<1> {
    Histogram::from_lengths(items.iter().map(|length| (*length, 1))).unwrap()
}

/// The rows of a recipe, each sorted, all sorted; and its account.
fn ours(recipe: &Recipe, items: &[u32]) -> (Rows, RowTally) {
    let data = counts(items);
    let (tally, rows) = recipe.list(&data, Order::Given(items), &mut go_on).unwrap();
    // Without lists, other code counts: the account is the same, but for which of equally full rows is the deepest.
    let counted = recipe.run(&data, Order::Given(items), &mut go_on).unwrap();
    assert_eq!(
        RowTally {
            most: tally.most,
            ..counted
        },
        tally,
        "{recipe:?}"
    );
    (sorted(rows), tally)
}

fn sorted(mut rows: Rows) -> Rows {
    rows.iter_mut().for_each(|row| row.sort_unstable());
    rows.sort();
    rows
}

fn room(row: &[u32], capacity: u32) -> u32 {
    capacity - row.iter().sum::<u32>()
}

/// Johnson 1973; torchtune `PackedDataset`.
fn next_fit(items: &[u32], capacity: u32, cap: usize) -> Rows {
    let mut rows: Rows = Vec::new();
    for &item in items {
        match rows.last_mut() {
            Some(row) if room(row, capacity) >= item && row.len() < cap => row.push(item),
            _ => rows.push(vec![item]),
        }
    }
    rows
}

/// axolotl `pack_group`; with sorted items NeMo `first_fit_decreasing`.
fn first_fit(items: &[u32], capacity: u32, cap: usize) -> Rows {
    let mut rows: Rows = Vec::new();
    for &item in items {
        match rows
            .iter_mut()
            .find(|row| room(row, capacity) >= item && row.len() < cap)
        {
            Some(row) => row.push(item),
            None => rows.push(vec![item]),
        }
    }
    rows
}

fn descending(items: &[u32]) -> Vec<u32> {
    let mut items = items.to_vec();
    items.sort_by(|a, b| b.cmp(a));
    items
}

/// TRL `_pack_bfd`: queues of rows by their room.
fn best_fit_decreasing(items: &[u32], capacity: u32) -> Rows {
    let (mut rows, mut spaces) = (Rows::new(), BTreeMap::<u32, VecDeque<usize>>::new());
    for item in descending(items) {
        let found = spaces
            .range(item..)
            .find(|(_, queue)| !queue.is_empty())
            .map(|(space, _)| *space);
        let at = match found.filter(|space| *space < capacity) {
            Some(space) => spaces.get_mut(&space).unwrap().pop_front().unwrap(),
            None => {
                rows.push(Vec::new());
                rows.len() - 1
            }
        };
        rows[at].push(item);
        let left = room(&rows[at], capacity);
        if left > 0 {
            spaces.entry(left).or_default().push_back(at);
        }
    }
    rows
}

/// binpacking `to_constant_volume` 1.5.2: of the rows with room, the first of the fullest.
fn best_fit_numbered(items: &[u32], capacity: u32) -> Rows {
    let mut rows: Rows = Vec::new();
    for item in descending(items) {
        let fits = rows.iter_mut().filter(|row| room(row, capacity) >= item);
        match fits.min_by_key(|row| room(row, capacity)) {
            Some(row) => row.push(item),
            None => rows.push(vec![item]),
        }
    }
    rows
}

/// binpacking `to_constant_volume` 2.0.1: of the rows with room, the first of the emptiest.
fn least_loaded(items: &[u32], capacity: u32) -> Rows {
    let mut rows: Rows = Vec::new();
    for item in descending(items) {
        let fits = rows.iter_mut().filter(|row| room(row, capacity) >= item);
        match fits.min_by_key(|row| row.iter().sum::<u32>()) {
            Some(row) => row.push(item),
            None => rows.push(vec![item]),
        }
    }
    rows
}

/// ms-swift `create_packed_idx`: the last row of a window goes on in the next.
fn carried(items: &[u32], window: usize, pack: impl Fn(&[u32]) -> Rows) -> Rows {
    let (mut rows, mut data) = (Rows::new(), Vec::new());
    let windows = items.chunks(window);
    let last = windows.len() - 1;
    for (at, new) in windows.enumerate() {
        data.extend_from_slice(new);
        rows.extend(pack(&data));
        data = if at < last {
            rows.pop().unwrap()
        } else {
            Vec::new()
        };
    }
    rows
}

/// NeMo RL `ModifiedFirstFitDecreasingPacker`, phase by phase.
fn mffd(items: &[u32], capacity: u32) -> Rows {
    let above = |item: u32, part: u32| u64::from(item) * u64::from(part) > u64::from(capacity);
    let of = |least: u32, most: u32| {
        let within = |item: &u32| above(*item, least) && (most == 0 || !above(*item, most));
        items.iter().copied().filter(within).collect::<Vec<u32>>()
    };
    let (large, mut medium, mut small) = (descending(&of(2, 0)), descending(&of(3, 2)), of(6, 3));
    let tiny: Vec<u32> = items
        .iter()
        .copied()
        .filter(|item| !above(*item, 6))
        .collect();
    small.sort_unstable();
    let mut rows: Rows = large.iter().map(|item| vec![*item]).collect();
    for row in &mut rows {
        if let Some(at) = medium.iter().position(|item| *item <= room(row, capacity)) {
            row.push(medium.remove(at));
        }
    }
    for row in rows.iter_mut().rev() {
        let has_medium = row.iter().any(|item| above(*item, 3) && !above(*item, 2));
        let left = room(row, capacity);
        if has_medium || small.len() < 2 || small[0] + small[1] > left {
            continue;
        }
        let first = small.remove(0);
        if let Some(at) = small.iter().rposition(|item| *item <= left - first) {
            let second = small.remove(at);
            row.extend([first, second]);
        }
    }
    let mut rest = descending(&[medium, small, tiny].concat());
    for row in &mut rows {
        while let Some(at) = rest.iter().position(|item| *item <= room(row, capacity)) {
            row.push(rest.remove(at));
        }
    }
    rows.extend(least_loaded(&rest, capacity));
    rows
}

/// grain `FirstFitPackedBatch`, `BestFitPackedBatch`: all rows of a batch are there from the beginning.
fn open_rows(items: &[u32], capacity: u32, open: usize, fit: Fit, cap: usize) -> Rows {
    let mut rows: Rows = Vec::new();
    let mut batch = vec![Vec::new(); open];
    for &item in items {
        let find = |batch: &Rows| {
            let fits = |at: &usize| room(&batch[*at], capacity) >= item && batch[*at].len() < cap;
            match fit {
                Fit::First => (0..open).find(fits),
                Fit::Best => (0..open)
                    .filter(fits)
                    .min_by_key(|at| room(&batch[*at], capacity)),
            }
        };
        let at = find(&batch).unwrap_or_else(|| {
            rows.append(&mut batch);
            batch = vec![Vec::new(); open];
            0
        });
        batch[at].push(item);
    }
    rows.append(&mut batch);
    rows.retain(|row| !row.is_empty());
    rows
}

/// A stream of (document, token) cut into rows: pieces are runs of the same document.
fn concatenated(
    items: &[u32],
    capacity: u32,
    keep: impl Fn(usize) -> (usize, bool),
) -> Vec<Vec<usize>> {
    let stream: Vec<usize> = items
        .iter()
        .enumerate()
        .flat_map(|(at, length)| std::iter::repeat_n(at, *length as usize))
        .collect();
    let (rows, partial) = keep(stream.len());
    let mut chunks: Vec<Vec<usize>> = stream
        .chunks(capacity as usize)
        .map(<[usize]>::to_vec)
        .collect();
    if !partial || stream.len().is_multiple_of(capacity as usize) {
        chunks.truncate(rows);
    }
    chunks
}

fn pieces(chunk: &[usize]) -> Vec<(usize, u32)> {
    chunk
        .chunk_by(|a, b| a == b)
        .map(|run| (run[0], run.len() as u32))
        .collect()
}

/// llm-foundry `BinPackCollator._first_fit_bin_packing`, batch by batch.
fn ratio(items: &[u32], capacity: u32, batch: usize, each: usize, keep: usize) -> Rows {
    let (mut rows, mut bins) = (Rows::new(), Rows::new());
    for window in items.chunks(each) {
        let examples = descending(window);
        let count = examples.len();
        if count < batch.saturating_sub(bins.len()) {
            bins.extend(examples.iter().map(|item| vec![*item]));
        } else {
            for (at, item) in examples.into_iter().enumerate() {
                if count - at == batch.saturating_sub(bins.len()) {
                    bins.push(vec![item]);
                    continue;
                }
                match bins.iter().position(|bin| room(bin, capacity) >= item) {
                    Some(found) => {
                        let mut bin = bins.remove(found);
                        bin.push(item);
                        bins.push(bin);
                    }
                    None => bins.push(vec![item]),
                }
            }
        }
        bins.sort_by_key(|bin| std::cmp::Reverse(bin.iter().sum::<u32>()));
        rows.extend(bins.drain(..batch.min(bins.len())));
        bins.truncate(keep);
    }
    rows
}

/// verl `karmarkar_karp`, with all sets of a state, also the empty ones.
fn karmarkar_karp(items: &[u32], k: usize, weight: impl Fn(u128) -> u128) -> Rows {
    type Set = (u128, Vec<usize>);
    let weight = |at: usize| weight(u128::from(items[at]));
    let order = |sets: &mut Vec<Set>| {
        sets.sort_by(|a, b| (b.0, b.1.len(), &b.1).cmp(&(a.0, a.1.len(), &a.1)));
    };
    let spread = |sets: &[Set]| sets[0].0 - sets[k - 1].0;
    let mut states: Vec<Vec<Set>> = (0..items.len())
        .map(|at| {
            let mut sets = vec![(0, Vec::new()); k];
            sets[0] = (weight(at), vec![at]);
            sets
        })
        .collect();
    while states.len() > 1 {
        let largest = |states: &[Vec<Set>]| {
            (0..states.len())
                .max_by_key(|at| {
                    let first = &states[*at][0];
                    (
                        spread(&states[*at]),
                        first.0,
                        first.1.len(),
                        first.1.clone(),
                    )
                })
                .unwrap()
        };
        let mut one = states.swap_remove(largest(&states));
        let two = states.swap_remove(largest(&states));
        for (i, set) in one.iter_mut().enumerate() {
            let other = &two[k - 1 - i];
            set.0 += other.0;
            set.1.extend(&other.1);
        }
        order(&mut one);
        states.push(one);
    }
    states
        .remove(0)
        .into_iter()
        .map(|(_, set)| set.into_iter().map(|at| items[at]).collect())
        .collect()
}

/// verl `rearrange_micro_batches`.
fn dynamic(items: &[u32], capacity: u32) -> Rows {
    let total: u64 = items.iter().map(|item| u64::from(*item)).sum();
    let mut k = (total.div_ceil(u64::from(capacity)) as usize).min(items.len());
    loop {
        let rows = karmarkar_karp(items, k, |length| 24_576 * length + length.pow(2));
        if rows.iter().all(|row| row.iter().sum::<u32>() <= capacity) {
            return rows;
        }
        k += 1;
    }
}

/// slime `first_fit_pack`.
fn first_fit_exceeding(items: &[u32], capacity: u32) -> Rows {
    let mut rows: Rows = Vec::new();
    for &item in items {
        match rows
            .iter_mut()
            .find(|row| row.iter().sum::<u32>() + item <= capacity)
        {
            Some(row) => row.push(item),
            None => rows.push(vec![item]),
        }
    }
    rows
}

/// OpenRLHF `get_minimum_num_micro_batch_size`, `get_seqlen_balanced_partitions`: as many as first fit has, whatever is in them.
fn balanced(items: &[u32], capacity: u32) -> Rows {
    karmarkar_karp(
        items,
        first_fit_exceeding(items, capacity).len(),
        |length| length,
    )
}

/// XTuner `get_pack_chunk_infos`.
fn topped_up(items: &[u32], capacity: u32, ahead: usize) -> Rows {
    let (mut left, mut rows, mut row) = (items.to_vec(), Rows::new(), Vec::new());
    while let Some(item) = left.pop() {
        if room(&row, capacity) < item {
            let mut next: Vec<usize> = (left.len().saturating_sub(ahead)..left.len()).collect();
            next.sort_by_key(|at| left[*at]);
            let fitting = (0..=next.len()).rev();
            let sum = |n: usize| next[..n].iter().map(|at| left[*at]).sum::<u32>();
            next.truncate(
                fitting
                    .into_iter()
                    .find(|n| sum(*n) <= room(&row, capacity))
                    .unwrap(),
            );
            next.sort_unstable();
            row.extend(next.into_iter().rev().map(|at| left.remove(at)));
            rows.push(std::mem::take(&mut row));
        }
        row.push(item);
    }
    rows.extend((!row.is_empty()).then_some(row));
    rows
}

/// ModernBERT `GreedyBestFitSequencePacker`: `_create_batch` and `_fill_buffer` over a list.
fn buffered(items: &[u32], capacity: u32, batch: usize, size: usize, chunk: usize) -> Rows {
    let (mut rows, mut source) = (
        Rows::new(),
        items.iter().copied().collect::<VecDeque<u32>>(),
    );
    let mut buffer = VecDeque::new();
    loop {
        let (mut bins, mut waiting) = (vec![Vec::new(); batch], Vec::new());
        loop {
            if buffer.is_empty() {
                let most = size.saturating_sub(waiting.len());
                let mut added = 0;
                while size - buffer.len() > chunk && added + chunk <= most && !source.is_empty() {
                    let now = chunk.min(source.len());
                    buffer.extend(source.drain(..now));
                    added += now;
                }
                if added == 0 {
                    break;
                }
            }
            let item = buffer.pop_front().unwrap();
            let fitting = (0..batch).filter(|at| room(&bins[*at], capacity) >= item);
            match fitting.min_by_key(|at| room(&bins[*at], capacity)) {
                Some(at) => bins[at].push(item),
                None => waiting.push(item),
            }
        }
        waiting.drain(..).for_each(|item| buffer.push_front(item));
        if bins.iter().any(Vec::is_empty) {
            return rows;
        }
        rows.append(&mut bins);
    }
}

fn items(limit: u32, most: usize) -> impl Strategy<Value = Vec<u32>> {
    prop_oneof![
        prop::collection::vec(1..=limit, 1..most),
        prop::collection::vec(prop_oneof![1..=limit / 4, limit / 2..=limit], 1..most),
    ]
}

fn windowed(items: &[u32], window: usize, pack: impl Fn(&[u32]) -> Rows) -> Rows {
    items.chunks(window).flat_map(pack).collect()
}

fn check(recipe: &Recipe, items: &[u32], twin: Rows) {
    let (rows, tally) = ours(recipe, items);
    assert_eq!(rows, sorted(twin), "{recipe:?} {items:?}");
    let total: u64 = items.iter().map(|item| u64::from(*item)).sum();
    assert_eq!(tally.tokens(), total);
    assert_eq!(tally.rows, rows.len() as u64);
    assert_eq!(
        tally.real_tokens,
        rows.iter().flatten().map(|l| u64::from(*l)).sum::<u64>()
    );
    assert_eq!(
        tally.most,
        rows.iter().map(|row| row.len() as u64).max().unwrap_or(0)
    );
    let context: u128 = rows
        .iter()
        .flatten()
        .map(|l| u128::from(*l) * u128::from(*l + 1) / 2)
        .sum();
    assert_eq!(tally.context, context);
}

/// A batch of which no row takes a second sequence: a search through all of them for each would take hours.
#[test]
fn full_rows_of_a_batch_are_not_searched() {
    let items = vec![40; 500_000];
    let block = Block::Ratio {
        rows: 100_000,
        items: Some(500_000),
        leftover: u32::MAX,
    };
    let (rows, tally) = ours(&Recipe::new(block, 40), &items);
    assert_eq!((rows.len(), tally.rows), (100_000, 100_000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn rows_in_the_order_of_arrival(items in items(40, 160), window in 1..60usize, cap in 1..6usize) {
        let base = Recipe { window: Window::Items(window as u64), ..Recipe::new(Block::NextFit, 40) };
        for cap in [cap, usize::MAX] {
            let capped = u32::try_from(cap).unwrap_or(u32::MAX);
            let recipe = Recipe { cap: capped, ..base.clone() };
            check(&recipe, &items, windowed(&items, window, |w| next_fit(w, 40, cap)));
            let recipe = Recipe { block: Block::FirstFit, ..recipe };
            check(&recipe, &items, windowed(&items, window, |w| first_fit(w, 40, cap)));
            let recipe = Recipe { window: Window::Whole, ..recipe };
            check(&recipe, &items, first_fit(&items, 40, cap));
            for (rows, fit) in [(1, Fit::First), (3, Fit::First), (3, Fit::Best), (8, Fit::Best)] {
                let recipe = Recipe { block: Block::OpenRows { rows, fit }, ..recipe.clone() };
                check(&recipe, &items, open_rows(&items, 40, rows as usize, fit, cap));
            }
        }
    }

    #[test]
    fn rows_longest_first(items in items(40, 160), window in 1..60usize, cap in 1..6usize) {
        let (best, least) = (|w: &[u32]| best_fit_decreasing(w, 40), |w: &[u32]| least_loaded(w, 40));
        for (block, twin) in [
            (Block::BestFitDecreasing { carried: false }, &best as &dyn Fn(&[u32]) -> Rows),
            (Block::LeastLoaded { carried: false }, &least),
            (Block::FirstFitDecreasing, &|w| first_fit(&descending(w), 40, usize::MAX)),
            (Block::Mffd, &|w| mffd(w, 40)),
        ] {
            let recipe = Recipe { window: Window::Items(window as u64), ..Recipe::new(block, 40) };
            check(&recipe, &items, windowed(&items, window, twin));
            // The whole set at once is counted without its items.
            check(&Recipe::new(block, 40), &items, twin(&items));
        }
        let recipe = Recipe { cap: cap as u32, ..Recipe::new(Block::FirstFitDecreasing, 40) };
        check(&recipe, &items, first_fit(&descending(&items), 40, cap));
        let (length, window) = (window, Window::Items(window as u64));
        let recipe = Recipe { window, ..Recipe::new(Block::BestFitDecreasing { carried: true }, 40) };
        check(&recipe, &items, carried(&items, length, |w| best_fit_numbered(w, 40)));
        let recipe = Recipe { window, ..Recipe::new(Block::LeastLoaded { carried: true }, 40) };
        check(&recipe, &items, carried(&items, length, least));
    }

    #[test]
    fn rows_of_batches(items in items(40, 200), batch in 1..6usize, each in 1..40usize, keep in 0..4usize) {
        for keep in [keep, usize::MAX] {
            let leftover = u32::try_from(keep).unwrap_or(u32::MAX);
            let block = Block::Ratio { rows: batch as u32, items: Some(each as u32), leftover };
            check(&Recipe::new(block, 40), &items, ratio(&items, 40, batch, each, keep));
        }
        let size = batch + each;
        for chunk in [1, each.div_ceil(4)] {
            let block = Block::Buffer { rows: batch as u32, size: size as u32, chunk: chunk as u32 };
            check(&Recipe::new(block, 40), &items, buffered(&items, 40, batch, size, chunk));
        }
    }

    #[test]
    fn balanced_parts(items in items(40, 60), window in 1..60usize) {
        let recipe = Recipe { window: Window::Items(window as u64), ..Recipe::new(Block::KarmarkarKarp { keeps: true }, 40) };
        check(&recipe, &items, windowed(&items, window, |w| dynamic(w, 40)));
        let recipe = Recipe { window: recipe.window, ..Recipe::exceeding(Block::KarmarkarKarp { keeps: false }, 25) };
        check(&recipe, &items, windowed(&items, window, |w| balanced(w, 25)));
        let recipe = Recipe { block: Block::FirstFit, ..recipe };
        check(&recipe, &items, windowed(&items, window, |w| first_fit_exceeding(w, 25)));
    }

    #[test]
    fn rows_that_are_topped_up(items in items(40, 160), window in 1..60usize, ahead in 0..40usize) {
        let recipe = Recipe::new(Block::TopUp { ahead: ahead as u32 }, 40);
        check(&recipe, &items, topped_up(&items, 40, ahead));
        let recipe = Recipe { window: Window::Items(window as u64), ..recipe };
        check(&recipe, &items, windowed(&items, window, |w| topped_up(w, 40, ahead)));
    }

    /// Documents in a stream, token by token.
    #[test]
    fn rows_that_are_cut(items in items(50, 60), capacity in 1..60u32) {
        let l = capacity as usize;
        // Megatron: ⌊(n − 1) / L⌋; nanotron: one fewer; TRL: with the rest; torchtitan: without.
        for (last, label, lost, rows) in [
            (Last::Kept, false, 0, None),
            (Last::Dropped, false, 0, Some(0)),
            (Last::Dropped, true, 0, Some(1)),
            (Last::Dropped, true, 1, Some(l + 1)),
        ] {
            let keep = |n: usize| match rows {
                None => (n.div_ceil(l), true),
                Some(less) => (n.saturating_sub(less) / l, false),
            };
            let chunks = concatenated(&items, capacity, |n| {
                let (rows, partial) = keep(n);
                (rows, partial && rows * l > n)
            });
            let recipe = Recipe::cutting(Block::Concatenate { last, label, lost }, capacity);
            let wanted: Vec<Vec<(usize, u32)>> = chunks.iter().map(|chunk| pieces(chunk)).collect();
            let lengths = wanted.iter().map(|row| row.iter().map(|(_, n)| *n).collect()).collect();
            check(&recipe, &items, lengths);
            let (_, tally) = ours(&recipe, &items);
            let mut of = vec![Vec::new(); items.len()];
            wanted.iter().flatten().for_each(|(at, n)| of[*at].push(*n));
            let cut: Vec<&Vec<u32>> = of.iter().filter(|pieces| pieces.len() > 1).collect();
            prop_assert_eq!(tally.cut_sequences, cut.len() as u64);
            prop_assert_eq!(tally.pieces, cut.iter().map(|pieces| pieces.len() as u64).sum::<u64>());
            let later = |pieces: &&Vec<u32>| pieces[1..].iter().map(|n| u64::from(*n)).sum::<u64>();
            prop_assert_eq!(tally.cut_tokens, cut.iter().map(later).sum::<u64>());
            let lost = |at: usize| items[at] - of[at].iter().sum::<u32>();
            let none = (0..items.len()).filter(|at| of[*at].is_empty());
            prop_assert_eq!(tally.dropped_sequences, none.clone().count() as u64);
            prop_assert_eq!(tally.dropped_tokens, none.map(|at| u64::from(lost(at))).sum::<u64>());
            let some = (0..items.len()).filter(|at| !of[*at].is_empty() && lost(*at) > 0);
            prop_assert_eq!(tally.truncated_sequences, some.count() as u64);
        }
    }

    /// OLMo-core `bucket_documents`: the binary digits of a length, those above the longest as several of it.
    #[test]
    fn pieces_of_powers_of_two(items in items(700, 60), longest in 2..7u32, least in 0..7u32) {
        let (longest, least) = (1 << longest.max(least + 1), 1 << least);
        let digits = |length: u32| (0..32).rev().map(|bit| 1 << bit).filter(move |digit| length & digit > 0);
        let capped = |digit: u32| std::iter::repeat_n(digit.min(longest), (digit / longest).max(1) as usize);
        let kept = |length: u32| digits(length).flat_map(capped).take_while(|piece| *piece >= least);
        let recipe = Recipe::cutting(Block::Pieces { least }, longest);
        let (rows, tally) = ours(&recipe, &items);
        let wanted = items.iter().flat_map(|length| kept(*length)).map(|piece| vec![piece]).collect();
        prop_assert_eq!(rows, sorted(wanted));
        let total: u64 = items.iter().map(|item| u64::from(*item)).sum();
        prop_assert_eq!(tally.tokens(), total);
        let none = items.iter().filter(|length| kept(**length).next().is_none());
        prop_assert_eq!(tally.dropped_sequences, none.count() as u64);
        prop_assert_eq!(tally.slots, tally.real_tokens);
    }

    /// Longer sequences, the shift of labels and alignment, before any block.
    #[test]
    fn items_are_fitted(items in items(90, 80), shift in 0..2u32, align in 1..9u32, window in 1..40usize) {
        for overlong in [Overlong::Truncate, Overlong::Drop, Overlong::Split] {
            let base = Recipe { overlong, shift, align, longest: 33, ..Recipe::new(Block::NextFit, 40) };
            let (mut fitted, mut truncated, mut dropped, mut cut) = (Vec::new(), 0u64, 0u64, 0u64);
            for length in items.iter().map(|length| length - shift).filter(|length| *length > 0) {
                let over = u64::from(length.saturating_sub(33));
                match overlong {
                    _ if over == 0 => fitted.push(vec![length]),
                    Overlong::Truncate => { fitted.push(vec![33]); truncated += over; }
                    Overlong::Drop => dropped += u64::from(length),
                    _ => {
                        let all: Vec<u32> = (0..length).step_by(33).map(|at| 33.min(length - at)).collect();
                        fitted.push(all);
                        cut += over;
                    }
                }
            }
            let slots = |length: &u32| length.next_multiple_of(align).min(40);
            for (block, window) in [(Block::FirstFit, window), (Block::BestFitDecreasing { carried: false }, usize::MAX)] {
                let whole = window == usize::MAX;
                let of = if whole { Window::Whole } else { Window::Items(window as u64) };
                let recipe = Recipe { block, window: of, ..base.clone() };
                let pack = |w: &[Vec<u32>]| {
                    let slots: Vec<u32> = w.iter().flatten().map(slots).collect();
                    if whole { best_fit_decreasing(&slots, 40) } else { first_fit(&slots, 40, usize::MAX) }
                };
                let wanted: Rows = fitted.chunks(window).flat_map(pack).collect();
                let (rows, tally) = ours(&recipe, &items);
                prop_assert_eq!(rows, sorted(wanted));
                prop_assert_eq!((tally.truncated_tokens, tally.dropped_tokens, tally.cut_tokens), (truncated, dropped, cut));
                let total: u64 = items.iter().map(|item| u64::from(item - shift)).sum();
                prop_assert_eq!(tally.tokens(), total);
            }
        }
    }

    /// A stream is cut into windows before longer sequences are dropped; other windows are full of what is left.
    #[test]
    fn windows_of_what_arrives(items in items(60, 80), window in 1..20usize) {
        let kept = |items: &[u32]| items.iter().copied().filter(|item| *item <= 40).collect::<Vec<u32>>();
        let base = Recipe { overlong: Overlong::Drop, ..Recipe::new(Block::BestFitDecreasing { carried: false }, 40) };
        let best = |w: &[u32]| best_fit_decreasing(w, 40);
        for (of, wanted) in [
            (Window::Arrivals(window as u64), windowed(&items, window, |w| best(&kept(w)))),
            (Window::Items(window as u64), windowed(&kept(&items), window, best)),
        ] {
            let (rows, tally) = ours(&Recipe { window: of, ..base.clone() }, &items);
            prop_assert_eq!(rows, sorted(wanted));
            prop_assert_eq!(tally.dropped_sequences, (items.len() - kept(&items).len()) as u64);
        }
    }

    /// No packing: padded to the longest of a batch, or to a multiple above it.
    #[test]
    fn sequences_alone(items in items(40, 80), batch in 1..9usize, multiple in 1..70u32) {
        let (rows, tally) = ours(&Recipe::new(Block::Alone { batch: batch as u32, multiple }, 40), &items);
        prop_assert_eq!(rows.len(), items.len());
        let padded = |b: &[u32]| u64::from(b.iter().max().unwrap().next_multiple_of(multiple));
        let slots = items.chunks(batch).map(|b| b.len() as u64 * padded(b));
        prop_assert_eq!(tally.slots, slots.sum::<u64>());
        let (_, flat) = ours(&Recipe::new(Block::Flat, 40), &items);
        prop_assert_eq!(flat.slots, flat.real_tokens);
    }

    /// NeMo RL `shard_by_batch_size` with `dynamic_batching_args`, for one rank.
    #[test]
    fn sorted_micro_batches(items in items(40, 80), window in 1..30usize, multiple in 1..30u32, width in 1..5u32, times in 1..5u32) {
        let capacity = 40 * times;
        let block = Block::Sorted { multiple, width };
        let recipe = Recipe { longest: 40, window: Window::Items(window as u64), ..Recipe::new(block, capacity) };
        let (rows, tally) = ours(&recipe, &items);
        let (mut wanted, mut slots): (Rows, u32) = (Vec::new(), 0);
        for window in items.chunks(window) {
            let mut window = window.to_vec();
            window.sort_unstable();
            let most = window.last().unwrap().next_multiple_of(width);
            let padded = |length: u32| length.next_multiple_of(multiple).min(most);
            let mut batch: Vec<u32> = Vec::new();
            for length in window {
                if !batch.is_empty() && (batch.len() as u32 + 1) * padded(length) > capacity {
                    slots += batch.len() as u32 * padded(*batch.last().unwrap());
                    wanted.push(std::mem::take(&mut batch));
                }
                batch.push(length);
            }
            slots += batch.len() as u32 * padded(*batch.last().unwrap());
            wanted.push(batch);
        }
        prop_assert_eq!(rows, sorted(wanted));
        prop_assert_eq!(tally.slots, u64::from(slots));
    }

    /// A sequence that exceeds the capacity has a row of its own: ms-swift with a packing_length below max_length.
    #[test]
    fn rows_below_the_longest(items in items(40, 80), window in 1..30usize, capacity in 5..40u32) {
        let fits = |row: &[u32], item: u32| row.iter().sum::<u32>() + item <= capacity;
        let mut next: Rows = Vec::new();
        for &item in &items {
            match next.last_mut() {
                Some(row) if fits(row, item) => row.push(item),
                _ => next.push(vec![item]),
            }
        }
        let least = windowed(&items, window, |window| {
            let mut rows: Rows = Vec::new();
            for item in descending(window) {
                match rows.iter_mut().min_by_key(|row| row.iter().sum::<u32>()) {
                    Some(row) if fits(row, item) => row.push(item),
                    _ => rows.push(vec![item]),
                }
            }
            rows
        });
        for (block, window, wanted) in [
            (Block::NextFit, Window::Whole, next),
            (Block::LeastLoaded { carried: false }, Window::Items(window as u64), least),
        ] {
            let recipe = Recipe { window, longest: 40, ..Recipe::new(block, capacity) };
            let (rows, tally) = ours(&recipe, &items);
            let above: Vec<u32> = items.iter().copied().filter(|item| *item > capacity).collect();
            let excess: u32 = above.iter().map(|item| item - capacity).sum();
            prop_assert_eq!(tally.exceeding_rows, above.len() as u64);
            prop_assert_eq!(tally.slots, wanted.len() as u64 * u64::from(capacity) + u64::from(excess));
            prop_assert_eq!(rows, sorted(wanted));
        }
    }

    /// AReaL `ffd_allocate`; `kk_allocate` has it where a part does not keep to the capacity.
    #[test]
    fn the_row_with_the_fewest(items in items(40, 60), window in 1..30usize) {
        let longest_first = |window: &[u32]| {
            let mut rows: Rows = Vec::new();
            for item in descending(window) {
                let fitting = rows.iter_mut().filter(|row| room(row, 40) >= item);
                match fitting.min_by_key(|row| (row.len(), row.iter().sum::<u32>())) {
                    Some(row) => row.push(item),
                    None => rows.push(vec![item]),
                }
            }
            rows
        };
        let recipe = Recipe {
            window: Window::Items(window as u64),
            ..Recipe::new(Block::FewestItems { differencing: false }, 40)
        };
        check(&recipe, &items, windowed(&items, window, longest_first));
        let recipe = Recipe { block: Block::FewestItems { differencing: true }, ..recipe };
        let (rows, tally) = ours(&recipe, &items);
        prop_assert!(rows.iter().all(|row| row.iter().sum::<u32>() <= 40));
        prop_assert_eq!(tally.exceeding_rows, 0);
        let fewest = |window: &[u32]| u64::from(window.iter().sum::<u32>().div_ceil(40));
        let bound: u64 = items.chunks(window).map(fewest).sum();
        let most = windowed(&items, window, longest_first).len() as u64;
        prop_assert!((bound..=most.max(bound)).contains(&tally.rows));
    }

    /// nanochat `sft_data_generator_bos_bestfit`, whose buffer is emptied at the end; sequences longer than a row stay in it.
    #[test]
    fn rows_from_a_buffer(items in items(50, 80), size in 40..60usize) {
        let recipe = Recipe { longest: 50, ..Recipe::new(Block::FromBuffer { size: size as u32 }, 40) };
        let above = items.iter().filter(|item| **item > 40).count();
        let data = counts(&items);
        let listed = recipe.list(&data, Order::Given(&items), &mut go_on);
        if above >= size {
            prop_assert!(listed.is_err());
            return Ok(());
        }
        let (tally, rows) = listed.unwrap();
        let mut source: VecDeque<u32> = items.iter().copied().collect();
        let (mut buffer, mut wanted, mut row): (Vec<u32>, Rows, Vec<u32>) = Default::default();
        loop {
            while buffer.len() < size && let Some(item) = source.pop_front() {
                buffer.push(item);
            }
            let fits = |item: &&u32| **item <= 40 - row.iter().sum::<u32>();
            match buffer.iter().filter(fits).max().copied() {
                Some(item) => {
                    buffer.remove(buffer.iter().position(|other| *other == item).unwrap());
                    row.push(item);
                }
                None if row.is_empty() => break,
                None => wanted.push(std::mem::take(&mut row)),
            }
        }
        prop_assert_eq!(sorted(rows), sorted(wanted));
        prop_assert_eq!(tally.dropped_sequences, above as u64);
        prop_assert_eq!(tally.tokens(), data.total()[0]);
    }
}
