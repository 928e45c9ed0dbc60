//! Ranks: dealing against every assignment, the bound, conservation, and figures of real sets.

use crate::common::{built_in, histograms};
use packscope::cost::presets::TRANSFORMERS;
use packscope::cost::{Transformer, presets};
use packscope::error::{Error, Result};
use packscope::histogram::{Histogram, Overlong, Preset};
use packscope::packing::{Algorithm, Depth, differencing};
use packscope::ranks::{
    Binds, Change, Dealing, Loads, NOTHING, ROW_PACKERS, RankUnit, Report, Scheduler,
    SchedulerTask, Settings, SyncPoint, UnitCount, Untrained, Weight, assign, bound, deal, run,
    table,
};
use proptest::prelude::*;

#[test]
fn rows_are_packed_by_the_chosen_algorithm() {
    let lengths = built_in("gsm8k_train")
        .fit([512], Overlong::Truncate)
        .unwrap()
        .histogram;
    let of = |algorithm| {
        let settings = Settings {
            limit: 512,
            unit: RankUnit::Rows,
            algorithm,
            steps: 2,
            ..Default::default()
        };
        run(&lengths, &settings).unwrap().population
    };
    // As many units as rows: one for each sequence, and fewer the better they are packed.
    assert_eq!(of(Algorithm::None), lengths.items());
    assert!(of(Algorithm::Lpfhp) < of(Algorithm::Greedy));
    for algorithm in ROW_PACKERS {
        let packed = algorithm.pack(&lengths, 512, Depth::Unlimited).unwrap();
        assert_eq!(of(algorithm), packed.packs(), "{algorithm}");
    }
    assert_eq!(of(Algorithm::Optimal), of(Algorithm::Lpfhp));
}

fn llama() -> Transformer {
    presets::named(TRANSFORMERS, "llama-3.1-8b").unwrap().value
}

fn loads(part: &[u32], weights: &[f64], parts: usize) -> Vec<f64> {
    let mut loads = vec![0.0; parts];
    part.iter()
        .zip(weights)
        .for_each(|(part, weight)| loads[*part as usize] += weight);
    loads
}

fn most(loads: &[f64]) -> f64 {
    loads.iter().copied().fold(0.0, f64::max)
}

/// The least that the slowest rank can have, by trying all assignments.
fn optimum(weights: &[f64], parts: usize) -> f64 {
    let all = (parts as u64).pow(weights.len() as u32);
    let of = |number: u64| {
        let digit = |at: u32| (number / (parts as u64).pow(at) % parts as u64) as u32;
        most(&loads(
            &(0..weights.len() as u32).map(digit).collect::<Vec<_>>(),
            weights,
            parts,
        ))
    };
    (0..all).map(of).fold(f64::INFINITY, f64::min)
}

fn time(dealing: Dealing, weights: &[f64], ranks: u32, size: UnitCount, waiting: SyncPoint) -> f64 {
    Loads::of_assignment(&deal(dealing, weights, ranks, size), weights, ranks).time(waiting)
}

