//! The state of the view of ranks: what is asked and kept, the contents of the address, the words of the answer.

use crate::common::built_in;
use crate::heard;
use packscope::api::held::{Answer, Request};
use packscope::api::ranks::{self, Change, Dealing, Part, Report, Waiting, Weight, WhatIf};
use packscope::histogram::Preset;
use packscope::state::ranks::findings;
use packscope::state::{Action, AppState, Asked, Data, Lane, Source, View, speedup};
use std::rc::Rc;

fn load(name: &str) -> Action {
    let preset = Preset::find(name).unwrap();
    Action::Loaded(Source::Preset(preset), Rc::new(built_in(name)), Some(preset.limit()))
}

fn loaded(name: &str) -> AppState {
    AppState::default().reduce(Action::View(View::Ranks)).reduce(load(name))
}

fn set(state: &AppState, id: &'static str, text: &str) -> AppState {
    state.reduce(Action::Ranks(id, text.to_owned()))
}

/// The requests of a lane.
fn asked(state: &AppState, lane: Lane) -> Vec<Request> {
    let want = state.wanted().into_iter().find(|want| want.lane == lane);
    want.map_or_else(Vec::new, |want| match want.asked {
        Asked::Each(requests) => requests,
        asked => panic!("{asked:?}"),
    })
}

/// The answer of a worker to a request.
fn told(state: &AppState, request: &Request) -> AppState {
    let Request::Ranks(settings, part) = request else { panic!("{request:?}") };
    let lengths = &state.sequences.data.as_ref().unwrap().histogram;
    let bytes = match part {
        Part::Report => packscope::wire::encode(&ranks::run(lengths, settings).unwrap()),
        Part::Table => packscope::wire::encode(&ranks::table(lengths, settings).unwrap()),
    };
    let answer = Answer::Ranks(bytes.unwrap().into());
    state.reduce(heard::known(state.sequences.version(), request.clone(), answer))
}

fn report(state: &AppState) -> Report {
    packscope::wire::decode(state.ranked(Part::Report).unwrap().sealed).unwrap()
}

#[test]
fn the_report_is_asked_at_once_the_table_at_rest_and_neither_twice() {
    let state = loaded("sharegpt_8k_llama2");
    let [first, rest] = [Lane::Drawn, Lane::Rows].map(|lane| asked(&state, lane));
    assert!(matches!(first[..], [Request::Ranks(_, Part::Report)]), "{first:?}");
    assert!(matches!(rest[..], [Request::Ranks(_, Part::Table)]), "{rest:?}");
    assert!(!state.is_ranked(Part::Report) && state.ranked(Part::Report).is_none());
    let known = told(&told(&state, &first[0]), &rest[0]);
    assert!(known.is_ranked(Part::Report) && known.is_ranked(Part::Table));
    assert_eq!([Lane::Drawn, Lane::Rows].map(|lane| asked(&known, lane).len()), [0, 0]);
    // Another setting: the old answer stays on screen until the new one is there.
    let other = set(&known, "ranks", "16");
    assert!(!other.is_ranked(Part::Report) && other.ranked(Part::Report).is_some());
    assert!(!other.is_of_other_data() && other.reduce(load("alpaca_5000")).is_of_other_data());
    // On other views nothing is asked.
    let elsewhere = other.reduce(Action::View(View::Batches));
    let is_of_ranks = |request: &Request| matches!(request, Request::Ranks(..));
    assert!(![Lane::Drawn, Lane::Rows].iter().any(|lane| asked(&elsewhere, *lane).iter().any(is_of_ranks)));
}

