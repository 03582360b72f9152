"""Example -> the words a language model reads, and its answer -> a grid.

The form is the published one, the words are ours: one message of a role, a numbered task list, a notice where the query
is unlike what is shown, and the output rule; then per shown example its transformations, input and output; then the
transformations to apply and the test input. Where nothing is shown, a legend says what the transformations do. Grids
are written as lists, or drawn as images.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cogitao.rules import TRANSFORMATIONS
from unseen.core.asking import Chooser, Form, Manner, Part, Pictures, Unusable, by_name
from unseen.core.errors import SpecError
from unseen.core.random import Stream
from unseen.core.task import Example, Task
from unseen.render import figure

Grid = npt.NDArray[np.int8]
Written = Callable[[str, Grid], list[Part]]  # a grid under its name, as parts

ROLE = "You are an expert in rules that transform grids."
TASKS = (
    "Study the examples: each names the transformations that are applied in order to every object of its input.",
    "Find out what every transformation does.",
    "Apply the transformations named at the end, in their order, to every object of the test input.",
)
TASKS_ALONE = (
    "Read what the transformations do, and the test input.",
    "Apply the transformations, in their order, to every object of the test input.",
)
GRIDS = "A grid is a list of rows; 0 is background, 1 to 9 are colors."
HUES = ("blue", "red", "green", "yellow", "gray", "magenta", "orange", "light blue", "dark red")  # of 1 to 9
IMAGES = (
    "Grids are drawn as images, a square for each cell. In answers, colors are numbers: 0 for white, the background, "
    + (", ".join(f"{number} for {hue}" for number, hue in enumerate(HUES, 1)) + ".")
)
NOTICES = {  # the field of the spec that shifts, and how it is announced
    "sequences": "Notice: the test input asks for a combination of transformations that no example shows.",
    "objects": "Notice: the number of objects in the test input is outside the range of the examples.",
    "grid": "Notice: the size of the test input is outside the range of the examples.",
}
LEGEND = "What the transformations do, to each object by itself:"
OBJECTS = "An object is a group of colored cells that touch at edges or corners."
CONNECTED = {"fully_connected"}  # the property for which that is true
TERMS = {  # words of the legend, and what they mean
    "box": "The box of an object is the smallest rectangle of cells around it, found anew after every transformation.",
    "hole": "A hole is background inside an object from which no way along edges leads out of its box.",
    "main": "The main color of an object is its most frequent one, of several the smallest number.",
    "color after": "The color after a color is the next number; after 9 comes 1.",
}
OUTPUT_RULE = (
    "Answer with the output grid alone, as a Python list of lists of integers: no explanation, no code fences."
)
CELL = 24  # pixels of a drawn cell, fewer where a grid would be larger than LARGEST
LARGEST = 768

# ---------------------------------------------------------------------------- what is asked


def write(example: Example, context: Sequence[Example], manner: Manner, *, grids: Written, about: str) -> list[Part]:
    """Return the parts that ask for the output of an example.

    Shown are the examples of `context`, each with its own sequence, or else the example's own demonstrations. Coded
    names call the transformations of the task t1, t2, ... in the order of its training set.

    >>> import unseen
    >>> example = unseen.load("cogitao/custom", "test", transformations="rot90", depth=1, grid=3, max_size=1)[0]
    >>> print(*FORMS["grids"].write(example, (), Manner()), sep="\\n\\n")
    You are an expert in rules that transform grids.
    <BLANKLINE>
    1. Read what the transformations do, and the test input.
    2. Apply the transformations, in their order, to every object of the test input.
    A grid is a list of rows; 0 is background, 1 to 9 are colors.
    <BLANKLINE>
    What the transformations do, to each object by itself:
    rot90: Turn the object a quarter counter-clockwise; the top-left of its box stays.
    An object is a group of colored cells that touch at edges or corners.
    The box of an object is the smallest rectangle of cells around it, found anew after every transformation.
    <BLANKLINE>
    Answer with the output grid alone, as a Python list of lists of integers: no explanation, no code fences.
    <BLANKLINE>
    Transformations to apply: rot90
    Test Input: [[0, 0, 0], [0, 0, 0], [9, 0, 6]]
    """
    shown = list(_shown(example, context))
    if manner.names == "coded" and not shown:
        raise SpecError("coded names mean nothing without examples; ask with context='mixed' or in_context=5")
    called = _codes(example.task, example.split) if manner.names == "coded" else {}
    tasks = TASKS if shown else TASKS_ALONE
    said = [ROLE, "\n".join([*(f"{k}. {line}" for k, line in enumerate(tasks, 1)), about])]
    said += [] if shown else [legend(example)]
    said += _notices(example, context) if manner.notice else ()
    parts: list[Part] = [*said, OUTPUT_RULE]
    for k, (sequence, before, after) in enumerate(shown, 1):
        parts += [f"Transformations: {_named(sequence, called)}", *grids(f"Input {k}", before)]
        parts += grids(f"Output {k}", after)
    asked = _named(example.record.sequence, called)
    return joined([*parts, f"Transformations to apply: {asked}", *grids("Test Input", example.inputs["grid"])])


def legend(example: Example) -> str:
    """Give what each transformation of a query does, in which sense and about which anchor, and what the words mean."""
    rules = [TRANSFORMATIONS[name] for name in dict.fromkeys(example.record.sequence)]
    lines = [f"{rule.name}: {rule.description}" for rule in rules]
    known = {*example.task.split(example.split).spec.properties}
    terms = [meaning for word, meaning in TERMS.items() if word in " ".join(lines)]
    return "\n".join([LEGEND, *lines, *([OBJECTS] if known >= CONNECTED else []), *terms])


def listed(name: str, grid: Grid) -> list[Part]:
    """Return a grid as a list of lists."""
    return [f"{name}: {grid.tolist()}"]


def drawn(name: str, grid: Grid) -> list[Part]:
    """Return a grid as an image, and its size in words."""
    height, width = grid.shape
    cell = max(4, min(CELL, LARGEST // max(height, width)))
    return [f"{name}, {height} rows and {width} columns:", Pictures([figure.lined(grid, cell)], (name,))]


def joined(parts: Sequence[Part]) -> list[Part]:
    """Parts with the lines of one example together, and empty lines between examples."""
    text: list[Part] = []
    for part in parts:
        follows = isinstance(part, str) and part.startswith(("Input ", "Output ", "Test Input"))
        if isinstance(part, str) and text and isinstance(text[-1], str):
            text[-1] += ("\n" if follows else "\n\n") + part
        else:
            text.append(part)
    return text


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


class Mixture(Chooser):
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

    @staticmethod
    def source(split: str) -> str:
        """Return the split that an out-of-distribution split is held against, test for test_ood, or a split itself."""
        return split.removesuffix("_ood")

    def asks(self, example: Example) -> bool:
        """Tell whether the published experiments would ask this: their queries are the deepest sequences of a split."""
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


def parse(text: str, example: Example, manner: Manner) -> Grid | Unusable:
    """The grid that an answer holds, or why it is unusable: as published, it is to be one list of lists and no more.

    A lenient reading takes the last list of lists in the text, whatever is around it.

    >>> import unseen
    >>> example = unseen.load("cogitao/custom", "test", transformations="rot90", depth=1, grid=3, max_size=1)[0]
    >>> parse("[[0, 0, 0], [0, 3, 0], [2, 0, 0]]", example, Manner()).shape
    (3, 3)
    >>> parse("It is [[0, 0, 0]].", example, Manner())
    'the answer is not a list of lists of colors'
    >>> parse("It is [[0, 0, 0]].", example, Manner(lenient=True))
    'the answer has another size than the input'
    """
    found = list(LISTS.finditer(text))[-1:] if manner.lenient else [LISTS.fullmatch(text.strip())]
    if not found or found[0] is None:
        return Unusable("the answer is not a list of lists of colors" if text.strip() else "the answer is empty")
    rows = [[int(color) for color in re.findall("[0-9]", row)] for row in re.findall(ROW, found[0].group())]
    if len({len(row) for row in rows}) > 1:
        return Unusable("the answer has rows of different lengths")
    grid = np.array(rows, np.int8)
    # no transformation changes the size of the grid
    height, width = example.record.query.height, example.record.query.width
    return grid if grid.shape == (height, width) else Unusable("the answer has another size than the input")


def _truth(example: Example) -> Grid:
    return example.target["grid"]  # type: ignore[no-any-return]


def _form(name: str, about: str, grids: Written, written: str) -> Form:
    return Form(
        name,
        about,
        partial(write, grids=grids, about=written),
        parse,
        _truth,
        say=lambda grid: str(grid.tolist()),
        unusable=UNUSABLE,
        takes=("shots", "names", "context", "notice"),
        shots=5,
        chooser=lambda manner: Mixture if manner.context == "mixed" else None,
    )


FORMS = by_name(
    _form("grids", "What is the output, of grids as lists of numbers?", listed, GRIDS),
    _form("images", "What is the output, of grids as images?", drawn, IMAGES),
)
