"""The whole numbers of a problem, drawn once for it or for each image; none refers to a later one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from unseen.benchmarks.cvr.draws import KINDS, settled
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


def changes_of(regular: Draws, odd: Draws) -> Draws:
    """What the odd image draws otherwise than a regular one, and what follows from that."""
    changes: dict[str, Draw] = {}
    for name, draw in odd.items():
        if regular.get(name) != draw or _refers(draw, changes):
            changes[name] = draw
    return changes


def draw_numbers(regular: Draws, changes: Draws, rng: Stream) -> list[Values]:
    """The numbers of the four images, the odd one last."""
    shared: Values = {}
    images: list[Values] = [{}, {}, {}, {}]
    for place, values in enumerate(images):
        for name, draw in regular.items():
            if draw.level == "image":
                values[name] = _drawn(draw, values, rng)
                continue
            if name not in shared:
                shared[name] = _drawn(draw, values, rng)
            values[name] = shared[name][place] if draw.level == "spread" else shared[name]
    odd = images[-1]
    for name, draw in changes.items():
        odd[name] = _drawn_again(regular[name], odd, name, rng) if draw.kind == "again" else _drawn(draw, odd, rng)
    return images


def _drawn(draw: Draw, values: Values, rng: Stream) -> Any:
    args = [settled(arg, values) for arg in draw.args]
    if draw.level == "spread":
        rng.shuffle(args)
        return tuple(args)
    return KINDS[draw.kind](rng, *args)


def _drawn_again(draw: Draw, values: Values, name: str, rng: Stream) -> Any:
    """A number that comes out otherwise."""
    found = known = values[name]
    while found == known:
        found = _drawn(replace(draw, level="image"), values, rng)
    return found


def cast_of(bodies: Bodies, values: Values) -> Cast:
    """The objects of an image whose numbers are drawn."""
    return cast(bodies.kind, *(_argument(arg, values) for arg in bodies.args))


def _argument(arg: Any, values: Values) -> Any:
    if isinstance(arg, str) and arg.startswith("$"):
        return values[arg[1:]]
    return settled(arg, values)