proptest! {
    #[test]
    fn no_dealing_beats_the_optimum_nor_the_bound(
        whole in prop::collection::vec(1..=60u32, 1..=8), ranks in 1..=3u32
    ) {
        let weights: Vec<f64> = whole.iter().map(|w| f64::from(*w)).collect();
        let (best, size) = (optimum(&weights, ranks as usize), UnitCount::Any(1));
        let [_, least] = bound(&weights, ranks, size);
        prop_assert!(least <= best + 1e-9, "{least} {best}");
        for dealing in Dealing::ALL {
            prop_assert!(time(dealing, &weights, ranks, size, SyncPoint::Step) >= best - 1e-9, "{}", dealing);
        }
        // Graham 1969: the heaviest first is within 4/3 − 1/(3 · ranks) of the optimum.
        let graham = 4.0 / 3.0 - 1.0 / (3.0 * f64::from(ranks));
        prop_assert!(time(Dealing::Greedy, &weights, ranks, size, SyncPoint::Step) <= graham * best + 1e-9);
    }

    #[test]
    fn every_unit_is_dealt_once_and_no_step_beats_its_bound(
        weights in prop::collection::vec(prop_oneof![1.0..1e3f64, 1.0..1e9], 1..300),
        ranks in prop_oneof![1..=9u32, 60..=70u32],
        size in prop_oneof![(1..=9u32).prop_map(UnitCount::Any), (1..=3u32).prop_map(UnitCount::AtMost)],
    ) {
        let bounds = bound(&weights, ranks, size);
        let mean = weights.iter().sum::<f64>() / f64::from(ranks);
        prop_assert!(bounds[0] >= bounds[1] && bounds[1] >= mean * (1.0 - 1e-12));
        for dealing in Dealing::ALL {
            let dealt = deal(dealing, &weights, ranks, size);
            prop_assert_eq!([dealt.rank.len(), dealt.micro_batch.len()], [weights.len(); 2]);
            prop_assert!(dealt.rank.iter().all(|rank| *rank < ranks));
            prop_assert!(dealt.micro_batch.iter().all(|at| *at < dealt.micro_batches));
            match size {
                UnitCount::Any(most) => prop_assert!(dealt.micro_batches <= most),
                UnitCount::AtMost(units) => {
                    let mut counts = vec![0; (ranks * dealt.micro_batches) as usize];
                    let places = dealt.rank.iter().zip(&dealt.micro_batch);
                    places.for_each(|(rank, at)| counts[(rank * dealt.micro_batches + at) as usize] += 1);
                    prop_assert!(counts.iter().all(|count| *count <= units), "{} {counts:?}", dealing);
                }
            }
            let loads = Loads::of_assignment(&dealt, &weights, ranks);
            prop_assert!((loads.mean() / mean - 1.0).abs() < 1e-9);
            let times = SyncPoint::ALL.map(|waiting| loads.time(waiting));
            prop_assert!(times[0] >= times[1] * (1.0 - 1e-12) && times[1] >= times[2] * (1.0 - 1e-12));
            for (time, bound) in times.iter().zip(bounds) {
                prop_assert!(*time >= bound * (1.0 - 1e-9), "{}: {time} {bound}", dealing);
            }
        }
    }

    #[test]
    fn parts_of_equal_size_differ_by_at_most_one_item(
        weights in prop::collection::vec(1.0..1e6f64, 1..200), parts in 1..20usize
    ) {
        let sizes: Vec<usize> =
            differencing::parts(&weights, parts, true).iter().map(Vec::len).collect();
        let [least, most] = [sizes.iter().min(), sizes.iter().max()].map(|size| *size.unwrap());
        prop_assert!(most - least <= 1, "{sizes:?}");
        prop_assert_eq!(sizes.iter().sum::<usize>(), weights.len());
    }

    /// One row in each micro-batch: no order of rows waits less than groups of like ones.
    #[test]
    fn groups_reach_the_bound_of_rows(weights in prop::collection::vec(1.0..1e6f64, 1..100), ranks in 1..9u32) {
        let time = time(Dealing::Groups, &weights, ranks, UnitCount::AtMost(1), SyncPoint::MicroBatch);
        let [least, _] = bound(&weights, ranks, UnitCount::AtMost(1));
        prop_assert!((time / least - 1.0).abs() < 1e-9, "{time} {least}");
    }

    #[test]
    fn libraries_assign_every_sequence(
        lengths in prop::collection::vec(1..=900u32, 8..120), ranks in 1..=8u32, cap in 900..4000u64,
        micro_batch in 1..6u32,
    ) {
        let lengths = &lengths[..lengths.len() / ranks as usize * ranks as usize];
        for library in Scheduler::ALL {
            for cap in [Some(cap), None] {
                let task = SchedulerTask { ranks, micro_batch: Some(micro_batch), cap, model: llama(), least: 1, multiple: 1 };
                let Ok(made) = library.assign(lengths, &task) else { continue };
                prop_assert_eq!(made.ranks.len(), ranks as usize);
                let mut seen: Vec<u32> = made.ranks.iter().flatten().flatten().copied().collect();
                let shares = library == Scheduler::MegatronDynamicCp;
                seen.sort_unstable();
                if shares {
                    seen.dedup();
                }
                seen.extend(made.dropped.iter().chain(&made.left));
                seen.sort_unstable();
                prop_assert_eq!(&seen, &(0..lengths.len() as u32).collect::<Vec<_>>(), "{}", library);
                let keeps = !matches!(library, Scheduler::Verl | Scheduler::SlimeBalanceByFlops | Scheduler::Trl);
                for sequences in made.ranks.iter().flatten() {
                    let tokens: u64 = sequences.iter().map(|at| u64::from(lengths[*at as usize])).sum();
                    let within = shares || !keeps || cap.is_none_or(|cap| tokens <= cap);
                    prop_assert!(within, "{}: {tokens}", library);
                }
            }
        }
    }

    /// What is shown as a bound, no scheduler beats: neither by dropping sequences, nor by sharing them among ranks.
    #[test]
    fn no_scheduler_beats_the_bound_beside_it(
        h in histograms(5000, 30, 1000), log in 0..6u32, cap in prop_oneof![Just(None), (300..9000u64).prop_map(Some)],
        micro_batches in 1..6u32, context in prop_oneof![Just(None), (100..5000u32).prop_map(Some)],
        waiting in 0..3usize, chosen in 0..Scheduler::ALL.len(),
    ) {
        let settings = Settings {
            ranks: 1 << log, cap, micro_batches, context, micro_batch: Some(2), steps: 4, ..Settings::default()
        };
        let all = table(&h, &settings).unwrap();
        prop_assert_eq!(all.libraries.len(), Scheduler::ALL.len());
        for row in &all.libraries {
            let Ok(factors) = &row.factors else { continue };
            let is_whole = row.untrained == Untrained::default() && !row.library.shares();
            for ((factor, bound), of_all) in factors.iter().zip(row.bound).zip(all.bound) {
                prop_assert!(*factor >= bound - 1e-9, "{row:?}");
                prop_assert!(!is_whole || *factor >= of_all - 1e-9, "{row:?} {:?}", all.bound);
                prop_assert!(!is_whole || (bound - of_all).abs() < 1e-9, "{row:?} {:?}", all.bound);
            }
            if row.library != Scheduler::ALL[chosen] {
                continue;
            }
            let waiting = SyncPoint::ALL[waiting];
            let report = run(&h, &Settings { library: Some(row.library), waiting, ..settings.clone() }).unwrap();
            prop_assert!(report.factor >= report.bound - 1e-9, "{}: {report:?}", row.library);
            let pinned = report.figures();
            prop_assert!(pinned.factor >= pinned.bound - 1e-9, "{pinned:?}");
            prop_assert_eq!((report.untrained, report.padding), (row.untrained, row.padding));
            if waiting != SyncPoint::Never {
                let at = usize::from(waiting == SyncPoint::Step);
                prop_assert_eq!([report.factor, report.bound], [factors[at], row.bound[at]]);
            }
        }
        for row in &all.rows {
            prop_assert!(row.micro_batch >= all.bound[0] - 1e-9 && row.step >= all.bound[1] - 1e-9, "{row:?}");
        }
    }

    #[test]
    fn reports_are_whole_and_alike(h in histograms(5000, 30, 1000), ranks in 1..40u32, rows: bool) {
        let unit = if rows { RankUnit::Rows } else { RankUnit::Sequences };
        let settings = Settings {
            ranks, unit, steps: 5, cap: Some(6000), context: Some(700), dealing: Dealing::Greedy, ..Settings::default()
        };
        let report = run(&h, &settings).unwrap();
        prop_assert_eq!(&report, &run(&h, &settings).unwrap());
        prop_assert_eq!(report.factors.len(), 5);
        prop_assert!(report.factor >= report.bound - 1e-9 && report.bound >= 1.0);
        prop_assert_eq!(report.rank_bars.len(), ranks as usize);
        let work: f64 = report.rank_bars.iter().flatten().sum();
        prop_assert!((work / f64::from(ranks) - 1.0).abs() < 1e-9, "{work}");
        prop_assert!(report.what_if.windows(2).all(|pair| pair[0].factor < pair[1].factor + 0.01));
        prop_assert!(report.what_if.iter().all(|what_if| what_if.factor < report.factor));
        // Also where no change helps and the bound explains neither most of the waiting nor more than nothing.
        let (waits, bound) = (report.factor - 1.0, report.bound - 1.0);
        let is_helpless = settings.library.is_none() && report.what_if.is_empty();
        let is_nothing = waits < NOTHING || is_helpless && bound < NOTHING && bound <= waits / 2.0;
        prop_assert_eq!(report.binds == Binds::Nothing, is_nothing);
        prop_assert_eq!([report.cap.is_some(), report.context.is_some()], [!rows; 2]);
        if let Some(context) = &report.context {
            prop_assert!(context.exact.ranks <= ranks && context.each.ranks <= context.fixed.ranks);
            prop_assert!(context.fixed.communication[0] >= context.each.communication[0]);
        }
        if let Some(cap) = &report.cap {
            prop_assert_eq!([cap.raised.over, cap.first_fit.over], [0; 2]);
            prop_assert!(cap.balanced.micro_batches <= cap.raised.micro_batches);
        }
    }
}

