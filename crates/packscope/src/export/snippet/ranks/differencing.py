def deal(weights, parts):
    """The largest differences are cancelled first (Karmarkar and Karp 1982), as verl does."""
    waiting = []  # a heap of partial solutions: sets of (weight, number, first item, items), the heaviest first

    def put(sets):
        sets.sort(key=lambda one: one[:3], reverse=True)
        spread = sets[0][0] - (sets[-1][0] if len(sets) == parts else 0.0)
        heapq.heappush(waiting, ([-spread, *(-x for x in sets[0][:3])], sets))

{START}
    while len(waiting) > 1:
        sets, others = heapq.heappop(waiting)[1], heapq.heappop(waiting)[1]
        full = len(sets)
        for j, (weight, number, first, items) in enumerate(others):
            at = parts - 1 - j
            if at < full:
                mine = sets[at]
                sets[at] = (mine[0] + weight, mine[1] + number, mine[2], mine[3] + items)
            else:
                sets.append((weight, number, first, items))
        put(sets)
    sets = [sorted(items) for _, _, _, items in waiting[0][1]] if waiting else []
{END}
