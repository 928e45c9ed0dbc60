//! A result that is kept, and what the next one differs in.

use crate::common::{built_in, built_in_graphs};
use crate::heard;
use packscope::api;
use packscope::api::any::Report;
use packscope::api::{run_on, tuple};
use packscope::cost::Overhead;
use packscope::histogram::{Histogram, Preset};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope::state::pin::{self, Verdict};
use packscope::state::{Action, Answer, AppState, Source, Ticket, View, graphs};
use std::rc::Rc;

fn load(state: &AppState, name: &str) -> AppState {
    let preset = Preset::find(name).unwrap();
    state.reduce(Action::Loaded(Source::Preset(preset), Rc::new(built_in(name)), Some(preset.limit())))
}

fn answered(state: &AppState, number: u64) -> AppState {
    let data = state.sequences.data.as_ref().unwrap();
    let report = run_on(&data.histogram, &state.sequences.settings, 10, &mut go_on).unwrap();
    let ticket = Ticket { data: data.version, number };
    state.reduce(Action::Heard(heard::answered(Rc::new(Answer { ticket, report, seconds: 0.0 }))))
}

fn pinned() -> AppState {
    answered(&load(&AppState::default(), "glue_cola"), 1).reduce(Action::Pin(pin::Action::Keep))
}

fn figure(state: &AppState, name: &str) -> pin::Difference {
    let all = state.against().unwrap().figures;
    all.into_iter().find(|d| d.figure == name).unwrap()
}

#[test]
fn differences_are_figure_minus_figure() {
    let a = pinned();
    let same = figure(&a, "packs");
    assert_eq!((same.value(), same.verdict, same.words.as_str()), (0.0, Verdict::Same, "0"));
    let b = answered(&a.reduce(Action::Depth(Depth::AtMost(2))), 2);
    let [then, now] = [&a, &b].map(|s| s.sequences.answer.as_ref().unwrap().report.figures.clone());
    assert_eq!(figure(&b, "packs").value(), now.packs as f64 - then.packs as f64);
    assert_eq!(figure(&b, "padding_share").value(), now.padding_share() - then.padding_share());
    assert_eq!(figure(&b, "packing_factor").value(), now.packing_factor - then.packing_factor);
    let speedup = now.realised_speedup.unwrap() - then.realised_speedup.unwrap();
    assert_eq!(figure(&b, "realised_speedup").value(), speedup);
    // More rows and more padding are worse, and so is a smaller factor.
    assert!(b.against().unwrap().figures.iter().all(|d| d.verdict == Verdict::Worse));
    assert!(
        figure(&b, "packs").words.starts_with('+') && figure(&b, "packing_factor").words.starts_with('−')
    );
    let settings = b.against().unwrap().settings;
    assert_eq!(settings, [("Depth", ["unlimited".to_owned(), "2".to_owned()])]);
}

#[test]
fn one_goes_back_swaps_and_lets_go() {
    let a = pinned();
    let b = a.reduce(Action::Depth(Depth::AtMost(2))).reduce(Action::Overhead(Overhead::Free));
    let back = b.reduce(Action::Pin(pin::Action::Back));
    assert_eq!(
        (&back.sequences.settings, back.sequences.version()),
        (&a.sequences.settings, a.sequences.version())
    );
    assert!(back.sequences.is_current(), "the answer to A is still there");
    let swapped = b.reduce(Action::Pin(pin::Action::Swap));
    assert_eq!(
        (&swapped.sequences.settings, &swapped.sequences.pin.as_ref().unwrap().settings),
        (&a.sequences.settings, &b.sequences.settings)
    );
    // B was not known when it was put aside: it is asked for.
    assert!(swapped.sequences.pin.as_ref().unwrap().request().is_some());
    assert!(b.sequences.pin.as_ref().unwrap().request().is_none());
    assert_eq!(b.reduce(Action::Pin(pin::Action::Drop)).against(), None);
}

#[test]
fn other_data_are_said_to_be_others_and_come_back() {
    let b = answered(&load(&pinned(), "glue_sst2"), 2);
    let against = b.against().unwrap();
    assert!(!against.same_data);
    assert_ne!(against.data[0], against.data[1]);
    assert_eq!(figure(&b, "packs").verdict, Verdict::Other);
    assert_ne!(figure(&b, "padding_share").verdict, Verdict::Other);
    let back = b.reduce(Action::Pin(pin::Action::Back));
    assert_eq!(
        back.sequences.data.as_ref().unwrap().source,
        Source::Preset(Preset::find("glue_cola").unwrap())
    );
    assert!(
        back.sequences.version() > b.sequences.version() && !back.sequences.is_current(),
        "older answers are about other data"
    );
    assert!(back.against().unwrap().same_data);
}

/// What the shell does with a pin of a link: has its data loaded, and asks.
fn completed(state: &AppState) -> AppState {
    let pin = state.sequences.pin.as_ref().unwrap();
    let name = pin.missing().unwrap();
    let source = Source::Preset(Preset::find(name).unwrap());
    let state = state.reduce(Action::Pin(pin::Action::Found(source, Rc::new(built_in(name)), None)));
    let request = state.sequences.pin.as_ref().unwrap().request().unwrap();
    let Report::Sequences(report) = api::run(&request, &mut go_on).unwrap() else { unreachable!() };
    state.reduce(Action::Pin(pin::Action::Figures(request.into(), report.figures.into())))
}

