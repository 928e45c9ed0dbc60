class PlanSampler(torch.utils.data.Sampler):
    """Batches within the budgets of nodes, edges and graphs, as the plan has them, in a new order each epoch."""

    def __init__(self, sizes, plan, seed=0):
        placed = assign(sizes, plan)
        order = np.lexsort((placed["place"], placed["pack"]))
        ends = np.flatnonzero(np.diff(placed["pack"][order])) + 1
        self.packs = np.split(placed["item"][order], ends)
        self.generator = torch.Generator().manual_seed(seed)

    def __len__(self):
        return len(self.packs)

    def __iter__(self):
        for pack in torch.randperm(len(self.packs), generator=self.generator).tolist():
            yield self.packs[pack].tolist()


def loader(dataset, sizes, seed=0):
    """sizes: (nodes, edges) of each graph of the dataset."""
    from torch_geometric.loader import DataLoader

    return DataLoader(dataset, batch_sampler=PlanSampler(sizes, plan, seed))
