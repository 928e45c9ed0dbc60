def pack(lengths, items):
    """Rows of LIMIT tokens, each a list of items: the longest first, each into the fullest row with room (LPFHP)."""
    rows, by_room = [], {}
    rooms = []  # of rows that are not full, in order
    for item in sorted(items, key=lambda i: -lengths[i]):
        length = int(lengths[item])
        at = bisect_left(rooms, length)
        if at == len(rooms):
            row, room = [], LIMIT
            rows.append(row)
        else:
            room = rooms[at]
            row = by_room[room].pop()
            if not by_room[room]:
                rooms.pop(at)
        row.append(item)
        room -= length
        if room and not by_room.setdefault(room, []):
            insort(rooms, room)
        if room:
            by_room[room].append(row)
    return rows


class Packs(Dataset):
    """Rows of LIMIT tokens: each is a list of (offset, token ids). items[i] are the token ids of item i."""

    def __init__(self, items, lengths):
        lengths = np.asarray(lengths)
        fitting = np.flatnonzero(lengths <= LIMIT) if DROP_LONGER else np.arange(len(lengths))
        self.items, self.rows = items, pack(np.minimum(lengths, LIMIT), fitting.tolist())

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, row):
        found, offset = [], 0
        for item in self.rows[row]:
            ids = self.items[item][:LIMIT]
            found.append((offset, ids))
            offset += len(ids)
        return found


def loader(items, lengths, collate=causal, seed=0):
    """ROWS rows a step, in a new order each epoch: as many sequences more as a row holds."""
    packs = Packs(items, lengths)
    order = RandomSampler(packs, generator=torch.Generator().manual_seed(seed))
    return DataLoader(packs, batch_sampler=BatchSampler(order, ROWS, drop_last=False), collate_fn=collate)
