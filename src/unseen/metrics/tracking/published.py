"""The published evaluation on its own files, including its accidents.

The numbers of Weis et al. (JMLR 22, 2021) came from this procedure. Where it departs from what their paper says, it is
matched here and put right in `evaluate`:

    quirk                       what happens
    exact half                  a pair with an IoU of exactly 0.5 is a match; the paper says that it has to exceed 0.5
    switches and MT             a switch costs only its own frame: an object whose id changes once in eight frames is
                                mostly tracked; the paper says that it is detected but not tracked
    tiny background             masks of min_pixels or fewer are dropped before background is removed, but num_bg is
                                not lowered: the next mask from the end, an object, is removed as background, and with
                                it every prediction that overlaps it by more than 0.2
    one matcher for all videos  the last partner of an id outlives gaps and videos, so ids have to be unique in a file
    any gap                     an object that comes back after any time is paired with its last partner, if the pair
                                is allowed, even where another prediction fits better; if it is not, that is a switch
    equal ids in a frame        of predictions with one id only the first can be carried over; a further one is matched
                                like any other, or is a false positive
    overlapping masks           nothing checks that masks are disjoint
    ties                        of assignments with equal cost, that of SciPy's solver on the whole matrix, in which
                                forbidden and taken pairs have one large cost
    nothing to count            no true object: MOTA is minus infinity or nan; no match: MOTP is nan

What stops the published program (num_bg missing, or more background masks than masks) or slips through it (runs that
go beyond the frame) is an error here that names the place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError
from unseen.metrics.tracking import kernels
from unseen.metrics.tracking.frames import (
    SIDE,
    Range,
    Runs,
    Videos,
    background_counts,
    check_range,
    place,
    read_runs,
)
from unseen.metrics.tracking.overlaps import FRAMES, MIN_PIXELS

MOSTLY = 0.8  # of the frames in which an object is seen


class Matching(NamedTuple):
    """What became of every mask of the evaluated frames, in the order of the files."""

    truth: Runs
    predictions: Runs
    events: npt.NDArray[np.int8]  # of true masks: ABSENT, MATCH, SWITCH or MISS
    partners: npt.NDArray[np.int64]  # of true masks: the predicted mask, or -1
    distances: npt.NDArray[np.float64]  # of true masks: 1 - IoU with the partner, or nan
    predicted_events: npt.NDArray[np.int8]  # of predicted masks: ABSENT, MATCH or FALSE_POSITIVE


def evaluate_published(
    truth: Videos,
    predictions: Videos,
    *,
    frames: Range = FRAMES,
    exclude_background: bool = True,
    min_pixels: int = MIN_PIXELS,
    side: int = SIDE,
) -> dict[str, float]:
    """Return the published metrics of two parsed published files, in percent, equal to the published evaluation's.

    Counts are pooled over the whole data set. Match, Miss, IDS and FP are shares of the occurrences of true objects;
    MD and MT of the true objects.

    >>> video = [{"masks": ["1 9", "10 4087"], "ids": [0, 1], "num_bg": 1}] * 10
    >>> evaluate_published([video], [video])["MOTA"]
    100.0
    """
    matching = match(
        truth, predictions, frames=frames, exclude_background=exclude_background, min_pixels=min_pixels, side=side
    )
    events = matching.events
    matched, switched, seen = (events == kernels.MATCH), (events == kernels.SWITCH), (events != kernels.ABSENT)
    false_positives = np.count_nonzero(matching.predicted_events == kernels.FALSE_POSITIVE)
    matches, switches, occurrences = (np.float64(np.count_nonzero(which)) for which in (matched, switched, seen))
    misses = occurrences - matches - switches
    _, objects = np.unique(matching.truth.ids, return_inverse=True)
    lifespans, tracked, detected = (
        np.bincount(objects, weights=which, minlength=1) for which in (seen, matched, matched | switched)
    )
    lived = lifespans > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = {
            "MOTA": 1 - (misses + switches + false_positives) / occurrences,
            "MOTP": 1 - matching.distances[matched | switched].sum() / (matches + switches),
            "MD": np.count_nonzero(detected[lived] / lifespans[lived] >= MOSTLY) / np.float64(lived.sum()),
            "MT": np.count_nonzero(tracked[lived] / lifespans[lived] >= MOSTLY) / np.float64(lived.sum()),
            "Match": matches / occurrences,
            "Miss": misses / occurrences,
            "IDS": switches / occurrences,
            "FP": false_positives / occurrences,
        }
    return {name: 100 * float(share) for name, share in shares.items()}


def match(
    truth: Videos,
    predictions: Videos,
    *,
    frames: Range = FRAMES,
    exclude_background: bool = True,
    min_pixels: int = MIN_PIXELS,
    side: int = SIDE,
) -> Matching:
    """Pair the masks of every evaluated frame."""
    if len(truth) != len(predictions):
        raise DataError(f"the truth has {len(truth):,} videos, and the predictions have {len(predictions):,}")
    check_range(frames)
    true = read_runs(truth, frames, pixels=side**2, what="truth")
    predicted = read_runs(predictions, frames, pixels=side**2, what="predictions")
    background = background_counts(truth, frames) if exclude_background else np.zeros(true.frames.size - 1, np.int64)
    *matched, bad = kernels.match_published(dense(true), dense(predicted), background, min_pixels)
    if bad >= 0:
        raise DataError(
            f"{place('truth', bad, frames)} has fewer masks of more than {min_pixels} pixels than background masks"
            f" ({background[bad]}); the published evaluation stops here too"
        )
    return Matching(true, predicted, *matched)


def dense(runs: Runs) -> Runs:
    """Number the ids of masks from 0 without gaps."""
    return runs._replace(ids=np.unique(runs.ids, return_inverse=True)[1])
