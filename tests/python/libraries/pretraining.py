"""Libraries for pre-training: OLMo-core, nanotron, grain (MaxText packs with it), torchtitan, Levanter, nanochat."""

import asyncio
import tempfile
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import torch

from .common import Run, overlong, pieces_of, tokens_of
from .fetched import Repository
from .loading import compiled, functions, load, stub
from .registry import cache, fetched, library

# Of every document, which OLMo-core finds by it.
END = 0


@cache
def _olmo():
    around = [
        stub(
            "olmo_core.io",
            get_file_size=lambda path: Path(path).stat().st_size,
            is_url=lambda path: False,
            resource_path=None,
            get_bytes_range=None,
            add_cached_path_clients=None,
        ),
        stub("olmo_core.aliases"),
        stub("olmo_core.config", StrEnum=StrEnum, Config=object),
        stub("olmo_core.utils", capped_powers_of_2=_powers()),
    ]
    return load("ai2-olmo-core", "olmo_core.data.utils", around)


@cache
def _powers():
    return functions("ai2-olmo-core", "olmo_core/utils.py", ["capped_powers_of_2", "powers_of_2"], {"List": list})[
        "capped_powers_of_2"
    ]


def _tokens_file(folder, lengths):
    path = Path(folder) / "tokens.npy"
    tokens = np.ones(sum(lengths), np.uint16)
    tokens[np.cumsum(lengths) - 1] = END
    tokens.tofile(path)
    return path


@library(
    "olmo-packed",
    "ai2-olmo-core",
    "olmo_core/data/utils.py: pack_documents_into_instances",
    {},
    {"long_doc_strategy": "fragment"},
    powers_of_two=True,
)
def olmo_core(lengths, limit, long_doc_strategy="truncate"):
    module = _olmo()
    with tempfile.TemporaryDirectory() as folder:
        rows, documents, _ = module.pack_documents_into_instances(
            _tokens_file(folder, lengths),
            max_sequence_length=limit,
            eos_token_id=END,
            dtype=np.uint16,
            long_doc_strategy=module.LongDocStrategy(long_doc_strategy),
        )
    starts = np.cumsum(lengths)
    named = np.searchsorted(starts, documents[:, 0], side="right")
    sizes = documents[:, 1] - documents[:, 0]
    return Run(lengths, [[(int(named[i]), int(sizes[i])) for i in row] for row in rows])


@library(
    "olmo-vsl",
    "ai2-olmo-core",
    "olmo_core/data/utils.py: bucket_documents",
    {},
    {"min_sequence_length": 32},
    powers_of_two=True,
)
def olmo_core_vsl(lengths, limit, min_sequence_length=256):
    """A row is a piece: batches are of rows of one length."""
    buckets = [1 << k for k in range(min_sequence_length.bit_length() - 1, limit.bit_length())]
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "indices.npy"
        _olmo().bucket_documents(
            _tokens_file(folder, lengths), target, buckets=buckets, eos_token_id=END, dtype=np.uint16
        )
        indices = np.fromfile(target, np.uint32).reshape(-1, 2)
    named = np.searchsorted(np.cumsum(lengths), indices[:, 0], side="right")
    return Run(lengths, [[(int(i), int(end - start))] for i, (start, end) in zip(named, indices.astype(int))])


@cache
def _nanotron():
    from datasets import Features, Sequence, Value
    from typing import Dict, List

    given = {"np": np, "Features": Features, "Sequence": Sequence, "Value": Value, "Dict": Dict, "List": List}
    return functions("nanotron", "nanotron/dataloader.py", ["clm_process"], given)["clm_process"]


@library("nanotron", "nanotron", "nanotron/dataloader.py: clm_process", {})
def nanotron(lengths, limit):
    """Of each row the tokens but the last, which is a label only."""
    from datasets import Dataset

    def tokenize(texts, **_):
        return {"input_ids": [tokens_of(*map(int, text.split())) for text in texts]}

    data = Dataset.from_dict({"text": [f"{i} {n}" for i, n in enumerate(lengths)]})
    rows = _nanotron()(data, SimpleNamespace(batch_encode_plus=tokenize), "text", None, True, limit)
    return Run(lengths, [pieces_of(row[:-1]) for row in rows.with_format("numpy")["input_ids"]])


def _grain(kept, limit, transformation, **settings):
    """Rows of grain's own transformations."""
    import grain

    data = grain.MapDataset.source(list(kept)).map(lambda i: {"tokens": np.full(kept[i], i + 1, np.int32)})
    packed = getattr(grain.experimental, transformation)(
        data.to_iter_dataset(), length_struct={"tokens": limit}, **settings
    )
    return [pieces_of(row["tokens"]) for row in packed]


GRAIN = "grain/_src/python/dataset/transformations/"


