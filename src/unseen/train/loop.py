"""The loop: steps, evaluations, budgets. What happens at a step depends on seed, step and weights, and nothing else.

Every random number of a step (dropout, masking) is drawn after seeding from the run's seed and the step's number, and
every evaluation after seeding from its split. So a run that was killed goes on from a checkpoint as if nothing had
happened: on a CPU to the same bits, on a GPU as far as its kernels give the same result twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import torch
from lightning_fabric import Fabric
from torch import Tensor, nn
from torch.optim import AdamW

from unseen.core.errors import SpecError
from unseen.core.task import Kind
from unseen.data.torch import Batch
from unseen.train.checkpoint import load_checkpoint, save_checkpoint, save_weights
from unseen.train.devices import seed_everything
from unseen.train.feed import Feed
from unseen.train.journal import Journal, Row
from unseen.train.loss import Learner
from unseen.train.modules import learning
from unseen.train.recipe import Recipe

BEST, LAST = "best.safetensors", "last.safetensors"
SAVE_SECONDS = 60.0  # between checkpoints inside an epoch

Progress = Callable[[int, int, str], None]  # steps done, of how many, and a word on how it goes


@dataclass
class State:
    """Where training is: all that a checkpoint holds besides tensors."""

    step: int = 0
    seconds: float = 0.0  # spent so far, by all processes that worked on it one after the other
    sums: dict[str, float] = field(default_factory=dict)  # of what was logged since the epoch began
    summed: int = 0  # steps in the sums
    best: float | None = None  # loss on the chosen split
    best_step: int = 0
    stale: int = 0  # evaluations since the best
    stopped: str = ""  # why: "finished", "patience" or "time"


class Stopwatch:
    """Seconds by what they were spent on."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(("data", "forward", "backward", "optimizer", "evaluation", "checkpoint"), 0.0)

    @contextmanager
    def on(self, what: str) -> Iterator[None]:
        """Count the time of a block."""
        started = monotonic()
        try:
            yield
        finally:
            self.seconds[what] += monotonic() - started


