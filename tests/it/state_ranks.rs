//! The state of the view of ranks: what is asked and kept, the contents of the address, the words of the answer.

use crate::common::built_in;
use crate::heard;
use packscope::advice::Outcome;
use packscope::api::ranks::{self, Change, Dealing, Report, Scheduler, SyncPoint, Weight};
use packscope::cost::presets;
use packscope::histogram::Preset;
use packscope_page::query::{Answer, Query};
use packscope_page::state::pin::{self, Verdict};
use packscope_page::state::ranks::findings;
use packscope_page::state::trainer::Action as Trained;
use packscope_page::state::{Action, AppState, Data, Lane, Source, View, speedup};
use std::rc::Rc;

fn load(name: &str) -> Action {
    let preset = Preset::find(name).unwrap();
    Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in(name)),
        Some(preset.limit()),
    )
}

fn loaded(name: &str) -> AppState {
    AppState::default()
        .reduce(Action::View(View::Ranks))
        .reduce(load(name))
}

fn set(state: &AppState, id: &'static str, text: &str) -> AppState {
    state.reduce(Action::Ranks(id, text.to_owned()))
}

/// The requests of a lane.
fn asked(state: &AppState, lane: Lane) -> Vec<Query> {
    let want = state.wanted().into_iter().find(|want| want.lane == lane);
    want.map_or_else(Vec::new, |want| want.queries)
}

/// The answer of a worker to a request.
fn told(state: &AppState, request: &Query) -> AppState {
    let lengths = &state.sequences.data.as_ref().unwrap().histogram;
    let answer = match request {
        Query::Ranks(settings) => Answer::Ranks(Rc::new(ranks::run(lengths, settings).unwrap())),
        Query::Dealings(settings) => {
            Answer::Dealings(Rc::new(ranks::table(lengths, settings).unwrap()))
        }
        request => panic!("{request:?}"),
    };
    state.reduce(heard::known(
        state.sequences.version(),
        request.clone(),
        answer,
    ))
}

/// The state after both answers about the report: on few steps, and on all.
fn answered(mut state: AppState) -> AppState {
    while let [request] = &asked(&state, Lane::Drawn)[..] {
        state = told(&state, request);
    }
    state
}

fn report(state: &AppState) -> Report {
    Report::clone(state.ranked().unwrap().report)
}

/// The state after the table of all ways too.
fn answered_whole(state: AppState) -> AppState {
    let state = answered(state);
    match &asked(&state, Lane::Rows)[..] {
        [request] => told(&state, request),
        _ => state,
    }
}

/// The state after the first press under a verdict.
fn taken(state: &AppState, verdict: &packscope::advice::Verdict) -> AppState {
    let press = state.ranks_presses(verdict).swap_remove(0);
    press
        .actions
        .into_iter()
        .fold(state.clone(), |state, action| state.reduce(action))
}

/// The milliseconds of rest before the report is asked, and its steps.
fn report_asked(state: &AppState) -> Option<(u32, u32)> {
    let want = state
        .wanted()
        .into_iter()
        .find(|want| want.lane == Lane::Drawn)?;
    match asked(state, Lane::Drawn)[..] {
        [Query::Ranks(ref settings)] => Some((want.rest, settings.steps)),
        ref requests => panic!("{requests:?}"),
    }
}

