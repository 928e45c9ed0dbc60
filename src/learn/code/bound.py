def bound(counts, prices, limit):  # counts and prices by length
    worth = [0] * (limit + 1)  # the dearest pack of so many slots
    for slots in range(1, limit + 1):
        filled = [worth[slots - n] + price for n, price in prices.items() if n <= slots]
        worth[slots] = max([worth[slots - 1]] + filled)
    total = sum(n * prices[length] for length, n in counts.items())
    return -(-total // worth[limit])  # rounded up: no plan has fewer packs
