"""How the things of our own worlds look: each noun a few shapes, back to front, in hundredths of its box.

A shape's role is the color it takes: `main`, `dark` and `light` follow the thing's color, and only `main` shows its
pattern and material; other roles are fixed colors (`FIXED`). `form` is the outline that the thing's shape names.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from typing import NamedTuple

Points = tuple[tuple[float, float], ...]

FIXED = {
    "ink": 0x33363B,
    "skin": 0xE8B98F,
    "hair": 0x5A3A22,
    "blond": 0xE2B84B,
    "legs": 0x4B5563,
    "timber": 0x8A5A33,
    "steel": 0xB9C2CC,
    "pane": 0xD9ECF7,
    "leaf": 0x3F8F3F,
    "paper": 0xFBFBF6,
    "flame": 0xF59E0B,
    "water": 0x4DA3E8,
    "blank": 0xFFFFFF,
    "beak": 0xF2A33A,
}


class Shape(NamedTuple):
    """A filled polygon, lined or not; without points it is the form that the thing's shape names, within a box."""

    role: str
    points: Points
    box: tuple[float, float, float, float] = (0, 0, 100, 100)


def box(role: str, left: float, top: float, right: float, bottom: float) -> Shape:
    """Return a rectangle."""
    return Shape(role, ((left, top), (right, top), (right, bottom), (left, bottom)))


def oval(role: str, left: float, top: float, right: float, bottom: float) -> Shape:
    """Return an ellipse."""
    return Shape(role, _ring(24, left, top, right, bottom))


def poly(role: str, *numbers: float) -> Shape:
    """Any polygon."""
    return Shape(role, tuple(zip(numbers[::2], numbers[1::2], strict=True)))


def form(left: float, top: float, right: float, bottom: float) -> Shape:
    """Return the outline that the thing's shape names."""
    return Shape("main", (), (left, top, right, bottom))


