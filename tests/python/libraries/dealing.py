"""A step dealt to ranks by the libraries' own code: one function for each, all of one form.

`DEALS[id](lengths, ranks, **settings)` gives of each rank its micro-batches, of each micro-batch the sequences in it, in
the order in which they are computed; sequences are numbered as they came. Code is that of a release on PyPI, or of a
commit, which is fetched (`fetched.py`).
"""

import ast
import logging
from types import SimpleNamespace
from typing import Any

import torch

from .balance import _verl as released
from .common import windows
from .fetched import Repository
from .loading import compiled, load, path_of, stub
from .rollouts import PRIME_RL
from .registry import cache

DEALS = {}
# Distribution on PyPI or repository, file, and what of it is executed.
SOURCES = {}

TRL = Repository(
    "huggingface/trl",
    "f2cd57710ae345ea6428ae95363267fcf38a3dc8",
    {
        "trl/experimental/async_grpo/async_grpo_trainer.py": "99d90b245180133a8ef1f51eddcc2ed6ac99a3d14b79869aaec09f2a41f04c9b",
    },
)
VERL = Repository(
    "verl-project/verl",
    "1dda039b9c6311889a9c9a26040677e1254814f9",
    {
        "verl/trainer/ppo/ray_trainer.py": "eb41f99ccc66976eab14ebe35aa1aa5b7318e02469240ef1569ac4c884c94312",
        "verl/utils/seqlen_balancing.py": "c114cd1a2908292763fbcae34788a1b010c262ded33712d3f035bc25ff8c2a06",
    },
)
MEGATRON = Repository(
    "NVIDIA/Megatron-LM",
    "d2e7ec5b889169d86919ea884e9c7e88a0f25f42",
    {
        "megatron/core/datasets/data_schedule.py": "9f95beb604573e880cafd7900fe9e8f384a072e0a215b38d1097b82e004b62c9",
        "megatron/core/datasets/data_schedule_utils.py": "70c2f551e2703c2939058dff8a504d7085ed54b44b665d6910cad511ccacf94b",
    },
)
SLIME = Repository(
    "THUDM/slime",
    "624b824a898ab0ec1fcb4d373004c7f3852bf515",
    {
        "slime/utils/dp_schedule.py": "ed87386712ecc0e296f038354878c9dd6f8ab5561832febe0f5f272caa9cfd02",
        "slime/utils/flops_utils.py": "a4fac22109731915369084f1654ffc73708d4b01765d094a9c6581fb8a54fd6a",
        "slime/utils/seqlen_balancing.py": "357a736afaf1923a52a76694bc2848571ca15b986721d34dccde00d0e0cc997a",
    },
)
NEMO_RL = Repository(
    "NVIDIA-NeMo/RL",
    "7ea279abfbeb698b092856d0dab61e7cf39bc909",
    {
        "nemo_rl/data/packing/__init__.py": "37c870023a3b09d3ba8f34dc7e788d3156b7e84b0afa4bd7400e0438cae2b220",
        "nemo_rl/data/packing/algorithms.py": "6405812fab9427318fcfd15262ede6d6d7970887d843c7df39839b93f6ae10c7",
        "nemo_rl/data/packing/metrics.py": "04c9ec6b2a5f2abcd553542c86b6bbcaba090386e8dd2cf1f316dd231492ffd9",
        "nemo_rl/distributed/batched_data_dict.py": "166d8bf041d5a756ed87654a22f439f0ccfdddc97ab7cf17abd39d8332fe9031",
    },
)


def deals(id, origin, *sources):
    def register(deal):
        DEALS[id] = deal
        SOURCES[id] = [(origin, *source.split(": ")) for source in sources]
        return deal

    return register


def text_of(origin, file):
    """A file of a distribution or of a repository."""
    return origin.text(file) if isinstance(origin, Repository) else path_of(origin, file).read_text()


@cache
def _trl(origin, file):
    names = ["_balance_by_squared_length", "FixedCountBatcher", "TokenBudgetBatcher"]
    given = {"torch": torch, "Any": Any, "logger": logging.getLogger("trl")}
    return compiled(text_of(origin, file), file, names, given)


def micro_batches(made, ranks):
    """Of each rank its micro-batches, where they were made one after the other for all ranks."""
    return [[rows[rank] for rows in made] for rank in range(ranks)]


def _fixed_or_budget(code, lengths, ranks, per_device_train_batch_size, token_budget, *metrics):
    """What its generators yield: a micro-batch that is not full is never computed."""
    samples = [{"input_ids": range(n), "id": i} for i, n in enumerate(lengths)]
    if token_budget > 0:
        made = code["TokenBudgetBatcher"](samples, ranks, token_budget, *metrics)
    else:
        made = code["FixedCountBatcher"](samples, ranks, per_device_train_batch_size * ranks)
    return micro_batches([[[sample["id"] for sample in row] for row in rows] for rows in made], ranks)


