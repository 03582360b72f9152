"""One run from training to its record, in a process of its own: whatever happens to it, the sweep goes on.

`perform` starts the process and says how it ended; the process is this module, with the run as JSON on its input.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass
from functools import partial
from math import ceil
from time import sleep
from typing import Any

from pydantic import TypeAdapter

from unseen.core.catalogue import task as task_named
from unseen.core.errors import UnseenError
from unseen.core.recipe import Recipes
from unseen.sweeps.claim import Taken, claimed
from unseen.sweeps.plan import Planned

DONE, MISTAKE, TAKEN = 0, 2, 75  # exit codes; the last is "try again later" of sysexits
WATCH = 1.0  # seconds between looks whether the process that started this one lives
LONGEST = 300  # characters of a sentence on what went wrong


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    run: Planned
    status: str  # done, failed, taken (another process works on it) or skipped
    why: str = ""


def perform(run: Planned) -> Outcome:
    """Do a run in a process of its own, with as many threads as its engine says; never raises for the run."""
    if run.record.exists():
        return Outcome(run, "done")
    ended = subprocess.run(
        [sys.executable, "-m", "unseen.sweeps.job"],
        input=json.dumps(asdict(run)),
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if ended.returncode == DONE:
        return Outcome(run, "done")
    if ended.returncode == TAKEN:
        return Outcome(run, "taken")
    said = ended.stderr.strip().splitlines()
    signal = f"its process was ended by signal {-ended.returncode}" if ended.returncode < 0 else ""
    return Outcome(run, "failed", signal or (said[-1][:LONGEST] if said else f"exit code {ended.returncode}"))


def perform_patiently(run: Planned) -> Outcome:
    """Do a run that another process works on, if that one does not finish it."""
    while (outcome := perform(run)).status == "taken":
        sleep(WATCH)
    return outcome


# ---------------------------------------------------------------------------- in the process of the run


def complete(run: Planned) -> None:
    """Train, or go on with it, predict, score, and write the record."""
    from unseen.predict.trained import predict, splits_to_test
    from unseen.results.record import write_record
    from unseen.train import train

    with claimed(run.claim) as progress:
        if run.record.exists():
            return
        trained = train(
            run.task,
            run.model,
            seed=run.seed,
            recipe=recipes_of(run),
            options=run.options,
            out=run.folder.parents[3],
            init_from=run.start or None,
            init_names=run.names,
            freeze=run.freeze,
            progress=progress,
        )
        for split in run.predict or splits_to_test(trained):
            predict(trained, split, count=run.count or None, progress=progress)
        write_record(trained.folder, run.record.parents[2])


def recipes_of(run: Planned) -> Recipes:
    """Tell how each stage of a run is trained: as published, with what the sweep changes, at its budget."""
    from unseen.train.interface import interface_of
    from unseen.train.recipe import recipes_for

    task = task_named(run.task)
    stages = _stages(run.model, json.dumps(run.options), interface_of(task), run.task)
    size = task.split("train").size
    recipes = recipes_for(run.model, task, stages, **run.recipe)
    return {name: one.shortened(run.budget, ceil(size / one.batch_size)) for name, one in recipes.items()}


_STAGES: dict[Any, list[str]] = {}


def _stages(model: str, options: str, told: Any, task: str) -> list[str]:
    """The names of a model's stages; the same for tasks of one shape, so that the model is made but once for them."""
    from unseen.train.modules import make_model, stages_of

    alike = (model, options, told)
    if alike not in _STAGES:
        _STAGES[alike] = [stage.name for stage in stages_of(make_model(model, task_named(task), json.loads(options)))]
    return _STAGES[alike]


def main() -> int:
    """Do the run that stands on the input."""
    threading.Thread(target=partial(_end_without, os.getppid()), daemon=True).start()
    run: Planned = TypeAdapter(Planned).validate_json(sys.stdin.read())
    try:
        complete(run)
    except Taken:
        return TAKEN
    except UnseenError as error:
        print(error, file=sys.stderr)
        return MISTAKE
    return DONE


def _end_without(parent: int) -> Any:
    """End at once when the process that started this one is gone: nobody would know of it."""
    while os.getppid() == parent:
        sleep(WATCH)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
