"""Pieces of a page as HTML: tables and pictures are inside it, and nothing runs or is fetched."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from unseen.render.palette import Image
from unseen.render.png import encode_png


class Html(str):
    """Text that is HTML already, such as a link in a cell of a table."""

    __slots__ = ()


def section(title: str, *pieces: str) -> str:
    """Put a heading above what follows it; nothing where nothing does."""
    return "\n".join((f"<h2>{escape(title)}</h2>", *pieces)) if any(pieces) else ""


def paragraph(words: str, kind: str = "") -> str:
    """Return a paragraph of plain words."""
    return f"<p{f' class={kind}' if kind else ''}>{escape(words)}</p>"


def picture(image: Image, caption: str, *, said: str) -> str:
    """Return an image inside the page, under its caption, which is HTML; `said` is for those who cannot see it."""
    data = b64encode(encode_png(image)).decode()
    height, width, _ = image.shape
    source = f'<img src="data:image/png;base64,{data}" alt="{escape(said)}" width="{width}" height="{height}">'
    return f"<figure><figcaption>{caption}</figcaption>{source}</figure>"


def folded(summary: str, *pieces: str) -> str:
    """Hide pieces behind a line that opens them; nothing where there are none."""
    inside = "\n".join(piece for piece in pieces if piece)
    return f"<details><summary>{escape(summary)}</summary>\n{inside}\n</details>" if inside else ""


def bullets(sentences: Iterable[str]) -> str:
    """Return a list of plain sentences."""
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def row(pieces: Iterable[str]) -> str:
    """Set pieces side by side where there is room, in a notebook too, which has no style sheet of ours."""
    return f'<div class="row" style="display: flex; flex-wrap: wrap; gap: 1.25rem">{"".join(pieces)}</div>'


def column(pieces: Iterable[str]) -> str:
    """Set pieces one below the other, each as wide as the page, so that small letters in pictures can be read."""
    return f'<div class="column">{"".join(pieces)}</div>'


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """Return a table that scrolls where it is too wide: the first `words` columns to the left, numbers to the right.

    Columns may be nameless, all of them. A cell is plain text, or HTML where it is an `Html`.
    """
    head = "".join(_cell("th", name, i >= words) for i, name in enumerate(columns)) if any(columns) else ""
    body = "\n".join(
        "<tr>" + "".join(_cell("td", cell, i >= words) for i, cell in enumerate(cells)) + "</tr>" for cells in rows
    )
    return f'<div class="wide" tabindex="0"><table>\n<tr>{head}</tr>\n{body}\n</table></div>'


def _cell(tag: str, words: str, number: bool) -> str:
    inside = words if isinstance(words, Html) else escape(words)
    return f"<{tag}{' class=number' if number else ''}>{inside}</{tag}>"
