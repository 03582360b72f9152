"""Generalization to what was held out, of the models that were run: a table for a page and for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from unseen.report.html import paragraph, section, table
from unseen.report.tables import DASH
from unseen.results.generalization import Generalization

COLUMNS = ("setup", "questions", "models", "ours", "paper")


def generalization_section(found: Sequence[Generalization]) -> str:
    """The scores of the setups that were run; nothing where none was."""
    lines = generalization_lines(found)
    if not lines:
        return ""
    about = paragraph(
        "Of the gap between a model without images and one trained on as many questions of every kind, the share that"
        " training without the held-out questions closes, in percent.",
        "quiet",
    )
    return section("Generalization score", about, table(COLUMNS, lines, words=3))


def generalization_lines(found: Sequence[Generalization]) -> list[tuple[str, ...]]:
    """The setups that were run, under `COLUMNS`."""
    return [
        (one.setup, one.text, one.family, _number(one.ours), _number(one.paper))
        for one in found
        if one.ours is not None
    ]


def _number(value: float | None) -> str:
    return DASH if value is None else f"{value:.1f}"
