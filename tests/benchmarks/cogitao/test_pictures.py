"""The rgb view, and pictures for people."""

from __future__ import annotations

import numpy as np
import pytest

import unseen
from unseen.render.palette import grid_from_image, grid_image

OPTIONS = {"plain": {}, "sequential": {"sequential": True}, "black": {"background": "black"}, "rgb": {"rgb": True}}


def test_the_rgb_view_adds_the_images_of_input_and_output() -> None:
    example = unseen.load("cogitao/c1-1", "test", rgb=True)[3]
    for side in (example.inputs, example.target):
        assert side["image"].shape == (128, 128, 3)
        assert (grid_from_image(side["image"], side["grid"].shape) == side["grid"]).all()


def test_views_share_their_records() -> None:
    plain, rgb = (unseen.load("cogitao/c1-1", "test", **view)[3] for view in ({}, {"rgb": True, "size": 64}))
    assert plain.record == rgb.record
    assert "image" not in plain.inputs


def test_rgb_combines_with_sequential_and_in_context() -> None:
    example = unseen.load("cogitao/c1-1", "test", rgb=True, size=40, sequential=True, in_context=2, background="black")[
        2
    ]
    frames = example.target["frames"]
    assert example.target["frame_images"].shape == (len(frames), 40, 40, 3)
    assert (example.target["frame_images"][-1] == example.target["image"]).all()
    shown = example.inputs["demonstration_input_images"]
    assert shown.shape == (2, 40, 40, 3)
    assert (shown[1] == grid_image(example.inputs["demonstration_inputs"][1], 40, "black")).all()
    assert example.inputs["demonstration_target_images"].shape == (2, 40, 40, 3)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("in_context", [0, 2])
def test_every_view_has_a_picture(options: dict[str, object], in_context: int) -> None:
    picture = np.asarray(unseen.load("cogitao/c3-5", "test_ood", in_context=in_context, **options)[0].show())
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert (picture != 255).any()


def test_all_grids_of_a_split_are_drawn_at_one_scale() -> None:
    pictures = {}
    for example in unseen.load("cogitao/g2-1", "train")[:20]:
        pictures[example.inputs["grid"].shape] = example.show().size
    assert len({(size[0] - 2 * shape[1] * 16, shape) for shape, size in pictures.items()}) == len(pictures)
    assert len({size[0] - 2 * shape[1] * 16 for shape, size in pictures.items()}) == 1


def answered(example, prediction: np.ndarray) -> np.ndarray:
    task = example.task
    return task.benchmark.file("render").answer_picture(
        example.record, prediction, task.split(example.split).spec, task.view
    )


def test_only_wrong_cells_of_an_answer_are_crossed() -> None:
    example = unseen.load("cogitao/g1-1", "test")[0]
    target = example.target["grid"]
    right = answered(example, target)
    wrong = target.copy()
    wrong[0, 0] = 9
    assert right.shape == answered(example, wrong).shape
    changed = np.argwhere((right != answered(example, wrong)).any(axis=2))
    assert np.ptp(changed, axis=0).max() < 10  # within one cell
    assert (right == answered(example, np.pad(target, ((0, 3), (0, 3)), constant_values=-1))).all()


@pytest.mark.parametrize("shape", [(0, 0), (1, 30), (30, 2)])
def test_answers_of_any_shape_have_a_picture(shape: tuple[int, int]) -> None:
    example = unseen.load("cogitao/g1-1", "test", background="black")[0]
    assert answered(example, np.ones(shape, np.int8)).shape[2] == 3
