def rate(base, sequences, usual):  # of a batch of so many sequences
    return base * (sequences / usual) ** 0.5
