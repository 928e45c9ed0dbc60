"""Which tokens train: weights in the loss beside gradients that PyTorch measures, and labels beside those of training libraries."""

import ast
import json
import logging
import random
import subprocess
from types import SimpleNamespace

import pytest
from test_chats import PACKSCOPE, FAMILIES, conversations, shipped, tokenizer, write as write_records
from test_chats import bpe, today  # noqa: F401

from libraries.loading import functions, load, path_of, stub

transformers = pytest.importorskip("transformers")


def write(packscope, records, name="records.jsonl"):
    path = packscope.folder / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def lengths(number, seed=0):
    """Prompts and responses, of which some are long, and a few are empty."""
    draw = random.Random(seed)
    for _ in range(number):
        response = 0 if draw.random() < 0.02 else int(draw.paretovariate(1.2) * 3)
        yield {"prompt_tokens": draw.randint(1, 30), "completion_tokens": min(response, 60)}


def packed(items, slots):
    """Best-fit decreasing: the fullest row that takes the next longest, of several the earliest."""
    rows = []
    for item in sorted(items, key=lambda item: -sum(item)):
        fits = [row for row in rows if row["room"] >= sum(item)]
        row = min(fits, key=lambda row: row["room"], default=None)
        if row is None:
            row = {"room": slots, "items": []}
            rows.append(row)
        row["room"] -= sum(item)
        row["items"].append(item)
    return [row["items"] for row in rows]


REDUCTIONS = ["micro-batch", "rank", "step", "sequence"]


@pytest.mark.parametrize("is_packed", [False, True], ids=["unpacked", "packed"])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_weights_are_those_of_gradients(packscope, reduction, is_packed):
    torch = pytest.importorskip("torch")
    batch, accumulation, ranks, limit = 3, 4, 2, 128
    records = list(lengths(400))
    path = write(packscope, records)
    steps = ["--batch", batch, "--accumulation", accumulation, "--ranks", ranks, "--order", "file"]
    found = packscope.json("supervise", path, "--limit", limit, *steps)
    epoch = found["weights"]["packed" if is_packed else "unpacked"]
    ours = next(of for of in epoch["weights"] if of["reduction"] == reduction)

    items = [(r["prompt_tokens"], r["completion_tokens"]) for r in records]
    rows = packed(items, limit) if is_packed else [[item] for item in items]
    micro_batches = [sum(rows[at : at + batch], []) for at in range(0, len(rows), batch)]
    whole = len(micro_batches) // (accumulation * ranks) * accumulation * ranks
    assert epoch["micro_batches"] == whole

    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Embedding(50, 8), torch.nn.Linear(8, 50)).double()
    tokens, sequences, within = [], [], []
    for start in range(0, whole, accumulation * ranks):
        step = micro_batches[start : start + accumulation * ranks]
        losses = []
        for micro_batch in step:
            inputs = torch.randint(50, (sum(r for _, r in micro_batch),))
            loss = torch.nn.functional.cross_entropy(model(inputs), torch.randint(50, inputs.shape), reduction="none")
            loss.retain_grad()
            losses.append(loss)
        total = 0
        for rank in range(ranks):
            mine = range(rank, len(step), ranks)
            of_rank = sum(len(losses[at]) for at in mine)
            for at in mine:
                loss, sizes = losses[at], [r for _, r in step[at] if r]
                if not sizes:
                    continue
                if reduction == "micro-batch":
                    total = total + loss.mean() / accumulation / ranks
                elif reduction == "rank":
                    total = total + loss.sum() / of_rank / ranks
                elif reduction == "step":
                    total = total + loss.sum() / sum(map(len, losses))
                else:
                    means = [part.mean() for part in loss.split(sizes)]
                    total = total + sum(means) / len(means) / accumulation / ranks
        model.zero_grad()
        total.backward(retain_graph=True)
        weights = [loss.grad if loss.grad is not None else torch.zeros(0) for loss in losses]
        # The gradient of the model is the sum of those of its tokens, with these weights.
        measured = model[1].weight.grad.clone()
        model.zero_grad()
        sum((loss * weight).sum() for loss, weight in zip(losses, weights) if len(weight)).backward()
        assert torch.allclose(measured, model[1].weight.grad, atol=1e-12)
        of_step = torch.cat(weights)
        tokens.append(of_step)
        within.append((of_step.max() / of_step.min()).item())
        for micro_batch, weight in zip(step, weights):
            sizes = [r for _, r in micro_batch if r]
            sequences += [part.sum().item() for part in weight.split(sizes)] if sizes else []
    tokens = torch.cat(tokens)
    sequences = torch.tensor(sequences, dtype=torch.float64)
    for name, measured in [("tokens", tokens), ("sequences", sequences)]:
        mean = measured.mean()
        assert ours[name]["least"] == pytest.approx((measured.min() / mean).item(), rel=1e-9)
        assert ours[name]["most"] == pytest.approx((measured.max() / mean).item(), rel=1e-9)
        assert ours[name]["variation"] == pytest.approx((measured.std(unbiased=False) / mean).item(), rel=1e-6, abs=1e-9)
    assert ours["within_step"]["most"] == pytest.approx(max(within), rel=1e-9)


