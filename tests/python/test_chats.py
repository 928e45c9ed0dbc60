"""Conversations counted by the command line under chat templates, beside transformers' `apply_chat_template`.

Needs the packages `pytest`, `tokenizers`, `transformers` and `jinja2`, and PACKSCOPE, the path of the command line. Where TRL
and axolotl are installed, the templates that they ship are compared as well.
"""

import importlib.util
import json
import os
import random
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

tokenizers = pytest.importorskip("tokenizers")
transformers = pytest.importorskip("transformers")

PACKSCOPE = os.environ.get("PACKSCOPE")
pytestmark = pytest.mark.skipif(not PACKSCOPE, reason="PACKSCOPE, the path of the command line, is not set")

CONVERSATIONS = 200
RECORDED = Path(__file__).resolve().parents[1] / "data/chats"

# The public form of each family: the beginning and the end of a text, its special tokens, and its template.
FAMILIES = {
    "chatml": (
        None,
        "<|im_end|>",
        ["<|im_start|>", "<|endoftext|>"],
        "{%- for message in messages %}\n"
        "    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}\n"
        "{%- endfor %}\n"
        "{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n' }}\n{%- endif %}\n",
    ),
    "qwen-2.5": (
        None,
        "<|im_end|>",
        ["<|im_start|>", "<|endoftext|>"],
        "{%- if tools %}\n    {{- '<|im_start|>system\\n' }}\n"
        "    {%- if messages[0]['role'] == 'system' %}\n        {{- messages[0]['content'] }}\n"
        "    {%- else %}\n        {{- 'You are a helpful assistant.' }}\n    {%- endif %}\n"
        '    {{- "\\n\\n# Tools\\n\\n<tools>" }}\n'
        '    {%- for tool in tools %}\n        {{- "\\n" }}\n        {{- tool | tojson }}\n    {%- endfor %}\n'
        '    {{- "\\n</tools><|im_end|>\\n" }}\n'
        "{%- else %}\n    {%- if messages[0]['role'] == 'system' %}\n"
        "        {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}\n"
        "    {%- else %}\n"
        "        {{- '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}\n"
        "    {%- endif %}\n{%- endif %}\n"
        "{%- for message in messages %}\n"
        '    {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}\n'
        "        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}\n"
        "    {%- endif %}\n{%- endfor %}\n",
    ),
    "llama-2": (
        "<s>",
        "</s>",
        [],
        "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}"
        "{% set system_message = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}"
        "{% set system_message = false %}{% endif %}{% for message in loop_messages %}"
        "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
        "{% if loop.index0 == 0 and system_message != false %}"
        "{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}"
        "{% else %}{% set content = message['content'] %}{% endif %}"
        "{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}"
        "{% elif message['role'] == 'assistant' %}{{ ' '  + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}",
    ),
    "llama-3": (
        "<|begin_of_text|>",
        "<|eot_id|>",
        ["<|start_header_id|>", "<|end_header_id|>"],
        "{% set loop_messages = messages %}{% for message in loop_messages %}"
        "{% set content = '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' %}"
        "{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}",
    ),
    "llama-3.1": (
        "<|begin_of_text|>",
        "<|eot_id|>",
        ["<|start_header_id|>", "<|end_header_id|>"],
        "{{- bos_token }}\n{%- if not date_string is defined %}\n    {%- set date_string = '26 Jul 2024' %}\n{%- endif %}\n"
        "{%- if messages[0]['role'] == 'system' %}\n    {%- set system_message = messages[0]['content']|trim %}\n"
        "    {%- set messages = messages[1:] %}\n{%- else %}\n    {%- set system_message = '' %}\n{%- endif %}\n"
        "{{- '<|start_header_id|>system<|end_header_id|>\\n\\n' }}\n"
        "{{- 'Cutting Knowledge Date: December 2023\\n' }}\n{{- 'Today Date: ' + date_string + '\\n\\n' }}\n"
        "{{- system_message }}\n{{- '<|eot_id|>' }}\n"
        "{%- for message in messages %}\n"
        "    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}\n"
        "        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}\n"
        "    {%- endif %}\n{%- endfor %}\n",
    ),
    "mistral": (
        "<s>",
        "</s>",
        ["[INST]", "[/INST]"],
        '{%- if messages[0]["role"] == "system" %}\n    {%- set system_message = messages[0]["content"] %}\n'
        "    {%- set loop_messages = messages[1:] %}\n{%- else %}\n    {%- set loop_messages = messages %}\n{%- endif %}\n"
        "{%- set ns = namespace(index=0) %}\n{{- bos_token }}\n"
        "{%- for message in loop_messages %}\n"
        '    {%- if (message["role"] == "user") != (ns.index % 2 == 0) %}\n'
        '        {{- raise_exception("After the optional system message, conversation roles must alternate") }}\n    {%- endif %}\n'
        "    {%- set ns.index = ns.index + 1 %}\n"
        '    {%- if message["role"] == "user" %}\n'
        "        {%- if loop.last and system_message is defined %}\n"
        '            {{- "[INST] " + system_message + "\\n\\n" + message["content"] + "[/INST]" }}\n'
        '        {%- else %}\n            {{- "[INST] " + message["content"] + "[/INST]" }}\n        {%- endif %}\n'
        '    {%- elif message["role"] == "assistant" %}\n        {{- " " + message["content"]|trim + eos_token}}\n    {%- endif %}\n'
        "{%- endfor %}\n",
    ),
    "gemma": (
        "<bos>",
        "<eos>",
        ["<start_of_turn>", "<end_of_turn>"],
        "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set messages = messages[1:] %}{% endif %}"
        "{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
        "{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}"
        "{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + '<end_of_turn>\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}",
    ),
    "phi-3": (
        "<s>",
        "<|endoftext|>",
        ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>"],
        "{% for message in messages %}{% if message['role'] == 'system' and message['content'] %}"
        "{{'<|system|>\n' + message['content'] + '<|end|>\n'}}{% elif message['role'] == 'user' %}"
        "{{'<|user|>\n' + message['content'] + '<|end|>\n'}}{% elif message['role'] == 'assistant' %}"
        "{% generation %}{{'<|assistant|>\n' + message['content'] + '<|end|>\n'}}{% endgeneration %}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}",
    ),
    "zephyr": (
        "<s>",
        "</s>",
        [],
        "{% for message in messages %}\n{% if message['role'] == 'user' %}\n{{ '<|user|>\n' + message['content'] + eos_token }}\n"
        "{% elif message['role'] == 'system' %}\n{{ '<|system|>\n' + message['content'] + eos_token }}\n"
        "{% elif message['role'] == 'assistant' %}\n{{ '<|assistant|>\n'  + message['content'] + eos_token }}\n{% endif %}\n"
        "{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}",
    ),
    "deepseek": (
        "<｜begin▁of▁sentence｜>",
        "<｜end▁of▁sentence｜>",
        ["<｜User｜>", "<｜Assistant｜>"],
        "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}"
        "{% set ns = namespace(is_first=false, system_prompt='') %}"
        "{%- for message in messages %}{%- if message['role'] == 'system' %}{% set ns.system_prompt = message['content'] %}{%- endif %}{%- endfor %}"
        "{{bos_token}}{{ns.system_prompt}}"
        "{%- for message in messages %}{%- if message['role'] == 'user' %}{{'<｜User｜>' + message['content']}}{%- endif %}"
        "{%- if message['role'] == 'assistant' and message['content'] is not none %}{% set content = message['content'] %}"
        "{% if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}"
        "{{'<｜Assistant｜>' + content + '<｜end▁of▁sentence｜>'}}{%- endif %}{%- endfor -%}",
    ),
    "command-r": (
        "<BOS_TOKEN>",
        "<|END_OF_TURN_TOKEN|>",
        ["<|START_OF_TURN_TOKEN|>", "<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|SYSTEM_TOKEN|>"],
        "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}"
        "{% set system_message = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}"
        "{% if system_message != false %}{{ '<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>' + system_message + '<|END_OF_TURN_TOKEN|>' }}{% endif %}"
        "{% for message in loop_messages %}{% set content = message['content'] %}"
        "{% if message['role'] == 'user' %}{{ '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>' + content.strip() + '<|END_OF_TURN_TOKEN|>' }}"
        "{% elif message['role'] == 'assistant' %}{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>'  + content.strip() + '<|END_OF_TURN_TOKEN|>' }}"
        "{% endif %}{% endfor %}",
    ),
}

