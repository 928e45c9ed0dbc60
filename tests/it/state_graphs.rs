//! The state of the view of graphs: the answers shown, the contents of the address, the titles.

use crate::common::built_in_graphs;
use crate::heard;
use packscope::api::PackingSettings;
use packscope::api::tuple::{evaluate, evaluate_fast, run_on};
use packscope::bounds::{Bound, BoundKind};
use packscope::cost::Overhead;
use packscope::histogram::{Histogram, Preset};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::packing::{Depth, go_on};
use packscope::sweep::{Range, SweepMethod};
use packscope_page::state::graphs::{
    Action as Graphs, FIRST, GraphAnswer, GraphUpdate, TupleRow, findings,
};
use packscope_page::state::{
    Action, AppState, DataName, GraphState, Source, Ticket, View, data_of, has, view_of,
};
use proptest::prelude::*;
use std::rc::Rc;

fn molecules() -> Rc<Histogram<2>> {
    let csv = include_str!("../../static/datasets/ogbg_molhiv.csv");
    let row = |line: &str| {
        let numbers: Vec<u32> = line
            .split(',')
            .map(|n| n.parse().ok())
            .collect::<Option<_>>()?;
        Some(([numbers[0], numbers[1]], u64::from(numbers[2])))
    };
    Rc::new(Histogram::from_counts(csv.lines().filter_map(row)).unwrap())
}

fn small() -> Rc<Histogram<2>> {
    Rc::new(Histogram::from_counts([([6, 9], 4), ([4, 3], 5), ([10, 20], 1)]).unwrap())
}

/// Other data than the small ones.
fn others() -> Rc<Histogram<2>> {
    Rc::new(Histogram::from_counts([([6, 9], 4), ([10, 20], 2)]).unwrap())
}

fn load(state: &AppState, histogram: Rc<Histogram<2>>) -> AppState {
    act(
        state,
        Graphs::Loaded(Source::Preset(FIRST), histogram, [true; 2]),
    )
}

fn act(state: &AppState, action: Graphs) -> AppState {
    state.reduce(Action::Graphs(action))
}

fn told(state: &AppState, told: GraphUpdate) -> AppState {
    act(state, Graphs::Heard(told))
}

fn loaded() -> AppState {
    load(
        &AppState::default().reduce(Action::View(View::Graphs)),
        small(),
    )
}

fn answer(state: &GraphState, number: u64, algorithm: TupleAlgorithm) -> Rc<GraphAnswer> {
    let data = state.data.as_ref().unwrap();
    let settings = packscope::api::tuple::Settings {
        algorithm,
        ..state.settings.clone()
    };
    let report = run_on(&data.histogram, &settings, 100, &mut go_on).unwrap();
    Rc::new(GraphAnswer {
        ticket: Ticket {
            data: data.version,
            number,
        },
        report,
        seconds: 0.0,
    })
}

/// An answer with a bound that a search has found.
fn bounded(answer: &Rc<GraphAnswer>, packs: u64) -> Rc<GraphAnswer> {
    let mut answer = (**answer).clone();
    answer.report.figures.raise(Bound {
        packs,
        kind: BoundKind::LinearProgram,
    });
    Rc::new(answer)
}

#[test]
fn limits_start_from_the_largest_graph() {
    assert_eq!(load(&loaded(), molecules()).graphs.limits(), [222, 502]);
    let linked = AppState::default().reduce(Action::Navigate("#view=graphs&edges=600".to_owned()));
    let state = act(
        &linked,
        Graphs::Loaded(Source::Preset(FIRST), molecules(), [true, false]),
    );
    assert_eq!(
        (state.graphs.limits(), state.graphs.largest_limits()),
        ([222, 600], [444, 1004])
    );
}

#[test]
fn keys_move_limits_by_steps_and_never_below_one() {
    let state = act(&act(&loaded(), Graphs::Step([2, -1])), Graphs::Step([1, 0]));
    assert_eq!(state.graphs.limits(), [13, 19]);
    assert_eq!(
        act(&state, Graphs::Step([-40, i32::MIN])).graphs.limits(),
        [1, 1]
    );
}

#[test]
fn what_a_link_could_not_open_is_said_until_other_data_are_chosen() {
    let said = AppState::default().reduce(Action::Unreadable("no such data".to_owned()));
    let first = load(&said, small());
    assert!(first.problem.is_some());
    assert!(load(&first, small()).problem.is_none());
}

#[test]
fn ranges_of_a_link_outlast_its_data_and_no_other() {
    let hash = "view=graphs&nodes=10&edges=20&sweep-nodes=10:20:2".to_owned();
    let state = loaded()
        .reduce(Action::Navigate(hash))
        .reduce(Action::Dismiss);
    let followed = act(
        &state,
        Graphs::Loaded(Source::Preset(FIRST), small(), [false; 2]),
    );
    assert_eq!(
        followed.graphs.ranges()[0],
        Range {
            from: 10,
            to: 20,
            step: 2
        }
    );
    assert_ne!(
        load(&followed, small()).graphs.ranges()[0],
        Range {
            from: 10,
            to: 20,
            step: 2
        }
    );
}

