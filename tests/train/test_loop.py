"""The loop: clipping, budgets, the best checkpoint, early stops, precision, logs."""

from __future__ import annotations

import json

import pytest
import torch

import unseen
from unseen.core.errors import SpecError, UnknownName
from unseen.train import loop as loops
from unseen.train.loop import Loop


@pytest.fixture
def losses(monkeypatch: pytest.MonkeyPatch):
    """Make evaluations find these losses, one after the other."""

    def find(*values: float) -> None:
        left = iter(values)
        monkeypatch.setattr(Loop, "evaluate", lambda self, split: {"loss": next(left), "accuracy": 0.0})

    return find


def test_training_lowers_the_loss_and_is_logged(short) -> None:
    run = short(epochs=6, learning_rate=0.03)
    first, *_, last = run.curve
    assert [row["epoch"] for row in run.curve] == [1, 2, 3, 4, 5, 6]
    assert last["train"]["loss"] < 0.5 * first["train"]["loss"]
    assert last["val"]["loss"] < 0.5 * first["val"]["loss"]
    assert run.state.stopped == "finished"
    assert run.state.step == last["step"] == 42
    assert last["learning_rate"] < 0.001
    assert list((run.folder / "tensorboard").iterdir())
    assert set(last["time"]) == {"data", "forward", "backward", "optimizer", "evaluation", "checkpoint"}


def test_gradients_are_clipped(short, monkeypatch: pytest.MonkeyPatch) -> None:
    norms = []

    def step(self, *args):
        gradients = [one.grad.flatten() for group in self.param_groups for one in group["params"]]
        norms.append(torch.cat(gradients).norm().item())

    monkeypatch.setattr(torch.optim.AdamW, "step", step)
    short(clip=0.01, epochs=1)
    assert len(norms) == 7
    assert norms == pytest.approx([0.01] * 7, rel=1e-4)


def test_the_rate_of_every_step_is_the_schedules(short, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = []
    monkeypatch.setattr(torch.optim.AdamW, "step", lambda self, *args: rates.append(self.param_groups[0]["lr"]))
    run = short(epochs=1)
    assert rates == [run.config.recipe.learning_rate_at(step, 7) for step in range(7)]


def test_a_budget_of_steps_ends_training_inside_an_epoch(short) -> None:
    run = short(max_steps=9)
    assert [row["step"] for row in run.curve] == [7, 9]
    assert run.state.stopped == "finished"


def test_a_budget_of_time_ends_training_and_more_of_it_goes_on(short, weights) -> None:
    run = short(max_seconds=1e-6)
    assert run.state.stopped == "time"
    assert run.state.step == 0
    on = short()
    assert on.state.stopped == "finished"
    assert weights(on) == weights(short(out="other"))


def test_the_best_checkpoint_is_that_of_the_lowest_loss(short, losses, weights) -> None:
    losses(3.0, 1.0, 2.0)
    run = short(epochs=3)
    assert (run.state.best, run.state.best_step, run.state.stale) == (1.0, 14, 1)
    best = weights(run, "best.safetensors")
    last = {name.removeprefix("model."): value for name, value in weights(run).items() if name.startswith("model.")}
    assert best.keys() == last.keys()
    assert best != last
    losses(3.0, 2.0, 1.0)
    assert weights(short(epochs=3, out="other"), "best.safetensors") == last


def test_out_of_distribution_loss_chooses_where_there_is_one(short, small_ood_task: str, monkeypatch) -> None:
    found = {"val": iter((1.0, 2.0)), "val_ood": iter((2.0, 1.0))}
    monkeypatch.setattr(Loop, "evaluate", lambda self, split: {"loss": next(found[split]), "accuracy": 0.0})
    run = short(small_ood_task)
    assert set(run.curve[0]) >= {"val", "val_ood"}
    assert run.state.best_step == run.state.step


def test_another_split_can_choose(short, small_ood_task: str, monkeypatch) -> None:
    found = {"val": iter((1.0, 2.0)), "val_ood": iter((2.0, 1.0))}
    monkeypatch.setattr(Loop, "evaluate", lambda self, split: {"loss": next(found[split]), "accuracy": 0.0})
    run = short(small_ood_task, select="val")
    assert run.state.best_step == run.state.step // 2
    with pytest.raises(UnknownName, match="no split named 'vall'"):
        short(select="vall", out="other")


def test_training_stops_early_when_patience_ends(short, losses) -> None:
    losses(3.0, 1.0, 2.0, 1.5, 0.5)
    run = short(epochs=5, patience=2)
    assert run.state.stopped == "patience"
    assert run.state.step == 4 * 7


def test_a_loss_that_is_no_number_ends_training_with_a_sentence(short, monkeypatch) -> None:
    objective = loops.Learner.forward
    monkeypatch.setattr(loops.Learner, "forward", lambda self, batch: (objective(self, batch)[0] * float("nan"), {}))
    with pytest.raises(SpecError, match="the loss is not a finite number after 7 steps; lower the learning rate"):
        short()


def test_so_does_a_validation_loss_that_is_none(short, losses) -> None:
    losses(float("nan"))
    with pytest.raises(SpecError, match="the loss is not a finite number after 7 steps"):
        short()


def test_what_a_model_logs_is_in_the_curve(short, owner: str) -> None:
    rows = short(model=owner).curve
    assert all(0 < row["train"]["noise"] < 1 for row in rows)


def test_mixed_precision_trains_on_a_cpu(short) -> None:
    plain = short(epochs=4, learning_rate=0.03, out="plain").curve[-1]
    mixed = short(epochs=4, learning_rate=0.03, precision="bf16-mixed").curve[-1]
    assert mixed["val"]["loss"] != plain["val"]["loss"]
    assert mixed["val"]["loss"] == pytest.approx(plain["val"]["loss"], rel=0.2)


def test_progress_is_told_after_every_step(short) -> None:
    told = []
    short(progress=lambda *how: told.append(how))
    assert told == [(step, 14, "epoch 1" if step <= 7 else "epoch 2") for step in range(1, 15)]


def test_a_task_without_validation_keeps_the_last_weights(short, monkeypatch, small_task: str) -> None:
    task = unseen.task(small_task)
    monkeypatch.setattr(loops, "SAVE_SECONDS", 0)
    only = {"train": task.splits["train"], "test": task.splits["test"]}
    run = short(type(task)(task.benchmark, task.row, task.options, task.view, only, task.written_options))
    assert run.state.best_step == 14
    assert json.loads((run.folder / "log.jsonl").read_text().splitlines()[0]).keys() >= {"train", "step"}
