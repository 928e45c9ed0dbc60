//! The page's state: the answers shown, the contents of the address, the titles.

use crate::common::built_in;
use crate::heard;
use packscope::api::{PackingSettings, Settings, run_on};
use packscope::cost::{Memory, Method, Overhead, Workload, presets};
use packscope::histogram::{Histogram, Overlong, Preset, Spread};
use packscope::ingest;
use packscope::packing::{Algorithm, Depth, go_on};
use packscope::sampler::Sampler;
use packscope_page::state::{
    Action, AppState, Baseline, DEPTHS, DataName, Source, StudyAnswer, Tab, Theme, Ticket, View,
    data_of, findings, has, speedup,
};
use proptest::prelude::*;
use std::rc::Rc;

fn loaded() -> AppState {
    with(Preset::FIRST)
}

fn with(preset: &'static Preset) -> AppState {
    let histogram = Rc::new(built_in(preset.id));
    AppState::default().reduce(Action::Loaded(
        Source::Preset(preset),
        histogram,
        Some(preset.limit()),
    ))
}

fn answer(state: &AppState, number: u64) -> Rc<StudyAnswer> {
    let data = state.sequences.data.as_ref().unwrap();
    let report = run_on(&data.histogram, &state.sequences.settings, 100, &mut go_on).unwrap();
    Rc::new(StudyAnswer {
        ticket: Ticket {
            data: data.version,
            number,
        },
        report,
        seconds: 0.0,
    })
}

#[test]
fn an_older_answer_never_replaces_a_newer_one() {
    let one = loaded().reduce(Action::Depth(Depth::AtMost(2)));
    let two = one.reduce(Action::Depth(Depth::AtMost(3)));
    let (older, newer) = (answer(&one, 1), answer(&two, 2));
    let state = two
        .reduce(Action::Heard(heard::answered(newer)))
        .reduce(Action::Heard(heard::answered(older)));
    assert_eq!(
        state
            .sequences
            .answer
            .as_ref()
            .unwrap()
            .report
            .settings
            .depth,
        Depth::AtMost(3)
    );
    assert!(state.sequences.is_current());
}

#[test]
fn an_answer_about_other_data_changes_nothing() {
    let state = loaded();
    let late = answer(&state, 9);
    let small = Rc::new(Histogram::from_counts([([3], 2)]).unwrap());
    let next = state.reduce(Action::Loaded(
        Source::Preset(&Preset::ALL[1]),
        small,
        Some(4),
    ));
    assert!(
        next.reduce(Action::Heard(heard::answered(late)))
            .sequences
            .answer
            .is_none()
    );
}

#[test]
fn an_answer_ahead_of_its_table_leaves_the_table_on_show_alone() {
    let state = squad();
    let shown = Rc::clone(&state.sequences.comparison);
    let moved = state.reduce(Action::Limit(200));
    let ahead = moved.reduce(Action::Heard(heard::answered(answer(&moved, 2))));
    let row = ahead.sequences.settings.row();
    assert!(
        Rc::ptr_eq(&ahead.sequences.comparison, &shown),
        "the table would be drawn anew"
    );
    assert!(!ahead.sequences.is_compared() && ahead.sequences.is_answered(row));
}

/// SQuAD at depth 3, with LPFHP's answer and its row of the table.
fn squad() -> AppState {
    let squad = Preset::find("squad_1_1_bert_384").unwrap();
    let state = loaded()
        .reduce(Action::Loaded(
            Source::Preset(squad),
            Rc::new(built_in(squad.id)),
            Some(384),
        ))
        .reduce(Action::Depth(Depth::AtMost(3)));
    let lpfhp = answer(&state, 1);
    let point = lpfhp.report.figures.clone();
    let key = (Algorithm::Lpfhp, Depth::AtMost(3));
    let compared = Action::Heard(heard::compared(
        lpfhp.ticket,
        state.sequences.settings.clone(),
        vec![(key, point)],
    ));
    state
        .reduce(Action::Heard(heard::answered(lpfhp)))
        .reduce(compared)
}

