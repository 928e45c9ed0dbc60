//! Reports: the arithmetic of the figures, and the effect of the settings.

use crate::common::built_in;
use packscope::api::{Request, Settings, run, run_on};
use packscope::histogram::{Histogram, Overlong};
use packscope::packing::{Algorithm, Depth, go_on};

fn report(h: &Histogram<1>, settings: &Settings) -> packscope::api::Report {
    run_on(h, settings, 65_536, &mut go_on).unwrap()
}

fn wikipedia(algorithm: Algorithm, depth: Depth) -> packscope::api::Report {
    report(
        &built_in("wikipedia_bert_512"),
        &Settings {
            algorithm,
            depth,
            ..Settings::default()
        },
    )
}

#[test]
fn wikipedia_is_half_padding_and_lpfhp_cures_it() {
    let f = wikipedia(Algorithm::Lpfhp, Depth::Unlimited).figures;
    assert_eq!((f.items, f.packs), (16_279_552, 8_138_483));
    assert_eq!(f.real_tokens, [4_164_796_173]);
    assert_eq!(f.slots, [8_138_483 * 512]);
    assert_eq!(f.padding_tokens, [8_138_483 * 512 - 4_164_796_173]);
    assert!((f.baseline_padding_share() - 0.5003).abs() < 5e-5);
    assert_eq!((f.lower_bound, f.waste_tokens), (Some(8_135_727), vec![0]));
    assert!((f.gap.unwrap() - (8_138_483.0 - 8_135_727.0) / 8_135_727.0).abs() < 1e-15);
}

/// Krell et al. 2022, Table 1: packing factor and realised speed-up at depths 1, 2, 3, 4, 8, 16 (max).
#[test]
fn realised_speed_up_is_the_last_column_of_the_paper() {
    for (depth, factor, speedup) in [
        (1, 1.0, 1.0),
        (2, 1.61, 1.544),
        (3, 1.79, 1.716),
        (4, 1.878, 1.801),
        (8, 1.974, 1.889),
    ] {
        let (algorithm, depth_at_most) = (Algorithm::Spfhp, Depth::AtMost(depth));
        let settings = Settings {
            algorithm,
            depth: depth_at_most,
            overhead: packscope::cost::Overhead::Ipu,
            ..Settings::default()
        };
        let f = report(&built_in("wikipedia_bert_512"), &settings).figures;
        assert!(
            (f.packing_factor - factor).abs() < 6e-3,
            "depth {depth}: {}",
            f.packing_factor
        );
        assert!(
            (f.realised_speedup.unwrap() - speedup).abs() < 6e-3,
            "depth {depth}: {f:?}"
        );
    }
}

/// Krell et al. 2022, Table 1, row GREEDY (about 78 %); the digits are of an independent implementation.
#[test]
#[ignore = "outer circle: sixteen million sequences, one by one, twice"]
fn greedy_reaches_78_percent_on_wikipedia() {
    let r = wikipedia(Algorithm::Greedy, Depth::Unlimited);
    assert!(
        (r.figures.efficiency[0] - 0.782468).abs() < 2e-4,
        "{}",
        r.figures.efficiency[0]
    );
    assert!(r.unlisted_packs > 0 && r.figures.strategies.is_none());
    let again = wikipedia(Algorithm::Greedy, Depth::Unlimited);
    assert_eq!(r.digest(), again.digest());
}

/// Krell et al. 2022, Table 1, row SORT (99.9 %, 2.00); slots by an independent implementation, batches of 64.
#[test]
fn sorted_batches_have_nearly_no_padding() {
    let r = wikipedia(Algorithm::Sort, Depth::Unlimited).figures;
    assert_eq!(
        (r.slots[0], r.padding_tokens[0], r.packs),
        (4_164_812_544, 16_371, 16_279_552)
    );
    assert!((r.packing_factor - 2.00132).abs() < 5e-6);
    assert_eq!(
        (r.gap, r.realised_speedup, r.lower_bound),
        (None, None, None)
    );
    let squad = Settings {
        limit: 384,
        algorithm: Algorithm::Sort,
        ..Settings::default()
    };
    assert_eq!(
        report(&built_in("squad_1_1_bert_384"), &squad)
            .figures
            .slots,
        [15_260_416]
    );
}

#[test]
fn waste_is_not_padding() {
    let h = Histogram::from_counts([([10], 3), ([25], 2)]).unwrap();
    let at = |overlong| {
        let settings = Settings {
            limit: 10,
            overlong,
            ..Settings::default()
        };
        let f = report(&h, &settings).figures;
        (
            f.items,
            f.packs,
            f.real_tokens[0],
            f.padding_tokens[0],
            f.waste_tokens[0],
        )
    };
    assert_eq!(at(Overlong::Truncate), (5, 5, 50, 0, 30));
    assert_eq!(at(Overlong::Drop), (3, 3, 30, 0, 50));
    assert_eq!(at(Overlong::Split), (9, 8, 80, 0, 0));
    let reject = Settings {
        limit: 10,
        overlong: Overlong::Reject,
        ..Settings::default()
    };
    let refused = run_on(&h, &reject, 10, &mut go_on).unwrap_err().to_string();
    assert!(
        refused.starts_with("2 items are larger than the limit of 10 (largest: 25)"),
        "{refused}"
    );
}

