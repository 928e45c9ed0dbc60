//! Samplers as data.

use super::{SamplerBlock, SamplerLibraries, SamplerRecipe};
use crate::accepts::number;
use crate::error::Result;
use crate::trainer::libraries::{commit, newest, release};
use crate::trainer::library::{Language, Library, LibrarySettings};
use crate::trainer::setting::Setting;

/// Every sampler.
pub const SAMPLERS: &[&Library<SamplerLibraries>] = &[
    &HUGGING_FACE,
    &REBALANCED,
    &FAIRSEQ,
    &LHOTSE,
    &NEMO_SPEECH,
    &ESPNET,
    &SPEECHBRAIN,
];

/// Numbers of slots.
const SOME: (u64, u64) = (1, 1_000_000_000_000);
/// Numbers of sequences, or buckets.
const FEW: (u64, u64) = (1, 1_000_000);

/// Returns the setting for the size of a batch: the slots given to all samplers, or a number.
const fn size(name: &'static str, about: &'static str) -> Setting {
    Setting::whole_or(name, SOME, &["slots"], "slots", about)
}

const HUGGING_FACE: Library<SamplerLibraries> = Library {
    id: "hf-group-by-length",
    title: "Hugging Face, LengthGroupedSampler",
    read: release(
        "huggingface/transformers",
        "src/transformers/trainer_pt_utils.py: LengthGroupedSampler, get_length_grouped_indices",
        "transformers",
        "5.23.0",
    ),
    settings: &[
        Setting::whole_or(
            "per_device_train_batch_size",
            FEW,
            &["batch"],
            "8",
            "Sequences in a batch.",
        )
        .required("batch"),
        Setting::whole(
            "gradient_accumulation_steps",
            (1, 65_536),
            "1",
            "Batches of a step: groups are as many times larger.",
        ),
    ],
    recipe: |chosen| {
        let batch = own_batch(chosen);
        recipe(
            chosen,
            SamplerBlock::Grouped {
                batch,
                accumulated: chosen.number("gradient_accumulation_steps"),
            },
        )
    },
    language: Language::Python,
    lines: "from transformers import TrainingArguments\n\nargs = TrainingArguments(\n    train_sampling_strategy=\"group_by_length\",\n    per_device_train_batch_size={per_device_train_batch_size},\n    gradient_accumulation_steps={gradient_accumulation_steps},\n)\n",
    note: "Groups of at most 50 batches are sorted, the longest first; the longest sequence of all is moved to the first place. Sentence Transformers' GroupByLabel and NoDuplicates samplers do not look at lengths.",
};

const REBALANCED: Library<SamplerLibraries> = Library {
    id: "hf-batch-rebalance",
    title: "Hugging Face, BatchRebalanceSampler",
    read: newest(release(
        "huggingface/transformers",
        "src/transformers/trainer_pt_utils.py: BatchRebalanceSampler",
        "transformers",
        "5.23.0",
    )),
    settings: &[
        Setting::whole_or(
            "per_device_train_batch_size",
            FEW,
            &["batch"],
            "8",
            "Sequences in a batch, on average.",
        )
        .required("batch"),
        Setting::whole(
            "gradient_accumulation_steps",
            (1, 65_536),
            "1",
            "Batches of a rank in a step.",
        ),
        Setting::whole(
            "WORLD_SIZE",
            (1, 65_536),
            "1",
            "Ranks: a step is divided among them and their accumulated batches.",
        )
        .unadvised(),
        Setting::switch(
            "dataloader_drop_last",
            "false",
            "Whether a last step that is not full is left out.",
        ),
    ],
    recipe: |chosen| {
        let batch = own_batch(chosen);
        recipe(
            chosen,
            SamplerBlock::Rebalanced {
                batch,
                accumulated: chosen.number("gradient_accumulation_steps"),
                ranks: chosen.number("WORLD_SIZE"),
                drop_last: chosen.on("dataloader_drop_last"),
            },
        )
    },
    language: Language::Python,
    lines: "from transformers import TrainingArguments\n\nargs = TrainingArguments(\n    train_sampling_strategy=\"batch_rebalance\",\n    per_device_train_batch_size={per_device_train_batch_size},\n    gradient_accumulation_steps={gradient_accumulation_steps},\n    dataloader_drop_last={dataloader_drop_last},\n)\n# ranks: {WORLD_SIZE}\n",
    note: "Steps have the sequences that they have without it, so that the shuffle stays; batches have more of the short ones and fewer of the long. On one rank without accumulation a step is one batch, and nothing changes. A last step with fewer sequences than ranks × accumulated batches is filled up with sequences of the beginning, which are not counted here.",
};

