//! Lines to paste for training libraries, at every value of their settings.

use crate::common::built_in;
use crate::trainer::{fields, one};
use packscope::trainer::batches::{LibraryLimits, SamplerLibraries};
use packscope::trainer::graphs::GraphLibraries;
use packscope::trainer::{Accepts, Library, LibraryFamily, PackingLibraries};

/// Settings that training takes whatever they change of the rows.
const ALWAYS: [&str; 24] = [
    "per_device_train_batch_size",
    "micro_batch_size",
    "batch_size",
    "stage",
    "neat_packing",
    "command",
    "format",
    "streaming",
    "policy.train_global_batch_size",
    "policy.make_sequence_length_divisible_by",
    "ppo_mini_batch_size",
    "ppo_micro_batch_size_per_gpu",
    "per_device_batch_size",
    "device_train_batch_size",
    "device_batch_size",
    "local_batch_size",
    "policy.train_micro_batch_size",
    "device_train_microbatch_size",
    "train.batch_size",
    "train.micro_batch_size",
    "global-batch-size",
    "num_unique_prompts_rollout",
    "num_samples_per_prompt_rollout",
    "training.per_device_train_batch_size",
];

/// Values of a setting that show what it changes.
fn values(accepts: Accepts) -> Vec<String> {
    let ends = match accepts {
        Accepts::Whole(least, most) | Accepts::WholeOr(least, most, _) => {
            vec![least as f64, most as f64]
        }
        Accepts::NumberOr(least, most, _) => vec![least, most],
        _ => Vec::new(),
    };
    accepts
        .names()
        .iter()
        .map(|name| (*name).to_owned())
        .chain(ends.iter().map(f64::to_string))
        .collect()
}

/// Lines have the settings that the chosen algorithm takes, and no others: what changes what is done changes the lines, and
/// what changes nothing is not in them, unless training takes it whatever is packed.
fn lines_follow<K: LibraryFamily<Limits: Copy>>(limits: &[K::Limits]) {
    for (library, &limit) in K::ALL
        .iter()
        .flat_map(|library| limits.iter().map(move |limit| (library, limit)))
    {
        let mut all = vec![library.start(limit)];
        for setting in library.settings {
            for value in values(setting.accepts) {
                let mut other = library.start(limit);
                other.set(setting.name, &value).unwrap();
                all.push(other);
            }
        }
        for chosen in all.iter().filter(|chosen| chosen.recipe().is_ok()) {
            let (done, lines) = (format!("{:?}", chosen.recipe()), chosen.lines());
            assert!(
                !lines.contains(['{', '}']) || library.lines.contains("={\""),
                "{lines}"
            );
            for setting in library.settings {
                let others = values(setting.accepts).into_iter().map(|value| {
                    let mut other = chosen.clone();
                    other.set(setting.name, &value).unwrap();
                    (format!("{:?}", other.recipe()), other.lines(), value)
                });
                let others: Vec<_> = others.collect();
                let about = |value: &str| {
                    format!(
                        "{} {}={value} beside {:?}:\n{lines}",
                        library.id,
                        setting.name,
                        chosen.fields()
                    )
                };
                for (then, other, value) in &others {
                    assert!(
                        *then == done || *other != lines,
                        "not in the lines: {}",
                        about(value)
                    );
                }
                if !ALWAYS.contains(&setting.name) && others.iter().all(|(then, ..)| *then == done)
                {
                    let said = others.iter().find(|(_, other, _)| *other != lines);
                    assert!(
                        said.is_none(),
                        "in the lines without effect: {}",
                        about(chosen.get(setting.name))
                    );
                }
            }
        }
    }
}

#[test]
fn lines_have_the_settings_that_the_algorithm_takes() {
    lines_follow::<PackingLibraries>(&[512, 4096]);
    lines_follow::<SamplerLibraries>(&[LibraryLimits {
        limit: 512,
        batch: 16,
    }]);
    lines_follow::<GraphLibraries>(&[[64, 128]]);
}

/// Lines of a library at settings.
fn lines(library: &str, settings: &[(&str, &str)]) -> String {
    let library = Library::named(library).unwrap();
    library
        .with(512, &[library.packing(), fields(settings)].concat())
        .unwrap()
        .lines()
}

