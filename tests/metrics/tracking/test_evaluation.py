"""Tracking as the paper means it: cases computed by hand, a plain reading of the paper, and what must always hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.core.errors import SpecError
from unseen.metrics.tracking import FIRST_BACKGROUND, count, evaluate
from unseen.metrics.tracking.segmentation import adjusted_rand_index

SHARES = ("Match", "Miss", "IDS")


def video(*frames):
    """One video of frames that are one row of ids each."""
    return np.array([[[row] for row in frames]], np.uint8)


def score(truth, predictions, **options):
    return evaluate(truth, predictions, **{"frames": (0, truth.shape[1]), "min_pixels": 0, **options})


# ---------------------------------------------------------------------------- by hand


def test_an_overlap_of_exactly_a_half_is_no_match():
    scores = score(video([1, 1, 0, 0, 0]), video([7, 0, 0, 0, 0]))
    assert (scores["Miss"], scores["FP"], scores["MOTA"]) == (100, 100, -100)
    assert math.isnan(scores["MOTP"])
    assert score(video([1, 1, 1, 0, 0]), video([7, 7, 0, 0, 0]))["Match"] == 100


def test_an_object_that_switches_once_is_tracked_as_published_and_not_as_the_paper_says():
    truth = video(*[[1, 1, 0, 0]] * 8)
    predictions = video(*[[5, 5, 0, 0]] * 4, *[[6, 6, 0, 0]] * 4)
    scores = score(truth, predictions)
    assert [scores[name] for name in ("MD", "MT", "MT-strict", "IDS", "MOTA")] == [100, 100, 0, 12.5, 87.5]
    twice = score(truth, video(*[[5, 5, 0, 0]] * 3, *[[6, 6, 0, 0]] * 3, *[[5, 5, 0, 0]] * 2))
    assert (twice["MD"], twice["MT"]) == (100, 0)  # 6 of 8 frames are matched without a switch


def test_an_object_has_to_be_matched_in_four_of_five_frames():
    truth = video(*[[1, 1, 0, 0]] * 5)
    seen, unseen = [5, 5, 0, 0], [0, 0, 0, 0]
    for name in ("MD", "MT", "MT-strict"):
        assert score(truth, video(*[seen] * 4, unseen))[name] == 100
        assert score(truth, video(*[seen] * 3, *[unseen] * 2))[name] == 0


def test_an_overlap_of_exactly_a_half_counts_for_identity_as_in_trackeval():
    truth, predictions = video([1, 1, 0, 0, 0]), video([7, 0, 0, 0, 0])
    assert score(truth, predictions)["IDF1"] == 100
    assert score(video([1, 1, 1, 0, 0]), predictions)["IDF1"] == 0


def test_a_gap_is_no_switch_and_another_partner_after_it_is_one():
    truth, away = [1, 1, 0, 0], [0, 0, 0, 0]
    for last, switches in ((5, 0), (6, 50)):
        scores = score(video(truth, away, truth), video([5, 5, 0, 0], away, [last, last, 0, 0]))
        assert scores["IDS"] == switches


def test_an_object_that_is_never_seen_does_not_count():
    scores = score(video([1, 1, 0, 2]), video([3, 3, 0, 0]), min_pixels=1)
    assert (scores["MOTA"], scores["MD"]) == (100, 100)


def test_background_is_removed_with_all_its_segments():
    floor, wall = 255, FIRST_BACKGROUND
    truth = video([1, 1, 0, 0, floor, floor, wall, wall])
    predictions = video([9, 9, 2, 2, 3, 3, 4, 4])
    assert score(truth, predictions)["FP"] == 0
    assert score(truth, predictions, exclude_background=False)["FP"] == 300
    as_one = video([9, 9, 2, 2, 2, 2, 2, 2])  # the paper: whether a model segments background as one or as several
    assert score(truth, as_one)["FP"] == 0


def test_a_prediction_stays_that_overlaps_background_by_just_a_fifth():
    truth = video([1, 1, 0, 0, 0, 0, 0])
    assert score(truth, video([9, 9, 3, 0, 0, 0, 0]))["FP"] == 100
    assert score(truth, video([9, 9, 3, 3, 0, 0, 0]))["FP"] == 0


def test_the_first_two_frames_are_not_evaluated_nor_any_after_the_tenth():
    truth = video(*[[1, 1, 0, 0]] * 12)
    predictions = truth.copy()
    predictions[:, :2] = predictions[:, 10:] = 0
    assert evaluate(truth, predictions, min_pixels=0)["MOTA"] == 100
    assert evaluate(truth, predictions, min_pixels=0, frames=(0, 12))["MOTA"] == pytest.approx(100 * 8 / 12)
    assert evaluate(truth, predictions, min_pixels=0, frames=(9, 11))["MOTA"] == 50


def test_tracks_that_are_swapped_halfway_share_their_identity():
    truth = video(*[[1, 1, 0, 2, 2]] * 4)
    predictions = video(*[[1, 1, 0, 2, 2]] * 2, *[[2, 2, 0, 1, 1]] * 2)
    scores = score(truth, predictions)
    # IDF1: 4 of 8 occurrences by the one partner; A(c) is 2 / (4 + 4 - 2) of every match
    assert scores["IDF1"] == 50
    assert (scores["DetA"], scores["AssA"]) == pytest.approx((100, 100 / 3))
    assert scores["HOTA"] == pytest.approx(100 * math.sqrt(1 / 3))


def test_hota_counts_the_thresholds_that_an_overlap_reaches():
    scores = score(video([1, 1, 1, 1, 0]), video([7, 7, 7, 0, 0]))  # an IoU of 3/4: 15 of 19 thresholds
    assert scores["HOTA"] == pytest.approx(100 * 15 / 19)


def test_mean_iou_gives_every_object_one_prediction_over_all_frames():
    truth = video([1, 1, 2, 2], [1, 1, 2, 2])
    predictions = video([5, 5, 5, 6], [5, 5, 6, 6])
    assert score(truth, predictions)["mIoU"] == pytest.approx(100 * (4 / 5 + 3 / 4) / 2)


def test_mean_best_overlap_lets_objects_share_a_prediction_and_averages_over_videos():
    truth = np.concatenate([video([1, 1, 2, 0], [1, 1, 2, 0]), video([1, 1, 1, 0], [0, 0, 0, 0])])
    predictions = np.concatenate([video([5, 5, 5, 0], [5, 5, 5, 0]), video([6, 6, 0, 0], [6, 0, 0, 0])])
    scores = score(truth, predictions)
    assert scores["mBO"] == pytest.approx(100 * ((2 / 3 + 1 / 3) / 2 + 2 / 4) / 2)
    assert scores["mIoU"] == pytest.approx(100 * (2 / 3 + 2 / 4) / 3)


def test_foreground_ari_of_frames_does_not_mind_identities_that_are_lost():
    truth = video([1, 1, 2, 2], [1, 1, 2, 2], [0, 0, 0, 0])
    scores = score(truth, video([5, 5, 6, 6], [6, 6, 5, 5], [7, 7, 7, 7]))
    assert scores["FG-ARI-frames"] == 100
    assert scores["FG-ARI"] < 0
    assert score(truth, video([5, 5, 6, 6], [5, 6, 5, 6], [0, 0, 0, 0]))["FG-ARI-frames"] == pytest.approx(25)


def test_foreground_ari_takes_no_notice_of_background():
    truth = video([0, 0, 0, 1, 1, 2, 2])
    assert score(truth, video([1, 2, 3, 4, 4, 5, 5]))["FG-ARI"] == 100
    assert score(truth, video([1, 2, 3, 4, 5, 4, 5]))["FG-ARI"] == pytest.approx(-50)
    assert math.isnan(score(video([0, 0]), video([1, 2]))["FG-ARI"])


def test_the_error_of_reconstruction_is_summed_over_a_frame():
    truth = video(*[[1, 1, 0, 0]] * 3)
    frames = np.zeros((1, 3, 1, 4, 3), np.uint8)
    reconstructions = np.zeros(frames.shape)
    reconstructions[0, 2] = 0.5
    scores = evaluate(truth, truth, min_pixels=0, videos=frames, reconstructions=reconstructions)
    assert scores["MSE"] == 0.25 * 12  # of the one frame that is evaluated
    assert "MSE" not in evaluate(truth, truth)
    assert score(truth, truth, videos=frames, reconstructions=frames + np.uint8(255))["MSE"] == 12


def test_counts_of_some_videos_are_theirs_alone():
    truth = np.concatenate([video([1, 1, 0, 0]), video([1, 1, 2, 2])])
    predictions = np.concatenate([video([0, 0, 0, 0]), video([5, 5, 6, 6])])
    counts = count(truth, predictions, frames=(0, 1), min_pixels=0)
    assert counts.clear.objects.tolist() == [1, 2]
    assert counts.of([1]).scores() == score(truth[1:], predictions[1:])
    assert counts.of(counts.clear.objects == 1).scores()["MOTA"] == 0


# ---------------------------------------------------------------------------- a plain reading of the paper

ids = hnp.arrays(np.uint8, (2, 4, 3, 5), elements=st.sampled_from([0, 1, 2, 2, 3]))
blobs = st.tuples(ids, hnp.arrays(np.bool_, (2, 4, 3, 5), elements=st.sampled_from([True, True, True, False])))


@st.composite
def pairs(draw):
    """Truth, and predictions that often are right, under other names."""
    truth, (other, keep) = draw(ids), draw(blobs)
    names = np.array([0, *draw(st.permutations([4, 5, 6]))], np.uint8)
    return truth, np.where(keep, names[truth], other)


def plain(truth, predictions, *, min_pixels, exclude_background):
    """CLEAR MOT from the text of the paper, on sets of pixels."""
    matches = misses = switches = false_positives = detected = tracked = strictly = objects = 0
    overlaps = []
    for true_video, predicted_video in zip(truth, predictions, strict=True):
        last, history = {}, {}
        for true_frame, predicted_frame in zip(true_video, predicted_video, strict=True):
            true, predicted = segments(true_frame, min_pixels), segments(predicted_frame, min_pixels)
            background = [true.pop(0)] if 0 in true else []
            predicted.pop(0, None)
            if exclude_background:
                predicted = {p: s for p, s in predicted.items() if all(iou(s, b) <= 0.2 for b in background)}
            partners = {g: p for g in true for p in predicted if iou(true[g], predicted[p]) > 0.5}
            false_positives += len(predicted) - len(partners)
            for g in true:
                event = "miss" if g not in partners else "match"
                if event == "match":
                    overlaps.append(iou(true[g], predicted[partners[g]]))
                    if last.setdefault(g, partners[g]) != partners[g]:
                        event = "switch"
                    last[g] = partners[g]
                history.setdefault(g, []).append(event)
        for events in history.values():
            matches, misses = matches + events.count("match"), misses + events.count("miss")
            switches, objects = switches + events.count("switch"), objects + 1
            mostly = len(events) - events.count("miss") >= 0.8 * len(events)
            detected, strictly = detected + mostly, strictly + (mostly and "switch" not in events)
            tracked += events.count("match") >= 0.8 * len(events)
    occurrences = matches + misses + switches
    return {
        "MOTA": 1 - (misses + false_positives + switches) / occurrences,
        "MOTP": np.mean(overlaps) if overlaps else math.nan,
        "MD": detected / objects,
        "MT": tracked / objects,
        "MT-strict": strictly / objects,
        "Match": matches / occurrences,
        "Miss": misses / occurrences,
        "IDS": switches / occurrences,
        "FP": false_positives / occurrences,
    }


def segments(frame, min_pixels):
    found = {int(label): {*zip(*np.nonzero(frame == label), strict=True)} for label in np.unique(frame)}
    return {label: segment for label, segment in found.items() if len(segment) > min_pixels}


def iou(one, other):
    return len(one & other) / len(one | other)


@given(pairs(), st.integers(0, 2), st.booleans())
def test_a_plain_reading_of_the_paper_agrees(pair, min_pixels, exclude_background):
    truth, predictions = pair
    assume(any(segments(frame, min_pixels).keys() - {0} for video in truth for frame in video))
    expected = plain(truth, predictions, min_pixels=min_pixels, exclude_background=exclude_background)
    scores = score(truth, predictions, min_pixels=min_pixels, exclude_background=exclude_background)
    for name, value in expected.items():
        assert scores[name] == pytest.approx(100 * value, nan_ok=True), name


# ---------------------------------------------------------------------------- what always holds


@given(pairs(), st.permutations(range(1, 7)), st.permutations(range(1, 4)))
def test_permuting_ids_changes_nothing(pair, predicted_names, true_names):
    truth, predictions = pair
    renamed = np.array([0, *predicted_names], np.uint8)[predictions]
    true_renamed = np.array([0, *true_names], np.uint8)[truth]
    scores = score(truth, predictions)
    assert score(truth, renamed) == pytest.approx(scores, nan_ok=True)
    assert score(true_renamed, predictions) == pytest.approx(scores, nan_ok=True)


@given(ids)
def test_a_perfect_prediction_is_100_and_nothing_predicted_is_0(truth):
    assume(truth.any())
    perfect, blind = score(truth, truth), score(truth, np.zeros_like(truth))
    errors = {"Miss", "IDS", "FP"}
    assert {name: value for name, value in perfect.items() if name not in errors} == pytest.approx(
        dict.fromkeys(perfect.keys() - errors, 100)
    )
    assert [perfect[name] for name in errors] == [0, 0, 0]
    assert (blind["MOTA"], blind["Miss"], blind["HOTA"], blind["IDF1"], blind["mIoU"]) == (0, 100, 0, 0, 0)


@given(pairs())
def test_matches_misses_and_switches_are_all_there_is(pair):
    scores = score(*pair)
    assume(not math.isnan(scores["Match"]))
    assert sum(scores[name] for name in SHARES) == pytest.approx(100)
    assert scores["MOTA"] == pytest.approx(scores["Match"] - scores["FP"])
    assert scores["MT-strict"] <= scores["MT"] <= scores["MD"]


@given(pairs(), st.integers(0, 1), st.integers(0, 3))
def test_removing_a_false_positive_raises_mota_by_one_over_the_occurrences(pair, v, f):
    truth, predictions = pair
    names = np.unique(predictions[v, f])
    counts = count(truth, predictions, frames=(0, 4), min_pixels=0, exclude_background=False)
    assume(counts.clear.occurrences.sum())
    for name in names[names > 0]:
        fewer = predictions.copy()
        fewer[v, f][fewer[v, f] == name] = 0
        after = count(truth, fewer, frames=(0, 4), min_pixels=0, exclude_background=False)
        if after.clear.false_positives[v] == counts.clear.false_positives[v]:
            continue  # it was a match
        gained = after.scores()["MOTA"] - counts.scores()["MOTA"]
        assert gained == pytest.approx(100 / counts.clear.occurrences.sum())


@given(pairs())
def test_frames_of_a_height_and_width_that_words_do_not_fill_are_counted_too(pair):
    truth, predictions = pair  # 15 pixels; below, 16
    wider = [np.pad(labels, ((0, 0), (0, 0), (0, 0), (0, 3))) for labels in (truth, predictions)]
    ours, theirs = score(truth, predictions, exclude_background=False), score(*wider, exclude_background=False)
    assert ours == pytest.approx(theirs, nan_ok=True)


@given(hnp.arrays(np.int64, (3, 4), elements=st.integers(0, 4)))
def test_the_adjusted_rand_index_counts_pairs(shared):
    true = np.repeat(np.arange(12) // 4, shared.ravel())
    predicted = np.repeat(np.arange(12) % 4, shared.ravel())
    assume(len(true) > 1)
    first, second = np.triu_indices(len(true), 1)
    together, also = true[first] == true[second], predicted[first] == predicted[second]
    expected, highest = together.sum() * also.sum() / len(first), (together.sum() + also.sum()) / 2
    index = ((together & also).sum() - expected) / (highest - expected) if highest != expected else 1
    assert adjusted_rand_index(shared[None])[0] == pytest.approx(index)


# ---------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("predictions", "options", "sentence"),
    [
        (
            np.zeros((1, 4, 3, 5), int),
            {},
            "the truth has 2 videos, and the predictions have 1; they have to have as many",
        ),
        (np.zeros((2, 3, 3, 5), int), {}, "the truth has 4 frames, and the predictions have 3"),
        (np.zeros((2, 4, 4, 5), int), {}, "the truth has 3 rows, and the predictions have 4"),
        (np.zeros((2, 4, 15), int), {}, r"predictions are label maps .* not int64 \(2, 4, 15\)"),
        (np.zeros((2, 4, 3, 5)), {}, r"not float64 \(2, 4, 3, 5\)"),
        (np.full((2, 4, 3, 5), 256), {}, "predictions, video 0, frame 0 has an id out of 0 to 255"),
        (np.zeros((2, 4, 3, 5), int), {"frames": (2, 5)}, "frames 2 to 4 were asked for; the videos have 4"),
        (np.zeros((2, 4, 3, 5), int), {"min_pool": True}, "minimum pooling is for soft slots"),
        (np.zeros((2, 4, 3, 5), int), {"videos": []}, "needs both videos and reconstructions"),
    ],
)
def test_a_mistake_is_one_sentence(predictions, options, sentence):
    with pytest.raises(SpecError, match=sentence):
        evaluate(np.zeros((2, 4, 3, 5), np.uint8), predictions, **options)


@pytest.mark.parametrize("shape", [(0, 4, 3, 5), (2, 0, 3, 5), (2, 4, 0, 5)])
def test_videos_without_pixels_are_a_mistake(shape):
    with pytest.raises(SpecError, match="have no pixels to compare"):
        evaluate(np.zeros(shape, np.uint8), np.zeros(shape, np.uint8))


def test_a_reconstruction_of_another_shape_is_named():
    truth = np.zeros((1, 4, 3, 5), np.uint8)
    frames = np.zeros((1, 4, 3, 5, 3))
    with pytest.raises(SpecError, match=r"a video is \(4, 3, 5, 3\) and its reconstruction \(4, 3, 5\)"):
        evaluate(truth, truth, videos=frames, reconstructions=frames[..., 0])
    with pytest.raises(SpecError, match="there are 1 videos and 2 reconstructions"):
        evaluate(truth, truth, videos=frames, reconstructions=[frames[0], frames[0]])
