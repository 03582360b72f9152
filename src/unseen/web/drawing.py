"""Examples as pictures and plain values. These functions run in worker processes, and what they give travels back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from unseen.core.catalogue import task as task_named
from unseen.core.errors import UnknownName
from unseen.core.task import Example, Task
from unseen.data.dataset import Generated
from unseen.render.palette import COLORS, Image
from unseen.render.png import encode_png
from unseen.report import gallery

MOST_SEED = 2**63 - 1
HUES = np.array(COLORS, ">u4").view(np.uint8).reshape(-1, 4)[:, 1:]  # of the numbers in a mask
LARGEST_FILM = 40_000_000  # pixels of all frames together; a longer film is shown as its picture alone
TOGETHER = 64  # examples that are looked at for repetitions at once
NEAR_THE_BEGINNING = 2048  # up to here an example needs no pass over the whole split, which takes minutes uncompiled
ENLARGED = 320  # about how many pixels wide a mask is shown


@dataclass(frozen=True, order=True)
class Address:
    """Where an example is: its place says all that it is made from."""

    task: str  # id with its options
    split: str
    seed: int
    index: int

    @property
    def path(self) -> str:
        """The address of its page.

        >>> Address("cvr/shape+size=64", "test_ood", 0, 17).path
        '/cvr/shape+size=64/test_ood/0/17'
        """
        return f"/{self.task}/{self.split}/{self.seed}/{self.index}"

    def code(self) -> str:
        """Return the lines of Python that load this very example."""
        task = task_named(self.task)
        options = "".join(f", {name}={value!r}" for name, value in given_options(task).items())
        seed = f", seed={self.seed}" if self.seed else ""
        return (
            f'import unseen\n\nexample = unseen.load("{task.name}", "{self.split}"{seed}{options})[{self.index}]\n'
            "example.inputs, example.target, example.scene\nexample.show()"
        )


def given_options(task: Task) -> dict[str, str]:
    """Return the options by which a task differs from its defaults, as they are written."""
    from unseen.core.options import parse_id

    return parse_id(task.id)[1]


@dataclass(frozen=True)
class Sheet:
    """All that the page of an example shows."""

    picture: bytes
    film: bytes | None  # the frames one below the other
    frames: int
    masks: bytes | None
    scene: str
    program: tuple[str, ...]
    problems: tuple[str, ...]  # that the verifier found: none
    arrays: tuple[tuple[str, str, str], ...]  # input or target, name, what it is


def example_at(address: Address) -> Example:
    """Return the example of an address; one that does not exist is an unknown name."""
    task = task_named(address.task)
    size = task.split(address.split).size
    if not 0 <= address.index < size:
        raise UnknownName(f"{task.id} {address.split} has {size:,} examples; there is no number {address.index}")
    if not 0 <= address.seed <= MOST_SEED:
        raise UnknownName(f"a seed is a number from 0 to {MOST_SEED}, not {address.seed}")
    from unseen.core.kernel import hurry  # brings the compiler along, which only workers need

    hurry(True)
    return Generated(task, address.split, address.seed, moved=_moved(address)).example(address.index)


def _moved(address: Address) -> dict[int, int] | None:
    """The indices up to an example that take a later draw; None where the whole split has to be looked at."""
    together = TOGETHER * (address.index // TOGETHER + 1)
    return _moved_among(replace(address, index=0), together) if address.index < NEAR_THE_BEGINNING else None


@lru_cache(maxsize=32)
def _moved_among(first: Address, count: int) -> dict[int, int]:
    task = task_named(first.task)
    declared = task.split(first.split)
    return Generated(task, first.split, first.seed).moved_among(min(count, declared.size)) if declared.unique else {}


def picture(address: Address) -> bytes:
    """Return the picture of an example for people, as a PNG file."""
    return encode_png(gallery.picture(example_at(address)))


def sheet(address: Address) -> Sheet:
    """Return everything that there is to see of an example."""
    example = example_at(address)
    task = example.task
    film = _film(example)
    scene = example.scene
    found = example.target.get("masks")
    return Sheet(
        picture=encode_png(gallery.picture(example)),
        film=None if film is None else encode_png(film.reshape(-1, *film.shape[2:])),
        frames=0 if film is None else len(film),
        masks=None if found is None else encode_png(enlarged(colored(found))),
        scene=json.dumps(scene, indent=1, default=_plain),
        program=tuple(_program_line(number, row) for number, row in enumerate(scene.get("program", ()))),
        problems=tuple(task.check(example.record, example.split)),
        arrays=tuple(
            (where, name, _described(value))
            for where, values in (("input", example.inputs), ("target", example.target))
            for name, value in values.items()
        ),
    )


def _film(example: Example) -> Any:
    task = example.task
    draw = getattr(task.benchmark.file("render"), "film", None)
    if draw is None:
        return None
    frames = np.asarray(draw(example.record, task.split(example.split).spec, task.view))
    return frames if frames.size <= LARGEST_FILM else None


def colored(ids: np.ndarray[Any, np.dtype[np.uint8]]) -> Image:
    """Numbers of objects as hues; 0 is black."""
    hues = HUES[(ids.astype(int) - 1) % len(HUES)]
    shown: Image = np.where(ids[..., None] > 0, hues, 0).astype(np.uint8)
    return shown


def enlarged(image: Image, pixels: int = ENLARGED) -> Image:
    """Return an image with whole pixels several times as large, so that it is about so wide."""
    times = max(1, round(pixels / image.shape[1]))
    return image.repeat(times, axis=0).repeat(times, axis=1)


def _described(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}"
    if isinstance(value, list):
        return f"{len(value)} of {_described(value[0]) if value else 'nothing'}"
    return repr(value) if isinstance(value, str | int | float | np.generic) else type(value).__name__


def _program_line(number: int, row: Any) -> str:
    """A row of a program: its number, its operator, what it takes, and from which rows.

    >>> _program_line(1, {"operation": "count", "dependencies": [0], "arguments": ["dog"]})
    '1: count(dog) of 0'
    """
    if not isinstance(row, dict):
        return f"{number}: {row}"
    arguments = ", ".join(one if isinstance(one, str) else json.dumps(one, default=_plain) for one in row["arguments"])
    taken = f" of {', '.join(map(str, row['dependencies']))}" if row["dependencies"] else ""
    return f"{number}: {row['operation']}({arguments}){taken}"


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else str(value)
