"""Samplers make the batches that Packscope says, within the caps, with each sequence once."""

from pathlib import Path

import numpy as np
import pytest
from conftest import items_of, write_items

SNIPPETS = Path(__file__).parents[2] / "crates/packscope/src/export/snippet"


def test_bucket_sampler(packscope):
    lengths = items_of("glue_cola")
    write_items(lengths, packscope.folder)
    report = packscope.json("batch", "items.csv", "--limit", "128", "--sampler", "bucket")
    names = packscope.snippet("bucket-sampler", "items.csv", "--limit", "128")
    sampler = names["BucketSampler"](lengths)
    caps = names["BUCKETS"]
    for figures in report["epochs"]:
        sampler.set_epoch(figures["epoch"])
        batches = list(sampler)
        assert len(batches) == figures["batches"]
        assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
        slots = sum(len(batch) * lengths[batch].max() for batch in batches)
        padding = 1 - lengths.sum() / slots
        assert padding == pytest.approx(figures["padding_share"], abs=0.02)
        for batch in batches:
            cap = next(cap for longest, cap in caps if lengths[batch].max() <= longest)
            assert len(batch) <= min(cap, figures["batch_cap"])
        sizes = [len(batch) for batch in batches]
        rates = [names["learning_rate"](min(sizes)), names["learning_rate"](max(sizes))]
        assert rates == pytest.approx(figures["learning_rate"], rel=1e-9)
    again = [list(names["BucketSampler"](lengths, seed)) for seed in (0, 1)]
    assert not all(np.array_equal(a, b) for a, b in zip(*again))


@pytest.mark.parametrize("merging", [True, False])
def test_bucket_sampler_of_a_server(packscope, merging):
    """The page's lines for inference: the same batches without cap, epoch and learning rate."""
    lengths = items_of("glue_cola")
    write_items(lengths, packscope.folder)
    settings = ["--limit", "128", "--sampler", "bucket", "--mode", "server"] + ["--residual-merging", "on" if merging else "off"]
    [figures] = packscope.json("batch", "items.csv", *settings)["epochs"]
    names = packscope.snippet("bucket-sampler", "items.csv", "--limit", "128")
    names["MERGING"] = merging
    exec((SNIPPETS / "bucket_server.py").read_text(), names)
    batches = list(names["BucketSampler"](lengths))
    assert len(batches) == figures["batches"]
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert padding_of(batches, lengths) == pytest.approx(figures["padding_share"], abs=0.02)


def epoch_of(packscope, sampler, *settings):
    """What the engine says of the first epoch."""
    report = packscope.json("batch", "items.csv", "--sampler", sampler, "--epochs", "1", *settings)
    return report["epochs"][0]


def placed_once(batches, lengths, limit, drop):
    """Each sequence is in one batch; those that are too long in none, where they are dropped."""
    items = np.flatnonzero(lengths <= limit) if drop else np.arange(len(lengths))
    assert sorted(i for batch in batches for i in batch) == items.tolist()
    return np.minimum(lengths, limit)


def padding_of(batches, lengths):
    real = sum(lengths[batch].sum() for batch in batches)
    return 1 - real / sum(len(batch) * lengths[batch].max() for batch in batches)


@pytest.fixture(params=["glue_cola", "glue_sst2"])
def lengths(request, packscope):
    lengths = items_of(request.param, part=4)
    write_items(lengths, packscope.folder)
    return lengths


POLICIES = pytest.mark.parametrize("policy", ["truncate", "drop"])


@POLICIES
def test_token_budget(packscope, lengths, policy):
    settings = ["--limit", "24", "--batch", "32", "--overlong", policy]
    figures = epoch_of(packscope, "token-budget", *settings)
    sampler = packscope.snippet("token-budget", "items.csv", *settings)["TokenBudget"](lengths)
    batches = list(sampler)
    cut = placed_once(batches, lengths, 24, policy == "drop")
    # What is in a batch depends on nothing but the lengths: the same to the slot.
    assert len(batches) == figures["batches"]
    assert sum(len(batch) * cut[batch].max() for batch in batches) == figures["slots"]
    assert max(len(batch) * cut[batch].max() for batch in batches) == figures["largest_slots"] <= 24 * 32
    sampler.set_epoch(1)
    assert list(sampler) != batches


@POLICIES
def test_length_grouped(packscope, lengths, policy):
    settings = ["--limit", "24", "--batch", "32", "--overlong", policy]
    figures = epoch_of(packscope, "length-grouped", *settings)
    sampler = packscope.snippet("length-grouped", "items.csv", *settings)["LengthGrouped"](lengths)
    batches = list(sampler)
    cut = placed_once(batches, lengths, 24, policy == "drop")
    assert len(batches) == figures["batches"]
    assert all(len(batch) == 32 for batch in batches[:-1])
    assert cut[batches[0][0]] == cut[np.concatenate(batches)].max()
    assert padding_of(batches, cut) == pytest.approx(figures["padding_share"], abs=0.005)
    # Within a group the longest come first; there are four of them, and what is left.
    group = min(50, max(1, sum(map(len, batches)) // 128))
    for first in range(0, len(batches), group):
        tops = [cut[batch].max() for batch in batches[first : first + group]][1:]
        assert tops == sorted(tops, reverse=True)


@POLICIES
def test_bucket_by_length(packscope, lengths, policy):
    settings = ["--limit", "24", "--overlong", policy]
    figures = epoch_of(packscope, "bucket-by-length", *settings)
    names = packscope.snippet("bucket-by-length", "items.csv", *settings)
    batches = list(names["BucketByLength"](lengths))
    cut = placed_once(batches, lengths, 24, policy == "drop")
    assert len(batches) == figures["batches"]
    assert padding_of(batches, cut) == pytest.approx(figures["padding_share"], abs=0.005)
    for batch in batches:
        buckets = {next(b for b, (edge, _) in enumerate(names["BUCKETS"]) if edge > n) for n in cut[batch]}
        assert len(buckets) == 1 and len(batch) <= names["BUCKETS"][buckets.pop()][1]


@POLICIES
def test_packed_rows(packscope, lengths, policy):
    settings = ["--limit", "64", "--batch", "16", "--overlong", policy]
    figures = epoch_of(packscope, "packed", *settings)
    names = packscope.snippet("packed", "items.csv", *settings)
    items = [list(range(1, n + 1)) for n in lengths]
    packs = names["Packs"](items, lengths)
    placed_once(packs.rows, lengths, 64, policy == "drop")
    slots = real = batches = sequences = 0
    for batch in names["loader"](items, lengths):
        used = batch["sequence"] > 0
        slots, real, batches = slots + used.numel(), real + int(used.sum()), batches + 1
        sequences += int(batch["sequence"].max())
        assert batch["cu_seqlens"][-1] == used.sum()
        # The label of each token is the next one: none may be seen.
        assert not batch["mask"].triu(1).any()
        assert ((batch["labels"] == batch["input_ids"] + 1) | (batch["labels"] == -100)).all()
        # Sequences begin at their first token, at position 0.
        assert (batch["input_ids"][used] == batch["position_ids"][used] + 1).all()
    assert (slots, real, batches) == (figures["slots"], figures["real_tokens"], figures["batches"])
    assert sequences == sum(map(len, packs.rows))
    hidden = next(iter(names["loader"](items, lengths, names["masked"])))
    same = hidden["sequence"][:, :, None] == hidden["sequence"][:, None]
    assert (hidden["mask"] == same).all() and 0 < (hidden["labels"] != -100).sum() < (hidden["sequence"] > 0).sum() / 4