/// verl before PR 7553: eight sequences of 7 under a cap of 8 are seven micro-batches, one of them with 14 tokens.
#[test]
fn a_number_of_micro_batches_from_tokens_alone_exceeds_the_cap() {
    let h = Histogram::from_lengths([(7, 8)]).unwrap();
    let settings = Settings {
        ranks: 1,
        micro_batches: 1,
        micro_batch: Some(8),
        cap: Some(8),
        steps: 1,
        ..Settings::default()
    };
    let cap = run(&h, &settings).unwrap().cap.unwrap();
    assert_eq!(
        [
            cap.balanced.micro_batches,
            cap.balanced.over,
            cap.balanced.most
        ],
        [7, 1, 14]
    );
    assert_eq!(
        [cap.raised.micro_batches, cap.raised.over, cap.raised.most],
        [8, 0, 7]
    );
    assert_eq!([cap.first_fit.micro_batches, cap.first_fit.over], [8, 0]);
    let task = SchedulerTask {
        ranks: 1,
        micro_batch: None,
        cap: Some(8),
        model: llama(),
        least: 1,
        multiple: 1,
    };
    let of = |library: Scheduler| library.assign(&[7; 8], &task).unwrap().ranks[0].len();
    assert_eq!([of(Scheduler::Verl), of(Scheduler::VerlCapped)], [7, 8]);
}

