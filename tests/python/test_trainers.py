"""Settings of trainers: every name is one that the trainer has; where it packs by itself, it is run."""

import ast
import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import items_of, write_items
from libraries.defaults import installed, shown
from libraries.fetched import Repository
from libraries.lines import TAKES, sft_config
from libraries.loading import compiled, load

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


def imported_names(text):
    """Every name that lines import is defined, or imported, in the module they take it from."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            root, *path = node.module.split(".")
            found = Path(importlib.util.find_spec(root).submodule_search_locations[0]).joinpath(*path)
            file = found / "__init__.py" if found.is_dir() else found.with_suffix(".py")
            for name in node.names:
                assert re.search(rf"\b{name.name}\b", file.read_text()), f"{node.module} has no {name.name}"


def assigned(text):
    """The attributes that lines set: what of, and which."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            yield ast.unparse(node.targets[0].value), node.targets[0].attr


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


def told_apart(text, dataset):
    """Documents of each row, after what SFTTrainer does with a data set before it trains."""
    from contextlib import nullcontext

    from datasets import Dataset, IterableDataset
    from trl.data_utils import pack_dataset

    config, dataset = sft_config(text, dataset)
    code = source("trl", "trainer/sft_trainer.py")
    assert 'args.dataset_kwargs.get("skip_prepare_dataset", False)' in code
    if (config.dataset_kwargs or {}).get("skip_prepare_dataset", False):
        return [len(row) for row in dataset["seq_lengths"]]
    given = {
        "Dataset": Dataset,
        "IterableDataset": IterableDataset,
        "PreTrainedTokenizerBase": object,
        "ProcessorMixin": object,
        "SFTConfig": object,
        "Callable": __import__("collections.abc").abc.Callable,
        "get_dataset_column_names": lambda dataset: dataset.column_names,
        "global_then_local_main_first": nullcontext,
        "pack_dataset": pack_dataset,
    }
    prepare = compiled(code, "sft_trainer.py", ["_prepare_dataset"], given, cls="SFTTrainer")["_prepare_dataset"]
    prepared = prepare(None, dataset, None, config, config.packing, None, "train")
    return [len(row) for row in prepared["seq_lengths"]]


def test_rows_of_trl_are_packed_once(packscope, squad):
    """Of the lines for a larger window SFTTrainer makes rows in which every document is told apart; without
    `skip_prepare_dataset` it would pack the rows again, and take each for one document."""
    from datasets import Dataset

    lengths = squad[:5_000].tolist()
    ids = [[1] * n for n in lengths]
    dataset = Dataset.from_dict({"input_ids": ids, "labels": ids})
    write_items(squad[:5_000], packscope.folder)

    def lines(*more):
        return packscope.json("trainer", *SETTINGS, "--library", "trl", "--packing", *more)["answer"]["lines"]

    assert sum(told_apart(lines(), dataset)) == len(lengths)
    larger = lines("--set=map_batch_size=10000")
    rows = told_apart(larger, dataset)
    assert sum(rows) == len(lengths) and max(rows) > 1
    again = told_apart(larger.replace('    dataset_kwargs={"skip_prepare_dataset": True},\n', ""), dataset)
    assert sum(again) < len(lengths) and set(again) == {1}


def test_trl_split(packscope, squad):
    split = ["items.csv", "--limit", "100", "--overlong", "split"]
    assert keywords(packscope.text("trl", *split), "SFTConfig")["packing_strategy"] == "bfd_split"
    assert "bfd_split" in source("trl", "data_utils.py")


def test_megatron_bridge(packscope, squad):
    text = packscope.text("nemo", *SETTINGS, "--align", "8")
    imported_names(text)
    given = keywords(text, "PackedSequenceSpecs")
    # Names of the release: the package index has nothing newer.
    code = source("megatron", "bridge/data/datasets/packed_sequence.py")
    assert set(given) <= fields(code, "PackedSequenceSpecs")
    assert given == {"packed_sequence_size": 384, "pad_seq_to_mult": 8}
    assert "def prepare_packed_sequence_data" in code and "first_fit_shuffle" in code
    config = fields(source("megatron", "bridge/training/config.py"), "FinetuningDatasetConfig")
    assert {name for target, name in assigned(text) if target == "cfg.dataset"} <= config


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


