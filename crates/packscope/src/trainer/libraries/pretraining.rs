//! Libraries for pre-training, and for input pipelines.

use super::{Language, Library, MANY, Setting, again, commit, concatenated, newest, release};
use crate::error::{Error, Result};
use crate::histogram::Overlong;
use crate::trainer::library::LibrarySettings;
use crate::trainer::recipe::{Block, DeviceStep, Fit, Last, Recipe, Window};

pub(super) const MEGATRON: Library = Library {
    id: "megatron-lm",
    title: "Megatron-LM",
    read: release(
        "NVIDIA/Megatron-LM",
        "megatron/core/datasets/gpt_dataset.py: GPTDataset; helpers.cpp: build_sample_idx",
        "megatron-core",
        "0.16.1",
    ),
    settings: &[Setting::switch(
        "add_extra_token_to_sequence",
        "true",
        "A row needs the token after it, as the label of its last.",
    )],
    recipe: megatron,
    language: Language::Shell,
    lines: "pretrain_gpt.py --seq-length {limit} --reset-position-ids --reset-attention-mask\n# GPTDatasetConfig(add_extra_token_to_sequence={add_extra_token_to_sequence})\n",
    note: "Documents are shuffled, laid end to end for all epochs, and cut; one epoch is counted here. Without --reset-attention-mask tokens see the documents before theirs in the row.",
};

fn megatron(chosen: &LibrarySettings) -> Result<Recipe> {
    let label = chosen.on("add_extra_token_to_sequence");
    Ok(Recipe::cutting(
        Block::Concatenate {
            last: Last::Dropped,
            label,
            lost: 0,
        },
        chosen.limit,
    ))
}

pub(super) const NANOTRON: Library = Library {
    id: "nanotron",
    title: "nanotron",
    read: release(
        "huggingface/nanotron",
        "src/nanotron/data/processing.py: clm_process",
        "nanotron",
        "0.4",
    ),
    settings: &[Setting::whole(
        "map_batch_size",
        (1, MANY),
        "1000",
        "Documents that are laid end to end: `batch_size` of datasets' map, which clm_process leaves at its default.",
    )],
    recipe: nanotron,
    language: Language::Yaml,
    lines: "tokens:\n  sequence_length: {limit}\n# clm_process lays {map_batch_size} documents end to end; the size is that of datasets' map, and no setting\n",
    note: "Rows overlap by the token that is the last label of the one and the first input of the next; inputs are counted here. Of each window, the rest and the last full row are lost.",
};

fn nanotron(chosen: &LibrarySettings) -> Result<Recipe> {
    let block = Block::Concatenate {
        last: Last::Dropped,
        label: true,
        lost: 1,
    };
    let window = Window::Items(u64::from(chosen.number("map_batch_size")));
    Ok(Recipe {
        window,
        ..Recipe::cutting(block, chosen.limit)
    })
}

pub(super) const NANOCHAT: Library = Library {
    id: "nanochat",
    title: "nanochat",
    read: commit(
        "karpathy/nanochat",
        "nanochat/dataloader.py: tokenizing_distributed_data_loader_with_state_bos_bestfit; scripts/base_train.py",
        "0b949d9",
    ),
    settings: &[
        Setting::whole(
            "device-batch-size",
            (1, 65_536),
            "32",
            "Rows of a batch on a device.",
        )
        .trains(),
        Setting::whole(
            "buffer_size",
            (1, MANY),
            "1000",
            "Documents among which the longest that fits is sought; base_train has no option for it.",
        ),
    ],
    recipe: nanochat,
    language: Language::Shell,
    lines: "python -m scripts.base_train --max-seq-len={limit} --device-batch-size={device-batch-size}\n# buffer_size is an argument of tokenizing_distributed_data_loader_bos_bestfit only: {buffer_size}\n",
    note: "Where no document fits what is left of a row, the shortest is cropped to it, and the rest of it thrown away: a row begins with a document. It has a token more than max-seq-len, the last label, which is counted here. Documents are read by 128 without an end, so that one pass goes over into the next: of fewer than 50,000 documents as many passes are packed, and the figures are those of one.",
};