#[test]
fn each_view_has_data_of_its_own_and_versions_never_meet() {
    let state = loaded();
    let lengths = Rc::new(Histogram::from_counts([([3], 2)]).unwrap());
    let preset = packscope::histogram::Preset::FIRST;
    let both = state.reduce(Action::Loaded(Source::Preset(preset), lengths, Some(4)));
    assert_eq!(both.graphs.data, state.graphs.data);
    assert!(both.sequences.version() > both.graphs.version());
    assert!(load(&both, others()).graphs.version() > both.sequences.version());
}

#[test]
fn an_older_answer_or_one_about_other_data_changes_nothing() {
    let first = loaded();
    let older = answer(&first.graphs, 1, TupleAlgorithm::BestFit);
    let best = act(&first, Graphs::Algorithm(TupleAlgorithm::BestFit));
    let newer = answer(&best.graphs, 2, TupleAlgorithm::BestFit);
    let state = told(
        &told(&best, heard::answered(newer)),
        heard::answered(Rc::clone(&older)),
    );
    assert_eq!(state.graphs.answer.as_ref().unwrap().ticket.number, 2);
    assert!(state.graphs.is_current());
    assert!(
        told(&load(&first, others()), heard::answered(older))
            .graphs
            .answer
            .is_none()
    );
}

#[test]
fn a_heuristic_that_makes_no_difference_asks_nothing_anew() {
    let state = loaded();
    let state = told(
        &state,
        heard::proven(answer(&state.graphs, 1, TupleAlgorithm::Optimal)),
    );
    assert!(state.graphs.is_current());
    let mut other = state.clone();
    other.graphs.settings.heuristic = Heuristic::Sum;
    assert!(other.graphs.is_current() && other.graphs.is_search_over());
    // Who chooses a heuristic wants to see what it does.
    let chosen = act(&state, Graphs::Heuristic(Heuristic::Sum));
    assert_eq!(chosen.graphs.settings.algorithm, TupleAlgorithm::BestFit);
    assert!(!chosen.graphs.is_current());
}

#[test]
fn heuristics_that_come_to_the_same_are_grouped_once_all_are_known() {
    let state = load(&loaded(), molecules());
    let state = act(&state, Graphs::Limits([222, 502]));
    let published = |h| TupleRow::new(TupleAlgorithm::BestFitPublished, h);
    let points = |heuristics: &[Heuristic]| {
        let point = |h: &Heuristic| {
            let settings = state.graphs.settings.with_row(published(*h));
            (
                published(*h),
                run_on(&molecules(), &settings, 100, &mut go_on)
                    .unwrap()
                    .figures,
            )
        };
        let ticket = Ticket {
            data: state.graphs.version(),
            number: 1,
        };
        let heard = heard::compared(
            ticket,
            state.graphs.settings.clone(),
            heuristics.iter().map(point).collect(),
        );
        told(&state, heard)
    };
    let rows = Heuristic::PUBLISHED.map(published);
    let all = points(&Heuristic::PUBLISHED).graphs;
    let packs = |row: &TupleRow| all.row(*row).unwrap().figures.packs;
    let groups = all.grouped(&rows);
    // Table 2 of *Tuple Packing*, and the true minimum: 3,789 twice, 3,800 twice, two alone.
    let mut counts: Vec<(u64, usize)> = groups.iter().map(|g| (packs(&g[0]), g.len())).collect();
    counts.sort_unstable();
    assert_eq!(counts, [(3789, 2), (3800, 2), (3838, 1), (3917, 1)]);
    assert!(
        groups
            .iter()
            .all(|g| g.iter().all(|row| packs(row) == packs(&g[0])))
    );
    assert_eq!(groups.concat().len(), rows.len());
    // While one is missing none joins another.
    let some = points(&Heuristic::PUBLISHED[1..]).graphs;
    assert!(some.grouped(&rows).iter().all(|group| group.len() == 1));
}

