"""`train`: one training of one model on one task with one seed, from what is asked for to a folder that holds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from lightning_fabric import Fabric
from torch import nn

from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError, unknown
from unseen.core.files import file_digest
from unseen.core.machine import checkout_commit, this_machine
from unseen.core.own_code import own_code
from unseen.core.progress import Progress
from unseen.core.recipe import Recipe
from unseen.core.task import Task
from unseen.data.dataset import SEED, Dataset
from unseen.data.lock import one_writer, remove_leftovers
from unseen.data.manifest import listing_of, read_manifest
from unseen.data.places import place_of
from unseen.data.stored import drawn_or_stored
from unseen.runs import RUNS, Config, Run, folder_of, is_run, open_run
from unseen.train.ahead import deaths_told
from unseen.train.checkpoint import load_weights
from unseen.train.devices import Devices, memory_kept, seed_everything
from unseen.train.feed import feeds_of
from unseen.train.initial import read_weights, take_over, weights_file
from unseen.train.interface import interface_of
from unseen.train.loop import SAVE_SECONDS, Loop
from unseen.train.modules import belongs, make_model, model_of_run, shown_to, stages_of
from unseen.train.recipe import recipes_for

EVALUATED = ("val", "val_ood")
DEVICES = Devices()


def train(
    task: Task | str,
    model: str,
    *,
    seed: int = 0,
    recipe: Recipe | Mapping[str, Recipe] | None = None,
    changes: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    data: str | Path | None = None,
    out: str | Path = RUNS,
    fresh: bool = False,
    init_from: str | Path | None = None,
    init_names: Mapping[str, str] | None = None,
    freeze: Sequence[str] = (),
    on: Devices = DEVICES,
    progress: Progress | None = None,
    save_seconds: float = SAVE_SECONDS,
) -> Run:
    """Train a model on a task, or go on where the same training was interrupted.

    `model` is a registered name or `file.py:Class`, `options` are its own. `recipe` is that of all stages, or of each
    by its name; without one, it is the paper's with some `changes`: settings by name, `stage.setting` of one stage.
    With `data`, examples are read from a folder or URL that `unseen generate` wrote to, not drawn; they are the same.
    `init_from` is a run, a stage of a run (`RUN:stage`) or a file whose weights are taken over where name and shape
    agree; `init_names` tells how names there begin and how they begin in the model. `freeze` names parts that do not
    learn. `fresh` starts anew where the folder in `out` holds a run already.
    """
    task = task_named(task) if isinstance(task, str) else task
    seed_everything(seed, "model")
    settings = dict(options or {})
    data_seed = _data_seed(shown_to(model, task), data)
    made = make_model(model, task, settings, seed=data_seed)
    stages = stages_of(made)
    names = [stage.name for stage in stages]
    recipes = _recipes(recipe, model, names) if recipe else recipes_for(model, task, names, **changes or {})
    datasets = _datasets(shown_to(model, task), recipes, data, data_seed)
    code, initial = own_code(model), weights_file(str(init_from)) if init_from else None
    config = Config(
        task=task.id,
        content=task.benchmark.version,
        examples=len(datasets["train"]),
        data_seed=data_seed,
        model=model,
        options=settings,
        seed=seed,
        recipes=recipes,
        init_from=str(init_from or ""),
        init_digest=file_digest(initial) if initial else "",
        init_names=dict(init_names or {}),
        init_taken=_begin(made, initial, str(init_from), init_names or {}) if initial else "",
        freeze=tuple(freeze),
        model_digest=code.digest if code else "",
        contents=task.contents(),
        data=str(data or ""),
        data_digest=_digest(data) if data else "",
        parameters=_trained_numbers(made, freeze),
        versions={name: version(name) for name in ("unseen", "torch", "lightning-fabric")},
        commit=checkout_commit(),
    )
    run = Run(folder_of(task.id, model, seed, options=settings, out=out), config)
    if not fresh:
        _check_same(run)
    fabric = on.fabric(config.recipe.precision)
    fabric.launch()
    run = replace(run, config=replace(config, machine=_machine(fabric, on)))
    single = bool(getattr(made, "single", False))
    loop = Loop(
        fabric,
        made,
        run,
        told=interface_of(task, data_seed),
        feeds=feeds_of(datasets, workers=on.workers_beside(fabric), memory=on.memory, single=single),
        stages=stages,
        progress=progress if fabric.is_global_zero else None,
        save_seconds=save_seconds,
    )
    loop.check()
    with _prepared(run, fabric, fresh=fresh), memory_kept(), deaths_told():
        loop.run()
    return replace(run, rank=fabric.global_rank)


def _recipes(given: Recipe | Mapping[str, Recipe], model: str, stages: Sequence[str]) -> dict[str, Recipe]:
    """The recipe of each stage, as it is given for all or for each of them."""
    if isinstance(given, Recipe):
        return dict.fromkeys(stages, given)
    for name in {*given} ^ {*stages}:
        raise unknown("stage", name, stages, where=f"the recipes of {model}")
    return {stage: given[stage] for stage in stages}


def _begin(model: nn.Module, file: Path, source: str, names: Mapping[str, str]) -> str:
    """Give a model the weights that it is to begin with; says which."""
    return take_over(model, read_weights(file), what=source, names=names)


def trained_model(run: Run, *, trust: bool = False) -> nn.Module:
    """Return the model of a run at its best, ready to answer; `trust` runs code that only the run names."""
    config = run.config
    made = model_of_run(run, trust=trust)
    model = make_model(config.model, run.task, config.options, seed=config.data_seed, made=made)
    try:
        model.load_state_dict(load_weights(run.weights()))
    except RuntimeError as error:
        raise DataError(f"the weights of {run.folder} are of another model than {config.model}") from error
    return model.eval()


def _trained_numbers(model: nn.Module, frozen: Sequence[str]) -> int:
    """How many numbers of a model learn, in one stage or another."""
    return sum(
        parameter.numel()
        for name, parameter in model.named_parameters()
        if parameter.requires_grad and not belongs(name, frozen)
    )


def _machine(fabric: Fabric, on: Devices) -> dict[str, Any]:
    """What a training runs on."""
    cuda = fabric.device.type == "cuda"
    return {**asdict(on), **asdict(this_machine(torch.cuda.get_device_name(fabric.device) if cuda else None))}


def _data_seed(task: Task, data: str | Path | None) -> int:
    """The seed of the examples: that of the folder they are read from."""
    if data is None:
        return SEED
    if not place_of(data).exists():
        raise DataError(f"there is no folder {data} to train from; leave it out to draw the examples")
    return drawn_or_stored(task, "train", SEED, data).source.seed


def _digest(data: str | Path) -> str:
    """What tells the training examples of a folder from others."""
    place = place_of(data)
    return listing_of(place, read_manifest(place), "train").digest


def _datasets(task: Task, recipes: Mapping[str, Recipe], data: str | Path | None, seed: int) -> dict[str, Dataset]:
    """What is trained and evaluated on; splits that a folder does not hold are drawn."""
    chosen = [recipe.select.partition(":")[0] for recipe in recipes.values()]
    named = [task.split(split).name for split in chosen if split]
    names = dict.fromkeys(("train", *(split for split in EVALUATED if split in task.splits), *named))
    there = read_manifest(data).splits if data else {}
    found = {split: drawn_or_stored(task, split, seed, data if split in there else None) for split in names}
    counts = [recipe.eval_examples for recipe in recipes.values()]
    most = max(counts) if all(counts) else None
    return {split: dataset if split == "train" else dataset[:most] for split, dataset in found.items()}


@contextmanager
def _prepared(run: Run, fabric: Fabric, *, fresh: bool) -> Iterator[None]:
    """Hold the run's folder while all processes train; the first of them writes."""
    with one_writer(run.folder) if fabric.is_global_zero else nullcontext():
        if fabric.is_global_zero:
            if fresh:
                run.clear()
            remove_leftovers(run.folder)
            run.write_config()
        fabric.barrier()
        yield
        fabric.barrier()
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def _check_same(run: Run) -> None:
    if not is_run(run.folder):
        return
    there = open_run(run.folder).config
    if there != run.config:
        raise DataError(
            f"{run.folder} holds another run ({there.difference(run.config)});"
            " choose another place for this one (--out), or start afresh there (--fresh)"
        )
