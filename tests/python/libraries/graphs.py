"""Loaders of graphs: PyTorch Geometric, jraph; TF-GNN written from its source, since TensorFlow is gigabytes."""

from types import SimpleNamespace

import numpy as np


from .registry import library
from .twins import twin


@library("pyg", "torch_geometric", "torch_geometric/loader/dynamic_batch_sampler.py: DynamicBatchSampler")
def pyg(sizes, limit, skip_too_big=False, mode="node"):
    """Batches of graphs, as numbers in `sizes` ((nodes, edges), or one number for both): graphs are repeated where
    others are skipped, so these are no `Run`."""
    from torch_geometric.loader import DynamicBatchSampler

    pairs = [(int(n), int(n)) if np.isscalar(n) else (int(n[0]), int(n[1])) for n in sizes]
    data = [SimpleNamespace(num_nodes=nodes, num_edges=edges) for nodes, edges in pairs]
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


@twin(
    "tf-gnn-dynamic",
    "tensorflow/gnn",
    "0192e90b77a9",
    "tensorflow_gnn/graph/batching_utils.py: dynamic_batch; padding_ops.py: satisfies_size_constraints",
)
def tf_gnn_dynamic(sizes, nodes, edges, components):
    """Batches of graphs. A graph that does not fit what is left of the budget flushes the batch; what is checked is
    that the batch could be padded: to fake edges belongs a fake node, to either a fake graph."""

    def satisfies(graph, budget):
        (n, e), (most_n, most_e, most_c) = graph, budget
        could_add_component = 1 < most_c
        return (
            most_c >= 1
            and n <= most_n
            and (could_add_component or n == most_n)
            and e <= most_e
            and (could_add_component or e == most_e)
            and (e == most_e or n < most_n)
        )

    whole = (nodes, edges, components)
    left, batch, batches = whole, [], []
    for i, (n, e) in enumerate(sizes):
        if not satisfies((n, e), left):
            assert satisfies((n, e), whole), "InvalidArgumentError"
            batches.append(batch)
            left, batch = whole, []
        batch.append(i)
        left = (left[0] - n, left[1] - e, left[2] - 1)
    return [batch for batch in [*batches, batch] if batch]


@twin(
    "tf-gnn-tight",
    "tensorflow/gnn",
    "0192e90b77a9",
    "tensorflow_gnn/graph/batching_utils.py: find_tight_size_constraints, _make_room_for_padding",
)
def tf_gnn_tight(sizes, batch_size):
    """Slots of a batch for nodes and edges: the largest of all, times the graphs of a batch, and a fake node."""
    nodes, edges = np.max(np.asarray(sizes), axis=0) * batch_size
    return int(nodes) + 1, int(edges)


@twin(
    "tf-gnn",
    "tensorflow/gnn",
    "0192e90b77a9",
    "tensorflow_gnn/graph/batching_utils.py: learn_fit_or_skip_size_constraints",
)
def tf_gnn(sizes, batch_size, success_ratio=0.99, sample_size=10_000, num_thresholds=1_000, seed=0):
    """Slots of a batch for nodes and edges. The graphs of its sample are repeated and shuffled in a buffer as large as
    the sample; of the batches of these the candidates are quantiles, and new batches judge them."""
    random = np.random.default_rng(seed)
    sizes = np.asarray(sizes)[:sample_size]
    buffer, after = sizes[np.arange(sample_size) % len(sizes)], sample_size

    def batches():
        nonlocal after
        made = np.empty((sample_size, 2), np.int64)
        for i in range(sample_size):
            # Without the same place twice in a batch: no graph of it comes from what it has just put there.
            at = random.choice(sample_size, batch_size, replace=False)
            made[i] = buffer[at].sum(axis=0)
            buffer[at] = sizes[(after + np.arange(batch_size)) % len(sizes)]
            after += batch_size
        return made

    first = batches()
    std = first.astype(np.float32).std(axis=0)
    importance = std / std.max() if std.max() > 0 else np.zeros(2)
    index = np.linspace(0, sample_size, num_thresholds, endpoint=False).astype(np.float32)
    descending = -np.sort(-first, axis=0)
    candidates = np.stack([descending[(index * importance[k]).astype(int), k] for k in range(2)], axis=1)
    again = batches()
    ratios = np.array([(again <= pair).all(axis=1).mean() for pair in candidates])
    at = max(num_thresholds - 1 - int(np.searchsorted(ratios[::-1], success_ratio)), 0)
    nodes, edges = candidates[at]
    return int(nodes) + 1, int(edges)


def fixed(sizes, batch_size, slots, drop_remainder=False):
    """Batches of so many graphs, those above the slots (a node less) skipped: `Dataset.batch`, `Dataset.filter`."""
    batches = [list(range(at, min(at + batch_size, len(sizes)))) for at in range(0, len(sizes), batch_size)]
    if drop_remainder and len(batches[-1]) < batch_size:
        batches.pop()
    sums = [np.asarray(sizes)[batch].sum(axis=0) for batch in batches]
    return [batch for batch, (n, e) in zip(batches, sums) if n <= slots[0] - 1 and e <= slots[1]]
