"""Metrics of video tasks: how well objects are found, segmented and followed.

Targets and predictions are label maps uint8 (frame, height, width); tracking/label_maps.py says what ids mean. Frames 2
to 9 are evaluated, segments of five pixels or fewer do not count, nor do predictions that overlap background with an
IoU above 0.2, as published; a video of up to two frames is evaluated whole. Permuting the ids of predictions changes
nothing. All values are shares, where the paper's tables have percent.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.metric import Counts, metric
from unseen.metrics.tracking import Counts as TrackingCounts
from unseen.metrics.tracking import count, label_maps
from unseen.metrics.tracking.reconstruction import squared_errors

Ids = npt.NDArray[np.integer[Any]]
Frames = npt.NDArray[np.uint8]


def counted(target: Ids, prediction: Ids) -> TrackingCounts:
    """Count what all metrics of one video are made of."""
    target, prediction = np.asarray(target), np.asarray(prediction)
    if target.shape != prediction.shape:
        raise SpecError(f"a prediction has an id for every pixel {target.shape} of its video, not {prediction.shape}")
    truth, predictions = label_maps(target[None], what="targets"), label_maps(prediction[None])
    return _counted(truth.tobytes(), predictions.tobytes(), truth.shape)


@lru_cache(maxsize=1)  # scoring asks for one metric after the other of the same video
def _counted(truth: bytes, predictions: bytes, shape: tuple[int, ...]) -> TrackingCounts:
    maps = (np.frombuffer(pixels, np.uint8).reshape(shape) for pixels in (truth, predictions))
    return count(*maps)


@metric(kind="video")
def mota(target: Ids, prediction: Ids) -> Counts:
    """MOT accuracy: 1 less the misses, switches and false positives per occurrence of an object.

    At most 1, below 0 without bound, higher is better; the paper's headline. Predicting nothing gives 0. No objects: 0.

    >>> truth = np.repeat([[[0, 1]]], 8, axis=1)  # one frame, an object of eight pixels
    >>> mota([truth], [truth]), mota([truth], [0 * truth])
    (1.0, 0.0)
    """
    found = counted(target, prediction).clear
    occurrences = found.occurrences[0]
    return occurrences - (found.misses + found.switches + found.false_positives)[0], occurrences


@metric(kind="video")
def motp(target: Ids, prediction: Ids) -> Counts:
    """Mean IoU of all matches, switches among them: MOT precision, how well what is found is segmented.

    0.5 to 1, higher is better. No match: 0.

    >>> truth, prediction = (np.repeat([[row]], 8, axis=1) for row in ([0, 1, 1, 1], [0, 0, 5, 5]))
    >>> motp([truth], [prediction])
    0.6666666666666666
    """
    found = counted(target, prediction).clear
    return found.iou[0], (found.matches + found.switches)[0]


@metric(kind="video")
def md(target: Ids, prediction: Ids) -> Counts:
    """Share of objects that are matched in at least 80 % of the frames they are seen in: mostly detected.

    0 to 1, higher is better. No objects: 0.

    >>> truth = np.ones((7, 3, 3), int)  # frames 2 to 6 are evaluated
    >>> prediction = np.repeat([1, 1, 1, 1, 1, 1, 2], 9).reshape(7, 3, 3)
    >>> md([truth], [prediction])
    1.0
    """
    found = counted(target, prediction).clear
    return found.detected[0], found.objects[0]


@metric(kind="video")
def mt(target: Ids, prediction: Ids) -> Counts:
    """Share of objects that are matched without a switch in 80 % of the frames they are seen in: mostly tracked.

    0 to 1, higher is better, never above md. It is what the published program counts and the tables have: a switch
    costs an object its own frame only. No objects: 0.

    >>> truth = np.ones((7, 3, 3), int)  # frames 2 to 6 are evaluated
    >>> prediction = np.repeat([1, 1, 1, 1, 1, 1, 2], 9).reshape(7, 3, 3)
    >>> mt([truth], [prediction])
    1.0
    """
    found = counted(target, prediction).clear
    return found.tracked[0], found.objects[0]


@metric(kind="video")
def mt_strict(target: Ids, prediction: Ids) -> Counts:
    """Share of objects that are mostly detected, and always by the same prediction.

    0 to 1, higher is better, never above mt. It is what the paper's words describe: an object whose identity ever
    switches is detected, but not tracked. No objects: 0.

    >>> truth = np.ones((7, 3, 3), int)  # frames 2 to 6 are evaluated
    >>> prediction = np.repeat([1, 1, 1, 1, 1, 1, 2], 9).reshape(7, 3, 3)
    >>> mt_strict([truth], [prediction])
    0.0
    """
    found = counted(target, prediction).clear
    return found.strictly_tracked[0], found.objects[0]


@metric(kind="video")
def match(target: Ids, prediction: Ids) -> Counts:
    """Share of occurrences of objects that are matched without a switch.

    0 to 1, higher is better; match, miss and id_switches sum to 1. No objects: 0.

    >>> truth = np.ones((7, 3, 3), int)  # frames 2 to 6 are evaluated
    >>> prediction = np.repeat([1, 1, 1, 1, 1, 1, 2], 9).reshape(7, 3, 3)
    >>> match([truth], [prediction])
    0.8
    """
    found = counted(target, prediction).clear
    return found.matches[0], found.occurrences[0]


@metric(kind="video", higher_is_better=False)
def miss(target: Ids, prediction: Ids) -> Counts:
    """Share of occurrences of objects that no prediction matches.

    0 to 1, lower is better. No objects: 0.

    >>> truth = np.repeat([[[0, 1]]], 8, axis=1)  # one frame, an object of eight pixels
    >>> miss([truth], [0 * truth])
    1.0
    """
    found = counted(target, prediction).clear
    return found.misses[0], found.occurrences[0]


@metric(kind="video", higher_is_better=False)
def id_switches(target: Ids, prediction: Ids) -> Counts:
    """Share of occurrences of objects that another prediction matches than at the last time.

    0 to 1, lower is better. No objects: 0.

    >>> truth = np.ones((7, 3, 3), int)  # frames 2 to 6 are evaluated
    >>> prediction = np.repeat([1, 1, 1, 1, 1, 1, 2], 9).reshape(7, 3, 3)
    >>> id_switches([truth], [prediction])
    0.2
    """
    found = counted(target, prediction).clear
    return found.switches[0], found.occurrences[0]


@metric(kind="video", higher_is_better=False)
def false_positives(target: Ids, prediction: Ids) -> Counts:
    """Predictions that match no object, relative to the occurrences of objects.

    From 0 without bound, lower is better. No objects: 0.

    >>> truth, prediction = (np.repeat([[row]], 8, axis=1) for row in ([0] * 9 + [1], [2] + [0] * 8 + [1]))
    >>> false_positives([truth], [prediction])
    1.0
    """
    found = counted(target, prediction).clear
    return found.false_positives[0], found.occurrences[0]


def root_mean(association: Any, detections: Any) -> float:
    """HOTA from its sums at each threshold: sqrt(DetA * AssA), which is the root of one ratio, averaged."""
    possible = np.asarray(detections)
    return float(np.sqrt(association / possible).mean()) if possible.any() else float("nan")


@metric(kind="video", value=root_mean)
def hota(target: Ids, prediction: Ids) -> Counts:
    """Detection and association in one number, over all thresholds of the IoU: higher order tracking accuracy.

    0 to 1, higher is better; of pooled counts, as in TrackEval. Neither objects nor predictions: 0.

    >>> truth = np.ones((7, 3, 3), int)  # frames 2 to 6 are evaluated
    >>> prediction = np.repeat([1, 1, 1, 1, 1, 1, 2], 9).reshape(7, 3, 3)
    >>> round(hota([truth], [prediction]), 3)
    0.825
    """
    found = counted(target, prediction).hota
    return found.association[0], found.detections[0]


@metric(kind="video")
def idf1(target: Ids, prediction: Ids) -> Counts:
    """Share of occurrences of objects and predictions that are matched when each follows one other all along.

    0 to 1, higher is better; an IoU of 0.5 is a match, as in TrackEval. Neither objects nor predictions: 0.

    >>> truth = np.ones((7, 3, 3), int)  # frames 2 to 6 are evaluated
    >>> prediction = np.repeat([1, 1, 1, 1, 1, 1, 2], 9).reshape(7, 3, 3)
    >>> idf1([truth], [prediction])
    0.8
    """
    found = counted(target, prediction).identity
    return 2 * found.followed[0], found.detections[0]


@metric(kind="video")
def fg_ari(target: Ids, prediction: Ids) -> Counts:
    """Adjusted Rand index of the pixels of objects, over space and time, averaged over videos.

    At most 1, 0 is chance, higher is better; what is predicted for background pixels does not matter. Videos without
    objects do not count.

    >>> truth, prediction = (np.array([[row]]) for row in ([0, 0, 1, 1, 2, 2], [7, 4, 5, 5, 3, 3]))
    >>> fg_ari([truth], [prediction])
    1.0
    """
    ari = counted(target, prediction).segmentation.ari[0]
    return (0, 0) if np.isnan(ari) else (ari, 1)


@metric(kind="video")
def fg_ari_frames(target: Ids, prediction: Ids) -> Counts:
    """Adjusted Rand index of the pixels of objects in single frames, averaged over the frames of a video, then videos.

    At most 1, 0 is chance, higher is better; identities need not last from frame to frame. Frames and videos without
    objects do not count.

    >>> truth = np.ones((2, 2, 4), int) * [1, 1, 2, 2]
    >>> prediction = np.stack([truth[0], 3 - truth[1]])  # ids swap
    >>> fg_ari_frames([truth], [prediction]), round(fg_ari([truth], [prediction]), 2)
    (1.0, -0.07)
    """
    ari = counted(target, prediction).segmentation.frame_ari[0]
    return (0, 0) if np.isnan(ari) else (ari, 1)


@metric(kind="video")
def miou(target: Ids, prediction: Ids) -> Counts:
    """Mean IoU of objects with the predictions that fit them best, over space and time, one for each.

    0 to 1, higher is better. No objects: 0.

    >>> truth, prediction = (np.array([[row]]) for row in ([0, 0, 1, 1, 2, 2], [0, 0, 5, 5, 3, 0]))
    >>> miou([truth], [prediction])
    0.75
    """
    found = counted(target, prediction).segmentation
    return found.iou[0], found.objects[0]


@metric(kind="video")
def mbo(target: Ids, prediction: Ids) -> Counts:
    """Mean over objects of the IoU with the prediction that fits best, over space and time, averaged over videos.

    0 to 1, higher is better: mean best overlap. Unlike in miou, a prediction may be the best of several objects. Videos
    without objects do not count.

    >>> truth, prediction = (np.array([[row]]) for row in ([0, 0, 1, 1, 2, 2], [0, 0, 5, 5, 5, 5]))
    >>> mbo([truth], [prediction]), miou([truth], [prediction])
    (0.5, 0.25)
    """
    found = counted(target, prediction).segmentation
    objects = found.objects[0]
    return (found.best_overlap[0] / objects, 1) if objects else (0, 0)


@metric(kind="video", higher_is_better=False, percent=False, beside="frames")
def video_mse(target: Frames, prediction: Frames) -> Counts:
    """Squared error of frames as a model paints them, summed over pixels and channels, averaged over evaluated frames.

    From 0 on without bound, lower is better. Values are from 0 to 1; the paper's are sums over 64x64 pixels, and a sum
    over fewer is smaller. It is of predictions that hold frames beside the ids.

    >>> black = np.zeros((3, 2, 2, 3), np.uint8)
    >>> video_mse([black], [black]), video_mse([black], [black + 255])
    (0.0, 12.0)
    """
    errors = squared_errors(np.asarray(target), np.asarray(prediction))
    return float(errors.sum()), len(errors)
