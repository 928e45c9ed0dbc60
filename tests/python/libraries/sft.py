"""Libraries for fine-tuning: TRL, axolotl, torchtune, LLaMA-Factory, ms-swift, LLM Foundry."""

from queue import Queue
from types import SimpleNamespace

import numpy as np
import torch

from .common import Run, overlong, pieces_of, tokens_of, windows
from .loading import functions, load, modules, stub
from .registry import cache, library
from .twins import volumes_of_binpacking_1


@library(
    "trl",
    "trl",
    "trl/data_utils.py: pack_dataset",
    {},
    {"packing_strategy": "bfd_split"},
    {"packing_strategy": "wrapped"},
    {"map_batch_size": 256},
)
def trl(lengths, limit, packing_strategy="bfd", map_batch_size=1000):
    from datasets import Dataset
    from trl.data_utils import pack_dataset

    data = Dataset.from_dict({"input_ids": [np.full(n, i, np.int32) for i, n in enumerate(lengths)]})
    packed = pack_dataset(data, limit, packing_strategy, {"batch_size": map_batch_size}).with_format("numpy")
    rows = []
    for row in packed:
        tokens = row["input_ids"]
        if packing_strategy == "wrapped":
            rows.append(pieces_of(tokens + 1))
            continue
        starts = np.cumsum(row["seq_lengths"]) - row["seq_lengths"]
        rows.append([(int(tokens[at]), int(n)) for at, n in zip(starts, row["seq_lengths"])])
    return Run(lengths, rows)


@cache
def multipack():
    # Compiled for speed only: as plain Python it does the same.
    numba = stub("numba", njit=lambda function: function)
    # Of one process there is nothing to gather.
    one_rank = stub("axolotl.utils.distributed", reduce_and_broadcast=lambda own, reduce: reduce([own()]))
    quiet = stub(
        "axolotl.utils.logging",
        get_logger=lambda name: SimpleNamespace(debug=lambda *_: None, info=lambda *_: None, warning=lambda *_: None),
    )
    module = load("axolotl", "axolotl.utils.samplers.multipack", [numba, one_rank, quiet])
    # What is collected is the whole of the tests' memory, each time.
    module.gc = SimpleNamespace(collect=lambda: None)
    return module


@cache
def _strategies():
    drop = functions("axolotl", "axolotl/utils/trainer.py", ["filter_sequences_by_length"], {})
    truncate = functions("axolotl", "axolotl/utils/data/utils.py", ["truncate_long_seq"], {})
    return drop["filter_sequences_by_length"], truncate["truncate_long_seq"]


def _excess(lengths, limit, strategy):
    """Documents that come to the packer, and what is left of them."""
    drop, truncate = _strategies()
    tokens = [tokens_of(i, n) for i, n in enumerate(lengths)]
    if strategy == "truncate":
        keep = drop({"input_ids": tokens}, sequence_len=sum(lengths))
        tokens = truncate({"input_ids": tokens}, sequence_len=limit)["input_ids"]
    else:
        keep = drop({"input_ids": tokens}, sequence_len=limit)
    return {i: len(row) for i, (row, kept) in enumerate(zip(tokens, keep)) if kept}


@library(
    "axolotl",
    "axolotl",
    "axolotl/utils/samplers/multipack.py: MultipackBatchSampler",
    {},
    {"excess_length_strategy": "truncate"},
    {"sample_packing_sequentially": True},
    {"sample_packing_group_size": 300},
    {"sample_packing_bin_size": 3, "excess_length_strategy": "truncate"},
    {"micro_batch_size": 2, "excess_length_strategy": "truncate"},
)
def axolotl(
    lengths,
    limit,
    excess_length_strategy="drop",
    sample_packing_sequentially=False,
    sample_packing_group_size=100_000,
    sample_packing_bin_size=200,
    micro_batch_size=1,
):
    left = _excess(lengths, limit, excess_length_strategy)
    documents = list(left)
    sampler = multipack().MultipackBatchSampler(
        range(len(documents)),
        batch_size=1,
        batch_max_len=micro_batch_size * limit,
        lengths=list(left.values()),
        bin_size=sample_packing_bin_size,
        group_size=sample_packing_group_size,
        drop_last=True,
        num_count_samples=1,
        sequential=sample_packing_sequentially,
    )
    rows = [[(documents[i], left[documents[i]]) for i in row] for batch in sampler for row in batch]
    assert len(rows) == len(sampler)
    return Run(lengths, rows)


