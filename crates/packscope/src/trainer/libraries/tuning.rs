//! Libraries for fine-tuning.

use super::{
    Language, Library, MANY, Setting, batch_of_trainer, beyond, collated, concatenated, padded_to,
    release,
};
use crate::error::{Error, Result};
use crate::histogram::Overlong;
use crate::trainer::library::LibrarySettings;
use crate::trainer::recipe::{Block, DeviceStep, Last, Recipe, Window};

/// The price of TRL's larger windows.
const PACKED_BEFORE: &str = "a dataset packed before the trainer";

pub(super) const TRL: Library = Library {
    id: "trl",
    title: "TRL",
    read: release(
        "huggingface/trl",
        "trl/data_utils.py: _pack_bfd, _pack_wrapped, pack_dataset",
        "trl",
        "1.16.0",
    ),
    settings: &[
        Setting::switch("packing", "false", "Packs several sequences into a row.").start("true"),
        Setting::names(
            "packing_strategy",
            &["bfd", "bfd_split", "wrapped"],
            "bfd",
            "Best-fit decreasing that truncates, the same with longer ones split, or concatenate and cut.",
        ),
        Setting::whole(
            "map_batch_size",
            (1, MANY),
            "1000",
            "Sequences that are packed together: `batch_size` of datasets' map, which SFTTrainer has no option for.",
        )
        .tried(&["10000", "100000"])
        .needs(&[("10000", PACKED_BEFORE), ("100000", PACKED_BEFORE)]),
        batch_of_trainer("8"),
    ],
    recipe: trl,
    language: Language::Python,
    lines: "from trl import SFTConfig\n{?map_batch_size!=1000}from trl import pack_dataset\n\nconfig = SFTConfig(\n    max_length={limit},\n    packing={packing},\n    packing_strategy=\"{packing_strategy}\",\n    per_device_train_batch_size={per_device_train_batch_size},\n{?map_batch_size!=1000}    dataset_kwargs={\"skip_prepare_dataset\": True},\n)\n{?map_batch_size!=1000}# SFTTrainer packs each 1,000 sequences, and would pack packed rows once more. For other windows, tokenize and shuffle\n{?map_batch_size!=1000}# first, with the columns input_ids and labels (-100 where nothing is learned), and pack before the trainer does:\n{?map_batch_size!=1000}dataset = pack_dataset(dataset, {limit}, \"{packing_strategy}\", map_kwargs={\"batch_size\": {map_batch_size}})\n",
    note: "bfd and bfd_split turn padding-free on: rows are as long as what is in them, and room that is left costs nothing. Whoever packs the dataset before needs skip_prepare_dataset beside it: otherwise SFTTrainer packs the rows again, without seq_lengths, and sequences see those before them in their row.",
};

fn trl(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, batch) = (chosen.limit, chosen.number("per_device_train_batch_size"));
    if !chosen.on("packing") {
        return Ok(collated(false, batch, limit));
    }
    let (window, step) = (
        Window::Items(u64::from(chosen.number("map_batch_size"))),
        DeviceStep::Rows(batch),
    );
    let block = Block::BestFitDecreasing { carried: false };
    let bfd = Recipe {
        window,
        step,
        // bfd sets padding-free: rows end with their last sequence. `wrapped` pads.
        padded: false,
        ..Recipe::new(block, limit)
    };
    Ok(match chosen.get("packing_strategy") {
        "bfd_split" => Recipe {
            overlong: Overlong::Split,
            ..bfd
        },
        "wrapped" => Recipe {
            window,
            step,
            ..concatenated(limit, Last::Kept)
        },
        _ => bfd,
    })
}

