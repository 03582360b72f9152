"""VisualBERT's eye learns to name what it has never seen, and from its pixels alone."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import unseen  # noqa: E402
from unseen.train import Devices, train  # noqa: E402
from unseen.train.checkpoint import load_weights  # noqa: E402
from unseen.train.modules import make_model  # noqa: E402

TASK = "covr/custom+samples=1500+size=96"
OPTIONS = {"width": 128, "layers": 2, "dropout": 0}
SHORT = {
    **{"look.max_steps": 120, "look.batch_size": 12, "look.learning_rate": 2e-3, "look.warmup": 20},
    **{"look.eval_steps": 60, "read.max_steps": 1, "read.eval_steps": 1, "answer.max_steps": 1, "answer.eval_steps": 1},
    **{"eval_examples": 40, "eval_batch": 40},
}


@pytest.mark.slow
def test_an_eye_names_objects_of_new_images_and_nothing_of_blank_ones(tmp_path: Path) -> None:
    run = train(TASK, "visualbert", options=OPTIONS, changes=SHORT, out=tmp_path, on=Devices("cpu"))
    model = make_model("visualbert", unseen.task(TASK), OPTIONS, seed=0).eval()
    model.load_state_dict(load_weights(run.weights("look")))
    batch = next(iter(unseen.load(TASK, "val", symbols=True)[:40].torch(40)))
    with torch.no_grad():
        seen = model.look(batch)[1]["named"]
        blank = model.look({**batch, "input_images": torch.zeros_like(batch["input_images"])})[1]["named"]
    assert seen > 0.5  # all words of an object, of 112
    assert blank < 0.1
