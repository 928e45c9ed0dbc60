"""Lines to paste, executed with the class, the parser or the function of the release that takes them: one function for
each library, `TAKES[id](text)`, returns the values that the release has then, by the names of our settings.

What a release imports beside that and is not installed (accelerate, ray, composer …) is a name that nobody uses.
"""

import argparse
import ast
import importlib
import logging
import shlex
import sys
from contextlib import contextmanager
from datetime import datetime
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any, Optional, Union

import torch
import yaml

from .loading import functions, load, modules, path_of, stub
from .registry import cache

TAKES = {}


def takes(*ids):
    def register(take):
        TAKES.update(dict.fromkeys(ids, take))
        return take

    return register


class _Name(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return cls


class _Absent(ModuleType):
    """A module that is not installed: every name is a class, which as a decorator changes nothing."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        body = {"__init__": lambda self, *_, **__: None, "__call__": lambda self, given=None, *_, **__: given}
        return _Name(name, (), {"__module__": self.__name__, **body})


class _Finder:
    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if any(name == absent or name.startswith(f"{absent}.") for absent in self.names):
            return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return _Absent(spec.name)

    def exec_module(self, module):
        pass


@contextmanager
def without(*names):
    """These modules, and those beneath them, without what is in them."""
    finder = _Finder(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if finder.find_spec(name)]:
            del sys.modules[name]


def _logger(*_):
    return logging.getLogger("a release")


def _arguments(call, **globals):
    """Executes Python lines, and returns what they name `call`."""
    exec(compile(call, "<lines>", "exec"), globals)
    return globals


def _values(taken, *names, **renamed):
    return {ours: getattr(taken, theirs) for ours, theirs in {**dict(zip(names, names)), **renamed}.items()}


def sft_config(text, dataset=None):
    """What the lines make: the configuration, and the data set; what device there is only a newer torch would tell."""
    from transformers import TrainingArguments

    device, TrainingArguments.device = TrainingArguments.device, SimpleNamespace(type="cpu")
    try:
        made = _arguments(text, dataset=dataset)
    finally:
        TrainingArguments.device = device
    return made["config"], made["dataset"]


@takes("trl", "unsloth")
def trl(text):
    from datasets import Dataset

    config, _ = sft_config(text, Dataset.from_dict({"input_ids": [[1] * 9] * 3, "labels": [[1] * 9] * 3}))
    return _values(config, "packing", "packing_strategy", "per_device_train_batch_size", "padding_free", limit="max_length")


@takes("hf-flattening")
def flattening(text):
    return _values(_arguments(text)["args"], "per_device_train_batch_size")


@takes("grain")
def grain(text):
    """The data set that the lines make, read to its end."""
    import grain
    import numpy as np

    items = [{"inputs": np.ones(size, np.int32)} for size in (9, 12, 300, 290)]
    made = _arguments(text, dataset=grain.MapDataset.source(items).to_iter_dataset())["dataset"]
    assert len(list(made)) == 2
    return {"transformation": type(made).__name__}


@takes("axolotl")
def axolotl(text):
    """Validated by the schema, with what a run needs beside the lines."""
    with without("accelerate", "numba", "addict", "axolotl.utils.distributed"):
        # Types of a newer torch, which only name choices.
        newer = [name for name in ("int4", "float8_e4m3fn") if not hasattr(torch, name)]
        for name in newer:
            setattr(torch, name, name)
        try:
            images = [stub("PIL"), stub("PIL.Image", Resampling=int)]
            around = [stub("axolotl.utils.logging", get_logger=_logger), *images]
            schema = load("axolotl", "axolotl.utils.schemas.config", around)
        finally:
            for name in newer:
                delattr(torch, name)
    given = yaml.safe_load(text)
    taken = schema.AxolotlInputConfig(
        base_model="x", datasets=[{"path": "x", "type": "alpaca"}], learning_rate=1e-5, gradient_accumulation_steps=1, **given
    )
    assert given.keys() <= type(taken).model_fields.keys()
    return _values(taken, *(name for name in given if name != "sequence_len"), limit="sequence_len")


@cache
def _llama_factory():
    extras = [stub(f"llamafactory.extras.{name}", get_logger=_logger) for name in ("constants", "logging", "misc", "packages")]
    with without("omegaconf"):
        found = [load("llamafactory", f"llamafactory.hparams.{name}", extras) for name in ("data_args", "finetuning_args")]
    return found[0].DataArguments, found[1].FinetuningArguments


@takes("llama-factory")
def llama_factory(text):
    """As `llamafactory-cli train` parses a file, without model and generation; what it does not know, it refuses."""
    from transformers import HfArgumentParser, TrainingArguments

    given = yaml.safe_load(text)
    data, tuning, training = HfArgumentParser([*_llama_factory(), TrainingArguments]).parse_dict(given)
    known = {**vars(training), **vars(tuning), **vars(data)}
    # cutoff_len is a token less where packing is on.
    return {name: known[name] for name in given if name != "cutoff_len"}


@cache
def _swift():
    around = [
        stub("swift.dataset"),
        stub("swift.template", TEMPLATE_MAPPING={}),
        stub("swift.utils", get_logger=_logger, json_parse_to_dict=lambda text: text),
    ]
    names = {"template_args": "TemplateArguments", "data_args": "DataArguments"}
    found = [getattr(load("ms-swift", f"swift.arguments.base_args.{name}", around), of) for name, of in names.items()]
    # Of the class that has packing, which needs a model and its processor, what it declares.
    tree = ast.parse(path_of("ms-swift", "swift/arguments/base_args/base_args.py").read_text())
    base = next(node for node in tree.body if getattr(node, "name", "") == "BaseArguments")
    base.body = [node for node in base.body if isinstance(node, ast.AnnAssign)]
    base.bases, tree.body = [], [base]
    from dataclasses import dataclass, field

    import typing

    space = {**vars(typing), "dataclass": dataclass, "field": field, "get_supported_tuners": set, "__name__": "swift.arguments.base_args"}
    sys.modules.setdefault("swift.arguments.base_args", ModuleType("swift.arguments.base_args"))
    exec(compile(tree, "base_args.py", "exec"), space)
    return [*found, space["BaseArguments"]]


@takes("ms-swift")
def swift(text):
    """The words of the command, parsed as `swift` parses them: what it does not know, it refuses."""
    from transformers import HfArgumentParser, TrainingArguments

    program, command, *options = shlex.split(text.replace("\\\n", " "), comments=True)
    assert program == "swift"
    # Its parser would construct a model; what is parsed is compared.
    parser = HfArgumentParser([*_swift()])
    parser.add_argument("--per_device_train_batch_size", type=int)
    assert "per_device_train_batch_size" in TrainingArguments.__dataclass_fields__
    taken = parser.parse_args(options)
    if taken.truncation_strategy == "split":
        # `swift/pipelines/train/sft.py` raises on it otherwise.
        assert command == "pt"
    names = ("packing", "packing_strategy", "packing_length", "truncation_strategy", "streaming", "per_device_train_batch_size")
    return {"command": command, **_values(taken, *names, limit="max_length")}


@takes("nemo")
def nemo(text):
    """The class, in the place that the lines name."""
    names = ("data.datasets.packing_utils", "data.datasets.sft", "training.tokenizers.tokenizer")
    around = [stub("megatron.core.msc_utils"), *(stub(f"megatron.bridge.{name}") for name in names)]
    module = load("megatron-bridge", "megatron.bridge.data.datasets.packed_sequence", around)
    parents = ("megatron", "megatron.bridge", "megatron.bridge.data", "megatron.bridge.data.datasets")
    cfg = SimpleNamespace(dataset=SimpleNamespace())
    with modules({**{name: _Absent(name) for name in parents}, module.__name__: module}):
        _arguments(text, cfg=cfg)
    specs = cfg.dataset.packed_sequence_specs
    assert cfg.dataset.seq_length == specs.packed_sequence_size
    return _values(specs, "pad_seq_to_mult", limit="packed_sequence_size")


@takes("nemo-automodel")
def automodel(text):
    """The configuration of the strategy that is named, and that of the chats."""
    given = yaml.safe_load(text)
    with without("torchdata"):
        loader = load("nemo-automodel", "nemo_automodel.components.datasets.loader")
    with without("nemo_automodel.components.datasets.llm.formatting_utils"):
        chats = load("nemo-automodel", "nemo_automodel.components.datasets.llm.chat_dataset")
    packing = given["packed_sequence"]
    classes = {"thd": loader.ThdPackingConfig, "neat": loader.NeatPackingConfig}
    strategy = packing.pop("packing_strategy")
    taken = classes[strategy](**packing)
    data = chats.ChatDatasetConfig(path_or_dataset_id="x", **given["dataset"])
    assert data.seq_length == taken.packed_sequence_size
    more = {name: getattr(taken, name) for name in packing if name != "packed_sequence_size"}
    return {"packing_strategy": strategy, "truncation": data.truncation, "limit": data.seq_length, **more}


@takes("llm-foundry")
def foundry(text):
    """Its check of the data set: whatever the loader does not know is extraneous."""
    given = yaml.safe_load(text)
    file = "llmfoundry/data/finetuning/dataloader.py"
    text = (importlib.metadata.distribution("llm-foundry").locate_file(file)).read_text()
    start = text.index("_ALLOWED_DATASET_KEYS = {")
    space = {}
    exec(text[start : text.index("}", start) + 1], space)
    targets = {"DEFAULT_TARGET_PROMPTS": "none", "DEFAULT_TARGET_RESPONSES": "last", "validate_target_settings": lambda *_: None}
    typing = {"Any": Any, "Optional": Optional, "Union": Union, "log": _logger(), **targets}
    check = functions("llm-foundry", file, ["_validate_config"], {**typing, **space})["_validate_config"]
    dataset = given["train_loader"]["dataset"]
    keys = space["_ALLOWED_DATASET_KEYS"]
    assert not check(**dataset, hf_name="x", decoder_only_format=True, allowed_dataset_keys=keys)
    return {**{name: dataset[name] for name in dataset if name != "max_seq_len"}, "limit": dataset["max_seq_len"]}


@takes("verl")
def verl(text):
    """The actor's configuration, which checks itself."""
    around = ("omegaconf", "verl.utils", "verl.trainer", "verl.workers.config.model", "verl.workers.config.engine")
    with without(*around):
        module = load("verl", "verl.workers.config.actor")
    given = yaml.safe_load(text)["actor_rollout_ref"]["actor"]
    taken = module.ActorConfig(strategy="fsdp", rollout_n=1, **given)
    return _values(taken, *(name for name in given if "max_token" not in name), limit="ppo_max_token_len_per_gpu")


@takes("openrlhf")
def openrlhf(text):
    """The words of the command, parsed by the options that its program has."""
    python, m, program, *options = shlex.split(text.replace("\\\n", " "))
    assert [python, m] == ["python", "-m"]
    tree = ast.parse(path_of("openrlhf", f"{program.replace('.', '/')}.py").read_text())
    body = tree.body[-1].body
    body = body[: [ast.unparse(line) for line in body].index("args = parser.parse_args()")]
    space = {"argparse": argparse, "datetime": datetime}
    exec(compile(ast.Module(body, []), program, "exec"), space)
    taken = vars(space["parser"].parse_args(options))
    command = program.rpartition(".")[2]
    limit = {"train_sft": "data.max_len", "train_ppo_ray": "train.max_tokens_per_gpu"}[command]
    return {**taken, "command": command, "limit": taken[limit]}


@takes("megatron-lm")
def megatron(text):
    """The dataset's configuration; `pretrain_gpt.py` is in no release, its options are those of the class."""
    names = ("indexed_dataset", "megatron_dataset", "object_storage_utils")
    around = [stub(f"megatron.core.{name}") for name in (*(f"datasets.{name}" for name in names), "tokenizers")]
    logs = stub("megatron.core.utils", log_single_rank=lambda *_: None)
    module = load("megatron-core", "megatron.core.datasets.gpt_dataset", [*around, logs])
    options, call = text.strip().split("\n# ")
    assert options.split()[3:] == ["--reset-position-ids", "--reset-attention-mask"]
    given = eval(call.replace("true", "True").replace("false", "False"), {"GPTDatasetConfig": dict})
    taken = module.GPTDatasetConfig(
        random_seed=0,
        sequence_length=int(options.split()[2]),
        reset_position_ids=True,
        reset_attention_mask=True,
        eod_mask_loss=False,
        split="1",
        blend=(["x"], None),
        tokenizer=SimpleNamespace(vocab_size=None),
        **given,
    )
    return _values(taken, "add_extra_token_to_sequence", limit="sequence_length")


@takes("nanotron")
def nanotron(text):
    with without("dacite", "nanotron.generation", "nanotron.parallel", "nanotron.logging", "nanotron.config.models_config"):
        around = [f"nanotron.config.{name}" for name in ("parallelism_config", "lighteval_config", "utils_config")]
        module = load("nanotron", "nanotron.config.config", [stub(name) for name in around])
    given = yaml.safe_load(text)["tokens"]
    taken = module.TokensArgs(train_steps=1, micro_batch_size=1, batch_accumulation_per_replica=1, **given)
    return _values(taken, limit="sequence_length")


@takes("torchtune")
def torchtune(text):
    """Its builder of data sets, with the settings of the lines, and its packer on what it builds."""
    given = yaml.safe_load(text)
    packing = load(
        "torchtune", "torchtune.datasets._packed", [stub("torchtune.data._common", CROSS_ENTROPY_IGNORE_IDX=-100, PACK_TYPE=dict)]
    )
    names = ("torchtune.data._utils", "torchtune.modules.transforms.tokenizers")
    module = load("torchtune", "torchtune.datasets._text_completion", [*map(stub, names), packing])
    module.TextCompletionDataset = lambda **_: [{"tokens": [1] * 9, "labels": [1] * 9}] * 3
    tokenizer = SimpleNamespace(**given["tokenizer"])
    made = module.text_completion_dataset(tokenizer=tokenizer, source="x", **given["dataset"])
    packed = isinstance(made, packing.PackedDataset)
    split = {"split_across_pack": made.split_across_pack} if packed and "split_across_pack" in given["dataset"] else {}
    return {"packed": packed, "batch_size": given["batch_size"], **split}


@takes("torchtitan")
def torchtitan(text):
    """The configurations, in the modules that the lines name."""
    with without("tyro", "torchdata", "torch.distributed.checkpoint", "torchtitan.components", "torchtitan.tools"):
        config = load("torchtitan", "torchtitan.config.configs")
        loader = load("torchtitan", "torchtitan.config.configurable")
        package = stub("torchtitan.config", TrainingConfig=config.TrainingConfig, Configurable=loader.Configurable)
        sets = stub("torchtitan.hf_datasets", DatasetConfig=SimpleNamespace)
        data = load("torchtitan", "torchtitan.hf_datasets.text_datasets", [package, sets])
    with modules({"torchtitan": stub("torchtitan"), package.__name__: package, data.__name__: data}):
        made = _arguments(text, dataset_path="x", sample_processor=list)
    assert type(made["dataloader"]).__name__ == "Config"
    dataloader = type(made["dataloader"]).__qualname__.partition(".")[0]
    return {"dataloader": dataloader, **_values(made["training"], "local_batch_size", limit="seq_len")}


@takes("litgpt")
def litgpt(text):
    """The words of the command, as the arguments of training that they name."""
    program, command, *options = shlex.split(text.replace("\\\n", " "))
    # `litgpt/__main__.py` names its commands.
    assert program == "litgpt" and f'"{command}"' in path_of("litgpt", "litgpt/__main__.py").read_text()
    given = {name.removeprefix("--train."): int(value) for name, value in zip(options[::2], options[1::2])}
    taken = load("litgpt", "litgpt.args").TrainArgs(**given)
    return {"command": command, "train.micro_batch_size": taken.micro_batch_size, "limit": taken.max_seq_length}


@takes("oumi")
def oumi(text):
    """The parameters that the keys name."""
    given = yaml.safe_load(text)
    params, taken = "oumi/core/configs/params", {}
    # Of the classes, which import half of the package, what they declare.
    for part, file, name in (
        ("model", "model_params.py", "ModelParams"),
        ("data", "data_params.py", "DatasetSplitParams"),
        ("training", "training_params.py", "TrainingParams"),
    ):
        tree = ast.parse(path_of("oumi", f"{params}/{file}").read_text())
        found = next(node for node in tree.body if getattr(node, "name", "") == name)
        declared = {node.target.id for node in found.body if isinstance(node, ast.AnnAssign)}
        keys = given.pop(part)
        taken[part] = keys["train"] if part == "data" else keys
        assert taken[part].keys() <= declared, taken[part].keys() - declared
    assert not given
    batch = taken["training"]["per_device_train_batch_size"]
    more = {"data.train.pack": taken["data"]["pack"], "training.per_device_train_batch_size": batch}
    return {"limit": taken["model"]["model_max_length"], **more}


@cache
def _olmo():
    with without("cached_path", "dataclass_extensions", "olmo_core.io", "olmo_core.distributed", "olmo_core.data.mixes", "olmo_core.utils"):
        mixture = stub("olmo_core.data.source_mixture")
        tokenizer = load("ai2-olmo-core", "olmo_core.data.tokenizer")
        return load("ai2-olmo-core", "olmo_core.data.numpy_dataset", [mixture, tokenizer])


@takes("olmo-packed", "olmo-vsl")
def olmo(text):
    """The classes themselves, in the package that the lines name."""
    module = _olmo()
    names = ("LongDocStrategy", "NumpyPackedFSLDatasetConfig", "NumpyVSLDatasetConfig", "TokenizerConfig")
    data = stub("olmo_core.data", **{name: getattr(module, name) for name in names})
    with modules({"olmo_core": stub("olmo_core"), "olmo_core.data": data}):
        taken = _arguments(text)["dataset"]
    if "NumpyVSL" in text:
        return _values(taken, "min_sequence_length", limit="max_sequence_length")
    return {"long_doc_strategy": taken.long_doc_strategy.value, "limit": taken.sequence_length}


def _declared(package, file, *names):
    """Fields of classes of a file, with their defaults as they are written, where importing it imports half of the package."""
    tree = ast.parse(path_of(package, file).read_text())
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name in names]
    assert {node.name for node in found} == set(names)
    return {n.target.id for node in found for n in node.body if isinstance(n, ast.AnnAssign)}


