//! Model and batch follow the data on every view, whatever was done before, until they are set by hand.

use crate::common::built_in;
use packscope::cost::presets::{TRANSFORMERS, named};
use packscope::histogram::{Histogram, Preset};
use packscope::ingest;
use packscope::sampler::Sampler;
use packscope_page::state::speedup::findings;
use packscope_page::state::{Action, AppState, Source, View, batches, pin, speedup};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::rc::Rc;

/// Built-in sets of every kind: text that BERT reads, chats, traces too long for any batch, sound, molecules.
const SETS: [&str; 7] = [
    "wikipedia_bert_512",
    "lima_train_chatml",
    "sharegpt_8k_llama2",
    "azure_llm_trace_conv",
    "mooncake_conversation",
    "librispeech_devclean_audio_40ms",
    "mol_qm9_allatoms_len",
];

fn preset(name: &str) -> Action {
    let preset = Preset::find(name).unwrap();
    Action::Loaded(
        Source::Preset(preset),
        Rc::new(built_in(name)),
        Some(preset.limit()),
    )
}

/// A file of the visitor's own, as the page reads it.
fn file(lengths: &[(u32, u64)]) -> Action {
    let read = ingest::read::<1>(b"4\n5\n", ingest::Options::default()).unwrap();
    let source = Source::Own {
        name: "mine".to_owned(),
        description: Rc::new(read.description),
    };
    let lengths = Rc::new(Histogram::from_lengths(lengths.iter().copied()).unwrap());
    let limit = packscope::api::limits::practical(&lengths);
    Action::Loaded(source, lengths, Some(limit))
}

/// Everything that is to follow the data.
fn suited(state: &AppState) -> (&'static str, String, u32, bool, u32) {
    let a = state.speedup.assumptions();
    let model = format!("{:?}", a.transformer);
    let batch = state.sequences.settings.batch;
    (
        state.speedup.transformer.id,
        model,
        batch,
        a.training.sharded,
        a.accelerators,
    )
}

fn after(state: &AppState, actions: &[Action]) -> AppState {
    actions
        .iter()
        .cloned()
        .fold(state.clone(), |state, action| state.reduce(action))
}

fn model(id: &str) -> Action {
    Action::SpeedUp(speedup::Action::Transformer(
        named(TRANSFORMERS, id).unwrap(),
    ))
}

#[test]
fn every_set_opens_with_a_model_that_reads_it_and_a_batch_that_fits() {
    let opened = |name| AppState::default().reduce(preset(name));
    let found: Vec<_> = SETS
        .map(|name| {
            let (model, _, batch, ..) = suited(&opened(name));
            (model, batch)
        })
        .into();
    assert_eq!(
        found,
        [
            ("bert-large", 64),
            ("llama-3.1-8b", 2),
            ("llama-3.2-3b", 2),
            ("llama-3.2-1b", 2),
            // Nothing fits, and the page says so.
            ("llama-3.2-1b", 64),
            // Frames and atoms are no text.
            ("bert-large", 64),
            ("bert-large", 64),
        ]
    );
    for name in SETS
        .into_iter()
        .filter(|name| *name != "mooncake_conversation")
    {
        let said = opened(name).of_fit();
        assert!(
            said.is_none_or(|(said, _)| said.starts_with("The largest batch that fits")),
            "{name}"
        );
    }
}

#[test]
fn model_and_batch_depend_on_the_data_alone() {
    let data: Vec<Action> = SETS
        .into_iter()
        .map(preset)
        .chain([
            file(&[(300, 5), (20, 9)]),
            file(&[(4000, 30), (10, 40)]),
            file(&[(9000, 3), (700, 40)]),
        ])
        .collect();
    let fresh: Vec<_> = data
        .iter()
        .map(|action| suited(&AppState::default().reduce(action.clone())))
        .collect();
    assert!(fresh.iter().all(|(_, _, batch, ..)| *batch >= 2));
    let limit = (1u32..20_000).prop_map(Action::Limit);
    let views = prop::sample::select(View::ALL.to_vec()).prop_map(Action::View);
    let others = prop::sample::select(vec![
        Action::Batches(batches::Action::Sampler(Sampler::Sorted)),
        Action::Ranks("ranks", "64".to_owned()),
        Action::Pin(pin::Action::Keep),
        Action::Pin(pin::Action::Back(0)),
        Action::Pin(pin::Action::Swap(0)),
        Action::Navigate("view=ranks&seed=5".to_owned()),
        Action::Restore("view=batches&sampler=random".to_owned()),
        Action::SpeedUp(speedup::Action::Reset),
    ]);
    let switch = (0..data.len()).prop_map(Step::Data);
    let step =
        prop_oneof![3 => switch, 4 => prop_oneof![limit, views, others].prop_map(Step::Other)];
    let mut runner = TestRunner::new(Config::with_cases(200));
    let steps = prop::collection::vec(step, 1..12);
    runner
        .run(&steps, |steps| {
            let mut state = AppState::default();
            for step in steps {
                state = match step {
                    Step::Data(at) => state.reduce(data[at].clone()),
                    Step::Other(action) => state.reduce(action),
                };
                // A pinned result brings its data back.
                let Some(now) = &state.sequences.data else {
                    continue;
                };
                let at = data.iter().position(|action| match action {
                    Action::Loaded(source, histogram, _) => {
                        source.title() == now.source.title() && **histogram == *now.histogram
                    }
                    _ => false,
                });
                // Only the accelerators are of the view: graphs have one.
                let (model, numbers, batch, sharded, crew) = fresh[at.unwrap()].clone();
                let crew = if state.view == View::Graphs { 1 } else { crew };
                prop_assert_eq!(suited(&state), (model, numbers, batch, sharded, crew));
                let graphs = state.reduce(Action::View(View::Graphs));
                prop_assert_eq!(
                    graphs.rows_of_batch(),
                    64,
                    "graphs do not follow the sequences"
                );
                // What follows the data is not in the address, and comes back with them.
                let hash = state.hash();
                let is_set = |name: &str| {
                    hash.split('&')
                        .any(|pair| pair.split('=').next().is_some_and(|n| n == name))
                };
                prop_assert!(
                    ![
                        "batch",
                        "sequences.batch",
                        "cost.model",
                        "cost.sharded",
                        "cost.accelerators"
                    ]
                    .into_iter()
                    .any(is_set),
                    "{}",
                    hash
                );
            }
            Ok(())
        })
        .unwrap();
}

