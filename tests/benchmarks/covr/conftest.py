"""Scenes and questions that several tests look at."""

from __future__ import annotations

import pytest

from unseen.benchmarks.covr.questions.batch import make
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.world import flat
from unseen.benchmarks.covr.world.scene import Scene, from_gqa
from unseen.core.random import path_key


@pytest.fixture(scope="session")
def made() -> list[Scene]:
    """Three hundred generated scenes."""
    return [flat.scene(flat.World(), path_key(0, "test"), index) for index in range(300)]


@pytest.fixture(scope="session")
def kitchen() -> Scene:
    """A scene by hand: a man cutting a cake with a knife, and two red cups, one of them on a table."""
    return from_gqa(
        "kitchen",
        {
            "width": 500,
            "height": 400,
            "objects": {
                "man": {
                    "name": "man",
                    "attributes": ["tall"],
                    "relations": [
                        {
                            "name": "cutting",
                            "object": "cake",
                            "prepositions": [{"name": "cutting:_with", "object": "knife"}],
                        },
                        {"name": "holding", "object": "knife"},
                        {"name": "to the left of", "object": "table"},
                    ],
                },
                "cake": {"name": "cake", "relations": [{"name": "on", "object": "table"}]},
                "knife": {"name": "knife", "attributes": ["metal", "metal"]},
                "table": {"name": "table", "attributes": ["wood"]},
                "cup 1": {"name": "cup", "attributes": ["red"], "relations": [{"name": "on", "object": "table"}]},
                "cup 2": {"name": "cup", "attributes": ["red"], "x": 1, "y": 2, "w": 30, "h": 40},
                "crumb": {"name": "crumb", "x": 1, "y": 2, "w": 20, "h": 20},
                "wall": {"name": "wall"},
            },
        },
    )


@pytest.fixture(scope="session")
def questions() -> list[Question]:
    """A batch of the built-in world."""
    return make(Spec(), 7, 0)[0]