def test_a_loss_normalised_over_the_step_is_that_of_one_batch():
    """Lines that normalise over the step: accumulated gradients equal those of all sequences in one batch."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Embedding(20, 4), torch.nn.Linear(4, 20)).double()
    batches = [(torch.randint(20, (n,)), torch.randint(20, (n,))) for n in (3, 50, 7, 1)]
    total = sum(len(labels) for _, labels in batches)
    model.zero_grad()
    for inputs, labels in batches:
        loss = torch.nn.functional.cross_entropy(model(inputs), labels, reduction="sum") / total
        loss.backward()
    accumulated = model[1].weight.grad.clone()
    model.zero_grad()
    inputs, labels = (torch.cat(parts) for parts in zip(*batches))
    torch.nn.functional.cross_entropy(model(inputs), labels).backward()
    assert torch.allclose(accumulated, model[1].weight.grad, atol=1e-12)


def spans(folder, records, *options):
    """What `packscope supervise` says of each record: its tokens, and a mask."""
    write_records(folder / "chats.jsonl", records)
    command = [PACKSCOPE, "supervise", str(folder / "chats.jsonl"), "--tokenizer", str(folder / "tokenizer.json")]
    done = subprocess.run([*command, "--format", "spans", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    masks = []
    for line in done.stdout.splitlines():
        found = json.loads(line)
        mask = [0] * found["tokens"]
        for start, end in found["spans"]:
            mask[start:end] = [1] * (end - start)
        masks.append(mask)
    return masks


def family(name, bpe, folder):
    bos, eos, specials, template = FAMILIES[name]
    fast = tokenizer(bpe, bos, eos, specials)
    fast.chat_template = template
    fast.save_pretrained(folder)
    return fast


def training_templates():
    """TRL's templates for training, which mark what the model writes."""
    return [case for case in shipped() if case.id.startswith("trl-") and case.id.endswith("_training")]


@pytest.mark.parametrize("path", training_templates())
def test_assistant_masks_are_those_of_transformers(path, bpe, tmp_path):  # noqa: F811
    """TRL, `assistant_only_loss=True`: its own template, and the masks that its `_tokenize` asks transformers for."""
    fast = tokenizer(bpe, "<s>", "</s>", ["<|im_start|>", "<|im_end|>", "<|eot_id|>"])
    fast.chat_template = path.read_text(encoding="utf-8")
    fast.save_pretrained(tmp_path)
    chats, want = [], []
    for chat in conversations(path.stem):
        try:
            found = fast.apply_chat_template(chat, tokenize=True, return_dict=True, return_assistant_tokens_mask=True)
        except Exception:
            # Some take no system message.
            continue
        chats.append({"messages": chat})
        want.append(found["assistant_masks"])
    if not chats:
        pytest.skip("it takes none of these conversations")
    assert spans(tmp_path, chats) == want


def trl():
    """The functions of TRL's trainer that make labels, as they stand in it."""
    path = path_of("trl", "trl/trainer/sft_trainer.py")
    wanted = {"tokenize_fn", "build_labels"}
    nodes = ast.walk(ast.parse(path.read_text()))
    body = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name in wanted]
    assert {node.name for node in body} == wanted
    nobody = type("Nobody", (), {})
    types = dict.fromkeys(["Any", "PreTrainedTokenizerBase", "ProcessorMixin"], nobody)
    space = functions("trl", "trl/data_utils.py", ["is_conversational", "_tokenize", "common_prefix_length"], types)
    space |= {"json": json, "logger": SimpleNamespace(warning_once=lambda *_: None)}
    exec(compile(ast.Module(body, []), str(path), "exec"), space)
    return space