@cache
def _torchtune():
    common = stub("torchtune.data._common", CROSS_ENTROPY_IGNORE_IDX=-100, PACK_TYPE=dict)
    module = load("torchtune", "torchtune.datasets._packed", [common])
    # No progress bars.
    module.tqdm = lambda **_: SimpleNamespace(update=lambda: None)
    return module


@library(
    "torchtune",
    "torchtune",
    "torchtune/datasets/_packed.py: PackedDataset",
    {},
    {"max_packs": 40},
)
def torchtune(lengths, limit, max_packs=None):
    """What is above `max_seq_len` it refuses: the tokenizer truncates."""
    return _packed(lengths, overlong(lengths, limit, "truncate").values(), limit, max_packs=max_packs)


@library("torchtune-split", "torchtune", "torchtune/datasets/_packed.py: PackedDataset")
def torchtune_split(lengths, limit):
    """`split_across_pack`, with a tokenizer that truncates nothing."""
    return _packed(lengths, lengths, limit, split_across_pack=True)


def _packed(lengths, kept, limit, **settings):
    data = [{"tokens": tokens_of(i, n), "labels": tokens_of(i, n)} for i, n in enumerate(kept)]
    packed = _torchtune().PackedDataset(data, max_seq_len=limit, **settings)
    return Run(lengths, [pieces_of(pack["tokens"]) for pack in packed.packs])


@cache
def _llamafactory():
    quiet = stub("llamafactory.extras.logging", get_logger=lambda name: SimpleNamespace(warning_rank0=lambda *_: None))
    constants = stub("llamafactory.extras.constants", IGNORE_INDEX=-100)
    around = [stub("llamafactory.extras", logging=quiet), quiet, constants, stub("llamafactory.data.mm_plugin")]
    names = ("hparams.data_args", "data.processor.supervised", "data.processor.pretrain")
    return SimpleNamespace(
        **{name.rpartition(".")[2]: load("llamafactory", f"llamafactory.{name}", around) for name in names}
    )


class _Template:
    """Chats of one turn: half of the tokens are the question's."""

    efficient_eos = preserve_thinking = False

    def __init__(self):
        self.mm_plugin = SimpleNamespace(
            process_messages=lambda messages, *_: messages, process_token_ids=lambda *_: ([], [])
        )

    def encode_multiturn(self, tokenizer, messages, *_):
        document, size = messages[0]
        half = size // 2
        return [(tokens_of(document, half), tokens_of(document, size - half))]


@library(
    "llama-factory",
    "llamafactory",
    "llamafactory/data/processor/supervised.py: PackedSupervisedDatasetProcessor",
    {},
    {"neat_packing": True},
    {"preprocessing_batch_size": 256},
)
def llamafactory(lengths, limit, neat_packing=False, preprocessing_batch_size=1000):
    library = _llamafactory()
    args = library.data_args.DataArguments(
        dataset="x",
        cutoff_len=limit,
        packing=True,
        neat_packing=neat_packing,
        preprocessing_batch_size=preprocessing_batch_size,
    )
    tokenizer = SimpleNamespace(pad_token_id=0)
    processor = library.supervised.PackedSupervisedDatasetProcessor(_Template(), tokenizer, None, args)
    rows = []
    for window in windows(list(enumerate(lengths)), args.preprocessing_batch_size):
        columns = {name: [None] * len(window) for name in ("_system", "_tools", "_images", "_videos", "_audios")}
        columns |= {"_prompt": [[item] for item in window], "_response": [[("answer", 0)] for _ in window]}
        packed = processor.preprocess_dataset(columns)["input_ids"]
        assert {len(row) for row in packed} == {limit}
        rows += [pieces_of(row) for row in packed]
    return Run(lengths, rows)


