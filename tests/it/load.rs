//! Load: counts up to 10¹² and totals up to the end of 64 bits, limits up to 2³² − 1, a hundred thousand sizes and a
//! million, streams of any length, endless questions. Memory is counted on the thread that asks.
#![allow(
    clippy::disallowed_methods,
    reason = "the measurement has a clock; the engine's ban is not its own"
)]

use crate::common::{built_in, built_in_graphs};
use crate::heard;
use allocation_counter::measure;
use packscope::api::{self, Report, Settings, batch, run_on, tuple};
use packscope::bounds;
use packscope::error::Error;
use packscope::export::{Assigner, Document};
use packscope::histogram::{FREE, Histogram, Overlong, Preset, Sizes};
use packscope::ingest::{self, File, OpenResult, Options, Source};
use packscope::metrics::{EpochFigures, Figures};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm as Tuple};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope::sampler::{HwCap, Sampler, TokenDrop};
use packscope::sweep::{Sweep, SweepMethod};
use packscope_page::query::{Answer, Query, TimedAnswer};
use packscope_page::state::custom::Custom;
use packscope_page::state::{
    self, Action, AppState, CachedAnswer, Source as StateSource, Ticket, View, graphs,
};
use std::ops::ControlFlow;
use std::rc::Rc;

const TRILLION: u64 = 1_000_000_000_000;
const MIB: u64 = 1 << 20;

/// Figures that are the sums they say they are, in whole numbers that cannot overflow.
fn exact(f: &Figures, limits: &[u32], items: u64, total: &[u64]) {
    assert_eq!(f.items, items);
    assert_eq!(f.real_tokens, total);
    for (k, limit) in limits
        .iter()
        .enumerate()
        .filter(|(_, limit)| **limit != FREE)
    {
        assert_eq!(
            u128::from(f.slots[k]),
            u128::from(f.packs) * u128::from(*limit),
            "{f:?}"
        );
        assert_eq!(f.padding_tokens[k] + f.real_tokens[k], f.slots[k], "{f:?}");
    }
    assert!((f.packing_factor - items as f64 / f.packs as f64).abs() < 1e-9 * f.packing_factor);
    assert!(
        f.lower_bound
            .is_none_or(|bound| bound > 0 && bound <= f.packs),
        "{f:?}"
    );
    assert!(f.efficiency.iter().all(|e| *e > 0.0 && *e <= 1.0), "{f:?}");
}

/// The report, or the words of a refusal that says what is too much.
fn answered<T>(outcome: Result<T, Error>) -> Result<T, String> {
    outcome.map_err(|error| {
        assert!(error.is_too_much(), "{error}");
        error.to_string()
    })
}

fn packed(h: &Histogram<1>, settings: &Settings) -> Result<Report, String> {
    let report = answered(run_on(h, settings, 1000, &mut go_on))?;
    let f = &report.figures;
    if settings.algorithm.fills_rows() {
        exact(f, &[settings.limit], h.items(), &h.total());
    }
    let listed: u128 = report.strategies.iter().map(|s| u128::from(s.count)).sum();
    assert_eq!(
        listed + u128::from(report.unlisted_packs),
        u128::from(f.packs)
    );
    let deep: u128 = report
        .packs_by_depth
        .iter()
        .map(|(d, n)| u128::from(*d) * u128::from(*n))
        .sum();
    assert_eq!(deep, u128::from(h.items()), "{settings:?}");
    Ok(report)
}

/// Lengths with a trillion items each, and with totals of 10¹⁸ and more.
fn trillions() -> Vec<(Histogram<1>, u32)> {
    let of = |rows: &[(u32, u64)]| Histogram::from_lengths(rows.iter().copied()).unwrap();
    let all: Vec<(u32, u64)> = (1..=512)
        .map(|l| (l, TRILLION - u64::from(l % 7)))
        .collect();
    vec![
        (of(&all), 512),
        (
            of(&[
                (1, TRILLION),
                (7, TRILLION),
                (300, TRILLION - 1),
                (511, 999_999_999_999),
                (512, 1),
            ]),
            512,
        ),
        (of(&[(1, u64::MAX / 8), (2, u64::MAX / 16), (3, 5)]), 3),
        (
            of(&[
                (4_000_000, TRILLION),
                (1_000_001, TRILLION),
                (512, TRILLION),
                (3, 17),
            ]),
            4_000_000,
        ),
    ]
}