/// Each of these failed, or did something else, when it was pasted.
#[test]
fn lines_work_when_they_are_pasted() {
    let concatenated = lines("grain", &[("transformation", "ConcatThenSplitIterDataset")]);
    assert!(
        !concatenated.contains("num_packing_bins") && !concatenated.contains("max_sequences"),
        "{concatenated}"
    );
    let concatenated = lines(
        "torchtitan-main",
        &[("packing", "ConcatThenSplitPackingConfig")],
    );
    assert!(!concatenated.contains("num_packing_bins"), "{concatenated}");
    let buffer = |settings: &[(&str, &str)]| {
        let lines = lines("modernbert", settings);
        let line = lines
            .lines()
            .find_map(|line| line.trim().strip_prefix("packing_buffer_size: "))
            .unwrap();
        line.parse::<u64>().unwrap()
    };
    assert_eq!(buffer(&[]), 5 * 512);
    assert_eq!(
        buffer(&[
            ("device_train_batch_size", "64"),
            ("device_train_microbatch_size", "8")
        ]),
        5 * 64
    );
    assert_eq!(buffer(&[("packing_buffer_size", "9000")]), 9000);
    // What it does without being asked, and what is simulated, is named.
    assert!(lines("nemo-automodel", &[]).contains("  packing_strategy: thd\n"));
    let neat = lines("nemo-automodel", &[("packing_strategy", "neat")]);
    assert!(
        neat.contains("  packing_strategy: neat\n") && !neat.contains("pad_to_multiple_of"),
        "{neat}"
    );
    assert!(lines("maxtext", &[]).contains("dataset_type: tfds\n"));
    let grain = lines("maxtext", &[("dataset_type", "grain")]);
    assert!(
        grain.contains("dataset_type: grain\n")
            && grain.contains("grain_packing_type: first_fit\n"),
        "{grain}"
    );
    // Without these it raises; with tfds they would mean nothing.
    assert!(
        grain.contains("grain_train_files: ") && grain.contains("grain_file_type: tfrecord "),
        "{grain}"
    );
    assert!(!lines("maxtext", &[]).contains("grain_"));
    let nemo = lines("nemo", &[]);
    assert!(
        nemo.contains(
            "from megatron.bridge.data.datasets.packed_sequence import PackedSequenceSpecs\n"
        ),
        "{nemo}"
    );
    assert!(
        nemo.contains("cfg.dataset.packed_sequence_specs = PackedSequenceSpecs(\n"),
        "{nemo}"
    );
}

/// SFTTrainer packs whatever comes to it unless preparation is skipped: rows that are packed before need that, and
/// nobody else does.
#[test]
fn rows_of_trl_are_packed_once() {
    for packing in ["true", "false"] {
        let default = lines("trl", &[("packing", packing)]);
        assert!(
            !default.contains("pack_dataset") && !default.contains("skip_prepare_dataset"),
            "{default}"
        );
    }
    for strategy in ["bfd", "bfd_split", "wrapped"] {
        let larger = lines(
            "trl",
            &[("packing_strategy", strategy), ("map_batch_size", "10000")],
        );
        for part in [
            "from trl import SFTConfig\nfrom trl import pack_dataset\n\n",
            "    dataset_kwargs={\"skip_prepare_dataset\": True},\n)\n",
            &format!(
                "\ndataset = pack_dataset(dataset, 512, \"{strategy}\", map_kwargs={{\"batch_size\": 10000}})\n"
            ),
        ] {
            assert!(larger.contains(part), "{part}\n{larger}");
        }
    }
    // Nothing is packed, so nothing is packed in another window.
    assert_eq!(
        lines("trl", &[("packing", "false"), ("map_batch_size", "10000")]),
        lines("trl", &[("packing", "false")])
    );
}

