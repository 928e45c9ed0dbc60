//! More libraries for fine-tuning, and collators.

use super::{Language, Library, MANY, Setting, again, batch_of_trainer, collated, release};
use crate::accepts::number;
use crate::error::{Error, Result};
use crate::histogram::Overlong;
use crate::trainer::library::LibrarySettings;
use crate::trainer::recipe::{Block, DeviceStep, Recipe, Window};

pub(super) const SWIFT: Library = Library {
    id: "ms-swift",
    title: "ms-swift",
    read: release(
        "modelscope/ms-swift",
        "swift/dataset/packing.py: calculate_matched_group, PackingDataset; binpacking 2.0.1 to_constant_volume",
        "ms-swift",
        "4.6.0",
    ),
    settings: &[
        Setting::given(
            "command",
            &["sft", "pt"],
            "sft",
            "Supervised fine-tuning, or pre-training: only that can split longer sequences.",
        ),
        Setting::switch("packing", "false", "Packs several sequences into a row.").start("true"),
        Setting::names(
            "packing_strategy",
            &["binpack", "sequential"],
            "binpack",
            "Bin packing, or next fit that keeps the order.",
        ),
        Setting::whole_or(
            "packing_length",
            (1, 1 << 31),
            &["none"],
            "none",
            "Tokens of a packed row; none: as many as max_length.",
        )
        .unadvised(),
        Setting::names(
            "truncation_strategy",
            &["delete", "right", "left", "split"],
            "delete",
            "What is done with sequences above max_length; only swift pt splits them.",
        ),
        Setting::names(
            "binpacking",
            &[">=2.0", "<2.0"],
            ">=2.0",
            "The version of binpacking, which ms-swift does not pin: the emptiest row since 2.0, the fullest with room before.",
        ),
        Setting::switch(
            "streaming",
            "false",
            "Packs packing_interval sequences at a time, instead of 1,000.",
        )
        .trains(),
        Setting::whole(
            "packing_interval",
            (1, MANY),
            "128",
            "Sequences that are packed together while streaming. swift has no option for it.",
        ),
        batch_of_trainer("1"),
    ],
    recipe: swift,
    language: Language::Shell,
    lines: "swift {command} \\\n    --max_length {limit} \\\n    --packing {packing} \\\n    --packing_strategy {packing_strategy} \\\n{?packing_length!=none}    --packing_length {packing_length} \\\n    --truncation_strategy {truncation_strategy} \\\n    --streaming {streaming} \\\n    --per_device_train_batch_size {per_device_train_batch_size}\n# with pip install \"binpacking{binpacking}\"\n# packing_interval is an argument of IterablePackingDataset only: {packing_interval}\n",
    note: "Its comment says best fit; since binpacking 2.0 (January 2026) it is the emptiest row. The last row of a window goes on in the next.",
};

fn swift(chosen: &LibrarySettings) -> Result<Recipe> {
    let limit = chosen.limit;
    let overlong = match chosen.get("truncation_strategy") {
        "left" | "right" => Overlong::Truncate,
        "split" if chosen.get("command") == "sft" => {
            return Err(Error::Input {
                place: "truncation_strategy of ms-swift".to_owned(),
                message: "only `swift pt` splits; `swift sft` takes delete, right, left".to_owned(),
            });
        }
        "split" => Overlong::Split,
        _ => Overlong::Drop,
    };
    let batch = chosen.number("per_device_train_batch_size");
    let step = DeviceStep::Rows(batch);
    if !chosen.on("packing") {
        return Ok(Recipe {
            overlong,
            ..collated(false, batch, limit)
        });
    }
    let row = chosen.whole("packing_length").unwrap_or(limit);
    let of = |block| Recipe {
        overlong,
        step,
        padded: false,
        // Encoded sequences keep to max_length; where a row has less, one alone exceeds it.
        longest: limit,
        ..Recipe::new(block, row)
    };
    if chosen.get("packing_strategy") == "sequential" {
        // An open row goes on in the next window.
        return Ok(of(Block::NextFit));
    }
    let block = match chosen.get("binpacking") {
        // ms-swift does not pin binpacking: which algorithm runs is decided by what else is
        // installed.
        "<2.0" => Block::BestFitDecreasing { carried: true },
        _ => Block::LeastLoaded { carried: true },
    };
    // A stream is cut into windows before longer sequences are deleted.
    let window = match chosen.on("streaming") {
        true => Window::Arrivals(u64::from(chosen.number("packing_interval"))),
        // PackingDataset packs sequences that are encoded already, and split where that is chosen.
        false => Window::Pieces(1000),
    };
    Ok(Recipe {
        window,
        ..of(block)
    })
}

