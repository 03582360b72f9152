"""A run folder as training leaves it: what was run, how it went, and the predictions.

runs/cogitao/s2-translate/resnet/seed-0/
    config.json                   task, model, options, recipe, seed, versions, machine
    log.jsonl                     a line per evaluation: step, epoch, seconds, and what was measured on each split
    predictions-test.parquet      one per predicted split

A baseline that needs no training has a run too, without a log, so that it is scored and compared like any other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from unseen.core.catalogue import task
from unseen.core.errors import DataError
from unseen.core.files import write_whole
from unseen.core.machine import this_machine
from unseen.core.options import written_value
from unseen.core.task import Task

CONFIG, LOG = "config.json", "log.jsonl"
PREDICTIONS = "predictions-{split}.parquet"
RUNS = Path("runs")


@dataclass(frozen=True)
class Config:
    """What was run. Training may write more than is read here."""

    task: str  # id, with its options
    content: int  # version of the benchmark's content
    examples: int  # trained on, each as often as there were epochs
    model: str  # registered name, or "file.py:Class"
    options: dict[str, Any]  # by which the model differs from its defaults
    seed: int
    recipe: dict[str, Any]  # of the training: batch size, epochs, learning rate and so on
    versions: dict[str, str]  # of packages
    init_from: str = ""  # the run whose weights it began with
    freeze: tuple[str, ...] = ()  # parts that did not learn
    machine: dict[str, Any] = field(default_factory=dict)
    parameters: int | None = None  # trained numbers in the model


@dataclass(frozen=True)
class LogLine:
    """What was measured at one step."""

    step: int
    seconds: float  # since the run began, interruptions left out
    cpu_seconds: float | None  # of all processes; none where it was not measured
    splits: dict[str, dict[str, float]]  # the loss of each split, and the accuracy where it was evaluated


@dataclass(frozen=True)
class Run:
    """A run folder that has been read."""

    folder: Path
    config: Config
    log: tuple[LogLine, ...] = field(repr=False)

    @property
    def task(self) -> Task:
        """The task that was trained on."""
        return task(self.config.task)

    @property
    def predictions(self) -> dict[str, Path]:
        """The predictions files there are, by split in the task's order."""
        files = {split: self.folder / PREDICTIONS.format(split=split) for split in self.task.splits}
        return {split: path for split, path in files.items() if path.is_file()}

    def curve(self, split: str, value: str) -> list[tuple[int, float]]:
        """What was measured on a split, by step."""
        found = ((line.step, line.splits.get(split, {})) for line in self.log)
        return [(step, measured[value]) for step, measured in found if value in measured]


def model_name(model: str, options: Mapping[str, Any] = MappingProxyType({})) -> str:
    """A model and its options as folders and files are named: without the path of a user's own file.

    >>> model_name("resnet"), model_name("my/models.py:Mine", {"width": 64})
    ('resnet', 'Mine+width=64')
    """
    written = (f"+{name}={written_value(options[name])}" for name in sorted(options))
    return model.rpartition(":")[2] + "".join(written)


def is_run(folder: Path) -> bool:
    """Whether a folder is that of a run."""
    return (folder / CONFIG).is_file()


def find_runs(root: Path) -> list[Path]:
    """The run folders in a folder, itself included."""
    return sorted(path.parent for path in root.rglob(CONFIG))


def read_run(folder: Path) -> Run:
    """Read the folder of a run."""
    return Run(folder, _read_config(folder), tuple(_read_log(folder / LOG)))


def write_untrained(task: Task, model: str, *, seed: int, out: Path = RUNS) -> Path:
    """Write down the run of a baseline that needs no training, and say where its predictions belong."""
    config = Config(
        task=task.id,
        content=task.benchmark.version,
        examples=0,
        model=model,
        options={},
        seed=seed,
        recipe={},
        versions={"unseen": version("unseen")},
        machine=asdict(this_machine()),
        parameters=0,
    )
    folder = out / task.id / model / f"seed-{seed}"
    write_whole(folder / CONFIG, (json.dumps(asdict(config), indent=2) + "\n").encode())
    return folder


def _read_config(folder: Path) -> Config:
    path = folder / CONFIG
    try:
        return TypeAdapter(Config).validate_json(path.read_bytes())
    except FileNotFoundError:
        raise DataError(f"{folder} is not the folder of a run: it has no {CONFIG}; `unseen train` makes one") from None
    except ValidationError as error:
        raise broken(path, error, "`unseen train` writes it") from None


def _read_log(path: Path) -> Iterator[LogLine]:
    lines = path.read_text().splitlines() if path.is_file() else []
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            splits = {name: value for name, value in line.items() if isinstance(value, dict)}
            yield LogLine(line["step"], line["seconds"], line.get("cpu_seconds"), splits)
        except (ValueError, KeyError, AttributeError):
            if number == len(lines):  # training was stopped while it wrote
                return
            raise DataError(f"{path}, line {number}: not an object with step and seconds") from None


def broken(path: Path, error: ValidationError, mend: str) -> DataError:
    """The sentence for a file whose content is not what it should be."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    return DataError(f"{path} cannot be read{f' at {where}' if where else ''}: {first['msg'].lower()}; {mend}")
