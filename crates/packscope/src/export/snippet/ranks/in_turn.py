def deal(weights, parts):
    """Consecutive ones, as they come."""
    dealt = [[] for _ in range(parts)]
    for i in range(len(weights)):
        dealt[i * parts // len(weights)].append(i)
    return dealt
