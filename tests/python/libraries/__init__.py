"""Packing of training libraries, run by the libraries' own code: one function for each, all of one form.

`RUNS[id](lengths, limit, **settings)` gives a `Run`. Where a library needs gigabytes that packing does not use, only
the file that packs is loaded (`loading`); what that needs of the rest is in the adapter, and is no packing.
"""

# Each registers what it runs.
from . import balance, batches, graphs, nemo, pretraining, rollouts, sft, twins  # noqa: F401
from .common import Run
from .registry import EXECUTED, FETCHED, RUNS, TWINS, Library

__all__ = ["EXECUTED", "FETCHED", "RUNS", "TWINS", "Library", "Run"]
