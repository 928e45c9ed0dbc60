//! Figures of batches by hand, by counting all orders, and by simulation; caps; extremes.

use crate::batches::{listed, task};
use crate::common::{built_in, expanded, histograms, pairs};
use packscope::api::batch::{BatchCap, BatchRequest, Mode, PreparedBatches, Report, Settings};
use packscope::error::Error;
use packscope::histogram::{Histogram, Overlong};
use packscope::metrics::{ExpectedPadding, PublishedEstimate, random_widths};
use packscope::packing::go_on;
use packscope::sampler::{Buckets, HwCap, MemoryModel, Sampler, TokenDrop};
use packscope::words::count;
use proptest::prelude::*;
use std::ops::ControlFlow;

fn report(counts: &[([u32; 2], u64)], settings: &Settings) -> Report {
    let request = BatchRequest {
        counts: counts.to_vec(),
        stopwords_known: true,
        settings: settings.clone(),
        drawn: false,
    };
    packscope::api::run(&request, &mut go_on).unwrap()
}

/// Slots, and slots × length, of all orders of the items together.
fn of_all_orders(items: &mut [u32], from: usize, batch: usize, sums: &mut [u64; 3]) {
    if from == items.len() {
        sums[2] += 1;
        for rows in items.chunks(batch) {
            let (size, longest) = (rows.len() as u64, u64::from(*rows.iter().max().unwrap()));
            sums[0] += size * longest;
            sums[1] += size * longest * longest;
        }
        return;
    }
    for i in from..items.len() {
        items.swap(from, i);
        of_all_orders(items, from + 1, batch, sums);
        items.swap(from, i);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn expected_batches_are_the_mean_of_all_orders(h in histograms(20, 4, 3), batch in 1..9u32) {
        let mut items = expanded(&h);
        items.truncate(7);
        let h = Histogram::from_lengths(items.iter().map(|l| (*l, 1))).unwrap();
        let mut sums = [0; 3];
        of_all_orders(&mut items, 0, batch as usize, &mut sums);
        let [slots, squared] = [sums[0], sums[1]].map(|sum| sum as f64 / sums[2] as f64);
        let expected = ExpectedPadding::random(&h, batch);
        prop_assert!((expected.slots / slots - 1.0).abs() < 1e-12);
        prop_assert!((expected.squared_slots / squared - 1.0).abs() < 1e-12);
        prop_assert_eq!(expected.batches, (items.len() as u64).div_ceil(batch.into()));
        prop_assert!((expected.padding_share - (1.0 - h.total()[0] as f64 / slots)).abs() < 1e-12);
    }
}

#[test]
fn expected_batches_are_the_mean_of_many_seeds() {
    for set in [
        "glue_cola",
        "glue_mrpc",
        "glue_rte",
        "glue_sst2",
        "glue_stsb",
        "glue_wnli",
    ] {
        for batch in [8, 64, 500] {
            let base = Settings {
                sampler: Sampler::Random,
                batch,
                epochs: 30,
                ..Settings::default()
            };
            let found = PreparedBatches::new(&pairs(set), false, &base).unwrap();
            let found = found.report(&base, false, &mut go_on).unwrap();
            let of = |get: &dyn Fn(&packscope::metrics::EpochFigures) -> f64, wanted: f64| {
                let values: Vec<f64> = found.epochs.iter().map(get).collect();
                let mean = values.iter().sum::<f64>() / 30.0;
                let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 29.0;
                let error = (variance / 30.0).sqrt();
                // A batch of RTE without a pair of 128 is so rare that many seeds have none.
                let within = (4.0 * error).max(2e-5 * wanted);
                assert!(
                    (mean - wanted).abs() <= within,
                    "{set} {batch}: {mean} ± {error}, {wanted}"
                );
            };
            of(&|f| f.slots as f64, found.random.slots);
            of(&|f| f.squared_slots, found.random.squared_slots);
        }
    }
}

/// P3, App. E.2: its estimate beside what random batches of 64 have. (length that 87.5 % do not exceed, mean, estimate,
/// true fraction), the last by exact fractions. The paper: 38.9 % of all tokens of its ten sets, and "nearly 50 %" by
/// estimate for SST-2; the estimate is meant to be conservative, and is up to twice too low.
#[test]
fn the_estimate_of_padding_is_far_below_the_truth_but_for_one_set() {
    for (set, length, mean, estimate, truth) in [
        ("glue_cola", 16, 11.3272, 0.292_049, 0.554_524),
        ("glue_mrpc", 69, 53.2415, 0.228_383, 0.363_434),
        ("glue_rte", 128, 66.5622, 0.479_982, 0.479_979),
        ("glue_sst2", 25, 13.3193, 0.467_230, 0.700_863),
        ("glue_stsb", 46, 27.8097, 0.395_441, 0.632_698),
        ("glue_wnli", 57, 37.0693, 0.349_662, 0.582_383),
    ] {
        let h = built_in(set);
        let random = ExpectedPadding::random(&h, 64);
        let found = PublishedEstimate::new(&h, &random);
        assert_eq!(found.length_87_5, length, "{set}");
        assert!((found.mean_length - mean).abs() < 5e-5, "{set}");
        assert!(
            (found.padding_fraction_est - estimate).abs() < 5e-7,
            "{set} {found:?}"
        );
        assert!(
            (found.padding_fraction - truth).abs() < 5e-7,
            "{set} {found:?}"
        );
        assert!((random.padding_share - truth).abs() < 5e-7);
    }
}

#[test]
fn stopwords_are_dropped_to_the_shortest_of_the_batch_or_at_a_rate() {
    let data = [([10, 4], 1), ([7, 5], 1), ([6, 1], 1), ([5, 0], 1)];
    let at = |token_drop, sampler| {
        let settings = Settings {
            sampler,
            batch: 4,
            epochs: 1,
            token_drop,
            ..Settings::default()
        };
        let f = report(&data, &settings).epochs.remove(0);
        (f.slots, f.real_tokens, f.padding_tokens, f.dropped_tokens)
    };
    assert_eq!(at(TokenDrop::Off, Sampler::Sorted), (40, 28, 12, 0));
    // 10 → 6, 7 → 5, 6 → 5, 5.
    assert_eq!(at(TokenDrop::Equalise, Sampler::Sorted), (24, 21, 3, 7));
    // 10 → 8, 7 → 5, 6 and 5: half of 5 is 2, half of 1 is 0.
    assert_eq!(at(TokenDrop::Rate(0.5), Sampler::Sorted), (32, 24, 8, 4));
    assert_eq!(at(TokenDrop::Rate(1.0), Sampler::Sorted), (24, 18, 6, 10));
    // Rows of packs are as long as the limit: there is nothing to equalise.
    assert_eq!(at(TokenDrop::Equalise, Sampler::Packed), (128, 28, 100, 0));
    // A sequence of nothing but stopwords keeps one token.
    let settings = Settings {
        token_drop: TokenDrop::Rate(1.0),
        epochs: 1,
        ..Settings::default()
    };
    let f = report(&[([3, 3], 2)], &settings).epochs.remove(0);
    assert_eq!((f.real_tokens, f.dropped_tokens), (2, 4));
}

/// One query at a time has no padding; only a rate makes it shorter.
#[test]
fn inference_in_real_time_is_one_by_one_and_the_server_has_no_batch_cap() {
    let data = [([10, 4], 3), ([7, 5], 2), ([90, 1], 60)];
    for sampler in Sampler::ALL {
        let settings = Settings {
            sampler,
            mode: Mode::RealTime,
            ..Settings::default()
        };
        let found = report(&data, &settings);
        assert_eq!(found.epochs.len(), 1);
        let f = &found.epochs[0];
        assert_eq!(
            (f.batches, f.updates, f.padding_tokens, f.learning_rate),
            (65, 0, 0, None)
        );
        assert_eq!(found.random.slots, 5444.0);
    }
    let settings = Settings {
        mode: Mode::Server,
        batch: 2,
        ..Settings::default()
    };
    let f = &report(&data, &settings).epochs[0];
    assert_eq!(
        (f.batches, f.batch_cap, f.updates, f.items),
        (1, None, 0, 65)
    );
}

/// Without stopwords in the data a share of each length stands in, rounded down; text that was cut has no more than
/// tokens.
#[test]
fn stopwords_are_those_of_the_data_or_a_share() {
    let data = Histogram::from_counts([([10, 9], 2), ([5, 0], 1)]).unwrap();
    let settings = Settings {
        limit: 8,
        stopword_share: 0.3,
        epochs: 1,
        ..Settings::default()
    };
    let of = |known, settings: &Settings| {
        let prepared = PreparedBatches::new(&data, known, settings).unwrap();
        let found = prepared.report(settings, false, &mut go_on).unwrap();
        (found.stopwords, found.overlong_items, found.waste_tokens)
    };
    assert_eq!(of(true, &settings), (16, 2, 4));
    assert_eq!(of(false, &settings), (2 * 2 + 1, 2, 4));
    let split = Settings {
        overlong: Overlong::Split,
        ..settings
    };
    assert_eq!(of(false, &split), (2 * 2 + 1, 2, 0));
    assert_eq!(
        PreparedBatches::new(&data, true, &split).unwrap_err(),
        Error::Unsplittable
    );
}

/// BatchCap = base · scaling^epoch, and the learning rate follows the size of the batch.
#[test]
fn the_cap_grows_and_the_learning_rate_follows_its_root() {
    let cap = |base, scaling| Some(BatchCap { base, scaling });
    let settings = Settings {
        batch_cap: cap(Some(64), 2.0),
        epochs: 4,
        ..Settings::default()
    };
    let found = report(&[([5, 0], 100_000)], &settings);
    let caps: Vec<_> = found
        .epochs
        .iter()
        .map(|f| (f.batch_cap.unwrap(), f.batches))
        .collect();
    assert_eq!(caps, [(64, 1563), (128, 782), (256, 391), (512, 196)]);
    let rates = found.epochs[3].learning_rate.unwrap();
    // 100,000 = 195 · 512 + 160.
    let wanted = [160.0f64, 512.0].map(|size| 3e-5 * (size / 64.0).sqrt());
    assert!(
        rates
            .iter()
            .zip(wanted)
            .all(|(a, b)| (a / b - 1.0).abs() < 1e-12),
        "{rates:?}"
    );
    let slow = Settings {
        batch_cap: cap(None, 1.5),
        batch: 10,
        ..settings
    };
    assert_eq!(
        (0..4).map(|e| slow.cap_of(e).unwrap()).collect::<Vec<_>>(),
        [10, 15, 22, 33]
    );
}

#[test]
fn caps_are_read_as_written_and_hold_beyond_the_table() {
    let table = HwCap::default();
    assert_eq!(
        [1, 5, 6, 95, 96, 130].map(|l| table.batch_at(l)),
        [2525, 2525, 1250, 75, 50, 50]
    );
    // 130 · 50 slots.
    assert_eq!(
        [131, 260, 6500, 6501, u32::MAX].map(|l| table.batch_at(l)),
        [49, 25, 1, 1, 1]
    );
    let memory = MemoryModel {
        linear: 2.0,
        quadratic: 0.5,
        bytes: 1e6,
    };
    assert_eq!(
        [1, 100, 10_000].map(|l| HwCap::Memory(memory).batch_at(l)),
        [400_000, 192, 1]
    );
    for cap in [
        table,
        HwCap::Memory(memory),
        HwCap::Memory(MemoryModel {
            bytes: 1e300,
            ..memory
        }),
    ] {
        assert_eq!(cap.to_string().parse(), Ok(cap.clone()));
        let caps: Vec<u32> = (1..400)
            .chain([u32::MAX - 1, u32::MAX])
            .map(|l| cap.batch_at(l))
            .collect();
        assert!(caps.is_sorted_by(|a, b| a >= b) && caps.iter().all(|c| *c >= 1));
    }
    let rows = HwCap::Table(vec![(5, 100), (10, 7)]);
    for text in [
        "5:100,10:7",
        "5:100\n10:7\n",
        "5,100\n10,7",
        " 5 , 100 \r\n\r\n10,7\r\n",
    ] {
        assert_eq!(text.parse(), Ok(rows.clone()), "{text:?}");
        assert_eq!(
            format!("\u{feff}{text}").parse(),
            Ok(rows.clone()),
            "{text:?}"
        );
    }
    assert_eq!("longest,cap\n5,100\n10,7".parse(), Ok(rows.clone()));
    assert_eq!("\"max_len\",\"cap\"\n5,100\n10,7".parse(), Ok(rows));
    for wrong in [
        "",
        "5",
        "5,100,3",
        "5:100,5:90",
        "10:100,5:90",
        "5:10,10:11",
        "0:10",
        "5:0",
        "-5,100\n10,7",
        "5,100\n,",
        "x",
        "length,cap",
        "5.5,100",
        "5;100",
        "4294967296,1",
        "memory:1,2",
        "memory:0,0,5",
        "memory:1,1,0",
        "memory:-1,2,5",
        "memory:NaN,1,5",
        "memory:1,1,inf",
        "memory:1,2,3,4",
        "memory:",
    ] {
        assert!(
            matches!(wrong.parse::<HwCap>(), Err(Error::HwCap { .. })),
            "{wrong:?}"
        );
    }
}

/// Upper edges belong to their bucket, or to the next one as in tf.data; buckets go on beyond the table.
#[test]
fn buckets_have_their_edges() {
    let of =
        |hwcap: &HwCap, width, length| Buckets::new(hwcap.clone(), width, 128).bucket_of(length);
    let ends = |hwcap: &HwCap, width| {
        [1, 5, 6, 126, 128, 131, u32::MAX].map(|l| of(hwcap, width, l).longest)
    };
    let table = HwCap::Table(vec![(4, 50), (9, 20), (12, 10)]);
    assert_eq!(
        ends(&HwCap::default(), None),
        [5, 5, 10, 130, 130, 135, u32::MAX]
    );
    assert_eq!(ends(&table, None), [4, 9, 9, 126, 129, 132, u32::MAX]);
    assert_eq!(ends(&table, Some(1)), [1, 5, 6, 126, 128, 131, u32::MAX]);
    assert_eq!(
        ends(&table, Some(100)),
        [100, 100, 100, 200, 200, 200, u32::MAX]
    );
    let memory = HwCap::Memory(MemoryModel {
        linear: 1.0,
        quadratic: 0.0,
        bytes: 1280.0,
    });
    assert_eq!(ends(&memory, None), [5, 5, 10, 130, 130, 135, u32::MAX]);
    // The cap is that of the upper edge, but of no length above the limit.
    assert_eq!(
        [1, 5, 6, 128].map(|l| of(&memory, None, l).cap),
        [256, 256, 128, 10]
    );
    let half = |length| {
        Buckets::new(table.clone(), None, 128)
            .half_open(length)
            .longest
    };
    assert_eq!(
        [3, 4, 8, 9, 11, 12, u32::MAX].map(half),
        [4, 9, 9, 12, 12, 15, u32::MAX]
    );
}

#[test]
fn settings_without_sense_are_refused() {
    let set = |change: fn(&mut Settings)| {
        let mut settings = Settings {
            sampler: Sampler::TokenBudget,
            ..Settings::default()
        };
        change(&mut settings);
        PreparedBatches::new(&pairs("glue_wnli"), false, &settings)
            .and_then(|prepared| prepared.report(&settings, false, &mut go_on))
            .map(|report| report.epochs.len())
    };
    assert_eq!(set(|_| ()), Ok(3));
    assert_eq!(set(|s| s.batch = 0), Err(Error::ZeroBatch));
    assert_eq!(
        set(|s| s.tokens = Some(107)),
        Err(Error::Budget {
            tokens: 107,
            longest: 108
        })
    );
    assert_eq!(set(|s| s.tokens = Some(108)), Ok(3));
    let changes: [fn(&mut Settings); 8] = [
        |s| s.epochs = 0,
        |s| s.epochs = 101,
        |s| s.mega = Some(0),
        |s| s.bucket_width = Some(0),
        |s| s.stopword_share = f64::NAN,
        |s| {
            s.batch_cap = Some(BatchCap {
                base: Some(0),
                scaling: 2.0,
            })
        },
        |s| {
            s.batch_cap = Some(BatchCap {
                base: None,
                scaling: 0.9,
            })
        },
        |s| {
            s.batch_cap = Some(BatchCap {
                base: None,
                scaling: f64::NAN,
            })
        },
    ];
    for change in changes {
        assert!(matches!(set(change), Err(Error::Setting { .. })));
    }
    assert!(matches!(
        set(|s| s.hwcap = HwCap::Table(Vec::new())),
        Err(Error::HwCap { .. })
    ));
    for rate in ["-0.1", "1.1", "NaN", "half", ""] {
        assert!(rate.parse::<TokenDrop>().is_err(), "{rate:?}");
    }
    for drop in [
        TokenDrop::Off,
        TokenDrop::Equalise,
        TokenDrop::Rate(0.0),
        TokenDrop::Rate(0.125),
    ] {
        assert_eq!(drop.to_string().parse(), Ok(drop));
    }
}

/// A million million sequences take no longer where the sampler works on counts.
#[test]
fn a_million_million_sequences_take_no_longer() {
    let counts = [
        ([1, 0], 1_000_000_000_000),
        ([7, 3], 999_999_999_999),
        ([128, 9], 12_345_678_901),
    ];
    let items = counts.iter().map(|(_, n)| n).sum::<u64>();
    for sampler in [Sampler::Sorted, Sampler::TokenBudget, Sampler::Bucket] {
        for batch in [1, 64, 1_000_000, u32::MAX] {
            for token_drop in [TokenDrop::Off, TokenDrop::Equalise, TokenDrop::Rate(0.5)] {
                let settings = Settings {
                    sampler,
                    batch,
                    token_drop,
                    bucket_width: Some(1),
                    ..Settings::default()
                };
                let request = BatchRequest {
                    counts: counts.to_vec(),
                    stopwords_known: true,
                    settings,
                    drawn: true,
                };
                let found = packscope::api::run(&request, &mut go_on).unwrap();
                assert!(
                    found
                        .epochs
                        .iter()
                        .all(|f| f.items == items && f.padding_share >= 0.0)
                );
                assert!(
                    found
                        .pictures
                        .iter()
                        .all(|p| (1..=512).contains(&p.batches.len()))
                );
            }
        }
    }
}

/// In random order they would take minutes to a day: whole batches are simulated, and the report says how many.
#[test]
fn of_very_many_sequences_a_part_is_simulated_and_the_report_says_so() {
    let lengths = 1..=100u32;
    let counts: Vec<_> = lengths
        .map(|l| ([l, l / 3], 6_000_000 + u64::from(l)))
        .collect();
    let items: u64 = counts.iter().map(|(_, n)| n).sum();
    let tokens: u64 = counts.iter().map(|([l, _], n)| u64::from(*l) * n).sum();
    for (sampler, token_drop) in Sampler::ALL
        .into_iter()
        .flat_map(|s| [(s, TokenDrop::Off), (s, TokenDrop::Equalise)])
    {
        let settings = Settings {
            sampler,
            token_drop,
            bucket_width: Some(5),
            epochs: 1,
            ..Settings::default()
        };
        let request = BatchRequest {
            counts: counts.clone(),
            stopwords_known: true,
            settings,
            drawn: true,
        };
        let mut asked = 0;
        let mut progress = |_| {
            asked += 1;
            ControlFlow::Continue(())
        };
        let found = packscope::api::run(&request, &mut progress).unwrap();
        assert!(
            asked <= 200,
            "{sampler} draws {asked} times 65,536 sequences"
        );
        let f = &found.epochs[0];
        assert_eq!(
            (f.items, f.real_tokens + f.dropped_tokens),
            (items, tokens),
            "{sampler}"
        );
        assert_eq!(f.slots, f.real_tokens + f.padding_tokens);
        assert!((1..=512).contains(&found.pictures[0].batches.len()));
        if matches!(sampler, Sampler::Sorted | Sampler::TokenBudget) {
            assert_eq!(found.simulated, None);
            continue;
        }
        let simulated = found.simulated.unwrap();
        // The longest are alone in their bucket, so that their batches are counted.
        let alone = if sampler == Sampler::BucketByLength {
            6_000_100
        } else {
            0
        };
        assert!(
            (4_000_000..=5_000_000 + alone).contains(&simulated),
            "{sampler}: {simulated}"
        );
        let words = packscope::api::batch::parts(&[(String::new(), &found)]).unwrap();
        assert!(words.starts_with(&format!(
            "Simulated in part, in whole batches: {} of 600,005,050 sequences; ",
            count(simulated)
        )));
        if sampler == Sampler::Random && token_drop == TokenDrop::Off {
            assert!((f.padding_share / found.random.padding_share - 1.0).abs() < 2e-3);
            assert_eq!(f.batches, found.random.batches);
        }
    }
}

/// Reports on fewer sequences are written as they always were.
#[test]
fn only_a_part_is_mentioned_in_the_json_of_a_report() {
    let whole = report(&[([3, 0], 60), ([40, 0], 7)], &Settings::default());
    assert!(!json(&whole).contains("simulated"));
    let part = Report {
        simulated: Some(7),
        ..whole.clone()
    };
    assert!(json(&part).ends_with(r#","simulated":7}"#));
    for report in [whole, part] {
        assert_eq!(
            serde_json::from_str::<Report>(&json(&report)).unwrap(),
            report
        );
    }
}

fn json(report: &Report) -> String {
    serde_json::to_string(report).unwrap()
}

/// Very long sequences, one item, equal lengths, batches larger than the data: nothing panics, every item is there.
#[test]
fn extremes_are_batched_like_all_else() {
    let top = u32::MAX - 1;
    let sets: [&[([u32; 2], u64)]; 5] = [
        &[([1, 0], 1)],
        &[([1, 1], 1)],
        &[([top, top], 3), ([1, 0], 5), ([top / 2, 7], 2)],
        &[([top, 0], 1)],
        &[([77, 10], 1000)],
    ];
    let memory = HwCap::Memory(MemoryModel {
        linear: 1.0,
        quadratic: 0.0,
        bytes: 1e300,
    });
    for (data, sampler) in sets
        .iter()
        .flat_map(|data| Sampler::ALL.map(|sampler| (data, sampler)))
    {
        let items: u64 = data.iter().map(|(_, n)| n).sum();
        for (batch, hwcap) in [1, 7, u32::MAX]
            .into_iter()
            .flat_map(|b| [(b, HwCap::default()), (b, memory.clone())])
        {
            for token_drop in [TokenDrop::Off, TokenDrop::Equalise, TokenDrop::Rate(1.0)] {
                let settings = Settings {
                    limit: top,
                    sampler,
                    batch,
                    hwcap: hwcap.clone(),
                    mega: (batch == u32::MAX).then_some(u32::MAX),
                    bucket_width: (batch == 7).then_some(top),
                    token_drop,
                    ..Settings::default()
                };
                let found = report(data, &settings);
                assert!(
                    found.epochs.iter().all(|f| f.items == items),
                    "{data:?} {settings:?}"
                );
                assert!(found.random.padding_share >= -1e-12);
            }
        }
    }
}

/// Every batch is padded to its longest, and sorting leaves the least padding of all orders.
#[test]
fn sorted_batches_have_the_least_padding() {
    for set in ["glue_cola", "glue_rte", "glue_stsb", "glue_wnli"] {
        let slots = |sampler| {
            let settings = Settings {
                sampler,
                epochs: 1,
                ..Settings::default()
            };
            report(pairs(set).entries(), &settings).epochs[0].slots
        };
        let sorted = slots(Sampler::Sorted);
        assert!(
            sorted < slots(Sampler::LengthGrouped)
                && slots(Sampler::LengthGrouped) < slots(Sampler::Random)
        );
    }
}

#[test]
fn a_run_can_be_cancelled() {
    use packscope::packing::Step;
    let data = pairs("squad_1_1_bert_384");
    for sampler in Sampler::ALL {
        let settings = Settings {
            sampler,
            limit: 384,
            ..Settings::default()
        };
        let prepared = PreparedBatches::new(&data, false, &settings).unwrap();
        let mut asked = 0;
        let stopped = prepared.report(&settings, false, &mut |step| {
            asked += u32::from(matches!(step, Step::Done { .. }));
            std::ops::ControlFlow::Break(())
        });
        // What works on counts is done before one could ask.
        let asks = !matches!(sampler, Sampler::Sorted | Sampler::TokenBudget);
        assert_eq!(
            (stopped == Err(Error::Cancelled), asked > 0),
            (asks, asks),
            "{sampler}"
        );
    }
    assert_eq!(
        listed(Sampler::Sorted, &data, &task(&Settings::default(), 0, 0)).len(),
        1386
    );
}

#[test]
fn rows_of_random_batches_are_as_wide_on_average_as_in_all_orders() {
    // Three batches of two, over all 720 orders of six items.
    let items = [3, 5, 5, 8, 9, 20];
    let lengths = Histogram::from_lengths(items.map(|length| (length, 1))).unwrap();
    let mut orders = vec![Vec::new()];
    for _ in items {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                let free = (0..items.len()).filter(|at| !order.contains(at));
                free.map(|at| [order.as_slice(), &[at]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    let widths = random_widths(&lengths, 2);
    for (at, &([length], _)) in lengths.entries().iter().enumerate() {
        let same: Vec<usize> = (0..items.len()).filter(|i| items[*i] == length).collect();
        let width = |order: &Vec<usize>, item: usize| {
            let place = order.iter().position(|at| *at == item).unwrap();
            order[place / 2 * 2..][..2]
                .iter()
                .map(|at| items[*at])
                .max()
                .unwrap()
        };
        let all: u32 = orders
            .iter()
            .flat_map(|order| same.iter().map(move |item| width(order, *item)))
            .sum();
        let mean = f64::from(all) / (orders.len() * same.len()) as f64;
        assert!(
            (widths[at] - mean).abs() < 1e-9,
            "{length}: {} and {mean}",
            widths[at]
        );
    }
    // Whole batches: the mean widths are all the slots.
    let data = built_in("glue_cola");
    for batch in [1, 2, 17, 64] {
        let whole = data.items() / batch * batch;
        let slots: f64 = random_widths(&data, batch as u32)
            .iter()
            .zip(data.entries())
            .map(|(width, (_, count))| width * *count as f64)
            .sum();
        let expected = ExpectedPadding::random(&data, batch as u32).slots;
        let rest = 1.0 - whole as f64 / data.items() as f64;
        assert!(
            (slots / expected - 1.0).abs() <= rest + 1e-9,
            "{batch}: {slots} and {expected}"
        );
    }
}
