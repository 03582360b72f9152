"""The folder of a run: its files by what they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.machine import checkout_commit, this_machine
from unseen.core.task import Task
from unseen.runs.config import Config, read_config, write_config
from unseen.runs.log import LogLine, read_log
from unseen.runs.names import NO_OPTIONS, RUNS, file_name, folder_of, model_name
from unseen.runs.state import State, read_state

CONFIG, LOG, LAST, BOARD = "config.json", "log.jsonl", "last.safetensors", "tensorboard"


@dataclass(frozen=True, repr=False)
class Run:
    """One training of one model on one task with one seed, or a baseline's answers, and the folder that holds it."""

    folder: Path
    config: Config
    rank: int = field(default=0, compare=False)  # of the process that holds this; 0 is the one that writes

    @cached_property
    def task(self) -> Task:
        """The task that was trained on; files that its options name must be what they were."""
        task = task_named(self.config.task)
        task.check_contents(self.config.contents, self.folder)
        return task

    def __repr__(self) -> str:
        config = self.config
        return f"<{model_name(config.model, config.options)} on {config.task}, seed {config.seed}: {self.folder}>"

    @property
    def log_file(self) -> Path:
        """The file of the learning curve."""
        return self.folder / LOG

    @property
    def board(self) -> Path:
        """The folder of the learning curve for TensorBoard."""
        return self.folder / BOARD

    @property
    def checkpoint(self) -> Path:
        """The file that training goes on from."""
        return self.folder / LAST

    def weights(self, stage: str | None = None) -> Path:
        """Return the file with the best weights of a stage, the last one by default."""
        stage = list(self.config.recipes)[-1] if stage is None else stage
        return self.folder / f"best{f'-{file_name(stage)}' if stage else ''}.safetensors"

    def predictions_file(self, split: str) -> Path:
        """Return the file with the answers to a split, which may not be there yet."""
        return self.folder / f"predictions-{file_name(split)}.parquet"

    def attribution_file(self, split: str) -> Path:
        """Return the file of where the model looked in examples of a split, which need not be there."""
        return self.folder / f"attribution-{file_name(split)}.npz"

    @property
    def predictions(self) -> dict[str, Path]:
        """The predictions files there are, by split in the task's order."""
        files = {split: self.predictions_file(split) for split in self.task.splits}
        return {split: path for split, path in files.items() if path.is_file()}

    def views_file(self, split: str) -> Path:
        """Return the file with what the model makes of some examples of a split, which may not be there."""
        return self.folder / f"views-{file_name(split)}.npz"

    @property
    def views(self) -> dict[str, Path]:
        """The files of views there are, by split in the task's order."""
        files = {split: self.views_file(split) for split in self.task.splits}
        return {split: path for split, path in files.items() if path.is_file()}

    @property
    def state(self) -> State:
        """Where training is, or how it ended."""
        return read_state(self.checkpoint)

    @property
    def log(self) -> list[LogLine]:
        """The learning curve; empty where nothing was trained."""
        return read_log(self.log_file)

    def curve(self, split: str, value: str) -> list[tuple[int, float]]:
        """Return what was measured on a split, by step."""
        found = ((line.step, line.splits.get(split, {})) for line in self.log)
        return [(step, measured[value]) for step, measured in found if value in measured]

    @property
    def stages(self) -> dict[str, int]:
        """The stages that training has been in so far, each with the last step before it."""
        began: dict[str, int] = {}
        before = 0
        for line in self.log:
            began.setdefault(line.stage, before)
            before = line.step
        return began

    def write_config(self) -> None:
        """Write down what was asked for; with this the folder is that of a run."""
        write_config(self.folder / CONFIG, self.config)

    def clear(self) -> None:
        """Remove the run and its predictions, and nothing else that may lie in its folder."""
        patterns = (
            *(CONFIG, LOG, LAST, "best.safetensors", "best-*.safetensors"),
            *("predictions-*.parquet", "views-*.npz", "attribution-*.npz"),
        )
        for path in (path for pattern in patterns for path in self.folder.glob(pattern)):
            path.unlink(missing_ok=True)
        rmtree(self.board, ignore_errors=True)


def is_run(folder: str | Path) -> bool:
    """Tell whether a folder is that of a run."""
    return (Path(folder) / CONFIG).is_file()


def find_runs(root: Path) -> list[Path]:
    """Return the run folders in a folder, itself included."""
    return sorted(path.parent for path in root.rglob(CONFIG))


def open_run(folder: str | Path) -> Run:
    """Return the run in a folder, trained or being trained."""
    return Run(Path(folder), read_config(Path(folder) / CONFIG))


def write_untrained(
    task: Task,
    model: str,
    *,
    seed: int,
    out: Path = RUNS,
    options: Mapping[str, Any] = NO_OPTIONS,
    taker: str = "",
) -> Run:
    """Write down the run of a test taker that is not trained here; its predictions belong there.

    A baseline has a name that says it all; a language model or people may be asked in several ways, by `options`.
    """
    config = Config(
        task=task.id,
        content=task.benchmark.version,
        examples=0,
        data_seed=seed,
        model=model.replace(":", "-"),  # what stands before a colon is a file elsewhere
        options=dict(options),
        seed=seed,
        recipes={},
        contents=task.contents(),
        parameters=0,
        versions={"unseen": version("unseen")},
        machine=asdict(this_machine()),
        commit=checkout_commit(),
        taker=taker,
    )
    run = Run(folder_of(task.id, model.replace(":", "-"), seed, options=options, out=out), config)
    run.write_config()
    return run
