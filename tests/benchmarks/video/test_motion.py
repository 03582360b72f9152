"""Flow leads to where things are in the next frame; boxes hold what is seen; camera poses put pixels into the room."""

from __future__ import annotations

import numpy as np
import pytest

import unseen
from unseen.benchmarks.video.rooms import HALF


def followed(ids, flow):
    """The share of object pixels that the flow takes to a pixel of the same object, of those it keeps in the frame."""
    kept = right = 0
    for t in range(len(ids) - 1):
        rows, columns = np.nonzero((ids[t] > 0) & (ids[t] < 240))
        ends = np.floor(np.stack([rows, columns], 1) + 0.5 + flow[t, rows, columns]).astype(int)
        inside = ((ends >= 0) & (ends < ids.shape[1])).all(1)
        kept += inside.sum()
        right += (ids[t + 1][tuple(ends[inside].T)] == ids[t][rows, columns][inside]).sum()
    return right / kept


@pytest.mark.parametrize(
    ("name", "split", "least"),
    [
        ("video/vmds", "test", 0.85),
        ("video/vmds", "test_rotation", 0.85),
        ("video/vmds", "test_size", 0.85),
        ("video/spmot", "test", 0.85),
        ("video/vor", "test", 0.9),
    ],
)
def test_flow_leads_to_the_same_object_in_the_next_frame(name, split, least):
    options = {"renderer": "none"} if name == "video/vor" else {}
    shares = []
    for example in unseen.load(name, split, motion=True, **options)[:8]:
        target = example.target
        assert target["flow"].shape == (*target["ids"].shape, 2)
        assert not target["flow"][-1].any()
        if ((target["ids"] > 0) & (target["ids"] < 240)).any():
            shares.append(followed(target["ids"], target["flow"]))
    assert np.mean(shares) > least  # the rest is covered by what is in front, or lies at an edge


def test_flow_of_a_turning_sprite_is_not_that_of_its_middle_alone():
    example = unseen.load("video/vmds", "test_rotation", motion=True)[0]
    mask = example.target["ids"][0] == 1
    assert np.ptp(example.target["flow"][0][mask], axis=0).max() > 1


def test_the_background_of_sprites_does_not_move():
    target = unseen.load("video/vmds", "test", motion=True)[0].target
    assert not target["flow"][target["ids"] == 0].any()


def test_boxes_and_centers_are_those_of_the_first_frame():
    example = unseen.load("video/vmds", "test", motion=True)[0]
    ids = example.target["ids"][0]
    assert example.target["boxes"].shape == (len(example.scene["objects"]), 4)
    for number, (box, center) in enumerate(
        zip(example.target["boxes"], example.target["centers"], strict=True), start=1
    ):
        rows, columns = np.nonzero(ids == number)
        if len(rows):
            assert box.tolist() == [rows.min(), columns.min(), rows.max() + 1, columns.max() + 1]
            assert center.tolist() == pytest.approx([rows.mean() + 0.5, columns.mean() + 0.5])
        else:
            assert not box.any()


def test_camera_poses_and_distances_put_the_floor_on_the_ground():
    target = unseen.load("video/vor", "test", motion=True, renderer="none", size=128)[0].target
    field = unseen.load("video/vor", "test", renderer="none")[0].scene["camera"]["field_of_view"]
    at = (2 * (np.arange(128) + 0.5) / 128 - 1) * np.tan(np.radians(field) / 2)
    for t, (pose, distances) in enumerate(zip(target["cameras"], target["distances"], strict=True)):
        assert pose[:3, :3].T @ pose[:3, :3] == pytest.approx(np.eye(3), abs=1e-5)
        ahead = np.stack(np.broadcast_arrays(at[None, :], at[:, None], 1.0), -1) * distances[..., None]
        places = ahead @ pose[:3, :3].T + pose[:3, 3]
        floor = target["ids"][t] == 240
        assert abs(places[floor][:, 2]).max() < 0.02
        assert abs(places[floor][:, :2]).max() <= HALF / 1000 + 0.05
