"""Every kind of task is trained, answered and scored in the same way."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from unseen.core.errors import DataError, SpecError  # noqa: E402
from unseen.models import MODELS  # noqa: E402
from unseen.predict.trained import predict  # noqa: E402
from unseen.results.scoring import score  # noqa: E402
from unseen.runs import folder_of, open_run  # noqa: E402
from unseen.runs.state import read_state  # noqa: E402
from unseen.train import Devices, Recipe, train  # noqa: E402
from unseen.train.checkpoint import load_weights  # noqa: E402
from unseen.train.loss import Learner  # noqa: E402

TASKS = {  # small ones of each kind, and the tiny model of that kind
    "grid": ("cogitao/custom+grid=5-7+max_size=3+objects=1+samples=40+sequences=translate_up", "Tiny"),
    "odd": ("cvr/custom+rules=inside,shape+samples=20+size=16", "TinyOdd"),
    "image": ("svib/custom+samples=40+size=16", "TinyImage"),
    "video": ("video/custom+frames=3+samples=40+size=16", "TinyVideo"),
    "question": ("covr/custom+samples=60+size=16", "TinyQuestion"),
}
METRICS = {"grid": "cell_accuracy", "odd": "odd_accuracy", "image": "mse", "video": "mota"} | {
    "question": "answer_accuracy"
}
RECIPE = Recipe(batch_size=16, epochs=2, warmup=2, learning_rate=0.01, eval_examples=20)


@pytest.fixture(params=TASKS)
def kind(request) -> str:
    return request.param


def test_a_model_of_each_kind_is_trained_answers_and_is_scored(kind: str, tiny: str, tmp_path: Path) -> None:
    task, model = TASKS[kind]
    run = train(task, tiny.replace(":Tiny", f":{model}"), recipe=RECIPE, out=tmp_path, on=Devices("cpu"))
    assert run.state.stopped == "finished"
    first, last = run.log[0].splits["train"]["loss"], run.log[-1].splits["train"]["loss"]
    assert last < first
    if kind == "question":
        assert 0 <= run.log[-1].splits["val"]["unknown_answers"] < 1
    if kind != "video":  # where it takes a metric to say what is right
        assert 0 <= run.log[-1].splits["val"]["accuracy"] <= 1
    path = predict(run.folder, "test", device="cpu", count=12)
    found = score(task, "test", path, metrics=[METRICS[kind]])
    assert found.count == 12
    assert list(found) == [METRICS[kind]]


def test_a_batch_is_augmented_in_training_alone_and_alike_every_time(tiny: str, tmp_path: Path, monkeypatch) -> None:
    task, model = TASKS["odd"]
    orders: list[list[int]] = []
    augmented = Learner.augmented

    def noted(self, batch):
        changed = augmented(self, batch)
        orders.append(changed["target_odd"].tolist())
        return changed

    monkeypatch.setattr(Learner, "augmented", noted)
    for out in ("one", "two"):
        train(task, tiny.replace(":Tiny", f":{model}"), recipe=RECIPE, out=tmp_path / out, on=Devices("cpu"))
    assert len(orders) == 2 * 6
    assert orders[:6] == orders[6:]


# ---------------------------------------------------------------------------- killed and resumed

SCRIPT = """
import sys, time
import torch
from unseen.train import Devices, train
torch.set_num_threads(1)
task, model, out, wait = sys.argv[1:]
changes = dict(batch_size=16, epochs=4, least_steps=0, warmup=2, learning_rate=0.01, eval_examples=20)
train(task, model, changes=changes, out=out, on=Devices("cpu"), save_seconds=0,
      progress=lambda *_: time.sleep(float(wait)))