pub(super) const AXOLOTL: Library = Library {
    id: "axolotl",
    title: "Axolotl",
    read: release(
        "axolotl-ai-cloud/axolotl",
        "src/axolotl/utils/samplers/multipack.py: pack_group, allocate_sequentially",
        "axolotl",
        "0.19.0",
    ),
    settings: &[
        Setting::switch("sample_packing", "false", "Packs several sequences into a row.").start("true"),
        Setting::names(
            "excess_length_strategy",
            &["drop", "truncate", "raise"],
            "drop",
            "What is done with sequences above sequence_len.",
        ),
        Setting::switch(
            "sample_packing_sequentially",
            "false",
            "Keeps the order: next fit instead of first fit.",
        ),
        Setting::whole(
            "sample_packing_group_size",
            (1, MANY),
            "100000",
            "Sequences that are packed together.",
        ),
        Setting::whole("sample_packing_bin_size", (1, 1_000_000), "200", "The most sequences in a row.")
            .tried(&["1000", "10000"]),
        Setting::whole(
            "micro_batch_size",
            (1, 65_536),
            "1",
            "With packing, one row has so many times sequence_len slots.",
        )
        .trains(),
        Setting::names(
            "pad_to_sequence_len",
            &["none", "true", "false"],
            "none",
            "none: to sequence_len with packing, to a multiple of 64 without; true: always to sequence_len; false: only to the longest of a batch, of which the library warns with packing, for memory.",
        )
        .unadvised(),
        Setting::given(
            "WORLD_SIZE",
            &["1", "4"],
            "1",
            "Ranks: on fewer than four, steps are the fewest of four trial packings in other orders, and rows beyond them are not trained; four or more try once each.",
        )
        .packs(),
    ],
    recipe: axolotl,
    language: Language::Yaml,
    lines: "sequence_len: {limit}\nsample_packing: {sample_packing}\nexcess_length_strategy: {excess_length_strategy}\nsample_packing_sequentially: {sample_packing_sequentially}\nsample_packing_group_size: {sample_packing_group_size}\nsample_packing_bin_size: {sample_packing_bin_size}\nmicro_batch_size: {micro_batch_size}\n{?pad_to_sequence_len!=none}pad_to_sequence_len: {pad_to_sequence_len}\n# ranks: {WORLD_SIZE}\n",
    note: "Its comments say first-fit decreasing; nothing sorts. Sequences of a single token are left out. Rows that are not trained on fewer than four ranks, 0.06 to 0.3 % of the tokens on average and up to 1 %, count as dropped where WORLD_SIZE is 1. What several ranks lose to the one with the fewest rows is not simulated. Without sample_packing a batch is padded to a multiple of 64 tokens, and so is sequence_len with it.",
};

fn axolotl(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, batch) = (chosen.limit, chosen.number("micro_batch_size"));
    let overlong = match chosen.get("excess_length_strategy") {
        "truncate" => Overlong::Truncate,
        "raise" => Overlong::Reject,
        _ => Overlong::Drop,
    };
    let (pads, longest) = (
        chosen.get("pad_to_sequence_len"),
        limit.saturating_add(beyond(limit, 64)?),
    );
    if !chosen.on("sample_packing") {
        let multiple = match pads {
            // No sequence is longer: its first multiple is that of every batch.
            "true" => longest,
            "false" => 1,
            _ => 64,
        };
        return Ok(Recipe {
            least: 2,
            overlong,
            ..padded_to(multiple, batch, limit)
        });
    }
    let (padded, slots) = (pads != "false", chosen.slots(batch)?);
    let recipe = Recipe {
        least: 2,
        longest: limit,
        overlong,
        padded,
        spare: if padded { beyond(slots, longest)? } else { 0 },
        step: DeviceStep::Rows(1),
        // `MultipackBatchSampler` packs four times on fewer than four ranks to count the steps, and
        // trains as many as the fewest.
        trials: if chosen.get("WORLD_SIZE") == "1" {
            4
        } else {
            0
        },
        ..Recipe::new(Block::NextFit, slots)
    };
    if chosen.on("sample_packing_sequentially") {
        return Ok(recipe);
    }
    Ok(Recipe {
        // Not decreasing, whatever the comments of the source say: nothing sorts.
        block: Block::FirstFit,
        window: Window::Items(u64::from(chosen.number("sample_packing_group_size"))),
        cap: chosen.number("sample_packing_bin_size"),
        ..recipe
    })
}