/// What a library decides by itself where nobody sets it stands in the lines only if it is set.
#[test]
fn what_is_left_to_the_library_is_in_no_line() {
    let setting = "padding_free";
    assert!(!lines("unsloth", &[]).contains(setting));
    assert!(lines("unsloth", &[(setting, "true")]).contains("padding_free=True,\n"));
    assert!(lines("unsloth", &[(setting, "false")]).contains("padding_free=False,\n"));
    let setting = "pad_to_sequence_len";
    assert!(!lines("axolotl", &[]).contains(setting));
    assert!(lines("axolotl", &[(setting, "false")]).contains("pad_to_sequence_len: false\n"));
}

/// The release of torchtitan has other modules than its main branch; lines import those of the one that is simulated.
#[test]
fn lines_of_torchtitan_are_those_of_its_release() {
    let chats = lines("torchtitan", &[]);
    assert!(
        chats.contains("from torchtitan.hf_datasets.text_datasets import ChatDataLoader\n"),
        "{chats}"
    );
    assert!(!chats.contains("components.data"), "{chats}");
    let main = lines("torchtitan-main", &[]);
    assert!(
        main.contains("from torchtitan.components.data.packing import FirstFitPackingConfig\n")
    );
    // Whoever installs it gets next fit, which leaves out what is longer.
    let chat = built_in("sharegpt_8k_llama2");
    let found = one(&chat, 4096, "torchtitan", &[]).figures.unwrap();
    let next = one(&chat, 4096, "nemo-automodel", &[]).figures.unwrap();
    assert!((found.dropped_share - 0.543).abs() < 0.001, "{found:?}");
    assert!(
        (found.rows / next.rows - 1.0).abs() < 0.01,
        "{found:?} {next:?}"
    );
    let texts = one(
        &chat,
        4096,
        "torchtitan",
        &[("dataloader", "HuggingFaceTextDataLoader")],
    );
    assert!(texts.figures.unwrap().cut_share > 0.4);
}

/// What `swift sft` raises on is refused, and never advised; `swift pt` takes it.
#[test]
fn what_a_command_raises_on_is_refused() {
    let chat = built_in("sharegpt_8k_llama2");
    let split = ("truncation_strategy", "split");
    let advice = one(&chat, 4096, "ms-swift", &[]).advice.unwrap();
    assert_eq!(
        (advice.setting.as_deref(), advice.value.as_deref()),
        (Some("truncation_strategy"), Some("right"))
    );
    assert!(
        !advice.tried.iter().any(|tried| tried.value == "split"),
        "{advice:?}"
    );
    let refused = one(&chat, 4096, "ms-swift", &[split]);
    let why = refused.about.refused.unwrap();
    assert!(
        why.contains("only `swift pt` splits") && refused.figures.is_none(),
        "{why}"
    );
    assert_eq!(refused.advice.unwrap().value.as_deref(), Some("right"));
    let pretraining = one(&chat, 4096, "ms-swift", &[("command", "pt"), split]);
    assert!(pretraining.figures.unwrap().truncated_share == 0.0);
    assert!(
        pretraining.about.lines.starts_with("swift pt \\\n"),
        "{}",
        pretraining.about.lines
    );
    let odd = one(
        &chat,
        4096,
        "nemo-automodel",
        &[("pad_to_multiple_of", "24")],
    );
    assert!(
        odd.about
            .refused
            .as_deref()
            .unwrap()
            .contains("4096, is no multiple of 24"),
        "{odd:?}"
    );
    // The limit that takes the data is named, and no option that there is not.
    let verl = one(&chat, 4096, "verl", &[]).about.refused.unwrap();
    assert_eq!(
        verl,
        "7,955 items are larger than the limit of 4,096: expected a limit of 8,149 or more"
    );
    let fixed = one(&chat, 8192, "verl", &[("use_dynamic_bsz", "false")])
        .about
        .refused
        .unwrap();
    assert!(
        fixed.contains("expected a number where use_dynamic_bsz is false"),
        "{fixed}"
    );
    let neat = one(
        &chat,
        4096,
        "llama-factory",
        &[("stage", "pt"), ("neat_packing", "true")],
    );
    assert!(
        neat.about
            .refused
            .as_deref()
            .unwrap()
            .contains("neat_packing of LLaMA-Factory"),
        "{neat:?}"
    );
}
