"""The published evaluation: its recorded answers, its quirks by hand, a plain reading of it, and broken files."""

from __future__ import annotations

import json
from itertools import chain, permutations
from math import inf, isnan

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from unseen.core.errors import DataError, SpecError
from unseen.core.run_lengths import encode_published
from unseen.metrics.tracking import evaluate_published, kernels
from unseen.metrics.tracking.published import Matching, match

CASES = (
    *("01_perfect", "02_id_switch", "05_split_object", "07_full_occlusion"),
    *("08_iou_exactly_half", "10_more_predictions", "13_tiny_masks"),
)
EVENTS = {kernels.MATCH: "MATCH", kernels.SWITCH: "SWITCH", kernels.MISS: "MISS"}
SIDE = 8


# ---------------------------------------------------------------------------- recorded answers


@pytest.fixture(scope="module")
def recorded(shared_data):
    folder = shared_data / "conformance" / "tracking"
    return json.loads((folder / "expected.json").read_text()), folder


def asked(params):
    frames = params["start_step"], params["stop_step"]
    about = {"exclude_background": params["exclude_bg"], "min_pixels": params["min_num_pix"], "side": params["im_size"]}
    return {"frames": frames, **about}


@pytest.mark.parametrize("name", CASES)
def test_every_recorded_number_is_ours(recorded, name):
    expected, folder = recorded
    case = json.loads((folder / f"{name}.json").read_text())
    assert evaluate_published(case["gt"], case["pred"], **asked(case["params"])) == expected[name]["percent"]


@pytest.mark.parametrize("name", CASES)
def test_every_recorded_event_is_ours(recorded, name):
    expected, folder = recorded
    case = json.loads((folder / f"{name}.json").read_text())
    matching = match(case["gt"], case["pred"], **asked(case["params"]))
    theirs = [tuple(event[:4]) for event in expected[name]["events"]]
    assert sorted(events_of(matching), key=str) == sorted(theirs, key=str)
    distances = [event[4] for event in expected[name]["events"] if event[4] is not None]
    assert sorted(matching.distances[matching.partners >= 0]) == pytest.approx(sorted(distances), abs=1e-12)


def events_of(matching: Matching):
    """(evaluated frame, what, true id, predicted id) of every mask that took part."""
    true, predicted = matching.truth, matching.predictions
    for mask, event in enumerate(matching.events):
        if event != kernels.ABSENT:
            partner = matching.partners[mask]
            yield frame_of(true, mask), EVENTS[event], true.ids[mask], predicted.ids[partner] if partner >= 0 else None
    for mask in np.flatnonzero(matching.predicted_events == kernels.FALSE_POSITIVE):
        yield frame_of(predicted, mask), "FP", None, predicted.ids[mask]


def frame_of(runs, mask):
    return int(np.searchsorted(runs.frames, mask, side="right")) - 1


# ---------------------------------------------------------------------------- quirks, by hand


def box(x, width, y=0, height=2):
    mask = np.zeros((SIDE, SIDE), bool)
    mask[y : y + height, x : x + width] = True
    return encode_published(mask)


def frame(*masks, ids=None, num_bg=0):
    return {"masks": list(masks), "ids": list(range(len(masks)) if ids is None else ids), "num_bg": num_bg}


def score(truth, predictions, **options):
    """Score videos of as many frames as they have."""
    options = {"frames": (0, len(truth[0])), "exclude_background": False, "min_pixels": 0, "side": SIDE, **options}
    return evaluate_published(truth, predictions, **options)


def test_an_overlap_of_exactly_a_half_is_a_match():
    scores = score([[frame(box(0, 4))]], [[frame(box(0, 2))]])
    assert (scores["Match"], scores["MOTP"]) == (100, 50)


def test_a_switch_costs_mostly_tracked_only_its_own_frame():
    truth = [[frame(box(0, 4))] * 8]
    predictions = [[frame(box(0, 4), ids=[7])] * 4 + [frame(box(0, 4), ids=[8])] * 4]
    scores = score(truth, predictions)
    assert (scores["IDS"], scores["MT"], scores["MD"]) == (12.5, 100, 100)


