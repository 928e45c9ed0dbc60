"""Samplers for graphs keep to their budgets, and take each graph once."""

import json

import jraph
import numpy as np
import pytest
import torch
from conftest import items_of, write_items
from torch_geometric.data import Data

LIMITS = (222, 502)


@pytest.fixture
def graphs(packscope):
    sizes = items_of("ogbg_molhiv", part=20)
    write_items(sizes, packscope.folder)
    settings = ["items.csv", "--limits", ",".join(map(str, LIMITS))]
    packscope.run("export", "plan", *settings, "--out", "plan.json")
    return sizes, settings, json.loads((packscope.folder / "plan.json").read_text())


def judge(batches, plan, sizes):
    """Of each batch the items in it."""
    figures = plan["figures"]
    assert len(batches) == figures["packs"]
    assert sorted(i for batch in batches for i in batch) == list(range(len(sizes)))
    sums = np.array([sizes[batch].sum(axis=0) for batch in batches])
    assert (sums <= LIMITS).all()
    efficiency = sums.sum(axis=0) / (len(batches) * np.array(LIMITS))
    assert efficiency == pytest.approx(figures["efficiency"], abs=1e-15)
    assert max(map(len, batches)) == figures["max_depth"]


def test_pyg(packscope, graphs):
    sizes, settings, plan = graphs
    names = packscope.snippet("pyg", *settings)
    sampler = names["PlanSampler"](sizes, plan)
    first, second = list(sampler), list(sampler)
    judge(first, plan, sizes)
    assert first != second and sorted(first) == sorted(second)
    dataset = [
        Data(x=torch.zeros(nodes, 1), edge_index=torch.zeros(2, edges, dtype=torch.long), item=i)
        for i, (nodes, edges) in enumerate(sizes.tolist())
    ]
    batches = list(names["loader"](dataset, sizes))
    judge([batch.item.tolist() for batch in batches], plan, sizes)
    assert sum(batch.num_nodes for batch in batches) == plan["figures"]["real_tokens"][0]


def graph(item, nodes, edges):
    zeros = np.zeros(edges, np.int32)
    return jraph.GraphsTuple(
        nodes=np.full((nodes, 1), item, np.int32),
        edges=np.zeros((edges, 1), np.float32),
        senders=zeros,
        receivers=zeros,
        n_node=np.array([nodes]),
        n_edge=np.array([edges]),
        globals=np.array([[item]]),
    )


def test_jraph(packscope, graphs):
    sizes, settings, plan = graphs
    names = packscope.snippet("jraph", *settings)
    all_graphs = [graph(i, *size) for i, size in enumerate(sizes.tolist())]
    items = []
    for batch in names["packs"](all_graphs):
        assert (len(batch.nodes), len(batch.edges), len(batch.n_node)) == (
            LIMITS[0] + 1,
            LIMITS[1],
            plan["figures"]["max_depth"] + 1,
        )
        real = np.asarray(jraph.get_graph_padding_mask(batch))
        items.append(np.asarray(batch.globals)[real, 0].tolist())
    judge(items, plan, sizes)
    # Without the plan: the same budgets, more batches.
    streamed = list(names["stream"](iter(all_graphs)))
    assert {len(batch.nodes) for batch in streamed} == {LIMITS[0] + 1}
    assert len(streamed) > plan["figures"]["packs"]
