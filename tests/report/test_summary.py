"""All results of a benchmark as one object, for programs and notebooks."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest

from unseen.core.analysis import Figure, Finding
from unseen.core.errors import UnknownName
from unseen.report.summary import finding_section, results


def test_the_records_that_ship_are_there_without_being_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    found = results("cogitao")
    assert {"resnet", "grid-tf", "grid-tf-mended", "pl-tf"} <= {record.model for record in found.records}
    assert [table.table for table in found.tables] == ["1", "2", "4", "5", "6", "7", ""]


def test_a_notebook_shows_the_tables_with_what_was_not_run_folded():
    text = results("cogitao", tables=["2"], records=["shipped"])._repr_html_()
    assert text.count("<table>") == 2
    assert re.search(r"<summary>and \d+ published rows without a run</summary>", text)
    assert "Table 1" not in text


def test_an_unknown_table_is_named():
    with pytest.raises(UnknownName, match="no table named '3' in cogitao"):
        results(tables=["3"])


def test_a_benchmark_from_outside_with_an_analysis_has_its_findings(add_benchmark, tmp_path):
    finding = Finding("Novelty", "How new it is.", ("model", "novelty"), rows=(("mine", "high"),))
    splits = SimpleNamespace(TASKS=())
    outside = add_benchmark(
        "outside", splits=splits, analysis=SimpleNamespace(findings=lambda outcomes: [finding] * (1 + len(outcomes)))
    )
    found = results("outside", records=[tmp_path])
    assert found.findings[-1] == finding
    assert repr(found) == "<outside: 0 runs in 1 of 2 tables>"
    assert found.benchmark == outside
    assert "<h2>Novelty</h2>" in found._repr_html_()


def test_figures_are_drawings_or_pictures_and_an_empty_finding_is_nothing():
    figures = (Figure("<svg></svg>", "a < b"), Figure(np.zeros((2, 2, 3), np.uint8), "c < d"))
    text = finding_section(Finding("Seen", "What was seen.", figures=figures))
    assert "<h3>a &lt; b</h3><svg></svg>" in text
    assert "<figcaption>c &lt; d</figcaption><img" in text
    assert finding_section(Finding("Nothing", "There is nothing.")) == ""
