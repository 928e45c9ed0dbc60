"""Times the published code on the same histograms.

usage: reference.py DATASETS REPOSITORY [BATCHES]

DATASETS is the folder of the built-in counts, REPOSITORY a clone of https://github.com/graphcore/examples
(tutorials/blogs_code is used, unmodified), BATCHES one of https://github.com/amrnag/TokenDrop-BucketSampler; neither is
part of this repository. Needs numpy. Prints lines like those of the benchmark.
"""

import collections
import contextlib
import io
import json
import statistics
import sys
import time

import numpy

datasets, repository, *batches = sys.argv[1:]
sys.path.insert(0, repository + "/tutorials/blogs_code/packedBERT")
import lpfhp
import spfhp

histogram = numpy.zeros(512, dtype=numpy.int64)
for line in open(datasets + "/wikipedia_bert_512.csv").readlines()[1:]:
    length, count = line.split(",")
    histogram[int(length) - 1] = int(count)


def median(pack):
    samples = []
    for _ in range(9):
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            pack()
        samples.append(time.perf_counter() - start)
    return 1000 * statistics.median(samples)


for name, pack in [("spfhp", spfhp.pack_using_spfhp), ("lpfhp", lpfhp.pack_using_lpfhp)]:
    for shown, depth in [("3", 3), ("unlimited", "max")]:
        print("BENCH", name, shown, "%.5f" % median(lambda: pack(histogram, 512, depth)))

# The packer of graphs is a cell of a notebook.
notebook = json.load(open(repository + "/tutorials/blogs_code/gnns/graph_packing.ipynb"))
cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
published = {"defaultdict": collections.defaultdict, "np": numpy}
exec(next(cell for cell in cells if "def pack_using_dlpfhp(" in cell), published)
graphs = {}
for line in open(datasets + "/ogbg_molhiv.csv").readlines()[1:]:
    nodes, edges, count = map(int, line.split(","))
    graphs[nodes, edges] = count
pack = published["pack_using_dlpfhp"]
took = median(lambda: pack(graphs, (222, 502), 256, heuristic=lambda nodes, edges: nodes, verbose=False))
print("GRAPHS ogbg_molhiv 222,502 256 best-fit-published %.4f %.4f 0 0" % (took, took))

# The sampler is two functions of a script that trains; it needs one item for each sequence.
for clone in batches:
    script = open(clone + "/tokendrop+bucketsampler.py").read()
    sampler = {"np": numpy}
    exec(script[script.index("def create_buckets(") : script.index("class BucketSampler(")], sampler)
    lengths = []
    for line in open(datasets + "/glue_sst2.csv").readlines()[1:]:
        length, count = map(int, line.split(","))
        lengths += [length] * count

    def epochs():
        buckets = sampler["create_buckets"](lengths)
        return sum(len(sampler["bucket_sequences"](buckets, epoch)) for epoch in range(3))

    print("BATCHES glue_sst2 128 3 bucket %.4f %d" % (median(epochs), epochs()))
