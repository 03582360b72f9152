"""Sample efficiency, curriculum and relations: by hand, against the published numbers, and from outcomes."""

from __future__ import annotations

from math import nan
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.cvr.analysis import (
    accuracy_map,
    area_under_curve,
    by_group,
    count_map,
    curriculum_score,
    findings,
    gains,
    involved,
    learners,
    pair_counts,
    pair_means,
    relations_of,
    rules_solved,
    sample_efficiency_score,
)
from unseen.benchmarks.cvr.paper import EFFICIENCY, REGIMES
from unseen.core.analysis import DASH, Outcome
from unseen.core.errors import SpecError

accuracies = st.lists(st.floats(0, 100), min_size=6, max_size=6).map(
    lambda values: dict(zip(REGIMES, values, strict=True))
)


def outcome(task, value, seed=0, model="scl", split="test", **changes):
    return Outcome(unseen.task(f"cvr/{task}"), model, seed, {split: {"odd_accuracy": value}}, **changes)


def learner(outcomes, training="joint", model="scl", split="test", start="random"):
    place = (training, start, model, split)
    (found,) = (one for one in learners(outcomes) if (one.training, one.start, one.model, one.split) == place)
    return found


def finding(title, outcomes):
    (found,) = (one for one in findings(outcomes) if one.title == title)
    return found


# ---------------------------------------------------------------------------- sample efficiency


def test_the_weights_are_the_published_ones():
    alone = [sample_efficiency_score({n: float(n == one) for n in REGIMES}) for one in REGIMES]
    assert alone == pytest.approx([0.2370, 0.1928, 0.1689, 0.1503, 0.1312, 0.1197], abs=5e-5)


@given(accuracies)
def test_both_scores_lie_between_the_lowest_and_the_highest_accuracy(found):
    for score in (area_under_curve(found), sample_efficiency_score(found)):
        assert min(found.values()) - 1e-9 <= score <= max(found.values()) + 1e-9


@given(accuracies)
def test_what_learns_more_from_more_samples_has_the_lower_sample_efficiency_score(found):
    rising = dict(zip(REGIMES, sorted(found.values()), strict=True))
    assert sample_efficiency_score(rising) <= area_under_curve(rising) + 1e-9


@pytest.mark.parametrize("wrong", [{}, {20: nan}, {0: 50.0}])
def test_regimes_without_accuracies_are_an_error(wrong):
    for score in (area_under_curve, sample_efficiency_score):
        with pytest.raises(SpecError, match="accuracies are numbers by how many samples were trained on"):
            score(wrong)


def test_without_runs_only_the_papers_curves_are_there():
    found = learners([])
    assert len(found) == len(EFFICIENCY)
    assert not any(one.here.accuracies for one in found)
    assert all(one.paper.ses for one in found)
    assert not any(one.rows or one.figures for one in findings([]))
    efficiency, curriculum = finding("Sample efficiency", []), finding("Curriculum", [])
    assert len(efficiency.published) == len(found)
    assert ("scl", DASH, "0", "12.6") in curriculum.published


def test_seeds_are_averaged_and_scores_need_every_regime():
    outcomes = [outcome("all+samples=20", 30.0), outcome("all+samples=20", 50.0, seed=1)]
    few = learner(outcomes)
    assert few.here.accuracies == {20: 40.0}
    assert (few.here.ses, few.here.auc) == (None, None)
    whole = learner([*outcomes, *(outcome(f"all+samples={samples}", 60.0) for samples in REGIMES[1:])])
    assert whole.here.auc == pytest.approx((40 + 5 * 60) / 6)
    assert whole.here.ses < whole.here.auc


def test_rules_learned_one_by_one_count_where_all_of_them_were():
    rules = [row.name for row in unseen.benchmarks.cvr.BENCHMARK.rows if not row.repeats]
    every = [outcome(f"{rule}+samples=20", 60.0) for rule in rules]
    assert learner(every, "individual").here.accuracies == {20: 60.0}
    assert learner(every[1:], "individual").here.accuracies == {}


