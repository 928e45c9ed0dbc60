//! The state of the view of batches: the answers shown, the contents of the address, the titles.

use crate::common::built_in;
use crate::heard::weighed;
use packscope::api::batch::{BatchCap, LearningRate, Mode, PreparedBatches, Report, Settings};
use packscope::histogram::{Histogram, Preset};
use packscope::packing::go_on;
use packscope::sampler::{HwCap, MemoryModel, Sampler, TokenDrop};
use packscope::words::about_factor;
use packscope_page::query::{Answer, Query, TimedAnswer};
use packscope_page::state::batches::{Action as Batches, SamplerRow, findings};
use packscope_page::state::{
    Action, AppState, CachedAnswer, DataName, Press, Source, Ticket, View, data_of, has, speedup,
};
use proptest::prelude::*;
use std::rc::Rc;

fn opened(name: &str) -> AppState {
    let preset = Preset::find(name).unwrap();
    let data = Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in(name)),
        Some(preset.limit().min(128)),
    );
    AppState::default()
        .reduce(Action::View(View::Batches))
        .reduce(data)
}

fn loaded(name: &str) -> AppState {
    choose(&opened(name), Sampler::Bucket)
}

fn set(id: &'static str, text: &str) -> Batches {
    Batches::Set(id, text.to_owned())
}

fn act(state: &AppState, action: Batches) -> AppState {
    state.reduce(Action::Batches(action))
}

fn choose(state: &AppState, sampler: Sampler) -> AppState {
    act(state, Batches::Sampler(sampler))
}

/// What a worker would say about a row.
fn answer(state: &AppState, row: SamplerRow, number: u64) -> CachedAnswer {
    let settings = state.batch_settings_of(row);
    let ticket = Ticket {
        data: state.sequences.version(),
        number,
    };
    let outcome = report(state, &settings).map(|report| Answer::Batches(Rc::new(report)));
    let answered = TimedAnswer {
        outcome: outcome.map_err(|error| error.to_string()),
        seconds: 0.0,
    };
    CachedAnswer {
        ticket,
        query: Query::Batches(Box::new(settings), false),
        answered,
    }
}

fn hear(state: &AppState, answer: CachedAnswer) -> AppState {
    state.reduce(Action::Answered(vec![answer]))
}

fn report(state: &AppState, settings: &Settings) -> packscope::error::Result<Report> {
    let data = state.sequences.data.as_ref().unwrap();
    let plain =
        || Histogram::from_counts(data.histogram.entries().iter().map(|&([l], n)| ([l, 0], n)));
    match &data.texts {
        Some(texts) => {
            PreparedBatches::new(texts, true, settings)?.report(settings, false, &mut go_on)
        }
        None => {
            PreparedBatches::new(&plain()?, false, settings)?.report(settings, false, &mut go_on)
        }
    }
}

fn tell(state: &AppState, row: SamplerRow, number: u64) -> AppState {
    hear(state, answer(state, row, number))
}

fn tell_all(state: &AppState, number: u64) -> AppState {
    state
        .batch_rows()
        .into_iter()
        .fold(state.clone(), |state, row| tell(&state, row, number))
}

fn bucket(merging: bool) -> SamplerRow {
    SamplerRow {
        sampler: Sampler::Bucket,
        merging: Some(merging),
    }
}

#[test]
fn an_older_answer_or_one_about_other_data_changes_nothing() {
    let first = loaded("glue_rte");
    let row = first.batch_row();
    let older = answer(&first, row, 1);
    let wide = act(&first, Batches::Width(Some(20)));
    let state = tell(&wide, row, 2);
    assert!(state.is_batched(row) && !hear(&wide, older.clone()).is_batched(row));
    assert_eq!(hear(&state, older.clone()), state);
    let other = loaded("glue_wnli");
    let other = other.reduce(Action::Loaded(
        Source::Preset(Preset::FIRST),
        Rc::new(built_in("glue_wnli")),
        Some(128),
    ));
    assert_eq!(hear(&other, older), other);
}

