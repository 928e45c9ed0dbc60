"""The wheel as it was installed: its program, the page that it serves, and a notebook."""

import csv
import gzip
import json
import re
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

import nbclient
import nbformat
import numpy as np
import pytest

import packscope

DATA = Path(__file__).parents[2] / "static/datasets"
WNLI = DATA / "glue_wnli.csv"
LENGTHS = [300, 200, 200, 12]


def described(file):
    out = subprocess.run([packscope.program(), "describe", file, "--format", "json"], capture_output=True, check=True)
    return json.loads(out.stdout)["summary"]


class Served:
    """What a page answers."""

    def __init__(self, url):
        self.page, _, self.hash = url.partition("#")

    def get(self, path, **headers):
        return urllib.request.urlopen(urllib.request.Request(self.page + path, headers=headers))

    def text(self, path):
        return self.get(path).read().decode()

    def data(self):
        """The rows of the table that the address names, without names."""
        settings = dict(pair.split("=", 1) for pair in self.hash.split("&"))
        rows = csv.reader(self.text(settings["data"].removeprefix("./")).splitlines())
        return [tuple(map(int, row)) for row in list(rows)[1:]]

    def refusal(self, path, **headers):
        with pytest.raises(urllib.error.HTTPError) as refused:
            self.get(path, **headers)
        return refused.value.code

    def ends(self):
        """Waits until nobody answers any more."""
        while True:
            try:
                self.get("").close()
            except urllib.error.URLError:
                return
            time.sleep(0.05)


@pytest.fixture
def shown():
    """Shows lengths as a notebook does, and closes the pages at the end."""
    pages = []

    def show(*args, **options):
        pages.append(packscope.notebook(*args, **options))
        return Served(pages[-1].url)

    yield show
    for page in pages:
        page.close()


def test_the_program_is_that_of_the_wheel():
    assert Path(packscope.program()).parent == Path(sysconfig.get_path("scripts"))
    asked = [[packscope.program(), "--version"], [sys.executable, "-m", "packscope", "--version"]]
    said = [subprocess.run(command, capture_output=True, check=True, text=True).stdout for command in asked]
    assert said[0] == said[1]
    # pip lists the version of the program.
    from importlib.metadata import version

    assert said[0].split() == ["packscope", version("packscope")]


def test_a_file_is_described():
    rows = [(int(row["length"]), int(row["count"])) for row in csv.DictReader(WNLI.open())]
    summary = described(WNLI)
    assert summary["items"] == sum(count for _, count in rows)
    assert summary["total_tokens"] == sum(length * count for length, count in rows)


def test_the_page_is_served_whole(shown):
    served = shown(WNLI)
    html = served.text("")
    assert "<title>Packscope" in html
    # What the page is made of: every file that it names comes, packed where that is taken, as what it is.
    named = re.findall(r'(?:href|data-app|data-wasm)="\./([^"]+)"', html)
    assert any(name.endswith(".wasm") for name in named)
    types = {"wasm": "application/wasm", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}
    for name in named:
        plain, packed = served.get(name), served.get(name, **{"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.read()) == plain.read()
        kind = name.rsplit(".", 1)[-1]
        assert plain.headers["Content-Type"] == types.get(kind, plain.headers["Content-Type"])
    worker = re.search(r'data-worker="([^"]+)"', html)[1]
    assert "import init" in served.text(worker)
    assert served.text("datasets/glue_wnli.csv") == WNLI.read_text()


def test_nothing_else_is_served(shown):
    served = shown(WNLI)
    host = served.page.split("/")[2]
    secret = served.page.split("/")[3]
    assert re.fullmatch("[0-9a-f]{32}", secret)
    for path in ["../", "..%2f", "../../etc/passwd", "pyproject.toml", "opened/", "sw.js"]:
        assert served.refusal(path) == 404
    assert Served(f"http://{host}/#").refusal("") == 404
    assert Served(f"http://{host}/{'0' * 32}/#").refusal("") == 404
    # A name of the network that leads here.
    assert served.refusal("", Host="packscope.example") == 403
    request = urllib.request.Request(served.page, data=b"x")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 405


@pytest.mark.parametrize(
    "lengths",
    [
        LENGTHS,
        tuple(LENGTHS),
        (length for length in LENGTHS),
        Counter(LENGTHS),
        np.array(LENGTHS, dtype=np.int32),
        np.array(LENGTHS, dtype=float),
    ],
    ids=["list", "tuple", "generator", "counts", "array", "floats"],
)
def test_lengths_come_as_python_has_them(shown, lengths):
    served = shown(lengths, name="mine", settings="view=ranks")
    assert sorted(served.data()) == [(12, 1), (200, 2), (300, 1)]
    assert served.hash == "data=./opened/mine&limit=300&view=ranks"


@pytest.mark.parametrize("pairs", [[(3, 2), (9, 20), (3, 2)], np.array([[3, 2], [9, 20], [3, 2]])], ids=["list", "array"])
def test_pairs_are_graphs(shown, pairs):
    served = shown(pairs)
    assert served.hash.startswith("view=graphs&")
    assert served.data() == [(3, 2, 2), (9, 20, 1)]


@pytest.mark.parametrize(
    ("lengths", "why"),
    [
        ([[101, 7592, 102]], r"\[len\(ids\) for ids in lists\]"),
        ([1.5], "expected whole numbers, and there is 1.5"),
        (["a text"], "expected whole numbers, and there is 'a text'"),
        ([], "there are no lengths"),
        ([(1, 2, 3)], "pairs of them for graphs"),
        ("not/there.csv", "not/there.csv"),
    ],
)
def test_what_is_no_length_is_refused(lengths, why):
    with pytest.raises(ValueError, match=why):
        packscope.notebook(lengths)


def test_a_page_ends_when_it_is_closed():
    page = packscope.notebook(LENGTHS)
    served = Served(page.url)
    assert served.get("").status == 200
    page.close()
    served.ends()


def test_a_notebook_shows_the_page_until_its_kernel_ends(tmp_path):
    cells = [
        f"import packscope\n\npage = packscope.notebook({LENGTHS})\npage",
        "import urllib.request\n\n"
        "data = page.url.partition('#')[0] + 'opened/lengths'\n"
        "print(urllib.request.urlopen(data).read().decode(), end='')",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    done = nbclient.NotebookClient(book, timeout=None, resources={"metadata": {"path": tmp_path}}).execute()
    shown, printed = (cell.outputs for cell in done.cells)
    frame = re.search(r'<iframe src="(http://127\.0\.0\.1:\d+/[0-9a-f]{32}/#[^"]+)"', shown[0].data["text/html"])[1]
    assert frame.endswith("&amp;embed=1")
    assert printed[0].text == "length,count\n12,1\n200,2\n300,1\n"
    Served(frame).ends()
