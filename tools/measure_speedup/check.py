"""Proves that what is measured is right: no sequence sees another, whatever shares its row.

Small models in float32: logits of each sequence, and the gradient of all, from every method and kernel against each
sequence computed alone. Kernels that only do bfloat16 are compared in that, which is coarser. Weights are large, so
that attention decides the logits: a control with the mask left out must differ, or agreement would mean nothing.
"""

from __future__ import annotations

import math
import sys
from typing import List, Optional, Tuple

import torch
from torch import Tensor

from attention import Batch, Kernel, Plain, batch, kernels, plain
from batches import METHODS, layouts
from model import SHAPES, Attend, Shape, Transformer, toy
from training import Data, Entry, build, laid_out, loss_of, mixed, reason, release

# Relative, in the Euclidean norm. Rounding makes 2e-6 in float32, 0.06 in bfloat16 (gradients); a mask left out
# makes more than 1.
TOLERANCE = {"float32": 1e-3, "bfloat16 autocast": 0.15}
CONTAMINATED = 0.5
DATA = Data("check", 96, {1: 1, 2: 2, 5: 2, 17: 3, 40: 2, 64: 1, 77: 1, 96: 1})
ROWS = 3


class Failed(Exception):
    """What is measured is not what it is called."""


class NoMask(Plain):
    """The mistake that the check exists for: documents of a row see each other."""

    name = "control: no mask"

    def prepare(self, batch: Batch, causal: bool) -> Attend:
        return lambda q, k, v: plain(q, k, v, None, causal)


def difference(a: Tensor, b: Tensor) -> float:
    found = float((a.float() - b.float()).norm() / b.float().norm())
    # What is no number would be lost when the largest is sought.
    return found if math.isfinite(found) else math.inf


def logits_of(model: Transformer, ids: Tensor, positions: Tensor, attend: Attend, precision: str) -> Tensor:
    with mixed(ids.device, precision != "float32"):
        return model(ids, positions, attend)


def alone(model: Transformer, batch: Batch, precision: str) -> Tuple[List[Tensor], Tensor]:
    """Logits of each sequence computed by itself, without any mask but causality, and the gradient of their sum."""
    found, losses = [], []
    causal = model.shape.causal
    for row, begin, end, real in batch.layout.segments():
        if real:
            ids, targets = batch.ids[row : row + 1, begin:end], batch.targets[row : row + 1, begin:end]
            positions = torch.arange(end - begin, device=ids.device)[None]
            logits = logits_of(model, ids, positions, lambda q, k, v: plain(q, k, v, None, causal), precision)
            found.append(logits[0].detach())
            losses.append(loss_of(logits, targets, "sum"))
    return found, gradient(model, torch.stack(losses).sum())


def together(model: Transformer, batch: Batch, kernel: Kernel, precision: str) -> Tensor:
    """Logits of the batch as the kernel computes it."""
    attend = kernel.prepare(batch, model.shape.causal)
    return logits_of(model, batch.ids, batch.positions, attend, precision)


def gradient(model: Transformer, loss: Tensor) -> Tensor:
    model.zero_grad()
    loss.backward()
    return model.words.weight.grad.clone()


def largest_difference(batch: Batch, logits: Tensor, each: List[Tensor]) -> float:
    """Of the sequence that differs most."""
    real = [segment for segment in batch.layout.segments() if segment[3]]
    pairs = zip(real, each)
    return max(difference(logits[row, begin:end], one) for (row, begin, end, _), one in pairs)


def gradient_difference(
    model: Transformer, batch: Batch, kernel: Kernel, precision: str, expected: Tensor
) -> Optional[float]:
    """None where the kernel does not train here; measuring will say why."""
    try:
        logits = together(model, batch, kernel, precision)
        return difference(gradient(model, loss_of(logits, batch.targets, "sum")), expected)
    except Exception:
        return None


def compare(shape: Shape, method: str, kernel: Kernel, device: torch.device, precision: str) -> Entry:
    """The larger differences of two steps: what a kernel keeps of the first must not reach the second."""
    model = build(shape, device, 1, spread=0.3)
    logits, gradients = [], []
    for seed, layout in enumerate(laid_out(method, kernel, DATA, ROWS, 2, 1)):
        made = batch(layout, shape.vocabulary, shape.causal, device, seed)
        each, expected = alone(model, made, precision)
        with torch.no_grad():
            logits.append(largest_difference(made, together(model, made, kernel, precision), each))
        gradients.append(gradient_difference(model, made, kernel, precision, expected))
    return {
        "model": shape.name,
        "method": method,
        "kernel": kernel.name,
        "precision": precision,
        "difference": max(logits),
        "gradient_difference": max(gradients, key=lambda each: math.inf if each is None else each),
        "tolerance": TOLERANCE[precision],
    }


def proof(shape: Shape, method: str, kernel: Kernel, device: torch.device) -> Optional[Entry]:
    """In float32, or else in what the kernel can do; None if it can do nothing here."""
    for precision in ["float32"] + ["bfloat16 autocast"] * (device.type == "cuda"):
        try:
            return compare(shape, method, kernel, device, precision)
        except Exception as error:
            why = reason(error)
        release(device)
    print(f"check: {shape.name} {method} {kernel.name}: not here: {why}", file=sys.stderr)
    return None


def right(found: Entry) -> bool:
    """Tells a proof, and whether it is one."""
    within = [found["difference"]]
    shown = "{model} {method} {kernel}, {precision}: logits {difference:.1e}".format(**found)
    if found["gradient_difference"] is not None:
        within.append(found["gradient_difference"])
        shown += ", gradient {gradient_difference:.1e}".format(**found)
    print(f"check: {shown}, tolerance {found['tolerance']:.0e}", file=sys.stderr)
    return max(within) <= found["tolerance"]


def check_layouts(method: str) -> None:
    """As many steps and rows as asked for, and no row longer than its width."""
    for rows, steps, limit in [(1, 1, 96), (3, 7, 96), (4, 2, 200)]:
        found = layouts(method, DATA.counts, limit, rows, steps, seed=2)
        counted = [1 if method == "unpadded" else rows] * steps
        if [len(each.rows) for each in found] != counted:
            raise Failed(f"{method}: {found} has not {steps} steps of {rows} rows")
        for each in found:
            if max(map(sum, each.rows)) > each.width or each.slots > rows * limit:
                raise Failed(f"{method}: {each} is wider than {limit}")


def check(device: torch.device) -> List[Entry]:
    """Every method with every kernel that runs here. Raises `Failed` if one is wrong or a method has none."""
    proofs = []
    for method in METHODS:
        check_layouts(method)
        for shape in map(toy, SHAPES.values()):
            tried = (proof(shape, method, kernel, device) for kernel in kernels(method, device))
            found = [each for each in tried if each is not None]
            if not found:
                raise Failed(f"{shape.name} {method}: no kernel works here")
            if method not in ("padded", "sorted"):
                control(shape, method, device)
            proofs += found
    wrong = [f"{each['model']} {each['method']} {each['kernel']}" for each in proofs if not right(each)]
    if wrong:
        raise Failed(f"these differ from each sequence computed alone: {', '.join(wrong)}")
    return proofs


def control(shape: Shape, method: str, device: torch.device) -> None:
    """The check must notice documents that see each other."""
    found = compare(shape, method, NoMask(packed=True), device, "float32")
    if found["difference"] < CONTAMINATED:
        raise Failed(f"{shape.name} {method}: without a mask nothing differs, so agreement means nothing")
