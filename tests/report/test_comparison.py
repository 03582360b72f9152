"""Comparisons as tables for people: rows that have runs, then those that have none, with the paper's numbers."""

from __future__ import annotations

from unseen.core.analysis import DASH
from unseen.core.catalogue import BENCHMARKS
from unseen.report.comparison import columns, finding
from unseen.report.tables import FEW, MINUS, latex, markdown
from unseen.results.compare import Comparison, Number, Row, compare

COGITAO = BENCHMARKS["cogitao"]


def row(task="c1-1", model="resnet", *, runs=1, budget=(0.01, 0.01), answered=1.0, **numbers: Number) -> Row:
    return Row(task, model, numbers, runs, 3, min(runs, 1), 1, answered, budget)


def comparison(*rows: Row, splits=("test", "test_ood", "drop"), table="4") -> Comparison:
    return Comparison("cogitao", table, "Compositional generalization", "grid_accuracy", splits, rows)


def test_a_line_has_our_number_the_papers_the_difference_and_what_it_took():
    number = Number(ours=12.34, sem=0.5, paper=20.0, paper_sem=3.1, difference=-7.66)
    found = comparison(row(test=number), splits=("test",))
    assert columns(found) == ("task", "model", "ID", "paper", "diff.", "runs", "budget")
    assert finding(found).rows == (("c1-1", "resnet", "12.3 ± 0.5", "20.0 ± 3.1", f"{MINUS}7.7", "1 of 3", "1 %"),)
    assert finding(found).title == "Table 4: Compositional generalization"


def test_part_of_a_setting_part_of_the_answers_and_where_runs_came_from_are_told():
    found = Row("c1", "grid-tf", {"test": Number(50.0, None, 59.8)}, 2, 15, 2, 5, 0.05, (1.0, 1.0), shipped=True)
    assert finding(comparison(found)).rows[0][-2] == "2 of 15 (2 of 5 experiments, 5 % answered, shipped)"


def test_runs_outside_the_tables_have_no_column_for_the_paper():
    found = comparison(row(test=Number(ours=50.0), budget=None), splits=("test",), table="")
    assert columns(found) == ("task", "model", "ID", "runs")
    assert finding(found).rows == (("c1-1", "resnet", "50.0", "1"),)
    assert finding(found).title == "Compositional generalization"


def test_what_nobody_ran_stands_apart_with_the_papers_numbers():
    ran = row("c1-3", test=Number(ours=1.0, paper=1.0, difference=0.0))
    missing = row("c2-1", runs=0, budget=None, answered=None, test=Number(paper=2.0))
    found = finding(comparison(missing, ran, splits=("test",)))
    assert [line[0] for line in found.rows] == ["c1-3"]
    assert found.published == (("c2-1", "resnet", DASH, "2.0", DASH, "0 of 3", DASH),)


def test_every_published_result_has_a_row():
    found = finding(compare([], COGITAO, "2"))
    assert len(found.published) == 200
    assert all(line[3] != DASH for line in found.published)


def test_markdown_and_latex_fold_what_is_long_and_have_every_line_of_the_whole():
    found = finding(compare([], COGITAO, "1"))
    count = len(found.published)
    assert count > FEW
    assert markdown(found).endswith(f"\n\n{count} published rows without a run.")
    text = markdown(found, whole=True)
    assert text.count("\n| ") == 1 + count
    assert "|---|---|---:|" in text
    assert f"{count} published rows without a run." in latex(found)
    text = latex(found, whole=True)
    assert text.count(r" \\") == 1 + count
    assert r"\begin{tabular}{llrrrrrrrrrrr}" in text
    assert "ID $-$ OOD" in text


def test_a_few_published_rows_are_not_folded_next_to_those_that_have_runs():
    ran = row("c1-3", test=Number(ours=1.0, paper=1.0, difference=0.0))
    missing = [row(f"c2-{k}", runs=0, budget=None, answered=None, test=Number(paper=2.0)) for k in range(FEW)]
    text = markdown(finding(comparison(ran, *missing, splits=("test",))))
    assert text.count("\n| c") == 1 + FEW