@deals(
    "trl",
    "trl",
    "trl/experimental/async_distillation/async_distillation_trainer.py: _balance_by_squared_length, FixedCountBatcher, TokenBudgetBatcher",
)
def trl(lengths, ranks, per_device_train_batch_size=8, token_budget=0):
    code = _trl("trl", "trl/experimental/async_distillation/async_distillation_trainer.py")
    counts = {"batch/dropped_oversize_total": []}
    return _fixed_or_budget(code, lengths, ranks, per_device_train_batch_size, token_budget, counts)


@deals(
    "trl-f2cd577",
    TRL,
    "trl/experimental/async_grpo/async_grpo_trainer.py: _balance_by_squared_length, FixedCountBatcher, TokenBudgetBatcher",
)
def trl_commit(lengths, ranks, per_device_train_batch_size=8, token_budget=0):
    code = _trl(TRL, "trl/experimental/async_grpo/async_grpo_trainer.py")
    return _fixed_or_budget(code, lengths, ranks, per_device_train_batch_size, token_budget)


@cache
def _verl_commit():
    file = "verl/utils/seqlen_balancing.py"
    rows = stub("verl.utils.tensordict_utils", index_select_tensor_dict=lambda batch, partition: partition)
    return VERL.load(file, stubs=[rows, stub("verl.utils", tensordict_utils=rows)])[file]


@cache
def _balance_batch(origin, module):
    names = ["calculate_workload", "get_seqlen_balanced_partitions", "log_seqlen_unbalance"]
    given = {"torch": torch, "DataProto": object, **{name: getattr(module, name) for name in names}}
    file = "verl/trainer/ppo/ray_trainer.py"
    return compiled(text_of(origin, file), file, ["_balance_batch"], given, "RayPPOTrainer")["_balance_batch"]


def mask_of(lengths):
    sizes = torch.tensor(lengths)
    return (torch.arange(max(lengths))[None, :] < sizes[:, None]).long()


def _micro_batches(module, lengths, cap, at_least):
    mask = mask_of(lengths)
    batch = {"input_ids": mask, "attention_mask": mask}
    return module.rearrange_micro_batches(batch, cap, min_num_micro_batch=at_least)[1]


