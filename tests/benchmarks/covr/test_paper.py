"""The published tables, held against each other and against the tasks."""

from __future__ import annotations

import pytest

from unseen.benchmarks.covr import paper
from unseen.benchmarks.covr.questions.properties import TEMPLATES
from unseen.benchmarks.covr.splits import TASKS

NAMES = {row.name: row for row in TASKS}


def accuracy(table, setup, training):
    return next(row.accuracies[training] for row in paper.HELD_OUT if (row.table, row.setup) == (table, setup))


def test_every_line_of_a_table_is_a_task_or_three():
    for table, results in paper.TABLES.items():
        for result in results:
            for task in paper.experiments(result.task):
                name = task.partition("+")[0]
                assert name in NAMES
                assert table in NAMES[name].tables


def test_tables_have_as_many_numbers_as_the_paper():
    counts = {table: len(results) for table, results in paper.TABLES.items()}
    assert counts == {"6": 21, "7": 44, "8": 40, "14": 44, "15": 40, "16": 44, "17": 40}
    assert len(paper.BY_TEMPLATE) == 2 * 15


def test_numbers_are_those_printed():
    assert accuracy("7", "has-num-3-ans-3-m250", paper.SPLIT) == 25.8
    assert accuracy("8", "tpl-verifyattr-zero", paper.SIZE) == 75.4
    assert accuracy("17", "lexical-zero", paper.IID) == 73.6
    program = next(row for row in paper.HELD_OUT if (row.table, row.setup) == ("15", "program-zero"))
    assert (program.filtered, program.spreads[paper.SPLIT]) == (48_000, 3.8)
    assert {result.mean for result in paper.TABLES["6"] if result.model == "humans"} == {91.9}


@pytest.mark.parametrize(
    ("setup", "template"),
    [
        ("tpl-chooseobject-zero", "chooseobject"),
        ("tpl-verifyquantattr-zero", "verifyquantattr"),
        ("tpl-verifyattr-zero", "verifyattr"),
        ("has-compar-m250", "comparecount"),
        ("has-logic-m250", "verifylogic"),
    ],
)
@pytest.mark.parametrize(("tables", "text"), [(("7", "8"), "generated"), (("14", "15"), "paraphrased")])
def test_a_setup_that_is_one_template_scores_as_that_template_does(setup, template, tables, text):
    held_out = next(row for row in paper.HELD_OUT if row.setup == setup and row.table in tables)
    by_template = next(row for row in paper.BY_TEMPLATE if (row.template, row.text) == (template, text))
    assert held_out.accuracies[paper.BLIND] == by_template.text_only
    assert held_out.accuracies[paper.IID] == by_template.accuracy


def test_the_mean_over_templates_is_near_the_whole():
    for text, view in paper.VIEWS.items():
        rows = [row for row in paper.BY_TEMPLATE if row.text == text]
        whole = {
            result.model: result.mean
            for result in paper.TABLES["6"]
            if (result.task, result.split) == (f"iid{view}", "test")
        }
        assert abs(sum(row.accuracy for row in rows) / len(rows) - whole["visualbert"]) < 2.5
        assert abs(sum(row.text_only for row in rows) / len(rows) - whole["visualbert-text"]) < 2.5


def test_templates_are_those_of_the_records():
    assert {row.template for row in paper.BY_TEMPLATE} == set(TEMPLATES)


def test_the_four_sorts_of_questions_are_all_questions():
    for column in (0, 1):
        sorts = sum(paper.STATISTICS[name][column] for name in ("true or false", "X or Y", "how many", "open"))
        assert abs(sorts - paper.STATISTICS["questions"][column]) <= 100
