"""Rules are counted by the pairs of relations they compose."""

from __future__ import annotations

from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from unseen.report.relations import accuracy_map, count_map, involved, pair_counts, pair_means, relations_of


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
