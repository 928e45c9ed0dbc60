def of_rank(weights, rank, ranks):
    """The micro-batches of one rank in a step: the same number on all ranks, some empty."""
    dealt = deal(weights, ranks)
    own, most = dealt[rank], max(map(len, dealt))
    order = {ORDER}
    return [sorted(own[i] for i in order[at : at + MICRO_BATCH]) for at in range(0, most, MICRO_BATCH)]
