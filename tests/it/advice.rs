//! Recommendations, and known results at other limits: each figure that they name is checked against a separate run.

use crate::common::built_in;
use crate::heard;
use packscope::api::held::{self, Request};
use packscope::api::limits::{at, practical, usual};
use packscope::api::{Packing, Settings, run_on};
use packscope::cost::Method;
use packscope::histogram::{Histogram, Overlong, Preset};
use packscope::packing::{Algorithm, Depth, go_on};
use packscope::state::graphs::{self, Action as Graphs};
use packscope::state::{Action, Answer, AppState, Source, Ticket};
use packscope::sweep::Point;
use packscope::words::{count, percent};
use proptest::prelude::*;
use std::rc::Rc;

/// The view of sequences with all rows that the page would ask for at once.
fn compared(state: &AppState) -> AppState {
    let rows = state.sequences.unknown_rows().into_iter().filter(|(a, _)| !a.takes_long());
    with_rows(state, rows)
}

/// The same with those that take long, and the optimum.
fn compared_with_all(state: &AppState) -> AppState {
    let optimum = (Algorithm::Optimal, state.sequences.settings.depth);
    with_rows(state, state.sequences.unknown_rows().into_iter().chain([optimum]))
}

fn with_rows(state: &AppState, rows: impl Iterator<Item = (Algorithm, Depth)>) -> AppState {
    let data = state.sequences.data.as_ref().unwrap();
    let settings = &state.sequences.settings;
    let figures = |row| {
        let report = run_on(&data.histogram, &settings.with_row(row), 0, &mut go_on).unwrap();
        (row, report.figures)
    };
    let ticket = Ticket { data: data.version, number: 1 };
    state.reduce(Action::Heard(heard::compared(ticket, settings.clone(), rows.map(figures).collect())))
}

fn loaded(id: &str, limit: u32) -> AppState {
    let preset = Preset::find(id).unwrap();
    let data = Action::Loaded(Source::Preset(preset), Rc::new(built_in(id)), Some(limit));
    compared(&AppState::default().reduce(data))
}

#[test]
fn the_recommended_packing_is_as_good_as_it_says_and_is_at_rest_once_taken() {
    for preset in Preset::ALL.iter().take(8) {
        let state = loaded(preset.id, preset.limit());
        let start = state.reduce(Action::Algorithm(Algorithm::Spfhp)).reduce(Action::Depth(Depth::AtMost(1)));
        let advice = compared(&start).packing_advice().unwrap();
        let taken = advice.take.iter().cloned().fold(start, |state, action| state.reduce(action));
        let taken = compared(&taken);
        let [fewest, rows] = [(Algorithm::Lpfhp, Depth::Unlimited), taken.sequences.settings.row()]
            .map(|row| taken.sequences.row(row).unwrap().figures.packs);
        assert!(rows as f64 <= fewest as f64 * 1.005, "{}: {advice:?}", preset.id);
        assert!(advice.take.is_empty() || advice.reason.contains(&count(rows)), "{}: {advice:?}", preset.id);
        let again = taken.packing_advice().unwrap();
        assert!(again.take.is_empty(), "{}: {again:?}", preset.id);
    }
}

