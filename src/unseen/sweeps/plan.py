"""A sweep file -> the runs it asks for.

    seeds = 3                                   # or a list of seeds; 1 by default

    [pretrain]
    tasks = "cogitao/s3-mirror"                 # one or several; or table = "2" of a benchmark
    models = ["resnet"]

    [finetune]
    tasks = ["cogitao/s1-mirror", "cogitao/s2-mirror"]
    models = "resnet"
    from = "pretrain"                           # each begins with the weights of the run there that is most like it
    recipe = { learning_rate = 1e-4 }           # where training differs from the paper's

What stands above the blocks holds for all of them; a file without blocks is one. Where an option of a task (`options`)
or of a model (`set`) is a list, every value is tried. `from` may be a table of tasks, which then need not be named
again; a task that starts from several runs is run once after each.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from unseen.core.analysis import settled
from unseen.core.catalogue import BENCHMARKS
from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError, SpecError, unknown
from unseen.core.nesting import parsed
from unseen.core.own_code import own_code
from unseen.core.validation import CHECKED
from unseen.results.compare import experiments_of
from unseen.runs import file_name, folder_of, record_place

FOLDER = "sweeps"  # of a benchmark's package, with the files that ship
WEIGHTS = (".safetensors", ".pt", ".pth")  # files that a run may start from


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _seeds(value: Any) -> Any:
    return range(value) if isinstance(value, int) and not isinstance(value, bool) else value


Several = Annotated[tuple[str, ...], BeforeValidator(_several)]


@dataclass(frozen=True)
class Block:
    """Runs that are asked for together: every task with every model, seed and option."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    tasks: Several = ()
    models: Several = ()
    benchmark: str = ""  # whose published table it is
    table: str = ""  # its tasks and models, instead of naming them
    seeds: Annotated[tuple[int, ...], BeforeValidator(_seeds)] = (0,)
    options: dict[str, Any] = field(default_factory=dict)  # of tasks
    set: dict[str, Any] = field(default_factory=dict)  # options of models
    recipe: dict[str, Any] = field(default_factory=dict)  # what differs from the paper's; `stage.name` of one stage
    predict: Several = ()  # splits; those that the task is tested on by default
    count: Annotated[int, Field(ge=0)] = 0  # answers to each split, to its first so many examples; 0: to all
    # `from` in files: BLOCK, BLOCK:TASK or a file of weights; for all tasks, or for each its own, or several in turn
    start: str | dict[str, Several] = ""
    stage: str = ""  # whose weights are taken of the run that it starts from
    names: dict[str, str] = field(default_factory=dict)  # how names there begin -> how they begin in the model
    freeze: Several = ()  # parts that do not learn


@dataclass(frozen=True)
class Planned:
    """One run: all that it takes to do it, and where it belongs."""

    task: str  # id, with its options
    model: str
    seed: int
    block: str = ""
    options: dict[str, Any] = field(default_factory=dict)  # of the model
    recipe: dict[str, Any] = field(default_factory=dict)
    predict: tuple[str, ...] = ()
    count: int = 0
    start: str = ""  # folder of the run that it starts from, with ":stage" where one is named
    after: str = ""  # record of that run
    names: dict[str, str] = field(default_factory=dict)
    freeze: tuple[str, ...] = ()
    budget: float = 1.0  # share of the training
    out: str = "."

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return folder_of(self.task, self.model, self.seed, options=self.options, out=self._room("runs"))

    @property
    def record(self) -> Path:
        """The file of its record; the run is done when it is there."""
        return self._room("results") / record_place(self.task, self.model, self.seed, options=self.options)

    @property
    def claim(self) -> Path:
        """The file that the process which works on it holds."""
        place = record_place(self.task, self.model, self.seed, options=self.options, ending=".claim")
        return self._room("claims") / place

    @property
    def name(self) -> str:
        """What people call it."""
        where = f"{self.block}: " if self.block else ""
        return f"{where}{self.task} {self.folder.parent.name} seed {self.seed}"

    def belongs_to(self, part: str) -> bool:
        """Tell whether it is of a part of the sweep: of a block, or of the tasks whose names begin so."""
        return self.block == part or self.task.partition("/")[2].startswith(part)

    def _room(self, name: str) -> Path:
        return Path(self.out) / name / file_name(self.block) if self.block else Path(self.out) / name