fn optimum(state: &AppState, number: u64) -> Rc<StudyAnswer> {
    answer(&state.reduce(Action::Algorithm(Algorithm::Optimal)), number)
}

#[test]
fn the_optimum_raises_the_bound_of_what_is_shown_and_is_at_hand_when_chosen() {
    let state = squad();
    let bound = |state: &AppState| {
        state
            .sequences
            .answer
            .as_ref()
            .unwrap()
            .report
            .figures
            .lower_bound
    };
    assert_eq!(bound(&state), Some(39_775));
    let ticket = state.sequences.answer.as_ref().unwrap().ticket;
    let searching = state.reduce(Action::Heard(heard::found(
        ticket,
        state.sequences.settings.clone(),
        40_300,
        40_100,
    )));
    assert_eq!(
        (bound(&searching), searching.sequences.is_search_over()),
        (Some(40_100), false)
    );
    assert!(
        searching
            .sequences
            .searching()
            .is_some_and(|f| (f.packs, f.bound) == (40_300, 40_100))
    );
    let stopped = searching.reduce(Action::Heard(heard::stopped()));
    assert_eq!(
        (bound(&stopped), stopped.sequences.searching()),
        (Some(40_100), None)
    );
    let proven = searching.reduce(Action::Heard(heard::proven(optimum(&state, 2))));
    assert!(proven.sequences.searching().is_none() && proven.sequences.is_search_over());
    assert_eq!(
        (
            bound(&proven),
            proven
                .sequences
                .answer
                .as_ref()
                .unwrap()
                .report
                .figures
                .packs
        ),
        (Some(40_195), 40_631)
    );
    let point = proven
        .sequences
        .row((Algorithm::Lpfhp, Depth::AtMost(3)))
        .unwrap();
    assert_eq!(point.figures.lower_bound, Some(40_195));
    let chosen = proven.reduce(Action::Algorithm(Algorithm::Optimal));
    assert!(chosen.sequences.is_current());
    assert_eq!(
        chosen.sequences.answer.unwrap().report.figures.packs,
        40_195
    );
    // The answer is of other data until theirs is there.
    let named = state.reduce(Action::Loaded(
        Source::Preset(Preset::FIRST),
        Rc::new(built_in(Preset::FIRST.id)),
        None,
    ));
    assert!(!state.is_of_other_data() && named.is_of_other_data());
    // At another depth nothing is known yet.
    assert!(
        !proven
            .reduce(Action::Depth(Depth::AtMost(4)))
            .sequences
            .is_search_over()
    );
}

