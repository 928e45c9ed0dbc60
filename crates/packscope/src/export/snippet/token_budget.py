class TokenBudget(Batches):
    """Items of like length, as many as fit into TOKENS slots when all are padded to the longest; batches in random order."""

    def __iter__(self):
        random = self.random()
        # Which of equal length come together is random too.
        items = random.permutation(self.items)
        items = items[np.argsort(self.lengths[items], kind="stable")].tolist()
        batches, batch = [], []
        for item in items:
            if batch and (len(batch) + 1) * self.lengths[item] > TOKENS:
                batches.append(batch)
                batch = []
            batch.append(item)
        batches += [batch] if batch else []
        yield from (batches[i] for i in random.permutation(len(batches)))
