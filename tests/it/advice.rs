//! Recommendations, and known results at other limits: each figure that they name is checked against a separate run.

use crate::common::built_in;
use crate::heard;
use packscope::api::limits::{AtLimit, at_limit, practical, usual};
use packscope::api::{PackingSettings, Report, Settings, run_on};
use packscope::cost::{Memory, Method, Workload, presets};
use packscope::histogram::{Histogram, Overlong, Preset};
use packscope::metrics::Figures;
use packscope::packing::{Algorithm, Depth, go_on};
use packscope::sweep::SweepPoint;
use packscope::words::{about_duration, count, percent, plural};
use packscope_page::query::{Answer, Query};
use packscope_page::state::graphs::{self, Action as Graphs};
use packscope_page::state::speedup::Action as SpeedUp;
use packscope_page::state::{Action, AppState, Source, StudyAnswer, Ticket};
use proptest::prelude::*;
use std::rc::Rc;

/// The view of sequences with all rows that the page would ask for at once.
fn compared(state: &AppState) -> AppState {
    let rows = state
        .sequences
        .unknown_rows()
        .into_iter()
        .filter(|(a, _)| !a.takes_long());
    with_rows(state, rows)
}

/// The same with those that take long, and the optimum.
fn compared_with_all(state: &AppState) -> AppState {
    let optimum = (Algorithm::Optimal, state.sequences.settings.depth);
    with_rows(
        state,
        state.sequences.unknown_rows().into_iter().chain([optimum]),
    )
}

fn with_rows(state: &AppState, rows: impl Iterator<Item = (Algorithm, Depth)>) -> AppState {
    let data = state.sequences.data.as_ref().unwrap();
    let settings = &state.sequences.settings;
    let figures = |row| {
        let report = run_on(&data.histogram, &settings.with_row(row), 0, &mut go_on).unwrap();
        (row, report.figures)
    };
    let ticket = Ticket {
        data: data.version,
        number: 1,
    };
    state.reduce(Action::Heard(heard::compared(
        ticket,
        settings.clone(),
        rows.map(figures).collect(),
    )))
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
        let start = state
            .reduce(Action::Algorithm(Algorithm::Spfhp))
            .reduce(Action::Depth(Depth::AtMost(1)));
        let advice = compared(&start).packing_advice().unwrap();
        let taken = advice
            .take
            .iter()
            .cloned()
            .fold(start, |state, action| state.reduce(action));
        let taken = compared(&taken);
        let [fewest, rows] = [
            (Algorithm::Lpfhp, Depth::Unlimited),
            taken.sequences.settings.row(),
        ]
        .map(|row| taken.sequences.row(row).unwrap().figures.packs);
        assert!(
            rows as f64 <= fewest as f64 * 1.01,
            "{}: {advice:?}",
            preset.id
        );
        assert!(
            advice.take.is_empty() || advice.reason.contains(&count(rows)),
            "{}: {advice:?}",
            preset.id
        );
        let again = taken.packing_advice().unwrap();
        assert!(again.take.is_empty(), "{}: {again:?}", preset.id);
    }
}

