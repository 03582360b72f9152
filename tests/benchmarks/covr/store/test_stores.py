from __future__ import annotations

import pytest

from unseen.benchmarks.covr.english.exclusivity import tabled
from unseen.benchmarks.covr.store import Match, Memory, kernels, query
from unseen.benchmarks.covr.store.interface import MOST
from unseen.benchmarks.covr.store.query import Substitutions, families, holds, matches, pattern_of
from unseen.benchmarks.covr.world.scene import from_gqa
from unseen.benchmarks.covr.world.subgraph import Edge, Node, subgraphs


def scene(scene_id: str, *objects: tuple[str, str, str]):
    """A scene from lines such as ("man", "tall", "holding apple, wearing hat")."""
    graph = {}
    for name, attribute, relations in objects:
        pairs = [relation.rsplit(" ", 1) for relation in relations.split(", ") if relation]
        graph[f"{scene_id} {name}"] = {
            "name": name,
            "attributes": [attribute] if attribute else [],
            "relations": [{"name": relation, "object": f"{scene_id} {target}"} for relation, target in pairs],
        }
    return from_gqa(scene_id, {"objects": graph})


APPLE, BANANA = ("apple", "red", ""), ("banana", "yellow", "")
SCENES = [
    scene("a", ("man", "tall", "holding apple"), APPLE),
    scene("b", ("man", "short", "holding apple"), APPLE),
    scene("c", ("woman", "tall", "holding apple"), APPLE),
    scene("d", ("man", "tall", "holding banana"), BANANA),
    scene("e", ("man", "tall", "behind apple"), APPLE),
    scene("f", ("person", "tall", "holding apple"), APPLE),
    scene("g", ("woman", "tall", "holding banana"), BANANA),
    scene("h", ("woman", "tall", "behind apple"), APPLE),
    scene("i", ("man", "short", "holding banana"), BANANA),
    scene("j", ("man", "tall", "holding apple"), ("apple", "green", "")),
]
MAN = Node("man", "tall", (Edge("holding", Node("apple")),))
PLAIN = Node("man", None, (Edge("holding", Node("apple")),))


def found(node: Node, **options: int) -> dict[str, str]:
    """Families, and the ids of their scenes in a row."""
    return {key: "".join(some.scenes) for key, some in Memory(SCENES).distractors(node, **options).items()}


def test_images_that_contain_a_subgraph():
    store = Memory(SCENES)
    assert list(store.containing(MAN)) == [Match("a", MAN), Match("j", MAN)]
    assert [match.scene for match in store.containing(Node(None, "green"))] == ["j"]
    assert list(store.containing(Node("giraffe"))) == []


def test_distractors_at_distance_one_change_an_element_and_exclude_what_overlaps():
    families = found(MAN)
    assert families["0_attr"] == "b"
    assert families["0_name"] == "c", "a person may be a man, so f is left out"
    assert families["2_name"] == "d"
    assert families["1_relation"] == "e"


def test_distractors_at_distance_two_change_a_second_element():
    families = found(MAN)
    assert families["2_name_neg_attr_main_object"] == "i"
    assert families["0_name_neg_object_2"] == "g"
    assert found(PLAIN)["0_name_neg_relation_1"] == "h"


def test_a_match_tells_what_is_there_instead():
    assert Memory(SCENES).distractors(MAN)["0_attr"][0].graph == Node("man", "short", MAN.edges)
    assert Memory(SCENES).distractors(MAN)["1_relation"][0].graph.edges[0].relation == "behind"


def test_other_objects_are_not_looked_for_where_an_object_has_an_attribute():
    with_attribute = Node("man", None, (Edge("holding", Node("apple", "red")),))
    assert not any("neg_object" in key for key in found(with_attribute))


def test_something_of_any_name_is_looked_for_only_in_a_relation():
    assert "0_name" not in found(Node("man", "tall"))
    assert set(found(Node("man"))["0_name"]) == set("cgh"), "images without a man, or a person that might be one"


