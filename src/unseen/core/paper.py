"""What published tables are made of, in all benchmarks: a number that results are set beside, a program's speed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """One number of a table, of one metric, shares in percent: a model on a task, or on a whole setting."""

    task: str  # "c1-1"; where a table has a row for a setting, "c1"
    model: str
    split: str
    mean: float
    sem: float | None = None


@dataclass(frozen=True)
class Speed:
    """What a published program takes on one CPU core for one configuration, and how much faster we mean to be."""

    name: str
    task: str
    split: str
    milliseconds: float  # per example
    target_ratio: float


@dataclass(frozen=True)
class Rate:
    """How fast we mean to be where no generator was published."""

    name: str
    task: str
    split: str
    per_second: int  # examples per second of CPU time