#[test]
fn a_fast_plan_stands_in_for_the_optimum_and_bounds_hold_for_all_that_keep_both_limits() {
    let state = loaded();
    let fast = answer(&state.graphs, 1, TupleAlgorithm::BestFit);
    let packs = fast.report.figures.packs;
    let interim = told(&state, heard::answered(Rc::clone(&fast)));
    assert!(interim.graphs.is_interim() && !interim.graphs.is_current());
    let ticket = fast.ticket;
    let point = |a: TupleAlgorithm| {
        let figures = answer(&state.graphs, 9, a).report.figures.clone();
        (
            TupleRow {
                algorithm: a,
                heuristic: None,
            },
            figures,
        )
    };
    let points = vec![
        point(TupleAlgorithm::NodesOnly),
        point(TupleAlgorithm::None),
    ];
    let compared = told(
        &interim,
        heard::compared(ticket, state.graphs.settings.clone(), points),
    );
    let bound = |state: &AppState, algorithm| {
        state
            .graphs
            .row(TupleRow {
                algorithm,
                heuristic: None,
            })
            .unwrap()
            .figures
            .lower_bound
            .unwrap()
    };
    let free = bound(&compared, TupleAlgorithm::NodesOnly);
    let settings = state.graphs.settings.clone();
    let found = told(&compared, heard::found(ticket, settings, packs, packs));
    assert!(found.graphs.searching().is_some());
    assert_eq!(
        found.graphs.answer.as_ref().unwrap().report.figures.gap,
        Some(0.0)
    );
    assert_eq!(
        (
            bound(&found, TupleAlgorithm::None),
            bound(&found, TupleAlgorithm::NodesOnly)
        ),
        (packs, free)
    );
    let optimum = bounded(&answer(&state.graphs, 3, TupleAlgorithm::Optimal), packs);
    let proven = told(&found, heard::proven(optimum));
    assert!(
        proven.graphs.is_current()
            && proven.graphs.is_search_over()
            && proven.graphs.searching().is_none()
    );
    // It is at hand when it is asked for again.
    let away = act(&proven, Graphs::Algorithm(TupleAlgorithm::None));
    assert!(!away.graphs.is_current());
    assert!(
        act(&away, Graphs::Algorithm(TupleAlgorithm::Optimal))
            .graphs
            .is_current()
    );
    assert!(
        !act(&proven, Graphs::Depth(Depth::AtMost(2)))
            .graphs
            .is_search_over()
    );
}

#[test]
fn the_overhead_prices_anew_and_packs_nothing() {
    let state = loaded();
    let state = told(
        &state,
        heard::proven(answer(&state.graphs, 1, TupleAlgorithm::Optimal)),
    );
    let priced = act(&state, Graphs::Overhead(Overhead::Own(0.5)));
    let figures = &priced.graphs.answer.as_ref().unwrap().report.figures;
    assert_eq!(figures.realised_speedup, Some(figures.packing_factor / 1.5));
    assert!(priced.graphs.is_current());
}

#[test]
fn points_of_a_sweep_stay_when_it_is_cancelled_and_go_with_their_data() {
    let started = act(&loaded(), Graphs::Start);
    let course = &started.graphs.course;
    assert!(course.running && course.swept == Some(started.graphs.ranges()));
    let run = course.run;
    let settings = started.graphs.sweep_settings();
    assert_eq!(
        settings.algorithm,
        TupleAlgorithm::Search,
        "it checks what fast heuristics find"
    );
    let data = &started.graphs.data.as_ref().unwrap().histogram;
    let point = |limits| evaluate(data, &settings, limits).unwrap();
    let swept = act(
        &started,
        Graphs::Swept(run, vec![point([10, 20]), point([12, 20])], false),
    );
    let stopped = act(&swept, Graphs::Stop);
    assert_eq!(
        (
            stopped.graphs.course.points.len(),
            stopped.graphs.course.running
        ),
        (2, false)
    );
    let late = act(&stopped, Graphs::Swept(run, vec![point([14, 20])], false));
    assert_eq!(late.graphs.course.points.len(), 2, "cancelled is cancelled");
    let again = act(&swept, Graphs::Start);
    assert!(again.graphs.course.points.is_empty());
    assert!(
        act(&again, Graphs::Swept(run, vec![point([14, 20])], true))
            .graphs
            .course
            .running
    );
    // Adopting limits does not end it, another depth does, other data take its points too.
    assert!(act(&swept, Graphs::Limits([12, 20])).graphs.course.running);
    let deeper = act(&swept, Graphs::Depth(Depth::AtMost(2)));
    assert!(!deeper.graphs.course.running && !deeper.graphs.is_swept());
    assert_eq!(deeper.graphs.course.points.len(), 2);
    assert!(load(&swept, others()).graphs.course.points.is_empty());
    let failed = act(&swept, Graphs::Unswept(run, "too large".to_owned()));
    assert_eq!(
        (
            failed.graphs.course.running,
            failed.graphs.course.trouble.as_deref()
        ),
        (false, Some("too large"))
    );
}

