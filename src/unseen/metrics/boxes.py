"""Metrics of boxes around objects: how well they are found and followed through a video.

Targets and predictions are lists of objects, each a list of one box for each frame: [left, top, right, bottom], or None
where the object is not seen. The metrics are those of masks (tracking), with the overlap of boxes in place of shared
pixels. Boxes may overlap each other, so that pairs are assigned: those of the frame before are kept, the others are
chosen for the highest overlap. All frames count. Permuting objects changes nothing. All values are shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.metric import Counts, metric
from unseen.metrics.tracking import kernels
from unseen.metrics.tracking.clear_mot import clear_mot, pairs_of
from unseen.metrics.tracking.hota import hota
from unseen.metrics.tracking.identity import identity
from unseen.metrics.tracking.overlaps import Overlaps
from unseen.metrics.video import root_mean

Track = Sequence[Sequence[float] | None]
Ints = npt.NDArray[np.int64]

NOTHING = (0, 0, 0, 0)  # the box of what is not seen
FINE = 10  # parts of a unit that edges are rounded to, so that areas are whole numbers


@metric(kind="view")
def box_mota(target: Sequence[Track], prediction: Sequence[Track]) -> Counts:
    """MOT accuracy of boxes: 1 less the misses, switches and false positives per occurrence of an object.

    At most 1, below 0 without bound, higher is better. Predicting nothing gives 0. No objects: 0.

    >>> truth = [[[0, 0, 10, 10], [0, 0, 10, 10]]]
    >>> box_mota([truth], [truth]), box_mota([truth], [[[[0, 0, 10, 9], None]]]), box_mota([truth], [[]])
    (1.0, 0.5, 0.0)
    """
    found = clear_mot(assigned(_overlaps(target, prediction)))
    occurrences = found.occurrences[0]
    return occurrences - (found.misses + found.switches + found.false_positives)[0], occurrences


@metric(kind="view")
def box_motp(target: Sequence[Track], prediction: Sequence[Track]) -> Counts:
    """Mean IoU of all matched boxes: MOT precision.

    0.5 to 1, higher is better. No match: 0.

    >>> box_motp([[[[0, 0, 10, 10]]]], [[[[0, 0, 10, 9]]]])
    0.9
    """
    found = clear_mot(assigned(_overlaps(target, prediction)))
    return found.iou[0], (found.matches + found.switches)[0]


@metric(kind="view")
def box_mt(target: Sequence[Track], prediction: Sequence[Track]) -> Counts:
    """Share of objects whose boxes are matched without a switch in 80 % of the frames they are seen in.

    0 to 1, higher is better. No objects: 0.

    >>> box_mt([[[[0, 0, 10, 10]]]], [[[[0, 0, 10, 9]]]])
    1.0
    """
    found = clear_mot(assigned(_overlaps(target, prediction)))
    return found.tracked[0], found.objects[0]


@metric(kind="view", value=root_mean)
def box_hota(target: Sequence[Track], prediction: Sequence[Track]) -> Counts:
    """HOTA of boxes: how well objects are found and kept apart over time.

    0 to 1, higher is better. Neither objects nor predictions: 0.

    >>> truth = [[[0, 0, 10, 10], [0, 0, 10, 10]]]
    >>> box_hota([truth], [truth])
    1.0
    """
    found = hota(_overlaps(target, prediction))
    return found.association[0], found.detections[0]


@metric(kind="view")
def box_idf1(target: Sequence[Track], prediction: Sequence[Track]) -> Counts:
    """Share of boxes, true and predicted, that are matched when each track follows one other all along.

    0 to 1, higher is better; an IoU of 0.5 is a match. Neither objects nor predictions: 0.

    >>> truth = [[[0, 0, 10, 10], [0, 0, 10, 10]]]
    >>> box_idf1([truth], [[[[0, 0, 10, 10], None], [None, [0, 0, 10, 10]]]])
    0.5
    """
    found = identity(_overlaps(target, prediction))
    return 2 * found.followed[0], found.detections[0]


def _overlaps(target: Sequence[Track], prediction: Sequence[Track]) -> Overlaps:
    """What all metrics of one video are made of."""
    lengths = {len(track) for track in (*target, *prediction)}
    if len(lengths) > 1:
        raise SpecError(f"every object has one box for each frame, or none, and here are {sorted(lengths)} of them")
    return box_overlaps(_boxes(target, lengths), _boxes(prediction, lengths))


def _boxes(tracks: Sequence[Track], lengths: set[int]) -> Ints:
    """Boxes (frames, 1 + objects, 4) in whole numbers; the first, and what is not seen, has no area."""
    frames = max(lengths, default=1)
    nothing = [NOTHING] * frames
    boxes = np.array([nothing, *([box or NOTHING for box in track] for track in tracks)], np.float64)
    return np.rint(boxes * FINE).astype(np.int64).transpose(1, 0, 2)


def box_overlaps(true: Ints, predicted: Ints) -> Overlaps:
    """Return the areas that boxes share, as metrics of masks have pixels."""
    first, second = true[:, :, None], predicted[:, None]
    sides = np.minimum(first[..., 2:], second[..., 2:]) - np.maximum(first[..., :2], second[..., :2])
    shared = np.maximum(sides, 0).prod(axis=-1)
    areas = [np.maximum(boxes[..., 2:] - boxes[..., :2], 0).prod(axis=-1) for boxes in (true, predicted)]
    unions = areas[0][:, :, None] + areas[1][:, None] - shared
    background = np.zeros((1, true.shape[1]), bool)
    background[:, 0] = True
    return Overlaps(shared[None], np.maximum(unions, 1)[None], background, (areas[0] > 0)[None], (areas[1] > 0)[None])


def assigned(found: Overlaps) -> Overlaps:
    """Overlaps in which no box has two partners: those of the frame before stay, the others overlap most in all."""
    every = pairs_of(found)
    if (every.sum(axis=2) <= 1).all() and (every.sum(axis=3) <= 1).all():
        return found  # nothing to choose, as mostly
    pixels = found.pixels.copy()
    before: dict[int, int] = {}
    for frame in range(pixels.shape[1]):
        shared, unions = pixels[0, frame], found.unions[0, frame]
        fits = every[0, frame]
        kept = [(i, j) for i, j in before.items() if fits[i, j]]
        free = fits.copy()
        for i, j in kept:
            free[i], free[:, j] = False, False
        worth = np.where(free, shared / unions, 0.0)
        columns = kernels.assign(worth[None], free.any(axis=1)[None], free.any(axis=0)[None])[0]
        chosen = kept + [(i, int(j)) for i, j in enumerate(columns) if j >= 0 and free[i, j]]
        keep = np.zeros_like(fits)
        for i, j in chosen:
            keep[i, j] = True
        shared[fits & ~keep] = 0
        before |= dict(chosen)
    return replace(found, pixels=pixels)
