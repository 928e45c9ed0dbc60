"""NVIDIA's: Megatron-Bridge (the packing of NeMo), NeMo Automodel, Megatron-LM."""

import numpy as np

from .common import Run, overlong, pieces_of, tokens_of
from .loading import functions, load, stub
from .registry import cache, library


@cache
def _bridge():
    return load("megatron-bridge", "megatron.bridge.data.datasets.packing_utils")


@library(
    "nemo",
    "megatron-bridge",
    "megatron/bridge/data/datasets/packing_utils.py: create_hist, create_packing_strategy",
    {},
    {"packing_algorithm": "first_fit_decreasing"},
    {"pad_seq_to_mult": 16},
)
def megatron_bridge(lengths, limit, packing_algorithm="first_fit_shuffle", pad_seq_to_mult=1, seed=0):
    """Samples are truncated to the limit when they are tokenized; the packer takes the label of the last token off.
    Padding is written from src/megatron/bridge/data/packing/offline.py of a newer commit (067f987df03b), which pads
    inputs, to the last multiple within the limit at most, and has room for the label; the release pads samples."""
    most = limit // pad_seq_to_mult * pad_seq_to_mult + (pad_seq_to_mult > 1)
    kept = overlong(lengths, most, "truncate")
    module = _bridge()
    pads = {i: -(n - 1) % pad_seq_to_mult for i, n in kept.items()}
    data = [{"input_ids": tokens_of(i, n) + [0] * pads[i]} for i, n in kept.items()]
    named, counts = module.create_hist(data, limit)
    seen = []
    first_fit = module.first_fit
    # Only to learn in which order the shuffle had them.
    module.first_fit = lambda sizes, capacity: seen.extend(sizes) or first_fit(sizes, capacity)
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        rows, _ = module.create_packing_strategy(counts, limit, packing_algorithm)
    finally:
        np.random.set_state(state)
        module.first_fit = first_fit

    def documents():
        free = {size: iter(items) for size, items in named.items()}
        return lambda size: next(free[size])["input_ids"][0] - 1

    document = documents()
    arrival = [document(size) for size in seen]
    document = documents()
    rows = [[(i := document(size), kept[i] - 1) for size in row] for row in rows if sum(row)]
    return Run([n - 1 for n in lengths], rows, arrival, samples=lengths)


@cache
def _automodel():
    packages = [stub("nemo_automodel.shared")]
    name = "nemo_automodel.components.datasets.llm."
    return (
        load("nemo-automodel", f"{name}neat_packing", packages),
        load("nemo-automodel", f"{name}packed_sequence", packages),
    )


def _samples(lengths):
    return [{"input_ids": tokens_of(i, n), "labels": tokens_of(i, n)} for i, n in enumerate(lengths)]


@library(
    "nemo-automodel-neat",
    "nemo-automodel",
    "nemo_automodel/components/datasets/llm/neat_packing.py: neat_pack_dataset",
    {},
)
def nemo_automodel_neat(lengths, limit):
    packed = _automodel()[0].neat_pack_dataset({"train": _samples(lengths)}, "train", limit, drop_long_samples=True)
    return Run(lengths, [pieces_of(row) for row in packed.with_format("numpy")["input_ids"]])


@library(
    "nemo-automodel",
    "nemo-automodel",
    "nemo_automodel/components/datasets/llm/packed_sequence.py: pack_dataset",
    {},
    {"pad_to_multiple_of": 16},
)
def nemo_automodel(lengths, limit, pad_to_multiple_of=1):
    packed = _automodel()[1].pack_dataset(_samples(lengths), "train", limit, pad_to_multiple_of=pad_to_multiple_of)
    return Run(lengths, [pieces_of(row) for row in packed.with_format("numpy")["input_ids"]])


@cache
def _megatron():
    helpers = load("megatron-core", "megatron.core.datasets.helpers")
    indices = functions(
        "megatron-core",
        "megatron/core/datasets/gpt_dataset.py",
        ["_build_document_index"],
        {"numpy": np, "Any": object},
    )
    return helpers, indices["_build_document_index"]


@library("megatron-lm", "megatron-core", "megatron/core/datasets/helpers.cpp: build_sample_idx", {})
def megatron_core(lengths, limit, seed=1234):
    """One epoch. Of each row the tokens it reads but the last, which is a label only and opens the next row."""
    helpers, document_index = _megatron()
    sizes = np.array(lengths, np.int32)
    order = document_index(np.arange(len(sizes), dtype=np.int32), 1, np.random.RandomState(seed), False)
    samples = helpers.build_sample_idx(sizes, order, limit, 1, int(sizes.sum()), True, 1).tolist()
    rows = []
    for (first, start), (last, end) in zip(samples, samples[1:]):
        row = []
        for at in range(first, last + 1):
            begin = start if at == first else 0
            stop = end if at == last else lengths[order[at]]
            if stop > begin:
                row.append((int(order[at]), stop - begin))
        rows.append(row)
    return Run(lengths, rows, [int(i) for i in order])