#[derive(Debug, Clone)]
enum Step {
    Data(usize),
    Other(Action),
}

#[test]
fn what_is_set_by_hand_stays_and_travels_in_the_address() {
    // Set to what is usual anyway, it stays all the same.
    for (id, rows) in [("gpt-2", 16), ("bert-large", 64)] {
        let set = after(
            &AppState::default(),
            &[preset("wikipedia_bert_512"), model(id), Action::Batch(rows)],
        );
        let other = after(
            &set,
            &[preset("sharegpt_8k_llama2"), Action::View(View::Ranks)],
        );
        assert_eq!(
            (other.speedup.transformer.id, other.sequences.settings.batch),
            (id, rows)
        );
        let hash = other.reduce(Action::View(View::Sequences)).hash();
        assert!(
            hash.contains(&format!("&batch={rows}&"))
                && hash.ends_with(&format!("cost.model={id}")),
            "{hash}"
        );
        for first in [true, false] {
            let mut actions = [Action::Navigate(hash.clone()), preset("sharegpt_8k_llama2")];
            if first {
                actions.reverse();
            }
            let again = after(&AppState::default(), &actions);
            assert_eq!(suited(&again), suited(&other));
            assert_eq!(again.hash(), hash);
        }
        // Back to an address without them, they follow the data again.
        let back = other.reduce(Action::Restore("data=sharegpt_8k_llama2".to_owned()));
        assert_eq!(
            suited(&back),
            suited(&AppState::default().reduce(preset("sharegpt_8k_llama2")))
        );
    }
    // A number of the model, and sharding, are settings of the visitor too.
    for (id, value) in [("layers", 3.0), ("sharded", 0.0)] {
        let field = Action::SpeedUp(speedup::Action::Set(id, value));
        let set = after(
            &AppState::default(),
            &[preset("lima_train_chatml"), field, preset("glue_cola")],
        );
        let again = after(
            &AppState::default(),
            &[Action::Navigate(set.hash()), preset("glue_cola")],
        );
        assert_eq!((suited(&again), again.hash()), (suited(&set), set.hash()));
        assert!(
            set.hash().contains(&format!("cost.{id}={value}")),
            "{}",
            set.hash()
        );
    }
}

/// Models of graphs are small: they are trained on one accelerator until another number is set, on every view.
#[test]
fn graphs_are_trained_on_one_accelerator_until_another_number_is_set() {
    let crew = |state: &AppState| {
        (
            findings::crew(state),
            state.speedup.assumptions().accelerators,
        )
    };
    let sequences = AppState::default().reduce(preset("lima_train_chatml"));
    let graphs = sequences.reduce(Action::View(View::Graphs));
    assert_eq!(crew(&graphs), ("one A100".to_owned(), 1));
    assert!(
        !graphs.hash().contains("cost.accelerators"),
        "{}",
        graphs.hash()
    );
    // Sequences keep their batch meanwhile, and their accelerators.
    assert_eq!(
        graphs.sequences.settings.batch,
        sequences.sequences.settings.batch
    );
    assert_eq!(
        suited(&graphs.reduce(Action::View(View::Sequences))),
        suited(&sequences)
    );
    assert_eq!(crew(&sequences).1, 8);
    // What is set stands on all views, the usual number of another view too, and travels in the address.
    for set in [8.0, 1.0, 64.0] {
        let state = graphs.reduce(Action::SpeedUp(speedup::Action::Set("accelerators", set)));
        for view in View::ALL {
            let there = state.reduce(Action::View(view));
            assert_eq!(f64::from(crew(&there).1), set, "{view:?}");
            assert!(
                there.hash().contains(&format!("cost.accelerators={set}")),
                "{}",
                there.hash()
            );
        }
        let read = AppState::default().reduce(Action::Restore(state.hash()));
        assert_eq!(f64::from(crew(&read).1), set);
        let reset = state.reduce(Action::SpeedUp(speedup::Action::Reset));
        assert_eq!(crew(&reset).1, 1);
    }
}
