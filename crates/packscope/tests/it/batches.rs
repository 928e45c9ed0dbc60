//! Invariants of every sampler on random data and settings: batches are recounted item by item, independently of the
//! engine's own tally.

use packscope::api::batch::{self, BatchCap, BatchRequest, Mode, Settings};
use packscope::histogram::Histogram;
use packscope::metrics::EpochFigures;
use packscope::packing::{Algorithm, Depth, go_on};
use packscope::sampler::{
    Buckets, EpochTask, HwCap, MemoryModel, Picture, Sampler, TokenDrop, mega_of,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// (length, stopwords), stopwords among the tokens.
pub fn with_stopwords(
    limit: u32,
    distinct: usize,
    count: u64,
) -> impl Strategy<Value = Histogram<2>> {
    let size = (1..=limit).prop_flat_map(|length| (Just(length), 0..=length));
    prop::collection::vec((size, 1..=count), 1..=distinct).prop_map(|rows| {
        Histogram::from_counts(rows.into_iter().map(|((l, s), n)| ([l, s], n))).unwrap()
    })
}

fn hwcaps() -> impl Strategy<Value = HwCap> {
    let tables = prop::collection::vec((1..12u32, 1..40u32), 1..8).prop_map(|steps| {
        let (mut length, mut cap) = (0, steps.iter().map(|(_, cap)| cap).sum::<u32>());
        let row = |(longer, fewer): (u32, u32)| {
            length += longer;
            // The first row has the most.
            let row = (length, cap);
            cap -= fewer.min(cap - 1);
            row
        };
        HwCap::Table(steps.into_iter().map(row).collect())
    });
    let memory =
        (0.0..4.0f64, 0.01..1.0f64, 1.0..2000.0f64).prop_map(|(linear, quadratic, bytes)| {
            HwCap::Memory(MemoryModel {
                linear,
                quadratic,
                bytes,
            })
        });
    prop_oneof![Just(HwCap::default()), tables, memory]
}

fn drops() -> impl Strategy<Value = TokenDrop> {
    prop_oneof![
        2 => Just(TokenDrop::Off),
        1 => Just(TokenDrop::Equalise),
        1 => (0.0..=1.0).prop_map(TokenDrop::Rate)
    ]
}

/// Settings for lengths up to 40, `more` tokens above the longest.
pub fn settings() -> impl Strategy<Value = Settings> {
    let shape = (
        prop::sample::select(&Sampler::ALL[..]),
        1..12u32,
        1..4u32,
        any::<u64>(),
        0..30u32,
    );
    let modes =
        prop_oneof![6 => Just(Mode::Training), 1 => Just(Mode::Server), 1 => Just(Mode::RealTime)];
    let sizes = (
        prop::option::of(1..9u32),
        prop::option::of(70..400u64),
        prop::option::of(1..14u32),
    );
    let caps = prop::option::of((prop::option::of(1..20u32), 1.0..3.0f64));
    let caps = caps.prop_map(|cap| cap.map(|(base, scaling)| BatchCap { base, scaling }));
    (
        shape,
        modes,
        sizes,
        (hwcaps(), any::<bool>(), caps, drops(), 0.0..=1.0),
    )
        .prop_map(
            |((sampler, batch, epochs, seed, more), mode, (mega, tokens, bucket_width), rest)| {
                let (hwcap, merging, batch_cap, token_drop, stopword_share) = rest;
                Settings {
                    limit: 40 + more,
                    sampler,
                    batch,
                    epochs,
                    seed,
                    mode,
                    mega,
                    tokens,
                    bucket_width,
                    hwcap,
                    merging,
                    batch_cap,
                    token_drop,
                    stopword_share,
                    ..Settings::default()
                }
            },
        )
}

/// The width of buckets, as P3 has it: 1 for BucketSampler without TokenDrop, unless a table of one's own has rows.
fn width(s: &Settings) -> Option<u32> {
    let own = matches!(s.hwcap, HwCap::Table(_)) && s.hwcap != HwCap::default();
    let bare = s.sampler == Sampler::Bucket && s.token_drop == TokenDrop::Off;
    match s.bucket_width {
        None if bare && !own => Some(1),
        width => width,
    }
}

/// What a sampler is asked for in an epoch, from the settings as they are documented.
pub fn task(s: &Settings, items: u64, epoch: u32) -> EpochTask {
    let batch = if s.mode == Mode::RealTime { 1 } else { s.batch };
    let cap = s.batch_cap.filter(|_| s.mode == Mode::Training).map(|cap| {
        let mut most = f64::from(cap.base.unwrap_or(s.batch));
        (0..epoch).for_each(|_| most *= cap.scaling);
        (most as u32).max(1)
    });
    EpochTask {
        batch,
        limit: s.limit,
        seed: s.seed,
        epoch,
        mega: s.mega.unwrap_or_else(|| mega_of(items, batch)),
        tokens: s.tokens.unwrap_or(u64::from(batch * s.limit)),
        buckets: Buckets::new(s.hwcap.clone(), width(s), s.limit),
        cap,
        merging: s.merging,
        simulated: u64::MAX,
    }
}

/// A batch, written out: rows of entries of the histogram, and the slots of a row where it is no item.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub rows: Vec<Vec<usize>>,
    pub limit: Option<u32>,
}

