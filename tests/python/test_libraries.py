"""The packing of training libraries, run by their own code: the same rows, tokens and cuts as ours."""

from functools import cache

import numpy as np
import pytest
from conftest import ROOT, items_of
from libraries import EXECUTED, RUNS, TWINS
from libraries.loading import path_of

# More sequences than a window of 1,000; with ShareGPT, one in four is above the limit. Ties: one more than a window,
# of few lengths, so that rows are exactly full and equally full, a third above the limit.
DATA = {
    "squad": ("squad_1_1_bert_384", 1_050, 384),
    "gsm8k": ("gsm8k_train", 1_050, 512),
    "sharegpt": ("sharegpt_8k_llama2", 300, 4096),
    "ties": (None, 1_001, 64),
}
ORDERS = ("seed 1", "seed 2", "ascending")
GRAPHS = {"pyg", "jraph", "tf-gnn", "tf-gnn-tight", "tf-gnn-dynamic"}
BATCHES = {"espnet", "fairseq", "lhotse", "nemo-speech", "speechbrain", "transformers-group-by-length"}
# Rows, or batches, that can be above what they are to hold: as coded; and data where they are.
OVERSHOOT = {"openrlhf": "gsm8k", "slime": "sharegpt", "espnet": "sharegpt", "lhotse": "sharegpt"}


@cache
def data(name, order):
    """A part of a built-in set in an order, and its limit."""
    file, count, limit = DATA[name]
    lengths = items_of(file)[:count] if file else np.random.default_rng(0).integers(2, 97, count)
    if order == "ascending":
        lengths = np.sort(lengths)
    else:
        lengths = np.random.default_rng(int(order.split()[1])).permutation(lengths)
    return lengths.tolist(), limit


def limit_of(library, limit):
    """The limit, or the power of two above it where a library takes no other."""
    return 1 << (limit - 1).bit_length() if library.powers_of_two else limit


LIBRARIES = {id: library for id, library in {**EXECUTED, **TWINS}.items() if id not in GRAPHS}
CASES = [
    pytest.param(library, settings, id="-".join([id, *map(str, settings.values())]))
    for id, library in LIBRARIES.items()
    for settings in library.settings
]


@pytest.mark.parametrize("library", EXECUTED.values(), ids=EXECUTED)
def test_the_code_is_the_librarys(library):
    """The file that is named is installed, and has what is named."""
    file, _, names = library.source.partition(": ")
    text = path_of(library.package, file).read_text()
    for name in names.split(", "):
        assert name.rpartition(".")[2] in text, name


@pytest.mark.parametrize("library", [*EXECUTED.values(), *TWINS.values()], ids=[*EXECUTED, *TWINS])
def test_the_table_has_it(library):
    """The README has a row for it, with the version that is installed and the code that is executed."""
    version = "twin" if library.twin else library.version
    source = f"{library.package}: {library.source}" if library.twin else library.source
    assert f"| {library.id} | {version} | {source} |" in (ROOT / "tests/python/README.md").read_text()


def capacity_of(library, settings, limit):
    """Slots of a row; of a batch, those of eight of the longest."""
    if library.id in BATCHES:
        return settings.get("per_device_train_batch_size", 8) * limit
    if library.id in ("nanochat", "litgpt"):
        return limit + 1
    times = ("micro_batch_size", "local_batch_size", "device_train_microbatch_size")
    return limit * max([settings[name] for name in times if name in settings], default=1)


@pytest.mark.parametrize(("library", "settings"), CASES)
def test_every_token_is_accounted_for(library, settings):
    lengths, limit = data("sharegpt", "seed 1")
    limit = limit_of(library, limit)
    run = library.run(list(lengths), limit, **settings)
    figures = run.figures
    assert figures["real_tokens"] + figures["truncated_tokens"] + figures["dropped_tokens"] == sum(run.lengths)
    assert figures["rows"] > 0 and all(run.rows)
    if run.arrival is not None:
        assert sorted(run.arrival) == list(range(len(lengths)))
    if library.id not in OVERSHOOT:
        assert max(sum(size for _, size in row) for row in run.rows) <= capacity_of(library, settings, limit)


