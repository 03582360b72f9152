"""Tracking evaluation on masks.

    evaluate             the paper's metrics as the paper defines them, and HOTA, IDF1, foreground ARI, mean IoU
    evaluate_published   the published program's numbers, on its own files
    count                what `evaluate` counts in each video, for the paper's figures in analysis.py

frames -> label_maps -> overlaps -> clear_mot, hota, identity, segmentation -> evaluation -> analysis
"""

from unseen.core.run_lengths import FIRST_BACKGROUND
from unseen.metrics.tracking.analysis import EVALUATED_AFTER_WARM_START, failures_by_objects, relative, warm_start
from unseen.metrics.tracking.evaluation import Counts, count, evaluate
from unseen.metrics.tracking.label_maps import label_maps, to_published
from unseen.metrics.tracking.published import evaluate_published

__all__ = [
    "EVALUATED_AFTER_WARM_START",
    "FIRST_BACKGROUND",
    "Counts",
    "count",
    "evaluate",
    "evaluate_published",
    "failures_by_objects",
    "label_maps",
    "relative",
    "to_published",
    "warm_start",
]
