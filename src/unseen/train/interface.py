"""What a model must know of a task, read off the task and its first example."""

from __future__ import annotations

from unseen.core.errors import SpecError
from unseen.core.padding import grid_side
from unseen.core.task import Task
from unseen.data.dataset import SEED, Generated
from unseen.models import Grids


def interface_of(task: Task) -> Grids:
    """The shape of a task for models.

    >>> import unseen
    >>> interface_of(unseen.task("cogitao/c1-1"))
    Grids(side=20, code_length=4, tokens=29, demonstrations=0)
    """
    if task.kind.name != "grid":
        raise SpecError(f"models of {task.kind.name} tasks cannot be made yet, and {task.id} is one; grid tasks can")
    split = next(iter(task.splits))
    # without the pass that moves repeated examples: only shapes are asked for
    inputs = Generated(task, split, SEED, moved={}).example(0).inputs
    tokens = getattr(task.benchmark.file("render"), "tokens", None)
    return Grids(
        side=grid_side(task),
        code_length=len(inputs["code"]),
        tokens=tokens(task.split(split).spec) if tokens else 0,
        demonstrations=len(inputs.get("demonstration_inputs", ())),
    )