#[test]
fn weights_are_those_of_the_libraries() {
    let of = |weight: Weight, length| weight.cost(&llama()).work_of(length);
    assert_eq!(
        [of(Weight::Tokens, 300), of(Weight::Squared, 300)],
        [300.0, 90_000.0]
    );
    assert_eq!(of(Weight::Verl, 300), 24_576.0 * 300.0 + 90_000.0);
    // slime 624b824, calculate_fwd_flops of Llama 3.1 8B: 32 heads of 128, 8 of keys, gated, 128,256 entries.
    let (h, l, f, v) = (4096.0, 300.0, 14_336.0, 128_256.0);
    let layer = 2.0 * l * h * h
        + 4.0 * l * h * 1024.0
        + 2.0 * h * l * l
        + 2.0 * l * h * h
        + 6.0 * l * h * f;
    assert_eq!(of(Weight::Slime, 300), 32.0 * layer + 2.0 * l * h * v);
    // It is the true work of models of its kind, and not that of others.
    assert_eq!(of(Weight::Slime, 300), of(Weight::Model, 300));
    let bert = presets::named(TRANSFORMERS, "bert-large").unwrap().value;
    let ratio = |weight: Weight| weight.cost(&bert).linear / weight.cost(&bert).square;
    assert!(ratio(Weight::Slime) > 1.5 * ratio(Weight::Model));
}

fn report(set: &str, limit: u32, settings: Settings) -> Report {
    run(
        &built_in(set),
        &Settings {
            limit,
            model: llama(),
            ..settings
        },
    )
    .unwrap()
}

/// The factors of ShareGPT at 8k and of Mooncake at 128k, 64 ranks of 32 sequences.
#[test]
fn equal_tokens_are_not_equal_work() {
    for (set, limit, wanted) in [
        ("sharegpt_8k_llama2", 8192, [1.35, 1.00, 1.00]),
        ("mooncake_conversation", 131_072, [2.18, 1.22, 1.00]),
    ] {
        let of = |dealing, weight| {
            report(
                set,
                limit,
                Settings {
                    ranks: 64,
                    dealing,
                    weight,
                    steps: 32,
                    ..Settings::default()
                },
            )
        };
        let all = [
            of(Dealing::AsDrawn, Weight::Tokens),
            of(Dealing::Greedy, Weight::Tokens),
            of(Dealing::Greedy, Weight::Model),
        ];
        for (report, wanted) in all.iter().zip(wanted) {
            assert!(
                (report.factor - wanted).abs() < 0.1,
                "{set}: {} instead of {wanted}",
                report.factor
            );
        }
        assert_eq!(
            [all[0].binds, all[2].binds],
            [Binds::Dealing, Binds::Nothing],
            "{set}"
        );
        assert!(
            matches!(all[0].what_if[0].change, Change::Dealing(_)),
            "{set}"
        );
    }
}

/// Rows packed to equal tokens lose most where every micro-batch is waited for, least sorted into groups.
#[test]
fn rows_of_equal_tokens_wait() {
    for (set, limit) in [
        ("sharegpt_8k_llama2", 8192),
        ("mooncake_conversation", 131_072),
    ] {
        let of = |dealing, waiting| {
            let unit = RankUnit::Rows;
            let settings = Settings {
                ranks: 64,
                unit,
                dealing,
                weight: Weight::Model,
                waiting,
                steps: 16,
                ..Settings::default()
            };
            report(set, limit, settings).factor
        };
        let each = of(Dealing::AsDrawn, SyncPoint::MicroBatch);
        let step = of(Dealing::AsDrawn, SyncPoint::Step);
        let groups = of(Dealing::Groups, SyncPoint::MicroBatch);
        assert!(
            each > step && step > groups && groups < 1.1,
            "{set}: {each} {step} {groups}"
        );
    }
}

/// With the true weight the heaviest first is as good as can be: within a twentieth of what no dealing can beat.
#[test]
fn heaviest_first_is_near_the_bound_on_every_set() {
    for preset in Preset::ALL
        .iter()
        .filter(|preset| preset.generated.is_none())
    {
        for ranks in [8, 64, 512] {
            let settings = Settings {
                ranks,
                dealing: Dealing::Greedy,
                weight: Weight::Model,
                steps: 4,
                ..Settings::default()
            };
            let report = report(preset.id, preset.limit(), settings);
            let over = report.factor / report.bound;
            assert!(
                over < 1.05,
                "{} on {ranks}: {} of {}",
                preset.id,
                report.factor,
                report.bound
            );
        }
    }
}

#[test]
fn differencing_goes_to_a_thousand_ranks() {
    let lengths = built_in("mooncake_conversation");
    let settings = Settings {
        ranks: 1024,
        steps: 2,
        weight: Weight::Model,
        limit: 131_072,
        ..Settings::default()
    };
    let of = |dealing| {
        run(
            &lengths,
            &Settings {
                dealing,
                ..settings.clone()
            },
        )
        .unwrap()
    };
    let any = of(Dealing::KarmarkarKarp);
    assert!(
        any.factor < 1.05 * any.bound,
        "{} {}",
        any.factor,
        any.bound
    );
    // As many sequences for each rank leave the long ones with company.
    let equal = of(Dealing::EqualSize);
    assert!(
        equal.factor > 1.2 * any.factor && equal.factor < of(Dealing::AsDrawn).factor,
        "{}",
        equal.factor
    );
}

