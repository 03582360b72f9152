"""Everything a user may choose: `Spec` changes the record, `View` only its look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from unseen.benchmarks.covr.properties import holds
from unseen.core.errors import SpecError


@dataclass(frozen=True)
class Spec:
    """Which questions, over which images."""

    images: Literal["train", "val", "test"] = "train"  # share of the scenes; no image is in two of them
    keep: str = ""  # an expression over properties that every question satisfies; empty: any question
    shots: int = 0  # of the questions the first so many do not satisfy it
    corpus: str = ""  # a file of GQA scene graphs; empty: the built-in world
    distractors: Literal["hard", "easy"] = "hard"  # images a step or two away from the question's, or any
    style: Literal["english", "published"] = "english"  # wording: correct, or as published

    def __post_init__(self) -> None:
        holds(self.keep)
        if self.shots < 0 or (self.shots and not self.keep):
            raise SpecError(f"shots counts questions that keep leaves out; it cannot be {self.shots} of {self.keep!r}")


@dataclass(frozen=True)
class View:
    """How a question looks; views share their records."""

    text: Literal["generated", "paraphrased"] = "generated"  # the question's wording
    size: int = 128  # of an image's side in pixels

    def __post_init__(self) -> None:
        if not 16 <= self.size <= 4096:
            raise SpecError(f"size is an image's side in pixels, from 16 to 4096, not {self.size}")
