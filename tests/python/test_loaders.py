"""Loaders of graphs and samplers, run by their own code: the same batches as ours, item by item."""

from functools import cache

import numpy as np
import pytest
from conftest import items_of
from libraries import RUNS
from libraries.graphs import fixed
from test_libraries import BATCHES, DATA as LENGTHS
from test_libraries import CASES as LIBRARIES
from test_libraries import data as lengths_of

# Slots for nodes and edges. Ties: few sizes, so that batches are exactly full; graphs without edges among them.
DATA = {
    "molhiv": ("ogbg_molhiv", 900, (400, 900)),
    "qm9": ("mol_qm9_allatoms_graph", 900, (120, 250)),
    "proteins": ("tu_proteins", 600, (1300, 4600)),
    "ties": (None, 700, (40, 50)),
}
ORDERS = ("seed 1", "seed 2", "ascending")


@cache
def data(name, order):
    """A part of a built-in set in an order, and its limits."""
    file, count, limits = DATA[name]
    if file:
        sizes = items_of(file)[:count]
    else:
        random = np.random.default_rng(0)
        sizes = np.stack([random.integers(1, 7, count), random.integers(0, 9, count)], axis=1)
    if order == "ascending":
        sizes = sizes[np.lexsort((sizes[:, 1], sizes[:, 0]))]
    else:
        sizes = np.random.default_rng(int(order.split()[1])).permutation(sizes)
    return [(int(n), int(e)) for n, e in sizes], limits


CASES = [(name, order) for name in DATA for order in ORDERS]


def ours(packscope, sizes, limits, library, **settings):
    """The command's answer for the same graphs in the same order."""
    (packscope.folder / "graphs.csv").write_text("nodes,edges\n" + "".join(f"{n},{e}\n" for n, e in sizes))
    flags = [f"--set={key}={str(of).lower() if of is True else of}" for key, of in settings.items()]
    limits = ",".join("free" if limit is None else str(limit) for limit in limits)
    return packscope.json(
        "trainer", "graphs.csv", "--limits", limits, "--library", library, *flags, "--order", "file", "--packs"
    )["answer"]


def same(answer, batches, sizes, slots=None):
    """The same batches; figures recounted from them and nothing else."""
    assert answer["refused"] is None
    filled = [batch for batch in batches if batch]
    assert [[tuple(size) for size in batch] for batch in answer["packs"]] == [[sizes[i] for i in b] for b in filled]
    run = answer["runs"][0]
    trained = {i for batch in filled for i in batch}
    again = sum(map(len, filled)) - len(trained)
    assert (run["batches"], run["empty"]) == (len(filled), len(batches) - len(filled))
    assert (run["graphs"], run["repeated_graphs"], run["skipped_graphs"]) == (
        len(trained),
        again,
        len(sizes) - len(trained),
    )
    sums = np.array([np.sum([sizes[i] for i in batch], axis=0) for batch in filled]).reshape(-1, 2)
    assert run["real"] == sums.sum(axis=0).tolist()
    assert run["largest"] == sums.max(axis=0, initial=0).tolist()
    lost = [sizes[i] for i in range(len(sizes)) if i not in trained]
    assert run["skipped"] == np.sum(lost, axis=0).tolist() if lost else run["skipped"] == [0, 0]
    if slots:
        assert run["slots"] == [len(filled) * of for of in slots]


@pytest.mark.parametrize(("name", "order"), CASES)
@pytest.mark.parametrize("mode", ["node", "edge"])
@pytest.mark.parametrize("skip", [False, True])
# The limit of the data, and one that a tenth of the graphs exceeds.
@pytest.mark.parametrize("tight", [False, True])
def test_pyg(packscope, name, order, mode, skip, tight):
    sizes, limits = data(name, order)
    component = ["node", "edge"].index(mode)
    most = limits[component]
    if tight:
        of = np.array(sizes)[:, component]
        most = int(min(np.quantile(of, 0.9), of.max() - 1))
    made = RUNS["pyg"](sizes, most, skip_too_big=skip, mode=mode)
    settings = {"mode": mode, "max_num": most, **({"skip_too_big": True} if skip else {})}
    answer = ours(packscope, sizes, (limits[0], None), "pyg", **settings)
    same(answer, made, sizes)
    if skip and tight:
        run = answer["runs"][0]
        assert run["skipped_graphs"] > 0
        if mode == "node" and order == "ascending":
            # Only skipped graphs are left at the end: empty batches, until there are as many as graphs.
            assert run["empty"] > 0 and run["batches"] + run["empty"] == len(sizes)


@pytest.mark.parametrize(("name", "order"), CASES)
@pytest.mark.parametrize("graphs", [None, 2, 9])
def test_jraph(packscope, name, order, graphs):
    sizes, limits = data(name, order)
    made = RUNS["jraph"](sizes, (*limits, graphs or limits[0]))
    settings = {"n_graph": graphs} if graphs else {}
    same(ours(packscope, sizes, limits, "jraph", **settings), made, sizes, limits)