def parameters(text, name):
    """The parameters of a class by its fields, or by its `__init__`."""
    found = next(n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ClassDef) and n.name == name)
    init = next((n for n in found.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    return {a.arg for a in init.args.args + init.args.kwonlyargs} if init else fields(text, name)


def every_field(package, *folders):
    """The annotated fields of all classes in a package's folders."""
    root = Path(importlib.util.find_spec(package).submodule_search_locations[0])
    files = [file for folder in folders for file in sorted((root / folder).rglob("*.py"))]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text())))
    return {n.target.id for n in nodes if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}


def keys(value):
    """The keys of YAML, with those beneath them."""
    for key, below in value.items() if isinstance(value, dict) else ():
        yield key
        yield from keys(below)


CHAT = "components/datasets/llm/"
GRAIN = "_src/python/dataset/transformations/"
# The classes that Python lines call, by package and file.
CLASSES = {
    "SFTConfig": ("trl", "trainer/sft_config.py"),
    "TrainingConfig": ("torchtitan", "config/configs.py"),
    "TrainingArguments": ("transformers", "training_args.py"),
    "PackedSequenceSpecs": ("megatron", "bridge/data/datasets/packed_sequence.py"),
    "NumpyDatasetConfig": ("olmo_core", "data/numpy_dataset.py"),
    "NumpyPackedFSLDatasetConfig": ("olmo_core", "data/numpy_dataset.py"),
    "NumpyVSLDatasetConfig": ("olmo_core", "data/numpy_dataset.py"),
    "FirstFitPackIterDataset": ("grain", f"{GRAIN}packing.py"),
    "BestFitPackIterDataset": ("grain", f"{GRAIN}packing.py"),
    "ConcatThenSplitIterDataset": ("grain", f"{GRAIN}packing_concat_then_split.py"),
}


# The configurations that they extend.
EXTENDS = {
    "SFTConfig": "TrainingArguments",
    "NumpyPackedFSLDatasetConfig": "NumpyDatasetConfig",
    "NumpyVSLDatasetConfig": "NumpyDatasetConfig",
}


def takes(name):
    """What a class takes, with what the one has that it extends."""
    more = takes(EXTENDS[name]) if name in EXTENDS else set()
    return parameters(source(*CLASSES[name]), name) | more


