"""The page in a notebook's cell.

The kernel starts `packscope open`, which serves the page to 127.0.0.1 under a secret address, and shows it in a frame: the
lengths go from the kernel to the browser of the same machine, and nowhere else. The server ends with the kernel.
"""

from __future__ import annotations

import operator
import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from ._program import program

# What is shown keeps its server, also where nobody keeps the page itself.
_shown: list[Page] = []


class Page:
    """A page that is served as long as the kernel runs, or until it is closed. A notebook shows it as a frame."""

    def __init__(self, process: subprocess.Popen, url: str, height: int):
        self._process = process
        #: The address, of which 127.0.0.1 is the machine of the kernel.
        self.url = url
        #: Of the frame, in pixels.
        self.height = height

    def close(self) -> None:
        """Ends the server: the frame keeps what it has, and loads nothing more."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        if self in _shown:
            _shown.remove(self)

    def __repr__(self) -> str:
        return f"Packscope at {self.url}"

    def _repr_html_(self) -> str:
        url = escape(self.url)
        return (
            f'<iframe src="{url}&amp;embed=1" title="Packscope" width="100%" height="{self.height}" '
            'style="border: 0"></iframe>\n'
            f'<p><a href="{url}" target="_blank" rel="noopener">Packscope in a tab of its own</a>. Both need the kernel of this '
            "notebook, on the machine of the browser: where the frame is empty, run the cell again.</p>"
        )


def notebook(
    lengths: str | os.PathLike | Mapping | Iterable,
    *,
    name: str | None = None,
    settings: str = "",
    height: int = 900,
    port: int = 0,
    options: Iterable[str] = (),
) -> Page:
    """The page with these lengths loaded, as the value of a cell.

    `lengths` is the path of any file that `packscope` reads; or whole numbers, one for each sequence, as a list, an array, a
    tensor or a column; or a mapping from lengths to counts. For graphs and pairs they are tuples, or rows of two.
    `settings` are those of the page's addresses ("view=ranks&limit=8192"); `port` is one to forward where the kernel runs on
    another machine than the browser, and a free one for 0; `options` are further ones of `packscope open`.

    Raises ValueError where the lengths cannot be read, with what the program says of them.
    """
    given = ["--no-browser", "--until-closed", "--settings", settings, "--port", str(port), *options]
    if isinstance(lengths, (str, os.PathLike)):
        given += ["--name", name] if name else []
        process, url = _serve(os.fspath(lengths), given)
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "lengths.csv")
            _write(lengths, file)
            # It is read before there is an address, and then needed no more.
            process, url = _serve(str(file), [*given, "--name", name or "lengths"])
    page = Page(process, url, height)
    _shown.append(page)
    return page


def _serve(file: str, options: list[str]) -> tuple[subprocess.Popen, str]:
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [program(), "open", *options, "--", file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            # Interrupting a cell interrupts the programs of the kernel's group.
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        url = process.stdout.readline().strip()
        if url:
            return process, url
        process.communicate()
        said.seek(0)
        raise ValueError(said.read().decode(errors="replace").strip())


def _write(lengths: Mapping | Iterable, file: Path) -> None:
    """Writes lengths, or pairs of sizes, with their counts."""
    counts = [(_size(size), _whole(count)) for size, count in _counted(lengths)]
    if not counts:
        raise ValueError("there are no lengths; expected at least one whole number")
    components = len(counts[0][0])
    if any(len(size) != components for size, _ in counts) or components > 2:
        raise ValueError("expected whole numbers, or pairs of them for graphs, and the same for all")
    names = "length" if components == 1 else "nodes,edges"
    rows = (",".join(map(str, (*size, count))) for size, count in counts)
    file.write_text("\n".join([f"{names},count", *rows, ""]))


def _counted(lengths: Mapping | Iterable) -> Iterable:
    if isinstance(lengths, Mapping):
        return lengths.items()
    if hasattr(lengths, "__array__"):
        # Whatever has this, has NumPy.
        import numpy

        sizes, counts = numpy.unique(numpy.asarray(lengths), axis=0, return_counts=True)
        return zip(map(_row, sizes.tolist()), counts.tolist())
    try:
        return Counter(lengths).items()
    except TypeError as error:
        # A list of lists: most likely the tokens themselves.
        raise ValueError(f"expected whole numbers ({error}); of lists of tokens, [len(ids) for ids in lists]") from None


def _row(size: object) -> object:
    return tuple(size) if isinstance(size, list) else size


def _size(size: object) -> tuple[int, ...]:
    return tuple(map(_whole, size if isinstance(size, tuple) else (size,)))


def _whole(number: object) -> int:
    if isinstance(number, float) and number.is_integer():
        return int(number)
    try:
        return operator.index(number)
    except TypeError:
        raise ValueError(f"expected whole numbers, and there is {number!r}") from None
