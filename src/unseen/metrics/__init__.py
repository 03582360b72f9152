"""Metrics: functions from stored predictions to numbers, checked by hand; numpy only.

A third party declares one with `@metric(...)` and names it in the entry-point group `unseen.metrics`, or adds it
with `METRICS.add(name, it)`.
"""

from unseen.metrics import grid, odd
from unseen.metrics.metric import METRICS, Metric, metric

for _declared in (*vars(grid).values(), *vars(odd).values()):
    if isinstance(_declared, Metric):
        METRICS.add(_declared.name, _declared)

__all__ = ["METRICS", "Metric", "metric"]
