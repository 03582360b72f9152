"""Batches: the same whether kept, drawn, or made by workers; and fair shares of them."""

from __future__ import annotations

import pytest
import torch

import unseen
from unseen.train import feed
from unseen.train.feed import Feed, shared


def order(batches) -> list[list[int]]:
    return [batch["index"].tolist() for batch in batches]


@pytest.fixture
def dataset(small_task: str):
    return unseen.load(small_task, "train")


@pytest.mark.parametrize("workers", [0, 1])
def test_kept_examples_give_the_batches_that_drawn_ones_give(dataset, monkeypatch, workers: int) -> None:
    kept = list(Feed(dataset).shuffled(16, seed=0, epoch=1))
    monkeypatch.setattr(feed, "KEPT", 10)
    drawn = list(Feed(dataset, workers=workers).shuffled(16, seed=0, epoch=1))
    assert len(kept) == len(drawn) == 7
    for one, other in zip(kept, drawn, strict=True):
        assert all(torch.equal(one[name], other[name]) for name in one)


def test_an_epoch_can_be_entered_in_the_middle(dataset) -> None:
    whole = order(Feed(dataset).shuffled(16, seed=3, epoch=2))
    assert order(Feed(dataset).shuffled(16, seed=3, epoch=2, skip=5)) == whole[5:]
    assert whole != order(Feed(dataset).shuffled(16, seed=3, epoch=1))


def test_processes_share_every_batch(dataset) -> None:
    whole = order(Feed(dataset).shuffled(16, seed=0, epoch=0))
    halves = [order(Feed(dataset).shuffled(16, seed=0, epoch=0, share=(rank, 2))) for rank in range(2)]
    assert [sorted(one + other) for one, other in zip(*halves, strict=True)] == [sorted(batch) for batch in whole]


@pytest.mark.parametrize("ranks", [1, 2, 3, 7])
def test_shares_are_equal_and_cover_the_batch(ranks: int) -> None:
    shares = [shared([4, 5, 6], rank, ranks) for rank in range(ranks)]
    assert len({len(share) for share in shares}) == 1
    assert {position for share in shares for position in share} == {4, 5, 6}


def test_evaluation_goes_in_order(dataset) -> None:
    assert sum(order(Feed(dataset).in_order(30)), []) == list(range(100))  # noqa: RUF017
