//! The configuration of a training that is dropped on the page.

use packscope::config;
use packscope::histogram::{Histogram, Preset};
use packscope::ingest;
use packscope_page::state::{Action, AppState, Configuration, Source, View};
use std::rc::Rc;

const AXOLOTL: &str = "base_model: Qwen/Qwen3-8B\nsequence_len: 4096\nsample_packing: true\n\
                       micro_batch_size: 2\nlearning_rate: 0.0002\n";

fn configure(name: &str, text: &str) -> Action {
    let config = config::read(text).unwrap();
    Action::Configure(Some(Box::new(Configuration::new(name, &config))))
}

fn value(state: &AppState, name: &str) -> Option<String> {
    let settings = &state.trainer.choice.settings;
    let found = settings.iter().find(|setting| setting.name == name);
    found.map(|setting| setting.value.clone())
}

#[test]
fn a_configuration_sets_library_limit_batch_and_packing() {
    let state = AppState::default().reduce(configure("sft.yaml", AXOLOTL));
    assert_eq!(state.trainer.choice.library.as_deref(), Some("axolotl"));
    assert_eq!(state.sequences.settings.limit, 4096);
    assert_eq!(value(&state, "sample_packing").as_deref(), Some("true"));
    assert_eq!(value(&state, "micro_batch_size").as_deref(), Some("2"));
    assert_eq!(
        state.configuration.as_ref().map(|one| one.words.as_str()),
        Some(
            "sft.yaml sets axolotl: base_model Qwen/Qwen3-8B, sequence_len 4096, sample_packing \
             true, micro_batch_size 2; 1 other key says nothing of packing."
        )
    );
    // Another one takes its place, with nothing of the first.
    let script = "python3 -m verl.trainer.main_ppo \\\n    actor_rollout_ref.actor.use_dynamic_bsz=True \\\n";
    let other = state.reduce(configure("run.sh", script));
    assert_eq!(other.trainer.choice.library.as_deref(), Some("verl"));
    assert_eq!(value(&other, "sample_packing"), None);
    assert_eq!(other.sequences.settings.limit, 4096);
}

#[test]
fn own_data_open_at_the_limit_of_their_configuration() {
    let lengths = Rc::new(Histogram::from_lengths([(700, 3), (12_000, 1)]).unwrap());
    let read = ingest::read::<1>(b"4\n5\n", ingest::Options::default()).unwrap();
    let description = Rc::new(read.description);
    let own = || Source::Own {
        name: "mine.csv".to_owned(),
        description: Rc::clone(&description),
    };
    let loaded = |source, limit| Action::Loaded(source, Rc::clone(&lengths), Some(limit));
    let configured = AppState::default().reduce(configure("sft.yaml", AXOLOTL));
    let state = configured.reduce(loaded(own(), 12_000));
    assert_eq!(state.sequences.settings.limit, 4096);
    let preset = configured.reduce(loaded(Source::Preset(Preset::FIRST), 512));
    assert_eq!(preset.sequences.settings.limit, 512);
    // It outlives the problem with a file. Once it is closed, data open at a limit that suits them.
    let configured = configured.reduce(Action::Dismiss);
    assert!(configured.configuration.is_some());
    let dismissed = configured
        .reduce(Action::Configure(None))
        .reduce(loaded(own(), 12_000));
    assert!(dismissed.configuration.is_none());
    assert_eq!(dismissed.sequences.settings.limit, 12_000);
}

#[test]
fn a_configuration_leads_to_a_view_that_shows_it() {
    for (before, after) in [
        (View::Sequences, View::Sequences),
        (View::Ranks, View::Ranks),
        (View::Graphs, View::Sequences),
        (View::Batches, View::Sequences),
        (View::Learn, View::Sequences),
    ] {
        let state = AppState::default().reduce(Action::View(before));
        let state = state.reduce(configure("sft.yaml", AXOLOTL));
        assert_eq!(state.view, after);
    }
}

#[test]
fn a_configuration_names_the_model() {
    let state = AppState::default().reduce(configure("sft.yaml", AXOLOTL));
    assert_eq!(state.speedup.transformer.id, "qwen3-8b");
    let other = "base_model: example/Own-3B\nsequence_len: 4096\nsample_packing: true\n";
    let state = AppState::default().reduce(configure("own.yaml", other));
    assert_eq!(
        state.speedup.transformer,
        AppState::default().speedup.transformer
    );
    let words = state.configuration.unwrap().words;
    assert!(
        words.contains("example/Own-3B is none of the models here"),
        "{words}"
    );
}

/// The configuration of a model as its weights are published with, beside what no estimate reads.
fn model(hidden: u32) -> String {
    format!(
        r#"{{"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": {hidden}, "num_hidden_layers": 36,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288,
        "vocab_size": 151936, "tie_word_embeddings": false, "rope_theta": 1000000}}"#
    )
}

#[test]
fn the_config_json_of_a_model_sets_the_model() {
    let drop = |text: &str| {
        let shape = config::model_shape(text).unwrap().unwrap();
        let taken = Configuration::of_model("config.json", &shape).unwrap();
        AppState::default().reduce(Action::Configure(Some(Box::new(taken))))
    };
    let known = drop(&model(4096));
    assert_eq!(known.speedup.transformer.id, "qwen3-8b");
    assert_eq!(known.trainer.choice.library, None);
    let words = known.configuration.as_ref().unwrap().words.clone();
    assert!(
        words.starts_with(
            "config.json sets the model of the estimates, a qwen3 model: layers 36, width 4,096"
        ) && words.ends_with("; this is Qwen3 8B."),
        "{words}"
    );
    // Another shape: each of its numbers, as the address has them.
    let other = drop(&model(5120));
    let transformer = other.speedup.assumptions().transformer;
    assert_eq!((transformer.layers, transformer.width), (36.0, 5120.0));
    let words = other.configuration.unwrap().words;
    assert!(!words.contains("this is"), "{words}");
}

#[test]
fn on_ranks_a_configuration_chooses_the_scheduler() {
    let script = "python3 -m verl.trainer.main_ppo \\\n    actor_rollout_ref.actor.use_dynamic_bsz=True \\\n";
    let state = AppState::default().reduce(Action::View(View::Ranks));
    let state = state.reduce(configure("run.sh", script));
    assert_eq!(state.view, View::Ranks);
    let library = state.ranks_settings().library;
    assert_eq!(library.map(|one| one.name()), Some("verl"));
}
