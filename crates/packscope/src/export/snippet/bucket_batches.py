def bucket_batches(lengths, random, most=None):
    """Batches of like length, as large as their bucket allows; what buckets have left is merged (BucketSampler).

    Nagarajan, Raghunathan 2023, Algorithm 2. No batch has more than `most` sequences.
    """
    bucket = np.searchsorted([longest for longest, _ in BUCKETS], np.minimum(np.asarray(lengths), LIMIT))
    batches, merged = [], []
    for b in np.unique(bucket):
        cap = min(BUCKETS[b][1], most or BUCKETS[b][1])
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
    return [batches[i] for i in random.permutation(len(batches))]


