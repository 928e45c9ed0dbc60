"""Packed rows train as their sequences do one by one: the same losses and gradients, for causal and masked models."""

import copy
import datetime
import json
import socket
import time

import numpy as np
import pytest
import torch
from conftest import items_of, recount, write_items

# More than the tokens of the lines for BERT: their [CLS], [SEP] and [MASK] are among these.
VOCABULARY = 110


class Tiny(torch.nn.Module):
    """A transformer of two layers. Who sees whom is what it is told, and nothing else."""

    def __init__(self, longest, width=32, heads=4):
        super().__init__()
        self.tokens = torch.nn.Embedding(VOCABULARY, width)
        self.positions = torch.nn.Embedding(longest, width)
        layer = torch.nn.TransformerEncoderLayer(width, heads, 64, dropout=0.0, batch_first=True)
        self.layers = torch.nn.TransformerEncoder(layer, 2)
        self.heads, self.out = heads, torch.nn.Linear(width, VOCABULARY)

    def forward(self, input_ids, position_ids, mask):
        x = self.tokens(input_ids) + self.positions(position_ids)
        return self.out(self.layers(x, mask=~mask.repeat_interleave(self.heads, 0)))


@pytest.fixture(params=[[], ["--align", "8"], ["--depth", "2"], ["--overlong", "split"]])
def trained(request, packscope):
    lengths = items_of("glue_rte", part=12)
    write_items(lengths, packscope.folder)
    limit = "96" if "split" in request.param else "296"
    settings = ["items.csv", "--limit", limit, *request.param]
    packscope.run("export", "plan", *settings, "--out", "plan.json")
    names = packscope.snippet("pytorch", *settings, "--batch", "16")
    random = np.random.default_rng(1)
    items = [random.integers(1, 100, n).tolist() for n in lengths]
    return names, items, lengths, json.loads((packscope.folder / "plan.json").read_text())


def test_every_token_is_in_its_place(trained):
    names, items, lengths, plan = trained
    packs = names["Packs"](items, lengths, plan)
    assert len(packs) == plan["figures"]["packs"]
    rows = packs.rows
    recount({**rows, "size": rows["length"]}, plan, lengths)
    slots = real = 0
    for batch in names["loader"](items, lengths):
        used = batch["sequence"] > 0
        slots, real = slots + used.numel(), real + int(used.sum())
        assert batch["cu_seqlens"][-1] == used.sum() and batch["cu_seqlens"].dtype == torch.int32
        assert batch["max_seqlen"] == batch["cu_seqlens"].diff().max()
        assert not batch["mask"].logical_and(batch["sequence"][:, :, None] != batch["sequence"][:, None]).any()
        starts = batch["position_ids"][used][batch["cu_seqlens"][:-1].long()]
        assert (starts == 0).all()
    figures = plan["figures"]
    assert (slots, real) == (figures["slots"][0], figures["real_tokens"][0])


def one_by_one(batch, causal):
    """Each sequence of a batch alone, as the textbook trains it: its tokens, who sees whom, and its labels."""
    for number in range(1, int(batch["sequence"].max()) + 1):
        row, slot = torch.nonzero(batch["sequence"] == number, as_tuple=True)
        ids, everyone = batch["input_ids"][row, slot], torch.ones(len(slot), len(slot), dtype=torch.bool)
        if causal:
            yield ids, everyone.tril(), torch.cat([ids[1:], torch.tensor([-100])])
        else:
            yield ids, everyone, batch["labels"][row, slot]


def trained_on(model, losses):
    """The losses, and the gradients of their mean."""
    model.zero_grad()
    losses.mean().backward()
    return torch.cat([losses.detach(), *(parameter.grad.flatten() for parameter in model.parameters())])


def difference(names, model, batch, causal):
    """The largest difference of losses and gradients between a packed batch and its sequences one by one."""
    logits = model(batch["input_ids"], batch["position_ids"], batch["mask"])
    packed = trained_on(model, names["loss_per_sequence"](logits, batch["labels"], batch["sequence"]))
    losses = []
    for ids, sees, labels in one_by_one(batch, causal):
        if (labels != -100).any():
            logits = model(ids[None], torch.arange(len(ids))[None], sees[None])[0]
            losses.append(torch.nn.functional.cross_entropy(logits, labels))
    alone = trained_on(model, torch.stack(losses))
    return (packed - alone).abs().max() if packed.shape == alone.shape else torch.inf


