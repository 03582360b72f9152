"""Placeholder."""

import numpy as np
from PIL import Image, ImageDraw

from unseen.render.figure import font


def draw(scene, size):
    k = size / max(scene.width, scene.height, 1)
    canvas = Image.new("RGB", (size, size), "white")
    d = ImageDraw.Draw(canvas)
    for t in scene.things.values():
        if t.box:
            x, y, w, h = (v * k for v in t.box)
            d.rectangle((x, y, x + w, y + h), outline="black")
            d.text((x + 1, y + 1), " ".join((*t.attributes, t.name)), fill="black", font=font(8))
    return np.asarray(canvas).copy()