#[test]
fn a_trillion_of_each_length_is_packed_exactly_or_refused_in_words() {
    for (h, limit) in trillions() {
        for algorithm in Algorithm::ALL {
            for depth in [Depth::AtMost(1), Depth::AtMost(3), Depth::Unlimited] {
                let settings = Settings {
                    limit,
                    depth,
                    algorithm,
                    ..Settings::default()
                };
                let outcome = packed(&h, &settings);
                let refused = match algorithm {
                    Algorithm::Greedy => "goes item by item and takes at most 100,000,000 items",
                    Algorithm::Nnlshp if limit > 1024 => "takes limits of at most 1,024",
                    _ => "",
                };
                match outcome {
                    Ok(_) => assert_eq!(refused, "", "{algorithm}"),
                    Err(words) => {
                        assert!(!refused.is_empty() && words.contains(refused), "{words}")
                    }
                }
            }
        }
    }
}

#[test]
fn totals_that_leave_64_bits_are_refused_and_never_wrap() {
    let said = |outcome: Result<Histogram<1>, Error>| outcome.unwrap_err().to_string();
    let tokens = "the data are too large: the number of tokens exceeds 2^64 − 1";
    assert_eq!(said(Histogram::from_lengths([(u32::MAX, 1 << 33)])), tokens);
    assert_eq!(
        said(Histogram::from_lengths([
            (4_000_000_000, 4_000_000_000),
            (3_000_000_000, TRILLION)
        ])),
        tokens
    );
    let items = "the data are too large: the number of items exceeds 2^64 − 1";
    assert_eq!(
        said(Histogram::from_lengths([(1, u64::MAX), (1, 1)])),
        items
    );
    let sum = Histogram::from_counts([([1, u32::MAX], 1 << 33)])
        .unwrap_err()
        .to_string();
    assert_eq!(
        sum,
        "the data are too large: the sum of a component exceeds 2^64 − 1"
    );
    // What splitting makes of it, and rows that are far longer than what is in them.
    let h = Histogram::from_lengths([(1 << 20, 1 << 43)]).unwrap();
    let split = Settings {
        limit: 1,
        overlong: Overlong::Split,
        ..Settings::default()
    };
    assert_eq!(
        run_on(&h, &split, 10, &mut go_on).unwrap().figures.packs,
        1 << 63
    );
    let slots = "the data are too large: the number of slots exceeds 2^64 − 1";
    let wide = Settings {
        limit: 1 << 31,
        algorithm: Algorithm::None,
        ..Settings::default()
    };
    assert_eq!(packed(&h, &wide).unwrap_err(), slots);
    let pairs = Histogram::from_counts([([5, 9], TRILLION)]).unwrap();
    let wide = tuple::Settings {
        limits: vec![1 << 30; 2],
        algorithm: Tuple::None,
        ..tuple::Settings::default()
    };
    assert_eq!(
        answered(tuple::run_on(&pairs, &wide, 10, &mut go_on)).unwrap_err(),
        slots
    );
    for text in [
        "length,count\n5,99999999999999999999\n6,1\n",
        "length,count\n4294967295,8589934592\n",
    ] {
        let read = ingest::read::<1>(text.as_bytes(), Options::default());
        // A count beyond 64 bits is a record that is skipped; a total beyond them is an error.
        assert!(
            read.as_ref()
                .map_or_else(|e| e.to_string() == tokens, |r| r.description.skipped == 1),
            "{read:?}"
        );
    }
}

#[test]
fn a_trillion_graphs_of_each_size_are_packed_exactly_or_refused_in_words() {
    let molhiv = built_in_graphs("ogbg_molhiv");
    let many = molhiv
        .entries()
        .iter()
        .step_by(9)
        .map(|(size, n)| (*size, TRILLION + n));
    let many = Histogram::from_counts(many).unwrap();
    let limits = many.max();
    for algorithm in Tuple::ALL {
        for depth in [Depth::AtMost(2), Depth::Unlimited] {
            for heuristic in [
                Heuristic::Product,
                Heuristic::Component(1),
                Heuristic::Squares,
            ] {
                let settings = tuple::Settings {
                    limits: limits.to_vec(),
                    depth,
                    algorithm,
                    heuristic,
                    ..tuple::Settings::default()
                };
                let report = answered(tuple::run_on(&many, &settings, 10, &mut go_on)).unwrap();
                let kept = algorithm.limits(limits);
                exact(&report.figures, &kept, many.items(), &many.total());
                if !algorithm.has_heuristic() {
                    break;
                }
            }
        }
    }
    let ranges = ["222:444:74", "502:1004:251"].map(|r| r.parse().unwrap());
    let settings = tuple::Settings {
        algorithm: Tuple::BestFit,
        ..tuple::Settings::default()
    };
    for method in [SweepMethod::Grid, SweepMethod::Free, SweepMethod::Search] {
        let mut sweep = Sweep::new(method, ranges);
        while let Some(limits) = sweep.ask() {
            sweep.tell(tuple::evaluate(&many, &settings, limits).unwrap());
        }
        assert!(
            sweep.is_done()
                && sweep
                    .points()
                    .iter()
                    .all(|p| p.packs >= TRILLION && p.harmonic <= 1.0)
        );
    }
}

