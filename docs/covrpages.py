"""The page of COVR's worlds and setups: what images look like, and what the sets of questions hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from taskpages import contact_sheet, table

import unseen
from unseen.benchmarks.covr import paper
from unseen.benchmarks.covr.splits import HELD_OUT
from unseen.report.gallery import show

SAID = {  # of the built-in worlds
    "flat": "By default: people, animals and things of five places, drawn. Relations are what the drawing shows, acts"
    " with tools among them, and nothing that it shows is left out.",
    "3d": "`images=3d`: solids on a table top, by the renderer of SVIB's worlds. They stand next to each other and"
    " between two others, on and under, behind what hides a part of them. All 15 templates ask about them."
    " `renderer=none` leaves images out and needs no driver.",
}
ALL, NUMBERS, SHARES = "covr/iid train", "questions (Table 3)", "share of questions that a setup holds out"
COLUMNS = (
    *("setup", "train", "val", "test", "val_ood", "test_ood", "held out of all", "published"),
    *("texts", "answers", "programs", "most frequent answer"),
)


def pages(measured: Path, images: Path) -> Iterator[tuple[str, str]]:
    """Place and text of the page; its pictures are written beside it."""
    parts = ["# COVR: worlds and setups"]
    for world, said in SAID.items():
        draw = partial(show, "covr/iid", "test", images=world, count=4, columns=2)
        parts += [
            f"## {world}",
            said,
            contact_sheet(images / f"covr-world-{world}.png", f"questions over images of {world}", draw),
        ]
    parts += [
        "## Setups",
        "Sizes of the splits are those that the paper's filter left. The rest is measured, over 300 questions of each"
        " setup as `unseen audit covr --statistics --count 300 --json` prints them: the share of all questions that a"
        " setup holds out, beside the paper's, and of the held-out questions how many texts, answers and programs"
        " without their words are different, and how many questions have the most frequent answer.",
        table(COLUMNS, setup_lines(json.loads((measured / "covr.json").read_text()))),
    ]
    yield "covr", "\n\n".join(parts)


def setup_lines(found: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """A line for every setup, and one for all questions."""
    for name in ("iid", *HELD_OUT):
        task = unseen.task(f"covr/{name}")
        sizes = (f"{task.splits[split].size:,}" if split in task.splits else "" for split in COLUMNS[1:6])
        numbers = found[f"covr/{name} test_ood" if name in HELD_OUT else ALL][NUMBERS]
        yield (
            *(f"`{name}`", *sizes, *(_shares(name, found) if name in HELD_OUT else ("", ""))),
            *(str(numbers[what]) for what in ("unique questions", "unique answers", "unique anonymized programs")),
            _percent(numbers["share of the most frequent answer"]),
        )


def _shares(name: str, found: dict[str, Any]) -> tuple[str, str]:
    published = paper.FILTERED.get(name) or paper.FILTERED[name.rpartition("-")[0]]
    return _percent(found[ALL][SHARES][name]), _percent(published / paper.TRAIN)


def _percent(share: float) -> str:
    return f"{share:.0%}"
