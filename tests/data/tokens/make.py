"""Makes the data of the tests of token counts: cuts the texts, trains the tokenizers, counts the golden lengths.

    apt-get download dict-devil dict-jargon bible-kjv bible-kjv-text      # Debian 12
    for deb in *.deb; do dpkg-deb -x $deb unpacked; done
    python make.py cut unpacked
    pip install tokenizers==0.23.3
    python make.py train
    python make.py golden

The tokenizers differ a little from run to run (ties in training are broken by hash order), so that `train` is only
for when they shall change; `golden` always gives the same.
"""

import base64
import csv
import gzip
import json
import re
import string
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZE = 100_000
FAMILIES = ["wordpiece", "byte-bpe", "unigram"]


def entries(folder, name, encoding):
    """The entries of a dictionary in the format of dictd: (headword, text), in the order of the text."""
    digits = {c: i for i, c in enumerate(string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/")}
    number = lambda text: sum(digits[c] * 64**i for i, c in enumerate(reversed(text)))
    base = folder / "usr/share/dictd" / name
    text = gzip.decompress(base.with_suffix(".dict.dz").read_bytes())
    places = set()
    for line in base.with_suffix(".index").read_text(encoding="utf-8", errors="replace").splitlines():
        head, at, length = line.split("\t")[:3]
        if not head.startswith("00"):
            places.add((number(at), number(length)))
    return [text[at : at + length].decode(encoding, "replace") for at, length in sorted(places)]


def cut(folder):
    """The three texts."""
    run = ["usr/bin/bible", "-f", "-l", "100000"]
    command = [str((folder / run[0]).resolve()), *run[1:]]
    verses = []
    for book in ["eccl1:1-12:14", "ruth1:1-4:22", "jonah1:1-4:11"]:
        out = subprocess.run([*command, book], cwd=folder / "usr/lib", capture_output=True, text=True, stdin=subprocess.DEVNULL)
        verses += [line.split(" ", 1)[1] for line in out.stdout.splitlines() if re.match(r"\w+:\d+ ", line)]
    (HERE / "verses.txt").write_text("".join(f"{verse.strip()}\n" for verse in verses), encoding="utf-8")

    size, rows = 0, []
    for text in entries(folder, "devil", "latin-1"):
        found = re.match(r"\s*([A-Z][A-Z' \-]+), ([a-z.]+)\s+(.*)", text, re.S)
        if found and size < SIZE:
            term, part, definition = found.groups()
            definition = "\n".join(line.rstrip() for line in definition.strip().splitlines())
            rows.append(json.dumps({"term": term, "part": part, "definition": definition}, ensure_ascii=False))
            size += len(rows[-1].encode()) + 1
    (HERE / "devil.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")

    size = 0
    with open(HERE / "jargon.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["term", "grammar", "definition"])
        for text in entries(folder, "jargon", "utf-8"):
            term, grammar, definition = (text.strip() + "\n\n").split("\n", 2)
            definition = "\n".join(line.strip() for line in definition.strip().splitlines())
            if definition and size < SIZE:
                table.writerow([term, grammar.strip(), definition])
                size += len(f"{term}{grammar}{definition}".encode())


def records():
    """(name, texts, pairs) of each dataset: what is encoded."""
    # As Python reads text: every line break becomes \n.
    lines = (HERE / "verses.txt").read_text(encoding="utf-8").splitlines()
    yield "verses.txt", lines, None
    rows = [json.loads(line) for line in open(HERE / "devil.jsonl", encoding="utf-8")]
    yield "devil.jsonl", [f"{r['term']}\n{r['definition']}" for r in rows], [(r["term"], r["definition"]) for r in rows]
    rows = list(csv.DictReader(open(HERE / "jargon.csv", encoding="utf-8", newline="")))
    yield "jargon.csv", [f"{r['term']}: {r['definition']}" for r in rows], [(r["term"], r["definition"]) for r in rows]
    rows = [json.loads(line) for line in open(HERE / "odd.jsonl", encoding="utf-8")]
    yield "odd.jsonl", [r["text"] for r in rows], [(r["text"], r["text"]) for r in rows]


def train():
    """A tokenizer of each family, built as those of BERT, RoBERTa (byte-level BPE as in GPT-2) and T5 are."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    texts = [text for name, texts, _ in records() if name != "odd.jsonl" for text in texts]

    bert = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    bert.normalizer = normalizers.BertNormalizer()
    bert.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    bert.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    bert.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=4000, special_tokens=special, show_progress=False))
    cls, sep = (bert.token_to_id(t) for t in ("[CLS]", "[SEP]"))
    bert.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", special_tokens=[("[CLS]", cls), ("[SEP]", sep)]
    )
    # As the files of sentence-transformers have it: both must not change a length.
    bert.enable_truncation(max_length=128)
    bert.enable_padding(length=128, pad_token="[PAD]")
    bert.save(str(HERE / "wordpiece.json"), pretty=False)

    gpt = Tokenizer(models.BPE())
    gpt.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    gpt.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True, special=True)]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    gpt.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=4000, special_tokens=special, initial_alphabet=alphabet, show_progress=False))
    ends = [(t, gpt.token_to_id(t)) for t in ("</s>", "<s>")]
    gpt.post_processor = processors.RobertaProcessing(*ends, add_prefix_space=False)
    gpt.save(str(HERE / "byte-bpe.json"), pretty=False)

    t5 = Tokenizer(models.Unigram())
    t5.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    t5.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    t5.decoder = decoders.Metaspace(prepend_scheme="always")
    special = ["<pad>", "</s>", "<unk>", "<extra_id_0>", "<extra_id_1>"]
    t5.train_from_iterator(texts, trainers.UnigramTrainer(vocab_size=4000, special_tokens=special, unk_token="<unk>", show_progress=False))
    end = ("</s>", t5.token_to_id("</s>"))
    t5.post_processor = processors.TemplateProcessing(single="$A </s>", pair="$A </s> $B </s>", special_tokens=[end])
    t5.save(str(HERE / "unigram.json"), pretty=False)


def golden():
    """Lengths by dataset and tokenizer: of single texts and of pairs, without and with special tokens."""
    import tokenizers

    counts = {}
    for name, texts, pairs in records():
        for family in FAMILIES:
            tokenizer = tokenizers.Tokenizer.from_file(str(HERE / f"{family}.json"))
            tokenizer.no_truncation()
            tokenizer.no_padding()
            lengths = lambda inputs, special: [len(tokenizer.encode(*i, add_special_tokens=special).ids) for i in inputs]
            single = [(text,) for text in texts]
            found = {"plain": lengths(single, False), "special": lengths(single, True)}
            if pairs:
                found |= {"pair_plain": lengths(pairs, False), "pair_special": lengths(pairs, True)}
            counts.setdefault(name, {})[family] = found
    out = {"tokenizers": tokenizers.__version__, "counts": counts}
    text = json.dumps(out, indent=1)
    text = re.sub(r"\[\s+([\d,\s]+?)\s+\]", lambda m: "[" + re.sub(r"\s+", "", m[1]) + "]", text)
    (HERE / "golden.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["cut", folder]:
            cut(Path(folder))
        case ["train"]:
            train()
        case ["golden"]:
            golden()
        case _:
            sys.exit(__doc__)