fn batched(data: &Histogram<2>, settings: &batch::Settings) -> Result<batch::Report, String> {
    let prepared = batch::PreparedBatches::new(data, false, settings).unwrap();
    let report = answered(prepared.report(settings, true, &mut go_on))?;
    for epoch in &report.epochs {
        added_up(epoch, data, report.simulated.is_some());
    }
    Ok(report)
}

/// Batches that hold every item once, and slots that are those of their shapes.
fn added_up(epoch: &EpochFigures, data: &Histogram<2>, part: bool) {
    assert_eq!(
        (epoch.items, epoch.real_tokens + epoch.dropped_tokens),
        (data.items(), data.total()[0])
    );
    assert_eq!(epoch.padding_tokens + epoch.real_tokens, epoch.slots);
    let shapes =
        |f: fn(&packscope::metrics::BatchShape) -> u128| epoch.shapes.iter().map(f).sum::<u128>();
    assert_eq!(shapes(|s| u128::from(s.batches)), u128::from(epoch.batches));
    let slots = shapes(|s| u128::from(s.batches) * u128::from(s.slots));
    // Of a part, the slots are made to go with the tokens of all.
    let off = (slots as f64 / epoch.slots as f64 - 1.0).abs();
    assert!(
        if part {
            off < 0.01
        } else {
            slots == u128::from(epoch.slots)
        },
        "{off}"
    );
    assert!(
        epoch.sequences_per_step > 0.0
            && epoch.estimated_speedup.is_finite()
            && epoch.squared_slots.is_finite()
    );
}

#[test]
fn samplers_take_a_trillion_of_each_length_and_say_how_many_they_simulate() {
    for (h, limit) in trillions() {
        for sampler in Sampler::ALL {
            let settings = batch::Settings {
                limit,
                sampler,
                epochs: 1,
                ..batch::Settings::default()
            };
            let settings = match sampler {
                // The budget of a padded batch has no end here.
                Sampler::TokenBudget => batch::Settings {
                    tokens: Some(1 << 40),
                    ..settings
                },
                _ => settings,
            };
            match batched(&h.with_zero(), &settings) {
                Ok(report) => {
                    let drawn = matches!(
                        sampler,
                        Sampler::Random | Sampler::LengthGrouped | Sampler::Packed
                    );
                    assert!(
                        !drawn || report.simulated.is_some_and(|n| n < 20_000_000),
                        "{sampler}"
                    );
                }
                Err(words) => panic!("{words}"),
            }
        }
    }
}

/// The extremes of a setting.
const ENDS: [u32; 5] = [1, 2, 1 << 31, u32::MAX - 1, u32::MAX];

#[test]
fn limits_and_depths_to_the_end_of_32_bits_take_no_room_of_their_own() {
    let squad = built_in("squad_1_1_bert_384");
    let few = Histogram::from_lengths([
        (1, 40_000),
        (3, 7),
        (5, 2),
        (u32::MAX - 9, 3),
        (u32::MAX, 1),
    ])
    .unwrap();
    for (h, limits) in [
        (&squad, [384, 1 << 31, u32::MAX - 1, u32::MAX]),
        (&few, [u32::MAX; 4]),
    ] {
        for algorithm in Algorithm::ALL {
            for limit in limits {
                for depth in ENDS
                    .map(Depth::AtMost)
                    .into_iter()
                    .chain([Depth::Unlimited])
                {
                    let settings = Settings {
                        limit,
                        depth,
                        algorithm,
                        batch: u32::MAX,
                        ..Settings::default()
                    };
                    let mut outcome = None;
                    let memory = measure(|| outcome = Some(packed(h, &settings))).bytes_max;
                    assert!(memory < 200 * MIB, "{memory} bytes for {settings:?}");
                    let words = outcome.unwrap().err();
                    let refused = algorithm == Algorithm::Nnlshp && limit > 1024;
                    assert_eq!(words.is_some(), refused, "{words:?} {settings:?}");
                }
            }
        }
    }
    for align in ENDS {
        let settings = Settings {
            limit: u32::MAX,
            align,
            ..Settings::default()
        };
        let report = run_on(&squad, &settings, 10, &mut go_on).unwrap();
        assert_eq!(
            (report.figures.items, report.figures.real_tokens[0]),
            (squad.items(), squad.total()[0])
        );
    }
    assert!(bounds::best(&few, u32::MAX, u32::MAX).packs >= 4);
}

