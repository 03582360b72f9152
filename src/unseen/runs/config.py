"""What a run is of: all that it takes to run it again, in one JSON file that is checked when it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from unseen.core.errors import DataError
from unseen.core.files import write_whole
from unseen.core.recipe import Recipe
from unseen.core.seals import sealed_json, without_seal
from unseen.core.validation import CHECKED, Whole

LANGUAGE, PEOPLE = "language model", "people"  # test takers that are asked in words and pictures


@dataclass(frozen=True)
class Config:
    """What was asked for. Two runs with equal configurations give the same result.

    What is not compared does not change the result: where things are, what they ran on, and what follows from the rest.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    task: str  # id, with its options
    content: Whole  # version of the benchmark's content
    examples: Whole  # trained on, each as often as there were epochs
    data_seed: Whole
    model: str  # registered name, or "file.py:Class"
    options: dict[str, Any]  # by which the model differs from its defaults
    seed: Whole  # of weights, order and dropout
    recipes: dict[str, Recipe]  # of each stage by name; "" where there is but one; none of a baseline without training
    init_from: str = ""  # the run, the stage of a run ("RUN:stage") or the file whose weights it began with
    init_digest: str = ""  # SHA-256 of those weights
    init_names: dict[str, str] = field(default_factory=dict)  # how their names began -> how the model's begin
    init_taken: str = field(default="", compare=False)  # which weights were taken over and which were not, in words
    freeze: tuple[str, ...] = ()  # parts that did not learn
    model_digest: str = ""  # SHA-256 of a user's own file
    contents: dict[str, str] = field(default_factory=dict)  # digests of files and folders that the task's options name
    data: str = field(default="", compare=False)  # folder of stored examples; empty where they are drawn
    data_digest: str = field(default="", compare=False)  # of the keys of the stored training examples
    parameters: Whole | None = field(default=None, compare=False)  # trained numbers in the model
    versions: dict[str, str] = field(default_factory=dict, compare=False)  # of packages
    machine: dict[str, Any] = field(default_factory=dict, compare=False)
    commit: str | None = field(default=None, compare=False)  # of this library; none where it was installed
    taker: str = ""  # LANGUAGE or PEOPLE, where no model of this library answered

    @property
    def trained(self) -> bool:
        """Whether this is a training, and not a baseline that needs none."""
        return bool(self.recipes)

    @property
    def recipe(self) -> Recipe:
        """How the last stage was trained, which for most models is the only one."""
        return list(self.recipes.values())[-1]

    def difference(self, other: Config) -> str:
        """Return the first thing in which another configuration differs, in words."""
        mine, others = dict(_flat(self)), dict(_flat(other))
        name = next(name for name in {**mine, **others} if mine.get(name) != others.get(name))
        return f"{name} is {mine.get(name)!r} there, and {others.get(name)!r} was asked for"


def _flat(config: Config) -> Iterator[tuple[str, Any]]:
    """What is compared, the settings of recipes one by one."""
    for one in fields(Config):
        if one.compare and one.name != "recipes":
            yield one.name, getattr(config, one.name)
    yield "stages", list(config.recipes)
    for stage, recipe in config.recipes.items():
        for setting in fields(Recipe):
            if setting.compare:
                yield f"{stage}.{setting.name}".lstrip("."), getattr(recipe, setting.name)


def read_config(path: Path) -> Config:
    """Read a configuration, and check that it is one."""
    try:
        return TypeAdapter(Config).validate_json(without_seal(path.read_bytes(), path), strict=True)
    except FileNotFoundError:
        raise DataError(
            f"{path.parent} is not the folder of a run: it has no {path.name}; `unseen train` makes one"
        ) from None
    except ValidationError as error:
        raise broken(path, error, "it is damaged or of another version of unseen: train again with --fresh") from None


def write_config(path: Path, config: Config) -> None:
    """Write a configuration."""
    write_whole(path, sealed_json(asdict(config)))


def broken(path: Path, error: ValidationError, mend: str) -> DataError:
    """Return the sentence for a file whose content is not what it should be."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    return DataError(f"{path} cannot be read{f' at {where}' if where else ''}: {first['msg'].lower()}; {mend}")
