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


def collate(packs):
    """Rows of LIMIT slots. Attention stays within a sequence; positions begin anew in each (Krell et al. 2022, §3.2)."""
    shape = (len(packs), LIMIT)
    input_ids = torch.full(shape, PAD)
    labels = torch.full(shape, -100)
    position_ids = torch.zeros(shape, dtype=torch.long)
    sequence = torch.zeros(shape, dtype=torch.long)  # 0 is padding; 1, 2, … the sequences of the batch
    lengths = []
    for row, pack in enumerate(packs):
        for offset, ids in pack:
            ids = torch.as_tensor(ids)
            here = slice(offset, offset + len(ids))
            lengths.append(len(ids))
            input_ids[row, here] = ids
            labels[row, offset : offset + len(ids) - 1] = ids[1:]  # the next token, never one of the next sequence
            position_ids[row, here] = torch.arange(len(ids))
            sequence[row, here] = len(lengths)
    return {
        "input_ids": input_ids,
        "labels": labels,
        "position_ids": position_ids,
        "sequence": sequence,
        # Block-diagonal, [rows, LIMIT, LIMIT]: True where a token may look. Padding looks at padding only.
        "mask": sequence[:, :, None] == sequence[:, None, :],
        # For kernels without padding (flash-attn varlen): of input_ids[sequence > 0].
        "cu_seqlens": torch.tensor([0, *np.cumsum(lengths)], dtype=torch.int32),
        "max_seqlen": max(lengths),
    }


def loss_per_sequence(logits, labels, sequence):
    """The mean over the tokens of each sequence; take .mean() of it: each sequence counts once, however it is packed."""
    counts = (labels != -100).flatten()
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1)[counts], labels.flatten()[counts], reduction="none")
    of = sequence.flatten()[counts]
    many = int(sequence.max()) + 1
    sums = torch.zeros(many, dtype=loss.dtype, device=loss.device).index_add(0, of, loss)
    tokens = torch.bincount(of, minlength=many)
    return sums[tokens > 0] / tokens[tokens > 0]


def loader(items, lengths, seed=0):
    """ROWS packs a step, in a new order each epoch. As many sequences as before packing: see the optimiser's lines."""
    packs = Packs(items, lengths, plan)
    order = RandomSampler(packs, generator=torch.Generator().manual_seed(seed))
    return DataLoader(packs, batch_sampler=BatchSampler(order, ROWS, drop_last=False), collate_fn=collate)
