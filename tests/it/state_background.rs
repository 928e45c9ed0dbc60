//! Background work: which searches run, when, and which are left out.

use crate::heard;
use packscope::api::run_on;
use packscope::histogram::{Histogram, Preset};
use packscope::packing::tuple::TupleAlgorithm as Tuple;
use packscope::packing::{Algorithm, Depth, go_on};
use packscope_page::state::graphs::{self, TupleRow};
use packscope_page::state::{Action, AppState, Search, Source, StudyAnswer, Ticket, View};
use std::rc::Rc;

/// A few sequences, and a few graphs.
fn loaded() -> AppState {
    let lengths = Rc::new(Histogram::from_counts([([3], 40), ([5], 30), ([9], 2)]).unwrap());
    let sizes = Rc::new(Histogram::from_counts([([6, 9], 4), ([4, 3], 5), ([10, 20], 1)]).unwrap());
    let graphs = graphs::Action::Loaded(Source::Preset(graphs::FIRST), sizes, [true; 2]);
    AppState::default()
        .reduce(Action::Loaded(
            Source::Preset(Preset::FIRST),
            lengths,
            Some(12),
        ))
        .reduce(Action::Graphs(graphs))
}

/// The plan of an algorithm at a depth, as a worker would answer.
fn plan(state: &AppState, algorithm: Algorithm, depth: Depth, number: u64) -> Rc<StudyAnswer> {
    let state = state
        .reduce(Action::Algorithm(algorithm))
        .reduce(Action::Depth(depth));
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

/// With the optimum at the present depth.
fn proven() -> AppState {
    let state = loaded();
    let optimum = plan(
        &state,
        Algorithm::Optimal,
        state.sequences.settings.depth,
        1,
    );
    state.reduce(Action::Heard(heard::proven(optimum)))
}

fn off(state: &AppState) -> AppState {
    state.reduce(Action::Background(false))
}

fn choose(state: &AppState, algorithm: Tuple) -> AppState {
    state.reduce(Action::Graphs(graphs::Action::Algorithm(algorithm)))
}

#[test]
fn the_optimum_is_searched_for_unasked_unless_that_is_turned_off() {
    let state = loaded();
    assert_eq!(state.search(), Some(Search::Present));
    assert_eq!(off(&state).search(), None);
    assert_eq!(
        off(&state).reduce(Action::Background(true)).search(),
        Some(Search::Present)
    );
    // Graphs open with the optimum as the algorithm.
    let graphs = choose(&state.reduce(Action::View(View::Graphs)), Tuple::BestFit);
    assert_eq!(
        (graphs.search(), off(&graphs).search()),
        (Some(Search::Present), None)
    );
    for view in [View::Batches, View::Learn] {
        assert_eq!(state.reduce(Action::View(view)).search(), None);
    }
}

#[test]
fn who_chooses_the_optimum_has_it_searched_for_also_in_a_hidden_tab() {
    for state in [
        loaded(),
        off(&loaded()),
        loaded().reduce(Action::Visible(false)),
    ] {
        assert_eq!(
            state.reduce(Action::Algorithm(Algorithm::Optimal)).search(),
            Some(Search::Chosen)
        );
        let graphs = choose(&state.reduce(Action::View(View::Graphs)), Tuple::Optimal);
        assert_eq!(graphs.search(), Some(Search::Chosen));
    }
    let chosen = proven().reduce(Action::Algorithm(Algorithm::Optimal));
    assert_eq!(chosen.search(), None, "it is there already");
}

#[test]
fn other_depths_are_searched_while_their_chart_and_the_tab_are_seen() {
    let state = proven();
    assert_eq!(state.search(), None);
    let seen = state.reduce(Action::DepthsInView(true));
    assert_eq!(seen.search(), Some(Search::Depths));
    assert_eq!(seen.reduce(Action::DepthsInView(false)).search(), None);
    let hidden = seen.reduce(Action::Visible(false));
    assert_eq!(hidden.search(), None);
    assert_eq!(
        hidden.reduce(Action::Visible(true)).search(),
        Some(Search::Depths)
    );
    assert_eq!(off(&seen).search(), None);
    // The present depth comes first, and the chart is of sequences alone.
    assert_eq!(
        loaded().reduce(Action::DepthsInView(true)).search(),
        Some(Search::Present)
    );
    assert_eq!(seen.reduce(Action::View(View::Batches)).search(), None);
}

#[test]
fn a_search_of_depths_ends_when_all_are_known() {
    let mut state = proven().reduce(Action::DepthsInView(true));
    while let Some(depth) = state.sequences.unsearched_depths().first() {
        assert_eq!(state.search(), Some(Search::Depths));
        let known = plan(&state, Algorithm::Optimal, *depth, 2);
        let point = known.report.figures.clone();
        let points = vec![((Algorithm::Optimal, *depth), point)];
        let left = state.sequences.unsearched_depths().len();
        let compared = heard::compared(known.ticket, state.sequences.settings.clone(), points);
        state = state.reduce(Action::Heard(compared));
        assert_eq!(state.sequences.unsearched_depths().len(), left - 1);
    }
    assert_eq!(state.search(), None);
}

#[test]
fn a_search_that_stops_is_not_shown_as_going_on() {
    let state = loaded();
    let ticket = Ticket {
        data: state.sequences.version(),
        number: 1,
    };
    let found = |state: &AppState| {
        state.reduce(Action::Heard(heard::found(
            ticket,
            state.sequences.settings.clone(),
            30,
            20,
        )))
    };
    let searching = found(&state);
    assert!(searching.sequences.searching().is_some());
    for stops in [Action::Background(false), Action::Visible(false)] {
        assert!(searching.reduce(stops).sequences.searching().is_none());
    }
    // What is said late is not taken for a search either.
    assert!(found(&off(&state)).sequences.searching().is_none());
    let chosen = found(&off(&state).reduce(Action::Algorithm(Algorithm::Optimal)));
    assert!(chosen.sequences.searching().is_some());
    assert!(
        chosen
            .reduce(Action::Visible(false))
            .sequences
            .searching()
            .is_some(),
        "it was asked for"
    );
    assert!(
        chosen
            .reduce(Action::Algorithm(Algorithm::Lpfhp))
            .sequences
            .searching()
            .is_none()
    );
}

/// An export asks for all that is missing, whatever the setting, and each plan once.
#[test]
fn an_export_has_the_whole_table_computed() {
    let state = off(&loaded());
    let rows = state.sequences.all_rows();
    let number = |algorithm| rows.iter().filter(|row| row.0 == algorithm).count();
    let depths = state.sequences.depths().len();
    let of = [
        Algorithm::Optimal,
        Algorithm::Spfhp,
        Algorithm::Nnlshp,
        Algorithm::None,
        Algorithm::Sort,
    ];
    assert_eq!(of.map(number), [depths, depths, 3, 1, 1]);
    assert_eq!((state.search(), state.exported()), (None, [0, rows.len()]));
    let mut asked = state.reduce(Action::Whole(Some(Rc::new(rows.clone()))));
    assert_eq!(asked.search(), Some(Search::Present));
    let optimum = plan(
        &asked,
        Algorithm::Optimal,
        asked.sequences.settings.depth,
        1,
    );
    asked = asked.reduce(Action::Heard(heard::proven(optimum)));
    assert_eq!(asked.search(), Some(Search::Depths));
    while let Some(row) = asked
        .sequences
        .all_rows()
        .into_iter()
        .find(|row| !asked.sequences.is_answered(*row))
    {
        let known = plan(&asked, row.0, row.1, 2);
        let rows = vec![(row, known.report.figures.clone())];
        let [before, all] = asked.exported();
        asked = asked.reduce(Action::Heard(heard::compared(
            known.ticket,
            asked.sequences.settings.clone(),
            rows,
        )));
        assert_eq!(asked.exported(), [before + 1, all], "{row:?}");
    }
    assert_eq!((asked.exported(), asked.search()), ([rows.len(); 2], None));
    assert!(asked.reduce(Action::Cancelled).whole.is_none());
}

#[test]
fn rows_that_take_long_are_left_out_until_they_are_chosen_or_known() {
    let left = |state: &AppState| {
        Algorithm::ALL
            .into_iter()
            .filter(|a| state.is_left_out(*a))
            .count()
    };
    let state = loaded();
    assert_eq!((left(&state), left(&off(&state))), (0, 3));
    assert!(
        off(&state).is_left_out(Algorithm::Nnlshp) && !off(&state).is_left_out(Algorithm::Lpfhp)
    );
    let chosen = off(&state).reduce(Action::Algorithm(Algorithm::Optimal));
    assert!(!chosen.is_left_out(Algorithm::Optimal) && chosen.is_left_out(Algorithm::Greedy));
    assert!(!off(&proven()).is_left_out(Algorithm::Optimal));
    // What is refused is no matter of being asked for.
    let long = off(&state).reduce(Action::Limit(1_000_000));
    assert!(!long.is_left_out(Algorithm::Nnlshp) && long.is_left_out(Algorithm::Optimal));
    let row = |algorithm| TupleRow {
        algorithm,
        heuristic: None,
    };
    let graphs = choose(&off(&state), Tuple::Search);
    assert!(
        graphs.is_row_left_out(row(Tuple::Optimal)) && !graphs.is_row_left_out(row(Tuple::Search))
    );
    assert!(!graphs.is_row_left_out(row(Tuple::None)));
    assert!(!state.is_row_left_out(row(Tuple::Optimal)));
}

#[test]
fn the_address_keeps_the_setting_on_every_view() {
    assert!(!loaded().hash().contains("background"));
    for view in View::ALL {
        let state = off(&loaded())
            .reduce(Action::View(view))
            .reduce(Action::Visible(false));
        let hash = state.hash();
        assert!(hash.ends_with("background=0"), "{hash}");
        assert!(
            !AppState::default()
                .reduce(Action::Navigate(hash))
                .background
                .on
        );
        assert!(state.link().ends_with("background=0"));
        assert!(state.embedding().ends_with("background=0&embed=1"));
    }
    let state = AppState::default().reduce(Action::Navigate("embed=1&background=0".to_owned()));
    assert!(state.embed && !state.background.on);
    // A link that says nothing of it, or nothing that is known, changes nothing.
    let after = |hash: &str| {
        state
            .reduce(Action::Navigate(hash.to_owned()))
            .background
            .on
    };
    assert_eq!(
        ["limit=7", "view=graphs", "background=x", "background=1"].map(after),
        [false, false, false, true]
    );
    assert!(
        loaded()
            .reduce(Action::Navigate("background=x".to_owned()))
            .background
            .on
    );
}
