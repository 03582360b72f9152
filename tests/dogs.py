"""A small benchmark of questions about dogs and a wall, in images that are named "<dogs>-<color of the wall>"."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from unseen.benchmarks.covr import baselines
from unseen.benchmarks.covr.questions.execute import execute
from unseen.benchmarks.covr.questions.program import parse, to_rows
from unseen.benchmarks.covr.questions.question import Question, answer_text
from unseen.benchmarks.covr.world.subgraph import Node
from unseen.core.random import Stream
from unseen.core.task import Row, Split

DOGS = 4  # an image has fewer
COLORS = ("red", "blue", "white")
ASKED = (  # template, text and program
    ("count_ref", "How many dogs?", 'find("dog"); count(#0)'),
    ("multiple_ref", "Is there a dog?", 'find("dog"); exists(#0)'),
    ("choose_attr", "Is the wall red or blue?", 'find("wall"); unique(#0); choose_attr(#1, "red", "blue")'),
    ("query_attr", "What is the color of the wall?", 'find("wall"); unique(#0); query_attr(#1, "color")'),
)
SIZES = {"train": 200, "val": 40, "test": 40}


def drawn_scene(image: str) -> dict[str, Any]:
    """The scene graph of an image of dogs before a wall, or without one."""
    dogs, color = image.split("-")
    objects: dict[str, Any] = {f"{image}-{number}": {"name": "dog"} for number in range(int(dogs))}
    if color:
        objects[f"{image}-wall"] = {"name": "wall", "attributes": [color]}
    return {"objects": objects}


class Sampler:
    """Draws questions about two or three images."""

    def __init__(self, spec: Any, part: Any, key: int) -> None:
        self.key = key

    def draw(self, index: int, first: int = 0) -> tuple[Question, int, int]:
        """The question at an index."""
        rng = Stream(self.key, index=index)
        template, text, written = ASKED[index % len(ASKED)]
        color = COLORS[rng.below(2 if template == "choose_attr" else 3)]
        images = tuple(f"{rng.below(DOGS)}-{color if at == 0 else ''}" for at in range(2 + rng.below(2)))
        program = parse(written)
        answer = execute(program, {image: drawn_scene(image) for image in images})
        question = Question(text, text, program, images, answer, template, (Node("dog"),), images[0])
        return question, rng.below(2**31), first


def arrays(record: Question, spec: Any, view: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Images as bright as they have dogs, text and answer."""
    images = [np.full((4, 4, 3), 50 * int(image[0]), np.uint8) for image in record.scenes]
    return {"images": images, "text": record.text}, {"answer": answer_text(record.answer)}


def scene(record: Question, spec: Any) -> dict[str, Any]:
    """Program and scene graphs."""
    return {"program": to_rows(record.program), "scenes": {image: drawn_scene(image) for image in record.scenes}}


def files() -> dict[str, Any]:
    """The files of the benchmark, which has one task."""

    def splits(chosen: Any) -> tuple[Split, ...]:
        return tuple(Split(name, size, chosen) for name, size in SIZES.items())

    return {
        "splits": SimpleNamespace(
            TASKS=(Row("dogs", "questions about dogs", splits),),
            groups=lambda record: {"template": record.template},
        ),
        "sample": SimpleNamespace(Sampler=Sampler),
        "render": SimpleNamespace(arrays=arrays, scene=scene),
        "baselines": baselines,
    }
