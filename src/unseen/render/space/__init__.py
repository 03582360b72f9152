"""3-D scenes: one description (`scene`), our own projection (`project`), and two renderers that color it.

Ids and depth always come from our projection, which is the same on every machine; only colors come from a renderer:
`opengl`, fast, or `blender`, the photoreal reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from unseen.core.errors import unknown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from unseen.render.space.scene import Scene

Renderer = Literal["auto", "opengl", "blender"]
RENDERERS = ("auto", "opengl", "blender")  # auto: OpenGL, which is there to make data


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawn scene: image uint8 (size, size, 3); ids uint8 and depth float32 (size, size) as in `Projection`."""

    image: npt.NDArray[np.uint8]
    ids: npt.NDArray[np.uint8]
    depth: npt.NDArray[np.float32]


def render(scene: Scene, size: int, renderer: Renderer = "auto") -> Picture:
    """Draw a scene in size x size pixels."""
    return render_many([scene], size, renderer)[0]


def render_many(scenes: Sequence[Scene], size: int, renderer: Renderer = "auto") -> list[Picture]:
    """Draw several scenes, which keeps a graphics processor busier than drawing one by one."""
    from unseen.render.space.project import project

    seen = [project(scene, size) for scene in scenes]
    colors = _images(scenes, size, renderer)
    return [Picture(image, s.ids, s.depth) for image, s in zip(colors, seen, strict=True)]


def name_of(renderer: Renderer) -> str:
    """Name the program that colors pictures, with its version; the same name means the same pictures, bit for bit."""
    if renderer == "blender":
        from unseen.render.space import blender

        return blender.name()
    from unseen.render.space import opengl

    return opengl.name()


def _images(scenes: Sequence[Scene], size: int, renderer: Renderer) -> Sequence[npt.NDArray[np.uint8]]:
    if renderer not in RENDERERS:
        raise unknown("renderer", renderer, RENDERERS)
    if renderer == "blender":
        from unseen.render.space import blender

        return [blender.image(scene, size) for scene in scenes]
    from unseen.render.space import opengl

    return list(opengl.images(scenes, size))