/// A few packs with room for billions: one item each in turn would go on for ever. What finds no room there opens a pack
/// of its own, as published.
#[test]
fn turns_without_end_come_to_one() {
    // Seven more than the packs of the longest have room for.
    let room = 10 * u64::from(u32::MAX) - 10 * 5 - 3 * 4;
    let h = Histogram::from_lengths([(5, 10), (4, 3), (1, room + 7)]).unwrap();
    let spfhp = Settings {
        limit: u32::MAX,
        algorithm: Algorithm::Spfhp,
        ..Settings::default()
    };
    let mut packs = 0;
    let memory = measure(|| packs = packed(&h, &spfhp).unwrap().figures.packs).bytes_max;
    assert!(memory < 400 * MIB, "{memory}");
    assert_eq!(packs, 10 + 7);
    for algorithm in [
        Algorithm::Lpfhp,
        Algorithm::BestFitDecreasing,
        Algorithm::FirstFitDecreasing,
        Algorithm::Optimal,
    ] {
        assert_eq!(
            packed(
                &h,
                &Settings {
                    algorithm,
                    ..spfhp.clone()
                }
            )
            .map(|r| r.figures.packs),
            Ok(11)
        );
    }
}

#[test]
fn limits_of_graphs_to_the_end_of_32_bits_take_no_room_of_their_own() {
    let molhiv = built_in_graphs("ogbg_molhiv");
    let huge = Histogram::from_counts([
        ([u32::MAX - 3, 7], 2),
        ([3, u32::MAX - 1], 5),
        ([1, 0], 900),
    ])
    .unwrap();
    for (h, all) in [
        (
            &molhiv,
            [
                [222, FREE],
                [1 << 31, 502],
                [FREE - 1, FREE - 1],
                [FREE, FREE],
            ],
        ),
        (&huge, [[FREE - 1; 2]; 4]),
    ] {
        for algorithm in Tuple::ALL {
            for limits in all {
                for depth in [Depth::AtMost(7), Depth::AtMost(u32::MAX), Depth::Unlimited] {
                    let settings = tuple::Settings {
                        limits: limits.to_vec(),
                        depth,
                        algorithm,
                        ..tuple::Settings::default()
                    };
                    let mut outcome = None;
                    let run =
                        || outcome = Some(answered(tuple::run_on(h, &settings, 10, &mut go_on)));
                    let memory = measure(run).bytes_max;
                    assert!(memory < 200 * MIB, "{memory} bytes for {settings:?}");
                    let report = outcome.unwrap().unwrap();
                    exact(
                        &report.figures,
                        &algorithm.limits(limits),
                        h.items(),
                        &h.total(),
                    );
                }
            }
        }
    }
}

#[test]
fn settings_of_samplers_at_their_ends_take_no_room_of_their_own() {
    let data = built_in("squad_1_1_bert_384").with_zero();
    let base = batch::Settings {
        limit: u32::MAX,
        epochs: 2,
        ..batch::Settings::default()
    };
    for sampler in Sampler::ALL {
        for end in ENDS {
            let wide = HwCap::Table(vec![(1, end)]);
            for settings in [
                batch::Settings {
                    batch: end,
                    ..base.clone()
                },
                batch::Settings {
                    limit: end,
                    overlong: Overlong::Truncate,
                    ..base.clone()
                },
                batch::Settings {
                    mega: Some(end),
                    bucket_width: Some(end),
                    ..base.clone()
                },
                batch::Settings {
                    tokens: Some(u64::MAX - u64::from(end)),
                    hwcap: wide,
                    ..base.clone()
                },
                batch::Settings {
                    token_drop: TokenDrop::Equalise,
                    batch: end,
                    ..base.clone()
                },
            ] {
                let settings = batch::Settings {
                    sampler,
                    ..settings
                };
                let prepared = batch::PreparedBatches::new(&data, false, &settings).unwrap();
                let mut outcome = None;
                let run = || outcome = Some(answered(prepared.report(&settings, true, &mut go_on)));
                let memory = measure(run).bytes_max;
                assert!(memory < 100 * MIB, "{memory} bytes for {settings:?}");
                let report = outcome.unwrap().unwrap();
                assert!(report.epochs.iter().all(|e| e.items == data.items()));
            }
        }
    }
}