/// Neither a search that goes on, nor one that was cancelled or ran out of time, has proven its plan.
#[test]
fn the_optimum_is_called_proven_only_where_no_gap_is_left() {
    let state = squad();
    let settings = state.sequences.settings.clone();
    let proof = |state: &AppState| state.sequences.proof((Algorithm::Optimal, settings.depth));
    let best = optimum(&state, 2);
    let mut short = (*best).clone();
    short.report.figures.packs += 39;
    let short = Rc::new(short);
    assert_eq!(proof(&state), None);
    let found = heard::found(
        best.ticket,
        settings.clone(),
        short.report.figures.packs,
        40_100,
    );
    let searching = state
        .reduce(Action::Heard(found))
        .reduce(Action::Heard(heard::better(Rc::clone(&short))));
    assert_eq!(proof(&searching), Some("not proven yet"));
    assert_eq!(
        proof(&searching.reduce(Action::Heard(heard::stopped()))),
        Some("not proven")
    );
    assert_eq!(
        proof(&searching.reduce(Action::Heard(heard::proven(short)))),
        Some("not proven")
    );
    let cancelled = searching.reduce(Action::Cancelled);
    assert_eq!(proof(&cancelled), Some("search cancelled"));
    let bound = |state: &AppState| {
        state
            .sequences
            .answer
            .as_ref()
            .unwrap()
            .report
            .figures
            .lower_bound
    };
    assert!(
        bound(&cancelled) == bound(&searching) && bound(&cancelled) >= Some(40_100),
        "the bound stays"
    );
    // It goes on when that is asked for, or as soon as there is more to be said of it.
    let on = cancelled.reduce(Action::GoOn);
    assert_eq!((proof(&on), on.background.resumed), (Some("not proven"), 1));
    let other = cancelled.reduce(Action::Depth(Depth::AtMost(2)));
    assert!(!other.sequences.is_cancelled() && on.search().is_some());
    let proven = searching.reduce(Action::Heard(heard::proven(best)));
    assert_eq!(proof(&proven), Some("proven"));
    assert_eq!(proof(&proven.reduce(Action::Cancelled)), Some("proven"));
    assert_eq!(
        proven.sequences.proof((Algorithm::Lpfhp, settings.depth)),
        None
    );
    // What is said of an algorithm whatever it has found claims no proof.
    let tuple = packscope::packing::tuple::TupleAlgorithm::ALL.map(|a| a.about());
    assert!(
        Algorithm::ALL
            .map(Algorithm::about)
            .iter()
            .chain(&tuple)
            .all(|about| !about.contains("proven"))
    );
}

#[test]
fn a_heuristic_stands_in_for_the_optimum_until_it_is_there() {
    let chosen = squad().reduce(Action::Algorithm(Algorithm::Optimal));
    assert!(!chosen.sequences.is_current() && !chosen.sequences.is_interim());
    let average = answer(
        &chosen.reduce(Action::Algorithm(Algorithm::AverageTarget)),
        2,
    );
    let interim = chosen.reduce(Action::Heard(heard::answered(Rc::clone(&average))));
    assert!(interim.sequences.is_interim() && !interim.sequences.is_current());
    let better = interim.reduce(Action::Heard(heard::better(optimum(&interim, 3))));
    assert!(better.sequences.is_current() && !better.sequences.is_search_over());
    // What stands in does not come back.
    let late = StudyAnswer {
        ticket: Ticket {
            number: 9,
            ..average.ticket
        },
        ..(*average).clone()
    };
    let after = better.reduce(Action::Heard(heard::answered(Rc::new(late))));
    assert_eq!(
        after.sequences.answer.unwrap().report.settings.algorithm,
        Algorithm::Optimal
    );
}

#[test]
fn a_bound_holds_for_shallower_packs_too() {
    let state = squad();
    let deep = state.reduce(Action::Depth(Depth::Unlimited));
    let optimum = optimum(&deep, 3);
    let point = optimum.report.figures.clone();
    let points = vec![((Algorithm::Optimal, Depth::Unlimited), point)];
    let state = state.reduce(Action::Heard(heard::compared(
        optimum.ticket,
        optimum.report.settings.clone(),
        points,
    )));
    assert_eq!(
        state.sequences.answer.unwrap().report.figures.lower_bound,
        Some(40_195)
    );
}

#[test]
fn bad_data_leave_what_was_there() {
    let state = loaded();
    let state = state.reduce(Action::Heard(heard::answered(answer(&state, 1))));
    let after = state.reduce(Action::Unreadable("x.csv: line 1".to_owned()));
    assert_eq!(
        (&after.sequences.data, &after.sequences.answer),
        (&state.sequences.data, &state.sequences.answer)
    );
    assert_eq!(after.reduce(Action::Dismiss), state);
}

