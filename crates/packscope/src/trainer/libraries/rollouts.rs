//! More libraries for reinforcement learning, most of which fine-tune too.

use super::{Language, Library, MANY, Setting, commit, concatenated, newest, release};
use crate::error::{Error, Result};
use crate::histogram::Overlong;
use crate::trainer::library::LibrarySettings;
use crate::trainer::recipe::{Block, DeviceStep, Last, Recipe, Window};

pub(super) const SKYRL: Library = Library {
    id: "skyrl",
    title: "SkyRL",
    read: newest(release(
        "NovaSky-AI/SkyRL",
        "skyrl/train/dataset/bin_packing.py: FirstFitDecreasing, Balanced; dataset/collators.py: PackedDataCollator; backends/skyrl_train/workers/worker_utils.py: TokenBasedBatchIterator",
        "skyrl",
        "0.3.0",
    )),
    settings: &[
        Setting::given(
            "command",
            &["main_sft", "entrypoints.main_base"],
            "main_sft",
            "Supervised fine-tuning, or reinforcement learning.",
        ),
        Setting::switch(
            "use_sequence_packing",
            "false",
            "Packs the sequences of a step, for main_sft with the Megatron backend.",
        )
        .start("true"),
        Setting::whole_or(
            "max_tokens_per_microbatch",
            (1, 1 << 31),
            &["none"],
            "none",
            "Tokens of a packed row of main_sft; none: as many as max_length.",
        )
        .unadvised(),
        Setting::whole(
            "batch_size",
            (1, 1_000_000),
            "4",
            "Sequences of a step of main_sft, which are packed together.",
        )
        .trains(),
        Setting::switch(
            "trainer.max_tokens_per_microbatch",
            "false",
            "Whether main_base makes micro-batches by tokens, up to the limit; else by sequences (-1).",
        )
        .start("true"),
        Setting::whole(
            "trainer.policy_mini_batch_size",
            (1, 1_000_000),
            "256",
            "Prompts of a step of main_base; the answers to them are packed together.",
        )
        .trains(),
        Setting::whole(
            "generator.n_samples_per_prompt",
            (1, 65_536),
            "5",
            "Answers to each prompt.",
        )
        .trains(),
    ],
    recipe: skyrl,
    language: Language::Shell,
    lines: "python -m skyrl.train.{command} \\\n{?use_sequence_packing=true}    strategy=megatron \\\n{?command=main_sft}    max_length={limit} \\\n{?command=main_sft}    use_sequence_packing={use_sequence_packing} \\\n{?max_tokens_per_microbatch!=none}    max_tokens_per_microbatch={max_tokens_per_microbatch} \\\n{?command=main_sft}    batch_size={batch_size}\n{?trainer.max_tokens_per_microbatch=true}    trainer.max_tokens_per_microbatch={limit} \\\n{?command=entrypoints.main_base}    trainer.policy_mini_batch_size={trainer.policy_mini_batch_size} \\\n{?command=entrypoints.main_base}    generator.n_samples_per_prompt={generator.n_samples_per_prompt}\n",
    note: "Micro-batches are flattened in both (remove_microbatch_padding is true by default), so that room that is left costs nothing. Of main_base, an answer above the limit is trained alone. One rank is assumed: for several, rows of main_sft are split until their number is a multiple.",
};

fn skyrl(chosen: &LibrarySettings) -> Result<Recipe> {
    let limit = chosen.limit;
    if chosen.get("command") == "main_sft" {
        let batch = chosen.number("batch_size");
        let step = DeviceStep::Items(batch);
        let flat = Recipe {
            step,
            padded: false,
            ..Recipe::new(Block::Flat, limit)
        };
        if !chosen.on("use_sequence_packing") {
            return Ok(flat);
        }
        let row = chosen.whole("max_tokens_per_microbatch").unwrap_or(limit);
        if row < limit {
            return Err(Error::Input {
                place: "max_tokens_per_microbatch of SkyRL".to_owned(),
                message: format!("{row}: expected at least max_length, {limit}"),
            });
        }
        return Ok(Recipe {
            window: Window::Items(u64::from(batch)),
            longest: limit,
            capacity: row,
            block: Block::FirstFitDecreasing,
            ..flat
        });
    }
    let answers = chosen
        .number("trainer.policy_mini_batch_size")
        .saturating_mul(chosen.number("generator.n_samples_per_prompt"));
    let (block, window) = match chosen.on("trainer.max_tokens_per_microbatch") {
        true => (
            Block::LeastLoaded { carried: false },
            Window::Items(u64::from(answers)),
        ),
        false => (Block::Flat, Window::Whole),
    };
    Ok(Recipe {
        window,
        step: DeviceStep::Items(answers),
        ..Recipe::exceeding(block, limit)
    })
}

