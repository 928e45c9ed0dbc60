"""Samplers that make batches: Transformers, lhotse, NeMo, SpeechBrain, ESPnet. A row is a batch."""

import math
import random
import warnings
from types import SimpleNamespace

import numpy as np
import torch

from .common import Run, windows
from .loading import functions, load, stub
from .registry import cache, library
from .twins import twin


@library(
    "hf-flattening",
    "transformers",
    "transformers/data/data_collator.py: DataCollatorWithFlattening",
    {},
    {"per_device_train_batch_size": 5},
)
def transformers_flattening(lengths, limit, per_device_train_batch_size=8):
    from transformers import DataCollatorWithFlattening

    collate = DataCollatorWithFlattening(return_tensors="np", return_flash_attn_kwargs=True)
    documents = [{"input_ids": [i + 1] * min(n, limit)} for i, n in enumerate(lengths)]
    rows = []
    for batch in windows(documents, per_device_train_batch_size):
        flat = collate(batch)
        tokens, starts = flat["input_ids"][0], flat["cu_seq_lens_q"]
        rows += [[(int(tokens[a]) - 1, int(b - a))] for a, b in zip(starts, starts[1:])]
    return Run(lengths, rows)


@library(
    "transformers-batch-rebalance",
    "transformers",
    "transformers/trainer_pt_utils.py: BatchRebalanceSampler",
    {},
    {"gradient_accumulation_steps": 4},
    {"gradient_accumulation_steps": 4, "WORLD_SIZE": 2},
    {"per_device_train_batch_size": 2, "WORLD_SIZE": 4, "gradient_accumulation_steps": 2},
    {"per_device_train_batch_size": 4, "WORLD_SIZE": 16},
    {"per_device_train_batch_size": 16, "WORLD_SIZE": 16, "dataloader_drop_last": True},
)
def transformers_batch_rebalance(
    lengths, limit, per_device_train_batch_size=8, gradient_accumulation_steps=1, WORLD_SIZE=1, dataloader_drop_last=False
):
    """The batches of all ranks. A last step that is too small is filled up with sequences of the beginning there."""
    given = {"torch": torch, "math": math, "Sampler": torch.utils.data.Sampler}
    sampler = functions("transformers", "transformers/trainer_pt_utils.py", ["BatchRebalanceSampler"], given)["BatchRebalanceSampler"]
    sizes = [min(n, limit) for n in lengths]
    size = per_device_train_batch_size * gradient_accumulation_steps * WORLD_SIZE
    rows = []
    for rank in range(WORLD_SIZE):
        made = sampler(
            sizes, size, WORLD_SIZE, gradient_accumulation_steps, shuffle=False, rank=rank, drop_last=dataloader_drop_last
        )
        rows += [[(i, sizes[i]) for i in batch] for batch in made]
    return Run(lengths, rows)


@library(
    "transformers-group-by-length",
    "transformers",
    "transformers/trainer_pt_utils.py: get_length_grouped_indices",
    {},
    {"per_device_train_batch_size": 16},
)
def transformers_group_by_length(lengths, limit, per_device_train_batch_size=8, seed=0):
    grouped = functions(
        "transformers", "transformers/trainer_pt_utils.py", ["get_length_grouped_indices"], {"torch": torch}
    )["get_length_grouped_indices"]
    sizes = [min(n, limit) for n in lengths]
    arrival = torch.randperm(len(sizes), generator=torch.Generator().manual_seed(seed))
    order = grouped(sizes, per_device_train_batch_size, generator=torch.Generator().manual_seed(seed))
    rows = [[(i, sizes[i]) for i in batch] for batch in windows(order, per_device_train_batch_size)]
    return Run(lengths, rows, arrival.tolist())


class _Cut:
    def __init__(self, id, duration):
        self.id, self.duration = id, duration


class _Cuts(list):
    is_lazy = True

    @classmethod
    def from_cuts(cls, cuts):
        return cls(cuts)


@cache
def _lhotse():
    def ifnone(value, other):
        return other if value is None else value

    def is_none_or_gt(value, bound):
        return value is None or value > bound

    def exactly_one_not_null(*values):
        return sum(value is not None for value in values) == 1

    utils = stub(
        "lhotse.utils",
        ifnone=ifnone,
        is_none_or_gt=is_none_or_gt,
        Seconds=float,
        exactly_one_not_null=exactly_one_not_null,
    )
    around = [
        stub("lhotse", CutSet=_Cuts, Seconds=float),
        utils,
        stub("lhotse.cut", Cut=_Cut, CutSet=_Cuts),
        stub("lhotse.cut.text"),
        stub("lhotse.lazy"),
        stub("lhotse.manipulation"),
        stub("lhotse.dataset.dataloading", resolve_seed=lambda seed: seed),
    ]
    return load("lhotse", "lhotse.dataset.sampling.dynamic_bucketing", around)