fn nanochat(chosen: &LibrarySettings) -> Result<Recipe> {
    let block = Block::Crop {
        size: chosen.number("buffer_size"),
        // The loader tokenizes documents by 128, and puts whole lists into the buffer.
        chunk: 128,
    };
    // Rows have the last label, and are split into inputs and labels afterwards.
    let recipe = Recipe::cutting(block, chosen.with_label()?);
    Ok(Recipe {
        step: DeviceStep::Rows(chosen.number("device-batch-size")),
        ..recipe
    })
}

/// nanochat's fine-tuning on conversations, which packs otherwise than its pre-training.
pub(super) const NANOCHAT_SFT: Library = Library {
    id: "nanochat-sft",
    title: "nanochat, chat_sft",
    read: newest(commit(
        "karpathy/nanochat",
        "scripts/chat_sft.py: sft_data_generator_bos_bestfit; nanochat/tokenizer.py: render_conversation",
        "92d63d4",
    )),
    settings: &[
        Setting::whole(
            "device-batch-size",
            (1, 65_536),
            "32",
            "Rows of a batch on a device: those of the pre-training where it is not set.",
        )
        .trains(),
        Setting::whole(
            "buffer_size",
            (1, MANY),
            "100",
            "Conversations among which the longest that fits is sought; chat_sft has no option for it.",
        ),
    ],
    recipe: nanochat_sft,
    language: Language::Shell,
    lines: "python -m scripts.chat_sft --max-seq-len={limit} --device-batch-size={device-batch-size}\n# buffer_size is an argument of sft_data_generator_bos_bestfit only: {buffer_size}\n",
    note: "Where none of the buffer fits what is left of a row, the rest is padded. A row has a token more than max-seq-len, the last label, which is counted here. Conversations are cut to 2,048 tokens when they are rendered, whatever max-seq-len is. One that is longer than a row all the same stays in the buffer, and is never trained: a hundred of them fill it, and the training goes on for ever with rows of padding. The loader goes over into the next pass where here the buffer is emptied.",
};

/// Tokens to which `render_conversation` cuts conversations.
const RENDERED: u32 = 2048;

fn nanochat_sft(chosen: &LibrarySettings) -> Result<Recipe> {
    let block = Block::FromBuffer {
        size: chosen.number("buffer_size"),
    };
    Ok(Recipe {
        longest: RENDERED,
        step: DeviceStep::Rows(chosen.number("device-batch-size")),
        // Rows have the last label, and are split into inputs and labels afterwards.
        ..Recipe::new(block, chosen.with_label()?)
    })
}

/// OLMo-core with packed rows.
pub(super) const OLMO_PACKED: Library = Library {
    id: "olmo-packed",
    title: "OLMo-core, packed",
    read: release(
        "allenai/OLMo-core",
        "src/olmo_core/data/utils.py: InstancePacker; numpy_dataset.py: NumpyPackedFSLDataset",
        "ai2-olmo-core",
        "3.0.0",
    ),
    settings: &[Setting::names(
        "long_doc_strategy",
        &["truncate", "fragment"],
        "truncate",
        "What is done with documents above sequence_length.",
    )],
    recipe: olmo_packed,
    language: Language::Python,
    lines: "from olmo_core.data import LongDocStrategy, NumpyPackedFSLDatasetConfig, TokenizerConfig\n\ndataset = NumpyPackedFSLDatasetConfig(\n    tokenizer=TokenizerConfig.dolma2(),\n    sequence_length={limit},\n    long_doc_strategy=LongDocStrategy.{long_doc_strategy},\n)\n",
    note: "Each source file is packed by itself unless source_group_size says otherwise; one file is assumed here. Where the limit is no power of two, the library refuses it.",
};

fn olmo_packed(chosen: &LibrarySettings) -> Result<Recipe> {
    if !chosen.limit.is_power_of_two() {
        return Err(Error::Input {
            place: "sequence_length of OLMo-core".to_owned(),
            message: format!("{}: expected a power of two", chosen.limit),
        });
    }
    let split = chosen.get("long_doc_strategy") == "fragment";
    let overlong = if split {
        Overlong::Split
    } else {
        Overlong::Truncate
    };
    Ok(Recipe {
        overlong,
        ..Recipe::new(Block::BestFitDecreasing { carried: false }, chosen.limit)
    })
}