pub(super) const PRIME_RL: Library = Library {
    id: "prime-rl",
    title: "prime-rl",
    read: newest(commit(
        "PrimeIntellect-ai/prime-rl",
        "src/prime_rl/trainer/sft/data.py: CatDataset; src/prime_rl/trainer/batch.py: packed_samples_into_micro_bs",
        "559b447",
    )),
    settings: &[
        Setting::given(
            "command",
            &["sft", "rl"],
            "sft",
            "Supervised fine-tuning, or reinforcement learning.",
        ),
        Setting::whole(
            "data.micro_batch_size",
            (1, 65_536),
            "1",
            "For sft: one row has so many times data.seq_len slots.",
        )
        .trains(),
        Setting::whole(
            "orchestrator.batch_size",
            (1, 1_000_000),
            "128",
            "For rl: samples of a step, which are packed together.",
        )
        .trains(),
    ],
    recipe: prime_rl,
    language: Language::Shell,
    lines: "uv run {command} @ {command}.toml \\\n{?command=sft}    --data.seq-len {limit} \\\n{?command=sft}    --data.micro-batch-size {data.micro_batch_size}\n{?command=rl}    --seq-len {limit} \\\n{?command=rl}    --orchestrator.batch-size {orchestrator.batch_size}\n",
    note: "sft pads a row, and a sequence takes one slot less than it has tokens there, as its last is only a label. rl pads nothing; token_batch_size is not simulated. One rank is assumed: for several, rows of rl are split until their number is a multiple, and dealt by Karmarkar and Karp's differencing.",
};

fn prime_rl(chosen: &LibrarySettings) -> Result<Recipe> {
    if chosen.get("command") == "sft" {
        let row = chosen.slots(chosen.number("data.micro_batch_size"))?;
        return Ok(Recipe {
            shift: 1,
            step: DeviceStep::Rows(1),
            ..Recipe::new(Block::NextFit, row)
        });
    }
    let batch = chosen.number("orchestrator.batch_size");
    Ok(Recipe {
        padded: false,
        window: Window::Items(u64::from(batch)),
        step: DeviceStep::Items(batch),
        ..Recipe::new(Block::FirstFitDecreasing, chosen.limit)
    })
}

pub(super) const AREAL: Library = Library {
    id: "areal",
    title: "AReaL",
    read: newest(release(
        "inclusionAI/AReaL",
        "areal/utils/seqpack.py: ffd_allocate, kk_allocate; areal/utils/data.py: allocate_balanced_mbs",
        "areal",
        "1.0.4",
    )),
    settings: &[
        Setting::names(
            "actor.mb_spec.packing_algorithm",
            &["ffd", "kk"],
            "ffd",
            "ffd: longest first, into the row with the fewest sequences; kk: parts that are balanced by Karmarkar and Karp.",
        ),
        Setting::whole(
            "train_dataset.batch_size",
            (1, 1_000_000),
            "1",
            "Sequences of a step, which are packed together; its examples have 128 and 256.",
        )
        .required("128")
        .trains(),
    ],
    recipe: areal,
    language: Language::Yaml,
    lines: "train_dataset:\n  batch_size: {train_dataset.batch_size}\nactor:\n  mb_spec:\n    max_tokens_per_mb: {limit}\n    packing_algorithm: {actor.mb_spec.packing_algorithm}\n",
    note: "Its name says first-fit decreasing; of the rows with room the one with the fewest sequences is taken. The limit is max_tokens_per_mb, which must hold the longest sequence; without it a step is one row. For kk, the fewest parts that could hold the tokens, and ffd where one of them does not. Reinforcement learning first parts a step into ppo_n_minibatches, and has gconfig.n_samples answers to each prompt: a step of supervised fine-tuning is counted, on one rank. Padding of rows to a multiple is not simulated.",
};

