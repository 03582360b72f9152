"""Attribute groups."""

from __future__ import annotations

GROUPS: dict[str, tuple[str, ...]] = {
    "color": (
        *"red green white black silver purple brown orange tan blue yellow gray beige pink gold khaki maroon teal".split(),
        *("light blue", "light brown", "cream colored", "dark brown", "dark blue"),
    ),
    "material": ("wood", "plastic", "glass", "metal"),
    "pattern": ("striped", "checkered", "dotted"),
    "shape": ("square", "rectangular", "round", "triangular", "octagonal"),
    "brand": ("adidas", "nike"),
}