/// All that is said of what was packed.
#[test]
fn a_trillion_of_each_length_goes_out_and_comes_back() {
    let rows = (1..=300).map(|l| (l * 2, TRILLION + u64::from(l)));
    let h = Histogram::from_lengths(rows).unwrap();
    let custom = Custom {
        name: "many".to_owned(),
        components: vec![],
        sizes: Sizes::Lengths(Rc::new(h.clone())),
    };
    let value = custom.carried().value.unwrap();
    assert_eq!(Custom::read(&value), Ok(custom));
    let csv: String = h
        .lengths()
        .iter()
        .map(|(l, n)| format!("{l},{n}\n"))
        .collect();
    assert_eq!(
        ingest::read::<1>(
            format!("length,count\n{csv}").as_bytes(),
            Options::default()
        )
        .unwrap()
        .histogram,
        h
    );
    let settings = Settings {
        limit: 1024,
        ..Settings::default()
    };
    let report = run_on(&h, &settings, u32::MAX, &mut go_on).unwrap();
    let plan = Document::of_sequences(&report, "many").unwrap();
    let mut json = String::new();
    plan.json(&mut |piece| json += piece);
    let read = Document::<1>::parse(&json).unwrap();
    assert_eq!(
        (read.strategies.len(), read.packs()),
        (plan.strategies.len(), report.figures.packs)
    );
    for seed in [None, Some(7)] {
        let mut assigner = Assigner::new(&read, seed).unwrap();
        let mut packs = Vec::new();
        for length in (1..=300).rev() {
            assigner
                .place([length * 2], &mut |piece| packs.push(piece.pack))
                .unwrap();
        }
        assert!(packs.iter().all(|pack| *pack < report.figures.packs));
        let said = assigner.finish().unwrap_err().to_string();
        assert!(
            said.contains(
                "the end, after 300 items: 300,000,000,044,850 slots of the plan stay empty"
            ),
            "{said}"
        );
    }
    let table = packscope::export::figures(&report.figures, &["length".to_owned()], "many");
    assert!(table.rows.iter().any(|row| {
        row.iter()
            .any(|cell| cell.exact == report.figures.slots[0].to_string())
    }));
}

/// A plan that someone has written by hand may say anything.
#[test]
fn plans_whose_sums_leave_64_bits_are_refused() {
    let h = Histogram::from_lengths([(5, 4), (7, 4)]).unwrap();
    let report = run_on(
        &h,
        &Settings {
            limit: 12,
            ..Settings::default()
        },
        10,
        &mut go_on,
    )
    .unwrap();
    let mut json = String::new();
    Document::of_sequences(&report, "few")
        .unwrap()
        .json(&mut |piece| json += piece);
    let of = |from: &str, to: &str| {
        assert!(json.contains(from), "{json}");
        Document::<1>::parse(&json.replace(from, to)).map_err(|e| e.to_string())
    };
    let runs = "\"runs\":[[7,1],[5,1]],\"count\":4";
    let full = of(
        runs,
        "\"runs\":[[4294967295,4294967295],[4294967294,4294967295]],\"count\":4",
    )
    .unwrap_err();
    assert!(full.contains("strategy 1: it holds"), "{full}");
    let many = json.replace(runs, "\"runs\":[[1,12]],\"count\":18446744073709551615");
    let many = many.replace("\"packs\":4,", "\"packs\":18446744073709551615,");
    let said = Document::<1>::parse(&many).unwrap_err().to_string();
    assert!(
        said.contains("its strategies are of 221360928884514619380 items"),
        "{said}"
    );
}

/// A file that is nowhere: a tile of lines, over and over.
struct Tiles {
    tile: Vec<u8>,
    times: u64,
}

