"""Scores of a joint task rule by rule: a mean over rules hides which of them were learned."""

from __future__ import annotations

from unseen.core.task import Task
from unseen.data.dataset import Dataset, Generated
from unseen.metrics.odd import rule_accuracies
from unseen.results.scoring import Scores


def rule_scores(task: Task, scores: Scores) -> dict[str, float]:
    """The headline metric of each rule, in the order in which the rules first occur."""
    truth = Dataset(Generated(task, scores.split, scores.seed))
    rules = (truth[int(row["index"])].record.rule for row in scores.rows)
    return rule_accuracies(rules, (row[task.metrics[0]] for row in scores.rows))