/// Rows of few sequences, where algorithms differ by more than half a percent.
fn of_few(lengths: Vec<(u32, u64)>) -> AppState {
    let data = Rc::new(Histogram::from_lengths(lengths).unwrap());
    let kept = Source::Kept { name: "few".to_owned(), components: Vec::new() };
    AppState::default().reduce(Action::Loaded(kept, data, Some(100)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// What is said to be good as set is within half a percent of every row on screen; what is offered is, once taken.
    #[test]
    fn no_row_on_screen_is_better_than_what_is_recommended(
        lengths in prop::collection::vec((15u32..=100, 1u64..60), 4..14),
        chosen in prop::sample::select(Algorithm::ALL.to_vec()),
        depth in prop::sample::select(vec![Depth::AtMost(2), Depth::AtMost(3), Depth::AtMost(5), Depth::Unlimited]),
    ) {
        let start = of_few(lengths).reduce(Action::Algorithm(chosen)).reduce(Action::Depth(depth));
        let start = compared_with_all(&start);
        let advice = start.packing_advice().unwrap();
        prop_assume!(!advice.setting.contains("hardly matters"));
        let taken = advice.take.iter().cloned().fold(start, |state, action| state.reduce(action));
        let taken = with_rows(&taken, [taken.sequences.settings.row()].into_iter());
        let own = taken.sequences.row(taken.sequences.settings.row()).unwrap().figures.packs;
        for row in taken.sequences.comparison.rows().iter().filter(|row| row.row.0.fills_rows()) {
            prop_assert!(own as f64 <= row.figures.packs as f64 * 1.005, "{:?}: {own}, {row:?}", advice);
        }
        let again = taken.packing_advice().unwrap();
        prop_assert!(again.take.is_empty() && again.setting.ends_with(", as set"), "{again:?}");
        let here = taken.sequences.settings.depth;
        let beside = taken.sequences.comparison.rows().iter().filter(|r| r.row.1 == here && r.row.0.fills_rows());
        let fewest = beside.map(|row| row.figures.packs).min().unwrap();
        prop_assert_eq!(fewest < own, again.reason.contains(" would save "), "{:?}", again);
    }
}

#[test]
fn where_packing_saves_nothing_nothing_is_recommended() {
    let full = Rc::new(Histogram::from_lengths([(512, 1000), (500, 10)]).unwrap());
    let kept = Source::Kept { name: "full".to_owned(), components: Vec::new() };
    let state = compared(&AppState::default().reduce(Action::Loaded(kept, full, Some(512))));
    let advice = state.packing_advice().unwrap();
    assert!(advice.take.is_empty() && advice.setting.contains("hardly matters"), "{advice:?}");
}

#[test]
fn a_limit_that_cuts_much_off_is_named_first() {
    let state = loaded("wikipedia_bert_512", 225);
    let lost = &state.sequences.row((Algorithm::Lpfhp, Depth::Unlimited)).unwrap().figures;
    let share = lost.waste_tokens[0] as f64 / (lost.waste_tokens[0] + lost.real_tokens[0]) as f64;
    let reason = state.packing_advice().unwrap().reason;
    assert!(reason.contains(&format!("A limit of 225 loses {} of the tokens", percent(share))), "{reason}");
}

#[test]
fn every_policy_at_a_limit_is_that_of_a_run() {
    for (id, limits) in [("squad_1_1_bert_384", [64, 200, 384]), ("glue_rte", [50, 128, 289])] {
        let data = built_in(id);
        for limit in limits {
            let point = at(&data, &Settings::default(), limit).unwrap();
            let policies = [
                (Overlong::Truncate, Some(point.truncated)),
                (Overlong::Drop, point.dropped),
                (Overlong::Split, Some(point.split)),
            ];
            for (overlong, kept) in policies {
                let settings = Settings { limit, overlong, ..Settings::default() };
                let report = run_on(&data, &settings, 0, &mut go_on).unwrap();
                let (f, kept) = (&report.figures, kept.unwrap());
                assert_eq!(
                    (kept.packs, kept.real, kept.lost),
                    (f.packs, f.real_tokens[0], f.waste_tokens[0])
                );
                assert!((kept.efficiency(limit) - f.efficiency[0]).abs() < 1e-12);
                assert_eq!(point.above, report.overlong_items, "{id} {limit}");
            }
        }
    }
}

proptest! {
    #[test]
    fn limits_on_offer_hold_what_they_say(lengths in prop::collection::vec((1u32..40_000, 1u64..500), 1..40)) {
        let data = Histogram::from_lengths(lengths).unwrap();
        let (offered, [longest]) = (usual(&data), data.max());
        prop_assert!(offered.is_sorted_by(|a, b| a < b) && offered.contains(&longest));
        let opens = practical(&data);
        let held: u64 = data.entries().iter().filter(|([l], _)| *l <= opens).map(|(_, n)| n).sum();
        prop_assert!(held as f64 >= 0.99 * data.items() as f64);
        prop_assert!(opens == longest || opens.is_power_of_two() && opens < longest);
        // Half of it would hold fewer than 99 %, or the data are not cut at all.
        let half: u64 = data.entries().iter().filter(|([l], _)| *l <= opens / 2).map(|(_, n)| n).sum();
        prop_assert!(opens == longest || (half as f64) < 0.99 * data.items() as f64);
    }
}

#[test]
fn limits_are_asked_once_in_view_and_only_those_that_are_not_known() {
    let state = loaded("squad_1_1_bert_384", 384);
    let data = state.sequences.data.clone().unwrap();
    let report = run_on(&data.histogram, &state.sequences.settings, 100, &mut go_on).unwrap();
    let ticket = Ticket { data: data.version, number: 2 };
    let answer = packscope::state::Answer { ticket, report, seconds: 0.0 };
    let state = state.reduce(Action::Heard(heard::answered(Rc::new(answer))));
    assert!(state.limits_wanted().is_none());
    let seen = state.reduce(Action::LimitsInView(true));
    let (settings, limits) = seen.limits_wanted().unwrap();
    assert_eq!(limits, seen.limits_on_offer());
    let known = limits.iter().fold(seen, |state, limit| {
        let point = held::Answer::Limit(at(&data.histogram, &settings, *limit).unwrap());
        state.reduce(heard::known(data.version, Request::Limit(settings.clone(), *limit), point))
    });
    assert!(known.limits_wanted().is_none());
    assert_eq!(known.at_limits().len(), limits.len());
    assert!(
        known.of_limits().unwrap().starts_with("A limit of 384 cuts off nothing; "),
        "{:?}",
        known.of_limits()
    );
    // The policy changes nothing of what is known; the depth all.
    assert!(!known.reduce(Action::Set("overlong", "drop".to_owned())).at_limits().is_empty());
    assert!(known.reduce(Action::Depth(Depth::AtMost(2))).at_limits().is_empty());
}

/// The time at another limit is that which Speed-up estimates there.
#[test]
fn times_along_the_limits_are_those_of_speed_up() {
    let data = built_in("squad_1_1_bert_384");
    let packed = |limit: u32| {
        let state = loaded("squad_1_1_bert_384", limit);
        let report = run_on(&data, &state.sequences.settings, u32::MAX, &mut go_on).unwrap();
        let ticket = Ticket { data: state.sequences.version(), number: 2 };
        let state =
            state.reduce(Action::Heard(heard::answered(Rc::new(Answer { ticket, report, seconds: 0.0 }))));
        let priced = state.priced(&state.speedup_cases(), state.speedup.assumptions().accelerators);
        let found = priced.estimates.into_iter().find(|e| e.method == Method::Packed);
        (state, found.unwrap().seconds)
    };
    let limits = [64, 200, 384];
    let (state, present) = packed(384);
    let points = limits.map(|limit| at(&data, &state.sequences.settings.deciding(), limit).unwrap());
    let times = state.times_at(&points);
    assert_eq!(times[2], 1.0);
    for (limit, time) in limits.into_iter().zip(times) {
        let (_, there) = packed(limit);
        // Which pairs of a row are padding is known only where all packs are listed; both are computed.
        assert!((time / (there / present) - 1.0).abs() < 1e-3, "{limit}: {time}, {}", there / present);
    }
    assert!(state.times_at(&points[..2]).is_empty(), "nothing to compare with");
}

/// Graphs with limits, and a sweep that has tried others.
fn swept(limits: [u32; 2], target: f64, points: &[Point<2>]) -> AppState {
    let sizes = Rc::new(Histogram::from_counts([([6, 9], 4), ([4, 3], 5), ([10, 20], 1)]).unwrap());
    let act = |state: AppState, action| state.reduce(Action::Graphs(action));
    let state = act(AppState::default(), Graphs::Loaded(Source::Preset(graphs::FIRST), sizes, [true; 2]));
    let state = act(state, Graphs::Algorithm(packscope::packing::tuple::Algorithm::BestFit));
    let state = act(act(state, Graphs::Limits(limits)), Graphs::Target(target));
    let state = act(state, Graphs::Start);
    let run = state.graphs.course.run;
    act(state, Graphs::Swept(run, points.to_vec(), true))
}

/// A point that a sweep has tried.
fn tried() -> impl Strategy<Value = Point<2>> {
    ([8u32..14, 17u32..24], [0.9f64..0.99, 0.9f64..0.99], 1u64..20).prop_map(|(limits, efficiency, packs)| {
        let harmonic = 2.0 / (1.0 / efficiency[0] + 1.0 / efficiency[1]);
        Point { limits, needed: limits, packs, efficiency, harmonic }
    })
}

#[test]
fn limits_that_reach_the_target_say_so_and_what_the_fullest_save() {
    let point =
        |limits, packs, e: f64| Point { limits, needed: limits, packs, efficiency: [e; 2], harmonic: e };
    let state = swept([10, 20], 0.95, &[point([10, 20], 30, 0.951), point([19, 54], 12, 0.985)]);
    let advice = state.limits_advice().unwrap();
    assert!(advice.take.is_empty(), "{advice:?}");
    assert_eq!(
        advice.reason,
        "95.1 % of the node and 95.1 % of the edge slots are filled: both reach the target of 95.0 %. \
         The fullest, 19 × 54, would save 18 packs."
    );
}

proptest! {
    /// What is said of the limits tried holds for each of them.
    #[test]
    fn what_is_said_of_limits_is_true_of_every_point(
        mut points in prop::collection::vec(tried(), 1..20),
        target in 0.9f64..0.99,
    ) {
        let mut seen = std::collections::BTreeSet::new();
        points.retain(|p| seen.insert(p.limits));
        let (now, here) = (points[0].limits, points[0]);
        let state = swept(now, target, &points);
        let advice = state.limits_advice().unwrap();
        let fuller = |at_least: [u32; 2]| {
            let mut all = points.iter().filter(|p| (0..2).all(|k| p.limits[k] >= at_least[k]));
            all.any(|p| p.harmonic >= here.harmonic + 0.01)
        };
        let holds = |p: &Point<2>| (0..2).all(|k| p.limits[k] >= now[k].min([10, 20][k]));
        let reaches = |p: &Point<2>| p.efficiency.iter().all(|e| *e >= target);
        let Some(Action::Graphs(Graphs::Limits(limits))) = advice.take.first() else {
            let reason = &advice.reason;
            prop_assert!(!reason.starts_with("No limits tried fill") || !fuller([0, 0]), "{reason}");
            prop_assert!(!reason.starts_with("No limits tried that hold") || !fuller([10, 20]), "{reason}");
            prop_assert!(!reason.starts_with("No larger limits") || !fuller(now), "{reason}");
            prop_assert_eq!(!reason.starts_with("No "), reaches(&here), "{}", reason);
            prop_assert!(reaches(&here) || !fuller([now[0].min(10), now[1].min(20)]), "{reason}");
            return Ok(());
        };
        let found = *points.iter().find(|p| p.limits == *limits).unwrap();
        prop_assert!(holds(&found) && found.harmonic >= here.harmonic + 0.01);
        // No smaller limits reach the target as well; where it is out of reach, none are fuller.
        let mut good = points.iter().filter(|p| holds(p) && p.harmonic >= here.harmonic + 0.01);
        let better = |p: &Point<2>| match reaches(&found) {
            true => reaches(p) && p.area() < found.area(),
            false => reaches(p) || p.harmonic > found.harmonic,
        };
        prop_assert!(!good.any(better));
        let again = swept(*limits, target, &points).limits_advice().unwrap();
        prop_assert!(again.take.is_empty(), "{advice:?} {again:?}");
    }
}
