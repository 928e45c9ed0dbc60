"""Samplers of graphs: PyTorch Geometric, jraph. A row is a batch, an item its nodes or edges."""

from types import SimpleNamespace

import numpy as np


from .registry import library


@library("pyg", "torch_geometric", "torch_geometric/loader/dynamic_batch_sampler.py: DynamicBatchSampler")
def pyg(sizes, limit, skip_too_big=False, mode="node"):
    """Batches of graphs, as numbers in `sizes`: graphs are repeated where others are skipped, so these are no `Run`."""
    from torch_geometric.loader import DynamicBatchSampler

    data = [SimpleNamespace(num_nodes=int(n), num_edges=int(n)) for n in sizes]
    return [batch for batch in DynamicBatchSampler(data, limit, mode, skip_too_big=skip_too_big)]


@library("jraph", "jraph", "jraph/_src/utils.py: dynamically_batch")
def jraph(sizes, budgets):
    """Batches of graphs of (nodes, edges) within budgets of nodes, edges and graphs, one of each left for padding."""
    import jraph

    def graph(item, nodes, edges):
        zeros = np.zeros(edges, np.int32)
        return jraph.GraphsTuple(
            nodes=np.zeros((nodes, 1), np.int8),
            edges=np.zeros((edges, 1), np.int8),
            senders=zeros,
            receivers=zeros,
            n_node=np.array([nodes]),
            n_edge=np.array([edges]),
            globals=np.array([[item]]),
        )

    graphs = (graph(i, int(nodes), int(edges)) for i, (nodes, edges) in enumerate(sizes))
    made = []
    for batch in jraph.dynamically_batch(graphs, *budgets):
        real = np.asarray(jraph.get_graph_padding_mask(batch))
        made.append(np.asarray(batch.globals)[real, 0].tolist())
    return made
