"""What videos are made of: the shapes, and the changes that an object may undergo while it moves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """A shape: `number` is its name in kernels, where its geometry is."""

    number: int
    name: str
    description: str


SPRITES = {  # of dSprites; sizes are those of scale 1 in a frame of 64 pixels
    shape.name: shape
    for shape in (
        Shape(0, "square", "sides of 19.2 pixels"),
        Shape(1, "ellipse", "semi-axes of 12.74 and 7.22 pixels"),
        Shape(2, "heart", "two discs and the tangents that meet in its tip, 20 pixels wide and 17 high"),
    )
}
TEMPLATES = {  # of SpMOT; 21 pixels wide and high in a frame of 128, then stretched
    shape.name: shape
    for shape in (
        Shape(3, "circle", "distance of at most 10.5 pixels to the middle"),
        Shape(4, "rectangle", "every pixel"),
        Shape(5, "triangle", "widens by two pixels every second row"),
        Shape(6, "diamond", "distance of at most 10.5 pixels to the middle, rows and columns added up"),
    )
}
SHAPES = {**SPRITES, **TEMPLATES}
NUMBERED = tuple(SHAPES)  # by number
SOLIDS = {  # of VOR
    "box": "edges of 80 centimeters, turned about the vertical",
    "ball": "60 centimeters high",
}

CHANGES = {  # that objects of the out-of-distribution sets undergo, each at its own constant pace
    "rotation": "turns about its centroid by 5 to 40 degrees a frame, either way",
    "color": "changes hue by 5 to 40 degrees a frame, either way; saturation and value stay",
    "size": "starts at the smallest or largest scale and from some frame on goes to the other, a step a frame",
}


def describe() -> list[dict[str, str]]:
    """Shapes and changes as rows for people."""
    shapes = {shape.name: f"a shape: {shape.description}" for shape in SHAPES.values()}
    shapes |= {name: f"a body: {description}" for name, description in SOLIDS.items()}
    changes = {name: f"a change: the object {meaning}" for name, meaning in CHANGES.items()}
    return [{"rule": name, "what it does": meaning} for name, meaning in (shapes | changes).items()]