#[test]
fn a_few_steps_are_asked_at_once_the_report_and_the_table_at_rest_and_none_twice() {
    let state = loaded("sharegpt_8k_llama2");
    let [few, rest] = [Lane::Drawn, Lane::Rows].map(|lane| asked(&state, lane));
    assert_eq!(report_asked(&state), Some((0, 8)));
    assert!(matches!(rest[..], [Query::Dealings(_)]), "{rest:?}");
    assert!(state.ranked().is_none());
    // The figures of a few steps are shown until those of all are there.
    let glanced = told(&state, &few[0]);
    assert!(!glanced.is_ranked());
    assert_eq!(
        (report(&glanced).factors.len(), report_asked(&glanced)),
        (8, Some((60, 64)))
    );
    let known = told(&told(&glanced, &asked(&glanced, Lane::Drawn)[0]), &rest[0]);
    assert!(known.is_ranked() && known.is_dealt());
    assert_eq!(report(&known).factors.len(), 64);
    assert_eq!(report(&known).factors[..8], report(&glanced).factors[..]);
    assert_eq!(
        [Lane::Drawn, Lane::Rows].map(|lane| asked(&known, lane).len()),
        [0, 0]
    );
    // Where all steps are few, they are asked at once.
    assert_eq!(report_asked(&set(&known, "steps", "8")), None);
    assert_eq!(report_asked(&set(&known, "steps", "4")), Some((0, 4)));
    // Another setting: the old answer stays on screen until the new one is there.
    let other = set(&known, "ranks", "16");
    assert!(!other.is_ranked() && other.ranked().is_some());
    assert!(!other.is_of_other_data() && other.reduce(load("alpaca_5000")).is_of_other_data());
    // On other views nothing is asked.
    let elsewhere = other.reduce(Action::View(View::Batches));
    let is_of_ranks = |request: &Query| matches!(request, Query::Ranks(_) | Query::Dealings(_));
    assert!(
        ![Lane::Drawn, Lane::Rows]
            .iter()
            .any(|lane| asked(&elsewhere, *lane).iter().any(is_of_ranks))
    );
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
    let state = texts
        .into_iter()
        .fold(state, |state, (id, text)| set(&state, id, text));
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
    let again = AppState::default()
        .reduce(Action::Navigate(hash.clone()))
        .reduce(load("sharegpt_8k_llama2"));
    assert_eq!(again.ranks_settings(), state.ranks_settings());
    assert_eq!(again.hash(), hash);
    // Beside another view they have its name before them, and limits belong to both.
    let beside = state.reduce(Action::View(View::Sequences)).hash();
    assert!(
        beside.contains("ranks.ranks=64") && beside.contains("ranks.dealing=greedy"),
        "{beside}"
    );
    assert!(!beside.contains("ranks.limit"), "{beside}");
    let back = AppState::default()
        .reduce(Action::Navigate(beside))
        .reduce(Action::View(View::Ranks));
    assert_eq!(back.ranks_settings().ranks, 64);
    // What cannot be is refused, said, and changes nothing.
    let odd = state.reduce(Action::Navigate(
        "view=ranks&ranks=0&dealing=by-chance".to_owned(),
    ));
    assert_eq!(
        (odd.ranks_settings().ranks, odd.ranks_settings().dealing),
        (64, Dealing::Greedy)
    );
    let said = odd.ignored.unwrap_or_default();
    assert!(
        said.contains("ranks=0") && said.contains("dealing=by-chance"),
        "{said}"
    );
    // Everything at its default again.
    assert_eq!(
        state
            .reduce(Action::Restore("view=ranks".to_owned()))
            .ranks_settings()
            .ranks,
        8
    );
}

#[test]
fn a_number_that_may_be_left_out_is_left_out_by_an_empty_field() {
    let state = loaded("alpaca_5000");
    let capped = set(
        &set(&set(&state, "cap", "4096"), "context", "512"),
        "micro-batch",
        "2",
    );
    let of = |s: &AppState| {
        (
            s.ranks_settings().cap,
            s.ranks_settings().context,
            s.ranks_settings().micro_batch,
        )
    };
    assert_eq!(of(&capped), (Some(4096), Some(512), Some(2)));
    let none = ["cap", "context", "micro-batch"]
        .into_iter()
        .fold(capped.clone(), |s, id| set(&s, id, ""));
    assert_eq!(of(&none), (None, None, None));
    // Other fields are not emptied, nor limits set from here, which are those of the sequences.
    assert_eq!(
        set(&set(&capped, "ranks", ""), "limit", "77").ranks_settings(),
        capped.ranks_settings()
    );
    // More units than a step may have.
    assert_eq!(
        set(&set(&state, "ranks", "1024"), "micro-batch", "1000")
            .ranks_settings()
            .micro_batch,
        None
    );
}

#[test]
fn a_library_deals_until_a_way_of_ones_own_is_chosen() {
    let state = set(
        &set(&loaded("alpaca_5000"), "weight", "squared"),
        "library",
        "verl",
    );
    assert_eq!(state.ranks_settings().library, Some(ranks::Scheduler::Verl));
    assert!(state.hash().contains("library=verl"), "{}", state.hash());
    assert!(findings::of_setting(&state, &state.ranks_settings()).contains("assigned by verl"));
    for (id, text) in [("dealing", "snake"), ("weight", "tokens")] {
        assert_eq!(set(&state, id, text).ranks_settings().library, None);
    }
    // Back on the sequences, the library that packs is another one.
    let packs = state.reduce(Action::View(View::Sequences));
    assert_eq!(packs.libraries(View::Sequences).choice.library, None);
}

