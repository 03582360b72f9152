"""How far trivial solvers may get: what needs no image stays below even odds."""

from __future__ import annotations

from collections.abc import Mapping

from unseen.benchmarks.covr.spec import Spec

BOUND = 0.5  # of 2,000 questions; the paper's oracle of templates is right in 42 of 100


def tells(spec: Spec) -> Mapping[str, str]:
    """The solvers that may exceed it: most questions come in pairs, but a text that comes once tells its answer."""
    return {"text": "a text that occurs once among the questions at hand has one answer"}
