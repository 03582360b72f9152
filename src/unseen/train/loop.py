"""The loop: steps, evaluations, budgets, stages. What happens at a step depends on seed, step and weights alone.

Every random number of a step (dropout, masking) is drawn after seeding from the run's seed and the step's number, and
every evaluation after seeding from its split. So a run that was killed goes on from a checkpoint as if nothing had
happened: on a CPU to the same bits, on a GPU as far as its kernels give the same result twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from time import monotonic, process_time

import torch
from lightning_fabric import Fabric
from torch import Tensor, nn
from torch.optim import Optimizer

from unseen.core.errors import DataError, SpecError
from unseen.core.progress import Progress
from unseen.data.torch import Batch
from unseen.models import Interface, Stage
from unseen.runs import LogLine, Run, State
from unseen.runs.state import read_state
from unseen.train.ahead import Used, peak_memory
from unseen.train.checkpoint import load_checkpoint, load_weights, save_checkpoint, save_weights
from unseen.train.choice import Choice
from unseen.train.devices import seed_everything
from unseen.train.feed import Feed
from unseen.train.journal import Journal
from unseen.train.loss import Learner
from unseen.train.modules import set_learning, train_mode
from unseen.train.recipe import all_finite, clipper_of, learning_rate_at, optimizer_of, scale_of, set_rates

TOLD = 20  # steps between readings of the loss for the progress bar
SAVE_SECONDS = 60.0  # between checkpoints inside an epoch


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
    """Trains a model on the feed of `train`, stage by stage, and evaluates it on the other feeds."""

    def __init__(
        self,
        fabric: Fabric,
        model: nn.Module,
        run: Run,
        *,
        told: Interface,
        feeds: Mapping[str, Feed],
        stages: Sequence[Stage],
        progress: Progress | None = None,
        save_seconds: float = SAVE_SECONDS,
    ) -> None:
        self.fabric, self.model, self.files, self.told, self.feeds = fabric, model, run, told, feeds
        self.seed, self.kind = run.config.seed, run.task.kind
        self.stages = {stage.name: stage for stage in stages}
        self.able = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
        self.progress = progress or (lambda done, total, text="": None)
        self.save_seconds = save_seconds
        self.watch = Stopwatch()
        self.state = State(stage=stages[0].name)
        self._sums: dict[str, Tensor] = {}  # as in the state, still on the device
        self._loss = math.nan  # of a step not long ago
        self._accuracies: dict[str, float] = {}  # of the last evaluation
        self._started = self._cpu_started = 0.0

    # ------------------------------------------------------------------------ stages

    def check(self) -> None:
        """See that every stage can be entered, before anything is written."""
        for name in self.stages:
            self._ready(name)

    def run(self) -> State:
        """Train to the end, from the last checkpoint on if there is one."""
        self._resume()
        if self._over():
            return self.state
        journal = Journal(self.files, self.state.step) if self.fabric.is_global_zero else None
        self._started = monotonic() - self.state.seconds
        self._cpu_started = process_time() - self.state.cpu_seconds
        try:
            with torch.backends.cudnn.flags(deterministic=True, benchmark=False):
                while not self._over():
                    if self.state.stopped:
                        self._next_stage()
                    self._stage(journal)
        finally:
            if journal:
                journal.close()
            for feed in self.feeds.values():
                feed.close()
        return self.state

    def _over(self) -> bool:
        """Whether nothing is left to do, or no time to do it in."""
        last = self.state.stage == list(self.stages)[-1]
        return bool(self.state.stopped) and (last or self.state.stopped == "time")

    def _enter(self, name: str) -> None:
        """Begin a stage, or go on with it."""
        self.learner, self.optimizer = self.fabric.setup(*self._ready(name))

    def _ready(self, name: str) -> tuple[Learner, Optimizer]:
        """What a stage needs: what learns in it, how fast, how long, and what is best."""
        stage, recipe = self.stages[name], self.files.config.recipes[name]
        self.recipe = recipe
        set_learning(self.model, self.able, stage.learns, self.files.config.freeze)
        self.per_epoch = self.feeds["train"].steps(recipe.batch_size)
        self.total = recipe.steps(self.per_epoch)
        self.interval = recipe.interval(self.per_epoch)
        self.scale = scale_of(recipe, len(self.feeds["train"].dataset))
        self.choice = Choice.of(recipe, self.kind, [split for split in self.feeds if split != "train"])
        self.clip = clipper_of(self.model, recipe)
        fused = self.fabric.device.type == "cpu"  # one kernel, not hundreds; on a GPU, 16-mixed could not clip
        return Learner(self.model, self.told, stage.loss), optimizer_of(self.model, recipe, fused=fused)

    def _next_stage(self) -> None:
        """Go on to the next stage, from the best weights of the one that it starts with."""
        names = list(self.stages)
        stage = self.stages[names[names.index(self.state.stage) + 1]]
        self.fabric.barrier()  # the first process has written them
        self.model.load_state_dict(load_weights(self.files.weights(stage.start or self.state.stage)))
        old = self.state
        self.state = State(stage.name, began=old.step, seen=self._examples_seen(), step=old.step)
        self._sums = {}
        self._enter(stage.name)
        self._save()

    def _stage(self, journal: Journal | None) -> None:
        """Train to the end of a stage."""
        share = (self.fabric.global_rank, self.fabric.world_size)
        batches = self.feeds["train"].shuffled(
            self.recipe.batch_size,
            seed=self.seed,
            steps=range(self._local, self.total),
            share=share,
            pieces=self.recipe.accumulate,
        )
        with closing(batches):
            while not self.state.stopped:
                self._steps(batches)
                self._end_of_interval(journal)

    @property
    def _local(self) -> int:
        """Steps since the stage began."""
        return self.state.step - self.state.began

    # ------------------------------------------------------------------------ steps

    def _steps(self, batches: Iterator[list[Batch]]) -> None:
        """The steps up to the next evaluation, or to the end of the budget."""
        train_mode(self.model)
        saved = monotonic()
        end = min((self._local // self.interval + 1) * self.interval, self.total)
        for _ in range(end - self._local):
            if self.recipe.max_seconds and self.fabric.broadcast(self._time_is_up()):
                return  # by the clock of the first process, for all of them
            self._step(batches)
            self.progress(self.state.began + self._local, self.state.began + self.total, self._told())
            if self._local % self.interval and monotonic() - saved > self.save_seconds:
                self._save()
                saved = monotonic()

    def _step(self, batches: Iterator[list[Batch]]) -> None:
        set_rates(self.optimizer, self._rate)
        if hasattr(self.model, "progress"):
            setattr(self.model, "progress", self._local / self.total)  # noqa: B010  # a module's attributes are weights
        with self.watch.on("data"):
            pieces = next(batches)
        whole = sum(len(piece["index"]) for piece in pieces)
        for number, piece in enumerate(pieces):
            place = (str(self.state.step), str(self.fabric.global_rank), *([str(number)] if number else []))
            seed_everything(self.seed, "step", *place)
            self._learn(piece, share=len(piece["index"]) / whole, last=number == len(pieces) - 1)
        with self.watch.on("optimizer"):
            self.fabric.strategy.precision.unscale_gradients(self.optimizer.optimizer)
            self.clip()
            self.optimizer.step()
            self.optimizer.zero_grad()
            if callable(after := getattr(self.model, "after_step", None)):
                with torch.no_grad():
                    after()
        self.state.step += 1
        self.state.summed += 1

    def _learn(self, piece: Batch, *, share: float, last: bool) -> None:
        """Add the gradients of one piece of a batch, by its share, and what it logs."""
        with self.watch.on("data"):
            batch = self.fabric.to_device(piece)
        with self.fabric.no_backward_sync(self.learner, enabled=not last):
            with self.watch.on("forward"):
                loss, logged = self.learner(self.learner.module.augmented(batch))
            with self.watch.on("backward"):
                self.fabric.backward(loss if share == 1 else loss * share)
        for name, value in {"loss": loss, **logged}.items():
            kept = torch.as_tensor(value).detach()
            self._sums[name] = self._sums.get(name, 0.0) + (kept if share == 1 else kept * share)
        if self.state.step % TOLD == 0:  # reading it at every step would make a GPU wait
            self._loss = float(loss.detach())

    def _rate(self, highest: float) -> float:
        return learning_rate_at(
            self.recipe, self._local, self.total, highest=highest, cuts=self.state.cuts, scale=self.scale
        )

    def _told(self) -> str:
        """Tell for the progress bar where training is, the latest loss, and the latest share of right answers."""
        where = f"{self.state.stage}, " if self.state.stage else ""
        shares = "".join(f", {split} {share:.0%}" for split, share in self._accuracies.items())
        return f"{where}epoch {(self._local - 1) // self.per_epoch + 1}, loss {self._loss:.3g}{shares}"

    # ------------------------------------------------------------------------ evaluations

    def _end_of_interval(self, journal: Journal | None) -> None:
        """Evaluate, keep what is best, and decide whether to go on; the first process does, the others follow."""
        self._tick()
        if journal:
            line = self._evaluated()
            journal.add(line)
            self._judge(line)
            found = line.splits.items()
            self._accuracies = {split: values["accuracy"] for split, values in found if "accuracy" in values}
        self.state = self.fabric.broadcast(self.state)
        if self._local % self.interval == 0:
            self._sums, self.state.summed = {}, 0
        self._save()

    def _evaluated(self) -> LogLine:
        """A line of the learning curve."""
        trained = {name: float(value) / max(self.state.summed, 1) for name, value in self._sums.items()}
        with self.watch.on("evaluation"):
            splits = {split: self.evaluate(split) for split in self.feeds if split != "train"}
        self._check_finite((*trained.values(), *(found["loss"] for found in splits.values())))
        return LogLine(
            step=self.state.step,
            seconds=self.state.seconds,
            splits={"train": trained, **{split: _finite(found) for split, found in splits.items()}},
            stage=self.state.stage,
            epoch=self._local / self.per_epoch,
            examples=self._examples_seen(),
            learning_rate=self.optimizer.param_groups[0]["lr"],
            cpu_seconds=self.state.cpu_seconds if self.fabric.world_size == 1 else None,
            memory=peak_memory() + self._used.memory,
            time=self.watch.seconds.copy(),
        )

    def evaluate(self, split: str) -> dict[str, float]:
        """Means over a split: the loss, the share of right answers, what is logged, and the metrics asked for."""
        self.model.eval()
        seed_everything(self.seed, "evaluate", split)
        sums: Counter[str] = Counter()
        measured = self.choice.measured()
        for batch in self.feeds[split].in_order(self.recipe.eval_batch):
            with self.fabric.autocast():
                found, answers = self.learner.module.judge(self.fabric.to_device(batch), answers=bool(measured.metrics))
            sums.update(found)
            measured.add(batch, answers)
        size = len(self.feeds[split].dataset)
        return {**{name: value / size for name, value in sums.items()}, **measured.values()}

    def _judge(self, line: LogLine) -> None:
        """Is this the best so far, and the end?"""
        state, value = self.state, self.choice.value(line)
        if self.choice.better(value, state.best):
            state.best, state.best_step, state.stale, state.flat = value, state.step, 0, 0
            with self.watch.on("checkpoint"):
                save_weights(self.files.weights(state.stage), self.model)
        else:
            state.stale, state.flat = state.stale + 1, state.flat + 1
        if self.recipe.schedule == "plateau" and state.flat >= self.recipe.plateau:
            state.cuts, state.flat = state.cuts + 1, 0
        if self._local >= self.total:
            state.stopped = "finished"
        elif self.recipe.stop_at and self.choice.accuracy(line) >= self.recipe.stop_at:
            state.stopped = "accuracy"
        elif self.recipe.patience and state.stale >= self.recipe.patience:
            state.stopped = "patience"
        elif self._time_is_up():
            state.stopped = "time"

    def _examples_seen(self) -> int:
        """How many examples the steps so far went through, the last batch of an epoch being what is left of it."""
        epochs, further = divmod(self._local, self.per_epoch)
        size = len(self.feeds["train"].dataset)
        return self.state.seen + epochs * size + min(further * self.recipe.batch_size, size)

    def _check_finite(self, values: Sequence[float]) -> None:
        if not all(map(math.isfinite, values)):
            said = f"the loss is not a finite number after {self.state.step} steps; lower the learning rate"
            if best := self.state.best_step:
                said += f"; the best weights before that, of step {best}, stay: unseen predict {self.files.folder}"
            raise SpecError(said)

    @property
    def _used(self) -> Used:
        """What workers have used so far."""
        return sum((feed.used for feed in self.feeds.values()), Used())

    # ------------------------------------------------------------------------ time and checkpoints

    def _tick(self) -> None:
        self.state.seconds = monotonic() - self._started
        self.state.cpu_seconds = process_time() + self._used.seconds - self._cpu_started

    def _time_is_up(self) -> bool:
        return 0 < self.recipe.max_seconds <= monotonic() - self._started

    def _save(self) -> None:
        """Write a checkpoint, unless what is to be written is spoilt: then the last good one stays."""
        self._tick()
        self.state.sums = {name: float(value) for name, value in self._sums.items()}
        self._check_finite(tuple(self.state.sums.values()))
        if not all_finite(self.model):
            self._check_finite((math.nan,))
        if self.fabric.is_global_zero:
            with self.watch.on("checkpoint"):
                self.state.precision = self.fabric.strategy.precision.state_dict()
                save_checkpoint(self.files.checkpoint, self.model, self.optimizer.optimizer, self.state)

    def _resume(self) -> None:
        there = self.files.checkpoint.exists()
        stage = read_state(self.files.checkpoint).stage if there else self.state.stage
        if stage not in self.stages:
            raise DataError(f"{self.files.checkpoint} is not a checkpoint of this model; start again with --fresh")
        self._enter(stage)
        if not there:
            return
        self.state = load_checkpoint(self.files.checkpoint, self.model, self.optimizer.optimizer)
        self.fabric.strategy.precision.load_state_dict(self.state.precision)
        if self.state.stopped == "time":  # there may be more of it now
            self.state.stopped = ""
        self._sums = {name: torch.tensor(value, device=self.fabric.device) for name, value in self.state.sums.items()}


def _finite(values: Mapping[str, float]) -> dict[str, float]:
    """What can be written down: a metric of nothing, such as a share of no objects, cannot."""
    return {name: value for name, value in values.items() if math.isfinite(value)}