@pytest.mark.parametrize("id", OVERSHOOT)
def test_rows_can_hold_more_than_they_are_to(id):
    """OpenRLHF counts micro-batches, and then balances them without a limit; slime trains what is longer alone; ESPnet closes a batch when it is too
    large, lhotse before it would be with another cut as long as its longest, which the last one can exceed."""
    library = LIBRARIES[id]
    lengths, limit = data(OVERSHOOT[id], "seed 1")
    run = library.run(list(lengths), limit)
    slots = [sum(size for _, size in row) for row in run.rows]
    if id in BATCHES:
        slots = [len(row) * max(size for _, size in row) for row in run.rows]
    assert max(slots) > capacity_of(library, {}, limit)


class Shuffled:
    """A sampler that shuffles anew each time, as torch's does."""

    def __init__(self, size, seed):
        self.size, self.random = size, np.random.default_rng(seed)

    def __len__(self):
        return self.size

    def __iter__(self):
        return iter(self.random.permutation(self.size).tolist())


def test_axolotl_does_not_train_rows_beyond_its_trials(packscope, monkeypatch):
    """As its trainer constructs the sampler, on one rank and on four: what an epoch leaves out on average is what ours
    counts, to a twentieth of a point."""
    from libraries.sft import multipack

    lengths, limit = data("gsm8k", "seed 1")
    lengths = [min(n, limit) for n in lengths]
    (packscope.folder / "few.csv").write_text("length\n" + "\n".join(map(str, lengths)) + "\n")
    for ranks, seeds in (("1", 200), ("4", 10)):
        monkeypatch.setenv("WORLD_SIZE", ranks)
        lost = []
        for seed in range(seeds):
            sampler = multipack().MultipackBatchSampler(
                Shuffled(len(lengths), seed), batch_size=1, batch_max_len=limit, lengths=lengths, bin_size=200
            )
            steps = len(sampler)
            sampler.set_epoch(1)
            rows = [row for batch in sampler for row in batch]
            assert len(rows) <= steps
            lost.append(1 - sum(lengths[i] for row in rows for i in row) / sum(lengths))
        ours = packscope.json(
            "trainer", "few.csv", "--limit", limit, "--library", "axolotl", "--packing", f"--set=WORLD_SIZE={ranks}", "--seeds", 1000
        )["answer"]["figures"]["dropped_share"]
        if ranks == "1":
            assert np.mean(lost) > 0.001 and abs(ours - np.mean(lost)) < 0.0005, (ours, np.mean(lost))
        else:
            assert ours == 0


def test_a_later_binpacking_packs_otherwise():
    """ms-swift pins no version: until 1.5.2 the fullest row took a sequence, since 2.0 the emptiest does."""
    now, before = (RUNS[id](*data("gsm8k", "seed 1")) for id in ("ms-swift", "ms-swift-binpacking-1"))
    assert now.figures["real_tokens"] == before.figures["real_tokens"]
    assert now.packs != before.packs


def test_packing_that_is_set_takes_a_token():
    """LLaMA-Factory takes one off `cutoff_len` where `packing` is set; for pre-training it sets that itself later."""
    lengths, limit = data("gsm8k", "seed 1")
    rows = {packing: RUNS["llama-factory-pretraining"](lengths, limit, packing).rows for packing in (True, None)}
    assert {sum(size for _, size in row) for row in rows[True]} == {limit - 1}
    assert {sum(size for _, size in row) for row in rows[None]} == {limit}


def test_pyg_repeats_graphs_where_it_skips():
    """A graph that is skipped is not counted, so that the next batch begins one too early."""
    assert RUNS["pyg"]([3, 9, 2, 2, 3], 5) == [[0], [1], [2, 3], [4]]
    assert RUNS["pyg"]([9, 3, 2, 3], 5, skip_too_big=True) == [[1, 2], [2, 3]]
    assert RUNS["pyg"]([3, 9, 2, 2], 5, skip_too_big=True) == [[0], [2, 3], [3]]


def test_jraph_is_next_fit():
    """A node and a graph of each batch are left for padding."""
    sizes = items_of("ogbg_molhiv", part=200)[:300]
    made = RUNS["jraph"](sizes, (223, 502, 9))
    batches, used = [[]], np.zeros(2, int)
    for i, size in enumerate(sizes):
        if batches[-1] and ((used + size > (222, 502)).any() or len(batches[-1]) == 8):
            batches.append([])
            used[:] = 0
        batches[-1].append(i)
        used += size
    assert made == batches


