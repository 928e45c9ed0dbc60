"""Every library of which packing is run."""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version


@dataclass(frozen=True)
class Library:
    """A library, and the function that runs its packing: `run(lengths, limit, **settings) -> Run`."""

    id: str
    # Distribution on PyPI; of a twin, the repository and the commit it was written from.
    package: str
    # File and functions that pack.
    source: str
    run: object
    # Settings under which it is run, and compared with ours, by the library's own names.
    settings: tuple
    twin: bool
    # Takes no limit but powers of two.
    powers_of_two: bool
    # The repository from which its own code is fetched.
    origin: object = None

    @property
    def version(self):
        return self.package if self.twin or self.origin else f"{self.package} {version(self.package)}"


EXECUTED: dict[str, Library] = {}
FETCHED: dict[str, Library] = {}
TWINS: dict[str, Library] = {}
RUNS: dict[str, object] = {}


def library(id, package, source, *settings, twin=False, powers_of_two=False):
    """Registers a function as that which runs a library."""

    def register(run):
        assert id not in RUNS, id
        (TWINS if twin else EXECUTED)[id] = Library(id, package, source, run, settings or ({},), twin, powers_of_two)
        RUNS[id] = run
        return run

    return register


def fetched(id, origin, source, *settings):
    """Registers a function as that which runs a library that is on no index, by files of a commit."""

    def register(run):
        assert id not in RUNS, id
        package = f"{origin.name}@{origin.commit[:12]}"
        FETCHED[id] = Library(id, package, source, run, settings or ({},), False, False, origin)
        RUNS[id] = run
        return run

    return register


__all__ = ["EXECUTED", "FETCHED", "RUNS", "TWINS", "Library", "cache", "fetched", "library"]
