def deal(weights, parts):
    """The heaviest first, each to the part with the least weight (LPT, Graham 1969)."""
    dealt = [[] for _ in range(parts)]
    least = [(0.0, part) for part in range(parts)]  # a heap
    for i in heaviest_first(weights):
        total, part = least[0]
        heapq.heapreplace(least, (total + weights[i], part))
        dealt[part].append(i)
    return [sorted(part) for part in dealt]
