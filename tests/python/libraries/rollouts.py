"""Libraries for reinforcement learning that fine-tune too: SkyRL, prime-rl, AReaL, Tunix."""

import bisect
import heapq
import logging
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from .common import Run, overlong, pieces_of, tokens_of, windows
from .fetched import Repository
from .loading import compiled, functions, load
from .registry import cache, fetched, library

PRIME_RL = Repository(
    "PrimeIntellect-ai/prime-rl",
    "559b44772e471d1538537b8805cc77f3824a5e64",
    {
        "src/prime_rl/trainer/batch.py": "6ab14a0c30ed662e27a485bf9d5f6c42a4982174926a2c7dc33e1ab8f6fa7dea",
        "src/prime_rl/trainer/sft/data.py": "3f1ea8cafe95547d1c419cc60f7db462b143f03b7558e6887f861e9cf8159323",
    },
)


@cache
def _skyrl():
    return load("skyrl", "skyrl.train.dataset.bin_packing")


def _in_steps(kept, size, pack):
    """Rows of all steps; `pack` gives of the lengths of a step the rows, as places in it."""
    documents = list(kept)
    rows = []
    for step in windows(documents, size):
        rows += [[(step[at], kept[step[at]]) for at in row] for row in pack([kept[i] for i in step])]
    return rows


@library(
    "skyrl",
    "skyrl",
    "skyrl/train/dataset/bin_packing.py: FirstFitDecreasing, SeqPacker._adjust_bin_count",
    {"batch_size": 32},
    {"batch_size": 128},
    {"batch_size": 128, "max_tokens_per_microbatch": 10_000},
)
def skyrl(lengths, limit, batch_size=4, max_tokens_per_microbatch=None):
    """Sequences are truncated to the limit when they are tokenized. As its collator calls the packer, on one rank."""
    packer = _skyrl().make_seq_packer("first_fit_decreasing", max_tokens_per_microbatch or limit, 1, 1)
    return Run(lengths, _in_steps(overlong(lengths, limit, "truncate"), batch_size, packer.pack))


@library(
    "skyrl-rl",
    "skyrl",
    "skyrl/train/dataset/bin_packing.py: Balanced",
    {"trainer.policy_mini_batch_size": 16},
    {"trainer.policy_mini_batch_size": 64, "generator.n_samples_per_prompt": 2},
)
def skyrl_rl(lengths, limit, **settings):
    """As TokenBasedBatchIterator calls the packer; what is above the limit has a row of its own."""
    size = settings.get("trainer.policy_mini_batch_size", 256) * settings.get("generator.n_samples_per_prompt", 5)
    packer = _skyrl().make_seq_packer("balanced", bin_capacity=limit)
    return Run(lengths, _in_steps(dict(enumerate(lengths)), size, packer.pack))


@cache
def _prime_rl_rl():
    """Its packer, whose rows stay bins: what is left out only joins their arrays."""
    names = ["_MicroBatchBin", "_is_multimodal_sample", "_expand_bins_by_splitting", "packed_samples_into_micro_bs"]
    given = {"dataclass": dataclass, "Callable": Callable, "Sequence": Sequence, "MicroBatch": object, "_materialize_bin": lambda row: row}
    file = "src/prime_rl/trainer/batch.py"
    return compiled(PRIME_RL.text(file), file, names, given)["packed_samples_into_micro_bs"]


@cache
def _prime_rl_sft():
    file = "src/prime_rl/trainer/sft/data.py"
    given = {"StatefulIterableDataset": object, "get_logger": lambda: None, "defaultdict": defaultdict, "Any": Any, "Sample": dict}
    return compiled(PRIME_RL.text(file), file, ["CatDataset"], given)["CatDataset"]


@fetched("prime-rl", PRIME_RL, "src/prime_rl/trainer/sft/data.py: CatDataset", {}, {"data.micro_batch_size": 2})
def prime_rl(lengths, limit, **settings):
    """A sample comes to it without its last token, which is only a label."""
    samples = []
    for i, n in enumerate(lengths):
        ids = tokens_of(i, n - 1)
        samples.append({name: ids for name in ("input_ids", "position_ids", "loss_mask", "target_ids")})
    packed = _prime_rl_sft()(samples, limit * settings.get("data.micro_batch_size", 1))
    rows = [pieces_of(row["input_ids"]) for row in packed]
    return Run([n - 1 for n in lengths], rows, samples=list(lengths))


