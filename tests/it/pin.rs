//! A kept result, and its differences from the next one.

use crate::common::{built_in, built_in_graphs};
use crate::heard;
use packscope::api::{run_on, tuple};
use packscope::cost::Overhead;
use packscope::histogram::{Histogram, Preset};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope_page::state::pin::{self, PinQuery, Verdict};
use packscope_page::state::{Action, AppState, Source, StudyAnswer, Ticket, View, graphs};
use std::rc::Rc;

fn load(state: &AppState, name: &str) -> AppState {
    let preset = Preset::find(name).unwrap();
    state.reduce(Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in(name)),
        Some(preset.limit()),
    ))
}

fn answered(state: &AppState, number: u64) -> AppState {
    let data = state.sequences.data.as_ref().unwrap();
    let report = run_on(&data.histogram, &state.sequences.settings, 10, &mut go_on).unwrap();
    let ticket = Ticket {
        data: data.version,
        number,
    };
    state.reduce(Action::Heard(heard::answered(Rc::new(StudyAnswer {
        ticket,
        report,
        seconds: 0.0,
    }))))
}

fn pinned() -> AppState {
    answered(&load(&AppState::default(), "glue_cola"), 1).reduce(Action::Pin(pin::Action::Keep))
}

fn figure(state: &AppState, name: &str) -> pin::Difference {
    let all = state.against().remove(0).figures;
    all.into_iter().find(|d| d.figure == name).unwrap()
}

#[test]
fn differences_are_figure_minus_figure() {
    let a = pinned();
    let same = figure(&a, "packs");
    assert_eq!(
        (same.value(), same.verdict, same.words.as_str()),
        (0.0, Verdict::Same, "0")
    );
    let b = answered(&a.reduce(Action::Depth(Depth::AtMost(2))), 2);
    let [then, now] = [&a, &b].map(|s| s.sequences.answer.as_ref().unwrap().report.figures.clone());
    assert_eq!(
        figure(&b, "packs").value(),
        now.packs as f64 - then.packs as f64
    );
    assert_eq!(
        figure(&b, "padding_share").value(),
        now.padding_share() - then.padding_share()
    );
    assert_eq!(
        figure(&b, "packing_factor").value(),
        now.packing_factor - then.packing_factor
    );
    // Nothing keeps sequences apart at a cost here, so that slots alone are computed.
    let slots = now.slots[0] as f64 - then.slots[0] as f64;
    assert_eq!(figure(&b, "computed_slots").value(), slots);
    // More rows and more padding are worse, and so is a smaller factor.
    let lost = |d: &pin::Difference| d.figure == "waste_share";
    assert!(
        b.against()
            .remove(0)
            .figures
            .iter()
            .filter(|d| !lost(d))
            .all(|d| d.verdict == Verdict::Worse)
    );
    assert!(
        figure(&b, "packs").words.starts_with('+')
            && figure(&b, "padding_share").words.ends_with(" points")
    );
    let ratio = now.packing_factor / then.packing_factor;
    assert_eq!(
        figure(&b, "packing_factor").words,
        packscope::words::factor(ratio)
    );
    let settings = b.against().remove(0).settings;
    assert_eq!(
        settings,
        [("Depth", ["unlimited".to_owned(), "2".to_owned()])]
    );
}