pub(super) const TORCHTUNE: Library = Library {
    id: "torchtune",
    title: "torchtune",
    read: release(
        "meta-pytorch/torchtune",
        "torchtune/datasets/_packed.py: PackedDataset",
        "torchtune",
        "0.6.1",
    ),
    settings: &[
        Setting::switch("packed", "false", "Packs several sequences into a row.").start("true"),
        Setting::given(
            "split_across_pack",
            &["true", "false"],
            "false",
            "Cuts the sequence that does not fit, instead of moving it to the next row; of its data sets text_completion_dataset alone takes it, and sets it by default.",
        )
        .packs(),
        Setting::names(
            "tokenizer.max_seq_len",
            &["limit", "none"],
            "none",
            "Whether the tokenizer truncates to the limit; packing needs that it is set, and refuses longer sequences where it is higher.",
        )
        // The limit that the visitor sets is this setting.
        .required("limit"),
        Setting::whole("batch_size", (1, 1_000_000), "2", "Sequences that are padded to one length where nothing is packed.").trains(),
    ],
    recipe: torchtune,
    language: Language::Yaml,
    lines: "tokenizer:\n  max_seq_len: {tokenizer.max_seq_len}\ndataset:\n  packed: {packed}\n{?split_across_pack=true}  split_across_pack: {split_across_pack}\nbatch_size: {batch_size}\n",
    note: "Rows follow the order of the data set; it is the rows that are shuffled. max_packs stops early, and is not simulated.",
};

fn torchtune(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, batch) = (chosen.limit, chosen.number("batch_size"));
    let truncates = chosen.get("tokenizer.max_seq_len") == "limit";
    let overlong = if truncates {
        Overlong::Truncate
    } else {
        Overlong::Reject
    };
    if !chosen.on("packed") {
        return Ok(Recipe {
            overlong,
            ..collated(false, batch, limit)
        });
    }
    let step = DeviceStep::Rows(batch);
    if chosen.on("split_across_pack") {
        // The tokenizer truncates first; the pieces are of the rest.
        let longest = if truncates { limit } else { u32::MAX };
        return Ok(Recipe {
            longest,
            step,
            ..concatenated(limit, Last::Kept)
        });
    }
    Ok(Recipe {
        overlong,
        step,
        ..Recipe::new(Block::NextFit, limit)
    })
}

pub(super) const LLAMA_FACTORY: Library = Library {
    id: "llama-factory",
    title: "LLaMA-Factory",
    read: release(
        "hiyouga/LLaMA-Factory",
        "src/llamafactory/data/processor/processor_utils.py: greedy_knapsack; supervised.py: PackedSupervisedDatasetProcessor",
        "llamafactory",
        "0.9.5",
    ),
    settings: &[
        Setting::given(
            "stage",
            &["sft", "pt"],
            "sft",
            "Supervised fine-tuning, or pre-training: that concatenates and cuts.",
        ),
        Setting::switch("packing", "false", "Packs several sequences into a row.").start("true"),
        Setting::switch(
            "neat_packing",
            "false",
            "Keeps packed sequences apart in attention; turns packing on.",
        )
        .trains(),
        Setting::whole(
            "preprocessing_batch_size",
            (1, MANY),
            "1000",
            "Sequences that are packed together.",
        )
        .tried(&["10000", "100000"]),
        batch_of_trainer("8"),
    ],
    recipe: llama_factory,
    language: Language::Yaml,
    lines: "stage: {stage}\ncutoff_len: {limit}\npacking: {packing}\nneat_packing: {neat_packing}\npreprocessing_batch_size: {preprocessing_batch_size}\nper_device_train_batch_size: {per_device_train_batch_size}\n",
    note: "With packing, a row has one slot less for sequences, and one that is always padding. Without neat_packing, sequences see those before them in their row. Longer ones are truncated turn by turn. sft pads a batch, packed or not, to a multiple of 8 tokens.",
};

