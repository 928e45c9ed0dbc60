def micro_batches(weights):
    """Sequences of like weight, the heaviest first, so that ranks have like ones at the same time."""
    order, each = heaviest_first(weights), max(1, -(-len(weights) // MICRO_BATCHES))
    return [sorted(order[at : at + each]) for at in range(0, MICRO_BATCHES * each, each)]
