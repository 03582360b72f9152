"""Pieces of a page that stands alone: its style, tables and pictures are inside it, and nothing runs or is fetched."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from unseen.render.palette import Image
from unseen.render.png import encode_png


def whole_page(title: str, body: str) -> str:
    """A page around its body."""
    style = files("unseen.report").joinpath("style.css").read_text()
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def section(title: str, *pieces: str) -> str:
    """A heading and what follows it; nothing where nothing does."""
    return "\n".join((f"<h2>{escape(title)}</h2>", *pieces)) if any(pieces) else ""


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph of plain words."""
    return f"<p{f' class={kind}' if kind else ''}>{escape(words)}</p>"


def picture(image: Image, caption: str, *, said: str) -> str:
    """An image inside the page, under its caption, which is HTML; `said` is for those who cannot see it."""
    data = b64encode(encode_png(image)).decode()
    height, width, _ = image.shape
    source = f'<img src="data:image/png;base64,{data}" alt="{escape(said)}" width="{width}" height="{height}">'
    return f"<figure><figcaption>{caption}</figcaption>{source}</figure>"


def row(pieces: Iterable[str]) -> str:
    """Pieces side by side where there is room."""
    return f'<div class="row">{"".join(pieces)}</div>'


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1, faint: str = "") -> str:
    """A table that scrolls where it is too wide: the first `words` columns to the left, numbers to the right.

    Columns may be nameless, all of them. Rows that hold the cell `faint` are shown faintly.
    """
    head = "".join(_cell("th", name, i >= words) for i, name in enumerate(columns)) if any(columns) else ""
    body = "\n".join(
        f"<tr{' class=missing' if faint and faint in cells else ''}>"
        + "".join(_cell("td", cell, i >= words) for i, cell in enumerate(cells))
        + "</tr>"
        for cells in rows
    )
    return f'<div class="wide"><table>\n<tr>{head}</tr>\n{body}\n</table></div>'


def _cell(tag: str, words: str, number: bool) -> str:
    return f"<{tag}{' class=number' if number else ''}>{escape(words)}</{tag}>"
