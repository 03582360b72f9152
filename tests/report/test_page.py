"""The page of a run: whole, without scripts or anything fetched, and true."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import unseen
from unseen.core.task import Row, Split
from unseen.metrics import METRICS
from unseen.predict import write_predictions
from unseen.predict.untrained import predict_untrained
from unseen.report.answers import answers
from unseen.report.page import run_page
from unseen.results.record import score_run
from unseen.runs import Run, open_run, write_untrained

VOID = {"meta", "img", "br"}


class Balanced(HTMLParser):
    """Notes tags that are left open, and what is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.fetched += [
            value or "" for name, value in attrs if name == "src" and not (value or "").startswith("data:")
        ]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Closed where it is opened, as in SVG."""


@pytest.fixture
def run(make_run) -> Run:
    return open_run(make_run(task="cogitao/c1-1", right={"test": 4, "test_ood": 0}, answered=5))


def page_of(folder: Path) -> str:
    found = open_run(folder)
    return run_page(found, score_run(found))


def test_the_page_is_whole_and_stands_alone(run: Run):
    page = run_page(run, score_run(run))
    reader = Balanced()
    reader.feed(page)
    assert reader.open == reader.fetched == []
    assert "<script" not in page
    assert "prefers-color-scheme: dark" in page


def test_the_page_tells_what_was_scored_and_what_the_paper_reports(run: Run):
    page = run_page(run, score_run(run))
    assert "its grid accuracy is 80.0 %. On what it has never seen, 0.0 %." in page
    assert "The paper reports 0.1 % and 0.0 %." in page
    assert "This run saw 1.02 % of the training examples that the paper&#x27;s did." in page
    assert "translate_up -&gt; rot90" in page  # what is held out
    assert "4 of 5 answers are right" in page
    assert "1,203,211 parameters" in page
    assert page.count('<span class="right">') == 2
    assert page.count('<span class="wrong">') == 3


def test_a_run_without_a_log_and_outside_the_tables_has_a_page(make_run):
    folder = make_run(task="cogitao/custom+grid=10+max_size=4+objects=1+sequences=rot90+unique=false", model="mine")
    (folder / "log.jsonl").unlink()
    page = page_of(folder)
    assert "How it learned" not in page
    assert "The paper" not in page.partition("What was trained")[0]
    assert "share of the paper" not in page


def test_the_stages_of_a_training_are_marked_on_its_curves(make_run):
    folder = make_run()
    log = folder / "log.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for line in lines:
        line["stage"] = "see" if line["step"] <= 80 else "paint"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert open_run(folder).stages == {"see": 0, "paint": 80}
    page = page_of(folder)
    assert page.count(">see</text>") == page.count(">paint</text>") == 2  # on the charts of loss and of right answers
    assert "Upright lines are where a stage of the training begins" in page


def test_held_out_scenes_are_not_told_as_held_out_transformations(make_run):
    page = page_of(make_run(task="cogitao/g1-1", right={"test": 1, "test_ood": 0}, answered=2))
    assert "in scenes of a kind that training does not have" in page


def test_answers_are_sorted_into_right_and_wrong(run: Run):
    scores = score_run(run)["test"]
    assert [answer.index for answer in answers(run, scores, right=True, count=9)] == [0, 1, 2, 3]
    (wrong,) = answers(run, scores, right=False, count=9)
    assert wrong.index == 4
    assert not wrong.right
    assert wrong.picture.shape[2] == 3


def test_a_benchmark_that_draws_no_answers_has_none(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(run.task.benchmark.file("render"), "answer_picture")
    assert answers(run, score_run(run)["test"], right=True, count=2) == []
    assert "What its answers look like" not in run_page(run, score_run(run))


def test_a_baseline_without_training_has_a_page(tmp_path: Path):
    task = unseen.task("video/spmot")
    run = write_untrained(task, "perfect", seed=0, out=tmp_path)
    predict_untrained("perfect", unseen.load(task.id, "test")[:2], run.predictions_file("test"))
    page = run_page(run, score_run(run))
    assert "its mota is 100.0 %" in page
    assert METRICS["mota"].description in page
    assert "unseen predict video/spmot test --model perfect --seed 0 --count 2\nunseen score" in page
    assert "unseen train" not in page


def test_errors_are_told_as_they_are_and_the_best_and_the_worst_answers_are_shown(add_benchmark, tmp_path: Path):
    """Images have no right answers: a square at different places, and predictions that are darker."""

    def arrays(record, spec, view):
        target = np.zeros((16, 16, 3), np.uint8)
        target[4:8, record : record + 4] = 200
        return {"image": target[:, ::-1]}, {"image": target}

    add_benchmark(
        "imagine",
        kind="image",
        metrics=("mse", "psnr"),
        splits=SimpleNamespace(
            TASKS=(Row("squares", "squares", lambda _: (Split("train", 8, None), Split("test", 8, None))),)
        ),
        sample=SimpleNamespace(Sampler=lambda *_: SimpleNamespace(draw=lambda index, first=0: (index, index, 0))),
        render=SimpleNamespace(
            arrays=arrays,
            picture=lambda record, spec, view: arrays(record, spec, view)[0]["image"],
            answer_picture=lambda record, prediction, spec, view: prediction,
        ),
    )
    task = unseen.task("imagine/squares")
    run = write_untrained(task, "darker", seed=0, out=tmp_path)
    values = [(arrays(index, None, None)[1]["image"] * 0.5).astype(np.uint8) for index in range(3)]
    write_predictions(run.predictions_file("test"), task, "test", values, indices=range(3))
    page = page_of(run.folder)
    assert "its mse is " in page
    assert "%" not in page.partition("<h2>The task</h2>")[0].partition("<main>")[2]
    assert "The best and the worst of 3 answers." in page
    assert "answers are right" not in page
    assert page.count('<span class="right">mse ') == page.count('<span class="wrong">mse ') == 2
    assert "must draw the image on the right" in page
