"""What a library's packing came to, counted from nothing but its rows."""

from dataclasses import dataclass
from itertools import groupby

import numpy as np

Piece = tuple[int, int]
"""A document and how many of its tokens: documents are numbered from 0."""


@dataclass
class Run:
    """Rows in the order in which they were made; a document in several pieces is in several."""

    lengths: list[int]
    rows: list[list[Piece]]
    # The order in which the algorithm saw the documents, where the library shuffles by itself.
    arrival: list[int] | None = None
    # Tokens of the samples, where the packer counts less than they have.
    samples: list[int] | None = None

    @property
    def ordered(self):
        """Tokens of the samples in the order in which the algorithm saw them."""
        samples = self.samples or self.lengths
        return samples if self.arrival is None else [samples[i] for i in self.arrival]

    @property
    def packs(self):
        """Of each row the lengths in it, ascending; rows in ascending order: comparable without names of documents."""
        return sorted(sorted(size for _, size in row) for row in self.rows)

    @property
    def figures(self):
        """Rows, tokens in them and not in them, documents and pieces."""
        kept = np.zeros(len(self.lengths), np.int64)
        pieces = np.zeros(len(self.lengths), np.int64)
        for row in self.rows:
            for document, size in row:
                kept[document] += size
                pieces[document] += 1
        whole = np.asarray(self.lengths, np.int64)
        lost = whole - kept
        assert (lost >= 0).all(), "a document has more tokens than it came with"
        some, cut = kept > 0, pieces > 1
        return {
            "rows": len(self.rows),
            "real_tokens": int(kept.sum()),
            # Of sequences of which something is in a row; of sequences of which nothing is.
            "truncated_tokens": int(lost[some].sum()),
            "dropped_tokens": int(lost[~some].sum()),
            "truncated_sequences": int((lost[some] > 0).sum()),
            "dropped_sequences": int((~some & (whole > 0)).sum()),
            "cut_sequences": int(cut.sum()),
            "pieces": int(pieces[cut].sum()),
            "most": max(map(len, self.rows), default=0),
        }


def tokens_of(document, size):
    """A document as tokens that say whose they are; 0 is padding."""
    return [document + 1] * int(size)


def pieces_of(tokens):
    """The documents in a row of such tokens, without padding."""
    return [(int(token) - 1, sum(1 for _ in run)) for token, run in groupby(np.asarray(tokens).tolist()) if token > 0]


def windows(items, size):
    return [items[at : at + size] for at in range(0, len(items), size)]


def overlong(lengths, limit, policy):
    """Documents that come to a packer, and what is left of them: {document: length}."""
    if policy == "truncate":
        return {i: min(n, limit) for i, n in enumerate(lengths)}
    assert policy == "drop", policy
    return {i: n for i, n in enumerate(lengths) if n <= limit}