/// With few sequences a rank the longest is the bound, and only more of them or context parallelism help.
#[test]
fn one_long_sequence_binds() {
    let settings = Settings {
        ranks: 64,
        micro_batch: Some(1),
        micro_batches: 2,
        dealing: Dealing::Greedy,
        weight: Weight::Model,
        ..Settings::default()
    };
    let report = report("mooncake_conversation", 131_072, settings);
    assert!(
        report.bound > 1.5 && report.binds == Binds::Longest,
        "{} {:?}",
        report.bound,
        report.binds
    );
    let helps = |what_if: &Change| matches!(what_if, Change::MicroBatches(_) | Change::Context(_));
    assert!(helps(&report.what_if[0].change), "{:?}", report.what_if);
}

#[test]
fn the_point_of_waiting_binds() {
    let settings = Settings {
        ranks: 64,
        unit: RankUnit::Rows,
        weight: Weight::Model,
        dealing: Dealing::EqualSize,
        waiting: SyncPoint::MicroBatch,
        ..Settings::default()
    };
    let all = table(
        &built_in("sharegpt_8k_llama2"),
        &Settings {
            steps: 4,
            ..settings
        },
    )
    .unwrap();
    assert!(all.libraries.is_empty() && all.rows.len() == 1 + 5 * 5);
    for row in &all.rows {
        assert!(row.micro_batch >= row.step - 1e-9, "{row:?}");
        assert!(
            row.micro_batch >= all.bound[0] - 1e-9 && row.step >= all.bound[1] - 1e-9,
            "{row:?}"
        );
    }
}

#[test]
fn libraries_stand_beside_each_other() {
    let settings = Settings {
        ranks: 8,
        limit: 8192,
        steps: 4,
        model: llama(),
        cap: Some(32_768),
        ..Settings::default()
    };
    let all = table(&built_in("sharegpt_8k_llama2"), &settings).unwrap();
    assert_eq!(all.libraries.len(), Scheduler::ALL.len());
    for row in &all.libraries {
        let factors = row
            .factors
            .as_ref()
            .unwrap_or_else(|why| panic!("{}: {why}", row.library));
        assert!(
            factors[0] >= factors[1] - 1e-9 && factors[1] >= 1.0,
            "{row:?}"
        );
    }
    let of = |library: Scheduler| {
        run(
            &built_in("sharegpt_8k_llama2"),
            &Settings {
                library: Some(library),
                ..settings.clone()
            },
        )
    };
    assert!(
        of(Scheduler::Verl).unwrap().factor < of(Scheduler::MegatronDpBalanced).unwrap().factor
    );
}

fn of_library(set: &str, limit: u32, library: Scheduler, settings: Settings) -> Result<Report> {
    run(
        &built_in(set),
        &Settings {
            limit,
            library: Some(library),
            model: llama(),
            ..settings
        },
    )
}

/// TRL drops what is above its budget: 6,569 of the 7,473 sequences of GSM8K are longer than 100 tokens.
#[test]
fn sequences_that_are_not_trained_are_counted() {
    let of = |cap| {
        of_library(
            "gsm8k_train",
            512,
            Scheduler::TrlBudget,
            Settings {
                cap: Some(cap),
                ..Settings::default()
            },
        )
        .unwrap()
    };
    let lengths = built_in("gsm8k_train");
    let over = |cap: u64| {
        let over = lengths
            .lengths()
            .into_iter()
            .filter(|(length, _)| u64::from(*length) > cap);
        let (sequences, tokens) = over.fold((0, 0), |(n, sum), (length, count)| {
            (n + count, sum + u64::from(length) * count)
        });
        [
            sequences as f64 / lengths.items() as f64,
            tokens as f64 / lengths.total()[0] as f64,
        ]
    };
    for cap in [100, 200] {
        let (report, wanted) = (of(cap), over(cap));
        for (share, wanted) in report.untrained.dropped.iter().zip(wanted) {
            assert!(
                (share - wanted).abs() < 0.01,
                "{:?} instead of {wanted:?}",
                report.untrained
            );
        }
        assert!(report.untrained.left[0] > 0.0, "{:?}", report.untrained);
        // Those that train the longest one would exceed the cap: none is offered.
        let offered = report
            .what_if
            .iter()
            .any(|what_if| matches!(what_if.change, Change::Library(_)));
        assert!(!offered, "{:?}", report.what_if);
    }
    // All fit; what is left at the end of a step is not dropped.
    let none = of(512).untrained;
    assert!(
        none.dropped == [0.0; 2] && none.left[0] > 0.0 && none.left[0] < 0.3,
        "{none:?}"
    );
    // Each sequence is in one list.
    let task = SchedulerTask {
        ranks: 2,
        micro_batch: None,
        cap: Some(10),
        model: llama(),
        least: 1,
        multiple: 1,
    };
    let made = Scheduler::TrlBudget
        .assign(&[11, 9, 9, 9, 2], &task)
        .unwrap();
    assert_eq!(
        (made.ranks, made.dropped, made.left),
        (vec![vec![vec![1]], vec![vec![2]]], vec![0], vec![3, 4])
    );
}

