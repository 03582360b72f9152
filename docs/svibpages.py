"""The page of SVIB's worlds: the paper's words, what each looks like here, its vocabularies, and the rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PIL.Image import Image
from taskpages import contact_sheet, table

import unseen
from unseen.benchmarks.svib.rules import BENCHMARK, effects_of, formula
from unseen.benchmarks.svib.worlds import WORLDS, World
from unseen.report.gallery import show

SAID = {  # what the paper says of each
    "dsprites": "*Visually simple 2D scenes.* Sprites of four colors, four shapes and four sizes lie on black.",
    "clevr": "*Visually simple 3D scenes.* Solids of rubber or metal stand on a gray ground, under three lamps and a"
    " sun; camera and lamps are shaken a little in every episode.",
    "clevrtex": "*3D scenes with complex textures.* The same with eight textures, one of which covers the ground; the"
    " texture takes the place of the color in rules.",
}


def pages(images: Path) -> Iterator[tuple[str, str]]:
    """Place and text of the page; its pictures are written beside it."""
    parts = [
        "# SVIB: three worlds",
        "A model is shown an image of two objects and imagines the next one. What happens is one rule for all episodes"
        " of a task. Objects are combinations of factors; those of the test were never in an input of training.",
        "## Rules of the benchmark",
        table(("rule", "in words", "formula"), [_rule_line(rule.name) for rule in BENCHMARK]),
        "All are drawn as causal graphs, with the sixteen of the paper's analysis, [on a page of their"
        " own](benchmarks/svib-rules.md).",
    ]
    for world in WORLDS.values():
        shown = contact_sheet(
            images / f"svib-world-{world.name}.png", f"episodes of {world.name}", partial(episodes, world)
        )
        parts += [f"## {world.name}", SAID[world.name], shown, values(world)]
    yield "svib", "\n\n".join(parts)


def _rule_line(name: str) -> tuple[str, str, str]:
    about = next(rule.about for rule in BENCHMARK if rule.name == name)
    return f"[{name}](benchmarks/svib-rules.md#{name})", about, f"`{formula(effects_of(((name,),)))}`"


def episodes(world: World, **view: str) -> Image:
    """A sheet with the first training episode of each rule."""
    return show([unseen.load(f"svib/{world.name}-{rule.name}", "train", **view)[0] for rule in BENCHMARK], columns=2)


def values(world: World) -> str:
    """The vocabulary of every factor, in order."""
    lines = zip(world.factors, world.vocabularies, strict=True)
    return table(("factor", "values, from index 0 on"), [(name, ", ".join(map(str, words))) for name, words in lines])
