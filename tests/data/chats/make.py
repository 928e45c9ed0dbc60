"""Counts conversations under the chat templates of `tests/python/test_chats.py`, as transformers does.

    pip install pytest jinja2 tokenizers==0.23.3 transformers
    python make.py            # the tokens of golden.json, with the tokenizer that is there
    python make.py train      # a new tokenizer first: ties in training are broken otherwise each time

What is counted here is compared with the page's own code as wasm in a browser, and with the command line's.
"""

import json
import sys
from pathlib import Path

import tokenizers
import transformers

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "python"))
from test_chats import FAMILIES, TEXTS, conversations  # noqa: E402

CONVERSATIONS = 40


def train():
    """A small tokenizer of bytes with the special tokens of all families, which adds none by itself."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=600, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(TEXTS * 10, trainer)
    of = lambda bos, eos, specials, _: [token for token in [bos, eos, *specials] if token]
    tokenizer.add_special_tokens(list(dict.fromkeys(token for family in FAMILIES.values() for token in of(*family))))
    (HERE / "tokenizer.json").write_text(tokenizer.to_str(), encoding="utf-8")


def golden():
    chats = list(conversations("golden"))[:CONVERSATIONS]
    families = {}
    for name, (bos, eos, _, template) in FAMILIES.items():
        named = {key: token for key, token in [("bos_token", bos), ("eos_token", eos)] if token}
        fast = transformers.PreTrainedTokenizerFast(tokenizer_file=str(HERE / "tokenizer.json"), **named)
        fast.chat_template = template
        tokens = [len(fast.apply_chat_template(chat, tokenize=True, return_dict=False)) for chat in chats]
        families[name] = {"config": {**named, "chat_template": template}, "tokens": tokens}
    return {"conversations": chats, "families": families}


if __name__ == "__main__":
    if sys.argv[1:] == ["train"]:
        train()
    text = json.dumps(golden(), ensure_ascii=False, indent=1)
    (HERE / "golden.json").write_text(text + "\n", encoding="utf-8")
