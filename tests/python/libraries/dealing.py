"""A step dealt to ranks by the libraries' own code: one function for each, all of one form.

`DEALS[id](lengths, ranks, **settings)` gives of each rank its micro-batches, of each micro-batch the sequences in it, in
the order in which they are computed; sequences are numbered as they came.
"""

import ast
import logging
from types import SimpleNamespace
from typing import Any

import torch

from .balance import _verl as balancing
from .common import windows
from .loading import functions, path_of
from .registry import cache

DEALS = {}
# Distribution on PyPI, file, and what of it is executed.
SOURCES = {}


def deals(id, package, *sources):
    def register(deal):
        DEALS[id] = deal
        SOURCES[id] = [(package, *source.split(": ")) for source in sources]
        return deal

    return register


@cache
def _trl():
    names = ["_balance_by_squared_length", "FixedCountBatcher", "TokenBudgetBatcher"]
    given = {"torch": torch, "Any": Any, "logger": logging.getLogger("trl")}
    return functions("trl", "trl/experimental/async_distillation/async_distillation_trainer.py", names, given)


@deals(
    "trl",
    "trl",
    "trl/experimental/async_distillation/async_distillation_trainer.py: _balance_by_squared_length, FixedCountBatcher, TokenBudgetBatcher",
)
def trl(lengths, ranks, per_device_train_batch_size=8, token_budget=0):
    """What its generators yield: a micro-batch that is not full is never computed."""
    samples = [{"input_ids": range(n), "id": i} for i, n in enumerate(lengths)]
    if token_budget > 0:
        made = _trl()["TokenBudgetBatcher"](samples, ranks, token_budget, {"batch/dropped_oversize_total": []})
    else:
        made = _trl()["FixedCountBatcher"](samples, ranks, per_device_train_batch_size * ranks)
    micro_batches = [[[sample["id"] for sample in row] for row in rows] for rows in made]
    return [[rows[rank] for rows in micro_batches] for rank in range(ranks)]


def method(package, file, cls, name, given):
    """A method of a class, compiled from its own text as a function with `given` as its globals."""
    path = path_of(package, file)
    [found] = [node for node in ast.parse(path.read_text()).body if getattr(node, "name", None) == cls]
    tree = ast.Module([node for node in found.body if getattr(node, "name", None) == name], [])
    assert tree.body, f"{path} has no longer {cls}.{name}"
    space = {"__name__": f"{package}:{file}", **given}
    exec(compile(tree, str(path), "exec"), space)
    return space[name]


@cache
def _balance_batch():
    module = balancing()
    names = ["calculate_workload", "get_seqlen_balanced_partitions", "log_seqlen_unbalance"]
    given = {"torch": torch, "DataProto": object, **{name: getattr(module, name) for name in names}}
    return method("verl", "verl/trainer/ppo/ray_trainer.py", "RayPPOTrainer", "_balance_batch", given)


def mask_of(lengths):
    sizes = torch.tensor(lengths)
    return (torch.arange(max(lengths))[None, :] < sizes[:, None]).long()


def _micro_batches(lengths, cap, at_least):
    mask = mask_of(lengths)
    batch = {"input_ids": mask, "attention_mask": mask}
    return balancing().rearrange_micro_batches(batch, cap, min_num_micro_batch=at_least)[1]


@deals(
    "verl",
    "verl",
    "verl/trainer/ppo/ray_trainer.py: _balance_batch",
    "verl/utils/seqlen_balancing.py: calculate_workload, karmarkar_karp, rearrange_micro_batches",
)
def verl(lengths, ranks, ppo_max_token_len_per_gpu=None, ppo_micro_batch_size_per_gpu=4, may_exceed=False):
    """A whole batch is dealt, as many sequences to each rank; a rank's are then one mini-batch. With `may_exceed` as
    before its PR 7553: as many micro-batches as the tokens need, whatever is in the fullest. Ranks make as many as the one
    that needs most: which they agree on over the network, and here by asking each again."""
    order = []
    batch = SimpleNamespace(
        batch={"attention_mask": mask_of(lengths)}, non_tensor_batch={}, reorder=lambda by: order.extend(by.tolist())
    )
    trainer = SimpleNamespace(_get_dp_size=lambda *_: ranks, actor_rollout_wg=None)
    _balance_batch()(trainer, batch, metrics={})
    each = len(lengths) // ranks
    held = [order[rank * each : (rank + 1) * each] for rank in range(ranks)]
    cap = ppo_max_token_len_per_gpu
    if cap is None:
        return [windows(mine, ppo_micro_batch_size_per_gpu) for mine in held]
    sizes = [[lengths[i] for i in mine] for mine in held]
    count = max(min(len(mine), -(-sum(mine) // cap)) for mine in sizes)
    while True:
        made = [_micro_batches(mine, sum(mine) if may_exceed else cap, count) for mine in sizes]
        most = max(map(len, made))
        if most == count:
            return [[[mine[i] for i in row] for row in rows] for mine, rows in zip(held, made)]
        count = most


def karmarkar_karp(weights, ranks, equal_size=False):
    """The part of verl that divides any weights: sequences of each rank in ascending order."""
    return balancing().get_seqlen_balanced_partitions(weights, ranks, equal_size)
