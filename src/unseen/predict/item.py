"""An example as an item: what a test taker is shown and asked, what it answers, and what that is worth.

Language models, people and learners are put the same items, and their answers are read and scored the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from unseen.core.asking import Chooser, Form, Manner, Part, Unusable, checked_manner
from unseen.core.random import Stream, path_key
from unseen.core.task import Example, Task
from unseen.data.dataset import SEED, Dataset, Generated
from unseen.metrics import METRICS

CUT_OFF = "the answer was cut off by the limit on tokens"


@dataclass(frozen=True, eq=False)
class Item:
    """An example that is put in a form, after solved ones or none."""

    example: Example
    form: Form
    manner: Manner
    shown: tuple[Example, ...] = ()

    @property
    def parts(self) -> list[Part]:
        """Texts and pictures in the order in which they are shown."""
        return self.form.write(self.example, self.shown, self.manner)

    def read(self, text: str, *, cut_off: bool = False) -> tuple[Any, str | None]:
        """Return the prediction that an answer stands for, and why it is unusable, if it is."""
        found = self.form.parse(text, self.example, self.manner)
        if isinstance(found, Unusable):
            return self.form.unusable, CUT_OFF if cut_off else str(found)
        return found, None


def items(task: Task, split: str, manner: Manner, *, seed: int = SEED) -> Iterator[Item]:
    """Yield the items of a split in order; examples that cannot be put in a form are left out."""
    form, manner = checked_manner(task.benchmark, manner)
    chooser = chooser_of(task, split, form, manner, seed)
    count = form.shown(manner)
    key = path_key(seed, task.name, split, "context")
    for example in Dataset(Generated(task, split, seed)):
        if not form.asks(example) or (chooser and not chooser.asks(example)):
            continue
        shown = chooser.context(example, count, Stream(key, index=example.index)) if chooser else ()
        yield Item(example, form, manner, tuple(shown))


def item_of(example: Example, manner: Manner, *, seed: int = SEED) -> Item:
    """Return one example as an item; what is shown before it is drawn with the seed."""
    form, manner = checked_manner(example.task.benchmark, manner)
    chooser = chooser_of(example.task, example.split, form, manner, seed)
    if not chooser:
        return Item(example, form, manner)
    key = path_key(seed, example.task.name, example.split, "context")
    shown = chooser.context(example, form.shown(manner), Stream(key, index=example.index))
    return Item(example, form, manner, tuple(shown))


def chooser_of(task: Task, split: str, form: Form, manner: Manner, seed: int) -> Chooser | None:
    """Return what chooses solved examples; none where none are shown."""
    made = form.chooser(manner)
    if made is None or form.shown(manner) == 0:
        return None
    return _chooser(made, task.id, made.source(split), seed)


@lru_cache(maxsize=8)  # some choosers look through a whole split
def _chooser(made: type[Chooser], task: str, split: str, seed: int) -> Chooser:
    from unseen.core.catalogue import task as task_named

    return made(Dataset(Generated(task_named(task), split, seed)))


def metrics_of(task: Task, form: Form) -> tuple[str, ...]:
    """Return the metrics of a form's answers, the headline first: its own, or the task's."""
    return form.metrics or task.metrics


def headline(task: Task, form: Form) -> str:
    """Return the first metric of a form's answers."""
    return metrics_of(task, form)[0]


def value_of(item: Item, prediction: Any) -> float:
    """Return what the headline metric gives a prediction, by itself."""
    metric = METRICS[headline(item.example.task, item.form)]
    return metric.value(*metric.counts(item.form.truth(item.example), prediction))
