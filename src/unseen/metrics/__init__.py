"""Metrics: functions from stored predictions to numbers, checked by hand; numpy only, but for LPIPS.

A third party declares one with `@metric(...)` and names it in the entry-point group `unseen.metrics`, or adds it
with `METRICS.add(name, it)`.
"""

from unseen.metrics import grid, image, odd, perceptual, question, views
from unseen.metrics.metric import METRICS, Metric, metric

for _file in (grid, odd, image, perceptual, question, views):
    for _declared in vars(_file).values():
        if isinstance(_declared, Metric):
            METRICS.add(_declared.name, _declared)
# imported when asked for: they count pixels with numba
for _name in (
    *("mota", "motp", "md", "mt", "mt_strict", "match", "miss", "id_switches", "false_positives"),
    *("hota", "idf1", "fg_ari", "fg_ari_frames", "miou", "mbo", "video_mse"),
):
    METRICS.add_lazy(_name, f"unseen.metrics.video:{_name}")
for _name in ("box_mota", "box_motp", "box_hota", "box_idf1", "box_mt"):
    METRICS.add_lazy(_name, f"unseen.metrics.boxes:{_name}")

__all__ = ["METRICS", "Metric", "metric"]
