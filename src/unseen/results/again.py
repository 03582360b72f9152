"""A record run again: the commands that make the same data, training, predictions and scores."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from shlex import join
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.options import written_value
from unseen.core.recipe import Recipe
from unseen.data.card import generate_commands
from unseen.results.record import Record
from unseen.runs import LANGUAGE, folder_of


def commands(record: Record) -> list[str]:
    """Return what to type to get the scores of a record again, in a folder of your choice.

    Of a recipe, what differs from the defaults is written out, and what differs from the recipe of the model's paper.
    """
    folder = str(folder_of(record.task, record.model, record.seed, options=record.model_options))
    written = []
    if record.stored:
        stored = record.stored
        written += generate_commands(task_named(record.task), record.data_seed, stored.splits, out=stored.folder)
    if record.budget.recipe:
        written += [join(_training(record)), *map(join, _answers(record, folder))]
    else:  # a baseline that needs no training
        written += map(join, _untrained_answers(record))
    return [*written, join(["unseen", "score", folder])]


def remarks(record: Record) -> list[str]:
    """What must be at hand for the commands of a record to give the same, and what may still differ, as sentences."""
    said = [f"What {name} names has the digest {digest}." for name, digest in record.contents.items()]
    if record.model_digest:
        said.append(f"The file of {record.model_file} has the SHA-256 {record.model_digest}.")
    if record.init_digest:
        said.append(f"The weights of {record.init_from} have the SHA-256 {record.init_digest}.")
    elif record.init_from:
        said.append(f"It began with the weights of {record.init_from}, which must be there.")
    if record.taker == LANGUAGE:
        said.append(f"{record.model} is asked where it is served: add --base-url and the key; it may answer otherwise.")
    if any(recipe.get("max_seconds") for recipe in _recipes(record).values()):
        said.append("Its training was limited in time: a machine of another speed may end at another step.")
    return said


def _recipes(record: Record) -> Mapping[str, Mapping[str, Any]]:
    """The recipe of each stage by its name, which is empty where there is only one."""
    recipe = record.budget.recipe
    stages: Mapping[str, Mapping[str, Any]] = recipe.get("stages", {"": recipe})
    return stages


def _training(record: Record) -> Iterator[str]:
    yield from ("unseen", "train", record.task, "--model", record.model_file or record.model)
    yield from ("--seed", str(record.seed))
    for name, value in record.model_options.items():
        yield from ("--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}")
    for stage, recipe in _recipes(record).items():
        usual = [_plain(Recipe()), _plain(_published(record, stage))]
        for name, value in recipe.items():
            if any(value != one.get(name) for one in usual):
                yield from ("--recipe", f"{stage}.{name}={_written(value)}".lstrip("."))
    if record.stored:
        yield from ("--data", record.stored.folder)
    if record.init_from:
        yield from ("--init-from", record.init_from)
    for part in record.freeze:
        yield from ("--freeze", part)


def _published(record: Record, stage: str) -> Recipe:
    """How the paper trained the model of a record on its task; the defaults where it does not say."""
    task = task_named(record.task)
    rows = getattr(task.benchmark.optional_file("paper"), "RECIPES", {})
    found = rows.get((record.model, task.row.name), rows.get(record.model, Recipe()))
    recipe: Recipe = found.get(stage, Recipe()) if isinstance(found, Mapping) else found
    return recipe


def _plain(recipe: Recipe) -> dict[str, Any]:
    """The settings of a recipe as a record has them."""
    settings: dict[str, Any] = json.loads(json.dumps(asdict(recipe)))
    return settings


def _written(setting: Any) -> str:
    """A setting of a recipe as one types it.

    >>> _written(True), _written([0.9, 0.999]), _written({"encoder": 0.5})
    ('true', '0.9,0.999', 'encoder:0.5')
    """
    if isinstance(setting, Mapping):
        return ",".join(f"{part}:{number}" for part, number in setting.items())
    return ",".join(map(str, setting)) if isinstance(setting, list | tuple) else written_value(setting)


def _answers(record: Record, folder: str) -> Iterator[list[str]]:
    """Predict what was predicted: drawn examples, and those of the folder where only these were answered."""
    by_count = _answered(record)
    if whole := by_count.pop(None, []):
        yield ["unseen", "predict", folder, *whole]
    if record.stored and by_count:
        splits = [split for found in by_count.values() for split in found]
        yield ["unseen", "predict", folder, *splits, "--data", record.stored.folder]


def _untrained_answers(record: Record) -> Iterator[list[str]]:
    asked = record.taker == LANGUAGE
    model, how = (f"openai:{record.model}", _manner(record)) if asked else (record.model, [])
    for count, splits in _answered(record).items():
        limit = [] if count is None else ["--count", str(count)]
        words = ["--model", model, "--seed", str(record.seed), *how, *limit]
        # a language model is asked about one split at a time
        for some in [[split] for split in splits] if asked else [splits]:
            yield ["unseen", "predict", record.task, *some, *words]


def _manner(record: Record) -> list[str]:
    """How a language model was asked, as options of the command."""
    words: list[str] = []
    for name, value in record.model_options.items():
        option = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        else:
            words += [f"--{option}", str(value)]
    return words


def _answered(record: Record) -> dict[int | None, list[str]]:
    """The splits that were answered, by how many of their examples; None where these were all."""
    declared = task_named(record.task).splits
    by_count: dict[int | None, list[str]] = {}
    for split, scores in record.scores.items():
        by_count.setdefault(scores.count if scores.count < declared[split].size else None, []).append(split)
    return by_count
