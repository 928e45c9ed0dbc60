"""Files as people's tools write them, made afresh: Packscope reads the histogram that Python counts, or says why not.

A case is a writer and a set of lengths. What is read is asked for item by item (`assign`), so that two histograms are
the same only if every length is there as often.
"""

import collections
import csv
import gzip
import io
import json
import sqlite3
import struct
import subprocess
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from conftest import needs_java

SETS = {
    "few": [5] * 40 + [9] * 3 + [12] * 7,
    "many": [int(n) for n in np.random.default_rng(1).integers(1, 400, 700)],
    "skewed": [7] * 1234 + [1000] + [3] * 17 + [64] * 5,
}
WRITERS = []


def writes(name):
    def add(writer):
        WRITERS.append((name, writer))
        return writer

    return add


def counted(items):
    return sorted(collections.Counter(items).items())


def table(items, length="length", count="count"):
    return pd.DataFrame(counted(items), columns=[length, count])


def variants(tool, ending, write, tables):
    """A writer for each table."""
    for name, make in tables.items():
        WRITERS.append((f"{tool}-{name}.{ending}", lambda path, items, make=make: write(make(items), path)))


# pandas, as people count with it.
def series(items):
    return pd.Series(items, name="length")


PANDAS = {
    "items": lambda items: pd.DataFrame({"length": items}),
    "items-index": lambda items: pd.DataFrame({"id": range(len(items)), "num_tokens": items}),
    "value-counts": lambda items: series(items).value_counts().reset_index(),
    "groupby-size": lambda items: pd.DataFrame({"length": items}).groupby("length").size().reset_index(),
    "groupby-name": lambda items: pd.DataFrame({"length": items}).groupby("length").size().reset_index(name="n"),
    "groupby-rows": lambda items: pd.DataFrame({"length": items}).groupby("length").size().reset_index(name="size"),
    "odd-names": lambda items: table(items, "tok_len", "zahl"),
}


variants("pandas", "csv", lambda frame, path: frame.to_csv(path, index=False), PANDAS)
variants("pandas-index", "csv", lambda frame, path: frame.to_csv(path), PANDAS)
variants("pandas-tab", "tsv", lambda frame, path: frame.to_csv(path, index=False, sep="\t"), PANDAS)
variants("pandas-records", "json", lambda frame, path: frame.to_json(path, orient="records"), PANDAS)
variants("pandas-lines", "jsonl", lambda frame, path: frame.to_json(path, orient="records", lines=True), PANDAS)
variants("pandas-columns", "json", lambda frame, path: frame.to_json(path), PANDAS)
variants("pandas-split", "json", lambda frame, path: frame.to_json(path, orient="split"), PANDAS)


@writes("pandas-groupby-series.csv")
def _(path, items):
    pd.DataFrame({"length": items}).groupby("length").size().to_csv(path)


@writes("pandas-value-counts-series.csv")
def _(path, items):
    series(items).value_counts().to_csv(path)


@writes("pandas-utf-16.csv")
def _(path, items):
    table(items).to_csv(path, index=False, sep="\t", encoding="utf-16")


@writes("pandas-german.csv")
def _(path, items):
    table(items).to_csv(path, index=False, sep=";", decimal=",")


@writes("pandas.csv.gz")
def _(path, items):
    table(items, count="COUNT(*)").to_csv(path, index=False, compression="gzip")


@writes("pandas.csv.zip")
def _(path, items):
    table(items, count="cnt").to_csv(path, index=False, compression="zip")


@writes("pandas-markdown.md")
def _(path, items):
    rows = "\n".join(f"| {length} | {count} |" for length, count in counted(items))
    path.write_text(f"| length | count |\n|---:|---:|\n{rows}\n")


# pyarrow
def arrow(items):
    return pa.table({"length": pa.array(items, pa.int32())})


def arrow_counts(items):
    return arrow(items).group_by("length").aggregate([([], "count_all")])


