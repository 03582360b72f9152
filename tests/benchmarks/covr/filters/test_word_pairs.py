"""Which words exclude each other is learned from judged pairs, told of pairs that nobody judged, and written down."""

from __future__ import annotations

import pytest

from unseen.benchmarks.covr.filters.gaps import Gaps, truly_exclusive, with_gaps
from unseen.benchmarks.covr.filters.word_pairs import Pairs, uses_of
from unseen.benchmarks.covr.readers.judgements import exclusive
from unseen.core.errors import DataError


@pytest.fixture(scope="module")
def uses(made):
    return uses_of(with_gaps(scene, Gaps(0.1, 0.1, 0.1, 0.3)) for scene in made)


def judged(uses, kind, keep):
    pairs = uses[kind].candidates()
    return {(kind, *pair): float(truly_exclusive(kind, *pair)) for pair in pairs if keep(pair)}


def is_odd(pair):
    return len("".join(pair)) % 2 == 1  # the same both ways


def test_uses_count_what_is_said_of_the_same_thing(kitchen):
    found = uses_of([kitchen])
    words = {attribute for thing in kitchen.things.values() for attribute in thing.attributes}
    assert set(found["attribute"].said) == words
    assert found["noun"].said["man"] == 1


def test_pairs_that_nobody_judged_are_told_mostly_right(uses):
    learned = Pairs(uses, judged(uses, "attribute", is_odd))
    others = judged(uses, "attribute", lambda pair: not is_odd(pair))
    right = [(learned(*key) > 0.5) == (truth > 0.5) for key, truth in others.items()]
    commonest = max(sum(others.values()), len(others) - sum(others.values())) / len(others)
    assert sum(right) / len(right) > commonest + 0.05


def test_a_judgement_overrules_the_model(uses):
    known = judged(uses, "attribute", lambda pair: True)
    pair = next(iter(known))
    assert Pairs(uses, {**known, pair: 0.25})(*pair) == 0.25


def test_nouns_and_attributes_exclude_each_other_both_ways(uses):
    learned = Pairs(uses, judged(uses, "attribute", is_odd))
    pair = next(pair for pair in uses["attribute"].candidates() if not is_odd(pair))
    assert learned("attribute", *pair) == pytest.approx(learned("attribute", *reversed(pair)))


def test_what_is_learned_is_written_as_a_table_that_setups_read(uses, tmp_path):
    learned = Pairs(uses, judged(uses, "relation", is_odd))
    learned.write(tmp_path / "words.tsv")
    table = exclusive(tmp_path / "words.tsv")
    for word, other in uses["relation"].candidates()[:40]:
        assert table("relation", word, other) == pytest.approx(learned("relation", word, other), abs=0.001)


def test_judgements_of_one_sort_only_teach_nothing(uses):
    pairs = judged(uses, "attribute", is_odd)
    with pytest.raises(DataError, match="some pairs that exclude each other and some that do not"):
        Pairs(uses, dict.fromkeys(pairs, 1.0))
