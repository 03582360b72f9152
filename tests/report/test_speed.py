"""Measuring speed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from unseen.core.catalogue import task, tasks
from unseen.core.errors import SpecError
from unseen.core.task import Example
from unseen.report import speed


def test_the_ratio_is_published_time_over_ours() -> None:
    row = SimpleNamespace(name="easy", task="cogitao/c1-1", split="test", milliseconds=9.3, target_ratio=2.0)
    found = speed.example_speed(row, 100)
    assert found.ratio == pytest.approx(9300 / found.microseconds)
    assert found.per_second == pytest.approx(1e6 / found.microseconds)
    assert found.met


def test_where_nothing_was_published_the_target_is_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    row = SimpleNamespace(name="some", task="cogitao/c1-1", split="test", per_second=100.0)
    for seconds, met in ((0.001, True), (0.1, False)):
        monkeypatch.setattr(speed, "example_seconds", lambda *_, took=seconds: took)
        found = speed.example_rate(row, 10)
        assert (found.published_ms, found.ratio, found.target, found.met) == (None, None, 100.0, met)


def test_of_all_tasks_the_slowest_is_held_to_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def seconds(name: str, split: str, count: int) -> float:
        asked.append(count)
        return 0.002 if name == "cvr/shape-inside" and split == "test_ood" else 0.001

    monkeypatch.setattr(speed, "example_seconds", seconds)
    row = SimpleNamespace(name="all", task="cvr/all", split="test_ood", milliseconds=27.0, target_ratio=40)
    found = speed.slowest_rate("cvr", row, 200, 2_140)
    assert (found.task, found.split, found.per_second, found.target, found.met) == (
        *("cvr/shape-inside", "test_ood", 500.0, 200, True),
    )
    assert set(asked) == {2_140 // len(tasks("cvr"))}


def test_a_slow_spell_spoils_only_the_stretch_it_falls_on(monkeypatch: pytest.MonkeyPatch) -> None:
    spells = iter([9.0, 1.0, 1.0, 1.0, 9.0, 1.0])  # of two stretches, three rounds

    def seconds(work: Callable[[], object]) -> float:
        work()
        return next(spells)

    monkeypatch.setattr(speed, "cpu_seconds", seconds)
    monkeypatch.setattr(speed, "STRETCH", 5)
    monkeypatch.setattr(speed, "ROUNDS", 3)
    assert speed.example_seconds("cogitao/c1-1", "val", 10) == (1.0 + 1.0) / 10


def test_writing_is_told_apart_from_making(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "least_seconds", lambda write, make: (write() or 0.002, make() or 0.001))
    written, beyond = speed.shard_writing("cogitao/c1-1", "val", 20)
    assert written.value == pytest.approx(10_000)
    assert beyond.value == pytest.approx(100 - 50)


def test_works_that_are_compared_take_turns() -> None:
    turns: list[str] = []
    least = speed.least_seconds(lambda: turns.append("one"), lambda: turns.append("other"))
    assert turns == ["one", "other"] * speed.ROUNDS
    assert len(least) == 2


def test_every_published_evaluation_is_measured_in_its_form(monkeypatch: pytest.MonkeyPatch) -> None:
    from unseen.benchmarks.video.paper import EVALUATION

    assert EVALUATION.keys() == speed.FORMS.keys()
    monkeypatch.setattr(speed, "ROUNDS", 1)
    for form, row in EVALUATION.items():
        found = speed.evaluation_speed(form, row, 20)
        assert found.ratio == pytest.approx(11_000 / found.microseconds)


@pytest.mark.parametrize("form", speed.FORMS)
def test_what_is_measured_is_an_evaluation_in_which_objects_are_found(form: str) -> None:
    truth = np.zeros((2, 10, 64, 64), np.uint8)
    truth[:, :, 8:24, 8:24] = 1
    scores = speed.FORMS[form](truth, np.roll(truth, 1, axis=3) + np.uint8(1))()
    assert scores["MOTA"] == 100.0
    assert scores["MOTP"] == pytest.approx(100 * 15 / 17)


def test_a_split_smaller_than_the_count_is_gone_through_again() -> None:
    class Counting(list[int]):
        seen = 0
        task = task("cogitao/c1-1")

        def __getitem__(self, index: object) -> object:
            self.seen += 1
            return super().__getitem__(index)  # type: ignore[index]

    few = Counting([1, 2, 3])
    speed.draw_each(few, range(10))  # type: ignore[arg-type]
    assert few.seen == 10


def test_the_cache_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSEEN_CACHE", "mine")
    with speed.lent_cache(tmp_path):
        assert os.environ["UNSEEN_CACHE"] == str(tmp_path)
    assert os.environ["UNSEEN_CACHE"] == "mine"
    monkeypatch.delenv("UNSEEN_CACHE")
    with speed.lent_cache(tmp_path):
        pass
    assert "UNSEEN_CACHE" not in os.environ


def test_the_uniqueness_pass_is_measured_without_its_cache() -> None:
    assert speed.uniqueness_pass("cogitao/c1-1", "val").value > 0


@pytest.mark.parametrize(("task", "made"), [("video/spmot", 10), ("cogitao/c1-1", 0)])
def test_pictures_are_measured_with_their_pixels(task: str, made: int, monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[str] = []
    monkeypatch.setattr(Example, "arrays", property(lambda example: painted.append(example.task.id)))
    monkeypatch.setattr(speed, "ROUNDS", 1)
    row = SimpleNamespace(name="some", task=task, split="val", milliseconds=11.0, target_ratio=20.0)
    speed.example_speed(row, 10)
    assert painted == [task] * made


def test_what_is_kept_is_measured_while_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from unseen.benchmarks.covr import sample

    made: list[int] = []
    genuine = sample.make
    monkeypatch.setattr(sample, "make", lambda spec, key, number: made.append(number) or genuine(spec, key, number))
    monkeypatch.setattr(speed, "WARM_UP", 30)
    sample.batch.cache_clear()
    row = SimpleNamespace(name="some", task="covr/iid", split="val", per_second=1)
    for _ in range(2):
        assert speed.example_rate(row, 70).microseconds > 0
        sample.batch.cache_clear()
    assert made.count(1) == 2, "the second time, too, although it is in the cache by then"


def test_covr_measures_its_stores() -> None:
    rows = {one.name: one for one in speed.further("covr", 20)}
    assert "400 scenes made" in rows
    assert [name for name in rows if name.startswith("distractors looked up")]
    assert all(one.value > 0 for one in rows.values())
    assert list(speed.further("cvr", 20)) == []


def test_a_benchmark_that_lists_no_speed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "listed", lambda *_: ())
    with pytest.raises(SpecError, match="covr lists no speed"):
        speed.measure("covr", 1)