@writes("pyarrow.csv")
def _(path, items):
    pa.csv.write_csv(pa.Table.from_pandas(table(items), preserve_index=False), path)


@writes("pyarrow-count-all.parquet")
def _(path, items):
    pq.write_table(arrow_counts(items), path)


for packed in ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]:
    for version in ["1.0", "2.0"]:
        for page in [1, 1000, 1 << 20]:

            @writes(f"pyarrow-{packed}-{version}-{page}.parquet")
            def _(path, items, packed=packed, version=version, page=page):
                options = {"compression": packed, "data_page_version": version, "data_page_size": page}
                pq.write_table(arrow(items), path, row_group_size=333, **options)


for kind in [pa.int8, pa.uint16, pa.uint64, pa.float32, pa.float64]:

    @writes(f"pyarrow-{kind.__name__}.parquet")
    def _(path, items, kind=kind):
        short = [n for n in items if n < 128]
        pq.write_table(pa.table({"len": pa.array(short, kind())}), path)
        return short


for digits in [5, 15, 25]:

    @writes(f"pyarrow-decimal-{digits}.parquet")
    def _(path, items, digits=digits):
        pq.write_table(pa.table({"length": pa.array(items, pa.int64()).cast(pa.decimal128(max(digits, 19), 0)).cast(pa.decimal128(digits, 0))}), path)


@writes("pyarrow-token-ids.parquet")
def _(path, items):
    pq.write_table(pa.table({"input_ids": [list(range(n)) for n in items]}), path, data_page_size=1000)


# zstd, which Parquet, pandas and the shell use too.
@writes("pyarrow.csv.zst")
def _(path, items):
    with pa.output_stream(path, compression="zstd") as out:
        pa.csv.write_csv(pa.Table.from_pandas(table(items), preserve_index=False), out)


@writes("zstd-frames.jsonl.zst")
def _(path, items):
    frames = [pa.compress(f'{{"length": {n}}}\n'.encode(), codec="zstd", asbytes=True) for n in items]
    path.write_bytes(b"".join(frames))


@writes("zstd.npy.zst")
def _(path, items):
    out = io.BytesIO()
    np.save(out, np.asarray(items))
    path.write_bytes(pa.compress(out.getvalue(), codec="zstd", asbytes=True))


# Arrow, as a file and as a stream, in batches.
@writes("arrow-file.arrow")
def _(path, items):
    with pa.ipc.new_file(path, arrow(items).schema) as writer:
        writer.write_table(arrow(items), max_chunksize=100)


@writes("arrow-stream.arrows")
def _(path, items):
    table = pa.table({"id": [str(i) for i in range(len(items))], "len": pa.array(items, pa.uint16())})
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=333)


@writes("arrow-lists.arrow")
def _(path, items):
    table = pa.table({"label": [True] * len(items), "text": ["a b"] * len(items), "input_ids": [[1] * n for n in items]})
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)


@writes("arrow-null.arrow")
def _(path, items):
    table = pa.table({"x": [{"a": 1, "b": [1, 2]}] * len(items), "num_tokens": pa.array(items, pa.float64())})
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)


@writes("polars.arrow")
def _(path, items):
    import polars as pl

    pl.DataFrame({"name": ["a text that is longer than twelve"] * len(items), "length": items}).write_ipc(path)


@writes("polars-texts.arrow")
def _(path, items):
    import polars as pl

    pl.DataFrame({"text": [" ".join(["word"] * n) for n in items], "x": [None] * len(items)}).write_ipc(path)


@writes("save-to-disk")
def _(path, items):
    import datasets

    table = datasets.Dataset.from_dict({"input_ids": [[1] * n for n in items], "label": [0] * len(items)})
    table.save_to_disk(path, num_shards=2)


# polars
def polars_counts(items, name=None):
    import polars as pl

    frame = pl.DataFrame({"length": items}).group_by("length").len()
    return frame.rename({"len": name}) if name else frame


