def assign(sizes, plan):
    """The pieces of the items, sorted by item: item, start and length in it; pack, place and offset in the plan."""
    item, start, length, size = pieces(np.asarray(sizes, dtype=np.int64))
    table = dict(zip(COLUMNS, np.array(slots(plan), dtype=np.int64).T))
    found, counts = np.unique(size, return_counts=True)
    wanted, room = np.unique(table["size"], return_inverse=True)
    many = np.zeros(len(wanted), np.int64)
    np.add.at(many, room, table["end"] - table["begin"])
    if not (np.array_equal(found, wanted) and np.array_equal(counts, many)):
        raise ValueError("these are not the items that the plan was made for")
    # All items of a size follow each other, in their own order: so do the slots for them.
    order = np.argsort(size, kind="stable")
    row = np.searchsorted(table["at"], np.arange(len(size)), side="right") - 1
    slot = np.arange(len(size)) - table["at"][row]
    copy = slot % table["times"][row]
    placed = {
        "pack": table["first"][row] + slot // table["times"][row],
        "place": table["place"][row] + copy,
        "offset": table["offset"][row] + copy * (size[order] if np.ndim(sizes) == 1 else size[order] >> 32),
    }
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return {"item": item, "start": start, "length": length} | {name: of[back] for name, of in placed.items()}
