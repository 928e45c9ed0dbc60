class BucketByLength(Batches):
    """A shuffled stream is sorted into buckets; a full bucket is a batch (bucket_by_sequence_length of tf.data)."""

    def __iter__(self):
        # An upper edge belongs to the next bucket.
        bucket = np.searchsorted([edge for edge, _ in BUCKETS], self.lengths, side="right")
        waiting = {}
        for item in self.random().permutation(self.items).tolist():
            b = int(bucket[item])
            waiting.setdefault(b, []).append(item)
            if len(waiting[b]) == BUCKETS[b][1]:
                yield waiting.pop(b)
        yield from (waiting[b] for b in sorted(waiting))