fn llama_factory(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, pretraining) = (chosen.limit, chosen.get("stage") == "pt");
    if pretraining && chosen.on("neat_packing") {
        return Err(Error::Input {
            place: "neat_packing of LLaMA-Factory".to_owned(),
            message: "only stage sft takes it".to_owned(),
        });
    }
    let batch = chosen.number("per_device_train_batch_size");
    if !chosen.on("packing") && !chosen.on("neat_packing") {
        return Ok(padded_to(if pretraining { 1 } else { 8 }, batch, limit));
    }
    let window = Window::Items(u64::from(chosen.number("preprocessing_batch_size")));
    let step = DeviceStep::Rows(batch);
    if pretraining {
        return Ok(Recipe {
            window,
            step,
            ..concatenated(limit - 1, Last::Dropped)
        });
    }
    // A row of cutoff_len has one slot that never holds a token, and the collator pads it to a
    // multiple of 8. With a limit of 1 no slot is left, which `Recipe::run` refuses.
    let spare = 1 + beyond(limit, 8)?;
    Ok(Recipe {
        window,
        step,
        spare,
        ..Recipe::new(Block::FirstFitDecreasing, limit - 1)
    })
}

pub(super) const NEMO: Library = Library {
    id: "nemo",
    title: "NeMo, Megatron Bridge",
    read: release(
        "NVIDIA-NeMo/Megatron-Bridge",
        "megatron/bridge/data/datasets/packing_utils.py: create_hist, create_packing_strategy, first_fit, first_fit_shuffle",
        "megatron-bridge",
        "0.3.1",
    ),
    settings: &[
        Setting::given(
            "packing_algorithm",
            &["first_fit_shuffle", "first_fit_decreasing"],
            "first_fit_shuffle",
            "First fit in random order, or longest first: only for data that are prepared by hand.",
        ),
        Setting::whole(
            "pad_seq_to_mult",
            (1, 65_536),
            "1",
            "Pads each sequence to a multiple of so many tokens.",
        ),
    ],
    recipe: nemo,
    language: Language::Python,
    lines: "from megatron.bridge.data.datasets.packed_sequence import PackedSequenceSpecs\n\ncfg.dataset.seq_length = {limit}\ncfg.dataset.packed_sequence_specs = PackedSequenceSpecs(\n    packed_sequence_size={limit},\n    pad_seq_to_mult={pad_seq_to_mult},\n)\n# packing_algorithm is an argument of prepare_packed_sequence_data only: \"{packing_algorithm}\"\n",
    note: "The lines are for Megatron Bridge up to 0.5; pad_seq_to_mult pads as their newer commit 067f987 does: inputs, where the release pads samples. From 0.6 on the class is in megatron.bridge.data.packing, the field is offline_packing_specs, and enable_offline_packing turns it on. A sequence takes one slot less than it has tokens, as its last token is only a label; tokens are counted so. Sequences above seq_length are truncated when they are tokenized, before that: without pad_seq_to_mult one slot of their row stays empty.",
};

fn nemo(chosen: &LibrarySettings) -> Result<Recipe> {
    let block = match chosen.get("packing_algorithm") {
        "first_fit_decreasing" => Block::FirstFitDecreasing,
        _ => Block::FirstFit,
    };
    let (limit, align) = (chosen.limit, chosen.number("pad_seq_to_mult"));
    // Without a multiple, sequences are cut to seq_length before the last token becomes a label only.
    let longest = if align == 1 {
        limit - 1
    } else {
        limit / align * align
    };
    Ok(Recipe {
        // The last token of each sequence is only a label.
        shift: 1,
        align,
        longest,
        ..Recipe::new(block, limit)
    })
}
