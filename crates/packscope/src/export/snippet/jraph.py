def packs(graphs, seed=0):
    """Batches of one shape, so that jit compiles once: the packs of the plan, padded to the budgets. graphs: a list."""
    sizes = [(int(g.n_node.sum()), int(g.n_edge.sum())) for g in graphs]
    placed = assign(sizes, plan)
    order = np.lexsort((placed["place"], placed["pack"]))
    ends = np.flatnonzero(np.diff(placed["pack"][order])) + 1
    batches = np.split(placed["item"][order], ends)
    for pack in np.random.default_rng(seed).permutation(len(batches)):
        yield jraph.pad_with_graphs(jraph.batch_np([graphs[i] for i in batches[pack]]), N_NODE, N_EDGE, N_GRAPH)


def stream(graphs):
    """Graphs as they come, without the plan: batches are closed when a budget is reached, and hold fewer."""
    return jraph.dynamically_batch(graphs, n_node=N_NODE, n_edge=N_EDGE, n_graph=N_GRAPH)
