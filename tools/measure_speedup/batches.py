"""What is trained on: lengths drawn from a histogram, and where each method lays the sequences.

No PyTorch here, only lengths: which sequences share a step, which share a row, and how wide the rows are.
"""

from __future__ import annotations

import csv
import math
import random
from dataclasses import dataclass
from typing import Dict, List, Tuple

METHODS = ("padded", "sorted", "packed-dense", "packed-block", "unpadded")

Counts = Dict[int, int]


@dataclass(frozen=True)
class Layout:
    """One step: the lengths of the sequences of each row, in order, and the width that all rows have."""

    rows: List[List[int]]
    width: int

    @property
    def sequences(self) -> int:
        return sum(map(len, self.rows))

    @property
    def real_tokens(self) -> int:
        return sum(map(sum, self.rows))

    @property
    def slots(self) -> int:
        """Everything that is computed: real tokens and padding."""
        return len(self.rows) * self.width

    def segments(self) -> List[Tuple[int, int, int, bool]]:
        """(row, begin, end, real) of every sequence, and of the padding that ends a row, in the order of memory."""
        found = []
        for row, lengths in enumerate(self.rows):
            begin = 0
            for length in lengths:
                found.append((row, begin, begin + length, True))
                begin += length
            if begin < self.width:
                found.append((row, begin, self.width, False))
        return found


def read_counts(path: str, limit: int) -> Counts:
    """The histogram in a file of `length,count`; sequences above the limit are truncated to it."""
    counts: Counts = {}
    with open(path, newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            length = min(int(line["length"]), limit)
            if length < 1 or int(line["count"]) < 0:
                raise ValueError(f"{path}: a length must be at least 1 and a count at least 0, not {line}")
            counts[length] = counts.get(length, 0) + int(line["count"])
    if not sum(counts.values()):
        raise ValueError(f"{path}: there is no sequence")
    return counts


def mean(counts: Counts) -> float:
    return sum(length * count for length, count in counts.items()) / sum(counts.values())


def draw(counts: Counts, number: int, rng: random.Random) -> List[int]:
    """Draws lengths at evenly spaced quantiles with a random start, in random order.

    Systematic sampling: the sample has the histogram's shape as nearly as its size allows, so that the methods,
    which need samples of different sizes, are measured on the same data.
    """
    step = sum(counts.values()) / number
    at = rng.random() * step
    drawn: List[int] = []
    below = 0
    for length in sorted(counts):
        below += counts[length]
        while at < below and len(drawn) < number:
            drawn.append(length)
            at += step
    # Rounding may leave the last quantile a hair above the total.
    drawn += [max(counts)] * (number - len(drawn))
    rng.shuffle(drawn)
    return drawn


def best_fit_decreasing(lengths: List[int], limit: int) -> List[List[int]]:
    """Packs longest first, each into the fullest row that has room."""
    rows_with_room: List[List[List[int]]] = [[] for _ in range(limit + 1)]
    for length in sorted(lengths, reverse=True):
        room = next((room for room in range(length, limit + 1) if rows_with_room[room]), None)
        row = rows_with_room[room].pop() if room is not None else []
        row.append(length)
        rows_with_room[(limit if room is None else room) - length].append(row)
    return [row for rows in rows_with_room for row in rows]


def end_to_end(lengths: List[int], budget: int) -> List[List[int]]:
    """Fills steps in order of arrival, each until the next sequence would exceed the budget of tokens."""
    steps: List[List[int]] = [[]]
    filled = 0
    for length in lengths:
        if filled + length > budget:
            steps.append([])
            filled = 0
        steps[-1].append(length)
        filled += length
    return steps


def layouts(method: str, counts: Counts, limit: int, rows: int, steps: int, seed: int) -> List[Layout]:
    """The steps of a method, in random order.

    A step of `padded` and `sorted` has `rows` sequences, a step of packs `rows` packs, and a step of `unpadded` as
    many sequences as go into `rows` × `limit` slots: the memory that the other methods may need.
    """
    rng = random.Random(seed)
    if method in ("padded", "sorted"):
        drawn = draw(counts, rows * steps, rng)
        if method == "sorted":
            drawn.sort()
        chunks = [[[length] for length in drawn[i : i + rows]] for i in range(0, len(drawn), rows)]
        rng.shuffle(chunks)
        return [Layout(chunk, limit if method == "padded" else max(chunk)[0]) for chunk in chunks]
    if method == "unpadded":
        # A step is left when the next sequence does not fit: less than one row of it is empty.
        drawn = draw(counts, math.ceil(steps * (rows + 1) * limit / mean(counts)) + 1, rng)
        streams = end_to_end(drawn, rows * limit)[:steps]
        return [Layout([stream], sum(stream)) for stream in streams]
    drawn = draw(counts, math.ceil((rows * steps + 1) * limit / mean(counts)), rng)
    packs = best_fit_decreasing(drawn, limit)
    rng.shuffle(packs)
    return [Layout(packs[i : i + rows], limit) for i in range(0, rows * steps, rows)]
