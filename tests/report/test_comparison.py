"""Comparisons as text: what is missing says so, in every format."""

from __future__ import annotations

from unseen.core.catalogue import BENCHMARKS
from unseen.report.comparison import columns, latex, lines, markdown
from unseen.report.tables import DASH, MINUS
from unseen.results.compare import Comparison, Number, Row, compare

COGITAO = BENCHMARKS["cogitao"]


def row(task="c1-1", model="resnet", *, runs=1, budget=(0.01, 0.01), answered=1.0, **numbers: Number) -> Row:
    return Row(task, model, numbers, runs, 3, min(runs, 1), 1, answered, budget)


def comparison(*rows: Row, splits=("test", "test_ood", "drop")) -> Comparison:
    return Comparison("cogitao", "4", "Compositional generalization", "grid_accuracy", splits, rows)


def test_a_line_has_ours_the_papers_the_difference_and_what_it_took():
    number = Number(ours=12.34, sem=0.5, paper=20.0, paper_sem=3.1, difference=-7.66)
    found = comparison(row(test=number), splits=("test",))
    assert columns(found) == ("task", "model", "ID ours", "paper", "diff.", "runs", "budget")
    assert lines(found) == [("c1-1", "resnet", "12.3 ± 0.5", "20.0 ± 3.1", f"{MINUS}7.7", "1 of 3", "1 %")]


def test_part_of_a_setting_and_part_of_the_answers_are_told():
    found = Row("c1", "grid-tf", {"test": Number(50.0, None, 59.8)}, 2, 15, 2, 5, 0.05, (1.0, 1.0))
    assert lines(comparison(found))[0][-2] == "2 of 15 (2 of 5 experiments, 5 % answered)"


def test_what_nobody_ran_shares_a_line_with_its_neighbors():
    missing = [row(f"c1-{k}", runs=0, budget=None, answered=None, test=Number(paper=1.0)) for k in (2, 3, 4)]
    ran = row("c1-1", test=Number(ours=1.0, paper=1.0, difference=0.0))
    alone = row("c2-1", runs=0, budget=None, answered=None, test=Number(paper=2.0))
    found = lines(comparison(*missing, ran, alone, splits=("test",)))
    assert [line[0] for line in found] == ["c1-1", "c1: 3 tasks", "c2-1"]
    assert found[1] == ("c1: 3 tasks", "resnet", "missing", DASH, DASH, "0 of 9", DASH)
    assert found[2][2:5] == ("missing", "2.0", DASH)


def test_every_published_result_is_in_some_line():
    found = compare([], COGITAO, "2")
    counted = [int(line[0].split()[1]) for line in lines(found)]
    assert sum(counted) == len(found.rows) == 200


def test_markdown_and_latex_have_every_line():
    found = compare([], COGITAO, "1")
    text = markdown(found)
    assert text.count("\n| ") == 1 + len(found.rows)
    assert "|---|---|---:|" in text
    text = latex(found)
    assert text.count(r" \\") == 1 + len(found.rows)
    assert r"\begin{tabular}{llrrrrrrrrrrr}" in text
    assert "ID $-$ OOD ours" in text