# The names of `packscope trainer`, and settings of its own that give what is run.
OURS = {
    "trl": ("trl", {}),
    "axolotl": ("axolotl", {}),
    "torchtune": ("torchtune", {}),
    # What is run truncates nothing where it splits.
    "torchtune-split": ("torchtune", {"split_across_pack": True, "tokenizer.max_seq_len": "none"}),
    "llama-factory": ("llama-factory", {}),
    "llama-factory-pretraining": ("llama-factory", {"stage": "pt"}),
    "ms-swift": ("ms-swift", {}),
    "ms-swift-streaming": ("ms-swift", {"streaming": True}),
    "ms-swift-binpacking-1": ("ms-swift", {"binpacking": "<2.0"}),
    "llm-foundry": ("llm-foundry", {}),
    "nemo": ("nemo", {}),
    "nemo-automodel-neat": ("nemo-automodel", {"packing_strategy": "neat"}),
    "nemo-automodel": ("nemo-automodel", {"packing_strategy": "thd"}),
    "nemo-rl": ("nemo-rl", {}),
    "megatron-lm": ("megatron-lm", {}),
    "nanotron": ("nanotron", {}),
    "nanochat": ("nanochat", {}),
    "olmo-packed": ("olmo-packed", {}),
    "olmo-vsl": ("olmo-vsl", {}),
    "grain": ("grain", {}),
    "grain-concatenated": ("grain", {"transformation": "ConcatThenSplitIterDataset"}),
    "maxtext": ("maxtext", {"dataset_type": "grain", "devices_per_host": 1}),
    "maxtext-tfds": ("maxtext", {}),
    "torchtitan": ("torchtitan-main", {}),
    "torchtitan-text": ("torchtitan", {"dataloader": "HuggingFaceTextDataLoader"}),
    "torchtitan-chat": ("torchtitan", {}),
    "seqio": ("seqio", {}),
    "modernbert": ("modernbert", {}),
    "verl": ("verl", {}),
    "openrlhf": ("openrlhf", {}),
    "slime": ("slime", {}),
    "open-instruct": ("open-instruct", {"command": "grpo_fast"}),
    "litgpt": ("litgpt", {"command": "pretrain"}),
    "oumi": ("oumi", {}),
    "xtuner": ("xtuner", {}),
    "hf-flattening": ("hf-flattening", {}),
}
NOT_SIMULATED = {"max_packs"}
COMPARED = (
    "rows",
    "real_tokens",
    "truncated_tokens",
    "dropped_tokens",
    "truncated_sequences",
    "dropped_sequences",
    "cut_sequences",
    "pieces",
    "most",
)
# Where rows are left over, a sequence that was truncated before is dropped: only together are these the same.
LEFT_OVER = {"llm-foundry", "maxtext-tfds", "modernbert"}


def ours(packscope, library, settings, run, limit):
    """The command's answer for the same sequences in the order in which the library saw them."""
    (packscope.folder / "order.csv").write_text("length\n" + "\n".join(map(str, run.ordered)) + "\n")
    name, more = OURS[library.id]
    flags = [f"--set={key}={str(of).lower() if of is None or isinstance(of, bool) else of}" for key, of in {**more, **settings}.items()]
    return packscope.json(
        "trainer", "order.csv", "--limit", limit, "--library", name, "--packing", *flags, "--order", "file", "--packs"
    )["answer"]


# Packs by another library that is run: TRL.
NOT_RUN = {"unsloth"}


def test_every_library_of_ours_is_run(packscope):
    (packscope.folder / "order.csv").write_text("length\n9\n12\n")
    answers = packscope.json("trainer", "order.csv", "--limit", 16)["answers"]
    assert {answer["library"] for answer in answers} == {name for name, _ in OURS.values()} | NOT_RUN


