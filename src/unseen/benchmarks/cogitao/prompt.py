"""Example -> the words a language model reads, and its answer -> a grid.

The form is the published one, the words are ours: one message of a role, a numbered task list, a notice where the query
is unlike what is shown, and the output rule; then per shown example its transformations, input and output; then the
transformations to apply and the test input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.core.random import Stream
from unseen.core.task import Example, Task

Grid = npt.NDArray[np.int8]
Names = Literal["original", "coded"]

ROLE = "You are an expert in rules that transform grids."
TASKS = (
    "Study the examples: each names the transformations that are applied in order to every object of its input.",
    "Find out what every transformation does.",
    "Apply the transformations named at the end, in their order, to every object of the test input.",
)
TASKS_ALONE = (
    "Read the names of the transformations and the test input.",
    "Apply the transformations, in their order, to every object of the test input.",
)
GRIDS = "A grid is a list of rows; 0 is background, 1 to 9 are colors."
NOTICES = {  # the field of the spec that shifts, and how it is announced
    "sequences": "Notice: the test input asks for a combination of transformations that no example shows.",
    "objects": "Notice: the number of objects in the test input is outside the range of the examples.",
    "grid": "Notice: the size of the test input is outside the range of the examples.",
}
OUTPUT_RULE = (
    "Answer with the output grid alone, as a Python list of lists of integers: no explanation, no code fences."
)

# ---------------------------------------------------------------------------- what is asked


def write(example: Example, context: Sequence[Example] = (), *, names: Names = "original", notice: bool = True) -> str:
    """The message that asks for the output of an example.

    Shown are the examples of `context`, each with its own sequence, or else the example's own demonstrations. Coded
    names call the transformations of the task t1, t2, ... in the order of its training set.

    >>> import unseen
    >>> print(write(unseen.load("cogitao/custom", "test", transformations="rot90", depth=1, grid=3, max_size=1)[0]))
    You are an expert in rules that transform grids.
    <BLANKLINE>
    1. Read the names of the transformations and the test input.
    2. Apply the transformations, in their order, to every object of the test input.
    A grid is a list of rows; 0 is background, 1 to 9 are colors.
    <BLANKLINE>
    Answer with the output grid alone, as a Python list of lists of integers: no explanation, no code fences.
    <BLANKLINE>
    Transformations to apply: rot90
    Test Input: [[0, 0, 0], [0, 0, 0], [9, 0, 6]]
    """
    shown = list(_shown(example, context))
    if names == "coded" and not shown:
        raise SpecError("coded names mean nothing without examples; ask with context='mixed' or in_context=5")
    called = _codes(example.task, example.split) if names == "coded" else {}
    tasks = TASKS if shown else TASKS_ALONE
    parts = [ROLE, "\n".join([*(f"{k}. {line}" for k, line in enumerate(tasks, 1)), GRIDS])]
    parts += _notices(example, context) if notice else ()
    parts.append(OUTPUT_RULE)
    parts += [
        f"Transformations: {_named(sequence, called)}\nInput {k}: {before.tolist()}\nOutput {k}: {after.tolist()}"
        for k, (sequence, before, after) in enumerate(shown, 1)
    ]
    asked = _named(example.record.sequence, called)
    parts.append(f"Transformations to apply: {asked}\nTest Input: {example.inputs['grid'].tolist()}")
    return "\n\n".join(parts)


def _shown(example: Example, context: Sequence[Example]) -> Iterator[tuple[tuple[str, ...], Grid, Grid]]:
    """Sequence, input and output of everything that is shown before the query."""
    if context:
        for one in context:
            yield one.record.sequence, one.inputs["grid"], one.target["grid"]
        return
    demonstrations = (example.inputs.get(f"demonstration_{what}", ()) for what in ("inputs", "targets"))
    for before, after in zip(*demonstrations, strict=True):
        yield example.record.sequence, before, after


def _codes(task: Task, split: str) -> dict[str, str]:
    """The transformations of a task, numbered in the order in which training lists them."""
    specs = (task.split(name).spec for name in dict.fromkeys((next(iter(task.splits)), split)))
    known = dict.fromkeys(name for spec in specs for name in spec.occurring)
    return {name: f"t{number}" for number, name in enumerate(known, 1)}


def _named(sequence: tuple[str, ...], called: dict[str, str]) -> str:
    return ", ".join(called.get(name, name) for name in sequence)


def _notices(example: Example, context: Sequence[Example]) -> list[str]:
    """What sets the query's split apart from the shown ones; nothing where they are drawn alike."""
    asked = example.task.split(example.split).spec
    specs = [one.task.split(one.split).spec for one in context]
    return [
        text for field, text in NOTICES.items() if any(getattr(spec, field) != getattr(asked, field) for spec in specs)
    ]


