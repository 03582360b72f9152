"""How far the splits of a task are from its training split, in what examples are made of and how it is combined.

Every benchmark says what its atoms and compounds are, in `splits.atoms` and `splits.compounds`; the measure is the same
for all of them. As a yardstick, examples of training alone are split so that their compounds diverge most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from unseen.audit.run import COUNT, examples
from unseen.core.divergence import Divergence, Parts, divergence, diverging
from unseen.core.errors import SpecError
from unseen.core.progress import Progress
from unseen.core.task import Task
from unseen.data.dataset import SEED

WIDEST = "the most divergent fifth of train"
MOST_ITEMS = 2_000  # training examples that the most divergent fifth is searched among


def divergences(
    task: Task, *, count: int = COUNT, seed: int = SEED, progress: Progress | None = None
) -> dict[str, Divergence]:
    """Measure the divergence from training to every other split, over `count` examples each, and to a yardstick.

    >>> from unseen.core.catalogue import task
    >>> found = divergences(task("cogitao/c2-1"), count=200)
    >>> round(found["test"].compound, 1), found["test_ood"].compound
    (0.0, 1.0)
    """
    parts = {split: parts_of(task, split, count=count, seed=seed, progress=progress) for split in task.splits}
    train = parts.pop("train")
    found = {split: divergence(joined(train), joined(other)) for split, other in parts.items()}
    return {**found, WIDEST: widest(train[:MOST_ITEMS])}


def parts_of(task: Task, split: str, *, count: int, seed: int, progress: Progress | None = None) -> list[Parts]:
    """Return the atoms and compounds of some examples, each by itself."""
    file = task.benchmark.file("splits")
    if not hasattr(file, "atoms"):
        raise SpecError(f"{task.benchmark.name} does not say what its examples are made of, so splits cannot diverge")
    found = []
    for done, example in enumerate(islice(examples(task, split, seed), count), 1):
        found.append(Parts(Counter(file.atoms(example.record)), Counter(file.compounds(example.record))))
        if progress:
            progress(done, count, f"{task.id} {split}")
    return found


def joined(items: Sequence[Parts]) -> Parts:
    """Return the atoms and compounds of several examples together."""
    whole = Parts(Counter(), Counter())
    for item in items:
        whole.atoms.update(item.atoms)
        whole.compounds.update(item.compounds)
    return whole


def widest(items: Sequence[Parts]) -> Divergence:
    """Measure the divergence of a split of some examples that is chosen to make it large."""
    test = set(diverging(items))
    kept = [item for place, item in enumerate(items) if place not in test]
    return divergence(joined(kept), joined([items[place] for place in sorted(test)]))
