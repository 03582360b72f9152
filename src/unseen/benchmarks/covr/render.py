"""Record -> arrays: the images of a question, its text and its answer; and pictures for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr.english.wording import after
from unseen.benchmarks.covr.questions.corpus import find_scene
from unseen.benchmarks.covr.questions.execute import items, referents, table
from unseen.benchmarks.covr.questions.language import language as every_word
from unseen.benchmarks.covr.questions.paraphrase import reworded
from unseen.benchmarks.covr.questions.program import Program, is_program, to_rows
from unseen.benchmarks.covr.questions.question import Question, answer_text
from unseen.benchmarks.covr.readers.features import regions
from unseen.benchmarks.covr.readers.images import load
from unseen.benchmarks.covr.readers.paraphrases import paraphrases
from unseen.benchmarks.covr.readers.vocabulary import pieces
from unseen.benchmarks.covr.spec import Spec, View
from unseen.benchmarks.covr.world import boxes
from unseen.benchmarks.covr.world.paint import MATERIALS, PATTERNS, painted, swatch
from unseen.benchmarks.covr.world.scene import Scene, to_gqa
from unseen.benchmarks.covr.world.studio import scene_of
from unseen.render import figure, space
from unseen.render.palette import Image

REMEMBERED = 2**26  # bytes of images, since questions share them: those of two thousand questions, of 96 pixels a side


def arrays(record: Question, spec: Spec, view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """Images and text, and the answer as text; without a renderer, images in 3-D are left out.

    Where there are features of regions, they stand for the images (`found`). The view of symbols adds what a model that
    need not look for objects is told of every image (`symbols`), and to the answer which objects it rests on.
    """
    inputs: dict[str, Any] = {}
    if view.features:
        inputs = found(record, view)
    elif view.renderer != "none":
        inputs = {"images": images(record, spec, view)}
    target: dict[str, Any] = {"answer": answer_text(record.answer)}
    if view.symbols:
        inputs |= symbols(record, spec)
        target["referents"] = referred_to(record, spec)
    return {**inputs, "text": wording(record, spec, view)}, target


def images(record: Question, spec: Spec, view: View) -> list[Image]:
    """The images of a question in order."""
    return [image(spec, id, view).copy() for id in record.scenes]


def found(record: Question, view: View) -> dict[str, list[Any]]:
    """What a detector found in the images of a question, float32.

    `features` (regions, numbers) describe the regions of each image; `places` (regions, 5) are left, top, right, bottom
    and area of each, as shares of the image.
    """
    each = [regions(view.features, id) for id in record.scenes]
    return {"features": [one.features for one in each], "places": [one.places for one in each]}


def symbols(record: Question, spec: Spec) -> dict[str, list[Any]]:
    """The objects of every image, in one order: where they are, and what they are.

    `boxes` float32 (objects, 4) are left, top, right and bottom as shares of the image's sides, all 0 where a scene
    graph has no box; `names` is a text for each image, "red car; tall boy", and so is `relations`, "1 next to 0".
    """
    scenes = [find_scene(spec, id) for id in record.scenes]
    return {
        "boxes": [_shares(scene) for scene in scenes],
        "names": ["; ".join(thing.words for thing in scene.things.values()) for scene in scenes],
        "relations": ["; ".join(_relations(scene)) for scene in scenes],
    }


def referred_to(record: Question, spec: Spec) -> list[str]:
    """The first and the last objects that the answer rests on, a text for each image: "0 1; 1"."""
    scenes = [find_scene(spec, id) for id in record.scenes]
    asked = referents(record.program, table(map(items, scenes)))
    return ["; ".join(_places(scene, ids) for ids in asked) for scene in scenes]


def _relations(scene: Scene) -> Iterator[str]:
    """How the objects of a scene stand to each other, by their places in its order."""
    places = {id: place for place, id in enumerate(scene.things)}
    for place, thing in enumerate(scene.things.values()):
        for relation in thing.relations:
            yield f"{place} {relation.name} {places[relation.target]}"


def _places(scene: Scene, ids: set[str]) -> str:
    """Some objects by their places in the order of a scene."""
    return " ".join(str(place) for place, id in enumerate(scene.things) if id in ids)


def _shares(scene: Scene) -> npt.NDArray[np.float32]:
    """The boxes of a scene as shares of its sides."""
    sides = np.array([scene.width or 1, scene.height or 1] * 2, np.float32)
    found = np.array([thing.box or (0, 0, 0, 0) for thing in scene.things.values()], np.float32).reshape(-1, 4)
    found[:, 2:] += found[:, :2]
    shares: npt.NDArray[np.float32] = found / sides
    return shares


def image(spec: Spec, id: str, view: View) -> Image:
    """One image of a world's scene; of a file's scene its own image. Where there is none, boxes stand for it."""
    return remembering(view.size)(spec, id, view)


@cache
def remembering(size: int) -> Callable[[Spec, str, View], Image]:
    """What makes images of a size and remembers as many as there is room for."""
    return lru_cache(maxsize=REMEMBERED // (3 * size * size) + 1)(made)


def made(spec: Spec, id: str, view: View) -> Image:
    """Make an image."""
    if view.folder:
        return load(view.folder, id)
    if spec.world == "3d" and view.renderer != "none":
        return space.render(scene_of(id), view.size, view.renderer).image
    scene = find_scene(spec, id)
    return boxes.drawn(scene, view.size) if spec.corpus or spec.world == "3d" else painted(scene, view.size)


def wording(record: Question, spec: Spec, view: View) -> str:
    """The text that a view shows."""
    if view.text == "generated":
        return record.text
    if view.text == "reworded":
        return reworded(record, "" if spec.corpus else spec.world)
    known = paraphrases(view.paraphrases) if view.paraphrases else {}
    return known.get(record.text, record.paraphrase)


def language(spec: Spec, view: View) -> dict[str, Any] | None:
    """What questions can say and be answered; nothing for scene graphs or words of a user's own."""
    if spec.corpus or view.paraphrases:
        return None
    found = every_word(spec.world)
    return found if view.symbols else {**found, "symbols": []}