impl Listed {
    /// The items, whatever their rows.
    pub fn items(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().flatten().copied()
    }
}

/// Every batch of an epoch, written out.
pub fn listed(sampler: Sampler, items: &Histogram<2>, task: &EpochTask) -> Vec<Listed> {
    let mut batches = Vec::new();
    let mut sink = |batch: &packscope::sampler::Batch| {
        let flat = batch
            .items
            .iter()
            .map(|&(entry, n)| vec![entry as usize; n as usize]);
        let (rows, limit) = match batch.packs {
            None => (flat.flatten().map(|entry| vec![entry]).collect(), None),
            Some((ends, limit)) => {
                let flat: Vec<Vec<usize>> = flat.collect();
                let starts = std::iter::once(&0).chain(ends);
                (
                    starts
                        .zip(ends)
                        .map(|(a, b)| flat[*a..*b].concat())
                        .collect(),
                    Some(limit),
                )
            }
        };
        (0..batch.times).for_each(|_| {
            batches.push(Listed {
                rows: Vec::clone(&rows),
                limit,
            })
        });
    };
    sampler.run(items, task, &mut sink, &mut go_on).unwrap();
    batches
}

fn request(data: &Histogram<2>, settings: &Settings) -> BatchRequest {
    BatchRequest {
        counts: data.entries().to_vec(),
        stopwords_known: true,
        settings: settings.clone(),
        drawn: true,
    }
}

fn report(data: &Histogram<2>, settings: &Settings) -> batch::Report {
    packscope::api::run(&request(data, settings), &mut go_on).unwrap()
}

/// The data of an epoch, after a rate of stopwords was dropped.
fn left(data: &Histogram<2>, drop: TokenDrop) -> Histogram<2> {
    let TokenDrop::Rate(rate) = drop else {
        return data.clone();
    };
    let row = |&([l, s], n): &([u32; 2], u64)| {
        let gone = ((f64::from(s) * rate).floor() as u32).min(l - 1);
        ([l - gone, s - gone], n)
    };
    Histogram::from_counts(data.entries().iter().map(row)).unwrap()
}

/// Length of each row and slots of a row.
fn widths(batch: &Listed, items: &Histogram<2>, drop: TokenDrop) -> (Vec<u32>, u32) {
    let size = |entry: usize| items.entries()[entry].0;
    if let Some(limit) = batch.limit {
        let sum = |row: &Vec<usize>| row.iter().map(|e| size(*e)[0]).sum();
        return (batch.rows.iter().map(sum).collect(), limit);
    }
    let shortest = batch.items().map(|e| size(e)[0]).min().unwrap();
    let length = |e: usize| match (drop, size(e)) {
        (TokenDrop::Equalise, [l, s]) => l.saturating_sub(s).max(shortest),
        (_, [l, _]) => l,
    };
    let lengths: Vec<u32> = batch.items().map(length).collect();
    let longest = *lengths.iter().max().unwrap();
    (lengths, longest)
}