@library(
    "llama-factory-pretraining",
    "llamafactory",
    "llamafactory/data/processor/pretrain.py: PretrainDatasetProcessor",
    {},
    {"preprocessing_batch_size": 256},
)
def llamafactory_pretraining(lengths, limit, packing=True, preprocessing_batch_size=1000):
    """Lengths with the end token. Set by hand, `packing` takes a token of the length; left out, it does not."""
    library = _llamafactory()
    args = library.data_args.DataArguments(
        dataset="x", cutoff_len=limit, packing=packing, preprocessing_batch_size=preprocessing_batch_size
    )
    # hparams/parser.py: set for pre-training where nobody has set it.
    args.packing = True if args.packing is None else args.packing

    def tokenizer(texts, add_special_tokens):
        sizes = [text.removesuffix("<eos>").split() for text in texts]
        return {"input_ids": [tokens_of(int(document), int(size)) for document, size in sizes]}

    tokenizer.eos_token = "<eos>"
    processor = library.pretrain.PretrainDatasetProcessor(None, tokenizer, None, args)
    rows = []
    for window in windows(list(enumerate(lengths)), args.preprocessing_batch_size):
        prompts = [[{"content": f"{document} {size}"}] for document, size in window]
        rows += processor.preprocess_dataset({"_prompt": prompts})["input_ids"]
    return Run(lengths, [pieces_of(row) for row in rows])


@cache
def _swift():
    # What it needs of the library is for rows of a dataset, and for several processes.
    around = [stub("swift.template"), stub("swift.utils", get_logger=lambda: None)]
    module = load("ms-swift", "swift.dataset.packing", around)
    import logging

    pipelines = functions(
        "ms-swift", "swift/pipelines/utils.py", ["_select_dataset"], {"np": np, "logger": logging.getLogger("swift")}
    )
    return module, pipelines["_select_dataset"]


def _swift_left(lengths, limit, truncation_strategy):
    """Samples that are left, and their lengths."""
    from datasets import Dataset

    if truncation_strategy == "split":
        pieces = [(i, min(limit, n - at)) for i, n in enumerate(lengths) for at in range(0, n, limit)]
        return [list(column) for column in zip(*pieces)]
    if truncation_strategy != "delete":
        return range(len(lengths)), [min(n, limit) for n in lengths]
    data = Dataset.from_dict({"lengths": lengths, "id": range(len(lengths))})
    args = SimpleNamespace(max_length=limit, truncation_strategy=truncation_strategy)
    left = _swift()[1](args, data)
    return list(left["id"]), list(left["lengths"])


@library(
    "ms-swift",
    "ms-swift",
    "swift/dataset/packing.py: calculate_matched_group, PackingDataset.create_packed_idx",
    {},
    {"packing_strategy": "sequential"},
    {"truncation_strategy": "right"},
    {"truncation_strategy": "split", "command": "pt"},
    {"packing_length": 5_000},
    {"packing_length": 60, "packing_strategy": "sequential"},
    {"packing_length": 60, "truncation_strategy": "right"},
)
def ms_swift(lengths, limit, packing_strategy="binpack", truncation_strategy="delete", command="sft", packing_length=None):
    """With the `binpacking` that is installed. What is split is packed piece by piece."""
    documents, sizes = _swift_left(lengths, limit, truncation_strategy)
    rows = []
    queue = SimpleNamespace(put=lambda done: rows.extend(done[1]))
    # As `PackingDataset` has it without one.
    _swift()[0].PackingDataset.create_packed_idx(0, 0, sizes, queue, packing_length or limit, packing_strategy)
    return Run(lengths, [[(documents[i], size) for i, size in row] for row in rows])


@library("ms-swift-binpacking-1", "ms-swift", "swift/dataset/packing.py: PackingDataset.create_packed_idx")
def ms_swift_binpacking_1(lengths, limit):
    """ms-swift's own code with binpacking before 2.0, of which it pins no version."""
    import binpacking

    real = binpacking.to_constant_volume
    binpacking.to_constant_volume = volumes_of_binpacking_1
    try:
        return ms_swift(lengths, limit)
    finally:
        binpacking.to_constant_volume = real


