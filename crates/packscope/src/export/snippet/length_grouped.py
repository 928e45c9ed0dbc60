class LengthGrouped(Batches):
    """Shuffled, then large groups of batches sorted inside, longest first (LengthGroupedSampler of Transformers)."""

    def __iter__(self):
        items = self.random().permutation(self.items)
        group = (GROUP or min(50, max(1, len(items) // (4 * BATCH)))) * BATCH
        groups = [items[i : i + group] for i in range(0, len(items), group)]
        groups = [g[np.argsort(-self.lengths[g], kind="stable")].tolist() for g in groups]
        if groups:
            # The longest of all comes first, so that memory runs out at once or never.
            longest = max(groups, key=lambda g: self.lengths[g[0]])
            groups[0][0], longest[0] = longest[0], groups[0][0]
        for g in groups:
            yield from (g[i : i + BATCH] for i in range(0, len(g), BATCH))
