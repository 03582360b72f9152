"""Trivial solvers find what can be found trivially, and are held to what a benchmark declares."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import unseen
from unseen.audit import audit
from unseen.audit.run import examples, plain
from unseen.audit.solvers import SOLVERS, Blind
from unseen.core.errors import UnknownName
from unseen.core.task import KINDS, Example


def found(audited):
    return {(finding.solver, finding.metric): finding for finding in audited.findings}


def test_a_shortcut_is_found_and_other_statistics_stay_at_chance(make_benchmark):
    audited = audit(unseen.task(make_benchmark(bound=0.35)), "train", count=40)
    findings = found(audited)
    assert findings["ink", "odd_accuracy"].value == 1.0
    assert findings["ink", "odd_accuracy"].too_high
    assert findings["components", "odd_accuracy"].value == 0.25  # all alike: the first image is taken
    assert not findings["components", "odd_accuracy"].too_high
    assert findings["position", "exact"].value == pytest.approx(0.25, abs=0.05)
    assert not audited.clean
    assert audited.worst.value == 1.0


def test_a_declared_reason_lets_a_statistic_exceed_the_bound(make_benchmark):
    audited = audit(unseen.task(make_benchmark(bound=0.35, tells={"ink": "the rule is about ink"})), "train", count=40)
    ink = found(audited)["ink", "odd_accuracy"]
    assert (ink.value, ink.reason, ink.too_high) == (1.0, "the rule is about ink", False)
    assert audited.worst.solver != "ink"
    assert not audited.clean  # a longer bar is told by its box too


def test_without_a_declaration_solvers_are_reported_and_not_judged(make_benchmark):
    audited = audit(unseen.task(make_benchmark()), "train", count=12)
    assert audited.clean
    assert audited.worst is None
    assert all(finding.bound is None for finding in audited.findings)


def test_a_reason_for_a_solver_that_does_not_exist_is_an_error(make_benchmark):
    task = unseen.task(make_benchmark(bound=0.35, tells={"inks": "a slip"}))
    with pytest.raises(UnknownName, match=r"no solver named 'inks' in the audit of dots/ink\. Did you mean 'ink'"):
        audit(task, "train", count=4)


def test_behind_the_last_example_come_those_of_the_next_seed(make_benchmark):
    drawn = list(islice(examples(unseen.task(make_benchmark()), "train", 5), 70))
    assert [one.index for one in drawn] == [*range(32), *range(32), *range(6)]
    assert len({one.record for one in drawn[::32]}) > 1


def test_progress_is_told_up_to_the_last_example(make_benchmark):
    told = []
    audit(unseen.task(make_benchmark()), "test_ood", count=5, progress=lambda *said: told.append(said))
    assert told[-1] == (5, 5, "dots/ink test_ood")


def test_copying_is_right_where_nothing_changes_and_wrong_where_all_moves():
    audited = audit(unseen.task("cogitao/s2-translate"), "test", count=30)
    findings = found(audited)
    assert findings["copy", "grid_accuracy"].value == 0.0
    assert findings["copy", "cell_accuracy"].value > 0.5
    assert findings["majority", "exact"].value == pytest.approx(1 / 30)
    assert audited.clean


def test_an_audit_as_plain_values_has_its_verdicts(make_benchmark):
    told = plain(audit(unseen.task(make_benchmark(bound=0.35)), "train", count=12))
    assert told["task"] == "dots/ink"
    assert told["clean"] is False
    assert told["worst"]["value"] == 1.0
    assert {"solver": "ink", "too_high": True}.items() <= next(
        row.items() for row in told["findings"] if row["solver"] == "ink"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_task_has_solvers_with_names_of_their_own(kind):
    names = [solver.name for solver in SOLVERS[kind]]
    assert names
    assert len(set(names)) == len(names)
    assert all(solver.about for solver in SOLVERS[kind])


def example(inputs, target):
    return Example(None, "test", 0, None, (inputs, target))


def test_a_blind_solver_gives_the_commonest_answer_to_each_clue():
    by_text = next(one for one in SOLVERS["question"] if one.name == "text")
    assert isinstance(by_text, Blind)
    tally = by_text.tally([])
    for text, answer in [("how many?", "2"), ("how many?", "2"), ("how many?", "3"), ("what?", "cat")]:
        tally.see(example({"text": text}, {"answer": answer}), answer)
    assert tally.values() == {"exact": 0.75}


def test_pictures_are_copied_and_videos_left_empty():
    image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    copy, majority = SOLVERS["image"]
    assert copy.answer(example({"image": image}, {})) is image
    tally = majority.tally([])
    for target in (image, image.copy(), image + 1, image.reshape(1, 4, 3)):
        tally.see(example({}, {}), target)
    assert tally.values() == {"exact": 0.5}
    (nothing,) = SOLVERS["video"]
    assert not nothing.answer(example({}, {"ids": np.ones((2, 3, 3), np.uint8)})).any()