"""


def started(tmp_path: Path, *words: object) -> subprocess.Popen[str]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-W", "error", str(script), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> None:
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err


def kill_at(process: subprocess.Popen[str], checkpoint: Path, step: int) -> int:
    """Kill a training once its checkpoint has come to a step; returns the step that it came to."""
    while process.poll() is None and not (checkpoint.exists() and read_state(checkpoint).step >= step):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    return read_state(checkpoint).step


def content(folder: Path) -> dict[str, bytes]:
    """The tensors of all weights and checkpoints in a folder, to compare bit for bit."""
    files = {path.name: load_weights(path) for path in sorted(folder.glob("*.safetensors"))}
    return {f"{file} {name}": one.numpy().tobytes() for file, tensors in files.items() for name, one in tensors.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "model"),
    [
        *((kind, row[1]) for kind, row in TASKS.items()),
        *(("image", model) for model in ("Staged", "ssm-vae", "ssm-slot")),
    ],
)
def test_a_killed_training_of_each_kind_ends_with_the_same_bits_answers_and_scores(kind, model, tiny, tmp_path) -> None:
    task, named = TASKS[kind][0], model if model in MODELS else tiny.replace(":Tiny", f":{model}")
    whole = started(tmp_path, task, named, tmp_path / "whole", 0)
    folder = folder_of(task, named, 0, out=tmp_path / "killed")
    finished(whole)
    run = open_run(folder_of(task, named, 0, out=tmp_path / "whole"))
    total = run.state.step
    for step in {2 + place * total // len(run.config.recipes) for place in range(len(run.config.recipes))}:
        reached = kill_at(started(tmp_path, task, named, tmp_path / "killed", 0.1), folder / run.checkpoint.name, step)
        assert step <= reached < total
    finished(started(tmp_path, task, named, tmp_path / "killed", 0))
    again = open_run(folder)
    assert content(folder) == content(run.folder)
    assert [(line.step, line.stage, line.splits) for line in again.log] == [
        (line.step, line.stage, line.splits) for line in run.log
    ]
    files = [predict(one, "test", device="cpu", count=8) for one in (run, again)]
    found = [score(task, "test", file, metrics=[METRICS[kind]]) for file in files]
    assert found[0] == found[1]
    assert found[0].digest == found[1].digest


def test_stages_follow_each_other_in_one_run(tiny: str, tmp_path: Path) -> None:
    task, named = TASKS["image"][0], tiny.replace(":Tiny", ":Staged")
    changes = {"batch_size": 16, "warmup": 2, "epochs": 2, "paint.epochs": 1, "both.eval_steps": 2, "eval_examples": 20}
    run = train(task, named, changes=changes, out=tmp_path, on=Devices("cpu"))
    assert [(line.stage, line.step) for line in run.log] == [
        *(("see", step) for step in (3, 6)),
        ("paint", 9),
        *(("both", step) for step in (11, 13, 15)),
    ]
    assert [line.examples for line in run.log] == [40, 80, 120, 152, 176, 200]
    assert "accuracy" not in run.log[0].splits["val"]  # nothing is answered where something else is learnt
    assert "twin" in run.log[0].splits["val"]
    assert "accuracy" in run.log[-1].splits["val"]
    see, paint, both = (load_weights(run.weights(stage)) for stage in ("see", "paint", "both"))
    changed = {name for name in see if not see[name].equal(paint[name])}
    assert changed == {"head.weight", "head.bias", "twin"}  # statistics of the body rest too
    assert not both["body.0.weight"].equal(see["body.0.weight"])
    assert load_weights(run.weights()).keys() == see.keys()
    assert run.state.stage == "both"


def test_weights_of_one_stage_or_of_a_file_begin_another_run(tiny: str, tmp_path: Path) -> None:
    task, named = TASKS["image"][0], tiny.replace(":Tiny", ":Staged")
    short = {"batch_size": 16, "max_steps": 1, "learning_rate": 1e-12, "weight_decay": 0, "eval_examples": 20}
    on = Devices("cpu")
    first = train(task, named, changes={**short, "learning_rate": 0.01}, out=tmp_path / "first", on=on)
    see = load_weights(first.weights("see"))
    model = tiny.replace(":Tiny", ":TinyImage")
    other = train(task, model, changes=short, out=tmp_path / "a", init_from=f"{first.folder}:see", on=on)
    assert load_weights(other.weights())["head.weight"].allclose(see["head.weight"], atol=1e-6)
    assert other.config.init_taken.endswith("; twin there have no place in it")
    file = tmp_path / "there.pth"
    torch.save({"state_dict": {f"net.{name}": value for name, value in see.items()}}, file)
    third = train(task, model, changes=short, out=tmp_path / "b", init_from=file, init_names={"net": ""}, on=on)
    assert load_weights(third.weights())["head.weight"].allclose(see["head.weight"], atol=1e-6)
    with pytest.raises(DataError, match="has no stage 'sea'; its stages are see, paint, both"):
        train(task, model, out=tmp_path / "c", init_from=f"{first.folder}:sea", on=on)
    with pytest.raises(SpecError, match="state how names are mapped"):
        train(task, model, out=tmp_path / "c", init_from=file, on=on)
    file.write_bytes(b"no weights")
    with pytest.raises(DataError, match="is no state dict that can be read safely"):
        train(task, model, out=tmp_path / "c", init_from=file, on=on)
    file.write_bytes(b"junk\n")  # which the reader of pickles stumbles over with nothing but a number
    with pytest.raises(DataError, match="can be read safely: it is something else, or damaged"):
        train(task, model, out=tmp_path / "c", init_from=file, on=on)
