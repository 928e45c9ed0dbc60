def update(optimizer, batches, losses):
    """One update from the batches that an accelerator accumulates; losses(batch): one loss for each sequence or graph.

    Each counts once. A mean of the batches' means would give those in full rows less weight than before packing.
    """
    optimizer.zero_grad()
    total, many = 0.0, 0
    for batch in batches:
        of = losses(batch)
        of.sum().backward()
        total, many = total + of.detach().sum().double(), many + len(of)
    sums = torch.stack([total, torch.full_like(total, many)])
    accelerators = 1
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        accelerators = torch.distributed.get_world_size()
        torch.distributed.all_reduce(sums)
    total, many = sums.tolist()
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            if parameter.grad is not None:
                parameter.grad *= accelerators / many  # DistributedDataParallel takes means over accelerators
    optimizer.step()
    return total / many
