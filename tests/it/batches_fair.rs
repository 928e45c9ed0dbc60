//! Fair comparisons of batches: the same speed-up wherever it is shown, at equal sizes, on a named machine.

use crate::common::{built_in, pairs};
use crate::heard;
use packscope::api::batch::{Mode, PreparedBatches, Pricing, Settings};
use packscope::api::speedup::curves;
use packscope::cost::{Assumptions, Method, Overhead};
use packscope::export::snippet::{self, DataLocation, SnippetContext, SnippetSetting};
use packscope::histogram::Preset;
use packscope::packing::go_on;
use packscope::sampler::{HwCap, Sampler, TokenDrop};
use packscope_page::query::{Answer, Query};
use packscope_page::state::batches::{Action as Batches, SamplerRow, findings};
use packscope_page::state::speedup::{Action as SpeedUp, findings as estimates};
use packscope_page::state::{Action, AppState, Source, View};
use std::rc::Rc;

fn loaded(name: &str) -> AppState {
    let preset = Preset::find(name).unwrap();
    let data = Action::Loaded(Source::Preset(preset), Rc::new(built_in(name)), Some(128));
    let state = AppState::default()
        .reduce(Action::View(View::Batches))
        .reduce(data);
    state.reduce(Action::Batches(Batches::Sampler(Sampler::Bucket)))
}

/// The state when the worker has told of the chosen sampler, and of how long its accelerators wait.
fn answered(state: &AppState) -> AppState {
    let (row, name) = (
        state.batch_row(),
        state.sequences.data.as_ref().unwrap().source.clone(),
    );
    let Source::Preset(preset) = name else {
        panic!("{name:?}")
    };
    let settings = state.batch_settings_of(row);
    let report = PreparedBatches::new(&pairs(preset.id), false, &settings).unwrap();
    let outcome = Answer::Batches(Rc::new(
        report.report(&settings, false, &mut go_on).unwrap(),
    ));
    let request = Query::Batches(Box::new(settings), false);
    let state = state.reduce(heard::known(state.sequences.version(), request, outcome));
    let asked = Rc::new(state.speedup_asked(&state.speedup_cases()));
    let curves = Answer::Waiting(curves(&asked).unwrap());
    state.reduce(heard::known(0, Query::Waiting(asked), curves))
}

fn set(state: &AppState, id: &'static str, value: f64) -> AppState {
    state.reduce(Action::SpeedUp(SpeedUp::Set(id, value)))
}

/// What the headline and the table say is what Speed-up below them says, on any number of accelerators.
#[test]
#[ignore = "outer circle: all samplers on five machines; one of each is in the inner circle"]
fn one_comparison_has_one_speed_up() {
    for sampler in Sampler::ALL {
        for (accelerators, accumulation) in [(1, 1), (8, 1), (12, 1), (512, 1), (8, 3)] {
            let state = loaded("glue_sst2").reduce(Action::Batches(Batches::Sampler(sampler)));
            let state = set(&state, "accelerators", f64::from(accelerators));
            let state = answered(&set(&state, "accumulation", f64::from(accumulation)));
            let row = state.batch_row();
            let said = state.priced_figures(&[row])[&row].estimated_speedup;
            let below = state.priced(&state.speedup_cases(), accelerators).estimates;
            assert_eq!(below[0].method, Method::Batched(Sampler::Random));
            let estimate = below
                .iter()
                .find(|e| e.method == Method::Batched(sampler))
                .unwrap();
            // Random batches of a seed are not the mean of all.
            let near = if sampler == Sampler::Random {
                0.01
            } else {
                1e-9
            };
            let at = format!(
                "{sampler} on {accelerators}, {accumulation}: {said} and {}",
                estimate.speedup
            );
            assert!((said / estimate.speedup - 1.0).abs() < near, "{at}");
            assert!(
                (estimate.speedup - below[0].seconds / estimate.seconds).abs() < 1e-9,
                "{at}"
            );
        }
    }
}