def trl_labels(fast, records, assistant_only=False):
    code = trl()
    masks = []
    for record in records:
        output = code["tokenize_fn"](record, fast, "text", assistant_only, None)
        columns = [name for name in ("completion_mask", "assistant_masks") if name in output]
        labels = code["build_labels"](output, columns)["labels"]
        masks.append([int(label != -100) for label in labels])
    return masks


@pytest.mark.parametrize("name", ["chatml", "llama-3", "mistral", "zephyr", "gemma"])
def test_completions_are_those_of_trl(name, bpe, tmp_path):  # noqa: F811
    """TRL, `completion_only_loss`, of conversations and of texts."""
    pytest.importorskip("trl")
    fast = family(name, bpe, tmp_path)
    records = [{"prompt": chat[:-1], "completion": chat[-1:]} for chat in conversations(name)]
    assert spans(tmp_path, records) == trl_labels(fast, records)
    texts = [{"prompt": chat[-2]["content"] + ":", "completion": chat[-1]["content"] + "."} for chat in conversations(name)]
    ended = [{**record, "completion": record["completion"] + fast.eos_token} for record in texts]
    assert spans(tmp_path, texts) == trl_labels(fast, ended)


def bordered(seed):
    """Conversations whose messages begin and end with letters: no token has a part of one and a part of what stands around."""
    for chat in conversations(seed):
        yield [{**message, "content": "x" + message["content"].strip() + "y"} for message in chat]


@pytest.mark.parametrize("name", ["chatml", "llama-3", "zephyr"])
def test_turns_are_those_of_axolotl(name, bpe, tmp_path):  # noqa: F811
    """axolotl, type chat_template: roles_to_train assistant, train_on_eos turn. It leaves an empty turn out with its end."""
    pytest.importorskip("axolotl")
    values = functions("axolotl", "axolotl/utils/dict.py", ["remove_none_values"], {})
    around = [
        stub("axolotl.utils.dict", remove_none_values=values["remove_none_values"]),
        stub("axolotl.utils.logging", get_logger=lambda name: logging.getLogger(name)),
        stub("axolotl.utils.schemas.datasets"),
        stub("axolotl.utils.chat_templates"),
    ]
    chat_template = load("axolotl", "axolotl.prompt_strategies.chat_template", around)
    fast = family(name, bpe, tmp_path)
    strategy = chat_template.ChatTemplateStrategy(
        chat_template.ChatTemplatePrompter(
            fast, chat_template=fast.chat_template, message_property_mappings={"role": "role", "content": "content"}
        ),
        fast,
        train_on_inputs=False,
        sequence_len=1 << 20,
        roles_to_train=["assistant"],
        train_on_eos="turn",
    )
    records = [{"messages": chat} for chat in bordered(name)]
    want = []
    for record in records:
        labels = strategy._tokenize_single_prompt(record)["labels"]
        want.append([int(label != -100) for label in labels])
    assert spans(tmp_path, records, "--turn-end", "token") == want


def llamafactory(cutoff):
    """The processor of LLaMA-Factory, with its template chatml."""
    quiet = stub(
        "llamafactory.extras.logging",
        get_logger=lambda name: logging.getLogger(name),
    )
    constants = stub("llamafactory.extras.constants", IGNORE_INDEX=-100)
    plugin = stub("llamafactory.data.mm_plugin", get_mm_plugin=lambda name, **_: Plugin())
    around = [stub("llamafactory.extras", logging=quiet), quiet, constants, plugin]
    template = load("llamafactory", "llamafactory.data.template", around).TEMPLATES["chatml"]
    supervised = load("llamafactory", "llamafactory.data.processor.supervised", around)
    args = SimpleNamespace(cutoff_len=cutoff, mask_history=False, train_on_prompt=False)
    return supervised.SupervisedDatasetProcessor, template, args


class Plugin:
    """A conversation without pictures."""

    def process_messages(self, messages, *_):
        return messages

    def process_token_ids(self, *_):
        return [], []


