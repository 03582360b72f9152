"""The loop: clipping, budgets, the best checkpoint, early stops, precision, logs."""

from __future__ import annotations

import json
import multiprocessing
import re

import pytest
import torch
from safetensors import SafetensorError

import unseen
from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.predict import read_predictions
from unseen.predict.trained import predict
from unseen.results.scoring import score
from unseen.runs import State, open_run
from unseen.train import Devices, ahead, checkpoint
from unseen.train import loop as loops
from unseen.train.checkpoint import load_weights
from unseen.train.loop import Loop
from unseen.train.recipe import learning_rate_at


@pytest.fixture
def losses(monkeypatch: pytest.MonkeyPatch):
    """Make evaluations find these losses, one after the other."""

    def find(*values: float) -> None:
        left = iter(values)
        monkeypatch.setattr(Loop, "evaluate", lambda self, split: {"loss": next(left), "accuracy": 0.0})

    return find


def test_training_lowers_the_loss_and_is_logged(short) -> None:
    run = short(epochs=6, learning_rate=0.03)
    first, *_, last = run.log
    assert [line.epoch for line in run.log] == [1, 2, 3, 4, 5, 6]
    assert last.splits["train"]["loss"] < 0.5 * first.splits["train"]["loss"]
    assert last.splits["val"]["loss"] < 0.5 * first.splits["val"]["loss"]
    assert run.state.stopped == "finished"
    assert run.state.step == last.step == 42
    assert last.learning_rate < 0.001
    assert list((run.folder / "tensorboard").iterdir())
    assert set(last.time) == {"data", "forward", "backward", "optimizer", "evaluation", "checkpoint"}


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
    assert rates == [learning_rate_at(run.config.recipe, step, 7) for step in range(7)]


def test_a_budget_of_steps_ends_training_inside_an_epoch(short) -> None:
    run = short(max_steps=9)
    assert [line.step for line in run.log] == [7, 9]
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
    assert set(run.log[0].splits) >= {"val", "val_ood"}
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
    assert all(0 < line.splits["train"]["noise"] < 1 for line in short(model=owner).log)


def test_mixed_precision_trains_on_a_cpu(short) -> None:
    plain = short(epochs=4, learning_rate=0.03, out="plain").log[-1]
    mixed = short(epochs=4, learning_rate=0.03, precision="bf16-mixed").log[-1]
    assert mixed.splits["val"]["loss"] != plain.splits["val"]["loss"]
    assert mixed.splits["val"]["loss"] == pytest.approx(plain.splits["val"]["loss"], rel=0.2)


def test_progress_is_told_after_every_step_with_loss_and_validation_score(short) -> None:
    told = []
    short(progress=lambda *how: told.append(how))
    assert [how[:2] for how in told] == [(step, 14) for step in range(1, 15)]
    assert re.fullmatch(r"epoch 1, loss \d[\d.]*", told[0][2])
    assert re.fullmatch(r"epoch 2, loss \d[\d.]*, val \d+%", told[-1][2])


def test_a_task_without_validation_keeps_the_last_weights(short, monkeypatch, small_task: str) -> None:
    task = unseen.task(small_task)
    monkeypatch.setattr(loops, "SAVE_SECONDS", 0)
    only = {"train": task.splits["train"], "test": task.splits["test"]}
    run = short(type(task)(task.benchmark, task.row, task.options, task.view, only, task.written_options))
    assert run.state.best_step == 14
    assert json.loads((run.folder / "log.jsonl").read_text().splitlines()[0]).keys() >= {"splits", "step"}


# ---------------------------------------------------------------------------- what recipes ask of the loop


def test_evaluations_may_be_closer_or_further_than_epochs(short) -> None:
    assert [line.step for line in short(eval_steps=4, epochs=1).log] == [4, 7]
    assert [line.step for line in short(eval_least=10, out="other").log] == [10, 14]


def test_the_best_weights_may_be_those_of_a_metric_or_of_the_most_right_answers(short, monkeypatch) -> None:
    found = iter([{"loss": 1.0, "accuracy": 0.1}, {"loss": 2.0, "accuracy": 0.3}, {"loss": 3.0, "accuracy": 0.2}])
    with monkeypatch.context() as changed:
        changed.setattr(Loop, "evaluate", lambda self, split: next(found))
        assert short(epochs=3, select="val:accuracy").state.best_step == 14
    run = short(select="val:cell_accuracy", eval_examples=30, out="metric")
    cells = [line.splits["val"]["cell_accuracy"] for line in run.log]
    assert run.state.best == max(cells)
    with pytest.raises(UnknownName, match="no value named 'los' in the evaluation of val"):
        short(select="val:los", out="unknown")
    with pytest.raises(SpecError, match="mota cannot be measured in training on grid tasks"):
        short(select="val:mota", out="video")


def test_metrics_in_training_are_those_of_scoring(short) -> None:
    run = short(epochs=1, metrics=("cell_accuracy", "grid_accuracy"), eval_examples=20)
    last = run.log[-1].splits["val"]
    assert last["grid_accuracy"] == last["accuracy"]
    file = predict(run, "val", device="cpu", count=20)
    assert last["cell_accuracy"] == score(run.task, "val", file)["cell_accuracy"]


