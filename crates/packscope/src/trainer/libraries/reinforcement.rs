//! Libraries for reinforcement learning.

use super::{Language, Library, MANY, Setting, collated, commit, later, release};
use crate::error::{Error, Result};
use crate::histogram::Overlong;
use crate::trainer::library::LibrarySettings;
use crate::trainer::recipe::{Block, DeviceStep, Recipe, Window};

pub(super) const NEMO_RL: Library = Library {
    id: "nemo-rl",
    title: "NeMo RL",
    read: commit(
        "NVIDIA-NeMo/RL",
        "nemo_rl/data/packing/algorithms.py: ModifiedFirstFitDecreasingPacker and others; nemo_rl/distributed/batched_data_dict.py: shard_by_batch_size; examples/configs/sft.yaml",
        "7ea279abf",
    ),
    settings: &[
        Setting::switch(
            "policy.sequence_packing.enabled",
            "false",
            "Packs several sequences into a row.",
        )
        .start("true"),
        Setting::switch(
            "policy.dynamic_batching.enabled",
            "false",
            "Instead of packing: sorts the sequences of a step, and pads as many to one length as one row has slots.",
        ),
        Setting::whole(
            "policy.dynamic_batching.sequence_length_round",
            (1, 65_536),
            "64",
            "Pads such a micro-batch to a multiple of so many tokens, but not beyond the longest of the step.",
        ),
        Setting::names(
            "policy.sequence_packing.algorithm",
            &[
                "modified_first_fit_decreasing",
                "first_fit_decreasing",
                "first_fit_shuffle",
                "concatenative",
            ],
            "modified_first_fit_decreasing",
            "The packing algorithm; concatenative is next fit.",
        ),
        Setting::whole(
            "policy.train_global_batch_size",
            (1, MANY),
            "32",
            "Sequences that are packed together: those of a step, on each rank.",
        )
        .trains(),
        Setting::whole(
            "policy.train_micro_batch_size",
            (1, 65_536),
            "1",
            "With packing, one row has so many times max_total_sequence_length slots.",
        )
        .trains(),
        Setting::whole(
            "policy.make_sequence_length_divisible_by",
            (1, 65_536),
            "1",
            "Pads each sequence to a multiple of so many tokens.",
        )
        .trains(),
    ],
    recipe: nemo_rl,
    language: Language::Yaml,
    lines: "policy:\n  max_total_sequence_length: {limit}\n  train_global_batch_size: {policy.train_global_batch_size}\n  train_micro_batch_size: {policy.train_micro_batch_size}\n  make_sequence_length_divisible_by: {policy.make_sequence_length_divisible_by}\n{?policy.dynamic_batching.enabled=true}  dynamic_batching:\n{?policy.dynamic_batching.enabled=true}    enabled: {policy.dynamic_batching.enabled}\n{?policy.dynamic_batching.enabled=true}    sequence_length_round: {policy.dynamic_batching.sequence_length_round}\n  sequence_packing:\n    enabled: {policy.sequence_packing.enabled}\n    algorithm: \"{policy.sequence_packing.algorithm}\"\n",
    note: "Its last phase goes longest first into the emptiest row, where the comment says first fit. One rank is assumed; several share the global batch.",
};