def _batch_dealt(origin, module, lengths, ranks, cap, per, may_exceed=False):
    """A whole batch is dealt, as many sequences to each rank; a rank's are then one mini-batch. With `may_exceed` as many
    micro-batches as the tokens need, whatever is in the fullest. Ranks make as many as the one that needs most: which they
    agree on over the network, and here by asking each again."""
    order = []
    batch = SimpleNamespace(
        batch={"attention_mask": mask_of(lengths)}, non_tensor_batch={}, reorder=lambda by: order.extend(by.tolist())
    )
    trainer = SimpleNamespace(_get_dp_size=lambda *_: ranks, actor_rollout_wg=None)
    _balance_batch(origin, module)(trainer, batch, metrics={})
    each = len(lengths) // ranks
    held = [order[rank * each : (rank + 1) * each] for rank in range(ranks)]
    if cap is None:
        return [windows(mine, per) for mine in held]
    assert max(lengths) <= cap, "it refuses what is longer"
    sizes = [[lengths[i] for i in mine] for mine in held]
    count = max(min(len(mine), -(-sum(mine) // cap)) for mine in sizes)
    while True:
        made = [_micro_batches(module, mine, sum(mine) if may_exceed else cap, count) for mine in sizes]
        most = max(map(len, made))
        if most == count:
            return [[[mine[i] for i in row] for row in rows] for mine, rows in zip(held, made)]
        count = most


BALANCE = "verl/trainer/ppo/ray_trainer.py: _balance_batch"
MICRO_BATCHES = "verl/utils/seqlen_balancing.py: calculate_workload, karmarkar_karp, rearrange_micro_batches"


@deals("verl", "verl", BALANCE, MICRO_BATCHES)
def verl(lengths, ranks, ppo_max_token_len_per_gpu=None, ppo_micro_batch_size_per_gpu=4, may_exceed=False):
    """The release has its PR 7553, more micro-batches until none exceeds the cap; with `may_exceed` as before."""
    cap, per = ppo_max_token_len_per_gpu, ppo_micro_batch_size_per_gpu
    return _batch_dealt("verl", released(), lengths, ranks, cap, per, may_exceed)


@deals("verl-1dda039", VERL, BALANCE, MICRO_BATCHES)
def verl_commit(lengths, ranks, ppo_max_token_len_per_gpu=None, ppo_micro_batch_size_per_gpu=4):
    """Before its PR 7553."""
    return _batch_dealt(VERL, _verl_commit(), lengths, ranks, ppo_max_token_len_per_gpu, ppo_micro_batch_size_per_gpu)


def karmarkar_karp(weights, ranks, equal_size=False):
    """The part of verl that divides any weights: sequences of each rank in ascending order."""
    return released().get_seqlen_balanced_partitions(weights, ranks, equal_size)


@cache
def _megatron():
    utils, schedule = (f"megatron/core/datasets/data_schedule{part}.py" for part in ("_utils", ""))
    return MEGATRON.load(utils, schedule)[schedule]


@deals(
    "megatron-lm",
    MEGATRON,
    "megatron/core/datasets/data_schedule.py: DpBalancedScheduler, DefaultDynamicCPScheduler",
    "megatron/core/datasets/data_schedule_utils.py: next_hdp_group_packing_aware, dcp_gpus_needed",
)
def megatron(
    lengths,
    ranks,
    sequence_packing_scheduler,
    max_seqlen_per_dp_cp_rank,
    context_parallel_size=1,
    multiple=1,
    min_dynamic_context_parallel_size=None,
):
    """Of its global ids, which count the samples of one rank after those of another. Every rank that shares a sequence has
    it: of `ranks`, as many as `context_parallel_size` share all. It is given lengths with their padding to a `multiple`."""
    scheduler = _megatron().scheduler_map[sequence_packing_scheduler]
    sizes = context_parallel_size, ranks // context_parallel_size
    least = {"min_cp_size": min_dynamic_context_parallel_size} if min_dynamic_context_parallel_size else {}
    padded = [-(-length // multiple) * multiple for length in lengths]
    made = scheduler(max_seqlen_per_dp_cp_rank, *sizes, None, **least).get_groups_and_subsamples(list(enumerate(padded)))
    return micro_batches(made, ranks)


# By the names of Megatron-LM's settings: what slime counts operations by.
MODELS = {
    "llama-3.2-1b": {"num_layers": 16, "hidden_size": 2048, "ffn_hidden_size": 8192, "kv_channels": 64},
    "llama-3.1-8b": {"num_layers": 32, "hidden_size": 4096, "ffn_hidden_size": 14_336, "kv_channels": 128},
    "llama-3.1-70b": {"num_layers": 80, "hidden_size": 8192, "ffn_hidden_size": 28_672, "kv_channels": 128},
    # Its heads are together twice as wide as the model.
    "qwen3-0.6b": {
        "num_layers": 28,
        "hidden_size": 1024,
        "ffn_hidden_size": 3072,
        "kv_channels": 128,
        "num_attention_heads": 16,
        "vocab_size": 151_936,
    },
}


@cache
def _slime():
    files = [f"slime/utils/{name}.py" for name in ("flops_utils", "seqlen_balancing", "dp_schedule")]
    return SLIME.load(*files)[files[-1]].build_dp_schedule


@deals(
    "slime",
    SLIME,
    "slime/utils/dp_schedule.py: build_dp_schedule",
    "slime/utils/flops_utils.py: calculate_fwd_flops",
    "slime/utils/seqlen_balancing.py: first_fit_pack, expand_bins_by_splitting, get_seqlen_balanced_partitions",
)
def slime(lengths, ranks, model="llama-3.1-8b", experts=(), context_parallel_size=1, **settings):
    """Each sample is a rollout, and all are one step. Without `max_tokens_per_gpu` as many sequences as
    `micro_batch_size`: `use_dynamic_batch_size` is off. `experts`: the width of one, and how many a token takes."""
    width, taken = experts or (None, None)
    shape = MODELS[model]
    args = SimpleNamespace(
        **{"num_attention_heads": shape["hidden_size"] // shape["kv_channels"], "vocab_size": 128_256, **shape},
        num_query_groups=8,
        num_experts=8 if experts else None,
        moe_ffn_hidden_size=width,
        moe_router_topk=taken,
        use_dynamic_batch_size="max_tokens_per_gpu" in settings,
        **{"micro_batch_size": 1, "balance_by_flops": False, "balance_data": False, **settings},
    )
    # As its arguments.py has it.
    args.balance_data |= args.balance_by_flops
    parallel = {
        "dp_size": ranks,
        "cp_size": context_parallel_size,
        "vpp_size": 1,
        "microbatch_group_size_per_vp_stage": 1,
    }
    every = {"global_batch_size": len(lengths), "rollout_indices": list(range(len(lengths)))}
    held, rows, _, _ = _slime()(args, parallel, lengths, **every)
    return [[[mine[i] for i in row] for row in made] for mine, made in zip(held, rows)]


@cache
def _nemo_rl():
    files = list(NEMO_RL.files)
    # The package that has the packers last of its files, the batches that ask it after it.
    files = [*files[1:3], files[0], files[3]]
    return NEMO_RL.load(*files)[files[-1]].BatchedDataDict


@deals(
    "nemo-rl",
    NEMO_RL,
    "nemo_rl/distributed/batched_data_dict.py: shard_by_batch_size",
    "nemo_rl/data/packing/algorithms.py: ModifiedFirstFitDecreasingPacker, get_packer",
)
def nemo_rl(lengths, ranks, train_mb_tokens, dynamic_batching=False, make_sequence_length_divisible_by=1):
    """One global batch, of settings only the cap and the padding: rounding to 64 of dynamic batching and the algorithm are as
    in its examples/configs/grpo_math_1B.yaml, and rows are computed in the order in which they were packed."""
    batch = _nemo_rl()(
        id=list(range(len(lengths))),
        input_lengths=torch.tensor(lengths),
        input_ids=torch.zeros(len(lengths), max(lengths), dtype=torch.int8),
    )
    args = {
        "max_tokens_per_microbatch": train_mb_tokens,
        "input_key": "input_ids",
        "input_lengths_key": "input_lengths",
    }
    if dynamic_batching:
        given = {"dynamic_batching_args": {**args, "sequence_length_round": 64}}
    else:
        packing = {"algorithm": "modified_first_fit_decreasing", "sequence_length_pad_multiple": make_sequence_length_divisible_by}
        given = {"sequence_packing_args": {**args, **packing}}
    shards, _ = batch.shard_by_batch_size(ranks, len(lengths), **given)
    return [[shard["id"][first:end] for first, end in shard.micro_batch_indices[0]] for shard in shards]


@deals(
    "skyrl",
    "skyrl",
    "skyrl/train/dataset/bin_packing.py: FirstFitDecreasing, _adjust_bin_count, make_seq_packer",
    "skyrl/train/dataset/collators.py: __call__",
)
def skyrl(lengths, ranks, max_tokens_per_microbatch):
    """As PackedDataCollator calls the packer and assigns its bins in turn."""
    packer = load("skyrl", "skyrl.train.dataset.bin_packing").make_seq_packer(
        "first_fit_decreasing", max_tokens_per_microbatch, ranks, ranks
    )
    bins = packer.pack(lengths)
    assert "shard_idx = bin_idx % dp_size" in text_of("skyrl", "skyrl/train/dataset/collators.py")
    return [bins[rank::ranks] for rank in range(ranks)]


@cache
def _prime_rl():
    from collections.abc import Callable, Sequence
    from dataclasses import dataclass, field
    import heapq

    file = "src/prime_rl/trainer/batch.py"
    names = {node.name for node in ast.parse(PRIME_RL.text(file)).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    # A row stays a bin, and none is repeated.
    names -= {"_materialize_bin", "_slice_encoded", "_truncate_mm", "_copy_routed_experts", "_make_dummy_batch", "multimodal_sample_error"}
    given = {"dataclass": dataclass, "field": field, "Callable": Callable, "Sequence": Sequence, "heapq": heapq, "Any": Any}
    wire = {"MicroBatch": object, "RoutedExperts": object, "EncodedTensor": object, "TrainingSample": object}

    def row(made):
        sizes = [len(sample.input_ids) for sample in made.samples]
        return SimpleNamespace(sequence_lengths=sizes, documents=[sample.document for sample in made.samples])

    return SimpleNamespace(**compiled(PRIME_RL.text(file), file, names, {**given, **wire, "_materialize_bin": row}))


@deals("prime-rl", PRIME_RL, "src/prime_rl/trainer/batch.py: packed_samples_into_micro_bs, balanced_partition, _distribute_group")
def prime_rl(lengths, ranks, seq_len, model="llama-3.1-8b"):
    """As `prepare_batch` does, which cuts samples to `seq_len` and knows the model."""
    shape = MODELS[model]
    config = SimpleNamespace(
        hidden_size=shape["hidden_size"],
        num_hidden_layers=shape["num_layers"],
        num_attention_heads=shape.get("num_attention_heads", shape["hidden_size"] // shape["kv_channels"]),
        num_key_value_heads=8,
        head_dim=shape["kv_channels"],
        intermediate_size=shape["ffn_hidden_size"],
        vocab_size=shape.get("vocab_size", 128_256),
    )
    module = _prime_rl()
    cost = module.build_bin_cost(config)
    none = {"mm_kwargs": None, "routed_experts": None}
    samples = [SimpleNamespace(input_ids=[0] * min(n, seq_len), document=at, **none) for at, n in enumerate(lengths)]
    rows = module.packed_samples_into_micro_bs(samples, seq_len, ranks, cost)
    assert len(rows) % ranks == 0, "a row is repeated, and counts for nothing"
    return [[row.documents for row in rank] for rank in module._distribute_group(rows, ranks, cost)]
