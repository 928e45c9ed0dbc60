//! The state of Speed-up: its titles, and that changing an assumption packs nothing.

use crate::common::{built_in, built_in_graphs};
use crate::heard;
use packscope::api::PackingSettings;
use packscope::api::speedup::{Case, curves};
use packscope::api::{run_on, tuple};
use packscope::cost::waiting::ACCELERATORS;
use packscope::cost::{Method, Overhead, presets};
use packscope::histogram::{Histogram, Preset};
use packscope::packing::{Algorithm, go_on};
use packscope::sampler::Sampler;
use packscope::words::about_duration;
use packscope_page::query::{Answer, Query};
use packscope_page::state::graphs::{Action as Graphs, FIRST, GraphAnswer};
use packscope_page::state::speedup::{Action as SpeedUp, PricedEstimates, findings};
use packscope_page::state::{Action, AppState, Source, StudyAnswer, Ticket, View};
use std::rc::Rc;

fn act(state: &AppState, action: SpeedUp) -> AppState {
    state.reduce(Action::SpeedUp(action))
}

/// A built-in set of lengths, packed.
fn sequences(name: &str, algorithm: Algorithm) -> AppState {
    let preset = Preset::find(name).unwrap();
    let data = Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in(name)),
        Some(preset.limit()),
    );
    let state = AppState::default()
        .reduce(data)
        .reduce(Action::Algorithm(algorithm));
    answered(&state, 1)
}

fn answered(state: &AppState, number: u64) -> AppState {
    let data = state.sequences.data.as_ref().unwrap();
    let report = run_on(
        &data.histogram,
        &state.sequences.settings,
        20_000,
        &mut go_on,
    )
    .unwrap();
    let answer = StudyAnswer {
        ticket: Ticket {
            data: data.version,
            number,
        },
        report,
        seconds: 0.0,
    };
    state.reduce(Action::Heard(heard::answered(Rc::new(answer))))
}

fn graphs() -> AppState {
    let act = |state: &AppState, action| state.reduce(Action::Graphs(action));
    let state = AppState::default().reduce(Action::View(View::Graphs));
    let state = act(
        &state,
        Graphs::Loaded(
            Source::Preset(FIRST),
            Rc::new(built_in_graphs(FIRST.id)),
            [true; 2],
        ),
    );
    let data = state.graphs.data.as_ref().unwrap();
    let report = tuple::run_on(&data.histogram, &state.graphs.settings, 100, &mut go_on).unwrap();
    let answer = GraphAnswer {
        ticket: Ticket {
            data: data.version,
            number: 1,
        },
        report,
        seconds: 0.0,
    };
    act(&state, Graphs::Heard(heard::answered(Rc::new(answer))))
}

/// With what a worker would say about waiting.
fn waited(state: &AppState) -> (AppState, Vec<Case>) {
    let cases = state.speedup_cases();
    let asked = Rc::new(state.speedup_asked(&cases));
    let curves = Answer::Waiting(curves(&asked).unwrap());
    let state = state.reduce(heard::known(0, Query::Waiting(Rc::clone(&asked)), curves));
    assert!(state.is_waited(&asked));
    (state, cases)
}

fn priced(state: &AppState, cases: &[Case]) -> Vec<(u32, PricedEstimates)> {
    ACCELERATORS
        .iter()
        .map(|&r| (r, state.priced(cases, r)))
        .collect()
}

/// Of epoch, parts, accelerators and methods.
fn titles(state: &AppState) -> [String; 4] {
    let (state, cases) = waited(state);
    let now = state.priced(&cases, state.speedup.assumptions().accelerators);
    let all = [
        findings::of_epoch(&state, &now.estimates),
        findings::of_parts(&state, &now.estimates),
        findings::of_crew(&state, &priced(&state, &cases)),
        findings::of_methods(&state, &now.estimates),
    ];
    all.map(Option::unwrap)
}

fn preset(state: &AppState, accelerator: &str) -> AppState {
    act(
        state,
        SpeedUp::Accelerator(presets::named(presets::ACCELERATORS, accelerator).unwrap()),
    )
}

fn on(state: &AppState, accelerators: u32) -> AppState {
    act(state, SpeedUp::Set("accelerators", f64::from(accelerators)))
}

