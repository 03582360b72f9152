from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.covr.store.query import matches, pattern_of
from unseen.benchmarks.covr.world import flat
from unseen.benchmarks.covr.world.subgraph import Edge, Node, _named, canonical, depth, length, subgraphs

HAT, APPLE = Edge("wearing", Node("hat", "red")), Edge("holding", Node("apple"))


def test_length_and_depth_are_those_of_the_published_shapes():
    triple = Node("man", edges=(HAT,))
    double = Node("man", edges=(HAT, APPLE))
    path = Node("dog", edges=(Edge("near", triple),))
    one = Node("man", edges=(Edge("cutting", Node("cake"), (("cutting:_with", Node("knife")),)),))
    two = Node("man", edges=(one.edges[0]._replace(modifiers=2 * one.edges[0].modifiers),))
    shapes = {"alone": Node("man"), "triple": triple, "v": double, "chain": path, "one": one, "two": two}
    assert {name: (length(node), depth(node)) for name, node in shapes.items()} == {
        **{"alone": (1, 1), "triple": (3, 3), "v": (5, 3), "chain": (5, 5), "one": (5, 4), "two": (7, 4)}
    }


def test_the_canonical_form_does_not_depend_on_the_order_of_edges():
    one, other = Node("man", None, (HAT, APPLE)), Node("man", None, (APPLE, HAT))
    assert canonical(one) == canonical(other) == other
    above = [Node("dog", edges=(Edge("near", node),)) for node in (one, other)]
    assert canonical(above[0]) == canonical(above[1])


def test_the_subgraphs_of_a_scene_by_hand(kitchen):
    found = {subgraph.node: subgraph.count for subgraph in subgraphs(kitchen)}
    with_knife = (("cutting:_with", Node("knife")),)
    cake = Node("cake", edges=(Edge("on", Node("table", "wood")),))
    assert found[Node("cup", "red")] == 2
    assert found[Node("cup", "red", (Edge("on", Node("table")),))] == 1
    assert Node("man", None, (Edge("cutting", cake, with_knife),)) in found
    assert Node("man", "tall", (Edge("holding", Node("knife", "metal")),)) in found
    assert not any(edge.relation == "cutting" and not edge.modifiers for node in found for edge in node.edges)
    assert not any(node.name in ("wall", "crumb") for node in found), "background and tiny things are not asked about"


def test_clothes_are_worn_only_if_something_is_said_about_them(made):
    for scene in made[:40]:
        for subgraph in subgraphs(scene):
            for edge in subgraph.node.edges:
                assert (edge.relation, edge.target.name, edge.target.attribute) != ("wearing", "shirt", None)


@given(st.integers(0, 2**64 - 1))
def test_every_subgraph_is_in_its_scene_keeps_the_rules_and_comes_once(key):
    scene = flat.scene(flat.World(), key, 0)
    found = subgraphs(scene)
    assert len({subgraph.node for subgraph in found}) == len(found)
    assert found == subgraphs(scene)
    for node, roots in ((subgraph.node, subgraph.roots) for subgraph in found):
        assert canonical(node) == node
        assert node in {canonical(match) for match in matches(pattern_of(node), scene)}
        assert len(roots) == len(set(roots)) <= sum(1 for _ in matches(pattern_of(node), scene))
        assert depth(node) <= 6, "two relations, the second with a modifier"
        names = [edge.target.name for edge in node.edges]
        assert len(names) <= 2
        assert len({node.name, *names}) == 1 + len(names)
        further = [name for edge in node.edges for after in edge.target.edges for name in _named(after)]
        assert node.name not in further