/// What is chosen below is what the headline is estimated for, and it says so.
#[test]
fn the_headline_follows_everything_that_is_assumed() {
    let state = answered(
        &loaded("glue_sst2").reduce(Action::Batches(Batches::Sampler(Sampler::TokenBudget))),
    );
    let row = state.batch_row();
    let said = |state: &AppState| state.priced_figures(&[row])[&row].estimated_speedup;
    for (id, value) in [
        ("accelerators", 512.0),
        ("accumulation", 4.0),
        ("step", 0.1),
        ("layers", 6.0),
        ("peak", 1e14),
    ] {
        let other = set(&state, id, value);
        assert!((said(&other) - said(&state)).abs() > 1e-6, "{id}");
        assert!(other.is_batched(row), "{id} asks no worker");
    }
    assert_eq!(
        findings::of_machines(&state, Mode::Training),
        "Times are estimated for BERT large on 8 A100s."
    );
    let one = set(&state, "accelerators", 1.0);
    assert_eq!(
        findings::of_machines(&one, Mode::Training),
        "Times are estimated for BERT large on one A100."
    );
    // Caps of one machine, times of another: that is said.
    let bucket = state.reduce(Action::Batches(Batches::Sampler(Sampler::Bucket)));
    let words = findings::of_machines(&bucket, Mode::Training);
    assert!(
        words.contains(findings::CAPS_OF) && words.ends_with("not for that machine."),
        "{words}"
    );
    let own = bucket.reduce(Action::Batches(Batches::HwCap(HwCap::Table(vec![(
        128, 64,
    )]))));
    assert!(!findings::of_machines(&own, Mode::Training).contains("RTX"));
}

fn report(sampler: Sampler, change: impl Fn(&mut Settings)) -> packscope::api::batch::Report {
    let mut settings = Settings {
        sampler,
        epochs: 1,
        ..Settings::default()
    };
    change(&mut settings);
    let prepared = PreparedBatches::new(&pairs("glue_sst2"), false, &settings).unwrap();
    let mut report = prepared.report(&settings, false, &mut go_on).unwrap();
    prepared.price(&mut report);
    report
}

/// A sampler with larger steps is shown beside batches that are as large: sorted ones of that size are what it is to be
/// measured by, not sorted ones of 64.
#[test]
fn larger_steps_are_shown_apart() {
    let same = |r: &packscope::api::batch::Report| r.epochs[0].same_size.unwrap();
    for sampler in [Sampler::Random, Sampler::Sorted, Sampler::LengthGrouped] {
        let report = report(sampler, |_| {});
        assert_eq!(
            (same(&report).sequences, same(&report).random_speedup),
            (64, 1.0),
            "{sampler}"
        );
        assert!((same(&report).padding_share - report.random.padding_share).abs() < 1e-12);
        assert_eq!(
            findings::of_same_size(&report.settings, &report.epochs[0]),
            None
        );
    }
    let sorted = report(Sampler::Sorted, |_| {});
    assert!((same(&sorted).sorted_speedup / sorted.epochs[0].estimated_speedup - 1.0).abs() < 1e-9);
    let budget = report(Sampler::TokenBudget, |_| {});
    let f = &budget.epochs[0];
    let size = same(&budget).sequences;
    assert_eq!((f.batches, size), (112, 601));
    // The same numbers as of a run with batches of that size.
    let large = |sampler| {
        report(sampler, |s| (s.batch, s.seed) = (size as u32, 0)).epochs[0].estimated_seconds
    };
    let usual = f.estimated_speedup * f.estimated_seconds;
    assert!((same(&budget).sorted_speedup - usual / large(Sampler::Sorted)).abs() < 1e-9);
    assert!((same(&budget).random_speedup / (usual / large(Sampler::Random)) - 1.0).abs() < 0.02);
    // Much of what it is ahead of sorted batches of 64 is the size of its batches.
    let [ahead, by_size] = [f.estimated_speedup, same(&budget).sorted_speedup]
        .map(|speedup| speedup - sorted.epochs[0].estimated_speedup);
    assert!(ahead > 0.0 && by_size > 0.3 * ahead, "{ahead} {by_size}");
    let words = findings::of_same_size(&budget.settings, f).unwrap();
    let begin = "These steps hold 601 sequences on average, random ones 64. Random batches of 601 would reach ";
    assert!(words.starts_with(begin), "{words}");
    // Smaller batches are not called larger.
    let small = report(Sampler::TokenBudget, |s| s.tokens = Some(400));
    let words = findings::of_same_size(&small.settings, &small.epochs[0]).unwrap();
    let size = same(&small).sequences;
    assert!(
        size < 64
            && words.starts_with(&format!(
                "These steps hold {size} sequences on average, random ones 64."
            ))
    );
    assert!(!words.contains("larger"), "{words}");
}

