"""COGITAO's models learn as they always did: the losses of a short training, written down once."""

from __future__ import annotations

from pathlib import Path

import pytest

from unseen.train import Devices, train

SMALL = {  # options, and the losses of training and out of distribution after four steps and after eight
    "resnet": ({}, (1.73124, 1.76058, 0.4808, 0.68966)),
    "vanilla-tf": ({"width": 32, "layers": 2}, (1.95793, 1.33075, 1.14876, 0.97997)),
    "grid-tf": ({"width": 32, "layers": 2}, (3.20192, 2.47804, 2.27986, 2.04798)),
    "pl-tf": ({"width": 32, "heads": 4, "steps": 2}, (2.79544, 2.34357, 2.13813, 1.92041)),
    "llada": ({"width": 32, "layers": 2, "hidden": 96, "steps": 4}, (1.90919, 1.57345, 1.51583, 1.37031)),
}


@pytest.mark.parametrize("model", [pytest.param("resnet", marks=pytest.mark.slow), *list(SMALL)[1:]])
def test_a_short_training_gives_the_numbers_that_it_always_gave(
    model: str, small_ood_task: str, tmp_path: Path
) -> None:
    options, losses = SMALL[model]
    changes = {"epochs": 2, "warmup": 4, "batch_size": 32}
    run = train(small_ood_task, model, options=options, changes=changes, seed=3, out=tmp_path, on=Devices("cpu"))
    found = [line.splits[split]["loss"] for line in run.log for split in ("train", "val_ood")]
    assert found == pytest.approx(losses, rel=1e-3)  # processors round differently
