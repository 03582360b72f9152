"""Batches: the same whether kept, drawn, or made by workers; and fair shares of them."""

from __future__ import annotations

import pytest
import torch

import unseen
from unseen.train.feed import Feed, bytes_of, feeds_of, shared


def order(batches) -> list[list[int]]:
    return [batch["index"].tolist() for batch in batches]


def shuffled(feed: Feed, size: int, **how) -> list:
    """Batches that are in one piece."""
    return [batch for (batch,) in feed.shuffled(size, **how)]


@pytest.fixture
def dataset(small_task: str):
    return unseen.load(small_task, "train")


@pytest.mark.parametrize("workers", [0, 1])
def test_kept_examples_give_the_batches_that_drawn_ones_give(dataset, workers: int) -> None:
    steps = range(3, 16)
    kept = shuffled(Feed(dataset, keep=True), 16, seed=0, steps=steps)
    drawn = shuffled(Feed(dataset, workers=workers), 16, seed=0, steps=steps)
    assert len(kept) == len(drawn) == 13
    for one, other in zip(kept, drawn, strict=True):
        assert all(torch.equal(one[name], other[name]) for name in one)


def test_training_can_be_entered_at_any_step(dataset) -> None:
    whole = order(shuffled(Feed(dataset), 16, seed=3, steps=range(21)))
    for start, stop in ((5, 21), (7, 14), (13, 20)):
        assert order(shuffled(Feed(dataset), 16, seed=3, steps=range(start, stop))) == whole[start:stop]
    assert whole[:7] != whole[7:14]
    assert sorted(sum(whole[:7], [])) == sorted(sum(whole[7:14], [])) == list(range(100))  # noqa: RUF017


def test_processes_share_every_batch(dataset) -> None:
    whole = order(shuffled(Feed(dataset), 16, seed=0, steps=range(7)))
    halves = [order(shuffled(Feed(dataset), 16, seed=0, steps=range(7), share=(rank, 2))) for rank in range(2)]
    assert [sorted(one + other) for one, other in zip(*halves, strict=True)] == [sorted(batch) for batch in whole]


def test_examples_are_kept_as_far_as_memory_goes(dataset, small_task: str) -> None:
    val = unseen.load(small_task, "val")
    sizes = {"train": bytes_of(dataset), "val": bytes_of(val)}
    assert sizes["train"] == 100 * (
        1024 + sum(value.nbytes for arrays in dataset[0].arrays for value in arrays.values())
    )
    for memory, kept in ((0, []), (sizes["train"], ["train"]), (sum(sizes.values()), ["train", "val"])):
        feeds = feeds_of({"train": dataset, "val": val}, workers=2, memory=memory / 2**30)
        assert [split for split, feed in feeds.items() if feed.keep] == kept
        assert all(feed.workers == (0 if feed.keep else 2) for feed in feeds.values())


@pytest.mark.parametrize("ranks", [1, 2, 3, 7])
def test_shares_are_equal_and_cover_the_batch(ranks: int) -> None:
    shares = [shared([4, 5, 6], rank, ranks) for rank in range(ranks)]
    assert len({len(share) for share in shares}) == 1
    assert {position for share in shares for position in share} == {4, 5, 6}


def test_evaluation_goes_in_order(dataset) -> None:
    assert sum(order(Feed(dataset).in_order(30)), []) == list(range(100))  # noqa: RUF017


def test_a_batch_comes_in_pieces(dataset) -> None:
    whole = order(shuffled(Feed(dataset), 16, seed=0, steps=range(7)))
    pieces = [order(step) for step in Feed(dataset).shuffled(16, seed=0, steps=range(7), pieces=3)]
    assert [sum(step, []) for step in pieces] == whole  # noqa: RUF017
    assert [list(map(len, step)) for step in pieces] == [[6, 6, 4]] * 6 + [[2, 2]]
