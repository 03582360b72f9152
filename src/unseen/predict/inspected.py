"""inspect-ai: a split as a task of that library, whose scorer reads answers as we do; and its logs as predictions.

`unseen export TASK SPLIT --format inspect` writes a file of a few lines that calls this. Items are drawn when the file
is loaded, so that nothing has to be published.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from unseen.core.asking import Manner, checked_manner
from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError, missing_extra
from unseen.core.task import Task
from unseen.data.dataset import Dataset, Generated
from unseen.predict.item import Item, items
from unseen.predict.language.message import message
from unseen.predict.predictions import write_predictions
from unseen.predict.reward import reward

try:
    from inspect_ai import Task as InspectTask
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.log import read_eval_log
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
    from inspect_ai.scorer import Score, mean, scorer, stderr
    from inspect_ai.solver import generate
except ImportError:
    raise missing_extra("inspect-ai's tasks and logs", "inspect", "inspect-ai") from None

ADDRESS = ("task", "split", "seed", "index")  # of an item, in the metadata of a sample
MANNER = "manner"


def inspect_task(task: str, split: str, *, count: int | None = None, seed: int = 0, **manner: Any) -> InspectTask:
    """Return the first items of a split, or all, as a task of inspect-ai."""
    chosen = task_named(task)
    found = islice(items(chosen, split, Manner(**manner), seed=seed), count)
    samples = [sample(item, seed, manner) for item in found]
    name = f"{chosen.id} {split}".replace("/", "-").replace(" ", "-")
    return InspectTask(
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=generate(),
        scorer=as_a_test_scores(),
        metadata={"unseen": chosen.id, "version": chosen.benchmark.version},
    )


def sample(item: Item, seed: int, manner: dict[str, Any]) -> Sample:
    """Return an item as a sample: one message, the right answer, and where the item comes from."""
    example = item.example
    parts = [
        ContentText(text=part)
        if isinstance(part, str)
        else ContentImage(image=f"data:image/png;base64,{base64.b64encode(part).decode()}")
        for part in message(item.parts, item.manner).parts
    ]
    place = dict(zip(ADDRESS, (example.task.id, example.split, seed, example.index), strict=True))
    return Sample(
        id=f"{example.split}-{seed}-{example.index}",
        input=[ChatMessageUser(content=parts)],
        target=item.form.say(item.form.truth(example)),
        metadata={**place, MANNER: manner},
    )


@scorer(metrics=[mean(), stderr()], name="unseen")  # type: ignore[untyped-decorator]
def as_a_test_scores() -> Any:
    """Score an answer as `unseen.reward` does, from 0 to 1, with the reason."""

    async def score(state: Any, target: Any) -> Score:
        task, split, seed, index = (state.metadata[name] for name in ADDRESS)
        example = Dataset(Generated(task_named(task), split, seed))[index]
        worth = reward(example, state.output.completion, **state.metadata[MANNER])
        return Score(value=float(worth), answer=state.output.completion, explanation=worth.reason)

    return score


# ---------------------------------------------------------------------------- logs


@dataclass(frozen=True)
class Logged:
    """What a log of inspect-ai holds: who answered what, and how it was asked."""

    task: Task
    split: str
    seed: int
    model: str
    manner: Manner
    indices: tuple[int, ...]
    values: list[Any]


def read_log(path: str | Path) -> Logged:
    """Read the answers of a log, again by our own parser."""
    try:
        log = read_eval_log(str(path))
        samples: Sequence[Any] = [one for one in log.samples or () if one.output and one.output.choices]
        places = {tuple(one.metadata[name] for name in ADDRESS[:3]) for one in samples}
        (manner,) = {tuple(sorted(one.metadata[MANNER].items())) for one in samples}
        ((task, split, seed),) = places
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        said = str(error).partition("\n")[0]
        raise DataError(f"{path} is not a log of a task that unseen exported: {said}") from error
    chosen = task_named(task)
    form, settled = checked_manner(chosen.benchmark, Manner(**dict(manner)))
    dataset = Dataset(Generated(chosen, split, seed))
    answered = {int(one.metadata["index"]): one.output.completion for one in samples}
    values = [Item(dataset[index], form, settled).read(text)[0] for index, text in answered.items()]
    return Logged(chosen, split, seed, str(log.eval.model), settled, tuple(answered), values)


def write_log(logged: Logged, path: str | Path) -> None:
    """Write the answers of a log as a predictions file."""
    form, _ = checked_manner(logged.task.benchmark, logged.manner)
    write_predictions(
        path,
        logged.task,
        logged.split,
        logged.values,
        seed=logged.seed,
        model=logged.model,
        indices=logged.indices,
        form=form,
    )