def _ring(count: int, left: float, top: float, right: float, bottom: float, turn: float = 0.0) -> Points:
    """Points of an ellipse; rounded, so that no last digit of a sine can move a pixel."""
    middle, center, across, down = (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2
    angles = [2 * pi * (k + turn) / count for k in range(count)]
    return tuple((round(middle + across * cos(a), 4), round(center + down * sin(a), 4)) for a in angles)


FORMS: dict[str, Callable[[float, float, float, float], Points]] = {
    "round": lambda left, top, right, bottom: _ring(24, left, top, right, bottom),
    "octagonal": lambda left, top, right, bottom: _ring(8, left, top, right, bottom, turn=0.5),
    "square": lambda left, top, right, bottom: ((left, top), (right, top), (right, bottom), (left, bottom)),
    "triangular": lambda left, top, right, bottom: (((left + right) / 2, top), (right, bottom), (left, bottom)),
}


def wheel(left: float, top: float, right: float, bottom: float) -> tuple[Shape, Shape]:
    """Return a wheel with its hub."""
    across, down = (right - left) / 3, (bottom - top) / 3
    return oval("ink", left, top, right, bottom), oval(
        "steel", left + across, top + down, right - across, bottom - down
    )


def person(hair: tuple[Shape, ...]) -> dict[str, tuple[Shape, ...]]:
    """Return a person in both poses; what it wears is drawn over it."""
    return {
        "standing": (
            *(box("legs", 28, 54, 47, 97), box("legs", 53, 54, 72, 97)),
            *(box("ink", 22, 95, 47, 100), box("ink", 53, 95, 78, 100)),
            *(box("skin", 2, 28, 16, 60), box("skin", 84, 28, 98, 60)),
            *(box("skin", 42, 18, 58, 28), oval("skin", 27, 2, 73, 22), *hair),
            *(oval("ink", 38, 10, 43, 12.5), oval("ink", 57, 10, 62, 12.5), box("ink", 43, 16, 57, 17)),
        ),
        "sitting": (  # 78 hundredths as high, its legs bent
            *(box("legs", 18, 70, 47, 84), box("legs", 53, 70, 82, 84)),
            *(box("legs", 18, 80, 34, 97), box("legs", 66, 80, 82, 97)),
            *(box("ink", 12, 94, 34, 100), box("ink", 66, 94, 88, 100)),
            *(box("skin", 2, 36, 16, 77), box("skin", 84, 36, 98, 77)),
            *(box("skin", 42, 23, 58, 36), oval("skin", 27, 2.5, 73, 28)),
            *(shape._replace(points=tuple((x, y / 0.78) for x, y in shape.points)) for shape in hair),
            *(oval("ink", 38, 13, 43, 16), oval("ink", 57, 13, 62, 16), box("ink", 43, 20.5, 57, 22)),
        ),
    }


SHORT = (poly("hair", 26, 9, 30, 2, 50, -1, 70, 2, 74, 9, 62, 6, 38, 6),)
LONG = (
    poly("hair", 22, 24, 24, 6, 36, 0, 64, 0, 76, 6, 78, 24, 68, 22, 69, 8, 50, 5, 31, 8, 32, 22),
    box("hair", 22, 18, 31, 26),
    box("hair", 69, 18, 78, 26),
)
TOUSLED = (poly("blond", 25, 10, 24, 3, 34, 4, 38, -2, 48, 2, 58, -3, 64, 3, 76, 2, 75, 10, 60, 6, 40, 6),)
BUNCHES = (
    poly("blond", 26, 10, 30, 1, 50, -2, 70, 1, 74, 10, 50, 5),
    oval("blond", 6, 6, 28, 20),
    oval("blond", 72, 6, 94, 20),
)

PEOPLE = {"man": person(SHORT), "woman": person(LONG), "boy": person(TOUSLED), "girl": person(BUNCHES)}

ICONS: dict[str, tuple[Shape, ...]] = {
    # clothes
    "shirt": (
        poly(
            "main", 20, 0, 38, 0, 50, 10, 62, 0, 80, 0, 100, 34, 86, 50, 78, 40, 78, 100, 22, 100, 22, 40, 14, 50, 0, 34
        ),
    ),
    "jacket": (
        poly(
            "main", 18, 0, 40, 0, 50, 30, 60, 0, 82, 0, 100, 90, 86, 94, 78, 40, 80, 100, 20, 100, 22, 40, 14, 94, 0, 90
        ),
        box("light", 48, 28, 52, 100),
        *(box("dark", 26, 68, 42, 74), box("dark", 58, 68, 74, 74)),
    ),
    "dress": (poly("main", 30, 0, 42, 0, 50, 8, 58, 0, 70, 0, 82, 24, 70, 34, 100, 100, 0, 100, 30, 34, 18, 24),),
    "hat": (box("main", 18, 0, 82, 76), box("dark", 18, 50, 82, 72), box("main", 0, 72, 100, 100)),
    "scarf": (box("main", 8, 0, 92, 42), poly("main", 56, 30, 88, 30, 84, 100, 58, 100), box("light", 58, 86, 85, 92)),
    "backpack": (
        poly("main", 10, 10, 30, 0, 80, 0, 100, 14, 100, 90, 88, 100, 14, 100, 4, 88),
        box("dark", 18, 54, 88, 86),
        box("light", 18, 24, 88, 32),
    ),
    # furniture
    "table": (box("main", 0, 0, 100, 16), *(box("dark", left, 16, left + 8, 100) for left in (6, 86))),
    "cabinet": (
        *(box("main", 0, 0, 100, 94), box("dark", 6, 94, 18, 100), box("dark", 82, 94, 94, 100)),
        *(box("dark", 48.5, 8, 51.5, 90), oval("ink", 38, 44, 46, 52), oval("ink", 54, 44, 62, 52)),
    ),
    "stove": (
        *(box("main", 0, 6, 100, 100), box("ink", 6, 0, 40, 6), box("ink", 60, 0, 94, 6), box("pane", 14, 42, 86, 88)),
        *(oval("dark", 12, 16, 26, 30), oval("dark", 43, 16, 57, 30), oval("dark", 74, 16, 88, 30)),
    ),
    "fridge": (
        *(
            box("main", 0, 0, 100, 98),
            box("dark", 0, 34, 100, 37),
            box("ink", 80, 14, 88, 30),
            box("ink", 80, 42, 88, 64),
        ),
        box("ink", 6, 98, 94, 100),
    ),
    "chair": (
        *(
            box("main", 6, 0, 94, 40),
            box("dark", 6, 40, 16, 100),
            box("dark", 84, 40, 94, 100),
            box("main", 0, 46, 100, 60),
        ),
    ),
    "sofa": (
        *(box("main", 6, 0, 94, 64), box("main", 0, 28, 14, 92), box("main", 86, 28, 100, 92)),
        *(
            box("main", 14, 50, 86, 90),
            box("dark", 49, 50, 51, 90),
            box("ink", 4, 92, 12, 100),
            box("ink", 88, 92, 96, 100),
        ),
    ),
    "bed": (
        *(box("timber", 0, -30, 8, 100), box("timber", 92, -10, 100, 100), box("main", 8, 0, 92, 56)),
        *(box("paper", 10, -14, 30, 4), box("timber", 8, 56, 92, 68)),
    ),
    "bookcase": (
        *(
            box("main", 0, 0, 100, 100),
            box("paper", 8, 6, 92, 28),
            box("paper", 8, 36, 92, 60),
            box("paper", 8, 68, 92, 94),
        ),
        *(
            box("dark", 14, 10, 24, 28),
            box("light", 28, 12, 40, 28),
            box("ink", 44, 8, 54, 28),
            box("ink", 62, 40, 72, 60),
        ),
        *(
            box("dark", 48, 42, 58, 60),
            box("light", 16, 40, 28, 60),
            box("dark", 20, 74, 32, 94),
            box("ink", 76, 72, 86, 94),
        ),
    ),
    "bench": (  # planks between two arms that curl up
        *(poly("ink", 12, 22, 18, 22, 12, 100, 4, 100), poly("ink", 82, 22, 88, 22, 96, 100, 88, 100)),
        *(box("main", 3, 0, 97, 9), box("main", 3, 12, 97, 22)),
        *(box("ink", -1, -20, 3, 24), box("ink", 97, -20, 101, 24), oval("ink", -2, -28, 7, -16)),
        oval("ink", 93, -28, 102, -16),
    ),
    "lamp": (
        *(box("ink", 46, 28, 54, 94), box("ink", 22, 94, 78, 100), poly("main", 24, 0, 76, 0, 100, 30, 0, 30)),
        oval("flame", 40, 27, 60, 36),
    ),
    "clock": (
        *(form(2, 2, 98, 98), oval("paper", 14, 14, 86, 86), box("ink", 47, 24, 53, 52), box("ink", 47, 47, 70, 53)),
    ),
    "pillow": (form(0, 0, 100, 100), oval("dark", 44, 42, 56, 58)),
    # containers
    "box": (box("main", 0, 0, 100, 100), box("dark", 0, 0, 100, 18), box("light", 44, 18, 56, 44)),
    "basket": (poly("main", 0, 26, 100, 26, 86, 100, 14, 100), box("dark", 0, 18, 100, 34)),
    "bucket": (poly("main", 0, 10, 100, 10, 82, 100, 18, 100), oval("dark", 0, 0, 100, 22), box("dark", 6, 44, 94, 52)),
    "bowl": (poly("main", 0, 10, 100, 10, 84, 74, 66, 96, 34, 96, 16, 74), box("dark", 0, 0, 100, 18)),
    "pot": (
        box("main", 12, 14, 88, 100),
        box("dark", 6, 4, 94, 20),
        box("ink", 0, 34, 12, 46),
        box("ink", 88, 34, 100, 46),
    ),
    "bag": (
        poly("main", 6, 28, 94, 28, 100, 100, 0, 100),
        *(box("ink", 28, 4, 34, 30), box("ink", 66, 4, 72, 30)),
        box("ink", 28, 0, 72, 7),
    ),
    "trash can": (
        *(poly("main", 6, 16, 94, 16, 84, 100, 16, 100), box("dark", 0, 6, 100, 18), box("ink", 38, 0, 62, 7)),
        *(box("dark", 30, 28, 35, 90), box("dark", 65, 28, 70, 90)),
    ),
    # what is put on and into them
    "cup": (oval("dark", 60, 22, 100, 78), oval("paper", 68, 34, 90, 66), poly("main", 0, 0, 78, 0, 72, 100, 6, 100)),
    "vase": (
        poly("main", 26, 0, 74, 0, 64, 22, 96, 50, 84, 92, 70, 100, 30, 100, 16, 92, 4, 50, 36, 22),
        box("dark", 24, 0, 76, 8),
    ),
    "bottle": (
        *(poly("main", 32, 10, 68, 10, 68, 32, 100, 46, 100, 100, 0, 100, 0, 46, 32, 32), box("ink", 28, 0, 72, 12)),
        box("paper", 0, 58, 100, 84),
    ),
    "apple": (
        oval("main", 0, 16, 62, 100),
        oval("main", 38, 16, 100, 100),
        box("timber", 46, 0, 54, 26),
        oval("leaf", 54, 2, 86, 18),
    ),
    "pear": (
        oval("main", 0, 38, 100, 100),
        oval("main", 24, 10, 76, 66),
        box("timber", 46, 0, 54, 16),
        oval("leaf", 54, 0, 88, 14),
    ),
    "banana": (poly("main", 0, 8, 10, 0, 18, 30, 46, 56, 80, 54, 98, 40, 100, 54, 84, 84, 50, 100, 18, 78, 4, 44),),
    "bread": (
        poly("main", 0, 44, 8, 12, 26, 0, 74, 0, 92, 12, 100, 44, 96, 100, 4, 100),
        *(poly("dark", k, 14, k + 6, 14, k + 14, 48, k + 8, 48) for k in (20, 42, 64)),
    ),
    "cake": (
        form(0, 26, 100, 100),
        box("light", 8, 46, 92, 60),
        box("paper", 46, 6, 54, 28),
        oval("flame", 44, 0, 56, 10),
    ),
    "melon": (oval("main", 0, 0, 100, 100), *(oval("dark", k, 8, k + 8, 92) for k in (24, 46, 68))),
    "pumpkin": (
        oval("main", 0, 16, 60, 100),
        oval("main", 40, 16, 100, 100),
        oval("main", 24, 14, 76, 100),
        box("leaf", 44, 0, 56, 20),
    ),
    "book": (box("main", 0, 0, 100, 100), box("dark", 0, 0, 14, 100), box("paper", 28, 18, 88, 40)),
    "robot": (
        *(
            box("main", 20, 10, 80, 42),
            box("main", 10, 46, 90, 84),
            box("dark", 20, 84, 42, 100),
            box("dark", 58, 84, 80, 100),
        ),
        *(
            oval("paper", 28, 18, 44, 32),
            oval("paper", 56, 18, 72, 32),
            box("ink", 47, 0, 53, 10),
            box("dark", 0, 48, 10, 76),
        ),
        *(box("dark", 90, 48, 100, 76), oval("flame", 42, 56, 58, 70)),
    ),
    "ball": (oval("main", 0, 0, 100, 100), oval("light", 20, 14, 40, 32)),
    "balloon": (box("ink", 48, 66, 52, 100), form(0, 0, 100, 68), oval("light", 18, 10, 36, 26)),
    "kite": (
        poly("main", 50, 0, 100, 36, 50, 82, 0, 36),
        box("ink", 48, 0, 52, 82),
        poly("light", 50, 82, 62, 92, 46, 100, 40, 92),
    ),
    "drum": (box("main", 0, 14, 100, 88), oval("paper", 0, 0, 100, 28), oval("dark", 0, 80, 100, 100)),
    # animals
    "cat": (
        *(poly("main", 84, 66, 92, 60, 92, 20, 84, 6, 92, 0, 100, 18, 100, 72, 92, 84), oval("main", 22, 40, 94, 100)),
        *(oval("main", 0, 14, 50, 62), poly("main", 2, 30, 6, 0, 22, 18), poly("main", 28, 18, 44, 0, 48, 30)),
        *(
            oval("flame", 10, 30, 18, 40),
            oval("flame", 30, 30, 38, 40),
            oval("ink", 20, 42, 28, 48),
            box("main", 26, 80, 36, 100),
        ),
    ),
    "dog": (
        *(
            poly("main", 86, 44, 96, 10, 100, 14, 94, 52),
            box("main", 32, 30, 92, 68),
            box("main", 34, 60, 44, 100),
            box("main", 80, 60, 90, 100),
        ),
        *(
            box("main", 50, 60, 58, 96),
            oval("main", 4, 2, 48, 50),
            oval("main", 0, 22, 26, 46),
            poly("dark", 32, 4, 48, 8, 50, 44, 38, 36),
        ),
        *(
            oval("ink", 0, 24, 8, 34),
            oval("blank", 16, 14, 24, 24),
            oval("ink", 18, 16, 23, 22),
            box("flame", 30, 46, 48, 52),
        ),
    ),
    "bird": (
        *(
            oval("main", 18, 28, 88, 90),
            oval("main", 4, 0, 46, 50),
            poly("beak", 6, 18, -6, 30, 8, 34),
            poly("main", 80, 40, 100, 24, 98, 60, 82, 66),
        ),
        *(
            oval("dark", 42, 42, 80, 74),
            oval("blank", 16, 12, 28, 26),
            oval("ink", 19, 15, 26, 23),
            box("ink", 44, 88, 48, 100),
            box("ink", 58, 88, 62, 100),
        ),
    ),
    "duck": (
        *(
            oval("main", 14, 40, 100, 96),
            oval("main", 4, 0, 44, 44),
            box("main", 20, 30, 42, 60),
            poly("beak", 8, 18, -8, 24, 8, 32),
        ),
        *(
            oval("dark", 46, 52, 88, 82),
            oval("ink", 16, 12, 24, 20),
            box("beak", 50, 94, 58, 100),
            box("beak", 66, 94, 74, 100),
        ),
    ),
    "chicken": (
        *(
            oval("main", 16, 36, 92, 92),
            poly("main", 78, 50, 100, 14, 98, 66),
            oval("main", 6, 10, 42, 50),
            poly("beak", 8, 26, -6, 32, 8, 38),
        ),
        *(
            poly("flame", 14, 14, 18, 0, 24, 10, 30, 0, 36, 14),
            oval("ink", 16, 22, 24, 30),
            oval("dark", 44, 50, 78, 76),
        ),
        *(box("beak", 46, 90, 50, 100), box("beak", 62, 90, 66, 100)),
    ),
    "horse": (
        *(
            poly("dark", 88, 34, 100, 40, 98, 80, 90, 70),
            box("main", 26, 34, 92, 66),
            box("main", 28, 60, 36, 100),
            box("main", 82, 60, 90, 100),
        ),
        *(
            box("main", 42, 60, 49, 98),
            box("main", 70, 60, 77, 98),
            poly("main", 24, 60, 14, 20, 28, 8, 44, 40),
            oval("main", 0, 6, 30, 28),
        ),
        *(
            poly("dark", 24, 6, 32, 4, 46, 38, 38, 40),
            poly("main", 20, 10, 24, -2, 28, 10),
            oval("ink", 14, 12, 18, 17),
        ),
    ),
    "cow": (
        *(
            box("main", 22, 20, 92, 72),
            box("main", 26, 66, 36, 100),
            box("main", 78, 66, 88, 100),
            box("main", 44, 66, 52, 96),
        ),
        *(
            box("main", 2, 16, 30, 50),
            box("skin", 0, 40, 24, 56),
            poly("paper", 4, 18, -2, 4, 12, 14),
            poly("paper", 22, 14, 32, 2, 30, 18),
        ),
        *(
            oval("light", 40, 28, 60, 54),
            oval("light", 68, 36, 84, 62),
            oval("ink", 8, 26, 14, 34),
            poly("ink", 90, 24, 97, 30, 96, 66, 93, 66, 93, 34),
        ),
    ),
    "sheep": (
        *(
            box("ink", 30, 74, 38, 100),
            box("ink", 72, 74, 80, 100),
            oval("main", 18, 16, 60, 84),
            oval("main", 50, 14, 98, 84),
        ),
        *(
            oval("main", 32, 6, 80, 60),
            oval("main", 34, 40, 82, 92),
            oval("skin", 0, 20, 30, 62),
            oval("main", 4, 10, 32, 34),
            oval("ink", 8, 36, 14, 44),
        ),
    ),
    # plants
    "tree": (
        box("timber", 42, 56, 58, 100),
        oval("main", 0, 26, 58, 70),
        oval("main", 42, 26, 100, 70),
        oval("main", 18, 0, 82, 52),
    ),
    "bush": (
        form(0, 0, 100, 100),
        oval("dark", 20, 24, 34, 44),
        oval("dark", 56, 20, 70, 40),
        oval("dark", 40, 56, 54, 76),
        oval("dark", 72, 56, 86, 74),
    ),
    "plant": (
        *(
            oval("main", 0, 14, 46, 48),
            oval("main", 54, 14, 100, 48),
            oval("main", 26, 0, 74, 52),
            box("leaf", 46, 44, 54, 66),
        ),
        poly("timber", 20, 62, 80, 62, 70, 100, 30, 100),
    ),
    "flower": (
        *(
            box("leaf", 45, 40, 55, 100),
            oval("leaf", 50, 66, 92, 80),
            *(oval("main", x, y, x + 44, y + 24) for x, y in ((28, 0), (56, 12), (0, 12), (12, 30), (44, 30))),
        ),
        oval("flame", 34, 18, 66, 36),
    ),
    # outdoors
    "fence": (
        *(
            box("main", 0, 28, 100, 42),
            box("main", 0, 64, 100, 78),
            *(poly("main", k, 12, k + 6, 0, k + 12, 12, k + 12, 100, k, 100) for k in (2, 23, 44, 65, 86)),
        ),
    ),
    "car": (
        *(
            poly("main", 20, 46, 32, 4, 72, 4, 86, 46),
            poly("pane", 28, 42, 37, 12, 50, 12, 50, 42),
            poly("pane", 54, 42, 54, 12, 68, 12, 77, 42),
        ),
        *(box("main", 0, 42, 100, 82), box("flame", 0, 50, 6, 60), *wheel(12, 62, 30, 100), *wheel(70, 62, 88, 100)),
    ),
    "truck": (
        *(
            box("main", 34, 0, 100, 74),
            box("dark", 0, 26, 32, 78),
            box("pane", 4, 32, 22, 50),
            box("ink", 0, 74, 100, 84),
        ),
        *(*wheel(8, 70, 26, 100), *wheel(56, 70, 72, 100), *wheel(78, 70, 94, 100)),
    ),
    "bicycle": (
        *(
            oval("ink", 0, 42, 38, 100),
            oval("blank", 6, 50, 32, 91),
            oval("ink", 62, 42, 100, 100),
            oval("blank", 68, 50, 94, 91),
        ),
        *(
            poly("main", 17, 70, 33, 26, 38, 26, 22, 74),
            poly("main", 34, 30, 70, 30, 70, 38, 34, 38),
            poly("main", 66, 32, 72, 32, 52, 76, 46, 72),
        ),
        *(
            poly("main", 32, 30, 38, 30, 54, 76, 46, 76),
            poly("main", 66, 30, 72, 28, 84, 70, 78, 74),
            box("ink", 24, 16, 42, 26),
            box("ink", 62, 6, 80, 14),
        ),
        box("ink", 68, 10, 73, 32),
    ),
    "motorcycle": (
        *(
            *wheel(0, 46, 34, 100),
            *wheel(66, 46, 100, 100),
            poly("main", 20, 60, 34, 34, 64, 30, 84, 62, 66, 78, 36, 78),
        ),
        *(
            box("ink", 28, 22, 62, 36),
            poly("ink", 66, 6, 78, 2, 86, 66, 80, 68),
            box("ink", 62, 4, 76, 12),
            box("steel", 14, 74, 52, 82),
        ),
    ),
    "tractor": (
        *(
            box("main", 4, 40, 70, 74),
            box("main", 52, 4, 96, 44),
            box("pane", 58, 10, 90, 40),
            box("ink", 14, 12, 20, 40),
        ),
        *(*wheel(46, 40, 98, 100), *wheel(4, 66, 28, 100)),
    ),
    "cart": (
        box("main", 10, 10, 100, 66),
        box("dark", 10, 10, 100, 20),
        box("ink", 0, 14, 12, 22),
        *wheel(20, 62, 44, 100),
        *wheel(66, 62, 90, 100),
    ),
    "stroller": (
        *(
            poly("main", 20, 36, 92, 36, 82, 74, 30, 74),
            poly("main", 52, 36, 54, 0, 76, 4, 92, 20, 96, 36),
            poly("ink", 0, 10, 6, 6, 32, 60, 26, 62),
        ),
        *(*wheel(22, 74, 46, 100), *wheel(66, 74, 90, 100)),
    ),
    "sign": (box("steel", 44, 40, 56, 100), form(0, 0, 100, 44), box("paper", 24, 19, 76, 26)),
    "hydrant": (
        box("main", 22, 18, 78, 92),
        oval("main", 20, 0, 80, 36),
        box("dark", 0, 40, 24, 58),
        box("dark", 76, 40, 100, 58),
        box("dark", 10, 90, 90, 100),
    ),
    "mailbox": (
        box("timber", 42, 50, 58, 100),
        box("main", 0, 8, 100, 52),
        box("ink", 16, 20, 84, 26),
        poly("flame", 88, 0, 100, 0, 100, 10, 94, 10, 94, 22, 88, 22),
    ),
    # tools
    "knife": (box("main", 0, 20, 42, 80), poly("steel", 42, 0, 92, 10, 100, 50, 90, 96, 42, 80)),
    "saw": (
        box("main", 0, 0, 32, 100),
        poly("steel", 32, 10, 100, 30, *(n for k in range(6) for n in (97 - 11 * k, 62, 91 - 11 * k, 90)), 32, 70),
    ),
    "brush": (box("main", 0, 34, 60, 66), box("steel", 60, 16, 74, 84), poly("dark", 74, 8, 100, 0, 100, 100, 74, 92)),
    "roller": (box("ink", 0, 60, 46, 76), box("ink", 42, 20, 48, 70), box("main", 48, 0, 100, 40)),
    "bat": (poly("main", 0, 36, 40, 26, 92, 0, 100, 20, 100, 80, 92, 100, 40, 74, 0, 64), box("dark", 0, 30, 10, 70)),
    "racket": (
        box("ink", 0, 38, 46, 62),
        oval("main", 42, 0, 100, 100),
        oval("paper", 49, 14, 93, 86),
        box("main", 69, 12, 73, 88),
        box("main", 48, 46, 94, 54),
    ),
    "stick": (poly("main", 0, 30, 60, 20, 74, 0, 82, 10, 74, 30, 100, 36, 100, 70, 0, 80),),
    "watering can": (
        *(
            box("main", 16, 30, 66, 100),
            poly("main", 62, 66, 92, 18, 100, 26, 66, 92),
            oval("ink", 0, 26, 40, 88),
            oval("blank", 8, 38, 32, 76),
        ),
        *(box("main", 16, 30, 66, 100), poly("dark", 84, 10, 94, 4, 100, 34, 94, 34)),
    ),
    "hose": (
        poly("main", 0, 56, 20, 30, 44, 50, 64, 24, 84, 30, 84, 52, 66, 48, 46, 78, 20, 58, 4, 84),
        box("steel", 82, 22, 100, 60),
    ),
    "carrot": (
        poly("main", 0, 50, 70, 6, 80, 30, 80, 70, 70, 94),
        poly("leaf", 78, 30, 100, 0, 94, 42, 100, 60, 92, 62, 98, 100, 78, 70),
    ),
}

# what shows that someone does something to a thing: signs around the middle of its top, in the scene's pixels
EFFECTS: dict[str, tuple[Shape, ...]] = {
    "cutting": (poly("blank", -2, -2, 2, -2, 2, 24, -2, 24), poly("ink", -5, -10, 5, -10, 0, -3)),
    "painting": (
        poly("flame", -12, 2, -2, -4, 10, 0, 14, 10, 6, 12, 4, 22, 0, 12, -8, 12),
        oval("flame", -16, 10, -10, 16),
    ),
    "hitting": (poly("flame", -20, 0, -12, -2, -10, -10, -6, -2, 2, -2, -4, 4, -2, 12, -10, 7, -18, 12, -15, 4),),
    "watering": tuple(
        poly("water", x, y, x + 4, y + 7, x, y + 11, x - 4, y + 7) for x, y in ((-12, -14), (0, -18), (10, -12))
    ),
    "feeding": tuple(oval("flame", x, y, x + 5, y + 5) for x, y in ((-24, -10), (-16, -5), (-22, 0))),
    "putting": (poly("flame", -3, -22, 3, -22, 3, -13, 8, -13, 0, -4, -8, -13, -3, -13),),
}

# what a line leads to from a person's hand: the place on the thing, in shares of its box
REACHED = {"walking": (0.4, 0.48), "pushing": (0.03, 0.18)}