#[test]
fn a_set_that_did_not_come_is_told_until_data_come() {
    let state = loaded();
    let preset = Preset::find("glue_cola").unwrap();
    let after = state.reduce(Action::Absent(Some(preset)));
    assert_eq!(
        (after.absent, &after.sequences.data),
        (Some(preset), &state.sequences.data)
    );
    assert_eq!(after.reduce(Action::Dismiss), state);
    let histogram = Rc::new(built_in(preset.id));
    let come = after.reduce(Action::Loaded(
        Source::Preset(preset),
        histogram,
        Some(preset.limit()),
    ));
    assert_eq!(come.absent, None);
}

#[test]
fn a_change_of_the_accelerator_prices_anew_and_packs_nothing() {
    let state = loaded();
    let state = state
        .reduce(Action::Heard(heard::answered(answer(&state, 1))))
        .reduce(Action::Overhead(Overhead::Own(0.5)));
    let figures = &state.sequences.answer.as_ref().unwrap().report.figures;
    assert_eq!(figures.realised_speedup, Some(figures.packing_factor / 1.5));
    assert!(
        state.sequences.is_current(),
        "the same packs answer the new price"
    );
}

#[test]
fn links_hold_every_setting() {
    let all = loaded()
        .reduce(Action::Limit(384))
        .reduce(Action::Depth(Depth::AtMost(5)))
        .reduce(Action::Algorithm(Algorithm::Greedy))
        .reduce(Action::Set("overlong", "split".to_owned()))
        .reduce(Action::Set("align", "8".to_owned()))
        .reduce(Action::Set("seed", "42".to_owned()))
        .reduce(Action::Overhead(Overhead::Own(0.07)))
        .reduce(Action::Room(Tab::Compare))
        .reduce(Action::Theme(Theme::Dark))
        .reduce(Action::LogCounts(true))
        .reduce(Action::Lengths(Spread::Even))
        .reduce(Action::LogPadding(false));
    let hash = all.hash();
    assert_eq!(
        hash,
        "data=wikipedia_bert_512&limit=384&depth=5&algorithm=greedy&overlong=split&align=8&seed=42&overhead=0.07\
         &counts=log&lengths=even&padding=linear&room=compare&theme=dark"
    );
    assert_eq!(loaded().reduce(Action::Navigate(hash)), all);
}

#[test]
fn lengths_are_spread_where_a_drawing_to_scale_shows_little_or_as_chosen() {
    let of = |name| with(Preset::find(name).unwrap());
    let kinds = [
        "glue_cola",
        "squad_1_1_bert_384",
        "mooncake_conversation",
        "azure_llm_trace_conv",
    ];
    let spreads = [Spread::Linear, Spread::Linear, Spread::Log, Spread::Log];
    assert_eq!(kinds.map(|name| of(name).spread()), spreads);
    for spread in Spread::ALL {
        let chosen = of("mooncake_conversation").reduce(Action::Lengths(spread));
        let hash = chosen.hash();
        assert!(
            chosen.spread() == spread && hash.contains(&format!("&lengths={spread}")),
            "{hash}"
        );
        assert_eq!(
            of("mooncake_conversation").reduce(Action::Navigate(hash)),
            chosen
        );
        let back = chosen.reduce(Action::Restore(of("mooncake_conversation").hash()));
        assert!(
            back.spread() == Spread::Log && !back.hash().contains("lengths"),
            "{}",
            back.hash()
        );
    }
    let unknown = of("glue_cola").reduce(Action::Navigate("lengths=cubic".to_owned()));
    assert_eq!(unknown.spread(), Spread::Linear);
}