def word_pieces(view: View) -> tuple[str, ...]:
    """The word pieces that models read questions in."""
    return pieces(view.vocabulary) if view.vocabulary else ()


def asked(record: Question, spec: Spec, view: View) -> tuple[str, str, int]:
    """Text, answer and number of images of a question."""
    return wording(record, spec, view), answer_text(record.answer), len(record.scenes)


def scene(record: Question, spec: Spec) -> dict[str, Any]:
    """The question, its program and its scene graphs in their published forms."""
    return {
        "question": record.text,
        "paraphrase": record.paraphrase,
        "answer": record.answer,
        "template": record.template,
        "program": to_rows(record.program),
        "scenes": {id: to_gqa(find_scene(spec, id)) for id in record.scenes},
    }


# ---------------------------------------------------------------------------- pictures for people

SIDE = 240  # pixels of an image, at least
BOXED = 420  # of one that is drawn as boxes with words


def picture(record: Question, spec: Spec, view: View) -> Image:
    """The question above its images, and the answer below them."""
    return _told(record, spec, view, [figure.text(answer_text(record.answer), size=16)])


def answer_picture(record: Question, prediction: str, spec: Spec, view: View) -> Image:
    """Draw a question with the right answer and a model's answer below it, red where the model is wrong."""
    right = prediction == answer_text(record.answer)
    said = figure.text(f"answered: {prediction}", size=16, color=figure.INK if right else WRONG)
    return _told(record, spec, view, [figure.text(answer_text(record.answer), size=16), said])


WRONG = (176, 32, 32)


def _told(record: Question, spec: Spec, view: View, below: list[Image]) -> Image:
    boxed = (spec.corpus and not view.folder) or (spec.world == "3d" and view.renderer == "none")
    larger = replace(view, size=max(BOXED if boxed else SIDE, view.size))
    shown = figure.beside([figure.framed(image) for image in images(record, spec, larger)], gap=8)
    text = figure.paragraph(wording(record, spec, view), max(shown.shape[1], 3 * SIDE), size=17)
    keys = [] if spec.corpus or spec.world == "3d" else legend(record, spec)
    return figure.above([text, shown, figure.beside([*below, *keys], gap=24)], gap=10)


def legend(record: Question, spec: Spec) -> list[Image]:
    """What the textures mean that the images of a question show: a piece of each, and its name."""
    attributes = {
        one for id in record.scenes for thing in find_scene(spec, id).things.values() for one in thing.attributes
    }
    return [
        figure.beside([figure.framed(swatch(name)), figure.text(name, size=12, color=figure.QUIET)], gap=5)
        for name in (*MATERIALS[1:], *PATTERNS[1:])
        if name in attributes
    ]


def program_picture(program: Program) -> Image:
    """A program as a tree: what an operator takes stands to its left, a nested program in a frame."""
    return _tree(program, len(program) - 1)


def _tree(program: Program, at: int) -> Image:
    row = program[at]
    inner = [figure.framed(figure.margin(program_picture(one), 6)) for one in row.arguments if is_program(one)]
    words = [after(str(one)) for one in row.arguments if not is_program(one)]
    box = figure.name_box(" ".join([row.operation, *(f"\u201c{word}\u201d" for word in words)]))
    taken = [_tree(program, dependency) for dependency in row.dependencies] + inner
    if not taken:
        return box
    return figure.beside([figure.above(taken, gap=6), figure.arrow(24), box], gap=4)
