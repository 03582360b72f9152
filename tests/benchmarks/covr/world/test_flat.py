from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.covr.english.lexicon import GROUPS
from unseen.benchmarks.covr.world import flat, identity, stream
from unseen.benchmarks.covr.world.flat import APART, BESIDE, SIDE, World
from unseen.benchmarks.covr.world.nouns import ACTS, BY_NAME, NOUNS, PLACES
from unseen.benchmarks.covr.world.scene import Scene, Thing, check
from unseen.benchmarks.covr.world.subgraph import SMALLEST
from unseen.core.errors import SpecError, UnknownName
from unseen.core.random import path_key
from unseen.core.splits import PARTS

seeds = st.integers(0, 2**64 - 1)


@given(seeds, st.integers(0, 2**32))
def test_a_scene_is_a_pure_function_and_its_id_recalls_it(key, index):
    scene = flat.scene(World(), key, index)
    assert scene == flat.scene(World(), key, index)
    assert flat.scene(World(), *identity.stream_of(scene.id)) == scene


@given(seeds)
def test_a_scene_is_sound(key):
    scene = flat.scene(World(), key, 0)
    check(scene)
    assert scene.things
    for thing in scene.things.values():
        x, y, width, height = thing.box
        assert min(x, y) >= 0
        assert max(x + width, y + height) <= SIDE
        assert width * height > SMALLEST, "nothing is asked about tiny things"
        assert all(relation.target != thing.id for relation in thing.relations)


@given(seeds)
def test_a_thing_has_at_most_one_attribute_of_a_group_and_only_what_its_noun_allows(key):
    for thing in flat.scene(World(), key, 0).things.values():
        noun = BY_NAME[thing.name]
        for group in ("color", "material", "shape", "size", "pattern"):
            had = [value for value in thing.attributes if value in GROUPS[group]]
            allowed = getattr(noun, group)
            assert len(had) <= 1
            assert set(had) <= set(allowed)
            assert had or not allowed or group == "pattern"


def related(scene: Scene, name: str) -> set[tuple[str, str]]:
    return {
        (thing.id, relation.target)
        for thing in scene.things.values()
        for relation in thing.relations
        if relation.name == name
    }


@given(seeds)
def test_relations_come_with_their_converses_and_consequences(key):
    scene = flat.scene(World(), key, 0)
    on, under = related(scene, "on"), related(scene, "under")
    assert related(scene, "in front of") == {(b, a) for a, b in related(scene, "behind")}
    assert related(scene, "next to") == {(b, a) for a, b in related(scene, "next to")}
    assert related(scene, "sitting on") | related(scene, "riding") <= on
    assert {(b, a) for a, b in on} <= under
    assert all(BY_NAME[scene.things[b].name].roles.count("shelter") for a, b in under - {(b, a) for a, b in on})


def span(thing: Thing) -> tuple[int, int]:
    return thing.box[0], thing.box[0] + thing.box[2]


@given(seeds)
def test_things_side_by_side_on_one_base_are_next_to_each_other_and_others_are_far_apart(key):
    """Found again from the boxes alone: this is what makes a scene complete."""
    scene = flat.scene(World(), key, 0)
    above = {a: b for name in ("on", "in", "under", "behind") for a, b in related(scene, name) if name != "under"}
    carried = {b for name in ("wearing", "holding") for _, b in related(scene, name)}
    sheltered = {a for a, b in related(scene, "under")} - {b for _, b in related(scene, "on")}
    grounded = [t for t in scene.things.values() if t.id not in above and t.id not in carried and t.id not in sheltered]
    for one, other in combinations(grounded, 2):
        if one.box[1] + one.box[3] != other.box[1] + other.box[3]:
            continue  # on different strips
        (_, end), (start, _) = sorted((span(one), span(other)))
        if (one.id, other.id) in related(scene, "next to"):
            assert start - end <= BESIDE + 60, "what a person holds may be between"
        else:
            assert start - end >= min(APART, 20)


def test_every_noun_relation_and_act_occurs():
    made = [flat.scene(World(), path_key(0, "test"), index) for index in range(1_500)]
    nouns = Counter(thing.name for scene in made for thing in scene.things.values())
    relations = Counter(r.name for scene in made for thing in scene.things.values() for r in thing.relations)
    assert set(nouns) == {noun.name for noun in NOUNS}
    assert set(relations) == {name for pair in flat.LINKS.values() for names in pair for name in names} | {
        act.name for act in ACTS
    }


def test_many_scenes_hold_several_things_of_a_kind(made):
    several = [max(Counter(t.name for t in scene.things.values()).values()) >= 2 for scene in made]
    assert sum(several) > len(made) // 2


def test_the_deed_with_a_modifier_comes_first(made):
    for scene in made:
        for thing in scene.things.values():
            assert not any(relation.modifiers for relation in thing.relations[1:])


def test_parts_share_no_scene_and_each_index_has_one():
    scenes = {
        name: list(stream.scenes(partial(flat.scene, World()), 3, PARTS[name], range(8)))
        for name in ("train", "val", "test")
    }
    for name, drawn in scenes.items():
        assert len(drawn) == 8
        assert all(PARTS[name].holds(identity.content_key(scene)) for scene in drawn)


def test_a_world_has_only_its_places():
    scenes = [flat.scene(World(("farm",)), 1, index) for index in range(20)]
    assert {scene.location for scene in scenes} == {"farm"}
    assert all("farm" in BY_NAME[thing.name].places for scene in scenes for thing in scene.things.values())


def test_a_place_that_is_none_is_refused():
    with pytest.raises(UnknownName, match="Did you mean 'kitchen'"):
        World(("kitchn",))
    with pytest.raises(SpecError, match="at least one of the places kitchen"):
        World(())
    assert World().places == PLACES
