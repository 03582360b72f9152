"""VisualBERT's eye learns to name what it has never seen, and with it questions are answered from pixels."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import unseen  # noqa: E402
from unseen.train import Devices, train  # noqa: E402
from unseen.train.checkpoint import load_weights  # noqa: E402
from unseen.train.interface import interface_of  # noqa: E402
from unseen.train.modules import make_model, shown_to  # noqa: E402

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


def share_right(model: Any, task: str, *, blank: bool = False) -> float:
    """The share of 200 test questions that a model answers right, or would of blank images."""
    answers, right = interface_of(shown_to("visualbert", unseen.task(task))).answers, 0
    for batch in unseen.load(task, "test", symbols=True)[:200].torch(40):
        shown = {**batch, "input_images": torch.zeros_like(batch["input_images"])} if blank else batch
        with torch.no_grad():
            chosen = model(shown).argmax(1).tolist()
        right += sum(answers[one] == true for one, true in zip(chosen, batch["target_answer"], strict=True))
    return right / 200


@pytest.mark.slow
def test_questions_are_answered_from_images(tmp_path: Path) -> None:
    sweep = tomllib.loads((files("unseen.benchmarks.covr") / "sweeps/small.toml").read_text())
    first, options = sweep["groups"], sweep["set"]
    task = f"{first['tasks']}+size={sweep['options']['size']}"
    run = train(task, first["models"], options=options, changes=first["recipe"], out=tmp_path, on=Devices("cpu"))
    model = make_model(first["models"], unseen.task(task), options, seed=0).eval()
    model.load_state_dict(load_weights(run.weights("answer")))
    seen = share_right(model, task)
    assert seen > 0.45  # text alone: 0.41
    assert seen > share_right(model, task, blank=True) + 0.07
