"""Lengths that are computed, of the same records in every format that pandas and pyarrow write, beside pandas' own.

Needs the packages `pytest`, `numpy`, `pandas` and `pyarrow`, and PACKSCOPE, the path of the command line.
"""

import json
import os
import subprocess

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")

PACKSCOPE = os.environ.get("PACKSCOPE")
pytestmark = pytest.mark.skipif(not PACKSCOPE, reason="PACKSCOPE, the path of the command line, is not set")

draw = np.random.default_rng(7)
FRAME = pd.DataFrame(
    {
        "name": [f"u{i}" for i in range(3000)],
        "start": np.round(draw.uniform(0, 50, 3000), 3),
        "prompt length": draw.integers(1, 4000, 3000),
        "response_length": draw.integers(1, 4000, 3000).astype("int32"),
    }
)
FRAME["end"] = np.round(FRAME["start"] + draw.uniform(0.2, 30, 3000), 3)
FRAME["duration"] = FRAME["end"] - FRAME["start"]

FORMULAE = {
    "`prompt length` + response_length": lambda f: f["prompt length"] + f["response_length"],
    "ceil(`prompt length` / 16) * ceil(response_length / 16)": lambda f: -(-f["prompt length"] // 16) * -(-f["response_length"] // 16),
    "floor((end - start) * 100) + 1": lambda f: np.floor((f["end"] - f["start"]) * 100) + 1,
    "ceil(duration * 16000)": lambda f: np.ceil(f["duration"] * 16000),
    "max(`prompt length`, response_length, 512)": lambda f: np.maximum(np.maximum(f["prompt length"], f["response_length"]), 512),
}

WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    # pandas itself writes 15 digits, which are other numbers.
    "jsonl": lambda frame, path: path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dict("records"))),
    "json": lambda frame, path: path.write_text(json.dumps(frame.to_dict("records"))),
    "split.json": lambda frame, path: path.write_text(json.dumps(frame.to_dict("split"))),
    "parquet": lambda frame, path: frame.to_parquet(path),
    "arrow": lambda frame, path: frame.to_feather(path, compression="uncompressed"),
    "npz": lambda frame, path: np.savez(path, **{name: frame[name].to_numpy() for name in frame if name != "name"}),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_every_format_gives_the_lengths_that_pandas_computes(kind, tmp_path):
    path = tmp_path / f"records.{kind}"
    WRITERS[kind](FRAME, path)
    for formula, compute in FORMULAE.items():
        command = [PACKSCOPE, "describe", str(path), "--length", formula, "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        told, want = json.loads(done.stdout), compute(FRAME).astype(int)
        read = told["read"]
        assert (read["items"], read["total"], read["smallest"], read["largest"], read["skipped"]) == (
            len(FRAME), [int(want.sum())], [int(want.min())], [int(want.max())], 0,
        ), formula  # fmt: skip
        first = next(note["Computed"]["first"] for note in read["notes"] if "Computed" in note)
        assert first == [[int(length)] for length in want[:10]], formula


@pytest.mark.parametrize("kind", WRITERS)
def test_seconds_are_refused_with_formulae_that_read_them(kind, tmp_path):
    path = tmp_path / f"records.{kind}"
    WRITERS[kind](FRAME, path)
    describe = lambda length: subprocess.run([PACKSCOPE, "describe", str(path), "--length", length], capture_output=True, text=True)
    refused = describe("duration")
    assert refused.returncode == 2, refused.stdout
    formulae = refused.stderr.split("--length '")[1:]
    assert len(formulae) == 5
    for formula in formulae:
        formula = formula.split("'")[0]
        assert describe(formula).returncode == 0, formula
