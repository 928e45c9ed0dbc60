def padding(lengths):
    return 1 - sum(lengths) / len(lengths) / max(lengths)  # 1 - mean / longest