/// A scheduler that trains nothing says why: all is above its cap, or a step never fills one micro-batch.
#[test]
fn a_scheduler_that_trains_nothing_says_why() {
    let budget = |set, limit, settings| {
        of_library(set, limit, Scheduler::TrlBudget, settings)
            .map(|report| report.factor)
            .unwrap_err()
            .to_string()
    };
    let few = Settings {
        micro_batches: 1,
        micro_batch: Some(2),
        ..Settings::default()
    };
    let why = budget("azure_llm_trace_conv", 16_384, few);
    assert!(
        why.contains("16 sequences of a step never fill its cap of 16,384 tokens on all 8 ranks"),
        "{why}"
    );
    assert!(
        why.contains("more micro-batches") && !why.contains("above"),
        "{why}"
    );
    let why = budget(
        "gsm8k_train",
        512,
        Settings {
            cap: Some(20),
            ..Settings::default()
        },
    );
    assert!(
        why.contains("above its cap of 20 tokens; choose a higher cap"),
        "{why}"
    );
}

/// slime 624b824, arguments.py: "--balance-by-flops requires --use-dynamic-batch-size".
#[test]
fn slime_balances_by_operations_only_under_a_cap() {
    let settings = Settings {
        limit: 512,
        steps: 2,
        ..Settings::default()
    };
    let library = Scheduler::SlimeBalanceByFlops;
    let why = of_library("alpaca_5000", 512, library, settings.clone()).unwrap_err();
    assert!(
        matches!(&why, Error::Scheduler { reason, .. } if reason.contains("needs a cap")),
        "{why}"
    );
    assert!(
        assign(
            &[5; 64],
            &Settings {
                library: Some(library),
                ..settings.clone()
            }
        )
        .is_err()
    );
    let all = table(&built_in("alpaca_5000"), &settings).unwrap();
    let row = all
        .libraries
        .iter()
        .find(|row| row.library == library)
        .unwrap();
    assert!(
        row.factors
            .as_ref()
            .is_err_and(|why| why.contains("needs a cap")),
        "{row:?}"
    );
    // The row has its name already.
    assert_eq!(row.refusal(), Some("it needs a cap on tokens"));
    let others = all.libraries.iter().filter(|row| row.library != library);
    assert!(others.clone().count() > 0 && others.clone().all(|row| row.refusal().is_none()));
    // The other schedulers of slime take none.
    let stopped = all
        .libraries
        .iter()
        .filter(|row| row.factors.is_err())
        .count();
    assert_eq!(stopped, 1, "{:?}", all.libraries);
    assert!(
        of_library(
            "alpaca_5000",
            512,
            library,
            Settings {
                cap: Some(4096),
                ..settings
            }
        )
        .is_ok()
    );
}

/// Where another scheduler hardly waits, it is offered; taking it gives the factor that was promised.
#[test]
fn another_scheduler_is_offered() {
    let settings = Settings {
        ranks: 16,
        steps: 16,
        ..Settings::default()
    };
    let of = |library| of_library("sharegpt_8k_llama2", 8192, library, settings.clone()).unwrap();
    let report = of(Scheduler::Trl);
    let best = report.what_if.first().unwrap();
    let Change::Library(other) = best.change else {
        panic!("{:?}", report.what_if)
    };
    assert!(
        report.factor > 1.15 && best.factor < 1.01,
        "{} {best:?}",
        report.factor
    );
    assert_eq!(of(other).factor, best.factor);
    assert_eq!(best.change.setting(), ("library", other.to_string()));
    // None that drops sequences, exceeds the cap, or lets ranks share sequences, which costs what is not timed.
    for library in Scheduler::ALL {
        let Ok(report) = of_library(
            "sharegpt_8k_llama2",
            8192,
            library,
            Settings {
                cap: Some(8192),
                ..settings.clone()
            },
        ) else {
            continue;
        };
        for what_if in &report.what_if {
            let Change::Library(other) = what_if.change else {
                continue;
            };
            assert!(
                !other.shares() && !other.exceeds_cap() && other != library,
                "{library}: {other}"
            );
        }
    }
}

