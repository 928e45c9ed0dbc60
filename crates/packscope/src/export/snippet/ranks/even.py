def micro_batches(weights):
    """The heaviest micro-batch first, so that ranks have like ones at the same time."""
    dealt, totals = deal(weights, MICRO_BATCHES), []
    for part in dealt:
        totals.append(0.0)
        for i in part:
            totals[-1] += weights[i]
    return [dealt[at] for at in heaviest_first(totals)]
