//! Configurations of trainings, as people have them.

use packscope_files::config::{self, TrainingConfig};

fn read(text: &str) -> TrainingConfig {
    config::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    config::read(text).map_or_else(
        |error| error.to_string(),
        |config| panic!("{}", config.sentence()),
    )
}

const AXOLOTL: &str = "\
# from examples/llama-3
base_model: NousResearch/Meta-Llama-3.1-8B   # the base
load_in_8bit: false
datasets:
  - path: tatsu-lab/alpaca
    type: alpaca
    sequence_len: 7
- path: other
plugins:
- axolotl.integrations.liger.LigerPlugin
special_tokens:
  pad_token: <|end_of_text|>
chat_template_jinja: |
  {% for message in messages %}
  sequence_len: 9
  {% endfor %}

sequence_len: 4_096
sample_packing: yes
pad_to_sequence_len: null
micro_batch_size: \"2\"
gradient_accumulation_steps: 4
lora_target_modules: [q_proj,
  v_proj]
eval_steps: [
]
wandb_name: a long name
  that goes on
excess_length_strategy: 'truncate'
";

#[test]
fn an_axolotl_file_sets_library_limit_batch_and_packing() {
    let config = read(AXOLOTL);
    assert_eq!(
        (config.library.as_str(), config.limit),
        ("axolotl", Some(4096))
    );
    assert_eq!(config.accumulation, Some(4));
    assert_eq!(
        config.model.as_deref(),
        Some("NousResearch/Meta-Llama-3.1-8B")
    );
    let settings: Vec<String> = config
        .settings
        .iter()
        .map(|(a, b)| format!("{a}={b}"))
        .collect();
    assert_eq!(
        settings,
        [
            "sample_packing=true",
            "pad_to_sequence_len=none",
            "micro_batch_size=2",
            "excess_length_strategy=truncate"
        ]
    );
    assert_eq!(
        config.sentence(),
        "axolotl: base_model NousResearch/Meta-Llama-3.1-8B, sequence_len 4096, sample_packing true, pad_to_sequence_len none, \
         micro_batch_size 2, gradient_accumulation_steps 4, excess_length_strategy truncate; 3 other keys say nothing of packing"
    );
    assert_eq!(config::library_of(AXOLOTL), Some("axolotl"));
}

#[test]
fn other_libraries_are_told_by_their_keys() {
    for (text, library, limit, setting) in [
        (
            "model_name_or_path: meta-llama/Llama-3.1-8B\nstage: sft\nfinetuning_type: lora\ncutoff_len: 2048\npacking: true\nper_device_train_batch_size: 1\n",
            "llama-factory",
            Some(2048),
            ("packing", "true"),
        ),
        (
            "model_name_or_path: Qwen/Qwen2.5-0.5B\nmax_length: 1024\npacking: false\nper_device_train_batch_size: 16\n",
            "trl",
            Some(1024),
            ("per_device_train_batch_size", "16"),
        ),
        (
            "{\"max_seq_length\": 2048, \"packing\": true, \"output_dir\": \"x\", \"packing_strategy\": \"wrapped\"}",
            "trl",
            Some(2048),
            ("packing_strategy", "wrapped"),
        ),
        (
            "data:\n  train_batch_size: 1024\nactor_rollout_ref:\n  model:\n    path: Qwen/Qwen2-7B\n  actor:\n    use_dynamic_bsz: True\n    ppo_max_token_len_per_gpu: 16384\n    ppo_mini_batch_size: 256\n    ppo_micro_batch_size_per_gpu: null\n",
            "verl",
            Some(16384),
            ("use_dynamic_bsz", "true"),
        ),
        (
            "python3 -m verl.trainer.main_ppo \\\n    actor_rollout_ref.model.path=Qwen/Qwen2-7B \\\n    actor_rollout_ref.actor.use_dynamic_bsz=True \\\n    +actor_rollout_ref.actor.ppo_max_token_len_per_gpu=24000 $@\n",
            "verl",
            Some(24000),
            ("use_dynamic_bsz", "true"),
        ),
        (
            "trl sft --model_name_or_path Qwen/Qwen2.5-0.5B --packing --max_length 2048 --per_device_train_batch_size=2\n",
            "trl",
            Some(2048),
            ("packing", "true"),
        ),
        (
            "tokenizer:\n  _component_: torchtune.models.llama3.llama3_tokenizer\n  max_seq_len: 4096\ndataset:\n  packed: True # True increases speed\nbatch_size: 2\n",
            "torchtune",
            Some(4096),
            ("packed", "true"),
        ),
        (
            "policy:\n  model_name: \"meta-llama/Llama-3.2-1B\"\n  max_total_sequence_length: 1024\n  make_sequence_length_divisible_by: ${policy.dtensor_cfg.tensor_parallel_size}\n  sequence_packing:\n    enabled: false\n    algorithm: \"modified_first_fit_decreasing\"\n",
            "nemo-rl",
            Some(1024),
            ("policy.sequence_packing.enabled", "false"),
        ),
    ] {
        let config = read(text);
        assert_eq!(
            (config.library.as_str(), config.limit),
            (library, limit),
            "{text}"
        );
        assert_eq!(config.setting(setting.0), Some(setting.1), "{text}");
        assert!(
            config
                .settings
                .iter()
                .all(|(_, value)| !value.contains('$')),
            "{text}"
        );
    }
}