#[test]
fn links_hold_every_setting_of_both_views() {
    let graphs = [
        Graphs::Limit(0, 300),
        Graphs::Limit(1, 700),
        Graphs::Depth(Depth::Unlimited),
        Graphs::Algorithm(TupleAlgorithm::BestFitPublished),
        Graphs::Heuristic(Heuristic::Product),
        Graphs::Set("overlong", "truncate".to_owned()),
        Graphs::Overhead(Overhead::Own(0.07)),
        Graphs::LinearColours(true),
        Graphs::Range(
            0,
            Range {
                from: 222,
                to: 444,
                step: 10,
            },
        ),
        Graphs::Range(
            1,
            Range {
                from: 502,
                to: 600,
                step: 7,
            },
        ),
        Graphs::Method(SweepMethod::Search),
        Graphs::Target(0.9),
    ];
    let start = load(&AppState::default(), molecules());
    let state = graphs
        .into_iter()
        .fold(start.clone(), |state, action| act(&state, action));
    let state = state
        .reduce(Action::Depth(Depth::AtMost(3)))
        .reduce(Action::View(View::Graphs));
    let hash = state.hash();
    assert_eq!(
        hash,
        "view=graphs&data=ogbg_molhiv&nodes=300&edges=700&depth=unlimited&algorithm=best-fit-published\
         &heuristic=product&overlong=truncate&overhead=0.07&colours=linear&method=search&target=0.9\
         &sweep-nodes=222:444:10&sweep-edges=502:600:7&sequences.depth=3"
    );
    assert_eq!(start.reduce(Action::Navigate(hash)), state);
    // From the other view the same settings are told behind the name of this one.
    let other = state.reduce(Action::View(View::Sequences));
    let hash = other.hash();
    assert!(
        hash.contains("&depth=3&") && hash.contains("&graphs.depth=unlimited&"),
        "{hash}"
    );
    assert_eq!(start.reduce(Action::Navigate(hash)), other);
}

#[test]
fn mangled_links_are_taken_for_what_they_say() {
    let state = loaded();
    for hash in [
        "#view=graphs&nodes=0&edges=x&depth=0&algorithm=lpfhp&heuristic=weighted&overlong=split",
        "#view=graphs&method=x&target=2&sweep-nodes=5:1:1&sweep-edges=1:2:0&graphs.&sequences.=1",
        "#view=graphs&overhead=-1&overhead=nan&sweep-nodes=1:4294967295:1",
    ] {
        let followed = state.reduce(Action::Navigate(hash.to_owned()));
        assert_eq!(followed.reduce(Action::Dismiss), state, "{hash}");
    }
    let hash = "#view=graphs&data=tu_dd&sequences.data=glue_cola&nodes=7&view=x";
    assert_eq!(
        (view_of(hash), view_of("#view=x")),
        (View::Graphs, View::Sequences)
    );
    assert_eq!(data_of(hash, View::Graphs), DataName::Named("tu_dd"));
    assert_eq!(data_of(hash, View::Sequences), DataName::Named("glue_cola"));
    assert!(has(hash, View::Graphs, "nodes") && !has(hash, View::Graphs, "edges"));
}

proptest! {
    #[test]
    fn any_hash_is_survived_and_round_trips(hash in "(view=graphs&)?[a-z0-9=&#.,:-]{0,60}") {
        let state = loaded().reduce(Action::Navigate(hash)).reduce(Action::Dismiss);
        prop_assert_eq!(loaded().reduce(Action::Navigate(state.hash())), state);
    }
}

#[test]
fn the_table_has_a_row_for_what_is_chosen_and_asks_only_for_what_is_missing() {
    let state = loaded();
    let rows = state.graphs.rows();
    assert_eq!((rows.len(), state.graphs.all_rows().len()), (16, 18));
    let weighted = act(
        &state,
        Graphs::Heuristic(Heuristic::Weighted([2.0, 1.0, 0.0])),
    );
    assert!(
        weighted
            .graphs
            .rows()
            .contains(&weighted.graphs.settings.row())
    );
    let answered = told(
        &state,
        heard::answered(answer(&state.graphs, 1, TupleAlgorithm::BestFit)),
    );
    let known = TupleRow::new(TupleAlgorithm::BestFit, state.graphs.settings.heuristic);
    assert!(!answered.graphs.unknown_rows().contains(&known));
    // Besides the table, the heuristics that the control column offers.
    let offered = Heuristic::ALL.len() - Heuristic::PUBLISHED.len() + 1;
    assert_eq!(answered.graphs.unknown_rows().len(), 17 + offered);
    // At other limits all of them are missing again.
    assert_eq!(
        act(&answered, Graphs::Limit(0, 11))
            .graphs
            .unknown_rows()
            .len(),
        18 + offered
    );
}