fn areal(chosen: &LibrarySettings) -> Result<Recipe> {
    let batch = chosen.number("train_dataset.batch_size");
    let block = Block::FewestItems {
        differencing: chosen.get("actor.mb_spec.packing_algorithm") == "kk",
    };
    Ok(Recipe {
        overlong: Overlong::Reject,
        padded: false,
        window: Window::Items(u64::from(batch)),
        step: DeviceStep::Items(batch),
        ..Recipe::new(block, chosen.limit)
    })
}

pub(super) const TUNIX: Library = Library {
    id: "tunix",
    title: "Tunix",
    read: newest(release(
        "google/tunix",
        "tunix/rl/utils.py: pack_sequences; tunix/rl/rl_learner.py",
        "google-tunix",
        "0.1.7",
    )),
    settings: &[
        Setting::whole(
            "mini_batch_size",
            (1, MANY),
            "64",
            "Prompts of a step; there is no default.",
        )
        .trains(),
        Setting::whole(
            "num_generations",
            (2, 65_536),
            "2",
            "Answers to each prompt: those of a step are packed together.",
        )
        .trains(),
    ],
    recipe: tunix,
    language: Language::Python,
    lines: "from tunix.rl.grpo.grpo_learner import GRPOConfig\nfrom tunix.rl.rl_cluster import RLTrainingConfig\n\ntraining_config = RLTrainingConfig(\n    actor_optimizer=optimizer,\n    eval_every_n_steps=10,\n    max_seq_token_per_tpu={limit},\n    mini_batch_size={mini_batch_size},\n)\ngrpo_config = GRPOConfig(num_generations={num_generations})\n",
    note: "For reinforcement learning; PeftTrainer, which fine-tunes, refuses to pack. An answer that is longer with its prompt than max_seq_token_per_tpu is left out, with a warning. Without it, nothing is packed: prompts and answers are each padded to their maximum.",
};

fn tunix(chosen: &LibrarySettings) -> Result<Recipe> {
    let answers = chosen
        .number("mini_batch_size")
        .saturating_mul(chosen.number("num_generations"));
    Ok(Recipe {
        overlong: Overlong::Drop,
        // A step is read to its end, with what is left out of it.
        window: Window::Arrivals(u64::from(answers)),
        step: DeviceStep::Items(answers),
        ..Recipe::new(Block::NextFit, chosen.limit)
    })
}

pub(super) const LEVANTER: Library = Library {
    id: "levanter",
    title: "Levanter",
    read: newest(release(
        "marin-community/marin",
        "levanter/data/packing.py: pack_documents; levanter/data/text/datasets.py: dataset_for_component",
        "marin-levanter",
        "0.2.20.dev202606180959",
    )),
    settings: &[
        Setting::given(
            "format",
            &["chat", "text"],
            "chat",
            "Chats, which are packed, or texts for pre-training, which are laid end to end.",
        ),
        Setting::whole_or(
            "pack",
            (1, 65_536),
            &["none", "true", "false"],
            "none",
            "true packs whole ones, at most 64 in a row, a number at most so many; false lays them end to end, which only texts can be; none: as chats and texts usually are.",
        )
        .tried(&["true"]),
    ],
    recipe: levanter,
    language: Language::Yaml,
    lines: "data:\n  components:\n    train:\n      format:\n        type: {format}\n      pack: {pack}\ntrain_seq_len: {limit}\n",
    note: "Sequences are packed in the order of the cache; it is the rows that are shuffled. The beginning of longer ones is cut off.",
};

fn levanter(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, pack) = (chosen.limit, chosen.get("pack"));
    match chosen.get("format") {
        "text" if ["none", "false"].contains(&pack) => {
            return Ok(concatenated(limit, Last::Dropped));
        }
        // It takes false for a row of no sequences.
        "chat" if pack == "false" => {
            return Err(Error::Input {
                place: "pack of Levanter".to_owned(),
                message: "chats are always packed".to_owned(),
            });
        }
        _ => {}
    }
    Ok(Recipe {
        cap: chosen.whole("pack").unwrap_or(64),
        ..Recipe::new(Block::NextFit, limit)
    })
}
