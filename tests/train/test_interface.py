"""What models are told of a task."""

from __future__ import annotations

import dataclasses

import pytest

import unseen
from unseen.benchmarks.cogitao.rules import TRANSFORMATIONS
from unseen.core.errors import SpecError
from unseen.models import Grids
from unseen.train.interface import interface_of


def test_a_grid_task_tells_its_side_its_code_and_its_demonstrations() -> None:
    tokens = len(TRANSFORMATIONS) + 1
    assert interface_of(unseen.task("cogitao/g2-1")) == Grids(side=20, code_length=0, tokens=tokens)
    shown = unseen.task("cogitao/c1-1+in_context=2+padding=24")
    assert interface_of(shown) == Grids(side=24, code_length=4, tokens=tokens, demonstrations=2)


def test_every_token_of_a_code_is_below_the_number_of_tokens() -> None:
    codes = [example.inputs["code"] for example in unseen.load("cogitao/custom", "test")[:200]]
    assert max(map(max, codes)) < interface_of(unseen.task("cogitao/custom")).tokens


def test_other_kinds_are_refused_with_a_sentence() -> None:
    task = unseen.task("cogitao/c1-1")
    odd = dataclasses.replace(task, benchmark=dataclasses.replace(task.benchmark, kind="odd"))
    with pytest.raises(SpecError, match="models of odd tasks cannot be made yet"):
        interface_of(odd)
