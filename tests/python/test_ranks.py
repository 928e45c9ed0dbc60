"""Sequences dealt to ranks, by the libraries' own code: each rank gets the same, in the same order, as by ours."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import ROOT, items_of
from libraries.dealing import DEALS, SOURCES, karmarkar_karp, text_of
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
    for origin, file, names in SOURCES[id]:
        text = text_of(origin, file)
        assert all(f"def {name}(" in text or f"class {name}(" in text for name in names.split(", ")), names


# The scheduler of ours, the library, and settings by its own names.
CASES = [
    *(
        ("trl" if "per_device_train_batch_size" in settings else "trl-budget", id, settings)
        for id in ("trl", "trl-f2cd577")
        for settings in (
            {"per_device_train_batch_size": 1},
            {"per_device_train_batch_size": 8},
            {"token_budget": 8_192},
            {"token_budget": 40_000},
        )
    ),
    ("verl", "verl", {"ppo_micro_batch_size_per_gpu": 2}),
    ("verl", "verl", {"ppo_max_token_len_per_gpu": 8_192, "may_exceed": True}),
    ("verl", "verl", {"ppo_max_token_len_per_gpu": 40_000, "may_exceed": True}),
    ("verl-0.9.1", "verl", {"ppo_max_token_len_per_gpu": 1_024}),
    ("verl-0.9.1", "verl", {"ppo_max_token_len_per_gpu": 8_192}),
    ("verl-0.9.1", "verl", {"ppo_max_token_len_per_gpu": 40_000}),
    ("verl", "verl-1dda039", {"ppo_micro_batch_size_per_gpu": 2}),
    ("verl", "verl-1dda039", {"ppo_max_token_len_per_gpu": 1_024}),
    ("verl", "verl-1dda039", {"ppo_max_token_len_per_gpu": 8_192}),
    ("verl", "verl-1dda039", {"ppo_max_token_len_per_gpu": 40_000}),
    *(
        (f"megatron-{ours}", "megatron-lm", {"sequence_packing_scheduler": theirs, "max_seqlen_per_dp_cp_rank": cap})
        for ours, theirs in (("dp-balanced", "dp_balanced"), ("dynamic-cp", "default_dynamic_cp"))
        for cap in (2_048, 8_192, 40_000)
    ),
    *(
        ("megatron-dynamic-cp", "megatron-lm", {**dynamic, "max_seqlen_per_dp_cp_rank": 2_048, **more})
        for dynamic in ({"sequence_packing_scheduler": "default_dynamic_cp"},)
        for more in (
            {"min_dynamic_context_parallel_size": 2},
            {"min_dynamic_context_parallel_size": 8},
            {"multiple": 64},
            {"multiple": 24, "min_dynamic_context_parallel_size": 4},
        )
    ),
    (
        "megatron-dp-balanced",
        "megatron-lm",
        {"sequence_packing_scheduler": "dp_balanced", "max_seqlen_per_dp_cp_rank": 8_192, "multiple": 128},
    ),
    ("nemo-rl", "nemo-rl", {"train_mb_tokens": 8_192, "make_sequence_length_divisible_by": 64}),
    *(
        (scheduler, "slime", {**balanced, **settings})
        for scheduler, balanced in (
            ("slime", {}),
            ("slime-balance-data", {"balance_data": True}),
            ("slime-balance-by-flops", {"balance_by_flops": True}),
        )
        for settings in ({"max_tokens_per_gpu": 8_192}, {"max_tokens_per_gpu": 40_000}, {"micro_batch_size": 2})
        # Its arguments are refused without a cap: "--balance-by-flops requires --use-dynamic-batch-size".
        if "balance_by_flops" not in balanced or "max_tokens_per_gpu" in settings
    ),
    *(
        (scheduler, "nemo-rl", {"train_mb_tokens": cap, **dynamic})
        for scheduler, dynamic in (("nemo-rl", {}), ("nemo-rl-dynamic", {"dynamic_batching": True}))
        for cap in (2_048, 8_192, 40_000)
    ),
]
CASES += [
    *(("skyrl", "skyrl", {"max_tokens_per_microbatch": cap}) for cap in (2_048, 8_192, 40_000)),
    *(("prime-rl", "prime-rl", {"seq_len": cap}) for cap in (2_048, 8_192, 40_000)),
]
# Said by the name of the scheduler of ours.
NAMED = {"may_exceed", "sequence_packing_scheduler", "balance_data", "balance_by_flops", "dynamic_batching"}
CAPS = {
    "token_budget",
    "ppo_max_token_len_per_gpu",
    "max_seqlen_per_dp_cp_rank",
    "max_tokens_per_gpu",
    "train_mb_tokens",
    "max_tokens_per_microbatch",
    "seq_len",
}
PADDED = {"multiple", "make_sequence_length_divisible_by", "min_dynamic_context_parallel_size"}
# One of each way to make micro-batches under a cap.
CAPPED = {(case[0], case[1]): case for case in CASES if CAPS & set(case[2]) and not PADDED & set(case[2])}


def flags_of(scheduler, settings):
    named = (("--multiple=" if key == "multiple" else f"--set={key}=", of) for key, of in settings.items() if key not in NAMED)
    return ["--library", scheduler, *(f"{key}{of}" for key, of in named)]


def longest(settings, ranks):
    """The longest sequence at which a library does not stop: where ranks share one, as many as a power of two."""
    if settings.get("sequence_packing_scheduler") == "default_dynamic_cp":
        return settings["max_seqlen_per_dp_cp_rank"] << (ranks.bit_length() - 1)
    caps = ("ppo_max_token_len_per_gpu", "train_mb_tokens", "max_tokens_per_microbatch", "seq_len")
    return next((settings[name] for name in caps if name in settings), None)


def named(case):
    return "-".join([case[0], *(str(of) for key, of in case[2].items() if key not in NAMED), "by", case[1]])


def outcome(deal):
    """What was dealt, or nothing where it stops: a library by an error of its own or of Python's, ours by its exit."""
    try:
        return deal()
    except (AssertionError, ValueError, IndexError):
        return None