@writes("polars-count.csv")
def _(path, items):
    polars_counts(items, "count").write_csv(path)


@writes("polars-n.parquet")
def _(path, items):
    polars_counts(items, "n").write_parquet(path)


@writes("polars-count.parquet")
def _(path, items):
    polars_counts(items, "count").write_parquet(path, compression="lz4")


@writes("polars-value-counts.json")
def _(path, items):
    import polars as pl

    pl.Series("length", items).value_counts().write_json(path)


@writes("polars.ndjson")
def _(path, items):
    import polars as pl

    pl.DataFrame({"length": items, "id": range(len(items))}).write_ndjson(path)


# DuckDB
def duckdb_writes(name, sql):
    @writes(f"duckdb-{name}")
    def _(path, items):
        import duckdb

        frame = pd.DataFrame({"length": items})
        duckdb.connect().register("frame", frame).execute(f"COPY ({sql}) TO '{path}'")


for form in ["csv", "parquet", "json"]:
    duckdb_writes(f"star.{form}", "SELECT length, count(*) FROM frame GROUP BY length")
    duckdb_writes(f"one.{form}", "SELECT length, count(1) FROM frame GROUP BY length ORDER BY 2 DESC")
    duckdb_writes(f"named.{form}", "SELECT length, count(*) AS n FROM frame GROUP BY ALL")
    duckdb_writes(f"sum.{form}", "SELECT length, sum(1) AS count FROM frame GROUP BY ALL")
    duckdb_writes(f"items.{form}", "SELECT row_number() OVER () AS id, length FROM frame")


# NumPy
def numpy_writes(name, save):
    @writes(f"numpy-{name}")
    def _(path, items):
        save(path, np.asarray(items), np.unique(items, return_counts=True))


for kind in ["int16", "uint32", "int64", "float64", ">i4"]:
    numpy_writes(f"{kind.strip('>')}-{len(kind)}.npy", lambda path, items, _, kind=kind: np.save(path, items.astype(kind)))
numpy_writes("pairs.npy", lambda path, _, unique: np.save(path, np.column_stack(unique)))
numpy_writes("pairs-fortran.npy", lambda path, _, unique: np.save(path, np.asfortranarray(np.column_stack(unique))))
numpy_writes("named.npz", lambda path, _, unique: np.savez(path, lengths=unique[0], counts=unique[1]))
numpy_writes("packed.npz", lambda path, _, unique: np.savez_compressed(path, length=unique[0], n=unique[1]))
numpy_writes("savetxt.txt", lambda path, items, _: np.savetxt(path, items))
numpy_writes("savetxt-d.txt", lambda path, items, _: np.savetxt(path, items, fmt="%d"))
numpy_writes("savetxt-pairs.txt", lambda path, _, unique: np.savetxt(path, np.column_stack(unique)))
numpy_writes("savetxt-comma.csv", lambda path, _, unique: np.savetxt(path, np.column_stack(unique), fmt="%d", delimiter=","))


# Python's own
@writes("python-csv.csv")
def _(path, items):
    with open(path, "w", newline="") as file:
        csv.writer(file, dialect="excel").writerows([("Länge", "Anzahl"), *counted(items)])


@writes("python-csv-quoted.csv")
def _(path, items):
    with open(path, "w", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("seq_len", "f0_"), *counted(items)])


@writes("python-thousands.csv")
def _(path, items):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("length", "count"), *((f"{n:,}", f"{count:,}") for n, count in counted(items))])


@writes("python-counter.txt")
def _(path, items):
    print(collections.Counter(items), file=open(path, "w"))


@writes("python-dict.txt")
def _(path, items):
    print(dict(counted(items)), file=open(path, "w"))


@writes("python-counter.json")
def _(path, items):
    path.write_text(json.dumps(collections.Counter(items)))


@writes("python-items.json")
def _(path, items):
    path.write_text(json.dumps(items, indent=1))


@writes("python-pairs.json")
def _(path, items):
    path.write_text(json.dumps(counted(items)))


