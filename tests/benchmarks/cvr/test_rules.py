"""The table of rules: the published ids and names, and rows in which nothing is misspelled."""

from __future__ import annotations

import pytest

from unseen.benchmarks.cvr.kernels.words import WORDS
from unseen.benchmarks.cvr.rules import BY_NAME, RELATIONS, RULES, describe
from unseen.benchmarks.cvr.sample import plan
from unseen.benchmarks.cvr.sample.coincidences import COINCIDENCES
from unseen.benchmarks.cvr.sample.numbers import KINDS, settled

PUBLISHED = """
shape pos size color rot flip count inside contact sym_rot sym_mir pos_pos_1 pos_pos_2 pos_count_2 pos_count_1 pos_pos_4
pos_count_3 inside_count_1 count_count shape_shape shape_contact_2 contact_contact_1 inside_inside_1 inside_inside_2
pos_inside_3 pos_inside_1 pos_inside_2 pos_inside_4 rot_rot_1 flip_flip_1 rot_rot_3 pos_pos_3 pos_count_4 size_size_1
size_size_2 size_size_3 size_size_4 size_size_5 size_sym_1 size_sym_2 color_color_1 color_color_2 sym_sym_1 sym_sym_2
shape_contact_3 shape_contact_4 contact_contact_2 pos_size_1 pos_size_2 pos_shape_1 pos_shape_2 pos_rot_1 pos_rot_2
pos_col_1 pos_col_2 pos_contact size_shape_1 size_shape_2 size_rot size_inside_1 size_contact size_count_1 size_count_2
shape_color shape_color_2 shape_color_3 shape_inside shape_inside_1 shape_count_1 shape_count_2 rot_color rot_inside_1
rot_inside_2 rot_count_1 color_inside_1 color_inside_2 color_contact color_count_1 color_count_2 inside_contact
contact_count_1 contact_count_2 size_color_1 size_color_2 color_sym_1 color_sym_2 shape_rot_1 shape_contact_5
rot_contact_1 rot_contact_2 inside_sym_mir flip_count_1 flip_inside_1 flip_inside_2 flip_color_1 shape_flip_1 rot_flip_1
size_flip_1 pos_rot_3 pos_flip_1 pos_flip_2 flip_contact_1 flip_contact_2
"""

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
each_version = pytest.mark.parametrize("shifted", [False, True], ids=["regular", "shifted"])


def test_ids_and_names_are_the_published_ones_in_their_order():
    assert [rule.id for rule in RULES] == list(range(103))
    assert [rule.name for rule in RULES] == PUBLISHED.split()


def test_there_are_as_many_rules_of_each_kind_as_published():
    elementary = [rule for rule in RULES if len(rule.relations) == 1]
    with_itself = [rule for rule in RULES if len(rule.relations) == 2 and len(set(rule.relations)) == 1]
    symmetries = [rule for rule in RULES if "sym" in rule.name]
    assert [rule.id for rule in elementary] == list(range(9))
    assert (len(with_itself), len(symmetries)) == (20, 9)
    assert all(len(rule.relations) > 2 for rule in symmetries)
    others = [rule for rule in RULES if len(rule.relations) == 2 and len(set(rule.relations)) == 2]
    assert len(others) == 65


@each_rule
def test_relations_are_known_and_are_those_of_the_name(rule):
    assert set(rule.relations) <= set(RELATIONS)
    short = {"pos": "position", "rot": "rotation", "col": "color"}
    named = [short.get(word, word) for word in rule.name.split("_") if not word.isdigit()]
    assert {word for word in named if word in RELATIONS} <= set(rule.relations)


@each_rule
def test_a_rule_is_told_in_one_sentence(rule):
    assert rule.sentence[0].isupper()
    assert rule.sentence.endswith(".")
    assert rule.sentence.count(".") == 1


@each_rule
def test_shapes_that_a_rule_speaks_of_look_different(rule):
    assert rule.tells_shapes or "shape" not in rule.sentence


def test_no_two_rules_say_the_same():
    assert len({rule.sentence for rule in RULES}) == len(RULES)


@each_rule
@each_version
def test_a_row_refers_only_to_what_there_is(rule, shifted):
    ready = plan(rule.name, shifted)
    for scene in (recipes.scene for recipes in (ready.regular, *ready.odd)):
        assert {type(scene.place).__name__, scene.after.word, scene.window} <= set(WORDS)
        assert {draw.kind for draw in scene.draws.values()} <= KINDS.keys() | {"again"}
        patterns = (scene.shape.pattern, scene.size.pattern, scene.color.pattern, scene.angle.pattern)
        assert {word[1:] for word in patterns if word.startswith("$")} <= scene.draws.keys()
    assert not rule.unless or rule.unless in COINCIDENCES


@each_rule
@each_version
def test_draws_come_in_an_order_in_which_none_needs_a_later_one(rule, shifted):
    draws = plan(rule.name, shifted).regular.scene.draws
    known = {}
    for name, draw in draws.items():
        # a word of a draw that is not known yet would stay a word, or a step from it fail
        assert draws.keys().isdisjoint(word for arg in draw.args if isinstance(word := settled(arg, known), str))
        known[name] = 1


def test_a_rule_is_described_with_its_id_its_relations_and_its_sentence():
    rows = describe()
    assert [row["rule"] for row in rows] == list(BY_NAME)
    assert rows[20] == {
        "rule": "shape_contact_2",
        "what it does": RULES[20].sentence,
        "id": "20",
        "relations": "shape + contact",
    }
