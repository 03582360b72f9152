"""What is far behind the things of a drawing: faint shapes that name nothing, so that no question is about them.

A backdrop is a function of a number that is random enough, and of the height of its strip in the scene's pixels; it
gives shapes in the strip's pixels, in `shade` or in `light`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import cos, pi

from unseen.benchmarks.covr.world.icons import Shape, box, oval, poly

Backdrop = Callable[[int, int], Iterator[Shape]]

WIDTH = 360  # of a strip, in pixels


def plain(number: int, height: int) -> Iterator[Shape]:
    """Nothing."""
    return iter(())


def tiles(number: int, height: int) -> Iterator[Shape]:
    """Lines between tiles."""
    side = 24 + number % 3 * 8
    yield from (box("light", x, 0, x + 1.5, height) for x in range(number % side, WIDTH, side))
    yield from (box("light", 0, y, WIDTH, y + 1.5) for y in range(side // 2, height, side))


def panels(number: int, height: int) -> Iterator[Shape]:
    """Broad stripes of a wallpaper."""
    wide = 14 + number % 4 * 8
    yield from (box("light", x, 0, x + wide, height) for x in range(number // 4 % wide, WIDTH, 2 * wide))


def wainscot(number: int, height: int) -> Iterator[Shape]:
    """Yield a wall that is darker below, with a rail."""
    rail = height - 50 - number % 24
    yield box("shade", 0, rail, WIDTH, height)
    yield box("light", 0, rail - 4, WIDTH, rail)


def hills(number: int, height: int) -> Iterator[Shape]:
    """Hills one behind the other."""
    for k, role in enumerate(("light", "shade")):
        phase, rise = number // (7 * k + 1) % 12, 22 + number // (3 + k) % 5 * 6
        crest = [
            (x, height - 26 - rise * (1.4 - k) * (1 + cos(2 * pi * (x / 260 + phase / 12))) / 2)
            for x in range(0, 361, 20)
        ]
        points = [(float(x), round(y, 2)) for x, y in crest]
        yield poly(role, *(value for point in (*points, (WIDTH, height), (0, height)) for value in point))


def clouds(number: int, height: int) -> Iterator[Shape]:
    """Yield two or three clouds."""
    for k in range(2 + number % 2):
        x, y = 20 + number // (k + 2) % 90 + 115 * k, 8 + number // (k + 5) % 26
        yield oval("light", x, y + 4, x + 62, y + 22)
        yield oval("light", x + 14, y - 3, x + 44, y + 19)


def skyline(number: int, height: int) -> Iterator[Shape]:
    """Blocks far away."""
    x = 0
    while x < WIDTH:
        number = (number * 1103515245 + 12345) % 2**31
        wide, tall = 24 + number // 64 % 30, 30 + number // 4096 % 60
        yield box("shade", x, height - tall, x + wide, height)
        x += wide + number // 16 % 12


def rows(number: int, height: int) -> Iterator[Shape]:
    """Furrows of a field that run towards the horizon."""
    horizon = height - 40 - number % 16
    yield box("shade", 0, horizon, WIDTH, height)
    middle = 120 + number // 16 % 120
    yield from (poly("light", middle, horizon, x, height, x + 10, height) for x in range(-120, 480, 44))


FAR: dict[str, tuple[Backdrop, ...]] = {
    "kitchen": (plain, tiles, tiles, wainscot),
    "room": (plain, panels, wainscot, panels),
    "park": (plain, hills, clouds, hills),
    "street": (plain, skyline, skyline, clouds),
    "farm": (plain, hills, rows, clouds),
}