#[test]
fn the_address_has_the_settings_under_their_own_names_and_comes_back() {
    let state = loaded("sharegpt_8k_llama2");
    let texts = [
        ("ranks", "64"),
        ("dealing", "greedy"),
        ("weight", "verl"),
        ("waiting", "micro-batch"),
        ("cap", "16384"),
    ];
    let state = texts.into_iter().fold(state, |state, (id, text)| set(&state, id, text));
    let hash = state.hash();
    for part in [
        "view=ranks",
        "data=sharegpt_8k_llama2",
        "limit=8192",
        "ranks=64",
        "dealing=greedy",
        "weight=verl",
        "cap=16384",
    ] {
        assert!(hash.split('&').any(|pair| pair == part), "{part} in {hash}");
    }
    let again = AppState::default().reduce(Action::Navigate(hash.clone())).reduce(load("sharegpt_8k_llama2"));
    assert_eq!(again.ranks_settings(), state.ranks_settings());
    assert_eq!(again.hash(), hash);
    // Beside another view they have its name before them, and limits belong to both.
    let beside = state.reduce(Action::View(View::Sequences)).hash();
    assert!(beside.contains("ranks.ranks=64") && beside.contains("ranks.dealing=greedy"), "{beside}");
    assert!(!beside.contains("ranks.limit"), "{beside}");
    let back = AppState::default().reduce(Action::Navigate(beside)).reduce(Action::View(View::Ranks));
    assert_eq!(back.ranks_settings().ranks, 64);
    // What cannot be is refused, said, and changes nothing.
    let odd = state.reduce(Action::Navigate("view=ranks&ranks=0&dealing=by-chance".to_owned()));
    assert_eq!((odd.ranks_settings().ranks, odd.ranks_settings().dealing), (64, Dealing::Greedy));
    let said = odd.ignored.unwrap_or_default();
    assert!(said.contains("ranks=0") && said.contains("dealing=by-chance"), "{said}");
    // Everything at its default again.
    assert_eq!(state.reduce(Action::Restore("view=ranks".to_owned())).ranks_settings().ranks, 8);
}

#[test]
fn a_number_that_may_be_left_out_is_left_out_by_an_empty_field() {
    let state = loaded("alpaca_5000");
    let capped = set(&set(&set(&state, "cap", "4096"), "context", "512"), "micro-batch", "2");
    let of =
        |s: &AppState| (s.ranks_settings().cap, s.ranks_settings().context, s.ranks_settings().micro_batch);
    assert_eq!(of(&capped), (Some(4096), Some(512), Some(2)));
    let none = ["cap", "context", "micro-batch"].into_iter().fold(capped.clone(), |s, id| set(&s, id, ""));
    assert_eq!(of(&none), (None, None, None));
    // Other fields are not emptied, nor limits set from here, which are those of the sequences.
    assert_eq!(set(&set(&capped, "ranks", ""), "limit", "77").ranks_settings(), capped.ranks_settings());
    // More units than a step may have.
    assert_eq!(set(&set(&state, "ranks", "1024"), "micro-batch", "1000").ranks_settings().micro_batch, None);
}

#[test]
fn a_library_deals_until_a_way_of_ones_own_is_chosen() {
    let state = set(&set(&loaded("alpaca_5000"), "weight", "squared"), "library", "verl");
    assert_eq!(state.ranks_settings().library, Some(ranks::Library::Verl));
    assert!(state.hash().contains("library=verl"), "{}", state.hash());
    assert!(findings::of_setting(&state, &state.ranks_settings()).contains("dealt by verl"));
    for (id, text) in [("dealing", "snake"), ("weight", "tokens")] {
        assert_eq!(set(&state, id, text).ranks_settings().library, None);
    }
    // Back on the sequences, the library that packs is another one.
    let packs = state.reduce(Action::View(View::Sequences));
    assert_eq!(packs.libraries(View::Sequences).choice.library, None);
}

#[test]
fn the_model_is_that_of_the_estimates_and_reads_the_sequences() {
    let usual = AppState::default().speedup.transformer.id;
    // BERT reads 512 tokens.
    let long = loaded("sharegpt_8k_llama2");
    assert_eq!(long.speedup.transformer.id, "llama-3.1-8b");
    assert_eq!(loaded("wikipedia_bert_512").speedup.transformer.id, usual);
    let preset = packscope::cost::presets::named(packscope::cost::presets::TRANSFORMERS, "gpt-2").unwrap();
    let other = long.reduce(Action::SpeedUp(speedup::Action::Transformer(preset)));
    assert_eq!(other.ranks_settings().model, preset.value);
    assert_ne!(other.ranks_settings(), long.ranks_settings());
    // Without a view of ranks, the model of a built-in set stays.
    assert_eq!(AppState::default().reduce(load("sharegpt_8k_llama2")).speedup.transformer.id, usual);
}

