"""Tasks: a rule each, joint ones, and one's own choice; sizes, prefixes, and errors that finish the sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

import unseen
from unseen.benchmarks.cvr import add_rule, splits
from unseen.benchmarks.cvr.rules import BY_NAME, RELATIONS, RULES, describe
from unseen.benchmarks.cvr.splits import TASKS, combining
from unseen.core.errors import SpecError, UnknownName
from unseen.core.key import hash_bytes
from unseen.core.task import EXTRA_ROWS

SIZES = {"train": 10_000, "val": 500, "test": 1_000, "test_ood": 1_000}


def sizes(task):
    return {name: split.size for name, split in task.splits.items()}


def test_there_is_a_task_for_every_rule_and_four_more():
    names = [row.name for row in TASKS]
    assert names == [rule.name.replace("_", "-") for rule in RULES] + ["all", "elementary", "compositions", "custom"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_has_the_published_sizes_and_is_found_by_its_name_folder_and_id(rule):
    task = unseen.task(f"cvr/{rule.id}")
    assert sizes(task) == SIZES
    assert {split.spec.rules for split in task.splits.values()} == {(rule.name,)}
    assert unseen.task(f"cvr/{rule.name}") is unseen.task(f"cvr/task_{rule.name}") is task


def test_only_the_test_out_of_distribution_is_shifted():
    for name, split in unseen.task("cvr/shape").splits.items():
        assert split.spec.shifted == (name == "test_ood")


@pytest.mark.parametrize(("name", "count"), [("all", 103), ("elementary", 9), ("compositions", 94)])
def test_a_joint_task_has_as_many_problems_of_each_rule_as_the_rule_alone(name, count):
    task = unseen.task(f"cvr/{name}")
    assert sizes(task) == {split: size * count for split, size in SIZES.items()}
    assert len(set(task.splits["train"].spec.rules)) == count


def test_elementary_rules_and_compositions_are_all_rules():
    both = [
        rule for name in ("elementary", "compositions") for rule in unseen.task(f"cvr/{name}").splits["val"].spec.rules
    ]
    assert both == list(BY_NAME)


# Few samples


@pytest.mark.parametrize("samples", [20, 50, 1000])
def test_a_smaller_training_set_is_the_beginning_of_a_larger_one(samples):
    few, all_of_it = unseen.load("cvr/shape", samples=samples), unseen.load("cvr/shape")
    assert len(few) == samples
    assert [few[i].record for i in range(5)] == [all_of_it[i].record for i in range(5)]
    assert sizes(unseen.task("cvr/shape", samples=samples)) == {**SIZES, "train": samples}


def test_a_small_joint_training_set_is_the_beginning_of_the_large_one_and_has_each_rule_as_often():
    few, all_of_it = unseen.load("cvr/elementary", samples=2), unseen.load("cvr/elementary")
    assert Counter(example.record.rule for example in few) == dict.fromkeys(list(BY_NAME)[:9], 2)
    assert [example.record for example in few] == [all_of_it[i].record for i in range(18)]


@pytest.mark.parametrize("task", ["cvr/elementary", "cvr/all", "cvr/custom+rules=shape,size"])
@pytest.mark.parametrize("split", ["train", "test", "test_ood"])
def test_a_joint_task_is_the_union_of_its_rules(task, split):
    joint = unseen.load(task, split, seed=2)
    rules = len(joint.task.split(split).spec.rules)
    for index in (0, 1, rules + 1, 2 * rules - 1):
        record = joint[index].record
        assert record == unseen.load(f"cvr/{record.rule}", split, seed=2)[index // rules].record


def test_every_rule_of_a_joint_task_has_its_turn():
    data = unseen.load("cvr/elementary", "val")
    names = [data[index].record.rule for index in range(18)]
    assert set(names[:9]) == set(data.task.split("val").spec.rules)
    assert names[9:] == names[:9]


# One's own choice


def test_rules_are_chosen_by_name_with_either_hyphens_or_underscores():
    for rules in (["shape-color", "pos"], ["shape_color", "pos"], "shape-color,pos"):
        assert unseen.task("cvr/custom", rules=rules).splits["train"].spec.rules == ("shape_color", "pos")


def test_rules_are_chosen_by_the_relations_they_combine():
    task = unseen.task("cvr/custom", relations=["color", "shape"])
    assert task.splits["test"].spec.rules == ("shape_color", "shape_color_2", "shape_color_3")
    assert unseen.task("cvr/custom").splits["test"].spec.rules == tuple(BY_NAME)


def test_every_rule_combines_just_its_own_relations():
    found = [
        name for n in range(1, 5) for some in combinations_with_replacement(RELATIONS, n) for name in combining(some)
    ]
    assert sorted(found) == sorted(BY_NAME)


def test_a_relation_given_twice_is_that_relation_with_itself():
    assert combining(["inside", "inside"]) == ("inside_inside_1", "inside_inside_2")
    assert combining(["inside"]) == ("inside",)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rules": "shape_contct_2"}, "no rule named 'shape_contct_2' in cvr. Did you mean 'shape_contact_2'?"),
        ({"relations": "colour"}, "no relation named 'colour' in cvr. Did you mean 'color'?"),
        ({"relations": ["contact", "flip", "size"]}, "no rule of cvr combines contact and flip and size and nothing"),
        ({"rules": "shape", "relations": "shape"}, "takes one of rules, relations and where; leave the others out"),
        ({"where": "shape & shap"}, "no property named 'shap'. Did you mean 'shape'?"),
        ({"where": "shape & not shape"}, "no rule of cvr satisfies 'shape & not shape'"),
        ({"samples": 0}, "samples counts training problems of a rule, so it cannot be 0"),
    ],
)
def test_a_choice_that_cannot_be_is_a_sentence(options, sentence):
    with pytest.raises((SpecError, UnknownName)) as caught:
        unseen.task("cvr/custom", **options)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


# Rules of one's own


@pytest.fixture
def another():
    """A 104th rule, forgotten after the test."""
    rule = replace(BY_NAME["shape_color"], id=103, name="shape_color_4")
    add_rule(rule)
    yield rule
    del BY_NAME[rule.name]
    EXTRA_ROWS["cvr"] = [row for row in EXTRA_ROWS["cvr"] if row.name != "shape-color-4"]


def test_a_rule_of_ones_own_is_listed_drawn_and_proven(another):
    assert unseen.tasks("cvr")[-1] == "cvr/shape-color-4"
    assert describe()[-1]["rule"] == another.name
    assert combining(["shape", "color"])[-1] == another.name
    task = unseen.task("cvr/103")
    for split in task.splits:
        assert task.check(unseen.load(task.id, split)[0].record, split) == []


JOINT = ("all", "elementary", "compositions", "custom")


def test_a_rule_of_ones_own_is_in_no_published_list(another):
    assert another.name not in {rule for name in JOINT for rule in unseen.task(f"cvr/{name}").split("train").spec.rules}


def test_the_published_lists_are_those_of_their_first_day():
    listed = {name: "\n".join(unseen.task(f"cvr/{name}").split("train").spec.rules) for name in JOINT}
    assert {name: hash_bytes(text.encode()) for name, text in listed.items()} == {
        "all": 2838207701252081680,
        "elementary": 15466514771082329044,
        "compositions": 8241952493634881753,
        "custom": 2838207701252081680,
    }


def test_a_row_that_is_added_to_the_table_gets_a_task_and_changes_no_list(monkeypatch):
    added = replace(BY_NAME["shape_color"], id=103, name="shape_color_4")
    monkeypatch.setattr(splits, "RULES", (added, *RULES))
    before = {row.name: row for row in TASKS}
    for row in splits._tasks():
        if row.name == "shape-color-4":
            assert not row.tables
        else:
            assert row.splits(row.options()) == before[row.name].splits(row.options())


def test_ids_and_names_are_taken_once(another):
    with pytest.raises(SpecError, match="cvr has a rule with the id 103 already; choose another number"):
        add_rule(replace(another, name="shape_color_5"))
    with pytest.raises(SpecError, match="cvr has a task named 'shape-color-4' already"):
        add_rule(replace(another, id=104))
    assert len(BY_NAME) == 104


def test_a_rule_of_relations_that_nobody_knows_is_refused():
    with pytest.raises(UnknownName, match="no relation named 'colour' in cvr"):
        add_rule(replace(BY_NAME["shape_color"], id=103, name="mine", relations=("shape", "colour")))


def test_an_expression_over_relations_chooses_rules():
    chosen = unseen.task("cvr/custom", where="shape & color - contact").split("train").spec.rules
    assert chosen
    for rule in BY_NAME.values():
        wanted = {"shape", "color"} <= {*rule.relations} and "contact" not in rule.relations
        assert (rule.name in chosen) == wanted