#[test]
fn titles_say_what_padding_takes_and_that_they_are_estimates() {
    let wiki = sequences("wikipedia_bert_512", Algorithm::Lpfhp);
    let [epoch, parts, crew, methods] = titles(&wiki);
    let (state, cases) = waited(&wiki);
    let estimates = state.priced(&cases, 8).estimates;
    let packed = estimates
        .iter()
        .find(|e| e.method == Method::PackedBlocks)
        .unwrap();
    let padding = estimates[0].parts.padding / estimates[0].seconds;
    assert_eq!(
        epoch,
        format!(
            "8 A100s spend {:.0} % of an epoch of BERT large on padding: packed block-diagonally, it takes {} instead of {}, estimated",
            padding * 100.0,
            about_duration(packed.seconds),
            about_duration(estimates[0].seconds)
        )
    );
    assert!(
        parts.starts_with("Packed block-diagonally, ")
            && parts.contains("real tokens; in random batches, 4"),
        "{parts}"
    );
    assert!(
        crew.starts_with("Fastest on any number of accelerators: "),
        "{crew}"
    );
    assert!(methods.starts_with("Fastest on 8 A100s: "), "{methods}");
    let [one, ..] = titles(&on(&wiki, 1));
    assert!(one.starts_with("One A100 spends "), "{one}");
    for title in [epoch, parts, crew, methods, one] {
        assert!(title.ends_with(", estimated"), "{title}");
    }
}

#[test]
fn titles_are_true_where_there_is_nothing_to_gain() {
    // One sequence in a row is padding; packing that does no packing gains nothing.
    let [alone, ..] = titles(&sequences("glue_rte", Algorithm::None));
    assert!(
        alone.starts_with(
            "Packed, an epoch of BERT large takes 8 A100s as long as in random batches: "
        ),
        "{alone}"
    );
    // Every sequence fills its row: packing can only cost.
    let full = AppState::default().reduce(Action::Loaded(
        Source::Preset(Preset::FIRST),
        Rc::new(Histogram::from_counts([([512], 10_000)]).unwrap()),
        Some(512),
    ));
    let full = answered(&full.reduce(Action::Algorithm(Algorithm::Lpfhp)), 1);
    let [epoch, ..] = titles(&full);
    assert!(
        epoch.contains("as long as in random batches") && !epoch.contains("spend"),
        "{epoch}"
    );
    // An overhead that is larger than what padding takes.
    let dear = answered(
        &sequences("wikipedia_bert_512", Algorithm::Lpfhp)
            .reduce(Action::Overhead(Overhead::Own(1.5))),
        2,
    );
    let [epoch, ..] = titles(&dear);
    assert!(
        epoch.contains(": no gain") && epoch.contains("estimated"),
        "{epoch}"
    );
}

#[test]
fn titles_are_about_the_method_of_the_view() {
    let sorted = sequences("wikipedia_bert_512", Algorithm::Sort);
    assert_eq!(sorted.speedup_chosen(), Method::Batched(Sampler::Sorted));
    let [epoch, ..] = titles(&sorted);
    assert!(epoch.contains("in sorted batches, it takes "), "{epoch}");
    let graphs = graphs();
    let [epoch, parts, crew, _] = titles(&graphs);
    assert!(
        epoch.contains("of an epoch of GIN on padding: packed, it takes "),
        "{epoch}"
    );
    assert!(parts.contains("real nodes"), "{parts}");
    // So few graphs do not keep 4,096 accelerators at work.
    assert!(crew.starts_with("Fastest on up to "), "{crew}");
    let batches = sequences("glue_rte", Algorithm::Lpfhp).reduce(Action::View(View::Batches));
    assert_eq!(
        batches.speedup_chosen(),
        Method::Batched(batches.batch_row().sampler)
    );
}

#[test]
fn what_is_not_possible_is_never_the_fastest() {
    let ipu = preset(
        &sequences("wikipedia_bert_512", Algorithm::Lpfhp),
        presets::ACCELERATORS[0].id,
    );
    assert!(!ipu.speedup.assumptions().accelerator.dynamic);
    let [_, _, crew, methods] = titles(&ipu);
    // Sorted batches would be faster, but their shapes change.
    assert_eq!(
        crew,
        "Fastest on any number of accelerators: packing with a mask, estimated"
    );
    assert!(methods.contains("packing with a mask, 1.9"), "{methods}");
}

#[test]
fn parts_are_told_with_their_share_and_their_error() {
    let (state, cases) = waited(&sequences("wikipedia_bert_512", Algorithm::Lpfhp));
    let now = state.priced(&cases, 64);
    let of = |method: Method, part: &str| {
        let e = now.estimates.iter().find(|e| e.method == method).unwrap();
        findings::of_share(&state, e, part)
    };
    let padding = of(Method::Padded, "padding").unwrap();
    assert!(
        padding.starts_with("Padded: padding, ") && padding.contains(" % of the epoch"),
        "{padding}"
    );
    let waiting = of(Method::Unpadded, "waiting").unwrap();
    assert!(
        waiting.contains("waiting for the slowest accelerator, ") && waiting.contains(" ± "),
        "{waiting}"
    );
    assert_eq!(
        of(Method::Padded, "waiting").unwrap(),
        "Padded: waiting for the slowest accelerator, none, estimated"
    );
    assert_eq!(of(Method::Padded, "nothing"), None);
}

