"""BucketSampler makes as many batches as Packscope says, within the caps, with each sequence once."""

import numpy as np
import pytest
from conftest import items_of, write_items


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
