with open(PLAN) as file:
    plan = json.load(file)

# Where the plan has room. For each size, in the order of the packs: slots begin to end - 1 of that size are in the
# packs from first on, so many times in each, after so many items and slots of the pack. "at" counts through all sizes.
COLUMNS = ["size", "begin", "end", "first", "times", "place", "offset", "at"]


def key(size):
    """One number for a size: the length, or nodes and edges side by side."""
    return size if isinstance(size, int) else (size[0] << 32) + size[1]


def slots(plan):
    rows, first = [], 0
    for strategy in plan["strategies"]:
        place = offset = 0
        for size, times in strategy["runs"]:
            rows.append((key(size), first, strategy["count"] * times, times, place, offset))
            place += times
            offset += times * (size if isinstance(size, int) else size[0])
        first += strategy["count"]
    rows.sort(key=lambda row: row[:2])
    table, at, begin, last = [], 0, 0, None
    for size, first, many, times, place, offset in rows:
        begin = begin if size == last else 0
        table.append((size, begin, begin + many, first, times, place, offset, at))
        begin, at, last = begin + many, at + many, size
    return table
