class Ranks(torch.utils.data.Sampler):
    """The micro-batches of one rank: lists of the numbers of its {UNITS}. Call set_epoch before each epoch."""

    def __init__(self, {GIVEN}, rank, ranks=RANKS, seed=0):
        self.weights = {WEIGHTS}
        self.rank, self.ranks, self.seed, self.epoch = rank, ranks, seed, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        # The same order on all ranks; less than a step is left out at the end.
        order = np.random.default_rng((self.seed, self.epoch)).permutation(len(self.weights)).tolist()
        step = self.ranks * MICRO_BATCHES * MICRO_BATCH
        for start in range(0, len(order) - step + 1, step):
            drawn = order[start : start + step]
            for micro_batch in of_rank([self.weights[i] for i in drawn], self.rank, self.ranks):
                yield [drawn[i] for i in micro_batch]
