"""CLEAR MOT (Bernardin and Stiefelhagen 2008) on masks, as the paper defines it.

A pair of an object and a prediction is a match where its IoU exceeds 0.5. Masks are disjoint, so that no segment can
have two such partners, and nothing is left to choose: neither carrying pairs over nor optimal assignment, which the
published code needs for masks that overlap, could change a pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.metrics.tracking.overlaps import Flags, Overlaps

Counts = npt.NDArray[np.int64]

NOBODY = -1


class ClearMot(NamedTuple):
    """What happened in each video (video,)."""

    matches: Counts  # occurrences of objects that were matched, and not for the first time to another prediction
    switches: Counts  # matched to another prediction than at the last time
    misses: Counts
    false_positives: Counts
    iou: npt.NDArray[np.float64]  # summed over matches and switches
    objects: Counts  # different objects that were seen
    detected: Counts  # objects that were matched, by whatever prediction, in at least 80 % of the frames they were seen
    tracked: Counts  # objects that were matched without a switch in at least 80 % of these frames
    strictly_tracked: Counts  # objects that were detected and never switched

    @property
    def occurrences(self) -> Counts:
        """Objects, in all frames in which they were seen."""
        return self.matches + self.switches + self.misses


def clear_mot(overlaps: Overlaps) -> ClearMot:
    """Count matches, switches, misses and false positives.

    An object that comes back after any time with another partner has switched. In the published program a switch costs
    an object its own frame only; in the paper's words one that switched is detected but not tracked, which here is
    tracked strictly.
    """
    partners = partners_of(overlaps)
    matched, switched = partners != NOBODY, switches_of(partners)
    seen = overlaps.objects
    lifespans = seen.sum(axis=1)  # (video, object)
    detected, tracked = (mostly(which, lifespans) for which in (matched, matched & ~switched))
    v, f, i = np.nonzero(matched)
    j = partners[v, f, i]
    iou = overlaps.pixels[v, f, i, j] / overlaps.unions[v, f, i, j]
    return ClearMot(
        matches=(matched & ~switched).sum(axis=(1, 2)),
        switches=switched.sum(axis=(1, 2)),
        misses=(seen & ~matched).sum(axis=(1, 2)),
        false_positives=overlaps.predictions.sum(axis=(1, 2)) - matched.sum(axis=(1, 2)),
        iou=np.bincount(v, weights=iou, minlength=len(seen)).astype(float),
        objects=(lifespans > 0).sum(axis=1),
        detected=detected.sum(axis=1),
        tracked=tracked.sum(axis=1),
        strictly_tracked=(detected & ~switched.any(axis=1)).sum(axis=1),
    )


def mostly(happened: Flags, lifespans: Counts) -> Flags:
    """Which objects (video, object) something happened to in at least 80 % of the frames in which they were seen."""
    often: Flags = 5 * happened.sum(axis=1) >= 4 * lifespans
    return (lifespans > 0) & often


def pairs_of(overlaps: Overlaps) -> Flags:
    """Which pairs are matches (video, frame, true segment, predicted segment): an IoU above 0.5, in whole numbers."""
    return overlaps.pairs & (2 * overlaps.pixels > overlaps.unions)


def partners_of(overlaps: Overlaps) -> npt.NDArray[np.int64]:
    """Return the prediction that each object is matched with (video, frame, true segment), or NOBODY."""
    pairs = pairs_of(overlaps)
    return np.where(pairs.any(axis=3), pairs.argmax(axis=3), NOBODY)


def switches_of(partners: npt.NDArray[np.int64]) -> Flags:
    """Tell where an object has another partner than it had last, however long ago.

    >>> switches_of(np.array([[[3], [NOBODY], [3], [4], [4]]]))[0, :, 0].tolist()
    [False, False, False, True, False]
    """
    switched = np.zeros(partners.shape, bool)
    last = np.full_like(partners[:, 0], NOBODY)
    for frame in range(partners.shape[1]):
        now = partners[:, frame]
        switched[:, frame] = (now != NOBODY) & (last != NOBODY) & (now != last)
        last = np.where(now == NOBODY, last, now)
    return switched
