def tokens(documents, means):  # weights by documents -> shares of the tokens
    parts = [weight * mean for weight, mean in zip(documents, means)]
    return [part / sum(parts) for part in parts]

def documents(tokens, means):  # and the other way round
    parts = [weight / mean for weight, mean in zip(tokens, means)]
    return [part / sum(parts) for part in parts]
