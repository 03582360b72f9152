"""A study is a file: what people are told and asked, which tasks, how many trials. All that a person does follows.

studies/cvr.toml        the experiment of CVR's paper; `unseen serve --study mine.toml` adds others

A person's steps follow from the study, its seeds and the number of the person, and from nothing else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError, SpecError, UnseenError
from unseen.core.nesting import parsed
from unseen.web.drawing import MOST_SEED
from unseen.web.items import forms_of

Step = dict[str, Any]
FORBID = ConfigDict(extra="forbid")
RULED = ("odd", "choose")  # forms in which a block follows a rule that people have to find


@dataclass(frozen=True)
class Quiz:
    """A question that has to be answered right before the study begins."""

    __pydantic_config__: ClassVar[ConfigDict] = FORBID

    question: str
    options: tuple[str, ...]
    answer: int  # the number of the right option, from 0


@dataclass(frozen=True)
class Asked:
    """A question about the person. What is not asked is not known."""

    __pydantic_config__: ClassVar[ConfigDict] = FORBID

    name: str  # of the column
    question: str
    required: bool = False


@dataclass(frozen=True)
class Practice:
    """Trials before the first block, on tasks that no block has."""

    __pydantic_config__: ClassVar[ConfigDict] = FORBID

    tasks: tuple[str, ...] = ()  # one trial of each


@dataclass(frozen=True)
class Study:
    """Everything that a study's file says."""

    __pydantic_config__: ClassVar[ConfigDict] = FORBID

    name: str  # in addresses and files
    title: str
    tasks: tuple[str, ...]
    blocks: int  # tasks that each person sees
    trials: int  # of each block
    form: Literal["test", "validate", "paraphrase", "check"] = "test"
    split: str = "test"
    data_seed: int | None = None  # that examples are drawn from; left out, the site draws one that nobody can know
    seed: int = 0  # of who sees what, in which order
    pool: int = 100  # examples of the split that trials are drawn from
    left_out: int = 0  # trials at the beginning of a block that analyses leave out
    of: str = ""  # the study whose paraphrases are checked
    judges: int = 3  # people who see each question, where questions are validated
    feedback: bool = True  # which answer was right, after each trial
    videos: Literal["count", "follow"] = "count"  # say how many objects there are, or click on each in every frame
    confidence: bool = False  # from 0 to 100, after each choice
    fixation: bool = False  # a square in the middle to point at, before each trial
    describe: str = ""  # what to ask after each block; nothing where empty
    pause: str = ""  # what to say between blocks
    consent: str = ""
    instructions: tuple[str, ...] = ()  # pages
    quiz: tuple[Quiz, ...] = ()
    practice: Practice = field(default_factory=Practice)
    questions: tuple[Asked, ...] = ()
    debriefing: str = "Thank you for taking part."
    completion_code: str = ""  # the same for everybody, as Prolific has it; else everybody gets their own
    completion_link: str = ""  # where to go with it, {code} standing for the code
    least_width: int = 320  # pixels of the window

    def __post_init__(self) -> None:
        if not self.name.replace("-", "").isalnum() or self.name != self.name.lower():
            raise SpecError(f"the name of a study is of small letters, digits and hyphens, not {self.name!r}")
        for name, least in (("blocks", 1), ("trials", 1), ("pool", self.trials), ("judges", 1), ("left_out", 0)):
            if getattr(self, name) < least:
                raise SpecError(
                    f"{name} of the study {self.name} cannot be {getattr(self, name)}: the least is {least}"
                )
        if self.data_seed is not None and not 0 <= self.data_seed <= MOST_SEED:
            raise SpecError(f"data_seed of the study {self.name} is a number from 0 to {MOST_SEED}")
        if not self.tasks or self.blocks > len(self.tasks):
            raise SpecError(f"the study {self.name} has {len(self.tasks)} tasks, and {self.blocks} blocks need as many")
        for name in (*self.tasks, *self.practice.tasks):
            self._check_task(name)
        for one in self.quiz:
            if not 0 <= one.answer < len(one.options):
                raise SpecError(f"the quiz question {one.question!r} has no option {one.answer}")

    def _check_task(self, name: str) -> None:
        task = task_named(name)
        if self.form != "test" and task.kind.name != "question":
            raise SpecError(f"{name} is a {task.kind.name} task; a study to {self.form} is made of questions")
        if self.pool > task.split(self.split).size:
            raise SpecError(f"{name} {self.split} has {task.split(self.split).size} examples; pool is {self.pool}")


