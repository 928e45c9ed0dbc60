def batches(lengths, seed=0):
    """Batches in random order, each of one shape: (shape, indices of its sequences)."""
    random = np.random.default_rng(seed)
    made, open_ = [], [[] for _ in SHAPES]
    for item in random.permutation(len(lengths)):
        shape = bisect_left(SHAPES, lengths[item])
        open_[shape].append(int(item))
        if len(open_[shape]) == BATCH[shape]:
            made.append((shape, open_[shape]))
            open_[shape] = []
    made += [(shape, items) for shape, items in enumerate(open_) if items]
    return [made[i] for i in random.permutation(len(made))]


def pad(items, shape, value=0):
    """The tokens of a batch, always of the same size for a shape; the last batch of a shape has empty rows."""
    rows = np.full((BATCH[shape], SHAPES[shape]), value)
    for row, item in zip(rows, items):
        row[: len(item)] = item
    return rows
