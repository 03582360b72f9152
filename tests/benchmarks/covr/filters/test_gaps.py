"""Annotations are left out and renamed at the stated rates, and the truth stays known."""

from __future__ import annotations

import pytest

from unseen.benchmarks.covr.filters.gaps import Gaps, other_words, truly_exclusive, with_gaps
from unseen.core.errors import SpecError


def counted(scenes):
    things = [thing for scene in scenes for thing in scene.things.values()]
    return len(things), sum(len(thing.attributes) for thing in things), sum(len(thing.relations) for thing in things)


def test_without_gaps_a_scene_is_as_it_was(made):
    assert [with_gaps(scene, Gaps()) for scene in made[:20]] == made[:20]


@pytest.mark.parametrize(("what", "at"), [("objects", 0), ("attributes", 1), ("relations", 2)])
def test_the_stated_share_is_left_out_and_nothing_else_of_its_sort(made, what, at):
    before, after = counted(made), counted([with_gaps(scene, Gaps(**{what: 0.3})) for scene in made])
    assert after[at] / before[at] == pytest.approx(0.7, abs=0.03)
    if what != "objects":  # which take their attributes and relations along
        assert [a for k, a in enumerate(after) if k != at] == [b for k, b in enumerate(before) if k != at]


def test_no_relation_leads_to_an_object_that_is_left_out(made):
    for scene in (with_gaps(scene, Gaps(objects=0.5)) for scene in made[:50]):
        for thing in scene.things.values():
            for relation in thing.relations:
                assert {relation.target, *(one.target for one in relation.modifiers)} <= set(scene.things)


def test_gaps_depend_on_seed_and_scene_alone(made):
    gaps = Gaps(0.2, 0.2, 0.2, 0.2)
    assert with_gaps(made[0], gaps, seed=3) == with_gaps(made[0], gaps, seed=3)
    assert any(with_gaps(scene, gaps, seed=3) != with_gaps(scene, gaps, seed=4) for scene in made[:5])


def test_a_renamed_word_still_fits_what_it_names(made):
    for scene in made[:30]:
        renamed = with_gaps(scene, Gaps(renamed=1.0))
        for id, thing in renamed.things.items():
            assert thing.name in (other_words("noun", scene.things[id].name) or (scene.things[id].name,))
            assert not truly_exclusive("noun", thing.name, scene.things[id].name)


def test_what_two_words_can_both_stand_for_does_not_exclude():
    assert not truly_exclusive("noun", "container", "bottle")
    assert truly_exclusive("noun", "container", "man")
    assert not truly_exclusive("attribute", "wooden", "wood")
    assert truly_exclusive("attribute", "wooden", "metal")
    assert not truly_exclusive("attribute", "wooden", "red")


def test_a_share_above_one_is_refused():
    with pytest.raises(SpecError, match="objects is a share of the annotations, from 0 to 1, not 2"):
        Gaps(objects=2)