# What releases take, of libraries whose lines are YAML or options.
RELEASES = {
    "axolotl": lambda: every_field("axolotl", "utils/schemas"),
    "llama-factory": lambda: every_field("llamafactory", "hparams") | takes("TrainingArguments"),
    "ms-swift": lambda: every_field("swift", "arguments") | takes("TrainingArguments"),
    "torchtune": lambda: {"tokenizer", "max_seq_len", "dataset", "batch_size"}
    | {"packed"} & set(re.findall(r"\w+", source("torchtune", "datasets/_alpaca.py")))
    | {"split_across_pack"} & set(re.findall(r"\w+", source("torchtune", "datasets/_text_completion.py"))),
    "llm-foundry": lambda: {"train_loader", "dataset", "max_seq_len"}
    | set(re.findall(r"'(\w+)'", source("llmfoundry", "data/finetuning/dataloader.py")))
    | {"drop_last"} & set(re.findall(r"\w+", source("llmfoundry", "data/finetuning/dataloader.py"))),
    "litgpt": lambda: fields(source("litgpt", "args.py"), "TrainArgs"),
    "oumi": lambda: {"model", "data", "train", "training"} | every_field("oumi", "core/configs/params"),
    "verl": lambda: {"actor_rollout_ref", "actor"} | every_field("verl", "workers/config"),
    "openrlhf": lambda: set(re.findall(r'"--([\w.]+)"', source("openrlhf", "cli/train_ppo_ray.py") + source("openrlhf", "cli/train_sft.py"))),
}
# With packing off, and with every other choice that advice would not try.
MORE = {
    "trl": ["packing=false", "map_batch_size=2000"],
    "axolotl": ["sample_packing=false", "excess_length_strategy=raise", "sample_packing_sequentially=true", "pad_to_sequence_len=false"],
    "llama-factory": ["packing=false", "neat_packing=true", "stage=pt"],
    "ms-swift": ["packing=false", "streaming=true", "command=pt", "packing_length=1024"],
    "unsloth": ["packing=true", "padding_free=false", "padding_free=true"],
    "torchtitan": ["dataloader=HuggingFaceTextDataLoader"],
    "litgpt": ["command=pretrain"],
    "oumi": ["data.train.pack=false"],
    "hf-flattening": ["data_collator=DataCollatorWithPadding"],
    "nemo": ["pad_seq_to_mult=16"],
    "llm-foundry": ["packing_ratio=none", "packing_ratio=3"],
    "olmo-packed": ["long_doc_strategy=fragment"],
    "olmo-vsl": ["min_sequence_length=16"],
    "grain": ["transformation=BestFitPackIterDataset", "transformation=ConcatThenSplitIterDataset", "max_sequences_per_bin=4"],
    "torchtune": ["packed=false", "split_across_pack=true", "tokenizer.max_seq_len=none"],
    "verl": ["ppo_micro_batch_size_per_gpu=4"],
    "openrlhf": ["command=train_sft", "train.dynamic_batch_enable=false", "train.batch_size=64"],
    "nemo-automodel": ["packing_strategy=neat", "pad_to_multiple_of=16", "truncation=longest_first"],
}


# Of these there is nothing to execute lines with.
NOT_EXECUTED = {
    "maxtext": "a commit: what PyPI has is older, and needs TensorFlow",
    "modernbert": "a commit, on no index",
    "nanochat": "a commit, on no index",
    "nanochat-sft": "a commit, on no index",
    "prime-rl": "a commit, on no index",
    "nemo-rl": "a commit: PyPI has an empty name only",
    "open-instruct": "a commit, on no index",
    "seqio": "a commit: what PyPI has is older, and needs TensorFlow",
    "slime": "a commit, on no index",
    "torchtitan-main": "a commit: the release that is installed has neither of its packers",
    "xtuner": "a commit: what PyPI has is older, and has none of this",
}
# What only the data, or the limit, are refused for.
# Of those whose lines name nothing but fields: `TAKES` checks them.
TAKEN = {
    "skyrl": ["use_sequence_packing=false", "max_tokens_per_microbatch=1024", "command=entrypoints.main_base"],
    "areal": ["actor.mb_spec.packing_algorithm=kk", "train_dataset.batch_size=64"],
    "tunix": ["mini_batch_size=32", "num_generations=8"],
    "levanter": ["pack=8", "format=text", "pack=true"],
}
RAISES = {("torchtune", "tokenizer.max_seq_len=none"): "PackedDataset requires a max_seq_len"}
ADVISED = "what is advised"


@pytest.fixture
def lines_of(packscope):
    (packscope.folder / "few.csv").write_text("length\n9\n12\n600\n" + "300\n290\n" * 40)

    def answer(library, *settings):
        sets = [f"--set={setting}" for setting in settings]
        return packscope.json("trainer", "few.csv", "--limit", 512, "--library", library, "--packing", *sets)["answer"]

    def lines(library, *settings):
        if settings == (ADVISED,):
            advice = answer(library)["advice"]
            settings = [f"{advice['setting']}={advice['value']}"] if advice and advice["setting"] else []
        return answer(library, *settings)["lines"]

    return lines