@fetched(
    "prime-rl-rl",
    PRIME_RL,
    "src/prime_rl/trainer/batch.py: packed_samples_into_micro_bs",
    {},
    {"orchestrator.batch_size": 48},
)
def prime_rl_rl(lengths, limit, **settings):
    """Samples are truncated to the limit before, by `prepare_sample`. On one rank no row is split."""
    kept = overlong(lengths, limit, "truncate")

    def pack(sizes):
        none = {"mm_kwargs": None, "routed_experts": None}
        samples = [SimpleNamespace(input_ids=[0] * size, at=at, **none) for at, size in enumerate(sizes)]
        rows = _prime_rl_rl()(samples, limit, 1, sum)
        return [[sample.at for sample in row.samples] for row in rows]

    return Run(lengths, _in_steps(kept, settings.get("orchestrator.batch_size", 128), pack))


@cache
def _areal():
    names = ["_ffd_allocate", "ffd_allocate", "_KKSet", "_KKState", "_kk_partition", "kk_allocate"]
    given = {"np": np, "bisect": bisect, "heapq": heapq, "math": math, "logger": logging.getLogger("areal")}
    return functions("areal", "areal/utils/seqpack.py", names, given)


@library(
    "areal",
    "areal",
    "areal/utils/seqpack.py: ffd_allocate, kk_allocate",
    {},
    {"train_dataset.batch_size": 48},
    {"actor.mb_spec.packing_algorithm": "kk"},
    {"actor.mb_spec.packing_algorithm": "kk", "train_dataset.batch_size": 32},
)
def areal(lengths, limit, **settings):
    """What is above the limit it refuses: sequences are bounded before. As `allocate_balanced_mbs` calls it, on one rank."""
    allocate = _areal()[f"{settings.get('actor.mb_spec.packing_algorithm', 'ffd')}_allocate"]
    kept = overlong(lengths, limit, "truncate")
    rows = _in_steps(kept, settings.get("train_dataset.batch_size", 128), lambda sizes: allocate(sizes, limit, 1, 1))
    return Run(list(kept.values()), rows)


@cache
def _tunix():
    example = type("TrainExample", (SimpleNamespace,), {})
    common = SimpleNamespace(TrainExample=example)
    import jax.numpy as jnp

    given = {"np": np, "jnp": jnp, "common": common, "Any": Any, "Iterator": Iterator, "_OPTIONAL_PER_TOKEN_KEYS": ()}
    silent = SimpleNamespace(warning=lambda *_: None)
    made = functions("google-tunix", "tunix/rl/utils.py", ["unpad_train_example", "pack_sequences"], {**given, "logging": silent})
    return made["pack_sequences"], example


@library(
    "tunix",
    "google-tunix",
    "tunix/rl/utils.py: pack_sequences, unpad_train_example",
    {"mini_batch_size": 32},
    {"mini_batch_size": 200, "num_generations": 4},
)
def tunix(lengths, limit, mini_batch_size=64, num_generations=2):
    """A third of each sequence is its prompt. The queue that is packed ends with the step."""
    pack, example = _tunix()
    rows = []
    for step in windows(list(enumerate(lengths)), mini_batch_size * num_generations):
        width = max(n for _, n in step)
        examples = []
        for i, n in step:
            prompt = n // 3
            ids = np.full((1, width), i + 1)
            examples.append(
                example(
                    prompt_ids=ids,
                    prompt_mask=(np.arange(width) >= width - prompt)[None].astype(int),
                    completion_ids=ids,
                    completion_mask=(np.arange(width) < n - prompt)[None].astype(int),
                    advantages=np.zeros(1),
                    ref_per_token_logps=None,
                    old_per_token_logps=None,
                )
            )
        for made in pack(iter([examples]), limit):
            rows += [pieces_of(row.completion_ids[0]) for row in made]
    return Run(lengths, rows)
