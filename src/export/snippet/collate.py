def collate(packs):
    """Rows of LIMIT slots. Attention stays within a sequence; positions begin anew in each (Krell et al. 2022, §3.2)."""
    shape = (len(packs), LIMIT)
    input_ids = torch.full(shape, PAD)
    labels = torch.full(shape, -100)
    position_ids = torch.zeros(shape, dtype=torch.long)
    sequence = torch.zeros(shape, dtype=torch.long)  # 0 is padding; 1, 2, … the sequences of the batch
    lengths = []
    for row, pack in enumerate(packs):
        for offset, ids in pack:
            ids = torch.as_tensor(ids)
            here = slice(offset, offset + len(ids))
            lengths.append(len(ids))
            input_ids[row, here] = ids
            labels[row, offset : offset + len(ids) - 1] = ids[1:]  # the next token, never one of the next sequence
            position_ids[row, here] = torch.arange(len(ids))
            sequence[row, here] = len(lengths)
    return {
        "input_ids": input_ids,
        "labels": labels,
        "position_ids": position_ids,
        "sequence": sequence,
        # Block-diagonal, [rows, LIMIT, LIMIT]: True where a token may look. Padding looks at padding only.
        "mask": sequence[:, :, None] == sequence[:, None, :],
        # For kernels without padding (flash-attn varlen): of input_ids[sequence > 0].
        "cu_seqlens": torch.tensor([0, *np.cumsum(lengths)], dtype=torch.int32),
        "max_seqlen": max(lengths),
    }


def loss_per_sequence(logits, labels, sequence):
    """The mean over the tokens of each sequence; take .mean() of it: each sequence counts once, however it is packed."""
    counts = (labels != -100).flatten()
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1)[counts], labels.flatten()[counts], reduction="none")
    of = sequence.flatten()[counts]
    many = int(sequence.max()) + 1
    sums = torch.zeros(many, dtype=loss.dtype, device=loss.device).index_add(0, of, loss)
    tokens = torch.bincount(of, minlength=many)
    return sums[tokens > 0] / tokens[tokens > 0]