#[test]
fn it_travels_in_the_address_and_is_computed_anew() {
    let a = pinned().reduce(Action::Overhead(Overhead::Own(0.07)));
    let b = answered(&a.reduce(Action::Algorithm(Algorithm::Greedy)).reduce(Action::Limit(64)), 2);
    let hash = b.hash();
    assert!(
        hash.contains("&pin.data=glue_cola&pin.limit=128&pin.depth=unlimited&pin.algorithm=lpfhp"),
        "{hash}"
    );
    let opened = answered(&load(&AppState::default(), "glue_cola").reduce(Action::Navigate(hash.clone())), 1);
    assert!(opened.against().unwrap().figures.is_empty());
    let opened = completed(&opened);
    assert_eq!(opened.against().unwrap(), b.against().unwrap());
    assert_eq!(opened.hash(), hash);
    assert_eq!(opened.reduce(Action::Navigate(hash)), opened, "what is known stays known");
    // From another view it stands behind the name of its own.
    let graphs = b.reduce(Action::View(View::Graphs)).hash();
    assert!(graphs.contains("sequences.pin.data=glue_cola&sequences.pin.limit=128"), "{graphs}");
    let there = AppState::default().reduce(Action::Navigate(graphs));
    assert_eq!(there.sequences.pin.as_ref().map(|pin| pin.named.as_str()), Some("glue_cola"));
}

#[test]
fn own_data_without_a_name_are_pinned_by_no_address() {
    for name in ["", "graphs."] {
        let opened =
            AppState::default().reduce(Action::Navigate(format!("{name}pin.data=own&{name}pin.depth=2")));
        assert_eq!((&opened.sequences.pin, &opened.graphs.pin), (&None, &None));
    }
}

#[test]
fn data_that_are_too_large_for_an_address_are_named_by_their_storage() {
    let wild =
        Histogram::from_lengths((1..30_000u32).map(|l| (l * 3, u64::from(l) * 7919 % 104_729 + 1))).unwrap();
    let source = Source::Kept { name: "mine".to_owned(), components: Vec::new() };
    let state = AppState::default().reduce(Action::Loaded(source, Rc::new(wild), None));
    let state = state.reduce(Action::Pin(pin::Action::Keep));
    let hash = state.hash();
    let (key, _) = state.sequences.data.as_ref().unwrap().to_store().unwrap();
    assert!(hash.contains(&format!("pin.data={key}&")), "{hash}");
    // The shell looks for them there.
    let linked = AppState::default().reduce(Action::Navigate(hash));
    assert_eq!(linked.sequences.pin.as_ref().and_then(|pin| pin.missing()), Some(key.as_str()));
}

#[test]
fn graphs_are_kept_too() {
    let preset = Preset::find_graphs("tu_mutag").unwrap();
    let load = graphs::Action::Loaded(Source::Preset(preset), Rc::new(built_in_graphs(preset.id)), [true; 2]);
    let state = [load, graphs::Action::Algorithm(tuple_algorithm()), graphs::Action::Pin(pin::Action::Keep)]
        .into_iter()
        .fold(AppState::default(), |state, action| state.reduce(Action::Graphs(action)));
    let request = state.graphs.pin.as_ref().unwrap().request().unwrap();
    let Report::Graphs(report) = api::run(&request, &mut go_on).unwrap() else { unreachable!() };
    let figures = report.figures;
    let told = pin::Action::Figures(request.into(), figures.clone().into());
    let state = state.reduce(Action::Graphs(graphs::Action::Pin(told)));
    let state = state.reduce(Action::Graphs(graphs::Action::Depth(Depth::AtMost(3))));
    let data = state.graphs.data.as_ref().unwrap();
    let report = tuple::run_on(&data.histogram, &state.graphs.settings, 10, &mut go_on).unwrap();
    let ticket = Ticket { data: data.version, number: 1 };
    let told = heard::answered(Rc::new(Answer { ticket, report: report.clone(), seconds: 0.0 }));
    let state = state.reduce(Action::Graphs(graphs::Action::Heard(told)));
    let against = state.graphs.against().unwrap();
    let packs = against.figures.iter().find(|d| d.figure == "packs").unwrap();
    assert_eq!(packs.value(), report.figures.packs as f64 - figures.packs as f64);
    assert_eq!(against.settings, [("Depth", ["256".to_owned(), "3".to_owned()])]);
    let hash = state.reduce(Action::View(View::Graphs)).hash();
    assert!(hash.contains("&pin.data=tu_mutag&pin.nodes=28&pin.edges=66"), "{hash}");
}

fn tuple_algorithm() -> packscope::packing::tuple::Algorithm {
    packscope::packing::tuple::Algorithm::BestFit
}

#[test]
fn mangled_pins_are_taken_for_what_they_say() {
    let state =
        AppState::default().reduce(Action::Navigate("pin.data=nothing&pin.limit=0&pin.depth=x".to_owned()));
    let pin = state.sequences.pin.as_ref().unwrap();
    assert_eq!((pin.missing(), pin.settings.limit), (Some("nothing"), 512));
    assert_eq!(AppState::default().reduce(Action::Navigate("pin.limit=7".to_owned())).sequences.pin, None);
}