#[test]
fn titles_say_what_is_seen() {
    let state = load(&loaded(), molecules());
    let words = &state.graphs.words();
    assert_eq!(
        findings::of_sizes(&state.graphs),
        "62 of 32,901 graphs need more than half of a row"
    );
    let cut = act(&state, Graphs::Limits([100, 502]));
    assert_eq!(
        findings::of_sizes(&cut.graphs),
        "82 of 32,901 graphs are outside of the limits"
    );
    let none = answer(&state.graphs, 1, TupleAlgorithm::None);
    assert_eq!(
        findings::of_rows(&none.report.figures, words),
        "no two graphs share a row"
    );
    let mut packed = none.report.figures.clone();
    (packed.packs, packed.packing_factor) = (3744, 32_901.0 / 3744.0);
    assert_eq!(
        findings::of_rows(&packed, words),
        "the same work in a ninth of the rows"
    );
    packed.packing_factor = 1.5;
    assert_eq!(
        findings::of_rows(&packed, words),
        "the same work in 66.7 % of the rows"
    );
    assert_eq!(findings::of_items(&none.report, words), "all 32,901 graphs");
    let dropped = answer(&cut.graphs, 1, TupleAlgorithm::None);
    assert_eq!(
        findings::of_items(&dropped.report, words),
        "32,819 of 32,901 graphs"
    );
    packed.lower_bound = Some(3744);
    let optimal = &state.graphs.settings;
    assert_eq!(
        findings::of_bound(&packed, words, optimal, false),
        "That is proven: no plan needs fewer"
    );
}

/// Checks that every plan in the ranking keeps to both limits and to the bound, and that a plan which ignores a limit is
/// not in it, and does not claim that limit when it is chosen.
fn check_ranking(state: &AppState, also_slow: bool) {
    let (graphs, words) = (&state.graphs, state.graphs.words());
    let (data, limits) = (&graphs.data.as_ref().unwrap().histogram, graphs.limits());
    let run = |row| run_on(data, &graphs.settings.with_row(row), u32::MAX, &mut go_on).unwrap();
    let mut bound = 0;
    for row in graphs.rows() {
        assert!(row.keeps_all_limits(), "{row:?}");
        if row.algorithm.takes_long() && !also_slow {
            continue;
        }
        let report = run(row);
        bound = bound.max(report.figures.lower_bound.unwrap());
        for k in 0..2 {
            let sum = |runs: &[(Vec<u32>, u32)]| {
                runs.iter()
                    .map(|(size, n)| u64::from(size[k]) * u64::from(*n))
                    .sum()
            };
            let largest: u64 = report
                .strategies
                .iter()
                .map(|s| sum(&s.runs))
                .max()
                .unwrap();
            assert!(largest <= u64::from(limits[k]), "{row:?}");
        }
        assert!(report.figures.packs >= bound, "{row:?}");
    }
    for (k, row) in graphs.rows_beyond().into_iter().enumerate() {
        assert!(!graphs.rows().contains(&row));
        let chosen = act(state, Graphs::Choose(row)).graphs;
        assert!(!chosen.rows().contains(&row) && chosen.unknown_rows().contains(&row));
        assert!(
            chosen.sweep_settings().row().keeps_all_limits(),
            "limits are recommended for packs that keep them"
        );
        let report = run(row);
        let ignored = words.names()[1 - k];
        assert_eq!(
            findings::of_packed(row, &words),
            format!("Packed without a limit of {}", words.short(1 - k))
        );
        let [one, other] =
            findings::of_limits(&report.settings, &words).map(|parts| parts.concat());
        let kept = words.names()[k];
        let limit = packscope::words::count(u64::from(limits[k]));
        assert_eq!(
            one + &other,
            format!("With packs of at most {limit} {kept} and any number of {ignored}")
        );
        let of_bound = findings::of_bound(&report.figures, &words, &report.settings, false);
        let limit = packscope::words::count(u64::from(limits[1 - k]));
        assert!(
            of_bound.starts_with(&format!("It ignores the limit of {limit} {ignored}: ")),
            "{of_bound}"
        );
        assert!(findings::announced(&report, &words).contains(" without a limit of "));
    }
}

#[test]
fn plans_beside_a_bound_keep_all_limits_on_built_in_graphs() {
    let mut checked = 0;
    for preset in Preset::GRAPHS {
        let data = Rc::new(
            preset
                .generate()
                .unwrap_or_else(|| built_in_graphs(preset.id)),
        );
        // The others take long in a build without optimisation.
        if data.distinct() > 2000 {
            continue;
        }
        check_ranking(
            &act(
                &loaded(),
                Graphs::Loaded(Source::Preset(preset), data, [true; 2]),
            ),
            false,
        );
        checked += 1;
    }
    assert!(checked > 3, "{checked}");
}