impl Source for Tiles {
    fn size(&self) -> u64 {
        self.tile.len() as u64 * self.times
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>, Error> {
        let left = usize::try_from(self.size() - at.min(self.size()))
            .unwrap_or(length)
            .min(length);
        let begin = (at % self.tile.len() as u64) as usize;
        Ok(self
            .tile
            .iter()
            .cycle()
            .skip(begin)
            .take(left)
            .copied()
            .collect())
    }
}

/// Lengths up to `longest`, a line each.
fn lines(longest: u64, line: impl Fn(u64) -> String) -> Vec<u8> {
    (0..131_072u64)
        .map(|i| line(1 + i * i % longest))
        .collect::<String>()
        .into_bytes()
}

/// A gigabyte, in the forms that people have: memory is that of the sizes, and the counts are those of the lines.
#[test]
fn a_gigabyte_is_read_in_a_few_megabytes() {
    let gigabyte = |tile: Vec<u8>| Tiles {
        times: 1_000_000_000u64.div_ceil(tile.len() as u64),
        tile,
    };
    let source = gigabyte(lines(60_000, |l| format!("{l}\n")));
    let mut told = 0;
    let mut progress = |done: u64, of: u64| {
        assert!(told <= done && done <= of);
        told = done;
        ControlFlow::Continue(())
    };
    let files = [File {
        name: "lengths.txt",
        source: &source,
    }];
    let mut opened = None;
    let memory = measure(|| {
        opened = Some(ingest::open(
            &files,
            &Options::default(),
            false,
            &mut progress,
        ))
    })
    .bytes_max;
    let Some(Ok(OpenResult::Read(read))) = opened else {
        panic!("{opened:?}")
    };
    assert!(memory < 16 * MIB, "{memory}");
    assert!(include_str!("../../CHANGELOG.md").contains("a gigabyte is read in less than 16 MiB"));
    assert_eq!(read.description.records, source.times * 131_072);
    assert_eq!(read.description.bytes, source.size());
    let Sizes::Lengths(h) = read.counted else {
        panic!("{:?}", read.counted)
    };
    let mut tile = vec![0u64; 60_001];
    (0..131_072u64).for_each(|i| tile[(1 + i * i % 60_000) as usize] += 1);
    assert!(
        h.entries()
            .iter()
            .all(|([l], n)| *n == tile[*l as usize] * source.times)
    );
    assert_eq!(h.items(), read.description.records);
}

/// The memory of an epoch that docs/COMMANDS.md tells, of 16.3 million sequences, of whichever sampler takes most.
#[test]
fn an_epoch_takes_the_memory_that_the_readme_says() {
    let data = built_in("wikipedia_bert_512").with_zero();
    let most = Sampler::ALL.map(|sampler| {
        let settings = batch::Settings {
            limit: 512,
            sampler,
            epochs: 1,
            ..batch::Settings::default()
        };
        measure(|| drop(batched(&data, &settings))).bytes_max
    });
    let most = most.into_iter().max().unwrap().div_ceil(1_000_000);
    let said = include_str!("../../docs/COMMANDS.md").contains(&format!(
        "(an epoch of 16.3 million takes at most {most} MB "
    ));
    assert!(said, "{most} MB");
}

/// The engine keeps nothing: the ten-thousandth question takes what the first one took.
#[test]
fn ten_thousand_questions_leave_nothing_behind() {
    let counts: Vec<(u32, u64)> = (1..=40).map(|l| (l, u64::from(l * 37 % 11))).collect();
    let mut kept = 0;
    let mut digests = std::collections::BTreeSet::new();
    for i in 0..10_000u32 {
        let algorithm = Algorithm::ALL[i as usize % 10];
        let settings = Settings {
            limit: 30 + i % 7,
            depth: Depth::AtMost(1 + i % 5),
            algorithm,
            ..Settings::default()
        };
        let request = api::Request {
            counts: counts.clone(),
            settings,
            listed: 10,
        };
        let mut digest = None;
        kept += measure(|| digest = api::run(&request, &mut go_on).ok().map(|r| r.digest()))
            .bytes_current;
        digests.insert((request.settings.limit, i % 5, i % 10, digest.unwrap()));
    }
    // Whenever it is asked, a question has the same answer.
    assert_eq!(digests.len(), 7 * 10);
    assert!(kept < 4096, "{kept} bytes are kept");
}

/// A lane of workers as the page has it: one question is being answered, and of those that wait the newest is kept.
#[derive(Default)]
struct Lane<S> {
    flying: Option<(u64, S)>,
    waiting: Option<(u64, S)>,
    asked: u64,
}

impl<S> Lane<S> {
    fn ask(&mut self, settings: S) {
        self.asked += 1;
        self.waiting = Some((self.asked, settings));
        if self.flying.is_none() {
            self.flying = self.waiting.take();
        }
    }

