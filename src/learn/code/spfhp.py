def spfhp(counts, limit):  # counts: length -> sequences
    packs = {(): float("inf")}  # lengths in a pack -> packs; as many empty ones as needed
    for length in sorted(counts, reverse=True):
        while counts[length]:
            fits = [pack for pack in packs if sum(pack) + length <= limit and pack]
            pack = min(fits, key=sum, default=())  # most space left; LPFHP: max, key=sum
            n = min(counts[length], packs[pack])
            packs[pack] -= n
            packs[pack + (length,)] = packs.get(pack + (length,), 0) + n
            counts[length] -= n
            packs = {pack: n for pack, n in packs.items() if n}
    return {pack: n for pack, n in packs.items() if pack}
