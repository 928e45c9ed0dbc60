"""Written from their sources, of libraries that cannot be installed here: they need TensorFlow, build native code, or
are on no index. Item by item, as plainly as the source has it."""

from collections import deque

import numpy as np

from .common import Run, overlong, pieces_of, tokens_of, windows
from .registry import library


def twin(id, repository, commit, source, *settings):
    return library(id, f"{repository}@{commit}", source, *settings, twin=True)


@twin("seqio", "google/seqio", "b898b9f", "seqio/utils.py: trim_and_pack_dataset, _pack_with_tf_ops", {})
def seqio(lengths, limit):
    """PyPI has 0.0.20, which needs TensorFlow. Padded batches of `max(feature_lengths)` examples are packed one by one:
    an example that does not fit writes the row; the last row of each batch is written too."""
    kept = overlong(lengths, limit, "truncate")
    rows = []
    for batch in windows(list(kept), limit):
        partial, used = [], 0
        for i in batch:
            if used + kept[i] > limit:
                rows.append(partial)
                partial, used = [], 0
            partial.append((i, kept[i]))
            used += kept[i]
        rows.append(partial)
    return Run(lengths, rows)


@twin(
    "maxtext-tfds",
    "AI-Hypercomputer/maxtext",
    "e591f30cbbf2",
    "src/maxtext/input_pipeline/tfds_data_processing.py: preprocessing_pipeline; packing/sequence_packing.py: pack_dataset",
    {},
)
def maxtext_tfds(lengths, limit):
    """Truncated to a token more than the limit; inputs are all but the last token. Then packed as by seqio, from which
    it has been copied. Batches of 12 rows for each of four devices are made with `drop_remainder=True`."""
    inputs = [n - 1 for n in lengths]
    rows = seqio(inputs, limit).rows
    return Run(inputs, rows[: len(rows) // 48 * 48], samples=list(lengths))


@twin(
    "nanochat",
    "karpathy/nanochat",
    "0b949d9c0d19",
    "nanochat/dataloader.py: tokenizing_distributed_data_loader_with_state_bos_bestfit",
    {},
    {"buffer_size": 300},
)
def nanochat(lengths, limit, buffer_size=1000):
    """It is on no index. Documents come without an end there; here the buffer is emptied at the end, and a last row that
    is not full is in no batch."""
    batches = iter(windows(list(enumerate(lengths)), 128))
    rows, row, buffer, capacity = [], [], [], limit + 1

    def refill():
        buffer.extend(batch := next(batches, []))
        return bool(batch)

    remaining = capacity
    while True:
        while len(buffer) < buffer_size and refill():
            pass
        if not buffer:
            return Run(lengths, rows)
        best, best_size = None, 0
        for document in buffer:
            if best_size < document[1] <= remaining:
                best, best_size = document, document[1]
        if best is None:
            best = min(buffer, key=lambda document: document[1])
            best_size = remaining
        buffer.remove(best)
        row.append((best[0], best_size))
        remaining -= best_size
        if remaining == 0:
            rows.append(row)
            row, remaining = [], capacity


@twin(
    "litgpt",
    "Lightning-AI/litgpt",
    "26857050fe3f",
    "litgpt/data/text_files.py: TextFiles; litgpt/pretrain.py: get_dataloaders",
    {},
)
def litgpt(lengths, limit):
    """It needs lightning. litdata's TokensLoader reads blocks of `max_seq_length` tokens and one more from each chunk, in
    which documents are end to end: one chunk here."""
    tokens, block = np.concatenate([tokens_of(i, n) for i, n in enumerate(lengths)]), limit + 1
    return Run(lengths, [pieces_of(tokens[at * block : (at + 1) * block]) for at in range(len(tokens) // block)])


@twin(
    "oumi",
    "oumi-ai/oumi",
    "d8ed07778d79",
    "src/oumi/core/datasets/pretraining_async_text_dataset.py: PretrainingAsyncTextDataset",
    {},
)
def oumi(lengths, limit):
    """It needs much else. Documents are with the token that it appends. Whenever a document has filled a row, whole rows
    are taken from the buffer; what is left at the end is padded, unless it is no more than that token."""
    rows, buffer = [], []
    for document, size in enumerate(lengths):
        buffer += tokens_of(document, size)
        while len(buffer) >= limit:
            rows.append(pieces_of(buffer[:limit]))
            buffer = buffer[limit:]
    if len(buffer) > 1:
        rows.append(pieces_of(buffer))
    return Run(lengths, rows)


@twin(
    "xtuner",
    "InternLM/xtuner",
    "b934f462095c",
    "xtuner/v1/datasets/packing.py: get_pack_chunk_infos, closest_sum_indices, get_pack_infos_by_hard_split",
    {},
    {"pack_extra_buffer_size": 5},
    {"pack_extra_buffer_size": 0},
    {"pack_chunk_size": 100},
    {"pack_level": "hard"},
    {"pack_to_max_length": False},
)
def xtuner(
    lengths, limit, pack_level="soft", pack_extra_buffer_size=100, pack_chunk_size=10_000, pack_to_max_length=True
):
    """PyPI has what it was before. Of each chunk from its end: what does not fit closes the row, which then takes the
    shortest of the next, one after the other, while their sum fits. Of equal lengths numpy's sort decides there, which is
    not stable; here the first of the buffer. What is above the limit has a row of its own, truncated in the collator."""
    if pack_level == "hard":
        ends = np.cumsum([0, *lengths])
        rows = []
        for begin in range(0, ends[-1] // limit * limit, limit):
            first, last = np.searchsorted(ends, [begin, begin + limit - 1], side="right") - 1
            sizes = np.minimum(ends[first + 1 : last + 2], begin + limit) - np.maximum(ends[first : last + 1], begin)
            rows.append([(int(i), int(size)) for i, size in enumerate(sizes, first) if size])
        return Run(lengths, rows)
    rows = []
    for chunk in windows(list(range(len(lengths))), pack_chunk_size):
        row, used = [], 0
        while chunk:
            document = chunk.pop()
            if used + lengths[document] <= limit:
                row.append(document)
                used += lengths[document]
                continue
            if row:
                following = chunk[-pack_extra_buffer_size:] if pack_extra_buffer_size else []
                total = used
                for more in sorted(following, key=lambda i: lengths[i]):
                    total += lengths[more]
                    if total > limit:
                        break
                    row.append(more)
                    chunk.remove(more)
                rows.append(row)
            row, used = [document], lengths[document]
        if row:
            rows.append(row)
    return Run(lengths, [[(i, min(lengths[i], limit)) for i in row] for row in rows])


@twin(
    "nemo-rl",
    "NVIDIA-NeMo/RL",
    "7ea279abfebb",
    "nemo_rl/data/packing/algorithms.py: ModifiedFirstFitDecreasingPacker",
    {},
    {"policy.train_global_batch_size": 512},
    {"policy.sequence_packing.algorithm": "first_fit_decreasing"},
    {"policy.sequence_packing.algorithm": "concatenative"},
)
def nemo_rl(lengths, limit, **settings):
    """On PyPI there is only an empty name. A bin for each item above a half; then, to each, the longest middle one that
    fits; from the last bin on, to those without one, the shortest small one and the longest beside it; then, bin by
    bin, the longest that fits; the rest longest first into the emptiest bin, which the comment calls first fit."""
    kept = overlong(lengths, limit, "truncate")
    rows = []
    algorithm = settings.get("policy.sequence_packing.algorithm", "modified_first_fit_decreasing")
    pack = {"modified_first_fit_decreasing": _mffd, "first_fit_decreasing": _ffd, "concatenative": _next_fit}[algorithm]
    for window in windows(list(kept), settings.get("policy.train_global_batch_size", 32)):
        rows += pack([(i, kept[i]) for i in window], limit)
    return Run(lengths, rows)


def _next_fit(items, capacity):
    rows = []
    for item in items:
        if not rows or sum(size for _, size in rows[-1]) + item[1] > capacity:
            rows.append([])
        rows[-1].append(item)
    return rows


def _ffd(items, capacity):
    rows = []
    for item in sorted(items, key=lambda item: -item[1]):
        fitting = (row for row in rows if sum(size for _, size in row) + item[1] <= capacity)
        row = next(fitting, None)
        if row is None:
            rows.append(row := [])
        row.append(item)
    return rows


def _mffd(items, capacity):
    def between(least, most):
        return [item for item in items if capacity / least < item[1] and (most is None or item[1] <= capacity / most)]

    def room(row):
        return capacity - sum(size for _, size in row)

    large = sorted(between(2, None), key=lambda item: -item[1])
    medium = sorted(between(3, 2), key=lambda item: -item[1])
    small = sorted(between(6, 3), key=lambda item: item[1])
    tiny = [item for item in items if item[1] <= capacity / 6]
    rows = [[item] for item in large]
    for row in rows:
        fitting = next((item for item in medium if item[1] <= room(row)), None)
        if fitting:
            medium.remove(fitting)
            row.append(fitting)
    for row in reversed(rows):
        if len(row) > 1 or len(small) < 2 or small[0][1] + small[1][1] > room(row):
            continue
        row.append(small.pop(0))
        last = [item for item in small if item[1] <= room(row)][-1]
        small.remove(last)
        row.append(last)
    rest = sorted(medium + small + tiny, key=lambda item: -item[1])
    for row in rows:
        while fitting := next((item for item in rest if item[1] <= room(row)), None):
            rest.remove(fitting)
            row.append(fitting)
    more = []
    for item in rest:
        emptiest = min(more, key=lambda row: -room(row), default=None)
        if emptiest is None or room(emptiest) < item[1]:
            more.append([item])
        else:
            emptiest.append(item)
    return rows + more


@twin(
    "modernbert",
    "AnswerDotAI/ModernBERT",
    "8c57a0f01c12",
    "src/sequence_packer.py: GreedyBestFitSequencePacker",
    {"packing_buffer_size": 64, "device_train_batch_size": 16, "device_train_microbatch_size": 4},
)
def modernbert(lengths, limit, device_train_batch_size=512, device_train_microbatch_size=32, packing_buffer_size=2560):
    """It is on no index. `batch // micro` rows of `micro * limit` slots are open; each
    sequence goes where it fits best; those that fit nowhere wait, and come back in reverse for the next batch.
    Sequences are read by whole batches, as many as the buffer has room for, less those that wait. A batch
    with an empty row ends the epoch."""
    batch_size, buffer_size = device_train_batch_size, packing_buffer_size
    micro_batch_size = device_train_microbatch_size
    kept = overlong(lengths, limit, "truncate")
    source = iter(windows([(i, kept[i]) for i in kept], batch_size))
    capacity, rows, buffer = micro_batch_size * limit, [], deque()

    def fill(at_most):
        added = 0
        while buffer_size - len(buffer) > batch_size and added + batch_size <= at_most:
            batch = next(source, None)
            if batch is None:
                break
            buffer.extend(batch)
            added += len(batch)
        return added

    while True:
        batch = [[] for _ in range(batch_size // micro_batch_size)]
        space = [capacity] * len(batch)
        waiting = []
        while buffer or fill(buffer_size - len(waiting)):
            item = buffer.popleft()
            fitting = [row for row in range(len(batch)) if space[row] >= item[1]]
            if not fitting:
                waiting.append(item)
                continue
            best = min(fitting, key=lambda row: space[row])
            batch[best].append(item)
            space[best] -= item[1]
        buffer.extendleft(waiting)
        if not all(batch):
            return Run(lengths, rows)
        rows += batch


@twin(
    "fairseq",
    "facebookresearch/fairseq",
    "3d262bb25690",
    "fairseq/data/data_utils_fast.pyx: batch_by_size_vec; fairseq/data/data_utils.py: batch_by_size",
    {},
    {"required_batch_size_multiple": 1},
)
def fairseq(lengths, limit, required_batch_size_multiple=8, batch=8):
    """Its last release, 0.12.2, does not build for Python 3.11. In the order of lengths. Sentences wait behind a batch
    until their number with it is below the multiple, or one of its multiples; the first that makes count times longest
    exceed `max_tokens` closes the batch, and those that wait begin the next. The last batch is left out if it is no
    multiple."""
    kept = overlong(lengths, limit, "truncate")
    most, multiple = batch * limit, required_batch_size_multiple
    full, tail, rows = [], [], []

    def exceeds(documents):
        return len(documents) * max(kept[i] for i in documents) > most

    for i in sorted(kept, key=lambda i: kept[i]):
        with_it = [*full, *tail, i]
        if exceeds(with_it):
            rows.append(full)
            if exceeds([*tail, i]):
                rows.append(tail)
                tail = []
            full, tail = [*tail, i], []
        elif len(with_it) < multiple or len(with_it) % multiple == 0:
            full, tail = with_it, []
        else:
            tail.append(i)
    rows += [row for row in (full, tail) if row]
    if multiple > 1 and len(rows[-1]) % multiple:
        rows.pop()
    return Run(lengths, [[(i, kept[i]) for i in row] for row in rows])


def volumes_of_binpacking_1(items, capacity, weight_pos):
    """`to_constant_volume` of binpacking 1.5.2 (benmaier/binpacking), before 2.0.0 made it the emptiest bin: longest
    first, into the fullest bin with room. Only one version can be installed."""
    rows, used = [], []
    for item in sorted(items, key=lambda item: -item[weight_pos]):
        fitting = [row for row in range(len(rows)) if used[row] + item[weight_pos] <= capacity]
        if fitting:
            best = max(fitting, key=lambda row: used[row])
        else:
            best = len(rows)
            rows.append([])
            used.append(0)
        rows[best].append(item)
        used[best] += item[weight_pos]
    return rows
