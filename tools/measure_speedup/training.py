"""Training steps, and how long they take."""

from __future__ import annotations

import contextlib
import gc
import math
import statistics
import time
from dataclasses import dataclass
from typing import Any, Callable, ContextManager, Dict, List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor

from attention import IGNORED, Batch, Kernel, batch, kernels
from batches import Counts, Layout, layouts
from model import Shape, Transformer

# An object of the report.
Entry = Dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """What is the same for all measurements of a run."""

    device: torch.device
    rows: int
    steps: int
    warmup: int
    repeats: int
    seed: int

    @property
    def precision(self) -> str:
        return "bfloat16 autocast" if self.device.type == "cuda" else "float32"


@dataclass(frozen=True)
class Data:
    """A histogram, cut off at its limit."""

    name: str
    limit: int
    counts: Counts


def build(shape: Shape, device: torch.device, seed: int, spread: float = 0.02) -> Transformer:
    """A model with random weights, made where it will be used if PyTorch can (a billion weights take a while)."""
    torch.manual_seed(seed)
    with device if hasattr(device, "__enter__") else contextlib.nullcontext():
        model = Transformer(shape, spread)
    return model.to(device)


def mixed(device: torch.device, on: bool) -> ContextManager[object]:
    """bfloat16 where a GPU gains by it."""
    return torch.autocast(device.type, dtype=torch.bfloat16) if on else contextlib.nullcontext()


def loss_of(logits: Tensor, targets: Tensor, reduction: str = "mean") -> Tensor:
    """Cross entropy per real token, in float32."""
    flat = logits.flatten(0, 1).float()
    return F.cross_entropy(flat, targets.flatten(), ignore_index=IGNORED, reduction=reduction)


def laid_out(method: str, kernel: Kernel, data: Data, rows: int, steps: int, seed: int) -> List[Layout]:
    """The steps of a method as the kernel needs them."""
    found = layouts(method, data.counts, data.limit, rows, steps, seed)
    if method == "unpadded" and kernel.fixed_shape:
        return [Layout(layout.rows, rows * data.limit) for layout in found]
    return found


def trainer(shape: Shape, kernel: Kernel, settings: Settings) -> Callable[[Batch], Tensor]:
    """A model with its optimiser; a call is one step of training, and returns the loss."""
    model = build(shape, settings.device, settings.seed)
    gpu = settings.device.type == "cuda"
    options: Entry = {"fused": True} if gpu else {}
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-4, **options)

    def step(batch: Batch) -> Tensor:
        optimiser.zero_grad(set_to_none=True)
        with mixed(settings.device, gpu):
            logits = model(batch.ids, batch.positions, kernel.prepare(batch, shape.causal))
            loss = loss_of(logits, batch.targets)
        del logits
        loss.backward()
        optimiser.step()
        return loss.detach()

    return step


def seconds(step: Callable[[Batch], Tensor], batches: List[Batch], device: torch.device) -> Tuple[float, float]:
    """Time of all batches, from an idle device to an idle device, and the last loss."""
    synchronise(device)
    start = time.perf_counter()
    for each in batches:
        loss = step(each)
    synchronise(device)
    return time.perf_counter() - start, float(loss)


def synchronise(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def warm_up(step: Callable[[Batch], Tensor], batches: List[Batch], number: int) -> None:
    """Untimed steps: compilation, choice of kernels, and memory, of which the widest batch needs most."""
    widest = max(batches, key=lambda each: each.layout.slots)
    for each in [widest, *(batches[i % len(batches)] for i in range(number - 1))]:
        step(each)


def measure_kernel(shape: Shape, data: Data, method: str, kernel: Kernel, settings: Settings) -> Entry:
    """Trains with one kernel; every repeat takes the same batches, so that their spread is the machine's."""
    device = settings.device
    plan = laid_out(method, kernel, data, settings.rows, settings.steps, settings.seed)
    seeds = range(settings.seed, settings.seed + len(plan))
    batches = [batch(each, shape.vocabulary, shape.causal, device, seed) for each, seed in zip(plan, seeds)]
    step = trainer(shape, kernel, settings)
    warm_up(step, batches, settings.warmup)
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    runs = [seconds(step, batches, device) for _ in range(settings.repeats)]
    if not all(math.isfinite(loss) for _, loss in runs):
        raise ArithmeticError("the loss is not finite")
    times = [took for took, _ in runs]
    tokens = sum(each.real_tokens for each in plan)
    rates = [tokens / took for took in times]
    return {
        "model": shape.name,
        "data": data.name,
        "limit": data.limit,
        "method": method,
        "kernel": kernel.name,
        "rows": settings.rows,
        "sequences": sum(each.sequences for each in plan),
        "real_tokens": tokens,
        "slots": sum(each.slots for each in plan),
        "steps": len(plan),
        "seconds": statistics.median(times),
        "real_tokens_per_second": statistics.median(rates),
        "spread": (max(rates) - min(rates)) / statistics.median(rates),
        "peak_bytes": torch.cuda.max_memory_allocated(device) if device.type == "cuda" else None,
    }


def measure(shape: Shape, data: Data, method: str, settings: Settings) -> Tuple[List[Entry], List[Entry]]:
    """The measurement with the first kernel that works (none, or one), and why those before it do not."""
    rejected: List[Entry] = []
    for kernel in kernels(method, settings.device):
        try:
            return [measure_kernel(shape, data, method, kernel, settings)], rejected
        # PyTorch and its compilers refuse by many kinds of exceptions.
        except Exception as error:
            why = reason(error)
        # Only here, after the exception with its frames is gone, is memory really free.
        release(settings.device)
        where = {"model": shape.name, "data": data.name, "method": method}
        rejected.append({**where, "kernel": kernel.name, "reason": why})
    return [], rejected


def release(device: torch.device) -> None:
    """Gives back the memory of a GPU before the next model is made."""
    if device.type == "cuda":
        gc.collect()
        torch.cuda.empty_cache()


def reason(error: Exception) -> str:
    """The kind of an error and the first line of what it says."""
    lines = str(error).strip().splitlines()
    said = lines[0][:300] if lines else "no message"
    return said if type(error).__name__ == "Unsupported" else f"{type(error).__name__}: {said}"