    fn answer(&mut self) -> Option<(u64, S)> {
        std::mem::replace(&mut self.flying, self.waiting.take())
    }
}

/// What a hand does that is faster than the answers: the settings of the moment, and whether an answer arrives.
fn restless(steps: u32, mut step: impl FnMut(u32, bool)) {
    let mut random = packscope::rng::Random::seeded(4);
    for _ in 0..steps {
        step(random.below(3) as u32, random.below(3) == 0);
    }
}

#[test]
fn whatever_the_order_of_answers_the_last_settings_are_answered_in_the_end() {
    for algorithm in [Algorithm::Lpfhp, Algorithm::Greedy, Algorithm::Optimal] {
        let small = Rc::new(Histogram::from_lengths((1..60).map(|l| (l, 3))).unwrap());
        let loaded = Action::Loaded(StateSource::Preset(Preset::FIRST), small.clone(), Some(70));
        let mut state = AppState::default()
            .reduce(loaded)
            .reduce(Action::Algorithm(algorithm));
        let mut lane = Lane::default();
        let hear = |state: &AppState, lane: &mut Lane<Settings>| {
            let Some((number, settings)) = lane.answer() else {
                return state.clone();
            };
            let ticket = Ticket {
                data: state.sequences.version(),
                number,
            };
            let told = match run_on(&small, &settings, 10, &mut go_on) {
                Ok(report) => heard::answered(Rc::new(state::StudyAnswer {
                    ticket,
                    report,
                    seconds: 0.0,
                })),
                Err(error) => heard::refused(ticket, settings, error.to_string()),
            };
            state.reduce(Action::Heard(told))
        };
        let answered =
            |state: &AppState| state.sequences.is_current() || state.sequences.is_interim();
        restless(300, |to, heard| {
            // At one of these settings the engine refuses.
            let (limit, overlong) = [
                (60, Overlong::Drop),
                (61, Overlong::Drop),
                (50, Overlong::Reject),
            ][to as usize];
            state = state
                .reduce(Action::Limit(limit))
                .reduce(Action::Set("overlong", overlong.to_string()));
            let stands_in = if algorithm == Algorithm::Optimal {
                Algorithm::AverageTarget
            } else {
                algorithm
            };
            if !answered(&state) {
                lane.ask(Settings {
                    algorithm: stands_in,
                    ..state.sequences.settings.clone()
                });
            }
            if heard {
                state = hear(&state, &mut lane);
            }
            let shown = state
                .sequences
                .answer
                .as_ref()
                .map(|a| a.report.settings.limit);
            assert!(!answered(&state) || shown == Some(state.sequences.settings.limit));
            assert!(
                state.sequences.refusal().is_none_or(
                    |words| overlong == Overlong::Reject && words.contains("limit of 50")
                )
            );
        });
        while lane.flying.is_some() {
            state = hear(&state, &mut lane);
        }
        assert!(
            answered(&state) != state.sequences.refusal().is_some(),
            "{algorithm} {:?}",
            state.sequences.settings
        );
    }
}

#[test]
fn whatever_the_order_of_answers_the_last_limits_of_graphs_are_answered_in_the_end() {
    let molhiv = Rc::new(built_in_graphs("ogbg_molhiv"));
    for algorithm in [Tuple::BestFit, Tuple::Search] {
        let loaded = graphs::Action::Loaded(
            StateSource::Preset(&Preset::GRAPHS[0]),
            molhiv.clone(),
            [true; 2],
        );
        let chosen = Action::Graphs(graphs::Action::Algorithm(algorithm));
        let mut state = AppState::default()
            .reduce(Action::Graphs(loaded))
            .reduce(chosen);
        let mut lane = Lane::default();
        let hear = |state: &AppState, lane: &mut Lane<tuple::Settings>| {
            let Some((number, settings)) = lane.answer() else {
                return state.clone();
            };
            let ticket = Ticket {
                data: state.graphs.version(),
                number,
            };
            let told = match tuple::run_on(&molhiv, &settings, 10, &mut go_on) {
                Ok(report) => heard::answered(Rc::new(state::StudyAnswer {
                    ticket,
                    report,
                    seconds: 0.0,
                })),
                Err(error) => heard::refused(ticket, settings, error.to_string()),
            };
            state.reduce(Action::Graphs(graphs::Action::Heard(told)))
        };
        let answered = |state: &AppState| state.graphs.is_current() || state.graphs.is_interim();
        restless(60, |to, heard| {
            let (nodes, overlong) = [
                (222, Overlong::Drop),
                (230, Overlong::Drop),
                (100, Overlong::Reject),
            ][to as usize];
            for action in [
                graphs::Action::Limit(0, nodes),
                graphs::Action::Set("overlong", overlong.to_string()),
            ] {
                state = state.reduce(Action::Graphs(action));
            }
            if !answered(&state) {
                lane.ask(tuple::Settings {
                    algorithm: Tuple::BestFit,
                    ..state.graphs.settings.clone()
                });
            }
            if heard {
                state = hear(&state, &mut lane);
            }
            let shown = state
                .graphs
                .answer
                .as_ref()
                .map(|a| a.report.settings.limits[0]);
            assert!(!answered(&state) || shown == Some(state.graphs.limits()[0]));
            assert!(
                state
                    .graphs
                    .refusal()
                    .is_none_or(|_| overlong == Overlong::Reject)
            );
        });
        while lane.flying.is_some() {
            state = hear(&state, &mut lane);
        }
        assert!(answered(&state) != state.graphs.refusal().is_some());
    }
}

#[test]
fn a_late_answer_about_other_batches_does_not_replace_what_is_there() {
    let sst2 = Rc::new(built_in("glue_sst2"));
    let loaded = Action::Loaded(
        StateSource::Preset(Preset::FIRST),
        Rc::clone(&sst2),
        Some(128),
    );
    let here = AppState::default()
        .reduce(loaded)
        .reduce(Action::View(View::Batches));
    let there = here.reduce(Action::Batch(32));
    let told = |state: &AppState, number| {
        let settings = state.batch_settings_of(state.batch_row());
        let prepared = batch::PreparedBatches::new(&sst2.with_zero(), false, &settings).unwrap();
        let report = Answer::Batches(Rc::new(
            prepared.report(&settings, true, &mut go_on).unwrap(),
        ));
        let ticket = Ticket {
            data: state.sequences.version(),
            number,
        };
        let (query, answered) = (
            Query::Batches(Box::new(settings), true),
            TimedAnswer {
                outcome: Ok(report),
                seconds: 0.0,
            },
        );
        Action::Answered(vec![CachedAnswer {
            ticket,
            query,
            answered,
        }])
    };
    let known = here.reduce(told(&here, 1));
    assert!(known.is_pictured(known.batch_row()));
    let back = known
        .reduce(Action::Batch(32))
        .reduce(Action::Batch(64))
        .reduce(told(&there, 2));
    assert!(back.is_pictured(back.batch_row()));
}

/// Lengths 1 to n, and n pairs of nodes and edges: the sizes of no data that there are, and of everything else.
fn as_many(n: u32) -> (Histogram<1>, Histogram<2>) {
    let lengths = Histogram::from_lengths((1..=n).map(|l| (l, u64::from(1 + l % 13)))).unwrap();
    let side = n.isqrt();
    let pair = |i: u32| [1 + i % side, 1 + i / side];
    (
        lengths,
        Histogram::from_counts((0..side * side).map(|i| (pair(i), u64::from(1 + i % 5)))).unwrap(),
    )
}

/// Time and memory of everything on a million sizes: to be looked at.
#[test]
#[ignore = "a measurement, not a test"]
fn a_million_sizes_measured() {
    let n = std::env::var("PACKSCOPE_SIZES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000_000);
    let (lengths, pairs) = as_many(n);
    let timed = |what: String, run: &mut dyn FnMut() -> String| {
        let (start, mut said) = (std::time::Instant::now(), String::new());
        let memory = measure(|| said = run());
        let (seconds, most) = (start.elapsed().as_secs_f64(), memory.bytes_max / MIB);
        println!("| {what} | {seconds:.2} s | {most} MiB | {said} |");
    };
    let packs = |figures: &Figures| format!("{} packs, gap {:?}", figures.packs, figures.gap);
    let said = |words: String| {
        if words.len() > 90 {
            words[..90].to_owned()
        } else {
            words
        }
    };
    timed("summary".to_owned(), &mut || {
        format!("{:?}", lengths.summary(512).padding_share)
    });
    timed("bound".to_owned(), &mut || {
        bounds::best(&lengths, n, u32::MAX).packs.to_string()
    });
    for algorithm in Algorithm::ALL {
        for depth in [Depth::AtMost(3), Depth::Unlimited] {
            let settings = Settings {
                limit: n,
                depth,
                algorithm,
                ..Settings::default()
            };
            timed(format!("{algorithm}, {depth}"), &mut || match run_on(
                &lengths, &settings, 20_000, &mut go_on,
            ) {
                Ok(report) => packs(&report.figures),
                Err(error) => said(error.to_string()),
            });
        }
    }
    // None of these is shorter than a quarter of the limit: cheap bounds prove little.
    let long = Histogram::from_lengths((n / 4..n).map(|l| (l, u64::from(1 + l % 3)))).unwrap();
    let settings = Settings {
        limit: n,
        algorithm: Algorithm::Optimal,
        ..Settings::default()
    };
    timed("optimal, long ones".to_owned(), &mut || {
        packs(&run_on(&long, &settings, 0, &mut go_on).unwrap().figures)
    });
    let limits = pairs.max().to_vec();
    let settings = tuple::Settings {
        limits,
        depth: Depth::Unlimited,
        ..tuple::Settings::default()
    };
    timed("optimal of graphs, unlimited".to_owned(), &mut || {
        packs(
            &tuple::run_on(&pairs, &settings, 0, &mut go_on)
                .unwrap()
                .figures,
        )
    });
    for algorithm in Tuple::ALL {
        let heuristics = if algorithm.has_heuristic() {
            &Heuristic::PUBLISHED[..2]
        } else {
            &Heuristic::PUBLISHED[..1]
        };
        for &heuristic in heuristics {
            let settings = tuple::Settings {
                limits: pairs.max().to_vec(),
                algorithm,
                heuristic,
                ..tuple::Settings::default()
            };
            timed(
                format!("{algorithm}, {heuristic}"),
                &mut || match tuple::run_on(&pairs, &settings, 20_000, &mut go_on) {
                    Ok(report) => packs(&report.figures),
                    Err(error) => said(error.to_string()),
                },
            );
        }
    }
    let zero = lengths.with_zero();
    for sampler in Sampler::ALL {
        let settings = batch::Settings {
            limit: n,
            sampler,
            ..batch::Settings::default()
        };
        timed(sampler.to_string(), &mut || {
            let prepared = batch::PreparedBatches::new(&zero, false, &settings).unwrap();
            let report = prepared.report(&settings, true, &mut go_on);
            report.map_or_else(
                |e| said(e.to_string()),
                |r| format!("{} shapes", r.epochs[0].shapes.len()),
            )
        });
    }
}
