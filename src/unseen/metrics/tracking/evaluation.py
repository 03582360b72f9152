"""Tracking evaluation as the paper means it, on label maps, and beside it what today's readers expect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.tracking.clear_mot import ClearMot, clear_mot
from unseen.metrics.tracking.frames import SIDE, Range
from unseen.metrics.tracking.hota import Hota, hota
from unseen.metrics.tracking.identity import Identity, identity
from unseen.metrics.tracking.label_maps import label_maps
from unseen.metrics.tracking.overlaps import MIN_PIXELS, overlaps
from unseen.metrics.tracking.reconstruction import reconstruction_mse
from unseen.metrics.tracking.segmentation import Segmentation, segmentation


class Counts(NamedTuple):
    """What every metric is made of, for each video."""

    clear: ClearMot
    hota: Hota
    identity: Identity
    segmentation: Segmentation

    def of(self, videos: npt.NDArray[Any] | Sequence[int]) -> Counts:
        """Return the counts of some of the videos, by index or by a flag for each."""
        chosen = np.asarray(videos)
        clear, hota, identity, segmentation = ([array[chosen] for array in part] for part in self)
        return Counts(ClearMot(*clear), Hota(*hota), Identity(*identity), Segmentation(*segmentation))

    def scores(self) -> dict[str, float]:
        """Return the metrics of all these videos together, in percent; nan where there is nothing to score.

        MOTA, MOTP, MD, MT, MT-strict, Match, Miss, IDS, FP, HOTA, DetA, AssA and IDF1 are of pooled counts; FG-ARI, of
        tubes and of frames, and mBO are means over videos that show an object, and mIoU is one over objects.
        """
        clear = self.clear
        occurrences, matched, objects = (
            _sum(clear.occurrences),
            _sum(clear.matches + clear.switches),
            _sum(clear.objects),
        )
        true_positives, detections, association = (array.sum(axis=0) for array in self.hota)
        shown = self.segmentation.objects > 0
        overlap = self.segmentation.best_overlap[shown] / self.segmentation.objects[shown]
        ari, frame_ari = self.segmentation.ari[shown], self.segmentation.frame_ari[shown]
        videos = np.float64(np.count_nonzero(shown))
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = {
                "MOTA": 1 - _sum(clear.misses + clear.switches + clear.false_positives) / occurrences,
                "MOTP": _sum(clear.iou) / matched,
                "MD": _sum(clear.detected) / objects,
                "MT": _sum(clear.tracked) / objects,
                "MT-strict": _sum(clear.strictly_tracked) / objects,
                "Match": _sum(clear.matches) / occurrences,
                "Miss": _sum(clear.misses) / occurrences,
                "IDS": _sum(clear.switches) / occurrences,
                "FP": _sum(clear.false_positives) / occurrences,
                "HOTA": np.sqrt(association / detections).mean(),
                "DetA": (true_positives / detections).mean(),
                "AssA": (association / np.maximum(true_positives, 1)).mean(),
                "IDF1": 2 * _sum(self.identity.followed) / _sum(self.identity.detections),
                "FG-ARI": _sum(ari) / videos,
                "FG-ARI-frames": _sum(frame_ari) / videos,
                "mIoU": _sum(self.segmentation.iou) / _sum(self.segmentation.objects),
                "mBO": _sum(overlap) / videos,
            }
        return {name: 100 * float(share) for name, share in shares.items()}


def _sum(counts: npt.NDArray[Any]) -> np.float64:
    """A sum whose ratio to zero is nan or infinite instead of an error."""
    return np.float64(counts.sum())


def count(
    truth: Any,
    predictions: Any,
    *,
    frames: Range | None = None,
    exclude_background: bool = True,
    min_pixels: int = MIN_PIXELS,
    min_pool: bool = False,
    side: int = SIDE,
) -> Counts:
    """Count what every metric is made of, for each video; the arguments are those of `evaluate`."""
    found = overlaps(
        label_maps(truth, what="truth", side=side),
        label_maps(predictions, min_pool=min_pool, side=side),
        frames=frames,
        exclude_background=exclude_background,
        min_pixels=min_pixels,
    )
    return Counts(clear_mot(found), hota(found), identity(found), segmentation(found))


def evaluate(
    truth: Any,
    predictions: Any,
    *,
    frames: Range | None = None,
    exclude_background: bool = True,
    min_pixels: int = MIN_PIXELS,
    min_pool: bool = False,
    side: int = SIDE,
    videos: Any = None,
    reconstructions: Any = None,
) -> dict[str, float]:
    """Evaluate tracking as the paper describes it; in percent but for MSE.

    Truth and predictions are label maps (video, frame, height, width), run lengths with ids, or soft slots (video,
    frame, slot, height, width); label_maps.py says what ids mean. Frames 2 to 9 are evaluated unless others are asked
    for. A match has to exceed an IoU of 0.5. MT is counted as in the published program, whose numbers the tables have:
    a switch costs an object one frame. In MT-strict, the paper's words, one whose match ever changes is not tracked.
    Segments of `min_pixels` or fewer do not count, nor, with `exclude_background`, predictions that overlap a
    background segment with an IoU above 0.2. `min_pool` halves soft slots. `side` is that of run lengths in the
    published form. Where `videos` and their `reconstructions` are given, MSE is the error between them.

    >>> truth = np.zeros((1, 4, 8, 8), np.uint8)
    >>> truth[:, :, 2:5, 2:6] = 1
    >>> predictions = np.where(truth == 1, 9, 4)  # a slot of background and one of the object
    >>> scores = evaluate(truth, predictions)
    >>> scores["MOTA"], scores["HOTA"], scores["FP"]
    (100.0, 100.0, 0.0)
    """
    counts = count(
        truth,
        predictions,
        frames=frames,
        exclude_background=exclude_background,
        min_pixels=min_pixels,
        min_pool=min_pool,
        side=side,
    )
    if (videos is None) != (reconstructions is None):
        raise SpecError("the reconstruction error needs both videos and reconstructions; give both or none")
    if videos is None:
        return counts.scores()
    return {**counts.scores(), "MSE": reconstruction_mse(videos, reconstructions, frames=frames)}
