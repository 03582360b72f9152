"""What a command is asked about: a task or a place of data, its options, and further words, wherever they were written.

unseen show cogitao/custom+grid=20 test         options in the id
unseen show cogitao/custom test grid=20         options behind it
unseen show --spec mine.toml test               options, and the task if it names one, from a file
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unseen.core.errors import DataError, SpecError
from unseen.core.nesting import parsed

if TYPE_CHECKING:
    from unseen.core.task import Task
    from unseen.data.dataset import Dataset

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TASK [SPLIT] [KEY=VALUE]...",
        help="A task, or a folder or URL of data, a split, and options of the task.",
    ),
]
SpecFile = Annotated[Path | None, typer.Option("--spec", help="A TOML or JSON file of options; it may name the task.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs to read.")]
Trust = Annotated[
    bool,
    typer.Option("--trust", help="Run the code that a file names, file.py:Class, even if you never ran it before."),
]
Seed = Annotated[int, typer.Option(help="The seed that examples are drawn from.")]


@dataclass(frozen=True)
class Asked:
    """A task id, folder or URL, options by name, and the words that were neither."""

    name: str
    options: dict[str, Any]
    words: tuple[str, ...] = ()

    @property
    def is_folder(self) -> bool:
        """Whether this is a folder or URL of data and not the id of a task."""
        from unseen.data.places import is_place

        return is_place(self.name)

    def task(self) -> Task:
        """Return the task with its options."""
        from unseen.core.catalogue import task

        return task(self.name, **self.options)

    def dataset(self, split: str, *, seed: int = 0) -> Dataset:
        """Return one split, drawn or read from the folder."""
        from unseen.data.dataset import load

        return load(self.name, split, seed=seed, **self.options)

    def splits(self) -> list[str]:
        """Return the splits named, or all there are."""
        if self.words:
            return list(self.words)
        if self.is_folder:
            from unseen.data.manifest import read_manifest

            return list(read_manifest(self.name).splits)
        return list(self.task().splits)

    def only_split(self, default: str) -> str:
        """Return the one split named, or the default."""
        if len(self.words) > 1:
            raise SpecError(f"one split at a time, not {', '.join(self.words)}; options are written key=value")
        return self.words[0] if self.words else default


def read_asked(words: Sequence[str] | None, spec: Path | None = None) -> Asked:
    """Sort a command's words; an option on the command line goes before the same one in the file."""
    from unseen.core.options import refuse_reserved

    options = read_spec(spec) if spec else {}
    named = options.pop("task", None)
    if not isinstance(named, str | None):
        raise DataError(f"task in {spec} must be a name such as cogitao/c1-1, got {named!r}")
    plain = []
    for word in words or ():
        key, equals, value = word.partition("=")
        if equals and key.isidentifier():
            options[key] = value
        else:
            plain.append(word)
    if named is None:
        if not plain:
            raise SpecError("name a task, for instance cogitao/c1-1; list them: unseen list")
        named = plain.pop(0)
    elif plain and "/" in plain[0]:
        raise SpecError(f"{spec} is about {named}, and the command about {plain[0]}; leave one of them out")
    refuse_reserved(options, of=named)
    return Asked(named, options, tuple(plain))


def read_spec(path: Path) -> dict[str, Any]:
    """Return the table of options in a TOML or JSON file."""
    try:
        content = path.read_text()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not text: byte {error.start} is not UTF-8") from None
    try:
        table = parsed(json.loads if path.suffix == ".json" else tomllib.loads, content)
    except json.JSONDecodeError as error:
        raise DataError(f"{path}, line {error.lineno}, column {error.colno}: {error.msg.lower()}") from None
    except ValueError as error:
        raise DataError(f"{path}: {str(error).lower()}") from None
    if not isinstance(table, dict):
        raise DataError(f"{path} holds a {type(table).__name__} and not a table of options such as grid = 20")
    return table
