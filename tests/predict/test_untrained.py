"""Baselines that need no training."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import unseen
from unseen.benchmarks.video.sample import Moving, Pose, Record
from unseen.core.errors import SpecError
from unseen.core.task import Example
from unseen.models import MODELS
from unseen.predict import read_predictions
from unseen.predict.untrained import UNTRAINED, baselines, outlyingness, predict_untrained, region_ids

VIDEO = [name for name, row in UNTRAINED.items() if row.kind == "video"]


@pytest.mark.parametrize("name", VIDEO)
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


def test_a_copy_is_the_input(tmp_path):
    dataset = unseen.load("svib/dsprites-sa+size=32", "test_ood")[:3]
    predict_untrained("copy", dataset, tmp_path / "answers.parquet")
    answers = read_predictions(tmp_path / "answers.parquet").values
    assert all((answer == example.inputs["image"]).all() for answer, example in zip(answers, dataset, strict=True))


def test_the_image_with_another_number_of_objects_is_often_the_outlier(tmp_path):
    dataset = unseen.load("cvr/count", "test")[:200]
    predict_untrained("outlier", dataset, tmp_path / "answers.parquet")
    answers = read_predictions(tmp_path / "answers.parquet").values
    assert all(answer.shape == (4,) for answer in answers)
    assert unseen.task("cvr/count").score("test", tmp_path / "answers.parquet")["odd_accuracy"] > 0.4


def test_the_outlier_is_the_image_that_differs_most():
    images = np.zeros((4, 2, 2, 3), np.uint8)
    images[1, 0], images[3, 0, 0] = 200, 90
    example = SimpleNamespace(inputs={"images": images})
    assert outlyingness(example).argmax() == 1


@pytest.mark.parametrize("task", unseen.tasks())
def test_the_baselines_of_a_task_can_be_run(task):
    found = unseen.task(task)
    assert {*found.row.baselines} <= {*baselines(found), *MODELS}


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


def test_a_baseline_that_no_task_has_is_unknown_and_those_of_the_task_are_named(tmp_path):
    with pytest.raises(LookupError, match=r"named 'mja' in covr/iid\. Did you mean 'maj'\?"):
        predict_untrained("mja", unseen.load("covr/iid", "val")[:2], tmp_path / "x.parquet")