@pytest.mark.parametrize("cutoff", [1 << 20, 200, 97, 40, 7])
def test_turns_and_truncation_are_those_of_llama_factory(cutoff, bpe, tmp_path):  # noqa: F811
    """LLaMA-Factory encodes each prompt and each response by itself."""
    pytest.importorskip("llamafactory")
    fast = family("chatml", bpe, tmp_path)
    kind, template, args = llamafactory(cutoff)
    processor = kind(template, fast, None, args)
    chats = [[m for m in chat if m["role"] != "system"] for chat in bordered("factory")]
    kept, none = 0, 0
    masks = []
    for chat in chats:
        _, labels = processor._encode_data_example(chat[:-1], chat[-1:], None, None, [], [], [])
        masks.append([int(label != -100) for label in labels])
        kept += sum(masks[-1])
        none += not any(masks[-1])
    records = [{"messages": chat} for chat in chats]
    if cutoff == 1 << 20:
        assert spans(tmp_path, records) == masks
    command = [PACKSCOPE, "supervise", str(tmp_path / "chats.jsonl"), "--tokenizer", str(tmp_path / "tokenizer.json")]
    write_records(tmp_path / "chats.jsonl", records)
    options = ["--truncate", "shared", "--limit", str(cutoff), "--format", "json"]
    found = json.loads(subprocess.run([*command, *options], capture_output=True, text=True, check=True).stdout)
    assert found["at"]["untrained"] == none
    assert round((1 - found["at"]["supervised_lost_share"]) * found["supervised"]) == kept


def swift():
    """The template of ms-swift for ChatML, and the loss that it has by default."""
    quiet = lambda *_: None  # noqa: E731
    logger = SimpleNamespace(warning_once=quiet, info_once=quiet, info=quiet)
    around = [
        stub("modelscope.hub.utils.utils"),
        stub("peft"),
        stub("PIL", Image=SimpleNamespace(Image=object)),
        stub(
            "swift.utils",
            get_logger=lambda *_: logger,
            get_env_args=lambda *_: None,
            retry_decorator=lambda _: lambda function: function,
        ),
        stub("swift.template.vision_utils"),
    ]
    words = load("ms-swift", "swift.template.utils", around)
    # The package itself, as loss scales import it.
    package = stub("swift.template", **{name: value for name, value in vars(words).items() if not name.startswith("__")})
    inputs = load("ms-swift", "swift.template.template_inputs", [*around, words])
    base = load("ms-swift", "swift.template.base", [*around, words, inputs])
    meta = load("ms-swift", "swift.template.template_meta", [*around, words, inputs, base])
    chatml = load("ms-swift", "swift.template.templates.utils", [*around, words, inputs, base, meta])
    scales = load("ms-swift", "swift.loss_scale.base", [package, words])
    return SimpleNamespace(template=base.Template, meta=chatml.ChatmlTemplateMeta, scale=scales.LossScale, inputs=inputs.StdTemplateInputs)


@pytest.mark.parametrize(("truncation", "limit"), [("right", 1 << 20), ("right", 60), ("left", 60)])
def test_turns_and_truncation_are_those_of_ms_swift(truncation, limit, bpe, tmp_path):  # noqa: F811
    """ms-swift encodes prompts and responses apart, and never trains the first token of a row."""
    pytest.importorskip("torch")
    pytest.importorskip("swift")
    fast = family("chatml", bpe, tmp_path)
    code = swift()
    fast.model_info = SimpleNamespace(config=None, task_type="causal_lm", max_model_len=limit)
    fast.model_meta = SimpleNamespace(is_multimodal=False)
    code.template.tokenizer = fast
    # As `get_loss_scale("default")` returns it.
    code.template.loss_scale = code.scale("default")
    template = code.template(fast, code.meta("chatml"), max_length=limit, truncation_strategy=truncation)
    template.mode = "train"
    records = [{"messages": chat} for chat in bordered("swift")]
    want = []
    for record in records:
        inputs = code.inputs(messages=[dict(m) for m in record["messages"] if m["role"] != "system"])
        inputs.system = next((m["content"] for m in record["messages"] if m["role"] == "system"), None)
        labels = template._encode_truncated(inputs)["labels"]
        want.append([int(label != -100) for label in labels])
    ours = []
    for mask in spans(tmp_path, records):
        kept = mask[:limit] if truncation == "right" else mask[-limit:]
        ours.append([0, *kept[1:]])
    assert ours == want