pub(super) const AUTOMODEL: Library = Library {
    id: "nemo-automodel",
    title: "NeMo Automodel",
    read: release(
        "NVIDIA-NeMo/Automodel",
        "nemo_automodel/components/datasets/llm/neat_packing.py: greedy_knapsack; packed_sequence.py: pack_dataset",
        "nemo-automodel",
        "0.7.0",
    ),
    settings: &[
        Setting::names(
            "truncation",
            &["do_not_truncate", "longest_first"],
            "do_not_truncate",
            "Whether ChatDataset truncates to the limit, before anything is packed.",
        ),
        Setting::names(
            "packing_strategy",
            &["thd", "neat"],
            "thd",
            "thd: next fit in the order of arrival; neat: longest first into the emptiest row.",
        ),
        Setting::switch(
            "drop_long_samples",
            "true",
            "Drops sequences above packed_sequence_size, for neat; else it refuses them.",
        ),
        Setting::whole(
            "pad_to_multiple_of",
            (1, 65_536),
            "1",
            "Pads each sequence to a multiple of so many tokens, for thd.",
        ),
    ],
    recipe: automodel,
    language: Language::Yaml,
    lines: "dataset:\n  seq_length: {limit}\n  truncation: {truncation}\npacked_sequence:\n  packed_sequence_size: {limit}\n  packing_strategy: {packing_strategy}\n  drop_long_samples: {drop_long_samples}\n  pad_to_multiple_of: {pad_to_multiple_of}\n",
    note: "Longer sequences are left out unless the data set truncates. Its greedy_knapsack has the name of LLaMA-Factory's, but is another algorithm. The data set is shuffled before.",
};

fn automodel(chosen: &LibrarySettings) -> Result<Recipe> {
    let thd = chosen.get("packing_strategy") == "thd";
    // `pack_dataset` of thd leaves longer ones out; only neat has an option to refuse them.
    let drops = thd || chosen.on("drop_long_samples");
    let overlong = match chosen.get("truncation") {
        "longest_first" => Overlong::Truncate,
        _ if drops => Overlong::Drop,
        _ => Overlong::Reject,
    };
    if thd {
        let align = chosen.number("pad_to_multiple_of");
        if !chosen.limit.is_multiple_of(align) {
            return Err(Error::Input {
                place: "pad_to_multiple_of of NeMo Automodel".to_owned(),
                message: format!(
                    "packed_sequence_size, {}, is no multiple of {align}",
                    chosen.limit
                ),
            });
        }
        return Ok(Recipe {
            overlong,
            align,
            ..Recipe::new(Block::NextFit, chosen.limit)
        });
    }
    Ok(Recipe {
        overlong,
        ..Recipe::new(Block::LeastLoaded { carried: false }, chosen.limit)
    })
}

/// llm-foundry of MosaicML.
pub(super) const FOUNDRY: Library = Library {
    id: "llm-foundry",
    title: "LLM Foundry",
    read: release(
        "mosaicml/llm-foundry",
        "llmfoundry/data/packing.py: BinPackCollator, auto_packing_ratio",
        "llm-foundry",
        "0.22.0",
    ),
    settings: &[
        Setting {
            finest: Some(0.1),
            ..Setting::number(
                "packing_ratio",
                (1.0, 10_000.0),
                &["none", "auto"],
                "none",
                "Sequences for each row of a batch; auto tries twenty and takes the largest that leaves nothing over.",
            )
        }
        .start("auto")
        .tried(&["none", "auto"]),
        Setting::whole_or(
            "max_leftover_bins_to_keep",
            (0, 1_000_000),
            &["none"],
            "none",
            "The most rows that wait for the next batch; others are thrown away. none: all wait.",
        )
        .tried(&["none"]),
        Setting::whole("device_batch_size", (1, 65_536), "8", "Rows of a batch on a device.").trains(),
    ],
    recipe: foundry,
    language: Language::Yaml,
    lines: "max_seq_len: {limit}\ntrain_loader:\n  dataset:\n    max_seq_len: {limit}\n    packing_ratio: {packing_ratio}\n    max_leftover_bins_to_keep: {max_leftover_bins_to_keep}\n  drop_last: false\n# rows on a device: global_train_batch_size / devices = {device_batch_size}\n",
    note: "What waits at the end is never trained, and counts as dropped. With drop_last: true, a last batch with fewer sequences is left out too.",
};

