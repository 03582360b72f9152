"""A result is one JSON record that a stranger could run again, and score again.

results/cogitao/s2-translate/resnet-seed-0.json
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from unseen.core.errors import DataError
from unseen.core.files import write_whole
from unseen.core.machine import Machine, checkout_commit, this_machine
from unseen.core.options import parse_id
from unseen.core.seals import sealed_json, without_seal
from unseen.core.validation import CHECKED, Whole
from unseen.data.manifest import read_manifest
from unseen.predict import read_predictions
from unseen.results.scoring import Scores, score
from unseen.runs import RUNS, Config, Run, broken, model_name, open_run, record_place

FORMAT = 3  # of the record; raised by any change of its fields
READABLE = (1, 2, 3)  # earlier ones lack some of the fields that have defaults
FOLDER = Path("results")


@dataclass(frozen=True)
class MetricValue:
    """What a metric gave, and which way is better."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    value: float  # over all examples of the split, on the metric's own scale: a share is 0 to 1
    better: Literal["higher", "lower"]
    interval: tuple[float, float] | None = None  # that it lies in with a confidence of 95 %, had other items been drawn


@dataclass(frozen=True)
class SplitScores:
    """How one split was answered."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    count: Whole  # examples that were answered
    seed: Whole  # of the data, not of the training
    digest: str  # SHA-256 of the predictions file, which scores the same at any time
    metrics: dict[str, MetricValue]


@dataclass(frozen=True)
class Stored:
    """The folder of stored examples that a run was trained on."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    folder: str  # where it was
    digest: str  # of the keys of the training examples: the same wherever the data is
    splits: dict[str, Whole]  # how many examples it held of each split


@dataclass(frozen=True)
class Budget:
    """What training was given."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    recipe: dict[str, Any]  # batch size, epochs, learning rate and so on, or the same of each stage
    steps: Whole  # of the optimizer
    examples: Whole  # that training saw, each as often as it saw it
    seconds: float  # of wall-clock time
    cpu_seconds: float | None  # of all its processes; none where the run did not measure it


@dataclass(frozen=True, repr=False)
class Record:
    """One run: what was trained on what, for how long, where, and how it scored."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    format: Whole  # of this record
    task: str  # id with its options, "cogitao/s2-translate"
    options: dict[str, str]  # of the task, as written in its id; defaults left out
    seed: Whole  # of the training: initial weights and order of the examples
    model: str  # registered name, or that of the class in a user's own file
    model_options: dict[str, Any]  # by which the model differs from its defaults
    parameters: Whole | None  # trained numbers in the model; none where the run did not say
    init_from: str  # the run whose weights it began with; empty where it began afresh
    freeze: tuple[str, ...]  # parts of the model that did not learn
    budget: Budget
    scores: dict[str, SplitScores]  # by split
    benchmark_version: Whole  # of the content: other versions have other examples
    versions: dict[str, str]  # of packages, when it trained
    machine: Machine  # that trained; where the run does not say, the one that scored
    commit: str | None  # of this library when it scored, "-dirty" with changes; none where it was installed
    model_file: str = ""  # "my/models.py:Mine" where the model is a user's own
    model_digest: str = ""  # SHA-256 of that file
    examples: Whole | None = None  # in the training set; none where the record does not say
    data_seed: Whole = 0  # of the examples that it was trained on
    stored: Stored | None = None  # none where examples were drawn
    init_digest: str = ""  # SHA-256 of the weights it began with
    init_names: dict[str, str] = field(default_factory=dict)  # how their names began -> how the model's begin
    contents: dict[str, str] = field(default_factory=dict)  # digests of files and folders that the task's options name
    taker: str = ""  # "language model" or "people", where no model of this library answered
    form: str = ""  # of the question, where it is a view and not the task's own

    def __repr__(self) -> str:
        model = model_name(self.model, self.model_options)
        return f"<{model} on {self.task}, seed {self.seed}: scores of {', '.join(self.scores)}>"

    @property
    def place(self) -> Path:
        """Where this record is kept, in a folder of results."""
        return record_place(self.task, self.model, self.seed, options=self.model_options)


def write_record(run_folder: Path, results: Path = FOLDER) -> Path:
    """Score the predictions of a run, write its record, and say where."""
    run = open_run(run_folder)
    record = record_of(run, score_run(run))
    path = results / record.place
    write_whole(path, sealed_json(asdict(record)))
    return path


