"""Masks come as label maps, soft slots and two kinds of run lengths, and mean the same."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.core.errors import DataError, SpecError
from unseen.core.run_lengths import encode_coco, encode_published
from unseen.metrics.tracking import evaluate, evaluate_published, label_maps, to_published
from unseen.metrics.tracking.frames import read_runs
from unseen.metrics.tracking.label_maps import from_slots

masks = hnp.arrays(np.bool_, st.tuples(st.integers(1, 6), st.integers(1, 6)))
squares = hnp.arrays(np.bool_, st.integers(1, 6).map(lambda side: (side, side)))
maps = hnp.arrays(np.uint8, (2, 3, 4, 4), elements=st.sampled_from([0, 1, 2, 7]))


def frame(*masks, **more):
    return {"masks": list(masks), "ids": list(range(len(masks))), **more}


# ---------------------------------------------------------------------------- run lengths


def read(*masks, side=5):
    """The pixels of masks of one frame."""
    return [label_maps([[frame(mask)]], side=side)[0, 0] == 1 for mask in masks]


@given(squares)
def test_a_published_mask_is_read_as_it_was_written(mask):
    assert np.array_equal(read(encode_published(mask), side=len(mask)), [mask])


@given(masks)
def test_a_coco_mask_is_read_as_it_was_written(mask):
    assert np.array_equal(read(encode_coco(mask)), [mask])


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)), max_size=6))
def test_runs_in_any_order_mean_the_pixels_that_painting_them_sets(runs):
    text = " ".join(f"{start + 1} {length}" for start, length in runs)
    painted = np.zeros(25, bool)
    for start, length in runs:
        painted[start : start + length] = True
    found = read_runs([[frame(text)]], (0, 1), pixels=25)
    assert (found.stops - found.starts).sum() == painted.sum()
    assert np.array_equal(read(text)[0].ravel(), painted)


def test_blanks_of_any_kind_separate_numbers():
    assert read(" 1\t2\n 4  1 ", side=2)[0].tolist() == [[True, True], [False, True]]


@pytest.mark.parametrize(
    "mask",
    [
        {"size": [2, 2], "counts": [1, 2]},
        {"size": [2, 2], "counts": [5, -1]},
        {"size": [2, 2], "counts": "T"},
        {"size": 4, "counts": [4]},
        {"size": [2, 2]},
    ],
)
def test_a_broken_coco_mask_is_named(mask):
    with pytest.raises(DataError, match="predictions, video 0, frame 1 has a broken COCO mask: "):
        label_maps([[frame(), frame(mask)]])


@pytest.mark.parametrize("mask", [5, None, [1, 2]])
def test_a_mask_of_no_form_is_named(mask):
    with pytest.raises(DataError, match="predictions, video 0, frame 1, mask 0: published masks are strings"):
        label_maps([[frame(), frame(mask)]])


# ---------------------------------------------------------------------------- label maps from masks


@given(maps)
def test_label_maps_survive_the_published_form(labels):
    back = label_maps(json.loads(json.dumps(to_published(labels, truth=False))), side=4)
    for video, other in zip(labels, back, strict=True):
        pairs = {*zip(video.ravel().tolist(), other.ravel().tolist(), strict=True)}
        assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
        assert all((one == 0) == (other == 0) for one, other in pairs)


@given(maps, maps)
def test_published_files_and_label_maps_give_the_same_scores(truth, predictions):
    assume(not any_exact_half(truth, predictions))
    files = to_published(truth, truth=True), to_published(predictions, truth=False)
    options = {"frames": (0, 3), "min_pixels": 0}
    ours = evaluate(truth, predictions, **options)
    assert evaluate(*files, side=4, **options) == pytest.approx(ours, nan_ok=True)
    theirs = evaluate_published(*files, side=4, **options)
    for name in theirs:
        assert theirs[name] == pytest.approx(ours[name], nan_ok=True), name


def any_exact_half(truth, predictions):
    """Whether a pair overlaps by exactly a half, which is a match for the published evaluation only."""
    true, predicted = (labels[..., None] == np.array([1, 2, 7]) for labels in (truth, predictions))
    both = (true[..., :, None] & predicted[..., None, :]).sum(axis=(2, 3))
    either = (true[..., :, None] | predicted[..., None, :]).sum(axis=(2, 3))
    return np.any((2 * both == either) & (both > 0))


def test_coco_masks_need_not_be_square():
    mask = np.zeros((2, 3), bool)
    mask[0, 1:] = True
    labels = label_maps([[{"masks": [encode_coco(mask)], "ids": [40]}]])
    assert labels.tolist() == [[[[0, 1, 1], [0, 0, 0]]]]


def test_background_masks_are_background_segments():
    truth = label_maps([[frame("1 1", "2 2", "4 1", num_bg=2)]], what="truth", side=2)
    assert truth.tolist() == [[[[1, 255], [255, 254]]]]


@pytest.mark.parametrize(
    ("count", "sentence"), [(2, "video 0, frame 0 has 2 background masks of 1"), ("1", "frame 0 has '1' for num_bg")]
)
def test_a_frame_cannot_have_such_background(count, sentence):
    with pytest.raises(DataError, match=sentence):
        label_maps([[frame("1 1", num_bg=count)]], what="truth", side=2)


def test_a_true_pixel_of_two_masks_is_the_later_ones():
    assert label_maps([[frame("1 2", "2 2")]], what="truth", side=2).tolist() == [[[[1, 2], [2, 0]]]]


def test_a_predicted_pixel_of_two_masks_is_an_error():
    with pytest.raises(DataError, match="predictions, video 0, frame 0: two masks share pixels"):
        label_maps([[frame("1 2", "2 2")]], side=2)


def test_videos_without_a_mask_are_empty():
    assert label_maps([[frame(), frame()]], side=4).shape == (1, 2, 4, 4)


@pytest.mark.parametrize(
    ("videos", "sentence"),
    [
        ([[frame()], [frame(), frame()]], "videos have from 1 to 2 frames"),
        ([[frame("1 9")]], "predictions, video 0, frame 0.*'1 9' goes beyond the last pixel of 4"),
        ([[frame("1 1"), {"masks": []}]], "predictions, video 0, frame 1 is no dict of lists named masks and ids"),
        ([[{"masks": [""] * 250, "ids": list(range(250))}]], "predictions, video 0 has 250 ids; there may be 239"),
        ([[frame("1 1")], [frame({"size": [1, 2], "counts": [2]})]], r"video 1, frame 0 has a mask of \(1, 2\)"),
    ],
)
def test_masks_that_make_no_label_map_are_named(videos, sentence):
    with pytest.raises(DataError, match=sentence):
        label_maps(videos, side=2)


# ---------------------------------------------------------------------------- soft slots


def slots(*rows):
    """One frame of one row."""
    return np.array([[[[row] for row in rows]]])


def test_a_pixel_is_the_highest_slots_and_the_lowest_ones_among_equals():
    assert label_maps(slots([0.1, 0.5, 0.2], [0.3, 0.5, 0.1], [0.2, 0.0, 0.7])).tolist() == [[[[2, 1, 3]]]]


def test_a_pixel_of_no_slot_is_nobodys():
    assert label_maps(slots([0.0, 0.1], [0.0, 0.0])).tolist() == [[[[0, 1]]]]


def test_a_slot_that_is_nowhere_highest_is_no_segment():
    labels = label_maps(slots([0.5, 0.5], [0.4, 0.4], [0.1, 0.6]))
    assert [one["ids"] for one in to_published(labels, truth=False)[0]] == [[1, 3]]


def test_minimum_pooling_takes_the_least_of_four_pixels():
    noise = np.zeros((1, 1, 2, 2, 4))
    noise[0, 0, 0] = [[1, 0, 1, 1], [1, 1, 1, 1]]  # one pixel of pepper
    noise[0, 0, 1] = 0.5
    assert from_slots(noise, min_pool=True).tolist() == [[[[2, 1]]]]
    with pytest.raises(SpecError, match="minimum pooling halves height and width, which 2x3 does not allow"):
        label_maps(noise[..., :3], min_pool=True)


def test_there_are_at_most_255_slots():
    with pytest.raises(SpecError, match="soft slots are at most 255, not 256"):
        label_maps(np.zeros((1, 1, 256, 1, 1)))


def test_videos_of_different_shapes_are_a_mistake():
    with pytest.raises(SpecError, match="all videos have to have the same frames, height and width"):
        label_maps([np.zeros((2, 3, 3), int), np.zeros((2, 4, 3), int)])