fn foundry(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, rows) = (chosen.limit, chosen.number("device_batch_size"));
    let leftover = chosen
        .whole("max_leftover_bins_to_keep")
        .unwrap_or(u32::MAX);
    let items = match chosen.get("packing_ratio") {
        "none" => Some(rows),
        "auto" => None,
        // Rounded down, as Python's `int` does.
        ratio => Some((f64::from(rows) * number(ratio).unwrap_or(1.0)) as u32),
    };
    // A ratio of 1 is no packing; `pad_to_longest` is off.
    let block = if items == Some(rows) {
        Block::Padded
    } else {
        Block::Ratio {
            rows,
            items,
            leftover,
        }
    };
    Ok(Recipe {
        step: DeviceStep::Rows(rows),
        ..Recipe::new(block, limit)
    })
}

/// The collator of Hugging Face transformers that flattens a batch.
pub(super) const FLATTENING: Library = Library {
    id: "hf-flattening",
    title: "Hugging Face Trainer",
    read: release(
        "huggingface/transformers",
        "src/transformers/data/data_collator.py: DataCollatorWithFlattening, DataCollatorWithPadding",
        "transformers",
        "5.23.0",
    ),
    settings: &[
        Setting::names(
            "data_collator",
            &["DataCollatorWithPadding", "DataCollatorWithFlattening"],
            "DataCollatorWithPadding",
            "Pads to the longest of a batch, or flattens the batch into one row without padding.",
        )
        .start("DataCollatorWithFlattening"),
        Setting::whole(
            "per_device_train_batch_size",
            (1, 1_000_000),
            "8",
            "Sequences of a batch.",
        )
        .trains(),
    ],
    recipe: flattening,
    language: Language::Python,
    lines: "from transformers import {data_collator}, TrainingArguments\n\nargs = TrainingArguments(per_device_train_batch_size={per_device_train_batch_size})\n# Trainer(…, data_collator={data_collator}(…)), with sequences truncated to {limit}\n",
    note: "Nothing is packed: a row is a sequence. Without padding, steps differ in their number of tokens.",
};

fn flattening(chosen: &LibrarySettings) -> Result<Recipe> {
    let flat = chosen.get("data_collator") == "DataCollatorWithFlattening";
    Ok(collated(
        flat,
        chosen.number("per_device_train_batch_size"),
        chosen.limit,
    ))
}

pub(super) const UNSLOTH: Library = Library {
    id: "unsloth",
    title: "Unsloth",
    read: again(release(
        "unslothai/unsloth",
        "unsloth/trainer.py; unsloth/utils/padding_choice.py: decide_auto_padding_free, choose_padding; packing is TRL's",
        "unsloth",
        "2026.10.9",
    )),
    settings: &[
        Setting::switch(
            "packing",
            "false",
            "Packs several sequences into a row, as TRL does (bfd).",
        ),
        Setting::names(
            "padding_free",
            &["none", "true", "false"],
            "none",
            "Flattens each batch into one row without padding; where it is not set (none), too, but for small models on some devices: see the note.",
        ),
        Setting::whole(
            "per_device_train_batch_size",
            (1, 1_000_000),
            "4",
            "Sequences of a batch.",
        )
        .trains(),
    ],
    recipe: unsloth,
    language: Language::Python,
    lines: "from trl import SFTConfig\n\nconfig = SFTConfig(\n    max_length={limit},\n    packing={packing},\n{?padding_free!=none}    padding_free={padding_free},\n    per_device_train_batch_size={per_device_train_batch_size},\n)\n",
    note: "Where padding_free is not set, batches are flattened if the model can do without padding. On a T4, A100, L4 or RTX PRO 6000 they are padded instead, as padding_free: false shows, if all of these hold: one process, no experts (MoE), a padded micro-batch takes the device less than an estimated 0.1 s (0.06 s on an RTX PRO 6000), and the run has at least 1,250 micro-batches (5,000 in 4 bits). The variable UNSLOTH_PADDING_CHOICE=padding_free rules that out. Versions before may refuse max_length where padding_free is set.",
};

fn unsloth(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, batch) = (chosen.limit, chosen.number("per_device_train_batch_size"));
    if !chosen.on("packing") {
        return Ok(collated(
            chosen.get("padding_free") != "false",
            batch,
            limit,
        ));
    }
    // Packing is TRL's: `map_batch_size` of datasets' map at its default, and bfd, without padding.
    let (window, step) = (Window::Items(1000), DeviceStep::Rows(batch));
    let bfd = Recipe::new(Block::BestFitDecreasing { carried: false }, limit);
    Ok(Recipe {
        window,
        step,
        padded: false,
        ..bfd
    })
}
