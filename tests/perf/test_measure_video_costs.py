"""What is measured against the models of videos is the same models, written down plainly."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import unseen  # noqa: E402
from unseen.models import MODELS, Videos  # noqa: E402

FEW = Videos(side=32, frames=2, slots=2)


@pytest.mark.parametrize("name", ["monet", "vimon", "savi", "iodine", "op3"])
def test_written_plainly_a_model_comes_to_the_same_loss_slot_by_slot(name, script):
    videos = unseen.load("video/custom", "train", frames=2, size=32, objects=(2, 2))[:1]
    batch = next(iter(videos.torch(1)))
    losses, turns = [], []
    for plain in (False, True):
        torch.manual_seed(0)
        model = MODELS[name](FEW).eval()
        if plain:
            script.write_plainly(model)
            turns = [part for part in model.modules() if isinstance(part, script.InTurn) or "spread" in vars(part)]
        torch.manual_seed(1)
        losses.append(float(model.loss(batch)[0].detach()))
    assert turns
    assert losses[0] == pytest.approx(losses[1], rel=1e-3)


def test_the_table_has_the_columns_of_the_published_one(script):
    rows = [script.line(cost) for cost in script.published()]
    assert all(len(row) == len(script.COLUMNS) for row in rows)
    assert rows[0] == ("vimon", "64", "714,900", "18", "10,860", "3,687", "6.63", "910", "0.28", "4 min 39 s", "", "")


@pytest.mark.parametrize("name", ["monet", "savi"])
def test_what_paints_slots_can_be_measured_by_itself_in_both_ways(name, script, monkeypatch):
    for constant, value in {"SIDE": 32, "FRAMES": 2, "VMDS": FEW, "TRIES": 1, "SHORT": 0}.items():
        monkeypatch.setattr(script, constant, value)
    assert script.WORKS["paint"](name)["times"] > 0