/// A refused setting changes nothing, not even the setting that it would have replaced.
#[test]
fn what_is_refused_leaves_the_other_settings_as_they_are() {
    let library = set(&loaded("alpaca_5000"), "library", "verl");
    for (id, text) in [
        ("dealing", "by-chance"),
        ("weight", ""),
        ("dealing", ""),
        ("unit", "row"),
    ] {
        assert_eq!(
            set(&library, id, text).ranks_settings(),
            library.ranks_settings(),
            "{id}={text}"
        );
    }
    let linked = "view=ranks&library=verl&weight=heavy".to_owned();
    let linked = loaded("alpaca_5000").reduce(Action::Navigate(linked));
    assert_eq!(
        linked.ranks_settings().library,
        Some(ranks::Scheduler::Verl)
    );
    // As many units in a step as there may be, one row each: four sequences each are too many.
    let most = [
        ("unit", "rows"),
        ("steps", "16"),
        ("ranks", "1024"),
        ("accumulation", "1024"),
        ("micro-batch", "1"),
    ]
    .into_iter()
    .fold(loaded("alpaca_5000"), |s, (id, text)| set(&s, id, text));
    assert_eq!(most.ranks_settings().units(), ranks::UNITS);
    let whole = set(&most, "micro-batch", "");
    assert_eq!(whole.ranks_settings().micro_batch, None, "one row again");
    assert_eq!(
        set(&whole, "library", "trl").ranks_settings(),
        whole.ranks_settings()
    );
    let sequences = [("steps", "1"), ("unit", "sequences")]
        .into_iter()
        .fold(most, |s, (id, text)| set(&s, id, text));
    assert_eq!(
        set(&sequences, "micro-batch", "").ranks_settings(),
        sequences.ranks_settings()
    );
    assert!(sequences.ranks_settings().check().is_ok());
}

/// Libraries deal sequences, not rows: the setting that was made last stands, and no address has both.
#[test]
fn of_rows_and_a_library_the_newer_one_stands() {
    let state = set(&loaded("alpaca_5000"), "library", "verl");
    let rows = set(&state, "unit", "rows");
    assert_eq!(
        (rows.ranks_settings().unit, rows.ranks_settings().library),
        (ranks::RankUnit::Rows, None)
    );
    let library = set(&rows, "library", "trl");
    assert_eq!(library.ranks_settings().unit, ranks::RankUnit::Sequences);
    assert_eq!(
        set(&rows, "library", "none").ranks_settings().unit,
        ranks::RankUnit::Rows
    );
    assert_eq!(
        set(&rows, "library", "no-such").ranks_settings().unit,
        ranks::RankUnit::Rows
    );
    for state in [state, rows, library] {
        assert!(state.ranks_settings().check().is_ok());
        let hash = state.hash();
        assert!(
            !(hash.contains("unit=rows") && hash.contains("library=")),
            "{hash}"
        );
    }
}