def score_run(run: Run, metrics: Sequence[str] | None = None) -> dict[str, Scores]:
    """Return the scores of every split that a run predicted, by the task's metrics or those named."""
    if not run.predictions:
        raise DataError(f"{run.folder} has no predictions to score; make them: unseen predict {run.folder}")
    answers = {split: read_predictions(path) for split, path in run.predictions.items()}
    return {split: score(run.task, split, found, seed=found.seed, metrics=metrics) for split, found in answers.items()}


def record_of(run: Run, scores: Mapping[str, Scores]) -> Record:
    """Return the record of a run and its scores."""
    config, task = run.config, run.task
    return Record(
        format=FORMAT,
        task=task.id,
        options=parse_id(task.id)[1],
        seed=config.seed,
        model=model_name(config.model),
        model_options=config.options,
        parameters=config.parameters,
        init_from=_beginning(run),
        freeze=config.freeze,
        budget=_budget(run),
        scores={split: _split_scores(found) for split, found in scores.items()},
        benchmark_version=config.content,
        versions=config.versions,
        machine=_machine(config.machine),
        commit=checkout_commit(),
        model_file=config.model if config.model_digest else "",
        model_digest=config.model_digest,
        examples=config.examples,
        data_seed=config.data_seed,
        stored=_stored(config),
        init_digest=config.init_digest,
        init_names=config.init_names,
        contents=config.contents,
        taker=config.taker,
        form=_only_form(run, scores),
    )


def _beginning(run: Run) -> str:
    """Say what a run began with; another run of the same folder is named from there, so that records can travel."""
    begun = run.config.init_from
    for room in run.folder.absolute().parents if begun else ():
        if room.name == RUNS.name and Path(begun).absolute().is_relative_to(room):
            return str(Path(begun).absolute().relative_to(room.parent))
    return begun


def _only_form(run: Run, scores: Mapping[str, Scores]) -> str:
    """The question that all splits of a run answer."""
    forms = {found.form for found in scores.values()}
    if len(forms) > 1:
        raise DataError(f"{run.folder} answers several questions: {', '.join(sorted(forms))}; give each its own folder")
    return forms.pop() if forms else ""


def _stored(config: Config) -> Stored | None:
    """The folder of data that a run names, with what it holds; of one that is gone, what the run knows of it."""
    if not config.data:
        return None
    try:
        manifest = read_manifest(config.data)
        splits = {name: stored.count for name, stored in manifest.splits.items()}
    except DataError:
        splits = {"train": config.examples}
    return Stored(config.data, config.data_digest, splits)


def _split_scores(scores: Scores) -> SplitScores:
    directions: dict[str, Any] = scores.directions
    metrics = {name: MetricValue(value, directions[name], scores.intervals.get(name)) for name, value in scores.items()}
    return SplitScores(scores.count, scores.seed, scores.digest, metrics)


def _machine(said: Mapping[str, Any]) -> Machine:
    """The machine as a run noted it, and for what it did not note, this one."""
    names = {one.name for one in fields(Machine)}
    return replace(this_machine(), **{name: value for name, value in said.items() if name in names})


def _budget(run: Run) -> Budget:
    recipe, log = _recipe(run.config), run.log
    if not log:
        return Budget(recipe, steps=0, examples=0, seconds=0.0, cpu_seconds=None)
    last = log[-1]
    return Budget(recipe, last.step, last.examples, last.seconds, last.cpu_seconds)


def _recipe(config: Config) -> dict[str, Any]:
    """The settings of a training, or those of each of its stages by name."""
    recipes = {stage: asdict(recipe) for stage, recipe in config.recipes.items()}
    return recipes.get("", {"stages": recipes} if recipes else {})


def read_record(path: Path) -> Record:
    """Read a record, and check that it is one."""
    try:
        record = TypeAdapter(Record).validate_json(without_seal(path.read_bytes(), path))
    except FileNotFoundError:
        raise DataError(f"there is no record {path}; `unseen score` on the folder of a run writes one") from None
    except ValidationError as error:
        raise broken(path, error, "write it again: unseen score on the folder of its run") from None
    if record.format not in READABLE:
        raise DataError(f"{path} has format {record.format}, and this version reads {' and '.join(map(str, READABLE))}")
    return record


def record_files(folder: Path) -> list[Path]:
    """Return the files of records in a folder of results, none where there is no such folder."""
    return sorted(folder.rglob("*-seed-*.json"))