/// Two plans that differ by one row in thousands: the shares on screen are the same, and nothing claims otherwise.
#[test]
fn differences_are_no_finer_than_the_figures_themselves() {
    let a = answered(&load(&AppState::default(), Preset::FIRST.id), 1)
        .reduce(Action::Pin(pin::Action::Keep));
    let mut late = (**a.sequences.answer.as_ref().unwrap()).clone();
    late.ticket.number = 2;
    let f = &mut late.report.figures;
    (f.packs, f.packing_factor) = (f.packs + 1, f.items as f64 / (f.packs + 1) as f64);
    let more = u64::from(late.report.settings.limit);
    (f.slots[0], f.padding_tokens[0]) = (f.slots[0] + more, f.padding_tokens[0] + more);
    let f = &late.report.figures;
    let (then, now) = (
        a.sequences
            .answer
            .as_ref()
            .unwrap()
            .report
            .figures
            .padding_share(),
        f.padding_share(),
    );
    assert!(now > then && now - then < 1e-6, "{then} {now}");
    let b = a.reduce(Action::Heard(heard::answered(Rc::new(late))));
    let packs = figure(&b, "packs");
    assert_eq!(
        (packs.words.as_str(), packs.verdict),
        ("+1", Verdict::Worse)
    );
    for (name, words) in [("padding_share", "0 points"), ("packing_factor", "1×")] {
        let d = figure(&b, name);
        assert_eq!(
            (d.words.as_str(), d.verdict.word()),
            (words, "about the same"),
            "{name}: {d:?}"
        );
    }
}

#[test]
fn one_goes_back_swaps_and_lets_go() {
    let a = pinned();
    let b = a
        .reduce(Action::Depth(Depth::AtMost(2)))
        .reduce(Action::Overhead(Overhead::Free));
    let back = b.reduce(Action::Pin(pin::Action::Back(0)));
    assert_eq!(
        (&back.sequences.settings, back.sequences.version()),
        (&a.sequences.settings, a.sequences.version())
    );
    assert!(
        back.sequences.is_current(),
        "the answer to A is still there"
    );
    let swapped = b.reduce(Action::Pin(pin::Action::Swap(0)));
    assert_eq!(
        (
            &swapped.sequences.settings,
            &swapped.sequences.pins[0].settings
        ),
        (&a.sequences.settings, &b.sequences.settings)
    );
    // B was not known when it was put aside: it is asked for.
    assert!(swapped.sequences.pins[0].request().is_some());
    assert!(b.sequences.pins[0].request().is_none());
    assert_eq!(b.reduce(Action::Pin(pin::Action::Drop(0))).against(), []);
}

#[test]
fn other_data_are_said_to_be_others_and_come_back() {
    let b = answered(&load(&pinned(), "glue_sst2"), 2);
    let against = b.against().remove(0);
    assert!(!against.same_data);
    assert_ne!(against.data[0], against.data[1]);
    assert_eq!(figure(&b, "packs").verdict, Verdict::Other);
    assert_ne!(figure(&b, "padding_share").verdict, Verdict::Other);
    let back = b.reduce(Action::Pin(pin::Action::Back(0)));
    assert_eq!(
        back.sequences.data.as_ref().unwrap().source,
        Source::Preset(Preset::find("glue_cola").unwrap())
    );
    assert!(
        back.sequences.version() > b.sequences.version() && !back.sequences.is_current(),
        "older answers are about other data"
    );
    assert!(back.against().remove(0).same_data);
}

/// What the shell does with a pin of a link: has its data loaded, and asks.
fn completed(state: &AppState) -> AppState {
    let pin = &state.sequences.pins[0];
    let name = pin.missing().unwrap().to_owned();
    let source = Source::Preset(Preset::find(&name).unwrap());
    let sizes = Rc::new(built_in(&name));
    let state = state.reduce(Action::Pin(pin::Action::Found(name, source, sizes, None)));
    let request = state.sequences.pins[0].request().unwrap();
    let report = heard::answer(&request).unwrap();
    state.reduce(Action::Pin(pin::Action::Figures(
        request.into(),
        report.into(),
    )))
}

#[test]
fn it_travels_in_the_address_and_is_computed_anew() {
    let a = pinned().reduce(Action::Overhead(Overhead::Own(0.07)));
    let b = answered(
        &a.reduce(Action::Algorithm(Algorithm::Greedy))
            .reduce(Action::Limit(64)),
        2,
    );
    let hash = b.hash();
    assert!(
        hash.contains("&pin.data=glue_cola&pin.limit=128&pin.depth=unlimited&pin.algorithm=lpfhp"),
        "{hash}"
    );
    let opened = answered(
        &load(&AppState::default(), "glue_cola").reduce(Action::Navigate(hash.clone())),
        1,
    );
    assert!(opened.against().remove(0).figures.is_empty());
    let opened = completed(&opened);
    assert_eq!(opened.against(), b.against());
    assert_eq!(opened.hash(), hash);
    assert_eq!(
        opened.reduce(Action::Navigate(hash)),
        opened,
        "what is known stays known"
    );
    // From another view it stands behind the name of its own.
    let graphs = b.reduce(Action::View(View::Graphs)).hash();
    assert!(
        graphs.contains("sequences.pin.data=glue_cola&sequences.pin.limit=128"),
        "{graphs}"
    );
    let there = AppState::default().reduce(Action::Navigate(graphs));
    assert_eq!(there.sequences.pins[0].named, "glue_cola");
}