@pytest.mark.parametrize(
    ("library", "setting"), [(id, one) for id, more in MORE.items() for one in [None, ADVISED, *more]]
)
def test_a_release_takes_the_lines(lines_of, library, setting):
    """Lines to paste name nothing that the release which is installed does not take, whatever is chosen or advised."""
    text = lines_of(library, *[setting] * bool(setting))
    if library == "openrlhf":
        given = set(re.findall(r"--([\w.]+)", text))
        assert given and given <= RELEASES[library](), given - RELEASES[library]()
    elif library == "litgpt":
        given = set(re.findall(r"--train\.(\w+)", text))
        assert given and given <= RELEASES[library](), given - RELEASES[library]()
    elif library == "ms-swift":
        given = set(re.findall(r"--(\w+)", text))
        assert given and given <= RELEASES[library](), given - RELEASES[library]()
        assert importlib.util.find_spec("swift") and f"cli/{text.split()[1]}.py" in {
            f"cli/{file.name}" for file in Path(importlib.util.find_spec("swift").submodule_search_locations[0], "cli").iterdir()
        }
    elif library in RELEASES:
        yaml = pytest.importorskip("yaml")
        given = set(keys(yaml.safe_load(text)))
        assert given and given <= RELEASES[library](), given - RELEASES[library]()
    elif library == "nemo-automodel":
        yaml = pytest.importorskip("yaml")
        given = yaml.safe_load(text)
        assert set(given.pop("dataset")) <= fields(source("nemo_automodel", f"{CHAT}chat_dataset.py"), "ChatDatasetConfig")
        given = given["packed_sequence"]
        code = source("nemo_automodel", "components/datasets/loader.py")
        strategy = given.pop("packing_strategy")
        name = re.search(rf'"{strategy}": (\w+),', code).group(1)
        assert set(given) <= fields(code, name) | fields(code, "PackingConfig"), name
    else:
        imported_names(text)
        calls = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]
        named = {ast.unparse(call.func).rpartition(".")[2]: call for call in calls}
        # What is called of a class that is given whole is no class.
        named.pop("dolma2", None)
        # A class within another, and a function, are executed below.
        named.pop("Config", None)
        named.pop("pack_dataset", None)
        for name, call in named.items():
            assert {keyword.arg for keyword in call.keywords} <= takes(name), name
        assert named


@pytest.mark.parametrize(
    ("library", "setting"), [(id, one) for id in TAKES for one in [None, ADVISED, *{**MORE, **TAKEN}.get(id, [])]]
)
def test_lines_are_executed(packscope, lines_of, library, setting):
    """The release takes the lines, at defaults, as advised, and at every other choice, and has then what was chosen."""
    text = lines_of(library, *[setting] * bool(setting))
    if (library, setting) in RAISES:
        with pytest.raises(ValueError, match=RAISES[library, setting]):
            TAKES[library](text)
        return
    taken = TAKES[library](text)
    flags = [f"--set={setting}"] if setting not in (None, ADVISED) else []
    answer = packscope.json("trainer", "few.csv", "--limit", 512, "--library", library, "--packing", *flags)["answer"]
    chosen = {field["name"]: field["value"] for field in answer["settings"]}
    if setting == ADVISED and answer["advice"] and answer["advice"]["setting"]:
        chosen[answer["advice"]["setting"]] = answer["advice"]["value"]
    assert taken.pop("limit", 512) == 512
    # A setting without effect beside the others is in no line.
    nested = {"command", "format", "transformation", "data.train.pack", "training.per_device_train_batch_size"}
    nested |= {"actor.mb_spec.packing_algorithm", "train_dataset.batch_size"}
    common = {name for name in taken.keys() & chosen.keys() if name in text or name in nested}
    assert common or library == "nanotron", "nothing is compared"
    assert {name: shown(taken[name]) for name in common} == {name: chosen[name] for name in common}


