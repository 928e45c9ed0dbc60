"""Packing of training libraries, run by the libraries' own code: one function for each, all of one form.

`RUNS[id](lengths, limit, **settings)` gives a `Run`. Where a library needs gigabytes that packing does not use, only the
file that packs is loaded (`loading`); what it needs of the rest is in the adapter, and is no packing.
"""

from .common import Run
from . import balance, batches, graphs, nemo, pretraining, sft, twins
from .registry import EXECUTED, RUNS, TWINS, Library

__all__ = ["EXECUTED", "RUNS", "TWINS", "Library", "Run", "balance", "batches", "graphs", "nemo", "pretraining", "sft", "twins"]