def shipped() -> dict[str, Path]:
    """Return the sweeps that ship with benchmarks, by name: `cogitao/table-2`."""
    found: dict[str, Path] = {}
    for name in BENCHMARKS:
        package = Path(str(BENCHMARKS[name].file("splits").__file__)).parent
        found |= {f"{name}/{path.stem}": path for path in sorted((package / FOLDER).glob("*.toml"))}
    return found


def read_sweep(source: str) -> dict[str, Block]:
    """Read the blocks of a sweep file, or of a sweep that ships, by name; the only one may have none."""
    path = Path(source) if source.endswith(".toml") else _shipped(source)
    try:
        content = parsed(tomllib.loads, path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from None
    except ValueError as error:
        raise DataError(f"{path} is not TOML: {error}") from None
    known = {"from" if one.name == "start" else one.name for one in fields(Block)}
    blocks = {name: value for name, value in content.items() if isinstance(value, dict) and name not in known}
    common = {name: value for name, value in content.items() if name not in blocks}
    return {name: _block(path, {**common, **own}, name) for name, own in (blocks or {"": {}}).items()}


def _shipped(source: str) -> Path:
    known = shipped()
    if source not in known:
        raise unknown("sweep", source, known, listing="unseen sweep")
    return known[source]


def _block(path: Path, content: Mapping[str, Any], name: str) -> Block:
    where = f"{path}, [{name}]" if name else str(path)
    if "start" in content:
        raise DataError(f"{where}: there is no setting start; what a run starts from is written from = ...")
    try:
        given = {"start" if key == "from" else key: value for key, value in content.items()}
        block = TypeAdapter(Block).validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        at = ".".join(str(part) for part in first["loc"]) or "the file"
        if first["type"] == "unexpected_keyword_argument":
            raise DataError(str(unknown("setting", at, [one.name for one in fields(Block)], where=where))) from None
        raise DataError(f"{where}: {at}: {first['msg'].lower()}") from None
    if not (block.table or block.tasks) and isinstance(block.start, dict):
        block = replace(block, tasks=tuple(block.start))
    if bool(block.table) == bool(block.tasks):
        raise DataError(f"{where}: name tasks, or a benchmark and its table, and not both")
    if block.tasks and not block.models:
        raise DataError(f"{where}: name models to train: models = [...]")
    return block


def plan(
    blocks: Mapping[str, Block],
    *,
    out: str | Path = ".",
    budget: float = 1.0,
    models: Iterable[str] = (),
    only: Iterable[str] = (),
    seeds: int | None = None,
    count: int | None = None,
    recipe: Mapping[str, Any] | None = None,
    trust: bool = False,
) -> list[Planned]:
    """The runs of some blocks, less what was not asked for; whatever a run starts from is kept, and comes before it.

    `recipe` goes over what the blocks say of how to train.

    Models in files of one's own are code that only the sweep names: it has to be known, or trusted.
    """
    if not 0 < budget <= 1:
        raise SpecError(f"the budget is a share of the training, above 0 and at most 1, got {budget:g}")
    blocks = {
        name: replace(block, count=count or block.count, recipe={**block.recipe, **(recipe or {})})
        for name, block in blocks.items()
    }
    every = {name: _runs(name, block, out=str(out), budget=budget) for name, block in blocks.items()}
    linked = {name: [one for run in runs for one in _linked(run, blocks[name], every)] for name, runs in every.items()}
    found = [one for runs in linked.values() for one in runs]
    kept_seeds = {name: set(block.seeds[:seeds]) for name, block in blocks.items()}
    wanted = [
        one
        for name, runs in linked.items()
        for one in runs
        if one.seed in kept_seeds[name]
        and (not (named := list(models)) or one.model in named)
        and (not (parts := list(only)) or any(one.belongs_to(part) for part in parts))
    ]
    planned = _in_order(wanted, {str(one.record): one for one in found})
    for model in dict.fromkeys(one.model for one in planned):
        if code := own_code(model):
            code.check("the sweep", trust=trust)
    return planned


def _runs(name: str, block: Block, *, out: str, budget: float) -> list[Planned]:
    """Every run of a block, all tasks once before any a second time."""
    return [
        Planned(
            task=task_named(task, **chosen).id,
            model=model,
            seed=seed,
            block=name,
            options=own,
            recipe=block.recipe,
            predict=block.predict,
            count=block.count,
            names=block.names,
            freeze=block.freeze,
            budget=budget,
            out=out,
        )
        for seed in block.seeds
        for task, model in _places(block)
        for chosen in _choices(block.options)
        for own in _choices(block.set)
    ]


def _places(block: Block) -> list[tuple[str, str]]:
    """The tasks and models of a block: those it names, or those of a published table."""
    if not block.table:
        return list(product(block.tasks, block.models))
    benchmark = BENCHMARKS[block.benchmark]
    tables = benchmark.file("paper").TABLES
    if block.table not in tables:
        raise unknown("table", block.table, tables, where=benchmark.name)
    places = dict.fromkeys(
        (f"{benchmark.name}/{experiment}", result.model)
        for result in tables[block.table]
        for experiment in experiments_of(benchmark, result.task)
    )
    return [(task, model) for task, model in places if not block.models or model in block.models]


def _choices(options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every way to choose one value of each option.

    >>> _choices({"samples": [20, 50], "size": 64})
    [{'samples': 20, 'size': 64}, {'samples': 50, 'size': 64}]
    """
    values = [value if isinstance(value, list) else [value] for value in options.values()]
    return [dict(zip(options, chosen, strict=True)) for chosen in product(*values)]


# ---------------------------------------------------------------------------- what starts from what


def _linked(one: Planned, block: Block, every: Mapping[str, Sequence[Planned]]) -> list[Planned]:
    """A run with the place of the one whose weights it starts from; one for each, in rooms of their own, of several."""
    if isinstance(block.start, str):
        starts: tuple[str, ...] = (block.start,) if block.start else ()
    else:
        starts = block.start.get(one.task, block.start.get(one.task.partition("+")[0], ()))
    found = [_started(one, written, block.stage, every) for written in starts]
    if len(found) < 2:
        return found or [one]
    return [replace(run, block=f"{one.block} after {Path(run.start).parts[-3]}") for run in found]


def _started(one: Planned, written: str, stage: str, every: Mapping[str, Sequence[Planned]]) -> Planned:
    """A run with the weights that it starts from, as a file writes them down."""
    if Path(written).suffix in WEIGHTS:
        return replace(one, start=written)
    name, _, task = written.partition(":")
    if name not in every:
        raise unknown("block", name, filter(None, every), where="the sweep")
    source = _most_alike(one, every[name], settled(task) if task else "")
    return replace(one, start=f"{source.folder}{f':{stage}' if stage else ''}", after=str(source.record))


def _most_alike(one: Planned, others: Sequence[Planned], task: str) -> Planned:
    """The run that agrees with another in task, model, options and seed, wherever there are several to choose from."""
    left = [other for other in others if not task or other.task == task]
    for name in ("task", "model", "options", "seed"):
        left = [other for other in left if getattr(other, name) == getattr(one, name)] or left
    if len(left) != 1:
        block = others[0].block
        raise SpecError(f'{one.name} could start from {len(left)} runs of {block}; say which: from = "{block}:TASK"')
    return left[0]


def _in_order(wanted: Sequence[Planned], by_record: Mapping[str, Planned]) -> list[Planned]:
    """The runs with those they start from, each once, and each after the one it starts from."""
    found: dict[str, Planned] = {}

    def add(one: Planned, users: tuple[str, ...]) -> None:
        if str(one.record) in users:
            raise SpecError(f"{one.name} would start from itself")
        if one.after:
            add(by_record[one.after], (*users, str(one.record)))
        found.setdefault(str(one.record), one)

    for one in wanted:
        add(one, ())
    return list(found.values())
