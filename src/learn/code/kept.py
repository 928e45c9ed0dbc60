def kept(prompt, response, limit):  # tokens of the response that are left
    end = max(0, min(response, limit - prompt))  # with the end cut off
    beginning = min(response, limit)
    share = int(limit * (response / (prompt + response)))  # LLaMA-Factory
    if 2 * prompt < limit: share = limit - prompt
    if 2 * response < limit: share = limit
    return end, beginning, min(response, share)