@library(
    "lhotse",
    "lhotse",
    "lhotse/dataset/sampling/dynamic_bucketing.py: estimate_duration_buckets, DynamicBucketer",
    {},
    {"quadratic_duration": 500.0},
    {"num_buckets": 30},
)
def lhotse(lengths, limit, num_buckets=10, buffer_size=20_000, quadratic_duration=None, batch=8):
    """Eight of the longest in a batch; buckets in the library's own random order, cuts in ours."""
    cuts = [_Cut(i, min(n, limit)) for i, n in enumerate(lengths)]
    ends = _lhotse().estimate_duration_buckets(cuts[:10_000], num_buckets)
    return Run(lengths, _bucketed(cuts, ends, batch * limit, buffer_size, quadratic_duration))


@twin(
    "nemo-speech",
    "NVIDIA/NeMo",
    "8cfedd720346",
    "nemo/collections/common/data/lhotse/dataloader.py: get_lhotse_sampler_from_config, determine_bucket_duration_bins",
    {},
    {"max_duration": 300},
    {"max_duration": 77.5, "num_buckets": 7, "quadratic_duration": 100.0},
)
def nemo_speech(lengths, limit, num_buckets=30, max_duration=float("inf"), quadratic_duration=None, batch=8):
    """The bins of `determine_bucket_duration_bins` and the filter before them; lhotse's own code makes the batches. PyPI has
    `nemo_toolkit`, which imports the speech models."""
    cuts = [_Cut(i, min(n, limit)) for i, n in enumerate(lengths)]
    cuts = [cut for cut in cuts if -1 <= cut.duration <= max_duration]
    if max_duration < float("inf"):
        ends = np.linspace(0.0, max_duration, num_buckets + 1)[1:-1].tolist()
    else:
        ends = _lhotse().estimate_duration_buckets(cuts[:10_000], num_buckets)
    return Run(lengths, _bucketed(cuts, ends, batch * limit, 10_000, quadratic_duration))


def _bucketed(cuts, ends, slots, buffer_size, quadratic_duration):
    bucketer = _lhotse().DynamicBucketer(
        [(cut,) for cut in cuts],
        duration_bins=ends,
        world_size=1,
        max_duration=slots,
        buffer_size=buffer_size,
        quadratic_duration=quadratic_duration,
        rng=random.Random(0),
        bucket_rng=random.Random(0),
    )
    with warnings.catch_warnings():
        # Of cuts that exceed a batch by themselves.
        warnings.simplefilter("ignore", UserWarning)
        return [[(cut.id, cut.duration) for cut in made] for made in bucketer]


@cache
def _speechbrain():
    quiet = SimpleNamespace(info=lambda *_: None, debug=lambda *_: None)
    around = [
        stub("speechbrain.dataio.dataset"),
        stub("speechbrain.utils.logger", get_logger=lambda name: quiet),
        stub("speechbrain.utils"),
    ]
    return load("speechbrain", "speechbrain.dataio.sampler", around)


@library(
    "speechbrain",
    "speechbrain",
    "speechbrain/dataio/sampler.py: DynamicBatchSampler",
    {},
    {"num_buckets": 40},
    {"drop_last": True},
    {"max_batch_ex": 9},
)
def speechbrain(lengths, limit, num_buckets=20, drop_last=False, max_batch_ex=None, seed=42, batch=8):
    kept = [min(n, limit) for n in lengths]
    sampler = _speechbrain().DynamicBatchSampler(
        range(len(kept)),
        batch * limit,
        num_buckets,
        lengths_list=kept,
        drop_last=drop_last,
        seed=seed,
        max_batch_ex=max_batch_ex,
        batch_ordering="ascending",
    )
    arrival = torch.randperm(len(kept), generator=torch.Generator().manual_seed(seed)).tolist()
    return Run(lengths, [[(i, kept[i]) for i in made] for made in list(sampler._batches)], arrival)


@cache
def _espnet():
    around = [
        stub("typeguard", typechecked=lambda function: function),
        stub("espnet2.fileio.read_text", load_num_sequence_text=lambda lengths, loader_type: lengths),
    ]
    return load("espnet", "espnet2.samplers.num_elements_batch_sampler", around)


@library(
    "espnet",
    "espnet",
    "espnet2/samplers/num_elements_batch_sampler.py: NumElementsBatchSampler",
    {},
    {"min_batch_size": 12},
    {"drop_last": True},
)
def espnet(lengths, limit, min_batch_size=1, drop_last=False, batch=8):
    kept = {i: [min(n, limit)] for i, n in enumerate(lengths)}
    sampler = _espnet().NumElementsBatchSampler(
        batch * limit, [kept], min_batch_size=min_batch_size, drop_last=drop_last
    )
    return Run(lengths, [[(i, kept[i][0]) for i in made] for made in sampler])
