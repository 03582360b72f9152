"""HOTA and IDF1 are TrackEval's, and so is CLEAR MOT where no overlap is exactly a half; no background is removed.

Mostly tracked is not compared: there, an object has to be matched in more than 80 % of its frames.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.metrics.tracking import evaluate

metrics = pytest.importorskip("trackeval.metrics", reason="trackeval is not installed; see CONTRIBUTING.md")

QUIET = {"PRINT_CONFIG": False}
ids = hnp.arrays(np.uint8, (2, 5, 3, 6), elements=st.sampled_from([0, 1, 2, 2, 3]))
kept = hnp.arrays(np.bool_, (2, 5, 3, 6), elements=st.sampled_from([True, True, True, False]))


def segments(video):
    """Ids without gaps and masks of each frame, and how many ids there are."""
    names = [name for name in np.unique(video) if name]
    present = [[i for i, name in enumerate(names) if (frame == name).any()] for frame in video]
    masks = [[frame == names[i] for i in here] for frame, here in zip(video, present, strict=True)]
    return [np.array(here, int) for here in present], masks, len(names)


def overlap(one, other):
    return (one & other).sum() / (one | other).sum()


def sequence(truth, predictions):
    """A video as TrackEval wants it."""
    (true_ids, true, true_count), (predicted_ids, predicted, predicted_count) = segments(truth), segments(predictions)
    similarity = [
        np.array([[overlap(a, b) for b in here] for a in there]).reshape(len(there), len(here))
        for there, here in zip(true, predicted, strict=True)
    ]
    return {
        "num_timesteps": len(truth),
        "num_gt_ids": true_count,
        "num_tracker_ids": predicted_count,
        "num_gt_dets": sum(map(len, true)),
        "num_tracker_dets": sum(map(len, predicted)),
        "gt_ids": true_ids,
        "tracker_ids": predicted_ids,
        "similarity_scores": similarity,
    }


def trackeval(metric, sequences):
    return metric.combine_sequences({str(i): metric.eval_sequence(one) for i, one in enumerate(sequences)})


@st.composite
def answers(draw):
    """Truth, and predictions that often are right, under other names."""
    truth, other, keep, names = draw(ids), draw(ids), draw(kept), draw(st.permutations([4, 5, 6]))
    return truth, np.where(keep, np.array([0, *names], np.uint8)[truth], other)


def both(truth, predictions):
    """Our scores, and the videos for TrackEval's."""
    sequences = [sequence(*pair) for pair in zip(truth, predictions, strict=True)]
    assume(all(one["num_gt_dets"] for one in sequences))
    return evaluate(truth, predictions, frames=(0, 5), min_pixels=0, exclude_background=False), sequences


@given(answers())
def test_clear_mot_agrees(answer):
    ours, sequences = both(*answer)
    assume(not any((np.abs(table - 0.5) < 1e-9).any() for one in sequences for table in one["similarity_scores"]))
    clear = trackeval(metrics.CLEAR(QUIET), sequences)
    compare(
        ours,
        {
            "MOTA": clear["MOTA"],
            "MOTP": clear["MOTP"] if clear["CLR_TP"] else np.nan,
            "Miss": clear["CLR_FN"] / (clear["CLR_TP"] + clear["CLR_FN"]),
            "IDS": clear["IDSW"] / (clear["CLR_TP"] + clear["CLR_FN"]),
            "FP": clear["CLR_FP"] / (clear["CLR_TP"] + clear["CLR_FN"]),
        },
    )


@given(answers())
def test_hota_and_identity_agree_whatever_the_overlaps(answer):
    ours, sequences = both(*answer)
    hota, identity = trackeval(metrics.HOTA(), sequences), trackeval(metrics.Identity(QUIET), sequences)
    compare(
        ours,
        {
            "HOTA": hota["HOTA"].mean(),
            "DetA": hota["DetA"].mean(),
            "AssA": hota["AssA"].mean(),
            "IDF1": identity["IDF1"],
        },
    )


def compare(ours, theirs):
    assert {name: ours[name] for name in theirs} == pytest.approx(
        {name: 100 * value for name, value in theirs.items()}, nan_ok=True
    )