/// P3, Appendix A: buckets of one length without TokenDrop, of five with it. An explicit width stays.
#[test]
fn buckets_are_as_wide_as_the_paper_says() {
    let width = |change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings {
            sampler: Sampler::Bucket,
            ..Settings::default()
        };
        change(&mut settings);
        settings.width()
    };
    assert_eq!(width(&|_| {}), Some(1));
    assert_eq!(
        width(&|s| s.hwcap = "memory:1000,1,1e9".parse().unwrap()),
        Some(1)
    );
    // The rows of the table, which are five lengths each.
    assert_eq!(width(&|s| s.token_drop = TokenDrop::Equalise), None);
    assert_eq!(Settings::default().buckets().bucket_of(7).longest, 7);
    let dropping = Settings {
        token_drop: TokenDrop::Equalise,
        ..Settings::default()
    };
    assert_eq!(dropping.buckets().bucket_of(7).longest, 10);
    for explicit in [1, 5, 20] {
        assert_eq!(width(&|s| s.bucket_width = Some(explicit)), Some(explicit));
    }
    assert_eq!(width(&|s| s.sampler = Sampler::BucketByLength), None);
    assert_eq!(
        width(&|s| s.hwcap = HwCap::Table(vec![(64, 9), (128, 4)])),
        None
    );
    let address = |hash: &str| {
        AppState::default()
            .reduce(Action::Navigate(hash.to_owned()))
            .batch_settings()
    };
    assert_eq!(
        address("view=batches&sampler=bucket&width=5").width(),
        Some(5)
    );
    assert_eq!(address("view=batches&sampler=bucket").width(), Some(1));
    assert_eq!(
        address("view=batches&sampler=bucket&drop=equalise").width(),
        None
    );
    // In the first epoch 0.23 % of SST-2 is padding, in buckets of five 12.7 %.
    let padding =
        |width| report(Sampler::Bucket, |s| s.bucket_width = width).epochs[0].padding_share;
    assert!((padding(None) - 0.0023).abs() < 5e-5 && (padding(Some(5)) - 0.127).abs() < 2e-3);
}

/// Beside random batches, as the view says everywhere.
#[test]
fn the_view_has_one_baseline() {
    let state = answered(&loaded("glue_sst2"));
    let priced = state.priced(&state.speedup_cases(), 8);
    let methods = estimates::of_methods(&state, &priced.estimates).unwrap();
    assert!(
        methods.ends_with(" against random batches, estimated"),
        "{methods}"
    );
    let epoch = estimates::of_epoch(&state, &priced.estimates).unwrap();
    assert!(
        epoch.contains("on padding: with BucketSampler, it takes "),
        "{epoch}"
    );
    let parts = estimates::of_parts(&state, &priced.estimates).unwrap();
    assert!(parts.contains("; in random batches, "), "{parts}");
    let random = answered(&state.reduce(Action::Batches(Batches::Choose(SamplerRow::RANDOM))));
    let priced = random.priced(&random.speedup_cases(), 8);
    let epoch = estimates::of_epoch(&random, &priced.estimates).unwrap();
    assert!(
        epoch.starts_with("In random batches, an epoch of BERT large takes 8 A100s "),
        "{epoch}"
    );
    assert!(epoch.contains(" of it padding"), "{epoch}");
}

