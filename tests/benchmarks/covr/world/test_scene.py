from __future__ import annotations

import json

import pytest

from unseen.benchmarks.covr.world.scene import Modifier, Relation, from_gqa, to_gqa
from unseen.core.errors import DataError


def test_sideways_relations_and_repeated_attributes_are_left_out(kitchen):
    assert kitchen.things["man"].relations == (
        Relation("cutting", "cake", (Modifier("cutting:_with", "knife"),)),
        Relation("holding", "knife"),
    )
    assert kitchen.things["knife"].attributes == ("metal",)


def test_a_scene_comes_back_from_its_gqa_form(kitchen, made):
    for scene in (kitchen, *made[:20]):
        assert from_gqa(scene.id, json.loads(json.dumps(to_gqa(scene)))) == scene


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        ({"width": 3}, "scene '5' lacks 'objects'"),
        ({"objects": {"a": {}}}, "scene '5' lacks 'name'"),
        ({"objects": {"a": ["cup"]}}, "scene '5' is not a GQA scene graph"),
        (
            {"objects": {"a": {"name": "cup", "relations": [{"name": "on", "object": "b"}]}}},
            "object 'a' of scene '5' is 'on' 'b', which is no object of that scene",
        ),
    ],
)
def test_what_is_no_scene_graph_is_refused_in_a_sentence(graph, sentence):
    with pytest.raises(DataError, match=sentence):
        from_gqa("5", graph)
