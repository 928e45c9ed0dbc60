"""Libraries for reinforcement learning, that balance micro-batches: verl, OpenRLHF."""

import torch

from .common import Run, overlong, windows
from .loading import load, stub
from .registry import cache, library


@cache
def _verl():
    rows = stub("verl.utils.tensordict_utils", index_select_tensor_dict=lambda batch, partition: partition)
    around = [stub("verl.protocol"), rows, stub("verl.utils", tensordict_utils=rows), stub("verl.utils.device")]
    return load("verl", "verl.utils.seqlen_balancing", around)


@library("verl", "verl", "verl/utils/seqlen_balancing.py: rearrange_micro_batches", {"ppo_mini_batch_size": 32})
def verl(lengths, limit, ppo_mini_batch_size=256):
    """What is above the limit it refuses: prompts and answers are bounded before."""
    kept = overlong(lengths, limit, "truncate")
    rows = []
    for window in windows(list(kept), ppo_mini_batch_size):
        sizes = torch.tensor([kept[i] for i in window])
        mask = (torch.arange(limit)[None, :] < sizes[:, None]).long()
        _, made = _verl().rearrange_micro_batches({"input_ids": mask, "attention_mask": mask}, limit)
        rows += [[(window[i], kept[window[i]]) for i in row] for row in made]
    return Run(list(kept.values()), rows)


@cache
def _openrlhf():
    # Its wheel has files for a processor, and so its modules lie as in any other.
    return load("openrlhf", "openrlhf.utils.seqlen_balancing")


@library(
    "openrlhf",
    "openrlhf",
    "openrlhf/utils/seqlen_balancing.py: get_minimum_num_micro_batch_size, get_seqlen_balanced_partitions",
    {"train_batch_size": 64},
)
def openrlhf(lengths, limit, train_batch_size=128):
    """The number of micro-batches by first fit in order, what is in them by Karmarkar-Karp on lengths: so that one can
    be above the limit. As in `trainer/ppo_utils/replay_buffer.py`, on one rank."""
    kept = overlong(lengths, limit, "truncate")
    module = _openrlhf()
    rows = []
    for window in windows(list(kept), train_batch_size):
        sizes = [kept[i] for i in window]
        count = module.get_minimum_num_micro_batch_size(sizes, limit, 1, 1)
        made = module.get_seqlen_balanced_partitions(sizes, count, equal_size=False)
        rows += [[(window[i], sizes[i]) for i in row] for row in made]
    return Run(lengths, rows)
