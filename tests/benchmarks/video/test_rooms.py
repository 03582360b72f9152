"""VOR: rooms are what they are said to be, and whatever is wrong with one is found."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.video import verify
from unseen.benchmarks.video.render import walk_ids
from unseen.benchmarks.video.rooms import HALF, STEP, TRAJECTORIES, Look, content_key, follow, walls_in_view
from unseen.benchmarks.video.sample import Record, Sampler
from unseen.benchmarks.video.spec import Room
from unseen.core.errors import SpecError, Unplaceable
from unseen.core.splits import Part
from unseen.render.space.stage import FLOOR

SPEC = Room()


def drawn(index=0, spec=SPEC):
    return Sampler(spec, Part(0, 8), 1).draw(index)[0]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), frames=st.integers(1, 12), fewest=st.integers(0, 4))
def test_drawn_walks_are_right(seed, frames, fewest):
    spec = Room(frames=frames, objects=(fewest, 4))
    record, _, _ = Sampler(spec, Part(0, 8), seed).draw(0)
    assert verify.check(record, spec) == []


def test_numbers_of_objects_are_equally_frequent():
    counts = np.bincount([len(drawn(index).walk.objects) for index in range(400)], minlength=5)
    assert counts[0] == 0
    assert (abs(counts[1:] - 100) < 40).all()


@pytest.mark.parametrize("trajectory", TRAJECTORIES)
def test_a_trajectory_goes_on_by_one_step_and_one_turn(trajectory):
    path = follow(Look(-2000, -2000, 450), trajectory, 10)
    steps = [hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(path)]
    assert all(abs(step - STEP) < 2 for step in steps)
    # towards the opposite corner of the room, whichever way it bends
    ends = [hypot(HALF - look.x, HALF - look.y) for look in (path[0], path[-1])]
    assert ends[1] < ends[0]


def test_walls_are_counted_by_the_corners_in_view():
    assert walls_in_view(Look(0, 0, 0)) == 1
    assert walls_in_view(Look(-3000, 0, 0)) == 3
    assert walls_in_view(Look(0, 0, 450)) == 2


def test_no_frame_of_a_thousand_walks_shows_three_walls():
    """Rays in the upper and lower row of a frame reach furthest to the sides, and every wall in view is met by one."""
    for index in range(1000):
        walk = drawn(index).walk
        for look in walk.path:
            assert walls_met(walk, look) <= 2, (index, look)


def walls_met(walk, look):
    """How many walls are behind the rows of pixels that are farthest up and down."""
    rays = verify.rays_of(walk, look)[[0, -1], :, :2].reshape(-1, 2)
    eye = np.array([look.x, look.y])
    away = np.where(rays > 0, HALF - eye, HALF + eye) / np.maximum(abs(rays), 1e-9)  # until a wall in x, and in y
    axis = away.argmin(axis=1)
    return len(np.unique(2 * axis + (rays[range(len(rays)), axis] > 0)))


def test_floor_and_walls_are_background_segments():
    for index in range(10):
        found = {*np.unique(walk_ids(drawn(index).walk)).tolist()}
        walls = found & {*range(FLOOR + 1, FLOOR + 5)}
        assert FLOOR in found
        assert 1 <= len(walls) <= 4
        assert 0 not in found


def test_objects_leave_the_view():
    walks = [drawn(index).walk for index in range(150)]
    last = [walk_ids(replace(walk, path=walk.path[-1:])) for walk in walks]
    per_frame = [(np.unique(ids) < FLOOR).sum() for ids in last]
    assert min(per_frame) == 0
    assert max(per_frame) == 4


def broken(record: Record, **changes) -> list[str]:
    return verify.check(replace(record, walk=replace(record.walk, **changes)), SPEC)


def test_each_thing_that_is_wrong_is_found():
    record = next(r for r in map(drawn, range(100)) if len(r.walk.objects) == 3)
    one, two, three = record.walk.objects
    assert verify.check(record, SPEC) == []
    assert "two objects may touch" in broken(record, objects=(one, one._replace(x=one.x + 5), three))
    assert "its objects stand in several quarters" in broken(record, objects=(one, two._replace(x=-two.x), three))
    assert any("reaches into a wall" in why for why in broken(record, objects=(one._replace(x=HALF, y=one.y), two)))
    assert any("has the color" in why for why in broken(record, objects=(one._replace(color=0x00FFFF), two)))
    assert any("is a cone" in why for why in verify.check_standing(one._replace(shape="cone")))
    assert any("5 objects" in why for why in broken(record, objects=(one,) * 5))
    path = record.walk.path
    assert "the camera's steps are not all of one length" in broken(record, path=(path[0], *path[2:], path[1]))
    assert "the camera does not turn by one angle" in broken(record, path=(path[0]._replace(heading=7), *path[1:]))


def test_ids_of_another_walk_are_found(monkeypatch):
    walk, other = drawn(0).walk, drawn(1).walk
    monkeypatch.setattr(verify, "walk_ids", lambda _: walk_ids(other))
    assert list(verify.check_walk_masks(walk))


def test_the_key_knows_every_number():
    walk = drawn().walk
    changed = [
        replace(walk, **{name: value + 1})
        for name in ("height", "field_of_view", "pitch", "floor", "light", "ambient")
        for value in [getattr(walk, name)]
    ]
    changed.append(replace(walk, objects=(walk.objects[0]._replace(angle=1), *walk.objects[1:])))
    changed.append(replace(walk, path=walk.path[:-1]))
    assert len({*map(content_key, [walk, *changed])}) == len(changed) + 1


def test_too_many_objects_or_frames_are_refused_in_a_sentence():
    with pytest.raises(SpecError, match="objects must be within 0 to 16"):
        Room(objects=(1, 17))
    with pytest.raises(Unplaceable, match="found no room for 16 objects"):
        drawn(spec=Room(objects=(16, 16)))
    with pytest.raises(Unplaceable, match="found no path of 100 frames"):
        drawn(spec=Room(frames=100))


def test_a_walk_survives_its_shard(tmp_path):
    from unseen.data.records import record_column

    column = record_column(Record)
    records = [drawn(0), unseen.load("video/vmds", "train")[0].record]
    assert list(column.decode(column.encode(records))) == records
