"""Settings of trainers: every name is one that the trainer has; where it packs by itself, it is run."""

import ast
import importlib.util
from pathlib import Path

import numpy as np
import pytest
from conftest import items_of, write_items

SETTINGS = ["items.csv", "--limit", "384"]


@pytest.fixture
def squad(packscope):
    items = items_of("squad_1_1_bert_384")
    write_items(items, packscope.folder)
    return items


def source(package, path):
    """The text of a file of an installed package, without importing it."""
    found = importlib.util.find_spec(package)
    assert found, f"{package} is not installed"
    return (Path(found.submodule_search_locations[0]) / path).read_text()


def fields(text, name):
    """The annotated fields of a class."""
    found = next(n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ClassDef) and n.name == name)
    return {n.target.id for n in found.body if isinstance(n, ast.AnnAssign)}


def keywords(text, name):
    call = next(
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and getattr(n.func, "id", None) == name
    )
    return {k.arg: ast.literal_eval(k.value) for k in call.keywords}


def test_trl(packscope, squad):
    """Its own packing at these settings: more packs than best-fit decreasing, by less than 0.5 %."""
    given = keywords(packscope.text("trl", *SETTINGS), "SFTConfig")
    known = fields(source("trl", "trainer/sft_config.py"), "SFTConfig")
    known |= fields(source("transformers", "training_args.py"), "TrainingArguments")
    assert set(given) <= known
    assert (given["max_length"], given["packing"], given["packing_strategy"]) == (384, True, "bfd")
    from datasets import Dataset
    from trl.data_utils import pack_dataset

    data = Dataset.from_dict({"input_ids": [[1] * n for n in squad[:20_000]]})
    packed = pack_dataset(data, given["max_length"], given["packing_strategy"])
    lengths = np.array([len(ids) for ids in packed["input_ids"]])
    assert lengths.max() <= 384 and lengths.sum() == squad[:20_000].sum()
    write_items(squad[:20_000], packscope.folder)
    best = packscope.json("pack", *SETTINGS, "--algorithm", "best-fit-decreasing")["packs"]
    assert best <= len(packed) <= best * 1.005


def test_trl_split(packscope, squad):
    split = ["items.csv", "--limit", "100", "--overlong", "split"]
    assert keywords(packscope.text("trl", *split), "SFTConfig")["packing_strategy"] == "bfd_split"
    assert "bfd_split" in source("trl", "data_utils.py")


def test_megatron_bridge(packscope, squad):
    text = packscope.text("nemo", *SETTINGS, "--align", "8")
    given = keywords(text, "PackedSequenceSpecs")
    # Names of 0.6, as its repository has them; the package index has nothing newer than 0.3.1, whose class is elsewhere.
    assert "from megatron.bridge.data.packing import PackedSequenceSpecs" in text
    assert "cfg.dataset.enable_offline_packing = True" in text and "cfg.dataset.offline_packing_specs = " in text
    code = source("megatron", "bridge/data/datasets/packed_sequence.py")
    known = fields(code, "PackedSequenceSpecs")
    # The multiple is newer than the release that is read here.
    assert set(given) - {"pad_seq_to_mult"} <= known
    assert given == {"packed_sequence_size": 384, "pad_seq_to_mult": 8}
    assert "def prepare_packed_sequence_data" in code and "first_fit_shuffle" in code


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ([], {"excess_length_strategy": "truncate", "sample_packing_bin_size": 200}),
        (["--overlong", "drop", "--depth", "3"], {"excess_length_strategy": "drop", "sample_packing_bin_size": 3}),
    ],
)
def test_axolotl(packscope, squad, more, wanted):
    yaml = pytest.importorskip("yaml")
    given = yaml.safe_load(packscope.text("axolotl", *SETTINGS, *more))
    known = set()
    for file in ("config", "training", "datasets", "model"):
        for node in ast.walk(ast.parse(source("axolotl", f"utils/schemas/{file}.py"))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                known.add(node.target.id)
    assert set(given) <= known
    assert wanted.items() <= given.items()
    assert (given["sequence_len"], given["sample_packing"]) == (384, True)


@pytest.mark.parametrize(
    "name",
    [
        "x\"\n'''\nraise SystemExit(3)\n\\",
        '"""\nraise SystemExit(3)\n"""',
        "a\\",
        "\u202e\u2028\x85\x0c\ufeff$(touch x)`touch x`;{x}%s\N{GRINNING FACE}",
    ],
)
def test_names_of_visitors_stay_names(packscope, squad, name):
    """Every snippet of a set with a dangerous name is still a program, and says nothing of its own."""
    for tool in ["pytorch", "trl", "nemo", "optimiser", "numpy", "polars", "duckdb", "spark"]:
        plain = packscope.text(tool, *SETTINGS, "--name", "x")
        text = packscope.text(tool, *SETTINGS, "--name", name, "--plan-file", name)
        same = [ast.dump(ast.parse(t.replace("plan.json", "x"))) for t in (plain, text)]
        assert same[0] == same[1].replace(repr(name), "'x'"), tool
    # A program that prints what it read: the name is a value.
    show = packscope.run("export", "count", "--tool", "polars", "--path", name).split("(\n    pl.")[1]
    assert ast.literal_eval(show[show.index("(") + 1 : show.index("\n") - 1]) == name
    # YAML: the name is a comment, and nothing of it a setting.
    yaml = pytest.importorskip("yaml")
    plain, text = (packscope.text("axolotl", *SETTINGS, "--name", n) for n in ("x", name))
    assert yaml.safe_load(plain) == yaml.safe_load(text)
