"""COGITAO's models learn as they always did: the losses of a short training, written down once."""

from __future__ import annotations

from pathlib import Path

import pytest

from unseen.train import Devices, train

SMALL = {  # options, and the losses of training and out of distribution after four steps and after eight
    "resnet": ({}, (2.27927, 2.37828, 1.48722, 2.02614)),
    "vanilla-tf": ({"width": 32, "layers": 2}, (2.43329, 2.29706, 2.24313, 2.15799)),
    "grid-tf": ({"width": 32, "layers": 2}, (2.62583, 2.3932, 2.29393, 2.16353)),
    "pl-tf": ({"width": 32, "heads": 4, "steps": 2}, (2.65452, 2.4729, 2.40985, 2.29117)),
    "llada": ({"width": 32, "layers": 2, "hidden": 96, "steps": 4}, (2.40226, 2.35034, 2.33582, 2.25314)),
}


@pytest.mark.parametrize(
    "model", [pytest.param(name, marks=pytest.mark.slow if name in ("resnet", "llada") else ()) for name in SMALL]
)
def test_a_short_training_gives_the_numbers_that_it_always_gave(
    model: str, small_ood_task: str, tmp_path: Path
) -> None:
    options, losses = SMALL[model]
    changes = {"epochs": 2, "warmup": 4, "batch_size": 32}
    run = train(small_ood_task, model, options=options, changes=changes, seed=3, out=tmp_path, on=Devices("cpu"))
    found = [line.splits[split]["loss"] for line in run.log for split in ("train", "val_ood")]
    assert found == pytest.approx(losses, rel=1e-3)  # processors round differently