def test_a_tiny_background_mask_makes_an_object_the_background():
    truth = frame(box(0, 4), box(4, 4), box(0, 1, y=7, height=1), num_bg=1)
    predictions = frame(box(0, 4), box(4, 4))
    scores = score([[truth]], [[predictions]], exclude_background=True, min_pixels=5)
    assert (scores["Match"], scores["MD"], scores["FP"]) == (100, 100, 0)
    matching = match([[truth]], [[predictions]], frames=(0, 1), side=SIDE)
    assert matching.events.tolist() == [kernels.MATCH, kernels.ABSENT, kernels.ABSENT]
    assert matching.predicted_events.tolist() == [kernels.MATCH, kernels.ABSENT]


def test_background_goes_with_every_prediction_that_overlaps_it_by_more_than_a_fifth():
    truth = frame(box(0, 2), box(2, 5, height=2), num_bg=1)
    predictions = frame(box(0, 2), box(2, 1, height=2), box(3, 2, height=2))  # IoU with background: 0, 1/5, 2/5
    scores = score([[truth]], [[predictions]], exclude_background=True)
    assert (scores["Match"], scores["FP"]) == (100, 100)


def test_background_that_stays_is_an_object_like_any_other():
    truth = frame(box(0, 2), box(2, 5), num_bg=1)
    assert score([[truth]], [[frame(box(0, 2))]])["Miss"] == 50


def test_the_last_partner_of_an_id_outlives_its_video():
    one, two = [frame(box(0, 4), ids=[0])], [frame(box(0, 4), ids=[0])]
    assert score([one, two], [[frame(box(0, 4), ids=[5])], [frame(box(0, 4), ids=[6])]])["IDS"] == 50


def test_a_returning_object_keeps_its_partner_against_a_better_one():
    truth = [[frame(box(0, 7))] * 3]
    predictions = [[frame(box(0, 7), ids=[0]), frame(), frame(box(0, 6), box(0, 4), ids=[1, 0])]]
    scores = score(truth, predictions)
    assert (scores["IDS"], scores["Miss"], scores["FP"]) == pytest.approx((0, 100 / 3, 100 / 3))
    assert scores["MOTP"] == pytest.approx(100 * (1 + 4 / 7) / 2)


def test_a_second_prediction_of_an_id_is_a_false_positive():
    scores = score([[frame(box(0, 4))]], [[frame(box(0, 4), box(0, 4), ids=[3, 3])]])
    assert (scores["Match"], scores["FP"]) == (100, 100)


def test_only_the_first_of_equal_ids_is_carried_over():
    truth = [[frame(box(0, 4), box(4, 4)), frame(box(0, 4), box(4, 4))]]
    second = frame(box(4, 4), box(0, 4), box(4, 4), ids=[0, 0, 1])  # the first 0 now lies on the other object
    predictions = [[frame(box(0, 4), box(4, 4)), second]]
    scores = score(truth, predictions)
    assert (scores["Match"], scores["FP"], scores["IDS"]) == (100, 25, 0)


def test_a_mask_of_the_smallest_size_does_not_count():
    truth = frame(box(0, 5, height=1), box(0, 6, y=2, height=1))
    scores = score([[truth]], [[truth]], min_pixels=5)
    assert scores["Match"] == 100
    assert match([[truth]], [[truth]], frames=(0, 1), exclude_background=False, side=SIDE).events.tolist() == [0, 1]


def test_without_objects_there_is_no_accuracy():
    nothing = [[frame()]]
    assert score(nothing, [[frame(box(0, 4))]])["MOTA"] == -inf
    assert all(isnan(value) for value in score(nothing, nothing).values())
    blind = score([[frame(box(0, 4))]], nothing)
    assert blind["MOTA"] == 0
    assert isnan(blind["MOTP"])


def test_ids_may_be_numpys():
    video = [frame(box(0, 4), box(4, 4), ids=np.array([3, 9]), num_bg=np.int64(1))]
    assert score([video], [video], exclude_background=True)["MOTA"] == 100


def test_frames_beyond_the_range_are_not_read():
    video = [{"neither": "masks"}] * 2 + [frame(box(0, 4))] * 2 + ["nor ids"]
    assert score([video], [video], frames=(2, 4))["MOTA"] == 100


# ---------------------------------------------------------------------------- a plain reading


