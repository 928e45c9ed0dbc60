"""The command line, item lists, and the lines it writes, executed in a folder of their own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

# Before anyone starts Spark: two threads, little memory, no page.
SPARK = {
    "spark.driver.memory": "2g",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.execution.arrow.pyspark.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
}
os.environ["PYSPARK_SUBMIT_ARGS"] = " ".join(
    ["--master local[2]", *(f"--conf {name}={value}" for name, value in SPARK.items()), "pyspark-shell"]
)
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, and there is none")


class Packscope:
    """The command line in a folder: what it writes lies there."""

    def __init__(self, folder):
        self.folder = folder
        self.program = os.environ.get("PACKSCOPE", str(ROOT / "target/debug/packscope"))

    def run(self, *args):
        done = subprocess.run(
            [self.program, *map(str, args)], cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *args):
        return json.loads(self.run(*args, "--format", "json"))

    def snippet(self, tool, *args):
        """The lines for a tool, executed; the names they define."""
        names = {"__name__": tool}
        text = self.text(tool, *args)
        # Spark runs in a process of its own, which stays where it began.
        for file in ("items.parquet", "assignment.parquet"):
            text = text.replace(f'"{file}"', repr(str(self.folder / file)))
        exec(compile(text, f"<{tool}>", "exec"), names)
        return names

    def text(self, tool, *args):
        return self.run("export", "snippet", *args, "--tool", tool)


@pytest.fixture
def packscope(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Packscope(tmp_path)


def items_of(name, seed=0, part=1):
    """The items of a built-in set in a random order; of every count only a part, rounded up."""
    table = pd.read_csv(ROOT / "static/datasets" / f"{name}.csv").to_numpy()
    items = np.repeat(table[:, :-1], -(-table[:, -1] // part), axis=0)
    items = np.random.default_rng(seed).permutation(items)
    return items[:, 0] if items.shape[1] == 1 else items


def write_items(items, folder):
    """items.csv for the command line, items.parquet for engines."""
    names = ["length"] if items.ndim == 1 else ["nodes", "edges"]
    table = pd.DataFrame(items.reshape(len(items), -1), columns=names)
    table.to_csv(folder / "items.csv", index=False)
    table.insert(0, "id", np.arange(len(items)))
    table.to_parquet(folder / "items.parquet", index=False)


def recount(placed, plan, items):
    """What an assignment comes to, from nothing but itself: it must be what the plan says."""
    figures, limits = plan["figures"], plan["limits"]
    sizes = np.asarray(placed["size"]).reshape(len(placed["pack"]), -1)
    packs = np.unique(placed["pack"])
    assert (len(packs), packs[0], packs[-1]) == (figures["packs"], 0, figures["packs"] - 1)
    assert len(placed["pack"]) == figures["items"]
    for k, limit in enumerate(limits):
        align = plan["align"]
        used = np.minimum(-(-sizes[:, k] // align) * align, limit)
        filled = np.bincount(placed["pack"], weights=used).astype(np.int64)
        assert filled.max() <= limit
        real = int(sizes[:, k].sum())
        slots = len(packs) * limit
        assert real == figures["real_tokens"][k]
        assert slots == figures["slots"][k]
        assert slots - real == figures["padding_tokens"][k]
        assert real / slots == pytest.approx(figures["efficiency"][k], abs=1e-15)
    depth = np.bincount(placed["pack"])
    assert depth.max() == figures["max_depth"]
    assert len({(p, q) for p, q in zip(placed["pack"], placed["place"])}) == len(placed["pack"])
    # Each item once; of a split one, pieces that make the whole.
    item = np.asarray(placed["item"])
    assert item.min() >= 0 and item.max() < len(items)
    if plan["overlong"] == "split":
        assert np.array_equal(np.bincount(item, weights=sizes[:, 0], minlength=len(items)).astype(int), items)
    else:
        assert len(np.unique(item)) == len(item)
        whole = np.asarray(items).reshape(len(items), -1)[item]
        assert np.array_equal(np.minimum(whole, [limit for limit in limits]), sizes)