/// OLMo-core with sequences of variable length.
pub(super) const OLMO_VSL: Library = Library {
    id: "olmo-vsl",
    title: "OLMo-core, variable lengths",
    read: release(
        "allenai/OLMo-core",
        "src/olmo_core/data/utils.py: bucket_documents; numpy_dataset.py: NumpyVSLDataset",
        "ai2-olmo-core",
        "3.0.0",
    ),
    settings: &[Setting::whole(
        "min_sequence_length",
        (1, 1 << 31),
        "256",
        "The shortest piece that is kept, a power of two; a piece of 1 has no label.",
    )
    .tried(&["16", "64"])],
    recipe: olmo_vsl,
    language: Language::Python,
    lines: "from olmo_core.data import NumpyVSLDatasetConfig, TokenizerConfig\n\ndataset = NumpyVSLDatasetConfig(\n    tokenizer=TokenizerConfig.dolma2(),\n    max_sequence_length={limit},\n    min_sequence_length={min_sequence_length},\n)\n",
    note: "Every document is cut into pieces of powers of two. Batches have a fixed number of tokens; a row is counted for every max_sequence_length of them. Where the limit is no power of two, the library refuses it.",
};

fn olmo_vsl(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, least) = (chosen.limit, chosen.number("min_sequence_length"));
    let fine = limit.is_power_of_two() && least.is_power_of_two() && least < limit;
    if !fine {
        return Err(Error::Input {
            place: "max_sequence_length, min_sequence_length".to_owned(),
            message: format!(
                "{limit} and {least}: expected two powers of two, the first one larger"
            ),
        });
    }
    Ok(Recipe::cutting(Block::Pieces { least }, limit))
}

pub(super) const GRAIN: Library = Library {
    id: "grain",
    title: "grain",
    read: release(
        "google/grain",
        "grain/_src/python/dataset/transformations/packing.py, packing_packed_batch.py, packing_concat_then_split.py",
        "grain",
        "0.2.18",
    ),
    settings: &[
        Setting::names(
            "transformation",
            &[
                "FirstFitPackIterDataset",
                "BestFitPackIterDataset",
                "ConcatThenSplitIterDataset",
            ],
            "FirstFitPackIterDataset",
            "First fit or best fit into open rows, or concatenate and cut.",
        ),
        Setting::whole(
            "num_packing_bins",
            (1, 65_536),
            "64",
            "Rows that are open at a time; there is no default.",
        )
        .tried(&["8", "256", "1024"]),
        Setting::whole_or(
            "max_sequences_per_bin",
            (1, 1_000_000),
            &["none"],
            "none",
            "The most sequences in a row.",
        )
        .tried(&["none"]),
    ],
    recipe: grain,
    language: Language::Python,
    lines: "import grain\n\ndataset = grain.experimental.{transformation}(\n    dataset,\n    length_struct={\"inputs\": {limit}},\n    num_packing_bins={num_packing_bins},\n    max_sequences_per_bin={max_sequences_per_bin},\n)\n",
    note: "The first sequence that fits into no row closes all of them. Sequences must be truncated before; they are here.",
};

fn open_rows(limit: u32, rows: u32, fit: Fit, cap: Option<u32>) -> Recipe {
    Recipe {
        cap: cap.unwrap_or(u32::MAX),
        ..Recipe::new(Block::OpenRows { rows, fit }, limit)
    }
}

fn grain(chosen: &LibrarySettings) -> Result<Recipe> {
    let (limit, rows) = (chosen.limit, chosen.number("num_packing_bins"));
    let cap = chosen.whole("max_sequences_per_bin");
    Ok(match chosen.get("transformation") {
        "BestFitPackIterDataset" => open_rows(limit, rows, Fit::Best, cap),
        "ConcatThenSplitIterDataset" => concatenated(limit, Last::Kept),
        _ => open_rows(limit, rows, Fit::First, cap),
    })
}

