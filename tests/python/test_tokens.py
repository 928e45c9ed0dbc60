"""Token lengths by the command line, beside those of Python's `tokenizers` on the same files.

Needs the packages `pytest` and `tokenizers`, and PACKSCOPE, the path of the command line.
"""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest

tokenizers = pytest.importorskip("tokenizers")

DATA = Path(__file__).resolve().parents[1] / "data" / "tokens"
PACKSCOPE = os.environ.get("PACKSCOPE")
FAMILIES = ["wordpiece", "byte-bpe", "unigram"]

pytestmark = pytest.mark.skipif(not PACKSCOPE, reason="PACKSCOPE, the path of the command line, is not set")


def counted(name, family, *options):
    """The lengths of all records in order."""
    command = [PACKSCOPE, "tokens", str(DATA / name), "--tokenizer", str(DATA / f"{family}.json"), "--format", "lengths"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    return [int(line) for line in done.stdout.split()]


def encoded(inputs, family, special):
    """The same by Python, with 0 for what has no tokens."""
    tokenizer = tokenizers.Tokenizer.from_file(str(DATA / f"{family}.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return [len(tokenizer.encode(*texts, add_special_tokens=special).ids) for texts in inputs]


def records(name):
    with open(DATA / name, encoding="utf-8", newline="" if name.endswith(".csv") else None) as file:
        if name.endswith(".txt"):
            return [{"": line.rstrip("\n")} for line in file if line.strip()]
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in file]
        return list(csv.DictReader(file))


CASES = [
    ("verses.txt", "{}", None),
    ("devil.jsonl", "{term}, {part}: {definition}", None),
    ("devil.jsonl", "{term}", "{definition}"),
    ("jargon.csv", "{definition}", None),
    ("jargon.csv", "{term} ({grammar})", "{definition}"),
    ("odd.jsonl", "{text}", None),
    ("odd.jsonl", "{text}", "{text}"),
]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("special", [True, False])
@pytest.mark.parametrize(("name", "text", "pair"), CASES)
def test_lengths_are_those_of_python(name, text, pair, special, family):
    fill = lambda template, record: record[""] if template == "{}" else template.format(**record)
    inputs = [tuple(fill(t, record) for t in (text, pair) if t) for record in records(name)]
    options = ["--template", text, *(["--pair", pair] if pair else []), *([] if special else ["--no-special-tokens"])]
    assert counted(name, family, *options) == encoded(inputs, family, special)


def test_a_table_of_lengths_is_packed():
    """The table that `--format csv` prints is one that `pack` reads."""
    command = [PACKSCOPE, "tokens", str(DATA / "devil.jsonl"), "--tokenizer", str(DATA / "unigram.json")]
    table = subprocess.run([*command, "--format", "csv"], capture_output=True, text=True, check=True).stdout
    packed = subprocess.run(
        [PACKSCOPE, "pack", "-", "--limit", "512", "--format", "json"], input=table, capture_output=True, text=True, check=True
    )
    rows = [line.split(",") for line in table.split()[1:]]
    assert json.loads(packed.stdout)["items"] == sum(int(count) for _, count in rows)