def test_enough_right_answers_end_training(short, monkeypatch) -> None:
    shares = iter((0.5, 0.95, 0.99))
    monkeypatch.setattr(Loop, "evaluate", lambda self, split: {"loss": 1.0, "accuracy": next(shares)})
    run = short(epochs=3, stop_at=0.9)
    assert (run.state.stopped, run.state.step) == ("accuracy", 14)


def test_the_learning_rate_is_cut_on_a_plateau(short, losses) -> None:
    losses(3.0, 3.1, 3.2, 3.3, 1.0, 1.1)
    how = {"schedule": "plateau", "plateau": 2, "cut": 0.1, "warmup": 0, "learning_rate": 1.0, "epochs": 6}
    run = short(**how)
    assert [line.learning_rate for line in run.log] == pytest.approx([1.0, 1.0, 1.0, 0.1, 0.1, 0.1])
    assert (run.state.cuts, run.state.flat) == (1, 1)


def test_a_batch_in_pieces_takes_the_steps_of_a_whole_one(short) -> None:
    plain = {"options": {"dropout": 0.0}, "clip": 0, "epochs": 1, "weight_decay": 0, "optimizer": "adam"}
    whole, pieces = short(**plain), short(**plain, accumulate=2, out="pieces")
    assert pieces.state.step == whole.state.step == 7
    # statistics of a piece are not those of the whole, so that the two agree but for them
    assert pieces.log[-1].splits["train"]["loss"] == pytest.approx(whole.log[-1].splits["train"]["loss"], rel=0.05)


def test_small_sets_are_one_batch_and_the_learning_rate_shrinks_with_it(short) -> None:
    runs = [short(batch_size=400, scaled=scaled, warmup=1, out=str(scaled)) for scaled in (True, False)]
    small, full = (run.log[0].learning_rate for run in runs)
    assert small == pytest.approx(full / 4)


# ---------------------------------------------------------------------------- what goes wrong


def test_a_loss_that_turns_into_no_number_leaves_the_last_good_checkpoint(short, monkeypatch, tmp_path) -> None:
    objective, calls = loops.Learner.forward, iter(range(1000))

    def failing(self, batch):
        loss, logged = objective(self, batch)
        return (loss * float("nan") if self.training and next(calls) >= 10 else loss), logged

    monkeypatch.setattr(loops.Learner, "forward", failing)
    kept = r"after 1\d steps; lower the learning rate; the best weights before that, of step 7, stay: unseen predict "
    with pytest.raises(SpecError, match=kept):
        short(save_seconds=0)
    monkeypatch.undo()
    (folder,) = {path.parent for path in tmp_path.rglob("last.safetensors")}
    run = open_run(folder)
    assert run.state.step == 10
    assert all(weight.isfinite().all() for weight in load_weights(run.checkpoint).values())
    assert len(read_predictions(predict(run, "val", device="cpu", count=5)).indices) == 5


def test_a_full_disk_is_a_sentence_and_the_last_good_checkpoint_stays(short, monkeypatch, tmp_path) -> None:
    saved, calls = checkpoint.save_file, iter(range(1000))

    def full(*given):
        if next(calls) >= 4:
            raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")
        saved(*given)

    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(DataError, match=r"no space left to write \S+last\.safetensors; free some and run again"):
        short(save_seconds=0)
    monkeypatch.undo()
    (folder,) = {path.parent for path in tmp_path.rglob("last.safetensors")}
    assert not list(folder.glob(".*aside*"))
    assert open_run(folder).state.step == 4
    assert short().state.stopped == "finished"


@pytest.mark.parametrize("said", [{"stage": "another"}, {"stopped": "by magic"}])
def test_a_checkpoint_that_tells_of_what_cannot_be_is_refused(short, said: dict[str, str]) -> None:
    run = short(epochs=1)
    model = torch.nn.Linear(1, 1)
    checkpoint.save_checkpoint(run.checkpoint, model, torch.optim.Adam(model.parameters()), State(step=7, **said))
    with pytest.raises(DataError, match=r"is not a checkpoint"):
        short(epochs=1)


def test_the_memory_and_the_processor_time_of_a_run_are_stated(short) -> None:
    line = short(epochs=1).log[-1]
    assert line.memory > 50 * 2**20
    assert line.cpu_seconds > 0


@pytest.mark.parametrize("memory", [1.0, 0.0])
def test_a_worker_that_is_hired_on_the_way_changes_no_bit(short, weights, monkeypatch, memory: float) -> None:
    alone = short(out="alone", on=Devices("cpu", workers=0, memory=memory))
    monkeypatch.setattr(ahead, "WAITED", 0.0)
    monkeypatch.setattr(ahead, "WORTH", 0.0)
    monkeypatch.setattr(ahead, "cores", lambda: 2)
    hired, others = set(), set(multiprocessing.active_children())

    def stop(done: int, total: int, text: str) -> None:
        hired.update(set(multiprocessing.active_children()) - others)
        if done == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        short(on=Devices("cpu", memory=memory), progress=stop, save_seconds=0)
    assert len(hired) == 1
    assert not hired & set(multiprocessing.active_children())
    run = short(on=Devices("cpu", memory=memory))
    assert weights(run) == weights(alone)
    assert weights(run, "best.safetensors") == weights(alone, "best.safetensors")
    assert not set(multiprocessing.active_children()) - others