pub(super) const MAXTEXT: Library = Library {
    id: "maxtext",
    title: "MaxText",
    read: commit(
        "AI-Hypercomputer/maxtext",
        "src/maxtext/input_pipeline/data_processing_utils.py: format_and_batch; configs/base.yml",
        "e591f30",
    ),
    settings: &[
        Setting::names(
            "dataset_type",
            &["tfds", "grain"],
            "tfds",
            "The input pipeline: tfds has one open row, grain packs by grain_packing_type.",
        )
        .needs(&[("grain", "files that grain reads (grain_train_files)")]),
        Setting::switch("packing", "true", "Packs several sequences into a row."),
        Setting::names(
            "grain_packing_type",
            &["first_fit", "best_fit", "concat_then_split"],
            "first_fit",
            "First fit or best fit into the rows of a batch, or concatenate and cut.",
        ),
        Setting::whole(
            "per_device_batch_size",
            (1, 65_536),
            "12",
            "Rows of a batch on a device: with grain, as many are open.",
        )
        .trains(),
        Setting::whole(
            "devices_per_host",
            (1, 65_536),
            "4",
            "Devices that a host feeds; with grain, all their rows are open.",
        ),
        Setting::whole_or(
            "max_segments_per_seq",
            (1, 1_000_000),
            &["-1"],
            "-1",
            "The most sequences in a row, for first_fit.",
        )
        .tried(&["-1"]),
    ],
    recipe: maxtext,
    language: Language::Yaml,
    lines: "dataset_type: {dataset_type}\n{?dataset_type=grain}grain_train_files: path/to/*.tfrecord*\n{?dataset_type=grain}grain_file_type: tfrecord # as TFDS writes files; or arrayrecord, parquet\nmax_target_length: {limit}\npacking: {packing}\ngrain_packing_type: {grain_packing_type}\nper_device_batch_size: {per_device_batch_size}\nmax_segments_per_seq: {max_segments_per_seq}\n# devices on a host: {devices_per_host}\n",
    note: "tfds packs anew every max_target_length sequences; a sequence takes one slot less than it has tokens there, as its last is only a label. With grain the rows of a host's batch are open at a time, and the first sequence that fits into none closes all of them. Longer sequences are truncated. The library calls tfds deprecated, and names grain in its place, with the TFRecord files that TFDS writes; grain_train_files must name them. dataset_type hf is not simulated.",
};

fn maxtext(chosen: &LibrarySettings) -> Result<Recipe> {
    let rows = chosen
        .number("per_device_batch_size")
        .saturating_mul(chosen.number("devices_per_host"));
    let tfds = chosen.get("dataset_type") == "tfds";
    let recipe = match chosen.get("grain_packing_type") {
        _ if tfds => {
            let packed = of_tensorflow(chosen.limit, chosen.on("packing"));
            Recipe {
                shift: 1,
                // Batches are made with `drop_remainder=True`.
                whole_steps: true,
                ..packed
            }
        }
        _ if !chosen.on("packing") => of_tensorflow(chosen.limit, false),
        // max_segments_per_seq is passed on for first_fit only.
        "best_fit" => open_rows(chosen.limit, rows, Fit::Best, None),
        "concat_then_split" => concatenated(chosen.limit, Last::Kept),
        _ => open_rows(
            chosen.limit,
            rows,
            Fit::First,
            chosen.whole("max_segments_per_seq"),
        ),
    };
    Ok(Recipe {
        step: DeviceStep::Rows(rows),
        ..recipe
    })
}