@lru_cache(maxsize=1)
def _form_of_file() -> TypeAdapter[Study]:
    return TypeAdapter(Study)


def read_study(path: Path) -> Study:
    """Read the file of a study; its name is that of the file unless it says another."""
    try:
        found = parsed(tomllib.loads, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read the study {path}: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:
        raise DataError(f"{path} is no TOML: {error}") from None
    try:
        return _form_of_file().validate_python({"name": path.stem, **found})
    except ValidationError as error:
        first = error.errors()[0]
        cause = first.get("ctx", {}).get("error")
        said = cause or f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}"
        raise DataError(f"{path}: {said}") from None
    except UnseenError as error:
        raise DataError(f"{path}: {error}") from None


@lru_cache(maxsize=1)
def _shipped() -> tuple[Study, ...]:
    folder = Path(str(files("unseen.web") / "studies"))
    return tuple(read_study(path) for path in sorted(folder.glob("*.toml")))


def shipped_studies() -> dict[str, Study]:
    """Return the studies that come with the library, by name."""
    return {study.name: study for study in _shipped()}


# ---------------------------------------------------------------------------- who sees what


def tasks_of(study: Study, number: int) -> list[str]:
    """Give the tasks of a person's blocks, in order: all tasks come up equally often, give or take one, whoever stops.

    Tasks are dealt like cards from a pack that is shuffled anew when it is used up; what a person would get twice goes
    to the bottom of the new pack.
    """
    left: list[str] = []
    hand: list[str] = []
    for person in range(number + 1):
        hand = []
        while len(hand) < study.blocks:
            if not left:
                left = shuffled(study, study.tasks, "pack", str(person))
                left = [one for one in left if one not in hand] + [one for one in left if one in hand]
            hand.append(left.pop(0))
    return hand


def shuffled(study: Study, things: Sequence[Any], *path: str) -> list[Any]:
    """Things in an order that follows from the study's seed and from what it is for."""
    from unseen.core.random import Stream, path_key

    order = list(things)
    Stream(path_key(study.seed, "study", study.name, *path)).shuffle(order)
    return order


def steps_of(study: Study, number: int, data_seed: int = 0) -> list[Step]:
    """Return all steps of a person, in order. A step is plain values: what kind it is, which item, of which block."""
    return list(_steps(study, number, data_seed))


def _steps(study: Study, number: int, data_seed: int) -> Iterator[Step]:
    if study.consent:
        yield {"kind": "consent"}
    if study.instructions:
        yield {"kind": "instructions"}
    if study.quiz:
        yield {"kind": "quiz"}
    if study.practice.tasks:
        yield {"kind": "announce", "text": "practice"}
        for trial, task in enumerate(study.practice.tasks):
            index = shuffled(study, range(study.pool), "practice", task, str(number))[0]
            yield from _trial(study, [task, study.split, data_seed, index], block=-1, trial=trial)
    for block, task in enumerate(tasks_of(study, number)):
        what = "rule" if form_of(study, task) in RULED else "block"
        yield {"kind": "announce", "text": what, "block": block, "of": study.blocks}
        for trial, index in enumerate(indices_of(study, task, number)):
            yield from _trial(study, [task, study.split, data_seed, index], block=block, trial=trial)
        if study.describe:
            yield {"kind": "describe", "block": block, "task": task}
        if study.pause and block + 1 < study.blocks:
            yield {"kind": "pause", "block": block}
    if study.questions:
        yield {"kind": "about"}
    yield {"kind": "debriefing"}


def indices_of(study: Study, task: str, number: int) -> list[int]:
    """Give the examples of a person's block. Questions that are validated are dealt so that as many people see each."""
    if study.form == "test":
        return shuffled(study, range(study.pool), "items", task, str(number))[: study.trials]
    order = shuffled(study, range(study.pool), "items", task)
    first = number // study.judges * study.trials  # so many people in turn get the same questions
    return [order[(first + trial) % study.pool] for trial in range(study.trials)]


def _trial(study: Study, item: list[Any], *, block: int, trial: int) -> Iterator[Step]:
    about = {"item": item, "block": block, "trial": trial}
    yield {"kind": form_of(study, item[0]), **about}
    if study.confidence and study.form == "test":
        yield {"kind": "confidence", **about}


def form_of(study: Study, task: str) -> str:
    """Return the form in which a study puts a task to people."""
    if study.form != "test":
        return study.form
    forms = forms_of(task_named(task))
    return study.videos if study.videos in forms else forms[0]
