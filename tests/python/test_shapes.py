"""Lines for few static shapes: executed, in lhotse with its own sampler, and judged by what comes out."""

import ast
from itertools import pairwise

import numpy as np
import pytest
import torch
import yaml
from conftest import items_of, write_items
from libraries.batches import _Cut, _Cuts, _lhotse
from libraries.loading import modules, stub

SLOTS = 8192


@pytest.fixture(params=["best", "equal-total", "powers-of-two"])
def way(request, packscope):
    """Lengths, the shapes that are said to waste so much, and the way to have them written."""
    lengths = items_of("gsm8k_train", part=4)
    write_items(lengths, packscope.folder)
    settings = ["items.csv", "--shapes", "8", "--tokens", SLOTS, "--method", request.param]
    ways = packscope.json("shapes", *settings)["ways"]
    way = next(way for way in ways if way["method"] == request.param)
    return lengths, way, lambda of: packscope.run("shapes", *settings, "--for", of)


def names_of(text):
    names = {}
    exec(compile(text, "<shapes>", "exec"), names)
    return names


def sizes(way):
    return way["lengths"], [shape["batch"] for shape in way["shapes"]]


def test_batches_have_the_shapes_that_are_compiled(way):
    lengths, way, written = way
    names = names_of(written("xla"))
    assert (names["SHAPES"], names["BATCH"]) == sizes(way)
    items = [np.arange(1, n + 1) for n in lengths]
    made = names["batches"](lengths)
    assert sorted(item for _, batch in made for item in batch) == list(range(len(lengths)))
    seen, slots = set(), 0
    for shape, batch in made:
        rows = names["pad"]([items[item] for item in batch], shape)
        seen.add(rows.shape)
        assert rows.size <= SLOTS and (rows > 0).sum() == lengths[batch].sum()
        slots += len(batch) * rows.shape[1]
    assert seen == set(zip(names["BATCH"], names["SHAPES"]))
    assert 1 - lengths.sum() / slots == pytest.approx(way["padding_share"], abs=1e-12)
    assert names["batches"](lengths, 1) != made


def test_lhotse_takes_the_shapes(way, monkeypatch):
    lengths, way, written = way
    # Debian's PyTorch, 1.13, wants the data here, which those that lhotse is written for do not.
    monkeypatch.setattr(torch.utils.data.Sampler, "__init__", lambda self, data_source=None: None)
    bucketing = _lhotse()
    around = [stub(name) for name in ("lhotse", "lhotse.dataset", "lhotse.dataset.sampling")]
    with modules({bucketing.__name__: bucketing, **{module.__name__: module for module in around}}):
        names = names_of(written("lhotse"))
    assert (names["SHAPES"], names["BATCH"]) == sizes(way)
    cuts = _Cuts(_Cut(item, int(n)) for item, n in enumerate(lengths))
    batches = [list(batch) for batch in names["sampler"](cuts, shuffle=True)]
    assert sorted(cut.id for batch in batches for cut in batch) == list(range(len(lengths)))
    slots = 0
    for batch in batches:
        shape = np.searchsorted(names["SHAPES"], [cut.duration for cut in batch])
        assert len(set(shape)) == 1 and len(batch) <= names["BATCH"][shape[0]]
        slots += len(batch) * names["SHAPES"][shape[0]]
    assert 1 - lengths.sum() / slots == pytest.approx(way["padding_share"], abs=1e-12)


def test_equal_totals_are_the_buckets_of_lhotse(packscope):
    lengths = items_of("gsm8k_train", part=4)
    write_items(lengths, packscope.folder)
    bins = _lhotse().estimate_duration_buckets([_Cut(0, int(n)) for n in lengths], 8)
    text = packscope.run("shapes", "items.csv", "--shapes", "8", "--method", "equal-total", "--for", "list")
    assert text.strip() == ",".join(map(str, [*map(int, bins), lengths.max()]))


def test_settings_are_lists_that_fit_each_other(way):
    _, way, written = way
    nemo = yaml.safe_load(written("nemo"))
    assert (nemo["bucket_duration_bins"], nemo["bucket_batch_size"]) == sizes(way)
    assert nemo["num_buckets"] == len(way["lengths"]) and nemo["use_bucketing"]
    # As vLLM reads its file: a tuple of three a line.
    lines = [line for line in written("vllm-gaudi").splitlines() if not line.startswith("#")]
    buckets = [ast.literal_eval(line) for line in lines]
    assert buckets == [(batch, length, 0) for length, batch in zip(*sizes(way))]
    assert all(a < b for a, b in pairwise(length for _, length, _ in buckets))
