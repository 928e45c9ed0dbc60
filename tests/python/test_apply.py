"""A plan applied to items by each engine: places are those of `packscope assign`, figures those of the plan."""

import json

import numpy as np
import pandas as pd
import pytest
from conftest import items_of, needs_java, recount, write_items

SQUAD = "squad_1_1_bert_384"
CASES = {
    "usual": (SQUAD, ["--limit", "384"]),
    "three a pack": (SQUAD, ["--limit", "384", "--depth", "3", "--algorithm", "optimal"]),
    "truncated": (SQUAD, ["--limit", "160"]),
    "dropped": (SQUAD, ["--limit", "160", "--overlong", "drop"]),
    "split": (SQUAD, ["--limit", "100", "--overlong", "split"]),
    "aligned": (SQUAD, ["--limit", "380", "--align", "8"]),
    "short": ("glue_sst2", ["--limit", "128"]),
    "graphs": ("ogbg_molhiv", ["--limits", "222,502"]),
    "large graphs dropped": ("ogbg_molhiv", ["--limits", "60,120", "--depth", "4"]),
    "large graphs cut": ("ogbg_molhiv", ["--limits", "60,120", "--overlong", "truncate"]),
}


@pytest.fixture(params=CASES)
def case(request, packscope):
    name, settings = CASES[request.param]
    items = items_of(name)
    write_items(items, packscope.folder)
    settings = ["items.csv", *settings]
    packscope.run("export", "plan", *settings, "--out", "plan.json")
    return items, settings, json.loads((packscope.folder / "plan.json").read_text())


def by_command_line(packscope, settings, *more):
    packscope.run("assign", *settings, "--plan", "plan.json", "--out", "assigned.csv", *more)
    table = pd.read_csv(packscope.folder / "assigned.csv")
    table["offset"] = table.get("offset", table.get("nodes_offset"))
    sizes = ["length"] if "length" in table else ["nodes", "edges"]
    return {name: table[name].to_numpy() for name in ("item", "pack", "place", "offset")} | {
        "size": table[sizes].to_numpy()
    }


def same(found, wanted):
    for name in ("item", "pack", "place", "offset"):
        assert np.array_equal(found[name], wanted[name]), name
    assert np.array_equal(np.asarray(found["size"]).reshape(wanted["size"].shape), wanted["size"])


def of_engine(packscope):
    table = pd.read_parquet(packscope.folder / "assignment.parquet").sort_values(["id", "start"])
    sizes = ["length"] if "length" in table else ["nodes", "edges"]
    return {name: table[name].to_numpy() for name in ("pack", "place", "offset")} | {
        "item": table["id"].to_numpy(),
        "size": table[sizes].to_numpy(),
    }


def test_command_line(packscope, case):
    items, settings, plan = case
    recount(by_command_line(packscope, settings), plan, items)
    shuffled = by_command_line(packscope, settings, "--shuffle", "7")
    recount(shuffled, plan, items)
    assert not np.array_equal(shuffled["pack"], by_command_line(packscope, settings)["pack"])


def test_npy(packscope, case):
    items, settings, plan = case
    if plan["overlong"] == "split":
        pytest.skip("a split item is in several packs")
    packscope.run("assign", *settings, "--plan", "plan.json", "--format", "npy", "--out", "packs.npy")
    packs = np.load(packscope.folder / "packs.npy")
    wanted = by_command_line(packscope, settings)
    assert (packs.dtype, packs.shape) == (np.int32, (len(items),))
    assert np.array_equal(packs[wanted["item"]], wanted["pack"])
    assert (packs == -1).sum() == len(items) - len(wanted["item"])


@pytest.mark.parametrize("tool", ["numpy", "polars", "duckdb"])
def test_engine(packscope, case, tool):
    items, settings, plan = case
    names = packscope.snippet(tool, *settings)
    if tool == "numpy":
        placed = names["assign"](items, names["plan"])
        placed["size"] = placed["length"]
    else:
        placed = of_engine(packscope)
    same(placed, by_command_line(packscope, settings))
    recount(placed, plan, items)


@needs_java
def test_spark(packscope, case):
    items, settings, plan = case
    if len(settings) < 5:
        pytest.skip("the large table below says it")
    packscope.snippet("spark", *settings)
    same(of_engine(packscope), by_command_line(packscope, settings))


@pytest.mark.parametrize("tool", ["numpy", "polars", "duckdb", pytest.param("spark", marks=needs_java)])
def test_other_items_are_refused(packscope, tool):
    items = items_of("glue_wnli")
    write_items(items, packscope.folder)
    packscope.run("export", "plan", "items.csv", "--limit", "128", "--out", "plan.json")
    items[0] += 1
    write_items(items, packscope.folder)
    with pytest.raises(ValueError, match="not the items"):
        names = packscope.snippet(tool, "items.csv", "--limit", "128")
        names["assign"](items, names["plan"])


@pytest.mark.parametrize("tool", ["polars", "duckdb", pytest.param("spark", marks=needs_java)])
def test_two_million(packscope, tool):
    """An eighth of Wikipedia: the same places as one item after the other."""
    items = items_of("wikipedia_bert_512", part=8)
    assert len(items) > 2_000_000
    write_items(items, packscope.folder)
    settings = ["items.csv", "--limit", "512"]
    packscope.run("export", "plan", *settings, "--out", "plan.json")
    packscope.snippet(tool, *settings)
    placed = of_engine(packscope)
    same(placed, by_command_line(packscope, settings))
    figures = json.loads((packscope.folder / "plan.json").read_text())["figures"]
    used = np.bincount(placed["pack"], weights=placed["size"][:, 0])
    assert (len(used), used.max() <= 512, used.sum()) == (figures["packs"], True, figures["real_tokens"][0])