/// A server trains nothing: its estimates are of a pass over the data, in batches, without updates and learning rates.
#[test]
fn a_server_has_batches_and_no_updates() {
    let mode = |mode: Mode| Action::Batches(Batches::Set("for", mode.to_string()));
    let state =
        answered(&set(&loaded("glue_sst2"), "accumulation", 3.0).reduce(mode(Mode::Server)));
    assert!(!state.trains() && state.assumed().accumulation == 1);
    let cases = state.speedup_cases();
    let priced = state.priced(&cases, 8);
    assert!(priced.estimates.iter().all(|e| e.updates == 0));
    let mut words: Vec<String> = [
        estimates::of_epoch(&state, &priced.estimates),
        estimates::of_parts(&state, &priced.estimates),
        estimates::of_methods(&state, &priced.estimates),
    ]
    .map(Option::unwrap)
    .into();
    for part in ["linear", "padding", "overhead", "waiting"] {
        words.extend(
            priced
                .estimates
                .iter()
                .filter_map(|e| estimates::of_share(&state, e, part)),
        );
    }
    for part in state.formulae(&cases).unwrap() {
        words.push(part.title.clone());
        words.extend(
            part.lines
                .iter()
                .map(|line| format!("{} {} {:?}", line.name, line.formula, line.note)),
        );
    }
    let settings = state.batch_settings();
    for sampler in Sampler::ALL {
        let settings = Settings {
            sampler,
            ..settings.clone()
        };
        words.extend(
            lines(&settings)
                .into_iter()
                .filter(|_| sampler == Sampler::Bucket),
        );
    }
    for wrong in ["epoch", "update", "learning", "RATE", "LRM", "weights are"] {
        let found = words.iter().find(|words| words.contains(wrong));
        assert_eq!(found, None, "{wrong}");
    }
    assert!(
        words[0].contains(" a pass of BERT large over the data"),
        "{}",
        words[0]
    );
}

/// Lines to paste, and what is said beside them.
fn lines(settings: &Settings) -> Vec<String> {
    let context = SnippetContext {
        data: "data",
        plan: "plan.json",
        setting: SnippetSetting::Batches { settings },
        batch: settings.batch,
        assumptions: &Assumptions::default(),
        lives: &DataLocation::default(),
    };
    let all = snippet::snippets(&context);
    let own = all
        .iter()
        .filter(|snippet| snippet.tool.sampler().is_some());
    own.flat_map(|snippet| [vec![snippet.text.clone()], snippet.notes.clone()].concat())
        .collect()
}

/// One by one there are no batches: no sampler is named, compared or offered to be pasted.
#[test]
fn queries_one_by_one_have_no_sampler() {
    let real_time = Action::Batches(Batches::Set("for", Mode::RealTime.to_string()));
    let state = answered(&loaded("glue_sst2").reduce(real_time));
    assert_eq!(state.speedup_cases(), []);
    let [title, words] = estimates::of_queries(&state).unwrap();
    assert!(
        title.starts_with("One by one, BERT large on one A100 takes "),
        "{title}"
    );
    assert!(
        title.contains(" for 67,349 queries, ") && title.ends_with(" each, estimated"),
        "{title}"
    );
    assert!(
        words.starts_with("Time goes with the tokens of a query"),
        "{words}"
    );
    let dropping = Action::Batches(Batches::Set("drop", "0.5".to_owned()));
    let [dropped, _] = estimates::of_queries(&answered(&state.reduce(dropping))).unwrap();
    assert!(
        dropped.contains("× as fast as with all tokens, estimated"),
        "{dropped}"
    );
    for sampler in Sampler::ALL {
        assert_eq!(
            lines(&Settings {
                sampler,
                ..state.batch_settings()
            }),
            Vec::<String>::new()
        );
    }
    // A view that trains has none of it.
    assert_eq!(estimates::of_queries(&answered(&loaded("glue_sst2"))), None);
    assert!(
        !lines(&Settings {
            sampler: Sampler::Bucket,
            ..loaded("glue_sst2").batch_settings()
        })
        .is_empty()
    );
}

/// Keeping packed sequences apart costs what the page says it does, in batches too.
#[test]
fn packed_batches_pay_for_their_masks() {
    let seconds = |overhead| {
        let cost = Box::new(Pricing {
            assumptions: Assumptions::default(),
            overhead,
        });
        report(Sampler::Packed, |s| s.cost = cost.clone()).epochs[0].estimated_seconds
    };
    assert!(seconds(Overhead::Own(0.5)) > 1.2 * seconds(Overhead::Free));
}