@writes("python-encoding.json")
def _(path, items):
    path.write_text(json.dumps({"input_ids": [[1] * n for n in items], "attention_mask": [[1] * n for n in items]}))


@writes("python.jsonl.gz")
def _(path, items):
    with gzip.open(path, "wt") as file:
        file.writelines(json.dumps({"text": " ".join(["word"] * n), "meta": {"i": 1}}) + "\n" for n in items)


@writes("python-fasta.fa")
def _(path, items):
    lines = []
    for i, n in enumerate(items):
        letters = "MKV" * (n // 3 + 1)
        lines += [f">protein {i}", *(letters[at : min(at + 60, n)] for at in range(0, n, 60))]
    path.write_text("\n".join(lines) + "\n")


@writes("megatron.idx")
def _(path, items):
    head = struct.pack("<9sQBQQ", b"MMIDIDX\0\0", 1, 4, len(items), 2)
    starts = np.concatenate([[0], np.cumsum(items)[:-1]]) * 4
    path.write_bytes(
        head + np.asarray(items, "<i4").tobytes() + starts.astype("<i8").tobytes() + np.asarray([0, 1], "<i8").tobytes()
    )


# SQLite, and what databases print.
@writes("sqlite.csv")
def _(path, items):
    rows, names = sqlite_counts(items)
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([names, *rows])


@writes("mysql-box.txt")
def _(path, items):
    rows, names = sqlite_counts(items)
    rule = "+----------+----------+\n"
    body = "".join(f"| {n:>8} | {count:>8} |\n" for n, count in rows)
    path.write_text(rule + f"| {names[0]:<8} | {names[1]:<8} |\n" + rule + body + rule)


@writes("psql.txt")
def _(path, items):
    rows, _ = sqlite_counts(items)
    body = "".join(f" {n:>8} | {count:>8} \n" for n, count in rows)
    path.write_text(f"  length  |  count   \n----------+----------\n{body}({len(rows)} rows)\n\n")


def sqlite_counts(items):
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (length INTEGER)")
    base.executemany("INSERT INTO t VALUES (?)", [(n,) for n in items])
    cursor = base.execute("SELECT length, COUNT(*) FROM t GROUP BY length")
    return cursor.fetchall(), [column[0] for column in cursor.description]


# The shell.
@writes("uniq.txt")
def _(path, items):
    text = "".join(f"{n}\n" for n in items)
    subprocess.run(f"sort -n | uniq -c > '{path}'", shell=True, input=text, text=True, check=True)


@writes("awk.txt")
def _(path, items):
    text = "".join("x" * n + "\n" for n in items)
    subprocess.run(f"awk '{{print length}}' > '{path}'", shell=True, input=text, text=True, check=True)


# R: as write.csv and table write them.
@writes("r-write.csv")
def _(path, items):
    path.write_text('"","nchar"\n' + "".join(f'"{i + 1}",{n}\n' for i, n in enumerate(items)))


@writes("r-table.csv")
def _(path, items):
    path.write_text('"","Var1","Freq"\n' + "".join(f'"{i + 1}","{n}",{c}\n' for i, (n, c) in enumerate(counted(items))))


# Folders.
@writes("zip-of-parts.zip")
def _(path, items):
    with zipfile.ZipFile(path, "w") as archive:
        for i, part in enumerate(np.array_split(items, 3)):
            archive.writestr(f"part-{i:05}.csv", "length\n" + "".join(f"{n}\n" for n in part))
        archive.writestr("_SUCCESS", "")
        archive.writestr("__MACOSX/part", "x")


@writes("hive")
def _(path, items):
    frame = pa.table({"length": items, "split": ["ab"[i % 2] for i in range(len(items))]})
    pq.write_to_dataset(frame, path, partition_cols=["split"])
    (path / "_SUCCESS").write_text("")
    (path / ".part.crc").write_bytes(b"crc\0")


@writes("spark-like")
def _(path, items):
    path.mkdir()
    for i, part in enumerate(np.array_split(items, 4)):
        pd.DataFrame({"length": part}).to_json(path / f"part-{i:05}-c000.json", orient="records", lines=True)
        (path / f".part-{i:05}-c000.json.crc").write_bytes(b"crc\0")
    (path / "_SUCCESS").write_text("")


@pytest.mark.parametrize("lengths", SETS)
@pytest.mark.parametrize("name, write", WRITERS, ids=[name for name, _ in WRITERS])
def test_histogram(packscope, name, write, lengths):
    items = SETS[lengths]
    path = packscope.folder / name
    items = write(path, items) or items
    columns = next((columns for part, columns in ASKED.items() if part in name), [])
    if columns:
        assert "--count-column" in refused(packscope, name)
    assert read(packscope, name, max(items), *columns) == collections.Counter(items)


# Without names, or with names that nobody knows, which column counts is asked.
ASKED = {
    "odd-names": ["--length-column", "tok_len", "--count-column", "zahl"],
    "numpy-pairs": ["--length-column", "1", "--count-column", "2"],
    "numpy-savetxt-comma": ["--length-column", "1", "--count-column", "2"],
    "numpy-savetxt-pairs": ["--length-column", "1", "--count-column", "2"],
    "python-pairs": ["--length-column", "1", "--count-column", "2"],
}


def read(packscope, name, limit, *columns):
    """The lengths of all items as Packscope has them."""
    assigned = packscope.run("assign", name, "--limit", limit, "--algorithm", "none", *columns)
    return collections.Counter(int(row["length"]) for row in csv.DictReader(io.StringIO(assigned)))


def refused(packscope, name):
    done = subprocess.run(
        [packscope.program, "describe", name], cwd=packscope.folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stdout
    return done.stderr


def test_bins_in_columns(packscope):
    import polars as pl

    bins = {"bin_start": [1, 4], "bin_end": [4, 5], "count": [3, 2]}
    for name, write in [("bins.parquet", pl.DataFrame.write_parquet), ("bins.arrow", pl.DataFrame.write_ipc)]:
        write(pl.DataFrame(bins), packscope.folder / name)
        described = packscope.run("describe", name, "--format", "json")
        assert json.loads(described)["read"]["items"] == 5, described


@pytest.mark.parametrize("name, write, why", [
    ("shares.csv", lambda path: series(SETS["few"]).value_counts(normalize=True).to_csv(path), "shares"),
    ("crosstab.csv", lambda path: pd.crosstab(series(SETS["few"]), pd.Series([0, 1] * 25, name="label")).to_csv(path), "count"),
    ("split.csv", lambda path: pd.DataFrame({"split": list("aabb"), "length": [5, 9, 5, 9], "n": [7, 8, 9, 3]}).to_csv(path, index=False), "--count-column"),
    ("sheet.xlsx", lambda path: zipfile.ZipFile(path, "w").writestr("[Content_Types].xml", ""), "to_csv"),
    ("r-print.txt", lambda path: path.write_text(" [1] 512  64\n [3]  12\n"), "writeLines"),
    ("pickle.pkl", lambda path: series(SETS["few"]).to_pickle(path), "pickle"),
])
def test_refused(packscope, name, write, why):
    write(packscope.folder / name)
    assert why in refused(packscope, name)


@needs_java
def test_spark(packscope):
    from pyspark.sql import SparkSession

    items = SETS["many"]
    spark = SparkSession.builder.getOrCreate()
    frame = spark.createDataFrame([(n,) for n in items], ["length"])
    for form, written in [("csv", frame), ("json", frame), ("parquet", frame), ("csv", frame.groupBy("length").count())]:
        folder = packscope.folder / f"spark-{form}-{len(written.columns)}"
        getattr(written.write.option("header", True), form)(str(folder))
        assert read(packscope, folder.name, max(items)) == collections.Counter(items)