/// The release of torchtitan, in which data sets pack by themselves.
pub(super) const TORCHTITAN: Library = Library {
    id: "torchtitan",
    title: "torchtitan",
    read: again(release(
        "pytorch/torchtitan",
        "torchtitan/hf_datasets/text_datasets.py: ChatDataset, HuggingFaceTextDataset",
        "torchtitan",
        "0.3.0",
    )),
    settings: &[
        Setting::given(
            "dataloader",
            &["ChatDataLoader", "HuggingFaceTextDataLoader"],
            "ChatDataLoader",
            "Chats of one turn, by next fit that drops longer ones; or texts for pre-training, concatenated and cut.",
        ),
        Setting::whole(
            "local_batch_size",
            (1, 65_536),
            "8",
            "Rows that a device takes in a step.",
        )
        .trains(),
    ],
    recipe: torchtitan,
    language: Language::Python,
    lines: "from torchtitan.config import TrainingConfig\nfrom torchtitan.hf_datasets.text_datasets import {dataloader}\n\ntraining = TrainingConfig(seq_len={limit}, local_batch_size={local_batch_size})\n{?dataloader=ChatDataLoader}# sample_processor: of a sample, the messages of its user and its assistant\n{?dataloader=ChatDataLoader}dataloader = ChatDataLoader.Config(dataset_path=dataset_path, sample_processor=sample_processor)\n{?dataloader=HuggingFaceTextDataLoader}dataloader = HuggingFaceTextDataLoader.Config(dataset=\"c4\")\n",
    note: "A sequence takes one slot less than it has tokens, as its last is only a label. HuggingFaceTextDataLoader leaves out a last row that is not full. The main branch packs otherwise: \"torchtitan, main branch\".",
};

fn torchtitan(chosen: &LibrarySettings) -> Result<Recipe> {
    let recipe = match chosen.get("dataloader") {
        "HuggingFaceTextDataLoader" => concatenated(chosen.limit, Last::Dropped),
        _ => Recipe {
            overlong: Overlong::Drop,
            ..Recipe::new(Block::NextFit, chosen.limit)
        },
    };
    Ok(Recipe {
        shift: 1,
        step: DeviceStep::Rows(chosen.number("local_batch_size")),
        ..recipe
    })
}

/// The main branch of torchtitan, which packs by grain.
pub(super) const TORCHTITAN_MAIN: Library = Library {
    id: "torchtitan-main",
    title: "torchtitan, main branch",
    read: commit(
        "pytorch/torchtitan",
        "torchtitan/components/data/packing.py: FirstFitPackingConfig, ConcatThenSplitPackingConfig",
        "b5bcd76",
    ),
    settings: &[
        Setting::names(
            "packing",
            &["FirstFitPackingConfig", "ConcatThenSplitPackingConfig"],
            "FirstFitPackingConfig",
            "First fit into open rows, which drops longer documents, or concatenate and cut, for pre-training.",
        ),
        Setting::whole(
            "num_packing_bins",
            (1, 65_536),
            "8",
            "Rows that are open at a time.",
        )
        .tried(&["64", "256", "1024"]),
        Setting::whole(
            "local_batch_size",
            (1, 65_536),
            "1",
            "One row has so many times seq_len slots.",
        )
        .trains(),
    ],
    recipe: torchtitan_main,
    language: Language::Python,
    lines: "from torchtitan.components.data.packing import {packing}\n\n# training.seq_len={limit}, training.local_batch_size={local_batch_size}\npacking = {packing}(\n    dataset=dataset,\n    num_packing_bins={num_packing_bins},\n)\n",
    note: "Of August 2026, and in no release: `pip install torchtitan` gives 0.3.0, which has neither. A row is all that a device takes in a step. A sequence takes one slot less than it has tokens, as its last is only a label. ConcatThenSplitPackingConfig leaves out a last row that is not full.",
};

fn torchtitan_main(chosen: &LibrarySettings) -> Result<Recipe> {
    let (capacity, step) = (
        // All rows of a device are one row of so many times the slots, but no document may be
        // longer than seq_len.
        chosen.slots(chosen.number("local_batch_size"))?,
        DeviceStep::Rows(1),
    );
    if chosen.get("packing") == "ConcatThenSplitPackingConfig" {
        return Ok(Recipe {
            shift: 1,
            step,
            ..concatenated(capacity, Last::Dropped)
        });
    }
    let recipe = open_rows(
        capacity,
        chosen.number("num_packing_bins"),
        Fit::First,
        None,
    );
    Ok(Recipe {
        shift: 1,
        longest: chosen.limit,
        overlong: Overlong::Drop,
        step,
        ..recipe
    })
}

