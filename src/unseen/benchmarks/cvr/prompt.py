"""Problem -> the four images and the question which one is odd, and the answer -> a score for each image."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cvr.rules import BY_NAME
from unseen.benchmarks.cvr.scene import PANELS
from unseen.core.asking import Form, Manner, Part, Unusable, by_name, numbered, read_choice, solved
from unseen.core.task import Example

Scores = npt.NDArray[np.float32]

ASKED = "Of four images, three follow a rule and one, the odd one, breaks it. Find the odd image."
SHOWN = "First come solved problems; the rule is the same in all of them."
OUTPUT_RULE = "Answer with the number of the odd image alone, 1, 2, 3 or 4: no explanation."


def write(example: Example, context: Sequence[Example], manner: Manner) -> list[Part]:
    """Return the parts of a problem: the task, solved problems of the same rule, and the four images.

    >>> import unseen
    >>> problem = unseen.load("cvr/shape", "test")[0]
    >>> write(problem, (), Manner(rule=True))[0].splitlines()[2]
    'The rule: Three images show the same shape; the odd one shows another.'
    """
    said = [ASKED, *([SHOWN] if context else [])]
    if manner.rule:
        said.append(f"The rule: {BY_NAME[example.record.rule].sentence}")
    parts: list[Part] = ["\n\n".join([*said, OUTPUT_RULE])]
    for number, one in enumerate(context, 1):
        parts += [f"Problem {number}", numbered(one.inputs["images"]), f"Answer: {one.record.odd + 1}"]
    return [*parts, "The problem to solve", numbered(example.inputs["images"])]


def parse(text: str, example: Example, manner: Manner) -> Scores | Unusable:
    """Return a score of 1 for the image that an answer names and 0 for the others, or why it is unusable."""
    chosen = read_choice(text, PANELS, lenient=manner.lenient)
    return chosen if isinstance(chosen, Unusable) else np.eye(PANELS, dtype=np.float32)[chosen]


FORMS = by_name(
    Form(
        "odd",
        "Which of the four images is the odd one?",
        write,
        parse,
        truth=lambda example: example.record.odd,
        say=lambda odd: str(odd + 1),
        unusable=np.full(PANELS, -np.inf, np.float32),
        takes=("shots", "rule"),
        chooser=solved(lambda example: example.record.rule),
        options=lambda example: [str(number) for number in range(1, PANELS + 1)],
    )
)
