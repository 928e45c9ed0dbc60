"""Samplers for graphs keep to their budgets, and take each graph once."""

import json
import sys
import types

import jraph
import numpy as np
import pytest
import torch
from conftest import items_of, write_items
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv, global_add_pool

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


def test_pyg_trains_as_graphs_do_one_by_one(packscope, graphs):
    """The loss of each graph, and the gradients of their mean, are those of the graphs alone."""
    sizes, settings, _ = graphs
    random = torch.Generator().manual_seed(0)
    draw = lambda nodes, edges: torch.randint(nodes, (2, edges), generator=random)
    dataset = [
        Data(x=torch.randn(nodes, 8, generator=random).double(), edge_index=draw(nodes, edges), item=i)
        for i, (nodes, edges) in enumerate(sizes.tolist())
    ]
    layers = torch.nn.ModuleList([GCNConv(8, 16), GCNConv(16, 1)]).double()

    def losses(data, of, many):
        hidden = layers[0](data.x, data.edge_index).relu()
        return global_add_pool(layers[1](hidden, data.edge_index), of, many)[:, 0].square()

    def trained_on(losses):
        layers.zero_grad()
        losses.mean().backward()
        return torch.cat([losses.detach(), *(weight.grad.flatten() for weight in layers.parameters())])

    for batch in list(packscope.snippet("pyg", *settings)["loader"](dataset, sizes))[:5]:
        packed = trained_on(losses(batch, batch.batch, batch.num_graphs))
        whole = [dataset[i] for i in batch.item.tolist()]
        alone = trained_on(torch.cat([losses(g, torch.zeros(g.num_nodes, dtype=torch.long), 1) for g in whole]))
        assert len(whole) > 1 and (packed - alone).abs().max() < 1e-9 * alone.abs().max()


def test_other_graphs_of_the_same_sizes_in_each_epoch(packscope, graphs):
    """P2, 2.6: packs keep their sizes, and hold other graphs."""
    sizes, settings, plan = graphs
    sampler = packscope.snippet("pyg", *settings)["PlanSampler"](sizes, plan, redraw=True)
    first, second = list(sampler), list(sampler)
    for epoch in (first, second):
        judge(epoch, plan, sizes)
    shapes = lambda epoch: sorted(sorted(map(tuple, sizes[pack].tolist())) for pack in epoch)
    assert shapes(first) == shapes(second)
    together = lambda epoch: {frozenset(pack) for pack in epoch if len(pack) > 1}
    assert len(together(first) & together(second)) < len(together(first)) / 2


def test_pyg_counts_each_graph_once(packscope, graphs):
    sizes, settings, _ = graphs
    names = packscope.snippet("pyg", *settings)
    dataset = [
        Data(x=torch.rand(nodes, 1), edge_index=torch.zeros(2, edges, dtype=torch.long), item=i)
        for i, (nodes, edges) in enumerate(sizes.tolist())
    ]
    for batch in list(names["loader"](dataset, sizes))[:5]:
        found = names["loss_per_graph"](batch.x[:, 0], batch)
        alone = torch.stack([dataset[i].x.mean() for i in batch.item.tolist()])
        assert torch.allclose(found, alone) and [g.num_nodes for g in batch.to_data_list()] == sizes[batch.item][:, 0].tolist()


class Graphs:
    """What these tests know of a DGL graph, and of a batch of them."""

    def __init__(self, graphs):
        self.graphs = graphs

    def batch_num_nodes(self):
        return torch.tensor([len(features) for _, features in self.graphs])


def test_dgl(packscope, graphs, monkeypatch):
    sizes, settings, plan = graphs
    # DGL is not installed: dgl.batch puts a list of graphs together, and no more is asked of it.
    stand_in = types.ModuleType("dgl")
    stand_in.batch = Graphs
    monkeypatch.setitem(sys.modules, "dgl", stand_in)
    names = packscope.snippet("dgl", *settings)
    all_graphs = [(i, torch.rand(nodes).double()) for i, (nodes, _) in enumerate(sizes.tolist())]
    batches = list(names["loader"](all_graphs, sizes))
    judge([[i for i, _ in batch.graphs] for batch in batches], plan, sizes)
    for batch in batches[:5]:
        losses = torch.cat([features for _, features in batch.graphs])
        alone = torch.stack([features.mean() for _, features in batch.graphs])
        assert torch.allclose(names["loss_per_graph"](losses, batch), alone)


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


def test_jraph_trains_as_graphs_do_one_by_one(packscope, graphs):
    """Sums over the nodes of each graph, by messages along its edges: padding gives nothing to any of them."""
    sizes, settings, _ = graphs
    random = np.random.default_rng(0)

    def drawn(nodes, edges):
        ends = random.integers(0, nodes, (2, edges)).astype(np.int32)
        whole = graph(0, nodes, edges)._replace(senders=ends[0], receivers=ends[1])
        return whole._replace(nodes=random.normal(size=(nodes, 4)).astype(np.float32))

    all_graphs = [drawn(*size) for size in sizes.tolist()]
    all_graphs = [whole._replace(globals=np.array([[i]])) for i, whole in enumerate(all_graphs)]

    def sums(batch):
        nodes, senders, receivers, many = (np.asarray(of) for of in (batch.nodes, batch.senders, batch.receivers, batch.n_node))
        for _ in range(2):
            after = nodes.copy()
            np.add.at(after, receivers, nodes[senders])
            nodes = after
        found = np.zeros((len(many), nodes.shape[1]), np.float32)
        np.add.at(found, np.repeat(np.arange(len(many)), many), nodes)
        return found

    for batch in list(packscope.snippet("jraph", *settings)["packs"](all_graphs))[:5]:
        real = np.asarray(jraph.get_graph_padding_mask(batch))
        items = np.asarray(batch.globals)[real, 0].tolist()
        alone = np.concatenate([sums(all_graphs[i]) for i in items])
        assert np.allclose(sums(batch)[real], alone, rtol=1e-4, atol=1e-3)