def test_a_model_of_ones_own_has_a_curve_and_other_weights_to_begin_with_do_not():
    mine = outcome("all+samples=20", 90.0, model="mine")
    assert learner([mine], model="mine").here.accuracies == {20: 90.0}
    assert learner([mine], model="mine").paper.accuracies == {}
    efficiency = finding("Sample efficiency", [mine, outcome("all+samples=20", 80.0, began_with="runs/elsewhere")])
    assert efficiency.rows == (("joint", "random", "mine", "test", DASH, DASH, DASH, DASH),)


def test_weights_that_were_learned_without_labels_have_their_own_curve_and_so_has_a_file():
    after = outcome("all+samples=20", 70.0, model="resnet-50", began_with="runs/cvr/all/moco-resnet-50+width=8/seed-0")
    given = outcome("all+samples=20", 60.0, model="resnet-50", began_with="weights/imagenet.pth")
    for start, value in (("ssl", 70.0), ("imagenet", 60.0)):
        assert learner([after, given], model="resnet-50", start=start).here.accuracies == {20: value}
    assert learner([after], model="resnet-50", start="ssl").paper.ses == 57.0
    assert not gains([after, given])[0].rules


def test_what_is_asked_without_having_been_learned_is_told_apart():
    start = "runs/components/cvr/custom+rules=pos,size/scl/seed-0"
    asked = outcome("pos-size-1+samples=20", 26.0, began_with=start, steps=0)
    (row,) = finding("Asked about rules that were never learned", [asked]).rows
    assert row == ("scl", "custom+rules=pos,size", "pos-size-1", "0", "26.0", DASH)
    others = (one for one in findings([asked]) if one.title != "Asked about rules that were never learned")
    assert not any(one.rows for one in others)


def test_rules_that_were_learned_one_by_one_have_a_row_each_and_are_counted():
    outcomes = [
        outcome("shape+samples=1000", 90.0),
        outcome("shape+samples=20", 30.0),
        outcome("size+samples=1000", 70.0),
        outcome("size+samples=1000", 80.0, seed=1),
        outcome("shape+samples=20", 85.0, split="test_ood"),
        outcome("all+samples=20", 99.0),
    ]
    rules = finding("Rules learned one by one", outcomes)
    assert rules.columns[-2:] == ("20", "1000")
    assert rules.rows == (
        ("scl", "random", "test", "shape", "30.0", "90.0"),
        ("scl", "random", "test", "size", DASH, "75.0"),
        ("scl", "random", "test_ood", "shape", "85.0", DASH),
    )
    solved = finding("Solved rules", outcomes)
    assert ("scl", "random", "test", "1000", "1", "2", DASH) in solved.rows
    assert ("scl", "random", "test_ood", "20", "1", "1", "0") in solved.rows
    assert solved.figures[0].drawing.count("<rect") == 2


def test_a_figure_has_both_curves():
    outcomes = [outcome(f"all+samples={samples}", 40.0, split="test_ood") for samples in (20, 50)]
    (figure,) = finding("Sample efficiency", outcomes).figures
    assert figure.drawing.count("<polyline") == 2
    assert figure.caption == "scl, joint training from random weights, test_ood"


# ---------------------------------------------------------------------------- curriculum


def test_a_curriculum_is_scored_by_the_largest_gain_of_each_rule():
    transfer = {"a": {20: 50.0, 50: 60.0}, "b": {20: 20.0, 50: 30.0}}
    scratch = {"a": {20: 30.0, 50: 55.0}, "b": {20: 25.0, 50: 34.0}}
    assert curriculum_score(transfer, scratch) == pytest.approx((20 - 4) / 2)


def test_a_curriculum_is_compared_on_the_same_rules_and_regimes():
    with pytest.raises(SpecError, match="the same rules with and without transfer: b"):
        curriculum_score({"a": {20: 1.0}, "b": {20: 1.0}}, {"a": {20: 1.0}})
    with pytest.raises(SpecError, match="a was trained on 20 samples after transfer and 20, 50 without"):
        curriculum_score({"a": {20: 1.0}}, {"a": {20: 1.0, 50: 2.0}})