#[test]
fn depths_on_offer_reach_the_sequences_of_a_row() {
    for preset in Preset::ALL
        .iter()
        .filter(|preset| preset.generated.is_none())
    {
        let depth = Action::Depth(Depth::Unlimited);
        assert_eq!(
            with(preset).reduce(depth).sequences.depths(),
            DEPTHS,
            "{}",
            preset.id
        );
    }
    let short = Rc::new(Histogram::from_lengths((1..=79).map(|length| (length, 100))).unwrap());
    let source = Source::Preset(Preset::FIRST);
    let state = AppState::default().reduce(Action::Loaded(source, short, Some(512)));
    let at = |limit, depth: &str| {
        let depth = Action::Depth(depth.parse().unwrap());
        let depths = state
            .reduce(Action::Limit(limit))
            .reduce(depth)
            .sequences
            .depths();
        depths
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(at(640, "3"), "1 2 3 4 6 8 12 16 unlimited");
    assert_eq!(at(800, "unlimited"), "1 2 4 8 16 32 64 unlimited");
    assert_eq!(at(4000, "3"), "1 2 3 4 8 16 32 64 128 256 unlimited");
    assert_eq!(at(40_000, "unlimited"), "1 2 8 32 128 512 2048 unlimited");
    assert!(at(u32::MAX, "7").split(' ').count() <= 11);
}

#[test]
fn a_link_opens_the_answer_or_the_room_that_it_names() {
    let cost = loaded().reduce(Action::Room(Tab::Cost));
    let follow = |hash: &str| cost.reduce(Action::Navigate(hash.to_owned())).room;
    assert_eq!(follow("data=glue_cola"), Tab::Answer);
    assert_eq!(follow("view=graphs&room=compare"), Tab::Compare);
    assert_eq!(
        (follow("room=all"), follow("room=attic")),
        (Tab::All, Tab::Answer)
    );
    assert_ne!(
        cost.landmark(),
        loaded().landmark(),
        "Back leads to the room before"
    );
    assert!(
        Tab::EACH
            .into_iter()
            .all(|room| Tab::All.shows(room) && room.shows(room))
    );
    assert!(!Tab::Cost.shows(Tab::Compare));
}

#[test]
fn own_data_open_their_answer_and_a_model_that_reads_them() {
    let bring = |state: &AppState, longest: u32| {
        let read = ingest::read::<1>(
            format!("{longest}\n5\n").as_bytes(),
            ingest::Options::default(),
        )
        .unwrap();
        let source = Source::Own {
            name: "mine".to_owned(),
            description: Rc::new(read.description),
        };
        let lengths = Rc::new(Histogram::from_lengths([(longest, 3), (5, 2)]).unwrap());
        state.reduce(Action::Loaded(source, lengths, Some(longest)))
    };
    let cost = loaded().reduce(Action::Room(Tab::Cost));
    let (short, long) = (bring(&cost, 512), bring(&cost, 8192));
    assert_eq!((short.room, long.room), (Tab::Answer, Tab::Answer));
    assert_eq!(
        bring(&cost.reduce(Action::Room(Tab::All)), 9).room,
        Tab::All
    );
    assert_eq!(
        (short.speedup.transformer.id, long.speedup.transformer.id),
        ("bert-large", "llama-3.2-3b")
    );
    // The batch is one that fits the memory, and a model of the visitor's stays.
    let fits = Memory::new(
        &Workload::Transformer(long.speedup.transformer.value),
        long.speedup.assumptions(),
        f64::from(long.sequences.settings.batch) * 8192.0,
    );
    assert!(fits.share <= 1.0, "{}", fits.share);
    let mine = presets::named(presets::TRANSFORMERS, "llama-3.2-1b").unwrap();
    let chosen = bring(
        &cost.reduce(Action::SpeedUp(speedup::Action::Transformer(mine))),
        8192,
    );
    assert_eq!(chosen.speedup.transformer.id, "llama-3.2-1b");
}

#[test]
fn mangled_links_are_taken_for_what_they_say() {
    let state = loaded();
    for hash in [
        "",
        "#",
        "#limit=0&depth=0&algorithm=x&align=-1",
        "#&&==&limit=&data",
        "#limit=9999999999999",
    ] {
        let followed = state.reduce(Action::Navigate(hash.to_owned()));
        assert_eq!(followed.reduce(Action::Dismiss), state, "{hash}");
    }
    assert_eq!(
        data_of("#limit=3&data=glue_cola", View::Sequences),
        DataName::Named("glue_cola")
    );
    assert_eq!(
        (
            data_of("#data=own", View::Sequences),
            data_of("#x", View::Sequences)
        ),
        (DataName::Own, DataName::Absent)
    );
    assert!(
        has("#limit=7", View::Sequences, "limit") && !has("#limit=0", View::Sequences, "limit")
    );
}

proptest! {
    #[test]
    fn any_hash_is_survived_and_round_trips(hash in "[a-z0-9=&#.,-]{0,60}") {
        let state = loaded().reduce(Action::Navigate(hash)).reduce(Action::Dismiss);
        prop_assert_eq!(loaded().reduce(Action::Navigate(state.hash())), state);
    }
}

#[test]
fn titles_say_what_is_seen() {
    let state = loaded();
    let report = answer(&state, 1).report.clone();
    assert_eq!(
        findings::share_in_words(report.figures.baseline_padding_share()),
        "Half"
    );
    assert_eq!(findings::share_in_words(0.62), "62.0 %");
    let h = built_in("wikipedia_bert_512");
    assert_eq!(
        findings::of_lengths(&h, 512, "tokens"),
        "23 % of the sequences fill the row; half have 204 tokens or fewer"
    );
    let cola = built_in("glue_cola");
    assert_eq!(
        findings::of_lengths(&cola, 128, "tokens"),
        "Half of the sequences have 10 tokens or fewer: a row has room for 13 of them"
    );
    let three = run_on(
        &h,
        &Settings {
            depth: Depth::AtMost(3),
            ..Settings::default()
        },
        100_000,
        &mut go_on,
    );
    assert_eq!(
        findings::of_rows(&three.unwrap()),
        "43 % of the rows hold one sequence, 35 % two, 22 % three"
    );
}

#[test]
fn the_title_of_the_strategies_counts_those_that_carry_half() {
    let state = loaded();
    let report = answer(&state, 1).report.clone();
    assert_eq!(
        findings::of_strategies(&report),
        "16 of 670 row shapes carry half of all rows"
    );
    let (n, share) = findings::carrying_half(&report).unwrap();
    let carried: u64 = report
        .strategies
        .iter()
        .take(n as usize)
        .map(|s| s.count)
        .sum();
    let last = report.strategies[n as usize - 1].count;
    assert!(2 * carried >= report.figures.packs && 2 * (carried - last) < report.figures.packs);
    assert_eq!(share, carried as f64 / report.figures.packs as f64);
    let more = findings::of_other_strategies(&report, 10);
    assert_eq!(
        more.as_deref(),
        Some("660 more shapes have 51.1 % of all rows.")
    );
    let why = findings::why_no_matrix(&report);
    assert_eq!(
        why.as_deref(),
        Some("The strategy matrix is drawn for limits up to 64.")
    );
}

#[test]
fn few_and_many_strategies_have_titles_too() {
    let of = |counts: &[(u32, u64)], algorithm, listed| {
        let h = Histogram::from_counts(counts.iter().map(|&(l, n)| ([l], n))).unwrap();
        let settings = Settings {
            limit: 8,
            algorithm,
            ..Settings::default()
        };
        run_on(&h, &settings, listed, &mut go_on).unwrap()
    };
    let title = |counts: &[(u32, u64)]| findings::of_strategies(&of(counts, Algorithm::Lpfhp, 100));
    assert_eq!(
        title(&[(3, 1), (5, 1), (8, 1)]),
        "No two rows have the same shape"
    );
    assert_eq!(title(&[(4, 6)]), "All rows have the same shape");
    assert_eq!(
        title(&[(3, 1), (5, 1), (8, 3)]),
        "One of 2 row shapes carries 75.0 % of all rows"
    );
    let all = of(&[(3, 1), (5, 1), (8, 3)], Algorithm::Lpfhp, 100);
    assert_eq!(findings::of_other_strategies(&all, 2), None);
    let more = findings::of_other_strategies(&all, 1);
    assert_eq!(
        more.as_deref(),
        Some("One more shape has 25.0 % of all rows.")
    );
    assert_eq!(findings::why_no_matrix(&all), None);
    // Of what is packed item by item, only so many shapes are kept.
    let unlisted = of(&[(1, 40), (2, 40), (3, 40), (5, 40)], Algorithm::Greedy, 2);
    assert!(findings::of_strategies(&unlisted).starts_with("The 2 row shapes in the list carry "));
    let left = findings::of_other_strategies(&unlisted, 2).unwrap();
    assert!(
        left.starts_with("Shapes that are not listed have "),
        "{left}"
    );
    assert!(
        findings::why_no_matrix(&unlisted)
            .unwrap()
            .ends_with("for up to 90 shapes.")
    );
    let sorted = of(&[(3, 1), (5, 1)], Algorithm::Sort, 100);
    assert!(
        findings::why_no_matrix(&sorted)
            .unwrap()
            .starts_with("Sorting")
    );
}

#[test]
fn every_built_in_set_has_words_and_a_source() {
    for preset in Preset::ALL {
        assert!(
            preset.about.ends_with('.') && preset.source.ends_with('.') && preset.limit() > 0,
            "{}",
            preset.id
        );
        assert_eq!(Preset::find(preset.id), Some(preset));
        // Limits are those that trainings have; of Alpaca they cut two sequences in 5,000.
        let data = built_in(preset.id);
        let cut: u64 = data
            .entries()
            .iter()
            .filter(|([l], _)| *l > preset.limit())
            .map(|(_, n)| n)
            .sum();
        assert!(
            cut * 1000 < data.items(),
            "{} is cut by its own limit",
            preset.id
        );
    }
}

/// The state of a built-in set at these settings, with its answer.
fn answered(id: &str, settings: Settings) -> AppState {
    let preset = Preset::find(id).unwrap();
    let histogram = Rc::new(built_in(id));
    let mut state =
        AppState::default().reduce(Action::Loaded(Source::Preset(preset), histogram, None));
    state.sequences.settings = settings;
    let answer = answer(&state, 1);
    state.reduce(Action::Heard(heard::answered(answer)))
}

/// Lengths in characters are never called tokens, from the file to the link.
#[test]
fn the_unit_of_the_file_is_that_of_every_sentence() {
    let csv = "char_len,count\n9,40\n20,8\n50,1\n";
    let read = ingest::read::<1>(csv.as_bytes(), ingest::Options::default()).unwrap();
    let description = Rc::new(read.description);
    let source = Source::Own {
        name: "mine.csv".to_owned(),
        description,
    };
    let histogram = Rc::new(read.histogram);
    for source in [source.without_file(), source] {
        let mut state =
            AppState::default().reduce(Action::Loaded(source, Rc::clone(&histogram), Some(20)));
        state.sequences.settings.limit = 20;
        let answer = answer(&state, 1);
        let state = state.reduce(Action::Heard(heard::answered(answer)));
        let (report, unit) = (
            &state.sequences.answer.as_ref().unwrap().report,
            state.sequences.unit(),
        );
        assert_eq!(unit, "characters");
        let padded = state.padded(Baseline::Limit).unwrap();
        let said = [
            findings::of_waste(report, unit),
            findings::of_baseline(&report.settings, Baseline::Limit, &padded, unit),
            findings::of_optimum(&report.settings, unit),
            findings::of_lengths(&histogram, 20, unit),
        ];
        for words in said {
            assert!(
                words.contains("character") && !words.contains("token"),
                "{words}"
            );
        }
    }
}

#[test]
fn the_headline_says_what_the_limit_costs_and_what_it_compares_with() {
    let settings = Settings {
        limit: 225,
        ..Settings::default()
    };
    let wikipedia = |settings| answered("wikipedia_bert_512", settings);
    let words = |state: &AppState, baseline| {
        let report = &state.sequences.answer.as_ref().unwrap().report;
        let padded = state.padded(baseline).unwrap();
        [
            findings::of_waste(report, state.sequences.unit()),
            findings::of_baseline(&report.settings, baseline, &padded, state.sequences.unit()),
            findings::of_data(report, state.sequences.unit()),
        ]
    };
    let cut = wikipedia(settings.clone());
    let [waste, begins, data] = words(&cut, Baseline::Limit);
    let f = &cut.sequences.answer.as_ref().unwrap().report.figures;
    let lost = f.waste_tokens[0] as f64 / (f.waste_tokens[0] + f.real_tokens[0]) as f64;
    assert!((0.37..0.40).contains(&lost), "{lost}");
    assert_eq!(
        waste,
        format!("{:.1} % of the tokens are cut off at 225. ", lost * 100.0)
    );
    assert!(
        begins.starts_with("Padded to 225 tokens, ") && begins.ends_with(" of every batch is "),
        "{begins}"
    );
    assert_eq!(data, "What is left takes");
    let dropped = wikipedia(Settings {
        overlong: Overlong::Drop,
        ..settings.clone()
    });
    assert!(
        words(&dropped, Baseline::Limit)[0].ends_with(" are dropped, in sequences above 225. ")
    );
    // Pieces lose nothing.
    let [waste, _, data] = words(
        &wikipedia(Settings {
            overlong: Overlong::Split,
            ..settings
        }),
        Baseline::Limit,
    );
    assert!(
        waste.is_empty()
            && data.starts_with("The same tokens, ")
            && data.ends_with(" longer sequences split, take")
    );
    let [waste, begins, data] = words(&wikipedia(Settings::default()), Baseline::Limit);
    assert_eq!(
        [waste.as_str(), &begins, &data],
        [
            "",
            "Padded to 512 tokens, half of every batch is ",
            "The same data takes"
        ]
    );
}

#[test]
fn padding_and_speed_up_follow_the_baseline_that_the_address_holds() {
    // Alpaca pads 90 % of rows of 512, and 61 % of random batches of 32.
    let settings = Settings {
        batch: 32,
        overhead: Overhead::Free,
        ..Settings::default()
    };
    let state = answered("alpaca_5000", settings).reduce(Action::Batch(32));
    assert!(!state.hash().contains("baseline="), "{}", state.hash());
    let f = &state.sequences.answer.as_ref().unwrap().report.figures;
    let [batches, limit] = Baseline::ALL.map(|b| state.padded(b).unwrap());
    assert_eq!(state.compared_with(), Some(batches));
    assert!(
        (batches.padding_share - 0.609).abs() < 0.002,
        "{}",
        batches.padding_share
    );
    assert!((limit.realised_speedup(f).unwrap() - f.packing_factor).abs() < 1e-9);
    assert!((batches.factor(f) - batches.slots / f.slots[0] as f64).abs() < 1e-12);
    assert!(batches.factor(f) < limit.factor(f));
    // Estimates begin with what the headline compares with.
    let first = |state: &AppState| state.speedup_cases()[0].work.method;
    assert_eq!(first(&state), Method::Batched(Sampler::Random));
    let to_limit = state.clone().reduce(Action::Baseline(Baseline::Limit));
    assert_eq!(first(&to_limit), Method::Padded);
    assert_eq!(to_limit.compared_with(), Some(limit));
    assert!(to_limit.hash().contains("baseline=limit"));
    let linked = AppState::default().reduce(Action::Navigate(to_limit.hash()));
    assert_eq!(linked.baseline, Baseline::Limit);
    let other = state
        .reduce(Action::Batch(64))
        .padded(Baseline::Batches)
        .unwrap();
    assert!(other.padding_share > batches.padding_share);
}
