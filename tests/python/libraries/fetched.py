"""Files of repositories that are on no index: each of one commit, by its hash. They are fetched, never committed."""

import ast
import hashlib
import os
import time
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from pathlib import Path
from types import ModuleType
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from .loading import modules, stub

HOST = "https://raw.githubusercontent.com"
# Seconds for a connection, and for a file.
PATIENCE = 10
# Why nobody answered, once somebody did not.
SILENT = []


def folders():
    """Where a file may lie, under the path that it has at `HOST`: the folder that is given, and that of the user."""
    given = os.environ.get("PACKSCOPE_SOURCES")
    cached = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "packscope-sources"
    return [*([Path(given)] if given else []), cached]


@cache
def fetch(path):
    """The bytes at an address, or why there are none. Where nobody answers, nobody is asked again."""
    if SILENT:
        return SILENT[0]
    try:
        began, parts = time.monotonic(), []
        with urlopen(f"{HOST}/{path}", timeout=PATIENCE) as answer:
            while part := answer.read1(1 << 16):
                parts.append(part)
                if time.monotonic() - began > PATIENCE:
                    raise TimeoutError(f"not there after {PATIENCE} s")
            # Of a file that ends early less than it said.
            if answer.length:
                raise TimeoutError(f"{answer.length} bytes are missing")
        return b"".join(parts)
    except HTTPError as error:
        return str(error)
    except (OSError, HTTPException) as error:
        SILENT.append(str(error))
        return str(error)


def source(path, sha256):
    """The text of a file, by the path it has at `HOST`; skips the test where nobody has it."""
    held = next((folder / path for folder in folders() if (folder / path).is_file()), None)
    found = held.read_bytes() if held else fetch(path)
    if isinstance(found, str):
        pytest.skip(f"{HOST}/{path} is in none of {', '.join(map(str, folders()))}, and cannot be fetched: {found}")
    is_the_one = hashlib.sha256(found).hexdigest() == sha256
    assert is_the_one, f"{held or f'{HOST}/{path}'} is not the file that ours was compared with"
    if not held:
        keep(folders()[-1] / path, found)
    return found.decode()


def keep(path, content):
    """Writes a file at once, so that tests which run beside each other find all of it or nothing; not to be able to is
    no failure."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        pass


@dataclass(frozen=True, eq=False)
class Repository:
    """A repository at a commit, and the hashes of those files of it that are run."""

    name: str
    commit: str
    files: dict

    def text(self, file):
        return source(f"{self.name}/{self.commit}/{file}", self.files[file])

    def load(self, *files, stubs=()):
        """Modules of these files, in an order in which each only imports earlier ones. What else they import of their own
        package is a stub."""
        texts = {file: self.text(file) for file in files}
        replaced = {given.__name__: given for given in stubs}
        made = {file: ModuleType(module_name(file)) for file in files}
        own = {module.__name__: module for module in made.values()}
        for text in texts.values():
            for name in imported(text, files[0].partition("/")[0]):
                replaced.setdefault(name, stub(name))
        with modules(replaced | own):
            for file, module in made.items():
                exec(compile(texts[file], f"{self.name}@{self.commit[:8]} {file}", "exec"), vars(module))
        return made


def module_name(file):
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported(text, package):
    """Modules of a package that a file of it imports."""
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)]
    return [node.module for node in nodes if node.module.partition(".")[0] == package]
