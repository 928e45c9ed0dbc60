class BucketSampler(torch.utils.data.Sampler):
    """Call set_epoch before each epoch: the largest batch grows."""

    def __init__(self, lengths, seed=0):
        self.lengths, self.seed, self.epoch = lengths, seed, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        random = np.random.default_rng((self.seed, self.epoch))
        most = max(1, int(BATCH_CAP * SCALING**self.epoch)) if BATCH_CAP else None
        yield from bucket_batches(self.lengths, random, most)


def learning_rate(sequences):
    """Of a batch of so many sequences (LRM: the square root of its size)."""
    return RATE * (sequences / USUAL) ** 0.5 if MODULATED else RATE
