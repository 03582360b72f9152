"""Our own projection of a scene: which body is seen at each pixel, how far it is, and how much of it is hidden.

No graphics driver takes part, so that a sampler that accepts or rejects by it draws the same examples everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unseen.render.space import kernels
from unseen.render.space.meshes import mesh
from unseen.render.space.scene import Body, Camera, Scene, Vector
from unseen.render.space.stage import parts

Floats = npt.NDArray[np.float64]
IN_PLACE = np.array([0, 0, 0, 1, 1, 0], float)  # the pose of what is in world coordinates already


@dataclass(frozen=True)
class Projection:
    """What a camera sees of a scene: ids, depth, and how much of each body is hidden.

    ids uint8 (size, size): 1, 2, .. bodies in order; 0 a cyclorama, or nothing; 240 a room's floor, 241 .. 244 its
    walls. depth float32 (size, size): distance along the view, inf where there is nothing. Of each body: the pixels
    it is `visible` in, and those it would be (`amodal`) if it stood alone.
    """

    ids: npt.NDArray[np.uint8]
    depth: npt.NDArray[np.float32]
    visible: tuple[int, ...]
    amodal: tuple[int, ...]


def project(scene: Scene, size: int) -> Projection:
    """Project a scene onto size x size pixels.

    >>> from unseen.render.space.scene import Body, Camera, Scene
    >>> seen = project(Scene((Body("sphere", (0.0, 0.0, 1.0)),), Camera((7.5, -6.5, 5.3))), 128)
    >>> seen.ids.shape, seen.visible == seen.amodal, 500 < seen.visible[0] < 700
    ((128, 128), True, True)
    """
    depth = np.full((size, size), np.inf)
    ids = np.zeros((size, size), np.uint8)
    touched = np.zeros((size, size), np.int32)
    camera = view(scene.camera, size)
    stage = parts(scene.stage)
    for order, part in enumerate(stage, 1):
        kernels.draw(part.mesh.vertices, part.mesh.triangles, IN_PLACE, camera, part.id, order, depth, ids, touched)
    amodal = []
    for order, body in enumerate(scene.bodies, 1):
        m = mesh(body.shape)
        name = len(stage) + order
        amodal.append(kernels.draw(m.vertices, m.triangles, pose(body), camera, order, name, depth, ids, touched))
    visible = np.bincount(ids.ravel(), minlength=256)[1 : len(amodal) + 1]
    return Projection(ids, depth.astype(np.float32), tuple(map(int, visible)), tuple(map(int, amodal)))


def pose(body: Body) -> Floats:
    """Where a body is: x, y, z, size, cosine and sine of its turn."""
    turn = math.radians(body.turn)
    return np.array([*body.position, body.size, math.cos(turn), math.sin(turn)])


def view(camera: Camera, size: int) -> Floats:
    """A camera as the kernels read it: right, up and forward, position, focal length in pixels."""
    x, y, z = (t - p for t, p in zip(camera.target, camera.position, strict=True))
    far, flat = math.sqrt(x * x + y * y + z * z), math.sqrt(x * x + y * y)
    right = (y / flat, -x / flat, 0.0)
    forward = (x / far, y / far, z / far)
    up = (right[1] * forward[2], -right[0] * forward[2], right[0] * forward[1] - right[1] * forward[0])
    focal = size / 2 / math.tan(math.radians(camera.field_of_view) / 2)
    return np.array([*right, *up, *forward, *camera.position, focal])


def seen_at(place: Vector, camera: Camera) -> tuple[float, float]:
    """Where a camera sees a place: from the lower left, in sides of the image.

    >>> x, y = seen_at((0.0, 0.0, 0.0), Camera((7.5, -6.5, 5.3)))
    >>> round(x, 9), round(y, 9)
    (0.5, 0.5)
    """
    seen_by = view(camera, 2).tolist()
    way = [there - eye for there, eye in zip(place, seen_by[9:12], strict=True)]
    # sums of our own: those of BLAS are not the same on every machine
    across, above, ahead = (sum(w * a for w, a in zip(way, seen_by[k : k + 3], strict=True)) for k in (0, 3, 6))
    return (1 + seen_by[12] * across / ahead) / 2, (1 + seen_by[12] * above / ahead) / 2
