"""The table of lengths, made where the data live: the same as from the items themselves."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import items_of, needs_java

ENGINES = ["duckdb", "polars", pytest.param("spark", marks=needs_java), "datasets"]
LARGE = ["duckdb", "polars", pytest.param("spark", marks=needs_java)]


def make(packscope, tool, path, *args):
    # Spark runs in a process of its own, which stays where it began.
    text = packscope.run("export", "count", "--tool", tool, "--path", packscope.folder / path, *args)
    if tool == "duckdb":
        import duckdb

        duckdb.connect().execute(text)
    else:
        exec(compile(text, f"<{tool}>", "exec"), {"__name__": tool})
    return next(f for f in ("lengths.csv", "sizes.csv") if (packscope.folder / f).exists())


def judge(packscope, file, items):
    """The table is the histogram of the items, and Packscope reads the same from both."""
    sizes, counts = np.unique(items, axis=0, return_counts=True)
    table = pd.read_csv(packscope.folder / file)
    assert list(table.columns)[-1] == "count"
    assert np.array_equal(table.to_numpy(), np.column_stack([sizes, counts]))
    columns = list(table.columns)[:-1]
    pd.DataFrame(items.reshape(len(items), -1), columns=columns).to_csv(packscope.folder / "all.csv", index=False)
    summary = [packscope.json("describe", name)["summary"] for name in (file, "all.csv")]
    assert summary[0] == summary[1]


def token_ids(lengths):
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    ids = (np.arange(offsets[-1]) % 7).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(ids))


@pytest.mark.parametrize("tool", LARGE)
def test_token_ids_of_two_million(packscope, tool):
    items = np.tile(items_of("glue_sst2"), 30)
    assert len(items) > 2_000_000
    pq.write_table(pa.table({"input_ids": token_ids(items)}), "ids.parquet", row_group_size=250_000)
    judge(packscope, make(packscope, tool, "ids.parquet"), items)


@pytest.mark.parametrize("tool", LARGE)
def test_lengths_of_two_million(packscope, tool):
    items = items_of("wikipedia_bert_512", part=8)
    for i, part in enumerate(np.array_split(items, 3)):
        pd.DataFrame({"tokens": part}).to_parquet(f"part-{i}.parquet")
    judge(packscope, make(packscope, tool, "part-*.parquet", "--length", "tokens"), items)


def test_datasets_token_ids(packscope):
    items = items_of("glue_stsb")
    pq.write_table(pa.table({"input_ids": token_ids(items)}), "ids.parquet")
    judge(packscope, make(packscope, "datasets", "ids.parquet"), items)


@pytest.mark.parametrize("tool", ENGINES)
def test_graphs(packscope, tool):
    items = items_of("ogbg_molhiv", part=10)
    pd.DataFrame(items, columns=["num_nodes", "num_edges"]).to_parquet("graphs.parquet")
    file = make(packscope, tool, "graphs.parquet", "--sizes", "num_nodes,num_edges")
    judge(packscope, file, items)


@pytest.mark.parametrize("tool", ENGINES)
def test_json_lines(packscope, tool):
    items = items_of("glue_wnli")
    pd.DataFrame({"a \"quoted\" column": [[1] * n for n in items]}).to_json("ids.jsonl", orient="records", lines=True)
    judge(packscope, make(packscope, tool, "ids.jsonl", "--ids", 'a "quoted" column'), items)


@pytest.mark.parametrize("tool", ["polars", pytest.param("spark", marks=needs_java), "datasets"])
def test_text(packscope, tool):
    """Words by a tokenizer made here: no model is downloaded."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    # Lines to count lengths do not cut or fill them.
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding()
    tokenizer.save("tokenizer.json")
    items = items_of("glue_wnli")
    pd.DataFrame({"text": [" ".join(["word"] * n) for n in items]}).to_parquet("text.parquet")
    args = ["text.parquet", "--text", "text", "--tokenizer", str(packscope.folder / "tokenizer.json")]
    judge(packscope, make(packscope, tool, *args), items)
