"""Attention that keeps sequences apart: the kernels, and which of them a method may use.

A kernel is prepared once per step, for the batch at hand (masks belong to what is measured), and then called by every
layer. What this PyTorch or this device cannot do raises `Unsupported`, or whatever PyTorch raises.
"""

from __future__ import annotations

import importlib
import inspect
import math
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor

from batches import Layout
from model import Attend

IGNORED = -100
# Slots in a block of flex_attention's mask.
BLOCK = 128


class Unsupported(Exception):
    """This PyTorch or this device lacks what a kernel needs."""


@dataclass(frozen=True)
class Batch:
    """One step on the device. Tensors of rows × width, if nothing else is said."""

    layout: Layout
    ids: Tensor
    positions: Tensor
    # What to predict; IGNORED for padding, and where a decoder's sequence ends.
    targets: Tensor
    # The number of the sequence within its row; -1 for padding.
    documents: Tensor
    # Where each sequence, and each end of padding, starts when rows are laid end to end; and the total.
    starts: Tensor
    longest: int


def batch(layout: Layout, vocabulary: int, causal: bool, device: torch.device, seed: int) -> Batch:
    """Fills a layout with random tokens. Encoders predict each token itself, decoders the next of its sequence."""
    size = (len(layout.rows), layout.width)
    ids = torch.randint(vocabulary, size, generator=torch.Generator().manual_seed(seed))
    positions, documents = torch.zeros(size, dtype=torch.long), torch.full(size, -1)
    targets = torch.full(size, IGNORED)
    segments = layout.segments()
    for number, (row, begin, end, real) in enumerate(segments):
        positions[row, begin:end] = torch.arange(end - begin)
        if real:
            documents[row, begin:end] = number
            shift = 1 if causal else 0
            targets[row, begin : end - shift] = ids[row, begin + shift : end]
    starts = [row * layout.width + begin for row, begin, _, _ in segments] + [layout.slots]
    longest = max(end - begin for _, begin, end, _ in segments)
    ids, positions, targets, documents = (x.to(device) for x in (ids, positions, targets, documents))
    starts_there = torch.tensor(starts, dtype=torch.int32, device=device)
    return Batch(layout, ids, positions, targets, documents, starts_there, longest)


def dense_mask(batch: Batch, causal: bool, packed: bool) -> Optional[Tensor]:
    """True where a query may see a key: rows × 1 × queries (or 1) × keys. None where causality alone will do.

    Padding sees padding (packed) or the sequence before it: a row of the mask that is all false has no softmax.
    """
    if packed:
        same = batch.documents[:, None, :, None] == batch.documents[:, None, None, :]
        return same & triangle(batch.layout.width, same.device) if causal else same
    # A real token never sees the padding behind it when each sees only what is before.
    return None if causal else (batch.documents >= 0)[:, None, None, :]


def triangle(width: int, device: torch.device) -> Tensor:
    return torch.ones(width, width, dtype=torch.bool, device=device).tril()