proptest! {
    #[test]
    fn plans_beside_a_bound_keep_all_limits(
        sizes in prop::collection::vec(([1u32..12, 1u32..12], 1u64..6), 1..10),
        more in [0u32..12, 0u32..12],
    ) {
        let data = Rc::new(Histogram::from_counts(sizes).unwrap());
        let [nodes, edges] = data.max();
        let state = act(&load(&loaded(), data), Graphs::Limits([nodes + more[0], edges + more[1]]));
        check_ranking(&state, true);
    }
}

#[test]
fn data_say_what_their_components_and_items_are_called() {
    let pairs = Preset::find_graphs("like_summaries").unwrap();
    let state = act(
        &loaded(),
        Graphs::Loaded(Source::Preset(pairs), small(), [true; 2]),
    )
    .graphs;
    let words = state.words();
    assert_eq!(
        (words.items, words.names()),
        ("pairs", ["source tokens", "target tokens"])
    );
    assert_eq!(
        (words.singular(0), words.short(1), words.are_graphs()),
        ("source token", "target", false)
    );
    assert_eq!(
        findings::of_sizes(&state),
        "The average pair has 5 source tokens and 7 target tokens"
    );
    let none = answer(&state, 1, TupleAlgorithm::None)
        .report
        .figures
        .clone();
    assert_eq!(findings::of_rows(&none, &words), "no two pairs share a row");
    assert!(findings::of_packs(&none, &words).starts_with("One pair a row leaves "));
    let graphs = loaded().graphs.words();
    assert_eq!(
        (graphs.items, graphs.singular(1), graphs.count(2)),
        ("graphs", "edge", "2 graphs".to_owned())
    );
}

#[test]
fn own_data_bring_their_names_and_are_graphs_in_doubt() {
    let named = |csv: &[u8]| {
        let read =
            packscope::ingest::read::<2>(csv, packscope::ingest::Options::default()).unwrap();
        let source = Source::Own {
            name: "own.csv".to_owned(),
            description: Rc::new(read.description),
        };
        act(
            &loaded(),
            Graphs::Loaded(source, Rc::new(read.histogram), [true; 2]),
        )
        .graphs
        .words()
    };
    let traces = named(b"ContextTokens,GeneratedTokens\n12,26\n");
    assert_eq!(
        (traces.items, traces.names()),
        ("pairs", ["ContextTokens", "GeneratedTokens"])
    );
    assert_eq!(traces.singular(0), "ContextToken");
    let molecules = named(b"num_atoms,num_bonds\n12,26\n");
    assert_eq!(
        (molecules.items, molecules.names()),
        ("graphs", ["nodes", "edges"])
    );
    assert_eq!(named(b"12,26\n"), molecules);
}

#[test]
fn the_weighted_sum_on_offer_is_the_one_set_last() {
    let state = loaded();
    let usual = state.graphs.weighted();
    assert!(usual.is_weighted());
    let is_asked = |state: &AppState| {
        state.graphs.unknown_rows().contains(&TupleRow::new(
            TupleAlgorithm::BestFit,
            state.graphs.weighted(),
        ))
    };
    assert!(is_asked(&state));
    let set = Heuristic::Weighted([1.0, 4.0, 0.0]);
    let chosen = act(&state, Graphs::Heuristic(set));
    let left = act(&chosen, Graphs::Heuristic(Heuristic::Sum));
    assert_eq!(
        (chosen.graphs.weighted(), left.graphs.weighted()),
        (set, set)
    );
    assert!(is_asked(&left) && left.graphs.settings.heuristic == Heuristic::Sum);
    assert!(
        chosen
            .reduce(Action::View(View::Graphs))
            .hash()
            .contains("heuristic=weighted:1:4")
    );
}

/// A point of a sweep that is as full in both components.
fn point(limits: [u32; 2], packs: u64, harmonic: f64) -> packscope::sweep::SweepPoint<2> {
    packscope::sweep::SweepPoint {
        limits,
        needed: limits,
        packs,
        efficiency: [harmonic; 2],
        harmonic,
    }
}

#[test]
fn the_title_of_a_sweep_says_what_other_limits_save() {
    let started = act(&loaded(), Graphs::Start);
    let run = started.graphs.course.run;
    assert_eq!(
        findings::of_sweep(&started.graphs),
        "Are these the best limits?"
    );
    let points = vec![
        point([10, 20], 9, 0.5),
        point([12, 20], 7, 0.96),
        point([20, 40], 3, 0.97),
    ];
    let swept = act(&started, Graphs::Swept(run, points, true)).graphs;
    assert_eq!(
        findings::of_sweep(&swept),
        "2 more nodes save 2 packs: 4.0 % padding instead of 50.0 %"
    );
    assert_eq!(swept.course.best().map(|p| p.limits), Some([20, 40]));
    assert_eq!(swept.course.smallest().map(|p| p.limits), Some([12, 20]));
    assert_eq!(swept.course.front().len(), 3);
}