/// The sentences beside a scheduler say what it drops, pads and shares, and offer another one.
#[test]
fn a_scheduler_is_described_with_what_it_costs() {
    let report = |state: &AppState| {
        let lengths = &state.sequences.data.as_ref().unwrap().histogram;
        ranks::run(
            lengths,
            &ranks::Settings {
                steps: 8,
                ..state.ranks_settings()
            },
        )
        .unwrap()
    };
    let state = set(&loaded("sharegpt_8k_llama2"), "library", "nemo-rl-dynamic");
    let padded = report(&state);
    assert_eq!(
        findings::of_waiting(&padded),
        "Ranks are idle or compute padding"
    );
    let binding = findings::of_binding(&state, &state.ranks_settings(), &padded);
    assert!(
        binding.starts_with("Padding is the bottleneck"),
        "{binding}"
    );
    assert!(findings::of_cost(&padded, 1.0).contains("idle or padding"));
    let judged = answered(state.clone());
    let verdict = judged.ranks_verdict().unwrap();
    let said = &verdict.sentence;
    assert!(
        said.starts_with("Assigned by NeMo RL") && said.contains(" idle or padding, "),
        "{said}"
    );
    assert_ne!(
        taken(&judged, &verdict).ranks_settings().library,
        state.ranks_settings().library
    );

    let state = set(&set(&state, "library", "trl-budget"), "cap", "1000");
    let dropping = report(&state);
    let words = findings::untrained(&dropping.untrained).unwrap_or_default();
    assert!(
        words.contains("are above the cap, and dropped; ") && words.contains("left over"),
        "{words}"
    );
    assert_eq!(findings::of_waiting(&dropping), "Ranks are idle");
    let plain = set(&state, "dealing", "greedy");
    assert_eq!(findings::untrained(&report(&plain).untrained), None);
    assert_eq!(
        findings::repeated(&plain.ranks_settings(), &report(&plain)),
        None
    );
    let never = set(&plain, "waiting", "never");
    assert!(
        findings::of_setting(&never, &never.ranks_settings())
            .ends_with("; they never synchronise.")
    );

    // The title of the table compares those that train every sequence, and its rows say what the others do.
    let all = ranks::table(
        &state.sequences.data.as_ref().unwrap().histogram,
        &ranks::Settings {
            steps: 4,
            ..state.ranks_settings()
        },
    )
    .unwrap();
    let row = |library| {
        all.libraries
            .iter()
            .find(|row| row.library == library)
            .unwrap()
    };
    assert!(findings::note(row(ranks::Scheduler::TrlBudget)).starts_with("drops "));
    assert_eq!(
        findings::note(row(ranks::Scheduler::MegatronDynamicCp)),
        "ranks share sequences"
    );
    assert!(!findings::of_libraries(&all.libraries, SyncPoint::Step).contains("token budget"));
    let bound = |state: &AppState| findings::of_bound(&state.ranks_settings());
    assert_ne!(
        bound(&set(&state, "library", "megatron-dynamic-cp")),
        bound(&state)
    );
}

#[test]
fn the_model_is_that_of_the_estimates_and_reads_the_sequences() {
    let usual = AppState::default().speedup.transformer.id;
    // BERT reads 512 tokens.
    let long = loaded("sharegpt_8k_llama2");
    assert_eq!(long.speedup.transformer.id, "llama-3.2-3b");
    assert_eq!(loaded("wikipedia_bert_512").speedup.transformer.id, usual);
    let preset =
        packscope::cost::presets::named(packscope::cost::presets::TRANSFORMERS, "gpt-2").unwrap();
    let other = long.reduce(Action::SpeedUp(speedup::Action::Transformer(preset)));
    assert_eq!(other.ranks_settings().model, preset.value);
    assert_ne!(other.ranks_settings(), long.ranks_settings());
    // It is the same on every view.
    assert_eq!(
        AppState::default()
            .reduce(load("sharegpt_8k_llama2"))
            .speedup,
        long.speedup
    );
}

#[test]
fn every_change_is_a_setting_that_is_taken() {
    let state = loaded("sharegpt_8k_llama2");
    let changes = [
        Change::Weight(Weight::Model),
        Change::Dealing(Dealing::KarmarkarKarp),
        Change::Waiting(SyncPoint::MicroBatch),
        Change::MicroBatches(16),
        Change::Context(2048),
    ];
    for change in changes {
        let (id, text) = change.setting();
        let changed = set(&state, id, &text);
        assert_ne!(
            changed.ranks_settings(),
            state.ranks_settings(),
            "{id}={text}"
        );
    }
}

#[test]
fn the_answer_is_said_in_words_with_the_one_setting_to_change() {
    let state = set(&loaded("sharegpt_8k_llama2"), "ranks", "64");
    let settings = state.ranks_settings();
    assert_eq!(
        findings::of_setting(&state, &settings),
        "64 ranks, 32 sequences each a step, assigned in arrival order; they synchronise once a step."
    );
    let mut report =
        ranks::run(&state.sequences.data.as_ref().unwrap().histogram, &settings).unwrap();
    (report.factor, report.idle) = (1.35, findings::idle(1.35));
    assert_eq!(findings::of_worth(&settings, &report), "47.4");
    // Bars without any waiting, and with one slow rank.
    assert_eq!(
        findings::of_step(&[vec![0.5, 0.5], vec![0.75, 0.25]], SyncPoint::Step),
        1.0
    );
    assert_eq!(
        findings::of_step(&[vec![0.5, 0.5], vec![0.75, 0.25]], SyncPoint::MicroBatch),
        1.25
    );
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
        state = answered(state);
    }
    assert!(set(&state, "ranks", "16").is_ranked());
    assert!(!set(&state, "ranks", "2").is_ranked());
    let shown = report(&state);
    assert_eq!(shown.rank_bars.len(), 32);
    assert!(matches!(state.sequences.data, Some(Data { .. })));
}