#[test]
fn accelerators_have_short_names() {
    let short = [
        ("NVIDIA A100 SXM 80 GB", "A100"),
        ("Graphcore IPU (GC200)", "IPU"),
        ("NVIDIA V100 SXM2 32 GB", "V100"),
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("AMD Instinct MI300X", "MI300X"),
        ("Google TPU v4, one chip", "TPU v4"),
    ];
    for (name, expected) in short {
        assert_eq!(findings::short_accelerator(name), expected);
    }
    for preset in presets::ACCELERATORS {
        assert!(
            !findings::short_accelerator(preset.name).is_empty(),
            "{}",
            preset.name
        );
    }
}

#[test]
fn rows_of_an_accelerator_and_assumptions_pack_nothing_again() {
    let state = sequences("wikipedia_bert_512", Algorithm::Lpfhp);
    let key = (Algorithm::Sort, state.sequences.settings.depth);
    let point = |state: &AppState| {
        let answer = state.sequences.answer.as_ref().unwrap();
        answer.report.figures.clone()
    };
    let compared = |state: &AppState| {
        let ticket = Ticket {
            data: state.sequences.version(),
            number: 5,
        };
        let points = vec![(key, point(state))];
        state.reduce(Action::Heard(heard::compared(
            ticket,
            state.sequences.settings.clone(),
            points,
        )))
    };
    let state = compared(&state);
    let assumed = act(&state, SpeedUp::Set("accumulation", 4.0));
    assert!(
        assumed.sequences.is_current()
            && assumed.sequences.is_compared()
            && assumed.sequences.row(key).is_some()
    );
    let other = state.reduce(Action::Batch(8));
    assert!(
        other.sequences.is_current()
            && other.sequences.is_compared()
            && other.sequences.subject() == state.sequences.subject()
    );
    // Sorted batches alone are of so many rows.
    assert!(other.sequences.row(key).is_none());
    assert!(
        other
            .sequences
            .row(state.sequences.settings.row())
            .is_some()
    );
    assert!(
        !other
            .reduce(Action::Algorithm(Algorithm::Sort))
            .sequences
            .is_current()
    );
    // What comes late, about other batches, is left out.
    let late = heard::compared(
        Ticket {
            data: state.sequences.version(),
            number: 6,
        },
        state.sequences.settings.clone(),
        vec![(key, point(&state))],
    );
    assert!(
        other
            .reduce(Action::Heard(late))
            .sequences
            .row(key)
            .is_none()
    );
    assert_ne!(other.speedup_cases(), state.speedup_cases());
}

#[test]
fn what_was_measured_on_one_accelerator_is_not_taken_to_another() {
    let state = sequences("glue_rte", Algorithm::Lpfhp);
    assert_eq!(state.masking(), Overhead::Free);
    let ipu = preset(&state, "ipu");
    assert_eq!(ipu.masking(), Overhead::Ipu);
    assert_eq!(preset(&ipu, "h100").masking(), Overhead::Free);
    let own = state.reduce(Action::Overhead(Overhead::Own(0.02)));
    assert_eq!(preset(&own, "h100").masking(), Overhead::Own(0.02));
}

/// A band that begins below 1 is no promise: a sentence says so, with the ends of the band, and only then.
#[test]
fn a_band_below_one_says_to_measure_first() {
    let mut found = [0; 2];
    for (data, algorithm) in [
        ("wikipedia_bert_512", Algorithm::Lpfhp),
        ("squad_1_1_bert_384", Algorithm::Lpfhp),
        ("glue_rte", Algorithm::Lpfhp),
        ("glue_rte", Algorithm::None),
    ] {
        let (state, cases) = waited(&sequences(data, algorithm));
        let estimates = state.priced(&cases, 8).estimates;
        let e = estimates
            .iter()
            .find(|e| e.method == state.speedup_chosen())
            .unwrap();
        let doubt = findings::of_doubt(&state, &estimates);
        assert_eq!(
            doubt.is_some(),
            e.band[0] < 1.0 && e.band[1] > 1.0,
            "{data}: {:?}",
            e.band
        );
        found[usize::from(doubt.is_some())] += 1;
        if let Some(doubt) = doubt {
            let [low, high] = e.band.map(packscope::words::about);
            assert!(
                doubt.contains(&format!("The band, {low} to {high}, begins below 1")),
                "{doubt}"
            );
            assert!(doubt.contains("slower than padding. Measure "), "{doubt}");
        }
    }
    assert!(found[1] > 0, "{found:?}");
}