def plain(truth, predictions, *, exclude_background, min_pixels):
    """The published procedure on sets of pixels, with an assignment by trying all."""
    partner, happened, overlaps, false_positives = {}, {}, [], 0
    for true_frame, predicted_frame in zip(flat(truth), flat(predictions), strict=True):
        true = [(pixels(m), i) for m, i in zip(true_frame["masks"], true_frame["ids"], strict=True)]
        predicted = [(pixels(m), i) for m, i in zip(predicted_frame["masks"], predicted_frame["ids"], strict=True)]
        true = [one for one in true if len(one[0]) > min_pixels]
        predicted = [one for one in predicted if len(one[0]) > min_pixels]
        for _ in range(true_frame["num_bg"] if exclude_background else 0):
            background, _ = true.pop()
            predicted = [one for one in predicted if not iou(background, one[0]) > 0.2]
        pairs = {}
        for g, (mask, name) in enumerate(true):
            for p, (other, other_name) in enumerate(predicted):
                if p not in pairs.values() and name in partner and other_name == partner[name]:
                    if iou(mask, other) >= 0.5:
                        pairs[g] = p
                    break
        carried = set(pairs)
        rest = [g for g in range(len(true)) if g not in pairs]
        free = [p for p in range(len(predicted)) if p not in pairs.values()]
        pairs |= best([[iou(true[g][0], predicted[p][0]) for p in free] for g in rest], rest, free)
        for g, (mask, name) in enumerate(true):
            if g not in pairs:
                happened.setdefault(name, []).append("miss")
                continue
            other, other_name = predicted[pairs[g]]
            switched = g not in carried and partner.get(name, other_name) != other_name
            happened.setdefault(name, []).append("switch" if switched else "match")
            overlaps.append(iou(mask, other))
            partner[name] = other_name
        false_positives += len(predicted) - len(pairs)
    return happened, overlaps, false_positives


def flat(lists):
    return list(chain.from_iterable(lists))


def pixels(text):
    numbers = list(map(int, text.split()))
    runs = zip(numbers[::2], numbers[1::2], strict=True)
    return {pixel for start, length in runs for pixel in range(start, start + length)}


def iou(one, other):
    return len(one & other) / len(one | other)


def best(overlaps, rest, free):
    """Most allowed pairs, then the highest overlap; trying every way to give predictions to objects."""
    padded = [*range(len(free)), *[None] * len(rest)]
    tried = []
    for choice in set(permutations(padded, len(rest))):
        pairs = {g: p for g, p in enumerate(choice) if p is not None and overlaps[g][p] >= 0.5}
        tried.append((len(pairs), sum(overlaps[g][p] for g, p in pairs.items()), pairs))
    _, _, pairs = max(tried, key=lambda one: one[:2])
    return {rest[g]: free[p] for g, p in pairs.items()}


@st.composite
def videos(draw):
    """Truth and predictions of two videos of three frames, of boxes that overlap much."""
    boxes = st.tuples(st.integers(0, 2), st.integers(3, 6), st.integers(0, 1), st.integers(3, 6)).map(lambda b: box(*b))
    drawn = []
    for names in (3, 5):
        frames = st.lists(boxes, max_size=3, unique=True).flatmap(
            lambda masks, names=names: st.permutations(range(names)).map(
                lambda ids: frame(*masks, ids=ids[: len(masks)])
            )
        )
        drawn.append([[draw(frames) for _ in range(3)] for _ in range(2)])
    for one in flat(drawn[0]):
        one["num_bg"] = draw(st.integers(0, len(one["masks"])))
    return drawn


@settings(max_examples=40)
@given(videos(), st.booleans(), st.sampled_from([0, 9]))
def test_a_plain_reading_of_the_procedure_agrees(drawn, exclude_background, min_pixels):
    truth, predictions = drawn
    assume(not ties(truth, predictions))
    for one in flat(truth) if exclude_background else []:
        one["num_bg"] = min(one["num_bg"], sum(len(pixels(mask)) > min_pixels for mask in one["masks"]))
    happened, overlaps, false_positives = plain(
        truth, predictions, exclude_background=exclude_background, min_pixels=min_pixels
    )
    assume(overlaps)
    events = flat(happened.values())
    tracked = [each.count("match") / len(each) >= 0.8 for each in happened.values()]
    detected = [1 - each.count("miss") / len(each) >= 0.8 for each in happened.values()]
    shares = {
        "MOTA": 1 - (events.count("miss") + events.count("switch") + false_positives) / len(events),
        "MOTP": np.mean(overlaps),
        "MD": np.mean(detected),
        "MT": np.mean(tracked),
        "Match": events.count("match") / len(events),
        "Miss": events.count("miss") / len(events),
        "IDS": events.count("switch") / len(events),
        "FP": false_positives / len(events),
    }
    scores = score(truth, predictions, exclude_background=exclude_background, min_pixels=min_pixels)
    assert scores == pytest.approx({name: 100 * value for name, value in shares.items()})


