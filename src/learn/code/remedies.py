def remedies(rows, beta, packing_factor):  # either, not both
    return rows / packing_factor, beta ** packing_factor
