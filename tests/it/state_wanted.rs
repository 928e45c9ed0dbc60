//! What the page wants to know, as a function of its state: by lane, without what is known, and when it is asked.

use crate::common::built_in;
use crate::heard;
use packscope::api::{PackingSettings, batch, run_on};
use packscope::cost::Overhead;
use packscope::histogram::{Histogram, Preset};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope_page::query::{Answer, Query, Question};
use packscope_page::state::batches::SamplerRow;
use packscope_page::state::{
    self, Action, AppState, DISTINCT, LISTED, Lane, PendingQuery, Source, Ticket, View,
};
use std::rc::Rc;

fn loaded(lengths: Histogram<1>) -> AppState {
    let loaded = Action::Loaded(Source::Preset(Preset::FIRST), Rc::new(lengths), Some(128));
    AppState::default()
        .reduce(loaded)
        .reduce(Action::Algorithm(Algorithm::Lpfhp))
}

fn answered(state: &AppState, listed: u32) -> AppState {
    let data = state.sequences.data.as_ref().unwrap();
    let report = run_on(
        &data.histogram,
        &state.sequences.settings,
        listed,
        &mut go_on,
    )
    .unwrap();
    let ticket = Ticket {
        data: data.version,
        number: 1,
    };
    state.reduce(Action::Heard(heard::answered(Rc::new(
        state::StudyAnswer {
            ticket,
            report,
            seconds: 0.0,
        },
    ))))
}

fn on(state: &AppState, lane: Lane) -> Option<PendingQuery> {
    let mut of_lane = state.wanted().into_iter().filter(|want| want.lane == lane);
    let want = of_lane.next();
    assert!(
        of_lane.next().is_none(),
        "{lane:?} is asked two things at once"
    );
    want
}

/// The strategies listed in the answer that is wanted, and the milliseconds before it is asked for.
fn live(state: &AppState) -> Option<(u32, u32)> {
    on(state, Lane::Live).map(|want| match want.queries[..] {
        [Query::Sequences(Question::Report { listed, .. })] => (listed, want.rest),
        ref asked => panic!("{asked:?}"),
    })
}

#[test]
fn a_step_of_a_slider_asks_for_its_answer_at_once_and_for_the_rest_after_a_pause() {
    let state = answered(&loaded(built_in("glue_rte")), LISTED);
    assert_eq!(live(&state), None, "what is known is not asked");
    let step = state.reduce(Action::Limit(100));
    assert_eq!(live(&step), Some((LISTED, 0)));
    for want in step.wanted() {
        assert!(want.lane == Lane::Live || want.rest > 0, "{want:?}");
    }
    assert_eq!(
        AppState::default().wanted(),
        [],
        "nothing is asked about no data"
    );
}

#[test]
fn very_many_strategies_follow_when_the_hand_rests() {
    let many = (1..=DISTINCT as u32 + 1).map(|length| (length, 1));
    let state = loaded(Histogram::from_lengths(many).unwrap()).reduce(Action::Limit(20_000));
    let (glanced, at_once) = live(&state).unwrap();
    assert!(glanced < LISTED && at_once == 0);
    let (listed, rest) = live(&answered(&state, glanced)).unwrap();
    assert!(listed == LISTED && rest > 0);
    assert_eq!(live(&answered(&state, LISTED)), None);
}