/// Compares the figures of an epoch with its batches, counted anew.
fn recount(
    f: &EpochFigures,
    batches: &[Listed],
    data: &Histogram<2>,
    items: &Histogram<2>,
    drop: TokenDrop,
) {
    let (mut slots, mut real, mut largest, mut squared) = (0u64, 0u64, 0u64, 0.0);
    let mut sizes: Vec<u64> = Vec::new();
    for batch in batches {
        let (rows, width) = widths(batch, items, drop);
        assert!(rows.iter().all(|row| *row <= width));
        let area = rows.len() as u64 * u64::from(width);
        slots += area;
        squared += area as f64 * f64::from(width);
        largest = largest.max(area);
        real += rows.iter().copied().map(u64::from).sum::<u64>();
        sizes.push(batch.items().count() as u64);
    }
    sizes.sort_unstable();
    let at = |q: f64| sizes[((q * sizes.len() as f64).ceil() as usize).max(1) - 1];
    assert_eq!(
        (f.batches, f.items),
        (batches.len() as u64, sizes.iter().sum())
    );
    assert_eq!(
        (f.slots, f.real_tokens, f.padding_tokens),
        (slots, real, slots - real)
    );
    assert_eq!(f.dropped_tokens, data.total()[0] - real);
    assert_eq!(f.largest_slots, largest);
    assert_eq!(
        f.batch_size_quantiles,
        [0.0, 0.05, 0.5, 0.95, 1.0].map(|q| (q, at(q)))
    );
    assert!((f.squared_slots / squared - 1.0).abs() < 1e-12);
    assert!((f.padding_share - (slots - real) as f64 / slots as f64).abs() < 1e-12);
}

/// What a picture that shows every batch must add up to.
fn picture_is_whole(picture: &Picture, f: &EpochFigures) {
    assert_eq!(
        (picture.every, picture.batches.len() as u64),
        (1, f.batches)
    );
    let sum = |of: &dyn Fn(&packscope::sampler::Drawn) -> u64| {
        picture.batches.iter().map(of).sum::<u64>()
    };
    assert_eq!(sum(&|b| b.size()), f.items);
    assert_eq!(sum(&|b| b.height() * u64::from(b.width)), f.slots);
    let real = |row: &packscope::sampler::PictureRow| {
        row.runs
            .iter()
            .map(|&(l, n)| u64::from(l) * u64::from(n))
            .sum::<u64>()
            * u64::from(row.count)
    };
    assert_eq!(sum(&|b| b.rows.iter().map(real).sum()), f.real_tokens);
    for batch in &picture.batches {
        assert!(
            batch
                .rows
                .iter()
                .all(|row| row.runs.is_sorted_by(|a, b| a.0 > b.0))
        );
        assert!(
            batch.rows.is_sorted_by(|a, b| a.runs > b.runs),
            "{:?}",
            batch.rows
        );
    }
}

/// No batch above what it may be, and none below but where something must be left over.
fn caps_hold(sampler: Sampler, batches: &[Listed], items: &Histogram<2>, task: &EpochTask) {
    let length = |entry: usize| items.entries()[entry].0[0];
    let longest = |batch: &Listed| batch.items().map(length).max().unwrap();
    match sampler {
        Sampler::Random | Sampler::Sorted | Sampler::LengthGrouped | Sampler::Packed => {
            let (last, whole) = batches.split_last().unwrap();
            assert!(
                whole
                    .iter()
                    .all(|batch| batch.rows.len() == task.batch as usize)
            );
            assert!(last.rows.len() <= task.batch as usize);
        }
        Sampler::TokenBudget => {
            let slots = |batch: &Listed| batch.rows.len() as u64 * u64::from(longest(batch));
            assert!(batches.iter().all(|batch| slots(batch) <= task.tokens));
        }
        Sampler::Bucket => {
            for batch in batches {
                let hwcap = task.buckets.bucket_of(longest(batch)).cap;
                assert!(batch.rows.len() as u32 <= task.cap.map_or(hwcap, |cap| cap.min(hwcap)));
            }
            if !task.merging {
                one_residual(batches, |batch, entry| {
                    let bucket = task.buckets.bucket_of(length(entry));
                    assert_eq!(bucket, task.buckets.bucket_of(longest(batch)));
                    (
                        bucket.longest,
                        task.cap.map_or(bucket.cap, |cap| cap.min(bucket.cap)),
                    )
                });
            }
        }
        Sampler::BucketByLength => one_residual(batches, |batch, entry| {
            let bucket = task.buckets.half_open(length(entry));
            assert_eq!(bucket, task.buckets.half_open(longest(batch)));
            (bucket.longest, bucket.cap)
        }),
    }
}

