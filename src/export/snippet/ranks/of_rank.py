def of_rank(weights, rank, ranks):
    """The micro-batches of a rank in a step, of which all ranks have as many: some may be empty."""
    own = deal(weights, ranks)[rank]
    return [[own[i] for i in part] for part in micro_batches([weights[i] for i in own])]
