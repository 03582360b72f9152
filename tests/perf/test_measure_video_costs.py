"""What is measured against the models of videos is the same models, written down plainly."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import unseen  # noqa: E402
from unseen.models import MODELS, Videos  # noqa: E402

FILE = Path(__file__).parents[2] / "perf" / "measure_video_costs.py"
FEW = Videos(side=32, frames=2, slots=2)


@pytest.fixture(scope="module")
def costs():
    spec = importlib.util.spec_from_file_location("measure_video_costs", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["monet", "vimon", "savi", "iodine", "op3"])
def test_written_plainly_a_model_comes_to_the_same_loss_slot_by_slot(name, costs):
    videos = unseen.load("video/custom", "train", frames=2, size=32, objects=(2, 2))[:1]
    batch = next(iter(videos.torch(1)))
    losses, turns = [], []
    for plain in (False, True):
        torch.manual_seed(0)
        model = MODELS[name](FEW).eval()
        if plain:
            costs.write_plainly(model)
            turns = [part for part in model.modules() if isinstance(part, costs.InTurn | costs.PlainDecoder)]
        torch.manual_seed(1)
        losses.append(float(model.loss(batch)[0].detach()))
    assert turns
    assert losses[0] == pytest.approx(losses[1], rel=1e-3)


def test_the_table_has_the_columns_of_the_published_one(costs):
    rows = [costs.line(cost) for cost in costs.published()]
    assert all(len(row) == len(costs.COLUMNS) for row in rows)
    assert rows[0] == ("vimon", "64", "714,900", "18", "10,860", "3,687", "6.63", "910", "0.28", "4 min 39 s", "", "")


@pytest.mark.parametrize("name", ["monet", "savi"])
def test_what_paints_slots_can_be_measured_by_itself_in_both_ways(name, costs, monkeypatch):
    for constant, value in {"SIDE": 32, "FRAMES": 2, "VMDS": FEW, "TRIES": 1}.items():
        monkeypatch.setattr(costs, constant, value)
    assert {work: costs.WORKS[work](name)["seconds"] > 0 for work in ("paint", "paint plainly")} == {
        "paint": True,
        "paint plainly": True,
    }
