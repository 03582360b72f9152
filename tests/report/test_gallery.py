"""Galleries."""

from __future__ import annotations

import unseen
from unseen.report.gallery import captions, first_examples


def test_a_task_a_data_set_and_an_example_can_be_shown() -> None:
    dataset = unseen.load("cogitao/c1-1", "test")
    sheet = unseen.show("cogitao/c1-1", "test", count=2)
    assert unseen.show(dataset[:2]).tobytes() == sheet.tobytes()
    assert unseen.show(dataset[0]).tobytes() == dataset[0].show().tobytes()


def test_options_reach_the_examples() -> None:
    assert unseen.show("cogitao/custom", count=1, grid=30).size > unseen.show("cogitao/custom", count=1, grid=8).size


def test_more_columns_make_a_wider_sheet() -> None:
    narrow, wide = (unseen.show("cogitao/c1-1", "test", count=3, columns=columns) for columns in (1, 3))
    assert wide.width > narrow.width
    assert wide.height < narrow.height


def test_a_benchmark_stands_for_all_its_tasks_but_those_that_repeat_others() -> None:
    examples = first_examples("cvr", "val", None, size=16)
    assert [example.task.name for example in examples] == unseen.tasks("cvr")[:103]
    assert {example.index for example in examples} == {0}
    assert examples[20].task.view.size == 16
    assert captions(examples)[20].startswith("cvr/shape-contact-2+size=16 (20): The two objects that touch")
    assert unseen.show("cvr", "val", size=16).size == unseen.show(examples, count=103).size


def test_only_tasks_that_have_the_split_are_shown() -> None:
    shown = {example.task.name for example in first_examples("cogitao", "val_ood", 1)}
    assert "cogitao/c1-1" in shown
    assert "cogitao/s1-rotate" not in shown
    assert "cogitao/custom" not in shown


def test_the_captions_of_one_task_are_places_in_it() -> None:
    assert captions(first_examples("cvr/shape", "val", 2)) == ["cvr/shape  val 0", "cvr/shape  val 1"]
