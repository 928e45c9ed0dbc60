def heaviest_first(weights):
    return sorted(range(len(weights)), key=lambda i: -weights[i])  # of equals the first