@pytest.mark.parametrize("case", CASES, ids=named)
@pytest.mark.parametrize("name", DATA)
def test_every_rank_gets_the_same(packscope, case, name):
    scheduler, id, settings = case
    multiple = settings.get("multiple") or settings.get("make_sequence_length_divisible_by", 1)
    for ranks in (ranks for ranks in RANKS if ranks >= settings.get("min_dynamic_context_parallel_size", 1)):
        most = longest(settings, ranks)
        lengths = [min(n, most // multiple * multiple if most else n) for n in data(name, 8 * ranks)]
        theirs = DEALS[id](lengths, ranks, **settings)
        assert ours(packscope, lengths, ranks, *flags_of(scheduler, settings)) == theirs, f"{ranks} ranks"


# Groups of eight fill none of the numbers of ranks below: the library always stops.
FEWER = [case for case in CASES if case[2].get("min_dynamic_context_parallel_size", 1) < 8]


@pytest.mark.parametrize("case", FEWER, ids=named)
def test_any_step_on_any_number_of_ranks(packscope, case):
    """Where the library stops, ours stops: on a number of sequences or of ranks that it cannot divide, or at a sequence
    that is too long."""
    scheduler, id, settings = case
    dealt = 0
    for seed in range(12):
        random = np.random.default_rng(seed)
        # Its own search for swaps takes minutes on more.
        ranks = int(random.choice([3, 5, 6, 12] if id == "prime-rl" else [3, 5, 6, 12, 31, 100]))
        count = int(random.integers(1, 12 * ranks)) if seed % 3 == 1 else ranks * int(random.integers(1, 12))
        most = longest(settings, ranks) if seed % 3 else None
        lengths = np.exp(random.normal(6.5, 1.2, count)).astype(int).clip(1, most or 16_384).tolist()
        theirs = outcome(lambda: DEALS[id](lengths, ranks, **settings))
        made = outcome(lambda: ours(packscope, lengths, ranks, *flags_of(scheduler, settings)))
        assert made == theirs, f"{count} sequences on {ranks} ranks, seed {seed}"
        dealt += theirs is not None
    assert dealt > 2, "it mostly stops: nothing is compared"


@pytest.mark.parametrize("case", CAPPED.values(), ids=named)
def test_micro_batches_are_filled_to_the_last_token(packscope, case):
    """Eight sequences of seven under a cap of 56, and others of which many sums are the cap."""
    scheduler, id, settings = case
    tight = settings | dict.fromkeys(CAPS & set(settings), 56)
    for name in ("all equal", "alike"):
        for ranks in (1, 2, 8):
            lengths = data(name, 40 * ranks)
            theirs = DEALS[id](lengths, ranks, **tight)
            assert ours(packscope, lengths, ranks, *flags_of(scheduler, tight)) == theirs, f"{name}, {ranks} ranks"


@pytest.mark.parametrize("ranks", RANKS)
def test_a_large_one_gets_two_small_ones(packscope, ranks):
    """Sequences above half a row, and up to a third of one: without any between, NeMo RL takes these in pairs."""
    random = np.random.default_rng(ranks)
    large, small = random.integers(501, 640, 4 * ranks), random.integers(167, 330, 12 * ranks)
    lengths = random.permutation([*large, *small]).tolist()
    theirs = DEALS["nemo-rl"](lengths, ranks, train_mb_tokens=1_000)
    assert ours(packscope, lengths, ranks, *flags_of("nemo-rl", {"train_mb_tokens": 1_000})) == theirs


# Ranks that share all their sequences count as one: to `dp_balanced` and slime its cap is the sum of theirs.
SHARED = [
    ("megatron-dp-balanced", "megatron-lm", {"sequence_packing_scheduler": "dp_balanced"}, "max_seqlen_per_dp_cp_rank"),
    ("slime", "slime", {}, "max_tokens_per_gpu"),
    ("slime-balance-data", "slime", {"balance_data": True}, "max_tokens_per_gpu"),
    ("slime-balance-by-flops", "slime", {"balance_by_flops": True}, "max_tokens_per_gpu"),
]


@pytest.mark.parametrize("together", [2, 8])
@pytest.mark.parametrize("case", SHARED, ids=lambda case: case[0])
def test_ranks_that_share_have_one_cap(packscope, case, together):
    scheduler, id, settings, cap = case
    for name in DATA:
        lengths = data(name, 64)
        each = ours(packscope, lengths, 8, *flags_of(scheduler, {cap: 2_048 * together}))
        more = {cap: 2_048, "context_parallel_size": together}
        if id == "megatron-lm":
            theirs = DEALS[id](lengths, 8 * together, **settings, **more)
            assert [each[rank // together] for rank in range(8 * together)] == theirs, name
        else:
            assert each == DEALS[id](lengths, 8, **settings, **more), name


@pytest.mark.parametrize("together", [1, 2, 8])
def test_a_group_for_each_sequence_is_of_all_ranks(packscope, together):
    """Whatever `context_parallel_size` is, `default_dynamic_cp` only asks for the number of ranks."""
    settings = {"max_seqlen_per_dp_cp_rank": 2_048}
    more = {"sequence_packing_scheduler": "default_dynamic_cp", "context_parallel_size": together}
    for name in DATA:
        lengths = [min(n, 16 * 2_048) for n in data(name, 64)]
        theirs = DEALS["megatron-lm"](lengths, 16, **settings, **more)
        assert ours(packscope, lengths, 16, *flags_of("megatron-dynamic-cp", settings)) == theirs, name


@pytest.mark.parametrize("flags", [[], ["--set=feed-forward=28672"]], ids=["dense", "mixture"])
@pytest.mark.parametrize("model", ["llama-3.2-1b", "llama-3.1-8b", "llama-3.1-70b", "qwen3-0.6b"])
def test_operations_are_counted_alike(packscope, model, flags):
    """What slime balances by: another model deals otherwise; of experts the widths of those that a token takes."""
    experts = (14_336, 2) if flags else ()
    for name in DATA:
        lengths = data(name, 128)
        theirs = DEALS["slime"](lengths, 8, model, experts, max_tokens_per_gpu=8_192, balance_by_flops=True)
        given = [*flags_of("slime-balance-by-flops", {"max_tokens_per_gpu": 8_192}), "--model", model, *flags]
        assert ours(packscope, lengths, 8, *given) == theirs, name


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


def test_a_cap_was_none_before():
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
    """The lengths in the order of drawing; and of each rank its micro-batches by the lines, numbered in that order."""
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
            weights = all_ranks[0].weights
            own = [rank[8 * step : 8 * step + 8] for rank in yielded]
            work = [sum(weights[i] for part in rank for i in part) for rank in own]
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
