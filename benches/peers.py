"""Packers of Python on the lists of lengths that the benchmark has written.

usage: peers.py FOLDER

Needs the packages of tests/python/requirements.txt and trainers.txt. Prints lines `PEER who algorithm items
milliseconds packs`, as the benchmark does for packers of Rust. TRL is given sequences of tokens, and copies them.
"""

import contextlib
import io
import statistics
import sys
import time
from pathlib import Path

import numpy
import seqpacker
from datasets import Dataset, disable_caching
from datasets.utils.logging import disable_progress_bar
from trl.data_utils import pack_dataset

LIMIT = 512
folder = Path(sys.argv[1])
disable_caching()
disable_progress_bar()


def say(who, algorithm, lengths, pack, runs=5):
    samples = []
    for _ in range(runs):
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            packs = pack()
        samples.append(1000 * (time.perf_counter() - start))
    print("PEER", who, algorithm, len(lengths), "%.3f" % statistics.median(samples), packs, flush=True)


for items in (1_000_000, 100_000, 10_000):
    lengths = numpy.loadtxt(folder / f"items-{items}.txt", dtype=numpy.int64)
    for strategy in ("obfd", "ffd"):
        say(
            "seqpacker/Python",
            strategy,
            lengths,
            lambda: len(seqpacker.pack_sequences(lengths, capacity=LIMIT, strategy=strategy).bins),
        )
    if items <= 100_000:
        tokens = numpy.zeros(LIMIT, dtype=numpy.int32)
        data = Dataset.from_dict({"input_ids": [tokens[:length] for length in lengths]})
        say("TRL", "bfd", lengths, lambda: len(pack_dataset(data, LIMIT, "bfd")), runs=3)
