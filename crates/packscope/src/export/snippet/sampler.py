class Batches(torch.utils.data.Sampler):
    """The numbers of the items, batch by batch. Call set_epoch before each epoch: it has an order of its own."""

    def __init__(self, lengths, seed=0):
        lengths = np.asarray(lengths)
        self.lengths, self.seed, self.epoch = np.minimum(lengths, LIMIT), seed, 0
        self.items = np.flatnonzero(lengths <= LIMIT) if DROP_LONGER else np.arange(len(lengths))

    def set_epoch(self, epoch):
        self.epoch = epoch

    def random(self):
        return np.random.default_rng((self.seed, self.epoch))
