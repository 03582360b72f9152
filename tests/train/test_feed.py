"""Batches: the same whether kept, drawn, or made by workers; and fair shares of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from types import SimpleNamespace

import pytest
import torch

import unseen
from unseen.core.errors import DataError, SpecError
from unseen.data.dataset import Generated
from unseen.train.ahead import deaths_told
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
        assert feeds["train"].workers == (1 if feeds["train"].keep else 2)
        assert feeds["val"].workers == (0 if feeds["val"].keep else 2)


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


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Making a batch in this process takes a second."""
    made, clock = Feed._made, Clock()

    def slowly(self: Feed, positions: list[int]):
        clock.now += 1
        return made(self, positions)

    monkeypatch.setattr("unseen.train.feed.monotonic", clock)
    monkeypatch.setattr(Feed, "_made", slowly)
    monkeypatch.setattr("unseen.train.ahead.cores", lambda: 2)
    return clock


def hired_at(feed: Feed, clock: Clock, *, steps: range, learning: float = 10.0) -> tuple[int | None, list]:
    """The step after which a worker is there, if any, and all batches; the rest of a step takes so many seconds."""
    found, batches = None, []
    for step, (batch,) in zip(steps, feed.shuffled(16, seed=0, steps=steps), strict=True):
        found = step if found is None and feed.workers else found
        batches.append(batch)
        clock.now += learning
    return found, batches


@pytest.mark.parametrize("keep", [True, False])
def test_a_worker_is_hired_where_that_pays_and_gives_the_same_batches(dataset, keep: bool, clock: Clock) -> None:
    steps = range(3, 24)
    feed = Feed(dataset, workers=None, keep=keep)
    at, batches = hired_at(feed, clock, steps=steps)
    assert at == 5  # two batches were made here, since the first may wait for the compiler
    assert feed.used.seconds > 0
    for one, other in zip(batches, shuffled(Feed(dataset), 16, seed=0, steps=steps), strict=True):
        assert all(torch.equal(one[name], other[name]) for name in one)
    workers = multiprocessing.active_children()
    again = hired_at(feed, clock, steps=range(3))
    assert order(again[1]) == order(shuffled(Feed(dataset), 16, seed=0, steps=range(3)))
    assert (again[0], multiprocessing.active_children()) == (0, workers)  # the same one, with what it keeps


def test_no_worker_is_hired_for_little(dataset, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def hired(workers: int | None = None, **how) -> int | None:
        return hired_at(Feed(dataset, workers=workers), clock, **how)[0]

    assert hired(steps=range(4)) is None  # only two more are to come when it is known
    assert hired(steps=range(20), learning=100.0) is None
    assert hired(0, steps=range(20)) is None
    monkeypatch.setattr("unseen.train.ahead.cores", lambda: 1)
    assert hired(steps=range(20)) is None


def test_no_worker_is_hired_where_there_is_no_room_for_its_batches(dataset, clock: Clock, monkeypatch) -> None:
    monkeypatch.setattr("unseen.train.ahead.shutil.disk_usage", lambda path: SimpleNamespace(free=2**16))
    assert hired_at(Feed(dataset, workers=None), clock, steps=range(20))[0] is None


def test_what_is_wrong_with_an_example_is_the_same_sentence_from_a_worker(dataset, monkeypatch) -> None:
    def wrong(self, index: int):
        raise SpecError(f"example {index} is wrong")

    monkeypatch.setattr(Generated, "example", wrong)
    with pytest.raises(SpecError, match=r"^example 0 is wrong$"):
        next(Feed(dataset, workers=1).in_order(16))


def test_the_death_of_a_worker_is_a_sentence(dataset, monkeypatch) -> None:
    def killed(self, index: int):
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Generated, "example", killed)
    with pytest.raises(DataError, match=r"a worker that makes batches was killed.*--workers 0"), deaths_told():
        next(Feed(dataset, workers=1).in_order(16))
    with pytest.raises(RuntimeError, match=r"^something else$"), deaths_told():
        raise RuntimeError("something else")