class Loop:
    """Trains a model on the feed of `train`, and evaluates it on the other feeds."""

    def __init__(
        self,
        fabric: Fabric,
        model: nn.Module,
        folder: Path,
        *,
        kind: Kind,
        recipe: Recipe,
        seed: int,
        feeds: Mapping[str, Feed],
        select: str,
        frozen: Sequence[str] = (),
        progress: Progress | None = None,
        save_seconds: float = SAVE_SECONDS,
    ) -> None:
        self.fabric, self.folder, self.recipe, self.seed = fabric, folder, recipe, seed
        self.feeds, self.select, self.frozen = feeds, select, frozen
        self.progress = progress or (lambda done, total, text: None)
        self.save_seconds = save_seconds
        self.watch = Stopwatch()
        self.state = State()
        self.per_epoch = feeds["train"].steps(recipe.batch_size)
        self.total = recipe.steps(self.per_epoch)
        self.model = model
        trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
        fused = fabric.device.type == "cpu"  # one kernel, not hundreds; on a GPU, Fabric could not clip at 16-mixed
        optimizer = AdamW(trained, lr=recipe.learning_rate, weight_decay=recipe.weight_decay, fused=fused)
        self.learner, self.optimizer = fabric.setup(Learner(model, kind), optimizer)
        self._sums: dict[str, Tensor] = {}  # as in the state, still on the device
        self._started = monotonic()

    def run(self) -> State:
        """Train to the end, from the last checkpoint on if there is one."""
        self._resume()
        if self.state.stopped:
            return self.state
        journal = Journal(self.folder, self.state.step) if self.fabric.is_global_zero else None
        self._started = monotonic() - self.state.seconds
        try:
            with torch.backends.cudnn.flags(deterministic=True, benchmark=False):
                while not self.state.stopped:
                    self._epoch()
                    self._end_of_epoch(journal)
        finally:
            if journal:
                journal.close()
        return self.state

    def _epoch(self) -> None:
        """The steps up to the end of the epoch, or of the budget."""
        learning(self.model, self.frozen)
        epoch, skip = divmod(self.state.step, self.per_epoch)
        saved = monotonic()
        share = (self.fabric.global_rank, self.fabric.world_size)
        with self.watch.on("data"):
            batches = self.feeds["train"].shuffled(
                self.recipe.batch_size, seed=self.seed, epoch=epoch, skip=skip, share=share
            )
        for _ in range(min((epoch + 1) * self.per_epoch, self.total) - self.state.step):
            if self.recipe.max_seconds and self.fabric.broadcast(self._time_is_up()):
                return  # by the clock of the first process, for all of them
            with self.watch.on("data"):
                batch = self.fabric.to_device(next(batches))
            self._step(batch)
            self.progress(self.state.step, self.total, f"epoch {epoch + 1}")
            if self.state.step % self.per_epoch and monotonic() - saved > self.save_seconds:
                self._save()
                saved = monotonic()

    def _step(self, batch: Batch) -> None:
        step = self.state.step
        seed_everything(self.seed, "step", str(step), str(self.fabric.global_rank))
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.learning_rate_at(step, self.total)
        with self.watch.on("forward"):
            loss, logged = self.learner(batch)
        with self.watch.on("backward"):
            self.fabric.backward(loss)
        with self.watch.on("optimizer"):
            self.fabric.clip_gradients(
                self.learner, self.optimizer, max_norm=self.recipe.clip, error_if_nonfinite=False
            )
            self.optimizer.step()
            self.optimizer.zero_grad()
        for name, value in {"loss": loss, **logged}.items():
            self._sums[name] = self._sums.get(name, 0.0) + torch.as_tensor(value).detach()
        self.state.step += 1
        self.state.summed += 1

    def _end_of_epoch(self, journal: Journal | None) -> None:
        """Evaluate, keep what is best, and decide whether to go on; the first process does, the others follow."""
        self.state.seconds = self._elapsed()
        if journal:
            row = self._evaluated()
            journal.add(row)
            self._judge(row)
        self.state = self.fabric.broadcast(self.state)
        if self.state.step % self.per_epoch == 0:
            self._sums, self.state.summed = {}, 0
        self._save()

    def _evaluated(self) -> Row:
        """A row of the learning curve."""
        trained = {name: float(value) / max(self.state.summed, 1) for name, value in self._sums.items()}
        with self.watch.on("evaluation"):
            splits = {split: self.evaluate(split) for split in self.feeds if split != "train"}
        if not all(map(math.isfinite, (*trained.values(), *(found["loss"] for found in splits.values())))):
            raise SpecError(f"the loss is not a finite number after {self.state.step} steps; lower the learning rate")
        rate = self.optimizer.param_groups[0]["lr"]
        epochs = self.state.step / self.per_epoch
        about = {"step": self.state.step, "epoch": epochs, "seconds": self.state.seconds, "learning_rate": rate}
        return {**about, "train": trained, **splits, "time": self.watch.seconds.copy()}

    def evaluate(self, split: str) -> dict[str, float]:
        """Loss and share of right answers on a split."""
        self.model.eval()
        seed_everything(self.seed, "evaluate", split)
        total_loss, right, count = 0.0, 0, 0
        for batch in self.feeds[split].in_order(self.recipe.eval_batch):
            with self.fabric.autocast():
                loss, correct = self.learner.module.judge(self.fabric.to_device(batch))
            size = len(batch["index"])
            total_loss, right, count = total_loss + float(loss) * size, right + int(correct), count + size
        return {"loss": total_loss / count, "accuracy": right / count}

    def _judge(self, row: Row) -> None:
        """Is this the best so far, and the end?"""
        state = self.state
        loss = row[self.select]["loss"] if self.select else None
        if loss is None or state.best is None or loss < state.best:  # without a chosen split, the last is the best
            state.best, state.best_step, state.stale = loss, state.step, 0
            with self.watch.on("checkpoint"):
                save_weights(self.folder / BEST, self.model)
        else:
            state.stale += 1
        if state.step >= self.total:
            state.stopped = "finished"
        elif self.recipe.patience and state.stale >= self.recipe.patience:
            state.stopped = "patience"
        elif self._time_is_up():
            state.stopped = "time"

    def _elapsed(self) -> float:
        return monotonic() - self._started

    def _time_is_up(self) -> bool:
        return 0 < self.recipe.max_seconds <= self._elapsed()

    def _save(self) -> None:
        self.state.seconds = self._elapsed()
        self.state.sums = {name: float(value) for name, value in self._sums.items()}
        if self.fabric.is_global_zero:
            with self.watch.on("checkpoint"):
                state = {**asdict(self.state), "precision": self.fabric.strategy.precision.state_dict()}
                save_checkpoint(self.folder / LAST, self.model, self.optimizer.optimizer, state)

    def _resume(self) -> None:
        if not (self.folder / LAST).exists():
            return
        state: dict[str, Any] = load_checkpoint(self.folder / LAST, self.model, self.optimizer.optimizer)
        self.fabric.strategy.precision.load_state_dict(state.pop("precision"))
        self.state = State(**state)
        if self.state.stopped == "time":  # there may be more of it now
            self.state.stopped = ""
        self._sums = {name: torch.tensor(value, device=self.fabric.device) for name, value in self.state.sums.items()}
