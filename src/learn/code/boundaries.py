from itertools import accumulate

def boundaries(lengths):  # of the sequences in a pack, in order
    cu_seqlens = [0, *accumulate(lengths)]
    position_ids = [place for length in lengths for place in range(length)]
    same = [[a == b for b, m in enumerate(lengths) for _ in range(m)]
            for a, n in enumerate(lengths) for _ in range(n)]
    causal = [[k <= q for k in range(len(same))] for q in range(len(same))]
    mask = [[s and c for s, c in zip(*rows)] for rows in zip(same, causal)]
    return cu_seqlens, position_ids, mask