def test_a_gain_is_over_the_rules_and_regimes_that_were_run_both_ways():
    after = {"began_with": "runs/components"}
    outcomes = [
        outcome("size+samples=20", 30.0),
        outcome("size+samples=20", 50.0, seed=1),
        outcome("size+samples=50", 60.0),
        outcome("size+samples=20", 60.0, **after),
        outcome("size+samples=50", 65.0, **after),
        outcome("count+samples=20", 50.0),
        outcome("count+samples=20", 45.0, **after),
        outcome("all+samples=20", 50.0, **after),
        outcome("size+samples=20", 50.0, model="mine"),
    ]
    by_model = {one.model: one for one in gains(outcomes)}
    assert "mine" not in by_model  # it was run one way only
    assert (by_model["scl"].here, by_model["scl"].rules, by_model["scl"].paper) == (pytest.approx(7.5), 2, 12.6)
    assert (by_model["wren"].here, by_model["wren"].rules) == (None, 0)
    assert finding("Curriculum", outcomes).rows == (("scl", "7.5", "2", "12.6"),)


def test_rules_with_other_options_are_other_rows_and_not_counted_as_solved():
    outcomes = [
        outcome("size+samples=20", 90.0),
        outcome("size+samples=20+variant=published", 50.0),
        outcome("size+samples=20+size=64", 100.0),
        outcome("size+samples=20+size=64", 95.0, began_with="runs/cvr/custom+rules=size,pos/scl/seed-0"),
    ]
    rows = finding("Rules learned one by one", outcomes).rows
    assert [(start, rule, value) for _, start, _, rule, value in rows] == [
        ("random", "size", "90.0"),
        ("random", "size+variant=published", "50.0"),
        ("random", "size+size=64", "100.0"),
        ("curriculum", "size+size=64", "95.0"),
    ]
    assert finding("Solved rules", outcomes).rows == (("scl", "random", "test", "20", "1", "1", DASH),)
    assert finding("Curriculum", outcomes).rows == (("scl", "-5.0", "1", "12.6"),)


# ---------------------------------------------------------------------------- relations


def test_rules_are_counted_as_solved_above_eighty_percent():
    assert rules_solved({"a": 0.75, "b": 0.0, "c": 1.0, "d": 0.8, "e": 0.81}) == 2


def test_the_groups_of_a_run_are_told_by_relations():
    finding = by_group("rule", {"size": 0.9, "count": 0.5, "shape_contact_2": 0.25})
    assert finding.about == "1 of 3 rules are above 80%."
    assert finding.figures[0].drawing.count("<rect") == 3
    assert by_group("other", {"size": 0.9}) is None


class Rule(NamedTuple):
    name: str
    relations: tuple[str, ...]


RULES = (
    Rule("shape", ("shape",)),
    Rule("size", ("size",)),
    Rule("count", ("count",)),
    Rule("shape_shape", ("shape", "shape")),
    Rule("shape_count_1", ("shape", "count")),
    Rule("shape_count_2", ("count", "shape")),
    Rule("sym", ("shape", "size", "count")),
)


def test_relations_are_named_in_the_order_of_the_elementary_rules():
    assert relations_of(RULES) == ["shape", "size", "count"]


def test_a_pair_is_counted_whichever_way_it_is_written_and_more_than_two_relations_are_no_pair():
    assert pair_counts(RULES) == {
        ("shape", "alone"): 1,
        ("size", "alone"): 1,
        ("count", "alone"): 1,
        ("shape", "shape"): 1,
        ("count", "shape"): 2,
    }


def test_a_relation_is_involved_in_every_rule_that_names_it_once():
    assert involved(RULES) == {"shape": 5, "size": 2, "count": 4}


def test_a_pair_has_the_mean_of_the_rules_that_have_a_value():
    means = pair_means(RULES, {"shape_count_1": 40.0, "shape_count_2": 60.0, "size": 90.0, "sym": 10.0})
    assert means == {("count", "shape"): 50.0, ("size", "alone"): 90.0}


@pytest.mark.parametrize("svg", [count_map(RULES), accuracy_map(RULES, {"shape_count_1": 40.0, "size": 90.0})])
def test_a_map_has_a_square_with_its_number_for_every_pair(svg):
    found = list(ElementTree.fromstring(svg).iter())
    squares = [one for one in found if one.tag == "rect"]
    numbers = [one.text for one in found if one.attrib.get("class") == "strong"]
    assert len(squares) == len(numbers)
    assert numbers in (["1", "1", "1", "2", "1"], ["1", "1", "1", "1", "2"], ["90", "40"])
    assert all(0 < float(one.attrib["fill-opacity"]) <= 0.7 for one in squares)
