//! Tokens and attention as the two components of a view, from a press to the words: attention has no slots, so none are
//! empty, and its limit bounds how uneven packs can be.

use packscope::api::tuple::{Settings, evaluate, run_on};
use packscope::histogram::{Attention, Histogram, Overlong, Preset};
use packscope::packing::go_on;
use packscope::packing::tuple::TupleAlgorithm;
use packscope_page::state::custom::Custom;
use packscope_page::state::graphs::{Action as Graphs, GraphAnswer, findings};
use packscope_page::state::{Action, AppState, DataName, Source, Ticket, View, data_of};
use std::rc::Rc;

/// A built-in set of sequences at a limit, in the view of ranks.
fn sequences(name: &str, limit: u32) -> AppState {
    let preset = Preset::find(name).unwrap();
    let lengths = Rc::new(crate::common::built_in(name));
    let state = AppState::default().reduce(Action::Navigate("view=ranks&unit=rows".to_owned()));
    state.reduce(Action::Loaded(Source::Preset(preset), lengths, Some(limit)))
}

fn after(state: &AppState, actions: Vec<Action>) -> AppState {
    actions
        .into_iter()
        .fold(state.clone(), |state, action| state.reduce(action))
}

fn answer(state: &AppState, algorithm: TupleAlgorithm) -> GraphAnswer {
    let data = state.graphs.data.as_ref().unwrap();
    let settings = Settings {
        algorithm,
        ..state.graphs.settings.clone()
    };
    let report = run_on(&data.histogram, &settings, 100, &mut go_on).unwrap();
    GraphAnswer {
        ticket: Ticket {
            data: data.version,
            number: 1,
        },
        report,
        seconds: 0.0,
    }
}

#[test]
fn rows_open_under_a_limit_of_attention_that_evens_them_out() {
    let state = sequences("gsm8k_train", 2048);
    let state = after(&state, state.attention());
    assert_eq!((state.view, state.problem.as_deref()), (View::Graphs, None));
    let (words, data) = (state.graphs.words(), state.graphs.data.as_ref().unwrap());
    assert_eq!(
        (words.items, words.singular(0), words.singular(1)),
        ("sequences", "token", "attention")
    );
    assert_eq!(words.names(), ["tokens", "units of attention"]);
    assert_eq!(
        words.say("Limit of {edges}, {Edge} limit, {Second} only"),
        "Limit of units of attention, Attention limit, Attention only"
    );
    // A tenth above the mean of full packs.
    let [tokens, attention] = state.graphs.limits();
    let total = data.histogram.total();
    let full = 2048.0 * total[1] as f64 / total[0] as f64;
    assert_eq!((tokens, attention), (2048, (1.1 * full).ceil() as u32));
    assert!(state.graphs.largest_limits()[1] > attention && state.graphs.coverings().is_empty());
    let (said, even) = state.graphs.of_attention().unwrap();
    assert_eq!(
        said,
        "A sequence of L tokens has L² pairs of tokens in attention, each a unit."
    );
    assert_eq!(even, [tokens, attention]);
    // Both limits, and that of tokens alone: the largest row has 1.11 times the mean instead of 2.30.
    let [both, alone] = [TupleAlgorithm::Optimal, TupleAlgorithm::NodesOnly]
        .map(|algorithm| answer(&state, algorithm));
    let second =
        |answer: &GraphAnswer| findings::of_second(&answer.report.figures, &words).concat();
    assert_eq!(
        second(&both),
        ", and no pack has more than\u{a0}1.11× the mean attention"
    );
    let uneven: f64 = second(&alone)
        .split(['\u{a0}', '×'])
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    assert!((2.0..3.0).contains(&uneven), "{uneven}");
    let more = both.report.figures.packs as f64 / alone.report.figures.packs as f64;
    assert!(more < 1.01, "{more}");
    // The link has the data, under the same names.
    let hash = state.hash();
    let DataName::Carried(carried) = data_of(&hash, View::Graphs) else {
        panic!("{hash}")
    };
    assert_eq!(
        Custom::read(carried).unwrap().components,
        ["tokens", "attention"]
    );
    assert_eq!(data.source.title(), "GSM8K, training: tokens and attention");
}

