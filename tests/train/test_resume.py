"""Whatever interrupts a training, it goes on to the very same weights."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from unseen.runs.state import read_state
from unseen.train import journal

SCRIPT = """
import sys
import torch
from unseen.train import Devices, Recipe, train
torch.set_num_threads(1)
print(flush=True)
recipe = Recipe(batch_size=16, epochs=int(sys.argv[5]), warmup=4, precision=sys.argv[6])
train(sys.argv[1], sys.argv[2], recipe=recipe, out=sys.argv[3], on=Devices("cpu", devices=int(sys.argv[4])),
      save_seconds=0)
"""


SLOWLY = "Grad strides do not match"  # what PyTorch says of convolutions of one pixel that several processes train


class Stop(Exception):
    """Power is gone."""


@pytest.mark.parametrize("at", [1, 3, 7, 8, 13])
@pytest.mark.parametrize("model", ["tiny", "owner"])
def test_an_interrupted_run_ends_with_the_weights_of_an_uninterrupted_one(short, weights, at, model, request) -> None:
    model = request.getfixturevalue(model)

    def stop(done: int, total: int, text: str) -> None:
        if done == at:
            raise Stop

    whole = short(model=model, out="whole")
    with pytest.raises(Stop):
        short(model=model, progress=stop, save_seconds=0)
    run = short(model=model)
    assert weights(run) == weights(whole)
    assert weights(run, "best.safetensors") == weights(whole, "best.safetensors")
    assert [(line.step, line.splits) for line in run.log] == [(line.step, line.splits) for line in whole.log]


def test_rows_of_steps_that_are_done_again_are_dropped(short, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self, line):
        add(self, line)
        raise Stop

    add = journal.Journal.add
    monkeypatch.setattr(journal.Journal, "add", fail)
    with pytest.raises(Stop):
        short()
    monkeypatch.undo()
    run = short()
    assert [line.step for line in run.log] == [7, 14]
    with (run.folder / "log.jsonl").open("a") as file:
        file.write('{"step": 21, "tr')
    assert [line.step for line in run.log] == [7, 14]


def started(tmp_path: Path, *words: object) -> subprocess.Popen[str]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-W", "error", "-W", f"ignore:{SLOWLY}", str(script), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ})


@pytest.mark.slow
def test_a_killed_run_ends_with_the_weights_of_an_uninterrupted_one(tmp_path, tiny, small_task, weights) -> None:
    from unseen.train import Devices, Recipe, train

    recipe = Recipe(batch_size=16, epochs=12, warmup=4)
    whole = train(small_task, tiny, recipe=recipe, out=tmp_path / "whole", on=Devices("cpu"))
    folder = tmp_path / "killed" / whole.folder.relative_to(tmp_path / "whole")
    moments, reached = random.Random(0), []
    for _ in range(3):
        process = started(tmp_path, small_task, tiny, tmp_path / "killed", 1, 12, "32-true")
        process.stdout.readline()  # everything is imported
        while not (folder / "last.safetensors").exists():
            time.sleep(0.01)
        time.sleep(moments.uniform(0.1, 0.4))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        reached.append(read_state(folder / "last.safetensors").step)
    process = started(tmp_path, small_task, tiny, tmp_path / "killed", 1, 12, "32-true")
    _, err = process.communicate()
    assert process.returncode == 0, err
    assert 0 < reached[0] <= reached[1] <= reached[2] < whole.state.step
    run = type(whole)(folder, whole.config)
    assert weights(run) == weights(whole)
    assert weights(run, "best.safetensors") == weights(whole, "best.safetensors")
    assert not list(folder.glob(".*aside*"))


@pytest.mark.parametrize("precision", ["32-true", "bf16-mixed"])
def test_two_processes_learn_what_one_learns_from_the_same_batches(tmp_path, small_task, precision: str) -> None:
    from tests.conftest import known
    from unseen.predict.trained import predict
    from unseen.runs import open_run
    from unseen.train import Devices, Recipe, train
    from unseen.train.checkpoint import load_weights

    recipe = Recipe(batch_size=16, epochs=2, warmup=4, precision=precision)
    alone = train(small_task, known("Plain"), recipe=recipe, out=tmp_path / "one", on=Devices("cpu"))
    process = started(tmp_path, small_task, known("Plain"), tmp_path / "two", 2, 2, precision)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    together = open_run(tmp_path / "two" / alone.folder.relative_to(tmp_path / "one"))
    assert together.config == alone.config  # the machine is left out, which alone says how many processes there were
    assert (together.config.machine["devices"], alone.config.machine["devices"]) == (2, 1)
    assert [(line.step, line.examples) for line in together.log] == [(line.step, line.examples) for line in alone.log]
    close = {"rel": 1e-4} if precision == "32-true" else {"rel": 0.02}  # sums are rounded in another order
    for one, other in zip(alone.log, together.log, strict=True):
        assert other.splits["val"]["loss"] == pytest.approx(one.splits["val"]["loss"], **close)
    if precision == "32-true":
        weights = load_weights(together.weights())
        for name, tensor in load_weights(alone.weights()).items():
            assert (weights[name] - tensor).abs().max() < 1e-4
    assert predict(together, "test").is_file()