fn nemo_rl(chosen: &LibrarySettings) -> Result<Recipe> {
    let limit = chosen.limit;
    let (micro, batch) = (
        chosen.number("policy.train_micro_batch_size"),
        chosen.number("policy.train_global_batch_size"),
    );
    let step = DeviceStep::Items(batch);
    let packs = chosen.on("policy.sequence_packing.enabled");
    if chosen.on("policy.dynamic_batching.enabled") {
        if packs {
            return Err(Error::Input {
                place: "policy.dynamic_batching.enabled of NeMo RL".to_owned(),
                message: "dynamic batching excludes sequence packing; switch one of them off"
                    .to_owned(),
            });
        }
        let block = Block::Sorted {
            multiple: chosen.number("policy.dynamic_batching.sequence_length_round"),
            width: chosen.number("policy.make_sequence_length_divisible_by"),
        };
        return Ok(Recipe {
            window: Window::Items(u64::from(batch)),
            step,
            longest: limit,
            ..Recipe::new(block, chosen.slots(micro)?)
        });
    }
    if !packs {
        return Ok(Recipe {
            step,
            ..Recipe::new(
                Block::Alone {
                    batch: micro,
                    multiple: 1,
                },
                limit,
            )
        });
    }
    let block = match chosen.get("policy.sequence_packing.algorithm") {
        "first_fit_decreasing" => Block::FirstFitDecreasing,
        "first_fit_shuffle" => Block::FirstFit,
        "concatenative" => Block::NextFit,
        _ => Block::Mffd,
    };
    Ok(Recipe {
        window: Window::Items(u64::from(batch)),
        step,
        align: chosen.number("policy.make_sequence_length_divisible_by"),
        longest: limit,
        ..Recipe::new(block, chosen.slots(micro)?)
    })
}

pub(super) const VERL: Library = Library {
    id: "verl",
    title: "verl",
    read: release(
        "volcengine/verl",
        "verl/utils/seqlen_balancing.py: rearrange_micro_batches, karmarkar_karp",
        "verl",
        "0.9.1",
    ),
    settings: &[
        // Where it is off, the library wants a number that has no default.
        Setting::switch(
            "use_dynamic_bsz",
            "false",
            "Micro batches by tokens instead of by sequences.",
        )
        .required("true"),
        Setting::whole(
            "ppo_mini_batch_size",
            (1, 1_000_000),
            "256",
            "Sequences that are parted together, on a rank.",
        )
        .trains(),
        Setting::whole_or(
            "ppo_micro_batch_size_per_gpu",
            (1, 65_536),
            &["none"],
            "none",
            "Sequences of a micro batch where these are not dynamic; there is no default.",
        )
        .trains(),
    ],
    recipe: verl,
    language: Language::Yaml,
    lines: "actor_rollout_ref:\n  actor:\n    use_dynamic_bsz: {use_dynamic_bsz}\n    ppo_max_token_len_per_gpu: {limit}\n    ppo_mini_batch_size: {ppo_mini_batch_size}\n    ppo_micro_batch_size_per_gpu: {ppo_micro_batch_size_per_gpu}\n",
    note: "The limit is ppo_max_token_len_per_gpu, which must hold the longest sequence. Parts could exceed it before August 2026. Padding is removed (use_remove_padding is true by default): room that is left costs nothing. One rank is assumed.",
};

fn verl(chosen: &LibrarySettings) -> Result<Recipe> {
    let (dynamic, mini) = (
        chosen.on("use_dynamic_bsz"),
        chosen.number("ppo_mini_batch_size"),
    );
    if !dynamic && chosen.whole("ppo_micro_batch_size_per_gpu").is_none() {
        return Err(Error::Input {
            place: "ppo_micro_batch_size_per_gpu of verl".to_owned(),
            message: "expected a number where use_dynamic_bsz is false".to_owned(),
        });
    }
    let block = if dynamic {
        Block::KarmarkarKarp { keeps: true }
    } else {
        Block::Flat
    };
    // Micro-batches by sequences are flattened, as padding is removed: their number changes no
    // slot.
    let window = if dynamic {
        Window::Items(u64::from(mini))
    } else {
        Window::Whole
    };
    let step = DeviceStep::Items(mini);
    let recipe = Recipe::new(block, chosen.limit);
    Ok(Recipe {
        overlong: Overlong::Reject,
        padded: false,
        window,
        step,
        ..recipe
    })
}

