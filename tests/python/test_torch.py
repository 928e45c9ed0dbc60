"""Packed rows train as padded ones do: the same losses, sequence by sequence."""

import json

import numpy as np
import pytest
import torch
from conftest import items_of, recount, write_items

VOCABULARY = 50


class Tiny(torch.nn.Module):
    """A causal transformer of two layers that takes positions and a mask."""

    def __init__(self, longest, width=32, heads=4):
        super().__init__()
        self.tokens = torch.nn.Embedding(VOCABULARY, width)
        self.positions = torch.nn.Embedding(longest, width)
        layer = torch.nn.TransformerEncoderLayer(width, heads, 64, dropout=0.0, batch_first=True)
        self.layers = torch.nn.TransformerEncoder(layer, 2)
        self.heads, self.out = heads, torch.nn.Linear(width, VOCABULARY)

    def forward(self, input_ids, position_ids, mask):
        causal = torch.ones(mask.shape[-2:], dtype=torch.bool).tril()
        blocked = ~(mask & causal)
        x = self.tokens(input_ids) + self.positions(position_ids)
        return self.out(self.layers(x, mask=blocked.repeat_interleave(self.heads, 0)))


@pytest.fixture(params=[[], ["--align", "8"], ["--depth", "2"], ["--overlong", "split"]])
def trained(request, packscope):
    lengths = items_of("glue_rte", part=12)
    write_items(lengths, packscope.folder)
    limit = "96" if "split" in request.param else "296"
    settings = ["items.csv", "--limit", limit, *request.param]
    packscope.run("export", "plan", *settings, "--out", "plan.json")
    names = packscope.snippet("pytorch", *settings, "--batch", "16")
    random = np.random.default_rng(1)
    items = [random.integers(1, VOCABULARY, n).tolist() for n in lengths]
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
        assert not batch["mask"][:, :, :].logical_and(batch["sequence"][:, :, None] != batch["sequence"][:, None]).any()
        starts = batch["position_ids"][used][batch["cu_seqlens"][:-1].long()]
        assert (starts == 0).all()
    figures = plan["figures"]
    assert (slots, real) == (figures["slots"][0], figures["real_tokens"][0])


def test_losses_are_those_of_padded_rows(trained):
    names, items, lengths, plan = trained
    torch.manual_seed(0)
    model = Tiny(plan["limits"][0]).double().eval()
    packs = names["Packs"](items, lengths, plan)
    for first in range(0, min(len(packs), 24), 8):
        together = [packs[i] for i in range(first, min(first + 8, len(packs)))]
        # Of a single token there is no next one to learn.
        pieces = [ids for pack in together for _, ids in pack if len(ids) > 1]
        loss = []
        for chosen in (together, [[(0, ids)] for ids in pieces]):
            batch = names["collate"](chosen)
            logits = model(batch["input_ids"], batch["position_ids"], batch["mask"])
            loss.append(names["loss_per_sequence"](logits, batch["labels"], batch["sequence"]))
        assert loss[0].shape == (len(pieces),)
        assert torch.allclose(loss[0], loss[1], atol=1e-5, rtol=0)


def test_without_the_mask_losses_are_others(trained):
    names, items, lengths, plan = trained
    torch.manual_seed(0)
    model = Tiny(plan["limits"][0]).double().eval()
    packs = names["Packs"](items, lengths, plan)
    deep = [packs[i] for i in range(len(packs)) if len(packs[i]) > 1][:4]
    batch = names["collate"](deep)
    losses = [
        names["loss_per_sequence"](model(batch["input_ids"], batch["position_ids"], mask), batch["labels"], batch["sequence"])
        for mask in (batch["mask"], torch.ones_like(batch["mask"]))
    ]
    assert (losses[0] - losses[1]).abs().max() > 1e-3


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
