"""Libraries for reinforcement learning, that make micro-batches by tokens: verl, OpenRLHF, slime, Open-Instruct."""

import torch

from .common import Run, overlong, windows
from .loading import load, stub
from .registry import cache, library
from .twins import twin


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
    {},
    {"train.batch_size": 64},
)
def openrlhf(lengths, limit, **settings):
    """The number of micro-batches by first fit in order, what is in them by Karmarkar-Karp on lengths: so that one can
    be above the limit, and one that is longer is alone. What does not fill a last step is left out. As in `trainer/ppo_utils/replay_buffer.py`, on one rank."""
    module = _openrlhf()
    rows = []
    batch = settings.get("train.batch_size", 128)
    for window in windows(range(len(lengths) // batch * batch), batch):
        sizes = [lengths[i] for i in window]
        count = module.get_minimum_num_micro_batch_size(sizes, limit, 1, 1)
        made = module.get_seqlen_balanced_partitions(sizes, count, equal_size=False)
        rows += [[(window[i], sizes[i]) for i in row] for row in made]
    return Run(lengths, rows)


@twin(
    "slime",
    "THUDM/slime",
    "624b824a898a",
    "slime/utils/seqlen_balancing.py: first_fit_pack; slime/utils/dp_schedule.py: build_dp_schedule",
    {},
    {"global-batch-size": 32},
)
def slime(lengths, limit, **settings):
    """It is on no index. Of each step, in the order of arrival, into the first micro-batch with room; what is longer than
    the limit opens one that never has any. On one rank; the next epoch goes on in the last step, which is packed as it is
    here."""
    rows = []
    for step in windows(list(enumerate(lengths)), settings.get("global-batch-size", 128)):
        bins = []
        for sample in step:
            for taken in bins:
                if sum(size for _, size in taken) + sample[1] <= limit:
                    taken.append(sample)
                    break
            else:
                bins.append([sample])
        rows += bins
    return Run(lengths, rows)


@twin(
    "open-instruct",
    "allenai/open-instruct",
    "e6c3044aa620",
    "open_instruct/rl_utils.py: pack_sequences",
    {},
    {"num_unique_prompts_rollout": 4, "num_samples_per_prompt_rollout": 8},
)
def open_instruct(lengths, limit, num_unique_prompts_rollout=16, num_samples_per_prompt_rollout=4):
    """It is on no index. The answers of a step one after the other, until the next does not fit; on one rank no pack is
    made shorter. Its configuration bounds prompts and answers by `pack_length`."""
    kept = overlong(lengths, limit, "truncate")
    rows = []
    for step in windows(list(kept), num_unique_prompts_rollout * num_samples_per_prompt_rollout):
        data, length = [], 0
        for i in step:
            if length + kept[i] > limit and data:
                rows.append(data)
                data, length = [], 0
            data.append((i, kept[i]))
            length += kept[i]
        if data:
            rows.append(data)
    return Run(list(kept.values()), rows)