#[test]
fn own_data_without_a_name_are_pinned_by_no_address() {
    for name in ["", "graphs."] {
        let opened = AppState::default().reduce(Action::Navigate(format!(
            "{name}pin.data=own&{name}pin.depth=2"
        )));
        assert_eq!(
            (opened.sequences.pins.len(), opened.graphs.pins.len()),
            (0, 0)
        );
    }
}

#[test]
fn data_that_are_too_large_for_an_address_are_named_by_their_storage() {
    let wild =
        Histogram::from_lengths((1..30_000u32).map(|l| (l * 3, u64::from(l) * 7919 % 104_729 + 1)))
            .unwrap();
    let source = Source::Kept {
        name: "mine".to_owned(),
        components: Vec::new(),
    };
    let state = AppState::default().reduce(Action::Loaded(source, Rc::new(wild), None));
    let state = state.reduce(Action::Pin(pin::Action::Keep));
    let hash = state.hash();
    let (key, _) = state.sequences.data.as_ref().unwrap().to_store().unwrap();
    assert!(hash.contains(&format!("pin.data={key}&")), "{hash}");
    // The shell looks for them there.
    let linked = AppState::default().reduce(Action::Navigate(hash));
    assert_eq!(pin::missing(&linked.sequences.pins).0, Some(key.as_str()));
}

/// Fewer packs that exceed a limit are no gain: they are not judged against packs that keep it.
#[test]
fn a_result_that_ignores_a_limit_is_not_judged() {
    let preset = Preset::find_graphs("tu_mutag").unwrap();
    let act = |state: AppState, action| state.reduce(Action::Graphs(action));
    let load = graphs::Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in_graphs(preset.id)),
        [true; 2],
    );
    let told = |state: AppState, number| {
        let data = state.graphs.data.as_ref().unwrap();
        let report =
            tuple::run_on(&data.histogram, &state.graphs.settings, 10, &mut go_on).unwrap();
        let ticket = Ticket {
            data: data.version,
            number,
        };
        act(
            state,
            graphs::Action::Heard(heard::answered(Rc::new(StudyAnswer {
                ticket,
                report,
                seconds: 0.0,
            }))),
        )
    };
    let with = |state, algorithm| act(state, graphs::Action::Algorithm(algorithm));
    let state = with(
        act(AppState::default(), load),
        packscope::packing::tuple::TupleAlgorithm::BestFit,
    );
    let pinned = act(told(state, 1), graphs::Action::Pin(pin::Action::Keep));
    let alone = told(
        with(
            pinned.clone(),
            packscope::packing::tuple::TupleAlgorithm::NodesOnly,
        ),
        2,
    );
    let figures = alone.graphs.against().remove(0).figures;
    assert!(
        !figures.is_empty() && figures.iter().all(|d| d.verdict == Verdict::Limits),
        "{figures:?}"
    );
    assert_eq!(Verdict::Limits.word(), "other limits");
    let single = told(
        with(pinned, packscope::packing::tuple::TupleAlgorithm::None),
        3,
    );
    assert!(
        single
            .graphs
            .against()
            .remove(0)
            .figures
            .iter()
            .all(|d| d.verdict != Verdict::Limits)
    );
}

