"""A sweep: its runs over an engine, those that others start from first, whatever happens to one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from unseen.engines import Engine
from unseen.engines import engine as engine_of
from unseen.sweeps.job import Outcome, perform, perform_patiently
from unseen.sweeps.plan import Planned


def sweep(runs: Sequence[Planned], *, workers: int | None = 1, engine: str | Engine = "local") -> Iterator[Outcome]:
    """Do runs, so many at once, and yield how each ended; what has a record is done already.

    A run whose start failed is skipped. What another sweep works on is left to it, unless that one is killed.
    """
    ended: dict[str, str] = {}
    over = engine_of(engine)
    for level in levels(runs):
        ready = [run for run in level if ended.get(run.after, "done") == "done"]
        for run in level:
            if run not in ready:
                ended[str(run.record)] = "skipped"
                yield Outcome(run, "skipped", "the run that it starts from failed")
        taken: list[Planned] = []
        with closing(over(perform, ready, workers)) as outcomes:
            for outcome in outcomes:
                if outcome.status == "taken":
                    taken.append(outcome.run)
                    continue
                ended[str(outcome.run.record)] = outcome.status
                yield outcome
        with closing(over(perform_patiently, taken, workers)) as outcomes:
            for outcome in outcomes:
                ended[str(outcome.run.record)] = outcome.status
                yield outcome


def levels(runs: Sequence[Planned]) -> list[list[Planned]]:
    """Return the runs in groups, each of which starts only from runs of groups before it."""
    depth: dict[str, int] = {}
    groups: list[list[Planned]] = []
    for run in runs:  # what a run starts from stands before it
        level = depth.get(run.after, -1) + 1  # what it starts from may have been done before
        depth[str(run.record)] = level
        if level == len(groups):
            groups.append([])
        groups[level].append(run)
    return groups
