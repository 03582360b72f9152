"""Every example is a reward: the same prompt, parser and metric as in a test, for learners that are rewarded."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from unseen.core.asking import Form, Manner, checked_manner
from unseen.core.errors import SpecError
from unseen.core.task import Benchmark, Example
from unseen.metrics import METRICS, Metric
from unseen.predict.item import Item, headline, item_of

RIGHT = "right"
LONGEST = 200  # characters of a right answer that a reason quotes


class Reward(float):
    """What an answer is worth, from 0 to 1, and why.

    >>> Reward(0.5, "one of two objects").reason
    'one of two objects'
    """

    __slots__ = ("reason",)
    reason: str

    def __new__(cls, value: float, reason: str) -> Reward:
        """Make a number of a value and a reason; what is outside 0 and 1 is brought there."""
        made = super().__new__(cls, min(1.0, max(0.0, value)))
        made.reason = reason
        return made

    def __repr__(self) -> str:
        return f"Reward({float(self):g}, {self.reason!r})"

    def __reduce__(self) -> tuple[type[Reward], tuple[float, str]]:
        return Reward, (float(self), self.reason)


def ask(example: Example, *, seed: int = 0, **manner: Any) -> list[dict[str, Any]]:
    """Return the messages that ask for an example's answer, as any chat endpoint takes them; images are PNG data.

    `manner` is what `core.asking.Manner` has: `form="choose"`, `shots=5`, `rule=True`, `image_size=256` and so on.
    Solved examples that are shown first are drawn with the seed.

    >>> import unseen
    >>> message, = ask(unseen.load("cvr/shape", "test")[0])
    >>> message["role"], [part["type"] for part in message["content"]][:3]
    ('user', ['text', 'image_url', 'text'])
    """
    from unseen.predict.language.message import chat, message

    item = item_of(example, Manner(**manner), seed=seed)
    return chat(message(item.parts, item.manner))


def reward(example: Example, text: str, **manner: Any) -> Reward:
    """What a text is worth as an answer to an example: the form's first metric, for this example alone, from 0 to 1.

    >>> import unseen
    >>> problem = unseen.load("cvr/shape", "test")[0]
    >>> reward(problem, str(problem.target["odd"] + 1)), reward(problem, "the third")
    (Reward(1, 'right'), Reward(0, 'unusable: the answer holds no number'))
    """
    if not isinstance(text, str):
        raise SpecError(f"an answer is a text, not a {type(text).__name__}")
    form, settled = _settled(example.task.benchmark, tuple(sorted(manner.items())))
    prediction, unusable = Item(example, form, settled).read(text)
    if unusable is not None:
        return Reward(0.0, f"unusable: {unusable}")
    metric, truth = _metric(headline(example.task, form)), form.truth(example)
    value = metric.value(*metric.counts(truth, prediction))
    return Reward(value, RIGHT if value == 1 else _wrong(value, metric, form.say(truth)))


def _wrong(value: float, metric: Metric, right: str) -> str:
    share = f"{metric.name} is {value:.3g}; " if value > 0 else ""
    quoted = right if len(right) <= LONGEST else f"{right[:LONGEST]}..."
    return f"{share or 'wrong; '}the right answer is {quoted}"


@lru_cache(maxsize=256)  # rewards are asked for thousands of times in the same manner
def _settled(benchmark: Benchmark, manner: tuple[tuple[str, Any], ...]) -> tuple[Form, Manner]:
    return checked_manner(benchmark, Manner(**dict(manner)))


@lru_cache(maxsize=64)
def _metric(name: str) -> Metric:
    return METRICS[name]
