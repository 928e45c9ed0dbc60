"""Loads the file of an installed library that packs, without the libraries that training needs."""

import ast
import importlib
import importlib.util
import sys
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType


def path_of(package, file):
    """A file of a distribution, without importing anything."""
    path = Path(distribution(package).locate_file(file))
    assert path.exists(), f"{package} {distribution(package).version} has no {file}"
    return path


class Stub(ModuleType):
    """A module that is not installed: the names given are real, every other is a class that nobody can use."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__module__": self.__name__})


def stub(name, **names):
    module = Stub(name)
    vars(module).update(names)
    return module


@contextmanager
def modules(replaced):
    """These modules in place of what is there, for as long as it lasts; what was loaded meanwhile is forgotten again
    where it belongs to a package of theirs, so that other tests find the library as it is installed."""
    roots = {name.partition(".")[0] for name in replaced}

    def ours():
        return {name: module for name, module in sys.modules.items() if name.partition(".")[0] in roots}

    before = ours()
    sys.modules.update(replaced)
    try:
        yield
    finally:
        for name in ours():
            del sys.modules[name]
        sys.modules.update(before)


def load(package, name, stubs=()):
    """A module of a distribution, imported without running the `__init__` of the packages round it."""
    parts = name.split(".")
    parents = {".".join(parts[:n]) for n in range(1, len(parts))}
    replaced = {given.__name__: given for given in stubs}
    for parent in parents:
        # What a package is to have beside its files.
        module = replaced.setdefault(parent, ModuleType(parent))
        module.__path__ = [str(path_of(package, parent.replace(".", "/")))]
    with modules(replaced):
        return importlib.import_module(name)


def functions(package, file, names, given):
    """Functions and classes of a file of a distribution, with `given` as their globals."""
    path = path_of(package, file)
    return compiled(path.read_text(), str(path), names, given)


def compiled(text, place, names, given, cls=None):
    """Functions and classes of a text, or methods of a class in it, with `given` as their globals."""
    tree = ast.parse(text)
    if cls:
        [tree] = [node for node in tree.body if getattr(node, "name", None) == cls]
    body = [node for node in tree.body if getattr(node, "name", None) in names]
    assert {node.name for node in body} == set(names), f"{place} has no longer all of {names}"
    space = {"__name__": place, **given}
    exec(compile(ast.Module(body, []), place, "exec"), space)
    return space
