"""Baselines that need no training."""

from __future__ import annotations

import numpy as np
import pytest

import unseen
from unseen.benchmarks.video.sample import Moving, Pose, Record
from unseen.core.errors import SpecError
from unseen.core.task import Example
from unseen.predict import read_predictions
from unseen.predict.untrained import UNTRAINED, predict_untrained, region_ids


@pytest.mark.parametrize("name", UNTRAINED)
@pytest.mark.parametrize("task", ["video/vmds", "video/texvmds", "video/spmot", "video/multi-dsprites"])
def test_every_baseline_answers_every_video_task(tmp_path, name, task):
    dataset = unseen.load(task, "val")[3:6]
    predict_untrained(name, dataset, tmp_path / "answers.parquet")
    found = read_predictions(tmp_path / "answers.parquet")
    assert (found.model, found.indices) == (name, (3, 4, 5))
    for answer, example in zip(found.values, dataset, strict=True):
        assert answer.shape == example.target["ids"].shape
        if name == "perfect":
            assert (answer == example.target["ids"]).all()
        if name == "blind":
            assert not answer.any()


def with_sprites(*sprites):
    objects = tuple(Moving("square", 0, (Pose(x * 64, y * 64, size, size, 0, color),)) for x, y, size, color in sprites)
    return Example(unseen.task("video/multi-dsprites"), "val", 0, Record(1, 0x101010, objects))


def test_regions_are_the_objects_where_none_touch():
    example = with_sprites((15, 15, 5, 0xFF0000), (45, 15, 8, 0x00FF00), (30, 45, 6, 0xFF0000))
    assert (np.array([0, 3, 1, 2])[example.target["ids"]] == region_ids(example)).all()  # by size


def test_regions_of_one_color_that_touch_are_one():
    example = with_sprites((20, 20, 10, 0xFF0000), (30, 20, 8, 0xFF0000))
    assert ((example.target["ids"] > 0) == (region_ids(example) == 1)).all()


def test_what_an_object_cuts_off_from_the_background_is_background():
    example = with_sprites((10, 10, 10, 0xFF0000))  # it reaches the upper left corner's borders
    answer = region_ids(example)
    assert ((answer > 0) == (example.target["ids"] > 0)).all()


def test_a_baseline_of_another_kind_says_so(tmp_path):
    with pytest.raises(SpecError, match="regions answers video tasks, and cogitao/c1-1 is a grid task"):
        predict_untrained("regions", unseen.load("cogitao/c1-1", "val")[:2], tmp_path / "x.parquet")
