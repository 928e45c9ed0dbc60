class Packs(Dataset):
    """The packs of the plan: each is a list of (offset, token ids). items[i] are the token ids of item i."""

    def __init__(self, items, lengths, plan):
        self.items = items
        placed = assign(lengths, plan)
        order = np.lexsort((placed["place"], placed["pack"]))
        self.rows = {name: of[order] for name, of in placed.items()}
        self.first = np.searchsorted(self.rows["pack"], np.arange(self.rows["pack"].max() + 2))

    def __len__(self):
        return len(self.first) - 1

    def __getitem__(self, pack):
        rows, found = self.rows, []
        for r in range(self.first[pack], self.first[pack + 1]):
            ids = self.items[int(rows["item"][r])]
            found.append((int(rows["offset"][r]), ids[rows["start"][r] : rows["start"][r] + rows["length"][r]]))
        return found


def loader(items, lengths, collate=causal, seed=0):
    """ROWS packs a step, in a new order each epoch. As many sequences as before packing: see the optimiser's lines."""
    packs = Packs(items, lengths, plan)
    order = RandomSampler(packs, generator=torch.Generator().manual_seed(seed))
    return DataLoader(packs, batch_sampler=BatchSampler(order, ROWS, drop_last=False), collate_fn=collate)