/// Limits below the largest graph are fuller for what they leave out, which every sentence on them says; none is recommended
/// that leaves out more than the present ones.
#[test]
fn limits_that_lose_graphs_say_so_and_are_not_recommended() {
    let started = act(&loaded(), Graphs::Start);
    let [nodes, edges] = started.graphs.maxima();
    let largest = act(&started, Graphs::Limits([nodes, edges]));
    let started = act(&largest, Graphs::Start);
    let points = vec![
        point([nodes, edges], 9, 0.5),
        point([nodes - 1, edges], 7, 0.99),
        point([nodes + 1, edges], 8, 0.9),
    ];
    let swept = act(
        &started,
        Graphs::Swept(started.graphs.course.run, points, true),
    );
    let lost = swept.graphs.items_above([nodes - 1, edges]);
    let kept = swept.graphs.data.as_ref().unwrap().histogram.items() - lost;
    assert!(lost > 0 && kept > 0 && swept.graphs.items_above([nodes, edges]) == 0);
    let said = format!(", {} dropped", swept.graphs.words().count(lost));
    let title = findings::of_sweep(&swept.graphs);
    assert_eq!(
        title, "1 more node saves 1 pack: 10.0 % padding instead of 50.0 %",
        "what is recommended"
    );
    let missed = act(&swept, Graphs::Target(1.0));
    assert!(findings::of_missed(&missed.graphs, "100 %").contains(&said));
    let advice = swept.limits_advice().unwrap();
    assert_eq!(advice.setting, findings::limits([nodes + 1, edges]));
    // Who cuts already is told of limits that cut as much.
    let cut = act(&swept, Graphs::Limits([nodes - 1, edges]));
    assert_eq!(cut.limits_advice().map(|advice| advice.take.len()), Some(0));
}

#[test]
fn a_sweep_that_does_not_begin_by_itself_is_advised() {
    let state = loaded();
    assert_eq!(state.limits_advice(), None, "nothing is known yet");
    let rows = state.graphs.unknown_rows();
    let figures = |row: &TupleRow| {
        let settings = state.graphs.settings.with_row(*row);
        (
            *row,
            run_on(&small(), &settings, 100, &mut go_on)
                .unwrap()
                .figures,
        )
    };
    let ticket = Ticket {
        data: state.graphs.version(),
        number: 1,
    };
    let rows: Vec<_> = rows.iter().map(figures).collect();
    let compared = told(
        &state,
        heard::compared(ticket, state.graphs.settings.clone(), rows.clone()),
    );
    // It is about to begin.
    assert!(compared.graphs.is_sweep_due() && compared.limits_advice().is_none());
    let quiet = compared.reduce(Action::Background(false));
    let advice = quiet.limits_advice().unwrap();
    assert!(
        advice.reason.contains("work in the background is off"),
        "{advice:?}"
    );
    let taken = advice
        .take
        .iter()
        .cloned()
        .fold(quiet, |state, action| state.reduce(action));
    assert!(taken.graphs.course.running && taken.limits_advice().is_none());
    let slow = told(
        &state,
        heard::compared_in(60.0, ticket, state.graphs.settings.clone(), rows),
    );
    let advice = slow.limits_advice().unwrap();
    assert!(
        advice.reason.contains("takes too long to begin unasked"),
        "{advice:?}"
    );
    // A row that is still to come may be fast.
    let weighed = act(
        &slow,
        Graphs::Heuristic(Heuristic::Weighted([1.0, 7.0, 1.0])),
    );
    assert!(weighed.graphs.is_sweep_cheap().is_none() && weighed.limits_advice().is_none());
}

/// Who takes one graph a pack, or no limit of one kind, is recommended limits for best fit, and told so.
#[test]
fn best_fit_packs_a_sweep_that_says_so() {
    for algorithm in [
        TupleAlgorithm::None,
        TupleAlgorithm::NodesOnly,
        TupleAlgorithm::EdgesOnly,
        TupleAlgorithm::FirstFit,
    ] {
        let chosen = act(&loaded(), Graphs::Algorithm(algorithm));
        let at = act(&chosen, Graphs::Limits([11, 22]));
        let started = act(&at, Graphs::Start);
        let settings = started.graphs.sweep_settings();
        let is_own = algorithm == TupleAlgorithm::FirstFit;
        assert_eq!(
            settings.algorithm == TupleAlgorithm::BestFit,
            !is_own,
            "{algorithm:?}"
        );
        let data = &started.graphs.data.as_ref().unwrap().histogram;
        let points = [data.max(), [11, 22], [12, 24]]
            .map(|limits| evaluate(data, &settings, limits).unwrap());
        let swept = act(
            &started,
            Graphs::Swept(started.graphs.course.run, points.to_vec(), true),
        );
        let advice = swept.limits_advice().unwrap();
        assert!(!advice.take.is_empty(), "{algorithm:?}: {advice:?}");
        assert_eq!(
            advice.reason.contains(" by best fit."),
            !is_own,
            "{advice:?}"
        );
    }
}