const FAIRSEQ: Library<SamplerLibraries> = Library {
    id: "fairseq",
    title: "fairseq, max_tokens",
    read: commit(
        "facebookresearch/fairseq",
        "fairseq/data/data_utils_fast.pyx: batch_by_size_vec; fairseq/data/data_utils.py: batch_by_size",
        "3d262bb",
    ),
    settings: &[
        size(
            "max_tokens",
            "The most slots of a batch. It has no default.",
        ),
        Setting::whole(
            "required_batch_size_multiple",
            (1, 65_536),
            "8",
            "Batches of so many sequences or more have a multiple of it.",
        )
        .tried(&["1"]),
    ],
    recipe: |chosen| {
        let multiple = chosen.number("required_batch_size_multiple");
        recipe(
            chosen,
            SamplerBlock::BySize {
                tokens: slots(chosen, "max_tokens"),
                multiple,
            },
        )
    },
    language: Language::Shell,
    lines: "fairseq-train data-bin --max-tokens {max_tokens} --required-batch-size-multiple {required_batch_size_multiple}\n",
    note: "Sequences in order of length, batches shuffled. The last batch is left out if its sequences are no multiple. batch_size, which caps the sequences, is not simulated.",
};

const LHOTSE: Library<SamplerLibraries> = Library {
    id: "lhotse",
    title: "lhotse, DynamicBucketingSampler",
    read: release(
        "lhotse-speech/lhotse",
        "lhotse/dataset/sampling/dynamic_bucketing.py: DynamicBucketingSampler, estimate_duration_buckets",
        "lhotse",
        "1.33.0",
    ),
    settings: &[
        size(
            "max_duration",
            "The most slots of a batch, in tokens instead of seconds. It has no default.",
        ),
        Setting::whole("num_buckets", (2, 10_000), "10", "Buckets.")
            .tried(&["20", "30", "50", "100"]),
        Setting::whole(
            "buffer_size",
            (1, 1_000_000_000),
            "20000",
            "Sequences from which batches are taken.",
        )
        .tried(&["100000"]),
        Setting::whole(
            "num_cuts_for_bins_estimate",
            (1, 100_000_000),
            "10000",
            "The first sequences, from which buckets are estimated.",
        ),
        QUADRATIC,
        DROP_LAST,
    ],
    recipe: |chosen| bucketing(chosen, "max_duration", "buffer_size", None),
    language: Language::Python,
    lines: "from lhotse.dataset import DynamicBucketingSampler\n\nsampler = DynamicBucketingSampler(\n    cuts,\n    max_duration={max_duration},\n    num_buckets={num_buckets},\n    buffer_size={buffer_size},\n    num_cuts_for_bins_estimate={num_cuts_for_bins_estimate},\n    quadratic_duration={quadratic_duration},\n    drop_last={drop_last},\n)\n",
    note: "Durations are tokens here. A batch is closed before it would exceed max_duration with one more as long as its longest; the last one can be longer, so that batches can exceed it. shuffle, which mixes a bucket, is off by default and not simulated; max_cuts neither.",
};

const NEMO_SPEECH: Library<SamplerLibraries> = Library {
    id: "nemo-speech",
    title: "NeMo speech, use_bucketing",
    read: commit(
        "NVIDIA/NeMo",
        "nemo/collections/common/data/lhotse/dataloader.py: get_lhotse_sampler_from_config, determine_bucket_duration_bins",
        "8cfedd7",
    ),
    settings: &[
        size(
            "batch_duration",
            "The most slots of a batch, in tokens instead of seconds. It has no default.",
        ),
        Setting::number(
            "max_duration",
            (1.0, 1e12),
            &["inf"],
            "inf",
            "Longer sequences are left out, and buckets are evenly spaced up to it.",
        ),
        Setting::whole("num_buckets", (2, 10_000), "30", "Buckets.")
            .tried(&["10", "20", "50", "100"]),
        Setting::whole(
            "bucket_buffer_size",
            (1, 1_000_000_000),
            "10000",
            "Sequences from which batches are taken.",
        )
        .tried(&["100000"]),
        Setting::whole(
            "num_cuts_for_bins_estimate",
            (1, 100_000_000),
            "10000",
            "The first sequences, from which buckets are estimated where max_duration is inf.",
        ),
        QUADRATIC,
        DROP_LAST,
    ],
    recipe: |chosen| {
        let longest = number(chosen.get("max_duration"));
        // Infinite, the default: buckets are estimated from the data, as lhotse's.
        let longest = longest.filter(|longest: &f64| longest.is_finite());
        bucketing(chosen, "batch_duration", "bucket_buffer_size", longest)
    },
    language: Language::Yaml,
    lines: "model:\n  train_ds:\n    use_lhotse: true\n    use_bucketing: true\n    truncate_duration: {limit}\n    batch_duration: {batch_duration}\n    max_duration: {max_duration}\n    num_buckets: {num_buckets}\n    bucket_buffer_size: {bucket_buffer_size}\n    num_cuts_for_bins_estimate: {num_cuts_for_bins_estimate}\n    quadratic_duration: {quadratic_duration}\n    drop_last: {drop_last}\n",
    note: "lhotse's sampler with other defaults. Durations are tokens here, and truncate_duration, which is not set by default, is the limit. With max_duration buckets are evenly spaced, whatever the lengths are, until bucket_duration_bins come from estimate_duration_bins.py. bucket_batch_size and 2D buckets, whose sizes are measured on the accelerator, min_duration, concurrent_bucketing, which fills the buffer beside training, and several ranks are not simulated.",
};

