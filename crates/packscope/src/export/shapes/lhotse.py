class Shapes(FixedBucketBatchSizeConstraint):
    def measure_length(self, cut):
        return cut.duration  # the length that was counted, such as cut.num_frames


def sampler(cuts, **settings):
    shapes = Shapes(max_seq_len_buckets=SHAPES, batch_sizes=BATCH)
    return DynamicBucketingSampler(cuts, constraint=shapes, duration_bins=SHAPES[:-1], **settings)
