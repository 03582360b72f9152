"""A result is one JSON record that a stranger could run again, and score again.

results/cogitao/s2-translate/resnet-seed-0.json
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import ceil
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from unseen.core.errors import DataError
from unseen.core.files import write_whole
from unseen.core.machine import Machine, checkout_commit, this_machine
from unseen.core.options import parse_id
from unseen.predict import read_predictions
from unseen.results.run import Run, broken, model_name, read_run
from unseen.results.scoring import Scores, score

FORMAT = 1  # of the record; raised by any change of its fields
FOLDER = Path("results")


@dataclass(frozen=True)
class MetricValue:
    """What a metric gave, and which way is better."""

    value: float  # over all examples of the split, on the metric's own scale: a share is 0 to 1
    better: Literal["higher", "lower"]


@dataclass(frozen=True)
class SplitScores:
    """How one split was answered."""

    count: int  # examples that were answered
    seed: int  # of the data, not of the training
    digest: str  # SHA-256 of the predictions file, which scores the same at any time
    metrics: dict[str, MetricValue]


@dataclass(frozen=True)
class Budget:
    """What training was given."""

    recipe: dict[str, Any]  # batch size, epochs, learning rate and so on, as the run's config.json has them
    steps: int  # of the optimizer
    examples: int  # that training saw, each as often as it saw it
    seconds: float  # of wall-clock time
    cpu_seconds: float | None  # of all its processes; none where the run did not measure it


@dataclass(frozen=True)
class Record:
    """One run: what was trained on what, for how long, where, and how it scored."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    format: int  # of this record
    task: str  # id with its options, "cogitao/s2-translate"
    options: dict[str, str]  # of the task, as written in its id; defaults left out
    seed: int  # of the training: initial weights and order of the examples
    model: str  # registered name, or that of the class in a user's own file
    model_options: dict[str, Any]  # by which the model differs from its defaults
    parameters: int | None  # trained numbers in the model; none where the run did not say
    init_from: str  # the run whose weights it began with; empty where it began afresh
    freeze: tuple[str, ...]  # parts of the model that did not learn
    budget: Budget
    scores: dict[str, SplitScores]  # by split
    benchmark_version: int  # of the content: other versions have other examples
    versions: dict[str, str]  # of packages, when it trained
    machine: Machine  # that trained; where the run does not say, the one that scored
    commit: str | None  # of this library when it scored, "-dirty" with changes; none where it was installed

    @property
    def place(self) -> Path:
        """Where this record is kept, in a folder of results."""
        return Path(self.task) / f"{model_name(self.model, self.model_options)}-seed-{self.seed}.json"


def write_record(run_folder: Path, results: Path = FOLDER) -> Path:
    """Score the predictions of a run, write its record, and say where."""
    run = read_run(run_folder)
    record = record_of(run, score_run(run))
    path = results / record.place
    write_whole(path, (json.dumps(asdict(record), indent=2, allow_nan=False) + "\n").encode())
    return path


def score_run(run: Run) -> dict[str, Scores]:
    """The scores of every split that a run predicted."""
    if not run.predictions:
        raise DataError(f"{run.folder} has no predictions to score; make them: unseen predict {run.folder}")
    answers = {split: read_predictions(path) for split, path in run.predictions.items()}
    return {split: score(run.task, split, found, seed=found.seed) for split, found in answers.items()}


def record_of(run: Run, scores: Mapping[str, Scores]) -> Record:
    """The record of a run and its scores."""
    config, task = run.config, run.task
    return Record(
        format=FORMAT,
        task=task.id,
        options=parse_id(task.id)[1],
        seed=config.seed,
        model=model_name(config.model),
        model_options=config.options,
        parameters=config.parameters,
        init_from=config.init_from,
        freeze=config.freeze,
        budget=_budget(run),
        scores={split: _split_scores(found) for split, found in scores.items()},
        benchmark_version=config.content,
        versions=config.versions,
        machine=_machine(config.machine),
        commit=checkout_commit(),
    )


def _split_scores(scores: Scores) -> SplitScores:
    directions: dict[str, Any] = scores.directions
    metrics = {name: MetricValue(value, directions[name]) for name, value in scores.items()}
    return SplitScores(scores.count, scores.seed, scores.digest, metrics)


def _machine(said: Mapping[str, Any]) -> Machine:
    """The machine as a run noted it, and for what it did not note, this one."""
    names = {one.name for one in fields(Machine)}
    return replace(this_machine(), **{name: value for name, value in said.items() if name in names})


def _budget(run: Run) -> Budget:
    recipe = run.config.recipe
    if not run.log:
        return Budget(recipe, steps=0, examples=0, seconds=0.0, cpu_seconds=None)
    last = run.log[-1]
    examples = examples_seen(last.step, recipe["batch_size"], run.config.examples)
    return Budget(recipe, last.step, examples, last.seconds, last.cpu_seconds)


def examples_seen(steps: int, batch_size: int, size: int) -> int:
    """How many examples some steps went through, the last batch of an epoch being what is left of it.

    >>> examples_seen(16, 64, 1000), examples_seen(17, 64, 1000)
    (1000, 1064)
    """
    epochs, further = divmod(steps, ceil(size / batch_size))
    return epochs * size + further * batch_size


def read_record(path: Path) -> Record:
    """Read a record, and check that it is one."""
    try:
        record = TypeAdapter(Record).validate_json(path.read_bytes())
    except FileNotFoundError:
        raise DataError(f"there is no record {path}; `unseen score` on the folder of a run writes one") from None
    except ValidationError as error:
        raise broken(path, error, "write it again: unseen score on the folder of its run") from None
    if record.format != FORMAT:
        raise DataError(f"{path} has format {record.format}, and this version reads {FORMAT}")
    return record


def read_records(folder: Path) -> list[Record]:
    """Every record in a folder of results, none where there is no such folder."""
    return [read_record(path) for path in sorted(folder.rglob("*-seed-*.json"))]