#[test]
fn attention_has_no_slots_in_any_sentence() {
    let state = sequences("gsm8k_train", 2048);
    let mut state = after(&state, state.attention());
    let words = state.graphs.words();
    let packed = answer(&state, TupleAlgorithm::BestFit);
    let f = &packed.report.figures;
    assert_eq!(
        findings::of_baseline(f, &words),
        "One sequence to a pack, 92.1 % of token slots are "
    );
    let mut said = vec![
        findings::announced(&packed.report, &words),
        findings::of_packs(f, &words),
        findings::of_others(&state.graphs),
    ];
    assert!(
        said[1].starts_with("Packs are full of tokens, and none has more than 1.2"),
        "{}",
        said[1]
    );
    // The sweep tries limits of attention alone.
    let [tokens, attention] = state.graphs.ranges();
    assert_eq!((tokens.len(), tokens.from), (1, 2048));
    assert!(attention.from < state.graphs.limits()[1] && attention.to > state.graphs.limits()[1]);
    state = state.reduce(Action::Graphs(Graphs::Algorithm(TupleAlgorithm::BestFit)));
    state = state.reduce(Action::Graphs(Graphs::Start));
    let settings = state.graphs.sweep_settings();
    let data = Rc::clone(&state.graphs.data.as_ref().unwrap().histogram);
    let tried = attention
        .values()
        .map(|limit| evaluate(&data, &settings, [2048, limit]).unwrap())
        .collect();
    state = state.reduce(Action::Graphs(Graphs::Swept(
        state.graphs.course.run,
        tried,
        true,
    )));
    let best = state.graphs.course.best().unwrap();
    said.extend([
        findings::of_sweep(&state.graphs),
        findings::point(best, &words),
        findings::of_missed(&state.graphs, "99.99 %"),
    ]);
    said.extend([
        findings::of_filled(&state.graphs, best),
        findings::of_instead(best, &words),
    ]);
    said.extend(state.limits_advice().map(|advice| advice.reason));
    for said in said {
        let slots_of_tokens = said.replace("token slots", "");
        assert!(
            !slots_of_tokens.contains("slot") && !said.contains("and units of attention"),
            "{said}"
        );
        assert!(
            !said.contains("full") || said.contains("full of tokens"),
            "{said}"
        );
    }
}

#[test]
fn overlong_sequences_are_cut_before_their_attention_is_counted() {
    let lengths = Histogram::from_lengths([(10, 3), (300, 1)]).unwrap();
    let source = || Source::Kept {
        name: "Four".to_owned(),
        components: vec![],
    };
    let state = AppState::default().reduce(Action::Loaded(source(), Rc::new(lengths), Some(100)));
    let sizes = |state: &AppState| {
        state
            .graphs
            .data
            .as_ref()
            .unwrap()
            .histogram
            .entries()
            .to_vec()
    };
    assert_eq!(
        sizes(&after(&state, state.attention())),
        [([10, 100], 3), ([100, 10_000], 1)]
    );
    let dropped = state.reduce(Action::Set("overlong", Overlong::Drop.name().to_owned()));
    assert_eq!(
        sizes(&after(&dropped, dropped.attention())),
        [([10, 100], 3)]
    );
    let refused = state.reduce(Action::Set("overlong", Overlong::Reject.name().to_owned()));
    let refused = after(&refused, refused.attention());
    assert!(
        refused
            .problem
            .unwrap()
            .starts_with("Four: tokens and attention: ")
    );
    assert!(AppState::default().attention().is_empty());
}

#[test]
fn groups_share_the_prompt_of_a_pair() {
    let load = |components: [&str; 2]| {
        let sizes = Histogram::from_counts([([100, 20], 3), ([50, 10], 1)]).unwrap();
        let source = Source::Kept {
            name: "Rollouts".to_owned(),
            components: components.map(str::to_owned).into(),
        };
        AppState::default().reduce(Action::Graphs(Graphs::Loaded(
            source,
            Rc::new(sizes),
            [true; 2],
        )))
    };
    let state = load(["prompt", "response"]);
    assert!(state.graphs.are_pairs() && !load(["tokens", "attention ÷ 4"]).graphs.are_pairs());
    // 3 · 260 + 130 tokens instead of 3 · 960 + 480.
    let said = state.graphs.saving(8).unwrap();
    assert!(
        said.starts_with("Sharing saves 72.9 % of the tokens and "),
        "{said}"
    );
    assert!(state.graphs.saving(0).is_err() && after(&state, state.groups(0)).problem.is_some());
    let state = after(&state, state.groups(8));
    let (data, words) = (state.graphs.data.as_ref().unwrap(), state.graphs.words());
    assert_eq!(
        data.histogram.entries(),
        [([130, 11_300], 1), ([260, 45_200], 3)]
    );
    assert_eq!(
        (data.source.title(), words.items),
        ("Rollouts: groups of 8 that share their prompt", "groups")
    );
    assert_eq!(state.graphs.limits(), [260, 46_169]);
    assert!(!state.graphs.are_pairs() && state.groups(8).is_empty());
    // No model of graphs is priced.
    assert!(state.speedup_cases().is_empty());
}

#[test]
fn attention_is_told_by_the_name_of_its_component() {
    for attention in [false, true]
        .into_iter()
        .flat_map(|grouped| [1, 4].map(|unit| Attention { grouped, unit }))
    {
        assert_eq!(Attention::named(&attention.to_string()), Some(attention));
    }
    assert_eq!(
        Attention::named(Attention::UNITS),
        Some(Attention {
            grouped: false,
            unit: 1
        })
    );
    for other in [
        "edges",
        "attentions",
        "attention ÷ 0",
        "attention ÷",
        "attention of heads",
        "",
    ] {
        assert_eq!(Attention::named(other), None, "{other}");
    }
}