TEXTS = [
    "How do I reverse a list?",
    "  leading and trailing spaces  ",
    "two\n\nlines\n",
    "\ttab\tand\r\nreturn",
    "```python\ndef f(x):\n    return {'a': x, \"b\": [1, 2]}  # {{ x }} {% if %}\n```",
    "Größe, naïve café, 你好，世界, Привет, שלום, 🙂👩‍👩‍👧",
    "<b>&amp; 'quoted' \"double\"</b>",
    "</think>thought before",
    "1,234.5 + 0x1F == 9 % 4",
    "",
    "user assistant system",
    "a" * 300,
]


def conversations(seed):
    """Conversations that every family takes: a system message or none, then turns of both."""
    draw = random.Random(seed)
    text = lambda: " ".join(draw.choices(TEXTS, k=draw.randint(1, 4)))
    for _ in range(CONVERSATIONS):
        system = [{"role": "system", "content": text()}] if draw.random() < 0.5 else []
        turns = draw.randint(1, 4)
        said = [{"role": role, "content": text()} for _ in range(turns) for role in ("user", "assistant")]
        yield system + said


@pytest.fixture(scope="session")
def bpe():
    """A small tokenizer of bytes, trained here."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=600, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(TEXTS * 10, trainer)
    return tokenizer.to_str()


def tokenizer(bpe, bos, eos, specials):
    """The tokenizer of a family, which puts its beginning before texts as many do: templates have it already."""
    fast = tokenizers.Tokenizer.from_str(bpe)
    tokens = [token for token in [bos, eos, *specials] if token]
    fast.add_special_tokens(tokens)
    if bos:
        single = tokenizers.processors.TemplateProcessing(single=f"{bos} $A", special_tokens=[(bos, fast.token_to_id(bos))])
        fast.post_processor = single
    named = {name: token for name, token in [("bos_token", bos), ("eos_token", eos)] if token}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=fast, **named)


def write(path, records):
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


def counted(folder, records, *options):
    write(folder / "chats.jsonl", records)
    command = [PACKSCOPE, "tokens", str(folder / "chats.jsonl"), "--tokenizer", str(folder / "tokenizer.json")]
    done = subprocess.run([*command, "--format", "lengths", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [int(line) for line in done.stdout.split()]


@pytest.fixture(autouse=True)
def today(monkeypatch):
    """The date that Packscope gives to templates, in the place of the clock: some dates have another number of tokens."""

    class Day(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2024, 7, 26, tzinfo=tz)

    monkeypatch.setattr("transformers.utils.chat_template_utils.datetime", Day)


def expected(fast, chats, **more):
    return [len(fast.apply_chat_template(chat, tokenize=True, return_dict=False, **more)) for chat in chats]


@pytest.mark.parametrize("family", FAMILIES)
def test_conversations_have_as_many_tokens_as_in_transformers(family, bpe, tmp_path):
    bos, eos, specials, template = FAMILIES[family]
    fast = tokenizer(bpe, bos, eos, specials)
    fast.chat_template = template
    fast.save_pretrained(tmp_path)
    chats = list(conversations(family))
    want = expected(fast, chats)
    assert counted(tmp_path, [{"messages": chat} for chat in chats]) == want
    from_value = {"system": "system", "user": "human", "assistant": "gpt"}
    shared = [[{"from": from_value[m["role"]], "value": m["content"]} for m in chat] for chat in chats]
    assert counted(tmp_path, [{"conversations": chat} for chat in shared]) == want
    prompted = [{"prompt": chat[:-1], "completion": chat[-1:]} for chat in chats]
    assert counted(tmp_path, prompted) == want


def test_what_is_recorded_for_the_browser_is_what_transformers_counts():
    golden = json.loads((RECORDED / "golden.json").read_text(encoding="utf-8"))
    assert golden["families"].keys() == FAMILIES.keys()
    for family in golden["families"].values():
        fast = transformers.PreTrainedTokenizerFast(tokenizer_file=str(RECORDED / "tokenizer.json"), **family["config"])
        assert expected(fast, golden["conversations"]) == family["tokens"]


@pytest.mark.parametrize("where", ["string", "list", "file", "flag"])
def test_the_template_is_found_where_tokenizers_have_it(where, bpe, tmp_path):
    bos, eos, specials, template = FAMILIES["llama-3"]
    fast = tokenizer(bpe, bos, eos, specials)
    fast.save_pretrained(tmp_path)
    fast.chat_template = template
    config = json.loads((tmp_path / "tokenizer_config.json").read_text())
    options = []
    if where == "string":
        config["chat_template"] = template
    elif where == "list":
        config["chat_template"] = [
            {"name": "tool_use", "template": "{{ tools | tojson }}"},
            {"name": "default", "template": template},
        ]
    else:
        # A file goes before the configuration.
        config["chat_template"] = "wrong"
        name = {"file": "chat_template.jinja", "flag": "own.jinja"}[where]
        (tmp_path / name).write_text(template, encoding="utf-8", newline="")
        options = ["--chat-template", str(tmp_path / name)] if where == "flag" else []
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    chats = list(conversations("where"))[:20]
    assert counted(tmp_path, [{"messages": chat} for chat in chats], *options) == expected(fast, chats)


def test_tools_are_written_as_python_writes_them(bpe, tmp_path):
    bos, eos, specials, template = FAMILIES["qwen-2.5"]
    fast = tokenizer(bpe, bos, eos, specials)
    fast.chat_template = template
    fast.save_pretrained(tmp_path)
    parameters = {"type": "object", "required": ["zone"], "properties": {"zone": {"type": "string", "a": [1, 2.5, None, True]}}}
    tool = {"type": "function", "function": {"name": "now", "description": "<Zeit> & 'Ort' für \"hier\"", "parameters": parameters}}
    chats = list(conversations("tools"))[:20]
    want = expected(fast, chats, tools=[tool])
    assert counted(tmp_path, [{"messages": chat, "tools": [tool]} for chat in chats]) == want


def test_alpaca_is_a_conversation_of_two(bpe, tmp_path):
    bos, eos, specials, template = FAMILIES["zephyr"]
    fast = tokenizer(bpe, bos, eos, specials)
    fast.chat_template = template
    fast.save_pretrained(tmp_path)
    records, chats = [], []
    for chat in conversations("alpaca"):
        asked, said = chat[-2]["content"], chat[-1]["content"]
        more = random.Random(len(asked)).choice(["", "input below"])
        records.append({"instruction": asked, "input": more, "output": said})
        asked = f"{asked}\n{more}" if more else asked
        chats.append([{"role": "user", "content": asked}, {"role": "assistant", "content": said}])
    assert counted(tmp_path, records) == expected(fast, chats)


def test_what_a_template_refuses_is_skipped_with_its_reason(bpe, tmp_path):
    bos, eos, specials, template = FAMILIES["llama-2"]
    fast = tokenizer(bpe, bos, eos, specials)
    fast.chat_template = template
    fast.save_pretrained(tmp_path)
    good = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    both = {"prompt": good[:1], "chosen": good[1:], "rejected": good[1:]}
    write(tmp_path / "chats.jsonl", [{"messages": good}, {"messages": good[1:]}, {"messages": []}, {"other": 1}, both])
    command = [PACKSCOPE, "tokens", str(tmp_path / "chats.jsonl"), "--tokenizer", str(tmp_path / "tokenizer.json")]
    done = subprocess.run([*command, "--format", "lengths"], capture_output=True, text=True)
    assert [int(line) for line in done.stdout.split()] == [*expected(fast, [good]), 0, 0, 0, 0]
    assert "line 2" in done.stderr and "Conversation roles must alternate" in done.stderr
    assert "this is no conversation" in done.stderr and "line 5" in done.stderr and "two answers" in done.stderr


def test_a_template_of_ones_own_repeats_for_each_message(bpe, tmp_path):
    fast = tokenizer(bpe, "<s>", "</s>", [])
    fast.save_pretrained(tmp_path)
    chats = list(conversations("own"))[:50]
    texts = ["".join(f"{m['role']}: {m['content']}\n" for m in chat) for chat in chats]
    records = [{"messages": chat} for chat in chats]
    for special, options in [(True, []), (False, ["--no-special-tokens"])]:
        want = [len(fast(text, add_special_tokens=special)["input_ids"]) for text in texts]
        assert counted(tmp_path, records, "--message", "{role}: {content}\\n", *options) == want


def shipped():
    """The templates in installed packages, by package and name."""
    for package, folder in [("trl", "chat_templates"), ("axolotl", "utils/chat_templates/templates")]:
        found = importlib.util.find_spec(package)
        for path in sorted(Path(found.origin).parent.joinpath(folder).glob("*.jinja")) if found else []:
            yield pytest.param(path, id=f"{package}-{path.stem}")


@pytest.mark.parametrize("path", list(shipped()))
def test_templates_that_packages_ship_give_the_same(path, bpe, tmp_path):
    fast = tokenizer(bpe, "<s>", "</s>", ["<|im_start|>", "<|im_end|>", "<|eot_id|>"])
    fast.chat_template = path.read_text(encoding="utf-8")
    fast.save_pretrained(tmp_path)
    chats, want = [], []
    for chat in conversations(path.stem):
        try:
            want += expected(fast, [chat])
            chats.append(chat)
        except Exception:
            # Some take no system message.
            continue
    if not chats:
        pytest.skip("it takes none of these conversations")
    assert counted(tmp_path, [{"messages": chat} for chat in chats]) == want