/// Micro-batches that are padded to their longest are timed with their padding, counted here from the assignment.
#[test]
fn padding_of_micro_batches_is_in_their_time() {
    let library = Scheduler::NemoRlDynamic;
    let settings = Settings {
        ranks: 4,
        micro_batches: 2,
        steps: 1,
        cap: Some(4096),
        ..Settings::default()
    };
    let lengths: Vec<u32> = (0..32).map(|at| 40 + 37 * at).collect();
    let h = Histogram::from_lengths(lengths.iter().map(|length| (*length, 1))).unwrap();
    let report = run(
        &h,
        &Settings {
            library: Some(library),
            model: llama(),
            ..settings.clone()
        },
    )
    .unwrap();
    let made = library.assign(&lengths, &library.task(&settings)).unwrap();
    let cost = Weight::Model.cost(&llama());
    let places = 0..made.ranks[0].len();
    let slots = |place: usize| {
        let of_place = made.ranks.iter().flat_map(|rank| &rank[place]);
        of_place
            .map(|at| lengths[*at as usize])
            .max()
            .unwrap()
            .next_multiple_of(64)
            .min(40 + 37 * 31)
    };
    let of_rank = |rank: &Vec<Vec<u32>>| -> f64 {
        places
            .clone()
            .map(|place| rank[place].len() as f64 * cost.work_of(slots(place)))
            .sum()
    };
    let slowest = most(&made.ranks.iter().map(of_rank).collect::<Vec<_>>());
    let mean = lengths
        .iter()
        .map(|length| cost.work_of(*length))
        .sum::<f64>()
        / 4.0;
    assert!(
        (report.factor / (slowest / mean) - 1.0).abs() < 1e-9,
        "{} {}",
        report.factor,
        slowest / mean
    );
    let padded = made.ranks.iter().map(of_rank).sum::<f64>() / 4.0;
    assert!(
        (report.padding - (1.0 - mean / padded)).abs() < 1e-9,
        "{} {}",
        report.padding,
        mean / padded
    );
    // ShareGPT: 1.05 without its padding, and longer than the rows of its packing with it.
    let settings = Settings {
        ranks: 16,
        steps: 10,
        ..Settings::default()
    };
    let of = |library| of_library("sharegpt_8k_llama2", 8192, library, settings.clone()).unwrap();
    let (dynamic, packed) = (of(library), of(Scheduler::NemoRl));
    assert!(
        (1.33..1.43).contains(&dynamic.factor) && packed.factor < 1.2,
        "{} {}",
        dynamic.factor,
        packed.factor
    );
    assert_eq!((dynamic.binds, packed.padding), (Binds::Padding, 0.0));
}

/// The table has as many steps as its ways can be timed on: on a thousand ranks few, which it says.
#[test]
fn a_thousand_ranks_are_compared_on_few_steps() {
    let of = |ranks, steps| {
        Settings {
            ranks,
            steps,
            ..Settings::default()
        }
        .compared()
        .steps
    };
    assert_eq!(
        [
            of(8, 64),
            of(128, 64),
            of(256, 64),
            of(1024, 64),
            of(1024, 2)
        ],
        [64, 64, 32, 8, 2]
    );
    let most = Settings {
        ranks: 1024,
        micro_batches: 1024,
        micro_batch: Some(1),
        steps: 16,
        ..Settings::default()
    };
    assert_eq!(most.compared().steps, 1);
    // All ways are there, which equal sequences make easy for most and hard for those that look for a place one by one.
    let one = Histogram::from_lengths([(100, 5)]).unwrap();
    let all = table(
        &one,
        &Settings {
            ranks: 1024,
            limit: 512,
            steps: 2,
            ..Settings::default()
        },
    )
    .unwrap();
    assert_eq!((all.steps, all.bound), (2, [1.0; 2]));
    assert!(all.rows.iter().all(|row| row.step < 1.05), "{:?}", all.rows);
    assert!(
        all.libraries
            .iter()
            .filter(|row| row.factors.is_ok())
            .count()
            > 8,
        "{:?}",
        all.libraries
    );
}

/// Sequences are dealt by libraries, rows are not.
#[test]
fn packed_rows_have_no_scheduler() {
    let settings = Settings {
        unit: RankUnit::Rows,
        library: Some(Scheduler::Verl),
        ..Settings::default()
    };
    let h = Histogram::from_lengths([(10, 1000)]).unwrap();
    let why = run(&h, &settings).unwrap_err();
    assert!(
        why.to_string()
            .contains("it assigns sequences, not packed rows"),
        "{why}"
    );
    assert!(table(&h, &settings).is_err() && assign(&[1, 2], &settings).is_err());
}

#[test]
fn settings_out_of_range_are_refused() {
    let h = Histogram::from_lengths([(10, 1000)]).unwrap();
    let usual = Settings::default;
    for wrong in [
        Settings {
            ranks: 0,
            ..usual()
        },
        Settings {
            ranks: 1025,
            ..usual()
        },
        Settings {
            micro_batches: 0,
            ..usual()
        },
        Settings {
            micro_batch: Some(u32::MAX),
            ..usual()
        },
        Settings {
            steps: 5000,
            ..usual()
        },
        Settings {
            cap: Some(0),
            ..usual()
        },
        Settings {
            context: Some(0),
            ..usual()
        },
    ] {
        assert!(
            matches!(run(&h, &wrong), Err(Error::Setting { .. })),
            "{wrong:?}"
        );
        assert!(table(&h, &wrong).is_err() && assign(&[1, 2], &wrong).is_err());
    }
    assert!(matches!(
        run(
            &h,
            &Settings {
                limit: 0,
                ..usual()
            }
        ),
        Err(Error::ZeroLimit)
    ));
    assert!(matches!(assign(&[], &usual()), Err(Error::Empty)));
}

