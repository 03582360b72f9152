"""Models by name and by file, other runs' weights, frozen parts."""

from __future__ import annotations

from pathlib import Path

import pytest

import unseen
from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.models import MODELS
from unseen.train.modules import freeze, learning, load_matching, make_model, model_named


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
    assert load_matching(model, other, what="there") == 1
    assert model.head.bias.equal(other["head.bias"])
    with pytest.raises(SpecError, match="no weight of there has the name and shape"):
        load_matching(model, {"more": other["more"]}, what="there")


def test_frozen_parts_neither_learn_nor_count_statistics(model) -> None:
    freeze(model, ["body"])
    assert [name for name, one in model.named_parameters() if one.requires_grad] == ["head.weight", "head.bias"]
    learning(model, ["body"])
    assert model.training
    assert not any(module.training for module in model.body.modules())


def test_parts_that_are_not_there_are_refused(model) -> None:
    with pytest.raises(UnknownName, match="no part named 'boddy' in the model"):
        freeze(model, ["boddy"])
    with pytest.raises(SpecError, match="freezing body, head leaves nothing to train"):
        freeze(model, ["body", "head"])
