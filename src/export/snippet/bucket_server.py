class BucketSampler(torch.utils.data.Sampler):
    """Batches of like length, as large as their bucket allows; what buckets have left is merged (BucketSampler).

    Nagarajan, Raghunathan 2023, Algorithm 2, for inference.
    """

    def __init__(self, lengths, seed=0):
        self.lengths, self.seed = np.minimum(np.asarray(lengths), LIMIT), seed

    def __iter__(self):
        random = np.random.default_rng(self.seed)
        bucket = np.searchsorted([longest for longest, _ in BUCKETS], self.lengths)
        batches, merged = [], []
        for b in np.unique(bucket):
            cap = BUCKETS[b][1]
            items = random.permutation(np.flatnonzero(bucket == b)).tolist()
            whole = len(items) // cap * cap
            batches += [items[i : i + cap] for i in range(0, whole, cap)]
            rest = items[whole:]
            if not MERGING:
                batches += [rest] if rest else []
                continue
            if len(merged) >= cap:
                batches.append(merged)
                merged = []
            for item in rest:
                merged.append(item)
                if len(merged) == cap:
                    batches.append(merged)
                    merged = []
        batches += [merged] if merged else []
        yield from (batches[i] for i in random.permutation(len(batches)))