@takes("skyrl")
def skyrl(text):
    """The words of the command, which OmegaConf reads as keys and values of its configuration."""
    python, m, program, *options = shlex.split(text.replace("\\\n", " "))
    assert [python, m] == ["python", "-m"]
    assert "_cli_overrides(sys.argv[1:])" in path_of("skyrl", f"{program.replace('.', '/')}.py").read_text()
    given = {name: yaml.safe_load(value) for name, _, value in (option.partition("=") for option in options)}
    command = program.removeprefix("skyrl.train.")
    if command == "main_sft":
        known = _declared("skyrl", "skyrl/train/config/sft_config.py", "SFTConfig")
        assert given.keys() <= known, given.keys() - known
        return {"command": command, "limit": given.pop("max_length"), **given}
    known = {
        "trainer": _declared("skyrl", "skyrl/train/config/config.py", "TrainerConfig"),
        "generator": _declared("skyrl", "skyrl/train/config/config.py", "GeneratorConfig"),
    }
    assert all(name.partition(".")[2] in known[name.partition(".")[0]] for name in given), given
    # Whether it is set is our setting; its value is the limit.
    limit = given.pop("trainer.max_tokens_per_microbatch", None)
    return {"command": command, **({"limit": limit} if limit else {}), **given}


@takes("areal")
def areal(text):
    """The specification of micro-batches, which checks itself, and the fields of the rest."""
    from dataclasses import dataclass, field

    given = yaml.safe_load(text)
    file = "areal/api/cli_args.py"
    algorithms = {"PACKING_ALGORITHMS": {"ffd", "kk"}, "dataclass": dataclass, "field": field}
    assert 'PACKING_ALGORITHMS = {PACKING_ALGORITHM_FFD, PACKING_ALGORITHM_KK}' in path_of("areal", "areal/utils/seqpack.py").read_text()
    spec = functions("areal", file, ["MicroBatchSpec"], algorithms)["MicroBatchSpec"](**given["actor"]["mb_spec"])
    assert given["train_dataset"].keys() <= _declared("areal", file, "_DatasetConfig")
    assert "mb_spec" in _declared("areal", file, "TrainEngineConfig")
    return {
        "limit": spec.max_tokens_per_mb,
        "actor.mb_spec.packing_algorithm": spec.packing_algorithm,
        "train_dataset.batch_size": given["train_dataset"]["batch_size"],
    }