#[test]
fn every_change_is_a_setting_that_is_taken() {
    let state = loaded("sharegpt_8k_llama2");
    let changes = [
        Change::Weight(Weight::Model),
        Change::Dealing(Dealing::KarmarkarKarp),
        Change::Waiting(Waiting::MicroBatch),
        Change::MicroBatches(16),
        Change::Context(2048),
    ];
    for change in changes {
        let (id, text) = change.setting();
        let changed = set(&state, id, &text);
        assert_ne!(changed.ranks_settings(), state.ranks_settings(), "{id}={text}");
        let words = findings::changed(&state, &state.ranks_settings(), change);
        assert!(words.starts_with(|c: char| c.is_ascii_uppercase()) && !words.ends_with('.'), "{words}");
    }
}

#[test]
fn the_answer_is_said_in_words_with_the_one_setting_to_change() {
    let state = set(&loaded("sharegpt_8k_llama2"), "ranks", "64");
    let settings = state.ranks_settings();
    assert_eq!(
        findings::of_setting(&state, &settings),
        "64 ranks, 32 sequences each a step, dealt as they come; they wait once a step."
    );
    let mut report = ranks::run(&state.sequences.data.as_ref().unwrap().histogram, &settings).unwrap();
    (report.factor, report.idle) = (1.35, findings::idle(1.35));
    report.what_if = vec![WhatIf { change: Change::Dealing(Dealing::Greedy), factor: 1.01 }];
    assert_eq!(findings::of_worth(&settings, &report), "47.4");
    let advice = state.ranks_advice(&settings, &report);
    assert_eq!(advice.setting, "Dealt heaviest first by tokens");
    assert_eq!(advice.reason, "Ranks would wait 0.99 % of the time instead of 25.9 %: 1.34× as fast.");
    let taken = advice.take.into_iter().fold(state.clone(), |state, action| state.reduce(action));
    assert_eq!(taken.ranks_settings().dealing, Dealing::Greedy);
    // A change that saves less than 2 % is none.
    report.what_if[0].factor = 1.34;
    assert!(state.ranks_advice(&settings, &report).take.is_empty());
    // Bars without any waiting, and with one slow rank.
    assert_eq!(findings::of_step(&[vec![0.5, 0.5], vec![0.75, 0.25]], Waiting::Step), 1.0);
    assert_eq!(findings::of_step(&[vec![0.5, 0.5], vec![0.75, 0.25]], Waiting::MicroBatch), 1.25);
}

#[test]
fn the_caption_names_what_differs() {
    let state = set(&loaded("sharegpt_8k_llama2"), "waiting", "micro-batch");
    let line = state.caption().unwrap().line();
    for part in ["ShareGPT", "Ranks 8", "After every micro-batch"] {
        assert!(line.contains(part), "{line}");
    }
    assert!(!line.contains("Seed"), "{line}");
}

/// Answers about ranks are those of the newest question, and a few are kept.
#[test]
fn few_reports_are_kept() {
    let mut state = loaded("alpaca_5000");
    for ranks in ["2", "4", "8", "16", "32"] {
        state = set(&state, "ranks", ranks);
        let first = asked(&state, Lane::Drawn);
        state = first.iter().fold(state, |state, request| told(&state, request));
    }
    assert!(set(&state, "ranks", "16").is_ranked(Part::Report));
    assert!(!set(&state, "ranks", "2").is_ranked(Part::Report));
    let shown = report(&state);
    assert_eq!(shown.rank_bars.len(), 32);
    assert!(matches!(state.sequences.data, Some(Data { .. })));
}
