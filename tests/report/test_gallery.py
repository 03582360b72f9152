"""Galleries."""

from __future__ import annotations

import unseen


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
