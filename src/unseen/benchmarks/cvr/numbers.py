"""The whole numbers of a problem, drawn once for it or for each image; none refers to a later one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from unseen.benchmarks.cvr.draws import KINDS, settled
from unseen.benchmarks.cvr.scene import PANELS
from unseen.benchmarks.cvr.vocabulary import Bodies, Cast, Draw, Scene, cast
from unseen.core.random import Stream

Values = dict[str, Any]
Draws = Mapping[str, Draw]


def in_order(scene: Scene) -> Scene:
    """The scene with its draws in order; a draw may refer to what it replaces."""
    ordered: dict[str, Draw] = {}
    waiting = dict(scene.draws)
    while waiting:
        name = next(name for name, draw in waiting.items() if not _refers(draw, waiting.keys() - {name}))
        ordered[name] = waiting.pop(name)
    return replace(scene, draws=ordered)


def _refers(draw: Draw, names: Collection[str]) -> bool:
    """Whether a draw depends on one of these."""
    words = [arg for arg in draw.args if isinstance(arg, str)]
    return any(
        word == name or word.startswith((f"{name}-", f"{name}+", f"{name}*")) for word in words for name in names
    )


def draw_numbers(regular: Draws, odd: Draws, rng: Stream) -> list[Values]:
    """The numbers of the four images, the odd one last."""
    shared: Values = {}
    images = [dict.fromkeys(regular) for _ in range(PANELS)]
    for place, values in enumerate(images):
        for name, draw in regular.items():
            if draw.level == "image":
                values[name] = _drawn(draw, values, rng)
                continue
            if name not in shared:
                shared[name] = _drawn(draw, values, rng)
            values[name] = shared[name][place] if draw.level == "spread" else shared[name]
    images[-1] = _odd_numbers(regular, odd, images[-1], rng)
    return images


def _drawn(draw: Draw, values: Values, rng: Stream) -> Any:
    args = [settled(arg, values) for arg in draw.args]
    if draw.level == "spread":
        rng.shuffle(args)
        return tuple(args)
    return KINDS[draw.kind](rng, *args)


def _odd_numbers(regular: Draws, odd: Draws, known: Values, rng: Stream) -> Values:
    """The numbers of a regular image, but for what the odd one draws otherwise, and what follows from that."""
    values, changed = dict(known), set[str]()
    for name, draw in odd.items():
        if regular.get(name) == draw and not _refers(draw, changed):
            continue
        changed.add(name)
        if draw.kind == "again":
            while values[name] == known[name]:
                values[name] = _drawn(replace(regular[name], level="image"), values, rng)
        else:
            values[name] = _drawn(draw, values, rng)
    return values


def cast_of(bodies: Bodies, values: Values) -> Cast:
    """The objects of an image whose numbers are drawn."""
    return cast(bodies.kind, *(_argument(arg, values) for arg in bodies.args))


def _argument(arg: Any, values: Values) -> Any:
    if isinstance(arg, str) and arg.startswith("$"):
        return values[arg[1:]]
    return settled(arg, values)
