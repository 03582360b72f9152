"""Charts as SVG for a page: lines over steps, bars with a mark for the paper's number, and heat maps. All say numbers.

Colors are classes of the page's style sheet, so that charts follow light and dark screens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, inf, log10
from types import MappingProxyType

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 96, 26, 36  # around the axes; names of lines stand at the right
LINE = 15  # height of a line of text
BAR, BETWEEN = 22, 16  # height of a bar, and the room below it
BARS, BARS_WIDTH = 150, 310  # where bars begin, and how long one of 100 percent is
SQUARES, SQUARE = 70, (56, 30)  # where the squares of a heat map begin, and how wide and high one is

Curve = Sequence[tuple[float, float]]
Place = Callable[[float, float], tuple[float, float]]  # of a value on the chart


@dataclass(frozen=True)
class Bar:
    """A value in percent, and the published one where there is one."""

    name: str
    value: float
    paper: float | None = None


def line_chart(
    curves: Mapping[str, Curve],
    *,
    over: str,
    what: str,
    top: float | None = None,
    stops: Sequence[float] = (),
    paper: Mapping[str, Curve] = MappingProxyType({}),
    marks: Mapping[str, float] = MappingProxyType({}),
) -> str:
    """Lines over steps from zero up, each named at its end; `top` is the highest value, the data's where none is given.

    A curve without points is left out and keeps its color, so that charts of the same curves agree. With `stops`, the
    points are at these alone, which stand at equal distances: 20, 50, 100 would crowd at the left of an even axis. What
    the `paper` has of a curve is dashed in its color, and named where we have nothing. `marks` are upright lines, each
    named where it begins, such as the stages of a training.

    >>> line_chart({"train": [(0, 1.0), (10, 0.5)]}, over="step", what="loss").count("<polyline")
    1
    """
    drawn = [(name, curve, "line") for name, curve in curves.items() if curve]
    drawn += [(name, curve, "line paper") for name, curve in paper.items() if curve]
    points = [point for _, curve, _ in drawn for point in curve]
    lowest = min(0.0, *(y for _, y in points))
    across, up = stops or ticks(max(x for x, _ in points)), ticks(top or max(y for _, y in points), lowest)

    def place(x: float, y: float) -> tuple[float, float]:
        inner = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
        share = stops.index(x) / max(1, len(stops) - 1) if stops else x / across[-1]
        return LEFT + inner[0] * share, TOP + inner[1] * (1 - min((y - up[0]) / (up[-1] - up[0]), 1))

    pieces = [*_grid(across, up, place), *_marks(marks, up, place)]
    pieces += [_text(WIDTH - RIGHT, HEIGHT - 4, over, "end"), _text(LEFT, 11, what, "start")]
    ends = {name: place(*curve[-1]) for name, curve, _ in reversed(drawn)}  # ours last, so that it has the name
    heights = spread({name: y for name, (_, y) in ends.items()})
    colors = {name: f"c{number}" for number, name in enumerate(dict.fromkeys((*curves, *paper)))}
    for name, curve, kind in drawn:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in curve))
        x, y = place(*curve[-1])
        pieces.append(f'<polyline class="{kind} {colors[name]}" points="{path}"/>')
        pieces.append(f'<circle class="dot {colors[name]}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
    for name, (x, _) in ends.items():
        pieces.append(_text(x + 8, heights[name] + 4, name, "start", colors[name]))
    return _svg(pieces, HEIGHT, f"{what} over {over}: {', '.join(colors)}")


def _grid(across: Sequence[float], up: Sequence[float], place: Place) -> list[str]:
    pieces = []
    for y in up:
        (left, height), (right, _) = place(across[0], y), place(across[-1], y)
        pieces.append(f'<path class="rule" d="M{left:.1f} {height:.1f}H{right:.1f}"/>')
        pieces.append(_text(left - 7, height + 4, f"{y:g}", "end"))
    for x in across:
        left, bottom = place(x, up[0])
        pieces.append(_text(left, bottom + 17, f"{x:,g}", "middle"))
    return pieces


def _marks(marks: Mapping[str, float], up: Sequence[float], place: Place) -> list[str]:
    pieces = []
    for name, x in marks.items():
        (left, bottom), (_, top) = place(x, up[0]), place(x, up[-1])
        pieces.append(f'<path class="rule" d="M{left:.1f} {bottom:.1f}V{top:.1f}"/>')
        pieces.append(_text(left + 4, top + LINE, name, "start"))
    return pieces


def spread(heights: Mapping[str, float]) -> dict[str, float]:
    """Heights of names moved up until none covers another.

    >>> spread({"a": 100.0, "b": 101.0, "c": 300.0})
    {'c': 300.0, 'b': 101.0, 'a': 86.0}
    """
    moved: dict[str, float] = {}
    highest = inf
    for name, height in sorted(heights.items(), key=lambda item: -item[1]):
        highest = moved[name] = min(height, highest - LINE)
    return moved


def ticks(most: float, least: float = 0.0) -> list[float]:
    """Round numbers from 0, or at most `least`, to at least `most`, four to seven of them.

    >>> ticks(1.0), ticks(160), ticks(0)
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 50.0, 100.0, 150.0, 200.0], [0.0, 0.25, 0.5, 0.75, 1.0])
    """
    span = most - least if most > least else 1.0
    unit = 10.0 ** floor(log10(span))
    step = next(unit * share for share in (0.25, 0.5, 1, 2, 2.5) if span / (unit * share) <= 5)
    return [round(step * k, 10) for k in range(floor(least / step), ceil((least + span) / step) + 1)]


def bar_chart(bars: Sequence[Bar]) -> str:
    """Bars from 0 to 100 percent, each with its number; a line across a bar is the paper's.

    >>> '99.5 %' in bar_chart([Bar("test", 99.5, paper=100.0)])
    True
    """
    pieces = [piece for number, bar in enumerate(bars) for piece in _bar(number, bar)]
    described = "; ".join(f"{bar.name} {bar.value:.1f} percent" for bar in bars)
    return _svg(pieces, len(bars) * (BAR + BETWEEN), described)


def _bar(number: int, bar: Bar) -> list[str]:
    top = number * (BAR + BETWEEN) + 4
    middle = top + BAR / 2 + 5  # the base line of its words
    said = f"{bar.value:.1f} %" + ("" if bar.paper is None else f" (paper {bar.paper:.1f})")
    pieces = [
        _text(BARS - 10, middle, bar.name, "end"),
        _rectangle("track", top, BARS_WIDTH),
        _rectangle(f"bar c{number}", top, BARS_WIDTH * bar.value / 100),
        _text(BARS + BARS_WIDTH + 10, middle, said, "start"),
    ]
    if bar.paper is not None:
        at = BARS + BARS_WIDTH * bar.paper / 100
        pieces.append(f'<path class="mark" d="M{at:.1f} {top - 4}v{BAR + 8}"/>')
    return pieces


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: Mapping[tuple[str, str], float], *, what: str, most: float
) -> str:
    """Give a square for each pair of a row and a column that has a value: its number, the darker the closer to `most`.

    >>> heat_map(["size"], ["shape", "size"], {("size", "shape"): 2}, what="rules", most=4).count("<rect")
    1
    """
    pieces = []
    for number, name in enumerate(columns):
        pieces.append(_text(SQUARES + (number + 0.5) * SQUARE[0], LINE, name, "middle"))
    for number, name in enumerate(rows):
        top = TOP + number * SQUARE[1]
        pieces.append(_text(SQUARES - 8, top + SQUARE[1] / 2 + 4, name, "end"))
        for place, column in enumerate(columns):
            if (name, column) in values:
                pieces += _square(SQUARES + place * SQUARE[0], top, values[name, column], most)
    described = "; ".join(f"{row} and {column}: {value:.3g}" for (row, column), value in values.items())
    return _svg(pieces, TOP + len(rows) * SQUARE[1] + 4, f"{what}: {described}")


def _square(left: float, top: float, value: float, most: float) -> list[str]:
    width, height = SQUARE[0] - 2, SQUARE[1] - 2
    shade = 0.06 + 0.6 * max(0.0, min(1.0, value / most))  # never so dark that the number cannot be read
    return [
        f'<rect class="heat" x="{left + 1:.1f}" y="{top + 1}" width="{width}" height="{height}" rx="3"'
        f' fill-opacity="{shade:.2f}"/>',
        _text(left + SQUARE[0] / 2, top + SQUARE[1] / 2 + 4, f"{value:.3g}", "middle", "strong"),
    ]


def _rectangle(kind: str, top: float, width: float) -> str:
    return f'<rect class="{kind}" x="{BARS}" y="{top}" width="{width:.1f}" height="{BAR}" rx="3"/>'


def _text(x: float, y: float, words: str, anchor: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _svg(pieces: Sequence[str], height: int, described: str) -> str:
    label = escape(described, quote=True)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">{"".join(pieces)}</svg>'
