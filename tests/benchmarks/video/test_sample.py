"""Records: paths are those of plain rejection, sets are what they say, SpMOT has its published statistics."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.video import kernels
from unseen.benchmarks.video.rules import NUMBERED, SHAPES
from unseen.benchmarks.video.sample import Sampler, far_to_near, plan, poses_of, record_of
from unseen.benchmarks.video.spec import Spec, Traffic
from unseen.core.errors import SpecError, UnknownName, Unplaceable
from unseen.core.splits import Part

WHOLE = Part(0, 8)
LOW, HIGH = 10.0, 54.0


def records(spec, count, key=1):
    sampler = Sampler(spec, WHOLE, key)
    return [sampler.draw(index)[0] for index in range(count)]


def paths(found):
    """x and y of every object in pixels, each a path by itself: (paths, frames)."""
    both = [[(pose.x, pose.y) for pose in one.poses] for record in found for one in record.objects]
    return np.array(both, float).swapaxes(1, 2).reshape(-1, len(both[0])) / kernels.GRAIN


def process(rng, frames, count, amplitude=32.0):
    """Draws of the paper's Gaussian process, by another factor than the kernels'."""
    lag = np.subtract.outer(np.arange(frames), np.arange(frames))
    values, vectors = np.linalg.eigh(np.exp(-(lag**2) / 200.0))
    return amplitude * (rng.standard_normal((count, frames)) * np.sqrt(values.clip(0))) @ vectors.T


def rejected(frames, wanted, *, together=1, anchor=0):
    """Paths by plain rejection: a uniform place, independent paths shifted there; all is drawn again if one leaves."""
    rng = np.random.default_rng(0)
    kept, size = [], 50_000
    while sum(map(len, kept)) < wanted:
        drawn = process(rng, frames, size * together).reshape(size, together, frames)
        placed = rng.uniform(LOW, HIGH, (size, 1, 1)) + drawn - drawn[..., [anchor]]
        kept.append(placed[((placed >= LOW) & (placed <= HIGH)).all(axis=(1, 2))])
    return np.concatenate(kept)[:wanted]


def assert_alike(one, other):
    """Two samples of a statistic, one value per independent path: means, deviations, and quantiles by their order."""
    error = np.hypot(one.std() / np.sqrt(len(one)), other.std() / np.sqrt(len(other)))
    assert abs(one.mean() - other.mean()) < 4 * error
    assert one.std() == pytest.approx(other.std(), rel=0.06)
    order = np.sort(np.concatenate([one, other]))
    gap = np.searchsorted(np.sort(one), order) / len(one) - np.searchsorted(np.sort(other), order) / len(other)
    assert abs(gap).max() < 1.95 * np.sqrt(1 / len(one) + 1 / len(other))  # Kolmogorov and Smirnov, 0.1 %


STATISTICS = {
    "first place": lambda path: path[:, 0],
    "middle place": lambda path: path[:, path.shape[1] // 2],
    "first step": lambda path: path[:, 1] - path[:, 0],
    "mean step": lambda path: abs(np.diff(path)).mean(axis=1),
    "longest step": lambda path: abs(np.diff(path)).max(axis=1),
    "range": lambda path: np.ptp(path, axis=1),
    "way": lambda path: path[:, -1] - path[:, 0],
    "bend": lambda path: path[:, -1] - 2 * path[:, path.shape[1] // 2] + path[:, 0],
}


@pytest.fixture(scope="module")
def two_ways():
    """Paths of our sampler and of plain rejection, by the number of frames."""
    return {
        frames: (paths(records(Spec(objects=(1, 1), frames=frames), 3000)), rejected(frames, 6000)[:, 0])
        for frames in (10, 20)
    }


@pytest.mark.parametrize("frames", [10, 20])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_paths_are_those_of_plain_rejection(two_ways, frames, statistic):
    ours, plain = two_ways[frames]
    assert_alike(STATISTICS[statistic](ours), STATISTICS[statistic](plain))


def test_steps_go_on_as_those_of_plain_rejection(two_ways):
    """The correlation of a step with the step some frames later."""
    for ours, plain in two_ways.values():
        for lag in (1, 3, 6):
            found = [np.mean(np.diff(path)[:, lag:] * np.diff(path)[:, :-lag]) / np.mean(np.diff(path) ** 2)
                     for path in (ours, plain)]  # fmt: skip
            assert found[0] == pytest.approx(found[1], abs=0.03)


@pytest.mark.parametrize(("amplitude", "step"), [(10, 1.2), (20, 2.0), (32, 2.7), (44, 3.1), (64, 3.7)])
def test_steps_are_as_long_as_the_accepted_ones_of_the_paper(amplitude, step):
    moved = np.diff(paths(records(Spec(objects=(1, 1), amplitude=amplitude), 1000))).reshape(-1, 2, 9)
    assert np.hypot(moved[:, 0], moved[:, 1]).mean() == pytest.approx(step, rel=0.07)


@pytest.mark.parametrize("anchor", [0, 4])
def test_paths_that_meet_are_those_of_plain_rejection(anchor):
    spec = Spec(objects=(2, 2), occlusion=2)
    _, _, order, rows, fresh = plan(spec)
    state, drawn = np.zeros(11, np.uint32), np.empty((3000, 2, 10))
    kernels.start(state, np.uint64(5), np.uint64(0), 0)
    assert all(kernels.cross(state, order, rows[anchor], fresh[anchor], pair) for pair in drawn)
    plain = rejected(10, 3000, together=2, anchor=anchor)
    assert np.allclose(drawn[:, 0, anchor], drawn[:, 1, anchor])
    for statistic in STATISTICS.values():
        assert_alike(statistic(drawn[:, 0]), statistic(plain[:, 0]))
    assert_alike(abs(drawn[:, 0] - drawn[:, 1]).mean(axis=1), abs(plain[:, 0] - plain[:, 1]).mean(axis=1))


def test_a_factor_gives_the_covariance_back():
    for frames, anchor in ((10, 0), (20, 7), (50, 49)):
        order = far_to_near(frames)
        rows, fresh = np.zeros((frames, frames)), np.zeros(frames, np.uint8)
        kernels.factorize(order, anchor, 32.0, rows, fresh)
        expected = [[kernels.covariance(s, t, anchor, 32.0) for t in order] for s in order]
        assert np.abs(rows @ rows.T - expected).max() < 1e-4
        assert fresh.sum() < 20


@given(st.integers(1, 100))
def test_far_to_near_names_every_frame_once(frames):
    order = far_to_near(frames).tolist()
    assert sorted(order) == list(range(frames))
    assert order[0] == frames - 1


def test_most_paths_take_few_tries():
    """Words of the stream that a path of 20 frames takes: far fewer than thousands of whole paths would."""
    _, _, order, rows, fresh = plan(Spec(frames=20))
    state, path = np.zeros(11, np.uint32), np.empty((1, 20))
    kernels.start(state, np.uint64(5), np.uint64(0), 0)
    for _ in range(2000):
        kernels.cross(state, order, rows[0], fresh[0], path)
    words = 4 * int(state[2]) / 2000
    assert words < 16 * 40  # sixteen tries as a mean, each given up after a few points


@given(
    color=st.integers(0, 2**24 - 1),
    turn=st.integers(-10 * kernels.TURN, 10 * kernels.TURN),
)
def test_a_turned_hue_keeps_saturation_and_value(color, turn):
    found = kernels.with_hue_turned(color, turn)
    before, after = color.to_bytes(3, "big"), int(found).to_bytes(3, "big")
    assert (max(before), min(before)) == (max(after), min(after))
    assert kernels.with_hue_turned(color, turn // kernels.TURN * kernels.TURN) == color


def test_a_third_of_a_turn_goes_from_red_to_green():
    assert kernels.with_hue_turned(0xFF0000, kernels.TURN // 3) == 0x00FF00
    assert kernels.with_hue_turned(0xFF0000, kernels.TURN // 6) == 0xFFFF00
    assert kernels.with_hue_turned(0xC86432, -kernels.TURN // 3) == 0x6432C8


SPECS = {
    "vmds": Spec(),
    "custom": Spec(frames=3, objects=(2, 8), shapes=("heart",), contrast=30, occlusion=2, changes=("size", "rotation")),
    "one frame": Spec(frames=1, changes=("size", "color", "rotation")),
    "still": Spec(amplitude=0, same_color=True, textured=True),
    "spmot": Traffic(),
    "long": Traffic(frames=60),
    "stream": Traffic(stream=True),
}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_kernels_get_back_what_they_gave(spec):
    sampler = Sampler(spec, WHOLE, 3)
    for index in range(20):
        record, content, _ = sampler.draw(index)
        poses = poses_of(record)
        textures = np.array([record.texture, *(one.texture for one in record.objects)], np.int32)
        head = np.array([len(record.objects), record.background], np.int32)
        assert record_of(poses, textures, head) == record
        assert int(kernels.content_key(poses, textures, head)) % 2**61 == content % 2**61


def test_numbers_of_objects_scales_and_orientations_are_uniform():
    found = records(Spec(), 4000)
    counts = np.bincount([len(record.objects) for record in found])[1:]
    assert counts.min() > 900
    first = [one.poses[0] for record in found for one in record.objects]
    assert np.bincount([pose.height for pose in first])[5:].min() > 1500
    turns = np.bincount([pose.angle // 1000 for pose in first])
    assert len(turns) == 39
    assert turns[0] == pytest.approx(2 * turns[1:].mean(), rel=0.2)  # the first orientation and the last are the same


def test_kernels_number_the_shapes_as_the_rules_do():
    assert [getattr(kernels, name.upper()) for name in NUMBERED] == list(range(len(NUMBERED)))
    assert [SHAPES[name].number for name in NUMBERED] == list(range(len(NUMBERED)))


def test_the_black_twin_has_the_same_objects_and_motion():
    random, black = (unseen.load("video/vmds", "test_rotation", background=name) for name in ("random", "black"))
    for index in range(5):
        assert random[index].record == black[index].record
        ids = random[index].target["ids"]
        assert (ids == black[index].target["ids"]).all()
        same = random[index].inputs["frames"] == black[index].inputs["frames"]
        assert same[ids > 0].all()
        assert not black[index].inputs["frames"][ids == 0].any()


# ---------------------------------------------------------------------------- SpMOT


def objects_a_frame(found):
    present = [[one.first <= t < one.first + len(one.poses) for one in record.objects]
               for record in found for t in range(record.frames)]  # fmt: skip
    return np.bincount([sum(row) for row in present], minlength=4) / len(present)


@pytest.mark.parametrize("stream", [False, True])
def test_spmot_has_the_published_numbers_of_objects(stream):
    found = records(Traffic(stream=stream), 3000)
    assert objects_a_frame(found) == pytest.approx([0.018, 0.157, 0.416, 0.409], abs=0.025)
    clips = np.bincount([len(record.objects) for record in found], minlength=7)[:7] / len(found)
    assert clips[2:6] == pytest.approx([0.02, 0.87, 0.10, 0.01], abs=0.025)


def test_objects_of_spmot_live_as_long_as_published():
    begun = [one for record in records(Traffic(frames=100), 300) for one in record.objects if 0 < one.first <= 70]
    seen = [len(one.poses) for one in begun]
    assert (min(seen), max(seen)) == (21, 29)  # 107 pixels straight or 151 aslant, at 5.3 a frame
    assert np.mean(seen) == pytest.approx(22.4, abs=0.3)


def test_a_stream_is_one_video():
    """Where a clip ends, the next goes on: objects in the last frame are a step further in the next one."""
    found = records(Traffic(stream=True), 200)
    continued = 0
    for one, other in pairwise(found):
        last = [moving for moving in one.objects if moving.first + len(moving.poses) == 10]
        for moving in last:
            for later in (later for later in other.objects if later.first == 0 and later.shape == moving.shape):
                step = np.subtract(later.poses[0][:2], moving.poses[-1][:2]) / kernels.GRAIN
                if later.poses[0][2:] == moving.poses[-1][2:] and np.hypot(*step) < 7:
                    continued += 1
                    break
    ends = sum(moving.first + len(moving.poses) == 10 for record in found[:-1] for moving in record.objects)
    assert 0.88 < continued / ends <= 1.0  # of those that do not leave between the two frames
    assert not found[0].objects or found[0].objects[0].first > 0  # only the first clip starts empty


def test_a_stream_can_be_entered_anywhere():
    sampler = Sampler(Traffic(stream=True), WHOLE, 1)
    assert sampler.draw(50)[0] == records(Traffic(stream=True), 51)[50]
    assert sampler.draw(3)[0] == records(Traffic(stream=True), 51)[3]


def test_an_object_after_a_gap_is_a_new_one():
    found = records(Traffic(frames=60), 100)
    for record in found:
        poses = poses_of(record)
        present = (poses[..., kernels.HEIGHT] > 0).astype(int)
        assert (abs(np.diff(present, axis=1)).sum(axis=1) <= 2).all()
    assert max(len(record.objects) for record in found) > 6


# ---------------------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"objects": "0-4"}, "objects must be within 1 to 16"),
        ({"frames": 0}, "frames must be within"),
        ({"scale": "9-5"}, "the smaller first"),
        ({"occlusion": 2}, "no more than a video's fewest objects, 1"),
        ({"contrast": 20, "changes": "color"}, "contrast is between colors that stay"),
        ({"textures": "folder"}, "flat colors"),
        ({"samples": 0}, "samples counts"),
    ],
)
def test_an_option_that_cannot_be_is_a_sentence(options, words):
    with pytest.raises(SpecError, match=words):
        unseen.task("video/custom", **options)


def test_an_unknown_shape_or_change_is_a_sentence():
    with pytest.raises(UnknownName, match=r"no shape named 'hart'\. Did you mean 'heart'"):
        Spec(shapes=("hart",))
    with pytest.raises(UnknownName, match="no change named 'hue'"):
        Spec(changes=("hue",))


def test_spmot_has_no_frames_of_other_sizes():
    with pytest.raises(SpecError, match="128 pixels a side, 64 or 32"):
        unseen.task("video/spmot", size=100)


def test_motion_that_cannot_stay_inside_and_colors_that_cannot_differ_say_so():
    with pytest.raises(Unplaceable, match="amplitude=1000"):
        records(Spec(frames=100, amplitude=1000), 1)
    with pytest.raises(Unplaceable, match="contrast=128"):
        records(Spec(objects=(16, 16), contrast=128), 5)
