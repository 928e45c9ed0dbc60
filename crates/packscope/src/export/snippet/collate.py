def rows(packs):
    """The packs as rows of LIMIT slots; positions begin anew in each sequence (Krell et al. 2022, §3.2)."""
    shape = (len(packs), LIMIT)
    input_ids = torch.full(shape, PAD)
    position_ids = torch.zeros(shape, dtype=torch.long)
    sequence = torch.zeros(shape, dtype=torch.long)  # 0 is padding; 1, 2, … the sequences of the batch
    lengths = []
    for row, pack in enumerate(packs):
        for offset, ids in pack:
            here = slice(offset, offset + len(ids))
            lengths.append(len(ids))
            input_ids[row, here] = torch.as_tensor(ids)
            position_ids[row, here] = torch.arange(len(ids))
            sequence[row, here] = len(lengths)
    return {
        "input_ids": input_ids,
        "position_ids": position_ids,
        "sequence": sequence,
        # [rows, LIMIT, LIMIT], True where a token may look: at its own sequence; padding at padding. For
        # scaled_dot_product_attention: mask[:, None].
        "mask": sequence[:, :, None] == sequence[:, None, :],
        # For kernels without padding (flash_attn_varlen_func): of input_ids[sequence > 0].
        "cu_seqlens": torch.tensor([0, *np.cumsum(lengths)], dtype=torch.int32),
        "max_seqlen": max(lengths),
    }


def causal(packs):
    """For a causal language model (GPT, Llama): a token sees no later one, and its label is the next one."""
    batch = rows(packs)
    ids, sequence = batch["input_ids"], batch["sequence"]
    batch["mask"] = batch["mask"].tril()  # varlen kernels: causal=True
    # Shifted here: give them to loss_per_sequence, not to a model that shifts labels itself (Hugging Face's do).
    labels = batch["labels"] = torch.full_like(ids, -100)  # -100: no loss
    goes_on = (sequence[:, 1:] == sequence[:, :-1]) & (sequence[:, 1:] > 0)
    labels[:, :-1][goes_on] = ids[:, 1:][goes_on]
    return batch


def masked(packs):
    """For a masked language model (BERT): a token sees its whole sequence; labels are the 15 % that are hidden."""
    batch = rows(packs)
    ids = batch["input_ids"]
    hidden = (batch["sequence"] > 0) & ~torch.isin(ids, torch.tensor(SPECIAL)) & (torch.rand(ids.shape) < 0.15)
    batch["labels"] = torch.where(hidden, ids, torch.full_like(ids, -100))  # -100: no loss
    how = torch.rand(ids.shape)  # of ten, eight become MASK, one another token, one stays
    ids[hidden & (how < 0.8)] = MASK
    other = hidden & (how >= 0.9)
    ids[other] = torch.randint(VOCABULARY, ids.shape)[other]
    return batch


def loss_per_sequence(logits, labels, sequence):
    """The mean over the labels of each sequence. Of a whole update take .mean(); where an update has several batches,
    update() of the optimiser's lines: so each sequence counts once, however it is packed."""
    counts = (labels != -100).flatten()
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1)[counts], labels.flatten()[counts], reduction="none")
    of = sequence.flatten()[counts]
    many = int(sequence.max()) + 1
    sums = torch.zeros(many, dtype=loss.dtype, device=loss.device).index_add(0, of, loss)
    tokens = torch.bincount(of, minlength=many)
    return sums[tokens > 0] / tokens[tokens > 0]


def accuracy_per_sequence(logits, labels, sequence):
    """The share of the labels of each sequence that the model has right; to be averaged as the losses are."""
    counts = (labels != -100).flatten()
    right = logits.flatten(0, 1)[counts].argmax(-1) == labels.flatten()[counts]
    of = sequence.flatten()[counts]
    tokens = torch.bincount(of, minlength=int(sequence.max()) + 1)
    hits = torch.bincount(of[right], minlength=len(tokens))
    return hits[tokens > 0] / tokens[tokens > 0]


def first_of_each(hidden, sequence):
    """What the model has at the first token of each sequence, in their order: where one answer belongs to a sequence, as BERT's
    on the next sentence, cross_entropy(head(first_of_each(hidden, sequence)), answers) counts each sequence once."""
    of = sequence.flatten()
    begins = (of > 0) & (of != torch.cat([of.new_zeros(1), of[:-1]]))
    return hidden.flatten(0, 1)[begins][of[begins].argsort()]
