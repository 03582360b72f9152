"""Scenes of the world in 3-D for the renderer: solids on a table, under the lamps of CLEVR's studio."""

from __future__ import annotations

from unseen.benchmarks.covr.world.identity import hashed, stream_of
from unseen.benchmarks.covr.world.tabletop import CAMERA, FIELD_OF_VIEW, TARGET, Solid, solids_of
from unseen.render.space.scene import GRAY, AreaLight, Body, Camera, Color, Cyclorama, Scene, Sun, Surface

MESHES = {"ball": "sphere", "ring": "torus"}  # where they have other names
FACING = {"monkey": 41}  # degrees that turn a mesh to the camera
COLORS: dict[str, Color] = {  # linear light
    "red": (0.65, 0.02, 0.02),
    "orange": (0.9, 0.25, 0.01),
    "yellow": (0.85, 0.65, 0.02),
    "green": (0.03, 0.35, 0.05),
    "blue": (0.02, 0.1, 0.65),
    "purple": (0.25, 0.03, 0.4),
    "gray": (0.4, 0.4, 0.4),
    "black": (0.015, 0.015, 0.015),
    "brown": GRAY,  # wood has a texture
}
STAGES: tuple[Surface, ...] = (  # what solids stand on, and before
    Surface("plain", (0.62, 0.58, 0.52)),
    Surface("plain", (0.42, 0.5, 0.56)),
    Surface("plain", (0.5, 0.55, 0.44)),
    Surface("plain", (0.66, 0.52, 0.48)),
    Surface("plain", (0.55, 0.5, 0.6)),
)
LIGHTS: tuple[
    tuple[float, Color], ...
] = (  # how strong the key lamp is, and its color: by day, in the evening, at night
    (900.0, (1.0, 0.95, 0.88)),
    (850.0, (1.0, 0.84, 0.66)),
    (800.0, (0.86, 0.92, 1.0)),
    (620.0, (1.0, 0.9, 0.8)),
)


def lamps(power: float, color: Color, side: int) -> tuple[AreaLight, ...]:
    """Key, fill and back; the key lamp stands on the left where `side` is -1, and on the right where it is 1."""
    return (
        AreaLight((8.0, 7.0 * side, 9.0), power=power, edge=1.0, color=color),
        AreaLight((8.0, -8.0 * side, 5.0), power=320.0, edge=1.5, color=(0.85, 0.9, 1.0)),
        AreaLight((-6.0, -3.0 * side, 9.0), power=400.0, edge=1.5),
    )


def scene_of(scene_id: str) -> Scene:
    """Return the 3-D scene of a scene by its id; bodies are in the order of its things."""
    drawn = hashed(scene_id)
    stage, light, side = STAGES[drawn % 5], LIGHTS[drawn // 5 % 4], (-1, 1)[drawn // 20 % 2]
    return Scene(
        tuple(map(body_of, solids_of(*stream_of(scene_id)))),
        Camera(CAMERA, TARGET, FIELD_OF_VIEW),
        lamps(*light, side),
        Sun((-0.5, -0.3 * side, -0.8), 0.9),
        Cyclorama(stage, back=-14.0),
    )


def body_of(solid: Solid) -> Body:
    """Return the body that shows a solid."""
    color, material, _ = solid.attributes
    turn = solid.turn + FACING.get(solid.name, 0)
    return Body(
        MESHES.get(solid.name, solid.name), (solid.x, solid.y, solid.z), solid.size, turn, material, COLORS[color]
    )