/// All items of a batch are of one bucket, which has one batch at most that is not full.
fn one_residual(batches: &[Listed], bucket: impl Fn(&Listed, usize) -> (u32, u32)) {
    let mut residual = BTreeMap::<u32, u32>::new();
    for batch in batches {
        let (edge, cap) = batch
            .items()
            .map(|entry| bucket(batch, entry))
            .last()
            .unwrap();
        assert!(batch.rows.len() as u32 <= cap);
        *residual.entry(edge).or_default() += u32::from((batch.rows.len() as u32) < cap);
    }
    assert!(residual.values().all(|n| *n <= 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_item_is_in_one_batch_within_its_cap_and_the_figures_are_their_sums(
        data in with_stopwords(40, 12, 40), settings in settings()
    ) {
        let found = report(&data, &settings);
        let items = left(&data, settings.token_drop);
        let training = settings.mode == Mode::Training;
        prop_assert_eq!(found.epochs.len(), if training { settings.epochs as usize } else { 1 });
        prop_assert_eq!(found.pictures.len(), found.epochs.len());
        for (f, picture) in found.epochs.iter().zip(&found.pictures) {
            let task = task(&settings, items.items(), f.epoch);
            let sampler = if settings.mode == Mode::RealTime { Sampler::Sorted } else { settings.sampler };
            let batches = listed(sampler, &items, &task);
            let mut seen = vec![0u64; items.distinct()];
            batches.iter().flat_map(Listed::items).for_each(|entry| seen[entry] += 1);
            prop_assert_eq!(seen, items.entries().iter().map(|(_, n)| *n).collect::<Vec<_>>());
            caps_hold(sampler, &batches, &items, &task);
            recount(f, &batches, &data, &items, settings.token_drop);
            if f.batches <= 512 {
                picture_is_whole(picture, f);
            }
            prop_assert_eq!(f.updates, if training { f.batches } else { 0 });
        }
        prop_assert_eq!(found.digest(), report(&data, &settings).digest());
    }

    #[test]
    fn packed_batches_hold_the_rows_of_lpfhp(data in with_stopwords(40, 12, 40), settings in settings()) {
        let task = task(&settings, data.items(), 0);
        let batches = listed(Sampler::Packed, &data, &task);
        let lengths = Histogram::from_lengths(data.entries().iter().map(|&([l, _], n)| (l, n))).unwrap();
        let plan = Algorithm::Lpfhp.pack(&lengths, settings.limit, Depth::Unlimited).unwrap();
        let sorted = |mut rows: Vec<Vec<u32>>| { rows.sort(); rows };
        let wanted = plan.strategies().iter().flat_map(|s| {
            let row: Vec<u32> = s.sizes().map(|[l]| l).collect();
            vec![row; s.count as usize]
        });
        let length = |entry: &usize| data.entries()[*entry].0[0];
        let found = batches.iter().flat_map(|b| &b.rows).map(|row| row.iter().map(length).collect());
        prop_assert_eq!(sorted(found.collect()), sorted(wanted.collect()));
    }

    #[test]
    fn what_unpriced_ignores_makes_no_difference(
        data in with_stopwords(40, 10, 20), known in any::<bool>(), s in settings(), other in settings(),
    ) {
        let run = |settings: &Settings| {
            let request = BatchRequest { stopwords_known: known, ..request(&data, settings) };
            packscope::api::run(&request, &mut go_on).unwrap()
        };
        let fields: [fn(&mut Settings, &Settings); 9] = [
            |t, o| t.mega = o.mega.or(Some(3)),
            |t, o| t.tokens = o.tokens.or(Some(99)),
            |t, o| t.bucket_width = o.bucket_width.or(Some(2)),
            |t, o| t.hwcap = o.hwcap.clone(),
            |t, _| t.merging = !t.merging,
            |t, o| t.batch_cap = o.batch_cap.filter(|_| t.batch_cap.is_none()),
            |t, o| t.stopword_share = o.stopword_share,
            |t, _| t.learning_rate.base *= 2.0,
            |t, _| t.cost.assumptions.accelerators += 500,
        ];
        let wanted = run(&s);
        let lengths = data.marginal(0).unwrap().fit([s.limit], s.overlong).unwrap().histogram;
        let mut ignored = 0;
        for field in fields {
            let mut t = s.clone();
            field(&mut t, &other);
            if t != s && t.unpriced() == s.unpriced() {
                let mut found = run(&t);
                found.set_rates(&s);
                found.price(&s, &lengths);
                prop_assert_eq!(&found.epochs, &wanted.epochs);
                prop_assert_eq!(&found.pictures, &wanted.pictures);
                ignored += 1;
            }
        }
        // Learning rate and cost at least, and all that belong to other samplers.
        prop_assert!(ignored >= 3, "{}", ignored);
    }
}

/// The order of the batches of an epoch.
fn order(sampler: Sampler, data: &Histogram<2>, seed: u64, epoch: u32) -> Vec<Listed> {
    // In buckets of one length there is nothing to shuffle but the batches.
    let settings = Settings {
        seed,
        sampler,
        batch_cap: None,
        bucket_width: Some(5),
        ..Settings::default()
    };
    listed(sampler, data, &task(&settings, data.items(), epoch))
}

#[test]
fn seeds_and_epochs_have_orders_of_their_own() {
    let data = crate::common::pairs("glue_cola");
    for sampler in Sampler::ALL {
        let first = order(sampler, &data, 1, 0);
        assert_eq!(first, order(sampler, &data, 1, 0), "{sampler}");
        let depends = !matches!(sampler, Sampler::Sorted | Sampler::TokenBudget);
        for (seed, epoch) in [(2, 0), (1, 1), (0, 1), (1, 2), (1 << 63, 0)] {
            assert_eq!(
                first != order(sampler, &data, seed, epoch),
                depends,
                "{sampler} {seed} {epoch}"
            );
        }
    }
}

/// Batches that are made in order of length are shown in another, the same for every run.
#[test]
fn pictures_are_shuffled_where_the_epoch_is() {
    let data = crate::common::pairs("glue_cola");
    for sampler in Sampler::ALL {
        let settings = Settings {
            sampler,
            epochs: 2,
            batch_cap: None,
            ..Settings::default()
        };
        let found = report(&data, &settings);
        let in_order = found.pictures[0]
            .batches
            .is_sorted_by_key(|batch| batch.width);
        // Rows of packs are all as long as the limit.
        assert_eq!(
            in_order,
            matches!(sampler, Sampler::Sorted | Sampler::Packed),
            "{sampler}"
        );
        let same = found.pictures[0] == found.pictures[1];
        assert_eq!(same, sampler == Sampler::Sorted, "{sampler}");
    }
}

/// More batches than are kept: every other one goes, and those that stay are the 1st, the 5th, the 9th, …
#[test]
fn pictures_of_many_batches_are_evenly_spaced() {
    let data = crate::common::pairs("glue_cola");
    let settings = Settings {
        sampler: Sampler::Sorted,
        batch: 5,
        epochs: 1,
        ..Settings::default()
    };
    let picture = report(&data, &settings).pictures.remove(0);
    let batches = order_of_batches(&data, 5);
    assert_eq!(
        (batches.len(), picture.every, picture.batches.len()),
        (1711, 4, 428)
    );
    let wanted: Vec<u32> = batches
        .iter()
        .step_by(4)
        .map(|lengths| *lengths.last().unwrap())
        .collect();
    assert_eq!(
        picture.batches.iter().map(|b| b.width).collect::<Vec<_>>(),
        wanted
    );
}

fn order_of_batches(data: &Histogram<2>, batch: usize) -> Vec<Vec<u32>> {
    let all: Vec<u32> = data
        .entries()
        .iter()
        .flat_map(|&([l, _], n)| std::iter::repeat_n(l, n as usize))
        .collect();
    all.chunks(batch).map(<[u32]>::to_vec).collect()
}

/// What a fuzzer found: a batch of a thousand million items was written down item by item.
#[test]
fn a_batch_without_end_is_one_batch() {
    let counts = vec![([7, 3], 40_000), ([9, 1], 60_000), ([12, 0], 30_000)];
    for sampler in Sampler::ALL {
        let hwcap = HwCap::Table(vec![(20, u32::MAX)]);
        let (batch, tokens) = (u32::MAX, Some(u64::MAX));
        let settings = Settings {
            sampler,
            hwcap,
            batch,
            tokens,
            limit: 20,
            epochs: 1,
            ..Settings::default()
        };
        let request = BatchRequest {
            counts: counts.clone(),
            stopwords_known: true,
            settings,
            drawn: true,
        };
        let report = packscope::api::run(&request, &mut go_on).unwrap();
        let f = &report.epochs[0];
        let width = if sampler == Sampler::Packed { 20 } else { 12 };
        assert_eq!(
            (f.batches, f.items, f.shapes[0].width),
            (1, 130_000, width),
            "{sampler}"
        );
        assert_eq!(f.real_tokens, 40_000 * 7 + 60_000 * 9 + 30_000 * 12);
        assert_eq!(report.pictures[0].batches[0].size(), 130_000, "{sampler}");
    }
}

/// The same of rows: they are counted, and too many for one batch are refused.
#[test]
fn a_batch_of_too_many_packed_rows_is_refused() {
    let settings = Settings {
        sampler: Sampler::Packed,
        batch: u32::MAX,
        limit: 10,
        ..Settings::default()
    };
    let counts = vec![([7, 0], 20_000_000)];
    let request = BatchRequest {
        counts,
        stopwords_known: true,
        settings,
        drawn: false,
    };
    let told = packscope::api::run(&request, &mut go_on)
        .unwrap_err()
        .to_string();
    let wanted = "a batch of packed rows goes item by item and takes at most 16,777,216 items; these are 20,000,000";
    assert_eq!(told, wanted);
}

/// (items, batches) simulated and stood for, and the items of batches that are no examples.
fn sums(sampler: Sampler, items: &Histogram<2>, task: &EpochTask) -> ([u64; 2], [u64; 2]) {
    let (mut simulated, mut all) = ([0; 2], [0; 2]);
    let mut sink = |batch: &packscope::sampler::Batch| {
        let once = if batch.example { 1 } else { batch.times };
        let rows = batch
            .packs
            .map_or(batch.size(), |(ends, _)| ends.len() as u64);
        simulated = [simulated[0] + rows * once, simulated[1] + once];
        all = [all[0] + rows * batch.times, all[1] + batch.times];
    };
    sampler.run(items, task, &mut sink, &mut go_on).unwrap();
    (simulated, all)
}

proptest! {
    #[test]
    fn a_part_of_an_epoch_stands_for_all_of_it(
        data in with_stopwords(40, 12, 400), settings in settings(), part in 1..400u64
    ) {
        let whole = task(&settings, data.items(), 0);
        let some = EpochTask { simulated: part, ..whole.clone() };
        let (_, all) = sums(settings.sampler, &data, &whole);
        let (drawn, stood_for) = sums(settings.sampler, &data, &some);
        prop_assert_eq!(stood_for[0], all[0], "every item, or row of packs, is stood for");
        if settings.sampler != Sampler::Bucket || !settings.merging {
            prop_assert_eq!(stood_for[1], all[1], "as many batches");
        }
        prop_assert!(drawn[0] <= all[0] && drawn[1] <= stood_for[1]);
        if settings.sampler == Sampler::Random {
            // A batch at least, and the last one, which is not full.
            prop_assert!(drawn[0] <= part.max(u64::from(settings.batch)) + u64::from(settings.batch));
        }
        let enough = EpochTask { simulated: data.items(), ..whole.clone() };
        prop_assert_eq!(listed(settings.sampler, &data, &enough), listed(settings.sampler, &data, &whole));
    }
}