const ESPNET: Library<SamplerLibraries> = Library {
    id: "espnet",
    title: "ESPnet, numel",
    read: release(
        "espnet/espnet",
        "espnet2/samplers/num_elements_batch_sampler.py: NumElementsBatchSampler",
        "espnet",
        "202511",
    ),
    settings: &[
        size(
            "batch_bins",
            "The slots above which a batch is closed; ESPnet's default is 1,000,000.",
        ),
        Setting::whole(
            "min_batch_size",
            FEW,
            "1",
            "The fewest sequences in a batch.",
        ),
        DROP_LAST,
    ],
    recipe: |chosen| {
        let bins = slots(chosen, "batch_bins");
        let least = chosen.number("min_batch_size");
        recipe(
            chosen,
            SamplerBlock::Elements {
                bins,
                least,
                drop_last: chosen.on("drop_last"),
            },
        )
    },
    language: Language::Yaml,
    lines: "batch_type: numel\nbatch_bins: {batch_bins}\nmin_batch_size: {min_batch_size}\ndrop_last_iter: {drop_last}\n",
    note: "Sequences in order of length. A batch is closed after it exceeds batch_bins, and keeps the sequence that made it exceed: nearly all batches are larger than batch_bins. Sizes are of one input with a feature each; ESPnet adds up inputs and targets.",
};

const SPEECHBRAIN: Library<SamplerLibraries> = Library {
    id: "speechbrain",
    title: "SpeechBrain, DynamicBatchSampler",
    read: release(
        "speechbrain/speechbrain",
        "speechbrain/dataio/sampler.py: DynamicBatchSampler",
        "speechbrain",
        "1.1.2",
    ),
    settings: &[
        size(
            "max_batch_length",
            "The most slots of a batch. It has no default.",
        ),
        Setting::whole(
            "num_buckets",
            (1, 1000),
            "20",
            "Buckets. It has no default; recipes have 20 to 200.",
        )
        .tried(&["5", "10", "50", "100", "200"]),
        Setting::whole_or(
            "max_batch_ex",
            FEW,
            &["none"],
            "none",
            "The most sequences in a batch.",
        ),
        DROP_LAST,
    ],
    recipe: |chosen| {
        let block = SamplerBlock::Warped {
            slots: slots(chosen, "max_batch_length"),
            buckets: chosen.number("num_buckets"),
            most: chosen.whole("max_batch_ex"),
            drop_last: chosen.on("drop_last"),
        };
        recipe(chosen, block)
    },
    language: Language::Python,
    lines: "from speechbrain.dataio.sampler import DynamicBatchSampler\n\nsampler = DynamicBatchSampler(\n    dataset,\n    max_batch_length={max_batch_length},\n    num_buckets={num_buckets},\n    max_batch_ex={max_batch_ex},\n    drop_last={drop_last},\n)\n",
    note: "Buckets are quantiles of a log-normal distribution that ends at max_batch_length, whatever the lengths of the data are: with large batches most sequences fall into few of them.",
};

const QUADRATIC: Setting = Setting::number(
    "quadratic_duration",
    (1e-3, 1e12),
    &["none"],
    "none",
    "A sequence of this length counts twice, as attention is quadratic.",
);

const DROP_LAST: Setting = Setting::switch(
    "drop_last",
    "false",
    "Leaves batches out that are not full at the end.",
);

/// Returns the sequences of a batch of Transformers: its own setting, or the batch of the request.
fn own_batch(chosen: &LibrarySettings<SamplerLibraries>) -> u32 {
    chosen
        .whole("per_device_train_batch_size")
        .unwrap_or(chosen.limit.batch)
}

fn recipe(
    chosen: &LibrarySettings<SamplerLibraries>,
    block: SamplerBlock,
) -> Result<SamplerRecipe> {
    Ok(SamplerRecipe {
        block,
        limit: chosen.limit.limit,
    })
}

/// Returns the recipe of lhotse's sampler: size and buffer are settings with these names.
fn bucketing(
    chosen: &LibrarySettings<SamplerLibraries>,
    size: &str,
    buffer: &str,
    evenly_to: Option<f64>,
) -> Result<SamplerRecipe> {
    let block = SamplerBlock::Buckets {
        slots: slots(chosen, size),
        buckets: chosen.number("num_buckets"),
        buffer: u64::from(chosen.number(buffer)),
        sample: u64::from(chosen.number("num_cuts_for_bins_estimate")),
        evenly_to,
        // `none` is no number.
        quadratic: number(chosen.get("quadratic_duration")),
        drop_last: chosen.on("drop_last"),
    };
    recipe(chosen, block)
}

/// Returns the size that a setting gives.
fn slots(chosen: &LibrarySettings<SamplerLibraries>, name: &str) -> u64 {
    // `slots` is no number: the size that all samplers are given, so that they are compared at one.
    chosen.get(name).parse().unwrap_or(chosen.limit.slots())
}