def plain(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], causal: bool) -> Tensor:
    """Softmax of products, written out: runs everywhere. `causal` says that the mask is None but means a triangle."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if causal and mask is None:
        mask = triangle(q.shape[-2], q.device)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1).to(v.dtype) @ v


class Kernel:
    """One way of computing attention."""

    name = ""
    # Compiled for one shape: steps of `unpadded` are filled up to the budget.
    fixed_shape = False

    def prepare(self, batch: Batch, causal: bool) -> Attend:
        raise NotImplementedError


class Plain(Kernel):
    """Dense attention by matrix products."""

    name = "math"

    def __init__(self, packed: bool):
        self.packed = packed

    def prepare(self, batch: Batch, causal: bool) -> Attend:
        mask = dense_mask(batch, causal, self.packed)
        return lambda q, k, v: plain(q, k, v, mask, causal)


class Sdpa(Kernel):
    """Dense attention by one back end of scaled_dot_product_attention: pinned, so that its name is known."""

    def __init__(self, backend: str, packed: bool):
        self.name = "sdpa-" + backend.split("_")[0].lower()
        self.backend, self.packed = backend, packed

    def prepare(self, batch: Batch, causal: bool) -> Attend:
        pin = load("torch.nn.attention", "sdpa_kernel", "2.3")
        backend = getattr(load("torch.nn.attention", "SDPBackend", "2.3"), self.backend)
        mask = dense_mask(batch, causal, self.packed)

        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            with pin(backend):
                return F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal and mask is None)

        return attend


class Flex(Kernel):
    """flex_attention with a mask of blocks: products between documents are never computed.

    Compiled on a GPU, as it is meant to be. On a CPU it is written out by PyTorch, and only forwards.
    """

    fixed_shape = True

    def __init__(self, device: torch.device):
        self.compiled = device.type == "cuda"
        self.name = "flex" if self.compiled else "flex-eager"
        self.functions: Optional[Tuple[Any, Any]] = None

    def load(self) -> Tuple[Any, Any]:
        module = "torch.nn.attention.flex_attention"
        flex_attention = load(module, "flex_attention", "2.5")
        create_block_mask = load(module, "create_block_mask", "2.5")
        if not self.compiled:
            return flex_attention, create_block_mask
        # PyTorch keeps few compiled shapes: forget those of other measurements. As a full graph, because what
        # cannot be compiled would otherwise run uncompiled, without a word.
        torch._dynamo.reset()
        flex_attention = torch.compile(flex_attention, dynamic=False, fullgraph=True)
        return flex_attention, torch.compile(create_block_mask, dynamic=False)

    def prepare(self, batch: Batch, causal: bool) -> Attend:
        self.functions = self.functions or self.load()
        flex_attention, create_block_mask = self.functions
        rows, width = batch.documents.shape
        # Older versions ask for whole blocks, past the end of a row.
        documents = F.pad(batch.documents, (0, -width % BLOCK), value=-1)

        def same(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
            return documents[b, q] == documents[b, k]

        def same_and_before(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
            return (documents[b, q] == documents[b, k]) & (q >= k)

        mask_mod = same_and_before if causal else same
        blocks = create_block_mask(mask_mod, rows, None, width, width, device=documents.device, BLOCK_SIZE=BLOCK)
        return lambda q, k, v: flex_attention(q, k, v, block_mask=blocks)


class Varlen(Kernel):
    """FlashAttention over sequences of any length, by PyTorch's own function for it."""

    name = "varlen-flash"

    def prepare(self, batch: Batch, causal: bool) -> Attend:
        varlen = load("torch.nn.attention.varlen", "varlen_attn", "2.10")
        # Newer versions would take cuDNN where they can.
        flash = load("torch.nn.attention", "SDPBackend", "2.3").FLASH_ATTENTION
        pin = load("torch.nn.attention", "sdpa_kernel", "2.3")
        if batch.ids.device.type != "cuda":
            raise Unsupported("varlen_attn needs an NVIDIA GPU")
        if "is_causal" in inspect.signature(varlen).parameters:
            order: Dict[str, Any] = {"is_causal": causal}
        else:
            order = {"window_size": (-1, 0 if causal else -1)}

        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            flat = (x.transpose(1, 2).flatten(0, 1) for x in (q, k, v))
            with pin(flash):
                out = varlen(*flat, batch.starts, batch.starts, batch.longest, batch.longest, **order)
            return out.unflatten(0, batch.ids.shape).transpose(1, 2)

        return attend


class Nested(Kernel):
    """The same through jagged tensors and scaled_dot_product_attention."""

    def __init__(self, device: torch.device):
        self.backend = "FLASH_ATTENTION" if device.type == "cuda" else "MATH"
        self.name = "nested-flash" if device.type == "cuda" else "nested-math"

    def prepare(self, batch: Batch, causal: bool) -> Attend:
        jagged = load("torch.nested", "nested_tensor_from_jagged", "2.5")
        pin = load("torch.nn.attention", "sdpa_kernel", "2.5")
        backend = getattr(load("torch.nn.attention", "SDPBackend", "2.5"), self.backend)
        starts = batch.starts.long()
        sizes = [end - begin for _, begin, end, _ in batch.layout.segments()]

        def nest(x: Tensor) -> Tensor:
            flat = x.transpose(1, 2).flatten(0, 1).contiguous()
            # With the least and the largest size known, nothing waits for the device to tell them.
            return jagged(flat, starts, min_seqlen=min(sizes), max_seqlen=max(sizes)).transpose(1, 2)

        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            with pin(backend):
                out = F.scaled_dot_product_attention(nest(q), nest(k), nest(v), is_causal=causal)
            return out.transpose(1, 2).values().unflatten(0, batch.ids.shape).transpose(1, 2)

        return attend


class Blocks(Kernel):
    """Each sequence by itself, one after the other: slow, but the right work on any PyTorch."""

    name = "math-blocks"

    def prepare(self, batch: Batch, causal: bool) -> Attend:
        segments = batch.layout.segments()

        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            rows: List[List[Tensor]] = [[] for _ in batch.layout.rows]
            for row, begin, end, _ in segments:
                part = [x[row, :, begin:end] for x in (q, k, v)]
                rows[row].append(plain(part[0], part[1], part[2], None, causal))
            return torch.stack([torch.cat(parts, dim=1) for parts in rows])

        return attend


def load(module: str, name: str, since: str) -> Any:
    """Something that only newer versions of PyTorch have."""
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise Unsupported(
            f"{module}.{name} needs PyTorch {since} or later; this is {torch.__version__}"
        ) from error


def kernels(method: str, device: torch.device) -> List[Kernel]:
    """The kernels of a method, in the order of preference: the first that works is measured."""
    if method == "packed-block":
        return [Flex(device), Varlen(), Nested(device), Blocks()]
    if method == "unpadded":
        return [Varlen(), Nested(device), Flex(device), Blocks()]
    packed = method == "packed-dense"
    backends = ["FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION", "MATH"]
    return [*(Sdpa(backend, packed) for backend in backends), Plain(packed)]
