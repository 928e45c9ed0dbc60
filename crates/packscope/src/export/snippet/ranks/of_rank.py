def of_rank(weights, rank, ranks):
    """The micro-batches of one rank in a step: the same number on all ranks, some empty."""
    own = deal(weights, ranks)[rank]
    return [[own[i] for i in part] for part in micro_batches([weights[i] for i in own])]