@library(
    "grain",
    "grain",
    f"{GRAIN}packing.py: FirstFitPackIterDataset, BestFitPackIterDataset",
    {},
    {"num_packing_bins": 8},
    {"num_packing_bins": 8, "transformation": "BestFitPackIterDataset"},
    {"num_packing_bins": 8, "max_sequences_per_bin": 2},
)
def grain_open_rows(
    lengths, limit, transformation="FirstFitPackIterDataset", num_packing_bins=64, max_sequences_per_bin=None
):
    """What is above the limit it refuses: a pipeline truncates before."""
    kept = overlong(lengths, limit, "truncate")
    rows = {"num_packing_bins": num_packing_bins, "max_sequences_per_bin": max_sequences_per_bin}
    return Run(lengths, _grain(kept, limit, transformation, **rows, shuffle_bins=False))


@library("grain-concatenated", "grain", f"{GRAIN}packing_concat_then_split.py: ConcatThenSplitIterDataset")
def grain_concatenated(lengths, limit):
    return Run(lengths, _grain(dict(enumerate(lengths)), limit, "ConcatThenSplitIterDataset"))


@library(
    "maxtext",
    "grain",
    f"{GRAIN}packing.py: FirstFitPackIterDataset, BestFitPackIterDataset",
    {},
    {"grain_packing_type": "best_fit", "per_device_batch_size": 4},
    {"max_segments_per_seq": 2},
)
def maxtext(lengths, limit, grain_packing_type="first_fit", per_device_batch_size=12, max_segments_per_seq=-1):
    """Not on PyPI for this Python: grain's packing, called as `format_and_batch` of
    src/maxtext/input_pipeline/data_processing_utils.py does (AI-Hypercomputer/maxtext@e591f30cbbf2), on one device."""
    kept = overlong(lengths, limit, "truncate")
    if grain_packing_type == "best_fit":
        rows = _grain(kept, limit, "BestFitPackIterDataset", num_packing_bins=per_device_batch_size)
    else:
        cap = max_segments_per_seq if max_segments_per_seq > 0 else None
        settings = {"num_packing_bins": per_device_batch_size, "max_sequences_per_bin": cap}
        rows = _grain(kept, limit, "FirstFitPackIterDataset", **settings)
    return Run(lengths, rows)


@library(
    "torchtitan",
    "grain",
    f"{GRAIN}packing.py: FirstFitPackIterDataset",
    {},
    {"num_packing_bins": 64},
    {"local_batch_size": 2},
    {"packing": "ConcatThenSplitPackingConfig"},
)
def torchtitan(lengths, limit, packing="FirstFitPackingConfig", num_packing_bins=8, local_batch_size=1):
    """Newer than the release: grain's packing, called as torchtitan/components/data/packing.py does
    (pytorch/torchtitan@b5bcd76c66d0)."""
    capacity = local_batch_size * limit
    # Inputs are all tokens but the last, which is a label only: token_sample_to_shifted_features.
    inputs = [n - 1 for n in lengths]
    if packing == "ConcatThenSplitPackingConfig":
        rows = _grain(dict(enumerate(inputs)), capacity, "ConcatThenSplitIterDataset")
        rows = [row for row in rows if sum(size for _, size in row) == capacity]
    else:
        kept = overlong(inputs, limit, "drop")
        rows = _grain(kept, capacity, "FirstFitPackIterDataset", num_packing_bins=num_packing_bins)
    return Run(inputs, rows, samples=list(lengths))


@cache
def _titan():
    from collections.abc import Callable
    from typing import Any, cast

    from datasets import Dataset
    from datasets.distributed import split_dataset_by_node
    from torch.utils.data import IterableDataset

    given = {
        "torch": torch,
        "Dataset": Dataset,
        "split_dataset_by_node": split_dataset_by_node,
        "cast": cast,
        "IterableDataset": IterableDataset,
        "Stateful": object,
        "IGNORE_INDEX": -100,
        "Any": Any,
        "Callable": Callable,
        "BaseTokenizer": object,
        "logger": SimpleNamespace(info=lambda *_: None, warning=lambda *_: None, debug=lambda *_: None),
    }
    return functions(
        "torchtitan", "torchtitan/hf_datasets/text_datasets.py", ["HuggingFaceTextDataset", "ChatDataset"], given
    )


class _ChatTokenizer:
    eos_id = 1

    def apply_chat_template(self, messages, add_generation_prompt=False):
        return messages[0]["content"]

    def encode(self, text, add_bos, add_eos):
        document, size = map(int, text.split())
        # Tokens above 1 say whose they are: 1 is the end, with which rows are padded.
        return [document + 2] * (size - 1) + [self.eos_id]


@library("torchtitan-text", "torchtitan", "torchtitan/hf_datasets/text_datasets.py: HuggingFaceTextDataset", {})
def torchtitan_text(lengths, limit):
    """Lengths as rows have them: a document has a token more, which is a label only."""
    from datasets import Dataset

    space = _titan()
    data = Dataset.from_dict({"document": range(len(lengths)), "size": lengths})
    space["_validate_dataset"] = lambda name, path: (path, lambda path: data, lambda sample: sample)
    tokenizer = SimpleNamespace(
        encode=lambda sample, add_bos, add_eos: tokens_of(sample["document"], sample["size"] + 1)
    )
    rows = space["HuggingFaceTextDataset"]("x", None, tokenizer, limit)
    rows = [pieces_of(row["input"]) for row, _ in rows]
    return Run(lengths, rows, samples=[n + 1 for n in lengths])


