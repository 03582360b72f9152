"""Whatever is wrong with a record is found, and nothing is found in a right one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.video import kernels, render, verify
from unseen.benchmarks.video.sample import Sampler
from unseen.benchmarks.video.spec import Spec, Traffic
from unseen.benchmarks.video.splits import contains
from unseen.core.splits import Part

SETS = [(name, split) for name in unseen.tasks("video") for split in unseen.task(name).splits]


@pytest.mark.parametrize(("name", "split"), SETS)
def test_drawn_records_are_right(name, split):
    task = unseen.task(name)
    for example in unseen.load(name, split)[:15]:
        assert task.check(example.record, split) == []


@given(
    frames=st.integers(1, 15),
    objects=st.tuples(st.integers(2, 6), st.integers(0, 4)),
    scale=st.tuples(st.integers(1, 15), st.integers(0, 5)),
    changes=st.sets(st.sampled_from(["rotation", "color", "size"])),
    occlusion=st.sampled_from([0, 2]),
    same_color=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_declared_scenarios_are_right(frames, objects, scale, changes, occlusion, same_color, seed):
    spec = Spec(
        frames=frames,
        objects=(objects[0], sum(objects)),
        scale=(scale[0], sum(scale)),
        changes=tuple(sorted(changes)),
        occlusion=occlusion,
        same_color=same_color,
    )
    record, _, _ = Sampler(spec, Part(0, 8), seed).draw(0)
    assert verify.check(record, spec) == []


def drawn(spec, wanted=lambda record: True):
    sampler = Sampler(spec, Part(0, 8), 1)
    return next(record for index in range(200) if wanted(record := sampler.draw(index)[0]))


def with_pose(record, t, **changes):
    """The record with its first object changed in one frame."""
    one = record.objects[0]
    poses = (*one.poses[:t], one.poses[t]._replace(**changes), *one.poses[t + 1 :])
    return replace(record, objects=(replace(one, poses=poses), *record.objects[1:]))


def with_first(record, **changes):
    return replace(record, objects=(replace(record.objects[0], **changes), *record.objects[1:]))


def with_all(record, **changes):
    for t in range(record.frames):
        record = with_pose(record, t, **changes)
    return record


VMDS = Spec()
WRONG = {
    "leaves the bounds": (VMDS, lambda r: with_pose(r, 3, x=9 * 64)),
    "changes rotation": (VMDS, lambda r: with_pose(r, 3, angle=r.objects[0].poses[3].angle + 1)),
    "changes color": (VMDS, lambda r: with_pose(r, 3, color=r.objects[0].poses[3].color ^ 1)),
    "changes size": (VMDS, lambda r: with_pose(r, 3, height=15 - r.objects[0].poses[3].height)),
    "a scale outside": (VMDS, lambda r: with_all(r, height=4, width=4)),
    "the orientations of dSprites": (VMDS, lambda r: with_all(r, angle=1234)),
    "is a circle": (VMDS, lambda r: with_first(r, shape="circle")),
    "not there in every frame": (VMDS, lambda r: with_first(r, poses=r.objects[0].poses[:-1])),
    "5 objects are outside 1 to 4": (VMDS, lambda r: replace(r, objects=r.objects[:1] * 5)),
    "has a texture": (VMDS, lambda r: with_first(r, texture=3)),
    "background has no texture": (Spec(textured=True), lambda r: replace(r, texture=0)),
    "it has 9 frames, not 10": (VMDS, lambda r: replace(r, frames=9)),
    "differ in color": (Spec(same_color=True, objects=(2, 4)), lambda r: with_all(r, color=1)),
    "differ by less than 20": (Spec(contrast=20), lambda r: with_all(r, color=r.background ^ 1)),
    "in the same place": (Spec(objects=(2, 2), occlusion=2), lambda r: with_all(r, x=10 * 64, y=54 * 64)),
    "not change rotation as": (Spec(changes=("rotation",)), lambda r: with_all(r, angle=0)),
    "not change color as": (Spec(changes=("color",)), lambda r: with_pose(r, 3, color=0x808080)),
    "not change size as": (Spec(changes=("size",)), lambda r: with_all(r, height=5, width=5)),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_wrong_with_sprites_is_named(sentence):
    spec, spoil = WRONG[sentence]
    right = drawn(spec, lambda record: record.objects[0].shape != "ellipse")
    assert verify.outside(right, spec) == []
    assert contains(spec, right)
    spoiled = spoil(right)
    assert any(sentence in found for found in verify.outside(spoiled, spec)), verify.outside(spoiled, spec)
    assert not contains(spec, spoiled)


TRAFFIC = {
    "background is not black": lambda r: replace(r, background=1),
    "4 objects are there at once": lambda r: replace(r, objects=r.objects[:1] * 4),
    "is a heart": lambda r: with_first(r, shape="heart"),
    "changes its looks": lambda r: with_pose(r, 3, height=r.objects[0].poses[3].height - 1),
    "is 30x": lambda r: with_all(r, height=30),
    "has the color ffffff": lambda r: with_all(r, color=0xFFFFFF),
    "outside the lines": lambda r: with_pose(r, 0, x=5 * 64),
    "does not enter on a line": lambda r: with_first(r, first=4, poses=r.objects[0].poses[4:]),
    "on a straight line": lambda r: with_pose(r, 4, y=r.objects[0].poses[4].y + 200),
    "move by 5.3 pixels": lambda r: with_first(r, poses=r.objects[0].poses[::2] + r.objects[0].poses[:0]),
    "vanishes before it is across": lambda r: with_first(r, poses=r.objects[0].poses[:3]),
}


def in_the_open(record):
    """Whether the first object is there from first to last and far from all lines in the frames that are spoiled."""
    if not record.objects or len(record.objects[0].poses) < 10:
        return False
    return all(25 * 64 < place < 100 * 64 for pose in record.objects[0].poses[2:6] for place in pose[:2])


@pytest.mark.parametrize("sentence", TRAFFIC)
def test_what_is_wrong_with_templates_is_named(sentence):
    right = drawn(Traffic(), in_the_open)
    assert verify.outside(right, Traffic()) == []
    found = verify.outside(TRAFFIC[sentence](right), Traffic())
    assert any(sentence in one for one in found), found


@pytest.mark.parametrize("name", ["video/vmds", "video/spmot"])
def test_a_pixel_that_is_not_its_objects_is_found(name, monkeypatch):
    """A renderer that gives one pixel to another object does not pass."""
    task = unseen.task(name)
    record = drawn(task.split("train").spec, lambda record: record.objects)

    def slightly_wrong(*args):
        inputs, target = render.arrays(*args)
        t, y, x = np.argwhere(target["ids"])[0]
        target["ids"][t, y, x] += 1
        return inputs, target

    assert task.check(record, "train") == []
    monkeypatch.setattr(verify, "arrays", slightly_wrong)
    assert any("are not what the shapes give" in sentence for sentence in task.check(record, "train"))


def test_the_other_depth_order_is_found(monkeypatch):
    spec = Spec(objects=(2, 2), occlusion=2)
    record = drawn(spec, lambda r: r.objects[0].poses[0].height == r.objects[1].poses[0].height)
    swapped = replace(record, objects=record.objects[::-1])

    def back_to_front(given, *args):
        inputs, target = render.arrays(swapped, *args)
        return inputs, {"ids": np.array([0, 2, 1], np.uint8)[target["ids"]]}

    monkeypatch.setattr(verify, "arrays", back_to_front)
    assert verify.check(record, spec)


def test_the_centroid_of_a_heart_is_where_it_is_said_to_be():
    v, u = np.mgrid[-14:14:0.02, -14:14:0.02] + 0.01
    inside = verify.in_heart(u, v)
    assert v[inside].mean() == pytest.approx(kernels.CENTROID, abs=0.01)
    assert u[inside].mean() == pytest.approx(0, abs=0.01)