def test_jraph_refuses_what_is_too_large(packscope):
    sizes = [(3, 4), (10, 4)]
    with pytest.raises(RuntimeError, match="bigger than batch size"):
        RUNS["jraph"](sizes, (10, 4, 10))
    assert "a graph of 10 nodes and 4 edges" in ours_refused(packscope, sizes, (10, 4), "jraph")
    assert RUNS["jraph"](sizes, (11, 4, 10)) == [[0], [1]]


def ours_refused(packscope, sizes, limits, library):
    return ours(packscope, sizes, limits, library)["refused"]


@pytest.mark.parametrize(("name", "order"), CASES)
@pytest.mark.parametrize("graphs", [None, 3])
def test_tf_gnn_dynamic(packscope, name, order, graphs):
    sizes, limits = data(name, order)
    made = RUNS["tf-gnn-dynamic"](sizes, *limits, graphs or limits[0])
    settings = {"total_num_components": graphs} if graphs else {}
    same(ours(packscope, sizes, limits, "tf-gnn-dynamic", **settings), made, sizes, limits)


@pytest.mark.parametrize(("name", "order"), CASES)
@pytest.mark.parametrize("last", [False, True])
def test_tf_gnn_tight(packscope, name, order, last):
    sizes, limits = data(name, order)
    slots = RUNS["tf-gnn-tight"](sizes, 7)
    settings = {"global_batch_size": 7, **({"drop_remainder": True} if last else {})}
    made = fixed(sizes, 7, slots, last)
    same(ours(packscope, sizes, limits, "tf-gnn-tight", **settings), made, sizes, slots)
    # As many as fit the limits, and not one more.
    answer = ours(packscope, sizes, limits, "tf-gnn-tight")
    number = answer["shape"]["graphs"]
    assert (np.array(RUNS["tf-gnn-tight"](sizes, number)) <= limits).all()
    assert (np.array(RUNS["tf-gnn-tight"](sizes, number + 1)) > limits).any()


@pytest.mark.parametrize(("name", "order"), CASES)
def test_tf_gnn_fit_or_skip(packscope, name, order):
    """Sizes are learned from random batches: ours lie among those of several seeds, and the batches follow from them."""
    sizes, limits = data(name, order)
    answer = ours(packscope, sizes, limits, "tf-gnn", global_batch_size=8)
    slots = answer["shape"]["slots"]
    theirs = np.array([RUNS["tf-gnn"](sizes, 8, seed=seed) for seed in range(3)])
    assert (theirs.min(axis=0) * 0.95 <= slots).all() and (slots <= theirs.max(axis=0) * 1.05).all(), (slots, theirs)
    same(answer, fixed(sizes, 8, slots), sizes, slots)
    assert (np.array(ours(packscope, sizes, limits, "tf-gnn")["shape"]["slots"]) <= limits).all()


SAMPLERS = {
    "transformers-group-by-length": "hf-group-by-length",
    "transformers-batch-rebalance": "hf-batch-rebalance",
}


@pytest.mark.parametrize(
    ("library", "settings"), [case for case in LIBRARIES if case.values[0].id in BATCHES]
)
def test_samplers(packscope, library, settings):
    """Eight sequences of the limit in a batch, or as many slots."""
    for name in LENGTHS:
        for order in ORDERS:
            lengths, limit = lengths_of(name, order)
            run = library.run(list(lengths), limit, **settings)
            (packscope.folder / "order.csv").write_text("length\n" + "\n".join(map(str, run.ordered)) + "\n")
            flags = [f"--set={key}={str(of).lower() if of is True else of}" for key, of in settings.items()]
            flags += ["--library", SAMPLERS.get(library.id, library.id), "--batches", "--batch", 8]
            answer = packscope.json("trainer", "order.csv", "--limit", limit, *flags, "--order", "file", "--packs")["answer"]
            where = f"{name}, {order}, limit {limit}"
            assert answer["refused"] is None, where
            assert sorted(map(sorted, answer["packs"])) == run.packs, where
            ours, theirs = answer["runs"][0], run.figures
            assert (ours["batches"], ours["real_tokens"]) == (theirs["rows"], theirs["real_tokens"]), where
            # A sequence that is left out was truncated before.
            lost = ("truncated_tokens", "dropped_tokens")
            assert sum(ours[key] for key in lost) == sum(theirs[key] for key in lost), where
            assert ours["dropped_sequences"] == theirs["dropped_sequences"], where
            assert ours["slots"] == sum(len(row) * max(size for _, size in row) for row in run.rows), where


def test_every_loader_and_sampler_of_ours_is_run(packscope):
    known = packscope.json("trainer", "--list")
    ours = {library["id"] for library in known if library["of"] != "sequences"}
    assert ours == {*(SAMPLERS.get(id, id) for id in BATCHES), "pyg", "jraph", "tf-gnn", "tf-gnn-tight", "tf-gnn-dynamic"}