@takes("tunix")
def tunix(text):
    """The calls, of classes in the modules that the lines name."""
    tree = ast.parse(text)
    places = {name.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}
    calls = {node.func.id: node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert places.keys() == calls.keys()
    taken = {}
    for name, call in calls.items():
        known = _declared("google-tunix", f"{places[name].replace('.', '/')}.py", name)
        if name == "RLTrainingConfig":
            known |= _declared("google-tunix", "tunix/sft/peft_trainer.py", "TrainingConfig")
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        assert given.keys() <= known, given.keys() - known
        given.pop("actor_optimizer", None)
        taken |= {name: ast.literal_eval(value) for name, value in given.items()}
    return {"limit": taken.pop("max_seq_token_per_tpu"), **taken}


@takes("levanter")
def levanter(text):
    """The fields of the configuration, whose formats are registered by name."""
    given = yaml.safe_load(text)
    [component] = given["data"]["components"].values()
    assert component.keys() <= _declared("marin-levanter", "levanter/data/text/datasets.py", "DatasetComponent")
    assert "train_seq_len" in _declared("marin-levanter", "levanter/main/train_lm.py", "TrainLmConfig")
    format = component["format"]["type"]
    assert f'register_subclass("{format}")' in path_of("marin-levanter", "levanter/data/text/formats.py").read_text()
    return {"limit": given["train_seq_len"], "format": format, "pack": component["pack"]}