# ---------------------------------------------------------------------------- what is shown


class Mixture:
    """Chooses what is shown with a query as the published experiments do: other examples, of several sequences.

    The depths there are take turns (five of C1 are three single and two double sequences), the shallow ones first. A
    query from the shown split itself has its sequence among them, wherever another example has it too. Otherwise
    examples with transformations of the query that are not shown yet go first: coded names mean nothing without.
    """

    def __init__(self, shown: Sequence[Example]) -> None:
        """`shown` is a whole split."""
        self.shown = shown
        self.sequences: list[tuple[str, ...]] = [example.record.sequence for example in shown]
        self.depths = sorted({len(sequence) for sequence in self.sequences})

    def asks(self, example: Example) -> bool:
        """Whether the published experiments would ask this: their queries are the deepest sequences of a split."""
        deepest: int = example.task.split(example.split).spec.deepest
        return len(example.record.sequence) == deepest

    def context(self, example: Example, count: int, rng: Stream) -> list[Example]:
        """Choose `count` examples to show with a query, which is not among them."""
        if count >= len(self.shown):
            raise SpecError(f"{count} examples cannot be shown with a query: there are {len(self.shown)} in all")
        asked = example.record.sequence
        within = example.split == self.shown[0].split
        free = [index for index in range(len(self.shown)) if not (within and index == example.index)]
        depths = sorted(islice(cycle(self.depths), count))
        chosen: list[int] = []
        alike = [index for index in free if self.sequences[index] == asked] if within else []
        if alike:
            depths.remove(len(asked) if len(asked) in depths else depths[-1])
            chosen.append(rng.choice(alike))
        for depth in depths:
            left = [index for index in free if index not in chosen]
            chosen.append(rng.choice(self._preferred(left, depth, self._missing(asked, chosen))))
        rng.shuffle(chosen)  # or the query's own sequence would always come first
        return [self.shown[index] for index in sorted(chosen, key=lambda index: len(self.sequences[index]))]

    def _missing(self, asked: tuple[str, ...], chosen: list[int]) -> set[str]:
        """The transformations of a query that nothing chosen shows."""
        return set(asked).difference(*(self.sequences[index] for index in chosen))

    def _preferred(self, free: list[int], depth: int, missing: set[str]) -> list[int]:
        """Those of a depth that show something missing; those of the depth where none does; or any, if it has none."""
        deep = [index for index in free if len(self.sequences[index]) == depth] or free
        return [index for index in deep if missing.intersection(self.sequences[index])] or deep


# ---------------------------------------------------------------------------- what is answered

UNUSABLE = np.zeros((0, 0), np.int8)  # the prediction that stands for an unusable answer: wrong in every cell

# possessive (`*+`), so that no answer can make the search slow
ROW = r"\[\s*+[0-9]\s*+(?:,\s*+[0-9]\s*+)*+(?:,\s*+)?+\]"
LISTS = re.compile(rf"\[\s*+{ROW}\s*+(?:,\s*+{ROW}\s*+)*+(?:,\s*+)?+\]")


def parse(text: str, example: Example, *, lenient: bool = False) -> Grid | str:
    """The grid that an answer holds, or why it is unusable: as published, it is to be one list of lists and no more.

    A lenient reading takes the last list of lists in the text, whatever is around it.

    >>> import unseen
    >>> example = unseen.load("cogitao/custom", "test", transformations="rot90", depth=1, grid=3, max_size=1)[0]
    >>> parse("[[0, 0, 0], [0, 3, 0], [2, 0, 0]]", example).shape
    (3, 3)
    >>> parse("It is [[0, 0, 0]].", example), parse("It is [[0, 0, 0]].", example, lenient=True)
    ('not a list of lists of colors', 'another size than the input')
    """
    found = list(LISTS.finditer(text))[-1:] if lenient else [LISTS.fullmatch(text.strip())]
    if not found or found[0] is None:
        return "not a list of lists of colors" if text.strip() else "empty"
    rows = [[int(color) for color in re.findall("[0-9]", row)] for row in re.findall(ROW, found[0].group())]
    if len({len(row) for row in rows}) > 1:
        return "rows of different lengths"
    grid = np.array(rows, np.int8)
    # no transformation changes the size of the grid
    return grid if grid.shape == example.inputs["grid"].shape else "another size than the input"