/// The state after the worker's figures of pinned results.
fn pins_told(mut state: AppState) -> AppState {
    while let Some(request) = pin::missing(&state.ranks.pins).1 {
        let report = heard::answer(&request).unwrap();
        state = state.reduce(Action::Pin(pin::Action::Figures(
            request.into(),
            report.into(),
        )));
    }
    state
}

#[test]
fn a_pinned_result_is_compared_travels_and_comes_back() {
    let transformers = packscope::cost::presets::TRANSFORMERS;
    let model = packscope::cost::presets::named(transformers, "llama-3.1-8b").unwrap();
    let start =
        loaded("sharegpt_8k_llama2").reduce(Action::SpeedUp(speedup::Action::Transformer(model)));
    let pinned = answered(start).reduce(Action::Pin(pin::Action::Keep));
    assert_eq!(
        (pinned.ranks.pins.len(), pinned.sequences.pins.len()),
        (1, 0)
    );
    let alike = pins_told(pinned.clone()).ranks_against().remove(0);
    assert!(
        alike.figures.iter().all(|d| d.verdict == Verdict::Same) && alike.settings.is_empty(),
        "{alike:?}"
    );

    let other = set(&set(&pinned, "dealing", "greedy"), "weight", "model");
    let other = pins_told(answered(other).reduce(Action::Limit(4096)));
    let against = other.ranks_against().remove(0);
    let names: Vec<_> = against.settings.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["Maximum length", "Assignment", "Weight"]);
    let read = against
        .figures
        .iter()
        .map(|d| (d.figure, d.shown.clone(), d.verdict));
    let [idle, step, ..] = &read.collect::<Vec<_>>()[..] else {
        panic!("{against:?}")
    };
    assert_eq!(
        (idle.0, &idle.1, idle.2),
        (
            "idle",
            &["17.1 %".to_owned(), "0.05 %".to_owned()],
            Verdict::Better
        )
    );
    assert_eq!(step.1, ["1.21×", "1.00×"]);

    let hash = other.hash();
    assert!(
        hash.contains("pin.data=sharegpt_8k_llama2&pin.limit=8192"),
        "{hash}"
    );
    let opened = AppState::default()
        .reduce(Action::Navigate(hash.clone()))
        .reduce(load("sharegpt_8k_llama2"));
    let (name, sizes) = (
        pin::missing(&opened.ranks.pins).0.unwrap().to_owned(),
        built_in("sharegpt_8k_llama2"),
    );
    let source = Source::Preset(Preset::find(&name).unwrap());
    let opened = opened.reduce(Action::Pin(pin::Action::Found(
        name,
        source,
        Rc::new(sizes),
        None,
    )));
    let of = |state: &AppState| {
        (
            state.ranks.pins[0].settings.clone(),
            state.ranks.pins[0].figures,
        )
    };
    assert!(
        of(&pins_told(opened)) == of(&other),
        "the link has another result"
    );

    let back = other.reduce(Action::Pin(pin::Action::Swap(0)));
    assert_eq!(back.ranks_settings(), pinned.ranks_settings());
    assert_eq!(back.ranks.pins[0].settings, other.ranks_settings());
    assert!(
        back.is_ranked(),
        "the same data and settings have their answer"
    );

    // With another model its work is another.
    let model = other.reduce(Action::SpeedUp(speedup::Action::Transformer(
        &presets::TRANSFORMERS[3],
    )));
    assert_eq!(
        model.ranks.pins[0].settings.model,
        model.ranks_settings().model
    );
    assert_eq!(model.ranks.pins[0].figures, None);
}

