def loader(graphs, sizes, seed=0, redraw=False):
    """graphs: a list of DGL graphs, or a dataset of them; sizes: (nodes, edges) of each."""
    import dgl

    sampler = PlanSampler(sizes, plan, seed, redraw)
    return torch.utils.data.DataLoader(graphs, batch_sampler=sampler, collate_fn=dgl.batch)


def loss_per_graph(losses, batch):
    """The mean over the nodes of each graph, from one loss for each node of a batch. Of a whole update take .mean(): so each
    graph counts once, however it is packed. dgl.unbatch(batch) takes the graphs themselves apart again."""
    nodes = batch.batch_num_nodes()
    of = torch.repeat_interleave(torch.arange(len(nodes), device=losses.device), nodes)
    return torch.zeros(len(nodes), dtype=losses.dtype, device=losses.device).index_add(0, of, losses) / nodes
