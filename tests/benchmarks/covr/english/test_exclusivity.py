from __future__ import annotations

from itertools import permutations

import pytest

from unseen.benchmarks.covr.english.exclusivity import excluding, more_general, tabled
from unseen.benchmarks.covr.english.lexicon import (
    ATTRIBUTES_ALIKE,
    COMPATIBLE,
    DEED_RELATIONS,
    GROUPS,
    KINDS,
    PLACE_RELATIONS,
)
from unseen.benchmarks.covr.world.flat import LINKS
from unseen.benchmarks.covr.world.nouns import ACTS, NOUNS

ALIKE = [("man", "person"), ("trees", "tree"), ("wine bottle", "bottle"), ("couch", "sofa"), ("baby", "person")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_kinds_synonyms_plurals_and_compounds_overlap(one, other):
    assert tabled("noun", one, other) == tabled("noun", other, one) == 0


def test_no_word_excludes_itself_and_nouns_and_attributes_exclude_both_ways():
    nouns = [noun.name for noun in NOUNS]
    attributes = [value for values in GROUPS.values() for value in values]
    for kind, words in (("noun", nouns), ("attribute", attributes)):
        for one, other in permutations(words, 2):
            assert tabled(kind, one, other) == tabled(kind, other, one)
        assert all(tabled(kind, word, word) == 0 for word in words)


def test_attributes_exclude_each_other_within_a_group_only():
    assert excluding(tabled, "attribute", "blue", ("red", "light blue", "wood", "striped", "large", "blue")) == {"red"}
    assert tabled("attribute", "short", "tall") == tabled("attribute", "short", "long") == 1


def test_relations_exclude_in_the_direction_in_which_nothing_follows():
    assert tabled("relation", "riding", "next to") == 1
    assert tabled("relation", "on", "sitting on") == 0
    assert tabled("relation", "near", "behind") == 0
    assert tabled("relation", "behind", "near") == 1
    assert tabled("relation", "next to", "pushing") == 0


def test_a_relation_that_the_lexicon_does_not_know_excludes_none():
    assert excluding(tabled, "relation", "complaining to", PLACE_RELATIONS) == frozenset()


def test_the_tables_name_only_words_of_their_kind():
    grouped = {value for values in GROUPS.values() for value in values}
    assert {word for key, others in ATTRIBUTES_ALIKE.items() for word in (key, *others)} <= grouped
    assert {word for pair in COMPATIBLE for word in pair} <= {*PLACE_RELATIONS, *DEED_RELATIONS}
    ours = {name for pair in LINKS.values() for names in pair for name in names} | {act.name for act in ACTS}
    assert ours <= {*PLACE_RELATIONS, *DEED_RELATIONS}


def test_no_kind_is_a_kind_of_itself():
    assert all(kind not in more_general(kind) for kind in KINDS)


def test_most_nouns_of_our_worlds_exclude_each_other():
    nouns = [noun.name for noun in NOUNS]
    alike = [pair for pair in permutations(nouns, 2) if not tabled("noun", *pair)]
    assert len(alike) < 0.01 * len(nouns) ** 2