pub(super) const OPENRLHF: Library = Library {
    id: "openrlhf",
    title: "OpenRLHF",
    read: later(release(
        "OpenRLHF/OpenRLHF",
        "openrlhf/utils/seqlen_balancing.py: get_minimum_num_micro_batch_size, get_seqlen_balanced_partitions; trainer/ppo_utils/replay_buffer.py: setup_dynamic_batch",
        "openrlhf",
        "0.11.2",
    )),
    settings: &[
        Setting::given(
            "command",
            &["train_ppo_ray", "train_sft"],
            "train_ppo_ray",
            "Reinforcement learning, or supervised fine-tuning, which packs nothing.",
        ),
        Setting::switch(
            "train.dynamic_batch_enable",
            "false",
            "Micro-batches by tokens, up to train.max_tokens_per_gpu, for train_ppo_ray.",
        )
        .start("true"),
        Setting::switch("ds.packing_samples", "false", "Flattens a micro-batch instead of padding it.")
            .start("true"),
        Setting::whole(
            "train.batch_size",
            (1, 1_000_000),
            "128",
            "Sequences of a step; train_ppo_ray parts them together.",
        )
        .trains(),
        Setting::whole(
            "train.micro_batch_size",
            (1, 65_536),
            "8",
            "Sequences that train_sft pads to one length; train_ppo_ray has 1 by default, with which nothing is padded.",
        )
        .trains(),
    ],
    recipe: openrlhf,
    language: Language::Shell,
    lines: "python -m openrlhf.cli.{command} \\\n{?command=train_sft}    --data.max_len {limit} \\\n{?command=train_ppo_ray}    --train.max_tokens_per_gpu {limit} \\\n{?train.dynamic_batch_enable=true}    --train.dynamic_batch_enable \\\n{?ds.packing_samples=true}    --ds.packing_samples \\\n{?command=train_sft}    --train.micro_batch_size {train.micro_batch_size} \\\n    --train.batch_size {train.batch_size}\n",
    note: "A longer sequence is trained alone, above train.max_tokens_per_gpu, and balanced parts can exceed it too. At the end of a pass, sequences that do not fill a train.batch_size are left out where parts are dynamic. train_sft leaves out prompts that reach data.max_len, which lengths do not tell. One rank is assumed.",
};

fn openrlhf(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, batch) = (chosen.limit, chosen.number("train.batch_size"));
    let step = DeviceStep::Items(batch);
    let flat = chosen.on("ds.packing_samples");
    if chosen.get("command") == "train_sft" {
        let block = if flat {
            Block::Flat
        } else {
            Block::Alone {
                batch: chosen.number("train.micro_batch_size"),
                multiple: 1,
            }
        };
        return Ok(Recipe {
            step,
            padded: !flat,
            ..Recipe::new(block, limit)
        });
    }
    if !chosen.on("train.dynamic_batch_enable") {
        return Ok(Recipe {
            step,
            // Micro-batches of one by default, with nothing to pad.
            ..Recipe::exceeding(Block::Flat, limit)
        });
    }
    let parts = Recipe::exceeding(Block::KarmarkarKarp { keeps: false }, limit);
    Ok(Recipe {
        window: Window::Items(u64::from(batch)),
        step,
        // Where parts are dynamic, the code takes no batch that is not full.
        whole_steps: true,
        ..parts
    })
}

pub(super) const SLIME: Library = Library {
    id: "slime",
    title: "slime",
    read: later(commit(
        "THUDM/slime",
        "slime/utils/seqlen_balancing.py: first_fit_pack; slime/utils/dp_schedule.py: build_dp_schedule",
        "624b824",
    )),
    settings: &[
        Setting::switch(
            "use-dynamic-batch-size",
            "false",
            "Micro-batches by tokens instead of by sequences.",
        )
        .start("true"),
        Setting::whole(
            "global-batch-size",
            (1, 1_000_000),
            "128",
            "Sequences of a step, which are packed together; there is no default.",
        )
        .trains(),
    ],
    recipe: slime,
    language: Language::Shell,
    lines: "python train.py \\\n{?use-dynamic-batch-size=true}    --use-dynamic-batch-size \\\n    --max-tokens-per-gpu {limit} \\\n    --global-batch-size {global-batch-size}\n",
    note: "A longer sequence is trained alone, above max-tokens-per-gpu. The last step of a pass goes on in the next one. Each micro-batch is padded to a multiple of 128 tokens, which is not simulated; nor is balance-by-flops, whose parts can exceed the limit. One rank is assumed: for several, micro-batches are split until their number is a multiple.",
};

