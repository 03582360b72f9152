"""The world in 3-D: its pictures show what its scene graphs say."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.covr.english.lexicon import GROUPS
from unseen.benchmarks.covr.questions.batch import make
from unseen.benchmarks.covr.questions.properties import TEMPLATES
from unseen.benchmarks.covr.render import arrays, picture
from unseen.benchmarks.covr.spec import Spec, View
from unseen.benchmarks.covr.splits import Custom
from unseen.benchmarks.covr.world import studio, tabletop
from unseen.benchmarks.covr.world.identity import named, stream_of
from unseen.benchmarks.covr.world.scene import Scene, check
from unseen.benchmarks.covr.world.subgraph import SMALLEST
from unseen.benchmarks.covr.world.tabletop import BESIDE, SHAPES, SIDE
from unseen.core.errors import DataError, MissingExtra, SpecError
from unseen.render.space.meshes import mesh
from unseen.render.space.opengl import BODIES
from unseen.render.space.project import project

seeds = st.integers(0, 2**64 - 1)
IN_3D = Spec(world="3d")


def related(scene: Scene, name: str) -> set[tuple[str, str]]:
    return {(one.id, r.target) for one in scene.things.values() for r in one.relations if r.name == name}


@given(seeds, st.integers(0, 2**32))
def test_a_scene_is_a_pure_function_and_its_id_recalls_it(key, index):
    scene = tabletop.scene(key, index)
    assert scene == tabletop.scene(key, index) == tabletop.scene(*stream_of(scene.id))
    assert len(studio.scene_of(scene.id).bodies) == len(scene.things) <= BODIES


@given(seeds)
def test_a_scene_is_sound(key):
    scene = tabletop.scene(key, 0)
    check(scene)
    for thing in scene.things.values():
        x, y, width, height = thing.box
        assert min(x, y) >= 0
        assert max(x + width, y + height) <= SIDE
        assert width * height > SMALLEST, "nothing is asked about tiny things"
        had = [value for group in ("color", "material", "size") for value in thing.attributes if value in GROUPS[group]]
        assert had == list(thing.attributes), "one of each group, and nothing else"


@given(seeds)
def test_relations_come_with_their_converses(key):
    scene = tabletop.scene(key, 0)
    assert related(scene, "under") == {(b, a) for a, b in related(scene, "on")}
    assert related(scene, "behind") == {(b, a) for a, b in related(scene, "in front of")}
    assert related(scene, "next to") == {(b, a) for a, b in related(scene, "next to")}
    for one in scene.things.values():
        between = [relation for relation in one.relations if relation.name == "between"]
        ends = {(relation.target, relation.modifiers[0].target) for relation in between}
        assert ends == {(b, a) for a, b in ends}
        assert {(one.id, end) for pair in ends for end in pair} <= related(scene, "next to")


@settings(max_examples=40)
@given(seeds)
def test_what_is_behind_is_partly_hidden_by_what_is_in_front_and_nothing_else_is_but_by_what_is_on_it(key):
    """Found again from the picture: each solid is projected alone, and with each other one."""
    scene = tabletop.scene(key, 0)
    built = studio.scene_of(scene.id)
    ids = list(scene.things)
    alone = [project(_only(built, k), SIDE) for k in range(len(ids))]
    for (i, one), (j, other) in combinations(enumerate(ids), 2):
        both = (alone[i].ids == 1) & (alone[j].ids == 1)
        if (one, other) in related(scene, "on") | related(scene, "under"):
            continue
        near, far = (i, j) if alone[i].depth[both].sum() < alone[j].depth[both].sum() else (j, i)
        hidden = both.sum() / alone[far].visible[0]
        if (ids[near], ids[far]) in related(scene, "in front of"):
            assert 0.02 < hidden < 0.6
        else:
            assert hidden == 0


def _only(scene, number):
    return type(scene)((scene.bodies[number],), scene.camera, scene.lights)


@settings(max_examples=20)
@given(seeds)
def test_solids_are_seen_within_their_boxes(key):
    scene = tabletop.scene(key, 0)
    built = studio.scene_of(scene.id)
    for number, thing in enumerate(scene.things.values()):
        rows, columns = np.nonzero(project(_only(built, number), SIDE).ids)
        x, y, width, height = thing.box
        assert len(rows) > SMALLEST / 4
        assert x - 1 <= columns.min() <= columns.max() <= x + width + 1
        assert y - 1 <= rows.min() <= rows.max() <= y + height + 1


def test_no_mesh_reaches_further_than_its_shape_may():
    for name, reach in SHAPES.items():
        body = studio.body_of(tabletop.Solid(name, ("brown", "wood", "large"), 1.0, turn=0))
        x, y, _ = mesh(body.shape).vertices.T
        for turn in np.radians(body.turn + np.arange(-tabletop.TURNED, tabletop.TURNED + 1)):
            sides = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
            assert max(abs(side).max() for side in sides) < reach + 1e-4


@given(seeds)
def test_solids_side_by_side_are_next_to_each_other_and_others_are_further_apart(key):
    scene = tabletop.scene(key, 0)
    placed = dict(zip(scene.things, tabletop.solids_of(*stream_of(scene.id)), strict=True))
    below = {one: solid for one, solid in placed.items() if solid.z == solid.size}
    for (a, one), (b, other) in combinations(below.items(), 2):
        gap = abs(one.y - other.y) - one.half - other.half
        if (a, b) in related(scene, "next to"):
            assert one.x == other.x
            assert BESIDE - 1e-9 < gap < 4 * BESIDE, "what is on them may be wider"
        elif one.x == other.x:
            assert gap > 7 * BESIDE


@pytest.fixture(scope="module")
def batch():
    return make(IN_3D, 7, 0)[0]


def test_every_shape_and_relation_occurs():
    scenes = [tabletop.scene(3, index) for index in range(100)]
    things = [thing for scene in scenes for thing in scene.things.values()]
    assert {thing.name for thing in things} == set(SHAPES)
    names = {relation.name for thing in things for relation in thing.relations}
    assert names == {"on", "under", "next to", "between", "in front of", "behind"}


def test_every_template_asks_about_solids_and_every_answer_is_proven(batch):
    task = unseen.task("covr/iid", images="3d")
    assert task.id == "covr/iid+images=3d"
    assert {question.template for question in batch} == set(TEMPLATES.values())
    assert [problem for question in batch for problem in task.check(question, "train")] == []


def test_something_is_asked_about_what_is_between_two_others():
    asked = [question.text for question in make(replace(IN_3D, keep="lexical-between"), 7, 0)[0]]
    assert len(asked) > 20
    assert all(" between a" in text for text in asked)
    assert not any("between it and" in text for text in asked)


def test_without_a_renderer_there_are_no_images_and_boxes_stand_for_them_in_pictures(batch):
    inputs, _ = arrays(batch[0], IN_3D, View(renderer="none"))
    assert inputs == {"text": batch[0].text}
    assert picture(batch[0], IN_3D, View(renderer="none")).shape[1] >= 3 * 240


def test_images_are_rendered(batch):
    try:
        inputs, _ = arrays(batch[0], IN_3D, View(size=48))
    except MissingExtra as reason:
        pytest.skip(str(reason))
    assert [image.shape for image in inputs["images"]] == [(48, 48, 3)] * len(batch[0].scenes)
    assert all(image.std() > 10 for image in inputs["images"])


def test_what_cannot_be_is_refused():
    with pytest.raises(SpecError, match="flat and need no renderer"):
        unseen.task("covr/iid", renderer="none")
    with pytest.raises(SpecError, match="images=3d are those of the built-in world"):
        Custom(images="3d", corpus="scenes.json")
    with pytest.raises(DataError, match="names no generated scene"):
        stream_of("kitchen")
    assert stream_of(named(5, 3, 1)) == (5, 3, 1)
