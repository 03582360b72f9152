"""The first page of a report answers what was run and what came out; it leads to the page of every run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import DataError
from unseen.report.site import PICTURED, score_runs, write_report
from unseen.report.summary import summary
from unseen.results.gather import gather
from unseen.results.record import write_record

COGITAO = BENCHMARKS["cogitao"]


@pytest.fixture
def report(tmp_path: Path):
    """Write a report of the runs and records of this test, and give its first page."""

    def write(pictures: Path | None = None) -> str:
        results = summary(COGITAO, gather(COGITAO, [tmp_path / "results"]))
        index = write_report(tmp_path / "out", results, score_runs(tmp_path / "runs"), pictures)
        assert index == tmp_path / "out" / "index.html"
        return index.read_text()

    return write


def test_the_first_page_shows_what_came_out_then_the_tables_then_the_rest_folded(make_run, report, tmp_path: Path):
    folder = make_run(task="cogitao/c1-1", right={"test": 4, "test_ood": 1}, answered=5)
    write_record(folder, tmp_path / "results")
    text = report()
    places = [
        text.index(words)
        for words in (
            "<h2>What was run</h2>",
            "its grid accuracy is 80.0 %. On what it has never seen, 20.0 %.",
            "in distribution 80.0 percent; out of distribution 20.0 percent",
            "Tested on what it was trained on: 4 of 5 answers are right.",
            "Tested on what it has never seen: 1 of 5 answers are right.",
            "<h2>Table 4: ",
            "<summary>and 29 published rows without a run</summary>",
            "<h2>Published tables without a run</h2>",
            "<summary>Table 2: ",
            "<summary>Left out: 1</summary>",
        )
    ]
    assert places == sorted(places)
    card = text[: text.index("<h2>Table 4: ")]
    assert card.count('<span class="right">') == card.count('<span class="wrong">') == 2


def test_every_run_with_predictions_has_a_page_that_the_first_leads_to(make_run, report, tmp_path: Path):
    for number in range(PICTURED + 1):
        make_run(seed=number, right={"test": 1}, answered=2)
    make_run(seed=9, right={})
    links = re.findall(r'<td><a href="([^"]+)"', text := report())
    assert len(links) == PICTURED + 1
    assert all((tmp_path / "out" / link).is_file() for link in links)
    assert text.count("<h3><a href=") == PICTURED


def test_a_folder_of_pictures_is_shown_under_the_titles_of_benchmarks(report, tmp_path: Path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    with pytest.raises(DataError, match=r"there are no .png files in"):
        report(folder)
    for name in ("cvr", "another"):
        Image.fromarray(np.zeros((4, 6, 3), np.uint8)).save(folder / f"{name}.png")
    text = report(folder)
    assert text.count("<img") == 2
    assert f"<figcaption>{BENCHMARKS['cvr'].title}</figcaption>" in text
    assert "<figcaption>another</figcaption>" in text


def test_without_runs_there_is_a_page_all_the_same(report):
    text = report()
    assert "What was run" not in text
    assert text.count("<summary>Table") == 6