#[test]
fn graphs_are_kept_too() {
    let preset = Preset::find_graphs("tu_mutag").unwrap();
    let load = graphs::Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in_graphs(preset.id)),
        [true; 2],
    );
    let state = [
        load,
        graphs::Action::Algorithm(tuple_algorithm()),
        graphs::Action::Pin(pin::Action::Keep),
    ]
    .into_iter()
    .fold(AppState::default(), |state, action| {
        state.reduce(Action::Graphs(action))
    });
    let request = state.graphs.pins[0].request().unwrap();
    let report = heard::answer(&request).unwrap();
    let figures = pin::Pin::<tuple::Settings, 2>::figures_of(&report).unwrap();
    let told = pin::Action::Figures(request.into(), report.into());
    let state = state.reduce(Action::Graphs(graphs::Action::Pin(told)));
    let state = state.reduce(Action::Graphs(graphs::Action::Depth(Depth::AtMost(3))));
    let data = state.graphs.data.as_ref().unwrap();
    let report = tuple::run_on(&data.histogram, &state.graphs.settings, 10, &mut go_on).unwrap();
    let ticket = Ticket {
        data: data.version,
        number: 1,
    };
    let told = heard::answered(Rc::new(StudyAnswer {
        ticket,
        report: report.clone(),
        seconds: 0.0,
    }));
    let state = state.reduce(Action::Graphs(graphs::Action::Heard(told)));
    let against = state.graphs.against().remove(0);
    let packs = against
        .figures
        .iter()
        .find(|d| d.figure == "packs")
        .unwrap();
    assert_eq!(
        packs.value(),
        report.figures.packs as f64 - figures.packs as f64
    );
    assert_eq!(
        against.settings,
        [("Depth", ["256".to_owned(), "3".to_owned()])]
    );
    let hash = state.reduce(Action::View(View::Graphs)).hash();
    assert!(
        hash.contains("&pin.data=tu_mutag&pin.nodes=28&pin.edges=66"),
        "{hash}"
    );
}

fn tuple_algorithm() -> packscope::packing::tuple::TupleAlgorithm {
    packscope::packing::tuple::TupleAlgorithm::BestFit
}

#[test]
fn mangled_pins_are_taken_for_what_they_say() {
    let state = AppState::default().reduce(Action::Navigate(
        "pin.data=nothing&pin.limit=0&pin.depth=x".to_owned(),
    ));
    let pin = &state.sequences.pins[0];
    assert_eq!((pin.missing(), pin.settings.limit), (Some("nothing"), 512));
    assert_eq!(
        AppState::default()
            .reduce(Action::Navigate("pin.limit=7".to_owned()))
            .sequences
            .pins,
        []
    );
}

/// A at its usual depth, B with two sequences a row, C with three, and four on screen.
fn several() -> AppState {
    let mut state = pinned();
    for (depth, number) in [(2, 2), (3, 3), (4, 4)] {
        state = answered(&state.reduce(Action::Depth(Depth::AtMost(depth))), number);
        if depth < 4 {
            state = state.reduce(Action::Pin(pin::Action::Keep));
        }
    }
    state
}