#[test]
fn faults_have_their_line_and_what_is_accepted() {
    for (text, words) in [
        (
            "base_model: x\nsequence_len: 4096a\n",
            "line 2, sequence_len: \"4096a\" is no maximum sequence length; expected a whole number from 1",
        ),
        ("sequence_len: 0\n", "expected a whole number from 1"),
        (
            "base_model: x\n\tsequence_len: 4\n",
            "line 2: a tab indents",
        ),
        ("base_model: x\njust words\n", "line 2: this is no setting"),
        (
            "learning_rate: 1\n",
            "no training library that is known here",
        ),
        ("{\"packing\": true,", "damaged JSON"),
        ("", "no training library"),
        ("length,count\n5,3\n", "line 1: this is no setting"),
    ] {
        let message = refused(text);
        assert!(message.contains(words), "{text}: {message}");
    }
    // A limit that refers to another key is not said.
    assert_eq!(read("sequence_len: ${x}\nbase_model: y\n").limit, None);
    for text in [
        "a: 5\nb: 7\n",
        "0.mp4: 194 frames\n",
        "{\"length\": 5}\n{\"length\": 7}\n",
        "12\n15\n",
        "max_length: 5\n",
    ] {
        assert_eq!(config::library_of(text), None, "{text}");
    }
    // Deep and long files end.
    let deep: String = (0..5000)
        .map(|at| format!("{}a:\n", " ".repeat(at)))
        .collect();
    assert!(config::read(&deep).is_err());
}

fn shape(text: &str) -> Vec<(&'static str, f64)> {
    let shape = config::model_shape(text).unwrap();
    shape.unwrap_or_else(|| panic!("{text}")).numbers
}

fn number(of: &[(&'static str, f64)], name: &str) -> f64 {
    of.iter().find(|(known, _)| *known == name).unwrap().1
}

/// Configurations as they lie beside published weights, cut to what is read and some of what is not.
#[test]
fn models_have_the_shape_of_their_configuration() {
    let gpt_oss = shape(
        r#"{"architectures": ["GptOssForCausalLM"], "model_type": "gpt_oss", "head_dim": 64, "hidden_size": 2880, "intermediate_size":
        2880, "layer_types": ["sliding_attention", "full_attention"], "num_attention_heads": 64, "num_hidden_layers": 2,
        "num_key_value_heads": 8, "num_local_experts": 32, "num_experts_per_tok": 4, "vocab_size": 201088}"#,
    );
    let of = |name| number(&gpt_oss, name);
    assert_eq!(
        (of("global"), of("idle-experts"), of("feed-forward")),
        (0.5, 7.0, 11_520.0)
    );
    assert_eq!(
        (of("queries") * 2880.0, of("key-width"), of("tied")),
        (4096.0, 512.0, 0.0)
    );
    let bert = shape(
        r#"{"model_type": "bert", "hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12, "num_hidden_layers": 12,
        "vocab_size": 30522}"#,
    );
    let of = |name| number(&bert, name);
    assert_eq!(
        (of("causal"), of("predicted"), of("matrices"), of("tied")),
        (0.0, 0.15, 2.0, 1.0)
    );
    let gpt_2 = shape(
        r#"{"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12, "n_inner": null, "vocab_size": 50257}"#,
    );
    assert_eq!(number(&gpt_2, "feed-forward"), 3072.0);
    // The first layer without experts, one expert for all: the mean of the layers.
    let deepseek = shape(
        r#"{"model_type": "deepseek", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
        "first_k_dense_replace": 1, "n_routed_experts": 64, "n_shared_experts": 2, "num_experts_per_tok": 6, "num_attention_heads": 16,
        "num_hidden_layers": 28, "vocab_size": 102400}"#,
    );
    let taken: f64 = (27.0 * 8.0 * 1408.0 + 10_944.0) / 28.0;
    assert_eq!(number(&deepseek, "feed-forward"), taken.round());
    // Of a model that sees, the part that reads.
    let gemma = shape(
        r#"{"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3", "text_config": {"model_type": "gemma3_text",
        "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "num_attention_heads": 8, "num_key_value_heads": 4,
        "head_dim": 256, "sliding_window_pattern": 6, "vocab_size": 262208}, "vision_config": {"hidden_size": 1152}}"#,
    );
    assert_eq!(
        (number(&gemma, "global"), number(&gemma, "tied")),
        (5.0 / 34.0, 1.0)
    );
}

#[test]
fn other_configurations_are_of_no_model() {
    for text in [
        "",
        "[1, 2]",
        "{\"max_length\": 5}",
        AXOLOTL,
        "{\"model_type\": \"qwen3\"}",
        "{\"num_hidden_layers\": 3}",
    ] {
        assert_eq!(config::model_shape(text).unwrap(), None, "{text}");
    }
    let refused = |text: &str| config::model_shape(text).unwrap_err().to_string();
    let few = "{\"model_type\": \"x\", \"num_hidden_layers\": 2, \"hidden_size\": 4}";
    assert!(
        refused(few).contains("num_attention_heads"),
        "{}",
        refused(few)
    );
}
