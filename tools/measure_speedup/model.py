"""The two models: shapes as published, weights random.

Attention is handed in from outside, so that all methods train the very same layers. What both leave out changes
neither the shape nor the work noticeably: dropout, token types, pooling.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# Queries, keys, values, all rows × heads × slots × width of a head → the same shape.
Attend = Callable[[Tensor, Tensor, Tensor], Tensor]
Rotation = Tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Shape:
    """Sizes of a transformer. `positions` is the number of learned ones, 0 for rotary ones."""

    name: str
    causal: bool
    layers: int
    width: int
    hidden: int
    heads: int
    kv_heads: int
    vocabulary: int
    positions: int

    @property
    def head(self) -> int:
        return self.width // self.heads

    def with_positions(self, limit: int) -> Shape:
        """With at least as many learned positions as the limit asks for."""
        return replace(self, positions=max(self.positions, limit) if self.positions else 0)


SHAPES = {
    # Devlin et al. 2019.
    "bert-large": Shape("bert-large", False, 24, 1024, 4096, 16, 16, 30522, 512),
    # Meta's model card of Llama 3.2 1B.
    "llama-1b": Shape("llama-1b", True, 16, 2048, 8192, 32, 8, 128256, 0),
}


def toy(shape: Shape) -> Shape:
    """The same layers, so small that a CPU trains them in a moment."""
    kv_heads = max(1, 2 * shape.kv_heads // shape.heads)
    return replace(shape, layers=2, width=32, hidden=64, heads=2, kv_heads=kv_heads, vocabulary=101)


class RMSNorm(nn.Module):
    """Zhang and Sennrich 2019; by PyTorch's own function where it has one."""

    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        if hasattr(F, "rms_norm"):
            return F.rms_norm(x, self.weight.shape, self.weight, 1e-5)
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


class Attention(nn.Module):
    """Projections round the attention that is handed in."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        bias = not shape.causal
        kv = shape.kv_heads * shape.head
        self.qkv = nn.Linear(shape.width, shape.width + 2 * kv, bias=bias)
        self.out = nn.Linear(shape.width, shape.width, bias=bias)

    def forward(self, x: Tensor, attend: Attend, rotation: Optional[Rotation]) -> Tensor:
        shape = self.shape
        heads = self.qkv(x).unflatten(-1, (-1, shape.head)).transpose(1, 2)
        q, k, v = heads.split([shape.heads, shape.kv_heads, shape.kv_heads], dim=1)
        if rotation is not None:
            q, k = rotate(q, rotation), rotate(k, rotation)
        if shape.kv_heads < shape.heads:
            # Not every kernel shares keys and values among heads, so none is asked to.
            k, v = (x.repeat_interleave(shape.heads // shape.kv_heads, dim=1) for x in (k, v))
        return self.out(attend(q, k, v).transpose(1, 2).flatten(2))


class EncoderLayer(nn.Module):
    """BERT's: normalised after the sum, GELU."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.attention = Attention(shape)
        self.norm1, self.norm2 = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.up, self.down = nn.Linear(shape.width, shape.hidden), nn.Linear(shape.hidden, shape.width)

    def forward(self, x: Tensor, attend: Attend, rotation: Optional[Rotation]) -> Tensor:
        x = self.norm1(x + self.attention(x, attend, rotation))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class DecoderLayer(nn.Module):
    """Llama's: normalised before the sub-layer, SwiGLU, no biases."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.attention = Attention(shape)
        self.norm1, self.norm2 = RMSNorm(shape.width), RMSNorm(shape.width)
        self.gate = nn.Linear(shape.width, shape.hidden, bias=False)
        self.up = nn.Linear(shape.width, shape.hidden, bias=False)
        self.down = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, x: Tensor, attend: Attend, rotation: Optional[Rotation]) -> Tensor:
        x = x + self.attention(self.norm1(x), attend, rotation)
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class EncoderHead(nn.Module):
    """BERT's head for masked words, as far as the tied weights."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.dense = nn.Linear(shape.width, shape.width)
        self.norm = nn.LayerNorm(shape.width)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(F.gelu(self.dense(x)))


class Transformer(nn.Module):
    """Token ids and their positions → logits, for every slot, padding included, as the usual libraries do."""

    def __init__(self, shape: Shape, spread: float = 0.02):
        super().__init__()
        self.shape = shape
        layer = DecoderLayer if shape.causal else EncoderLayer
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.places = nn.Embedding(shape.positions, shape.width) if shape.positions else None
        self.norm = None if shape.causal else nn.LayerNorm(shape.width)
        self.layers = nn.ModuleList(layer(shape) for _ in range(shape.layers))
        self.head = RMSNorm(shape.width) if shape.causal else EncoderHead(shape)
        self.bias = None if shape.causal else nn.Parameter(torch.zeros(shape.vocabulary))
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=spread)

    def forward(self, ids: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        x = self.words(ids)
        rotation = None
        if self.places is None:
            rotation = angles(positions, self.shape.head)
        else:
            x = self.norm(x + self.places(positions))
        for layer in self.layers:
            x = layer(x, attend, rotation)
        return F.linear(self.head(x), self.words.weight, self.bias)


def angles(positions: Tensor, head: int, base: float = 500_000.0) -> Rotation:
    """Cosines and sines of rotary positions, once for all layers; the base is Llama 3's."""
    powers = torch.arange(0, head, 2, device=positions.device, dtype=torch.float32) / head
    turned = positions[:, None, :, None].float() / base**powers
    return turned.cos(), turned.sin()


def rotate(x: Tensor, rotation: Rotation) -> Tensor:
    """Turns both halves of each head; in the type of `x`, which attention wants for q, k and v alike."""
    cos, sin = (part.to(x.dtype) for part in rotation)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)
