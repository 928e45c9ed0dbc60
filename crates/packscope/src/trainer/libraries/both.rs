//! Libraries for fine-tuning and pre-training.

use super::{
    Language, Library, MANY, Setting, again, collated, commit, concatenated, later, release,
};
use crate::error::Result;
use crate::trainer::library::LibrarySettings;
use crate::trainer::recipe::{Block, DeviceStep, Last, Recipe, Window};

pub(super) const LITGPT: Library = Library {
    id: "litgpt",
    title: "LitGPT",
    read: again(release(
        "Lightning-AI/litgpt",
        "litgpt/data/base.py: SFTDataset, get_sft_collate_fn; litgpt/data/text_files.py: TextFiles, with litdata's TokensLoader",
        "litgpt",
        "0.5.13",
    )),
    settings: &[
        Setting::given(
            "command",
            &["finetune", "pretrain"],
            "finetune",
            "Fine-tuning, which packs nothing, or pre-training: that concatenates and cuts.",
        ),
        Setting::whole(
            "train.micro_batch_size",
            (1, 65_536),
            "1",
            "Sequences that finetune pads to one length; rows of pretrain, which has 4 by default.",
        )
        .trains(),
    ],
    recipe: litgpt,
    language: Language::Shell,
    lines: "litgpt {command} \\\n    --train.max_seq_length {limit} \\\n    --train.micro_batch_size {train.micro_batch_size}\n",
    note: "finetune truncates. A row of pretrain has a token more than max_seq_length, the last label, which is counted here; the rest of each chunk of tokens is lost: one chunk is assumed, where those of text files have 50 MB. A last batch that is not full is left out too.",
};

fn litgpt(chosen: &LibrarySettings) -> Result<Recipe> {
    let batch = chosen.number("train.micro_batch_size");
    if chosen.get("command") == "finetune" {
        return Ok(collated(false, batch, chosen.limit));
    }
    Ok(Recipe {
        step: DeviceStep::Rows(batch),
        // litdata's TokensLoader reads whole blocks of one token more than the limit.
        ..concatenated(chosen.with_label()?, Last::Dropped)
    })
}

pub(super) const OUMI: Library = Library {
    id: "oumi",
    title: "Oumi",
    read: again(release(
        "oumi-ai/oumi",
        "src/oumi/core/datasets/pretraining_async_text_dataset.py: PretrainingAsyncTextDataset; core/collators/text_collator_with_padding.py",
        "oumi",
        "0.9",
    )),
    settings: &[
        Setting::switch(
            "data.train.pack",
            "false",
            "Concatenates and cuts; else a batch is padded.",
        )
        .start("true"),
        Setting::whole(
            "training.per_device_train_batch_size",
            (1, 1_000_000),
            "8",
            "Sequences of a batch.",
        )
        .trains(),
    ],
    recipe: oumi,
    language: Language::Yaml,
    lines: "model:\n  model_max_length: {limit}\ndata:\n  train:\n    pack: {data.train.pack}\ntraining:\n  per_device_train_batch_size: {training.per_device_train_batch_size}\n",
    note: "It trains with the trainers of Hugging Face and TRL, and packs before. The token that it appends to each sequence is counted as one of it; a last row of nothing else is left out there. PackedSftDataset, next fit, which skips longer ones, is in no configuration.",
};

fn oumi(chosen: &LibrarySettings) -> Result<Recipe> {
    let (batch, limit) = (
        chosen.number("training.per_device_train_batch_size"),
        chosen.limit,
    );
    if !chosen.on("data.train.pack") {
        return Ok(collated(false, batch, limit));
    }
    Ok(Recipe {
        step: DeviceStep::Rows(batch),
        // The rest at the end is padded to a row.
        ..concatenated(limit, Last::Kept)
    })
}

pub(super) const XTUNER: Library = Library {
    id: "xtuner",
    title: "XTuner",
    read: later(commit(
        "InternLM/xtuner",
        "xtuner/v1/datasets/packing.py: get_pack_chunk_infos, get_pack_infos_by_hard_split; config.py: DataloaderConfig",
        "b934f46",
    )),
    settings: &[
        Setting::names(
            "pack_level",
            &["soft", "hard", "none"],
            "soft",
            "soft: next fit, whose row is topped up with shorter sequences; hard: concatenate and cut; none: each padded.",
        ),
        Setting::whole(
            "pack_extra_buffer_size",
            (0, 1_000_000),
            "100",
            "Sequences that come next, among which soft looks for shorter ones.",
        )
        .tried(&["1000"]),
        Setting::whole(
            "pack_chunk_size",
            (1, MANY),
            "10000",
            "Sequences that soft packs together.",
        ),
        Setting::switch(
            "pack_to_max_length",
            "true",
            "Pads rows to pack_max_length.",
        ),
    ],
    recipe: xtuner,
    language: Language::Python,
    lines: "from xtuner.v1.datasets.config import DataloaderConfig\n\ndataloader_cfg = DataloaderConfig(\n    pack_max_length={limit},\n    pack_level=\"{pack_level}\",\n    pack_extra_buffer_size={pack_extra_buffer_size},\n    pack_chunk_size={pack_chunk_size},\n    pack_to_max_length={pack_to_max_length},\n)\n",
    note: "Sequences are shuffled, and longer ones truncated when their row is collated. The shortest of those that come next are taken as long as all of them fit, which often leaves more room than one that is longer. hard leaves out a last row that is not full. mllm_hybrid and preset are not simulated.",
};

fn xtuner(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, padded) = (chosen.limit, chosen.on("pack_to_max_length"));
    let recipe = match chosen.get("pack_level") {
        // Always full rows, so that pack_to_max_length pads nothing.
        "hard" => return Ok(concatenated(limit, Last::Dropped)),
        "none" if padded => Recipe::new(Block::Padded, limit),
        "none" => Recipe::new(Block::Flat, limit),
        _ => Recipe {
            window: Window::Items(u64::from(chosen.number("pack_chunk_size"))),
            ..Recipe::new(
                Block::TopUp {
                    ahead: chosen.number("pack_extra_buffer_size"),
                },
                limit,
            )
        },
    };
    Ok(Recipe { padded, ..recipe })
}