def ties(truth, predictions):
    """Whether two allowed pairs of a frame overlap alike, so that assignments may cost the same."""
    for true, predicted in zip(flat(truth), flat(predictions), strict=True):
        table = np.array([[iou(pixels(a), pixels(b)) for b in predicted["masks"]] for a in true["masks"]])
        allowed = table[table >= 0.5]
        if len(set(allowed.round(9))) < len(allowed):
            return True
    return False


# ---------------------------------------------------------------------------- broken files

GOOD = [[frame(box(0, 4), num_bg=0)] * 3] * 2


def broken(**changes):
    """The good videos with another frame 1 in video 1."""
    video = list(GOOD[1])
    video[1] = {key: value for key, value in {**video[1], **changes}.items() if value is not None}
    return [GOOD[0], video]


@pytest.mark.parametrize(
    ("truth", "sentence"),
    [
        (broken(masks=None), "truth, video 1, frame 1 is no dict of lists named masks and ids"),
        (broken(ids=[1, 2]), "truth, video 1, frame 1 has 1 masks and 2 ids; a mask has one id"),
        (broken(ids=["a"]), "truth, video 1, frame 1, mask 0: an id is a whole number, not 'a'"),
        (broken(ids=[1.5]), "truth, video 1, frame 1, mask 0: an id is a whole number, not 1.5"),
        (broken(masks=["1 2 3"]), "video 1, frame 1, mask 0: '1 2 3' has a start without a length"),
        (broken(masks=["1 x"]), "video 1, frame 1, mask 0: '1 x' holds something that is no whole number"),
        (broken(masks=["1 2\0"]), "video 1, frame 1, mask 0: published masks are strings"),
        (broken(masks=["-1 2"]), "no whole number"),
        (broken(masks=["\ud800"]), "no whole number"),
        (broken(masks=["0 2"]), "video 1, frame 1, mask 0: '0 2' starts before pixel 1"),
        (broken(masks=["60 9"]), "video 1, frame 1, mask 0: '60 9' goes beyond the last pixel of 64"),
        (broken(masks=["1 99999999999999999999"]), "beyond the last pixel"),
        (broken(masks=[[1, 2]]), r"mask 0: published masks are strings of starts and lengths, not \[1, 2\]"),
        (
            broken(num_bg=None),
            "truth, video 1, frame 1 has no num_bg; to remove background, it says how many masks are",
        ),
        (broken(num_bg="1"), "truth, video 1, frame 1 has '1' for num_bg"),
        (broken(num_bg=2), r"truth, video 1, frame 1 has fewer masks .* than background masks \(2\)"),
        ([GOOD[0], GOOD[1][:2]], "truth, video 1 has 2 frames; frames 0 to 2 were asked for"),
        ([GOOD[0], {"frames": 3}], "truth, video 1 is a dict and not a list of frames"),
        (GOOD[:1], "the truth has 1 videos, and the predictions have 2"),
    ],
)
def test_a_broken_file_is_named_with_its_place(truth, sentence):
    with pytest.raises(DataError, match=sentence):
        score(truth, GOOD, exclude_background=True)


@pytest.mark.parametrize("frames", [(3, 3), (-1, 2)])
def test_a_range_of_no_frames_is_a_mistake(frames):
    with pytest.raises(SpecError, match="frames are a first one and the one after the last"):
        score(GOOD, GOOD, frames=frames)


def test_a_broken_prediction_is_said_to_be_one():
    with pytest.raises(DataError, match="predictions, video 1, frame 1, mask 0"):
        score(GOOD, broken(masks=["1"]))
