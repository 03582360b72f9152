"""Scores rule by rule and template by template, as numbers and on the page of a run."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import unseen
from unseen.core.analysis import Figure, Finding
from unseen.core.task import Row, Split
from unseen.report.page import group_section
from unseen.results.groups import group_scores
from unseen.results.scoring import score

RULES = ("size", "count", "size_count")


def by_group(way, values):
    """The analysis of the benchmark below."""
    known = sum(value == 1 for value in values.values())
    return Finding(way, f"{known} of {len(values)} are known.", figures=(Figure("<svg></svg>"),))


class Sampler:
    """Rules take turns; the odd image is always the third."""

    def __init__(self, spec, part, key):
        self.rules = spec

    def draw(self, index, first=0):
        return SimpleNamespace(rule=self.rules[index % len(self.rules)]), index, first


@pytest.fixture
def joined(add_benchmark):
    """A task that joins three rules, and one of a single rule."""
    rows = (
        Row("all", "all", lambda _: (Split("test", 9, RULES),)),
        Row("size", "size", lambda _: (Split("test", 9, RULES[:1]),)),
    )
    add_benchmark(
        "joined",
        splits=SimpleNamespace(TASKS=rows, groups=lambda record: {"rule": record.rule}),
        sample=SimpleNamespace(Sampler=Sampler),
        render=SimpleNamespace(arrays=lambda record, spec, view: ({"rule": record.rule}, {"odd": 2})),
        analysis=SimpleNamespace(by_group=by_group),
    )
    return "joined"


def scored(name):
    """Scores of answers that are right but for example 1."""
    answers = np.tile(np.array([0, 0, 1, 0], np.float32), (9, 1))
    answers[1] = (1, 0, 0, 0)
    return score(name, "test", list(answers))


def test_each_rule_has_the_mean_of_its_own_examples(joined):
    found = scored(f"{joined}/all")
    assert found == {"odd_accuracy": pytest.approx(8 / 9)}
    assert group_scores(unseen.task(f"{joined}/all"), found) == {
        "rule": {"size": 1.0, "count": pytest.approx(2 / 3), "size_count": 1.0}
    }


def test_a_page_says_of_groups_what_the_analysis_of_the_benchmark_does(joined):
    run = SimpleNamespace(task=unseen.task(f"{joined}/all"))
    text = group_section(run, {"test": scored(f"{joined}/all")})
    assert "<p>test: 2 of 3 are known.</p>\n<svg></svg>" in text
    assert "<table>" not in text


def test_a_task_of_one_rule_has_no_such_section(joined):
    run = SimpleNamespace(task=unseen.task(f"{joined}/size"))
    assert group_section(run, {"test": scored(f"{joined}/size")}) == ""


def test_questions_are_scored_template_by_template(question_task):
    truth = [example.target["answer"] for example in unseen.load(question_task, "test")]
    found = score(question_task, "test", [answer if i % 4 == 1 else "?" for i, answer in enumerate(truth)])
    assert found == {"answer_accuracy": 0.25}
    assert group_scores(unseen.task(question_task), found) == {
        "template": {"count_ref": 0.0, "multiple_ref": 1.0, "choose_attr": 0.0, "query_attr": 0.0}
    }
    text = group_section(SimpleNamespace(task=unseen.task(question_task)), {"test": found})
    assert "template, test" in text
    assert "100.0" in text


def test_other_kinds_of_task_have_no_such_section():
    assert group_section(SimpleNamespace(task=unseen.task("cogitao/g1-1")), {}) == ""
