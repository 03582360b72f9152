"""How far trivial solvers may get: what a rule does not declare stays near chance, which is one in four."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unseen.benchmarks.cvr.rules import BY_NAME

BOUND = 0.35  # of 2,000 problems; chance and ten standard errors


def tells(spec: Any) -> Mapping[str, str]:
    """The statistics that carry a rule of the spec, each with the reason why that is the rule and no shortcut."""
    return {name: reason for rule in spec.rules for name, reason in BY_NAME[rule].tells.items()}
