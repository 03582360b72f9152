"""A run: one training of one model on one task with one seed, and the folder that holds it.

runs/cogitao/s2-translate/resnet/seed-0/
    config.json          what was asked for; a run of another configuration is refused the folder
    log.jsonl            the learning curve, a row per evaluation; the same for TensorBoard in tensorboard/
    last.safetensors     all that training goes on from
    best.safetensors     the weights with the lowest loss on the chosen split
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from typing import Any

import torch
from lightning_fabric import Fabric
from torch import nn

from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError
from unseen.core.files import write_whole
from unseen.core.machine import this_machine
from unseen.core.options import written_value
from unseen.core.task import Task
from unseen.data.dataset import SEED, Dataset
from unseen.data.lock import one_writer, remove_leftovers
from unseen.data.manifest import read_manifest
from unseen.data.stored import drawn_or_stored
from unseen.train.checkpoint import load_weights, read_state
from unseen.train.devices import Devices, seed_everything
from unseen.train.feed import Feed
from unseen.train.journal import LOG, TENSORBOARD, Row, read_log
from unseen.train.loop import BEST, LAST, SAVE_SECONDS, Loop, Progress, State
from unseen.train.modules import freeze as freeze_parts
from unseen.train.modules import load_matching, make_model, short_name
from unseen.train.recipe import Recipe, recipe_for

CONFIG = "config.json"
RUNS = Path("runs")
PREDICTIONS = "predictions-"  # and the split: files that the next room leaves here
EVALUATED = ("val", "val_ood")
DEVICES = Devices()


@dataclass(frozen=True)
class Config:
    """What a run is of. Two runs with equal configurations give the same result."""

    task: str
    content: int  # version of the benchmark's content
    examples: int  # trained on
    data_seed: int
    model: str
    options: dict[str, Any]
    seed: int
    recipe: Recipe
    init_from: str = ""
    freeze: tuple[str, ...] = ()
    parameters: int = field(default=0, compare=False)  # trained numbers in the model
    versions: dict[str, str] = field(default_factory=dict, compare=False)
    machine: dict[str, Any] = field(default_factory=dict, compare=False)

    def difference(self, other: Config) -> str:
        """The first thing in which another configuration differs, in words."""
        mine, others = _flat(self), _flat(other)
        name = next(name for name in mine if mine[name] != others[name])
        return f"{name} is {mine[name]!r} there, and {others[name]!r} was asked for"


def _flat(config: Config) -> dict[str, Any]:
    compared = {one.name: getattr(config, one.name) for one in fields(Config) if one.compare}
    recipe = compared.pop("recipe")
    return compared | {one.name: getattr(recipe, one.name) for one in fields(Recipe) if one.compare}


@dataclass(frozen=True)
class Run:
    """The folder of a run."""

    folder: Path
    config: Config
    rank: int = 0  # of the process that holds this; 0 is the one that writes

    @cached_property
    def task(self) -> Task:
        """The task it trained on."""
        return task_named(self.config.task)

    @property
    def curve(self) -> list[Row]:
        """The learning curve."""
        return read_log(self.folder)

    @property
    def state(self) -> State:
        """Where training is, or how it ended."""
        read = read_state(self.folder / LAST)
        return State(**{one.name: read[one.name] for one in fields(State)})

    def model(self) -> nn.Module:
        """The model at its best, ready to answer."""
        model = make_model(self.config.model, self.task, self.config.options)
        try:
            model.load_state_dict(load_weights(self.folder / BEST))
        except RuntimeError as error:
            raise DataError(f"the weights of {self.folder} are of another model than {self.config.model}") from error
        return model.eval()


def open_run(folder: str | Path) -> Run:
    """A run that was trained, or is being trained, in a folder."""
    folder = Path(folder)
    try:
        read = json.loads((folder / CONFIG).read_text())
        if not read["recipe"]:
            again = f"unseen predict {read['task']} --model {read['model']}"
            raise DataError(f"{folder} is of a baseline that was never trained; have it answer with: {again}")
        read["recipe"] = Recipe(**read["recipe"])
        read["freeze"] = tuple(read["freeze"])
        return Run(folder, Config(**read))
    except FileNotFoundError:
        raise DataError(f"{folder} is not the folder of a run: it has no {CONFIG}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{folder / CONFIG} is damaged, or of another version of unseen: {error}") from error


def folder_of(task: Task, model: str, seed: int, *, options: Mapping[str, Any], out: Path = RUNS) -> Path:
    """Where a run belongs.

    >>> import unseen
    >>> folder_of(unseen.task("cogitao/s2-pad"), "resnet", 1, options={"width": 64}).as_posix()
    'runs/cogitao/s2-pad/resnet+width=64/seed-1'
    """
    return out / task.id / folder_name(model, options) / f"seed-{seed}"


def folder_name(model: str, options: Mapping[str, Any]) -> str:
    """A model and its options in one word, as tasks are written with theirs."""
    return short_name(model) + "".join(f"+{name}={written_value(options[name])}" for name in sorted(options))


def train(
    task: Task | str,
    model: str,
    *,
    seed: int = 0,
    recipe: Recipe | None = None,
    options: Mapping[str, Any] | None = None,
    data: str | Path | None = None,
    out: str | Path = RUNS,
    fresh: bool = False,
    init_from: str | Path | None = None,
    freeze: Sequence[str] = (),
    on: Devices = DEVICES,
    progress: Progress | None = None,
    save_seconds: float = SAVE_SECONDS,
) -> Run:
    """Train a model on a task, or go on where the same training was interrupted.

    `model` is a registered name or `file.py:Class`, `options` are its own. With `data`, examples are read from a folder
    that `unseen generate` wrote instead of being drawn; they are the same. `init_from` is the folder of a run whose
    weights are taken over where name and shape agree, `freeze` the beginnings of names of parts that do not learn.
    """
    task = task_named(task) if isinstance(task, str) else task
    recipe = recipe or recipe_for(model)
    datasets = _datasets(task, recipe, data)
    config = Config(
        task=task.id,
        content=task.benchmark.version,
        examples=len(datasets["train"]),
        data_seed=datasets["train"].source.seed,
        model=model,
        options=dict(options or {}),
        seed=seed,
        recipe=recipe,
        init_from=str(init_from or ""),
        freeze=tuple(freeze),
        versions={name: version(name) for name in ("unseen", "torch", "lightning-fabric")},
    )
    run = Run(folder_of(task, model, seed, options=config.options, out=Path(out)), config)
    if not fresh:
        _check_same(run)
    made = _initial(run)
    fabric = on.fabric(recipe.precision)
    fabric.launch()
    run = replace(run, config=_noted(config, made, fabric, on))
    with _prepared(run, fabric, fresh=fresh):
        Loop(
            fabric,
            made,
            run.folder,
            kind=task.kind,
            recipe=recipe,
            seed=seed,
            feeds={split: Feed(dataset, workers=on.workers_beside(fabric)) for split, dataset in datasets.items()},
            select=_selected(task, recipe),
            frozen=freeze,
            progress=progress if fabric.is_global_zero else None,
            save_seconds=save_seconds,
        ).run()
    return replace(run, rank=fabric.global_rank)


def _noted(config: Config, model: nn.Module, fabric: Fabric, on: Devices) -> Config:
    """The configuration with what is only known once the model and the machine are there."""
    cuda = fabric.device.type == "cuda"
    machine = {**asdict(on), **asdict(this_machine(torch.cuda.get_device_name(fabric.device) if cuda else None))}
    parameters = sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
    return replace(config, parameters=parameters, machine=machine)


def _datasets(task: Task, recipe: Recipe, data: str | Path | None) -> dict[str, Dataset]:
    """What is trained and evaluated on; splits that a folder does not hold are drawn."""
    chosen = _selected(task, recipe)
    names = dict.fromkeys(("train", *(split for split in EVALUATED if split in task.splits), *filter(None, (chosen,))))
    if data is None:
        return {split: drawn_or_stored(task, split, SEED, None) for split in names}
    if not Path(data).is_dir():
        raise DataError(f"there is no folder {data} to train from; leave it out to draw the examples")
    seed = drawn_or_stored(task, "train", SEED, data).source.seed
    there = read_manifest(Path(data)).splits
    return {split: drawn_or_stored(task, split, seed, data if split in there else None) for split in names}


def _selected(task: Task, recipe: Recipe) -> str:
    """The split that chooses the best checkpoint; none where a task has no validation split."""
    if recipe.select:
        return task.split(recipe.select).name
    return next((split for split in ("val_ood", "val") if split in task.splits), "")


def _initial(run: Run) -> nn.Module:
    """The model before its first step."""
    config = run.config
    seed_everything(config.seed, "model")
    model = make_model(config.model, run.task, config.options)
    if config.init_from:
        load_matching(model, load_weights(Path(config.init_from) / BEST), what=config.init_from)
    freeze_parts(model, config.freeze)
    return model


@contextmanager
def _prepared(run: Run, fabric: Fabric, *, fresh: bool) -> Iterator[None]:
    """Hold the run's folder while all processes train; the first of them writes."""
    with one_writer(run.folder) if fabric.is_global_zero else nullcontext():
        if fabric.is_global_zero:
            if fresh:
                _clear(run.folder)
            remove_leftovers(run.folder)
            write_whole(run.folder / CONFIG, json.dumps(asdict(run.config), indent=2).encode())
        fabric.barrier()
        yield
        fabric.barrier()
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def _check_same(run: Run) -> None:
    if not (run.folder / CONFIG).exists():
        return
    there = open_run(run.folder).config
    if there != run.config:
        raise DataError(
            f"{run.folder} holds another run ({there.difference(run.config)});"
            " choose another place for this one (--out), or start afresh there (--fresh)"
        )


def _clear(folder: Path) -> None:
    """Remove a run and its predictions, and nothing else that may lie in its folder."""
    for path in (*(folder / name for name in (CONFIG, LOG, LAST, BEST)), *folder.glob(f"{PREDICTIONS}*.parquet")):
        path.unlink(missing_ok=True)
    rmtree(folder / TENSORBOARD, ignore_errors=True)
