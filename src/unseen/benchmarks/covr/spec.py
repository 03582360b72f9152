"""Everything a user may choose: `Spec` changes the record, `View` only its look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from unseen.benchmarks.covr.questions.properties import holds
from unseen.core.contents import Source, Sources
from unseen.core.errors import SpecError

if TYPE_CHECKING:
    from unseen.core.task import Task


@dataclass(frozen=True)
class Spec:
    """Which questions are asked, and over which images."""

    images: Literal["train", "val", "test"] = "train"  # share of the scenes; no image is in two of them
    keep: str = ""  # an expression over properties that every question satisfies; empty: any question
    shots: int = 0  # so many questions do not satisfy it
    among: int = 0  # so many, over which they are spread evenly
    corpus: tuple[str, ...] = ()  # files of scene graphs; none: the built-in world
    corpus_val: tuple[str, ...] = ()  # files that val and test come from; none: they are a share of the others
    exclusive: str = ""  # a table of words that exclude each other; empty: the lexicon
    complete: str = ""  # a table of what images show beyond their graphs; empty: nothing
    store: Literal["memory", "sqlite", "postgres"] = "memory"  # where the scenes of files are looked up
    distractors: Literal["hard", "easy"] = "hard"  # images a step or two away from the question's, or any
    style: Literal["english", "published"] = "english"  # wording: correct, or as published
    world: Literal["flat", "3d"] = "flat"  # built-in: drawings, or solids on a table top

    def __post_init__(self) -> None:
        holds(self.keep)
        if not 0 <= self.shots <= self.among or (self.shots and not self.keep):
            raise SpecError(
                f"shots counts questions that keep leaves out: {self.shots} among {self.among} with keep={self.keep!r}"
                " cannot be"
            )

    def place(self, index: int) -> tuple[bool, int]:
        """Whether the question at an index is one that `keep` leaves out, and its place among those of its sort."""
        if not self.shots:
            return False, index
        before = index * self.shots // self.among
        shot = (index + 1) * self.shots // self.among > before
        return shot, before if shot else index - before


@dataclass(frozen=True)
class View:
    """How a question looks; views share their records."""

    text: Literal["generated", "paraphrased", "reworded"] = "generated"  # the question's wording
    paraphrases: Source = ""  # a file of people's paraphrases, which stand for ours; empty: ours alone
    size: int = 224  # of a drawing's side in pixels
    symbols: bool = False  # of the objects in every image: boxes, names, relations; and what the answer rests on
    folder: Source = ""  # of the images of a file's scenes, named by their ids; empty: they are drawn
    vocabulary: Source = ""  # a file of word pieces, one to a line, that models read questions in; empty: whole words
    features: Sources = ()  # regions that a detector found in these images, which models get in place of them
    renderer: Literal["auto", "opengl", "blender", "none"] = "auto"  # of images in 3-D; none leaves them out

    def __post_init__(self) -> None:
        if not 16 <= self.size <= 4096:
            raise SpecError(f"size is an image's side in pixels, from 16 to 4096, not {self.size}")

        if self.paraphrases and self.text != "paraphrased":
            raise SpecError(
                f"paraphrases={self.paraphrases} are shown with text=paraphrased, not with text={self.text}"
            )

    def check(self, task: Task) -> None:
        """Refuse a renderer where nothing is rendered, and regions of images that are drawn here."""
        if self.renderer != "auto" and all(split.spec.world == "flat" for split in task.splits.values()):
            raise SpecError(f"images of {task.name} are flat and need no renderer; leave renderer={self.renderer} out")
        if self.features and not any(split.spec.corpus for split in task.splits.values()):
            raise SpecError(f"features={self.features[0]} are of photos; say whose scene graphs they have by corpus=")
