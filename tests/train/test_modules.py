"""Models by name and by file, other runs' weights, frozen parts."""

from __future__ import annotations

from pathlib import Path

import pytest

import unseen
from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.models import MODELS, Stage
from unseen.train.initial import take_over
from unseen.train.modules import make_model, model_named, set_learning, stages_of, train_mode


@pytest.fixture
def model(tiny: str, small_task: str):
    return make_model(tiny, unseen.task(small_task), {"width": 4})


def test_a_model_is_made_from_a_file_with_its_options(model) -> None:
    assert model.head.in_channels == 4


def test_one_line_registers_a_model(tiny: str, small_task: str) -> None:
    MODELS.add("mine", model_named(tiny))
    try:
        assert type(make_model("mine", unseen.task(small_task))).__name__ == "Tiny"
    finally:
        MODELS.remove("mine")


def test_a_model_of_another_kind_is_refused() -> None:
    with pytest.raises(
        SpecError, match="resnet answers grid tasks, and cvr/inside is one of kind odd; list the models"
    ):
        make_model("resnet", unseen.task("cvr/inside"))


def test_what_is_wrong_with_a_model_is_one_sentence(tiny: str, small_task: str, tmp_path: Path) -> None:
    task = unseen.task(small_task)
    with pytest.raises(UnknownName, match="no option named 'depth' in the model"):
        make_model(tiny, task, {"depth": 3})
    with pytest.raises(UnknownName, match="no model named 'Tinny' in"):
        make_model(tiny.replace(":Tiny", ":Tinny"), task)
    with pytest.raises(DataError, match=r"there is no file none\.py to take the model Mine from"):
        make_model("none.py:Mine", task)
    with pytest.raises(UnknownName, match="List them: unseen list --models"):
        make_model("resnt", task)
    (tmp_path / "plain.py").write_text("def make(task):\n    return 3\n")
    with pytest.raises(SpecError, match="makes a int, and training needs an"):
        make_model(f"{tmp_path / 'plain.py'}:make", task)


def test_weights_are_taken_over_where_name_and_shape_agree(model) -> None:
    other = {
        "head.bias": model.head.bias.detach() + 1,
        "head.weight": model.head.weight[:, :2],
        "more": model.head.bias,
    }
    said = take_over(model, other, what="there", names={})
    assert said == (
        "1 of 9 weights are those of there; body.0.weight, body.0.bias, body.1.weight and 5 more of the model begin"
        " afresh; head.weight, more there have no place in it"
    )
    assert model.head.bias.equal(other["head.bias"])
    with pytest.raises(SpecError, match="no weight of there has the name and shape"):
        take_over(model, {"more": other["more"]}, what="there", names={})


def test_names_are_mapped_by_how_they_begin(model) -> None:
    other = {"net.out.bias": model.head.bias.detach() + 1, "net.out.weight": model.head.weight.detach() + 1}
    said = take_over(model, other, what="there", names={"net.out": "head", "net": "body"})
    assert said.startswith("2 of 9 weights are those of there; body.0.weight")
    assert model.head.bias.equal(other["net.out.bias"])


def test_frozen_parts_neither_learn_nor_count_statistics(model) -> None:
    able = {name for name, _ in model.named_parameters()}
    set_learning(model, able, (), ["body"])
    assert [name for name, one in model.named_parameters() if one.requires_grad] == ["head.weight", "head.bias"]
    train_mode(model)
    assert model.training
    assert not any(module.training for module in model.body.modules())


def test_parts_that_are_not_there_are_refused(model) -> None:
    with pytest.raises(UnknownName, match="no part named 'boddy' in the model"):
        set_learning(model, (), (), ["boddy"])
    with pytest.raises(SpecError, match="freezing body, head leaves nothing to train"):
        set_learning(model, (), (), ["body", "head"])


def test_only_what_a_stage_names_learns_and_what_a_model_froze_stays_frozen(model) -> None:
    able = {name for name, _ in model.named_parameters()} - {"head.bias"}
    set_learning(model, able, ["head"], ())
    assert [name for name, one in model.named_parameters() if one.requires_grad] == ["head.weight"]
    set_learning(model, able, (), ())
    assert {name for name, one in model.named_parameters() if one.requires_grad} == able


@pytest.mark.parametrize(
    ("stages", "sentence"),
    [
        ((Stage("a"), Stage("a")), "stages need names of their own, and these are 'a', 'a'"),
        ((Stage("a"), Stage("")), "stages need names of their own"),
        ((Stage("a", start="b"), Stage("b")), "the stage a starts from b, which is no stage before it"),
    ],
)
def test_stages_that_cannot_be_are_refused(model, stages, sentence) -> None:
    model.stages = stages
    with pytest.raises(SpecError, match=sentence):
        stages_of(model)


@pytest.mark.parametrize("width", ["abc", -3, 0.5, [1], {"a": 1}, None])
def test_options_that_a_model_cannot_be_made_with_are_one_sentence(tiny: str, small_task: str, width: object) -> None:
    with pytest.raises(SpecError, match=r"the model .*:Tiny cannot be made with width="):
        make_model(tiny, unseen.task(small_task), {"width": width})
