def deal(weights, parts):
    """Sorted, then dealt forwards and backwards in turn."""
    dealt = [[] for _ in range(parts)]
    for place, i in enumerate(heaviest_first(weights)):
        turn, at = divmod(place, parts)
        dealt[parts - 1 - at if turn % 2 else at].append(i)
    return [sorted(part) for part in dealt]
