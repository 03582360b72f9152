"""The report leads from one page to the page of every run."""

from __future__ import annotations

import re
from pathlib import Path

from unseen.core.catalogue import BENCHMARKS
from unseen.report.site import write_report
from unseen.results.compare import compare
from unseen.results.record import read_records, write_record


def test_the_first_page_leads_to_every_run_and_shows_the_tables(make_run, tmp_path: Path):
    folders = [make_run(), make_run(options={"width": 64}), make_run(right={}, seed=3)]
    for folder in folders[:2]:
        write_record(folder, tmp_path / "results")
    records = read_records(tmp_path / "results")
    comparisons = [compare(records, BENCHMARKS["cogitao"], table) for table in ("2", "4")]
    index = write_report(tmp_path / "out", comparisons, tmp_path / "runs")
    text = index.read_text()
    links = re.findall(r'href="([^"]+)"', text)
    assert len(links) == 2  # the third run has no predictions
    assert all((index.parent / link).is_file() for link in links)
    assert "Table 2: Sample efficiency" in text
    assert "<li>Table 4: " in text  # not run yet
    assert "<tr class=missing>" in text


def test_without_runs_there_is_a_page_all_the_same(tmp_path: Path):
    index = write_report(tmp_path / "out", [compare([], BENCHMARKS["cogitao"], "1")], tmp_path / "none")
    assert "Not run yet" in index.read_text()