fn slime(chosen: &LibrarySettings) -> Result<Recipe> {
    let batch = chosen.number("global-batch-size");
    let dynamic = chosen.on("use-dynamic-batch-size");
    let (block, window) = match dynamic {
        true => (Block::FirstFit, Window::Items(u64::from(batch))),
        false => (Block::Flat, Window::Whole),
    };
    Ok(Recipe {
        window,
        // No `whole_steps`: sequences that do not fill the last step go on in the next pass.
        step: DeviceStep::Items(batch),
        ..Recipe::exceeding(block, chosen.limit)
    })
}

pub(super) const OPEN_INSTRUCT: Library = Library {
    id: "open-instruct",
    title: "Open-Instruct",
    read: later(commit(
        "allenai/open-instruct",
        "open_instruct/finetune.py, padding_free_collator.py: TensorDataCollatorWithFlattening; rl_utils.py: pack_sequences",
        "e6c3044",
    )),
    settings: &[
        Setting::given(
            "command",
            &["finetune", "grpo_fast"],
            "finetune",
            "Supervised fine-tuning, which packs nothing, or reinforcement learning.",
        ),
        Setting::switch(
            "packing",
            "false",
            "Flattens a batch instead of padding it, for finetune.",
        )
        .start("true"),
        Setting::whole(
            "per_device_train_batch_size",
            (1, 65_536),
            "8",
            "Sequences of a batch, for finetune; grpo_fast has 1.",
        )
        .trains(),
        Setting::whole(
            "num_unique_prompts_rollout",
            (1, 1_000_000),
            "16",
            "Prompts of a step of grpo_fast; the answers to them are packed together.",
        )
        .trains(),
        Setting::whole(
            "num_samples_per_prompt_rollout",
            (1, 1_000_000),
            "4",
            "Answers to each prompt.",
        )
        .trains(),
    ],
    recipe: open_instruct,
    language: Language::Shell,
    lines: "python open_instruct/{command}.py \\\n{?command=finetune}    --packing {packing} \\\n{?command=finetune}    --per_device_train_batch_size {per_device_train_batch_size} \\\n{?command=finetune}    --max_seq_length {limit}\n{?command=grpo_fast}    --num_unique_prompts_rollout {num_unique_prompts_rollout} \\\n{?command=grpo_fast}    --num_samples_per_prompt_rollout {num_samples_per_prompt_rollout} \\\n{?command=grpo_fast}    --pack_length {limit}\n",
    note: "finetune does as Hugging Face's collators. pack_length must hold the longest prompt with its answer; one rank is assumed: for several, rows are shorter where each would have none. Pairs of preferences (dpo) are not simulated.",
};

fn open_instruct(chosen: &LibrarySettings) -> Result<Recipe> {
    let limit = chosen.limit;
    if chosen.get("command") == "finetune" {
        return Ok(collated(
            chosen.on("packing"),
            chosen.number("per_device_train_batch_size"),
            limit,
        ));
    }
    let answers = chosen
        .number("num_unique_prompts_rollout")
        .saturating_mul(chosen.number("num_samples_per_prompt_rollout"));
    let (window, step) = (
        Window::Items(u64::from(answers)),
        DeviceStep::Items(answers),
    );
    Ok(Recipe {
        overlong: Overlong::Reject,
        padded: false,
        window,
        step,
        ..Recipe::new(Block::NextFit, limit)
    })
}
