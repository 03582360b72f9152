"""Videos are asked about by number, by boxes, and by a framed object that is followed to the last frame."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import unseen
from unseen.benchmarks.video import prompt
from unseen.core.asking import Manner
from unseen.core.run_lengths import is_background

TASKS = ("vmds", "spmot", "vmds-camouflage", "vor+renderer=none")


@pytest.mark.parametrize("name", TASKS)
def test_boxes_are_tight_around_what_is_seen(name):
    for video in unseen.load(f"video/{name}", "test")[:5]:
        ids, side = video.target["ids"], video.target["ids"].shape[1]
        numbers = [number for number in np.unique(ids) if not is_background(number)]
        shown = [number for number in numbers if (np.count_nonzero(ids == number, axis=(1, 2)) > prompt.FEW).any()]
        found = prompt.tracks(video)
        assert len(found) == prompt.count(video) == len(shown)
        for number, track in zip(shown, found, strict=True):
            for frame, box in zip(ids, track, strict=True):
                rows, columns = np.nonzero(frame == number)
                if box is None:
                    assert len(rows) <= prompt.FEW
                else:
                    edges = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
                    assert box == [round(1000 * edge / side) for edge in edges]


def test_the_framed_object_is_in_both_frames_and_not_alone():
    videos = [video for video in unseen.load("video/vmds", "test")[:150] if prompt.can_mark(video)]
    assert len(videos) > 60
    for video in videos[:30]:
        marks = prompt._marked(video)
        tracks = prompt.tracks(video)
        (track,) = [one for one in tracks if one[0] == marks.first and one[-1] == marks.last[marks.right]]
        assert len(marks.last) == sum(one[-1] is not None for one in tracks) > 1
        assert track
    counts = Counter(prompt.right_object(video) for video in videos)
    assert max(counts.values()) < 0.75 * len(videos)


def test_only_the_first_and_the_last_frame_are_marked():
    video = next(one for one in unseen.load("video/vmds", "test") if prompt.can_mark(one))
    frames, large = video.inputs["frames"], prompt.marked_frames(video)
    times = large[0].shape[0] // frames.shape[1]
    changed = [not np.array_equal(one[::times, ::times], frame) for one, frame in zip(large, frames, strict=True)]
    assert changed[0]
    assert changed[-1]
    assert not any(changed[1:-1])


def test_a_video_without_frames_cannot_be_shown():
    video = unseen.load("video/vor", "test", renderer="none")[0]
    with pytest.raises(unseen.core.errors.SpecError, match="has no frames to show; leave renderer=none out"):
        prompt.write_count(video, (), Manner())
