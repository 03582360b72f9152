"""Pictures of questions and programs, and images of scenes that are drawn, looked up, or boxes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

import unseen
from unseen.benchmarks.covr.questions.program import parse
from unseen.benchmarks.covr.render import answer_picture, arrays, image, picture, program_picture, scene
from unseen.benchmarks.covr.rules import describe
from unseen.benchmarks.covr.spec import Spec, View
from unseen.core.errors import DataError


def test_arrays_are_images_text_and_answer(questions):
    question = questions[0]
    inputs, target = arrays(question, Spec(), View(size=64))
    assert [one.shape for one in inputs["images"]] == [(64, 64, 3)] * len(question.scenes)
    assert inputs["text"] == question.text
    assert target == {"answer": str(question.answer).lower()}
    paraphrased, _ = arrays(question, Spec(), View(text="paraphrased"))
    assert paraphrased["text"] == question.paraphrase != question.text


def test_a_wrong_answer_is_told_in_red(questions):
    question = questions[0]
    right = answer_picture(question, str(question.answer).lower(), Spec(), View())
    wrong = answer_picture(question, "unicorn", Spec(), View())
    reddish = [(shown[..., 0].astype(int) - shown[..., 1] > 100)[-30:].sum() for shown in (right, wrong)]
    assert reddish[0] == 0 < reddish[1]
    assert picture(question, Spec(), View()).shape[1] >= 3 * 240


def test_a_larger_program_makes_a_larger_picture():
    small = program_picture(parse('find("man")'))
    large = program_picture(parse('find("man"); filter(#0, "tall"); all(#1, [scene(); filter(#0, "wet")])'))
    assert large.shape[1] > 2 * small.shape[1]
    assert large.shape[0] > small.shape[0]


def test_the_scene_is_in_published_forms(questions):
    told = scene(questions[0], Spec())
    assert list(told["scenes"]) == list(questions[0].scenes)
    assert told["program"][0].keys() == {"operation", "arguments", "dependencies"}


@pytest.fixture
def corpus(tmp_path):
    file = tmp_path / "scenes.json"
    cup = {"name": "cup", "x": 10, "y": 10, "w": 50, "h": 50}
    file.write_text(json.dumps({"7": {"width": 100, "height": 80, "objects": {"1": cup}}}))
    return Spec(corpus=(str(file),))


def test_images_of_a_file_are_looked_up_in_a_folder(corpus, tmp_path):
    Image.fromarray(np.full((8, 9, 3), 7, np.uint8)).save(tmp_path / "7.png")
    assert (image(corpus, "7", View(folder=str(tmp_path))) == 7).all()
    with pytest.raises(DataError, match="no image of scene '8'"):
        image(corpus, "8", View(folder=str(tmp_path)))


def test_without_a_folder_boxes_stand_for_them(corpus):
    drawn = image(corpus, "7", View(size=200))
    assert drawn.shape == (200, 200, 3)
    assert (drawn[119, 60] < 255).any()  # the lower edge of the cup
    assert (drawn[22:34, 22:50] < 128).any()  # its name


def test_every_template_and_operator_is_described():
    told = describe()
    assert all(list(row)[:2] == ["rule", "what it does"] and row["what it does"] for row in told)
    assert {"VERIFYATTR", "CHOOSEREL", "find", "all_same"} <= {row["rule"] for row in told}


@pytest.mark.parametrize("options", [{}, {"images": "3d", "renderer": "none"}], ids=["flat", "3d"])
def test_symbols_tell_where_the_objects_of_every_image_are_and_what_they_are(options):
    example = unseen.load("covr/custom", "train", symbols=True, **options)[0]
    boxes, names = example.inputs["boxes"], example.inputs["names"]
    assert len(boxes) == len(names) == len(example.record.scenes)
    for places, words, graph in zip(boxes, names, example.scene["scenes"].values(), strict=True):
        objects = list(graph["objects"].values())
        assert [name.split()[-1] for name in words.split("; ")] == [one["name"].split()[-1] for one in objects]
        assert places.shape == (len(objects), 4)
        assert (places[:, :2] < places[:, 2:]).all()
        first = objects[0]
        assert places[0].tolist() == pytest.approx(
            [first["x"] / 360, first["y"] / 360, (first["x"] + first["w"]) / 360, (first["y"] + first["h"]) / 360]
        )


def test_batches_hold_the_symbols_of_all_images_one_after_the_other():
    pytest.importorskip("torch")
    questions = unseen.load("covr/custom", "train", symbols=True, size=32)[:3]
    batch = next(iter(questions.torch(3)))
    images = int(batch["input_counts"].sum())
    assert len(batch["target_referents"]) == images
    assert any(one != "; " for one in batch["target_referents"])
    assert len(batch["input_names"]) == len(batch["input_boxes"]) == len(batch["input_images"]) == images
    assert batch["input_boxes"].shape[2] == 4