def padding_of_axolotl(text):
    """Its collator for batches that are not packed, with what its builder gives it for a configuration."""
    import math

    from types import SimpleNamespace

    import yaml

    code = source("axolotl", "core/builders/causal.py")
    build = next(n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.FunctionDef) and n.name == "build")
    about = [n for n in build.body if isinstance(n, (ast.Assign, ast.If)) and "data_collator_kwargs" in ast.unparse(n)]
    about += [n for n in build.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "multiple"]
    about = sorted([n for n in about if "build_collator" not in ast.unparse(n)], key=lambda n: n.lineno)[:3]
    given = {"pad_to_sequence_len": None, "pad_to_multiple_of": None, **yaml.safe_load(text)}
    space = {"self": SimpleNamespace(cfg=SimpleNamespace(**given)), "math": math}
    exec(compile(ast.Module(about, []), "causal.py", "exec"), space)
    return load("axolotl", "axolotl.utils.collators.batching").DataCollatorForSeq2Seq, space["data_collator_kwargs"]


def padding_of_llama_factory(_):
    """The collator that its own extends, with the multiple of its workflow for training."""
    from types import SimpleNamespace

    from transformers import DataCollatorForSeq2Seq

    code = ast.parse(source("llamafactory", "train/sft/workflow.py"))
    calls = [n for n in ast.walk(code) if isinstance(n, ast.Call) and ast.unparse(n.func).startswith("SFTDataCollator")]
    multiple = next(k.value for k in calls[0].keywords if k.arg == "pad_to_multiple_of")
    multiple = eval(ast.unparse(multiple), {"training_args": SimpleNamespace(do_train=True)})
    return DataCollatorForSeq2Seq, {"pad_to_multiple_of": multiple}


@pytest.mark.parametrize(
    ("library", "settings"),
    [
        ("axolotl", ["sample_packing=false"]),
        ("axolotl", ["sample_packing=false", "micro_batch_size=8"]),
        ("axolotl", ["sample_packing=false", "micro_batch_size=8", "pad_to_sequence_len=false"]),
        ("axolotl", ["sample_packing=false", "pad_to_sequence_len=true"]),
        ("llama-factory", ["packing=false"]),
        ("llama-factory", ["packing=false", "per_device_train_batch_size=1"]),
    ],
)
def test_batches_that_are_not_packed_are_padded_alike(packscope, library, settings):
    """By the library's own collator, on sequences in the same order: as many slots."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    limit, lengths = 500, np.random.default_rng(0).integers(2, 501, 1_003).tolist()
    (packscope.folder / "order.csv").write_text("length\n" + "\n".join(map(str, lengths)) + "\n")
    flags = [f"--set={setting}" for setting in settings]
    answer = packscope.json("trainer", "order.csv", "--limit", limit, "--library", library, "--order", "file", *flags)["answer"]
    padding = {"axolotl": padding_of_axolotl, "llama-factory": padding_of_llama_factory}[library]
    collator, given = padding(answer["lines"])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"x": 0}, "x")), pad_token="x")
    collate = collator(tokenizer, **given, return_tensors="np")
    sizes = {field["name"]: field["value"] for field in answer["settings"]}
    batch = int(sizes.get("micro_batch_size") or sizes["per_device_train_batch_size"])
    slots = 0
    for at in range(0, len(lengths), batch):
        features = [{"input_ids": [0] * n, "labels": [0] * n} for n in lengths[at : at + batch]]
        slots += collate(features)["input_ids"].size
    assert answer["runs"][0]["slots"] == slots


def test_unsloth_pads_on_some_devices():
    """Its rule is that of the note: devices, the work of a padded micro-batch, and the micro-batches of a run."""
    rule = load("unsloth", "unsloth.utils.padding_choice")

    def flattened(capability, micro_batches, milliseconds=59, four_bits=False):
        work = milliseconds * 1e-3 * 1e12 * rule._EFFICIENCY
        given = {"total_microbatches": micro_batches, "load_in_4bit": four_bits, "capability": capability}
        return rule.choose_padding(work, 0, 1, 0, 1, **given)[0]

    for device in [(7, 5), (8, 0), (8, 9), (12, 0)]:
        assert not flattened(device, 1_250) and flattened(device, 1_249)
        assert not flattened(device, 5_000, four_bits=True) and flattened(device, 4_999, four_bits=True)
        assert flattened(device, 1_250, 61) == (device == (12, 0)) and flattened(device, 1_250, 101)
    assert flattened((9, 0), 10**6) and flattened((10, 0), 10**6)
    code = source("unsloth", "models/rl.py")
    assert '"padding_free": None,' in code and '"per_device_train_batch_size": 4,' in code
    unset = source("unsloth", "trainer.py")
    assert 'return getattr(config, "padding_free", None) is None' in unset


MAXTEXT = Repository(
    "AI-Hypercomputer/maxtext",
    "e591f30cbbf217ed67ef71263ec0538239f9c3b8",
    {"src/maxtext/configs/types.py": "94cec04b93df5ea341608e40936dbcb3fb8a6a81e30e24d0e321baab3ba452db"},
)


def test_maxtext_takes_the_lines_for_grain(packscope, lines_of):
    """By its own check: it refuses grain without files. Of tfds it says itself that grain replaces it."""
    from enum import Enum
    from types import SimpleNamespace

    import yaml

    code = MAXTEXT.text("src/maxtext/configs/types.py")
    found = next(
        n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.If) and ast.unparse(n.test) == "self.dataset_type == DatasetType.GRAIN"
    )
    said = []
    given = yaml.safe_load(lines_of("maxtext", "dataset_type=grain"))
    kinds = Enum("DatasetType", {name.upper(): name for name in ("tfds", "grain", "hf")})
    unset = {"hf_path": "", "grain_train_mixture_config_path": "", "grain_train_files": "", "eval_interval": -1, "use_dpo": False, "dataset_name": "c4"}
    logger = SimpleNamespace(warning=said.append)

    def check(given):
        of = SimpleNamespace(**{**unset, **given, "dataset_type": kinds(given["dataset_type"])})
        exec(compile(ast.Module([found], []), "types.py", "exec"), {"self": of, "DatasetType": kinds, "logger": logger})

    check(given)
    assert not said
    with pytest.raises(ValueError, match="grain_train_files"):
        check({**given, "grain_train_files": ""})
    check(yaml.safe_load(lines_of("maxtext")))
    assert said and "tfds pipeline is deprecated" in said[0] and "grain_file_type=tfrecord" in said[0]


def test_what_is_not_executed_is_known(packscope):
    """Every library's lines are executed, or it is said why not."""
    libraries = json.loads(packscope.run("trainer", "--list", "--format", "json"))
    packing = {library["id"]: library for library in libraries if library["of"] == "sequences"}
    assert packing.keys() == TAKES.keys() | NOT_EXECUTED.keys() and not TAKES.keys() & NOT_EXECUTED.keys()
    assert all(packing[id]["commit"] for id in NOT_EXECUTED), "a release can be executed"
    assert len(TAKES) >= 15