/// Rows of few sequences, where algorithms differ by more than half a percent.
fn of_few(lengths: Vec<(u32, u64)>) -> AppState {
    let data = Rc::new(Histogram::from_lengths(lengths).unwrap());
    let kept = Source::Kept {
        name: "few".to_owned(),
        components: Vec::new(),
    };
    AppState::default().reduce(Action::Loaded(kept, data, Some(100)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// What is said to be good as set is within a percent of every row on screen; what is offered is, once taken.
    #[test]
    fn no_row_on_screen_is_better_than_what_is_recommended(
        lengths in prop::collection::vec((15u32..=100, 1u64..60), 4..14),
        chosen in prop::sample::select(Algorithm::ALL.to_vec()),
        depth in prop::sample::select(vec![Depth::AtMost(2), Depth::AtMost(3), Depth::AtMost(5), Depth::Unlimited]),
    ) {
        let start = of_few(lengths).reduce(Action::Algorithm(chosen)).reduce(Action::Depth(depth));
        let start = compared_with_all(&start);
        let advice = start.packing_advice().unwrap();
        // Sorted batches are no rows to be compared.
        prop_assume!(chosen.fills_rows() || !advice.take.is_empty());
        let taken = advice.take.iter().cloned().fold(start, |state, action| state.reduce(action));
        let taken = with_rows(&taken, [taken.sequences.settings.row()].into_iter());
        let own = taken.sequences.row(taken.sequences.settings.row()).unwrap().figures.packs;
        for row in taken.sequences.comparison.rows().iter().filter(|row| row.row.0.fills_rows()) {
            prop_assert!(own as f64 <= row.figures.packs as f64 * 1.01, "{:?}: {own}, {row:?}", advice);
        }
        let again = taken.packing_advice().unwrap();
        prop_assert!(again.take.is_empty(), "{again:?}");
        // Where nothing is to be changed, no change is offered.
        prop_assert!(!again.reason.contains(" would save ") || again.setting.contains("hardly matters"), "{again:?}");
        prop_assert!(!again.reason.contains(" would need "), "{again:?}");
    }
}

/// Depths and algorithms of visitors, of which all rows are computed fast.
const DEPTHS: [Depth; 3] = [Depth::AtMost(1), Depth::AtMost(3), Depth::Unlimited];
const FAST: [Algorithm; 6] = [
    Algorithm::None,
    Algorithm::Spfhp,
    Algorithm::Lpfhp,
    Algorithm::FirstFitDecreasing,
    Algorithm::BestFitDecreasing,
    Algorithm::AverageTarget,
];

/// The share in percent that is written before these words.
fn share_before(text: &str, words: &str) -> f64 {
    let before = text.split(words).next().unwrap();
    before.rsplit(' ').next().unwrap().parse::<f64>().unwrap() / 100.0
}

/// What a visitor is told before the table is there, and then, with every row that there can be.
fn is_right(start: &AppState, rows: &[((Algorithm, Depth), Figures)], about: &str) {
    let figures = |row| {
        rows.iter()
            .find(|(other, _)| *other == row)
            .map(|(_, f)| f)
            .unwrap()
    };
    let own = figures(start.sequences.settings.row());
    let fewest = rows.iter().map(|(_, f)| f.packs).min().unwrap();
    let near = |packs: u64| packs as f64 <= fewest as f64 * 1.005;
    let report = |f: &Figures| Report {
        figures: f.clone(),
        ..empty(&start.sequences.settings)
    };
    let ticket = Ticket {
        data: start.sequences.version(),
        number: 1,
    };
    let answer = StudyAnswer {
        ticket,
        report: report(own),
        seconds: 0.0,
    };
    let early = start.reduce(Action::Heard(heard::answered(Rc::new(answer))));
    let said = early.packing_advice().unwrap();
    assert!(said.take.is_empty(), "{about}: {said:?}");
    if said.is_early {
        let most = share_before(&said.setting, " % of the rows can be saved");
        assert!(
            1.0 - fewest as f64 / own.packs as f64 <= most + 0.0006,
            "{about}: {said:?}"
        );
    } else {
        assert!(near(own.packs), "{about}: {said:?}");
    }
    let wanted = early.sequences.unknown_rows();
    let known: Vec<_> = rows
        .iter()
        .filter(|(row, _)| wanted.contains(row))
        .cloned()
        .collect();
    let settings = early.sequences.settings.clone();
    let state = early.reduce(Action::Heard(heard::compared(
        ticket,
        settings,
        known.clone(),
    )));
    let advice = state.packing_advice().unwrap();
    assert!(!advice.is_early);
    let fewest = known
        .iter()
        .map(|(_, f)| f.packs)
        .chain([own.packs])
        .min()
        .unwrap();
    let taken = advice
        .take
        .iter()
        .cloned()
        .fold(state, |state, action| state.reduce(action));
    let then = figures(taken.sequences.settings.row());
    assert!(then.packs <= own.packs, "{about}: {advice:?}");
    assert!(
        then.packs as f64 <= fewest as f64 * 1.01,
        "{about}: {advice:?}"
    );
    assert!(
        advice.take.is_empty() || advice.reason.starts_with(&plural(then.packs, "row")),
        "{about}: {advice:?}"
    );
}

/// A report without rows of its own.
fn empty(settings: &Settings) -> Report {
    let one = Histogram::from_lengths([(1, 1)]).unwrap();
    Report {
        settings: settings.clone(),
        ..run_on(&one, &Settings::default(), 0, &mut go_on).unwrap()
    }
}

#[test]
fn nothing_is_said_to_be_best_beside_a_better_row() {
    let mut tried = 0;
    for preset in Preset::ALL {
        let data = built_in(preset.id);
        if data.distinct() > 2_000 {
            continue;
        }
        for limit in [preset.limit(), data.quantile(0.9), practical(&data) / 2 + 1] {
            let state = loaded(preset.id, limit);
            let all = FAST
                .into_iter()
                .flat_map(|a| state.sequences.depths().into_iter().map(move |d| (a, d)));
            let figures = |row| {
                let settings = state.sequences.settings.with_row(row);
                (
                    row,
                    run_on(&data, &settings, 0, &mut go_on).unwrap().figures,
                )
            };
            let rows: Vec<_> = all.map(figures).collect();
            for (algorithm, depth) in FAST
                .into_iter()
                .flat_map(|a| DEPTHS.map(|depth| (a, depth)))
            {
                let fresh = AppState::default().reduce(Action::Loaded(
                    Source::Preset(preset),
                    Rc::new(data.clone()),
                    Some(limit),
                ));
                let start = fresh
                    .reduce(Action::Algorithm(algorithm))
                    .reduce(Action::Depth(depth));
                is_right(
                    &start,
                    &rows,
                    &format!("{} at {limit}, {algorithm:?}, {depth}", preset.id),
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

/// The view of sequences that knows what all limits on offer do.
fn with_limits(state: &AppState) -> AppState {
    let data = state.sequences.data.clone().unwrap();
    let state = answered(state);
    let Some((settings, limits)) = state.limits_wanted() else {
        return state;
    };
    limits.iter().fold(state, |state, limit| {
        let point = Answer::Limit(at_limit(&data.histogram, &settings, *limit).unwrap());
        state.reduce(heard::known(
            data.version,
            Query::Limit(settings.clone(), *limit),
            point,
        ))
    })
}

/// The same with an answer to its settings.
fn answered(state: &AppState) -> AppState {
    let data = state.sequences.data.clone().unwrap();
    let report = run_on(&data.histogram, &state.sequences.settings, 100, &mut go_on).unwrap();
    let ticket = Ticket {
        data: data.version,
        number: 2,
    };
    state.reduce(Action::Heard(heard::answered(Rc::new(StudyAnswer {
        ticket,
        report,
        seconds: 0.0,
    }))))
}

/// The limit that is named loses less, or pads less and loses no more, as the table of limits has it.
#[test]
fn the_limit_that_is_named_is_better_and_the_smallest_that_is() {
    let (mut losing, mut padding) = (0, 0);
    for preset in Preset::ALL.iter().take(12) {
        let data = built_in(preset.id);
        if data.distinct() > 5_000 {
            continue;
        }
        for (overlong, depth, limit) in
            ["truncate", "drop", "split"]
                .into_iter()
                .flat_map(|overlong| {
                    let limits = [
                        data.quantile(0.5),
                        data.quantile(0.95),
                        practical(&data),
                        data.max()[0] + 9,
                    ];
                    limits.map(|limit| {
                        (
                            overlong,
                            if limit % 2 == 0 {
                                Depth::Unlimited
                            } else {
                                Depth::AtMost(2)
                            },
                            limit,
                        )
                    })
                })
        {
            let about = format!("{} at {limit}, {overlong}, {depth}", preset.id);
            let start = loaded(preset.id, limit).reduce(Action::Depth(depth));
            let start = start.reduce(Action::Set("overlong", overlong.to_owned()));
            // Named from the lengths alone, until what it pads is known.
            let early = answered(&start).packing_advice().unwrap().also;
            let state = with_limits(&start);
            let policy = state.sequences.settings.overlong;
            let mut points = state.at_limits();
            points.retain(|p| p.under(policy).is_some());
            let kept = |p: &AtLimit| p.under(policy).unwrap();
            let slots =
                |p: &AtLimit| kept(p).packs as f64 * f64::from(p.limit) / kept(p).real as f64;
            let Some(here) = points.iter().find(|p| p.limit == limit).copied() else {
                assert_eq!(data.max(), [limit], "{about}");
                continue;
            };
            let here = &here;
            let advice = state.packing_advice().unwrap();
            let offered = advice
                .take
                .iter()
                .chain(advice.also.iter().flat_map(|(_, actions)| actions));
            let offered = offered.cloned().find_map(|action| match action {
                Action::Limit(limit) => Some(*points.iter().find(|p| p.limit == limit).unwrap()),
                _ => None,
            });
            let lost = kept(here).lost_share();
            if let Some(then) = &offered {
                let words = count(u64::from(then.limit));
                assert!(
                    advice.reason.contains(&words) || advice.setting.contains(&words),
                    "{about}: {advice:?}"
                );
                let [before, after] =
                    [here, then].map(|p| percent(1.0 - kept(p).efficiency(p.limit)));
                let named = format!("{after} padding instead of {before}");
                assert_eq!(
                    advice.reason.contains(&named),
                    before != after,
                    "{about}: {advice:?}"
                );
                assert!(state.holds_batch(then.limit), "{about}: {advice:?}");
                assert!(kept(then).lost_share() <= lost, "{about}: {advice:?}");
            }
            points.retain(|p| p.limit == limit || state.holds_batch(p.limit));
            let fits = state.fit_at(limit).is_some();
            if !fits {
                assert!(advice.reason.contains("not one row"), "{about}: {advice:?}");
                continue;
            }
            if lost > 0.001 {
                assert_eq!(early, advice.also, "{about}");
                assert!(
                    advice.reason.contains(&percent(lost)),
                    "{about}: {advice:?}"
                );
                let Some(then) = offered else {
                    assert!(
                        points.iter().all(|p| kept(p).lost_share() > 0.001),
                        "{about}: {advice:?}"
                    );
                    continue;
                };
                let smaller = points.iter().filter(|p| p.limit < then.limit);
                assert!(
                    smaller.clone().all(|p| kept(p).lost_share() > 0.001),
                    "{about}: {advice:?}"
                );
                losing += 1;
                continue;
            }
            assert_eq!(early, None, "{about}: it loses too little to be named");
            let seconds: Vec<f64> = state
                .priced_at(&points)
                .estimates
                .iter()
                .map(|e| e.seconds)
                .collect();
            let now = seconds[points.iter().position(|p| p.limit == limit).unwrap()];
            let no_slower = points
                .iter()
                .zip(&seconds)
                .filter(|(_, s)| **s <= now)
                .map(|(p, _)| p);
            let whole = no_slower.filter(|p| p.above <= here.above);
            let fewest = whole.map(slots).fold(f64::INFINITY, f64::min);
            assert_eq!(
                offered.is_some(),
                slots(here) > fewest * 1.005,
                "{about}: {advice:?}"
            );
            if let Some(then) = offered {
                assert!(
                    slots(&then) <= fewest * 1.005 && then.above <= here.above,
                    "{about}: {advice:?}"
                );
                let rest = with_limits(&state.reduce(Action::Limit(then.limit)));
                assert!(
                    rest.better_limit().is_none(),
                    "{about}: {:?}",
                    rest.better_limit()
                );
                padding += 1;
            }
        }
    }
    assert!(losing > 20 && padding > 3, "{losing}, {padding}");
}

/// 2,000 lengths as of conversations: most are short, and a few are longer than a model's memory allows.
fn conversations() -> Rc<Histogram<1>> {
    let lengths = (1..=2_000u32).map(|at| (9 + 18_600 / (1 + 2_000 - at), 1));
    Rc::new(Histogram::from_lengths(lengths).unwrap())
}

/// No limit is offered at which a batch needs more than the memory, and what tokens cost is in the sentence.
#[test]
fn a_limit_that_does_not_fit_the_memory_is_never_offered() {
    let kept = Source::Kept {
        name: "conversations".to_owned(),
        components: Vec::new(),
    };
    let start = AppState::default().reduce(Action::Loaded(kept, conversations(), Some(512)));
    let (mut offered, mut named, mut refused) = (0, 0, 0);
    for model in presets::TRANSFORMERS {
        for limit in [128, 512, 2_048, 8_192, 18_609] {
            let state = start
                .reduce(Action::SpeedUp(SpeedUp::Transformer(model)))
                .reduce(Action::Limit(limit));
            let state = with_limits(&compared(&state));
            let advice = state.packing_advice().unwrap();
            let about = format!("{} at {limit}: {advice:?}", model.id);
            if state.fit_at(limit).is_none() {
                assert!(advice.reason.contains("not one row of"), "{about}");
                assert!(state.of_unfit().is_some(), "{about}");
                refused += 1;
            } else {
                assert_eq!(state.of_unfit(), None, "{about}");
            }
            for actions in [&advice.take]
                .into_iter()
                .chain(advice.also.iter().map(|(_, actions)| actions))
            {
                let taken = actions
                    .iter()
                    .cloned()
                    .fold(state.clone(), |state, action| state.reduce(action));
                let settings = &taken.sequences.settings;
                if settings.limit == limit {
                    continue;
                }
                let a = *taken.speedup.assumptions();
                let slots = f64::from(settings.batch) * f64::from(settings.limit);
                let memory = Memory::new(&Workload::Transformer(a.transformer), &a, slots).share;
                assert!(memory <= 1.0, "{memory} of the memory, {about}");
                let points = state.at_limits();
                offered += 1;
                if state.fit_at(limit).is_none() {
                    continue;
                }
                let known = |limit: u32| *points.iter().find(|p| p.limit == limit).expect(&about);
                let there = [limit, settings.limit].map(known);
                let hours = state.priced_at(&there).estimates;
                let [now, then] = [0, 1].map(|at| about_duration(hours[at].seconds));
                let price = format!("an estimated {then} an epoch instead of {now}");
                assert_eq!(
                    advice.reason.contains(&price),
                    now != then,
                    "{price}, {about}"
                );
                named += usize::from(now != then);
            }
        }
    }
    assert!(
        offered > 10 && named > 5 && refused > 1,
        "{offered}, {named}, {refused}"
    );
}

#[test]
fn limits_are_found_in_the_background_where_another_may_be_better() {
    let state = answered(&loaded("squad_1_1_bert_384", 200));
    assert_eq!(
        state.limits_wanted().map(|(_, limits)| limits),
        Some(state.limits_on_offer())
    );
    assert!(state.limits_on_offer().contains(&200));
    assert!(
        state
            .reduce(Action::Background(false))
            .limits_wanted()
            .is_none()
    );
    // At the longest sequence nothing is lost, and longer rows are none of the usual ones.
    assert!(
        answered(&loaded("squad_1_1_bert_384", 384))
            .limits_wanted()
            .is_none()
    );
}

proptest! {
    /// Limits that hold a share are those of the first rank at which enough items are within all of them.
    #[test]
    fn limits_hold_the_share_that_they_say(
        sizes in prop::collection::vec(([1u32..12, 0u32..12], 1u64..6), 1..16),
        percent in 0u32..=100,
    ) {
        let data = Histogram::from_counts(sizes).unwrap();
        let share = f64::from(percent) / 100.0;
        let items: Vec<[u32; 2]> =
            data.entries().iter().flat_map(|(size, n)| std::iter::repeat_n(*size, *n as usize)).collect();
        let mut sorted = [0, 1].map(|k| items.iter().map(|size| size[k]).collect::<Vec<u32>>());
        sorted.iter_mut().for_each(|sizes| sizes.sort_unstable());
        let limits = |rank: usize| [sorted[0][rank], sorted[1][rank]];
        let held = |limits: [u32; 2]| {
            items.iter().filter(|size| (0..2).all(|k| size[k] <= limits[k])).count()
        };
        let needed = (share * items.len() as f64).ceil() as usize;
        let first = (0..items.len()).map(limits).find(|limits| held(*limits) >= needed.max(1)).unwrap();
        prop_assert_eq!(data.covering(share), first);
        prop_assert_eq!(data.covering(1.0), data.max());
        let lengths = data.marginal(0).unwrap();
        prop_assert_eq!(lengths.covering(share), [lengths.quantile(share)]);
    }
}

#[test]
fn where_packing_saves_nothing_nothing_is_recommended() {
    let full = Rc::new(Histogram::from_lengths([(512, 1000), (500, 10)]).unwrap());
    let kept = Source::Kept {
        name: "full".to_owned(),
        components: Vec::new(),
    };
    let state = compared(&AppState::default().reduce(Action::Loaded(kept, full, Some(512))));
    let advice = state.packing_advice().unwrap();
    assert!(
        advice.take.is_empty() && advice.setting.contains("hardly matters"),
        "{advice:?}"
    );
}

#[test]
fn a_limit_that_cuts_much_off_is_named_first() {
    let state = loaded("wikipedia_bert_512", 225);
    let lost = &state
        .sequences
        .row((Algorithm::Lpfhp, Depth::Unlimited))
        .unwrap()
        .figures;
    let share = lost.waste_tokens[0] as f64 / (lost.waste_tokens[0] + lost.real_tokens[0]) as f64;
    let reason = state.packing_advice().unwrap().reason;
    assert!(
        reason.contains(&format!(
            "A limit of 225 loses {} of the tokens",
            percent(share)
        )),
        "{reason}"
    );
}

#[test]
fn every_policy_at_a_limit_is_that_of_a_run() {
    for (id, limits) in [
        ("squad_1_1_bert_384", [64, 200, 384]),
        ("glue_rte", [50, 128, 289]),
    ] {
        let data = built_in(id);
        for limit in limits {
            let point = at_limit(&data, &Settings::default(), limit).unwrap();
            let policies = [
                (Overlong::Truncate, Some(point.truncated)),
                (Overlong::Drop, point.dropped),
                (Overlong::Split, Some(point.split)),
            ];
            for (overlong, kept) in policies {
                let settings = Settings {
                    limit,
                    overlong,
                    ..Settings::default()
                };
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
    let ticket = Ticket {
        data: data.version,
        number: 2,
    };
    let answer = packscope_page::state::StudyAnswer {
        ticket,
        report,
        seconds: 0.0,
    };
    let state = state.reduce(Action::Heard(heard::answered(Rc::new(answer))));
    assert!(state.limits_wanted().is_none());
    let seen = state.reduce(Action::LimitsInView(true));
    let (settings, limits) = seen.limits_wanted().unwrap();
    assert_eq!(limits, seen.limits_on_offer());
    let known = limits.iter().fold(seen, |state, limit| {
        let point = Answer::Limit(at_limit(&data.histogram, &settings, *limit).unwrap());
        state.reduce(heard::known(
            data.version,
            Query::Limit(settings.clone(), *limit),
            point,
        ))
    });
    assert!(known.limits_wanted().is_none());
    assert_eq!(known.at_limits().len(), limits.len());
    assert!(
        known
            .of_limits()
            .unwrap()
            .starts_with("A limit of 384 cuts off nothing; "),
        "{:?}",
        known.of_limits()
    );
    // The policy changes nothing of what is known; the depth all.
    assert!(
        !known
            .reduce(Action::Set("overlong", "drop".to_owned()))
            .at_limits()
            .is_empty()
    );
    assert!(
        known
            .reduce(Action::Depth(Depth::AtMost(2)))
            .at_limits()
            .is_empty()
    );
}

/// The time at another limit is that which Speed-up estimates there.
#[test]
fn times_along_the_limits_are_those_of_speed_up() {
    let data = built_in("squad_1_1_bert_384");
    let packed = |limit: u32| {
        let state = loaded("squad_1_1_bert_384", limit);
        let report = run_on(&data, &state.sequences.settings, u32::MAX, &mut go_on).unwrap();
        let ticket = Ticket {
            data: state.sequences.version(),
            number: 2,
        };
        let state = state.reduce(Action::Heard(heard::answered(Rc::new(StudyAnswer {
            ticket,
            report,
            seconds: 0.0,
        }))));
        let priced = state.priced(
            &state.speedup_cases(),
            state.speedup.assumptions().accelerators,
        );
        let chosen = state.speedup_chosen();
        let found = priced.estimates.into_iter().find(|e| e.method == chosen);
        (state, found.unwrap().seconds)
    };
    let limits = [64, 200, 384];
    let (state, present) = packed(384);
    assert_eq!(
        state.speedup_chosen(),
        Method::PackedBlocks,
        "the default cost of keeping apart"
    );
    let points =
        limits.map(|limit| at_limit(&data, &state.sequences.settings.deciding(), limit).unwrap());
    let priced = state.priced_at(&points);
    assert!((priced.estimates[2].seconds / present - 1.0).abs() < 1e-3);
    for (limit, estimate) in limits.into_iter().zip(&priced.estimates) {
        let (_, there) = packed(limit);
        // Which pairs of a row are padding is known only where all packs are listed; both are computed.
        assert!(
            (estimate.seconds / there - 1.0).abs() < 1e-3,
            "{limit}: {}, {there}",
            estimate.seconds
        );
    }
    assert!(
        priced
            .memory
            .is_sorted_by(|a, b| a.activations < b.activations),
        "longer rows need more"
    );
}

/// Graphs with limits, and a sweep that has tried others.
fn swept(limits: [u32; 2], target: f64, points: &[SweepPoint<2>]) -> AppState {
    let sizes = Rc::new(Histogram::from_counts([([6, 9], 4), ([4, 3], 5), ([10, 20], 1)]).unwrap());
    let act = |state: AppState, action| state.reduce(Action::Graphs(action));
    let state = act(
        AppState::default(),
        Graphs::Loaded(Source::Preset(graphs::FIRST), sizes, [true; 2]),
    );
    let state = act(
        state,
        Graphs::Algorithm(packscope::packing::tuple::TupleAlgorithm::BestFit),
    );
    let state = act(act(state, Graphs::Limits(limits)), Graphs::Target(target));
    let state = act(state, Graphs::Start);
    let run = state.graphs.course.run;
    act(state, Graphs::Swept(run, points.to_vec(), true))
}

/// A point that a sweep has tried.
fn tried() -> impl Strategy<Value = SweepPoint<2>> {
    (
        [8u32..14, 17u32..24],
        [0.9f64..0.99, 0.9f64..0.99],
        1u64..20,
    )
        .prop_map(|(limits, efficiency, packs)| {
            let harmonic = 2.0 / (1.0 / efficiency[0] + 1.0 / efficiency[1]);
            SweepPoint {
                limits,
                needed: limits,
                packs,
                efficiency,
                harmonic,
            }
        })
}

#[test]
fn limits_that_reach_the_target_say_so_and_offer_no_others() {
    let point = |limits, packs, e: f64| SweepPoint {
        limits,
        needed: limits,
        packs,
        efficiency: [e; 2],
        harmonic: e,
    };
    let state = swept(
        [10, 20],
        0.95,
        &[point([10, 20], 30, 0.951), point([19, 54], 12, 0.985)],
    );
    let advice = state.limits_advice().unwrap();
    assert!(advice.take.is_empty(), "{advice:?}");
    assert_eq!(advice.setting, "both reach the target of 95.0 %");
    assert_eq!(
        advice.reason,
        "95.1 % of the node and 95.1 % of the edge slots are filled."
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
        let holds = |p: &SweepPoint<2>| (0..2).all(|k| p.limits[k] >= now[k].min([10, 20][k]));
        let reaches = |p: &SweepPoint<2>| p.efficiency.iter().all(|e| *e >= target);
        // Worth a change: fuller by a percent, or as full as it is to be.
        let gains = |p: &SweepPoint<2>| {
            p.harmonic >= here.harmonic + 0.01 || reaches(p) && !reaches(&here) && p.harmonic > here.harmonic
        };
        let title = graphs::findings::of_sweep(&state.graphs);
        let Some(Action::Graphs(Graphs::Limits(limits))) = advice.take.first() else {
            let why = &advice.setting;
            prop_assert!(title.ends_with(why.as_str()), "{title}: {why}");
            prop_assert!(!why.ends_with("tried, none fill 1 % more") || !fuller([0, 0]), "{why}");
            prop_assert!(!why.contains("none that hold every") || !fuller([10, 20]), "{why}");
            prop_assert!(!why.contains("none that are larger") || !fuller(now), "{why}");
            prop_assert_eq!(!why.starts_with("of "), reaches(&here), "{}", why);
            prop_assert!(reaches(&here) || !points.iter().any(|p| holds(p) && gains(p)), "{why}");
            return Ok(());
        };
        let found = *points.iter().find(|p| p.limits == *limits).unwrap();
        prop_assert!(holds(&found) && gains(&found));
        prop_assert!(!title.contains("none") && title.contains("padding instead of"), "{title}");
        let left = percent(1.0 - found.harmonic);
        prop_assert!(title.contains(&left), "{title}: {left}");
        // No smaller limits reach the target as well; where it is out of reach, none are fuller.
        let mut good = points.iter().filter(|p| holds(p) && gains(p));
        let better = |p: &SweepPoint<2>| match reaches(&found) {
            true => reaches(p) && p.area() < found.area(),
            false => reaches(p) || p.harmonic > found.harmonic,
        };
        prop_assert!(!good.any(better));
        let again = swept(*limits, target, &points).limits_advice().unwrap();
        prop_assert!(again.take.is_empty(), "{advice:?} {again:?}");
    }
}