def test_a_word_that_overlaps_is_known_even_where_nothing_is_said_about_it():
    store = Memory([scene("k", ("man", "", "")), scene("l", ("person", "", "")), scene("m", ("dog", "", ""))])
    assert store.distractors(Node("man"))["0_name"].scenes == ["m"]


def test_a_marked_subgraph_is_about_images_with_several_roots():
    pair = from_gqa("k", {"objects": {key: {"name": "cup", "attributes": ["red"]} for key in "xy"}})
    single = scene("l", ("cup", "red", ""))
    store = Memory([pair, single])
    assert store.containing(Node("cup", "red"), multi_count=2).scenes == ["k"]
    assert store.distractors(Node("cup", "red"), multi_count=2)["0_no_mult"].scenes == ["l"]


def test_modifiers_belong_to_their_relation(kitchen):
    store = Memory([kitchen])
    cutting = Edge("cutting", Node("cake"), (("cutting:_with", Node("knife")),))
    assert store.containing(Node("man", None, (cutting,)))[0].graph.edges == (cutting,)
    spoon = cutting._replace(modifiers=(("cutting:_with", Node("spoon")),))
    assert len(store.containing(Node("man", None, (spoon,)))) == 0


def test_cutting_a_leaf_off_takes_its_modifiers_along(kitchen):
    cutting = Edge("cutting", Node("cake"), (("cutting:_with", Node("knife")),))
    words = Substitutions(Memory([kitchen]).attested(), tabled)
    keys = families(Node("man", None, (cutting, Edge("holding", Node("knife")))), words)
    assert all(len(q.without) in (1, 3, 5, 7) for q in keys.values())
    assert query._cut(pattern_of(Node("man", None, (cutting,))), 2) == pattern_of(Node("man"))


def test_the_index_answers_as_the_plain_meaning_does(made):
    store = Memory(made)
    words = Substitutions(store.attested(), tabled)
    asked = 0
    for scene in made[:6]:
        for subgraph in subgraphs(scene)[::17]:
            for count in (1, 2):
                for key, wanted in families(subgraph.node, words, multi_count=count).items():
                    plain = sorted(other.id for other in made if holds(wanted, other))
                    assert store.find(wanted) == plain, (subgraph.node, key)
                    asked += 1
    assert asked > 300


def test_no_distractor_contains_the_subgraph(made):
    store = Memory(made)
    for subgraph in subgraphs(made[0])[::7]:
        for some in store.distractors(subgraph.node).values():
            assert not any(True for match in some for _ in matches(pattern_of(subgraph.node), store.scene(match.scene)))


def test_answers_do_not_depend_on_what_was_asked_before_or_on_the_order_of_scenes(made):
    nodes = [subgraph.node for subgraph in subgraphs(made[3])[::5]]
    one, other = Memory(made), Memory(reversed(made))
    forth = {node: {key: some.scenes for key, some in one.distractors(node).items()} for node in nodes}
    back = {node: {key: some.scenes for key, some in other.distractors(node).items()} for node in reversed(nodes)}
    assert forth == back


def test_of_very_many_images_there_are_the_most_allowed_in_order():
    many = [scene(f"{i:04}", ("cup", "red", "")) for i in range(MOST + 30)]
    ids = Memory(many).containing(Node("cup")).scenes
    assert len(ids) == MOST
    assert ids == sorted(ids)


def test_a_completeness_check_removes_images_in_which_the_subgraph_may_be():
    store = Memory(SCENES, complete=lambda scene, node: scene.id != "d")
    assert "2_name" not in store.distractors(MAN)


@pytest.mark.parametrize("name", ["OBJECT", "RELATION", "MODIFIER"])
def test_kernels_and_queries_number_elements_alike(name):
    assert getattr(kernels, name) == getattr(query, name)
