"""Boxes are matched one to one, kept where they were, and scored as masks of their shape would be."""

from __future__ import annotations

import numpy as np
import pytest

from unseen.core.errors import SpecError
from unseen.metrics.boxes import box_hota, box_idf1, box_mota, box_motp, box_mt
from unseen.metrics.tracking import evaluate

METRICS = {"MOTA": box_mota, "MOTP": box_motp, "HOTA": box_hota, "IDF1": box_idf1, "MT": box_mt}


def walking(objects, frames=8, side=64):
    """Boxes that move, one in each quarter of a row, so that masks of them do not meet."""
    rng = np.random.default_rng(3)
    tracks = []
    for number in range(objects):
        left = 16 * number + rng.integers(0, 4, frames)
        top = rng.integers(0, side - 20, frames)
        right, bottom = left + rng.integers(6, 12, frames), top + rng.integers(6, 20, frames)
        tracks.append(np.stack([left, top, right, bottom], axis=1).tolist())
    return tracks


def painted(tracks, side=64):
    masks = np.zeros((1, len(tracks[0]), side, side), np.uint8)
    for number, track in enumerate(tracks, 1):
        for frame, box in enumerate(track):
            if box:
                masks[0, frame, box[1] : box[3], box[0] : box[2]] = number
    return masks


def jittered(tracks):
    moved = [[[a, b, c, d - (a + b) % 3] for a, b, c, d in track] for track in tracks]
    moved[0][3] = None
    return moved


@pytest.mark.parametrize("objects", [1, 3, 4])
def test_boxes_that_do_not_meet_score_as_masks_do(objects):
    truth = walking(objects)
    answer = jittered(truth)
    answer[0], answer[-1] = answer[0][:4] + answer[-1][4:], answer[-1][:4] + answer[0][4:]
    expected = evaluate(painted(truth), painted(answer), frames=(0, 8), exclude_background=False)
    for name, metric in METRICS.items():
        assert metric([truth], [answer]) == pytest.approx(expected[name] / 100), name


def test_order_does_not_matter_and_spare_boxes_cost():
    truth = walking(3)
    assert box_mota([truth], [truth[::-1]]) == 1.0
    spare = [*truth, [[50, 50, 60, 60]] * 8]
    assert box_mota([truth], [spare]) == pytest.approx(1 - 8 / 24)


def test_a_box_is_matched_with_one_object_only():
    same = [[0, 0, 10, 10]] * 3
    assert box_mota([[same, same]], [[same]]) == pytest.approx(0.5)
    assert box_mota([[same]], [[same, same]]) == pytest.approx(0.0)


def test_of_two_that_fit_the_partner_of_the_frame_before_stays():
    truth = [[[0, 0, 100, 10]] * 2]
    answer = [[[0, 0, 90, 10], [0, 0, 80, 10]], [None, [0, 0, 99, 10]]]
    assert box_mota([truth], [answer]) == pytest.approx(1 - 1 / 2)  # a false positive, and no switch


def test_no_boxes_are_no_answer():
    truth = walking(2)
    assert [metric([truth], [[]]) for metric in METRICS.values()] == [0, 0, 0, 0, 0]
    assert box_mota([[]], [[]]) == 0


def test_tracks_of_other_lengths_are_refused():
    with pytest.raises(SpecError, match="one box for each frame"):
        box_mota([walking(1)], [walking(1, frames=3)])