@pytest.mark.parametrize(
    ("library", "settings"),
    [case for case in CASES if case.values[0].id in OURS and not NOT_SIMULATED & case.values[1].keys()],
)
def test_ours_is_the_same(packscope, library, settings):
    for name in DATA:
        for order in ORDERS:
            lengths, limit = data(name, order)
            limit = limit_of(library, limit)
            if library.id == "olmo-vsl" and settings.get("min_sequence_length", 256) >= limit:
                continue
            run = library.run(list(lengths), limit, **settings)
            answer = ours(packscope, library, settings, run, limit)
            assert answer["refused"] is None
            theirs, figures = run.figures, answer["runs"][0]
            if library.id in LEFT_OVER:
                for side in (theirs, figures):
                    side["truncated_tokens"] += side.pop("dropped_tokens")
                    del side["truncated_sequences"]
            if library.id == "olmo-vsl":
                # Ours counts a row for as many tokens as the limit has.
                theirs["rows"] = -(-theirs["real_tokens"] // limit)
            align = settings.get("pad_to_multiple_of", settings.get("pad_seq_to_mult", 1))
            where = f"{name}, {order}, limit {limit}"
            assert {key: figures[key] for key in COMPARED if key in figures and key in theirs} == {
                key: theirs[key] for key in COMPARED if key in theirs
            }, where
            # Ours lists slots.
            slots = sorted(sorted(-(-size // align) * align for size in row) for row in run.packs)
            assert sorted(map(sorted, answer["packs"])) == slots, where


# Changes that are run by another function, and what sequences are before it.
INSTEAD = {
    ("nemo-automodel", "packing_strategy", "neat"): "nemo-automodel-neat",
    ("maxtext-tfds", "dataset_type", "grain"): "maxtext",
    ("grain", "transformation", "ConcatThenSplitIterDataset"): "grain-concatenated",
}
# At least so many changes are advised on three sets in two orders, and measured.
GAINS = {
    "trl": 2,
    "axolotl": 2,
    "ms-swift": 2,
    "llm-foundry": 2,
    "nemo-automodel": 6,
    "grain": 2,
    "torchtitan": 6,
    "olmo-packed": 2,
    "olmo-vsl": 2,
    "maxtext-tfds": 2,
    "xtuner": 6,
    "llama-factory": 0,
}


def cost(library, run, lengths, limit, padded):
    """Share of the tokens that is lost, and slots that are computed for each that is not."""
    figures = run.figures
    # Batches of OLMo-core's variable lengths are full of tokens.
    padded = padded and library.id != "olmo-vsl"
    slots = figures["rows"] * limit if padded else figures["real_tokens"]
    lost = 1 - figures["real_tokens"] / sum(lengths)
    return lost, slots / figures["real_tokens"]


def changed(library, lengths, limit, setting, value):
    """The library's own run with a setting changed."""
    if setting == "truncation" or library.id == "torchtune":
        lengths = [min(n, limit) for n in lengths]
    other = INSTEAD.get((library.id, setting, value))
    if other or setting == "truncation":
        more = {"per_device_batch_size": 48} if other == "maxtext" else {}
        return RUNS[other or library.id](list(lengths), limit, **more)
    typed = value if not value.replace(".", "").isdigit() else float(value) if "." in value else int(value)
    return library.run(list(lengths), limit, **{setting: {"true": True, "false": False}.get(value, typed)})


@pytest.mark.parametrize(("id", "advised"), GAINS.items())
def test_what_is_promised_is_gained(packscope, id, advised):
    """The change that is advised gives, with the library's own code, the tokens and slots that were promised: within a
    tenth of a point."""
    library, (name, more) = LIBRARIES[id], OURS[id]
    measured = 0
    for set_name in ("squad", "gsm8k", "sharegpt"):
        for order in ("seed 1", "seed 2"):
            lengths, limit = data(set_name, order)
            limit = limit_of(library, limit)
            (packscope.folder / "order.csv").write_text("length\n" + "\n".join(map(str, lengths)) + "\n")
            flags = [f"--set={key}={value}" for key, value in more.items()]
            ask = ["trainer", "order.csv", "--limit", limit, "--library", name, "--packing", "--order", "file", *flags]
            now = packscope.json(*ask)["answer"]
            advice = now["advice"]
            if not advice["setting"]:
                continue
            setting, value = advice["setting"], advice["value"]
            then = packscope.json(*ask, f"--set={setting}={value}")["answer"]
            before, after = library.run(list(lengths), limit), changed(library, lengths, limit, setting, value)
            # What is truncated before it comes to the library is lost, too.
            whole = lengths if setting == "truncation" or id == "torchtune" else after.lengths
            lost, slots = cost(library, before, before.lengths, limit, now["padded"])
            lost_then, slots_then = cost(library, after, whole, limit, then["padded"])
            about = f"{set_name}, {order}: {setting}={value}: {advice['sentence']}"
            assert abs(advice["regained_share"] - (lost - lost_then)) <= 0.001, about
            assert abs(advice["saved_share"] - (1 - slots_then / slots)) <= 0.001, about
            measured += 1
    assert measured >= advised
