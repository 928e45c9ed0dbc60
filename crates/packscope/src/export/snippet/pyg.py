def loader(dataset, sizes, seed=0, redraw=False):
    """sizes: (nodes, edges) of each graph of the dataset."""
    from torch_geometric.loader import DataLoader

    return DataLoader(dataset, batch_sampler=PlanSampler(sizes, plan, seed, redraw))


def loss_per_graph(losses, batch):
    """The mean over the nodes of each graph, from one loss for each node of a batch. Of a whole update take .mean(): so each
    graph counts once, however it is packed. batch.to_data_list() takes the graphs themselves apart again."""
    from torch_geometric.nn import global_mean_pool

    return global_mean_pool(losses[:, None], batch.batch, batch.num_graphs)[:, 0]