@pytest.fixture
def model(trained):
    torch.manual_seed(0)
    names, _, _, plan = trained
    names["VOCABULARY"] = VOCABULARY
    return Tiny(plan["limits"][0]).double()


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_losses_and_gradients_are_those_of_sequences_one_by_one(trained, model, kind):
    names, items, lengths, _ = trained
    for batch in list(names["loader"](items, lengths, names[kind]))[:3]:
        assert difference(names, model, batch, kind == "causal") < 1e-12


def test_accuracy_and_answers_are_those_of_sequences_one_by_one(trained, model):
    """P1, 3.2.3: a sequence counts once, in a share of labels that are right and in a loss with one answer a sequence."""
    names, items, lengths, _ = trained
    for batch in list(names["loader"](items, lengths, names["causal"]))[:3]:
        logits = model(batch["input_ids"], batch["position_ids"], batch["mask"])
        # A model that has half of the labels right.
        labels = torch.where(torch.rand(batch["labels"].shape) < 0.5, logits.argmax(-1), batch["labels"])
        labels[batch["labels"] == -100] = -100
        shares, firsts = [], []
        for number in range(1, int(batch["sequence"].max()) + 1):
            row, slot = torch.nonzero(batch["sequence"] == number, as_tuple=True)
            ids, sees = batch["input_ids"][row, slot], torch.ones(len(slot), len(slot), dtype=torch.bool).tril()
            alone = model(ids[None], torch.arange(len(ids))[None], sees[None])[0]
            firsts.append(alone[0])
            of = labels[row, slot]
            if (of != -100).any():
                shares.append((alone.argmax(-1) == of)[of != -100].double().mean())
        packed = names["accuracy_per_sequence"](logits, labels, batch["sequence"])
        assert torch.allclose(packed.double(), torch.stack(shares), atol=1e-6) and 0 < packed.mean() < 1
        assert (names["first_of_each"](logits, batch["sequence"]) - torch.stack(firsts)).abs().max() < 1e-12


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_another_mask_is_noticed(trained, model, kind):
    """A mask that lets a token see its own label, another sequence, or less than it may, fails the test above."""
    names, items, lengths, _ = trained
    packs = names["Packs"](items, lengths, trained[3])
    batch = names[kind]([packs[i] for i in range(len(packs)) if len(packs[i]) > 1][:4])
    right, same = batch["mask"], batch["sequence"][:, :, None] == batch["sequence"][:, None]
    every = torch.ones_like(right)
    others = {"causal": [same, every, every.tril()], "masked": [same.tril(), every, every.tril()]}[kind]
    for mask in others:
        assert difference(names, model, {**batch, "mask": mask}, kind == "causal") > 1e-3
    assert difference(names, model, batch, kind == "causal") < 1e-12
    # Nor do labels that run on into the next sequence pass.
    if kind == "causal":
        runs_on = torch.cat([batch["input_ids"][:, 1:], torch.full((len(right), 1), -100)], 1)
        runs_on[batch["sequence"] == 0] = -100
        assert difference(names, model, {**batch, "labels": runs_on}, True) > 1e-3


def test_kernels_without_padding_are_given_the_sequences(trained):
    """A varlen kernel attends within each piece of cu_seqlens and nowhere else: the pieces are the sequences."""
    names, items, lengths, _ = trained
    for batch in list(names["loader"](items, lengths))[:3]:
        used = batch["sequence"] > 0
        pieces = batch["cu_seqlens"].diff().tolist()
        packed = (batch[name][used].split(pieces) for name in ("input_ids", "position_ids", "labels"))
        alone = list(one_by_one(batch, True))
        assert len(pieces) == len(alone)
        for (ids, _, labels), piece, positions, next_ones in zip(alone, *packed):
            assert torch.equal(ids, piece) and torch.equal(labels, next_ones)
            assert torch.equal(positions, torch.arange(len(ids)))


@pytest.mark.parametrize("kind", ["causal", "masked"])
@pytest.mark.parametrize("trained", [[]], indirect=True)
def test_packed_rows_of_batches_train_likewise(trained, model, packscope, kind):
    _, items, lengths, _ = trained
    names = packscope.snippet("packed", "items.csv", "--limit", "296", "--batch", "16")
    names["VOCABULARY"] = VOCABULARY
    for batch in list(names["loader"](items, lengths, names[kind]))[:3]:
        assert difference(names, model, batch, kind == "causal") < 1e-12