/// A sweep of the small graphs by fast heuristics, over, beside a table that knows how long the search takes.
fn swept_beside_optimal(limits: [u32; 2]) -> AppState {
    let state = act(
        &act(&loaded(), Graphs::Limits(limits)),
        Graphs::Algorithm(TupleAlgorithm::Optimal),
    );
    let optimum = answer(&state.graphs, 1, TupleAlgorithm::Optimal);
    let state = told(&state, heard::proven(Rc::clone(&optimum)));
    let search = answer(&state.graphs, 2, TupleAlgorithm::Search)
        .report
        .figures
        .clone();
    let row = TupleRow {
        algorithm: TupleAlgorithm::Search,
        heuristic: None,
    };
    let state = told(
        &state,
        heard::compared(
            optimum.ticket,
            state.graphs.settings.clone(),
            vec![(row, search)],
        ),
    );
    let started = act(&state, Graphs::Start);
    let (data, settings) = (
        &started.graphs.data.as_ref().unwrap().histogram,
        started.graphs.sweep_settings(),
    );
    let tried = [[10, 21], [27, 36], [12, 24], [20, 40]];
    let mut points: Vec<_> = tried
        .map(|limits| evaluate_fast(data, &settings, limits).unwrap())
        .to_vec();
    // As if the heuristics were bad at these limits, and the sweep knew nothing of the present ones.
    points[2].packs += 1;
    points[2].efficiency = [0.5; 2];
    points[2].harmonic = 0.5;
    act(
        &started,
        Graphs::Swept(started.graphs.course.run, points, true),
    )
}

#[test]
fn a_sweep_never_denies_what_the_headline_shows() {
    let state = swept_beside_optimal([10, 20]);
    let reached = state
        .graphs
        .answer
        .as_ref()
        .unwrap()
        .report
        .figures
        .efficiency
        .clone();
    let least = reached[0].min(reached[1]);
    // The present limits are not among those tried, and still count.
    let target = act(&state, Graphs::Target(least)).graphs;
    assert!(target.course.smallest().is_some());
    assert!(
        target
            .course
            .best()
            .is_some_and(|p| p.harmonic >= state.graphs.course.point_at([10, 20]).unwrap().harmonic)
    );
    assert!(target.course.is_checked([10, 20]));
    assert_eq!(target.course.points.len(), 4, "the map has what was tried");
    // A heuristic that the visitor chose answers for itself alone.
    let own = act(&state, Graphs::Algorithm(TupleAlgorithm::BestFit));
    let own = act(&own, Graphs::Start).graphs;
    assert!(!own.is_sweep_checked() && own.course.point_at([10, 20]).is_none());
}

#[test]
fn the_search_checks_what_a_sweep_has_found_until_all_that_counts_is_checked() {
    let mut state = swept_beside_optimal([20, 40]);
    let settings = state.graphs.sweep_settings();
    let data = Rc::clone(&state.graphs.data.as_ref().unwrap().histogram);
    let mut rounds = 0;
    while let Some(&limits) = state.graphs.course.doubtful.first() {
        let point = evaluate(&data, &settings, limits).unwrap();
        state = act(
            &state,
            Graphs::Checked(state.graphs.course.run, vec![point]),
        );
        assert!(
            state.graphs.course.is_checked(limits)
                && !state.graphs.course.doubtful.contains(&limits)
        );
        rounds += 1;
        assert!(rounds < 10);
    }
    let course = &state.graphs.course;
    assert!(rounds > 0);
    let front: Vec<_> = course.front().iter().map(|p| p.limits).collect();
    for limits in [course.best(), course.smallest()]
        .into_iter()
        .flatten()
        .map(|p| p.limits)
        .chain(front)
    {
        assert!(course.is_checked(limits), "{limits:?}");
    }
    // An older sweep's check, and a worse plan, change nothing.
    let worse = packscope::sweep::SweepPoint {
        packs: 99,
        ..*course.best().unwrap()
    };
    let after = act(&state, Graphs::Checked(course.run, vec![worse]));
    assert_eq!(after.graphs.course.best(), course.best());
}

#[test]
fn a_target_that_nothing_reaches_is_said_with_the_nearest_limits() {
    let state = act(&swept_beside_optimal([20, 40]), Graphs::Target(0.9999)).graphs;
    let nearest = *state.course.nearest().unwrap();
    let words = findings::of_missed(&state, "99.99 %");
    assert!(
        words.starts_with("No limits tried reach 99.99 % in both so far; nearest is "),
        "{words}"
    );
    assert!(words.contains(&findings::limits(nearest.limits)), "{words}");
}