/// seqio, with which T5 was trained.
pub(super) const SEQIO: Library = Library {
    id: "seqio",
    title: "seqio (T5)",
    read: commit(
        "google/seqio",
        "seqio/utils.py: trim_and_pack_dataset, _pack_with_tf_ops",
        "b898b9f",
    ),
    settings: &[Setting::switch(
        "pack",
        "true",
        "Packs several sequences into a row.",
    )],
    recipe: seqio,
    language: Language::Python,
    lines: "feature_converter = seqio.DecoderFeatureConverter(pack={pack})\n# task_feature_lengths={\"targets\": {limit}}\n",
    note: "Packing starts anew every max(feature_lengths) sequences. Sequences are trimmed. use_custom_ops, which needs a binary of one's own, is not simulated.",
};

fn seqio(chosen: &LibrarySettings) -> Result<Recipe> {
    Ok(of_tensorflow(chosen.limit, chosen.on("pack")))
}

/// Returns the recipe of mesh-tensorflow, from which seqio and MaxText have it.
fn of_tensorflow(limit: u32, packs: bool) -> Recipe {
    if !packs {
        return Recipe::new(Block::Padded, limit);
    }
    Recipe {
        // Padded batches of `max(feature_lengths)` sequences are packed one by one: the last row of
        // each is written, full or not.
        window: Window::Items(u64::from(limit)),
        ..Recipe::new(Block::NextFit, limit)
    }
}

pub(super) const MODERNBERT: Library = Library {
    id: "modernbert",
    title: "ModernBERT",
    read: commit(
        "AnswerDotAI/ModernBERT",
        "src/sequence_packer.py: GreedyBestFitSequencePacker; src/text_data.py",
        "8c57a0f",
    ),
    settings: &[
        Setting::switch(
            "sequence_packing",
            "false",
            "Packs several sequences into a row.",
        )
        .start("true"),
        Setting::whole(
            "device_train_batch_size",
            (1, 65_536),
            "512",
            "Sequences of max_seq_len that a device takes in a step; also read at a time.",
        )
        .trains(),
        Setting::whole(
            "device_train_microbatch_size",
            (1, 65_536),
            "32",
            "One row has so many times max_seq_len slots.",
        )
        .trains(),
        Setting::whole_or(
            "packing_buffer_size",
            (1, 10_000_000),
            &["5x"],
            "5x",
            "The most sequences that wait; 5x: five times the batch.",
        )
        .tried(&["2560", "10240"]),
    ],
    recipe: modernbert,
    language: Language::Yaml,
    lines: "max_seq_len: {limit}\ndevice_train_microbatch_size: {device_train_microbatch_size}\ntrain_loader:\n  sequence_packing: {sequence_packing}\n  packing_buffer_size: {packing_buffer_size}\n# sequences a device takes in a step: {device_train_batch_size}\n",
    note: "The class has a buffer of 5,120 by default; the loader sets five times the batch of a device. Rows of the last batch are lost.",
};

fn modernbert(chosen: &LibrarySettings) -> Result<Recipe> {
    let (batch, micro) = (
        chosen.number("device_train_batch_size"),
        chosen.number("device_train_microbatch_size"),
    );
    if !chosen.on("sequence_packing") {
        return Ok(Recipe {
            step: DeviceStep::Rows(batch),
            ..Recipe::new(
                Block::Alone {
                    batch: micro,
                    multiple: 1,
                },
                chosen.limit,
            )
        });
    }
    let size = chosen
        .whole("packing_buffer_size")
        .unwrap_or(batch.saturating_mul(5));
    // Micro-batches of the batch: each is one row.
    let rows = (batch / micro).max(1);
    if size < rows {
        return Err(Error::Input {
            place: "packing_buffer_size of ModernBERT".to_owned(),
            message: format!(
                "{size} are fewer than the {rows} rows of a batch; expected at least as many"
            ),
        });
    }
    let block = Block::Buffer {
        rows,
        size,
        chunk: batch,
    };
    Ok(Recipe {
        longest: chosen.limit,
        step: DeviceStep::Rows(rows),
        ..Recipe::new(block, chosen.slots(micro)?)
    })
}
