from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from unseen.benchmarks.covr.store import index
from unseen.benchmarks.covr.store.kernels import ANY
from unseen.benchmarks.covr.world.scene import Scene


def said(scene: Scene) -> set[tuple]:
    """Every fact of a scene in words, None for those left open, as the module's docstring lists them."""
    facts: set[tuple] = set()
    for thing in scene.things.values():
        facts.add(("thing", thing.name, None))
        facts |= {("thing", name, attribute) for attribute in thing.attributes for name in (thing.name, None)}
        for relation in thing.relations:
            one, end = thing.name, scene.things[relation.target]
            for name, target in ((one, end.name), (None, end.name), (one, None), (None, None)):
                facts.add(("relation", name, relation.name, target))
            facts.add(("relation", one, None, end.name))
            for target in (end.name, None):
                facts |= {("from", attribute, relation.name, target) for attribute in thing.attributes}
                facts |= {("to", attribute, relation.name, target) for attribute in end.attributes}
            for modifier in relation.modifiers:
                facts.add(("modifier", one, modifier.name, scene.things[modifier.target].name))
    return facts


def test_every_fact_is_listed_with_the_scenes_in_which_it_is_so(made, kitchen):
    numbers = index.Numbering()
    scenes = [*made[:60], kitchen, Scene("empty", {})]
    facts, ends, lists = index.listed(index.read(scenes, numbers))
    words = [*numbers, None]  # ANY is the last
    found = {}
    for k, (kind, *codes) in enumerate(map(index.fact, facts.tolist())):
        found[(kind, *(words[code] for code in codes))] = lists[ends[k] : ends[k + 1]].tolist()
    expected = defaultdict(list)
    for row, scene in enumerate(scenes):
        for fact in said(scene):
            expected[fact].append(row)
    assert found == expected
    assert len(facts) == len(expected), "each once"


def test_no_scenes_have_no_facts():
    facts, ends, lists = index.listed(index.read([], index.Numbering()))
    assert len(facts) == len(lists) == 0
    assert ends.tolist() == [0]


@pytest.mark.parametrize("most", [3, 2**16, 2**31 - 1])
def test_rows_are_numbered_in_their_order_however_large_their_numbers_are(most):
    columns = np.random.default_rng(0).integers(ANY, most, (4, 500))
    columns[:, 250:] = columns[:, :250]
    key = index.lexicographic(list(columns))
    order = np.lexsort(columns[::-1])
    assert np.all(np.diff(key[order]) >= 0)
    assert np.array_equal(np.diff(key[order]) == 0, np.all(np.diff(columns[:, order]) == 0, axis=0))
