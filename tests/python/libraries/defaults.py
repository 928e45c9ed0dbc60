"""Defaults of training libraries, read from the releases that are installed: as JSON, `{library: {setting: default}}`.

`cargo xtask trainers` runs this file alone, and compares with what `packscope trainer --list` says. Nothing of a
library is imported: the class, or the function, that declares a default is parsed.
"""

import ast
import json
from importlib.metadata import distribution

# Library and setting: package, file, class or function, name there; what the release does where that is None.
TRL, HF = ("trl", "trl/trainer/sft_config.py", "SFTConfig"), ("transformers", "transformers/training_args.py", "TrainingArguments")
AXOLOTL = ("axolotl", "axolotl/utils/schemas/config.py", "AxolotlInputConfig")
DATA = ("llamafactory", "llamafactory/hparams/data_args.py", "DataArguments")
SWIFT = "swift/arguments/base_args/"
LOADER = ("nemo-automodel", "nemo_automodel/components/datasets/loader.py")
VERL = ("verl", "verl/workers/config/actor.py", "ActorConfig")
MAP = ("datasets", "datasets/arrow_dataset.py", "map", "batch_size")
OLMO = ("ai2-olmo-core", "olmo_core/data/numpy_dataset.py")
GRAIN = ("grain", "grain/_src/python/dataset/transformations/packing.py", "FirstFitPackIterDataset")
PACKED = ("megatron-bridge", "megatron/bridge/data/datasets/packed_sequence.py")
BATCH = "per_device_train_batch_size"
OUMI = "oumi/core/configs/params/"
SKYRL_SFT = ("skyrl", "skyrl/train/config/sft_config.py", "SFTConfig")
SKYRL = ("skyrl", "skyrl/train/config/config.py")
AREAL = ("areal", "areal/api/cli_args.py")
PPO, SFT = (("openrlhf", f"openrlhf/cli/train_{command}.py", "parser") for command in ("ppo_ray", "sft"))
DECLARED = {
    "trl": {
        "packing": (*TRL, "packing"),
        "packing_strategy": (*TRL, "packing_strategy"),
        "map_batch_size": MAP,
        BATCH: (*HF, BATCH),
    },
    "axolotl": {
        "sample_packing": (*AXOLOTL, "sample_packing", False),
        "excess_length_strategy": (*AXOLOTL, "excess_length_strategy", "drop"),
        "sample_packing_sequentially": (*AXOLOTL, "sample_packing_sequentially", False),
        "sample_packing_group_size": (*AXOLOTL, "sample_packing_group_size"),
        "sample_packing_bin_size": (*AXOLOTL, "sample_packing_bin_size"),
        "micro_batch_size": ("axolotl", "axolotl/utils/schemas/training.py", "HyperparametersConfig", "micro_batch_size"),
        "pad_to_sequence_len": (*AXOLOTL, "pad_to_sequence_len"),
    },
    "torchtune": {
        "packed": ("torchtune", "torchtune/datasets/_text_completion.py", "text_completion_dataset", "packed"),
        "split_across_pack": ("torchtune", "torchtune/datasets/_packed.py", "PackedDataset", "split_across_pack"),
    },
    "llama-factory": {
        "stage": ("llamafactory", "llamafactory/hparams/finetuning_args.py", "FinetuningArguments", "stage"),
        "packing": (*DATA, "packing", False),
        "neat_packing": (*DATA, "neat_packing"),
        "preprocessing_batch_size": (*DATA, "preprocessing_batch_size"),
        BATCH: (*HF, BATCH),
    },
    "ms-swift": {
        "packing": ("ms-swift", f"{SWIFT}base_args.py", "BaseArguments", "packing"),
        "packing_strategy": ("ms-swift", f"{SWIFT}base_args.py", "BaseArguments", "packing_strategy"),
        "packing_length": ("ms-swift", f"{SWIFT}base_args.py", "BaseArguments", "packing_length"),
        "truncation_strategy": ("ms-swift", f"{SWIFT}template_args.py", "TemplateArguments", "truncation_strategy", "delete"),
        "streaming": ("ms-swift", f"{SWIFT}data_args.py", "DataArguments", "streaming"),
        "packing_interval": ("ms-swift", "swift/dataset/packing.py", "IterablePackingDataset", "packing_interval"),
        BATCH: ("ms-swift", "swift/trainers/arguments.py", "TrainArgumentsMixin", BATCH),
    },
    "hf-flattening": {BATCH: (*HF, BATCH)},
    "nemo": {
        "packing_algorithm": (*PACKED, "prepare_packed_sequence_data", "packing_algorithm"),
        "pad_seq_to_mult": (*PACKED, "PackedSequenceSpecs", "pad_seq_to_mult"),
    },
    "nemo-automodel": {
        "truncation": ("nemo-automodel", "nemo_automodel/components/datasets/llm/chat_dataset.py", "ChatDatasetConfig", "truncation"),
        "drop_long_samples": (*LOADER, "NeatPackingConfig", "drop_long_samples"),
        "pad_to_multiple_of": (*LOADER, "ThdPackingConfig", "pad_to_multiple_of"),
    },
    "llm-foundry": {
        "max_leftover_bins_to_keep": ("llm-foundry", "llmfoundry/data/packing.py", "BinPackCollator", "max_leftover_bins_to_keep"),
    },
    "verl": {name: (*VERL, name) for name in ("use_dynamic_bsz", "ppo_mini_batch_size", "ppo_micro_batch_size_per_gpu")},
    "openrlhf": {
        "train.dynamic_batch_enable": (*PPO, "--train.dynamic_batch_enable"),
        "ds.packing_samples": (*PPO, "--ds.packing_samples"),
        "train.batch_size": (*PPO, "--train.batch_size"),
        "train.micro_batch_size": (*SFT, "--train.micro_batch_size"),
    },
    "skyrl": {
        "use_sequence_packing": (*SKYRL_SFT, "use_sequence_packing"),
        "max_tokens_per_microbatch": (*SKYRL_SFT, "max_tokens_per_microbatch"),
        "batch_size": (*SKYRL_SFT, "batch_size"),
        "trainer.policy_mini_batch_size": (*SKYRL, "TrainerConfig", "policy_mini_batch_size"),
        "generator.n_samples_per_prompt": (*SKYRL, "GeneratorConfig", "n_samples_per_prompt"),
    },
    "areal": {
        "actor.mb_spec.packing_algorithm": (*AREAL, "MicroBatchSpec", "packing_algorithm"),
        "train_dataset.batch_size": (*AREAL, "_DatasetConfig", "batch_size"),
    },
    "tunix": {"num_generations": ("google-tunix", "tunix/rl/grpo/grpo_learner.py", "GRPOConfig", "num_generations")},
    "hf-batch-rebalance": {
        BATCH: (*HF, BATCH),
        "gradient_accumulation_steps": (*HF, "gradient_accumulation_steps"),
        "dataloader_drop_last": (*HF, "dataloader_drop_last"),
    },
    "megatron-lm": {
        "add_extra_token_to_sequence": ("megatron-core", "megatron/core/datasets/gpt_dataset.py", "GPTDatasetConfig", "add_extra_token_to_sequence"),
    },
    "nanotron": {"map_batch_size": MAP},
    "olmo-packed": {"long_doc_strategy": (*OLMO, "NumpyPackedFSLDatasetConfig", "long_doc_strategy")},
    "olmo-vsl": {"min_sequence_length": (*OLMO, "NumpyVSLDataset", "min_sequence_length")},
    "torchtitan": {"local_batch_size": ("torchtitan", "torchtitan/config/configs.py", "TrainingConfig", "local_batch_size")},
    "oumi": {
        "data.train.pack": ("oumi", f"{OUMI}data_params.py", "DatasetSplitParams", "pack"),
        f"training.{BATCH}": ("oumi", f"{OUMI}training_params.py", "TrainingParams", BATCH),
    },
    "grain": {"max_sequences_per_bin": (*GRAIN, "max_sequences_per_bin")},
}


