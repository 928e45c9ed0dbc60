"""Reading files: ours beside pandas' C reader, polars' lazy scan and Python's tokenizers, each in a process of its own, one after
another.

    python benches/reading.py FOLDER make              writes lengths.csv and texts.jsonl into FOLDER, 100 MB each, and
                                                       gigabyte.csv, lengths.csv ten times
    python benches/reading.py FOLDER measure PACKSCOPE reads them with PACKSCOPE (the command line) and the others

Prints lines `READ what file seconds megabytes_per_second peak_megabytes records`.
"""

import json
import os
import random
import resource
import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).parent.parent / "tests" / "data" / "tokens"
SIZE = 100_000_000

PANDAS = """
import sys, time, pandas
start = time.perf_counter()
counts = pandas.read_csv(sys.argv[1], engine="c")["length"].value_counts()
print(time.perf_counter() - start, int(counts.sum()))
"""

# As pandas: the time to import is left out.
POLARS = """
import sys, time, polars
start = time.perf_counter()
counts = polars.scan_csv(sys.argv[1]).group_by("length").len().collect(engine="streaming")
print(time.perf_counter() - start, counts["len"].sum())
"""

TOKENIZERS = """
import sys, time, json, collections
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(sys.argv[2])
start = time.perf_counter()
counts, batch = collections.Counter(), []
def flush():
    counts.update(len(e.ids) for e in tokenizer.encode_batch_fast(batch))
    batch.clear()
for line in open(sys.argv[1], encoding="utf-8"):
    batch.append(json.loads(line)["text"])
    if len(batch) == 1000:
        flush()
flush()
print(time.perf_counter() - start, sum(counts.values()))
"""


def make(folder):
    rng = random.Random(7)
    with open(folder / "lengths.csv", "w") as out:
        out.write("id,length\n")
        written = 10
        while written < SIZE:
            lines = [f"{written + i},{int(rng.lognormvariate(5, 1)) + 1}\n" for i in range(1000)]
            written += sum(map(len, lines))
            out.writelines(lines)
    header, rows = (folder / "lengths.csv").read_bytes().split(b"\n", 1)
    with open(folder / "gigabyte.csv", "wb") as out:
        out.write(header + b"\n")
        for _ in range(10):
            out.write(rows)
    records = [json.loads(line) for line in open(DATA / "devil.jsonl", encoding="utf-8")]
    words = " ".join(value for record in records for value in record.values() if isinstance(value, str)).split()
    with open(folder / "texts.jsonl", "w") as out:
        written = 0
        while written < SIZE:
            at = rng.randrange(len(words) - 400)
            text = " ".join(words[at : at + rng.randrange(5, 400)])
            line = json.dumps({"id": written, "text": text}) + "\n"
            written += len(line)
            out.write(line)


def child(command, **settings):
    """Runs a command; its output, and the most memory it took in megabytes."""
    environment = {**os.environ, **settings}
    measured = subprocess.run(
        [sys.executable, "-c", CHILD, *command], capture_output=True, text=True, check=True, env=environment
    )
    *out, peak = measured.stdout.strip().splitlines()
    return out, float(peak)


CHILD = """
import resource, subprocess, sys, time
start = time.perf_counter()
out = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True, check=True).stdout
print(out.strip())
print(time.perf_counter() - start)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


def say(what, file, seconds, peak, records):
    rate = file.stat().st_size / 1e6 / seconds
    print(f"READ {what} {file.name} {seconds:.2f} {rate:.1f} {peak:.0f} {records}", flush=True)


def ours(packscope, arguments, what, file):
    out, peak = child([packscope, *arguments])
    report = json.loads("\n".join(out[:-1]))
    read = report["read"]
    say(what, file, float(out[-1]), peak, read["records"])


def theirs(code, what, file, *more, **settings):
    out, peak = child([sys.executable, "-c", code, str(file), *map(str, more)], **settings)
    seconds, records = out[0].split()
    say(what, file, float(seconds), peak, records)


def measure(folder, packscope):
    lengths, texts = folder / "lengths.csv", folder / "texts.jsonl"
    for file in [lengths, folder / "gigabyte.csv"]:
        for _ in range(5):
            ours(packscope, ["describe", file, "--length-column", "length", "--format", "json"], "packscope", file)
            theirs(POLARS, "polars", file)
            # Of a gigabyte it holds several in memory.
            if file == lengths:
                theirs(PANDAS, "pandas", file)
    for name in ["wordpiece", "byte-bpe", "unigram"]:
        tokenizer = DATA / f"{name}.json"
        command = ["tokens", texts, "--tokenizer", tokenizer, "--template", "{text}", "--format", "json"]
        ours(packscope, command, f"packscope/{name}", texts)
        theirs(TOKENIZERS, f"tokenizers-1-thread/{name}", texts, tokenizer, TOKENIZERS_PARALLELISM="false")
        theirs(TOKENIZERS, f"tokenizers-all-threads/{name}", texts, tokenizer, TOKENIZERS_PARALLELISM="true")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if sys.argv[2] == "make":
        make(folder)
    else:
        measure(folder, sys.argv[3])