#[test]
fn alignment_takes_room_but_adds_no_tokens() {
    let h = Histogram::from_counts([([5], 4), ([10], 1)]).unwrap();
    let f = report(
        &h,
        &Settings {
            limit: 10,
            align: 8,
            ..Settings::default()
        },
    )
    .figures;
    // 5 takes 8 of 10, so no two share a row; 10 would take 16 and is alone anyway.
    assert_eq!(
        (f.packs, f.real_tokens[0], f.padding_tokens[0]),
        (5, 30, 20)
    );
}

#[test]
fn a_request_survives_json_and_gives_the_same_report() {
    let request = Request {
        counts: vec![(5, 2), (7, 1)],
        settings: Settings::default(),
        listed: 10,
    };
    let json = serde_json::to_string(&request).unwrap();
    assert!(
        json.contains(r#""depth":"unlimited","algorithm":"lpfhp","overlong":"truncate""#),
        "{json}"
    );
    let again: Request = serde_json::from_str(&json).unwrap();
    assert_eq!(
        run(&request, &mut go_on).unwrap(),
        run(&again, &mut go_on).unwrap()
    );
}

/// Whatever its figures are: floats are read back as they were written, to the last bit.
#[test]
fn reports_survive_json() {
    for name in [
        "squad_1_1_bert_384",
        "glue_cola",
        "gsm8k_train",
        "lima_train_chatml",
    ] {
        let h = built_in(name);
        for (algorithm, limit) in [Algorithm::Lpfhp, Algorithm::Spfhp, Algorithm::Sort]
            .into_iter()
            .flat_map(|a| [97, 256, 384, 1_001].map(|l| (a, l)))
        {
            let overhead = packscope::cost::Overhead::Ipu;
            let found = report(
                &h,
                &Settings {
                    algorithm,
                    limit,
                    overhead,
                    ..Settings::default()
                },
            );
            let read: packscope::api::Report =
                serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
            assert_eq!(read, found, "{name} {algorithm} {limit}");
            assert_eq!(read.digest(), found.digest());
        }
    }
}

#[test]
fn settings_that_json_leaves_out_are_the_usual_ones() {
    let settings: Settings = serde_json::from_str(r#"{"limit":2048,"depth":"4"}"#).unwrap();
    assert_eq!(
        settings,
        Settings {
            limit: 2048,
            depth: Depth::AtMost(4),
            ..Settings::default()
        }
    );
    let graphs: packscope::api::tuple::Settings =
        serde_json::from_str(r#"{"limits":[7,9]}"#).unwrap();
    assert_eq!(graphs.limits, [7, 9]);
    let batches: packscope::api::batch::Settings = serde_json::from_str(r#"{"batch":32}"#).unwrap();
    assert_eq!(
        batches,
        packscope::api::batch::Settings {
            batch: 32,
            ..Default::default()
        }
    );
}

/// Errors name what there is to choose: items of several components have no pieces.
#[test]
fn errors_offer_what_can_be_done() {
    let graphs = |limits: Vec<u32>| {
        let settings = packscope::api::tuple::Settings {
            limits,
            overlong: Overlong::Reject,
            ..packscope::api::tuple::Settings::default()
        };
        let request = packscope::api::tuple::TupleRequest {
            counts: vec![(vec![5, 9], 1), (vec![2, 2], 3)],
            settings,
            listed: 0,
        };
        run(&request, &mut go_on).unwrap_err().to_string()
    };
    assert_eq!(
        graphs(vec![6, 8]),
        "1 item is larger than the limit of 8 of component 2 (largest: 9); choose truncate, drop"
    );
    assert_eq!(
        graphs(vec![6; 4]),
        "4 limits were given; expected 1 to 3, one for each component"
    );
    assert_eq!(
        graphs(vec![]),
        "0 limits were given; expected 1 to 3, one for each component"
    );
    let long = Histogram::from_lengths([(u32::MAX, 1)]).unwrap();
    let refused = long.aligned(1 << 31).unwrap_err().to_string();
    assert!(
        refused.starts_with("2147483648 is no alignment for these lengths"),
        "{refused}"
    );
}

/// What no data reach, and what there is not, is no reason to panic.
#[test]
fn edges_of_plans_and_histograms() {
    use packscope::plan::{Plan, Strategy};
    let strategy = Strategy {
        runs: vec![([3], 1)],
        count: u64::MAX,
    };
    let plan = Plan::new([4], [strategy.clone(), strategy]);
    assert_eq!(plan.packs(), u64::MAX);
    assert!(plan.slots().is_err());
    let h = Histogram::from_counts([([3, 4], 2)]).unwrap();
    assert_eq!((h.marginal(1).unwrap().total(), h.marginal(2)), ([8], None));
}

#[test]
fn packs_not_listed_are_counted() {
    let h = built_in("squad_1_1_bert_384");
    let settings = Settings {
        limit: 384,
        ..Settings::default()
    };
    let r = run_on(&h, &settings, 5, &mut go_on).unwrap();
    assert_eq!(r.strategies.len(), 5);
    assert_eq!(
        r.unlisted_packs + r.strategies.iter().map(|s| s.count).sum::<u64>(),
        r.figures.packs
    );
}