#[test]
fn a_question_covers_what_remains_of_it_and_the_same_at_another_price() {
    let state = answered(&loaded(built_in("glue_rte")), LISTED);
    let all = on(&state, Lane::Side).unwrap();
    let [Query::Sequences(Question::Compare { settings, rows, .. })] = &all.queries[..] else {
        panic!("{all:?}")
    };
    let figures = state
        .sequences
        .answer
        .as_ref()
        .unwrap()
        .report
        .figures
        .clone();
    let row = rows.iter().find(|row| **row != settings.row()).unwrap();
    let ticket = Ticket {
        data: all.data,
        number: 2,
    };
    let known = state.reduce(Action::Heard(heard::compared(
        ticket,
        settings.clone(),
        vec![(*row, figures)],
    )));
    let rest = on(&known, Lane::Side).unwrap();
    assert!(all.covers(&rest) && !rest.covers(&all));
    let priced = on(
        &state.reduce(Action::Overhead(Overhead::Own(0.02))),
        Lane::Side,
    )
    .unwrap();
    assert!(all.covers(&priced) && priced.covers(&all));
    assert!(!all.covers(&on(&state.reduce(Action::Limit(100)), Lane::Side).unwrap()));
    let priced = on(
        &state.reduce(Action::Overhead(Overhead::Own(0.02))),
        Lane::Proof,
    )
    .unwrap();
    assert!(priced.is_same(&on(&state, Lane::Proof).unwrap()));
    // A search goes on when another fast algorithm is chosen, not when the visitor asks for it or for other rows.
    let search = on(&state, Lane::Proof).unwrap();
    for (action, goes_on) in [
        (Action::Algorithm(Algorithm::Spfhp), true),
        (Action::Algorithm(Algorithm::Optimal), false),
        (Action::Depth(Depth::AtMost(2)), false),
    ] {
        let after = on(&state.reduce(action.clone()), Lane::Proof).unwrap();
        assert_eq!(search.covers(&after), goes_on, "{action:?}");
        // What was stopped begins again with other settings, but not at another price.
        assert!(!search.is_same(&after), "{action:?}");
    }
}

#[test]
fn work_in_the_background_is_wanted_only_where_it_may_run() {
    let state = answered(&loaded(built_in("glue_rte")), LISTED);
    let background =
        |state: &AppState| [Lane::Slow, Lane::Proof].map(|lane| on(state, lane).is_some());
    assert_eq!(background(&state), [true; 2]);
    for action in [Action::Background(false), Action::Visible(false)] {
        let paused = state.reduce(action);
        assert_eq!(background(&paused), [false; 2]);
        // What the visitor has chosen is computed all the same.
        assert_eq!(
            background(&paused.reduce(Action::Algorithm(Algorithm::Optimal))),
            [false, true]
        );
        assert_eq!(
            background(&paused.reduce(Action::Algorithm(Algorithm::Nnlshp))),
            [true, false]
        );
    }
}

#[test]
fn batches_on_screen_are_asked_first_and_those_that_are_known_never() {
    let state = loaded(built_in("glue_rte")).reduce(Action::View(View::Batches));
    let asked = |state: &AppState, lane| on(state, lane).map_or_else(Vec::new, |want| want.queries);
    let row = |request: &Query| match request {
        Query::Batches(settings, drawn) => (SamplerRow::from_settings(settings), *drawn),
        request => panic!("{request:?}"),
    };
    let drawn = asked(&state, Lane::Drawn);
    assert_eq!(
        drawn.iter().map(row).collect::<Vec<_>>(),
        [(state.batch_row(), true), (SamplerRow::RANDOM, true)],
        "the chosen one first"
    );
    assert_eq!(asked(&state, Lane::Rows).len(), SamplerRow::ALL.len() - 2);
    // A learning rate decides no batch.
    let rate = batch::LearningRate {
        base: 1e-3,
        modulated: true,
    };
    let rated = state.reduce(Action::Batches(state::batches::Action::LearningRate(rate)));
    assert_eq!(rated.wanted(), state.wanted());
    let lengths = built_in("glue_rte").with_zero();
    let told = |state: AppState, request: &Query| {
        let Query::Batches(settings, drawn) = request else {
            panic!("{request:?}")
        };
        let prepared = batch::PreparedBatches::new(&lengths, false, settings).unwrap();
        let report = prepared.report(settings, *drawn, &mut go_on).unwrap();
        let version = state.sequences.version();
        state.reduce(heard::known(
            version,
            request.clone(),
            Answer::Batches(Rc::new(report)),
        ))
    };
    let all = [drawn, asked(&state, Lane::Rows)].concat();
    let known = all.iter().fold(state, told);
    let (known, _) = heard::weighed(&known);
    assert!(known.are_batched() && known.wanted().is_empty());
    // Back at settings that were answered before, nothing is asked again.
    let there = known.reduce(Action::Limit(100));
    assert!(!there.wanted().is_empty() && there.reduce(Action::Limit(128)).wanted().is_empty());
}
