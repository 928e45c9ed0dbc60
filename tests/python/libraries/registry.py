"""Every library of which packing is run, by the name that `packscope trainer` has for it."""

from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version

from .common import Run


@dataclass(frozen=True)
class Library:
    id: str
    # Distribution on PyPI; of a twin, the repository and the commit it was written from.
    package: str
    # File and function that pack.
    source: str
    run: object
    # Settings for `run` and for `packscope trainer --set` that the comparison goes through, beside the defaults.
    settings: tuple = ({},)
    # Settings of which the packer takes nothing above the limit: what is above is dropped before.
    twin: bool = False
    powers_of_two: bool = False
    extra: dict = field(default_factory=dict)

    @property
    def version(self):
        return self.package if self.twin else f"{self.package} {version(self.package)}"


EXECUTED: dict[str, Library] = {}
TWINS: dict[str, Library] = {}
RUNS: dict[str, object] = {}


def library(id, package, source, *settings, twin=False, **more):
    """Registers `run(lengths, limit, **settings) -> Run`."""

    def register(run):
        entry = Library(id, package, source, run, settings or ({},), twin=twin, **more)
        assert id not in RUNS, id
        (TWINS if twin else EXECUTED)[id] = entry
        RUNS[id] = run
        return run

    return register


__all__ = ["EXECUTED", "RUNS", "TWINS", "Library", "Run", "cache", "library"]