def test_no_causal_label_is_in_sight(trained, model):
    """Another token from a place on changes nothing before it."""
    names, items, lengths, plan = trained
    packs = names["Packs"](items, lengths, plan)
    batch = names["causal"]([packs[0], packs[1]])
    ids = batch["input_ids"]
    for at in (1, ids.shape[1] // 2, ids.shape[1] - 1):
        changed = torch.cat([ids[:, :at], (ids[:, at:] + 1) % VOCABULARY], 1)
        before, after = (model(x, batch["position_ids"], batch["mask"])[:, :at] for x in (ids, changed))
        assert torch.equal(before, after)


def test_a_masked_batch_hides_as_bert_does(trained):
    names, items, lengths, plan = trained
    names["VOCABULARY"] = VOCABULARY
    items = [[101, *ids[1:-1], 102] if len(ids) > 2 else ids for ids in items]
    packs = names["Packs"](items, lengths, plan)
    packs = [packs[i] for i in range(len(packs))]
    torch.manual_seed(1)
    whole, batch = names["rows"](packs), names["masked"](packs)
    chosen = batch["labels"] != -100
    assert torch.equal(batch["labels"][chosen], whole["input_ids"][chosen])
    assert torch.equal(batch["input_ids"][~chosen], whole["input_ids"][~chosen])
    special = (whole["input_ids"] == 101) | (whole["input_ids"] == 102) | (whole["sequence"] == 0)
    assert not (chosen & special).any()
    inputs, labels = batch["input_ids"][chosen], batch["labels"][chosen]
    share = lambda some, of: float(some.sum() / of.sum())
    assert share(chosen, ~special) == pytest.approx(0.15, abs=0.02)
    assert share(inputs == 103, chosen) == pytest.approx(0.8, abs=0.04)
    assert share(inputs == labels, chosen) == pytest.approx(0.1, abs=0.03)


def test_epochs_have_every_pack_in_another_order(trained):
    names, items, lengths, plan = trained
    loader = names["loader"](items, lengths)
    assert len(loader) == -(-plan["figures"]["packs"] // names["ROWS"])
    first, second = ([batch["input_ids"] for batch in loader] for _ in range(2))
    rows = [sorted(map(tuple, torch.cat(epoch).tolist())) for epoch in (first, second)]
    assert rows[0] == rows[1]
    assert not torch.equal(torch.cat(first), torch.cat(second))


def test_optimiser(packscope):
    write_items(items_of("squad_1_1_bert_384"), packscope.folder)
    settings = ["items.csv", "--limit", "384"]
    figures = packscope.json("pack", *settings)
    names = packscope.snippet("optimiser", *settings, "--batch", "32", "--accelerators", "4", "--accumulation", "2")
    p, before = figures["packing_factor"], names["BEFORE"]
    assert (before["rows"], before["sequences"], before["betas"]) == (256, 256, (0.9, 0.999))
    assert before["updates"] == -(-figures["items"] // 256)
    same = names["SAME_SEQUENCES"]
    assert (same["sequences"], same["updates"], same["betas"]) == (256, before["updates"], (0.9, 0.999))
    assert same["rows"] == pytest.approx(256 / p, abs=0.005)
    rows = names["SAME_ROWS"]
    assert rows["betas"] == pytest.approx((0.9**p, 0.999**p), abs=1e-6)
    assert rows["updates"] == -(-figures["items"] // (256 * p))
    model = torch.nn.Linear(1, 1)
    group = names["optimizer"](model.parameters(), 1e-4).param_groups[0]
    # The same sequences in an update, unless told otherwise.
    assert (group["lr"], group["betas"]) == (1e-4, before["betas"])
    group = names["optimizer"](model.parameters(), 1e-4, names["SAME_ROWS"]).param_groups[0]
    assert group["betas"] == rows["betas"]


def after_updates(model, update, batches, names):
    """The parameters after two updates of the same batches."""
    copied = copy.deepcopy(model)
    optimizer = names["optimizer"](copied.parameters(), 1e-3)
    for _ in range(2):
        update(optimizer, copied, batches)
    return torch.cat([parameter.detach().flatten() for parameter in copied.parameters()])


def losses_of(names, model):
    """The losses of a packed batch, as the lines have them."""
    logits = lambda batch: model(batch["input_ids"], batch["position_ids"], batch["mask"])
    return lambda batch: names["loss_per_sequence"](logits(batch), batch["labels"], batch["sequence"])


def before_packing(optimizer, model, batches):
    """An update of the same sequences, each a row of its own, by the textbook."""
    optimizer.zero_grad()
    losses = []
    for batch in batches:
        for ids, sees, labels in one_by_one(batch, True):
            if (labels != -100).any():
                logits = model(ids[None], torch.arange(len(ids))[None], sees[None])[0]
                losses.append(torch.nn.functional.cross_entropy(logits, labels))
    torch.stack(losses).mean().backward()
    optimizer.step()


@pytest.fixture
def accumulated(trained, model, packscope):
    """The lines of the optimiser, batches of one update with different numbers of sequences, and the update before."""
    names, items, lengths, _ = trained
    text = packscope.text("optimiser", "items.csv", "--limit", "296")
    optimiser = {}
    exec(text, optimiser)
    # The last one is smaller.
    batches = list(names["loader"](items, lengths))[-4:]
    return optimiser, text, batches, after_updates(model, before_packing, batches, optimiser)


def test_an_update_after_packing_is_the_one_before(trained, model, accumulated):
    names, (optimiser, _, batches, before) = trained[0], accumulated
    packed = lambda optimizer, model, batches: optimiser["update"](optimizer, batches, losses_of(names, model))
    assert (after_updates(model, packed, batches, optimiser) - before).abs().max() < 1e-11

    # A mean of means is another update, unless all batches have as many sequences.
    def means(optimizer, model, batches):
        optimizer.zero_grad()
        for batch in batches:
            (losses_of(names, model)(batch).mean() / len(batches)).backward()
        optimizer.step()

    unequal = len({int(batch["sequence"].max()) for batch in batches}) > 1
    assert bool((after_updates(model, means, batches, optimiser) - before).abs().max() > 1e-6) == unequal


def work_of(rank, folder):
    """One of two accelerators: every second batch is its own."""
    meeting = {"init_method": f"file://{folder}/meeting", "rank": rank, "world_size": 2}
    torch.distributed.init_process_group("gloo", timeout=datetime.timedelta(minutes=4), **meeting)
    torch.distributed.all_reduce(torch.ones(1))
    (folder / f"{rank}.met").touch()
    # As a file: no memory is that of both processes, nor of the test.
    text, lines, model, batches = torch.load(folder / "given.pt", weights_only=False)
    names, optimiser = {"__name__": "lines"}, {}
    exec(lines, names)
    exec(text, optimiser)
    shared = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = optimiser["optimizer"](shared.parameters(), 1e-3)
    for _ in range(2):
        optimiser["update"](optimizer, batches[rank::2], losses_of(names, shared))
    after = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    torch.save(after, folder / f"{rank}.pt")
    torch.distributed.destroy_process_group()


def on_two(work, folder):
    """Runs the work in two processes that talk by loopback; skips the test where a machine lets no two do so."""
    processes = torch.multiprocessing.spawn(work, (folder,), nprocs=2, join=False)
    ends = time.monotonic() + 600
    try:
        while not processes.join(timeout=10):
            if time.monotonic() > ends:
                raise TimeoutError("two processes did not end within ten minutes")
    except Exception as error:
        if not all((folder / f"{rank}.met").exists() for rank in range(2)):
            pytest.skip(f"no two processes of gloo meet on this machine: {error}")
        raise
    finally:
        for process in processes.processes:
            process.kill()


@pytest.mark.parametrize("trained", [[]], indirect=True)
def test_accelerators_make_the_same_update(packscope, model, accumulated, monkeypatch):
    _, text, batches, before = accumulated
    # By itself gloo takes the address of the machine's name, which nobody may answer behind a firewall.
    loopback = [name for _, name in socket.if_nameindex() if name.startswith("lo")]
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", loopback[0])
    lines = packscope.text("pytorch", "items.csv", "--limit", "296", "--batch", "16")
    torch.save((text, lines, model, batches), packscope.folder / "given.pt")
    on_two(work_of, packscope.folder)
    for rank in range(2):
        assert (torch.load(packscope.folder / f"{rank}.pt") - before).abs().max() < 1e-11