def test_defaults_are_read_from_the_releases(packscope):
    """What is said to be the default is what the release that is installed declares: `cargo xtask trainers` fails else."""
    libraries = json.loads(packscope.run("trainer", "--list", "--format", "json"))
    said = {library["id"]: {setting["name"]: setting["usual"] for setting in library["settings"]} for library in libraries}
    declared = installed()
    assert {id: {name: said[id][name] for name in settings} for id, settings in declared.items()} == declared
    assert sum(map(len, declared.values())) > 35


def test_defaults_are_those_of_the_release(packscope, lines_of):
    """Where the lines leave a choice to the release, or name its default, that is what it does."""
    assert 'ps.pop("packing_strategy", "thd")' in source("nemo_automodel", "recipes/_typed_config.py")
    assert "packing_strategy: thd" in lines_of("nemo-automodel")
    # Whoever fine-tunes cannot split; whoever pre-trains can.
    sft = source("swift", "pipelines/train/sft.py")
    assert "`--truncation_strategy split` is currently only supported for pre-training." in sft
    assert "use_chat_template: bool = False" in source("swift", "arguments/pretrain_args.py")
    advice = packscope.json("trainer", "few.csv", "--limit", 512, "--library", "ms-swift", "--packing")["answer"]["advice"]
    assert "split" not in {tried["value"] for tried in advice["tried"]}
    assert (advice["setting"], advice["value"]) == ("truncation_strategy", "right")


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
