class BucketSampler(torch.utils.data.Sampler):
    """The batches of `bucket_batches`, for inference."""

    def __init__(self, lengths, seed=0):
        self.lengths, self.seed = lengths, seed

    def __iter__(self):
        yield from bucket_batches(self.lengths, np.random.default_rng(self.seed))