@library("torchtitan-chat", "torchtitan", "torchtitan/hf_datasets/text_datasets.py: ChatDataset", {})
def torchtitan_chat(lengths, limit):
    """Lengths as rows have them: a chat has a token more. Shuffled by the library, always with the same seed."""
    from datasets import Dataset

    data = Dataset.from_dict({"document": range(len(lengths)), "size": lengths})
    arrival = list(data.shuffle(seed=42)["document"])

    def chat(sample):
        text = f"{sample['document']} {sample['size'] + 1}"
        return [{"role": "user", "content": text}, {"role": "assistant", "content": ""}]

    rows = []
    for row, _ in _titan()["ChatDataset"](data, _ChatTokenizer(), chat, limit):
        rows.append(pieces_of(np.maximum(row["input"].numpy() - 1, 0)))
    return Run(lengths, rows, arrival, samples=[n + 1 for n in lengths])


class _Store:
    """A cache of tokens as TokenSeqDataset reads it."""

    def __init__(self, tokens):
        self.tokens = tokens

    async def async_flat_field_length(self, _):
        return len(self.tokens)

    async def get_flat_field_batch(self, _, offsets, size):
        return [self.tokens[at : at + size] for at in offsets]


@cache
def _levanter():
    """Of one array of lengths, their tree is the array."""
    import jax

    tree = {"tree_broadcast_to": lambda tree, _: tree, "leaf_key_paths": lambda _: "lengths", "PyTree": dict}
    given = {"np": np, "jax": jax, "Literal": Literal, **tree}
    return functions("marin-levanter", "levanter/data/packing.py", ["pack_documents"], given)["pack_documents"]


@library(
    "levanter",
    "marin-levanter",
    "levanter/data/packing.py: pack_documents",
    {},
    {"pack": 3},
    {"format": "text", "pack": "true"},
)
def levanter(lengths, limit, format="chat", pack="true"):
    """As GreedyPrepackedDataset calls it, which cuts the beginning of a longer one off."""
    made = _levanter()(np.array(lengths), limit, 64 if pack == "true" else pack, slice_strategy="left")
    return Run(lengths, [[(i, min(lengths[i], limit)) for i in row] for row in made])


@library("levanter-text", "marin-levanter", "levanter/data/text/datasets.py: TokenSeqDataset")
def levanter_text(lengths, limit):
    """Documents end to end, as the cache has them."""
    generic = type("Generic", (), {"__class_getitem__": classmethod(lambda cls, _: cls)})
    given = {"np": np, "AsyncDataset": generic, "TokenSeqDict": dict, "TreeCache": dict, "Sequence": Sequence}
    seq = functions("marin-levanter", "levanter/data/text/datasets.py", ["TokenSeqDataset"], given)["TokenSeqDataset"]
    tokens = [token for i, n in enumerate(lengths) for token in tokens_of(i, n)]

    async def read():
        made = seq(_Store(tokens), limit)
        return await made.get_batch(range(await made.async_len()))

    return Run(lengths, [pieces_of(row["input_ids"]) for row in asyncio.run(read())])


NANOCHAT = Repository(
    "karpathy/nanochat",
    "92d63d4e8bb4df75c3b71618f31ddde2378b2bcd",
    {"scripts/chat_sft.py": "325ed7768eb3ab4ce8be5f147b43dac98745c4b1c697a918c0350139328329cc"},
)


@fetched("nanochat-sft", NANOCHAT, "scripts/chat_sft.py: sft_data_generator_bos_bestfit", {}, {"buffer_size": 30})
def nanochat_sft(lengths, limit, buffer_size=100):
    """Its loader goes over into the next pass: here conversations without a token follow, which it never takes, so that it
    empties its buffer. `render_conversation` cuts to 2,048 tokens."""
    kept = [min(n, 2_048) for n in lengths]
    assert sum(n > limit + 1 for n in kept) < buffer_size, "it goes on for ever"

    class Conversations:
        def __len__(self):
            return 1 << 60

        def __getitem__(self, at):
            return tokens_of(at, kept[at]) if at < len(kept) else []

    given = {
        "torch": torch,
        "args": SimpleNamespace(max_seq_len=limit, device_batch_size=4, num_iterations=-1),
        "tokenizer": SimpleNamespace(get_bos_token_id=lambda: 0, render_conversation=lambda ids: (ids, [1] * len(ids))),
        "train_dataset": Conversations(),
        "val_dataset": None,
        "device_type": "cpu",
        "device": "cpu",
        "ddp_rank": 0,
        "ddp_world_size": 1,
    }
    file = "scripts/chat_sft.py"
    generator = compiled(NANOCHAT.text(file), file, ["sft_data_generator_bos_bestfit"], given)
    rows = []
    for inputs, targets in generator["sft_data_generator_bos_bestfit"]("train", buffer_size):
        # The last token of a row is a label only; that of a padded row is none.
        made = torch.cat([inputs, targets[:, -1:].clamp(min=0)], dim=1)
        made = [pieces_of(row) for row in made.tolist()]
        rows += filter(None, made)
        if not made[-1]:
            return Run(lengths, rows)