/// The hours are of sequences by themselves, and say so, unless packed rows are dealt.
#[test]
fn hours_say_whether_sequences_are_packed() {
    let state = loaded("wikipedia_bert_512");
    let lengths = Rc::clone(&state.sequences.data.as_ref().unwrap().histogram);
    let cost = |unit| {
        let settings = ranks::Settings {
            unit,
            steps: 4,
            ..state.ranks_settings()
        };
        let report = ranks::run(&lengths, &settings).unwrap();
        state.ranks_cost(&settings, &report).unwrap()
    };
    let [sequences, rows] = [ranks::RankUnit::Sequences, ranks::RankUnit::Rows].map(cost);
    assert_eq!(
        [sequences.of, rows.of],
        ["sequences unpacked", "sequences in packed rows"]
    );
    let told = "not packed into rows: the hours are not those of packed rows";
    assert!(sequences.assumed.contains(told), "{}", sequences.assumed);
    assert!(
        !rows.assumed.contains(told) && rows.assumed.ends_with("starting kernels."),
        "{}",
        rows.assumed
    );
}

/// Whatever is set: the advice beats what is set by a percent, no way on screen beats it by a percent, and once it is taken
/// nothing is left to change.
#[test]
fn advice_on_ranks_is_beaten_by_no_row_on_screen() {
    let cases: [&[(&str, &str)]; 6] = [
        &[],
        &[("ranks", "64")],
        &[("waiting", "micro-batch"), ("accumulation", "4")],
        &[("dealing", "greedy"), ("weight", "tokens")],
        &[("library", "nemo-rl-dynamic")],
        &[("unit", "rows")],
    ];
    for (name, case) in ["sharegpt_8k_llama2", "alpaca_5000", "glue_rte"]
        .into_iter()
        .flat_map(|name| cases.map(|case| (name, case)))
    {
        // Few steps: the table is of the same, and simulating it takes longest.
        let mut state = set(&loaded(name), "steps", "12");
        for (id, text) in case {
            let id = packscope::api::fields::ranks::ALL
                .iter()
                .map(|field| field.value.id)
                .find(|known| known == id)
                .unwrap();
            state = set(&state, id, text);
        }
        let state = answered_whole(state);
        let verdict = state.ranks_verdict().unwrap();
        let of = format!("{name}, {case:?}: {}", verdict.sentence);
        let now = verdict.now.as_ref().unwrap();
        let (plan, at) = (
            verdict.then.as_ref().unwrap_or(now),
            state.ranks_settings().waiting,
        );
        let table = state.dealings().unwrap();
        for row in &table.rows {
            let factor = findings::of_row(row, at);
            assert!(factor > plan.charge * 0.985, "{of}: {row:?}");
        }
        let Some(then) = &verdict.then else {
            assert!(verdict.sentence.ends_with("Nothing to change."), "{of}");
            continue;
        };
        assert!(then.charge <= now.charge * 0.99, "{of}");
        assert!(then.hours <= now.hours && then.money <= now.money, "{of}");
        let words = format!("With {}: ", then.change.words);
        assert!(verdict.sentence.contains(&words), "{of}");
        let state = answered_whole(taken(&state, &verdict));
        let met = findings::factor_of(state.ranked().unwrap().report);
        assert!((met / then.charge - 1.0).abs() < 0.01, "{of}: {met}");
        let again = state.ranks_verdict().unwrap();
        // What is left is a change of a larger kind, which the first one leaves worth making.
        let larger = |next: &Outcome| next.change.effort > then.change.effort;
        assert!(
            again.then.as_ref().is_none_or(larger),
            "{of}, then {}",
            again.sentence
        );
    }
}

#[test]
fn schedulers_and_libraries_lead_to_each_other() {
    let state = loaded("glue_cola");
    assert_eq!(state.library_of_scheduler(), None);
    assert_eq!(state.scheduler_of_library(), None);
    for scheduler in Scheduler::ALL {
        let state = set(&state, "library", scheduler.name());
        let (id, title) = state.library_of_scheduler().unwrap();
        assert_eq!(title, scheduler.short_name());
        let chosen = Trained::Choose(Some(id.to_owned()));
        let state = state.reduce(Action::Trainer(View::Sequences, chosen));
        let back = state.scheduler_of_library().unwrap();
        assert_eq!(back.short_name(), title);
        // What a new installation has: the cap holds from 0.9.1 on.
        assert!(back != Scheduler::Verl, "{back:?}");
    }
    let none = Trained::Choose(Some("axolotl".to_owned()));
    let state = state.reduce(Action::Trainer(View::Sequences, none));
    assert_eq!(state.scheduler_of_library(), None);
}