@library(
    "ms-swift-streaming",
    "ms-swift",
    "swift/dataset/packing.py: IterablePackingDataset",
    {},
    {"packing_interval": 50},
    {"truncation_strategy": "right"},
)
def ms_swift_streaming(lengths, limit, packing_interval=128, truncation_strategy="delete"):
    """Its worker encodes samples in the order in which they come, here without a process of its own."""
    module = _swift()[0]
    done = Queue()

    def encode(job):
        document, size = job[1]
        # What is too long raises, and comes back as nothing.
        sample = {"input_ids": tokens_of(document, min(size, limit))}
        done.put((job[0], {} if size > limit and truncation_strategy == "delete" else sample))

    packing = module.IterablePackingDataset.__new__(module.IterablePackingDataset)
    given = {"packing_interval": packing_interval, "packing_length": limit, "packing_strategy": "binpack"}
    vars(packing).update(
        given,
        dataset=list(enumerate(lengths)),
        cyclic=False,
        workers=[],
        _out_queue=done,
        _in_queue=SimpleNamespace(put=encode),
    )
    samples = [[sample["input_ids"] for sample in row] for row in packing]
    return Run(lengths, [[(ids[0] - 1, len(ids)) for ids in row] for row in samples])


@cache
def _foundry():
    around = [
        stub("composer"),
        stub("composer.utils"),
        stub("llmfoundry.utils"),
        stub("llmfoundry.utils.consts", CROSS_ENTROPY_IGNORE_INDEX=-100),
    ]
    return load("llm-foundry", "llmfoundry.data.packing", around)


def _batch(documents, limit):
    """Padded examples, as the collator of the library makes them."""
    ids = torch.zeros(len(documents), limit, dtype=torch.long)
    for row, (document, size) in enumerate(documents):
        ids[row, :size] = document + 1
    return {"input_ids": ids, "attention_mask": (ids > 0).long()}


@library(
    "llm-foundry",
    "llm-foundry",
    "llmfoundry/data/packing.py: BinPackCollator",
    {},
    {"packing_ratio": 3.0},
    {"packing_ratio": 5.0, "max_leftover_bins_to_keep": 2},
    {"max_leftover_bins_to_keep": 1},
)
def llm_foundry(lengths, limit, packing_ratio="auto", max_leftover_bins_to_keep=None, device_batch_size=8):
    """The last batch is kept (`drop_last: false`); what is left over at the end of the epoch is in no batch."""
    documents = [(i, min(n, limit)) for i, n in enumerate(lengths)]
    ratio = packing_ratio
    if packing_ratio == "auto":
        ratio = foundry_ratio(lengths, limit, device_batch_size, max_leftover_bins_to_keep)
    if ratio == 1.0:
        return Run(lengths, [[piece] for piece in documents])
    collator = _foundry().BinPackCollator(
        lambda batch: batch, device_batch_size, limit, 0, "right", max_leftover_bins_to_keep
    )
    rows = []
    for batch in windows(documents, int(device_batch_size * ratio)):
        rows += collator(_batch(batch, limit))["input_ids"]
    return Run(lengths, [pieces_of(row) for row in rows])


def foundry_ratio(lengths, limit, device_batch_size=8, max_leftover_bins_to_keep=None):
    """The ratio of `packing_ratio: auto`, for the first documents in this order."""
    module = _foundry()
    documents = [(i, min(n, limit)) for i, n in enumerate(lengths)]

    def build_dataloader(cfg, tokenizer, batch_size):
        return SimpleNamespace(dataloader=[_batch(documents[:batch_size], limit)])

    one = SimpleNamespace(get_global_rank=lambda: 0, get_local_rank=lambda: 0, is_available=lambda: False)
    module.dist = one
    same = SimpleNamespace(get_rng_state=lambda: None, seed_all=lambda seed: None, load_rng_state=lambda state: None)
    composer = stub("composer.utils", dist=one, get_device=None, reproducibility=same)
    loader = stub("llmfoundry.data.dataloader", build_dataloader=build_dataloader)
    with modules(
        {m.__name__: m for m in (stub("composer"), composer, stub("llmfoundry"), stub("llmfoundry.data"), loader)}
    ):
        cfg = {"dataset": {"max_seq_len": limit, "max_leftover_bins_to_keep": max_leftover_bins_to_keep}}
        return float(module.auto_packing_ratio(cfg, None, device_batch_size))
