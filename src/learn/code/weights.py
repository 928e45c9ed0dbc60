def weights(step):  # responses' tokens of each micro-batch; the weight of one of them
    by_micro_batch = [1 / (n * len(step)) for n in step]
    by_step = [1 / sum(step) for n in step]  # loss.sum() / num_items_in_batch
    return by_micro_batch, by_step