#[test]
fn rows_are_kept_for_as_long_as_what_decides_them_stays() {
    let state = tell_all(&loaded("glue_rte"), 1);
    assert!(state.are_batched());
    // Neither the chosen sampler nor the cap of one makes the others stale.
    assert!(act(&state, set("merging", "off")).are_batched());
    let capped = act(&state, Batches::BatchCap(None));
    let stale = |state: &AppState| -> Vec<SamplerRow> {
        state
            .batch_rows()
            .into_iter()
            .filter(|row| !state.is_batched(*row))
            .collect()
    };
    assert_eq!(stale(&capped), [bucket(true), bucket(false)]);
    let grouped = act(&state, Batches::Mega(Some(7)));
    assert_eq!(
        stale(&grouped),
        [SamplerRow {
            sampler: Sampler::LengthGrouped,
            merging: None
        }]
    );
    // A new order, another limit: all of them.
    assert_eq!(stale(&state.reduce(Action::Limit(64))).len(), 8);
    assert_eq!(
        stale(&act(&state, Batches::TokenDrop(TokenDrop::Equalise))).len(),
        8
    );
    // What is not about the present settings stays to be seen.
    assert!(capped.epoch_figures(bucket(true)).is_some());
}

/// The judge's sampler is as fast as any row of the table with the same steps that keeps the shuffle, and of the others it
/// is said what speaks against them.
#[test]
fn no_row_of_the_table_beats_the_advice_unsaid() {
    let mut tried = 0;
    for preset in Preset::ALL {
        let data = built_in(preset.id);
        if data.items() > 70_000 {
            continue;
        }
        let opened = AppState::default().reduce(Action::View(View::Batches));
        let opened = opened.reduce(Action::Loaded(
            Source::Preset(preset),
            Rc::new(data.clone()),
            Some(preset.limit()),
        ));
        for mode in [Mode::Training, Mode::Server] {
            let state = tell_all(&act(&opened, set("for", mode.name())), 1);
            let (_, verdict) = weighed(&state);
            let advised = verdict.then.iter().chain(&verdict.lighter);
            let choice = advised.filter_map(|then| then.change.sampler).next();
            let runs = verdict.now.as_ref().is_some_and(|now| now.fits);
            let Some(choice) = choice.filter(|_| runs) else {
                continue;
            };
            let about = format!("{}, {mode}: {}", preset.id, verdict.sentence);
            // As it is after the press, with the settings that keep the tokens of a step.
            let chosen = |press: &Press| {
                press
                    .actions
                    .iter()
                    .all(|a| matches!(a, Action::Batches(_)))
            };
            let press = state.presses(&verdict).into_iter().find(chosen);
            let actions = press.into_iter().flat_map(|press| press.actions);
            let state = actions.fold(state, |state, action| state.reduce(action));
            let state = tell_all(&state, 1);
            let rows = state.priced_figures(&state.batch_rows());
            let training = mode == Mode::Training;
            assert!(!training || choice.sampler.keeps_shuffle(), "{about}");
            let random = rows[&SamplerRow::RANDOM].sequences_per_step;
            let said = state.of_faster_samplers(&rows).unwrap_or_default();
            let of_choice = rows.iter().filter(|(row, _)| row.sampler == choice.sampler);
            let own = of_choice
                .map(|(_, f)| f.estimated_speedup)
                .fold(0.0, f64::max);
            for (row, f) in &rows {
                let capped = row.sampler == Sampler::Bucket && training;
                let as_large = (f.sequences_per_step / random - 1.0).abs() < 0.1 && !capped;
                let shuffled = !training || row.sampler.keeps_shuffle();
                let name = findings::name_of(*row);
                if as_large && shuffled {
                    assert!(
                        f.estimated_speedup <= own * 1.011,
                        "{row:?} {} above {own} of {choice:?}: {about}",
                        f.estimated_speedup
                    );
                } else if f.estimated_speedup > own * 1.05 {
                    assert!(said.contains(name), "{row:?}: {said}: {about}");
                }
            }
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn learning_rates_and_costs_are_priced_without_a_worker() {
    let state = tell_all(&loaded("glue_rte"), 1);
    let rates = |state: &AppState| {
        state
            .epoch_figures(bucket(true))
            .unwrap()
            .learning_rate
            .unwrap()
    };
    let speed =
        |state: &AppState| state.priced_figures(&[bucket(true)])[&bucket(true)].estimated_speedup;
    let flat = act(
        &state,
        Batches::LearningRate(LearningRate {
            base: 1e-4,
            modulated: false,
        }),
    );
    assert!(flat.are_batched() && rates(&state)[0] < rates(&state)[1]);
    assert_eq!(rates(&flat), [1e-4; 2]);
    // What a step costs comes from the accelerator of Speed-up.
    let dear = state.reduce(Action::SpeedUp(speedup::Action::Set("step", 100.0)));
    let dear = dear.reduce(Action::SpeedUp(speedup::Action::Set("peak", 1e18)));
    let dear = dear.reduce(Action::SpeedUp(speedup::Action::Set("accelerators", 1.0)));
    // 39 random batches; the last epoch of BucketSampler has 26, of which nobody waits for another.
    let batches = dear.epoch_figures(bucket(true)).unwrap().batches as f64;
    assert!(
        dear.are_batched() && (speed(&dear) - 39.0 / batches).abs() < 0.001,
        "{} {batches}",
        speed(&dear)
    );
    // An answer that was asked for before is priced as well when it comes.
    let late = hear(
        &flat,
        CachedAnswer {
            ticket: Ticket {
                number: 2,
                ..ticket(&state)
            },
            ..answer(&state, bucket(true), 2)
        },
    );
    assert_eq!(rates(&late), [1e-4; 2]);
    for nonsense in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        let rate = LearningRate {
            base: nonsense,
            modulated: true,
        };
        assert_eq!(act(&state, Batches::LearningRate(rate)), state);
    }
}

fn ticket(state: &AppState) -> Ticket {
    Ticket {
        data: state.sequences.version(),
        number: 0,
    }
}

#[test]
fn the_epoch_on_screen_is_one_that_is_run() {
    let state = tell(
        &act(&loaded("glue_rte"), Batches::Epoch(9)),
        bucket(true),
        1,
    );
    assert_eq!(state.shown_epoch(), 2);
    assert_eq!(
        state.epoch_figures(bucket(true)).unwrap().batch_cap,
        Some(256)
    );
    assert_eq!(
        act(&state, Batches::Epoch(1))
            .epoch_figures(bucket(true))
            .unwrap()
            .batch_cap,
        Some(128)
    );
    assert_eq!(act(&state, set("epochs", "1")).shown_epoch(), 0);
    assert_eq!(act(&state, set("for", "server")).shown_epoch(), 0);
}

#[test]
fn a_refusal_is_said_only_about_the_present_settings() {
    let state = choose(&loaded("glue_rte"), Sampler::TokenBudget);
    let tight = act(&state, Batches::Tokens(Some(3)));
    let refused = tell(&tight, tight.batch_row(), 1);
    assert!(
        refused.batch_refusal().is_some_and(|why| why.contains('3')),
        "{:?}",
        refused.batch_refusal()
    );
    assert_eq!(act(&refused, Batches::Tokens(None)).batch_refusal(), None);
}

/// Settings that differ from the usual ones, each on its own.
fn changes() -> Vec<Batches> {
    let table = HwCap::Table(vec![(64, 300), (128, 40)]);
    let memory = HwCap::Memory(MemoryModel {
        linear: 1.5e6,
        quadratic: 2048.0,
        bytes: 1.1e10,
    });
    let based = BatchCap {
        base: Some(32),
        scaling: 1.5,
    };
    let mut changes = vec![
        set("epochs", "7"),
        Batches::Epoch(2),
        Batches::Mega(Some(9)),
        Batches::Tokens(Some(9000)),
        Batches::Width(Some(3)),
        Batches::HwCap(table),
        Batches::HwCap(memory),
        set("merging", "off"),
        Batches::BatchCap(None),
        Batches::BatchCap(Some(based)),
        Batches::BatchCap(Some(BatchCap {
            base: None,
            scaling: 3.0,
        })),
        Batches::TokenDrop(TokenDrop::Rate(0.25)),
        Batches::TokenDrop(TokenDrop::Equalise),
        set("stopwords", "0.35"),
        Batches::LearningRate(LearningRate {
            base: 5e-5,
            modulated: false,
        }),
        Batches::FirstBatches(true),
    ];
    changes.extend(Sampler::ALL.map(Batches::Sampler));
    changes.extend(Mode::ALL.map(|mode| set("for", mode.name())));
    changes
}

#[test]
fn every_setting_round_trips_through_the_hash() {
    let start = opened("glue_rte");
    assert_eq!(start.hash(), "view=batches&data=glue_rte&limit=128");
    for change in changes() {
        let state = act(&start, change.clone());
        let hash = state.hash();
        assert_eq!(
            start.reduce(Action::Navigate(hash.clone())),
            state,
            "{change:?}: {hash}"
        );
        // From another view they stand behind the name of this one.
        let other = state.reduce(Action::View(View::Sequences));
        assert_eq!(
            start.reduce(Action::Navigate(other.hash())),
            other,
            "{}",
            other.hash()
        );
    }
    let all = changes()
        .into_iter()
        .fold(start.clone(), |state, change| act(&state, change));
    assert_eq!(start.reduce(Action::Navigate(all.hash())), all);
}

#[test]
fn what_sequences_and_batches_share_is_written_once() {
    let shared = [
        Action::Limit(96),
        Action::Set("seed", "11".to_owned()),
        Action::Batch(32),
        Action::Set("overlong", "drop".to_owned()),
    ];
    let state = shared
        .into_iter()
        .fold(opened("glue_rte"), |state, action| state.reduce(action));
    let hash = state.hash();
    for pair in [
        "data=glue_rte",
        "limit=96",
        "seed=11",
        "batch=32",
        "overlong=drop",
    ] {
        assert_eq!(hash.matches(pair).count(), 1, "{hash}");
    }
    assert!(
        !hash.contains("sequences.") && !hash.contains("batches."),
        "{hash}"
    );
    assert!(
        !hash.contains("depth") && !hash.contains("algorithm"),
        "{hash}"
    );
    assert_eq!(
        opened("glue_rte").reduce(Action::Navigate(hash.clone())),
        state
    );
    assert_eq!(data_of(&hash, View::Sequences), DataName::Named("glue_rte"));
    assert!(has(&hash, View::Sequences, "limit"));
    let back = state.reduce(Action::View(View::Sequences)).hash();
    assert!(
        back.starts_with("data=glue_rte&limit=96") && !back.contains("batches."),
        "{back}"
    );
    assert_eq!(state.batch_settings().batch, 32);
}

#[test]
fn mangled_links_are_taken_for_what_they_say() {
    let state = loaded("glue_rte");
    for hash in [
        "view=batches&sampler=best&for=fun&epochs=x&group=-1&tokens=many&width=1.5&hwcap=5:0",
        "view=batches&hwcap=10:5,5:9&cap=64,0.5&cap=0,2&cap=a,b&drop=2&drop=-1&stopwords=1.2&stopwords=nan",
        "view=batches&rate=0&rate=-3&rate=inf&model=0&step=-1&step=nan&epoch=0&epoch=101&batch=0&limit=0",
        "view=batches&batches.&graphs.=1&hwcap=memory:1,2&hwcap=memory:0,0,5&hwcap=",
        // Its limit and seed are those of sequences.
        "view=batches&batches.limit=9&batches.seed=5&sampler=best",
    ] {
        let followed = state.reduce(Action::Navigate(hash.to_owned()));
        assert!(followed.ignored.is_some(), "{hash}");
        assert_eq!(followed.reduce(Action::Dismiss), state, "{hash}");
    }
}

proptest! {
    #[test]
    fn any_hash_is_survived_and_round_trips(hash in "(view=batches&)?[a-z0-9=&#.,:-]{0,60}") {
        let start = loaded("glue_wnli");
        let state = start.reduce(Action::Navigate(hash)).reduce(Action::Dismiss);
        prop_assert_eq!(start.reduce(Action::Navigate(state.hash())), state);
    }

    #[test]
    fn any_value_is_survived(name in "(cap|hwcap|drop|rate|epoch|tokens|stopwords|step)", value in "[0-9,.:e-]{0,12}") {
        let start = loaded("glue_wnli");
        let state = start.reduce(Action::Navigate(format!("view=batches&{name}={value}"))).reduce(Action::Dismiss);
        prop_assert!(state.batch_settings().check().is_ok(), "{name}={value}");
        prop_assert_eq!(start.reduce(Action::Navigate(state.hash())), state);
    }
}

fn texts() -> AppState {
    let texts =
        Histogram::from_counts([([10, 4], 3), ([10, 0], 1), ([1, 1], 2), ([200, 90], 1)]).unwrap();
    let load = Action::LoadedTexts(Source::Preset(Preset::FIRST), Rc::new(texts), Some(128));
    loaded("glue_rte").reduce(load)
}

#[test]
fn texts_give_lengths_too_and_their_stopwords_are_counted() {
    let state = texts();
    let data = state.sequences.data.as_ref().unwrap();
    assert_eq!(data.histogram.entries(), [([1], 2), ([10], 4), ([200], 1)]);
    assert!(data.texts.is_some() && data.version > loaded("glue_rte").sequences.version());
    let report = tell(&state, SamplerRow::RANDOM, 1)
        .batch_report(SamplerRow::RANDOM)
        .unwrap()
        .clone();
    assert!(report.stopwords_known && findings::of_stopwords(&report).contains("counted"));
    assert_eq!(
        (report.stopwords, report.overlong_items, report.waste_tokens),
        (3 * 4 + 2 + 90, 1, 72)
    );
    // Lengths that are loaded afterwards have no texts.
    let lengths = Action::Loaded(Source::Preset(Preset::FIRST), data.histogram.clone(), None);
    assert!(
        state
            .reduce(lengths)
            .sequences
            .data
            .unwrap()
            .texts
            .is_none()
    );
}

/// "A query has 13.3 tokens on average, and 8.4 then: 1.6× as fast, if time goes with the tokens": one premise for all of it.
#[test]
fn a_query_is_as_much_faster_as_it_has_fewer_tokens() {
    let state = act(&loaded("glue_sst2"), set("for", "real-time"));
    let told = tell(&state, state.batch_row(), 1);
    let report = told.batch_report(state.batch_row()).unwrap();
    let rates = state.one_by_one(&[0.0, 0.5, 1.0]);
    let before = &rates[0].1;
    for (rate, after) in &rates {
        let fewer = before.tokens_per_step / after.tokens_per_step;
        assert!(
            (after.estimated_speedup / fewer - 1.0).abs() < 1e-9,
            "{rate}: {}",
            after.estimated_speedup
        );
        let said = findings::of_queries(report, before, after, "tokens");
        let wanted = format!(
            ": {} as fast, if time goes with the tokens",
            about_factor(fewer)
        );
        assert!(said.contains(&wanted), "{said}");
    }
    assert!(rates[2].1.estimated_speedup > 1.5);
}

#[test]
fn one_by_one_only_dropping_helps() {
    let state = act(&texts(), set("for", "real-time"));
    assert_eq!(state.batch_rows(), [state.batch_row()]);
    let rates = state.one_by_one(&state.dropping_rates());
    let tokens: Vec<u64> = rates.iter().map(|(_, f)| f.real_tokens).collect();
    // 30 + 10 + 2 + 128; of a single token nothing can be dropped, and parts are rounded down.
    assert_eq!(
        tokens,
        [170, 170 - 3 - 22, 170 - 6 - 45, 170 - 9 - 67, 170 - 12 - 90]
    );
    assert!(
        rates
            .iter()
            .all(|(_, f)| f.padding_tokens == 0 && f.batches == 7 && f.updates == 0)
    );
    assert!((rates[0].1.estimated_speedup - 1.0).abs() < 1e-9);
    assert!(
        rates
            .windows(2)
            .all(|two| two[0].1.estimated_speedup < two[1].1.estimated_speedup)
    );
    assert_eq!(
        findings::of_rates(&rates).unwrap(),
        "A query keeps 40.0 % of its tokens without its stopwords"
    );
    let third = act(&state, Batches::TokenDrop(TokenDrop::Rate(0.3)));
    assert_eq!(third.dropping_rates(), [0.0, 0.25, 0.3, 0.5, 0.75, 1.0]);
    // What the worker says about the rate that is set is the same.
    let told = tell(&third, third.batch_row(), 1);
    let row = third.batch_row();
    assert_eq!(
        told.priced_figures(&[row]).get(&row),
        Some(&third.one_by_one(&[0.3])[0].1)
    );
    assert!(AppState::default().one_by_one(&[1.0]).is_empty());
    assert!(
        state
            .reduce(Action::Set("overlong", "reject".to_owned()))
            .one_by_one(&[1.0])
            .is_empty()
    );
}

#[test]
fn the_headline_says_what_random_batches_are_and_what_the_chosen_sampler_leaves() {
    let state = tell_all(&loaded("glue_sst2"), 1);
    let row = state.batch_row();
    let (report, f) = (
        state.batch_report(row).unwrap(),
        state.epoch_figures(row).unwrap(),
    );
    assert_eq!(
        findings::of_random(report.random.padding_share),
        "Random batches are 70.1 %"
    );
    assert_eq!(findings::of_random(0.5), "Half of every random batch is");
    assert_eq!(
        findings::of_chosen(&state, f),
        Some(("BucketSampler: ".to_owned(), f.padding_share))
    );
    assert_eq!(
        findings::of_steps(report, f),
        "The same 67,349 sequences in 1,053 steps in the first epoch and 266 in the last; random batches of 64 take 1,053 in each."
    );
    let random = choose(&state, Sampler::Random);
    let (before, share) =
        findings::of_chosen(&random, random.epoch_figures(SamplerRow::RANDOM).unwrap()).unwrap();
    assert!(
        before.ends_with(" would leave ") && share < 0.01,
        "{before}{share}"
    );
}

fn of_steps(state: &AppState) -> String {
    let row = state.batch_row();
    let state = tell(state, row, 9);
    findings::of_steps(
        state.batch_report(row).unwrap(),
        state.epoch_figures(row).unwrap(),
    )
}

#[test]
fn the_second_sentence_says_steps_and_the_effective_batch() {
    let state = loaded("glue_cola");
    assert_eq!(
        of_steps(&choose(&state, Sampler::Random)),
        "8,551 sequences in 134 steps of 64, each padded to its longest."
    );
    assert_eq!(
        of_steps(&choose(&state, Sampler::Sorted)),
        "The same 8,551 sequences in 134 steps of 64, as many as in random order, but 2.21× fewer slots."
    );
    assert_eq!(
        of_steps(&act(
            &act(&state, Batches::BatchCap(None)),
            set("for", "server")
        )),
        "The same 8,551 sequences in 11 batches of 777.4 on average, instead of 134 of 64."
    );
    // 761 rows is what the packing engine needs at 128 tokens: 11.2 sequences each.
    assert_eq!(
        of_steps(&choose(&state, Sampler::Packed)),
        "A row holds 11.2 sequences on average: 12 steps instead of 134. Batches of about 6 rows would keep 64 sequences a step."
    );
}

#[test]
fn the_title_of_the_table_says_what_merging_does_or_which_sampler_is_best() {
    let cola = tell_all(&act(&loaded("glue_cola"), Batches::BatchCap(None)), 1);
    let title = |state: &AppState| findings::of_samplers(state).unwrap();
    // 35 buckets' batches, one length in each, become 11.
    assert_eq!(
        title(&cola),
        "Merging residuals saves 24 steps and costs 9.3 points of padding"
    );
    let wide = tell_all(&act(&cola, Batches::Width(Some(5))), 2);
    assert_eq!(
        title(&wide),
        "Merging residuals saves 5 steps and costs 5.5 points of padding"
    );
    assert_eq!(title(&act(&cola, set("merging", "off"))), title(&cola));
    let sst2 = tell_all(&loaded("glue_sst2"), 1);
    let wide = tell_all(&act(&sst2, Batches::Width(Some(5))), 2);
    assert_eq!(
        title(&wide),
        "Sorting leaves 0.23 % padding, BucketSampler 12.7 % without sorting the epoch"
    );
    let random = choose(&sst2, Sampler::Random);
    assert!(
        title(&random)
            .starts_with("BucketSampler, residuals kept leaves 0 % padding, random order 7"),
        "{}",
        title(&random)
    );
    let sorted = choose(&sst2, Sampler::Sorted);
    assert_eq!(
        title(&sorted),
        "BucketSampler, residuals kept leaves 0 % padding, sorting 0.23 %"
    );
    let wide = choose(&wide, Sampler::Sorted);
    assert_eq!(
        title(&wide),
        "No sampler leaves less padding here than sorting: 0.23 %"
    );
    assert_eq!(findings::of_samplers(&loaded("glue_sst2")), None);
}

#[test]
fn titles_of_drawings_say_what_is_seen() {
    let state = tell_all(&loaded("glue_sst2"), 1);
    let picture = |sampler| findings::of_picture(&choose(&state, sampler)).unwrap();
    assert!(picture(Sampler::Bucket).ends_with(" of random batches, 0.23 % of BucketSampler’s"));
    assert!(picture(Sampler::Random).ends_with(" of sorted ones"));
    assert_eq!(
        findings::of_caps(&state).unwrap(),
        "A batch holds 2,525 sequences of up to 5 tokens, but only 50 of 128"
    );
    let flat = act(&state, Batches::HwCap(HwCap::Table(vec![(128, 40)])));
    assert_eq!(
        findings::of_caps(&flat).unwrap(),
        "A batch holds 40 sequences, up to 128 tokens"
    );
    let along = |action| findings::of_along(&act(&state, action)).unwrap();
    let root = "the learning rate follows the square root of the batch";
    assert_eq!(
        along(Batches::Epoch(1)),
        format!("The cap doubles each epoch: 64, 128, 256 sequences; {root}")
    );
    assert_eq!(
        along(set("epochs", "9")),
        format!("The cap doubles each epoch: 64, 128, 256 … 16,384 sequences; {root}")
    );
    assert_eq!(
        along(set("epochs", "1")),
        format!("No step has more than 64 sequences; {root}")
    );
    let constant = BatchCap {
        base: Some(32),
        scaling: 1.0,
    };
    assert_eq!(
        along(Batches::BatchCap(Some(constant))),
        format!("No step has more than 32 sequences; {root}")
    );
    let same = "the learning rate stays the same";
    assert_eq!(
        along(Batches::Sampler(Sampler::Sorted)),
        format!("Steps of 64 sequences in every epoch; {same}")
    );
    assert!(along(Batches::Sampler(Sampler::Packed)).starts_with("Steps have "));
    assert!(along(set("for", "server")).starts_with("At inference "));
    for row in SamplerRow::ALL {
        assert!(findings::about(row).len() < 70 && !findings::name_of(row).is_empty());
    }
}