/// The fewest ranks of a sequence, and padding to a multiple, as Megatron-LM and NeMo RL have them.
#[test]
fn libraries_share_and_pad_as_they_are_set() {
    let settings = Settings {
        ranks: 8,
        cap: Some(64),
        ..Settings::default()
    };
    let dealt = |library: Scheduler, task: SchedulerTask| {
        library.assign(&[20, 20, 20, 20], &task).unwrap().ranks
    };
    let with = |library: Scheduler, least, multiple| SchedulerTask {
        least,
        multiple,
        ..library.task(&settings)
    };
    let sharing = |ranks: &[Vec<Vec<u32>>], sequence| {
        ranks
            .iter()
            .filter(|own| own.concat().contains(&sequence))
            .count()
    };
    let dynamic = Scheduler::MegatronDynamicCp;
    for least in [1, 2, 4, 8] {
        let ranks = dealt(dynamic, with(dynamic, least, 1));
        assert!(
            (0..4).all(|sequence| sharing(&ranks, sequence) >= least as usize),
            "{least}: {ranks:?}"
        );
    }
    assert!(dynamic.assign(&[20], &with(dynamic, 16, 1)).is_err());
    // All fit a row; padded to 32, two.
    for library in [Scheduler::NemoRl, Scheduler::MegatronDpBalanced] {
        let one = |multiple| {
            let task = SchedulerTask {
                ranks: 1,
                ..with(library, 1, multiple)
            };
            library.assign(&[20, 20, 20, 1], &task).unwrap().ranks[0]
                .iter()
                .map(Vec::len)
                .max()
        };
        assert_eq!([1, 32].map(one), [Some(4), Some(2)]);
    }
}

/// Megatron-LM closes a pack whenever a sequence does not fit, the first one too: if that is above the cap, it is after an
/// empty pack, which counts.
#[test]
fn dp_balanced_counts_the_empty_pack_before_a_sequence_above_its_cap() {
    let library = Scheduler::MegatronDpBalanced;
    let task = SchedulerTask {
        ranks: 2,
        cap: Some(8),
        ..library.task(&Settings::default())
    };
    let dealt = |lengths: &[u32]| library.assign(lengths, &task).unwrap().ranks;
    // Packs [] [0] [1 2], and a fourth of the last sequence.
    assert_eq!(
        dealt(&[9, 2, 2]),
        [vec![vec![], vec![1]], vec![vec![0], vec![2]]]
    );
    // Later ones find a pack with sequences to close: [0 1] [2].
    assert_eq!(dealt(&[2, 2, 9]), [vec![vec![0, 1]], vec![vec![2]]]);
}

/// The assignments that the libraries' own functions made of these lengths on three ranks, run once by `DEALS` of
/// `tests/python/libraries/dealing.py`, which compares many more.
#[test]
fn skyrl_and_prime_rl_deal_as_recorded() {
    let lengths = [50, 400, 300, 300, 200, 100, 350, 350, 90, 10, 600, 250];
    let task = SchedulerTask {
        ranks: 3,
        micro_batch: None,
        cap: Some(600),
        model: llama(),
        least: 1,
        multiple: 1,
    };
    let dealt = |library: Scheduler| library.assign(&lengths, &task).unwrap().ranks;
    assert_eq!(
        dealt(Scheduler::SkyRl),
        [
            vec![vec![10], vec![6, 5, 8, 0]],
            vec![vec![1, 4], vec![3, 2]],
            vec![vec![7, 11], vec![9]]
        ]
    );
    assert_eq!(
        dealt(Scheduler::PrimeRl),
        [
            vec![vec![7, 5, 8, 0, 9], vec![2, 3]],
            vec![vec![1], vec![6, 11]],
            vec![vec![10], vec![4]]
        ]
    );
    // SkyRL refuses what is longer than a row, prime-rl cuts it; both want a sequence for each rank.
    assert!(Scheduler::SkyRl.assign(&[601, 5, 5], &task).is_err());
    assert!(Scheduler::PrimeRl.assign(&[601, 5, 5], &task).is_ok());
    for library in [Scheduler::SkyRl, Scheduler::PrimeRl] {
        assert!(library.assign(&[5, 6], &task).is_err());
    }
}

/// The page asks for fewer steps before anything is checked.
#[test]
fn fewer_steps_of_any_settings_can_be_asked_for() {
    let settings = Settings {
        ranks: u32::MAX,
        micro_batches: u32::MAX,
        micro_batch: Some(u32::MAX),
        ..Settings::default()
    };
    assert_eq!(settings.units(), u64::MAX);
    assert_eq!((settings.swift().steps, settings.compared().steps), (2, 1));
    assert!(matches!(settings.check(), Err(Error::Setting { .. })));
}

/// The usual draft order, by hand: of eight sequences by length, the ranks take one, two, two, one, one, two, two, one.
#[test]
fn back_and_forth_is_the_draft_order() {
    let settings = Settings {
        ranks: 2,
        micro_batches: 1,
        dealing: Dealing::Snake,
        weight: Weight::Tokens,
        ..Settings::default()
    };
    let assigned = assign(&[7, 1, 5, 3, 2, 6, 4, 8], &settings).unwrap();
    assert_eq!(assigned.ranks, [[[1, 2, 6, 7]], [[0, 3, 4, 5]]]);
}
