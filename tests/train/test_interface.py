"""What models are told of a task."""

from __future__ import annotations

import pytest

import unseen
from unseen.benchmarks.cogitao.rules import TRANSFORMATIONS
from unseen.core.errors import SpecError
from unseen.models import Grids, Odd, Videos
from unseen.train import interface
from unseen.train.interface import interface_of


def test_a_grid_task_tells_its_side_its_code_and_its_demonstrations() -> None:
    tokens = len(TRANSFORMATIONS) + 1
    assert interface_of(unseen.task("cogitao/g2-1")) == Grids(side=20, code_length=0, tokens=tokens)
    shown = unseen.task("cogitao/c1-1+in_context=2+padding=24")
    assert interface_of(shown) == Grids(side=24, code_length=4, tokens=tokens, demonstrations=2)


def test_every_token_of_a_code_is_below_the_number_of_tokens() -> None:
    codes = [example.inputs["code"] for example in unseen.load("cogitao/custom", "test")[:200]]
    assert max(map(max, codes)) < interface_of(unseen.task("cogitao/custom")).tokens


def test_an_odd_one_out_task_tells_its_rules_where_it_has_several() -> None:
    assert interface_of(unseen.task("cvr/inside+size=32")) == Odd(side=32)
    several = interface_of(unseen.task("cvr/custom+rules=inside,shape_contact_2+size=32"))
    assert several == Odd(side=32, rules=("inside", "shape_contact_2"))


def test_an_image_task_tells_its_factors_in_the_order_of_its_symbols() -> None:
    task = unseen.task("svib/dsprites-sa+size=32+symbols=true")
    told = interface_of(task)
    assert told.side == 32
    factors = unseen.load(task.id, "train")[0].inputs["factors"]
    assert factors.shape[1] == len(told.factors)
    assert all(value < size for row in factors for value, (_, size) in zip(row, told.factors, strict=True))


def test_a_video_task_tells_how_many_objects_there_may_be() -> None:
    assert interface_of(unseen.task("video/vmds")) == Videos(side=64, frames=10, slots=4)
    assert interface_of(unseen.task("video/custom+frames=3+objects=6-8+size=32")) == Videos(32, frames=3, slots=8)


def test_a_question_task_tells_the_answers_and_words_of_training(question_task, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("UNSEEN_CACHE", str(tmp_path))
    told = interface_of(unseen.task(question_task))
    assert told.answers == tuple(sorted({example.target["answer"] for example in unseen.load(question_task, "train")}))
    assert {"how", "many", "dogs", "?"} <= set(told.words)
    assert (told.images, told.side) == (3, 4)
    (file,) = (tmp_path / "questions").iterdir()
    with monkeypatch.context() as changed:
        changed.setattr(interface, "_scan", None)  # what was found is kept
        assert interface_of(unseen.task(question_task)) == told
    file.write_text("{")
    assert interface_of(unseen.task(question_task)) == told


def test_a_task_that_leaves_images_out_is_a_sentence() -> None:
    with pytest.raises(SpecError, match="gives no image, and models see"):
        interface_of(unseen.task("svib/clevr-sa+renderer=none"))


@pytest.mark.parametrize("task", ["svib/clevr-sa+size=32", "video/vor+size=32"])
def test_what_models_see_is_known_without_drawing_it(task: str, monkeypatch) -> None:
    from unseen.render import space

    def drawn(*_: object) -> None:
        raise AssertionError("solids are drawn")

    monkeypatch.setattr(space, "render_many", drawn)
    assert interface_of(unseen.task(task)).side == 32


@pytest.mark.parametrize("task", ["svib/dsprites-sa+size=32", "video/vmds+size=32", "video/spmot+size=32"])
def test_declared_shapes_are_those_of_what_is_shown(task: str) -> None:
    chosen = unseen.task(task)
    declared = chosen.benchmark.file("render").shapes(chosen.split("train").spec, chosen.view)
    shown = unseen.load(task, "train")[0].inputs
    assert declared
    assert declared == {name: shown[name].shape for name in declared}
