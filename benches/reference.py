"""Times the published code on the same histogram.

usage: reference.py REPOSITORY DATASET.csv

REPOSITORY is a clone of https://github.com/graphcore/examples (tutorials/blogs_code/packedBERT is used,
unmodified; it is not part of this repository). Needs numpy. Prints lines like those of the benchmark.
"""

import contextlib
import io
import statistics
import sys
import time

import numpy

repository, dataset = sys.argv[1:3]
sys.path.insert(0, repository + "/tutorials/blogs_code/packedBERT")
import lpfhp
import spfhp

histogram = numpy.zeros(512, dtype=numpy.int64)
for line in open(dataset).readlines()[1:]:
    length, count = line.split(",")
    histogram[int(length) - 1] = int(count)


def median(pack, depth):
    samples = []
    for _ in range(9):
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            pack(histogram, 512, depth)
        samples.append(time.perf_counter() - start)
    return 1000 * statistics.median(samples)


for name, pack in [("spfhp", spfhp.pack_using_spfhp), ("lpfhp", lpfhp.pack_using_lpfhp)]:
    for shown, depth in [("3", 3), ("unlimited", "max")]:
        print("BENCH", name, shown, "%.5f" % median(pack, depth))
