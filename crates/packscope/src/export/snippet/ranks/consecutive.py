def micro_batches(weights):
    return deal(weights, MICRO_BATCHES)