#[test]
fn several_stand_side_by_side_and_travel() {
    let state = several();
    let now = state
        .sequences
        .answer
        .as_ref()
        .unwrap()
        .report
        .figures
        .packs as f64;
    let rows: Vec<_> = state
        .sequences
        .pins
        .iter()
        .map(|pin| pin.figures.as_ref().unwrap().packs)
        .collect();
    let apart = state.against().into_iter().map(|against| {
        let packs = against
            .figures
            .into_iter()
            .find(|d| d.figure == "packs")
            .unwrap();
        (packs.value(), packs.verdict)
    });
    let of = |then: u64| {
        (
            now - then as f64,
            if now > then as f64 {
                Verdict::Worse
            } else {
                Verdict::Better
            },
        )
    };
    assert_eq!(
        apart.collect::<Vec<_>>(),
        rows.iter().copied().map(of).collect::<Vec<_>>()
    );
    assert!(
        rows[1] > rows[2] && rows[2] > rows[0],
        "{rows:?}: of one depth none would be another"
    );

    let hash = state.hash();
    for place in ["pin.depth=unlimited", "pin2.depth=2", "pin3.depth=3"] {
        assert!(hash.contains(&format!("&{place}&")), "{place}: {hash}");
    }
    let mut opened = load(&AppState::default(), "glue_cola").reduce(Action::Navigate(hash.clone()));
    opened = answered(&opened, 1);
    // All are about the same data, which are loaded once; figures are asked for one by one.
    let name = pin::missing(&opened.sequences.pins).0.unwrap().to_owned();
    let found = pin::Action::Found(
        name,
        Source::Preset(Preset::find("glue_cola").unwrap()),
        Rc::new(built_in("glue_cola")),
        None,
    );
    opened = opened.reduce(Action::Pin(found));
    assert_eq!(pin::missing(&opened.sequences.pins).0, None);
    let mut asked = 0;
    while let Some(request) = pin::missing(&opened.sequences.pins).1 {
        let report = heard::answer(&request).unwrap();
        opened = opened.reduce(Action::Pin(pin::Action::Figures(
            request.into(),
            report.into(),
        )));
        asked += 1;
    }
    assert_eq!(asked, 3);
    assert_eq!((opened.against(), opened.hash()), (state.against(), hash));
}

#[test]
fn each_of_several_is_swapped_restored_and_unpinned_by_itself() {
    let state = several();
    let full = state.reduce(Action::Pin(pin::Action::Keep));
    assert_eq!(
        full.sequences.pins, state.sequences.pins,
        "there is room for three, and none goes by itself"
    );
    let depths = |state: &AppState| -> Vec<Depth> {
        state
            .sequences
            .pins
            .iter()
            .map(|pin| pin.settings.depth)
            .chain([state.sequences.settings.depth])
            .collect()
    };
    let [of, all] = [Depth::AtMost, |_| Depth::Unlimited];
    assert_eq!(depths(&state), [all(0), of(2), of(3), of(4)]);
    assert_eq!(
        depths(&state.reduce(Action::Pin(pin::Action::Swap(1)))),
        [all(0), of(4), of(3), of(2)]
    );
    assert_eq!(
        depths(&state.reduce(Action::Pin(pin::Action::Back(2)))),
        [all(0), of(2), of(3), of(3)]
    );
    let fewer = state.reduce(Action::Pin(pin::Action::Drop(0)));
    assert_eq!(depths(&fewer), [of(2), of(3), of(4)]);
    // The same result is not pinned twice.
    let again = fewer
        .reduce(Action::Pin(pin::Action::Back(0)))
        .reduce(Action::Pin(pin::Action::Keep));
    assert_eq!(depths(&again), [of(2), of(3), of(2)]);
    for place in [2, 3, 99] {
        for action in [
            pin::Action::Drop(place),
            pin::Action::Back(place),
            pin::Action::Swap(place),
        ] {
            assert_eq!(fewer.reduce(Action::Pin(action)), fewer);
        }
    }
    let lost = AppState::default().reduce(Action::Navigate(state.hash()));
    let lost = lost.reduce(Action::Pin(pin::Action::Lost("glue_cola".to_owned())));
    assert_eq!(lost.sequences.pins, []);
}

/// A row that needs fewer slots since it cuts more off says so.
#[test]
fn what_is_lost_is_compared_too() {
    let state = answered(&pinned().reduce(Action::Limit(16)), 2);
    let lost = figure(&state, "waste_share");
    let figures = &state.sequences.answer.as_ref().unwrap().report.figures;
    let all = figures.waste_tokens[0] + figures.real_tokens[0];
    assert_eq!(
        lost.values,
        [0.0, figures.waste_tokens[0] as f64 / all as f64]
    );
    assert_eq!(lost.verdict, Verdict::Worse);
    let none = answered(&pinned().reduce(Action::Depth(Depth::AtMost(2))), 2)
        .against()
        .remove(0);
    let none = none
        .figures
        .into_iter()
        .find(|d| d.figure == "waste_share")
        .unwrap();
    assert_eq!((none.values, none.verdict), ([0.0; 2], Verdict::Same));
}
