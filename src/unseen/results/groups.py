"""Scores group by group: a mean over rules, or over templates, hides which of them were learned.

A benchmark says what groups an example belongs to in `splits.groups(record)`: `{"template": "count", ...}`.
"""

from __future__ import annotations

from unseen.core.task import Task
from unseen.data.dataset import Dataset, Generated
from unseen.metrics.metric import means_by_group
from unseen.results.scoring import Scores


def group_scores(task: Task, scores: Scores) -> dict[str, dict[str, float]]:
    """By each way of grouping the first metric of each group, in order of appearance; none where there is no way."""
    groups = getattr(task.benchmark.file("splits"), "groups", None)
    if groups is None or not scores.rows:
        return {}
    truth = Dataset(Generated(task, scores.split, scores.seed))
    found = [groups(truth[int(row["index"])].record) for row in scores.rows]
    headline = next(iter(scores))
    values = [row[headline] for row in scores.rows]
    return {way: means_by_group((one[way] for one in found), values) for way in found[0]}
