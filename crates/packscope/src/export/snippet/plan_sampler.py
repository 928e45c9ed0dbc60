class PlanSampler(torch.utils.data.Sampler):
    """Batches within the budgets of nodes, edges and graphs, as the plan has them, in a new order each epoch.

    redraw: other graphs of the same sizes together in each epoch; otherwise those of the first stay together.
    """

    def __init__(self, sizes, plan, seed=0, redraw=False):
        placed = assign(sizes, plan)
        order = np.lexsort((placed["place"], placed["pack"]))
        ends = np.flatnonzero(np.diff(placed["pack"][order])) + 1
        self.packs = np.split(placed["item"][order], ends)
        # Graphs of one size, side by side.
        self.alike = np.unique(np.asarray(sizes), axis=0, return_inverse=True)[1].ravel() if redraw else None
        self.generator = torch.Generator().manual_seed(seed)

    def __len__(self):
        return len(self.packs)

    def graphs(self):
        """For each graph of the plan the one that takes its place in this epoch."""
        drawn = torch.randperm(len(self.alike), generator=self.generator).numpy()
        graphs = np.empty_like(drawn)
        graphs[np.argsort(self.alike, kind="stable")] = drawn[np.argsort(self.alike[drawn], kind="stable")]
        return graphs

    def __iter__(self):
        graphs = None if self.alike is None else self.graphs()
        for pack in torch.randperm(len(self.packs), generator=self.generator).tolist():
            items = self.packs[pack]
            yield (items if graphs is None else graphs[items]).tolist()