def value(node):
    """A default as it is written; of `field(default=…)` and `Field(…)` that within, of an enumeration its name."""
    if isinstance(node, ast.Call):
        given = [keyword.value for keyword in node.keywords if keyword.arg == "default"] or node.args[:1]
        return value(given[0])
    if isinstance(node, ast.Attribute):
        return node.attr
    return ast.literal_eval(node)


def declared(package, file, name, parameter, unset=None):
    """The default of a field of a class, of a parameter of a function or of a class's `__init__`, or of an option."""
    tree = ast.parse(distribution(package).locate_file(file).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"{name}.add_argument" and node.args[0].value == parameter:
            return value(next(keyword.value for keyword in node.keywords if keyword.arg == "default"))
        if getattr(node, "name", None) != name:
            continue
        for below in [node, *getattr(node, "body", [])]:
            if isinstance(below, ast.AnnAssign) and getattr(below.target, "id", None) == parameter and below.value:
                found = value(below.value)
                return unset if found is None else found
            if isinstance(below, ast.FunctionDef) and (below is node or below.name == "__init__"):
                given = below.args
                args = given.posonlyargs + given.args
                pairs = list(zip(args[len(args) - len(given.defaults) :], given.defaults))
                pairs += [pair for pair in zip(given.kwonlyargs, given.kw_defaults) if pair[1]]
                for arg, default in pairs:
                    if arg.arg == parameter:
                        return value(default)
    raise LookupError(f"{package}: {file} declares no {name}.{parameter}")


def shown(value):
    """As `packscope trainer --list` writes it."""
    words = {None: "none", True: "true", False: "false"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def installed():
    return {
        library: {setting: shown(declared(*of)) for setting, of in settings.items()} for library, settings in DECLARED.items()
    }


if __name__ == "__main__":
    print(json.dumps(installed(), indent=1))
