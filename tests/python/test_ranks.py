"""Sequences dealt to ranks, by the libraries' own code: each rank gets the same, in the same order, as by ours."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import ROOT, items_of
from libraries.dealing import DEALS, SOURCES, karmarkar_karp
from libraries.loading import path_of

# Real lengths, a quarter of the last above 4,096; and of few lengths, so that many are equal.
DATA = {"gsm8k": "gsm8k_train", "sharegpt": "sharegpt_8k_llama2", "alike": None, "all equal": None, "random": None}
RANKS = (1, 2, 8, 64)


@cache
def data(name, count):
    random = np.random.default_rng(5)
    made = {
        "alike": random.integers(1, 9, count),
        "all equal": np.full(count, 7),
        "random": np.exp(random.normal(6, 1.5, count)).astype(int).clip(1, 32_768),
    }
    return (made[name] if name in made else random.permutation(items_of(DATA[name])[:count])).tolist()


def ours(packscope, lengths, ranks, *flags):
    """Of each rank its micro-batches, of each the sequences, numbered as they stand in the file."""
    (packscope.folder / "step.csv").write_text("length\n" + "\n".join(map(str, lengths)) + "\n")
    return packscope.json("ranks", "step.csv", "--ranks", ranks, "--assign", *flags)["assignment"]


@pytest.mark.parametrize("id", SOURCES)
def test_the_code_is_the_librarys(id):
    for package, file, names in SOURCES[id]:
        text = path_of(package, file).read_text()
        assert all(f"def {name}(" in text or f"class {name}(" in text for name in names.split(", ")), names


# The scheduler of ours, the library, and settings by its own names.
CASES = [
    ("trl", "trl", {"per_device_train_batch_size": 1}),
    ("trl", "trl", {"per_device_train_batch_size": 8}),
    ("trl-budget", "trl", {"token_budget": 8_192}),
    ("trl-budget", "trl", {"token_budget": 40_000}),
    ("verl", "verl", {"ppo_micro_batch_size_per_gpu": 2}),
    ("verl", "verl", {"ppo_max_token_len_per_gpu": 8_192, "may_exceed": True}),
    ("verl", "verl", {"ppo_max_token_len_per_gpu": 40_000, "may_exceed": True}),
    ("verl-0.9.1", "verl", {"ppo_max_token_len_per_gpu": 8_192}),
    ("verl-0.9.1", "verl", {"ppo_max_token_len_per_gpu": 40_000}),
]
NOT_SET = {"may_exceed"}


@pytest.mark.parametrize("case", CASES, ids=["-".join([id, *map(str, of.values())]) for id, _, of in CASES])
@pytest.mark.parametrize("name", DATA)
def test_every_rank_gets_the_same(packscope, case, name):
    scheduler, id, settings = case
    for ranks in RANKS:
        lengths = data(name, 8 * ranks)
        cap = settings.get("ppo_max_token_len_per_gpu")
        if cap:
            # It refuses what is longer.
            lengths = [min(n, cap) for n in lengths]
        theirs = DEALS[id](lengths, ranks, **settings)
        flags = [f"--set={key}={of}" for key, of in settings.items() if key not in NOT_SET]
        assert ours(packscope, lengths, ranks, "--library", scheduler, *flags) == theirs, f"{ranks} ranks"


@pytest.mark.parametrize("equal_size", [False, True])
@pytest.mark.parametrize(("ranks", "count"), [(2, 9), (3, 30), (8, 64), (64, 640), (1024, 2048)])
def test_largest_differences_are_cancelled_alike(packscope, ranks, count, equal_size):
    """To 1,024 ranks: parts of the same sequences, in the same order of parts."""
    for name in ("sharegpt", "alike"):
        lengths = data(name, count - count % ranks if equal_size else count)
        dealing = "equal-size" if equal_size else "karmarkar-karp"
        dealt = ours(packscope, lengths, ranks, "--dealing", dealing, "--weight", "tokens", "--waiting", "step")
        made = [sorted(i for row in rank for i in row) for rank in dealt]
        assert made == karmarkar_karp(lengths, ranks, equal_size), name


def test_a_cap_was_none_before(packscope):
    """Eight sequences of seven tokens under a cap of eight (verl's PR 7553): fourteen tokens in one of seven before,
    eight micro-batches since."""
    before, since = (
        DEALS["verl"]([7] * 8, 1, ppo_max_token_len_per_gpu=8, may_exceed=exceed)[0] for exceed in (True, False)
    )
    assert sorted(map(len, before)) == [1] * 6 + [2] and sorted(map(len, since)) == [1] * 8


def test_lengths_are_written_as_mock_data_take_them(packscope):
    """As Megatron-LM reads them (`MockSFTLowLevelDataset`, `{"mode": "file"}`), whose release has no mock data."""
    lengths = data("sharegpt", 1000)
    pd.DataFrame({"length": lengths}).value_counts().reset_index().to_csv(packscope.folder / "counts.csv", index=False)
    packscope.run("export", "lengths", "counts.csv", "--out", "mock.csv")
    read = np.array(pd.read_csv(packscope.folder / "mock.csv")).flatten()
    assert sorted(read.tolist()) == sorted(lengths) and read.tolist() != sorted(lengths)


def test_the_mock_lengths_of_megatron_are_those_it_draws():
    """`MockSFTLowLevelDataset` in its README's setting: the mean is that of the lengths before they are clipped."""
    state = np.random.get_state()
    np.random.seed(0)
    drawn = np.random.lognormal(np.log(1024) - 1.5**2 / 2, 1.5, 1_000_000)
    np.random.set_state(state)
    stored = pd.read_csv(ROOT / "tests/data/ranks/megatron_mock_lengths.csv")["length"]
    assert stored.tolist() == np.clip(drawn, 128, 8192).astype(int)[: len(stored)].tolist()


WAYS = ["as-drawn", "snake", "greedy", "karmarkar-karp", "equal-size", "groups"]
WEIGHTS = ["tokens", "squared", "verl", "slime", "model"]


def sampler(packscope, *flags):
    """The class that the lines define."""
    names = {"__name__": "ranks"}
    exec(compile(packscope.run("ranks", "--snippet", *flags), "<ranks>", "exec"), names)
    return names["Ranks"]


def dealt_by_lines(packscope, lengths, ranks, *flags):
    """Of each rank its micro-batches, by the lines; numbered in the order of drawing, with the lengths in that order."""
    made = sampler(packscope, "--ranks", ranks, *flags)
    given = [[n] for n in lengths] if "rows" in flags else lengths
    drawn = np.random.default_rng((0, 0)).permutation(len(lengths)).tolist()
    place = {item: at for at, item in enumerate(drawn)}
    dealt = [[[place[i] for i in micro_batch] for micro_batch in made(given, rank)] for rank in range(ranks)]
    return [lengths[i] for i in drawn], dealt


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("unit", ["sequences", "rows"])
def test_the_lines_deal_alike(packscope, unit, way, weight):
    """Sequence by sequence, for every way and weight, whatever the micro-batches."""
    if way == "as-drawn" and weight != "tokens":
        pytest.skip("as they come there is no weight")
    flags = ["--dealing", way, "--weight", weight, "--unit", unit]
    for ranks, micro_batch, micro_batches in [(1, 4, 3), (3, 2, 5), (8, 4, 8), (8, 1, 1), (64, 3, 2)]:
        sizes = ["--micro-batch", micro_batch, "--micro-batches", micro_batches]
        for name in ("sharegpt", "alike", "all equal"):
            lengths, dealt = dealt_by_lines(
                packscope, data(name, ranks * micro_batch * micro_batches), ranks, *flags, *sizes
            )
            wanted = ours(packscope, lengths, ranks, *flags, *sizes)
            assert len({len(rank) for rank in dealt}) == 1, "every rank has as many"
            # The command line leaves out micro-batches that all ranks have empty.
            extra = len(dealt[0]) - len(wanted[0])
            assert extra >= 0 and not any(part for rank in dealt for part in rank[len(wanted[0]) :])
            assert [rank[: len(wanted[0])] for rank in dealt] == wanted, (name, ranks)


def test_the_lines_deal_every_sequence_once_an_epoch(packscope):
    lengths = data("sharegpt", 1000)
    made = sampler(packscope, "--ranks", 8, "--dealing", "greedy", "--weight", "model")
    epochs = []
    for epoch in (0, 1):
        all_ranks = [made(lengths, rank) for rank in range(8)]
        [one.set_epoch(epoch) for one in all_ranks]
        yielded = [list(one) for one in all_ranks]
        assert {len(rank) for rank in yielded} == {3 * 8}
        seen = [i for rank in yielded for micro_batch in rank for i in micro_batch]
        assert len(seen) == len(set(seen)) == 3 * 256
        # Within a step no rank has half a percent more than the mean.
        for step in range(3):
            work = [sum(one.weights[i] for part in rank[8 * step : 8 * step + 8] for i in part) for one, rank in zip(all_ranks, yielded)]
            assert max(work) < 1.005 * np.mean(work)
        epochs.append(yielded)
    assert epochs[0] != epochs[1]


def test_settings_of_schedulers_exist(packscope):
    """By the classes and files of the releases that take them; others are on no index."""
    text = packscope.run("ranks", "--snippet", "--library", "trl-budget", "--cap", 4096)
    config = path_of("trl", "trl/experimental/async_distillation/async_distillation_config.py").read_text()
    assert "token_budget=4096" in text and "    token_budget: int | None" in config
    for cap in ([], ["--cap", 8192]):
        given = yaml.safe_load(packscope.run("ranks", "--snippet", "--library", "verl-0.9.1", *cap))
        usual = yaml.safe_load(path_of("verl", "verl/trainer/config/_generated_ppo_trainer.yaml").read_text())
        assert given["trainer"].keys() <= usual["trainer"].keys()
        actor = given["actor_rollout_ref"]["actor"]
        assert actor.keys() <= usual["actor_rollout_ref"]["actor"].keys()
        assert actor["use_dynamic_bsz"] == bool(cap)
